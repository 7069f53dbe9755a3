"""A desktop's proxy: what its portal says about it, and a proxy that counts who comes through."""
import contextlib
import socket
import socketserver
import threading
from typing import Any

from gi.repository import Gio, GLib
from session import connect

PORTAL = "org.freedesktop.portal.Desktop"
INTERFACE = """<node><interface name="org.freedesktop.portal.ProxyResolver">
  <method name="Lookup"><arg type="s" direction="in"/><arg type="as" direction="out"/></method>
</interface></node>"""


class ProxyPortal:
    """The desktop's portal as far as it says which proxies lead to a server. It answers on a thread of its own."""

    def __init__(self, address: str, answer: list[str]) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self._context = GLib.MainContext()
        self._loop = GLib.MainLoop(self._context)
        self._is_there = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(address,))
        self._thread.start()
        assert self._is_there.wait(60)

    def _serve(self, address: str) -> None:
        self._context.push_thread_default()
        connection = connect(address)
        connection.set_exit_on_close(False)
        description = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        connection.register_object("/org/freedesktop/portal/desktop", description, self._lookup, None, None)
        connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            GLib.Variant("(su)", (PORTAL, 4)), None, Gio.DBusCallFlags.NONE, -1, None)
        self._is_there.set()
        self._loop.run()
        connection.close_sync(None)
        self._context.pop_thread_default()

    def _lookup(self, *call: Any) -> None:
        parameters, invocation = call[5:7]
        self.asked.append(parameters.unpack()[0])
        invocation.return_value(GLib.Variant("(as)", (self.answer,)))

    def close(self) -> None:
        self._loop.quit()
        self._thread.join()


class _Tunnel(socketserver.BaseRequestHandler):
    """One request to the proxy: a tunnel to the server that every name leads to."""

    def handle(self) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            part = self.request.recv(4096)
            if not part:
                return
            head += part
        assert isinstance(self.server, Proxy)
        self.server.requests.append(head.split(b"\r\n", 1)[0].decode())
        self.server.tunnels.append(self.request)
        with socket.create_connection(("127.0.0.1", self.server.target)) as there:
            self.request.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            back = threading.Thread(target=self._pass, args=(there, self.request))
            back.start()
            self._pass(self.request, there)
            back.join()

    @staticmethod
    def _pass(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                target.sendall(part)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)


class Proxy(socketserver.ThreadingTCPServer):
    """An HTTP proxy on this computer. Whatever name is asked for, it leads to one port of this computer."""

    daemon_threads = True

    def __init__(self, target: int) -> None:
        super().__init__(("127.0.0.1", 0), _Tunnel)
        self.target = target
        self.requests: list[str] = []
        self.tunnels: list[socket.socket] = []
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self._thread = threading.Thread(target=self.serve_forever)
        self._thread.start()

    def close(self) -> None:
        """It is out of reach, for those who are in it as well."""
        self.shutdown()
        self._thread.join()
        for tunnel in self.tunnels:
            with contextlib.suppress(OSError):
                tunnel.shutdown(socket.SHUT_RDWR)
        self.server_close()
