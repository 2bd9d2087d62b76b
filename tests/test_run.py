"""./run in a copy of its own, with requirements that need no network.

What it installs for real, on each version of Python, is what every run of the tests begins with.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BASE = Path(getattr(sys, "_base_executable", sys.executable))
REQUIREMENTS = (
    "requirements.txt",
    "requirements-server.txt",
    "requirements-dev.txt",
    "requirements-mutants.txt",
    "requirements-build.txt",
    "requirements-peers.txt",
)

UV = """#!/bin/sh
echo "$*" >>"$UV_LOG"
case $1 in
    --version) ;;
    venv) [ "$3" = --python ] && exec "$4" -m venv --without-pip "$5" ;;
    pip) sleep "${UV_SLEEP:-0}" ;;
esac
"""


@dataclass(frozen=True, slots=True)
class Tree:
    """A copy of the script in a folder whose name has a space, and the PATH it is given."""

    folder: Path
    path: Path

    def env(self, **more: str) -> Mapping[str, str]:
        return {"PATH": str(self.path), "HOME": str(self.folder), **more}

    def run(self, *arguments: str, **env: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [self.folder / "run", *arguments],
            cwd="/",
            env=self.env(**env),
            capture_output=True,
            text=True,
            timeout=120,
        )

    def program(self, name: str, text: str) -> Path:
        path = self.path / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def python(self, name: str, version: str) -> Path:
        """A Python that says it is of a version, and can do nothing else."""
        return self.program(name, f'#!/bin/sh\necho "/nowhere/python {version} no"\n')

    def stamps(self) -> set[str]:
        return {path.name for path in (self.folder / ".venv").glob(".tapete-*")}


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    tree = Tree(tmp_path / "a tree", tmp_path / "bin")
    tree.folder.mkdir()
    tree.path.mkdir()
    shutil.copy(ROOT / "run", tree.folder)
    for name in REQUIREMENTS:
        (tree.folder / name).touch()
    # Nothing but these, and no Python unless a test puts one there.
    for name in (
        "sh",
        "cat",
        "cksum",
        "cp",
        "dirname",
        "expand",
        "mkdir",
        "mv",
        "rm",
        "sed",
        "sleep",
        "xargs",
    ):
        found = shutil.which(name)
        assert found is not None
        (tree.path / name).symlink_to(found)
    return tree


@pytest.fixture
def uv_tree(tree: Tree) -> Tree:
    """With a uv that makes environments but installs nothing."""
    tree.program("uv", UV)
    (tree.path / "python3").symlink_to(BASE)
    return tree


def one_line(done: "subprocess.CompletedProcess[str]") -> str:
    """The one line that a failure says."""
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


def test_help_names_every_command(tree: Tree) -> None:
    done = tree.run("help")
    assert done.returncode == 0
    rows = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")}
    assert {"serve", "setup", "test", "check", "demo", "worker", "api", "help"} <= rows


def test_an_unknown_command_is_one_line(tree: Tree) -> None:
    assert "no command 'sevre'" in one_line(tree.run("sevre"))


def test_a_machine_without_python_is_told_so_in_one_line(tree: Tree) -> None:
    assert one_line(tree.run("setup")).endswith("found: none")


def test_another_version_is_told_in_one_line(tree: Tree) -> None:
    tree.python("python3", "3.10.13")
    tree.python("python", "3.14.0")
    line = one_line(tree.run())
    assert "3.11, 3.12 or 3.13" in line
    assert line.endswith("found: 3.10.13 3.14.0")


def test_a_chosen_python_is_the_only_one_tried(tree: Tree) -> None:
    (tree.path / "python3").symlink_to(BASE)
    old = tree.python("old", "3.9.1")
    assert "TAPETE_PYTHON is 3.9.1" in one_line(tree.run("setup", TAPETE_PYTHON=str(old)))
    assert "does not run" in one_line(tree.run("setup", TAPETE_PYTHON="/no/such/python"))


def test_a_python_without_venv_is_told_in_one_line(tree: Tree) -> None:
    tree.program(
        "python3",
        f'#!/bin/sh\ncase "$2" in *ensurepip*) exit 1 ;; esac\nexec "{BASE}" "$@"\n',
    )
    # sys.executable is the real one: keep the wrapper in its place.
    script = tree.folder / "run"
    script.write_text(script.read_text().replace("print(sys.executable,", 'print("python3",'))
    done = tree.run("setup")
    assert done.returncode == 1
    assert "venv" in done.stderr.splitlines()[-1]
    assert not (tree.folder / ".venv").exists()


@pytest.mark.slow
def test_a_python_that_does_not_run_is_passed_over(uv_tree: Tree) -> None:
    uv_tree.program("python3.13", "#!/bin/sh\necho 'shim: not found' >&2\nexit 127\n")
    assert uv_tree.run("setup", UV_LOG="/dev/null").returncode == 0


@pytest.mark.slow
def test_setup_is_done_once_and_runs_the_project_from_its_tree(uv_tree: Tree) -> None:
    log = uv_tree.folder / "uv.log"
    (uv_tree.folder / "service").mkdir()
    (uv_tree.folder / "service" / "__init__.py").touch()
    for _ in range(2):
        assert uv_tree.run("setup", UV_LOG=str(log)).returncode == 0
    assert log.read_text().count("pip install") == 1
    assert uv_tree.stamps() == {".tapete-run", ".tapete-dev"}
    python = uv_tree.folder / ".venv" / "bin" / "python"
    where = subprocess.run(
        [python, "-c", "import service; print(service.__file__)"],
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.strip() == str(uv_tree.folder / "service" / "__init__.py")


@pytest.mark.slow
def test_what_tests_need_is_added_later(uv_tree: Tree) -> None:
    log = uv_tree.folder / "uv.log"
    service = uv_tree.folder / "service"
    service.mkdir()
    (service / "serve.py").write_text("print('served')\n")
    done = uv_tree.run(UV_LOG=str(log))
    assert (done.returncode, done.stdout) == (0, "served\n")
    assert uv_tree.stamps() == {".tapete-run"}
    assert uv_tree.run("setup", UV_LOG=str(log)).returncode == 0
    assert uv_tree.stamps() == {".tapete-run", ".tapete-dev"}
    assert log.read_text().count("venv --quiet") == 1


@pytest.mark.slow
def test_the_help_of_a_measurement_needs_no_peers(uv_tree: Tree) -> None:
    bench = uv_tree.folder / "benchmarks" / "bench"
    bench.mkdir(parents=True)
    for module in (bench / "__main__.py", bench.parent / "core.py"):
        module.write_text("import sys; print('asked', sys.argv[-1])\n")
    for command, option in (("core", "-h"), ("bench", "--help"), ("bench-quick", "--help")):
        done = uv_tree.run(command, option, UV_LOG="/dev/null")
        assert (done.returncode, done.stdout) == (0, f"asked {option}\n"), done.stderr
    assert not (uv_tree.folder / ".venv-peers").exists()
    assert uv_tree.run("core", "4", UV_LOG="/dev/null").stdout == "asked 4\n"
    assert (uv_tree.folder / ".venv-peers" / ".tapete-peers").exists()


WHEEL = "open-spiel==2.0.2 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n"


def quick_bench(tree: Tree) -> Tree:
    """A tree with two pinned peers, whose bench says where it looks for modules."""
    bench = tree.folder / "benchmarks" / "bench"
    bench.mkdir(parents=True)
    (bench / "__main__.py").write_text("import os; print(os.environ['PYTHONPATH'])\n")
    (tree.folder / "requirements-peers.txt").write_text(f"a==1\n{WHEEL}numpy==2\n")
    return tree


@pytest.mark.slow
def test_the_quick_bench_brings_one_peer_once_and_without_its_needs(uv_tree: Tree) -> None:
    tree, log = quick_bench(uv_tree), uv_tree.folder / "uv.log"
    script = 'case $* in *--target*) cat "${11}" >"$UV_LOG.asked"; mkdir "$9" ;; esac\n'
    tree.program("uv", UV + script)
    for _ in range(2):
        done = tree.run("bench-quick", UV_LOG=str(log))
        assert (done.returncode, done.stdout) == (0, f"{tree.folder}/.venv/open-spiel==2.0.2\n")
    assert Path(f"{log}.asked").read_text() == WHEEL
    assert log.read_text().count("--no-deps --require-hashes --target") == 1
    assert not [*(tree.folder / ".venv").glob("bringing.*")]
    assert not (tree.folder / ".venv-peers").exists()


@pytest.mark.slow
def test_the_quick_bench_goes_on_without_its_peer(uv_tree: Tree) -> None:
    tree = quick_bench(uv_tree)
    tree.program("uv", UV + "case $* in *--target*) exit 1 ;; esac\n")
    done = tree.run("bench-quick", UV_LOG="/dev/null")
    assert done.returncode == 0
    assert "OpenSpiel could not be brought" in done.stderr
    assert not [*(tree.folder / ".venv").glob("bringing.*")]


@pytest.mark.slow
def test_a_quick_bench_that_is_interrupted_leaves_nothing_half_brought(uv_tree: Tree) -> None:
    tree = quick_bench(uv_tree)
    script = 'case $* in *--target*) mkdir "$9"; echo >"$9/begun"; sleep 60 ;; esac\n'
    tree.program("uv", UV + script)
    assert interrupted(tree, "bringing.*/built/begun", "bench-quick") != 0
    assert not [*(tree.folder / ".venv").glob("bringing.*")]


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """The build's script in a tree whose ./run ends as CODE_test or CODE_bench says."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    (tmp_path / "run").write_text(
        '#!/bin/sh\necho "$@"\n[ "$1" != test ] || exit "$CODE_test"\nexit "$CODE_bench"\n'
    )
    (tmp_path / "run").chmod(0o755)
    return tmp_path


MEASURED = ["test -q", "bench-quick --json bench-quick.json"]


@pytest.mark.parametrize(
    ("test", "bench", "code", "said"),
    [
        (0, 0, 0, MEASURED),
        (0, 1, 0, [*MEASURED, "the quick bench was not recorded"]),
        (3, 0, 3, ["test -q"]),
    ],
)
def test_the_build_fails_for_its_tests_and_never_for_its_bench(
    build: Path, test: int, bench: int, code: int, said: list[str]
) -> None:
    env = os.environ | {"CODE_test": str(test), "CODE_bench": str(bench)}
    done = subprocess.run([build / ".ci" / "run", "-q"], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()) == (code, said)


@pytest.mark.slow
def test_bytecode_of_tests_is_kept_whatever_the_surroundings_say(uv_tree: Tree) -> None:
    (uv_tree.folder / "pytest.py").write_text("import sys; print(sys.dont_write_bytecode)\n")
    done = uv_tree.run("test", UV_LOG="/dev/null", PYTHONDONTWRITEBYTECODE="1")
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr


@pytest.mark.slow
def test_new_requirements_are_noticed(uv_tree: Tree) -> None:
    log = uv_tree.folder / "uv.log"
    for text in ("", "# newer\n"):
        (uv_tree.folder / "requirements.txt").write_text(text)
        assert uv_tree.run("setup", UV_LOG=str(log)).returncode == 0
    assert log.read_text().count("pip install") == 2


@pytest.mark.slow
def test_a_moved_tree_makes_its_environment_anew(uv_tree: Tree) -> None:
    log = uv_tree.folder.parent / "uv.log"
    assert uv_tree.run("setup", UV_LOG=str(log)).returncode == 0
    moved = Tree(uv_tree.folder.rename(uv_tree.folder.parent / "moved"), uv_tree.path)
    assert moved.run("setup", UV_LOG=str(log)).returncode == 0
    assert log.read_text().count("pip install") == 2


@pytest.mark.slow
def test_an_interrupted_setup_is_done_again(uv_tree: Tree) -> None:
    log = uv_tree.folder / "uv.log"
    env = uv_tree.env(UV_LOG=str(log), UV_SLEEP="60")
    setup = subprocess.Popen([uv_tree.folder / "run", "setup"], env=env, start_new_session=True)
    until = time.monotonic() + 60
    while "pip install" not in (log.read_text() if log.exists() else ""):
        assert time.monotonic() < until
        time.sleep(0.02)
    os.killpg(setup.pid, signal.SIGKILL)
    setup.wait()
    assert (uv_tree.folder / ".venv" / "bin" / "python").exists()
    assert uv_tree.stamps() == set()
    assert uv_tree.run("setup", UV_LOG=str(log)).returncode == 0
    assert uv_tree.stamps() == {".tapete-run", ".tapete-dev"}


@pytest.mark.slow
def test_two_at_a_time_take_turns(uv_tree: Tree) -> None:
    log = uv_tree.folder / "uv.log"
    env = uv_tree.env(UV_LOG=str(log), UV_SLEEP="1")
    both = [
        subprocess.Popen([uv_tree.folder / "run", "setup"], env=env, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=60)[1].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert log.read_text().count("pip install") == 1
    assert sum("waiting" in text for text in said) == 1


@pytest.mark.slow
def test_a_failed_install_is_not_taken_for_done(uv_tree: Tree) -> None:
    uv_tree.program("uv", UV.replace('pip) sleep "${UV_SLEEP:-0}"', "pip) exit 1"))
    done = uv_tree.run("setup", UV_LOG="/dev/null")
    assert done.returncode == 1
    assert "could not be installed" in done.stderr.splitlines()[-1]
    assert uv_tree.stamps() == set()


@pytest.mark.slow
def test_without_uv_it_is_pip_that_installs(tree: Tree) -> None:
    (tree.path / "python3").symlink_to(BASE)
    done = tree.run("setup")
    assert done.returncode == 0, done.stderr
    assert (tree.folder / ".venv" / "bin" / "pip").exists()
    assert "and pip" in done.stderr


# The search core.

BUILDER = """import sys, pathlib
out = pathlib.Path(sys.argv[sys.argv.index("--build-lib") + 1])
(out / "workers" / "strategies" / "botifarra").mkdir(parents=True)
"""


@pytest.fixture
def core_tree(uv_tree: Tree) -> Tree:
    """With a service that says that it serves, and a search core that takes no time to build."""
    strategies = uv_tree.folder / "workers" / "strategies"
    (strategies / "botifarra").mkdir(parents=True)
    shutil.copy(ROOT / "workers" / "strategies" / "compiled.py", strategies)
    (uv_tree.folder / "service").mkdir()
    (uv_tree.folder / "service" / "serve.py").write_text("print('served')\n")
    (uv_tree.folder / "setup.py").write_text(BUILDER)
    return uv_tree


def said_of_core(tree: Tree, *arguments: str) -> list[str]:
    """What a command that succeeds says about the core; the service, if asked for, served."""
    done = tree.run(*arguments, UV_LOG="/dev/null")
    assert (done.returncode, done.stdout) == (0, "" if arguments else "served\n"), done.stderr
    return [line for line in done.stderr.splitlines() if "core" in line]


@pytest.mark.slow
def test_without_a_compiler_it_serves_and_says_which_core_it_runs(core_tree: Tree) -> None:
    for _ in range(2):
        (line,) = said_of_core(core_tree)
        assert line == "run: search core: plain Python, slower: no C compiler"


@pytest.mark.slow
def test_the_core_is_compiled_once_for_each_source(core_tree: Tree) -> None:
    core_tree.program("cc", "#!/bin/sh\n")
    for text in ("one", "two"):
        (core_tree.folder / "workers" / "strategies" / "botifarra" / "core.py").write_text(text)
        compiling, compiled = said_of_core(core_tree)
        assert "compiling" in compiling
        assert compiled == "run: search core: compiled"
        assert said_of_core(core_tree) == [compiled]
    venv = core_tree.folder / ".venv"
    assert len(list((venv / "compiled").iterdir())) == 1
    assert not list(venv.glob("compiling.*"))


@pytest.mark.slow
def test_a_core_that_is_damaged_is_compiled_anew(core_tree: Tree) -> None:
    core_tree.program("cc", "#!/bin/sh\n")
    said_of_core(core_tree)
    (folder,) = (core_tree.folder / ".venv" / "compiled").glob("*/workers/strategies/botifarra")
    (folder / f"core{EXTENSION_SUFFIXES[0]}").write_bytes(b"cut off")
    assert said_of_core(core_tree)[-1] == "run: search core: compiled"
    assert not list(folder.iterdir())


@pytest.mark.slow
def test_a_core_that_does_not_compile_stops_nothing_and_waits_to_be_asked(core_tree: Tree) -> None:
    core_tree.program("cc", "#!/bin/sh\n")
    (core_tree.folder / "setup.py").write_text("raise SystemExit('no headers')\n")
    assert "did not compile" in said_of_core(core_tree)[-1]
    (line,) = said_of_core(core_tree)
    assert "plain Python, slower: it did not compile" in line
    (log,) = (core_tree.folder / ".venv" / "compiled").iterdir()
    assert str(log) in line
    assert "no headers" in log.read_text()
    (core_tree.folder / "setup.py").write_text(BUILDER)
    assert said_of_core(core_tree, "compile")[-1] == "run: search core: compiled"
    assert said_of_core(core_tree) == ["run: search core: compiled"]


@pytest.mark.slow
def test_where_nothing_can_be_written_it_serves_all_the_same(core_tree: Tree) -> None:
    said_of_core(core_tree)  # without a compiler, which makes the environment
    core_tree.program("cc", "#!/bin/sh\n")
    # No folder can be made there, not even by root, for whom nothing is read-only.
    (core_tree.folder / ".venv" / "compiled").write_text("")
    (line,) = said_of_core(core_tree)
    assert "plain Python, slower: nothing can be written" in line
    assert not list((core_tree.folder / ".venv").glob("compiling.*"))


@pytest.mark.slow
def test_an_interrupted_build_leaves_nothing_behind(core_tree: Tree) -> None:
    said_of_core(core_tree)
    core_tree.program("cc", "#!/bin/sh\n")
    build = "import pathlib, time\npathlib.Path('begun').touch()\ntime.sleep(60)\n"
    (core_tree.folder / "setup.py").write_text(build)
    assert interrupted(core_tree, "compiling.*/**/begun") != 0
    assert not list((core_tree.folder / ".venv").glob("compiling.*"))


def interrupted(tree: Tree, begun: str, *arguments: str) -> int:
    """How the script ends when Ctrl-C is pressed as soon as there is such a file in `.venv`."""
    # What a job in the background ignores, no shell can trap.
    listening = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.SIG_DFL)\n"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", listening, tree.folder / "run", *arguments],
        env=tree.env(UV_LOG="/dev/null"), start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 30
    # Not before: a shell that is interrupted while it forks waits for the child's end.
    while not list((tree.folder / ".venv").glob(begun)):
        assert time.monotonic() < end
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    return running.wait(30)


@pytest.mark.parametrize("shell", ["dash", "bash --posix", "busybox sh", "sh"])
def test_it_is_plain_sh(shell: str) -> None:
    command = shell.split()
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} here")
    subprocess.run([*command, "-n", ROOT / "run"], check=True)
