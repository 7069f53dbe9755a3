"""Synced folders, and how each is brought to the state in which it is measured."""
import json
import pathlib
import subprocess
from typing import Any, Protocol

from sides import DirectorySide, ServerSide, Side

DIRECTORIES, FILES = 4, 12
# What is in each folder when it is measured.
AT_REST = {f"directory {number}/file {other}.txt": f"{number} and {other}\n" * 50
           for number in range(DIRECTORIES) for other in range(FILES)}

TOPS = {name.partition("/")[0] for name in AT_REST}


class Roundel(Protocol):
    """The command line in the session of the soak."""

    def try_roundel(self, *arguments: str | pathlib.Path) -> "subprocess.CompletedProcess[str]": ...


class SyncedFolder:
    """One folder with what is on its other side."""

    def __init__(self, path: pathlib.Path, remote: Side) -> None:
        self.path, self.remote = path, remote
        self.local = DirectorySide(path)
        self.sides: list[Side] = [self.local, remote]

    def lacking(self, roundel: Roundel) -> str:
        """Takes a step towards the state in which it is measured, and says what of it is missing yet."""
        self._settle_questions(roundel)
        self._bring_back(self.local)
        # Held back, since so much is deleted after some rounds.
        roundel.try_roundel("sync", self.path, "--wait", "--timeout", "60", "--confirm-deletes")
        status = folder_status(roundel, self.path)
        if status.get("state") != "synced" or status.get("needs"):
            return f"it is {status}"
        return self._difference(self.sides)

    def _difference(self, sides: list[Side]) -> str:
        """How the sides differ from what they are to hold."""
        for side in sides:
            if wrong := side.texts().items() ^ AT_REST.items():
                return f"{type(side).__name__} has other files: {sorted(wrong)[:4]}"
        for side in self.sides:
            if wrong_tops := side.directories() ^ TOPS:
                return f"{type(side).__name__} has other directories: {wrong_tops}"
        return ""

    def _settle_questions(self, roundel: Roundel) -> None:
        roundel.try_roundel("resume", self.path)
        listed = roundel.try_roundel("conflicts", self.path, "--json")
        for conflict in json.loads(listed.stdout or "[]") if listed.returncode in (0, 2) else []:
            roundel.try_roundel("resolve", conflict["path"], "mine")

    def _bring_back(self, side: Side) -> None:
        found = side.texts()
        for name in side.directories() - TOPS:
            side.delete(name)
        for name in found.keys() - AT_REST.keys():
            if "/" not in name or name.partition("/")[0] in TOPS:
                side.delete(name)
        for name, text in AT_REST.items():
            if found.get(name) != text:
                side.write(name, text)


class FolderOnDemand(SyncedFolder):
    """Its files are on a server alone when it is measured. Nothing here opens them but programs that may be ended, since
    whoever opens one waits for the server."""

    def __init__(self, path: pathlib.Path, remote: ServerSide) -> None:
        super().__init__(path, remote)

    def lacking(self, roundel: Roundel) -> str:
        self._settle_questions(roundel)
        self._bring_back(self.remote)
        roundel.try_roundel("sync", self.path, "--wait", "--timeout", "60", "--confirm-deletes")
        roundel.try_roundel("unpin", self.path)
        roundel.try_roundel("free", self.path)
        status = folder_status(roundel, self.path)
        if status.get("needs") or status.get("files_here") != 0 or status.get("files_online") != len(AT_REST):
            return f"it is {status}"
        return self._difference([self.remote])


def folder_status(roundel: Roundel, path: pathlib.Path) -> dict[str, Any]:
    """What the command line tells of a folder; empty where it cannot."""
    done = roundel.try_roundel("status", path, "--json")
    try:
        return dict(json.loads(done.stdout)["folders"][0])
    except (ValueError, LookupError):
        return {}
