"""What a meld is (rules 3.7): kinds, shapes, canastas, values.

A fault is the code of a reason (`reasons.REASONS`), None where there is nothing to object to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from service.rules.canasta.events import CanastaKind, MeldKind
from service.rules.cards import JOKER, RANK, RANKS, SUITS, UNSEEN, Card

if TYPE_CHECKING:
    from service.rules.canasta.state import Meld
    from service.rules.canasta.variants import Variant

SMALLEST: Final = 3
"""No meld has fewer cards."""

CANASTA_SIZE: Final = 7
"""A meld of so many cards is a canasta, unless it is of black threes."""

WILDS: Final = frozenset({JOKER, *("2" + suit for suit in SUITS)})
RED_THREES: Final = frozenset({"3d", "3h"})
BLACK_THREES: Final = frozenset({"3c", "3s"})

POINTS: Final[dict[Card, int]] = {
    UNSEEN: 0,
    JOKER: 50,
    "3c": 5,
    "3s": 5,
    "3d": 0,
    "3h": 0,
    **dict.fromkeys((rank + suit for rank in ("2", "A") for suit in SUITS), 20),
    **dict.fromkeys((rank + suit for rank in ("8", "9", "10", *"JQK") for suit in SUITS), 10),
    **dict.fromkeys((rank + suit for rank in "4567" for suit in SUITS), 5),
}
"""The value of each card on the table (2.1); an unseen one counts nothing."""

_STEP: Final = {rank: step for step, rank in enumerate(RANKS)}


def points(cards: Iterable[Card]) -> int:
    """What the cards are worth on the table (2.1)."""
    return sum(POINTS[card] for card in cards)


def wilds(cards: Iterable[Card]) -> int:
    """How many of the cards are twos or jokers."""
    return sum(card in WILDS for card in cards)


def kind_of(cards: Sequence[Card]) -> MeldKind:
    """The kind that the cards must be meant as (3.7.10); they may still be misshapen."""
    if all(card in WILDS for card in cards):
        return "wild"
    if all(card in BLACK_THREES for card in cards):
        return "b3"
    if len({RANK[card] for card in cards if card not in WILDS}) == 1:
        return "set"
    return "seq"


def canasta_of(kind: MeldKind, cards: Sequence[Card]) -> CanastaKind | None:
    """Which canasta the meld is, None while it is none (1)."""
    if len(cards) < CANASTA_SIZE or kind == "b3":
        return None
    if kind == "set":
        return "mixed" if wilds(cards) else "natural"
    return kind


def requirement_met(variant: Variant, players: int, melds: Iterable[Meld]) -> bool:
    """Whether a side with these melds may have a player go out (3.9.2)."""
    canastas = [meld.kind for meld in melds if canasta_of(meld.kind, meld.cards)]
    enough = len(canastas) >= variant.canastas_to_go_out[players]
    return enough and ("seq" in canastas or not variant.sequence_to_go_out)


def new_fault(
    variant: Variant, melds: Iterable[Meld], cards: Sequence[Card], kind: MeldKind | None = None
) -> str | None:
    """Why the cards may not become a new meld beside the side's `melds`.

    `kind` is what they are judged as; without it they are what `kind_of` makes of them.
    """
    kind = kind or kind_of(cards)
    fault = meld_fault(variant, cards, kind)
    if fault or not variant.one_meld_per_rank or same_rank(melds, kind, cards) is None:
        return fault
    return "rank_already_melded"


def meld_fault(variant: Variant, cards: Sequence[Card], kind: MeldKind) -> str | None:
    """Why the cards are no new meld of that kind by themselves (4.4)."""
    if any(card in RED_THREES for card in cards):
        return "red_three_not_meldable"
    if kind != "b3" and any(card in BLACK_THREES for card in cards):
        return "black_threes_stand_alone"
    if kind == "wild" and kind not in variant.largest:
        return "wild_meld_not_allowed"
    if kind not in variant.largest:
        return "mixed_ranks"
    return _shape_fault(variant, cards, kind)


def growth_fault(variant: Variant, meld: Meld, cards: Sequence[Card]) -> str | None:
    """Why the cards may not join the meld (4.4)."""
    if len(meld.cards) == variant.largest[meld.kind]:
        return "meld_full"
    if meld.kind == "wild" and wilds(cards) < len(cards):
        return "wild_meld_takes_only_wilds"
    if any(RANK[card] == "3" for card in cards):
        return "three_cannot_extend"
    if meld.kind == "b3":
        return "black_threes_stand_alone"
    return _shape_fault(variant, (*meld.cards, *cards), meld.kind)


def same_rank(melds: Iterable[Meld], kind: MeldKind, cards: Sequence[Card]) -> Meld | None:
    """The set among `melds` of the cards' rank, or the wild meld for a wild one."""
    if kind not in ("set", "wild"):
        return None
    rank = natural_rank(cards)
    for meld in melds:
        if meld.kind == kind and natural_rank(meld.cards) == rank:
            return meld
    return None


def natural_rank(cards: Iterable[Card]) -> str | None:
    """The rank of the first natural among the cards, None where all are wild."""
    return next((RANK[card] for card in cards if card not in WILDS), None)


def _shape_fault(variant: Variant, cards: Sequence[Card], kind: MeldKind) -> str | None:
    if kind == "set":
        return _set_fault(variant, cards)
    if kind == "seq":
        return _sequence_fault(variant, cards)
    if len(cards) < SMALLEST:
        return "meld_too_small"
    limit = variant.largest[kind]
    if limit is not None and len(cards) > limit:
        return "meld_too_large" if kind == "b3" else "meld_full"
    return None


def _set_fault(variant: Variant, cards: Sequence[Card]) -> str | None:
    wild = wilds(cards)
    if len({RANK[card] for card in cards if card not in WILDS}) > 1:
        return "mixed_ranks"
    if len(cards) < SMALLEST:
        return "meld_too_small"
    if wild >= len(variant.naturals_for_wilds):
        return "too_many_wilds"
    if len(cards) - wild < variant.naturals_for_wilds[wild]:
        return "not_enough_naturals"
    return None


def _sequence_fault(variant: Variant, cards: Sequence[Card]) -> str | None:
    if wilds(cards):
        return "sequence_has_wild"
    if len({card[-1] for card in cards}) > 1:
        return "sequence_mixed_suits"
    if len(cards) < SMALLEST:
        return "meld_too_small"
    limit = variant.largest["seq"]
    if limit is not None and len(cards) > limit:
        return "meld_full"
    steps = sorted(_STEP[RANK[card]] for card in cards)
    if steps != list(range(steps[0], steps[0] + len(steps))):
        return "sequence_gap"
    return None
