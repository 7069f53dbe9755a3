# Roundel. `make demo` shows it, `make install PREFIX=DIR` installs it; a Swift 6 toolchain is the one prerequisite.

PREFIX ?= /usr/local
# Where a session looks for autostart entries: the system's place, a user's own, or one below PREFIX.
AUTOSTART ?= $(if $(filter /usr /usr/local,$(PREFIX)),/etc/xdg/autostart,$(if $(filter $(HOME)/.local,$(PREFIX)),\
	$(HOME)/.config/autostart,$(PREFIX)/etc/xdg/autostart))
DESTDIR ?=
SEEDS ?= 1000
SHARE ?= 500
# The release of Debian whose file managers `test-newer` plays.
NEWER ?= trixie
FUZZ_SECONDS ?= 3600
HOURS ?= 1
READER_SECONDS ?= 300
READERS ?= message uri key-file state-file multistatus
# The seed of all random tests of one run: a new one each time, unless one is given. Each test prints what it uses.
ifndef ROUNDEL_SEED
ROUNDEL_SEED := $(shell shuf -i 1-999999999 -n 1)
endif
export ROUNDEL_SEED
# The name of one run of the benchmarks, and the file that keeps what each of its rounds gave.
ifndef RUN
RUN := $(shell date +%Y%m%d-%H%M%S)-$(shell git rev-parse --short HEAD 2>/dev/null || echo sources)
endif
KEPT = $(CURDIR)/build/bench/$(RUN).json
COMMA := ,
SPACE := $(subst ,, )
SWIFT ?= swift
PYTHON ?= /usr/bin/python3
MYPY ?= mypy
# No package of Debian 12 has it: it is installed below build, in this version.
RUFF_VERSION := 0.17.6
PYTHON_RULES := packaging/pyproject.toml
CHECK_TYPES = $(MYPY) --config-file $(PYTHON_RULES)
RUFF := build/lint-tools/ruff-$(RUFF_VERSION)/bin/ruff

# How the programs that are installed are built: with the Swift runtime in them, and with no more of it than they use.
RELEASE = -c release --static-swift-stdlib $(shell packaging/release-link.py $(SWIFT) build/release-link)
FUZZED := -c release --sanitize=address --scratch-path .build-fuzz
FUZZED_READERS := -c release --sanitize=address --scratch-path .build-fuzz/readers --package-path Tests/Fuzzing \
	-Xswiftc -sanitize=fuzzer -Xswiftc -parse-as-library -Xswiftc -enable-testing
PROGRAMS := roundeld roundel-worker roundel-mount roundel-git roundel-marks roundel-syncthing roundel-window roundel
# What `make` built, as it is installed; newer than its sources, it is installed without any tool that builds.
BUILT := build/programs
PLUGINS := build/plugins
TRANSLATIONS := build/translations
STAGE := $(CURDIR)/build/stage
# The same of the programs that are built for tests.
DEBUG_BUILT := build/debug-programs
DEBUG_STAGE := $(CURDIR)/build/stage-debug
# Nobody looks into a program of CI's with a debugger; without what one needs, building takes less time.
DEBUG := $(if $(filter true,$(CI)),-debug-info-format none)
# The servers that tests of remotes speak to.
SERVERS := $(CURDIR)/build/servers
SANITIZE := -fsanitize=address,undefined -fno-omit-frame-pointer
SWIFT_SOURCES := Package.swift Sources Tests $(wildcard Benchmarks)
C_SOURCES = $(shell git ls-files -co --exclude-standard 'Sources/*.c' 'Sources/*.cpp' 'Sources/*.h' 'Tests/*.c' \
	'Tests/*.cpp' 'Tests/*.h' 'Benchmarks/*.c' 'Benchmarks/*.h' 'examples/*.c')
SHELL_SOURCES = $(shell git ls-files -co --exclude-standard '*.sh') .ci/run

.PHONY: all deps demo test test-all test-swift test-edge torture fuzz fuzz-readers test-python test-desktop test-newer bench \
	bench-scale bench-compare soak simulate pictures release plugins translations install uninstall test-programs servers plugin-tests sanitized-plugins stage-debug stage \
	deb dist version test-packages icons manual pot lint lint-python docs format clean toolchain mutants

all: release plugins translations

toolchain:
	@command -v $(SWIFT) >/dev/null || { \
	  echo "Roundel is built with Swift 6.2 or later, and there is no '$(SWIFT)' in PATH:" \
	       "install the toolchain from https://www.swift.org/install/linux/ and run make again." >&2; exit 1; }
	@packaging/vendored.sh

deps:
	@packaging/deps.sh

# --- Building ---------------------------------------------------------------------------------------------------------

release: toolchain
	@packaging/deps.sh build
	$(SWIFT) build $(RELEASE) --product roundeld
	$(SWIFT) build $(RELEASE) --product roundel-worker
	$(SWIFT) build $(RELEASE) --product roundel-mount
	$(SWIFT) build $(RELEASE) --product roundel-git
	$(SWIFT) build $(RELEASE) --product roundel-syncthing
	$(SWIFT) build $(RELEASE) --product roundel-marks
	$(SWIFT) build $(RELEASE) --product roundel-window
	$(SWIFT) build $(RELEASE) --product roundel
	@packaging/programs.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)" $(BUILT) $(PROGRAMS)

# One plugin for each file manager whose extension library is installed; the others are named and left out.
plugins:
	@packaging/deps.sh plugins
	cmake -S Sources/FileManagers -B $(PLUGINS) -DCMAKE_INSTALL_PREFIX=$(PREFIX) >$(PLUGINS).log 2>&1 \
	  || { cat $(PLUGINS).log; exit 1; }
	@grep 'is not built' $(PLUGINS).log || true
	cmake --build $(PLUGINS) --parallel $$(nproc)
	@rm -rf $(PLUGINS)/staged && mkdir $(PLUGINS)/staged
	@DESTDIR= cmake --install $(PLUGINS) --prefix $(CURDIR)/$(PLUGINS)/staged --strip >$(PLUGINS).staged.log \
	  || { cat $(PLUGINS).staged.log; exit 1; }
	@touch $(PLUGINS)/staged/stamp

# What translators have made of the texts for people, for each language in po/LINGUAS.
translations: | build
	@packaging/translations.sh $(TRANSLATIONS)

plugins: | build
build:
	@mkdir -p build

# The tray's icons as pictures, for panels that find no icon by its name; to be made anew when a drawing changes.
icons:
	Icons/tray/render.py

# The manual pages, in English and in the languages of po/; to be made anew when a frame in Documentation/man changes, what
# the program says of its commands, a translation, or the header of libroundel.
manual: toolchain
	$(SWIFT) build --product roundel
	packaging/manual.py Documentation/man "$$($(SWIFT) build --show-bin-path)/roundel"

# The texts to be translated; to be written anew when one changes.
pot:
	@packaging/deps.sh lint
	po/update.py
	po/vocabulary.py

# --- Installing -------------------------------------------------------------------------------------------------------

$(BUILT)/stamp: Package.swift $(shell find Sources -path Sources/FileManagers -prune -o -print)
	@packaging/as-owner.sh $(MAKE) --no-print-directory release

$(PLUGINS)/staged/stamp: $(shell find Sources/FileManagers)
	@packaging/as-owner.sh $(MAKE) --no-print-directory plugins

$(TRANSLATIONS)/stamp: $(wildcard po/LINGUAS po/*.po)
	@packaging/as-owner.sh $(MAKE) --no-print-directory translations

install: $(BUILT)/stamp $(PLUGINS)/staged/stamp $(TRANSLATIONS)/stamp
	@PROGRAMS="$(PROGRAMS)" BUILT="$(BUILT)" PLUGINS="$(PLUGINS)/staged" TRANSLATIONS="$(TRANSLATIONS)" \
	  PREFIX="$(PREFIX)" AUTOSTART="$(strip $(AUTOSTART))" DESTDIR="$(DESTDIR)" packaging/install.sh

uninstall:
	@PREFIX="$(PREFIX)" AUTOSTART="$(strip $(AUTOSTART))" DESTDIR="$(DESTDIR)" packaging/uninstall.sh

# An installation below build/, for the demo and for tests of what is installed.
stage:
	@rm -rf $(STAGE)
	@$(MAKE) --no-print-directory install PREFIX=$(STAGE) AUTOSTART=$(STAGE)/etc/xdg/autostart DESTDIR=

# --- Packages ---------------------------------------------------------------------------------------------------------

DEB := build/deb

# Packages for the release of Debian that runs here. VERSION=0.2.0: as that version.
deb: $(BUILT)/stamp $(TRANSLATIONS)/stamp
	@packaging/deps.sh plugins package
	@packaging/deb.sh $(CURDIR)/$(DEB) $(VERSION)
	@packaging/lint-deb.sh $(CURDIR)/$(DEB)

# Two archives: the sources with the Swift packages, which build without a network, and what `make` built for other
# distributions, with its own `install`.
dist: $(BUILT)/stamp $(PLUGINS)/staged/stamp $(TRANSLATIONS)/stamp
	@BUILT="$(BUILT)" PLUGINS="$(PLUGINS)/staged" TRANSLATIONS="$(TRANSLATIONS)" packaging/dist.sh build/dist sources portable

# Makes a release of what stands under Unreleased in CHANGELOG.md: version numbers, a commit, a tag. VERSION=0.2.0.
version:
	@packaging/new-version.py $(VERSION)

# --- Showing and testing ----------------------------------------------------------------------------------------------

demo: toolchain
	@packaging/deps.sh build demo
	@$(MAKE) --no-print-directory release
	@packaging/demo.sh "$(CURDIR)/$(BUILT)"

# Builds what the tests need and plays them in lanes beside one another: Tests/run says how.
# FILTER="ConflictTests desktop/nemo": only tests whose title, lane/name, contains one of the words.
test: toolchain
	@packaging/deps.sh
	@Tests/run $(FILTER)

# Everything, part by part, each with a stamp for the tree that passed it: what was stopped goes on where it was. The parts
# stand in Tests/all; PARTS="newer mutants" plays only these.
test-all: toolchain
	@packaging/deps.sh
	@Tests/all $(PARTS)

# One lane or some: the same as test, with fewer builds.
test-swift: toolchain
	@packaging/deps.sh build test
	@Tests/run --lane histories --lane unit --lane integration --lane servers $(FILTER)

test-desktop: toolchain
	@packaging/deps.sh build plugins test
	@Tests/run --lane plugins --lane desktop $(FILTER)

test-python: toolchain
	@packaging/deps.sh build plugins test
	@Tests/run --lane python --lane installed $(FILTER)

test-edge: toolchain
	@packaging/deps.sh build test
	@Tests/run --lane edge $(FILTER)

# What Tests/run builds, each part once.
test-programs: toolchain
	$(SWIFT) build $(DEBUG) --build-tests

servers:
	@packaging/servers.sh $(SERVERS)

plugin-tests: plugins
	cmake --build $(PLUGINS) --parallel $$(nproc) --target dolphin-plugin-tests gtk-plugin-tests metadata-tests words-tests

sanitized-plugins: | build
	cmake -S Sources/FileManagers -B $(PLUGINS)/sanitized \
	  -DCMAKE_C_FLAGS="$(SANITIZE)" -DCMAKE_CXX_FLAGS="$(SANITIZE)" >$(PLUGINS).sanitized.log
	cmake --build $(PLUGINS)/sanitized --parallel $$(nproc)

# An installation of the programs that were built for tests, below build/.
stage-debug: toolchain translations
	@packaging/programs.sh "$$($(SWIFT) build --show-bin-path)" $(DEBUG_BUILT) $(PROGRAMS)
	@rm -rf $(DEBUG_STAGE)
	@PROGRAMS="$(PROGRAMS)" BUILT="$(DEBUG_BUILT)" PLUGINS="$(PLUGINS)/staged" TRANSLATIONS="$(TRANSLATIONS)" \
	  PREFIX="$(DEBUG_STAGE)" AUTOSTART="$(DEBUG_STAGE)/etc/xdg/autostart" DESTDIR= packaging/install.sh

# For an hour or so, the engine is ended at any call and any call fails: SHARE runs with each group of calls disturbed,
# instead of a few.
torture: toolchain
	@packaging/deps.sh build test
	@EDGE_SHARE=$(SHARE) Tests/run --lane edge --seconds 14400

# An hour, or FUZZ_SECONDS, of random calls of everything that the badge service exports, built with AddressSanitizer; the
# tests do it for some seconds without. It is optimised as it is installed: unoptimised, one long name takes it so long that
# its answer counts as missing. What happened last is printed with the seed; ROUNDEL_SEED repeats it.
fuzz: toolchain
	@packaging/deps.sh build test
	$(SWIFT) build $(FUZZED) --product roundeld
	ROUNDEL_FUZZ_SECONDS=$(FUZZ_SECONDS) ROUNDEL_FUZZ_SERVICE="$$($(SWIFT) build $(FUZZED) --show-bin-path)/roundeld" \
	  Tests/run --seconds $$(($(FUZZ_SECONDS) + 1800)) integration/IntegrationTests.FuzzTests

# READER_SECONDS of each reader of foreign bytes under libFuzzer, or of those in READERS. What reached something new is kept
# in build/fuzzing and tried first the next time; an input that fails is kept there as well, and named.
fuzz-readers: toolchain
	@packaging/deps.sh build
	$(SWIFT) build $(FUZZED_READERS) --product fuzz-readers
	@program="$$($(SWIFT) build $(FUZZED_READERS) --show-bin-path)/fuzz-readers" && for reader in $(READERS); do \
	  echo "fuzz-readers: $$reader"; mkdir -p "build/fuzzing/$$reader"; \
	  ROUNDEL_READER=$$reader "$$program" -max_total_time=$(READER_SECONDS) -timeout=10 -max_len=8192 -print_final_stats=1 \
	    -verbosity=0 -artifact_prefix="build/fuzzing/$$reader-" "build/fuzzing/$$reader" "Tests/Fuzzing/Corpora/$$reader" || exit 1; \
	done

# The same file managers as a newer Debian has them, in a root that is made below build and kept (4 GB, some minutes).
# SCENARIOS="menus caja": only these.
test-newer:
	@packaging/deps.sh newer
	@[ -x $(STAGE)/bin/roundeld ] || $(MAKE) --no-print-directory stage
	Tests/Desktop/newer.sh $(NEWER) $(CURDIR)/build/newer $(STAGE) $(SCENARIOS)

# The pictures of README.md and of Documentation, taken anew in packaging/pictures, of the programs as they are installed;
# look at them before you commit them. PICTURES="nautilus window-dark" takes some.
pictures:
	@packaging/deps.sh build plugins test pictures
	@[ -x $(STAGE)/bin/roundel-window ] || $(MAKE) --no-print-directory stage
	Tests/Pictures/run --services $(STAGE) --plugins $(PLUGINS) $(PICTURES)

# The packages of this release of Debian and of a newer one, each in two versions: built, installed in a clean root with a
# systemd of its own, used after a login, upgraded, removed and purged. The roots are made once (300 MB each).
test-packages: $(BUILT)/stamp $(PLUGINS)/staged/stamp $(TRANSLATIONS)/stamp
	@packaging/deps.sh plugins package newer
	Tests/Packages/run.sh $(CURDIR)/build/packages $(NEWER)

# Everything but the rows of bench-scale. What each round gave is kept for bench-compare, under the time and the commit or
# RUN=name. ONLY="servers line": these groups alone.
bench: toolchain
	@packaging/deps.sh
	@packaging/deps.sh bench
	@$(MAKE) --no-print-directory release
	ROUNDEL_BIN="$$($(SWIFT) build $(RELEASE) --show-bin-path)" $(SWIFT) run -c release --package-path Benchmarks \
	  roundel-bench --record $(KEPT) $(if $(ONLY),--only $(subst $(SPACE),$(COMMA),$(strip $(ONLY))))
ifndef ONLY
	@# It fails where a row misses its aim; the file managers are measured all the same.
	-Benchmarks/on-demand --record $(KEPT) "$$($(SWIFT) build $(RELEASE) --show-bin-path)"
	@$(MAKE) --no-print-directory stage
	Tests/Desktop/bench --record $(KEPT) --plugins $(PLUGINS) --services $(STAGE)
endif
	@echo "What each round gave is in $(KEPT): make bench-compare A=$(RUN) B=another"

# The worker with 200,000 files beside rsync, rclone and unison where they are installed; FILES=1000000 for as many.
bench-scale: toolchain
	@packaging/deps.sh
	@$(MAKE) --no-print-directory release
	ROUNDEL_BIN="$$($(SWIFT) build $(RELEASE) --show-bin-path)" $(SWIFT) run -c release --package-path Benchmarks \
	  roundel-bench --record $(KEPT) --only scale $(addprefix --files ,$(FILES))
	@echo "What each round gave is in $(KEPT): make bench-compare A=$(RUN) B=another"

# What changed from one run of these to another, and whether it is beyond the noise: A=before B=after.
bench-compare:
	@Benchmarks/compare $(A) $(B)

# Plants faults and sees that the test named for each fails; the report is build/mutants/report.md.
# MUTANTS="id …" for these alone, MODULE=SyncCore for those of one folder of Sources, RESUME=1 for those not killed yet.
mutants: toolchain
	@packaging/deps.sh build plugins test
	@packaging/servers.sh $(SERVERS)
	SWIFT="$(SWIFT)" ROUNDEL_SERVERS=$(SERVERS) Tests/Mutants/run $(if $(RESUME),--resume) \
	  $(addprefix --module ,$(MODULE)) $(MUTANTS)

# For an hour, or HOURS, or MINUTES, the installed programs on a private bus: hosts come and go, folders change, programs are
# killed, remotes drop, the calendar jumps and the bus restarts. What each program has at rest is printed every few minutes;
# more at the end than after five minutes is a leak, and the status is 1.
soak: toolchain
	@packaging/deps.sh
	@packaging/servers.sh $(SERVERS)
	@$(MAKE) --no-print-directory stage
	ROUNDEL_SERVERS=$(SERVERS) Tests/Soak/run $(STAGE) --minutes $(or $(MINUTES),$$((60 * $(HOURS))))

simulate: toolchain
	@packaging/deps.sh build
	$(SWIFT) build $(RELEASE) --product simulate
	"$$($(SWIFT) build $(RELEASE) --show-bin-path)/simulate" --seeds $(SEEDS) --threads $$(nproc)

# --- Style ------------------------------------------------------------------------------------------------------------

lint: toolchain
	@packaging/deps.sh build lint
	@$(MAKE) --no-print-directory lint-python
	$(SWIFT) format lint -s --parallel -r $(SWIFT_SOURCES)
	clang-format --style=file --dry-run --Werror $(C_SOURCES)
	xmllint --noout --nonet dbus/interfaces/*.xml Icons/hicolor/scalable/*/*.svg
	desktop-file-validate dbus/autostart/*.desktop dbus/applications/*.desktop
	shellcheck $(SHELL_SOURCES)
	@$(MAKE) --no-print-directory docs

# The documentation of the libraries, below build/docs.
docs: toolchain
	@packaging/deps.sh build
	$(SWIFT) build $(DEBUG) --target RoundelBus
	$(SWIFT) build $(DEBUG) --target FileWatch
	@SWIFT="$(SWIFT)" packaging/docs.sh "$$($(SWIFT) build --show-bin-path)"

$(RUFF):
	@rm -rf build/lint-tools
	$(PYTHON) -m venv $(abspath $(dir $@)..)
	$(dir $@)pip install --quiet --disable-pip-version-check ruff==$(RUFF_VERSION)

# Each folder of tests is a program of its own to mypy, as it is to Python.
lint-python: $(RUFF)
	$(RUFF) check --config $(PYTHON_RULES) .
	@echo "$(MYPY), in each folder"
	@$(CHECK_TYPES) --scripts-are-modules Tests/run $(wildcard Tests/Runner/*.py)
	@$(CHECK_TYPES) --scripts-are-modules Tests/all
	@$(CHECK_TYPES) --scripts-are-modules Tests/Desktop/run Tests/Desktop/bench $(wildcard Tests/Desktop/*.py)
	@$(CHECK_TYPES) --scripts-are-modules Tests/Pictures/run $(wildcard Tests/Pictures/*.py)
	@$(CHECK_TYPES) --scripts-are-modules $(addprefix Benchmarks/,on-demand record compare) $(wildcard Benchmarks/*.py)
	@$(CHECK_TYPES) $(wildcard Tests/Benchmarks/*.py)
	@$(CHECK_TYPES) $(wildcard Tests/Packaging/*.py)
	@$(CHECK_TYPES) $(wildcard Tests/Packages/*.py)
	@$(CHECK_TYPES) --scripts-are-modules packaging/release-link.py packaging/new-version.py packaging/manual.py packaging/library_page.py
	@$(CHECK_TYPES) $(wildcard Tests/Edge/*.py)
	@$(CHECK_TYPES) $(wildcard Tests/Nextcloud/*.py)
	@$(CHECK_TYPES) --scripts-are-modules Tests/Soak/run $(wildcard Tests/Soak/*.py)
	@Tests/Mutants/run --check
	@po/update.py --check
	@po/vocabulary.py --check
	@$(CHECK_TYPES) --scripts-are-modules $(wildcard po/*.py)
	@$(CHECK_TYPES) --scripts-are-modules Tests/Mutants/run $(wildcard Tests/Mutants/*.py)
	@$(CHECK_TYPES) --scripts-are-modules Icons/tray/render.py $(wildcard Tests/Icons/*.py)

format: toolchain
	$(SWIFT) format -i --parallel -r $(SWIFT_SOURCES)
	clang-format --style=file -i $(C_SOURCES)

clean:
	@[ ! -d build/newer ] || [ "$$(id -u)" -eq 0 ] || sudo rm -rf build/newer
	rm -rf .build .build-fuzz build
