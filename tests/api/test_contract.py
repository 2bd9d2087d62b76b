"""openapi.yaml and the code say the same, both ways."""

import re
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from service.api.problems import CODES
from service.queue import LEVELS
from service.rules import GAMES, seating
from service.rules.cards import UNSEEN
from service.rules.protocol import DealCards
from service.rules.seating import gathering
from service.rules.seating.commands import ComeBack, Resign
from service.store.codec import WIRE_NAMES
from service.store.tokens import SCOPES
from tests.api.client import House
from tests.api.contract import DOCUMENT, FILE, METHODS, SCHEMAS, codes, operations, resolved

COMMANDS = [
    *(cls for rules in GAMES.values() for cls in rules.COMMANDS if cls is not DealCards),
    Resign,
    ComeBack,
    *gathering.BY_PERSON,
]
EVENTS = list(
    dict.fromkeys([*seating.EVENTS, *(cls for rules in GAMES.values() for cls in rules.EVENTS)])
)
NEVER_SENT = {"already_seated", "not_over", "not_run_out", "unknown_suit"}
"""Reasons that no request can meet: join answers again, the house reveals and says when a time is
up, and what is none of a command's choices is `invalid`, or `unknown_card`, before the rules are
asked."""

OF_EVERY_CALL = {"method_not_allowed", "uri_too_long", "headers_too_large"}
"""What HTTP itself says no with, wherever that is."""


@pytest.mark.slow
def test_it_is_openapi() -> None:
    from openapi_spec_validator import validate  # takes longer than all else of collecting

    validate(DOCUMENT)


def test_it_stays_plain_yaml() -> None:
    """Anchors and merge keys are not in every reader of YAML 1.2."""
    text = FILE.read_text()
    assert "<<:" not in text
    assert not re.search(r"^\s*[\w]+: [&*]\w", text, re.MULTILINE)


def test_every_route_is_in_it_and_every_call_is_a_route(house: House) -> None:
    routes = {
        (_template(str(rule)), method)
        for rule in house.app.url_map.iter_rules()
        for method in rule.methods or ()
        if method.lower() in METHODS
    }
    assert routes == set(operations())


def _template(rule: str) -> str:
    names = {
        "game:game": "id",
        "job:job": "id",
        "player:player": "id",
        "seat:seat": "seat",
        "token:named": "token",
        "hook:hook": "hook",
        "delivery:delivery": "delivery",
        "name": "name",
        "number": "number",
    }
    return re.sub("<([a-z:]+)>", lambda match: "{" + names[match[1]] + "}", rule)


def test_every_call_with_a_token_documents_what_that_brings() -> None:
    for where, operation in operations().items():
        statuses = set(operation["responses"])
        if where[0].startswith("/v1") and operation.get("security") != []:
            assert {"401", "500", "503"} <= statuses, where
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= statuses, where
        if "{id}" in where[0]:
            assert "404" in statuses, where


def test_every_call_may_be_asked_too_often_but_those_of_watchmen() -> None:
    for where, operation in operations().items():
        if where[0] in ("/healthz", "/readyz"):
            continue
        answer = resolved(operation["responses"]["429"])
        assert "rate_limited" in answer["description"], where
        assert {"Retry-After", "RateLimit-Policy", "RateLimit"} == set(answer["headers"]), where


def test_every_scope_is_listed_and_its_lack_documented() -> None:
    assert SCHEMAS["Scope"]["enum"] == list(SCOPES)
    for where, operation in operations().items():
        for scheme in operation.get("security") or ():
            assert set(scheme["token"]) <= set(SCOPES), where
            assert not scheme["token"] or "403" in operation["responses"], where


def test_every_call_with_a_token_wants_a_scope_or_is_for_all() -> None:
    for_all = {("/v1/me", "GET"), ("/v1/jobs/{id}", "GET")}
    open_calls = {
        where
        for where, operation in operations().items()
        for scheme in operation.get("security", DOCUMENT["security"])
        if not scheme["token"]
    }
    assert {where for where in open_calls if where[0].startswith("/v1")} == for_all


def test_every_answer_of_an_error_is_a_problem() -> None:
    for where, operation in operations().items():
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                assert list(resolved(response)["content"]) == ["application/problem+json"], where


def test_every_answer_of_an_error_names_its_codes_and_each_is_one() -> None:
    known = {*SCHEMAS["EdgeCode"]["enum"], *SCHEMAS["RuleCode"]["enum"]}
    for where, operation in operations().items():
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                named = codes(resolved(response)) & known
                assert named, f"{where} {status}"
                # A rule's reason has the status of the call that it refuses.
                assert all(
                    CODES.get(code, (int(status),))[0] in (int(status), 408) for code in named
                )


def test_every_code_is_said_of_some_call() -> None:
    said = set()
    for operation in operations().values():
        for response in operation["responses"].values():
            said |= codes(resolved(response))
    assert set(CODES) - said == OF_EVERY_CALL


def test_every_code_is_listed() -> None:
    assert SCHEMAS["EdgeCode"]["enum"] == list(CODES)
    packages = [seating.__name__, *(rules.__name__ for rules in GAMES.values())]
    reasons = {code for name in packages for code in import_module(f"{name}.reasons").REASONS}
    listed = SCHEMAS["RuleCode"]["enum"]
    assert set(listed) == reasons - NEVER_SENT - set(CODES)
    assert len(set(listed)) == len(listed)


def test_variants_and_levels_are_listed() -> None:
    names = [name for rules in GAMES.values() for name in rules.VARIANTS]
    assert SCHEMAS["VariantName"]["enum"] == names
    assert SCHEMAS["Level"]["enum"] == list(LEVELS)
    assert SCHEMAS["Status"]["enum"] == list(get_args(seating.Status))


def test_a_card_is_one_of_some_pack() -> None:
    packs = (variant.pack() for rules in GAMES.values() for variant in rules.VARIANTS.values())
    cards = {card for pack in packs for card in pack}
    for name, known in (("Card", cards), ("SeenCard", cards | {UNSEEN})):
        pattern = re.compile(SCHEMAS[name]["pattern"])
        assert all(pattern.search(card) for card in known), name
    assert not re.search(SCHEMAS["Card"]["pattern"], UNSEEN)


@pytest.mark.parametrize("cls", COMMANDS, ids=lambda cls: cls.__name__)
def test_a_command_is_described_as_it_is(cls: type) -> None:
    schema = SCHEMAS[f"{cls.__name__}Command"]
    assert schema["properties"]["type"] == {"const": WIRE_NAMES[cls]}
    _same_fields(cls, schema, extra={"type"}, closed=True)


def test_no_other_command_is_described() -> None:
    described = {name for name in SCHEMAS if name.endswith("Command") and name != "Command"}
    assert described == {f"{cls.__name__}Command" for cls in COMMANDS}
    _union("Command", {WIRE_NAMES[cls]: f"{cls.__name__}Command" for cls in COMMANDS})


@pytest.mark.parametrize("cls", EVENTS, ids=lambda cls: cls.__name__)
def test_an_event_is_described_as_it_is(cls: type) -> None:
    schema = SCHEMAS[f"{cls.__name__}Event"]
    assert schema["properties"]["type"] == {"const": WIRE_NAMES[cls]}
    _same_fields(cls, resolved(schema["properties"]["data"]), all_required=True)


def test_no_other_event_is_described() -> None:
    described = {name for name in SCHEMAS if name.endswith("Event") and name != "Event"}
    assert described == {f"{cls.__name__}Event" for cls in EVENTS}
    _union("Event", {WIRE_NAMES[cls]: f"{cls.__name__}Event" for cls in EVENTS})


def test_no_event_is_named_like_a_mark_of_a_stream() -> None:
    marks = {one["properties"]["type"]["const"] for one in SCHEMAS["StreamMark"]["anyOf"]}
    assert not {*marks, "item"} & {WIRE_NAMES[cls] for cls in EVENTS}


def _union(name: str, members: dict[str, str]) -> None:
    refs = {wire: f"#/components/schemas/{schema}" for wire, schema in members.items()}
    union = SCHEMAS[name]
    assert union["discriminator"] == {"propertyName": "type", "mapping": refs}
    assert sorted(entry["$ref"] for entry in union["oneOf"]) == sorted(refs.values())


def _same_fields(
    cls: type,
    schema: dict[str, Any],
    extra: frozenset[str] | set[str] = frozenset(),
    *,
    closed: bool = False,
    all_required: bool = False,
) -> None:
    """The schema has the dataclass's fields, less the seat, with their types."""
    hints = get_type_hints(cls, include_extras=True)
    own = {field.name: field for field in fields(cls) if field.name != "seat"}
    properties = schema.get("properties", {})
    assert set(properties) - extra == set(own), cls
    required = {
        name for name, field in own.items() if all_required or field.default is MISSING
    } | extra
    assert set(schema.get("required", ())) == required, cls
    if closed:
        assert schema["additionalProperties"] is False, cls
    for name in own:
        _same_type(hints[name], properties[name], f"{cls.__name__}.{name}", closed)


def _same_type(hint: Any, schema: dict[str, Any], where: str, closed: bool) -> None:
    schema = resolved(schema)
    if get_origin(hint) in (UnionType, Union):
        (inner,) = (one for one in get_args(hint) if one is not type(None))
        if "anyOf" in schema:
            one, null = schema["anyOf"]
            assert null == {"type": "null"}, where
        else:
            assert schema["type"][1] == "null", where
            one = schema | {"type": schema["type"][0]}
        _same_type(inner, one, where, closed)
    elif get_args(hint) == (str, "level"):
        assert schema == SCHEMAS["Level"], where
    elif get_origin(hint) is Annotated:
        cards = (SCHEMAS["Card"], SCHEMAS["SeenCard"])
        assert schema in cards, where
    elif get_origin(hint) is tuple:
        assert schema["type"] == "array", where
        _same_type(get_args(hint)[0], schema["items"], where, closed)
    elif get_origin(hint) is Literal:
        assert tuple(schema["enum"]) == get_args(hint), where
    elif get_origin(hint) is dict:
        _same_type(get_args(hint)[1], schema["additionalProperties"], where, closed)
    elif is_dataclass(hint) and isinstance(hint, type):
        _same_fields(
            hint,
            schema,
            closed=closed,
            all_required=bool({"level", "ready"} & set(schema["properties"])),
        )
    else:
        names = {str: "string", int: "integer", bool: "boolean"}
        assert schema["type"] == names[hint], where
