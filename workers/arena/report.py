"""What a match came to, as tables of Markdown."""

import math
from collections.abc import Sequence

from workers.arena.figures import Interval
from workers.arena.match import LONG
from workers.arena.tally import OVER, Tally

Row = dict[str, str]


def results(tallies: Sequence[Tally]) -> list[Row]:
    """Who beat whom, a row a match."""
    rows = []
    for tally in tallies:
        match, fields = tally.match, tally.fields()
        to = ", ".join(str(value) for _, value in match.options)
        if match.deals < LONG:
            to = f"{match.deals} deal{'s' if match.deals > 1 else ''}"
        rows.append(
            {
                "game": f"{match.variant}, {match.seats} seats",
                "to": to,
                "players": f"{match.one} : {match.two}",
                "pairs": f"{len(tally.pairs)}",
                "won": _percent(tally.won),
                "points ahead": _points(tally.margin),
                "decisions/s": f"{fields['decisions_a_second'] or '–'}",
            }
        )
    return rows


def times(tallies: Sequence[Tally]) -> list[Row]:
    """How long decisions took, a row a player of a match; milliseconds."""
    rows = []
    for tally in tallies:
        for one in tally.fields()["players"]:
            budget = f"{one['samples']} samples" if one["samples"] else _short(one["budget_ms"])
            late = f"{100 * one['late']:.2f} %" if "late" in one else "–"
            rows.append(
                {"game": tally.match.variant, "player": one["player"], "budget": budget}
                | {"decisions": f"{one['decisions']}", f"over {OVER}": late}
                | {
                    name: _short(one.get(f"{name}_ms"))
                    for name in ("mean", "p50", "p95", "p99", "cpu")
                }
            )
    return rows


def _short(ms: float | None) -> str:
    return "–" if ms is None else f"{ms:.0f}" if ms >= 1000 else f"{ms:.3g}"


def _percent(interval: Interval) -> str:
    value, low, high = (100 * one for one in interval)
    return f"{value:.1f} % " + ("" if math.isnan(low) else f"({low:.1f}–{high:.1f})")


def _points(interval: Interval) -> str:
    value, low, high = interval
    shown = f"{value:+.1f} " + ("" if math.isnan(low) else f"({low:+.1f} to {high:+.1f})")
    return shown.replace("-", "−")


def markdown(rows: Sequence[Row]) -> str:
    """Rows of the same fields as a table."""
    lines = [list(rows[0]), *([*row.values()] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    lines.insert(1, ["-" * (width - 1) + ":" for width in widths])
    shown = (
        " | ".join(one.rjust(width) for one, width in zip(line, widths, strict=True))
        for line in lines
    )
    return "".join(f"| {line} |\n" for line in shown)
