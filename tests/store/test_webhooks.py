"""What every keeper of webhooks promises."""

from collections.abc import Iterator

import pytest
import redis

from service.store import memory_webhooks as in_memory
from service.store import redis_hooks, redis_messages
from service.store.memory_webhooks import memory_webhooks
from service.store.redis_messages import redis_webhooks
from service.store.webhooks import (
    BY_PLAYER,
    Attempt,
    Crowded,
    Hook,
    Keepers,
    Message,
    Removed,
)
from tests.store.proxy import Proxy

HOOK = Hook("h", "anna", "digest", "https://bot.example/", ("your_turn",), "bot", "whsec_AAAA")
LATER = 10**15


@pytest.fixture(params=["memory", "redis", "redis with prefix"])
def keepers(request: pytest.FixtureRequest) -> Keepers:
    if request.param == "memory":
        return memory_webhooks()
    url = request.getfixturevalue("redis_url")
    return redis_webhooks(url, prefix="a*[b]:" if request.param != "redis" else "")


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sends counts as gone at once, and who was called may be called again."""
    for module in (in_memory, redis_messages):
        monkeypatch.setattr(module, "LEASE", 0)
        monkeypatch.setattr(module, "CALLED", 0)


def message(name: str = "m", hook: str = "h") -> Message:
    return Message(name, hook, "your_turn", "g", 7, 1_000, b'{"a": "\xc3\xa9"}')


def attempt(of: Message, fault: str = "", due: int | None = None) -> Attempt:
    status = 500 if fault else 200
    return Attempt(of.id, of.kind, of.game, of.version, of.attempts, 5, 3, status, fault, due)


def begun(keepers: Keepers, holder: str = "one") -> Message:
    found = keepers.messages.begin("h", holder)
    assert isinstance(found, tuple)
    return found[0]


def look(keepers: Keepers) -> Hook:
    hook = keepers.hooks.find("h")
    assert hook
    return hook


def test_a_hook_is_kept_as_it_was_asked_for(keepers: Keepers) -> None:
    hook, fresh = keepers.hooks.add(HOOK)
    assert fresh
    assert hook.created == hook.since <= hook.now
    same = (hook.owner, hook.digest, hook.url, hook.kinds, hook.label, hook.secret)
    assert same == ("anna", "digest", HOOK.url, ("your_turn",), "bot", "whsec_AAAA")
    assert (hook.off, hook.failures, hook.succeeded, hook.pending) == ("", 0, 0, 0)
    assert look(keepers).created == hook.created
    assert [one.id for one in keepers.hooks.of("anna")] == ["h"]
    assert keepers.hooks.of("bert") == []
    assert keepers.hooks.subscribed(["anna", "bert"]) == {"anna"}
    assert keepers.hooks.find("other") is None


def test_no_secret_is_shown_by_chance(keepers: Keepers) -> None:
    hook, _ = keepers.hooks.add(HOOK)
    assert "AAAA" not in repr(hook)


def test_the_hook_that_is_there_stays_as_it_is(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    other = Hook("h", "bert", "other", "https://else.example/", (), "", "whsec_BBBB")
    hook, fresh = keepers.hooks.add(other)
    assert (hook.owner, hook.secret, fresh) == ("anna", "whsec_AAAA", False)


def test_a_player_has_so_many_and_no_more(keepers: Keepers) -> None:
    for number in range(BY_PLAYER):
        keepers.hooks.add(Hook(f"h{number}", "anna", "", "", (), "", "s"))
    with pytest.raises(Crowded):
        keepers.hooks.add(HOOK)
    keepers.hooks.add(Hook("b", "bert", "", "", (), "", "s"))
    keepers.hooks.remove(Hook("h3", "anna", "", "", (), "", "s"))
    keepers.hooks.add(HOOK)
    assert len(keepers.hooks.of("anna")) == BY_PLAYER


def test_a_removed_hook_is_gone_and_is_not_made_again(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    keepers.hooks.remove(HOOK)
    assert keepers.hooks.find("h") is None
    assert keepers.hooks.of("anna") == []
    assert keepers.hooks.subscribed(["anna"]) == set()
    assert keepers.messages.begin("h", "one") is None
    assert not keepers.messages.post(message("n"))
    assert keepers.hooks.change("h", url="x") is None
    assert keepers.hooks.rotate(HOOK, "s", "", 1) is None
    assert keepers.messages.due(10) == [] or not keepers.messages.remind("h")
    with pytest.raises(Removed):
        keepers.hooks.add(HOOK)


def test_what_is_changed_and_what_is_not(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    hook = keepers.hooks.change("h", url="https://new.example/", kinds=("question", "rematch"))
    assert hook
    assert (hook.url, hook.kinds) == ("https://new.example/", ("question", "rematch"))
    assert (hook.label, hook.secret) == ("bot", "whsec_AAAA")
    hook = keepers.hooks.change("h", label="")
    assert hook
    assert (hook.url, hook.label) == ("https://new.example/", "")


def test_off_gives_up_what_waits_and_on_begins_anew(keepers: Keepers) -> None:
    hook, _ = keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    assert look(keepers).pending == 1
    off = keepers.hooks.change("h", off="owner")
    assert off
    assert (off.off, off.pending, off.since) == ("owner", 0, hook.since)
    assert off.off_at >= hook.created
    assert not keepers.messages.post(message("n"))
    assert not keepers.messages.again("h", "m")
    assert keepers.messages.begin("h", "one") is None
    on = keepers.hooks.change("h", off="")
    assert on
    assert (on.off, on.since >= off.off_at) == ("", True)
    again = keepers.hooks.change("h", off="")
    assert again
    assert again.since == on.since


def test_two_secrets_sign_after_a_rotation(keepers: Keepers) -> None:
    hook, _ = keepers.hooks.add(HOOK)
    new = keepers.hooks.rotate(hook, "whsec_BBBB", "key", 60_000)
    assert new
    assert (new.secrets, new.rotation) == (("whsec_BBBB", "whsec_AAAA"), "key")
    late = keepers.hooks.rotate(hook, "whsec_CCCC", "other", 60_000)  # of what it no longer is
    assert late
    assert late.secret == "whsec_BBBB"
    over = keepers.hooks.rotate(late, "whsec_DDDD", "", 0)
    assert over
    assert over.secrets == ("whsec_DDDD",)


def test_keys_are_kept_by_hook(keepers: Keepers) -> None:
    keepers.hooks.keep("h", "k", "v")
    assert keepers.hooks.kept("h", "k") == "v"
    assert keepers.hooks.kept("h", "l") is None
    assert keepers.hooks.kept("i", "k") is None


def test_a_message_is_posted_once(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    assert not keepers.messages.post(message(hook="nobody"))
    assert keepers.messages.post(message())
    assert not keepers.messages.post(message())
    assert keepers.messages.find("h", "m") == message()
    assert keepers.messages.find("h", "n") is None
    assert look(keepers).pending == 1
    assert keepers.messages.due(10) == ["h"]


def test_a_message_goes_from_attempt_to_attempt(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    first = begun(keepers)
    assert (first.attempts, first.tries, first.body) == (1, 1, message().body)
    keepers.messages.settle(first, attempt(first, "status", first.at), holder="one")
    assert look(keepers).failures == 1
    second = begun(keepers, "two")
    assert (second.attempts, second.tries) == (2, 2)
    keepers.messages.settle(second, attempt(second), holder="two")
    hook = look(keepers)
    assert (hook.failures, hook.pending, hook.succeeded >= hook.created) == (0, 0, True)
    assert keepers.messages.begin("h", "two") is None
    done = keepers.messages.find("h", "m")
    assert done
    assert done.state == "delivered"
    assert [one.number for _, one in keepers.messages.log("h", "", 10)] == [2, 1]


def test_one_sends_at_a_time(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    keepers.messages.post(message("n"))
    begun(keepers)
    now = look(keepers).now
    assert isinstance(held := keepers.messages.begin("h", "two"), int)
    assert held > now
    assert not keepers.messages.remind("h")
    assert begun(keepers).id in ("m", "n")  # whoever has it goes on


def test_who_is_gone_is_followed_by_another(keepers: Keepers, brief: None) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    begun(keepers)
    assert begun(keepers, "two").attempts == 2


def test_what_is_due_later_waits(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    first = begun(keepers)
    keepers.messages.settle(first, attempt(first, "timeout", LATER), holder="one")
    assert keepers.messages.begin("h", "one") == LATER
    assert not keepers.messages.remind("h")
    assert keepers.messages.due(10) == []
    assert look(keepers).pending == 1


def test_a_rest_holds_for_all_messages(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    first = begun(keepers)
    keepers.messages.settle(first, attempt(first), holder="one", rest=60_000)
    keepers.messages.post(message("n"))
    until = keepers.messages.begin("h", "one")
    assert isinstance(until, int)
    assert until > look(keepers).now + 50_000


def test_a_hook_is_turned_off_by_an_attempt(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    keepers.messages.post(message("n"))
    first = begun(keepers)
    keepers.messages.settle(first, attempt(first, "status"), holder="one", off="gone")
    hook = look(keepers)
    assert (hook.off, hook.pending) == ("gone", 0)
    given_up = keepers.messages.find("h", first.id)
    assert given_up
    assert given_up.state == "failed"
    assert keepers.messages.begin("h", "one") is None


def test_an_attempt_that_ends_when_its_hook_is_off_brings_nothing_back(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    first = begun(keepers)
    keepers.hooks.change("h", off="owner")
    keepers.messages.settle(first, attempt(first, "status", LATER), holder="one")
    assert (look(keepers).off, look(keepers).pending) == ("owner", 0)
    assert len(keepers.messages.log("h", "", 10)) == 1


def test_too_much_waiting_turns_a_hook_off(
    keepers: Keepers, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (in_memory, redis_messages):
        monkeypatch.setattr(module, "PENDING", 2)
    keepers.hooks.add(HOOK)
    assert [keepers.messages.post(message(name)) for name in "mno"] == [True, True, False]
    assert (look(keepers).off, look(keepers).pending) == ("backlog", 0)


def test_a_message_is_sent_again_when_asked_for(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    first = begun(keepers)
    keepers.messages.settle(first, attempt(first), holder="one")
    assert not keepers.messages.again("h", "other")
    assert keepers.messages.again("h", "m")
    assert keepers.messages.due(10) == ["h"]
    second = begun(keepers)
    assert (second.attempts, second.tries, second.body) == (2, 1, first.body)


def test_what_is_asked_for_while_it_is_sent_is_due_when_that_is_over(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    for fault, due in (("", None), ("status", LATER), ("status", None)):
        one = begun(keepers)
        assert keepers.messages.again("h", "m")
        keepers.messages.settle(one, attempt(one, fault, due), holder="one")
        there = keepers.messages.find("h", "m")
        assert there
        assert (there.state, there.tries, look(keepers).pending) == ("pending", 0, 1)
    one = begun(keepers)
    assert (one.attempts, one.tries) == (4, 1)
    keepers.messages.settle(one, attempt(one), holder="one")
    assert look(keepers).pending == 0


def test_the_log_has_pages(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    for number in range(5):
        keepers.messages.post(message(f"m{number}"))
        one = begun(keepers)
        keepers.messages.settle(one, attempt(one), holder="one")
    seen: list[str] = []
    before = ""
    while page := keepers.messages.log("h", before, 2):
        seen += [one.message for _, one in page]
        before = page[-1][0]
    assert seen == ["m4", "m3", "m2", "m1", "m0"]
    assert keepers.messages.log("other", "", 2) == []
    for wrong in ("x", "1-x", "-", "²", "9" * 41 + "-1"):
        with pytest.raises(ValueError, match="place"):
            keepers.messages.log("h", wrong, 2)


def test_due_hooks_are_named_now_and_then(keepers: Keepers) -> None:
    keepers.hooks.add(HOOK)
    keepers.messages.post(message())
    assert keepers.messages.due(10) == ["h"]
    assert keepers.messages.due(10) == []  # called already
    assert keepers.messages.remind("h")  # whoever looks finds something due
    assert keepers.messages.due(10) == ["h"]


def test_a_host_has_so_many_callers(keepers: Keepers) -> None:
    inside = [keepers.messages.enter("bot.example", name, 2) for name in ("a", "b", "c", "a")]
    assert inside == [True, True, False, True]
    assert keepers.messages.enter("else.example", "c", 2)
    keepers.messages.leave("bot.example", "a")
    assert keepers.messages.enter("bot.example", "c", 2)


def test_what_was_told_only_grows(keepers: Keepers) -> None:
    assert keepers.told.told("g") == 0
    keepers.told.tell("g", 7)
    keepers.told.tell("g", 5)
    assert keepers.told.told("g") == 7


def test_games_are_watched_until_that_is_taken_back(keepers: Keepers) -> None:
    for game in ("g", "f", "g"):
        keepers.told.watch(game)
    assert sorted(keepers.told.watched(10)) == ["f", "g"]
    assert len(keepers.told.watched(1)) == 1
    keepers.told.unwatch("g")
    assert keepers.told.watched(10) == ["f"]


@pytest.fixture
def proxied(redis_url: str) -> Iterator[tuple[Proxy, Keepers, Keepers]]:
    with Proxy(redis_url) as proxy:
        yield proxy, redis_webhooks(proxy.url, timeout=0.5), redis_webhooks(redis_url)


def test_a_lost_answer_changes_nothing(proxied: tuple[Proxy, Keepers, Keepers]) -> None:
    proxy, lossy, sound = proxied
    sound.hooks.add(HOOK)
    lossy.hooks.find("h")  # connected, and knows the server
    proxy.lose("cut")
    assert lossy.messages.post(message()) in (True, False)
    assert look(sound).pending == 1
    lossy.messages.find("h", "m")
    one = begun(sound)
    proxy.lose("cut")
    lossy.messages.settle(one, attempt(one, "status", LATER), holder="one")
    assert look(sound).failures == 1
    assert len(sound.messages.log("h", "", 10)) == 1


def test_nothing_lives_for_ever_but_hooks(redis_url: str) -> None:
    keepers = redis_webhooks(redis_url)
    keepers.hooks.add(HOOK)
    keepers.hooks.keep("h", "k", "v")
    keepers.messages.post(message())
    keepers.messages.enter("bot.example", "a", 2)
    keepers.told.tell("g", 7)
    one = begun(keepers)
    keepers.messages.settle(one, attempt(one), holder="one")
    with redis.Redis.from_url(redis_url) as client:
        lasting = {key for key in client.scan_iter() if client.ttl(key) == -1}
        assert lasting == {b"webhook:{h}", b"webhook:{h}:log", b"player:{anna}:webhooks",
                           b"webhooks:due"}  # fmt: skip
        keepers.messages.remind("h")
        keepers.hooks.remove(HOOK)
        assert {key for key in client.scan_iter() if client.ttl(key) == -1} == set()


def test_a_place_without_a_hook_is_taken_back(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_hooks, "UNWRITTEN", -2_000)
    monkeypatch.setattr(redis_hooks, "BY_PLAYER", 1)
    keepers = redis_webhooks(redis_url)
    with redis.Redis.from_url(redis_url) as client:
        client.zadd("player:{anna}:webhooks", {"torso": 1})
    assert keepers.hooks.add(HOOK)[1]
    assert [one.id for one in keepers.hooks.of("anna")] == ["h"]
