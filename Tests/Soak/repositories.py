"""The other engines have work: git's states change, scripts say how their runs go, and the example's folder changes."""
import shutil
from typing import Any

from disturbance import Disturbance
from gi.repository import Gio, GLib
from sides import TROUBLE, DirectorySide
from synced import DIRECTORIES, FILES

MARKS = ("org.roundel.Marks1", "/org/roundel/Marks1", "org.roundel.Marks1")
STATES = ("synced", "pending", "syncing", "paused", "error", "conflict")


class Repositories(Disturbance):
    weight = 60

    def step(self) -> None:
        world = self.world
        top = DirectorySide(self.random.choice([world.repository, world.repository, world.marked, world.example]))
        name = f"directory {self.random.randrange(DIRECTORIES)}/file {self.random.randrange(FILES)}.txt"
        choice = self.random.random()
        try:
            if choice < 0.5:
                top.write(name, f"{choice}\n" * 20)
            elif choice < 0.6:
                top.write(f"new/{self.random.randrange(20)}/file.txt", "new\n")
            elif choice < 0.65:
                top.delete("new")
            elif choice < 0.7:
                top.delete(name)
            elif choice < 0.85:
                self._mark()
            else:
                self._git(name)
        except TROUBLE:
            return

    def calm(self) -> None:
        for path in (self.world.marked, self.world.example):
            shutil.rmtree(path / "new", ignore_errors=True)
        self.world.end_commands()
        # What was killed while it wrote leaves its lock, as git does.
        (self.world.repository / ".git/index.lock").unlink(missing_ok=True)

    def _git(self, name: str) -> None:
        words = self.random.choice([["add", "--all"], ["reset", "--quiet"], ["checkout", "--quiet", "--", name],
                                    ["stash", "--quiet"], ["reset", "--quiet", "--hard"], ["status", "--short"]])
        self.world.begin("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", self.world.repository, *words)

    def _mark(self) -> None:
        def answered(connection: Any, result: Any) -> None:
            try:
                connection.call_finish(result)
            except GLib.Error:
                return
        arguments: tuple[Any, ...] = (self.world.marked.as_uri(), self.random.choice(STATES), {})
        self.world.session.connection.call(
            *MARKS, "Mark", GLib.Variant("(ssa{sv})", arguments), None, Gio.DBusCallFlags.NONE, 30_000, None, answered)
