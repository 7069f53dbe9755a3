"""What a screen reader sees of a window, and what it can do there: names, roles, and buttons that are clicked."""
import os
from collections.abc import Callable, Iterator
from typing import Any

import gi
from desktop import Desktop
from waiting import Failure, pump, wait_for

gi.require_version("Atspi", "2.0")

from gi.repository import Atspi, GLib

# So many keys lead around a window.
TABS = 40


class Accessible:
    """The windows of one program, as AT-SPI shows them."""

    def __init__(self, desktop: Desktop, program: str) -> None:
        # The library looks for the bus of this desktop where a program of it would, and once alone.
        for name in ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_RUNTIME_DIR"):
            os.environ[name] = desktop.environment[name]
        self.desktop = desktop
        self.program = program
        Atspi.init()
        # What is asked for is asked for anew: a test is to see what is there now.
        Atspi.get_desktop(0).set_cache_mask(Atspi.Cache.NONE)

    def all(self) -> Iterator[Any]:
        """Every object of the program that is visible, on whichever page, parents first."""
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            program = desktop.get_child_at_index(index)
            if program and program.get_name() == self.program:
                yield from self._below(program)

    def _below(self, parent: Any) -> Iterator[Any]:
        for index in range(parent.get_child_count()):
            child = parent.get_child_at_index(index)
            if child is None:
                continue
            # What is on a page of a stack that is not shown counts as visible as well.
            if child.get_state_set().contains(Atspi.StateType.VISIBLE) or parent.get_role_name() == "application":
                yield child
                yield from self._below(child)

    def find(self, role: str, name: str | Callable[[str], bool], is_clicked: bool = False) -> Any:
        """The first object with this role, and with this name or one of which that holds; None for none."""
        try:
            for found in self.all():
                if (found.get_role_name() == role
                        and (name(found.get_name()) if callable(name) else found.get_name() == name)
                        and (not is_clicked or self._has_click(found))):
                    return found
        except GLib.Error:  # it changed while it was looked at
            return None
        return None

    def wait_for(self, role: str, name: str | Callable[[str], bool]) -> Any:
        try:
            return wait_for(f"a {role} {name if isinstance(name, str) else ''}", lambda: self.find(role, name))
        except Failure as failure:
            raise Failure(f"{failure}; there are:\n" + "\n".join(self.lines())) from None

    def wait_until_gone(self, role: str, name: str | Callable[[str], bool]) -> None:
        wait_for(f"no {role} {name if isinstance(name, str) else ''}", lambda: not self.find(role, name))

    def click(self, role: str, name: str | Callable[[str], bool]) -> None:
        """Does what a click does, by the action that a screen reader uses."""
        # A button with a menu has another one in it, which is the one that is clicked.
        try:
            found = wait_for(f"a {role} {name if isinstance(name, str) else ''} that can be clicked",
                             lambda: self.find(role, name, is_clicked=True))
        except Failure as failure:
            raise Failure(f"{failure}; there are:\n" + "\n".join(self.lines())) from None
        if not found.do_action(0):
            raise Failure(f"the {role} {found.get_name()} cannot be clicked")

    def type(self, name: str, text: str) -> None:
        """Writes into the entry with this name."""
        entry = wait_for(f"the entry {name}", lambda: next(
            (found for found in self.all() if found.get_name() == name and found.get_editable_text_iface()), None))
        entry.set_text_contents(text)

    def text(self, name: str) -> str:
        """What is in the entry or the view of text with this name."""
        found = wait_for(f"the text {name}", lambda: next(
            (found for found in self.all()
             if found.get_name() == name and found.get_role_name() != "label" and found.get_text_iface()), None))
        return str(Atspi.Text.get_text(found, 0, Atspi.Text.get_character_count(found)))

    def toggle(self, role: str, name: str) -> None:
        """Has the keyboard change a switch or a check mark: not every one has an action."""
        found = self.wait_for(role, name)
        for _ in range(TABS):
            if found.get_state_set().contains(Atspi.StateType.FOCUSED):
                break
            self.desktop.screen.keys("Tab")
            pump(0.2)
        else:
            raise Failure(f"the keyboard does not lead to the {role} {name}")
        self.desktop.screen.keys("space")

    @staticmethod
    def _has_click(found: Any) -> bool:
        return found.get_action_iface() is not None and "click" in (found.get_action_name(index)
                                                                     for index in range(found.get_n_actions()))

    def lines(self) -> list[str]:
        try:
            return [f"{found.get_role_name()}: {found.get_name()}" for found in self.all()]
        except GLib.Error as error:
            return [f"unknown: {error}"]
