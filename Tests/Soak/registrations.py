"""Folders are added, paused, resumed, excluded from and removed again, one on demand among them."""
import os
import pathlib
import shutil
import time

from disturbance import Disturbance
from world import RestFailure

# Which programs work in a folder is found out before it goes, which takes a while where there are many.
SECONDS = 240
KINDS = ("plain", "on-demand")


class Registrations(Disturbance):
    weight = 4

    def step(self) -> None:
        self.world.reap()
        session = self.world.session
        kind = self.random.choice([*KINDS, "pause", "exclude"])
        if kind == "pause":
            path = self.random.choice(self.world.folders).path
            self.world.begin("roundel", self.random.choice(["pause", "resume", "resume"]), path)
        elif kind == "exclude":
            path = self.random.choice(self.world.folders).path
            self.world.begin("roundel", "exclude", path, "*.left-out", *(["--remove"] if self.random.random() < 0.5 else []))
        else:
            # The same place each time, one after another.
            path, remote = session.home / f"Short {kind}", session.root / f"remote of {kind}"
            for directory in (path, remote):
                directory.mkdir(exist_ok=True)
            (remote / "film.txt").write_text("a film\n")
            options = ["--on-demand"] if kind == "on-demand" else []
            self.world.begin(
                "flock", session.root / f"{kind}.lock", "sh", "-c",
                'roundel add "$0" "$1" $2 --wait; roundel ls "$0"; roundel remove "$0" --drop-placeholders',
                path, remote, " ".join(options))

    def calm(self) -> None:
        self.world.end_commands()
        for folder in self.world.folders:
            self.world.try_roundel("exclude", folder.path, "*.left-out", "--remove")
        deadline = time.monotonic() + SECONDS
        while not self._are_gone():
            for path in self._places():
                self.world.try_roundel("remove", path, "--drop-placeholders")
            if time.monotonic() > deadline:
                raise RestFailure(f"a folder that was removed is there: {self.world.registered()}")
            time.sleep(0.5)
        for path in self._places():
            shutil.rmtree(path, ignore_errors=True)

    def _places(self) -> list[pathlib.Path]:
        return [self.world.session.home / f"Short {kind}" for kind in KINDS]

    def _are_gone(self) -> bool:
        registered = self.world.registered()
        return not any(str(path) in registered or os.path.ismount(path) for path in self._places())
