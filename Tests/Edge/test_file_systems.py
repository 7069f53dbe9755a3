"""Everything that syncing does comes to the same on every kind of file system."""
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

import edge
import file_systems

# Where nobody can tell who writes a file, it has to be left alone for some seconds. On a machine whose cores are all busy
# with something else everything takes long.
PATIENCE = 600
TESTS = edge.RUNNER.parent / "RoundelPackageTests.xctest"


@unittest.skipUnless(edge.RUNNER.exists(), f"{edge.RUNNER} is not built")
@unittest.skipIf(os.geteuid() != 0, "only root can mount file systems")
class FileSystemTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        file_systems.enter_namespace()

    def test_the_whole_scene(self) -> None:
        for kind in file_systems.KINDS:
            if reason := file_systems.lacking(kind):
                print(f"{kind}: {reason}, not tested")
                continue
            with self.subTest(kind), tempfile.TemporaryDirectory(prefix="roundel-edge-") as work, \
                    file_systems.mounted(kind, pathlib.Path(work)) as place:
                self.play(edge.Scene(place, file_systems.keeps_permissions(kind)))

    @unittest.skipUnless(TESTS.exists(), f"{TESTS} is not built")
    def test_random_effects(self) -> None:
        """The simulation's disk is like each of them: EdgeLikenessTests, which say their seed."""
        for kind in file_systems.KINDS:
            if reason := file_systems.lacking(kind):
                print(f"{kind}: {reason}, not tested")
                continue
            if not file_systems.keeps_permissions(kind) or kind == file_systems.FOLDING or kind.startswith("FUSE"):
                # The model that is compared keeps permissions, tells names apart by their bytes, and who writes a file.
                print(f"{kind}: other than the model, random effects are not tested")
                continue
            with self.subTest(kind), tempfile.TemporaryDirectory(prefix="roundel-edge-") as work, \
                    file_systems.mounted(kind, pathlib.Path(work)) as place:
                # Times in whole seconds are the same for as long.
                grain = "1100" if kind == "ext4 with small inodes" else "10"
                done = subprocess.run(
                    [str(TESTS), "--testing-library", "swift-testing", "--filter", "EdgeLikenessTests"],
                    env=os.environ | {"ROUNDEL_EDGE_PLACE": str(place), "ROUNDEL_EDGE_GRAIN": grain},
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=edge.HANGING_SECONDS, check=False)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn("1 test in 1 suite passed", done.stdout)

    def play(self, scene: edge.Scene) -> None:
        scene.begin()
        self.until_equal(scene)
        scene.change()
        scene.note_texts()
        outcome = self.until_equal(scene, edge.STEPS)
        scene.converged()
        # Nothing is left to do.
        again = scene.run(["start", "stop"])
        self.assertIn("uploaded: 0, downloaded: 0, moved: 0, permissions: 0, deletedLocal: 0, deletedRemote: 0", again.output,
                      outcome)

    def until_equal(self, scene: edge.Scene, steps: list[str] | None = None) -> str:
        deadline = time.monotonic() + PATIENCE
        while True:
            outcome = scene.run(steps or ["start", "stop"])
            self.assertEqual(outcome.status, 0, outcome.output)
            if scene.tree(scene.local) == scene.tree(scene.remote):
                return outcome.output
            self.assertLess(time.monotonic(), deadline, outcome.output)


if __name__ == "__main__":
    unittest.main()
