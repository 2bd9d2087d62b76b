"""What each strategy chooses, as digests: `python -m tests.workers.versions` adds new ones.

    canasta.casual 1 5f2b…      name and version, and what it chose and weighed in golden records

Whoever changes what a strategy chooses gives it another number, since records name it and
`./run again` asks by that name. So a line, once published, is never changed. What was in no release
may still change: take its line out by hand first.
"""

import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from service import record
from service.rules import GAMES
from service.store import codec
from tests.records.corpus import HERE
from workers import strategies
from workers.kept import kept
from workers.moments import Moment, moments
from workers.strategies import Budget, Player

LINES: Final = Path(__file__).with_name("choices.txt")

EACH: Final = 8
"""Moments of each record in which there is a choice."""

BUDGET: Final = Budget(60.0, 3)


def players() -> Iterator[tuple[Player, str]]:
    """Every strategy there is, with a family of games that it plays."""
    for level in strategies.STRATEGIES:
        for family, game in GAMES.items():
            yield strategies.player(level, game), family


def told() -> dict[str, str]:
    """The digest of each, by its name; of one that plays several families one for all."""
    played: dict[str, list[str]] = {}
    for player, family in dict.fromkeys(players()):
        played.setdefault(player.name, []).append(_digest(player, family))
    return {name: sha256("".join(each).encode()).hexdigest() for name, each in played.items()}


def lines() -> dict[str, str]:
    """The digests that are written down."""
    kept = (line.rpartition(" ") for line in LINES.read_text(encoding="utf-8").splitlines())
    return {name: digest for name, _, digest in kept}


def _digest(player: Player, family: str) -> str:
    whole = sha256()
    for variant in GAMES[family].VARIANTS.values():
        for seats in variant.seats:
            for moment, secret in _moments(f"{variant.name}-{seats}"):
                choice = player.choose(moment.situation, moment.luck(secret), BUDGET)
                decision = kept("", player, BUDGET, choice, moment.situation)
                whole.update(repr((choice.command, decision.candidates)).encode())
    return whole.hexdigest()


def _moments(name: str) -> Iterator[tuple[Moment, bytes]]:
    read = record.read((HERE / "0.1" / f"{name}.ndjson").read_bytes())
    every = list(moments(map(codec.decode, read.lines)))
    for number in range(EACH):
        begin, end = number * len(every) // EACH, (number + 1) * len(every) // EACH
        middle = every[(begin + end) // 2 : end] + every[begin : (begin + end) // 2]
        yield next(filter(_open, middle)), bytes.fromhex(read.footer.secret)


def _open(moment: Moment) -> bool:
    """Whether there is more than one thing to do."""
    situation = moment.situation
    return len(situation.rules.legal(situation.view, situation.seat)) > 1


def main() -> int:
    """Adds the strategies that are not written down; changes no line."""
    before, now = lines() if LINES.exists() else {}, told()
    text = "".join(f"{name} {digest}\n" for name, digest in {**now, **before}.items())
    LINES.write_text(text, encoding="utf-8")
    return 0 if all(before.get(name, digest) == digest for name, digest in now.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
