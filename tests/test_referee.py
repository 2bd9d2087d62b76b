"""The referee: what is sound is sound, and what is not is told in plain words.

That everything that can be found is found: `test_forgeries`.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from service import fairness, rules
from service.referee import CHECKS, DEPTHS, Depth, Fault, Verdict, referee, referee_stored
from service.replay import Commit
from service.rules import botifarra, canasta, seating
from service.rules.botifarra.variants import BOTIFARRA
from service.rules.canasta.events import CardDiscarded
from service.rules.protocol import HOUSE, GameEnded
from service.rules.seating.commands import CloseGame, GetUp, RevealSecret
from service.rules.seating.events import SeatLeft, SecretRevealed
from service.store import Entry, Meta, codec
from tests.alterations import Lines, mended, parsed, written
from tests.workers.desk import CASUAL, PERSON, Desk

RECORDS = sorted(Path(__file__).parent.glob("records/*/*.ndjson"))


def golden(name: str) -> bytes:
    return (Path(__file__).parent / "records" / "0.1" / f"{name}.ndjson").read_bytes()


def fault(verdict: Verdict) -> Fault:
    assert not verdict.ok
    assert verdict.first_fault
    assert verdict.first_fault.check == wrong(verdict)[0]
    return verdict.first_fault


def failing(verdict: Verdict) -> list[str]:
    return [check.name for check in verdict.checks if not check.ok]


def wrong(verdict: Verdict) -> list[str]:
    """The failing checks but for those that could not be made."""
    return [
        check.name
        for check in verdict.checks
        if not check.ok and not check.detail.startswith("cannot be made: ")
    ]


def altered(name: str, change: Callable[[Lines], None]) -> Lines:
    lines = parsed(golden(name))
    change(lines)
    return lines


# Sound


@pytest.mark.sampled(7)
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_golden_record_is_sound(path: Path, depth: Depth) -> None:
    verdict = referee(path.read_bytes(), depth)
    assert verdict.ok, verdict.first_fault
    assert verdict.first_fault is None
    due = CHECKS[:12] if depth == "rules" else CHECKS[:11]
    assert tuple(check.name for check in verdict.checks) == due


def test_a_head_that_was_kept_is_found_at_its_version() -> None:
    raw = golden("words")
    kept = codec.digest(raw.splitlines()[3])
    check = referee(raw, "record", kept).checks[-1]
    assert (check.name, check.ok, check.detail) == ("head", True, "version 3")


def test_a_head_that_no_commit_has_is_the_fault() -> None:
    found = fault(referee(golden("words"), head="nobody"))
    assert (found.check, found.expected, found.view) == ("head", "nobody", None)


# In plain words


def test_a_changed_line_shows_at_the_one_behind_it_with_the_view_around() -> None:
    lines = altered("bolivia-4", lambda lines: lines[30].update(at=7))
    found = fault(referee(written(lines)))
    assert (found.check, found.version, found.line) == ("chain", 31, 32)
    assert found.what.startswith("Version 31 follows a line with the hash ")
    assert found.expected == codec.digest(written([lines[30]]).rstrip(b"\n"))
    assert found.found == lines[31]["prev"]
    assert found.view
    assert found.view["version"] == 30
    assert found.view["table"]["deal"] == 1
    assert "??" not in json.dumps(found.view["table"])
    assert [command["version"] for command in found.view["commands"]] == [29, 30, 31, 32, 33]


def test_a_decision_that_the_rules_would_not_make_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def decide(state: Any, command: Any) -> Any:
        events = original(state, command)
        return tuple(
            replace(event, card="4d") if isinstance(event, CardDiscarded) else event
            for event in events
        )

    original = canasta.decide
    monkeypatch.setattr(canasta, "decide", decide)
    raw = golden("bolivia-4")
    commit = next(
        commit
        for line in raw.splitlines()[1:-1]
        if getattr((commit := codec.decode(line)).command, "card", "4d") != "4d"
    )
    verdict = referee(raw)
    assert wrong(verdict) == ["decisions"]
    found = fault(verdict)
    card = commit.command.card
    assert found.what == (
        f"At version {commit.version} seat {commit.seat} gave discard (card {card}), and the log "
        f"says card_discarded with card {card}; the game's rules give 4d."
    )
    assert (found.version, found.line) == (commit.version, commit.version + 1)
    assert (found.expected, found.found) == ("4d", card)
    assert referee(raw, "record").ok


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda events: events[:-1], "and the log adds seat_resigned (seat 0)"),
        (lambda events: (*events, SeatLeft(1)), "the game's rules give seat_left (seat 1) as well"),
        (lambda events: (SeatLeft(1),), "the log says seat_resigned (seat 0)"),
    ],
    ids=["fewer", "more", "others"],
)
def test_other_events_than_those_decided_are_told(
    change: Callable[[Any], Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide = seating.decide

    def decided(game: Any, command: Any, at: int) -> Any:
        events = decide(game, command, at)
        if type(command).__name__ != "Resign":
            return events
        return tuple(change(events[:1] if words.startswith("and") else events))

    monkeypatch.setattr(seating, "decide", decided)
    assert words in fault(referee(golden("resigned"))).what


def test_a_command_that_the_rules_refuse_is_told_with_its_paragraph() -> None:
    def change(lines: Lines) -> None:
        discard = next(line for line in lines if line.get("command", {}).get("type") == "discard")
        discard["command"]["seat"] += 1

    lines = altered("canasta-2", change)
    found = fault(referee(mended(lines)))
    assert found.check == "decisions"
    assert "the game's rules refuse it (paragraph " in found.what
    assert found.expected == "not_your_turn"


@pytest.mark.parametrize(
    ("record", "kind", "seat"),
    [
        ("words", "start_game", 0),
        ("words", "reveal_secret", 0),
        ("resigned", "resign", 1),
        ("resigned", "resign", -1),
        ("resigned", "resign", 7),
        ("abandoned", "get_up", -4),
    ],
)
def test_a_seat_gives_only_what_is_its_own_to_give(record: str, kind: str, seat: int) -> None:
    def change(lines: Lines) -> None:
        commit = next(line for line in lines if line.get("command", {}).get("type") == kind)
        commit["command"]["seat"] = seat

    verdict = referee(mended(altered(record, change)))
    assert wrong(verdict) == ["decisions"]
    assert fault(verdict).what.endswith("which is not that seat's to give.")


@pytest.mark.parametrize(
    ("record", "change", "check", "words"),
    [
        (
            "words",
            lambda lines: lines[0].update(nonces=["x", None, None]),
            "header",
            "The header says nonces.0 x, the log naïve ☂.",
        ),
        (
            "words",
            lambda lines: lines[0]["seats"][0].update(side=1),
            "events",
            "The header says sides.0 1; by the rules of samba it is 0.",
        ),
        (
            "abandoned",
            lambda lines: lines[0]["pack"].reverse(),
            "events",
            "The header says pack.0 ",
        ),
        (
            "words",
            lambda lines: lines[-1]["result"].update(why="target"),
            "result",
            "The footer's result has why target, the log resigned.",
        ),
        (
            "practice",
            lambda lines: lines[2]["command"].update(dealer=1),
            "deals",
            "Seat 1 deals first; by the setup it is seat 2.",
        ),
        (
            "resigned",
            lambda lines: lines[3]["command"]["pack"].reverse(),
            "deals",
            "The pack of deal 1 is not the one that the secret gives: card 1 is ",
        ),
    ],
    ids=["header", "sides", "pack", "result", "dealer", "deal"],
)
def test_what_was_agreed_and_what_came_of_it_are_told(
    record: str, change: Callable[[Lines], None], check: str, words: str
) -> None:
    found = fault(referee(mended(altered(record, change))))
    assert found.check == check
    assert found.what.startswith(words)


def test_a_card_that_is_there_twice_is_told() -> None:
    lines = parsed(golden("botifarra-4"))
    dealt = lines[3]["events"][0]
    first, second = (dealt["hands"][seat][0] for seat in (0, 1))
    dealt["hands"][0][0] = second
    verdict = referee(mended(lines))
    assert {"cards", "decisions"} <= set(failing(verdict))
    found = next(check for check in verdict.checks if check.name == "cards")
    assert found.detail == (
        f"At version 3, after deal_started, the cards are no pack: missing {first}, "
        f"too many {second}."
    )


def test_a_thousand_cards_are_not_counted_on_and_on() -> None:
    lines = parsed(golden("botifarra-4"))
    lines[3]["events"][0]["hands"][0] += ["O1"] * 1000
    verdict = referee(mended(lines), "record")
    assert failing(verdict) == ["events", "cards", "scores"]
    assert fault(verdict).what == "At version 3, after deal_started, there are 1048 cards."


@pytest.mark.parametrize("what", ["part", "line", "total", "scores"])
def test_a_sheet_that_does_not_add_up_is_told(what: str) -> None:
    def change(lines: Lines) -> None:
        events = [event for line in lines[1:-1] for event in line["events"]]
        scored = next(event for event in events if event["type"] == "deal_scored")
        side = scored["sides"][1]
        parted = next(line for line in side["lines"] if line["parts"])
        match what:
            case "part":
                parted["parts"][next(iter(parted["parts"]))] += 5
            case "line":
                side["lines"][0]["points"] += 5
            case "total":
                side["total"] += 5
            case "scores":
                scored["scores"][1] += 5

    found = fault(referee(mended(altered("botifarra-4", change)), "record"))
    assert found.check == "scores"
    assert found.version
    assert found.expected != found.found


def test_a_log_that_cannot_be_folded_is_told_up_to_where_it_can() -> None:
    def change(lines: Lines) -> None:
        commit = next(line for line in lines if line.get("command", {}).get("type") == "discard")
        commit["events"][0]["card"] = "JK"

    verdict = referee(mended(altered("bolivia-4", change)))
    assert failing(verdict) == ["events", "cards", "scores", "decisions"]
    found = fault(verdict)
    assert "the log says what cannot be: card_discarded (seat " in found.what
    decisions = verdict.checks[11]
    assert (
        "and the log says card_discarded with card JK; the game's rules give " in decisions.detail
    )


def test_an_edition_of_the_rules_that_is_not_known_is_told() -> None:
    text = golden("abandoned").decode().replace('"rules_version":1', '"rules_version":9')
    found = fault(referee(mended(parsed(text.encode()))))
    assert found.check == "events"
    assert "rules version" in found.what


def test_a_game_of_an_earlier_edition_is_asked_by_it_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rules, "PAST", ((botifarra, replace(BOTIFARRA, rules_version=0)),))
    text = golden("abandoned").decode().replace('"rules_version":1', '"rules_version":0')
    verdict = referee(mended(parsed(text.encode())))
    assert verdict.ok
    assert verdict.checks[11].detail.endswith("asked was rules version 0, the newest is 1")


def test_a_bad_seal_prevents_no_other_check() -> None:
    lines = altered("words", lambda lines: lines[-1].update(seal="x"))
    assert failing(referee(written(lines))) == ["seal"]


def test_without_its_outer_lines_a_record_is_checked_as_far_as_it_goes() -> None:
    verdict = referee(b"".join(golden("words").splitlines(keepends=True)[1:-1]))
    assert failing(verdict) == ["form", "chain", "seal", "header", "secret", "deals", "result"]
    assert fault(verdict).what == "The header is missing."


@pytest.mark.parametrize("raw", [b"", b"\n", b"x", b"{}\n{}\n"])
def test_what_is_no_record_at_all_fails_every_check(raw: bytes) -> None:
    verdict = referee(raw)
    assert failing(verdict) == list(CHECKS[:12])
    assert (fault(verdict).check, fault(verdict).line) == ("form", 1)


# What computer players weighed


def decided(change: Callable[[dict[str, Any]], None], record: str = "decided-samba") -> Verdict:
    """The verdict over a record of which the first commit of a computer player was changed."""
    path = next(path for path in RECORDS if path.stem == record)
    lines = parsed(path.read_bytes())
    change(next(line for line in lines if "decision" in line))
    return referee(mended(lines), "record")


def drop(line: dict[str, Any]) -> None:
    given = line["command"]
    weighed = line["decision"]["candidates"]
    line["decision"]["candidates"] = [one for one in weighed if one["command"] != given] or [
        {"command": {"type": "pass", "seat": given["seat"]}, "tenths": 1}
    ]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda line: line["decision"].update(level="club"), "is of level club; seat "),
        (lambda line: line["decision"].update(strategy=""), "has no strategy, or a budget"),
        (lambda line: line["decision"].update(budget=-1), "has no strategy, or a budget"),
        (lambda line: line["decision"].update(samples=-1), "has no strategy, or a budget"),
        (drop, ", which was given."),
        (
            lambda line: line["decision"].update(candidates=line["decision"]["candidates"] * 6),
            "candidates, and 5 are kept.",
        ),
        (
            lambda line: line["decision"]["candidates"][0]["command"].update(seat=3),
            "weighs draw (seat 3), which is not seat ",
        ),
        (
            lambda line: line["decision"]["candidates"][0].update(
                command={"type": "play", "seat": line["command"]["seat"], "card": "O9"}
            ),
            "weighs play (seat ",
        ),
        (
            lambda line: line["decision"]["candidates"][0].update(command={"type": "fly"}),
            "cannot be read: unknown type 'fly'",
        ),
        (lambda line: line["decision"].update(type="guessed"), "cannot be read: "),
        (lambda line: line["decision"].update(more=1), "cannot be read: "),
    ],
)
def test_a_decision_that_cannot_have_led_to_its_command_is_told(
    change: Callable[[dict[str, Any]], None], words: str
) -> None:
    assert decided(lambda line: None).ok
    verdict = decided(change)
    assert wrong(verdict)[0] == "events"
    assert words in fault(verdict).what


def test_a_fallback_says_why_in_a_code() -> None:
    path = next(path for path in RECORDS if path.stem == "decided-botifarra")
    for why in ("The hand was O9", "", "Hung"):
        lines = parsed(path.read_bytes())
        (line, *_) = (one for one in lines if one.get("decision", {}).get("why"))
        line["decision"]["why"] = why
        verdict = referee(mended(lines), "record")
        assert fault(verdict).what.endswith("does not say why another command was played.")


@pytest.mark.parametrize("place", [1, 2, 3, -2])
def test_only_a_computer_players_command_has_a_decision(place: int) -> None:
    """Not the opening, the start, a deal, nor the end."""
    path = next(path for path in RECORDS if path.stem == "decided-samba")
    lines = parsed(path.read_bytes())
    lines[place]["decision"] = {
        "type": "fell_back", "level": "casual", "strategy": None, "budget": 1, "why": "lost"
    }  # fmt: skip
    found = fault(referee(mended(lines), "record"))
    assert "which no computer player gave." in found.what
    assert found.check == "events"


def test_a_person_has_no_decision() -> None:
    lines = parsed(golden("resigned"))
    (line,) = (one for one in lines if one.get("command", {}).get("type") == "resign")
    line["decision"] = {
        "type": "fell_back", "level": "casual", "strategy": None, "budget": 1, "why": "lost"
    }  # fmt: skip
    found = fault(referee(mended(lines), "record"))
    assert "stands beside resign (seat 0), which no computer player gave." in found.what


# Stored games


def stored(desk: Desk, game: str) -> tuple[Entry, ...]:
    return desk.store.read(game).entries


@cache
def begun() -> tuple[str, tuple[Entry, ...]]:
    """A game of computer players that is not over."""
    desk = Desk()
    table = desk.open(CASUAL, CASUAL, variant="canasta")
    desk.work(40)
    return table.id, stored(desk, table.id)


def changed(entries: Sequence[Entry], old: str, new: str) -> tuple[Entry, ...]:
    """The entries with a word changed in the first line that has it, and the hash made to fit."""
    place = next(place for place, entry in enumerate(entries) if old.encode() in entry.line)
    line = entries[place].line.replace(old.encode(), new.encode())
    entry = replace(entries[place], line=line, hash=codec.digest(line))
    return (*entries[:place], entry, *entries[place + 1 :])


def test_a_stored_game_that_is_over_has_every_check_of_a_record() -> None:
    desk = Desk()
    game = desk.open(PERSON, replace(PERSON, player=None), variant="canasta").id
    desk.tables.act(game, "anna", GetUp)
    verdict = referee_stored(game, stored(desk, game))
    assert verdict.ok
    assert tuple(check.name for check in verdict.checks) == CHECKS[:12]


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_stored_game_that_goes_on_is_checked_with_the_secret_that_is_kept(depth: Depth) -> None:
    game, entries = begun()
    verdict = referee_stored(game, entries, depth=depth)
    assert verdict.ok
    names = [check.name for check in verdict.checks]
    assert {"secret", "salts", "deals", "cards"} < set(names)
    assert not {"seal", "header", "result"} & set(names)
    assert entries[0].meta.secret not in json.dumps(verdict.to_json())


def test_of_a_game_that_goes_on_no_card_is_told_unless_it_is_asked_for() -> None:
    game, entries = begun()
    forged = changed(
        entries, '"events":[{"type":"card_discarded"', '"events":[{"type":"card_drawn"'
    )
    swapped = changed(entries, '"pack":["', '"pack":["JK","')
    for damaged in (forged, swapped):
        verdict = referee_stored(game, damaged)
        # Hashes left out, in which anything may stand by chance.
        text = re.sub(r"[\w-]{43,}", "", json.dumps(verdict.to_json()))
        assert not verdict.ok
        assert verdict.first_fault
        assert (verdict.first_fault.view, verdict.first_fault.line) == (None, None)
        for entry in entries[2:]:
            for event in codec.decode(entry.line).events:
                assert getattr(event, "card", "??") not in text
        shown = referee_stored(game, damaged, show=True)
        assert [check.ok for check in shown.checks] == [check.ok for check in verdict.checks]
        assert shown.first_fault
        assert shown.first_fault.view
        assert entries[0].meta.secret not in json.dumps(shown.to_json())


def test_the_pack_of_a_stored_deal_is_told_to_whoever_may_see_it() -> None:
    game, entries = begun()
    first = codec.decode(entries[2].line).command.pack[0]
    other = "3c" if first != "3c" else "3d"
    damaged = changed(entries, f'"pack":["{first}"', f'"pack":["{other}"')
    deals = next(c for c in referee_stored(game, damaged).checks if c.name == "deals")
    assert (deals.ok, deals.detail) == (False, "why is told when the game is over")
    deals = next(c for c in referee_stored(game, damaged, show=True).checks if c.name == "deals")
    assert f"card 1 is {other}, where {first} belongs" in deals.detail


def test_a_hash_that_is_not_of_its_line_is_told() -> None:
    game, entries = begun()
    last = replace(entries[-1], hash="x" * 43)
    found = fault(referee_stored(game, (*entries[:-1], last)))
    assert (found.check, found.version) == ("chain", len(entries))
    assert found.what.endswith("was changed where it is stored: its hash is another.")


def test_a_log_that_breaks_off_is_told() -> None:
    game, entries = begun()
    found = fault(referee_stored(game, entries, "entry 41 has no line"))
    assert (found.check, found.version) == ("form", len(entries) + 1)
    assert "entry 41 has no line" in found.what


def test_the_secret_kept_must_be_the_one_committed_to() -> None:
    game, (first, *rest) = begun()
    other = replace(first, meta=replace(first.meta, secret="00" * 32))
    verdict = referee_stored(game, (other, *rest), show=True)
    assert failing(verdict) == ["secret", "salts", "deals"]
    none = replace(first, meta=replace(first.meta, secret=""))
    assert failing(referee_stored(game, (none, *rest))) == ["secret", "salts", "deals"]


def test_what_cannot_be_read_is_told_once_and_by_its_version() -> None:
    lines = parsed(golden("words"))
    lines[10]["events"][0]["type"] = "comet_seen"
    verdict = referee(mended(lines))
    detail = next(check.detail for check in verdict.checks if check.name == "events")
    assert detail == "Version 10 cannot be read: unknown type 'comet_seen'."
    _, *rest = golden("words").splitlines(keepends=True)
    for line in (b'{"type":"header"}\n', b"{\n"):
        form = referee(b"".join([line, *rest])).checks[0].detail
        assert form.startswith("Line 1 is no header: ")
        assert form.count("header") == 1


def test_a_practice_game_says_so_and_how_many_deals_were_given() -> None:
    details = {check.name: check.detail for check in referee(golden("practice")).checks}
    assert details["header"].endswith(" seats, practice")
    assert re.fullmatch(r"\d+ deals?, 1 given", details["deals"])
    details = {check.name: check.detail for check in referee(golden("resigned")).checks}
    assert details["header"].endswith(" seats, fair")
    assert details["deals"] == "1 deal"


def test_nothing_stored_is_a_fault() -> None:
    assert fault(referee_stored("nobody", ())).what == "Nothing is stored."


def closed(entries: Sequence[Entry], secret: bytes, *, reveal: bool) -> tuple[Entry, ...]:
    """The entries, and behind them what closes the game and opens its secret."""
    events = (GameEnded(None, (0, 0), "abandoned", ((), ())),)
    behind: list[tuple[Any, tuple[Any, ...]]] = [(CloseGame(HOUSE, 5), events)]
    if reveal:
        shown = entries[0].meta.secret
        behind.append((RevealSecret(shown), (SecretRevealed(shown),)))
    every = list(entries)
    for command, caused in behind:
        version = len(every) + 1
        salt = fairness.salt(secret, version)
        line = codec.encode(Commit(version, every[-1].hash, salt, 1, command, caused))
        every.append(Entry(version, line, codec.digest(line), Meta("")))
    return tuple(every)


@pytest.mark.parametrize("store", ["sees it", "does not"])
def test_a_game_closed_behind_a_fault_tells_why_once_its_secret_is_open(store: str) -> None:
    game, entries = begun()
    secret = bytes.fromhex(entries[0].meta.secret)
    damaged = changed(entries, '"type":"card_discarded"', '"type":"card_burnt"')
    place = next(n for n, one in enumerate(damaged) if b"card_burnt" in one.line)

    def verdict(every: Sequence[Entry]) -> Verdict:
        if store == "does not":
            return referee_stored(game, every)
        return referee_stored(game, every[:place], "it is gone", beyond=(None, *every[place + 1 :]))

    for still in (
        verdict(damaged),
        verdict(closed(damaged, secret, reveal=False)),
        verdict(closed(damaged, b"another", reveal=True)),
    ):
        assert fault(still).view is None
        assert fault(still).check in ("form", "events", "chain")
    opened = verdict(closed(damaged, secret, reveal=True))
    assert fault(opened).view
    assert "why is told" not in json.dumps(opened.to_json())
    if store == "does not":
        assert {"chain", "events"} <= set(failing(opened))
