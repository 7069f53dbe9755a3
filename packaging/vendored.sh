#!/bin/sh
# In sources that came with the Swift packages that they need (`make dist`), has the build find these, so that it needs no
# network. Elsewhere there is nothing to do.
set -eu
cd "$(dirname "$0")/.."
[ -d vendor ] && [ ! -e .build/workspace-state.json ] || exit 0
mkdir -p .build
cp -R vendor/checkouts .build/checkouts
cp vendor/workspace-state.json .build/workspace-state.json
