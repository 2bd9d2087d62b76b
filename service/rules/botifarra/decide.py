"""What a command causes (rules 8), and when it may be given.

dealing ─► trump ─► contro ─► recontro ─► sant_vicenc ─► play ─► dealing … over
  2          3         └──────── 4 ────────────┘          5    6    7
"""

from typing import Final

from service.rules.botifarra.cards import PACK, arranged
from service.rules.botifarra.commands import (
    TRUMPS,
    ChooseTrump,
    Command,
    Delegate,
    Double,
    NoDouble,
    Play,
    Trump,
)
from service.rules.botifarra.events import (
    CardPlayed,
    Doubled,
    Event,
    NotDoubled,
    PlayStarted,
    TrickWon,
    TrumpChosen,
    TrumpDelegated,
)
from service.rules.botifarra.reasons import refuse
from service.rules.botifarra.scoring import game_end, score
from service.rules.botifarra.state import Phase, State
from service.rules.botifarra.tricks import Trick, why_not, winning, worth
from service.rules.botifarra.view import to_act
from service.rules.cards import Card
from service.rules.deals import DealStarted
from service.rules.protocol import DealCards, Seat

IN_TIME: Final[dict[Phase, tuple[type, ...]]] = {
    "dealing": (DealCards,),
    "trump": (ChooseTrump, Delegate),
    "contro": (Double, NoDouble),
    "recontro": (Double, NoDouble),
    "sant_vicenc": (Double, NoDouble),
    "play": (Play,),
}
"""What may be given in each phase."""


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens if `command` is given now; the state stays as it is.

    Raises:
        IllegalMove: a rule says no.
    """
    if state.phase == "over":
        raise refuse("game_over")
    if command.seat != to_act(state):
        raise refuse("not_your_turn")
    if not isinstance(command, IN_TIME[state.phase]):
        raise refuse("wrong_phase")
    match command:
        case ChooseTrump(seat, trump):
            return _choose(state, seat, trump)
        case Delegate(seat):
            if seat != state.dealer:
                raise refuse("cannot_delegate")
            return (TrumpDelegated(seat),)
        case Double(seat):
            return _double(state, seat)
        case NoDouble(seat):
            return _no_double(state, seat)
        case Play(seat, card):
            return _play(state, seat, card)
        case _:
            return _deal(state, command.pack)


def _deal(state: State, pack: tuple[Card, ...]) -> tuple[Event, ...]:
    """Deals four cards at a time from the dealer's right, three rounds (2.2, 2.3)."""
    if sorted(pack) != sorted(PACK):
        raise refuse("wrong_pack")
    dealer = (state.dealer + 1) % 4 if state.deal else state.dealer
    packets = [pack[start : start + 4] for start in range(0, len(pack), 4)]
    hands = tuple(
        arranged(card for packet in packets[(seat - dealer - 1) % 4 :: 4] for card in packet)
        for seat in range(4)
    )
    return (DealStarted(state.deal + 1, dealer, hands, (), (), state.scores),)


def _choose(state: State, seat: Seat, trump: Trump) -> tuple[Event, ...]:
    if trump not in TRUMPS:
        raise refuse("unknown_suit")
    return (TrumpChosen(seat, trump, state.variant.stakes(trump)[0]),)


def _double(state: State, seat: Seat) -> tuple[Event, ...]:
    """The next step of the ladder; play starts where there is none beyond it (4)."""
    assert state.trump
    ladder = state.variant.stakes(state.trump)
    level = state.stake.level + 1
    doubled = Doubled(seat, ladder[level])
    return (doubled,) if level + 1 < len(ladder) else (doubled, _start(state))


def _no_double(state: State, seat: Seat) -> tuple[Event, ...]:
    """The partner speaks next; after both, play starts (4)."""
    assert state.caller is not None
    second = (state.caller + 3) % 4
    return (NotDoubled(seat), _start(state)) if seat == second else (NotDoubled(seat),)


def _start(state: State) -> PlayStarted:
    """Whoever made trumps, the dealer's right neighbour leads (5.1)."""
    return PlayStarted((state.dealer + 1) % 4)


def _play(state: State, seat: Seat, card: Card) -> tuple[Event, ...]:
    """A card; with the fourth the trick is won, with the twelfth trick the deal is over."""
    assert state.trump
    reason = why_not(card, state.hands[seat], state.trick, state.trump)
    if reason:
        raise refuse(reason)
    events: list[Event] = [CardPlayed(seat, card)]
    cards = (*state.trick, card)
    if len(cards) == 4:
        winner = (state.leader + winning(cards, state.trump)) % 4
        trick = Trick(state.leader, cards, winner, worth(cards))
        events.append(TrickWon(winner, trick.points))
        tricks = (*state.tricks, trick)
        if len(tricks) == 12:
            scored = score(state.deal, tricks, state.trump, state.stake, state.scores)
            ended = game_end(scored.scores, state.target)
            events += (scored, ended) if ended else (scored,)
    return tuple(events)
