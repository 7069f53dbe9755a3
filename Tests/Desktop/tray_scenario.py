"""The tray's item in a real panel: seen, changing, clicked, and back after whatever ends (F11, E5)."""
import os
from typing import Any

import wire
from desktop import Desktop
from file_manager import FileManager
from menu import Menu
from menu_provider import ATTENTION, ERROR, IDLE, PAUSED, TOOLBAR, MenuProvider, entry
from provider import ProvidedService
from screen import RIGHT, Box, Picture
from tray_panel import FileManagerOnTheBus
from waiting import Failure, wait_for

XFCE = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray"/>
  </property>
</channel>
"""
LXQT = """[General]
__userfile__=true

[panel1]
plugins=statusnotifier
position=Top
panelSize=32
iconSize=24
width=100
width-percent=true

[statusnotifier]
type=statusnotifier
"""
SETTINGS = {"xfce4-panel": ("xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml", XFCE),
            "lxqt-panel": ("lxqt/panel.conf", LXQT)}
FOLDER_LINE, SYNC_LINE, WATCH_LINE, MORE_LINE = range(4)
ATTEMPTS = 5  # at a menu that is to have changed

# The fills of the tray's icons, from Icons/hicolor/scalable/status.
COLOURS = {"synced": "2E7ADB", "paused": "727B89", "error": "E43640", "attention": "BB6309"}


class TrayScenario:
    clicks = 1                      # with the left button, that activate the item
    submenu_keys: tuple[str, ...] = ("Return",)      # that choose the first entry of a submenu that a key has opened

    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.service = service
        self.provider = MenuProvider(service, kinds={TOOLBAR})
        self.folder = str(desktop.home / "Documents")
        self.program = desktop.name.removesuffix("-tray")
        self.panel: Any = None
        self.files = FileManagerOnTheBus(desktop)

    def prepare(self) -> None:
        path, text = SETTINGS[self.program]
        self.desktop.write_setting(path, text)

    def start_panel(self) -> None:
        self.panel = self.desktop.spawn(self.program, [self.program])

    def end_panel(self) -> None:
        self.panel.terminate()
        self.panel.wait()

    # What is seen

    def expect_icon(self, state: str) -> Box:
        """Waits until the icon of this state is the only one of ours; its box."""
        def shown() -> Picture | None:
            picture = self.screen.grab()
            seen = [name for name, colour in COLOURS.items() if picture.count(colour) > 20]
            return picture if seen == [state] else None
        boxes: list[Box] = wait_for(f"the icon of {state}", shown).boxes(COLOURS[state], gap=12)
        return max(boxes, key=lambda box: box.right - box.left)

    def expect_no_icon(self) -> None:
        def gone() -> bool:
            picture = self.screen.grab()
            return not any(picture.count(colour) for colour in COLOURS.values())
        wait_for("the icon to go", gone)

    def open_menu(self) -> Menu:
        x, y = self.expect_icon("synced").centre
        return Menu(self.screen, x, y, RIGHT)

    def hover(self, box: Box) -> None:
        self.screen.move(*box.centre)

    # The steps

    def appears(self) -> None:
        self.provider.set_status(self.folder, IDLE, "Up to date")
        box = self.expect_icon("synced")
        if not 8 <= box.right - box.left <= 40:
            raise Failure(f"the icon is {box.right - box.left} pixels wide")
        self.desktop.shoot("synced")
        self.hover(box)
        self.screen.wait_until_still(1.5)
        self.desktop.shoot("tooltip")
        self.screen.move(800, 600)

    def changes(self) -> None:
        for state, name in ((PAUSED, "paused"), (ERROR, "error"), (ATTENTION, "attention"), (IDLE, "synced")):
            self.provider.set_status(self.folder, state)
            self.expect_icon(name)
            self.desktop.shoot(name)

    def left_click(self) -> None:
        self.screen.click(*self.expect_icon("synced").centre, times=self.clicks)
        self.expect_opened()

    def expect_opened(self) -> None:
        wait_for("the folder to open", lambda: self.files.shown)
        shown, startup = self.files.shown.pop()
        if shown != [wire.uri(self.folder)]:
            raise Failure("another folder was opened")
        self.check_token(startup)

    def check_token(self, token: str) -> None:
        """Of an action that may bring up a window: on X11 there need not be one."""

    def menu(self) -> None:
        menu = self.open_menu()
        count = len(menu.entries())
        menu.highlight(SYNC_LINE)
        self.desktop.shoot("menu")
        if count != 4:
            raise Failure(f"the menu has {count} entries, not 4")
        menu.choose(SYNC_LINE)
        self.expect_chosen("sync")

    def submenu(self) -> None:
        menu = self.open_menu()
        menu.open_submenu(MORE_LINE)
        self.desktop.shoot("submenu")
        for key in self.submenu_keys:
            self.screen.keys(key)
            self.screen.wait_until_still()
        self.expect_chosen("deep")

    def folder_line(self) -> None:
        self.open_menu().choose(FOLDER_LINE)
        self.expect_opened()

    def menu_changes(self) -> None:
        """What changed without a word since the menu was shown last is in it when it is shown again."""
        self.provider.menu = self.provider.menu[:1]
        self.provider.asked.clear()
        menu = self.open_menu()
        wait_for("the menu to be asked for", lambda: self.provider.asked)
        # GTK lays an open menu out again only when it is opened the next time. A service that this provider was too late for
        # asks it again.
        seen = []
        for _ in range(ATTEMPTS):
            self.screen.wait_until_still(1)
            menu.close()
            self.screen.wait_until_still(1)
            menu = self.open_menu()
            seen.append(len(menu.entries()))
            if seen[-1] == 2:
                break
        else:
            raise Failure(f"the changed menu has {seen} entries, not 2")
        self.desktop.shoot("menu changed")
        menu.close()

    def expect_chosen(self, item: str) -> None:
        wait_for("the provider to be told", lambda: self.provider.activated)
        chosen = [name for name, *_ in self.provider.activated]
        if chosen != [item]:
            raise Failure(f"{chosen} was chosen, not {item}")
        *_, options = self.provider.activated.pop()
        self.check_token(options.get("activation-token", ""))

    def panel_restarts(self) -> None:
        self.end_panel()
        self.expect_no_icon()
        self.start_panel()
        self.expect_icon("synced")
        self.left_click()

    def service_is_killed(self) -> None:
        self.service.stop()
        self.expect_no_icon()
        self.desktop.shoot("gone")
        self.service.start()
        self.provider.set_status(self.folder, IDLE)
        self.expect_icon("synced")

    def run(self) -> None:
        os.makedirs(self.folder)
        self.prepare()
        self.provider.menu = [
            entry("sync", "Sync Now", icon="view-refresh"), entry("watch", "Watch", checked=True),
            entry("more", "More", children=[entry("deep", "Deep Down")])]
        self.service.folders = [self.folder]
        self.start_panel()
        self.service.start()
        for step in (self.appears, self.changes, self.left_click, self.menu, self.submenu, self.folder_line,
                     self.menu_changes, self.panel_restarts, self.service_is_killed):
            print(f"  {step.__name__}", flush=True)
            step()
