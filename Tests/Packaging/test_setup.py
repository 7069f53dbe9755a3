"""`roundel setup` has real file managers load their plugins, and undoes it without a trace.

Each test plays a scene of setup_scenes.py as root of namespaces of its own, in which all of /usr can be written without
a change outside: an ordinary person there has a home, a bus and a screen, and installs what was built already.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCENE_SECONDS = 1800

# Writes below /usr go to memory. The project is where the person reaches it, too.
ENTER = ("mount -t tmpfs tmpfs {work}/memory && mkdir -m 755 {work}/memory/upper {work}/memory/work && "
         "mount -t overlay overlay -o lowerdir=/usr,upperdir={work}/memory/upper,workdir={work}/memory/work /usr && "
         "mount --bind {project} {work}/project && "
         'exec "$@"')


def reason_to_skip() -> str | None:
    """Why no scene can be played here, or None."""
    if not os.environ.get("ROUNDEL_PREFIX"):
        return "ROUNDEL_PREFIX does not name an installation"
    if os.geteuid() != 0:
        return "only root can play an ordinary person and root"
    programs = ["unshare", "setpriv", "Xvfb", "nautilus", "nemo", "caja", "dolphin", "thunar"]
    missing = [name for name in programs if shutil.which(name) is None]
    return f"not installed: {', '.join(missing)}" if missing else None


@unittest.skipIf(reason_to_skip(), reason_to_skip() or "")
class SetupTests(unittest.TestCase):
    def play(self, scene: str) -> None:
        with tempfile.TemporaryDirectory(prefix="roundel-setup-") as directory:
            work = pathlib.Path(directory)
            work.chmod(0o755)
            for name in ("memory", "project"):
                (work / name).mkdir()
            done = subprocess.run(
                ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--propagation", "slave", "--pid", "--fork",
                 "--kill-child", "--mount-proc", "sh", "-c", ENTER.format(work=work, project=ROOT), "sh",
                 sys.executable, "-B", HERE / "setup_scenes.py", scene, work, work / "project"],
                capture_output=True, text=True, errors="replace", timeout=SCENE_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")

    def test_what_a_person_installed_at_home_is_loaded_when_root_has_run_the_command(self) -> None:
        self.play("home")

    def test_variables_of_the_session_lead_caja_and_dolphin_to_their_plugins_without_root(self) -> None:
        self.play("variables")

    def test_root_sets_up_what_is_below_usr_local_and_uninstalling_leaves_nothing(self) -> None:
        self.play("local")

    def test_below_usr_every_file_manager_finds_its_plugin_without_more(self) -> None:
        self.play("usr")


if __name__ == "__main__":
    unittest.main()
