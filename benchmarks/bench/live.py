"""Our side of whole games over the network: players who hear every move by a stream of events.

Each player has a stream and a connection for commands, as a client has. A game's next command is
given when the last was answered and all four have heard of it. All in one thread, like `load`.
"""

import re
import selectors
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from benchmarks.bench.games import Seated, command
from benchmarks.bench.http1 import IDLE, LoadFailed, checked, connected, request, whole

PATIENCE: Final = 30.0
"""Seconds without a word after which a run has failed."""

TAIL: Final = 64
"""Bytes at the end of what was heard in which an id may still be unfinished."""

_ID: Final = re.compile(rb"id: (\d+)\.\d+\n")


@dataclass(slots=True)
class Stream:
    """What one player hears."""

    table: "Table"
    seat: int
    client: socket.socket
    tail: bytes = b""


@dataclass(slots=True)
class Line:
    """The connection on which one player gives commands."""

    table: "Table"
    client: socket.socket | None = None
    asked: bytes = b""
    used: float = 0.0
    buffer: bytearray = field(default_factory=bytearray)


@dataclass(slots=True)
class Table:
    """A game that is played.

    Attributes:
        next: the place of the next move.
        missing: the seats that have not heard of the last one; -1 stands for its answer.
        began: when that was given.
        heard: seconds until each seat heard of it.
    """

    game: Seated
    lines: list[Line] = field(default_factory=list)
    next: int = 0
    missing: set[int] = field(default_factory=set)
    began: float = 0.0
    heard: dict[int, float] = field(default_factory=dict)


class Party:
    """Games whose players all listen."""

    def __init__(self, base: str, games: Sequence[Seated]) -> None:
        where = urlsplit(base)
        self._where = where.hostname or "", where.port or 0
        self._waiting = selectors.DefaultSelector()
        self._tables = [self._table(game) for game in games]

    def moves(self, seconds: float) -> float:
        """Moves a second that all four players heard, over all games."""
        made, began = 0, time.perf_counter()
        until, playing = began + seconds, len(self._tables)
        for table in self._tables:
            self._give(table)
        while playing:
            for table in self._told():
                made += 1
                if time.perf_counter() < until:
                    self._give(table)
                else:
                    playing -= 1
        return made / (time.perf_counter() - began)

    def heard(self, times: int, pause: float) -> list[float]:
        """Milliseconds until the next player in the first game heard of each of so many moves."""
        found, table = [], self._tables[0]
        for _ in range(times):
            seat = table.game.played.moves[table.next].seat
            self._give(table)
            while not self._told():
                pass
            found.append(table.heard[(seat + 1) % table.game.played.seats] * 1000)
            time.sleep(pause / 1000)
        return found

    def close(self) -> None:
        """Hangs up."""
        for key in [*self._waiting.get_map().values()]:
            key.data.client.close()
        self._waiting.close()

    def _table(self, game: Seated) -> Table:
        table = Table(game)
        for seat, guest in enumerate(game.guests):
            stream = Stream(table, seat, connected(self._where))
            path = f"/v1/games/{game.id}/events"
            stream.client.sendall(request("GET", path, guest.token, Accept="text/event-stream"))
            told = b""
            while b"event: view" not in told:
                told += (more := stream.client.recv(65_536))
                if not more or not told.startswith(b"HTTP/1.1 200"[: len(told)]):
                    raise LoadFailed(told[:300].decode(errors="replace"))
            self._waiting.register(stream.client, selectors.EVENT_READ, stream)
            table.lines.append(Line(table))
        return table

    def _give(self, table: Table) -> None:
        """Gives the next command of a game."""
        move = table.game.played.moves[table.next]
        line = table.lines[move.seat]
        if line.client is None or time.monotonic() - line.used > IDLE:
            self._hang_up(line)
            line.client = connected(self._where)
            self._waiting.register(line.client, selectors.EVENT_READ, line)
        table.next += 1
        table.missing = {-1, *range(table.game.played.seats)}
        table.heard = {}
        line.asked = command(table.game, move)
        table.began = time.perf_counter()
        line.client.sendall(line.asked)

    def _told(self) -> list[Table]:
        """Waits for what comes, and names the games whose move everybody knows by now."""
        ready = self._waiting.select(PATIENCE)
        if not ready:
            raise LoadFailed(f"nobody heard anything for {PATIENCE:.0f} s")
        done = []
        for key, _ in ready:
            table = key.data.table
            before = bool(table.missing)
            (self._hear if isinstance(key.data, Stream) else self._answer)(key.data)
            if before and not table.missing:
                done.append(table)
        return done

    def _hear(self, stream: Stream) -> None:
        more = stream.client.recv(65_536)
        if not more:
            raise LoadFailed("a stream was closed")
        told = stream.tail + more
        stream.tail = told[-TAIL:]
        table = stream.table
        if stream.seat in table.missing:
            wanted = table.game.played.moves[table.next - 1].version
            if any(int(version) > wanted for version in _ID.findall(told)):
                table.missing.discard(stream.seat)
                table.heard[stream.seat] = time.perf_counter() - table.began

    def _answer(self, line: Line) -> None:
        assert line.client
        line.used = time.monotonic()
        if more := line.client.recv(65_536):
            line.buffer += more
            if answer := whole(line.buffer):
                checked(answer, line.asked)
                line.asked = b""
                line.table.missing.discard(-1)
        elif line.asked:
            raise LoadFailed("the server hung up in the middle of an answer")
        else:
            self._hang_up(line)  # it was idle for long

    def _hang_up(self, line: Line) -> None:
        if line.client is not None:
            self._waiting.unregister(line.client)
            line.client.close()
            line.client = None
