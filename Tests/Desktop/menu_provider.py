"""What the played provider offers in menus and says of items: set by a scenario, with all that it was asked and told."""
from collections.abc import Callable, Container
from typing import Any

import wire
from gi.repository import GLib
from provider import ProvidedService
from waiting import Failure, wait_for

ITEMS, CONTAINER, SIDEBAR, TOOLBAR = range(4)
UNKNOWN, IDLE, SYNCING, ATTENTION, ERROR, PAUSED = range(6)
FAILED = "org.roundel.Error.ProviderFailed"
LINK = "https://example.org/s/täglich?a=1&b=2"
LATE = 150  # milliseconds: three times as long as the service waits for a menu before it answers without the provider

Values = dict[str, GLib.Variant]
Question = tuple[int, str, list[str]]
Activation = tuple[str, str, list[str], dict[str, Any]]  # item, target, selection, options
SIGNATURES = {bool: "b", str: "s", list: "aa{sv}"}


def entry(identifier: str, label: str, **more: Any) -> Values:
    """One item of a menu; `more` are its icon, checked, enabled and children."""
    return {key: GLib.Variant(SIGNATURES[type(value)], value)
            for key, value in {"id": identifier, "label": label, **more}.items()}


def separator(**more: str) -> Values:
    return {key: GLib.Variant("s", value) for key, value in {**more, "type": "separator"}.items()}


class MenuProvider:
    """Answers for the provider that is played to the real service."""

    def __init__(self, service: ProvidedService, offer: Callable[[], list[Values]] | None = None,
                 kinds: Container[int] = range(4)) -> None:
        self.service = service
        self.kinds = kinds                      # of menus in which it offers something
        self.menu: list[Values] = []            # what it offers …
        self.offer = offer or (lambda: self.menu)  # … unless a scenario makes it anew each time
        self.asked: list[Question] = []         # kind, target and selection of each menu
        self.activated: list[Activation] = []   # what was chosen and not looked at yet
        self.chosen: list[str] = []             # the ids of all that was ever chosen
        self.clipboard: dict[str, str] = {}     # the texts that items make for the clipboard, by their ids
        self.refusal = ""                       # the text with which what is activated fails
        self.late = 0                           # how many answers come after the service has stopped waiting for them
        self.lateness = LATE                    # in milliseconds
        self.attributes: Values = {}            # of every item
        self.described: list[str] = []          # URIs whose attributes were asked for
        service.answers.update(GetMenu=self._give_menu, Activate=self._activate, GetAttributes=self._describe)

    def set_status(self, folder: str, state: int, text: str = "", progress: int = 255) -> None:
        self.service.call("SetFolderStatus", "(susya{sv})", (wire.uri(folder), state, text, progress, {}))

    def expect_asked(self, kind: int, target: str, selection: list[str]) -> None:
        """Among other menus this one was asked for."""
        question = (kind, target, sorted(selection))
        if question not in self.asked:
            raise Failure(f"the provider was asked {self.asked}, not {question}")

    def expect_asked_alone(self, kind: int, target: str, selection: list[str]) -> None:
        """No other menu was asked for; this one may have been several times."""
        self.expect_asked(kind, target, selection)
        if any(question != self.asked[0] for question in self.asked):
            raise Failure(f"the provider was asked {self.asked}")
        self.asked.clear()

    def expect_asked_once(self, kind: int, target: str, selection: list[str]) -> None:
        """No other menu was asked for, and this one once."""
        count = len(self.asked)
        self.expect_asked_alone(kind, target, selection)
        if count != 1:
            raise Failure(f"the provider was asked {count} times")

    def expect_click(self, item: str, target: str, selection: list[str]) -> None:
        """Waits for an action, which says from which click in which window it comes."""
        wait_for(f"the action {item}", lambda: self.activated)
        activated, *place, options = self.activated.pop()
        if (activated, *place) != (item, target, sorted(selection)):
            raise Failure(f"activated {activated} on {place}, not {item} on {target} {selection}")
        if not options.get("timestamp") or not options.get("parent-window", "").startswith("x11:"):
            raise Failure(f"nothing is said of the click: {options}")

    def expect_idle(self) -> None:
        """Nothing was activated that cannot be."""
        if self.activated:
            raise Failure(f"activated {self.activated}")

    def explain(self) -> list[str]:
        return [f"asked: {self.asked[-4:]}", f"activated: {self.activated[-4:]}"]

    def _give_menu(self, invocation: Any, kind: int, target: str, selection: list[str], _options: dict[str, Any]) -> None:
        self.asked.append((kind, target, sorted(selection)))
        answer = GLib.Variant("(aa{sv}a{sv})", (self.offer() if kind in self.kinds else [], {}))
        if self.late:
            self.late -= 1
            GLib.timeout_add(self.lateness, lambda: bool(invocation.return_value(answer)))
        else:
            invocation.return_value(answer)

    def _activate(self, invocation: Any, item: str, target: str, selection: list[str], options: dict[str, Any]) -> None:
        self.activated.append((item, target, sorted(selection), options))
        self.chosen.append(item)
        if self.refusal:
            invocation.return_dbus_error(FAILED, self.refusal)
        else:
            extra = {"clipboard": GLib.Variant("s", self.clipboard[item])} if item in self.clipboard else {}
            invocation.return_value(GLib.Variant("(a{sv})", (extra,)))

    def _describe(self, invocation: Any, uri: str, _keys: list[str], _options: dict[str, Any]) -> None:
        self.described.append(uri)
        invocation.return_value(GLib.Variant("(a{sv}a{sv})", (self.attributes, {})))
