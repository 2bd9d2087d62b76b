"""What may be played to a trick, and why not (rules 5.3, 8)."""

from random import Random

import pytest

from service.rules.botifarra import legal
from service.rules.botifarra.cards import PACK, RANKS
from service.rules.botifarra.commands import TRUMPS, Play, Trump
from service.rules.botifarra.tricks import legal_cards, why_not
from tests.rules.botifarra.table import in_trick, refusal

# id, trumps, trick so far (the last card is the right-hand opponent's), hand, legal, refused
EXAMPLES: list[tuple[str, Trump, str, str, str, str]] = [
    ("B01-5.1", "B", "", "O2 C9 B1", "O2 C9 B1", ""),
    ("B02-5.3.2", "B", "O11", "O12 O1 O10 O2 C9", "O12 O1",
     "O2 must_beat, O10 must_beat, C9 must_follow_suit"),
    ("B03-5.3.3", "B", "O9", "O12 O10 O2 C9", "O2",
     "O10 must_play_lowest, O12 must_play_lowest, C9 must_follow_suit"),
    ("B04-5.3.3", "B", "O9", "O12 O10", "O10", "O12 must_play_lowest"),
    ("B05-5.3.1", "B", "O9 O3", "O12 O10 O2 C9", "O12 O10 O2", "C9 must_follow_suit"),
    ("B06-5.3.1", "B", "O9 O3", "C9 C2 B4 E1", "C9 C2 B4 E1", ""),
    ("B08-5.3.2", "B", "O9", "C9 C2 B4 B2 E1", "B4 B2", "C2 must_trump, E1 must_trump"),
    ("B09-5.3.2", "B", "O9 O2 B10", "C9 B12 B4", "B12", "B4 must_overtrump, C9 must_trump"),
    ("B11-5.3.2", "B", "O9 O2 B10", "C9 C2 E1", "C9 C2 E1", ""),
    ("B12-5.3.3", "B", "O4 B2", "O9 O1 O3 B9", "O3", "O9 must_play_lowest, B9 must_follow_suit"),
    ("B14-5.3.1", "B", "O4 B2 O5", "C9 B9 B3", "C9 B9 B3", ""),
    ("B15-5.3.2", "B", "B8", "B10 B7 B2 C9", "B10", "B2 must_beat, C9 must_follow_suit"),
    ("B17-5.3.2", "B", "B9", "C9 E2", "C9 E2", ""),
    ("B18-5.3.2", "botifarra", "O9", "C9 E2 B1", "C9 E2 B1", ""),
    ("B19-5.3.3", "botifarra", "O9", "O1 O12 O5 B1", "O5",
     "O12 must_play_lowest, B1 must_follow_suit"),
    ("B21-5.2", "C", "E10 B9 E2", "E12 E3", "E12", "E3 must_beat"),
    ("B22-5.3.3", "C", "E10 E12 E9", "E1", "E1", ""),
    ("B23-8", "C", "E10 E12 E9", "E1", "E1", "C9 card_not_in_hand"),
    # Ours
    ("any-trump-where-none-wins-5.3.2", "B", "O9 O2 B10", "C9 B4 B3", "B4 B3", "C9 must_trump"),
    ("overtrumped-partner-5.3.2", "B", "O4 B2 B5", "C9 B9 B3", "B9",
     "B3 must_overtrump, C9 must_trump"),
    ("partner-trumped-suit-held-5.3.1", "B", "O4 B2 O5", "O9 O3 B9", "O9 O3",
     "B9 must_follow_suit"),
    ("partner-leads-trumps-5.3.1", "B", "B12 B3", "B9 B2 C9", "B9 B2", "C9 must_follow_suit"),
    ("trump-led-none-higher-5.3.3", "B", "B9", "B1 B3 B2", "B2", "B1 must_play_lowest"),
    ("partner-beaten-5.3.2", "E", "O12 O1", "O9 O2", "O9", "O2 must_beat"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("trump", "trick", "hand", "allowed", "refused"),
    [pytest.param(*example[1:], id=example[0]) for example in EXAMPLES],
)
def test_example(trump: Trump, trick: str, hand: str, allowed: str, refused: str) -> None:
    seat = 3 if len(trick.split()) == 3 else 1 + len(trick.split()) // 2
    state = in_trick(trump, seat, trick.split(), hand.split())
    assert legal(state, seat) == tuple(Play(seat, card) for card in allowed.split())
    for pair in filter(None, refused.split(", ")):
        card, code = pair.split()
        assert refusal(state, Play(seat, card)) == code


def test_a_card_that_does_not_exist_is_not_in_the_hand() -> None:
    state = in_trick("B", 1, ["O9"], ["O2"])
    assert refusal(state, Play(1, "O13")) == "card_not_in_hand"
    assert refusal(state, Play(1, "??")) == "card_not_in_hand"


def test_the_obligations_as_a_ladder_of_wishes() -> None:
    """An oracle in another shape: the first rung that a hand can meet is what it must do."""
    rng = Random(5)
    for _ in range(4000):
        trump = rng.choice(TRUMPS)
        cards = rng.sample(PACK, 15)
        trick = cards[: rng.randrange(4)]
        hand = cards[len(trick) :][: rng.randint(1, 12)]
        allowed = legal_cards(hand, trick, trump)
        assert list(allowed) == _first_rung(hand, trick, trump)
        for card in PACK:
            assert (why_not(card, hand, trick, trump) is None) == (card in allowed)


def _first_rung(hand: list[str], trick: list[str], trump: Trump) -> list[str]:
    if not trick:
        return hand
    led = trick[0][0]

    def height(card: str) -> tuple[bool, bool, int]:
        return (card[0] == trump, card[0] == led, -RANKS.index(int(card[1:])))

    best = max((card for card in trick if card[0] in (led, trump)), key=height)
    follow = [card for card in hand if card[0] == led]
    if len(trick) >= 2 and trick[-2] == best:
        return follow or hand
    rungs = [
        [card for card in follow if height(card) > height(best)],
        sorted(follow, key=height)[:1],
        [card for card in hand if card[0] == trump and height(card) > height(best)],
        [card for card in hand if card[0] == trump],
        hand,
    ]
    return next(rung for rung in rungs if rung)
