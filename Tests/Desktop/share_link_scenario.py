"""A share link of an item on a Nextcloud, chosen in the file manager's menu by real clicks: it comes to the clipboard, and
whoever opens it gets the file (E7)."""
import pathlib
import urllib.request

import waiting
from desktop import COLOURS
from server_folder_scenario import ServerFolderScenario
from waiting import Failure, wait_for

NEXTCLOUD = pathlib.Path(__file__).parent / "Nextcloud/server.py"  # where a scenario is played
BROWSER = "5D3FD3"  # the icon of the entry above the one that is meant
ENTRY_GAP = 12      # pixels between the icons of two entries


class ShareLinkScenario(ServerFolderScenario):
    collection = "remote.php/dav/files/me/cloud"

    def start_server(self) -> None:
        password = self.desktop.work / "server-password"
        password.write_text(self.password)
        self.server = self.desktop.spawn("server", [
            "/usr/bin/python3", str(NEXTCLOUD), "--files", str(self.served), "--address", self.address, "--user", "me",
            "--password-file", str(password)])
        wait_for("the server to answer", self.server_answers)

    def link_is_copied(self) -> None:
        screen = self.desktop.screen
        badge = screen.wait_until_still().boxes(COLOURS["synced"])[0]
        self.open_menu(badge.left - 20, badge.top)
        self.desktop.shoot("menu with a share link")
        entry = screen.wait_until_still().boxes(BROWSER)[0]
        screen.click(entry.centre[0] + 40, entry.centre[1] + entry.bottom - entry.top + ENTRY_GAP)
        link = wait_for("a share link on the clipboard", lambda: self.copied_link(screen.clipboard()))
        with urllib.request.urlopen(f"{link}/download", timeout=waiting.PROGRAM_SECONDS) as answer:
            text = answer.read().decode()
        if text not in {path.read_text() for path in self.folder.iterdir() if path.is_file()}:
            raise Failure(f"{link} gives {text[:40]!r}")

    def open_menu(self, x: int, y: int) -> None:
        """On a busy machine the worker may be late, and completes the menu while it is open."""
        screen = self.desktop.screen
        screen.right_click(x, y)
        wait_for("our entries", lambda: screen.grab().has(BROWSER))

    def copied_link(self, text: str) -> str:
        return text if text.startswith(f"http://{self.address}/s/") else ""

    def run(self) -> None:
        self.desktop.add_test_icon("web-browser", BROWSER)
        self.folder_is_added()
        self.link_is_copied()
        self.file_manager.close()
        self.file_manager.nothing_complained()
