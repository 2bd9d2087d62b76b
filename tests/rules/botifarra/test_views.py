"""What each seat may see (rules 5.4)."""

import pytest

from service.rules.botifarra import evolve, seen, view
from service.rules.botifarra.commands import Play
from service.rules.botifarra.events import CardPlayed, TrickWon
from service.rules.cards import UNSEEN
from service.rules.deals import DealStarted
from tests.rules.botifarra.table import dealt, give, in_trick, opened, random_game


def test_only_ones_own_hand() -> None:
    state = dealt()
    for seat in (0, 1, 2, 3, None):
        sight = view(state, seat)
        for owner in range(4):
            hidden = state.hands[owner] if owner == seat else (UNSEEN,) * 12
            assert sight.hands[owner] == hidden
    assert UNSEEN not in state.hands[0]


def test_every_card_of_the_deal_lies_somewhere() -> None:
    state = dealt()
    whole = sorted(state.cards())
    assert len(set(whole)) == 48
    for seat in range(4):
        card = state.hands[seat][0]
        evolve(state, CardPlayed(seat, card))
        assert sorted(state.cards()) == whole
    evolve(state, TrickWon(1, 3))
    assert sorted(state.cards()) == whole


def test_the_deal_as_a_seat_sees_it() -> None:
    state = opened()
    event = DealStarted(1, 0, (("O1",), ("O2",), ("O3",), ("O4",)), (), (), (0, 0))
    assert seen(event, 2) == DealStarted(1, 0, (("??",), ("??",), ("O3",), ("??",)), (), (), (0, 0))
    assert seen(event, None) == DealStarted(1, 0, (("??",),) * 4, (), (), (0, 0))
    assert seen(CardPlayed(1, "O2"), 3) == CardPlayed(1, "O2")
    evolve(state, event)
    assert state.hands == [("O1",), ("O2",), ("O3",), ("O4",)]


def test_the_table_before_anything() -> None:
    assert opened(3).table() == {
        "deal": 0,
        "dealer": 3,
        "phase": "dealing",
        "maker": None,
        "trump": None,
        "stake": {"level": 0, "factor": 1},
        "hands": [[], [], [], []],
        "trick": [],
        "last_trick": None,
        "tricks": [0, 0],
        "last_deal": None,
    }


def test_the_table_in_play() -> None:
    """5.4: only the last trick, the number of tricks, and no running points."""
    state = in_trick("O", 2, ["B4", "B5", "B6"], ["B1", "C7"])
    give(state, Play(2, "B1"))
    for seat, card in ((2, "O2"), (3, "O9"), (0, "O3"), (1, "O4")):
        state.hands[seat] = (card, "C2")
        evolve(state, CardPlayed(seat, card))
    for event in (TrickWon(3, 6), CardPlayed(3, "C2"), CardPlayed(0, "C2")):
        evolve(state, event)
    table = view(state, 1).table()
    assert table == {
        "deal": 1,
        "dealer": 0,
        "phase": "play",
        "maker": 0,
        "trump": "O",
        "stake": {"level": 0, "factor": 1},
        "hands": [[], ["C2"], ["??"], []],
        "trick": [{"seat": 3, "card": "C2"}, {"seat": 0, "card": "C2"}],
        "last_trick": {
            "cards": [
                {"seat": 2, "card": "O2"},
                {"seat": 3, "card": "O9"},
                {"seat": 0, "card": "O3"},
                {"seat": 1, "card": "O4"},
            ],
            "winner": 3,
            "points": 6,
        },
        "tricks": [1, 1],
        "last_deal": None,
    }


@pytest.mark.parametrize(("winners", "tricks"), [((3, 3, 1), [0, 3]), ((2, 0, 3, 2), [3, 1])])
def test_tricks_are_counted_by_side(winners: tuple[int, ...], tricks: list[int]) -> None:
    state = opened()
    for seat in winners:
        evolve(state, TrickWon(seat, 1))
    assert state.table()["tricks"] == tricks


def test_the_table_after_a_deal() -> None:
    for state, _ in random_game(4):
        if state.last_deal:
            break
    assert state.last_deal
    sheet = state.table()["last_deal"]
    assert (sheet["deal"], sheet["why"]) == (1, "played_out")
    for side, told in zip(state.last_deal.sides, sheet["sides"], strict=True):
        assert told["total"] == side.total
        assert told["lines"] == [
            {
                "name": line.name,
                "points": line.points,
                "detail": line.detail,
                "parts": line.parts,
            }
            for line in side.lines
        ]
    assert [line["name"] for line in sheet["sides"][0]["lines"]] == [
        "cards",
        "tricks",
        "half",
        "stake",
    ]
