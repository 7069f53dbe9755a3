#!/bin/sh
# Makes a clean root of a release of Debian below DIRECTORY, once, in which systemd can boot and nothing of a desktop is:
#   Tests/Packages/root.sh SUITE DIRECTORY
# It comes from the mirror that this system uses.
set -eu
suite=$1 directory=$2
root=$directory/$suite
[ ! -e "$root/made" ] || exit 0
mkdir -p "$directory"
rm -rf "$root"
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | sort -u | head -1)
packages=dbus,dbus-user-session,libpam-systemd,procps,systemd-sysv
unshare --mount --propagation private \
    debootstrap --variant=minbase --include="$packages" "$suite" "$root" "$mirror" >"$directory/$suite.log" 2>&1 \
    || { tail -3 "$directory/$suite.log" >&2; exit 1; }
# Beside the mirror, whatever tells apt here how it is reached.
for file in /etc/apt/apt.conf.d/*; do
    if grep -qiE 'proxy|Check-Valid-Until|Check-Date' "$file"; then cp "$file" "$root/etc/apt/apt.conf.d"; fi
done
touch "$root/made"
