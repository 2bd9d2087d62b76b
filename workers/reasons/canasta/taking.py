"""Whether a turn begins with the stock or with the pile."""

from typing import Final

from service.languages.catalogue import Sentence
from service.rules.canasta import legal
from service.rules.canasta.commands import TakePile, TakeTop
from service.rules.canasta.melds import points
from workers.reasons.canasta.laying import closing
from workers.reasons.canasta.scene import Scene

SMALL: Final = 3
"""A pile of so few cards brings no more than the stock."""


def draw(scene: Scene) -> Sentence:
    """Why to draw, and whether the pile could be taken."""
    allowed = legal(scene.view, scene.seat)
    if not any(isinstance(command, TakePile | TakeTop) for command in allowed):
        return Sentence("Draws, since nothing in your hand takes the pile.")
    if scene.minimum is not None:
        return Sentence("Draws and keeps the hand together instead of opening for the pile.")
    if len(scene.view.pile) <= SMALL:
        return Sentence("Draws: the pile is too small for the cards that it would cost.")
    return Sentence("Draws and leaves the pile: the cards that it would cost are worth more.")


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
