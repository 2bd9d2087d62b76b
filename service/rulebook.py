"""The rules as text for players: numbered paragraphs, made from the variants' own parameters.

Each folder of `service/rules/` has a `rules.md`, a Jinja template in Markdown. Its variables are
what `Variant.parameters()` says, and `seats` and `pack`; so the text cannot say a number that the
rules do not go by. First come a title and a line that says what is played. A paragraph begins with
its number: `## 3.5 Title`, or `**3.5.1** …`. Beside it lie the same in other languages, as
`rules.fr.md`, with the same numbers and variables; `service/languages/words.py` has the filters.

    rules.md ──► book      what the API serves and every refusal links to
             └─► document  docs/rules/**.md; `./run rules` makes them anew
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template

from service.languages import ENGLISH, LANGUAGES
from service.languages.words import WORDS
from service.rules import GAMES, seating
from service.rules.protocol import Variant

RULES: Final = "service.rules"

_NUMBER: Final = r"(?:T|\d+)(?:\.\d+)*"
_START: Final = re.compile(
    rf"^(?:(?P<level>##+) (?P<section>{_NUMBER}) (?P<title>.+)|\*\*(?P<number>{_NUMBER})\*\*)",
    re.MULTILINE,
)
_REFERENCE: Final = re.compile(rf"§({_NUMBER})")
# Where lines are joined, scripts that know no space between words get none.
_WIDE: Final = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_BREAK: Final = re.compile(rf"(?<={_WIDE})[ \t]*\n[ \t]*|[ \t]*\n[ \t]*(?={_WIDE})")
_SPACES: Final = re.compile(r"[ \t\n]+")  # those that do not break a line stay


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph: `title` where it heads a section, `text` in Markdown, one line a block."""

    number: str
    title: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Book:
    """A variant's rules in one language: a title, a line about it, and the paragraphs by their
    numbers, in reading order."""

    language: str
    title: str
    summary: str
    paragraphs: Mapping[str, Paragraph]


@cache
def books(language: str = ENGLISH) -> Mapping[str, Book]:
    """The rules of every variant that can be played, those of the table at the end.

    A game that is not told in that language is told in English, and its table too.

    Raises:
        FileNotFoundError: a game has no rules.md.
    """
    return {
        name: _book(rules.__name__, variant, language)
        for rules in GAMES.values()
        for name, variant in rules.VARIANTS.items()
    }


def link(variant: str, number: str) -> str:
    """Where the API serves that paragraph, as a reference relative to its origin (RFC 3986)."""
    return f"/v1/variants/{variant}/rules/{number}"


def source(language: str = ENGLISH) -> str:
    """The file in a game's folder that has its rules in that language."""
    return "rules.md" if language == ENGLISH else f"rules.{language}.md"


def speaks(package: str, language: str) -> bool:
    """Whether a package has its rules in that language."""
    return files(package).joinpath(source(language)).is_file()


def render(
    package: str,
    variant: Variant | None = None,
    parameters: Mapping[str, Any] | None = None,
    language: str = ENGLISH,
) -> str:
    """A package's rules in Markdown; `parameters` stand in for the variant's own."""
    facts: dict[str, Any] = {}
    if variant:
        facts = {"seats": variant.seats, "pack": variant.pack(), **variant.parameters()}
    return _template(package, language).render(facts | dict(parameters or {}))


def heading(markdown: str) -> tuple[str, str]:
    """The title of a text, and what is said between it and the first paragraph."""
    title, _, rest = markdown.partition("# ")[2].partition("\n")
    first = _START.search(rest)
    return title.strip(), _flow(rest[: first.start() if first else None])


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
    title, summary = heading(markdown)
    made = f"*Made by `./run rules` from `{beside}` and the data of the variant.*"
    page = [f"# {title}", made, summary]
    for each in paragraphs(markdown):
        anchor = f'<a id="{each.number}"></a>'
        if each.title:
            level = "##" if each.number.isalnum() else "###"
            page += [f"{level} {anchor}{each.number} {each.title}", each.text]
        else:
            page.append(f"{anchor}**{each.number}** {each.text}")
    text = "\n\n".join(block for block in page if block) + "\n"
    return _REFERENCE.sub(lambda found: f"[{found[0]}]({_page(found[1])}#{found[1]})", text)


def texts(language: str = ENGLISH) -> Iterator[tuple[str, str, Variant | None]]:
    """What there are rules of in a language, whether it can be played yet or not: its name,
    package, variant."""
    for folder in sorted(entry.name for entry in files(RULES).iterdir()):
        package = f"{RULES}.{folder}"
        if files(RULES).joinpath(folder, source(language)).is_file():
            variants = getattr(import_module(package), "VARIANTS", {"table": None})
            for name, variant in variants.items():
                yield name, package, variant


def documents() -> dict[str, str]:
    """Every page of docs/rules/ by its path there: one a variant, and one of the table; English
    ones at the top, others in a folder of their language."""
    return {
        f"{name}.md" if language == ENGLISH else f"{language}/{name}.md": document(
            render(package, variant, language=language),
            f"{package.replace('.', '/')}/{source(language)}",
        )
        for language in LANGUAGES
        for name, package, variant in texts(language)
    }


def _book(package: str, variant: Variant, wanted: str) -> Book:
    whole = speaks(package, wanted) and speaks(seating.__name__, wanted)
    language = wanted if whole else ENGLISH
    text = render(package, variant, language=language)
    table = render(seating.__name__, language=language)
    told = {each.number: each for each in paragraphs(text + table)}
    return Book(language, *heading(text), told)


def _page(number: str) -> str:
    return "table.md" if number.startswith("T") else ""


def _flow(text: str) -> str:
    """The text with each block on one line; items of a list and rows of a table keep theirs."""
    blocks = re.split(r"\n\s*\n", text.strip())
    lines = (re.split(r"\n(?=- |\|)", block) for block in blocks)
    return "\n\n".join("\n".join(_joined(line) for line in block) for block in lines)


def _joined(text: str) -> str:
    return _SPACES.sub(" ", _BREAK.sub("", text.strip()))


@cache
def _template(package: str, language: str) -> Template:
    # The output is Markdown and the input our own; there is nothing to escape.
    environment = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701
    environment.filters |= WORDS[language].filters()
    text = files(package).joinpath(source(language)).read_text(encoding="utf-8")
    return environment.from_string(text)


def main() -> None:
    """Writes the pages into the folder that is named."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in documents().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
