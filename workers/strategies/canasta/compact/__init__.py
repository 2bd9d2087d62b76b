"""The canasta family on counts instead of cards: quick enough to be played thousands of times.

codes, shape, habits, scales   cards, a variant, weights and odds as numbers
melded, board, dealing         the deal: what lies where
desk, seating                  one seat's hand and its side's melds
worth, gains, changes          what they are worth, what a lay brings, laying
offers, laying, taking         what may be laid or taken, and what of it is best
throwing, leaving              the discard; going out
turns                          a turn, and deals of such turns
worlds, search                 what may lie where nobody sees, and candidates played on
forecast, forecasts            what a deal that was played so far will come to

memory, wording, ways          from a situation to a board, and back to commands

Compiled by `./run` where there is a C compiler, the last line and `dealing` aside (`FAST` says
whether it is so).
"""

from typing import Final

from workers.strategies import compiled

if found := compiled.package("canasta/compact"):
    compiled.load("canasta/compact", found, __name__, __path__)

from workers.strategies.canasta.compact import turns

FAST: Final = not str(turns.__file__).endswith(".py")
"""Whether the search core of the family is compiled."""
