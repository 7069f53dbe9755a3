"""The table of every scenario: what it needs and who plays it. `run` says how to add one."""
import dataclasses
import os
import pathlib
import shutil
import subprocess
from typing import Any

import list_view

STAND_IN = "stand_in:StandIn"                   # a strict stand-in for the badge service, in the tests' own process
PLAYED = "provider:ProvidedService"             # the real roundeld, with a provider that the tests play
INSTALLED = "installed:InstalledServices"       # everything installed, started by the bus
NONE = None                                     # nothing on the bus

# Why `make test-all` alone plays a scenario.
SAME_SOURCE = "Nautilus plays it in make test; the plugins share the source for it"
SAME_WIDGET = "Nemo plays it in make test; the location widget is the same"
SAME_PAGE = "Nemo plays it in make test; the property page is the same"
SAME_MONITOR = "Nautilus plays it in make test; both watch directories with GIO, and the plugin has no part in it"
SAME_ENGINES = "Nautilus and Dolphin play it in make test; engines live and die with the badge service"
SAME_HELPER = "Thunar plays it in make test; the helper that writes the emblems is the same"
SAME_CALLS = "Dolphin plays it in make test, and requests badges by name as well"
SAME_LOOK = "Nautilus, Nemo and Dolphin play it in make test; it is to see what else would look into files"
SAME_COMMANDS = "Nautilus, Nemo and Dolphin play it in make test; the commands are the worker's"
SAME_TRASH = "Nautilus, Nemo and Dolphin trash in make test; what becomes of it is the worker's"
LONG_INDEX = "indexers take long to begin; the rule that they are refused is tested in make test"
SAME_SERVER = "Nautilus plays it in make test; it is the services that deal with the server"
PLAIN_TWIN = "make test plays it with sanitizers"
NEWER_PROGRAMS = "it needs the programs of a newer Debian"

IN_NEWER_ROOT = bool(os.environ.get("ROUNDEL_NEWER"))  # which newer.sh made


@dataclasses.dataclass(frozen=True)
class Extra:
    """A built file that has to be where a program looks for it. Below the build directory of the plugins; a place that is
    absolute is laid over the system's, any other is below the directory that {stage} stands for in the environment."""
    built: str
    place: str = ""                             # a directory
    package: str = ""                           # or the pkg-config package that names it …
    variable: str = "extensiondir"              # … in this variable

    def home(self) -> pathlib.Path:
        """The directory for it, of a package that is installed."""
        found = self.directory()
        if found is None:
            raise FileNotFoundError(f"there is no place for {self.built}: {self.package} is not installed")
        return found

    def directory(self) -> pathlib.Path | None:
        """The directory for it, or None where the package is not installed."""
        if self.place:
            return pathlib.Path(self.place)
        found = subprocess.run(["pkg-config", f"--variable={self.variable}", self.package], capture_output=True,
                               text=True, check=False)
        return pathlib.Path(found.stdout.strip()) if found.stdout.strip() else None


@dataclasses.dataclass(frozen=True)
class Entry:
    scenario: str                               # module:Class in this folder
    file_manager: str | None = None             # a key of file_manager.FILE_MANAGERS; its program is needed
    service: str | None = STAND_IN
    programs: tuple[str, ...] = ()              # further programs that must be installed
    extras: tuple[Extra, ...] = ()
    is_sanitized: bool = False                  # the file manager runs with AddressSanitizer, as its plugins need it
    is_newer: bool = False                      # its programs are tried as the newer root has them, and only there
    only_in_all: str = ""                       # why `make test` leaves it to `make test-all`; empty if it does not
    environment: dict[str, str] = dataclasses.field(default_factory=dict)  # further variables; {stage} and {home} are filled in

    def needed_programs(self) -> list[str]:
        return [*([self.file_manager] if self.file_manager else []), *(["cc"] if self.is_sanitized else []), *self.programs]

    def needs_services(self) -> bool:
        return self.service in (PLAYED, INSTALLED)


GTK_PACKAGES = {"nautilus": "libnautilus-extension-4", "nemo": "libnemo-extension", "caja": "libcaja-extension"}


def gtk_plugin(name: str) -> Extra:
    return Extra(f"{name}/libroundel-{name}.so", package=GTK_PACKAGES[name])


def gtk(name: str, scenario: str, service: str | None = STAND_IN, **more: Any) -> Entry:
    """A scenario of Nautilus, Nemo or Caja with our plugin."""
    return Entry(scenario, name, service, extras=(gtk_plugin(name),), **more)


def only_in_all(why: str, entry: Entry) -> Entry:
    """The same scenario, which `make test-all` alone plays, for that reason."""
    return dataclasses.replace(entry, only_in_all=why)


def newer(entry: Entry) -> Entry:
    """A scenario for the newer root alone."""
    return dataclasses.replace(only_in_all(NEWER_PROGRAMS, entry), is_newer=True)


def gtk_each(subject: str, scenario: str, service: str | None = STAND_IN, also: tuple[str, ...] = (),
             why: str = SAME_SOURCE, **more: Any) -> dict[str, Entry]:
    """A scenario of each of the three. In `make test` Nautilus plays it, and those that `also` names: their plugins are
    compiled from one source, and where these have code of their own for it."""
    entries = {name: gtk(name, scenario, service, **more) for name in GTK_PACKAGES}
    return {f"{name}-{subject}": entry if name in ("nautilus", *also) else only_in_all(why, entry)
            for name, entry in entries.items()}


def instrumented(entry: Entry) -> Entry:
    """The same scenario with files that are compiled with AddressSanitizer. A program of ours needs no more than that."""
    extras = tuple(dataclasses.replace(extra, built=f"sanitized/{extra.built}") for extra in entry.extras)
    return dataclasses.replace(entry, extras=extras)


def sanitized(entry: Entry) -> Entry:
    """The same scenario with such plugins, in which the sanitizer has to find nothing; the file manager gets it, too."""
    return dataclasses.replace(instrumented(entry), is_sanitized=True)


def twins(subject: str, entries: dict[str, Entry]) -> dict[str, Entry]:
    """Scenarios that are played with sanitizers, and without in `make test-all` alone."""
    return {**{f"{name}-{subject}": only_in_all(PLAIN_TWIN, entry) for name, entry in entries.items()},
            **{f"{name}-{subject}-sanitized": sanitized(entry) for name, entry in entries.items()}}


def gtk_together(name: str, scenario: str, service: str | None = STAND_IN, **more: Any) -> Entry:
    """A scenario of all three of them, in which that one comes first."""
    return Entry(scenario, name, service, tuple(GTK_PACKAGES), tuple(map(gtk_plugin, GTK_PACKAGES)), **more)


def frameworks() -> str:
    """The version of the KDE Frameworks that the installed Dolphin is linked to."""
    program = shutil.which("dolphin")
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout if program else ""
    return "6" if "libKF6" in linked else "5"


FRAMEWORKS = frameworks()


def dolphin(scenario: str, service: str | None = STAND_IN, **more: Any) -> Entry:
    """A scenario of Dolphin with our three plugins, in a KDE session."""
    plugins = tuple(Extra(f"dolphin/kf{FRAMEWORKS}/{place}", f"qt/kf{FRAMEWORKS}/{os.path.dirname(place)}")
                    for place in ("overlayicon/roundeloverlay.so", "kfileitemaction/roundelitemaction.so",
                                  "propertiesdialog/roundelproperties.so"))
    session = {"QT_PLUGIN_PATH": "{stage}/qt", "XDG_CURRENT_DESKTOP": "KDE", "KDE_FULL_SESSION": "true",
               "KDE_SESSION_VERSION": FRAMEWORKS}
    return Entry(scenario, "dolphin", service, extras=plugins, environment=session, **more)


PICTURES = "picture_scenario:PictureScenario"
CHECK_HOST = "check_host_scenario:CheckHostScenario"
SERVER = "server_folder_scenario:ServerFolderScenario"
SERVER_PROGRAMS = ("rclone", "gnome-keyring-daemon")
ON_DEMAND = "on_demand_scenario:OnDemandScenario"
CONTENTS_MENU = "contents_menu_scenario:ContentsMenuScenario"
CONTENTS_TRASH = "contents_trash_scenario:ContentsTrashScenario"
COPY_MENU = "copy_menu_scenario:CopyMenuScenario"
MOUNTING = ("fusermount3",)
# Each program of the desktop's file dialog by its bus name. The dialogs come first: the portal looks for them when it starts.
PORTALS = {"org.freedesktop.impl.portal.desktop.gtk": "/usr/libexec/xdg-desktop-portal-gtk",
           "org.freedesktop.portal.Desktop": "/usr/libexec/xdg-desktop-portal"}
COPYING = (*MOUNTING, *PORTALS.values())
# Newer releases have given these other names.
TRACKER = "localsearch" if shutil.which("localsearch") else "tracker3"
BALOO = ("baloosearch6", "balooctl6") if FRAMEWORKS == "6" else ("baloosearch", "balooctl")
INDEXERS = {"tracker": ("TrackerScenario", (TRACKER,)), "baloo": ("BalooScenario", BALOO), "tumbler": ("TumblerScenario", ())}
TWO_ENGINES = "two_engines_scenario:TwoEnginesScenario"
METADATA_TWO_ENGINES = "two_engines_scenario:MetadataTwoEnginesScenario"
METADATA_SYNCED = "metadata_synced_scenario:MetadataSyncedScenario"
METADATA_HELPER = Extra("metadata/roundel-metadata", "bin")


def metadata(name: str | None, scenario: str, service: str | None = PLAYED, **more: Any) -> Entry:
    """A scenario of a file manager that reads emblems from metadata, which our helper writes."""
    return Entry(scenario, name, service, ("gio",), (METADATA_HELPER,), **more)


THUNAR_PLUGIN = Extra("thunar/libroundel-thunar.so", package="thunarx-3", variable="extensionsdir")
THUNAR_MENUS = Entry("thunar_menu_scenario:ThunarMenuScenario", "thunar", PLAYED, ("gio",), (THUNAR_PLUGIN,))

COMPOSITORS = {"gnome-shell": "gnome-shell", "kwin": "kwin_wayland"}

SCENARIOS = {
    "window": Entry("window_scenario:WindowScenario", None, INSTALLED,
                    environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"}),
    "window-settings": Entry("window_settings_scenario:WindowSettingsScenario", None, INSTALLED,
                             environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"}),
    "window-add": Entry("window_add_scenario:WindowAddScenario", None, INSTALLED, programs=SERVER_PROGRAMS,
                        environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"}),
    "nautilus-walk": gtk("nautilus", "walk_scenario:WalkScenario", INSTALLED, programs=("curl", *SERVER_PROGRAMS[1:]),
                         environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"}),
    "window-fonts": Entry("window_fonts_scenario:WindowFontsScenario", None, INSTALLED,
                          environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"}),
    "window-certificates": Entry("window_certificates_scenario:WindowCertificatesScenario", None, INSTALLED,
                                 programs=(*SERVER_PROGRAMS, "openssl"),
                                 environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"}),
    "window-folder": Entry("window_folder_scenario:WindowFolderScenario", None, INSTALLED, programs=SERVER_PROGRAMS,
                           environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"}),
    "nemo-add-folder": gtk("nemo", "add_folder_menu_scenario:AddFolderMenuScenario", INSTALLED,
                           environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"}),
    "window-share": Entry("window_share_scenario:WindowShareScenario", None, INSTALLED, programs=SERVER_PROGRAMS,
                          environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"}),
    **twins("emblems", {**{name: gtk(name, "emblem_scenario:EmblemScenario") for name in GTK_PACKAGES},
                        "dolphin": dolphin("dolphin_scenario:DolphinScenario")}),
    "nautilus-emblems-served": gtk("nautilus", "emblem_scenario:EmblemScenario", PLAYED),
    "nemo-emblems-served": only_in_all(SAME_CALLS, gtk("nemo", "emblem_scenario:EmblemScenario", PLAYED)),
    "dolphin-emblems-served": dolphin("dolphin_scenario:DolphinScenario", PLAYED),
    "dolphin-observing": dolphin("dolphin_observing_scenario:DolphinObservingScenario", PLAYED),
    "dolphin-icons": dolphin("dolphin_icon_scenario:DolphinIconScenario", PLAYED),
    **twins("menus", {**{name: gtk(name, "menu_scenario:MenuScenario", PLAYED) for name in GTK_PACKAGES},
                      "dolphin": dolphin("dolphin_menu_scenario:DolphinMenuScenario", PLAYED), "thunar": THUNAR_MENUS}),
    **gtk_each("many-files", "many_files_scenario:ManyFilesScenario", also=("nemo",)),
    "dolphin-many-files": dolphin("many_files_scenario:ManyFilesScenario"),
    **gtk_each("synced", "synced_folder_scenario:SyncedFolderScenario", INSTALLED),
    "dolphin-synced": dolphin("synced_folder_scenario:SyncedFolderScenario", INSTALLED),
    **gtk_each("links", "linked_folder_scenario:LinkedFolderScenario", PLAYED),
    "dolphin-links": dolphin("linked_folder_scenario:LinkedFolderScenario", PLAYED),
    **gtk_each("views", "views_scenario:ViewsScenario", PLAYED, also=("nemo", "caja"), environment=list_view.ENVIRONMENT),
    "nautilus-wayland": gtk("nautilus", "wayland_scenario:WaylandScenario", PLAYED, programs=("weston",)),
    "dolphin-wayland": dolphin("wayland_scenario:WaylandScenario", PLAYED, programs=("weston",)),
    **{f"nautilus-{name}": newer(gtk("nautilus", "wayland_scenario:WaylandScenario", PLAYED, programs=(program,)))
       for name, program in COMPOSITORS.items()},
    **{f"dolphin-{name}": newer(dolphin("wayland_scenario:WaylandScenario", PLAYED, programs=(program,)))
       for name, program in COMPOSITORS.items()},
    "caja-toolbar": gtk("caja", "toolbar_scenario:ToolbarScenario", PLAYED),
    **gtk_each("columns", "column_scenario:ColumnScenario", PLAYED, environment=list_view.ENVIRONMENT),
    **gtk_each("later-columns", "column_scenario:LaterColumnScenario", PLAYED, environment=list_view.ENVIRONMENT),
    **gtk_each("properties", "property_scenario:PropertyScenario", PLAYED, also=("nemo",), why=SAME_PAGE),
    **gtk_each("pictures", PICTURES, PLAYED, also=("nemo", "caja")),
    "dolphin-pictures": dolphin(PICTURES, PLAYED),
    "thunar-pictures": Entry("picture_scenario:MetadataPictureScenario", "thunar", PLAYED, ("gio",),
                             (THUNAR_PLUGIN, METADATA_HELPER)),
    "dolphin-properties": dolphin("property_scenario:DolphinPropertyScenario", PLAYED),
    **gtk_each("observing", "observing_scenario:ObservingScenario", PLAYED, also=("nemo",), why=SAME_WIDGET),
    **gtk_each("check-host", CHECK_HOST, INSTALLED, also=("nemo", "caja")),
    "dolphin-check-host": dolphin(CHECK_HOST, INSTALLED),
    "hosts": gtk_together("nautilus", "hosts_scenario:HostsScenario", PLAYED),
    "tray-protocol": Entry("tray_protocol_scenario:TrayProtocolScenario", service=PLAYED),
    **{f"{panel}-tray": Entry("tray_scenario:TrayScenario", service=PLAYED, programs=(panel,))
       for panel in ("xfce4-panel", "lxqt-panel")},
    "gnome-shell-tray": newer(Entry("wayland_tray_scenario:GnomeTrayScenario", service=PLAYED, programs=("gnome-shell",))),
    "plasma-tray": newer(Entry("wayland_tray_scenario:PlasmaTrayScenario", service=PLAYED,
                               programs=("kwin_wayland", "kded6", "plasmashell"))),
    **gtk_each("remote-changes", "remote_changes_scenario:RemoteChangesScenario", INSTALLED, why=SAME_MONITOR),
    "dolphin-remote-changes": dolphin("remote_changes_scenario:RemoteChangesScenario", INSTALLED),
    "pcmanfm-qt-remote-changes": Entry("remote_changes_scenario:RemoteChangesScenario", "pcmanfm-qt", INSTALLED),
    "nautilus-server": gtk("nautilus", SERVER, INSTALLED, programs=SERVER_PROGRAMS),
    "nemo-server": only_in_all(SAME_SERVER, gtk("nemo", SERVER, INSTALLED, programs=SERVER_PROGRAMS)),
    "dolphin-server": only_in_all(SAME_SERVER, dolphin(SERVER, INSTALLED, programs=SERVER_PROGRAMS)),
    "dolphin-share-link": dolphin("share_link_scenario:ShareLinkScenario", INSTALLED, programs=("gnome-keyring-daemon",)),
    "thunar-metadata": metadata("thunar", "metadata_scenario:MetadataScenario"),
    "pcmanfm-qt-metadata": only_in_all(PLAIN_TWIN, metadata("pcmanfm-qt", "metadata_scenario:MetadataScenario")),
    "pcmanfm-qt-metadata-sanitized": instrumented(metadata("pcmanfm-qt", "metadata_scenario:MetadataScenario")),
    "thunar-links": metadata("thunar", "metadata_links_scenario:MetadataLinksScenario"),
    "pcmanfm-qt-links": only_in_all(SAME_HELPER, metadata("pcmanfm-qt", "metadata_links_scenario:MetadataLinksScenario")),
    "thunar-synced": metadata("thunar", METADATA_SYNCED, INSTALLED),
    "pcmanfm-qt-synced": only_in_all(SAME_HELPER, metadata("pcmanfm-qt", METADATA_SYNCED, INSTALLED)),
    **gtk_each("on-demand", ON_DEMAND, PLAYED, also=("nemo",), why=SAME_LOOK, programs=MOUNTING,
               environment=list_view.ENVIRONMENT),
    "dolphin-on-demand": dolphin(ON_DEMAND, PLAYED, programs=MOUNTING),
    **{f"{name}-on-demand": only_in_all(SAME_LOOK, Entry(ON_DEMAND, name, PLAYED, MOUNTING))
       for name in ("thunar", "pcmanfm-qt")},
    **gtk_each("contents-menus", CONTENTS_MENU, INSTALLED, also=("nemo",), programs=MOUNTING),
    "dolphin-contents-menus": dolphin(CONTENTS_MENU, INSTALLED, programs=MOUNTING),
    "thunar-contents-menus": only_in_all(SAME_COMMANDS, Entry(
        CONTENTS_MENU, "thunar", INSTALLED, ("gio", *MOUNTING), (THUNAR_PLUGIN, METADATA_HELPER))),
    **gtk_each("contents-trash", CONTENTS_TRASH, INSTALLED, also=("nemo",), programs=MOUNTING),
    "dolphin-contents-trash": dolphin(CONTENTS_TRASH, INSTALLED, programs=MOUNTING),
    **{f"{name}-contents-trash": only_in_all(SAME_TRASH, Entry(
        CONTENTS_TRASH, name, INSTALLED, ("gio", *MOUNTING), (METADATA_HELPER,))) for name in ("thunar", "pcmanfm-qt")},
    **gtk_each("copy-menus", COPY_MENU, INSTALLED, also=("nemo",), programs=COPYING),
    "dolphin-copy-menus": dolphin(COPY_MENU, INSTALLED, programs=COPYING),
    "thunar-copy-menus": only_in_all(SAME_COMMANDS, Entry(
        COPY_MENU, "thunar", INSTALLED, ("gio", *COPYING), (THUNAR_PLUGIN, METADATA_HELPER))),
    **{f"{name}-on-demand-index": only_in_all(LONG_INDEX, Entry(
        f"indexer_scenario:{scenario}", service=PLAYED, programs=(*programs, *MOUNTING), environment=list_view.ENVIRONMENT))
       for name, (scenario, programs) in INDEXERS.items()},
    **gtk_each("two-engines", TWO_ENGINES, INSTALLED, why=SAME_ENGINES, programs=("git",)),
    "dolphin-two-engines": dolphin(TWO_ENGINES, INSTALLED, programs=("git",)),
    **{f"{name}-two-engines": only_in_all(SAME_ENGINES, Entry(
        METADATA_TWO_ENGINES, name, INSTALLED, ("gio", "git"), (METADATA_HELPER,)))
       for name in ("thunar", "pcmanfm-qt")},
    "metadata-limits": metadata(None, "metadata_limits_scenario:MetadataLimitsScenario"),
    "nautilus-sidebar": Entry("sidebar_scenario:SidebarScenario", "nautilus", INSTALLED),
    "gtk4-dialog": Entry("dialog_scenario:DialogScenario", service=INSTALLED),
    "notification-daemons": Entry("notification_program_scenario:NotificationProgramScenario", service=INSTALLED,
                                  programs=("dunst", "xfce4-notifyd-config")),
    "sidebar-protocol": Entry("sidebar_protocol_scenario:SidebarProtocolScenario", service=PLAYED),
    "notifications": Entry("notification_scenario:NotificationScenario", service=INSTALLED),
}


# Played by `bench` alone.
MEASUREMENTS = {
    **{f"{name}-first-paint": gtk(name, "first_paint:FirstPaint", INSTALLED) for name in GTK_PACKAGES},
    "dolphin-first-paint": dolphin("first_paint:DolphinFirstPaint", INSTALLED),
}


# What the names of scenarios end with that take long, the longest first.
LONG_SUBJECTS = ("on-demand", "menus", "trash", "synced", "two-engines", "emblems", "observing", "sidebar", "notifications",
                 "links", "limits", "metadata", "served", "server", "many-files", "remote-changes", "tray", "columns",
                 "properties", "hosts", "toolbar")


def longest_first(names: list[str]) -> list[str]:
    """The order in which scenarios end soonest that are played several at once: none that takes long is the last one."""
    def place(name: str) -> int:
        subject = name.removesuffix("-sanitized")
        return next((place for place, long in enumerate(LONG_SUBJECTS) if subject.endswith(long)), len(LONG_SUBJECTS))
    return sorted(names, key=place)


def played_without_names(is_all: bool) -> list[str]:
    """What `make test` plays, or all that this system's programs can; in the newer root everything without sanitizers, for
    which nothing is built."""
    if IN_NEWER_ROOT:
        return [name for name in SCENARIOS if not name.endswith("-sanitized")]
    return [name for name, entry in SCENARIOS.items() if not entry.is_newer and (is_all or not entry.only_in_all)]


def chosen(words: list[str], is_all: bool) -> list[str]:
    """The scenarios that the words name: in full, by the file manager before the dash, or by what comes after it."""
    if not words:
        return played_without_names(is_all)
    names = []
    for word in words:
        matches = [word] if word in SCENARIOS else [
            name for name in SCENARIOS if name.startswith(word + "-") or name.endswith("-" + word)]
        if not matches:
            raise SystemExit(f"run: there is no scenario '{word}'; there are: {' '.join(SCENARIOS)}")
        names += [name for name in matches if name not in names]
    return names


def mount_point(directory: pathlib.Path) -> pathlib.Path:
    """The directory over which a place is laid: one that exists and that package managers do not take away."""
    parts = pathlib.Path(directory).parts
    depth = 4 if parts[:3] == ("/", "usr", "lib") else 3
    return pathlib.Path(*parts[:depth])


def exists(directory: pathlib.Path | None) -> bool:
    return directory is not None and os.path.isdir(mount_point(directory))
