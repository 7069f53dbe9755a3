#!/bin/sh
# Builds the documentation of each library that has a catalogue, Sources/NAME/NAME.docc, below build/docs. A link that
# leads nowhere and a parameter that is not described fail. Takes the directory of what `swift build` has compiled.
set -eu
built=$1
packages=$(dirname "$(dirname "$(readlink -f "$built")")")/checkouts
toolchain=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")

tool() {
    command -v "$1" || command -v "$toolchain/$1" || {
        echo "The Swift toolchain has no '$1', with which the documentation is built." >&2
        exit 1
    }
}
extract=$(tool swift-symbolgraph-extract)
docc=$(tool docc)
target=$("${SWIFT:-swift}" -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')

rm -rf build/docs
for catalogue in Sources/*/*.docc; do
    name=$(basename "$catalogue" .docc)
    symbols=build/docs/$name.symbols
    mkdir -p "$symbols"
    # shellcheck disable=SC2046 # the flags of libdbus are several words
    "$extract" -module-name "$name" -target "$target" -minimum-access-level public -output-dir "$symbols" \
        -I "$built/Modules" -I Sources/CDBus -I "$packages/swift-system/Sources/CSystem/include" \
        -Xcc "-fmodule-map-file=$built/CLinux.build/module.modulemap" $(pkg-config --cflags dbus-1)
    "$docc" convert "$catalogue" --additional-symbol-graph-dir "$symbols" --warnings-as-errors \
        --fallback-display-name "$name" --fallback-bundle-identifier "org.roundel.$name" \
        --output-path "build/docs/$name.doccarchive" >"$symbols.log" 2>&1 || {
        cat "$symbols.log" >&2
        exit 1
    }
    echo "build/docs/$name.doccarchive"
done
