"""What a host with libroundel says of folders while no badge service has answered it.

ROUNDEL_PREFIX names an installation; `make test` makes one below build/.
"""
import pathlib
import re
import unittest
from typing import Any

from gi.repository import Gio, GLib
from session import Session, connect
from test_library import PREFIX, REGISTRY, ROOT, Program, build


class PlayedService:
    """A badge service that says one thing after another: its properties are not told until it is let to."""

    def __init__(self, session: Session, folder: pathlib.Path) -> None:
        self.asked: list[Any] = []
        self.folders = GLib.Variant("as", [folder.as_uri()])
        self.connection = connect(session.address)
        self.connection.set_exit_on_close(False)
        properties = """<node><interface name='org.freedesktop.DBus.Properties'><method name='GetAll'>
            <arg type='s' direction='in'/><arg type='a{sv}' direction='out'/></method></interface></node>"""
        host = (ROOT / "dbus/interfaces/org.roundel.Roundel1.Host.xml").read_text()
        host = re.sub(r"<property [^>]*/>|<property .*?</property>", "", host, flags=re.DOTALL)
        for xml in (properties, host):
            interface = Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]
            self.connection.register_object(REGISTRY[1], interface, self._on_call, None, None)
        allow_replacement, replace_existing = 1, 2
        self._call("org.freedesktop.DBus", "org.freedesktop.DBus", "RequestName",
                   GLib.Variant("(su)", (REGISTRY[0], allow_replacement | replace_existing)))

    def _call(self, bus_name: str, interface: str, member: str, arguments: GLib.Variant | None) -> None:
        self.connection.call_sync(bus_name, "/org/freedesktop/DBus", interface, member, arguments, None,
                                  Gio.DBusCallFlags.NONE, -1, None)

    def _on_call(self, _bus: Any, _sender: str, _path: str, _interface: str, method: str, _parameters: Any,
                 invocation: Any) -> None:
        if method == "GetAll":
            self.asked.append(invocation)
        else:
            invocation.return_dbus_error("org.roundel.Error.OfALaterVersion", "Something new.")

    def change_folders(self) -> None:
        """Returns when the host has received the change."""
        changed = GLib.Variant("(sa{sv}as)", ("org.roundel.Roundel1.Host", {"Folders": self.folders}, []))
        self.connection.emit_signal(None, REGISTRY[1], "org.freedesktop.DBus.Properties", "PropertiesChanged", changed)
        self._call(self.asked[-1].get_sender(), "org.freedesktop.DBus.Peer", "Ping", None)

    def answer(self, **properties: GLib.Variant) -> None:
        self.asked[-1].return_value(GLib.Variant("(a{sv})", ({"Folders": self.folders, **properties},)))


@unittest.skipUnless(PREFIX, "ROUNDEL_PREFIX does not name an installation")
class UnconnectedTests(unittest.TestCase):
    """What a host says of folders while it has no service, whatever it has heard of one."""

    def setUp(self) -> None:
        self.session = Session(PREFIX)
        self.addCleanup(self.session.close)
        self.folder = self.session.home / "Folder"
        self.service = PlayedService(self.session, self.folder)
        program = self.session.root / "host"
        build(ROOT / "Tests/Packaging/library-host.c", program)
        self.host = Program(self.session, program, "0")
        self.addCleanup(self.host.kill)
        self.session.wait_for("the first question", lambda: self.service.asked)

    def finds(self, folders: int) -> None:
        """How many folders there are now, by each function that says so."""
        count = len(self.host.told("folders"))
        self.host.say("folders")
        self.host.say("holds", self.folder)
        self.session.wait_for("answers", lambda: len(self.host.told("holds", self.folder)) > count)
        self.assertEqual(self.host.told("folders")[-1], [str(self.folder)] * folders)
        self.assertEqual(self.host.told("holds", self.folder)[-1], [str(folders)])

    def test_a_service_that_takes_over_is_not_known_before_its_answer(self) -> None:
        self.service.answer(Version=GLib.Variant("u", 1))
        self.session.wait_for("the service", lambda: self.host.told("connected", "1"))
        self.finds(1)
        second = PlayedService(self.session, self.folder)
        self.session.wait_for("the second question", lambda: second.asked)
        second.change_folders()
        self.finds(0)
        second.answer(Version=GLib.Variant("u", 1))
        self.session.wait_for("the second service", lambda: self.host.told("connected", "1")[1:])
        self.finds(1)
        self.assertEqual(self.host.told("folders-of-nobody"), [])

    def test_the_folders_of_a_service_without_a_version_are_not_found(self) -> None:
        self.service.answer()
        self.service.change_folders()
        self.finds(0)
        self.assertEqual(self.host.told("connected", "1"), [])


if __name__ == "__main__":
    unittest.main()
