"""A folder in each file manager, with files in each state, and the menu of a folder in it."""
from accessible import Accessible
from file_manager import FileManager
from installed import InstalledServices
from metadata_helper import MetadataHelper, emblems
from metadata_scenario import set_icon_theme
from person import CONFLICT, DRAFT, FILM, TALK, TRIP, Person
from picture_desktop import SCALE, PictureDesktop
from screen import Box
from waiting import Failure, wait_for

SIZES = {"nautilus": (1000, 580), "pcmanfm-qt": (900, 440), "thunar": (900, 490)}  # of windows; else OTHER_SIZE
OTHER_SIZE = 900, 560
TOP = 60
PROGRAM = "org.gnome.Nautilus"  # as a screen reader has it
LEAST_ENTRY = 24                # pixels, of a menu
# Fills of the emblems that are drawn large enough to have them, from Icons/hicolor/scalable/emblems.
EMBLEMS = {"synced": "2BA44F", "syncing": "3D92FF", "pending": "1FA3C9", "conflict": "F57C1F"}


NAUTILUS_OFFSET = -6, 96    # pixels from an emblem beside an icon to where a menu leaves the name uncovered
NEAR = 24                   # pixels between the two arrows of an emblem


class FolderPictures:
    has_menu = True

    def __init__(self, desktop: PictureDesktop, service: InstalledServices, file_manager: FileManager) -> None:
        self.desktop = desktop
        self.screen = desktop.screen
        self.service = service
        self.file_manager = file_manager
        self.name = file_manager.name
        self.person = Person(desktop, service)

    def run(self) -> None:
        self.person.has_documents_in_the_cloud()
        self.more_folders()
        self.person.has_everything_under_way()
        self.prepare()
        self.open()
        self.expect_states()
        self.wait_for_emblems()
        self.desktop.take(self.name, self.window())
        if self.has_menu:
            self.opens_menu()
        self.expect_states()

    def more_folders(self) -> None:
        """Of which the sidebar of Nautilus has a row each."""
        self.person.has_folder("Music", "Playlist.m3u")
        self.person.has_folder("Photos", "Album.md")

    def prepare(self) -> None:
        """What is done before the file manager starts."""

    def wait_for_emblems(self) -> None:
        for state, colour in EMBLEMS.items():
            wait_for(f"the emblem of {state}", lambda: self.screen.grab().count(colour) > 40)

    def window(self) -> Box:
        return self.desktop.frames(self.file_manager.window_class)

    def open(self) -> None:
        self.file_manager.open(str(self.person.documents))
        window = self.screen.windows(self.file_manager.window_class)[0]
        width, height = SIZES.get(self.name, OTHER_SIZE)
        self.screen.place(window, (self.desktop.width - width * SCALE) // 2, TOP * SCALE, width * SCALE, height * SCALE)
        self.screen.wait_until_still(1)

    def expect_states(self) -> None:
        """Of the files."""
        documents = self.person.documents
        states = {CONFLICT: "conflict", DRAFT: "excluded", TALK: "pending", FILM: "syncing", TRIP: "syncing",
                  "Invoices": "synced"}
        for name, state in states.items():
            self.person.expect(documents / name, state)

    def place_of_trip(self) -> tuple[int, int]:
        """Where the folder is that is syncing: the first whose emblem says so."""
        x, y = self.screen.wait_until_still().boxes(EMBLEMS["syncing"], NEAR)[0].centre
        return (x + NAUTILUS_OFFSET[0], y + NAUTILUS_OFFSET[1]) if self.name == "nautilus" else (x, y)

    def opens_menu(self) -> None:
        """With the entries of the engine in it: in Nautilus they are read as a screen reader does."""
        place = self.place_of_trip()
        labels = self.person.menu(self.person.documents / TRIP)
        self.screen.move(*place)  # the pointer is on the screen as well
        before = self.screen.wait_until_still()
        self.screen.right_click(*place)
        if self.name == "nautilus":
            self.sees(Accessible(self.desktop, PROGRAM), labels)
        least = len(labels) * LEAST_ENTRY * SCALE
        wait_for("a menu", lambda: self.height(self.screen.grab().difference(before)) > least)
        menu = self.screen.wait_until_still(1).difference(before)
        if menu is None:
            raise Failure("the menu has gone")
        self.desktop.take(self.picture_of_menu(), self.window().joined(menu))

    @staticmethod
    def height(box: Box | None) -> int:
        return box.bottom - box.top if box else 0

    def picture_of_menu(self) -> str:
        return "hero" if self.name == "nautilus" else f"{self.name}-menu"

    def sees(self, reader: Accessible, labels: list[str]) -> None:
        for label in labels:
            wait_for(f"“{label}” in the menu of {[line for line in reader.lines() if 'menu' in line]}",
                     lambda: any(line.endswith(f": {label}") for line in reader.lines()))


class MetadataPictures(FolderPictures):
    """Of a file manager that shows the emblems which our helper writes: none for what is synced or is still being written."""

    has_menu = False

    def prepare(self) -> None:
        set_icon_theme(self.desktop, "breeze")
        self.helper = MetadataHelper(self.desktop)
        self.helper.start()

    def wait_for_emblems(self) -> None:
        documents = self.person.documents
        for name, state in ((CONFLICT, "conflict"), (DRAFT, "excluded"), (TRIP, "syncing")):
            wait_for(f"the emblem of {name}",
                     lambda: emblems(self.desktop, str(documents / name)) == [f"emblem-roundel-{state}"])
        self.screen.keys("F5")
        self.screen.wait_until_still(1)
