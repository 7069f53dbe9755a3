#!/bin/sh
# Runs a command that builds as the owner of this project: what root builds, the owner can neither change nor remove.
#   packaging/as-owner.sh COMMAND [ARGUMENT]...
set -eu
cd "$(dirname "$0")/.."
owner=$(stat -c %u .)
if [ "$(id -u)" -ne 0 ] || [ "$owner" -eq 0 ]; then exec "$@"; fi
echo "What is built is older than its sources: it is built first, as the owner of $(pwd)."
home=$(getent passwd "$owner" | cut -d: -f6)
exec setpriv --reuid="$owner" --regid="$(stat -c %g .)" --clear-groups env HOME="${home:-/}" "$@"
