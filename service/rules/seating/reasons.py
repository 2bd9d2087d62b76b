"""Every reason for which a table says no: its code, its paragraph, its sentence.

Codes are stable for ever; sentences may change. The paragraphs are those of `rules.md`.
"""

from typing import Final

from service.rules.errors import IllegalMove

REASONS: Final[dict[str, tuple[str, str]]] = {
    # Opening
    "unknown_variant": ("T.1", "There is no variant {variant!r}."),
    "bad_table_size": ("T.1", "{variant} is played by {sizes}."),
    "unknown_option": ("T.1", "{variant} has no option {option!r}."),
    "bad_option": ("T.1", "{option} may be one of {values}."),
    "bad_setup": ("T.3", "The setup needs a dealer at this table and one score for each side."),
    "wrong_pack": ("T.3", "A pack does not hold exactly the variant's cards."),
    # Seats and the start
    "no_such_seat": ("T.4", "There is no such seat at this table."),
    "seat_taken": ("T.4", "That seat is taken."),
    "already_seated": ("T.4", "You have a seat at this table."),
    "already_started": ("T.5", "The game has started."),
    "not_started": ("T.5", "The game waits for players."),
    # The end
    "game_over": ("T.8", "The game is over."),
    "not_over": ("T.2", "The secret is opened once, when the game is over."),
}


def refuse(code: str, **words: str) -> IllegalMove:
    """The refusal with that code, `words` filled into its sentence; to be raised."""
    rule, detail = REASONS[code]
    return IllegalMove(code, rule, detail.format(**words))
