"""What `legal` lists: on whole deals, on hands with a planted way out, and in what order."""

from collections import Counter
from random import Random
from typing import Final

import pytest

from service.rules.canasta.arrange import leanest
from service.rules.canasta.commands import (
    Answer,
    AskPartner,
    Command,
    Discard,
    Draw,
    GoOut,
    Group,
    Meld,
    Pass,
    Plan,
    Take,
    TakePile,
    TakeTop,
)
from service.rules.canasta.decide import decide
from service.rules.canasta.events import MeldKind
from service.rules.canasta.evolve import evolve
from service.rules.canasta.legal import exits, legal, openings
from service.rules.canasta.melds import kind_of, meld_fault, new_fault, points, requirement_met
from service.rules.canasta.state import Meld as TableMeld
from service.rules.canasta.state import Phase, State
from service.rules.canasta.variants import VARIANTS
from service.rules.canasta.view import to_act, view
from service.rules.cards import RANKS, SUITS, Card, arranged, without
from service.rules.protocol import HOUSE, DealCards
from tests.rules.spans import span

TABLES: Final = [(name, players) for name, variant in VARIANTS.items() for players in variant.seats]

HABITS: Final[dict[str, tuple[type, ...]]] = {
    "hoards": (TakePile, TakeTop, Draw, Discard),
    "lays": (GoOut, AskPartner, TakePile, TakeTop, Draw, Meld),
    "anything": (),
}
"""What a player prefers; a hoarder's hand grows to fifty cards."""


def whole_deal(name: str, players: int, habit: str, seed: int) -> None:
    """Plays a deal, looking at everything that is offered on the way."""
    random, variant = Random(f"{name} {players} {habit} {seed}"), VARIANTS[name]
    scores = [random.choice([-5, 0, 1500, 3000, 7000]) for _ in set(variant.sides(players))]
    state = variant.start(players, {"target_score": 10**6}, 0, scores)
    pack = list(variant.pack())
    random.shuffle(pack)
    events = decide(state, DealCards(HOUSE, tuple(pack)))
    for _ in range(5000):
        for event in events:
            evolve(state, event)
        seat = to_act(state)
        if seat is None or seat == HOUSE:
            return
        offered = legal(state, seat)
        assert 0 < len(offered) <= 400
        assert len(set(offered)) == len(offered)
        assert legal(view(state, seat), seat) == offered
        for command in offered if random.random() < 0.3 else random.sample(offered, 1):
            assert decide(state, command)
        events = decide(state, choose(offered, HABITS[habit], random))
    raise AssertionError("a deal without end")


def choose(offered: tuple[Command, ...], habit: tuple[type, ...], random: Random) -> Command:
    kinds = dict.fromkeys(type(command) for command in offered)
    liked = [kind for kind in habit if kind in kinds]
    kind = liked[0] if liked and random.random() < 0.9 else random.choice(list(kinds))
    return random.choice([command for command in offered if type(command) is kind])


@pytest.mark.sampled(7)  # no divisor of the habits: all have their turn
@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_all_that_is_offered_in_a_deal_is_accepted(name: str, players: int, habit: str) -> None:
    whole_deal(name, players, habit, 0)


@pytest.mark.slow
@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_all_that_is_offered_in_many_deals_is_accepted(name: str, players: int, habit: str) -> None:
    for seed in range(1, span(3, 20)):
        whole_deal(name, players, habit, seed)


def final_meld(name: str, random: Random) -> tuple[MeldKind, tuple[Card, ...]]:
    """A lawful meld of three to seven cards."""
    variant, size = VARIANTS[name], random.choice([3, 3, 4, 5, 6, 7, 7, 7])
    kinds = sorted(variant.largest.keys() - {"b3"})
    kind: MeldKind = random.choice(kinds)
    if kind == "wild":
        return kind, arranged(random.sample(["JK", "2c", "2d", "2h", "2s"] * 2, size))
    if kind == "seq":
        low, suit = random.randrange(len(RANKS) - size + 1), random.choice(SUITS)
        return kind, tuple(rank + suit for rank in RANKS[low : low + size])
    wild = random.sample(["JK", "2c", "2d"], random.randint(0, 2) if size == 7 else 0)
    rank = random.choice(RANKS)
    naturals = [rank + suit for suit in SUITS for _ in range(variant.decks)]
    return kind, arranged(random.sample(naturals, size - len(wild)) + wild)


def planted(name: str, random: Random) -> State | None:
    """A hand put together from melds, lay-offs and perhaps a discard; None if it cannot go out."""
    variant = VARIANTS[name]
    pack, hand = Counter(variant.pack()), Counter[Card]()
    melds: list[TableMeld] = []
    table: list[TableMeld] = []
    for _ in range(random.randint(2, 8)):
        kind, cards = final_meld(name, random)
        if Counter(cards) - pack or new_fault(variant, melds, cards, kind):
            continue
        pack -= Counter(cards)
        melds.append(TableMeld(f"m{len(melds)}", kind, cards))
        old = cards[: random.choice([0, 0, 3, 5])] if random.random() < 0.9 else cards
        if old and meld_fault(variant, old, kind) is None:
            table.append(TableMeld(f"m{len(table) + 1}", kind, old))
            cards = without(cards, old)
        hand.update(cards)
    if not requirement_met(variant, 4, melds) or points(hand.elements()) < 15:
        return None
    hand.update(random.choice([[], ["3c", "3s", "3c"]]))
    worth = points(hand.elements())
    scores = [score for score in (-5, 0, 1500, 3000, 7000) if variant.minimum(score) <= worth]
    hand.update(random.choice([[], ["4c"], ["Ah"], ["JK"]]))
    state = variant.start(4, {"target_score": 10**6}, 0, [(scores or [-5])[-1]] * 2)
    state.deal, state.turn, state.phase, state.next_meld = 1, 0, "play", len(table) + 1
    state.hands = [arranged(hand.elements()), ("4c",), ("4c",), ("4c",)]
    state.melds[0] = tuple(table)
    return state


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(200), id="quick"),
        pytest.param(range(200, 400), id="more", marks=pytest.mark.more),
        pytest.param(range(400, span(800, 20_000)), id="long", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_planted_way_out_is_found(name: str, seeds: range) -> None:
    """With hands of any size, concealed and with long sequences, where brute force is too slow."""
    sizes = []
    for seed in seeds:
        state = planted(name, Random(seed))
        if state:
            plan = next(exits(state, 0), None)
            assert plan, (seed, state.hands[0], state.melds[0])
            assert decide(state, AskPartner(0, plan))
            sizes.append(len(state.hands[0]))
    assert len(sizes) > len(seeds) / 20
    assert max(sizes) > 25


def seen(name: str, hand: str, phase: Phase, table: str = "", pile: str = "") -> State:
    """Four players, seat 0 to act; the table is the melds of side 0, divided by bars."""
    state = VARIANTS[name].start(4, {"target_score": 10**6}, 0, [0, 0])
    state.deal, state.turn, state.phase = 1, 0, phase
    state.hands = [arranged(hand.split()), ("4c", "5d"), ("4c", "5d"), ("4c", "5d")]
    melds = [tuple(cards.split()) for cards in table.split("|") if cards.strip()]
    state.melds[0] = tuple(
        TableMeld(f"m{number}", kind_of(cards), cards) for number, cards in enumerate(melds, 1)
    )
    state.next_meld = len(melds) + 1
    state.pile, state.stock = tuple(pile.split()), ("8c", "8d")
    return state


class TestOrder:
    """The whole list, in small positions of each phase."""

    def test_before_drawing(self) -> None:
        state = seen("samba", "9c 9d 9d Kc 2c", "draw", "8c 8d 8h | 6h 7h 8h", "Qs 9h")
        assert legal(state, 0) == (
            Draw(0),
            TakeTop(0, "m2"),
            TakePile(0, ("9c", "9d")),
            TakePile(0, ("9d", "9d")),
            TakePile(0, ("9c", "9d", "9d")),
            TakePile(0, ("9c", "9d", "9d", "2c")),
        )

    def test_before_drawing_for_a_first_meld(self) -> None:
        state = seen("canasta", "Kc Kh 9s 9d 9h 4c 6d", "draw", pile="5c Kd")
        nines = Group(("9d", "9h", "9s"))
        assert legal(state, 0) == (Draw(0), TakePile(0, ("Kc", "Kh"), None, (nines,)))

    def test_while_playing(self) -> None:
        state = seen("samba", "4h 9c 9d 2c 5d 5d", "play", "5h 6h 7h | 9h 9s 9s")
        groups = [
            Group(("5d", "5d", "2c")),
            Group(("9c", "9d", "2c")),
            Group(("4h",), "m1"),
            Group(("9c",), "m2"),
            Group(("9d",), "m2"),
            Group(("9c", "9d"), "m2"),
            Group(("2c",), "m2"),
        ]
        assert legal(state, 0) == (
            *(Meld(0, (group,)) for group in groups),
            *(Discard(0, card) for card in ("4h", "5d", "9c", "9d", "2c")),
        )

    def test_a_first_meld_while_playing(self) -> None:
        state = seen("canasta", "9c 9d 9h 9s Ac Ad 2c 4c 6d", "play")
        assert [command for command in legal(state, 0) if isinstance(command, Meld)] == [
            Meld(0, (Group(("Ac", "Ad", "2c")),)),
            Meld(0, (Group(("9c", "9d", "9h", "9s")), Group(("Ac", "Ad", "2c")))),
            Meld(0, (Group(("9c", "9d", "9h", "9s", "2c")),)),
        ]

    def test_on_the_way_out(self) -> None:
        state = seen("canasta", "9c 4d", "play", "7c 7c 7d 7d 7h 7h 7s | 9d 9h 9s")
        nine = (Group(("9c",), "m2"),)
        assert legal(state, 0) == (
            GoOut(0, nine, "4d"),
            AskPartner(0, Plan(nine, "4d")),
            Meld(0, nine),
            Discard(0, "4d"),
            Discard(0, "9c"),
        )

    def test_a_new_meld_on_the_way_out(self) -> None:
        """Only where it is the canasta that is wanted, or comes beside one (3.9.2, 3.10)."""
        nines = Meld(0, (Group(("9c", "9d", "9h")),))
        state = seen("canasta", "9c 9d 9h 4d", "play", "7c 7c 7d 7d 7h 7h 7s")
        assert nines in legal(state, 0)
        state = seen("canasta", "9c 9d 9h 4d", "play", "7c 7c 7d 7d 7h 7h")
        assert nines not in legal(state, 0)

    def test_nobody_is_asked_twice(self) -> None:
        """(3.13.1)"""
        state = seen("canasta", "9c 4d", "play", "7c 7c 7d 7d 7h 7h 7s | 9d 9h 9s")
        state.asked = True
        assert not any(isinstance(command, AskPartner) for command in legal(state, 0))
        assert GoOut(0, (Group(("9c",), "m2"),), "4d") in legal(state, 0)

    def test_wild_melds(self) -> None:
        """A new one, or cards for the one there is, up to seven (3.7.3)."""
        state = seen("bolivia", "2c 2d 2h 2s JK 4c 5d", "play", "2s JK JK")
        groups = [
            Group(("2c", "2d", "2h")),
            Group(("2c", "2d", "2h", "2s", "JK")),
            Group(("2c",), "m1"),
            Group(("JK",), "m1"),
            Group(("2c", "2d", "2h", "2s"), "m1"),
        ]
        assert [each for each in legal(state, 0) if isinstance(each, Meld)] == [
            Meld(0, (group,)) for group in groups
        ]

    def test_where_asking_is_compulsory(self) -> None:
        """Before drawing, too, with a plan that begins with a take (3.13.3)."""
        table = "4s 5s 6s 7s 8s 9s 10s | 9d 9d 9h 9h 9s 9c"
        plan = Plan((Group(("9c",), "m2"),), "4d")
        state = seen("bolivie", "9c 4d", "play", table)
        assert legal(state, 0) == (AskPartner(0, plan), Discard(0, "4d"), Discard(0, "9c"))
        state = seen("bolivie", "4c 4d", "draw", table, "5c 9s")
        assert not any(isinstance(command, AskPartner) for command in legal(state, 0))
        state = seen("bolivie", "4c 4d", "draw", table, "4h 9s")
        asked = [command for command in legal(state, 0) if isinstance(command, AskPartner)]
        assert asked == [AskPartner(0, Plan((Group(("4c", "4d", "4h")),), None, Take((), "m2")))]

    def test_black_threes_count_for_the_minimum(self) -> None:
        state = seen("canasta", "4c 4c 4d 4d 4h 4h 4s 3c 3c 3s", "play")
        fours, threes = ("4c", "4c", "4d", "4d", "4h", "4h", "4s"), ("3c", "3c", "3s")
        plan = Plan((Group(fours), Group(threes)))
        assert legal(state, 0)[:2] == (GoOut(0, plan.groups), AskPartner(0, plan))

    def test_a_take_that_empties_the_hand(self) -> None:
        table = "4s 5s 6s 7s 8s 9s 10s | 8d 8d 8h 8h 8s 8c 8c"
        state = seen("bolivie", "9c 9d", "draw", table, "9h")
        take = Take(("9c", "9d"))
        assert legal(state, 0) == (Draw(0), AskPartner(0, Plan(take=take)))

    def test_cards_of_the_pile_do_not_justify_a_take(self) -> None:
        """The whole would go out with 9s 10s Js, but the ten and the jack lie in the pile."""
        table = "4s 5s 6s 7s 8s 9s 10s | 8d 8d 8h 8h 8s 8c 8c"
        state = seen("bolivie", "9c 9d 2c Kc Kd Kh", "draw", table, "10s Js 9s")
        offered = legal(state, 0)
        assert TakePile(0, ("9c", "9d"), None) in offered
        assert not any(isinstance(command, AskPartner) for command in offered)

    def test_no_more_than_fits_onto_a_sequence(self) -> None:
        table = "6h 7h 8h 9h 10h Jh | 7c 7c 7d 7d 7h 7s 7s | 8c 8c 8d 8d 8h 8s 8s"
        state = seen("samba", "4h 5h", "play", table)
        plan = Plan((Group(("5h",), "m1"),), "4h")
        assert list(exits(state, 0)) == [plan]

    def test_asked(self) -> None:
        state = seen("canasta", "9c 4d", "ask")
        assert legal(state, 2) == (Answer(2, "yes"), Answer(2, "no"))
        assert legal(state, 0) == legal(state, 1) == legal(state, 3) == ()

    def test_at_an_empty_stock(self) -> None:
        """A pass, unless the pile must be taken (3.11 B)."""
        for pile, first in (("5c Kd", Pass(0)), ("5c 8s", TakePile(0, (), "m1"))):
            state = seen("bolivie", "4c 6d", "draw", "8c 8d 8h", pile)
            state.stock = ()
            assert legal(state, 0) == (first,)

    def test_nobody_else_and_no_other_phase(self) -> None:
        state = seen("canasta", "9c 4d", "play")
        assert legal(state, 1) == legal(state, 2) == ()
        for phase in ("dealing", "over"):
            state.phase = phase
            assert legal(state, 0) == ()


class TestTakes:
    """Takes of the pile (3.5), and of its top (3.6), in positions that random play seldom meets."""

    @pytest.mark.parametrize("top", ["2d", "JK", "3c"])
    def test_neither_a_wild_nor_a_three(self, top: str) -> None:
        """(3.5.1)"""
        state = seen("canasta", "Kc Kh 2c 3s 3s", "draw", "8c 8d 8h", f"5c {top}")
        assert legal(state, 0) == (Draw(0),)

    def test_no_card_for_a_card(self) -> None:
        """Whose last card it is may not take a pile of one (3.5.4)."""
        state = seen("bolivie", "9c", "draw", "9d 9h 9s", "9c")
        assert legal(state, 0) == (Draw(0),)
        state.hands[0] = ("9c", "9h", "Kd")
        assert TakePile(0, (), "m1") in legal(state, 0)

    def test_sequences(self) -> None:
        """A new one, then the side's own prolonged by the top (3.5.4)."""
        state = seen("bolivie", "5h 10h Jh Qh 4c 4d", "draw", "6h 7h 8h", "4d 9h")
        above = ((), ("10h",), ("10h", "Jh"), ("10h", "Jh", "Qh"))
        onto = sorted((*(("5h", *cards) for cards in above[:3]), *above), key=len)
        assert legal(state, 0) == (
            Draw(0),
            *(TakePile(0, cards) for cards in above[2:]),
            *(TakePile(0, cards, "m1") for cards in onto),
        )

    def test_what_the_first_meld_lacks_joins_the_cards_taken(self) -> None:
        """Wilds may not justify the take of a frozen pile, so they come beside it (3.5.2, 3.8)."""
        state = seen("bolivie", "Ac Ad As 2c 2d 4c 6d", "draw", "", "5c 6h 7h Ah")
        state.scores = [1500, 0]
        pairs = ((("Ac", "Ad"), "As"), (("Ac", "As"), "Ad"), (("Ad", "As"), "Ac"))
        assert legal(state, 0) == (
            Draw(0),
            *(TakePile(0, cards, None, (Group((ace, "2d"), "m1"),)) for cards, ace in pairs),
            TakePile(0, ("Ac", "Ad", "As"), None, (Group(("2d",), "m1"),)),
        )
        state = seen("canasta", "Kc Kc Kd Kh Kh 4c 6d", "draw", "", "5c Ks")
        assert legal(state, 0) == (Draw(0), TakePile(0, ("Kc", "Kc", "Kd", "Kh", "Kh")))

    def test_a_whole_that_fits_but_after_no_take(self) -> None:
        """All the cards together would go out; the other ace comes with the pile, too late."""
        table = "2c 2d 2h 2s JK JK | 9c 9d 9s | 10d Jd Qd Kd | 4h 5h 6h 7h 8h 9h 10h"
        state = seen("bolivie", "10h Ah 2d", "draw", table, "Ah Ah")
        assert legal(state, 0) == (Draw(0), TakePile(0, ("Ah", "2d")))

    def test_a_last_card_stays_where_nobody_may_leave(self) -> None:
        """The top may not be taken onto a sequence with one card in the hand (3.6, 3.10)."""
        table = "5h 6h 7h"
        state = seen("bolivia", "4c", "draw", table, "4d 8h")
        assert legal(state, 0) == (Draw(0),)
        state.hands[0] = ("4c", "6c")
        assert legal(state, 0) == (Draw(0), TakeTop(0, "m1"))

    def test_two_long_sequences_need_each_card_twice(self) -> None:
        """The two canastas of bolivia (3.9.2); once, the cards make one."""
        run = "4h 5h 6h 7h 8h 9h 10h"
        assert not list(exits(seen("bolivia", f"{run} 4c", "play"), 0))
        groups = (Group(tuple(run.split())),) * 2
        assert list(exits(seen("bolivia", f"{run} {run} 4c", "play"), 0)) == [Plan(groups, "4c")]


def test_openings_are_for_sides_without_a_meld() -> None:
    assert not list(openings(seen("canasta", "Kc Kd Kh Ac Ad Ah 4c 5c", "play", "8c 8d 8h"), 0))


def test_no_opening_needs_a_wild_twice() -> None:
    """Kings or queens reach 90 with the two, not both (3.8)."""
    state = seen("canasta", "4c 5d 9c 9d 9h Kc Kd Qc Qd 2c", "play")
    state.scores = [1500, 0]
    assert not list(openings(state, 0))
    state.hands[0] += ("2d",)
    assert list(openings(state, 0))


def test_the_leanest_first_meld_leaves_out_what_is_not_needed() -> None:
    kings, aces = Group(("Kc", "Kd", "Kh")), Group(("Ac", "Ad", "Ah"))
    assert leanest((kings, aces), 50) == (aces,)
    assert leanest((kings, aces), 60) == (aces,)
    assert leanest((kings, aces), 61) == (kings, aces)
    assert leanest((kings, aces), 0) == ()
