#!/bin/sh
# Prints the copyright file of the packages: whose code the programs hold, and under which licences, as NOTICE says.
#   packaging/debian/copyright.sh TREE
set -eu
cd "$1"
echo "Files of Roundel itself: Copyright (c) 2026 the Roundel authors"
echo
# The licences that Debian has once for all packages are named, not repeated.
sed -e 's/its text is in the file LICENSE/its text is in \/usr\/share\/common-licenses\/Apache-2.0/' \
    -e 's/: Apache\.txt$/: \/usr\/share\/common-licenses\/Apache-2.0/' \
    -e 's/: \([A-Za-z]*\)\.txt$/: see "\1" below/' \
    -e '/^one where Roundel is installed/d' -e 's/, and which file has its licence: beside this$/, and which licence it has./' NOTICE
for licence in Swift ICU GRDB llhttp; do
    printf '\n--- %s\n\n' "$licence"
    if [ "$licence" = Swift ]; then
        echo "Apache License 2.0, as in /usr/share/common-licenses/Apache-2.0, with this exception:"
        sed -n '/^## Runtime Library Exception/,$p' packaging/licences/Swift.txt
    else
        cat "packaging/licences/$licence.txt"
    fi
done
