"""Statistics and ratings: each game once, in any order, and again from the logs."""

import math
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from service import tally
from service.glicko import Outcome, Standing, aged, rated
from service.rules.seating.commands import Chair, Setup, Terms
from service.statistics import SURE, Statistics
from service.store import IMPORT, Player, StoreUnavailable
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_statistics import MemoryLedger
from service.store.redis_statistics import RedisLedger
from service.store.statistics import Book, Ledger
from service.store.tokens import Token
from tests.ended import ABANDON, DAY, ROBOT, commits_of, plant

TODAY = 20_000
NAMES = ("anna", "bert", "carl", "dora", "emil")


class Desk:
    """Statistics over stores in memory, at noon of `TODAY` unless the clock is moved."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        self.now = TODAY * DAY + DAY // 2
        self.store = store or MemoryStore(lambda: self.now)
        self.ledger: Ledger = MemoryLedger(lambda: self.now)
        self.people = MemoryPeople()
        for name in NAMES:
            self.people.add(
                Player(name, name, name == "emil"), Token(name.encode().hex().zfill(64))
            )
        self.statistics = Statistics(self.store, self.people, self.ledger)

    def end(self, game: str, variant: str, *players: str | Chair, **more: Any) -> None:
        """A game ends, and all that ended is counted."""
        plant(self.store, game, commits_of(variant, players, **more), more.pop("source", ""))
        self.work()

    def work(self) -> None:
        self.now += 5_000  # what ended this very second is held back
        self.statistics.work()

    def sums(self, player: str, private: bool = False) -> dict[str, int]:
        rows = self.statistics.of_player(player, private)
        return {
            "/".join((row.variant, *path)): number
            for row in rows
            for path, number in row.sums.items()
            if "tally" not in path
        }

    def all(self) -> Any:
        """Every number that there is."""
        ledger = self.ledger
        return [
            [sorted(ledger.sums(Book("player", name)).items()) for name in NAMES],
            [
                (
                    sorted(ledger.sums(Book("variant", variant)).items()),
                    [ledger.history(variant, name, None, 999) for name in NAMES],
                    [ledger.board(variant, kind, 0, None, 99) for kind in ("people", "bots")],
                    ledger.unsettled(variant),
                )
                for variant in ("canasta", "bolivia", "botifarra")
            ],
        ]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_game_counts_for_who_played_it(desk: Desk) -> None:
    desk.end("g", "canasta", "anna", "bert", moves=5)
    won, lost = sorted(("anna", "bert"), key=lambda name: "canasta/won" in desk.sums(name))[::-1]
    parts = ("canasta", "canasta/seats/2", "canasta/against/people")
    assert desk.sums(won) == {f"{part}/{what}": 1 for part in parts for what in ("games", "won")}
    assert desk.sums(lost) == {
        **{f"{part}/{what}": 1 for part in parts for what in ("games", "lost")},
        "canasta/resigned": 1,
    }
    everybody = desk.statistics.of_variant("canasta").sums
    assert {path: n for path, n in everybody.items() if path[0] != "tally"} == {
        ("games",): 1,
        ("resigned",): 1,
        ("seats", "2", "games"): 1,
        ("between", "people", "games"): 1,
    }


def test_a_whole_game_counts_its_deals_and_what_its_own_tally_says(desk: Desk) -> None:
    desk.end("g", "botifarra", *NAMES[:4], moves=10**6)
    rows = [desk.statistics.of_player(name)[0].sums for name in NAMES[:4]]
    deals = rows[0]["deals",]
    assert deals > 2
    scores = sorted({row["points",] for row in rows})
    assert scores[-1] >= 101
    assert sum(row.get(("tally", "trick", "times"), 0) for row in rows) == 12 * deals
    everybody = desk.statistics.of_variant("botifarra").sums
    assert everybody["deals",] == 2 * deals
    assert everybody["points",] == rows[0]["points",] + rows[1]["points",]
    assert everybody["tally", "trick", "sum"] == 72 * deals
    assert ("resigned",) not in everybody


@pytest.mark.parametrize(
    ("others", "kind"),
    [
        ((ROBOT,), "casual"),
        (("bert",), "people"),
        ((ROBOT, "bert", ROBOT), "casual"),
        (("bert", "carl", ROBOT), "mixed"),
    ],
)
def test_against_whom(desk: Desk, others: tuple[Any, ...], kind: str) -> None:
    desk.end("g", "canasta", "anna", *others)
    assert desk.sums("anna")[f"canasta/against/{kind}/games"] == 1


@pytest.mark.parametrize(
    "more",
    [
        {"setup": Setup(0, (0, 0))},
        {"source": IMPORT},
    ],
)
def test_what_does_not_count(desk: Desk, more: Any) -> None:
    source = more.pop("source", "")
    plant(desk.store, "g", commits_of("canasta", ["anna", "bert"], **more), source)
    desk.work()
    assert desk.all() == Desk().all()
    assert not desk.statistics.pending()


def test_an_abandoned_game_is_told_apart(desk: Desk) -> None:
    desk.end("g", "canasta", "anna", "bert", end=ABANDON)
    assert desk.sums("anna") == desk.sums("bert") == {"canasta/abandoned": 1}
    assert dict(desk.statistics.of_variant("canasta").sums) == {("abandoned",): 1}
    assert desk.ledger.days("canasta", 0) == []


def test_a_private_game_counts_for_its_players_alone(desk: Desk) -> None:
    desk.end("g", "canasta", "anna", "bert", visibility="private")
    assert desk.sums("anna") == {}
    assert desk.sums("anna", private=True)["canasta/games"] == 1
    assert desk.statistics.of_variant("canasta").sums == {}
    assert desk.ledger.days("canasta", 0) == []


def test_a_damaged_log_is_passed_over(desk: Desk) -> None:
    commits = commits_of("canasta", ["anna", "bert"])
    plant(desk.store, "bad", [commits[0], *commits[2:5]][:1] + commits[1:3])
    log = desk.store._logs["bad"]
    log[1] = log[2]
    desk.end("g", "canasta", "anna", "bert")
    assert desk.sums("anna")["canasta/games"] == 1


def test_who_gives_up_at_a_table_of_three_comes_last(desk: Desk) -> None:
    found = tally.counted(commits_of("canasta", ["anna", "bert", "carl"]))
    assert found
    assert found.played
    assert found.played.sides == (("anna",), ("bert",), ("carl",))
    assert sorted(found.played.places) == [0, 1, 1]  # two gave up, one after the other
    gave_up = [name for name, sums in found.players.items() if sums.get(("resigned",))]
    winner = found.played.sides[found.played.places.index(0)]
    assert len(gave_up) == 2
    assert not set(winner) & set(gave_up)


def test_a_game_with_hints_counts_and_is_not_rated(desk: Desk) -> None:
    desk.end("g", "canasta", "anna", "bert", terms=Terms(hints=True))
    assert desk.sums("anna")["canasta/games"] == 1
    assert desk.statistics.ratings(["anna", "bert"], "canasta") == {}
    desk.end("h", "canasta", "anna", "bert", terms=Terms())
    assert desk.statistics.ratings(["anna", "bert"], "canasta").keys() == {"anna", "bert"}


def test_only_games_between_people_are_rated(desk: Desk) -> None:
    desk.end("g", "canasta", "anna", ROBOT)
    assert desk.statistics.ratings(["anna"], "canasta") == {}
    desk.end("h", "canasta", "anna", "bert")
    found = desk.statistics.ratings(["anna", "bert", "carl"], "canasta")
    assert set(found) == {"anna", "bert"}
    new = Standing()
    first = {rated(new, (Outcome(new, score),)) for score in (0.0, 1.0)}
    assert {rating.standing for rating in found.values()} == first
    assert all(rating.provisional for rating in found.values())


def test_a_rating_grows_unsure_with_time(desk: Desk) -> None:
    desk.end("g", "canasta", "anna", "bert")
    before = desk.statistics.ratings(["anna"], "canasta")["anna"].standing
    desk.now += 30 * DAY
    after = desk.statistics.ratings(["anna"], "canasta")["anna"].standing
    assert after == aged(before, 30)


def test_a_day_is_rated_as_one_period(desk: Desk) -> None:
    """Two games of one day: both against the standing at its beginning."""
    for seed, game in enumerate(("g", "h")):
        desk.end(game, "canasta", "anna", "bert", seed=seed)
    played = desk.ledger.results("canasta", TODAY)
    scores = [float(one.places[0] < one.places[1]) for one in played.values()]
    expected = rated(Standing(), [Outcome(Standing(), score) for score in scores])
    (entry,) = desk.statistics.history("anna", "canasta", None, 9)
    assert (entry.day, entry.games, entry.standing) == (TODAY, 2, expected)


def test_who_is_sure_is_on_the_board_of_their_kind_for_a_while(desk: Desk) -> None:
    for number in range(60):
        people = ["anna", "bert", "emil"]
        Random(number).shuffle(people)
        commits = commits_of("canasta", people[:2], seed=number, moves=4)
        plant(desk.store, f"g{number}", commits)
    desk.work()
    board = desk.statistics.board
    _, people_there = board("canasta", "people", None, 9)
    _, bots_there = board("canasta", "bots", None, 9)
    assert {rank.player for rank in people_there} == {"anna", "bert"}
    assert [rank.player for rank in bots_there] == ["emil"]
    assert all(one.points >= other.points for one, other in pairwise(people_there))
    ratings = desk.statistics.ratings(["anna"], "canasta")
    assert not ratings["anna"].provisional
    while not desk.statistics.ratings(["anna"], "canasta")["anna"].provisional:
        assert "anna" in {rank.player for rank in board("canasta", "people", None, 9)[1]}
        desk.now += DAY
    assert "anna" not in {rank.player for rank in board("canasta", "people", None, 9)[1]}


def story(number: int = 26) -> list[tuple[str, list[Any]]]:
    """Random games of some days: of people, robots and a bot, public and private."""
    found = []
    for n in range(number):
        random = Random(n)
        people = random.sample(NAMES, 4)
        variant, seats = random.choice(
            [("canasta", 2), ("canasta", 3), ("canasta", 4), ("bolivia", 2), ("botifarra", 4)]
        )
        chairs: list[Any] = people[:seats]
        if n % 5 == 4:
            chairs[-1] = ROBOT
        day = TODAY - random.choice([0, 0, 1, 2, 5])
        more = {"visibility": "private"} if n % 11 == 10 else {}
        end = ABANDON if n % 13 == 12 else None
        moves = random.randrange(8, 60)
        commits = commits_of(variant, chairs, at=day * DAY, seed=n, moves=moves, end=end, **more)
        found.append((f"game{n}", commits))
    return found


def test_any_order_and_the_logs_anew_come_to_the_same() -> None:
    games = story()
    desk = Desk()
    for game, commits in games:  # days come in disorder, one game at a time
        plant(desk.store, game, commits)
        desk.work()
    assert not desk.statistics.pending()
    found = desk.all()
    assert sum(len(history) for _, histories, _, _ in found[1] for history in histories) > 20

    other = Desk()
    for game, commits in sorted(games, reverse=True):
        plant(other.store, game, commits)
    other.work()
    assert other.all() == found

    for game, _ in games[::3]:
        desk.statistics.count(game)  # duplicates
    desk.statistics.settle()
    assert desk.all() == found
    assert desk.statistics.rebuild() == len(games)
    assert desk.all() == found
    for _, histories, _, _ in found[1]:
        for entry in (entry for history in histories for entry in history):
            assert all(map(math.isfinite, (entry.standing.rating, entry.standing.deviation)))


def test_a_server_keeps_the_same_numbers(redis_url: str) -> None:
    desk, other = Desk(), Desk()
    other.ledger = RedisLedger(redis_url)
    other.statistics = Statistics(other.store, other.people, other.ledger)
    for game, commits in story(8):
        for one in (desk, other):
            plant(one.store, game, commits)
            one.work()
    assert other.all() == desk.all()
    other.statistics.rebuild()
    assert other.all() == desk.all()


class Dying(MemoryLedger):
    """Fails at one write in five."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        super().__init__(lambda: TODAY * DAY + DAY // 2)

    def _step(self) -> None:
        if self.random.random() < 0.2:
            raise StoreUnavailable("killed here")

    def count(self, *args: Any) -> bool:
        self._step()
        return super().count(*args)

    def note(self, *args: Any) -> bool:
        self._step()
        return super().note(*args)

    def settle(self, *args: Any) -> bool:
        self._step()
        return super().settle(*args)

    def advance(self, *args: Any) -> None:
        self._step()
        super().advance(*args)


@pytest.mark.parametrize("seed", range(2))
def test_whoever_dies_anywhere_leaves_what_the_next_completes(seed: int) -> None:
    whole, desk = Desk(), Desk()
    games = story(6)
    for one in (whole, desk):
        for game, commits in games:
            plant(one.store, game, commits)
    whole.work()
    desk.ledger = Dying(seed)
    desk.statistics = Statistics(desk.store, desk.people, desk.ledger)
    desk.now += 5_000
    for _ in range(300):
        if not desk.statistics.pending():
            break
        try:
            desk.statistics.work()
        except StoreUnavailable:
            continue
    assert not desk.statistics.pending()
    assert desk.all() == whole.all()


def test_what_comes_while_a_variant_is_settled_is_not_lost() -> None:
    desk = Desk()
    late = commits_of("canasta", ["bert", "carl"], seed=9)
    plant(desk.store, "g", commits_of("canasta", ["anna", "bert"]))
    plant(desk.store, "late", late)
    results = desk.ledger.results
    told: list[int] = []

    def slow(variant: str, day: int) -> Any:
        found = results(variant, day)
        if not told:
            told.append(day)
            desk.statistics.count("late")
        return found

    desk.ledger.results = slow  # type: ignore[method-assign]
    desk.statistics.count("g")
    desk.statistics.settle()
    assert set(desk.statistics.ratings(["anna", "bert", "carl"], "canasta")) == {
        "anna", "bert", "carl",
    }  # fmt: skip
    assert desk.ledger.unsettled("canasta") is None


def test_one_may_hide(desk: Desk) -> None:
    desk.statistics.hide("anna", True)
    assert desk.statistics.hidden(["anna", "bert"]) == {"anna"}
    assert desk.statistics.hidden([]) == set()


def test_the_bar_is_one_that_games_reach() -> None:
    assert Standing().deviation > SURE
