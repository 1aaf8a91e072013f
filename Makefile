# What one does with sudoku-filter, by name. CARGO_TARGET_DIR is honoured.

CARGO = cargo
PREFIX = /usr/local
DESTDIR =
# More puzzles to time, as make bench CORPORA=../shared/corpora
CORPORA =

target = $${CARGO_TARGET_DIR:-target}
program = $(target)/release/sudoku-filter
bindir = $(DESTDIR)$(PREFIX)/bin

.PHONY: build test check data bench bench-peers bench-chart install uninstall clean

build:
	$(CARGO) build --release --locked

# All of them, whatever fails first.
test:
	$(CARGO) test --locked --no-fail-fast

check:
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items

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
	install -d "$(bindir)"
	install -m 755 "$(program)" "$(bindir)/sudoku-filter"

uninstall:
	rm -f "$(bindir)/sudoku-filter"

clean:
	$(CARGO) clean
