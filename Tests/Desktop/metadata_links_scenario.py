"""Emblems from metadata where a folder is opened by symbolic links: to it, into it, and from one directory of it to another."""
import os

from desktop import Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from metadata_helper import MetadataHelper
from metadata_scenario import set_icon_theme
from provider import ProvidedService


class MetadataLinksScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.helper = MetadataHelper(desktop)
        self.links = desktop.home / "Elsewhere"

    def prepare(self) -> None:
        set_icon_theme(self.desktop, "RoundelTest")
        self.make_files("a.txt", "sub/b.txt")
        os.makedirs(self.links)
        os.symlink("../Sync", self.links / "whole")
        os.symlink(self.links / "whole" / "sub", self.links / "inside")
        os.symlink("sub", self.sync + "/shortcut")
        for name, state in (("a.txt", "conflict"), ("sub", "error"), ("sub/b.txt", "error")):
            self.service.set_badge(f"{self.sync}/{name}", state)
        self.service.set_badge(self.sync, "error")
        self.service.start()
        self.helper.start()

    def opened(self, what: str, path: str, present: list[str]) -> None:
        """Shows these badges, and then the change of one and back."""
        self.file_manager.open(path)
        self.file_manager.expect_shown(what, present)
        self.service.set_badge(self.sync + "/sub/b.txt", "paused")
        self.service.set_badge(self.sync + "/a.txt", "paused")
        self.file_manager.expect_shown(f"change in {what}", ["paused"], ["conflict"])
        self.service.set_badge(self.sync + "/sub/b.txt", "error")
        self.service.set_badge(self.sync + "/a.txt", "conflict")
        self.file_manager.expect_shown(f"change back in {what}", present, ["paused"])
        self.file_manager.close_active()

    def run(self) -> None:
        self.prepare()
        self.opened("folder behind a link", str(self.links / "whole"), ["conflict", "error"])
        self.opened("directory behind a chain of links", str(self.links / "inside"), ["error"])
        self.opened("directory behind a link in the folder", self.sync + "/shortcut", ["error"])
        self.helper.end()
        self.helper.nothing_complained()

    def explain(self) -> list[str]:
        said = self.desktop.last_lines("roundel-metadata")
        return [f"recorded: {self.helper.recorded()}", *said] if self.helper.ledger.exists() else said
