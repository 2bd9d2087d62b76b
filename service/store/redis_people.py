"""Guests in Redis.

    player:{<id>}          hash: name, and bot = 1 for a bot
    player:{<id>}:tokens   hash: token's hash -> its scopes, label and time, as JSON
    token:{<sha256>}       hash: player, scopes; or gone = 1 for a day, once it is revoked
    link:{<sha256>}        string: what a one-time code is good for, as JSON; expires

The hashes of tokens and codes are in the keys, and they themselves are nowhere. A token works
while its own key names a player. So it is listed before that is written, and stays listed
until that is gone: whatever works can be revoked.

A player never changes, so each process remembers those it met lately. A token may be revoked at any
moment: it is looked up each time.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final, TypeVar, cast

import msgspec

from service.store import Bearer, Foreign, Player, checked
from service.store.exchange import Command
from service.store.lately import Lately
from service.store.link import Link
from service.store.refusals import good, translated
from service.store.tokens import USUAL, Ticket, Token, age

Form = TypeVar("Form")

_REMEMBERED: Final = 24 * 3600
"""Seconds for which a revoked token is not issued again: as long as an Idempotency-Key holds."""

MET: Final = 10_000
"""Players that a process remembers; some three MB."""

MET_SECONDS: Final = 60.0
"""For how long it does: by then one that was removed by hand is gone."""

_ISSUE: Final = """#!lua
if redis.call('HEXISTS', KEYS[1], 'gone') == 1 then return 'gone' end
if redis.call('HEXISTS', KEYS[1], 'player') == 1 then
  redis.call('HSET', KEYS[1], 'player', redis.call('HGET', KEYS[1], 'player'))
else
  redis.call('HSET', KEYS[1], 'player', ARGV[1], 'scopes', ARGV[2])
end
return 'issued'
"""

_REVOKE: Final = """#!lua
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'gone', 1)
redis.call('EXPIRE', KEYS[1], ARGV[1])
"""


class RedisPeople:
    """`People` on one Redis. Opens nothing before its first use; safe to fork.

    `replicas` is how many replicas must have a write before it returns. `link` is its way to Redis.
    """

    def __init__(
        self, url: str, *, prefix: str = "", timeout: float = 3.0, replicas: int = 0
    ) -> None:
        self.link = Link(url, timeout, replicas)
        self._prefix = prefix
        self._met: Lately[Player] = Lately(MET, MET_SECONDS)

    def add(self, player: Player, token: Token) -> None:
        """See `People.add`. The player first, so that no token is ever nobody's."""
        checked(token.hash)
        key = self._player(player.id)
        self.link.write(key, "HSET", key, "name", player.name, *(["bot", 1] if player.bot else []))
        self.issue(player.id, token)

    def by_token(self, token_hash: str) -> Bearer | None:
        """See `People.by_token`. One round trip, and another for a player not met lately."""
        return self.told(token_hash, self.link.ask(self.asking(token_hash))[0])

    def asking(self, token_hash: str) -> Command:
        """The command whose answer tells whose token it is; see `told`."""
        return "HMGET", self._token(token_hash), "player", "scopes"

    def told(self, token_hash: str, answer: Any) -> Bearer | None:
        """Whose token it is by that answer."""
        fields: list[bytes | None] = good(answer)
        if fields[0] is None:
            return None
        id = _text(fields[0])
        player = self.known([id]).get(id)
        scopes = USUAL if fields[1] is None else tuple(_text(fields[1]).split())
        return None if player is None else Bearer(player, token_hash, scopes)

    def known(self, players: Sequence[str]) -> dict[str, Player]:
        """See `People.known`. One round trip at most."""
        met = self._met.known(players)
        others = [player for player in players if player not in met]
        if not others:
            return met
        asked = [("HMGET", self._player(player), "name", "bot") for player in others]
        answers = map(good, self.link.ask(*asked))
        found = {
            player: Player(player, _text(name), bot is not None)
            for player, (name, bot) in zip(others, answers, strict=True)
            if name is not None
        }
        self._met.keep(found)
        return met | found

    def issue(self, player: str, token: Token) -> bool:
        """See `People.issue`."""
        key, listed = self._token(token.hash), self._listed(player)
        words = " ".join(token.scopes)
        told = msgspec.json.encode([token.scopes, token.label, token.created])
        self.link.write(listed, "HSETNX", listed, token.hash, told)
        if self.link.write(key, "EVAL", _ISSUE, 1, key, player, words) == b"issued":
            return True
        self.link.write(listed, "HDEL", listed, token.hash)
        return False

    def tokens(self, player: str) -> list[Token]:
        """See `People.tokens`."""
        with translated():
            found = cast("dict[bytes, bytes]", self.link.client.hgetall(self._listed(player)))
        return sorted((_token(_text(key), told) for key, told in found.items()), key=age)

    def revoke(self, player: str, token_hash: str) -> None:
        """See `People.revoke`."""
        key, listed = self._token(token_hash), self._listed(player)
        self.link.write(key, "EVAL", _REVOKE, 1, key, _REMEMBERED)
        self.link.write(listed, "HDEL", listed, token_hash)

    def offer(self, code_hash: str, ticket: Ticket, seconds: int) -> None:
        """See `People.offer`."""
        key = self._code(code_hash)
        self.link.write(key, "SET", key, msgspec.json.encode(ticket), "EX", seconds)

    def take(self, code_hash: str) -> Ticket | None:
        """See `People.take`. Where the first answer got lost nobody gets it."""
        key = self._code(code_hash)
        found = self.link.write(key, "GETDEL", key)
        return None if found is None else _read(found, Ticket)

    def standing(self, token_hashes: Collection[str]) -> set[str]:
        """See `People.standing`."""
        hashes = [*token_hashes]
        asked = [("HEXISTS", self._token(one), "player") for one in hashes]
        found = map(good, self.link.ask(*asked))
        return {one for one, there in zip(hashes, found, strict=True) if there}

    def _player(self, player: str) -> str:
        return f"{self._prefix}player:{{{player}}}"

    def _listed(self, player: str) -> str:
        return f"{self._player(player)}:tokens"

    def _token(self, token_hash: str) -> str:
        return f"{self._prefix}token:{{{checked(token_hash)}}}"

    def _code(self, code_hash: str) -> str:
        return f"{self._prefix}link:{{{checked(code_hash)}}}"


def _token(token_hash: str, told: bytes) -> Token:
    kept = _read(told, tuple[tuple[str, ...], str, int])
    return Token(token_hash, *kept)


def _read(kept: bytes, form: type[Form]) -> Form:
    """What was kept as JSON.

    Raises:
        Foreign: it was not by us.
    """
    try:
        return msgspec.json.decode(kept, type=form)
    except msgspec.DecodeError:
        raise Foreign("what is kept of somebody is not ours") from None


def _text(kept: bytes) -> str:
    try:
        return kept.decode()
    except UnicodeDecodeError:
        raise Foreign("what is kept of somebody is not ours") from None
