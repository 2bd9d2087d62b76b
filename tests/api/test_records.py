"""Importing a record: a game to look at, of which nobody here is part."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service import record
from service.api import show
from service.referee import referee
from service.replay import Commit
from service.rules.seating.commands import GetUp
from service.store import IMPORT, Entry, Meta, codec
from tests import damage, forger
from tests.api.client import House, Person
from tests.api.conftest import BOTH
from workers.audits import attempt
from workers.sweep import Sweep

pytestmark = BOTH

RECORDS = Path(__file__).parent.parent / "records" / "0.1"
NDJSON = "application/x-ndjson"
RAW = (RECORDS / "words.ndjson").read_bytes()

Bring = Callable[..., Any]


@pytest.fixture
def bring(house: House, asked: list[str]) -> Bring:
    """Has a record imported; the result of the job."""

    def bring(person: Person, raw: bytes = RAW) -> Any:
        response = person("POST", "/v1/records", data=raw, content_type=NDJSON)
        assert response.status_code == 202, response.get_data(as_text=True)
        job = response.get_json()
        assert (job["kind"], job["game"]) == ("import", None)
        while asked:
            attempt(house.app.extensions["tapete"].audits, asked.pop(0))
        return person.ok("GET", response.headers["Location"])["result"]

    return bring


def own(house: House, **more: Any) -> tuple[bytes, str, Person, Person]:
    """The record of a game played here, the game's id, and its players."""
    game, one, other = house.table(**more)
    one.act(game, type="resign")
    return one.get(f"/v1/games/{game}/record").get_data(), game, one, other


def ids(person: Person, path: str) -> set[str]:
    """Which games a list names."""
    return {item["id"] for item in person.ok("GET", path)["items"]}


def forged(raw: bytes, change: Callable[[Commit], Commit]) -> bytes:
    """A record that is sound in itself, of commits that were changed."""
    lines: list[bytes] = []
    for line in record.read(raw).lines:
        prev = codec.digest(lines[-1]) if lines else ""
        lines.append(codec.encode(replace(change(codec.decode(line)), prev=prev)))
    return b"".join(record.write(record.read(raw).header.game, lines))


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=[pytest.mark.slow] if path.stat().st_size > 100_000 else [])
        for path in sorted(RECORDS.glob("*.ndjson"))
    ],
)
def test_a_game_comes_back_as_it_went(house: House, bring: Bring, name: str) -> None:
    anna = house.guest("Anna")
    raw = (RECORDS / f"{name}.ndjson").read_bytes()
    done = bring(anna, raw)
    assert (done["ok"], done["verdict"]["ok"]) == (True, True)
    game = anna.look(done["game"])
    assert game["imported"]
    assert (game["you"], game["invite"]) == (None, None)
    assert game["status"] in ("finished", "abandoned")
    back = anna.get(f"/v1/games/{done['game']}/record").get_data()
    assert _less(back) == _less(raw)
    assert json.loads(back.splitlines()[0])["game"] == done["game"]
    for version in (1, game["version"] - 1):
        anna.ok("GET", f"/v1/games/{done['game']}?at={version}")
    anna.ok("GET", f"/v1/games/{done['game']}/events?limit=500")


def _less(raw: bytes) -> list[Any]:
    """A record without what an import changes: the game's id, and so the seal."""
    first, *lines, last = raw.splitlines()
    header, footer = json.loads(first), json.loads(last)
    del header["game"], footer["seal"]
    return [header, *lines, footer]


def test_nobody_here_is_part_of_it_and_no_name_is_shown(house: House, bring: Bring) -> None:
    raw, played, anna, bert = own(house)
    carl = house.guest("Carl")
    game = bring(carl, raw)["game"]
    assert game != played
    for person in (anna, bert, carl):
        seen = person.look(game)
        assert (seen["imported"], seen["you"]) == (True, None)
        assert [seat["name"] for seat in seen["seats"]] == [None, None]
        assert person.ok("GET", f"/v1/games/{game}/commands")["commands"] == []
        path = f"/v1/games/{game}"
        person.refused(410, "game_over", "POST", f"{path}/commands", json={"type": "draw"})
        person.refused(410, "game_over", "POST", f"{path}/seats", json={})
    assert {seat["name"] for seat in anna.look(played)["seats"]} == {"Anna", "Bert"}
    assert not anna.look(played)["imported"]


def test_it_is_among_its_importer_s_games_and_in_no_other_list(house: House, bring: Bring) -> None:
    raw, played, anna, _ = own(house)
    carl = house.guest("Carl")
    game = bring(carl, raw)["game"]

    def filed() -> None:
        assert ids(carl, "/v1/me/games") == {game}
        assert ids(carl, "/v1/me/games?status=finished") == {game}
        assert ids(anna, "/v1/me/games") == {played}
        assert ids(anna, "/v1/games?status=finished") == {played}
        assert game.encode() not in anna.get("/v1/export").get_data()

    filed()
    mine = carl.ok("GET", "/v1/me/games")["items"][0]
    assert (mine["imported"], mine["you"]) == (True, None)
    assert [seat["name"] for seat in mine["seats"]] == [None, None]
    both = [*carl.ok("GET", "/v1/me/games")["items"], *anna.ok("GET", "/v1/me/games")["items"]]
    assert [item["imported"] for item in both] == [True, False]
    edge = house.app.extensions["tapete"]
    Sweep(edge.store, edge.tables, 5.0).once()  # its walk files every game anew
    filed()


def test_names_in_one_list_stay_with_the_games_played_here(house: House, bring: Bring) -> None:
    raw, played, anna, _ = own(house)
    game = bring(anna, raw)["game"]
    items = anna.ok("GET", "/v1/me/games")["items"]
    names = {item["id"]: {seat["name"] for seat in item["seats"]} for item in items}
    assert names == {played: {"Anna", "Bert"}, game: {None}}


def test_the_same_record_is_the_same_game_whoever_brings_it(house: House, bring: Bring) -> None:
    raw, _, anna, bert = own(house, visibility="public")
    first = bring(anna, raw)["game"]
    assert bring(anna, raw)["game"] == first
    assert bring(bert, raw)["game"] == first
    assert bring(bert, anna.get(f"/v1/games/{first}/record").get_data())["game"] == first
    assert first in ids(anna, "/v1/me/games") & ids(bert, "/v1/me/games")


def test_a_private_game_s_record_can_be_shared_too(house: House, bring: Bring) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(visibility="private")
    code = anna.look(game)["invite"]["code"]
    bert.ok("POST", f"/v1/games/{game}/seats", json={"invite": code})
    anna.act(game, type="resign")
    raw = anna.get(f"/v1/games/{game}/record").get_data()
    carl = house.guest("Carl")
    for person in (carl, anna):
        brought = bring(person, raw)["game"]
        assert person.look(brought)["imported"]
    carl.refused(404, "not_found", "GET", f"/v1/games/{game}")


def test_an_imported_game_can_be_audited(house: House, bring: Bring, asked: list[str]) -> None:
    anna = house.guest("Anna")
    path = f"/v1/games/{bring(anna)['game']}/audit"
    anna.ok("GET", path)
    attempt(house.app.extensions["tapete"].audits, asked.pop())
    assert anna.ok("GET", path)["ok"]


@pytest.mark.parametrize(
    "raw",
    [b"", RAW[:-2], RAW.replace(b"bert", b"berta"), RAW.replace(b'"winner":', b'"winner":1')],
    ids=range(4),
)
def test_what_is_not_sound_becomes_no_game(house: House, bring: Bring, raw: bytes) -> None:
    anna = house.guest("Anna")
    done = bring(anna, raw)
    assert (done["ok"], done["game"]) == (False, None)
    assert done["verdict"]["first_fault"]["what"]
    assert ids(anna, "/v1/me/games") == set()


@pytest.mark.parametrize("at", [-1, 253_402_300_800_000, 2**62])
def test_a_time_that_cannot_be_is_refused(house: House, bring: Bring, at: int) -> None:
    anna = house.guest("Anna")
    raw = forged(RAW, lambda commit: replace(commit, at=at) if commit.version == 3 else commit)
    done = bring(anna, raw)
    assert (done["ok"], done["game"]) == (False, None)
    assert done["verdict"]["first_fault"]["version"] == 3
    assert ids(anna, "/v1/me/games") == set()
    assert bring(anna, forged(RAW, lambda commit: replace(commit, at=0)))["ok"]


def test_a_seat_that_there_is_not_is_refused(house: House, bring: Bring) -> None:
    def change(commit: Commit) -> Commit:
        if commit.command != GetUp(1):
            return commit
        return replace(commit, command=GetUp(99))

    done = bring(house.guest("Anna"), forged(RAW, change))
    assert (done["ok"], done["verdict"]["first_fault"]["check"]) == (False, "decisions")


# Records that hold together, of what no rule ever decided


def no_reveal(commits: list[Any]) -> None:
    commits[-1]["events"] = []


def another_secret(commits: list[Any]) -> None:
    commits[-1]["events"][0]["secret"] = "ab" * 32


def a_seat_of_the_house(commits: list[Any]) -> None:
    dealt = next(one for one in commits if one["command"]["type"] == "deal_cards")
    dealt["events"].append({"type": "seat_taken_over", "seat": -1, "level": "casual"})


def a_crowd_of_events(commits: list[Any]) -> None:
    started = next(one for one in commits if one["command"]["type"] == "start_game")
    started["events"] += [{"type": "seat_resigned", "seat": 0}] * 5000


def another_opening(commits: list[Any]) -> None:
    commits[0]["events"][0]["commitment"] = "00" * 32


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "change", [no_reveal, another_secret, a_seat_of_the_house, a_crowd_of_events, another_opening]
)
def test_what_no_rule_decided_becomes_no_game(
    house: House, bring: Bring, change: Callable[[list[Any]], None]
) -> None:
    anna = house.guest("Anna")
    lines = forger.lines_of((RECORDS / "resigned.ndjson").read_bytes())
    change(lines[1:-1])
    done = bring(anna, forger.raw_of(forger.mended(lines, salted=True)))
    assert (done["ok"], done["game"]) == (False, None)
    assert done["verdict"]["first_fault"]["check"] in ("events", "decisions")
    assert ids(anna, "/v1/me/games") == set()


def test_a_record_that_ours_would_not_be_is_refused(
    house: House, bring: Bring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a referee may overlook: what is shown of the game must be the record's own."""
    monkeypatch.setattr("service.audits.referee", lambda raw, _: referee(raw, "record"))
    anna = house.guest("Anna")
    for change in (no_reveal, another_secret, another_opening):
        lines = forger.lines_of((RECORDS / "resigned.ndjson").read_bytes())
        change(lines[1:-1])
        done = bring(anna, forger.raw_of(forger.mended(lines, salted=True)))
        assert (done["ok"], done["game"]) == (False, None), change
        assert done["verdict"]["first_fault"]["check"] == "shown"


def test_a_record_too_long_to_be_taken_in_is_told_so(
    house: House, bring: Bring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.audits.PLANTED", 5)
    anna = house.guest("Anna")
    done = bring(anna)
    assert (done["ok"], done["game"]) == (False, None)
    fault = done["verdict"]["first_fault"]
    assert (fault["check"], "of more than 5 commits" in fault["what"]) == ("shown", True)
    assert ids(anna, "/v1/me/games") == set()


def test_nothing_is_written_to_an_imported_game(house: House) -> None:
    """Not even to one that should never have been taken in."""
    lines = forger.lines_of((RECORDS / "resigned.ndjson").read_bytes())
    no_reveal(lines[1:-1])
    raw = forger.raw_of(forger.mended(lines, salted=True))
    anna = house.guest("Anna")
    tables = house.app.extensions["tapete"].tables
    read = record.read(raw)
    first = Meta("a", anna.id, secret=read.footer.secret, source=IMPORT)
    entries = [
        Entry(version, line, codec.digest(line), first if version == 1 else Meta("a"))
        for version, line in enumerate(read.lines, 1)
    ]
    tables.adopt("broughtin", entries, anna.id)
    anna.refused(410, "game_over", "POST", "/v1/games/broughtin/commands", json={"type": "resign"})
    anna.refused(410, "game_over", "POST", "/v1/games/broughtin/seats", json={})
    tables.tend("broughtin", 5.0)
    assert anna.version("broughtin") == len(entries)


def test_a_list_leaves_out_a_game_that_cannot_be_shown(
    house: House, bring: Bring, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna = house.guest("Anna")
    other = anna.open()
    lines = forger.lines_of((RECORDS / "botifarra-4.ndjson").read_bytes())
    a_seat_of_the_house(lines[1:-1])
    monkeypatch.setattr("service.audits.referee", lambda raw, _: referee(raw, "record"))
    monkeypatch.setattr("service.audits._showable", lambda _raw, verdict: verdict)
    game = bring(anna, forger.raw_of(forger.mended(lines, salted=True)))["game"]
    assert game
    show._tell.cache_clear()
    for _ in range(2):
        assert ids(anna, "/v1/me/games") == {other}
    assert caplog.text.count(game) == 1


def test_an_imported_game_closed_at_its_fault_stays_in_nobody_else_s_lists(
    house: House, bring: Bring
) -> None:
    raw, played, bert, _ = own(house)
    carl = house.guest("Carl")
    game = bring(carl, raw)["game"]
    edge = house.app.extensions["tapete"]
    damage.damage(edge.store, str(edge.config.redis_url), game, 3, damage.flipped_byte)
    edge.tables.forget()
    assert carl.look(game)["status"] == "faulted"
    edge.tables.close(game)
    assert ids(bert, "/v1/me/games") == {played}
    assert ids(carl, "/v1/me/games") == {game}


def test_only_records_are_taken(house: House, asked: list[str]) -> None:
    anna = house.guest("Anna")
    path = "/v1/records"
    anna.refused(415, "unsupported_media_type", "POST", path, json={"game": "abc"})
    anna.refused(422, "invalid", "POST", f"{path}?depth=rules", data=RAW, content_type=NDJSON)
    house.anyone.refused(401, "unauthorized", "POST", path, data=RAW, content_type=NDJSON)
    big = b"x" * (8 * 1024 * 1024 + 1)
    anna.refused(413, "body_too_large", "POST", path, data=big, content_type=NDJSON)
    assert asked == []
