"""The one way in which the rules say no."""


class IllegalMove(Exception):
    """A rule forbids the command; nothing changed.

    Attributes:
        code: the reason, in lower case, stable for ever (`pile_frozen`).
        rule: the paragraph of the rules text that forbids it (`3.5.2`).
        detail: one sentence for people; names no card that the player cannot see.
        version: the game's version that it was decided at; the rules know none and leave it 0.
    """

    def __init__(self, code: str, rule: str, detail: str) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.detail = detail
        self.version = 0
