"""What the commands print with --json has the members that Documentation/json.md says, of these types, and no others.

ROUNDEL_PREFIX names an installation; `make test` makes one below build/.
"""
import itertools
import json
import os
import pathlib
import re
import subprocess
import unittest
from typing import Any

from session import DEADLINE_SECONDS, Session

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = os.environ.get("ROUNDEL_PREFIX", "")
PAGE = (ROOT / "Documentation/json.md").read_text()
SECTIONS: dict[str, str] = dict(re.findall(r"^## (roundel [^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
# Of these no run is played here: they want root, a server, or a provider of another kind. test_checks.py plays the checks.
UNPLAYED = {"roundel limit", "roundel login", "roundel share", "roundel logout", "roundel providers forget",
            "roundel providers allow", "roundel providers disallow", "roundel setup", "roundel check-host",
            "roundel check-provider"}
STATES = {"synced", "pending", "syncing", "paused", "conflict", "error", "excluded", "online_only"}


def examples(command: str) -> list[Any]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", SECTIONS[command], re.DOTALL)]


def optional(command: str) -> set[str]:
    """The members that may be missing; NAME.* are all of that one."""
    found = re.search(r"^May be missing: (.*?)\.$", SECTIONS[command], re.MULTILINE | re.DOTALL)
    return set(re.findall(r"`([^`]+)`", found[1])) if found else set()


def differences(documented: Any, printed: Any, missing: set[str], name: str = "") -> list[str]:
    """How what was printed differs from the example; null stands for a value of any type."""
    if documented is None or printed is None:
        return []
    if type(documented) is not type(printed):
        return [f"{name} is {printed!r}, like {documented!r} in the page"]
    if isinstance(printed, list):
        return [found for item in printed for found in differences(documented[0], item, missing, name)] if documented else []
    if not isinstance(printed, dict):
        return []
    lacks = [member for member in documented.keys() - printed.keys() if member not in missing and f"{name}.*" not in missing]
    result = [f"{name} lacks {member}" for member in lacks]
    result += [f"the page lacks {member} of {name}" for member in printed.keys() - documented.keys()]
    for member in documented.keys() & printed.keys():
        result += differences(documented[member], printed[member], missing, member)
    return result


def members(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(members, value))
    return set(value).union(*map(members, value.values())) if isinstance(value, dict) else set()


class PageTests(unittest.TestCase):
    def test_every_member_is_one_that_the_command_line_writes(self) -> None:
        sources = "".join(path.read_text() for path in (ROOT / "Sources").rglob("*.swift"))
        # Keys of attributes have hyphens on the bus; states are members of "counts".
        written = {name.replace("-", "_") for name in re.findall(r'"([\w-]+)"', sources)}
        unknown = {command: {name.replace("-", "_") for name in members(examples(command))} - written - STATES
                   for command in SECTIONS}
        self.assertEqual({command: names for command, names in unknown.items() if names}, {})


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class PrintedTests(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.session = Session(PREFIX)
        self.addCleanup(self.session.close)
        self.played: set[str] = set()
        self.folder = self.session.home / "Documents"
        self.remote = self.session.home / "remote"
        for place in (self.folder, self.remote):
            place.mkdir()

    def printed(self, *words: str | pathlib.Path, of: str = "", example: int = 0, status: tuple[int, ...] = (0,)) -> Any:
        """What a command prints, which has to be what the page says of it."""
        command = ["roundel", *map(str, words)]
        done = subprocess.run([*command, "--json"], env=self.session.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=2 * DEADLINE_SECONDS, check=False)
        self.assertIn(done.returncode, status, f"{command}: {done.stdout}{done.stderr}")
        value = json.loads(done.stdout)
        section = of or next(" ".join(command[:length]) for length in (3, 2) if " ".join(command[:length]) in SECTIONS)
        self.played.add(section)
        self.assertEqual(differences(examples(section)[example], value, optional(section)), [], f"{command}: {done.stdout}")
        self.assertTrue(value != [] or section in ("roundel conflicts", "roundel menu"), f"{command} printed nothing")
        return value

    def sync(self) -> Any:
        return self.printed("sync", "--wait", self.folder, status=(0, 2))

    def test_what_is_printed_is_what_the_page_says(self) -> None:
        for name in ("a.txt", "b.txt", "c.txt"):
            (self.folder / name).write_text(name)
        (self.folder / "tools").mkdir()
        self.printed("add", self.folder, self.remote, "--dry-run", example=1)
        self.printed("add", self.folder, self.remote, "--wait")
        self.printed("list")
        self.printed("badge", "--attributes", self.folder, self.folder / "a.txt")
        self.printed("ls", self.folder)
        self.printed("exclude", self.folder, "*.iso")
        self.printed("menu", "sidebar", self.folder)
        self.printed("pause", self.folder)
        self.printed("resume", self.folder, of="roundel pause")
        self.printed("doctor", status=(0, 2))
        (self.folder / "b.txt").write_text("another")
        (self.folder / "c.txt").unlink()
        self.printed("sync", "--dry-run", self.folder)
        self.sync()
        self.printed("do", "roundel/sync-now", self.folder)
        self.printed("activity")
        self.printed("history", self.folder)
        self.printed("open", "--print", self.folder / "a.txt")
        self.printed("verify", self.folder)
        self.deleted_and_restored()
        self.in_conflict()
        self.printed("status", status=(0, 2))
        self.providers()
        self.on_demand()
        self.engines()
        moved = self.session.home / "Papers"
        self.folder.rename(moved)
        self.printed("relocate", self.folder, moved)
        self.printed("remove", moved)
        self.assertEqual(set(SECTIONS) - UNPLAYED - self.played, set(), "no run was played of these")

    def deleted_and_restored(self) -> None:
        (self.remote / "a.txt").unlink()
        self.sync()
        kept = self.printed("trash", "list")
        self.printed("trash", "restore", kept[0]["path"])
        self.printed("trash", "restore", "--all", "--since", "1h", self.folder, example=1, status=(0, 2))
        self.sync()
        self.printed("trash", "delete", self.folder, status=(0, 2))

    def in_conflict(self) -> None:
        self.printed("pause", self.folder)
        for side, number in zip((self.folder, self.remote), itertools.count()):
            (side / "b.txt").write_text(f"side {number}")
        self.printed("resume", self.folder, of="roundel pause")
        self.sync()
        conflicts = self.printed("conflicts", status=(2,))
        self.printed("problems", self.folder, status=(2,))
        self.printed("why", conflicts[0]["path"])
        self.assertEqual(len(conflicts), 1)
        self.printed("resolve", conflicts[0]["path"], "mine", status=(0, 2))
        self.sync()

    def on_demand(self) -> None:
        """Cloud, a folder on demand that is removed again."""
        cloud, remote = (self.session.home / name for name in ("Cloud", "server"))
        for place in (cloud, remote):
            place.mkdir()
        (remote / "film").write_text("film")
        self.printed("add", cloud, remote, "--on-demand", "--wait")
        self.printed("fetch", cloud)
        self.printed("pin", cloud / "film")
        self.printed("unpin", cloud / "film", of="roundel pin")
        self.printed("free", cloud)
        self.printed("on-demand", cloud)
        self.printed("remove", "--drop-placeholders", cloud)

    def engines(self) -> None:
        """A repository, and a folder that a script takes care of."""
        repository, mail = (self.session.home / name for name in ("Repository", "Mail"))
        for place in (repository, mail):
            place.mkdir()
        self.session.run("git", "init", "-q", str(repository))
        self.printed("git", "add", repository)
        self.printed("git", "list")
        self.printed("git", "remove", repository)
        self.printed("mark", mail, "--state", "synced")
        self.printed("remove", mail)
        self.printed("new-provider", self.session.home / "mysync")

    def providers(self) -> None:
        self.printed("providers", "list")
        self.printed("providers", "disable", "roundel", of="roundel providers enable")
        self.printed("providers", "enable", "roundel")
        self.session.wait_for("the worker to sync again", lambda: self.printed("list"))


if __name__ == "__main__":
    unittest.main()
