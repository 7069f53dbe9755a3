"""The messages by which clients learn at once that something changed (the app notify_push), over a WebSocket."""
from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import queue
import socket
import struct
import threading

from accounts import Accounts, token
from refusals import Refusal
from store import Store
from wire import PART, Cut, Reader, Request, Response

# What every WebSocket answers a key with (RFC 6455, section 1.3).
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Socket:
    """One WebSocket, as a server has it."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(None)
        self.connection = connection
        self.reader = Reader(connection)
        self.lock = threading.Lock()

    def send(self, kind: int, contents: bytes) -> None:
        size = len(contents)
        length = struct.pack("!B", size) if size < 126 else struct.pack("!BH", 126, size)
        with self.lock:
            self.connection.sendall(bytes([0x80 | kind]) + length + contents)

    def _exactly(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            found += self.reader.some(size - len(found))
        return found

    def receive(self) -> str:
        """The next text; raises ``Cut`` at the end."""
        while True:
            first, second = self._exactly(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack("!H", self._exactly(2))[0]
            if size > PART or not second & 0x80:
                raise Cut
            mask, masked = self._exactly(4), self._exactly(size)
            contents = bytes(byte ^ mask[index % 4] for index, byte in enumerate(masked))
            kind = first & 0x0F
            if kind == TEXT:
                return contents.decode(errors="replace")
            if kind == CLOSE:
                self.send(CLOSE, contents)
                raise Cut
            if kind == PING:
                self.send(PONG, contents)


class Push:
    """Tells every client that is connected of each change."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self.store, self.accounts = store, accounts
        # What stands for a login, for those who cannot send their password.
        self.granted: set[str] = set()

    def grant(self) -> str:
        self.granted.add(made := token(32))
        return made

    def upgrade(self, request: Request) -> Response:
        key = request.header("sec-websocket-key")
        if request.header("upgrade").lower() != "websocket" or not key:
            raise Refusal(400, "Only WebSockets are here.")
        accepted = base64.b64encode(hashlib.sha1((key + GUID).encode(), usedforsecurity=False).digest()).decode()
        headers = [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accepted)]
        return Response(101, headers, takes_over=self._serve)

    def _serve(self, connection: socket.socket) -> None:
        ours = Socket(connection)
        # Changes are told by a thread of their own: whoever makes one never waits for a client.
        changes: queue.SimpleQueue[list[int] | None] = queue.SimpleQueue()
        try:
            user, password = ours.receive(), ours.receive()
            if not self._may_listen(user, password):
                ours.send(TEXT, b"err: the login is wrong")
                return
            wants_ids = threading.Event()
            with self.store.lock:
                self.store.listeners.append(changes.put)
            threading.Thread(target=self._tell, args=(ours, changes, wants_ids), daemon=True).start()
            ours.send(TEXT, b"authenticated")
            while True:
                if ours.receive() == "listen notify_file_id":
                    wants_ids.set()
        finally:
            with self.store.lock, contextlib.suppress(ValueError):
                self.store.listeners.remove(changes.put)
            changes.put(None)

    def _may_listen(self, user: str, password: str) -> bool:
        if not user:
            return password in self.granted
        return self.accounts.is_known(user, password)

    @staticmethod
    def _tell(ours: Socket, changes: queue.SimpleQueue[list[int] | None], wants_ids: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while (ids := changes.get()) is not None:
                text = f"notify_file_id {json.dumps(ids)}" if wants_ids.is_set() else "notify_file"
                ours.send(TEXT, text.encode())
