"""A folder whose contents are not here: looking at it fetches nothing, using an item fetches that item."""
import hashlib
import os
import pathlib

import all_types
from desktop import Desktop
from file_manager import FileManager
from metadata_scenario import set_icon_theme
from mounted_folder import MountedFolder
from provider import ProvidedService
from waiting import Failure, pump, wait_for

LOOK = "Everything"
TRASHED = "Trashed"
USED = {"Open": "letter.txt", "Out": "picture.png", "Within": "song.mp3", TRASHED: "gone.txt"}
FILE_COLOUR = "F4B6D2"
# Of fifty files of all types, what looking at them may fetch at most: two that say themselves how they are to be shown.
EXCEPTIONS = {"start.desktop", "link.desktop"}
STILL = 1.5  # seconds without a change after which a window has all that it wanted to show
THUMBNAILS = {
    "nautilus": "[org/gnome/nautilus/preferences]\nshow-image-thumbnails='always'\ndefault-sort-order='type'\n",
    "nemo": "[org/nemo/preferences]\nshow-image-thumbnails='always'\ndefault-sort-order='type'\n",
    "caja": "[org/mate/caja/preferences]\nshow-image-thumbnails='always'\ndefault-sort-order='type'\n"
            "preview-sound='always'\nshow-icon-text='always'\nshow-directory-item-counts='always'\n",
}
XFCONF = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="thunar" version="1.0">
  <property name="last-sort-column" type="string" value="THUNAR_COLUMN_TYPE"/>
  <property name="misc-thumbnail-mode" type="string" value="THUNAR_THUMBNAIL_MODE_ALWAYS"/>
</channel>
"""
MENU = "<Menu><Name>Applications</Name><DefaultAppDirs/><DefaultDirectoryDirs/><Include><All/></Include></Menu>\n"
# What makes a list of icons, and icons of a list.
VIEWS = {"nautilus": ("ctrl+1", "ctrl+2"), "nemo": ("ctrl+2", "ctrl+1"), "caja": ("ctrl+2", "ctrl+1"),
         "dolphin": ("ctrl+2", "ctrl+1"), "thunar": ("ctrl+2", "ctrl+1"), "pcmanfm-qt": ("ctrl+4", "ctrl+1")}


class OnDemandScenario:
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.service = service
        self.file_manager = file_manager
        self.folder = MountedFolder(desktop)
        self.outside = desktop.home / "Outside"
        self.opened = desktop.work / "opened"
        self.too_much: list[tuple[str, str]] = []  # what looking has fetched, and who

    # Preparing

    def thumbnails_are_on(self) -> None:
        name = self.file_manager.name
        if name in THUMBNAILS:
            self.desktop.write_setting("glib-2.0/settings/keyfile", THUMBNAILS[name])
        drawers = sorted({path.stem for path in pathlib.Path("/usr/lib").glob("*/qt*/plugins/kf*/thumbcreator/*.so")})
        self.desktop.write_setting("dolphinrc", f"[PreviewSettings]\nPlugins={','.join(drawers)}\n")
        self.desktop.write_setting("xfce4/xfconf/xfce-perchannel-xml/thunar.xml", XFCONF)
        self.desktop.write_setting(
            "pcmanfm-qt/default/settings.conf",
            "[System]\nFallbackIconThemeName=RoundelTest\n\n[FolderView]\nSortColumn=type\n\n[Thumbnail]\n"
            "ShowThumbnails=true\nThumbnailLocalFilesOnly=false\n")
        view = self.desktop.home / ".data/dolphin/view_properties/global/.directory"
        view.parent.mkdir(parents=True)
        view.write_text("[Dolphin]\nPreviewsShown=true\nSortRole=type\nVersion=4\n")

    def a_program_reads(self) -> None:
        """The program that the type of one file belongs to."""
        applications = self.desktop.home / ".data/applications"
        applications.mkdir(parents=True)
        (applications / "reader.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=Reader\nExec=cp -- %f {self.opened}\nMimeType=text/plain;\n")
        # KDE knows no program that is in no menu.
        self.desktop.write_setting("menus/applications.menu", MENU)
        self.desktop.write_setting("mimeapps.list", "[Default Applications]\ntext/plain=reader.desktop\n")

    def prepare(self) -> None:
        set_icon_theme(self.desktop, "RoundelTest")
        self.thumbnails_are_on()
        for icon in ("text-x-generic", "text-plain"):
            self.desktop.add_test_icon(icon, FILE_COLOUR)
        self.a_program_reads()
        names = all_types.write(self.folder.originals / LOOK)
        if len(names) != 50:
            raise Failure(f"{len(names)} files")
        contents = all_types.files()
        contents.update({"letter.txt": contents["notes.txt"], "gone.txt": contents["notes.txt"]})
        for directory, name in USED.items():
            (self.folder.originals / directory).mkdir()
            (self.folder.originals / directory / name).write_bytes(contents[name])
        self.outside.mkdir()
        self.folder.start()
        self.service.folders = [str(self.folder.path)]
        self.service.set_badge(str(self.folder.path / LOOK / "photo.jpg"), "synced")
        self.service.start()

    # Looking

    def is_looked_at(self) -> None:
        self.file_manager.open(str(self.folder.path / LOOK))
        self.screen.wait_until_still(STILL)
        self.looked("opened")
        self.desktop.shoot("opened")
        for key in ("End", "Home", *VIEWS[self.file_manager.name]):
            self.screen.keys(key)
            self.screen.wait_until_still()
        self.looked("scrolled, as a list and as icons")
        self.hover()
        self.screen.keys("ctrl+a")
        self.screen.wait_until_still()
        for _ in range(6):
            self.screen.keys("Right")
            pump(0.1)
        self.screen.wait_until_still()
        self.looked("hovered and selected")
        self.desktop.shoot("selected")
        self.properties()
        if self.too_much:
            raise Failure(f"looking has fetched {self.too_much}")

    def looked(self, how: str) -> None:
        """Nothing was fetched, but for the exceptions."""
        fetched = [(path, program) for path, program in self.folder.fetches()
                   if os.path.basename(path) not in EXCEPTIONS]
        print(f"  {how}: fetched {fetched}", flush=True)
        self.too_much += fetched

    def hover(self) -> None:
        for y in range(160, 640, 120):
            for x in range(250, 1000, 150):
                self.screen.move(x, y)
                pump(0.12)
        self.screen.move(2, 2)

    def properties(self) -> None:
        """Of the first item, and of everything."""
        for keys in (("Home",), ("ctrl+a",)):
            self.screen.keys(*keys)
            before = self.screen.wait_until_still()
            self.screen.keys("alt+Return")
            wait_for("properties", lambda before=before: self.screen.grab().difference(before))  # type: ignore[misc]
            self.screen.wait_until_still(STILL)
            self.desktop.shoot("properties")
            self.screen.keys("Escape")
            self.screen.wait_until_still()
        self.looked("properties")

    # Using

    def in_window(self, directory: pathlib.Path, *keys: str) -> None:
        """Opens a window, and types when it shows what is in the directory."""
        self.file_manager.open(str(directory))
        self.screen.wait_until_still(0.8)
        # The keys are for what is shown, and not for the places beside it.
        window = self.screen.window_box(self.screen.active_window())
        self.screen.click(window.right - 60, window.bottom - 100)
        for key in keys:
            self.screen.keys(key)
            pump(0.4)

    def expect_file(self, what: str, file: pathlib.Path, of: str) -> None:
        """A file gets the bytes that the remote has."""
        wanted = (self.folder.originals / of).read_bytes()

        def is_right() -> bool:
            return file.exists() and file.read_bytes() == wanted
        wait_for(what, is_right)

    def is_opened(self) -> None:
        self.in_window(self.folder.path / "Open", "Home", "ctrl+a", "Return")
        self.expect_file("the program to have read it", self.opened, "Open/letter.txt")
        self.folder.expect_fetched("opened by a program", "Open/letter.txt")

    def is_copied_out(self) -> None:
        self.in_window(self.folder.path / "Out", "Home", "ctrl+a", "ctrl+c")
        picture = self.folder.path / "Out/picture.png"
        if self.file_manager.name in THUMBNAILS:
            wait_for("a thumbnail that could not be made", lambda: self.is_given_up(picture))
        self.in_window(self.outside, "ctrl+v")
        self.expect_file("the copy outside", self.outside / "picture.png", "Out/picture.png")
        self.folder.expect_fetched("copied out", "Out/picture.png")
        wait_for("a thumbnail that may be tried again", lambda: not self.is_given_up(picture))

    def is_given_up(self, picture: pathlib.Path) -> bool:
        """Whether a program remembers that it could make no thumbnail."""
        name = hashlib.md5(picture.as_uri().encode(), usedforsecurity=False).hexdigest()
        return any((self.desktop.home / ".cache/thumbnails/fail").glob(f"*/{name}.png"))

    def is_copied_within(self) -> None:
        directory = self.folder.path / "Within"
        self.in_window(directory, "Home", "ctrl+a", "ctrl+c", "ctrl+v")
        name = USED["Within"]
        if self.file_manager.name in ("dolphin", "pcmanfm-qt"):
            # They ask for another name.
            pump(1.5)
            self.desktop.shoot("another name")
            self.screen.keys("ctrl+a")
            self.screen.type("Another.mp3")
            self.screen.keys("Return")

        def copy() -> pathlib.Path | None:
            return next((path for path in directory.iterdir() if path.name != name and not path.name.startswith(".")), None)
        found = wait_for("a copy beside it", copy)
        self.expect_file("the copy within", found, f"Within/{name}")
        self.folder.expect_fetched("copied within", f"Within/{name}")

    def is_trashed(self) -> None:
        """A placeholder and a file that is here, in a window that shows nothing else."""
        directory = self.folder.path / TRASHED
        (directory / "here.txt").write_text("text\n")
        self.in_window(directory)
        self.screen.move(2, 2)
        # Of the one that is here some show what is in it.
        wait_for("them to be shown", lambda: self.screen.wait_until_still().has(FILE_COLOUR))
        self.desktop.shoot("to be trashed")
        self.screen.keys("Home", "ctrl+a")
        pump(0.4)
        self.screen.keys("Delete")
        wait_for("files that are gone", lambda: not any(directory.iterdir()))
        wait_for("nothing to be shown", lambda: not self.screen.wait_until_still().has(FILE_COLOUR))
        self.desktop.shoot("trashed")
        wait_for("both in the trash", lambda: len(self.trashed(self.own_trash()) + self.trashed(self.home_trash())) == 2)
        # KDE has no trash in file systems that it does not know by their names, so that the file is moved to another one.
        fetched = self.trashed(self.home_trash())
        print(f"  in the trash of the home directory: {fetched}", flush=True)
        if fetched and self.file_manager.name != "dolphin":
            raise Failure(f"not in the trash of the folder: {fetched}")
        self.folder.expect_fetched("trashed", *(f"{TRASHED}/{name}" for name in fetched if name != "here.txt"))

    def own_trash(self) -> pathlib.Path:
        return self.folder.path / f".Trash-{os.getuid()}/files"

    def home_trash(self) -> pathlib.Path:
        return self.desktop.home / ".data/Trash/files"

    @staticmethod
    def trashed(place: pathlib.Path) -> list[str]:
        return [path.name for path in place.iterdir()] if place.is_dir() else []

    def explain(self) -> list[str]:
        return self.folder.explain()

    def run(self) -> None:
        self.prepare()
        self.is_looked_at()
        self.is_opened()
        self.is_copied_out()
        self.is_copied_within()
        self.file_manager.close()
        self.file_manager.forget_process()
        self.is_trashed()
        self.file_manager.close()
        self.file_manager.nothing_complained()
