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
from waiting import Failure, wait_for

NEIGHBOUR = 28              # pixels from one icon of Plasma's tray to the next
TOOLTIP = 40                # pixels to which it reaches at least above the icon, and twice that to its left
REFUSED = "not-granted"     # how a token of KWin begins that is good for nothing


class WaylandTrayScenario(TrayScenario):
    compositor: Compositor

    def prepare(self) -> None:
        self.compositor.start()

    # Under the pointer an icon is brighter, or behind the circle that stands for a program being started.

    def expect_icon(self, state: str) -> Box:
        self.screen.move(*EMPTY)
        return super().expect_icon(state)

    def expect_no_icon(self) -> None:
        self.screen.move(*EMPTY)
        self.screen.wait_until_still()
        super().expect_no_icon()

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
        # The first time that a pointer jumps there and stays brings up no tooltip.
        x, y = box.centre
        for place in (x, x + NEIGHBOUR, x):
            before = self.screen.wait_until_still(1)
            self.screen.move(place, y)

        def shown() -> bool:
            change = self.screen.grab().difference(before)
            return change is not None and change.top < box.top - TOOLTIP and change.left < box.left - 2 * TOOLTIP
        wait_for("the tooltip", shown)
