"""The search for one arrangement of a hand (rules 3.5 to 3.10).

It reads the hand rank by rank, from four to ace: some cards of the rank go on in sequences
(`runs`), the others become sets, join sets, or stay (`fillings`); black threes and the wilds
left come last. What matters for the ranks above is small: the runs begun, the wilds left, the
cards that stay, the canastas and points still wanted. So dead ends are remembered, and the
answer is exact, up to `PATIENCE` of them.
"""

from collections.abc import Iterator, Sequence
from itertools import product, zip_longest
from typing import Final, NamedTuple

from service.rules.canasta.commands import Group
from service.rules.canasta.fillings import ANY, Base, Filling, set_fillings, wild_filling
from service.rules.canasta.melds import BLACK_THREES, POINTS, SMALLEST, WILDS, natural_rank
from service.rules.canasta.runs import TOP, Open, Option, State, Suit, pieces
from service.rules.canasta.state import Meld
from service.rules.canasta.variants import Variant
from service.rules.cards import RANK, RANKS, SUITS, Card, arranged

PLACE: Final = {rank: place for place, rank in enumerate(RANKS)}
"""The place of each natural rank, from 0 for a four."""

PATIENCE: Final = 2_000
"""Dead ends after which a search gives up: five times what was seen with random hands of forty
cards, which is more than play brings. So a hoarder's hand of eighty costs half a second at most,
not twenty."""

WORTH: Final = tuple(POINTS[rank + "c"] for rank in RANKS)


class Goal(NamedTuple):
    """What an arrangement must achieve.

    Attributes:
        value: points that the cards laid must be worth.
        keep: cards that must stay in the hand at least.
        most: cards that may stay in the hand at most.
        out: afterwards the player is out, or has one card left to discard: the requirement
            must be met, and black threes may be laid.
    """

    value: int = 0
    keep: int = 0
    most: int = ANY
    out: bool = False


class Arrangement(NamedTuple):
    """The groups laid, new ones without a target, and the cards that stay."""

    groups: tuple[Group, ...]
    stays: tuple[Card, ...]


class _Rank(NamedTuple):
    """What was decided at one rank: for sequences, cards that stay, sets, wilds in them."""

    options: tuple[Option, ...]
    stays: int
    filling: Filling


class Search:
    """One question: can `hand` be laid beside `melds` so that `goal` is met?

    `canastas` is how many more canastas the goal needs; for a sequence canasta see `arrange`.
    """

    def __init__(
        self,
        variant: Variant,
        melds: Sequence[Meld],
        hand: Sequence[Card],
        goal: Goal,
        canastas: int = 0,
    ) -> None:
        self.variant, self.goal, self.canastas = variant, goal, canastas
        self.threes = [card for card in hand if card in BLACK_THREES]
        self.few_threes = len(self.threes) if len(self.threes) < SMALLEST else 0
        self.wilds = [card for card in reversed(arranged(hand)) if card in WILDS]
        self.counts = [[0] * TOP for _ in SUITS]
        for card in hand:
            if RANK[card] in PLACE:
                self.counts[SUITS.index(card[-1])][PLACE[RANK[card]]] += 1
        self.total = [sum(column) for column in zip(*self.counts, strict=True)]
        self.bases: list[list[str]] = [[] for _ in RANKS]
        self.wild_melds: list[str] = []
        self._read(melds)
        self.failed: dict[tuple[int, tuple[State, ...], int, int, int], int] = {}
        self.path: dict[int, _Rank] = {}
        self.last: tuple[int, tuple[int, ...], int] = (0, (), 0)

    def _read(self, melds: Sequence[Meld]) -> None:
        """Sorts the side's melds into what each may still take."""
        keys: list[tuple[Base, ...]] = [()] * TOP
        opened: list[list[Open]] = [[] for _ in SUITS]
        sizes: list[int] = []
        longest = self.variant.largest.get("seq") or ANY
        for meld in melds:
            size = len(meld.cards)
            if meld.kind == "set":
                wild = sum(card in WILDS for card in meld.cards)
                place = PLACE[natural_rank(meld.cards) or ""]
                keys[place] = (*keys[place], Base(size - wild, wild))
                self.bases[place].append(meld.id)
            elif meld.kind == "wild":
                self.wild_melds.append(meld.id)
                sizes.append(size)
            elif meld.kind == "seq" and size < longest:
                low = PLACE[RANK[meld.cards[0]]]
                suit = SUITS.index(meld.cards[0][-1])
                opened[suit].append(Open(meld.id, low, low + size - 1, longest - size))
        self.keys, self.wild_sizes = keys, tuple(sizes)
        self.suits: list[tuple[int, Suit]] = []
        if "seq" in self.variant.largest:
            suits = [(index, Suit(self.counts[index], opened[index])) for index in range(4)]
            self.suits = [(index, suit) for index, suit in suits if any(suit.counts)]

    def solve(self) -> Arrangement | None:
        """The first arrangement found, or None when there is none."""
        if self._hopeless():
            return None
        start = tuple(suit.start for _, suit in self.suits)
        if self._walk(0, start, len(self.wilds), 0, self.canastas, self.goal.value):
            return self._build()
        return None

    def _fillings(self, rank: int, naturals: int) -> dict[int, Filling]:
        one = self.variant.one_meld_per_rank
        fresh = ANY if not one else 0 if self.keys[rank] else 1
        return set_fillings(self.variant.naturals_for_wilds, fresh, self.keys[rank], naturals)

    def _wild_filling(self, wild: int) -> tuple[int, tuple[int, ...]] | None:
        if "wild" not in self.variant.largest:
            return None if wild else (0, ())
        one = self.variant.one_meld_per_rank
        fresh = ANY if not one else 0 if self.wild_sizes else 1
        return wild_filling(self.variant.largest["wild"] or ANY, fresh, self.wild_sizes, wild)

    def _hopeless(self) -> bool:
        """Bounds for the ranks from each one up (points, wilds, canastas), and a first look."""
        self.points, self.room, self.gain = [0] * (TOP + 1), [0] * (TOP + 1), [0] * (TOP + 1)
        self.stuck = [0] * (TOP + 1)
        for rank in reversed(range(TOP)):
            ways = self._fillings(rank, self.total[rank])
            fits = [way.canastas for wild, way in ways.items() if wild <= len(self.wilds)]
            runs = sum(suit.counts[rank] for _, suit in self.suits)
            alone = 0 if fits else self.total[rank] - runs
            self.stuck[rank] = self.stuck[rank + 1] + alone
            likely = self.total[rank] if fits else runs
            self.points[rank] = self.points[rank + 1] + WORTH[rank] * likely
            self.room[rank] = self.room[rank + 1] + max(ways, default=0)
            self.gain[rank] = self.gain[rank + 1] + max(fits, default=0)
        melds = map(self._wild_filling, range(len(self.wilds) + 1))
        self.wild_gain = max(found[0] for found in melds if found)
        last = self.wilds + (self.threes if self.goal.out else [])
        self.last_points = sum(map(POINTS.__getitem__, last))
        return self.stuck[0] + self.few_threes > self.goal.most

    def _walk(
        self, rank: int, runs: tuple[State, ...], wild: int, stays: int, canastas: int, value: int
    ) -> bool:
        """Whether the ranks from `rank` up can be laid; leaves the way in `path`.

        `stays` counts cards kept so far (no further than it matters), `canastas` and `value`
        are still wanted.
        """
        if rank == TOP:
            return self._finish(wild, stays, canastas, value)
        spare = self.goal.most - self.few_threes - stays
        if (
            self.stuck[rank] > spare
            or value > self.points[rank] + self.last_points
            or canastas > self.gain[rank] + self.wild_gain
            or ("wild" not in self.variant.largest and wild - self.room[rank] > spare)
        ):
            return False
        key = (rank, runs, wild, stays, canastas)
        if self.failed.get(key, value + 1) <= value or len(self.failed) > PATIENCE:
            return False
        wanted = self.goal.keep if self.goal.most == ANY else self.goal.most
        moves = [suit.options(rank, run) for (_, suit), run in zip(self.suits, runs, strict=True)]
        for options in product(*moves):
            then = tuple(option.state for option in options)
            used = sum(option.used for option in options)
            pool = self.total[rank] - used
            for kept in _keeping(pool, spare, wanted - stays):
                left = value - WORTH[rank] * (self.total[rank] - kept)
                now = min(stays + kept, wanted)
                for more, filling in self._fillings(rank, pool - kept).items():
                    if more > wild:
                        break
                    still = max(0, canastas - filling.canastas)
                    if self._walk(rank + 1, then, wild - more, now, still, max(0, left)):
                        self.path[rank] = _Rank(options, kept, filling)
                        return True
        self.failed[key] = value
        return False

    def _finish(self, wild: int, stays: int, canastas: int, value: int) -> bool:
        """Whether the black threes and the wilds left can end it well."""
        threes = len(self.threes)
        melds = [0]
        if self.goal.out:
            limit = self.variant.largest["b3"] or ANY
            melds += [n for n in (threes - 1, threes) if SMALLEST <= n <= limit]
        for laid in range(wild + 1):
            found = self._wild_filling(laid)
            if not found or found[0] < canastas:
                continue
            in_use = self.wilds[: len(self.wilds) - wild + laid]
            lacking = value - sum(map(POINTS.__getitem__, in_use))
            for black in melds:
                kept = stays + wild - laid + threes - black
                enough = lacking <= black * POINTS["3c"]
                if enough and self.goal.keep <= kept <= self.goal.most:
                    self.last = (len(in_use), found[1], black)
                    return True
        return False

    def _build(self) -> Arrangement:
        """The groups of the way found: sets by rank, sequences by suit, wilds, black threes."""
        in_use, wild_parts, black = self.last
        wild = self.wilds[:in_use]
        groups: list[Group] = []
        stays = [*self.wilds[in_use:], *self.threes[black:]]
        for rank in range(TOP):
            decided, counts = self.path[rank], [row[rank] for row in self.counts]
            for (index, _), option in zip(self.suits, decided.options, strict=True):
                counts[index] -= option.used
            pool = [RANKS[rank] + SUITS[suit] for suit in range(4) for _ in range(counts[suit])]
            stays += pool[len(pool) - decided.stays :]
            for name, (size, more) in zip_longest(self.bases[rank], decided.filling.parts):
                cards = pool[:size] + [wild.pop() for _ in range(more)]
                groups += [Group(arranged(cards), name)] if cards else []
                pool = pool[size:]
        for place, (index, suit) in enumerate(self.suits):
            steps = [self.path[rank].options[place].step for rank in range(TOP)]
            for name, run in suit.rebuild(steps):
                longest = self.variant.largest["seq"] or ANY
                for piece in [run] if name else pieces(run, longest):
                    groups.append(Group(tuple(RANKS[r] + SUITS[index] for r in piece), name))
        for name, size in zip_longest(self.wild_melds, wild_parts):
            groups += [Group(arranged(wild[:size]), name)] if size else []
            wild = wild[size:]
        if black:
            groups.append(Group(arranged(self.threes[:black])))
        return Arrangement(tuple(groups), arranged(stays))


def _keeping(pool: int, spare: int, lacking: int) -> Iterator[int]:
    """How many naturals of a rank may stay, fewest first.

    One or two, since of three there is a set; of those that could be one no more than are
    lacking. But all of them where a set of the others would be too small.
    """
    for kept in range(min(pool, 2, spare) + 1):
        if pool >= SMALLEST and kept > lacking:
            break
        yield kept
    if SMALLEST <= pool < SMALLEST + lacking and pool <= spare:
        yield pool
