"""What the server knows of files: ids, tags, times and checksums. It stays in memory, and never looks at the disk."""
from __future__ import annotations

import secrets
import time
import typing

from names import Path

# Modification time in nanoseconds and size of a file on disk: others mean that somebody else wrote it. The inode is not among
# them, so that a backup that is put back is what it was.
Stamp = tuple[int, int]
Row = list[typing.Any]


def new_tag(is_directory: bool) -> str:
    """Nextcloud's tags have this many digits, and say nothing of what they are for."""
    return secrets.token_hex(7)[:13] if is_directory else secrets.token_hex(16)


class Node:
    """A file, or a directory: then it has children."""

    __slots__ = ("checksum", "children", "favorite", "id", "modified", "name", "parent", "size", "stamp", "tag", "uploaded")

    def __init__(self, number: int, name: str, is_directory: bool) -> None:
        self.id = number
        self.name = name
        self.parent: Node | None = None
        self.children: dict[str, Node] | None = {} if is_directory else None
        self.tag = new_tag(is_directory)
        self.modified = int(time.time())
        self.uploaded = self.modified
        # Of a directory, everything below it.
        self.size = 0
        self.checksum = ""
        self.favorite = False
        self.stamp: Stamp = (0, 0)

    @property
    def is_directory(self) -> bool:
        return self.children is not None

    @property
    def entries(self) -> dict[str, Node]:
        """What is directly in a directory."""
        return {} if self.children is None else self.children

    def path(self) -> Path:
        names: list[str] = []
        node: Node | None = self
        while node and node.parent:
            names.append(node.name)
            node = node.parent
        return tuple(reversed(names))

    def is_within(self, other: Node) -> bool:
        """Whether this is the other, or below it."""
        node: Node | None = self
        while node and node is not other:
            node = node.parent
        return node is not None

    def all(self) -> typing.Iterator[Node]:
        """This and everything below, parents first."""
        yield self
        for child in self.entries.values():
            yield from child.all()


class Tree:
    """The files of one person."""

    def __init__(self) -> None:
        self.next_id = 2
        self.root = Node(1, "", True)

    # Looking

    def find(self, path: Path, folds: bool = False) -> Node | None:
        node: Node | None = self.root
        for name in path:
            if node is None:
                return None
            node = self.child(node, name, folds)
        return node

    @staticmethod
    def child(node: Node, name: str, folds: bool = False) -> Node | None:
        found = node.entries.get(name)
        if found is None and folds:
            key = name.casefold()
            return next((child for child in node.entries.values() if child.name.casefold() == key), None)
        return found

    # Changing

    def make(self, parent: Node, name: str, is_directory: bool) -> Node:
        """A new node; the tags of what holds it are for the caller to change."""
        node = Node(self.next_id, name, is_directory)
        self.next_id += 1
        self.attach(node, parent, name)
        return node

    def attach(self, node: Node, parent: Node, name: str) -> None:
        node.name, node.parent = name, parent
        assert parent.children is not None
        parent.children[name] = node
        self.grow(parent, node.size)

    def detach(self, node: Node) -> None:
        parent = node.parent
        assert parent is not None and parent.children is not None
        del parent.children[node.name]
        self.grow(parent, -node.size)
        node.parent = None

    def resize(self, node: Node, size: int) -> None:
        self.grow(node, size - node.size)

    @staticmethod
    def grow(node: Node | None, difference: int) -> None:
        while node:
            node.size += difference
            node = node.parent

    @staticmethod
    def touch(node: Node | None) -> None:
        """Something changed in this directory: it and all around it get another tag."""
        now = int(time.time())
        while node:
            node.tag, node.modified = new_tag(True), max(node.modified, now)
            node = node.parent

    # Keeping

    def rows(self) -> list[Row]:
        """Everything, as it is written into a file."""
        return [
            [node.id, node.parent.id if node.parent else 0, node.name, node.is_directory, node.tag, node.modified,
             node.uploaded, node.size, node.checksum, node.favorite, *node.stamp]
            for node in self.root.all()]

    @classmethod
    def of_rows(cls, rows: list[Row], next_id: int) -> Tree:
        tree = cls()
        tree.next_id = next_id
        nodes: dict[int, Node] = {}
        for number, parent, name, is_directory, tag, modified, uploaded, size, checksum, favorite, *stamp in rows:
            node = Node(number, name, is_directory)
            node.tag, node.modified, node.uploaded, node.size = tag, modified, uploaded, size
            node.checksum, node.favorite, node.stamp = checksum, favorite, (stamp[0], stamp[1])
            nodes[number] = node
            if parent:
                node.parent = nodes[parent]
                nodes[parent].entries[name] = node
            else:
                tree.root = node
        return tree
