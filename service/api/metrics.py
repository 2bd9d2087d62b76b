"""What can be counted about the service, for Prometheus: `GET /metrics`, where it is switched on.

    requests, commands, loads, streams   counted by the processes of the API
    games, queues                        asked of the servers when somebody looks
    fallbacks, the sweep                 told by workers and sweep through the store

Labels are routes, methods, statuses, codes and levels: few, and known beforehand. None names a
player, a game or a card.

The processes of one API count into files of a folder, PROMETHEUS_MULTIPROC_DIR, which
`service.stack` makes; so whichever of them is asked answers for all. Without it each answers for
itself. https://prometheus.github.io/client_python/multiprocess/
"""

import logging
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from service.api.edge import edge
from service.api.problems import where
from service.api.waiting import Waiting
from service.store import COUNTED, StoreUnavailable, Unreadable
from service.store.tallies import Tallies

log = logging.getLogger(__name__)

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0)
"""Upper bounds of the durations that are told apart."""

METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})

Lengths = Callable[[], Mapping[str, int]]
"""How many jobs wait in each queue."""


class Metrics:
    """The numbers of one app."""

    def __init__(self, tallies: Tallies, lengths: Lengths) -> None:
        own = self._own = CollectorRegistry()
        self._live = Live(tallies, lengths)
        self._requests = Counter(
            "tapete_requests",
            "Requests that were answered, by route, method and status.",
            ["route", "method", "status"],
            registry=own,
        )
        self._seconds = Histogram(
            "tapete_request_seconds",
            "Time until an answer began, long polls included, by route and method.",
            ["route", "method"],
            buckets=SECONDS,
            registry=own,
        )
        self._commands = Counter(
            "tapete_commands",
            "Commands of people in games: accepted, replayed, or why not.",
            ["outcome"],
            registry=own,
        )
        self._loads = Counter(
            "tapete_loads",
            "Games that were looked up, by what this process remembered.",
            ["found"],
            registry=own,
        )
        self.streams = Gauge(
            "tapete_streams",
            "Streams and long polls that are open.",
            multiprocess_mode="livesum",
            registry=own,
        )
        self._remembered = self._loads.labels("remembered")
        self._read = self._loads.labels("read")
        self._looked = (0, 0)
        # To find a child by its labels costs more than to count with it.
        self._ways: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def count(self, response: Response) -> None:
        """Counts a request with its answer."""
        rule = request.url_rule.rule if request.url_rule else ""
        method = request.method if request.method in METHODS else "other"
        way = rule, method, response.status_code
        known = self._ways.get(way)
        if known is None:
            route = _route(rule)
            counter = self._requests.labels(route, method, str(response.status_code))
            known = self._ways[way] = counter, self._seconds.labels(route, method)
        known[0].inc()
        if began := g.get("began"):
            known[1].observe(time.perf_counter() - began)
        if request.endpoint == "commands.give":
            done = "replayed" if "Idempotent-Replayed" in response.headers else "accepted"
            self._commands.labels(g.get("code", done)).inc()
        hits, misses = edge().tables.looked_up
        before, self._looked = self._looked, (hits, misses)
        if hits > before[0]:
            self._remembered.inc(hits - before[0])
        if misses > before[1]:
            self._read.inc(misses - before[1])

    def text(self) -> bytes:
        """Everything in the text format of Prometheus."""
        everything = CollectorRegistry()
        everything.register(self._live)
        folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
        if folder is None:
            return generate_latest(everything) + generate_latest(self._own)
        _forget_the_dead(Path(folder))
        MultiProcessCollector(everything, folder)  # type: ignore[no-untyped-call]
        return generate_latest(everything)


class Live(Collector):
    """What is asked when somebody looks; left out where nobody answers."""

    def __init__(self, tallies: Tallies, lengths: Lengths) -> None:
        self._tallies = tallies
        self._lengths = lengths

    def collect(self) -> Iterator[Metric]:
        """The numbers of now."""
        up = GaugeMetricFamily("tapete_store_up", "Whether the server of the games answers.")
        try:
            found = [*self._games(), *self._told()]
        except (StoreUnavailable, Unreadable):
            found = []
        up.add_metric([], float(bool(found)))
        yield up
        yield from found
        waiting = GaugeMetricFamily("tapete_queue_jobs", "Jobs that wait.", labels=["queue"])
        try:
            lengths = self._lengths()
        except Exception:  # whatever is wrong with the queue, the rest can be told
            return
        for queue, length in lengths.items():
            waiting.add_metric([queue], length)
        yield waiting

    def _games(self) -> Iterator[Metric]:
        games = GaugeMetricFamily(
            "tapete_games",
            "Unfinished games, and those that are damaged.",
            labels=["status"],
        )
        for status in COUNTED:
            games.add_metric([status], edge().store.count(status))
        yield games

    def _told(self) -> Iterator[Metric]:
        told = self._tallies.all()
        fallbacks = CounterMetricFamily(
            "tapete_fallbacks", "Turns for which a strategy had to be replaced.", labels=["level"]
        )
        failures = CounterMetricFamily(
            "tapete_turn_failures",
            "Attempts at a computer player's turn that came to nothing.",
            labels=["level", "why"],
        )
        for name, number in told.items():
            if name.startswith("fallback "):
                fallbacks.add_metric([name.removeprefix("fallback ")], number)
            elif name.startswith("failure "):
                failures.add_metric(name.split(" ")[1:3], number)
        yield from (fallbacks, failures)
        for name, metric, what in (
            ("sweep ended", "tapete_sweep_timestamp_seconds", "When the sweep's last round ended."),
            ("sweep seconds", "tapete_sweep_seconds", "How long that round took."),
            ("sweep games", "tapete_sweep_games", "How many games it looked at."),
        ):
            if name in told:
                yield GaugeMetricFamily(metric, what, told[name])


def install(app: Flask, tallies: Tallies, lengths: Lengths, waiting: Waiting) -> None:
    """Counts all that the app does. To be called before anything else is installed: what comes
    first in the app is timed from there, and looks last at an answer."""
    metrics = Metrics(tallies, lengths)
    app.extensions["tapete_metrics"] = metrics
    waiting.told = metrics.streams.set

    def began() -> None:
        g.began = time.perf_counter()

    def ended(response: Response) -> Response:
        try:
            metrics.count(response)
        except Exception as error:  # a full disk, say: what cannot be counted is answered still
            log.error("a request was not counted\n%s", where(error))
        return response

    app.before_request(began)
    app.after_request(ended)


def _route(rule: str) -> str:
    """The route as the contract writes it, but for the names in braces: /v1/games/{game}."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule) or "none"


def _forget_the_dead(folder: Path) -> None:
    """Leaves out the open streams of processes that are gone, which nobody could take back."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not _alive(int(pid)):
            mark_process_dead(int(pid), str(folder))  # type: ignore[no-untyped-call]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
