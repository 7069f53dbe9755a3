"""`make` as a person and then `sudo make install` leave nothing of root's among the sources and what was built."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PERSON = 65534
SOURCES = ["Sources", "dbus", "Documentation", "examples", "Icons", "packaging", "po", "Makefile", "Package.swift",
           "README.md", "CHANGELOG.md", "LICENSE", "NOTICE"]
BUILT = ["build/programs", "build/plugins/staged", "build/translations"]

# Builds by giving what is there already, and writes down who builds.
COMPILER = """#!/bin/sh
id -u >>"$0.log"
case " $* " in *" --show-bin-path "*) echo "$(dirname "$0")/built" ;; esac
"""


@unittest.skipUnless(os.environ.get("ROUNDEL_PREFIX"), "ROUNDEL_PREFIX does not name an installation")
@unittest.skipIf(os.geteuid() != 0, "only root can play a person and root")
class OwnershipTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="roundel-ownership-")
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)
        self.work.chmod(0o755)
        self.tree = self.work / "project"
        for name in SOURCES + BUILT:
            source = pathlib.Path(os.environ["ROUNDEL_BUILT"]) if name == "build/programs" else ROOT / name
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cp", "-a", source, self.tree / name], check=True)
        for stamp in ("build/programs/stamp", "build/plugins/staged/stamp", "build/translations/stamp"):
            (self.tree / stamp).touch()
        self.give(self.tree)

    @staticmethod
    def give(folder: pathlib.Path) -> None:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, PERSON, PERSON, follow_symlinks=False)

    def install(self, *arguments: str) -> str:
        done = subprocess.run(
            ["make", "-C", self.tree, "install", "PREFIX=/usr/local", f"DESTDIR={self.work}/there", *arguments],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue((self.work / "there/usr/local/bin/roundel-worker").is_file())
        of_root = [str(path) for path in [self.tree, *self.tree.rglob("*")] if path.lstat().st_uid != PERSON]
        self.assertEqual(of_root, [])
        return done.stdout

    def test_what_is_built_is_installed_without_building(self) -> None:
        self.assertNotIn("built first", self.install("SWIFT=there-is-no-compiler"))

    def test_what_is_older_than_its_sources_is_built_by_the_owner_of_the_sources(self) -> None:
        compiler = self.work / "tools/swift"
        shutil.copytree(self.tree / "build/programs", self.work / "tools/built")
        compiler.write_text(COMPILER)
        compiler.chmod(0o755)
        self.give(self.work / "tools")
        source = self.tree / "Sources/roundeld/main.swift"
        stamp = (self.tree / "build/programs/stamp").stat().st_mtime
        os.utime(source, (stamp + 1, stamp + 1))
        self.assertIn("built first", self.install(f"SWIFT={compiler}"))
        self.assertEqual(set(compiler.with_suffix(".log").read_text().split()), {str(PERSON)})


if __name__ == "__main__":
    unittest.main()
