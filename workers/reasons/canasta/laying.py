"""What melds are good for."""

from collections.abc import Sequence

from service.languages.catalogue import Sentence
from service.rules.canasta.commands import Group, Meld
from service.rules.canasta.events import CanastaKind, Event
from service.rules.canasta.evolve import evolve
from service.rules.canasta.melds import CANASTA_SIZE, WILDS, points, requirement_met
from service.rules.cards import without
from workers.reasons.canasta.scene import Scene


def lay(scene: Scene, command: Meld) -> Sentence | None:
    """Why to lay those melds."""
    events = scene.events(command)
    worth = points(card for group in command.groups for card in group.cards)
    if scene.minimum is not None:
        return Sentence(
            "Opens with {points} points, where {minimum} are needed.",
            points=worth,
            minimum=scene.minimum,
        )
    return closing(scene, events) or _growing(scene, command.groups, worth)


def closing(scene: Scene, events: Sequence[Event]) -> Sentence | None:
    """What is said of canastas that come to be; None where none does."""
    closed = scene.closed(events)
    if not closed:
        return None
    bonus = sum(scene.variant.canasta_bonus[one.canasta] for one in closed)
    if not scene.may_leave and _opens_the_way(scene, events):
        return Sentence(
            "Closes the canasta that your side needs to go out, for a bonus of {bonus}.",
            bonus=bonus,
        )
    if len(closed) > 1:
        return Sentence(
            "Closes {count} canastas, for bonuses of {bonus} in all.",
            count=len(closed),
            bonus=bonus,
        )
    return _closes(closed[0].canasta, bonus)


def _closes(kind: CanastaKind, bonus: int) -> Sentence:
    match kind:
        case "natural":
            return Sentence("Closes a natural canasta, for a bonus of {bonus}.", bonus=bonus)
        case "mixed":
            return Sentence("Closes a mixed canasta, for a bonus of {bonus}.", bonus=bonus)
        case "seq":
            return Sentence("Closes a sequence of seven, for a bonus of {bonus}.", bonus=bonus)
        case "wild":
            return Sentence("Closes a canasta of wild cards, for a bonus of {bonus}.", bonus=bonus)


def _opens_the_way(scene: Scene, events: Sequence[Event]) -> bool:
    after = scene.view.copy()
    for event in events:
        evolve(after, event)
    return requirement_met(scene.variant, after.players, after.melds[scene.side])


def _growing(scene: Scene, groups: Sequence[Group], worth: int) -> Sentence:
    """What is said of melds that are no canastas yet, or were before."""
    sizes = {meld.id: len(meld.cards) for meld in scene.melds}
    grown = [sizes[group.target] + len(group.cards) for group in groups if group.target]
    towards = [size for size in grown if size < CANASTA_SIZE]
    if towards:
        return Sentence(
            "Brings a meld to {count} of the {whole} cards of a canasta.",
            count=max(towards),
            whole=CANASTA_SIZE,
        )
    cards = [card for group in groups for card in group.cards]
    wild_left = WILDS.intersection(without(scene.hand, cards))
    if not grown and wild_left and WILDS.isdisjoint(cards):
        return Sentence("Begins a meld without wild cards, and saves yours.")
    if not grown and not scene.late:
        return Sentence("Begins a meld that may become a canasta.")
    return Sentence(
        "Puts {points} points on the table that would count against you in the hand.",
        points=worth,
    )
