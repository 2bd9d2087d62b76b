"""The solver is exact, whatever it passes over."""

from random import Random

import pytest

from tests.rules.spans import span
from tests.workers.botifarra.endings import ending, tried, value
from workers.strategies.botifarra.bounds import least, lost
from workers.strategies.botifarra.core import Position
from workers.strategies.botifarra.names import as_set
from workers.strategies.botifarra.sets import below
from workers.strategies.botifarra.solver import Solver


@pytest.mark.parametrize("rich", [False, True])
def test_it_finds_what_trying_everything_finds(rich: bool) -> None:
    rng, solver = Random(21), Solver(8)  # a small table, so that places are taken again and again
    for number in range(span(120, 4_000)):
        at = ending(rng, rng.randint(1, 16 if number % 40 == 0 else 12), rich)
        values = {card: value(at, card) for card in at.legal()}
        assert solver.solve(at) == max(values.values())
        found = solver.values(at)
        assert found == values
        assert list(found) == at.legal()


def test_what_it_is_sure_of_is_never_too_much() -> None:
    rng = Random(22)
    for number in range(span(400, 20_000)):
        at = ending(rng, 8 if number % 4 else 12, rich=number % 2 == 0)
        a, b, c, d = at.mine, at.next, at.partners, at.last
        best = tried(at)
        tops = (a | c) & ~below(b | d)
        sure = least(a, b, c, d, at.trumps, tops, 99)
        assert sure <= best or (sure == 99 and best == at.left)
        assert lost(a, b, c, d, at.trumps) <= at.left - best


def test_a_partner_who_must_take_the_lead_cashes_nothing_more() -> None:
    # Bastons are all the side's, but the partner's rei must take the trick, and then copes lose.
    hands = [as_set(cards.split()) for cards in ("B2 B5", "C2 C3", "C6 B12", "C11 E10")]
    at = Position(hands, 0, 0)
    assert (tried(at), Solver().solve(at)) == (5, 5)


def test_a_position_that_is_over_has_nothing_left() -> None:
    at = Position([0, 0, 0, 0], 4, 2)
    assert (Solver().solve(at), Solver().values(at)) == (0, {})


def test_it_knows_nothing_of_other_trumps_from_before() -> None:
    rng, solver = Random(23), Solver()
    for _ in range(span(15, 300)):
        hands = [ending(rng, 12).mine for _ in range(1)]
        pack = rng.sample(range(48), 12)
        hands = [sum(1 << card for card in pack[seat::4]) for seat in range(4)]
        for trump in range(5):
            at = Position(hands, trump, 0)
            assert solver.solve(at) == tried(at)


def test_it_gives_up_beyond_its_limit_and_is_right_again_without() -> None:
    at = ending(Random(24), 24)
    solver = Solver()
    assert solver.solve(at, limit=20) == -1
    assert solver.values(at, limit=20) == {}
    assert solver.solve(at) == max(solver.values(at).values()) == Solver().solve(at)


def test_a_search_from_an_empty_table_takes_as_many_nodes_again() -> None:
    at, solver = ending(Random(25), 20), Solver()
    counts = []
    for _ in range(2):
        solver.forget()
        before = solver.nodes
        solver.values(at)
        counts.append(solver.nodes - before)
    assert counts[0] == counts[1] > 0


def test_both_sides_share_what_is_left() -> None:
    """Turning the table by one seat makes it the other side's position."""
    rng, solver = Random(26), Solver()
    for _ in range(span(20, 300)):
        pack = rng.sample(range(48), 16)
        hands = [sum(1 << card for card in pack[seat::4]) for seat in range(4)]
        trump = rng.randrange(5)
        here = Position(hands, trump, 0)
        there = Position([hands[-1], *hands[:-1]], trump, 1)
        assert solver.solve(here) == solver.solve(there)
