"""A whole game: who sits where, what was agreed, and the state of the cards."""

from dataclasses import replace
from typing import Any, Literal, final

from service.rules import find
from service.rules.protocol import HOUSE, Result, Rules, Seat, State, Variant
from service.rules.seating.commands import Chair, Origin, Setup, Terms
from service.rules.seating.times import StandIn, Times, set_up

Status = Literal["waiting", "playing", "finished", "abandoned", "faulted"]
"""`faulted` is no game in itself but a log that cannot be folded: see `service.fault`."""


@final
class Game:
    """A game as folded from its events, or one seat's view of it.

    Attributes:
        chairs: one a seat.
        nonces: one a seat, None where none was set.
        setup: a practice game's givens; in a view its packs are left out.
        origin: the game from which a practice game goes on, if any.
        terms: clock, spectators and the like, as agreed at the opening.
        secret: hex, once revealed.
        resigned: seats whose owners gave up.
        host: whose say it is how the table is filled before the start; None while nobody sits.
        ready: seats whose owners said that play may begin.
        agreed: seats whose owners would end the game without a winner.
        invites: how often the invitation was changed; `invite_until`: when the newest ends, in ms.
        offers: players for whom places are kept, one a seat, until `offers_until` in ms.
        state: the cards and scores, None until the game starts.
        times: where the clocks stand, None at a table without.
    """

    __slots__ = (
        "agreed",
        "algorithm",
        "chairs",
        "commitment",
        "host",
        "invite_until",
        "invites",
        "nonces",
        "offers",
        "offers_until",
        "options",
        "origin",
        "ready",
        "resigned",
        "result",
        "rules",
        "rules_version",
        "secret",
        "setup",
        "state",
        "terms",
        "times",
        "variant",
        "visibility",
    )

    def __init__(
        self,
        variant: str,
        rules_version: int,
        chairs: tuple[Chair, ...],
        options: dict[str, int],
        visibility: Literal["public", "private"],
        algorithm: str,
        commitment: str,
        setup: Setup | None,
        origin: Origin | None = None,
        terms: Terms = Terms(),  # noqa: B008  # it is frozen
    ) -> None:
        rules, data = find(variant, rules_version)
        self.rules: Rules[Any, Any, Any] = rules
        self.variant: Variant = data
        self.rules_version = rules_version
        self.chairs = chairs
        self.options = options
        self.visibility: Literal["public", "private"] = visibility
        self.algorithm = algorithm
        self.commitment = commitment
        self.setup = setup
        self.origin = origin
        self.terms = terms
        self.nonces: tuple[str | None, ...] = (None,) * len(chairs)
        self.secret: str | None = None
        self.resigned: tuple[Seat, ...] = ()
        self.host: Seat | None = next((n for n, chair in enumerate(chairs) if chair.player), None)
        self.ready: tuple[Seat, ...] = ()
        self.agreed: tuple[Seat, ...] = ()
        self.invites = 0
        self.invite_until: int | None = None
        self.offers: tuple[str | None, ...] = ()
        self.offers_until = 0
        self.state: State | None = None
        self.result: Result | None = None
        self.times: Times | None = set_up(terms.clock, len(chairs))

    def copy(self) -> "Game":
        """A game that shares nothing that changes with this one."""
        # Each by its name: a loop over the names would take five times as long.
        twin = Game.__new__(Game)
        twin.agreed = self.agreed
        twin.algorithm = self.algorithm
        twin.chairs = self.chairs
        twin.commitment = self.commitment
        twin.host = self.host
        twin.invite_until = self.invite_until
        twin.invites = self.invites
        twin.nonces = self.nonces
        twin.offers = self.offers
        twin.offers_until = self.offers_until
        twin.options = self.options
        twin.origin = self.origin
        twin.ready = self.ready
        twin.resigned = self.resigned
        twin.result = self.result
        twin.rules = self.rules
        twin.rules_version = self.rules_version
        twin.secret = self.secret
        twin.setup = self.setup
        twin.terms = self.terms
        twin.times = self.times
        twin.variant = self.variant
        twin.visibility = self.visibility
        twin.state = self.state.copy() if self.state else None
        return twin

    @property
    def status(self) -> Status:
        """Where the game stands."""
        if self.result:
            return "abandoned" if self.result.why == "abandoned" else "finished"
        return "playing" if self.state else "waiting"

    @property
    def fair(self) -> bool:
        """Whether every card follows from the committed secret: not so in practice games."""
        return self.setup is None

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat."""
        return self.variant.sides(len(self.chairs))

    def scores(self) -> tuple[int, ...]:
        """Points before the current deal, one a side."""
        if self.state:
            return tuple(self.state.scores)
        return self.setup.scores if self.setup else (0,) * (max(self.sides) + 1)

    def seat_of(self, player: str) -> Seat | None:
        """The seat a person holds, or None."""
        for seat, chair in enumerate(self.chairs):
            if chair.player == player:
                return seat
        return None

    def level(self, seat: Seat) -> str | None:
        """The level of the computer player that acts on a seat now; None where a person does."""
        stand_in = self.stand_in(seat)
        return stand_in.level if stand_in else self.chairs[seat].level

    def stand_in(self, seat: Seat) -> StandIn | None:
        """The computer player that acts for the person of a seat, if one does."""
        return self.times.stand_in(seat) if self.times else None

    def to_act(self) -> Seat | None:
        """Who must act: a seat, HOUSE, or None while people are awaited and at the end."""
        if self.result:
            return None if self.secret else HOUSE
        if self.state:
            return self.rules.to_act(self.state)
        people = [(seat, chair) for seat, chair in enumerate(self.chairs) if chair.kind == "human"]
        wanted = self.terms.ready
        whole = all(chair.player and (seat in self.ready or not wanted) for seat, chair in people)
        return HOUSE if whole else None

    def legal(self, seat: Seat) -> tuple[Any, ...]:
        """The game commands that `seat` may give now, in a fixed order."""
        return self.rules.legal(self.state, seat) if self.state and not self.result else ()

    def view(self, seat: Seat | None) -> "Game":
        """The same game with what `seat` (None: a spectator) may not see face down."""
        twin = self.copy()
        twin.setup = veiled(self.setup)
        if self.state:
            twin.state = self.rules.view(self.state, seat)
        return twin


def veiled(setup: Setup | None) -> Setup | None:
    """A setup without the cards that it gives away."""
    return replace(setup, packs=()) if setup else None
