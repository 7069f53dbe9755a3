"""The window's dialog that shares an item (E12): opened over the bus as the menu's entry does it, with what the server demands
said before, a link with an end and a password, a person who was searched, and shares that are ended. It is read as a screen
reader does, and used by its buttons and the keyboard."""
import json
import pathlib
import subprocess
import urllib.request
from typing import Any

import waiting
from accessible import Accessible
from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from server_folder_scenario import ServerFolderScenario
from waiting import Failure, wait_for

NEXTCLOUD = pathlib.Path(__file__).parent / "Nextcloud/server.py"  # where a scenario is played
PROGRAM = "roundel-window"
LINK = "Everybody who has the link"
PASSWORD = "Password that opens the link"


class WindowShareScenario(ServerFolderScenario):
    collection = "remote.php/dav/files/me/cloud"

    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.window = Accessible(desktop, PROGRAM)
        self.screen = desktop.screen
        self.item = self.folder / "Plans"

    def start_server(self) -> None:
        password = self.desktop.work / "server-password"
        password.write_text(self.password)
        self.server = self.desktop.spawn("server", [
            "/usr/bin/python3", str(NEXTCLOUD), "--files", str(self.served), "--address", self.address, "--user", "me",
            "--password-file", str(password), "--quirk", "share-passwords", "--quirk", "share-days=30",
            "--quirk", 'people={"ana": {"name": "Ana Lopez", "mail": "ana@example.org"}, '
                       '"crew": {"name": "Crew", "group": true}}'])
        wait_for("the server to answer", self.server_answers)

    def run(self) -> None:
        (self.served / "cloud/Plans").mkdir(parents=True)
        (self.served / "cloud/Plans/Trip.txt").write_text("to the sea")
        self.start_server()
        self.start_keyring()
        self.log_in()
        self.folder.mkdir(parents=True)
        self.service.roundel("add", str(self.folder), f"webdav+http://me@{self.address}/{self.collection}", "--wait")
        wait_for("the item", (self.item / "Trip.txt").exists)
        self.desktop.spawn("window", [PROGRAM], G_DEBUG="fatal-criticals")
        self.window.wait_for("push button", "Add a Folder…")
        self.opens()
        self.makes_a_link()
        self.shares_with_a_person()
        self.ends_a_share()
        self.end_server()

    def opens(self) -> None:
        """As the worker does for the menu's entry."""
        subprocess.run(
            ["gdbus", "call", "--session", "--dest", "org.roundel.Window", "--object-path", "/org/roundel/Window", "--method",
             "org.freedesktop.Application.ActivateAction", "share", f"[<'{self.item.as_uri()}'>]", "{}"],
            env=self.desktop.environment, check=True, timeout=waiting.PROGRAM_SECONDS)
        demands = self.window.wait_for("label", lambda text: "The server demands a password." in text).get_name()
        if "30 days at most" not in demands or "at least 8 characters" not in demands:
            raise Failure(f"the dialog says: {demands}")
        self.desktop.shoot("share")

    def makes_a_link(self) -> None:
        self.window.click("push button", "Share")
        self.window.wait_for("label", "The server demands a password. Type one.")
        self.desktop.shoot("refused")
        self.allow("See and download", 2)
        self.window.type(PASSWORD, "long enough")
        self.window.click("push button", "Share")
        self.window.wait_for("label", lambda text: text.startswith("May only upload, until ") and "password" in text)
        self.desktop.shoot("link")
        link = wait_for("a link on the clipboard", lambda: self.copied_link(self.screen.clipboard()))
        with urllib.request.urlopen(link, timeout=waiting.PROGRAM_SECONDS) as answer:
            answer.read()

    def shares_with_a_person(self) -> None:
        self.window.type("Search a person or a group instead", "lopez")
        self.window.click("push button", "Choose Ana Lopez")
        self.window.wait_for("push button", "Make a Link Instead")
        self.allow("See and download", 1)
        self.desktop.shoot("person")
        self.window.click("push button", "Share")
        self.window.wait_for("label", lambda text: text.startswith("May edit it, "))
        kinds = sorted((share["kind"], share["rights"], share["password"]) for share in self.shares())
        if kinds != [("link", "upload", True), ("user", "edit", False)]:
            raise Failure(f"the item is shared so: {kinds}")
        self.desktop.shoot("shared")

    def ends_a_share(self) -> None:
        self.window.click("push button", f"End the share with {LINK}")
        self.window.wait_until_gone("push button", f"End the share with {LINK}")
        if [share["name"] for share in self.shares()] != ["Ana Lopez"]:
            raise Failure(f"the item is shared so: {self.shares()}")
        self.desktop.shoot("ended")
        self.screen.keys("Escape")
        self.window.wait_until_gone("push button", "Share")

    def allow(self, chosen: str, below: int) -> None:
        """Chooses what stands so many lines below what is chosen: the keyboard leads to one choice of several."""
        self.window.toggle("check box", chosen)
        self.screen.keys(*["Down"] * below)

    def copied_link(self, text: str) -> str:
        return text if text.startswith(f"http://{self.address}/s/") else ""

    def shares(self) -> list[dict[str, Any]]:
        return list(json.loads(self.service.roundel("share", str(self.item), "--list", "--json")))
