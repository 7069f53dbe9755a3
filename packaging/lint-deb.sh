#!/bin/sh
# Lets lintian look at the newest packages in a directory; whatever it says that is not explained in an override fails.
#   packaging/lint-deb.sh DIRECTORY
set -eu
changes=$(find "$1" -maxdepth 1 -name '*.changes' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2-)
as_root=""
[ "$(id -u)" -ne 0 ] || as_root=--allow-root
lintian $as_root --tag-display-limit 0 --fail-on error,warning "$changes"
