"""A provider's own pictures, which it stores while the file manager runs: a drawing, an image, and another drawing under the
same name (F2). They are found without an installation, and are gone with their provider."""
import pathlib
import subprocess

from desktop import Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from gi.repository import GLib
from metadata_helper import MetadataHelper
from provider import ProvidedService
from waiting import Failure, wait_for

DRAWING, IMAGE, LATER = "00A86B", "B03060", "4B5320"
STAR, MOON = "desktop-test.star", "desktop-test.moon"


def drawing(colour: str, more: str = "") -> bytes:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">{more}'
            f'<rect width="16" height="16" fill="#{colour}"/></svg>').encode()


def image(colour: str) -> bytes:
    return subprocess.run(["convert", "-size", "64x64", f"xc:#{colour}", "png:-"], capture_output=True, check=True).stdout


class PictureScenario(FolderScenario):
    FIRST = "synced"    # a badge that the file manager shows

    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.item, self.other = self.sync + "/a.txt", self.sync + "/b.txt"
        self.theme = pathlib.Path(desktop.home, ".data/icons/hicolor")

    def stored(self) -> list[pathlib.Path]:
        return sorted(self.theme.glob("*/emblems/roundel-picture.*"))

    def run(self) -> None:
        self.make_files(self.item, self.other)
        self.service.set_badge(self.item, self.FIRST)
        self.service.start()
        self.begin()
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("opened", [self.FIRST])
        self.hostile()
        self.shown()
        self.replaced()
        self.service.leave()
        wait_for("no pictures without their provider", lambda: not self.stored())
        self.end()

    def begin(self) -> None:
        """What has to run beside the service."""

    def hostile(self) -> None:
        try:
            self.service.store_picture("star", drawing(DRAWING, "<script>1</script>"))
        except GLib.Error as error:
            if "InvalidArgs" not in str(error):
                raise
        else:
            raise Failure("a drawing with a script was taken")
        if self.stored():
            raise Failure(f"there are {self.stored()}")

    def shown(self) -> None:
        self.star = self.service.store_picture("star", drawing(DRAWING))
        self.moon = self.service.store_picture("moon", image(IMAGE))
        if len(self.stored()) != 2:
            raise Failure(f"there are {self.stored()}")
        self.service.set_badge_images([(STAR, "Starred", self.star), (MOON, "Quiet", self.moon)])
        self.service.set_badge(self.item, STAR)
        self.service.set_badge(self.other, MOON)
        self.desktop.screen.wait_for_colour(DRAWING)
        self.desktop.screen.wait_for_colour(IMAGE)
        self.desktop.screen.wait_until_still()
        self.desktop.shoot("own pictures")

    def replaced(self) -> None:
        later = self.service.store_picture("star", drawing(LATER))
        self.service.set_badge_images([(STAR, "Starred", later), (MOON, "Quiet", self.moon)])
        self.desktop.screen.wait_for_colour(LATER)
        wait_for("the end of the former picture", lambda: not self.desktop.screen.grab().has(DRAWING))
        self.desktop.shoot("another picture")
        if len(self.stored()) != 2:
            raise Failure(f"there are {self.stored()}")


class MetadataPictureScenario(PictureScenario):
    """In Thunar, whose emblems the helper writes."""
    FIRST = "conflict"

    def begin(self) -> None:
        # The helper looks only into what is not plainly synced.
        self.service.set_badge(self.sync, "error")
        MetadataHelper(self.desktop).start()
