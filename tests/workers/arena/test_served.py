"""`./run arena --against`: programs that play over HTTP, good ones and broken ones."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from service.rules import find
from tests.ports import free_port
from workers.arena.match import Match
from workers.arena.program import called
from workers.arena.served import PACKS, order
from workers.strategies import Budget

ROOT = Path(__file__).resolve().parents[3]
BOT = f"{sys.executable} {ROOT / 'examples' / 'bot.py'}"
SITS_DOWN = "--base {base} --game {game} --invite={invite}"


def match(variant: str = "botifarra", seats: int = 4) -> Match:
    return Match(variant, seats, "program", "casual", (Budget(60), Budget(0.1)))


@pytest.mark.parametrize(("variant", "seats"), [("botifarra", 4), ("samba", 3), ("bolivie", 4)])
def test_both_games_of_a_pair_are_ordered_with_the_same_cards(variant: str, seats: int) -> None:
    one, two = (order(match(variant, seats), 3, turn) for turn in (0, 1))
    assert one["setup"] == two["setup"]
    packs = one["setup"]["packs"]
    assert len(packs) == PACKS
    assert len(set(packs)) == PACKS
    assert all(sorted(pack) == sorted(find(variant)[1].pack()) for pack in packs)
    for chair, other in zip(one["seats"], two["seats"], strict=True):
        assert {chair["kind"], other["kind"]} == {"human", "ai"}
    assert len(json.dumps(one)) < 64 * 1024  # the largest body


def test_a_url_is_told_where_to_play(tmp_path: Path) -> None:
    heard: list[Any] = []

    class Bot(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Bot) as server, (tmp_path / "words").open("wb") as output:
        threading.Thread(target=server.handle_request, daemon=True).start()
        told = {"base": "http://127.0.0.1:1", "game": "g", "invite": "i"}
        assert called(f"http://127.0.0.1:{server.server_port}/play", told, output) is None
    assert heard == [told]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:{port}/play", "Connection refused"),
        ("http://127.0.0.1:none/play", "nonnumeric port"),
    ],
)
def test_a_url_that_cannot_be_told_says_why(url: str, said: str, tmp_path: Path) -> None:
    words = tmp_path / "words"
    with words.open("wb") as output:
        url = url.replace("{port}", str(free_port()))
        assert called(url, {"base": "b", "game": "g", "invite": "i"}, output) is None
    (line,) = words.read_text().splitlines()
    assert said in line


def against(tmp_path: Path, program: str, *more: str) -> Iterator[Any]:
    """What the arena prints, and each line of its JSON."""
    file = tmp_path / "figures.json"
    command = [sys.executable, "-m", "workers.arena", "botifarra", "casual", "--against", program]
    command += ["--pairs", "1", "--json", str(file), *more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    yield done.stdout
    yield from json.loads(file.read_text())


@pytest.mark.slow
def test_the_bot_of_the_examples_plays_a_pair_to_its_end(tmp_path: Path) -> None:
    printed, fields = against(tmp_path, f"{BOT} {SITS_DOWN}")
    assert "| program : casual |" in printed
    assert (fields["pairs"], fields["lost"]) == (1, [])
    program, casual = fields["players"]
    assert program["decisions"] > 20
    assert casual["decisions"] > 20
    assert program["mean_ms"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("-c 'raise SystemExit(\"no cards today\")'", "with code 1: no cards today"),
        ("-c 'import time; time.sleep(999)'", "did nothing for 3 seconds"),
    ],
)
def test_a_program_that_crashes_or_hangs_has_lost_and_it_says_so(
    program: str, told: str, tmp_path: Path
) -> None:
    printed, fields = against(tmp_path, f"{sys.executable} {program}", "--patience", "3")
    assert fields["win_rate"][0] == 0
    assert len(fields["lost"]) == 2
    assert all(told in line for line in fields["lost"])
    assert printed.count(told) == 2


@pytest.mark.slow
def test_a_program_that_leaves_in_the_middle_has_lost(tmp_path: Path) -> None:
    leaves = tmp_path / "leaves.py"
    leaves.write_text(
        f"import sys; sys.path.insert(0, {str(ROOT / 'examples')!r})\n"
        "import bot\n"
        "played = iter(range(3))\n"
        "def choose(commands):\n"
        "    return commands[0] if next(played, None) is not None else sys.exit('had enough')\n"
        "bot.choose = choose\n"
        "bot.main()\n"
    )
    _, fields = against(tmp_path, f"{sys.executable} {leaves} {SITS_DOWN}", "--patience", "4")
    assert fields["win_rate"][0] == 0
    assert len(fields["lost"]) == 2
    assert "had enough" in fields["lost"][0]
