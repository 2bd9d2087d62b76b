"""The catalogues hold every sentence of the source, whole, and nothing else."""

import re
from collections.abc import Mapping
from string import Formatter

import pytest

from service import rulebook
from service.languages import ENGLISH, LANGUAGES
from service.languages.catalogue import Sentence, said, told
from service.languages.words import WORDS
from service.rules import GAMES, seating
from tests.languages.template import OTHERS, TEMPLATE, catalogue, kept, place, template

every_language = pytest.mark.parametrize("language", OTHERS)


def messages(language: str) -> Mapping[str, str]:
    """The catalogue as a table."""
    return {str(one.id): str(one.string) for one in catalogue(language) if one.id}


def blanks(text: str) -> list[str]:
    """What stands in the braces, in order of the alphabet."""
    rows = Formatter().parse(text)
    return sorted(f"{name}!{as_}:{form}" for _, name, form, as_ in rows if name is not None)


@pytest.mark.slow
def test_the_template_is_current() -> None:
    """`./run texts` makes it anew."""
    rows = [
        [
            (one.id, sorted(file for file, _ in one.locations), one.auto_comments)
            for one in each
            if one.id
        ]
        for each in (kept(), template())
    ]
    assert rows[0] == rows[1]


@every_language
def test_a_catalogue_is_whole(language: str) -> None:
    its = catalogue(language)
    assert [one.id for one in its] == [one.id for one in kept()]
    assert not its.obsolete
    assert not [one.id for one in its if one.id and (one.fuzzy or not one.string)]


@every_language
def test_a_translation_fills_in_the_same(language: str) -> None:
    for english, other in messages(language).items():
        assert blanks(other) == blanks(english), english
        if " " in english:
            assert other != english
        # What clients send is the same in every language, and so is what they may copy.
        for literal in (r'"[a-z]+"', r"/v1/\w+", r"[a-z]+/[a-z-]+", r"[A-Z][a-z]+-[A-Z][a-z-]+"):
            assert sorted(re.findall(literal, other)) == sorted(re.findall(literal, english))
        assert other.strip() == other
        assert "\n" not in other
        assert english.endswith(".") == other.endswith((".", "。")), english


@every_language
def test_it_says_no_more_than_the_english(language: str) -> None:
    """Nothing but the values of the English goes in, so nothing else can come out."""
    for english in messages(language):
        names = [name for _, name, _, _ in Formatter().parse(english) if name]
        values = {name: f"<{name}>" for name in names}
        other = said(Sentence(english, **values), language)
        assert other is not None
        assert "{" not in other.replace("{delay", "").replace('{"delay', "")
        assert sorted(re.findall("<[a-z]+>", other)) == sorted(
            re.findall("<[a-z]+>", str(Sentence(english, **values)))
        )


def test_there_is_a_catalogue_for_each_language_and_no_other() -> None:
    assert LANGUAGES[0] == ENGLISH
    assert WORDS.keys() == set(LANGUAGES)
    assert {path.parents[1] for path in TEMPLATE.parent.rglob("*.po")} == {
        place(language).parents[1] for language in OTHERS
    }


def test_every_game_of_ours_is_told_in_every_language() -> None:
    for language in LANGUAGES:
        for package in (seating.__name__, *(rules.__name__ for rules in GAMES.values())):
            assert rulebook.speaks(package, language), (package, language)


def test_a_sentence_is_its_english_and_remembers_how_it_was_made() -> None:
    sentence = Sentence("Longer than {most}.", most=5)
    assert sentence == "Longer than 5."
    assert (sentence.text, sentence.values) == ("Longer than {most}.", {"most": 5})
    assert said(sentence, "fr") == "Plus de 5."
    assert said(Sentence("Not known to any catalogue."), "fr") is None
    assert said("Unknown.", "fr") == "Inconnu."


def test_braces_are_filled_later_by_marshmallow_with_no_more_than_they_ask_for() -> None:
    late = Sentence("Must be a whole number from {min} to {max}.").format(input="x", min=1, max=2)
    assert late == "Must be a whole number from 1 to 2."
    assert late.values == {"min": 1, "max": 2}


def test_what_a_client_sent_is_never_a_template() -> None:
    sent = Sentence("There is no variant {variant!r}.", variant="{0.__class__} {variant}")
    for language in LANGUAGES:
        assert "{0.__class__} {variant}" in str(said(sent, language))


def test_a_value_may_be_a_sentence_too() -> None:
    sentence = Sentence("Must be one of: {choices}.", choices=Sentence("Unknown."))
    assert said(sentence, "fr") == "Doit être l’une de ces valeurs\u00a0: Inconnu.."


def test_an_answer_is_told_in_one_language() -> None:
    assert told(["Not Found", "Unknown."], "fr") == ("fr", ["Introuvable", "Inconnu."])
    assert told(["Not Found", "What a toy says."], "fr") == (
        "en",
        ["Not Found", "What a toy says."],
    )
