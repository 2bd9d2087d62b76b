"""Every reason for which botifarra says no: its code, its paragraph, its sentence.

Codes are stable for ever; sentences may change. None of them names a card. Paragraph 5.3.2 is
the second of the three rules of 5.3.
"""

from typing import Final

from service.rules.errors import IllegalMove

REASONS: Final[dict[str, tuple[str, str]]] = {
    "game_over": ("7", "The game has ended."),
    "not_your_turn": ("8", "Another player is to act."),
    "wrong_phase": ("8", "This is not the time in the deal for that."),
    "wrong_pack": ("1.2", "The pack does not hold exactly the 48 cards."),
    "unknown_suit": ("3", "Trumps are oros, copes, espases, bastons, or none: botifarra."),
    "cannot_delegate": ("3", "Only the dealer may hand on the choice of trumps, and only once."),
    "card_not_in_hand": ("5.3", "You do not hold that card."),
    "must_follow_suit": ("5.3", "You hold the suit that was led and must play it."),
    "must_beat": ("5.3.2", "An opponent is winning the trick, and you can beat that card in suit."),
    "must_play_lowest": (
        "5.3.3",
        "An opponent is winning the trick, and who cannot beat in suit plays the suit's lowest.",
    ),
    "must_trump": (
        "5.3.2",
        "An opponent is winning the trick, and who cannot follow suit plays a trump.",
    ),
    "must_overtrump": (
        "5.3.2",
        "An opponent is winning the trick, and you hold a trump that wins it.",
    ),
}


def refuse(code: str) -> IllegalMove:
    """The refusal with that code; to be raised."""
    return IllegalMove(code, *REASONS[code])
