"""docs/replaying.md: its examples are run as they stand there, against the whole stack."""

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from service import record
from service.stack import Stack

PAGE = Path(__file__).parents[1] / "docs" / "replaying.md"
COMPUTERS = [{"kind": "ai", "level": "casual"}] * 4


def finished(client: httpx.Client) -> str:
    """A game of computer players that is over and exported."""
    body: dict[str, Any] = {"variant": "botifarra", "seats": COMPUTERS}
    body["options"] = {"target_score": 50}
    game: str = client.post("/v1/games", json=body).json()["id"]
    until = time.monotonic() + 120
    while f'"game":"{game}"' not in client.get("/v1/export").text:
        assert time.monotonic() < until
        time.sleep(0.3)
    return game


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("curl"), reason="curl is needed")
def test_the_page_s_examples_do_what_it_says(stack: Stack, tmp_path: Path) -> None:
    with httpx.Client(base_url=stack.base_url, timeout=30) as client:
        token = client.post("/v1/players", json={"name": "Bo"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        game = finished(client)
        lines = PAGE.read_text().splitlines()
        script = "\n".join(["set -eu", *(line[4:] for line in lines if line.startswith("    "))])
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=tmp_path,
            env=os.environ | {"TAPETE": stack.base_url.rstrip("/"), "GAME": game},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "problem" not in done.stdout
        assert done.stdout.count(f'"id":"{game}"') == 3
        assert f'"from":{{"game":"{game}","version":10}}' in done.stdout
        file = (tmp_path / "game.ndjson").read_bytes()
        assert file == client.get(f"/v1/games/{game}/record").content
        for name in ("games", "kept"):
            export = (tmp_path / f"{name}.ndjson").read_bytes().splitlines(keepends=True)
            assert file in list(record.split(export))
            assert export[-1].startswith(b'{"type":"end"')
            assert sum(line.startswith(b'{"type":"end"') for line in export) == 1


WHOLE = b'{"type":"header"}\nx\n{"type":"next","cursor":"abc"}\n'


@pytest.mark.parametrize(
    ("left", "kept", "cursor"),
    [
        (WHOLE + b'{"type":"header"}\ny', WHOLE, "&cursor=abc"),
        (WHOLE + b'{"type":"next","curs', WHOLE, "&cursor=abc"),
        (WHOLE + b'{"type":"error","code":"internal"}\n', WHOLE, "&cursor=abc"),
        (WHOLE, WHOLE, "&cursor=abc"),
        (WHOLE[:-1], WHOLE, "&cursor=abc"),
        (WHOLE[:-2], b"", ""),
        (WHOLE[:20], b"", ""),
        (b"", b"", ""),
    ],
)
def test_an_export_is_taken_up_wherever_it_was_cut_off(
    left: bytes, kept: bytes, cursor: str, tmp_path: Path
) -> None:
    page = PAGE.read_text()
    recipe = page[page.index("    LAST=") : page.index("(`awk` ends")]
    get = 'set -eu\nTAPETE=\nget() { echo "$1"; }\n'
    (tmp_path / "games.ndjson").write_bytes(left)
    subprocess.run(["sh", "-c", get + recipe], cwd=tmp_path, check=True)
    asked = f"/v1/export?since=2026-01-01T00:00:00Z{cursor}\n"
    assert (tmp_path / "kept.ndjson").read_bytes() == kept + asked.encode()
