"""A mounted folder is like a plain one on every file system that can hold its contents, and loses none when the power
goes."""
import os
import pathlib
import subprocess
import tempfile
import typing
import unittest

import edge
import file_systems
from test_power_cuts import LAZILY, SHARE, memory

TESTS = edge.RUNNER.parent / "RoundelPackageTests.xctest"
SUITES = ["LikenessTests", "ContentsTests", "KillTests"]
# Where contents are copied, because there are no clones.
COPYING = ["ext4", "ext4 with small inodes"]
COPYING_SUITES = ["RoomTests"]
# What takes longer; `make test` plays it where its temporary files are.
LONG_SUITES = ["FileAccessTests", "RaceTests"]
# Those on which a file can have a mark, no name and a hole.
KINDS = ["ext4", "ext4 with small inodes", "xfs", "btrfs"]
# Those that lose contents which nobody makes durable when others have the journal written; the others clone what is on
# the disk already.
FORGETFUL = ["ext4"]
MARK = "user.roundel.online"


@unittest.skipUnless(TESTS.exists(), f"{TESTS} is not built")
@unittest.skipIf(os.geteuid() != 0, "only root can mount file systems")
class MountedFolderTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        file_systems.enter_namespace()

    def test_every_file_system(self) -> None:
        self.each(lambda kind, work: self.play(
            kind, work, SUITES + (COPYING_SUITES if kind in COPYING else []) + (LONG_SUITES if SHARE >= 100 else [])))

    def test_power_cuts(self) -> None:
        self.each(self.cut)

    def each(self, body: typing.Callable[[str, pathlib.Path], None]) -> None:
        for kind in KINDS:
            if reason := file_systems.lacking(kind):
                print(f"{kind}: {reason}, not tested")
                continue
            with self.subTest(kind), tempfile.TemporaryDirectory(prefix="roundel-edge-", dir=memory()) as work:
                body(kind, pathlib.Path(work))

    def play(self, kind: str, work: pathlib.Path, suites: list[str], **more: str) -> None:
        file_systems.make(kind, work / "image")
        with file_systems.mounted_image(work / "image", work / "mounted", LAZILY.get(kind, "loop")) as place:
            done = subprocess.run(
                [str(TESTS), "--testing-library", "swift-testing", "--filter", rf"OnDemandTests\.({'|'.join(suites)})/"],
                env=os.environ | {"ROUNDEL_EDGE_PLACE": str(place)} | more, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, timeout=edge.HANGING_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-20_000:])

    def cut(self, kind: str, work: pathlib.Path) -> None:
        self.play(kind, work, ["PowerCutTests"], ROUNDEL_EDGE_IMAGE=str(work / "image"))
        for paths in work.glob("image-*.paths"):
            left = paths.with_suffix("")
            whole = paths.with_suffix(".whole").read_bytes()
            with file_systems.mounted_image(left, work / "mounted") as place:
                found = [place / path for path in paths.read_text().splitlines()]
                lost = [path.name for path in found if not is_away(path) and path.read_bytes() != whole]
            if left.name != "image-lost":
                self.assertEqual(lost, [], f"{kind} {left.name}")
            elif kind in FORGETFUL:
                self.assertEqual(lost, ["placeholder"])


def is_away(path: pathlib.Path) -> bool:
    """Whether a file has a mark that holds for its size: with another one it counts as emptied."""
    if MARK not in os.listxattr(path):
        return False
    mark = os.getxattr(path, MARK)
    sizes = [int.from_bytes(mark[1 + 8 * place:9 + 8 * place], "little") for place in range(mark[0])]
    return path.stat().st_size in sizes


if __name__ == "__main__":
    unittest.main()
