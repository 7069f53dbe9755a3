"""Changes of a person's files over WebDAV."""
from __future__ import annotations

import re
import urllib.parse

import names
from files import Area
from names import Path
from refusals import Refusal
from store import Received
from tree import Node, new_tag
from wire import Headers, Request, Response

CHECKSUM = re.compile(r"[A-Za-z0-9-]+:[0-9A-Za-z]+")
HASHES = {"md5": "X-Hash-MD5", "sha1": "X-Hash-SHA1", "sha256": "X-Hash-SHA256"}


class Writer:
    """Carries out what changes something. Bodies are received first and conditions checked when all has arrived, as with a
    server whose programs begin only then: between check and change nobody else changes anything."""

    def __init__(self, area: Area) -> None:
        self.area, self.store, self.quirks = area, area.store, area.quirks

    # What requests say

    @staticmethod
    def modified(request: Request) -> int | None:
        """The time of modification that a client tells, in seconds since 1970."""
        text = request.header("x-oc-mtime")
        if not text:
            return None
        # Another status would do as well: threads show the message alone (issue 46346 of nextcloud/server).
        if not re.fullmatch(r"\d+(\.\d+)?", text) or float(text) <= 0:
            raise Refusal(400, "X-OC-MTime has to be a positive number.")
        return int(float(text))

    @staticmethod
    def checksum(request: Request) -> str:
        """What a client says of its contents. It is kept and not looked at, as the documentation says."""
        text = request.header("oc-checksum")
        return text if CHECKSUM.fullmatch(text) else ""

    def check_checksum(self, checksum: str, received: Received) -> None:
        kind, _, digits = checksum.partition(":")
        if received.digest and digits.lower() != received.digest:
            received.file.unlink()
            raise Refusal(400, f"The contents do not have this checksum of {kind}.")

    def hash_kind(self, request: Request) -> str:
        """What is to be calculated while contents arrive."""
        if (kind := request.header("x-hash").lower()) in HASHES:
            return kind
        kind = self.checksum(request).partition(":")[0].lower()
        return kind if self.quirks.has("checks-checksums") and kind in HASHES else ""

    def check_new_name(self, name: str) -> None:
        names.check(name, self.quirks.has("windows-names"))

    # Files

    def put(self, request: Request, path: Path) -> Response:
        if request.header("content-range"):
            raise Refusal(400, "A part of a file cannot be written.")
        if not path:
            raise Refusal(409, "The directory cannot be written like a file.")
        told = request.header("oc-total-length")
        self.area.check_space(int(told) if told.isdigit() else request.length)
        modified, kind = self.modified(request), self.hash_kind(request)
        received = self.store.receive(request.body, kind)
        try:
            if not request.header("x-hash"):
                self.check_checksum(self.checksum(request), received)
            with self.store.lock:
                self.area.check_conditions(request, self.area.find(path))
                if request.header("x-nc-webdav-automkcol") == "1":
                    self._make_parents(path)
                node, is_new = self.commit(path, received, modified, self.checksum(request))
                headers: Headers = self.area.after_creation(node) if is_new else self.area.tags(node)
        finally:
            received.file.unlink(missing_ok=True)
        if modified is not None:
            headers.append(("X-OC-MTime", "accepted"))
        if request.header("x-hash") and kind:
            headers.append((HASHES[kind], received.digest))
        return Response(201 if is_new else 204, headers)

    def commit(self, path: Path, received: Received, modified: int | None, checksum: str) -> tuple[Node, bool]:
        """Puts contents into their place, under the lock; the file, and whether it was not there before."""
        parent = self.area.parent(path)
        there = self.store.tree.child(parent, path[-1], self.area.folds)
        if there is None:
            self.check_new_name(path[-1])
            self.area.check_writable(parent, "C")
        elif there.is_directory:
            raise Refusal(409, "A directory is there.")
        else:
            self.area.check_writable(there, "W")
        self.area.check_space(received.size)
        node = self.store.put(parent, there.name if there else path[-1], received, modified, checksum)
        return node, there is None

    def _make_parents(self, path: Path) -> None:
        for end in range(1, len(path)):
            if self.area.find(path[:end]) is None:
                self.check_new_name(path[end - 1])
                self.store.make_directory(self.area.parent(path[:end]), path[end - 1])

    # Directories

    def mkcol(self, request: Request, path: Path) -> Response:
        body = request.text()
        with self.store.lock:
            node = self.area.find(path)
            self.area.check_conditions(request, node)
            if body and not re.match(r"(application|text)/xml", request.header("content-type").lower()):
                raise Refusal(415, "The body of MKCOL is of an unknown type.")
            if node is not None:
                raise Refusal(405, "Something is there already.")
            parent = self.area.parent(path)
            self.check_new_name(path[-1])
            self.area.check_writable(parent, "K")
            node = self.store.make_directory(parent, path[-1], modified := self.modified(request))
            headers = self.area.after_creation(node)
        if modified is not None:
            headers.append(("X-OC-MTime", "accepted"))
        return Response(201, headers)

    def delete(self, request: Request, path: Path) -> Response:
        with self.store.lock:
            node = self.area.existing(path)
            self.area.check_conditions(request, node)
            if not path:
                raise Refusal(403, "The person's directory cannot be removed.")
            self.area.check_writable(node, "D")
            self.store.remove(node)
        return Response(204)

    # Moving and copying

    def destination(self, request: Request) -> Path:
        """Where something is to go."""
        text = request.header("destination")
        if not text:
            raise Refusal(400, "There is no Destination.")
        path = self.area.target(urllib.parse.urlsplit(text).path)
        if path is None:
            raise Refusal(403, "The destination is not among the person's files.")
        if not path:
            raise Refusal(403, "The person's directory cannot be replaced.")
        return path

    @staticmethod
    def overwrites(request: Request) -> bool:
        value = request.header("overwrite", "T").upper()
        if value not in ("T", "F"):
            raise Refusal(400, "Overwrite is T or F.")
        return value == "T"

    def move_or_copy(self, request: Request, path: Path) -> Response:
        target, overwrites = self.destination(request), self.overwrites(request)
        is_move = request.method == "MOVE"
        with self.store.lock:
            node = self.area.existing(path)
            self.area.check_conditions(request, node)
            parent = self.area.parent(target)
            there = self.store.tree.child(parent, target[-1], self.area.folds)
            # Where case is folded, a name may be given another spelling.
            is_respelled = there is node and is_move and node.name != target[-1]
            if there is node and not is_respelled:
                raise Refusal(403, "Source and destination are the same.")
            if not path or parent.is_within(node):
                raise Refusal(409, "The destination lies in the source.")
            if there and not overwrites and not is_respelled:
                raise Refusal(412, "Something is at the destination.")
            self.check_new_name(target[-1])
            self._check_may_go(node, parent, there, is_move)
            if not is_move:
                self.area.check_space(node.size)
            if there and not is_respelled:
                if node.is_within(there):
                    raise Refusal(409, "The source lies in what would be replaced.")
                self.store.remove(there)
            if is_move:
                self.store.move(node, parent, target[-1])
                if node.is_directory and self.area.quirks.has("moved-tags"):
                    node.tag = new_tag(True)
            else:
                node = self.store.copy(node, parent, target[-1], request.header("depth") != "0")
            headers = self.area.tags(node)
        return Response(204 if there and not is_respelled else 201, headers)

    def _check_may_go(self, node: Node, parent: Node, there: Node | None, is_move: bool) -> None:
        if not is_move or node.parent is not parent:
            self.area.check_writable(parent, "K" if node.is_directory else "C")
        if is_move:
            self.area.check_writable(node, "V" if node.parent is not parent else "N")
        if there:
            self.area.check_writable(there, "D" if there.is_directory else "W")
