"""The table of `rights`, cell by cell: what each kind of caller is answered to each call."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from service.app import create_app
from service.config import Config
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from service.store.memory_statistics import MemoryLedger
from service.store.memory_webhooks import memory_webhooks
from service.store.tallies import MemoryTallies
from service.store.tokens import SCOPES, USUAL, Token
from service.store.turns import MemoryTurns
from service.tokens import digest
from tests.api.client import HUMAN, House, Person
from tests.api.conftest import NOBODY_IS_LIMITED
from tests.api.contract import DOCUMENT, operations
from tests.api.rights import CALLERS, MEANS, TABLE

DELAY = 4

KINDS = {"asks": "private", "old": "private", "out": "private"} | {
    name: name for name in ("late", "shut", "quit", "maker")
}
"""The table to which a caller comes, where it is not `on`: public, and anybody may watch."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    moment: str
    scope: str
    method: str
    path: str
    cells: str
    body: str

    def __str__(self) -> str:
        named = re.search('"type": "([a-z_]+)"', self.body)
        return f"{self.moment}-{self.method}-{self.path}{'-' + named[1] if named else ''}"

    def template(self) -> str:
        """Its path as the contract has it."""
        path = self.path.partition("?")[0]
        for template, method in operations():
            if method == self.method and template == path:
                return template
        path = re.sub(r"\{(game|mine|job|player|hidden)\}", "{id}", path)
        found = [
            template
            for template, method in operations()
            if method == self.method and re.fullmatch(re.sub(r"\{\w+\}", r"[^/]+", template), path)
        ]
        assert found, f"the contract has no {self.method} {self.path}"
        return found[0]


def rows() -> Iterator[Row]:
    """The table, read."""
    for line in TABLE.splitlines():
        if line and not line.startswith("#"):
            moment, scope, method, path, *rest = line.split(maxsplit=4 + len(CALLERS))
            cells = rest[: len(CALLERS)]
            assert all(len(cell) == 1 for cell in cells), line
            yield Row(moment, scope, method, path, "".join(cells), "".join(rest[len(CALLERS) :]))


ROWS = list(rows())
EACH = pytest.mark.parametrize("row", ROWS, ids=str)


@pytest.fixture(scope="module")
def house() -> House:
    """One API for all of the table: nobody at one of its games knows another's.

    Metrics are on for who has the operator's own token, which no player has.
    """
    return House(
        create_app(
            Config(rates=NOBODY_IS_LIMITED, metrics="0123456789abcdef"),
            store=MemoryStore(),
            people=MemoryPeople(),
            call=lambda *_: None,
            jobs=MemoryJobs(),
            turns=MemoryTurns(),
            hints=MemoryJobs(),
            ask=lambda *_: None,
            advise=lambda *_: None,
            tallies=MemoryTallies(),
            ledger=MemoryLedger(),
            keepers=memory_webhooks(),
            tell=lambda *_: None,
            deliver=lambda _: None,
        )
    )


@pytest.fixture(scope="module")
def worlds(house: House) -> dict[str, "World"]:
    """The games of each moment, as long as nothing is changed."""
    return {moment: World(house, moment) for moment in ("any", "waits", "plays", "over")}


@dataclass
class World:
    """One of each caller, each at a game of the moment that is wanted."""

    house: House
    moment: str
    _tables: dict[str, dict[str, Any]] = field(default_factory=dict)

    def caller(self, name: str) -> tuple[Person, dict[str, Any]]:
        """The person, and the table to which that caller comes."""
        kind = KINDS.get(name, "on")
        if kind not in self._tables:
            self._tables[kind] = self._open(kind)
        table = self._tables[kind]
        if name == "anon":
            return self.house.anyone, table
        return table.get(name) or table["eye"], table

    def forget(self, name: str) -> None:
        """Something was changed: the next caller of that name comes to another table."""
        del self._tables[KINDS.get(name, "on")]

    def someone(self, name: str) -> Person:
        """A new player, without a request."""
        player, token = self.house.app.extensions["tapete"].guests.welcome(name)
        return Person(self.house.app, token, player.id)

    def do(self, person: Person, method: str, path: str, body: Any = None) -> Any:
        """A step on the way there, which is no part of the test."""
        headers = {"Authorization": f"Bearer {person.token}"}
        answer = person.http.open(path, method=method, headers=headers, json=body)
        assert answer.status_code < 300, answer.get_data(as_text=True)
        return answer.get_json(silent=True)

    def _open(self, kind: str) -> dict[str, Any]:
        """A table for four (for three where somebody resigns), and who is there."""
        resigns = kind == "quit" and self.moment != "waits"
        seats = 3 if resigns else 4
        people = [self.someone(f"P{seat}") for seat in range(seats)]
        order = {
            "variant": "samba" if resigns else "canasta",
            "seats": [HUMAN] * seats,
            "visibility": "private" if kind in ("private", "maker") else "public",
            "spectators": {"late": {"delay": DELAY}, "shut": "off"}.get(kind, "on"),
            "sit": kind != "maker",
            "hints": True,
        }
        # Who asks with the code is not who has none: what was asked for once stays one's own.
        table: dict[str, Any] = {"eye": self.someone("Eve"), "asks": self.someone("Asa")}
        maker = table["maker"] = self.someone("Max") if kind == "maker" else people[0]
        game = self.do(maker, "POST", "/v1/games", order)
        path = table["path"] = f"/v1/games/{game['id']}"
        code = game["invite"]["code"]
        sitting = people if kind == "maker" else people[1:]
        if kind == "private":
            old = table["old"] = self.someone("Olga")
            self.do(old, "POST", f"{path}/seats", {"invite": code, "seat": 1})
            self.do(old, "DELETE", f"{path}/seats/1")
        if kind == "quit" and not resigns:
            table["quit"] = self.someone("Quentin")
            self.do(table["quit"], "POST", f"{path}/seats", {"seat": 3})
            self.do(table["quit"], "DELETE", f"{path}/seats/3")
        if self.moment == "waits":
            sitting.pop()  # one seat is free still
        for person in sitting:
            self.do(person, "POST", f"{path}/seats", {"invite": code})
        tables = self.house.app.extensions["tapete"].tables
        now = tables.load(game["id"])
        turn = 0 if self.moment in ("waits", "any") else now.game.to_act()
        if resigns:
            table["quit"] = people[turn - 1]
            self.do(table["quit"], "POST", f"{path}/commands", {"type": "resign"})
        if self.moment == "over":
            self.do(people[turn], "POST", f"{path}/commands", {"type": "resign"})
        table |= {
            "turn": people[turn],
            "mate": people[(turn + 2) % seats],
            "foe": people[(turn + 1) % seats],
            "words": {"game": game["id"], "seat": turn, "invite": code, "begun": now.version},
        }
        return table


def words_of(world: World, row: Row, table: dict[str, Any]) -> dict[str, Any]:
    """What stands for the words in braces; made where a row has them."""
    words: dict[str, Any] = table["words"]
    turn, text = table["turn"], row.path + row.body
    edge = world.house.app.extensions["tapete"]
    if "{token}" in text:
        words.setdefault("token", world.do(turn, "POST", "/v1/me/tokens", {})["id"])
    if "{mine}" in text and "mine" not in words:
        words["mine"] = edge.audits.upload("audit", turn.id, b"no record", "rules").job.id
    if "{hint}" in text and "hint" not in words:
        words["hint"] = world.do(turn, "POST", f"{table['path']}/hints")["id"]
    if "{job}" in text:
        words.setdefault("job", world.do(turn, "GET", f"{table['path']}/audit")["id"])
    if "{hook}" in text and "hook" not in words:
        hook = world.do(turn, "POST", "/v1/webhooks", {"url": "https://bot.example/"})["id"]
        message = world.do(turn, "POST", f"/v1/webhooks/{hook}/test", {})["message"]
        assert edge.webhooks._messages.begin(hook, "a sender")
        words |= {"hook": hook, "delivery": f"{message}-1"}
    for word in ("player", "hidden"):
        if f"{{{word}}}" in text:
            edge.statistics.hide(turn.id, word == "hidden")
            words[word] = turn.id
    return words


def request(world: World, row: Row, name: str, table: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The path and the rest of the request that a caller of that name makes."""
    words = words_of(world, row, table)

    def filled(text: str) -> str:
        for word, value in words.items():
            text = text.replace(f"{{{word}}}", str(value))
        return text

    path, more = filled(row.path), {}
    if row.body.startswith('"'):
        more = {"data": json.loads(row.body), "content_type": "application/x-ndjson"}
    elif row.body:
        more = {"json": json.loads(filled(row.body))}
    if name == "asks":
        # Where a code goes: into the body where that names the game or asks for a seat.
        said = more.get("json", {})
        place = said.get("from", said)
        if "game" in place or row.path.endswith("/seats"):
            place["invite"] = words["invite"]
        elif "{game}" in row.path or "{job}" in row.path:
            path += f"{'&' if '?' in path else '?'}invite={words['invite']}"
    return path, more


@pytest.mark.sampled(7)
@EACH
def test_every_caller_gets_the_answer_of_the_table(
    house: House, worlds: dict[str, World], row: Row
) -> None:
    world = worlds[row.moment]
    wrong = {}
    for name, cell in zip(CALLERS, row.cells, strict=True):
        person, table = world.caller(name)
        path, more = request(world, row, name, table)
        answer = person(row.method, path, **more)
        status, code = MEANS[cell]
        said = answer.get_json(silent=True) or {}
        if status == 200:
            good = answer.status_code < 300
            newest = house.app.extensions["tapete"].tables.load(table["words"]["game"]).version
            good &= not code or said["version"] < newest
            if row.method != "GET":
                world.forget(name)
        else:
            good = (answer.status_code, said.get("code")) == (status, code)
        if not good:
            wrong[name] = (answer.status_code, said.get("code"), "instead of", *MEANS[cell])
    assert wrong == {}


def test_every_call_has_a_row_and_every_row_is_a_call() -> None:
    assert {(row.template(), row.method) for row in ROWS} == set(operations())


def test_the_scopes_are_those_of_the_contract() -> None:
    for row in ROWS:
        operation = operations()[row.template(), row.method]
        security = operation.get("security", DOCUMENT["security"])
        wanted = {"-": [], "any": [{"token": []}], "usual": [{"token": list(USUAL)}]}
        scope = row.scope.partition("+")[0]
        assert security == wanted.get(scope, [{"token": [scope]}]), str(row)


def with_scopes(house: House, person: Person, *scopes: str) -> Person:
    """The same person with a token of those scopes, `admin` among them or not."""
    token = f"tpt_{person.id}-{'-'.join(scopes)}"
    people = house.app.extensions["tapete"].guests._people
    people.issue(person.id, Token(digest(token), scopes))
    return Person(house.app, token, person.id)


@pytest.mark.sampled(7)
@EACH
def test_each_scope_alone(house: House, worlds: dict[str, World], row: Row) -> None:
    """Its own opens a call as a first token does, any other does not; and `admin` opens none."""
    world = worlds[row.moment]
    for scope in SCOPES:
        person, table = world.caller("turn")
        path, more = request(world, row, "turn", table)
        answer = with_scopes(house, person, scope)(row.method, path, **more)
        said = answer.get_json(silent=True) or {}
        if row.scope in ("-", "any", scope, f"any+{scope}"):
            status, code = MEANS[row.cells[CALLERS.index("turn")]]
            assert answer.status_code < 300 if status == 200 else said["code"] == code, scope
            if row.method != "GET":
                world.forget("turn")
        else:
            assert (answer.status_code, said["code"]) == (403, "missing_scope"), scope


def no_tokens(house: House, person: Person) -> list[str]:
    """Values of Authorization that stand for nobody, or no longer."""
    edge = house.app.extensions["tapete"]
    code = edge.guests.tokens.link(edge.guests.tokens.bearer(person.token), USUAL, "")
    token, revoked = str(person.token), with_scopes(house, person, *USUAL)
    edge.guests._people.revoke(person.id, digest(str(revoked.token)))
    return [
        f"Bearer {revoked.token}",
        f"Bearer tpt_{'A' * 43}",
        f"Bearer {token[:-1]}",
        f"Bearer {digest(token)}",
        f"Bearer {digest(token)[:24]}",
        f"Bearer {code}",
        f"Bearer {person.id}",
        f"Bearer {token}, Bearer {token}",
        f"Basic {token}",
        token,
        "Bearer",
        "",
    ]


@pytest.mark.sampled(7)
@EACH
def test_what_is_no_token_opens_nothing(house: House, worlds: dict[str, World], row: Row) -> None:
    """Revoked or never given: as none at all. All spellings of that where they are told apart."""
    person, table = worlds[row.moment].caller("turn")
    path, more = request(worlds[row.moment], row, "turn", table)
    none = no_tokens(house, person)
    for given in none if row.path == "/v1/me" else none[:2]:
        answer = Person(house.app)(row.method, path, headers={"Authorization": given}, **more)
        status, code = MEANS[row.cells[CALLERS.index("anon")]]
        if status == 200:
            assert answer.status_code < 300, given
        else:
            said = (answer.status_code, answer.get_json()["code"])
            assert said == (status, code), given
            assert status != 401 or answer.headers["WWW-Authenticate"] == "Bearer"
