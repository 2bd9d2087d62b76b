"""What happens in every game's deals: the cards are dealt, and in the end they are counted.

Shared, so that a client reads the start of a deal and a score sheet the same way in all games.
"""

from dataclasses import dataclass, field
from typing import Any

from service.rules.cards import Card
from service.rules.protocol import Seat


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Cards were dealt: all that a deal needs to be read from here.

    `hands` (hidden but one's own) are as dealt; `pile` is from its bottom, `stock` (hidden)
    from its top, both empty in games without; `scores` are those before the deal, one a side.
    """

    deal: int
    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    pile: tuple[Card, ...]
    stock: tuple[Card, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score sheet; `detail` is a few words of why.

    `parts` add up to the points, by seat or by kind, where a line is made of several.
    """

    name: str
    points: int
    detail: str
    parts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's deal: `lines` that add up to `total`."""

    lines: tuple[Line, ...]
    total: int


@dataclass(frozen=True, slots=True)
class DealScored:
    """The deal is over: one sheet a side, and the new scores. `why` names what ended it."""

    deal: int
    why: str
    sides: tuple[SideScore, ...]
    scores: tuple[int, ...]


def sheet(scored: DealScored | None) -> dict[str, Any] | None:
    """The score sheet as the wire's `last_deal`; None before the first deal is scored."""
    if scored is None:
        return None
    return {
        "deal": scored.deal,
        "why": scored.why,
        "sides": [
            {"lines": [_line(line) for line in side.lines], "total": side.total}
            for side in scored.sides
        ],
    }


def _line(line: Line) -> dict[str, Any]:
    """By hand: `asdict` copies deeply, and this stands in every view of the next deal."""
    return {
        "name": line.name,
        "points": line.points,
        "detail": line.detail,
        "parts": dict(line.parts),
    }
