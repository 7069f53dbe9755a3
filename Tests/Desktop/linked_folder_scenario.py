"""A folder that is opened by a symbolic link to it, by one into it and by one that lies in it: badges, their changes and
menus are as in the folder, and the provider sees its own spelling alone."""
import os

import wire
from desktop import COLOURS, Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from menu_provider import CONTAINER, ITEMS, MenuProvider, Values, entry
from provider import ProvidedService
from waiting import Failure, pump, wait_for


class LinkedFolderScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.provider = MenuProvider(service, self.offer)
        self.links = desktop.home / "Elsewhere" / "Links"
        self.shortcut = self.sync + "/shortcut"

    def offer(self) -> list[Values]:
        return [entry("sync", "Sync Now")]

    def prepare(self) -> None:
        self.make_files("a.txt", "sub/b.txt", "other/b.txt")
        os.makedirs(self.links)
        os.symlink(self.sync, self.links / "whole")
        os.symlink("../Links/whole/sub", self.links / "inside")
        os.symlink("sub", self.shortcut)
        self.service.set_badge(self.sync + "/a.txt", "synced")
        self.service.set_badge(self.sync + "/sub", "conflict")
        self.service.set_badge(self.sync + "/sub/b.txt", "error")
        self.service.set_badge(self.sync + "/other/b.txt", "pending")
        self.service.set_badge(self.shortcut, "excluded")
        self.service.start()

    def whole(self) -> None:
        self.file_manager.open(str(self.links / "whole"))
        self.file_manager.expect_shown("folder behind a link", ["synced", "conflict", "excluded"])
        self.expect_told([("Begin", wire.uri(self.sync))])
        self.desktop.shoot("folder behind a link")
        self.service.set_badge(self.sync + "/a.txt", "syncing")
        self.file_manager.expect_shown("change behind a link", ["syncing", "conflict"], ["synced"])

    def expect_told(self, wanted: list[tuple[str, str]]) -> None:
        wait_for(f"the provider is told {wanted}", lambda: self.service.told[-len(wanted):] == wanted)

    def menus(self) -> None:
        """Of an item and of the background: the provider is asked about its own items."""
        self.ask_for_item("syncing", self.sync, "a.txt")
        window = self.screen.window_box(self.screen.windows(self.file_manager.window_class)[0])
        self.screen.click(window.right - 120, window.bottom - 120)
        self.screen.wait_until_still()
        self.ask((window.right - 120, window.bottom - 120), CONTAINER, self.sync, [])

    def ask_for_item(self, badge: str, directory: str, name: str) -> None:
        """The menu of the item that has this badge; the provider knows it by this name in this directory."""
        picture = self.desktop.screen.wait_until_still()
        box = picture.boxes(COLOURS[badge])[0]
        # Dolphin takes a click on an overlay for one on the button that selects.
        place = (box.left - 20, box.top) if self.file_manager.name == "dolphin" else box.centre
        self.ask(place, ITEMS, directory, [wire.uri(f"{directory}/{name}")])

    def ask(self, place: tuple[int, int], kind: int, directory: str, selection: list[str]) -> None:
        before = self.screen.wait_until_still()
        self.screen.right_click(*place)
        wait_for("a menu", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still()
        self.desktop.shoot(f"menu of kind {kind}")
        self.screen.keys("Escape")
        self.screen.wait_until_still()
        wanted = (kind, wire.uri(directory), selection)
        wait_for(f"the question {wanted}", lambda: wanted in self.provider.asked)

    def inside(self) -> None:
        self.file_manager.open(str(self.links / "inside"))
        self.file_manager.expect_shown("directory behind a chain of links", ["error"])
        self.expect_told([("Begin", wire.uri(self.sync + "/sub"))])
        self.desktop.shoot("directory behind a chain of links")
        self.file_manager.close_active()
        self.expect_told([("End", wire.uri(self.sync + "/sub"))])

    def within(self) -> None:
        """By a link that lies in the folder itself, and that is made to lead elsewhere while it is shown."""
        self.file_manager.open(self.shortcut)
        self.file_manager.expect_shown("directory behind a link in the folder", ["error"])
        self.expect_told([("Begin", wire.uri(self.sync + "/sub"))])
        self.service.set_badge(self.sync + "/sub/b.txt", "paused")
        self.file_manager.expect_shown("change behind a link in the folder", ["paused"], ["error"])
        self.ask_for_item("paused", self.sync + "/sub", "b.txt")
        # What is selected has other colours.
        window = self.screen.window_box(self.screen.active_window())
        self.screen.click(window.right - 120, window.bottom - 120)
        os.symlink("other", self.sync + "/new")
        os.rename(self.sync + "/new", self.shortcut)
        self.file_manager.expect_shown("link that leads elsewhere now", ["pending"], ["paused"])
        if any(self.shortcut in uri for _, uri in self.service.told):
            raise Failure(f"the provider was told a name that is not its own: {self.service.told}")
        self.file_manager.close_active()

    def elsewhere(self) -> None:
        """Whoever looks elsewhere costs one question for the directory."""
        self.file_manager.open(str(self.links))
        wait_for("the question", lambda: self.begun(str(self.links)) == 1)
        self.screen.wait_until_still()
        pump(0.5)
        if self.begun(str(self.links)) != 1:
            raise Failure(f"asked {self.begun(str(self.links))} times about a directory elsewhere")
        self.file_manager.close_active()

    def begun(self, path: str) -> int:
        return self.desktop.observations().count(("Begin", wire.uri(path)))

    def run(self) -> None:
        self.prepare()
        self.whole()
        self.menus()
        self.inside()
        self.within()
        self.elsewhere()
        self.end()
