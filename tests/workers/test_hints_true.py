"""What hints say of the table comes true: who wins a trick, who can take the pile."""

from collections.abc import Iterator
from itertools import chain, combinations
from random import Random
from typing import Any

import pytest

from service.languages.catalogue import Sentence
from service.rules import botifarra, canasta
from service.rules.botifarra.events import TrickWon
from service.rules.canasta.commands import Discard, Draw, TakePile, TakeTop
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, DealCards
from workers.reasons import reason
from workers.strategies import Situation

OURS = ("Leads a winner", "Wins the trick", "Ruffs and wins")
NOBODY = ("nobody can take it any more", "nobody can take this one")
Step = tuple[Any, int, Any, Sentence, tuple[Any, ...]]


def played(rules: Any, variant: str, luck: Random, deals: int) -> Iterator[Step]:
    """The steps of seats in random deals: the state before, the seat, its command, the reason for
    it, and what the command caused."""
    row = rules.VARIANTS[variant]
    seats = max(row.seats)
    options = {name: one.default for name, one in row.options(seats).items()}
    state = row.start(seats, options, 0, (0,) * (max(row.sides(seats)) + 1))
    while (seat := rules.to_act(state)) is not None:
        if seat == HOUSE and state.deal == deals:
            return
        if seat == HOUSE:
            pack = list(row.pack())
            luck.shuffle(pack)
            given: Any = DealCards(HOUSE, tuple(pack))
        else:
            allowed = rules.legal(state, seat)
            kind = luck.choice(sorted({type(one).__name__ for one in allowed}))
            given = luck.choice([one for one in allowed if type(one).__name__ == kind])
        events = rules.decide(state, given)
        if seat != HOUSE:
            situation = Situation(rules, rules.view(state, seat), seat, tuple)
            yield state, seat, given, reason(situation, given), events
        for event in events:
            rules.evolve(state, event)


def test_a_trick_goes_to_the_side_that_was_told() -> None:
    told: list[tuple[int, str]] = []
    held = 0
    games = (played(botifarra, "botifarra", Random(number), 4) for number in range(30))
    for _, seat, _, said, events in chain.from_iterable(games):
        if said.startswith(OURS) or any(words in said for words in NOBODY):
            told.append((seat % 2, said))
        elif said.startswith("Loses the trick"):
            told.append((1 - seat % 2, said))
        for event in events:
            if isinstance(event, TrickWon):
                assert not [one for one in told if one[0] != event.seat % 2]
                held += len(told)
                told = []
    assert held > 100


@pytest.mark.parametrize("variant", ["canasta", "samba", "bolivia", "bolivie"])
def test_the_pile_cannot_be_taken_where_that_was_told(variant: str) -> None:
    held, told = 0, ""
    for state, seat, given, said, _ in played(canasta, variant, Random(variant), 3):
        if told and state.phase == "draw":
            kinds = TakePile if told.startswith("Safe") else TakePile | TakeTop
            assert not [one for one in canasta.legal(state, seat) if isinstance(one, kinds)], told
            held, told = held + 1, ""
        if isinstance(given, Discard) and said.startswith(("Safe", "Blocks")):
            told = said
        elif isinstance(given, Draw) and said.startswith("Draws, since"):
            hand, melds = state.hands[seat], state.melds[state.side(seat)]
            for number in (0, 2):
                for cards in set(combinations(hand, number)):
                    for target in (None, *(meld.id for meld in melds)):
                        with pytest.raises(IllegalMove):
                            canasta.decide(state, TakePile(seat, cards, target))
            held += 1
    assert held > 20
