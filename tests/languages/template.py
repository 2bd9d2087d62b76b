"""The template of the catalogues, out of the source: every sentence that people may be told.

    python -m tests.languages    # makes the template anew, and brings the catalogues up to it

Where a sentence is written, the calls of `Sentence`, is found by Babel; the others
stand in tables: the codes of problems, the reasons of each game, the options of the variants.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from marshmallow import Schema, fields

from service.api.problems import CODES, TITLES
from service.languages import ENGLISH, LANGUAGES
from service.languages.catalogue import DOMAIN
from service.rules import GAMES

ROOT: Final = Path(__file__).parents[2]
LOCALE: Final = ROOT / "service" / "locale"
TEMPLATE: Final = LOCALE / f"{DOMAIN}.pot"
OTHERS: Final = LANGUAGES[1:]

_SPOKEN: Final = (fields.Field, fields.String, fields.Integer, fields.List, fields.Dict)
"""What marshmallow says of fields of these kinds is told as it is."""


def place(language: str) -> Path:
    """The catalogue of a language."""
    return LOCALE / language.replace("-", "_") / "LC_MESSAGES" / f"{DOMAIN}.po"


@cache
def kept() -> Catalog:
    """The template as it is kept, which a test holds against the source."""
    with TEMPLATE.open("rb") as file:
        return read_po(file)


@cache
def template() -> Catalog:
    """Every sentence, with where it stands and its code, in a fixed order."""
    catalogue = Catalog(domain=DOMAIN, charset="utf-8", fuzzy=False)
    for status, title in TITLES.items():
        _add(catalogue, title, "service/api/problems.py", str(status))
    for code, (_, sentence) in CODES.items():
        _add(catalogue, sentence, "service/api/problems.py", code)
    for package in ("service", "workers"):
        found = extract_from_dir(
            ROOT / package,
            [("**.py", "python")],
            keywords={"Sentence": None},
        )
        for file, _, message, *_ in sorted(found, key=lambda row: row[:2]):
            _add(catalogue, str(message), f"{package}/{file}")
    for sentence in _of_marshmallow():
        _add(catalogue, sentence, "service/api/fields.py", "marshmallow")
    for folder in sorted(entry.name for entry in files("service.rules").iterdir()):
        if files("service.rules").joinpath(folder, "reasons.py").is_file():
            reasons = import_module(f"service.rules.{folder}.reasons").REASONS
            for code, (_, sentence) in reasons.items():
                _add(catalogue, sentence, f"service/rules/{folder}/reasons.py", code)
    for game, rules in GAMES.items():
        for variant in rules.VARIANTS.values():
            for seats in variant.seats:
                for name, option in variant.options(seats).items():
                    _add(catalogue, option.title, f"service/rules/{game}/variants.py", name)
    return catalogue


def catalogue(language: str) -> Catalog:
    """The catalogue of a language as it is kept; empty when there is none yet."""
    locale = language.replace("-", "_")
    if not place(language).exists():
        return Catalog(locale=locale, domain=DOMAIN, charset="utf-8", fuzzy=False)
    with place(language).open("rb") as file:
        return read_po(file, locale=locale, domain=DOMAIN)


def write(path: Path, written: Catalog) -> None:
    """Writes a catalogue without the times and names that would differ each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, written, width=100, ignore_obsolete=True, include_lineno=False)
    text = path.read_text(encoding="utf-8")
    text = re.sub(
        r'^"(Project-Id|POT-|PO-|Last-T|Language-Team|Report-|Generated).*\n',
        "",
        text,
        flags=re.MULTILINE,
    )
    path.write_text(text, encoding="utf-8")


def _add(catalogue: Catalog, sentence: str, file: str, code: str = "") -> None:
    catalogue.add(sentence, locations=[(file, 0)], auto_comments=[code] if code else [])


def _of_marshmallow() -> list[str]:
    tables: list[Mapping[str, Any]] = [kind.default_error_messages for kind in _SPOKEN]
    tables += [Schema._default_error_messages, {"": fields.Nested.default_error_messages["type"]}]
    return list(dict.fromkeys(str(said) for table in tables for said in table.values()))


def main() -> None:
    """Writes template and catalogues."""
    whole = template()
    whole.header_comment = "# Made by `./run texts`; docs/languages.md says how it is used."
    write(TEMPLATE, whole)
    for language in OTHERS:
        kept = catalogue(language)
        kept.update(whole, no_fuzzy_matching=True)
        kept.header_comment = f"# {kept.locale.english_name if kept.locale else ENGLISH}"
        write(place(language), kept)
        missing = [message for message in kept if message.id and not message.string]
        print(f"{language}: {len(kept) - len(missing)} of {len(kept)}")
