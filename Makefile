# What one does with sudoku-filter, by name. CARGO_TARGET_DIR is honoured.

CARGO = cargo
PREFIX = /usr/local
DESTDIR =
# More puzzles to time, as make bench CORPORA=../shared/corpora
CORPORA =

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

.PHONY: build test check check-package test-scale prove fuzz mutants data bench bench-peers bench-chart install uninstall clean

build:
	$(CARGO) build --release --locked

# All of them, whatever fails first.
test:
	$(CARGO) test --locked --no-fail-fast

check:
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items

# What a package holds stands by itself, tests and all, has the files that people look for, and is below a megabyte.
package = $(target)/package
check-package:
	rm -rf "$(package)"
	$(CARGO) package --locked --allow-dirty --no-verify
	cd "$(package)" && tar xzf sudoku-filter-*.crate && ls -l *.crate && test "$$(cat *.crate | wc -c)" -le 1000000
	cd "$(package)"/sudoku-filter-*/ && ls README.md LICENSE Makefile data/classic.txt data/SOURCES.md > /dev/null
	$(CARGO) check --locked --all-targets --manifest-path "$$(ls "$(package)"/sudoku-filter-*/Cargo.toml)" \
		--target-dir "$(target)"

# Under GNU parallel and Spark, a million lines: what tests/scale/README.md tells of.
test-scale: build
	tests/scale/run.sh "$(program)"

# A million puzzles decided by varisat as well; then 10 GB through a pipe, in the memory that 10 MB need.
prove: build
	PROVE=1000000 $(CARGO) test --release --locked --test proof -- --nocapture
	yes 123434122143.... | head -c 10G | (ulimit -v 400000; "$(program)") | tail -n 1

# Seconds for each target. AFL++ by way of cargo-afl, which runs on stable Rust: cargo install cargo-afl --locked
FUZZ_SECONDS = 1200
fuzz_dir = $(target)/fuzz
fuzz:
	CARGO_TARGET_DIR="$(fuzz_dir)" $(CARGO) afl build --release --locked --manifest-path tests/fuzz/Cargo.toml
	@mkdir -p "$(fuzz_dir)/out"
	@for it in line regions chunks filter csv named drawn; do \
		AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_AUTORESUME=1 \
		$(CARGO) afl fuzz -i tests/fuzz/seeds/$$it -o "$(fuzz_dir)/out/$$it" -V $(FUZZ_SECONDS) -t 5000 -- \
			"$(fuzz_dir)/release/fuzz" $$it > "$(fuzz_dir)/$$it.log" 2>&1 || exit 1; \
		echo "$$it:"; grep -E "execs_done|saved_(crashes|hangs)" "$(fuzz_dir)/out/$$it/default/fuzzer_stats"; \
	done; \
	if ls "$(fuzz_dir)"/out/*/default/crashes/id* 2> /dev/null; then exit 1; fi

# Plants faults, and tells which of them the tests notice; MUTANTS="word word" for those whose names hold one of these. One
# build holds all; a fault is tried until a test fails, mostly within seconds. Where none does it takes some minutes.
mutants:
	$(CARGO) run --quiet --release --locked --example mutants -- $(MUTANTS)

# The generator is seeded: this gives the same bytes every time.
data:
	$(CARGO) run --release --locked --example make-data -- data

# Further options for the three below, as BENCH="--levels avx2 --repeat 5"
BENCH =

bench:
	$(CARGO) run --quiet --release --locked --example bench -- $(BENCH) data/bench $(CORPORA)

# The peers are built into the same folder, but from a lock file of their own.
bench-peers: build
	$(CARGO) build --release --locked --manifest-path tests/bench/peers/Cargo.toml --target-dir "$(target)"
	"$(target)/release/peers" --program "$(program)" $(BENCH) data/bench $(CORPORA)

# The last tables of the two above; or BENCH="-o FILE CSV...".
bench-chart:
	$(CARGO) run --quiet --release --locked --example bench-chart -- $(BENCH)

# Not rebuilt here: `sudo make install` should run no compiler as root.
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
