"""What a table agrees on beside the game: who may watch, when play begins, and hints."""

from typing import Any, Final

from marshmallow import ValidationError, fields

from service.languages.catalogue import Sentence
from service.rules.seating.commands import Terms

MOST_DELAY: Final = 1000
"""Events that spectators may be behind."""

STARTS: Final = ("full", "ready")


class Spectators(fields.Field[int | None]):
    """`"on"` is 0 events behind, `{"delay": 40}` that many, `"off"` None."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int | None:
        if value == "on":
            return 0
        if value == "off":
            return None
        delay = value.get("delay") if isinstance(value, dict) and len(value) == 1 else None
        if type(delay) is not int or not 1 <= delay <= MOST_DELAY:
            raise ValidationError(
                Sentence('Must be "on", "off" or {{"delay": 1 to {most}}}.', most=MOST_DELAY)
            )
        return delay


def show(terms: Terms) -> dict[str, Any]:
    """The terms as JSON values, in the words in which they are asked for."""
    behind = terms.spectators
    spectators = "off" if behind is None else {"delay": behind} if behind else "on"
    return {"spectators": spectators, "start": STARTS[terms.ready], "hints": terms.hints}
