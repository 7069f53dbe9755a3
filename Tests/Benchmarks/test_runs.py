"""What a run of the benchmarks measured is kept, and read again."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from typing import Any

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent.parent / "Benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import runs


def row(what: str, own: list[Any], group: str = "servers") -> dict[str, Any]:
    return {"group": group, "what": what, "target": "", "measured": "", "how": "", "met": None,
            "figures": [{"name": what, "unit": "ns", "own": own, "peer": []}]}


class RunTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        self.path = self.place / "made" / "run.json"

    def play(self, program: str, *words: str | pathlib.Path, typed: str = "") -> "subprocess.CompletedProcess[str]":
        return subprocess.run([str(BENCHMARKS / program), *map(str, words)], input=typed, capture_output=True, text=True,
                              check=False)

    def test_rows_of_one_run_come_together(self) -> None:
        runs.add(self.path, [row("one", [1.0, 2.0])])
        began = runs.read(self.path)["began"]
        runs.add(self.path, [row("two", [3.0])])
        kept = runs.read(self.path)
        self.assertEqual([entry["what"] for entry in kept["rows"]], ["one", "two"])
        self.assertEqual(kept["began"], began)
        self.assertEqual(runs.figures(kept)["one"].own, (1.0, 2.0))
        for part in ("commit", "kernel", "processor", "cores"):
            self.assertIn(part, kept)

    def test_a_row_that_is_measured_again_is_replaced(self) -> None:
        runs.add(self.path, [row("one", [1.0])])
        runs.add(self.path, [row("one", [2.0])])
        kept = runs.read(self.path)
        self.assertEqual(len(kept["rows"]), 1)
        self.assertEqual(runs.figures(kept)["one"].own, (2.0,))

    def test_a_row_without_a_round_has_no_figure(self) -> None:
        runs.add(self.path, [row("none", [])])
        self.assertEqual(runs.figures(runs.read(self.path)), {})

    def test_a_measurement_hands_rows_over_and_runs_are_compared(self) -> None:
        for name, value in (("a", 2e9), ("b", 1e9)):
            done = self.play("record", self.place / f"{name}.json", typed=json.dumps([row("one", [value] * 5)]))
            self.assertEqual(done.returncode, 0, done.stderr)
        done = self.play("compare", self.place / "a.json", self.place / "b.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| one | 2 s | 1 s | 0.50 (0.50 to 0.50) | **better** |", done.stdout)

    def test_another_machine_is_named(self) -> None:
        for name in ("a", "b"):
            runs.add(self.place / f"{name}.json", [row("one", [1.0])])
        other = runs.read(self.place / "b.json")
        (self.place / "b.json").write_text(json.dumps({**other, "processor": "another"}))
        done = self.play("compare", self.place / "a.json", self.place / "b.json")
        self.assertIn("different machines", done.stdout)

    def test_what_is_no_run_is_named(self) -> None:
        (self.place / "text.json").write_text("nothing")
        for name, reason in (("text.json", "is no run"), ("none.json", "No such file")):
            done = self.play("compare", self.place / name, self.place / name)
            self.assertEqual(done.returncode, 1)
            self.assertIn(reason, done.stderr)
        self.assertEqual(self.play("compare").returncode, 64)
