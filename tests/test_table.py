"""The use cases over a store in memory: one truth, however often and from wherever it is asked."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from service import fairness, replay
from service.answers import GameFaulted, GameOver, KeyReused, Moved, NoSeat, NotInvited
from service.calls import calls_due
from service.rules.canasta.commands import Discard, Draw
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE
from service.rules.seating.commands import Chair, OpenGame, Resign, SetNonce, Setup
from service.rules.seating.events import NonceSet
from service.scribe import entry_of
from service.shelf import NoSuchGame
from service.store import Conflict, Entry, codec
from service.store.memory import MemoryStore
from service.table import Tables
from tests.clock import tick
from workers.sweep import Sweep

ANNA = Chair("human", None, "anna")
BERT = Chair("human", None, "bert")
ROBOT = Chair("ai", "novice")


def order(*chairs: Chair, **more: Any) -> OpenGame:
    return OpenGame(
        more.get("variant", "canasta"),
        1,
        chairs,
        more.get("options", {}),
        more.get("visibility", "public"),
        "",
        "",
        more.get("setup"),
    )


class Desk:
    """Tables over a store, with the calls for computer players written down."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        self.store = store or MemoryStore()
        self.calls: list[tuple[str, int, int]] = []
        self.tables = Tables(self.store, lambda *call: self.calls.append(call[:3]))

    def open(self, *chairs: Chair, **more: Any) -> str:
        return self.tables.open("anna", order(*chairs, **more)).table.id

    def fresh(self) -> "Desk":
        """Another process on the same store."""
        return Desk(self.store)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def draw(seat: int) -> Draw:
    return Draw(seat)


def given(command: Any, seat: int) -> Any:
    """The command, whoever gives it."""
    assert command.seat == seat
    return command


def test_opening_starts_and_deals_when_nobody_is_awaited(desk: Desk) -> None:
    answer = desk.tables.open("anna", order(ANNA, BERT))
    assert [commit.version for commit in answer.commits] == [1, 2, 3]
    assert answer.table.game.status == "playing"
    assert answer.table.game.to_act() in (0, 1)


def test_the_deal_follows_from_the_secret(desk: Desk) -> None:
    game = desk.open(ANNA, BERT)
    table = desk.tables.load(game)
    assert fairness.commitment(table.secret) == table.game.commitment
    started, dealt = desk.tables.commits(game, 2, 3)
    nonces = (None, None)
    assert started.command.dealer == fairness.first_dealer(table.secret, nonces, 2)
    assert dealt.command.pack == fairness.pack(table.secret, nonces, 1, table.game.variant.pack())


def test_no_two_games_share_a_deal(desk: Desk) -> None:
    packs = {desk.tables.commits(desk.open(ANNA, BERT), 3)[0].command.pack for _ in range(200)}
    assert len(packs) == 200


def test_the_chain_holds(desk: Desk) -> None:
    game = desk.open(ANNA, BERT)
    table = desk.tables.load(game)
    prev = ""
    for entry in desk.store.read(game).entries:
        commit = codec.decode(entry.line)
        assert commit.prev == prev
        assert commit.salt == fairness.salt(table.secret, commit.version)
        assert entry.hash == codec.digest(entry.line)
        prev = entry.hash
    assert table.head == prev


def test_the_last_seat_starts_the_game(desk: Desk) -> None:
    game = desk.open(ANNA, Chair("human"))
    assert desk.tables.load(game).game.status == "waiting"
    answer = desk.tables.join(game, "bert")
    assert answer is not None
    assert answer.seat == 1
    assert len(answer.commits) == 3
    assert desk.tables.join(game, "bert") is None
    with pytest.raises(IllegalMove, match="already_started"):
        desk.tables.join(game, "cleo")


def test_a_private_table_wants_its_code(desk: Desk) -> None:
    game = desk.open(ANNA, Chair("human"), visibility="private")
    with pytest.raises(NotInvited):
        desk.tables.join(game, "bert")
    with pytest.raises(NotInvited):
        desk.tables.join(game, "bert", invite="ünknown")
    assert desk.tables.join(game, "bert", invite=desk.tables.load(game).invite)


def test_twenty_for_one_seat_seat_one(desk: Desk) -> None:
    game = desk.open(ANNA, Chair("human"))

    def join(name: str) -> bool:
        try:
            return desk.fresh().tables.join(game, name) is not None
        except (IllegalMove, Moved):
            return False

    with ThreadPoolExecutor(20) as pool:
        joined = list(pool.map(join, [f"p{n}" for n in range(20)]))
    assert sum(joined) == 1


def test_order_of_the_checks(desk: Desk) -> None:
    tables = desk.tables
    with pytest.raises(NoSuchGame):
        tables.act("nowhere", "anna", draw)
    game = desk.open(ANNA, BERT)
    version = tables.load(game).version
    to_act = tables.load(game).game.to_act()
    mover, other = ("anna", "bert") if to_act == 0 else ("bert", "anna")
    with pytest.raises(NoSeat):
        tables.act(game, "cleo", draw, expected=1)
    with pytest.raises(Moved) as moved:
        tables.act(game, other, draw, expected=version - 1)
    assert moved.value.version == version
    with pytest.raises(IllegalMove, match="not_your_turn"):
        tables.act(game, other, draw, expected=version)
    first = tables.act(game, mover, draw, key="k", digest="d", expected=version)
    again = desk.fresh().tables.act(game, mover, draw, key="k", digest="d", expected=version)
    assert (first.version, first.commits) == (again.version, again.commits)
    with pytest.raises(KeyReused):
        tables.act(game, mover, draw, key="k", digest="other", expected=version)
    tables.act(game, other, Resign)
    assert tables.act(game, mover, draw, key="k", digest="d").commits == first.commits
    with pytest.raises(GameOver):
        tables.act(game, "cleo", draw)


def test_a_game_that_was_just_loaded_is_not_read_again_unless_it_moved_on(desk: Desk) -> None:
    game = desk.open(ANNA, BERT)
    read, reads = desk.store.read, []
    desk.store.read = lambda *what: (reads.append(what), read(*what))[1]  # type: ignore[method-assign, func-returns-value]
    found = desk.tables.load(game)
    mover, other = ("anna", "bert") if found.game.to_act() == 0 else ("bert", "anna")
    reads.clear()
    drawn = desk.tables.act(game, mover, draw, "k", "d", found.version, found)
    assert not reads
    # `found` is old now: what it allows is refused by the log, and met as it is then.
    with pytest.raises(Moved) as moved:
        desk.fresh().tables.act(game, mover, draw, expected=found.version, found=found)
    assert moved.value.version == drawn.version
    with pytest.raises(IllegalMove, match="wrong_phase"):
        desk.fresh().tables.act(game, mover, draw, found=found)
    old = replace(found, keys={})
    again = desk.fresh().tables.act(game, mover, draw, "k", "d", found.version, old)
    assert (again.version, again.replayed) == (drawn.version, True)
    with pytest.raises(KeyReused):
        desk.fresh().tables.act(game, mover, draw, "k", "other", found.version, old)
    resigned = desk.fresh().tables.act(game, other, Resign, found=found)
    assert resigned.commits[0].version == drawn.version + 1


def test_a_key_is_remembered_only_for_what_was_accepted(desk: Desk) -> None:
    game = desk.open(ANNA, BERT)
    mover = ("anna", "bert")[desk.tables.load(game).game.to_act() or 0]
    with pytest.raises(IllegalMove):
        desk.tables.act(game, mover, lambda seat: Discard(seat, "4c"), key="k", digest="1")
    assert desk.tables.act(game, mover, draw, key="k", digest="2")


def test_the_same_key_opens_the_same_game(desk: Desk) -> None:
    first = desk.tables.open("anna", order(ANNA, BERT), "key", "digest")
    again = desk.fresh().tables.open("anna", order(ANNA, BERT), "key", "digest")
    assert (again.table.id, again.commits) == (first.table.id, first.commits)
    with pytest.raises(KeyReused):
        desk.tables.open("anna", order(ANNA, ROBOT), "key", "other")
    other = desk.tables.open("bert", order(BERT, ROBOT), "key", "digest")
    assert other.table.id != first.table.id


def test_what_is_remembered_changes_no_answer(desk: Desk) -> None:
    game = desk.open(ANNA, BERT)
    forgetful = desk.fresh()
    for _ in range(30):
        table = desk.tables.load(game)
        seat = table.game.to_act()
        assert seat in (0, 1)
        first = table.game.legal(seat)[0]
        desk.tables.act(game, ("anna", "bert")[seat], partial(given, first))
        forgetful.tables.forget()
        warm, cold = desk.tables.load(game), forgetful.tables.load(game)
        assert (warm.version, warm.head, warm.keys) == (cold.version, cold.head, cold.keys)
        for eyes in (0, 1, None):
            one, two = warm.game.view(eyes).state, cold.game.view(eyes).state
            assert one and two
            assert one.table() == two.table()


def test_a_history_that_is_gone_is_forgotten(desk: Desk) -> None:
    """After a failover the log may end earlier, or go on otherwise, than this process knows."""
    game = desk.open(ANNA, BERT)
    other = desk.fresh()
    mover = ("anna", "bert")[desk.tables.load(game).game.to_act() or 0]
    before = list(desk.store.read(game).entries)
    desk.tables.act(game, mover, draw)
    stale = MemoryStore()
    for entry in before:
        stale.append(game, entry, codec.decode(entry.line).prev)
    desk.tables._shelf._store = stale
    assert desk.tables.load(game).version == before[-1].version
    assert other.tables.load(game).version == before[-1].version + 1


def test_the_house_deals_after_an_interruption(desk: Desk) -> None:
    """Whoever died between a commit and the house's: the next to look after it deals."""
    game = desk.open(ANNA, BERT)
    half = MemoryStore()
    for entry in desk.store.read(game, 1, 2).entries:
        half.append(game, entry, codec.decode(entry.line).prev)
    late = Desk(half)
    assert late.tables.load(game).game.to_act() == HOUSE
    late.tables.tend(game, patience=5)
    assert late.tables.commits(game, 3)[0].command == desk.tables.commits(game, 3)[0].command


def test_a_command_meets_the_house_first(desk: Desk) -> None:
    game = desk.open(ANNA, BERT)
    half = MemoryStore()
    for entry in desk.store.read(game, 1, 2).entries:
        half.append(game, entry, codec.decode(entry.line).prev)
    late = Desk(half)
    table = desk.tables.load(game)
    mover = ("anna", "bert")[table.game.to_act() or 0]
    answer = late.tables.act(game, mover, draw)
    assert answer.version == 4


def test_the_end_opens_the_secret(desk: Desk) -> None:
    game = desk.open(ANNA, BERT)
    answer = desk.tables.act(game, "anna", Resign)
    table = answer.table
    assert table.game.secret == table.secret.hex()
    assert table.game.status == "finished"
    assert game not in set(desk.store.unfinished())


def test_a_computer_is_called_and_whoever_plays_for_it_calls_the_next(desk: Desk) -> None:
    game = desk.open(ROBOT, ROBOT)
    dealt = desk.tables.load(game)
    assert desk.calls == [(game, dealt.version, 0)]
    seat = dealt.game.to_act()
    assert seat is not None
    drawn = desk.tables.play(dealt, Draw(seat))
    with pytest.raises(Conflict):
        desk.fresh().tables.play(dealt, Draw(seat))
    discard = next(c for c in drawn.game.legal(seat) if isinstance(c, Discard))
    passed = desk.tables.play(drawn, discard)
    assert passed.waits_for_computer()
    assert len(desk.calls) == 1


def test_a_broken_queue_loses_no_command() -> None:
    def broken(*call: object) -> None:
        raise ConnectionError("no queue")

    store = MemoryStore()
    tables = Tables(store, broken)
    game = tables.open("anna", order(ROBOT, ROBOT)).table.id
    assert tables.load(game).game.status == "playing"
    late = Desk(store)
    tick()
    late.tables.tend(game, patience=0.000001)
    ((called, version, again),) = late.calls
    assert (called, version) == (game, tables.load(game).version)
    assert again >= 1


def test_a_lost_turn_is_called_again_and_again_but_not_too_often() -> None:
    due = [calls_due(waited, 5.0) for waited in range(5, 3605)]
    assert due == sorted(due)
    assert due[0] == 1
    assert calls_due(60.0, 5.0) == 4
    assert calls_due(3600.0, 5.0) == 4 + 59
    assert calls_due(300.0, 120.0) == 4


def test_practice_deals_are_the_given_ones(desk: Desk) -> None:
    pack = desk.tables.load(desk.open(ANNA, BERT)).game.variant.pack()
    game = desk.open(ANNA, BERT, setup=Setup(1, (100, -50), (pack,)))
    table = desk.tables.load(game)
    assert not table.game.fair
    assert table.game.scores() == (100, -50)
    assert table.game.to_act() == 0
    assert desk.tables.commits(game, 3)[0].command.pack == pack


def test_every_version_can_be_looked_at(desk: Desk) -> None:
    game = desk.open(ANNA, Chair("human"))
    desk.tables.act(game, "anna", lambda seat: SetNonce(seat, "luck"))
    desk.tables.join(game, "bert")
    assert replay.at(desk.tables.commits(game, 1), 1).nonces == (None, None)
    assert replay.at(desk.tables.commits(game, 1), 2).nonces == ("luck", None)
    assert replay.at(desk.tables.commits(game, 1), 3).chairs[1] == BERT
    with pytest.raises(ValueError, match="no version 99"):
        replay.at(desk.tables.commits(game, 1), 99)
    with pytest.raises(ValueError, match="no version 0"):
        replay.at(desk.tables.commits(game, 1), 0)


def test_versions_must_run_without_gaps(desk: Desk) -> None:
    commits = desk.tables.commits(desk.open(ANNA, BERT), 1)
    with pytest.raises(ValueError, match="commit 3 stands where 2 belongs"):
        replay.fold([commits[0], commits[2]])
    with pytest.raises(ValueError, match="at least one commit"):
        replay.fold([])


def test_entries_keep_names_and_keys_out_of_the_line(desk: Desk) -> None:
    game = desk.open(ANNA, BERT)
    mover = ("anna", "bert")[desk.tables.load(game).game.to_act() or 0]
    desk.tables.act(game, mover, draw, key="my-key", digest="my-digest")
    entry: Entry = desk.store.read(game, 4).entries[0]
    assert entry.meta.key == "my-key"
    assert b"my-key" not in entry.line
    assert b"my-digest" not in entry.line
    secret = desk.tables.load(game).secret.hex().encode()
    assert all(secret not in entry.line for entry in desk.store.read(game).entries)


def test_a_seat_given_up_in_turn_is_called_for_at_once() -> None:
    desk = Desk()
    carl = Chair("human", None, "carl")
    game = desk.open(ANNA, BERT, carl, variant="samba")
    seat = desk.tables.load(game).game.to_act()
    assert seat is not None
    answer = desk.tables.act(game, ("anna", "bert", "carl")[seat], Resign)
    assert answer.table.waits_for_computer()
    assert desk.calls == [(game, answer.version, 0)]


class Deaf(MemoryStore):
    """A store in which nobody can follow on the first entry."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def append(self, game: str, entry: Entry, prev: str) -> None:
        self.asked += 1
        if entry.version > 1:
            raise Conflict(game)
        super().append(game, entry, prev)


def test_where_nothing_moves_the_house_does_not_try_for_ever() -> None:
    store = Deaf()
    with pytest.raises(GameFaulted):
        Desk(store).open(ROBOT, ROBOT)
    assert store.asked < 5
    (game,) = store.rebuild()
    for use in (
        lambda: Desk(store).tables.act(game, "anna", Resign),
        lambda: Desk(store).tables.tend(game, 5.0),
    ):
        with pytest.raises(GameFaulted):
            use()


def test_one_such_game_holds_up_no_sweep() -> None:
    store = Deaf()
    with pytest.raises(GameFaulted):
        Desk(store).open(ROBOT, ROBOT)
    sweep = Sweep(store, Desk(store).tables, 5.0)
    cared = []
    sweep._chill = lambda: cared.append(True)  # type: ignore[method-assign]
    sweep.once()
    assert cared


class Crowd(MemoryStore):
    """A store in which somebody else is always faster, and gives another command."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def append(self, game: str, entry: Entry, prev: str) -> None:
        self.asked += 1
        if entry.version > 1:
            commit = replace(
                codec.decode(entry.line), command=SetNonce(0, "x"), events=(NonceSet(0, "x"),)
            )
            super().append(game, entry_of(commit, entry.meta), prev)
            raise Conflict(game)
        super().append(game, entry, prev)


def test_where_others_are_always_faster_the_house_gives_up() -> None:
    store = Crowd()
    with pytest.raises(Moved):
        Desk(store).open(ROBOT, ROBOT)
    assert store.asked < 50
