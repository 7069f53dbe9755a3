"""Menus in a real file manager, opened by real clicks: of one item, of several, and of the folder's background (F9, F10);
what the provider is asked and told, and what becomes of a menu whose provider, or whose service, went away (E7)."""
from typing import Any

import wire
from desktop import COLOURS, Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from marks import MARK, TEXT, marks, open_marked_menu, wait_for_marks
from menu_provider import ITEMS, LINK, MenuProvider, Values, entry, separator
from provider import ProvidedService
from screen import Box, Picture
from waiting import Failure, pump, wait_for


def marked(identifier: str, label: str, **more: Any) -> Values:
    return entry(identifier, f"{MARK} {label}", **more)


class MenuScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.provider = MenuProvider(service, self.offer)
        self.provider.clipboard["link"] = LINK
        self.paths = {name: f"{self.sync}/{name}" for name in ("a.txt", "b.txt", "c.txt")}
        self.places: dict[str, tuple[int, int]] = {}
        self.offered = ["sync", "keep", "off", "more", "last"]

    # The provider

    def offer(self) -> list[Values]:
        kept = self.provider.chosen.count("keep") % 2 == 0
        children = [marked("link", "Copy_Link"), marked("nested", "Nested", children=[marked("deep", "Deep")])]
        entries = {
            "sync": marked("sync", "Sync_Now", icon="view-refresh"),
            "keep": marked("keep", "Keep", checked=kept),
            "off": marked("off", "Not Now", enabled=False),
            "more": marked("more", "More", children=children),
            "last": marked("last", "Last"),
        }
        items = [entries[name] for name in self.offered]
        return [items[0], separator(id="line"), *items[1:]]

    def prepare(self) -> None:
        outside = self.desktop.home / "Outside"
        self.make_files(*self.paths, str(outside / "o.txt"))
        for path, badge in zip(self.paths.values(), ("synced", "error", "conflict")):
            self.service.set_badge(path, badge)
        self.service.start()
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("opened", ["synced", "error", "conflict"])
        picture = self.screen.wait_until_still()
        for name, badge in zip(self.paths, ("synced", "error", "conflict")):
            self.places[name] = picture.boxes(COLOURS[badge])[0].centre

    # Clicks

    def background_place(self) -> tuple[int, int]:
        box = self.screen.window_box(self.screen.windows(self.file_manager.window_class)[0])
        return box.right - 100, box.bottom - 100

    def open_menu(self, place: tuple[int, int]) -> dict[str, Box]:
        """Right-clicks, and gives the places of our entries by their names."""
        self.provider.asked.clear()
        found = open_marked_menu(self.screen, lambda: self.screen.right_click(*place), len(self.offered))
        return dict(zip(self.offered, found))

    def close_menu(self) -> None:
        """Popovers and menus take it differently long; a menu that is gone leaves the window as it was."""
        self.screen.keys("Escape")
        self.screen.wait_until_still()

    def uris(self, *names: str) -> list[str]:
        return sorted(wire.uri(self.paths[name]) for name in names)

    def expect_asked(self, kind: int, selection: list[str]) -> None:
        self.provider.expect_asked(kind, wire.uri(self.sync), selection)

    def expect_activated(self, item: str, selection: list[str]) -> None:
        self.provider.expect_click(item, wire.uri(self.sync), selection)
        self.screen.wait_until_still()

    def choose(self, places: dict[str, Box], name: str, selection: list[str]) -> None:
        self.screen.click(*places[name].centre)
        self.expect_activated(name, selection)

    # Steps

    def first_right_click(self) -> None:
        """The first one of the process has the entries, though nothing could be asked before it."""
        places = self.open_menu(self.places["a.txt"])
        self.desktop.shoot("first right click")
        self.expect_asked(ITEMS, self.uris("a.txt"))
        self.choose(places, "sync", self.uris("a.txt"))

    def selected_item(self) -> None:
        """Selected before, so that the file manager may have asked before it opens the menu."""
        self.screen.click(*self.places["b.txt"])
        self.screen.wait_until_still()
        places = self.open_menu(self.places["b.txt"])
        self.desktop.shoot("menu of a selected item")
        self.choose(places, "last", self.uris("b.txt"))

    def late_provider(self) -> None:
        """The menu says whom it waits for, and fills itself while it is open; nobody asks again."""
        self.screen.click(*self.background_place())
        before = self.screen.wait_until_still()
        self.provider.asked.clear()
        self.provider.late, self.provider.lateness = 1, 4000
        self.screen.right_click(*self.places["c.txt"])
        wait_for("the provider to be asked for the item", lambda: any(asked[2] for asked in self.provider.asked))
        wait_for("a menu", lambda: self.opened_beside(before, self.places["c.txt"]))
        picture = self.screen.wait_until_still()
        self.desktop.shoot("late provider")
        if marks(picture, picture.difference(before) or Box(0, 0, 0, 0)):
            raise Failure("the late provider's entries are there already")
        found = wait_for_marks(self.screen, before, len(self.offered))
        self.desktop.shoot("late provider has answered")
        asked = [question for question in self.provider.asked if question[2] == self.uris("c.txt")]
        if len(asked) != 1:
            raise Failure(f"the late provider was asked {len(asked)} times")
        self.screen.click(*found[-1].centre)
        self.expect_activated("last", self.uris("c.txt"))

    def disabled_entry(self) -> None:
        places = self.open_menu(self.places["b.txt"])
        self.screen.click(*places["off"].centre)
        pump(0.5)
        self.provider.expect_idle()
        self.close_menu()

    def submenu(self) -> None:
        places = self.open_menu(self.places["c.txt"])
        before = self.screen.wait_until_still()
        self.screen.click(*places["more"].centre)
        inside = wait_for_marks(self.screen, before, 2 + self.slides(places))
        self.desktop.shoot("submenu")
        self.screen.click(*inside[self.slides(places)].centre)
        self.expect_activated("link", self.uris("c.txt"))
        self.screen.expect_clipboard(LINK)

    def slides(self, places: dict[str, Box]) -> int:
        """Nautilus shows a submenu in the place of its menu, with the name of the entry that led there above it."""
        return 1 if self.file_manager.name == "nautilus" else 0

    def check_mark(self) -> None:
        """An action that has finished changes the menu: the next right click shows it."""
        checked = self.open_menu(self.places["a.txt"])
        self.desktop.shoot("checked")
        self.ink = self.ink_left_of(checked["keep"])
        self.choose(checked, "keep", self.uris("a.txt"))
        wait_for("another question", lambda: self.file_manager.name == "nemo" or self.provider.asked)
        self.screen.wait_until_still()
        unchecked = self.open_menu(self.places["a.txt"])
        if self.ink_left_of(unchecked["keep"]) >= self.ink:
            raise Failure("the check mark is still there")
        self.desktop.shoot("unchecked")
        self.choose(unchecked, "keep", self.uris("a.txt"))

    def ink_left_of(self, mark: Box) -> int:
        """Pixels of a check mark, or of its empty box, beside a label."""
        picture = self.screen.grab()
        return sum(1 for y in range(mark.top, mark.bottom) for x in range(mark.left - 26, mark.left - 2)
                   if int(picture.at(x, y)[:2], 16) in TEXT)

    def several_items(self) -> None:
        self.screen.click(*self.background_place())
        self.screen.keys("ctrl+a")
        self.screen.wait_until_still()
        places = self.open_menu(self.places["b.txt"])
        self.desktop.shoot("menu of several items")
        self.choose(places, "last", self.uris(*self.paths))

    def background(self) -> None:
        self.screen.click(*self.background_place())
        self.screen.wait_until_still()
        places = self.open_menu(self.background_place())
        self.desktop.shoot("background menu")
        self.choose(places, "sync", [])

    def provider_starts_again(self) -> None:
        """Until the file manager observes the folder again, it has taken the entries for those of somebody gone."""
        told = len(self.service.told)
        self.service.leave()
        self.service.join()
        wait_for("observing again", lambda: len(self.service.told) > told)
        self.screen.wait_until_still()

    def provider_comes_back(self) -> None:
        """The menu on the screen died with its provider. The same entry of a new one is what was meant."""
        places = self.open_menu(self.places["a.txt"])
        self.provider_starts_again()
        self.choose(places, "sync", self.uris("a.txt"))
        self.file_manager.expect_shown("provider back", ["synced", "error", "conflict"])

    def entry_is_gone(self) -> None:
        """The same, but what was meant is there no more."""
        places = self.open_menu(self.places["b.txt"])
        self.offered.remove("last")
        self.provider_starts_again()
        if self.is_marked(places["last"]):
            self.screen.click(*places["last"].centre)
            wait_for("another question", lambda: len(self.provider.asked) > 1)
            pump(0.3)
        else:
            print("  the entry left the open menu", flush=True)
        self.provider.expect_idle()
        self.close_menu()  # where the file manager has taken the action away itself, the entry is dead and the menu stays
        self.file_manager.expect_shown("entry gone", ["synced", "error", "conflict"])

    def is_marked(self, place: Box) -> bool:
        """Whether the entry is still there. A file manager that had the answer before it opened the menu may lay it out again
        without what is gone; what stands at the place then is another entry."""
        return marks(self.screen.wait_until_still(), place) == [place]

    def nobody_answers(self) -> None:
        """The file manager opens its menu all the same, and the entries come with the answer."""
        self.screen.click(*self.background_place())
        self.offered = ["sync"]
        before = self.screen.wait_until_still()
        self.service.play_dead()
        self.screen.right_click(*self.places["c.txt"])
        wait_for("a menu", lambda: self.opened_beside(before, self.places["c.txt"]))
        self.desktop.shoot("nobody answers")
        self.close_menu()
        self.service.wake()
        self.screen.wait_until_still()

    def opened_beside(self, before: Picture, place: tuple[int, int]) -> bool:
        box = self.screen.grab().difference(before)
        return box is not None and box.bottom - place[1] > 100

    def service_is_gone(self) -> None:
        self.service.stop()
        self.file_manager.expect_nothing_shown("service gone")
        for place in (self.places["a.txt"], self.background_place()):
            self.screen.click(*self.background_place())
            before = self.screen.wait_until_still()
            self.screen.right_click(*place)
            wait_for("a menu", lambda: self.screen.grab().difference(before))
            picture = self.screen.wait_until_still()
            box = picture.difference(before)
            if box is None or marks(picture, box):
                raise Failure("the menu has entries of a service that is gone")
            self.desktop.shoot("menu without a service")
            self.close_menu()
        self.service.start()
        self.file_manager.expect_shown("service back", ["synced", "error", "conflict"])
        self.screen.click(*self.background_place())
        places = self.open_menu(self.places["a.txt"])
        self.choose(places, "sync", self.uris("a.txt"))

    def run(self) -> None:
        self.prepare()
        self.first_right_click()
        self.late_provider()
        self.selected_item()
        self.disabled_entry()
        self.submenu()
        self.check_mark()
        self.several_items()
        self.background()
        self.provider_comes_back()
        self.entry_is_gone()
        self.nobody_answers()
        self.service_is_gone()
        self.file_manager.close()
        self.file_manager.leave()
        self.said_what_it_had_to()

    def said_what_it_had_to(self) -> None:
        """One entry was chosen that was there no more; the plugin says so, if the file manager does not find out by itself,
        and nothing else."""
        name = self.file_manager.name
        said = [line for line in self.desktop.log(name).splitlines()
                if f"roundel-{name}" in line or "plugin response" in line]
        if len(said) > 1 or any("chosen too late" not in line for line in said):
            raise Failure(f"{name} says: {said}")
        checker = self.file_manager.checker
        if checker and checker.complaints():
            raise Failure(f"{type(checker).__name__} says: " + "\n".join(checker.complaints()))

    def explain(self) -> list[str]:
        return self.provider.explain()
