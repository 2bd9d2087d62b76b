"""Statistics and ratings: made of the games that ended, each counted once, whoever asks and when.

    a game ends ──► filed as over ──► work: counted ──► sums of each player, sums of the variant
                                                  └──► result of a day ──► settle: entries, board

The order of counting says nothing: sums are sums, and a day's entries follow from its results and
from what was before that day. So a game that was found late, or counted by two at once, changes
nothing, and `rebuild` comes to the same numbers.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service import fault, glicko
from service.glicko import Outcome, Standing
from service.replay import FAILURES
from service.rules import GAMES
from service.store import IMPORT, EventStore, People, Unreadable
from service.store.statistics import Board, Book, Change, Entry, Ledger, Rank
from service.tally import Counted, Played, Sums, counted

log = logging.getLogger(__name__)

SURE: Final = 110.0
"""A rating with a larger deviation is provisional, and on no board."""

PAGE: Final = 100
"""Games that are looked up at a time."""

_NEVER: Final = 1 << 40
"""A day that never comes; a clock may be set back behind the newest one that counts."""

TRIES: Final = 5
"""How often a variant is settled anew when results keep coming."""


@dataclass(frozen=True, slots=True)
class Row:
    """What somebody's games of a variant come to, or all of them; see `service.tally.Sums`."""

    variant: str
    sums: Sums


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating as it is today; `day` is the last on which they played."""

    day: int
    standing: Standing

    @property
    def provisional(self) -> bool:
        """Whether little is known, or nothing was heard for long."""
        return self.standing.deviation > SURE


class Statistics:
    """The statistics of one store."""

    def __init__(self, store: EventStore, people: People, ledger: Ledger) -> None:
        self._store = store
        self._people = people
        self._ledger = ledger

    # Making them; a worker's part

    def pending(self) -> bool:
        """Whether there is anything to do for `work`."""
        ledger = self._ledger
        return bool(self._store.over(ledger.place(), 1)) or any(map(ledger.unsettled, variants()))

    def work(self) -> None:
        """Counts all games that have ended, and brings the ratings up to them."""
        while endings := self._store.over(self._ledger.place(), PAGE):
            for ending in endings:
                self.count(ending.game)
                self._ledger.advance(ending.at)
        self.settle()

    def rebuild(self) -> int:
        """Makes everything anew from the logs; how many games were counted.

        Meanwhile the numbers are too small. Games that end meanwhile are counted as always.
        """
        self._ledger.clear()
        games = set(self._store.rebuild())
        number = sum(self.count(game) for game in sorted(games))
        self.settle()
        return number

    def count(self, game: str) -> bool:
        """Counts a game, if it counts and was not counted; what was cut short is completed."""
        found = self._counted(game)
        if found is None:
            return False
        scope = "public" if found.public else "private"
        for player, sums in found.players.items():
            named = {"/".join((scope, found.variant, *path)): n for path, n in sums.items()}
            self._ledger.count(Book("player", player), game, named)
        if found.public:
            named = {"/".join(path): n for path, n in found.all.items()}
            self._ledger.count(Book("variant", found.variant), game, named)
        if found.played:
            self._ledger.note(found.variant, found.day, game, found.played)
        return True

    def settle(self) -> None:
        """Makes the entries that newer results have made wrong."""
        for variant in variants():
            for _ in range(TRIES):
                if self._settled(variant):
                    break

    # Looking at them

    def of_player(self, player: str, private: bool = False) -> list[Row]:
        """A player's sums by variant, in the catalogue's order; on demand with private games."""
        rows: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
        for name, number in self._ledger.sums(Book("player", player)).items():
            scope, variant, *path = name.split("/")
            if private or scope == "public":
                rows[variant][tuple(path)] += number
        return [Row(variant, rows[variant]) for variant in variants() if variant in rows]

    def of_variant(self, variant: str) -> Row:
        """The sums of a variant's public games."""
        sums = self._ledger.sums(Book("variant", variant))
        return Row(variant, {tuple(name.split("/")): number for name, number in sums.items()})

    def ratings(self, players: Sequence[str], variant: str) -> dict[str, Rating]:
        """Today's ratings of those of the players who have one."""
        today = self._ledger.today()
        found = self._ledger.newest(variant, players, _NEVER)
        return {
            player: Rating(entry.day, glicko.aged(entry.standing, max(0, today - entry.day)))
            for player, entry in found.items()
        }

    def history(self, player: str, variant: str, before: int | None, limit: int) -> list[Entry]:
        """A player's entries, the newest first, of days before that one."""
        return self._ledger.history(variant, player, before, limit)

    def board(
        self, variant: str, board: Board, after: Rank | None, limit: int
    ) -> tuple[int, list[Rank]]:
        """A page of a board, and how many stand before it. Hidden players are on it too."""
        return self._ledger.board(variant, board, self._ledger.today(), after, limit)

    def leaders(
        self, variant: str, board: Board, after: Rank | None, limit: int
    ) -> list[tuple[int, Rank]]:
        """The first players behind a place who may be seen, each with the number of their rank.

        Of two with equal ratings a place says who comes first. So one that names nobody who is
        seen stands before all of its rating: else it would find out who hides there.
        """
        if after and not self._seen(variant, after.player):
            after = Rank("", after.points)
        found: list[tuple[int, Rank]] = []
        size = max(limit, PAGE)
        while len(found) < limit:
            before, ranks = self.board(variant, board, after, size)
            hidden = self.hidden([rank.player for rank in ranks])
            numbered = enumerate(ranks, before + 1)
            found += [(number, rank) for number, rank in numbered if rank.player not in hidden]
            if len(ranks) < size:
                break
            after = ranks[-1]
        return found[:limit]

    def hidden(self, players: Sequence[str]) -> set[str]:
        """Those of the players who want to be seen by nobody else."""
        return self._ledger.hidden(players) if players else set()

    def hide(self, player: str, hidden: bool) -> None:
        """Keeps whether the player wants that."""
        self._ledger.hide(player, hidden)

    # Inside

    def _seen(self, variant: str, player: str) -> bool:
        """Whether the player has a rating of the variant that others may see."""
        known = self._ledger.newest(variant, [player], _NEVER)
        return bool(known) and not self._ledger.hidden([player])

    def _counted(self, game: str) -> Counted | None:
        """What the game counts; None for what came as a record or cannot be folded, too."""
        try:
            reading = self._store.read(game)
            commits, wrong = fault.chained(0, "", reading.entries)
            if wrong or reading.broken:
                raise Unreadable(wrong or reading.broken)
            if not commits or reading.entries[0].meta.source == IMPORT:
                return None
            return counted(commits)
        except (Unreadable, *FAILURES) as error:
            log.warning("game %s does not count: %s", game, type(error).__name__)
            return None

    def _settled(self, variant: str) -> bool:
        """Makes the entries from the first unsettled day on; False where it must be done again."""
        due = self._ledger.unsettled(variant)
        if due is None:
            return True
        days = self._ledger.days(variant, due.day)
        if not days:  # somebody cleared the ledger just now
            return self._ledger.settle(variant, due.mark, [], None)
        for day, left in zip(days, [*days[1:], None], strict=True):
            changes = self._changes(variant, day, alone=len(days) == 1)
            if not self._ledger.settle(variant, due.mark, changes, left):
                return False
        return True

    def _changes(self, variant: str, day: int, alone: bool) -> list[Change]:
        """The entries of a day; if no other day is made, those that differ from what is there."""
        results = self._ledger.results(variant, day)
        games: Counter[str] = Counter()
        for played in results.values():
            games.update(player for side in played.sides for player in side)
        players = sorted(games)
        start = {player: Standing() for player in players}
        for player, entry in self._ledger.newest(variant, players, day).items():
            start[player] = glicko.aged(entry.standing, day - entry.day - 1)
        outcomes: defaultdict[str, list[Outcome]] = defaultdict(list)
        for _, played in sorted(results.items()):  # sums of floats depend on their order
            for player, outcome in _outcomes(played, start):
                outcomes[player].append(outcome)
        made = {
            player: Entry(day, glicko.rated(start[player], outcomes[player]), games[player])
            for player in players
        }
        if alone:
            there = self._ledger.newest(variant, players, day + 1)
            made = {player: entry for player, entry in made.items() if there.get(player) != entry}
        bots = {one.id for one in self._people.known([*made]).values() if one.bot}
        return [_change(player, entry, player in bots) for player, entry in made.items()]


def variants() -> list[str]:
    """Every variant, in the catalogue's order."""
    return [name for rules in GAMES.values() for name in rules.VARIANTS]


def _outcomes(played: Played, start: dict[str, Standing]) -> list[tuple[str, Outcome]]:
    """What each player gets of a game: one outcome against each other side."""
    found: list[tuple[str, Outcome]] = []
    for side, place in zip(played.sides, played.places, strict=True):
        for others, other_place in zip(played.sides, played.places, strict=True):
            if others is side:
                continue
            score = 1.0 if place < other_place else 0.0 if place > other_place else 0.5
            field = [start[other] for other in others]
            for player in side:
                partners = [start[partner] for partner in side if partner != player]
                met = glicko.side(partners, field, start[player])
                found.append((player, Outcome(met, score)))
    return found


def _change(player: str, entry: Entry, bot: bool) -> Change:
    days = glicko.lasts(entry.standing, SURE)
    if days is None:
        return Change(player, entry, None)
    return Change(player, entry, "bots" if bot else "people", entry.day + days)
