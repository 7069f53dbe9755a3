"""A folder on demand without a sync engine: `roundel-mount` over a directory, and a program that is its worker."""
import contextlib
import json
import os
import pathlib
import sys

from desktop import Desktop
from waiting import Failure, pump, wait_for

NAME = "desktop-test"
WORKER = pathlib.Path(__file__).with_name("contents_worker.py")


class MountedFolder:
    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop
        self.path = desktop.home / "Cloud"
        self.originals = desktop.work / "originals"  # what the remote holds
        self._log = desktop.work / "fetches.jsonl"
        self._seen = 0

    def start(self) -> None:
        """Mounts the folder, in which everything that the remote holds is a placeholder."""
        contents, state, runtime = self.desktop.work / "contents", self.desktop.work / "mount", self.desktop.work / "mount-run"
        for directory in (self.path, contents, state / "roundel/mounts"):
            directory.mkdir(parents=True)
        runtime.mkdir(mode=0o700)
        (state / "roundel/mounts" / NAME).write_text(f"folder={self.path}\ncontents={contents}\n")
        self.desktop.spawn("roundel-mount", ["roundel-mount", NAME], XDG_STATE_HOME=str(state), XDG_RUNTIME_DIR=str(runtime))
        wait_for("the folder to be mounted", lambda: os.path.ismount(self.path))
        self.desktop.spawn("contents-worker", [
            sys.executable, "-B", str(WORKER), str(runtime / "roundel/mounts" / NAME), str(self.path), str(self.originals),
            str(self._log)])
        wait_for("the placeholders", lambda: any("made" in entry for entry in self._entries()))

    def _entries(self) -> list[dict[str, str]]:
        if not self._log.exists():
            return []
        return [json.loads(line) for line in self._log.read_text().splitlines(keepends=True) if line.endswith("\n")]

    def fetches(self) -> list[tuple[str, str]]:
        """The path and the program of everything that was fetched since the last call."""
        entries = [entry for entry in self._entries() if "path" in entry]
        new, self._seen = entries[self._seen:], len(entries)
        return [(entry["path"], entry["program"]) for entry in new]

    def expect_fetched(self, what: str, *paths: str) -> None:
        """Exactly these were fetched since the last time, by whatever program."""
        found: list[tuple[str, str]] = []

        def there() -> bool:
            found.extend(self.fetches())
            return {path for path, _ in found} >= set(paths)
        with contextlib.suppress(Failure):
            wait_for(what, there)
        pump(0.5)
        found.extend(self.fetches())
        print(f"  {what}: fetched {found}", flush=True)
        if sorted({path for path, _ in found}) != sorted(paths):
            raise Failure(f"{what}: {list(paths)} should be fetched, not {found}; {self.explain()}")

    def is_here(self, path: str) -> bool:
        """Whether the contents of a file are on this computer. A placeholder has no blocks."""
        return (self.path / path).stat().st_blocks > 0

    def explain(self) -> list[str]:
        return [f"fetched: {entry}" for entry in self._entries()[-8:]]
