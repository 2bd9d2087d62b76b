"""What holds the project together: pins, contracts, containers, and what no file may mention."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
LOCKS = (
    "requirements.txt",
    "requirements-server.txt",
    "requirements-dev.txt",
    "requirements-mutants.txt",
    "requirements-build.txt",
    "requirements-peers.txt",
)

# What rules, replay and fairness may import: no clock, no chance, no I/O, no framework. Longer
# lists need a reason.
PURE = {
    "__future__",
    "abc",
    "base64",
    "bisect",
    "collections",
    "copy",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "heapq",
    "hmac",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "string",
    "struct",
    "types",
    "typing",
}
PURE_MODULES = ("replay", "decision", "fairness", "glicko", "tally")
PURE_PROJECT = ("service.rules", *(f"service.{name}" for name in PURE_MODULES))


def pure_files() -> list[Path]:
    service = ROOT / "service"
    files = [*service.glob("rules/**/*.py"), *(service / f"{name}.py" for name in PURE_MODULES)]
    return sorted(path for path in files if path.exists())


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def tracked() -> list[Path]:
    """The project's files: those that git knows, and those it would not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip("not a git work tree")
    paths = [ROOT / name.decode() for name in done.stdout.split(b"\0") if name]
    return [path for path in paths if path.is_file()]


def locked(text: str) -> dict[str, list[str]]:
    """The requirements of a lock, each with its hashes."""
    lines = text.replace("\\\n", " ").splitlines()
    return {line.split(" ")[0]: re.findall(r"--hash=(\S+)", line) for line in lines if line.strip()}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_everything_by_hash_and_says_not_from_where(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"://|^\s*(-i|-f|--index|--extra|--find|--trusted)", text, re.MULTILINE)
    for requirement, hashes in locked(text).items():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+", requirement)
        assert hashes
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes)


def test_the_locks_hold_what_pyproject_pins() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    runtime = project["project"]["dependencies"]
    run, server, dev, mutants, build, peers = (locked((ROOT / name).read_text()) for name in LOCKS)
    assert {re.sub(r"\[.*\]", "", pin.lower()) for pin in runtime} <= run.keys()
    assert set(groups["server"]) <= server.keys()
    assert {pin.lower() for pin in groups["dev"]} <= dev.keys()
    assert {pin.lower() for pin in groups["mutants"]} <= mutants.keys()
    assert set(groups["build"]) <= build.keys()
    assert set(groups["peers"]) <= peers.keys()
    assert run.items() <= dev.items()  # what is tested is what is served


@pytest.mark.slow
def test_what_is_served_needs_no_package_of_the_tests() -> None:
    """The served processes are loaded here, where the tests' packages hide a gap in the lock."""
    served = "service.gateway, service.serve, service.app, workers.__main__, workers.sweep"
    program = (
        f"import {served}, sys\n"
        "from importlib.metadata import packages_distributions as known\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(*sorted({d.lower() for top, ds in known().items() if top in loaded for d in ds}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    )
    lock = {pin.partition("==")[0] for pin in locked((ROOT / "requirements.txt").read_text())}
    # Libraries do without these; the last is the project itself, once a wheel of it was made.
    only_if_there = {"setuptools", "typing-extensions", "tapete"}
    used = {name.replace("_", "-").replace(".", "-") for name in done.stdout.split()}
    assert used - only_if_there <= lock


def test_no_file_says_where_it_was_made() -> None:
    # Put together from parts, so that this file passes too.
    hosts = ["py" + "pi.org", "python" + "hosted", "npm" + "js.", "deb" + ".debian", "/opt" + "/py"]
    places = "/wo" + "rk/", "/ro" + "ot/"
    words = [re.escape(word) for word in (*hosts, *places)]
    forbidden = re.compile("|".join([*words, r"\.\./sha" + "red"]))
    found = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in tracked()
        if (match := forbidden.search(path.read_text(errors="replace")))
    }
    assert found == set()


@pytest.mark.parametrize("path", pure_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_replay_and_fairness_import_only_what_is_pure(path: Path) -> None:
    for name in imports(path):
        inside = any(name == pure or name.startswith(pure + ".") for pure in PURE_PROJECT)
        assert inside or name.split(".")[0] in PURE, name


def lint(tree: Path) -> "subprocess.CompletedProcess[str]":
    program = Path(sys.executable).parent / "lint-imports"
    env = os.environ | {"PYTHONPATH": str(tree)}  # that tree, whatever the surroundings say
    return subprocess.run(
        [program, "--no-cache"], cwd=tree, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("service/table.py", "service.api"),
        ("service/store/__init__.py", "service.table"),
        ("service/queue.py", "workers.jobs"),
        ("service/config.py", "service.table"),
        ("service/rules/cards.py", "random"),
        ("service/rules/canasta/decide.py", "time"),
        ("service/rules/canasta/state.py", "service.rules.botifarra"),
        ("service/rules/botifarra/legal.py", "service.rules.seating"),
        ("service/rules/seating/decide.py", "service.rules.canasta"),
        ("service/replay.py", "msgspec"),
        ("service/fairness.py", "service.replay"),
        ("workers/strategies/__init__.py", "service.store"),
    ],
)
def test_the_import_contracts_refuse(tmp_path: Path, module: str, imported: str) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in ("service", "workers"):
        shutil.copytree(ROOT / package, tmp_path / package)
    planted = tmp_path / module
    planted.write_text(f"import {imported}\n" + (planted.read_text() if planted.exists() else ""))
    done = lint(tmp_path)
    assert done.returncode == 1
    importer = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert f"{importer} -> {imported} (l.1)" in done.stdout


@pytest.mark.slow
def test_the_import_contracts_hold() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [["ruff", "format", "--check", "."], ["ruff", "check", "."], ["mypy"]], ids=" ".join
)
def test_format_lint_and_types(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_compose_keeps_every_game_and_watches_every_service() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert set(services) == {"redis", "api", "worker"}
    settings = " ".join(services["redis"]["command"])
    assert "--appendonly yes" in settings
    assert "--maxmemory-policy noeviction" in settings
    assert services["redis"]["volumes"]
    assert all(service["healthcheck"]["test"] for service in services.values())
    assert services["api"]["image"] == services["worker"]["image"]
    assert services["api"]["command"] != services["worker"]["command"]


def compose() -> list[str] | None:
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) is not None:
            done = subprocess.run([*command, "version"], capture_output=True, check=False)
            if done.returncode == 0:
                return command
    return None


@pytest.mark.slow
def test_compose_accepts_its_file() -> None:
    command = compose()
    if command is None:
        pytest.skip("no docker compose here")
    done = subprocess.run(
        [*command, "config", "--quiet"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_image_runs_as_nobody_special_and_copies_what_is_there() -> None:
    lines = (ROOT / ".ci" / "Dockerfile").read_text().splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users
    assert users[-1] not in ("root", "0")
    let_through = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    copied = {line.split()[1] for line in lines if line.startswith("COPY ")}
    assert copied == let_through
    assert all((ROOT / name).exists() for name in copied)


@pytest.mark.slow
def test_the_tests_borrowed_for_a_cluster_find_their_fixtures() -> None:
    """They run by a command of their own only, so what they lack would show late."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--setup-plan"]
    done = subprocess.run(
        [*command, "tests/cluster"],
        cwd=ROOT,
        env=os.environ | {"TAPETE_WHOLE_CLUSTER": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "house" in done.stdout
