"""The window's dialog that shares an item (E12): opened over the bus as the menu's entry does it, with what the server demands
said before, a link with an end and a password, a person who was searched, and shares that are changed and ended; and the
history of a file with the versions that the server keeps. It is read as a screen reader does, and used by its buttons and the
keyboard."""
import base64
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
        self.changes_a_share()
        self.ends_a_share()
        self.restores_a_version_of_the_server()
        self.says_who_wrote_the_other_version()
        self.end_server()

    def leads(self, view: str, item: pathlib.Path) -> None:
        """As the worker does for the menu's entries."""
        subprocess.run(
            ["gdbus", "call", "--session", "--dest", "org.roundel.Window", "--object-path", "/org/roundel/Window", "--method",
             "org.freedesktop.Application.ActivateAction", view, f"[<'{item.as_uri()}'>]", "{}"],
            env=self.desktop.environment, check=True, timeout=waiting.PROGRAM_SECONDS)

    def opens(self) -> None:
        self.leads("share", self.item)
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

    def changes_a_share(self) -> None:
        self.window.click("push button", "Change the share with Ana Lopez")
        self.window.wait_for("push button", "Save")
        self.window.type("Last day, such as 2026-12-24; empty for no end", "2037-01-02")
        self.desktop.shoot("change")
        self.window.click("push button", "Save")
        self.window.wait_for("label", "May edit it, until 2037-01-02")
        self.window.wait_for("push button", "Share")
        kinds = sorted((share["kind"], share["rights"], share["until"]) for share in self.shares() if share["kind"] == "user")
        if kinds != [("user", "edit", "2037-01-02")]:
            raise Failure(f"the item is shared so: {kinds}")
        self.desktop.shoot("changed")

    def restores_a_version_of_the_server(self) -> None:
        self.ask("POST", "/test/quirks", b'{"versions": true}')
        trip = self.item / "Trip.txt"
        for moment, text in ((1_700_000_000, b"to the hills"), (1_700_000_100, b"to the mountains")):
            self.ask("PUT", f"/{self.collection}/Plans/Trip.txt", text, X_OC_Mtime=str(moment))
        self.service.roundel("sync", str(self.folder), "--wait")
        self.leads("history", trip)
        self.window.wait_for("label", lambda text: text.startswith("Written 2023-11-1") and "12 bytes, by me" in text)
        self.desktop.shoot("versions")
        self.window.wait_for("label", "On the server")
        self.window.click("push button", lambda text: text.startswith("Restore Trip.txt of 2023-11-1"))
        restored = self.item / "Trip (restored).txt"
        wait_for("the restored version", restored.exists)
        self.desktop.shoot("restored")
        found = (trip.read_text(), restored.read_text())
        if found != ("to the mountains", "to the hills"):
            raise Failure(f"the file and its version are: {found}")

    def says_who_wrote_the_other_version(self) -> None:
        """D7: of a conflict, when it is looked at."""
        moment = 1_700_000_200
        self.ask("POST", "/test/quirks", json.dumps({"version-authors": {str(moment): "ana"}}).encode())
        self.service.roundel("pause", str(self.folder))
        (self.item / "Trip.txt").write_text("to the city")
        self.ask("PUT", f"/{self.collection}/Plans/Trip.txt", b"to the lakes, for once", X_OC_Mtime=str(moment))
        self.service.roundel("resume", str(self.folder))
        self.leads("problems", self.folder)
        self.window.wait_for("label", lambda text: text.startswith("Changed 2023-11-1") and text.endswith(", by Ana Lopez"))
        self.desktop.shoot("author")

    def ask(self, method: str, path: str, body: bytes, **headers: str) -> None:
        """A request to the server. Underscores in the names of headers stand for hyphens."""
        login = base64.b64encode(f"me:{self.password}".encode()).decode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(
            f"http://{self.address}{path}", body, {"Authorization": f"Basic {login}", **named}, method=method)
        with urllib.request.urlopen(request, timeout=waiting.PROGRAM_SECONDS) as answer:
            answer.read()

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
