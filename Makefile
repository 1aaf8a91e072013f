# What one does with sudoku-filter, by name. CARGO_TARGET_DIR is honoured.

CARGO = cargo
PREFIX = /usr/local
DESTDIR =
# More puzzles to time, as make bench CORPORA=../shared/corpora
CORPORA =

target = $${CARGO_TARGET_DIR:-target}
program = $(target)/release/sudoku-filter
bindir = $(DESTDIR)$(PREFIX)/bin

.PHONY: build test check data bench install uninstall clean

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

# The best of three runs a file: other work on the machine only ever adds. Solves plainly what a name does not tell to be
# a variant's. Layouts that no grid fits would take minutes at the usual guess limit.
bench: build
	@[ -d data/bench ] || echo "data/bench is not there: 'make data' makes it"
	@for file in data/bench/*.txt $(if $(CORPORA),$(CORPORA)/*.txt); do \
		[ -f "$$file" ] || continue; \
		list=classic; name=$${file##*/}; \
		for variant in diagonal window jigsaw; do \
			case $$name in *$$variant*) list=$$list,$$variant;; esac; \
		done; \
		for run in 1 2 3; do \
			begin=$$(date +%s%N); \
			"$(program)" -q --max-guesses 10000 --variant $$list "$$file" > /dev/null || [ $$? -eq 1 ]; \
			echo $$(($$(date +%s%N) - begin)); \
		done | sort -n | head -n 1 | \
		awk -v file="$$name" -v lines="$$(wc -l < "$$file")" '\
			{ printf "%-28s %10.0f lines a second %10.3f µs a line\n", file, lines / $$1 * 1e9, $$1 / lines / 1e3 }'; \
	done

# Not rebuilt here: `sudo make install` should run no compiler as root.
install:
	@test -x "$(program)" || { echo "run 'make build' first" >&2; exit 1; }
	install -d "$(bindir)"
	install -m 755 "$(program)" "$(bindir)/sudoku-filter"

uninstall:
	rm -f "$(bindir)/sudoku-filter"

clean:
	$(CARGO) clean
