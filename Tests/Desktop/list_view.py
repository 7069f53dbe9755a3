"""Settings with which a file manager opens every folder as a list that has the column of the plugin."""

COLUMN = "Roundel::state"
SCHEMAS = {
    "nautilus": ("org/gnome/nautilus/preferences", "org/gnome/nautilus/list-view"),
    "nemo": ("org/nemo/preferences", "org/nemo/list-view"),
    "caja": ("org/mate/caja/preferences", "org/mate/caja/list-view"),
}
ENVIRONMENT = {"GSETTINGS_BACKEND": "keyfile"}


def use(desktop, name):
    preferences, list_view = SCHEMAS[name]
    columns = ["name", COLUMN, "size"]
    desktop.write_setting("glib-2.0/settings/keyfile",
                          f"[{preferences}]\ndefault-folder-viewer='list-view'\n\n"
                          f"[{list_view}]\ndefault-visible-columns={columns}\ndefault-column-order={columns}\n")
