"""What `make install` gives is complete and works: files, activation, introspection, a plain client.

ROUNDEL_PREFIX names an installation; `make test` makes one below build/.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from typing import Any

from gi.repository import GLib
from session import DEADLINE_SECONDS, Session

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "po"))

import update

PREFIX = os.environ.get("ROUNDEL_PREFIX", "")
SERVICE = ("org.roundel.Roundel1", "/org/roundel/Roundel1")
WORKER = ("org.roundel.SyncWorker1", "/org/roundel/SyncWorker1")
MARKS = ("org.roundel.Marks1", "/org/roundel/Marks1")
HOST = "org.roundel.Roundel1.Host"
EMITS_CHANGED = "org.freedesktop.DBus.Property.EmitsChangedSignal"
PROGRAMS = ("roundeld", "roundel-worker", "roundel-mount", "roundel-git", "roundel-marks", "roundel-syncthing",
            "roundel-window", "roundel")
# Every interface, with the object that has it.
INTERFACES = [
    (SERVICE if path.stem in (HOST, "org.roundel.Roundel1.Registry", "org.roundel.Roundel1.Providers")
     else MARKS if path.stem == MARKS[0] else WORKER, path.stem)
    for path in sorted((ROOT / "dbus/interfaces").iterdir())
]


def contract(interface: xml.etree.ElementTree.Element | None) -> dict[tuple[str, str | None], Any]:
    """An interface element as a value that is equal where the contract is: names, order, types, directions, access, and
    what is said when a property changes."""
    members = {}
    for member in list(interface or []):
        if member.tag not in ("method", "signal", "property"):
            continue
        default = "in" if member.tag == "method" else "out"
        members[(member.tag, member.get("name"))] = (
            member.get("type"), member.get("access"), [
                note.get("value") for note in member.findall("annotation")
                if note.get("name") == EMITS_CHANGED and note.get("value") != "true"],
            [(arg.get("name"), arg.get("type"), arg.get("direction", default)) for arg in member.findall("arg")])
    return members


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class InstalledFilesTests(unittest.TestCase):
    def setUp(self) -> None:
        self.prefix = pathlib.Path(PREFIX)

    def test_everything_that_the_sources_hold_is_there(self) -> None:
        expected = [f"bin/{name}" for name in PROGRAMS]
        expected += [f"share/dbus-1/services/{path.stem}" for path in (ROOT / "dbus/services").iterdir()]
        expected += [f"share/systemd/user/{path.stem}" for path in (ROOT / "dbus/systemd").iterdir()]
        expected += [f"share/dbus-1/interfaces/{path.name}" for path in (ROOT / "dbus/interfaces").iterdir()]
        expected += [f"share/roundel/providers/{path.name}" for path in (ROOT / "dbus/providers").iterdir()]
        expected += [f"share/applications/{path.name}" for path in (ROOT / "dbus/applications").iterdir()]
        expected += [f"share/cloud-providers/{path.name}" for path in (ROOT / "dbus/cloud-providers").iterdir()]
        expected += [f"etc/xdg/autostart/{path.name}" for path in (ROOT / "dbus/autostart").iterdir()]
        expected += [f"share/metainfo/{path.name}" for path in (ROOT / "dbus/metainfo").iterdir()]
        expected += [f"lib/systemd/user-preset/{path.name}" for path in (ROOT / "dbus/presets").iterdir()]
        expected += [f"share/man/man1/{path.name}" for path in (ROOT / "Documentation/man").glob("*.1")]
        expected += [f"share/man/man3/{path.name}" for path in (ROOT / "Documentation/man").glob("*.3")]
        expected += [f"share/man/{language}/man{frame.stem[-1]}/{frame.stem}" for language in update.languages()
                     for frame in (ROOT / "Documentation/man").glob("*.in")]
        expected += [f"share/doc/roundel/examples/{path.name}" for path in (ROOT / "examples").glob("[!.]*")]
        expected += ["include/roundel.h"]
        expected += [f"share/doc/roundel/Documentation/{path.name}" for path in (ROOT / "Documentation").glob("*.md")]
        expected += ["share/bash-completion/completions/roundel", "share/zsh/site-functions/_roundel",
                     "share/fish/vendor_completions.d/roundel.fish"]
        expected += [f"share/roundel/window/{path.name}" for path in (ROOT / "Sources/Window/Blueprints").glob("*.ui")]
        expected += [f"share/roundel/tray/{path.name}" for path in (ROOT / "Icons/tray").glob("*.argb")]
        expected += [f"share/icons/{path.relative_to(ROOT / 'Icons')}" for path in (ROOT / "Icons").rglob("*.svg")]
        self.assertEqual([name for name in expected if not (self.prefix / name).is_file()], [])

    def test_each_file_manager_has_its_plugin(self) -> None:
        for directory in ("nautilus/extensions-4", "nemo/extensions-3.0", "caja/extensions-2.0", "thunarx-3",
                          "plugins/kf5/overlayicon", "plugins/kf5/kfileitemaction", "plugins/kf5/propertiesdialog"):
            with self.subTest(directory=directory):
                self.assertEqual(len(list(self.prefix.glob(f"lib/**/{directory}/*.so"))), 1)

    def test_programs_bring_the_swift_runtime_along(self) -> None:
        for name in PROGRAMS:
            libraries = subprocess.run(["ldd", self.prefix / "bin" / name], capture_output=True, text=True, check=True)
            self.assertNotRegex(libraries.stdout, r"libswift|libFoundation|not found")

    def test_programs_say_their_version(self) -> None:
        for name in ("roundeld", "roundel-worker", "roundel-git", "roundel-marks", "roundel-syncthing", "roundel-window",
                     "roundel"):
            done = subprocess.run([self.prefix / "bin" / name, "--version"], capture_output=True, text=True,
                                  timeout=DEADLINE_SECONDS, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"\d+\.\d+")

    def test_the_manual_says_what_the_program_says_of_its_commands(self) -> None:
        with tempfile.TemporaryDirectory(prefix="roundel-manual-") as made:
            subprocess.run([ROOT / "packaging/manual.py", made, self.prefix / "bin/roundel"], check=True)
            for language in ("", *update.languages()):
                with self.subTest(language=language):
                    page = (self.prefix / "share/man" / language / "man1/roundel.1").read_text()
                    written = (pathlib.Path(made) / language / "roundel.1").read_text()
                    self.assertEqual(page, written, "`make manual` writes it anew")

    def test_bash_completes_commands_options_and_words(self) -> None:
        script = """
            source "$1"
            COMP_WORDS=(roundel "${@:2}") COMP_CWORD=$(($# - 1)) COMP_LINE="roundel ${*:2}"
            COMP_POINT=${#COMP_LINE}
            _roundel roundel "${@: -1}" "${@: -2:1}"
            printf '%s\\n' "${COMPREPLY[@]}"
        """
        completions = self.prefix / "share/bash-completion/completions/roundel"
        for typed, offered in ((["sta"], "status"), (["trash", "res"], "restore"), (["sync", "--w"], "--wait"),
                               (["menu", "to"], "toolbar"), (["list", str(ROOT / "READ")], ""),
                               (["ls", str(ROOT / "Sourc")], str(ROOT / "Sources"))):
            with self.subTest(typed=typed):
                done = subprocess.run(["bash", "-c", script, "bash", completions, *typed], capture_output=True, text=True,
                                      env={"PATH": f"{self.prefix}/bin:/usr/bin:/bin"}, check=False)
                self.assertEqual((done.stdout.strip(), done.stderr), (offered, ""))

    def test_the_metadata_helper_is_of_this_version_and_off(self) -> None:
        said = [subprocess.run([self.prefix / "bin" / name, "--version"], capture_output=True, text=True,
                               timeout=DEADLINE_SECONDS, check=False).stdout.split()
                for name in ("roundeld", "roundel-metadata")]
        self.assertEqual(said[1], ["roundel-metadata", said[0][1]])
        self.assertTrue((self.prefix / "share/systemd/user/roundel-metadata.service").is_file())
        turned_on = [*self.prefix.glob("**/*.wants/roundel-metadata.service"),
                     *(path for path in self.prefix.glob("etc/xdg/autostart/*") if "metadata" in path.read_text()),
                     *(path for path in self.prefix.glob("share/dbus-1/services/*") if "metadata" in path.read_text())]
        self.assertEqual(turned_on, [])

    def test_activation_files_and_units_name_installed_programs(self) -> None:
        lines = []
        for folder in ("share/dbus-1/services", "share/systemd/user"):
            for path in (self.prefix / folder).iterdir():
                self.assertNotIn("@", re.sub(r"@system-service|ProtectSystem=", "", path.read_text()), path.name)
                lines += re.findall(r"^Exec(?:Start)?=(\S+)", path.read_text(), re.MULTILINE)
        self.assertEqual(len(lines), 13)
        for program in lines:
            self.assertTrue(program.startswith(f"{self.prefix}/bin/") and os.access(program, os.X_OK), program)

    def test_systemd_finds_nothing_wrong_with_the_units(self) -> None:
        units = sorted((self.prefix / "share/systemd/user").glob("*.service"))
        with tempfile.TemporaryDirectory() as runtime:
            done = subprocess.run(
                ["systemd-analyze", "--user", "verify", *units], capture_output=True, text=True,
                env={**os.environ, "XDG_RUNTIME_DIR": runtime}, check=False)
        complaints = [line for line in done.stderr.splitlines() if "roundel" in line]
        self.assertEqual((done.returncode, complaints), (0, []))


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class ActivatedServicesTests(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.session = Session(PREFIX)
        self.addCleanup(self.session.close)

    def host(self, member: str, signature: str, *arguments: Any) -> Any:
        return self.session.call(*SERVICE, HOST, member, signature, *arguments)

    def with_first(self, member: str, signature: str, *arguments: Any) -> Any:
        """The answer of a method, once there is something in the first that it gives."""
        answer = self.host(member, signature, *arguments)
        return answer if answer[0] else None

    def menu(self, folder: str) -> Any:
        """The number and the items of the menu of a folder's background, once there are some."""
        number, items, _ = self.host("GetMenu", "(usasa{sv})", 1, folder, [], {})
        return (number, items) if items else None

    def properties(self) -> dict[str, Any]:
        return self.session.call(*SERVICE, "org.freedesktop.DBus.Properties", "GetAll", "(s)", HOST)[0]

    def synced_folder(self) -> str:
        """A folder with one file, added and synced by the command line; its URI."""
        folder, remote = self.session.home / "Folder", self.session.home / "Remote"
        folder.mkdir()
        remote.mkdir()
        (folder / "letter.txt").write_text("hello")
        self.session.run("roundel", "add", str(folder), str(remote))
        self.session.run("roundel", "sync", str(folder), "--wait")
        uri = folder.as_uri()
        self.session.wait_for("the folder to be registered", lambda: uri in self.properties()["Folders"])
        return uri

    def test_live_introspection_is_what_the_interface_files_state(self) -> None:
        for (bus_name, path), name in INTERFACES:
            with self.subTest(interface=name):
                (text,) = self.session.call(bus_name, path, "org.freedesktop.DBus.Introspectable", "Introspect")
                live = {found.get("name"): found for found in xml.etree.ElementTree.fromstring(text).iter("interface")}
                self.assertIn("org.freedesktop.DBus.Properties", live)
                stated = xml.etree.ElementTree.parse(ROOT / "dbus/interfaces" / f"{name}.xml").find("interface")
                self.assertEqual(contract(live[name]), contract(stated))

    def test_gdbus_and_busctl_read_the_services(self) -> None:
        shown = self.session.run("gdbus", "introspect", "--session", "--dest", SERVICE[0], "--object-path", SERVICE[1])
        for name in ("Host", "Registry", "Providers"):
            self.assertIn(f"interface org.roundel.Roundel1.{name}", shown)
        tree = self.session.run("busctl", f"--address={self.session.address}", "tree", SERVICE[0])
        self.assertIn(SERVICE[1], tree)

    def test_starting_the_service_starts_the_worker_that_its_manifest_announces(self) -> None:
        """E1"""
        self.session.call(*SERVICE, "org.freedesktop.DBus.Peer", "Ping")

        def running() -> list[Any]:
            (providers, _) = self.session.call(
                *SERVICE, "org.roundel.Roundel1.Providers", "List", "(a{sv})", {})
            return [provider for provider in providers if provider["id"] == "roundel" and provider["running"]]

        (provider,) = self.session.wait_for("the bundled provider", running)
        self.assertEqual((provider["name"], provider["icon"]), ("Roundel", "org.roundel.Roundel"))

    def test_a_plain_client_uses_every_method_of_the_host_interface(self) -> None:
        """F3, F4, F6, F7, F9, F14"""
        folder = self.synced_folder()
        item = f"{folder}/letter.txt"
        self.assertEqual(self.host("BeginObserving", "(sa{sv})", folder, {})[0], True)
        # The service waits for a provider for some milliseconds, and no longer: a busy machine's may be later, and is asked
        # once more.
        names, badges, flags, progress, following, _ = self.session.wait_for(
            "the file in its folder", lambda: self.with_first("RequestDirectory", "(ssua{sv})", folder, "", 0, {}))
        self.assertEqual((names, following), (["letter.txt"], ""))
        self.assertEqual((len(badges), len(flags), len(progress)), (1, 1, 1))

        def badge() -> list[str]:
            return self.host("RequestBadges", "(sasa{sv})", folder, ["letter.txt"], {})[0]

        self.session.wait_for("the badge of the file", lambda: badge() == ["synced"])
        attributes, _ = self.session.wait_for(
            "the state among the attributes", lambda: self.with_first("GetAttributes", "(sasa{sv})", item, ["state"], {}))
        self.assertEqual(attributes["state"], "synced")
        menu, items = self.session.wait_for("the folder's menu", lambda: self.menu(folder))
        ids = [entry["id"] for entry in items if entry.get("enabled", True) and entry.get("type") != "separator"]
        self.assertTrue(ids and all(entry.startswith("roundel/") for entry in ids), ids)
        with self.assertRaisesRegex(GLib.Error, "org.roundel.Error.UnknownItem"):
            self.host("Activate", "(tsa{sv})", menu, "roundel/there-is-no-such-item", {})
        with self.assertRaisesRegex(GLib.Error, "org.roundel.Error.NoSuchService"):
            self.host("GetItemService", "(ssa{sv})", item, "com.example.Nothing", {})
        self.host("EndObserving", "(sa{sv})", folder, {})
        with self.assertRaisesRegex(GLib.Error, "org.roundel.Error.NotObserving"):
            badge()

    def test_installed_icons_are_those_that_the_badges_name(self) -> None:
        """F2"""
        badges = self.properties()["Badges"]
        self.assertGreaterEqual(len(badges), 8)
        for identifier, (label, icon) in badges.items():
            with self.subTest(badge=identifier):
                self.assertTrue(label)
                self.assertTrue(list(pathlib.Path(PREFIX).glob(f"share/icons/hicolor/scalable/*/{icon}.svg")), icon)


if __name__ == "__main__":
    unittest.main()
