"""Tries the mutants that mutmut makes: one process with the tests loaded, a fork for each mutant.

A mutant is a function whose code is replaced in the fork. Of the tests that reach the statement it
changes, the likeliest and quickest come first: those that killed its neighbours. The first that
fails ends it. Who is alive after `FIRST` seconds of tests waits until all others were tried; who
is alive after `MOST` more counts as alive. Limits are of the processor's time, so that a busy
machine kills nobody. What was found is written down at once, so a run can be broken off.

    make ─► mutants/ ─► pytest ─► reach ─► a fork for each ─► *.meta ─► tests.mutants
"""

import gc
import json
import os
import resource
import signal
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any, Final, NoReturn

import pytest

from tests.mutated import AT_ONCE, loaded, make, watch
from tests.reach import MARK, Reach, digest, in_turn, reach

KILLED, SURVIVED, UNTESTED, ENDLESS, UNDECIDED = 1, 0, 33, 36, 37
"""How a fork ends, as mutmut writes it; the last is never written."""

FIRST, MOST = 0.3, 15.0
"""Seconds of tests that a mutant meets before the others had their turn, and after it."""

MEMORY: Final = 3 << 30
"""Bytes that a mutant may have, since an endless loop may also be an endless list."""


@dataclass
class Mutant:
    """A mutant to be tried, and the tests that it has not passed yet."""

    name: str
    meta: Path
    tests: list[str] = field(default_factory=list)

    @property
    def function(self) -> str:
        """What it is a mutant of."""
        return self.name.rpartition(MARK)[0]


def due(modules: list[str]) -> Iterator[Mutant]:
    """Those of the modules named, or all that were not tried yet."""
    for meta in sorted(Path("service/rules").rglob("*.py.meta")):
        for name, code in json.loads(meta.read_text())["exit_code_by_key"].items():
            named = any(name.startswith(f"service.rules.{module}") for module in modules)
            if named or (not modules and code is None):
                yield Mutant(name, meta)


class Trials:
    """A pytest plugin that tries mutants instead of running the tests once."""

    def __init__(self, modules: list[str]) -> None:
        self.modules = modules
        self.failed = ""
        self.known = Reach()
        self.kills: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.later: list[Mutant] = []
        self.running: dict[int, tuple[Mutant, int]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keeps the first test that fails."""
        if report.failed:
            self.failed = self.failed or report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Learns what each test reaches, then tries every mutant that is due."""
        mutants = list(due(self.modules))
        if self.modules and not mutants:
            raise pytest.UsageError(f"no mutants of {' or '.join(self.modules)}")
        if not mutants:
            return True
        self._learn(session.items)
        for mutant in mutants:
            mutant.tests = self.known.tests[mutant.name]
        # Nobody reads why a mutant fails, and it takes a second to tell from so long a file.
        session.config.option.tbstyle = "no"
        gc.freeze()
        tests = {item.nodeid: item for item in session.items}
        self._try_all(mutants, tests, FIRST)
        later, self.later = self.later, []
        self._try_all(later, tests, MOST)
        for mutant in self.later:
            _note(mutant, SURVIVED)
        return True

    def _learn(self, items: list[pytest.Item]) -> None:
        """In a process of its own, so that no cache is warm when the mutants are tried.

        What was learnt is kept for as long as rules and tests stay as they are.
        """
        file = Path(f"reach-{digest(items)}.json")
        if not file.exists():
            for old in Path().glob("reach-*.json"):
                old.unlink()
            child = os.fork()
            if not child:
                found = reach(items)
                if not self.failed:
                    found.write(file)
                os._exit(0)
            os.waitpid(child, 0)
        if not file.exists():
            raise pytest.UsageError("without mutants the tests must pass")
        self.known = Reach.read(file)

    def _try_all(self, mutants: list[Mutant], tests: dict[str, pytest.Item], most: float) -> None:
        codes = {
            f"{function.__module__}.{name}": (function, mutant)
            for function, theirs in loaded
            for name, mutant in theirs.items()
        }
        for number, mutant in enumerate(mutants, 1):
            if len(self.running) == AT_ONCE:
                self._ended()
            mutant.tests.sort(key=self._worth(mutant))
            report, told = os.pipe()
            child = os.fork()
            if not child:
                _become(*codes[mutant.name])
                self._try([tests[test] for test in mutant.tests], most, told)
            os.close(told)
            self.running[child] = mutant, report
            if number % 100 == 0:
                print(f"{number} of {len(mutants)}: {mutant.name}", file=sys.stderr, flush=True)
        while self.running:
            self._ended()

    def _worth(self, mutant: Mutant) -> Callable[[str], tuple[float, str]]:
        kills, costs = self.kills[mutant.function], self.known.costs
        return lambda test: (-(kills[test] + 0.02) / (costs[test] + 0.003), test)

    def _try(self, tests: list[pytest.Item], most: float, told: int) -> NoReturn:
        """In the fork: runs tests until one fails or they cost too much, and tells which."""
        passed = 0
        spent = 0.0
        item = None
        try:
            for item, following in in_turn(tests):
                cost = self.known.costs[item.nodeid]
                if passed and spent + cost > most:
                    _end(UNDECIDED, str(passed), told)
                _limit(3 + 6 * cost)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.failed:
                    break
                spent += cost
                passed += 1
        except BaseException:  # whatever it is, a test brought it to light
            self.failed = self.failed or (item.nodeid if item else "")
            _end(KILLED, self.failed, told)
        _end(KILLED if self.failed else SURVIVED if tests else UNTESTED, self.failed, told)

    def _ended(self) -> None:
        """Waits for one fork and writes down what came of it."""
        child, status = os.wait()
        mutant, report = self.running.pop(child)
        with os.fdopen(report) as text:
            told = text.read()
        code = os.waitstatus_to_exitcode(status)
        if code == UNDECIDED:
            mutant.tests = mutant.tests[int(told) :]
            self.later.append(mutant)
            return
        if told:
            self.kills[mutant.function][told] += 1
        _note(mutant, code)


def _note(mutant: Mutant, code: int) -> None:
    meta = json.loads(mutant.meta.read_text())
    meta["exit_code_by_key"][mutant.name] = code
    mutant.meta.write_text(json.dumps(meta, indent=4))


def _become(function: FunctionType, mutant: Any) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    mutant = getattr(mutant, "__func__", mutant)
    for part in ("__code__", "__defaults__", "__kwdefaults__"):
        setattr(function, part, getattr(mutant, part))
    signal.signal(signal.SIGPROF, lambda *_: os._exit(ENDLESS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _limit(seconds: float) -> None:
    """Of the processor, from now on; what hears no signal is ended by the system soon after."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    used = resource.getrusage(resource.RUSAGE_SELF)
    at = int(used.ru_utime + used.ru_stime + seconds) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (at, resource.RLIM_INFINITY))


def _end(code: int, told: str, to: int) -> NoReturn:
    os.write(to, told.encode())
    os._exit(code)


def main(arguments: list[str]) -> int:
    """Makes the mutants, then tries them in a process that knows nothing but `mutants/`."""
    if arguments[:1] != ["--try"]:
        make()
        again = [sys.executable, "-m", "tests.mutating", "--try", *arguments]
        return subprocess.run(again, cwd="mutants", check=False).returncode
    options = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["mutmut"]
    watch()
    given = [*options["pytest_add_cli_args"], *options["pytest_add_cli_args_test_selection"]]
    quiet = ["-qs", "--no-header", "--tb=short", "--timeout=0", "--rootdir=."]
    return int(pytest.main([*quiet, *given], plugins=[Trials(arguments[1:])]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
