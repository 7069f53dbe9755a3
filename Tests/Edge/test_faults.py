"""The worker's engine is ended at any call, and any call of it fails: nothing is lost, no file is ever half, and in the end
both sides hold what people meant.

The calls of one run that does everything are counted first, in the groups below; then the run is repeated with one of
them disturbed, chosen at random. ROUNDEL_SEED repeats a choice, EDGE_SHARE says how many runs each group gets.
"""
import concurrent.futures
import errno
import os
import random
import unittest

import edge

# Where it does not matter how long a disk takes: what is asked for is the same.
MEMORY = "/dev/shm"
SEED = int(os.environ.get("ROUNDEL_SEED", random.randrange(1, 10**9)))
SHARE = int(os.environ.get("EDGE_SHARE", "6"))

GROUPS = {
    "what makes durable": "fsync,syncfs,fdatasync",
    "names": "renameat2,exchange,noreplace,linkat,unlinkat,unlink,mkdirat",
    "contents": "write,pwrite,pwrite64,ftruncate,ftruncate64,futimens",
    "attributes": "fchmod,chmod,fchown,fgetxattr,fsetxattr,fstatfs",
    "looking": "openat2,tmpfile,open,open64,openat,statx,readdir,readdir64,pread,pread64",
}
# After so many errors one after the other the program waits longer than the tests want to.
LONG = 5
LONG_PATIENCE = 15
ERRORS = [errno.EIO, errno.ENOSPC, errno.EACCES]


def attempt(fault: edge.Fault) -> str:
    """Plays the scene with a fault; says what went wrong, or nothing."""
    scene = edge.Scene(MEMORY)
    try:
        scene.prepare()
        outcome = scene.run(edge.STEPS, fault)
        story = f"{fault}\n{outcome.hits}\n{outcome.output}"
        keeps_replaced = fault.error != errno.ENOSPC
        try:
            scene.whole(keeps_replaced)
            # A run that was ended goes on in another one. After an error the same one goes on by itself, and what is left
            # then the next start finds.
            if fault.error and fault.span < LONG and outcome.status != 0:
                return f"it does not go on: {story}"
            again = scene.run(edge.STEPS)
            story += f"\nthen {again.output}"
            scene.converged(keeps_replaced)
        except edge.Failed as failure:
            return f"{failure}: {story}"
        return "" if again.status == 0 else f"the next run does not end: {story}"
    finally:
        scene.close()


def calls(only: str) -> int:
    """How many calls of a group a run makes that goes as it should."""
    scene = edge.Scene(MEMORY)
    try:
        scene.prepare()
        outcome = scene.run(edge.STEPS, edge.Fault(only=only))
        scene.converged()
        return outcome.calls
    finally:
        scene.close()


@unittest.skipUnless(edge.RUNNER.exists(), f"{edge.RUNNER} is not built")
class FaultTests(unittest.TestCase):
    """Each method disturbs the run in another way."""

    maxDiff = None

    def setUp(self) -> None:
        edge.library()
        self.random = random.Random(f"{SEED} {self.id()}")
        print(f"ROUNDEL_SEED={SEED}")

    def disturb(self, faults: list[edge.Fault]) -> None:
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for problem in pool.map(attempt, faults):
                self.assertEqual(problem, "")

    def chosen(self, only: str, share: int = SHARE) -> list[int]:
        count = calls(only)
        self.assertGreater(count, 0, only)
        print(f"{only}: {count} calls")
        numbers = list(range(1, count + 1))
        return numbers if share >= count else sorted(self.random.sample(numbers, share))

    def test_it_is_ended_at_any_call(self) -> None:
        """SIGKILL before, within and after calls of every kind."""
        for name, only in GROUPS.items():
            with self.subTest(name):
                self.disturb([edge.Fault(at=at, when=self.random.choice(["before", "within", "after"]), only=only)
                              for at in self.chosen(only)])

    def test_any_call_fails(self) -> None:
        """EIO, ENOSPC and EACCES from calls of every kind, once or for a while."""
        for name, only in GROUPS.items():
            # Permissions that may not be given are not given, and both sides agree to differ.
            errors = ERRORS[:2] if name == "attributes" else ERRORS
            with self.subTest(name):
                self.disturb([edge.Fault(at=at, error=self.random.choice(errors), span=self.random.choice([1, 1, 3]),
                                         only=only) for at in self.chosen(only)])

    def test_nothing_can_be_made_durable(self) -> None:
        """As long as that fails nothing is committed; the contents are written again, not only asked for again."""
        self.disturb([edge.Fault(at=at, error=errno.EIO, span=span, only=GROUPS["what makes durable"], patience=LONG_PATIENCE)
                      for at, span in ((1, 10_000), (2, 8))])


if __name__ == "__main__":
    unittest.main()
