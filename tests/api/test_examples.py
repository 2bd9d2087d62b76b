"""The examples of openapi.yaml are real answers, of today's service, and fit what they explain."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api import examples
from tests.api.contract import DOCUMENT, FILE, conforms, operations, resolved

EXAMPLES: examples.Examples = DOCUMENT["components"]["examples"]
STREAMED = ("text/event-stream", "application/x-ndjson")


def contents() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """(operation, status, media type, content) of every answer that has a body."""
    for operation in operations().values():
        for status, answer in operation["responses"].items():
            for media, content in resolved(answer).get("content", {}).items():
                yield operation["operationId"], status, media, content


@pytest.mark.slow
def test_they_are_what_is_answered_today() -> None:
    made = examples.made()
    assert list(EXAMPLES) == list(made)
    for name, example in made.items():
        assert EXAMPLES[name] == example, f"{name} is another now; ./run contract writes it"
    assert FILE.read_text().endswith(examples.HEAD + examples.block(made))


def test_each_is_shown_and_fits_the_schema_where_it_is_shown() -> None:
    shown = set()
    for operation, status, media, content in contents():
        for example in content.get("examples", {}).values():
            shown.add(example["$ref"].rpartition("/")[2])
            value = resolved(example)["value"]
            where = f"{operation} {status} {example['$ref']}"
            if media in STREAMED:
                assert isinstance(value, str), where
            else:
                conforms(content["schema"], value, where)
    assert shown == set(EXAMPLES)


def test_every_answer_in_json_has_one() -> None:
    missing = [
        f"{operation} {status}"
        for operation, status, media, content in contents()
        if media == "application/json" and "examples" not in content
    ]
    assert missing == []


def test_every_request_has_one_that_fits() -> None:
    for (path, method), operation in operations().items():
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            if media != "application/json":
                continue
            given = [one["value"] for one in content.get("examples", {}).values()]
            given += [content["example"]] if "example" in content else []
            assert given, f"{method} {path}"
            for value in given:
                conforms(content["schema"], value, f"{method} {path}")


def test_nothing_in_them_opens_anything() -> None:
    text = examples.block(EXAMPLES)
    assert "tpt_" in text
    assert "tpt_" not in text.replace(examples.TOKEN, "")
    assert "whsec_" in text
    assert "whsec_" not in text.replace(examples.WEBHOOK_SECRET, "")


@pytest.mark.parametrize("name", ["getGame", "createGame", "setNonce"])
def test_cards_are_those_of_a_practice_game(name: str) -> None:
    assert EXAMPLES[name]["value"]["fair"] is None
