#!/bin/sh
# Takes away what `make install` with the same variables put there, and no folder that others use.
set -eu
cd "$(dirname "$0")/.."
: "${PREFIX:?}" "${AUTOSTART:?}"
root=${DESTDIR:-}$PREFIX

# Services, units and links go while the program that knows of them is still there. What ends with 2 needs root first.
undo_setup() {
    status=0
    "$@" "$PREFIX/bin/roundel" setup --remove || status=$?
    if [ $status -eq 2 ]; then
        echo "make uninstall: please run the command above, then this again; nothing was uninstalled." >&2
        exit 1
    fi
}
if [ -z "${DESTDIR:-}" ] && [ -x "$PREFIX/bin/roundel" ]; then
    undo_setup
    person=${SUDO_UID:-${PKEXEC_UID:-0}}
    if [ "$(id -u)" -eq 0 ] && [ "$person" -ne 0 ]; then
        entry=$(getent passwd "$person")
        undo_setup setpriv --reuid="$person" --regid="$(echo "$entry" | cut -d: -f4)" --init-groups \
            env HOME="$(echo "$entry" | cut -d: -f6)" XDG_RUNTIME_DIR="/run/user/$person"
    fi
    # Those of other people, where root may end them.
    # A link's text may be a path in a container: only the very file counts, which is still there.
    for link in /proc/[0-9]*/exe; do
        for name in roundeld roundel-worker roundel-mount roundel-git roundel-marks roundel-syncthing roundel-window roundel-metadata; do
            # shellcheck disable=SC3013 # Every shell that is /bin/sh on Linux has -ef.
            [ "$link" -ef "$PREFIX/bin/$name" ] || continue
            kill -TERM "$(basename "$(dirname "$link")")" 2>/dev/null || true
        done
    done
fi

for program in roundeld roundel-worker roundel-mount roundel-git roundel-marks roundel-syncthing roundel-window roundel roundel-metadata; do rm -f "$root/bin/$program"; done
for template in dbus/services/*.in; do rm -f "$root/share/dbus-1/services/$(basename "$template" .in)"; done
for template in dbus/systemd/*.in; do rm -f "$root/share/systemd/user/$(basename "$template" .in)"; done
rm -f "$root/share/systemd/user/roundel-metadata.service"
for file in dbus/interfaces/*.xml; do rm -f "$root/share/dbus-1/interfaces/$(basename "$file")"; done
for file in dbus/providers/*.provider; do rm -f "$root/share/roundel/providers/$(basename "$file")"; done
for file in dbus/applications/*.desktop; do rm -f "$root/share/applications/$(basename "$file")"; done
for file in Sources/Window/Blueprints/*.ui; do rm -f "$root/share/roundel/window/$(basename "$file")"; done
for file in dbus/cloud-providers/*.ini; do rm -f "$root/share/cloud-providers/$(basename "$file")"; done
for file in dbus/metainfo/*.xml; do rm -f "$root/share/metainfo/$(basename "$file")"; done
for file in dbus/presets/*.preset; do rm -f "$root/lib/systemd/user-preset/$(basename "$file")"; done
for file in dbus/autostart/*.desktop; do rm -f "${DESTDIR:-}$AUTOSTART/$(basename "$file")"; done
for file in Documentation/man/*.1; do rm -f "$root/share/man/man1/$(basename "$file")"; done
for file in Documentation/man/*.3; do rm -f "$root/share/man/man3/$(basename "$file")"; done
rm -f "$root/share/bash-completion/completions/roundel" "$root/share/zsh/site-functions/_roundel" \
    "$root/share/fish/vendor_completions.d/roundel.fish"
for file in Icons/hicolor/scalable/*/*.svg; do rm -f "$root/share/icons/${file#Icons/}"; done
# The directories of plugins and translations go with them where they are empty now and no package's.
remove_empty() {
    directory=$1
    while [ "$directory" != "$root" ] && ! dpkg-query -S "$directory" >/dev/null 2>&1 \
        && rmdir "$directory" 2>/dev/null; do
        directory=$(dirname "$directory")
    done
}
find "$root"/lib* -type f \( -path '*/extensions-*/libroundel-*.so' -o -path '*/thunarx-3/libroundel-thunar.so' \
    -o -path '*/overlayicon/roundeloverlay.so' -o -path '*/kfileitemaction/roundelitemaction.so' \
    -o -path '*/propertiesdialog/roundelproperties.so' \) 2>/dev/null \
    | while IFS= read -r plugin; do
        rm -f "$plugin"
        remove_empty "$(dirname "$plugin")"
    done
# The folders of libroundel are those of others as well, and stay.
rm -f "$root/include/roundel.h"
for place in "$root"/lib* "$root"/lib*/*-linux-*; do
    rm -f "$place"/libroundel.so* "$place/pkgconfig/libroundel.pc"
done
case $root in
    /usr | /usr/local) if [ "$(id -u)" -eq 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi ;;
esac
for translated in "$root"/share/locale/*/LC_MESSAGES/roundel.mo "$root"/share/man/*/man1/roundel*.1 \
    "$root"/share/man/*/man3/libroundel.3; do
    [ -f "$translated" ] || continue
    rm -f "$translated"
    remove_empty "$(dirname "$translated")"
done
rm -rf "$root/share/doc/roundel"
for file in Icons/tray/*.argb; do rm -f "$root/share/roundel/tray/$(basename "$file")"; done
rmdir "$root/share/roundel/providers" "$root/share/roundel/tray" "$root/share/roundel/window" "$root/share/roundel" 2>/dev/null || true
echo "Roundel is removed from below $root; folders, settings and the state in home directories stay."
