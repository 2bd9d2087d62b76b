"""What a referee says: every check with its outcome, and the first fault in plain words."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Check:
    """One check of docs/record.md: its name, whether it holds, and a few words of what or why."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A first difference.

    Attributes:
        check: the check that found it.
        version: of the commit where it shows, None if it is in no commit.
        line: of the file, from 1; None in a stored game.
        what: one or two sentences for people.
        expected, found: JSON values where there are two to compare, else None.
        view: `version` and `table` (all cards open, None before play) of the moment before, and
            the `commands` around it; None where there is no such moment.
    """

    check: str
    version: int | None
    line: int | None
    what: str
    expected: Any = None
    found: Any = None
    view: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """`ok` if every check is; `first_fault` is that of the first check that found something wrong.

    One that could not be made has found nothing; there always is another, which says why, before
    or behind it.
    """

    ok: bool
    checks: tuple[Check, ...]
    first_fault: Fault | None

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON values, as the wire and `--json` show it."""
        return asdict(self)
