"""Walks through random games and searches every byte that anybody is told on the way.

Now and then each seat, somebody who gave a seat up, and a spectator (at once, late, or kept out)
ask for all that `sources` has, and look at what their webhooks were sent. What a viewer may know is
counted apart from the code under test: from the true states, by what lies open.
"""

import base64
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from service import fairness, replay
from service.api import show
from service.decision import Chosen, Weighed
from service.replay import Commit
from service.rules import GAMES, seating
from service.rules.protocol import Seat
from service.rules.seating import Game
from tests.api.client import HUMAN, ROBOT, House, Person
from tests.api.mail import Mail
from tests.api.sources import SOURCES, Ask, Source, whole

STEPS = 14
"""Commands played: later nearly every card has been seen by everyone and the test is weak."""

IN_A_ROW = 5
"""So many cards of the stock, one behind the other, are no accident."""

TABLES = [
    (variant.name, seats)
    for rules in GAMES.values()
    for variant in rules.VARIANTS.values()
    for seats in variant.seats
]
TERMS: list[Any] = ["on", {"delay": 3}, "off"]

STRATEGY = "thinking-of-it 1"
TENTHS = 4_711_174
"""How a computer player came to its command: nobody may read it before the end."""

LONG_WORD = re.compile(rb"[A-Za-z0-9_-]{16,}")
"""Ids and hashes, in which two letters may look like a card."""


def card_words(text: str) -> set[str]:
    """Words of a text that a card could be."""
    return set(re.findall(r"[A-Za-z0-9]+", text))


def values(node: Any) -> Iterator[str]:
    """Every string in a JSON value, keys too."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from values(value)
    elif isinstance(node, (list, tuple)):
        for value in node:
            yield from values(value)
    elif isinstance(node, str):
        yield node


def cards_in(node: Any, pack: frozenset[str]) -> set[str]:
    """The cards named anywhere in a JSON value, in sentences too; hashes are left out."""
    texts = (LONG_WORD.sub(b" ", text.encode()).decode() for text in values(node))
    return {word for text in texts for word in card_words(text)} & pack


def open_cards(game: Game, seat: Seat | None, pack: frozenset[str]) -> set[str]:
    """What lies open to a seat, from the truth: its hand, the pile, and what the table shows."""
    state: Any = game.state
    if state is None:
        return set()
    known = set(state.hands[seat]) if seat is not None else set()
    public = dict(state.table())
    public.pop("hands")
    return known | set(getattr(state, "pile", ())) | cards_in(public, pack)


def open_so_far(commits: Iterable[Commit], seat: Seat | None, pack: frozenset[str]) -> set[str]:
    """What lay open to a seat, or to a spectator, at any time."""
    first, *others = commits
    game, known = replay.open_game(first), set[str]()
    for event in (event for commit in others for event in commit.events):
        seating.evolve(game, event)
        known |= open_cards(game, seat, pack)
    return known


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks on: from a seat, up to the version `until` if they gave it up then."""

    person: Person
    seat: Seat | None = None
    until: int | None = None

    def knows(
        self, commits: Iterable[Commit], pack: frozenset[str], behind: int | None
    ) -> set[str]:
        """What lay open to them at any time; a spectator is so many events behind."""
        first, *others = commits
        held = self.seat is not None and self.until is None
        shown = others if held or behind == 0 else _late(others, behind, self.until or 0)
        game, known = replay.open_game(first), set[str]()
        for commit in shown:
            seat = self.seat if self.until is None or commit.version <= self.until else None
            for event in commit.events:
                seating.evolve(game, event)
                known |= open_cards(game, seat, pack)
        return known


def _late(commits: list[Commit], behind: int | None, until: int) -> list[Commit]:
    """Those that are shown to who has no seat: what they saw from one, and what is old enough."""
    if behind is None:
        return [one for one in commits if one.version <= until]
    hidden, shown = 0, list(commits)
    while shown and hidden < behind and shown[-1].version > until:
        hidden += len(shown.pop().events)
    return shown


@dataclass(frozen=True, slots=True)
class Closed:
    """What nobody may read anywhere: secret, seeds, salts, the code, tokens, and the stock.

    Secrets of webhooks too, which are shown once, and what computer players weighed.
    """

    pack: frozenset[str]
    words: frozenset[bytes]
    stock: tuple[bytes, ...]

    def found(self, piece: bytes, known: set[str]) -> list[str]:
        """What is told in these bytes to somebody who may know those cards."""
        found = [word.decode("latin-1") for word in self.words if word in piece]
        short = LONG_WORD.sub(b" ", piece)
        cards = card_words(short.decode("latin-1")) & self.pack
        found += sorted(cards - known)
        runs = zip(*(self.stock[n:] for n in range(IN_A_ROW)), strict=False)
        if self.stock and all(card in piece for card in self.stock[:2]):
            row = [word.encode() for word in re.findall(r"[A-Za-z0-9]+", short.decode("latin-1"))]
            rows = set(zip(*(row[n:] for n in range(IN_A_ROW)), strict=False))
            found += [b" ".join(run).decode() for run in runs if run in rows]
        return found


def closed(table: Any, people: list[Person], secrets: list[str], seated: bool) -> Closed:
    """What is closed in a game as it stands. Who is `seated` may look back at the invite code."""
    secret, last = table.secret, table.version
    told = [
        secret,
        *(
            seed(secret, seat, last + n)
            for seed in (fairness.seed, fairness.hint_seed)
            for seat in range(4)
            for n in (-1, 0, 1)
        ),
    ]
    words = {
        spelling
        for data in told
        for spelling in (
            data,
            data.hex().encode(),
            base64.b64encode(data).rstrip(b"="),
            base64.urlsafe_b64encode(data).rstrip(b"="),
        )
    }
    words |= {fairness.salt(secret, version).encode() for version in range(1, last + 2)}
    words |= {str(person.token).encode() for person in people}
    words |= {STRATEGY.split()[0].encode(), str(TENTHS).encode(), str(TENTHS / 10).encode()}
    words |= {secret.encode() for secret in secrets}
    if not seated:
        words.add(table.invite.encode())
    stock = tuple(card.encode() for card in getattr(table.game.state, "stock", ()))
    pack = frozenset(table.game.variant.pack())
    return Closed(pack, frozenset(words), stock)


@dataclass
class Walk:
    """A random game, and all that is told of it; what should not have been told is yielded."""

    house: House
    luck: random.Random
    behind: int | None
    mail: Mail
    game: str = ""
    viewers: list[Viewer] = field(default_factory=list)

    def begin(self, variant: str, seats: int, terms: Any) -> None:
        """Sits people down, and a computer player where there is a seat for one."""
        robots = 1 if seats == 4 and self.behind is None else 0
        people = [self.house.guest(f"P{seat}") for seat in range(seats - robots)]
        chairs = [HUMAN] * len(people) + [ROBOT] * robots
        self.game = people[0].open(*chairs, variant=variant, spectators=terms, hints=True)
        for person in people[1:]:
            person.ok("POST", f"/v1/games/{self.game}/seats", json={})
        self.viewers = [Viewer(person, seat) for seat, person in enumerate(people)]
        self.viewers.append(Viewer(self.house.guest("Eve")))
        for viewer in self.viewers:
            self.mail.subscribe(viewer.person)

    @property
    def tables(self) -> Any:
        """The use cases."""
        return self.house.app.extensions["tapete"].tables

    def step(self) -> Iterator[str]:
        """One command of whoever is to act; a computer player's by the way that a worker goes."""
        table = self.tables.load(self.game)
        seat = table.game.to_act()
        legal = table.game.legal(seat)
        kind = self.luck.choice(sorted({type(one).__name__ for one in legal}))
        command = self.luck.choice([one for one in legal if type(one).__name__ == kind])
        if level := table.game.level(seat):
            weighed = (command, *legal[:4])
            candidates = tuple(Weighed(one, TENTHS) for one in weighed)
            self.tables.play(table, command, Chosen(level, STRATEGY, 100, 7, candidates))
            return
        (mover,) = (one for one in self.viewers if one.seat == seat and one.until is None)
        answer = mover.person.http.post(
            f"/v1/games/{self.game}/commands",
            json=show.command(command),
            headers={"Authorization": f"Bearer {mover.person.token}"},
        )
        assert answer.status_code == 201
        yield from self.search(mover, {"answer to a command": lambda _: [whole(answer)]})

    def give_up(self) -> None:
        """Somebody who is not to act gives their seat up and looks on."""
        table = self.tables.load(self.game)
        place, gone = next(
            (place, one)
            for place, one in enumerate(self.viewers)
            if one.seat not in (None, table.game.to_act())
        )
        answer = gone.person.act(self.game, type="resign")
        self.viewers[place] = replace(gone, until=answer["version"])

    def search(self, viewer: Viewer | None, sources: Mapping[str, Source]) -> Iterator[str]:
        """Somebody asks for everything of these kinds, and every byte of it is searched.

        Of what no viewer gets, such as log lines, nobody may know a card.
        """
        table = self.tables.load(self.game)
        people = [one.person for one in self.viewers]
        seated = viewer is not None and viewer.seat is not None
        forbidden = closed(table, people, self.mail.secrets, seated)
        known = set[str]()
        if viewer:
            known = viewer.knows(self.tables.commits(self.game, 1), forbidden.pack, self.behind)
        ask = Ask(
            viewer.person.http if viewer else self.house.anyone.http,
            str(viewer.person.token) if viewer else "",
            self.game,
            table.version,
            len(table.game.chairs),
            min(known - {"JK"}, default=None),
            viewer.person.id if viewer else "",
            self.mail.hooks[viewer.person.id] if viewer else "",
            tuple(self.mail.sent[viewer.person.id]) if viewer else (),
        )
        for name, source in sources.items():
            for piece in source(ask):
                for word in forbidden.found(piece, known):
                    yield f"{name} at {table.version}: {word}"
        assert self.tables.load(self.game).version == table.version


def play(
    house: House,
    variant: str,
    seats: int,
    number: int,
    behind: Callable[[], Iterable[bytes]],
    mail: Mail,
    steps: int = STEPS,
) -> Iterator[str]:
    """Plays a game of so many commands; yields what was told that should not have been.

    At each step one kind of answer is looked at, at the last all; `behind` yields what went
    elsewhere than to somebody who asked.
    """
    terms = TERMS[(TABLES.index((variant, seats)) + number) % len(TERMS)]
    late = {"on": 0, "off": None}[terms] if isinstance(terms, str) else terms["delay"]
    luck = random.Random(f"{variant} {seats} {number}")
    walk = Walk(house, luck, late, mail)
    walk.begin(variant, seats, terms)
    for step in range(steps):
        if step == steps // 2 and seats == 3:
            walk.give_up()
        yield from walk.step()
        mail.carry(walk.game)
        names = list(SOURCES) if step == steps - 1 else [luck.choice(list(SOURCES))]
        for viewer in walk.viewers:
            yield from walk.search(viewer, {name: SOURCES[name] for name in names})
    yield from walk.search(None, {"behind the scenes": lambda _: behind()})
