"""The figures follow what a program has."""
import ctypes
import os
import pathlib
import tempfile
import threading
import unittest
from collections import Counter

import figures


class FigureTests(unittest.TestCase):
    def setUp(self) -> None:
        self.process = os.getpid()

    def test_descriptors_are_counted(self) -> None:
        before = figures.descriptors(self.process).total()
        with open(os.devnull):
            self.assertEqual(figures.descriptors(self.process).total(), before + 1)
        self.assertEqual(figures.descriptors(self.process).total(), before)

    def test_watches_are_counted(self) -> None:
        library = ctypes.CDLL(None)
        before = figures.watches(self.process)
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            instance = library.inotify_init1(0)
            self.addCleanup(os.close, instance)
            for path in (one, other):
                self.assertGreaterEqual(library.inotify_add_watch(instance, path.encode(), 0x100), 0)
            more = figures.watches(self.process) - before
            self.assertEqual(more, Counter({pathlib.Path(path).stat().st_ino: 1 for path in (one, other)}))

    def test_threads_and_their_wake_ups_are_counted(self) -> None:
        before = figures.threads(self.process), figures.wake_ups(self.process).total()
        asked, answered, ending = threading.Event(), threading.Event(), threading.Event()

        def wait() -> None:
            asked.wait()
            answered.set()
            ending.wait()
        thread = threading.Thread(target=wait)
        thread.start()
        try:
            asked.set()
            answered.wait()
            self.assertEqual(figures.threads(self.process), before[0] + 1)
            self.assertGreater(figures.wake_ups(self.process).total(), before[1])
        finally:
            ending.set()
            thread.join()

    def test_memory_is_counted(self) -> None:
        for kind in ("Pss", "Pss_Anon"):
            before = figures.memory(self.process, kind)
            held = bytearray(b"x" * (32 << 20))
            self.assertGreater(figures.memory(self.process, kind), before + 31)
            del held

    def test_files_that_go_are_left_out(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place, "file")
            path.write_bytes(b"12345")
            self.assertEqual(figures.bytes_of([path, pathlib.Path(place, "gone")]), 5)


if __name__ == "__main__":
    unittest.main()
