"""What a process is told from outside: read once from the environment, then frozen.

    TAPETE_REDIS_URL          the server that keeps the games; without it `./run` starts its own
    TAPETE_QUEUE_URL          the server that keeps the jobs; the same one by default
    TAPETE_REPLICAS           replicas that must have a move before it is acknowledged: 0
    HOST, PORT                where the API listens: 127.0.0.1 and 8080; port 0 takes a free one
    TAPETE_DATA               folder of the embedded server's data: .data in the project
    TAPETE_PUBLIC_URL         the address in links, where a proxy stands in front of the API
    TAPETE_TRUSTED_PROXIES    how many proxies stand before the API, each adding X-Forwarded-*: 0
    TAPETE_CORS_ORIGINS       origins of pages that may use the API, or *; none
    TAPETE_BODY_LIMIT         largest request body, bytes
    TAPETE_RECORD_LIMIT       largest record that may be uploaded, bytes
    TAPETE_STREAMS            streams and long polls that an API process holds open
    TAPETE_STREAMS_EACH       those of one player in one process
    TAPETE_RATES              how much one caller may ask for, see docs/limits.md; off for no limit
    TAPETE_OPEN_GAMES         unfinished games that a player may have made or sit in
    TAPETE_METRICS            who may read /metrics: off, on for everybody, or a token of its own
    TAPETE_CACHE_SIZE         games whose newest state an API process remembers
    TAPETE_API_WORKERS        processes of the API
    TAPETE_WORKERS            processes that play for computer players
    TAPETE_WEBHOOK_WORKERS    processes that send webhooks; 0 for none
    TAPETE_WEBHOOK_NETWORKS   networks of one's own, such as 10.0.0.0/8, to which webhooks may lead
                              also, and by http; none
    TAPETE_SWEEP_SECONDS      pause between two looks for lost turns and passed deadlines
    TAPETE_LOST_TURN_SECONDS  age at which a computer player's turn counts as lost
    TAPETE_COLD_AFTER         seconds from its end until a game moves to the compact form
    TAPETE_ABANDON_AFTER      seconds without a change until a table that waits is given up
    TAPETE_AI_PACE            least seconds a computer player takes at a table with people
    TAPETE_AI_PAUSE           longer ones for some levels: club=0.5-1.5,master=2; none
    TAPETE_AI_BUDGET_MS       milliseconds a level may think about a move: club=100,master=1000

A variable that is empty counts as not set.

Over 250 lines, since every setting stands here, and nothing else.
"""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from service import levels
from service.levels import Budgets, Pauses
from service.rates import USUAL, Rate, parse, written
from service.servers import seeds

LOCAL_REDIS = "redis://127.0.0.1:6379/0"
DATA = Path(__file__).resolve().parent.parent / ".data"
_REDIS = ("redis", "rediss", "unix")
_HTTP = ("http", "https")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# Apps have schemes of their own: capacitor://localhost.
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


class ConfigError(ValueError):
    """A setting cannot be used. The message is one line and names the variable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of one process; `embedded` says that no server was given for the games.

    URLs of servers may hold a password and stay out of the repr, as does the token of the metrics.
    """

    redis_url: str = field(default=LOCAL_REDIS, repr=False)
    queue_url: str = field(default=LOCAL_REDIS, repr=False)
    embedded: bool = True
    replicas: int = 0
    host: str = "127.0.0.1"
    port: int = 8080
    data: Path = DATA
    public_url: str | None = None
    trusted_proxies: int = 0
    cors_origins: tuple[str, ...] = ()
    body_limit: int = 64 * 1024
    record_limit: int = 8 * 1024 * 1024
    streams: int = 2000
    streams_each: int = 8
    rates: tuple[Rate, ...] = USUAL
    open_games: int = 100
    metrics: str = field(default="off", repr=False)
    cache_size: int = 1000
    api_workers: int = 2
    workers: int = 2
    webhook_workers: int = 1
    webhook_networks: tuple[Network, ...] = ()
    sweep_seconds: float = 2.0
    lost_turn_seconds: float = 5.0
    cold_after: int = 86_400
    abandon_after: int = 7 * 86_400
    ai_pace: float = 0.2
    ai_pauses: Pauses = levels.NONE
    ai_budgets: Budgets = levels.USUAL

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """Reads the settings.

        Raises:
            ConfigError: a variable holds a value that cannot be used.
        """
        env = {name: value.strip() for name, value in environ.items() if value.strip()}
        usual = cls()
        redis_url = _url(env, "TAPETE_REDIS_URL", _REDIS) or LOCAL_REDIS
        public_url = _url(env, "TAPETE_PUBLIC_URL", _HTTP)
        return cls(
            redis_url=redis_url,
            queue_url=_url(env, "TAPETE_QUEUE_URL", _REDIS) or redis_url,
            embedded="TAPETE_REDIS_URL" not in env,
            replicas=_whole(env, "TAPETE_REPLICAS", usual.replicas, 0, 16),
            host=env.get("HOST", usual.host),
            port=_whole(env, "PORT", usual.port, 0, 65_535),
            data=_folder(env, "TAPETE_DATA", usual.data),
            public_url=public_url.rstrip("/") if public_url else None,
            trusted_proxies=_whole(env, "TAPETE_TRUSTED_PROXIES", usual.trusted_proxies, 0, 16),
            cors_origins=_origins(env, "TAPETE_CORS_ORIGINS"),
            body_limit=_whole(env, "TAPETE_BODY_LIMIT", usual.body_limit, 1024, 2**30),
            record_limit=_whole(env, "TAPETE_RECORD_LIMIT", usual.record_limit, 1024, 2**28),
            streams=_whole(env, "TAPETE_STREAMS", usual.streams, 1, 10**5),
            streams_each=_whole(env, "TAPETE_STREAMS_EACH", usual.streams_each, 1, 10**5),
            rates=_rates(env, "TAPETE_RATES"),
            open_games=_whole(env, "TAPETE_OPEN_GAMES", usual.open_games, 1, 10**6),
            metrics=_metrics(env, "TAPETE_METRICS"),
            cache_size=_whole(env, "TAPETE_CACHE_SIZE", usual.cache_size, 0, 10**7),
            api_workers=_whole(env, "TAPETE_API_WORKERS", usual.api_workers, 1, 256),
            workers=_whole(env, "TAPETE_WORKERS", usual.workers, 0, 256),
            webhook_workers=_whole(env, "TAPETE_WEBHOOK_WORKERS", usual.webhook_workers, 0, 16),
            webhook_networks=_networks(env, "TAPETE_WEBHOOK_NETWORKS"),
            sweep_seconds=_seconds(env, "TAPETE_SWEEP_SECONDS", usual.sweep_seconds, 0.05),
            lost_turn_seconds=_seconds(
                env, "TAPETE_LOST_TURN_SECONDS", usual.lost_turn_seconds, 0.05
            ),
            cold_after=_whole(env, "TAPETE_COLD_AFTER", usual.cold_after, 0, 10**9),
            abandon_after=_whole(env, "TAPETE_ABANDON_AFTER", usual.abandon_after, 1, 10**9),
            ai_pace=_seconds(env, "TAPETE_AI_PACE", usual.ai_pace, 0.0),
            ai_pauses=_pauses(env, "TAPETE_AI_PAUSE"),
            ai_budgets=_budgets(env, "TAPETE_AI_BUDGET_MS"),
        )

    def to_env(self) -> dict[str, str]:
        """The variables from which `from_env` reads this very Config: what a child is given.

        An embedded server is the parent's affair, so its URL must have been filled in before.
        """
        env = {
            "TAPETE_QUEUE_URL": self.queue_url,
            "TAPETE_REPLICAS": str(self.replicas),
            "HOST": self.host,
            "PORT": str(self.port),
            "TAPETE_DATA": str(self.data),
            "TAPETE_PUBLIC_URL": self.public_url or "",
            "TAPETE_TRUSTED_PROXIES": str(self.trusted_proxies),
            "TAPETE_CORS_ORIGINS": ",".join(self.cors_origins),
            "TAPETE_BODY_LIMIT": str(self.body_limit),
            "TAPETE_RECORD_LIMIT": str(self.record_limit),
            "TAPETE_STREAMS": str(self.streams),
            "TAPETE_STREAMS_EACH": str(self.streams_each),
            "TAPETE_RATES": written(self.rates),
            "TAPETE_OPEN_GAMES": str(self.open_games),
            "TAPETE_METRICS": self.metrics,
            "TAPETE_CACHE_SIZE": str(self.cache_size),
            "TAPETE_API_WORKERS": str(self.api_workers),
            "TAPETE_WORKERS": str(self.workers),
            "TAPETE_WEBHOOK_WORKERS": str(self.webhook_workers),
            "TAPETE_WEBHOOK_NETWORKS": ",".join(map(str, self.webhook_networks)),
            "TAPETE_SWEEP_SECONDS": repr(self.sweep_seconds),
            "TAPETE_LOST_TURN_SECONDS": repr(self.lost_turn_seconds),
            "TAPETE_COLD_AFTER": str(self.cold_after),
            "TAPETE_ABANDON_AFTER": str(self.abandon_after),
            "TAPETE_AI_PACE": repr(self.ai_pace),
            "TAPETE_AI_PAUSE": str(self.ai_pauses),
            "TAPETE_AI_BUDGET_MS": str(self.ai_budgets),
        }
        env["TAPETE_REDIS_URL"] = "" if self.embedded else self.redis_url
        return env


def _url(env: Mapping[str, str], name: str, schemes: tuple[str, ...]) -> str | None:
    value = env.get(name)
    if value is None:
        return None
    try:
        # Several servers may be named, but one address for links.
        named = [urlsplit(one) for one in (seeds(value) if schemes == _REDIS else [value])]
        whole = all(
            parts.scheme in schemes
            and bool(parts.path if parts.scheme == "unix" else parts.hostname)
            and parts.port != -1  # raises where it is no number
            for parts in named
        )
    except ValueError:
        whole = False
    if not whole:
        # The value may hold a password and is not repeated.
        raise ConfigError(
            f"{name} must be a URL that begins with {' or '.join(s + '://' for s in schemes)}"
        )
    return value


def _origins(env: Mapping[str, str], name: str) -> tuple[str, ...]:
    """Origins as browsers send them (RFC 6454, 6.1): lower case, no path, no slash at the end."""
    origins = tuple(one.strip() for one in env.get(name, "").split(",") if one.strip())
    for origin in origins:
        if not (_ORIGIN.fullmatch(origin) or origins == ("*",)):
            raise ConfigError(
                f"{name}: {origin!r} must be an origin such as https://cards.example, or * alone"
            )
    return origins


def _rates(env: Mapping[str, str], name: str) -> tuple[Rate, ...]:
    try:
        return parse(env.get(name, ""))
    except ValueError as error:
        names = ", ".join(rate.name for rate in USUAL)
        raise ConfigError(
            f"{name}: {str(error)!r} must be off or a rate such as moves=1000/10, "
            f"requests in seconds, or moves=off; there are {names}"
        ) from None


def _budgets(env: Mapping[str, str], name: str) -> Budgets:
    try:
        return levels.budgets(env.get(name, ""))
    except ValueError as error:
        raise ConfigError(
            f"{name}: {str(error)!r} must be a level and milliseconds such as master=1000; "
            f"the levels are {', '.join(Budgets._fields)}"
        ) from None


def _pauses(env: Mapping[str, str], name: str) -> Pauses:
    try:
        return levels.pauses(env.get(name, ""))
    except ValueError as error:
        raise ConfigError(
            f"{name}: {str(error)!r} must be a level and seconds such as master=2 or "
            f"club=0.5-1.5; the levels are {', '.join(Pauses._fields)}"
        ) from None


def _metrics(env: Mapping[str, str], name: str) -> str:
    value = env.get(name, "off")
    if value not in ("off", "on") and not re.fullmatch("[!-~]{16,128}", value):
        # The value may be most of a token and is not repeated.
        raise ConfigError(f"{name} must be off, on, or a token of 16 to 128 characters")
    return value


def _networks(env: Mapping[str, str], name: str) -> tuple[Network, ...]:
    found = []
    for text in filter(None, (one.strip() for one in env.get(name, "").split(","))):
        try:
            found.append(ipaddress.ip_network(text))
        except ValueError:
            raise ConfigError(
                f"{name}: {text[:60]!r} must be a network such as 10.0.0.0/8 or fd00::/8"
            ) from None
    return tuple(found)


def _folder(env: Mapping[str, str], name: str, usual: Path) -> Path:
    if name not in env:
        return usual
    try:
        return Path(env[name]).expanduser().absolute()
    except RuntimeError:
        raise ConfigError(
            f"{name}={env[name]!r} names a home directory that does not exist"
        ) from None


def _whole(env: Mapping[str, str], name: str, usual: int, least: int, most: int) -> int:
    value = env.get(name)
    if value is None:
        return usual
    # int() would take "1_000", "+5" and digits of other scripts.
    if not (value.isascii() and value.isdigit() and least <= int(value[:12]) <= most):
        raise ConfigError(f"{name}={value!r} must be a whole number from {least} to {most}")
    return int(value)


def _seconds(env: Mapping[str, str], name: str, usual: float, least: float) -> float:
    value = env.get(name)
    if value is None:
        return usual
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not least <= number <= 86_400:  # false for NaN too
        raise ConfigError(f"{name}={value!r} must be a number of seconds from {least:g} to 86400")
    return number
