"""The files of a person over WebDAV: reading, listing, and what they have in common with writing."""
from __future__ import annotations

import hashlib
import re
import typing
import xml.etree.ElementTree as Xml
import zlib
from email.utils import formatdate

import conditions
import listing
from names import Path, decoded
from quirks import Quirks
from refusals import Refusal
from store import Store
from tree import Node
from wire import FilePart, Headers, Request, Response

RANGE = re.compile(r"bytes=(\d*)-(\d*)")
BASE = "/remote.php/dav"
# What a server without the app files_lock says that it can do.
ABILITIES = "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search"
ALLOWED = "OPTIONS, GET, HEAD, DELETE, PROPFIND, PUT, PROPPATCH, COPY, MOVE, REPORT"


class Area:
    """One person's files, as requests see them. Uploads of all kinds end here."""

    def __init__(self, store: Store, quirks: Quirks, user: str) -> None:
        self.store, self.quirks, self.user = store, quirks, user

    @property
    def base(self) -> str:
        return f"{BASE}/files/{self.user}"

    # Finding

    @property
    def folds(self) -> bool:
        return self.quirks.has("folds-case")

    def find(self, path: Path) -> Node | None:
        return self.store.tree.find(path, self.folds)

    def existing(self, path: Path) -> Node:
        node = self.find(path)
        if node is None:
            raise Refusal(404, f"There is no {'/'.join(path)}.")
        return node

    def parent(self, path: Path) -> Node:
        """The directory that holds, or is to hold, an item."""
        parent = self.find(path[:-1])
        if parent is None or not parent.is_directory:
            # Since the library's release 4.1.3 a missing parent is no longer 404 (issue 23519 of nextcloud/server).
            raise Refusal(409, "The directory that should hold it is not there.")
        return parent

    def at_address(self, path: str) -> Node | None:
        """What is at a path of an address; None where nothing is, or what is no file of this person."""
        target = self.target(path)
        return None if target is None else self.find(target)

    def target(self, path: str) -> Path | None:
        """The path below the person's directory; None if an address leads elsewhere."""
        prefix = decoded(self.base)
        found = decoded(path)
        return found[len(prefix):] if found[:len(prefix)] == prefix else None

    def check_conditions(self, request: Request, node: Node | None) -> None:
        conditions.check(request, node, self.at_address)

    # What may be written

    def is_read_only(self, node: Node) -> bool:
        value = self.quirks.value("read-only")
        if value is None:
            return False
        path = node.path()
        tops = [decoded(top) for top in value] if isinstance(value, list) else [()]
        return any(path[:len(top)] == top for top in tops)

    def share(self, node: Node) -> dict[str, str]:
        """What is said of the share that an item is in; nothing if it is the person's own."""
        path, shares = node.path(), self.quirks.value("shares") or {}
        found = [top for top in shares if path[:len(decoded(top))] == decoded(top)]
        return shares[max(found, key=len)] if found else {}

    def lock(self, node: Node) -> dict[str, typing.Any]:
        """What is said of the lock of a file; nothing if there is none."""
        return (self.quirks.value("locks") or {}).get("/".join(node.path()), {})

    def check_writable(self, node: Node, needed: str) -> None:
        """Refuses what needs letters that the item does not have, and what somebody else has locked."""
        letters = self.share(node).get("letters", needed)
        if self.is_read_only(node) or not set(needed) <= set(letters):
            raise Refusal(403, "It may not be written.")
        if self.lock(node).get("by", self.user) != self.user:
            raise Refusal(423, "Somebody has it locked.")

    def available(self) -> int | None:
        """Bytes that may still be stored; None without a quota."""
        quota = self.quirks.value("quota")
        return None if quota is None else max(0, int(quota) - self.store.tree.root.size)

    def check_space(self, size: int | None) -> None:
        """Refuses contents for which there is no space. Those that they replace do not count."""
        available = self.available()
        if available is not None and size is not None and size > available:
            raise Refusal(507, "The quota does not have space for it.")

    def place(self) -> listing.Place:
        shares: dict[int, list[int]] = {}
        for share in self.store.kept.get("shares", []):
            shares.setdefault(share["item"], []).append(share["kind"])
        return listing.Place(
            self.user, self.store.instance, str(self.quirks.value("fingerprint") or ""), self.available(),
            self.is_read_only, self.share, self.lock, shares, self.quirks.value("weak-tags") is True, self.checksum)

    def checksum(self, node: Node) -> str:
        """What is told of a file's contents: what its writer sent, or what the server computes itself."""
        if stale := self.quirks.value("stale-checksums"):
            return str(stale)
        kinds = self.quirks.value("own-checksums")
        if kinds is None:
            return node.checksum
        with self.store.disk.open(node.path()) as file:
            contents = file.read()
        found = {
            "SHA256": hashlib.sha256(contents).hexdigest(), "ADLER32": f"{zlib.adler32(contents):08x}",
            "SHA1": hashlib.sha1(contents, usedforsecurity=False).hexdigest(),
            "MD5": hashlib.md5(contents, usedforsecurity=False).hexdigest()}
        return " ".join(f"{kind}:{found[kind]}" for kind in kinds)

    # Answers

    def tags(self, node: Node) -> Headers:
        """What the answer to a change says of the item."""
        headers = [("OC-FileId", listing.file_id(node, self.store.instance))]
        if not self.quirks.has("no-tag-in-answers"):
            tag = conditions.quoted(node)
            headers.append(("OC-ETag", tag))
            if not node.is_directory:
                headers.append(("ETag", tag))
        return headers

    def after_creation(self, node: Node) -> Headers:
        return [*self.tags(node), ("X-NC-OwnerId", self.user), ("X-NC-Permissions", listing.permissions(node, self.place()))]

    def options(self, _request: Request, path: Path) -> Response:
        allowed = ALLOWED if self.find(path) else "OPTIONS, MKCOL, PUT"
        return Response(200, [("DAV", ABILITIES), ("MS-Author-Via", "DAV"), ("Accept-Ranges", "bytes"), ("Allow", allowed)])

    # Reading

    def _refuse_in_file_drop(self, path: Path) -> None:
        if self.quirks.has("file-drop") and not any(name.startswith(".") for name in path):
            raise Refusal(403, "Here things are put in, and nothing is looked at.")

    def get(self, request: Request, path: Path) -> Response:
        self._refuse_in_file_drop(path)
        with self.store.lock:
            node = self.existing(path)
            self.check_conditions(request, node)
            if node.is_directory:
                if request.method == "HEAD":
                    return Response(200, [("Content-Type", "text/plain")])
                raise Refusal(501, "A directory has no contents to read.")
            try:
                file = self.store.disk.open(node.path())
            except OSError as error:
                raise Refusal(503, "The file is not on the disk any more; scan it.") from error
            tag = conditions.quoted(node)
            headers = [
                ("Content-Type", listing.content_type(node.name)), ("ETag", tag), ("OC-ETag", tag),
                ("Last-Modified", formatdate(node.modified, usegmt=True)), ("Accept-Ranges", "bytes"),
                ("Content-Disposition", "attachment")]
            if (checksum := self.checksum(node)) and not self.quirks.has("bare-answers"):
                headers.append(("OC-Checksum", checksum))
            size, modified = node.size, node.modified
        meant = request.header("if-range")
        gives_parts = not self.quirks.has("no-ranges") and (not meant or meant in (tag, formatdate(modified, usegmt=True)))
        part = self._range(request, size) if gives_parts else None
        if part is None:
            return Response(200, headers, FilePart(file, 0, size))
        start, end = part
        if start >= end:
            file.close()
            raise Refusal(416, "There are no such bytes.", headers=[("Content-Range", f"bytes */{size}")])
        headers.append(("Content-Range", f"bytes {start}-{end - 1}/{size}"))
        return Response(206, headers, FilePart(file, start, end - start))

    @staticmethod
    def _range(request: Request, size: int) -> tuple[int, int] | None:
        """The bytes that are asked for, up to the second number; None for all, as also where several parts are asked for."""
        found = RANGE.fullmatch(request.header("range").replace(" ", ""))
        if not found or found.groups() == ("", ""):
            return None
        first, last = found.groups()
        if not first:
            return max(0, size - int(last)), size
        return int(first), min(int(last) + 1, size) if last else size

    # Listing

    def propfind(self, request: Request, path: Path) -> Response:
        names = listing.asked(request.text())
        # The documentation says what leaving the depth out gives: a directory's entries.
        depth = request.header("depth", "1").lower()
        infinity = self.quirks.value("no-infinity") if depth == "infinity" else None
        if infinity and infinity != "shallow":
            raise Refusal(412, "Listings of whole trees are turned off.")
        if depth != "0":
            self._refuse_in_file_drop(path)
        with self.store.lock:
            node = self.existing(path)
            self.check_conditions(request, node)
            if depth == "infinity" and not infinity:
                # Whole trees are listed (issue 5947 and pull request 5764 of nextcloud/server).
                nodes = list(node.all())
            else:
                nodes = [node, *(node.entries.values() if depth != "0" else [])]
            place = self.place()
            hides = self.quirks.has("hides-dot-files")
            parts = [
                listing.response(listing.address(self.base, one.path(), one.is_directory), one, names, place).encode()
                for one in nodes if not (hides and one is not node and one.name.startswith("."))]
        return self._multistatus(request, parts)

    def _multistatus(self, request: Request, parts: list[bytes]) -> Response:
        headers = [("Content-Type", "application/xml; charset=utf-8"), ("DAV", ABILITIES), ("Vary", "Brief,Prefer")]
        quirk = self.quirks.take("truncated-listing", request)
        how = (quirk.settings.get("how") if quirk.settings else quirk.value) if quirk else None
        if how == "short":
            parts = parts[:len(parts) // 2 + 1]
        response = Response(207, headers, [listing.BEGIN.encode(), *parts, listing.END.encode()])
        if how == "malformed":
            response.body = b"".join([listing.BEGIN.encode(), *parts])[:-40]
        elif quirk and how != "short":
            response.cut_after = (sum(len(part) for part in parts) + len(listing.BEGIN)) * 2 // 3
        return response

    # Properties

    def proppatch(self, request: Request, path: Path) -> Response:
        """Sets what may be set. Nextcloud would keep properties of any other name as well; here they are refused."""
        try:
            root = Xml.fromstring(request.text())
        except Xml.ParseError as error:
            raise Refusal(400, "The properties are not well-formed.") from error
        if root.tag != "{DAV:}propertyupdate":
            raise Refusal(400, "The properties are of another kind.")
        wanted: list[tuple[str, str | None]] = [
            (one.tag, None if change.tag == "{DAV:}remove" else one.text or "")
            for change in root for properties in change for one in properties]
        with self.store.lock:
            node = self.existing(path)
            self.check_conditions(request, node)
            self.check_writable(node, "CK" if node.is_directory else "W")
            refused = [name for name, value in wanted if not self._can_set(name, value)]
            for name, value in wanted if not refused else []:
                self._set(node, name, value or "0")
        states = [(name, "200 OK" if not refused else "403 Forbidden" if name in refused else "424 Failed Dependency")
                  for name, _ in wanted]
        inner = "".join(listing.propstat([listing.element(name)], status) for name, status in states)
        href = listing.address(self.base, path, node.is_directory)
        text = f"{listing.BEGIN}<d:response><d:href>{href}</d:href>{inner}</d:response>{listing.END}"
        return Response(207, [("Content-Type", "application/xml; charset=utf-8")], text.encode())

    @staticmethod
    def _can_set(name: str, value: str | None) -> bool:
        return name == f"{{{listing.OC}}}favorite" or (name == "{DAV:}lastmodified" and (value or "").strip().isdigit())

    def _set(self, node: Node, name: str, value: str) -> None:
        if name == "{DAV:}lastmodified":
            self.store.set_modified(node, int(value))
        else:
            # It is the person's, not the file's: no tag changes.
            node.favorite = value.strip() == "1"

    def is_not_implemented(self, request: Request, _path: Path) -> typing.NoReturn:
        """LOCK and UNLOCK too: without the app files_lock nothing handles them (issue 7633 of nextcloud/server). Clients of
        macOS and Windows, by their name, get locks that hold nobody off, which is left out here."""
        raise Refusal(501, f"Nothing handles {request.method} here.")
