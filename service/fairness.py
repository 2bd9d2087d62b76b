"""Deals that nobody can choose and everybody can check.

Before the first card a game shows `commitment(secret)`. Every deal follows from the secret,
the players' nonces and the deal's number; when the game is over the secret is opened and
anyone can derive every pack again. Opening one deal says nothing of another, since each has
an HMAC key of its own.

    key(purpose) = HMAC-SHA-256(secret, purpose)
    words        = HMAC-SHA-256(key, 0), HMAC-SHA-256(key, 1), …   as 32-bit numbers
    shuffle      = Fisher-Yates from the top, each place by rejection, hence unbiased

The exact bytes, what this excludes and what not, and test vectors: docs/fairness.md.
"""

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from typing import Final

ALGORITHM: Final = "hmac-sha256-fisher-yates-1"
"""Names these functions for ever; a change of any of them needs another name."""

SECRET_BYTES: Final = 32


def commitment(secret: bytes) -> str:
    """What is shown before the first card: SHA-256 of a label and the secret, in hex."""
    return hashlib.sha256(b"tapete/commitment\n" + secret).hexdigest()


def first_dealer(secret: bytes, nonces: Sequence[str | None], seats: int) -> int:
    """The seat that deals first, each with the same chance."""
    return next(_below(_words(_key(secret, "dealer", nonces)), seats))


def pack(
    secret: bytes, nonces: Sequence[str | None], deal: int, cards: Sequence[str]
) -> tuple[str, ...]:
    """The pack of deal number `deal` (from 1), from `cards` in the variant's fixed order."""
    shuffled = list(cards)
    words = _words(_key(secret, f"deal {deal}", nonces))
    for last in range(len(shuffled) - 1, 0, -1):
        pick = next(_below(words, last + 1))
        shuffled[last], shuffled[pick] = shuffled[pick], shuffled[last]
    return tuple(shuffled)


def salt(secret: bytes, version: int) -> str:
    """128 bits for the record line of `version`, that nothing shows before the end."""
    return _text(_mac(secret, f"tapete/salt\n{version}")[:16])


def invite(secret: bytes, number: int = 0) -> str:
    """The code that admits to a private table: 80 bits, of no use against the deals.

    `number` counts how often it was changed.
    """
    purpose = f"tapete/invite\n{number}" if number else "tapete/invite"
    return _text(_mac(secret, purpose)[:10])


def seed(secret: bytes, seat: int, version: int) -> bytes:
    """What a computer player's luck at a turn follows from."""
    return _mac(secret, f"tapete/seed\n{seat}\n{version}")


def hint_seed(secret: bytes, seat: int, version: int) -> bytes:
    """What the luck of a hint follows from: never what a computer player's would at that turn."""
    return _mac(secret, f"tapete/hint\n{seat}\n{version}")


def _key(secret: bytes, purpose: str, nonces: Sequence[str | None]) -> bytes:
    listed = json.dumps(list(nonces), ensure_ascii=False, separators=(",", ":"))
    return _mac(secret, f"tapete/{purpose}\n{listed}")


def _mac(key: bytes, message: str) -> bytes:
    return hmac.digest(key, message.encode(), "sha256")


def _words(key: bytes) -> Iterator[int]:
    """Unsigned 32-bit numbers, big-endian, eight from each block."""
    block = 0
    while True:
        digest = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _below(words: Iterator[int], bound: int) -> Iterator[int]:
    """Numbers below `bound`, all equally likely: words beyond the last whole multiple fall out."""
    whole = (1 << 32) // bound * bound
    for word in words:
        if word < whole:
            yield word % bound


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
