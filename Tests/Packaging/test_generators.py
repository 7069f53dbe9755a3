"""What generators of code make of the interfaces: it is complete, compiles, and has the types that it should."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
INTERFACES = sorted((ROOT / "dbus/interfaces").glob("*.xml"))
QT = "org.qtproject.QtDBus.QtTypeName"
# What the generator of Qt knows by itself, and what it is told of everything else.
KNOWN_TO_QT = {"b", "y", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g", "v", "h", "as", "ay", "ao"}
# Where Debian keeps the generator of Qt 6.
GENERATOR_OF_QT = shutil.which("qdbusxml2cpp", path=f"{os.environ['PATH']}:/usr/lib/qt6/bin:/usr/lib/qt6/libexec") or ""
QT_TYPES = {
    "a{sv}": "QVariantMap", "aa{sv}": "QList<QVariantMap>", "au": "QList<uint>", "(sss)": "RoundelToolbarItem",
    "a{s(ss)}": "RoundelBadgeImages", "a{s(usy)}": "RoundelFolderStatus", "a(sss)": "QList<RoundelBadgeImage>",
    "a(sa{sv})": "QList<RoundelFolder>",
}


def annotations(element: xml.etree.ElementTree.Element) -> dict[str | None, str | None]:
    return {one.get("name"): one.get("value") for one in element.findall("annotation")}


def flags_of(package: str) -> list[str]:
    return subprocess.run(["pkg-config", "--cflags", package], capture_output=True, text=True, check=True).stdout.split()


def run(*command: str | pathlib.Path, directory: pathlib.Path) -> str:
    """What the command says on both streams; it must succeed."""
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]}: {done.stdout[:2000]}")
    return done.stdout


class AnnotationTests(unittest.TestCase):
    def test_what_qt_does_not_know_is_named_for_it(self) -> None:
        for path in INTERFACES:
            (interface,) = xml.etree.ElementTree.parse(path).getroot().findall("interface")
            for member in interface:
                if member.tag not in ("method", "signal", "property"):
                    continue
                with self.subTest(interface=path.stem, member=member.get("name")):
                    named = {name: value for name, value in annotations(member).items() if name and name.startswith(QT)}
                    self.assertEqual(named, self.names_for_qt(member))

    def names_for_qt(self, member: xml.etree.ElementTree.Element) -> dict[str, str]:
        if member.tag == "property":
            kind = member.get("type", "")
            return {} if kind in KNOWN_TO_QT else {QT: QT_TYPES[kind]}
        found = {}
        for direction in ("in", "out"):
            kinds = [arg.get("type", "") for arg in member.findall("arg")
                     if arg.get("direction", "out") == direction]
            found.update({f"{QT}.{direction.title()}{index}": QT_TYPES[kind]
                          for index, kind in enumerate(kinds) if kind not in KNOWN_TO_QT})
        return found

    def test_arrays_of_bytes_are_not_taken_for_texts(self) -> None:
        """gdbus-codegen takes them for texts that end with the first 0, and a progress may be 0."""
        for path in INTERFACES:
            for arg in xml.etree.ElementTree.parse(path).getroot().iter("arg"):
                if arg.get("type") == "ay":
                    self.assertEqual(annotations(arg), {"org.gtk.GDBus.C.ForceGVariant": "yes"}, path.name)


class GeneratorTests(unittest.TestCase):
    """Generators that are not installed are those of other systems: the packages of the tests bring these two."""

    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def test_gdbus_codegen_writes_c_that_compiles(self) -> None:
        run("gdbus-codegen", "--generate-c-code", "code", "--c-namespace", "Roundel", "--interface-prefix", "org.roundel.",
            *INTERFACES, directory=self.place)
        run("cc", "-Wall", "-Werror", "-fsyntax-only", *flags_of("gio-unix-2.0"), "code.c", directory=self.place)
        made = (self.place / "code.h").read_text()
        for path in INTERFACES:
            for method in re.findall(r'<method name="(\w+)"', path.read_text()):
                self.assertRegex(made, rf"_call_{re.sub(r'(?<!^)(?=[A-Z])', '_', method).lower()} \(")

    def test_gdbus_codegen_writes_documentation(self) -> None:
        run("gdbus-codegen", "--generate-docbook", "page", *INTERFACES, directory=self.place)
        self.assertEqual(len(list(self.place.glob("page-*.xml"))), len(INTERFACES))

    @unittest.skipUnless(GENERATOR_OF_QT, "qdbusxml2cpp is not installed")
    def test_qdbusxml2cpp_writes_proxies_and_adaptors_that_compile(self) -> None:
        shutil.copy(pathlib.Path(__file__).with_name("qt-types.h"), self.place)
        sources = []
        for path in INTERFACES:
            for option, kind in (("-p", "proxy"), ("-a", "adaptor")):
                name = f"{path.stem.replace('.', '_').lower()}_{kind}"
                said = run(GENERATOR_OF_QT, "-i", "qt-types.h", option, f"{name}.h:", path, directory=self.place)
                self.assertEqual(said, "")
                sources.append(f'#include "{name}.h"\n')
        (self.place / "all.cpp").write_text("".join(sources))
        for package in ("Qt6DBus", "Qt5DBus"):
            if subprocess.run(["pkg-config", "--exists", package], check=False).returncode == 0:
                run("c++", "-std=c++17", "-fPIC", "-fsyntax-only", *flags_of(package), "-I.", "all.cpp", directory=self.place)
                return
        self.fail("Qt for developers is not installed")


if __name__ == "__main__":
    unittest.main()
