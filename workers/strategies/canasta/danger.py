"""What a discard gives to the next player, who alone can take it while it is on top."""

from math import comb
from typing import Final

from service.rules.canasta.melds import BLACK_THREES, WILDS, growth_fault
from service.rules.canasta.state import Meld
from service.rules.cards import RANK, Card
from workers.strategies.canasta.sight import Sight

FEED: Final = 17.0  # points that each card of a pile is worth to the one who takes it
MELDED: Final = 40.0  # and the top, which comes down as a meld at once
MATCHED: Final = 0.7  # odds of a wild to go with a single match
CLOSED: Final = 0.5  # of the odds, while the next player's side has not melded
PASSED: Final = 0.6  # of the odds, where a card of the rank lies near the top: they let it lie
LENGTH: Final = 6.0  # of a card for a sequence of theirs, doubled with each card it has


def danger(sight: Sight, card: Card) -> float:
    """What discarding the card gives away on average, in points."""
    if card in WILDS or card in BLACK_THREES:
        return 0.0
    view = sight.view
    pile = (len(view.pile) + 1) * FEED + MELDED
    given = _odds(sight, card) * pile
    melds = view.melds[view.side(_next(sight))]
    return max([given, *(_grown(sight, meld, card, pile) for meld in melds)])


def _next(sight: Sight) -> int:
    return (sight.seat + 1) % sight.players


def _odds(sight: Sight, card: Card) -> float:
    """That the next player holds what takes the pile with this card on top."""
    view, variant = sight.view, sight.variant
    seat = _next(sight)
    alive, size = sight.rank_alive[RANK[card]], len(view.hands[seat])
    odds = _at_least(2, sight, alive, size)
    if variant.pickup != "pair" and not view.frozen(view.side(seat)):
        odds = max(odds, MATCHED * _at_least(1, sight, alive, size))
    if not view.melded(view.side(seat)):
        odds *= CLOSED
    if RANK[card] in {RANK[old] for old in view.pile[-4:]}:
        odds *= PASSED
    return odds


def _at_least(number: int, sight: Sight, alive: int, hand: int) -> float:
    """The odds that one or two of the copies alive are in a hand of so many unseen cards."""
    view = sight.view
    others = sum(len(cards) for seat, cards in enumerate(view.hands) if seat != sight.seat)
    unseen = len(view.stock) + others
    if alive < number or not hand:
        return 0.0
    ways = comb(unseen - alive, hand)
    if number == 2:
        ways += alive * comb(unseen - alive, hand - 1)
    return 1.0 - ways / comb(unseen, hand)


def _grown(sight: Sight, meld: Meld, card: Card, pile: float) -> float:
    """What a meld of theirs gains from the card as the pile's top, with no card from a hand."""
    view, variant = sight.view, sight.variant
    if meld.kind not in ("set", "seq") or growth_fault(variant, meld, (card,)):
        return 0.0
    if variant.top_onto_sequence and meld.kind == "seq":
        return LENGTH * 2.0 ** len(meld.cards) + 60.0
    if variant.pickup != "meld":
        return 0.0
    natural = not any(other in WILDS for other in meld.cards)
    return pile if natural or not view.frozen(view.side(_next(sight))) else 0.0
