"""Who wins a trick and what it is worth (rules 5.2, 1.4)."""

import pytest

from service.rules.botifarra import to_act
from service.rules.botifarra.cards import PACK, POINTS, RANK, arranged
from service.rules.botifarra.commands import Play, Trump
from service.rules.botifarra.events import CardPlayed, TrickWon
from service.rules.botifarra.tricks import beats, why_not, winning, worth
from tests.rules.botifarra.table import give, in_trick


@pytest.mark.parametrize(
    ("trump", "leader", "cards", "winner", "points"),
    [
        pytest.param("B", 1, "O9 O2 O1 O12", 1, 13, id="B24-5.2"),
        pytest.param("B", 1, "O9 B2 O1 B3", 0, 10, id="B25-5.2"),
        pytest.param("O", 2, "C8 C7 C6 C5", 2, 1, id="B27-1.4"),
        pytest.param("E", 0, "C12 E4 E11 E9", 3, 11, id="B28-5.2"),
        pytest.param("botifarra", 3, "C2 E9 O9 B9", 3, 16, id="no-trumps-5.2"),
        pytest.param("O", 0, "O10 O11 C9 O8", 1, 9, id="trumps-led-5.2"),
    ],
)
def test_trick(trump: Trump, leader: int, cards: str, winner: int, points: int) -> None:
    *trick, last = cards.split()
    seat = (leader + 3) % 4
    state = in_trick(trump, seat, trick, [last])
    assert give(state, Play(seat, last)) == [CardPlayed(seat, last), TrickWon(winner, points)]
    assert to_act(state) == state.leader == winner
    assert state.trick == ()
    (won,) = state.tricks
    assert (won.leader, won.cards, won.winner, won.points) == (
        leader,
        tuple(cards.split()),
        winner,
        points,
    )
    assert winning(cards.split(), trump) == (winner - leader) % 4
    assert worth(cards.split()) == points


def test_the_order_of_a_suit() -> None:
    """1.3: the manilla first, then the as, the three figures, and the rest by number."""
    suit = [card for card in PACK if card[0] == "E"]
    order = sorted(suit, key=RANK.__getitem__, reverse=True)
    assert order == ["E9", "E1", "E12", "E11", "E10", "E8", "E7", "E6", "E5", "E4", "E3", "E2"]
    assert list(arranged(reversed(PACK)))[24:36] == order
    assert [card[0] for card in arranged(PACK)] == list("O" * 12 + "C" * 12 + "E" * 12 + "B" * 12)


def test_the_points_of_a_deal() -> None:
    """1.4: fifteen a suit, and one for each of twelve tricks."""
    for letter in "OCEB":
        assert sum(points for card, points in POINTS.items() if card[0] == letter) == 15
    assert sum(POINTS.values()) + 12 == 72
    assert [POINTS[f"C{number}"] for number in (9, 1, 12, 11, 10, 8, 2)] == [5, 4, 3, 2, 1, 0, 0]


def test_beating_is_a_relation_between_two_cards() -> None:
    """5.2: a trump beats every other suit, plain suits do not beat one another."""
    assert beats("B2", "O9", "B")
    assert not beats("O9", "B2", "B")
    assert not beats("B9", "O2", "botifarra")
    assert not beats("O2", "O2", "O")
    assert beats("O9", "O1", "C")
    assert not beats("O1", "O9", "C")


def test_where_a_trick_is_trumped_the_lowest_goes_even_if_it_would_beat_the_card_led() -> None:
    """5.3, 8"""
    assert why_not("C7", ("C5", "C7"), ("C2", "O3"), "O") == "must_play_lowest"
    assert why_not("C5", ("C5", "C7"), ("C2", "O3"), "O") is None
    assert why_not("O4", ("C5", "O4"), ("C2", "O3"), "O") == "must_follow_suit"
