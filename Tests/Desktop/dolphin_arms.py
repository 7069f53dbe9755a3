"""What the plugins for Dolphin are measured beside: see arms.py."""
import pathlib

import arms

FILE_MANAGERS = ("dolphin",)
SOURCES = arms.SOURCES / "dolphin"

# What is inlined from Qt would tell the clock of far more calls than there are; the time in it counts all the same, since
# it is called by functions of ours.
CLOCKED = "-finstrument-functions -finstrument-functions-exclude-file-list=/usr/include,/usr/lib"


def build(names: list[str], directory: pathlib.Path) -> dict[str, pathlib.Path]:
    """The build directory of each arm but our own plugins'."""
    plain, clocked = directory / "plain", directory / "clocked"
    arms.build_with_cmake(SOURCES, plain, ["silent-overlays", "least-overlays"])
    arms.build_with_cmake(SOURCES, clocked, ["roundeloverlay", "roundelitemaction", "roundelproperties"],
                           f"-DCMAKE_CXX_FLAGS={CLOCKED}")
    return {"silent": plain / "silent", "least": plain / "least", "clocked": clocked}
