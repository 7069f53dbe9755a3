"""In a language that nobody speaks, each sentence for people is in it, no table breaks, and what programs read stays.

po/pseudo.py makes that language: each letter has an accent, each text is 40 % longer.
ROUNDEL_PREFIX names an installation; `make test` makes one below build/.
"""
import errno
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata
import unittest
from typing import Any

from gi.repository import Gio, GLib
from session import DEADLINE_SECONDS, Session

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "po"))

import entries
import messages

PREFIX = os.environ.get("ROUNDEL_PREFIX", "")
PSEUDO = "en@pseudo"
PADDING = "~"
COLUMNS = 80
# What people read in English or in letters all the same: names, units, words of commands and of their options.
NAMES = re.compile(
    r"[~/][\w./+-]*|\bfile://\S*|\bRoundel\b|\bPATH\b|\b[kMGTPE]?B\b|\broundel\b(?: setup)?|\bx11\b|\b[A-Z]{2,}\b|org\.\S+"
    r"|--?\w[\w-]*|'[^']*'|\b(?:[Nn]autilus|[Nn]emo|[Cc]aja|[Dd]olphin|[Tt]hunar|PCManFM-Qt)\b|\bFiles \(")
# What the system says of an error, which is the system's to translate: the services have it in English.
SYSTEM = re.compile("|".join(re.escape(os.strerror(code)) for code in errno.errorcode))
# In a pipe a program reads these columns: words of the interfaces, as in JSON.
CODES = {
    "ls": {"none", "synced", "conflict"}, "badge": {"synced", "conflict"}, "list": {"conflict"}, "status": {"conflict"},
    "activity": {"uploaded", "downloaded", "deleted-local", "conflict"}, "trash": {"deleted"},
}
# A folder's id, and the name of a copy with the time and a mark, in a URI as well.
IDENTIFIER = re.compile(r"\bf[0-9a-f]{16}\b|(?<=conflict)(?: |%20)[-0-9]{10}(?: |%20)\d{6}(?: |%20)"
                        r"(?:[\w.-]+(?: |%20))?\w{4}")
# In JSON these are sentences for people.
SENTENCES = {"text", "message", "label", "remedy", "problem", "last_error", "worker_error", "description"}
# These differ from run to run.
VOLATILE = {"time", "added", "detected", "modified", "copy_modified", "last_synced", "looked_through", "id", "sequence", "rate",
            "remaining", "copy_uri", "copy_path", "bytes_done", "progress", "rescan_interval"}
SCENE = [
    "list", "status", "ls DOCUMENTS", "badge DOCUMENTS DOCUMENTS/a.txt", "activity", "conflicts", "trash list",
    "providers list", "exclude DOCUMENTS", "menu items DOCUMENTS/a.txt", "menu sidebar DOCUMENTS", "verify DOCUMENTS",
    "sync --dry-run DOCUMENTS", "doctor",
]
TABLES = ["ls DOCUMENTS", "list", "providers list", "trash list", "activity", "menu items DOCUMENTS/a.txt"]


def catalogue(shared: pathlib.Path) -> None:
    """Puts the language below the directory, where programs look."""
    with tempfile.TemporaryDirectory(prefix="roundel-po-") as folder:
        po = pathlib.Path(folder)
        (po / "LINGUAS").write_text(PSEUDO)
        subprocess.run([ROOT / "po/pseudo.py", po / f"{PSEUDO}.po"], check=True)
        subprocess.run([ROOT / "packaging/translations.sh", po / "compiled", po], check=True)
        shutil.copytree(po / "compiled" / PSEUDO, shared / "locale" / PSEUDO)
        known = messages.singular((po / f"{PSEUDO}.po").read_text())
    # Manifests have their translations in them.
    (shared / "roundel/providers").mkdir(parents=True)
    for manifest in (ROOT / "dbus/providers").iterdir():
        (shared / "roundel/providers" / manifest.name).write_text(
            entries.translated(manifest.read_text(), manifest.suffix, {PSEUDO: known}))


class Scene:
    """A session in a language, with a folder in which there is something of everything that is shown."""

    def __init__(self, language: str) -> None:
        self.session = Session(PREFIX, variables={"LANG": "en_US.UTF-8", "LANGUAGE": language, "COLUMNS": str(COLUMNS)})
        shared = self.session.home / ".local/share"
        catalogue(shared)
        # A manifest that is ignored, with a line in the log.
        (shared / "roundel/providers/No Provider.provider").write_text("[Provider]\n")
        # The home of a person has a shorter path.
        self.columns = COLUMNS + max(0, len(str(self.session.home)) - len("/home/somebody"))
        self.documents = self.session.home / "Documents"
        self.remote = self.session.home / "remote"
        for side in (self.documents, self.remote):
            side.mkdir()

    def close(self) -> None:
        self.session.close()

    def words(self, command: str) -> list[str]:
        return ["roundel", *command.replace("DOCUMENTS", str(self.documents)).split()]

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.words(command), env=self.session.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=2 * DEADLINE_SECONDS, check=False)

    def on_a_terminal(self, command: str) -> list[str]:
        """The lines that a command prints on a terminal, without colours."""
        outside, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 50, self.columns, 0, 0))
        process = subprocess.Popen(self.words(command), env=self.session.environment | {"TERM": "xterm", "NO_COLOR": "1"},
                                   stdin=subprocess.DEVNULL, stdout=inside, stderr=inside)
        os.close(inside)
        text = b""
        try:
            while piece := os.read(outside, 65536):
                text += piece
        except OSError:
            pass  # the other end is closed
        finally:
            os.close(outside)
        process.wait(DEADLINE_SECONDS)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.decode()).replace("\r", "").splitlines()

    def play(self) -> None:
        """Makes something of everything."""
        for name in ("a.txt", "b.txt", "c.txt"):
            (self.documents / name).write_text(name)
        self.run(f"add DOCUMENTS {self.remote} --wait")
        (self.remote / "c.txt").unlink()
        self.run("exclude DOCUMENTS *.iso")
        self.run("sync --wait DOCUMENTS")
        self.run("pause DOCUMENTS")
        (self.documents / "b.txt").write_text("this side")
        (self.remote / "b.txt").write_text("that side")
        self.run("resume DOCUMENTS")
        self.run("sync --wait DOCUMENTS")

    def words_of_programs(self, value: Any, name: str = "") -> Any:
        """A document without sentences, and without what differs from run to run."""
        if isinstance(value, dict):
            return {key: self.words_of_programs(member, key) for key, member in value.items() if key not in SENTENCES}
        if isinstance(value, list):
            return [self.words_of_programs(item, name) for item in value]
        # Menus and findings have ids and subjects that stay.
        if name in VOLATILE and not (name == "id" and isinstance(value, str) and "/" in value):
            return None
        return IDENTIFIER.sub("ID", value.replace(str(self.session.home), "~")) if isinstance(value, str) else value

    def error(self, member: str, signature: str, *arguments: Any) -> GLib.Error:
        name, folders = "org.roundel.SyncWorker1", "org.roundel.Roundel1.Engine.Folders"
        try:
            self.session.call(name, "/org/roundel/SyncWorker1", folders, member, signature, *arguments)
        except GLib.Error as error:
            return error
        raise AssertionError(f"{member} was not refused")


def plain(text: str) -> list[str]:
    """The words of a text that are in letters without accents, and no names."""
    return re.findall(r"[A-Za-z]{2,}", NAMES.sub(" ", SYSTEM.sub(" ", IDENTIFIER.sub(" ", text))))


def without_codes(command: str, text: str) -> str:
    """What a command prints into a pipe without the words of its columns that programs read."""
    codes = CODES.get(command.split(maxsplit=1)[0])
    return re.sub(rf"(?<!\S)(?:{'|'.join(codes)})(?!\S)", "", text) if codes else text


def width(text: str) -> int:
    return sum(0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class LanguageTests(unittest.TestCase):
    maxDiff = None
    english: Scene
    pseudo: Scene

    @classmethod
    def setUpClass(cls) -> None:
        cls.english, cls.pseudo = Scene("en"), Scene(PSEUDO)
        for scene in (cls.english, cls.pseudo):
            cls.addClassCleanup(scene.close)
            scene.play()

    def test_no_sentence_escapes_translation(self) -> None:
        escaped = {}
        for command in SCENE:
            done = self.pseudo.run(command)
            text = without_codes(command, done.stdout + done.stderr)
            if command.startswith("exclude"):
                # Each line begins with a pattern.
                text = re.sub(r"^\S+", "", text, flags=re.MULTILINE)
            names = {"Documents", "remote", "txt", "iso", "conflict", "home", "tmp"}
            if command == "providers list":
                # Their ids, and the names of programs.
                names |= {"git", "Git", "marks", "syncthing", "Syncthing"}
            if found := [word for word in plain(text) if word not in names]:
                escaped[command] = (found, text)
        self.assertEqual(escaped, {})

    def test_no_refusal_escapes_translation(self) -> None:
        names = {"Documents", "txt", "nowhere", "none"}
        for command in ("add /nowhere /nowhere/else", "status /nowhere", "sync /nowhere", "resolve DOCUMENTS/a.txt mine",
                        "trash restore DOCUMENTS/none", "relocate /nowhere /tmp", "exclude DOCUMENTS --remove x",
                        "do a/b DOCUMENTS", "login DOCUMENTS", "limit DOCUMENTS --up 500k", "providers allow none"):
            with self.subTest(command=command):
                done = self.pseudo.run(command)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual([word for word in plain(done.stderr) if word not in names], [], done.stderr)

    def test_what_help_says_of_commands_is_translated(self) -> None:
        described = json.loads(self.pseudo.run("--experimental-dump-help").stdout)
        texts: list[str] = []

        def collect(command: dict[str, Any]) -> None:
            # What the library says of its own.
            if command["commandName"] == "help":
                return
            texts.extend(command[key] for key in ("abstract", "discussion") if key in command)
            texts.extend(argument["abstract"] for argument in command.get("arguments", [])
                         if "abstract" in argument and argument["valueName"] not in {"version", "help"})
            for child in command.get("subcommands", []):
                collect(child)

        collect(described["command"])
        self.assertGreater(len(texts), 80)
        self.assertEqual([text for text in texts if plain(text)], [])

    def test_tables_keep_to_the_terminal(self) -> None:
        for command in TABLES:
            with self.subTest(command=command):
                lines = self.pseudo.on_a_terminal(command)
                self.assertTrue(any("~" in line for line in lines), lines)
                self.assertEqual([line for line in lines if width(line) > self.pseudo.columns], [])

    def test_json_has_the_same_members_and_words(self) -> None:
        for command in SCENE:
            with self.subTest(command=command):
                documents = [scene.words_of_programs(json.loads(scene.run(f"{command} --json").stdout))
                             for scene in (self.english, self.pseudo)]
                if command == "providers list":
                    # The name of a provider is for people.
                    for provider in [*documents[0], *documents[1]]:
                        provider.pop("name")
                if command == "activity":
                    # Files go up side by side.
                    for entries in documents:
                        entries.sort(key=json.dumps)
                self.assertEqual(documents[0], documents[1])

    def test_errors_have_the_same_names_and_translated_sentences(self) -> None:
        nowhere = "file:///nowhere"
        calls: list[tuple[str, str, list[Any]]] = [
            ("AddFolder", "(ssa{sv})", [nowhere, nowhere, {}]), ("RemoveFolder", "(sa{sv})", [nowhere, {}]),
            ("Pause", "(sa{sv})", [nowhere, {}]),
            ("AddExcludes", "(sasa{sv})", [self.pseudo.documents.as_uri(), ["#"], {}])]
        for member, signature, arguments in calls:
            with self.subTest(member=member):
                errors = []
                for scene in (self.english, self.pseudo):
                    given = [scene.documents.as_uri() if argument == self.pseudo.documents.as_uri() else argument
                             for argument in arguments]
                    errors.append(scene.error(member, signature, *given))
                names = [Gio.dbus_error_get_remote_error(error) for error in errors]
                self.assertEqual(names[0], names[1])
                self.assertEqual([bool(plain(error.message.removeprefix(f"GDBus.Error:{names[0]}: "))) for error in errors],
                                 [True, False], errors)

    def test_the_log_is_english(self) -> None:
        logged = self.pseudo.session.logged()
        self.assertIn("is ignored", logged)
        self.assertEqual([line for line in logged.splitlines() if PADDING * 2 in line], [])

    @unittest.skipUnless(shutil.which("localedef") and pathlib.Path("/usr/share/i18n/locales/en_US").exists(),
                         "localedef and the definitions of locales are not installed")
    def test_what_is_written_in_c_is_translated_as_well(self) -> None:
        if not (pathlib.Path(PREFIX) / "bin/roundel-metadata").exists():
            self.skipTest("roundel-metadata is not installed")
        with tempfile.TemporaryDirectory(prefix="roundel-locale-") as folder:
            # gettext translates nothing in the locale C, and takes no other that is not there.
            subprocess.run(["localedef", "--no-archive", "-i", "en_US", "-f", "UTF-8", f"{folder}/en_US.UTF-8"], check=False,
                           capture_output=True)
            done = subprocess.run(["roundel-metadata", "--help"], env=self.pseudo.session.environment | {"LOCPATH": folder},
                                  capture_output=True, text=True, timeout=DEADLINE_SECONDS, check=True)
        self.assertIn("~", done.stdout)
        # GLib says the rest.
        self.assertNotIn("Print the version", done.stdout)


if __name__ == "__main__":
    unittest.main()
