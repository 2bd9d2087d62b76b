"""Ids of games and jobs: base32 in lower case, 21 letters, which nobody guesses.

A derived id is always the same for the same words. It is as secret as they are.
"""

import hashlib
import secrets
from base64 import b32encode
from typing import Final

_BYTES: Final = 13


def fresh() -> str:
    """A random id of 104 bits."""
    return _text(secrets.token_bytes(_BYTES))


def derived(first: str, second: str) -> str:
    """The id of two words, of which the first has no line end."""
    return _text(hashlib.sha256(f"{first}\n{second}".encode()).digest()[:_BYTES])


def _text(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=").lower()
