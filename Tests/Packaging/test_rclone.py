"""Folders that are synced with remotes that a person configured in rclone: installed programs, the real rclone.

ROUNDEL_PREFIX names an installation; `make test` has it.
"""
import os
import pathlib
import shutil
import signal
import unittest

from servers import until
from session import contents_of, end, texts_below
from test_servers import DONE, FAILED, PREFIX, Computer


def reason_to_skip() -> str | None:
    """Why nothing can be tried here, or None."""
    if not PREFIX:
        return "ROUNDEL_PREFIX does not name an installation"
    return None if shutil.which("rclone") else "not installed: rclone"


@unittest.skipIf(reason_to_skip(), reason_to_skip() or "")
class RcloneTests(unittest.TestCase):
    """A person's walk with one remote, a directory behind an alias."""

    maxDiff = None

    def setUp(self) -> None:
        self.computer = Computer(has_keyring=False)
        self.addCleanup(self.computer.close)
        self.there = self.computer.session.home / "there"
        self.there.mkdir()
        config = self.computer.session.home / ".config/rclone/rclone.conf"
        config.parent.mkdir(parents=True)
        config.write_text(f"[cloud]\ntype = alias\nremote = {self.there}\n[spare]\ntype = memory\n")

    def rclones(self) -> list[pathlib.Path]:
        """The directories below /proc of the rclone that the worker has."""
        processes = self.computer.session.processes()
        return [pathlib.Path(f"/proc/{process}") for process, program in processes if program.endswith("/rclone")]

    def files(self) -> dict[str, str]:
        """What is on the remote, without what is the engine's."""
        return texts_below(self.there)

    def test_a_folder_syncs_with_a_remote_that_rclone_has(self) -> None:
        computer, folder = self.computer, self.computer.folder
        (folder / "here.txt").write_text("from here\n")
        (self.there / "there.txt").write_text("from there\n")
        computer.roundel("add", folder, "rclone:cloud:", "--wait")
        both = {"here.txt": "from here\n", "there.txt": "from there\n"}
        self.assertEqual((computer.files(), self.files()), (both, both))
        computer.expect_badges(["synced"] * 3, "here.txt", "there.txt")

        (folder / "here.txt").write_text("edited here\n")
        until("the edit on the remote", lambda: self.files().get("here.txt") == "edited here\n")
        (self.there / "there.txt").write_text("edited there\n")
        (folder / "sub").mkdir()
        (folder / "here.txt").rename(folder / "sub/renamed höre.txt")
        computer.sync()
        both = {"sub/renamed höre.txt": "edited here\n", "there.txt": "edited there\n"}
        self.assertEqual((computer.files(), self.files()), (both, both))

    def test_the_password_of_the_process_is_nowhere_and_it_ends_with_the_worker(self) -> None:
        computer = self.computer
        computer.roundel("add", computer.folder, "rclone:cloud:", "--wait")
        computer.sync()
        (process,) = self.rclones()
        variables = (process / "environ").read_bytes().split(b"\0")
        (password,) = [variable[15:] for variable in variables if variable.startswith(b"RCLONE_RC_PASS=")]
        self.assertEqual(len(password), 32)
        found = [path for path in computer.places_with([password]) if path != f"{process}/environ"]
        self.assertEqual(found, [])
        os.kill(int(computer.worker().name), signal.SIGKILL)
        until("rclone to end", lambda: b"rclone" not in (contents_of(process / "cmdline") or b""))

    def test_it_is_started_again_when_it_has_died(self) -> None:
        computer = self.computer
        computer.roundel("add", computer.folder, "rclone:cloud:", "--wait")
        for name in ("a", "b", "c"):
            for process in self.rclones():
                end(int(process.name), signal.SIGKILL)
            (computer.folder / name).write_text(name)
            until(f"{name} on the remote", lambda name=name: name in self.files())  # type: ignore[misc]

    def test_what_cannot_be_synced_is_refused_and_the_remotes_are_named(self) -> None:
        computer = self.computer
        for remote, saying in (
                ("rclone:", "rclone:cloud:, rclone:spare:"), ("rclone:clod:x", "rclone:cloud:, rclone:spare:"),
                ("rclone:cloud:nowhere", "There is no folder"), ("rclone:spare:", "BUCKET"),
                ("rclone:s3,secret_access_key=hunter2:x", "rclone:NAME:PATH")):
            done = computer.try_roundel("add", computer.folder, remote)
            self.assertEqual((done.returncode, done.stdout), (FAILED, ""), done.stderr)
            self.assertIn(saying, done.stderr)
            self.assertNotIn("hunter2", done.stderr)
        self.assertEqual(computer.folders(), [])
        computer.roundel("add", computer.folder, "rclone:cloud:", "--wait", status=DONE)
        # One place for two folders would give each the other's files.
        other = computer.session.home / "Other"
        other.mkdir()
        done = computer.try_roundel("add", other, "rclone:cloud:sub")
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("overlaps", done.stderr)


if __name__ == "__main__":
    unittest.main()
