"""The auditor's command line: `./run audit FILE…`.

    FILE…         records, or exports of many; `-` is standard input
    --game ID     a stored game, of the server of TAPETE_REDIS_URL or else of our own that runs
    --all         every stored game

One line a game; under it, where a check fails, which and why. Exit code 0: all is sound; 1: a fault
was found; 2: something could not be read, whatever else was found. Guide: docs/auditing.md.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

from service import record
from service.config import Config, ConfigError
from service.embedded import EmbeddedServer
from service.record import Header
from service.referee import DEPTHS, Check, Verdict, referee, referee_stored
from service.referee.pieces import Cut, Piece, Skipped, pieces
from service.store import EventStore, StoreUnavailable, Unreadable
from service.store.redis import RedisStore

SOUND, FAULT, UNREADABLE = 0, 1, 2


class Audit:
    """One run: says each verdict as it comes, and counts."""

    def __init__(self, as_json: bool) -> None:
        self._json = as_json
        self.sound = self.faulty = self.unreadable = 0

    @property
    def code(self) -> int:
        """The exit code."""
        return UNREADABLE if self.unreadable else FAULT if self.faulty else SOUND

    def tell(self, name: str, verdict: Verdict) -> None:
        """One game's verdict."""
        self.sound += verdict.ok
        self.faulty += not verdict.ok
        if self._json:
            print(json.dumps({"game": name, **verdict.to_json()}), flush=True)
            return
        checks = {check.name: check for check in verdict.checks}
        held = sum(check.ok for check in verdict.checks)
        said = f"{'sound' if verdict.ok else 'FAULT'}  {name}  {held} of {len(checks)} checks hold"
        print(_plain(said + (", practice" if _practice(checks) else "")), flush=True)
        for check in verdict.checks:
            edition = check.name == "decisions" and "rules version" in check.detail
            if not check.ok or edition or check.name == "head":
                print(_plain(f"       {check.name}: {check.detail}"))
        fault = verdict.first_fault
        if fault:
            line = f", line {fault.line}" if fault.line is not None else ""
            where = f"version {fault.version}" if fault.version is not None else "no commit"
            print(_plain(f"       first fault: {fault.check}, {where}{line}"), flush=True)

    def complain(self, what: str) -> None:
        """Something that could not be judged."""
        self.unreadable += 1
        print(_plain(f"audit: {what}"), file=sys.stderr)

    def summary(self) -> None:
        """The last line, where there was more than one game."""
        if not self._json and self.sound + self.faulty > 1:
            print(f"{self.sound} sound, {self.faulty} with a fault")


def main(arguments: Sequence[str] | None = None) -> int:
    """Audits what the arguments name; returns the exit code."""
    asked = _parser().parse_args(arguments)
    if bool(asked.files) + bool(asked.game) + asked.all != 1:
        _parser().error("name files, or games with --game, or all with --all")
    audit = Audit(asked.json)
    any_terminal()
    try:
        if asked.files:
            for file in asked.files:
                _file(audit, file, asked)
        else:
            _stored(audit, asked)
        audit.summary()
    except BrokenPipeError:
        # Whoever read us has seen enough; what is not said cannot be sound.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREADABLE
    return audit.code


def any_terminal() -> None:
    """What the terminal has no letters for is shown as a mark, and ends nothing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./run audit",
        description="Checks games: records in files, or what is stored.",
        epilog="Exit code 0: all is sound; 1: a fault was found; 2: something could not be read, "
        "whatever else was found. Guide: docs/auditing.md.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="records or exports; - for stdin")
    parser.add_argument("--game", action="append", metavar="ID", help="a stored game; repeatable")
    parser.add_argument("--all", action="store_true", help="every stored game")
    parser.add_argument("--depth", choices=DEPTHS, default="rules", help="default: rules")
    parser.add_argument("--head", metavar="HASH", help="a hash that somebody kept of the game")
    parser.add_argument("--json", action="store_true", help="a JSON object a game, with the view")
    parser.add_argument(
        "--show", action="store_true", help="tell cards of stored games that are not over, too"
    )
    return parser


def _file(audit: Audit, file: str, asked: argparse.Namespace) -> None:
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as lines:
            _records(audit, file, lines, asked)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        audit.complain(f"{file}: {error.strerror}")


def _records(audit: Audit, file: str, lines: BinaryIO, asked: argparse.Namespace) -> None:
    found = False
    for piece in pieces(lines):
        found = True
        match piece:
            case Piece(before, raw):
                verdict = referee(raw, asked.depth, asked.head)
                fault = verdict.first_fault
                if fault and fault.line is not None:
                    verdict = replace(verdict, first_fault=replace(fault, line=fault.line + before))
                audit.tell(_name(raw, f"{file}:{before + 1}"), verdict)
            case Skipped(game, code):
                audit.complain(f"{file}: skipped game {game} ({code})")
            case Cut(code):
                why = f": it ends with the error {code}" if code else ""
                audit.complain(f"{file}: this export is not whole{why}")
    if not found:
        audit.complain(f"{file}: there is no record in it")


def _stored(audit: Audit, asked: argparse.Namespace) -> None:
    try:
        config = Config.from_env(os.environ)
        try:
            store = opened(config)
            for game in _once(store.rebuild()) if asked.all else asked.game:
                _game(audit, store, game, asked)
        except StoreUnavailable:
            audit.complain(away(config))
    except ConfigError as error:
        audit.complain(str(error))


def opened(config: Config) -> RedisStore:
    """The store of the server that is named, or else of our own that runs."""
    return RedisStore(EmbeddedServer(config.data).url if config.embedded else config.redis_url)


def away(config: Config) -> str:
    """What to say where that server does not answer."""
    if config.embedded:
        return f"no server runs in {config.data}: start ./run, or see TAPETE_DATA, TAPETE_REDIS_URL"
    return "the server of TAPETE_REDIS_URL does not answer"


def _game(audit: Audit, store: EventStore, game: str, asked: argparse.Namespace) -> None:
    try:
        reading = store.read(game)
        entries, broken, beyond = reading.entries, reading.broken, reading.beyond
    except Unreadable as error:
        entries, broken, beyond = (), str(error), ()
    if not entries and not broken:
        audit.complain(f"there is no game {game}")
        return
    depth, head, show = asked.depth, asked.head, asked.show
    audit.tell(game, referee_stored(game, entries, broken, depth, head, show, beyond))


def _once(games: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for game in games:
        if game not in seen:
            seen.add(game)
            yield game


def _name(raw: bytes, otherwise: str) -> str:
    try:
        return record.decode(raw.partition(b"\n")[0], Header).game
    except Unreadable:
        return otherwise


def _practice(checks: dict[str, Check]) -> bool:
    """Whether a check says so: of a game that is not over, only that deals were given."""
    header, deals = checks.get("header"), checks["deals"]
    if header and header.ok:
        return header.detail.endswith(", practice")
    return deals.ok and deals.detail.endswith(" given")


def _plain(text: str) -> str:
    """Text for a terminal: what a forger may have put in to steer it is shown as a mark."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


if __name__ == "__main__":
    sys.exit(main())
