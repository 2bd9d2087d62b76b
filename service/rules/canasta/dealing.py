"""Cards from the pack and from the stock (rules 3.2 to 3.4)."""

from collections import Counter
from collections.abc import Sequence

from service.rules.canasta.draft import Draft
from service.rules.canasta.events import CardsDrawn, RedThreesReplaced
from service.rules.canasta.melds import RED_THREES, WILDS
from service.rules.canasta.reasons import refuse
from service.rules.canasta.scoring import end_deal
from service.rules.cards import Card, arranged
from service.rules.deals import DealStarted
from service.rules.protocol import Seat


def deal(draft: Draft, pack: Sequence[Card]) -> None:
    """Deals the pack one card at a time from the dealer's left, then the upcard (3.2)."""
    state, variant, players = draft.state, draft.state.variant, draft.state.players
    if Counter(pack) != Counter(variant.pack()):
        raise refuse("wrong_pack")
    dealer = (state.dealer + 1) % players if state.deal else state.dealer
    order = [(dealer + step) % players for step in range(1, players + 1)]
    dealt = variant.hand_size[players] * players
    hands = [arranged(pack[order.index(seat) : dealt : players]) for seat in range(players)]
    stock = dealt + 1
    while pack[stock - 1] in WILDS or pack[stock - 1] in RED_THREES:
        stock += 1  # covered by the next card
    draft.emit(
        DealStarted(
            state.deal + 1,
            dealer,
            tuple(hands),
            tuple(pack[dealt:stock]),
            tuple(pack[stock:]),
            tuple(state.scores),
        )
    )
    for seat in order:
        red = tuple(card for card in hands[seat] if card in RED_THREES)
        if red:
            cards, met = _from_stock(draft.state.stock, len(red))
            draft.emit(RedThreesReplaced(seat, red + met, cards))


def draw(draft: Draft, seat: Seat) -> None:
    """Draws from the stock; red threes met on the way are laid down and count for none (3.4)."""
    state = draft.state
    if not state.stock:
        raise refuse("stock_empty")
    cards, met = _from_stock(state.stock, state.variant.draw[state.players])
    draft.emit(CardsDrawn(seat, cards, met))
    if not cards and state.variant.empty_stock == "ends":
        end_deal(draft, None)


def _from_stock(stock: Sequence[Card], need: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Up to `need` cards from the stock's top, and the red threes met before them."""
    cards: list[Card] = []
    red: list[Card] = []
    for card in stock:
        if len(cards) == need:
            break
        (red if card in RED_THREES else cards).append(card)
    return arranged(cards), tuple(red)
