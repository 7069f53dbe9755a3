"""What the tray's scenarios have the played provider say and offer."""
from gi.repository import GLib

import wire

UNKNOWN, IDLE, SYNCING, ATTENTION, ERROR, PAUSED = range(6)

# The fills of the tray's icons, from Icons/hicolor/scalable/status.
COLOURS = {"synced": "2E7ADB", "paused": "727B89", "error": "E43640", "attention": "BB6309"}


def entry(identifier, label, **more):
    """One item of a provider's menu."""
    item = {"id": GLib.Variant("s", identifier), "label": GLib.Variant("s", label)}
    for name, value in more.items():
        signature = {bool: "b", str: "s", list: "aa{sv}"}[type(value)]
        item[name] = GLib.Variant(signature, value)
    return item


class TrayProvider:
    """A provider whose menu can be set and that remembers what was chosen; `service` is the real one, played to."""

    def __init__(self, service):
        self.service = service
        self.menu = []
        self.asked = 0
        self.late = 0       # how many answers come after the service has stopped waiting for them
        self.chosen = []    # (item, options)
        service.answers["GetMenu"] = self._give_menu
        service.answers["Activate"] = self._choose

    def set_status(self, folder, state, text="", progress=255):
        self.service._call("SetFolderStatus", "(susya{sv})", (wire.uri(folder), state, text, progress, {}))

    def _give_menu(self, invocation, kind, target, selection, options):
        self.asked += 1
        answer = GLib.Variant("(aa{sv}a{sv})", (self.menu if kind == 3 else [], {}))
        if self.late:
            self.late -= 1
            GLib.timeout_add(150, lambda: bool(invocation.return_value(answer)))
        else:
            invocation.return_value(answer)

    def _choose(self, invocation, item, target, selection, options):
        self.chosen.append((item, options))
        invocation.return_value(GLib.Variant("(a{sv})", ({},)))
