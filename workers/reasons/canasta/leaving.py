"""The ends of a deal: going out, the question before it, its answer, and passing."""

from typing import Literal

from service.languages.catalogue import Sentence
from service.rules.canasta.commands import GoOut
from service.rules.canasta.events import WentOut
from workers.reasons.canasta.scene import Scene


def go_out(scene: Scene, command: GoOut) -> Sentence:
    """Why to go out."""
    out = next(event for event in scene.events(command) if isinstance(event, WentOut))
    return bonus(scene, out)


def bonus(scene: Scene, out: WentOut) -> Sentence:
    """What is said of who goes out."""
    if out.concealed:
        return Sentence(
            "Goes out concealed, for a bonus of {bonus}.", bonus=scene.variant.concealed
        )
    return Sentence(
        "Goes out, for a bonus of {bonus}; cards that the others are left with: {cards}.",
        bonus=scene.variant.going_out,
        cards=scene.held(ours=False),
    )


def ask(scene: Scene) -> Sentence:
    """Why to ask the partner."""
    return Sentence(
        "Asks before going out, since your partner's hand would count against you; cards in it: "
        "{cards}.",
        cards=scene.held(ours=True),
    )


def answer(scene: Scene, word: Literal["yes", "no"]) -> Sentence:
    """Why to agree, or not."""
    points = scene.cost(scene.hand)
    if word == "yes":
        return Sentence(
            "Says yes: your hand costs your side {points} points; cards that the others are left "
            "with: {cards}.",
            points=points,
            cards=scene.held(ours=False),
        )
    return Sentence("Says no: your hand would cost your side {points} points.", points=points)


def pass_turn(scene: Scene) -> Sentence:
    """What comes of it that nothing is taken."""
    if scene.variant.empty_stock == "ends":
        return Sentence("Passes, which ends the deal as it stands.")
    return Sentence(
        "Passes, and leaves the next player the pile; cards in it: {size}.",
        size=len(scene.view.pile),
    )
