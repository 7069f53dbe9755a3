#!/bin/sh
# Makes the archives of a version: the sources with all Swift packages that they need, and what was built of them for any
# distribution with the same processor.
#   packaging/dist.sh DIRECTORY (sources|portable)...
# The portable one needs BUILT, PLUGINS and TRANSLATIONS, as packaging/install.sh does.
set -eu
cd "$(dirname "$0")/.."
directory=$1
shift
version=$(packaging/version.sh)
mkdir -p "$directory"
work=$(mktemp -d "$directory/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The same tree gives the same archive.
newest=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
pack() {
    tar --create --xz --file "$directory/$1.tar.xz" --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner \
        --mtime="@$newest" "$1"
    echo "$directory/$1.tar.xz"
}

sources() {
    name=roundel-$version
    mkdir -p "$work/$name/vendor"
    git ls-files -z | tar --create --null --files-from - | tar --extract --directory "$work/$name"
    echo "$version" >"$work/$name/VERSION"
    cp Package.resolved "$work/$name"
    [ -d .build/checkouts ] || { echo "dist.sh: nothing was built here yet, which fetches the packages" >&2; exit 1; }
    cp .build/workspace-state.json "$work/$name/vendor"
    # What a package has for those who develop it takes three quarters of the room.
    tar --create --directory .build --exclude=.git --exclude=.github --exclude='checkouts/*/Tests' \
        --exclude='checkouts/*/Benchmarks' --exclude='checkouts/*/IntegrationTests' --exclude='checkouts/*/Examples' \
        --exclude='checkouts/*/Documentation' --exclude='checkouts/*/Support' --exclude='checkouts/*/dev' \
        checkouts | tar --extract --directory "$work/$name/vendor"
    pack "$name"
}

portable() {
    name=roundel-$version-$(uname -m)
    place=$work/$name
    mkdir -p "$place/packaging" "$place/Sources/FileManagers/metadata" "$place/Sources/Window"
    cp -R dbus Icons Documentation examples README.md CHANGELOG.md LICENSE NOTICE "$place"
    rm -rf "$place/Icons/tray/"*.py "$place/Icons/tray/__pycache__"
    cp -R packaging/install.sh packaging/uninstall.sh packaging/licences "$place/packaging"
    cp Sources/FileManagers/metadata/roundel-metadata.service.in "$place/Sources/FileManagers/metadata"
    cp -R Sources/Window/Blueprints "$place/Sources/Window"
    cp packaging/portable.sh "$place/install"
    ln -s install "$place/uninstall"
    cp -R "$BUILT" "$place/programs"
    cp -R "$PLUGINS" "$place/plugins"
    cp -R "$TRANSLATIONS" "$place/translations"
    pack "$name"
}

for archive; do
    case $archive in
        sources) sources ;;
        portable) portable ;;
        *) echo "dist.sh: there is no archive '$archive'" >&2; exit 64 ;;
    esac
done
