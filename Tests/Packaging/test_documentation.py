"""What Documentation and README cite exists: tests, scenarios, files, links, and the ids of requirements."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "Documentation").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
README_BYTES = 8192
REQUIREMENT = re.compile(r"\b[FDE][0-9]{1,2}\b")


def sources() -> list[pathlib.Path]:
    """The files of the tree that people wrote."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"], capture_output=True,
                            text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def anchors(page: pathlib.Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


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
            for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^):]+))?\)", page.read_text()):
                with self.subTest(page=page.name, target=target, anchor=anchor):
                    linked = page.parent / target if target else page
                    self.assertTrue(linked.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(linked))

    def test_the_readme_is_short(self) -> None:
        self.assertLessEqual((ROOT / "README.md").stat().st_size, README_BYTES)

    def test_the_readme_leads_to_every_page(self) -> None:
        targets = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text())
        linked = {(ROOT / target).resolve() for target in targets}
        self.assertEqual([page.name for page in PAGES if page not in linked and page.name != "README.md"], [])

    def test_the_readme_names_the_test_command_of_ci(self) -> None:
        command = (ROOT / ".ci/run").read_text().rstrip().split("\n")[-1]
        self.assertRegex((ROOT / "README.md").read_text(), rf"(?m)^{re.escape(command)} *(?:#|$)")

    def test_cited_paths_exist(self) -> None:
        """Paths in backquotes that begin with a folder of the tree."""
        for page in PAGES:
            for target in re.findall(r"`((?:Sources|Tests|dbus|packaging|Documentation|examples)/[\w./+-]*)`",
                                     page.read_text()):
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((ROOT / target).exists())

    def test_cited_requirements_are_explained(self) -> None:
        explained = set(re.findall(r"^\| ([FDE][0-9]+) \|", (ROOT / "Documentation/requirements.md").read_text(), re.MULTILINE))
        self.assertEqual(len(explained), 42)
        titles = re.compile(r'@(?:Suite|Test)\("([^"]*)"|"""(.*?)"""', re.DOTALL)
        for path in sources():
            if path.suffix in (".swift", ".py") and "Tests" in path.parts:
                for groups in titles.findall(path.read_text()):
                    for cited in REQUIREMENT.findall("".join(groups)):
                        with self.subTest(path=path.name, cited=cited):
                            self.assertIn(cited, explained)


if __name__ == "__main__":
    unittest.main()
