"""Entries to write: what a store keeps does not have to mean anything."""

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from service import fairness, record
from service.store import Entry, EventStore, Meta, codec


def entry(version: int, text: str = "", **meta: Any) -> Entry:
    """An entry that differs from every other in its line, unless `text` says which."""
    line = f"{version} {text or secrets.token_hex(8)}".encode()
    return Entry(
        version, line, codec.digest(line), Meta(**({"attempt": secrets.token_hex(8)} | meta))
    )


def fill(store: EventStore, game: str, length: int) -> list[Entry]:
    """Writes a log of `length` entries and returns them."""
    written: list[Entry] = []
    for version in range(1, length + 1):
        written.append(entry(version))
        store.append(game, written[-1], head(written[:-1]))
    return written


def head(entries: list[Entry]) -> str:
    """The hash that the next entry must name."""
    return entries[-1].hash if entries else ""


RECORDS: Final = sorted((Path(__file__).parents[1] / "records").glob("*/*.ndjson"))


def recorded(path: Path, **meta: Any) -> list[Entry]:
    """The log of which a golden record was made, as it stood in a store."""
    kept = record.read(path.read_bytes())
    first = {"player": "anna", "key": "k", "digest": "d", "secret": kept.footer.secret} | meta
    return [
        Entry(
            version,
            line,
            codec.digest(line),
            Meta(secrets.token_hex(8), **(first if version == 1 else {"player": "bert"})),
        )
        for version, line in enumerate(kept.lines, 1)
    ]


def over(length: int, secret: bytes = bytes(32)) -> list[Entry]:
    """The log of a game that is over: its lines follow from each other, and its secret is open."""
    entries: list[Entry] = []
    for version in range(1, length + 1):
        what = f'{{"type":"draw","seat":{version % 4}}}'
        if version == length:
            what = f'{{"type":"reveal_secret","secret":"{secret.hex()}","seat":-1}}'
        salt = fairness.salt(secret, version)
        line = f'{{"version":{version},"prev":"{head(entries)}","salt":"{salt}",'
        line += f'"at":{1_764_452_345_000 + 137 * version},"command":{what},"events":[]}}'
        meta = Meta(secrets.token_hex(8), player="anna", key=f"k{version}")
        if version == 1:
            meta = replace(meta, secret=secret.hex())
        entries.append(Entry(version, line.encode(), codec.digest(line.encode()), meta))
    return entries


def write(store: EventStore, game: str, entries: list[Entry]) -> None:
    """Appends them one by one, as they are."""
    for number, one in enumerate(entries):
        store.append(game, one, head(entries[:number]))


def chilled(entries: list[Entry]) -> tuple[Entry, ...]:
    """What is left of the entries in the compact form."""
    first = entries[0].meta
    kept = Meta("", first.player, secret=first.secret, source=first.source)
    metas = [kept, *[Meta("")] * (len(entries) - 1)]
    return tuple(replace(one, meta=meta) for one, meta in zip(entries, metas, strict=True))
