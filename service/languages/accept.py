"""Which language a reader wants: `Accept-Language` by RFC 9110, 12.5.4, and RFC 4647, 3.4.

fr-CA, en;q=0.5      fr        a range is cut from its end until it is a language
de, *                en        whatever there is
zh-TW                zh-Hant   a region stands for the script that is written there
"""

import re
from typing import Final

from service.languages import ENGLISH, LANGUAGES

MOST: Final = 50
"""Ranges that are looked at; nobody reads more languages."""

_RANGE: Final = re.compile(
    r"[ \t]*(?P<tag>\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)[ \t]*"
    r"(?:;[ \t]*[qQ]=(?P<quality>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?"
)

_TAGS: Final = {language.lower(): language for language in LANGUAGES} | {
    # Han is written in two ways, and few say which.
    **dict.fromkeys(("zh", "cmn", "zh-cn", "zh-sg", "zh-my", "cmn-hans"), "zh-Hans"),
    **dict.fromkeys(("zh-tw", "zh-hk", "zh-mo", "cmn-tw", "cmn-hant"), "zh-Hant"),
    **dict.fromkeys(("yue", "zh-yue"), "zh-Hant"),
    **dict.fromkeys(("yue-cn", "yue-hans", "zh-yue-hans"), "zh-Hans"),
}


def preferred(header: str) -> str:
    """The language that the header prefers; English when it takes none of ours.

    What cannot be read of the header is passed over: a wish is never an error.
    """
    wishes = [
        (float(match["quality"] or 1), match["tag"].lower())
        for part in header.split(",")[:MOST]
        if (match := _RANGE.fullmatch(part))
    ]
    refused = {_TAGS.get(tag) for quality, tag in wishes if not quality}
    for quality, tag in sorted(wishes, key=lambda wish: -wish[0]):
        if quality:
            for language in LANGUAGES if tag == "*" else _looked_up(tag):
                if language not in refused:
                    return language
    return ENGLISH


def _looked_up(tag: str) -> tuple[str, ...]:
    # No language here has more than three; a header may have thousands.
    subtags = tag.split("-")[:4]
    while subtags:
        if found := _TAGS.get("-".join(subtags)):
            return (found,)
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:  # a singleton says what the next ones are
            subtags.pop()
    return ()
