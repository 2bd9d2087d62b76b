"""Computer players of botifarra.

casual  a sensible greedy player
club    a few worlds, the last tricks with open cards
master  as many worlds as it has time for, played out by a quick player
skill   how those two choose, from what is `known` to the best command
bidding trumps and doubling, over worlds

Searches, compiled by `./run` where there is a C compiler (`FAST` says whether it is so):

sets    sets of cards as numbers
core    the play of a deal as a few numbers, all cards open
alike   what a search may pass over
bounds  what a side is sure of
solver  what perfect play brings with open cards
deal    the play of a deal with what everybody heard of each hand
player  a quick player, and its weights
worlds  deals that agree with what is known
bids    what is said before the first card, and what a hand is worth
auction what a choice of trumps brings in a world
search  what each card brings, over worlds
stakes  what a score is worth

known, situations, names   from what a seat sees to those numbers, and back to cards
"""

from typing import Final

from workers.strategies import compiled

if found := compiled.package():
    compiled.load("botifarra", found, __name__, __path__)

from workers.strategies.botifarra import core
from workers.strategies.botifarra.casual import choose as choose

FAST: Final = not str(core.__file__).endswith(".py")
"""Whether the search core is compiled."""
