"""Garbage in circles is looked for less often, and yet goes."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from service.garbage import OBJECTS, settle


class Circle:
    """Holds itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def settled() -> Iterator[None]:
    before = gc.get_threshold()
    settle()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_circles_go_by_themselves(settled: None) -> None:
    first = weakref.ref(Circle())
    assert first()
    kept = [[number] for number in range(2 * OBJECTS)]
    assert first() is None
    assert len(kept) == 2 * OBJECTS


def test_what_was_there_is_looked_through_no_more(settled: None) -> None:
    assert gc.get_freeze_count() > OBJECTS
    assert len(gc.get_objects()) < gc.get_freeze_count()
