"""What several parts of the edge say of a value."""

from collections.abc import Iterable
from typing import Final

from service.languages.catalogue import Sentence

UNKNOWN: Final = Sentence("Unknown.")
WHOLE: Final = Sentence("Must be a whole number from {min} to {max}.")
LENGTH: Final = Sentence("Must have {min} to {max} characters.")
PATTERN: Final = Sentence("Does not have the form that is asked for.")
INVISIBLE: Final = Sentence("Has a control, bidi or invisible character.")


def choice(words: Iterable[str]) -> Sentence:
    """What is said of a word that is none of these."""
    return Sentence("Must be one of: {choices}.", choices=", ".join(words))
