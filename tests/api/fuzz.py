"""schemathesis over all of openapi.yaml, against a real server: `./run fuzz`.

    python -m tests.api.fuzz [--examples 200] [--seed 1] [--only POST /v1/games]

The whole service runs for it: an embedded server, gunicorn, workers. For each call so many requests
are made of the contract, fitting and not, to games of every status, private ones too, with a
token and without. Looked for: a 500, a status, code, header or media type that the contract does
not name, a body that breaks its schema, a request taken that the contract forbids, a call that
forgets to ask for the token. A table of what was answered is printed; it ends with 1 if anything
was found.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import hypothesis
import schemathesis
from hypothesis import HealthCheck
from schemathesis.core.failures import Failure, FailureGroup

from service.config import Config
from service.stack import Stack
from tests.api import fuzzing

HUMAN = {"kind": "human"}
ROBOT = {"kind": "ai", "level": "novice"}


def furnish(base: str) -> tuple[str, Mapping[str, Sequence[str]]]:
    """A player's token; and what is there, by the name of a path's parameter."""
    with httpx.Client(base_url=base + "/v1", timeout=30) as http:

        def made(path: str, body: Any) -> Any:
            answer = http.post(path, json=body)
            assert answer.is_success, answer.text
            return answer.json()

        other = made("/players", {"name": "Bert"})["token"]
        anna = made("/players", {"name": "Anna"})
        token: str = anna["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        two = {"variant": "canasta", "seats": [HUMAN, HUMAN]}
        waiting = made("/games", two | {"visibility": "private"})["id"]
        four = {"variant": "botifarra", "seats": [HUMAN, ROBOT, ROBOT, ROBOT]}
        playing, finished = (made("/games", four)["id"] for _ in range(2))
        made(f"/games/{finished}/commands", {"type": "resign"})
        job = made("/audits", {"game": finished})["id"]
        named = made("/me/tokens", {"scopes": ["spectate"]})["id"]
        hook = made("/webhooks", {"url": "https://bot.example/"})["id"]
        http.headers["Authorization"] = f"Bearer {other}"
        others = made("/games", two)["id"]
        hidden = made("/games", two | {"visibility": "private"})["id"]
    ids = [waiting, playing, finished, others, hidden, job, anna["id"]]
    names = ["bolivia", "page.css"]
    return token, {"id": ids, "token": [named], "name": names, "hook": [hook]}


def tried(operation: Any, examples: int, seed: int) -> tuple[Counter[int], list[str]]:
    """Sends requests to one call: how often each status came, and what is wrong."""
    statuses: Counter[int] = Counter()
    found: dict[str, str] = {}

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    )
    @hypothesis.given(case=operation.as_strategy())
    def send(case: Any) -> None:
        response = case.call(headers={"Accept-Encoding": "identity"})
        statuses[response.status_code] += 1
        try:
            case.validate_response(response, checks=list(fuzzing.CHECKS))
        except FailureGroup as group:
            for failure in group.exceptions:
                found.setdefault(
                    f"{type(failure).__name__} {failure}"[:200], case.as_curl_command()
                )

    try:
        send()
    except Failure as failure:
        found[str(failure)] = ""
    return statuses, [f"{what}\n      {how[:600]}" for what, how in found.items()]


def main() -> int:
    """Reads the arguments, sends, tells what came of it."""
    parser = argparse.ArgumentParser(prog="./run fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--examples", type=int, default=200, help="requests for each call, at most")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--only", nargs=2, metavar=("METHOD", "PATH"), help="one call alone")
    asked = parser.parse_args()
    print(f"seed {asked.seed}")
    began, total, wrong = time.monotonic(), Counter[int](), 0
    with tempfile.TemporaryDirectory(prefix="tapete-fuzz-") as data:
        # Unlimited, or most of what is tried would be asked too often; and no stranger's server
        # is called, whatever URLs webhooks are given.
        unlimited = Config(rates=(), open_games=10**6, webhook_workers=0)
        config = replace(unlimited, port=0, data=Path(data), ai_pace=0.0)
        with Stack(config, quiet=True) as stack:
            token, there = furnish(stack.base_url)
            schema = schemathesis.openapi.from_url(f"{stack.base_url}/openapi.yaml")
            fuzzing.prepare(schema, token, there)
            for result in schema.get_all_operations():
                operation: Any = result.ok()  # type: ignore[union-attr]  # the contract is valid
                label = operation.label
                if asked.only and label != " ".join(asked.only):
                    continue
                statuses, found = tried(operation, asked.examples, asked.seed)
                told = "  ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
                print(f"{label:44} {told}", flush=True)
                for fault in found:
                    print(f"    {fault}", flush=True)
                total += statuses
                wrong += len(found)
    seconds = time.monotonic() - began
    print(f"{sum(total.values())} requests in {seconds:.0f} s, {wrong} faults found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
