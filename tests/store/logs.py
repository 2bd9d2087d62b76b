"""Entries to write: what a store keeps does not have to mean anything."""

import secrets
from typing import Any

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
