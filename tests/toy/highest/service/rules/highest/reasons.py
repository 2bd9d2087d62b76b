"""Every reason for which highest says no: its code, its paragraph, its sentence."""

from typing import Final

from service.rules.errors import IllegalMove

REASONS: Final[dict[str, tuple[str, str]]] = {
    "game_over": ("5", "The game has ended."),
    "not_your_turn": ("3", "The other player is to act."),
    "wrong_phase": ("3", "This is not the time in the deal for that."),
    "wrong_pack": ("1.2", "The pack does not hold exactly the game's cards."),
    "card_not_in_hand": ("3", "You do not hold that card."),
    "ace_cannot_lead": ("3.1", "The ace is not the first card of a deal."),
}


def refuse(code: str) -> IllegalMove:
    """The refusal with that code; to be raised."""
    return IllegalMove(code, *REASONS[code])
