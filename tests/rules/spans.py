"""How many random positions are searched: some in `./run test`, many in `./run laws`."""

import os
from typing import Final

LONG: Final = bool(os.environ.get("TAPETE_LONG"))


def span(usual: int, long: int) -> int:
    """The number of positions to look at."""
    return long if LONG else usual
