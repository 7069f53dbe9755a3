"""What a file manager's sidebar hears on the bus, from GLib's own clients of each interface (F9, E7)."""
import contextlib
import os
from typing import Any

import menu_provider
import waiting
import wire
from desktop import Desktop
from file_manager import FileManager
from gi.repository import Gio, GLib
from menu_provider import SIDEBAR, MenuProvider, entry, separator
from provider import ProvidedService
from waiting import CALL_MILLISECONDS, Failure, pump, wait_for

ROOT = "/org/roundel/Roundel1/CloudProviders"
MANAGER = "org.freedesktop.DBus.ObjectManager"
PROPERTIES = "org.freedesktop.DBus.Properties"
ACCOUNT = "org.freedesktop.CloudProviders.Account"
IDLE, SYNCING, ERROR = 1, 2, 3
REGISTRY = "org.roundel.Roundel1.Registry"
ATTEMPTS = 10   # at a menu for which the service does not wait


class SidebarProtocolScenario:
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.folders = [str(desktop.home / name) for name in ("Music", "100% Café")]
        self.provider = MenuProvider(service, kinds={SIDEBAR})
        self.provider.menu = [entry("sync", "Sync _Now"), entry("pause", "Pause", checked=False),
                              entry("off", "Off", enabled=False)]
        self.signals: list[Any] = []    # (path, member, arguments) of each signal of our objects

    # Acting

    def connect(self) -> Any:
        connection = wire.connect(self.desktop.address)
        connection.set_exit_on_close(False)
        return connection

    def call(self, path: str, interface: str, method: str, signature: str = "()", arguments: Any = ()) -> Any:
        answers = []

        def take(connection: Any, result: Any) -> None:
            try:
                answers.append(connection.call_finish(result).unpack())
            except GLib.Error as error:
                answers.append(error)
        self.client.call(wire.BUS_NAME, path, interface, method, GLib.Variant(signature, arguments), None,
                         Gio.DBusCallFlags.NO_AUTO_START, CALL_MILLISECONDS, None, take)
        answer = wait_for(method, lambda: answers)[0]
        if isinstance(answer, GLib.Error):
            raise answer
        return answer

    # Looking

    def accounts(self) -> dict[str, dict[str, Any]]:
        """Object path → properties of each account."""
        managed = self.call(ROOT, MANAGER, "GetManagedObjects")[0]
        if managed.get(ROOT + "/Provider") != {"org.freedesktop.CloudProviders.Provider": {"Name": "Roundel"}}:
            raise Failure(f"there is no provider: {managed}")
        return {path: interfaces[ACCOUNT] for path, interfaces in managed.items() if ACCOUNT in interfaces}

    def path_of(self, name: str) -> str:
        return next(path for path, account in self.accounts().items() if account["Name"] == name)

    def follow(self) -> None:
        def take(connection: Any, sender: str, path: str, interface: str, member: str, arguments: Any) -> None:
            self.signals.append((path, member, arguments.unpack()))
        self.client.signal_subscribe(wire.BUS_NAME, None, None, None, None, Gio.DBusSignalFlags.NONE, take)

    def lines(self, model: Any) -> list[Any]:
        """The labels and actions of a menu, sections in brackets."""
        found: list[Any] = []
        for index in range(model.get_n_items()):
            section = model.get_item_link(index, "section")
            if section is not None:
                found.append(self.lines(section))
                continue
            label, action = (model.get_item_attribute_value(index, key, None) for key in ("label", "action"))
            found.append((label.unpack(), action.unpack() if action else None))
        return found

    def wait_for_menu(self, what: str, model: Any, expected: list[Any], state: int) -> None:
        """A menu that this provider was too late for is without its items, and is asked for again when the folder's state
        changes: that is another one for a moment."""
        for _ in range(ATTEMPTS):
            with contextlib.suppress(Failure):
                return wait_for(what, lambda: self.lines(model) == expected, waiting.deadline_seconds / ATTEMPTS)
            for other in (menu_provider.SYNCING, state):
                self.provider.set_status(self.folders[0], other)
        raise Failure(f"{what} is {self.lines(model)}, not {expected}")

    # Steps

    def accounts_are_listed(self) -> None:
        accounts = {account["Name"]: account for account in self.accounts().values()}
        if set(accounts) != {"Music", "100% Café"}:
            raise Failure(f"the accounts are {list(accounts)}")
        if accounts["Music"]["Path"] != self.folders[0]:
            raise Failure("a plain path is not given as it is")
        if GLib.filename_from_uri("file://" + accounts["100% Café"]["Path"])[0] != self.folders[1]:
            raise Failure("a path with a percent sign leads elsewhere")
        Gio.Icon.new_for_string(accounts["Music"]["Icon"])

    def state_is_told(self) -> None:
        path = self.path_of("Music")
        self.signals.clear()
        self.provider.set_status(self.folders[0], 2, "Syncing 3 items")
        wait_for("the change", lambda: any(signal[:2] == (path, "PropertiesChanged") for signal in self.signals))
        changed = [signal[2] for signal in self.signals if signal[:2] == (path, "PropertiesChanged")]
        if changed != [(ACCOUNT, {"Status": SYNCING, "StatusDetails": "Syncing 3 items"}, [])]:
            raise Failure(f"told was {changed}")
        self.provider.set_status(self.folders[0], 3, "1 conflict")
        wait_for("trouble", lambda: self.accounts()[path]["Status"] == ERROR)
        self.provider.set_status(self.folders[0], 5, "Paused")
        wait_for("rest", lambda: self.accounts()[path]["Status"] == IDLE)

    def menu_is_followed(self) -> None:
        """A menu that somebody follows is asked for again when the folder's state changes, otherwise it is not."""
        path = self.path_of("Music")
        before = len(self.provider.asked)
        self.provider.set_status(self.folders[0], 2, "Syncing")
        self.provider.set_status(self.folders[0], 1, "Up to date")
        pump(0.3)
        if len(self.provider.asked) != before:
            raise Failure("the provider was asked for a menu that nobody looks at")
        other = self.connect()
        model = Gio.DBusMenuModel.get(other, wire.BUS_NAME, path)
        group = Gio.DBusActionGroup.get(other, wire.BUS_NAME, path)
        model.connect("items-changed", lambda *_: None)
        group.list_actions()
        expected = [("Sync __Now", "cloudprovider.desktop-test.2Fsync"),
                    ("Pause", "cloudprovider.desktop-test.2Fpause"),
                    ("Off", "cloudprovider.desktop-test.2Foff")]
        self.wait_for_menu("the menu", model, expected, menu_provider.IDLE)
        wait_for("the actions", lambda: len(group.list_actions()) == 3)
        if group.get_action_enabled("desktop-test.2Foff") or not group.get_action_enabled("desktop-test.2Fsync"):
            raise Failure("what can be chosen is not what the provider says")
        if group.get_action_state("desktop-test.2Fpause").unpack() is not False:
            raise Failure("the check mark is missing")
        self.provider.menu = [entry("sync", "Sync Now"), separator(), entry("pause", "Pause", checked=True),
                              entry("share", "Share")]
        self.provider.set_status(self.folders[0], 5, "Paused")
        self.wait_for_menu("the changed menu", model, [
            [("Sync Now", "cloudprovider.desktop-test.2Fsync")],
            [("Pause", "cloudprovider.desktop-test.2Fpause"), ("Share", "cloudprovider.desktop-test.2Fshare")]],
            menu_provider.PAUSED)
        wait_for("the check mark", lambda: group.get_action_state("desktop-test.2Fpause").unpack() is True)
        wait_for("the new action", lambda: set(group.list_actions()) == {
            f"desktop-test.2F{name}" for name in ("sync", "pause", "share")})
        self.click_reaches_the_provider(group)
        # Who follows and leaves the bus has ended that.
        other.close_sync(None)
        pump(0.3)
        before = len(self.provider.asked)
        self.provider.set_status(self.folders[0], 2, "Syncing")
        pump(0.3)
        if len(self.provider.asked) != before:
            raise Failure("the provider is asked for one who has left")

    def late_provider_completes_the_menu(self) -> None:
        """A menu that lacks its items because the provider was late gets them without anything having changed."""
        path = self.path_of("Music")
        self.provider.menu = [entry("sync", "Sync Now")]
        self.provider.late = 1
        other = self.connect()
        model = Gio.DBusMenuModel.get(other, wire.BUS_NAME, path)
        model.connect("items-changed", lambda *_: None)
        wait_for("the items of a late provider", lambda: self.lines(model) == [
            ("Sync Now", "cloudprovider.desktop-test.2Fsync")])
        other.close_sync(None)

    def click_reaches_the_provider(self, group: Any) -> None:
        platform = {"activation-token": GLib.Variant("s", "wayland-17"), "other": GLib.Variant("b", True)}
        group.activate_action_full("desktop-test.2Fshare", None, GLib.Variant("a{sv}", platform))
        activated = self.provider.activated
        wait_for("the action", lambda: activated)
        if activated != [("share", wire.uri(self.folders[0]), [], {"activation-token": "wayland-17"})]:
            raise Failure(f"activated was {activated}")

    def subscriptions_are_counted(self) -> None:
        path = self.path_of("100% Café")
        for count in (2, 1):
            for _ in range(count):
                self.call(path, "org.gtk.Menus", "Start", "(au)", ([0],))
            for _ in range(count):
                self.call(path, "org.gtk.Menus", "End", "(au)", ([0],))
        before = len(self.provider.asked)
        self.provider.set_status(self.folders[1], 2, "Syncing")
        pump(0.3)
        if len(self.provider.asked) != before:
            raise Failure("a menu is asked for after its last follower has ended")
        if self.call(path, "org.gtk.Menus", "Start", "(au)", ([7],)) != ([],):
            raise Failure("a group that does not exist has menus")
        change: tuple[Any, ...] = ("SetState", "(sva{sv})", ("x", GLib.Variant("b", True), {}))
        for arguments in (change, ("Describe", "(s)", ("none",))):
            try:
                self.call(path, "org.gtk.Actions", *arguments)
            except GLib.Error:
                continue
            raise Failure(f"{arguments[0]} was not refused")

    def accounts_come_and_go(self) -> None:
        path = self.path_of("Music")
        self.signals.clear()
        self.service.set_folders(self.folders[1:])
        wait_for("the end of the account", lambda: (ROOT, "InterfacesRemoved", (path, [ACCOUNT])) in self.signals)
        if path in self.accounts():
            raise Failure("the account is listed all the same")
        self.service.set_folders(self.folders)
        wait_for("the account again", lambda: path in self.accounts())
        added = [arguments for _, member, arguments in self.signals if member == "InterfacesAdded"]
        if len(added) != 1 or added[0][0] != path or added[0][1][ACCOUNT]["Name"] != "Music":
            raise Failure(f"told was {added}")

    def run(self) -> None:
        for folder in self.folders:
            os.makedirs(folder)
        self.service.folders = self.folders
        self.service.start()
        self.client = self.connect()
        self.follow()
        wait_for("two accounts", lambda: len(self.accounts()) == 2)
        self.accounts_are_listed()
        self.state_is_told()
        self.menu_is_followed()
        self.subscriptions_are_counted()
        self.late_provider_completes_the_menu()
        self.accounts_come_and_go()
        other = [question for question in self.provider.asked if (question[0], question[2]) != (SIDEBAR, [])]
        if other:
            raise Failure(f"asked for {other}")
