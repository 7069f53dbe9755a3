#!/usr/bin/python3
"""A program that asks for a file with GTK 4's own dialog, and prints the folder that the dialog shows when it ends."""
import sys
from typing import Any

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402


def main() -> None:
    loop = GLib.MainLoop()
    dialog = Gtk.FileChooserDialog(title="Open a File", action=Gtk.FileChooserAction.OPEN)
    dialog.add_button("Cancel", Gtk.ResponseType.CANCEL)
    dialog.set_current_folder(Gio.File.new_for_path(sys.argv[1]))
    dialog.set_default_size(900, 600)

    def end(*_: Any) -> None:
        print(dialog.get_current_folder().get_path(), flush=True)
        loop.quit()
    dialog.connect("response", end)
    dialog.connect("close-request", end)
    dialog.present()
    loop.run()


main()
