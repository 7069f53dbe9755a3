"""Files with what is known of them: each change is made on disk and in the tree together."""
from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import secrets
import shutil
import tempfile
import threading
import time
import typing
import unicodedata

from disk import Disk
from names import Path
from refusals import Refusal
from tree import Node, Tree, new_tag
from wire import PART, Cut, Malformed, Source

# Seconds without a change after which the state is written, and the longest that a busy server puts it off.
QUIET, LONGEST = 0.5, 10.0


class Store:
    """Everything that one person has on the server. Callers hold the lock around what belongs together."""

    def __init__(self, top: pathlib.Path) -> None:
        self.lock = threading.RLock()
        self.disk = Disk(top)
        self.tree = Tree()
        self.instance = f"oc{secrets.token_hex(5)}"
        # Of those who keep something for the next run: app passwords and shares.
        self.kept: dict[str, typing.Any] = {}
        # Whether tags are made of modification times in seconds.
        self.has_coarse_tags = False
        # Told of every change, with the ids of what changed.
        self.listeners: list[typing.Callable[[list[int]], None]] = []
        # Told of a file that is about to get other contents.
        self.replacing: typing.Callable[[Node], None] | None = None
        self.state = self.disk.beside / "state.json"
        self.changed = threading.Event()
        self._load()
        self.scan(())
        threading.Thread(target=self._save_when_quiet, daemon=True).start()

    # Writing

    def receive(self, source: Source, hash_kind: str = "") -> Received:
        """Takes a body into a file aside, as it arrives."""
        number, name = tempfile.mkstemp(dir=self.disk.unfinished)
        digest = hashlib.new(hash_kind, usedforsecurity=False) if hash_kind else None
        total = 0
        try:
            with os.fdopen(number, "wb", buffering=0) as file:
                os.fchmod(file.fileno(), 0o644)
                while part := source.read(PART):
                    file.write(part)
                    total += len(part)
                    if digest:
                        digest.update(part)
        except (Cut, Malformed, OSError):
            pathlib.Path(name).unlink()
            raise
        return Received(pathlib.Path(name), total, digest.hexdigest() if digest else "")

    def put(self, parent: Node, name: str, received: Received, modified: int | None, checksum: str) -> Node:
        """Gives a file new contents, or makes it."""
        now = int(time.time())
        node = parent.entries.get(name)
        moment = now if modified is None else modified
        if node is not None and self.replacing:
            self.replacing(node)
        stamp = self.disk.publish(received.file, (*parent.path(), name), moment)
        if node is None:
            node = self.tree.make(parent, name, False)
        self.tree.resize(node, received.size)
        node.modified, node.uploaded, node.checksum, node.stamp = moment, now, checksum, stamp
        self.renew(node)
        self.tree.touch(parent)
        self._note(node)
        return node

    def renew(self, node: Node) -> None:
        """Gives a node another tag. The grain of one that is made of a time is the trait of some external storages."""
        node.tag = new_tag(node.is_directory)
        if self.has_coarse_tags and not node.is_directory:
            text = f"{node.id} {node.modified} {node.size}"
            node.tag = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

    def make_directory(self, parent: Node, name: str, modified: int | None = None) -> Node:
        self.disk.make_directory((*parent.path(), name))
        node = self.tree.make(parent, name, True)
        self.tree.touch(parent)
        if modified is not None:
            node.modified = modified
        self._note(node)
        return node

    def set_modified(self, node: Node, modified: int) -> None:
        node.stamp = self.disk.set_modified(node.path(), modified)
        node.modified = modified
        self.renew(node)
        self.tree.touch(node.parent)
        self._note(node)

    def remove(self, node: Node) -> None:
        parent = node.parent
        # Somebody may have removed it from the disk before.
        with contextlib.suppress(FileNotFoundError):
            self.disk.remove(node.path())
        self.tree.detach(node)
        self.tree.touch(parent)
        self._note(node)

    def move(self, node: Node, parent: Node, name: str) -> None:
        """Nothing is at the target. The node keeps its id and its tag, and so does all that is in it."""
        former = node.parent
        self.disk.move(node.path(), (*parent.path(), name))
        self.tree.detach(node)
        self.tree.attach(node, parent, name)
        self.tree.touch(former)
        self.tree.touch(parent)
        self._note(node)

    def copy(self, node: Node, parent: Node, name: str, deep: bool = True) -> Node:
        """Nothing is at the target. Copies are new: other ids, other tags; times and checksums stay."""
        path = (*parent.path(), name)
        if node.is_directory:
            made = self.make_directory(parent, name)
            for child in list(node.entries.values()) if deep else []:
                self.copy(child, made, child.name)
            return made
        number, aside = tempfile.mkstemp(dir=self.disk.unfinished)
        with os.fdopen(number, "wb") as file, self.disk.open(node.path()) as original:
            os.fchmod(number, 0o644)
            shutil.copyfileobj(original, file, PART)
        stamp = self.disk.publish(pathlib.Path(aside), path, node.modified)
        made = self.tree.make(parent, name, False)
        self.tree.resize(made, stamp[1])
        made.modified, made.checksum, made.stamp = node.modified, node.checksum, stamp
        self.renew(made)
        self.tree.touch(parent)
        self._note(made)
        return made

    def _note(self, node: Node) -> None:
        self.changed.set()
        if self.listeners:
            ids = [node.id]
            for listener in self.listeners:
                listener(ids)

    # What others did on disk

    def scan(self, path: Path) -> int:
        """Takes over what somebody changed on disk, as `occ files:scan` does; how many items that were."""
        with self.lock:
            node = self.tree.find(path)
            if node is None or not node.is_directory:
                raise Refusal(404, "There is no such directory.")
            return self._scan(node)

    def _scan(self, directory: Node) -> int:
        path, count, changed = directory.path(), 0, False
        # A name that is not composed stays unseen, as it does for Nextcloud's own scan.
        on_disk = {
            name: found for name, found in self.disk.entries(path).items()
            if is_text(name) and unicodedata.is_normalized("NFC", name)}
        for name, child in list(directory.entries.items()):
            if name not in on_disk or on_disk[name][0] != child.is_directory:
                self.tree.detach(child)
                count, changed = count + 1, True
        for name, (is_directory, stamp) in on_disk.items():
            known = directory.entries.get(name)
            node = known or self.tree.make(directory, name, is_directory)
            if known is None or (not is_directory and node.stamp != stamp):
                self.tree.resize(node, node.size if is_directory else stamp[1])
                node.modified, node.stamp, node.checksum = stamp[0] // 10**9, stamp, ""
                self.renew(node)
                count, changed = count + 1, True
            if is_directory:
                count += self._scan(node)
        if changed:
            self.tree.touch(directory)
            self._note(directory)
        return count

    # Over a restart

    def _load(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            state = self.load_tree(self.state)
            self.instance, self.kept = state["instance"], state["kept"]

    def load_tree(self, file: pathlib.Path) -> dict[str, typing.Any]:
        """Takes the tree from a state that was saved; all of that state."""
        state: dict[str, typing.Any] = json.loads(file.read_text())
        self.tree = Tree.of_rows(state["rows"], state["next"])
        return state

    def save(self) -> None:
        with self.lock:
            self.changed.clear()
            state = {
                "instance": self.instance, "kept": self.kept, "next": self.tree.next_id, "rows": self.tree.rows()}
            text = json.dumps(state)
        aside = self.state.with_suffix(".new")
        aside.write_text(text)
        aside.replace(self.state)

    def _save_when_quiet(self) -> None:
        while True:
            self.changed.wait()
            limit = time.monotonic() + LONGEST
            while self.changed.is_set() and time.monotonic() < limit:
                self.changed.clear()
                time.sleep(QUIET)
            self.save()


class Received(typing.NamedTuple):
    """What arrived, in a file aside."""

    file: pathlib.Path
    size: int
    # In hexadecimal digits, where one was asked for.
    digest: str


def is_text(name: str) -> bool:
    """Whether a name on disk is UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
