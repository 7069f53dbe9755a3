"""HTTP/1.1 as one connection speaks it: requests whose bodies are read as they arrive, and their answers."""
from __future__ import annotations

import contextlib
import dataclasses
import socket
import typing
import urllib.parse
from email.utils import formatdate

PART = 64 << 10
LONGEST_HEAD = 64 << 10
# Seconds without a byte after which a connection is closed. Longer than that of most servers: a machine whose cores are all
# busy may let a client wait for long between two requests.
SILENCE = 60
# What is still read of a body that nobody wanted, so that the connection can go on being used.
UNREAD = 8 << 20
REASONS = {
    100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 204: "No Content", 206: "Partial Content",
    207: "Multi-Status", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 409: "Conflict", 411: "Length Required", 412: "Precondition Failed",
    413: "Content Too Large", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 423: "Locked",
    429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 507: "Insufficient Storage",
}

Headers = list[tuple[str, str]]


class Cut(Exception):
    """The connection ends here: the client has gone, or is to believe that the server has."""


class Malformed(Exception):
    """What arrived is no request; nothing that follows on this connection can be understood."""


class Source(typing.Protocol):
    """Bytes that arrive."""

    def read(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""


@dataclasses.dataclass
class FilePart:
    """A part of an open file, which is closed when it has been sent."""

    file: typing.BinaryIO
    start: int
    length: int


@dataclasses.dataclass
class Response:
    """An answer. Contents of unknown length are sent in chunks."""

    status: int
    headers: Headers = dataclasses.field(default_factory=list)
    body: bytes | FilePart | typing.Iterable[bytes] = b""
    # Bytes of the body after which the connection is cut; the client was told of more.
    cut_after: int | None = None
    # Whether it is the client that has to cut it.
    stalls: bool = False
    # What goes on speaking on the connection afterwards, which is no longer HTTP.
    takes_over: typing.Callable[[socket.socket], None] | None = None

    def close(self) -> None:
        """Lets go of a body that is not sent."""
        if isinstance(self.body, FilePart):
            self.body.file.close()


class Reader:
    """What arrives on a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.buffer = b""

    def some(self, size: int) -> bytes:
        """At most so many bytes, waiting for the first."""
        if not self.buffer:
            try:
                self.buffer = self.connection.recv(PART)
            except OSError as error:
                raise Cut from error
            if not self.buffer:
                raise Cut
        part, self.buffer = self.buffer[:size], self.buffer[size:]
        return part

    def until(self, mark: bytes, longest: int) -> bytes:
        """Everything before the mark, which is read as well."""
        found, begin = self.buffer, 0
        self.buffer = b""
        while (end := found.find(mark, begin)) < 0:
            if len(found) > longest:
                raise Malformed
            begin = max(0, len(found) - len(mark))
            found += self.some(PART)
        self.buffer = found[end + len(mark):]
        return found[:end]


class Body:
    """The body of a request, read as it arrives, with a length or in chunks."""

    def __init__(self, reader: Reader, length: int | None, expects: bool) -> None:
        self.reader = reader
        # None where it is sent in chunks.
        self.length = length
        self.expects = expects
        self.left = length or 0
        self.is_finished = length == 0
        self.begun = False

    def read(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""
        if self.is_finished:
            return b""
        if self.expects:
            self.expects = False
            self.reader.connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if self.length is None and self.left == 0 and not self._next_chunk():
            return b""
        part = self.reader.some(min(size, self.left))
        self.left -= len(part)
        if self.left == 0 and self.length is not None:
            self.is_finished = True
        return part

    def _next_chunk(self) -> bool:
        if self.begun and self.reader.until(b"\r\n", 2):
            raise Malformed
        self.begun = True
        line = self.reader.until(b"\r\n", 1024).split(b";")[0].strip()
        try:
            self.left = int(line, 16)
        except ValueError as error:
            raise Malformed from error
        if self.left > 0:
            return True
        while self.reader.until(b"\r\n", LONGEST_HEAD):
            pass
        self.is_finished = True
        return False

    def pass_over(self) -> bool:
        """Reads what is left; False if that is too much, or may never be sent."""
        if self.expects and not self.is_finished:
            return False
        left = UNREAD
        while left > 0 and (part := self.read(PART)):
            left -= len(part)
        return self.is_finished


@dataclasses.dataclass
class Request:
    """A request. Names of headers are in lower case; the path is as it was sent."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Source
    length: int | None

    def header(self, name: str, otherwise: str = "") -> str:
        return self.headers.get(name, otherwise).strip()

    def text(self) -> bytes:
        """The whole body, which should be small."""
        parts = []
        while part := self.body.read(PART):
            parts.append(part)
        return b"".join(parts)


Answer = typing.Callable[[Request], Response]


def _head(reader: Reader) -> tuple[Request, Body, bool]:
    """The next request, and whether its client goes on using the connection."""
    lines = reader.until(b"\r\n\r\n", LONGEST_HEAD).decode("latin-1").lstrip("\r\n").split("\r\n")
    words = lines[0].split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise Malformed
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise Malformed
        name = name.lower()
        headers[name] = f"{headers[name]}, {value.strip()}" if name in headers else value.strip()
    length: int | None = 0
    if "transfer-encoding" in headers:
        if headers["transfer-encoding"].lower() != "chunked" or "content-length" in headers:
            raise Malformed
        length = None
    elif "content-length" in headers:
        if not headers["content-length"].isdigit():
            raise Malformed
        length = int(headers["content-length"])
    target = words[1]
    if not target.startswith("/"):
        target = urllib.parse.urlsplit(target)._replace(scheme="", netloc="").geturl()
    path, _, query = target.partition("?")
    pairs = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
    body = Body(reader, length, headers.get("expect", "").lower() == "100-continue")
    connection = headers.get("connection", "").lower()
    keeps = "close" not in connection and (words[2] != "HTTP/1.0" or "keep-alive" in connection)
    return Request(words[0], path, pairs, headers, body, length), body, keeps


def serve(connection: socket.socket, answer: Answer) -> None:
    """Answers the requests of one connection until it ends."""
    reader = Reader(connection)
    connection.settimeout(SILENCE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with contextlib.suppress(Cut, OSError), connection:
        try:
            while _serve_one(connection, reader, answer):
                pass
        except Malformed:
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


def _serve_one(connection: socket.socket, reader: Reader, answer: Answer) -> bool:
    request, body, keeps = _head(reader)
    response = answer(request)
    try:
        keeps = body.pass_over() and keeps
        _send(connection, request, response, keeps)
    finally:
        response.close()
    if response.takes_over:
        response.takes_over(connection)
        return False
    if not keeps:
        # What the client may still be sending is not answered with a reset, which would take the answer from it.
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(2)
        while connection.recv(PART):
            pass
    return keeps


def _send(connection: socket.socket, request: Request, response: Response, keeps: bool) -> None:
    headers = [("Date", formatdate(usegmt=True)), ("Server", "Apache"), *response.headers]
    body = response.body
    has_body = response.status >= 200 and response.status not in (204, 304)
    length = body.length if isinstance(body, FilePart) else len(body) if isinstance(body, bytes) else None
    if has_body:
        headers.append(("Transfer-Encoding", "chunked") if length is None else ("Content-Length", str(length)))
    if response.status >= 200 and not keeps:
        headers.append(("Connection", "close"))
    lines = [f"HTTP/1.1 {response.status} {REASONS.get(response.status, 'Unknown')}", *(f"{a}: {b}" for a, b in headers)]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")
    if not has_body or request.method == "HEAD":
        connection.sendall(head)
    elif isinstance(body, bytes):
        connection.sendall(head + body[:response.cut_after])
    elif isinstance(body, FilePart):
        _send_part(connection, head, body, response.cut_after)
    else:
        connection.sendall(head)
        _send_chunks(connection, body, response.cut_after)
    if response.stalls:
        connection.settimeout(None)
        connection.recv(1)
    if response.cut_after is not None:
        raise Cut


def _send_part(connection: socket.socket, head: bytes, part: FilePart, cut_after: int | None) -> None:
    length = part.length if cut_after is None else min(cut_after, part.length)
    if length <= PART:
        part.file.seek(part.start)
        contents = part.file.read(length)
        connection.sendall(head + contents)
        sent = len(contents)
    else:
        connection.sendall(head)
        sent = connection.sendfile(part.file, part.start, length)
    # Somebody shortened the file behind the server's back.
    if sent < length:
        raise Cut


def _send_chunks(connection: socket.socket, parts: typing.Iterable[bytes], cut_after: int | None) -> None:
    left = cut_after
    for part in parts:
        if left is not None:
            if left <= len(part):
                connection.sendall(b"%x\r\n%b" % (len(part), part[:left]))
                return
            left -= len(part)
        if part:
            connection.sendall(b"%x\r\n%b\r\n" % (len(part), part))
    connection.sendall(b"0\r\n\r\n")
