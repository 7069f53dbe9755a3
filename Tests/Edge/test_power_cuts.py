"""The power goes at any call: what the disk holds then is started from, and everything is there that was called synced.

Both sides and what is kept lie on a loop device, whose file is copied at the moment at which the engine is ended: what was
not written to it yet is lost. The database is taken as it is in memory, as if it alone had been written in time: that is
the worst that can happen, and more than its own order of writing allows.
"""
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

import edge
import file_systems
from test_faults import GROUPS

SEED = int(os.environ.get("ROUNDEL_SEED", random.randrange(1, 10**9)))
SHARE = int(os.environ.get("EDGE_SHARE", "10"))
# What says how far the engine is: when something is durable, and when it is committed.
TURNS = f"{GROUPS['what makes durable']},{GROUPS['names']},pwrite64"
# By itself none of them writes anything down while a run lasts, be the machine ever so slow: after 5 seconds ext4 would, so
# that nothing were lost without barriers.
LAZILY = {"ext4": "loop,commit=300", "btrfs": "loop,commit=300"}


@unittest.skipUnless(edge.RUNNER.exists(), f"{edge.RUNNER} is not built")
@unittest.skipIf(os.geteuid() != 0, "only root can mount file systems")
class PowerCutTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        file_systems.enter_namespace()
        edge.library()

    def setUp(self) -> None:
        print(f"ROUNDEL_SEED={SEED}")
        self.random = random.Random(f"{SEED} {self.id()}")

    def test_power_cuts(self) -> None:
        for kind in ("ext4", "xfs", "btrfs"):
            if reason := file_systems.lacking(kind):
                print(f"{kind}: {reason}, not tested")
                continue
            with self.subTest(kind), tempfile.TemporaryDirectory(prefix="roundel-edge-", dir=memory()) as work:
                self.cut_often(kind, pathlib.Path(work))

    def cut_often(self, kind: str, work: pathlib.Path) -> None:
        """The scene is prepared once; each cut starts from a copy of it."""
        prepared, place = work / "prepared", work / "mounted"
        self.options = LAZILY.get(kind, "loop")
        file_systems.make(kind, prepared)
        with file_systems.mounted_image(prepared, place):
            scene = edge.Scene(place)
            scene.prepare()
            os.sync()
        calls = self.count(work, prepared, scene)
        for number in sorted(self.random.sample(range(1, calls + 1), min(SHARE, calls))):
            problem = self.cut(work, prepared, scene, edge.Fault(at=number, when="after", only=TURNS))
            self.assertEqual(problem, "")
        # That shows what it is there for: without barriers something is lost.
        commits = edge.Fault(at=self.last_commit(work, prepared, scene), when="after", only="pwrite64",
                             leave=GROUPS["what makes durable"])
        self.assertNotEqual(self.cut(work, prepared, scene, commits), "")

    def last_commit(self, work: pathlib.Path, prepared: pathlib.Path, scene: edge.Scene) -> int:
        """How many writes to the database a run makes, but for those of its end."""
        copy(prepared, work / "image")
        with file_systems.mounted_image(work / "image", work / "mounted", self.options):
            return scene.run(edge.STEPS, edge.Fault(only="pwrite64", leave=GROUPS["what makes durable"])).calls * 3 // 4

    def count(self, work: pathlib.Path, prepared: pathlib.Path, scene: edge.Scene) -> int:
        copy(prepared, work / "image")
        with file_systems.mounted_image(work / "image", work / "mounted", self.options):
            calls = scene.run(edge.STEPS, edge.Fault(only=TURNS)).calls
            scene.converged()
        return calls

    def cut(self, work: pathlib.Path, prepared: pathlib.Path, scene: edge.Scene, fault: edge.Fault) -> str:
        image, left = work / "image", work / "left"
        copy(prepared, image)
        with file_systems.mounted_image(image, work / "mounted", self.options):
            hits = scene.run(edge.STEPS, fault).hits
            copy(image, left)
            shutil.rmtree(work / "database", ignore_errors=True)
            shutil.copytree(scene.place / "state", work / "database", ignore=shutil.ignore_patterns("area"))
        with file_systems.mounted_image(left, work / "mounted"):
            for path in (work / "database").iterdir():
                shutil.copy(path, scene.place / "state")
            try:
                scene.whole()
                scene.run(edge.STEPS)
                scene.converged()
            except edge.Failed as failure:
                return f"{failure}: {fault} {hits}"
        return ""


def memory() -> str:
    """Where an image is copied quickly."""
    return "/dev/shm"


def copy(image: pathlib.Path, target: pathlib.Path) -> None:
    subprocess.run(["cp", "--sparse=always", str(image), str(target)], check=True)


if __name__ == "__main__":
    unittest.main()
