"""What is translated is found in the sources, kept in po/, compiled and installed."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "po"))

import entries
import extraction
import frame
import header
import messages
import pseudo
import swift_source
import update
from messages import Message
from swift_source import Mistake, Token

SENTENCES = r'''
/// tr("in a comment") /* tr("nested /* too */") */
func tr(_ text: StaticString) {}
let a = tr("Up to date")
let b = value.tr("of a type"), c = "tr(\"in a text\")", d = #"tr("raw")"#
let e = tr(
    """
    One line, \
    and “{1}” on the same.
      Indented: \\{2}\t\u{2013}
    """, name, label.map { tr("“{1}”", $0) } ?? "x, y")
let f = "\(count, default: tr("within a text")) items"
// Translators: the state of a folder,
// in a menu.
let g = tr(count, one: "1 item of {2}", other: "{1} items of {2}", (a, b)[0])
// Translators: of nothing here.

let h = [tr(#"A \n "word""#), tr("{2} of {1}", x[1, 2], f(1, 2))], i = tr("{1}", arguments: words)
'''


class ExtractionTests(unittest.TestCase):
    def test_every_sentence_of_swift_is_found_as_the_compiler_reads_it(self) -> None:
        found = {message.text: message for message in extraction.of_swift(SENTENCES, "A.swift")}
        self.assertEqual(list(found), [
            "Up to date", "One line, and “{1}” on the same.\n  Indented: \\{2}\t\u2013", "“{1}”", "within a text",
            "1 item of {2}", 'A \\n "word"', "{2} of {1}", "{1}"])
        counted = found["1 item of {2}"]
        self.assertEqual((counted.plural, counted.files), ("{1} items of {2}", ["A.swift"]))
        self.assertEqual(counted.comments, ["Translators: the state of a folder,", "in a menu."])
        self.assertEqual([message.comments for message in found.values() if message is not counted and message.comments], [])

    def test_what_cannot_be_extracted_is_named_with_its_place(self) -> None:
        for call in ('tr(text)', 'tr("a" + "b")', 'tr(isOne ? "a" : "b")', 'tr("\\(a) b")', 'tr("")', 'tr()',
                     'tr(n, one: "a", other: text)', 'tr("{1} {2}", a)', 'tr("{1}", a, b)', 'tr("{2}", a, b)',
                     'tr(n, one: "1", other: "{1} of {2}")', 'tr(n, one: "{1}", other: "{1}", a)', 'tr("{1}", label: a)'):
            with self.subTest(call=call), self.assertRaisesRegex(Mistake, r"^B\.swift:2: "):
                extraction.of_swift(f"let a = 1\nlet b = {call}", "B.swift")

    def test_every_text_of_c_is_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "a.c").write_text('/* Translators: two sizes. */\nf(_("{1} of “{2}”\\u00a0%"));\ng(n_("one", "other", n));')
            (root / "b.cpp").write_text('h(QString::fromUtf8(_("{1} of “{2}”\\u00a0%")), _("a"\n  "b"), gettext("not ours"));')
            found = extraction.of_c(root, [root / "a.c", root / "b.cpp"])
        self.assertEqual([(message.text, message.plural) for message in found],
                         [("{1} of “{2}”\u00a0%", None), ("one", "other"), ("ab", None)])
        self.assertEqual((found[0].files, found[0].comments), (["a.c", "b.cpp"], ["Translators: two sizes."]))

    def test_the_template_has_what_the_sources_have(self) -> None:
        done = subprocess.run([ROOT / "po/update.py", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class SourceTests(unittest.TestCase):
    """What people read is translated, and the log is not."""

    # Of these modules people read sentences. The others are libraries, whose errors programmers read.
    MODULES = ("roundel", "Client", "Setup", "SyncService", "Remotes", "WebDAV", "Rclone", "Desktop", "BadgeService",
               "BadgeEngine")
    # What a literal may be besides: a line of the log, an error of the bus that no person is shown.
    OTHERS = frozenset({"log", "warn", "Failure", "Problem", "part", "save", "DBusError", "invalidArgs", "refused",
                        "fatalError"})

    def literals(self, tokens: list[Token], calls: tuple[str, ...] = ()) -> Iterator[tuple[Token, tuple[str, ...]]]:
        """The literals, each with the names of the calls that it is an argument of."""
        open_calls = list(calls)
        for index, token in enumerate(tokens):
            if token.kind == "sign" and token.text == "(":
                before = tokens[index - 1] if index else None
                open_calls.append(before.text if before and before.kind == "word" and before.end == token.start else "")
            elif token.kind == "sign" and token.text == ")":
                open_calls.pop()
            elif token.kind == "string":
                yield token, tuple(open_calls)
                yield from self.literals(token.inner, tuple(open_calls))

    def sources(self) -> Iterator[tuple[str, list[Token]]]:
        for path in sorted((ROOT / "Sources").rglob("*.swift")):
            found = [token for token in swift_source.tokens(path.read_text()) if token.kind != "comment"]
            yield str(path.relative_to(ROOT)), found

    def test_no_sentence_stands_outside_tr(self) -> None:
        escaped = []
        for path, tokens in self.sources():
            if path.split("/")[1] not in self.MODULES or "/Skeletons/" in path:  # those speak to programmers, in comments
                continue
            for token, calls in self.literals(tokens):
                is_sentence = token.text.count(" ") > 2 and re.search(r'\w\.[ "]', token.text)
                if is_sentence and "tr" not in calls and not self.OTHERS & set(calls):
                    escaped.append(f"{path}: {token.text}")
        self.assertEqual(escaped, [])

    # What these say is read in menus, notifications, windows and terminals alike.
    ENGINES = ("SyncService", "Remotes", "SyncEngine", "SyncCore", "BadgeEngine", "BadgeService", "Desktop", "RoundelBus",
               "Secrets", "Launching", "Syncthing", "Git", "Marks", "Support", "OnDemand", "Window",
               "Client", "FileManagers")
    COMMAND = re.compile(r"\broundel [a-z]|(?<!\w)--[a-z]|\brclone (?:config|ls\w*|listremotes)\b|"
                         r"\b(?:sudo|systemctl|apt|modprobe) ")

    def test_no_sentence_of_an_engine_names_a_command(self) -> None:
        named = []
        for message in extraction.of_tree(ROOT).sorted():
            said = any(file.split("/")[:1] == ["Sources"] and file.split("/")[1] in self.ENGINES for file in message.files)
            # What programs print about themselves is read in a terminal.
            if said and not any("metadata" in file for file in message.files) and "Usage: " not in message.text:
                texts = (message.text, message.plural or "")
                named += [f"{message.files}: {text}" for text in texts if self.COMMAND.search(text)]
        self.assertEqual(named, [])

    def test_no_line_of_the_log_is_translated(self) -> None:
        translated = []
        for path, tokens in self.sources():
            translated += [f"{path}: {token.text}" for token, calls in self.literals(tokens) if {"log", "tr"} <= set(calls)]
        self.assertEqual(translated, [])


class LanguageFileTests(unittest.TestCase):
    """The languages in po/LINGUAS."""

    def test_each_is_complete_and_has_every_place(self) -> None:
        template = [message.text for message in messages.read((ROOT / "po/roundel.pot").read_text()) if message.text]
        self.assertGreater(len(update.languages()), 0)
        for language in update.languages():
            with self.subTest(language=language):
                header, *found = messages.read((ROOT / f"po/{language}.po").read_text())
                [fields] = header.translations
                self.assertIn(f"Language: {language}\n", fields)
                [forms] = re.findall(r"nplurals=(\d+);", fields)
                self.assertEqual([message.text for message in found], template)
                self.assertEqual([gap for message in found for gap in message.gaps(int(forms))], [])

    def test_commands_and_words_for_arguments_stay(self) -> None:
        stays = re.compile(
            header.NAMES.pattern + r"|`[^`]*`|(?<![\w-])--[a-z][a-z-]*|\b[A-Z]{4,}\b|(?<![}])(?:[\w+]+:/)?/[\w./@-]*\w",
            re.ASCII)
        # Headings of the manual are words. Chinese has no blanks: its letters may stand beside any of these.
        words = {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT", "STATUS", "ENVIRONMENT", "FILES", "EXAMPLES",
                 "EXAMPLE", "TYPES", "FUNCTIONS", "ALSO"}
        for language in update.languages():
            changed = []
            for message in messages.read((ROOT / f"po/{language}.po").read_text()):
                for translation in message.translations if message.text else []:
                    lost = set(stays.findall(message.text)) - set(stays.findall(translation)) - words
                    changed += [f"{word}: {translation}" for word in sorted(lost)]
            with self.subTest(language=language):
                self.assertEqual(changed, [])


class EntryTests(unittest.TestCase):
    """Files that have their translations in them."""

    SOURCES = (
        (".provider", "[Provider]\nName=Bees\nDescription=Counts bees\nBusName=org.a.B\n",
         "[Provider]\nName=Bees\nName[de]=Bienen\nDescription=Counts bees\nDescription[de]=Zählt \"Bienen\" & <mehr>\n"
         "BusName=org.a.B\n"),
        (".json", '{\n  "Name": "Roundel",\n  "Description": "Counts bees"\n}\n',
         '{\n  "Name": "Roundel",\n  "Description": "Counts bees",\n'
         '  "Description[de]": "Zählt \\"Bienen\\" & <mehr>"\n}\n'),
        (".xml", "<x>\n  <name>Roundel</name>\n  <p>\n    Counts\n    bees\n  </p>\n</x>\n",
         "<x>\n  <name>Roundel</name>\n  <p>\n    Counts\n    bees\n  </p>\n"
         '  <p xml:lang="de">Zählt "Bienen" &amp; &lt;mehr&gt;</p>\n</x>\n'))

    def test_translations_follow_their_text_and_go_with_their_language(self) -> None:
        german = {"Bees": "Bienen", "Counts bees": 'Zählt "Bienen" & <mehr>', "Roundel": "Rundel"}
        for suffix, source, expected in self.SOURCES:
            with self.subTest(suffix=suffix):
                self.assertEqual(entries.translated(source, suffix, {"de": german, "fr": {}}), expected)
                # A second time changes nothing, and without the language all is as before.
                self.assertEqual(entries.translated(expected, suffix, {"de": german}), expected)
                self.assertEqual(entries.translated(expected, suffix, {}), source)

    def test_a_long_paragraph_is_wrapped_and_stays_one(self) -> None:
        source = "<x>\n  <p>a</p>\n</x>\n"
        made = entries.translated(source, ".xml", {"de": {"a": "lang " * 50}})
        self.assertLessEqual(max(map(len, made.splitlines())), 120)
        self.assertEqual(entries.translated(made, ".xml", {}), source)

    def test_every_entry_has_every_language(self) -> None:
        for path in entries.files(ROOT):
            source = path.read_text()
            texts = entries.texts(source, path.suffix)
            for language, known in update.catalogues().items():
                marks = source.count(f"[{language}]") + source.count(f'xml:lang="{language}"')
                with self.subTest(path=path.name, language=language):
                    self.assertEqual(marks, len(texts))
                    self.assertEqual([text for text in texts if text not in known], [])

    def test_a_frame_has_texts_and_roff_and_nothing_is_lost(self) -> None:
        source = '.TH A 1 "" "B" "User Commands"\n.SH NAME\na - does `b`.\nIt is c.\n.PP\n@X@\n.nf\nroff\n.fi\nEnd.'
        pieces = frame.pieces(source)
        self.assertEqual([piece.text for piece in pieces if piece.is_text],
                         ["User Commands", "NAME", "a - does `b`. It is c.", "End."])
        self.assertEqual("\n".join(piece.before + piece.text + piece.after for piece in pieces),
                         source.replace("`b`.\n", "`b`. "))


class CatalogueTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="roundel-po-")
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)

    def pseudo_language(self) -> pathlib.Path:
        """A folder like po/, with one language."""
        folder = self.work / "po"
        folder.mkdir()
        (folder / "LINGUAS").write_text("# of nobody\nen@pseudo # at all\n")
        subprocess.run([ROOT / "po/pseudo.py", folder / "en@pseudo.po"], check=True)
        return folder

    def test_what_is_written_is_read_again_by_us_and_by_gettext(self) -> None:
        written = [
            Message('say "a\\b"\n\tand “c”\n', translations=['"\\\n\t”\n'], comments=["Translators: x"], files=["a/b.swift"]),
            Message("one", "other", ["eins", "zwei"], files=["a/b.swift", "c.c"])]
        path = self.work / "xx.po"
        path.write_text(messages.written(written, messages.HEADER | {"Plural-Forms": "nplurals=2; plural=n != 1;"}))
        self.assertEqual(messages.read(path.read_text())[1:], written)
        subprocess.run(["msgfmt", "-o", self.work / "xx.mo", path], check=True)
        again = subprocess.run(["msgunfmt", self.work / "xx.mo"], capture_output=True, text=True, check=True)
        self.assertEqual({message.text: message.translations for message in messages.read(again.stdout) if message.text},
                         {message.text: message.translations for message in written})

    def test_a_place_that_the_text_has_not_is_a_mistake(self) -> None:
        self.assertEqual(Message("{1} of {2}", translations=["{2}: {1}"]).mistakes(), [])
        self.assertEqual(Message("1 of {2}", "{1} of {2}", ["ein {1}", "{2}"]).mistakes(), [])
        # The number is an argument, even if neither English sentence says it.
        self.assertEqual(Message("“{2}” changed", "“{2}” and others changed", ["{1}: “{2}”"]).mistakes(), [])
        self.assertEqual(len(Message("“{2}” changed", "“{2}” and others changed", ["{3}"]).mistakes()), 1)
        self.assertEqual(len(Message("{1} of {2}", translations=["{3}"]).mistakes()), 1)

    def test_a_translation_that_lacks_a_place_a_form_or_everything_has_a_gap(self) -> None:
        whole = [Message("{1} of {2}", translations=["{2}: {1}"]), Message("1 of {2}", "{1} of {2}", ["ein {2}", "{1}, {2}"])]
        self.assertEqual([message.gaps(2) for message in whole], [[], []])
        for message in (Message("a"), Message("{1} of {2}", translations=["{1}"]), Message("1", "{1}", ["eins"]),
                        Message("1 of {2}", "{1} of {2}", ["ein {2}", "{1}"]), Message("a", translations=["b"], is_fuzzy=True)):
            self.assertEqual(len(message.gaps(2)), 1, message)

    def test_the_language_of_nobody_is_longer_and_has_no_plain_letter(self) -> None:
        self.assertEqual(pseudo.of("{1} of “{2}”. "), "{1} öƒ “{2}”.~ ")
        self.assertEqual(pseudo.of("a\nb\n"), "å\nƀ~\n")
        self.assertTrue(all(len(letter.encode()) > 1 for letter in pseudo.of("The quick brown fox").strip("~ ").split()))
        self.assertEqual(len(pseudo.ACCENTED), len(set(pseudo.ACCENTED)), "no letter stands for two")

    def test_translations_are_installed_and_go_with_the_rest(self) -> None:
        built = self.work / "built"
        (built / "completions").mkdir(parents=True)
        shutil.copy("/bin/true", built / "roundel")
        for shell in ("bash", "zsh", "fish"):
            (built / "completions" / shell).touch()
        compiled = self.work / "compiled"
        subprocess.run([ROOT / "packaging/translations.sh", compiled, self.pseudo_language()], check=True)
        environment = {"PATH": "/usr/bin:/bin", "PROGRAMS": "roundel", "BUILT": str(built), "PREFIX": "/opt/r",
                       "AUTOSTART": "/opt/r/autostart", "DESTDIR": str(self.work / "there"), "TRANSLATIONS": str(compiled)}
        subprocess.run([ROOT / "packaging/install.sh"], env=environment, capture_output=True, check=True)
        installed = self.work / "there/opt/r/share/locale"
        self.assertEqual([str(path.relative_to(installed)) for path in installed.rglob("*.mo")],
                         ["en@pseudo/LC_MESSAGES/roundel.mo"])
        manual = installed.with_name("man") / "de"
        self.assertTrue((manual / "man1/roundel-mount.1").is_file() and (manual / "man3/libroundel.3").is_file())
        subprocess.run([ROOT / "packaging/uninstall.sh"], env=environment, capture_output=True, check=True)
        self.assertFalse(installed.exists() or manual.exists())


if __name__ == "__main__":
    unittest.main()
