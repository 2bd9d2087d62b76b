"""Games that are played over HTTP while the servers beneath them are moved and killed.

Each player keeps a journal: the Idempotency-Keys of the commands that were acknowledged, in order.
"""

import threading
import time
from collections import Counter
from random import Random
from types import TracebackType
from typing import Any, Self

from service.store import EventStore
from tests.api.client import House, Person
from tests.cluster.servers import until


class Play:
    """Some games of canasta for two, each played by a thread; a context manager that ends them."""

    def __init__(self, house: House, games: int) -> None:
        self.games = [Game(house) for _ in range(games)]

    def __enter__(self) -> Self:
        for game in self.games:
            game.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for game in self.games:
            game.stop.set()
        for game in self.games:
            for thread in game.threads:
                thread.join(120)

    def go_on(self, commands: int) -> None:
        """Returns when in each game so many commands more are acknowledged."""
        goals = [len(game.journal) + commands for game in self.games]
        until(
            lambda: all(
                len(game.journal) >= goal or game.over or game.failed
                for game, goal in zip(self.games, goals, strict=True)
            ),
            seconds=120,
        )
        self.check()

    def check(self) -> None:
        """Nothing was refused for good."""
        assert [game.failed for game in self.games if game.failed] == []

    @property
    def refusals(self) -> Counter[str]:
        """The answers that said to try again, by their code."""
        return sum((game.refusals for game in self.games), Counter())


class Game:
    """One game: a thread that plays both seats, and one that follows what happens."""

    def __init__(self, house: House) -> None:
        self.id, *people = house.table()
        self.journal: list[str] = []
        self.seen: list[str] = []
        self.failed = ""
        self.over = False
        self.refusals: Counter[str] = Counter()
        self.stop = threading.Event()
        self._people = people
        self._watcher = house.guest("Wim")
        self._luck = Random(self.id)
        self.threads = [threading.Thread(target=self._run, args=(part,)) for part in self._parts()]

    def _parts(self) -> Any:
        return self._play, self._follow

    def start(self) -> None:
        """Begins to play and to follow."""
        for thread in self.threads:
            thread.start()

    def _run(self, part: Any) -> None:
        try:
            part()
        except BaseException as error:
            self.failed = self.failed or f"{type(error).__name__}: {error}"
            raise

    def _play(self) -> None:
        mover = 0
        while not self.stop.is_set():
            said = self._ask(self._people[mover], "GET", "/commands")
            if said is None:
                return
            if not said["commands"]:
                seen = self._ask(self._people[mover], "GET", "")
                if seen is None or seen["result"]:
                    self.over = seen is not None
                    return
                mover = 1 - mover
                continue
            key = f"move-{len(self.journal)}"
            done = self._ask(
                self._people[mover],
                "POST",
                "/commands",
                json=self._luck.choice(said["commands"]),
                headers={"Idempotency-Key": key, "If-Match": f'"{said["version"]}"'},
            )
            if done is None:
                return
            self.journal.append(key)

    def _follow(self) -> None:
        after = "0"
        while not self.stop.is_set():
            said = self._ask(self._watcher, "GET", f"/events?after={after}&wait=2")
            if said is None:
                return
            self.seen += [item["id"] for item in said["items"]]
            after = said["next"]

    def _ask(self, who: Person, method: str, what: str, **more: Any) -> Any:
        """The answer, asked for again while it is 503; None when it is time to stop."""
        while True:
            answer = who(method, f"/v1/games/{self.id}{what}", **more)
            if answer.status_code < 300:
                return answer.get_json()
            code = answer.get_json()["code"]
            assert answer.status_code == 503, answer.get_data(as_text=True)
            self.refusals[code] += 1
            if self.stop.is_set():
                return None
            time.sleep(0.05)


def assert_nothing_is_lost_or_doubled(play: Play, store: EventStore) -> None:
    """The journal is the log; a last command without an answer may be there or not.

    The followers saw each event once, in order.
    """
    for game in play.games:
        entries = store.read(game.id).entries
        assert [one.version for one in entries] == [*range(1, len(entries) + 1)]
        keys = [one.meta.key for one in entries if one.meta.key.startswith("move-")]
        assert keys in (game.journal, [*game.journal, f"move-{len(game.journal)}"])
        places = [tuple(map(int, one.split("."))) for one in game.seen]
        assert places == sorted(set(places))
        assert {version for version, _ in places} == {*range(1, places[-1][0] + 1)}
        assert places[-1][0] <= len(entries)
