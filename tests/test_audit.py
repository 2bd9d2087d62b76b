"""The auditor's command line: what it says, and how it ends."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from service import audit
from service.referee.pieces import Cut, Piece, Skipped, pieces
from service.store import Entry, Meta, codec
from service.store.redis import RedisStore
from tests.alterations import parsed, written

FOLDER = Path(__file__).parent / "records" / "0.1"
WORDS = FOLDER / "words.ndjson"
PRACTICE = FOLDER / "practice.ndjson"

NEXT = b'{"type":"next","cursor":"MTc"}\n'
SKIPPED = b'{"type":"skipped","game":"abc","code":"game_damaged"}\n'
END = b'{"type":"end","cursor":"MTc","more":false}\n'
ERROR = b'{"type":"error","code":"internal"}\n'


@pytest.fixture
def altered(tmp_path: Path) -> Path:
    """A record with one time changed."""
    lines = parsed(WORDS.read_bytes())
    lines[5]["at"] += 1
    path = tmp_path / "altered.ndjson"
    path.write_bytes(written(lines))
    return path


def test_a_sound_record_is_one_line_and_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main([str(WORDS)]) == 0
    game = parsed(WORDS.read_bytes())[0]["game"]
    assert capsys.readouterr().out == f"sound  {game}  12 of 12 checks hold\n"


def test_a_fault_is_told_with_its_place_and_code_1(
    altered: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.main(["--depth", "record", str(altered), str(WORDS)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("FAULT  ")
    assert lines[0].endswith("  9 of 11 checks hold")
    assert lines[1].startswith("       chain: Version 6 follows a line with the hash ")
    assert lines[2].startswith("       seal: ")
    assert lines[3] == "       first fault: chain, version 6, line 7"
    assert lines[4].startswith("sound  ")
    assert lines[5] == "1 sound, 1 with a fault"


def test_of_an_export_each_record_is_judged_and_lines_are_those_of_the_file(
    altered: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "export.ndjson"
    export.write_bytes(WORDS.read_bytes() + NEXT + altered.read_bytes() + NEXT + END)
    assert audit.main([str(export), "--json"]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["ok"]
    assert second["first_fault"]["line"] == len(WORDS.read_bytes().splitlines()) + 1 + 7
    assert second["first_fault"]["view"]["version"] == 5


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        (NEXT, ""),
        (NEXT + WORDS.read_bytes(), ""),
        (NEXT + ERROR, ": it ends with the error internal"),
        (NEXT[:-1], ""),
        (NEXT + END + ERROR, ": it ends with the error internal"),
    ],
    ids=["after next", "after a record", "error", "before a line end", "after end"],
)
def test_an_export_without_its_end_is_not_whole(
    rest: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "export.ndjson"
    export.write_bytes(WORDS.read_bytes() + rest)
    assert audit.main([str(export)]) == 2
    captured = capsys.readouterr()
    assert captured.err == f"audit: {export}: this export is not whole{said}\n"
    assert captured.out.startswith("sound  ")
    assert "FAULT" not in captured.out


def test_a_game_that_an_export_skipped_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "export.ndjson"
    export.write_bytes(WORDS.read_bytes() + NEXT + SKIPPED + NEXT + END)
    assert audit.main([str(export)]) == 2
    captured = capsys.readouterr()
    assert captured.out.startswith("sound  ")
    assert captured.err == f"audit: {export}: skipped game abc (game_damaged)\n"


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"junk not JSON\n',
        b'{"type":"next"}\n',
        b'{"type":"next","cursor":"x","more":true}\n',
        b'{"type": "next","cursor":"x"}\n',
        b'{"type":"skipped","game":"abc"}\n',
        b'{"type":"end","cursor":null,"more":0}\n',
        b'{"type":"other"}\n',
        NEXT[:-1] + b"\r\n",
        NEXT[:-1] + NEXT,
    ],
)
def test_what_is_no_line_of_an_export_is_judged(line: bytes, tmp_path: Path) -> None:
    export = tmp_path / "export.ndjson"
    for lines in ([line, WORDS.read_bytes()], [WORDS.read_bytes(), line]):
        export.write_bytes(b"".join(lines))
        assert audit.main([str(export)]) == 1
        export.write_bytes(b"".join([*lines, END]))
        assert audit.main([str(export)]) == 1


def test_an_export_of_nothing_has_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "export").write_bytes(b'{"type":"end","cursor":null,"more":false}\n')
    assert audit.main([str(tmp_path / "export")]) == 2
    assert capsys.readouterr().err.endswith("export: there is no record in it\n")


def test_a_practice_game_is_said_to_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main([str(PRACTICE), str(WORDS)]) == 0
    first, second, _ = capsys.readouterr().out.splitlines()
    assert first.endswith("  12 of 12 checks hold, practice")
    assert second.endswith("  12 of 12 checks hold")


def test_a_file_that_was_converted_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "converted.ndjson"
    path.write_bytes(WORDS.read_bytes().replace(b"\n", b"\r\n"))
    assert audit.main([str(path)]) == 1
    said = "form: Line 1 is no header: line ends are CR LF; was the file converted?\n"
    assert said in capsys.readouterr().out


def test_standard_input_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WORDS.read_bytes())))
    assert audit.main(["-"]) == 0
    assert capsys.readouterr().out.startswith("sound  ")


def test_a_head_that_was_kept_is_looked_for(capsys: pytest.CaptureFixture[str]) -> None:
    kept = parsed(WORDS.read_bytes())[4]["prev"]
    assert audit.main([str(WORDS), "--head", kept]) == 0
    assert "       head: version 3\n" in capsys.readouterr().out
    assert audit.main([str(WORDS), "--head", "nobody"]) == 1
    assert "head: No commit has the hash nobody" in capsys.readouterr().out


def test_what_cannot_be_read_is_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").touch()
    assert audit.main([str(tmp_path / "none"), str(tmp_path / "empty"), str(WORDS)]) == 2
    captured = capsys.readouterr()
    assert captured.out.startswith("sound  ")
    assert captured.err.splitlines() == [
        f"audit: {tmp_path / 'none'}: No such file or directory",
        f"audit: {tmp_path / 'empty'}: there is no record in it",
    ]


@pytest.mark.parametrize("arguments", [[], ["x", "--all"], ["--game", "x", "--all"], ["--no"]])
def test_wrong_usage_is_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        audit.main(arguments)
    assert left.value.code == 2


def test_a_forger_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = parsed(WORDS.read_bytes())
    lines[0] |= {"game": "\x1b[2J\nsound", "variant": "\x1b[31m"}
    (tmp_path / "steering").write_bytes(written(lines))
    assert audit.main([str(tmp_path / "steering")]) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.startswith("FAULT  \ufffd[2J\ufffdsound  ")


@pytest.mark.parametrize(
    "broken",
    [
        lambda lines: lines[1:],
        lambda lines: lines[:-1],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [*lines, lines[3]],
        lambda lines: [b"\n", *lines],
        lambda lines: [lines[0], *lines],
        lambda lines: [*lines, b"junk"],
    ],
    ids=["no header", "no footer", "two footers", "a commit more", "blank", "two headers", "junk"],
)
def test_no_line_of_a_file_is_passed_over(broken, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "broken").write_bytes(b"".join(broken(WORDS.read_bytes().splitlines(True))))
    assert audit.main([str(tmp_path / "broken")]) == 1


def test_pieces_are_the_records_of_a_file() -> None:
    one = WORDS.read_bytes()
    lines = (one + one).splitlines(keepends=True)
    count = len(lines) // 2
    assert list(pieces(lines)) == [Piece(0, one), Piece(count, one)]
    exported = list(pieces([*lines[:count], NEXT, SKIPPED, END]))
    assert exported == [Piece(0, one), Skipped("abc", "game_damaged")]
    assert list(pieces([NEXT, *lines])) == [Piece(1, one), Piece(count + 1, one), Cut("")]


# Stored games


@pytest.fixture
def games(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> tuple[RedisStore, str, str]:
    """A game that is over and one that is not, in a real store."""
    monkeypatch.setenv("TAPETE_REDIS_URL", redis_url)
    store = RedisStore(redis_url)
    _, *lines, footer = (FOLDER / "samba-4.ndjson").read_bytes().splitlines()
    meta = Meta("a", secret=json.loads(footer)["secret"])
    entries = [Entry(at, line, codec.digest(line), meta) for at, line in enumerate(lines, 1)]
    store.plant("over", entries)
    store.plant("open", entries[:30])
    return store, "over", "open"


def test_stored_games_are_judged_one_or_all(
    games: tuple[RedisStore, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, over, open_ = games
    assert audit.main(["--game", over, "--game", open_]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"sound  {over}  12 of 12 checks hold",
        f"sound  {open_}  9 of 9 checks hold",
        "2 sound, 0 with a fault",
    ]
    assert audit.main(["--all", "--depth", "record"]) == 0
    assert {over, open_} <= set(capsys.readouterr().out.split())


def test_a_stored_game_that_is_damaged_is_told(
    games: tuple[RedisStore, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    store, _, game = games
    with store.link.client as client:
        client.xdel(f"game:{{{game}}}:log", "7-0")
    assert audit.main(["--game", game]) == 1
    out = capsys.readouterr().out
    assert "form: After commit 6 the log cannot be read" in out
    assert "first fault: form, version 7\n" in out


def test_a_game_that_is_not_there_is_code_2(
    games: tuple[RedisStore, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.main(["--game", "nobody"]) == 2
    assert capsys.readouterr().err == "audit: there is no game nobody\n"


def test_a_server_that_does_not_answer_is_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TAPETE_REDIS_URL", raising=False)
    monkeypatch.setenv("TAPETE_DATA", str(tmp_path))
    assert audit.main(["--all"]) == 2
    assert capsys.readouterr().err == (
        f"audit: no server runs in {tmp_path}: start ./run, or see TAPETE_DATA, TAPETE_REDIS_URL\n"
    )
    monkeypatch.setenv("TAPETE_REDIS_URL", f"unix://{tmp_path}/none.sock")
    assert audit.main(["--all"]) == 2
    assert capsys.readouterr().err == "audit: the server of TAPETE_REDIS_URL does not answer\n"
    monkeypatch.setenv("TAPETE_REDIS_URL", "http://no")
    assert audit.main(["--all"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_help_names_the_command_the_codes_and_the_guide(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left:
        audit.main(["--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith("usage: ./run audit ")
    assert "Exit code 0: " in said
    assert "docs/auditing.md" in said


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_any_terminal_will_do_and_json_is_plain_ascii(tmp_path: Path, more: list[str]) -> None:
    lines = parsed(WORDS.read_bytes())
    lines[0]["game"] = "\x9b\x7f\u202e☂"
    file = tmp_path / "☂.ndjson"
    file.write_bytes(written(lines))
    done = subprocess.run(
        [sys.executable, "-m", "service.audit", *more, str(file), str(tmp_path / "née")],
        cwd=Path(__file__).parent.parent,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert done.stdout.isascii()
    assert b"\x7f" not in done.stdout
    assert not more or json.loads(done.stdout)["game"].startswith("\x9b")


@pytest.mark.slow
def test_it_is_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "service.audit", str(WORDS)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sound  ")
