"""The window: folders in different states, a conflict with its two versions, and the assistant that adds a folder."""
import json
import os
import time
import urllib.request
from typing import Any

from accessible import Accessible
from installed import InstalledServices
from person import FILM, HOST, PLAIN_PORT, Person
from picture_desktop import NAS, SCALE, PictureDesktop
from waiting import PROGRAM_SECONDS, wait_for

PROGRAM = "roundel-window"
CLASS = "roundel|org.roundel"
SIZE = 860, 600
CONFLICT = "Plan.md"
MINE = "# Garden\n\n- Tomatoes: 12 plants\n- Beans along the fence\n- Compost in March\n"
THEIRS = "# Garden\n\n- Tomatoes: 8 plants\n- Beans along the fence\n- A pond, perhaps\n"
# Of the files on the server that the assistant looks at, in megabytes.
ON_SERVER = {"Films/Skye.mp4": 310, "Photos/2025/Skye.zip": 85, "Photos/2026/Iceland.zip": 120, "Recipes/All.pdf": 4,
             "Thesis/Thesis.pdf": 12, "Work/Invoices/2026.zip": 23}
SCHEMES = {"light": "prefer-light", "dark": "prefer-dark"}


class WindowPictures:
    def __init__(self, desktop: PictureDesktop, service: InstalledServices, file_manager: None) -> None:
        del file_manager
        self.desktop = desktop
        self.screen = desktop.screen
        self.person = Person(desktop, service)
        self.roundel = service.roundel
        self.window = Accessible(desktop, PROGRAM)
        self.scheme = desktop.name.removeprefix("window-")

    def run(self) -> None:
        self.has_folders()
        self.open()
        self.window.wait_for("list item", lambda name: name.startswith("Documents, Syncing"))
        self.window.wait_for("list item", lambda name: name.startswith("Music, Paused"))
        self.window.wait_for("list item", lambda name: name.startswith("Garden, "))
        self.take(f"window-{self.scheme}")
        if self.scheme == "light":
            self.shows_conflict()
        self.person.expect(self.person.documents / FILM, "syncing")

    def has_folders(self) -> None:
        self.person.has_documents_in_the_cloud()
        self.person.has_folder("Photos", "Album.md")
        self.person.has_folder("Music", "Playlist.m3u")
        garden = self.person.has_folder("Garden", CONFLICT, "Seeds.ods")
        self.roundel("pause", str(garden))
        for directory, text, hours in ((garden, MINE, 3), (NAS / "Garden", THEIRS, 1)):
            (directory / CONFLICT).write_text(text)
            changed = time.time() - hours * 3600
            os.utime(directory / CONFLICT, (changed, changed))
        self.roundel("resume", str(garden))
        self.roundel("sync", str(garden), "--wait")
        self.person.expect(garden / CONFLICT, "conflict")
        self.roundel("pause", str(self.desktop.home / "Music"), "--for", "1h")
        self.person.uploads_a_film()

    def open(self) -> None:
        self.desktop.spawn("window", [PROGRAM], ADW_DEBUG_COLOR_SCHEME=SCHEMES.get(self.scheme, "prefer-light"))
        window = wait_for("the window", lambda: self.screen.windows(CLASS))[0]
        width, height = SIZE
        self.screen.place(window, (self.desktop.width - width * SCALE) // 2, 60 * SCALE, width * SCALE, height * SCALE)

    def take(self, name: str) -> None:
        self.screen.wait_until_still(1)
        self.desktop.take(name, self.desktop.frames(CLASS))

    def shows_conflict(self) -> None:
        self.window.click("push button", "Show Problems")
        self.window.wait_for("list item", lambda name: name.startswith(f"{CONFLICT}, Changed on this computer"))
        self.take("window-problems")
        self.window.click("push button", "Compare")
        self.window.wait_for("frame", CONFLICT)
        self.take("window-compare")


class AssistantPictures(WindowPictures):
    """From the address of a server to what of it is to be here."""

    def run(self) -> None:
        for file, megabytes in ON_SERVER.items():
            (self.person.served / file).parent.mkdir(parents=True, exist_ok=True)
            (self.person.served / file).touch()
            os.truncate(self.person.served / file, megabytes << 20)
        self.person.has_cloud()
        self.has_browser()
        self.open()
        self.window.click("push button", "Add a Folder…")
        self.window.wait_for("label", "Where Are Your Files?")
        self.screen.type(HOST)
        self.screen.keys("Return")
        self.window.wait_for("label", "Waiting until you have logged in…")
        self.ask("/test/grant", {})
        self.window.wait_for("check box", "Choose Directories")
        self.window.toggle("check box", "Choose Directories")
        self.window.wait_for("check box", "Work")
        for directory in ("Photos", "Thesis"):
            self.window.toggle("check box", directory)
        self.take("window-add")

    def has_browser(self) -> None:
        """Which shows nothing."""
        applications = self.desktop.home / ".data/applications"
        applications.mkdir()
        (applications / "browser.desktop").write_text(
            "[Desktop Entry]\nType=Application\nName=Browser\nExec=true %u\nMimeType=x-scheme-handler/https;\n")
        self.desktop.write_setting("mimeapps.list", "[Default Applications]\nx-scheme-handler/https=browser.desktop\n")

    @staticmethod
    def ask(path: str, body: Any) -> None:
        request = urllib.request.Request(f"http://127.0.0.1:{PLAIN_PORT}{path}", json.dumps(body).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=PROGRAM_SECONDS):
            pass
