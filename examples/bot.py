"""A computer player outside the service: any variant, nothing but the standard library.

    python examples/bot.py                            # bolivia with computer players
    python examples/bot.py --variant botifarra --target 50
    python examples/bot.py --game ID [--invite CODE]  # sits down at somebody's table
    python examples/bot.py --keep bot.json            # the file keeps who it is and where it plays;
                                                      # started again, it plays on

It waits by a stream, names the version that each command is meant for (`If-Match`), and sends a
command whose answer was lost once more under the same `Idempotency-Key`. Put your own head into
`choose`; docs/bots.md says what else a bot should know.
"""

import argparse
import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path

Json = dict


def choose(commands: list[Json]) -> Json:
    """Your bot's head. This one takes a kind first: there are many melds and one way to draw."""
    kind = random.choice(sorted({command["type"] for command in commands}))
    return random.choice([command for command in commands if command["type"] == kind])


class Refused(Exception):
    """The service said no; `problem` is its answer."""

    def __init__(self, problem: Json) -> None:
        super().__init__(f"{problem['status']} {problem['code']}: {problem['detail']}")
        self.status, self.code = problem["status"], problem["code"]


class Service:
    """The service as somebody with a token sees it."""

    def __init__(self, base: str, token: str = "") -> None:
        self.base, self.token = base.rstrip("/") + "/v1", token

    def open(self, method: str, path: str, body: Json | None = None, **headers: str):
        """An answer that is open to read.

        Raises:
            Refused: for good. Where there was no answer, or a later one may be better (429, 5xx),
                the same request is sent again: asking changes nothing, and what does has a key.
        """
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        for pause in (0.2, 0.5, 1, 2, 4, 8, None):
            try:
                return urllib.request.urlopen(request, timeout=45)
            except urllib.error.HTTPError as error:
                with error:
                    refused = Refused(json.load(error))
                if (refused.status != 429 and refused.status < 500) or pause is None:
                    raise refused from None
                time.sleep(float(error.headers.get("Retry-After", pause)))
            except (OSError, http.client.HTTPException):
                if pause is None:
                    raise
                time.sleep(pause)
        raise AssertionError

    def call(self, method: str, path: str, body: Json | None = None, **headers: str) -> Json:
        """The JSON of an answer; one that was cut off is asked for again. Raises as `open`."""
        for tries in range(5):
            try:
                with self.open(method, path, body, **headers) as answer:
                    return json.load(answer)
            except (ValueError, http.client.HTTPException):
                if tries == 4:
                    raise
        raise AssertionError

    def follow(self, game: str) -> Iterator[Json]:
        """What happens there, item by item, to the end of the game; a cut stream goes on."""
        after = ""
        while True:
            path = f"/games/{game}/events{after and '?after=' + after}"
            try:
                with self.open("GET", path, Accept="application/x-ndjson") as stream:
                    for line in stream:
                        if not line.strip():  # a heartbeat
                            continue
                        item = json.loads(line)
                        if item["type"] == "over":
                            return
                        if item["type"] == "problem" and item["status"] < 500:
                            raise Refused(item)
                        if item["type"] != "problem":
                            after = item["id"]
                            yield item
            except (OSError, ValueError, http.client.HTTPException):
                pass  # cut off, or 15 seconds of silence became 45: come back
            time.sleep(0.5)


def turn(service: Service, game: str) -> int:
    """Does what may be done, as long as something may; gives how many commands that were."""
    done = 0
    while True:
        allowed = service.call("GET", f"/games/{game}/commands")
        if not allowed["commands"]:
            return done
        version, key = f'"{allowed["version"]}"', str(uuid.uuid4())
        command = choose(allowed["commands"])
        path = f"/games/{game}/commands"
        try:
            service.call("POST", path, command, If_Match=version, Idempotency_Key=key)
            done += 1
        except Refused as refused:
            if refused.code == "game_over":
                return done
            if refused.status not in (409, 412):
                raise
            # Somebody was faster, or the time was up: look again.


def sit_down(service: Service, asked: argparse.Namespace) -> str:
    """A table to play at: the one that is named, or a new one with computer players."""
    if asked.game:
        body = {"invite": asked.invite} if asked.invite else {}
        service.call("POST", f"/games/{asked.game}/seats", body)
        return str(asked.game)
    others = [{"kind": "ai", "level": "casual"}] * (asked.seats - 1)
    wanted: Json = {"variant": asked.variant, "seats": [{"kind": "human"}, *others]}
    if asked.target:
        wanted["options"] = {"target_score": asked.target}
    made = service.call("POST", "/games", wanted, Idempotency_Key=str(uuid.uuid4()))
    return str(made["id"])


def play(asked: argparse.Namespace) -> Json:
    """Plays one game to its end and gives it as the bot sees it."""
    kept: Json = {}
    if asked.keep and asked.keep.exists():
        kept = json.loads(asked.keep.read_text())
    service = Service(asked.base, kept.get("token", ""))
    if not service.token:
        service.token = service.call("POST", "/players", {"name": asked.name, "bot": True})["token"]
    game = kept.get("game") or sit_down(service, asked)
    if asked.keep:
        asked.keep.touch(0o600)  # a token is a password
        asked.keep.write_text(json.dumps({"token": service.token, "game": game}))
    moves = seen = 0
    for item in service.follow(game):
        version = int(item["id"].partition(".")[0])
        if version > seen:  # a commit has several items; one look at each is enough
            seen = version
            moves += turn(service, game)
        if item["type"] == "deal_scored":
            print(f"deal {item['data']['deal']}: {item['data']['scores']}", flush=True)
    if asked.keep:
        asked.keep.write_text(json.dumps({"token": service.token}))
    print(f"{moves} moves")
    return service.call("GET", f"/games/{game}")


def main() -> None:
    """Reads the arguments, plays, tells who won."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--base", default="http://127.0.0.1:8080", help="where the API is")
    parser.add_argument("--name", default="Bot")
    parser.add_argument("--variant", default="bolivia")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--target", type=int, help="target score; its variant's if none")
    parser.add_argument("--game", help="the table to sit down at")
    parser.add_argument("--invite", help="its code, if it is private")
    parser.add_argument("--keep", type=Path, help="file that keeps the token and the game")
    try:
        game = play(parser.parse_args())
    except (Refused, OSError) as error:
        sys.exit(f"bot: {error}")
    result = game["result"] or {"winner": None, "scores": []}
    won = result["winner"] is not None and game["seats"][game["you"]]["side"] == result["winner"]
    print(f"{'won' if won else 'did not win'}: {result['scores']}")


if __name__ == "__main__":
    main()
