"""A wire that fails: a TCP port before a server's Unix socket."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Literal, Self
from urllib.parse import unquote, urlsplit

Fault = Literal["cut", "silence"]


class Proxy:
    """Passes everything on, until `lose` says that the next answer is to be lost."""

    def __init__(self, url: str) -> None:
        self._server = unquote(urlsplit(url).path)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._fault: Fault | None = None
        self._sockets = [self._listener]
        self.lost = threading.Event()
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"

    def lose(self, fault: Fault) -> None:
        """The server's next answer is swallowed; `cut` also ends the connection."""
        self.lost.clear()
        self._fault = fault

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for each in self._sockets:
            _close(each)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._sockets += [client, server]
                for pump in (self._ask, self._answer):
                    threading.Thread(target=pump, args=(client, server), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                server.sendall(data)
        _close(server)

    def _answer(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                if not self._fault:
                    client.sendall(data)
                    continue
                fault, self._fault = self._fault, None
                self.lost.set()
                if fault == "cut":
                    break
        _close(client)


def _close(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()
