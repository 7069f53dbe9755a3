"""The directory whose files are served. Every path is walked component by component, and no link is followed."""
from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import stat
import typing

from names import Path
from tree import Stamp

DIRECTORY = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Disk:
    """A directory, and beside it a place of the same file system for what is not finished."""

    def __init__(self, top: pathlib.Path) -> None:
        top.mkdir(parents=True, exist_ok=True)
        self.path = top
        self.top = os.open(top, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self.beside = top.with_name(f"{top.name}.nextcloud")
        self.unfinished = self.beside / "unfinished"
        # Of a server that was ended in the middle.
        shutil.rmtree(self.unfinished, ignore_errors=True)
        self.unfinished.mkdir(parents=True)

    @contextlib.contextmanager
    def directory(self, path: Path) -> typing.Iterator[int]:
        """A directory, opened; OSError if there is none."""
        here = os.dup(self.top)
        try:
            for name in path:
                there = os.open(name, DIRECTORY, dir_fd=here)
                os.close(here)
                here = there
            yield here
        finally:
            os.close(here)

    def open(self, path: Path) -> typing.BinaryIO:
        with self.directory(path[:-1]) as parent:
            number = os.open(path[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=parent)
        return os.fdopen(number, "rb", buffering=0)

    def stamp(self, path: Path) -> Stamp:
        with self.directory(path[:-1]) as parent:
            return stamp_of(os.stat(path[-1], dir_fd=parent, follow_symlinks=False))

    def publish(self, finished: pathlib.Path, path: Path, modified: int) -> Stamp:
        """Puts a finished file into its place in one step."""
        os.utime(finished, (modified, modified))
        with self.directory(path[:-1]) as parent:
            os.rename(finished, path[-1], dst_dir_fd=parent)
            return stamp_of(os.stat(path[-1], dir_fd=parent, follow_symlinks=False))

    def set_modified(self, path: Path, modified: int) -> Stamp:
        with self.directory(path[:-1]) as parent:
            os.utime(path[-1], (modified, modified), dir_fd=parent, follow_symlinks=False)
            return stamp_of(os.stat(path[-1], dir_fd=parent, follow_symlinks=False))

    def make_directory(self, path: Path) -> None:
        with self.directory(path[:-1]) as parent:
            os.mkdir(path[-1], dir_fd=parent)

    def move(self, path: Path, target: Path) -> None:
        with self.directory(path[:-1]) as parent, self.directory(target[:-1]) as goal:
            os.rename(path[-1], target[-1], src_dir_fd=parent, dst_dir_fd=goal)

    def remove(self, path: Path) -> None:
        with self.directory(path[:-1]) as parent:
            state = os.stat(path[-1], dir_fd=parent, follow_symlinks=False)
            if stat.S_ISDIR(state.st_mode):
                shutil.rmtree(path[-1], dir_fd=parent)
            else:
                os.unlink(path[-1], dir_fd=parent)

    def entries(self, path: Path) -> dict[str, tuple[bool, Stamp]]:
        """What is in a directory: whether each is one itself, and its stamp. Links and devices are left out."""
        found = {}
        with self.directory(path) as here:
            number = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=here)
            try:
                for name in os.listdir(number):
                    state = os.stat(name, dir_fd=number, follow_symlinks=False)
                    if stat.S_ISDIR(state.st_mode) or stat.S_ISREG(state.st_mode):
                        found[name] = (stat.S_ISDIR(state.st_mode), stamp_of(state))
            finally:
                os.close(number)
        return found


def stamp_of(state: os.stat_result) -> Stamp:
    return (state.st_mtime_ns, state.st_size)
