"""Telling and sending as jobs: no receiver holds up the queue, and killed workers lose nothing."""

import contextlib
import json
import os
import signal
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from service.config import Config
from service.queue import DELIVER, SLOT, TELL, WEBHOOKS, Caller
from service.stack import Stack
from service.store import StoreUnavailable
from service.webhooks.postman import SECONDS
from tests.webhooks.receiver import HOME, Receiver
from tests.webhooks.rig import Rig
from workers import webhooks as jobs
from workers.webhooks import Postroom, TellFailed


def wait_until(true: Callable[[], Any], seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.01)


class Slow:
    """A postman whose receivers take until they are let go."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.go = threading.Event()
        self.ran: list[str] = []

    def run(self, hook: str) -> int:
        self.ran.append(hook)
        self.go.wait(10)
        if hook == "broken":
            raise ValueError("10h")
        return 1


@pytest.fixture
def slow() -> Iterator[Slow]:
    postman = Slow()
    yield postman
    postman.go.set()


def test_a_job_waits_for_no_receiver(slow: Slow) -> None:
    room = Postroom(slow, threads=2)  # type: ignore[arg-type]
    handed = [room.deliver(hook) for hook in ("a", "a", "b", "c")]
    assert handed == [True, False, True, False]  # one a hook, two in all
    assert not room.close(0.05)  # they wait still
    slow.go.set()
    assert room.close(5)
    assert sorted(slow.ran) == ["a", "b"]
    assert not room.deliver("d")  # it is closed


def test_a_sender_that_fails_makes_room_and_tells_no_message(
    slow: Slow, caplog: pytest.LogCaptureFixture
) -> None:
    room = Postroom(slow, threads=1)  # type: ignore[arg-type]
    room.deliver("broken")
    slow.go.set()
    wait_until(lambda: room.deliver("next"))
    assert room.close(5)
    assert "ValueError" in caplog.text
    assert "10h" not in caplog.text


def test_calls_hold_ids_as_json_and_nothing_else(redis_url: str) -> None:
    caller = Caller(redis_url)
    caller.tell("g", 7)
    caller.tell("g", 7)
    caller.tell("g", 7, 1)
    caller.deliver("h")
    caller.deliver("h")
    with Redis.from_url(redis_url) as client:
        found = Queue(WEBHOOKS, connection=client, serializer=JSONSerializer).get_jobs()
        raw = [client.hget(f"rq:job:{job.id}", "data") for job in found]
    assert [json.loads(zlib.decompress(one)) for one in raw] == [
        [TELL, None, ["g", 7], {}], [TELL, None, ["g", 7], {}], [DELIVER, None, ["h"], {}],
    ]  # fmt: skip


def test_a_job_that_fails_keeps_no_card_in_its_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    monkeypatch.setattr(jobs, "_teller", lambda: rig.teller)
    jobs.tell("nothing", 1)  # a game that is not there is no fault

    def fails(error: Exception) -> Callable[[str], int]:
        def tell(_: str) -> int:
            raise error

        return tell

    monkeypatch.setattr(rig.teller, "tell", fails(KeyError("10h")))
    with pytest.raises(TellFailed) as caught:
        jobs.tell("g", 1)
    assert "10h" not in str(caught.value)
    assert caught.value.__cause__ is None
    monkeypatch.setattr(rig.teller, "tell", fails(StoreUnavailable("away")))
    with pytest.raises(StoreUnavailable):
        jobs.tell("g", 1)


@pytest.mark.slow
def test_served_whole_with_a_receiver_that_hangs_and_killed_senders(tmp_path: Path) -> None:
    """A bot plays by webhooks alone, while another's receiver never answers and senders die."""
    config = Config(
        port=0,
        data=tmp_path,
        api_workers=1,
        workers=1,
        webhook_networks=HOME,
        sweep_seconds=0.2,
        lost_turn_seconds=0.5,
        ai_pace=0.0,
    )
    hang = threading.Event()
    with (
        Receiver() as receiver,
        Receiver() as tarpit,
        Stack(config, quiet=True) as stack,
        httpx.Client(base_url=stack.base_url) as http,
    ):

        def never(_: object) -> None:
            hang.wait(20)

        tarpit.script = [never] * 50

        def guest(name: str, url: str) -> tuple[dict[str, str], dict[str, Any]]:
            made = http.post("/v1/players", json={"name": name}).json()
            own = {"Authorization": f"Bearer {made['token']}"}
            hook = http.post("/v1/webhooks", json={"url": url}, headers=own)
            assert hook.status_code == 201, hook.text
            return own, hook.json()

        anna, hook = guest("Anna", receiver.url)
        bert, _ = guest("Bert", tarpit.url)
        body = {"variant": "botifarra", "seats": [{"kind": "human"}] * 2 + [
            {"kind": "ai", "level": "novice"}] * 2}  # fmt: skip
        game = http.post("/v1/games", json=body, headers=anna).json()["id"]
        http.post(f"/v1/games/{game}/seats", json={}, headers=bert)
        path = f"/v1/games/{game}/commands"
        took: list[float] = []
        killed = False
        while len(took) < 6:
            for own in (anna, bert):
                legal = http.get(path, headers=own).json()["commands"]
                if legal:
                    began = time.monotonic()
                    assert http.post(path, json=legal[0], headers=own).status_code == 201
                    took.append(time.monotonic() - began)
            if took and not killed:
                killed = True
                with contextlib.suppress(ProcessLookupError):
                    os.kill(stack.pids["webhooks-1"], signal.SIGKILL)
            time.sleep(0.05)
        wait_until(lambda: tarpit.got)
        resigned = http.post(path, json={"type": "resign"}, headers=bert)
        assert resigned.status_code == 201, resigned.text
        # A call that died half way into the queue is made again when its slot is over.
        late = SLOT + 20.0
        wait_until(lambda: any(b"game_finished" in one.body for one in receiver.got), late)
        told = {one.id: one.verified(hook["secret"]) for one in receiver.got}
        assert {one["data"]["game"] for one in told.values()} == {game}
        assert {"game_started", "your_turn", "game_finished"} <= {
            one["type"] for one in told.values()
        }
        # No command waited for a receiver, which has so long.
        assert sorted(took)[len(took) // 2] < SECONDS
        log = http.get(f"/v1/webhooks/{hook['id']}/deliveries", headers=anna).json()["items"]
        assert {one["message"] for one in log} <= set(told)
        hang.set()
