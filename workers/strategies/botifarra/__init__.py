"""Computer players of botifarra.

casual  a sensible greedy player
"""

from workers.strategies.botifarra.casual import choose as choose
