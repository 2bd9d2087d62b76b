"""The checks that need the rules, made in one walk through the log: `events`, `cards`, `scores`
and `decisions`.

    line ─► commit ─► decide again, compare ─► evolve ─► count the cards, add up the scores

The walk ends where the log cannot be followed, or says what the rules do not: what stands behind
it was never a game, and may have been made to cost time. Each check keeps the first that it finds
wrong.
"""

from collections.abc import Callable
from typing import Any, Final

from service.record import Header
from service.referee.asked import ask_again
from service.referee.counted import Scores, no_pack
from service.referee.finding import NotMade, Wrong, first_difference, many, said, short
from service.referee.form import Sheet
from service.referee.weighed import check_decision
from service.replay import FAILURES, Commit
from service.rules import find, seating
from service.rules.seating import Game
from service.store import Unreadable, codec

MOST_EVENTS: Final = 1_000
"""Events of one commit that are followed; in games there are some twenty at most."""


class Played:
    """One walk through the log of a sheet; `decide` says whether the game's rules are asked."""

    def __init__(self, sheet: Sheet, decide: bool) -> None:
        self._sheet = sheet
        self._wrongs: dict[str, Wrong] = {}
        self._game: Game | None = None
        self._known: frozenset[type] = frozenset()
        self._pack: list[str] = []
        self._scores = Scores(())
        self._decide = decide
        self._followed = 0
        for place, line in enumerate(sheet.lines):
            try:
                self._follow(place, line)
            except Wrong as wrong:
                self._wrongs.setdefault("events", wrong)
                break
            except FAILURES as error:
                what = f"{self._at(place)} the log cannot be followed ({type(error).__name__})."
                self._wrongs.setdefault("events", Wrong(what, place))
                break
            self._followed += 1
            if "decisions" in self._wrongs:
                break

    def events(self) -> str:
        """Each command and event is one that the rules know, and the log can be folded."""
        self._raise("events")
        return many(self._followed, "commit")

    def cards(self) -> str:
        """After every event all cards of the pack are there, each once."""
        self._raise("cards")
        return many(len(self._pack), "card")

    def scores(self) -> str:
        """Each score sheet adds up, and scores are carried on."""
        self._raise("scores")
        return f"{' : '.join(map(str, self._scores.now))}"

    def decisions(self) -> str:
        """The game's rules, asked again at every commit, decide the same."""
        self._raise("decisions")
        return many(self._followed, "commit") + self._edition()

    def _edition(self) -> str:
        """What is to be said where the game was played under older rules; else empty."""
        game = self._game
        newest = find(game.variant.name)[1].rules_version if game else 0
        if game is None or game.rules_version == newest:
            return ""
        return f"; asked was rules version {game.rules_version}, the newest is {newest}"

    def _raise(self, name: str) -> None:
        if name in self._wrongs:
            raise self._wrongs[name]
        if not self._sheet.lines:
            raise NotMade("there is no commit")
        if self._followed < len(self._sheet.lines):
            through = f"the log is followed through {many(self._followed, 'commit')} only"
            raise NotMade(through + (", see `decisions`" if "decisions" in self._wrongs else ""))

    def _note(self, name: str, check: Callable[[], None]) -> None:
        """Makes a part of a check that has found nothing yet."""
        if name not in self._wrongs:
            try:
                check()
            except Wrong as wrong:
                self._wrongs[name] = wrong

    # The walk

    def _follow(self, place: int, line: bytes) -> None:
        try:
            commit = codec.decode(line)
        except (Unreadable, *FAILURES) as error:
            raise Wrong(
                f"Version {self._sheet.version(place)} cannot be read: {error}.", place
            ) from None
        game = self._game
        events = commit.events
        if len(events) > MOST_EVENTS:
            raise Wrong(f"{self._at(place)} there are {len(events)} events.", place)
        self._note("events", lambda: check_decision(place, commit, game))
        if game is None:
            if self._decide:
                self._note("decisions", lambda: ask_again(place, commit, None))
            game = self._open(place, commit)
            events = events[1:]
        else:
            if type(commit.command) not in self._known:
                what = f"{self._at(place)} has a command that {game.variant.name} does not know."
                raise Wrong(what, place)
            if self._decide:
                self._note("decisions", lambda: ask_again(place, commit, game))
        for event in events:
            self._evolve(place, game, event)

    def _open(self, place: int, commit: Commit) -> Game:
        try:
            game = seating.opened(commit.events[0])
            sides = game.sides
            self._scores = Scores(game.scores())
            self._pack = sorted(game.variant.pack())
        except FAILURES:
            # Whatever stands there, it opens no game that we could go on with.
            what = "Version 1 opens no game of a variant and rules version that are known here."
            raise Wrong(what, place) from None
        rules = game.rules
        self._game = game
        self._known = frozenset(
            (*rules.COMMANDS, *seating.COMMANDS, *rules.EVENTS, *seating.EVENTS)
        )
        header = self._sheet.header
        if header:
            self._note("events", lambda: _same_variant(header, game, sides))
        return game

    def _evolve(self, place: int, game: Game, event: Any) -> None:
        if type(event) not in self._known:
            what = f"{self._at(place)} has {_name(event)}, which {game.variant.name} does not know."
            raise Wrong(what, place)
        here = f"{self._at(place)}, in {_name(event)},"
        self._note("scores", lambda: self._scores.add(here, place, event))
        try:
            seating.evolve(game, event)
            lying = sorted(game.state.cards()) if game.state else []
            dealt = game.state is not None and game.state.deal > 0
        except FAILURES as error:
            # An event that was never decided may fail in any way.
            kind = type(error).__name__
            told = said(codec.to_wire(event))
            what = f"{self._at(place)} the log says what cannot be: {told} ({kind})."
            raise Wrong(what, place) from None
        if lying != self._pack and (lying or dealt):
            after = f"{self._at(place)}, after {_name(event)},"
            self._wrongs.setdefault("cards", no_pack(after, place, self._pack, lying))
            if len(lying) > 2 * len(self._pack):
                # Whoever counts on would do it for ever: a forger may have laid down a million.
                raise Wrong(f"{after} there are {len(lying)} cards.", place)

    def _at(self, place: int) -> str:
        return f"At version {self._sheet.version(place)}"


def _same_variant(header: Header, game: Game, sides: tuple[int, ...]) -> None:
    """Two things in a header that only the rules know."""
    for name, due, found in (
        ("pack", game.variant.pack(), header.pack),
        ("sides", sides, tuple(seat.side for seat in header.seats)),
    ):
        if differ := first_difference(due, found, name):
            path, expected, other = differ
            what = (
                f"The header says {path} {short(other)}; "
                f"by the rules of {game.variant.name} it is {short(expected)}."
            )
            raise Wrong(what, line=1, expected=expected, found=other)


def _name(event: Any) -> str:
    return codec.WIRE_NAMES[type(event)]
