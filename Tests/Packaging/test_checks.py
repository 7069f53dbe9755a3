"""`roundel check-provider` and `check-host`: what keeps every rule passes, and what breaks one is told which.

ROUNDEL_PREFIX names an installation; `make test` makes one below build/.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from typing import Any

from session import DEADLINE_SECONDS, Session
from test_json import differences, examples

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
PREFIX = os.environ.get("ROUNDEL_PREFIX", "")
PYTHON = "/usr/bin/python3"
# Each check mostly waits.
AT_ONCE = 6
# What a check has to wait for in vain is not waited for as long as a busy machine may need.
IN_VAIN = {"ROUNDEL_PATIENCE": "1", "ROUNDEL_PAUSES": "0.25"}
OF_TIME = {"in-time", "quiet"}
SIMPLE_MANIFEST = "[Provider]\nName=Faulty\nBusName=org.example.Faulty\nObjectPath=/org/example/Faulty\n"


def rules_of(source: str) -> set[str]:
    """The rules that a check has, as the sources name them."""
    text = (ROOT / "Sources/Checking" / source).read_text().split("package var sentence")[0]
    return {second or first for first, second in re.findall(r"^    case (\w+)(?: = \"([a-z-]+)\")?$", text, re.MULTILINE)}


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class CheckTests(unittest.TestCase):
    def setUp(self) -> None:
        self.session = Session(PREFIX)
        self.addCleanup(self.session.close)
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def check(self, *arguments: str | pathlib.Path, variables: dict[str, str] | None = None) -> tuple[int, dict[str, Any]]:
        """The exit status of a check, and the rules by their names."""
        words = [f"{PREFIX}/bin/roundel", arguments[0], "--json", *arguments[1:]]
        done = subprocess.run(
            words, env={**self.session.environment, **(variables or {})}, cwd=self.place, capture_output=True, text=True,
            timeout=4 * DEADLINE_SECONDS, check=False)
        self.assertTrue(done.stdout, f"{words}: {done.stderr}")
        report = json.loads(done.stdout)
        self.assertEqual(report["passed"], done.returncode == 0)
        self.assertEqual(differences(examples(f"roundel {arguments[0]}")[0], report, set()), [])
        return done.returncode, {rule["rule"]: rule for rule in report["rules"]}

    def outcomes(self, rules: dict[str, Any], outcome: str) -> dict[str, str]:
        return {name: rule["seen"] for name, rule in rules.items() if rule["outcome"] == outcome}

    def broken(self, rules: dict[str, Any]) -> dict[str, str]:
        """The rules that failed, without those of time: on a busy machine they say nothing."""
        return {name: seen for name, seen in self.outcomes(rules, "failed").items() if name not in OF_TIME}

    def keeps(self, rules: dict[str, Any], *unplayed: str) -> None:
        """Nothing is broken, and everything but these was played."""
        self.assertEqual(self.broken(rules), {})
        self.assertEqual(set(self.outcomes(rules, "not-played")), set(unplayed))


class ProviderTests(CheckTests):
    # What a provider without menus, attributes and more than one interface does not show.
    LEAST = ("version", "services", "menu", "menu-ids", "actions", "unknown-item", "attributes")

    def faulty(self, fault: str) -> tuple[int, dict[str, Any]]:
        folder = self.place / fault
        folder.mkdir()
        manifest = folder / "faulty.provider"
        manifest.write_text(SIMPLE_MANIFEST.replace("BusName", "Bus") if fault == "manifest" else SIMPLE_MANIFEST)
        return self.check("check-provider", "--strict", manifest, "--", PYTHON, HERE / "faulty_provider.py", fault, "{}",
                          variables=IN_VAIN)

    def test_a_provider_that_breaks_a_rule_is_told_which(self) -> None:
        faults = sorted(rules_of("ProviderRule.swift"))
        self.assertGreater(len(faults), 25)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for fault, (status, rules) in zip(faults, pool.map(self.faulty, faults), strict=True):
                with self.subTest(fault):
                    self.assertEqual(status, 1)
                    self.assertEqual(rules[fault]["outcome"], "failed", rules)

    def test_a_provider_that_breaks_none_passes_with_every_rule_played(self) -> None:
        manifest = self.place / "faulty.provider"
        manifest.write_text(SIMPLE_MANIFEST)
        status, rules = self.check("check-provider", manifest, "--", PYTHON, HERE / "faulty_provider.py", "none", "{}")
        self.keeps(rules)
        self.assertEqual(status, 0)

    def test_the_example_passes(self) -> None:
        status, rules = self.check("check-provider", "example", "--", PYTHON, ROOT / "examples/provider.py", "{}")
        self.keeps(rules, "manifest", "bus-name", *self.LEAST)
        self.assertEqual(status, 0)

    def test_what_new_provider_writes_passes(self) -> None:
        for language in ("python", "c"):
            with self.subTest(language):
                name = f"my-{language}"
                subprocess.run([f"{PREFIX}/bin/roundel", "new-provider", name, "--language", language], cwd=self.place,
                               env=self.session.environment, check=True, capture_output=True)
                folder = self.place / name
                program = folder / (f"{name}.py" if language == "python" else name)
                if language == "c":
                    subprocess.run(["make", "-C", folder], check=True, capture_output=True)
                # Started as its service file says, which need not be installed.
                (service,) = folder.glob("*.service")
                service.write_text(re.sub("Exec=.*", f"Exec='{program}' '{self.place}/{name}'", service.read_text()))
                ways: list[list[str | pathlib.Path]] = [[], ["--", program, "{}"]]
                for arguments in ways:
                    status, rules = self.check("check-provider", folder / f"{name}.provider", *arguments)
                    self.assertEqual(self.broken(rules), {})
                    self.assertEqual(status, 0)
                unplayed = {"status"} if language == "c" else set()
                self.keeps(rules, *self.LEAST, *unplayed)

    def test_what_new_provider_writes_in_swift_builds_and_passes(self) -> None:
        swift = shutil.which("swift", path=f"{os.environ.get('PATH', '')}:/opt/swift/usr/bin")
        if not swift:
            self.skipTest("swift is not installed")
        self.session.run("roundel", "new-provider", str(self.place / "my-swift"), "--language", "swift", "--sources", str(ROOT))
        folder = self.place / "my-swift"
        # The packages that the tree was built with, so that nothing newer is looked for.
        shutil.copy(ROOT / "Package.resolved", folder)
        built = subprocess.run(
            [swift, "build", "--package-path", folder, "--scratch-path", ROOT / "build/swift-provider", "--skip-update",
             "-debug-info-format", "none"], capture_output=True, text=True, check=False)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.assertNotIn("warning: ", built.stdout)
        program = ROOT / "build/swift-provider/debug/my-swift"
        status, rules = self.check("check-provider", folder / "my-swift.provider", "--", program, "{}")
        # The library answers for menus and attributes that there are none.
        self.keeps(rules, "services", "menu-ids")
        self.assertEqual(status, 0)

    def test_our_engines_pass(self) -> None:
        home = self.session.home
        for name in ("Synced", "Remote", "Marked", "Repository"):
            (home / name).mkdir()
        (home / "Marked" / "file").write_text("x")
        (home / "Synced" / "file").write_text("x")
        subprocess.run(["git", "init", "-q", home / "Repository"], check=True, env=self.session.environment)
        (home / "Repository" / "file").write_text("x")
        self.session.run("roundel", "add", str(home / "Synced"), str(home / "Remote"))
        self.session.run("roundel", "sync", str(home / "Synced"))
        self.session.run("roundel", "mark", str(home / "Marked"), "--state", "synced")
        self.session.run("roundel", "git", "add", str(home / "Repository"))
        for provider in ("roundel", "marks", "git"):
            with self.subTest(provider, session=True):
                status, rules = self.check("check-provider", provider, "--session")
                self.assertEqual(self.broken(rules), {})
                self.assertLessEqual({"columns", "badges", "outside", "absent", "version"}, set(self.outcomes(rules, "ok")))
                self.assertEqual(status, 0)
        # An engine runs once for a home directory.
        for process in self.session.services():
            os.kill(process, signal.SIGTERM)
        self.session.wait_for("the engines to end", lambda: not self.session.services())
        for provider in ("roundel", "marks", "git"):
            with self.subTest(provider):
                status, rules = self.check("check-provider", provider, "--home", home)
                self.assertEqual(self.broken(rules), {})
                self.assertEqual(status, 0)
                played = set(self.outcomes(rules, "ok"))
                self.assertLessEqual({"manifest", "bus-name", "registers", "folders", "columns", "badges", "outside",
                                      "answers", "services", "version", "stays", "returns"}, played)

    def test_what_cannot_be_started_is_said(self) -> None:
        for arguments, status in (([("nobody")], 1), (["nobody", "--", "/no/such/program"], 1), (["No id"], 64)):
            done = subprocess.run([f"{PREFIX}/bin/roundel", "check-provider", *arguments], env=self.session.environment,
                                  cwd=self.place, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertTrue(done.stderr.startswith("roundel: "), done.stderr)

    def test_an_interrupted_check_leaves_nothing_behind(self) -> None:
        for words in ("check-provider nobody", "check-host"):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(words, number=number):
                    self.interrupt([*words.split(), "--", "sleep", "1000"], number)

    def interrupt(self, words: list[str], number: signal.Signals) -> None:
        process = subprocess.Popen(
            [f"{PREFIX}/bin/roundel", *words], env=self.session.environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        try:
            made = self.session.wait_for("the check to begin", lambda: self.begun_place(process.pid))
            process.send_signal(number)
            process.wait(DEADLINE_SECONDS)
        finally:
            process.kill()
            said = process.communicate()
        self.assertEqual((process.returncode, *said), (128 + number, "", ""))
        self.assertFalse(made.exists())

    def begun_place(self, check: int) -> pathlib.Path | None:
        """The directory of a check, once it has started what it checks. Others are checked at the same time."""
        done = subprocess.run(["ps", "--no-headers", "-o", "args", "--ppid", str(check)], capture_output=True, text=True,
                              check=False)
        found = re.search(r"/tmp/roundel-check\.\w+", done.stdout)
        place = pathlib.Path(found[0]) if found else None
        return place if place and (place / "home/Folder").exists() and "sleep 1000" in done.stdout else None


class HostTests(CheckTests):
    # What no host does that nobody uses.
    UNUSED = ("menus", "attributes")
    # What a host that reads slowly has done in the end: it showed all at first, after the folder came back and after the
    # service did. After Reset it is refused.
    SLOW = ("read", "read", "vanished", "read", "vanished")

    def faulty(self, fault: str) -> tuple[int, dict[str, Any]]:
        return self.check("check-host", "--", PYTHON, HERE / "faulty_host.py", fault, "{}", variables=IN_VAIN)

    def test_a_host_that_breaks_a_rule_is_told_which(self) -> None:
        faults = sorted(rules_of("HostRule.swift"))
        self.assertGreater(len(faults), 15)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for fault, (status, rules) in zip(faults, pool.map(self.faulty, faults), strict=True):
                with self.subTest(fault):
                    self.assertEqual(status, 1)
                    self.assertEqual(rules[fault]["outcome"], "failed", rules)

    def test_a_host_that_breaks_none_passes(self) -> None:
        status, rules = self.faulty("none")
        self.keeps(rules, "ends", *self.UNUSED)
        self.assertEqual(status, 0)

    def test_a_host_that_shows_another_folder_is_told_both(self) -> None:
        status, rules = self.faulty("elsewhere")
        self.assertEqual(status, 1)
        self.assertEqual(set(self.broken(rules)), {"observes"})
        self.assertRegex(rules["observes"]["seen"], r"file:///elsewhere.*file:///tmp/roundel-check\.\w+/home/Folder")
        self.assertLessEqual({"reset", "folders", "returns"}, set(self.outcomes(rules, "not-played")))

    def test_a_command_that_ends_by_itself_is_told_so(self) -> None:
        for words, how in ((["true"], "0"), (["sh", "-c", "exit 3"], "3"), (["sh", "-c", "kill -9 $$"], "137")):
            with self.subTest(words):
                status, rules = self.check("check-host", "--", *words, variables=IN_VAIN)
                self.assertEqual(status, 1)
                self.assertRegex(rules["observes"]["seen"], rf"ended.*\b{how}\b")

    def test_a_host_that_reads_slowly_is_given_the_time(self) -> None:
        """After the folder has come back, too: what it reads last is there before the service goes."""
        log = self.place / "log"
        status, rules = self.check("check-host", "--", PYTHON, HERE / "faulty_host.py", "slow", "{}", log, variables=IN_VAIN)
        self.keeps(rules, "ends", *self.UNUSED)
        self.assertEqual(status, 0)
        self.assertEqual(tuple(log.read_text().split()[:len(self.SLOW)]), self.SLOW)

    def test_a_host_that_somebody_starts_is_waited_for(self) -> None:
        check = subprocess.Popen(
            [f"{PREFIX}/bin/roundel", "check-host", "--json"], env={**self.session.environment, **IN_VAIN},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(check.communicate)
        self.addCleanup(check.kill)
        assert check.stderr and check.stdout
        variable, folder = check.stderr.readline().strip(), check.stderr.readline().strip()
        host = subprocess.Popen([PYTHON, HERE / "faulty_host.py", "none", folder],
                                env={**self.session.environment, **dict([variable.split("=", 1)])})
        self.addCleanup(host.wait)
        self.addCleanup(host.kill)
        self.assertTrue(json.loads(check.stdout.readline())["passed"])
        # It removes what it has made before it ends.
        self.assertEqual(check.wait(DEADLINE_SECONDS), 0)

    def test_the_example_in_c_passes(self) -> None:
        (library,) = pathlib.Path(PREFIX).glob("lib*/**/libroundel.so")
        program = self.place / "host"
        subprocess.run(["cc", ROOT / "examples/host.c", "-o", program, f"-I{PREFIX}/include", f"-L{library.parent}",
                        "-lroundel", f"-Wl,-rpath,{library.parent}"], check=True)
        status, rules = self.check("check-host", "--", program, "{}")
        self.keeps(rules, "ends", *self.UNUSED)
        self.assertEqual(status, 0)


if __name__ == "__main__":
    unittest.main()
