"""Computer players of botifarra.

casual  a sensible greedy player
core    a deal's play as numbers, for searches
solver  what perfect play brings with open cards
names   between the cards of the rules and those numbers
"""

from workers.strategies.botifarra.casual import choose as choose
