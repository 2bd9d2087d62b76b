"""A server for what no real one says: each connection is served by a thread."""

import socket
import threading
from contextlib import suppress


class Listening:
    """Listens on a free port of this machine; who inherits says how a connection is served."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Takes no more connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def serve(self, client: socket.socket) -> None:
        """Answers a connection until it ends, and closes it."""
        raise NotImplementedError

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self.serve, args=(client,), daemon=True).start()
