"""A card table in a terminal: drawn anew in place where that is possible, else plain lines."""

import os
import re
import shutil
from types import TracebackType
from typing import Any, Self, TextIO

NAMES = ("Alba", "Bruno", "Celia", "Dario")
SIDES = ("Alba & Celia", "Bruno & Dario")
CANASTAS = {
    "mixed": "a mixed canasta",
    "natural": "a natural canasta",
    "seq": "an escalera",
    "wild": "a bolivia, seven wild cards",
}
LINES = {
    "cards": "cards on the table",
    "canastas": "canastas",
    "going_out": "going out",
    "red_threes": "red threes",
    "hands": "cards left in hand",
}
PLAIN = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "★": "*", "█": "#", "░": ".", "–": "-", "−": "-",
         "·": "-", "─": "-", "×": "x"}  # fmt: skip
HEIGHT = 17


class Screen:
    """What the audience sees. `live` when the table is drawn in place."""

    def __init__(self, out: TextIO) -> None:
        size = shutil.get_terminal_size()
        self.out = out
        self.width = max(30, min(size.columns - 1, 88))
        terminal = out.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.live = terminal and size.lines > HEIGHT and size.columns >= 50
        self.color = terminal and not os.environ.get("NO_COLOR")
        self._drawn = 0
        self._news: list[str] = []

    def __enter__(self) -> Self:
        if self.live:
            self._write("\x1b[?25l")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.live and kind is not BrokenPipeError:
            self._write("\x1b[?25h")

    def say(self, text: str) -> None:
        """A line that stays."""
        self._erase()
        self._write("".join(self._dress(line) + "\n" for line in text.split("\n")))

    def tell(self, event: Any) -> None:
        """Something happened: news under the drawn table, or a line if it is worth one."""
        kind, data = event["type"], event["data"]
        if kind == "deal_scored":
            self._sheet(data)
            return
        words = _words(kind, event["seat"], data)
        if words and self.live:
            self._news = [*self._news, words][-6:]
        elif words and kind in ("deal_started", "pile_taken", "canasta_closed", "went_out"):
            self.say(words)

    def draw(self, game: Any) -> None:
        """The table as it is in a game of the API."""
        table, result = game["table"], game["result"]
        if table is None or result is not None:
            return
        bar = "█" * min(20, table["stock"] // 5)  # a hundred and one after the deal
        pile = table["pile"]
        top = f", {card(pile['top'])} on top" if pile["top"] else ""
        lines = [
            f"♣ ♦  bolivia to {game['options']['target_score']:,}  ♥ ♠   deal {table['deal']}",
            f"stock {bar:░<20} {table['stock']:>3}    pile {pile['size']}{top}",
        ]
        for side, name in enumerate(SIDES):
            red = len(table["red_threes"][side])
            stars = "★" * sum(bool(meld["canasta"]) for meld in table["melds"][side])
            lines += ["", f"{name:<16}{game['scores'][side]:>7,}   {'3' * red:<6} {stars}"]
            hands = [f"{NAMES[seat]} {len(table['hands'][seat])}" for seat in (side, side + 2)]
            lines += self._melds(table["melds"][side], " · ".join(hands))
        lines += ["", *self._news, *[""] * (6 - len(self._news))]
        self._erase()
        self._write("".join(self._dress(line[: self.width]) + "\n" for line in lines))
        self._drawn = len(lines)

    def end(self, result: Any) -> None:
        """Who won, and how to go on."""
        best = result["winner"]
        points = " to ".join(f"{score:,}" for score in sorted(result["scores"], reverse=True))
        won = f"★ {SIDES[best]} win, {points}!" if best is not None else f"A drawn game, {points}."
        self.say(
            f"\n{won}\n\nAnd all of it over HTTP. Your turn: type ./run and paste the lines it "
            "prints;\nthere is a chair at the table for you."
        )

    def _melds(self, melds: Any, hands: str) -> list[str]:
        """Two lines: the melds, canastas first, and behind them the numbers of cards in hand."""
        words = [_meld(meld) for meld in sorted(melds, key=lambda m: -len(m["cards"]))]
        lines = ["  ", "  "]
        for word in words or ["nothing laid yet"]:
            fits = [i for i, line in enumerate(lines) if len(line) + len(word) < self.width]
            if fits:
                lines[fits[0]] += word + "  "
        return [*lines, f"  in hand: {hands}"]

    def _sheet(self, scored: Any) -> None:
        """The score sheet of a deal, one column a side."""
        first = max(len(words) for words in LINES.values()) + 2
        sides = scored["sides"]
        rows = [("", SIDES)]
        for number, line in enumerate(sides[0]["lines"]):
            row = tuple(_signed(side["lines"][number]["points"]) for side in sides)
            rows.append((LINES[line["name"]], row))
        rows.append(("this deal", tuple(_signed(side["total"]) for side in sides)))
        rows.append(("score", tuple(f"{score:,}" for score in scored["scores"])))
        lines = [f"{name:<{first}}" + "".join(f"{cell:>15}" for cell in row) for name, row in rows]
        lines.insert(len(rows) - 2, "─" * (first + 15 * len(sides)))
        self._news = []
        self.say(f"\nDeal {scored['deal']}\n" + "\n".join(lines) + "\n")

    def _erase(self) -> None:
        if self._drawn:
            self._write(f"\x1b[{self._drawn}A\x1b[J")
            self._drawn = 0

    def _dress(self, line: str) -> str:
        if self.color:
            line = re.sub(r"\S*[♦♥]", lambda red: f"\x1b[31m{red[0]}\x1b[39m", line)
            line = re.sub(r"★.*?(?=  |$)", lambda star: f"\x1b[1;33m{star[0]}\x1b[22;39m", line)
        return line

    def _write(self, text: str) -> None:
        try:
            text.encode(self.out.encoding or "ascii")
        except UnicodeEncodeError:
            text = "".join(PLAIN.get(letter, letter) for letter in text)
        self.out.write(text)
        self.out.flush()


def card(code: str) -> str:
    """A card for the eye: 10h becomes 10♥."""
    suits = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    return "joker" if code == "JK" else code[:-1] + suits[code[-1]]


def _meld(meld: Any) -> str:
    cards = meld["cards"]
    if meld["kind"] == "seq":
        words = f"{card(cards[0])}–{card(cards[-1])}"
    elif meld["kind"] == "wild":
        words = f"{len(cards)} wild"
    else:
        wild = sum(code == "JK" or code[0] == "2" for code in cards)
        words = f"{cards[0][:-1]}×{len(cards) - wild}" + (f"+{wild}w" if wild else "")
    return f"★{words}" if meld["canasta"] else words


def _words(kind: str, seat: int | None, data: Any) -> str:
    """One event as a sentence, empty where nothing need be said."""
    who = NAMES[seat] if seat is not None and seat >= 0 else "The house"
    cards = " ".join(map(card, data.get("cards", ()) if kind.startswith("meld") else ()))
    match kind:
        case "deal_started":
            return f"Deal {data['deal']}: {NAMES[data['dealer']]} deals."
        case "cards_drawn":
            red = " and finds a red three" if data["red_threes"] else ""
            return f"{who} draws {len(data['cards'])}{red}"
        case "pile_taken":
            return f"{who} takes the pile: {len(data['cards'])} cards"
        case "top_taken":
            return f"{who} snaps up {card(data['card'])} for the sequence"
        case "meld_laid":
            return f"{who} lays {cards}"
        case "meld_extended":
            return f"{who} adds {cards}"
        case "canasta_closed":
            return f"★ {who} closes {CANASTAS[data['canasta']]}!"
        case "card_discarded":
            return f"{who} discards {card(data['card'])}"
        case "turn_passed":
            return f"{who} passes: the stock is gone"
        case "went_out":
            return f"{who} goes out{', concealed!' if data['concealed'] else '!'}"
        case _:
            return ""


def _signed(points: int) -> str:
    return f"{points:,}".replace("-", "−")
