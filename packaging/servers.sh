#!/bin/sh
# Brings the WebDAV servers that tests speak to below a directory, those at least that Debian has not as a program alone:
# installed as usual, nginx would run for the whole system.
#   packaging/servers.sh DIRECTORY
set -eu

place=${1:?usage: packaging/servers.sh DIRECTORY}
wsgidav="wsgidav==4.3.3 cheroot==11.1.2"
mkdir -p "$place"

if [ ! -x "$place/wsgidav/bin/wsgidav" ]; then
    rm -rf "$place/wsgidav"
    # shellcheck disable=SC2086
    if ! { /usr/bin/python3 -m venv "$place/wsgidav" &&
        "$place/wsgidav/bin/pip" install --quiet --disable-pip-version-check $wsgidav; }; then
        rm -rf "$place/wsgidav"
        echo "servers.sh: wsgidav cannot be had, its tests are left out" >&2
    fi
fi

if [ ! -x "$place/nginx/usr/sbin/nginx" ] && command -v apt-get >/dev/null; then
    rm -rf "$place/nginx" "$place/packages"
    mkdir -p "$place/packages"
    if (cd "$place/packages" && apt-get download -q nginx libnginx-mod-http-dav-ext >download.log 2>&1); then
        for package in "$place"/packages/*.deb; do dpkg-deb -x "$package" "$place/nginx"; done
    else
        echo "servers.sh: nginx cannot be had, its tests are left out" >&2
    fi
    rm -rf "$place/packages"
fi
