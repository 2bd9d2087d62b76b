"""A strategy for tests that weighs by chance: as honest as any, and quick."""

from random import Random

from workers.strategies import Budget, Candidate, Choice, Player, Situation
from workers.strategies.choice import SHOWN

SAMPLES = 3
"""What it looks at where nobody says how many."""


def weigh(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """The means of some throws for each legal command; the best comes first."""
    samples = SAMPLES if budget.samples is None else budget.samples
    weighed = []
    for command in situation.rules.legal(situation.view, situation.seat):
        throws = [rng.uniform(-20, 20) for _ in range(samples)]
        weighed.append(Candidate(command, sum(throws) / max(1, samples)))
    best = sorted(weighed, key=lambda one: -one.value)[:SHOWN]
    return Choice(best[0].command, samples, tuple(best))


def stumble(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """The same, but now and then it falls, or answers what nobody may do."""
    match rng.randrange(6):
        case 0:
            raise KeyError(situation.seat)
        case 1:
            return Choice(None)
    return weigh(situation, rng, budget)


WEIGHING = Player("weighing 1", weigh)
STUMBLING = Player("stumbling 1", stumble)
EVERYWHERE = {
    "novice": dict[str, Player](),
    "casual": {"canasta": WEIGHING, "botifarra": STUMBLING},
}
"""For `STRATEGIES`."""
