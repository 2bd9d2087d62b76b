"""The search core plays by the rules: the same cards, winners and points as `service.rules`."""

from random import Random

import pytest

from service.rules.botifarra.cards import PACK, POINTS, RANK
from service.rules.botifarra.commands import TRUMPS, ChooseTrump, NoDouble, Play
from service.rules.botifarra.tricks import legal_cards
from service.rules.protocol import HOUSE, DealCards
from tests.rules.botifarra.table import give, opened, shuffled
from tests.rules.spans import span
from tests.workers.botifarra.endings import ending
from workers.strategies.botifarra import sets
from workers.strategies.botifarra.core import Position
from workers.strategies.botifarra.names import CARDS, NUMBER, as_set, position


def shape(at: Position) -> tuple[object, ...]:
    """All of a position but the points taken before it."""
    hands = (at.mine, at.next, at.partners, at.last)
    trick = (at.laid, at.led, at.best, at.ago, at.points)
    return (at.seat, at.trumps, at.left, at.legal(), *hands, *trick)


def test_every_position_of_random_deals_is_the_same_as_by_the_rules() -> None:
    rng, positions = Random(11), 0
    while positions < span(2_400, 100_000):
        state = opened(rng.randrange(4))
        trump = rng.choice(TRUMPS)
        give(state, DealCards(HOUSE, shuffled(rng)), ChooseTrump(state.dealer, trump))
        give(state, *(NoDouble((state.dealer + step) % 4) for step in (1, 3)))
        core = position(state)
        for number in range(48):
            positions += 1
            assert core.seat == state.turn
            assert shape(core) == shape(position(state))
            legal = legal_cards(state.hands[state.turn], state.trick, trump)
            assert sorted(CARDS[card] for card in core.legal()) == sorted(legal)
            for side in (0, 1):
                won = sum(trick.points for trick in state.tricks if trick.winner % 2 == side)
                assert core.taken(side) == won
            assert core.taken(0) + core.taken(1) + core.left == 72
            card = rng.choice(legal)
            give(state, Play(state.turn, card))
            core.play(NUMBER[card])
            assert len(state.tricks) == (number + 1) // 4
        assert (core.left, core.legal()) == (0, [])


def test_the_cards_are_those_of_the_rules() -> None:
    assert sorted(CARDS) == sorted(PACK)
    for card, number in NUMBER.items():
        assert number % 12 == RANK[card]
        assert sets.worth(sets.bit(number)) == POINTS[card]
        assert sets.suit_of(sets.bit(number)) == as_set(c for c in PACK if c[0] == card[0])


def test_sets_are_counted_and_looked_at_by_suits() -> None:
    rng = Random(5)
    for _ in range(span(300, 10_000)):
        cards = {card for card in range(48) if rng.random() < rng.random()}
        as_bits = sum(1 << card for card in cards)
        assert sets.size(as_bits) == len(cards)
        assert sets.worths(as_bits) == sum(POINTS[CARDS[card]] for card in cards)
        higher = {
            card: [c for c in cards if c // 12 == card // 12 and c >= card] for card in range(48)
        }
        assert sets.below(as_bits) == sum(1 << card for card in range(48) if higher[card])
        suits = {card // 12 for card in cards}
        assert sets.suits(as_bits) == sum(0xFFF << 12 * suit for suit in suits)
        if cards:
            counts = [POINTS[CARDS[card]] for card in cards]
            assert sets.worth(sets.cheapest(as_bits)) == min(counts)
            assert sets.worth(sets.richest(as_bits)) == max(counts)


def test_bits_beyond_the_thirty_second_are_not_lost() -> None:
    # Compiled, a shift of a literal one has 32 bits: `1 << 40` gave 256.
    assert [sets.bit(card) for card in range(48)] == [1 << card for card in range(48)]


def test_a_copy_shares_nothing() -> None:
    at = ending(Random(3), 22)
    before = shape(at)
    twin = at.copy()
    assert shape(twin) == before
    twin.play(twin.legal()[0])
    assert shape(at) == before
    assert [at.taken(side) for side in (0, 1)] == [at.copy().taken(side) for side in (0, 1)]


def test_a_position_may_begin_within_a_trick() -> None:
    # Trumps bastons; seat 0 led O9, seats 1 and 2 followed; seat 3 has none and may throw any.
    hands = [as_set(cards) for cards in (["C2"], ["C3"], ["C4"], ["C5", "C9"])]
    at = Position(hands, 3, 0, [NUMBER[card] for card in ("O9", "O2", "O3")])
    assert (at.seat, at.laid, at.ago, at.points) == (3, 3, 3, 5)
    assert [CARDS[card] for card in at.legal()] == ["C5", "C9"]


@pytest.mark.parametrize("cards", [48, 31, 4])
def test_random_play_is_by_its_seed_alone_and_takes_what_may_be_taken(cards: int) -> None:
    at = ending(Random(4), cards)
    taken = [at.random(seed) for seed in range(200)]
    assert taken == [at.copy().random(seed) for seed in range(200)]
    assert all(0 <= points <= at.left for points in taken)
    assert len(set(taken)) > (1 if cards > 4 else 0)


def test_random_play_reaches_what_random_play_by_steps_reaches() -> None:
    """Of a small ending, every outcome that some play has, and none that no play has."""
    rng = Random(8)
    for _ in range(20):
        at = ending(rng, 6, rich=True)
        assert {at.random(seed) for seed in range(2_000)} == outcomes(at)


def outcomes(at: Position) -> set[int]:
    """The points that the side to act may take, whatever all play."""
    found = set[int]()
    for card in at.legal():
        then = at.copy()
        then.play(card)
        ours = (then.seat - at.seat) % 2 == 0
        for points in outcomes(then):
            found.add(at.left - then.left + points if ours else then.left - points)
    return found or {0}
