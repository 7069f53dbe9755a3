"""Copying out of a folder on demand and adding to it, from the menus of a file manager, by real clicks and with the desktop's
own dialog: what is only online is copied with its contents, what has a name keeps it, and nothing else is transferred."""
import pathlib

from contents_scenario import ARCHIVE, FILMS, LETTER, LONG, SHORT, ContentsScenario
from desktop import COLOURS, Desktop
from file_manager import FileManager
from file_portal import FilePortal
from installed import InstalledServices
from notification_daemon import NotificationDaemon
from waiting import Failure, wait_for
from worker_menu import WorkerMenu

COPY_OUT, ADD = 1, 2  # the number of marks before each text
COPY_FILES, COPY_FOLDERS, MOVE_FILES, MOVE_FOLDERS = WAYS = range(1, 5)  # the same, in the menu behind ADD
WORDS = {"Copy Out of “{1}”…": COPY_OUT, "Add to “{1}”": ADD, "Copy Files…": COPY_FILES, "Copy Folders…": COPY_FOLDERS,
         "Move Files…": MOVE_FILES, "Move Folders…": MOVE_FOLDERS}
SONG, SONG_ICONS = "Song.mp3", ("audio-mpeg", "audio-x-generic")
SONG_COLOUR = "5218FA"
MINE = "not what the remote has\n"  # in what has the name already


class CopyMenuScenario(ContentsScenario):
    words = WORDS

    def __init__(self, desktop: Desktop, service: InstalledServices, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.menu = WorkerMenu(desktop, file_manager)
        self.portal = FilePortal(desktop, service)
        self.notifications = NotificationDaemon(desktop)
        self.outside = desktop.home / "Outside"      # to which is copied
        self.elsewhere = desktop.home / "Elsewhere"  # from which is added

    def prepare(self) -> None:
        self.menu.prepare()
        for icon in SONG_ICONS:
            self.desktop.add_test_icon(icon, SONG_COLOUR)
        for file in (self.outside / ARCHIVE, self.elsewhere / LETTER, self.elsewhere / SONG,
                     self.elsewhere / "Plans/Plan.txt", self.elsewhere / FILMS / "New.txt"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(MINE)
        self.notifications.start()
        self.portal.start()
        super().prepare()

    # What is true

    @staticmethod
    def expect_text(file: pathlib.Path, text: str) -> None:
        if not file.exists() or file.read_text() != text:
            raise Failure(f"{file} is not what it should be")

    @staticmethod
    def expect_names(place: pathlib.Path, *names: str) -> None:
        """Exactly these are in a directory."""
        found = sorted(path.name for path in place.iterdir())
        if found != sorted(names):
            raise Failure(f"{place} has {found}, not {sorted(names)}")

    def told(self, title: str, text: str) -> None:
        """That is notified, with a text that begins so."""
        notification = self.notifications.wait_for(title)
        if not notification.text.startswith(text):
            raise Failure(f"“{title}” says {notification.text!r}")
        self.notifications.dismiss(notification)

    def expect_shown(self, what: str, **counts: int) -> None:
        """The window has exactly so many badges of each kind."""
        named = {badge.replace("_", "-"): count for badge, count in counts.items()}
        wanted = {badge: count for badge, count in named.items() if badge in self.shown}
        self.deselect()
        seen: dict[str, int] = {}

        def shown() -> bool:
            picture = self.screen.grab()
            seen.update({badge: len(picture.boxes(COLOURS[badge])) for badge in wanted})
            return seen == wanted
        try:
            wait_for(what, shown)
        except Failure as failure:
            raise Failure(f"{failure}: {wanted} should be shown, not {seen}") from None
        self.screen.wait_until_still()
        self.desktop.shoot(what)
        print(f"  {what}: shown {seen}", flush=True)

    # Out of the folder

    def copy_out(self, name: str) -> None:
        self.find_places()
        entries = self.menu.open(f"menu to copy {name} out", self.places[name], [COPY_OUT], self.deselect)
        self.menu.click(entries[COPY_OUT])

    def a_placeholder_is_copied_out(self) -> None:
        self.copy_out(LETTER)
        self.portal.choose("Copy Out of “Cloud”", self.outside, "where to copy to")
        self.told(f"“{LETTER}” was copied out of “Cloud”", "See ~/Outside")
        self.expect_text(self.outside / LETTER, (self.remote / LETTER).read_text())
        self.expect_names(self.outside, ARCHIVE, LETTER)
        self.expect_transfers("copied out", ("downloaded", LETTER), ("copied-out", LETTER))
        self.expect_contents("here", LETTER)
        self.expect_shown("copied out", synced=2, online_only=1)

    def its_name_is_taken_there(self) -> None:
        self.copy_out(ARCHIVE)
        self.portal.choose("Copy Out of “Cloud”", self.outside, "where its name is taken")
        self.told(f"“{ARCHIVE}” was copied out of “Cloud”", "Its name was taken, so it is “Archive (copy).zip”")
        self.expect_text(self.outside / ARCHIVE, MINE)
        self.expect_text(self.outside / "Archive (copy).zip", (self.remote / ARCHIVE).read_text())
        self.expect_names(self.outside, ARCHIVE, "Archive (copy).zip", LETTER)
        self.expect_transfers("copied beside", ("downloaded", ARCHIVE), ("copied-out", ARCHIVE))
        self.expect_shown("copied beside", synced=3, online_only=0)

    def a_directory_is_copied_out(self) -> None:
        """Of which a part is here."""
        self.expect_contents("partly", FILMS)
        self.copy_out(FILMS)
        self.portal.choose("Copy Out of “Cloud”", self.outside, "where to copy a directory to")
        self.told(f"“{FILMS}” was copied out of “Cloud”", "See ~/Outside")
        for path in (LONG, SHORT):
            self.expect_text(self.outside / path, (self.remote / path).read_text())
        self.expect_transfers("directory copied out", ("downloaded", LONG), ("copied-out", FILMS))
        self.expect_shown("directory copied out", synced=3, online_only=0)

    def the_dialog_is_closed(self) -> None:
        self.roundel("free", str(self.folder / LETTER))
        self.expect_contents("online", LETTER)
        self.expect_shown("freed", synced=2, online_only=1)
        self.copy_out(LETTER)
        places = dict(self.places)
        self.portal.close("Copy Out of “Cloud”", "a dialog to be closed")
        self.expect_transfers("closed")
        self.deselect()
        self.find_places()
        self.desktop.shoot("closed")
        # Dolphin says what failed above the items.
        if self.places != places:
            raise Failure("something is said of a dialog that was closed")
        self.expect_contents("online", LETTER)
        self.expect_names(self.outside, ARCHIVE, "Archive (copy).zip", LETTER, FILMS)

    # Into the folder

    def add(self, way: int, what: str, name: str) -> None:
        """Chooses something outside in the menu of the window's background."""
        self.screen.wait_until_still()
        entries = self.menu.open("menu of the folder", self.background(), [ADD], self.deselect)
        ways = self.menu.open_submenu("menu to add", entries[ADD], list(WAYS))
        self.menu.click(ways[way])
        verb = "Move" if way in (MOVE_FILES, MOVE_FOLDERS) else "Copy"
        self.portal.choose(f"{verb} to “Cloud”", self.elsewhere / name, what)

    def a_file_is_added(self) -> None:
        """One whose name a placeholder has."""
        self.add(COPY_FILES, "a file to add", LETTER)
        self.told(f"“{LETTER}” was copied to “Cloud”", "Its name was taken, so it is “Letter (copy).txt”")
        self.expect_transfers("added", ("uploaded", "Letter (copy).txt"))
        for place in (self.folder, self.remote):
            self.expect_text(place / "Letter (copy).txt", MINE)
        self.expect_text(self.elsewhere / LETTER, MINE)
        self.expect_contents("online", LETTER)
        self.expect_shown("added", synced=3, online_only=1)

    def a_file_is_moved_in(self) -> None:
        self.add(MOVE_FILES, "a file to move", SONG)
        self.told(f"“{SONG}” was moved to “Cloud”", "See ~/Cloud")
        self.expect_transfers("moved", ("uploaded", SONG))
        # The folder is another file system than where it was, so that the original goes to the trash.
        for file in (self.folder / SONG, self.remote / SONG, self.desktop.home / ".data/Trash/files" / SONG):
            self.expect_text(file, MINE)
        self.expect_names(self.elsewhere, LETTER, "Plans", FILMS)
        self.expect_shown("moved", synced=4, online_only=1)

    def directories_are_added(self) -> None:
        self.add(COPY_FOLDERS, "a directory to add", "Plans")
        self.told("“Plans” was copied to “Cloud”", "See ~/Cloud")
        self.expect_transfers("directory added", ("uploaded", "Plans/Plan.txt"))
        self.expect_text(self.elsewhere / "Plans/Plan.txt", MINE)
        self.add(MOVE_FOLDERS, "a directory to move", FILMS)
        self.told(f"“{FILMS}” was moved to “Cloud”", "Its name was taken, so it is “Films (copy)”")
        self.expect_transfers("directory moved", ("uploaded", "Films (copy)/New.txt"))
        for path in ("Plans/Plan.txt", "Films (copy)/New.txt"):
            for place in (self.folder, self.remote):
                self.expect_text(place / path, MINE)
        self.expect_names(self.folder / FILMS, "Long.txt", "Short.txt")
        self.expect_names(self.elsewhere, LETTER, "Plans")
        self.expect_shown("directories added", synced=6, online_only=1)

    def run(self) -> None:
        self.prepare()
        self.open_window()
        self.a_placeholder_is_copied_out()
        self.its_name_is_taken_there()
        self.a_directory_is_copied_out()
        self.the_dialog_is_closed()
        self.a_file_is_added()
        self.a_file_is_moved_in()
        self.directories_are_added()
        if self.notifications.violations:
            raise Failure(f"the notifications are wrong: {self.notifications.violations}")
        self.end()
