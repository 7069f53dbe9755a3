#!/bin/sh
# Puts what was built below $DESTDIR$PREFIX; called by `make install`, which sets the variables. Without PLUGINS, the
# folder in which the file managers' plugins were staged, these are left out, and translations without TRANSLATIONS. Nothing is written below this folder: who
# installs is often root, and who builds is not.
set -eu
cd "$(dirname "$0")/.."
: "${PROGRAMS:?}" "${BUILT:?}" "${PREFIX:?}" "${AUTOSTART:?}"
case $PREFIX in
    /*) ;;
    *) echo "make install: PREFIX must be an absolute path, for it is written into activation files: $PREFIX" >&2; exit 64 ;;
esac
case $PREFIX in
    *[[:space:]\"\\\&,%]*) echo "make install: PREFIX holds a character that activation files cannot: $PREFIX" >&2; exit 64 ;;
esac

root=${DESTDIR:-}$PREFIX
share=$root/share

for program in $PROGRAMS; do
    install -D -m 755 "$BUILT/$program" "$root/bin/$program"
done

# The templates name the programs by absolute path: who activates them has a PATH of its own.
from_template() {
    install -d "$2"
    target=$2/$(basename "$1" .in)
    sed "s,@BINDIR@,$PREFIX/bin,g" "$1" >"$target"
    chmod 644 "$target"
}
for template in dbus/services/*.in; do from_template "$template" "$share/dbus-1/services"; done
for template in dbus/systemd/*.in; do from_template "$template" "$share/systemd/user"; done

install -D -m 644 -t "$share/dbus-1/interfaces" dbus/interfaces/*.xml
install -D -m 644 -t "$share/roundel/providers" dbus/providers/*.provider
install -D -m 644 -t "$share/roundel/tray" Icons/tray/*.argb
install -D -m 644 -t "$share/cloud-providers" dbus/cloud-providers/*.ini
install -D -m 644 -t "$share/applications" dbus/applications/*.desktop
install -D -m 644 -t "$share/metainfo" dbus/metainfo/*.xml
case " $PROGRAMS " in
    *" roundel-window "*) install -D -m 644 -t "$share/roundel/window" Sources/Window/Blueprints/*.ui ;;
    # Where the window cannot run, nothing offers it.
    *) rm -f "$share/dbus-1/services/org.roundel.Window.service" "$share/applications/org.roundel.Window.desktop" \
        "$share/metainfo/org.roundel.Window.metainfo.xml" "$share"/man/man1/roundel-window.1 "$share"/man/*/man1/roundel-window.1 ;;
esac
install -D -m 644 -t "$root/lib/systemd/user-preset" dbus/presets/*.preset
install -D -m 644 -t "${DESTDIR:-}$AUTOSTART" dbus/autostart/*.desktop
install -D -m 644 -t "$share/doc/roundel" README.md CHANGELOG.md LICENSE NOTICE \
    packaging/licences/*.txt
install -D -m 644 -t "$share/doc/roundel/Documentation" Documentation/*.md

install -D -m 644 -t "$share/man/man1" Documentation/man/*.1
install -D -m 644 -t "$share/man/man3" Documentation/man/*.3
for language in Documentation/man/*/; do
    install -D -m 644 -t "$share/man/$(basename "$language")/man1" "$language"*.1
    install -D -m 644 -t "$share/man/$(basename "$language")/man3" "$language"*.3
done
install -D -m 644 -t "$share/doc/roundel/examples" examples/*
install -D -m 644 "$BUILT/completions/bash" "$share/bash-completion/completions/roundel"
install -D -m 644 "$BUILT/completions/zsh" "$share/zsh/site-functions/_roundel"
install -D -m 644 "$BUILT/completions/fish" "$share/fish/vendor_completions.d/roundel.fish"

if [ -n "${TRANSLATIONS:-}" ]; then
    (cd "$TRANSLATIONS" && find . -name roundel.mo) | while IFS= read -r file; do
        install -D -m 644 "$TRANSLATIONS/$file" "$share/locale/${file#./}"
    done
fi

theme=$share/icons/hicolor
for folder in Icons/hicolor/scalable/*/; do
    install -D -m 644 -t "$theme/scalable/$(basename "$folder")" "$folder"*.svg
done
# A theme whose folder is older than its cache is read from the cache, without the new icons.
touch "$theme"
if [ -z "${DESTDIR:-}" ] && [ -f "$theme/icon-theme.cache" ] && command -v gtk-update-icon-cache >/dev/null; then
    gtk-update-icon-cache -q -f -t "$theme"
fi

# All that is below the prefix already; the helper's unit names the program where it was staged, and is made anew.
if [ -n "${PLUGINS:-}" ]; then
    (cd "$PLUGINS" && find . -type f \( -path './bin/*' -o -path './include/*' -o -path './lib*/*' \)) | while IFS= read -r file; do
        case $file in
            ./bin/*) mode=755 ;;
            *) mode=644 ;;
        esac
        install -D -m "$mode" "$PLUGINS/$file" "$root/${file#./}"
    done
    # The names of libroundel under which programs find it.
    (cd "$PLUGINS" && find . -type l -path './lib*/libroundel.so*') | while IFS= read -r link; do
        ln -sfn "$(readlink "$PLUGINS/$link")" "$root/${link#./}"
    done
    # The loader keeps a list of the libraries in the system's directories.
    case ${DESTDIR:-}$PREFIX in
        /usr | /usr/local) if [ "$(id -u)" -eq 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi ;;
    esac
    if [ -f "$PLUGINS/bin/roundel-metadata" ]; then
        from_template Sources/FileManagers/metadata/roundel-metadata.service.in "$share/systemd/user"
    fi
fi
echo "Roundel is installed below $root."
if [ -z "${DESTDIR:-}" ]; then echo "Now each person who uses it runs: $PREFIX/bin/roundel setup"; fi
