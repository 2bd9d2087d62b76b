"""Ways in which a log may be damaged, and the mending of it, on either store."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import redis

from service import fairness
from service.replay import Commit
from service.rules.canasta.events import CardDiscarded
from service.rules.protocol import GameEnded
from service.rules.seating.commands import CloseGame
from service.store import Entry, EventStore, codec
from service.store.memory import MemoryStore

Fields = dict[bytes, bytes]
Way = Callable[[int, Fields], Fields | None]
"""What becomes of the fields of the entry of a version; None when it is gone."""


def _sealed(fields: Fields, line: bytes) -> Fields:
    """The entry with another line, its hash made to fit."""
    return fields | {b"l": line, b"h": codec.digest(line).encode()}


def _changed(fields: Fields, **change: Any) -> Fields:
    commit = codec.decode(fields[b"l"])
    return _sealed(fields, codec.encode(replace(commit, **change)))


def bad_json(version: int, fields: Fields) -> Fields:
    return _sealed(fields, fields[b"l"][:-2])


def flipped_byte(version: int, fields: Fields) -> Fields:
    line = fields[b"l"]
    at = line.index(b'"at":') + 6
    return fields | {b"l": line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]}


def wrong_prev(version: int, fields: Fields) -> Fields:
    return _changed(fields, prev="A" * 43)


def wrong_hash(version: int, fields: Fields) -> Fields:
    return fields | {b"h": b"A" * 43}


def another_number(version: int, fields: Fields) -> Fields:
    return _changed(fields, version=version + 1)


def unknown_event(version: int, fields: Fields) -> Fields:
    body = json.loads(fields[b"l"])
    body["events"][0]["type"] = "comet_seen"
    return _sealed(fields, json.dumps(body, separators=(",", ":")).encode())


def impossible_event(version: int, fields: Fields) -> Fields:
    """A discard of a card that no hand holds: decodes, and cannot be applied."""
    return _changed(fields, events=(CardDiscarded(0, "JK"),) * 9)


def without(name: str) -> Way:
    def taken(version: int, fields: Fields) -> Fields:
        return {key: value for key, value in fields.items() if key != name.encode()}

    taken.__name__ = f"without_{name}"
    return taken


def gap(version: int, fields: Fields) -> None:
    return None


ANYWHERE: Final[tuple[Way, ...]] = (
    bad_json,
    flipped_byte,
    wrong_prev,
    wrong_hash,
    another_number,
    unknown_event,
    impossible_event,
)
"""Damage within an entry, which a store does not see."""

STREAM: Final[tuple[Way, ...]] = (*(without(name) for name in "lham"), gap)
"""Damage that only a stream can have."""


def damage(store: EventStore, url: str, game: str, version: int, way: Way) -> Callable[[], None]:
    """Damages one entry; what is returned mends it and leaves what was written since."""
    if isinstance(store, MemoryStore):
        log = store._logs[game]
        whole = log[version - 1]
        fields = way(version, {b"l": whole.line, b"h": whole.hash.encode()})
        assert fields
        spoilt = replace(whole, line=fields[b"l"], hash=fields[b"h"].decode())
        store._logs[game] = [*log[: version - 1], spoilt, *log[version:]]

        def mend() -> None:
            log = store._logs[game]
            store._logs[game] = [*log[: version - 1], whole, *log[version:]]

        return mend
    place = f"{version}-0".encode()
    kept: Fields = {}

    def spoil(raw: list[tuple[bytes, Fields]]) -> list[tuple[bytes, Fields]]:
        kept.update(dict(raw)[place])
        both = [(one, way(version, own) if one == place else own) for one, own in raw]
        return [(one, own) for one, own in both if own is not None]

    _rewrite(url, game, spoil)
    return lambda: _rewrite(
        url, game, lambda raw: sorted(_put(raw, place, kept), key=lambda row: _number(row[0]))
    )


def behead(url: str, game: str) -> None:
    """Takes the first two entries away."""
    with redis.Redis.from_url(url) as client:
        client.xtrim(f"game:{{{game}}}:log", minid="3-0", approximate=False)


def smuggle(store: EventStore, game: str) -> None:
    """Writes a whole entry behind the last, as somebody might who is not us."""
    *_, last = _entries(store, game)
    line = codec.encode(
        Commit(
            last.version + 1,
            last.hash,
            fairness.salt(b"another secret", last.version + 1),
            1_000_000,
            CloseGame(-1, 2),
            (GameEnded(1, (5000, 0), "target"),),
        )
    )
    meta = replace(last.meta, attempt="smuggled", key="", digest="", secret="")
    store.append(game, Entry(last.version + 1, line, codec.digest(line), meta), last.hash)


def _entries(store: EventStore, game: str) -> list[Entry]:
    reading = store.read(game)
    return [*reading.entries, *(one for one in reading.beyond if one)]


def _put(
    raw: list[tuple[bytes, Fields]], place: bytes, fields: Fields
) -> list[tuple[bytes, Fields]]:
    return [*((one, own) for one, own in raw if one != place), (place, fields)]


def _number(place: bytes) -> int:
    return int(place.partition(b"-")[0])


def _rewrite(
    url: str,
    game: str,
    change: Callable[[list[tuple[bytes, Fields]]], list[tuple[bytes, Fields]]],
) -> None:
    """Entries of a stream cannot be changed, so it is written anew."""
    key = f"game:{{{game}}}:log"
    with redis.Redis.from_url(url) as client:
        raw: Any = client.xrange(key)
        with client.pipeline() as pipe:
            pipe.delete(key)
            for place, fields in change(raw):
                pipe.xadd(key, fields, id=place)
            pipe.execute()
