"""A wire that loses answers: a TCP port before an address, passing on what comes, mostly.

What it does to an answer, by chance: nothing, cut it off before its first byte (the request has
arrived, and nobody is told), or in its midst, or hold it back for a while. Some requests it also
delivers a second time, as a network that repeats packets would; some it loses before they arrive,
or after half of them; and some connections fall silent without an end, as in a tunnel.
"""

import contextlib
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable

Connect = Callable[[], socket.socket]


class Wire:
    """Passes connections on to what `connect` gives; `rate` is the chance of a fault an answer.

    With `repeats` a wire may also send the first request of a connection again on another one,
    for protocols of one request a connection. With `radio` it also loses requests and falls silent.
    """

    def __init__(
        self, connect: Connect, rng: random.Random, *, repeats: bool = False, radio: bool = False
    ) -> None:
        self._connect = connect
        self._rng = rng
        self._kinds = ["lost", "torn", "late"]
        self._kinds += ["repeated"] * repeats + ["silent"] * radio
        self._lost_requests = ["unasked", "halved", "slow"] if radio else []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listener.getsockname()[1]
        self.rate = 0.0
        self.faults: Counter[str] = Counter()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Takes no more connections; those that are open go on."""
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            server = self._connect()
        except OSError:
            close(client)
            return
        asked: list[bytes] = []
        gone = threading.Event()
        threading.Thread(target=self._ask, args=(client, server, asked, gone), daemon=True).start()
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                fault = self._rng.choice(self._kinds) if self._rng.random() < self.rate else ""
                if fault:
                    self.faults[fault] += 1
                if fault == "lost":
                    break
                if fault == "torn":
                    client.sendall(data[: len(data) // 2])
                    break
                if fault == "late":
                    time.sleep(self._rng.uniform(0.1, 1.5))
                if fault == "repeated":
                    self._repeat(b"".join(asked))
                if fault == "silent":
                    gone.wait(60)  # until the client has had enough
                    break
                client.sendall(data)
        close(client)
        close(server)

    def _ask(
        self,
        client: socket.socket,
        server: socket.socket,
        asked: list[bytes],
        gone: threading.Event,
    ) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                fault = ""
                if self._lost_requests and self._rng.random() < self.rate:
                    fault = self._rng.choice(self._lost_requests)
                    self.faults[fault] += 1
                if fault == "unasked":
                    break
                if fault == "halved":
                    server.sendall(data[: len(data) // 2])
                    break
                if fault == "slow":
                    time.sleep(self._rng.uniform(0.1, 1.5))
                asked.append(data)
                server.sendall(data)
        gone.set()
        close(server)

    def _repeat(self, request: bytes) -> None:
        with contextlib.suppress(OSError), self._connect() as again:
            again.settimeout(2)
            again.sendall(request)
            while again.recv(1 << 16):
                pass


def close(each: socket.socket) -> None:
    """Ends a connection in both directions, whatever its other end does."""
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()
