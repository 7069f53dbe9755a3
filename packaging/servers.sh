#!/bin/sh
# Brings the servers that tests speak to below a directory, those at least that Debian has not as a program alone:
# installed as usual, nginx and OpenSSH would run for the whole system.
#   packaging/servers.sh DIRECTORY
set -eu

place=${1:?usage: packaging/servers.sh DIRECTORY}
wsgidav="wsgidav==4.3.3 cheroot==11.1.2"
# Of what its server is made of, S3 needs these parts alone.
moto="moto==5.2.5 flask==3.1.3 flask-cors==6.0.5"
mkdir -p "$place"

# from_python NAME PROGRAM REQUIREMENTS
from_python() {
    [ ! -x "$place/$1/bin/$2" ] || return 0
    rm -rf "${place:?}/$1"
    # shellcheck disable=SC2086
    if ! { /usr/bin/python3 -m venv "$place/$1" &&
        "$place/$1/bin/pip" install --quiet --disable-pip-version-check $3; }; then
        rm -rf "${place:?}/$1"
        echo "servers.sh: $1 cannot be had, its tests are left out" >&2
    fi
}

# from_debian NAME PROGRAM PACKAGES
from_debian() {
    if [ -x "$place/$1/$2" ] || ! command -v apt-get >/dev/null; then return 0; fi
    rm -rf "${place:?}/$1" "$place/packages"
    mkdir -p "$place/packages"
    # shellcheck disable=SC2086
    if (cd "$place/packages" && apt-get download -q $3 >download.log 2>&1); then
        for package in "$place"/packages/*.deb; do dpkg-deb -x "$package" "$place/$1"; done
    else
        echo "servers.sh: $1 cannot be had, its tests are left out" >&2
    fi
    rm -rf "$place/packages"
}

from_python wsgidav wsgidav "$wsgidav"
from_python moto moto_server "$moto"
from_debian nginx usr/sbin/nginx "nginx libnginx-mod-http-dav-ext"
from_debian openssh usr/sbin/sshd "openssh-server"
