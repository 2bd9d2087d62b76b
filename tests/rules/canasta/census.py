"""Where the cards of the canasta family lie, who may see them, and what a deal is worth."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from service.rules.canasta.events import WentOut
from service.rules.canasta.state import Meld, State
from service.rules.cards import Card

CANASTAS: Final = {"mixed": 300, "natural": 500, "seq": 1500, "wild": 2500}
VALUES: Final = {
    **{"JK": 50, "2": 20, "A": 20, "K": 10, "Q": 10, "J": 10, "10": 10, "9": 10, "8": 10},
    **dict.fromkeys("34567", 5),
}
"""2.1; red threes never lie in melds or hands when a deal ends."""


def cards(state: State) -> Iterable[Card]:
    """Every card of the deal, wherever it is."""
    yield from state.stock
    yield from state.pile
    for row in (*state.hands, *state.red_threes):
        yield from row
    for melds in state.melds:
        for meld in melds:
            yield from meld.cards


def hidden(state: State, seat: int | None) -> int:
    """The stock, and the other hands until the game is over (4.10)."""
    hands = sum(len(hand) for owner, hand in enumerate(state.hands) if owner != seat)
    return len(state.stock) + (0 if state.phase == "over" else hands)


def sheets(state: State, events: Sequence[Any]) -> list[dict[str, tuple[int, list[str]]]]:
    """Each side's deal, counted from the cards and written against the rules' text (6)."""
    out = next((event for event in events if isinstance(event, WentOut)), None)
    counted = [dict(_lines(state, side, out)) for side in range(len(state.scores))]
    assert all(points % 5 == 0 for sheet in counted for points, _ in sheet.values())
    return counted


def _lines(
    state: State, side: int, out: WentOut | None
) -> Iterator[tuple[str, tuple[int, list[str]]]]:
    variant, melds = state.variant.name, state.melds[side]
    seats = [seat for seat in range(state.players) if seat % len(state.scores) == side]

    laid = [card for meld in melds for card in meld.cards]
    yield "cards", (sum(map(_value, laid)), [f"{len(laid)} card"])

    worth = CANASTAS | ({"seq": 500} if variant == "bolivie" else {})
    kinds = Counter(kind for meld in melds if (kind := _canasta(meld)))
    words = [f"{number} {kind} at {worth[kind]}" for kind, number in kinds.items()]
    yield "canastas", (sum(worth[kind] for kind in kinds.elements()), words or ["none"])

    bonus, words = 0, ["did not go out"]
    if out and out.seat in seats:
        bonus = 200 if out.concealed or variant == "samba" else 100
        words = [f"seat {out.seat} went out", "concealed" if out.concealed else ""]
    yield "going_out", (bonus, words)

    red, decks = len(state.red_threes[side]), 3 if variant in ("samba", "bolivia") else 2
    points = red * 100 if red < 2 * decks else {2: 800, 3: 1000}[decks]
    need = 1 if variant == "canasta" and state.players > 2 else 2
    ready = kinds.total() >= need and (variant in ("canasta", "samba") or bool(kinds["seq"]))
    plus = {"canasta": bool(melds), "bolivie": True}.get(variant, ready)
    words = [f"{red} of {2 * decks}"] if red else ["none"]
    if red and variant != "bolivie":
        words.append("plus" if plus else "minus")
    yield "red_threes", (points if plus else -points, words)

    black = 100 if variant in ("bolivia", "bolivie") else 5
    left = {
        seat: sum(black if card in ("3c", "3s") else _value(card) for card in state.hands[seat])
        for seat in seats
    }
    words = [f"seat {seat}: {len(state.hands[seat])} card" for seat in seats]
    words += [f", {points}" for points in left.values()]
    yield "hands", (-sum(left.values()), words)


def _canasta(meld: Meld) -> str | None:
    if len(meld.cards) < 7 or meld.kind == "b3":
        return None
    if meld.kind == "seq":
        return "seq"
    wild = sum(card == "JK" or card[0] == "2" for card in meld.cards)
    if wild == len(meld.cards):
        return "wild"
    return "mixed" if wild else "natural"


def _value(card: Card) -> int:
    return VALUES[card if card == "JK" else card[:-1]]
