"""Told from the log alone: whatever is lost or killed in between, each thing is told, once."""

from random import Random
from typing import Any

import pytest

from service import archive
from service.rules.seating.commands import Chair, OfferSeats
from service.store import StoreUnavailable
from tests.webhooks.rig import Rig


@pytest.fixture
def rig() -> Rig:
    return Rig()


def away(*_: Any) -> Any:
    raise StoreUnavailable("away")


def later(rig: Rig, seconds: float = 6.0) -> None:
    """Lets time pass, and the sweep come by."""
    rig.now += round(seconds * 1000)
    rig.sweep.once()
    rig.run()


def kinds(rig: Rig, hook: Any) -> list[str]:
    return [one.message.kind for one in rig.said(hook)]


def test_who_asked_for_it_is_told_and_called_for(rig: Rig) -> None:
    anna, bert = rig.hook("anna"), rig.hook("bert", ("game_finished",))
    game = rig.open("anna", "bert")
    rig.resign(game, "anna")
    rig.run()
    assert kinds(rig, anna)[0] == "game_started"
    assert kinds(rig, anna)[-1] == "game_finished"
    assert kinds(rig, bert) == ["game_finished"]
    assert set(rig.sends) == {anna.id, bert.id}
    assert rig.keepers.told.watched(10) == []


def test_two_hooks_of_one_player_are_told_apart(rig: Rig) -> None:
    hooks = [rig.hook("anna"), rig.hook("anna")]
    rig.open("anna", "bert")
    rig.run()
    one, two = (rig.said(hook)[0] for hook in hooks)
    assert one.body == two.body
    assert one.message.id != two.message.id  # a receiver of both would else drop one


def test_what_happened_before_is_not_told(rig: Rig) -> None:
    game = rig.open("anna", "bert")
    rig.now += 1
    hook = rig.hook("anna")
    rig.resign(game, "bert")
    rig.run()
    assert kinds(rig, hook) == ["game_finished"]


def test_nor_what_happened_while_it_was_off(rig: Rig) -> None:
    hook = rig.hook("anna")
    rig.webhooks.change(hook, None, None, None, enabled=False)
    game = rig.open("anna", "bert")
    rig.run()
    rig.now += 1
    rig.webhooks.change(rig.look(hook), None, None, None, enabled=True)
    rig.resign(game, "anna")
    rig.run()
    assert kinds(rig, hook) == ["game_finished"]


def test_killed_between_the_append_and_the_call(rig: Rig) -> None:
    hook = rig.hook("anna")
    rig.herald._tell = away  # nobody hears of the game's moves
    game = rig.open("anna", "bert")
    rig.herald._tell = rig.tell
    assert rig.said(hook) == []
    rig.sweep.once()
    assert rig.tells == []  # it may come yet
    later(rig)
    assert "game_started" in kinds(rig, hook)
    later(rig)
    later(rig)
    assert rig.tells == []
    assert len({one.message.id for one in rig.said(hook)}) == len(rig.said(hook))
    assert rig.keepers.told.told(game) == rig.tables.load(game).version


def test_the_end_is_told_though_the_call_was_lost(rig: Rig) -> None:
    hook = rig.hook("anna")
    game = rig.open("anna", "bert")
    rig.run()
    rig.herald._tell = away
    rig.resign(game, "bert")
    assert list(rig.store.unfinished()) == []  # the sweep would not look at it any more
    later(rig)
    assert kinds(rig, hook)[-1] == "game_finished"
    assert rig.keepers.told.watched(10) == []


def test_the_end_is_told_to_who_made_a_hook_just_now(rig: Rig) -> None:
    """Another process made it, so this one remembers that there is none."""
    game = rig.open("anna", "bert")
    rig.now += 1
    learn = rig.webhooks._learn
    rig.webhooks._learn = lambda _: None
    hook = rig.hook("anna")
    rig.webhooks._learn = learn
    rig.resign(game, "bert")
    assert rig.tells == []
    later(rig)
    assert kinds(rig, hook) == ["game_finished"]


def test_a_game_stays_in_the_lists_while_its_end_cannot_be_noted(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = rig.hook("anna")
    game = rig.open("anna", "bert")
    rig.run()
    with monkeypatch.context() as patch:
        patch.setattr(rig.keepers.told, "watch", away)
        with pytest.raises(StoreUnavailable):
            rig.resign(game, "bert")
        rig.tells.clear()
    assert rig.tables.load(game).game.result
    assert list(rig.store.unfinished()) == [game]
    later(rig)
    assert list(rig.store.unfinished()) == []
    later(rig)
    assert kinds(rig, hook).count("game_finished") == 1


def test_cut_short_before_it_is_noted(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = rig.hook("anna")
    game = rig.open("anna", "bert")
    rig.tells.clear()
    with monkeypatch.context() as patch:
        patch.setattr(rig.keepers.told, "tell", away)
        with pytest.raises(StoreUnavailable):
            rig.teller.tell(game)
    before = [one.message for one in rig.said(hook)]
    assert before
    rig.teller.tell(game)
    assert [one.message for one in rig.said(hook)] == before


def test_two_tellers_come_to_the_same(rig: Rig) -> None:
    hook = rig.hook("anna")
    game = rig.open("anna", "bert")
    rig.teller.tell(game)
    before = rig.said(hook)
    rig.keepers.told._told.clear()  # type: ignore[attr-defined]  # as the other one had begun
    assert rig.teller.tell(game) == 0
    assert rig.said(hook) == before


def test_what_is_remembered_is_only_thrift(rig: Rig) -> None:
    """A teller that forgets everything after each game comes to the same messages."""
    hook, luck = rig.hook("anna"), Random(3)
    game = rig.open("anna", "bert", variant="bolivia")
    for _ in range(30):
        rig.turn(game, luck)
        rig.teller._games.clear()
        rig.tables.forget()
        rig.run()
    told = [one.short for one in rig.said(hook)]
    other = Rig()
    other.store, other.tables = rig.store, rig.tables
    other.teller._tables = rig.tables
    other.now = rig.now
    other.keepers.hooks._shared.hooks[hook.id] = rig.look(hook)  # type: ignore[attr-defined]
    other.teller.tell(game)
    assert [one.message.id for one in other.said(hook)] == [
        one.message.id for one in rig.said(hook)
    ]
    assert [one.short for one in other.said(hook)] == told


def test_a_turn_after_a_computers_is_told(rig: Rig) -> None:
    hook, luck = rig.hook("anna", ("your_turn",)), Random(1)
    game = rig.open("anna", computers=1)
    turns = 0
    for _ in range(30):
        before = rig.tables.load(game).game.to_act()
        table = rig.turn(game, luck)
        turns += table.game.to_act() == 0 and before == 1
        rig.run()
    told = len(rig.said(hook))
    assert turns > 0
    assert told in (turns, turns + 1)  # the first one may be the opener's


def test_a_rematch_is_told_to_those_for_whom_a_place_is_kept(rig: Rig) -> None:
    anna, bert = rig.hook("anna"), rig.hook("bert")
    table = rig.tables.load(rig.open_table("anna", 2))
    rig.tables.offer(table, OfferSeats("former", ("anna", "bert")))
    rig.run()
    assert kinds(rig, bert) == ["rematch"]
    assert kinds(rig, anna) == []
    (offer,) = (one for one in rig.said(bert) if one.message.kind == "rematch")
    assert (offer.body["data"]["seat"], offer.body["data"]["status"]) == (1, "waiting")


def test_most_games_cost_a_look_now_and_then(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Any] = []

    def subscribed(players: Any) -> set[str]:
        looks.append(players)
        return set()

    monkeypatch.setattr(rig.keepers.hooks, "subscribed", subscribed)
    game, luck = rig.open("anna", "bert"), Random(1)
    for _ in range(30):
        rig.turn(game, luck)
    assert len(looks) <= 2
    assert rig.tells == []


def test_the_herald_never_fails_and_is_quiet_after_a_failure(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook, luck = rig.hook("anna"), Random(1)
    game = rig.open("anna", "bert")
    rig.run()
    calls: list[Any] = []

    def fails(*words: Any) -> None:
        calls.append(words)
        raise TimeoutError

    rig.herald._tell = fails
    for _ in range(20):
        rig.turn(game, luck)
    assert len(calls) == 1  # no command waits for a queue that is away
    rig.sweep.once()
    rig.herald._tell = rig.tell
    later(rig)
    turns = [one for one in rig.said(hook) if one.message.kind == "your_turn"]
    assert len(turns) > 2


def test_old_news_are_no_news(rig: Rig) -> None:
    """Messages are forgotten after a week, and must not be made a second time."""
    hook = rig.hook("anna")
    game = rig.open("anna", "bert")
    rig.tells.clear()
    rig.now += 8 * 86_400_000
    rig.teller.tell(game)
    assert rig.said(hook) == []
    assert rig.keepers.told.told(game) == rig.tables.load(game).version


def test_a_game_that_is_not_there_is_watched_no_longer(rig: Rig) -> None:
    rig.keepers.told.watch("nothing")
    rig.sweep.once()
    assert rig.keepers.told.watched(10) == []


def test_a_game_that_cannot_be_told_of_stops_no_other(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hook = rig.hook("anna")
    games = [rig.open("anna", "bert") for _ in range(2)]
    for game in games:
        rig.resign(game, "anna")
    rig.tells.clear()
    load = rig.tables.load

    def damaged(game: str) -> Any:
        if game == games[0]:
            raise KeyError("10h")
        return load(game)

    with monkeypatch.context() as patch:
        patch.setattr(rig.tables, "load", damaged)
        for _ in range(3):
            rig.sweep.once()
    assert {one.message.game for one in rig.said(hook)} == {games[1]}
    assert caplog.text.count("cannot be told of") == 1
    assert "10h" not in caplog.text
    rig.sweep.once()
    assert {one.message.game for one in rig.said(hook)} == set(games)


def test_what_was_planted_is_told_as_it_stands_and_no_more(rig: Rig) -> None:
    luck = Random(1)
    old = rig.open("anna", "bert")
    for _ in range(12):
        rig.turn(old, luck)
    version = rig.tables.load(old).version
    rig.resign(old, "anna")
    rig.now += 1
    hook = rig.hook("anna")
    chairs = (Chair("human", None, "anna"), Chair("human", None, "anna2"))
    moment = archive.scene(old, rig.tables.commits(old, 1), version)
    answer = archive.play_on(rig.store, rig.tables, "anna", moment, chairs, "private")
    rig.run()
    told = [one.short for one in rig.said(hook)]
    assert len(told) <= 1
    assert all(number == answer.version for _, _, number in told)
