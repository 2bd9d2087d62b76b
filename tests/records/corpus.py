"""The golden records of every release, and what each comes to, version by version.

    python -m tests.records.corpus    # prints it; `test_records.py` does so in another process

A record's line: its name, how many versions, four hex digits for each of them, and a digest of all.
A version's digits stand for the truth and for what each seat and a spectator sees then. What the
records of release 0.1 came to when they were made is kept in `0.1.digests`.
"""

import locale
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from service import record, replay
from service.rules.seating import Game
from service.store import codec

HERE: Final = Path(__file__).parent
RELEASES: Final = sorted(path for path in HERE.iterdir() if any(path.glob("*.ndjson")))
RECORDS: Final = [path for release in RELEASES for path in sorted(release.glob("*.ndjson"))]


def label(path: Path) -> str:
    """Release and record: `0.1/canasta-2`."""
    return f"{path.parent.name}/{path.stem}"


def kept(release: Path) -> Path:
    """The file in which the lines of a release's records are kept."""
    return release.with_name(f"{release.name}.digests")


def told(release: Path) -> Iterator[str]:
    """The lines of a release's records as they are now, with their ends."""
    for path in sorted(release.glob("*.ndjson")):
        yield f"{summary(path)}\n"


def summary(path: Path) -> str:
    """What a record comes to, in one line."""
    commits = map(codec.decode, record.read(path.read_bytes()).lines)
    whole, digits = sha256(), []
    for _, game in replay.steps(commits):
        one = sha256(msgspec.json.encode(_shown(game)))
        whole.update(one.digest())
        digits.append(one.hexdigest()[:4])
    return f"{path.stem} {len(digits)} {'.'.join(digits)} {whole.hexdigest()}"


def differs(before: str, now: str) -> str:
    """Where two lines of one record part: `canasta-2 at version 17`."""
    stem, _, earlier, *_ = before.split()
    versions = zip(earlier.split("."), now.split()[2].split("."), strict=False)
    parted = (number for number, (one, other) in enumerate(versions, 1) if one != other)
    return f"{stem} at version {next(parted, 'unknown')}"


def _shown(game: Game) -> Any:
    """All that is true of a game, and what of it whom may see."""
    eyes = (*range(len(game.chairs)), None)
    return [_plain(game), *(_plain(game.view(seat)) for seat in eyes)]


def _plain(game: Game) -> Any:
    state = game.state
    table = state and (state.deal, list(state.scores), state.hands, state.table())
    return [
        game.variant.name,
        game.rules_version,
        game.status,
        game.to_act(),
        game.chairs,
        game.nonces,
        game.options,
        game.visibility,
        game.algorithm,
        game.commitment,
        game.setup,
        game.origin,
        game.secret,
        game.resigned,
        game.result,
        table,
    ]


if __name__ == "__main__":
    locale.setlocale(locale.LC_ALL, "")
    for release in RELEASES:
        sys.stdout.writelines(told(release))
