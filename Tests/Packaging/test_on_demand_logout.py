"""A person logs out of a Nextcloud that a folder on demand syncs with, and in again: what goes from this computer, what stays
and is named, and what is as it was afterwards."""
import json
import os
import signal
import subprocess
import unittest

from servers import Login, Server, until
from session import end, texts_below, wait_for_ends
from test_servers import FAILED, Computer, reason_to_skip

FILES = {
    "film.mkv": "film " * 20_000, "same.txt": "the same\n", "changed.txt": "as it was\n", "alone.txt": "pinned alone\n",
    "Work/plan.txt": "the plan\n", "Work/Letters/a.txt": "dear a\n", "Films/other.mkv": "another\n",
}
PINNED = ("alone.txt", "Work/plan.txt", "Work/Letters/a.txt")


def reason() -> str | None:
    """Why this cannot be played here, or None."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK) or not os.access("/usr/bin/fusermount3", os.X_OK):
        return "no FUSE"
    return reason_to_skip()


@unittest.skipIf(reason(), reason() or "")
class OnDemandLogoutTests(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Server("nextcloud", Login())
        self.addCleanup(self.server.close)
        for directory in ("Work", "Work/Letters", "Films"):
            self.server.make_collection(directory)
        for name, text in FILES.items():
            self.server.write(name, text)
        self.computer = Computer()
        self.addCleanup(self.close)
        self.folder = self.computer.folder
        self.computer.log_in(self.server)
        self.computer.roundel("add", self.folder, self.server.address(), "--on-demand", "--wait")
        for name in ("same.txt", "changed.txt"):
            self.computer.roundel("fetch", self.folder / name)
        for name in ("alone.txt", "Work"):
            self.computer.roundel("pin", self.folder / name)
        for name in PINNED:
            self.expect("here", name)

    def close(self) -> None:
        services = self.computer.session.services()
        for process in services:
            end(process, signal.SIGTERM)
        wait_for_ends("the services to end on SIGTERM", services)
        subprocess.run(["fusermount3", "-uqz", str(self.folder)], check=False)
        self.computer.close()

    # Helpers

    def attributes(self, name: str) -> dict[str, object]:
        done = self.computer.try_roundel("why", "--json", self.folder / name)
        return json.loads(done.stdout)["attributes"] if done.returncode == 0 else {}

    def expect(self, place: str, name: str) -> None:
        until(f"{name} to be {place}", lambda: self.attributes(name).get("contents") == place)

    def files(self) -> list[str]:
        return sorted(texts_below(self.folder))

    def log_out(self, *options: str) -> str:
        return self.computer.roundel("logout", self.folder, *options)

    def everything_is_back(self) -> None:
        self.computer.log_in(self.server)
        until("all items", lambda: set(FILES) <= set(self.names()))

    def names(self) -> list[str]:
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())

    # Tests

    def test_placeholders_go_after_asking_and_come_back(self) -> None:
        refused = self.computer.try_roundel("logout", self.folder)
        self.assertEqual(refused.returncode, FAILED, refused.stdout + refused.stderr)
        self.assertIn("2 files", refused.stderr)
        self.assertIn("roundel logout --yes", refused.stderr)
        self.expect("online", "film.mkv")
        said = self.log_out("--yes")
        self.assertIn("2 files in", said)
        self.assertEqual(self.files(), sorted(["same.txt", "changed.txt", *PINNED]))
        self.everything_is_back()
        for name in ("film.mkv", "Films/other.mkv"):
            self.expect("online", name)
        self.pinned_is_pinned()
        on_server = [name for name in self.server.files() if not name.startswith(".roundel")]
        self.assertEqual(on_server, sorted([*FILES, "Work", "Work/Letters", "Films"]))

    def test_copies_go_as_well_and_what_is_only_here_stays(self) -> None:
        self.computer.roundel("pause", self.folder)
        (self.folder / "changed.txt").write_text("changed here\n")
        (self.folder / "mine.txt").write_text("only here\n")
        said = self.log_out("--yes", "--remove-local")
        self.assertEqual(self.files(), ["changed.txt", "mine.txt"])
        self.assertFalse((self.folder / "Work").exists())
        self.assertIn("changed.txt", said)
        self.assertIn("mine.txt", said)
        self.assertNotIn("same.txt", said)
        self.computer.roundel("resume", self.folder)
        self.computer.log_in(self.server)
        until("all items", lambda: set(FILES) <= set(self.names()))
        for name in ("film.mkv", "same.txt", "Films/other.mkv"):
            self.expect("online", name)
        self.pinned_is_pinned()
        # Nothing that was written here is lost, whichever name it has.
        until("what is only here", lambda: self.server.read("mine.txt") == "only here\n")
        self.assertIn("changed here\n", texts_below(self.folder).values())

    def pinned_is_pinned(self) -> None:
        for name in PINNED:
            self.expect("here", name)
            refused = self.computer.try_roundel("free", self.folder / name)
            self.assertEqual(refused.returncode, FAILED, name)
            self.assertIn("always kept", refused.stderr)


if __name__ == "__main__":
    unittest.main()
