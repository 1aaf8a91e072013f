# Builds, tests, measures and installs sudoku-filter. Honours CARGO_TARGET_DIR.

CARGO = cargo
PREFIX = /usr/local
DESTDIR =
# A folder with more puzzles to time: make bench CORPORA=DIR
CORPORA =
# A folder with programs of other solvers: make bench-peers PEERS=DIR; see tests/bench/README.md
PEERS =

target = $${CARGO_TARGET_DIR:-target}
program = $(target)/release/sudoku-filter
bindir = $(DESTDIR)$(PREFIX)/bin
share = $(DESTDIR)$(PREFIX)/share
man_dir = $(share)/man/man1
bash_dir = $(share)/bash-completion/completions
zsh_dir = $(share)/zsh/site-functions
fish_dir = $(share)/fish/vendor_completions.d
pages = "$(man_dir)/sudoku-filter.1" "$(bash_dir)/sudoku-filter" "$(zsh_dir)/_sudoku-filter" \
	"$(fish_dir)/sudoku-filter.fish"

.PHONY: build static deb wheel test test-full test-release test-aarch64 check check-package check-deb check-wheel test-scale prove fuzz \
	mutants data bench bench-peers bench-chart install uninstall clean

build:
	$(CARGO) build --release --locked

# A program without shared libraries, for this kind of CPU. Needs its target: rustup target add x86_64-unknown-linux-musl
static_target = $(shell uname -m)-unknown-linux-musl
static:
	$(CARGO) build --release --locked --target $(static_target)
	@ls -l "$(target)/$(static_target)/release/sudoku-filter"

# A Debian package of the program, its man page and completions. Needs cargo-deb: cargo install cargo-deb --locked
deb: build
	install -d "$(target)/release/pages"
	for page in man complete-bash complete-zsh complete-fish; do \
		"$(program)" --generate $$page > "$(target)/release/pages/$$page" || exit 1; done
	gzip -9nf "$(target)/release/pages/man"
	$(CARGO) deb --locked --no-build --strip

# A wheel, with which pip installs the program. Needs maturin: pip install maturin
wheels = $(target)/wheels
wheel:
	rm -rf "$(wheels)"
	maturin build --release --locked --bindings bin --strip --out "$(wheels)"

# Runs all suites, even after a failure, and prints at the end which tests were skipped. With NO_SKIP=1, a test fails if it
# lacks something that .ci/run installs. `--tests` are all tests but those of the documentation. Each package has a folder of its own.
test:
	@mkdir -p "$(target)"; SKIPPED="$$(cd "$(target)" && pwd)/skipped.txt"; export SKIPPED; : > "$$SKIPPED"; status=0; \
		for tests in --tests --doc; do $(CARGO) test --locked --no-fail-fast $$tests || status=$$?; done; \
		echo "skipped: $$(sort -u "$$SKIPPED" | wc -l)"; sort -u "$$SKIPPED" | sed 's/^/    /'; exit $$status

# The same, with all cases of the long tests, of which `make test` tries a part.
test-full: export FULL = 1
test-full: test

# Runs what `make test-full` leaves out: on the release build, with a part of the cases, the tests of the command line that compute
# something, and the slowest known lines. A function `instructions` is a vector operation that is called instead of inlined, which can take four times as long.
computing = clues:: columns:: constraints:: identity:: killer:: known:: lines:: make:: modes:: plain_lines:: puzzles:: shuffle:: \
	variants:: verify:: vicinity::
test-release: build
	symbols="$$(nm --demangle "$(program)")" && printf '%s\n' "$$symbols" | grep -q ' main$$' && \
		! printf '%s\n' "$$symbols" | grep '::instructions$$'
	SUDOKU_FILTER="$(program)" $(CARGO) test --locked --test cli -- $(computing)
	SUDOKU_FILTER="$(program)" $(CARGO) test --locked --test faults -- --ignored

# Runs tests for AArch64 under emulation, and with them the program. Needs the Rust target, and Debian's packages
# g++-aarch64-linux-gnu and qemu-user. A few: make test-aarch64 AARCH64_TESTS="--lib -- simd::"
aarch64 = aarch64-unknown-linux-gnu
emulator = qemu-aarch64 -L /usr/aarch64-linux-gnu
emulated = $(target)/$(aarch64)/emulated
# These tests limit memory, threads or time, which the emulator needs too, or start a copy of the program without the emulator.
not_emulated = limits:: hostile::hard_puzzles_need_little_memory \
	files::a_file_without_read_permission streams::split_input
AARCH64_TESTS = --lib --test faults -- $(addprefix --skip ,$(not_emulated))
emulated_judges = levels:: agreement:: variants:: data::
test-aarch64: export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER = aarch64-linux-gnu-gcc
test-aarch64: export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER = $(emulator)
test-aarch64:
	mkdir -p "$(target)/$(aarch64)"
	printf '#!/bin/sh\nexec $(emulator) "$${0%%/*}/debug/sudoku-filter" "$$@"\n' > "$(emulated)"
	chmod +x "$(emulated)"
	@printf 'skipped: %s (cannot pass under the emulator)\n' $(not_emulated)
	SUDOKU_FILTER="$(emulated)" $(CARGO) test --locked --no-fail-fast --target $(aarch64) $(AARCH64_TESTS)
ifeq ($(origin AARCH64_TESTS),file)
	SUDOKU_FILTER="$(emulated)" $(CARGO) test --locked --no-fail-fast --target $(aarch64) --test judges -- $(emulated_judges)
endif

check:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps --document-private-items
	for manifest in tests/bench/peers/Cargo.toml tests/fuzz/Cargo.toml; do \
		$(CARGO) metadata --locked --format-version 1 --manifest-path $$manifest > /dev/null || exit 1; done

# Checks that the two packages build by themselves, with the tests of the program; that the program's has the usual files; and that it
# is below a megabyte. The engine is not taken from a registry.
package = $(target)/package
package_path = $$(realpath "$(package)")
version = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
filter_package = sudoku-filter-$(version)
check-package:
	rm -rf "$(package)"
	$(CARGO) package --locked --allow-dirty --no-verify --workspace
	cd "$(package)" && ls -l *.crate && test "$$(cat $(filter_package).crate | wc -c)" -le 1000000 && \
		for crate in *.crate; do tar xzf $$crate || exit 1; done
	cd "$(package)/$(filter_package)" && ls README.md LICENSE Makefile data/classic.txt data/README.md data/forms.md src/README.md tests/bench/README.md > /dev/null
	$(CARGO) check --all-targets --manifest-path "$(package)/$(filter_package)/Cargo.toml" --target-dir "$(target)" \
		--config "patch.crates-io.sudoku-filter-engine.path='$(package_path)/sudoku-filter-engine-$(version)'"

# Unpacks the Debian package and runs the program in it.
unpacked = $(target)/deb
check-deb: deb
	rm -rf "$(unpacked)"
	dpkg-deb -x "$$(ls -t "$(target)"/debian/sudoku-filter_*.deb | head -n 1)" "$(unpacked)"
	"$(unpacked)/usr/bin/sudoku-filter" --summary data/classic.txt > /dev/null
	cd "$(unpacked)/usr/share" && ls man/man1/sudoku-filter.1.gz bash-completion/completions/sudoku-filter \
		zsh/vendor-completions/_sudoku-filter fish/vendor_completions.d/sudoku-filter.fish doc/sudoku-filter/copyright \
		doc/sudoku-filter/README.md doc/sudoku-filter/data/README.md doc/sudoku-filter/data/columns.md doc/sudoku-filter/tests/covered.md doc/sudoku-filter/tests/scale/README.md

# Installs the wheel in a new environment, and runs the program in it.
environment = $(target)/wheels/environment
check-wheel: wheel
	python3 -m venv "$(environment)"
	"$(environment)/bin/pip" install --quiet --no-index "$(wheels)"/*.whl
	"$(environment)/bin/sudoku-filter" --summary data/classic.txt > /dev/null

# A million lines under GNU parallel and Spark; see tests/scale/README.md.
test-scale: build
	tests/scale/run.sh "$(program)"

# All generated files of data/ again; more random cases of two suites; a million puzzles, also decided by batsat; then 10 GB through a
# pipe, in the memory that 10 MB need.
made = $(target)/made
prove: build
	rm -rf "$(made)"
	$(CARGO) run --quiet --release --locked --example make-data -- "$(made)"
	cd "$(made)" && for file in *.* bench/*; do cmp "$$file" "$(CURDIR)/data/$$file" || exit 1; done
	ROUND_TRIPS=30 $(CARGO) test --release --locked --test judges round_trips::
	PENCIL=10 $(CARGO) test --release --locked --test judges pencil::
	PROVE=1000000 $(CARGO) test --release --locked --test judges proof:: -- --nocapture
	lines="$$(yes 123434122143.... | head -n 631612837 | (ulimit -v 400000; "$(program)" --require unique || echo failed) | tail -n 1)"; \
		echo "$$lines"; test "$$lines" = "$$(printf '1234341221434321\tunique')"

# Seconds for each target. Needs AFL++ for stable Rust: cargo install cargo-afl --locked
FUZZ_SECONDS = 1200
fuzz_dir = $(target)/fuzz
fuzz:
	CARGO_TARGET_DIR="$(fuzz_dir)" $(CARGO) afl build --release --locked --manifest-path tests/fuzz/Cargo.toml
	@mkdir -p "$(fuzz_dir)/out"
	@for it in line regions chunks filter csv named drawn notation; do \
		AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_AUTORESUME=1 \
		$(CARGO) afl fuzz -i tests/fuzz/seeds/$$it -o "$(fuzz_dir)/out/$$it" -V $(FUZZ_SECONDS) -t 5000 -- \
			"$(fuzz_dir)/release/fuzz" $$it > "$(fuzz_dir)/$$it.log" 2>&1 || exit 1; \
		echo "$$it:"; grep -E "execs_done|saved_(crashes|hangs)" "$(fuzz_dir)/out/$$it/default/fuzzer_stats"; \
	done; \
	if ls "$(fuzz_dir)"/out/*/default/crashes/id* 2> /dev/null; then exit 1; fi

# Plants faults, and reports whether a test fails for each. MUTANTS="word word" selects faults with one of these words in
# their names. One build holds all faults. Most are noticed within seconds; a fault that no test notices takes minutes.
mutants:
	$(CARGO) run --quiet --release --locked --example mutants -- $(MUTANTS)

# The generator is seeded, so it writes the same bytes every time.
data:
	$(CARGO) run --release --locked --example make-data -- data

# Options of the three targets below: make bench BENCH="--levels avx2 --repeat 5"
BENCH =

bench:
	$(CARGO) run --quiet --release --locked --example bench -- $(BENCH) data/bench $(CORPORA)

# The peers are a package of their own, with their own lock file.
bench-peers: build
	$(CARGO) build --release --locked --manifest-path tests/bench/peers/Cargo.toml --target-dir "$(target)"
	"$(target)/release/peers" --program "$(program)" $(if $(PEERS),--peers "$(PEERS)") $(BENCH) data/bench $(CORPORA)

# Draws the last tables of bench and bench-peers as target/bench.svg, or others: BENCH="-o FILE.svg TABLE.csv..."
bench-chart:
	$(CARGO) run --quiet --release --locked --example bench-chart -- $(BENCH)

# Does not build anything, so that `sudo make install` runs no compiler as root.
install:
	@test -x "$(program)" || { echo "run 'make build' first" >&2; exit 1; }
	install -d "$(bindir)" "$(man_dir)" "$(bash_dir)" "$(zsh_dir)" "$(fish_dir)"
	install -m 755 "$(program)" "$(bindir)/sudoku-filter"
	"$(program)" --generate man > "$(man_dir)/sudoku-filter.1"
	"$(program)" --generate complete-bash > "$(bash_dir)/sudoku-filter"
	"$(program)" --generate complete-zsh > "$(zsh_dir)/_sudoku-filter"
	"$(program)" --generate complete-fish > "$(fish_dir)/sudoku-filter.fish"
	chmod 644 $(pages)

uninstall:
	rm -f "$(bindir)/sudoku-filter" $(pages)

clean:
	$(CARGO) clean
