#!/bin/sh
# Boots systemd in a copy of a root that is gone with it. What is mounted is in namespaces of its own, and so are processes
# and control groups; the kernel's settings cannot be written from there.
#   Tests/Packages/boot.sh ROOT WORK HOMES PACKAGES
# WORK and HOMES are empty directories; PACKAGES is a directory to be seen as /packages.
set -eu
export root="$1" work="$2" homes="$3" packages="$4"

# A control group of its own, below which its manager takes everything.
groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$groups" ] || { echo "boot.sh: no control groups of version 2 are mounted" >&2; exit 1; }
group=$groups/roundel-packages-$$
mkdir "$group"
echo $$ >"$group/cgroup.procs"

# shellcheck disable=SC2016
exec unshare --mount --pid --fork --kill-child --cgroup --ipc --uts --propagation slave sh -euc '
    mount -t tmpfs -o mode=755 tmpfs "$work"
    mkdir "$work/upper" "$work/work" "$work/root"
    mount -t overlay -o "lowerdir=$root,upperdir=$work/upper,workdir=$work/work" overlay "$work/root"
    cd "$work/root"
    mount -t proc proc proc
    mount --bind proc/sys proc/sys
    mount -o remount,bind,ro proc/sys
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    for place in run tmp; do mount -t tmpfs -o mode=1777 tmpfs $place; done
    chmod 755 run
    mount -t tmpfs -o mode=755 tmpfs dev
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
    mount -t tmpfs -o mode=1777 tmpfs dev/shm
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    for device in null zero full random urandom tty fuse; do
        [ -e "/dev/$device" ] || continue
        touch "dev/$device"
        mount --bind "/dev/$device" "dev/$device"
    done
    # Homes are on a disk: folders on demand need more of a file system than an overlay has.
    mount --bind "$homes" home
    mkdir -p packages
    mount --bind "$packages" packages
    mount -o remount,bind,ro packages
    cp /etc/resolv.conf etc/resolv.conf 2>/dev/null || true
    echo roundel-packages >etc/hostname
    exec env -i container=roundel-packages PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . /lib/systemd/systemd --system \
        --unit=multi-user.target --log-target=console --show-status=false
'
