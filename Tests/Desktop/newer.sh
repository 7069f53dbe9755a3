#!/bin/sh
# Builds the plugins in a root of another Debian release and plays desktop scenarios there, with its file managers:
#   Tests/Desktop/newer.sh SUITE DIR SERVICES [OPTION of run]... [NAME]...
# DIR is below the project and keeps the root (4 GB, made once), the plugins and the screenshots. SERVICES is a prefix that
# `make install` filled: the programs of this system run there, too. Without a name, every scenario without a sanitizer.
set -eu

suite=$1 directory=$2 services=$3
shift 3
project=$(cd "$(dirname "$0")/../.." && pwd)
root=$directory/$suite

as_root=""
[ "$(id -u)" -eq 0 ] || as_root=sudo

skip() {
    echo "SKIP newer file managers: $1" >&2
    [ "${CI:-}" != true ] || exit 1
    exit 0
}

# What is mounted for it is in a namespace of its own and goes with it. A root that is no mount point is none in which
# the scenarios could have a namespace of theirs.
inside() {
    # shellcheck disable=SC2016
    $as_root unshare --mount --propagation slave sh -euc '
        root=$1 project=$2
        shift 2
        mount --bind "$root" "$root"
        for place in proc dev sys; do mount --rbind "/$place" "$root/$place"; done
        mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
        mkdir -p "$root$project"
        mount --bind "$project" "$root$project"
        exec chroot "$root" sh -euc "cd \"\$1\"; shift; exec \"\$@\"" sh "$project" "$@"
    ' sh "$root" "$project" env CI="${CI:-}" ROUNDEL_NEWER=1 TMPDIR=/tmp "$@"
}

if [ ! -e "$root/made" ]; then
    command -v debootstrap >/dev/null || skip "debootstrap is not installed"
    mkdir -p "$directory"
    echo "making a root of $suite in $root"
    $as_root "$project/Tests/Packages/root.sh" "$suite" "$directory" 2>/dev/null \
        || skip "no root of $suite can be had: $(tail -n 1 "$directory/$suite.log")"
fi
inside packaging/deps.sh build plugins test compositors >"$directory/$suite.packages.log" 2>&1 \
    || skip "its packages cannot be had: $(tail -1 "$directory/$suite.packages.log")"

plugins=$directory/plugins
inside cmake -S Sources/FileManagers -B "$plugins" -DCMAKE_INSTALL_PREFIX=/usr >"$directory/plugins.log" 2>&1 \
    || { cat "$directory/plugins.log"; exit 1; }
if grep 'not built' "$directory/plugins.log"; then exit 1; fi
inside cmake --build "$plugins" --parallel "$(nproc)"

inside Tests/Desktop/run --plugins "$plugins" --services "$services" --shots "$directory/shots" --jobs 2 "$@"
