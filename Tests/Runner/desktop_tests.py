"""The plugins: their own parts, each a program, and real file managers, each a scenario on a desktop of its own."""
import dataclasses
import subprocess

import results
from job import Ended, Job
from lane import ROOT, Mistake, Setting, first_line
from outcome import Outcome, Verdict

PLUGINS = "build/plugins"
PLAYER = "Tests/Desktop/run"
UNITS = ("dolphin-plugin-tests", "gtk-plugin-tests", "metadata-tests", "words-tests")


class PluginTests:
    """The programs that test the plugins' parts without a file manager."""

    name = "plugins"
    needs: tuple[str, ...] = ("plugins",)

    def tests(self) -> list[str]:
        return list(UNITS)

    def jobs(self, chosen: list[str]) -> list[Job]:
        return [self.alone(test) for test in chosen]

    def alone(self, test: str) -> Job:
        def outcomes(ended: Ended) -> list[Outcome]:
            if ended.status == 0:
                return [Outcome(self.name, test, Verdict.PASSED, ended.seconds)]
            said = [line for line in ended.text.splitlines() if line.strip()]
            return [Outcome(self.name, test, Verdict.FAILED, ended.seconds, f"{ended.why()}: {said[-1] if said else ''}"[:400])]

        return Job(self.name, test, [str(ROOT / PLUGINS / test)], load=1, expected=5, outcomes=outcomes)

    def command(self, test: str) -> str:
        return f"{PLUGINS}/{test}"


class DesktopTests:
    """The scenarios of Tests/Desktop, with the services as they are built for tests."""

    name = "desktop"
    needs: tuple[str, ...]

    def __init__(self, setting: Setting) -> None:
        self.needs = ("plugins", "sanitized", setting.installation)
        self._setting = setting
        self._prefix = str(setting.prefix)

    def tests(self) -> list[str]:
        done = subprocess.run([ROOT / PLAYER, "--list", *(["--all"] if self._setting.takes_all else [])], capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise Mistake(f"the scenarios cannot be listed: {first_line(done.stderr)}")
        return done.stdout.split()

    def jobs(self, chosen: list[str]) -> list[Job]:
        return [self.alone(test) for test in chosen]

    def alone(self, test: str) -> Job:
        path = self._setting.directory / f"desktop-{test}.results"
        path.unlink(missing_ok=True)

        def outcomes(ended: Ended) -> list[Outcome]:
            found = results.read(path, self.name, [f"{self.name}/{test}"], ended)
            return [dataclasses.replace(one, name=test) for one in found]

        command = [str(ROOT / PLAYER), "--plugins", PLUGINS, "--services", self._prefix, "--results", str(path), test]
        return Job(self.name, test, command, load=1, expected=20, outcomes=outcomes)

    def command(self, test: str) -> str:
        return f"make test FILTER='{self.name}/{test}'"
