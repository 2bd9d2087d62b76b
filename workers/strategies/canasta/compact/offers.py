"""What may be laid from a hand, as far as it is worth a thought; no black threes."""

from workers.strategies.canasta.compact.codes import BITS, JOKER, STEPS, TWO
from workers.strategies.canasta.compact.desk import Desk, Lay
from workers.strategies.canasta.compact.melded import SEQ, SET, WILD, Melded


def offers(desk: Desk) -> list[Lay]:
    """New melds and extensions that the hand allows, no black threes."""
    found: list[Lay] = []
    for place, meld in enumerate(desk.melds):
        if meld.kind == SET:
            _onto_set(desk, meld, place, found)
        elif meld.kind == SEQ:
            _onto_sequence(desk, meld, place, found)
        elif meld.kind == WILD:
            room = desk.shape.wild_limit - meld.size()
            for number in range(1, min(desk.wilds, room) + 1):
                found.append(Lay(WILD, wilds_of(desk, number), place))
    _sets(desk, found)
    if desk.shape.has_seq:
        _sequences(desk, found)
    if may_start_wild(desk):
        for number in range(3, min(desk.wilds, desk.shape.wild_limit) + 1):
            found.append(Lay(WILD, wilds_of(desk, number), -1))
    return found


def may_start_wild(desk: Desk) -> bool:
    """Whether the wilds of the hand may be a new meld."""
    if not desk.shape.has_wild or desk.wilds < 3:
        return False
    return not (desk.shape.one_per_rank and _has_wild(desk))


def _has_wild(desk: Desk) -> bool:
    return any(meld.kind == WILD for meld in desk.melds)


def wilds_of(desk: Desk, number: int) -> list[int]:
    """So many wilds of the hand, the cheap ones first."""
    twos = min(desk.hand[TWO], number)
    return [TWO] * twos + [JOKER] * (number - twos)


def naturals_of(desk: Desk, step: int) -> list[int]:
    """The hand's cards of a rank, those first that no sequence of the hand would miss."""
    spare: list[int] = []
    single: list[int] = []
    around = (0b1111111 << step) >> 3
    if not desk.shape.has_seq:
        for code in range(4 * step, 4 * step + 4):
            spare.extend([code] * desk.hand[code])
        return spare
    uses: list[int] = []
    for suit in range(4):
        code = 4 * step + suit
        number = desk.hand[code]
        if number == 0:
            continue
        if number > 1:
            spare.extend([code] * (number - 1))
        use = BITS[desk.mask[suit] & around & 2047]
        place = len(uses)
        while place and uses[place - 1] > use:
            place -= 1
        uses.insert(place, use)
        single.insert(place, code)
    return spare + single


def _fits(desk: Desk, naturals: int, wild: int) -> bool:
    return wild <= desk.shape.most_wilds and naturals >= desk.shape.naturals_for_wilds[wild]


def _onto_set(desk: Desk, meld: Melded, place: int, found: list[Lay]) -> None:
    number = desk.rank[meld.rank]
    cards: list[int] = []
    if number:
        cards = naturals_of(desk, meld.rank)
        found.append(Lay(SET, cards, place))
        if number > 1:
            found.append(Lay(SET, cards[:1], place))
    if not desk.wilds:
        return
    lying = meld.twos + meld.jokers
    missing = 7 - meld.size()
    if _fits(desk, meld.naturals, lying + 1):
        found.append(Lay(SET, wilds_of(desk, 1), place))
    if missing <= 0:
        return
    for wild in range(1, min(desk.wilds, 3) + 1):
        if wild == 1 and number == 0:
            continue
        if number + wild >= missing and _fits(desk, meld.naturals + number, lying + wild):
            found.append(Lay(SET, cards + wilds_of(desk, wild), place))


def _onto_sequence(desk: Desk, meld: Melded, place: int, found: list[Lay]) -> None:
    room = 7 - meld.naturals
    if room <= 0:
        return
    mask = desk.mask[meld.rank]
    below: list[int] = []
    step = meld.low - 1
    while step >= 0 and mask >> step & 1:
        below.append(4 * step + meld.rank)
        step -= 1
    above: list[int] = []
    step = meld.low + meld.naturals
    while step < STEPS and mask >> step & 1:
        above.append(4 * step + meld.rank)
        step += 1
    for up in range(min(len(above), room) + 1):
        for down in range(min(len(below), room - up) + 1):
            if up or down:
                found.append(Lay(SEQ, below[:down] + above[:up], place))


def _sets(desk: Desk, found: list[Lay]) -> None:
    shape = desk.shape
    for step in range(STEPS):
        number = desk.rank[step]
        if number < 2 or (number == 2 and not desk.wilds):
            continue
        if shape.one_per_rank and desk.on_table[step]:
            continue
        cards = naturals_of(desk, step)
        for wild in range(min(desk.wilds, shape.most_wilds) + 1):
            if number + wild >= 3 and _fits(desk, number, wild):
                found.append(Lay(SET, cards + wilds_of(desk, wild), -1))
            if number > 3 and _fits(desk, 3, wild):
                found.append(Lay(SET, cards[:3] + wilds_of(desk, wild), -1))


def _sequences(desk: Desk, found: list[Lay]) -> None:
    for suit in range(4):
        mask = desk.mask[suit]
        if not mask & (mask >> 1) & (mask >> 2):
            continue
        for low in range(STEPS - 2):
            step = low
            run: list[int] = []
            while step < STEPS and len(run) < 7 and mask >> step & 1:
                run.append(4 * step + suit)
                step += 1
                if len(run) >= 3:
                    found.append(Lay(SEQ, run[:], -1))
