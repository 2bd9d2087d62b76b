"""Webhooks of the people in a walk, and what their servers are sent: byte for byte, over no socket.

Every second attempt is answered with 500, so that logs of failures are there to be looked at too.
"""

import base64
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import pytest

from service.store.webhooks import Keepers
from service.webhooks.address import Target
from service.webhooks.postman import Postman
from service.webhooks.send import Outcome
from service.webhooks.teller import Teller
from tests.api.client import House, Person

PUBLIC = "93.184.215.14"


class Mail:
    """Does at once what workers do, and keeps what went out."""

    def __init__(self, house: House, keepers: Keepers, patch: pytest.MonkeyPatch) -> None:
        tables = house.app.extensions["tapete"].tables
        self._teller = Teller(tables, keepers, lambda _: None, "https://cards.example")
        self._postman = Postman(keepers, resolve=lambda *_: [PUBLIC])
        self._outcomes = cycle((Outcome(200, ""), Outcome(500, "status")))
        self.hooks: dict[str, str] = {}
        self.secrets: list[str] = []
        self.sent: dict[str, list[bytes]] = {}
        patch.setattr("service.webhooks.postman.send", self._send)

    def subscribe(self, person: Person) -> None:
        """The person makes a webhook for everything."""
        order = {"url": f"https://bot.example/{person.id}"}
        made = person.ok("POST", "/v1/webhooks", json=order)
        self.hooks[person.id] = made["id"]
        self.secrets.append(made["secret"])
        self.sent[person.id] = []

    def carry(self, game: str) -> None:
        """Tells what is new in the game, and sends it."""
        self._teller.tell(game)
        for hook in self.hooks.values():
            self._postman.run(hook)

    def _send(
        self, to: Target, _: Sequence[str], body: bytes, headers: Mapping[str, str], *__: Any
    ) -> Outcome:
        # Two letters between the signs of a signature may look like a card.
        signatures = [
            base64.b64decode(one.removeprefix("v1,")).hex()
            for one in headers["webhook-signature"].split()
        ]
        plain = dict(headers) | {"webhook-signature": " ".join(signatures)}
        head = "".join(f"{name}: {value}\r\n" for name, value in plain.items())
        line = f"POST {to.path} {to.host}\r\n{head}\r\n"
        self.sent[to.path.removeprefix("/")].append(line.encode() + body)
        return next(self._outcomes)
