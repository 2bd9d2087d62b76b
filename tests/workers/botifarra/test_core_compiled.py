"""Compiled and plain, the search core gives the same; and what is stale is not loaded."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.spans import span
from workers.strategies import compiled
from workers.strategies.botifarra import FAST

ROOT = Path(__file__).parents[3]

PROGRAM = """
import sys
if {prefix!r}:
    sys.prefix = {prefix!r}
from importlib import import_module
from random import Random
from tests.workers.botifarra.endings import ending
from workers.strategies.botifarra import FAST, solver
from workers.strategies.compiled import CORES
assert FAST is not {plain}
for name in CORES["botifarra"]:
    module = import_module("workers.strategies.botifarra." + name)
    assert module.__file__.endswith(".py") is {plain}, module.__file__
rng, player = Random(31), solver.Solver(10)
for number in range({count}):
    at = ending(rng, rng.randint(1, 17), number % 2 == 0)
    print(player.values(at), player.solve(at), player.nodes, at.random(number), hex(at.choices()))
whole = ending(rng, 48)
print([whole.random(seed) for seed in range(50)], player.solve(whole, limit=2000), player.nodes)
"""


def told(plain: bool, prefix: str = "") -> str:
    """What the program prints in a process of its own."""
    prefix = prefix or "/nowhere" * plain
    program = PROGRAM.format(plain=plain, prefix=prefix, count=span(25, 200))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not FAST, reason="the search core is not compiled: no C compiler, or edited")
def test_compiled_and_plain_say_the_same_and_lay_as_many_cards() -> None:
    assert told(plain=True) == told(plain=False)


@pytest.mark.slow
@pytest.mark.skipif(not FAST, reason="the search core is not compiled: no C compiler, or edited")
@pytest.mark.parametrize("damaged", ["core", "search", "*__mypyc"])
@pytest.mark.parametrize("rest", [b"", b"cut off"])
def test_a_core_that_is_damaged_is_run_as_it_stands_in_the_source(
    damaged: str, rest: bytes, tmp_path: Path
) -> None:
    place = tmp_path / "compiled" / compiled.place().name
    shutil.copytree(compiled.place(), place)
    (file,) = place.glob(f"workers/strategies/botifarra/{damaged}.*")
    file.unlink()
    file.write_bytes(rest)
    assert told(plain=True, prefix=str(tmp_path))


@pytest.mark.slow
@pytest.mark.skipif(not FAST, reason="the search core is not compiled: no C compiler, or edited")
def test_a_core_that_is_damaged_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    place = tmp_path / "compiled" / compiled.place().name
    shutil.copytree(compiled.place(), place)
    (file,) = place.glob("workers/strategies/canasta/compact/*__mypyc.*")
    file.unlink()
    file.write_bytes(b"cut off")
    program = f"""
import sys
sys.prefix = {str(tmp_path)!r}
from workers.strategies import botifarra
from workers.strategies.canasta import compact
print(botifarra.FAST, compact.FAST)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["True", "False"], done.stderr


def test_a_source_that_was_edited_has_another_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "core.py"
    monkeypatch.setattr(compiled, "INGREDIENTS", (source,))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    places = []
    for text in ("one", "two", "one"):
        source.write_text(text)
        places.append(compiled.place())
    assert places[0] == places[2] != places[1]
    built = places[0] / "workers" / "strategies" / "botifarra"
    assert compiled.package() is None
    built.mkdir(parents=True)
    assert compiled.package() == str(built)
    source.write_text("two")
    assert compiled.package() is None


def test_the_program_names_the_place() -> None:
    program = ROOT / "workers" / "strategies" / "compiled.py"
    done = subprocess.run(
        [sys.executable, program], cwd="/", capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == str(compiled.place())
    assert done.returncode == (compiled.package() is None)
