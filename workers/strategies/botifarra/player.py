"""A player that takes a microsecond a card, and what it does to a deal.

It weighs each card: what the trick will bring by the odds that its side wins it, less what the card
could bring later. It looks at its own hand and at what everybody heard, never at another hand.
Everything is a whole number, so the compiled and the plain module choose the same: odds are in
256ths, what a card promises in 64ths of a point.

Over 250 lines, since its functions call each other for every card, which costs least within one
module.
"""

from typing import Final, final

from mypy_extensions import i64

from workers.strategies.botifarra.deal import COUNT, FULL, LOW, NONE, WORTH, Deal

HOLDS: Final = bytes(
    min(255, round(256 * (1 - (1 - 1 / max(able, 1)) ** cards)))
    for able in range(4)
    for cards in range(13)
)
"""That a seat holds one of so many cards (in 256ths) by `13 * able + cards`, where `able` seats may
hold them."""


@final
class Weights:
    """What the player weighs cards by, in 64ths of a point, odds in 256ths.

    Attributes:
        plain: odds that a card wins a trick some time, by how many higher are out (0 to 3).
        trump: the same for trumps.
        bare: the same for any card where there are no trumps.
        catch: what such a trick holds besides the card.
        lost: what is lost of each point of a card that wins nothing.
        keep: what any trump is worth.
        rank: what each rank adds, so that of two that are alike the lower goes first.
        ours, theirs: what a seat to come adds to a trick that its side wins, or loses.
        pull, pulled: what leading trumps brings while an opponent may have some: for each that
            the hand holds, and in any case.
        guard: what a low card is worth that covers a high one.
        ruff: what a hand with trumps gains by the last card of another suit leaving it.
        length, bare_length: what each card of the suit that is led adds, with trumps and without.
        single: what leading the only card of a suit brings to a hand with trumps.
        friend_void, foe_void: what leading a suit brings that the partner, or each opponent, has
            not and may ruff.
        top: what leading a card brings that no card of its suit beats.
        thin: what a plain card's odds lose for each card below six that is hidden of its suit.
        late: by how many 256ths of it a card brings more later for each card above six in the hand.
    """

    def __init__(self, given: list[int]) -> None:
        self.plain0: i64 = given[0]
        self.plain1: i64 = given[1]
        self.plain2: i64 = given[2]
        self.plain3: i64 = given[3]
        self.trump0: i64 = given[4]
        self.trump1: i64 = given[5]
        self.trump2: i64 = given[6]
        self.trump3: i64 = given[7]
        self.bare0: i64 = given[8]
        self.bare1: i64 = given[9]
        self.bare2: i64 = given[10]
        self.bare3: i64 = given[11]
        self.catch: i64 = given[12]
        self.lost: i64 = given[13]
        self.keep: i64 = given[14]
        self.rank: i64 = given[15]
        self.ours: i64 = given[16]
        self.theirs: i64 = given[17]
        self.pull: i64 = given[18]
        self.pulled: i64 = given[19]
        self.guard: i64 = given[20]
        self.ruff: i64 = given[21]
        self.length: i64 = given[22]
        self.bare_length: i64 = given[23]
        self.single: i64 = given[24]
        self.friend_void: i64 = given[25]
        self.foe_void: i64 = given[26]
        self.top: i64 = given[27]
        self.thin: i64 = given[28]
        self.late: i64 = given[29]

    def plain(self, higher: i64) -> i64:
        """Odds of a plain card."""
        if higher < 2:
            return self.plain1 if higher else self.plain0
        return self.plain2 if higher == 2 else self.plain3

    def trumped(self, higher: i64) -> i64:
        """Odds of a trump."""
        if higher < 2:
            return self.trump1 if higher else self.trump0
        return self.trump2 if higher == 2 else self.trump3

    def bare(self, higher: i64) -> i64:
        """Odds of a card where there are no trumps."""
        if higher < 2:
            return self.bare1 if higher else self.bare0
        return self.bare2 if higher == 2 else self.bare3


FITTED: Final = [
    92, 125, 68, 19, 266, 203, 155, 20, 243, 141, 64, 27, 121, 31, 159, 1, 12, -4, 12, -6, 20, 26,
    -11, 5, 5, 34, -29, -1, -1, 9,
]  # fmt: skip


def holds(deal: Deal, seat: i64, suit: i64, cards: i64) -> i64:
    """That the seat holds one of the hidden cards of one suit, as the seat to play sees it.

    `cards` are those of the suit, 12 bits.
    """
    shift = 12 * suit
    mine = cards & (deal.able(seat) >> shift)
    if mine == 0:
        return 0
    me = deal.seat
    able: i64 = 1
    other: i64 = 0
    while other < 4:
        if other != me and other != seat and mine & (deal.able(other) >> shift):
            able += 1
        other += 1
    if able == 1:
        return 256
    count: i64 = COUNT[mine]
    odds: i64 = HOLDS[13 * able + count]
    return odds


def beaten(deal: Deal, hidden: i64, seat: i64, led: i64, best: i64) -> i64:
    """That a seat to come can beat the best card of the trick."""
    suit = (hidden >> (12 * led)) & FULL
    above = ~((2 << (best % 12)) - 1)
    trump = deal.trump
    plain = best // 12 == led
    odds: i64 = 0
    if plain:
        odds = holds(deal, seat, led, suit & above)
    if led == trump or trump == NONE:
        return odds
    void = 256 - holds(deal, seat, led, suit)
    if void == 0:
        return odds
    trumps = (hidden >> (12 * trump)) & FULL
    if not plain:
        trumps &= above
    return odds + ((void * holds(deal, seat, trump, trumps)) >> 8)


def wins(deal: Deal, hidden: i64, led: i64, best: i64, ours: i64) -> i64:
    """That the side of the seat to play wins the trick, whose best card is `best`.

    `ours` is 256 if that card is the side's, else 0.
    """
    step: i64 = 1
    while step + deal.count <= 3:
        odds = beaten(deal, hidden, (deal.seat + step) & 3, led, best)
        if step == 2:
            ours += ((256 - ours) * odds) >> 8
        else:
            ours = (ours * (256 - odds)) >> 8
        step += 1
    return ours


def later(deal: Deal, weights: Weights, hidden: i64, hand: i64, card: i64) -> i64:
    """What the card could bring another time."""
    suit = card // 12
    rank = card % 12
    suited = (hidden >> (12 * suit)) & FULL
    higher: i64 = COUNT[suited & ~((1 << rank) - 1)]
    odds: i64
    if deal.trump == NONE:
        odds = weights.bare(higher)
    elif suit == deal.trump:
        odds = weights.trumped(higher)
    else:
        odds = weights.plain(higher)
        hiding: i64 = COUNT[suited]
        if hiding < 6:
            odds -= weights.thin * (6 - hiding)
    worth: i64 = WORTH[rank]
    brings = (odds * (64 * worth + weights.catch) - (256 - odds) * worth * weights.lost) >> 8
    held: i64 = COUNT[hand & FULL] + COUNT[hand >> 12 & FULL]
    held += COUNT[hand >> 24 & FULL] + COUNT[hand >> 36]
    brings += (brings * weights.late * (held - 6)) >> 8
    if suit == deal.trump:
        brings += weights.keep
    left = ((hand >> (12 * suit)) & FULL) & ~(1 << rank)
    if left == 0:
        if suit != deal.trump and deal.trump != NONE and (hand >> (12 * deal.trump)) & FULL:
            brings -= weights.ruff
    elif left & (left - 1) == 0 and left & 0x600 and suited & ~((left << 1) - 1):
        brings += weights.guard
    return brings + weights.rank * rank


def promise(deal: Deal, weights: Weights, hidden: i64, hand: i64, card: i64, losing: i64) -> i64:
    """What the trick brings with the card, less what the card could bring later.

    `losing` is what `wins` says of the trick as it lies.
    """
    odds: i64
    if deal.count == 0:
        odds = wins(deal, hidden, card // 12, card, 256)
    elif deal.beats(card):
        odds = wins(deal, hidden, deal.led, card, 256)
    else:
        odds = losing
    worth: i64 = WORTH[card % 12]
    pot = 64 * (worth + (deal.pot if deal.count else 1))
    friend: i64 = 1 if deal.count < 2 else 0
    foes = 3 - deal.count - friend
    won = pot + friend * weights.ours + foes * weights.theirs
    gone = pot + foes * weights.ours + friend * weights.theirs
    brings = (odds * won - (256 - odds) * gone) >> 8
    if deal.count == 0 and card // 12 != deal.trump:
        brings += leads(deal, weights, hidden, hand, card)
    elif deal.count == 0:
        mine: i64 = COUNT[(hand >> (12 * deal.trump)) & FULL]
        foe = deal.able((deal.seat + 1) & 3) | deal.able((deal.seat + 3) & 3)
        if (hidden & foe) >> (12 * deal.trump) & FULL:
            brings += weights.pulled + mine * weights.pull
    return brings - later(deal, weights, hidden, hand, card)


def leads(deal: Deal, weights: Weights, hidden: i64, hand: i64, card: i64) -> i64:
    """What leading the card of a plain suit brings besides."""
    shift = 12 * (card // 12)
    suited = (hidden >> shift) & FULL
    held: i64 = COUNT[(hand >> shift) & FULL]
    brings: i64 = 0
    if suited & ~((1 << (card % 12)) - 1) == 0:
        brings = weights.top
    if deal.trump == NONE:
        return brings + held * weights.bare_length
    brings += held * weights.length
    trumps = 12 * deal.trump
    if held == 1 and (hand >> trumps) & FULL:
        brings += weights.single
    step: i64 = 1
    while step <= 3:
        able = deal.able((deal.seat + step) & 3) & hidden
        if (able >> shift) & FULL == 0 and (able >> trumps) & FULL:
            brings += weights.friend_void if step == 2 else weights.foe_void
        step += 1
    return brings


def standing(deal: Deal, hidden: i64) -> i64:
    """What `wins` says of the trick as it lies, before the seat to play beats it."""
    if deal.count == 0:
        return 0
    ours: i64 = 0 if (deal.owner ^ deal.seat) & 1 else 256
    return wins(deal, hidden, deal.led, deal.best, ours)


def choose(deal: Deal, weights: Weights) -> i64:
    """The card that promises most."""
    cards = deal.legal()
    hand = deal.hand(deal.seat)
    hidden = (deal.hand0 | deal.hand1 | deal.hand2 | deal.hand3) & ~hand
    single = cards & (cards - 1) == 0
    losing: i64 = 0 if single else standing(deal, hidden)
    best: i64 = -1
    most: i64 = 0
    suit: i64 = 0
    while suit < 4:
        left = (cards >> (12 * suit)) & FULL
        while left:
            rank: i64 = LOW[left]
            left &= left - 1
            card = 12 * suit + rank
            if single:
                return card
            brings = promise(deal, weights, hidden, hand, card, losing)
            if best < 0 or brings > most:
                best = card
                most = brings
        suit += 1
    return best


def play_out(deal: Deal, weights: Weights, cards: i64) -> None:
    """So many cards are played."""
    while cards:
        deal.play(choose(deal, weights))
        cards -= 1
