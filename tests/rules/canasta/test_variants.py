"""The table of parameters (rules 2)."""

import json

import pytest

from service.rules.canasta.variants import BOLIVIA, BOLIVIE, CANASTA, SAMBA, VARIANTS, Variant
from service.rules.protocol import Option

EDGES = (-5, 0, 1495, 1500, 2995, 3000, 6995, 7000, 14995)
ALL = (CANASTA, SAMBA, BOLIVIA, BOLIVIE)


def test_the_catalogue() -> None:
    assert tuple(VARIANTS) == ("canasta", "samba", "bolivia", "bolivie")
    assert tuple(VARIANTS.values()) == ALL


@pytest.mark.parametrize(
    ("variant", "minimums"),
    [
        (CANASTA, (15, 50, 50, 90, 90, 120, 120, 120, 120)),
        (SAMBA, (15, 50, 50, 90, 90, 120, 120, 150, 150)),
        (BOLIVIA, (15, 50, 50, 90, 90, 120, 120, 150, 150)),
        (BOLIVIE, (15, 50, 50, 90, 90, 120, 120, 150, 150)),
    ],
    ids=["C21-canasta", "C21-samba", "C21-bolivia", "C21-bolivie"],
)
def test_minimum_of_the_first_meld(variant: Variant, minimums: tuple[int, ...]) -> None:
    assert tuple(map(variant.minimum, EDGES)) == minimums


@pytest.mark.parametrize(
    ("variant", "cards", "wilds", "red", "black"),
    [
        (CANASTA, 108, 12, 4, 4),
        (SAMBA, 162, 18, 6, 6),
        (BOLIVIA, 162, 18, 6, 6),
        (BOLIVIE, 108, 12, 4, 4),
    ],
    ids=[variant.name for variant in ALL],
)
def test_pack(variant: Variant, cards: int, wilds: int, red: int, black: int) -> None:
    pack = variant.pack()
    assert len(pack) == cards
    assert sum(card == "JK" or card[0] == "2" for card in pack) == wilds
    assert sum(card in ("3d", "3h") for card in pack) == red
    assert sum(card in ("3c", "3s") for card in pack) == black
    assert {pack.count(card) for card in pack if card != "JK"} == {variant.decks}


@pytest.mark.parametrize(
    ("variant", "seats", "sides", "hand", "draw", "canastas"),
    [
        (CANASTA, 2, (0, 1), 15, 2, 2),
        (CANASTA, 3, (0, 1, 2), 13, 2, 1),
        (CANASTA, 4, (0, 1, 0, 1), 11, 1, 1),
        (SAMBA, 2, (0, 1), 15, 2, 2),
        (SAMBA, 3, (0, 1, 2), 15, 2, 2),
        (SAMBA, 4, (0, 1, 0, 1), 15, 2, 2),
        (BOLIVIA, 2, (0, 1), 15, 2, 2),
        (BOLIVIA, 3, (0, 1, 2), 15, 2, 2),
        (BOLIVIA, 4, (0, 1, 0, 1), 15, 2, 2),
        (BOLIVIE, 4, (0, 1, 0, 1), 11, 1, 2),
    ],
    ids=lambda value: value.name if isinstance(value, Variant) else None,
)
def test_table_sizes(
    variant: Variant, seats: int, sides: tuple[int, ...], hand: int, draw: int, canastas: int
) -> None:
    assert seats in variant.seats
    assert variant.sides(seats) == sides
    assert variant.hand_size[seats] == hand
    assert variant.draw[seats] == draw
    assert variant.canastas_to_go_out[seats] == canastas


def test_seats() -> None:
    assert [variant.seats for variant in ALL] == [(2, 3, 4), (2, 3, 4), (2, 3, 4), (4,)]


@pytest.mark.parametrize(
    ("variant", "seats", "default", "allowed"),
    [
        (CANASTA, 2, 5000, (2500, 5000, 7500, 10000)),
        (CANASTA, 3, 7500, (2500, 5000, 7500, 10000)),
        (CANASTA, 4, 5000, (2500, 5000, 7500, 10000)),
        (SAMBA, 4, 10000, (2500, 5000, 7500, 10000)),
        (BOLIVIA, 3, 15000, (2500, 5000, 7500, 10000, 15000)),
        (BOLIVIE, 4, 15000, (15000,)),
    ],
    ids=lambda value: value.name if isinstance(value, Variant) else None,
)
def test_target(variant: Variant, seats: int, default: int, allowed: tuple[int, ...]) -> None:
    assert variant.options(seats) == {
        "target_score": Option(default, allowed, "Points that end the game")
    }


@pytest.mark.parametrize("variant", ALL, ids=[variant.name for variant in ALL])
def test_parameters_are_json(variant: Variant) -> None:
    parameters = variant.parameters()
    assert json.loads(json.dumps(parameters)) == parameters
    assert parameters["name"] == variant.name
    assert parameters["naturals_for_wilds"] == list(variant.naturals_for_wilds)
    assert parameters["draw"] == {str(seats): variant.draw[seats] for seats in variant.seats}


def test_a_variant_states_only_its_difference() -> None:
    """Each row on its own, so that a slip in one `replace` cannot hide."""
    differs = [
        {key for key, value in one.parameters().items() if value != other.parameters()[key]}
        for one, other in ((SAMBA, CANASTA), (BOLIVIA, SAMBA), (BOLIVIE, CANASTA))
    ]
    assert differs == [
        {
            *("name", "decks", "jokers", "hand_size", "draw", "naturals_for_wilds", "largest"),
            *("one_meld_per_rank", "pickup", "frozen_until_melded", "freezers"),
            *("top_onto_sequence", "minimums", "canastas_to_go_out", "canasta_bonus"),
            *("going_out", "concealed_by", "all_red_threes", "red_threes_need", "target"),
        },
        {
            *("name", "largest", "sequence_to_go_out", "canasta_bonus", "going_out"),
            *("concealed_by", "black_three_in_hand", "target", "targets"),
        },
        {
            *("name", "hand_size", "draw", "largest", "pickup", "freezers", "minimums"),
            *("canastas_to_go_out", "sequence_to_go_out", "canasta_bonus", "must_ask"),
            *("empty_stock", "red_threes_need", "black_three_in_hand", "target", "targets"),
            "deal_cap",
        },
    ]
