"""Each hint names its reason in the words of the game: typical positions, and random ones."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from service.languages.catalogue import Sentence
from service.rules import GAMES, botifarra, canasta
from service.rules.botifarra.commands import ChooseTrump, Delegate, Double, Play
from service.rules.botifarra.tricks import Trick
from service.rules.deals import DealStarted
from service.rules.protocol import HOUSE, DealCards
from tests.languages.template import kept
from tests.rules.botifarra.table import dealt, in_trick, pack_for
from tests.rules.canasta.notation import command, position
from workers.reasons import reason
from workers.strategies import Situation

STRONG = "O9 O1 O12 O11 O5 C9 C1 C2 E9 E4 B3 B2"
WEAK = "O8 O7 O6 C8 C7 C6 E8 E7 E6 B8 B7 B6"


def at(rules: Any, state: Any, seat: int) -> Situation:
    """What the seat sees of a state."""
    return Situation(rules, rules.view(state, seat), seat, tuple)


def bidding(hand: str, *given: Any) -> Situation:
    """The deal of seat 0, who holds that hand, after the given commands."""
    mine = hand.split()
    rest = [card for card in botifarra.VARIANTS["botifarra"].pack() if card not in mine]
    hands = [mine, rest[:12], rest[12:24], rest[24:]]
    state = dealt(pack_for(hands, 0))
    for one in given:
        for event in botifarra.decide(state, one):
            botifarra.evolve(state, event)
    seat = botifarra.to_act(state)
    assert seat is not None
    return at(botifarra, state, seat)


BIDDING = [
    (bidding(STRONG), ChooseTrump(0, "O"),
     "Names oros, of which you hold 5, manilla and ace among them."),
    (bidding("O1 C9 C1 C12 C11 C10 C8 E1 E12 E11 E10 E8"), ChooseTrump(0, "O"),
     "Names oros, of which you hold 1; there is a suit that you can ruff."),
    (bidding("O1 C9 C1 C12 C11 C10 C8 E1 E12 E11 E10 E8"), ChooseTrump(0, "B"),
     "Names bastons, of which you hold 0."),
    (bidding("O1 O2 O3 C9 C1 C12 C11 C10 C8 E1 E12 E11"), ChooseTrump(0, "C"),
     "Names copes, of which you hold 6, manilla and ace among them."),
    (bidding(STRONG), ChooseTrump(0, "botifarra"),
     "Botifarra doubles the deal, and high cards win without trumps; manillas and aces in your "
     "hand: 5."),
    (bidding(WEAK), Delegate(0),
     "Leaves the choice to your partner: your longest suit has only 3 cards."),
    (bidding(STRONG), Delegate(0),
     "Leaves the choice to your partner, at the price of your own suit of 5 cards."),
    (bidding("O2 O3 O4 O5 C2 C3 C4 C5 E2 E3 E4 E5", ChooseTrump(0, "O")), Double(1),
     "Raises the stake: your hand has 19 of the 60 points and 8 of the 12 trumps."),
]  # fmt: skip

TRICKS = [
    # trump, the trick, the hand, the card
    ("O", "", "O9 O2 C4 E5", "O9", "Draws trumps; still out: 10."),
    ("O", "", "O2 C9 C4 E5", "C4", "Leads low and saves the manilla of the suit."),
    ("O", "", "O2 C12 C4 E5", "C12", "Forces out a higher card of the suit; still out: 2."),
    ("O", "", "O2 C4 C3 E5", "E5",
     "Leads your only card of the suit, so that you can ruff the next one."),
    ("O", "C2 C9 C3", "C12 C4 E5", "C12",
     "Gives your partner's trick a card worth 3; nobody can take it any more."),
    ("O", "C2 C9 C3", "C12 C4 E5", "C4",
     "Keeps your points for later tricks, although nobody can take this one from your partner."),
    ("O", "C11 C2", "C12 C4 E5", "C4", "Saves your points: your partner is winning the trick."),
    ("O", "C2 C12 C1", "O4 O9 E5 B2", "O4",
     "Ruffs and wins the trick, 8 of the deal's 72 points."),
    ("O", "C12 C4 C2", "C9 C1 E5", "C1",
     "Wins the trick cheaply, 8 of the deal's 72 points, and saves a higher card."),
    ("B", "C12", "E9 E4 O2 O3", "O2", "Saves your points while the others are winning the trick."),
    ("B", "C12", "E9 E4 O2 O3", "E9",
     "Adds a card worth 5, in the hope that your partner takes the trick."),
    ("B", "C2 C12", "E9 E4 O2 O3", "O2", "Loses the trick at no price, and saves your points."),
    ("B", "C2 C12", "E9 E4 O2 O3", "E9",
     "Gives the others' trick a card worth 5, where a cheaper one is allowed."),
    ("O", "", "O2 C9 C1 E5", "C1",
     "Leads a card that only a trump beats; trumps still out: 11."),
    ("O", "C4", "C9 C8 E2", "C9",
     "Takes the lead in the trick; only a trump beats the card, still out: 12."),
    ("O", "C4", "C1 C8 E2", "C8",
     "Takes the lead in the trick, so that the others must spend a higher card; still out: 16."),
    ("botifarra", "C4", "C9 C8 E2", "C9",
     "Wins the trick for certain: no card that is out beats it."),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "given", "said"), BIDDING)
def test_the_bidding_has_its_reasons(situation: Situation, given: Any, said: str) -> None:
    assert reason(situation, given) == said


@pytest.mark.parametrize(("trump", "trick", "hand", "card", "said"), TRICKS)
def test_a_card_has_its_reason(trump: Any, trick: str, hand: str, card: str, said: str) -> None:
    state = in_trick(trump, 0, trick.split(), hand.split())
    assert Play(0, card) in botifarra.legal(state, 0)
    assert reason(at(botifarra, state, 0), Play(0, card)) == said


def test_a_suit_that_nobody_holds_any_more_is_not_one_to_ruff() -> None:
    state = in_trick("O", 0, ["C2", "C9", "C3"], ["O2", "E5", "B2"])
    assert reason(at(botifarra, state, 0), Play(0, "E5")) == (
        "Throws your last card of a suit, so that you can ruff it later."
    )
    pack = botifarra.VARIANTS["botifarra"].pack()
    gone = ["B3", *(card for card in pack if card[0] == "E" and card != "E5")]
    state.tricks = tuple(Trick(0, tuple(gone[place : place + 4]), 0, 0) for place in (0, 4, 8))
    assert reason(at(botifarra, state, 0), Play(0, "E5")) == (
        "Your partner is winning the trick; a card without points does."
    )


CANASTA = [
    # variant, players, the position, the command
    ("canasta", 4, """
        given P0: Kc Kd Kh Ac Ad 2s 4c 5d 6h
        given play: P0
     """, "P0 meld [Kc Kd Kh] [Ac Ad 2s]", "Opens with 90 points, where 50 are needed."),
    ("canasta", 4, """
        given P0: Kc Kd Ac Ad 2s 4c 5d
        given pile: 7c 8d 9h Kh
        given draw: P0
     """, "P0 take_pile [Kc Kd] also [Ac Ad 2s]",
     "Opens with 90 points, where 50 are needed, and takes the pile."),
    ("canasta", 2, """
        given P0: Kc Kd 4c 5d 6h
        given side 0: m1 = 8c 8d 8h
        given pile: 7c 2s 9h Kh
        given draw: P0
     """, "P0 take_pile [Kc Kd]", "Takes the frozen pile of 4 cards, without a wild card."),
    ("canasta", 4, """
        given P0: Kc 2d 4c 5d 6h
        given side 0: m1 = 8c 8d 8h
        given pile: Qc Qd Jh Kh
        given draw: P0
     """, "P0 draw", "Draws and saves the cards of your hand that the pile of 4 cards would cost."),
    ("canasta", 4, """
        given P0: Kc Kd Qc Qd
        given side 0: m1 = 8c 8d 8h
        given pile: 5c 3s
        given draw: P0
     """, "P0 draw", "Draws, since nobody can take the pile as it lies."),
    ("canasta", 4, """
        given P0: 5c 5d 4c 6d
        given pile: 9c 7d 5h
        given draw: P0
     """, "P0 draw",
     "Draws, since taking the pile would open below the 50 points needed."),
    ("canasta", 4, """
        given P0: 5c 4d 4c 6d
        given pile: 9c 7d 5h
        given draw: P0
     """, "P0 draw", "Draws, since nothing in your hand takes the pile."),
    ("samba", 4, """
        given P0: 4c 5d 6h Kd
        given side 0: m1 = 10h Jh Qh
        given pile: 7c 7d 7h 8c Kh
        given draw: P0
     """, "P0 draw", "Draws from the stock instead of taking only the pile's top card."),
    ("bolivie", 4, """
        given P0: 4c 5d 6h Kd
        given side 0: m1 = 8c 8d 8h
        given pile: 7c 7d Qh Qc 8s
        given draw: P0
     """, "P0 draw",
     "Draws and leaves the pile, which would cost no card of your hand; cards in it: 5."),
    ("bolivie", 4, """
        given P0: 4c 5d 6h Kd
        given side 0: m1 = 8c 8d 8h
        given stock:
        given pile: 7c 7d Qh Kc
        given draw: P0
     """, "P0 pass", "Passes, and leaves the next player the pile; cards in it: 4."),
    ("canasta", 2, """
        given P0: Kc Kd 4c 5d 6h
        given side 0: m1 = Ks Kh Kc Kd Kh
        given side 0: m2 = 9c 9d 9h 9s 9c 9d 9h
        given play: P0
     """, "P0 meld [Kc Kd > m1]",
     "Closes the canasta that your side needs to go out, for a bonus of 500."),
    ("canasta", 4, """
        given P0: Jh 4c 5d 6h Kd
        given pile: Jc 8d 7c 9h
        given play: P0
     """, "P0 discard Jh",
     "Rather safe: another card of that rank was left lying a short while ago."),
    ("canasta", 4, """
        given P0: Jh 4c 5d 6h Kd
        given pile: 7c 8d Jc 9h
        given play: P0
     """, "P0 discard Jh",
     "Gets rid of 10 points that would count against you in the hand."),
    ("samba", 4, """
        given P0: 8h 9h 4c 5d 6h
        given side 0: m1 = 10h Jh Qh Kh Ah
        given side 0: m2 = 9c 9d 9h 9s 9c 9d 9h
        given side 0: m3 = 8c 8d 8h 8s 8c 8d 8h
        given play: P0
     """, "P0 meld [8h 9h > m1]", "Closes a sequence of seven, for a bonus of 1500."),
    ("samba", 4, """
        given P0: 8h 9h 9s 4c 5d 6h
        given side 0: m1 = 10h Jh Qh Kh Ah
        given side 0: m2 = 9c 9d 9h 9s 9c 9d
        given side 0: m3 = 7c 7d 7h 7s 7c 7d 7h
        given side 0: m4 = 4s 5s 6s 7s 8s 9s 10s
        given play: P0
     """, "P0 meld [8h 9h > m1] [9s > m2]", "Closes 2 canastas, for bonuses of 2000 in all."),
    ("canasta", 4, """
        given P0: Kc Kd Kh 4c 4d 5d
        given side 0: m1 = 8c 8d 8h
        given play: P0
        given stock: 8c 8d 8h 8s 9c 9d 9h 9s Qc Qd Qh Qs
     """, "P0 meld [Kc Kd Kh]", "Begins a meld that may become a canasta."),
    ("canasta", 4, """
        given P0: 8s Kc Kd 5c 5d
        given side 0: m1 = 8c 8d 8h
        given pile: 9c 6d
        given stock: 8c 8d 8h 8s 9c 9d 9h 9s Qc Qd Qh Qs
        given play: P0
     """, "P0 discard 8s",
     "Gives up a card that fits one of your melds; unseen of its rank: 4."),
    ("bolivia", 4, """
        given P0: 8h 9h 10h Kc Kd 5c 5d
        given pile: 9c 6d
        given stock: 8c 8d 8h 8s 9c 9d 9h 9s Qc Qd Qh Qs
        given play: P0
     """, "P0 discard 8h",
     "Breaks up cards that may become a sequence; unseen of the discard's rank: 11."),
    ("canasta", 4, """
        given P0: 8h 8s 9h 10h Kc Kd
        given pile: 9c 6d
        given stock: 8c 8d 8h 8s 9c 9d 9h 9s Qc Qd Qh Qs
        given play: P0
     """, "P0 discard 8h",
     "You hold 2 of that rank; unseen ones with which the next player could take the pile: 6."),
    ("canasta", 4, """
        given P0: 8h 9h 10h Kc
        given pile: 9c 6d
        given stock: 8c 8d 8h 8s 9c 9d 9h 9s Qc Qd Qh Qs
        given play: P0
     """, "P0 discard 8h",
     "Throws a card that stands alone, and breaks up nothing in your hand."),
    ("canasta", 4, """
        given P0: 8h 9h 10h Kc Kd
        given pile: 9c 6d
        given stock: 8c 8d 8h 8s 9c 9d 9h 9s Qc Qd Qh Qs
        given play: P0
     """, "P0 discard 8h",
     "Throws a card that stands alone, and keeps your pairs for the pile."),
    ("samba", 4, """
        given P0: 4c 5d 6h Kd
        given side 0: m1 = 10h Jh Qh
        given pile: 7c Kh
        given draw: P0
     """, "P0 take_top m1",
     "Puts the pile's top card on your sequence, which is 4 cards long then."),
    ("bolivia", 4, """
        given P0: 3c 5c 5d 6h Kd
        given pile: 7c 7d
        given play: P0
     """, "P0 discard 3c", "Blocks the pile for the next player with a black three."),
    ("bolivie", 4, """
        given P0: 3c 5c 5d 6h Kd
        given pile: 7c 7d
        given play: P0
     """, "P0 discard 3c",
     "Freezes the pile: from now on it is taken without wild cards only."),
    ("bolivie", 4, """
        given P0: 8h 5c 5d 6h Kd
        given side 1: m1 = 8c 8d 8s
        given play: P0
     """, "P0 discard 8h", "Risks the pile: the card fits a meld of the next player's side."),
    ("canasta", 4, """
        given P0: 9h Kc Kd 5c 5d
        given side 0: m1 = 9c 9d 9h 9s 9c 9d
        given side 1: m2 = 4c 4d 4h
        given pile: 7c 2d 7d
        given play: P0
     """, "P0 discard 9h",
     "Safe: the pile wants a pair, and only one card of that rank is unseen."),
    ("canasta", 4, """
        given P0: 9h Kc Kd 5c 5d
        given side 1: m1 = 4c 4d 4h
        given pile: 7c 7d 6c 6d 8h 10c 10d
        given play: P0
     """, "P0 discard 9h", "Risks the pile of 8 cards; unseen of the discard's rank: 7."),
    ("bolivia", 4, """
        given P0: 7h Kc Kd 5c 5d
        given pile: 9c 6d
        given stock: 8c 8d 8h 8s 9c 9d 9h 9s Qc Qd Qh Qs
        given play: P0
     """, "P0 discard 7h",
     "Throws a card that stands alone, and keeps your pairs for the pile."),
    ("canasta", 4, """
        given P0: Kc Kd Kh 4c 4d 4h 2c 5d
        given side 0: m1 = 8c 8d 8h
        given play: P0
        given stock: 8c 8d 8h 8s 9c 9d 9h 9s Qc Qd Qh Qs
     """, "P0 meld [Kc Kd Kh]", "Begins a meld without wild cards, and saves yours."),
    ("canasta", 4, """
        given P0: 4c
        given side 0: m1 = 8c 8d 8h 8s 8c 8d 8h
        given laid: P0
        given P1: 5c 5d 5h
        given P3: 5c 5d
        given play: P0
     """, "P0 discard 4c",
     "Goes out, for a bonus of 100; cards that the others are left with: 5."),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "players", "given", "wanted", "said"), CANASTA)
def test_a_command_has_its_reason(
    variant: str, players: int, given: str, wanted: str, said: str
) -> None:
    state = position(variant, players, given)
    one = command(wanted)
    canasta.decide(state, one)
    assert reason(at(canasta, state, 0), one) == said


def test_a_partner_is_answered_with_what_the_own_hand_costs() -> None:
    state = position("canasta", 4, """
        given P0: Kc Kd 5c
        given P2: Ac Ad JK 3s
        given side 0: m1 = 8c 8d 8h 8s 8c 8d 8h
        given side 0: m2 = Ks Kh Kc
        given play: P0
    """)  # fmt: skip
    question = command("P0 ask_partner [Kc Kd > m2] discard 5c")
    assert reason(at(canasta, state, 0), question) == (
        "Asks before going out, since your partner's hand would count against you; cards in it: 4."
    )
    for event in canasta.decide(state, question):
        canasta.evolve(state, event)
    situation = at(canasta, state, 2)
    assert reason(situation, command("P2 answer yes")) == (
        "Says yes: your hand costs your side 95 points; cards that the others are left with: 4."
    )
    assert reason(situation, command("P2 answer no")) == (
        "Says no: your hand would cost your side 95 points."
    )


def moments(game: str, number: int) -> Iterator[tuple[Situation, tuple[Any, ...]]]:
    """What whoever is to act in random deals sees and may do."""
    rules, luck = GAMES[game], Random(f"{game} {number}")
    variant = luck.choice(list(rules.VARIANTS.values()))
    seats = luck.choice(variant.seats)
    options = {name: one.default for name, one in variant.options(seats).items()}
    state = variant.start(seats, options, 0, (0,) * (max(variant.sides(seats)) + 1))
    for _ in range(120):
        seat = rules.to_act(state)
        if seat == HOUSE:
            pack = list(variant.pack())
            luck.shuffle(pack)
            given: Any = DealCards(HOUSE, tuple(pack))
        elif seat is None:
            return
        else:
            allowed = rules.legal(state, seat)
            yield at(rules, state, seat), allowed
            kind = luck.choice(sorted({type(one).__name__ for one in allowed}))
            given = luck.choice([one for one in allowed if type(one).__name__ == kind])
        for event in rules.decide(state, given):
            rules.evolve(state, event)
            assert not isinstance(event, DealStarted) or state.deal


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("game", ["canasta", "botifarra"])
def test_whatever_may_be_done_has_a_reason_that_is_known_and_names_no_card(
    game: str, number: int
) -> None:
    known = {str(one.id) for one in kept() if one.id}
    rules = GAMES[game]
    cards = {card for variant in rules.VARIANTS.values() for card in variant.pack()}
    said = set()
    for situation, allowed in moments(game, number):
        for one in allowed:
            found = reason(situation, one)
            assert isinstance(found, Sentence)
            assert found.text in known, found.text
            assert cards.isdisjoint(re.findall("[A-Za-z0-9]+", found)), found
            assert "{" not in found
            assert found.endswith(".")
            assert not found.startswith("One of the"), one  # there is more to say of each
            said.add(found.text)
    assert len(said) > 8
