"""The desktop's own dialog for files, as programs get it over the bus: xdg-desktop-portal with GTK's dialog. A person types
the path into it."""
import pathlib

from desktop import Desktop
from installed import InstalledServices
from scenarios import PORTALS
from waiting import pump, wait_for


class FilePortal:
    def __init__(self, desktop: Desktop, service: InstalledServices) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.service = service

    def start(self) -> None:
        self.desktop.write_setting("xdg-desktop-portal/portals.conf", "[preferred]\ndefault=gtk\n")
        for name, program in PORTALS.items():
            self.desktop.spawn(name.rpartition(".")[2] + "-portal", [program])
            wait_for(f"{name} on the bus", lambda name=name: self.service.is_running(name))  # type: ignore[misc]

    def choose(self, title: str, path: pathlib.Path, what: str) -> None:
        """Types a path into the dialog of that title, which ends with it."""
        self._wait(title)
        # The first slash opens the field for a path, which takes a moment.
        self.screen.keys("slash")
        self.screen.wait_until_still()
        self.screen.type(str(path).removeprefix("/"))
        self.screen.wait_until_still(0.6)
        self.desktop.shoot(what)
        self.screen.keys("Return")
        self._wait_for_end(title)

    def close(self, title: str, what: str) -> None:
        """Leaves the dialog without a choice."""
        self._wait(title)
        self.desktop.shoot(what)
        self.screen.keys("Escape")
        self._wait_for_end(title)

    def _wait(self, title: str) -> None:
        window = wait_for(f"a dialog “{title}”", lambda: self.screen.windows_named(title))[0]
        self.screen.activate(window)
        self.screen.wait_until_still(0.5)

    def _wait_for_end(self, title: str) -> None:
        wait_for(f"the end of the dialog “{title}”", lambda: not self.screen.windows_named(title))
        pump(0.2)
