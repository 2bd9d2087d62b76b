"""Names: every script and emoji, counted as people count, and nothing that cannot be seen."""

import unicodedata

import pytest
from marshmallow import ValidationError

from service.api.names import LONGEST, Name
from tests.api.client import House

FAMILY = "👨‍👩‍👧‍👦"
COUPLE = "👩🏽‍❤️‍💋‍👨🏾"
GOOD = [
    "Ada",
    "O'Neill-3",
    "Zoë",
    "Ναυσικά",
    "玩家一",
    "नमस्ते",
    "สวัสดี",
    "مريم",
    "שלום",
    "Nguyễn",
    "🂡 ace",
    "🇨🇾",
    "1️⃣",
    "❤️",
    FAMILY,
    COUPLE,
    "x" * LONGEST,
    FAMILY * 29,
    "🇨🇾" * LONGEST,
    "नि" * LONGEST,
]
BAD = {
    "nothing": "",
    "only space": " \u3000\u00a0 ",
    "too long": "x" * (LONGEST + 1),
    "too many flags": "🇨🇾" * (LONGEST + 1),
    "far too long": "x" * 60_000,
    "a control": "a\x07b",
    "a line end": "a\nb",
    "a separator": "a\u2028b",
    "right to left": "\u202egnirts",
    "isolated": "\u2066x\u2069",
    "a mark of direction": "a\u200fb",
    "no width": "a\u200bb",
    "no break": "a\u2060b",
    "a soft hyphen": "a\u00adb",
    "a byte order mark": "\ufeff",
    "joiner between letters": "a\u200db",
    "joiner at the end of an emoji": "👨\u200d",
    "non-joiner": "a\u200cb",
    "selector behind a letter": "a\ufe0f",
    "ideographic selector": "玩\U000e0100",
    "a tag": "a\U000e0041",
    "a filler": "\u3164",
    "braille blank": "a\u2800",
    "grapheme joiner": "a\u034fb",
    "private use": "a\ue000",
    "unassigned": "a\U000e0fff",
    "half a pair": "a\ud800",
    "a mark alone": "\u0301a",
    "a mark on a space": "a \u0301",
    "heaped marks": "a" + "\u0301\u0302\u0303\u0304\u0306\u0307\u0308",
}


def read(name: str) -> str:
    read: str = Name().deserialize(name)
    return read


@pytest.mark.parametrize("name", GOOD)
def test_a_name(name: str) -> None:
    assert read(name) == unicodedata.normalize("NFC", name)
    assert read(unicodedata.normalize("NFD", name)) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", BAD.values(), ids=BAD.keys())
def test_no_name(name: str) -> None:
    with pytest.raises(ValidationError):
        read(name)


def test_it_is_normalised_before_it_is_measured() -> None:
    assert read("e\u0301" * LONGEST) == "é" * LONGEST


def test_spaces_of_all_kinds_are_one() -> None:
    assert read("\u3000Ada \u00a0\u2003 Lovelace ") == "Ada Lovelace"


def test_it_comes_out_as_it_is_kept(house: House) -> None:
    made = house.anyone.ok("POST", "/v1/players", json={"name": f" {FAMILY}  Zoe\u0308 "})
    assert made["name"] == f"{FAMILY} Zoë"
