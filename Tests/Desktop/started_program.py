"""A program whose window an action brings up: of one colour while it has the focus, and else of another. At SIGUSR1 it
asks for the focus, with the activation token in a file where there is one."""
import pathlib
import signal
import sys
from typing import Any

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402


def main(active: str, inactive: str, token: str) -> None:
    provider = Gtk.CssProvider()
    provider.load_from_data(f"window {{ background: #{inactive}; }} window.active {{ background: #{active}; }}".encode())
    window = Gtk.Window(title="Started", default_width=160, default_height=60)
    Gtk.StyleContext.add_provider_for_display(window.get_display(), provider, Gtk.STYLE_PROVIDER_PRIORITY_USER)

    def on_focus(*_: Any) -> None:
        (window.add_css_class if window.is_active() else window.remove_css_class)("active")

    def on_signal() -> bool:
        file = pathlib.Path(token)
        if file.exists():
            window.set_startup_id(file.read_text())
        else:
            window.present()
        return True

    window.connect("notify::is-active", on_focus)
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, on_signal)
    window.present()
    GLib.MainLoop().run()


if __name__ == "__main__":
    main(*sys.argv[1:])
