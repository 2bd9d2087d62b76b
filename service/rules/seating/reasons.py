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
    "seat_offered": ("T.14", "That seat is kept for somebody else for a while."),
    "not_host": ("T.13", "That is for the host of the table to do."),
    "bad_invite": ("T.13", "An invitation lasts 1 to {most} minutes, or without an end."),
    "ready_not_asked": ("T.13", "This table does not wait for anybody to be ready."),
    "already_seated": ("T.4", "You have a seat at this table."),
    "already_started": ("T.5", "The game has started."),
    "not_started": ("T.5", "The game waits for players."),
    # The clock
    "bad_clock": ("T.9", "A clock gives time by the turn or by a bank; only a bank grows."),
    "time_is_up": ("T.11", "Your time for this is up."),
    "not_run_out": ("T.11", "That time is not up."),
    "away": ("T.12", "A computer player has your seat until you come back."),
    "not_away": ("T.12", "No computer player has your seat."),
    "no_time_left": ("T.12", "No time is left to come back with."),
    # Hints
    "hints_off": ("T.16", "This table was opened without hints."),
    "not_your_turn": ("T.16", "Advice is for who is to act."),
    # The end
    "game_over": ("T.8", "The game is over."),
    "not_over": ("T.2", "The secret is opened once, when the game is over."),
}


def refuse(code: str, **words: str) -> IllegalMove:
    """The refusal with that code, `words` filled into its sentence; to be raised."""
    return IllegalMove(code, *REASONS[code], words)
