#!/bin/sh
# Makes a root of a release of Debian below DIRECTORY, once, with what is essential and these packages:
#   Tests/Packages/root.sh SUITE DIRECTORY [PACKAGE,…]
# It comes from the mirror that this system uses, where that is one of Debian.
set -eu
suite=$1 directory=$2 packages=${3:-}
root=$directory/$suite
[ ! -e "$root/made" ] || exit 0
mkdir -p "$directory"
rm -rf "$root"
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | grep -v security | sort -u | head -1)
# What is unmounted outside meanwhile goes here as well: nobody's mount is held.
unshare --mount --propagation slave \
    debootstrap --variant=minbase ${packages:+"--include=$packages"} "$suite" "$root" ${mirror:+"$mirror"} >"$directory/$suite.log" 2>&1 \
    || { tail -3 "$directory/$suite.log" >&2; exit 1; }
# Beside the mirror, whatever tells apt here how it is reached.
for file in /etc/apt/apt.conf.d/*; do
    if grep -qiE 'proxy|Check-Valid-Until|Check-Date' "$file"; then cp "$file" "$root/etc/apt/apt.conf.d"; fi
done
touch "$root/made"
