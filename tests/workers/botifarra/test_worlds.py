"""Worlds are all deals that agree with what is known, and each is as likely."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from service.rules import GAMES
from service.rules.botifarra.cards import PACK
from service.rules.botifarra.commands import TRUMPS, Trump
from service.rules.botifarra.tricks import legal_cards
from service.rules.protocol import HOUSE
from tests.rules.spans import span
from tests.workers.duel import moments
from workers.strategies.botifarra.deal import Deal
from workers.strategies.botifarra.known import known
from workers.strategies.botifarra.names import CARDS, NUMBER, TRUMP, as_set
from workers.strategies.botifarra.worlds import Worlds

RULES = GAMES["botifarra"]


def cards(bits: int) -> list[int]:
    return [card for card in range(48) if bits >> card & 1]


def all_deals(hidden: int, able: tuple[int, ...], sizes: tuple[int, ...]) -> set[tuple[int, ...]]:
    """By trying all, for seat 0."""
    found = set()
    left = set(cards(hidden))
    for one in combinations(sorted(left), sizes[1]):
        for two in combinations(sorted(left - set(one)), sizes[2]):
            three = left - set(one) - set(two)
            hands = tuple(sum(1 << c for c in hand) for hand in (one, two, three))
            if all(hand & ~able[seat + 1] == 0 for seat, hand in enumerate(hands)):
                found.add(hands)
    return found


@pytest.mark.parametrize("case", range(span(12, 60)))
def test_each_possible_deal_is_drawn_as_often(case: int) -> None:
    rng = Random(case)
    sizes = (3, *rng.choice([(3, 3, 3), (2, 3, 3), (2, 2, 3), (2, 2, 2)]))
    deck = rng.sample(range(48), sum(sizes))
    hand, hidden = sum(1 << c for c in deck[:3]), sum(1 << c for c in deck[3:])
    able = (hand, *(hidden & (rng.getrandbits(48) | rng.getrandbits(48)) for _ in range(3)))
    deals = all_deals(hidden, able, sizes)
    if not deals:
        with pytest.raises(ValueError):
            Worlds(0, hidden, able, sizes, rng)
        return
    worlds = Worlds(0, hidden, able, sizes, rng)
    assert worlds.total == len(deals)
    seen: Counter[tuple[int, ...]] = Counter()
    draws = 40 * len(deals)
    for _ in range(draws):
        worlds.draw()
        assert worlds.hands[0] == hand
        seen[tuple(worlds.hands[1:])] += 1
    assert set(seen) <= deals
    # Chi squared: its mean is the number of deals less one, its variance twice that.
    expected = draws / len(deals)
    square = sum((seen[deal] - expected) ** 2 / expected for deal in deals)
    free = len(deals) - 1
    assert square <= free + 5 * (2 * free) ** 0.5 + 1e-9


def test_seats_are_counted_from_the_one_that_looks() -> None:
    hand, hidden = as_set(["O9"]), as_set(["O1", "O12", "O11"])
    able = (as_set(["O1"]), as_set(["O12"]), hand, as_set(["O11"]))
    worlds = Worlds(2, hidden, able, (1, 1, 1, 1), Random(1))
    worlds.draw()
    assert (worlds.total, worlds.hands) == (1, list(able))


@pytest.mark.parametrize("level", ["novice", "casual"])
def test_the_truth_is_possible_and_no_world_contradicts_a_rule(level: str) -> None:
    draws = Random(1)
    for seed in range(span(4, 250)):
        for moment in moments("botifarra", [level] * 4, seed, deals=1):
            state = moment.state
            seat = RULES.to_act(state)
            if seat is None or seat == HOUSE or state.phase != "play":
                continue
            there = known(RULES.view(state, seat), seat)
            for hand, able in zip(state.hands, there.able, strict=True):
                assert as_set(hand) & ~able == 0
            worlds = Worlds(seat, there.hidden, there.able, there.sizes, draws)
            worlds.draw()
            assert worlds.hands[seat] == there.hand
            assert_played_by_the_rules(worlds.hands, there.played, state.trump)


def assert_played_by_the_rules(
    left: list[int], played: tuple[tuple[int, int], ...], trump: Trump
) -> None:
    """Each card that was played was legal if the seats held these cards besides."""
    hands = [[CARDS[card] for card in cards(hand)] for hand in left]
    for seat, card in played:
        hands[seat].append(CARDS[card])
    assert sorted(NUMBER[card] for hand in hands for card in hand) == list(range(48))
    trick: list[str] = []
    for seat, code in played:
        if len(trick) == 4:
            trick = []
        assert CARDS[code] in legal_cards(hands[seat], trick, trump)
        hands[seat].remove(CARDS[code])
        trick.append(CARDS[code])


@pytest.mark.parametrize("trump", TRUMPS)
def test_a_card_tells_what_would_have_forbidden_it_and_nothing_else(trump: Trump) -> None:
    rng = Random(trump)
    for _ in range(span(300, 20_000)):
        *trick, card = rng.sample(PACK, rng.randint(1, 4))
        deal = Deal(TRUMP[trump])
        for laid in trick:
            deal.play(NUMBER[laid])
        told = deal.tell(NUMBER[card])
        others = [other for other in PACK if other not in (card, *trick)]
        forbidding = [c for c in others if card not in legal_cards((card, c), trick, trump)]
        assert told & as_set(others) == as_set(forbidding)
        # No two cards forbid it together that do not alone.
        rest = [other for other in others if other not in forbidding]
        assert card in legal_cards((card, *rng.sample(rest, min(len(rest), 11))), trick, trump)
