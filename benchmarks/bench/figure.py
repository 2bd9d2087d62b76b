"""A figure of the bench: what was measured beside what, how often, and whether it meets its bar.

    slices of ours  ┐
                    ├─► a ratio each ──► median and its interval ──► verdict
    slices beside   ┘

Ours and what stands beside it take turns in short slices, and each slice is divided by its
neighbour: so what else the machine does falls on both. Where the bar lies within the interval of
the median, another run might find either; the verdict then is neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import median, quantiles
from typing import Any, Final, Literal

FORM: Final = "tapete-bench-1"
"""The form of what `--json` writes."""

Json = dict[str, Any]
Verdict = Literal["met", "at the bar", "missed", "", "not measured"]


@dataclass(frozen=True, slots=True)
class Bar:
    """What a ratio should be: at least so much, or at most."""

    sense: Literal["at least", "at most"]
    value: float

    def met(self, ratio: float) -> bool:
        return ratio >= self.value if self.sense == "at least" else ratio <= self.value

    def __str__(self) -> str:
        return f"{'≥' if self.sense == 'at least' else '≤'} {self.value:g}"


def at_least(value: float) -> Bar:
    """More is better."""
    return Bar("at least", value)


def at_most(value: float) -> Bar:
    """Less is better."""
    return Bar("at most", value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One row of the table.

    Attributes:
        name: the name by which `--only` asks for it; rows of one measurement share its beginning.
        what, beside: what is measured, and what stands beside it.
        unit: of both.
        load: what was asked of them, in words.
        bar: None for a figure that is only told.
        ours, theirs: the value of each slice, in pairs.
        why: why it was not measured; empty when it was.
    """

    name: str
    what: str
    beside: str
    unit: str
    bar: Bar | None
    load: str = ""
    ours: Sequence[float] = field(default=())
    theirs: Sequence[float] = field(default=())
    why: str = ""

    @property
    def ratios(self) -> list[float]:
        """Ours by what stood beside it, slice by slice."""
        return [our / their for our, their in zip(self.ours, self.theirs, strict=True)]

    @property
    def verdict(self) -> Verdict:
        """Whether the ratios meet the bar; "at the bar" where it lies within their interval."""
        if self.why:
            return "not measured"
        if self.bar is None:
            return ""
        low, high = map(self.bar.met, interval(self.ratios))
        if low != high:
            return "at the bar"
        return "met" if low else "missed"

    def row(self) -> Json:
        """The figure as a row of the table."""
        empty = dict.fromkeys(("slices", "ours", "beside it", "ratio", "middle half"), "–")
        return {
            "figure": self.what,
            "beside": self.beside,
            "load": self.load,
            **(empty if self.why else self._measured()),
            "bar": str(self.bar or ""),
            "verdict": f"not measured: {self.why}" if self.why else self.verdict,
        }

    def as_json(self) -> Json:
        """The figure as `--json` writes it."""
        return {
            "name": self.name,
            "what": self.what,
            "beside": self.beside,
            "unit": self.unit,
            "load": self.load,
            "runs": len(self.ours),
            "ours": _spread(self.ours),
            "theirs": _spread(self.theirs),
            "ratio": _spread(self.ratios),
            "bar": {"sense": self.bar.sense, "value": self.bar.value} if self.bar else None,
            "verdict": self.verdict,
            "why": self.why,
        }

    def _measured(self) -> Json:
        low, middle, high = quartiles(self.ratios)
        _, most = interval(self.ratios)
        return {
            "slices": len(self.ours),
            "ours": f"{shown(median(self.ours))} {self.unit}",
            "beside it": f"{shown(median(self.theirs))} {self.unit}",
            "ratio": f"{middle:.2f} ± {most - middle:.2f}",
            "middle half": f"{low:.2f}–{high:.2f}",
        }


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """A quarter of the values is below the first, half below the second, a quarter above the last.

    Raises:
        statistics.StatisticsError: there are none.
    """
    if len(values) < 2:
        return (median(values),) * 3
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return low, middle, high


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The median's notch: 1.57 times the middle half by the root of n, to either side.

    Medians of two runs whose notches do not overlap differ, at a level of some 95 %. The values are
    taken for independent.

    Raises:
        statistics.StatisticsError: there are none.

    Source: McGill, Tukey and Larsen, Variations of Box Plots, The American Statistician 32 (1978).
    """
    low, middle, high = quartiles(values)
    reach = 1.57 * (high - low) / sqrt(len(values))
    return middle - reach, middle + reach


def shown(value: float) -> str:
    """Three figures that count, and thousands with a comma."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _spread(values: Sequence[float]) -> Json | None:
    if not values:
        return None
    low, middle, high = quartiles(values)
    return {
        "median": middle,
        "low": low,
        "high": high,
        "interval": interval(values),
        "slices": list(values),
    }
