"""What a request says outside its body: who asks, headers, query parameters."""

import re
from collections.abc import Callable
from typing import Any, Final

from service.api.edge import current, edge, noted
from service.api.limits import count_player, count_stranger
from service.api.problems import Problem
from service.api.sentences import WHOLE, choice
from service.languages.catalogue import Sentence
from service.shelf import Table
from service.store import Bearer, Player
from service.tokens import digest, plausible

_VERSION: Final = re.compile(r'"([1-9][0-9]{0,15})"')
_KEY: Final = re.compile(r"[!-+\--~]{1,128}")


def caller(*scopes: str, game: str = "") -> Player:
    """The player whose token came with the request (RFC 6750, 2.1), which needs those scopes.

    Where they ask about a `game`, it is looked up in the same go; `look` and `find` in `eyes` take
    it from there.

    Raises:
        Problem: 401 without a token, 403 when it lacks a scope.
    """
    own = bearer(game)
    missing = [scope for scope in scopes if scope not in own.scopes]
    if missing:
        detail = Sentence("Your token lacks the scope {scope}.", scope=" ".join(missing))
        raise Problem("missing_scope", detail)
    return own.player


def bearer(game: str = "") -> Bearer:
    """The caller with their token's scopes; looked up once a request. For `game` see `caller`.

    Raises:
        Problem: 401, 429.
    """
    notes = noted()
    found: Bearer | None = notes.get("bearer")
    if found is None:
        found = _together(token(), game) if game else edge().guests.tokens.bearer(token())
        if found is None:
            count_stranger()
            raise Problem("unauthorized")
        count_player(found.player.id)
        notes.bearer = found
    return found


def table(game: str) -> Table:
    """The game now. The first time by what was looked up with the caller, if that was this game.

    Raises:
        NoSuchGame, Unreadable
    """
    known, load = noted().pop("looked_up", ("", None))
    return load() if load and known == game else edge().tables.load(game)


def _together(secret: str, game: str) -> Bearer | None:
    """The bearer of a token. Where this process remembers the game, what came since is read, too;
    a stranger is not to have more read than that."""
    own = edge()
    tables = own.tables
    known = tables.remembered(game)
    if known is None or not plausible(secret):
        return own.guests.tokens.bearer(secret)
    found, read = own.entrance.enter(digest(secret), game, known.version)
    noted().looked_up = game, lambda: tables.loaded(game, known, read())
    return found


def token() -> str:
    """The token that came with the request, whether it is one of ours or not."""
    scheme, _, given = current().environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def check_token() -> None:
    """To be called now and then by whoever takes long to answer: a token may be revoked meanwhile.

    Raises:
        Problem: 401.
    """
    if not edge().guests.tokens.valid(bearer()):
        raise Problem("unauthorized")


def if_match() -> int | None:
    """The version a command is meant for; None when any will do (RFC 9110, 13.1.1).

    Raises:
        Problem: 400 for weak tags, lists and everything else that is no version.
    """
    value = current().environ.get("HTTP_IF_MATCH", "*").strip()
    if value == "*":
        return None
    match = _VERSION.fullmatch(value)
    if not match:
        raise Problem("bad_if_match")
    return int(match[1])


def idempotency_key() -> str:
    """The caller's key, empty without one.

    Raises:
        Problem: 400 when it is no 1 to 128 visible ASCII characters. A comma is refused: with it
            two headers would be joined to one key (RFC 9110, 5.3).
    """
    value: str | None = current().environ.get("HTTP_IDEMPOTENCY_KEY")
    if value is None:
        return ""
    if not _KEY.fullmatch(value):
        raise Problem("bad_idempotency_key")
    return value


def query(**readers: Callable[[str], Any]) -> dict[str, Any]:
    """The query parameters, each through its reader; those not given are left out.

    Raises:
        Problem: 422 for an unknown or repeated parameter, or one whose reader raised ValueError.
    """
    values: dict[str, Any] = {}
    asked = current()
    if not asked.query_string:
        return values
    try:
        parameters = asked.args
    except UnicodeDecodeError:  # gunicorn lets no such URL in, others might
        error = {"path": "?", "detail": Sentence("Unknown parameter.")}
        raise Problem("invalid", errors=[error]) from None
    errors = []
    for name, given in parameters.lists():
        try:
            if name not in readers:
                raise ValueError(Sentence("Unknown parameter."))
            if len(given) > 1:
                raise ValueError(Sentence("Given more than once."))
            values[name] = readers[name](given[0])
        except ValueError as error:
            errors.append({"path": f"?{name[:60]}", "detail": error.args[0]})
    if errors:
        raise Problem("invalid", errors=errors[:20])
    return values


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number in a range, in plain digits."""

    def read(text: str) -> int:
        if re.fullmatch("[0-9]{1,16}", text) and least <= int(text) <= most:
            return int(text)
        raise ValueError(WHOLE.format(min=least, max=most))

    return read


def one_of(*choices: str) -> Callable[[str], str]:
    """Reads one of some words."""

    def read(text: str) -> str:
        if text in choices:
            return text
        raise ValueError(choice(choices))

    return read
