"""What a token may do, and the one-time codes by which another device gets one.

    play       commands and nonces             export    records, exports, audits, imports
    lobby      lists, opening, joining         webhook   deliveries to a server of one's own
    spectate   looking at games                admin     kept for who runs the service

A token is known here by its SHA-256 only, and named by the first digits of that.
"""

from dataclasses import dataclass
from typing import Final

SCOPES: Final = ("play", "lobby", "spectate", "export", "webhook", "admin")
"""All there are."""

USUAL: Final = SCOPES[:-1]
"""Those of a guest's first token, and of tokens from before there were scopes."""

_NAMED: Final = 24


@dataclass(frozen=True, slots=True)
class Token:
    """A token as its owner sees it listed; `created` is in milliseconds since 1970."""

    hash: str
    scopes: tuple[str, ...] = USUAL
    label: str = ""
    created: int = 0

    @property
    def id(self) -> str:
        """What it is named by; tells nothing of the token."""
        return token_id(self.hash)


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a one-time code is good for: a token of `player`, while the token `maker` (a hash) is
    valid."""

    player: str
    maker: str
    scopes: tuple[str, ...]
    label: str


def token_id(token_hash: str) -> str:
    """The name of the token with that hash."""
    return token_hash[:_NAMED]


def age(token: Token) -> tuple[int, str]:
    """Orders tokens, the oldest first."""
    return token.created, token.hash
