"""Two people and two computer players play a whole game over HTTP.

    python examples/two_people.py [BASE_URL] [VARIANT] [TARGET_SCORE]

All that a client needs is here: what may I do (GET commands), do it (POST commands), what
happened (GET events). The "people" pick any command that is allowed; put your own client there.
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

Json = dict


class Person:
    """A guest of the service, and the calls that a client makes."""

    def __init__(self, base: str, name: str) -> None:
        self.base, self.token = base + "/v1", ""
        self.token = self.call("POST", "/players", {"name": name})["token"]

    def call(self, method: str, path: str, body: Json | None = None, **headers: str) -> Json:
        """One request. When no answer comes it is sent again, which is safe:

        asking changes nothing, and a command has a key under which it is done only once.
        """
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        for wait in (0.2, 0.5, 1, 2, 4, None):
            try:
                request = urllib.request.Request(self.base + path, data, headers, method=method)
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code != 503 or wait is None:
                    raise
            except (OSError, ValueError, http.client.HTTPException):  # cut off at any place
                if wait is None:
                    raise
            time.sleep(wait)
        raise AssertionError

    def move(self, game: str) -> bool:
        """Does one of the things that are allowed now; False if there is none."""
        allowed = self.call("GET", f"/games/{game}/commands")
        if not allowed["commands"]:
            return False
        # A kind first, then one of the kind: there are many melds and only one way to draw.
        kind = random.choice(sorted({command["type"] for command in allowed["commands"]}))
        command = random.choice([c for c in allowed["commands"] if c["type"] == kind])
        version, key = f'"{allowed["version"]}"', str(uuid.uuid4())
        try:
            self.call(
                "POST", f"/games/{game}/commands", command, If_Match=version, Idempotency_Key=key
            )
        except urllib.error.HTTPError as error:
            if error.code != 412:  # somebody was faster: look again
                raise
        return True


def play(base: str, variant: str = "bolivia", target: int | None = None) -> Json:
    """Plays one game to its end; returns the game as one of the people sees it."""
    ada, ben = Person(base, "Ada"), Person(base, "Ben")
    person, computer = {"kind": "human"}, {"kind": "ai", "level": "casual"}
    opening: Json = {"variant": variant, "seats": [person, computer, person, computer]}
    if target:
        opening["options"] = {"target_score": target}
    game = ada.call("POST", "/games", opening, Idempotency_Key=str(uuid.uuid4()))["id"]
    ben.call("POST", f"/games/{game}/seats", {})

    after = "0"
    while True:
        while ada.move(game) or ben.move(game):
            pass
        news = ada.call("GET", f"/games/{game}/events?after={after}&limit=500&wait=20")
        after = news["next"]
        for event in news["items"]:
            if event["type"] == "deal_scored":
                print(f"deal {event['data']['deal']}: {event['data']['scores']}")
            if event["type"] == "game_ended":
                return ada.call("GET", f"/games/{game}")


def main() -> None:
    """Reads the arguments, plays, tells who won."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("base", nargs="?", default="http://127.0.0.1:8080", help="where the API is")
    parser.add_argument("variant", nargs="?", default="bolivia")
    parser.add_argument("target", nargs="?", type=int, help="target score; its variant's if none")
    given = parser.parse_args()
    base = given.base.rstrip("/")
    try:
        result = play(base, given.variant, given.target)["result"]
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.url}: {error.code} {error.read().decode()}")
    except OSError as error:
        sys.exit(f"nobody answers at {base}: {error}")
    winner = "nobody" if result["winner"] is None else f"side {result['winner']}"
    print(f"{winner} wins with {result['scores']}")


if __name__ == "__main__":
    main()
