"""Bulk upload: many small files in one request of several parts, which are written as they arrive."""
from __future__ import annotations

import re
import time
import typing
import urllib.parse

from listing import file_id, permissions
from names import decoded
from ocs import as_json
from refusals import Refusal
from store import Received
from wire import PART, Request, Response, Source
from writing import Writer

LONGEST_LINE = 16 << 10


class Lines:
    """Lines and stretches of a body."""

    def __init__(self, source: Source) -> None:
        self.source, self.buffer, self.left = source, b"", 0

    def line(self) -> bytes:
        while (end := self.buffer.find(b"\r\n")) < 0:
            part = self.source.read(PART)
            if not part or len(self.buffer) > LONGEST_LINE:
                raise Refusal(400, "The parts are not as they should be.")
            self.buffer += part
        line, self.buffer = self.buffer[:end], self.buffer[end + 2:]
        return line

    def stretch(self, size: int) -> Lines:
        """The next bytes, as a source of their own."""
        self.left = size
        return self

    def read(self, size: int) -> bytes:
        if self.left and not self.buffer:
            self.buffer = self.source.read(PART)
        part, self.buffer = self.buffer[:min(size, self.left)], self.buffer[min(size, self.left):]
        self.left -= len(part)
        return part


class Bulk:
    """Takes bulk uploads."""

    def __init__(self, writer: Writer) -> None:
        self.writer, self.area, self.store = writer, writer.area, writer.store

    def post(self, request: Request) -> Response:
        boundary = re.fullmatch(
            r'multipart/related\s*;.*?boundary="?([^";]+)"?.*', request.header("content-type"), re.IGNORECASE)
        if not boundary:
            raise Refusal(400, "The body has no parts.")
        mark = b"--" + boundary[1].strip().encode("latin-1")
        written: dict[str, dict[str, typing.Any]] = {}
        try:
            self._write_parts(Lines(request.body), mark, written)
        except Refusal:
            # Threads show that a part that lacks something, or whose sum is wrong, is logged as a mistake of the request (issue
            # 46346 of nextcloud/server, 6511 of nextcloud/desktop), not what is answered. What was written before stays.
            return as_json(written, 400)
        return as_json(written)

    def _write_parts(self, lines: Lines, mark: bytes, written: dict[str, dict[str, typing.Any]]) -> None:
        while (line := lines.line()) != mark + b"--":
            if line != mark:
                raise Refusal(400, "There is no boundary where one should be.")
            headers = self._headers(lines)
            received = self._receive(lines, headers)
            try:
                written[headers["x-file-path"]] = self._written(headers, received)
            finally:
                received.file.unlink(missing_ok=True)
            if lines.line():
                raise Refusal(400, "A part is longer than it says.")

    @staticmethod
    def _headers(lines: Lines) -> dict[str, str]:
        headers = {}
        while line := lines.line():
            name, _, value = line.decode(errors="replace").partition(":")
            headers[name.strip().lower()] = value.strip()
        if not headers.get("content-length", "").isdecimal() or "x-file-path" not in headers:
            raise Refusal(400, "A part lacks its path or its length.")
        if "x-file-md5" not in headers:
            raise Refusal(400, "A part lacks its MD5 sum.")
        return headers

    def _receive(self, lines: Lines, headers: dict[str, str]) -> Received:
        # One that ends too early has another sum.
        received = self.store.receive(lines.stretch(int(headers["content-length"])), "md5")
        if received.digest != headers["x-file-md5"].lower():
            received.file.unlink()
            raise Refusal(400, "A part does not have its MD5 sum.")
        return received

    def _written(self, headers: dict[str, str], received: Received) -> dict[str, typing.Any]:
        """Writes one file, whatever was there before: there are no conditions. What is said of it."""
        text = headers.get("x-oc-mtime") or headers.get("x-file-mtime") or ""
        modified = int(text) if text.isdecimal() and int(text) > 0 else int(time.time())
        try:
            path = decoded(urllib.parse.quote(headers["x-file-path"]))
            if not path:
                raise Refusal(400, "The path is empty.")
            with self.store.lock:
                node, _ = self.writer.commit(path, received, modified, headers.get("oc-checksum", ""))
                return {
                    "error": False, "etag": node.tag, "fileid": file_id(node, self.store.instance),
                    "permissions": permissions(node, self.area.place())}
        except Refusal as refusal:
            return {"error": True, "message": refusal.message}
