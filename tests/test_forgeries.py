"""What becomes of a record in which something was altered: all that can be found is found.

Who alters one field of one line and mends nothing is always found. Who mends all that follows from
the rest (chain, salts, head, seal) is found unless the rules allow what was altered: `FREE` and the
stories below say what that is, and docs/auditing.md.
"""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.referee import Depth, Verdict, referee
from tests.alterations import Lines, alterations, digest, mended, parsed, written

FOLDER = Path(__file__).parent / "records" / "0.1"

FREE = re.compile(
    r"line 1\.game .*"  # the id, which the log does not have
    r"|line \d+\.at (plus|minus) one"  # the time
)
"""What a forger who mends everything else may alter alone."""

ROWS = re.compile(r"\.(pack|stock|hands)\.")
"""A hundred cards each, of which a tenth will do where time counts."""


def golden(name: str) -> bytes:
    return (FOLDER / f"{name}.ndjson").read_bytes()


def found(raw: bytes, depth: Depth = "rules") -> bool:
    """Whether a fault is found; if so it is told, and is that of the first check that fails."""
    verdict = referee(raw, depth)
    assert told(verdict)
    return not verdict.ok


def told(verdict: Verdict) -> bool:
    json.dumps(verdict.to_json())
    failing = next((check.name for check in verdict.checks if not check.ok), None)
    fault = verdict.first_fault
    return (fault.check if fault and fault.what else None) == failing


def test_who_alters_one_field_of_one_line_is_found_by_the_record_alone() -> None:
    _all_found("abandoned")


@pytest.mark.slow
def test_who_alters_one_field_of_a_longer_record_is_found_too() -> None:
    _all_found("resigned")


def _all_found(name: str) -> None:
    raw = golden(name)
    for what, lines in alterations(raw):
        altered = written(lines)
        assert altered == raw or found(altered, "record"), what


def test_who_mends_chain_and_seal_is_found_by_the_rules() -> None:
    assert _not_found("abandoned", lambda _: True) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["resigned", "words"])
def test_who_mends_a_longer_record_is_found_too(name: str) -> None:
    # Of two people who sit down, either may come first.
    allowed = {"line 4 earlier", "line 8 earlier", "line 11 earlier"} if name == "words" else set()
    some = random.Random(name)
    assert _not_found(name, lambda what: not ROWS.search(what) or some.random() < 0.1) == allowed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bolivia-4", "botifarra-4", "taken-over"])
def test_who_mends_a_record_of_many_moves_is_found_too(name: str) -> None:
    # A meld's cards may be named in any order: it is the same command.
    some = random.Random(name)
    escaped = _not_found(name, lambda _: some.random() < 0.003)
    assert all(re.search(r"\.command\..*cards\.\d+ later", what) for what in escaped)


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
