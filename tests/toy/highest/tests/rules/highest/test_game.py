"""Highest by its rules: each test names the paragraph."""

from typing import Any

import pytest

from service import rulebook
from service.rules import highest
from service.rules.errors import IllegalMove
from service.rules.highest.commands import Lay
from service.rules.highest.reasons import REASONS
from service.rules.highest.variants import PACK
from service.rules.protocol import HOUSE, DealCards, GameEnded, Result

ORDER = ("Ah", "7h", "Kh", "8h", "9h", "Qh", "10h", "Jh")
"""Seat 0 deals, so seat 1 gets the ace, the king and the nine."""


def dealt(scores: tuple[int, int] = (0, 0)) -> Any:
    """A game whose first deal lies on the table."""
    state = highest.VARIANTS["highest"].start(2, {"target_score": 50}, 0, scores)
    give(state, DealCards(HOUSE, ORDER))
    return state


def give(state: Any, *commands: Any) -> None:
    """Decides and applies commands."""
    for command in commands:
        for event in highest.decide(state, command):
            highest.evolve(state, event)


WHOLE = "9h Qh 7h Kh Ah 8h"
"""The cards of a whole deal."""


def played(cards: str, scores: tuple[int, int] = (0, 0)) -> Any:
    """The first deal, as far as those cards."""
    state = dealt(scores)
    for card in cards.split():
        give(state, Lay(state.turn, card))
    return state


def test_the_deal_2() -> None:
    state = dealt()
    assert (state.hands, state.stock) == ([("7h", "8h", "Qh"), ("9h", "Kh", "Ah")], ("10h", "Jh"))
    assert highest.to_act(state) == 1


def test_the_higher_card_takes_both_3() -> None:
    state = played("9h Qh")
    assert state.taken == ((0, ("9h", "Qh")),)
    assert highest.to_act(state) == 0


@pytest.mark.parametrize(
    ("cards", "scores"),
    [(WHOLE, (1, 2)), ("Kh 7h Ah 8h 9h Qh", (1, 2)), ("Kh Qh Ah 8h 9h 7h", (0, 4))],
)
def test_a_deal_scores_4(cards: str, scores: tuple[int, int]) -> None:
    assert played(cards).scores == scores


@pytest.mark.parametrize(
    ("before", "winner"), [((49, 10), 0), ((10, 49), 1), ((50, 49), None), ((49, 49), 1)]
)
def test_the_end_5(before: tuple[int, int], winner: int | None) -> None:
    state = played(WHOLE, before)
    scores = (before[0] + 1, before[1] + 2)
    assert highest.result(state) == Result(winner, scores, "target")


REFUSED: dict[str, tuple[Any, Any]] = {
    "not_your_turn": (dealt, Lay(0, "7h")),
    "wrong_phase": (dealt, DealCards(1, PACK)),
    "wrong_pack": (lambda: played(WHOLE), DealCards(HOUSE, ("Ah",))),
    "card_not_in_hand": (dealt, Lay(1, "7h")),
    "ace_cannot_lead": (dealt, Lay(1, "Ah")),
    "game_over": (lambda: played(WHOLE, (60, 0)), Lay(0, "7h")),
}


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_is_reached(code: str) -> None:
    make, command = REFUSED[code]
    with pytest.raises(IllegalMove) as no:
        highest.decide(make(), command)
    assert (no.value.code, no.value.rule) == (code, REASONS[code][0])


def test_hands_of_one_who_resigns_are_opened() -> None:
    state = dealt()
    highest.evolve(state, GameEnded(0, (0, 0), "resigned", tuple(state.hands)))
    assert highest.view(state, None).hands == state.hands


def test_without_a_translation_it_is_told_in_english() -> None:
    book = rulebook.books("fr")["highest"]
    assert (book.language, book.title) == ("en", "Highest")
    assert book == rulebook.books()["highest"]
