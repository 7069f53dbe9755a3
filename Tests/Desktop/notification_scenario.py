"""What needs the person comes as a notification, once, with buttons that do what they say (D12, E7)."""
import os
import subprocess
from typing import Any

import wire
from desktop import Desktop
from gi.repository import Gio, GLib
from installed import InstalledServices
from notification_daemon import EXPIRED, NotificationDaemon
from waiting import CALL_MILLISECONDS, PROGRAM_SECONDS, Failure, pump, wait_for

FILE_MANAGER = "org.freedesktop.FileManager1"
FILE_MANAGER_XML = """<node><interface name='org.freedesktop.FileManager1'>
 <method name='ShowFolders'><arg type='as' direction='in'/><arg type='s' direction='in'/></method>
 <method name='ShowItems'><arg type='as' direction='in'/><arg type='s' direction='in'/></method>
</interface></node>"""
CRITICAL = 2
APPLICATION_XML = """<node><interface name="org.freedesktop.Application"><method name="ActivateAction">
<arg type="s" direction="in"/><arg type="av" direction="in"/><arg type="a{sv}" direction="in"/></method></interface></node>"""


class FileManager:
    """Takes down what it is asked to show."""

    def __init__(self, connection: Any) -> None:
        self.shown: list[Any] = []  # (method, uris, startup id)
        interface = Gio.DBusNodeInfo.new_for_xml(FILE_MANAGER_XML).interfaces[0]
        connection.register_object("/org/freedesktop/FileManager1", interface, self._on_call, None, None)
        Gio.bus_own_name_on_connection(connection, FILE_MANAGER, Gio.BusNameOwnerFlags.NONE, None, None)

    def _on_call(self, connection: Any, sender: str, path: str, interface: str, method: str, parameters: Any,
                 invocation: Any) -> None:
        self.shown.append((method, *parameters.unpack()))
        invocation.return_value(None)


class NoWindow:
    """Has the name of Roundel's window, and cannot show it: the file manager is what is left."""

    def __init__(self, connection: Any) -> None:
        interface = Gio.DBusNodeInfo.new_for_xml(APPLICATION_XML).interfaces[0]
        connection.register_object("/org/roundel/Window", interface, self._on_call, None, None)
        Gio.bus_own_name_on_connection(connection, "org.roundel.Window", Gio.BusNameOwnerFlags.NONE, None, None)

    def _on_call(self, connection: Any, sender: str, path: str, interface: str, method: str, parameters: Any,
                 invocation: Any) -> None:
        invocation.return_dbus_error("org.freedesktop.DBus.Error.Failed", "There is no display.")


class NotificationScenario:
    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.roundel = service.roundel
        self.daemon = NotificationDaemon(desktop)
        self.folder = str(desktop.home / "Q&A <b>")  # what markup would be in a name
        self.remote = str(desktop.work / "remote")

    def explain(self) -> list[str]:
        return [f"notified: {one.number} {one.title!r} {one.text!r} {one.actions}" for one in self.daemon.sent[-8:]] \
            + self.daemon.violations

    # Acting

    def write(self, path: str, text: str = "text\n") -> None:
        with open(path, "w") as file:
            file.write(text)

    def make_folder(self) -> None:
        os.makedirs(self.folder)
        os.makedirs(self.remote)
        for number in range(40):
            self.write(f"{self.folder}/{number:02}.txt")
        self.roundel("add", self.folder, self.remote, "--wait")

    def conflicts(self) -> str:
        return self.roundel("conflicts", self.folder).strip()

    # Steps

    def conflict_is_resolved(self) -> None:
        self.service.make_conflict(self.folder, self.remote, "00.txt")
        shown = self.daemon.wait_for("Sync conflict in “Q&A <b>”")
        if "00.txt" not in shown.text:
            raise Failure(f"it does not say what is in conflict: {shown.text}")
        self.daemon.press(shown, "Keep Both")
        wait_for("no conflict", lambda: "00" not in self.conflicts())
        wait_for("both versions at the remote",
                 lambda: sum(name.startswith("00") for name in os.listdir(self.remote)) == 2)

    def conflict_is_shown_and_resolved_elsewhere(self) -> None:
        """The file manager gets the token of the click; who resolves it otherwise closes the notification."""
        self.service.make_conflict(self.folder, self.remote, "01.txt")
        shown = self.daemon.wait_for("Sync conflict")
        self.daemon.press(shown, "Show", token="token-17")
        wait_for("the file manager", lambda: self.file_manager.shown)
        method, uris, startup = self.file_manager.shown[0]
        if (method, startup) != ("ShowItems", "token-17") or wire.uri(f"{self.folder}/01.txt") not in uris:
            raise Failure(f"shown was {self.file_manager.shown[0]}")
        self.service.make_conflict(self.folder, self.remote, "02.txt")
        pump(3)
        if self.daemon.open:
            raise Failure("a matter that the person closed came back before it was resolved")
        for name in ("01.txt", "02.txt"):
            self.roundel("resolve", f"{self.folder}/{name}", "theirs")
        wait_for("no conflict", lambda: "txt" not in self.conflicts())

    def deletions_are_confirmed(self) -> None:
        # In one run: one that began while they go would delete the first of them without a question.
        self.roundel("pause", self.folder)
        for number in range(5, 40):
            os.unlink(f"{self.folder}/{number:02}.txt")
        self.roundel("resume", self.folder)
        shown = self.daemon.wait_for("Delete 35 items on the remote?")
        if shown.urgency != CRITICAL:
            raise Failure("that nothing goes on is not critical")
        if len(os.listdir(self.remote)) < 36:
            raise Failure("something was deleted before it was confirmed")
        self.daemon.press(shown, "Delete 35 Items")
        wait_for("the deletions", lambda: not os.path.exists(f"{self.remote}/39.txt"))

    def many_errors_are_one(self) -> None:
        """Files that nobody may read, one after the other; then they may again."""
        names = [f"{self.folder}/secret-{number}" for number in range(200)]
        before = len(self.daemon.pop_ups)
        for name in names:
            # Nobody may read it from its first moment.
            with open(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0), "w") as file:
                file.write("text\n")
        shown: Any = wait_for("all errors", lambda: next(
            (one for one in self.daemon.open.values() if one.title.startswith("200 items")), None))
        if len(self.daemon.pop_ups) != before + 1:
            raise Failure(f"{len(self.daemon.pop_ups) - before} notifications of errors came up")
        self.desktop_is_idle()
        for name in names:
            os.chmod(name, 0o600)
        self.daemon.press(shown, "Try Again")
        wait_for("the files at the remote", lambda: os.path.exists(f"{self.remote}/secret-199"))
        wait_for("the end of the errors that are none any more", lambda: not self.daemon.open)

    def desktop_is_idle(self) -> None:
        """What shows and does not change is sent once."""
        before = len(self.daemon.sent)
        pump(6)
        if len(self.daemon.sent) > before + 1:
            raise Failure(f"sent again without a change: {[one.title for one in self.daemon.sent[before:]]}")

    def daemon_comes_and_goes(self) -> None:
        """Without a daemon nothing is lost; what timed out is not told again."""
        self.daemon.stop()
        self.service.make_conflict(self.folder, self.remote, "03.txt")
        pump(2)
        self.daemon = NotificationDaemon(self.desktop, capabilities=["body"])
        self.daemon.start()
        shown = self.daemon.wait_for("Sync conflict")
        if shown.actions or "&amp;" in shown.text:
            raise Failure("the daemon can do neither actions nor markup")
        self.daemon.dismiss(shown, EXPIRED)
        self.roundel("sync", self.folder, "--wait")
        pump(3)
        if self.daemon.open:
            raise Failure("what timed out was told again")
        self.daemon.stop()
        self.daemon = NotificationDaemon(self.desktop)
        self.daemon.start()

    def missing_folder(self) -> None:
        """A folder that is not there any more stops; back in its place, it goes on, and the notification goes."""
        self.roundel("resolve", f"{self.folder}/03.txt", "mine")
        os.rename(self.folder, self.folder + "-away")
        shown = self.daemon.wait_for("is no longer synced")
        if shown.urgency != CRITICAL:
            raise Failure("that nothing is synced is not critical")
        self.failed_action()
        os.rename(self.folder + "-away", self.folder)
        self.daemon.wait_until_gone(shown)

    def failed_action(self) -> None:
        """E7: it is notified, unless the host shows it itself, as the command line does."""
        before = len(self.daemon.pop_ups)
        done = wait_for("the item in a menu", self.try_to_sync)
        if done.returncode != 1 or "is missing" not in done.stderr:
            raise Failure(f"the command line does not say why it failed: {done}")
        pump(2)
        if len(self.daemon.pop_ups) != before:
            raise Failure("what the command line says was notified as well")
        self.fail_from_a_host()
        shown = self.daemon.wait_for("“Sync Now” failed")
        if "is missing" not in shown.text:
            raise Failure(f"it does not say why: {shown.text}")

    def try_to_sync(self) -> Any:
        """What the command line says of the action; nothing where no menu has it, because the worker was late."""
        done = subprocess.run(["roundel", "do", "roundel/sync-now", self.folder], env=self.desktop.environment,
                              capture_output=True, text=True, timeout=PROGRAM_SECONDS, check=False)
        return None if "No menu for this has an item" in done.stderr else done

    def fail_from_a_host(self) -> None:
        """A host that shows no results chooses what cannot be done. A menu without items is one for which the worker was
        late."""
        target = wire.uri(self.folder)

        def menu_with_items() -> Any:
            number, items, _ = self.call("GetMenu", "(usasa{sv})", (2, target, [], {}))
            return number if items else None
        menu = wait_for("a menu with items", menu_with_items)
        self.call("Activate", "(tsa{sv})", (menu, "roundel/sync-now", {}))

    def call(self, method: str, signature: str, arguments: Any) -> Any:
        answers = []
        self.host.call(wire.BUS_NAME, wire.OBJECT_PATH, wire.HOST, method, GLib.Variant(signature, arguments), None,
                       Gio.DBusCallFlags.NONE, CALL_MILLISECONDS, None,
                       lambda connection, result: answers.append(connection.call_finish(result).unpack()))
        return wait_for(method, lambda: answers)[0]

    def run(self) -> None:
        self.host = wire.connect(self.desktop.address)
        self.file_manager = FileManager(self.host)
        self.window = NoWindow(self.host)
        self.daemon.start()
        self.make_folder()
        self.conflict_is_resolved()
        self.conflict_is_shown_and_resolved_elsewhere()
        self.deletions_are_confirmed()
        self.many_errors_are_one()
        self.daemon_comes_and_goes()
        self.missing_folder()
        if self.daemon.violations:
            raise Failure("; ".join(self.daemon.violations))
