"""The checks that need no rules: chain, seal, header, secret, salts, deals, result, and `head`.

Each gives a few words when it holds; else it raises `Wrong` or `NotMade`. A program in another
language makes the same ones from docs/record.md and docs/fairness.md.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import msgspec

from service import fairness
from service.record import FORMAT
from service.referee.finding import NotMade, Wrong, first_difference, many, short
from service.referee.form import Sheet
from service.referee.story import Story, told
from service.store.codec import digest

_OF_SEATS: Final = ("seat", "kind", "level", "player")
"""What the log says of a seat; its side takes the rules."""

_SECRET: Final = re.compile("[0-9a-f]{64}")


class Plain:
    """The checks on one sheet.

    The log is read once; one that cannot be, by each check that needs it, which then says why.
    """

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._story: Callable[[], Story] = cache(lambda: told(sheet))

    def form(self) -> str:
        """Each line is where it belongs, in its one form."""
        if self._sheet.wrong:
            raise self._sheet.wrong
        return many(len(self._sheet.lines), "commit")

    def chain(self) -> str:
        """Versions run without a gap, and each commit names the hash of the one before."""
        sheet = self._sheet
        if not sheet.lines:
            raise NotMade("there is no commit")
        before = ""
        for place, (line, frame) in enumerate(zip(sheet.lines, sheet.frames, strict=True)):
            if frame is None:
                raise NotMade(f"commit {place + 1} is not in its one form, see `form`")
            version = place + 1
            if frame.version != version:
                what = f"Version {frame.version} stands where version {version} belongs."
                raise Wrong(what, place, expected=version, found=frame.version)
            if frame.prev != before:
                what = (
                    f"Version {version} follows a line with the hash {before}, but names "
                    f"{short(frame.prev)}: one of the two lines was changed."
                    if place
                    else "Version 1 names a line before it, and there is none."
                )
                raise Wrong(what, place, expected=before, found=frame.prev)
            before = digest(line)
            if sheet.hashes and sheet.hashes[place] != before:
                what = f"Version {version} was changed where it is stored: its hash is another."
                raise Wrong(what, place, expected=sheet.hashes[place], found=before)
        self._ends_with(before)
        return f"head {before}"

    def _ends_with(self, head: str) -> None:
        footer, commits = self._sheet.footer, len(self._sheet.lines)
        if footer is None:
            if self._sheet.before is not None:
                raise NotMade("there is no footer to say where the commits end")
            return
        if footer.commits != commits:
            what = f"The footer counts {many(footer.commits, 'commit')}, and here are {commits}."
            raise Wrong(what, line=self._last(), expected=commits, found=footer.commits)
        if footer.head != head:
            what = f"The footer's head is {short(footer.head)}; the last commit's hash is {head}."
            raise Wrong(what, line=self._last(), expected=head, found=footer.head)

    def seal(self) -> str:
        """The footer's seal is that of every byte before it."""
        footer = self._sheet.footer
        if footer is None:
            raise NotMade("there is no footer")
        seal = digest(self._sheet.sealed)
        if footer.seal != seal:
            what = "The seal is not that of the bytes before it: something was changed."
            raise Wrong(what, line=self._last(), expected=seal, found=footer.seal)
        return seal

    def header(self) -> str:
        """What the header says was agreed is what the log says."""
        header = self._sheet.header
        if header is None:
            raise NotMade("there is no header")
        if header.format != FORMAT:
            what = f"The format {short(header.format)} is not known here."
            raise Wrong(what, line=1, expected=FORMAT, found=header.format)
        story = self._story()
        opening = story.opening
        seats = [
            {"seat": seat, "kind": chair.kind, "level": chair.level, "player": chair.player}
            for seat, chair in enumerate(story.chairs)
        ]
        logged: dict[str, Any] = {
            "variant": opening.variant,
            "rules_version": opening.rules_version,
            "options": story.options,
            "seats": seats,
            "fair": opening.setup is None,
            "algorithm": opening.algorithm,
            "commitment": opening.commitment,
            "nonces": list(story.nonces),
        }
        said = {name: msgspec.to_builtins(getattr(header, name)) for name in logged}
        said["seats"] = [{name: seat[name] for name in _OF_SEATS} for seat in said["seats"]]
        if differ := first_difference(logged, said):
            path, expected, found = differ
            what = f"The header says {path} {short(found)}, the log {short(expected)}."
            raise Wrong(what, line=1, expected=expected, found=found)
        fair = "fair" if header.fair else "practice"
        return f"{opening.variant}, {len(story.chairs)} seats, {fair}"

    def secret(self) -> str:
        """The secret that was opened is the one that was committed to."""
        sheet, story = self._sheet, self._story()
        if sheet.before is not None and sheet.footer is None:
            raise NotMade("there is no footer")
        shown = sheet.footer.secret if sheet.footer else None
        if sheet.footer and story.secret is None:
            raise Wrong("The last commit does not reveal the secret.", len(sheet.lines) - 1)
        if shown is not None and shown != story.secret:
            what = "The footer's secret is not the one that the last commit reveals."
            raise Wrong(what, line=self._last(), expected=story.secret, found=shown)
        if sheet.kept and story.secret is not None and sheet.kept != story.secret:
            what = "The secret revealed is not the one that was kept with the game."
            raise Wrong(what, len(sheet.lines) - 1)
        text = story.secret or sheet.kept
        if not _SECRET.fullmatch(text):
            what = "The secret is not written as 64 digits, in small letters."
            raise Wrong(what, len(sheet.lines) - 1 if story.secret else 0)
        commitment, secret = story.opening.commitment, bytes.fromhex(text)
        if fairness.commitment(secret) != commitment:
            what = "The secret is not the one that was committed to when the game was opened."
            made = fairness.commitment(secret)
            raise Wrong(what, 0, expected=made, found=commitment)
        return f"commitment {commitment}"

    def salts(self) -> str:
        """Each line's salt follows from the secret and its version."""
        secret = self._secret()
        for place, frame in enumerate(self._sheet.frames):
            if frame is None:
                raise NotMade(f"commit {place + 1} is not in its one form, see `form`")
            salt = fairness.salt(secret, frame.version)
            if frame.salt != salt:
                what = f"The salt of version {frame.version} does not follow from the secret."
                raise Wrong(what, place, expected=salt, found=frame.salt)
        return many(len(self._sheet.frames), "salt")

    def deals(self) -> str:
        """The first dealer and every pack are those that secret, or setup, demand."""
        story, secret, cards = self._story(), self._secret(), self._sheet.pack
        setup, nonces = story.opening.setup, story.nonces
        if story.opening.algorithm != fairness.ALGORITHM:
            what = f"The algorithm {short(story.opening.algorithm)} is not known here."
            raise Wrong(what, 0, expected=fairness.ALGORITHM, found=story.opening.algorithm)
        for place, dealer in story.dealers:
            first = (
                setup.dealer
                if setup
                else fairness.first_dealer(secret, nonces, max(1, len(story.chairs)))
            )
            if dealer != first:
                source = "the setup" if setup else "the secret"
                what = f"Seat {dealer} deals first; by {source} it is seat {first}."
                raise Wrong(what, place, expected=first, found=dealer)
        for deal, (place, pack) in enumerate(story.packs, 1):
            if setup and deal <= len(setup.packs):
                due, source = tuple(setup.packs[deal - 1]), "of the setup"
            elif cards is None:
                raise NotMade("nobody says from which pack the deals were shuffled")
            else:
                due, source = fairness.pack(secret, nonces, deal, cards), "that the secret gives"
            if differ := first_difference(due, pack):
                path, expected, found = differ
                card = f"card {int(path) + 1} is {short(found)}" if path else "the cards are others"
                what = (
                    f"The pack of deal {deal} is not the one {source}: {card}, "
                    f"where {short(expected)} belongs."
                )
                raise Wrong(what, place, expected=list(due), found=list(pack))
        given = min(len(setup.packs), len(story.packs)) if setup else 0
        return many(len(story.packs), "deal") + (f", {given} given" if given else "")

    def result(self) -> str:
        """The footer's result is the one that the log ends with."""
        footer = self._sheet.footer
        if footer is None:
            raise NotMade("there is no footer")
        results = self._story().results
        if len(results) != 1:
            what = f"The game ended {len(results)} times by the log, and must have once."
            raise Wrong(what, results[1][0] if results else None, line=self._last())
        if differ := first_difference(results[0][1], msgspec.to_builtins(footer.result)):
            path, expected, found = differ
            what = f"The footer's result has {path} {short(found)}, the log {short(expected)}."
            raise Wrong(what, line=self._last(), expected=expected, found=found)
        return f"{footer.result.why}"

    def head(self, kept: str) -> str:
        """Some commit has the hash that somebody kept."""
        for place, line in enumerate(self._sheet.lines):
            if digest(line) == kept:
                return f"version {self._sheet.version(place)}"
        raise Wrong(f"No commit has the hash {short(kept)} that was kept.", expected=kept)

    def _secret(self) -> bytes:
        """The secret by which luck and salts are checked: the log's, else the footer's or ours."""
        shown = self._sheet.footer.secret if self._sheet.footer else ""
        try:
            secret = self._story().secret
        except (NotMade, Wrong):
            secret = None
        text = secret or shown or self._sheet.kept
        if not _SECRET.fullmatch(text):
            raise NotMade("there is no secret")
        return bytes.fromhex(text)

    def _last(self) -> int | None:
        before = self._sheet.before
        return None if before is None else before + len(self._sheet.lines) + 1
