"""What is at an address that a person has of another computer, asked of the installed worker and the real rclone."""
import os
import shutil
import unittest
from typing import Any

from gi.repository import GLib
from test_servers import FAILED, PREFIX, Computer

SETTINGS = """
[nas]
type = sftp
host = nas.example
user = me

[drive]
type = local
"""


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
@unittest.skipUnless(shutil.which("rclone"), "needs rclone")
class AddressTests(unittest.TestCase):
    def setUp(self) -> None:
        self.computer = Computer(has_keyring=False)
        self.addCleanup(self.computer.close)
        settings = self.computer.session.home / ".config" / "rclone" / "rclone.conf"
        settings.parent.mkdir(parents=True)
        settings.write_text(SETTINGS)

    def find(self, address: str) -> dict[str, Any]:
        return self.computer.ask("Find", "(sa{sv})", address, {}, of="Remotes")

    def test_a_computer_is_found_by_the_remote_that_leads_there(self) -> None:
        for typed, remote in (
                ("me@nas.example:/srv/x", "rclone:nas:/srv/x"), ("me@NAS.example:x y", "rclone:nas:x y"),
                ("nas.example:~/x", "rclone:nas:x"), ("sftp://nas.example/srv", "rclone:nas:/srv"),
                ("nas:x", "rclone:nas:x"), ("drive:/tmp", "rclone:drive:/tmp"), ("rclone:nas:", "rclone:nas:")):
            with self.subTest(typed=typed):
                found = self.find(typed)
                self.assertEqual((found["kind"], found["remote"], found["login"]), ("rclone", remote, "none"))

    def test_what_leads_there_is_said_where_nothing_does(self) -> None:
        for typed, sentence in (
                ("eva@nas.example:/x", "has no remote for nas.example yet"),
                ("me@other.example:/x", "has no remote for other.example yet"),
                ("rclone:none:x", "You configured: rclone:drive:, rclone:nas:"), ("me@nas.example:../x", "“.” or “..”")):
            with self.subTest(typed=typed), self.assertRaises(GLib.Error) as refused:
                self.find(typed)
            self.assertIn(sentence, refused.exception.message)
        told = self.computer.try_roundel("add", self.computer.folder, "eva@nas.example:/x")
        self.assertIn("rclone config create nas sftp host=nas.example user=eva", told.stderr)

    def test_a_directory_of_a_remote_is_made_and_synced(self) -> None:
        there = self.computer.session.home / "Far" / "off"
        (self.computer.folder / "a.txt").write_text("a\n")
        self.computer.roundel("add", self.computer.folder, f"drive:{there}", "--create", "--wait")
        self.assertEqual((there / "a.txt").read_text(), "a\n")
        shown = self.computer.try_roundel("add", self.computer.folder, "none:x", "--dry-run")
        self.assertEqual(shown.returncode, FAILED, os.environ.get("PATH"))


if __name__ == "__main__":
    unittest.main()
