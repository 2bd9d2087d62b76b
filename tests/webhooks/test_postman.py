"""Sending to real receivers: at least once, signed anew, later and later, and when
it ends."""

import json
import time
from typing import Any

import pytest

from service.store.webhooks import Attempt, Hook
from service.webhooks import postman as sending
from service.webhooks.address import BadUrl
from service.webhooks.hooks import TurnedOff
from service.webhooks.postman import ATTEMPTS, FAILURES, HOST, WAITS
from tests.webhooks.receiver import Receiver, answer, silence
from tests.webhooks.rig import Rig


@pytest.fixture
def rig(receiver: Receiver) -> Rig:
    return Rig(receiver.url)


def next_due(rig: Rig, hook: Hook) -> int:
    """Lets time pass until something is due for the hook; how many seconds that took."""
    due = rig.keepers.messages.begin(hook.id, "looker")
    assert isinstance(due, int)
    waited, rig.now = due - rig.now, due
    return round(waited / 1000)


def run(rig: Rig, hook: Hook) -> list[Attempt]:
    rig.postman.run(hook.id)
    return rig.log(hook)


def test_three_failures_and_a_success(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    rig.post(hook)
    receiver.script = [answer(500)] * 3
    waits = []
    for _ in range(3):
        run(rig, hook)
        waits.append(next_due(rig, hook))
    log = run(rig, hook)
    assert waits == [5, 30, 120]
    assert [(one.number, one.status, one.fault) for one in log] == [
        (1, 500, "status"), (2, 500, "status"), (3, 500, "status"), (4, 204, ""),
    ]  # fmt: skip
    assert [one.next is None for one in log] == [False, False, False, True]
    # One event, one body; each attempt has a name and a signature of its own, of its own time.
    assert len(receiver.got) == 4
    assert len({(one.id, one.body) for one in receiver.got}) == 1
    for name in ("tapete-delivery", "webhook-timestamp", "webhook-signature"):
        assert len({one.headers[name] for one in receiver.got}) == 4
    assert all(one.verified(hook.secret) for one in receiver.got)
    assert receiver.got[0].headers["content-type"] == "application/json"
    after = rig.look(hook)
    assert (after.pending, after.failures, after.succeeded > 0) == (0, 0, True)


def test_a_receiver_that_stored_it_and_did_not_answer(rig: Rig, receiver: Receiver) -> None:
    rig.postman = rig.make_postman(seconds=0.2)
    hook = rig.hook()
    rig.post(hook)
    receiver.script = [silence]
    (lost,) = run(rig, hook)
    assert (lost.status, lost.fault) == (None, "timeout")
    next_due(rig, hook)
    run(rig, hook)
    one, two = receiver.got
    assert (one.id, one.body) == (two.id, two.body)  # by which it knows that it has it


def test_the_second_event_does_not_wait_for_the_first(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    rig.post(hook, 17)
    rig.post(hook, 18)
    receiver.script = [answer(503)]
    run(rig, hook)
    next_due(rig, hook)
    run(rig, hook)
    versions = [json.loads(one.body)["version"] for one in receiver.got]
    assert sorted(versions[:2]) == [17, 18]
    assert len(versions) == 3  # out of order; the version in the body says so
    assert len({one.id for one in receiver.got}) == 2


def test_two_hooks_of_one_event_are_two_messages(rig: Rig, receiver: Receiver) -> None:
    hooks = [rig.hook(), rig.hook()]
    for hook in hooks:
        rig.post(hook)
        run(rig, hook)
    assert len({one.id for one in receiver.got}) == 2
    assert receiver.got[0].verified(hooks[0].secret)


def test_both_secrets_sign_for_a_day(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    new = rig.webhooks.rotate(hook, "").hook
    assert new.secret != hook.secret
    rig.post(hook, 1)
    run(rig, hook)
    for secret in (hook.secret, new.secret):
        receiver.got[0].verified(secret)
    rig.now += 86_400_000
    rig.post(hook, 2)
    run(rig, hook)
    assert len(receiver.got[1].headers["webhook-signature"].split()) == 1


def test_after_its_last_attempt_a_message_is_given_up(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    rig.post(hook)
    receiver.script = [answer(500)] * 20
    run(rig, hook)
    waits = []
    for _ in WAITS:
        waits.append(next_due(rig, hook))
        run(rig, hook)
    assert waits == list(WAITS)
    assert len(rig.log(hook)) == len(receiver.got) == ATTEMPTS
    assert rig.log(hook)[-1].next is None
    # Nothing else was taken in all that time.
    off = rig.look(hook)
    assert (off.off, off.pending) == ("failing", 0)
    assert rig.postman.run(hook.id) == 0
    with pytest.raises(TurnedOff):
        rig.webhooks.test(off, "")
    # Enabled again, it is as it was; what was given up may be asked for.
    receiver.script.clear()
    on = rig.webhooks.change(off, None, None, None, enabled=True)
    assert (on.off, on.failures) == ("", 0)
    rig.webhooks.redeliver(on, receiver.got[0].headers["tapete-delivery"], "")
    assert run(rig, hook)[-1].status == 204
    assert receiver.got[-1].id == receiver.got[0].id


def test_a_hook_that_takes_others_stays_on(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    rig.post(hook)
    for number in range(ATTEMPTS):
        receiver.script = [answer(500)]
        run(rig, hook)
        rig.post(hook, 100 + number)
        run(rig, hook)
        if number + 1 < ATTEMPTS:
            next_due(rig, hook)
    assert rig.look(hook).off == ""
    assert rig.look(hook).pending == 0


def test_a_hundred_failures_in_a_row_turn_a_hook_off(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    for number in range(FAILURES + 5):
        rig.post(hook, number + 1)
    receiver.script = [answer(500)] * 200
    run(rig, hook)
    assert rig.look(hook).off == "failing"
    assert len(receiver.got) == FAILURES


def test_gone_is_gone(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    rig.post(hook, 1)
    rig.post(hook, 2)
    receiver.script = [answer(410)]
    assert run(rig, hook)[-1].next is None
    assert (rig.look(hook).off, len(receiver.got)) == ("gone", 1)


def test_a_receiver_may_ask_for_more_time_and_not_for_less(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    rig.post(hook)
    for asked, waited in (("60", 60), ("1", 30)):
        receiver.script = [answer(429, Retry_After=asked)]
        run(rig, hook)
        assert next_due(rig, hook) == waited


@pytest.mark.parametrize(("chance", "least", "most"), [(0.0, 4.0, 4.5), (0.999, 5.5, 6.0)])
def test_waits_are_left_to_chance(
    rig: Rig, receiver: Receiver, chance: float, least: float, most: float
) -> None:
    rig.postman = rig.make_postman(chance=lambda: chance)
    hook = rig.hook()
    rig.post(hook)
    receiver.script = [answer(500)]
    (one,) = run(rig, hook)
    assert one.next
    assert least <= (one.next - one.began - one.took) / 1000 <= most


def test_a_slow_receiver_rests(
    rig: Rig, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "SLOW", 0)
    hook = rig.hook()
    rig.post(hook, 1)
    rig.post(hook, 2)

    def slowly(handler: Any) -> None:
        time.sleep(0.05)
        answer(200)(handler)

    receiver.script = [slowly]
    (one,) = run(rig, hook)
    due = rig.keepers.messages.begin(hook.id, "looker")
    assert due == rig.now + 2 * one.took
    assert rig.keepers.messages.due(10) == []


def test_a_host_is_called_by_a_few_at_a_time(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    rig.post(hook)
    host = "127.0.0.1"
    for number in range(HOST):
        assert rig.keepers.messages.enter(host, f"other {number}", HOST)
    assert rig.postman.run(hook.id) == 0
    rig.keepers.messages.leave(host, "other 0")
    assert next_due(rig, hook) <= 2
    assert rig.postman.run(hook.id) == 1
    assert rig.keepers.messages.enter(host, "another", HOST)  # it left again


def test_a_port_makes_no_other_host_of_a_host() -> None:
    rig = Rig()
    urls = ("", ":443", ":00443", ":8443", ":9000/hook?x", "/:1", "?a:b")
    hooks = [rig.hook(url=f"https://bot.example{rest}") for rest in urls]
    rig.postman = rig.make_postman(resolve=lambda *_: [])
    for number in range(HOST):
        assert rig.keepers.messages.enter("bot.example", f"other {number}", HOST)
    for hook in hooks:
        rig.post(hook)
        assert rig.postman.run(hook.id) == 0, hook.url


def test_what_is_asked_for_again_while_it_is_sent_is_sent_again(
    rig: Rig, receiver: Receiver
) -> None:
    hook = rig.hook()
    rig.post(hook)
    again: list[str] = []

    def asked(handler: Any) -> None:
        message = handler.headers["webhook-id"]
        again.append(rig.webhooks.redeliver(hook, f"{message}-1", "")[0])
        answer(204)(handler)

    receiver.script = [asked]
    assert len(run(rig, hook)) == 2
    assert rig.look(hook).pending == 0
    assert [one.id for one in receiver.got] == again * 2


def test_the_checked_address_is_called_and_no_other(rig: Rig, receiver: Receiver) -> None:
    """The name's address changes between two looks (rebinding): there is no second look."""
    looks: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        looks.append(host)
        return ["127.0.0.1"] if len(looks) == 1 else ["169.254.169.254"]

    rig.postman = rig.make_postman(resolve=resolve)
    hook = rig.hook(url=f"http://bot.example:{receiver.port}/hook")
    rig.post(hook)
    assert run(rig, hook)[-1].status == 204
    assert looks == ["bot.example"]
    assert receiver.got[0].headers["host"] == f"bot.example:{receiver.port}"
    rig.post(hook, 2)
    refused = run(rig, hook)[-1]
    assert (refused.status, refused.fault, refused.next is not None) == (
        None, "forbidden_address", True,
    )  # fmt: skip
    assert len(looks) == 2


def test_what_cannot_be_sent_says_why(rig: Rig) -> None:
    def resolve(*_: Any) -> list[str]:
        raise OSError

    rig.postman = rig.make_postman(resolve=resolve)
    hook = rig.hook(url="https://bot.example/")
    rig.post(hook)
    assert run(rig, hook)[-1].fault == "unresolved"


def test_a_url_that_was_good_once_is_judged_again(rig: Rig, receiver: Receiver) -> None:
    """The networks of one's own were taken back."""
    hook = rig.hook()
    rig.post(hook)
    rig.postman._networks = ()
    assert run(rig, hook)[-1].fault == "forbidden_address"
    assert receiver.got == []
    rig.webhooks._networks = ()
    with pytest.raises(BadUrl):
        rig.webhooks.change(hook, receiver.url, None, None, None)


def test_turned_off_while_it_sends(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    rig.post(hook, 1)
    rig.post(hook, 2)

    def turn_off(handler: Any) -> None:
        rig.webhooks.change(hook, None, None, None, enabled=False)
        answer(500)(handler)

    receiver.script = [turn_off]
    run(rig, hook)
    assert (rig.look(hook).off, rig.look(hook).pending, len(receiver.got)) == ("owner", 0, 1)


def test_removed_while_it_sends(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    rig.post(hook, 1)
    rig.post(hook, 2)

    def remove(handler: Any) -> None:
        rig.webhooks.remove(hook)
        answer(200)(handler)

    receiver.script = [remove]
    assert rig.postman.run(hook.id) == 1
    assert rig.keepers.hooks.find(hook.id) is None
    assert rig.keepers.hooks.of("anna") == []


def test_a_ping_arrives(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook()
    message, replayed = rig.webhooks.test(hook, "key")
    assert not replayed
    assert rig.webhooks.test(hook, "key") == (message, True)
    run(rig, hook)
    assert rig.webhooks.test(rig.look(hook), "key") == (message, True)
    run(rig, hook)
    (got,) = receiver.got
    assert got.id == message
    body = got.verified(hook.secret)
    assert (body["type"], body["data"]) == ("ping", {"webhook": hook.id})


def test_what_is_logged_holds_no_secret(rig: Rig, receiver: Receiver) -> None:
    hook = rig.hook(url=receiver.url + "?token=hush")
    rig.post(hook)
    receiver.script = [answer(500)]
    run(rig, hook)
    logged = repr(rig.log(hook))
    for secret in (hook.secret, "whsec", "hush", "v1,"):
        assert secret not in logged
