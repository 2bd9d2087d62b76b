"""How far a log is whole, and what of it counts behind the first entry that is not.

    commits 1 … k-1 ──► fold ──► the game, which stays so
    entry k             the first that cannot be read or applied: the fault
    behind it           only that the game was closed, and its secret, count

Nothing of a fault is stored. Where the log can be folded again, since it was repaired or a later
release reads it, the game is as if there had been none.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from service import fairness, replay
from service.replay import FAILURES, Commit
from service.rules.seating import Game
from service.rules.seating.commands import CloseGame, RevealSecret
from service.store import Entry, Unreadable, codec


@dataclass(frozen=True, slots=True)
class Tail:
    """The last entry of a log, behind which the next one is written."""

    version: int
    hash: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a log cannot be folded further.

    Attributes:
        version: of the first entry that does not count.
        what: what is wrong with it, in plain words without a card or a secret.
        head: hash of the last line before it.
        tail: the last entry of the whole log; None where that is none of ours, so that nothing
            can be written behind it.
        closing: the commits behind the fault that count.
    """

    version: int
    what: str
    head: str
    tail: Tail | None
    closing: tuple[Commit, ...] = ()

    def owes(self, game: Game) -> bool:
        """Whether the game was closed and its secret is still to be opened."""
        return bool(self.closing and self.tail and not game.secret)


def chained(version: int, head: str | None, entries: Iterable[Entry]) -> tuple[list[Commit], str]:
    """The commits of the entries behind `version` as far as they are whole, and what is wrong with
    the next one; empty when nothing is. `head` is the hash before them, None where it is unknown.
    """
    commits: list[Commit] = []
    for entry in entries:
        version += 1
        commit = _commit(entry)
        if isinstance(commit, str):
            return commits, commit
        if commit.version != version:
            return commits, "it has the number of another"
        if head is not None and commit.prev != head:
            return commits, "it does not follow on the one before it"
        commits.append(commit)
        head = entry.hash
    return commits, ""


def altered(entries: Iterable[Entry]) -> bool:
    """Whether a line is not the one of which the hash was kept."""
    return any(codec.digest(entry.line) != entry.hash for entry in entries)


def folded(game: Game, commits: Sequence[Commit]) -> tuple[Game, int, str]:
    """The game after as many of the commits as can be applied, how many they are, and what is
    wrong with the next one; the given game is left as it is."""
    after = game.copy()
    done = 0

    def counted() -> Iterator[Commit]:
        nonlocal done
        for done, commit in enumerate(commits):  # noqa: B007  # the one at hand, should it fail
            yield commit

    try:
        replay.advance(after, counted())
    except FAILURES as error:
        # That one may be applied by half, so once more from the beginning.
        after = game.copy()
        replay.advance(after, commits[:done])
        return after, done, f"its events cannot be applied ({type(error).__name__})"
    return after, len(commits), ""


def closed(
    game: Game, secret: bytes, beyond: Iterable[Entry | None]
) -> tuple[Game, list[tuple[Commit, Entry]]]:
    """The game as it was closed behind a fault, and what closed it; the given one is left as it is.

    The chain is broken there. That a commit is one of ours shows in its salt.
    """
    counted: list[tuple[Commit, Entry]] = []
    for entry in filter(None, beyond):
        commit = _commit(entry)
        due = RevealSecret if game.result else CloseGame
        if game.secret or isinstance(commit, str) or type(commit.command) is not due:
            continue
        ours = entry.version, fairness.salt(secret, entry.version)
        if (commit.version, commit.salt) == ours:
            game, done, _ = folded(game, [commit])
            if done:
                counted.append((commit, entry))
    return game, counted


def tail(beyond: Sequence[Entry | None]) -> Tail | None:
    """Where the next entry would stand; see `Fault.tail`."""
    last = beyond[-1] if beyond else None
    return Tail(last.version, last.hash) if last else None


def _commit(entry: Entry) -> Commit | str:
    """The entry's commit, or what is wrong with it."""
    if codec.digest(entry.line) != entry.hash:
        return "its hash is not that of its line"
    try:
        return codec.decode(entry.line, decisions=False)
    except (Unreadable, *FAILURES):
        return UNKNOWN


UNKNOWN: Final = "its line is none that this release can read"
