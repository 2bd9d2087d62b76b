"""The rules as text for players: numbered paragraphs, made from the variants' own parameters.

Each folder of `service/rules/` has a `rules.md`, a Jinja template in Markdown. Its variables are
what `Variant.parameters()` says, and `seats` and `pack`; so the text cannot say a number that the
rules do not go by. A paragraph begins with its number: `## 3.5 Title`, or `**3.5.1** …`.

    rules.md ──► book      what the API serves and every refusal links to
             └─► document  docs/rules/*.md; `./run rules` makes them anew
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template

from service.rules import GAMES, seating
from service.rules.protocol import Variant

SOURCE: Final = "rules.md"
RULES: Final = "service.rules"

_NUMBER: Final = r"(?:T|\d+)(?:\.\d+)*"
_START: Final = re.compile(
    rf"^(?:(?P<level>##+) (?P<section>{_NUMBER}) (?P<title>.+)|\*\*(?P<number>{_NUMBER})\*\*)",
    re.MULTILINE,
)
_REFERENCE: Final = re.compile(rf"§({_NUMBER})")
_WORDS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph: `title` where it heads a section, `text` in Markdown, one line a block."""

    number: str
    title: str | None
    text: str


Book = Mapping[str, Paragraph]
"""A variant's rules by their numbers, in reading order."""


def books() -> dict[str, Book]:
    """The rules of every variant that can be played, those of the table at the end.

    Raises:
        FileNotFoundError: a game has no rules.md.
    """
    return {
        name: _book(render(rules.__name__, variant) + render(seating.__name__))
        for rules in GAMES.values()
        for name, variant in rules.VARIANTS.items()
    }


def link(variant: str, number: str) -> str:
    """Where the API serves that paragraph, as a reference relative to its origin (RFC 3986)."""
    return f"/v1/variants/{variant}/rules/{number}"


def render(
    package: str, variant: Variant | None = None, parameters: Mapping[str, Any] | None = None
) -> str:
    """A package's rules in Markdown; `parameters` stand in for the variant's own."""
    facts: dict[str, Any] = {}
    if variant:
        facts = {"seats": variant.seats, "pack": variant.pack(), **variant.parameters()}
    return _template(package).render(facts | dict(parameters or {}))


def paragraphs(markdown: str) -> tuple[Paragraph, ...]:
    """The numbered paragraphs of a text; what stands before the first is left out."""
    starts = list(_START.finditer(markdown))
    ends = [start.start() for start in starts[1:]] + [len(markdown)]
    return tuple(
        Paragraph(
            start["section"] or start["number"], start["title"], _flow(markdown[start.end() : end])
        )
        for start, end in zip(starts, ends, strict=True)
    )


def document(markdown: str, beside: str) -> str:
    """A text as a page of docs/rules/, with an anchor at each paragraph."""
    title = next(line for line in markdown.splitlines() if line.startswith("# "))
    page = [title, f"*Made by `./run rules` from `{beside}` and the data of the variant.*"]
    for each in paragraphs(markdown):
        anchor = f'<a id="{each.number}"></a>'
        if each.title:
            level = "##" if each.number.isalnum() else "###"
            page += [f"{level} {anchor}{each.number} {each.title}", each.text]
        else:
            page.append(f"{anchor}**{each.number}** {each.text}")
    text = "\n\n".join(block for block in page if block) + "\n"
    return _REFERENCE.sub(lambda found: f"[{found[0]}]({_page(found[1])}#{found[1]})", text)


def texts() -> Iterator[tuple[str, str, Variant | None]]:
    """What there are rules of, whether it can be played yet or not: its name, package, variant."""
    for folder in sorted(entry.name for entry in files(RULES).iterdir()):
        if files(RULES).joinpath(folder, SOURCE).is_file():
            package = f"{RULES}.{folder}"
            variants = getattr(import_module(package), "VARIANTS", {"table": None})
            for name, variant in variants.items():
                yield name, package, variant


def documents() -> dict[str, str]:
    """Every page of docs/rules/ by its file name: one a variant, and one of the table."""
    return {
        f"{name}.md": document(render(package, variant), f"{package.replace('.', '/')}/{SOURCE}")
        for name, package, variant in texts()
    }


def _book(markdown: str) -> Book:
    return {each.number: each for each in paragraphs(markdown)}


def _page(number: str) -> str:
    return "table.md" if number.startswith("T") else ""


def _flow(text: str) -> str:
    """The text with each block on one line; items of a list and rows of a table keep theirs."""
    blocks = re.split(r"\n\s*\n", text.strip())
    lines = (re.split(r"\n(?=- |\|)", block) for block in blocks)
    return "\n\n".join("\n".join(" ".join(line.split()) for line in block) for block in lines)


@cache
def _template(package: str) -> Template:
    # The output is Markdown and the input our own; there is nothing to escape.
    environment = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701
    environment.filters |= {
        "number": _number,
        "word": _word,
        "listed": _listed,
        "by_size": _by_size,
        "yes": _yes,
    }
    return environment.from_string(files(package).joinpath(SOURCE).read_text(encoding="utf-8"))


def _number(value: int) -> str:
    return f"{value:,}"


def _word(value: int) -> str:
    return _WORDS[value] if 0 <= value < len(_WORDS) else _number(value)


def _listed(values: Iterable[str], last: str) -> str:
    *most, end = values
    return f"{', '.join(most)} {last} {end}" if most else end


def _by_size(table: Mapping[str, int], unit: str) -> str:
    """`two cards with two or three players and one with four`, or just `two cards`."""
    sizes: dict[int, list[str]] = {}
    for size, value in table.items():
        sizes.setdefault(value, []).append(_word(int(size)))
    first, *others = sizes
    text = f"{_word(first)} {unit}{'' if first == 1 else 's'}"
    if not others:
        return text
    text += f" with {_listed(sizes[first], 'or')} players"
    return _listed(
        [text, *(f"{_word(value)} with {_listed(sizes[value], 'or')}" for value in others)], "and"
    )


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def main() -> None:
    """Writes the pages into the folder that is named."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in documents().items():
        (folder / name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
