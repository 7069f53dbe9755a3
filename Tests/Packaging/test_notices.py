"""Whoever gets the programs gets the notices of all that is linked into them."""
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = os.environ.get("ROUNDEL_PREFIX", "")
NOTICE = ROOT / "NOTICE"
PROGRAMS = ("roundel", "roundeld", "roundel-worker", "roundel-mount", "roundel-git", "roundel-marks", "roundel-syncthing",
            "roundel-window")

# A text that is in a program which holds that code, stripped or not, and the address in its notice.
TRACES = {
    rb"Fatal error: ": "https://github.com/swiftlang/swift",
    rb"FoundationEssentials": "https://github.com/swiftlang/swift-foundation",
    rb"icudt\d+l": "https://github.com/unicode-org/icu",
    rb"SystemPackage": "https://github.com/apple/swift-system",
    rb"ArgumentParser": "https://github.com/apple/swift-argument-parser",
    rb"inflate [0-9.]+ Copyright": "https://zlib.net",
    rb"GRDB": "https://github.com/groue/GRDB.swift",
}


def entries() -> list[tuple[list[str], list[str], list[str]]]:
    """The entries of the file, each as its addresses, its programs and its file with the licence."""
    found = []
    for text in NOTICE.read_text().split("\n\n")[2:]:
        (programs,) = re.findall(r"^    In: (.*)$", text, re.MULTILINE)
        found.append((re.findall(r"^    (https://\S+)$", text, re.MULTILINE), programs.split(", "),
                      re.findall(r": (\w+\.txt)$", text, re.MULTILINE)))
    return found


class NoticeTests(unittest.TestCase):
    def test_every_package_that_is_depended_on_has_a_notice(self) -> None:
        packages = set(re.findall(r'\.package\(url: "([^"]+?)(?:\.git)?"', (ROOT / "Package.swift").read_text()))
        resolved = ROOT / "Package.resolved"
        if resolved.exists():
            packages |= set(re.findall(r'"location" : "([^"]+?)(?:\.git)?"', resolved.read_text()))
        self.assertTrue(packages)
        noticed = {address for addresses, _, _ in entries() for address in addresses}
        self.assertEqual(packages - noticed, set())

    def test_every_notice_names_a_licence_that_is_there(self) -> None:
        for addresses, _, licences in entries():
            with self.subTest(addresses=addresses):
                (licence,) = licences
                self.assertTrue((ROOT / "packaging/licences" / licence).read_text())

    @unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
    def test_the_notices_say_what_the_installed_programs_hold(self) -> None:
        for program in PROGRAMS:
            contents = (pathlib.Path(PREFIX) / "bin" / program).read_bytes()
            held = {address for trace, address in TRACES.items() if re.search(trace, contents)}
            said = {address for addresses, programs, _ in entries() if program in programs for address in addresses}
            with self.subTest(program=program):
                self.assertEqual(held, said & set(TRACES.values()))

    @unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
    def test_notices_and_licences_are_installed(self) -> None:
        documents = pathlib.Path(PREFIX) / "share/doc/roundel"
        licences = {name for _, _, names in entries() for name in names}
        expected = {"LICENSE", "NOTICE", *licences}
        self.assertEqual(expected - {path.name for path in documents.iterdir()}, set())


if __name__ == "__main__":
    unittest.main()
