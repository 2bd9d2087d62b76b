"""In which languages people are spoken to, and how. Codes, names and cards are the same in all.

    accept      Accept-Language ──► one of LANGUAGES
    catalogue   a Sentence ──► the same in another language, from service/locale/
    words       numbers, lists and plurals of the rules' texts

Knows nothing of games or HTTP; docs/languages.md says how a language is added.
"""

from typing import Final

ENGLISH: Final = "en"
"""What the source is written in, and what is said where nothing else is known."""

LANGUAGES: Final = (ENGLISH, "fr", "es", "ca", "el", "zh-Hans", "zh-Hant")
"""As BCP 47 writes them (RFC 5646); who takes any gets the first."""
