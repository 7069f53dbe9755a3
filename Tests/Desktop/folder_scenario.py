"""What the scenarios have in common that play a provider with one folder in one file manager."""
import pathlib

from desktop import Desktop
from file_manager import FileManager
from provider import ProvidedService


class FolderScenario:
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.service = service
        self.file_manager = file_manager
        self.sync = str(desktop.home / "Sync")

    def make_files(self, *paths: str) -> None:
        """Makes files of a few bytes, in the folder where their paths are relative; the service has the folder then."""
        for path in paths:
            file = pathlib.Path(self.sync, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("text\n")
        self.service.folders = [self.sync]

    def end(self) -> None:
        """The file manager closes and has said nothing against us."""
        self.file_manager.close()
        self.file_manager.leave()
        self.file_manager.nothing_complained()
