#!/bin/sh
# Lets lintian look at the newest packages in a directory; whatever it says that is not explained in an override fails.
#   packaging/lint-deb.sh DIRECTORY
set -eu
changes=$(find "$1" -maxdepth 1 -name '*.changes' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2-)
as_root=""
[ "$(id -u)" -ne 0 ] || as_root=--allow-root
# AppStream of Debian 13 asks for the address of a home page, and Roundel has none; lintian of Debian 12 does not know the
# tag, for which an override would be a mistake there.
suppressed=""
tag=appstream-metadata-validation-failed
if lintian-explain-tags "$tag" >/dev/null 2>&1; then suppressed="--suppress-tags $tag"; fi
# shellcheck disable=SC2086
lintian $as_root $suppressed --tag-display-limit 0 --fail-on error,warning "$changes"
