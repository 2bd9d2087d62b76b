"""The rules as text: complete, current, and of one mind with the data and the reasons."""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from service import rulebook
from service.languages import ENGLISH, LANGUAGES
from service.languages.words import WORDS
from service.rules import GAMES, seating
from service.rules.protocol import Variant
from service.store.codec import WIRE_NAMES

PAGES = Path(__file__).parent.parent / "docs" / "rules"
TEXTS = [
    (language, name, package, variant)
    for language in LANGUAGES
    for name, package, variant in rulebook.texts(language)
]
STRANGE = 7777
DIGITS = re.compile(r"7[,.\u202f]?777")

every_text = pytest.mark.parametrize(
    ("language", "package", "variant"),
    [(language, package, variant) for language, _, package, variant in TEXTS],
    ids=[f"{name}-{language}" for language, name, *_ in TEXTS],
)
every_variant = pytest.mark.parametrize(
    ("language", "package", "variant"),
    [(language, package, variant) for language, _, package, variant in TEXTS if variant],
    ids=[f"{name}-{language}" for language, name, _, variant in TEXTS if variant],
)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value within the parameters that is no table itself, and where it stands."""
    if isinstance(value, dict | list):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(entry, (*path, key))
    else:
        yield path, value


def changed(value: Any, path: tuple[Any, ...]) -> Any:
    """The parameters with another value at that place."""
    if path:
        twin = value.copy()
        twin[path[0]] = changed(value[path[0]], path[1:])
        return twin
    if isinstance(value, bool):
        return not value
    return "strange" if isinstance(value, str) else STRANGE


def prose(text: str) -> str:
    """The text without the table of parameters."""
    # Its rows end with the parameter's name, and those of other tables with a value.
    return "\n".join(line for line in text.splitlines() if not line.endswith("` |"))


def reasons(package: str) -> Mapping[str, tuple[str, str]]:
    """The reasons that a package says no with."""
    table: Mapping[str, tuple[str, str]] = import_module(f"{package}.reasons").REASONS
    return table


def test_every_variant_that_can_be_played_has_its_rules() -> None:
    names = {name for rules in GAMES.values() for name in rules.VARIANTS}
    for language in LANGUAGES:
        assert rulebook.books(language).keys() == names
        for book in rulebook.books(language).values():
            assert book.title
            assert book.summary
    assert names | {"table"} <= {name for language, name, *_ in TEXTS if language == ENGLISH}


def test_the_pages_are_current() -> None:
    """`./run rules` makes them anew."""
    pages = {
        path.relative_to(PAGES).as_posix(): path.read_text(encoding="utf-8")
        for path in PAGES.rglob("*.md")
    }
    assert pages == rulebook.documents()


@every_text
def test_numbers_are_unique_and_every_reference_leads_somewhere(
    language: str, package: str, variant: Variant | None
) -> None:
    text = rulebook.render(package, variant, language=language)
    text += rulebook.render(seating.__name__, language=language)
    numbers = [each.number for each in rulebook.paragraphs(text)]
    if variant:
        assert len(set(numbers)) == len(numbers)
        assert numbers[0] == "1"
    assert set(re.findall(r"§((?:T|\d+)(?:\.\d+)*)", text)) <= set(numbers)
    assert "{" not in text
    title, summary = rulebook.heading(text)
    told = [title, summary, *(each.text for each in rulebook.paragraphs(text))]
    for each in told:
        assert not re.search(r"  |\( | [,.;:]|,,|\.\.|undefined", each), each
    assert all(each.title or each.text for each in rulebook.paragraphs(text))


@every_text
def test_a_translation_says_the_same_in_the_same_places(
    language: str, package: str, variant: Variant | None
) -> None:
    """As far as can be seen without knowing it: numbers, titles, codes, cards and references."""
    here, there = (
        rulebook.paragraphs(rulebook.render(package, variant, language=one))
        for one in (language, ENGLISH)
    )
    assert [each.number for each in here] == [each.number for each in there]
    for each, english in zip(here, there, strict=True):
        assert bool(each.title) == bool(english.title), each.number
        for marked in (r"`[^`]+`", r"§(?:T|\d+)(?:\.\d+)*"):
            pair = (sorted(re.findall(marked, one.text)) for one in (each, english))
            assert len({tuple(row) for row in pair}) == 1, (each, english)
        assert each.text.count("\n| ") == english.text.count("\n| "), each
        assert each.text.count("\n- ") == english.text.count("\n- "), each


@pytest.mark.sampled(7)
@every_variant
def test_every_value_in_the_data_stands_in_the_text(
    language: str, package: str, variant: Variant
) -> None:
    """Changed in the data, it is changed in the text."""
    parameters = dict(variant.parameters())
    whole = rulebook.render(package, variant, language=language)
    for path, value in leaves(parameters):
        other = rulebook.render(package, variant, changed(parameters, path), language)
        assert other != whole, path
        if value is None or type(value) is int:
            assert DIGITS.search(other), path


@pytest.mark.sampled(7)
@every_variant
def test_every_parameter_is_told_in_words(language: str, package: str, variant: Variant) -> None:
    """Not in the table of parameters alone."""
    parameters = dict(variant.parameters())

    def told(given: dict[str, Any]) -> str:
        return prose(rulebook.render(package, variant, given, language))

    whole = told(parameters)
    others = {
        name: other
        for rules in GAMES.values()
        for name, other in rules.VARIANTS.items()
        if rules.__name__ == package
    }
    for name, value in parameters.items():
        tried = [changed(parameters, path) for path, _ in leaves(parameters) if path[0] == name]
        tried += [
            parameters | {name: other.parameters()[name]}
            for other in others.values()
            if other.parameters()[name] != value
        ]
        assert any(told(each) != whole for each in tried), name


@pytest.mark.parametrize(
    ("language", "package"), sorted({(language, package) for language, _, package, _ in TEXTS})
)
def test_every_reason_is_named_and_has_its_paragraph(language: str, package: str) -> None:
    texts = [
        rulebook.render(package, variant, language=language)
        for spoken, _, other, variant in TEXTS
        if (spoken, other) == (language, package)
    ]
    numbers = {each.number for text in texts for each in rulebook.paragraphs(text)}
    for code, (number, _) in reasons(package).items():
        assert number in numbers, code
        assert any(f"`{code}`" in text for text in texts), code


@every_text
def test_no_text_names_what_there_is_not(
    language: str, package: str, variant: Variant | None
) -> None:
    known = {*reasons(package), "sant_vicenc"}
    if variant:
        known |= {*variant.parameters()}
        known |= {WIRE_NAMES.get(cls, _snake(cls)) for cls in import_module(package).COMMANDS}
    text = rulebook.render(package, variant, language=language)
    assert set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", text)) <= known


def _snake(cls: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def test_a_page_has_an_anchor_at_each_paragraph() -> None:
    page = rulebook.document("# A\n\nA\nsummary.\n\n## 1 B\n\ntext §T.2\nmore\n\n**1.1** c\n", "x")
    assert page.splitlines()[4:] == [
        "A summary.",
        "",
        '## <a id="1"></a>1 B',
        "",
        "text [§T.2](table.md#T.2) more",
        "",
        '<a id="1.1"></a>**1.1** c',
    ]


def test_lines_are_joined_as_the_script_wants() -> None:
    text = "**1** one\n  two\u202f: three\n\n- 一张\n  两张\n  `a`\n  b\n"
    (paragraph,) = rulebook.paragraphs(text)
    assert paragraph.text == "one two\u202f: three\n\n- 一张两张`a` b"


def test_numbers_by_table_size_read_well() -> None:
    by_size = WORDS[ENGLISH].by_size
    assert by_size({"2": 1}, "card") == "one card"
    assert by_size({"2": 2, "3": 2}, "card") == "two cards"
    assert by_size({"2": 5000, "3": 7, "4": 5000}, "point") == (
        "5,000 points with two or four players and seven with three"
    )
    sizes = {"2": 2, "3": 2, "4": 1}
    assert WORDS["fr"].by_size(sizes, "card") == (
        "deux cartes à deux ou trois joueurs et une à quatre"
    )
    assert WORDS["es"].by_size({"2": 15000, "3": 1}, "point") == (
        "15.000 puntos con dos jugadores y uno con tres"
    )
    assert WORDS["ca"].by_size(sizes, "canasta") == (
        "dues canastes amb dos o tres jugadors i una amb quatre"
    )
    assert WORDS["el"].by_size({"2": 15000, "3": 1}, "point") == (
        "15.000 πόντους με δύο παίκτες και έναν με τρεις"
    )
    assert WORDS["zh-Hans"].by_size({"2": 15, "3": 13, "4": 2}, "card") == (
        "15张牌（两人时）、13张牌（三人时）或两张牌（四人时）"
    )
    assert WORDS["zh-Hant"].by_size({"2": 2, "3": 1, "4": 1}, "canasta") == (
        "兩個卡納斯塔（兩人時）或一個卡納斯塔（三或四人時）"
    )


def test_a_number_has_the_form_of_what_it_stands_with() -> None:
    assert [WORDS["ca"].word(2, form) for form in ("", "f")] == ["dos", "dues"]
    assert [WORDS["es"].word(3, form) for form in ("", "f", "alone")] == ["tres"] * 3
    assert WORDS["fr"].word(13, "f") == "13"
    assert WORDS["fr"].word(15000) == "15\u202f000"
