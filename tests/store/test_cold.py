"""The compact form gives back every line and hash, bit for bit, or is not made at all."""

import random
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service import fairness
from service.store import Entry, Meta, Unreadable, codec, cold
from tests.store.logs import RECORDS, chilled, head, over, recorded

SECRET = bytes(range(32))
GAME = over(12, SECRET)


def relinked(entries: list[Entry], number: int, line: bytes) -> list[Entry]:
    """The entries with another line, as if it had been kept so: its hash is right."""
    changed = list(entries)
    changed[number] = replace(changed[number], line=line, hash=codec.digest(line))
    return changed


@pytest.mark.sampled(7)
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("source", ["", "import"])
def test_every_golden_game_comes_back_bit_for_bit(path: Path, source: str) -> None:
    log = recorded(path, source=source)
    form = cold.chill(log)
    assert cold.thaw(form) == chilled(log)
    assert cold.length(form[: cold.FRONT]) == len(log)
    assert cold.chill(list(cold.thaw(form))) == form


def test_it_is_compact() -> None:
    """Sixteen times at least, where a game has some length."""
    for path in RECORDS:
        log = recorded(path)
        if len(log) > 250:
            assert len(cold.chill(log)) < sum(len(one.line) for one in log) / 16


LINES = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\n\r"))


@given(
    st.lists(st.tuples(st.integers(0, 2**40), LINES), max_size=20),
    st.binary(min_size=32, max_size=32),
    st.text(max_size=5),
)
def test_whatever_stands_in_a_line_comes_back(
    what: list[tuple[int, str]], secret: bytes, player: str
) -> None:
    what = [*what, (5, f'"command":{{"type":"reveal_secret","secret":"{secret.hex()}"}}}}')]
    log: list[Entry] = []
    for version, (at, text) in enumerate(what, 1):
        salt = fairness.salt(secret, version)
        line = f'{{"version":{version},"prev":"{head(log)}","salt":"{salt}","at":{at},{text}'
        log.append(Entry(version, line.encode(), codec.digest(line.encode()), Meta("a")))
    log[0] = replace(log[0], meta=Meta("a", player, secret=secret.hex()))
    assert cold.thaw(cold.chill(log)) == chilled(log)


@pytest.mark.parametrize("length", [0, 1, 11])
def test_a_game_that_may_go_on_is_not_made_compact(length: int) -> None:
    with pytest.raises(cold.NotOver):
        cold.chill(GAME[:length])


def test_nor_is_one_whose_opened_secret_is_another() -> None:
    line = GAME[-1].line.replace(SECRET.hex().encode(), b"11" * 32)
    with pytest.raises(cold.NotOver):
        cold.chill(relinked(GAME, 11, line))


def test_words_that_look_like_an_open_secret_open_nothing() -> None:
    """They would have to stand where the command does."""
    shown = GAME[-1].line.partition(b'"command":')[2]
    said = b'"command":{"type":"draw","seat":0},"events":[{"type":"x","command":' + shown
    at = GAME[-1].line.index(b'"command":')
    with pytest.raises(cold.NotOver):
        cold.chill(relinked(GAME, 11, GAME[-1].line[:at] + said))


SPOILT: dict[str, Callable[[list[Entry]], list[Entry]]] = {
    "a gap": lambda log: log[:5] + log[6:],
    "two changed places": lambda log: [*log[:5], log[6], log[5], *log[7:]],
    "another first": lambda log: log[1:],
    "a changed line": lambda log: [*log[:5], replace(log[5], line=log[5].line + b" "), *log[6:]],
    "a line changed with its hash": lambda log: relinked(log, 5, log[5].line + b" "),
    "a changed hash": lambda log: [*log[:5], replace(log[5], hash="A" * 43), *log[6:]],
    "a changed last hash": lambda log: [*log[:11], replace(log[11], hash="A" * 43)],
    "no hash": lambda log: [*log[:11], replace(log[11], hash="")],
    "another salt": lambda log: relinked(log, 11, log[11].line.replace(b'salt":"', b'salt":"x')),
    "another order": lambda log: relinked(log, 11, b'{"at":5,' + log[11].line[1:]),
    "a broken line": lambda log: relinked(
        log, 11, log[11].line.replace(b'"events"', b'\n"events"')
    ),
    "a line cut off": lambda log: relinked(log, 11, log[11].line[:20]),
    "no line": lambda log: relinked(log, 0, b""),
    "a time with zeros": lambda log: relinked(log, 11, log[11].line.replace(b'"at":', b'"at":00')),
    "a time that is none": lambda log: relinked(
        log, 11, log[11].line.replace(b'"at":1', b'"at":"1"')
    ),
    "no secret": lambda log: [replace(log[0], meta=Meta("a")), *log[1:]],
    "a secret that is none": lambda log: [replace(log[0], meta=Meta("a", secret="xy")), *log[1:]],
    "another secret": lambda log: [replace(log[0], meta=Meta("a", secret="11" * 32)), *log[1:]],
    "a secret in capitals": lambda log: [
        replace(log[0], meta=Meta("a", secret="AB" * 32)),
        *log[1:],
    ],
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_damaged_game_is_not_made_compact(spoil: Callable[[list[Entry]], list[Entry]]) -> None:
    with pytest.raises(Unreadable) as said:
        cold.chill(spoil(list(GAME)))
    assert "0001" not in str(said.value)


@pytest.mark.parametrize(
    "make", [lambda _: b"", lambda form: b"2" + form[1:], lambda form: form[:20]]
)
def test_another_form_is_none_that_is_known(make: Callable[[bytes], bytes]) -> None:
    form = make(cold.chill(GAME))
    with pytest.raises(Unreadable, match="none that is known"):
        cold.length(form)
    with pytest.raises(Unreadable, match="none that is known"):
        cold.thaw(form)


def test_no_changed_bit_is_read_as_another_game() -> None:
    form = cold.chill(GAME)
    rng = random.Random(5)
    for place in range(len(form)):
        changed = bytearray(form)
        changed[place] ^= 1 << rng.randrange(8)
        try:
            assert cold.thaw(bytes(changed)) == chilled(GAME)  # a bit that means nothing
        except Unreadable:
            continue
    for length in range(len(form)):
        with pytest.raises(Unreadable):
            cold.thaw(form[:length])


def test_another_count_is_no_game() -> None:
    form = cold.chill(GAME)
    with pytest.raises(Unreadable, match="ends elsewhere"):
        cold.thaw(struct.pack(">cI", b"1", 11) + form[5:])


def test_a_form_has_the_same_bytes_for_ever() -> None:
    """What was written once must be readable by every later release."""
    form = bytes.fromhex(
        "31000000023e36fc5d377319066884b40c1a05a18028e8da842d3c1512929ea2f24741f63d425a6839314159"
        "265359ea824038000059db80001010067f94000aae07dfaa20009409486a6936d500f536843f5436a0953299"
        "00d0000686911f67b0ca469ab4ed45206e3ab1108aab051fa0f158390b8667d45ed2ad4b6764e31158118a1a"
        "1e9f373189a6109124c08bfd37d90817e0131e6c6e5151861a864beef345f840bc12699142432a2931ea5f1b"
        "11fe2ee48a70a121d5048070"
    )
    assert cold.thaw(form) == chilled(over(2))


def test_a_form_is_taken_apart_once_for_several_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    form = cold.chill(GAME)
    taken: list[bytes] = []
    real = cold.thaw

    def thaw(raw: bytes) -> tuple[Entry, ...]:
        taken.append(raw)
        return real(raw)

    monkeypatch.setattr(cold, "thaw", thaw)
    cold.thawed.cache_clear()
    for _ in range(3):
        assert cold.thawed(form) == real(form)
    assert taken == [form]
    with pytest.raises(Unreadable):
        cold.thawed(form[:-1])
    assert cold.thawed.cache_info().maxsize == cold.REMEMBERED <= 10
