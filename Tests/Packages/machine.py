"""A machine without hardware: systemd booted in namespaces, in which packages are installed and people log in."""
import pathlib
import shutil
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
DEADLINE_SECONDS = 120
PERSON = "person"


class Machine:
    """A booted copy of a root; what changes in it is gone when it is closed."""

    def __init__(self, root: pathlib.Path, packages: pathlib.Path) -> None:
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="roundel-packages-"))
        self.homes = pathlib.Path(tempfile.mkdtemp(prefix="roundel-packages-homes-"))
        self.homes.chmod(0o755)
        self.console = (self.work.with_suffix(".console")).open("w+b")
        self.process = subprocess.Popen([HERE / "boot.sh", root, self.work, self.homes, packages], stdin=subprocess.DEVNULL,
                                        stdout=self.console, stderr=self.console)
        self.group = next(iter(self._groups()), None)
        self.init = self._init()
        self.until("systemd to be up", ["systemctl", "is-system-running"], ("running", "degraded"))
        self.run("useradd", "--create-home", "--shell", "/bin/bash", PERSON)

    def _groups(self) -> list[pathlib.Path]:
        mounts = [line.split() for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
        return [pathlib.Path(fields[1], f"roundel-packages-{self.process.pid}") for fields in mounts if fields[2] == "cgroup2"]

    def _init(self) -> int:
        """The process that is the first one in there."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            if children and pathlib.Path(f"/proc/{children[0]}/comm").read_text().strip() == "systemd":
                return int(children[0])
            time.sleep(0.05)
        raise AssertionError(f"systemd does not start: {self.said()}")

    def close(self) -> None:
        """Ends everything in it."""
        self.process.kill()
        self.process.wait()
        self.console.close()
        pathlib.Path(self.console.name).unlink()
        shutil.rmtree(self.work)
        shutil.rmtree(self.homes)
        if self.group:
            self._empty(self.group)

    @staticmethod
    def _empty(group: pathlib.Path) -> None:
        """Removes a control group and those below, whose processes may still be ending."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while group.exists():
            try:
                for below in sorted(group.rglob("*/"), reverse=True):
                    below.rmdir()
                group.rmdir()
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def said(self) -> str:
        """What was printed on the console."""
        return pathlib.Path(self.console.name).read_text(errors="replace")[-4000:]

    # Commands

    def attempt(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Runs a program as root."""
        inside = ["nsenter", "--target", str(self.init), "--mount", "--pid", "--cgroup", "--ipc", "--uts", "--root", "--wd",
                  "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
                  "HOME=/root"]
        return subprocess.run([*inside, *command], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                              timeout=15 * DEADLINE_SECONDS, check=False)

    def run(self, *command: str) -> str:
        """What a program of root's prints; its failure fails the test."""
        done = self.attempt(*command)
        if done.returncode != 0:
            said = f"{done.stdout[-3000:]}{done.stderr[-3000:]}"
            raise AssertionError(f"{' '.join(command)} ended with {done.returncode}: {said}")
        return done.stdout

    def as_person(self, script: str) -> str:
        """What a script prints that a person types after a login of their own: PAM opens the session, and with it their
        manager and bus."""
        return self.run("systemd-run", "--quiet", "--pipe", "--wait", "--property=PAMName=login", f"--uid={PERSON}",
                        f"--working-directory=/home/{PERSON}", "--setenv=LANG=C.UTF-8", "/bin/bash", "-euc", script)

    def log_out(self) -> None:
        """Ends the person's sessions, as a logout does after which nobody lingers."""
        self.attempt("loginctl", "terminate-user", PERSON)
        self.until("the person's manager to end", ["sh", "-c", f"pgrep -u {PERSON} >/dev/null || echo none"], ("none",))

    def until(self, what: str, command: list[str], wanted: tuple[str, ...]) -> None:
        """Waits until a command prints one of the words."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while (done := self.attempt(*command)).stdout.strip() not in wanted:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError(f"waited in vain for {what}: {done.stdout}{done.stderr}\n{self.said()}")
            time.sleep(0.1)
