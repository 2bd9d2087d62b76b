"""Going on from a finished game: a practice game that begins where that one once stood.

    the old game       … │ deal 3: pack, commands up to N │ …
    the new one   open, start │ pack, the same commands   │ on from here

What comes of the old commands is decided anew, by the rules of today, so the new log replays and
is audited like any other. It is written in one piece: nobody ever meets it half way.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from service import answers, fairness, ids, replay
from service.replay import Commit
from service.rules import find, seating
from service.rules.deals import DealStarted
from service.rules.errors import IllegalMove
from service.rules.protocol import Answer, DealCards
from service.rules.seating import Game
from service.rules.seating.commands import (
    Chair,
    ComeBack,
    OpenGame,
    Origin,
    Resign,
    RunOut,
    Setup,
    StartGame,
    Terms,
)
from service.scribe import entry_of
from service.store import Conflict, EventStore, Listing, Meta
from service.table import Tables

Visibility = Literal["public", "private"]


class NothingToPlay(Exception):
    """At that version the game was over already, or it never began."""


class RulesChanged(Exception):
    """The rules of today refuse what was done at that version of the old game."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment of a finished game, and what leads to it.

    `then` is the game as it was, `setup` what the deal under way began with, `commands` what
    followed, each with its version in the old game.
    """

    origin: Origin
    then: Game
    setup: Setup
    commands: tuple[tuple[int, Any], ...]


def scene(game: str, commits: Sequence[Commit], version: int) -> Scene:
    """The moment at `version`. The log is the whole one.

    Whoever gave up in the deal plays on in the new game: their place is somebody else's there.

    Raises:
        NothingToPlay
    """
    then = replay.at(commits, version)
    start = next((commit for commit in commits if isinstance(commit.command, StartGame)), None)
    if start is None or then.result:
        raise NothingToPlay(game)
    past = commits[:version]
    deal = [place for place, commit in enumerate(past) if isinstance(commit.command, DealCards)]
    if not deal:
        setup = Setup(start.command.dealer, then.scores())
        own: Sequence[Commit] = ()
    else:
        own = past[deal[-1] :]
        dealt = next(event for event in own[0].events if isinstance(event, DealStarted))
        setup = Setup(dealt.dealer, dealt.scores, (own[0].command.pack,))
    commands = [(start.version, StartGame(setup.dealer))]
    commands += [(commit.version, command) for commit in own if (command := _again(commit))]
    return Scene(Origin(game, version), then, setup, tuple(commands))


def _again(commit: Commit) -> Any:
    """What is given for a commit in a game without a clock; None for nothing."""
    match commit.command:
        case RunOut(whose):
            answered = not set(map(type, commit.events)) <= set(seating.EVENTS)
            return Answer(whose, "no") if answered else None
        case Resign() | ComeBack():
            return None
        case command:
            return command


def play_on(
    store: EventStore,
    tables: Tables,
    player: str,
    scene: Scene,
    chairs: tuple[Chair, ...],
    visibility: Visibility,
    hints: bool = False,
    key: str = "",
    digest: str = "",
) -> answers.Answer:
    """Opens the practice game for `player`; the same key opens the same game.

    Its later deals follow from a secret of its own.

    Raises:
        RulesChanged
        KeyReused: the key opened another game before.
        TooManyGames: the player has as many as one may have.
    """
    game = ids.derived(player, key) if key else ids.fresh()
    asked = _opening(scene, chairs, visibility, hints)
    reading = store.read(game)
    replayed = bool(reading.entries)
    if not replayed:
        tables.check_room(player, game)
        secret = secrets.token_bytes(fairness.SECRET_BYTES)
        meta = Meta(secrets.token_hex(8), player, key, digest, secret.hex())
        commits = _commits(scene, asked, secret, reading.now)
        later = Meta(meta.attempt)
        first, *rest = commits
        entries = [entry_of(first, meta), *(entry_of(commit, later) for commit in rest)]
        # Listed first, so that the sweep finds it if this process dies in between.
        people = [chair.player for chair in chairs if chair.player]
        listing = Listing(game, reading.now)
        store.mark(listing, "waiting", visibility == "public", people, opener=player)
        try:
            store.plant(game, entries)
        except Conflict:
            replayed = True
    return tables.opened(game, player, asked, key, digest, 1 + len(scene.commands), replayed)


def _opening(
    scene: Scene, chairs: tuple[Chair, ...], visibility: Visibility, hints: bool
) -> OpenGame:
    """What the new game is opened with, still without a commitment."""
    then = scene.then
    _, variant = find(then.variant.name)
    return OpenGame(
        variant.name,
        variant.rules_version,
        chairs,
        then.options,
        visibility,
        algorithm="",
        commitment="",
        setup=scene.setup,
        origin=scene.origin,
        terms=Terms(hints=hints),
    )


def _commits(scene: Scene, asked: OpenGame, secret: bytes, at: int) -> list[Commit]:
    """The new game's log up to the scene.

    Raises:
        RulesChanged
    """
    opening = replace(asked, algorithm=fairness.ALGORITHM, commitment=fairness.commitment(secret))
    commits: list[Commit] = []
    game: Game | None = None
    for version, command in ((1, opening), *scene.commands):
        try:
            events = seating.decide(game, command, at) if game else seating.opening(opening)
        except IllegalMove:
            raise RulesChanged(version) from None
        number = len(commits) + 1
        prev = entry_of(commits[-1], Meta("")).hash if commits else ""
        commit = Commit(number, prev, fairness.salt(secret, number), at, command, events)
        commits.append(commit)
        if game is None:
            game = replay.open_game(commit)
        else:
            replay.advance(game, (commit,))
    return commits
