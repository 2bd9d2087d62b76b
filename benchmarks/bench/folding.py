"""Events folded a second, compiled and plain, beside OpenSpiel's gin rummy from Python."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from benchmarks.bench import spiel
from benchmarks.bench.corpus import ROOT
from benchmarks.bench.figure import Figure, at_least
from benchmarks.bench.plan import WHOLE, Plan, turns
from service.rules import GAMES

PARTS: Final = ("service", "workers", "benchmarks", "tests/records")
"""What a plain tree has of this one."""

NOT_COMPILED: Final = "the rules are not compiled, see docs/performance.md"


class Tree:
    """The process that folds in a tree; a context manager. `form` is `compiled` or `plain`."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.bench.fold"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout
        self.form = self._process.stdout.readline().strip()

    def rate(self, family: str, what: str, seconds: float) -> float:
        """How many of it a second."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{family} {what} {seconds}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()


def figures(plan: Plan) -> Iterator[Figure]:
    """The rows of the table about the rules alone."""
    peer = None if spiel.why_not() else spiel.Spiel()
    with ExitStack() as stack:
        trees = [stack.enter_context(Tree(ROOT))]
        if trees[0].form == "compiled":
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            trees.append(stack.enter_context(Tree(_plain(Path(folder)))))
        forms = {tree.form: tree for tree in trees}
        for form in ("plain", "compiled"):
            for family in GAMES:
                yield _folded(plan, family, form, forms.get(form), peer)
        if plan.slices >= WHOLE.slices:
            for family in GAMES:
                yield _stepped(plan, family, trees[0], peer)


def _folded(
    plan: Plan, family: str, form: str, tree: Tree | None, peer: spiel.Spiel | None
) -> Figure:
    ours, theirs = _pairs(plan, family, "fold", tree, peer)
    return Figure(
        name=f"folding.{family}.{form}",
        what=f"events folded a second, {family} family, {form}",
        beside="OpenSpiel's gin_rummy from Python: steps a second",
        unit="/s",
        # What was once compiled need not be fast plain.
        bar=at_least(3),
        load="recorded games, one process, no server",
        ours=ours,
        theirs=theirs,
        why=spiel.why_not() if tree else NOT_COMPILED,
    )


def _stepped(plan: Plan, family: str, tree: Tree, peer: spiel.Spiel | None) -> Figure:
    ours, theirs = _pairs(plan, family, "step", tree, peer)
    return Figure(
        name=f"folding.{family}.steps",
        what=f"commands a second by the rules alone, {family} family, {tree.form}",
        beside="OpenSpiel's gin_rummy from Python: steps a second",
        unit="/s",
        bar=None,
        load="recorded games: list what is legal, decide one, fold",
        ours=ours,
        theirs=theirs,
        why=spiel.why_not(),
    )


def _pairs(
    plan: Plan, family: str, what: str, tree: Tree | None, peer: spiel.Spiel | None
) -> tuple[list[float], list[float]]:
    if tree is None or peer is None:
        return [], []
    seconds = plan.seconds / 3
    return turns(plan, lambda: tree.rate(family, what, seconds), lambda: peer.rate(seconds))


def _plain(folder: Path) -> Path:
    """A copy of this tree without anything compiled."""
    for part in PARTS:
        ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    return folder
