"""The body of a call that wants nothing said: none at all, or an empty object."""

from typing import Final

from flask import request

from service.api.body import read_body
from service.api.fields import Record, load


class Nothing(Record):
    """A body that says nothing."""


_NOTHING: Final = Nothing()


def read_nothing() -> None:
    """Returns when the current request says nothing in its body.

    Raises:
        Problem: as `read_body`; 422 for any field.
    """
    if request.content_length or "Transfer-Encoding" in request.headers:
        load(_NOTHING, read_body().data)
