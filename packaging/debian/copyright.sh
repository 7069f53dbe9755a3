#!/bin/sh
# Prints the copyright file of a package: whose code its programs hold, and under which licences, as NOTICE says.
#   packaging/debian/copyright.sh TREE [PROGRAM]...
set -eu
cd "$1"
shift
cat <<END
Copyright (c) 2026 the Roundel authors
License: Apache License 2.0; Debian has its text in /usr/share/common-licenses/Apache-2.0.
END
[ $# -gt 0 ] || exit 0
printf '\nThe programs of this package hold code of others, too.\n\n'
entries=$(PROGRAMS="$*" awk '
    BEGIN { RS = ""; ORS = "\n\n"; count = split(ENVIRON["PROGRAMS"], programs, " ") }
    {
        if (!match($0, /    In: [^\n]*/)) next
        names = " " substr($0, RSTART + 8, RLENGTH - 8) ","
        for (i = 1; i <= count; i++) if (index(names, " " programs[i] ",")) { print; next }
    }' NOTICE)
echo "$entries" | sed 's,: Apache\.txt$,: /usr/share/common-licenses/Apache-2.0,; s,: \([A-Za-z]*\)\.txt$,: see "\1" below,'
# The licence that Debian has once for all packages is named, not repeated.
for licence in packaging/licences/*.txt; do
    name=$(basename "$licence" .txt)
    echo "$entries" | grep -q ": $name\.txt$" || continue
    case $name in
        Apache) ;;
        Swift)
            printf '\n--- %s\n\nApache License 2.0, as in /usr/share/common-licenses/Apache-2.0, with this exception:\n' "$name"
            sed -n '/^## Runtime Library Exception/,$p' "$licence"
            ;;
        *)
            printf '\n--- %s\n\n' "$name"
            cat "$licence"
            ;;
    esac
done
