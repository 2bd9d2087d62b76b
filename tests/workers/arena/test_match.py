"""A match of the arena: the same cards twice, the sides exchanged, and nothing else by chance."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.queue import LEVELS
from service.rules import GAMES, find
from service.rules.deals import DealScored, DealStarted
from tests.rules.spans import LONG
from workers import strategies
from workers.arena import match as matches
from workers.arena.game import Moment, Start, moments
from workers.arena.match import Match, judged, play_pair
from workers.arena.players import player
from workers.strategies import Budget, Choice, Player, Situation, Strategy

ROOT = Path(__file__).resolve().parents[3]
SOME = Budget(1.0, samples=3)
SIZES = [
    (name, seats)
    for rules in GAMES.values()
    for name, variant in rules.VARIANTS.items()
    for seats in variant.seats
]


def match(variant: str, seats: int, one: str, two: str, **more: Any) -> Match:
    return Match(variant, seats, one, two, (SOME, SOME), **{"deals": 2} | more)


def heard(monkeypatch: pytest.MonkeyPatch) -> list[list[Any]]:
    """All events of each game that is played from now on."""
    games: list[list[Any]] = []

    def listening(start: Start, players: Sequence[Any], deals: int) -> Iterator[Moment]:
        games.append([])
        before: list[Any] = []
        for moment in moments(start, players, deals):
            if moment.events[: len(before)] != before:
                before = []
            games[-1] += moment.events[len(before) :]
            before = list(moment.events)
            yield moment

    monkeypatch.setattr(matches, "moments", listening)
    return games


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "seats"), SIZES)
def test_the_two_games_of_a_pair_have_the_same_cards(
    variant: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = heard(monkeypatch)
    play_pair(match(variant, seats, "novice", "casual"), 5)
    deals = [[event for event in events if isinstance(event, DealStarted)] for events in games]
    assert len(games) == 2
    assert games[0] != games[1]
    for one, other in zip(*deals, strict=False):
        assert replace(one, scores=()) == replace(other, scores=())
    assert len({started.hands for started in deals[0]}) == len(deals[0])


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "seats"), SIZES if LONG else dict(SIZES).items())
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_against_itself_is_worth_exactly_nothing(
    level: str, variant: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = heard(monkeypatch)
    pair = play_pair(match(variant, seats, level, level, deals=1), 2)
    assert games[0] == games[1]
    assert pair.won == 0.5
    assert pair.margin == 0


def test_no_two_pairs_have_the_same_cards() -> None:
    played = match("canasta", 4, "novice", "novice")
    packs = {played.start(pair).pack(deal) for pair in range(50) for deal in range(1, 5)}
    assert len(packs) == 200
    assert all(sorted(pack) == sorted(find("canasta")[1].pack()) for pack in packs)
    other = match("canasta", 4, "novice", "novice", seed=1)
    assert other.start(0).pack(1) not in packs
    assert [played.start(pair).dealer for pair in range(5)] == [0, 1, 2, 3, 0]


def known_by(name: str, seen: list[tuple[str, int]]) -> Strategy:
    def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
        seen.append((name, situation.seat))
        return Choice(situation.rules.legal(situation.view, situation.seat)[0])

    return choose


@pytest.mark.parametrize(
    ("variant", "seats", "first"),
    [("botifarra", 4, {0, 2}), ("samba", 3, {0, 2}), ("bolivia", 2, {0})],
)
def test_the_sides_are_exchanged(
    variant: str, seats: int, first: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, int]] = []
    levels = {
        name: {family: Player(name, known_by(name, seen)) for family in GAMES}
        for name in ("left", "right")
    }
    monkeypatch.setattr(strategies, "STRATEGIES", levels)
    places = []
    for turn in (0, 1):
        seen.clear()
        two = [player(name, SOME) for name in ("left", "right")]
        matches._play(match(variant, seats, "left", "right", deals=1), 0, turn, two, None)
        places.append(
            {name: {seat for who, seat in seen if who == name} for name in ("left", "right")}
        )
    rest = set(range(seats)) - first
    assert places == [{"left": first, "right": rest}, {"left": rest, "right": first}]


def test_what_a_game_was_worth() -> None:
    start = Start("botifarra", 4, (("target_score", 50),))
    *_, last = moments(start, [player("casual", SOME)] * 4, 200)
    result = last.rules.result(last.state)
    assert result
    for turn in (0, 1):
        game = judged(last, turn)
        assert game.won == (result.winner == turn)
        assert game.margin == result.scores[turn] - result.scores[1 - turn]
        assert not game.cut


@pytest.mark.parametrize(("scores", "won"), [([9, 3], 1.0), ([3, 9], 0.0), ([5, 5], 0.5)])
def test_a_game_that_is_cut_goes_to_the_higher_score(scores: list[int], won: float) -> None:
    start = Start("canasta", 4)
    *_, last = moments(start, [player("novice", SOME)] * 4, 1)
    last.state.scores = scores
    assert judged(last, 0) == (won, scores[0] - scores[1], 1, True)
    assert judged(last, 1) == (1 - won, scores[1] - scores[0], 1, True)


def test_it_stops_after_so_many_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    games = heard(monkeypatch)
    pair = play_pair(match("botifarra", 4, "novice", "novice", deals=2), 0)
    assert [sum(isinstance(event, DealScored) for event in game) for game in games] == [2, 2]
    assert [(game.deals, game.cut) for game in pair.games] == [(2, True)] * 2


def test_a_player_that_answers_for_another_is_found_out() -> None:
    class Wrong:
        def begin(self, *_: Any) -> None: ...

        def hear(self, *_: Any) -> None: ...

        def choose(self, moment: Moment, seat: int, luck: str) -> Any:
            return moment.rules.legal(moment.state, seat)[0].__class__(seat ^ 1, "c")

    with pytest.raises(ValueError, match="own seat"):
        list(moments(Start("botifarra", 4), [Wrong()] * 4, 1))


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["botifarra", "samba", "bolivie"])
def test_a_level_of_another_folder_plays_as_it_does_here(variant: str) -> None:
    # This folder as another: whatever it is told must be what a player here is given.
    far = f"casual@{ROOT}"
    there = play_pair(match(variant, 4, "casual", far), 3)
    here = play_pair(match(variant, 4, "casual", "casual"), 3)
    assert there.games == here.games
    assert len(there.costs[1].wall) == len(here.costs[1].wall)
    assert min(there.costs[1].cpu) > 0


def test_what_costs_is_one_time_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []
    levels = {"one": {family: Player("one", known_by("one", seen)) for family in GAMES}}
    monkeypatch.setattr(strategies, "STRATEGIES", levels)
    pair = play_pair(match("botifarra", 4, "one", "one"), 0)
    assert sum(len(cost.wall) for cost in pair.costs) == len(seen)


def test_a_player_is_given_what_its_seat_saw_and_no_more() -> None:
    for moment in moments(Start("samba", 3), [player("novice", SOME)] * 3, 2):
        if moment.rules.to_act(moment.state) in (0, 1, 2):
            situation = moment.seen_by(1)
            assert isinstance(situation.feed[0], DealStarted)
            assert situation.view == moment.rules.view(moment.state, 1)
            hands = situation.feed[0].hands
            assert all(card == "??" for seat in (0, 2) for card in hands[seat])
