"""What a side is sure of without any search, when one of its players leads.

The idea of quick tricks in solvers of bridge, with what these rules add: who cannot beat a card
must follow with the lowest, and who can must, so high cards are cashed undisturbed.

Hands a, b, c, d: who leads, the next, the partner, the last.
"""

from mypy_extensions import i64

from workers.strategies.botifarra.sets import HONOURS, below, size, suit_of, worths


def cashed(a: i64, b: i64, c: i64, d: i64, trumps: i64, tops: i64) -> i64:
    """Points that the leader's side takes if the leader cashes; 99 for all that are left.

    It cashes what no card beats, not the partner's either, who might have to take the lead. First
    trumps; then of each suit as many as those follow to who still have trumps. They discard
    nothing before, so none of them becomes short. The partner adds honours, and a hand that holds
    no more cards of a suit than are led must give them all. `tops` are the cards of both partners
    that none of the others' beats in its suit: of trumps, they win at one time or another.
    """
    own: i64 = a & ~below(b | c | d)
    rounds: i64 = size(own & trumps)
    points: i64 = worths(tops & trumps)
    b_ruffs: bool = size(b & trumps) > rounds
    d_ruffs: bool = size(d & trumps) > rounds
    plain: i64 = own & ~trumps
    while plain:
        suit: i64 = suit_of(plain & -plain)
        cash: i64 = plain & suit
        plain ^= cash
        held: i64 = size(cash)
        count: i64 = held
        b_holds: i64 = size(b & suit)
        d_holds: i64 = size(d & suit)
        if b_ruffs and b_holds < count:
            count = b_holds
        if d_ruffs and d_holds < count:
            count = d_holds
        if not count:
            continue
        rounds += count
        points += worths(highest(cash, held, count))
        honours: i64 = c & suit & HONOURS
        if honours:
            points += worths(highest(honours, size(honours), count))
        if b_holds <= count:
            points += worths(b & suit)
        if d_holds <= count:
            points += worths(d & suit)
    return 99 if rounds == size(a) else points + rounds


def highest(cards: i64, held: i64, count: i64) -> i64:
    """The `count` highest of the `held` cards of one suit."""
    while held > count:
        cards &= cards - 1
        held -= 1
    return cards


def crossing(a: i64, b: i64, c: i64, d: i64, trumps: i64) -> bool:
    """Whether the leader can lead a plain suit that the partner surely wins."""
    plain: i64 = c & ~below(a | b | d) & ~trumps
    while plain:
        suit: i64 = suit_of(plain & -plain)
        plain &= ~suit
        if a & suit and (b & suit or not b & trumps) and (d & suit or not d & trumps):
            return True
    return False


def least(a: i64, b: i64, c: i64, d: i64, trumps: i64, tops: i64, goal: i64) -> i64:
    """Points that the leader's side is sure of; not all of them where they are more than `goal`."""
    points: i64 = cashed(a, b, c, d, trumps, tops)
    if points >= goal:
        return points
    sure: i64 = tops & trumps
    if sure & c:
        other: i64 = worths(sure) + size(sure & c)
        if other > points:
            points = other
    if points < goal and crossing(a, b, c, d, trumps):
        other = cashed(c, d, a, b, trumps, tops)
        if other > points:
            points = other
    return points


def lost(a: i64, b: i64, c: i64, d: i64, trumps: i64) -> i64:
    """Points that the others are sure of: their trumps that none of this side's beats."""
    sure: i64 = (b | d) & trumps & ~below((a | c) & trumps)
    if not sure:
        return 0
    of_b: i64 = size(sure & b)
    of_d: i64 = size(sure & d)
    return worths(sure) + (of_b if of_b > of_d else of_d)
