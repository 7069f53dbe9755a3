"""Dolphin's context menus, opened by real clicks, of one item, of several, and of the folder's background (F9, F10): what
the provider is asked and told, what becomes of an entry whose menu has died, and where an error is said (E7)."""
from typing import Any

import wire
from desktop import COLOURS, Desktop
from file_manager import FileManager
from folder_scenario import FolderScenario
from menu_provider import CONTAINER, ITEMS, LINK, MenuProvider, Values, entry, separator
from provider import ProvidedService
from screen import Box
from waiting import Failure, pump, wait_for

# The icon of each entry is a square of its own colour, by which it is found and clicked.
ENTRIES = {"sync": "3B7A57", "off": "5D3FD3", "keep": "C19A6B", "more": "4F6D12", "link": "0FB5A7", "deep": "A7340F",
           "last": "7F1734"}
LEAST_BAR_WIDTH = 300  # of the bar in which Dolphin says an error


def coloured(name: str, label: str, **more: Any) -> Values:
    return entry(name, label, icon=f"menu-{name}", **more)


class DolphinMenuScenario(FolderScenario):
    def __init__(self, desktop: Desktop, service: ProvidedService, file_manager: FileManager) -> None:
        super().__init__(desktop, service, file_manager)
        self.provider = MenuProvider(service, self.offer)
        self.provider.clipboard["link"] = LINK
        self.item = self.sync + "/a.txt"
        self.other = self.sync + "/b.txt"
        self.places: list[tuple[int, int]] = []     # of the two items
        self.offered = list(ENTRIES)

    # The provider

    def offer(self) -> list[Values]:
        children = [coloured("link", "Copy Link"),
                    coloured("nested", "Nested", children=[coloured("deep", "Deep Inside")])]
        items = [coloured("sync", "Sync Now"), coloured("off", "Not Now", enabled=False), separator(id="line"),
                 coloured("keep", "Keep & Pin", checked=True), coloured("more", "More", children=children),
                 coloured("last", "Last")]
        return [item for item in items if item["id"].get_string() in [*self.offered, "line"]]

    def prepare(self) -> None:
        self.make_files(self.item, self.other, str(self.desktop.home / "outside.txt"))
        for path, badge in ((self.item, "synced"), (self.other, "error"), (self.sync, "conflict")):
            self.service.set_badge(path, badge)
        for name, colour in ENTRIES.items():
            self.desktop.add_test_icon(f"menu-{name}", colour)
        self.service.start()
        self.file_manager.open(self.sync)
        self.file_manager.expect_shown("opened", ["synced", "error"])
        picture = self.screen.wait_until_still()
        # On the icons, beside the overlays. Later they are drawn in other colours, where they are selected.
        self.places = [(box.left - 20, box.top) for badge in ("synced", "error")
                       for box in picture.boxes(COLOURS[badge])]

    # Clicks

    def window_box(self) -> Box:
        return self.screen.window_box(self.screen.windows(self.file_manager.window_class)[0])

    def open_item_menu(self) -> dict[str, Box]:
        return self.open_menu(lambda: self.screen.right_click(*self.places[0]))

    def open_background_menu(self) -> dict[str, Box]:
        return self.open_menu(self.right_click_background)

    def right_click_background(self) -> None:
        box = self.window_box()
        self.screen.right_click(box.right - 120, box.bottom - 120)

    def open_menu(self, open_it: Any) -> dict[str, Box]:
        """Opens a menu that has the provider's entries; where the icon of each is. On a busy machine this provider may be
        late, and completes the menu while it is open."""
        self.provider.asked.clear()
        open_it()
        return self.menu_entries()

    def go_up(self, what: str) -> None:
        """Dolphin selects the folder that it comes from, which then is drawn in other colours."""
        self.screen.keys("alt+Up")
        self.screen.wait_until_still(1)
        self.screen.keys("Escape")
        self.file_manager.expect_shown(what, ["conflict"])

    def menu_entries(self) -> dict[str, Box]:
        wait_for("the provider's entries", lambda: self.screen.grab().has(ENTRIES["sync"]))
        picture = self.screen.wait_until_still()
        return {name: boxes[0] for name, colour in ENTRIES.items() if (boxes := picture.boxes(colour))}

    def close_menu(self) -> None:
        self.screen.keys("Escape")
        self.wait_for_no_menu()
        self.screen.keys("Escape")

    def wait_for_no_menu(self) -> None:
        wait_for("the end of the menu", lambda: not self.screen.grab().has(ENTRIES["sync"]))

    def expect_asked(self, kind: int, selection: list[str]) -> None:
        self.provider.expect_asked_once(kind, wire.uri(self.sync), selection)

    def expect_activated(self, item: str, selection: list[str]) -> None:
        self.provider.expect_click(item, wire.uri(self.sync), selection)
        self.wait_for_no_menu()

    # Steps

    def item_menu(self) -> None:
        """The very first menu of the process, too: it knows nothing of the service when it is opened."""
        places = self.open_item_menu()
        self.desktop.shoot("item menu")
        self.expect_asked(ITEMS, [wire.uri(self.item)])
        if "off" in places:
            raise Failure("the icon of a disabled entry is drawn in full colour")
        order = [places[name].top for name in ("sync", "more", "last")]
        if order != sorted(order) or len({box.left for name, box in places.items() if name != "keep"}) != 1:
            raise Failure(f"the entries stand at {places}")
        self.screen.click(*places["sync"].centre)
        self.expect_activated("sync", [wire.uri(self.item)])

    def disabled_entry(self) -> None:
        places = self.open_item_menu()
        self.screen.click(places["sync"].centre[0] + 30, 2 * places["sync"].centre[1] - self.above(places["sync"]))
        pump(0.5)
        self.provider.expect_idle()
        self.close_menu()
        self.provider.asked.clear()

    def above(self, box: Box) -> int:
        """The middle of the entry above one: entries are equally high."""
        return box.centre[1] - (box.bottom - box.top + 12)

    def submenu(self) -> None:
        places = self.open_item_menu()
        self.screen.click(*places["more"].centre)
        self.screen.wait_for_colour(ENTRIES["link"])
        self.desktop.shoot("submenu")
        self.screen.click_colour(ENTRIES["link"])
        self.expect_activated("link", [wire.uri(self.item)])
        self.screen.expect_clipboard(LINK)
        self.provider.asked.clear()

    def several_items(self) -> None:
        """Asked for all of the selection."""
        self.screen.click(*self.places[1])
        self.screen.keys("ctrl+a")
        self.screen.wait_until_still()
        places = self.open_menu(lambda: self.screen.keys("Menu"))
        self.desktop.shoot("menu of several items")
        both = [wire.uri(self.item), wire.uri(self.other)]
        self.expect_asked(ITEMS, both)
        self.screen.click(*places["last"].centre)
        self.expect_activated("last", both)
        self.screen.keys("Escape")

    def background(self) -> None:
        places = self.open_background_menu()
        self.desktop.shoot("background menu")
        self.expect_asked(CONTAINER, [])
        self.screen.click(*places["sync"].centre)
        self.expect_activated("sync", [])

    def nested_submenu(self) -> None:
        places = self.open_item_menu()
        self.screen.click(*places["more"].centre)
        self.screen.wait_for_colour(ENTRIES["link"])
        self.screen.keys("Up", "Right")
        self.screen.wait_for_colour(ENTRIES["deep"])
        self.desktop.shoot("nested submenu")
        self.screen.click_colour(ENTRIES["deep"])
        self.expect_activated("deep", [wire.uri(self.item)])
        self.provider.asked.clear()

    def failing_action(self) -> None:
        """Dolphin says it in the bar above the files; the person goes on meanwhile."""
        self.provider.refusal = "The server does not let you: ask the owner of the folder."
        before = self.screen.wait_until_still()
        self.screen.click(*self.open_background_menu()["sync"].centre)
        self.expect_activated("sync", [])
        self.screen.move(5, 5)

        def bar() -> bool:
            box = self.screen.wait_until_still().difference(before)
            return box is not None and box.right - box.left > LEAST_BAR_WIDTH
        wait_for("an error that is shown", bar)
        self.desktop.shoot("failed action")
        self.provider.refusal = ""
        self.go_up("parent")
        self.screen.keys("alt+Left")
        self.file_manager.expect_shown("without the error", ["synced", "error"])
        self.provider.asked.clear()

    def stale_menu(self) -> None:
        """Its provider died while it was open. What is chosen is asked for again, and done by the one that came after."""
        places = self.open_background_menu()
        self.service.leave()
        self.service.join()
        self.screen.click(*places["sync"].centre)
        self.expect_activated("sync", [])
        # Once for the menu and once for what was chosen in it, or again where this provider was too late.
        if len(self.provider.asked) < 2:
            raise Failure(f"asked {self.provider.asked}")
        self.provider.asked.clear()

    def stale_and_gone(self) -> None:
        """What is no longer offered is not done, and that is said."""
        places = self.open_background_menu()
        self.service.leave()
        self.offered.remove("sync")
        self.service.join()
        self.screen.click(*places["sync"].centre)
        wait_for("another question", lambda: len(self.provider.asked) >= 2)
        self.screen.move(5, 5)
        self.screen.wait_until_still(1)
        self.desktop.shoot("no longer offered")
        self.provider.expect_idle()
        self.offered.insert(0, "sync")
        self.provider.asked.clear()

    def silent_service(self) -> None:
        """A menu without an answer is a menu without our entries; it opens as fast as ever. The answers come when there are
        no such menus any more: the second one has taken the place of the first."""
        self.service.play_dead()
        for what in ("menu without an answer", "another menu without an answer"):
            before = self.screen.wait_until_still()
            self.right_click_background()
            wait_for("a menu", lambda: self.screen.grab().difference(before))
            menu = self.screen.wait_until_still()
            self.desktop.shoot(what, picture=menu)
            self.screen.keys("Escape")
            wait_for("the end of the menu", lambda: self.screen.grab().difference(menu))
        if self.provider.asked:
            raise Failure(f"asked {self.provider.asked}")
        self.service.wake()
        wait_for("the questions that have waited", lambda: len(self.provider.asked) >= 2)
        self.provider.asked.clear()

    def at_the_edge(self) -> None:
        """The menu grows when the entries come, and stays on the screen."""
        window = self.screen.windows(self.file_manager.window_class)[0]
        self.desktop.spawn("xdotool", ["xdotool", "windowmove", window, "200", "230"]).wait()
        self.screen.wait_until_still()
        places = self.open_background_menu()
        self.desktop.shoot("menu at the edge")
        self.screen.click(*places["last"].centre)
        self.expect_activated("last", [])
        self.provider.asked.clear()

    def outside(self) -> None:
        """The service is not called for what is not in a folder of its."""
        self.go_up("outside")
        said = self.desktop.monitor_log.stat().st_size
        before = self.screen.wait_until_still()
        self.right_click_background()
        wait_for("a menu", lambda: self.screen.grab().difference(before))
        self.screen.wait_until_still()
        self.screen.keys("Escape")
        if self.desktop.monitor_log.stat().st_size != said:
            raise Failure("the service was called for the menu of a folder that is not its own")

    def run(self) -> None:
        self.prepare()
        self.item_menu()
        self.disabled_entry()
        self.submenu()
        self.nested_submenu()
        self.several_items()
        self.background()
        self.failing_action()
        self.stale_menu()
        self.stale_and_gone()
        self.silent_service()
        self.at_the_edge()
        self.outside()
        self.end()

    def explain(self) -> list[str]:
        return self.provider.explain()
