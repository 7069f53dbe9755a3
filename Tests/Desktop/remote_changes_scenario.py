"""What comes from the remote stays in the window: a file manager that is told that a name went, last, would show less
than there is, until it looks again."""
import os
from typing import Any

from desktop import Desktop
from file_manager import FileManager
from installed import InstalledServices
from metadata_scenario import set_icon_theme
from waiting import Failure, wait_for

FILE_COLOUR = "F4B6D2"
STILL = 1.0  # seconds without a change after which everything that was told is drawn
FILES = ["One.txt", "Two.txt", "Three.txt", "Four.txt", "Five.txt"]


class RemoteChangesScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.file_manager = file_manager
        self.roundel = service.roundel
        self.folder = str(desktop.home / "Documents")
        self.remote = str(desktop.work / "remote")

    def write(self, directory: str, name: str, text: str) -> None:
        with open(os.path.join(directory, name), "w") as file:
            file.write(text)

    def sync(self) -> None:
        self.roundel("sync", self.folder, "--wait")

    # What is shown

    def items(self) -> int:
        """How many files the window shows, once it stands still."""
        boxes = self.desktop.screen.wait_until_still(STILL).boxes(FILE_COLOUR, gap=1)
        tallest = max((box.bottom - box.top for box in boxes), default=0)
        return sum(2 * (box.bottom - box.top) > tallest for box in boxes)

    def expect_items(self, what: str, count: int) -> None:
        there = sum(not name.startswith(".") for name in os.listdir(self.folder))
        if there != count:
            raise Failure(f"{what}: {there} files are in the folder, not {count}")
        seen: list[Any] = []

        def shown() -> bool:
            seen[:] = [self.items()]
            return seen == [count]
        try:
            wait_for(what, shown)
        except Failure as failure:
            raise Failure(f"{failure}; of {count} files {seen[0]} are shown") from None
        self.desktop.shoot(what)
        print(f"  {what}: {count} files shown", flush=True)

    # Steps

    def folder_is_opened(self) -> None:
        set_icon_theme(self.desktop, "RoundelTest")
        for icon in ("text-x-generic", "text-plain"):
            self.desktop.add_test_icon(icon, FILE_COLOUR)
        os.mkdir(self.folder)
        os.mkdir(self.remote)
        for name in FILES:
            self.write(self.folder, name, "text\n")
        self.roundel("add", self.folder, self.remote, "--wait")
        self.file_manager.open(self.folder)
        # An item below the pointer is drawn in other colours.
        self.desktop.screen.move(2, 2)
        self.expect_items("at first", 5)

    def remote_changes(self) -> None:
        for name in FILES[:2]:
            self.write(self.remote, name, "another text\n")
        self.sync()
        self.expect_items("changed at the remote", 5)
        self.write(self.remote, "Six.txt", "text\n")
        self.sync()
        self.expect_items("new at the remote", 6)

    def conflict(self, name: str, choice: Any) -> None:
        self.roundel("pause", self.folder)
        self.write(self.folder, name, "mine\n")
        self.write(self.remote, name, "theirs\n")
        self.roundel("resume", self.folder)
        self.sync()
        self.expect_items(f"conflict over {name}", 7)
        self.roundel("resolve", os.path.join(self.folder, name), choice)
        self.sync()
        self.expect_items(f"{choice} kept", 6)
        with open(os.path.join(self.folder, name)) as file:
            if file.read() != f"{choice}\n":
                raise Failure(f"{name} is not the version that was chosen")

    def remote_deletes(self) -> None:
        os.unlink(os.path.join(self.remote, FILES[4]))
        self.sync()
        self.expect_items("deleted at the remote", 5)

    def run(self) -> None:
        self.folder_is_opened()
        self.remote_changes()
        self.conflict(FILES[2], "mine")
        self.conflict(FILES[3], "theirs")
        self.remote_deletes()
        self.file_manager.close()
