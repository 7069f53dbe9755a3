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


def instrumented(entry: Entry) -> Entry:
    """The same scenario with files that are compiled with AddressSanitizer. A program of ours needs no more than that."""
    extras = tuple(dataclasses.replace(extra, built=f"sanitized/{extra.built}") for extra in entry.extras)
    return dataclasses.replace(entry, extras=extras)


def sanitized(entry: Entry) -> Entry:
    """The same scenario with such plugins, in which the sanitizer has to find nothing; the file manager gets it, too."""
    return dataclasses.replace(instrumented(entry), is_sanitized=True)


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
    """A scenario of Dolphin with our two plugins, in a KDE session."""
    plugins = tuple(Extra(f"dolphin/kf{FRAMEWORKS}/{place}", f"qt/kf{FRAMEWORKS}/{os.path.dirname(place)}")
                    for place in ("overlayicon/roundeloverlay.so", "kfileitemaction/roundelitemaction.so"))
    session = {"QT_PLUGIN_PATH": "{stage}/qt", "XDG_CURRENT_DESKTOP": "KDE", "KDE_FULL_SESSION": "true",
               "KDE_SESSION_VERSION": FRAMEWORKS}
    return Entry(scenario, "dolphin", service, extras=plugins, environment=session, **more)


SERVER_PROGRAMS = ("rclone", "gnome-keyring-daemon")
METADATA_READERS = ("thunar", "pcmanfm-qt")


def metadata(name: str | None, scenario: str, service: str | None = PLAYED, **more: Any) -> Entry:
    """A scenario of a file manager that reads emblems from metadata, which our helper writes."""
    return Entry(scenario, name, service, ("gio",), (Extra("metadata/roundel-metadata", "bin"),), **more)


THUNAR_PLUGIN = Extra("thunar/libroundel-thunar.so", package="thunarx-3", variable="extensionsdir")
THUNAR_MENUS = Entry("thunar_menu_scenario:ThunarMenuScenario", "thunar", PLAYED, ("gio",), (THUNAR_PLUGIN,))

COMPOSITORS = {"gnome-shell": "gnome-shell", "kwin": "kwin_wayland"}

SCENARIOS = {
    **{f"{name}-emblems": gtk(name, "emblem_scenario:EmblemScenario") for name in GTK_PACKAGES},
    **{f"{name}-emblems-sanitized": sanitized(gtk(name, "emblem_scenario:EmblemScenario")) for name in GTK_PACKAGES},
    **{f"{name}-emblems-served": gtk(name, "emblem_scenario:EmblemScenario", PLAYED) for name in ("nautilus", "nemo")},
    "dolphin-emblems": dolphin("dolphin_scenario:DolphinScenario"),
    "dolphin-emblems-sanitized": sanitized(dolphin("dolphin_scenario:DolphinScenario")),
    "dolphin-emblems-served": dolphin("dolphin_scenario:DolphinScenario", PLAYED),
    "dolphin-observing": dolphin("dolphin_observing_scenario:DolphinObservingScenario", PLAYED),
    "dolphin-icons": dolphin("dolphin_icon_scenario:DolphinIconScenario", PLAYED),
    "dolphin-menus": dolphin("dolphin_menu_scenario:DolphinMenuScenario", PLAYED),
    "dolphin-menus-sanitized": sanitized(dolphin("dolphin_menu_scenario:DolphinMenuScenario", PLAYED)),
    "dolphin-many-files": dolphin("many_files_scenario:ManyFilesScenario"),
    "dolphin-synced": dolphin("synced_folder_scenario:SyncedFolderScenario", INSTALLED),
    **{f"{name}-menus": gtk(name, "menu_scenario:MenuScenario", PLAYED) for name in GTK_PACKAGES},
    **{f"{name}-menus-sanitized": sanitized(gtk(name, "menu_scenario:MenuScenario", PLAYED)) for name in GTK_PACKAGES},
    **{f"{name}-links": gtk(name, "linked_folder_scenario:LinkedFolderScenario", PLAYED) for name in GTK_PACKAGES},
    "dolphin-links": dolphin("linked_folder_scenario:LinkedFolderScenario", PLAYED),
    **{f"{name}-views": gtk(name, "views_scenario:ViewsScenario", PLAYED, environment=list_view.ENVIRONMENT)
       for name in GTK_PACKAGES},
    "nautilus-wayland": gtk("nautilus", "wayland_scenario:WaylandScenario", PLAYED, programs=("weston",)),
    "dolphin-wayland": dolphin("wayland_scenario:WaylandScenario", PLAYED, programs=("weston",)),
    **{f"nautilus-{name}": gtk("nautilus", "wayland_scenario:WaylandScenario", PLAYED, programs=(program,), is_newer=True)
       for name, program in COMPOSITORS.items()},
    **{f"dolphin-{name}": dolphin("wayland_scenario:WaylandScenario", PLAYED, programs=(program,), is_newer=True)
       for name, program in COMPOSITORS.items()},
    "caja-toolbar": gtk("caja", "toolbar_scenario:ToolbarScenario", PLAYED),
    **{f"{name}-columns": gtk(name, "column_scenario:ColumnScenario", PLAYED, environment=list_view.ENVIRONMENT)
       for name in GTK_PACKAGES},
    **{f"{name}-later-columns": gtk(name, "column_scenario:LaterColumnScenario", PLAYED,
                                    environment=list_view.ENVIRONMENT) for name in GTK_PACKAGES},
    **{f"{name}-properties": gtk(name, "property_scenario:PropertyScenario", PLAYED) for name in GTK_PACKAGES},
    **{f"{name}-observing": gtk(name, "observing_scenario:ObservingScenario", PLAYED) for name in GTK_PACKAGES},
    **{f"{name}-many-files": gtk(name, "many_files_scenario:ManyFilesScenario") for name in GTK_PACKAGES},
    "hosts": gtk_together("nautilus", "hosts_scenario:HostsScenario", PLAYED),
    "tray-protocol": Entry("tray_protocol_scenario:TrayProtocolScenario", service=PLAYED),
    **{f"{panel}-tray": Entry("tray_scenario:TrayScenario", service=PLAYED, programs=(panel,))
       for panel in ("xfce4-panel", "lxqt-panel")},
    "gnome-shell-tray": Entry("wayland_tray_scenario:GnomeTrayScenario", service=PLAYED, programs=("gnome-shell",),
                              is_newer=True),
    "plasma-tray": Entry("wayland_tray_scenario:PlasmaTrayScenario", service=PLAYED,
                         programs=("kwin_wayland", "kded6", "plasmashell"), is_newer=True),
    **{f"{name}-synced": gtk(name, "synced_folder_scenario:SyncedFolderScenario", INSTALLED) for name in GTK_PACKAGES},
    **{f"{name}-remote-changes": gtk(name, "remote_changes_scenario:RemoteChangesScenario", INSTALLED)
       for name in GTK_PACKAGES},
    "dolphin-remote-changes": dolphin("remote_changes_scenario:RemoteChangesScenario", INSTALLED),
    **{f"{name}-server": gtk(name, "server_folder_scenario:ServerFolderScenario", INSTALLED, programs=SERVER_PROGRAMS)
       for name in ("nautilus", "nemo")},
    "dolphin-share-link": dolphin("share_link_scenario:ShareLinkScenario", INSTALLED, programs=("gnome-keyring-daemon",)),
    "dolphin-server": dolphin("server_folder_scenario:ServerFolderScenario", INSTALLED, programs=SERVER_PROGRAMS),
    "pcmanfm-qt-remote-changes": Entry("remote_changes_scenario:RemoteChangesScenario", "pcmanfm-qt", INSTALLED),
    **{f"{name}-metadata": metadata(name, "metadata_scenario:MetadataScenario") for name in METADATA_READERS},
    **{f"{name}-links": metadata(name, "metadata_links_scenario:MetadataLinksScenario") for name in METADATA_READERS},
    "pcmanfm-qt-metadata-sanitized": instrumented(metadata("pcmanfm-qt", "metadata_scenario:MetadataScenario")),
    "nautilus-sidebar": Entry("sidebar_scenario:SidebarScenario", "nautilus", INSTALLED),
    "gtk4-dialog": Entry("dialog_scenario:DialogScenario", service=INSTALLED),
    "notification-daemons": Entry("notification_program_scenario:NotificationProgramScenario", service=INSTALLED,
                                  programs=("dunst", "xfce4-notifyd-config")),
    "sidebar-protocol": Entry("sidebar_protocol_scenario:SidebarProtocolScenario", service=PLAYED),
    "notifications": Entry("notification_scenario:NotificationScenario", service=INSTALLED),
    **{f"{name}-synced": metadata(name, "metadata_synced_scenario:MetadataSyncedScenario", INSTALLED)
       for name in METADATA_READERS},
    "metadata-limits": metadata(None, "metadata_limits_scenario:MetadataLimitsScenario"),
    "thunar-menus": THUNAR_MENUS,
    "thunar-menus-sanitized": sanitized(THUNAR_MENUS),
}


# Played by `bench` alone.
MEASUREMENTS = {
    **{f"{name}-first-paint": gtk(name, "first_paint:FirstPaint", INSTALLED) for name in GTK_PACKAGES},
    "dolphin-first-paint": dolphin("first_paint:DolphinFirstPaint", INSTALLED),
}


def chosen(words: list[str]) -> list[str]:
    """The scenarios that the words name: in full, by the file manager before the dash, or by what comes after it."""
    if not words:
        return list(SCENARIOS)
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
