"""`roundel check-host` plays the badge service for a file manager with our plugin, which breaks no rule."""
import json
import subprocess

from desktop import Desktop
from file_manager import FileManager
from waiting import Failure, wait_for

# What shows only where a person opens a menu, a page of properties, another folder, or one of very many files.
UNSEEN = {"menus", "attributes", "pages", "limits", "ends"}


class CheckHostScenario:
    def __init__(self, desktop: Desktop, service: object, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.file_manager = file_manager

    def run(self) -> None:
        report = self.desktop.work / "check.json"
        with report.open("wb") as output, (self.desktop.work / "check.log").open("wb") as log:
            self.desktop.logs["check"] = log.name
            check = subprocess.Popen(["roundel", "check-host", "--json", "--", *self.file_manager.command, "{}"],
                                     env=self.desktop.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=log,
                                     start_new_session=True)
        self.desktop.processes.append(check)
        wait_for("a window", lambda: self.desktop.screen.windows(self.file_manager.window_class))
        wait_for("the end of the check", lambda: check.poll() is not None)
        rules = {rule["rule"]: rule for rule in json.loads(report.read_text())["rules"]}
        broken = {name: rule["seen"] for name, rule in rules.items() if rule["outcome"] == "failed"}
        unplayed = {name for name, rule in rules.items() if rule["outcome"] == "not-played"}
        if broken or not unplayed <= UNSEEN:
            raise Failure(f"it broke {broken}, and did not show {unplayed - UNSEEN}")
        print(f"  kept: {sorted(set(rules) - unplayed)}", flush=True)
