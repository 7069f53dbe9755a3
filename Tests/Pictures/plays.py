"""The table of what is played for pictures, and of the pictures that each play leaves."""
import dataclasses

import scenarios
from scenarios import INSTALLED, METADATA_HELPER, THUNAR_PLUGIN, Entry, dolphin, gtk

CLOUD = ("gnome-keyring-daemon",)
WINDOW = "window_pictures:WindowPictures"
TRAY = "desktop_pictures:TrayPicture"
METADATA = "folder_pictures:MetadataPictures"
FOLDER = "folder_pictures:FolderPictures"


@dataclasses.dataclass(frozen=True)
class Play:
    entry: Entry
    pictures: tuple[str, ...]               # without ".png"
    size: tuple[int, int] = (1280, 860)     # of the screen
    settings: dict[str, str] = dataclasses.field(default_factory=dict)  # of write_person_settings


PLAYS = {
    **{name: Play(gtk(name, FOLDER, INSTALLED, programs=CLOUD), (name, f"{name}-menu" if name != "nautilus" else "hero"))
       for name in scenarios.GTK_PACKAGES},
    "dolphin": Play(dolphin(FOLDER, INSTALLED, programs=CLOUD), ("dolphin", "dolphin-menu")),
    "thunar": Play(Entry(METADATA, "thunar", INSTALLED, ("gio", *CLOUD), (THUNAR_PLUGIN, METADATA_HELPER)), ("thunar",)),
    "pcmanfm-qt": Play(Entry(METADATA, "pcmanfm-qt", INSTALLED, ("gio", *CLOUD), (METADATA_HELPER,)), ("pcmanfm-qt",)),
    "window-light": Play(Entry(WINDOW, None, INSTALLED, CLOUD), ("window-light", "window-problems", "window-compare")),
    "window-dark": Play(Entry(WINDOW, None, INSTALLED, CLOUD), ("window-dark",)),
    "window-add": Play(Entry("window_pictures:AssistantPictures", None, INSTALLED, CLOUD), ("window-add",)),
    "tray-xfce": Play(Entry(TRAY, None, INSTALLED, ("xfce4-panel", *CLOUD)), ("tray-xfce",)),
    "tray-lxqt": Play(Entry(TRAY, None, INSTALLED, ("lxqt-panel", *CLOUD)), ("tray-lxqt",)),
    "notification": Play(Entry("desktop_pictures:NotificationPicture", None, INSTALLED, ("xfce4-notifyd-config", *CLOUD)),
                         ("notification",)),
    "terminal": Play(Entry("terminal_picture:TerminalPicture", None, INSTALLED, CLOUD), ()),
}
