"""Positions of botifarra, and what happens at them, in few words."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from service.rules.botifarra import VARIANTS, decide, evolve, legal, to_act
from service.rules.botifarra.cards import PACK
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
from service.rules.botifarra.events import CardPlayed, Event, PlayStarted, Stake, TrumpChosen
from service.rules.botifarra.state import State
from service.rules.deals import DealStarted
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, DealCards, Seat

BOTIFARRA = VARIANTS["botifarra"]


def opened(dealer: Seat = 0, scores: Sequence[int] = (0, 0), target: int = 101) -> State:
    """A game before its first deal."""
    state = BOTIFARRA.start(4, {"target_score": target}, dealer, scores)
    assert isinstance(state, State)
    return state


def give(state: State, *commands: Command) -> list[Event]:
    """Decides and applies commands; all events in order."""
    happened: list[Event] = []
    for command in commands:
        events = decide(state, command)
        for event in events:
            evolve(state, event)
        happened += events
    return happened


def refusal(state: State, command: Command) -> str:
    """The code with which the command is refused; the state must stay as it was."""
    before = state.copy()
    with pytest.raises(IllegalMove) as no:
        decide(state, command)
    assert state == before
    return no.value.code


def dealt(pack: Sequence[str] = PACK, dealer: Seat = 0) -> State:
    """A game whose first deal lies on the table."""
    state = opened(dealer)
    give(state, DealCards(HOUSE, tuple(pack)))
    return state


def shuffled(rng: Random) -> tuple[str, ...]:
    """A pack for a deal."""
    return tuple(rng.sample(PACK, len(PACK)))


def pack_for(hands: Sequence[Sequence[str]], dealer: Seat) -> tuple[str, ...]:
    """The pack that gives each seat its hand."""
    order = [(dealer + step) % 4 for step in (1, 2, 3, 4)]
    return tuple(
        card for start in (0, 4, 8) for seat in order for card in hands[seat][start : start + 4]
    )


def in_trick(trump: Trump, seat: Seat, trick: Sequence[str], hand: Sequence[str]) -> State:
    """A position in the middle of play: `trick` was played, and `seat` holds `hand`."""
    leader = (seat - len(trick)) % 4
    hands: list[tuple[str, ...]] = [()] * 4
    for place, card in enumerate(trick):
        hands[(leader + place) % 4] = (card,)
    hands[seat] = tuple(hand)
    state = opened()
    evolve(state, DealStarted(1, 0, tuple(hands), (), (), (0, 0)))
    evolve(state, TrumpChosen(0, trump, Stake(0, 1)))
    evolve(state, PlayStarted(leader))
    for place, card in enumerate(trick):
        evolve(state, CardPlayed((leader + place) % 4, card))
    return state


def every_command(seat: Seat) -> list[Command]:
    """Every command that a seat can put into words."""
    return [
        *(ChooseTrump(seat, trump) for trump in TRUMPS),
        Delegate(seat),
        Double(seat),
        NoDouble(seat),
        *(Play(seat, card) for card in PACK),
    ]


def random_step(state: State, rng: Random) -> Command:
    """A legal command of whoever is to act; the house shuffles."""
    seat = to_act(state)
    assert seat is not None
    if seat == HOUSE:
        return DealCards(HOUSE, shuffled(rng))
    return rng.choice(legal(state, seat))


def random_game(seed: int, target: int = 101) -> Iterator[tuple[State, Command]]:
    """Each command of a random game, with the state just before it."""
    rng = Random(seed)
    state = opened(rng.randrange(4), target=target)
    while to_act(state) is not None:
        command = random_step(state, rng)
        yield state, command
        give(state, command)
