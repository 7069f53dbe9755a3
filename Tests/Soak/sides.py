"""The two sides of a synced folder, as people change them: a directory of this computer, or a collection on a server."""
import http.client
import pathlib
import shutil
from typing import Protocol

from servers import COLLECTION, Server
from session import texts_below

# What changing one side may meet while the other side is synced, or while one is away.
TROUBLE = (OSError, http.client.HTTPException, AssertionError)


class Side(Protocol):
    """What a person may do in one place. Any of it may fail with TROUBLE."""

    def write(self, name: str, text: str) -> None: ...

    def delete(self, name: str) -> None: ...

    def move(self, name: str, new: str) -> None: ...

    def texts(self) -> dict[str, str]: ...

    def directories(self) -> set[str]:
        """The names of those at the top."""


def directories_in(path: pathlib.Path) -> set[str]:
    """Without what is the engine's, and the trash of a mounted folder."""
    return {entry.name for entry in path.iterdir() if entry.is_dir() and not entry.name.startswith((".roundel", ".Trash"))}


class DirectorySide:
    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    def write(self, name: str, text: str) -> None:
        if not self.path.is_dir():
            raise FileNotFoundError(self.path)
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(text)

    def delete(self, name: str) -> None:
        path = self.path / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()

    def move(self, name: str, new: str) -> None:
        (self.path / name).rename(self.path / new)

    def texts(self) -> dict[str, str]:
        return texts_below(self.path)

    def directories(self) -> set[str]:
        return directories_in(self.path)


class ServerSide:
    def __init__(self, server: Server) -> None:
        self.server = server
        self.is_away = False

    def _reach(self) -> None:
        if self.is_away:
            raise ConnectionRefusedError(f"{self.server.kind} is away")

    def write(self, name: str, text: str) -> None:
        self._reach()
        steps = name.split("/")
        for count in range(1, len(steps)):
            # Most of them are there already.
            self.server.ask("MKCOL", "/".join(steps[:count]) + "/")
        self.server.write(name, text)

    def delete(self, name: str) -> None:
        self._reach()
        assert name, "the collection itself stays"
        self.server.delete(name)

    def move(self, name: str, new: str) -> None:
        self._reach()
        self.server.move(name, new)

    def texts(self) -> dict[str, str]:
        self._reach()
        return texts_below(self._place)

    def directories(self) -> set[str]:
        self._reach()
        return directories_in(self._place)

    @property
    def _place(self) -> pathlib.Path:
        return self.server.root / "files" / COLLECTION
