"""One look at the tokens of all who listen to a game."""

import threading
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from service.api import listening
from service.api.listening import Listening
from service.api.problems import Problem
from service.store import StoreUnavailable


class Kept:
    """Tokens that count, and the looks at them; the first of them takes its time."""

    def __init__(self) -> None:
        self.good = {"anna", "bert"}
        self.looks: list[frozenset[str]] = []
        self.fails = False
        self.looking = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def standing(self, tokens: Collection[str]) -> set[str]:
        self.looks.append(frozenset(tokens))
        self.looking.set()
        assert self.go_on.wait(20)
        if self.fails:
            raise StoreUnavailable("away")
        return self.good & {*tokens}


def test_one_look_serves_all_who_know_of_that_version() -> None:
    kept = Kept()
    here = Listening(kept.standing)
    with here.to("g", "anna"), here.to("g", "bert"), here.to("other", "eve"):
        for token in ("anna", "bert", "anna"):
            here.check("g", 7, token)
        assert kept.looks == [{"anna", "bert"}]
        here.check("g", 6, "anna")
        assert len(kept.looks) == 1


def test_a_newer_version_is_a_look_of_its_own() -> None:
    kept = Kept()
    here = Listening(kept.standing)
    with here.to("g", "anna"), here.to("g", "bert"):
        here.check("g", 7, "anna")
        kept.good.remove("bert")
        with pytest.raises(Problem):
            here.check("g", 8, "bert")
        here.check("g", 8, "anna")
        assert len(kept.looks) == 2


def test_who_came_later_is_looked_at() -> None:
    kept = Kept()
    here = Listening(kept.standing)
    with here.to("g", "anna"):
        here.check("g", 7, "anna")
        with here.to("g", "eve"), pytest.raises(Problem):
            here.check("g", 7, "eve")
    assert kept.looks == [{"anna"}, {"anna", "eve"}]


def test_a_look_serves_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "FRESH", 0.0)
    kept = Kept()
    here = Listening(kept.standing)
    with here.to("g", "anna"):
        here.check("g", 7, "anna")
        kept.good.clear()
        with pytest.raises(Problem):
            here.check("g", 7, "anna")


def test_a_look_that_fails_fails_for_all_who_wait_and_for_nobody_after() -> None:
    kept = Kept()
    kept.fails = True
    kept.go_on.clear()
    here = Listening(kept.standing)
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        for token in ("anna", "bert"):
            stack.enter_context(here.to("g", token))
        first = pool.submit(here.check, "g", 7, "anna")
        assert kept.looking.wait(20)
        second = pool.submit(here.check, "g", 7, "bert")
        kept.go_on.set()
        for one in (first, second):
            with pytest.raises(StoreUnavailable):
                one.result(20)
        kept.fails = False
        here.check("g", 7, "anna")


def test_one_token_may_listen_twice() -> None:
    kept = Kept()
    here = Listening(kept.standing)
    with here.to("g", "anna"):
        with here.to("g", "anna"):
            pass
        here.check("g", 1, "anna")
    assert kept.looks == [{"anna"}]
