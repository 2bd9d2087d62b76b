"""For the health checks of containers: `python -m service.healthy api|worker`, exit code 0 or 1."""

import argparse
import os
import socket
import sys
from datetime import UTC, datetime, timedelta

import redis
from rq import Worker
from rq.serializers import JSONSerializer

from service.config import Config
from service.stack import healthy

TURNS = "turns"
"""The queue of computer players (`service.queue`, which is not needed to look)."""


def worker_healthy(config: Config) -> bool:
    """Whether a worker of this host who plays has reported within the time it promised to.

    One that only sends webhooks does not count.
    """
    with redis.Redis.from_url(config.queue_url, socket_timeout=3) as client:
        return any(
            worker.hostname == socket.gethostname()
            and TURNS in worker.queue_names()
            and worker.last_heartbeat is not None
            and datetime.now(UTC) - worker.last_heartbeat < timedelta(seconds=worker.worker_ttl)
            for worker in Worker.all(connection=client, serializer=JSONSerializer)
        )


def main() -> int:
    """Looks once."""
    parser = argparse.ArgumentParser(prog="service.healthy")
    parser.add_argument("part", choices=["api", "worker"])
    part = parser.parse_args().part
    config = Config.from_env(os.environ)
    try:
        well = healthy("127.0.0.1", config.port) if part == "api" else worker_healthy(config)
    except redis.RedisError:
        well = False
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
