"""Four computer players finish a short game of bolivia in your terminal: `./run demo`.

    python examples/demo.py [--fast]

It starts a Tapete of its own (a free port, a folder that is thrown away), and is from then on
a client like any other: it opens a game, follows the feed, and asks for the table as it was at
every version. `screen.py` draws. With NO_COLOR, in a pipe or in a small window it prints plain
lines.
"""

import argparse
import itertools
import json
import signal
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from screen import Screen

from service.config import Config
from service.servers import ServerError
from service.stack import ServeError, Stack

TARGET = 2500
PAUSES = {"card_discarded": 0.12, "meld_laid": 0.25, "pile_taken": 0.5, "canasta_closed": 0.8}
"""Seconds to look at what happened; computer players alone would be done in no time."""


class Client:
    """The few calls that a spectator makes."""

    def __init__(self, base: str) -> None:
        self.base, self.token = base + "/v1", ""
        self.token = self.call("/players", {"name": "Guest"})["token"]

    def call(self, path: str, body: Any = None) -> Any:
        """GET, or POST where there is a body."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def events(self, game: str) -> Iterator[Any]:
        """Everything that happens, as it happens, to the end of the game."""
        after = "0"
        while True:
            feed = self.call(f"/games/{game}/events?after={after}&limit=500&wait=20")
            after = feed["next"]
            for event in feed["items"]:
                yield event
                if event["type"] == "game_ended":
                    return


def show(client: Client, screen: Screen, fast: bool) -> None:
    """Opens the game and shows it from the first card to the last."""
    computer = {"kind": "ai", "level": "casual"}
    order = {
        "variant": "bolivia",
        "seats": [computer] * 4,
        "options": {"target_score": TARGET},
        "sit": False,
    }
    game = client.call("/games", order)["id"]
    by_version = itertools.groupby(client.events(game), lambda event: event["version"])
    for version, commit in by_version:
        events = list(commit)
        for event in events:
            screen.tell(event)
        if screen.live:
            screen.draw(client.call(f"/games/{game}?at={version}"))
            pauses = [PAUSES.get(event["type"], 0.0) for event in events]
            time.sleep(0.0 if fast else max(pauses))
    screen.end(client.call(f"/games/{game}")["result"])


def interrupted(_number: int, _frame: FrameType | None) -> None:
    """Ends the show once; a second Ctrl-C does not disturb the tidying up."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def main() -> int:
    """Runs the demo and leaves nothing behind; returns the exit code."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    parser = argparse.ArgumentParser(prog="./run demo", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--fast", action="store_true", help="do not wait for the eye")
    options = parser.parse_args()
    screen = Screen(sys.stdout)
    try:
        with tempfile.TemporaryDirectory(prefix="tapete-demo-", ignore_cleanup_errors=True) as data:
            screen.say("Setting the table: a server, an API, two workers ...")
            try:
                config = Config(port=0, data=Path(data), webhook_workers=0, ai_pace=0.0)
                with screen, Stack(config, quiet=True) as stack:
                    show(Client(stack.base_url), screen, options.fast)
            except (ServeError, ServerError) as error:
                sys.stderr.write(f"demo: {error}\n{last_lines(Path(data) / 'stack.log')}")
                return 1
    except KeyboardInterrupt:
        screen.say("\nThe cards are put away.")
        return 130
    except BrokenPipeError:
        # Whoever read us has seen enough; the interpreter's last flush would complain.
        sys.stdout = None  # type: ignore[assignment]
        return 0
    return 0


def last_lines(log: Path) -> str:
    """The end of a log that is about to be deleted; empty where there is none."""
    try:
        return "\n".join(["", *log.read_text(errors="replace").splitlines()[-20:], ""])
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
