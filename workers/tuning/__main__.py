"""Prints the weights that were found, and how they do against those that stand."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from service.rules import botifarra, canasta
from service.rules.protocol import Variant
from workers.tuning import forecast
from workers.tuning.botifarra import Botifarra
from workers.tuning.canasta import Canasta
from workers.tuning.climb import match, tuned
from workers.tuning.family import Family, W


def find(family: Family[W], rounds: int, seed: str, scratch: bool) -> None:
    """Tunes, tells ten times how far it is, and ends with a match on other deals."""
    stands = family.standing

    def tell(number: int, weights: W) -> None:
        so_far = match(family, weights, stands, family.confirm // 10, "so far")
        print(f"round {number}: {so_far}", flush=True)

    after = tuned(family, family.scratch if scratch else stands, rounds, seed, tell)
    print(family.shown(after))
    found = match(family, after, stands, family.confirm, "confirm")
    print(
        f"{family.title}: {found.mean:+.{family.digits}f} ± {found.interval:.{family.digits}f} "
        f"points a deal, the better deal in {found.won:.1%} of {2 * family.confirm}"
    )


def main(given: Sequence[str]) -> None:
    """Reads the arguments."""
    variants: dict[str, Variant] = {**canasta.VARIANTS, **botifarra.VARIANTS}
    parser = ArgumentParser(prog="./run tune", description=__doc__)
    parser.add_argument("variant", choices=variants)
    parser.add_argument("seats", nargs="?", type=int, default=4)
    parser.add_argument("rounds", nargs="?", type=int, default=4000)
    parser.add_argument("seed", nargs="?", default="1", help="another gives other luck")
    parser.add_argument(
        "start",
        nargs="?",
        choices=("standing", "scratch"),
        default="standing",
        help="from the weights that stand, or from some that know nothing of what was found",
    )
    parser.add_argument(
        "--forecast",
        action="store_true",
        help="the canasta family's forecast, of so many deals instead of rounds",
    )
    asked = parser.parse_args(given)
    if asked.seats not in variants[asked.variant].seats:
        parser.error(f"{asked.variant} has no table of {asked.seats}")
    if asked.forecast:
        if asked.variant in botifarra.VARIANTS or asked.seats == 3:
            parser.error("the forecast is the canasta family's, and of two sides")
        forecast.find(asked.variant, asked.seats, asked.rounds, asked.seed)
        return
    scratch = asked.start == "scratch"
    if asked.variant in botifarra.VARIANTS:
        find(Botifarra(), asked.rounds, asked.seed, scratch)
    else:
        find(Canasta(asked.variant, asked.seats), asked.rounds, asked.seed, scratch)


if __name__ == "__main__":
    main(sys.argv[1:])
