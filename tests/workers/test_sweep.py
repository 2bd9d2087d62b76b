"""The sweep finds whatever was left standing, and nothing stops it."""

import logging
from collections.abc import Iterator

import pytest

from service import replay
from service.calls import Behind
from service.rules.protocol import HOUSE
from service.rules.seating.commands import Chair
from service.store import Entry, StoreUnavailable
from service.store.memory import MemoryStore
from tests.clock import tick
from tests.workers.desk import CASUAL, PERSON, Desk
from workers.sweep import Sweep, resuming


def sweep(desk: Desk, store: MemoryStore | None = None) -> Sweep:
    return Sweep(store or desk.store, desk.tables, patience=5.0)


def test_a_lost_turn_is_called_again_once_it_is_late() -> None:
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    desk.now = opened.changed + 4_900
    sweep(desk).once()
    assert desk.calls == []
    desk.now = opened.changed + 5_100
    sweep(desk).once()
    [(game, version, again)] = desk.calls
    assert (game, version) == (opened.id, opened.version)
    assert again > 0  # a name of its own: the first job may be there still, and dead


def test_whoever_waits_in_a_queue_that_is_behind_is_not_called_again() -> None:
    desk = Desk()
    alone = desk.open(CASUAL, CASUAL)
    beside = desk.beside_people(CASUAL, PERSON)
    desk.calls.clear()
    behind = {True: 0.0, False: 60.0}
    late = Sweep(desk.store, desk.tables, 5.0, behind=lambda: behind)
    desk.now = beside.changed + 6_000
    late.once()
    assert [call[0] for call in desk.calls] == [beside.id]
    desk.calls.clear()
    desk.now = alone.changed + 66_000
    late.once()
    assert alone.id in {call[0] for call in desk.calls}


def test_who_was_called_again_waits_in_the_queue_as_others_do() -> None:
    """After the queue was emptied, say: all turns are old then, and their calls are new."""
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    behind = {True: 0.0, False: 0.0}
    late = Sweep(desk.store, desk.tables, 5.0, behind=lambda: behind)
    desk.now = opened.changed + 100_000
    late.once()
    assert len(desk.calls) == 1
    for seconds in range(2, 60, 2):  # the first call waits at the head of the queue
        behind[False] = seconds
        desk.now += 2_000
        late._looked = 0.0
        late.once()
    assert len(desk.calls) == 1
    behind[False] = 0.0  # and is gone, with nothing done
    late._looked = 0.0
    late.once()
    assert len(desk.calls) == 2


def test_a_queue_that_cannot_be_looked_at_stops_no_sweep() -> None:
    def away() -> Behind:
        raise ConnectionError("no queue")

    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    desk.now = opened.changed + 6_000
    Sweep(desk.store, desk.tables, 5.0, behind=away).once()
    assert [call[0] for call in desk.calls] == [opened.id]


def test_a_turn_whose_worker_was_not_heard_of_is_called_for_at_once() -> None:
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    assert desk.turns.begin(opened.id, opened.version, 1.0)
    duties = [resuming(desk.tables, desk.turns)]
    late = Sweep(desk.store, desk.tables, 60.0, duties=duties)
    late.once()
    assert desk.calls == []
    desk.now += 1_001
    late.once()
    late.once()
    assert desk.calls == [(opened.id, opened.version, -1)]


def test_a_game_goes_on_to_its_end_by_the_sweep_alone() -> None:
    """Every call is lost, all the time."""
    desk = Desk()
    game = desk.open(CASUAL, CASUAL, variant="canasta").id
    while not desk.load(game).over:
        before = desk.load(game).version
        desk.calls.clear()
        desk.now += 6_000
        sweep(desk).once()
        desk.turn(*desk.calls.pop()[:2])
        assert desk.load(game).version > before


class Dying(MemoryStore):
    """A store whose writer is killed before it writes that version."""

    deadly = 0

    def append(self, game: str, entry: Entry, prev: str) -> None:
        if entry.version == self.deadly:
            raise KeyboardInterrupt
        super().append(game, entry, prev)


@pytest.mark.parametrize("deadly", [2, 3])
def test_the_house_does_what_a_killed_process_left_undone(deadly: int) -> None:
    store = Dying()
    store.deadly = deadly  # the start of the game; the first deal
    with pytest.raises(KeyboardInterrupt):
        Desk(store).open(CASUAL, CASUAL)
    [game] = store.unfinished()
    store.deadly = 0
    later = Desk(store)
    sweep(later).once()
    assert later.load(game).game.to_act() in (0, 1)
    assert later.calls == [(game, 3, 0)]


def test_the_house_deals_when_only_the_end_of_a_deal_was_kept() -> None:
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL, variant="canasta")
    while desk.load(opened.id).game.state.deal < 2:  # type: ignore[union-attr]
        desk.turn(*desk.calls.pop()[:2])
    later = Desk(_cut_before_the_second_deal(desk.store, opened.id))
    cut = later.load(opened.id)
    assert cut.game.to_act() == HOUSE
    sweep(later).once()
    assert (
        later.load(opened.id).game.state
        == replay.at(desk.tables.commits(opened.id, 1), cut.version + 1).state
    )
    assert later.calls == [(opened.id, cut.version + 1, 0)]


def _cut_before_the_second_deal(store: MemoryStore, game: str) -> MemoryStore:
    copy = MemoryStore()
    for listing in store.listed("playing", None, None, 10):
        copy.mark(listing, "playing", True, ())
    before = ""
    dealt = 0
    for entry in store.read(game).entries:
        dealt += b"deal_started" in entry.line
        if dealt == 2:
            break
        copy.append(game, entry, before)
        before = entry.hash
    return copy


class Hidden(MemoryStore):
    """A store that lost its lists."""

    def lose_lists(self) -> None:
        self._lists.clear()


def test_games_in_no_list_are_found_again() -> None:
    store = Hidden()
    desk = Desk(store)
    waiting = desk.open(CASUAL, Chair("human"), Chair("human")).id
    playing = desk.open(CASUAL, CASUAL).id
    store.lose_lists()
    assert not list(store.unfinished())
    late = Desk(store)
    sweep(late).once()
    assert set(store.unfinished()) == {waiting, playing}


class Faulty(MemoryStore):
    """A store in which one game's log cannot be read."""

    broken = ""

    def read(self, game: str, start: int = 1, end: int | None = None):  # type: ignore[no-untyped-def]
        if game == self.broken:
            raise KeyError("10h")
        return super().read(game, start, end)


def test_one_game_s_fault_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    store = Faulty()
    desk = Desk(store)
    games = [desk.open(CASUAL, CASUAL).id for _ in range(3)]
    store.broken = games[0]
    desk.calls.clear()
    late = Sweep(store, desk.tables, patience=0.0001)
    tick()
    with caplog.at_level(logging.INFO):
        late.once()
        late.once()
    assert {game for game, _, _ in desk.calls} == set(games[1:])
    assert len(caplog.records) == 1  # told once
    assert "10h" not in caplog.text


class Away(MemoryStore):
    """A store that may be away."""

    away = False

    def unfinished(self) -> Iterator[str]:
        if self.away:
            raise StoreUnavailable("no connection")
        return super().unfinished()


def test_an_outage_is_told_once_and_survived(caplog: pytest.LogCaptureFixture) -> None:
    store = Away()
    desk = Desk(store)
    opened = desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    late = Sweep(store, desk.tables, patience=0.0001)
    store.away = True
    tick()
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            late.once()
        store.away = False
        late.once()
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert desk.calls[0][:2] == (opened.id, opened.version)


def test_two_sweeps_at_once_deal_once() -> None:
    store = Dying()
    store.deadly = 3
    with pytest.raises(KeyboardInterrupt):
        Desk(store).open(CASUAL, CASUAL)
    store.deadly = 0
    [game] = store.unfinished()
    one, two = Desk(store), Desk(store)
    both = one.load(game), two.load(game)
    assert both[0].version == both[1].version == 2
    sweep(one).once()
    sweep(two).once()
    assert one.load(game).version == two.load(game).version == 3


def test_a_sweep_that_is_told_to_stop_stops() -> None:
    desk = Desk()
    desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    late = Sweep(desk.store, desk.tables, patience=0.0001)
    late.stop.set()
    late.run(pause=60.0)
    assert desk.calls == []
