//! A Unix filter that solves and verifies sudoku, one puzzle per line.
//!
//! The layers of the source, from the top. An entry at the left margin uses only entries below it.
//! `lib.rs` explains the terms.
//!
//! ```text
//! cli/         the program: command line and process
//!                args.rs (parses the command line by flags.rs, the table of options, into
//!                arguments.rs, which checks them) with values.rs and suggestion.rs (names for a
//!                misspelled one); run.rs (runs the filter); pages.rs (writes the pages that page.rs
//!                names) with help.rs man.rs bash.rs zsh.rs fish.rs version.rs;
//!                progress.rs (--progress),
//!                failure.rs (reasons for exit status 2), process.rs (signals, a reader that has
//!                gone), allocator.rs (freed memory is kept)
//! lib.rs       the public items of the library; a glossary (house, pair, lane, sweep)
//! pipeline/    the records of a task -> output lines; its mod.rs draws the way of a record
//!                mode.rs (the table of modes), options.rs (what the user says), settings.rs (what is
//!                decided from it) with used_columns.rs (columns whose values are needed),
//!                output_form.rs (what is particular to each form of the output),
//!                source_settings.rs (settings for each form) with detect.rs (--input auto) and
//!                first_header.rs (of CSV),
//!                isolate.rs (an internal error costs one record only)
//!                read.rs (a record -> an entry), decode/ (its line_rules.rs, from fields.rs,
//!                described.rs and stated.rs), boards.rs (its cells), beside.rs (other puzzles beside
//!                it), answer.rs (checks it),
//!                entry.rs (what a record is), question.rs (what it asks), plain.rs (most lines),
//!                batch.rs (which puzzles are solved together), rulesets.rs (the rules of a puzzle)
//!                solve.rs, enumerate.rs (--all), equivalent.rs (--shuffle: the image of a puzzle),
//!                findings.rs (results), puzzle_view.rs (a puzzle of a batch and its findings)
//!   forms/       a file for each form of the input: lines.rs csv.rs json.rs drawn.rs (recognise
//!                sources, split records) with fields.rs (links, prose, cells with blanks), kind.rs
//!                (what the field of the puzzle holds), named.rs (fields by their names), unread.rs
//!                (rules in fields that are not read), likeness.rs (what looks like a grid)
//!   make/        minimize.rs (--minimize) with symmetric_groups.rs, candidates.rs, trials.rs;
//!                shuffle.rs; vicinity.rs (--add, --remove) and new_puzzles.rs (--make) with
//!                pattern.rs write groups of puzzles (group.rs)
//!   write/       emit.rs (in input order), output_line.rs, columns.rs (the value of each
//!                column) with puzzle_findings.rs (what was found), person.rs (steps), shown.rs (the
//!                fields of the puzzle), tally.rs (counts of values)
//! text/        notations: record.rs (lines and the meanings of fields), record_rules.rs (rules in
//!              other fields), header_names.rs (known names of fields), symbols.rs (symbols <->
//!              digits), size.rs (length -> side or message), hints.rs (lines that another option
//!              would read), foreign.rs (formats that are not read), f_puzzles_link.rs (the object
//!              that a link carries), one_line.rs (a grid with blanks between its cells), unread.rs
//!              (puzzles and layouts in fields that are not read), columns.rs (names for -o, what
//!              needs solving), domain.rs (what values they can have), classes.rs (--classes),
//!              value.rs (the value of a column), condition.rs (--where), kept_fields.rs (--keep)
//!   rule_names/  names of rules without cells: field.rs (of a field that is true), list.rs (in a list
//!                of names), text.rs (in a title or beside a puzzle)
//!   prose/       the grid in an answer, the puzzle in a prompt (--lenient): sections.rs (tags,
//!                thoughts), markup.rs (HTML, LaTeX, lists), rows.rs (in a line), grids.rs (of rows),
//!                named.rs (named cells)
//!   forms/       forms of records, read and written: lines.rs; csv/ with fields.rs (in a line),
//!                header.rs (columns), within.rs (headers of joined files), cutter.rs (records over
//!                several lines), write.rs; json/ with cutter.rs (records over several lines),
//!                nested.rs (puzzles that lie deeper) on scan.rs (where values end), values.rs (the
//!                values of an object), grid.rs (grids as arrays), chat.rs (prompts), f_puzzles.rs
//!                (rules that its keys state) with f_constraints.rs (those of lines, dots, arrows);
//!                cut_builder.rs (for both cutters); svg.rs with svg_rules.rs (lines and marks of rules)
//!                and svg_elements.rs (for both);
//!                page.rs (images in a document)
//!     drawing/   line.rs (symbols, kinds of lines), parse.rs (what a line is) with program.rs (text
//!                of programs) and words.rs (rows and titles), cells.rs (the ways to read a row),
//!                run.rs (runs of rows, bands),
//!                cutter.rs (lines -> records) with records.rs, waiting.rs (answers that follow
//!                later), decode.rs (cells -> symbols), faults.rs (reasons, remarks), write.rs; shapes.rs
//!                (tests of the shapes in which people draw)
//!   notation/    fields that state rules: described.rs (a puzzle with its rules), cage_numbers.rs
//!                sumocue.rs solo.rs
//!                puzz_link.rs (a field -> such a puzzle), constraint_string/ with write.rs (its
//!                givens, rules of other fields), movable_rules.rs (--shuffle), rules.rs (its rules
//!                by their names) on moved.rs (their moved arguments) and cells.rs (cells that
//!                arguments name), cage_field.rs (the cages of a line) with arrows.rs
//!                cage_list.rs, draft.rs (builds cages)
//! stream/      lines in, output in the same order; knows no Sudoku: source.rs chunks.rs records.rs
//!              (where records are) tasks.rs
//!              task_size.rs (lines per task)
//!              output_queue.rs (tasks in input order) writer.rs repeated.rs (--distinct) repetition.rs (--make)
//!              report.rs (messages) sys.rs
//!              (system calls)
//! engine/      a crate of its own, so that a change above does not compile the solvers again; its
//!              items are shown by the lib.rs above. Within it, an entry uses those below it:
//!   canonical/   one form for all equivalent puzzles: symmetries.rs, search.rs, parts.rs (puzzles,
//!                layouts and cages);
//!                random_symmetry.rs (--shuffle)
//!   solver/      puzzles -> solutions, many at a time; its mod.rs is the way in
//!                  limits.rs deadline.rs, record.rs (limits and findings of a search),
//!                  pencilled.rs (--method pencil), naked_singles.rs (a puzzle alone), each.rs
//!                  (puzzles with rules of their own), selection.rs (copies the puzzles for one call
//!                  of a solver), combinations.rs (digits with a sum)
//!     lanes/       the main loop: roles.rs (what each lane does), search.rs (branches of a lane),
//!                  tree.rs (lanes share a puzzle), counting.rs (solutions that are only counted),
//!                  board.rs (trait Board)
//!     bands/       the board of 9x9 grids with 3x3 boxes: boxes.rs (its deductions),
//!                  configurations.rs and
//!                  cell_branches.rs (what to branch on), transpose.rs; faster forms of some
//!                  constraints: extra_constraints.rs, overlay.rs, diagonals.rs
//!     regions/     the board of all other grids (jigsaws too): board.rs (its state), plan.rs
//!                  (the order of its cells), branching.rs, locked.rs (locked candidates, for two sweeps that must deduce the same):
//!                  shared.rs with segments.rs (one layout for all lanes), per_lane.rs with
//!                  membership.rs (a layout in each lane)
//!     constraints/ deductions of both boards: singles.rs, houses.rs (houses, groups, pairs),
//!                  common_peers.rs
//!     learning/    clause learning: mod.rs (when a hard search pauses for it), formula.rs (puzzle ->
//!                  clauses), search.rs (calls the SAT solver), budget.rs (its limits)
//!     stated/      puzzles with cages or rules of their own, one at a time: search.rs (one node at a
//!                  time), lanes.rs with
//!                  lane_board.rs (the nodes of a hard puzzle in lanes), tree.rs (open branches),
//!                  sums.rs (deductions) on board.rs (candidates), rule_of_45.rs (sums that
//!                  follow), problem.rs (cages of a puzzle), rules.rs (tables, weighted sums,
//!                  counts), combined_sums.rs (sums that follow from them), exact_sums.rs (two or
//!                  three open cells) with contradiction.rs, lane_cells.rs (sets of digits in
//!                  lanes), branching.rs, plan.rs (what puzzles share)
//!     backtrack.rs --method backtrack: a search without deductions
//!     simd/        vector operations: mod.rs (trait Simd), level.rs (CPU levels), portable.rs
//!                  sse2.rs neon.rs avx2.rs avx512.rs (one level each), instructions.rs transpose.rs
//!                  x86.rs (what levels share), checked_index.rs
//!   pencil/      solves as a person does (grade, steps, hint): mod.rs (calls the techniques),
//!                technique.rs (names and order),
//!                step.rs (what a pattern found deduces) with level.rs (its level) and pattern.rs
//!                (its text, and its parts for programs),
//!                marks.rs (candidates) in paper.rs, tables.rs, unions.rs (the sums of unions of
//!                houses), grading.rs, singles.rs cages.rs (killer cages) locked.rs innies_outies.rs subsets.rs fish.rs wings.rs single_digit.rs
//!                (skyscraper and kite) coloring.rs chains.rs almost_locked.rs (the techniques),
//!                links.rs (the graph that chains follow)
//!     difficulty/  the scale of Sudoku Explainer: mod.rs (table of levels), grid.rs (candidates),
//!                  direct.rs sets.rs xy_wings.rs loops.rs bug.rs exclusion.rs (techniques),
//!                  implications.rs (the graph of chains) with cycles.rs multiple.rs;
//!                  inner_chains.rs (chains inside a dynamic chain) on dynamic.rs on nested.rs
//!                  (patterns inside one)
//!   verify.rs    checks an answer by the rules, without any solver
//!   rules/       what a grid must satisfy: house.rs, cage.rs (killer cages), pair.rs (relations),
//!                crossings.rs (houses sharing cells), place.rs (r4c5), cell_set.rs, lists.rs (lists
//!                in one allocation), layout.rs (boxes, regions), unions.rs (of houses, for the rule
//!                of 45),
//!                variants.rs (names for --variant), variant_constraints.rs (what each adds),
//!                extra.rs (--extra), stated.rs (pair tables, sums, counts of one puzzle), clue.rs
//!                (rules without a cage or a stated rule), implied.rs (houses that follow from others)
//!   puzzle.rs    puzzles as digits or candidates; random.rs (seeded random numbers), bits.rs (the bits
//!                of a set)
//!   verdict.rs   statuses, and how many lines have each
//!   error.rs     errors that end a run, reasons why input is invalid; panics.rs (panics -> errors)
//! ```

#![cfg_attr(not(test), no_main)]

mod cli;

use std::ffi::{OsString, c_char, c_int};
use std::io::Write;

use cli::args::{self, Command};
use cli::failure::Failure;
use cli::pages::text_of;
use cli::run::run;
use cli::{allocator, process};
use sudoku_filter::Error;
use sudoku_filter::program::{guarded, install_hook};

/// The function that C calls `main`. A Rust `main` would be called by std after it has opened
/// /dev/null in place of closed standard streams. Then nobody can tell a closed output (`>&-`) from
/// a parent that discards it: Python and Node, too, open /dev/null for reading and writing.
#[allow(unsafe_code)]
#[cfg_attr(test, allow(dead_code))]
#[cfg_attr(not(test), unsafe(export_name = "main"))]
extern "C" fn main_of_c(count: c_int, arguments: *const *const c_char) -> c_int {
    process::prepare_standard_streams();
    // SAFETY: no thread is started yet.
    unsafe { allocator::keep_freed_memory() };
    install_hook();
    // SAFETY: C calls this function with these values, once.
    let arguments = unsafe { process::arguments(count, arguments) };
    let result = guarded(|| run_command(arguments)).unwrap_or_else(|error| Err(error.into()));
    // A failure gives exit status 2, whatever the statuses of the lines are. If the reader of the
    // output has gone, `report` does not return: it ends the process.
    let status = result.unwrap_or_else(|failure| {
        failure.report();
        2
    });
    c_int::from(status)
}

/// Runs the command with these arguments, the first of which is the name of the program.
fn run_command(arguments: Vec<OsString>) -> Result<u8, Failure> {
    match args::parse(arguments.into_iter().skip(1)).map_err(Failure::Usage)? {
        Command::Run(options) => run(*options),
        Command::Print(page) => {
            let mut output = process::standard_output();
            output.write_all(text_of(page).as_bytes()).map_err(Error::from)?;
            Ok(0)
        }
    }
}
