"""Names of people, in every script, that look like what they are.

A name is 1 to 32 characters as people count them (grapheme clusters, UAX #29), in NFC. Nothing in
it is invisible or turns the direction of writing, so two names that look alike are alike but for
letters that look alike. Emoji are welcome, also those that are joined of several: only within
them may a joiner or a variation selector stand.
"""

import unicodedata
from typing import Any, Final

import regex
from marshmallow import ValidationError, fields

from service.api.sentences import INVISIBLE, LENGTH
from service.languages.catalogue import Sentence

LONGEST: Final = 32
"""Grapheme clusters in a name."""

_HEAPED: Final = 8
"""Code points for each of those: enough for families of emoji and for stacked letters."""

_CHARACTER: Final = regex.compile(r"\X")
_SPACES: Final = regex.compile(r"\p{Zs}+")
_EMOJI: Final = regex.compile(
    r"[0-9#*]\uFE0F?\u20E3"
    r"|\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?"
    r"(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)*"
)
# Braille's blank is no ignorable code point, and shows nothing all the same.
_UNSEEN: Final = regex.compile(r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]")
_LOOSE: Final = regex.compile(r"^\p{M}|[\p{Mn}\p{Me}]{6}| \p{M}")


class Name(fields.String):
    """A name, or a label: see above. Spaces of all kinds become one plain one, and none around."""

    def _deserialize(self, value: Any, *rest: Any, **more: Any) -> str:
        raw: str = super()._deserialize(value, *rest, **more)
        # Before anything that takes time by its length.
        if len(raw) > 4 * LONGEST * _HEAPED:
            raise ValidationError(_TOO_LONG)
        name: str = _SPACES.sub(" ", unicodedata.normalize("NFC", raw)).strip(" ")
        if _UNSEEN.search(_EMOJI.sub("x", name)):
            raise ValidationError(INVISIBLE)
        if _LOOSE.search(name):
            raise ValidationError(Sentence("Has marks without a letter, or too many on one."))
        length = len(_CHARACTER.findall(name))
        if not 1 <= length <= LONGEST or len(name) > LONGEST * _HEAPED:
            raise ValidationError(_TOO_LONG)
        return name


_TOO_LONG: Final = LENGTH.format(min=1, max=LONGEST)
