"""Folders that are synced with WebDAV servers: installed programs, servers that people run, a real secret service.

ROUNDEL_PREFIX names an installation, ROUNDEL_SERVERS what packaging/servers.sh made; `make test` has both.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import unittest
import urllib.request
from collections.abc import Callable
from typing import Any

from servers import COLLECTION, PATIENCE_SECONDS, Keyring, Login, Server, until
from session import Session, contents_of, files_below, size_of, texts_below

PREFIX = os.environ.get("ROUNDEL_PREFIX", "")
KINDS = ("apache", "nginx", "wsgidav", "rclone", "nextcloud")
WORKER = ("org.roundel.SyncWorker1", "/org/roundel/SyncWorker1")
DONE, FAILED, NEEDS_THE_USER = 0, 1, 2
# What `roundel do` says where no menu has the item.
NO_ITEM = "No menu for this has an item"


def reason_to_skip() -> str | None:
    """Why nothing can be tried here, or None."""
    if not PREFIX:
        return "ROUNDEL_PREFIX does not name an installation"
    if not os.access(Keyring.PROGRAM, os.X_OK):
        return "not installed: gnome-keyring-daemon"
    return None


class Computer:
    """A person's computer: an installation in a session of its own, with a keyring unless there is none."""

    def __init__(self, has_keyring: bool = True) -> None:
        self.session = Session(PREFIX, is_secluded=True)
        self.keyring = Keyring(self.session) if has_keyring else None
        self.folder = self.session.home / "Cloud"
        self.folder.mkdir()

    def close(self) -> None:
        if self.keyring:
            self.keyring.end()
        self.session.close()

    def try_roundel(self, *arguments: str | pathlib.Path, typed: str = "") -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["roundel", *map(str, arguments)], env=self.session.environment, input=typed, capture_output=True, text=True,
            timeout=2 * PATIENCE_SECONDS, check=False)

    def begin(self, *arguments: str | pathlib.Path) -> "subprocess.Popen[str]":
        """A command that goes on, with nothing on its standard input."""
        return subprocess.Popen(
            ["roundel", *map(str, arguments)], env=self.session.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def roundel(self, *arguments: str | pathlib.Path, typed: str = "", status: int = DONE) -> str:
        """What it prints, if it ends as it has to."""
        done = self.try_roundel(*arguments, typed=typed)
        if done.returncode != status:
            raise AssertionError(
                f"{arguments} ended with {done.returncode}, not {status}: {done.stdout}{done.stderr}\n"
                f"The services logged:\n{self.session.logged()}")
        return done.stdout

    def ask(self, member: str, signature: str, *arguments: Any, of: str = "Folders") -> Any:
        """The first value that the worker answers, asked through one of the interfaces of an engine."""
        return self.session.call(*WORKER, f"org.roundel.Roundel1.Engine.{of}", member, signature, *arguments)[0]

    def folders(self) -> list[dict[str, Any]]:
        return self.ask("ListFolders", "(a{sv})", {})

    def log_in(self, server: Server) -> None:
        assert server.login
        self.roundel("login", server.address(user=server.login.user), typed=f"{server.login.password}\n")

    def add(self, server: Server) -> None:
        """Both sides have a file of their own before, and both of both then."""
        (self.folder / "here.txt").write_text("from here\n")
        server.write("there.txt", "from there\n")
        if server.login:
            self.log_in(server)
        self.roundel("add", self.folder, server.address(), "--wait")

    def sync(self, status: int = DONE) -> None:
        self.roundel("sync", self.folder, "--wait", status=status)

    def status(self) -> dict[str, Any]:
        """Of the folder, as the command line tells it."""
        (folder,) = json.loads(self.try_roundel("status", self.folder, "--json").stdout)["folders"]
        return folder

    def needs(self) -> str | None:
        return self.ask("Status", "(sa{sv})", self.folder.as_uri(), {})[0].get("needs")

    def badges(self, *names: str) -> list[str]:
        """Of the folder and of these in it."""
        paths = [self.folder, *(self.folder / name for name in names)]
        return [item["badge"] for item in json.loads(self.roundel("badge", *paths, "--json"))]

    def expect_badges(self, wanted: list[str], *names: str) -> None:
        """The command line waits a second for a badge, and no longer: a busy machine may take more."""
        seen: list[list[str]] = []

        def are_there() -> bool:
            seen[:] = [self.badges(*names)]
            return seen == [wanted]
        try:
            until("badges", are_there)
        except AssertionError as failure:
            raise AssertionError(f"{failure}; there were {seen}, not {wanted}") from None

    def try_to_do(self, item: str, *arguments: str | pathlib.Path) -> "subprocess.CompletedProcess[str]":
        """What comes of an action. Where no menu has it, because the worker was late or did not know the item yet, the menus
        are opened once more."""
        done: list[subprocess.CompletedProcess[str]] = []

        def is_in_a_menu() -> bool:
            done[:] = [self.try_roundel("do", item, *arguments)]
            return NO_ITEM not in done[0].stderr
        until(f"{item} in a menu", is_in_a_menu)
        return done[0]

    def do(self, item: str, *arguments: str | pathlib.Path) -> str:
        """What an action prints, if it is done."""
        done = self.try_to_do(item, *arguments)
        if done.returncode != DONE:
            raise AssertionError(f"{item} of {arguments} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def files(self) -> dict[str, str]:
        """What a person has in the folder."""
        return texts_below(self.folder)

    def worker(self) -> pathlib.Path:
        """The worker's directory below /proc."""
        (found,) = [process for process, program in self.session.processes() if program.endswith("/bin/roundel-worker")]
        return pathlib.Path(f"/proc/{found}")

    def places_with(self, traces: list[bytes]) -> list[str]:
        """Where one of these byte strings can be read: in a file of the session, the services' log being one of them,
        or in what this machine tells everybody or the person about a process of the session."""
        processes = [pathlib.Path(f"/proc/{process}") for process, _ in self.session.processes()]
        read = files_below(self.session.root)
        read += [process / name for process in processes for name in ("cmdline", "environ")]
        return [str(path) for path in read if any(trace in (contents_of(path) or b"") for trace in traces)]

    def partial_files(self) -> list[pathlib.Path]:
        """What the worker has received a part of."""
        return [path for path in files_below(self.session.root) if path.name.startswith("partial-")]


@unittest.skipIf(reason_to_skip(), reason_to_skip() or "")
class ServerTests(unittest.TestCase):
    """What has to hold with each server. All of them at once: the worker mostly waits, for a file's second to be over or
    for further deletions."""

    maxDiff = None

    def with_each(self, story: Callable[[Computer, Server], None], kinds: tuple[str, ...] = KINDS) -> None:
        """Tells the story with each server that is installed; the others are skipped by name."""
        with concurrent.futures.ThreadPoolExecutor(len(kinds)) as pool:
            told = {kind: pool.submit(self.tell, story, kind) for kind in kinds if Server.program(kind)}
        for kind in kinds:
            with self.subTest(server=kind):
                if kind not in told:
                    self.skipTest(f"not installed: {kind}")
                told[kind].result()

    def tell(self, story: Callable[[Computer, Server], None], kind: str) -> None:
        server = Server(kind, Login())
        try:
            computer = Computer()
            try:
                story(computer, server)
            finally:
                computer.close()
        finally:
            server.close()

    def assert_refused(self, computer: Computer, *arguments: str | pathlib.Path, saying: str) -> None:
        self.assert_failed(computer.try_roundel(*arguments), saying)

    def assert_failed(self, done: "subprocess.CompletedProcess[str]", saying: str) -> None:
        self.assertEqual((done.returncode, done.stdout), (FAILED, ""), done.stderr)
        self.assertIn(saying, done.stderr)

    def test_nothing_is_added_before_the_server_lets_us_in(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            assert server.login
            (computer.folder / "here.txt").write_text("from here\n")
            for password in ("", "wrong\n"):
                if password:
                    refused = computer.try_roundel("login", server.address(user=server.login.user), typed=password)
                    self.assert_failed(refused, "refuses this password, so it is not saved")
                self.assert_refused(computer, "add", computer.folder, server.address(), "--wait", saying="roundel login ")
                self.assertEqual((computer.folders(), server.files()), ([], []))
                self.assertEqual(os.listdir(computer.folder), ["here.txt"])
            # One that was refused does not stand in the way of the right one.
            computer.log_in(server)
            computer.roundel("add", computer.folder, server.address(), "--wait")
            self.assertEqual(server.read("here.txt"), "from here\n")

        self.with_each(story)

    def test_a_person_logs_in_on_the_servers_own_page(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            (computer.folder / "here.txt").write_text("from here\n")
            with computer.begin("login", server.address()) as login:
                assert login.stderr
                shown = login.stderr.readline()
                self.assertIn(f"http://127.0.0.1:{server.port}/login/v2/flow/", shown)
                server.grant()
                printed, complaints = login.communicate(timeout=2 * PATIENCE_SECONDS)
            self.assertEqual((login.returncode, complaints), (DONE, ""), printed)
            self.assertIn("The password of “me” at", printed)
            computer.roundel("add", computer.folder, server.address(), "--wait")
            self.assertEqual(server.read("here.txt"), "from here\n")
            computer.expect_badges(["synced", "synced"], "here.txt")
            # The person's own password was never here, and the one that the server made is in the keyring alone.
            (given,) = server.app_passwords()
            self.assertEqual(computer.places_with([given.encode()]), [])
            computer.roundel("logout", server.address())
            # Whoever begins one and goes leaves nothing behind.
            with computer.begin("login", server.address()) as login:
                assert login.stderr
                self.assertIn("/login/v2/flow/", login.stderr.readline())
                login.terminate()
            self.assertEqual(computer.try_roundel("logout", server.address()).returncode, FAILED)

        self.with_each(story, ("nextcloud",))

    def test_an_address_as_people_have_it_is_enough(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            for name in ("Photos", "Docs"):
                server.make_collection(name)
                server.write(f"{name}/a.txt", f"of {name}\n")
            if server.login:
                computer.log_in(server)
            origin = f"127.0.0.1:{server.port}"
            address = f"http://{origin}/{COLLECTION}"
            if server.kind == "nextcloud":
                address = f"http://{origin}/index.php/apps/files/?dir=/{COLLECTION}&fileid=1"
            told = json.loads(computer.roundel("add", computer.folder, address, "--dry-run", "--json"))
            self.assertEqual((told["downloads"], told["uploads"], told["partial"]), (2, 0, False), told)
            self.assertEqual(told["remote"], server.address(user=server.login.user if server.login else "") + "/")
            self.assertEqual((computer.folders(), os.listdir(computer.folder)), ([], []))
            # Only what was chosen comes, into a folder that is made.
            new = computer.session.home / "New" / "Cloud"
            computer.roundel("add", new, address, "--create", "--only", "Photos", "--wait")
            self.assertEqual(texts_below(new), {"Photos/a.txt": "of Photos\n"})
            server.write("Docs/later.txt", "not here\n")
            (new / "mine.txt").write_text("not there\n")
            (new / "Photos" / "b.txt").write_text("there\n")
            computer.roundel("sync", new, "--wait")
            self.assertEqual(sorted(texts_below(new)), ["Photos/a.txt", "Photos/b.txt", "mine.txt"])
            self.assertEqual(server.read("Photos/b.txt"), "there\n")
            self.assertEqual((server.read("mine.txt"), server.read("Docs/a.txt")), (None, "of Docs\n"))
            # A directory that is missing on the server is made there.
            (computer.folder / "here.txt").write_text("from here\n")
            computer.roundel("add", computer.folder, f"{server.address('far/off')}", "--create", "--wait")
            self.assertEqual(server.page(f"http://{origin}{server.base()}/far/off/here.txt"), "from here\n")

        self.with_each(story)

    def test_directories_are_chosen_from_and_found_by_number(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            for name in ("Photos", "Photos/2024"):
                server.make_collection(name)
            server.write("Photos/a.txt", "12345")
            remote = server.address(user=server.login.user if server.login else "")
            computer.log_in(server)

            def listed(path: str) -> list[dict[str, Any]]:
                return computer.ask("ListDirectories", "(ssa{sv})", remote, path, {}, of="Remotes")
            self.assertEqual(
                listed(""), [{"name": "Photos", "path": "Photos", "size": 5, "has-children": True}])
            self.assertEqual(
                listed("Photos"), [{"name": "2024", "path": "Photos/2024", "size": 0, "has-children": False}])
            number = re.search("<oc:fileid>([0-9]+)<", server.ask("PROPFIND", "Photos/2024", (
                '<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:fileid/></d:prop></d:propfind>'),
                Depth="0")[1])
            assert number
            found = computer.ask(
                "Find", "(sa{sv})", f"http://127.0.0.1:{server.port}/f/{number[1]}", {}, of="Remotes")
            self.assertEqual((found["path"], found["user"], found["login"]), (f"{COLLECTION}/Photos/2024", "me", "none"))

        self.with_each(story, ("nextcloud",))

    def test_items_are_shared_and_shown_in_the_browser(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            browser = computer.session.programs / "xdg-open"
            browser.write_text('#!/bin/sh\nprintf %s "$1" >"$HOME/page.new"\nmv "$HOME/page.new" "$HOME/page"\n')
            browser.chmod(0o755)
            computer.add(server)
            (computer.folder / "täglich & more").mkdir()
            (computer.folder / "täglich & more" / "100 %.txt").write_text("shared\n")
            computer.sync()
            item = computer.folder / "täglich & more" / "100 %.txt"
            link = computer.do("roundel/copy-share-link", item).strip()
            self.assertTrue(link.startswith(f"http://127.0.0.1:{server.port}/s/"), link)
            # Anybody can read it there, and whoever copies it twice shares it once.
            with urllib.request.urlopen(f"{link}/download", timeout=PATIENCE_SECONDS) as answer:
                self.assertEqual(answer.read(), b"shared\n")
            told = json.loads(computer.do("roundel/copy-share-link", item, "--json"))
            self.assertEqual((told["outcome"], told["clipboard"]), ("done", link))
            self.assertNotEqual(computer.do("roundel/copy-share-link", item.parent).strip(), link)
            for place, title in ((item, item.name), (item.parent, "täglich &amp; more"), (computer.folder, COLLECTION)):
                computer.do("roundel/show-in-browser", place)
                shown = computer.session.home / "page"
                until("the browser to be called", shown.exists)
                self.assertEqual(server.page(shown.read_text()), f"<title>{title}</title>")
                shown.unlink()
            # What is not there yet cannot be shared.
            computer.roundel("pause", computer.folder)
            new = computer.folder / "new.txt"
            new.write_text("new\n")
            self.assert_failed(computer.try_to_do("roundel/copy-share-link", new), "Copy Share Link")
            server.let_nobody_share(passwords_alone=True)
            here = computer.folder / "here.txt"
            self.assert_failed(
                computer.try_to_do("roundel/copy-share-link", here),
                "makes no share link of “~/Cloud/here.txt”. It says: Passwords are enforced for link and mail shares")
            server.end()
            self.assert_failed(computer.try_to_do("roundel/copy-share-link", here), "cannot be reached")

        self.with_each(story, ("nextcloud",))

    def test_shares_say_with_whom_until_when_and_how(self) -> None:
        """E12, E7: with the worker and the command line, against the server's own rules."""
        def story(computer: Computer, server: Server) -> None:
            server.behave(
                people={"ana": {"name": "Ana Lopez"}, "crew": {"name": "Crew", "group": True}}, share_days=30,
                share_passwords=True, file_locks=True)
            computer.add(server)
            item, plans = computer.folder / "here.txt", computer.folder / "Plans"
            plans.mkdir()
            computer.sync()
            # What the server demands is said before it is asked.
            requests = server.posts()
            self.assert_failed(computer.try_roundel("share", item), "demands a password for links")
            late = computer.try_roundel("share", item, "--password", "--until", "2099-01-01", typed="long enough\n")
            self.assert_failed(late, "30 days at most")
            self.assert_failed(computer.try_roundel("share", item, "--password", typed="short\n"), "at least 8 characters")
            self.assert_failed(computer.try_roundel("share", item, "--rights", "upload"), "only upload to a directory")
            self.assertEqual(server.posts(), requests)
            link = computer.roundel("share", plans, "--password", "--rights", "upload", typed="long enough\n").strip()
            self.assertTrue(link.startswith(f"http://127.0.0.1:{server.port}/s/"), link)
            self.assertIn("shared with Ana Lopez", computer.roundel("share", plans, "--with", "ana", "--rights", "edit"))
            self.assert_failed(computer.try_roundel("share", plans, "--with", "ana"), "is shared with Ana Lopez already")
            self.assert_failed(computer.try_roundel("share", plans, "--with", "nobody"), "knows nobody called")
            found = json.loads(computer.roundel("share", plans, "--list", "--json"))
            self.assertEqual(
                [(share["kind"], share["rights"], share["password"], share["name"]) for share in found],
                [("link", "upload", True, None), ("user", "edit", False, "Ana Lopez")])
            self.assertTrue(found[0]["until"])
            self.assert_failed(computer.try_roundel("share", item, "--end", found[0]["id"]), "no such share")
            # Only what is named is another afterwards.
            number, end = found[0]["id"], found[0]["until"]
            edit = ("share", plans, "--edit", number)
            self.assert_failed(computer.try_roundel(*edit, "--no-password"), "demands a password")
            self.assert_failed(computer.try_roundel(*edit, "--until", "2099-01-01"), "30 days at most")
            changed = json.loads(computer.roundel(*edit, "--rights", "view", "--json"))
            self.assertEqual((changed["rights"], changed["password"], changed["until"]), ("view", True, end))
            computer.roundel("share", plans, "--edit", found[1]["id"], "--until", "2037-01-02")
            found = json.loads(computer.roundel("share", plans, "--list", "--json"))
            self.assertEqual([share["until"] for share in found], [end, "2037-01-02"])
            computer.roundel(*edit, "--password", typed="another one\n")
            computer.roundel("share", plans, "--end", found[0]["id"])
            self.assertEqual(len(json.loads(computer.roundel("share", plans, "--list", "--json"))), 1)
            self.assert_failed(computer.try_roundel("share", computer.folder, "--with", "ana"), "not all of it")
            self.assertNotIn("long enough", computer.session.logged())
            # Locks of files, as the menu has them.
            computer.do("roundel/lock", item)
            until("the lock to be known", lambda: computer.try_roundel("do", "roundel/unlock", item).returncode == DONE)

        self.with_each(story, ("nextcloud",))

    def test_versions_that_the_server_keeps_are_listed_and_restored_beside_the_file(self) -> None:
        """What stands is replaced neither here nor there, and the restored version is synced like any new file."""
        def story(computer: Computer, server: Server) -> None:
            computer.add(server)
            item = computer.folder / "there.txt"

            def on_server() -> list[dict[str, Any]]:
                events = json.loads(computer.roundel("history", item, "--json"))["events"]
                return [event["server"] for event in events if event["server"]]

            self.assertEqual(on_server(), [])
            server.behave(versions=True)
            for moment, text in ((1_700_000_000, "second\n"), (1_700_000_100, "the third\n")):
                server.write("there.txt", text, X_OC_Mtime=str(moment))
            computer.sync()
            found = on_server()
            self.assertEqual((found[0]["time"], found[0]["size"]), ("2023-11-14T22:13:20Z", 7))
            self.assertEqual([one["author"] for one in found], ["me", "me"])
            (told,) = [line for line in computer.roundel("history", item).splitlines() if "--server '2023" in line]
            written = told.partition("--server ")[2].strip("'")
            self.assertIn("on the server", computer.roundel("history", item))
            self.assert_failed(
                computer.try_roundel("trash", "restore", item, "--server", "2001-01-01 00:00:00"), "has no version")
            said = computer.roundel("trash", "restore", item, "--server", written)
            self.assertIn("~/Cloud/there (restored).txt", said)
            self.assertEqual(
                (item.read_text(), item.with_name("there (restored).txt").read_text()), ("the third\n", "second\n"))
            computer.sync()
            self.assertEqual(server.read("there (restored).txt"), "second\n")
            self.assertEqual((server.read("there.txt"), len(on_server())), ("the third\n", 2))
            # What it does not say in time is said, and everything else is listed.
            server.end()
            away = computer.try_roundel("history", item)
            self.assertEqual(away.returncode, DONE)
            self.assertIn("Versions on the server are not listed.", away.stderr)
            self.assertIn("downloaded", away.stdout)

        self.with_each(story, ("nextcloud",))

    def test_a_conflict_says_who_wrote_the_version_on_the_server(self) -> None:
        """D7: where the server tells, and when somebody looks; nothing is asked for a file that is synced."""
        def story(computer: Computer, server: Server) -> None:
            moment = 1_700_000_000
            server.behave(versions=True, version_authors={str(moment): "ana"}, people={"ana": {"name": "Ana Lopez"}})
            computer.add(server)
            item = computer.folder / "here.txt"
            computer.roundel("pause", computer.folder)
            item.write_text("mine\n")
            server.write("here.txt", "hers, which is longer\n", X_OC_Mtime=str(moment))
            server.forget_requests()
            computer.roundel("resume", computer.folder)
            computer.sync(status=NEEDS_THE_USER)
            self.assertEqual(server.requests("/remote.php/dav/versions/"), 0)
            conflict = computer.ask("Conflicts", "(sa{sv})", "", {}, of="Conflicts")[0]
            self.assertNotIn("author", conflict)
            self.assertIn("by Ana Lopez", computer.roundel("conflicts", status=NEEDS_THE_USER))
            (told,) = json.loads(computer.roundel("conflicts", "--json", status=NEEDS_THE_USER))
            self.assertEqual((told["author"], told["author_own"]), ("Ana Lopez", False))
            asked = server.requests("/remote.php/dav/versions/")
            # What is known is told to everybody, and not asked for again.
            conflict = computer.ask("Conflicts", "(sa{sv})", "", {}, of="Conflicts")[0]
            self.assertEqual((conflict["author"], server.requests("/remote.php/dav/versions/")), ("Ana Lopez", asked))
            self.assertIn("by Ana Lopez", computer.roundel("problems", status=NEEDS_THE_USER))

        self.with_each(story, ("nextcloud",))

    def test_a_server_that_is_known_is_added_with_few_requests(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            computer.log_in(server)
            before = len(server.all_requests())
            computer.roundel("add", computer.folder, server.address(), "--wait")
            requests = server.all_requests()[before:]
            tries = [request for request in requests if "/.roundel-stage-" in request]
            self.assertLessEqual(len(tries), 9, tries)
            self.assertLessEqual(len(requests), 28, requests)

        self.with_each(story, ("apache",))

    def test_an_upgraded_server_is_tried_out_again(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            server.let_nobody_share()
            computer.add(server)
            item = computer.folder / "here.txt"
            self.assert_refused(computer, "do", "roundel/copy-share-link", item, saying="roundel/copy-share-link")
            server.upgrade("30.0.1")
            worker = computer.worker()
            os.kill(int(worker.name), signal.SIGTERM)
            until("the end of the worker", lambda: not worker.exists())
            computer.sync()
            until("the entry", lambda: computer.try_roundel("do", "roundel/copy-share-link", item).returncode == DONE)
            # It is noted, and the files are as they were.
            settings = computer.session.home / ".config/roundel/folders.json"

            def noted() -> dict[str, Any]:
                (folder,) = json.loads(settings.read_text())["folders"]
                return folder
            until("the new trait to be noted", lambda: "share-links" in noted()["traits"])
            self.assertTrue(noted()["server"].endswith(" 30.0.1"), noted()["server"])
            computer.expect_badges(["synced"] * 3, "here.txt", "there.txt")
            self.assertEqual([name for name in server.files() if not name.startswith(".roundel")], ["here.txt", "there.txt"])

        self.with_each(story, ("nextcloud",))

    def test_other_servers_have_no_such_page(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            login = computer.try_roundel("login", server.address())
            self.assertEqual(login.returncode, FAILED, login.stderr)
            self.assertIn("No password was given", login.stderr)

        self.with_each(story, tuple(kind for kind in KINDS if kind != "nextcloud"))

    def test_what_changes_on_one_side_changes_on_the_other(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            folder = computer.folder
            computer.add(server)
            self.assertEqual(server.read("here.txt"), "from here\n")
            self.assertEqual(computer.files(), {"here.txt": "from here\n", "there.txt": "from there\n"})
            computer.expect_badges(["synced"] * 3, "here.txt", "there.txt")

            (folder / "here.txt").write_text("edited here\n")
            until(f"the edit at {server.kind}", lambda: server.read("here.txt") == "edited here\n")
            server.write("there.txt", "edited there\n")
            computer.sync()
            self.assertEqual(computer.files(), {"here.txt": "edited here\n", "there.txt": "edited there\n"})

            (folder / "here.txt").rename(folder / "renamed höre.txt")
            server.move("there.txt", "renamed there.txt")
            computer.sync()
            renamed = {"renamed höre.txt": "edited here\n", "renamed there.txt": "edited there\n"}
            self.assertEqual(computer.files(), renamed)
            self.assertEqual({name: server.read(name) for name in renamed}, renamed)
            self.assertEqual((server.read("here.txt"), server.read("there.txt")), (None, None))

            (folder / "renamed höre.txt").unlink()
            server.delete("renamed there.txt")
            computer.sync()
            self.assertEqual(computer.files(), {})
            self.assertEqual([server.read(name) for name in renamed], [None, None])
            computer.expect_badges(["synced"])

        self.with_each(story)

    def test_a_server_that_tells_of_changes_is_listened_to(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            server.offer_push()
            computer.add(server)
            until("the worker to listen", server.is_listened_to)
            server.write("new.txt", "told at once\n")
            until("the new file here", lambda: computer.files().get("new.txt") == "told at once\n")
            (computer.folder / "here.txt").write_text("edited here\n")
            until("the edit there", lambda: server.read("here.txt") == "edited here\n")

        self.with_each(story, ("nextcloud",))

    def test_a_worker_that_is_killed_goes_on_with_what_has_arrived(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            computer.add(server)
            size, stop, least = 48 << 20, 36 << 20, 16 << 20
            line = "a line of a large file, of which nothing is like the line before it: "
            server.write("large", "".join(f"{line}{number:010}\n" for number in range(size // 80)))
            server.stall("large", stop)
            asked = computer.begin("sync", computer.folder, "--wait")

            def arrived() -> bool:
                return any(size_of(part) >= stop - (4 << 20) for part in computer.partial_files())

            until("most of the file to arrive", arrived)
            killed = int(computer.worker().name)
            os.kill(killed, signal.SIGKILL)
            asked.communicate(timeout=PATIENCE_SECONDS)
            server.stall("large", None)
            server.forget_requests()
            until("the killed worker to be gone", lambda: not pathlib.Path(f"/proc/{killed}").exists())
            computer.sync()
            sent = server.sent()
            self.assertEqual(computer.files()["large"], server.read("large"))
            self.assertLess(sent, size - least)
            self.assertEqual(computer.partial_files(), [])

        self.with_each(story, ("nextcloud",))

    def test_a_server_that_is_away_is_waited_for(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            computer.add(server)
            server.end()
            (computer.folder / "here.txt").write_text("while it was away\n")
            until("the missing server to be noticed", lambda: computer.needs() == "server")

            def expect_waiting() -> None:
                wanted = {"state": "pending", "needs": "server", "errors": 0}
                until("the folder to wait for its server", lambda: computer.status().items() >= wanted.items())
                computer.expect_badges(["pending", "pending", "synced"], "here.txt", "there.txt")

            expect_waiting()
            # A person who asks for it is told; nothing is worse for that.
            computer.sync(status=NEEDS_THE_USER)
            expect_waiting()
            server.start()
            computer.sync()
            self.assertEqual(server.read("here.txt"), "while it was away\n")
            self.assertIsNone(computer.status()["needs"])
            computer.expect_badges(["synced", "synced"], "here.txt")

        self.with_each(story)

    def test_without_its_login_a_folder_waits_for_one_and_goes_on_by_itself_then(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            computer.add(server)
            computer.roundel("logout", server.address())
            computer.sync(status=NEEDS_THE_USER)
            until("the login to be missed", lambda: computer.needs() == "login")
            (computer.folder / "here.txt").write_text("logged out\n")
            computer.log_in(server)
            until(f"the edit at {server.kind}", lambda: server.read("here.txt") == "logged out\n")
            until("nothing to be needed", lambda: computer.needs() is None)
            self.assertEqual(computer.status()["errors"], 0)

        self.with_each(story)

    def test_a_collection_is_synced_once_and_removing_the_folder_deletes_nothing(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            computer.add(server)
            second = computer.session.home / "Second"
            second.mkdir()
            server.make_collection("inside")
            # The same by another spelling, one inside and the one that holds it.
            for path in (COLLECTION, f"{COLLECTION}/", "%63loud", f"{COLLECTION}/inside", ""):
                self.assert_refused(computer, "add", second, server.address(path), saying="overlaps the remote of")
            self.assertEqual(len(computer.folders()), 1)
            self.assertEqual(os.listdir(second), [])
            before = computer.files()
            computer.roundel("remove", computer.folder)
            self.assertEqual(computer.folders(), [])
            self.assertEqual((computer.files(), sorted(before)), (before, ["here.txt", "there.txt"]))
            self.assertEqual({name: server.read(name) for name in before}, before)

        self.with_each(story)

    def test_a_collection_that_is_gone_stops_the_folder(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            computer.add(server)
            server.delete("")
            computer.sync(status=NEEDS_THE_USER)
            until("the collection to be missed", lambda: computer.needs() == "remote-missing")
            # Neither by itself nor by what a person does here is anything made there anew, or deleted here.
            (computer.folder / "new.txt").write_text("new\n")
            computer.sync(status=NEEDS_THE_USER)
            self.assertFalse((server.root / "files" / COLLECTION).exists())
            self.assertEqual(
                computer.files(), {"here.txt": "from here\n", "new.txt": "new\n", "there.txt": "from there\n"})

        self.with_each(story)

    def test_the_password_is_in_the_keyring_alone(self) -> None:
        def story(computer: Computer, server: Server) -> None:
            assert server.login
            computer.add(server)
            # What is said of a server that is away has no password in it either.
            server.end()
            (computer.folder / "here.txt").write_text("while it was away\n")
            until("the missing server to be noticed", lambda: computer.needs() == "server")
            self.assertEqual(computer.places_with(server.login.traces()), [])
            settings = computer.session.home / ".config/roundel/folders.json"
            self.assertIn(server.address(), settings.read_text().replace("\\/", "/"))
            self.assertTrue((computer.session.home / ".local/state/roundel").is_dir())
            # Bit 0 would let the worker's own memory into a core dump.
            self.assertEqual(int((computer.worker() / "coredump_filter").read_text(), 16), 0)

        self.with_each(story)


@unittest.skipIf(reason_to_skip(), reason_to_skip() or "")
class SurroundingsTests(unittest.TestCase):
    """What depends on the computers, with one server."""

    maxDiff = None

    def server(self, login: Login | None) -> Server:
        # The one whose files have the finest times: the worker waits for no second to be over.
        if not Server.program("rclone"):
            self.skipTest("not installed: rclone")
        server = Server("rclone", login)
        self.addCleanup(server.close)
        return server

    def computer(self, has_keyring: bool = True) -> Computer:
        computer = Computer(has_keyring)
        self.addCleanup(computer.close)
        return computer

    def test_without_a_secret_service_only_servers_that_want_no_login_can_be_used(self) -> None:
        computer, closed, opened = self.computer(has_keyring=False), self.server(Login()), self.server(None)
        with self.assertRaisesRegex(Exception, r"org\.roundel\.Error\.LoginNeeded"):
            computer.ask("AddFolder", "(ssa{sv})", computer.folder.as_uri(), closed.address(), {})
        self.assertEqual((computer.folders(), closed.files()), ([], []))
        login = computer.try_roundel("login", closed.address(user="me"), typed="secret\n")
        self.assertEqual(login.returncode, FAILED)
        self.assertIn("There is no secret service", login.stderr)
        computer.add(opened)
        self.assertEqual(computer.files(), {"here.txt": "from here\n", "there.txt": "from there\n"})
        self.assertEqual(opened.read("here.txt"), "from here\n")

    def test_two_computers_have_the_same_and_one_of_them_shows_a_conflict(self) -> None:
        server, first, second = self.server(Login()), self.computer(), self.computer()
        first.add(server)
        second.log_in(server)
        (second.folder / "second.txt").write_text("from the second\n")
        second.roundel("add", second.folder, server.address(), "--wait")
        first.sync()
        everything = {"here.txt": "from here\n", "second.txt": "from the second\n", "there.txt": "from there\n"}
        self.assertEqual((first.files(), second.files()), (everything, everything))

        second.roundel("pause", second.folder)
        (first.folder / "here.txt").write_text("of the first\n")
        (second.folder / "here.txt").write_text("of the second\n")
        first.sync()
        second.roundel("resume", second.folder)
        second.sync(status=NEEDS_THE_USER)
        self.assertEqual(len(second.ask("Conflicts", "(sa{sv})", "", {}, of="Conflicts")), 1)
        second.expect_badges(["conflict", "conflict", "synced"], "here.txt", "second.txt")
        first.sync()
        self.assertEqual(first.ask("Conflicts", "(sa{sv})", "", {}, of="Conflicts"), [])
        first.expect_badges(["synced", "synced"], "here.txt")
        self.assertEqual(first.files()["here.txt"], "of the first\n")
        self.assertEqual(second.files()["here.txt"], "of the first\n")
        self.assertIn("of the second\n", second.files().values())

        second.roundel("resolve", second.folder / "here.txt", "mine")
        second.sync()
        first.sync()
        everything["here.txt"] = "of the second\n"
        self.assertEqual((first.files(), second.files()), (everything, everything))
        self.assertEqual(server.read("here.txt"), "of the second\n")


if __name__ == "__main__":
    unittest.main()
