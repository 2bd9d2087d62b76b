"""A finished game as a file that stands alone: ndjson, one line a commit, between two lines more.

    {"type":"header", …}      what was agreed: variant, options, seats, commitment, the pack's order
    {"version":1, …}          the exact bytes that were hashed, one commit a line
    …
    {"type":"footer", …}      head, secret, result, and a seal over every byte before

Two exports of a game are the same bytes. Nothing here says whether a record is sound: that is
`service.referee`. The form, field by field: docs/record.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

import msgspec

from service import replay
from service.replay import Commit
from service.rules.protocol import Result
from service.rules.seating import Game
from service.rules.seating.events import GameStarted
from service.store import Unreadable, codec

FORMAT: Final = "tapete-record-1"
"""Names the form of header and footer for ever; a change of either needs another name."""


T = TypeVar("T")


class NotOver(Exception):
    """The game's secret is not open yet, so there is no record of it."""


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as it was taken when play started; `player` is an id, and names are nowhere."""

    seat: int
    side: int
    kind: Literal["human", "ai"]
    level: str | None
    player: str | None


class Header(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="header"
):
    """What was agreed. `pack` is the variant's fixed order, from which deals are shuffled.

    `fair` is false for practice games, whose packs may have been given.
    """

    format: str
    game: str
    variant: str
    rules_version: int
    options: dict[str, int]
    seats: tuple[Place, ...]
    fair: bool
    algorithm: str
    commitment: str
    nonces: tuple[str | None, ...]
    pack: tuple[str, ...]


class Footer(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="footer"
):
    """What it came to. `seal` is the digest of all bytes before this line, line ends included."""

    commits: int
    head: str
    secret: str
    result: Result
    seal: str


@dataclass(frozen=True, slots=True)
class Record:
    """A record taken apart, nothing of it checked but the form of its two outer lines.

    `lines` are the commits' lines without line ends; `sealed` is every byte before the footer.
    """

    header: Header
    lines: tuple[bytes, ...]
    footer: Footer
    sealed: bytes


def write(game: str, lines: Sequence[bytes]) -> Iterator[bytes]:
    """The record of the game whose commits these lines are, line by line, line ends included.

    Raises:
        NotOver: the secret is not open yet.
        Unreadable: the log is damaged.
    """
    commits = [codec.decode(line) for line in lines]
    if [commit.prev for commit in commits] != ["", *map(codec.digest, lines[:-1])]:
        raise Unreadable("a line does not follow on the one before it")
    last = replay.fold(commits)
    if not last.result or not last.secret:
        raise NotOver(game)
    head = codec.digest(lines[-1])
    body = [_encode(_header(game, commits)), *(line + b"\n" for line in lines)]
    seal = codec.digest(b"".join(body))
    yield from body
    yield _encode(Footer(len(lines), head, last.secret, last.result, seal))


def read(raw: bytes) -> Record:
    """Takes one record apart.

    Raises:
        Unreadable: it does not begin with a header and end with a footer in their one form.
    """
    lines = raw.split(b"\n")
    if len(lines) < 4 or lines[-1]:
        raise Unreadable("a record is a header, commits and a footer, each line with its end")
    first, *middle, last, _ = lines
    header = decode(first, Header)
    footer = decode(last, Footer)
    return Record(header, tuple(middle), footer, raw[: len(raw) - len(last) - 1])


def split(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The records in the lines (with their ends) of an export, one after the other, as bytes.

    What stands between a footer and the next header is passed over.
    """
    parts: list[bytes] = []
    for line in lines:
        if line.startswith(b'{"type":"header"'):
            parts = []
        elif not parts:
            continue
        parts.append(line)
        if line.startswith(b'{"type":"footer"'):
            yield b"".join(parts)
            parts = []


def _header(game: str, commits: Sequence[Commit]) -> Header:
    begun = _as_it_began(commits)
    return Header(
        format=FORMAT,
        game=game,
        variant=begun.variant.name,
        rules_version=begun.rules_version,
        options=begun.options,
        seats=places(begun),
        fair=begun.fair,
        algorithm=begun.algorithm,
        commitment=begun.commitment,
        nonces=begun.nonces,
        pack=begun.variant.pack(),
    )


def _as_it_began(commits: Sequence[Commit]) -> Game:
    """The game when play started; as it ended, if it never did."""
    begun: Game | None = None
    for commit, game in replay.steps(commits):
        begun = game
        if any(isinstance(event, GameStarted) for event in commit.events):
            break
    assert begun
    return begun


def places(game: Game) -> tuple[Place, ...]:
    """The seats of a game as a header has them."""
    return tuple(
        Place(seat, side, chair.kind, chair.level, chair.player)
        for seat, (side, chair) in enumerate(zip(game.sides, game.chairs, strict=True))
    )


def _encode(line: Header | Footer) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def decode(line: bytes, form: type[T]) -> T:
    """An outer line taken apart; `form` is `Header` or `Footer`.

    Raises:
        Unreadable: it is no such line in its one form.
    """
    try:
        read = msgspec.json.decode(line, type=form)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from None
    if msgspec.json.encode(read) != line:
        raise Unreadable("it is not in its one form")
    return read
