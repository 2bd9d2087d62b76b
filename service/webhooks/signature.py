"""Signatures by Standard Webhooks: https://www.standardwebhooks.com (its specification, "v1").

Signed is `id.timestamp.body` over the very bytes that are sent, with HMAC-SHA-256.
"""

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Final

PREFIX: Final = "whsec_"
"""Lets a leaked secret be recognised by scanners."""

_BYTES: Final = 32


def fresh_secret() -> str:
    """A new secret of 256 bits."""
    return PREFIX + b64encode(secrets.token_bytes(_BYTES)).decode()


def derived_secret(secret: str, word: str) -> str:
    """A secret that follows from another one and a word, and tells nothing of either."""
    made = hmac.digest(_key(secret), f"rotate\n{word}".encode(), hashlib.sha256)
    return PREFIX + b64encode(made).decode()


def signature(secret: str, message: str, timestamp: int, body: bytes) -> str:
    """The signature of one secret; `timestamp` in seconds since 1970."""
    signed = f"{message}.{timestamp}.".encode() + body
    return "v1," + b64encode(hmac.digest(_key(secret), signed, hashlib.sha256)).decode()


def headers(secrets: Iterable[str], message: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The three headers; one signature a secret, so that a receiver may change over in peace."""
    signatures = (signature(secret, message, timestamp, body) for secret in secrets)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }


def _key(secret: str) -> bytes:
    return b64decode(secret.removeprefix(PREFIX), validate=True)
