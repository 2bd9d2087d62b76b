"""How often a process of ours looks for garbage in circles; all other goes by itself.

Loads and folds make many objects that stay for a while and hardly a circle of them. To look for
circles at every 700 objects, as Python does by itself, and again in all that is there once it has
grown by a quarter, took up to a third of a long game's load where much is remembered.
"""

import gc
from typing import Final

OBJECTS: Final = 10_000
"""Objects more than there were, after which circles are looked for among them; at most some MB."""


def settle() -> None:
    """Circles are looked for less often, and never in what is there now: it stays.

    For a process that has loaded all its code and begins its work.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS, 20, 20)
