"""What is told of random games: all of it, each thing once, and never a card."""

from random import Random

import pytest

from service.replay import Commit
from service.rules import GAMES, seating
from service.rules.canasta.commands import Draw
from service.rules.canasta.events import PartnerAnswered, PartnerAsked
from service.rules.protocol import HOUSE, Answer
from service.webhooks.news import KINDS, news
from tests.api.leaks import TABLES, cards_in, values
from tests.rules.test_clocks import table
from tests.webhooks.rig import Rig

STEPS = 60


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_all_turns_are_told_and_no_card(variant: str, seats: int) -> None:
    rig, luck = Rig(), Random(f"{variant} {seats}")
    players = [f"p{number}" for number in range(seats)]
    hooks = [rig.hook(player) for player in players]
    game = rig.open(*players, variant=variant)
    # Counted apart from the code under test: who is to act after each command, by the state.
    table = rig.tables.load(game)
    turns = [(table.game.to_act(), table.game.state and table.game.state.this_turn)]
    versions = [table.version]
    for step in range(STEPS):
        table = rig.turn(game, luck)
        if table.game.result:
            break
        now = table.game.to_act(), table.game.state and table.game.state.this_turn
        if now != turns[-1]:
            turns.append(now)
            versions.append(table.version)
        if step % 7 == 0:  # at some times late, at others early
            rig.run()
    rig.run()
    said = [one for hook in hooks for one in rig.said(hook)]
    if not table.game.result:
        rig.resign(game, players[0])
    rig.run()
    told = [one.short for one in said if one.message.kind in ("your_turn", "question")]
    assert sorted((version, seat) for _, seat, version in told) == sorted(
        (version, seat) for version, (seat, _) in zip(versions, turns, strict=True) if seat != HOUSE
    )
    asked = {(seat, turn and turn[0] != seat) for seat, turn in turns}
    assert {(one[1], one[0] == "question") for one in told} == asked
    for hook in hooks:
        kinds = [one.message.kind for one in rig.said(hook)]
        assert kinds.count("game_started") == 1
        # At a table of three a computer player goes on for who resigned.
        assert kinds.count("game_finished") == (seats != 3)
    # Nothing but what is meant to be there.
    pack = frozenset(table.game.variant.pack())
    said = [one for hook in hooks for one in rig.said(hook)]
    bodies = [one.body for one in said]
    assert cards_in(bodies, pack) == set()
    assert {key for body in bodies for key in body} == {"type", "timestamp", "data"}
    assert {key for body in bodies for key in body["data"]} == {
        "game", "variant", "version", "seat", "status", "url",
    }  # fmt: skip
    last = rig.tables.load(game)
    secrets = {last.secret.hex(), last.head, last.invite, *players}
    assert not secrets & set(values(bodies))
    assert all(len(one.message.body) < 400 for one in said)


def test_no_kind_is_named_like_a_ping() -> None:
    assert "ping" not in KINDS
    assert len(GAMES) > 1


def test_a_body_is_what_the_guide_says() -> None:
    rig = Rig()
    hook = rig.hook("anna")
    game = rig.open("anna", "bert")
    rig.run()
    started = rig.said(hook)[0]
    assert started.body["type"] == "game_started"
    assert started.body["timestamp"].endswith("Z")
    seat = rig.tables.load(game).seat_of("anna")
    assert started.body["data"] == {
        "game": game,
        "variant": "canasta",
        "version": started.body["data"]["version"],
        "seat": seat,
        "status": "playing",
        "url": f"https://cards.example/v1/games/{game}",
    }


def test_a_question_is_told_to_who_is_asked_and_its_answer_to_who_asked() -> None:
    game = table(None)
    given = (
        (Draw(1), seating.decide(game, Draw(1), 0)),
        (Draw(1), (PartnerAsked(1, None),)),
        (Answer(3, "no"), (PartnerAnswered(3, "no"),)),
    )
    commits = [Commit(number, "", "", 9, *one) for number, one in enumerate(given, 5)]
    found = [[(one.kind, one.seat, one.version) for one in told] for told in news(game, commits)]
    assert found == [[], [("question", 3, 6)], [("your_turn", 1, 7)]]
    assert game.to_act() == 1  # what was given is left alone
