"""What statistics count of botifarra, against what the events of random games say."""

from collections import Counter

import pytest

from service.rules.botifarra import tally
from service.rules.botifarra.commands import TRUMPS, Trump
from service.rules.botifarra.events import Doubled, Stake, TrickWon, TrumpChosen, TrumpDelegated
from service.rules.deals import DealScored, SideScore
from service.rules.protocol import Mark
from tests.rules.botifarra.table import opened
from tests.rules.tables import TABLES, played

(TABLE,) = (table for table in TABLES if table.rules.tally is tally)


@pytest.mark.parametrize("seed", range(3))
def test_random_games_are_counted_as_they_were(seed: int) -> None:
    found: Counter[str] = Counter()
    points = net = expected = 0
    happened: Counter[type] = Counter()
    for step in played(str(TABLE), seed):
        happened.update(map(type, step.events))
        for mark in tally(step.state, step.events):
            found[mark.name] += 1
            points += mark.amount if mark.name == "trick" else 0
            net += mark.amount if mark.name.startswith("trump_") else 0
        for event in step.events:
            if isinstance(event, DealScored):
                own = step.state.maker % 2
                expected += event.sides[own].total - event.sides[1 - own].total
    deals = happened[DealScored]
    assert deals == happened[TrumpChosen]
    assert sum(found[name] for name in found if name.startswith("trump_")) == deals
    assert (found["trick"], points) == (12 * deals, 72 * deals)
    assert found["doubled"] == happened[Doubled]
    assert found["delegated"] == happened[TrumpDelegated]
    assert net == expected


def test_a_mark_says_whose_it_is() -> None:
    events = TrumpDelegated(0), Doubled(1, Stake(1, 2)), TrickWon(2, 5)
    assert tally(opened(), events) == (
        Mark(0, "delegated"),
        Mark(1, "doubled"),
        Mark(2, "trick", 5),
    )


@pytest.mark.parametrize("trump", TRUMPS)
@pytest.mark.parametrize(("maker", "brought"), [(0, -4), (1, 4), (2, -4), (3, 4)])
def test_trumps_are_counted_for_who_made_them(trump: Trump, maker: int, brought: int) -> None:
    state = opened()
    scored = DealScored(1, "over", (SideScore((), 3), SideScore((), 7)), (3, 7))
    assert tally(state, [scored]) == ()
    state.maker, state.trump = maker, trump
    assert tally(state, [scored]) == (Mark(maker, f"trump_{trump.lower()}", brought),)
