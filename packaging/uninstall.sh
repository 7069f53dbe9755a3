#!/bin/sh
# Takes away what `make install` with the same variables put there, and no folder that others use.
set -eu
cd "$(dirname "$0")/.."
: "${PREFIX:?}" "${AUTOSTART:?}"
root=${DESTDIR:-}$PREFIX

for program in roundeld roundel-worker roundel roundel-metadata; do rm -f "$root/bin/$program"; done
for template in dbus/services/*.in; do rm -f "$root/share/dbus-1/services/$(basename "$template" .in)"; done
for template in dbus/systemd/*.in; do rm -f "$root/share/systemd/user/$(basename "$template" .in)"; done
rm -f "$root/share/systemd/user/roundel-metadata.service"
for file in dbus/interfaces/*.xml; do rm -f "$root/share/dbus-1/interfaces/$(basename "$file")"; done
for file in dbus/providers/*.provider; do rm -f "$root/share/roundel/providers/$(basename "$file")"; done
for file in dbus/applications/*.desktop; do rm -f "$root/share/applications/$(basename "$file")"; done
for file in dbus/cloud-providers/*.ini; do rm -f "$root/share/cloud-providers/$(basename "$file")"; done
for file in dbus/autostart/*.desktop; do rm -f "${DESTDIR:-}$AUTOSTART/$(basename "$file")"; done
for file in Icons/hicolor/scalable/*/*.svg; do rm -f "$root/share/icons/${file#Icons/}"; done
find "$root/lib" -name 'roundel*.so' \( -path '*/overlayicon/*' -o -path '*/kfileitemaction/*' \) -delete 2>/dev/null || true
find "$root/lib" -name 'libroundel-*.so' \( -path '*/extensions-*' -o -path '*/thunarx-3/*' \) -delete 2>/dev/null || true
rm -rf "$root/share/doc/roundel"
for file in Icons/tray/*.argb; do rm -f "$root/share/roundel/tray/$(basename "$file")"; done
rmdir "$root/share/roundel/providers" "$root/share/roundel/tray" "$root/share/roundel" 2>/dev/null || true
echo "Roundel is removed from below $root; folders, settings and the state in home directories stay."
