#!/bin/sh
# Installs the Debian packages that building and testing need, and only those that are missing.
#   packaging/deps.sh [build|plugins|demo|test|lint|newer|compositors|bench|package|pictures]...     what for; without a word, the first five
set -eu

build="build-essential ca-certificates gettext git pkg-config libadwaita-1-dev libdbus-1-dev libexpat1-dev libsqlite3-dev libssl-dev python3"
# The Frameworks of the system's own Dolphin: a plugin of others is not loaded.
frameworks=6
[ ! -e /etc/os-release ] || frameworks=$(
    # shellcheck disable=SC1091
    . /etc/os-release
    case ${ID:-}-${VERSION_ID:-} in debian-12 | ubuntu-22.* | ubuntu-24.04) echo 5 ;; *) echo 6 ;; esac)
case $frameworks in
    5) kde="libkf5iconthemes-dev libkf5kio-dev libkf5windowsystem-dev qtbase5-dev" kde_test="qtbase5-dev-tools qtwayland5" ;;
    # Qt 6 draws no SVG without its plugin, and takes the icon theme of the settings from Plasma's integration.
    6) kde="libkf6iconthemes-dev libkf6kio-dev libkf6windowsystem-dev qt6-base-dev"
        kde_test="plasma-integration qt6-base-dev-tools qt6-svg-plugins qt6-wayland" ;;
esac

plugins="cmake extra-cmake-modules g++ libcaja-extension-dev libdbus-1-dev libglib2.0-dev libnautilus-extension-dev libnemo-extension-dev
    libthunarx-3-dev $kde"
demo="dbus-daemon fuse3"
test="adwaita-icon-theme apache2-bin at-spi2-core bindfs breeze-icon-theme btrfs-progs caja dbus-bin dbus-daemon dbus-user-session dbus-x11 dolphin dunst e2fsprogs
    fonts-dejavu-core fuse3 gir1.2-atspi-2.0 gir1.2-glib-2.0 gir1.2-gtk-4.0 gnome-keyring groff-base gvfs gvfs-daemons hicolor-icon-theme imagemagick kio-extras
    libfuse3-dev libglib2.0-bin libglib2.0-dev-bin libinotifytools0-dev librsvg2-bin librsvg2-common libsystemd-dev libwrap0 locales lxqt-panel nautilus
    nemo openbox openssh-client openssl pcmanfm-qt procps python3 python3-gi python3-venv rclone rsync strace syncthing systemd thunar tinyproxy tmux tumbler weston x11-utils xauth xclip xdg-desktop-portal xdg-desktop-portal-gtk
    xdotool xfce4-notifyd xfce4-panel xfsprogs xvfb $kde_test"
newer="debootstrap util-linux"
# For the newer root alone: 140 MB to download, 500 MB installed.
compositors="gnome-shell gnome-shell-extension-appindicator kwin-wayland plasma-desktop plasma-workspace"
bench="bindfs binutils curl nextcloud-desktop-cmd valgrind"
pictures="fonts-cantarell fonts-jetbrains-mono fonts-noto-core hsetroot iproute2 kde-style-breeze picom pngquant python3-pyte"
# The library of the window is there for what its package depends on to be found out.
package="debhelper dpkg-dev gettext libadwaita-1-0 lintian make python3"
lint="clang-format desktop-file-utils gettext libxml2-utils mypy python3 python3-venv shellcheck"

[ $# -gt 0 ] || set -- build plugins demo test lint
wanted=""
for group; do
    case $group in
        build) wanted="$wanted $build" ;;
        plugins) wanted="$wanted $plugins" ;;
        demo) wanted="$wanted $demo" ;;
        test) wanted="$wanted $test" ;;
        lint) wanted="$wanted $lint" ;;
        newer) wanted="$wanted $newer" ;;
        compositors) wanted="$wanted $compositors" ;;
        bench) wanted="$wanted $bench" ;;
        package) wanted="$wanted $package" ;;
        pictures) wanted="$wanted $pictures" ;;
        *) echo "deps.sh: there is no group '$group'" >&2; exit 64 ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system: please see to it that what these packages hold is there:$wanted"
    exit 0
fi

# One question for all of them: each call of dpkg-query reads the whole database.
# shellcheck disable=SC2086
present=$(dpkg-query -W -f='${Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/.* installed //p')
missing=""
for package in $wanted; do
    grep -qxF "$package" <<END || missing="$missing $package"
$present
END
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Please have these packages installed, there is no sudo to do it with:$missing" >&2
        exit 1
    fi
    as_root="sudo"
fi
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -o DPkg::Lock::Timeout=600 update -q
# shellcheck disable=SC2086
$as_root apt-get -o DPkg::Lock::Timeout=600 install -q -y --no-install-recommends $missing
