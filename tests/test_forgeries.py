"""What becomes of a record in which something was altered: all that can be found is found.

Who alters one field of one line and mends nothing is always found. Who mends all that follows from
the rest (chain, salts, head, seal) is found unless the rules allow what was altered: `FREE` and the
stories below say what that is, and docs/auditing.md.
"""

import json
import random
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.referee import DEPTHS, Depth, Verdict, referee
from service.referee.plain import Plain
from service.referee.played import MOST_EVENTS
from tests import forger
from tests.alterations import Lines, alterations, digest, mended, parsed, written
from tests.rules.spans import LONG

FOLDER = Path(__file__).parent / "records" / "0.1"

FREE = re.compile(
    r"line 1\.game .*"  # the id, which the log does not have
    r"|line \d+\.at (plus|minus) one"  # the time
)
"""What a forger who mends everything else may alter alone."""

ROWS = re.compile(r"\.(pack|stock|hands)\.")
"""A hundred cards each, of which a tenth will do where time counts."""

SOME = 1 if LONG else 0.2
"""The share of the alterations of longer records that are tried; `./run laws` tries them all."""


def golden(name: str) -> bytes:
    folder = FOLDER.with_name("0.2") if name.startswith("decided") else FOLDER
    return (folder / f"{name}.ndjson").read_bytes()


def found(raw: bytes, depth: Depth = "rules") -> bool:
    """Whether a fault is found; if so it is told, and is that of the first check that fails."""
    verdict = referee(raw, depth)
    assert told(verdict)
    return not verdict.ok


def told(verdict: Verdict) -> bool:
    json.dumps(verdict.to_json())
    made = [check for check in verdict.checks if not check.detail.startswith("cannot be made: ")]
    failing = next((check.name for check in made if not check.ok), None)
    assert verdict.ok == all(check.ok for check in verdict.checks) == (failing is None)
    fault = verdict.first_fault
    return (fault.check if fault and fault.what else None) == failing


@pytest.mark.slow
def test_who_alters_one_field_of_one_line_is_found_by_the_record_alone() -> None:
    _all_found("abandoned")


@pytest.mark.slow
def test_who_alters_one_field_of_a_longer_record_is_found_too() -> None:
    _all_found("resigned", SOME)


def _all_found(name: str, share: float = 1) -> None:
    raw, some = golden(name), random.Random(name)
    for what, lines in alterations(raw):
        if some.random() >= share:
            continue
        altered = written(lines)
        assert altered == raw or found(altered, "record"), what


@pytest.mark.slow
def test_who_mends_chain_and_seal_is_found_by_the_rules() -> None:
    assert _not_found("abandoned", lambda _: True) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["resigned", "words"])
def test_who_mends_a_longer_record_is_found_too(name: str) -> None:
    # Of two people who sit down, either may come first.
    allowed = {"line 4 earlier", "line 8 earlier", "line 11 earlier"} if name == "words" else set()
    some = random.Random(name)

    def taken(what: str) -> bool:
        return some.random() < SOME * (0.1 if ROWS.search(what) else 1)

    escaped = _not_found(name, taken)
    assert escaped == allowed if LONG else escaped <= allowed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bolivia-4", "botifarra-4", "taken-over"])
def test_who_mends_a_record_of_many_moves_is_found_too(name: str) -> None:
    # A meld's cards may be named in any order: it is the same command.
    some = random.Random(name)
    escaped = _not_found(name, lambda _: some.random() < 0.005 * SOME)
    assert all(re.search(r"\.command\..*cards\.\d+ later", what) for what in escaped)


OWN_WORD = re.compile(
    r"line \d+\.decision( left out|\.(strategy|budget|samples|why) .*"
    r"|\.candidates( |\.\d+( |\.tenths |\.command)).*)"
)
"""What a computer player weighed: nobody but itself, asked again, can tell whether it did."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["decided-botifarra", "decided-samba"])
def test_of_what_was_weighed_only_its_own_word_escapes(name: str) -> None:
    some = random.Random(name)
    share = (0.2 if name == "decided-botifarra" else 0.01) * SOME
    escaped = _not_found(name, lambda what: ".decision" in what and some.random() < share)
    assert len(escaped) > 10
    assert {what for what in escaped if not OWN_WORD.fullmatch(what)} == set()
    assert not any(".level" in what or ".type" in what for what in escaped)


def _not_found(name: str, taken: Callable[[str], bool]) -> set[str]:
    """The alterations that a mending forger gets away with, but for those that are free."""
    raw = golden(name)
    assert mended(parsed(raw)) == raw
    escaped = set()
    for what, lines in alterations(raw):
        if not taken(what):
            continue
        try:
            altered = mended(lines)
        except (AttributeError, KeyError, TypeError, ValueError):
            continue  # there is no header, footer or secret left to mend it by
        if altered != raw and not found(altered):
            escaped.add(what)
    return {what for what in escaped if not FREE.fullmatch(what)}


# What a forger who mends everything gets away with, until somebody kept a head


def _everywhere(old: str, new: str) -> Callable[[Lines], Lines]:
    def forge(lines: Lines) -> Lines:
        forged: Lines = json.loads(json.dumps(lines).replace(old, new))
        return forged

    return forge


def _later(lines: Lines) -> Lines:
    """All times are put off by a day."""
    return [{**line, "at": line["at"] + 86_400_000} if "at" in line else line for line in lines]


def _another_gives_up(lines: Lines) -> Lines:
    """The other person at a table of three gives up last, so another wins."""
    resigned = next(line for line in reversed(lines) if _is(line, "resign"))
    gone = {line["command"]["seat"] for line in lines if _is(line, "resign")}
    seat = resigned["command"]["seat"]
    (winner,) = {0, 1, 2} - gone
    text = json.dumps(resigned).replace(f'"seat": {seat}', f'"seat": {winner}')
    resigned |= json.loads(text.replace(f'"winner": {winner}', f'"winner": {seat}'))
    lines[-1]["result"]["winner"] = seat
    return lines


def _is(line: dict[str, Any], *names: str) -> bool:
    return line.get("command", {}).get("type") in names


@pytest.mark.parametrize(
    ("name", "forge"),
    [
        ("words", _later),
        ("words", _everywhere('"anna"', '"zoe"')),
        ("words", _everywhere('"visibility": "public"', '"visibility": "private"')),
        ("resigned", _everywhere('"casual"', '"master"')),
        ("words", _another_gives_up),
    ],
    ids=["times", "people", "visibility", "levels", "another move"],
)
def test_a_game_that_could_have_been_played_so_is_found_only_by_a_head_that_was_kept(
    name: str, forge: Callable[[Lines], Lines]
) -> None:
    raw = golden(name)
    kept = parsed(raw)[-1]["head"]
    forged = mended(forge(parsed(raw)))
    assert forged != raw
    assert referee(forged).ok
    assert referee(raw, head=kept).ok
    verdict = referee(forged, head=kept)
    assert not verdict.ok
    assert verdict.first_fault
    assert verdict.first_fault.check == "head"


def test_a_head_kept_early_proves_only_what_was_before() -> None:
    raw = golden("words")
    early = digest(raw.splitlines()[3])
    verdict = referee(mended(_another_gives_up(parsed(raw))), head=early)
    assert verdict.ok
    assert verdict.checks[-1].detail == "version 3"


# Whatever is given


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_get_a_verdict(raw: bytes) -> None:
    verdict = referee(raw)
    assert not verdict.ok
    assert told(verdict)


@settings(deadline=None)
@given(st.data())
def test_a_record_cut_and_mixed_gets_a_verdict(data: st.DataObject) -> None:
    lines = golden("resigned").splitlines(keepends=True)
    mixed = b"".join(data.draw(st.lists(st.sampled_from(lines), max_size=9)))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(mixed))] * 2)))
    raw = mixed[:start] + data.draw(st.binary(max_size=20)) + mixed[end:]
    assert told(referee(raw))


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@settings(deadline=None)
@given(st.data())
def test_any_value_in_any_place_gets_a_verdict_from_the_rules(data: st.DataObject) -> None:
    lines = parsed(golden("resigned"))
    number = data.draw(st.integers(0, len(lines) - 1))
    holder: Any = lines
    key: Any = number
    while isinstance(holder[key], dict | list) and holder[key] and data.draw(st.integers(0, 5)):
        holder = holder[key]
        key = data.draw(
            st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder)))
        )
    holder[key] = data.draw(_VALUES | st.sampled_from([-1, 2**53, 2**70, "anna", [[]] * 5]))
    try:
        raw = mended(lines)
    except (AttributeError, KeyError, TypeError, ValueError):
        raw = written(lines)
    assert told(referee(raw))


@pytest.mark.parametrize("deep", [500, 5_000, 500_000])
def test_a_line_nested_without_end_gets_a_verdict(deep: int) -> None:
    lines = golden("abandoned").splitlines(keepends=True)
    nested = (
        b'{"version":2,"prev":"","salt":"","at":1,"command":{"type":"' + b'x","y":' + b"[" * deep
    )
    verdict = referee(
        b"".join([*lines[:2], nested + b"]" * deep + b'},"events":[]}\n', *lines[3:]])
    )
    assert not verdict.ok
    assert told(verdict)


def test_a_forger_cannot_make_the_verdict_long() -> None:
    lines = parsed(golden("abandoned"))
    lines[2]["command"]["type"] = "x" * 1_000_000
    lines[0]["game"] = "y" * 1_000_000
    lines[0]["variant"] = "z" * 1_000_000
    assert len(json.dumps(referee(mended(lines)).to_json())) < 20_000


@settings(deadline=None)
@given(st.data())
def test_any_value_in_any_place_of_a_record_that_holds_together_gets_a_verdict(
    data: st.DataObject,
) -> None:
    lines = forger.lines_of(golden(data.draw(st.sampled_from(["abandoned", "resigned"]))))
    place = data.draw(st.integers(0, len(lines) - 1))
    paths = list(forger.fields(lines[place]))
    *way, last = data.draw(st.sampled_from(paths))
    holder: Any = lines[place]
    for name in way:
        holder = holder[name]
    holder[last] = data.draw(_VALUES | st.sampled_from([-1, 2**53, "anna", [], {}, [[]] * 5]))
    try:
        raw = forger.raw_of(forger.mended(lines, salted=True))
    except (AttributeError, KeyError, TypeError, ValueError):
        raw = forger.raw_of(lines)
    for depth in DEPTHS:
        assert told(referee(raw, depth))


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_table_without_chairs_gets_a_verdict(depth: Depth) -> None:
    verdict = referee(without_chairs(golden("abandoned")), depth)
    assert not verdict.ok
    assert told(verdict)


def without_chairs(raw: bytes) -> bytes:
    lines = forger.lines_of(raw)
    for thing in (lines[1]["command"], lines[1]["events"][0]):
        thing["chairs"] = []
    lines[0]["seats"] = lines[0]["nonces"] = []
    return forger.raw_of(forger.mended(lines, salted=True))


@pytest.mark.parametrize("check", ["header", "deals", "result"])
def test_a_check_that_fails_itself_is_a_fault_and_no_crash(
    monkeypatch: pytest.MonkeyPatch, check: str
) -> None:
    def broken(_: Any) -> str:
        raise IndexError("10h")

    monkeypatch.setattr(Plain, check, broken)
    verdict = referee(golden("abandoned"))
    assert told(verdict)
    assert verdict.first_fault
    assert verdict.first_fault.check == check
    assert "10h" not in json.dumps(verdict.to_json())


def test_a_walk_ends_with_the_first_wrong_decision() -> None:
    lines = forger.lines_of(golden("resigned"))
    place = next(n for n, line in enumerate(lines) if _is(line, "start_game"))
    lines[place]["events"].append({"type": "seat_resigned", "seat": 0})
    raw = forger.raw_of(forger.mended(lines, salted=True))
    assert referee(raw, "record").ok
    checks = {check.name: check for check in referee(raw).checks}
    assert checks["cards"].detail.startswith("cannot be made: ")
    assert not checks["decisions"].ok
    assert told(referee(raw))


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_commit_of_endless_events_is_not_followed(depth: Depth) -> None:
    lines = forger.lines_of(golden("resigned"))
    place = next(n for n, line in enumerate(lines) if _is(line, "start_game"))
    lines[place]["events"] += [{"type": "seat_resigned", "seat": 0}] * (MOST_EVENTS + 1)
    verdict = referee(forger.raw_of(forger.mended(lines, salted=True)), depth)
    assert verdict.first_fault
    assert (verdict.first_fault.check, verdict.first_fault.version) == ("events", place)


def test_no_commit_of_a_game_has_nearly_as_many_events() -> None:
    for path in FOLDER.parent.glob("*/*.ndjson"):
        for line in forger.lines_of(path.read_bytes())[1:-1]:
            assert len(line["events"]) < MOST_EVENTS / 10


def test_a_file_of_line_ends_alone_costs_nothing() -> None:
    tracemalloc.start()
    try:
        verdict = referee(b"\n" * 1_000_000)
        few = referee(golden("abandoned") + b"\n" * 1_000)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    for one in (verdict, few):
        assert one.first_fault
        assert one.first_fault.check == "form"
        assert told(one)
    assert most < 20_000_000


def test_nesting_and_names_have_their_bounds() -> None:
    for raw, sound in bounds(golden("abandoned")):
        form = referee(raw, "record").checks[0]
        assert (form.name, form.ok) == ("form", sound), raw


def bounds(raw: bytes) -> list[tuple[bytes, bool]]:
    """Records at the bounds of what a line may hold, and whether their form is right."""

    def changed(change: Callable[[list[Any]], None]) -> bytes:
        lines = forger.lines_of(raw)
        change(lines)
        return forger.raw_of(forger.mended(lines, salted=True))

    def nested(deep: int) -> Callable[[list[Any]], None]:
        value: Any = []
        for _ in range(deep - 3):  # the line and the command are around it
            value = [value] if deep % 2 else {"x": value}
        return lambda lines: lines[2]["command"].update(x=value)

    def named(place: int, thing: str, options: bool, name: str) -> Callable[[list[Any]], None]:
        def change(lines: list[Any]) -> None:
            held = lines[place][thing] if thing else lines[place]
            held = held[0] if isinstance(held, list) else held
            (held["options"] if options else held)[name] = 1

        return change

    return [
        *((changed(nested(deep)), deep <= 32) for deep in (31, 32, 33, 34, 500)),
        *((changed(named(2, "command", False, n)), n == "x7") for n in ("7", "0", "007", "x7")),
        (changed(named(2, "events", False, "7")), False),
        *((changed(named(0, "", True, name)), name == "x7") for name in ("7", "x7")),
        (changed(named(1, "command", True, "12345678901")), False),
        (changed(named(1, "events", True, "7")), False),
        (changed(lambda lines: lines[2]["command"].update(x={"7": 1, "6": "{[[["})), True),
    ]
