"""Accept-Language, as browsers, phones and broken programs send it."""

import time

import pytest

from service.languages.accept import preferred


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        ("de, fr;q=0.5", "fr"),
        ("de", "en"),
        ("en-GB, fr", "en"),
        ("fr;q=0.2, es;q=0.9", "es"),
        ("es-419", "es"),
        ("ca-ES-valencia", "ca"),
        ("el-GR", "el"),
        ("el;q=0.1,de-AT;q=1.0", "el"),
        # Han
        ("zh", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh-SG", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK, zh;q=0.9", "zh-Hant"),
        ("zh-Hant", "zh-Hant"),
        ("zh-Hant-HK", "zh-Hant"),
        ("zh-Hans-TW", "zh-Hans"),
        ("zh-hans-cn-x-private", "zh-Hans"),
        ("zh-TW-x-anything", "zh-Hant"),
        ("yue", "zh-Hant"),
        ("cmn-Hans-CN", "zh-Hans"),
        # Any, and none
        ("*", "en"),
        ("de, *;q=0.1", "en"),
        ("en;q=0, *", "fr"),
        ("fr;q=0, fr-CA", "en"),
        ("fr-CA;q=0, fr", "fr"),
        ("en;q=0", "en"),
        ("fr;q=0", "en"),
        ("fr;q=0.000, es;q=0.001", "es"),
        # What cannot be read is passed over
        (",,, ,fr", "fr"),
        ("fr;q=2, es", "es"),
        ("fr;q=-1, es", "es"),
        ("fr;q=0.1234, ca;q=0.1", "ca"),
        ("fr;q=, es;q=.5, ca;q=0.5", "ca"),
        ("fr;level=1, ca", "ca"),
        ("fr_FR, ca", "ca"),
        ("fr es, ca", "ca"),
        ("français, es", "es"),
        ("\x00, \r\n, es", "es"),
        ("-", "en"),
        ("fr-", "en"),
        ("abcdefghi, x-fr, i-klingon", "en"),
        (" fr ; q=0.5 , ca ; Q=1 ", "ca"),
        ("fr\t;q=1", "fr"),
    ],
)
def test_a_header_leads_to_a_language(header: str, language: str) -> None:
    assert preferred(header) == language


def test_equal_wishes_are_taken_in_their_order() -> None:
    assert preferred("ca;q=0.5, fr;q=0.5") == "ca"
    assert preferred("fr;q=0.5, ca;q=0.5") == "fr"


def test_a_long_header_is_read_quickly_and_not_to_its_end() -> None:
    start = time.process_time()
    assert preferred("de," * 3000 + "fr") == "en"
    assert preferred("a-" * 5000 + "b") == "en"
    assert preferred(";q=0" * 3000) == "en"
    assert time.process_time() - start < 0.1
