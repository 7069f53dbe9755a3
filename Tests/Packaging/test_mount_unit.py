"""A folder on demand under a real user manager of systemd: it is mounted by a unit, again when its program is killed, and the
unit goes with the folder."""
import os
import pathlib
import signal
import subprocess
import sys
import unittest

from servers import until
from session import Session, end, wait_for_ends

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Edge"))
import file_systems

PREFIX = os.environ.get("ROUNDEL_PREFIX", "")
MANAGER = "/usr/lib/systemd/systemd"


def reason() -> str | None:
    """Why this cannot be played here, or None."""
    if not PREFIX:
        return "ROUNDEL_PREFIX does not name an installation"
    if os.geteuid() != 0:
        return "only root can let a manager of systemd believe that the system was booted by it"
    if not os.access(MANAGER, os.X_OK) or not os.access("/usr/bin/systemctl", os.X_OK):
        return "not installed: systemd"
    return file_systems.lacking("FUSE") or None


@unittest.skipIf(reason(), reason() or "")
class MountUnitTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        file_systems.enter_namespace()
        if not os.path.isdir("/run/systemd/system"):
            os.makedirs("/run/systemd", exist_ok=True)
            subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run/systemd"], check=True)
            os.mkdir("/run/systemd/system")

    def setUp(self) -> None:
        self.session = Session(PREFIX, is_secluded=True)
        self.addCleanup(self.session.close)
        self.manager = subprocess.Popen(
            [MANAGER, "--user", "--unit=basic.target", "--log-target=console"], env=self.session.environment,
            stdin=subprocess.DEVNULL, stdout=self.session.log, stderr=self.session.log)
        self.addCleanup(self.end_manager)
        until("the manager", lambda: self.systemctl("show", "--property=Version"))
        self.folder, self.remote = self.session.home / "Cloud", self.session.root / "remote"
        for directory in (self.folder, self.remote):
            directory.mkdir()
        (self.remote / "film").write_text("a film\n")
        self.addCleanup(self.end_services)

    def end_services(self) -> None:
        services = self.session.services()
        for process in services:
            end(process, signal.SIGTERM)
        wait_for_ends("the services to end on SIGTERM", services)
        subprocess.run(["fusermount3", "-uqz", str(self.folder)], check=False)

    def end_manager(self) -> None:
        self.manager.terminate()
        self.manager.wait()

    def systemctl(self, *arguments: str) -> str:
        return subprocess.run(
            ["systemctl", "--user", *arguments], env=self.session.environment, capture_output=True, text=True,
            check=False).stdout.strip()

    def roundel(self, *arguments: str | pathlib.Path) -> str:
        done = subprocess.run(
            ["roundel", *map(str, arguments)], env=self.session.environment, capture_output=True, text=True, check=False)
        units = self.systemctl("show", "--property=Id,ActiveState,SubState,Result,NRestarts", "roundel-mount@*")
        self.assertEqual(done.returncode, 0, f"{done.stdout}{done.stderr}{units}\n{self.session.logged()}")
        return done.stdout

    def unit(self) -> str:
        """The only unit of a folder that runs."""
        lines = self.systemctl("list-units", "--plain", "--no-legend", "--state=active", "roundel-mount@*").splitlines()
        return lines[0].split()[0] if len(lines) == 1 else ""

    def main_process(self, unit: str) -> int:
        return int(self.systemctl("show", "--property=MainPID", "--value", unit) or 0)

    def is_read(self) -> bool:
        return subprocess.run(
            ["cat", self.folder / "film"], capture_output=True, text=True, check=False).stdout == "a film\n"

    def kill(self, unit: str) -> None:
        """Kills the program of the unit, which may be started as often as this test wants."""
        self.systemctl("reset-failed", unit)
        os.kill(until("its program", lambda: self.main_process(unit)), signal.SIGKILL)

    def is_freed(self) -> bool:
        """Frees the file, which may be in use a moment longer."""
        return subprocess.run(["roundel", "free", self.folder / "film"], env=self.session.environment, capture_output=True,
                              check=False).returncode == 0

    def test_a_folder_has_a_unit_as_long_as_it_is_on_demand(self) -> None:
        self.roundel("add", self.folder, self.remote, "--on-demand", "--wait")
        unit = until("a unit", self.unit)
        self.assertTrue(self.is_read())
        until("it to be there in the next session", lambda: self.systemctl("is-enabled", unit) == "enabled")
        before = self.main_process(unit)
        self.assertIn("roundel-mount", pathlib.Path(f"/proc/{before}/cmdline").read_text())
        os.kill(before, signal.SIGKILL)
        until("it to be started again", lambda: self.main_process(unit) not in (0, before))
        until("the folder", self.is_read)
        # The one of the manager is the only one: the worker has not started another.
        self.assertEqual(self.unit(), unit)
        # Who comes at once has it wait for that.
        for _ in range(2):
            until("it to be freed", self.is_freed)
            self.kill(unit)
            self.roundel("fetch", self.folder / "film")
        self.kill(unit)
        self.roundel("on-demand", self.folder, "--off")
        until("it to end", lambda: self.unit() == "" and self.main_process(unit) == 0)
        until("it not to come back", lambda: self.systemctl("is-enabled", unit) == "disabled")
        self.assertEqual((self.folder / "film").read_text(), "a film\n")
        self.assertFalse(os.path.ismount(self.folder))


if __name__ == "__main__":
    unittest.main()
