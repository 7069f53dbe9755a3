"""The preferences of a folder: what is not synced and why, a name that is tried, a login that ended and comes back, space
and limits of the network; and an item that cannot be synced is left out from its row among the problems."""
import json
from typing import Any

from accessible import Accessible
from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from server_folder_scenario import ServerFolderScenario
from waiting import wait_for

PROGRAM = "roundel-window"
TITLE = "Preferences of Cloud"
TRY = "Name or Path to Try"
NARROW = (360, 600)  # pixels


class WindowFolderScenario(ServerFolderScenario):
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.window = Accessible(desktop, PROGRAM)
        self.screen = desktop.screen

    def run(self) -> None:
        self.make_folder()
        self.desktop.spawn("window", [PROGRAM], G_DEBUG="fatal-criticals")
        self.window.wait_for("list item", lambda name: name.startswith("Cloud, "))
        self.leaves_a_problem_out()
        self.opens()
        self.limits()
        self.tries_patterns()
        self.is_narrow()
        self.logs_out_and_in()
        self.end_server()

    def make_folder(self) -> None:
        self.folder.mkdir(parents=True)
        (self.served / self.collection).mkdir(parents=True)
        for name in ("Letter.odt", "Disk.iso", "Draft.tmp"):
            (self.folder / name).write_text(name * 100)
        self.start_server()
        self.start_keyring()
        self.log_in()
        self.roundel("add", str(self.folder), f"webdav+http://me@{self.address}/{self.collection}", "--wait")
        # Nobody may read it.
        (self.folder / "Album").write_text("an album\n")
        (self.folder / "Album").chmod(0)

    def problems(self) -> list[str]:
        return [problem["path"] for problem in json.loads(self.roundel("problems", "--json"))]

    def leaves_a_problem_out(self) -> None:
        wait_for("a problem", lambda: self.problems() == [str(self.folder / "Album")])
        self.window.click("page tab", "Problems")
        self.window.wait_for("list item", lambda name: name.startswith("Album, "))
        self.desktop.shoot("problem")
        self.window.click("push button", "Don’t Sync This")
        wait_for("no problem", lambda: not self.problems())
        # The activity has a row of that name too, on a page that is not shown.
        self.window.wait_until_gone("push button", "Don’t Sync This")
        self.desktop.shoot("left-out")
        # It waits for a person however long that takes.
        self.window.click("push button", "Undo")
        wait_for("the problem again", self.problems)
        self.window.wait_until_gone("push button", "Undo")
        self.window.click("push button", "Don’t Sync This")
        wait_for("no problem", lambda: not self.problems())

    def opens(self) -> None:
        self.window.click("page tab", "Folders")
        self.window.wait_until_gone("push button", "Undo")
        self.window.click("push button", "More actions for Cloud")
        self.window.click("menu item", "Preferences")
        self.window.wait_for("frame", TITLE)
        self.window.wait_for("label", f"http://{self.address}")
        self.window.wait_for("label", "Logged in as me")
        self.window.wait_for("label", lambda text: text.startswith("2 files, "))
        self.window.wait_for("label", lambda text: text.endswith(" free"))
        self.desktop.shoot("preferences")

    def limits(self) -> None:
        self.window.wait_for("spin button", "Upload Limit").set_current_value(500)
        wait_for("the limit to hold", lambda: self.use()["up"] == 500_000)
        self.window.toggle("check box", "Sync on Metered Connections")
        wait_for("the choice to hold", lambda: self.use()["metered"])

    def use(self) -> dict[str, Any]:
        return dict(json.loads(self.roundel("limit", str(self.folder), "--json")))

    def tries_patterns(self) -> None:
        self.window.click("page tab", "Not Synced")
        self.window.wait_for("list item", "Album, Matches your pattern /Album")
        self.window.wait_for("list item", "Draft.tmp, Matches *.tmp, which no folder syncs")
        self.window.type(TRY, "Films/New.iso")
        self.window.wait_for("label", "“Films/New.iso” is synced. No pattern matches it.")
        self.window.type("New Pattern", "*.iso")
        self.window.click("push button", "Add Pattern")
        self.window.wait_for("label", "“Films/New.iso” is not synced. Matches your pattern *.iso.")
        self.window.wait_for("list item", "Disk.iso, Matches your pattern *.iso")
        self.desktop.shoot("not-synced")
        self.window.click("push button", "Remove the pattern *.iso")
        self.window.wait_for("label", "“Films/New.iso” is synced. No pattern matches it.")
        # The activity of the window behind it has a row of that file as well.
        self.window.wait_until_gone("list item", lambda name: name.startswith("Disk.iso, Matches "))
        self.window.type("New Pattern", "[")
        self.window.click("push button", "Add Pattern")
        self.window.wait_for("label", lambda text: text.startswith("“[” is not a pattern"))
        # It can be corrected where it was typed.
        wait_for("the pattern in its field", lambda: self.window.text("New Pattern") == "[")

    def is_narrow(self) -> None:
        window = self.screen.windows_named(TITLE)[0]
        self.screen.place(window, 20, 20, *NARROW)
        wait_for("a narrow window", lambda: self.width(window) <= NARROW[0] + 60)  # with its shadow
        self.screen.wait_until_still()
        self.desktop.shoot("narrow-not-synced")
        self.window.click("page tab", "General")
        self.screen.wait_until_still()
        self.desktop.shoot("narrow")

    def width(self, window: str) -> int:
        box = self.screen.window_box(window)
        return box.right - box.left

    def logs_out_and_in(self) -> None:
        self.window.click("push button", "Log Out…")
        self.window.wait_for("label", f"Log Out from http://{self.address}?")
        self.desktop.shoot("log-out")
        # libadwaita says the words of such a button twice.
        self.window.click("push button", lambda name: name in ("Log Out", "Log Out Log Out"))
        self.window.wait_for("label", "You are not logged in")
        self.desktop.shoot("logged-out")
        self.screen.keys("Escape")
        self.window.wait_until_gone("frame", TITLE)
        self.window.click("page tab", "Problems")
        self.window.click("push button", "Log In…")
        self.window.wait_for("label", f"Log In at http://{self.address}")
        self.window.wait_for("frame", "Log In")
        self.screen.type("wrong")
        self.screen.keys("Return")
        self.window.wait_for("label", lambda text: "refuses this password" in text)
        self.desktop.shoot("refused")
        self.screen.keys("ctrl+a")
        self.screen.type(self.password)
        self.screen.keys("Return")
        self.window.wait_until_gone("frame", "Log In")
        (self.folder / "After.txt").write_text("after\n")
        wait_for("what was written after the login", (self.served / self.collection / "After.txt").exists)
        self.window.wait_until_gone("push button", "Log In…")
        self.desktop.shoot("logged-in")

    def roundel(self, *arguments: str) -> str:
        return self.service.roundel(*arguments)
