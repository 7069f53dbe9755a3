#!/bin/sh
# Compiles the translations of the languages in po/LINGUAS into a directory, as they are installed below share/locale.
#   packaging/translations.sh DIRECTORY [PO]     PO: another directory of translations than po
set -eu
directory=$1 po=${2:-$(dirname "$0")/../po}
rm -rf "$directory"
mkdir -p "$directory"
languages=$(sed 's/#.*//' "$po/LINGUAS")
for language in $languages; do
    mkdir -p "$directory/$language/LC_MESSAGES"
    msgfmt --check --output-file="$directory/$language/LC_MESSAGES/roundel.mo" "$po/$language.po"
done
touch "$directory/stamp"
