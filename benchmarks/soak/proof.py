"""What must be true afterwards: the journals and the logs say the same, and every log is sound."""

import json
from collections import Counter
from collections.abc import Iterator

from benchmarks.soak.clients import Journal
from service import record
from service.referee import referee
from service.store import Entry, codec
from service.store.redis import RedisStore


def losses(journal: Journal, store: RedisStore) -> Iterator[str]:
    """One sentence for each thing that is not as it was told; none when all is well."""
    stored = set(store.rebuild())
    for game in sorted(stored ^ set(journal.games)):
        yield f"game {game} is {'doubled or unasked for' if game in stored else 'lost'}"
    for game, times in Counter(journal.games).items():
        if times > 1:
            yield f"game {game} was told {times} times as another one"
    logs = {game: store.read(game).entries for game in sorted(stored)}
    yield from _commands(journal, logs)
    yield from _feeds(journal, logs)
    for game, entries in logs.items():
        try:
            raw = b"".join(record.write(game, [entry.line for entry in entries]))
        except record.NotOver:
            yield f"game {game} did not come to its end"
            continue
        verdict = referee(raw)
        if not verdict.ok:
            yield f"game {game} is not sound: {verdict.first_fault}"


def _commands(journal: Journal, logs: dict[str, tuple[Entry, ...]]) -> Iterator[str]:
    """Acknowledged, and in the log, exactly once each, in the order in which they were told."""
    told = {(each.game, each.player, each.key): each for each in journal.commands}
    if len(told) < len(journal.commands):
        yield "a command was acknowledged twice as two"
    found = Counter(
        (game, entry.meta.player, entry.meta.key)
        for game, entries in logs.items()
        for entry in entries[1:]
        if entry.meta.key
    )
    for key, times in found.items():
        if times > 1:
            yield f"command {key} was carried out {times} times"
        if key not in told:
            yield f"command {key} was carried out, and its player was told otherwise"
    for key, each in told.items():
        entries = logs.get(each.game, ())
        at = next((entry for entry in entries if (each.player, each.key) == _who(entry)), None)
        if at is None:
            yield f"command {key} was acknowledged and is lost"
            continue
        logged = json.loads(at.line)["command"]
        if any(logged[name] != value for name, value in each.command.items()):
            yield f"command {key} is another one in the log"
        if entries[each.version - 1].hash != each.head:
            yield f"version {each.version} of game {each.game} is not the one that was told"


def _feeds(journal: Journal, logs: dict[str, tuple[Entry, ...]]) -> Iterator[str]:
    """Every follower got every item, once and in order."""
    for game, came in journal.feeds.items():
        whole = [
            f"{entry.version}.{place}"
            for entry in logs.get(game, ())
            for place, _ in enumerate(codec.decode(entry.line).events)
        ]
        if came != whole:
            yield f"the follower of game {game} got {len(came)} items of {len(whole)}"


def _who(entry: Entry) -> tuple[str, str]:
    return entry.meta.player, entry.meta.key
