#!/bin/sh
# Runs the Swift tests that are built already, and names the skipped ones; with CI=true a skip fails.
#   packaging/swift-test.sh SWIFT [FILTER]...
# FILTER is a regular expression on a test's name, Target.Suite/function(); a test runs if one of them matches.
set -u
swift=$1
shift
first=true
for filter; do
    if $first; then set --; first=false; fi
    set -- "$@" --filter "$filter"
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Into a file, not a pipe: a program under test may make a pipe that it shares with the runner non-blocking, and on a busy
# machine the lines for which there is no room then are lost.
"$swift" test --skip-build "$@" >>"$log" 2>&1 &
runner=$!
tail -n +1 -f --pid="$runner" "$log"
wait "$runner"
status=$?

# Swift Testing ends the line of each test, after a symbol, with these words; the line of the whole run looks alike.
results() { grep -E "^[^[:alnum:]]*Test .* $1" "$log" | grep -v 'Test run with'; }
passed=$(results 'passed after' | wc -l)
failed=$(results 'failed after' | wc -l)
skipped=$(results 'skipped' | wc -l)
results 'failed after' | sed 's/^[^[:alnum:]]*/failed: /'
# Why, once more where it is seen: what was recorded may stand thousands of lines above.
grep -E -A 40 '^[^[:alnum:]]*Test .* recorded an issue' "$log" | grep -Ev '^[^[:alnum:]]*(Test|Suite) .*(started|passed)' | head -n 200
results 'skipped' | sed 's/^[^[:alnum:]]*/skipped: /'
echo "$passed passed, $failed failed, $skipped skipped"
[ "$status" -eq 0 ] || exit "$status"
[ "$passed" -gt 0 ] || { echo "No test ran." >&2; exit 1; }
if [ "${CI:-}" = true ] && [ "$skipped" -gt 0 ]; then
    echo "Under CI every test must run." >&2
    exit 1
fi
