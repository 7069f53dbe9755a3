"""Before each commit of the database everything that it speaks of is durable: read from the system calls of the engine
while it does each of the things that it can do, by itself and all together."""
import errno
import os
import pathlib
import shutil
import subprocess
import tempfile
import typing
import unittest

import edge
import trace_reader


def is_traceable() -> bool:
    """Whether this kernel or container lets one process read the calls of another."""
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False).returncode == 0


@unittest.skipUnless(edge.RUNNER.exists(), f"{edge.RUNNER} is not built")
@unittest.skipUnless(is_traceable(), "strace cannot trace here: it is not installed, or ptrace(2) is not permitted")
class DurableOrderTests(unittest.TestCase):
    def setUp(self) -> None:
        edge.library()
        # On a disk: what is asked for is the same on any local file system, but here calls overlap as they do.
        self.scene = edge.Scene(tempfile.gettempdir())
        self.addCleanup(self.scene.close)

    def traced(self, steps: list[str], fault: edge.Fault | None = None) -> trace_reader.Checker:
        log = self.scene.place / "trace"
        outcome = self.scene.run(steps, fault, [*trace_reader.STRACE, "-o", str(log)])
        self.assertEqual(outcome.status, 0, outcome.output)
        return trace_reader.Checker(self.scene.place).run(log)

    def test_all_together(self) -> None:
        self.scene.prepare()
        checker = self.traced(edge.STEPS)
        self.scene.converged()
        self.assertEqual(checker.problems, [])
        self.assertGreater(checker.commits, 3)
        # It did everything that there is to do.
        self.assertGreaterEqual(checker.seen, {"linkat", "renameat2", "renameat2 exchange", "unlinkat", "mkdirat", "chmod"})

    def test_one_by_one(self) -> None:
        """Few things are made durable one after the other, not with their whole file system."""
        self.scene.begin()
        self.scene.run(["start", "stop"])
        for side, other in ((self.scene.local, self.scene.remote), (self.scene.remote, self.scene.local)):
            for name, change in self.changes(side, other).items():
                with self.subTest(f"{name} on {side.name}"):
                    change()
                    checker = self.traced(["start", f"mine:{name}", f"theirs:{name}", "stop"])
                    self.assertEqual(checker.problems, [])
                    self.assertGreater(checker.commits, 0)
                    self.assertEqual(self.scene.tree(self.scene.local), self.scene.tree(self.scene.remote))

    def changes(self, side: pathlib.Path, other: pathlib.Path) -> dict[str, typing.Callable[[], object]]:
        def exchange() -> None:
            (side / "swap-1").rename(side / "swap-0")
            (side / "swap-2").rename(side / "swap-1")
            (side / "swap-0").rename(side / "swap-2")

        def differ() -> None:
            self.scene.write(side, "mine", 1)
            self.scene.write(other, "mine", 2)

        def turn() -> None:
            (side / f"turn-{letter}").unlink()
            self.scene.write(side, f"turn-{letter}/f")

        letter = side.name[0]
        return {
            "a new file": lambda: self.scene.write(side, f"new-{letter}"),
            "a new directory": lambda: self.scene.write(side, f"new-dir-{letter}/n"),
            "an edit": lambda: self.scene.write(side, "keep", 7 + len(letter + side.name)),
            "a rename": lambda: (side / f"mv-{letter}").rename(side / "box" / f"mv-{letter}"),
            "a renamed directory": lambda: (side / f"ren-{letter}").rename(side / f"ren-{letter}2"),
            "names exchanged": exchange,
            "a removal": (side / f"del-{letter}").unlink,
            "a removed directory": lambda: shutil.rmtree(side / f"gone-{letter}"),
            "permissions": lambda: (side / f"perm-{letter}").chmod(0o700),
            "mine": differ,
            "a file for a directory": turn,
        }

    def test_equal_on_both_sides(self) -> None:
        """What is only found to be equal is made durable as well."""
        for side in (self.scene.local, self.scene.remote):
            self.scene.write(side, "d/same")
        log = self.scene.place / "trace"
        self.scene.run(["start", "stop"], wrapper=[*trace_reader.STRACE, "-o", str(log)])
        synced = {place for call in trace_reader.calls(log) if call.name == "fsync" for place in call.descriptors}
        for side in (self.scene.local, self.scene.remote):
            for name in ("d", "d/same"):
                self.assertIn(str(side / name), synced)

    def test_a_directory_that_was_renamed_before_its_barrier(self) -> None:
        """That nothing is found at a path does not mean that it is durable."""
        self.scene.write(self.scene.local, "file")
        (self.scene.remote / "directory").mkdir()
        checker = self.traced(["moved-directory"]).at_end()
        self.assertTrue((self.scene.remote / "moved" / "file").exists())
        self.assertEqual([problem for problem in checker.problems if "/moved" in problem or "/directory" in problem], [])

    def test_a_file_of_which_another_has_the_name_at_its_barrier(self) -> None:
        """Nobody knows where it is: all of its file system becomes durable."""
        for name in ("file", "other"):
            self.scene.write(self.scene.local, name)
        log = self.scene.place / "trace"
        self.scene.run(["moved-file"], wrapper=[*trace_reader.STRACE, "-o", str(log)])
        self.assertTrue((self.scene.local / "moved").exists())
        self.assertIn("syncfs", [call.name for call in trace_reader.calls(log)])

    def test_what_could_not_be_made_durable_is_written_again(self) -> None:
        """After a failed sync the kernel takes its pages for clean: to ask once more would say that all is well."""
        self.scene.write(self.scene.local, "a")
        self.scene.run(["start", "stop"])
        self.scene.write(self.scene.local, "b")
        log = self.scene.place / "trace"
        outcome = self.scene.run(
            ["start", "sync", "stop"], edge.Fault(at=1, error=errno.EIO, only="fsync,syncfs"),
            [*trace_reader.STRACE, "-o", str(log)])
        self.assertIn("/remote/#", outcome.hits[0], "the contents could not be made durable")
        self.assertIn("errors: 1", outcome.output)
        self.assertEqual(self.scene.tree(self.scene.local), self.scene.tree(self.scene.remote))
        files = {call.result_path for call in trace_reader.calls(log) if "O_TMPFILE" in call.arguments}
        written = [call for call in trace_reader.calls(log) if call.name == "write" and call.descriptors[0] in files]
        self.assertEqual(len(written), 2)

    def test_a_barrier_that_is_left_out_is_found(self) -> None:
        """The checker sees what it is there for."""
        self.scene.prepare()
        for only in ("syncfs", "fsync"):
            with self.subTest(only):
                checker = self.traced(edge.STEPS, edge.Fault(at=1, span=10_000, error=-1, only=only))
                self.assertNotEqual(checker.problems, [], f"no {only} at all")
                if only == "syncfs":
                    self.scene.close()
                    self.scene = edge.Scene(tempfile.gettempdir())
                    self.addCleanup(self.scene.close)
                    self.scene.prepare()


if __name__ == "__main__":
    unittest.main()
