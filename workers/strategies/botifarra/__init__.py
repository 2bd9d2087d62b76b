"""Computer players of botifarra.

casual  a sensible greedy player
club    a few worlds, the last tricks with open cards
master  as many worlds as it has time for, played out by a quick player
skill   how those two choose, from what is `known` to the best command

Searches, compiled by `./run` where there is a C compiler (`FAST` says whether it is so):

sets    sets of cards as numbers
core    the play of a deal as a few numbers
alike   what a search may pass over
bounds  what a side is sure of
deal    the same with what everybody heard of each hand
player  a quick player, and its weights
worlds  deals that agree with what is known
bids    what is said before the first card, and what a hand is worth
solver  what perfect play brings with open cards

names   between the cards of the rules and those numbers
"""

from typing import Final

from workers.strategies import compiled

if found := compiled.package():
    compiled.load("botifarra", found, __name__, __path__)

from workers.strategies.botifarra import core
from workers.strategies.botifarra.casual import choose as choose

FAST: Final = not str(core.__file__).endswith(".py")
"""Whether the search core is compiled."""
