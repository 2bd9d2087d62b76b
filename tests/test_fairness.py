"""The deals follow from the secret by fixed bytes, and nobody can do better than guess."""

import hashlib
import hmac
import re
import struct
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from service import fairness
from service.rules import find
from service.store import codec

PAGE = Path(__file__).parent.parent / "docs" / "fairness.md"
SECRET = bytes(range(32))
CARDS = tuple(f"c{n}" for n in range(108))


NONCES = (None, "luck", None, None)


def joined(pack: Sequence[str]) -> str:
    """The digest of a pack as the page gives it."""
    return hashlib.sha256(" ".join(pack).encode()).hexdigest()


def test_the_vectors_of_the_page_never_change() -> None:
    """A change needs a new ALGORITHM, and a page that keeps the old one."""
    assert fairness.ALGORITHM == "hmac-sha256-fisher-yates-1"
    page = re.sub(r"\s+", " ", PAGE.read_text())
    nonces = NONCES[:2]
    key = hmac.digest(SECRET, b'tapete/deal 1\n[null,"luck"]', "sha256")
    words = struct.unpack(">3I", hmac.digest(key, bytes(8), "sha256")[:12])
    dealers = (fairness.first_dealer(SECRET, NONCES[:seats], seats) for seats in (2, 3, 4))
    spanish = find("botifarra")[1].pack()
    odd = (None, "luck", 'naïve ☂ "\n', None)
    facts = [
        f"The algorithm `{fairness.ALGORITHM}`",
        f"commitment {fairness.commitment(SECRET)}",
        f"salt of version 17 {fairness.salt(SECRET, 17)}",
        f"invite code {fairness.invite(SECRET)}",
        f"seed of seat 2, version 17 {fairness.seed(SECRET, 2, 17).hex()}",
        "first dealer of 2, 3, 4 " + " ".join(map(str, dealers)),
        f"key of deal 1 {key.hex()}",
        "its first words " + " ".join(map(str, words)),
        " ".join(fairness.pack(SECRET, odd, 2, spanish)),
        "the hash `" + codec.digest(b'{"version":1}') + "`",
    ]
    for name, cards in (
        ("108 texts", CARDS),
        ("canasta", find("canasta")[1].pack()),
        ("samba", find("samba")[1].pack()),
    ):
        pack = fairness.pack(SECRET, nonces, 1, cards)
        facts.append(f"{name} {' '.join(pack[:8])} {joined(pack)}")
    for fact in facts:
        assert fact in page


def test_the_fixed_orders_are_those_of_the_page() -> None:
    spanish = tuple(f"{suit}{number}" for suit in "OCEB" for number in range(1, 13))
    assert find("botifarra")[1].pack() == spanish
    ranks = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
    for name, copies, jokers in (("canasta", 2, 4), ("samba", 3, 6)):
        cards = (rank + suit for rank in ranks for suit in "cdhs" for _ in range(copies))
        assert find(name)[1].pack() == (*cards, *["JK"] * jokers)


def test_commitment_is_plain_sha256() -> None:
    assert (
        fairness.commitment(SECRET) == hashlib.sha256(b"tapete/commitment\n" + SECRET).hexdigest()
    )


def test_a_pack_by_the_written_algorithm() -> None:
    """docs/fairness.md once more, from its words instead of from our code."""
    key = hmac.digest(SECRET, b'tapete/deal 3\n[null,"h\xc3\xa9"]', "sha256")
    stream = b"".join(hmac.digest(key, block.to_bytes(8, "big"), "sha256") for block in range(200))
    numbers = [int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4)]
    cards = list(CARDS)
    for i in range(107, 0, -1):
        while (number := numbers.pop(0)) >= 2**32 - 2**32 % (i + 1):
            pass
        j = number % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    assert fairness.pack(SECRET, [None, "hé"], 3, CARDS) == tuple(cards)


def test_everything_that_should_matter_does() -> None:
    base = fairness.pack(SECRET, [None, None], 1, CARDS)
    others = [
        fairness.pack(SECRET[::-1], [None, None], 1, CARDS),
        fairness.pack(SECRET, ["a", None], 1, CARDS),
        fairness.pack(SECRET, [None, "a"], 1, CARDS),
        fairness.pack(SECRET, ["", None], 1, CARDS),
        fairness.pack(SECRET, [None, None], 2, CARDS),
    ]
    assert len({base, *others}) == 6
    assert all(sorted(pack) == sorted(CARDS) for pack in others)


def test_purposes_do_not_meet() -> None:
    """Salt, invite, seed and deals come from different messages under one secret."""
    texts = {
        fairness.salt(SECRET, 1),
        fairness.salt(SECRET, 2),
        fairness.invite(SECRET),
        fairness.seed(SECRET, 0, 1).hex(),
        fairness.seed(SECRET, 1, 1).hex(),
        fairness.seed(SECRET, 0, 11).hex(),
    }
    assert len(texts) == 6


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_deals_first_as_often(seats: int) -> None:
    games = 3000
    dealt = Counter(
        fairness.first_dealer(hashlib.sha256(bytes([seats, *divmod(n, 256)])).digest(), [], seats)
        for n in range(games)
    )
    chi = sum((dealt[seat] - games / seats) ** 2 / (games / seats) for seat in range(seats))
    assert chi < 20  # p < 0.0002 at three degrees of freedom
