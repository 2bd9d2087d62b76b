"""The mutants that mutmut makes, and how they are loaded to be tried."""

import importlib
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import FunctionType
from typing import Any, Final

AT_ONCE: Final = 2
"""Processes, to make them and to try them."""

loaded: Final[list[tuple[FunctionType, dict[str, Any]]]] = []
"""Functions with mutants, each with the dict that its module fills with them further down."""


def make() -> None:
    """Writes `mutants/` as mutmut does; what was found of unchanged functions stays."""
    mutmut = importlib.import_module("mutmut.__main__")
    Path("mutants").mkdir(exist_ok=True)
    with redirect_stdout(io.StringIO()):
        mutmut.copy_src_dir()
        mutmut.copy_also_copy_files()
        mutmut.create_mutants(AT_ONCE)


def watch() -> None:
    """From now on functions with mutants are loaded as they are, without mutmut's switch."""

    def plain(mutants: dict[str, Any], is_classmethod: bool = False) -> Callable[[Any], Any]:
        def known(function: Any) -> Any:
            loaded.append((getattr(function, "__func__", function), mutants))
            return function

        return known

    importlib.import_module("mutmut.mutation.trampoline").wrap_in_trampoline = plain  # type: ignore[attr-defined]
