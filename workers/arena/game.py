"""A game of computer players by itself: no service, no store, given cards.

Start ──► moments: before each command ──► the last one, over or at the limit of deals
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

from service.rules import find
from service.rules.protocol import HOUSE, DealCards, Rules, Seat, State, Variant
from workers.strategies import Situation


@dataclass(frozen=True, slots=True)
class Start:
    """How a game begins: with the same one the same cards come, whoever plays.

    Attributes:
        options: those that are not the variant's default.
        name: what the cards and the luck follow from.
        dealer: who deals first.
    """

    variant: str
    seats: int
    options: tuple[tuple[str, int], ...] = ()
    name: str = ""
    dealer: Seat = 0

    def found(self) -> tuple[Rules[Any, Any, Any], Variant]:
        """The rules and the data."""
        return find(self.variant)

    def state(self) -> State:
        """The state before the first deal."""
        _, data = self.found()
        given = {name: option.default for name, option in data.options(self.seats).items()}
        sides = max(data.sides(self.seats)) + 1
        return data.start(self.seats, given | dict(self.options), self.dealer, [0] * sides)

    def pack(self, deal: int) -> tuple[str, ...]:
        """The pack of the deal of that number, from 1."""
        pack = list(self.found()[1].pack())
        Random(f"{self.name} pack {deal}").shuffle(pack)
        return tuple(pack)

    def luck(self, seat: Seat, number: int) -> str:
        """The seed of a seat's luck for the command of that number."""
        return f"{self.name} luck {seat} {number}"


class Moment(NamedTuple):
    """A game in play: objects that go on changing, the events those of the deal."""

    state: Any
    rules: Rules[Any, Any, Any]
    events: list[Any]

    def seen_by(self, seat: Seat) -> Situation:
        """What a computer player on that seat is given."""
        rules, events = self.rules, self.events
        view = rules.view(self.state, seat)
        return Situation(rules, view, seat, lambda: [rules.seen(event, seat) for event in events])


class Player(Protocol):
    """Sits on one seat or on several of the same game."""

    def begin(self, start: Start, seats: Sequence[Seat]) -> None:
        """A game begins in which these seats are its own."""

    def hear(self, moment: Moment, events: Sequence[Any]) -> None:
        """These events happened; `moment` has them already."""

    def choose(self, moment: Moment, seat: Seat, luck: str) -> Any:
        """The command of that seat, which is to act; `luck` is the seed of all chance."""


def moments(start: Start, players: Sequence[Player], deals: int) -> Iterator[Moment]:
    """The game before each command and at its end, which comes after so many deals at the latest.

    Raises:
        IllegalMove: a player did what it may not.
    """
    rules, _ = start.found()
    state = start.state()
    moment = Moment(state, rules, [])
    seated = {
        id(player): (player, [seat for seat, one in enumerate(players) if one is player])
        for player in players
    }
    for player, seats in seated.values():
        player.begin(start, seats)
    number = 0
    while True:
        yield moment
        seat = rules.to_act(state)
        if seat is None or (seat == HOUSE and state.deal >= deals):
            return
        if seat == HOUSE:
            moment.events.clear()
            command: Any = DealCards(HOUSE, start.pack(state.deal + 1))
        else:
            command = players[seat].choose(moment, seat, start.luck(seat, number))
            if command.seat != seat:
                raise ValueError("a player must answer for its own seat")
        number += 1
        events = rules.decide(state, command)
        for event in events:
            rules.evolve(state, event)
        moment.events.extend(events)
        for player, _ in seated.values():
            player.hear(moment, events)
