"""Any Redis-compatible server: what it must be, and whether one given by URL is that.

A URL may name several servers of one Redis Cluster, `redis://one:7000,two:7001`, so that a process
can start while one of them is down. Any single one is enough to find the others.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

LEAST_VERSION = (7, 0)


class ServerError(RuntimeError):
    """A server cannot be started or used. The message is one line."""


def check(
    url: str, name: str = "TAPETE_REDIS_URL", *, jobs: bool = False, replicas: int = 0
) -> list[str]:
    """Makes sure that a server can be used; returns warnings, one line each, on how it keeps data.

    Of a cluster all masters are looked at. `jobs` says that jobs are to be kept there, `replicas`
    how many replicas are to have each move.

    Raises:
        ServerError: it cannot be reached, refuses us, is older than Redis 7.0, or is a cluster
            and to keep jobs.
    """
    first, clustered, info = _first(url, name)
    if clustered and jobs:
        raise ServerError(
            f"TAPETE_QUEUE_URL: {_without_password(first)} is a Redis Cluster, on which jobs cannot"
            " be kept; name a plain server"
        )
    if not clustered and len(seeds(url)) > 1:
        raise ServerError(
            f"{name}: several servers are named, but {_without_password(first)} is no cluster's"
        )
    if clustered and urlsplit(first).path.strip("/") not in ("", "0"):
        raise ServerError(f"{name}: a Redis Cluster has no other database than 0")
    if not clustered:
        return list(_warnings(first, name, info, replicas))
    warnings: list[str] = []
    for master in _masters(first, name):
        warnings += _warnings(master, name, _info(master, name), replicas)
    return warnings


def seeds(url: str) -> list[str]:
    """A URL for each of the servers that a URL names: one, or several of one cluster."""
    scheme, separator, rest = url.partition("://")
    if scheme == "unix":
        return [url]
    place = re.match(r"[^/?#]*", rest)
    assert place
    login, at, hosts = place[0].rpartition("@")
    return [
        f"{scheme}{separator}{login}{at}{host}{rest[place.end() :]}" for host in hosts.split(",")
    ]


def _first(url: str, name: str) -> tuple[str, bool, dict[str, Any]]:
    """The first of the servers that answers, whether it is a cluster's, and what it says."""
    named = seeds(url)
    for one in named[:-1]:
        try:
            info = _info(one, name)
        except ServerError:
            continue
        return one, bool(info.get("cluster_enabled")), info
    info = _info(named[-1], name)
    return named[-1], bool(info.get("cluster_enabled")), info


def _info(url: str, name: str) -> dict[str, Any]:
    client = impatient(url)
    try:
        info: dict[str, Any] = client.info()
    except (redis.RedisError, OSError, ValueError) as error:
        raise ServerError(
            f"{name}: no Redis at {_without_password(url)}: {_one_line(error)}"
        ) from None
    finally:
        client.close()
    version = str(info.get("redis_version", "0"))
    if numbers(version) < LEAST_VERSION:
        raise ServerError(
            f"{name}: {_without_password(url)} is Redis {version}; 7.0 or newer is needed"
        )
    return info


def _masters(url: str, name: str) -> list[str]:
    """The URLs of the masters of a cluster, each once."""
    client: Any = impatient(url)
    try:
        slots = client.execute_command("CLUSTER SLOTS")
    except (redis.RedisError, OSError) as error:
        raise ServerError(
            f"{name}: the cluster of {_without_password(url)} cannot be looked at:"
            f" {_one_line(error)}"
        ) from None
    finally:
        client.close()
    places = {(host or b"", port): None for _, _, (host, port, *_), *_ in slots}
    return [_elsewhere(url, host.decode(), port) for host, port in places]


def _elsewhere(url: str, host: str, port: int) -> str:
    """The same URL with another host; a server that does not know its own is where we found it."""
    parts = urlsplit(url)
    host = host if host not in ("", "?") else parts.hostname or ""
    login, at, _ = parts.netloc.rpartition("@")
    place = f"[{host}]" if ":" in host else host
    return parts._replace(netloc=f"{login}{at}{place}:{port}").geturl()


def _warnings(url: str, name: str, info: dict[str, Any], replicas: int) -> Iterator[str]:
    where = _without_password(url)
    if info.get("maxmemory_policy", "noeviction") != "noeviction":
        yield (
            f"{name}: {where} has maxmemory-policy {info['maxmemory_policy']}: when its memory is"
            " full it will throw games away; set noeviction"
        )
    if not info.get("aof_enabled", 1):
        yield (
            f"{name}: {where} keeps no append-only file: games are lost when it stops;"
            " set appendonly yes"
        )
    elif info.get("aof_enabled") and _fsync(url) == "everysec":
        yield (
            f"{name}: {where} has appendfsync everysec: a crash may lose the last two seconds of"
            " acknowledged moves; set always"
        )
    if info.get("connected_slaves", replicas) < replicas:
        yield (
            f"{name}: {where} has {info['connected_slaves']} replicas, and TAPETE_REPLICAS asks"
            f" for {replicas}: its moves will be refused"
        )


def _fsync(url: str) -> str:
    """The server's `appendfsync`; empty where it does not tell, as hosted ones may not."""
    client = impatient(url)
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
