"""What a refusal says: its sentence as translators know it, and one that can be read."""

from service.rules.errors import IllegalMove


def test_a_sentence_and_the_values_that_belong_into_it() -> None:
    refused = IllegalMove("too_few_points", "3.2", "{points} points are needed.", {"points": 50})
    assert (refused.code, refused.rule) == ("too_few_points", "3.2")
    assert refused.sentence == "{points} points are needed."
    assert refused.values == {"points": 50}
    assert refused.detail == "50 points are needed."
    assert refused.version == 0


def test_a_sentence_without_values_is_said_as_it_stands() -> None:
    refused = IllegalMove("no", "1", "Not {so}.")
    assert refused.sentence == refused.detail == "Not {so}."
    assert refused.values == {}
