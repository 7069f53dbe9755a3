#!/bin/sh
# Builds the packages of the release of Debian that runs here, and of a newer one, and plays the tests with each:
#   Tests/Packages/run.sh DIRECTORY NEWER
# DIRECTORY is below the project and keeps the roots.
set -eu
directory=$1 newer=$2
cd "$(dirname "$0")/../.."
# Lower than every version of ours: an upgrade from it is one from the version before.
before=0.0.1 version=$(packaging/version.sh)
present=$(
    # shellcheck disable=SC1091
    . /etc/os-release
    echo "${VERSION_CODENAME:-}")

play() {
    ROUNDEL_PACKAGES=$directory/$1/packages ROUNDEL_ROOT=$directory/roots/$1 \
        python3 -B -m unittest discover --verbose --start-directory Tests/Packages --pattern test_packages.py
}

if [ "$(id -u)" -ne 0 ]; then
    echo "SKIP packages: only root can boot a root" >&2
    [ "${CI:-}" != true ] || exit 1
    exit 0
fi
# systemd can boot in these, and nothing of a desktop is there.
for suite in "$present" "$newer"; do
    Tests/Packages/root.sh "$suite" "$directory/roots" dbus,dbus-user-session,libpam-systemd,procps,systemd-sysv
done

# The last ones are what lintian looks at.
mkdir -p "$directory/$present" "$directory/$newer"
find "$directory/$present/packages" "$directory/$newer/packages" -maxdepth 1 -type f -delete 2>/dev/null || true
# Packing takes most of the time, and nobody keeps these.
export DPKG_DEB_COMPRESSOR_LEVEL=0
for each in "$before" "$version"; do packaging/deb.sh "$directory/$present/packages" "$each"; done
packaging/lint-deb.sh "$directory/$present/packages"
python3 -B -m unittest discover --verbose --start-directory Tests/Packages --pattern test_archives.py
play "$present"

# What Tests/Desktop/newer.sh made, has most of what is needed.
root=$(pwd)/build/newer/$newer
[ -e "$root/made" ] || root=$directory/roots/$newer
Tests/Packages/build.sh "$root" "$directory/$newer" "$before" "$version"
play "$newer"
