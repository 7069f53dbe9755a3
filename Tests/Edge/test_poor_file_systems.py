"""File systems that know less than those of this machine: the calls that they lack fail as they do there."""
import concurrent.futures
import errno
import os
import random
import shlex
import unittest

import edge

MEMORY = "/dev/shm"
SEED = int(os.environ.get("ROUNDEL_SEED", random.randrange(1, 10**9)))
# How many of the reads of a run fail.
SHARE = 16
# What each lacks. Where there are no links, nothing can be made without a name either.
POOR = {
    "no exchange": "exchange",
    "no exchange, no files without a name": "exchange,tmpfile",
    "only the plain rename": "exchange,tmpfile,noreplace",
    "no links either": "exchange,tmpfile,noreplace,linkat",
}


@unittest.skipUnless(edge.RUNNER.exists(), f"{edge.RUNNER} is not built")
class PoorFileSystemTests(unittest.TestCase):
    def setUp(self) -> None:
        edge.library()

    def scene(self) -> edge.Scene:
        scene = edge.Scene(MEMORY)
        self.addCleanup(scene.close)
        return scene

    def test_the_whole_scene(self) -> None:
        for name, lack in POOR.items():
            with self.subTest(name):
                scene = self.scene()
                scene.prepare()
                outcome = scene.run(edge.STEPS, edge.Fault(lack=lack))
                self.assertEqual(outcome.status, 0, outcome.output)
                try:
                    scene.converged()
                except edge.Failed as failure:
                    self.fail(f"{failure}: {outcome.output}")

    def test_a_change_while_a_version_is_replaced(self) -> None:
        """A person saves a file between the moment at which its old version got a second name and the last look."""
        # The call that gives it that name: a link or, where there are none, the end of a copy.
        for lack, call in (("exchange,tmpfile", "linkat"), ("exchange,tmpfile,noreplace,linkat", "fsync")):
            with self.subTest(lack):
                scene = self.scene()
                scene.write(scene.local, "a")
                scene.run(["start", "stop"])
                scene.write(scene.remote, "a", 1)
                scene.write(scene.place, "saved", 2)
                scene.texts = {edge.text("a", 1), edge.text("saved", 2)}
                saved, file = shlex.quote(str(scene.place / "saved")), shlex.quote(str(scene.local / "a"))
                kept = f"ls {shlex.quote(str(scene.place))}/state/area/replaced/* >/dev/null 2>&1"
                outcome = scene.run(["start", "sync", "stop"], edge.Fault(
                    at=1, span=1_000, when="after", only=call, lack=lack, act=f"{kept} && mv {saved} {file} 2>/dev/null"))
                self.assertEqual(outcome.status, 0, outcome.output)
                self.assertFalse((scene.place / "saved").exists(), f"it was not saved in time: {outcome.hits}")
                scene.whole()
                scene.run(["start", "sync", "stop"])
                scene.whole()
                here, there = scene.tree(scene.local), scene.tree(scene.remote)
                self.assertEqual(here, there, outcome.output)
                self.assertEqual({contents for _, contents in here.values()}, scene.texts,
                                 f"both versions stand there: {outcome.output}")

    def test_a_database_that_cannot_be_opened(self) -> None:
        """It is said, it is left where it is, and it is used as soon as it can be."""
        scene = self.scene()
        scene.prepare()
        outcome = scene.run(edge.STEPS, edge.Fault(at=1, span=2, error=errno.EACCES, only="open,open64,openat"))
        self.assertTrue(any("trees.db" in hit for hit in outcome.hits), outcome.hits)
        self.assertIn("storeUnusable", outcome.output)
        self.assertEqual(outcome.status, 0, outcome.output)
        scene.converged()
        self.keeps_database(scene)

    def test_a_database_that_cannot_be_read_is_not_damaged(self) -> None:
        """Whatever could not be read once is still there: the database is not set aside, and no deletion is undone."""
        scene = self.scene()
        scene.prepare()
        for at in range(1, 24):
            # As if the program had been ended: then the database is looked through.
            (scene.place / "state" / "trees.db-wal").touch()
            outcome = scene.run(edge.STEPS, edge.Fault(at=at, error=errno.EIO, only="pread64"))
            self.assertEqual(outcome.status, 0, outcome.output)
            self.keeps_database(scene)
            scene.converged()

    def test_a_database_that_cannot_be_read_once_while_it_is_used(self) -> None:
        """The same in the midst of a run: the database is looked through, and used on."""
        count = self.scene()
        count.prepare()
        calls = count.run(edge.STEPS, edge.Fault(only="pread64")).calls
        self.assertGreater(calls, 0)
        chosen = random.Random(f"{SEED} {self.id()}").sample(range(1, calls + 1), min(SHARE, calls))
        print(f"ROUNDEL_SEED={SEED}: {sorted(chosen)} of {calls}")
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            list(pool.map(self.reads_on, chosen))

    def reads_on(self, at: int) -> None:
        scene = self.scene()
        scene.prepare()
        outcome = scene.run(edge.STEPS, edge.Fault(at=at, error=errno.EIO, span=1 + at % 2, only="pread64"))
        self.assertEqual(outcome.status, 0, outcome.output)
        self.keeps_database(scene)
        scene.converged()

    def keeps_database(self, scene: edge.Scene) -> None:
        self.assertEqual([path.name for path in (scene.place / "state").iterdir() if "damaged" in path.name], [])


if __name__ == "__main__":
    unittest.main()
