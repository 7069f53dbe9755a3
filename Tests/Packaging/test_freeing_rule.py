"""Room that is made by itself on a small disk, by the rule of a person: what was not used for longest goes first, what must
stay stays, and no more goes than has to."""
import os
import subprocess
import time
import unittest

from servers import Login, Server, until
from test_larger_than_disk import SmallComputer, reason

# Found where the module before it looks.
import file_systems  # isort: skip

FILMS = [f"film {number}.mkv" for number in range(3)]
FILM_BYTES = 20 << 20


@unittest.skipIf(reason(), reason() or "")
class FreeingRuleTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        file_systems.enter_namespace()

    def setUp(self) -> None:
        self.server = Server("nextcloud", Login())
        self.addCleanup(self.server.close)
        for name in FILMS:
            self.server.write(name, name[5] * FILM_BYTES)
        self.computer = SmallComputer()
        self.addCleanup(self.computer.close)
        self.computer.log_in(self.server)
        self.computer.roundel("add", self.computer.folder, self.server.address(), "--on-demand", "--wait")

    def fetch(self, *names: str) -> None:
        """One after another: times of use are told apart by the second."""
        for name in names:
            self.computer.roundel("fetch", self.computer.folder / name)
            time.sleep(1.5)

    def here(self) -> list[str]:
        return [name for name in FILMS if (self.computer.folder / name).stat().st_blocks]

    def make_room_for_half_a_film(self) -> None:
        wanted = self.computer.free_bytes() + FILM_BYTES // 2
        self.computer.roundel("on-demand", self.computer.folder, "--free-below", str(wanted))

    def test_the_least_recently_used_goes_and_what_must_stay_stays(self) -> None:
        self.fetch(*FILMS)
        self.make_room_for_half_a_film()
        until("room", lambda: self.here() == FILMS[1:])
        time.sleep(2)
        self.assertEqual(self.here(), FILMS[1:])
        self.computer.roundel("on-demand", self.computer.folder, "--free-below", "0")
        self.fetch(FILMS[0])
        # The two that were not used for longest must stay.
        self.computer.roundel("pin", self.computer.folder / FILMS[1])
        with (self.computer.folder / FILMS[2]).open("rb") as opened:
            self.make_room_for_half_a_film()
            until("room", lambda: self.here() == FILMS[1:])
            self.assertEqual(opened.read(1), b"2")
        self.assertEqual((self.computer.folder / FILMS[0]).stat().st_size, FILM_BYTES)
        # What went can be had again.
        self.computer.roundel("on-demand", self.computer.folder, "--free-below", "0")
        self.assertEqual((self.computer.folder / FILMS[0]).read_bytes()[:1], b"0")

    def test_a_rule_is_refused_where_use_is_not_noted(self) -> None:
        subprocess.run(["mount", "-o", "remount,noatime", self.computer.session.home], check=True)
        done = self.computer.try_roundel("on-demand", self.computer.folder, "--free-unused", "1")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("noatime", done.stderr)
        self.assertNotIn("free-unused", done.stdout)
        # To give a rule up is never refused.
        self.computer.roundel("on-demand", self.computer.folder, "--free-unused", "0")
        os.sync()


if __name__ == "__main__":
    unittest.main()
