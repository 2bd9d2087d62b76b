"""From the deal to the end of the game (rules 2, 5, 7)."""

from collections.abc import Sequence
from random import Random

import pytest

from service.rules.botifarra import evolve, legal, result, to_act, view
from service.rules.botifarra.cards import PACK, arranged
from service.rules.botifarra.commands import ChooseTrump, Double, NoDouble, Play
from service.rules.botifarra.events import PlayStarted, TrickWon
from service.rules.botifarra.state import State
from service.rules.deals import DealScored, DealStarted
from service.rules.protocol import HOUSE, DealCards, GameEnded, Option, Result
from tests.rules.botifarra.table import (
    BOTIFARRA,
    dealt,
    give,
    opened,
    pack_for,
    random_step,
    shuffled,
)

HANDS = [
    "O11 C12 C6 C5 E11 E6 E3 B9 B11 B8 B7 B2",
    "O1 O10 C9 C11 C10 C4 C3 E12 E10 B12 B10 B4",
    "O9 O12 O8 O7 O4 O2 C1 E9 E8 E5 B6 B3",
    "O6 O5 O3 C8 C7 C2 E1 E7 E4 E2 B1 B5",
]

# Cards with the number of legal ones each time, from the leader on; winner, points, running
DEAL = """
    C9/12 C1/1  C2/3  C5/1   1 10   0 10
    C3/11 B3/2  C7/1  C12/2  2  4   4 10
    O9/10 O3/1  O11/1 O10/1  2  9  13 10
    E9/9  E2/1  E11/3 E10/1  2  9  22 10
    O2/8  O5/2  B2/5  O1/1   0  5  27 10
    B9/7  B4/1  B6/1  B5/1   0  6  33 10
    E3/6  E12/1 E5/1  E1/3   3  8  33 18
    E4/5  E6/1  B10/2 E8/1   1  2  33 20
    C4/4  O4/4  C8/1  C6/1   3  1  33 21
    O6/3  B7/3  B12/1 O7/1   1  4  33 25
    C10/2 O8/2  B1/2  B8/2   3  6  33 31
    E7/1  B11/1 C11/1 O12/1  0  8  41 31
"""


@pytest.mark.parametrize(("doublings", "total"), [(0, 5), (1, 10), (2, 20), (3, 40)])
def test_b53_a_whole_deal(doublings: int, total: int) -> None:
    """B53, 5 and 6, trick by trick; also under contro, recontro and Sant Vicenç."""
    hands = [hand.split() for hand in HANDS]
    state = dealt(pack_for(hands, 0))
    assert [sorted(hand) for hand in state.hands] == [sorted(hand) for hand in hands]
    give(state, ChooseTrump(0, "B"))
    for _ in range(doublings):
        give(state, Double(state.turn))
    while state.phase != "play":
        give(state, NoDouble(state.turn))
    seat, running = 1, [0, 0]
    for row in DEAL.strip().splitlines():
        *plays, winner, points, side0, side1 = row.split()
        for play in plays:
            card, choices = play.split("/")
            assert to_act(state) == seat
            assert len(legal(state, seat)) == int(choices)
            events = give(state, Play(seat, card))
            seat = (seat + 1) % 4
        assert events[1] == TrickWon(int(winner), int(points))
        running[int(winner) % 2] += int(points)
        assert running == [int(side0), int(side1)]
        seat = int(winner)
    scored = events[2]
    assert isinstance(scored, DealScored)
    assert [side.total for side in scored.sides] == [total, 0]
    assert state.scores == scored.scores == (total, 0)
    assert state.last_deal == scored
    assert to_act(state) == HOUSE
    assert [len(hand) for hand in state.hands] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("dealer", "order"), [(0, (1, 2, 3, 0)), (1, (2, 3, 0, 1)), (2, (3, 0, 1, 2)), (3, range(4))]
)
def test_packets_of_four(dealer: int, order: Sequence[int]) -> None:
    """2.2: four at a time from the dealer's right, three rounds."""
    pack = shuffled(Random(3))
    state = opened(dealer)
    (event,) = give(state, DealCards(HOUSE, pack))
    assert event == DealStarted(1, dealer, tuple(state.hands), (), (), (0, 0))
    for step, seat in enumerate(order):
        first = 4 * step
        packets = [pack[start : start + 4] for start in (first, first + 16, first + 32)]
        assert state.hands[seat] == arranged(card for packet in packets for card in packet)
    assert (state.phase, to_act(state)) == ("trump", dealer)


def play_deal(state: State, rng: Random) -> int:
    """Deals and plays at random to the end of the deal; who led to its first trick."""
    leader = -1
    while state.phase != "over":
        events = give(state, random_step(state, rng))
        for event in events:
            if isinstance(event, PlayStarted):
                leader = event.seat
        if any(isinstance(event, DealScored) for event in events):
            break
    return leader


def test_b49_the_deal_passes_to_the_right() -> None:
    """B49, 2.3 and 5.1."""
    state, rng = opened(dealer=2, target=10**6), Random(1)
    dealers, leaders = [], []
    for _ in range(5):
        leaders.append(play_deal(state, rng))
        dealers.append(state.dealer)
    assert dealers == [2, 3, 0, 1, 2]
    assert leaders == [3, 0, 1, 2, 3]
    assert state.deal == 5


def ended(scores: tuple[int, int], target: int, taken: int, doublings: int) -> State:
    """A game after one more deal in which side 0 took `taken` of the 72 points.

    A random deal with that outcome is looked for; the scores before it are given.
    """
    rng = Random(0)
    while True:
        state = opened(0, scores, target)
        give(state, DealCards(HOUSE, shuffled(rng)), ChooseTrump(0, "B"))
        for _ in range(doublings):
            give(state, Double(state.turn))
        give(state, NoDouble(state.turn))
        give(state, NoDouble(state.turn))
        play_deal(state, rng)
        if sum(trick.points for trick in state.tricks if trick.winner % 2 == 0) == taken:
            return state


@pytest.mark.parametrize(
    ("scores", "target", "taken", "after", "winner"),
    [
        pytest.param((95, 88), 101, 28, (95, 104), 1, id="B50-7"),
        pytest.param((40, 49), 50, 41, (50, 49), 0, id="B52-7"),
    ],
)
def test_the_target_is_reached(
    scores: tuple[int, int], target: int, taken: int, after: tuple[int, int], winner: int
) -> None:
    state = ended(scores, target, taken, 1)
    assert state.stake.factor == 2
    assert result(state) == Result(winner, after, "target")
    assert (state.phase, to_act(state), state.scores) == ("over", None, after)
    assert all(legal(state, seat) == () for seat in range(4))


def test_an_even_deal_changes_nothing_but_the_dealer() -> None:
    """6.3, 2.3."""
    state = ended((95, 88), 101, 36, 0)
    assert state.scores == (95, 88)
    assert to_act(state) == HOUSE
    (event,) = give(state, DealCards(HOUSE, PACK))
    assert isinstance(event, DealStarted)
    assert (event.deal, event.dealer, event.scores) == (2, 1, (95, 88))
    assert state.tricks == ()
    assert (state.trump, state.maker, state.caller) == (None, None, None)
    assert (state.stake.level, state.stake.factor) == (0, 1)


def test_giving_up_opens_the_hands() -> None:
    """7: the game may also end in the middle of a deal, by an event of the table around it."""
    state = dealt()
    hands = tuple(state.hands)
    seat = view(state, 2)
    for each in (state, seat):
        evolve(each, GameEnded(1, (0, 0), "resigned", hands))
        assert result(each) == Result(1, (0, 0), "resigned")
        assert tuple(each.hands) == hands
        assert to_act(each) is None
    assert seat == view(state, 2) == state


def test_a_game_given_up_before_the_first_deal() -> None:
    state = opened()
    evolve(state, GameEnded(None, (3, 4), "abandoned"))
    assert result(state) == Result(None, (3, 4), "abandoned")
    assert state.hands == [(), (), (), ()]
    assert state.scores == (3, 4)


def test_the_variant_as_data() -> None:
    """1, 4, 7."""
    assert BOTIFARRA.seats == (4,)
    assert BOTIFARRA.sides(4) == (0, 1, 0, 1)
    target = Option(101, (50, 100, 101), "Points that end the game")
    assert BOTIFARRA.options(4) == {"target_score": target}
    assert BOTIFARRA.pack() == PACK
    assert PACK[:13] == (*(f"O{number}" for number in range(1, 13)), "C1")
    assert BOTIFARRA.parameters() == {
        "name": "botifarra",
        "rules_version": 1,
        "suits": {"O": "oros", "C": "copes", "E": "espases", "B": "bastons"},
        "ranks": [9, 1, 12, 11, 10, 8, 7, 6, 5, 4, 3, 2],
        "points": {"9": 5, "1": 4, "12": 3, "11": 2, "10": 1},
        "factors": {"trump": [1, 2, 4, 8], "botifarra": [2, 4, 8]},
        "target": 101,
        "targets": [50, 100, 101],
    }
