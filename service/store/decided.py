"""The `decision` of a record line: how a computer player came to the line's command.

    "decision":{"type":"chosen","level":"club","strategy":"botifarra.club 2","budget":100,
                "samples":340,
                "candidates":[{"command":{"type":"play","seat":1,"card":"O9"},"tenths":35}]}
    "decision":{"type":"fell_back","level":"club","strategy":"botifarra.club 2","budget":100,
                "why":"crashed"}

The last field of a line; where nobody kept one it is left out. Its type names its shape, as those
of commands and events do: a later one is `chosen@2`, a class of its own here, and this one stays.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from msgspec import UNSET, Raw, Struct, UnsetType, json

from service.decision import Chosen, Decision, FellBack, Weighed


class Candidate(Struct, frozen=True, forbid_unknown_fields=True):
    """A command that was considered, as commands stand in a line."""

    command: Raw
    tenths: int


class ChosenLine(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="chosen"):
    """See `Chosen`."""

    level: str
    strategy: str
    budget: int
    samples: int
    candidates: list[Candidate]


class FellBackLine(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="fell_back"
):
    """See `FellBack`."""

    level: str
    strategy: str | None
    budget: int
    why: str


SHAPES: Final = {"chosen": ChosenLine, "fell_back": FellBackLine}
"""Type in a line -> its shape, old ones and today's."""


def write(decision: Decision | None, raw: Callable[[Any], Raw]) -> Raw | UnsetType:
    """The field of a line; `raw` writes a command."""
    match decision:
        case None:
            return UNSET
        case Chosen(level, strategy, budget, samples, candidates):
            weighed = [Candidate(raw(one.command), one.tenths) for one in candidates]
            line: Struct = ChosenLine(level, strategy, budget, samples, weighed)
        case FellBack(level, strategy, budget, why):
            line = FellBackLine(level, strategy, budget, why)
    return Raw(_ENCODER.encode(line))


def read(field: Raw | UnsetType, command: Callable[[Raw], Any]) -> Decision | None:
    """The decision of a field; `command` reads a command, in its shape.

    Raises:
        msgspec.DecodeError: it is none.
        Unreadable: whatever `command` raises.
    """
    if isinstance(field, UnsetType):
        return None
    line = _DECODER.decode(field)
    if isinstance(line, FellBackLine):
        return FellBack(line.level, line.strategy, line.budget, line.why)
    weighed = tuple(Weighed(command(one.command), one.tenths) for one in line.candidates)
    return Chosen(line.level, line.strategy, line.budget, line.samples, weighed)


def today(decision: Decision | None, newer: Callable[[Any], Any]) -> Decision | None:
    """The decision with its commands in the shape of today."""
    if not isinstance(decision, Chosen):
        return decision
    weighed = (Weighed(newer(one.command), one.tenths) for one in decision.candidates)
    return replace(decision, candidates=tuple(weighed))


_ENCODER: Final = json.Encoder()
_DECODER: Final = json.Decoder(ChosenLine | FellBackLine)
