"""More directories that are not synced than the metadata helper observes at one time."""
import os
from collections.abc import Iterable

import wire
from desktop import Desktop
from file_manager import FileManager
from metadata_helper import MetadataHelper, emblems
from provider import ProvidedService
from waiting import Failure, wait_for

LIMIT = 1000       # directories observed at one time, the folder and its parent among them
DIRECTORIES = 1100
SYNCED_LATER = 200


class MetadataLimitsScenario:
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.helper = MetadataHelper(desktop)
        self.sync = str(desktop.home / "Sync")
        self.directories = [os.path.join(self.sync, f"{number:04}") for number in range(DIRECTORIES)]

    def make_files(self) -> None:
        self.service.badges[os.path.dirname(self.sync)] = {os.path.basename(self.sync): ("error", 0, 255)}
        self.service.badges[self.sync] = {os.path.basename(path): ("error", 0, 255) for path in self.directories}
        for path in self.directories:
            os.makedirs(path)
            with open(path + "/file.txt", "w") as file:
                file.write("text\n")
            self.service.badges[path] = {"file.txt": ("error", 0, 255)}
        self.service.folders = [self.sync]

    def recorded(self, paths: Iterable[str]) -> int:
        known = self.helper.recorded() if self.helper.ledger.exists() else {}
        return sum(1 for path in paths if wire.uri(path) in known)

    def recorded_files(self) -> int:
        return self.recorded(path + "/file.txt" for path in self.directories)

    def observed(self) -> int:
        counts: dict[str, int] = {}
        for member, uri in self.desktop.observations():
            counts[uri] = counts.get(uri, 0) + (1 if member == "Begin" else -1)
        return sum(counts.values())

    def full(self) -> None:
        """Every directory is marked, for the folder is observed; what is in them as far as there is room."""
        self.helper.start()
        wait_for("every directory", lambda: self.recorded(self.directories) == DIRECTORIES)
        wait_for("what there is room for", lambda: self.recorded_files() == LIMIT - 2)
        self.desktop.settle_monitor()
        if self.observed() != LIMIT:
            raise Failure(f"{self.observed()} directories are observed, not {LIMIT}")
        wait_for("a word of what is left out", lambda: "show no emblems" in self.desktop.log("roundel-metadata"))

    def room_again(self) -> None:
        for path in self.directories[:SYNCED_LATER]:
            self.service.badges[path]["file.txt"] = ("synced", 0, 255)
            self.service.set_badge(path, "synced")
        wait_for("the others", lambda: self.recorded_files() == DIRECTORIES - SYNCED_LATER)
        if self.recorded(self.directories) != DIRECTORIES - SYNCED_LATER:
            raise Failure("a synced directory carries an emblem")

    def run(self) -> None:
        self.make_files()
        self.service.start()
        self.full()
        self.room_again()
        self.helper.end()
        if self.helper.recorded() or emblems(self.desktop, self.directories[-1]):
            raise Failure(f"{len(self.helper.recorded())} emblems were left behind")

    def explain(self) -> list[str]:
        return [f"{self.observed()} observed, {self.recorded_files()} files recorded",
                *self.desktop.last_lines("roundel-metadata")]
