"""Every field of every line of a record altered, with and without mending what that breaks.

    alterations(raw)  ─► what was altered, the lines as JSON values
    written(lines)    ─► bytes, nothing mended
    mended(lines)     ─► bytes, with versions, salts, chain, head and seal made anew

Who mends has the revealed secret, hence all that can be computed from a record.
"""

import copy
import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Any

from service import fairness

Lines = list[dict[str, Any]]


def parsed(raw: bytes) -> Lines:
    """A record's lines as JSON values."""
    return [json.loads(line) for line in raw.decode().splitlines()]


def written(lines: Lines) -> bytes:
    """The lines as bytes, in the one form of a record."""
    return b"".join(_bytes(line) + b"\n" for line in lines)


def mended(lines: Lines) -> bytes:
    """The lines as bytes after all was mended that follows from the rest."""
    lines = copy.deepcopy(lines)
    header, *commits, footer = lines
    secret = bytes.fromhex(footer["secret"])
    head = ""
    for version, commit in enumerate(commits, 1):
        commit |= {"version": version, "prev": head, "salt": fairness.salt(secret, version)}
        head = digest(_bytes(commit))
    footer |= {"commits": len(commits), "head": head}
    footer["seal"] = digest(written([header, *commits]))
    return written(lines)


def alterations(raw: bytes) -> Iterator[tuple[str, Lines]]:
    """Each field of each line changed, left out, doubled, swapped; then the lines themselves."""
    lines = parsed(raw)
    for number, line in enumerate(lines):
        for what, altered in _altered(line, f"line {number + 1}"):
            yield what, [*lines[:number], altered, *lines[number + 1 :]]
    for number in range(len(lines)):
        yield f"line {number + 1} left out", [*lines[:number], *lines[number + 1 :]]
        yield f"line {number + 1} twice", [*lines[: number + 1], *lines[number:]]
        if number:
            before, here = lines[number - 1 : number + 1]
            others = lines[: number - 1], lines[number + 1 :]
            yield f"line {number + 1} earlier", [*others[0], here, before, *others[1]]


def digest(data: bytes) -> str:
    """SHA-256 as base64url without padding."""
    return urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _altered(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    match value:
        case dict():
            yield from _altered_fields(value, path)
        case list():
            yield from _altered_items(value, path)
        case bool():
            yield f"{path} turned", not value
        case int():
            yield f"{path} plus one", value + 1
            yield f"{path} minus one", value - 1
            yield f"{path} as text", str(value)
        case str():
            yield f"{path} longer", value + "x"
            yield f"{path} empty", "" if value else "x"
            yield f"{path} begins otherwise", ("b" if value[:1] == "a" else "a") + value[1:]
            yield f"{path} without", None
        case None:
            yield f"{path} with text", "anna"
            yield f"{path} with a number", 0


def _altered_fields(value: dict[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    keys = list(value)
    for place, key in enumerate(keys):
        yield f"{path}.{key} left out", {k: v for k, v in value.items() if k != key}
        yield f"{path}.{key} renamed", {k + "_" * (k == key): v for k, v in value.items()}
        if place:
            order = [*keys[: place - 1], key, keys[place - 1], *keys[place + 1 :]]
            yield f"{path}.{key} earlier", {k: value[k] for k in order}
        for what, inner in _altered(value[key], f"{path}.{key}"):
            yield what, value | {key: inner}
    yield f"{path} with more", value | {"more": 1}


def _altered_items(value: list[Any], path: str) -> Iterator[tuple[str, Any]]:
    for place, item in enumerate(value):
        rest = value[place + 1 :]
        yield f"{path}.{place} left out", [*value[:place], *rest]
        yield f"{path}.{place} twice", [*value[:place], item, item, *rest]
        if rest and rest[0] != item:
            yield f"{path}.{place} later", [*value[:place], rest[0], item, *rest[1:]]
        for what, inner in _altered(item, f"{path}.{place}"):
            yield what, [*value[:place], inner, *rest]
    yield f"{path} with more", [*value, "more"]


def _bytes(line: Any) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
