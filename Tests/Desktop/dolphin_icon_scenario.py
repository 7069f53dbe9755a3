"""Where no icon theme has our icons, Dolphin takes them from the place that the service names."""
import os
import re
import subprocess

import wire
from desktop import Desktop
from file_manager import FileManager
from provider import ProvidedService

EMBLEMS = "share/icons/hicolor/scalable/emblems"


class DolphinIconScenario:
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.file_manager = file_manager
        self.sync = str(desktop.home / "Sync")

    def colour(self, name: str) -> str:
        """The first colour in the picture of an emblem that is installed with the service."""
        prefix = os.path.dirname(os.path.dirname(self.program()))
        with open(f"{prefix}/{EMBLEMS}/emblem-roundel-{name}.svg") as file:
            return str(re.findall(r'fill="#([0-9a-fA-F]{6})"', file.read())[0]).upper()

    def program(self) -> str:
        found = subprocess.run(["sh", "-c", "command -v roundeld"], env=self.desktop.environment, capture_output=True,
                               text=True, check=True)
        return os.path.realpath(found.stdout.strip())

    def run(self) -> None:
        os.makedirs(self.sync)
        for name in ("a.txt", "b.txt"):
            with open(f"{self.sync}/{name}", "w") as file:
                file.write("text\n")
        self.service.set_badge(self.sync + "/a.txt", "synced", wire.PINNED)
        self.service.set_badge(self.sync + "/b.txt", "error")
        self.service.folders = [self.sync]
        self.desktop.remove_test_icons()
        self.service.start()
        self.file_manager.open(self.sync)
        for name in ("synced", "pinned", "error"):
            self.desktop.screen.wait_for_colour(self.colour(name))
        self.desktop.screen.wait_until_still()
        self.desktop.shoot("icons of the service")
        self.file_manager.close()
        self.file_manager.leave()
        self.file_manager.nothing_complained()
