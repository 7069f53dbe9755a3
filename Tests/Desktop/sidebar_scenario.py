"""Nautilus' sidebar has a row for each synced folder, with its state, its text and its menu (F9, design.md 6)."""
import contextlib
import json
import os
from typing import Any

from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from menu import Menu
from screen import Box
from waiting import Failure, pump, wait_for

ROW_ICON = "00C853"    # in no icon theme
SIDEBAR = 260          # pixels that a row of it is at most wide
ENTRIES = 7            # the file manager's own three come first, then Sync Now, Pause, Open Remote Folder, Add
ATTEMPTS = 5
FILM_SIZE = 192 << 20  # bytes; on its way long enough to be seen


class SidebarScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.roundel = service.roundel
        self.screen = desktop.screen
        self.file_manager = file_manager
        self.folder = str(desktop.home / "Team Files")
        self.remote = str(desktop.work / "remote")

    # Acting

    def make_folder(self) -> None:
        for path in (self.folder, self.remote):
            os.makedirs(path)
        for name in ("Plan.odt", "Budget.ods"):
            with open(f"{self.folder}/{name}", "w") as file:
                file.write(name * 50)
        self.roundel("add", self.folder, self.remote, "--wait")

    def status(self) -> Any:
        folders = json.loads(self.roundel("status", "--json", self.folder))
        return folders["folders"][0] if "folders" in folders else folders

    # Looking

    def row(self) -> Box:
        """The box of our row's icon."""
        self.screen.wait_for_colour(ROW_ICON)
        boxes = [box for box in self.screen.wait_until_still().boxes(ROW_ICON) if box.left < SIDEBAR]
        if len(boxes) != 1:
            raise Failure(f"there are {len(boxes)} rows of ours in the sidebar")
        return boxes[0]

    def end_of_row(self) -> Box:
        """Where a row shows that it is busy or in trouble."""
        icon = self.icon
        return Box(icon.right + 110, icon.top - 4, SIDEBAR, icon.bottom + 4)

    def end_icon(self) -> list[bytes]:
        return self.screen.grab().part(self.end_of_row())

    def wait_for_end_icon(self, what: str, wanted: Any) -> None:
        """Waits until the end of the row is (or is not) as it is for a folder at rest."""
        try:
            wait_for(what, lambda: (self.end_icon() == self.at_rest) != wanted)
        finally:
            self.desktop.shoot(what)

    def point_elsewhere(self) -> None:
        """A row under the pointer is lit, and a text that pops up is a window of its own."""
        self.screen.move(700, 600)
        self.screen.wait_until_still()

    # Steps

    def row_is_there(self) -> None:
        self.file_manager.open(str(self.desktop.home))
        self.screen.place(self.screen.windows(self.file_manager.window_class)[0], 0, 0, 1100, 760)
        self.icon = self.row()
        self.point_elsewhere()
        self.at_rest = self.end_icon()
        self.desktop.shoot("a row in the sidebar")

    def row_opens_the_folder(self) -> None:
        x, y = self.icon.centre
        before = self.screen.wait_until_still()
        self.screen.click(x + 40, y)
        content = Box(300, 80, 1100, 760)
        wait_for("the folder", lambda: self.screen.grab().part(content) != before.part(content))
        self.point_elsewhere()
        wait_for("a window of the folder", lambda: self.screen.windows_named("Team Files"))
        self.at_rest = self.end_icon()
        self.desktop.shoot("the folder opened")

    def text_of_the_state(self) -> None:
        x, y = self.icon.centre
        before = self.screen.wait_until_still()
        self.screen.move(x + 41, y)
        wait_for("the state's text", lambda: self.screen.grab().difference(before))
        pump(1)
        self.desktop.shoot("the text of the state")
        self.point_elsewhere()

    def syncing(self) -> Any:
        """A row that is busy has a sign at its end."""
        busy = self.busy_sign()
        self.wait_for_end_icon("up to date again", False)
        return busy

    def busy_sign(self) -> Any:
        """A transfer that was over before anybody looked at the screen is followed by another one."""
        signs: list[Any] = []

        def has_sign_or_arrived() -> bool:
            signs[:] = [self.end_icon()]
            return signs != [self.at_rest] or self.has_arrived()
        for _ in range(ATTEMPTS):
            with open(f"{self.folder}/Film.mkv", "wb") as film:
                film.writelines(os.urandom(1 << 20) for _ in range(FILM_SIZE >> 20))
            wait_for("syncing", has_sign_or_arrived)
            if signs != [self.at_rest]:
                self.desktop.shoot("syncing")
                return signs[0]
        raise Failure(f"{ATTEMPTS} films arrived without a sign of it")

    def has_arrived(self) -> bool:
        """Whether the film is at the remote, and all is told of that."""
        heads = []
        for place in (self.folder, self.remote):
            with contextlib.suppress(FileNotFoundError), open(f"{place}/Film.mkv", "rb") as film:
                heads.append(film.read(64))
        return len(heads) == 2 and heads[0] == heads[1] and self.status()["state"] == "synced"

    def trouble(self, busy: Any) -> None:
        """One that needs the person has another sign."""
        self.roundel("pause", self.folder)
        for place, text in ((self.folder, "mine"), (self.remote, "theirs")):
            with open(f"{place}/Plan.odt", "w") as file:
                file.write(text)
        self.roundel("resume", self.folder)
        self.roundel("sync", self.folder, "--wait")
        wait_for("a sign of trouble", lambda: self.end_icon() not in (self.at_rest, busy))
        self.desktop.shoot("a conflict")
        self.roundel("resolve", f"{self.folder}/Plan.odt", "mine")
        self.wait_for_end_icon("resolved", False)

    def menu_pauses_and_resumes(self) -> None:
        """A click on our items reaches the provider, and what they say follows the folder."""
        for wanted in (True, False):
            # What cannot be chosen, the Down key passes over: a paused folder is not synced now.
            menu = self.open_menu(ENTRIES - (0 if wanted else 1))
            self.desktop.shoot("the menu to pause" if wanted else "the menu to resume")
            if wanted:
                menu.open_submenu(len(menu.entries()) - 3)
                menu.choose(len(menu.entries()) - 1)
            else:
                menu.choose(len(menu.entries()) - 3)
            wait_for(f"paused to be {wanted}", lambda: (self.status()["state"] == "paused") == wanted)

    def open_menu(self, count: int) -> Menu:
        """The menu with so many entries. On a busy machine the worker may be later than the service waits for it; then the
        menu lacks its items, and is opened again."""
        x, y = self.icon.centre
        seen = []
        for _ in range(ATTEMPTS):
            menu = Menu(self.screen, x + 40, y)
            if len(menu.entries()) == count:
                return menu
            seen.append(len(menu.entries()))
            menu.close()
        raise Failure(f"the menu has {seen} entries, not {count}")

    def rows_come_and_go(self) -> None:
        other = str(self.desktop.home / "Photos")
        os.makedirs(other)
        os.makedirs(self.remote + "-2")
        self.roundel("add", other, self.remote + "-2", "--wait")
        wait_for("a second row", lambda: len(self.rows()) == 2)
        self.desktop.shoot("two rows")
        self.roundel("remove", other)
        wait_for("one row", lambda: len(self.rows()) == 1)

    def rows(self) -> list[Box]:
        return [box for box in self.screen.grab().boxes(ROW_ICON) if box.left < SIDEBAR]

    def service_dies(self) -> None:
        self.service.kill()
        wait_for("the row after a crash", lambda: self.service.is_running() and len(self.rows()) == 1)
        self.desktop.shoot("after a crash")

    def run(self) -> None:
        self.desktop.add_test_icon("org.roundel.Roundel", ROW_ICON)
        # Adwaita draws the icons of a sidebar half transparent; their colour would be another one on each row.
        self.desktop.write_setting("gtk-4.0/gtk.css", "image { opacity: 1; }\n")
        self.make_folder()
        self.row_is_there()
        self.row_opens_the_folder()
        self.trouble(self.syncing())
        self.text_of_the_state()
        self.menu_pauses_and_resumes()
        self.rows_come_and_go()
        self.service_dies()
        self.point_elsewhere()
        self.file_manager.close()
        self.file_manager.leave()
