"""Where the search core lies compiled, and whether that is what its source says.

`./run` builds it into the environment, in a folder named after a digest of all that goes into it.
So a source that was edited is run as it is, slower, until it has been compiled anew; nothing
that is stale is ever loaded. A wheel has the compiled modules beside the source instead.

As a program (`python workers/strategies/compiled.py`, which needs nothing but itself) it prints
that folder, for `./run`, and answers 0 if the core is there.
"""

import hashlib
import sys
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent

CORES: Final = {
    "botifarra": (
        "sets",
        "core",
        "alike",
        "bounds",
        "solver",
        "deal",
        "player",
        "worlds",
        "bids",
        "auction",
        "stakes",
        "search",
    ),
    "canasta/compact": (
        "board",
        "changes",
        "codes",
        "desk",
        "gains",
        "habits",
        "laying",
        "leaving",
        "melded",
        "offers",
        "scales",
        "search",
        "seating",
        "shape",
        "taking",
        "throwing",
        "turns",
        "worlds",
        "worth",
    ),
}
"""What is compiled: the modules of each package, all of them together."""

ROOT: Final = Path(__file__).parents[2]

INGREDIENTS: Final = (
    *(FOLDER / core / f"{name}.py" for core, names in CORES.items() for name in names),
    ROOT / "setup.py",
    ROOT / "requirements-build.txt",
)
"""The last two only in the tree of the project: how it is built, and by which compiler."""


def place() -> Path:
    """The folder in which the core is for this source and this Python, if it was built."""
    digest = hashlib.sha256(f"{sys.version} {sys.implementation.cache_tag}".encode())
    for path in INGREDIENTS:
        digest.update(path.read_bytes() if path.exists() else b"")
    return Path(sys.prefix) / "compiled" / digest.hexdigest()[:16]


def package(core: str = "botifarra") -> str | None:
    """What stands before the plain modules in the path of their package, if it was built."""
    folder = place() / FOLDER.relative_to(ROOT) / core
    return str(folder) if folder.is_dir() else None


if __name__ == "__main__":
    print(place())
    sys.exit(package() is None)
