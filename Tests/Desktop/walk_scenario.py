"""The whole way of a person who has never opened a terminal: an address of a Nextcloud, its login page in the browser, the
directories that are chosen, badges in the file manager, an hour's pause, a conflict that is compared and resolved, a file that
somebody deleted by mistake and that comes back, a pattern that leaves files out and lets them in again, a problem that is
solved from its button, and the end. Only what happens on the server or by itself is done by the test."""
import json
import pathlib
import subprocess
import urllib.request

import waiting
from accessible import Accessible
from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from server_folder_scenario import UNSETTLED, ServerFolderScenario
from waiting import Failure, wait_for

NEXTCLOUD = pathlib.Path(__file__).parent / "Nextcloud/server.py"  # where a scenario is played
PROGRAM = "roundel-window"
ADDRESS = "Address of a server, or a link from your browser"
WHOLE = (0, 0, 1100, 760)  # the screen


class WalkScenario(ServerFolderScenario):
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.window = Accessible(desktop, PROGRAM)
        self.screen = desktop.screen
        self.visited = desktop.work / "visited"
        self.compared = desktop.work / "compared"

    def run(self) -> None:
        self.make_files()
        self.install_browser()
        self.install_compare_tool()
        self.start_server()
        self.start_keyring()
        self.desktop.spawn("window", [PROGRAM], G_DEBUG="fatal-criticals")
        self.logs_in()
        self.chooses()
        self.sees_badges()
        self.pauses_and_gets_a_conflict()
        self.resolves_it()
        self.gets_back_what_was_deleted()
        self.leaves_out_and_lets_in()
        self.solves_a_problem()
        self.stops()
        self.file_manager.close()
        self.file_manager.nothing_complained()
        self.end_server()

    # What is there

    def make_files(self) -> None:
        for place, names in (("Photos", ("Sea.jpg",)), ("Letters", ("Aunt.odt", "Bank.odt", "Club.odt")),
                             ("Films", ("Long.mkv",))):
            directory = self.served / place
            directory.mkdir(parents=True)
            for name in names:
                (directory / name).write_text(f"{name}\n")

    def install_browser(self) -> None:
        """A browser that notes the page, on which the person then logs in."""
        browser = self.desktop.work / "browser"
        browser.write_text(f'#!/bin/sh\nprintf %s "$1" >"{self.visited}"\n')
        browser.chmod(0o755)
        kinds = ";".join(f"x-scheme-handler/{scheme}" for scheme in ("http", "https"))
        entries = pathlib.Path(self.desktop.environment["XDG_DATA_HOME"], "applications")
        entries.mkdir(parents=True, exist_ok=True)
        (entries / "browser.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=Browser\nExec={browser} %u\nMimeType={kinds};\n")
        self.desktop.write_setting("mimeapps.list", (
            "[Default Applications]\nx-scheme-handler/http=browser.desktop\nx-scheme-handler/https=browser.desktop\n"))

    def install_compare_tool(self) -> None:
        programs = self.desktop.work / "programs"
        programs.mkdir()
        tool = programs / "meld"
        tool.write_text(f'#!/bin/sh\ncat "$1" "$2" >"{self.compared}"\n')
        tool.chmod(0o755)
        self.desktop.environment["PATH"] = f"{programs}:{self.desktop.environment['PATH']}"

    def start_server(self) -> None:
        password = self.desktop.work / "server-password"
        password.write_text(self.password)
        self.server = self.desktop.spawn("server", [
            "/usr/bin/python3", str(NEXTCLOUD), "--files", str(self.served), "--address", self.address, "--user", "me",
            "--password-file", str(password)])
        wait_for("the server to answer", self.server_answers)

    # Adding

    def logs_in(self) -> None:
        self.window.click("push button", "Add a Folder…")
        self.window.wait_for("text", ADDRESS)
        self.screen.type(f"http://{self.address}")
        self.screen.keys("Return")
        self.window.wait_for("label", lambda text: "was opened in your browser" in text)
        page = wait_for("the page in the browser", lambda: self.text(self.visited))
        self.desktop.shoot("login")
        if not page.startswith(f"http://{self.address}/"):
            raise Failure(f"the browser was sent to {page}")
        grant = urllib.request.Request(
            f"http://{self.address}/test/grant", json.dumps({"flow": page.rpartition("/")[2]}).encode(), method="POST")
        with urllib.request.urlopen(grant, timeout=waiting.PROGRAM_SECONDS) as answer:
            answer.read()

    def chooses(self) -> None:
        self.window.wait_for("label", lambda text: text.startswith("~/"))
        self.window.toggle("check box", "Choose Directories")
        self.window.wait_for("check box", "Films")
        self.window.toggle("check box", "Letters")
        self.window.toggle("check box", "Photos")
        self.desktop.shoot("choice")
        self.window.click("push button", "Next")
        self.window.wait_for("label", lambda text: "Nothing is deleted." in text)
        self.desktop.shoot("summary")
        self.window.click("push button", "Add Folder")
        wait_for("the folder", self.folders)
        self.folder = pathlib.Path(self.folders()[0]["path"])
        self.name = self.folder.name
        self.window.wait_for("list item", lambda name: name.startswith(f"{self.name}, Up to date"))
        self.desktop.shoot("added")
        wait_for("the chosen files", (self.folder / "Photos/Sea.jpg").exists)
        if (self.folder / "Films").exists():
            raise Failure("what was not chosen is there")

    def folders(self) -> list[dict[str, str]]:
        return list(json.loads(self.service.roundel("list", "--json")))

    # In the file manager

    def sees_badges(self) -> None:
        self.file_manager.open(str(self.folder / "Letters"))
        self.files = self.screen.active_window()
        self.screen.place(self.files, *WHOLE)
        self.shows("badges", ["synced"], UNSETTLED)

    def shows(self, what: str, present: list[str], absent: list[str]) -> None:
        wait_for("the file manager in front", lambda: self.screen.is_activated(self.files))
        self.file_manager.expect_shown(what, present, absent)

    # Syncing

    def choose(self, entry: str) -> None:
        self.window.click("page tab", "Folders")
        self.window.click("push button", f"More actions for {self.name}")
        self.window.click("menu item", entry)

    def pauses_and_gets_a_conflict(self) -> None:
        self.choose("Pause for an Hour")
        self.window.wait_for("list item", lambda name: name.startswith(f"{self.name}, Paused"))
        (self.folder / "Letters/Aunt.odt").write_text("mine\n")
        self.shows("paused", ["paused"], ["conflict", "error"])
        self.write_there("Letters/Aunt.odt", "theirs\n")
        self.choose("Resume Syncing")
        self.shows("a conflict", ["conflict", "synced"], ["error", "paused"])

    def write_there(self, path: str, text: str) -> None:
        """Somebody else writes it on the server."""
        self.ask("PUT", path, text)

    def ask(self, method: str, path: str, text: str = "") -> None:
        address = f"http://{self.address}/remote.php/dav/files/me/{path}"
        done = subprocess.run(
            ["curl", "--silent", "--fail", "--user", f"me:{self.password}", "--request", method, "--data-binary", text,
             address],
            capture_output=True, text=True, timeout=waiting.PROGRAM_SECONDS, check=False)
        if done.returncode != 0:
            raise Failure(f"{method} {path}: {done.returncode} {done.stderr}")

    def resolves_it(self) -> None:
        self.window.click("page tab", "Problems")
        self.window.click("push button", "Compare")
        self.window.wait_for("frame", "Aunt.odt")
        self.desktop.shoot("comparison")
        self.window.click("push button", "Compare in Meld")
        wait_for("both versions to be compared", lambda: sorted(self.text(self.compared).split()) == ["mine", "theirs"])
        self.screen.keys("Escape")
        self.window.wait_until_gone("frame", "Aunt.odt")
        self.window.click("push button", "Keep the remote's version of Aunt.odt")
        wait_for("the chosen version", lambda: self.text(self.folder / "Letters/Aunt.odt") == "theirs\n")
        self.shows("resolved", ["synced"], UNSETTLED)

    def gets_back_what_was_deleted(self) -> None:
        self.ask("DELETE", "Letters/Bank.odt")
        self.choose("Sync Now")
        wait_for("the deletion on this computer", lambda: not (self.folder / "Letters/Bank.odt").exists())
        self.window.click("page tab", "Versions")
        self.window.click("push button", "Restore Bank.odt")
        wait_for("the file to be back", lambda: self.text(self.folder / "Letters/Bank.odt") == "Bank.odt\n")
        wait_for("the file on the server", lambda: self.text(self.served / "Letters/Bank.odt") == "Bank.odt\n")
        self.shows("restored", ["synced"], UNSETTLED)

    def leaves_out_and_lets_in(self) -> None:
        self.choose("Preferences")
        self.window.click("page tab", "Not Synced")
        self.window.type("New Pattern", "Club*")
        self.window.click("push button", "Add Pattern")
        self.window.wait_for("list item", lambda name: name.startswith("Letters/Club.odt, "))
        self.desktop.shoot("not-synced")
        self.shows("left out", ["excluded", "synced"], UNSETTLED)
        self.window.click("push button", "Remove the pattern Club*")
        self.shows("let in", ["synced"], ["excluded", *UNSETTLED])
        self.screen.keys("Escape")

    def solves_a_problem(self) -> None:
        secret = self.folder / "Letters/Will.odt"
        secret.write_text("a will\n")
        secret.chmod(0)
        self.shows("a problem", ["error"], ["conflict"])
        self.window.click("page tab", "Problems")
        self.window.click("push button", "Don’t Sync This")
        self.window.wait_until_gone("push button", "Don’t Sync This")
        self.shows("solved", ["synced", "excluded"], UNSETTLED)

    def stops(self) -> None:
        self.choose("Stop Syncing…")
        self.window.wait_for("label", f"Stop Syncing “{self.name}”?")
        self.window.click("push button", lambda name: name.startswith("Stop Syncing"))
        wait_for("no folder", lambda: not self.folders())
        self.shows("no badges", [], ["synced", "excluded", *UNSETTLED])
        if self.text(self.folder / "Letters/Aunt.odt") != "theirs\n":
            raise Failure("a file is not there any more")
        self.desktop.shoot("stopped")

    @staticmethod
    def text(file: pathlib.Path) -> str:
        return file.read_text() if file.exists() else ""
