"""A person adds a Nextcloud that is ten times as large as what is free on the disk, opens a film, frees it, and works
offline with what is pinned, by the commands that the README names. A hundredth of the size: 2 GB, and 200 MB free."""
import errno
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from servers import Login, Server, until
from session import end, wait_for_ends
from test_servers import Computer, reason_to_skip

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Edge"))
import file_systems

DISK_BYTES = 220 << 20
FILMS = 45
FILM_BYTES = 44 << 20
# What is read of it.
OPENED = "Films/opened.mkv"
OPENED_BYTES = 130 << 20  # more than half of what is free
PINNED = {"Work/plan.txt": "the plan\n", "Work/Letters/a.txt": "dear a\n", "Work/Letters/b.txt": "dear b\n"}
# How long a program may have to wait for an error when there is no network, by what people are promised.
OFFLINE_SECONDS = 2


def reason() -> str | None:
    """Why this cannot be played here, or None."""
    if os.geteuid() != 0:
        return "only root can mount a small disk"
    return reason_to_skip() or file_systems.lacking("ext4") or file_systems.lacking("FUSE") or None


class SmallComputer(Computer):
    """Its person's home is on a disk of its own."""

    def __init__(self) -> None:
        super().__init__()
        # The keyring has nothing in the home yet that it would miss.
        image = self.session.root / "disk"
        with image.open("wb") as file:
            file.truncate(DISK_BYTES)
        subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", str(image)], check=True)
        self.folder.rmdir()
        self.hidden = [entry.name for entry in self.session.home.iterdir()]
        self.kept = self.session.root / "kept"
        self.kept.mkdir()
        for name in self.hidden:
            (self.session.home / name).rename(self.kept / name)
        subprocess.run(["mount", "-o", "loop", str(image), str(self.session.home)], check=True)
        for name in self.hidden:
            subprocess.run(["cp", "-a", str(self.kept / name), str(self.session.home)], check=True)
        self.folder.mkdir()

    def close(self) -> None:
        if self.keyring:
            self.keyring.end()
        services = self.session.services()
        for process in services:
            end(process, signal.SIGTERM)
        wait_for_ends("the services to end on SIGTERM", services)
        file_systems.unmount(self.session.home)
        self.session.close()

    def free_bytes(self) -> int:
        """What is free on its disk, when everything that was written has come there."""
        os.sync()
        found = os.statvfs(self.session.home)
        return found.f_bavail * found.f_frsize


@unittest.skipIf(reason(), reason() or "")
class LargerThanDiskTests(unittest.TestCase):
    """One story: each step needs those before it."""

    @classmethod
    def setUpClass(cls) -> None:
        file_systems.enter_namespace()

    def setUp(self) -> None:
        self.server = Server("nextcloud", Login())
        self.addCleanup(self.server.close)
        self.contents = os.urandom(1 << 20) * (OPENED_BYTES >> 20)
        self.fill_the_server()
        self.computer = SmallComputer()
        self.addCleanup(self.computer.close)

    def fill_the_server(self) -> None:
        """As if somebody had brought the files there on another computer."""
        top = self.server.root / "files" / "cloud"
        for name in ("Films", "Work/Letters"):
            (top / name).mkdir(parents=True)
        for number in range(FILMS):
            with (top / f"Films/film {number}.mkv").open("wb") as film:
                film.write(f"film {number}".encode())
                film.truncate(FILM_BYTES)
        (top / OPENED).write_bytes(self.contents)
        for name, text in PINNED.items():
            (top / name).write_text(text)
        subprocess.run(["chown", "-R", "www-data", str(top)], check=True)
        self.server._control("POST", "scan", json.dumps({"path": "cloud"}))

    def test_a_cloud_of_ten_times_the_free_room(self) -> None:
        computer = self.computer
        computer.log_in(self.server)
        before = computer.free_bytes()
        total = FILMS * FILM_BYTES + OPENED_BYTES
        self.assertGreater(total, 9 * before)
        computer.roundel("add", computer.folder, self.server.address(), "--on-demand", "--wait")
        self.everything_is_there_without_its_contents(before)
        self.a_film_is_opened()
        self.what_does_not_fit_is_refused_before_it_is_begun()
        self.the_film_gives_its_room_back()
        computer.roundel("pin", computer.folder / "Work")
        computer.roundel("fetch", computer.folder / "Work")
        self.offline()
        self.online_again()

    def expect_badge(self, wanted: str) -> None:
        until(f"the badge {wanted}", lambda: self.computer.badges(OPENED)[1] == wanted)

    def everything_is_there_without_its_contents(self, before: int) -> None:
        films = self.computer.folder / "Films"
        self.assertEqual(len(os.listdir(films)), FILMS + 1)
        self.assertEqual({(films / name).stat().st_blocks for name in os.listdir(films)}, {0})
        self.assertEqual((self.computer.folder / OPENED).stat().st_size, OPENED_BYTES)
        self.assertLess(before - self.computer.free_bytes(), 20 << 20)
        self.expect_badge("online-only")
        # Nothing but what tries out the server.
        self.assertLess(self.server.sent(), 10_000)
        self.server.forget_requests()

    def a_film_is_opened(self) -> None:
        """By a program that knows nothing of Roundel."""
        done = subprocess.run(["sha256sum", self.computer.folder / OPENED], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split()[0], hashlib.sha256(self.contents).hexdigest())
        self.expect_badge("synced")
        self.assertEqual(self.server.sent(), OPENED_BYTES)

    def what_does_not_fit_is_refused_before_it_is_begun(self) -> None:
        free = self.computer.free_bytes()
        done = self.computer.try_roundel("fetch", self.computer.folder / "Films")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("do not fit on the disk of “Cloud”", done.stderr)
        self.assertLess(abs(free - self.computer.free_bytes()), 4 << 20)
        self.assertEqual(self.server.sent(), OPENED_BYTES)

    def the_film_gives_its_room_back(self) -> None:
        free = self.computer.free_bytes()
        self.computer.roundel("free", self.computer.folder / OPENED)
        self.assertGreater(self.computer.free_bytes() - free, OPENED_BYTES * 9 // 10)
        self.expect_badge("online-only")

    def offline(self) -> None:
        self.server.end()
        folder = self.computer.folder
        self.assertEqual({name: (folder / name).read_text() for name in PINNED}, PINNED)
        (folder / "Work/plan.txt").write_text("another plan\n")
        (folder / "Work/Letters/c.txt").write_text("dear c\n")
        began = time.monotonic()
        with self.assertRaises(OSError) as refused:
            (folder / "Films/film 3.mkv").read_bytes()
        self.assertEqual(refused.exception.errno, errno.ENETUNREACH)
        self.assertLess(time.monotonic() - began, 10 * OFFLINE_SECONDS)

    def online_again(self) -> None:
        self.server.start()
        self.computer.roundel("sync", self.computer.folder, "--wait")
        until("what was written offline", lambda: self.server.read("Work/plan.txt") == "another plan\n")
        self.assertEqual(self.server.read("Work/Letters/c.txt"), "dear c\n")
        with (self.computer.folder / "Films/film 3.mkv").open("rb") as film:
            self.assertEqual(film.read(6), b"film 3")


if __name__ == "__main__":
    unittest.main()
