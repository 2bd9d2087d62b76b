"""What decides a deal is in the log alone until the end, wherever one looks, whatever dies.

Hundreds of games are dealt at once by four processes, a thousand by `./run laws`. Then everything
else that they left is searched: answers with their headers, log files, every key that is no game's
log, jobs unpacked.
"""

import base64
import binascii
import contextlib
import http.client
import json
import os
import re
import signal
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any

import pytest
import redis

from service import fairness, record, replay
from service.config import Config
from service.queue import Caller
from service.replay import Commit
from service.rules.protocol import DealCards
from service.rules.seating import Game
from service.rules.seating.commands import OpenGame
from service.stack import Stack, healthy
from service.store import EventStore, codec
from service.store.redis import RedisStore
from service.table import Tables
from tests.rules.spans import span
from tests.workers.desk import NOVICE, Desk

pytestmark = pytest.mark.slow

GAMES = span(120, 1000)
CLIENTS = 16
COMPUTERS = {"variant": "botifarra", "seats": [{"kind": "ai", "level": "novice"}] * 4}
HELD = {**COMPUTERS, "seats": [{"kind": "human"}, *COMPUTERS["seats"][1:]]}
"""A game that cannot end, however quick the machine: its person never plays."""

IN_A_ROW = 4
"""So many cards of a hidden hand or pack, one behind the other, are no accident."""

WEIGHED = (b'"decision"', b"novice 1", b'"tenths"')
"""What stands beside a computer player's command in the log, and nowhere else before the end."""

CARDS = re.compile(rb"(?:\b[OCEB](?:1[0-2]|[1-9])\b[^0-9A-Za-z?]{0,5}){%d,}" % IN_A_ROW)
CARD = re.compile(rb"[OCEB](?:1[0-2]|[1-9])")
WORD = re.compile(rb"[0-9A-Za-z_-]{20,}")
WORD_OF_BASE64 = re.compile(rb"[0-9A-Za-z+/]{20,}")


@dataclass(frozen=True, slots=True)
class Client:
    """Somebody on a connection of their own; what is answered is kept, headers and all."""

    http: http.client.HTTPConnection
    token: str
    heard: list[bytes]

    @classmethod
    def at(cls, base: str) -> "Client":
        client = cls(http.client.HTTPConnection(*address(base), timeout=60), "", [])
        _, made = client("POST", "/v1/players", {"name": "Anna"})
        client.heard.clear()
        return replace(client, token=made["token"])

    def __call__(self, method: str, path: str, body: Any = None, key: str = "") -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        self.http.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.http.getresponse()
        said = answer.read()
        self.heard.append(f"{answer.status} {answer.headers}".encode() + said)
        is_json = "json" in answer.headers.get("Content-Type", "") and b"\n{" not in said
        return answer.status, json.loads(said) if is_json and said else None


@dataclass(frozen=True, slots=True)
class Dealt:
    """A game's log, and what of it nobody may know yet."""

    id: str
    secret: bytes
    commits: tuple[Commit, ...]
    game: Game

    @property
    def packs(self) -> list[tuple[str, ...]]:
        return [c.command.pack for c in self.commits if isinstance(c.command, DealCards)]

    def words(self) -> Iterator[bytes]:
        """Secret, seeds and salts, in every spelling that comes to mind."""
        last = self.commits[-1].version
        seeds = (
            fairness.seed(self.secret, seat, last + n) for seat in range(4) for n in (-1, 0, 1)
        )
        for data in (self.secret, *seeds):
            yield data.hex().encode()
            yield from {
                base64.b64encode(data).rstrip(b"="),
                base64.urlsafe_b64encode(data).rstrip(b"="),
            }
        yield from (fairness.salt(self.secret, version).encode() for version in range(1, last + 2))

    def rows(self) -> Iterator[tuple[bytes, ...]]:
        """Cards that lie in a row in the newest pack, and in each hand."""
        assert self.game.state
        for row in (self.packs[-1], *self.game.state.hands):
            cards = [card.encode() for card in row]
            yield from windows(cards)


def address(base: str) -> tuple[str, int]:
    host, port = base.removeprefix("http://").rsplit(":", 1)
    return host, int(port)


def read(store: EventStore, game: str) -> Dealt:
    entries = store.read(game).entries
    commits = tuple(codec.decode(entry.line) for entry in entries)
    secret = bytes.fromhex(entries[0].meta.secret)
    return Dealt(game, secret, commits, replay.fold(commits))


def written(store: EventStore, game: str) -> bytes:
    """The record of an ended game, which anybody may have."""
    return b"".join(record.write(game, [entry.line for entry in store.read(game).entries]))


def open_many(base: str, number: int, order: Any = COMPUTERS) -> tuple[list[str], list[bytes]]:
    """So many games at least, as each client opens as many, all asked for in the same words.

    Their ids, and all that was answered.
    """

    def some(client: Client) -> list[str]:
        ids = []
        for turn in range(number // CLIENTS + 1):
            status, game = client("POST", "/v1/games", order, key=f"k{turn}" if turn % 2 else "")
            assert status == 201, game
            ids.append(game["id"])
        return ids

    clients = [Client.at(base) for _ in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        ids = list(chain.from_iterable(pool.map(some, clients)))
    return ids, list(chain.from_iterable(client.heard for client in clients))


def look_around(base: str, games: list[str]) -> list[bytes]:
    """Everything that can be asked about some games, by somebody who sits at none."""
    client = Client.at(base)
    for game in games:
        for path in ("", "/events", "/commands", "/record", "/audit", "?at=1", "/steps"):
            client("GET", f"/v1/games/{game}{path}")
        client("POST", f"/v1/games/{game}/commands", {"type": "play", "card": "O9"})
    for path in ("/v1/games?status=playing", "/v1/export", "/metrics", "/healthz", "/readyz"):
        client("GET", path)
    return client.heard


def kept(url: str) -> Iterator[bytes]:
    """Every key that is no game's log, with what it holds; what rq packs is unpacked."""
    with redis.Redis.from_url(url) as client:
        for key in client.scan_iter(count=1000):
            if re.fullmatch(rb"game:\{.*\}:(log|cold)", key):
                continue
            yield key
            for value in flat(value_of(client, key)):
                yield value
                with contextlib.suppress(zlib.error):
                    yield zlib.decompress(value)
                with contextlib.suppress(zlib.error, binascii.Error):
                    yield zlib.decompress(base64.b64decode(value, validate=True))


def value_of(client: Any, key: bytes) -> Any:
    match client.type(key):
        case b"string":
            return client.get(key)
        case b"hash":
            return client.hgetall(key)
        case b"list":
            return client.lrange(key, 0, -1)
        case b"set":
            return client.smembers(key)
        case b"zset":
            return [member for member, _ in client.zrange(key, 0, -1, withscores=True)]
        case b"stream":
            return [entry for _, entry in client.xrange(key)]
        case b"none":  # a job done meanwhile
            return None
        case other:
            raise AssertionError(other)


def flat(value: Any) -> Iterator[bytes]:
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, dict):
        yield from flat([*value.keys(), *value.values()])
    else:
        for item in value or ():
            yield from flat(item)


def logs(data: Path) -> list[bytes]:
    """The log files of a data folder; that of the games themselves is the server's own."""
    found = [path for path in data.rglob("*") if path.is_file() and "appendonly" not in str(path)]
    assert {"stack.log", "server.log"} <= {path.name for path in found}
    return [path.read_bytes() for path in found]


def told(games: list[Dealt], heard: Iterable[bytes], records: Sequence[bytes] = ()) -> list[bytes]:
    """The texts that hold what the games keep to themselves, beside the records of ended games."""
    words = {word for game in games for word in game.words()}
    rows = {row for game in games for row in game.rows()}

    def tells(text: bytes) -> bool:
        for one in records:
            text = text.replace(one, b"")
        found = WORD.findall(text) + WORD_OF_BASE64.findall(text)
        runs = [windows(CARD.findall(run)) for run in CARDS.findall(text)]
        bare = not text.isascii() and any(game.secret in text for game in games)
        weighed = any(mark in text for mark in WEIGHED)
        return bare or weighed or not words.isdisjoint(found) or not rows.isdisjoint(chain(*runs))

    return [text for text in dict.fromkeys(heard) if tells(text)]


def windows(cards: list[bytes]) -> Iterator[tuple[bytes, ...]]:
    return zip(*(cards[n:] for n in range(IN_A_ROW)), strict=False)


def until(wanted: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_whatever_lies_open_is_found(redis_url: str) -> None:
    """The search itself: each kind of thing, put somewhere."""
    store = RedisStore(redis_url)
    chairs = (NOVICE,) * 4
    order = OpenGame("botifarra", 1, chairs, {}, "public", "", "")
    table = Tables(store, Caller(redis_url)).open("anna", order).table
    game = read(store, table.id)
    heard = [b'{"head":"%s"}' % table.head.encode(), b"O1 O2 O3", *kept(redis_url)]
    assert told([game], heard) == []

    hand = " ".join(table.game.state.hands[1]) if table.game.state else ""
    planted = [
        game.secret,
        game.secret.hex(),
        base64.b64encode(game.secret).decode(),
        fairness.seed(game.secret, 2, 3).hex(),
        fairness.salt(game.secret, 2),
        json.dumps(game.packs[0][20:24]),
        str(list(game.packs[0])),
        f"a hand of {hand}",
        '{"strategy":"novice 1"}',
        "Chosen(strategy='novice 1')",
    ]
    said = [text if isinstance(text, bytes) else f"x: {text}.".encode() for text in planted]
    assert told([game], said) == said

    # What an ended game tells is open; what is told beside it is not.
    desk = Desk()
    opened = desk.open(*chairs, variant="botifarra")
    desk.turn(opened.id, opened.version, slice=inf)
    over = written(desk.store, opened.id)
    assert all(mark in over for mark in WEIGHED[:2])
    assert told([game], [over]) == [over]
    assert told([game], [b"[" + over + b"]"], [over]) == []
    beside = [over + text for text in said]
    assert told([game], beside, [over]) == beside

    with redis.Redis.from_url(redis_url) as client:
        client.hset("rq:job:1", "data", zlib.compress(said[1]))
        client.xadd("rq:results:1", {"exc_string": base64.b64encode(zlib.compress(said[2]))})
    assert sorted(told([game], kept(redis_url))) == sorted(said[1:3])  # keys come in any order


@pytest.mark.timeout(900)
def test_a_thousand_games_share_nothing_and_tell_nothing(tmp_path: Path) -> None:
    config = Config(port=0, data=tmp_path, api_workers=4, workers=0)
    with Stack(config, quiet=True) as stack:
        ids, heard = open_many(stack.base_url, GAMES)
        store = RedisStore(stack.redis_url)
        games = [read(store, game) for game in ids]
        assert len(games) >= GAMES
        assert all(game.packs for game in games)
        assert_nothing_shared(games)
        heard += look_around(stack.base_url, ids[:20])
        assert told(games, chain(heard, kept(stack.redis_url), logs(tmp_path))) == []

        # Jobs that fail, and processes killed in the middle.
        for game in ids[:3]:
            with redis.Redis.from_url(stack.redis_url) as client:
                client.xadd(f"game:{{{game}}}:log", {"l": b"{}", "h": "x"}, id="4-0")
        held, _ = open_many(stack.base_url, 1, HELD)
        with a_worker(stack, tmp_path / "w") as worker:
            until(lambda: moved_on(stack, ids[3:50]) > 9 and moved_on(stack, held) > 3)
            for pid in [*worker.pids.values(), *children(stack.pids["api"]), stack.pids["api"]]:
                os.kill(pid, signal.SIGKILL)
        # Nobody plays on now: what is looked at and what is read afterwards is the same.
        until(lambda: healthy(*address(stack.base_url)))
        late, _ = open_many(stack.base_url, 1)
        heard = look_around(stack.base_url, [*ids[:20], *held, *late])
        games = [read(store, game) for game in [*ids, *held, *late]]
        over = [written(store, game.id) for game in games if game.game.result]
        games = [game for game in games if not game.game.result]
        assert {*ids[:3], *held, *late} <= {game.id for game in games}
        assert any(commit.decision for game in games for commit in game.commits)
        left = [*kept(stack.redis_url)]
        assert {f"rq:job:{game}-3-0".encode() for game in late} <= set(left)
        assert told(games, chain(heard, left, logs(tmp_path)), over) == []


def assert_nothing_shared(games: list[Dealt]) -> None:
    for one_each in (
        [game.id for game in games],
        [game.secret for game in games],
        [game.packs[0] for game in games],
        [game.game.commitment for game in games],
        [commit.salt for game in games for commit in game.commits],
    ):
        assert len(set(one_each)) == len(one_each)


def moved_on(stack: Stack, games: list[str]) -> int:
    """In how many of these games somebody has played; found out cheaply."""
    with redis.Redis.from_url(stack.redis_url) as client:
        return sum(client.xlen(f"game:{{{game}}}:log") > 3 for game in games)


def a_worker(stack: Stack, data: Path) -> Stack:
    """Workers and sweep on the stack's server."""
    url = stack.redis_url
    config = Config(embedded=False, redis_url=url, queue_url=url, port=0, data=data, workers=2)
    return Stack(config, "worker", quiet=True)


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for listed in tasks for child in listed.read_text().split()]


def test_nobody_outside_has_a_say_in_a_deal(stack: Stack) -> None:
    """No field for it; and the same words, nonces and people get other cards each time."""
    anna, bert = Client.at(stack.base_url), Client.at(stack.base_url)
    people = {**COMPUTERS, "seats": [{"kind": "human"}] * 2, "variant": "canasta"}
    for name in (
        "seed",
        "secret",
        "commitment",
        "algorithm",
        "nonce",
        "nonces",
        "salt",
        "pack",
        "id",
    ):
        status, said = anna("POST", "/v1/games", {**people, name: "00" * 32})
        assert (status, said["code"]) == (422, "invalid")
    dealt = []
    for _ in range(5):
        _, opened = anna("POST", "/v1/games", people)
        path = f"/v1/games/{opened['id']}"
        assert anna("PUT", f"{path}/seats/0", {"nonce": "luck"})[0] == 200
        assert bert("POST", f"{path}/seats", {"nonce": "luck"})[0] == 201
        dealt.append(read(RedisStore(stack.redis_url), opened["id"]))
    assert {game.game.nonces for game in dealt} == {("luck", "luck")}
    assert_nothing_shared(dealt)
