"""What mutation testing found: `./run mutants` prints it, `docs/mutants.md` keeps it.

mutmut leaves the outcome of each mutant beside the mutated files; a mutant is told from its
module, its function and its number (`canasta.melds.x_new_fault__mutmut_3`).
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Final

MUTANTS: Final = Path("mutants")
RULES: Final = MUTANTS / "service" / "rules"

OUTCOMES: Final = {0: "survived", 1: "killed", 3: "killed", 33: "untested", None: "unchecked"}
"""By mutmut's exit code; any other is a test run that had to be stopped, which counts as killed."""


def outcomes() -> Iterator[tuple[str, Path, dict[str, str]]]:
    """Each module, its mutated file, and what became of its mutants."""
    for path in sorted(RULES.rglob("*.py.meta")):
        codes = json.loads(path.read_text())["exit_code_by_key"]
        found = {name: OUTCOMES.get(code, "stopped") for name, code in codes.items()}
        if found:
            file = path.with_suffix("")
            yield str(file.relative_to(RULES)), file, found


def changed(file: Path, mutant: str) -> list[str]:
    """The lines in which a mutant differs from its function."""
    name = mutant.rpartition(".")[2]
    original = re.sub(r"_\d+$", "_orig", name)
    text = file.read_text()
    one, two = (_function(text, each) for each in (original, name))
    lines = list(unified_diff(one, two, lineterm="", n=0))[2:]
    return [line.rstrip() for line in lines if not line.startswith("@@") and line[1:].strip()]


def _function(text: str, name: str) -> list[str]:
    found = re.search(rf"^( *)def {name}\(.*?(?=^\1(?:def |@)|^[^\s)]|\Z)", text, re.S | re.M)
    assert found, name
    return found[0].replace(name, "").splitlines()


def main() -> int:
    """Prints killed and all, a module; then every mutant that is alive."""
    total = Counter[str]()
    for module, _, found in outcomes():
        counts = Counter(found.values())
        checked = counts.total() - counts["unchecked"]
        if checked:
            print(_row(module, counts))
            total += counts
    print(_row("all", total))
    for module, file, found in outcomes():
        for mutant, outcome in found.items():
            if outcome in ("survived", "untested"):
                print(f"\n{module}: {mutant.rpartition('.')[2]} {outcome}")
                print("\n".join(changed(file, mutant)))
    return 0


def _row(name: str, counts: Counter[str]) -> str:
    checked = counts.total() - counts["unchecked"]
    killed = counts["killed"] + counts["stopped"]
    return f"{name:28}{killed:6} of {checked:5} killed  {100 * killed / max(1, checked):6.1f} %"


if __name__ == "__main__":
    sys.exit(main())
