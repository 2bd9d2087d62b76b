"""A player's tokens: made, listed and revoked; and the codes by which another device gets one.

    first token ──► more tokens, of no more scopes
         └────────► a code, for some minutes ──► a token on another device

A token that is asked for under an Idempotency-Key follows from the asking token and the key. So
the same answer can be given again, and still no token is kept anywhere.
"""

import hashlib
import hmac
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from service.store import Bearer, People, Player
from service.store.tokens import USUAL, Ticket, Token

PREFIX: Final = "tpt_"
"""Lets a leaked token be recognised by scanners."""

MOST: Final = 50
"""Tokens of one player."""

LINK_SECONDS: Final = 300
"""For how long a code is good."""

_LONGEST: Final = 128
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS: Final = str.maketrans("OIL", "011", "- ")
_CODE: Final = 12


class TooMany(Exception):
    """The player has as many tokens as one may have."""


class Revoked(Exception):
    """The token that was made under that key has been revoked since."""


class Other(Exception):
    """Another token was made under that key."""


class NoSuchCode(Exception):
    """The code is none, is too old, or was used."""


@dataclass(frozen=True, slots=True)
class Made:
    """A token with its secret, which is to be had here and never again."""

    secret: str
    token: Token
    replayed: bool = False


class Tokens:
    """The tokens of the people known here."""

    def __init__(self, people: People) -> None:
        self._people = people

    def first(self, player: Player) -> str:
        """Registers a player with a first token, which is returned."""
        secret = _fresh()
        self._people.add(player, Token(digest(secret), USUAL, "", _now()))
        return secret

    def bearer(self, secret: str) -> Bearer | None:
        """Whose token it is, and what it may do."""
        return self._people.by_token(digest(secret)) if plausible(secret) else None

    def valid(self, bearer: Bearer) -> bool:
        """Whether the token still is what it was."""
        return self._people.by_token(bearer.token) == bearer

    def standing(self, hashes: Collection[str]) -> set[str]:
        """Which of the tokens of these hashes count still, by one look at all of them."""
        return self._people.standing(hashes)

    def of(self, bearer: Bearer) -> list[Token]:
        """The tokens of the bearer's player, the oldest first.

        One from before there were lists comes into its own the first time it is asked for.
        """
        found = self._people.tokens(bearer.player.id)
        if all(token.hash != bearer.token for token in found):
            self._people.issue(bearer.player.id, Token(bearer.token, bearer.scopes))
            found = self._people.tokens(bearer.player.id)
        return found

    def make(
        self, bearer: Bearer, asking: str, scopes: tuple[str, ...], label: str, key: str
    ) -> Made:
        """Another token of the bearer's player; `asking` is the bearer's own, in clear.

        Raises:
            TooMany, Other, Revoked
        """
        listed = self._people.tokens(bearer.player.id)
        secret = _derived(asking, key) if key else _fresh()
        for known in listed:
            if known.hash == digest(secret):
                if (known.scopes, known.label) != (scopes, label):
                    raise Other
                return Made(secret, known, replayed=True)
        return self._issued(bearer.player.id, secret, scopes, label, listed)

    def revoke(self, bearer: Bearer, token: str) -> bool:
        """Ends the token of that name of the bearer's player; False when there is none."""
        for known in self.of(bearer):
            if known.id == token:
                self._people.revoke(bearer.player.id, known.hash)
                return True
        return False

    def link(self, bearer: Bearer, scopes: tuple[str, ...], label: str) -> str:
        """A code for a token of the bearer's player, good once and for `LINK_SECONDS`."""
        letters = "".join(secrets.choice(_ALPHABET) for _ in range(_CODE))
        ticket = Ticket(bearer.player.id, bearer.token, scopes, label)
        self._people.offer(digest(letters), ticket, LINK_SECONDS)
        return "-".join(letters[place : place + 4] for place in range(0, _CODE, 4))

    def exchange(self, code: str) -> tuple[Player, Made]:
        """The token that a code stands for. It must have been typed by hand, so it is read kindly.

        Raises:
            NoSuchCode, TooMany
        """
        ticket = self._people.take(digest(code.upper().translate(_READ_AS)))
        maker = self._people.by_token(ticket.maker) if ticket else None
        if ticket is None or maker is None:
            raise NoSuchCode
        listed = self._people.tokens(ticket.player)
        return maker.player, self._issued(
            ticket.player, _fresh(), ticket.scopes, ticket.label, listed
        )

    def _issued(
        self, player: str, secret: str, scopes: tuple[str, ...], label: str, listed: Sequence[Token]
    ) -> Made:
        if len(listed) >= MOST:
            raise TooMany
        # Later than each before it, so that "the oldest first" is one order.
        created = max([_now(), *(known.created + 1 for known in listed)])
        token = Token(digest(secret), scopes, label, created)
        if not self._people.issue(player, token):
            raise Revoked
        return Made(secret, token)


def plausible(secret: str) -> bool:
    """Whether it may be a token of ours."""
    return secret.startswith(PREFIX) and len(secret) <= _LONGEST


def digest(secret: str) -> str:
    """The SHA-256 by which a token is known: 256 random bits need no salt and no slow hash.

    A code has 60, and lives for minutes only.
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def _fresh() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def _derived(asking: str, key: str) -> str:
    made = hmac.digest(asking.encode(), f"token\n{key}".encode(), "sha256")
    return PREFIX + urlsafe_b64encode(made).rstrip(b"=").decode()


def _now() -> int:
    return time.time_ns() // 1_000_000
