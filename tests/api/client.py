"""A client that holds every answer against the contract, and a few words to test with."""

from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.api import contract

HUMAN = {"kind": "human"}
ROBOT = {"kind": "ai", "level": "novice"}


class Person:
    """Somebody with a token (or without), and their requests."""

    def __init__(self, app: Flask, token: str | None = None, player: str = "") -> None:
        self.app = app
        self.token = token
        self.id = player
        self.http = app.test_client()

    def __call__(self, method: str, path: str, **more: Any) -> TestResponse:
        headers = dict(more.pop("headers", {}))
        if self.token and "Authorization" not in headers:
            headers["Authorization"] = f"Bearer {self.token}"
        response = self.http.open(path, method=method, headers=headers, **more)
        if method != "OPTIONS":
            contract.check(method, path.partition("?")[0], response)
        return response

    def get(self, path: str, **more: Any) -> TestResponse:
        """A GET."""
        return self("GET", path, **more)

    def post(self, path: str, json: Any = None, **more: Any) -> TestResponse:
        """A POST with a JSON body."""
        return self("POST", path, json={} if json is None else json, **more)

    def ok(self, method: str, path: str, **more: Any) -> Any:
        """The JSON of an answer that must be a success."""
        response = self(method, path, **more)
        assert response.status_code < 300, response.get_data(as_text=True)
        return response.get_json()

    def refused(self, status: int, code: str, method: str, path: str, **more: Any) -> Any:
        """The problem of an answer that must be this refusal."""
        response = self(method, path, **more)
        said = response.get_json()
        assert (response.status_code, said["code"]) == (status, code), said
        assert said["status"] == status
        return said

    def look(self, game: str) -> Any:
        """The game as this person sees it."""
        return self.ok("GET", f"/v1/games/{game}")

    def version(self, game: str) -> int:
        """The game's version."""
        version: int = self.look(game)["version"]
        return version

    def open(self, *seats: dict[str, str], **more: Any) -> str:
        """Opens a game and gives its id."""
        body = {"variant": "canasta", "seats": list(seats or (HUMAN, HUMAN))} | more
        game: str = self.ok("POST", "/v1/games", json=body)["id"]
        return game

    def act(self, game: str, **command: Any) -> Any:
        """Gives a command that must be accepted."""
        return self.ok("POST", f"/v1/games/{game}/commands", json=command)


class House:
    """One app and the people who use it."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.anyone = Person(app)

    def guest(self, name: str) -> Person:
        """A new player."""
        made = self.anyone.ok("POST", "/v1/players", json={"name": name})
        return Person(self.app, made["token"], made["id"])

    def table(self, **more: Any) -> tuple[str, Person, Person]:
        """A started game of canasta for two: its id, who is to act, and the other."""
        people = [self.guest("Anna"), self.guest("Bert")]
        game = people[0].open(HUMAN, HUMAN, **more)
        people[1].ok("POST", f"/v1/games/{game}/seats", json={})
        seen = people[0].look(game)
        assert seen["status"] == "playing"
        (seat,) = seen["to_act"]
        return game, people[seat], people[1 - seat]
