"""The rules as text: complete, current, and of one mind with the data and the reasons."""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from service import rulebook
from service.rules import GAMES, seating
from service.rules.protocol import Variant
from service.store.codec import WIRE_NAMES

PAGES = Path(__file__).parent.parent / "docs" / "rules"
TEXTS = list(rulebook.texts())
GAME_TEXTS = [(package, variant) for _, package, variant in TEXTS if variant]
STRANGE = 7777

every_text = pytest.mark.parametrize(
    ("package", "variant"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS]
)
every_variant = pytest.mark.parametrize(
    ("package", "variant"), GAME_TEXTS, ids=[variant.name for _, variant in GAME_TEXTS]
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
    told = (each.text for each in rulebook.paragraphs(text))
    return "\n".join(each for each in told if "| parameter |" not in each)


def reasons(package: str) -> Mapping[str, tuple[str, str]]:
    """The reasons that a package says no with."""
    table: Mapping[str, tuple[str, str]] = import_module(f"{package}.reasons").REASONS
    return table


def test_every_variant_that_can_be_played_has_its_rules() -> None:
    names = {name for rules in GAMES.values() for name in rules.VARIANTS}
    assert rulebook.books().keys() == names
    assert names | {"table"} <= {name for name, *_ in TEXTS}


def test_the_pages_are_current() -> None:
    """`./run rules` makes them anew."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in PAGES.iterdir()}
    assert pages == rulebook.documents()


@every_text
def test_numbers_are_unique_and_every_reference_leads_somewhere(
    package: str, variant: Variant | None
) -> None:
    text = rulebook.render(package, variant) + rulebook.render(seating.__name__)
    numbers = [each.number for each in rulebook.paragraphs(text)]
    if variant:
        assert len(set(numbers)) == len(numbers)
        assert numbers[0] == "1"
    assert set(re.findall(r"§([\w.]*\w)", text)) <= set(numbers)
    assert "{" not in text
    for each in rulebook.paragraphs(text):
        assert each.title or each.text
        assert not re.search(r"  |\( | [,.;:]|,,|\.\.", each.text), each


@every_variant
def test_every_value_in_the_data_stands_in_the_text(package: str, variant: Variant) -> None:
    """Changed in the data, it is changed in the text."""
    parameters = dict(variant.parameters())
    whole = rulebook.render(package, variant)
    for path, value in leaves(parameters):
        other = rulebook.render(package, variant, changed(parameters, path))
        assert other != whole, path
        if value is None or type(value) is int:
            assert "7,777" in other or "7777" in other, path


@every_variant
def test_every_parameter_is_told_in_words(package: str, variant: Variant) -> None:
    """Not in the table of parameters alone."""
    parameters = dict(variant.parameters())
    whole = prose(rulebook.render(package, variant))
    for name, value in parameters.items():
        tried = [changed(parameters, path) for path, _ in leaves(parameters) if path[0] == name]
        tried += [
            parameters | {name: other.parameters()[name]}
            for module, other in GAME_TEXTS
            if module == package and other.parameters()[name] != value
        ]
        assert any(prose(rulebook.render(package, variant, each)) != whole for each in tried), name


@pytest.mark.parametrize("package", sorted({package for _, package, _ in TEXTS}))
def test_every_reason_is_named_and_has_its_paragraph(package: str) -> None:
    texts = [rulebook.render(*row[1:]) for row in TEXTS if row[1] == package]
    numbers = {each.number for text in texts for each in rulebook.paragraphs(text)}
    for code, (number, _) in reasons(package).items():
        assert number in numbers, code
        assert any(f"`{code}`" in text for text in texts), code


@every_text
def test_no_text_names_what_there_is_not(package: str, variant: Variant | None) -> None:
    known = {*reasons(package), "sant_vicenc"}
    if variant:
        known |= {*variant.parameters()}
        known |= {WIRE_NAMES.get(cls, _snake(cls)) for cls in import_module(package).COMMANDS}
    words = re.findall(r"`([a-z]+(?:_[a-z]+)+)`", rulebook.render(package, variant))
    assert set(words) <= known


def _snake(cls: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def test_a_page_has_an_anchor_at_each_paragraph() -> None:
    page = rulebook.document("# A\n\nskipped\n\n## 1 B\n\ntext §T.2\nmore\n\n**1.1** c\n", "x")
    assert page.splitlines()[4:] == [
        '## <a id="1"></a>1 B',
        "",
        "text [§T.2](table.md#T.2) more",
        "",
        '<a id="1.1"></a>**1.1** c',
    ]


def test_numbers_by_table_size_read_well() -> None:
    by_size = rulebook._by_size
    assert by_size({"2": 1}, "card") == "one card"
    assert by_size({"2": 2, "3": 2}, "card") == "two cards"
    assert by_size({"2": 5000, "3": 7, "4": 5000}, "point") == (
        "5,000 points with two or four players and seven with three"
    )
