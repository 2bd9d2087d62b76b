"""How the cards of a suit become sequences (3.7.2), against all the ways there are."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from service.rules.canasta.runs import TOP, Open, Step, Suit, pieces, usable

Cards = tuple[int, ...]
"""How many cards of each rank."""


def laid(ranks: list[int]) -> Cards:
    return tuple(ranks.count(rank) for rank in range(TOP))


def added(one: Cards, other: Cards) -> Cards:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def grown(sequence: Open) -> Iterator[Cards]:
    """What a table sequence may take."""
    for down in range(min(sequence.room, sequence.low) + 1):
        for up in range(min(sequence.room - down, TOP - 1 - sequence.high) + 1):
            below = range(sequence.low - down, sequence.low)
            yield laid([*below, *range(sequence.high + 1, sequence.high + 1 + up)])


def every(counts: Cards, opened: list[Open]) -> set[Cards]:
    """Everything that may be laid of the counts."""
    runs = [laid(list(range(low, low + n))) for n in (3, 4, 5) for low in range(TOP - n + 1)]
    found = {laid([])}
    for sequence in opened:
        found = {added(one, more) for one in found for more in grown(sequence)}
    found = {one for one in found if all(a <= b for a, b in zip(one, counts, strict=True))}
    for run in runs:
        for _ in range(max(counts)):
            more = {added(one, run) for one in found}
            found |= {one for one in more if all(a <= b for a, b in zip(one, counts, strict=True))}
    return found


def paths(suit: Suit, rank: int, state: tuple[int, ...]) -> Iterator[list[tuple[int, Step]]]:
    """Every way through the ranks: cards used, and the step."""
    if rank == TOP:
        yield []
        return
    options = suit.options(rank, state)
    assert [option.used for option in options] == sorted(option.used for option in options)
    assert suit.options(rank, state) is options
    for option in options:
        for rest in paths(suit, rank + 1, option.state):
            yield [(option.used, option.step), *rest]


def dealt(random: Random) -> tuple[Cards, list[Open]]:
    """Counts with gaps, and sequences on the table that may grow by one card or two, or more."""
    low = random.randrange(9)
    counts = [0] * TOP
    for rank in range(low, min(TOP, low + random.randint(3, 7))):
        counts[rank] = random.choice([0, 1, 1, 1, 2, 2])
    opened = []
    for number in range(random.choice([0, 1, 1, 2])):
        start, size = random.randrange(TOP - 3), random.randint(3, 6)
        high = min(TOP - 1, start + size - 1)
        opened.append(Open(f"m{number}", start, high, 7 - (high - start + 1)))
    return tuple(counts), opened


@pytest.mark.parametrize("seed", range(60))
def test_all_that_can_be_laid_and_nothing_else(seed: int) -> None:
    counts, opened = dealt(Random(seed))
    suit = Suit(counts, opened)
    found = set()
    for path in paths(suit, 0, suit.start):
        used = tuple(number for number, _ in path)
        found.add(used)
        total, room = Counter[int](), {sequence.id: sequence for sequence in opened}
        for name, ranks in suit.rebuild([step for _, step in path]):
            total.update(ranks)
            if name is None:
                assert ranks == list(range(ranks[0], ranks[0] + len(ranks)))
                assert len(ranks) >= 3
            else:
                sequence = room.pop(name)
                whole = sorted((*ranks, *range(sequence.low, sequence.high + 1)))
                assert whole == list(range(whole[0], whole[0] + len(whole)))
                assert len(ranks) <= sequence.room
        assert tuple(total[rank] for rank in range(TOP)) == used
    assert found == every(counts, opened)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_of_no_use_is_not_counted(seed: int) -> None:
    """Of the cards left out none could have been laid."""
    counts, opened = dealt(Random(f"usable {seed}"))
    left = usable(counts, opened)
    assert all(less in (0, more) for less, more in zip(left, counts, strict=True))
    assert every(left, opened) == every(counts, opened)


def test_three_in_a_row_are_of_use_up_to_the_ace() -> None:
    counts = (1, 1, 0, 2, 1, 1, 0, 0, 1, 2, 1)
    assert usable(counts, []) == (0, 0, 0, 2, 1, 1, 0, 0, 1, 2, 1)
    assert usable((1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1), []) == (0,) * TOP
    assert usable(counts, [Open("m1", 0, 2, 4)]) == counts
    assert usable((0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0), [Open("m1", 8, 10, 4)])[7] == 1
    assert usable((0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0), [Open("m1", 8, 10, 4)])[6] == 0


@pytest.mark.parametrize(
    ("size", "sizes"), [(3, [3]), (7, [7]), (8, [5, 3]), (9, [6, 3]), (10, [7, 3]), (11, [7, 4])]
)
def test_a_long_run_is_cut_into_lawful_sequences(size: int, sizes: list[int]) -> None:
    run = list(range(size))
    cut = list(islice(pieces(run, 7), size))
    assert [len(piece) for piece in cut] == sizes
    assert [rank for piece in cut for rank in piece] == run
