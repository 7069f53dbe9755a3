#!/bin/bash
# Shows Roundel at work: a private bus, a temporary home, real services, a real folder. Nothing of the session that it is
# started in is touched, and nothing is left behind.
#   packaging/demo.sh DIRECTORY-OF-BUILT-PROGRAMS
set -euo pipefail

built=${1:?usage: packaging/demo.sh DIRECTORY-OF-BUILT-PROGRAMS}
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d /tmp/roundel-demo.XXXXXX)
began=$SECONDS
# Seconds for anything that is waited for: a bound that nobody sees, unless something is broken. A machine whose cores
# are all busy with something else may take long.
patience=180
bus_process=""
watch_process=""
shown=()

if [ -t 1 ]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; else bold="" dim="" plain=""; fi

# --- What belongs to the frame: isolation, waiting, cleaning up ------------------------------------------------------

# The processes that run a program of the demo's own installation, by id.
own_processes() {
    local link
    for link in /proc/[0-9]*/exe; do
        case $(readlink "$link" 2>/dev/null || true) in
            "$work"/*) basename "$(dirname "$link")" ;;
        esac
    done
}

end_processes() {
    local process deadline=$((SECONDS + patience))
    for process in $watch_process $(own_processes); do kill -TERM "$process" 2>/dev/null || true; done
    while [ -n "$(own_processes)" ] && [ $SECONDS -lt $deadline ]; do sleep 0.05; done
    for process in $(own_processes); do
        echo "demo: process $process did not end when asked and is killed" >&2
        kill -KILL "$process" 2>/dev/null || true
    done
    if [ -n "$bus_process" ]; then
        kill -TERM "$bus_process" 2>/dev/null || true
        wait "$bus_process" 2>/dev/null || true
    fi
}

clean_up() {
    local status=$?
    trap - EXIT INT TERM
    end_processes
    if [ $status -ne 0 ] && [ -s "$work/services.log" ]; then
        echo "demo: the last lines that the services logged:" >&2
        tail -n 20 "$work/services.log" >&2
    fi
    rm -rf "$work"
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT TERM

isolate() {
    export HOME=$work/home XDG_RUNTIME_DIR=$work/run
    export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share
    export XDG_STATE_HOME=$HOME/.local/state XDG_CACHE_HOME=$HOME/.cache
    export XDG_DATA_DIRS=$work/prefix/share:/usr/local/share:/usr/share
    export PATH=$work/prefix/bin:$PATH
    export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/run/bus
    mkdir -p "$HOME" && mkdir -m 700 "$XDG_RUNTIME_DIR"
    PROGRAMS="roundeld roundel-worker roundel-mount roundel-git roundel-marks roundel-syncthing roundel" BUILT=$built PREFIX=$work/prefix AUTOSTART=$work/prefix/etc/xdg/autostart \
        PLUGINS="" "$project/packaging/install.sh" >/dev/null
    dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" 2>"$work/services.log" &
    bus_process=$!
    until_true "the private bus to start" test -S "$XDG_RUNTIME_DIR/bus"
}

# Asks a condition again and again, until it holds.
until_true() {
    local what=$1 deadline=$((SECONDS + patience))
    shift
    until "$@"; do
        if [ $SECONDS -ge $deadline ]; then
            echo "demo: waited in vain for $what" >&2
            exit 1
        fi
        sleep 0.05
    done
}

badge_is() { roundel badge --json "$1" 2>/dev/null | grep -Eq "\"badge\": *\"$2\""; }
# What the watching program was told last of an item; its lines are JSON, one for each change.
told() { grep -F "\"path\":\"$1\"" "$work/watch.log" | sed -nE 's/.*"badge":"([^"]*)".*/\1/p' | tail -n 1; }
told_is() { [ "$(told "$1")" = "$2" ]; }
until_told() { until_true "the watching program to be told '$2' of $(basename "$1"), not '$(told "$1")'" told_is "$1" "$2"; }
watch_has_begun() { [ "$(grep -c '"badge"' "$work/watch.log")" -ge ${#watched[@]} ]; }

until_badge() { until_true "the badge '$2' on $(basename "$1")" badge_is "$1" "$2"; }

chapter() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
run() {
    printf '%s$ %s%s\n' "$dim" "${*//$HOME/\~}" "$plain"
    "$@" || [ $? -eq 2 ] # 2: done, and something needs the user
}
show() { shown+=("$1"); }

# --- What is shown ---------------------------------------------------------------------------------------------------

isolate
folder=$HOME/Holiday
remote=$work/server/holiday
mkdir -p "$folder/drawings" "$remote"
cp "$project"/Icons/hicolor/scalable/emblems/*.svg "$folder/drawings/"
cp "$project/README.md" "$folder/notes.md"
cp "$project/LICENSE" "$folder/tickets.txt"
# So much that the transfer can be watched on a fast disk as well.
head -c 64000000 /dev/urandom >"$folder/film-1.mov"
for number in $(seq 2 24); do cp "$folder/film-1.mov" "$folder/film-$number.mov"; done

chapter "A folder of real files gets a directory as its remote."
# What it is going to do is said beside what it did.
run roundel add "$folder" "$remote" 2>&1

# Changes the films, so that there is another transfer to be watched.
send_again() {
    local film
    for film in "$folder"/film-*.mov; do date +%N | dd of="$film" conv=notrunc status=none; done
}

# The picture of one moment is kept and printed, because a second one would show another moment. Where the transfer was
# over before anybody looked, there is another one.
moment_of_transfer() {
    listing=$(roundel ls "$folder" || true)
    grep -qi 'pending' <<<"$listing" && grep -qi 'syncing' <<<"$listing" && grep -Eq '[1-9][0-9]* %' <<<"$listing" &&
        return
    if badge_is "$folder" synced; then send_again; fi
    return 1
}
until_true "a moment in which files are pending and syncing" moment_of_transfer
printf '%s$ roundel ls ~/Holiday%s\n%s\n' "$dim" "$plain" "$listing"
show "pending and syncing, with progress"

run roundel sync "$folder" --wait
until_badge "$folder" synced
run roundel ls "$folder"
cmp "$folder/film-1.mov" "$remote/film-1.mov"
show "synced, byte for byte"

chapter "Badges change live: an edit, a new file, an excluded file."
run roundel exclude "$folder" '*.tmp'
watched=("$folder/notes.md" "$folder/postcard.txt" "$folder/draft.tmp" "$folder/tickets.txt")
true >"$work/watch.log" # there is one to be looked at before the program runs
roundel badge --watch --json "${watched[@]}" >"$work/watch.log" 2>&1 &
watch_process=$!
until_true "the first lines of the watch" watch_has_begun
echo "One more day at the sea." >>"$folder/notes.md"
echo "Wish you were here." >"$folder/postcard.txt"
echo "not for the server" >"$folder/draft.tmp"
until_badge "$folder/draft.tmp" excluded
roundel sync "$folder" --wait >/dev/null
until_badge "$folder/notes.md" synced
until_badge "$folder/postcard.txt" synced
until_told "$folder/notes.md" synced
until_told "$folder/postcard.txt" synced
until_told "$folder/draft.tmp" excluded
cmp "$folder/notes.md" "$remote/notes.md"
[ -e "$remote/postcard.txt" ] && [ ! -e "$remote/draft.tmp" ]
rm "$folder/postcard.txt"
until_told "$folder/postcard.txt" ""
roundel sync "$folder" --wait >/dev/null
[ ! -e "$remote/postcard.txt" ]
echo "Wish you were here again." >"$folder/postcard.txt"
until_told "$folder/postcard.txt" synced
cmp "$folder/postcard.txt" "$remote/postcard.txt"
show "an edit, a new file, one deleted and made again, and an excluded file, live"

chapter "Both sides change one file while the folder is paused: a conflict, and nobody's bytes are lost."
run roundel pause "$folder"
echo "seat 12, by the window" >>"$folder/tickets.txt"
echo "seat 14, by the aisle" >>"$remote/tickets.txt"
run roundel resume "$folder"
until_badge "$folder/tickets.txt" conflict
until_told "$folder/tickets.txt" conflict
run roundel conflicts "$folder"
show "a conflict"

chapter "A menu offers the ways out, as it does in a file manager; one of them is taken."
# No menu waits for a provider that is late: then it is opened once more.
menu_with_a_way_out() {
    menu=$(roundel menu items "$folder/tickets.txt" || true)
    item=$(grep -oE 'roundel/[A-Za-z0-9._-]*mine[A-Za-z0-9._-]*' <<<"$menu" | head -n 1)
    [ -n "$item" ]
}
until_true "a menu with a way out of the conflict" menu_with_a_way_out
printf '%s$ roundel menu items ~/Holiday/tickets.txt%s\n%s\n' "$dim" "$plain" "$menu"
# The same of a menu that has to be opened to choose something in it.
item_was_there() {
    status=0
    roundel "do" "$item" "$folder/tickets.txt" >"$work/said" 2>&1 || status=$?
    ! grep -q 'No menu for this' "$work/said"
}
choose() {
    until_true "the item in a menu" item_was_there
    cat "$work/said"
    return "$status"
}
printf '%s$ roundel do %s ~/Holiday/tickets.txt%s\n' "$dim" "$item" "$plain"
choose
roundel sync "$folder" --wait >/dev/null
until_badge "$folder/tickets.txt" synced
grep -q 'seat 12' "$folder/tickets.txt"
cmp "$folder/tickets.txt" "$remote/tickets.txt"
show "a menu action that resolved it"

for item in "${watched[@]}"; do
    case $item in *.tmp) badge=excluded ;; *) badge=synced ;; esac
    until_badge "$item" "$badge"
    until_told "$item" "$badge"
done
show "the same badges at the end, asked for and told"

chapter "What a program that watches these four items was told, in order:"
kill -TERM "$watch_process" 2>/dev/null || true
wait "$watch_process" 2>/dev/null || true
watch_process=""
sed -E "s,$HOME,~,g; s/.*\"path\":\"([^\"]*)\",\"badge\":\"([^\"]*)\".*/  \1: \2/; s/: $/: none/" "$work/watch.log"

chapter "At the end:"
run roundel status "$folder"
run roundel remove "$folder"

end_processes
bus_process=""
printf '\n%sShown in %s seconds:%s\n' "$bold" $((SECONDS - began)) "$plain"
printf '  - %s\n' "${shown[@]}"
echo "The services have ended and the temporary folders are removed."
