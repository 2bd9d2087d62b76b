"""What a discard blocks, saves or risks: the next player alone can take it while it is on top."""

from collections import Counter
from typing import Final

from service.languages.catalogue import Sentence
from service.rules.canasta.commands import Discard
from service.rules.canasta.events import WentOut
from service.rules.canasta.melds import (
    BLACK_THREES,
    POINTS,
    SMALLEST,
    WILDS,
    growth_fault,
    wilds,
)
from service.rules.canasta.state import Meld
from service.rules.cards import RANK, RANKS, Card
from workers.reasons.canasta.leaving import bonus
from workers.reasons.canasta.scene import Scene

LARGE: Final = 6
"""A pile of so many cards is a loss when the next player takes it."""

DEAR: Final = 10
"""Points of a card that one would not be left with."""


def discard(scene: Scene, command: Discard) -> Sentence:
    """Why to discard that card."""
    card = command.card
    out = [event for event in scene.events(command) if isinstance(event, WentOut)]
    if out:
        return bonus(scene, out[0])
    if card in BLACK_THREES or card in WILDS:
        return _blocking(scene, card)
    return _risk(scene, card) or _safety(scene, card) or _saving(scene, card)


def _blocking(scene: Scene, card: Card) -> Sentence:
    """What is said of cards on which the pile cannot be taken."""
    frozen = any(each in scene.variant.freezers for each in scene.view.pile)
    if card in scene.variant.freezers and not frozen:
        return Sentence("Freezes the pile: from now on it is taken without wild cards only.")
    if card in BLACK_THREES:
        return Sentence("Blocks the pile for the next player with a black three.")
    return Sentence("Blocks the pile for the next player with a wild card.")


def _risk(scene: Scene, card: Card) -> Sentence | None:
    """What the next player's side could do with the card, as far as it lies open."""
    theirs = [meld for meld in scene.view.melds[scene.their_side] if _fits(scene, meld, card)]
    if scene.variant.pickup == "meld" and theirs:
        return Sentence("Risks the pile: the card fits a meld of the next player's side.")
    if scene.variant.top_onto_sequence and any(meld.kind == "seq" for meld in theirs):
        return Sentence("Risks the card: it prolongs a sequence of the next player's side.")
    if (
        len(scene.view.pile) + 1 >= LARGE
        and not _wants_pair(scene)
        and scene.unseen(RANK[card]) > 2
    ):
        return Sentence(
            "Risks the pile of {size} cards; unseen of the discard's rank: {count}.",
            size=len(scene.view.pile) + 1,
            count=scene.unseen(RANK[card]),
        )
    return None


def _fits(scene: Scene, meld: Meld, card: Card) -> bool:
    if meld.kind not in ("set", "seq") or growth_fault(scene.variant, meld, (card,)):
        return False
    thawed = not wilds(meld.cards) or not _frozen(scene)
    return thawed or meld.kind == "seq"


def _safety(scene: Scene, card: Card) -> Sentence | None:
    """Why the next player can hardly take the pile with that card on top."""
    rank, unseen = RANK[card], scene.unseen(RANK[card])
    if scene.variant.pickup == "meld":
        return None  # sequences take it as well
    if unseen == 0:
        return Sentence("Safe: no other card of that rank is left that could take the pile.")
    if unseen == 1 and _wants_pair(scene):
        return Sentence("Safe: the pile wants a pair, and only one card of that rank is unseen.")
    if rank in {RANK[each] for each in _left_lying(scene)}:
        return Sentence("Rather safe: another card of that rank was left lying a short while ago.")
    return None


def _left_lying(scene: Scene) -> tuple[Card, ...]:
    """What the next player threw, or did not take from this seat, when last on turn."""
    end = len(scene.view.pile) - scene.view.players
    return scene.view.pile[max(0, end) : max(0, end + 2)]


def _saving(scene: Scene, card: Card) -> Sentence:
    """What the hand keeps, gives up or is rid of."""
    unseen = scene.unseen(RANK[card])
    if any(growth_fault(scene.variant, meld, (card,)) is None for meld in scene.melds):
        return Sentence(
            "Gives up a card that fits one of your melds; unseen of its rank: {count}.",
            count=unseen,
        )
    if scene.late and scene.cost((card,)) >= DEAR:
        return Sentence(
            "Gets rid of {points} points that would count against you in the hand.",
            points=scene.cost((card,)),
        )
    held = Counter(RANK[each] for each in scene.hand if each not in WILDS)
    if held[RANK[card]] > 1:
        return Sentence(
            "You hold {held} of that rank; unseen ones with which the next player could take the "
            "pile: {count}.",
            held=held[RANK[card]],
            count=unseen,
        )
    if _in_a_row(scene, card):
        return Sentence(
            "Breaks up cards that may become a sequence; unseen of the discard's rank: {count}.",
            count=unseen,
        )
    if any(number > 1 for number in held.values()) and POINTS[card] <= DEAR:
        return Sentence("Throws a card that stands alone, and keeps your pairs for the pile.")
    return Sentence("Throws a card that stands alone, and breaks up nothing in your hand.")


def _in_a_row(scene: Scene, card: Card) -> bool:
    """Whether one more card could make a sequence of it and another of the hand."""
    return "seq" in scene.variant.largest and any(
        each[-1] == card[-1]
        and RANK[each] in RANKS
        and 0 < abs(RANKS.index(RANK[each]) - RANKS.index(RANK[card])) < SMALLEST
        for each in scene.hand
    )


def _frozen(scene: Scene) -> bool:
    return scene.view.pile != () and scene.view.frozen(scene.their_side)


def _wants_pair(scene: Scene) -> bool:
    """Whether the next player needs two natural cards of the top's rank."""
    return scene.variant.pickup == "pair" or _frozen(scene) or _closed(scene)


def _closed(scene: Scene) -> bool:
    """Whether the pile is frozen for the next player's side, also while it is empty."""
    return scene.variant.frozen_until_melded and not scene.view.melded(scene.their_side)
