"""The desktop of the pictures: as of the scenarios, but with what a person has: a home, a wallpaper, shadows, fonts and the
icons that are installed."""
import functools
import pathlib
import re
import subprocess

import art
import screen
from desktop import TOOLKITS, Desktop
from screen import Box
from waiting import Failure, wait_for

HOME = pathlib.Path("/home/anna")       # which `run` mounts
NAS = pathlib.Path("/mnt/nas")          # a disk in the network, to all appearance
SCALE = 2                               # pixels for each one of a screen of usual density
MARGIN = 28                             # of wallpaper around what a picture shows, in these
MONOSPACE = "JetBrains Mono"

THEME = """border.width: 0
window.handle.width: 0
window.client.padding.width: 0
window.client.padding.height: 0
padding.width: 20
padding.height: 14
window.label.text.justify: center
window.active.title.bg: flat
window.active.title.bg.color: {title}
window.active.label.bg: parentrelative
window.active.label.text.color: {text}
window.active.button.unpressed.bg: parentrelative
window.active.button.unpressed.image.color: {text}
window.inactive.title.bg: flat
window.inactive.title.bg.color: {title}
window.inactive.label.bg: parentrelative
window.inactive.label.text.color: {text}
window.inactive.button.unpressed.bg: parentrelative
window.inactive.button.unpressed.image.color: {text}
"""
OPENBOX = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
 <theme><name>Pictures</name><titleLayout>LIMC</titleLayout><cornerRadius>0</cornerRadius>
  {fonts}
 </theme>
 <placement><policy>Smart</policy><center>yes</center></placement>
 <keyboard><keybind key="A-F4"><action name="Close"/></keybind></keyboard>
 <mouse><context name="Client"><mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
 </context></mouse>
</openbox_config>
"""
FONT = '<font place="{place}"><name>Cantarell</name><size>20</size><weight>Bold</weight></font>'
# A window that draws its own frame draws its shadow as well, and so does a menu with a shape of its own.
PICOM = """backend = "xrender";
vsync = false;
fading = false;
shadow = true;
shadow-radius = 36;
shadow-opacity = 0.32;
shadow-offset-x = -36;
shadow-offset-y = -24;
shadow-exclude = [ "_GTK_FRAME_EXTENTS@:c", "argb && override_redirect", "window_type = 'dock'", "window_type = 'desktop'" ];
corner-radius = {radius};
rounded-corners-exclude = [ "_GTK_FRAME_EXTENTS@:c", "argb && override_redirect", "window_type = 'dock'",
 "window_type = 'desktop'" ];
"""
KDE_FONTS = {"font": 10, "menuFont": 10, "toolBarFont": 9, "smallestReadableFont": 8}
KDE = "\n".join(["[General]", *(f"{name}=Noto Sans,{size},-1,5,50,0,0,0,0,0" for name, size in KDE_FONTS.items()),
                 "[Icons]\nTheme=breeze\n[KDE]\nSingleClick=false\nwidgetStyle=Breeze\n"])
# Backgrounds and texts of KDE's light colours, by the parts of a window.
BREEZE = {"Window": ("239,240,241", "35,38,41"), "View": ("252,252,252", "35,38,41"), "Button": ("252,252,252", "35,38,41"),
          "Selection": ("61,174,233", "252,252,252"), "Tooltip": ("247,247,247", "35,38,41")}
SIDE = 18  # pixels of a window's buttons
PLACES = ("DESKTOP", "DOCUMENTS", "DOWNLOAD", "MUSIC", "PICTURES", "PUBLICSHARE", "TEMPLATES", "VIDEOS")
# Under a window manager that knows nothing of their shadows, GTK's own frames get edges; the compositor gives them corners.
GTK_CSS = "window.solid-csd, decoration { border: none; padding: 0; margin: 0; box-shadow: none; border-radius: 0; }\n"


def bitmap(name: str) -> str:
    """A window's button as an XBM."""
    def is_set(x: int, y: int) -> bool:
        match name:
            case "close":
                return abs(x - y) <= 1 or abs(x + y - (SIDE - 1)) <= 1
            case "max":
                return min(x, y) <= 1 or max(x, y) >= SIDE - 2
            case _:
                return y >= SIDE - 2
    rows = []
    for y in range(SIDE):
        bits = sum(is_set(x, y) << x for x in range(SIDE))
        rows += [f"0x{bits >> (8 * byte) & 255:02x}" for byte in range((SIDE + 7) // 8)]
    return f"#define b_width {SIDE}\n#define b_height {SIDE}\nstatic char b_bits[] = {{\n{', '.join(rows)} }};\n"


class PictureDesktop(Desktop):
    width = height = 0              # of the screen, in pixels
    colours_of_titles = "#ebebed", "#2e3436"
    corner_radius = 20

    def set_size(self, width: int, height: int) -> None:
        """In pixels of a screen of usual density."""
        self.width, self.height = width * SCALE, height * SCALE
        screen.SIZE = f"{self.width}x{self.height}x24"

    def _make_environment(self) -> dict[str, str]:
        self.home = HOME
        return {**super()._make_environment(),
                "GDK_SCALE": str(SCALE), "QT_SCALE_FACTOR": str(SCALE), "GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0",
                "GSETTINGS_BACKEND": "keyfile", "TZ": "UTC"}

    def write_person_settings(self, font: str = "Cantarell 11", icons: str = "Adwaita") -> None:
        for version in TOOLKITS:
            self.write_setting(f"{version}/settings.ini", f"[Settings]\ngtk-font-name={font}\ngtk-icon-theme-name={icons}\n"
                               "gtk-xft-antialias=1\ngtk-xft-hinting=0\ngtk-xft-rgba=none\ngtk-enable-animations=0\n"
                               "gtk-cursor-blink=0\ngtk-decoration-layout=:minimize,maximize,close\n")
            self.write_setting(f"{version}/gtk.css", GTK_CSS)
        self.write_setting("kdeglobals", KDE + "".join(
            f"[Colors:{part}]\nBackgroundNormal={back}\nForegroundNormal={fore}\n" for part, (back, fore) in BREEZE.items()))
        # Nobody has these directories here; each would be a row of a sidebar.
        self.write_setting("user-dirs.dirs", "".join(f'XDG_{name}_DIR="$HOME/"\n' for name in PLACES))
        fontconfig = ("<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM 'fonts.dtd'><fontconfig><match target='font'>"
                      "<edit name='hinting' mode='assign'><bool>false</bool></edit>"
                      "<edit name='rgba' mode='assign'><const>none</const></edit></match>"
                      f"<alias><family>monospace</family><prefer><family>{MONOSPACE}</family></prefer></alias>"
                      "<alias><family>sans-serif</family><prefer><family>Cantarell</family></prefer></alias></fontconfig>")
        self.write_setting("fontconfig/fonts.conf", fontconfig)

    def _start_window_manager(self) -> None:
        self._write_theme()
        super()._start_window_manager()
        self.write_setting("picom.conf", PICOM.format(radius=self.corner_radius))
        art.wallpaper(self.width, self.height, self.work / "wallpaper.png")
        subprocess.run(["hsetroot", "-fill", str(self.work / "wallpaper.png")], env=self.environment, check=True)
        self.spawn("picom", ["picom", "--config", str(self.home / ".config/picom.conf")])
        wait_for("the compositor", self._is_composited)
        self.screen.wait_until_still()

    def _write_theme(self) -> None:
        title, text = self.colours_of_titles
        theme = self.home / ".data/themes/Pictures/openbox-3"
        theme.mkdir(parents=True)
        (theme / "themerc").write_text(THEME.format(title=title, text=text))
        for name in ("close", "max", "iconify"):
            (theme / f"{name}.xbm").write_text(bitmap(name))
        fonts = "".join(FONT.format(place=place) for place in ("ActiveWindow", "InactiveWindow"))
        self.write_setting("openbox/rc.xml", OPENBOX.format(fonts=fonts))

    def _is_composited(self) -> bool:
        said = subprocess.run(["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=self.environment, capture_output=True,
                              text=True, check=False).stdout
        return "window id" in said and "picom" in " ".join(self.logs) and self.processes[-1].poll() is None

    # Taking pictures

    def frame(self, window: str) -> Box:
        """The box of a window with the title and the edges that the window manager gives it."""
        def numbers(pattern: str, *command: str) -> list[int]:
            said = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True).stdout
            return [int(number) for number in re.findall(pattern, said)]
        # Of a window with a frame xdotool counts the frame twice.
        left, top, width, height = numbers(r"(?:Absolute upper-left [XY]|Width|Height): +(-?\d+)", "xwininfo", "-id", window)
        edges = numbers(r"(\d+)(?:, |$)", "xprop", "-id", window, "-notype", "_NET_FRAME_EXTENTS") or [0, 0, 0, 0]
        return Box(left - edges[0], top - edges[2], left + width + edges[1], top + height + edges[3])

    def frames(self, window_class: str) -> Box:
        """The box around all windows of a class."""
        boxes = [self.frame(window) for window in self.screen.windows(window_class)]
        if not boxes:
            raise Failure(f"there is no window of {window_class}")
        return functools.reduce(Box.joined, boxes)

    def take(self, name: str, box: Box, margin: int = MARGIN) -> None:
        """Keeps a picture of a part of what is shown, with a margin of the wallpaper."""
        self.screen.move(self.width - 1, self.height - 1)
        edge = margin * SCALE
        self.screen.wait_until_still(1).save(self.work / "shots" / f"{name}.png", Box(
            max(0, box.left - edge), max(0, box.top - edge), min(self.width, box.right + edge),
            min(self.height, box.bottom + edge)))
