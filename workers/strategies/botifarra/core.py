"""The play of a deal as a few numbers, for searches: compiled where there is a C compiler.

A card is a number from 0 to 47: twelve times its suit (0 oros, 1 copes, 2 espases, 3 bastons)
and its rank (0 the two, 11 the manilla). A set of cards is an integer with the bit `1 << card`
of each. Trumps are a suit's number, or 4 for botifarra. `names` translates.

    position = Position(hands, trump, leader, trick)    # four sets by seat; the trick's cards
    position.legal()        the cards that may be played, lowest first
    position.play(card)     plays one; a full trick is taken at once
    position.copy()         for taking back: play on the copy
    position.seat           whose turn it is
    position.taken(side)    points since the position was made
    position.left           points still to be taken: both sides' and these are always as many
    position.random(seed)   points from here for the side to act if all play anything

`solver` says what perfect play brings. Nothing here is checked: who plays a card that is not
legal gets nonsense. `tests/workers/botifarra/test_core.py` holds all of it to `service.rules`.

Inside, hands stand in the order of play from who is to act on, and a card is the set of it
alone, so that of two of a suit the greater number is the higher card. That suits the
solver, which knows all cards. `deal.Deal` is the state of the playouts: its hands stay with their
seats, beside what each seat has told of its own. Over 150 lines, since `random` repeats `put` and
`take` on local numbers, for speed.
"""

from collections.abc import Sequence

from mypy_extensions import i64

from workers.strategies.botifarra.sets import bit as bit
from workers.strategies.botifarra.sets import shifted as shifted
from workers.strategies.botifarra.sets import size, suit_of, worth, worths


def allowed(hand: i64, led: i64, best: i64, ago: i64, trumps: i64) -> i64:
    """The cards that may be played to a trick (rules 5.3).

    `led` is the suit that was led, `best` the card that wins so far, played `ago` seats before.
    """
    suit: i64 = hand & led
    if ago == 2:  # the partner's card: rule 1
        return suit if suit else hand
    if suit:
        if best & led:
            beating: i64 = suit & -(best << 1)
            if beating:
                return beating  # rule 2
        return suit & -suit  # rule 3
    suit = hand & trumps
    if suit:
        if best & trumps:
            beating = suit & -(best << 1)
            return beating if beating else suit
        return suit
    return hand


def beats(card: i64, best: i64, trumps: i64) -> bool:
    """Whether a card beats the best of a trick so far (rules 5.2)."""
    if card & suit_of(best):
        return card > best
    return card & trumps != 0


class Position:
    """What is left of a deal, all cards open; see the module.

    Attributes:
        mine, next, partners, last: the hands, from that of who is to act on.
        laid: how many cards the trick has.
        led: the suit that was led, 0 when a trick begins.
        best: the card that wins the trick so far, 0 when it begins; played `ago` seats before.
        points: what lies in the trick.
        ours, theirs: points taken, of seats 0 and 2, and of seats 1 and 3.
    """

    def __init__(
        self, hands: Sequence[i64], trump: i64, leader: i64, trick: Sequence[i64] = ()
    ) -> None:
        laid: i64 = len(trick)
        seat: i64 = (leader + laid) & 3
        self.seat: i64 = leader
        self.trumps: i64 = suit_of(bit(12 * trump)) if trump < 4 else 0
        self.mine: i64 = hands[leader]
        self.next: i64 = hands[(leader + 1) & 3]
        self.partners: i64 = hands[(leader + 2) & 3]
        self.last: i64 = hands[(leader + 3) & 3]
        self.laid: i64 = 0
        self.led: i64 = 0
        self.best: i64 = 0
        self.ago: i64 = 0
        self.points: i64 = 0
        self.ours: i64 = 0
        self.theirs: i64 = 0
        everything: i64 = self.mine | self.next | self.partners | self.last
        self.left: i64 = worths(everything) + (size(everything) + laid) // 4
        for card in trick:
            self.left += worth(bit(card))
            self.put(bit(card))
        assert self.seat == seat

    def copy(self) -> "Position":
        """Another that is the same."""
        twin = Position((0, 0, 0, 0), 4, 0)
        twin.seat = self.seat
        twin.trumps = self.trumps
        twin.mine = self.mine
        twin.next = self.next
        twin.partners = self.partners
        twin.last = self.last
        twin.laid = self.laid
        twin.led = self.led
        twin.best = self.best
        twin.ago = self.ago
        twin.points = self.points
        twin.ours = self.ours
        twin.theirs = self.theirs
        twin.left = self.left
        return twin

    def choices(self) -> i64:
        """The cards that may be played, as a set."""
        if not self.laid:
            return self.mine
        return allowed(self.mine, self.led, self.best, self.ago, self.trumps)

    def legal(self) -> list[i64]:
        """The cards that may be played, lowest first; none when the deal is over."""
        cards: list[i64] = []
        number: i64 = 0
        rest: i64 = self.choices()
        while rest:
            if rest & 1:
                cards.append(number)
            rest >>= 1
            number += 1
        return cards

    def play(self, card: i64) -> None:
        """Plays a card of `legal`."""
        self.put(bit(card))

    def put(self, card: i64) -> None:
        """Plays a card that is given as a set."""
        hand: i64 = self.mine & ~card
        self.mine = self.next
        self.next = self.partners
        self.partners = self.last
        self.last = hand
        self.seat = (self.seat + 1) & 3
        self.points += worth(card)
        if not self.laid:
            self.led = suit_of(card)
            self.best = card
            self.ago = 1
        elif beats(card, self.best, self.trumps):
            self.best = card
            self.ago = 1
        else:
            self.ago += 1
        self.laid += 1
        if self.laid == 4:
            self.take()

    def take(self) -> None:
        """Gives the full trick to its winner, who leads next."""
        won: i64 = self.points + 1
        forward: i64 = 4 - self.ago
        while forward:
            hand: i64 = self.mine
            self.mine = self.next
            self.next = self.partners
            self.partners = self.last
            self.last = hand
            forward -= 1
        self.seat = (self.seat + 4 - self.ago) & 3
        if self.seat & 1:
            self.theirs += won
        else:
            self.ours += won
        self.left -= won
        self.points = self.laid = self.led = self.best = self.ago = 0

    def taken(self, side: i64) -> i64:
        """The points that a side took since the position was made."""
        return self.theirs if side else self.ours

    def random(self, seed: i64) -> i64:
        """What the side to act takes from here if all play any card, by the luck of `seed`."""
        state: i64 = ((seed & 0x3FFFFFFF) * 0x9E3779B1) & 0xFFFFFFFF | 1
        trumps: i64 = self.trumps
        mine: i64 = self.mine
        next: i64 = self.next
        partners: i64 = self.partners
        last: i64 = self.last
        laid: i64 = self.laid
        led: i64 = self.led
        best: i64 = self.best
        ago: i64 = self.ago
        points: i64 = self.points
        parity: i64 = 0  # of the side to act, seen from the one that asked
        taken: i64 = 0
        while mine:
            cards: i64 = allowed(mine, led, best, ago, trumps) if laid else mine
            card: i64 = cards & -cards
            if card != cards:
                state ^= (state << 13) & 0xFFFFFFFF
                state ^= state >> 17
                state ^= (state << 5) & 0xFFFFFFFF
                skip: i64 = ((state >> 8) * size(cards)) >> 24
                while skip:
                    cards ^= card
                    card = cards & -cards
                    skip -= 1
            points += worth(card)
            hand: i64 = mine & ~card
            mine = next
            next = partners
            partners = last
            last = hand
            parity ^= 1
            if not laid:
                led = suit_of(card)
                best = card
                ago = 1
            elif beats(card, best, trumps):
                best = card
                ago = 1
            else:
                ago += 1
            laid += 1
            if laid == 4:
                forward: i64 = 4 - ago
                while forward:
                    hand = mine
                    mine = next
                    next = partners
                    partners = last
                    last = hand
                    parity ^= 1
                    forward -= 1
                if not parity:
                    taken += points + 1
                points = laid = 0
        return taken
