//! The pages of `-h` and `--help`, written from the table of options in `flags.rs`.

use sudoku_filter::Technique;

use super::flags::SECTIONS;
use super::values::names;

const USAGE: &str = "Usage: sudoku-filter [OPTION]... [FILE]...";

/// Tasks, each with the options for it: the page of `-h`. README has the same tasks.
const TASKS: [(&str, &str); 18] = [
    ("--select unique -o solution", "the solutions alone; --reject: the other lines"),
    ("--require unique --summary", "fail unless all are unique; count each status"),
    ("--verify [--unique, --lenient]", "check lines PUZZLE ANSWER; answers in prose"),
    ("-o puzzle,grade,hint,path", "the steps of a person; --techniques LIST"),
    ("-o class,difficulty,puzzle", "on the scale of Sudoku Explainer; --classes"),
    ("-o canonical,puzzle", "the same for puzzles with the same structure"),
    ("-o second,differ --count 9", "several solutions: where they differ, how many"),
    ("--all[=N], --reveal r4c5", "all solutions, or up to N; one cell"),
    ("--add 1, --remove 1", "every given that makes it unique; all subsets"),
    ("--make 10, --minimize", "make new puzzles; remove givens from puzzles"),
    ("--shuffle=10 [--random 7]", "random equivalents of each puzzle"),
    ("--variant killer,jigsaw,...", "the rules; also --regions, --extra, --box"),
    ("--symbols 0123456789ABCDEF", "the digits of large puzzles"),
    ("--fields id,puzzle,answer", "the fields of a line"),
    ("--csv, --json, --input FORM", "usually recognised; --header puzzle=COLUMN"),
    ("--output csv -o quiz=puzzle", "another form and other names; --draw: grids"),
    ("--max-time S, --max-guesses N", "the limits of a puzzle"),
    ("-j N, -q, --progress", "threads; no messages; show the progress"),
];

/// Returns the page of `-h`: at most 24 lines of 80 columns.
#[must_use]
pub fn brief_help() -> String {
    let mut page = format!(
        "{USAGE}\nSolves sudoku, one per line: writes a solution and unique, multiple or none.\n\n"
    );
    for (options, task) in TASKS {
        page += &format!("  {options:<31}{task}\n");
    }
    page + "\n--help explains every option, and the columns of -o.\n"
}

/// The description in two paragraphs; `--help` and the man page show the statuses between them.
pub const DESCRIPTION: [&str; 2] = [
    "Reads puzzles, one per line, from each FILE, or from standard input if there is no FILE
or FILE is -. For each puzzle writes one line, in the order of the input: a solution, a
tab, and a status:",
    "A puzzle is a field of N² symbols, row by row, where N is 4, 6, 8, 9, 10, 12, 14, 15,
16, 18, 20, 21, 24 or 25. Lines can have different sizes. A field of N³ symbols has
pencilmarks, N symbols per cell (64: see --input pencilmarks). Fields are separated by
blanks or by one of , ; : (by blanks only if there are killers or a puzzle states its
own rules). Fields after the puzzle are ignored. Lines that are blank or begin with #
are copied. A line of more than 64 KiB is invalid; the line end does not count. An
option that takes a LIST can be repeated: the lists add up.",
];

/// The statuses of the default mode. `ModeRow::statuses` lists those of each mode.
pub const STATUSES: [(&str, &str); 5] = [
    ("unique", "the puzzle has one solution"),
    ("multiple", "the puzzle has several solutions; one of them is shown"),
    ("none", "the puzzle has no solution; the puzzle is shown"),
    (
        "unknown",
        "a limit (--max-guesses or --max-time) was reached
first; the puzzle is shown",
    ),
    (
        "invalid",
        "the line is not a valid puzzle; the line is shown, and a message on
standard error tells the reason",
    ),
];

pub const TECHNIQUES: &str =
    "The techniques of the columns grade, hint, path and techniques, the easiest first:";

pub fn technique_names() -> String {
    let lines = Technique::NAMES.chunks(5);
    let lines: Vec<String> = lines.map(|line| names(line).join(", ")).collect();
    lines.join(",\n")
}

pub const EXIT_STATUSES: [(&str, &str); 3] = [
    (
        "0",
        "every line was answered (with --verify: every answer is correct); with --require:
every line has a status that it lists",
    ),
    (
        "1",
        "some line is invalid or unknown, or is not correct with --verify; with --require:
some line has a status that it does not list",
    ),
    (
        "2",
        "the command line is wrong, a file cannot be read, the output cannot be written, or
there was an internal error (its line is unknown, the others are answered)",
    ),
];

pub const SIGPIPE: &str =
    "If the reader of the output exits first, the program ends by SIGPIPE, without a message.";

#[must_use]
pub fn full_help() -> String {
    let [first, second] = DESCRIPTION;
    let statuses = listed(&STATUSES);
    let mut page = format!("{USAGE}\n\n{first}\n\n{statuses}\n{second}\n");
    for (title, flags) in SECTIONS {
        page += &format!("\n{title}:\n");
        for flag in *flags {
            page += &format!("  {}\n", flag.usage);
            let text = format!("{}\n{}{}", flag.full, listed(&(flag.rows)()), flag.after);
            for line in text.lines() {
                page += &format!("      {line}\n");
            }
        }
    }
    let techniques = technique_names().replace('\n', "\n  ");
    page += &format!("\n{TECHNIQUES}\n  {techniques}\n");
    let exit_statuses = listed(&EXIT_STATUSES);
    page + &format!("\nExit status:\n{exit_statuses}  {SIGPIPE}\n")
}

/// Formats two columns, indented by two spaces. A term or a meaning can have several lines.
fn listed(rows: &[(&str, &str)]) -> String {
    let terms = rows.iter().flat_map(|(term, _)| term.lines());
    let width = 2 + terms.map(str::len).max().unwrap_or(0);
    let mut text = String::new();
    for (term, meaning) in rows {
        let (mut terms, mut meanings) = (term.lines(), meaning.lines());
        for _ in 0..term.lines().count().max(meaning.lines().count()) {
            let term = terms.next().unwrap_or("");
            let meaning = meanings.next().unwrap_or("");
            let line = format!("  {term:<width$}{meaning}");
            text += &format!("{}\n", line.trim_end());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::flags;

    #[test]
    fn the_short_page_fits_a_terminal() {
        let page = brief_help();
        assert!(page.lines().count() <= 24, "{} lines", page.lines().count());
        let wide = page.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None);
    }

    #[test]
    fn the_tasks_name_options_of_the_table() {
        let names: Vec<&str> = flags::all().flat_map(flags::Flag::names).collect();
        let page = brief_help();
        let words = page.split([' ', '=', '[', ']', ',', '.', ';', ':', '\n']);
        for word in words.filter(|word| word.starts_with('-')) {
            assert!(names.contains(&word), "{word}");
        }
    }

    #[test]
    fn every_option_is_on_the_long_page_once() {
        let page = full_help();
        for flag in flags::all() {
            let heading = format!("  {}\n", flag.usage);
            assert_eq!(page.matches(&heading).count(), 1, "{heading}");
        }
        let wide = page.lines().find(|line| line.chars().count() > 90);
        assert_eq!(wide, None);
    }
}
