"""Everything that somebody can be told about a game: where `leaks` looks for cards and secrets.

A line in `SOURCES` for each kind of answer, byte for byte: status, headers, body, and streams until
they fall silent. What goes out by another way, to a server of the player's own, has a line too; it
yields what that person was sent.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.answers import NoSeat
from service.rules import GAMES
from service.rules.errors import IllegalMove
from workers import hints
from workers.strategies import Budget


@dataclass(frozen=True, slots=True)
class Ask:
    """Somebody with a token who asks about a game.

    `version` is the newest that there is, `card` one that they may know of, if any. `hook` is
    their webhook, and `mail` all that was sent to it.
    """

    http: FlaskClient
    token: str
    game: str
    version: int
    seats: int
    card: str | None
    player: str = ""
    hook: str = ""
    mail: tuple[bytes, ...] = ()

    def __call__(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> bytes:
        """The whole answer to a request; `path` is below the game, or all of it from `/v1` on."""
        whole_path = path.startswith(("/v1/", "/metrics"))
        where = path if whole_path else f"/v1/games/{self.game}{path}"
        sent = {"Authorization": f"Bearer {self.token}"} | (headers or {})
        answer = self.http.open(where, method=method, headers=sent, json=body)
        return whole(answer)

    def stream(self, form: str, query: str = "", **headers: str) -> bytes:
        """A stream, as long as something comes."""
        sent = {"Accept": form} | {name.replace("_", "-"): text for name, text in headers.items()}
        return self("GET", f"/events?wait=0{query}", None, sent)

    def commands(self) -> Iterable[bytes]:
        """Commands that are refused: of another version, out of place, unreadable."""
        old, strange = {"If-Match": '"1"'}, {"If-Match": '"1000000"'}
        yield self("POST", "/commands", {"type": "draw"}, old)
        yield self("POST", "/commands", {"type": "resign"}, strange)
        yield self("POST", "/commands", {"type": "no_such"})
        yield self("POST", "/commands", {"type": "play", "card": "??"}, {"If-Match": "W/x"})
        yield self("POST", "/commands", {"type": "move_seat", "to": 0})
        if self.card:
            yield self("POST", "/commands", {"type": "discard", "card": self.card}, old)
            yield self("POST", "/commands", {"type": "play", "card": self.card}, old)

    def webhook(self) -> Iterable[bytes]:
        """Their webhook, its log, and what may be asked of it but for its secret."""
        path = f"/v1/webhooks/{self.hook}"
        yield self("GET", "/v1/webhooks")
        yield self("GET", path)
        yield self("PATCH", path, {"label": "mine", "url": "http://10.0.0.1/"})
        yield self("PATCH", path, {"label": "mine"})
        yield self("POST", f"{path}/test", {})
        log = self("GET", f"{path}/deliveries?limit=100")
        yield log
        for delivery in json.loads(log.partition(b"\r\n\r\n")[2]).get("items", [])[:2]:
            yield self("POST", f"{path}/deliveries/{delivery['id']}/redeliver", {})

    def hint(self) -> Iterable[bytes]:
        """A hint asked for, given, and read; and what others are told of the job."""
        edge = self.http.application.extensions["tapete"]
        yield self("POST", "/hints")
        table = edge.tables.load(self.game)
        seat = table.game.to_act()
        try:
            job = edge.hints.ask(self.game, table.game.chairs[seat].player).job.id
        except (NoSeat, IllegalMove):
            return  # a computer player is to act, or nobody
        budget = Budget(0.05, samples=1)
        hints.attempt(hints.Adviser(edge.hints, edge.tables, budget), job)
        assert edge.hints.find(job).state == "done"
        yield self("GET", f"/v1/jobs/{job}")
        yield self("POST", "/hints")

    def numbers(self) -> Iterable[bytes]:
        """Statistics, ratings and leaderboards."""
        yield self("GET", "/v1/me/statistics")
        yield self("GET", f"/v1/players/{self.player}/statistics")
        for name in VARIANTS:
            yield self("GET", f"/v1/players/{self.player}/ratings/{name}")
            yield self("GET", f"/v1/variants/{name}/statistics")
            yield self("GET", f"/v1/variants/{name}/leaderboard")


def whole(answer: TestResponse) -> bytes:
    """Status, headers and body as they go over the wire."""
    head = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
    return f"{answer.status}\r\n{head}\r\n".encode() + answer.get_data()


SSE: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"
VARIANTS: Final = [name for rules in GAMES.values() for name in rules.VARIANTS]

Source = Callable[[Ask], Iterable[bytes]]

SOURCES: Final[dict[str, Source]] = {
    "game": lambda ask: [ask("GET", "")],
    "at": lambda ask: [ask("GET", f"?at={at}") for at in (1, ask.version - 1, ask.version, 10**6)],
    "as": lambda ask: [
        ask("GET", f"{path}{mark}as={eyes}")
        for eyes in (0, ask.seats - 1, "all")
        for path, mark in (("", "?"), ("/steps", "?"), ("/events?limit=500", "&"))
    ],
    "feed": lambda ask: [ask("GET", "/events?limit=500"), ask("GET", "/events?after=3.0")],
    "long poll": lambda ask: [ask("GET", f"/events?after={ask.version - 1}&wait=0")],
    "stream of events": lambda ask: [
        ask.stream(SSE),
        ask.stream(SSE, "&after=0"),
        ask.stream(SSE, Last_Event_ID=f"{ask.version - 1}.0"),
        *(ask.stream(SSE, f"&as={eyes}") for eyes in (0, "all")),
    ],
    "stream of lines": lambda ask: [ask.stream(LINES), ask.stream(LINES, "&after=0")],
    "steps": lambda ask: [ask("GET", "/steps?limit=500"), ask("GET", "/steps?before=1000000")],
    "turn": lambda ask: [ask("GET", "/turn")],
    "allowed": lambda ask: [ask("GET", "/commands")],
    "refused commands": Ask.commands,
    "seats": lambda ask: [
        ask("POST", "/seats", {}),
        *(ask("PUT", f"/seats/{seat}", {"nonce": "luck"}) for seat in (0, 1)),
        *(ask("DELETE", f"/seats/{seat}") for seat in (0, 1)),
    ],
    "lists": lambda ask: [
        ask("GET", "/v1/me"),
        ask("GET", "/v1/me/games"),
        ask("GET", "/v1/games?status=playing"),
        ask("GET", "/v1/me/tokens"),
    ],
    "before the end": lambda ask: [
        ask("GET", "/record"),
        ask("GET", "/audit"),
        ask("GET", "/analysis"),
        ask("POST", "/rematch"),
        ask("POST", "/v1/audits", {"game": ask.game}),
        ask("POST", "/v1/games", {"from": {"game": ask.game, "version": ask.version}}),
        ask("GET", "/v1/export"),
        ask("GET", "/nowhere"),
        ask("PATCH", ""),
    ],
    "hint": Ask.hint,
    "webhook": Ask.webhook,
    "what a webhook was sent": lambda ask: ask.mail,
    "statistics": Ask.numbers,
    "metrics": lambda ask: [ask("GET", "/metrics")],
}
