"""Computer players of botifarra.

casual  a sensible greedy player

Searches, compiled by `./run` where there is a C compiler (`FAST` says whether it is so):

sets    sets of cards as numbers
core    the play of a deal as a few numbers
bounds  what a side is sure of
solver  what perfect play brings with open cards

names   between the cards of the rules and those numbers
"""

from typing import Final

from workers.strategies import compiled

if found := compiled.package():
    __path__.insert(0, found)

from workers.strategies.botifarra import core
from workers.strategies.botifarra.casual import choose as choose

FAST: Final = not str(core.__file__).endswith(".py")
"""Whether the search core is compiled."""
