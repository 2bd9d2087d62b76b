"""A program of somebody's, called to a table: a command that is started, or a URL that is told."""

import json
import os
import shlex
import shutil
import urllib.request
from http.client import HTTPException
from typing import IO, Final

from service.processes import Child, spawn

URL: Final = ("http://", "https://")


def check(program: str) -> None:
    """Says whether a program can be called.

    Raises:
        ValueError: it cannot; one line that says why.
    """
    if program.startswith(URL):
        return
    try:
        words = [word.format(base="", game="", invite="") for word in shlex.split(program)]
    except (ValueError, LookupError, AttributeError):
        raise ValueError("--against knows {base}, {game} and {invite} alone in braces") from None
    if not words or shutil.which(words[0]) is None:
        raise ValueError(f"there is no program {(words or [''])[0]!r}")


def called(program: str, told: dict[str, str], output: IO[bytes]) -> Child | None:
    """Calls the program to a table: starts it, or tells its URL, and then has no process.

    What the program writes, and why its URL could not be told, goes to `output`.
    """
    if program.startswith(URL):
        request = urllib.request.Request(  # noqa: S310
            program, json.dumps(told).encode(), {"Content-Type": "application/json"}
        )
        try:
            urllib.request.urlopen(request, timeout=30).close()  # noqa: S310
        except (OSError, HTTPException) as error:
            # Who does not come has lost by the clock.
            output.write(f"{program}: {error}\n".encode())
        return None
    words = [word.format(**told) for word in shlex.split(program)]
    env = {**os.environ, **{f"TAPETE_{name.upper()}": value for name, value in told.items()}}
    return spawn(words, env=env, output=output)
