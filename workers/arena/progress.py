"""How far a match is."""

import sys
import time
from typing import Final, TextIO

from workers.arena.tally import Tally


class Progress:
    """Says how far a match is: in one line of a terminal, else in a new line now and then."""

    EVERY: Final = (0.2, 30.0)
    """Seconds between two lines, in a terminal and elsewhere."""

    def __init__(self, out: TextIO = sys.stderr) -> None:
        self._out, self._live = out, out.isatty()
        self._began = self._said = time.monotonic()

    def tell(self, tally: Tally) -> None:
        """Says it, if that is due."""
        now = time.monotonic()
        if now - self._said < self.EVERY[not self._live]:
            return
        self._said = now
        match, done = tally.match, len(tally.pairs)
        words = f"{match.variant}, {match.one} : {match.two}: {done} of {match.pairs} pairs"
        if done:
            words += f", {100 * tally.won.value:.0f} % won"
        if played := done - tally.kept:
            left = (now - self._began) * (match.pairs - done) / played
            words += f", {left:.0f} s to go"
        self._out.write(f"\r\x1b[K{words}" if self._live else f"{words}\n")
        self._out.flush()

    def end(self) -> None:
        """Leaves the line empty."""
        if self._live:
            self._out.write("\r\x1b[K")
            self._out.flush()
