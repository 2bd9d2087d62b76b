"""openapi.yaml as a judge: every answer in these tests is held against it, strictly.

The contract lets answers grow; here an undeclared field is a fault, so that no field can be
added, and none leak, without a line in the contract.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import yaml
from werkzeug.test import TestResponse

from service.languages import LANGUAGES

FILE: Final = Path(__file__).resolve().parents[2] / "openapi.yaml"
DOCUMENT: Final[dict[str, Any]] = yaml.load(FILE.read_text(), yaml.CSafeLoader)
SCHEMAS: Final[dict[str, Any]] = DOCUMENT["components"]["schemas"]
PROBLEM: Final = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
HERE: Final = "urn:tapete"
METHODS: Final = ("get", "post", "put", "patch", "delete")


@cache
def operations() -> dict[tuple[str, str], dict[str, Any]]:
    """(path, METHOD) -> operation."""
    return {
        (path, method.upper()): item[method]
        for path, item in DOCUMENT["paths"].items()
        for method in METHODS
        if method in item
    }


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """The node, or what its $ref points to."""
    while "$ref" in node:
        target: Any = DOCUMENT
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        node = target
    return node


def check(method: str, path: str, response: TestResponse) -> None:
    """Holds one answer against the contract.

    Raises:
        AssertionError: undocumented status, type, field or value.
    """
    where = f"{method} {path} -> {response.status_code}"
    if response.status_code >= 400:
        assert response.mimetype == "application/problem+json", where
        assert response.headers.get("Content-Language") in LANGUAGES, where
    operation = _operation(method, path)
    if operation is None:
        assert response.status_code in (404, 405), where
        content: dict[str, Any] = PROBLEM
    else:
        documented = operation["responses"].get(str(response.status_code))
        assert documented, f"{where}: undocumented, {response.get_data(as_text=True)}"
        documented = resolved(documented)
        content = documented.get("content", {})
        for name, header in documented.get("headers", {}).items():
            if name in response.headers:
                assert _valid(resolved(header)["schema"], response.headers[name]), (
                    f"{where}: {name}"
                )
        if response.status_code >= 400:
            code = response.get_json()["code"]
            assert code in codes(documented), f"{where}: {code} is not said of it"
    body = response.get_data()
    if not content:
        assert body == b"", where
        return
    assert response.mimetype in content, f"{where}: {response.mimetype}"
    if method == "HEAD":
        return
    if response.mimetype == "application/x-ndjson":
        for line in filter(None, body.splitlines()):  # streams have empty ones
            conforms(content[response.mimetype]["x-line"], json.loads(line), where)
    elif response.mimetype.endswith("json"):
        conforms(content[response.mimetype]["schema"], response.get_json(), where)


def codes(documented: dict[str, Any]) -> set[str]:
    """The codes that a documented answer may have: those that its description names.

    Where it says that "a rule says no", the reasons of all rules are among them.
    """
    named = set(re.findall(r"`([a-z_]+)`", documented["description"]))
    rules = SCHEMAS["RuleCode"]["enum"] if "rule says no" in documented["description"] else ()
    return named | {*rules}


def conforms(schema: dict[str, Any], value: Any, where: str = "") -> None:
    """Raises AssertionError with the first place that does not fit the schema."""
    for error in _validator(_key(schema)).iter_errors(value):
        raise AssertionError(f"{where}: {error.message[:2000]} at {error.instance_path}")


def _valid(schema: dict[str, Any], value: Any) -> bool:
    return _validator(_key(schema)).is_valid(value)


def _key(schema: dict[str, Any]) -> str:
    return json.dumps(schema).replace('"$ref": "#/', f'"$ref": "{HERE}#/')


@cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(
        json.loads(schema), validate_formats=True, registry=_registry()
    )


@cache
def _registry() -> jsonschema_rs.Registry:
    """What schemas refer to, read once."""
    closed = {"components": {"schemas": _closed(SCHEMAS)}}
    return jsonschema_rs.Registry([(HERE, closed)], draft=jsonschema_rs.Draft202012)


def _closed(node: Any) -> Any:
    """The schemas with every object that lists its fields closed to others."""
    if isinstance(node, list):
        return [_closed(entry) for entry in node]
    if not isinstance(node, dict):
        return node
    closed = {key: _closed(value) for key, value in node.items()}
    if closed.get("type") == "object" and "properties" in closed:
        closed.setdefault("additionalProperties", False)
    return closed


def _operation(method: str, path: str) -> dict[str, Any] | None:
    for pattern, name, operation in _patterns():
        same = name == method or (name, method) == ("GET", "HEAD")
        if same and pattern.fullmatch(path.rstrip("/") or "/"):
            return operation
    return None


@cache
def _patterns() -> list[tuple[re.Pattern[str], str, dict[str, Any]]]:
    return [
        (re.compile(re.sub(r"\{[a-z]+\}", "[^/]+", template)), method, operation)
        for (template, method), operation in operations().items()
    ]
