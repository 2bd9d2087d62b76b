"""Positions and commands of the canasta family as text, for given/when/then tests.

C19 canasta 4 (3.8.2) a title            id, variant, players, paragraphs
  given P0: Kc Kh 9s 9d 9h 4c 6d         a hand; one that is not given holds 4c 5d
  given side 0: m1 = 8c 8d 8s            a meld, its kind as the cards make it
  given pile: 5c Kd                      from the bottom; empty where not given
  given stock: Kc 5c                     from the top; 8c 8d 8h 8s where not given
  given score 0: -20                     0 where not given
  given laid: P0                         has put cards on the table in an earlier turn
  given red threes 0: 3h 3d
  given draw: P0                         the phase, and whose turn it is
  when P0 take_pile [Kc Kh] also [9s 9d 9h] => ok
  when P0 meld [9c 9d > m1] => keep_two_cards
  then P0 hand = 4c 6d 5c                one of LOOKS
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from service.rules.canasta import VARIANTS, decide, evolve, to_act
from service.rules.canasta.commands import (
    Answer,
    AskPartner,
    Command,
    Discard,
    Draw,
    GoOut,
    Group,
    Pass,
    Plan,
    Take,
    TakePile,
    TakeTop,
)
from service.rules.canasta.commands import Meld as Lay
from service.rules.canasta.melds import canasta_of, kind_of
from service.rules.canasta.state import Meld, State
from service.rules.canasta.variants import Variant
from service.rules.cards import Card, arranged
from service.rules.errors import IllegalMove


def cards(text: str) -> tuple[Card, ...]:
    """`4c 5d` as cards."""
    return tuple(text.split())


def position(variant: str, players: int, given: str) -> State:
    """The state that the `given` lines describe, in the middle of deal 1."""
    rules = VARIANTS[variant]
    assert isinstance(rules, Variant)
    sides = max(rules.sides(players)) + 1
    options = {"target_score": rules.options(players)["target_score"].default}
    state = rules.start(players, options, 0, (0,) * sides)
    state.deal = 1
    state.dealer = players - 1
    state.hands = [cards("4c 5d")] * players
    state.stock = cards("8c 8d 8h 8s")
    for line in given.splitlines():
        if line.strip():
            _give(state, line.strip().removeprefix("given "))
    state.melded_before = state.melded(state.side(state.turn))
    return state


def _give(state: State, line: str) -> None:
    what, _, value = (part.strip() for part in line.partition(":"))
    match what.split():
        case ["dealing" | "draw" | "play" | "over" as phase]:
            state.phase = phase
            state.turn = int(value[1:])
        case ["pile"]:
            state.pile = cards(value)
        case ["stock"]:
            state.stock = cards(value)
        case ["laid"]:
            state.laid[int(value[1:])] = True
        case ["score", side]:
            state.scores[int(side)] = int(value)
        case ["red", "threes", side]:
            state.red_threes[int(side)] = cards(value)
        case ["side", side]:
            name, _, held = value.partition(" = ")
            meld = Meld(name, kind_of(cards(held)), arranged(cards(held)))
            state.melds[int(side)] = (*state.melds[int(side)], meld)
            state.next_meld += 1
        case [seat]:
            state.hands[int(seat[1:])] = arranged(cards(value))
        case _:
            raise AssertionError(line)


def command(text: str) -> Command:
    """`P0 go_out [9c > m2] discard 4d` as a command."""
    who, name, *rest = text.split(maxsplit=2)
    seat, body = int(who[1:]), rest[0] if rest else ""
    match name:
        case "draw":
            return Draw(seat)
        case "pass":
            return Pass(seat)
        case "discard":
            return Discard(seat, body)
        case "take_top":
            return TakeTop(seat, body)
        case "answer":
            return Answer(seat, "yes" if body == "yes" else "no")
        case "meld":
            return Lay(seat, _groups(body))
        case "take_pile":
            take = _take(body)
            return TakePile(seat, take.cards, take.target, take.also)
        case "go_out":
            plan = _plan(body)
            return GoOut(seat, plan.groups, plan.discard)
        case "ask_partner":
            return AskPartner(seat, _plan(body))
    raise AssertionError(text)


def _groups(text: str) -> tuple[Group, ...]:
    groups = []
    for inside in re.findall(r"\[(.*?)\]", text):
        held, _, target = inside.partition(">")
        groups.append(Group(cards(held), target.strip() or None))
    return tuple(groups)


def _take(text: str) -> Take:
    top, _, also = text.partition(" also ")
    (group,) = _groups(top)
    return Take(group.cards, group.target, _groups(also))


def _plan(text: str) -> Plan:
    body, found, discard = text.partition("discard ")
    take = None
    if body.startswith("take_pile "):
        taken, _, body = body.removeprefix("take_pile ").partition(" then ")
        take = _take(taken)
    return Plan(_groups(body), discard if found else None, take)


def run(state: State, text: str) -> str:
    """Gives the command and applies what it causes: `ok`, or the code of the refusal."""
    try:
        events = decide(state, command(text))
    except IllegalMove as no:
        return no.code
    for event in events:
        evolve(state, event)
    return "ok"


def play(state: State, *commands: str) -> None:
    """Gives commands that must all be accepted."""
    for text in commands:
        assert run(state, text) == "ok", text


def line(state: State, side: int, name: str) -> int:
    """The points in that line of a side's last score sheet."""
    assert state.last_deal
    return next(row.points for row in state.last_deal.sides[side].lines if row.name == name)


def _meld(state: State, name: str) -> tuple[Card, ...]:
    return next(meld.cards for melds in state.melds for meld in melds if meld.id == name)


def _bonus(state: State, side: int) -> int:
    kinds = [canasta_of(meld.kind, meld.cards) for meld in state.melds[side]]
    return sum(state.variant.canasta_bonus[kind] for kind in kinds if kind)


def _sorted(text: str) -> str:
    return " ".join(arranged(cards(text)))


LOOKS: dict[str, tuple[Callable[[State, str], str], Callable[[str], str]]] = {
    r"P(\d) hand": (lambda s, n: " ".join(s.hands[int(n)]), _sorted),
    r"P(\d) hand size": (lambda s, n: str(len(s.hands[int(n)])), str),
    r"P(\d) left": (lambda s, n: str(line(s, s.side(int(n)), "hands")), str),
    r"(m\d)": (lambda s, n: " ".join(_meld(s, n)), _sorted),
    r"(m\d) size": (lambda s, n: str(len(_meld(s, n))), str),
    r"pile()": (lambda s, _: " ".join(s.pile), str),
    r"stock()": (lambda s, _: " ".join(s.stock), str),
    r"red threes (\d)": (lambda s, n: " ".join(s.red_threes[int(n)]), str),
    r"melds (\d)": (lambda s, n: str(len(s.melds[int(n)])), str),
    r"sizes (\d)": (lambda s, n: " ".join(str(len(m.cards)) for m in s.melds[int(n)]), str),
    r"canastas (\d)": (lambda s, n: str(_bonus(s, int(n))), str),
    r"cards (\d)": (lambda s, n: str(line(s, int(n), "cards")), str),
    r"going out (\d)": (lambda s, n: str(line(s, int(n), "going_out")), str),
    r"total (\d)": (lambda s, n: str(s.last_deal and s.last_deal.sides[int(n)].total), str),
    r"phase()": (lambda s, _: "deal_over" if s.phase == "dealing" else s.phase, str),
    r"to act()": (lambda s, _: f"P{to_act(s)}", str),
}


def check(state: State, text: str) -> None:
    """Holds the state against one `then`."""
    what, _, expected = (part.strip() for part in text.partition("="))
    for pattern, (look, form) in LOOKS.items():
        if found := re.fullmatch(pattern, what):
            assert look(state, found[1]) == form(expected), text
            return
    raise AssertionError(text)


@dataclass
class Example:
    """One worked example of the rules."""

    id: str
    variant: str
    players: int
    rules: tuple[str, ...]
    title: str
    given: list[str] = field(default_factory=list)
    story: list[tuple[str, str]] = field(default_factory=list)
    """The `when` and `then` lines in their order."""

    def start(self) -> State:
        """The position that the example begins with."""
        return position(self.variant, self.players, "\n".join(self.given))


def read(path: Path) -> list[Example]:
    """Every example of a file."""
    examples: list[Example] = []
    for text in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = text.strip().partition(" ")
        match word:
            case "":
                pass
            case "given":
                examples[-1].given.append(rest)
            case "when" | "then":
                examples[-1].story.append((word, rest))
            case _:
                found = re.fullmatch(r"(\w+) (\w+) (\d) \((.*?)\) (.*)", text)
                assert found, text
                name, variant, players, rules, title = found.groups()
                examples.append(Example(name, variant, int(players), tuple(rules.split()), title))
    return examples
