"""No card reaches a seat that should not see it, and no secret anybody before the end.

Random games of every variant and size are played over HTTP and every byte is searched; leaks that
are put in on purpose, one for each way by which something could get out, are found.
"""

import logging
import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast

import pytest
from flask import Response, request

from service import answers, fairness, hints
from service.api import commands, eyes, games, metrics, problems, show, statistics, steps, webhooks
from service.config import Config
from service.languages.catalogue import Sentence
from service.store import codec
from service.store.memory_webhooks import MemoryMessages
from service.store.webhooks import Keepers
from service.webhooks import payload
from tests.api import sources
from tests.api.client import HUMAN, House
from tests.api.leaks import TABLES, Viewer, play
from tests.api.mail import Mail
from workers import reasons

Behind = Callable[[], Iterable[bytes]]


@pytest.fixture
def behind(
    calls: list[tuple[str, int, int]],
    asked: list[str],
    advised: list[str],
    tellings: list[tuple[str, int]],
    sent: list[str],
    keepers: Keepers,
    caplog: pytest.LogCaptureFixture,
) -> Behind:
    """Log lines of every level, what workers were asked, and the messages that are kept."""
    caplog.set_level(logging.DEBUG)
    kept = cast("MemoryMessages", keepers.messages)._shared.messages
    asks: Any = (calls, asked, advised, tellings, sent, kept)
    return lambda: [caplog.text.encode(), *(repr(one).encode() for one in asks)]


@pytest.fixture
def config(config: Config) -> Config:
    """Metrics are on; the queue is away, so nobody waits for it."""
    return replace(config, metrics="on", queue_url="redis://127.0.0.1:1/0")


@pytest.fixture
def mail(house: House, keepers: Keepers, monkeypatch: pytest.MonkeyPatch) -> Mail:
    """What servers of the players' own are sent."""
    return Mail(house, keepers, monkeypatch)


QUICK = [("canasta", 2, 0), ("samba", 3, 0), ("botifarra", 4, 0)]
GAMES = [
    *(pytest.param(*table, id="-".join(map(str, table))) for table in QUICK),
    *(
        pytest.param(*table, number, id=f"{table[0]}-{table[1]}-{number}", marks=pytest.mark.slow)
        for number in (0, 1)
        for table in TABLES
        if (*table, number) not in QUICK
    ),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("variant", "seats", "number"), GAMES)
def test_nobody_learns_a_card_before_its_time(
    house: House,
    behind: Behind,
    mail: Mail,
    monkeypatch: pytest.MonkeyPatch,
    variant: str,
    seats: int,
    number: int,
) -> None:
    deals = random.Random(f"{variant} {seats} {number}")
    monkeypatch.setattr("service.scribe.secrets.token_bytes", deals.randbytes)  # the same deals
    assert list(play(house, variant, seats, number, behind, mail)) == []


def the_table(house: House) -> Any:
    """The table that the current request is about."""
    return house.app.extensions["tapete"].tables.load((request.view_args or {})["game"])


def hands_open(house: House, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(eyes.Eyes, "view", lambda self, game, version: game)


def one_card_open(house: House, patch: pytest.MonkeyPatch) -> None:
    right = show.game

    def shown(table: Any, player: str, seen: Any = None) -> Any:
        said = right(table, player, seen)
        if said["you"] is not None and table.game.state:
            hands = said["table"]["hands"] = [list(hand) for hand in said["table"]["hands"]]
            other = (said["you"] + 1) % len(hands)
            hands[other][0] = table.game.state.hands[other][0]
        return said

    patch.setattr(show, "game", shown)


def feed_open(house: House, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(eyes.Eyes, "seen", lambda self, game, event, version: event)


def commands_open(house: House, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(steps, "_command", lambda commit, _: show.command(commit.command))


def choices_of_others(house: House, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(commands, "_legal", lambda game, _: game.legal(game.to_act()))


def never_late(house: House, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(eyes, "last_seen", lambda table, _: table.version)


def early_as(house: House, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(games, "through", lambda *_: eyes.Eyes(None, whole=True))


def card_in_a_refusal(house: House, patch: pytest.MonkeyPatch) -> None:
    def moved(_: Any) -> Response:
        hand = the_table(house).game.state.hands[0]
        return problems._problem(problems.Problem("version_mismatch", holding=hand[-1]))

    house.app.register_error_handler(answers.Moved, moved)


def secret_in_a_header(house: House, patch: pytest.MonkeyPatch) -> None:
    def told(response: Response) -> Response:
        if "game" in (request.view_args or {}):
            response.headers["X-Request-Id"] = the_table(house).secret.hex()
        return response

    house.app.after_request(told)


def next_salt(house: House, patch: pytest.MonkeyPatch) -> None:
    right = show._summary

    def summary(table: Any, people: Any) -> Any:
        return right(table, people) | {"head": fairness.salt(table.secret, table.version + 1)}

    patch.setattr(show, "_summary", summary)


def decision_told(house: House, patch: pytest.MonkeyPatch) -> None:
    right = show._summary
    store = house.app.extensions["tapete"].store

    def summary(table: Any, people: Any) -> Any:
        commits = (codec.decode(entry.line) for entry in store.read(table.id).entries)
        kept = [str(one.decision) for one in commits if one.decision]
        return right(table, people) | {"head": f"thought {kept}"}

    patch.setattr(show, "_summary", summary)


def stock_open(house: House, patch: pytest.MonkeyPatch) -> None:
    """A row of it, by way of somebody who has seen all of its cards: only the order tells."""

    def told(response: Response) -> Response:
        if "game" in (request.view_args or {}):
            response.headers["Server-Timing"] = " ".join(the_table(house).game.state.stock[3:9])
        return response

    house.app.after_request(told)
    pack = house.anyone.ok("GET", "/v1/variants/canasta")["pack"]
    patch.setattr(Viewer, "knows", lambda *_: set(pack))


def token_told(house: House, patch: pytest.MonkeyPatch) -> None:
    def told(response: Response) -> Response:
        if request.path == "/v1/me":
            response.set_data(request.headers["Authorization"])
        return response

    house.app.after_request(told)


def card_in_a_log(house: House, patch: pytest.MonkeyPatch) -> None:
    right = show.outcome

    def outcome(answer: Any) -> Any:
        logging.getLogger("service").debug("%s", answer.commits[0].command)
        return right(answer)

    patch.setattr(show, "outcome", outcome)


def card_in_a_webhook(house: House, patch: pytest.MonkeyPatch) -> None:
    right = payload.body

    def body(one: Any, game: str, variant: str, root: str) -> bytes:
        hands = house.app.extensions["tapete"].tables.load(game).game.state.hands
        return right(one, game, variant, root)[:-1] + f',"hand":"{hands[one.seat - 1]}"}}'.encode()

    patch.setattr(payload, "body", body)


def webhook_secret_in_a_list(house: House, patch: pytest.MonkeyPatch) -> None:
    right = webhooks._show
    patch.setattr(webhooks, "_show", lambda hook: right(hook) | {"secret": hook.secret})


def card_in_statistics(house: House, patch: pytest.MonkeyPatch) -> None:
    def last_hands(sums: Any) -> Any:
        tables = house.app.extensions["tapete"].tables
        games = house.app.extensions["tapete"].store.unfinished()
        return [str(tables.load(game).game.state.hands) for game in games]

    patch.setattr(statistics, "_tally", last_hands)


def card_in_a_metric(house: House, patch: pytest.MonkeyPatch) -> None:
    right = metrics._route

    def route(rule: str) -> str:
        state = the_table(house).game.state if "game" in (request.view_args or {}) else None
        return right(rule) + (str(state.hands[0]) if state else "")

    patch.setattr(metrics, "_route", route)


def hint_for_all(house: House, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hints.Hints, "seen", lambda self, job, _: self.find(job))


def card_in_a_reason(house: House, patch: pytest.MonkeyPatch) -> None:
    def tell(situation: Any, _: Any) -> Sentence:
        table = house.app.extensions["tapete"].tables
        games = [
            table.load(game).game for game in house.app.extensions["tapete"].store.unfinished()
        ]
        state: Any = next(one.state for one in games if one.rules is situation.rules)
        return Sentence("Beware of {card}.", card=state.hands[situation.seat - 1][0])

    patch.setattr(reasons, "reason", tell)


def elsewhere(house: House, patch: pytest.MonkeyPatch) -> None:
    """What a way out that is none of an answer's would tell."""

    def sent(ask: sources.Ask) -> list[bytes]:
        table = house.app.extensions["tapete"].tables.load(ask.game)
        return [str(table.game.state.hands).encode()]

    patch.setitem(sources.SOURCES, "elsewhere", sent)


LEAKS = [
    (hands_open, "canasta", 2, 1),
    (one_card_open, "botifarra", 4, 0),
    (feed_open, "samba", 2, 1),
    (commands_open, "botifarra", 4, 0),
    (choices_of_others, "botifarra", 4, 0),
    (never_late, "canasta", 2, 1),
    (early_as, "canasta", 2, 1),
    (card_in_a_refusal, "botifarra", 4, 0),
    (secret_in_a_header, "canasta", 2, 0),
    (next_salt, "canasta", 2, 0),
    (decision_told, "canasta", 4, 0),
    (stock_open, "canasta", 2, 0),
    (token_told, "canasta", 2, 0),
    (card_in_a_log, "canasta", 2, 0),
    (card_in_a_webhook, "botifarra", 4, 0),
    (webhook_secret_in_a_list, "canasta", 2, 0),
    (card_in_statistics, "canasta", 2, 0),
    (card_in_a_metric, "botifarra", 4, 0),
    (hint_for_all, "botifarra", 4, 0),
    (card_in_a_reason, "botifarra", 4, 0),
    (elsewhere, "botifarra", 4, 0),
]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(("leak", "variant", "seats", "number"), LEAKS)
def test_a_leak_is_found(
    house: House,
    behind: Behind,
    mail: Mail,
    monkeypatch: pytest.MonkeyPatch,
    leak: Callable[[House, pytest.MonkeyPatch], None],
    variant: str,
    seats: int,
    number: int,
) -> None:
    deals = random.Random(f"{variant} {seats} {number}")
    monkeypatch.setattr("service.scribe.secrets.token_bytes", deals.randbytes)
    leak(house, monkeypatch)
    assert next(play(house, variant, seats, number, behind, mail, steps=8), None)


def test_a_stranger_sees_no_hand_in_a_practice_game(house: House) -> None:
    """Its cards are known to who gave them, and to nobody else."""
    anna, eve = house.guest("Anna"), house.guest("Eve")
    pack = house.anyone.ok("GET", "/v1/variants/canasta")["pack"]
    setup = {"dealer": 1, "scores": [0, 0], "packs": [pack]}
    game = anna.open(HUMAN, HUMAN, setup=setup)
    said = eve.ok("POST", f"/v1/games/{game}/seats", json={})
    assert set(said["table"]["hands"][0]) == {"??"}
    (opened,) = (
        item
        for item in eve.ok("GET", f"/v1/games/{game}/events")["items"]
        if item["type"] == "game_opened"
    )
    assert opened["data"]["setup"]["packs"] == []
