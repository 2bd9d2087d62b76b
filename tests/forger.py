"""How records are tampered with: clumsily, in one place, or by somebody who mends what shows it.

alter   one field of one line, whatever it holds
break_  the lines themselves: one doubled, left out, cut short …
forge   with count, hashes, head and seal made right again, and where `salted` the salts too
"""

import copy
import hashlib
import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from service import fairness

Line = dict[str, Any]
Path = tuple[str | int, ...]


def lines_of(raw: bytes) -> list[Line]:
    """The lines of a record as JSON values."""
    return [json.loads(line) for line in raw.splitlines()]


def raw_of(lines: list[Line]) -> bytes:
    """The record of these lines, each in its one form."""
    return b"".join(_encoded(line) + b"\n" for line in lines)


def fields(value: Any, path: Path = ()) -> Iterator[Path]:
    """The places of all values within one, but for its own."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for name, item in inner:
        yield (*path, name)
        if isinstance(item, dict | list):
            yield from fields(item, (*path, name))


def changed(value: Any, rng: Random) -> Any:
    """Another value, mostly of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return rng.choice([value + 1, -value - 1, None, str(value)])
        case str():
            return rng.choice([value[::-1] + "x", value[1:] + "é", value + "\n", None, 7])
        case None:
            return rng.choice([0, "x", False])
        case [_, *_]:
            return rng.choice([value[:-1], [*value, value[0]], {}])
        case {"type": str(), **_rest}:
            return {**value, "added": 1}
        case _:
            return rng.choice([None, 1])


def altered(line: Line, path: Path, rng: Random) -> Line:
    """The line with another value in that place."""
    other = copy.deepcopy(line)
    *way, last = path
    holder: Any = other
    for name in way:
        holder = holder[name]
    holder[last] = changed(holder[last], rng)
    return other


def alter(raw: bytes, rng: Random) -> bytes:
    """One field of one line is another, left out, or one too many."""
    lines = lines_of(raw)
    place = rng.randrange(len(lines))
    path = rng.choice(list(fields(lines[place])))
    if rng.random() < 0.1:
        lines[place]["added"] = 1
    elif rng.random() < 0.1:
        del lines[place][rng.choice(list(lines[place]))]
    else:
        lines[place] = altered(lines[place], path, rng)
    return raw_of(lines)


def break_(raw: bytes, rng: Random) -> bytes:
    """Lines are lost, doubled, exchanged or damaged."""
    lines = raw.splitlines(keepends=True)
    one, other = rng.sample(range(len(lines)), 2)
    ways: list[Callable[[], object]] = [
        lambda: lines.pop(one),
        lambda: lines.pop(),
        lambda: lines.pop(0),
        lambda: lines.insert(other, lines[one]) if one else lines.pop(other),
        lambda: lines.__setitem__(slice(None), _exchanged(lines, one, other)),
        lambda: lines.__setitem__(-1, lines[-1][:-1]),
        lambda: lines.__setitem__(one, lines[one][: len(lines[one]) // 2] + b"\n"),
        lambda: lines.__setitem__(one, lines[one].replace(b":", b": ", 1)),
        lambda: lines.__setitem__(one, b"\n"),
        lambda: lines.__setitem__(one, b"\xff" + lines[one]),
        lambda: lines.append(lines[one] if one else b"{}\n"),
    ]
    rng.choice(ways)()
    return b"".join(lines)


def forge(raw: bytes, rng: Random, salted: bool) -> bytes:
    """Anything that somebody with an aim might change, and then all that would show it."""
    lines = lines_of(raw)
    header, *commits, footer = lines
    deals = [line["command"] for line in commits if _is(line["command"], "deal_cards")]
    starts = [line["command"] for line in commits if _is(line["command"], "start_game")]
    endings = [event for line in commits for event in line["events"] if _is(event, "game_ended")]
    opening = commits[0]["command"]
    reveal = commits[-1]["command"]

    def swap(cards: list[str]) -> None:
        one = rng.randrange(len(cards))
        others = [place for place, card in enumerate(cards) if card != cards[one]]
        other = rng.choice(others)
        cards[one], cards[other] = cards[other], cards[one]

    def new_secret() -> None:
        footer["secret"] = reveal["secret"] = rng.randbytes(32).hex()

    def new_commitment() -> None:
        new_secret()
        made = fairness.commitment(bytes.fromhex(footer["secret"]))
        for thing in (header, opening, commits[0]["events"][0]):
            thing["commitment"] = made

    def somewhere(line: Line) -> None:
        line.update(altered(line, rng.choice(list(fields(line))), rng))

    ways: list[Callable[[], object]] = [
        new_secret,
        new_commitment,
        lambda: footer.update(secret=rng.randbytes(32).hex()),
        lambda: opening.update(commitment="0" * 64),
        lambda: somewhere(header),
        lambda: somewhere(rng.choice(commits)),
        lambda: somewhere(footer),
        lambda: somewhere(opening),
        lambda: swap(header["pack"]),
        lambda: rng.choice(commits).update(at=0),
        lambda: footer["result"].update(winner=9),
        lambda: endings[0].update(why="resigned", winner=1),
        lambda: commits[-1]["events"].append(endings[0]),
        lambda: commits.pop(),
        lambda: commits.pop(rng.randrange(len(commits))),
        lambda: header.update(nonces=["aimed", *header["nonces"][1:]]),
        lambda: commits.insert(1, _commit({"type": "nonce_set", "seat": 0, "nonce": "aimed"})),
        lambda: commits.insert(1, _commit({"type": "seat_left", "seat": 0})),
    ]
    if deals:
        ways += [lambda: swap(rng.choice(deals)["pack"])] * 6
        ways += [lambda: starts[0].update(dealer=starts[0]["dealer"] + 1)] * 2
    rng.choice(ways)()
    return raw_of(mended([header, *commits, footer], salted))


def forge_all(raw: bytes, rng: Random) -> bytes:
    """Another secret, and everything that follows from it: a sound record of no game."""
    header, *commits, footer = lines_of(raw)
    secret = rng.randbytes(32)
    footer["secret"] = secret.hex()
    made = fairness.commitment(secret)
    for thing in (header, commits[0]["command"], commits[0]["events"][0]):
        thing["commitment"] = made
    deal = 0
    for line in commits:
        command = line["command"]
        if _is(command, "deal_cards"):
            deal += 1
            command["pack"] = fairness.pack(secret, header["nonces"], deal, header["pack"])
        elif _is(command, "start_game"):
            command["dealer"] = fairness.first_dealer(
                secret, header["nonces"], len(header["seats"])
            )
        elif _is(command, "reveal_secret"):
            command["secret"] = footer["secret"]
    return raw_of(mended([header, *commits, footer], salted=True))


def mended(lines: list[Line], salted: bool) -> list[Line]:
    """Versions, hashes, count, head and seal made right; the salts as well, if asked."""
    header, *commits, footer = lines
    before = ""
    known = re.fullmatch("[0-9a-f]{64}", str(footer["secret"]))
    secret = bytes.fromhex(known[0]) if known else bytes(32)
    for version, line in enumerate(commits, 1):
        line["version"] = version
        line["prev"] = before
        if salted:
            line["salt"] = fairness.salt(secret, version)
        before = _digest(_encoded(line))
    footer["commits"] = len(commits)
    footer["head"] = before
    footer["seal"] = _digest(raw_of([header, *commits]))
    return [header, *commits, footer]


def _commit(event: Line) -> Line:
    command = {"type": "invented", "seat": 0}
    return {"version": 0, "prev": "", "salt": "", "at": 0, "command": command, "events": [event]}


def _is(thing: Line, name: str) -> bool:
    kind: str = thing["type"]
    return kind.partition("@")[0] == name


def _exchanged(lines: list[bytes], one: int, other: int) -> list[bytes]:
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def _encoded(line: Line) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()


def _digest(data: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
