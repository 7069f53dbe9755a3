"""The packages of a release of Debian in a clean root of it: installed, used after a login, upgraded, removed and purged.

ROUNDEL_PACKAGES names a directory with them in two versions, ROUNDEL_ROOT the root; `make test-packages` makes both.
"""
import os
import pathlib
import re
import shutil
import unittest

from machine import PERSON, Machine

PACKAGES = pathlib.Path(os.environ.get("ROUNDEL_PACKAGES", ""))
ROOT = pathlib.Path(os.environ.get("ROUNDEL_ROOT", ""))
# What stays of a package that is purged: what apt and dpkg remember, and the log.
MEMORIES = ("/var/lib/dpkg", "/var/lib/apt", "/var/cache", "/var/log", "/proc", "/sys", "/dev", "/run", "/tmp",
            "/packages", "/home")
FILE_MANAGERS = ("nautilus", "nemo", "caja", "dolphin", "thunar", "gnome-shell", "plasma-desktop", "xfce4-session")

ADD = """
mkdir -p Documents remote
echo one >Documents/one.txt
roundel add ~/Documents ~/remote --wait
"""
# A desktop's session reaches the target for what belongs to it by a unit of its own.
DESKTOP = """
mkdir -p ~/.config/systemd/user
cat >~/.config/systemd/user/desktop.service <<END
[Unit]
BindsTo=graphical-session.target
Before=graphical-session.target
[Service]
ExecStart=/bin/sleep infinity
END
systemctl --user daemon-reload
systemctl --user start desktop.service
timeout 60 sh -c 'while [ "$(systemctl --user is-active roundeld.service)" = activating ]; do sleep 0.1; done'
systemctl --user is-active roundeld.service
"""
BADGE = "roundel badge ~/Documents/one.txt --json"
# Whatever is of the package's versions is without the person's knowledge: no service was asked for yet.
BADGE_OF_A_NEW_FILE = """
echo two >Documents/two.txt
roundel sync ~/Documents --wait >/dev/null
roundel badge ~/Documents/two.txt --json
"""
# What a person types who has git and Syncthing, after the README's section on other engines. Two devices of Syncthing: of
# a folder that is shared with none nothing is synced.
GIT = """
git init -q src/project
cd src/project
git config user.email person@example.org
git config user.name Person
echo one >one.txt
echo two >two.txt
git add one.txt two.txt
git commit -qm begun
echo three >>two.txt
cd
roundel git add ~/src
timeout 60 sh -c 'until roundel ls ~/src/project | grep -qi modified; do sleep 0.2; done'
roundel ls ~/src/project
"""
SYNCTHING = """
for home in ~/.config/syncthing ~/other; do syncthing generate --home=$home >/dev/null 2>&1; done
mkdir -p Shared there
echo shared >Shared/letter.txt
cat >join.py <<END
import pathlib, sys
import xml.etree.ElementTree as xml
homes = [pathlib.Path(word) for word in sys.argv[1:3]]
trees = [xml.parse(home / "config.xml") for home in homes]
names = [next(device.get("id") for device in tree.getroot().findall("device")) for tree in trees]
for index, tree in enumerate(trees):
    root = tree.getroot()
    for old in root.findall("folder") + root.findall("device"):
        root.remove(old)
    for number, name in enumerate(names):
        device = xml.SubElement(root, "device", id=name, name=f"d{number}")
        xml.SubElement(device, "address").text = f"tcp://127.0.0.1:{22010 + number}"
    folder = xml.SubElement(root, "folder", id="shared", label="Shared", path=sys.argv[3 + index], type="sendreceive",
                            fsWatcherDelayS="1")
    for name in names:
        xml.SubElement(folder, "device", id=name)
    options = root.find("options")
    for word in ("globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled", "natEnabled", "listenAddress"):
        for old in options.findall(word):
            options.remove(old)
        xml.SubElement(options, word).text = f"tcp://127.0.0.1:{22010 + index}" if word == "listenAddress" else "false"
    root.find("gui/address").text = f"127.0.0.1:{18384 + index}"
    tree.write(homes[index] / "config.xml")
END
python3 join.py ~/.config/syncthing ~/other ~/Shared ~/there
for home in ~/.config/syncthing ~/other; do
    STNODEFAULTFOLDER=1 setsid syncthing -no-browser -no-restart -home $home >$home.log 2>&1 </dev/null &
done
roundel providers enable syncthing
timeout 100 sh -c 'until roundel ls ~/Shared | grep -qi "synced.*letter"; do sleep 0.5; done' \\
    || { cat ~/.config/syncthing.log; roundel status; exit 1; } >&2
roundel ls ~/Shared
"""


def versions() -> list[str]:
    """The versions that there are packages of, the lower one first."""
    found = {path.name.split("_")[1] for path in PACKAGES.glob("roundel_*.deb")}
    return sorted(found, key=lambda version: [int(part) for part in re.findall(r"\d+", version)])


@unittest.skipUnless(shutil.which("debootstrap") and ROOT.name, "no root of Debian is named")
class PackageTests(unittest.TestCase):
    def setUp(self) -> None:
        self.machine = Machine(ROOT, PACKAGES)
        self.addCleanup(self.machine.close)
        self.old, self.new = versions()
        self.machine.run("apt-get", "update", "-q")

    def install(self, version: str, *names: str) -> None:
        """Installs packages of one version, all of them unless some are named."""
        found = [path.name for path in sorted(PACKAGES.glob(f"roundel*_{version}_*.deb"))
                 if not names or path.name.split("_")[0] in names]
        self.assertTrue(found)
        self.machine.run("apt-get", "install", "-q", "-y", "--no-install-recommends", *(f"/packages/{name}" for name in found))

    def installed(self) -> list[str]:
        """The names of all packages in the machine."""
        return self.machine.run("dpkg-query", "-W", "-f=${db:Status-Abbrev} ${Package}\n").replace("ii  ", "").splitlines()

    def files(self) -> set[str]:
        """Every file of the machine but those of memories and homes."""
        pruned = [word for place in MEMORIES for word in ("-path", place, "-o")][:-1]
        return set(self.machine.run("find", "/", "(", *pruned, ")", "-prune", "-o", "-print").splitlines())

    def traces(self) -> set[str]:
        """What of the machine bears the name or speaks of it."""
        named = {path for path in self.files() if "roundel" in path.lower()}
        places = ("/etc", "/usr/lib/systemd", "/usr/share/dbus-1", "/usr/share/applications", "/var/lib/systemd")
        speaks = self.machine.attempt("grep", "-rlsi", "roundel", *places).stdout.splitlines()
        return named | {path for path in speaks if path != "/etc/hostname"}

    def test_installed_used_upgraded_removed_and_purged(self) -> None:
        machine = self.machine
        before = self.traces()
        self.assertEqual(before, set())
        self.install(self.old)
        self.assertEqual(set(self.installed()) & set(FILE_MANAGERS), set(), "a package pulls in a desktop")

        # The next login: nobody sets anything up, and root has nothing to do any more.
        machine.as_person(ADD)
        self.assertIn('"badge":"synced"', machine.as_person(BADGE).replace('": "', '":"'))
        machine.log_out()
        self.assertIn("active", machine.as_person(DESKTOP), "the service does not start with the desktop")
        machine.log_out()

        self.install(self.new)
        self.assertIn(f"ii  {self.new}", machine.run("dpkg-query", "-W", "-f=${db:Status-Abbrev} ${Version}\n", "roundel"))
        self.assertIn("synced", machine.as_person(BADGE_OF_A_NEW_FILE))
        machine.log_out()
        self.assertIn("active", machine.as_person(DESKTOP))

        # Somebody is logged in, and what runs of it goes.
        machine.run("apt-get", "remove", "-q", "-y", "roundel*")
        machine.until("the services to end", ["sh", "-c", "pgrep -f ^/usr/bin/roundel || echo none"], ("none",))
        machine.run("apt-get", "purge", "-q", "-y", "roundel*")
        self.assertEqual(self.traces(), set())
        kept = machine.run("sh", "-c", f"cd /home/{PERSON} && cat Documents/one.txt Documents/two.txt remote/two.txt")
        self.assertEqual(kept, "one\ntwo\ntwo\n")

    def test_badges_of_the_worker_git_and_syncthing_by_the_readme_alone(self) -> None:
        machine = self.machine
        self.install(self.new, "roundel")
        machine.run("apt-get", "install", "-q", "-y", "--no-install-recommends", "git", "syncthing", "python3")
        machine.as_person(ADD)
        self.assertRegex(machine.as_person("roundel ls ~/Documents"), r"(?i)synced .* one\.txt")
        said = machine.as_person(GIT)
        self.assertRegex(said, r"(?i)modified .* two\.txt")
        said = machine.as_person(SYNCTHING)
        self.assertRegex(said, r"(?i)synced .* letter\.txt")

    def test_languages(self) -> None:
        machine = self.machine
        self.install(self.new, "roundel")
        machine.run("apt-get", "install", "-q", "-y", "--no-install-recommends", "man-db", "locales-all")
        for language, words, manual in (("de", "Synchronisiert", "BEZEICHNUNG"), ("zh_CN", "已同步", "名称")):
            locale = {"de": "de_DE.UTF-8", "zh_CN": "zh_CN.UTF-8"}[language]
            said = machine.as_person(f"export LANG={locale}; {ADD}\nroundel ls ~/Documents")
            self.assertIn(words.lower(), said.lower())
            self.assertIn(manual, machine.as_person(f"export LANG={locale}; man roundel"))
            # The worker removes what is its own there a moment after its answer.
            machine.as_person("roundel remove ~/Documents; rm -rf Documents remote")

    def test_setting_up_what_is_set_up_changes_nothing_and_undoing_it_is_the_persons_own(self) -> None:
        machine = self.machine
        self.install(self.new, "roundel")
        machine.as_person(ADD)
        said = machine.as_person("roundel setup </dev/null; systemctl --user is-enabled roundeld")
        self.assertIn("enabled", said)
        machine.as_person("roundel setup --remove </dev/null")
        self.assertIn("synced", machine.as_person(BADGE), "the system's activation files are there still")
        machine.log_out()
        self.assertIn("active", machine.as_person(DESKTOP), "the package starts it for everybody")

    def test_a_folder_on_demand_is_mounted_by_the_persons_manager(self) -> None:
        machine = self.machine
        if machine.attempt("test", "-c", "/dev/fuse").returncode != 0:
            self.skipTest("this machine has no FUSE")
        self.install(self.new, "roundel", "roundel-on-demand")
        machine.as_person("mkdir remote Far; echo far >remote/far.txt; roundel add ~/Far ~/remote --on-demand --wait")
        self.assertIn("online-only", machine.as_person("roundel badge ~/Far/far.txt --json"))
        self.assertEqual(machine.as_person("cat Far/far.txt"), "far\n")
        machine.run("apt-get", "purge", "-q", "-y", "roundel*")
        machine.until("the mount to go", ["sh", "-c", "pgrep -f ^/usr/bin/roundel-mount || echo none"], ("none",))
        self.assertEqual(self.traces(), set())


if __name__ == "__main__":
    unittest.main()
