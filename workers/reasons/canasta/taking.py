"""Whether a turn begins with the stock or with the pile."""

from collections.abc import Sequence
from typing import Final

from service.languages.catalogue import Sentence
from service.rules.canasta import legal
from service.rules.canasta.commands import TakePile, TakeTop
from service.rules.canasta.melds import WILDS, points
from service.rules.cards import RANK, Card
from service.rules.errors import IllegalMove
from workers.reasons.canasta.laying import closing
from workers.reasons.canasta.scene import Scene

SMALL: Final = 3
"""A pile of so few cards brings no more than the stock."""


def draw(scene: Scene) -> Sentence:
    """Why to draw, and whether the pile could be taken."""
    takes = [
        command
        for command in legal(scene.view, scene.seat)
        if isinstance(command, TakePile | TakeTop)
    ]
    size = len(scene.view.pile)
    if not takes:
        return _closed(scene)
    if scene.minimum is not None:
        return Sentence("Draws and keeps the hand together instead of opening for the pile.")
    piles = [command for command in takes if isinstance(command, TakePile)]
    if not piles:
        return Sentence("Draws from the stock instead of taking only the pile's top card.")
    if any(not command.cards and not command.also for command in piles):
        return Sentence(
            "Draws and leaves the pile, which would cost no card of your hand; cards in it: "
            "{size}.",
            size=size,
        )
    if size <= SMALL:
        return Sentence("Draws: the pile is too small for the cards that it would cost.")
    return Sentence(
        "Draws and saves the cards of your hand that the pile of {size} cards would cost.",
        size=size,
    )


def _closed(scene: Scene) -> Sentence:
    """Why the pile cannot be taken."""
    pile = scene.view.pile
    if not pile or pile[-1] in WILDS or RANK[pile[-1]] == "3":
        return Sentence("Draws, since nobody can take the pile as it lies.")
    pair = [card for card in scene.hand if RANK[card] == RANK[pile[-1]] and card not in WILDS][:2]
    if scene.minimum is not None and len(pair) == 2 and _opens_too_low(scene, pair):
        return Sentence(
            "Draws, since taking the pile would open below the {minimum} points needed.",
            minimum=scene.minimum,
        )
    return Sentence("Draws, since nothing in your hand takes the pile.")


def _opens_too_low(scene: Scene, pair: Sequence[Card]) -> bool:
    try:
        scene.events(TakePile(scene.seat, tuple(pair)))
    except IllegalMove as no:
        return no.code == "below_minimum"
    return False


def take(scene: Scene, command: TakePile | TakeTop) -> Sentence:
    """Why to take the pile, or its top card."""
    events = scene.events(command)
    if isinstance(command, TakeTop):
        size = next(len(meld.cards) for meld in scene.melds if meld.id == command.target) + 1
        return closing(scene, events) or Sentence(
            "Puts the pile's top card on your sequence, which is {count} cards long then.",
            count=size,
        )
    pile = scene.view.pile
    if scene.minimum is not None:
        laid = [*command.cards, pile[-1], *(card for also in command.also for card in also.cards)]
        return Sentence(
            "Opens with {points} points, where {minimum} are needed, and takes the pile.",
            points=points(laid),
            minimum=scene.minimum,
        )
    if closed := scene.closed(events):
        bonus = sum(scene.variant.canasta_bonus[one.canasta] for one in closed)
        return Sentence("Takes the pile and closes a canasta, for a bonus of {bonus}.", bonus=bonus)
    if len(pile) == 1:
        return Sentence("Takes the only card of the pile, which is of use at once.")
    if scene.view.frozen(scene.side):
        return Sentence(
            "Takes the frozen pile of {size} cards, without a wild card.", size=len(pile)
        )
    return Sentence(
        "Takes the pile of {size} cards, worth {points} points.",
        size=len(pile),
        points=points(pile),
    )
