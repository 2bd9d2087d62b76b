"""How an entry lies in a stream of Redis: as fields at the place of its version."""

from typing import Final

import msgspec

from service.store import Entry, Meta, Unreadable

Fields = dict[bytes, bytes]
"""l line, h hash, a attempt, m the rest of `Meta` as JSON."""

_REST: Final = msgspec.json.Decoder(dict[str, str])


def packed(meta: Meta) -> bytes:
    """What is in m: of what stands in no other field that which is not empty."""
    rest = {
        "player": meta.player,
        "key": meta.key,
        "digest": meta.digest,
        "secret": meta.secret,
        "source": meta.source,
    }
    said: bytes = msgspec.json.encode({name: text for name, text in rest.items() if text})
    return said


def entry_at(game: str, version: int, place: bytes, fields: Fields) -> Entry:
    """The entry of a version.

    Raises:
        Unreadable: it lies at another place, or is none of ours.
    """
    if place != b"%d-0" % version:
        raise Unreadable(f"in game {game} entry {place.decode()} stands where {version}-0 belongs")
    try:
        meta = Meta(fields[b"a"].decode(), **_REST.decode(fields[b"m"]))
        return Entry(version, fields[b"l"], fields[b"h"].decode(), meta)
    except (KeyError, TypeError, ValueError, msgspec.DecodeError):
        raise Unreadable(f"entry {version} of game {game} is not one of ours") from None


def any_entry(game: str, place: bytes, fields: Fields) -> Entry | None:
    """The entry of whatever version stands there, None for what is none of ours."""
    try:
        return entry_at(game, int(place.partition(b"-")[0]), place, fields)
    except Unreadable:
        return None


def place_of(version: int) -> str:
    """The place of a version in a stream, for any number that a caller may name."""
    return str(min(max(version, 0), 2**64 - 1))
