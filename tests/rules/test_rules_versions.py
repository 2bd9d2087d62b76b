"""Rules change beside those they were: a game is played to its end as it was opened.

The newer edition is planted here: under it each of two players gets one card less.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service import replay, rules
from service.replay import Commit
from service.rules import canasta, find, seating, variants
from service.rules.canasta.variants import CANASTA
from service.rules.deals import DealStarted
from service.rules.protocol import HOUSE, DealCards
from service.rules.seating.commands import Chair, OpenGame, StartGame
from service.store import codec

NEWER = replace(CANASTA, rules_version=2, hand_size={**CANASTA.hand_size, 2: 14})


Change = Callable[[], None]


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Change:
    """Makes the newer edition today's, and today's a past one."""

    def change() -> None:
        variants: Any = canasta.VARIANTS
        monkeypatch.setitem(variants, "canasta", NEWER)
        monkeypatch.setattr(rules, "PAST", ((canasta, CANASTA),))

    return change


def log(rules_version: int, *commands: Any) -> list[bytes]:
    """The lines of a game opened under that edition."""
    chairs = (Chair("ai", "casual"),) * 2
    opening = OpenGame("canasta", rules_version, chairs, {}, "public", "", "")
    commits = [Commit(1, "", "", 0, opening, seating.opening(opening))]
    for command in commands:
        events = seating.decide(replay.fold(commits), command, 0)
        commits.append(Commit(len(commits) + 1, "", "", 0, command, events))
    return [codec.encode(commit) for commit in commits]


def dealt(lines: list[bytes]) -> list[int]:
    """How many cards each got when the house deals in a game that stands so."""
    game = replay.fold(map(codec.decode, lines))
    started, *_ = seating.decide(game, DealCards(HOUSE, game.variant.pack()), 0)
    assert isinstance(started, DealStarted)
    return [len(hand) for hand in started.hands]


def test_every_variant_is_found_by_its_name() -> None:
    assert len(set(variants())) == len(variants()) > 4
    assert [find(name)[1].name for name in variants()] == list(variants())


def test_what_is_opened_now_is_played_by_the_rules_of_today(change: Change) -> None:
    change()
    assert find("canasta") == find("canasta", 2) == (canasta, NEWER)
    assert dealt(log(2, StartGame(0))) == [14, 14]


def test_a_game_under_way_goes_on_by_the_rules_that_it_was_opened_under(
    change: Change,
) -> None:
    under_way = log(1, StartGame(0))
    change()
    assert dealt(under_way) == [15, 15]
    game = replay.fold(map(codec.decode, under_way))
    assert (game.rules_version, game.copy().variant, game.view(0).variant) == (1, *[CANASTA] * 2)


def test_an_old_game_says_the_same_after_a_change(change: Change) -> None:
    over = log(1, StartGame(0), DealCards(HOUSE, CANASTA.pack()))
    before = replay.fold(map(codec.decode, over))
    change()
    after = replay.fold(map(codec.decode, over))
    assert after.state and before.state
    assert after.state.hands == before.state.hands
    assert after.legal(1) == before.legal(1)


def test_an_edition_that_never_was_is_not_found(change: Change) -> None:
    assert find("canasta", 1) == find("canasta") == (canasta, CANASTA)
    with pytest.raises(KeyError, match="canasta, rules version 2"):
        find("canasta", 2)
    change()
    assert find("canasta", 1) == (canasta, CANASTA)
    with pytest.raises(KeyError, match="canasta, rules version 3"):
        find("canasta", 3)
