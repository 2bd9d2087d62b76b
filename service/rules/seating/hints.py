"""Who may ask a computer player for advice (rules T.16)."""

from service.rules.protocol import Seat
from service.rules.seating import clocks
from service.rules.seating.game import Game
from service.rules.seating.reasons import refuse


def check(game: Game, seat: Seat, at: int) -> None:
    """Returns if the person of a seat may ask for advice at that time (ms since 1970).

    Raises:
        IllegalMove: the table has no hints, or it is not theirs to act.
    """
    if game.result:
        raise refuse("game_over")
    if not game.terms.hints:
        raise refuse("hints_off")
    if not game.state:
        raise refuse("not_started")
    if stand_in := game.stand_in(seat):
        raise refuse("time_is_up" if stand_in.until == "turn" else "away")
    if game.to_act() != seat:
        raise refuse("not_your_turn")
    clocks.in_time(game, seat, at)
