"""libroundel as it is installed: what it exports, what it says of itself, and hosts in C that are built with it.

ROUNDEL_PREFIX names an installation; `make test` makes one below build/.
"""
import itertools
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile
import threading
import unittest
from typing import Any

from gi.repository import Gio, GLib
from session import Session, connect

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "Sources/FileManagers/library"
PREFIX = os.environ.get("ROUNDEL_PREFIX", "")
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
REGISTRY = ("org.roundel.Roundel1", "/org/roundel/Roundel1", "org.roundel.Roundel1.Registry")
OBJECT = "/org/roundel/LibraryTest"
BY_NAME, WITHOUT_PROGRESS = 1, 2
# Where the members of the structures are on a machine of 64 bits, and what the enumerations count: a program that was
# built with this version reads them there in every later one.
LAYOUT = {
    "offsetof(RoundelBadge, identifier)": 0, "offsetof(RoundelBadge, text)": 8, "offsetof(RoundelBadge, icons)": 16,
    "offsetof(RoundelBadge, flags)": 24, "offsetof(RoundelBadge, progress)": 28,
    "offsetof(RoundelToolbarItem, name)": 0, "offsetof(RoundelToolbarItem, icon)": 8,
    "offsetof(RoundelToolbarItem, tooltip)": 16,
    "offsetof(RoundelMenuItem, id)": 0, "offsetof(RoundelMenuItem, label)": 8, "offsetof(RoundelMenuItem, icon)": 16,
    "offsetof(RoundelMenuItem, check)": 24, "offsetof(RoundelMenuItem, is_enabled)": 28,
    "offsetof(RoundelMenuItem, is_separator)": 29, "offsetof(RoundelMenuItem, children)": 32,
    "offsetof(RoundelAttribute, name)": 0, "offsetof(RoundelAttribute, value)": 8,
    "ROUNDEL_HOST_BY_NAME": 1, "ROUNDEL_HOST_WITHOUT_PROGRESS": 2,
    "ROUNDEL_CHANGE_SERVICE": 1, "ROUNDEL_CHANGE_FOLDERS": 2, "ROUNDEL_CHANGE_MENUS": 4, "ROUNDEL_CHANGE_ICONS": 8,
    "ROUNDEL_CHANGE_TOOLBAR": 16,
    "ROUNDEL_ITEM_PINNED": 1, "ROUNDEL_ITEM_ONLINE_ONLY": 2, "ROUNDEL_ITEM_SHARED": 4, "ROUNDEL_ITEM_READ_ONLY": 8,
    "ROUNDEL_ITEM_LOCKED": 16, "ROUNDEL_PROGRESS_NONE": 255,
    "ROUNDEL_MENU_OF_ITEMS": 0, "ROUNDEL_MENU_OF_CONTAINER": 1, "ROUNDEL_MENU_OF_SIDEBAR": 2, "ROUNDEL_MENU_OF_TOOLBAR": 3,
    "ROUNDEL_CHECK_NONE": 0, "ROUNDEL_CHECK_OFF": 1, "ROUNDEL_CHECK_ON": 2,
    "ROUNDEL_OUTCOME_DONE": 0, "ROUNDEL_OUTCOME_CANCELLED": 1, "ROUNDEL_OUTCOME_FAILED": 2,
}


def library_directory() -> pathlib.Path:
    (found,) = pathlib.Path(PREFIX).glob("lib*/**/libroundel.so")
    return found.parent


def pkg_config(*arguments: str) -> list[str]:
    """What pkg-config says of the installed library."""
    done = subprocess.run(["pkg-config", *arguments, "libroundel"], capture_output=True, text=True, check=True,
                          env={**os.environ, "PKG_CONFIG_PATH": str(library_directory() / "pkgconfig")})
    return shlex.split(done.stdout)


def build(source: pathlib.Path, program: pathlib.Path) -> None:
    """As a stranger builds it, but that the loader is told of a place that it does not know."""
    subprocess.run(["cc", "-std=c17", *WARNINGS, "-o", program, source, *pkg_config("--cflags", "--libs"),
                    f"-Wl,-rpath,{library_directory()}"], check=True)


class HeaderTests(unittest.TestCase):
    def test_every_exported_function_is_in_the_header_and_every_other_is_not_exported(self) -> None:
        declared = re.findall(r"^ROUNDEL_EXPORT [^(]*?\b(\w+)\(", (LIBRARY / "roundel.h").read_text(), re.MULTILINE)
        exported = re.findall(r"^ {8}(\w+);$", (LIBRARY / "roundel.map").read_text(), re.MULTILINE)
        self.assertEqual(sorted(declared), exported)

    def test_every_declaration_is_documented_with_each_argument(self) -> None:
        header = (LIBRARY / "roundel.h").read_text()
        documented = {name: re.findall(r"^ \* @(\w+): \S", comment, re.MULTILINE)
                      for name, comment in re.findall(r"/\*\*\n \* (\w+):\n(.*?)\*/", header, re.DOTALL)}
        functions = re.findall(r"^ROUNDEL_EXPORT [^(]*?\b(\w+)\((.*?)\);", header, re.MULTILINE | re.DOTALL)
        functions += re.findall(r"^typedef void \(\*(\w+)\)\((.*?)\);", header, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(functions), 20)
        for name, arguments in functions:
            with self.subTest(function=name):
                self.assertEqual(documented[name], [re.findall(r"\w+", argument)[-1] for argument in arguments.split(",")])
        types = re.compile(r"^typedef (?:enum|struct)(?: \w+)? \{(.*?)\} (\w+);", re.MULTILINE | re.DOTALL)
        for members, name in types.findall(header):
            with self.subTest(type=name):
                self.assertEqual(documented[name], re.findall(r"(\w+)(?: = \d+,|;)$", members, re.MULTILINE))

    def test_the_page_shows_the_example_whole(self) -> None:
        page = (ROOT / "Documentation/writing-a-host.md").read_text()
        shown = re.findall(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        self.assertEqual(shown, [(ROOT / "examples/host.c").read_text()])

    def test_old_and_new_languages_take_the_header(self) -> None:
        for compiler, options in (("cc", ["-std=c99", "-xc"]), ("c++", ["-std=c++11", "-xc++"])):
            with self.subTest(compiler=compiler):
                subprocess.run([compiler, *options, *WARNINGS, "-pedantic", "-fsyntax-only", LIBRARY / "roundel.h"], check=True)

    @unittest.skipUnless(os.uname().machine in ("x86_64", "aarch64"), "the layout is that of other machines")
    def test_members_and_numbers_are_where_they_were(self) -> None:
        checks = [f'_Static_assert({what} == {value}, "{what}");' for what, value in LAYOUT.items()]
        subprocess.run(["cc", "-std=c17", *WARNINGS, "-fsyntax-only", "-xc", f"-I{LIBRARY}", "-"], check=True, text=True,
                       input="\n".join(["#include <roundel.h>", *checks]))
        header = (LIBRARY / "roundel.h").read_text()
        numbers = re.findall(r"^    (ROUNDEL_\w+) = ", header, re.MULTILINE)
        self.assertEqual([name for name in numbers if name not in LAYOUT], [])


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class InstalledLibraryTests(unittest.TestCase):
    def setUp(self) -> None:
        self.library = library_directory() / "libroundel.so"

    def test_it_exports_what_the_tree_lists(self) -> None:
        """A symbol that goes breaks programs; one that comes is to be meant."""
        done = subprocess.run(["nm", "--dynamic", "--defined-only", self.library], capture_output=True, text=True, check=True)
        names = [line.split()[-1].replace("@@", "@") for line in done.stdout.splitlines()]
        exported = sorted(name if "@" in name else f"{name}@{name}" for name in names)  # the version is a symbol, too
        listed = [line.split()[0] for line in (LIBRARY / "libroundel.symbols").read_text().splitlines()[1:]]
        self.assertEqual(exported, sorted(listed))

    def test_it_is_called_by_its_version_and_needs_little(self) -> None:
        dynamic = subprocess.run(["readelf", "--dynamic", self.library], capture_output=True, text=True, check=True).stdout
        self.assertEqual(re.findall(r"soname: \[(.*)\]", dynamic), ["libroundel.so.1"])
        needed = {name.partition(".so")[0] for name in re.findall(r"NEEDED.*\[(.*)\]", dynamic)}
        self.assertLessEqual(needed, {"libc", "libdbus-1", "libglib-2.0"})
        self.assertEqual(os.readlink(self.library), "libroundel.so.1")

    def test_pkg_config_asks_nothing_of_programs_but_the_library(self) -> None:
        """Neither GLib nor libdbus has to be installed for developers: pkg-config wants both for what is private, too."""
        described = next(library_directory().glob("pkgconfig/libroundel.pc")).read_text()
        self.assertNotRegex(described, r"(?m)^Requires")
        self.assertRegex(" ".join(pkg_config("--cflags", "--libs")), r"^-I\S*/include -L\S*/lib\S* -lroundel$")
        release = subprocess.run([pathlib.Path(PREFIX) / "bin/roundeld", "--version"], capture_output=True, text=True,
                                 check=True)
        self.assertEqual(pkg_config("--modversion"), release.stdout.split()[1:2])

    def test_without_a_bus_there_is_no_host(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            program = pathlib.Path(place) / "host"
            build(ROOT / "Tests/Packaging/library-host.c", program)
            for address in ("unix:path=/nonexistent/bus", "unixexec:path=/bin/true", "autolaunch:", ""):
                with self.subTest(address=address):
                    done = subprocess.run([program], env={"DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": place},
                                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
                    self.assertEqual((done.returncode, done.stdout), (1, "no-host\tENOTCONN\n"))

    def test_a_host_is_told_that_the_bus_is_gone(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            program = pathlib.Path(place) / "host"
            build(ROOT / "Tests/Packaging/library-host.c", program)
            address = f"unix:path={place}/bus"
            bus = subprocess.Popen(["dbus-daemon", "--session", f"--address={address}", "--nofork", "--nopidfile",
                                    "--print-address"], stdout=subprocess.PIPE)
            assert bus.stdout
            bus.stdout.readline()
            host = subprocess.Popen([program], env={"DBUS_SESSION_BUS_ADDRESS": f"tcp:host=localhost;{address}"},
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            assert host.stdin and host.stdout
            host.stdin.write("show\t/\n")
            host.stdin.flush()
            self.assertEqual(host.stdout.readline(), "show\t0\n")
            bus.terminate()
            self.assertEqual(host.stdout.readline(), "lost\tECONNRESET\n")
            self.assertEqual(host.wait(), 0)
            host.stdin.close()
            host.stdout.close()
            bus.stdout.close()
            bus.wait()


class Program:
    """A host in C, with what it printed so far."""

    def __init__(self, session: Session, program: pathlib.Path, *arguments: str | pathlib.Path) -> None:
        self.lines: list[str] = []
        self.process = subprocess.Popen([program, *arguments], env=session.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=session.log, text=True)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def say(self, *words: str | pathlib.Path) -> None:
        assert self.process.stdin
        self.process.stdin.write("\t".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def told(self, *words: str | pathlib.Path) -> list[list[str]]:
        """What followed these words, of each line that begins with them."""
        start = list(map(str, words))
        rows = [line.split("\t") for line in list(self.lines)]
        return [row[len(start):] for row in rows if row[:len(start)] == start]

    def end(self) -> int:
        """As its input ends; the status of the program."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        status = self.process.wait()
        self._reader.join()
        self.process.stdout.close()
        return status

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.end()


class Provider:
    """A sync engine in the test's own main loop, which is there while the test waits."""

    def __init__(self, session: Session, folder: pathlib.Path) -> None:
        self.folder = folder
        self.badges: dict[str, tuple[str, int, int]] = {}  # path: badge, flags, progress
        self.attributes: dict[str, GLib.Variant] = {}
        self.asked: list[str] = []
        self.told: list[tuple[str, str]] = []  # method and directory
        self.activated: list[tuple[Any, ...]] = []
        self.connection = connect(session.address)
        self.connection.set_exit_on_close(False)
        xml = (ROOT / "dbus/interfaces/org.roundel.Provider1.xml").read_text()
        self.connection.register_object(OBJECT, Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], self._on_call, None, None)

    def call(self, member: str, signature: str, *arguments: Any) -> None:
        values = GLib.Variant(signature, arguments)
        self.connection.call(*REGISTRY, member, values, None, Gio.DBusCallFlags.NONE, -1, None, None)

    def register(self) -> None:
        self.call("Register", "(oa{sv})", OBJECT, {"id": GLib.Variant("s", "library"), "name": GLib.Variant("s", "Library"),
                                                   "toolbar-item": GLib.Variant("(sss)", ("Lib", "lib-icon", "Tip"))})
        self.call("SetBadgeImages", "(a(sss)a{sv})", [("library.starred", "Starred", "emblem-starred")], {})
        self.call("SetFolders", "(a(sa{sv})a{sv})", [(self.folder.as_uri(), {})], {})

    def update(self, path: pathlib.Path, badge: str, flags: int = 0, progress: int = 255) -> None:
        self.badges[str(path)] = (badge, flags, progress)
        name = path.as_uri().rpartition("/")[2]
        self.call("UpdateBadges", "(sasasauaya{sv})", path.parent.as_uri(), [name], *self._columns([path]), {})

    def _columns(self, paths: list[pathlib.Path]) -> tuple[list[str], list[int], list[int]]:
        rows = [self.badges.get(str(path), ("", 0, 255)) for path in paths]
        return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]

    def _on_call(self, _bus: Any, _sender: str, _path: str, _interface: str, method: str, parameters: GLib.Variant,
                 invocation: Any) -> None:
        answer = getattr(self, f"_{method}", None)
        if answer is None:
            self.told.append((method, parameters.unpack()[0]))
            invocation.return_value(GLib.Variant("(a{sv})", ({},)))
        else:
            answer(invocation, *parameters.unpack())

    def _RequestBadges(self, invocation: Any, uri: str, names: list[str], _options: Any) -> None:
        self.asked += names
        paths = [pathlib.Path(GLib.filename_from_uri(f"{uri.rstrip('/')}/{name}")[0]) for name in names]
        invocation.return_value(GLib.Variant("(asauaya{sv})", (*self._columns(paths), {})))

    def _RequestDirectory(self, invocation: Any, uri: str, after: str, limit: int, _options: Any) -> None:
        directory = pathlib.Path(GLib.filename_from_uri(uri)[0])
        known = {path.as_uri().rpartition("/")[2]: path for path in map(pathlib.Path, self.badges) if path.parent == directory}
        names = sorted(name for name in known if name > after)
        page = names[:limit]
        following = page[-1] if len(page) < len(names) else ""
        columns = self._columns([known[name] for name in page])
        invocation.return_value(GLib.Variant("(asasauaysa{sv})", (page, *columns, following, {})))

    def _GetMenu(self, invocation: Any, kind: int, _target: str, selection: list[str], _options: Any) -> None:
        def item(**values: str | bool | list[dict[str, GLib.Variant]]) -> dict[str, GLib.Variant]:
            types = {str: "s", bool: "b", list: "aa{sv}"}
            return {key: GLib.Variant(types[type(value)], value) for key, value in values.items()}
        items = [item(id="link", label=f"Copy_link of {len(selection)}"), item(type="separator"),
                 item(id="pin", label="Pin", checked=True), item(id="no", label="No", enabled=False),
                 item(id="more", label="More", children=[item(id="fail", label="Fail")])]
        invocation.return_value(GLib.Variant("(aa{sv}a{sv})", (items if kind == 0 else [], {})))

    def _Activate(self, invocation: Any, item: str, target: str, selection: list[str], options: dict[str, Any]) -> None:
        self.activated.append((item, target, selection, options))
        if item == "fail":
            invocation.return_dbus_error("org.roundel.Error.ProviderFailed", "It does not work.")
        else:
            invocation.return_value(GLib.Variant("(a{sv})", ({"clipboard": GLib.Variant("s", "https://example.org/1")},)))

    def _GetAttributes(self, invocation: Any, _uri: str, _keys: list[str], _options: Any) -> None:
        invocation.return_value(GLib.Variant("(a{sv}a{sv})", (self.attributes, {})))


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class ExampleHostTests(unittest.TestCase):
    """The host in C of forty lines, with the engine that Documentation shows."""

    def setUp(self) -> None:
        self.session = Session(PREFIX)
        self.addCleanup(self.session.close)
        self.folder = self.session.home / "Example"
        (self.folder / "below").mkdir(parents=True)
        (self.folder / "a b").write_text("a")
        (self.folder / "below" / "c").write_text("c")
        program = self.session.root / "host"
        build(ROOT / "examples/host.c", program)
        self.host = Program(self.session, program, self.folder)
        self.addCleanup(self.host.kill)
        provider = subprocess.Popen(["/usr/bin/python3", ROOT / "examples/provider.py", self.folder],
                                    env=self.session.environment, stderr=self.session.log)
        self.addCleanup(provider.wait)
        self.addCleanup(provider.terminate)

    def shown(self, name: str) -> list[str]:
        """The badges of an item in their order, each once: they are told again when the provider's pictures come."""
        return [name for name, _ in itertools.groupby(row[0] for row in self.host.told(self.folder / name))]

    def test_it_shows_badges_and_their_changes(self) -> None:
        self.assertLessEqual(len((ROOT / "examples/host.c").read_text().splitlines()), 45)
        self.session.wait_for("the names", lambda: {"a b", "below"} <= set(self.host.lines))
        self.session.wait_for("the badges", lambda: self.shown("a b") == self.shown("below") == ["Synced"])
        self.assertEqual(self.host.told(self.folder / "a b")[0], ["Synced", "emblem-roundel-synced"])

        def is_syncing() -> bool:
            # The folder may not be watched yet, and what changes before is not told.
            (self.folder / "below" / "c").write_text("changed")
            return self.shown("below")[:2] == ["Synced", "Syncing"]
        self.session.wait_for("the change", is_syncing)
        self.session.wait_for("its end", lambda: self.shown("below")[-1] == "Synced")

    def test_it_shows_them_again_after_the_service_was_killed(self) -> None:
        self.session.wait_for("the badge", lambda: self.shown("a b") == ["Synced"])

        def is_there() -> bool:
            # Without a service manager it is the sync worker that starts the badge service again, once it knew one.
            (providers, _) = self.session.call(*REGISTRY[:2], "org.roundel.Roundel1.Providers", "List", "(a{sv})", {})
            return any(row["id"] == "roundel" and row["running"] for row in providers)
        self.session.wait_for("the sync worker", is_there)
        (service,) = [process for process, program in self.session.processes() if program.endswith("/bin/roundeld")]
        os.kill(service, signal.SIGKILL)
        self.session.wait_for("the badge to go and come", lambda: self.shown("a b") == ["Synced", "", "Synced"])


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class LibraryTests(unittest.TestCase):
    """Everything that the library can do, by a host that does what it is told."""

    def setUp(self) -> None:
        self.session = Session(PREFIX)
        self.addCleanup(self.session.close)
        self.folder = self.session.home / "Folder ä"
        (self.folder / "sub").mkdir(parents=True)
        (self.folder / "a b%").write_text("a")
        self.program = self.session.root / "host"
        build(ROOT / "Tests/Packaging/library-host.c", self.program)
        self.provider = Provider(self.session, self.folder)
        self.provider.badges[str(self.folder / "a b%")] = ("synced", 1, 255)
        self.provider.badges[str(self.folder / "sub")] = ("library.starred", 0, 255)
        self.provider.register()

    def host(self, flags: int = 0) -> Program:
        host = Program(self.session, self.program, str(flags))
        self.addCleanup(host.kill)
        self.session.wait_for("the service and its folders", lambda: host.told("connected", "1") and self.folders(host))
        return host

    def folders(self, host: Program) -> bool:
        host.say("folders")
        return host.told("folders", self.folder) != []

    def await_line(self, host: Program, *words: str | pathlib.Path) -> None:
        self.session.wait_for(f"{words}", lambda: [] in host.told(*words))

    def now(self, host: Program, path: pathlib.Path) -> list[str]:
        """What is known of an item when the host asks."""
        count = len(host.told("now", path))
        host.say("badge", path)
        self.session.wait_for("an answer", lambda: len(host.told("now", path)) > count)
        return host.told("now", path)[-1]

    def test_whole_directories_are_told_and_followed(self) -> None:
        host = self.host()
        host.say("show", self.folder)
        self.await_line(host, "badge", self.folder / "a b%", "synced", "Synced", "1", "255", "emblem-roundel-synced",
                        "emblem-roundel-pinned")
        self.await_line(host, "badge", self.folder / "sub", "library.starred", "Starred", "0", "255", "emblem-starred")
        self.assertEqual(self.now(host, self.folder / "sub")[0], "library.starred")
        self.provider.update(self.folder / "a b%", "syncing", 0, 40)
        self.await_line(host, "badge", self.folder / "a b%", "syncing", "Syncing 40\u00a0%", "0", "40",
                        "emblem-roundel-syncing")
        self.provider.update(self.folder / "a b%", "")
        self.session.wait_for("it to go", lambda: host.told("badge", self.folder / "a b%")[-1:] == [[]])
        self.assertEqual(self.now(host, self.folder / "a b%"), [], host.lines)
        self.provider.update(self.folder / "a b%", "synced")
        self.session.wait_for("it to be back", lambda: host.told("badge", self.folder / "a b%", "synced")[1:])
        self.assertEqual(host.end(), 0)

    def test_a_directory_that_is_hidden_is_forgotten(self) -> None:
        host = self.host()
        host.say("show", self.folder)
        host.say("show", self.folder)
        host.say("hide", self.folder)
        self.session.wait_for("a badge", lambda: host.told("badge", self.folder / "sub"))
        host.say("hide", self.folder)
        self.session.wait_for("the end", lambda: ("EndObserving", self.folder.as_uri()) in self.provider.told)
        self.session.wait_for("the answers", lambda: host.told("hide") == [["0"], ["0"]])
        host.say("hide", self.folder)
        self.session.wait_for("a refusal", lambda: host.told("hide") == [["0"], ["0"], ["EINVAL"]])
        self.assertEqual([method for method, uri in self.provider.told if uri == self.folder.as_uri()],
                         ["BeginObserving", "EndObserving"])
        host.say("show", f"{self.folder}//sub/")
        self.session.wait_for("the other", lambda: ("BeginObserving", (self.folder / "sub").as_uri()) in self.provider.told)

    def test_by_name_only_what_is_asked_for_is_told(self) -> None:
        host = self.host(BY_NAME)
        host.say("show", self.folder)
        host.say("badge", self.folder / "sub")
        self.session.wait_for("the badge", lambda: host.told("badge", self.folder / "sub", "library.starred"))
        self.assertEqual(self.provider.asked, ["sub"])
        self.assertEqual(host.told("badge", self.folder / "a b%"), [])
        host.say("release", self.folder / "sub")
        host.say("badge", self.folder / "a b%")
        self.session.wait_for("the other badge", lambda: host.told("badge", self.folder / "a b%", "synced"))
        self.assertEqual(self.provider.asked, ["sub", "a%20b%25"])
        self.assertEqual(host.end(), 0)

    def test_items_are_told_where_no_directory_is_shown_until_they_are_released(self) -> None:
        host = self.host(BY_NAME)
        other = self.session.home / "other"
        other.mkdir()
        host.say("badge", self.folder / "sub")
        self.session.wait_for("the badge", lambda: host.told("badge", self.folder / "sub", "library.starred"))
        # The library doubts what is shown when a directory is hidden, and ends it after two seconds if nobody asks again.
        host.say("show", other)
        host.say("hide", other)
        end = GLib.get_monotonic_time() + 3_000_000
        self.session.wait_for("the doubts to be over", lambda: GLib.get_monotonic_time() > end)
        self.assertNotIn(("EndObserving", self.folder.as_uri()), self.provider.told)
        self.provider.update(self.folder / "sub", "error")
        self.session.wait_for("the change", lambda: host.told("badge", self.folder / "sub", "error"))
        host.say("release", self.folder / "sub")
        self.session.wait_for("the end", lambda: ("EndObserving", self.folder.as_uri()) in self.provider.told)

    def test_progress_alone_is_not_told_to_who_shows_none(self) -> None:
        host = self.host(WITHOUT_PROGRESS)
        host.say("show", self.folder)
        item = self.folder / "sub"
        for progress in (10, 20, 30):
            self.provider.update(item, "syncing", 0, progress)
        self.provider.update(item, "synced")
        self.session.wait_for("the last", lambda: host.told("badge", item, "synced"))
        self.assertLessEqual(len(host.told("badge", item, "syncing")), 1)

    def test_menus_are_found_and_what_is_chosen_ends(self) -> None:
        host = self.host()
        item = self.folder / "a b%"
        host.say("menu", "0", self.folder, item)
        self.session.wait_for("the menu to be there", lambda: host.told("menu", "unknown") and host.told("menus-changed"))

        def has_menu() -> bool:
            host.say("menu", "0", self.folder, item)
            return host.told("menu", "known", "Copy_link of 1") != []
        self.session.wait_for("the menu", has_menu)
        self.assertEqual(host.told("menu", "known", "Copy_link of 1")[0],
                         ["-", "Pin on", "No disabled", "More", "{", "Fail", "}"])
        host.say("activate", "library/link")
        self.await_line(host, "ended", "library/link", "0", "", "https://example.org/1")
        self.assertEqual(self.provider.activated[0], ("link", self.folder.as_uri(), [item.as_uri()], {
            "activation-token": "token", "timestamp": 7, "parent-window": "x11:2a"}))
        host.say("activate", "library/fail")
        self.await_line(host, "ended", "library/fail", "2", "It does not work.", "")
        for wrong in ("library/no", "library/more", "library/missing"):
            host.say("activate", wrong)
        self.session.wait_for("refusals", lambda: host.told("activate", "ENOENT")[2:])
        self.assertEqual(len(self.provider.activated), 2)
        self.assertEqual(host.end(), 0)

    def test_attributes_are_followed(self) -> None:
        host = self.host()
        item = self.folder / "sub"
        self.provider.attributes = {"label": GLib.Variant("s", "Fine"), "permissions": GLib.Variant("s", "You may read.")}
        host.say("show", self.folder)
        host.say("follow", item)
        self.await_line(host, "attributes", item, "State=Fine", "Permissions=You may read.")
        self.provider.attributes = {"label": GLib.Variant("s", "Broken")}
        self.provider.update(item, "error")
        self.await_line(host, "attributes", item, "State=Broken")
        host.say("unfollow")
        self.assertEqual(host.end(), 0)

    def test_folders_and_the_toolbar_are_known(self) -> None:
        host = self.host()
        for path, held in ((self.folder, "1"), (self.folder / "x", "1"), (self.session.home, "0")):
            host.say("holds", path)
            self.await_line(host, "holds", path, held)
        # Where two providers give a button, it is nobody's.
        self.session.call(*REGISTRY[:2], "org.roundel.Roundel1.Providers", "Disable", "(sa{sv})", "roundel", {})
        self.session.wait_for("the button", lambda: host.told("toolbar", "Lib", "lib-icon"))

    def test_what_is_no_path_is_refused(self) -> None:
        host = self.host()
        for path in ("relative", "", "/a/../b", "/a/./b", "/" + "x" * 4096):
            for command in ("show", "release", "follow"):
                host.say(command, path)
            host.say("menu", "0", path, "/a")
            host.say("menu", "1", "/a", path)
        host.say("menu", "9", "/a")
        self.session.wait_for("the refusals", lambda: len(host.told("menu", "EINVAL")) == 11)
        for command in ("show", "release", "follow"):
            self.assertEqual(host.told(command), [["EINVAL"]] * 5)
        self.assertEqual(host.end(), 0)


if __name__ == "__main__":
    unittest.main()
