#!/bin/sh
# Puts programs that were built, and what a shell completes of their words, into a directory from which they are installed.
#   packaging/programs.sh BUILT DIRECTORY PROGRAM...
set -eu
built=$1 directory=$2
shift 2
rm -rf "$directory"
mkdir -p "$directory/completions"
for program; do install -s -m 755 "$built/$program" "$directory"; done
for shell in bash zsh fish; do
    LC_ALL=C.UTF-8 "$directory/roundel" --generate-completion-script $shell >"$directory/completions/$shell"
    # It is read, not run.
    sed -i '1{/^#!/d}' "$directory/completions/$shell"
done
touch "$directory/stamp"
