"""The manual pages in the tree are those that their sources make: frames, the header of libroundel, and translations.

That of `roundel` has what the program says of its commands, for which test_installed.py has one.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "po"), str(ROOT / "packaging")]

import library_page
import update

PAGES = ROOT / "Documentation/man"
NAMES = sorted(frame.stem for frame in PAGES.glob("*.in"))
LANGUAGES = ("", *update.languages())


def requests(page: str) -> list[str]:
    """What the page is made of, without its texts."""
    return re.findall(r"^\.\w+", page, re.MULTILINE)


def sentences(page: str) -> set[str]:
    """Lines of text that are whole sentences."""
    page = re.sub(r"^\.nf$.*?^\.fi$", "", page, flags=re.DOTALL | re.MULTILINE)
    return {line for line in page.splitlines() if re.match(r"(?:\\f.)?\w.* .*[^.]\.$", line)}


class ManualTests(unittest.TestCase):
    maxDiff = None

    def test_every_page_is_there_in_each_language_and_no_other(self) -> None:
        self.assertIn("roundeld.1", NAMES)
        for language in LANGUAGES:
            found = [path.name for path in (PAGES / language).iterdir() if path.is_file() and path.suffix != ".in"]
            with self.subTest(language=language):
                self.assertEqual(sorted(found), NAMES)

    def test_no_page_is_behind_its_source_or_its_translation(self) -> None:
        with tempfile.TemporaryDirectory(prefix="roundel-manual-") as made:
            subprocess.run([ROOT / "packaging/manual.py", made], check=True)
            written = sorted(path for path in pathlib.Path(made).rglob("*") if path.is_file())
            self.assertEqual(len(written), (len(NAMES) - 1) * len(LANGUAGES))
            for path in written:
                name = path.relative_to(made)
                with self.subTest(page=str(name)):
                    self.assertEqual((PAGES / name).read_text(), path.read_text(), "`make manual` writes it anew")

    def test_a_translation_has_every_part_and_no_english_sentence(self) -> None:
        for name in NAMES:
            english = (PAGES / name).read_text()
            self.assertGreater(len(sentences(english)), 3, name)
            for language in update.languages():
                page = (PAGES / language / name).read_text()
                with self.subTest(page=name, language=language):
                    self.assertEqual(requests(page), requests(english))
                    self.assertEqual(sentences(page) & sentences(english), set())

    def test_names_in_a_text_are_set_apart_in_every_script(self) -> None:
        self.assertEqual(library_page.shown("请用roundel_host_free()释放，或%NULL。"),
                         "请用\\fBroundel_host_free\\fR()释放，或\\fBNULL\\fR。")
        self.assertEqual(library_page.shown(".#RoundelBadge's -1"), "\\&.\\fBRoundelBadge\\fR\\(aqs \\-1")

    def test_pages_are_set_without_warnings(self) -> None:
        for page in sorted(PAGES.rglob("*.[13]")):
            with self.subTest(page=str(page.relative_to(PAGES))):
                # Chinese has no spaces: man(1) takes the macros of the page's language as well, with which lines break.
                language = ["-mzh"] if page.parent.name.startswith("zh") else []
                # What stands in JSON is longer than a line of 80 columns.
                done = subprocess.run(["groff", *language, "-man", "-ww", "-K", "utf8", "-T", "utf8", "-rLL=130n", page],
                                      capture_output=True, text=True, check=True)
                self.assertEqual(done.stderr, "")
                self.assertIn(page.stem, done.stdout)


if __name__ == "__main__":
    unittest.main()
