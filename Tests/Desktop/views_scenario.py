"""What is shown elsewhere than in a plain view of its directory: the rows of an expanded one, what a search found, and
the desktop. A name that is made again has its badge again."""
import os
import subprocess

import list_view
from desktop import Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from provider import ProvidedService
from waiting import wait_for

EXPANDERS = {
    "nautilus": "[org/gnome/nautilus/list-view]\nuse-tree-view=true\n",
    "nemo": "[org/nemo/list-view]\nenable-folder-expansion=true\n",
    "caja": "",  # it always has them
}
DESKTOPS = {"nemo": ["nemo-desktop"], "caja": ["caja", "--force-desktop", "--no-default-window"]}


def has_expanders(name: str, environment: dict[str, str]) -> bool:
    """Nautilus 43 has none."""
    if name != "nautilus":
        return True
    version = subprocess.run([name, "--version"], capture_output=True, text=True, check=True,
                             env=environment).stdout
    return int(version.split()[-1].split(".")[0]) > 43


class ViewsScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.sub = self.sync + "/a-directory"
        self.found = self.sub + "/find.txt"
        self.desk = str(desktop.home / "Desktop")
        preferences, _ = list_view.SCHEMAS[file_manager.name]
        desktop.write_setting("glib-2.0/settings/keyfile", f"[{preferences}]\ndefault-folder-viewer='list-view'\n\n"
                              + EXPANDERS[file_manager.name])

    def prepare(self) -> None:
        self.make_files("again.txt", "a-directory/find.txt", self.desk + "/on-it.txt")
        self.service.folders.append(self.desk)
        self.service.set_badge(self.sync + "/again.txt", "synced")
        self.service.set_badge(self.sub, "conflict")
        self.service.set_badge(self.found, "error")
        self.service.set_badge(self.desk + "/on-it.txt", "paused")
        self.service.start()

    def name_made_again(self) -> None:
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("list", ["synced", "conflict"], ["error"])
        os.unlink(self.sync + "/again.txt")
        self.file_manager.expect_shown("name gone", ["conflict"], ["synced"])
        with open(self.sync + "/again.txt", "w") as file:
            file.write("another text\n")
        self.file_manager.expect_shown("name made again", ["conflict", "synced"])

    def expanded_rows(self) -> None:
        self.screen.keys("Home", "Right")
        self.file_manager.expect_shown("expanded", ["synced", "error"])
        self.file_manager.expect_observed("the expanded directory", self.sync, self.sub)
        self.service.set_badge(self.found, "syncing")
        self.file_manager.expect_shown("change in a branch", ["synced", "syncing"], ["error"])
        self.service.set_badge(self.found, "error")
        self.screen.keys("Left")
        self.file_manager.expect_shown("collapsed", ["synced"], ["error"])

    def search(self) -> None:
        before = self.screen.wait_until_still()
        self.screen.keys("ctrl+f")
        wait_for("a place to write in", lambda: self.screen.grab().difference(before))
        self.screen.type("find")
        if self.file_manager.name != "nautilus":
            self.screen.keys("Return")
        self.file_manager.expect_shown("found", ["error"], ["synced"])
        self.file_manager.expect_observed("the directory of what was found", self.sub)
        self.service.set_badge(self.found, "syncing")
        self.file_manager.expect_shown("change of what was found", ["syncing"], ["error"])

    def on_the_desktop(self) -> None:
        self.file_manager.forget_process()
        process = self.desktop.spawn(self.file_manager.name, DESKTOPS[self.file_manager.name])
        self.file_manager.expect_shown("desktop", ["paused"])
        self.file_manager.expect_observed("the desktop", self.desk)
        self.service.set_badge(self.desk + "/on-it.txt", "error")
        self.file_manager.expect_shown("change on the desktop", ["error"], ["paused"])
        process.terminate()
        process.wait()

    def run(self) -> None:
        self.prepare()
        self.name_made_again()
        if has_expanders(self.file_manager.name, self.desktop.environment):
            self.expanded_rows()
        self.search()
        self.file_manager.close()
        self.file_manager.nothing_complained()
        if self.file_manager.name in DESKTOPS:
            self.on_the_desktop()
