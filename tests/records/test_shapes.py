"""No shape in a log, no shuffle and no rule changes without a new version beside it."""

from collections.abc import Callable
from dataclasses import dataclass, fields, make_dataclass, replace
from typing import Any, cast

import msgspec
import pytest

from service import fairness, record, rules
from service.rules import canasta
from service.rules.canasta.events import CardDiscarded
from service.rules.canasta.variants import CANASTA
from service.rules.seating.commands import OpenGame
from service.store import codec, decided, past
from tests.records.corpus import RECORDS
from tests.records.shapes import KEPT, Blocks, deals, editions, faults, kept, made, shapes, told
from tests.rules.tables import TABLES

TEXT = KEPT.read_text(encoding="utf-8")
Plant = Callable[[pytest.MonkeyPatch], None]


def test_no_shape_and_no_shuffle_is_another_one() -> None:
    before = {name: block for name, block in kept(TEXT).items() if not name.startswith("rules")}
    found = faults(before, {**shapes(), **deals()})
    assert not found, "\n\n".join(found)
    assert told(kept(TEXT)) == TEXT


@pytest.mark.slow
def test_no_rule_is_another_one() -> None:
    found = faults(kept(TEXT), made())
    assert not found, "\n\n".join(found)


def test_every_older_shape_is_of_todays_commands_and_events_and_in_a_golden_record() -> None:
    lines = b"".join(path.read_bytes() for path in RECORDS)
    named = {**codec.COMMAND_SHAPES, **codec.EVENT_SHAPES}
    for today, older in past.PAST.items():
        assert codec.WIRE_NAMES[today]
        for name in (name for name, cls in named.items() if cls in older):
            assert b'{"type":"%s",' % name.encode() in lines, name


def changed(cls: type, name: str, kind: Any) -> type:
    """A class like that one, with one field of another type."""
    listed = [(each.name, kind if each.name == name else each.type) for each in fields(cls)]
    return make_dataclass(cls.__name__, listed, frozen=True)


@dataclass
class Stool:
    """A chair with less to say."""

    kind: str


def other_field(patch: pytest.MonkeyPatch) -> None:
    more = make_dataclass("CardDiscarded", [("why", str)], bases=(CardDiscarded,), frozen=True)
    patch.setitem(codec.EVENT_SHAPES, "card_discarded", more)


def other_order(patch: pytest.MonkeyPatch) -> None:
    turned = make_dataclass("CardDiscarded", [("card", str), ("seat", int)], frozen=True)
    patch.setitem(codec.EVENT_SHAPES, "card_discarded", turned)


def other_type(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(codec.EVENT_SHAPES, "card_discarded", changed(CardDiscarded, "card", int))


def nested(patch: pytest.MonkeyPatch) -> None:
    stools = changed(OpenGame, "chairs", tuple[Stool, ...])
    patch.setitem(codec.COMMAND_SHAPES, "open_game@2", stools)


def forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.delitem(codec.EVENT_SHAPES, "game_opened")


def decision(patch: pytest.MonkeyPatch) -> None:
    more = msgspec.defstruct("ChosenLine", [("level", str)])
    patch.setitem(cast(Any, decided.SHAPES), "chosen", more)


def outer_line(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("tests.records.shapes._OUTER", (msgspec.defstruct("Header", [("format", str)]),))


def outer_format(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(record, "FORMAT", "tapete-record-2")


def shuffle(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fairness, "pack", lambda secret, nonces, deal, cards: tuple(sorted(cards)))


def dealer(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fairness, "first_dealer", lambda secret, nonces, seats: 0)


def rule(patch: pytest.MonkeyPatch) -> None:
    variants: Any = canasta.VARIANTS
    patch.setitem(variants, "canasta", replace(CANASTA, going_out=105))


def forgotten_rule(patch: pytest.MonkeyPatch) -> None:
    variants: Any = canasta.VARIANTS
    patch.setitem(variants, "canasta", replace(CANASTA, going_out=105, rules_version=2))


def now(kind: str) -> Blocks:
    """The blocks of one kind as they would be made now; of the rules those of canasta alone."""
    if kind == "rules":
        variant: Any = canasta.VARIANTS["canasta"]
        return editions(
            [replace(each, variant=variant) for each in TABLES if str(each) == "canasta-2"]
        )
    return deals() if kind == "deals" else shapes()


def then(kind: str) -> Blocks:
    """The same as they are kept."""
    kinds = {"rules": ("rules canasta",), "deals": ("deals",)}.get(
        kind, ("command", "event", "decision", "record")
    )
    return {name: block for name, block in kept(TEXT).items() if name.startswith(kinds)}


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("kind", "plant", "words"),
    [
        ("shapes", other_field, ("The event card_discarded stands", "past.py", "+ why: str")),
        ("shapes", other_order, ("The event card_discarded", "another order")),
        ("shapes", other_type, ("The event card_discarded", "- card: str", "+ card: int")),
        (
            "shapes",
            nested,
            ("The command open_game@2", '- chairs: [{kind: "human', "+ chairs: [{kind: str}"),
        ),
        ("shapes", forgotten, ("The event game_opened stands", "it is gone")),
        ("shapes", decision, ("The decision chosen stands", "decided.py", "- samples: int")),
        ("shapes", outer_line, ("The lines of tapete-record-1 header", "another FORMAT")),
        ("shapes", outer_format, ("The lines of tapete-record-1 footer", "it is gone")),
        ("deals", shuffle, ("hmac-sha256-fisher-yates-1 deals", "- 48 cards", "another name")),
        ("deals", dealer, ("hmac-sha256-fisher-yates-1 deals", "- first dealers")),
        ("rules", rule, ("The rules canasta 1 play", "rules_version", "- 4 players, 354")),
        ("rules", forgotten_rule, ("The rules canasta 1 play", "PAST", "it is gone")),
    ],
)
def test_a_change_is_found_and_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch, kind: str, plant: Plant, words: tuple[str, ...]
) -> None:
    assert not faults(then(kind), now(kind))
    plant(monkeypatch)
    found = "\n".join(faults(then(kind), now(kind)))
    for word in (*words, "CONTRIBUTING.md"):
        assert word in found


def test_a_new_shape_beside_the_old_one_is_only_added(monkeypatch: pytest.MonkeyPatch) -> None:
    next_one = changed(CardDiscarded, "card", int)
    monkeypatch.setitem(codec.EVENT_SHAPES, "card_discarded@2", next_one)
    (found,) = faults(then("shapes"), now("shapes"))
    assert found.startswith("event card_discarded@2 is new: `.venv/bin/python -m tests.records")


@pytest.mark.slow
def test_a_new_edition_beside_the_old_one_is_only_added(monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten_rule(monkeypatch)
    monkeypatch.setattr(rules, "PAST", ((canasta, CANASTA),))
    (found,) = faults(then("rules"), now("rules"))
    assert found.startswith("rules canasta 2 is new")
