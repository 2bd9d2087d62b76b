"""The family's rules text against the rules: values, refusals."""

import pytest

from service import rulebook
from service.rules.canasta import VARIANTS
from service.rules.canasta.melds import POINTS
from service.rules.canasta.reasons import REASONS
from service.rules.cards import RANK
from tests.rules.canasta.test_examples import EXAMPLES

BOOKS = {name: book.paragraphs for name, book in rulebook.books().items()}
NAMES = {"joker": "JK", "ace": "A", "two": "2", "king": "K", "queen": "Q", "jack": "J"}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_cards_are_worth_what_the_text_says(name: str) -> None:
    rows = [
        row.strip("| ").split(" | ") for row in BOOKS[name]["2.1"].text.splitlines() if " | " in row
    ]
    told = {
        NAMES.get(word, word): int(points)
        for words, points in rows
        for word in words.split(", ")
        if points.isdigit()
    }
    assert told == {
        RANK[card]: points for card, points in POINTS.items() if RANK[card] not in ("3", "??")
    }
    assert [row[1] for row in rows if row[0] == "black three"] == [
        f"{POINTS['3c']} in a meld, {VARIANTS[name].parameters()['black_three_in_hand']} "
        "against you in a hand"
    ]


def test_a_refusal_leads_to_a_paragraph_of_the_variant_at_hand() -> None:
    """In every example; one about another variant's way to take the pile would lead nowhere."""
    for example in EXAMPLES:
        for word, text in example.story:
            code = text.partition(" => ")[2]
            if word == "when" and code != "ok":
                assert REASONS[code][0] in BOOKS[example.variant], (example.id, code)
