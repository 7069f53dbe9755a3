#!/bin/sh
# Installs Roundel from this archive, or removes it again under the name `uninstall`:
#   ./install [PREFIX]      PREFIX: where to; without one ~/.local, or /usr/local for root
# Then each person who uses it runs `roundel setup`. The programs need libdbus-1, libsqlite3, libcrypto 3, libexpat, libz and
# libstdc++, and glibc 2.36 or later; the window is left out
# without libadwaita 1.2 or later.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ "$(id -u)" -eq 0 ]; then usual=/usr/local; else usual=$HOME/.local; fi
PREFIX=${1:-$usual}
case $PREFIX in
    /usr | /usr/local) AUTOSTART=/etc/xdg/autostart ;;
    "$HOME/.local") AUTOSTART=$HOME/.config/autostart ;;
    *) AUTOSTART=$PREFIX/etc/xdg/autostart ;;
esac
PROGRAMS="roundeld roundel-worker roundel-mount roundel-git roundel-marks roundel-syncthing roundel"
# The window alone needs GTK 4 and libadwaita.
if ! LC_ALL=C ldd "$here/programs/roundel-window" | grep -q 'not found'; then PROGRAMS="$PROGRAMS roundel-window"; fi
BUILT=$here/programs PLUGINS=$here/plugins TRANSLATIONS=$here/translations
export PREFIX AUTOSTART PROGRAMS BUILT PLUGINS TRANSLATIONS
if [ "$(basename "$0")" = uninstall ]; then exec "$here/packaging/uninstall.sh"; fi

missing=$(LC_ALL=C ldd "$BUILT/roundel-worker" | sed -n 's/^\t\(.*\) => not found/\1/p')
if [ -n "$missing" ]; then
    echo "These libraries are missing; please install them first: $(echo "$missing" | tr '\n' ' ')" >&2
    exit 1
fi
exec "$here/packaging/install.sh"
