"""The compact form of a game that is over: entries -> bytes -> the same entries.

    form   1 byte    which form this is: "1"
    count  4 bytes   how many entries, big-endian
    head   32 bytes  the hash of the last line
    body             bz2 of lines of text: first `player`, `secret` and `source` as JSON, then for
                     each entry the milliseconds since the one before and what follows in its line

Most of a record line looks random and yet follows: its `prev` from the line before, its salt from
the secret. Both are left out and made again. Of the standard library bz2 gives the least bytes for
every game of more than some fifty commits (docs/scaling.md), needs no dictionary that would have
to be kept for ever, and has a checksum.

Of the first entry player, secret and source are kept, of the others nothing but line and hash. A
later form gets another first byte, and this one stays readable.
"""

import bz2
import re
import struct
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from service import fairness
from service.store import Entry, Meta, Unreadable, codec

_FORM: Final = b"1"
_FRONT: Final = struct.Struct(">cI32s")
FRONT: Final = _FRONT.size
"""Bytes of a form that tell its `length`."""

REMEMBERED: Final = 4
"""Games; the largest that there may be takes some ten MB."""

_AT: Final = re.compile(rb"(0|[1-9][0-9]{0,15}),")
_OPEN: Final = re.compile(rb'[0-9]+,"command":\{"type":"reveal_secret["@].*"secret":"([0-9a-f]+)"')


class NotOver(Exception):
    """The game's secret is not open yet, so it may go on."""


def chill(entries: Sequence[Entry]) -> bytes:
    """The form from which `thaw` makes these lines and hashes again, bit for bit.

    Raises:
        NotOver: the last entry does not open the secret.
        Unreadable: something does not follow as it should, so it could not be made again.
    """
    if not entries:
        raise NotOver
    opened = entries[0].meta
    kept = Meta("", opened.player, secret=opened.secret, source=opened.source)
    texts = [_ENCODER.encode(_Opened(kept.player, kept.secret, kept.source))]
    try:
        secret = bytes.fromhex(kept.secret)
        prev, before = "", 0
        for version, entry in enumerate(entries, 1):
            front = _front(secret, version, prev)
            rest = entry.line[len(front) :]
            at = _AT.match(rest)
            if entry.line != front + rest or not at:
                raise Unreadable(f"line {version} does not follow from the secret and the chain")
            texts.append(b"%d," % (int(at[1]) - before) + rest[at.end() :])
            prev, before = entry.hash, int(at[1])
        shown = _OPEN.match(rest)
        if not shown or shown[1].decode() != kept.secret:
            raise NotOver
        head = urlsafe_b64decode(prev + "=")
        front = _FRONT.pack(_FORM, len(entries), head)
    except (ValueError, struct.error):
        raise Unreadable("the game's secret or a hash is not one") from None
    form = front + bz2.compress(b"\n".join(texts))
    lines = [(one.line, one.hash) for one in entries]
    thawed = thaw(form)
    if thawed[0].meta != kept or [(one.line, one.hash) for one in thawed] != lines:
        raise Unreadable("the compact form does not give the same lines and hashes")
    return form


def thaw(form: bytes) -> tuple[Entry, ...]:
    """The entries of a form.

    Raises:
        Unreadable: this is no such form, or it is damaged.
    """
    due = _ending(form)
    try:
        opened, *texts = bz2.decompress(form[FRONT:]).split(b"\n")
        first = _DECODER.decode(opened)
        secret = bytes.fromhex(first.secret)
        entries: list[Entry] = []
        prev, at = "", 0
        meta = Meta("", first.player, secret=first.secret, source=first.source)
        for version, text in enumerate(texts, 1):
            since, _, rest = text.partition(b",")
            at += int(since)
            line = _front(secret, version, prev) + b"%d," % at + rest
            prev = codec.digest(line)
            entries.append(Entry(version, line, prev, meta))
            meta = _NOTHING
        head = urlsafe_b64decode(prev + "=")
    except (OSError, EOFError, ValueError, msgspec.DecodeError):
        raise Unreadable("the compact form of the game is damaged") from None
    if (len(entries), head) != due:
        raise Unreadable("the compact form of the game ends elsewhere than it says")
    return tuple(entries)


@lru_cache(REMEMBERED)
def thawed(form: bytes) -> tuple[Entry, ...]:
    """As `thaw`, for readers: one request often reads a game several times.

    Told apart by all their bytes, the last few are remembered in each process.
    """
    return thaw(form)


def length(form: bytes) -> int:
    """How many entries a form has; its first `FRONT` bytes are enough.

    Raises:
        Unreadable: this is no form that is known here.
    """
    return _ending(form)[0]


def _ending(form: bytes) -> tuple[int, bytes]:
    """How many entries a form says it has, and the hash of the last line. Raises as `length`."""
    if len(form) < FRONT or form[:1] != _FORM:
        raise Unreadable("the compact form of the game is none that is known here")
    _, count, head = _FRONT.unpack_from(form)
    return count, head


class _Opened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What goes with the first entry."""

    player: str
    secret: str
    source: str


def _front(secret: bytes, version: int, prev: str) -> bytes:
    """How a record line begins: all of it follows."""
    salt = fairness.salt(secret, version)
    return f'{{"version":{version},"prev":"{prev}","salt":"{salt}","at":'.encode()


_NOTHING: Final = Meta("")
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(_Opened)
