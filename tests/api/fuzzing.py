"""What schemathesis sends to Tapete, and what it looks at: for the quick test and for ./run fuzz.

What it sends comes from openapi.yaml, both fitting and not. Three ids of four become that of
something which is there, so that calls come further than to a 404.
"""

import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api import contract

Check = Callable[..., Any]


def documented_code(_: Any, response: Any, case: Any) -> None:
    """The code of a problem is one that the contract names for this call and status."""
    if response.status_code < 400:
        return
    path, method = case.operation.path, case.operation.method.upper()
    documented = contract.operations()[path, method]["responses"].get(str(response.status_code))
    code = json.loads(response.content)["code"]
    if documented is not None and code not in contract.codes(contract.resolved(documented)):
        raise Failure(
            operation=case.operation.label,
            title="Undocumented code",
            message=f"{response.status_code} {code}",
        )


CHECKS: Final[Sequence[Check]] = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    ignored_auth,
    documented_code,
)


@schemathesis.serializer("application/x-ndjson")
def lines(_: Any, value: Any) -> bytes:
    """A record, or what is none: those calls take any bytes."""
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def prepare(schema: Any, token: str, there: Mapping[str, Sequence[str]]) -> None:
    """Lets the schema's requests have that token, and ids of what is there.

    `there` has, by the name of a path's parameter, what most values of its form become.
    """
    turns = {name: itertools.cycle(known) for name, known in there.items()}

    @schema.auth()
    class Token:
        """The caller's token, where schemathesis does not leave it out on purpose."""

        def get(self, case: Any, context: Any) -> str:
            """The token."""
            return token

        def set(self, case: Any, data: str, context: Any) -> None:
            """Puts it into a request."""
            case.headers = case.headers or {}
            case.headers["Authorization"] = f"Bearer {data}"

    @schema.hook
    def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> Any:
        for name, known in turns.items():
            if name == "hook" and context.operation.method.lower() == "delete":
                continue  # or the calls after it would find none
            given = str((path_parameters or {}).get(name, ""))
            if path_parameters and re.fullmatch("[a-z0-9]{1,32}", given) and len(given) % 4:
                path_parameters[name] = next(known)
        return path_parameters

    @schema.hook
    def map_query(context: Any, query: dict[str, Any] | None) -> Any:
        """Nobody waits in a test."""
        if query and isinstance(query.get("wait"), int):
            query["wait"] = 0
        return query
