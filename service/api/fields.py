"""marshmallow, strict: nothing is coerced, unknown fields are refused at every depth.

Schemas are built once, at start, and shared; none keeps anything between two loads.
"""

import unicodedata
from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, Final

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from service.api.problems import Problem
from service.api.sentences import INVISIBLE, LENGTH, UNKNOWN, WHOLE, choice
from service.languages.catalogue import Sentence

MOST_ERRORS: Final = 20
"""How many errors one answer names."""

NONCE_LENGTH: Final = 64

# Letters and marks that show as nothing at all: a name of them would be invisible.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_UNPRINTABLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


class Fault(Sentence):
    """An error's message that brings its code along."""

    __slots__ = ("code",)

    code: str

    @classmethod
    def of(cls, message: Sentence, code: str) -> "Fault":
        """The message with its code."""
        fault = cls(message.text, **message.values)
        fault.code = code
        return fault


class Record(Schema):
    """A schema that loads into `made(**fields)`."""

    class Meta:
        unknown = RAISE

    made: ClassVar[Any] = dict

    def load(self, data: Any, **more: Any) -> Any:
        """What is made of the data. A hook of marshmallow's would be looked for twice each time."""
        return type(self).made(**super().load(data, **more))


class Row(fields.List[Any]):
    """A list that loads into a tuple. Its length is looked at first, before any entry."""

    def __init__(self, entry: fields.Field[Any], longest: int, **more: Any) -> None:
        super().__init__(entry, **more)
        self.longest = longest

    def _deserialize(self, value: Any, *rest: Any, **more: Any) -> Any:
        if isinstance(value, list):
            if len(value) > self.longest:
                raise ValidationError(Sentence("Longer than {most}.", most=self.longest))
            if isinstance(self.inner, OneOf) and all(map(self.inner.takes, value)):
                return tuple(value)  # as cards mostly are; what is wrong with others is said below
        return tuple(super()._deserialize(value, *rest, **more))


class OneOf(fields.String):
    """One of some strings; `code` is the problem's code when it is none of them."""

    def __init__(self, choices: Collection[str], code: str = "invalid", **more: Any) -> None:
        super().__init__(**more)
        self.choices = choices
        self.code = code

    def takes(self, value: Any) -> bool:
        """Whether it is one of them."""
        return type(value) is str and value in self.choices

    def _deserialize(self, value: Any, *rest: Any, **more: Any) -> str:
        text: str = value if type(value) is str else super()._deserialize(value, *rest, **more)
        if not self.takes(text):
            few = len(self.choices) <= 20
            known = choice(self.choices) if few else UNKNOWN
            raise ValidationError([Fault.of(known, self.code)])
        return text


class Text(fields.String):
    """Printable text of 1 to `longest` characters, in NFC, without space around it.

    Control, bidi and zero-width characters are refused: they would make two names look alike.
    """

    def __init__(self, longest: int, **more: Any) -> None:
        super().__init__(**more)
        self.longest = longest

    def _deserialize(self, value: Any, *rest: Any, **more: Any) -> str:
        raw: str = super()._deserialize(value, *rest, **more)
        text = unicodedata.normalize("NFC", raw).strip()
        if not 1 <= len(text) <= self.longest:
            raise ValidationError(LENGTH.format(min=1, max=self.longest))
        if any(c in _BLANK or unicodedata.category(c) in _UNPRINTABLE for c in text):
            raise ValidationError(INVISIBLE)
        return text


def integer(least: int, most: int, **more: Any) -> fields.Integer:
    """A whole number in a range; no string, no 3.0 and no true is one."""
    return fields.Integer(strict=True, validate=validate.Range(least, most, error=WHOLE), **more)


class Flag(fields.Field[bool]):
    """True or false and nothing else; marshmallow's own takes 1 and "on"."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError(Sentence("Not a valid boolean."))
        return value


def load(schema: Schema, data: Mapping[str, Any]) -> Any:
    """What the schema makes of the data.

    Raises:
        Problem: 422 with `errors`, each with a JSON Pointer (RFC 6901) to the fault.
    """
    try:
        return schema.load(data)
    except ValidationError as error:
        raise problem(error.messages) from None


def problem(messages: Any) -> Problem:
    """The problem for marshmallow's error messages; its code is that of the first coded one."""
    errors = []
    code = "invalid"
    for path, message in _flat(messages, ""):
        error = {"path": path[:200], "detail": message}
        if isinstance(message, Fault):
            error["code"] = message.code
            if code == "invalid":
                code = message.code
        errors.append(error)
    return Problem(code, errors=errors[:MOST_ERRORS])


def _flat(messages: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            step = str(key).replace("~", "~0").replace("/", "~1")
            yield from _flat(inner, path if key == "_schema" else f"{path}/{step}")
    else:
        for message in messages:
            yield path, message
