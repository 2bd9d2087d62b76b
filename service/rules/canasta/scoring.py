"""The score of a deal (rules 6) and the end of the game (rules 7)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from service.rules.canasta.draft import Draft
from service.rules.canasta.events import WentOut
from service.rules.canasta.melds import (
    BLACK_THREES,
    POINTS,
    canasta_of,
    points,
    requirement_met,
)
from service.rules.canasta.state import Meld, State
from service.rules.canasta.variants import Variant
from service.rules.cards import Card
from service.rules.deals import DealScored, Line, SideScore
from service.rules.protocol import GameEnded


def end_deal(draft: Draft, out: WentOut | None) -> None:
    """Scores the deal and, where that decides the game, ends it."""
    scored = score(draft.state, out)
    draft.emit(scored)
    ended = game_end(draft.state)
    if ended:
        draft.emit(ended)


def score(state: State, out: WentOut | None) -> DealScored:
    """The sheet of the deal as the cards lie now (6).

    Args:
        out: who went out; None when the stock ended the deal.
    """
    sides = tuple(_sheet(state, side, out) for side in range(len(state.scores)))
    return DealScored(
        state.deal,
        "went_out" if out else "stock_exhausted",
        sides,
        tuple(old + side.total for old, side in zip(state.scores, sides, strict=True)),
    )


def game_end(state: State) -> GameEnded | None:
    """How the game ends with the scores as they are, None if another deal follows (7)."""
    scores, best = tuple(state.scores), max(state.scores)
    hands = tuple(state.hands)
    if best >= state.target:
        winner = scores.index(best) if scores.count(best) == 1 else None
        return GameEnded(winner, scores, "target", hands)
    if state.deal == state.variant.deal_cap:
        return GameEnded(None, scores, "deal_cap", hands)
    return None


def _sheet(state: State, side: int, out: WentOut | None) -> SideScore:
    variant, melds = state.variant, state.melds[side]
    ready = requirement_met(variant, state.players, melds)
    hands = [(seat, state.hands[seat]) for seat in range(state.players) if state.side(seat) == side]
    lines = (
        _cards_line(melds),
        _canastas_line(variant, melds),
        _going_out_line(variant, out if out and state.side(out.seat) == side else None),
        _red_threes_line(variant, len(state.red_threes[side]), bool(melds), ready),
        _hands_line(variant, hands),
    )
    return SideScore(lines, sum(line.points for line in lines))


def _cards_line(melds: Sequence[Meld]) -> Line:
    cards = [card for meld in melds for card in meld.cards]
    return Line("cards", points(cards), f"{_count(len(cards), 'card')} on the table")


def _canastas_line(variant: Variant, melds: Iterable[Meld]) -> Line:
    kinds = Counter(kind for meld in melds if (kind := canasta_of(meld.kind, meld.cards)))
    made = {kind: kinds[kind] for kind in variant.canasta_bonus if kinds[kind]}
    bonus = {str(kind): number * variant.canasta_bonus[kind] for kind, number in made.items()}
    words = [f"{number} {kind} at {variant.canasta_bonus[kind]}" for kind, number in made.items()]
    return Line("canastas", sum(bonus.values()), ", ".join(words) or "none", bonus)


def _going_out_line(variant: Variant, out: WentOut | None) -> Line:
    if not out:
        return Line("going_out", 0, "did not go out")
    bonus, how = variant.going_out, "went out"
    if out.concealed:
        bonus, how = variant.concealed, "went out concealed"
    return Line("going_out", bonus, f"seat {out.seat} {how}", {str(out.seat): bonus})


def _red_threes_line(variant: Variant, number: int, melded: bool, ready: bool) -> Line:
    if not number:
        return Line("red_threes", 0, "none")
    total = 2 * variant.decks
    worth = variant.all_red_threes if number == total else number * variant.red_three
    words = f"{number} of {_count(total, 'red three')}"
    if variant.red_threes_need == "nothing":
        return Line("red_threes", worth, words)
    if variant.red_threes_need == "meld":
        counts, condition = melded, "melded" if melded else "nothing melded"
    else:
        counts, condition = ready, "requirement met" if ready else "requirement missing"
    sign = "plus" if counts else "minus"
    return Line("red_threes", worth if counts else -worth, f"{words}, {condition}: {sign}")


def _hands_line(variant: Variant, hands: Iterable[tuple[int, Sequence[Card]]]) -> Line:
    cost, words = {}, []
    for seat, hand in hands:
        black = sum(card in BLACK_THREES for card in hand)
        worth = sum(POINTS[card] for card in hand if card not in BLACK_THREES)
        worth += black * variant.black_three_in_hand
        cost[str(seat)] = -worth
        threes = f", {_count(black, 'black three')} at {variant.black_three_in_hand}"
        words.append(f"seat {seat}: {_count(len(hand), 'card')}{threes if black else ''}, {worth}")
    return Line("hands", sum(cost.values()), "; ".join(words), cost)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
