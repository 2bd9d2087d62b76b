"""What mutants found untested: a state before and after a deal begins, and what is on offer."""

from itertools import islice
from random import Random

from service.rules.botifarra.commands import TRUMPS, ChooseTrump, Delegate, NoDouble
from service.rules.botifarra.events import Stake
from service.rules.botifarra.legal import legal
from service.rules.botifarra.state import FIELDS
from service.rules.protocol import HOUSE
from tests.rules.botifarra.table import BOTIFARRA, dealt, give, opened, random_game


def test_before_the_first_deal_nothing_has_happened() -> None:
    state = opened(2, (7, 8), 150)
    assert {name: getattr(state, name) for name in FIELDS} == {
        "variant": BOTIFARRA,
        "target": 150,
        "dealer": 2,
        "deal": 0,
        "phase": "dealing",
        "turn": 2,
        "maker": None,
        "caller": None,
        "trump": None,
        "stake": Stake(0, 1),
        "hands": [()] * 4,
        "leader": 2,
        "trick": (),
        "tricks": (),
        "scores": (7, 8),
        "last_deal": None,
        "result": None,
    }


def test_a_deal_begins_without_trumps() -> None:
    """3.1"""
    state = dealt()
    assert (state.maker, state.caller, state.trump, state.tricks) == (None, None, None, ())


def test_what_is_on_offer_before_play() -> None:
    """3.1 to 3.3, 4: the dealer chooses or delegates, the partner chooses."""
    assert legal(opened(), HOUSE) == ()
    state = dealt()
    chosen = tuple(ChooseTrump(0, trump) for trump in TRUMPS)
    assert legal(state, 0) == (*chosen, Delegate(0))
    assert legal(state, 2) == ()
    give(state, Delegate(0))
    assert legal(state, 2) == tuple(ChooseTrump(2, trump) for trump in TRUMPS)


def test_the_sheet_names_the_trumps() -> None:
    """6"""
    state = dealt()
    give(state, ChooseTrump(0, "O"), NoDouble(1), NoDouble(3))
    rng = Random(1)
    while state.last_deal is None:
        seat = state.turn
        give(state, rng.choice(legal(state, seat)))
    assert [side.lines[-1].detail for side in state.last_deal.sides] == ["oros: ×1"] * 2


def test_a_game_ends_with_its_target() -> None:
    """7"""
    *_, (state, _) = islice(random_game(3, target=30), 1_000)
    assert state.result
    assert max(state.result.scores) >= 30
