"""The scenes of test_setup.py: setup_scenes.py SCENE WORK PROJECT, as root of namespaces of its own."""
import contextlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from gi.repository import Gio, GLib
from session import connect

DEADLINE_SECONDS = 180
PERSON = 65534
DONE, NEEDS_THE_USER = 0, 2
GENERATOR = "/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator"
SYSTEMD = "org.freedesktop.systemd1"

# How each shows a directory, and the library by which it is told to have taken the plugin.
FILE_MANAGERS = {
    "nautilus": (["nautilus", "--new-window"], "libroundel-nautilus.so"),
    "nemo": (["nemo"], "libroundel-nemo.so"),
    "caja": (["caja", "--no-desktop", "--browser"], "libroundel-caja.so"),
    "dolphin": (["dolphin", "--new-window"], "roundeloverlay.so"),
    "thunar": (["thunar"], "libroundel-thunar.so"),
}
LIBRARIES = ("libroundel-", "roundeloverlay", "roundelitemaction", "roundelproperties")


class Failure(Exception):
    """What was not as it should be, in words."""


def expect(what: str, found: Any, wanted: Any) -> None:
    if found != wanted:
        raise Failure(f"{what}: {found}, and not {wanted}")


def wait_for(what: str, condition: Callable[[], Any]) -> Any:
    """The condition's first true value. Meanwhile this process answers on the bus."""
    end = time.monotonic() + DEADLINE_SECONDS
    while not (value := condition()):
        if time.monotonic() > end:
            raise Failure(f"waited in vain for {what}")
        GLib.timeout_add(20, lambda: GLib.SOURCE_REMOVE)
        GLib.MainContext.default().iteration(True)
    return value


def files_below(*folders: str | pathlib.Path) -> set[str]:
    """Every path below these, links as such."""
    return {os.path.join(folder, name) for start in folders for folder, folders_, files in os.walk(start)
            for name in folders_ + files}


def ours(paths: Iterable[str]) -> list[str]:
    """Those that are named after Roundel."""
    return sorted(path for path in paths if "roundel" in os.path.basename(path).lower())


class Person:
    """An ordinary person: a home, a bus, a screen and a desktop session."""

    def __init__(self, work: pathlib.Path, desktop: str) -> None:
        self.home = work / "home"
        self.runtime = work / "runtime"
        for folder in (self.home, self.runtime):
            folder.mkdir(mode=0o700)
            os.chown(folder, PERSON, PERSON)
        self.log = (work / "log").open("w+b")
        self.environment = {
            # The bus goes by the home of the system's own list of people.
            "XDG_DATA_HOME": f"{self.home}/.local/share",
            "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.runtime), "XDG_CURRENT_DESKTOP": desktop,
            "PATH": f"{self.home}/.local/bin:/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.runtime}/bus",
            "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
            "QT_QPA_PLATFORM": "xcb",
        }
        self._start_screen()
        self.start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={self.runtime}/bus")
        wait_for("the bus", (self.runtime / "bus").exists)

    def _start_screen(self) -> None:
        reading, writing = os.pipe()
        self.start("Xvfb", "-displayfd", str(writing), "-nolisten", "tcp", "-screen", "0", "1100x760x24",
                   pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as displays:
            self.environment["DISPLAY"] = ":" + displays.readline().strip()

    @staticmethod
    def _as_person(command: Sequence[str]) -> list[str]:
        return ["setpriv", f"--reuid={PERSON}", f"--regid={PERSON}", "--clear-groups", "--", *command]

    def start(self, *command: str, **more: Any) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(self._as_person(command), env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=self.log, stderr=self.log, cwd="/", **more)

    def run(self, *command: str, statuses: tuple[int, ...] = (DONE,)) -> str:
        """What a program prints. Meanwhile this process answers on the bus."""
        process = subprocess.Popen(self._as_person(command), env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=self.log, text=True, cwd="/")
        wait_for(f"the end of {command}", lambda: process.poll() is not None)
        output = process.stdout.read() if process.stdout else ""
        if process.returncode not in statuses:
            raise Failure(f"{shlex.join(map(str, command))} ended with {process.returncode}: {output}")
        return output

    def setup(self, *arguments: str, status: int = DONE) -> Any:
        """What `roundel setup` says, as JSON."""
        return json.loads(self.run("roundel", "setup", "--json", *arguments, statuses=(status,)))

    def log_in_anew(self) -> None:
        """The variables that the user manager gives to a session."""
        for line in self.run(GENERATOR).splitlines():
            name, _, value = line.partition("=")
            self.environment[name] = value

    def connect(self) -> Any:
        """A connection to the bus of this process, which is the person while it connects."""
        os.setresuid(PERSON, PERSON, 0)
        try:
            return connect(self.environment["DBUS_SESSION_BUS_ADDRESS"])
        finally:
            os.setresuid(0, 0, 0)

    @contextlib.contextmanager
    def file_managers(self, *names: str) -> Iterator[None]:
        """Starts them, and waits until each has mapped its plugin. They have ended afterwards."""
        processes = {name: self.start(*FILE_MANAGERS[name][0], str(self.home)) for name in names}
        try:
            for name, process in processes.items():
                wait_for(f"{name} to load its plugin", lambda: self._has_mapped(process, FILE_MANAGERS[name][1]))
            yield
        finally:
            for process in processes.values():
                process.kill()
                process.wait()

    @staticmethod
    def _has_mapped(process: "subprocess.Popen[bytes]", library: str) -> bool:
        if process.poll() is not None:
            raise Failure(f"a file manager ended with {process.returncode}")
        return f"/{library}\n" in pathlib.Path(f"/proc/{process.pid}/maps").read_text()


def programs_of(prefix: str | pathlib.Path) -> list[str]:
    """The programs of an installation that run."""
    found = []
    for link in pathlib.Path("/proc").glob("[0-9]*/exe"):
        with contextlib.suppress(OSError):
            program = os.readlink(link)
            if program.startswith(f"{prefix}/bin/"):
                found.append(program)
    return found


class Scenes:
    def __init__(self, work: pathlib.Path, project: pathlib.Path) -> None:
        self.work, self.project = work, project

    def make(self, *arguments: str) -> None:
        # The programs that this run of the tests is about; they are built already.
        built = os.path.relpath(os.environ["ROUNDEL_BUILT"], pathlib.Path(__file__).resolve().parents[2])
        done = subprocess.run(["make", "-s", "-C", self.project, f"BUILT={built}", *arguments], capture_output=True, text=True,
                              check=False)
        expect(f"make {arguments}: {done.stdout}{done.stderr}", done.returncode, 0)

    def install_at_home(self, person: "Person") -> pathlib.Path:
        prefix = person.home / ".local"
        self.make("install", f"PREFIX={prefix}", f"AUTOSTART={person.home}/.config/autostart")
        for path in [person.home, *person.home.rglob("*")]:
            os.chown(path, PERSON, PERSON, follow_symlinks=False)
        return prefix

    @staticmethod
    def words_for_root(command: str) -> list[str]:
        """What a command has root run."""
        words = shlex.split(command)
        if words[:2] == ["su", "-c"]:
            return shlex.split(words[2])
        expect("how root's rights are had", words[0] in ("sudo", "pkexec"), True)
        return words[1:]

    def as_root(self, command: str, prefix: str | pathlib.Path) -> None:
        """Runs what the command said that root has to run."""
        words = self.words_for_root(command)
        expect("what root runs", words[:2], [f"{prefix}/bin/roundel", "setup"])
        done = subprocess.run(words, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, capture_output=True, text=True, check=False)
        expect(f"{command}: {done.stdout}{done.stderr}", done.returncode, DONE)

    @staticmethod
    def states(said: Any) -> dict[str, str]:
        return {entry["id"]: entry["state"] for entry in said["file_managers"]}

    def expect_states(self, said: Any, state: str, *names: str) -> None:
        expect("what setup says", {name: self.states(said)[name] for name in names}, dict.fromkeys(names, state))

    @staticmethod
    def system_files() -> set[str]:
        return files_below("/usr/lib", "/usr/local")

    def home(self) -> None:
        """A desktop that hands no variables on."""
        before = self.system_files()
        person = Person(self.work, "MATE")
        prefix = self.install_at_home(person)
        everything = list(FILE_MANAGERS)
        said = person.setup(status=NEEDS_THE_USER)
        self.expect_states(said, "needs-administrator", *everything)
        expect("the service", said["service"], {"enabled": False, "running": True, "problem": None})
        said_by_doctor = person.run("roundel", "doctor", statuses=(DONE, NEEDS_THE_USER))
        expect("the worker", "is told of changes" in said_by_doctor, True)
        self.as_root(said["command"], prefix)
        expect("everything in place", person.setup()["command"], None)
        self.expect_loadable_by_all(before)
        with person.file_managers(*everything):
            self.expect_states(person.setup(), "ready", *everything)
        in_place = self.system_files()
        self.expect_states(person.setup("--emblems"), "next-start", *everything)
        expect("what setting up again changed", self.system_files() ^ in_place, set())
        expect("the helper for emblems", f"{prefix}/bin/roundel-metadata" in programs_of(prefix), True)
        said = person.setup("--remove", status=NEEDS_THE_USER)
        expect("what runs still", programs_of(prefix), [])
        self.as_root(said["command"], prefix)
        self.expect_states(person.setup("--remove"), "removed", *everything)
        expect("what is left in the system's directories", self.system_files() ^ before, set())
        left = ours(files_below(person.home / ".config"))
        expect("what is left in the home", left, [f"{person.home}/.config/autostart/org.roundel.Roundel.desktop"])
        self.uninstall_at_home(person, prefix)

    def uninstall_at_home(self, person: Any, prefix: pathlib.Path) -> None:
        """As the person; the project's own files are root's here, and are only read."""
        person.run("make", "-s", "-C", str(self.project), "uninstall", f"PREFIX={prefix}",
                   f"AUTOSTART={person.home}/.config/autostart")
        left = ours(files_below(prefix, person.home / ".config"))
        expect("what uninstalling leaves", left, [str(prefix / "state/roundel")])

    def expect_loadable_by_all(self, before: set[str]) -> None:
        """Nobody but root can change what everybody's file managers load."""
        for name in sorted(self.system_files() - before):
            status = os.stat(name)
            expect(f"owner and mode of {name}", (status.st_uid, status.st_mode & 0o022), (0, 0))
            expect(f"{name} can be read by all", status.st_mode & 0o444, 0o444)

    def variables(self) -> None:
        """A desktop whose programs get the user manager's variables."""
        before = self.system_files()
        person = Person(self.work, "KDE")
        prefix = self.install_at_home(person)
        manager = UserManager(person.connect())
        said = person.setup(status=NEEDS_THE_USER)
        self.expect_states(said, "next-login", "caja", "dolphin")
        self.expect_states(said, "needs-administrator", "nautilus", "nemo", "thunar")
        expect("what root is asked for", self.words_for_root(said["command"])[2:], ["nautilus", "nemo", "thunar"])
        expect("the service", said["service"]["enabled"], True)
        expect("the units", manager.asked("EnableUnitFiles"), [["roundeld.service"]])
        expect("what changed in the system's directories", self.system_files() ^ before, set())
        person.log_in_anew()
        self.expect_states(person.setup("caja", "dolphin"), "next-start", "caja", "dolphin")
        with person.file_managers("caja", "dolphin"):
            self.expect_states(person.setup("caja", "dolphin"), "ready", "caja", "dolphin")
        self.expect_states(person.setup("--remove"), "removed", *FILE_MANAGERS)
        disabled = [["roundeld.service"], ["roundel-metadata.service"], ["roundel-mount@.service"]]
        expect("the units", manager.asked("DisableUnitFiles"), disabled)
        expect("what runs still", programs_of(prefix), [])
        expect("the variables", list(person.home.glob(".config/environment.d/*")), [])

    def local(self) -> None:
        """An installation of root's, to which links lead; the units of the person end, too."""
        before = self.system_files()
        person = Person(self.work, "XFCE")
        autostart = "AUTOSTART=/usr/local/etc/xdg/autostart"
        self.make("install", "PREFIX=/usr/local", autostart)
        installed = self.system_files()
        self.as_root(person.setup(status=NEEDS_THE_USER)["command"], "/usr/local")
        links = [name for name in self.system_files() - installed if os.path.islink(name)]
        expect("where links lead", {os.path.dirname(os.readlink(name)).split("/lib/")[0] for name in links},
               {"/usr/local"})
        with person.file_managers(*FILE_MANAGERS):
            self.expect_states(person.setup(), "ready", *FILE_MANAGERS)
        expect("the service", "/usr/local/bin/roundeld" in programs_of("/usr/local"), True)
        os.environ.update(SUDO_UID=str(PERSON))
        self.make("uninstall", "PREFIX=/usr/local", autostart)
        wait_for("the services to end", lambda: not programs_of("/usr/local"))
        added = self.system_files() - before
        expect("what uninstalling leaves", ours(added) + [name for name in added if os.path.islink(name)], [])
        expect("what is gone", before - self.system_files(), set())

    def usr(self) -> None:
        """Where distributions put it."""
        before = self.system_files()
        person = Person(self.work, "XFCE")
        autostart = "AUTOSTART=/usr/local/etc/xdg/autostart"
        self.make("install", "PREFIX=/usr", autostart)
        said = person.setup()
        self.expect_states(said, "next-start", *FILE_MANAGERS)
        with person.file_managers(*FILE_MANAGERS):
            self.expect_states(person.setup(), "ready", *FILE_MANAGERS)
        self.expect_states(person.setup("--remove"), "stays", *FILE_MANAGERS)
        self.make("uninstall", "PREFIX=/usr", autostart)
        added = self.system_files() - before
        expect("what uninstalling leaves", ours(added) + [name for name in added if "/caja" in name], [])
        expect("what is gone", before - self.system_files(), set())


class UserManager:
    """A stand-in for the user manager of systemd, which writes down what it is asked."""

    INTERFACE = """<node><interface name="org.freedesktop.systemd1.Manager">
        <method name="Reload"/>
        <method name="GetUnitFileState"><arg type="s" direction="in"/><arg type="s" direction="out"/></method>
        <method name="EnableUnitFiles"><arg type="as" direction="in"/><arg type="b" direction="in"/>
          <arg type="b" direction="in"/><arg type="b" direction="out"/><arg type="a(sss)" direction="out"/></method>
        <method name="DisableUnitFiles"><arg type="as" direction="in"/><arg type="b" direction="in"/>
          <arg type="a(sss)" direction="out"/></method>
        <method name="StartUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/>
          <arg type="o" direction="out"/></method>
        <method name="StopUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/>
          <arg type="o" direction="out"/></method>
      </interface></node>"""
    REPLIES: ClassVar[dict[str, Any]] = {
        "Reload": None, "GetUnitFileState": ("(s)", ("disabled",)), "EnableUnitFiles": ("(ba(sss))", (True, [])),
        "DisableUnitFiles": ("(a(sss))", ([],)), "StartUnit": ("(o)", ("/org/freedesktop/systemd1/job/1",)),
        "StopUnit": ("(o)", ("/org/freedesktop/systemd1/job/1",))}

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.calls: list[tuple[str, Any]] = []
        interface = Gio.DBusNodeInfo.new_for_xml(self.INTERFACE).interfaces[0]
        connection.register_object("/org/freedesktop/systemd1", interface, self._answer, None, None)
        connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                             GLib.Variant("(su)", (SYSTEMD, 0)), None, Gio.DBusCallFlags.NONE, -1, None)

    def _answer(self, _connection: Any, _sender: str, _path: str, _interface: str, member: str, arguments: Any,
                call: Any) -> None:
        self.calls.append((member, arguments.unpack()))
        reply = self.REPLIES[member]
        call.return_value(reply and GLib.Variant(*reply))

    def asked(self, member: str) -> list[Any]:
        """The first argument of each call of that method."""
        return [arguments[0] for name, arguments in self.calls if name == member]


def main(scene: str, work: str, project: str) -> int:
    try:
        getattr(Scenes(pathlib.Path(work), pathlib.Path(project)), scene)()
    except Failure as failure:
        print(failure)
        print((pathlib.Path(work) / "log").read_text(errors="replace")[-6000:])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
