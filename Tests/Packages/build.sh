#!/bin/sh
# Builds the packages for another release of Debian, in a root of it, from the programs that were built here:
#   Tests/Packages/build.sh ROOT DIRECTORY VERSION...
# What is installed into the root for that stays in DIRECTORY, which is below the project; the packages are in DIRECTORY/packages.
set -eu
root=$1 directory=$2
shift 2
project=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$directory/root" "$directory/upper" "$directory/work"
# shellcheck disable=SC2016
exec unshare --mount --propagation slave sh -euc '
    root=$1 directory=$2 project=$3
    shift 3
    mount -t overlay -o "lowerdir=$root,upperdir=$directory/upper,workdir=$directory/work" overlay "$directory/root"
    root=$directory/root
    for place in proc dev sys; do mount --rbind "/$place" "$root/$place"; done
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    mkdir -p "$root$project"
    mount --bind "$project" "$root$project"
    exec chroot "$root" env -i DPKG_DEB_COMPRESSOR_LEVEL=0 PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 sh -euc "
        cd \"\$1\"
        directory=\$2
        shift 2
        packaging/deps.sh plugins package
        for version; do packaging/deb.sh \"\$directory/packages\" \"\$version\"; done
        packaging/lint-deb.sh \"\$directory/packages\"
    " sh "$project" "$directory" "$@"
' sh "$root" "$directory" "$project" "$@"
