"""The versions of files that are written again (app files_versions), over WebDAV as the documentation describes them."""
from __future__ import annotations

import pathlib
import re
import shutil
import tempfile
import typing
import urllib.parse
from email.utils import formatdate
from xml.sax.saxutils import escape

import listing
from files import BASE, Area
from names import Path, decoded
from refusals import Refusal
from store import Received
from tree import Node
from wire import FilePart, Request, Response

MODIFIED, LENGTH, KIND = "{DAV:}getlastmodified", "{DAV:}getcontentlength", "{DAV:}resourcetype"
AUTHOR, LABEL = f"{{{listing.NC}}}version-author", f"{{{listing.NC}}}version-label"


class Versions:
    """Keeps what is replaced, by the number of its file and the time at which it was written. The current version is listed
    among the others, as releases since 26 do; which one it is shows its time alone (issue threads of nextcloud/server)."""

    def __init__(self, area: Area) -> None:
        self.area = area
        self.top = area.store.disk.beside / "versions"
        area.store.replacing = self.keep

    @property
    def is_on(self) -> bool:
        return self.area.quirks.has("versions")

    def keep(self, node: Node) -> None:
        """A file is about to get other contents. Of those of one second the first ones stay."""
        if not self.is_on:
            return
        kept = self.top / str(node.id) / str(node.modified)
        if kept.exists():
            return
        kept.parent.mkdir(parents=True, exist_ok=True)
        with self.area.store.disk.open(node.path()) as old, kept.open("wb") as new:
            shutil.copyfileobj(old, new)

    def answer(self, request: Request, path: Path) -> Response:
        """A request below the versions of the person."""
        if not self.is_on:
            raise Refusal(404, "No versions are kept.")
        match request.method, path:
            case "PROPFIND", ("versions", number):
                return self._list(request, number)
            case "GET" | "HEAD", ("versions", number, name):
                file = self._version(number, name)
                headers = [("Content-Type", "application/octet-stream"), ("Content-Disposition", "attachment")]
                return Response(200, headers, FilePart(file.open("rb", buffering=0), 0, file.stat().st_size))
            case "MOVE", ("versions", number, name):
                return self._restore(request, number, name)
        raise Refusal(405, f"{request.method} is not for this place.")

    # What there is

    def _node(self, number: str) -> Node:
        for node in self.area.store.tree.root.all():
            if str(node.id) == number and not node.is_directory:
                return node
        raise Refusal(404, "There is no such file.")

    def _version(self, number: str, name: str) -> pathlib.Path:
        self._node(number)
        file = self.top / number / name
        if not re.fullmatch(r"\d+", name) or not file.is_file():
            raise Refusal(404, "There is no such version.")
        return file

    def _list(self, request: Request, number: str) -> Response:
        wanted = listing.asked(request.text())
        with self.area.store.lock:
            node = self._node(number)
            kept = sorted((self.top / number).glob("*"), key=lambda file: int(file.name), reverse=True)
            sizes = {} if self.area.quirks.has("past-versions") else {str(node.modified): node.size}
            sizes |= {file.name: file.stat().st_size for file in kept}
        base = f"{BASE}/versions/{self.area.user}/versions/{number}"
        parts = [self._response(f"{base}/", wanted, {KIND: "<d:collection/>"})]
        if request.header("depth", "1") != "0":
            authors = self.area.quirks.value("version-authors") or {}
            for name, size in sizes.items():
                author = authors.get(name, self.area.user)
                parts.append(self._response(f"{base}/{name}", wanted, {
                    KIND: "", MODIFIED: formatdate(int(name), usegmt=True), LENGTH: str(size), AUTHOR: escape(author),
                    LABEL: ""}))
        body = "".join([listing.BEGIN, *parts, listing.END])
        return Response(207, [("Content-Type", "application/xml; charset=utf-8")], body.encode())

    @staticmethod
    def _response(address: str, wanted: list[str], known: dict[str, str]) -> str:
        found = listing.propstat([listing.element(name, known[name]) for name in wanted if name in known], "200 OK")
        missing = listing.propstat([listing.element(name) for name in wanted if name not in known], "404 Not Found")
        return f"<d:response><d:href>{escape(address)}</d:href>{found}{missing}</d:response>"

    # Putting back

    def _restore(self, request: Request, number: str, name: str) -> Response:
        """What a version is moved to below `restore` replaces the file; the name there says nothing."""
        target = decoded(urllib.parse.urlsplit(request.header("destination")).path)
        if target[:-1] != decoded(f"{BASE}/versions/{self.area.user}/restore"):
            raise Refusal(403, "Versions are only moved to the place that restores them.")
        with self.area.store.lock:
            node, file = self._node(number), self._version(number, name)
            self.area.check_writable(node, "W")
            received = self._copied(file)
            assert node.parent is not None
            self.area.store.put(node.parent, node.name, received, int(name), "")
            file.unlink()
        return Response(201)

    def _copied(self, file: pathlib.Path) -> Received:
        aside: typing.IO[bytes]
        with tempfile.NamedTemporaryFile(dir=self.area.store.disk.unfinished, delete=False) as aside, file.open("rb") as old:
            shutil.copyfileobj(old, aside)
        return Received(pathlib.Path(aside.name), file.stat().st_size, "")
