"""A server that does not serve us is away, whatever its words for that; it is no fault of ours."""

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress

import hiredis
import pytest
import redis
from redis.exceptions import ResponseError

from service.app import create_app
from service.config import Config
from service.store import Listing, StoreUnavailable, Unreadable
from service.store.redis import RedisStore
from service.tokens import PREFIX, digest
from tests.api.client import House, Person
from tests.store.listening import Listening
from tests.store.logs import entry, fill, head

SAID = [
    "ASK 1 127.0.0.1:1",
    "BUSY Valkey is busy running a script.",
    "CLUSTERDOWN The cluster is down",
    "DENIED Redis is running in protected mode.",
    "ERR ACL failure in script: User bob has no permissions to run the 'xadd' command",
    "ERR Error running script: Script killed by user with SCRIPT KILL. script: on @user_script:1.",
    "ERR The user executing the script can't run this command or subcommand script",
    "ERR max number of clients reached",
    "ERR unknown command 'EVALSHA', with args beginning with: 'Kd' '3c'",
    "EXECABORT Transaction discarded because of previous errors.",
    "LOADING Valkey is loading the dataset in memory",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "MISCONF Errors writing to the AOF file: No space left on device",
    "MOVED 1 127.0.0.1:1",
    "NOAUTH Authentication required.",
    "NOPERM User bob has no permissions to run the 'get' command",
    "NOREPLICAS Not enough good replicas to write.",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    "THROTTLED a host's own word",
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "UNBLOCKED force unblock from blocking operation, instance state changed",
    "WRONGPASS invalid username-password pair or user is disabled.",
]


class Refusing(Listening):
    """A server that says the same to every command."""

    def __init__(self, said: str) -> None:
        self.code = said.partition(" ")[0]
        self._said = b"-%b\r\n" % said.encode()
        super().__init__()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def serve(self, client: socket.socket) -> None:
        reader = hiredis.Reader()
        with suppress(OSError), client:
            while data := client.recv(1 << 16):
                reader.feed(data)
                while reader.gets():
                    client.sendall(self._said)


@pytest.fixture
def refusing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Refusing]:
    monkeypatch.setattr("service.store.exchange.PAUSES", (0.0, 0.0))
    monkeypatch.setattr("redis.retry.sleep", lambda _: None)
    server = Refusing(request.param)
    yield server
    server.close()


def asked(store: RedisStore) -> Iterator[Callable[[], object]]:
    """All ways to the server."""
    yield lambda: store.read("g")
    yield lambda: store.append("g", entry(1), "")
    yield lambda: store.mark(Listing("g", 1), "waiting", True, ["p"])
    yield lambda: store.listed("waiting", None, None, 5)
    yield lambda: store.follow("g", 0, 0.0)
    yield store.ping


@pytest.mark.sampled(5)
@pytest.mark.parametrize("refusing", SAID, ids=lambda said: said[:30], indirect=True)
def test_every_refusal_of_a_server_is_that_it_is_away(refusing: Refusing) -> None:
    for ask in asked(RedisStore(refusing.url)):
        with pytest.raises(StoreUnavailable) as away:
            ask()
        assert away.value.code.partition(" ")[0] == refusing.code


@pytest.mark.parametrize(
    "refusing", [said for said in SAID if "Kd" in said or "bob" in said or "pass" in said],
    ids=lambda said: said[:30], indirect=True,
)  # fmt: skip
def test_whoever_asks_us_meanwhile_is_told_to_come_again(
    refusing: Refusing, caplog: pytest.LogCaptureFixture
) -> None:
    """Never a 500; the log says which refusal it was, and no word more of it."""
    config = Config(redis_url=refusing.url, queue_url=refusing.url)
    anna = Person(create_app(config), PREFIX + "x" * 43)
    anna.refused(503, "store_unavailable", "GET", "/v1/games/abc")
    anna.refused(503, "store_unavailable", "POST", "/v1/games/abc/commands", json={"type": "draw"})
    anna.refused(503, "store_unavailable", "GET", "/readyz")
    Person(anna.app).refused(503, "store_unavailable", "POST", "/v1/players", json={"name": "A"})
    assert len(caplog.messages) == 4
    for said in caplog.messages:
        assert refusing.code in said
        assert "Kd" not in said
        assert "bob" not in said


@pytest.mark.parametrize("refusing", ["ERR unknown command 'Kd'"], indirect=True)
def test_a_refusal_that_has_no_word_of_its_own_is_told_by_its_reason(refusing: Refusing) -> None:
    with pytest.raises(StoreUnavailable) as away:
        RedisStore(refusing.url).read("g")
    assert away.value.code == "ERR unknown command"


@pytest.mark.parametrize(
    "said", ["ERR syntax error", "ERR wrong number of arguments for 'get' command"]
)
def test_a_command_that_makes_no_sense_is_a_fault_of_ours(said: str) -> None:
    server = Refusing(said)
    with pytest.raises(ResponseError):
        RedisStore(server.url).read("g")
    server.close()


def test_a_user_who_may_no_longer_write_reads_on(redis_url: str) -> None:
    """NOPERM as a real server says it, of a command and of one within a script."""
    with redis.Redis.from_url(redis_url) as admin:
        admin.acl_setuser("bob", enabled=True, reset=True, passwords=["+geheim"],
            keys=["*"], channels=["*"], categories=["+@all"])  # fmt: skip
        store = RedisStore(redis_url.replace("://", "://bob:geheim@"))
        log = fill(store, "g", 2)
        try:
            admin.acl_setuser("bob", commands=["-xadd", "-zadd"])
            with pytest.raises(StoreUnavailable):
                store.append("g", entry(3), head(log))
            with pytest.raises(StoreUnavailable, match="NOPERM"):
                store.mark(Listing("g", 1), "waiting", True, ["p"])
            assert store.read("g").entries == tuple(log)
        finally:
            admin.acl_deluser("bob")


FOREIGN = [
    ("token:*", "/v1/me"),
    ("token:*", "/v1/games/{game}"),
    ("player:{{{player}}}", "/v1/games/{game}"),
    ("player:{{{player}}}:games", "/v1/me/games"),
    ("player:{{{player}}}:tokens", "/v1/me/tokens"),
    ("lobby:waiting", "/v1/games"),
]

ALTERED = [
    ("token:{{{token}}}", "player", "/v1/me"),
    ("token:{{{token}}}", "scopes", "/v1/me"),
    ("player:{{{player}}}", "name", "/v1/me"),
    ("player:{{{player}}}:tokens", "*", "/v1/me/tokens"),
    ("job:{{{job}}}", "state", "/v1/jobs/{job}"),
    ("webhook:{{{hook}}}", "created", "/v1/webhooks/{hook}"),
]


@pytest.mark.parametrize(("key", "path"), FOREIGN)
def test_a_place_of_ours_that_holds_something_else_is_no_damaged_game(
    redis_url: str, key: str, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    house = House(create_app(Config(redis_url=redis_url, queue_url=redis_url)))
    anna = house.guest("Anna")
    words = {"game": anna.open(), "player": anna.id}
    with redis.Redis.from_url(redis_url) as admin:
        (found,) = admin.keys(key.format(**words).replace("[", "\\["))
        admin.delete(found)
        admin.rpush(found, "none of ours")
    # Another process, which has met nobody yet.
    anna = Person(create_app(Config(redis_url=redis_url, queue_url=redis_url)), anna.token)
    anna.refused(503, "store_unavailable", "GET", path.format(**words))
    assert "Foreign" in caplog.text
    assert "none of ours" not in caplog.text


@pytest.mark.parametrize(("key", "field", "path"), ALTERED)
def test_what_was_altered_by_hand_is_no_damaged_game(
    redis_url: str, key: str, field: str, path: str
) -> None:
    house = House(create_app(Config(redis_url=redis_url, queue_url=redis_url)))
    anna = house.guest("Anna")
    game, mover, other = house.table()
    for person in (mover, other):
        person.post(f"/v1/games/{game}/commands", {"type": "resign"})
    job = anna.ok("POST", "/v1/audits", json={"game": game})["id"]
    hook = anna.ok("POST", "/v1/webhooks", json={"url": "https://example.org/"})["id"]
    words = {"player": anna.id, "job": job, "hook": hook, "token": digest(str(anna.token))}
    with redis.Redis.from_url(redis_url) as admin:
        (found,) = admin.keys(key.format(**words))
        for name in admin.hkeys(found) if field == "*" else [field]:
            admin.hset(found, name, b"\xff")
    anna = Person(create_app(Config(redis_url=redis_url, queue_url=redis_url)), anna.token)
    anna.refused(503, "store_unavailable", "GET", path.format(**words))


def test_what_stands_in_the_place_of_a_log_is_the_damage_of_its_game(redis_url: str) -> None:
    house = House(create_app(Config(redis_url=redis_url, queue_url=redis_url)))
    anna = house.guest("Anna")
    with redis.Redis.from_url(redis_url) as admin:
        admin.set("game:{aaaa}:log", "no stream")
        admin.rpush("game:{bbbb}:cold", "no form")
    for game in ("aaaa", "bbbb"):
        anna.refused(500, "game_damaged", "GET", f"/v1/games/{game}")
    store = RedisStore(redis_url)
    with pytest.raises(Unreadable) as damaged:
        store.plant("aaaa", fill(RedisStore(redis_url), "other", 2))
    assert type(damaged.value) is Unreadable
