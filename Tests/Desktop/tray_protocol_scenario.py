"""The tray's item and its menu, message by message, in front of a panel that is strict about the protocol (F11, E5)."""
import os
import signal
import time
from typing import Any

import wire
from desktop import Desktop
from file_manager import FileManager
from gi.repository import GLib
from menu_provider import ATTENTION, IDLE, PAUSED, SYNCING, TOOLBAR, MenuProvider, entry
from provider import ProvidedService
from tray_panel import ITEM, ITEM_PATH, MENU, MENU_PROPERTIES, FileManagerOnTheBus, Panel
from waiting import CALL_MILLISECONDS, Failure, pump, wait_for

SIZES = [16, 22, 24, 32, 48]
TOLD_WITHIN = 2.0  # seconds; twice as long as what is told now and then may wait for


def expect(what: str, value: Any, expected: Any) -> None:
    if value != expected:
        raise Failure(f"{what}: {value!r}, not {expected!r}")


def expect_error(what: str, action: Any) -> None:
    try:
        action()
    except GLib.Error as error:
        if "InvalidArgs" not in str(error):
            raise Failure(f"{what} is refused with {error}") from None
        return
    raise Failure(f"{what} is not refused")


class TrayProtocolScenario:
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.service = service
        self.provider = MenuProvider(service, kinds={TOOLBAR})
        self.folder = str(desktop.home / "My_Docs")
        self.other = str(desktop.home / "R&D")
        self.opened = desktop.home / "opened"
        self.panel: Any = None
        self.files: Any = None

    def without_a_panel(self) -> None:
        """No panel: nothing is exported. The first one that comes gets the item."""
        stranger = wire.connect(self.desktop.address)
        try:
            stranger.call_sync(wire.BUS_NAME, ITEM_PATH, "org.freedesktop.DBus.Properties", "GetAll",
                               GLib.Variant("(s)", (ITEM,)), None, 0, CALL_MILLISECONDS, None)
        except GLib.Error as error:
            if "UnknownObject" not in str(error):
                raise
        else:
            raise Failure("the item is there without a panel")
        finally:
            stranger.close_sync(None)
        self.panel = Panel(self.desktop)
        wait_for("the item to register", lambda: self.panel.registered)

    def looks(self) -> None:
        self.provider.set_status(self.folder, IDLE, "Up to date")
        wait_for("the icon to change", lambda: self.panel.told("NewIcon"))
        found = self.panel.properties()
        expect("the id", found["Id"], "roundel")
        expect("the category", found["Category"], "ApplicationStatus")
        expect("the status", found["Status"], "Active")
        expect("the icon", found["IconName"], "roundel-tray-synced")
        expect("left click opens a folder", found["ItemIsMenu"], False)
        drawing = os.path.join(found["IconThemePath"], "hicolor/scalable/status/roundel-tray-synced.svg")
        expect(f"the icon at {drawing}", os.path.exists(drawing), True)
        pixmaps = found["IconPixmap"]
        expect("the sizes", [(width, height) for width, height, _ in pixmaps], [(size, size) for size in SIZES])
        for size, _, pixels in pixmaps:
            expect(f"the bytes at {size} px", len(pixels), 4 * size * size)
            # Alpha comes first: the corners are clear, and a disc fills the middle of the edges.
            expect("a corner", pixels[0], 0)
            expect("the left edge", pixels[4 * (size * (size // 2) + 1)], 255)
        expect("the menu's properties", self.panel.properties("/MenuBar", MENU, MENU_PROPERTIES)["Version"], 3)

    def forget_signals(self) -> None:
        """Once all is told that happened up to now: some of it is told once a second."""
        before = -1
        while len(self.panel.signals) != before:
            before = len(self.panel.signals)
            pump(TOLD_WITHIN)
        self.panel.signals.clear()

    def status_changes(self) -> None:
        self.forget_signals()
        self.provider.set_status(self.folder, IDLE, "Up to date")
        pump(0.3)
        expect("signals where nothing changed", self.panel.signals, [])
        self.provider.set_status(self.folder, ATTENTION, "2 items in conflict")
        wait_for("the status", lambda: self.panel.told("NewStatus"))
        expect("the status told", self.panel.told("NewStatus"), [("NeedsAttention",)])
        found = self.panel.properties()
        expect("the icon", (found["IconName"], found["AttentionIconName"]), ("roundel-tray-attention",) * 2)
        wait_for("the tooltip", lambda: self.panel.told("NewToolTip"))
        expect("the tooltip", found["ToolTip"][2:],
               ("Roundel \u2013 My_Docs: 2 items in conflict", "My_Docs: 2 items in conflict"))
        self.provider.set_status(self.folder, PAUSED)
        wait_for("the paused icon", lambda: self.panel.properties()["IconName"] == "roundel-tray-paused")
        expect("the status when paused", self.panel.properties()["Status"], "Active")

    def progress_is_told_now_and_then(self) -> None:
        """A hundred steps make the icon change once, and tooltips and lines of the menu once a second."""
        self.forget_signals()
        began = time.monotonic()
        for percent in range(100):
            self.provider.set_status(self.folder, SYNCING, "Syncing 1 item", percent)
        wait_for("the last of it", lambda: "99 %" in str(self.panel.told("ItemsPropertiesUpdated")))
        expect("new icons", len(self.panel.told("NewIcon")), 1)
        # One at first, and then one a second.
        tooltips, most = len(self.panel.told("NewToolTip")), 2 + time.monotonic() - began
        if tooltips > most:
            raise Failure(f"{tooltips} tooltips for a hundred steps, not {most:.0f}")
        expect("the tooltip", self.panel.properties()["ToolTip"][2], "Roundel \u2013 Syncing My_Docs, 99 %")

    def menu(self) -> None:
        self.provider.menu = [
            entry("sync", "Sync Now", icon="view-refresh"), entry("watch", "Watch", checked=True),
            {"type": GLib.Variant("s", "separator")},
            entry("more", "More", children=[entry("a_b", "A_B"), entry("off", "Off", enabled=False)])]
        self.provider.set_status(self.folder, IDLE, "Up to date")
        wait_for("the provider's lines", lambda: self.panel.line("Sync Now"))
        lines = self.panel.layout()["children"]
        expect("the labels", [line.get("label") for line in lines],
               ["My__Docs: Up to date", None, "Sync Now", "Watch", None, "More"])
        expect("the separators", [line.get("type") for line in lines],
               [None, "separator", None, None, "separator", None])
        expect("the check mark", (lines[3]["toggle-type"], lines[3]["toggle-state"]), ("checkmark", 1))
        expect("the submenu", [line["label"] for line in lines[5]["children"]], ["A__B", "Off"])
        expect("the disabled line", lines[5]["children"][1]["enabled"], False)
        expect("one level", [line["children"] for line in self.panel.layout(depth=1)["children"]], [[]] * 6)
        expect("the submenu by itself", [line["label"] for line in self.panel.layout(lines[5]["id"], 1)["children"]],
               ["A__B", "Off"])
        only = self.panel.layout(names=["label"])["children"][2]
        expect("the property asked for", sorted(only), ["children", "id", "label"])
        self.menu_questions(lines)

    def menu_questions(self, lines: list[dict[str, Any]]) -> None:
        rows, = self.panel.menu_call("GetGroupProperties", "(aias)", ([lines[2]["id"], 9999], ["icon-name"]),
                                     "(a(ia{sv}))")
        expect("group properties", rows, [(lines[2]["id"], {"icon-name": "view-refresh"})])
        rows, = self.panel.menu_call("GetGroupProperties", "(aias)", ([], []), "(a(ia{sv}))")
        expect("all properties", len(rows), 9)
        value, = self.panel.menu_call("GetProperty", "(is)", (lines[2]["id"], "label"), "(v)")
        expect("one property", value, "Sync Now")
        click = GLib.Variant("i", 0)
        errors, = self.panel.menu_call("EventGroup", "(a(isvu))", ([(lines[2]["id"], "hovered", click, 0),
                                                                   (9999, "hovered", click, 0)],), "(ai)")
        expect("unknown lines of a group", errors, [9999])
        expect("a group to show", self.panel.menu_call("AboutToShowGroup", "(ai)", ([0, 9999],), "(aiai)"), ([], [9999]))
        for what, method, signature, arguments in [
                ("a layout of no line", "GetLayout", "(iias)", (9999, -1, [])),
                ("a property of no line", "GetProperty", "(is)", (9999, "label")),
                ("a property that no line has", "GetProperty", "(is)", (lines[2]["id"], "colour")),
                ("an event of no line", "Event", "(isvu)", (9999, "clicked", click, 0)),
                ("showing no line", "AboutToShow", "(i)", (9999,)),
                ("events of no line", "EventGroup", "(a(isvu))", ([(9999, "clicked", click, 0)],)),
                ("showing no lines", "AboutToShowGroup", "(ai)", ([9999],))]:
            expect_error(what, lambda: self.panel.menu_call(method, signature, arguments, None))

    def menu_is_fresh(self) -> None:
        """What changed without a word is found when the menu opens; lines that stay keep their numbers."""
        before = {line.get("label"): line["id"] for line in self.panel.layout()["children"]}
        self.provider.menu = [entry("new", "New"), entry("sync", "Sync Now", icon="view-refresh"),
                              entry("watch", "Watch", checked=False)]
        self.forget_signals()
        expect("about to show", self.panel.menu_call("AboutToShow", "(i)", (0,), "(b)"), (False,))
        wait_for("the new layout", lambda: self.panel.told("LayoutUpdated"))
        expect("the check mark taken away",
               self.panel.told("ItemsPropertiesUpdated"), [([(before["Watch"], {"toggle-state": 0})], [])])
        after = {line.get("label"): line["id"] for line in self.panel.layout()["children"]}
        expect("numbers", (after["Sync Now"], after["Watch"]), (before["Sync Now"], before["Watch"]))

    def provider_is_late(self) -> None:
        """The lines of a provider that is late stay meanwhile, and it is not asked again."""
        self.forget_signals()
        self.provider.late = 1
        self.provider.asked.clear()
        self.panel.menu_call("AboutToShow", "(i)", (0,), "(b)")
        wait_for("the provider to be asked", lambda: self.provider.asked)
        pump(1)
        expect("questions", len(self.provider.asked), 1)
        expect("changes of the menu", self.panel.signals, [])

    def choosing(self) -> None:
        self.panel.click(self.panel.line("Sync Now")["id"], 4711)
        wait_for("the provider to be told", lambda: self.provider.activated)
        item, _, _, options = self.provider.activated.pop()
        expect("what was chosen", (item, options.get("timestamp")), ("sync", 4711))
        self.panel.call(ITEM_PATH, ITEM, "ProvideXdgActivationToken", "(s)", ("token-1",), "()")
        self.panel.click(self.panel.line("New")["id"])
        wait_for("the provider to be told", lambda: self.provider.activated)
        item, _, _, options = self.provider.activated.pop()
        expect("the token handed on", (item, options.get("activation-token")), ("new", "token-1"))

    def provider_returns(self) -> None:
        """The lines of a provider that has gone go with it, and serve again when it is back."""
        self.service.call("Unregister", "(a{sv})", ({},))
        wait_for("its lines to go", lambda: self.panel.line("Sync Now") is None)
        self.service.call("Register", "(oa{sv})", ("/org/roundel/DesktopTest", {"id": GLib.Variant("s", "desktop-test")}))
        self.service.set_folders([self.folder, self.other])
        wait_for("its lines to come back", lambda: self.panel.line("Sync Now"))
        self.panel.click(self.panel.line("Sync Now")["id"])
        wait_for("the provider to be told", lambda: self.provider.activated)
        expect("what was chosen", self.provider.activated.pop()[0], "sync")

    def without_a_file_manager(self) -> None:
        """What opens folders instead is started apart from the service, with what lets its window take the focus."""
        self.panel.call(ITEM_PATH, ITEM, "ProvideXdgActivationToken", "(s)", ("token-0",), "()")
        self.panel.call(ITEM_PATH, ITEM, "Activate", "(ii)", (5, 6), "()")
        wait_for("a program that opens the folder", self.opened.exists)
        expect("what it is given", self.opened.read_text().split(),
               [wire.uri(self.folder), "token-0", str(self.service.process.pid)])

    def stand_in_for_xdg_open(self) -> None:
        """No file manager can be had on the bus, and a program that writes down what it is given is in PATH."""
        services = self.desktop.home / ".data/dbus-1/services"
        services.mkdir(parents=True, exist_ok=True)
        (services / "org.freedesktop.FileManager1.service").write_text(
            "[D-BUS Service]\nName=org.freedesktop.FileManager1\nExec=/bin/false\n")
        stranger = wire.connect(self.desktop.address)
        stranger.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReloadConfig", None,
                           None, 0, CALL_MILLISECONDS, None)
        stranger.close_sync(None)
        programs = self.desktop.home / "programs"
        programs.mkdir()
        program = programs / "xdg-open"
        program.write_text(f'#!/bin/sh\necho "$1 $XDG_ACTIVATION_TOKEN $PPID" >"{self.opened}.new"\n'
                           f'mv "{self.opened}.new" "{self.opened}"\n')
        program.chmod(0o755)
        self.desktop.environment["PATH"] = f"{programs}:{self.desktop.environment['PATH']}"

    def opening(self) -> None:
        self.files = FileManagerOnTheBus(self.desktop)
        self.provider.set_status(self.folder, IDLE)
        self.provider.set_status(self.other, ATTENTION, "Look & see <now>")
        wait_for("the icon", lambda: self.panel.properties()["IconName"] == "roundel-tray-attention")
        expect("the tooltip's markup", self.panel.properties()["ToolTip"][3],
               "My_Docs: Up to date\nR&amp;D: Look &amp; see &lt;now&gt;")
        self.panel.call(ITEM_PATH, ITEM, "ProvideXdgActivationToken", "(s)", ("token-2",), "()")
        self.panel.call(ITEM_PATH, ITEM, "Activate", "(ii)", (5, 6), "()")
        wait_for("a folder to open", lambda: self.files.shown)
        expect("the folder that needs the person", self.files.shown.pop(), ([wire.uri(self.other)], "token-2"))
        wait_for("its line in the menu", lambda: self.panel.line("R&D: Look & see <now>"))
        self.panel.click(self.panel.line("My__Docs: Up to date")["id"], 77)
        wait_for("a folder to open", lambda: self.files.shown)
        uris, startup = self.files.shown.pop()
        expect("the folder of the line", uris, [wire.uri(self.folder)])
        expect("the time of the click", startup.endswith("_TIME77"), True)
        for method, signature, arguments in [("ContextMenu", "(ii)", (1, 2)), ("Scroll", "(is)", (120, "vertical"))]:
            self.panel.call(ITEM_PATH, ITEM, method, signature, arguments, "()")
        expect("nothing more opens", self.files.shown, [])

    def panel_restarts(self) -> None:
        self.panel.leave()
        pump(0.2)
        self.without_a_panel()
        expect("registered once", len(self.panel.registered), 1)
        expect("the icon", self.panel.properties()["IconName"], "roundel-tray-attention")
        wait_for("the provider's lines", lambda: self.panel.line("Sync Now"))

    def service_ends(self) -> None:
        name = self.panel.item
        os.kill(self.service.process.pid, signal.SIGTERM)
        wait_for("the service to end", lambda: self.service.process.poll() is not None)
        expect("the exit status", self.service.process.returncode, 0)
        # The bus may hear of the end after us.
        wait_for("the end of the item", lambda: not self.panel.connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
            GLib.Variant("(s)", (name,)), None, 0, CALL_MILLISECONDS, None).unpack()[0])

    def run(self) -> None:
        for folder in (self.folder, self.other):
            os.makedirs(folder)
        self.stand_in_for_xdg_open()
        self.service.folders = [self.folder]
        self.service.start()
        for step in (self.without_a_panel, self.looks, self.status_changes, self.progress_is_told_now_and_then, self.menu,
                     self.menu_is_fresh, self.provider_is_late, self.choosing, self.provider_returns,
                     self.without_a_file_manager, self.opening, self.panel_restarts, self.service_ends):
            print(f"  {step.__name__}", flush=True)
            step()
