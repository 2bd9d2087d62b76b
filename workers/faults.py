"""How errors are told: by their kind and place, never by their message, which may name a card."""

import traceback


def where(error: BaseException) -> str:
    """The kind of an error, the reason if a rule says no, and the last lines it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    path = " > ".join(f"{frame.name}:{frame.lineno}" for frame in frames[-4:])
    kind = " ".join(filter(None, (type(error).__name__, getattr(error, "code", ""))))
    return f"{kind} in {path}"
