"""Any Redis-compatible server: what it must be, and whether one given by URL is that."""

import re

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

LEAST_VERSION = (7, 0)


class ServerError(RuntimeError):
    """A server cannot be started or used. The message is one line."""


def check(url: str, name: str = "TAPETE_REDIS_URL") -> list[str]:
    """Makes sure that a server can be used; returns warnings, one line each, on how it keeps data.

    Raises:
        ServerError: it cannot be reached, refuses us, or is older than Redis 7.0.
    """
    where = _without_password(url)
    client = impatient(url)
    try:
        info = client.info()
    except (redis.RedisError, OSError, ValueError) as error:
        raise ServerError(f"{name}: no Redis at {where}: {_one_line(error)}") from None
    finally:
        client.close()
    version = str(info.get("redis_version", "0"))
    if numbers(version) < LEAST_VERSION:
        raise ServerError(f"{name}: {where} is Redis {version}; 7.0 or newer is needed")
    warnings = []
    if info.get("maxmemory_policy", "noeviction") != "noeviction":
        warnings.append(
            f"{name}: {where} has maxmemory-policy {info['maxmemory_policy']}: when its memory is"
            " full it will throw games away; set noeviction"
        )
    if not info.get("aof_enabled", 1):
        warnings.append(
            f"{name}: {where} keeps no append-only file: games are lost when it stops;"
            " set appendonly yes"
        )
    elif info.get("aof_enabled") and _fsync(client) == "everysec":
        warnings.append(
            f"{name}: {where} has appendfsync everysec: a crash may lose the last two seconds of"
            " acknowledged moves; set always"
        )
    return warnings


def _fsync(client: redis.Redis) -> str:
    """The server's `appendfsync`; empty where it does not tell, as hosted ones may not."""
    try:
        return str(client.config_get("appendfsync").get("appendfsync", ""))
    except (redis.RedisError, OSError):
        return ""
    finally:
        client.close()


def impatient(url: str) -> redis.Redis:
    """A client that says at once what is wrong."""
    return redis.Redis.from_url(
        url, socket_connect_timeout=3, socket_timeout=3, retry=Retry(NoBackoff(), 0)
    )


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _without_password(url: str) -> str:
    return re.sub(r"//[^/@]*@", "//", url)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
