"""What is remembered, and how soon it is forgotten."""

from service.store.lately import Lately


def test_what_was_kept_is_known_for_so_long() -> None:
    now = 0.0
    lately: Lately[int] = Lately(10, 5.0, lambda: now)
    lately.keep({"a": 1, "b": 2})
    now = 4.9
    lately.keep({"b": 3})
    assert lately.known(["b", "a", "c", "b"]) == {"a": 1, "b": 3}
    now = 5.0
    assert lately.known(["a", "b"]) == {"b": 3}


def test_the_oldest_are_forgotten_first() -> None:
    lately: Lately[int] = Lately(3, 5.0, lambda: 0.0)
    lately.keep({"a": 1, "b": 2, "c": 3})
    lately.keep({"a": 4})
    lately.keep({"d": 5})
    assert lately.known("abcd") == {"a": 4, "c": 3, "d": 5}
    assert len(lately) == 3


def test_what_changed_is_forgotten_at_once() -> None:
    lately: Lately[bool] = Lately(3, 5.0, lambda: 0.0)
    lately.keep({"a": False, "b": True})
    for key in ("a", "none"):
        lately.forget(key)
    assert lately.known("ab") == {"b": True}
