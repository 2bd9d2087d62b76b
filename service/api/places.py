"""The seats of a new game, as they are asked for."""

from typing import Any, Final

from marshmallow import ValidationError, validates_schema

from service.api.fields import OneOf, Record
from service.languages.catalogue import Sentence
from service.queue import LEVELS
from service.rules.seating.commands import Chair

MOST_SEATS: Final = 8


class Place(Record):
    """One of the seats: a free one for a person, or a computer player with its level."""

    made = Chair

    kind = OneOf(("human", "ai"), required=True)
    level = OneOf(LEVELS, "unknown_level", load_default=None)

    @validates_schema(skip_on_field_errors=True)
    def _level_of_computers(self, data: dict[str, Any], **_: Any) -> None:
        if data["kind"] == "ai" and data["level"] is None:
            raise ValidationError(Sentence("A computer player needs a level."), "level")
        if data["kind"] == "human" and data["level"] is not None:
            raise ValidationError(Sentence("Only computer players have a level."), "level")
