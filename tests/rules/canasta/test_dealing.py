"""The deal and its red threes (rules 3.2 and 3.3)."""

import pytest

from service.rules.canasta import decide, evolve, to_act
from service.rules.canasta.commands import Command
from service.rules.canasta.events import RedThreesReplaced
from service.rules.canasta.state import State
from service.rules.canasta.variants import VARIANTS
from service.rules.cards import Card, without
from service.rules.deals import DealStarted
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, DealCards
from tests.rules.canasta.notation import cards, play, position, run


def before(variant: str, players: int, dealer: int = 0) -> State:
    """A game before its first deal."""
    rules = VARIANTS[variant]
    sides = max(rules.sides(players)) + 1
    target = rules.options(players)["target_score"].default
    return rules.start(players, {"target_score": target}, dealer, (0,) * sides)


def packed(variant: str, places: dict[int, str]) -> tuple[Card, ...]:
    """The variant's pack with the given cards at the given places, then naturals."""
    pack = VARIANTS[variant].pack()
    given = {start + k: card for start, row in places.items() for k, card in enumerate(cards(row))}
    rest = list(without(pack, given.values()))
    rest.sort(key=lambda card: card == "JK" or card[0] in "23")
    return tuple(given[k] if k in given else rest.pop(0) for k in range(len(pack)))


def deal(state: State, pack: tuple[Card, ...]) -> tuple[DealStarted, list[RedThreesReplaced]]:
    started, *replaced = decide(state, DealCards(HOUSE, pack))
    assert isinstance(started, DealStarted)
    for event in (started, *replaced):
        evolve(state, event)
    return started, [event for event in replaced if isinstance(event, RedThreesReplaced)]


@pytest.mark.parametrize(
    ("variant", "players", "stock"),
    [("canasta", 4, 63), ("canasta", 3, 68), ("canasta", 2, 77), ("bolivie", 4, 63)]
    + [(variant, 4, 101) for variant in ("samba", "bolivia")]
    + [(variant, 3, 116) for variant in ("samba", "bolivia")]
    + [(variant, 2, 131) for variant in ("samba", "bolivia")],
    ids=lambda value: f"C117-{value}" if isinstance(value, str) else None,
)
def test_stock_after_the_deal(variant: str, players: int, stock: int) -> None:
    state = before(variant, players)
    started, _ = deal(state, packed(variant, {}))
    assert len(started.stock) == stock
    assert {len(hand) for hand in started.hands} == {state.variant.hand_size[players]}
    assert len(started.pile) == 1


@pytest.mark.parametrize(("variant", "frozen"), [("canasta", False), ("bolivie", True)])
def test_black_three_as_upcard(variant: str, frozen: bool) -> None:
    """C118: it stays, bars the first player, and freezes the pile in bolivie only."""
    state = before(variant, 4)
    started, _ = deal(state, packed(variant, {44: "3c"}))
    assert started.pile == ("3c",)
    assert run(state, f"P1 take_pile [{' '.join(state.hands[1][:2])}]") == "top_three"
    state.melds[1] = position(variant, 4, "side 1: m1 = 9c 9d 9h").melds[1]
    assert state.frozen(1) == frozen


@pytest.mark.parametrize(
    ("variant", "frozen"),
    [("canasta", True), ("bolivie", True), ("samba", False), ("bolivia", False)],
)
@pytest.mark.parametrize("covered", ["2c", "JK", "3d", "3d 2h JK"])
def test_covered_upcards(variant: str, frozen: bool, covered: str) -> None:
    """3.2.3: wild cards and red threes are covered, and freeze where that is a rule."""
    state = before(variant, 4)
    start = 4 * state.variant.hand_size[4]
    started, _ = deal(state, packed(variant, {start: covered + " 3s"}))
    assert started.pile == (*cards(covered), "3s")
    state.melds[0] = position(variant, 4, "side 0: m1 = 9c 9d 9h").melds[0]
    state.pile = (*state.pile[:-1], "Kd")
    assert state.frozen(0) == frozen


def test_one_card_at_a_time_from_the_dealers_left() -> None:
    """3.2.1, 3.1.3"""
    state = before("canasta", 3, dealer=1)
    deal(state, packed("canasta", {0: "Kc Ac Qc", 36: "Kd Ad Qd", 39: "9h 10s"}))
    assert [card in state.hands[2] for card in ("Kc", "Kd")] == [True, True]
    assert [card in state.hands[0] for card in ("Ac", "Ad")] == [True, True]
    assert [card in state.hands[1] for card in ("Qc", "Qd")] == [True, True]
    assert state.pile == ("9h",)
    assert state.stock[0] == "10s"
    assert (state.turn, to_act(state), state.phase) == (2, 2, "draw")


def test_dealt_red_threes_are_replaced_from_the_first_player_on() -> None:
    """3.2.4: seat 1 plays first; its second replacement is a red three again."""
    state = before("canasta", 4)
    pack = packed("canasta", {0: "3d Kc Kd 3h", 44: "9h 3d Qs Qh"})
    started, replaced = deal(state, pack)
    assert "3d" in started.hands[1]
    assert replaced == [
        RedThreesReplaced(1, ("3d", "3d"), ("Qs",)),
        RedThreesReplaced(0, ("3h",), ("Qh",)),
    ]
    assert state.red_threes == [("3h",), ("3d", "3d")]
    assert [len(hand) for hand in state.hands] == [11] * 4
    assert state.stock == pack[48:]


def test_the_next_deal_comes_from_the_next_seat() -> None:
    """3.1.3"""
    state = before("samba", 3, dealer=2)
    deal(state, packed("samba", {}))
    assert (state.deal, state.dealer, state.turn) == (1, 2, 0)
    state.stock = ()
    play(state, "P0 pass")
    assert to_act(state) == HOUSE
    deal(state, packed("samba", {}))
    assert (state.deal, state.dealer, state.turn) == (2, 0, 1)
    assert state.melds == [(), (), ()]


def test_nothing_of_a_deal_goes_on_in_the_next() -> None:
    """3.1.3, 3.2: only scores and the dealer's seat."""
    fresh, state = before("samba", 3), before("samba", 3)
    fresh.deal = state.deal = 1
    state.next_meld, state.passes = 9, 3
    state.laid, state.laid_now, state.melded_before = [True] * 3, True, True
    state.asked = state.refused = True
    state.melds[0] = position("samba", 3, "side 0: m1 = 9c 9d 9h").melds[0]
    state.red_threes[0] = cards("3d 3h")
    for each in (fresh, state):
        deal(each, packed("samba", {}))
    assert (state.deal, state.dealer, state.melds) == (2, 1, [(), (), ()])
    assert (state.laid, state.laid_now, state.next_meld, state.passes) == ([False] * 3, False, 1, 0)
    assert state == fresh


def refusal(state: State, asked: Command) -> str:
    copy = state.copy()
    with pytest.raises(IllegalMove) as no:
        decide(state, asked)
    assert state == copy
    return no.value.code


def test_only_the_house_deals_only_when_it_is_due_and_only_the_whole_pack() -> None:
    """3.2, 4.9"""
    state, pack = before("canasta", 2), packed("canasta", {})
    assert refusal(state, DealCards(0, pack)) == "not_your_turn"
    assert refusal(state, DealCards(HOUSE, pack[1:])) == "wrong_pack"
    assert refusal(state, DealCards(HOUSE, (*pack[:-1], "??"))) == "wrong_pack"
    assert refusal(state, DealCards(HOUSE, VARIANTS["samba"].pack())) == "wrong_pack"
    deal(state, pack)
    assert refusal(state, DealCards(HOUSE, pack)) == "wrong_phase"
    assert refusal(state, DealCards(1, pack)) == "not_your_turn"
    assert refusal(position("canasta", 2, "over: P0"), DealCards(HOUSE, pack)) == "game_over"
