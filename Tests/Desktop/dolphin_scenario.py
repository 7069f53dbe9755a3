"""Dolphin with every badge, change and event that a plugin can meet."""
from typing import Any, ClassVar

import emblem_scenario
import wire
from emblem_scenario import EmblemScenario
from waiting import Failure, wait_for


class DolphinScenario(EmblemScenario):
    # Dolphin itself cannot name a file whose name is not UTF-8: it neither opens nor renames it.
    odd_names: ClassVar[dict[str, bytes]] = {
        state: name for state, name in emblem_scenario.ODD_NAMES.items() if b"\xff" not in name}

    def go_up(self) -> None:
        """What is selected is drawn in other colours, and Dolphin selects the folder that it comes from."""
        super().go_up()
        self.desktop.screen.wait_until_still(1)
        self.desktop.screen.keys("Escape")

    def expect_observers(self, what: str, counts: Any) -> None:
        wanted = {wire.uri(path): count for path, count in counts.items()}
        try:
            wait_for(what, lambda: self.file_manager.observed_now() == wanted)
        except Failure as failure:
            raise Failure(f"{failure}; wanted {wanted}, observed {self.file_manager.observed_now()}") from None

    def second_window(self) -> None:
        """Each window is a process, and each observes for itself."""
        self.file_manager.open(self.sync)
        self.expect_observers("two windows", {self.sync: 2})
        self.file_manager.open(self.sync + "/sub")
        self.file_manager.expect_shown("sub", ["error"])
        self.expect_observers("three windows", {self.sync: 2, self.sync + "/sub": 1})
        self.file_manager.close_active()
        self.expect_observers("the third window ended", {self.sync: 2})
        self.file_manager.close_active()
        self.expect_observers("the first window still observes", {self.sync: 1})
