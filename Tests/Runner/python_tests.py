"""Tests that are written with Python's unittest, by folder: a process for each class."""
import subprocess

import results
from job import Ended, Job
from lane import ROOT, Mistake, Setting, first_line
from outcome import Outcome

PYTHON = "/usr/bin/python3"
PLAYER = str(ROOT / "Tests" / "Runner" / "unittests.py")
# How many seconds a class takes about, where that is long.
LONG: dict[str, float] = {
    "Packaging/test_servers.ServerTests": 90, "Packaging/test_setup.SetupTests": 60,
    "Edge/test_file_systems.FileSystemTests": 60, "Edge/test_faults.FaultTests": 55, "Edge/test_power_cuts.PowerCutTests": 30,
    "Edge/test_mounted_folder.MountedFolderTests": 60, "Packaging/test_demo.DemoTests": 30,
}
# What is true of the optimised programs alone: they bring the Swift runtime along, and hold no more than the notices say.
OPTIMISED = (
    "Packaging/test_installed.InstalledFilesTests.test_programs_bring_the_swift_runtime_along",
    "Packaging/test_notices.NoticeTests.test_the_notices_say_what_the_installed_programs_hold",
)


class PythonTests:
    """The tests of some folders below Tests."""

    def __init__(
        self, name: str, folders: list[str], setting: Setting, needs: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
    ) -> None:
        self.name = name
        self.needs = needs
        self._folders = folders
        self._setting = setting
        self._environment = environment or {}

    def tests(self) -> list[str]:
        names = [f"{folder}/{test}" for folder in self._folders for test in self._listed(folder)]
        return [name for name in names if self._setting.takes_all or name not in OPTIMISED]

    def jobs(self, chosen: list[str]) -> list[Job]:
        classes: dict[str, list[str]] = {}
        for test in chosen:
            classes.setdefault(test.rpartition(".")[0], []).append(test)
        return [self._job(name, tests) for name, tests in classes.items()]

    def alone(self, test: str) -> Job:
        return self._job(f"again-{test}", [test])

    def command(self, test: str) -> str:
        return f"make test FILTER='{self.name}/{test}'"

    def _listed(self, folder: str) -> list[str]:
        done = subprocess.run([PYTHON, "-B", PLAYER, f"Tests/{folder}", "--list"], cwd=ROOT, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise Mistake(f"the tests of Tests/{folder} cannot be listed: {first_line(done.stderr)}")
        return done.stdout.split()

    def _job(self, part: str, tests: list[str]) -> Job:
        stem = part.replace("/", "-")
        path = self._setting.directory / f"{self.name}-{stem}.results"
        path.unlink(missing_ok=True)
        folder = tests[0].partition("/")[0]
        names = [test.partition("/")[2] for test in tests]

        def outcomes(ended: Ended) -> list[Outcome]:
            return [Outcome(one.lane, f"{folder}/{one.name}", one.verdict, one.seconds, one.reason)
                    for one in results.read(path, self.name, names, ended)]

        return Job(self.name, stem, [PYTHON, "-B", PLAYER, f"Tests/{folder}", "--results", str(path), *names],
                   load=1, expected=LONG.get(part, 5.0 * len(tests)), bound=self._setting.seconds,
                   environment=self._environment, outcomes=outcomes)
