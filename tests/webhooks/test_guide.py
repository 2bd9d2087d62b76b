"""The receiver of docs/webhooks.md takes what we send, and nothing else."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.webhooks.postman import ATTEMPTS, SECONDS, WAITS
from tests.ports import free_port
from tests.webhooks.rig import Rig

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "examples" / "webhook_receiver.py"
GUIDE = (ROOT / "docs" / "webhooks.md").read_text()


@pytest.fixture
def rig() -> Rig:
    return Rig(f"http://127.0.0.1:{free_port()}/")


@pytest.fixture
def program(rig: Rig) -> Iterator["subprocess.Popen[str]"]:
    port = rig.url.rpartition(":")[2].strip("/")
    env = {**os.environ, "PORT": port, "TAPETE_WEBHOOK_SECRET": rig.hook().secret}
    with subprocess.Popen(
        [sys.executable, PROGRAM], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True,
    ) as running:  # fmt: skip
        until = time.monotonic() + 10
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", int(port))).close()
                break
            except OSError:
                time.sleep(0.02)
        yield running
        running.kill()


def test_the_receiver_takes_what_we_send(rig: Rig, program: "subprocess.Popen[str]") -> None:
    (hook,) = rig.keepers.hooks.of("anna")
    rig.webhooks.test(hook, "")
    rig.postman.run(hook.id)
    (one,) = rig.log(hook)
    assert (one.status, one.fault) == (204, "")
    assert program.stdout
    assert program.stdout.readline().startswith("ping {'webhook': ")
    forged = http.client.HTTPConnection("127.0.0.1", int(rig.url.rpartition(":")[2].strip("/")))
    headers = {"webhook-id": "m", "webhook-timestamp": str(int(time.time())),
               "webhook-signature": "v1,AAAA"}  # fmt: skip
    forged.request("POST", "/", b"{}", headers)
    assert forged.getresponse().status == 401


def test_the_guide_shows_the_program() -> None:
    shown = GUIDE.partition("```python\n")[2].partition("```")[0]
    assert shown in PROGRAM.read_text()


def test_the_guide_counts_as_the_program_does() -> None:
    assert (WAITS, ATTEMPTS, SECONDS) == ((5, 30, 120, 600, 1800, 7200, 18_000, 36_000), 9, 10.0)
    assert "5 and 30 seconds, 2, 10 and 30 minutes, 2, 5 and 10 hours" in GUIDE
