"""Record lines: one form, the same bytes for ever, and nothing else is read."""

import json
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.decision import Chosen, Decision, FellBack, Weighed
from service.replay import Commit
from service.rules import GAMES, seating
from service.rules.canasta.commands import Discard, Group, Meld
from service.rules.canasta.events import CardDiscarded, MeldLaid
from service.rules.deals import DealScored, Line, SideScore
from service.rules.protocol import HOUSE, DealCards
from service.rules.seating.commands import Chair, Clock, OpenGame, Origin, Setup, Terms
from service.rules.seating.events import GameOpened
from service.store import Unreadable, codec, past

MODULES: tuple[Any, ...] = (seating, *GAMES.values())
COMMANDS = sorted({cls for module in MODULES for cls in module.COMMANDS}, key=str)
EVENTS = sorted({cls for module in MODULES for cls in module.EVENTS}, key=str)

DISCARD = Commit(
    17, "p" * 43, "s" * 22, 1_764_452_345_123, Discard(2, "4d"), (CardDiscarded(2, "4d"),)
)
CHAIRS = (Chair("human", player="anna"), Chair("ai", "casual"))
SETUP = Setup(0, (-50, 0), (("4d", "JK"),))
TERMS = Terms(Clock(60_000, None, 0, "take_over"), None, ready=True, hints=True)
OPTIONS = {"target_score": 5000, "deals": 1}
OPENED = Commit(
    1,
    "",
    "s" * 22,
    1,
    OpenGame(
        "canasta", 1, CHAIRS, OPTIONS, "public", "alg", "c0ffee", SETUP, Origin("g", 7), TERMS
    ),
    (GameOpened("canasta", 1, CHAIRS, OPTIONS, "public", "alg", "c0ffee", None),),
)
OPENED_1 = replace(OPENED, command=replace(OPENED.command, origin=None, terms=Terms()))
SCORED = Commit(
    9,
    "p" * 43,
    "s" * 22,
    2,
    Meld(1, (Group(("4d", "4c", "2h")), Group(("JK",), "m1"))),
    (
        MeldLaid(1, "m2", "set", ("4d", "4c", "2h")),
        DealScored(
            3, "went_out", (SideScore((Line("cards", -5, "«ñ»\n", {"natural": -5}),), -5),), (-5, 0)
        ),
    ),
)
DEALT = Commit(3, "p" * 43, "s" * 22, 3, DealCards(HOUSE, ("4d", "JK")), ())
WEIGHED = (Weighed(Discard(2, "4d"), 35), Weighed(Discard(2, "5d"), -7))
CHOSEN = replace(DISCARD, decision=Chosen("club", "canasta.club 1", 100, 340, WEIGHED))
FELL_BACK = replace(DISCARD, decision=FellBack("club", "canasta.club 1", 100, "crashed"))


OLD: list[tuple[Commit, bytes, str]] = [
    (
        OPENED_1,
        b'{"version":1,"prev":"","salt":"ssssssssssssssssssssss","at":1,'
        b'"command":{"type":"open_game","variant":"canasta","rules_version":1,'
        b'"chairs":[{"kind":"human","level":null,"player":"anna"},'
        b'{"kind":"ai","level":"casual","player":null}],'
        b'"options":{"target_score":5000,"deals":1},"visibility":"public",'
        b'"algorithm":"alg","commitment":"c0ffee",'
        b'"setup":{"dealer":0,"scores":[-50,0],"packs":[["4d","JK"]]},"seat":-1},'
        b'"events":[{"type":"game_opened","variant":"canasta","rules_version":1,'
        b'"chairs":[{"kind":"human","level":null,"player":"anna"},'
        b'{"kind":"ai","level":"casual","player":null}],'
        b'"options":{"target_score":5000,"deals":1},"visibility":"public",'
        b'"algorithm":"alg","commitment":"c0ffee","setup":null}]}',
        "Ddtjt1QPMiaE1gFUBmfUvbgFmeipuwnJHFydItfpC5o",
    ),
]
"""Lines that were written before a shape changed: read for ever, written no more."""

GOLDEN: list[tuple[Commit, bytes, str]] = [
    (
        DISCARD,
        b'{"version":17,"prev":"ppppppppppppppppppppppppppppppppppppppppppp",'
        b'"salt":"ssssssssssssssssssssss","at":1764452345123,'
        b'"command":{"type":"discard","seat":2,"card":"4d"},'
        b'"events":[{"type":"card_discarded","seat":2,"card":"4d"}]}',
        "GSgQNOBjmPjLyO-t4e3bOwbhANcEeoNtOnBJsXJ5QEU",
    ),
    (
        OPENED,
        b'{"version":1,"prev":"","salt":"ssssssssssssssssssssss","at":1,'
        b'"command":{"type":"open_game@2","variant":"canasta","rules_version":1,'
        b'"chairs":[{"kind":"human","level":null,"player":"anna"},'
        b'{"kind":"ai","level":"casual","player":null}],'
        b'"options":{"target_score":5000,"deals":1},"visibility":"public",'
        b'"algorithm":"alg","commitment":"c0ffee",'
        b'"setup":{"dealer":0,"scores":[-50,0],"packs":[["4d","JK"]]},'
        b'"origin":{"game":"g","version":7},'
        b'"terms":{"clock":{"turn":60000,"bank":null,"increment":0,"expiry":"take_over"},'
        b'"spectators":null,"ready":true,"hints":true},"seat":-1},'
        b'"events":[{"type":"game_opened@2","variant":"canasta","rules_version":1,'
        b'"chairs":[{"kind":"human","level":null,"player":"anna"},'
        b'{"kind":"ai","level":"casual","player":null}],'
        b'"options":{"target_score":5000,"deals":1},"visibility":"public",'
        b'"algorithm":"alg","commitment":"c0ffee","setup":null,"origin":null,'
        b'"terms":{"clock":null,"spectators":0,"ready":false,"hints":false}}]}',
        "2BopSTex29oXqPxecpLtoMHlaYMI_boD_LPZmo8F1kM",
    ),
    (
        SCORED,
        b'{"version":9,"prev":"ppppppppppppppppppppppppppppppppppppppppppp",'
        b'"salt":"ssssssssssssssssssssss","at":2,'
        b'"command":{"type":"meld","seat":1,"groups":[{"cards":["4d","4c","2h"],"target":null},'
        b'{"cards":["JK"],"target":"m1"}]},'
        b'"events":[{"type":"meld_laid","seat":1,"meld":"m2","kind":"set",'
        b'"cards":["4d","4c","2h"]},'
        b'{"type":"deal_scored","deal":3,"why":"went_out","sides":[{"lines":[{"name":"cards",'
        b'"points":-5,"detail":"\xc2\xab\xc3\xb1\xc2\xbb\\n",'
        b'"parts":{"natural":-5}}],"total":-5}],"scores":[-5,0]}]}',
        "MPsQbsDp6ksTqGAZTX0l3nE7ydES4XkMaf680MzWMPM",
    ),
    (
        DEALT,
        b'{"version":3,"prev":"ppppppppppppppppppppppppppppppppppppppppppp",'
        b'"salt":"ssssssssssssssssssssss","at":3,'
        b'"command":{"type":"deal_cards","seat":-1,"pack":["4d","JK"]},"events":[]}',
        "Rq6YqPbvlozr0fXW0x7RmZ8qAndDnjdG5UypSRccTuY",
    ),
    (
        CHOSEN,
        b'{"version":17,"prev":"ppppppppppppppppppppppppppppppppppppppppppp",'
        b'"salt":"ssssssssssssssssssssss","at":1764452345123,'
        b'"command":{"type":"discard","seat":2,"card":"4d"},'
        b'"events":[{"type":"card_discarded","seat":2,"card":"4d"}],'
        b'"decision":{"type":"chosen","level":"club","strategy":"canasta.club 1","budget":100,'
        b'"samples":340,"candidates":['
        b'{"command":{"type":"discard","seat":2,"card":"4d"},"tenths":35},'
        b'{"command":{"type":"discard","seat":2,"card":"5d"},"tenths":-7}]}}',
        "8g6AYMN74E6-oEjPC_nPQ7WUQBmg48eXtDrEbR0w_sU",
    ),
    (
        FELL_BACK,
        b'{"version":17,"prev":"ppppppppppppppppppppppppppppppppppppppppppp",'
        b'"salt":"ssssssssssssssssssssss","at":1764452345123,'
        b'"command":{"type":"discard","seat":2,"card":"4d"},'
        b'"events":[{"type":"card_discarded","seat":2,"card":"4d"}],'
        b'"decision":{"type":"fell_back","level":"club","strategy":"canasta.club 1","budget":100,'
        b'"why":"crashed"}}',
        "ZcQcMiRHpph11AFM2UDB7FwnDtYJ628otvY551VveIw",
    ),
]
"""Fixed for ever: a change here breaks every log that was kept and every hash that was shown."""

LINE = GOLDEN[0][1]


@pytest.mark.parametrize(("commit", "line", "digest"), GOLDEN)
def test_a_commit_has_the_same_bytes_for_ever(commit: Commit, line: bytes, digest: str) -> None:
    assert codec.encode(commit) == line
    assert codec.decode(line) == commit
    assert codec.digest(line) == digest


@pytest.mark.parametrize(("commit", "line", "digest"), OLD)
def test_a_line_of_an_older_shape_is_read_as_todays(
    commit: Commit, line: bytes, digest: str
) -> None:
    assert codec.decode(line) == commit
    assert codec.digest(line) == digest
    assert codec.encode(commit) != line


def test_the_digest_is_sha_256() -> None:
    """The empty input of FIPS 180-4's examples, in base64url."""
    assert codec.digest(b"") == "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"


def strategy(kind: Any) -> st.SearchStrategy[Any]:
    """Values of an annotated field."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is int:
        return st.integers(-(2**63), 2**63 - 1)
    if kind is str:
        return st.text(max_size=8)
    if kind is bool:
        return st.booleans()
    if kind is NoneType:
        return st.none()
    if origin is Annotated:
        return strategy(arguments[0])
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, UnionType):
        return st.one_of(*map(strategy, arguments))
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(strategy(arguments[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(strategy, arguments))
    if origin is dict:
        return st.dictionaries(*map(strategy, arguments), max_size=3)
    assert isinstance(kind, type) and is_dataclass(kind), f"can the wire carry a {kind}?"
    hints = get_type_hints(kind, include_extras=True)
    make: Any = kind
    return st.builds(make, **{each.name: strategy(hints[each.name]) for each in fields(kind)})


SHAPES = [(today, shape) for today, shapes in past.PAST.items() for shape in shapes]

commands = st.one_of(*map(strategy, COMMANDS))
events = st.one_of(*map(strategy, EVENTS))
commits = st.builds(
    Commit,
    st.integers(1, 2**63 - 1),
    st.text(),
    st.text(),
    st.integers(0, 2**63 - 1),
    commands,
    st.lists(events, max_size=4).map(tuple),
)
weighed = st.builds(Weighed, st.one_of(*map(strategy, (Discard, Meld))), strategy(int))
decisions = st.one_of(
    strategy(FellBack),
    st.builds(
        Chosen,
        *(strategy(field) for field in (str, str, int, int)),
        st.lists(weighed, max_size=2).map(tuple),
    ),
)


@given(commits)
def test_every_commit_comes_back_from_its_line(commit: Commit) -> None:
    line = codec.encode(commit)
    assert b"\n" not in line and b"\r" not in line
    assert codec.decode(line) == commit
    assert list(json.loads(line)) == ["version", "prev", "salt", "at", "command", "events"]


@given(decisions)
def test_every_decision_comes_back_from_its_line(decision: Decision) -> None:
    line = codec.encode(replace(DISCARD, decision=decision))
    assert codec.decode(line) == replace(DISCARD, decision=decision)
    assert line.startswith(codec.encode(DISCARD)[:-1] + b',"decision":')


@pytest.mark.parametrize("cls", [*COMMANDS, *EVENTS])
def test_every_class_has_a_wire_name_and_no_field_called_type(cls: type[Any]) -> None:
    assert codec.WIRE_NAMES[cls].replace("_", "") == cls.__name__.lower()
    assert "type" not in {each.name for each in fields(cls)}


@pytest.mark.parametrize(("today", "shape"), SHAPES)
def test_every_older_shape_comes_as_todays_with_all_that_it_said(
    today: type[Any], shape: type[Any]
) -> None:
    @given(strategy(shape))
    def check(old: Any) -> None:
        commit = _around(old) if today in COMMANDS else replace(DISCARD, events=(old,))
        line = codec.encode(commit)
        read = codec.decode(line)
        new = read.command if today in COMMANDS else read.events[0]
        assert type(new) is today
        assert {each.name: getattr(old, each.name) for each in fields(shape)}.items() <= {
            each.name: getattr(new, each.name) for each in fields(today)
        }.items()
        assert codec.decode(codec.encode(read)) == read

    check()


@dataclass(frozen=True)
class Third:
    words: tuple[str, ...]


@dataclass(frozen=True)
class Second:
    words: str

    def newer(self) -> Third:
        return Third((self.words,))


@dataclass(frozen=True)
class First:
    word: str

    def newer(self) -> Second:
        return Second(self.word)


def test_a_shape_goes_through_all_that_came_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "PAST", {Third: (First, Second)})
    monkeypatch.setattr(past, "_OLD", {First, Second})
    assert codec._shapes({"third": Third}) == {
        "third": First,
        "third@2": Second,
        "third@3": Third,
    }
    assert [past.today(it) for it in (First("x"), Second("x"), Third(("x",)))] == [
        Third(("x",))
    ] * 3


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"open_game"', b'"open_game@1"', "unknown type 'open_game@1'"),
        (b'"open_game"', b'"open_game@02"', "unknown type 'open_game@02'"),
        (b'"open_game"', b'"open_game@3"', "unknown type 'open_game@3'"),
        (b'"open_game"', b'"open_game@"', "type does not stand first"),
        (b'"open_game"', b'"open_game@2"', "one form"),
        (b',"seat":-1', b',"origin":null,"seat":-1', "one form"),
        (b',"seat":-1', b"", "one form"),
        (b'"setup":{"dealer":0,', b'"setup":{', "missing required field `dealer`"),
        (b'"game_opened"', b'"game_opened@2"', "one form"),
        (b',"setup":null', b"", "missing required field `setup`"),
        (b',"setup":null', b',"setup":null,"origin":null', "one form"),
    ],
)
def test_an_older_line_has_one_form_too(old: bytes, new: bytes, why: str) -> None:
    line = OLD[0][1]
    assert old in line
    with pytest.raises(Unreadable, match=why):
        codec.decode(line.replace(old, new, 1))


def test_each_part_of_a_line_has_its_own_shape() -> None:
    """So a release may change one of them alone."""
    line = OLD[0][1].replace(b'"game_opened"', b'"game_opened@2"')
    terms = b',"origin":null,"terms":' + msgspec.json.encode(Terms())
    assert codec.decode(line.replace(b',"setup":null', b',"setup":null' + terms)) == OPENED_1


@given(commands)
def test_every_command_comes_back_from_the_wire(command: Any) -> None:
    wire = codec.to_wire(command)
    assert next(iter(wire)) == "type"
    assert codec.from_wire(wire) == command
    assert codec.from_wire(json.loads(json.dumps(wire))) == command


@given(st.one_of(commands, events))
def test_the_wire_and_the_line_are_the_same_json(thing: Any) -> None:
    command = thing if type(thing) in COMMANDS else DISCARD.command
    happened = (thing,) if type(thing) in EVENTS else ()
    line = json.loads(codec.encode(Commit(1, "", "", 0, command, happened)))
    wire = json.loads(json.dumps(codec.to_wire(thing)))
    bare = [
        {**part, "type": part["type"].split("@")[0]} for part in (line["command"], *line["events"])
    ]
    assert wire in bare


@given(st.data())
def test_a_line_with_any_byte_changed_is_another_commit_or_unreadable(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(LINE) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != LINE[place]))
    changed = LINE[:place] + bytes([byte]) + LINE[place + 1 :]
    try:
        commit = codec.decode(changed)
    except Unreadable:
        return
    assert commit != DISCARD
    assert codec.encode(commit) == changed


@given(st.binary())
def test_noise_is_unreadable(noise: bytes) -> None:
    with pytest.raises(Unreadable):
        codec.decode(noise)


NESTED = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"discard"', b'"discrad"', "unknown type 'discrad'"),
        (b'"discard"', b'"card_discarded"', "unknown type 'card_discarded'"),
        (b'"card_discarded"', b'"discard"', "unknown type 'discard'"),
        (b'"type":"discard",', b"", "type does not stand first"),
        (b'{"type":"discard","seat":2,', b'{"seat":2,"type":"discard",', "type does not stand"),
        (b'"discard","seat":2', b'"discard"', "missing required field `seat`"),
        (b'"seat":2', b'"seat":"2"', "Expected `int`, got `str`"),
        (b'"seat":2', b'"seat":2.0', "Expected `int`, got `float`"),
        (b'"seat":2', b'"seat":true', "Expected `int`, got `bool`"),
        (b'"card":"4d"', b'"card":null', "Expected `str`, got `null`"),
        (b'"card":"4d"', b'"card":"4d","more":1', "one form"),
        (b'"card":"4d"', b'"card":"4d","card":"4d"', "one form"),
        (b'"card":"4d"', b'"card":"\\u0034d"', "one form"),
        (b'"seat":2,"card":"4d"', b'"card":"4d","seat":2', "one form"),
        (b'"version":17', b'"version": 17', "one form"),
        (b'"version":17,', b"", "missing required field `version`"),
        (b'"version":17', b'"version":17,"more":1', "unknown field `more`"),
        (b'"version":17', b'"version":"17"', "Expected `int`, got `str`"),
        (b'"version":17,"prev":"', b'"prev":"","version":17,"salt":"', "one form"),
        (b'"events":[', b'"events":[[],', "type does not stand first"),
        (b'"events":[', b'"events":[null,', "type does not stand first"),
        (b'"events":[{', b'"events":{"x":{', "not a record line"),
        (b"}]}", b"}]}\n", "one form"),
        (b"}]}", b"}]}{}", "not a record line"),
        (b"}]}", b"}]", "not a record line"),
        (b'"4d"', b'"\xff"', "not a record line"),
        (b'"4d"', b'"\\ud800"', "not a record line"),
        (b'"seat":2', b'"seat":' + NESTED, "recursion"),
        (b"17", b"NaN", "not a record line"),
    ],
)
def test_what_is_not_exactly_a_line_is_unreadable(old: bytes, new: bytes, why: str) -> None:
    assert old in LINE
    with pytest.raises(Unreadable, match=why):
        codec.decode(LINE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"decision":{', b'"decision":null,"more":{', "unknown field `more`"),
        (b'"decision":{', b'"decision":{"more":1,', "unknown field `more`"),
        (b'"type":"chosen",', b"", "missing required field `type`"),
        (b'"type":"chosen"', b'"type":"fell_back"', "unknown field `samples`"),
        (b'"type":"chosen"', b'"type":"chosen@2"', "Invalid value 'chosen@2'"),
        (b'"type":"chosen","level":"club"', b'"level":"club","type":"chosen"', "one form"),
        (b'"samples":340,', b"", "missing required field `samples`"),
        (b'"samples":340', b'"samples":340.0', "Expected `int`, got `float`"),
        (b'"tenths":35', b'"tenths":3.5', "Expected `int`, got `float`"),
        (b'"tenths":35', b'"tenths":35,"more":1', "unknown field `more`"),
        (b'{"type":"discard","seat":2,"card":"5d"}', b"null", "type does not stand first"),
        (b'{"type":"discard","seat":2,"card":"5d"}', b'{"type":"hold"}', "unknown type 'hold'"),
        (b'"card":"5d"', b'"card":"5d","more":1', "one form"),
    ],
)
def test_a_decision_has_one_form_too(old: bytes, new: bytes, why: str) -> None:
    line = codec.encode(CHOSEN)
    assert old in line
    with pytest.raises(Unreadable, match=why):
        codec.decode(line.replace(old, new, 1))


def test_a_decision_that_is_not_there_is_left_out() -> None:
    line = codec.encode(DISCARD)[:-1] + b',"decision":null}'
    with pytest.raises(Unreadable, match="Expected `object`, got `null`"):
        codec.decode(line)


def test_who_only_folds_gets_no_decision() -> None:
    assert codec.decode(codec.encode(CHOSEN), decisions=False) == DISCARD
    assert codec.decode(codec.encode(DISCARD), decisions=False) == DISCARD
    other = codec.encode(CHOSEN).replace(b'"seat":2,"card":"4d"}],', b'"card":"4d","seat":2}],')
    with pytest.raises(Unreadable, match="one form"):
        codec.decode(other, decisions=False)


def test_a_candidate_of_an_older_shape_comes_as_todays() -> None:
    old = past.OpenGame1("canasta", 1, CHAIRS, OPTIONS, "public", "alg", "c0ffee", SETUP)
    weighed = Chosen("club", "canasta.club 1", 100, 0, (Weighed(old, 1),))
    read = codec.decode(codec.encode(replace(DISCARD, decision=weighed))).decision
    assert read == replace(weighed, candidates=(Weighed(OPENED_1.command, 1),))


def test_a_default_that_is_left_out_makes_a_line_unreadable() -> None:
    line = GOLDEN[2][1]
    with pytest.raises(Unreadable, match="one form"):
        codec.decode(line.replace(b',"target":null', b"", 1))


@pytest.mark.parametrize(
    ("wire", "why"),
    [
        ({}, "unknown type"),
        ({"type": None}, "unknown type"),
        ({"type": ["draw"]}, "unknown type"),
        ({"type": "card_discarded", "seat": 1, "card": "4d"}, "unknown type"),
        ({"type": "discard", "seat": 1}, "missing required field `card`"),
        ({"type": "discard", "seat": 1, "card": "4d", "more": 1}, "unknown field 'more'"),
        ({"type": "discard", "seat": 1.0, "card": "4d"}, "Expected `int`"),
        ({"type": "discard", "seat": "1", "card": "4d"}, "Expected `int`"),
        ({"type": "meld", "seat": 1, "groups": {}}, "Expected `array`"),
        ({"type": "meld", "seat": 1, "groups": [{"cards": [], "to": 1}]}, "unknown field 'to'"),
        ({"type": "meld", "seat": 1, "groups": [{"target": "m1"}]}, "missing required field"),
        (
            {"type": "go_out", "seat": 1, "groups": [{"cards": []}, {"cards": [], "Target": ""}]},
            "unknown field 'Target'",
        ),
        (
            {"type": "ask_partner", "seat": 1, "plan": {"take": {"cards": [], "alsο": []}}},
            "unknown field",
        ),
    ],
)
def test_what_is_no_command_is_unreadable(wire: dict[str, Any], why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        codec.from_wire(wire)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("cls", COMMANDS)
def test_what_has_a_default_may_be_left_out_on_the_wire(cls: type[Any]) -> None:
    @given(strategy(cls))
    def check(command: Any) -> None:
        wire = codec.to_wire(command)
        for each in fields(cls):
            if each.default is not MISSING and getattr(command, each.name) == each.default:
                del wire[each.name]
        assert codec.from_wire(wire) == command

    check()


@pytest.mark.parametrize("use", [codec.to_wire, lambda thing: codec.encode(_around(thing))])
def test_what_has_no_wire_name_is_refused(use: Callable[[Any], object]) -> None:
    with pytest.raises(KeyError):
        use(Group(()))


def _around(command: Any) -> Commit:
    return Commit(1, "", "", 0, command, ())


def test_games_may_share_a_class_but_not_a_name() -> None:
    other = type("Discard", (), {})
    assert codec._registry([Discard, DealCards, Discard]) == {
        "discard": Discard,
        "deal_cards": DealCards,
    }
    with pytest.raises(TypeError, match="two classes are called 'discard'"):
        codec._registry([Discard, other])
