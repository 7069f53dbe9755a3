"""Settings with which a file manager has the column of the plugin in its list view, and opens every folder as a list."""
from desktop import Desktop

COLUMN = "Roundel::state"
SCHEMAS = {
    "nautilus": ("org/gnome/nautilus/preferences", "org/gnome/nautilus/list-view"),
    "nemo": ("org/nemo/preferences", "org/nemo/list-view"),
    "caja": ("org/mate/caja/preferences", "org/mate/caja/list-view"),
}
ENVIRONMENT = {"GSETTINGS_BACKEND": "keyfile"}


# What a person presses to turn an icon view into a list.
TURN = {"nautilus": "ctrl+1", "nemo": "ctrl+2", "caja": "ctrl+2"}


def use(desktop: Desktop, name: str, viewer: str = "list-view") -> None:
    preferences, list_view = SCHEMAS[name]
    columns = ["name", COLUMN, "size"]
    desktop.write_setting("glib-2.0/settings/keyfile",
                          f"[{preferences}]\ndefault-folder-viewer='{viewer}'\n\n"
                          f"[{list_view}]\ndefault-visible-columns={columns}\ndefault-column-order={columns}\n")
