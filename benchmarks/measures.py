"""What a process has cost, and how figures are shown."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

Fields = dict[str, Any]


def spent(pid: int) -> float:
    """Milliseconds of processor time of a process, its threads and its children."""
    total = 0.0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        total += int((thread / "schedstat").read_text().split()[0]) / 1e6
        total += sum(spent(int(child)) for child in (thread / "children").read_text().split())
    return total


def table(rows: Sequence[Fields]) -> None:
    """Prints rows of the same fields as a table of Markdown."""
    widths = [max(len(name), *(len(str(row[name])) for row in rows)) for name in rows[0]]
    shown = [list(rows[0]), ["-" * width for width in widths], *([*row.values()] for row in rows)]
    for row in shown:
        print(
            "| "
            + " | ".join(str(one).rjust(width) for one, width in zip(row, widths, strict=True))
            + " |"
        )
    print()
