#!/usr/bin/env bash
# Checks that the filter writes the same bytes as one run under GNU parallel, as a mapper of Hadoop Streaming, and under Spark.
# Usage: run.sh PROGRAM. SCALE_LINES is the number of lines (default 1000000). PYTHON is a Python with pyspark; without it the
# script makes a virtual environment in the target folder. Prints `skipped:` for each program that the machine lacks.
set -euo pipefail
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
mapper=$here/mapper.sh
lines=${SCALE_LINES:-1000000}
cores=$(nproc)
target=${CARGO_TARGET_DIR:-$here/../../target}
mkdir -p "$target"
target=$(realpath "$target")
work=$(mktemp -d "$target/scale.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "scale: $1" >&2
    exit 1
}

# measured NAME COMMAND...: runs a command and prints its time, including its children. The CPU time of Spark is not included,
# because its Java and Python processes end later.
measured() {
    local what=$1 TIMEFORMAT="%R %U %S"
    shift
    { time "$@" 2> messages; } 2> times || { cat messages >&2; fail "$what failed"; }
    awk -v what="$what" -v lines="$lines" '{
        cpu = what ~ /^Spark/ ? "     ?" : sprintf("%6.2f", $2 + $3)
        printf "%-32s %6.2f s  %s s of CPU  %8.0f lines/s\n", what, $1, cpu, lines / $1 }' times
}

# same NAME FILE: checks that a file equals the output of one run.
same() {
    cmp "$2" expected || fail "$1 gives other bytes"
}

# Repeats puzzles of each kind, a comment and an invalid line, each time with other digits.
make_lines() {
    local base=$here/../../data/bench pass passes
    # These two come first, so that even a small input has them.
    { echo "# a comment"; echo "no puzzle"; cat "$base"/{easy,minimal,many,none}.txt; } > base
    passes=$((lines / $(wc -l < base) + 1))
    for ((pass = 1; pass <= passes; pass++)); do
        tr 123456789 "$(seq 9 | shuf --random-source=<(yes "$pass" | head -n 1000) | tr -d '\n')" < base
    done > whole
    head -n "$lines" whole > puzzles
    rm whole
}

one_run() { "$mapper" "$program" -q --input lines puzzles > expected; }
one_thread() { "$mapper" "$program" -q --input lines -j1 puzzles > found; }
parallel_pipe() { parallel --pipe -k --block 10M -j "$cores" "$mapper" "$program" -q --input lines -j1 < puzzles > found; }
parallel_pipepart() { parallel --pipepart -k --block 10M -j "$cores" -a puzzles "$mapper" "$program" -q --input lines -j1 > found; }
streaming() {
    local part
    for part in parts/*; do
        "$mapper" "$program" -q --input lines -j1 < "$part" > "answers/${part#parts/}" || return
    done
    cat answers/* > found
}
spark() { "$PYTHON" "$here/spark.py" "$cores" $((4 * cores)) puzzles answered "$mapper $program -q --input lines -j1"; }

make_lines
echo "$lines lines, $(sort -u puzzles | wc -l) of them different, $(wc -c < puzzles) bytes, $cores cores"

measured "one run" one_run
[[ $(wc -l < expected) == "$lines" ]] || fail "one run leaves lines out"
measured "one run on one thread" one_thread
same "one thread" found

# The exit statuses that engines see: invalid lines are no failure, a failed run is.
status=0; "$program" -q --input lines puzzles > /dev/null || status=$?
[[ $status == 1 ]] || fail "a line that is no puzzle ends with $status"
"$mapper" "$program" < /dev/null > found || fail "an empty partition is a failure"
[[ ! -s found ]] || fail "an empty partition gives rows"
if "$mapper" "$program" missing > /dev/null 2>&1; then fail "a missing file is no failure"; fi
if "$mapper" "$program" --nonsense < /dev/null 2> /dev/null; then fail "a usage error is no failure"; fi
if "$mapper" ./missing < /dev/null 2> /dev/null; then fail "a missing program is no failure"; fi

mkdir parts answers
split -n l/7 puzzles parts/part-
: > parts/part-zz-empty
measured "as a mapper, 8 parts in turns" streaming
same "the mapper" found

if command -v parallel > /dev/null; then
    measured "parallel --pipe" parallel_pipe
    same "parallel --pipe" found
    measured "parallel --pipepart" parallel_pipepart
    same "parallel --pipepart" found
    parallel --pipe -k "$mapper" "$program" < /dev/null > found || fail "nothing under parallel is a failure"
    [[ ! -s found ]] || fail "nothing under parallel gives rows"
    if head -n 10 puzzles | parallel --pipe "$mapper" "$program" --nonsense > /dev/null 2>&1; then
        fail "parallel hides a failure"
    fi
else
    echo "skipped: no GNU parallel"
fi

if [[ -z ${PYTHON:-} ]] && command -v java > /dev/null; then
    PYTHON=$target/scale-venv/bin/python
    "$PYTHON" -c "import pyspark" 2> /dev/null ||
        { python3 -m venv "$target/scale-venv" && "$PYTHON" -m pip install -q pyspark; } || true
fi
if command -v java > /dev/null && "${PYTHON:-}" -c "import pyspark" 2> /dev/null; then
    measured "Spark, RDD.pipe, start and all" spark
    [[ -e answered/_SUCCESS ]] || fail "Spark has not succeeded"
    cat answered/part-* > found
    same "Spark" found
    if "$PYTHON" "$here/spark.py" 1 1 base refused "$mapper $program --nonsense" > /dev/null 2>&1; then
        fail "Spark hides a failure"
    fi
else
    echo "skipped: no java, or no pyspark"
fi
echo "All give the same bytes."
