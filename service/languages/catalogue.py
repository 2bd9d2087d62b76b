"""Sentences for people, and what they are in other languages.

Each sentence is written once, in English, where it is needed; that English, with its braces, is
what the catalogues know it by. They are gettext's (`service/locale/<language>/LC_MESSAGES/`), read
from the `.po` files themselves, so nothing has to be compiled after a change.

    Sentence("Longer than {most}.", most=5)      "Longer than 5."          is a str
    said(sentence, "fr")                         "Plus long que 5."        None: not translated
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final, Self

from babel.messages.pofile import read_po

from service.languages import ENGLISH

DOMAIN: Final = "tapete"


class Sentence(str):
    """An English sentence that remembers how it was made, so that it can be said otherwise.

    Attributes:
        text: the sentence with its braces, a literal at the place where it is made.
        values: what stands in them; a Sentence among them is said in the same language.
    """

    __slots__ = ("text", "values")

    text: str
    values: Mapping[str, Any]

    def __new__(cls, text: str, **values: Any) -> Self:
        """The sentence; without values its braces stay, for `format` to fill."""
        sentence = super().__new__(cls, text.format(**values) if values else text)
        sentence.text = text
        sentence.values = values
        return sentence

    def format(self, *_: object, **values: object) -> "Sentence":
        """As marshmallow fills in its messages; values that are not told are let go."""
        told = {name for _, name, _, _ in Formatter().parse(self.text) if name}
        return Sentence(self.text, **{name: values[name] for name in sorted(told)})


def said(sentence: str, language: str) -> str | None:
    """The sentence in that language, or None where its catalogue does not have it."""
    if language == ENGLISH:
        return str(sentence)
    text, values = (
        (sentence.text, sentence.values) if isinstance(sentence, Sentence) else (sentence, {})
    )
    other = _read(language).get(text)
    if other is None or not values:
        return other
    return other.format(
        **{
            name: said(value, language) or value if isinstance(value, Sentence) else value
            for name, value in values.items()
        }
    )


def packed(sentence: Sentence) -> dict[str, Any]:
    """The sentence as JSON values, to be said later; `unpacked` is the way back."""
    values = {
        name: packed(value) if isinstance(value, Sentence) else value
        for name, value in sentence.values.items()
    }
    return {"text": sentence.text, "values": values}


def unpacked(data: Mapping[str, Any]) -> Sentence:
    """The sentence that was packed."""
    values = {
        name: unpacked(value) if isinstance(value, Mapping) else value
        for name, value in data["values"].items()
    }
    return Sentence(data["text"], **values)


def told(sentences: Iterable[str], language: str) -> tuple[str, list[str]]:
    """All of them in one language, and which: English if one of them is not translated."""
    asked = list(sentences)
    others = [said(sentence, language) for sentence in asked]
    whole = [other for other in others if other is not None]
    if len(whole) == len(asked):
        return language, whole
    return ENGLISH, [str(sentence) for sentence in asked]


@cache
def _read(language: str) -> Mapping[str, str]:
    place = files("service").joinpath(
        "locale", language.replace("-", "_"), "LC_MESSAGES", f"{DOMAIN}.po"
    )
    with place.open("rb") as file:
        catalogue = read_po(file, locale=language.replace("-", "_"))
    return {
        str(message.id): str(message.string)
        for message in catalogue
        if message.id and message.string and not message.fuzzy
    }
