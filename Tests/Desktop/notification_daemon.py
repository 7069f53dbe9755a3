"""A notification daemon for a test to play, as strict as the Desktop Notifications Specification 1.2 is."""
import xml.etree.ElementTree
from typing import Any

import wire
from desktop import Desktop
from gi.repository import Gio, GLib
from waiting import Failure, wait_for

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
XML = """<node><interface name='org.freedesktop.Notifications'>
 <method name='GetCapabilities'><arg type='as' direction='out'/></method>
 <method name='GetServerInformation'><arg type='s' direction='out'/><arg type='s' direction='out'/>
  <arg type='s' direction='out'/><arg type='s' direction='out'/></method>
 <method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>
  <arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/>
  <arg type='a{sv}' direction='in'/><arg type='i' direction='in'/><arg type='u' direction='out'/></method>
 <method name='CloseNotification'><arg type='u' direction='in'/></method>
 <signal name='NotificationClosed'><arg type='u'/><arg type='u'/></signal>
 <signal name='ActionInvoked'><arg type='u'/><arg type='s'/></signal>
 <signal name='ActivationToken'><arg type='u'/><arg type='s'/></signal>
</interface></node>"""
CATEGORIES = {"transfer", "transfer.error", "transfer.complete"}
EXPIRED, DISMISSED, CLOSED_BY_CALL = 1, 2, 3


class Notification:
    def __init__(self, number: int, title: str, text: str, actions: list[str], hints: dict[str, Any]) -> None:
        self.number = number
        self.title = title
        self.text = text
        self.actions = dict(zip(actions[::2], actions[1::2]))  # key → label
        self.urgency = hints.get("urgency")
        self.category = hints.get("category")

    def key(self, label: str) -> Any:
        for key, shown in self.actions.items():
            if shown == label:
                return key
        raise Failure(f"“{self.title}” has no action “{label}”, only {list(self.actions.values())}")


class NotificationDaemon:
    """Lives in the driver's main loop, on a connection of its own."""

    def __init__(self, desktop: Desktop, capabilities: Any = ("actions", "body", "body-markup")) -> None:
        self.desktop = desktop
        self.capabilities = list(capabilities)
        self.open: dict[int, Any] = {}          # number → Notification
        self.sent: list[Any] = []          # every Notification, replacements included
        self.pop_ups: list[Any] = []       # those that replaced nothing
        self.violations: list[str] = []
        self.connection: Any = None
        self.last = 0

    def start(self) -> None:
        self.connection = wire.connect(self.desktop.address)
        interface = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]
        self.connection.register_object(PATH, interface, self._on_call, None, None)
        Gio.bus_own_name_on_connection(self.connection, NAME, Gio.BusNameOwnerFlags.NONE, None, None)

    def stop(self) -> None:
        self.connection.close_sync(None)
        self.open = {}

    # What the person does

    def press(self, notification: Any, label: str, token: str = "token-of-the-click") -> None:
        """Presses a button. As most daemons do, the notification goes with it."""
        key = notification.key(label)
        self._emit("ActivationToken", "(us)", (notification.number, token))
        self._emit("ActionInvoked", "(us)", (notification.number, key))
        self._close(notification.number, DISMISSED)

    def dismiss(self, notification: Any, reason: int = DISMISSED) -> None:
        self._close(notification.number, reason)

    # What is on the screen

    def wait_for(self, part: Any) -> Any:
        """Waits for a notification whose title holds this; it."""
        try:
            return wait_for(f"a notification of “{part}”",
                            lambda: next((one for one in self.open.values() if part in one.title), None))
        except Failure as failure:
            raise Failure(f"{failure}; there are {[one.title for one in self.open.values()]}") from None

    def wait_until_gone(self, notification: Any) -> None:
        wait_for(f"the end of “{notification.title}”", lambda: notification.number not in self.open)

    # The bus

    def _close(self, number: int, reason: int) -> None:
        if self.open.pop(number, None):
            self._emit("NotificationClosed", "(uu)", (number, reason))

    def _emit(self, member: str, signature: str, values: Any) -> None:
        self.connection.emit_signal(None, PATH, NAME, member, GLib.Variant(signature, values))

    def _on_call(self, connection: Any, sender: str, path: str, interface: str, method: str, parameters: Any,
                 invocation: Any) -> None:
        getattr(self, f"_{method}")(invocation, *parameters.unpack())

    def _GetCapabilities(self, invocation: Any) -> None:
        invocation.return_value(GLib.Variant("(as)", (self.capabilities,)))

    def _GetServerInformation(self, invocation: Any) -> None:
        invocation.return_value(GLib.Variant("(ssss)", ("Test", "Roundel", "1", "1.2")))

    def _CloseNotification(self, invocation: Any, number: int) -> None:
        if number not in self.open:
            self.violations.append(f"closed {number}, which does not show")
        self._close(number, CLOSED_BY_CALL)
        invocation.return_value(None)

    def _Notify(self, invocation: Any, program: str, replaced: int, icon: str, title: str, text: str,
                actions: list[str], hints: dict[str, Any], _timeout: int) -> None:
        self._check(program, icon, title, text, actions, hints)
        if replaced and replaced not in self.open:
            self.violations.append(f"“{title}” replaces {replaced}, which does not show")
        if not replaced:
            self.last += 1
        notification = Notification(replaced or self.last, title, text, actions, hints)
        self.open[notification.number] = notification
        self.sent.append(notification)
        if not replaced:
            self.pop_ups.append(notification)
        invocation.return_value(GLib.Variant("(u)", (notification.number,)))

    def _check(self, program: str, icon: str, title: str, text: str, actions: list[str], hints: dict[str, Any]) -> None:
        expect = {
            "the program's name": program == "Roundel", "the icon": icon == "org.roundel.Roundel",
            "the desktop entry": hints.get("desktop-entry") == "org.roundel.Roundel",
            "the category": hints.get("category") in CATEGORIES,
            "the urgency": hints.get("urgency") in (0, 1, 2),
            "the title": title and "\n" not in title,
            "the actions": len(actions) % 2 == 0 and all(actions) and (not actions or "actions" in self.capabilities),
        }
        if "body-markup" in self.capabilities:
            expect["the markup"] = is_markup(text)
        self.violations += [f"“{title}”: {what} is wrong" for what, is_right in expect.items() if not is_right]


def is_markup(text: str) -> bool:
    """Whether a daemon that reads markup can show the text: each ampersand begins an entity, each tag is closed."""
    try:
        xml.etree.ElementTree.fromstring(f"<body>{text}</body>")
    except xml.etree.ElementTree.ParseError:
        return False
    return True
