"""The log of a game in Redis: one stream, or the compact form of it in its place."""

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from service.store import Conflict, Entry, Reading, Unreadable, cold, scripts, whole
from service.store.entries import Fields, any_entry, entry_at, packed, place_of
from service.store.exchange import Command
from service.store.hearing import Hearing
from service.store.link import Link
from service.store.names import Kept, Names
from service.store.refusals import LOG, good, translated

PAGE: Final = 200
"""Entries that are read at first: most logs are no longer."""

MORE: Final = 5_000
"""Entries that are read at once after those."""


class Logs(Kept):
    """What an `EventStore` promises of one game's log."""

    def __init__(self, link: Link, names: Names) -> None:
        super().__init__(link, names)
        self._hearings: dict[int, Hearing] = {}

    def append(self, game: str, entry: Entry, prev: str) -> None:
        """See `EventStore.append`."""
        meta = entry.meta
        arguments = (entry.version, prev, entry.line, entry.hash, meta.attempt, packed(meta))
        keys = self.names.both(game)[: 2 if entry.version == 1 else 1]
        with LOG:
            said = self.link.write(keys[0], "EVAL", scripts.APPEND, len(keys), *keys, *arguments)
        if said == b"damaged":
            raise Unreadable(f"the last entry of game {game} is not one of ours")
        if said != b"added":
            raise Conflict(f"game {game} does not end before version {entry.version} as named")
        if hearing := self._hearings.get(os.getpid()):
            hearing.written(self.names.log(game).encode(), entry.version)

    def read(self, game: str, start: int = 1, end: int | None = None) -> Reading:
        """See `EventStore.read`. One round trip for fewer than `PAGE` entries, one more for each
        `MORE` that follow."""
        asked = self.asking(game, start, end)
        if start <= 1:  # of a game that is not known here there may be nothing, or the compact form
            asked.append(("GET", self.names.form(game)))
            *page, form = self.link.ask(*asked)
            return self.read_on(game, start, page, end, form)
        return self.read_on(game, start, self.link.ask(*asked), end)

    def asking(self, game: str, start: int, end: int | None = None) -> list[Command]:
        """The commands that ask for the first page of `read`; see `read_on`."""
        return self._page(game, place_of(max(start, 1)), end)

    def read_on(
        self, game: str, start: int, page: list[Any], end: int | None = None, known: Any = ...
    ) -> Reading:
        """What `read` gives, by the answers to these and what more there is.

        `known` is what stood in the place of the compact form after that page was read.
        """
        keys, first = self.names.both(game), max(start, 1)
        found: list[tuple[bytes, Fields]] = []
        count = PAGE
        while True:
            with LOG:
                seconds, micros, more = _paged(page)
            found += [(place, dict(zip(raw[::2], raw[1::2], strict=True))) for place, raw in more]
            if len(more) < count:
                break
            count, behind = MORE, b"(" + found[-1][0]  # there may be gaps
            page = self.link.ask(*self._page(game, behind, end, count))
        # Where the stream has nothing (more), the compact form may be.
        if known is ... or found:
            known = None if more else self.link.ask(("GET", keys[1]))[0]
        with LOG:
            form: bytes | None = good(known)
        entries: list[Entry] = []
        broken = ""
        for version, entry in enumerate(found, first):
            try:
                entries.append(entry_at(game, version, *entry))
            except Unreadable as error:
                broken = str(error)
                break
        if form and not broken:  # between two pages a stream may have become one
            try:
                stop = None if end is None else max(end, 0)
                entries += cold.thawed(form)[first + len(found) - 1 : stop]
            except Unreadable as error:
                broken = f"game {game}: {error}"
        now = int(seconds) * 1000 + int(micros) // 1000
        beyond = tuple(any_entry(game, *entry) for entry in found[len(entries) :])
        return Reading(now, tuple(entries), broken, beyond)

    def _page(
        self, game: str, behind: str | bytes, end: int | None, count: int = PAGE
    ) -> list[Command]:
        """Entries, and after them the time: so none of them is younger, and what comes in between
        is not known, and refuses whatever is written without it.

        Of a cluster the game's own server must be asked for the time, which a script does; it
        costs a server twice as much.
        """
        log, last = self.names.log(game), "+" if end is None else place_of(end)
        if self.link.clustered:
            return [("EVAL", scripts.READ, 1, log, behind, last, count)]
        return [("XRANGE", log, behind, last, "COUNT", count), ("TIME",)]

    def plant(self, game: str, entries: Sequence[Entry]) -> None:
        """See `EventStore.plant`. One script, so everybody waits: 10 ms for a thousand entries."""
        whole(entries)
        fields = [
            field
            for one in entries
            for field in (one.line, one.hash, one.meta.attempt, packed(one.meta))
        ]
        keys = self.names.both(game)
        with LOG:
            said = self.link.write(keys[0], "EVAL", scripts.PLANT, 2, *keys, *fields)
        if said != b"planted":
            there = self.read(game, 1, len(entries)).entries
            if [one.hash for one in there] != [one.hash for one in entries]:
                raise Conflict(f"game {game} has another log")

    def follow(
        self, game: str, after: int, timeout: float, length: Callable[[], int] | None = None
    ) -> bool:
        """See `EventStore.follow`. However many wait, it is one connection; see `hearing`."""
        channel = self.names.log(game).encode()
        # A fork has connections of its own, and so has what listens to them.
        hearing = self._hearings.get(os.getpid())
        if hearing is None:
            hearing = self._hearings.setdefault(os.getpid(), Hearing(self.link.home))
        return hearing.follow(channel, after, timeout, length or (lambda: self._length(game)))

    def _length(self, game: str) -> int:
        """The newest version, by the stream or by the compact form in its place."""
        log, form = self.names.both(game)
        with LOG, translated():
            newest = cast("Any", self.link.client.xrevrange(log, count=1))
            front = b"" if newest else self.link.client.getrange(form, 0, cold.FRONT - 1)
        if newest:
            return int(newest[0][0].partition(b"-")[0])
        return cold.length(cast("bytes", front)) if front else 0


_Page = tuple[bytes, bytes, list[Any]]
_Time = tuple[bytes, bytes]


def _paged(page: list[Any]) -> _Page:
    """The time and the entries, by the answers to `_page`."""
    said, *time = page
    if not time:
        return cast("_Page", good(said))
    more: list[Any] = good(said)
    seconds, micros = cast("_Time", good(time[0]))
    return seconds, micros, more
