"""What Documentation and README cite is there: tests, scenarios, files, links, and the ids of requirements."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "Documentation").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
REQUIREMENT = re.compile(r"\b[FDE][0-9]{1,2}\b")


def sources() -> list[pathlib.Path]:
    """The files of the tree that people wrote."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"], capture_output=True,
                            text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


class Documentation(unittest.TestCase):
    def test_cited_tests_exist(self) -> None:
        """A suite is cited by the name of its type or its file."""
        names = {path.stem for path in sources()}
        types = set()
        for path in sources():
            if path.suffix == ".swift":
                types.update(re.findall(r"\b(?:struct|class|enum) (\w+)", path.read_text()))
        for page in PAGES:
            cited = re.findall(r"\b[A-Z]\w+(?:Tests|World)\b", page.read_text())
            cited += re.findall(r"`(\w+_scenario)`", page.read_text())
            for name in cited:
                with self.subTest(page=page.name, name=name):
                    self.assertTrue(name in names | types, f"{page.name} cites {name}, which is not there")

    def test_links_lead_somewhere(self) -> None:
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((page.parent / target).exists())

    def test_cited_paths_exist(self) -> None:
        """Paths in backquotes that begin with a folder of the tree."""
        for page in PAGES:
            for target in re.findall(r"`((?:Sources|Tests|dbus|packaging|Documentation|examples)/[\w./+-]*)`",
                                     page.read_text()):
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((ROOT / target).exists())

    def test_cited_requirements_are_explained(self) -> None:
        explained = set(re.findall(r"^\| ([FDE][0-9]+) \|", (ROOT / "Documentation/requirements.md").read_text(), re.MULTILINE))
        self.assertEqual(len(explained), 34)
        titles = re.compile(r'@(?:Suite|Test)\("([^"]*)"|"""(.*?)"""', re.DOTALL)
        for path in sources():
            if path.suffix in (".swift", ".py") and "Tests" in path.parts:
                for groups in titles.findall(path.read_text()):
                    for cited in REQUIREMENT.findall("".join(groups)):
                        with self.subTest(path=path.name, cited=cited):
                            self.assertIn(cited, explained)


if __name__ == "__main__":
    unittest.main()
