"""The provider that Documentation shows works as it stands there, against the installed service on a bus of its own."""
import os
import pathlib
import re
import signal
import subprocess
import unittest
from typing import Any

from gi.repository import Gio
from session import Session, wait_for_ends

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = os.environ.get("ROUNDEL_PREFIX", "")
HOST = ("org.roundel.Roundel1", "/org/roundel/Roundel1", "org.roundel.Roundel1.Host")


class PageTests(unittest.TestCase):
    def test_the_page_shows_the_example_whole(self) -> None:
        page = (ROOT / "Documentation" / "writing-a-provider.md").read_text()
        shown = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        self.assertEqual(shown, [(ROOT / "examples" / "provider.py").read_text()])


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class ExampleProviderTests(unittest.TestCase):
    def setUp(self) -> None:
        self.session = Session(PREFIX)
        self.addCleanup(self.session.close)
        self.folder = self.session.home / "Example"
        (self.folder / "below").mkdir(parents=True)
        (self.folder / "a b").write_text("a")
        (self.folder / "below" / "c").write_text("c")
        self.told: list[Any] = []
        self.session.connection.signal_subscribe(
            None, HOST[2], "BadgesChanged", HOST[1], None, Gio.DBusSignalFlags.NONE,
            lambda *arguments: self.told.append(arguments[-1].unpack()))
        self.provider = subprocess.Popen(
            ["/usr/bin/python3", ROOT / "examples" / "provider.py", self.folder], env=self.session.environment,
            stderr=self.session.log)
        self.addCleanup(self.end_provider)

    def end_provider(self) -> None:
        self.provider.terminate()
        self.provider.wait()

    def begin(self, directory: pathlib.Path) -> None:
        """Shows a directory, also while the service does not know yet that it is a provider's."""
        self.session.wait_for(
            f"{directory} to be monitored", lambda: self.session.call(*HOST, "BeginObserving", "(sa{sv})",
                                                                      directory.as_uri(), {})[0])

    def badges(self, directory: pathlib.Path, *names: str) -> list[str]:
        return self.session.call(*HOST, "RequestBadges", "(sasa{sv})", directory.as_uri(), names, {})[0]

    def await_badges(self, directory: pathlib.Path, names: list[str], badges: list[str]) -> None:
        self.session.wait_for(f"{names} to be {badges}", lambda: self.badges(directory, *names) == badges)

    def told_of(self, directory: pathlib.Path, name: str) -> list[str]:
        """The badges that signals brought of an item, in their order."""
        rows = [dict(zip(names, badges)) for uri, names, badges, *_ in self.told if uri == directory.as_uri()]
        return [row[name] for row in rows if name in row]

    def show(self) -> None:
        """Begins to show the folder and its parent, as two windows do, and waits for the badges."""
        for directory in (self.folder, self.session.home):
            self.begin(directory)
        self.await_badges(self.folder, ["a%20b", "below", "missing"], ["synced", "synced", ""])
        self.await_badges(self.session.home, ["Example"], ["synced"])

    def test_badges_appear_follow_changes_and_come_back_with_the_service(self) -> None:
        self.show()
        # Again and again, since the service waits for a provider for some milliseconds and no longer.
        self.session.wait_for("the whole directory", lambda: self.session.call(
            *HOST, "RequestDirectory", "(ssua{sv})", self.folder.as_uri(), "", 0, {})[:2]
            == (["a%20b", "below"], ["synced", "synced"]))
        items = [(self.folder, "below"), (self.session.home, "Example")]

        def are_told_as_syncing() -> bool:
            # Each change is on its way for a second: a machine that takes longer to tell of it sees further ones.
            with (self.folder / "below" / "c").open("a") as file:
                file.write("changed")
            return all("syncing" in self.told_of(*item) for item in items)
        self.session.wait_for("the change to be told", are_told_as_syncing)
        for item in items:
            self.session.wait_for(f"{item} to be told as synced", lambda: self.told_of(*item)[-1:] == ["synced"])
        service = [process for process, program in self.session.processes() if program.endswith("/bin/roundeld")]
        self.assertEqual(len(service), 1)
        os.kill(service[0], signal.SIGKILL)
        wait_for_ends("the badge service to end", service)
        self.show()

    def test_a_folder_shows_its_status(self) -> None:
        def status() -> dict[str, Any]:
            return self.session.call(
                *HOST[:2], "org.freedesktop.DBus.Properties", "Get", "(ss)", HOST[2], "FolderStatus")[0]
        self.session.wait_for(
            "the status", lambda: status().get(self.folder.as_uri()) == (1, "Up to date", 255))


if __name__ == "__main__":
    unittest.main()
