"""What `make demo` shows is shown to its end, and nothing of it is left behind.

ROUNDEL_BUILT names the directory of the programs that `make release` put together; `make test` has it.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = os.environ.get("ROUNDEL_BUILT", "")
# Each of its waits has a bound of its own; this one is for a demo that hangs outside of them.
HANGING_SECONDS = 1800
# What it says it has shown.
SHOWN = [
    "pending and syncing, with progress", "synced, byte for byte",
    "an edit, a new file, one deleted and made again, and an excluded file, live", "a conflict",
    "a menu action that resolved it", "the same badges at the end, asked for and told"]
PLACES = {"HOME": "home", "TMPDIR": "tmp", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
          "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run"}


@unittest.skipUnless(BUILT, "ROUNDEL_BUILT does not name the programs that were built")
class DemoTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="roundel-demo-test-")
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)
        for name in PLACES.values():
            (self.work / name).mkdir(mode=0o700)

    def demo(self, built: str | pathlib.Path) -> "subprocess.CompletedProcess[str]":
        """Plays it for a person who has nothing yet: what they have afterwards is still nothing."""
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
                       **{variable: str(self.work / name) for variable, name in PLACES.items()}}
        done = subprocess.run(
            [ROOT / "packaging/demo.sh", built], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace", timeout=HANGING_SECONDS, check=False)
        self.assertEqual([str(path) for name in PLACES.values() for path in (self.work / name).iterdir()], [])
        return done

    def test_it_shows_everything_and_leaves_nothing(self) -> None:
        done = self.demo(BUILT)
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
        self.assertEqual(done.stderr, "")
        # A picture of one moment, in which some are on their way and others wait.
        self.assertRegex(done.stdout, r"(?m)^syncing .* film-\d+\.mov +\d+ %$")
        self.assertRegex(done.stdout, r"(?m)^pending .* film-\d+\.mov$")
        self.assertRegex(done.stdout, r"(?m)^  ~/Holiday/tickets\.txt: conflict$")
        _, _, shown = done.stdout.partition("\nShown in ")
        self.assertEqual(re.findall(r"(?m)^  - (.*)$", shown), SHOWN)
        self.assertIn("The services have ended and the temporary folders are removed.", shown)
        place = re.search(r"(/\S*/roundel-demo\.\w+)/server/holiday", done.stdout)
        assert place, done.stdout
        self.assertFalse(os.path.exists(place[1]))

    def test_programs_that_were_not_put_together_wholly_are_not_shown(self) -> None:
        """What it installs is all that there is, of a build that lacks something as well: that ends it."""
        lacking = self.work / "lacking"
        shutil.copytree(BUILT, lacking, ignore=shutil.ignore_patterns("completions"))
        done = self.demo(lacking)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("Shown in ", done.stdout)
        self.assertIn("completions", done.stderr)


if __name__ == "__main__":
    unittest.main()
