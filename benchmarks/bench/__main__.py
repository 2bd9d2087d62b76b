"""`./run bench` and `./run bench-quick`: how fast, beside what, and whether that meets its bar.

Prints a table of Markdown; with `--json FILE` the same and every slice as JSON. What each row
means, and what it was before: docs/performance.md. Judges nobody by time: the code it ends with is
0 whatever the table says, and 1 only where a measurement failed. Linux only (`/proc`).
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.bench import (
    commands,
    computers,
    folding,
    growth,
    lobby,
    memory,
    reads,
    replay,
    together,
)
from benchmarks.bench.figure import FORM, Figure
from benchmarks.bench.plan import QUICK, WHOLE, Plan
from benchmarks.measures import table

PARTS: Final[dict[str, Callable[[Plan], Iterator[Figure]]]] = {
    "commands": commands.figures,
    "reads": reads.figures,
    "replay": replay.figures,
    "folding": folding.figures,
    "growth": growth.figures,
    "memory": memory.figures,
    "lobby": lobby.figures,
    "together": together.figures,
    "computers": computers.figures,
}
QUICKLY: Final = ("commands", "reads", "replay", "folding", "computers")
"""What the quick bench measures: all that needs no package of npm and no long games."""

HOW: Final = "docs/performance.md says how to read a row."


def main(arguments: Sequence[str]) -> int:
    """Measures, prints, and writes."""
    asked = _asked(arguments)
    plan = QUICK if asked.quick else WHOLE
    plan = replace(plan, slices=asked.slices or plan.slices, seconds=asked.seconds or plan.seconds)
    if asked.seconds:
        plan = replace(plan, warm=asked.seconds)
    began, found = time.monotonic(), list[Figure]()
    for name in asked.only or (QUICKLY if asked.quick else PARTS):
        begun = time.monotonic()
        found += PARTS[name](plan)
        print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    table([figure.row() for figure in found])
    where = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    load = os.getloadavg()[0]
    print(f"{where}, load {load:.1f}, {time.monotonic() - began:.0f} s; {HOW}")
    if asked.json:
        asked.json.write_text(json.dumps(_document(found, plan, where), indent=1) + "\n")
    return 0


def _document(found: Sequence[Figure], plan: Plan, where: str) -> dict[str, object]:
    """What `--json` writes."""
    return {
        "form": FORM,
        "machine": where,
        "load": os.getloadavg()[0],
        "plan": {"slices": plan.slices, "seconds": plan.seconds, "warm": plan.warm},
        "figures": [figure.as_json() for figure in found],
    }


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench", description=(__doc__ or "").partition("\n\n")[2]
    )
    parser.add_argument("--quick", action="store_true", help="less of it, and less often")
    parser.add_argument("--only", nargs="+", choices=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--slices", type=int, help="turns of ours and the peer")
    parser.add_argument("--seconds", type=float, help="how long a slice is")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
