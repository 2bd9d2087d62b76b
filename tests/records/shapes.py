"""What is kept for ever, as text: `python -m tests.records.shapes` adds what is new to it.

    event card_discarded         a shape that stands in logs: its fields, types and defaults in JSON
    decision chosen              how a computer player came to a command, as it stands in logs
    record tapete-record-1 …     the outer lines of a record
    deals hmac-sha256-…          digests of what the algorithm of that name deals
    rules canasta 1              digests of whole games by the rules of that edition

`shapes.txt` has a block of each. A block is added once and never changed.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from service import fairness, record, rules
from service.store import codec, decided
from tests.golden.playthrough import Play
from tests.records.form import shape
from tests.rules.tables import TABLES, Table

KEPT: Final = Path(__file__).with_name("shapes.txt")

ALGORITHMS: Final = {fairness.ALGORITHM: fairness}
"""Every algorithm that records name, with the module that still has it."""

PACKS: Final = (48, 108, 162)
NONCES: Final = ("a word", None, "")

Blocks = Mapping[str, tuple[str, ...]]


def made() -> Blocks:
    """The blocks as the code of today makes them."""
    return {**shapes(), **deals(), **editions(TABLES)}


def shapes() -> Blocks:
    """A block for each shape of a line."""
    return {
        **{f"command {name}": shape(cls) for name, cls in codec.COMMAND_SHAPES.items()},
        **{f"event {name}": shape(cls) for name, cls in codec.EVENT_SHAPES.items()},
        **{f"decision {name}": shape(cls) for name, cls in decided.SHAPES.items()},
        **{f"record {record.FORMAT} {cls.__name__.lower()}": shape(cls) for cls in _OUTER},
    }


def deals() -> Blocks:
    """A block for each algorithm."""
    return {f"deals {name}": tuple(_deals(module)) for name, module in ALGORITHMS.items()}


def editions(tables: Sequence[Table]) -> Blocks:
    """A block for the rules of each variant at `tables`: today's, and its past ones."""
    today = [table for table in tables if table.seats == table.variant.seats[0]]
    past = [
        replace(table, variant=data)
        for table in today
        for _, data in rules.PAST
        if data.name == table.variant.name
    ]
    return dict(map(_edition, (*today, *past)))


def kept(text: str) -> Blocks:
    """The blocks of a text."""
    blocks = (block.splitlines() for block in text.split("\n\n"))
    return {name: tuple(line.strip() for line in lines) for name, *lines in blocks}


def told(blocks: Blocks) -> str:
    """Blocks as text."""
    return "\n".join(
        "".join(f"{line}\n" for line in (name, *(f"  {line}" for line in lines)))
        for name, lines in blocks.items()
    )


def faults(before: Blocks, now: Blocks) -> list[str]:
    """What is wrong: a sentence for each block that changed, is gone or was not added yet."""
    found = []
    for name, lines in before.items():
        if now.get(name) != lines:
            kind, what = name.split(" ", 1)
            todo = _WHAT_TO_DO[kind].format(what)
            found.append(f"{todo} See CONTRIBUTING.md.\n{_difference(lines, now.get(name))}")
    found += [f"{name} is new: {_ADD}" for name in now if name not in before]
    return found


def _deals(algorithm: Any) -> Iterator[str]:
    secret = bytes(range(32))
    yield f"commitment {_digest([algorithm.commitment(secret)])}"
    yield f"salts {_digest([algorithm.salt(secret, version) for version in (1, 2, 4711)])}"
    dealers = [algorithm.first_dealer(secret, NONCES, seats) for seats in range(1, 9)]
    yield f"first dealers {_digest(dealers)}"
    for size in PACKS:
        cards = [str(card) for card in range(size)]
        deals = [algorithm.pack(secret, NONCES, deal, cards) for deal in (1, 2, 100)]
        yield f"{size} cards {_digest(deals)}"


def _edition(table: Table) -> tuple[str, tuple[str, ...]]:
    """Of a variant's edition its pack, and a game at each table size."""
    data = table.variant
    games = (_game(replace(table, seats=seats)) for seats in data.seats)
    return f"rules {data.name} {data.rules_version}", (f"pack {_digest(data.pack())}", *games)


def _game(table: Table) -> str:
    """The golden playthrough by its commands and events alone, whatever seats see of it."""
    play, steps = Play(table), []
    while table.rules.to_act(play.state) is not None:
        command = play.choose()
        steps.append([codec.to_wire(thing) for thing in (command, *play.give(command))])
    return f"{table.seats} players, {len(steps)} commands {_digest(steps)}"


def _digest(value: Any) -> str:
    return sha256(msgspec.json.encode(value)).hexdigest()[:20]


def _difference(before: Sequence[str], now: Sequence[str] | None) -> str:
    if now is None:
        return "    it is gone"
    gone = [f"    - {line}" for line in before if line not in now]
    more = [f"    + {line}" for line in now if line not in before]
    return "\n".join([*gone, *more] or ["    its fields stand in another order"])


_OUTER: Final = (record.Header, record.Footer)
_ADD: Final = "`.venv/bin/python -m tests.records.shapes` adds it."
_LOG: Final = (
    "stands in logs in the shape that it had. Keep that shape, with all that is nested in it, in "
    "service/store/past.py; yours is the next."
)
_WHAT_TO_DO: Final = {
    "command": f"The command {{}} {_LOG}",
    "event": f"The event {{}} {_LOG}",
    "decision": "The decision {} stands in logs in the shape that it had. Keep that shape in "
    "service/store/decided.py; yours is the next.",
    "record": "The lines of {} are in records that people keep. Another form needs another FORMAT, "
    "beside this one.",
    "deals": "{} deals otherwise, and old records can no longer be checked. Another shuffle needs "
    "another name in service/fairness.py, beside this one.",
    "rules": "The rules {} play the golden games otherwise. A change of the rules needs a new "
    "rules_version, with the row as it was in PAST of service/rules/__init__.py. If only `legal` "
    "lists other commands, or an event has a new shape, and the golden records are still decided "
    "alike, take the block out of shapes.txt and have it added again.",
}
"""Said when a block is gone or another one; CONTRIBUTING.md says more."""


def main() -> int:
    """Adds new blocks to the file; changes none that is there."""
    before, now = kept(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}, made()
    KEPT.write_text(told({**now, **before}), encoding="utf-8")
    wrong = faults({**now, **before}, now)
    print("\n".join(wrong), file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
