"""Whether a game was played as it says: one record checked from its bytes alone.

    bytes ─► form ─► plain    chain, seal, header, secret, salts, deals, result: without any rules
                └──► played   events, cards, scores, decisions: with the game's rules

What each check promises: docs/record.md. What is proved by them, and what not: docs/auditing.md.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from service.referee.finding import Finding, Wrong, make
from service.referee.form import Sheet, take_apart
from service.referee.plain import Plain
from service.referee.played import Played
from service.referee.stored import opened, sheet_of
from service.referee.verdict import Check, Fault, Verdict
from service.referee.view import around, bounded
from service.store import Entry
from service.store.jobs import Depth

DEPTHS: Final[tuple[Depth, ...]] = ("record", "rules")

CHECKS: Final = (
    *("form", "chain", "seal", "header", "secret", "salts", "deals", "result"),
    *("events", "cards", "scores", "decisions", "head"),
)
"""Every check there is, in its order; `decisions` at depth `rules`, `head` when one was kept."""

OF_RECORDS: Final = ("seal", "header", "result")
"""Checks that a game which is not over cannot have."""

OPEN: Final = ("form", "chain", "head")
UNTOLD: Final = "why is told when the game is over"

__all__ = ["CHECKS", "DEPTHS", "Check", "Depth", "Fault", "Verdict", "referee", "referee_stored"]


def referee(raw: bytes, depth: Depth = "rules", head: str | None = None) -> Verdict:
    """The verdict over one record; raises on no bytes whatever.

    Args:
        depth: `record` leaves out the check `decisions`.
        head: a hash that somebody kept; the check `head` finds the commit it is of.
    """
    return _verdict(take_apart(raw), depth, head)


def referee_stored(
    game: str,
    entries: Sequence[Entry],
    broken: str = "",
    depth: Depth = "rules",
    head: str | None = None,
    show: bool = False,
    beyond: Sequence[Entry | None] = (),
) -> Verdict:
    """The verdict over a stored game, whole or not, over or not; raises on no entries whatever.

    A game that is over is judged by its record. Of one that is not, the checks `seal`, `header`
    and `result` are left out, and the secret is the one kept with its first entry; its faults
    name no card and have no view, unless `show` says so (for operators, never for players). Where
    it was closed behind a fault its secret is open, and they are told.

    Args:
        entries, broken, beyond: as `EventStore.read` gives them.
    """
    sheet = sheet_of(game, entries, broken)
    verdict = _verdict(sheet, depth, head)
    told = show or sheet.footer or opened(entries, beyond)
    return verdict if told else _veiled(verdict)


def _verdict(sheet: Sheet, depth: Depth, head: str | None) -> Verdict:
    findings = list(_findings(sheet, depth, head))
    checks = tuple(Check(finding.name, finding.ok, finding.detail) for finding in findings)
    wrong = next((finding for finding in findings if finding.wrong), None)
    first = _fault(sheet, wrong.name, wrong.wrong) if wrong and wrong.wrong else None
    return Verdict(all(check.ok for check in checks), checks, first)


def _findings(sheet: Sheet, depth: Depth, head: str | None) -> Iterator[Finding]:
    plain, played = Plain(sheet), Played(sheet, depth == "rules")
    checks: dict[str, Callable[[], str]] = {
        "form": plain.form,
        "chain": plain.chain,
        "seal": plain.seal,
        "header": plain.header,
        "secret": plain.secret,
        "salts": plain.salts,
        "deals": plain.deals,
        "result": plain.result,
        "events": played.events,
        "cards": played.cards,
        "scores": played.scores,
        "decisions": played.decisions,
    }
    if depth == "record":
        del checks["decisions"]
    if sheet.before is None and sheet.footer is None:
        for name in OF_RECORDS:
            del checks[name]
    if head is not None:
        checks["head"] = lambda: plain.head(head)
    return (make(name, check) for name, check in checks.items())


def _fault(sheet: Sheet, check: str, wrong: Wrong) -> Fault:
    place = wrong.place
    return Fault(
        check,
        None if place is None else sheet.version(place),
        sheet.line(wrong),
        wrong.what,
        bounded(wrong.expected),
        bounded(wrong.found),
        None if place is None else around(sheet, place),
    )


def _veiled(verdict: Verdict) -> Verdict:
    """The verdict without anything that tells of cards or of the secret.

    Form and chain speak of bytes and hashes only, which are salted.
    """
    checks = tuple(
        check if check.ok or check.name in OPEN else replace(check, detail=UNTOLD)
        for check in verdict.checks
    )
    fault = verdict.first_fault
    if fault:
        what = fault.what if fault.check in OPEN else f"The check {fault.check} fails; {UNTOLD}."
        fault = replace(fault, what=what, expected=None, found=None, view=None)
    return replace(verdict, checks=checks, first_fault=fault)
