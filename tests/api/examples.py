"""The examples in openapi.yaml: real answers, to requests that a small play makes.

    python -m tests.api.examples    # ./run contract: plays, and writes them anew

The play is always the same: its clock and its chance begin at the same point each time, so a test
plays it again and compares. Its games are practice games that nobody will ever play, or are over,
and its tokens and secrets are overwritten. Lists longer than a dozen are cut.

A new call gets a line in `play` and, in openapi.yaml, `examples: {usual: {$ref: …}}` beside the
schema of its answer.
"""

import itertools
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

import yaml
from werkzeug.test import TestResponse

from service.app import create_app
from service.config import Config
from service.rates import Rate
from service.store import StoreUnavailable
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from service.store.memory_statistics import MemoryLedger
from service.store.memory_webhooks import memory_webhooks
from service.store.tallies import MemoryTallies
from service.store.turns import MemoryTurns
from service.store.webhooks import Keepers
from service.webhooks.postman import Postman
from service.webhooks.send import Outcome
from tests.api.client import HUMAN, House, Person
from tests.api.contract import FILE
from workers import hints
from workers.audits import attempt

HEAD: Final = (
    "\n  # Made by ./run contract: everything from here on is written anew.\n  examples:\n"
)
BEGAN: Final = 1_796_025_600_000_000_000
"""When the play begins, in ns since 1970: 2026-11-30, eight in the morning."""

LONGEST: Final = 12
KEPT: Final = 3
"""How many entries a list may have, and how many are left of a longer one."""

TOKEN: Final = "tpt_" + "0" * 43
WEBHOOK_SECRET: Final = "whsec_" + "A" * 43 + "="
NDJSON: Final = "application/x-ndjson"
RATED: Final = 24
"""Games after which a rating is no longer provisional."""
CASUAL: Final = {"kind": "ai", "level": "casual"}

Examples = dict[str, Any]


@contextmanager
def certain() -> Iterator[None]:
    """Time and chance as they are in every play: nothing here is secret, or true."""
    luck = random.Random("examples")
    ticks = itertools.count(BEGAN, 50_000_000)
    with (
        mock.patch("secrets.token_bytes", luck.randbytes),
        mock.patch("secrets.token_hex", lambda size: luck.randbytes(size).hex()),
        mock.patch("secrets.token_urlsafe", lambda size: luck.randbytes(size).hex()),
        mock.patch("secrets.choice", luck.choice),
        mock.patch("random.randint", luck.randint),
        mock.patch("time.time_ns", lambda: next(ticks)),
    ):
        yield


class Book:
    """What was answered, by the name of the example."""

    def __init__(self) -> None:
        self.examples: Examples = {}

    def take(self, name: str, summary: str, response: TestResponse) -> Any:
        """Keeps an answer, which fits the contract since it came through the tests' client."""
        assert name not in self.examples, name
        text = response.get_data(as_text=True)
        if response.mimetype == NDJSON:
            whole: Any = text
            lines = (cut(json.loads(line)) for line in text.splitlines() if line)
            value: Any = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        elif str(response.mimetype).endswith("json"):
            whole = json.loads(text)
            value = cut(whole)
        else:
            whole = text
            value = few(text)
        self.examples[name] = {"summary": summary, "value": value}
        return whole


def cut(value: Any) -> Any:
    """The same with long lists and long texts shortened, and without tokens."""
    if isinstance(value, dict):
        return {name: cut(one) for name, one in value.items()}
    if isinstance(value, list):
        return [cut(one) for one in (value[:KEPT] if len(value) > LONGEST else value)]
    for hidden in (TOKEN, WEBHOOK_SECRET):
        if isinstance(value, str) and value.startswith(hidden[: hidden.index("_") + 1]):
            return hidden
    return value


def few(text: str) -> str:
    """The lines of a text that are the same in every play: no durations, and few of the rest."""
    kept = ("tapete_store_up", "tapete_games", "tapete_commands_total")
    lines = text.splitlines(True)
    named = [line for line in lines if line.removeprefix("# HELP ").startswith(kept)]
    return "".join(named or lines)


def made() -> Examples:
    """All examples, from a play of their own."""
    asked: list[str] = []
    keepers = memory_webhooks()
    with certain():
        house = opened(Config(public_url="https://cards.example", rates=()), asked, keepers)
        book = Book()
        catalogue(book, house)
        game, anna, bert = played(book, house)
        over(book, house, asked, game, anna, bert)
        people(book, house)
        webhooks(book, house, keepers)
        statistics(book, house)
        refusals(book, house, game, anna)
        limits(book)
        thought_about(book, house)
    return book.examples


def opened(config: Config, asked: list[str], keepers: Keepers) -> House:
    """A service in memory; `asked` gets what workers are asked."""
    return House(
        create_app(
            config,
            store=MemoryStore(),
            people=MemoryPeople(),
            call=lambda *_: None,
            jobs=MemoryJobs(),
            turns=MemoryTurns(),
            hints=MemoryJobs(),
            ask=lambda job, *_: asked.append(job),
            advise=lambda *_: None,
            tallies=MemoryTallies(),
            ledger=MemoryLedger(),
            keepers=keepers,
            tell=lambda *_: None,
            deliver=lambda _: None,
        )
    )


def catalogue(book: Book, house: House) -> None:
    """What can be played, and what runs."""
    get = house.anyone.get
    book.take("listVariants", "All variants", get("/v1/variants"))
    book.take("getVariant", "Botifarra, with lists cut", get("/v1/variants/botifarra"))
    book.take("getRule", "A paragraph of bolivia", get("/v1/variants/bolivia/rules/3.5.3"))
    book.take("begin", "Where to begin", get("/"))
    book.take("isAlive", "It is", get("/healthz"))
    book.take("isReady", "It can work", get("/readyz"))


def thought_about(book: Book, house: House) -> None:
    """Computer players' turns."""
    anna = house.guest("Anna")
    computers = [{"kind": "ai", "level": "casual"}, {"kind": "ai", "level": "novice"}]
    order = {"variant": "canasta", "seats": computers, "sit": False}
    game = anna.post("/v1/games", order).get_json()
    path = f"/v1/games/{game['id']}/turn"
    book.take("getWaitingTurn", "Nobody is at it yet", anna.get(path))
    house.app.extensions["tapete"].turns.begin(game["id"], game["version"], 60)
    book.take("getTurn", "A worker has it", anna.get(path))


def played(book: Book, house: House) -> tuple[str, Person, Person]:
    """A practice game of canasta for two: its id and the two people."""
    body = {"name": "Anna"}
    guest = book.take("createPlayer", "A guest", house.anyone.post("/v1/players", body))
    anna, bert = Person(house.app, guest["token"], guest["id"]), house.guest("Bert")
    wanted = {
        "variant": "canasta",
        "seats": [HUMAN, HUMAN],
        "options": {"target_score": 2500},
        "clock": {"turn": 60, "bank": 600, "increment": 5},
        "setup": {"dealer": 1, "scores": [1200, 855]},
        "hints": True,
    }
    answer = anna.post("/v1/games", wanted, headers={"Idempotency-Key": "once"})
    game: str = book.take("createGame", "A table that waits for another", answer)["id"]
    path = f"/v1/games/{game}"
    book.take("listGames", "A page of tables that wait", bert.get("/v1/games?limit=1"))
    answer = anna("PUT", f"{path}/seats/0", json={"nonce": "violet"})
    book.take("setNonce", "The table with a word of Anna's", answer)
    book.take("takeSeat", "The last seat was taken: play begins", bert.post(f"{path}/seats"))
    book.take("takeSeatAgain", "The same once more", bert.post(f"{path}/seats"))
    book.take("listCommands", "Before drawing", anna.get(f"{path}/commands"))
    advised(book, house, anna, path)
    headers = {"If-Match": f'"{anna.version(game)}"', "Idempotency-Key": "a-uuid"}
    answer = anna.post(f"{path}/commands", {"type": "draw"}, headers=headers)
    drawn = book.take("giveCommand", "What came of a draw", answer)
    book.take("getGame", "The table through Anna's eyes", anna.get(path))
    after = drawn["version"] - 1
    seen = bert.get(f"{path}/events?after={after}")
    book.take("listEvents", "The same draw through Bert's eyes", seen)
    for form, name in (("text/event-stream", "streamEvents"), (NDJSON, "streamLines")):
        stream = bert.get(f"{path}/events?after={after}&wait=0", headers={"Accept": form})
        book.take(name, "The same as a stream", stream)
    book.take("listMyGames", "A page of Anna's games", anna.get("/v1/me/games"))
    return game, anna, bert


def advised(book: Book, house: House, anna: Person, path: str) -> None:
    """A hint is asked for, and given."""
    answer = anna.post(f"{path}/hints")
    job = book.take("askHint", "A hint that waits for a worker", answer)["id"]
    edge = house.app.extensions["tapete"]
    hints.attempt(hints.Adviser(edge.hints, edge.tables), job)
    book.take("getHint", "What a good player would do", anna.get(f"/v1/jobs/{job}"))


def over(book: Book, house: House, asked: list[str], game: str, anna: Person, bert: Person) -> None:
    """The game is given up: what can be done with it then."""
    path = f"/v1/games/{game}"
    anna.act(game, type="resign")
    book.take("getFinishedGame", "A game that is over", anna.get(path))
    version = anna.version(game)
    steps = anna.get(f"{path}/steps?before={version}&limit=1")
    book.take("listSteps", "The last step but one", steps)
    record = book.take("getRecord", "A record, with lists cut", anna.get(f"{path}/record"))
    book.take("playAgain", "The next game of the two", anna.post(f"{path}/rematch"))
    book.take("playAgainTwice", "The same once more", anna.post(f"{path}/rematch"))
    fair, mover, _ = house.table()
    mover.act(fair, type="resign")
    book.take("exportGames", "An export of one game, with lists cut", anna.get("/v1/export"))

    def work() -> None:
        while asked:
            attempt(house.app.extensions["tapete"].audits, asked.pop(0))

    answer = anna.post("/v1/audits", {"game": game, "depth": "record"})
    job = book.take("askAudit", "An audit that waits for a worker", answer)["id"]
    work()
    book.take("getJob", "An audit that is done", anna.get(f"/v1/jobs/{job}"))
    anna.get(f"{path}/audit")
    work()
    book.take("getAudit", "A verdict", anna.get(f"{path}/audit"))
    anna.get(f"{path}/analysis")
    work()
    book.take("getAnalysis", "A deal that was given up soon", anna.get(f"{path}/analysis"))
    answer = anna("POST", "/v1/records", data=record, content_type=NDJSON)
    job = book.take("importRecord", "An import that waits for a worker", answer)["id"]
    work()
    book.take("getImport", "An import that is done", anna.get(f"/v1/jobs/{job}"))


def people(book: Book, house: House) -> None:
    """Tokens, another device, and a quick match."""
    cora = house.guest("Cora")
    book.take("getMe", "Who one is", cora.get("/v1/me"))
    answer = cora.post("/v1/me/tokens", {"scopes": ["spectate"], "label": "overlay"})
    book.take("makeToken", "A token for an overlay", answer)
    book.take("listTokens", "Two tokens", cora.get("/v1/me/tokens"))
    link = book.take("makeLink", "A code", cora.post("/v1/me/link", {"label": "phone"}))
    answer = house.anyone.post("/v1/tokens", {"link": link["link"]})
    book.take("exchangeLink", "The same player", answer)
    match = {"variant": "botifarra", "seats": 4}
    book.take("quickMatch", "A table for the next ones", cora.post("/v1/matches", match))
    book.take("quickMatchAgain", "The same once more", cora.post("/v1/matches", match))


def webhooks(book: Book, house: House, keepers: Keepers) -> None:
    """A webhook from its making on: tried, read about, changed."""
    dora = house.guest("Dora")
    wanted = {"url": "https://bot.example/tapete", "types": ["your_turn", "game_finished"]}
    made = book.take("makeWebhook", "A webhook", dora.post("/v1/webhooks", wanted))
    path = f"/v1/webhooks/{made['id']}"
    book.take("testWebhook", "A ping is to be sent", dora.post(f"{path}/test"))
    outcome = Outcome(204, "", 35)
    with mock.patch("service.webhooks.postman.send", lambda *_: outcome):
        Postman(keepers, resolve=lambda *_: ["93.184.215.14"]).run(made["id"])
    log = dora.get(f"{path}/deliveries")
    sent = book.take("listDeliveries", "The ping was taken", log)["items"][0]["id"]
    again = dora.post(f"{path}/deliveries/{sent}/redeliver")
    book.take("redeliver", "The same ping once more", again)
    book.take("getWebhook", "Without its secret", dora.get(path))
    book.take("listWebhooks", "One", dora.get("/v1/webhooks"))
    answer = dora.post(f"{path}/secret")
    book.take("rotateWebhookSecret", "With another secret", answer)
    answer = dora("PATCH", path, json={"enabled": False})
    book.take("changeWebhook", "Switched off for a while", answer)
    no(book, "WebhookDisabled", dora.post(f"{path}/test"))
    for _ in range(10):
        last = dora.post("/v1/webhooks", wanted)
    no(book, "TooManyWebhooks", last)


def statistics(book: Book, house: House) -> None:
    """Two play until their ratings are sure; what all of it comes to."""
    two = [house.guest("Emil"), house.guest("Fee")]
    for _ in range(RATED):
        game = two[0].open(HUMAN, HUMAN)
        two[1].ok("POST", f"/v1/games/{game}/seats", json={})
        two[1].act(game, type="resign")
    with mock.patch("service.store.memory.HELD_BACK", -10_000):
        house.app.extensions["tapete"].statistics.work()
    emil, fee = two
    get = emil.get
    book.take("getMyStatistics", "One's own", get("/v1/me/statistics"))
    answer = get(f"/v1/players/{fee.id}/statistics")
    book.take("getPlayerStatistics", "Somebody else's", answer)
    answer = get(f"/v1/players/{fee.id}/ratings/canasta")
    book.take("listRatings", "One day's games", answer)
    answer = get("/v1/variants/canasta/statistics")
    book.take("getVariantStatistics", "A variant's", answer)
    answer = get("/v1/variants/canasta/leaderboard")
    book.take("getLeaderboard", "Two players", answer)
    answer = fee("PUT", "/v1/me/listed", json={"listed": False})
    book.take("setListed", "Hidden from now on", answer)


def limits(book: Book) -> None:
    """A house that gives little, and tells what it counts."""
    rates = (Rate("moves", 1, 3600),)
    # Nobody is behind that address, so the length of no queue is told.
    away = "redis://127.0.0.1:1/0"
    narrow = Config(rates=rates, open_games=1, metrics="on", queue_url=away)
    house = opened(narrow, [], memory_webhooks())
    game, mover, _ = house.table()
    no(book, "TooManyGames", mover.post("/v1/games", {"variant": "canasta", "seats": [HUMAN] * 2}))
    path = f"/v1/games/{game}/commands"
    mover.act(game, type="draw")
    no(book, "RateLimited", mover.post(path, {"type": "draw"}))
    told = house.anyone.get("/metrics")
    book.take("getMetrics", "With most lines cut", told)


def no(book: Book, name: str, response: TestResponse) -> None:
    """Keeps a refusal. Their names begin with `no`."""
    said = response.get_json()
    book.take(f"no{name}", f"{said['status']} {said['code']}", response)


def refusals(book: Book, house: House, over: str, anna: Person) -> None:
    """A refusal of each other kind."""
    game, mover, other = house.table(setup={"dealer": 0, "scores": [0, 0]})
    path = f"/v1/games/{game}/commands"
    no(
        book,
        "BadBody",
        anna("POST", "/v1/players", data=b'{"name": ', content_type="application/json"),
    )
    no(book, "BadRequest", anna.post("/v1/games", {}, headers={"Idempotency-Key": "a, b"}))
    no(book, "BadIfMatch", mover.post(path, {"type": "draw"}, headers={"If-Match": "17"}))
    stream = {"Accept": "text/event-stream", "Last-Event-ID": "x"}
    no(book, "BadLastEventId", mover.get(f"/v1/games/{game}/events", headers=stream))
    no(book, "Unauthorized", house.anyone.get("/v1/me"))
    narrow = mover.ok("POST", "/v1/me/tokens", json={"scopes": ["spectate"]})["token"]
    no(book, "MissingScope", Person(house.app, narrow).get("/v1/games"))
    no(book, "Forbidden", anna.post(path, {"type": "draw"}))
    no(book, "NotFound", anna.get("/v1/games/aaaaaaaaaaaaaaaaaaaaa"))
    no(book, "LinkInvalid", house.anyone.post("/v1/tokens", {"link": "7K2M-Q9XD-04TR"}))
    wish = {"Accept": "application/xml"}
    no(book, "NotAcceptable", mover.get(f"/v1/games/{game}/events", headers=wish))
    no(book, "NotOver", mover.get(f"/v1/games/{game}/record"))
    no(book, "AlreadyStarted", mover("DELETE", f"/v1/games/{game}/seats/{mover.look(game)['you']}"))
    no(book, "SeatTaken", anna.post(f"/v1/games/{game}/seats"))
    no(book, "HintsOff", mover.post(f"/v1/games/{game}/hints"))
    no(book, "NotYourTurn", other.post(path, {"type": "draw"}))
    no(book, "Over", anna.post(f"/v1/games/{over}/commands", {"type": "draw"}))
    no(book, "Moved", mover.post(path, {"type": "draw"}, headers={"If-Match": '"1"'}))
    no(book, "TooLarge", anna.post("/v1/players", {"name": "A" * 70_000}))
    plain = anna("POST", "/v1/players", data=b"name=Anna", content_type="text/plain")
    no(book, "UnsupportedMediaType", plain)
    no(book, "Invalid", mover.post(path, {"type": "discard", "card": "4d", "then": "pass"}))
    no(book, "UnknownVariant", anna.post("/v1/games", {"variant": "poker", "seats": [HUMAN]}))
    table = {"variant": "botifarra", "seats": [HUMAN, CASUAL]}
    no(book, "BadTableSize", anna.post("/v1/games", table))
    key = {"Idempotency-Key": "twice"}
    anna.post("/v1/me/tokens", {"label": "one"}, headers=key)
    no(book, "KeyReused", anna.post("/v1/me/tokens", {"label": "other"}, headers=key))
    for _ in range(50):
        last = anna.post("/v1/me/tokens", {})
    no(book, "TooManyTokens", last)
    for number in range(5):
        last = anna("POST", "/v1/audits", data=b"%d" % number, content_type=NDJSON)
    no(book, "TooManyJobs", last)
    log = mock.patch("service.api.problems.log")  # which would tell of it
    with log, mock.patch.object(MemoryStore, "read", side_effect=StoreUnavailable("away")):
        no(book, "Unavailable", mover.get(f"/v1/games/{game}"))
    with log, mock.patch.object(MemoryStore, "read", side_effect=RuntimeError):
        no(book, "Internal", mover.get(f"/v1/games/{game}"))


class _Plain(yaml.SafeDumper):
    """No anchors, and texts of several lines as blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text and text.isprintable() is False and " \n" not in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Plain.add_representer(str, _text)


def block(examples: Examples) -> str:
    """The examples as they stand in openapi.yaml."""
    text = yaml.dump(examples, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100,
                     default_flow_style=None)  # fmt: skip
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(True))


def main() -> None:
    """Writes the end of openapi.yaml anew."""
    before, _, _ = FILE.read_text().partition(HEAD)
    FILE.write_text(before.rstrip("\n") + "\n" + HEAD + block(made()))


if __name__ == "__main__":
    main()
