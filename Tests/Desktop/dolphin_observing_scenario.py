"""What is observed follows what Dolphin shows, exactly (F3, F4, F5): in tabs, split panes, expanded branches and windows,
each of which is a process of its own."""
import os
import signal
from collections.abc import Callable, Sequence

from desktop import Desktop
from file_manager import FileManager
from observing_scenario import ObservingScenario
from provider import ProvidedService


class DolphinObservingScenario(ObservingScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.counts_every_tab = True
        self.home = os.path.dirname(self.sync)

    def settle(self) -> None:
        """What is selected is drawn in other colours."""
        self.desktop.screen.wait_until_still(1)
        self.keys("Escape")

    def navigation(self) -> None:
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("opened", ["synced", "conflict"])
        self.expect("opened", begin=[self.sync])
        self.keys("alt+Up")
        self.settle()
        self.file_manager.expect_shown("up", ["excluded"], ["synced"])
        self.expect("up", begin=[self.home], end=[self.sync])
        self.keys("alt+Left")
        self.file_manager.expect_shown("back", ["synced"], ["excluded"])
        self.expect("back", begin=[self.sync], end=[self.home])
        self.keys("F5")
        self.file_manager.expect_shown("reloaded", ["synced"])
        self.expect("reloaded")

    def tabs(self) -> None:
        self.keys("ctrl+t")
        self.expect("second tab of the same folder")
        self.keys("alt+Up")
        self.settle()
        self.file_manager.expect_shown("second tab elsewhere", ["excluded"], ["synced"])
        self.expect("second tab elsewhere", begin=[self.home])
        self.keys("ctrl+Tab")
        self.file_manager.expect_shown("first tab", ["synced"], ["excluded"])
        self.expect("first tab")
        self.keys("ctrl+w")
        self.settle()
        self.file_manager.expect_shown("first tab closed", ["excluded"], ["synced"])
        self.expect("first tab closed", end=[self.sync])
        self.keys("alt+Left")
        self.file_manager.expect_shown("back in the second tab", ["synced"], ["excluded"])
        self.expect("back in the second tab", begin=[self.sync], end=[self.home])

    def background_tab(self) -> None:
        """One that is not in front is closed by the middle mouse button; the window's title stays as it is."""
        self.keys("ctrl+t")
        self.keys("alt+Up")
        self.settle()
        self.file_manager.expect_shown("tab in front", ["excluded"], ["synced"])
        self.expect("tab in front", begin=[self.home])
        self.desktop.screen.click(*self.first_tab(), button=2)
        self.expect("closed in the background", end=[self.sync])
        self.desktop.shoot("closed in the background")
        self.keys("alt+Left")
        self.file_manager.expect_shown("back in the tab in front", ["synced"], ["excluded"])
        self.expect("back in the tab in front", begin=[self.sync], end=[self.home])

    def first_tab(self) -> tuple[int, int]:
        """A place on the first tab, right of the side panel and below the tool bar."""
        window = self.desktop.screen.window_box(self.desktop.screen.windows(self.file_manager.window_class)[0])
        return window.left + 300, window.top + 34

    def split_panes(self) -> None:
        self.keys("F3")
        self.expect("second pane of the same folder")
        self.keys("alt+Up")
        self.settle()
        self.file_manager.expect_shown("second pane elsewhere", ["excluded", "synced"])
        self.expect("second pane elsewhere", begin=[self.home])
        self.keys("F3")
        self.file_manager.expect_shown("pane closed", ["synced"], ["excluded"])
        self.expect("pane closed", end=[self.home])

    def branches(self) -> None:
        """In the detailed view a folder is unfolded in its place."""
        self.keys("ctrl+3")
        self.file_manager.expect_shown("detailed view", ["synced", "conflict"], ["error"])
        self.expect("detailed view")
        self.keys("Home", "Right")
        self.file_manager.expect_shown("unfolded", ["synced", "error"])
        self.expect("unfolded", begin=[self.sub])
        self.service.set_badge(self.sub + "/b.txt", "syncing")
        self.file_manager.expect_shown("change in the branch", ["synced", "syncing"], ["error"])
        self.service.set_badge(self.sub + "/b.txt", "error")
        self.keys("Home", "Left")
        self.file_manager.expect_shown("folded", ["synced"], ["error"])
        self.expect("folded", end=[self.sub])
        self.keys("ctrl+1")
        self.file_manager.expect_shown("icons again", ["synced"], ["error"])
        self.expect("icons again")

    def windows(self) -> None:
        self.file_manager.open(self.sub)
        self.file_manager.expect_shown("another window", ["error"])
        self.expect("another window", begin=[self.sub])
        self.file_manager.close_active()
        self.expect("closed window", end=[self.sub])

    def killed(self) -> None:
        os.kill(self.file_manager.process.pid, signal.SIGKILL)
        self.file_manager.process.wait()
        self.expect_told("killed", end=[self.sync])

    def last_window(self) -> None:
        self.file_manager.forget_process()
        self.file_manager.open(self.sync + "/")
        self.file_manager.expect_shown("opened by a path with a slash", ["synced"])
        self.expect("opened by a path with a slash", begin=[self.sync])
        self.close_last_window()

    def steps(self) -> Sequence[Callable[[], None]]:
        return (
            self.navigation, self.tabs, self.background_tab, self.split_panes, self.branches, self.windows, self.killed,
            self.last_window)
