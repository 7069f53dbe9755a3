#!/bin/sh
# Runs the Swift tests that are built already, and names the skipped ones; with CI=true a skip fails.
#   packaging/swift-test.sh SWIFT
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ "$1" test --skip-build; echo $? >"$log.status"; } 2>&1 | tee "$log"
status=$(cat "$log.status")
rm -f "$log.status"

# Swift Testing marks a test's end with a symbol and these words, XCTest its own.
count() { grep -cE "^[^[:alnum:]]*Test .* $1" "$log"; }
passed=$(count 'passed after')
failed=$(count 'failed after')
skipped=$(count 'skipped')
grep -E '^[^[:alnum:]]*Test .* skipped' "$log" | sed 's/^[^[:alnum:]]*/skipped: /'
echo "$passed passed, $failed failed, $skipped skipped"
[ "$status" -eq 0 ] || exit "$status"
[ "$passed" -gt 0 ] || { echo "No test ran." >&2; exit 1; }
if [ "${CI:-}" = true ] && [ "$skipped" -gt 0 ]; then
    echo "Under CI every test must run." >&2
    exit 1
fi
