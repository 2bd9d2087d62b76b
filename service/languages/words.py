"""Numbers, lists and plurals, as the texts of the rules want them in each language.

A row a language, with nothing but what differs. `forms` are numbers in words by what they stand
with; a text names the one it means (`{{ 1|word("f") }}`: une, una), and the first is the usual one.
What a language does not tell apart it need not name.

    {{ 15000|number }}                      15,000     15 000      15.000
    {{ [2, 3]|map("word")|listed("or") }}   two or three           deux ou trois
    {{ {"2": 2, "4": 1}|by_size("card") }}  two cards with two players and one with four
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Unit:
    """What is counted: one of it, more of it, and the form of number words beside it; `alone`
    where the number stands for it."""

    one: str
    more: str
    form: str = ""
    alone: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language.

    Attributes:
        grouping: what stands between thousands.
        forms: numbers from 0 on in words; a form that is shorter goes on as the usual one.
        comma, ends: what joins a list, and its last entry, by the word that is asked for.
        units: what the rules count by the number of players.
        counted: a number and its unit.
        sized: the same, and the table sizes that it holds for; `further` for each further one.
        between: what joins those.
        yes, no: the answers.
    """

    grouping: str
    forms: Mapping[str, tuple[str, ...]]
    comma: str
    ends: Mapping[str, str]
    units: Mapping[str, Unit]
    counted: str
    sized: str
    further: str
    between: str
    yes: str
    no: str

    def number(self, value: int) -> str:
        """A number in digits."""
        return f"{value:,}".replace(",", self.grouping)

    def word(self, value: int, form: str = "") -> str:
        """A number in words, in digits where there is no word for it."""
        usual = self.forms[""]
        own = self.forms.get(form, usual)
        if value < 0 or value >= len(usual):
            return self.number(value)
        return own[value] if value < len(own) else usual[value]

    def listed(self, values: Iterable[str], last: str) -> str:
        """`a, b or c`; `last` is "or" or "and" in every language."""
        *most, end = values
        return f"{self.comma.join(most)}{self.ends[last]}{end}" if most else end

    def by_size(self, table: Mapping[str, int], unit: str) -> str:
        """`two cards with two or three players and one with four`, or just `two cards`."""
        sizes: dict[int, list[str]] = {}
        for size, value in table.items():
            sizes.setdefault(value, []).append(self.word(int(size), "players"))
        kind = self.units[unit]
        rows = [
            {
                "count": self.word(value, kind.form),
                "alone": self.word(value, kind.alone or kind.form),
                "unit": kind.one if value == 1 else kind.more,
                "sizes": self.listed(sizes[value], "or"),
            }
            for value in sizes
        ]
        if len(rows) == 1:
            return self.counted.format(**rows[0])
        first, *others = rows
        texts = [self.sized.format(**first), *(self.further.format(**row) for row in others)]
        *most, end = texts
        return f"{self.comma.join(most)}{self.between}{end}"

    def answer(self, value: bool) -> str:
        """Yes or no."""
        return self.yes if value else self.no

    def filters(self) -> Mapping[str, Callable[..., Any]]:
        """These, by the names that they have in the texts."""
        return {
            "number": self.number,
            "word": self.word,
            "listed": self.listed,
            "by_size": self.by_size,
            "yes": self.answer,
        }


_CHINESE: Final = {
    "comma": "、",
    "counted": "{count}{unit}",
    "between": "或",
    "yes": "是",
    "no": "否",
}

WORDS: Final[Mapping[str, Words]] = {
    "en": Words(
        grouping=",",
        forms={
            "": (
                *("no", "one", "two", "three", "four", "five", "six"),
                *("seven", "eight", "nine", "ten", "eleven", "twelve"),
            )
        },
        comma=", ",
        ends={"or": " or ", "and": " and "},
        units={
            "card": Unit("card", "cards"),
            "point": Unit("point", "points"),
            "canasta": Unit("canasta", "canastas"),
        },
        counted="{count} {unit}",
        sized="{count} {unit} with {sizes} players",
        further="{count} with {sizes}",
        between=" and ",
        yes="yes",
        no="no",
    ),
    "fr": Words(
        grouping="\u202f",
        forms={
            "": (
                *("aucun", "un", "deux", "trois", "quatre", "cinq", "six"),
                *("sept", "huit", "neuf", "dix", "onze", "douze"),
            ),
            "f": ("aucune", "une"),
        },
        comma=", ",
        ends={"or": " ou ", "and": " et "},
        units={
            "card": Unit("carte", "cartes", "f"),
            "point": Unit("point", "points"),
            "canasta": Unit("canasta", "canastas", "f"),
        },
        counted="{count} {unit}",
        sized="{count} {unit} à {sizes} joueurs",
        further="{count} à {sizes}",
        between=" et ",
        yes="oui",
        no="non",
    ),
    "es": Words(
        grouping=".",
        forms={
            "": (
                *("ningún", "un", "dos", "tres", "cuatro", "cinco", "seis"),
                *("siete", "ocho", "nueve", "diez", "once", "doce"),
            ),
            "f": ("ninguna", "una"),
            "alone": ("ninguno", "uno"),
        },
        comma=", ",
        ends={"or": " o ", "and": " y "},
        units={
            "card": Unit("carta", "cartas", "f"),
            "point": Unit("punto", "puntos", alone="alone"),
            "canasta": Unit("canasta", "canastas", "f"),
        },
        counted="{count} {unit}",
        sized="{count} {unit} con {sizes} jugadores",
        further="{alone} con {sizes}",
        between=" y ",
        yes="sí",
        no="no",
    ),
    "ca": Words(
        grouping=".",
        forms={
            "": (
                *("cap", "un", "dos", "tres", "quatre", "cinc", "sis"),
                *("set", "vuit", "nou", "deu", "onze", "dotze"),
            ),
            "f": ("cap", "una", "dues"),
        },
        comma=", ",
        ends={"or": " o ", "and": " i "},
        units={
            "card": Unit("carta", "cartes", "f"),
            "point": Unit("punt", "punts"),
            "canasta": Unit("canasta", "canastes", "f"),
        },
        counted="{count} {unit}",
        sized="{count} {unit} amb {sizes} jugadors",
        further="{count} amb {sizes}",
        between=" i ",
        yes="sí",
        no="no",
    ),
    "el": Words(
        grouping=".",
        forms={
            "": (
                *("κανένα", "ένα", "δύο", "τρία", "τέσσερα", "πέντε", "έξι"),
                *("επτά", "οκτώ", "εννέα", "δέκα", "έντεκα", "δώδεκα"),
            ),
            "m": ("κανένας", "ένας", "δύο", "τρεις", "τέσσερις"),
            "f": ("καμία", "μία", "δύο", "τρεις", "τέσσερις"),
            "players": ("κανέναν", "έναν", "δύο", "τρεις", "τέσσερις"),
        },
        comma=", ",
        ends={"or": " ή ", "and": " και "},
        units={
            "card": Unit("φύλλο", "φύλλα"),
            "point": Unit("πόντο", "πόντους", "players"),
            "canasta": Unit("κανάστα", "κανάστες", "f"),
        },
        counted="{count} {unit}",
        sized="{count} {unit} με {sizes} παίκτες",
        further="{count} με {sizes}",
        between=" και ",
        yes="ναι",
        no="όχι",
    ),
    "zh-Hans": Words(
        grouping=",",
        forms={
            "": (
                *("零", "一", "两", "三", "四", "五", "六"),
                *("七", "八", "九", "十"),
            )
        },
        ends={"or": "或", "and": "和"},
        units={
            "card": Unit("张牌", "张牌"),
            "point": Unit("分", "分"),
            "canasta": Unit("个卡纳斯塔", "个卡纳斯塔"),
        },
        sized="{count}{unit}（{sizes}人时）",
        further="{count}{unit}（{sizes}人时）",
        **_CHINESE,
    ),
    "zh-Hant": Words(
        grouping=",",
        forms={
            "": (
                *("零", "一", "兩", "三", "四", "五", "六"),
                *("七", "八", "九", "十"),
            )
        },
        ends={"or": "或", "and": "和"},
        units={
            "card": Unit("張牌", "張牌"),
            "point": Unit("分", "分"),
            "canasta": Unit("個卡納斯塔", "個卡納斯塔"),
        },
        sized="{count}{unit}（{sizes}人時）",
        further="{count}{unit}（{sizes}人時）",
        **_CHINESE,
    ),
}
"""By language."""
