"""The body of a message: small, always the same bytes, and without a card."""

from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

from service.webhooks.news import News


def body(one: News, game: str, variant: str, root: str) -> bytes:
    """What is told of one event. `root` is the address of the API, empty where nobody set it."""
    about: dict[str, str | int] = {
        "game": game,
        "variant": variant,
        "version": one.version,
        "seat": one.seat,
        "status": one.status,
        "url": f"{root}/v1/games/{game}",
    }
    return made(one.kind, one.at, about)


def ping(hook: str, at: int) -> bytes:
    """What a test tells."""
    return made("ping", at, {"webhook": hook})


def made(kind: str, at: int, about: Mapping[str, str | int]) -> bytes:
    """A body in the form that Standard Webhooks asks for; `at` in milliseconds since 1970."""
    seconds, rest = divmod(at, 1000)
    moment = datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest * 1000)
    timestamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return msgspec.json.encode({"type": kind, "timestamp": timestamp, "data": about})
