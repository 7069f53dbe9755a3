"""The session in which the programs are soaked: a bus, the services, two servers, and what every engine takes care of."""
import contextlib
import functools
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Packaging"))

import figures
from gi.repository import GLib
from judgement import Reading
from servers import Keyring, Login, Server
from session import Session, end, files_below, wait_for_ends
from sides import TROUBLE, DirectorySide, ServerSide, Side
from synced import AT_REST, FolderOnDemand, SyncedFolder

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
HOST = ("org.roundel.Roundel1", "/org/roundel/Roundel1", "org.roundel.Roundel1.Host")
# The engines that the service starts by itself, and the example of one that it does not.
NAMES = ("org.roundel.Roundel1", "org.roundel.SyncWorker1", "org.roundel.Git1", "org.roundel.Marks1", "com.example.Sync")
PROGRAMS = ("roundeld", "roundel-worker", "roundel-mount", "roundel-git", "roundel-marks")
PASSED = ("ROUNDEL_LOG", "ROUNDEL_PATIENCE")
LOG = ROOT / "build/soak.log"
# Below this are the versions that syncing replaced, which are kept for thirty days.
KEPT = "replaced"
# A command that does not end by itself after the disturbances is ended.
COMMAND_SECONDS = 20
REST_SECONDS = 300
# As long has a program the same shape before it counts as resting.
STILL_SECONDS = 6


class RestFailure(Exception):
    """The programs did not come to rest; it says what is missing."""


class World:
    def __init__(self, prefix: pathlib.Path) -> None:
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="roundel-soak-"))
        self.prefix = prefix
        self.commands: list[tuple[float, subprocess.Popen[bytes]]] = []
        self.provider: subprocess.Popen[bytes] | None = None
        self.has_to_end = contextlib.ExitStack()
        self.has_to_end.callback(shutil.rmtree, self.place)
        try:
            self._build()
        except BaseException:
            self.close()
            raise

    def _build(self) -> None:
        clock, library = self.place / "clock", self.place / "clock.so"
        self.clock = clock
        self.set_clock(0)
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, HERE / "clock.c"],
                       check=True)
        self.session = Session(self.prefix, is_secluded=True,
                               variables={"LD_PRELOAD": str(library), "SOAK_CLOCK": str(clock),
                                          **{name: os.environ[name] for name in PASSED if name in os.environ}})
        self.has_to_end.callback(self._close_session)
        self.keyring = Keyring(self.session)
        self.has_to_end.callback(self._end_keyring)
        self.apache = ServerSide(self._server("apache", None))
        self.nextcloud = ServerSide(self._server("nextcloud", Login()))
        remote = self.session.root / "remote"
        self.directory_remote = DirectorySide(remote)
        self.plain = SyncedFolder(self.session.home / "Plain", self.directory_remote)
        self.served = SyncedFolder(self.session.home / "Served", self.apache)
        self.on_demand = FolderOnDemand(self.session.home / "On demand", self.nextcloud)
        self.folders = [self.plain, self.served, self.on_demand]
        self.repository = self.session.home / "Repository"
        self.marked = self.session.home / "Marked"
        self.example = self.session.home / "Example"
        for path in (remote, self.repository, self.marked, self.example, *(folder.path for folder in self.folders)):
            path.mkdir()

    def _server(self, kind: str, login: Login | None) -> Server:
        server = Server(kind, login)
        self.has_to_end.callback(server.close)
        return server

    def begin_work(self) -> None:
        """Each engine is given what it takes care of."""
        sides: list[Side] = [self.directory_remote, self.apache, self.nextcloud,
                             *map(DirectorySide, (self.repository, self.marked, self.example))]
        for name, text in AT_REST.items():
            for side in sides:
                side.write(name, text)
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "at rest")
        server = self.nextcloud.server
        assert server.login
        self.roundel("login", server.address(user=server.login.user), typed=f"{server.login.password}\n")
        self.roundel("add", self.plain.path, self.directory_remote.path, "--wait")
        self.roundel("add", self.served.path, self.apache.server.address(), "--wait")
        self.roundel("add", self.on_demand.path, server.address(), "--on-demand", "--wait")
        self.roundel("git", "add", self.repository)
        self.roundel("mark", self.marked, "--state", "synced")
        self.start_provider()

    # Programs

    def try_roundel(self, *arguments: str | pathlib.Path, typed: str = "") -> "subprocess.CompletedProcess[str]":
        return subprocess.run(["roundel", *map(str, arguments)], env=self.session.environment, input=typed, text=True,
                              capture_output=True, timeout=REST_SECONDS, check=False)

    def roundel(self, *arguments: str | pathlib.Path, typed: str = "") -> None:
        done = self.try_roundel(*arguments, typed=typed)
        if done.returncode != 0:
            raise AssertionError(f"{arguments} ended with {done.returncode}: {done.stdout}{done.stderr}")

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", str(self.repository), *arguments],
                       env=self.session.environment, stdout=self.session.log, stderr=self.session.log, check=True)

    def begin(self, *command: str | pathlib.Path) -> None:
        """A command that is not waited for."""
        self.commands.append((time.monotonic(), subprocess.Popen(
            list(map(str, command)), env=self.session.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=self.session.log)))

    def reap(self) -> None:
        """Forgets the commands that have ended, and does what came over the bus."""
        self.commands = [(began, command) for began, command in self.commands if command.poll() is None]
        while GLib.MainContext.default().pending():
            GLib.MainContext.default().iteration(False)

    def end_commands(self) -> None:
        deadline = time.monotonic() + COMMAND_SECONDS
        for _, command in self.commands:
            try:
                command.wait(max(0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                command.kill()
                command.wait()
        self.commands = []

    def start_provider(self) -> None:
        """The example of a provider, a program of the soak's own."""
        self.provider = subprocess.Popen(
            ["/usr/bin/python3", ROOT / "examples/provider.py", self.example], env=self.session.environment,
            stdin=subprocess.DEVNULL, stderr=self.session.log)

    def end_provider(self) -> None:
        if self.provider:
            self.provider.kill()
            self.provider.wait()
            self.provider = None

    def processes(self, program: str) -> list[int]:
        wanted = str(self.prefix / "bin" / program)
        return [process for process, path in self.session.processes() if path == wanted]

    def set_clock(self, seconds: int) -> None:
        """The calendar of every program is so far from the computer's, from now on."""
        descriptor = os.open(self.clock, os.O_RDWR | os.O_CREAT, 0o644)
        # In one call: programs have it mapped.
        os.pwrite(descriptor, struct.pack("q", seconds), 0)
        os.close(descriptor)

    def restart_bus(self) -> None:
        """The session ends, and begins again: all that is on the bus must go with it, but folders stay mounted."""
        self.end_provider()
        services = [process for program in PROGRAMS if program != "roundel-mount" for process in self.processes(program)]
        self.session.bus.terminate()
        self.session.bus.wait()
        if self.session.bus.stdout:
            self.session.bus.stdout.close()
        wait_for_ends("the services to end with their bus", services)
        self.keyring.end()
        self.session.bus, self.session.connection = self.session.start_bus(is_secluded=True)
        self.keyring = Keyring(self.session)
        self.wake()
        self.start_provider()

    def wake(self) -> None:
        """Has the badge service started, as the next host does."""
        self.session.connection.call(*HOST[:2], "org.freedesktop.DBus.Peer", "Ping", None, None, 0, -1, None, None)

    # Rest

    def rest(self) -> None:
        """Brings everything to the state in which it is measured; raises RestFailure where it does not get there."""
        for process in [process for program in PROGRAMS for process in self.processes(program)]:
            end(process, signal.SIGCONT)
        self.set_clock(0)
        self.end_commands()
        if self.provider is None or self.provider.poll() is not None:
            self.start_provider()
        self.git("reset", "--quiet", "--hard", "HEAD")
        self.git("clean", "--quiet", "--force", "-d")
        self.git("stash", "clear")
        # Each directory of loose objects is watched.
        self.git("reflog", "expire", "--expire=now", "--all")
        self.git("gc", "--quiet", "--prune=now")
        self.roundel("mark", self.marked, "--state", "synced")
        self._until("the services", self._missing_services)
        for folder in self.folders:
            self._until(folder.path.name, functools.partial(folder.lacking, self))
        self._until("the programs", self._restless_programs)

    def _until(self, what: str, lacking: Callable[[], str]) -> None:
        """Returns when nothing is lacking."""
        deadline = time.monotonic() + REST_SECONDS
        while True:
            self.reap()
            try:
                said = lacking()
            except TROUBLE as trouble:
                said = str(trouble)
            if not said:
                return
            if time.monotonic() > deadline:
                raise RestFailure(f"waited in vain for {what}: {said}\n{self.try_roundel('status').stdout}")
            time.sleep(0.2)

    def _missing_services(self) -> str:
        self.wake()
        owned = self.session.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")[0]
        missing = set(NAMES) - set(owned)
        if not os.path.ismount(self.on_demand.path):
            missing.add("the mount")
        return ", ".join(sorted(missing))

    def _restless_programs(self) -> str:
        def shapes() -> dict[int, tuple[int, int, int]]:
            return {process: figures.shape(process) for program in PROGRAMS for process in self.processes(program)}
        before = shapes()
        time.sleep(STILL_SECONDS)
        after = shapes()
        return "" if after == before else f"{before} became {after}"

    def readings(self) -> dict[str, Reading]:
        """The figures of all programs, of the bus, and of what the session keeps."""
        root = self.session.root
        paths = {os.lstat(place).st_ino: os.path.relpath(place, root) for place, _, _ in os.walk(root)}
        readings = figures.readings({**{program: self.processes(program) for program in PROGRAMS},
                                     "dbus-daemon": [self.session.bus.pid]}, paths)
        state = self.session.home / ".local/state/roundel"
        # SQLite's own files beside a database come and go.
        files = [path for path in files_below(state)
                 if KEPT not in path.relative_to(state).parts and not path.name.endswith(("-wal", "-shm"))]
        mounts = [line for line in pathlib.Path("/proc/self/mounts").read_text().splitlines() if str(root) in line]
        sockets = list((root / "run").rglob("*"))
        readings["session"] = Reading(frozenset(), {
            "database": figures.bytes_of(state.rglob("*.sqlite*")) / (1 << 20),
            "state files": len(files), "mounts": len(mounts), "sockets": len(sockets),
        }, {"state files": Counter(map(str, files)), "mounts": Counter(mounts), "sockets": Counter(map(str, sockets))})
        return readings

    # The end

    def _end_keyring(self) -> None:
        self.keyring.end()

    def _close_session(self) -> None:
        self.end_provider()
        LOG.parent.mkdir(exist_ok=True)
        LOG.write_text(self.session.logged())
        services = self.session.services()
        for process in services:
            end(process, signal.SIGCONT)
            end(process, signal.SIGTERM)
        try:
            wait_for_ends("the services to end on SIGTERM", services)
        finally:
            subprocess.run(["fusermount3", "-uqz", str(self.on_demand.path)], check=False)
            self.session.close()

    def close(self) -> None:
        for _, command in self.commands:
            command.kill()
            command.wait()
        self.has_to_end.close()

    def registered(self) -> list[str]:
        """The paths of the folders that the worker has."""
        done = self.try_roundel("list", "--json")
        return [folder["path"] for folder in json.loads(done.stdout or "[]")]
