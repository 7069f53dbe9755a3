"""The window's assistant: from the address of a server to a synced folder with the directories that were chosen, without a
terminal. It is read as a screen reader does, and used by its buttons and the keyboard."""
import json
from typing import Any

from accessible import Accessible
from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from server_folder_scenario import ServerFolderScenario
from waiting import Failure, wait_for

PROGRAM = "roundel-window"
ADDRESS = "Address of a server, or a link from your browser"


class WindowAddScenario(ServerFolderScenario):
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.window = Accessible(desktop, PROGRAM)
        self.screen = desktop.screen

    def run(self) -> None:
        self.make_files()
        self.start_server()
        self.start_keyring()
        self.desktop.spawn("window", [PROGRAM], G_DEBUG="fatal-criticals")
        self.window.click("push button", "Add a Folder…")
        self.refuses_nothing()
        self.finds_the_server()
        self.logs_in()
        self.chooses()
        self.adds()
        self.end_server()

    def make_files(self) -> None:
        for place, names in (("Photos", ("sea.jpg", "hills.jpg")), ("Photos/2024", ("snow.jpg",)), ("Work", ("plan.odt",))):
            directory = self.served / self.collection / place
            directory.mkdir(parents=True)
            for name in names:
                (directory / name).write_text(name * 100)

    def refuses_nothing(self) -> None:
        self.window.wait_for("label", "Where Are Your Files?")
        self.desktop.shoot("where")
        self.window.click("push button", "Next")
        self.window.wait_for("label", "Type or paste an address, or choose a directory.")

    def finds_the_server(self) -> None:
        self.window.wait_for("text", ADDRESS)
        self.screen.type(f"http://{self.address}/{self.collection}")
        self.screen.keys("Return")
        self.window.wait_for("label", f"Log In at http://{self.address}")
        self.desktop.shoot("password")

    def logs_in(self) -> None:
        self.window.wait_for("text", "User Name")
        self.screen.type("me")
        self.screen.keys("Tab")
        self.screen.type("wrong")
        self.screen.keys("Return")
        self.window.wait_for("label", lambda text: "refuses this password" in text)
        self.desktop.shoot("refused")
        self.screen.keys("ctrl+a")
        self.screen.type(self.password)
        self.screen.keys("Return")
        self.window.wait_for("label", f"~/{self.collection}")

    def chooses(self) -> None:
        self.window.toggle("check box", "Choose Directories")
        self.window.wait_for("check box", "Work")
        self.window.click("push button", "Show the directories in Photos")
        self.window.wait_for("check box", "2024")
        self.window.toggle("check box", "Photos")
        self.desktop.shoot("choice")
        self.window.click("push button", "Next")
        summary = self.window.wait_for("label", lambda text: "Nothing is deleted." in text).get_name()
        if not summary.startswith("3 files (") or "2 files" in summary:
            raise Failure(f"the summary says: {summary}")
        self.desktop.shoot("summary")

    def adds(self) -> None:
        self.window.click("push button", "Add Folder")
        self.window.wait_for("list item", lambda name: name.startswith("cloud, Up to date"))
        self.desktop.shoot("added")
        folder = self.desktop.home / self.collection
        wait_for("the chosen files", (folder / "Photos/2024/snow.jpg").exists)
        (self.served / self.collection / "New").mkdir()
        self.roundel("sync", str(folder), "--wait")
        found = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
        if found != ["Photos"]:
            raise Failure(f"the folder has {found}")

    def folders(self) -> list[Any]:
        return list(json.loads(self.roundel("list", "--json")))

    def roundel(self, *arguments: str) -> str:
        return self.service.roundel(*arguments)
