"""What was asked of the server: tests assert numbers of requests."""
from __future__ import annotations

import collections
import pathlib
import threading
import time
import typing

from wire import Request, Source

# Requests that are remembered one by one; all are counted.
REMEMBERED = 100_000


class Counted:
    """A body of which each byte that arrives is counted."""

    def __init__(self, body: Source, requests: Requests) -> None:
        self.body, self.requests = body, requests

    def read(self, size: int) -> bytes:
        part = self.body.read(size)
        self.requests.moved(received=len(part))
        return part


class Requests:
    """Counts requests as they arrive, and writes what became of them into a file."""

    def __init__(self, log: pathlib.Path | None) -> None:
        self.lock = threading.Lock()
        self.log = log.open("a", buffering=1) if log else None
        self.clear()

    def clear(self) -> None:
        with self.lock:
            self.methods: collections.Counter[str] = collections.Counter()
            self.list: collections.deque[list[typing.Any]] = collections.deque(maxlen=REMEMBERED)
            self.received = self.sent = 0

    def moved(self, received: int = 0, sent: int = 0) -> None:
        """Counts bytes of requests' bodies, as they arrive, and of files, as an answer is to hold them."""
        with self.lock:
            self.received += received
            self.sent += sent

    def arrived(self, request: Request) -> list[typing.Any]:
        """Notes a request; its status is to be filled in."""
        entry = [request.method, request.path, 0]
        with self.lock:
            self.methods[request.method] += 1
            self.list.append(entry)
        return entry

    def answered(self, entry: list[typing.Any], status: int, began: float) -> None:
        """A status of 0 is none: the connection was cut."""
        entry[2] = status
        if self.log:
            milliseconds = (time.monotonic() - began) * 1000
            self.log.write(f"{time.strftime('%H:%M:%S')} {entry[0]} {entry[1]} {status} {milliseconds:.1f} ms\n")

    def figures(self) -> dict[str, typing.Any]:
        with self.lock:
            return {"total": self.methods.total(), "methods": dict(self.methods), "requests": list(self.list),
                    "received": self.received, "sent": self.sent}
