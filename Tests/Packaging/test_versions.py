"""Versions and tags come from CHANGELOG.md, by one command."""
import itertools
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAKEN = ("packaging/new-version.py", "packaging/version.sh", "CHANGELOG.md", "Sources/RoundelBus/Names.swift",
         "Sources/FileManagers/metadata/CMakeLists.txt", "Sources/FileManagers/library/CMakeLists.txt",
         "dbus/metainfo/org.roundel.Roundel.metainfo.xml")


class VersionTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="roundel-version-")
        self.addCleanup(directory.cleanup)
        self.tree = pathlib.Path(directory.name)
        for name in TAKEN:
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.tree / name)
        self.write_changelog("- A thing.\n")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "All")

    def git(self, *arguments: str) -> str:
        return self.run_here("git", *arguments).stdout.strip()

    def run_here(self, *command: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        who = {f"GIT_{role}_{kind}": "somebody@localhost" for role in ("AUTHOR", "COMMITTER") for kind in ("NAME", "EMAIL")}
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.tree), **who}
        done = subprocess.run(command, cwd=self.tree, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def write_changelog(self, section: str) -> None:
        (self.tree / "CHANGELOG.md").write_text(f"# Changelog\n\n## [Unreleased]\n\n{section}")

    def version(self) -> str:
        return self.run_here("packaging/version.sh").stdout.strip()

    def release(self, version: str, status: int = 0) -> str:
        return self.run_here("packaging/new-version.py", version, "--date", "2030-01-02", status=status).stderr

    def test_a_release_is_one_commit_with_its_tag_and_every_place_says_so(self) -> None:
        self.release("7.8.9")
        self.assertEqual(self.git("log", "--format=%s").splitlines(), ["Version 7.8.9", "All"])
        tags = self.git("for-each-ref", "--format=%(refname:short) %(contents:body)", "refs/tags")
        self.assertEqual(tags, "v7.8.9 - A thing.")
        self.assertEqual((self.tree / "CHANGELOG.md").read_text(),
                         "# Changelog\n\n## [Unreleased]\n\n## [7.8.9] - 2030-01-02\n\n- A thing.\n")
        for name in TAKEN[3:]:
            self.assertIn("7.8.9", (self.tree / name).read_text(), name)
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_what_cannot_be_released_is_refused_and_nothing_changes(self) -> None:
        self.release("1.0.0")
        self.assertIn("nothing stands", self.release("1.1.0", 1))
        self.write_changelog("- Another thing.\n")
        self.assertIn("not committed", self.release("1.1.0", 1))
        self.git("commit", "--quiet", "--all", "--message", "More")
        for wrong in ("1.0.0", "0.9.9", "2", "v2.0.0"):
            self.release(wrong, 1)
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("tag"), "v1.0.0")

    def test_packages_of_later_commits_sort_after_a_release_and_before_the_next_one(self) -> None:
        said = [self.version()]
        for version in ("1.0.0", "1.0.1"):
            self.release(version)
            said.append(self.version())
            self.write_changelog("- More.\n")
            self.git("commit", "--quiet", "--all", "--message", "More")
            said.append(self.version())
        for lower, higher in itertools.pairwise(said):
            self.run_here("dpkg", "--compare-versions", lower, "lt", higher)
        self.assertEqual(said[1:], ["1.0.0", "1.0.0+1", "1.0.1", "1.0.1+1"])


if __name__ == "__main__":
    unittest.main()
