#!/bin/sh
# Builds Debian packages for the release of Debian that runs here, from what `make` has built or builds for them.
#   packaging/deb.sh DIRECTORY [VERSION]      VERSION: another than that of the tree
# The packages are in DIRECTORY afterwards, which is below the tree; those of another version stay there.
set -eu
cd "$(dirname "$0")/.."
tree=$(pwd)
directory=$1
version=${2:-$(packaging/version.sh)}
# Libraries have other names in each release, and the plugins are those of its file managers.
release=$(
    # shellcheck disable=SC1091
    . /etc/os-release
    echo "${ID:-linux}${VERSION_ID:-}")
version="$version+$release"

work=$directory/work
rm -rf "$work"
mkdir -p "$work/roundel"
cp -R packaging/debian "$work/roundel/debian"
cat >"$work/roundel/debian/changelog" <<END
roundel ($version) unstable; urgency=medium

  * Built from the sources of this version; the file changelog says what is new.

 -- Roundel maintainers <maintainers@roundel.org>  $(date -R -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"})
END
log=$directory/build.log
# Swift comes from swift.org, so that not all that the sources need is a package. The build takes the tree's own directory
# with plugins apart: they are compiled with the flags of Debian's packages.
(cd "$work/roundel" && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL TREE="$tree" PLUGINS="${directory#"$tree"/}/plugins" \
    dpkg-buildpackage -b -uc -us -d) >"$log" 2>&1 || { tail -40 "$log"; exit 1; }
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$directory"
rm -rf "$work"
echo "The packages of version $version are in $directory."
