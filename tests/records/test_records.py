"""Every golden record is read bit for bit, for ever: same bytes, same states, same verdict."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from service import record, replay, rules
from service.referee import referee
from service.rules import canasta, seating
from service.rules.canasta.variants import CANASTA
from service.store import codec, past
from tests.records.corpus import HERE, RECORDS, RELEASES, differs, kept, label, summary
from tests.rules.random_games import ELSEWHERE

MEANT = (
    "what was made once stays; only if more is shown now, take the file away and run tests.records"
)

OLDEST = HERE / "0.1"

every_record = pytest.mark.parametrize("path", RECORDS, ids=label)


def test_there_are_records_of_every_release() -> None:
    assert [release.name for release in RELEASES][:2] == ["0.1", "0.2"]
    for release in RELEASES:
        assert [line.split()[0] for line in kept(release).read_text().splitlines()] == [
            path.stem for path in RECORDS if path.parent == release
        ]


@pytest.mark.sampled(5)
@every_record
def test_a_record_is_written_again_as_the_same_bytes(path: Path) -> None:
    raw = path.read_bytes()
    read = record.read(raw)
    assert b"".join(record.write(read.header.game, read.lines)) == raw
    assert list(record.split(raw.splitlines(keepends=True))) == [raw]


@pytest.mark.sampled(5)
@every_record
def test_a_record_is_folded_to_the_end_that_its_footer_tells(path: Path) -> None:
    read = record.read(path.read_bytes())
    game = replay.fold(map(codec.decode, read.lines))
    assert (game.result, game.secret) == (read.footer.result, read.footer.secret)


@pytest.mark.sampled(5)
@every_record
def test_a_record_is_sound(path: Path) -> None:
    verdict = referee(path.read_bytes(), "record")
    assert verdict.ok, verdict.first_fault


@pytest.mark.slow
@every_record
def test_the_rules_that_a_game_was_played_by_still_decide_the_same(path: Path) -> None:
    verdict = referee(path.read_bytes(), "rules")
    assert verdict.ok, verdict.first_fault


@pytest.mark.slow
def test_every_version_shows_what_it_always_showed() -> None:
    """In another process, with another hash seed, locale and time zone."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.records.corpus"],
        env={**os.environ, **ELSEWHERE},
        cwd=HERE.parents[1],
        capture_output=True,
        check=True,
    )
    now = told.stdout.decode().splitlines()
    before = [line for release in RELEASES for line in kept(release).read_text().splitlines()]
    others = [differs(*lines) for lines in zip(before, now, strict=True) if lines[0] != lines[1]]
    assert not others, f"{others}: {MEANT}"


def test_an_older_shape_that_is_read_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    path = OLDEST / "words.ndjson"
    newer = past.GameOpened1.newer
    monkeypatch.setattr(
        past.GameOpened1, "newer", lambda old: replace(newer(old), visibility="private")
    )
    (before,) = (
        line for line in kept(OLDEST).read_text().splitlines() if line.startswith("words ")
    )
    assert differs(before, summary(path)) == "words at version 1"


def test_a_change_in_how_events_apply_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    path = OLDEST / "words.ndjson"
    monkeypatch.setattr(seating, "evolve", lambda game, event: None)
    (before,) = (
        line for line in kept(OLDEST).read_text().splitlines() if line.startswith("words ")
    )
    assert differs(before, summary(path)) == "words at version 2"


def test_a_record_is_judged_by_the_rules_that_it_was_played_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    newer = replace(CANASTA, rules_version=2, going_out=105)
    monkeypatch.setitem(cast(Any, canasta.VARIANTS), "canasta", newer)
    monkeypatch.setattr(rules, "PAST", ((canasta, CANASTA),))
    path = OLDEST / "canasta-3.ndjson"
    assert referee(path.read_bytes(), "rules").ok


def test_a_changed_rule_without_a_new_edition_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = replace(CANASTA, going_out=105)
    monkeypatch.setitem(cast(Any, canasta.VARIANTS), "canasta", changed)
    path = OLDEST / "canasta-3.ndjson"
    assert referee(path.read_bytes(), "record").ok
    verdict = referee(path.read_bytes(), "rules")
    assert verdict.first_fault and verdict.first_fault.check == "decisions"
