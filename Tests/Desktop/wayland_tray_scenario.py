"""The tray's item in GNOME Shell, with the extension that shows trays, and in Plasma (F11): as in a panel on X11, and with an
activation token in all that may bring up a window."""
import pathlib
import shutil

import compositors
from compositors import EMPTY, PLASMA, Compositor
from desktop import Desktop
from file_manager import FileManager
from provider import ProvidedService
from screen import Box
from tray_scenario import TrayScenario
from waiting import Failure

NEIGHBOUR = 28              # pixels from one icon of Plasma's tray to the next
REFUSED = "not-granted"     # how a token of KWin begins that is good for nothing


class WaylandTrayScenario(TrayScenario):
    compositor: Compositor

    def prepare(self) -> None:
        self.compositor.start()

    def expect_icon(self, state: str) -> Box:
        # Under the pointer an icon is brighter.
        self.screen.move(*EMPTY)
        return super().expect_icon(state)

    def check_token(self, token: str) -> None:
        print(f"    activation token: {token}", flush=True)
        if not token or token.startswith(REFUSED):
            raise Failure(f"the activation token is “{token}”")


class GnomeTrayScenario(WaylandTrayScenario):
    """One click opens the menu, two activate. The panel is the shell itself; what goes and comes is the extension, as it does
    whenever the screen is locked."""
    clicks = 2
    compositor: compositors.GnomeShell

    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.compositor = compositors.GnomeShell(desktop)

    def prepare(self) -> None:
        # Of an item's icon that no theme has which the shell knows, the extension shows dots when it has come back.
        program = shutil.which("roundeld", path=self.desktop.environment["PATH"])
        self.desktop.environment["XDG_DATA_DIRS"] += f":{pathlib.Path(program or '/').parent.parent}/share"
        super().prepare()

    def start_panel(self) -> None:
        self.compositor.show_tray(True)

    def end_panel(self) -> None:
        self.compositor.show_tray(False)


class PlasmaTrayScenario(WaylandTrayScenario):
    """With the panel that Plasma has when it is started first."""
    submenu_keys = ("Return", "Return")  # the first one highlights it

    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.compositor = compositors.Kwin(desktop)

    def prepare(self) -> None:
        super().prepare()
        # Trays are told of each other by a module of it.
        self.desktop.spawn("kded6", ["kded6"], **self.compositor.client(), **PLASMA)

    def start_panel(self) -> None:
        self.panel = self.desktop.spawn("plasmashell", ["plasmashell", "--no-respawn"], **self.compositor.client(), **PLASMA)

    def hover(self, box: Box) -> None:
        # Where a tooltip is shown already, the next one comes at once.
        x, y = box.centre
        self.screen.move(x + NEIGHBOUR, y)
        self.screen.wait_until_still(1.5)
        super().hover(box)
