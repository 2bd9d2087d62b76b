"""A real Redis Cluster on the loopback, of the same program as the embedded server.

    ClusterOf(folder, replicas=1)   three masters, each with so many replicas
      url                           of the first master; any server leads to all
      move(slot, to)                one slot with its keys, as `valkey-cli --cluster reshard` does
      kill, start                   one server, as a crash does

Servers end with the process that started them, however it ends.
"""

import contextlib
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import redis

from service.embedded import find_program
from service.processes import Child, end, spawn
from tests.ports import free_port

SLOTS: Final = 16_384
MASTERS: Final = 3
NODE_TIMEOUT: Final = 1500
"""Milliseconds until a server that does not answer is thought gone."""


class Server:
    """One server; `name` is its id in the cluster once it was started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.bus = free_port(), free_port()
        self.client: Any = redis.Redis(port=self.port, socket_timeout=20)
        self.child: Child | None = None
        self.name = ""

    def start(self) -> None:
        """Starts it and returns when it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self.folder,
            "cluster-enabled": "yes",
            "cluster-port": self.bus,
            "cluster-config-file": "nodes.conf",
            "cluster-node-timeout": NODE_TIMEOUT,
            "cluster-replica-validity-factor": 0,
            "repl-diskless-sync-delay": 0,
            "appendonly": "yes",
            "save": "",
            "loglevel": "warning",
        }
        command = [str(find_program())]
        for name, value in settings.items():
            command += [f"--{name}", str(value)]
        with (self.folder / "server.log").open("ab") as log:
            self.child = spawn(command, output=log)
        until(lambda: self.child is not None and self.child.running() and answers(self.client))
        self.name = self.client.execute_command("CLUSTER MYID").decode()

    def kill(self) -> None:
        """Ends it as a crash would."""
        assert self.child is not None
        self.child.send(signal.SIGKILL)
        assert self.child.wait(10)

    def info(self, section: str) -> Any:
        """What it says of itself."""
        return self.client.info(section)


class ClusterOf:
    """Three masters with `replicas` each; a context manager that ends with all slots served."""

    def __init__(self, folder: Path, replicas: int = 0) -> None:
        self.masters = [Server(folder / f"master-{n}") for n in range(MASTERS)]
        self.replicas = [
            [Server(folder / f"replica-{n}-{m}") for m in range(replicas)] for n in range(MASTERS)
        ]

    @property
    def servers(self) -> list[Server]:
        """All of them, the masters first."""
        return self.masters + [one for own in self.replicas for one in own]

    @property
    def url(self) -> str:
        """One server's URL."""
        return f"redis://127.0.0.1:{self.masters[0].port}/0"

    @property
    def urls(self) -> str:
        """One URL that names all servers, the masters first."""
        return "redis://" + ",".join(f"127.0.0.1:{one.port}" for one in self.servers) + "/0"

    def __enter__(self) -> Self:
        try:
            self._form()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends all servers."""
        for one in self.servers:
            one.client.close()
        end([one.child for one in self.servers if one.child is not None])

    def clear(self) -> None:
        """Leaves nothing in it."""
        for master in self.masters:
            master.client.flushall()

    def owner(self, slot: int) -> Server:
        """The server that serves a slot now, as the first one that answers says."""
        said = next(one for one in self.servers if answers(one.client))
        for first, last, (_, port, *_), *_ in said.client.execute_command("CLUSTER SLOTS"):
            if first <= slot <= last:
                return next(one for one in self.servers if one.port == port)
        raise LookupError(slot)

    def move(self, slot: int, to: Server, pause: Callable[[], None] = lambda: None) -> None:
        """Moves a slot and its keys, `pause` between any two keys and before the end."""
        source = self.owner(slot)
        if source is to:
            return
        setting = ("CLUSTER SETSLOT", slot)
        to.client.execute_command(*setting, "IMPORTING", source.name)
        source.client.execute_command(*setting, "MIGRATING", to.name)
        while keys := source.client.execute_command("CLUSTER GETKEYSINSLOT", slot, 1):
            pause()
            migrate = ("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", *keys)
            source.client.execute_command(*migrate)
        pause()
        # Who receives it is told first, so that at no moment nobody serves it.
        for one in [to, source, *self.masters]:
            with contextlib.suppress(redis.ConnectionError):
                one.client.execute_command(*setting, "NODE", to.name)

    def _form(self) -> None:
        for one in self.servers:
            one.start()
        share = SLOTS // MASTERS + 1
        for number, one in enumerate(self.masters):
            first, last = number * share, min(SLOTS, (number + 1) * share) - 1
            one.client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
            one.client.execute_command("CLUSTER ADDSLOTSRANGE", first, last)
        for one in self.servers[1:]:
            self.join(one)
        until(lambda: all(self._knows_all(one) for one in self.servers))
        for master, own in zip(self.masters, self.replicas, strict=True):
            for one in own:
                one.client.execute_command("CLUSTER REPLICATE", master.name)
        self.healthy()

    def join(self, one: Server) -> None:
        """Introduces a server that runs to the others."""
        self.masters[0].client.execute_command("CLUSTER MEET", "127.0.0.1", one.port, one.bus)

    def healthy(self) -> None:
        """Returns when all slots are served, and each replica has what its master has."""
        until(lambda: all(_serves(one) for one in self.servers))

    def _knows_all(self, one: Server) -> bool:
        said = one.client.execute_command("CLUSTER INFO")
        return bool(said["cluster_known_nodes"] == str(len(self.servers)))


def _serves(one: Server) -> bool:
    if one.client.execute_command("CLUSTER INFO")["cluster_state"] != "ok":
        return False
    told = one.info("replication")
    return bool(told["role"] == "master" or told["master_link_status"] == "up")


def answers(client: Any) -> bool:
    """Whether a server answers."""
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


def until(done: Callable[[], bool], seconds: float = 60.0) -> None:
    """Waits until it is so."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(redis.RedisError):
            if done():
                return
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)
