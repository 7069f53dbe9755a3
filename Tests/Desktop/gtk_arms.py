"""What the plugins for Nautilus, Nemo and Caja are measured beside: see arms.py."""
import pathlib

import arms
import scenarios

FILE_MANAGERS = tuple(scenarios.GTK_PACKAGES)
SOURCES = arms.SOURCES / "gtk"


def build(names: list[str], directory: pathlib.Path) -> dict[str, pathlib.Path]:
    """The build directory of each arm but our own plugins' for these file managers."""
    for name in names:
        for arm, *options in ("silent",), ("least", "-DADDS_EMBLEMS"):
            arms.compile_library("silent-plugin.c", directory / arm / scenarios.gtk_plugin(name).built,
                                 [scenarios.GTK_PACKAGES[name], "gmodule-no-export-2.0"], f"-DFM_{name.upper()}",
                                 f"-I{SOURCES}", *options)
    arms.build_with_cmake(SOURCES, directory / "clocked", [f"roundel-{name}" for name in names],
                          "-DCMAKE_C_FLAGS=-finstrument-functions")
    return {arm: directory / arm for arm in ("silent", "least", "clocked")}
