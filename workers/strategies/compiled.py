"""Where the search core lies compiled, and whether that is what its source says.

`./run` builds it into the environment, in a folder named after a digest of all that goes into it.
So a source that was edited is run as it is, slower, until it has been compiled anew; nothing
that is stale is ever loaded. A wheel has the compiled modules beside the source instead.

What was damaged since, by a disk that was full or a machine that fell, is left alone: the source
runs instead, and the next `./run` compiles anew.

As a program (`python workers/strategies/compiled.py`, which needs nothing but itself) it prints
that folder, for `./run`, and answers 0 if the core is there and can be loaded.
"""

import ctypes
import hashlib
import importlib
import logging
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES
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
        "forecast",
        "forecasts",
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


def load(core: str, found: str, name: str, path: list[str]) -> None:
    """Imports the core that was found into the package of that name and path, unless damaged."""
    path.insert(0, found)
    try:
        for module in CORES[core]:
            importlib.import_module(f"{name}.{module}")
    except ImportError as error:
        logging.getLogger(__name__).error("a compiled search core is damaged: %s", error)
        path.remove(found)
        # Else what was loaded before the damage showed would stay, half of one and half of other.
        for module in [one for one in sys.modules if one.startswith(f"{name}.")]:
            del sys.modules[module]
            vars(sys.modules[name]).pop(module.removeprefix(f"{name}."), None)


def whole() -> bool:
    """Whether the cores are there and the system takes them, without importing any.

    A file that was cut off may end the process instead (SIGBUS).
    """
    if package() is None:
        return False
    try:
        for file in place().rglob("*"):
            if file.name.endswith(tuple(EXTENSION_SUFFIXES)):
                ctypes.CDLL(str(file), os.RTLD_NOW)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    print(place(), flush=True)
    sys.exit(not whole())
