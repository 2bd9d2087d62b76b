"""The one-command start: `./run`, `./run api`, `./run worker`.

Serves until Ctrl-C or SIGTERM; what cannot be served is one line on stderr and exit code 1.
"""

import argparse
import contextlib
import os
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType

from service.config import Config, ConfigError
from service.servers import ServerError
from service.stack import Interrupted, Part, ServeError, Stack

__all__ = ["Stack", "main", "welcome"]


def welcome(url: str, kept: str) -> str:
    """The lines to paste into a shell for a first game of bolivia, and where to read on."""
    post = "curl -s -H 'content-type: application/json'"
    bearer = '-H "authorization: Bearer $T"'
    seats = ",".join(['{"kind":"human"}', *['{"kind":"ai","level":"casual"}'] * 3])
    game = f'{{"variant":"bolivia","seats":[{seats}]}}'
    return f"""\
Tapete is at {url} and Ctrl-C stops it. {kept}
A game of bolivia, to paste into another terminal:

  T=$({post} {url}/v1/players -d '{{"name":"Ada"}}' | {_pick("token")})
  G=$({post} {bearer} {url}/v1/games -d '{game}' | {_pick("id")})
  curl -s {bearer} {url}/v1/games/$G

How it goes on tells docs/first-game.md; {url}/docs has every call, to read and to try.

"""


def _kept(config: Config) -> str:
    if config.embedded:
        return f"The games are kept in {config.data}."
    return "The games are kept in the Redis of TAPETE_REDIS_URL."


def _pick(key: str) -> str:
    """A shell command that prints the first string under a key of the JSON it reads."""
    return f"""grep -o '"{key}": *"[^"]*' | head -n 1 | cut -d '"' -f 4"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until a signal says stop; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="./run",
        usage="./run [serve | api | worker]",
        description="Serves until Ctrl-C or SIGTERM. Settings are in the environment: README.md.",
    )
    # `./run` names the part; nobody else need know of it.
    every = ["all", "api", "worker"]
    parser.add_argument("part", nargs="?", choices=every, default="all", help=argparse.SUPPRESS)
    part: Part = parser.parse_args(arguments).part
    try:
        stack = Stack(Config.from_env(os.environ), part)
    except ConfigError as error:
        sys.stderr.write(f"tapete: {error}\n")
        return 1

    os.umask(0o077)  # whatever is written here holds games, and games hold secrets
    stopped = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopped
        stopped = True
        stack.interrupt()

    # Only a flag is set: an exception here could come between a child's start and our knowing it.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        with stack:
            with contextlib.suppress(ServeError):
                sys.stdout.write(welcome(stack.base_url, _kept(stack.config)))
                sys.stdout.flush()
            while not stopped:
                time.sleep(0.1)
            if sys.stdout.isatty():
                sys.stdout.write("\nStopping; a move under way is finished first.\n")
    except Interrupted:
        pass
    except (ServeError, ServerError) as error:
        if not stopped:
            sys.stderr.write(f"tapete: {error}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
