"""Cards counted and scores added up, with no rule but that both must come out even."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from service.referee.finding import Wrong, short
from service.rules.deals import DealScored, DealStarted, SideScore
from service.rules.protocol import GameEnded


def no_pack(where: str, place: int, pack: Sequence[str], lying: Sequence[str]) -> Wrong:
    """What is missing and what is too many, where the cards are not those of the pack."""
    due, found = Counter(pack), Counter(lying)
    missing, surplus = (sorted(rest.elements()) for rest in (due - found, found - due))
    what = f"{where} the cards are no pack: missing {short(missing)}, too many {short(surplus)}."
    return Wrong(what, place, expected=missing, found=surplus)


class Scores:
    """The scores as they are carried from deal to deal, one a side."""

    def __init__(self, before: tuple[int, ...]) -> None:
        self.now = before

    def add(self, where: str, place: int, event: Any) -> None:
        """Follows an event.

        Raises:
            Wrong: a sheet does not add up, or scores are not what the deals before came to.
        """
        due = self.now
        match event:
            case DealScored(_, _, sides, _):
                _adds_up(where, place, sides)
                if len(sides) != len(due):
                    raise Wrong(f"{where} not each side is scored once.", place)
                due = tuple(old + side.total for old, side in zip(due, sides, strict=True))
                self.now = event.scores
            case DealStarted() | GameEnded():
                pass
            case _:
                return
        if event.scores != due:
            found, expected = list(event.scores), list(due)
            what = (
                f"{where} the scores are {short(found)}; "
                f"by the deals before they are {short(expected)}."
            )
            raise Wrong(what, place, expected=expected, found=found)


def _adds_up(where: str, place: int, sides: Sequence[SideScore]) -> None:
    for side, sheet in enumerate(sides):
        for name, total, parts in _sums(sheet):
            if sum(parts) != total:
                what = (
                    f"{where} side {side}'s {name} is {total}, but what it is made of adds up "
                    f"to {sum(parts)}."
                )
                raise Wrong(what, place, expected=sum(parts), found=total)


def _sums(sheet: SideScore) -> Iterator[tuple[str, int, list[int]]]:
    """The sums of a side's sheet: what is added up, its total, and its parts."""
    yield "total", sheet.total, [line.points for line in sheet.lines]
    for line in sheet.lines:
        if line.parts:
            yield f"line {short(line.name)}", line.points, list(line.parts.values())
