"""Waiting for new entries: one connection to each server serves all who wait in a process.

    APPEND ──SPUBLISH──► ear, a connection and its thread ──► told, one a game ──► who waits

What is heard is only a hint to look at the log, so nothing depends on a message being whole, in
order, or there at all. The length of the log is asked for whenever something new was heard, when a
subscription begins, when a connection is lost, and every `CHECK` seconds; while a server does not
let us listen, every `DEAF` seconds. So an entry written before the wait began counts too. What this
process itself wrote is known without a look.

A game stays subscribed for `LINGER` seconds after the last who waited: streams and polls come
again at once. Then its channel is given up, and a connection without channels is closed.

Over 250 lines, since ear and waiting share one lock, and are understood together or not at all.
https://redis.io/docs/latest/develop/pubsub/#sharded-pubsub
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Lock, Thread
from typing import Any, Final

CHECK: Final = 30.0
"""Seconds after which a log is looked at although nothing was heard of it."""

DEAF: Final = 1.0
"""The same while its server cannot be heard; and the least pause between two tries to listen."""

LINGER: Final = 20.0
"""Seconds for which a game stays subscribed after the last who waited for it."""

PAUSE: Final = 5.0
"""Seconds of silence after which a server is asked whether it is there; two, and it is not."""

Home = tuple[str, Callable[[], Any]]
"""A server's name, and how a connection to it is made."""


class Told:
    """What is known of the length of one log, and who waits for more.

    Attributes:
        length: the newest version at the last look; -1 before the first.
        live: whether the server tells us of new entries.
        waiters, left: how many wait, and since when nobody does.
    """

    __slots__ = (
        "_answered",
        "_asked",
        "_before",
        "_changed",
        "_looked",
        "_stirred",
        "ear",
        "left",
        "length",
        "live",
        "tried",
        "waiters",
    )

    def __init__(self) -> None:
        self._changed = Condition()
        self._stirred = True
        self._looked = 0.0
        self._asked = self._answered = self._before = 0
        self.length = -1
        self.live = False
        self.ear: Ear | None = None
        self.tried = -DEAF
        self.waiters = 0
        self.left = 0.0

    def stir(self, live: bool | None = None) -> None:
        """Something was heard, or can no longer be: whoever waits looks at the log."""
        with self._changed:
            self._stirred = True
            self.live = self.live if live is None else live
            self._changed.notify_all()

    def heard(self, said: bytes) -> None:
        """Somebody wrote the version that they said; it is looked for unless it is known."""
        if said != b"%d" % self.length:
            self.stir()

    def written(self, version: int) -> None:
        """This process wrote an entry, and has the answer that it stands in the log."""
        with self._changed:
            if version > self.length:
                self.length = version
                self._before = self._asked
                self._changed.notify_all()

    def look(self, length: Callable[[], int]) -> None:
        """Asks for the length if it may have changed; one asks for all who wait."""
        with self._changed:
            age = time.monotonic() - self._looked
            if not self._stirred and age < (CHECK if self.live else DEAF):
                return
            # Before the question, so that what is heard meanwhile leads to another.
            self._stirred, self._looked = False, time.monotonic()
            self._asked += 1
            number = self._asked
        try:
            found = length()
        except BaseException:
            self.stir()
            raise
        with self._changed:
            if number > self._answered:  # an older answer may come later
                if number <= self._before:  # it may not have seen what was written meanwhile
                    found = max(found, self.length)
                grown, self._answered, self.length = found != self.length, number, found
                if grown:
                    self._changed.notify_all()

    def sleep(self, after: int, seconds: float) -> None:
        """Returns when there may be something beyond `after`, or after some seconds."""
        with self._changed:
            if not self._stirred and self.length <= after:
                self._changed.wait(min(seconds, CHECK if self.live else DEAF))


class Ear:
    """One connection to one server. Ends by itself, and is not used again then."""

    def __init__(self, hearing: "Hearing", make: Callable[[], Any]) -> None:
        self.closed = False
        self.told: dict[bytes, Told] = {}
        self._hearing = hearing
        self._make = make
        self._connection: Any = None
        Thread(target=self._run, name="hearing", daemon=True).start()

    # What is sent and what is noted of it is done under the hearing's lock, so in one order.

    def add(self, channel: bytes, told: Told) -> None:
        """Listens to one more channel. To be called with the lock."""
        self.told[channel] = told
        if self._connection is not None:
            self._connection.send_command("SSUBSCRIBE", channel)

    def remove(self, channel: bytes) -> None:
        """No longer listens to it. To be called with the lock."""
        del self.told[channel]
        if self._connection is not None:
            self._connection.send_command("SUNSUBSCRIBE", channel)

    def _run(self) -> None:
        connection = None
        # Whatever goes wrong, who waits looks for itself, and sees to another ear.
        with suppress(Exception):
            connection = self._make()
            connection.connect()
            with self._hearing.lock:
                self._connection = connection
                for channel in self.told:
                    connection.send_command("SSUBSCRIBE", channel)
            self._listen(connection)
        with self._hearing.lock:
            self.closed, self._connection = True, None
            self._hearing.lost(self)
        if connection is not None:
            with suppress(Exception):
                connection.disconnect()

    def _listen(self, connection: Any) -> None:
        asked, tidied = False, time.monotonic()
        while not self.closed:
            if connection.can_read(timeout=PAUSE):
                self._hear(connection.read_response())
                asked = False
            elif asked:
                return
            else:
                with self._hearing.lock:
                    connection.send_command("PING")
                asked = True
            if time.monotonic() - tidied >= PAUSE:
                tidied = time.monotonic()
                self._hearing.tidy(self)

    def _hear(self, said: Any) -> None:
        """A message, or an answer. One that is an error is raised by redis-py and ends it all."""
        if not isinstance(said, list):
            return  # PONG
        with self._hearing.lock:
            told = self.told.get(said[1])
            if told is None:
                return
            if said[0] == b"smessage":
                told.heard(said[2])
            elif said[0] == b"ssubscribe":
                told.ear = self
                told.stir(live=True)
            elif said[0] == b"sunsubscribe":  # its slot went to another server
                del self.told[said[1]]
                told.ear = None
                told.stir(live=False)


class Hearing:
    """Everybody in one process who waits, by channel.

    `home` says which server has a channel; it may raise whatever it likes.
    """

    def __init__(self, home: Callable[[bytes], Home]) -> None:
        self.lock = Lock()
        self._home = home
        self._told: dict[bytes, Told] = {}
        self._ears: dict[str, Ear] = {}

    def follow(self, channel: bytes, after: int, timeout: float, length: Callable[[], int]) -> bool:
        """Whether the log is longer than `after`; waits up to `timeout` seconds for that.

        `length` asks the server, and its errors are this one's.
        """
        if timeout <= 0:
            return length() > after
        until = time.monotonic() + timeout
        with self._waiting(channel) as told:
            while True:
                self._see_to(channel, told)
                told.look(length)
                if told.length > after:
                    return True
                left = until - time.monotonic()
                if left <= 0:
                    return False
                told.sleep(after, left)

    def written(self, channel: bytes, version: int) -> None:
        """Tells who waits here that this process wrote an entry."""
        if told := self._told.get(channel):
            told.written(version)

    @contextmanager
    def _waiting(self, channel: bytes) -> Iterator[Told]:
        with self.lock:
            told = self._told.setdefault(channel, Told())
            told.waiters += 1
        try:
            yield told
        finally:
            with self.lock:
                told.waiters -= 1
                told.left = time.monotonic()
                if not told.waiters and told.ear is None:
                    self._told.pop(channel, None)

    def _see_to(self, channel: bytes, told: Told) -> None:
        """Sees to it that the server was asked to tell us; without it one looks more often."""
        if told.ear is not None:  # who finds it missing at the same time finds it `tried`
            return
        with self.lock, suppress(Exception):
            now = time.monotonic()
            if now - told.tried < DEAF:
                return
            told.tried = now
            name, make = self._home(channel)
            ear = self._ears.get(name)
            if ear is None or ear.closed:
                ear = self._ears[name] = Ear(self, make)
            told.ear = ear
            ear.add(channel, told)

    # For ears; with the lock, or taking it.

    def tidy(self, ear: Ear) -> None:
        """Gives up what nobody has waited for in a while; ends an ear that has nothing left."""
        now = time.monotonic()
        with self.lock:
            for channel, told in [*ear.told.items()]:
                if not told.waiters and now - told.left > LINGER:
                    ear.remove(channel)
                    self._told.pop(channel, None)
            ear.closed = not ear.told

    def lost(self, ear: Ear) -> None:
        """Tells those who waited that nothing more is heard. To be called with the lock."""
        for channel, told in ear.told.items():
            told.ear = None
            if not told.waiters:
                self._told.pop(channel, None)
            told.stir(live=False)
        ear.told.clear()
