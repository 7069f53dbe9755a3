"""The archives of `make dist`: the sources build without a network, and what was built installs itself elsewhere."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
PATIENCE_SECONDS = 1200


def archive(kind: str, directory: pathlib.Path) -> pathlib.Path:
    """Makes one of the archives, packed badly because nobody keeps it, and unpacks it; the directory in it."""
    environment = {**os.environ, "BUILT": "build/programs", "PLUGINS": "build/plugins/staged",
                   "TRANSLATIONS": "build/translations", "XZ_OPT": "-0"}
    subprocess.run([ROOT / "packaging/dist.sh", directory / "archives", kind], env=environment, check=True, capture_output=True)
    (made,) = (directory / "archives").glob("*.tar.xz")
    subprocess.run(["tar", "--extract", "--file", made, "--directory", directory], check=True)
    return directory / made.name.removesuffix(".tar.xz")


class ArchiveTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="roundel-archives-")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def run_here(self, *command: str | pathlib.Path) -> str:
        home = self.directory / "home"
        home.mkdir(exist_ok=True)
        done = subprocess.run(command, env={"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(self.directory)},
                              capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    @unittest.skipUnless(shutil.which("swift"), "there is no Swift toolchain")
    def test_the_sources_build_without_a_network(self) -> None:
        tree = archive("sources", self.directory)
        expected = subprocess.run([ROOT / "packaging/version.sh"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(self.run_here(tree / "packaging/version.sh"), expected)
        self.run_here(tree / "packaging/vendored.sh")
        # What is planned is the whole of it, with every package; one module with a package of others is built.
        self.run_here("unshare", "--net", "swift", "build", "--package-path", tree, "--cache-path", self.directory / "cache",
                      "--disable-automatic-resolution", "--target", "Support")

    def test_what_was_built_installs_itself_and_goes_again(self) -> None:
        place = archive("portable", self.directory)
        prefix, made = self.directory / "prefix", self.directory / "made"
        self.run_here(place / "install", prefix)
        subprocess.run(["make", "-C", ROOT, "install", f"PREFIX={made}"], check=True, capture_output=True)
        found = [{str(path.relative_to(below)) for path in below.rglob("*") if path.is_file()} for below in (prefix, made)]
        self.assertEqual(found[0], found[1])
        self.assertIn("roundel", self.run_here(prefix / "bin/roundel", "--version"))
        self.run_here(place / "uninstall", prefix)
        self.assertEqual([str(path) for path in prefix.rglob("*") if path.is_file()], [])


if __name__ == "__main__":
    unittest.main()
