"""Chunked uploads: a collection for each, whose chunks become one file in the end."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import threading
import time
import typing

import listing
from files import BASE
from names import Path
from refusals import Refusal
from store import Received
from tree import Node, new_tag
from wire import Headers, Request, Response
from writing import Writer

SMALLEST, MOST = 5 << 20, 10_000
# What a client asks to be moved to get the chunks together.
WHOLE = ".file"


@dataclasses.dataclass
class Chunk:
    file: pathlib.Path
    size: int
    tag: str
    modified: int


@dataclasses.dataclass
class Upload:
    """One upload that is under way."""

    chunks: dict[str, Chunk] = dataclasses.field(default_factory=dict)
    # Held while chunks come and go, so that one upload that is put together does not hold up others.
    lock: threading.RLock = dataclasses.field(default_factory=threading.RLock)

    @property
    def size(self) -> int:
        return sum(chunk.size for chunk in self.chunks.values())

    def ordered(self) -> list[Chunk]:
        """Chunks in the order of their names: numbers, of which some clients leave out the zeros before them."""
        def rank(name: str) -> list[tuple[int, str]]:
            return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name) if part]
        return [self.chunks[name] for name in sorted(self.chunks, key=rank)]

    def let_go(self) -> None:
        for chunk in self.chunks.values():
            chunk.file.unlink(missing_ok=True)
        self.chunks.clear()


class Uploads:
    """The uploads of a person. Nextcloud removes one after a day without a request, which no test waits for."""

    def __init__(self, writer: Writer) -> None:
        self.writer, self.area, self.store, self.quirks = writer, writer.area, writer.store, writer.quirks
        self.lock = threading.RLock()
        self.place = self.store.disk.beside / "chunks"
        self.place.mkdir(exist_ok=True)
        self.under_way = self._load()

    def answer(self, request: Request, path: Path) -> Response:
        """Of a path below the collection of the person's uploads."""
        if request.method == "OPTIONS":
            return self.area.options(request, ())
        if request.method == "PROPFIND":
            return self._propfind(request, path)
        if len(path) == 1:
            if request.method == "MKCOL":
                return self._begin(request, path[0])
            if request.method == "DELETE":
                return self._abandon(path[0])
        if len(path) == 2:
            if request.method == "PUT":
                return self._put(request, path[0], path[1])
            if request.method == "MOVE" and path[1] == WHOLE:
                return self._finish(request, path[0])
            if request.method == "DELETE":
                return self._remove_chunk(path[0], path[1])
        # The documentation says that chunks cannot be read, not how that is answered.
        raise Refusal(405, f"{request.method} is not for uploads.")

    def _upload(self, name: str, status: int = 404) -> Upload:
        with self.lock:
            upload = self.under_way.get(name)
        if upload is None:
            raise Refusal(status, f"There is no upload {name}.")
        return upload

    # Over a restart

    def _load(self) -> dict[str, Upload]:
        uploads = {}
        for name, chunks in self.store.kept.get("uploads", {}).items():
            uploads[name] = Upload()
            for chunk, (file, size, tag, modified) in chunks.items():
                if (self.place / file).exists():
                    uploads[name].chunks[chunk] = Chunk(self.place / file, size, tag, modified)
        known = {chunk.file for upload in uploads.values() for chunk in upload.chunks.values()}
        for file in set(self.place.iterdir()) - known:
            file.unlink()
        return uploads

    def _keep(self) -> None:
        """Notes what is to be there after a restart."""
        with self.lock:
            state = {
                name: {chunk: [one.file.name, one.size, one.tag, one.modified] for chunk, one in list(upload.chunks.items())}
                for name, upload in self.under_way.items()}
        with self.store.lock:
            self.store.kept["uploads"] = state
            self.store.changed.set()

    # The upload

    def _begin(self, request: Request, name: str) -> Response:
        request.text()
        self._require_destination(request)
        with self.lock:
            if name in self.under_way:
                raise Refusal(405, "There is such an upload already.")
            self.under_way[name] = Upload()
        self._keep()
        return Response(201)

    def _abandon(self, name: str) -> Response:
        upload = self._upload(name)
        with upload.lock:
            self._end(name, upload)
        return Response(204)

    def _end(self, name: str, upload: Upload) -> None:
        with self.lock:
            self.under_way.pop(name, None)
        upload.let_go()
        self._keep()

    def _require_destination(self, request: Request) -> None:
        """A server whose files are on its own disk takes chunks as it always did; only object storage needs to know the
        destination, and otherwise says that it lacks the metadata (issue 38801 of nextcloud/server)."""
        if self.quirks.has("object-storage") and not request.header("destination"):
            raise Refusal(412, "There is no Destination.")

    # Chunks

    def _put(self, request: Request, name: str, chunk: str) -> Response:
        self._require_destination(request)
        if self.quirks.has("object-storage") and not (chunk.isdecimal() and 1 <= int(chunk) <= MOST):
            raise Refusal(400, f"Chunks are called 1 to {MOST}.")
        upload = self._upload(name, 409)
        told = request.header("oc-total-length")
        if told.isdecimal():
            self.area.check_space(int(told))
        received = self.store.receive(request.body)
        try:
            with upload.lock:
                # It may have been abandoned or put together meanwhile.
                self._upload(name, 409)
                former = upload.chunks.get(chunk)
                made = Chunk(self.place / received.file.name, received.size, new_tag(False), int(time.time()))
                received.file.rename(made.file)
                upload.chunks[chunk] = made
        finally:
            received.file.unlink(missing_ok=True)
        if former:
            former.file.unlink(missing_ok=True)
        self._keep()
        headers: Headers = [] if self.quirks.has("no-tag-in-answers") else [
            ("ETag", f'"{made.tag}"'), ("OC-ETag", f'"{made.tag}"')]
        return Response(204 if former else 201, headers)

    def _remove_chunk(self, name: str, chunk: str) -> Response:
        upload = self._upload(name)
        with upload.lock:
            found = upload.chunks.pop(chunk, None)
        if found is None:
            raise Refusal(404, f"There is no chunk {chunk}.")
        found.file.unlink(missing_ok=True)
        self._keep()
        return Response(204)

    # The file

    def _finish(self, request: Request, name: str) -> Response:
        self._require_destination(request)
        target, overwrites = self.writer.destination(request), self.writer.overwrites(request)
        modified = self.writer.modified(request)
        upload = self._upload(name)
        with upload.lock:
            self._upload(name)
            self._check_chunks(request, upload)
            with self.store.lock:
                self._check_target(request, upload, target, overwrites)
            received = self._joined(upload)
            try:
                with self.store.lock:
                    self._check_target(request, upload, target, overwrites)
                    node, is_new = self.writer.commit(target, received, modified, self.writer.checksum(request))
                    headers = self.area.after_creation(node) if is_new else self.area.tags(node)
            finally:
                received.file.unlink(missing_ok=True)
            self._end(name, upload)
        if modified is not None:
            headers.append(("X-OC-MTime", "accepted"))
        return Response(201 if is_new else 204, headers)

    def _check_chunks(self, request: Request, upload: Upload) -> None:
        told = request.header("oc-total-length")
        if told.isdecimal() and int(told) != upload.size:
            raise Refusal(400, f"The chunks have {upload.size} bytes, and should have {told}.")
        if self.quirks.has("object-storage") and any(chunk.size < SMALLEST for chunk in upload.ordered()[:-1]):
            # The documentation has the limit; how it is told is a guess.
            raise Refusal(400, f"Chunks have {SMALLEST} bytes at least.")

    def _check_target(self, request: Request, upload: Upload, target: Path, overwrites: bool) -> None:
        """Conditions are about the source: a tag of the destination in If-Match never fits, and `If-None-Match: *` never holds.
        `Overwrite: F`, and the header If with the address of the destination, are for that."""
        self.area.check_conditions(request, self._whole(upload))
        if self.area.find(target) and not overwrites:
            raise Refusal(412, "Something is at the destination.")
        self.area.check_space(upload.size)

    @staticmethod
    def _whole(upload: Upload) -> Node:
        """The file that the chunks will be."""
        node = Node(0, WHOLE, False)
        node.size = upload.size
        return node

    def _joined(self, upload: Upload) -> Received:
        """The chunks in one file aside. They are copied, as they stay until the file is in its place."""
        joined = self.store.disk.unfinished / f"joined-{new_tag(False)}"
        with joined.open("wb") as file:
            for chunk in upload.ordered():
                with chunk.file.open("rb") as part:
                    while os.sendfile(file.fileno(), part.fileno(), None, 1 << 30):
                        pass
        return Received(joined, upload.size, "")

    # Listing

    def _propfind(self, request: Request, path: Path) -> Response:
        wanted = listing.asked(request.text())
        items = self._items(path, request.header("depth", "1") != "0")
        base, place = f"{BASE}/uploads/{self.area.user}", self.area.place()
        text = "".join(
            listing.response(listing.address(base, where, node.is_directory), node, wanted, place) for where, node in items)
        return Response(
            207, [("Content-Type", "application/xml; charset=utf-8")], f"{listing.BEGIN}{text}{listing.END}".encode())

    def _items(self, path: Path, is_deep: bool) -> typing.Iterator[tuple[Path, Node]]:
        if not path:
            yield path, self._collection(0)
            with self.lock:
                uploads = list(self.under_way.items())
            for name, upload in uploads if is_deep else []:
                yield (name,), self._collection(upload.size)
            return
        upload = self._upload(path[0])
        with upload.lock:
            nodes = {name: self._node(name, chunk) for name, chunk in upload.chunks.items()}
            nodes[WHOLE] = self._whole(upload)
        if len(path) == 1:
            yield path, self._collection(upload.size)
            for name, node in nodes.items() if is_deep else []:
                yield (*path, name), node
        elif path[1:] in {(name,) for name in nodes}:
            yield path, nodes[path[1]]
        else:
            raise Refusal(404, "There is no such chunk.")

    @staticmethod
    def _collection(size: int) -> Node:
        node = Node(0, "", True)
        node.size = size
        return node

    @staticmethod
    def _node(name: str, chunk: Chunk) -> Node:
        node = Node(0, name, False)
        node.size, node.tag, node.modified = chunk.size, chunk.tag, chunk.modified
        return node
