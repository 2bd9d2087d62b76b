"""The one way in which the rules say no."""

from collections.abc import Mapping


class IllegalMove(Exception):
    """A rule forbids the command; nothing changed.

    Attributes:
        code: the reason, in lower case, stable for ever (`pile_frozen`).
        rule: the paragraph of the rules text that forbids it (`3.5.2`).
        sentence: one sentence for people, in English, the same each time; names no card.
        values: the numbers and names that belong into its braces.
        detail: the sentence with its values, that is one which can be read.
        version: the game's version that it was decided at; the rules know none and leave it 0.
    """

    def __init__(
        self, code: str, rule: str, sentence: str, values: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.sentence = sentence
        self.values = values or {}
        self.detail = sentence.format(**self.values) if self.values else sentence
        self.version = 0
