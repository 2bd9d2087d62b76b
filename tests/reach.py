"""Which tests reach what a mutant changes, and what each test costs.

Lines are those of mutmut's file, where a function stands as the tests run it, then once more as
`…__mutmut_orig`, then as each of its mutants.
"""

import ast
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from time import process_time
from typing import Final, Self

import pytest
from coverage import Coverage

MARK: Final = "__mutmut_"


@dataclass
class Reach:
    """Processor seconds of each test, and the tests that reach each mutant."""

    costs: dict[str, float] = field(default_factory=dict)
    tests: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> Self:
        """What `write` wrote."""
        return cls(**json.loads(file.read_text()))

    def write(self, file: Path) -> None:
        """Keeps it in a file."""
        file.write_text(json.dumps(vars(self)))


def reach(items: list[pytest.Item]) -> Reach:
    """Runs the tests once; those of a mutant run its statement, or at least its function."""
    found = Reach()
    lines = Coverage(data_file=None, include=["service/rules/*"], config_file=False)
    lines.start()
    for item, following in in_turn(items):
        lines.switch_context(item.nodeid)
        begun = process_time()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        found.costs[item.nodeid] = process_time() - begun
    lines.stop()
    data = lines.get_data()
    for path in sorted(Path("service/rules").rglob("*.py")):
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        ran = {
            line: {*tests} - {""}
            for line, tests in data.contexts_by_lineno(str(path.resolve())).items()
        }
        for mutant, near, whole in places(path.read_text()):
            tests = _any(ran, near) or _any(ran, whole)
            found.tests[f"{module}.{mutant}"] = sorted(tests)
    return found


def digest(items: list[pytest.Item]) -> str:
    """Of the tests chosen, and of all code that they may run."""
    found = hashlib.sha256("\n".join(item.nodeid for item in items).encode())
    for path in sorted([*Path("service").rglob("*.py"), *Path("tests").rglob("*.py")]):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _any(ran: dict[int, set[str]], lines: set[int]) -> set[str]:
    return {test for line in lines for test in ran.get(line, ())}


def in_turn(items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Each test with the one after it, as pytest wants to know it."""
    return zip(items, [*items[1:], None], strict=True)


def places(text: str) -> Iterator[tuple[str, set[int], set[int]]]:
    """Each mutant, the lines of the statements that it changes, and those of its function."""
    lines = text.splitlines()
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    named = {node.name: node for node in functions}
    running = {name: node for node in functions for name in _mutated(node)}
    for name, mutant in named.items():
        base, mark, number = name.rpartition(MARK)
        if mark and number != "orig":
            plain = running[base]
            original = named[f"{base}{MARK}orig"]
            near = set[int]()
            for line in _changed(_text(lines, original), _text(lines, mutant)):
                near |= _statement(plain, plain.lineno + line)
            yield name, near, {*range(plain.lineno, _end(plain))}


def _mutated(function: ast.FunctionDef) -> Iterator[str]:
    """What its mutants are called, by mutmut's decorator: `@…(mutants_x_name__mutmut)`."""
    for decorator in function.decorator_list:
        match decorator:
            case ast.Call(args=[ast.Name(id=name)]) if name.startswith("mutants_"):
                yield name.removeprefix("mutants_").removesuffix("__mutmut")


def _text(lines: list[str], function: ast.FunctionDef) -> list[str]:
    text = lines[function.lineno - 1 : _end(function) - 1]
    return [line.replace(function.name, "") for line in text]


def _changed(original: list[str], mutant: list[str]) -> Iterator[int]:
    for kind, first, end, *_ in SequenceMatcher(None, original, mutant, False).get_opcodes():
        if kind != "equal":
            yield from range(first, max(end, first + 1))


def _statement(function: ast.FunctionDef, line: int) -> set[int]:
    """The lines of the smallest statement, of a compound one its head; of none, the function."""
    heads = [range(function.lineno, _end(function))]
    for node in ast.walk(function):
        match node:
            case ast.Match(cases=[first, *_]):
                heads.append(range(node.lineno, first.pattern.lineno))
            case ast.stmt() if node is not function:
                first = getattr(node, "body", [None])[0]
                end = max(first.lineno, node.lineno + 1) if first else _end(node)
                heads.append(range(node.lineno, end))
    return {*min((head for head in heads if line in head), key=len)}


def _end(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno + 1
