"""Small positions, and everything that can be done in them, by trying all there is."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from service.rules.canasta.commands import AskPartner, Command, GoOut, Group, Meld, Plan, Take
from service.rules.canasta.commands import TakePile as Pile
from service.rules.canasta.decide import decide
from service.rules.canasta.melds import growth_fault, kind_of, new_fault
from service.rules.canasta.state import Meld as TableMeld
from service.rules.canasta.state import State
from service.rules.canasta.variants import VARIANTS, Variant
from service.rules.cards import RANKS, SUITS, Card, arranged, without
from service.rules.errors import IllegalMove

Laying = tuple[tuple[Group, ...], tuple[Card, ...]]
"""Groups, and the cards that stay."""

TABLES: Final[tuple[tuple[str, str], ...]] = (
    ("set", "9c 9d 9s"),
    ("set", "Kc Kd 2c"),
    ("set", "9c 9d 9h 9s 2c 2d"),
    ("set", "7c 7d 7h 7s 7c 7d"),
    ("set", "7c 7d 7h 7s 7c 7d 7h"),
    ("set", "8c 8d 8h 8s 2c 2d JK"),
    ("seq", "4h 5h 6h 7h 8h 9h 10h"),
    ("seq", "5h 6h 7h 8h 9h 10h"),
    ("seq", "6h 7h 8h"),
    ("seq", "7h 8h 9h"),
    ("seq", "10d Jd Qd Kd"),
    ("wild", "2c 2d JK"),
    ("wild", "2c 2d 2h 2s JK JK"),
    ("wild", "2c 2d 2h 2s JK JK JK"),
)


def layings(variant: Variant, melds: Sequence[TableMeld], hand: Sequence[Card]) -> Iterator[Laying]:
    """Every way to lay cards of the hand as lawful groups, at most one onto each meld."""
    if not hand:
        yield (), ()
        return
    first, rest = hand[0], tuple(hand[1:])
    for groups, stays in layings(variant, melds, rest):
        yield groups, (first, *stays)
    for size in range(len(rest) + 1):
        for others in set(combinations(rest, size)):
            cards = (first, *others)
            left = without(rest, others)
            if new_fault(variant, melds, cards) is None:
                kind = kind_of(cards)
                laid = (*melds, TableMeld("", kind, cards)) if kind != "b3" else melds
                for groups, stays in layings(variant, laid, left):
                    yield (Group(cards), *groups), stays
            for meld in melds:
                if meld.id and growth_fault(variant, meld, cards) is None:
                    grown = TableMeld("", meld.kind, arranged((*meld.cards, *cards)))
                    after = [grown if other is meld else other for other in melds]
                    for groups, stays in layings(variant, after, left):
                        yield (Group(cards, meld.id), *groups), stays


def accepted(state: State, command: Command) -> State | None:
    """The state after the command as far as `decide` takes it, None where it is refused."""
    from service.rules.canasta.evolve import evolve

    try:
        events = decide(state, command)
    except IllegalMove:
        return None
    after = state.copy()
    for event in events:
        evolve(after, event)
    return after


def own_melds(state: State) -> tuple[TableMeld, ...]:
    """The melds of the side whose turn it is."""
    return state.melds[state.side(state.turn)]


def melds(state: State) -> Iterator[Meld]:
    """Every Meld that is accepted and leaves two cards."""
    seat = state.turn
    for groups, stays in layings(state.variant, own_melds(state), state.hands[seat]):
        command = Meld(seat, groups)
        if groups and len(stays) > 1 and accepted(state, command):
            yield command


def plans(state: State) -> Iterator[Plan]:
    """Every plan to lay the whole hand but for one card, lawful or not."""
    for groups, stays in layings(state.variant, own_melds(state), state.hands[state.turn]):
        if len(stays) < 2:
            yield Plan(groups, stays[0] if stays else None)


def exits(state: State) -> Iterator[GoOut]:
    """Every GoOut that is accepted."""
    for plan in plans(state):
        command = GoOut(state.turn, plan.groups, plan.discard)
        if accepted(state, command):
            yield command


def questions(state: State) -> Iterator[AskPartner]:
    """Every question after drawing that is accepted."""
    for plan in plans(state):
        command = AskPartner(state.turn, plan)
        if accepted(state, command):
            yield command


def shaped_takes(state: State) -> Iterator[tuple[tuple[Card, ...], str | None]]:
    """Hand cards and targets that justify a take, whatever else it lacks."""
    hand, seat = state.hands[state.turn], state.turn
    targets = [None, *(meld.id for meld in own_melds(state))]
    for size in range(len(hand) + 1):
        for cards in sorted(set(combinations(hand, size))):
            for target in targets:
                try:
                    decide(state, Pile(seat, cards, target))
                except IllegalMove as fault:
                    late = "below_minimum", "keep_two_cards", "partner_refused", "must_ask_partner"
                    if fault.code not in late:
                        continue
                yield cards, target


def takes(state: State) -> Iterator[Pile]:
    """Every TakePile, whether accepted or not, that could be for its shape."""
    seat, top = state.turn, state.pile[-1]
    for cards, target in shaped_takes(state):
        known = list(own_melds(state))
        together = arranged((*cards, top))
        joined = target
        if joined is None and state.variant.one_meld_per_rank and kind_of(together) == "set":
            fits = [meld for meld in known if meld.kind == "set" and _same(meld, top)]
            joined = fits[0].id if fits else None
        if joined is None:
            known.append(TableMeld(f"m{state.next_meld}", kind_of(together), together))
        else:
            old = next(meld for meld in known if meld.id == joined)
            grown = TableMeld(old.id, old.kind, arranged((*old.cards, *together)))
            known = [grown if meld is old else meld for meld in known]
        for also, _ in layings(state.variant, known, without(state.hands[seat], cards)):
            yield Pile(seat, cards, target, also)


def questions_with_take(state: State) -> Iterator[AskPartner]:
    """Every question before drawing that is accepted."""
    for take in takes(state):
        draft = state.copy()
        draft.variant = _free(state.variant)
        after = accepted(draft, take)
        if after is None:
            continue
        body = Take(take.cards, take.target, take.also)
        if after.phase == "play" and after.turn == state.turn:
            after.variant = state.variant
            found = [Plan(plan.groups, plan.discard, body) for plan in plans(after)]
        else:
            found = [Plan(take=body)]
        for plan in found:
            command = AskPartner(state.turn, plan)
            if accepted(state, command):
                yield command


def position(seed: int, name: str, phase: str) -> State:
    """A made-up position of a few cards, in which something is often possible."""
    rng = random.Random(seed)
    variant = VARIANTS[name]
    players = rng.choice(variant.seats)
    sides = len(set(variant.sides(players)))
    scores = [rng.choice([-5, -5, 0, 1500, 3000]) for _ in range(sides)]
    state = variant.start(players, {"target_score": 10**6}, 0, scores)
    state.deal, state.turn = 1, rng.randrange(players)
    side = state.side(state.turn)
    if rng.random() < 0.7:
        for kind, cards in rng.sample(TABLES, rng.randint(1, 8)):
            lay = TableMeld(f"m{state.next_meld}", kind, tuple(cards.split()))  # type: ignore[arg-type]
            mine = state.melds[side]
            if new_fault(variant, mine, lay.cards, lay.kind) is None:
                state.melds[side] = (*mine, lay)
                state.next_meld += 1
    ranks = rng.sample(RANKS, 3) if rng.random() < 0.6 else RANKS[rng.randint(0, 5) :]
    suits = rng.sample(SUITS, rng.randint(1, 4))
    naturals = [rank + suit for rank in ranks for suit in suits]
    wild = rng.sample(["2c", "2d", "JK"], 2) * rng.randint(0, 2)
    deck = naturals * 3 + wild + ["3c", "3s"] * rng.randint(0, 1)
    hands = [tuple(rng.choices(deck, k=4)) for _ in range(players)]
    hands[state.turn] = tuple(rng.choices(deck, k=rng.choice([1, 2, 3, 4, 5, 6, 7, 8])))
    state.hands = [arranged(hand) for hand in hands]
    buried = rng.choices([*naturals, "3c", "3h", "2h"], k=rng.choice([0, 0, 1, 1, 2, 4]))
    state.pile = (*buried, rng.choice(naturals))
    state.stock = ("4c", "5d") if rng.random() < 0.8 else ()
    state.phase = "draw" if phase == "draw" else "play"
    if phase == "play" and len(state.hands[state.turn]) == 1:
        state.hands[state.turn] = arranged([*state.hands[state.turn], rng.choice(deck)])
    if players == 4 and rng.random() < 0.2:
        state.asked = state.refused = True
    return state


def _same(meld: TableMeld, top: Card) -> bool:
    return any(card[:-1] == top[:-1] for card in meld.cards)


def _free(variant: Variant) -> Variant:
    from dataclasses import replace

    return replace(variant, must_ask=False)
