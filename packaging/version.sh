#!/bin/sh
# Prints the version of this tree, which packages and archives bear: that of the last release in CHANGELOG.md, with the
# number of commits since its tag. What comes before the first release sorts before it.
set -eu
cd "$(dirname "$0")/.."
# An archive of the sources says which version it is.
if [ -f VERSION ]; then cat VERSION; exit; fi
version=$(sed -n 's/.*roundelRelease = "\(.*\)".*/\1/p' Sources/RoundelBus/Names.swift)
if described=$(git describe --tags --match "v$version" --long 2>/dev/null); then
    commits=${described#"v$version-"}
    commits=${commits%-*}
    if [ "$commits" -eq 0 ]; then echo "$version"; else echo "$version+$commits"; fi
else
    echo "$version~$(git rev-list --count HEAD 2>/dev/null || echo 0)"
fi
