"""A stand-in for the service: as much of the Host interface as a plugin for emblems uses, strict about its contract."""
import os
import signal

from gi.repository import Gio, GLib

import wire


class StandIn:
    """Lives in the driver's main loop, on a bus connection of its own that is closed to make the service die."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.connection = None
        self.folders = []          # paths
        self.badges = {}           # directory path → {name: (state, flags, progress)}
        self.violations = []       # what a host did against the contract
        self.requests = []         # (method, directory uri, number of names)
        self.observed = {}         # directory uri → count
        self.host = None           # unique name of the one host that calls
        self.held = None           # calls that are not answered yet, while it plays dead

    def start(self):
        self.observed, self.host = {}, None
        flags = (Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        self.connection = Gio.DBusConnection.new_for_address_sync(self.desktop.address, flags, None, None)
        interface = Gio.DBusNodeInfo.new_for_xml(wire.HOST_XML).interfaces[0]
        self.connection.register_object(wire.OBJECT_PATH, interface, self._on_call, self._on_get, None)
        Gio.bus_own_name_on_connection(self.connection, wire.BUS_NAME, Gio.BusNameOwnerFlags.NONE, None, None)

    def stop(self):
        if self.connection is not None:
            self.connection.close_sync(None)
        self.connection = None

    def set_badge(self, path, state, flags=0, progress=255):
        """Records the value, and tells it if the directory is observed."""
        directory, name = os.path.split(path)
        self.badges.setdefault(directory, {})[name] = (state, flags, progress)
        uri = wire.uri(directory)
        if self.connection is not None and self.observed.get(uri):
            self._emit("BadgesChanged", "(sasasauaya{sv})",
                       (uri, [wire.encode(name)], [state], [flags], [progress], {}))

    def tell_directory(self, directory):
        """Tells every value of a directory in one signal."""
        items = self._items(wire.uri(directory))
        columns = [list(column) for column in zip(*items.values())]
        self._emit("BadgesChanged", "(sasasauaya{sv})", (wire.uri(directory), list(items), *columns, {}))

    def set_folders(self, folders):
        self.folders = folders
        changed = GLib.Variant("(sa{sv}as)", (wire.HOST, {"Folders": GLib.Variant("as", self._folder_uris())}, []))
        if self.connection is not None:
            self.connection.emit_signal(None, wire.OBJECT_PATH, "org.freedesktop.DBus.Properties",
                                        "PropertiesChanged", changed)

    def reset(self):
        self.observed = {}
        self._emit("Reset", "(a{sv})", ({},))

    def play_dead(self):
        self.held = []

    def was_called(self):
        """Whether somebody waits for an answer."""
        return bool(self.held)

    def wake(self):
        """Answers what it was asked meanwhile, in order."""
        held, self.held = self.held, None
        for arguments in held:
            self._on_call(*arguments)

    def answer_together_with_a_time_out(self, process):
        """Holds the next answer until the host waits for it, and the host's process up until it has waited too long."""
        self.play_dead()

        def stop():
            os.kill(process.pid, signal.SIGSTOP)
            self.wake()
            GLib.timeout_add(400, proceed)

        def proceed():
            os.kill(process.pid, signal.SIGCONT)
        GLib.timeout_add(10, lambda: not self._holds_a_request() or GLib.timeout_add(150, stop) == 0)

    def _holds_a_request(self):
        if any(method == "RequestDirectory" for _, _, _, _, method, _, _ in self.held):
            return True
        for arguments in self.held:
            self._answer(*arguments)
        self.held.clear()
        return False

    def _emit(self, member, signature, values):
        self.connection.emit_signal(self.host, wire.OBJECT_PATH, wire.HOST, member, GLib.Variant(signature, values))

    def _folder_uris(self):
        return [wire.uri(folder) for folder in self.folders]

    def _on_get(self, connection, sender, path, interface, name):
        return {
            "Version": GLib.Variant("u", 1),
            "Folders": GLib.Variant("as", self._folder_uris()),
            "Badges": GLib.Variant("a{s(ss)}", {state: (state, f"emblem-roundel-{state}") for state in wire.STATES}),
            "IconThemePath": GLib.Variant("s", ""),
        }[name]

    def _monitored(self, uri):
        folders = self._folder_uris()
        return any(uri == folder or uri.startswith(folder + "/") for folder in folders) \
            or any(folder.rpartition("/")[0] == uri for folder in folders)

    def _items(self, uri):
        by_uri = {wire.uri(directory): items for directory, items in self.badges.items()}
        return {wire.encode(name): value for name, value in by_uri.get(uri, {}).items()}

    def _refuse(self, invocation, error, text):
        self.violations.append(text)
        invocation.return_dbus_error(f"org.roundel.Error.{error}", text)

    def _on_call(self, connection, sender, path, interface, method, parameters, invocation):
        if self.held is not None:
            self.held.append((connection, sender, path, interface, method, parameters, invocation))
            return None
        return self._answer(connection, sender, path, interface, method, parameters, invocation)

    def _answer(self, connection, sender, path, interface, method, parameters, invocation):
        self.host = sender
        arguments = parameters.unpack()
        uri = arguments[0]
        if method in ("RequestBadges", "RequestDirectory") and not self.observed.get(uri):
            return self._refuse(invocation, "NotObserving", f"{method} {uri} without observing it")
        return getattr(self, f"_{method}")(invocation, uri, *arguments[1:])

    def _BeginObserving(self, invocation, uri, options):
        monitored = self._monitored(uri)
        if monitored:
            self.observed[uri] = self.observed.get(uri, 0) + 1
        else:
            self.violations.append(f"BeginObserving {uri}, which cannot be monitored")
        invocation.return_value(GLib.Variant("(ba{sv})", (monitored, {})))

    def _EndObserving(self, invocation, uri, options):
        if not self.observed.get(uri):
            return self._refuse(invocation, "NotObserving", f"EndObserving {uri} without beginning")
        self.observed[uri] -= 1
        return invocation.return_value(GLib.Variant("(a{sv})", ({},)))

    def _RequestBadges(self, invocation, uri, names, options):
        self.requests.append(("RequestBadges", uri, len(names)))
        items = self._items(uri)
        values = [items.get(name, ("", 0, 255)) for name in names]
        columns = [list(column) for column in zip(*values)] or [[], [], []]
        invocation.return_value(GLib.Variant("(asauaya{sv})", (*columns, {})))

    def _RequestDirectory(self, invocation, uri, after, limit, options):
        self.requests.append(("RequestDirectory", uri, limit))
        items = sorted((name, value) for name, value in self._items(uri).items() if name > after)
        page, rest = items[:limit or None], items[limit or len(items):]
        names = [name for name, _ in page]
        columns = [list(column) for column in zip(*(value for _, value in page))] or [[], [], []]
        following = names[-1] if rest else ""
        invocation.return_value(GLib.Variant("(asasauaysa{sv})", (names, *columns, following, {})))

    def explain(self):
        return [f"requests: {self.requests[-8:]}", f"violations: {self.violations}"]
