"""The tray of a panel with its menu open, and a notification: of the folders of a person, with the texts that they have."""
import functools

from installed import InstalledServices
from notification_program_scenario import DAEMONS
from person import CONFLICT, Person
from picture_desktop import SCALE, PictureDesktop
from screen import RIGHT, Box
from tray_scenario import COLOURS, LXQT
from waiting import Failure, wait_for

XFCE_PLUGINS = {1: "applicationsmenu", 2: "separator", 3: "systray", 4: "clock"}
XFCE = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="30"/>
      <property name="icon-size" type="uint" value="20"/>
      <property name="plugin-ids" type="array">{ids}</property>
    </property>
  </property>
  <property name="plugins" type="empty">{plugins}</property>
</channel>
"""
SEPARATOR = '<property name="expand" type="bool" value="true"/><property name="style" type="uint" value="0"/>'
BACKGROUND = "background-color=#eff0f1\nopacity=100"  # of LXQt's, which has none without a theme
NEAR = 24           # pixels between its parts
PANEL = 32          # how high it is, in pixels of a screen of usual density
BESIDE = 90         # of the panel beside what is shown, in these


def xfce() -> str:
    ids = "".join(f'<value type="int" value="{number}"/>' for number in XFCE_PLUGINS)
    plugins = "".join(f'<property name="plugin-{number}" type="string" value="{name}">{SEPARATOR * (name == "separator")}'
                      "</property>" for number, name in XFCE_PLUGINS.items())
    return XFCE.format(ids=ids, plugins=plugins)


SETTINGS = {"xfce4-panel": ("xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml", xfce()),
            "lxqt-panel": ("lxqt/panel.conf", LXQT.replace("\n\n[status", f"\n{BACKGROUND}\n\n[status"))}


class TrayPicture:
    def __init__(self, desktop: PictureDesktop, service: InstalledServices, file_manager: None) -> None:
        del file_manager
        self.desktop = desktop
        self.service = service
        self.screen = desktop.screen
        self.person = Person(desktop, service)
        self.program = f"{desktop.name.removeprefix('tray-')}-panel".replace("xfce-", "xfce4-")

    def run(self) -> None:
        self.person.has_documents_in_the_cloud()
        self.person.has_folder("Music", "Playlist.m3u")
        self.person.has_folder("Photos", "Album.md")
        self.service.roundel("pause", str(self.desktop.home / "Music"), "--for", "1h")
        self.desktop.write_setting(*SETTINGS[self.program])
        self.desktop.write_setting("lxqt/lxqt.conf", "[General]\nicon_theme=breeze\n")
        self.desktop.spawn(self.program, [self.program])
        icon = self.icon()
        self.screen.move(*icon.centre)
        before = self.screen.wait_until_still(1)
        self.screen.click(*icon.centre, RIGHT)
        wait_for("a menu", lambda: self.is_menu(self.screen.grab().difference(before)))
        menu = self.screen.wait_until_still(1).difference(before)
        if menu is None:
            raise Failure("the menu has gone")
        shown = functools.reduce(Box.joined, (icon, menu))
        self.desktop.take(self.desktop.name, Box(shown.left - BESIDE * SCALE, 0, shown.right + BESIDE * SCALE, shown.bottom))

    def icon(self) -> Box:
        def found() -> Box | None:
            picture = self.screen.wait_until_still(1)
            boxes = [box for colour in COLOURS.values() for box in picture.boxes(colour, NEAR)
                     if box.top < PANEL * SCALE and box.bottom - box.top > PANEL // 2]
            return boxes[0] if boxes else None
        box: Box = wait_for("the icon in the tray", found)
        return box

    @staticmethod
    def is_menu(box: Box | None) -> bool:
        return box is not None and box.bottom - box.top > 100 * SCALE


class NotificationPicture:
    def __init__(self, desktop: PictureDesktop, service: InstalledServices, file_manager: None) -> None:
        del file_manager
        self.desktop = desktop
        self.screen = desktop.screen
        self.person = Person(desktop, service)

    def run(self) -> None:
        self.desktop.spawn("xfce4-notifyd", DAEMONS["xfce4-notifyd"])
        self.person.has_documents_in_the_cloud()
        self.screen.move(0, self.desktop.height - 1)
        before = self.screen.wait_until_still(1)
        self.person.has_conflict()
        wait_for("a notification", lambda: self.screen.grab().difference(before))
        box = self.screen.wait_until_still(1).difference(before)
        if box is None:
            raise Failure("the notification has gone")
        self.person.expect(self.person.documents / CONFLICT, "conflict")
        self.desktop.take("notification", box)
