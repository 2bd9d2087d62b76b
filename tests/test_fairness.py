"""The deals follow from the secret by fixed bytes, and nobody can do better than guess."""

import hashlib
import hmac
from collections import Counter

import pytest

from service import fairness

SECRET = bytes(range(32))
CARDS = tuple(f"c{n}" for n in range(108))


def test_vectors_never_change() -> None:
    """The same numbers stand in docs/fairness.md: a change needs a new ALGORITHM."""
    assert fairness.ALGORITHM == "hmac-sha256-fisher-yates-1"
    assert (
        fairness.commitment(SECRET)
        == "df1b3572b529dcaff227b220d8bde1312bacf5af763036b6856cad8afad108b4"
    )
    assert fairness.first_dealer(SECRET, [None, "luck"], 2) == 0
    pack = fairness.pack(SECRET, [None, "luck"], 1, CARDS)
    assert pack[:8] == ("c85", "c3", "c45", "c72", "c80", "c101", "c11", "c81")
    assert hashlib.sha256(" ".join(pack).encode()).hexdigest() == (
        "d58bfc92eac45622b2790d8af9ba2657558e2a15bb3d2c99ef4512406c359196"
    )
    assert fairness.salt(SECRET, 17) == "Jn-FeZ3bRnHKyINAFQucRw"


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
