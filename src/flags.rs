//! The options, in one table: the parser knows them by it, and `-h` and `--help` are written from it.

/// One option.
#[derive(Debug)]
pub struct Flag {
    /// Its one-letter name.
    pub short: Option<char>,
    /// Its name behind `--`.
    pub long: &'static str,
    /// What its value is called, if it takes one.
    pub value: Option<&'static str>,
    /// For `-h`: one line; none for an option that only `--help` tells of.
    pub brief: Option<&'static str>,
    /// For `--help`.
    pub full: &'static str,
}

/// A heading and the options under it.
type Section = (&'static str, &'static [Flag]);

const fn flag(
    short: Option<char>,
    long: &'static str,
    value: Option<&'static str>,
    brief: Option<&'static str>,
    full: &'static str,
) -> Flag {
    Flag {
        short,
        long,
        value,
        brief,
        full,
    }
}

/// Every option of the program, in the order in which the help tells of them.
pub const SECTIONS: &[Section] = &[
    (
        "Puzzles",
        &[
            flag(
                None,
                "variant",
                Some("LIST"),
                Some("classic, diagonal, window, jigsaw; combine with commas"),
                "What the puzzles must obey, comma-separated; they combine.
  classic                   rows, columns and boxes: the default
  diagonal (x)              both main diagonals too
  window (windoku, hyper)   the windows too: in a 9x9 the four 3x3 squares at rows
                            and columns 2-4 and 6-8, in an n²xn² the (n-1)² of them
  jigsaw (nonomino)         regions in place of boxes: a second field on each line,
                            or --regions",
            ),
            flag(
                None,
                "regions",
                Some("STRING"),
                Some("one jigsaw layout for all puzzles; or @FILE"),
                "One layout for the whole input: a label a cell, equal labels form a region.
@FILE reads it from a file, where line ends and blanks do not count.
Means --variant jigsaw.",
            ),
            flag(
                None,
                "disconnected",
                None,
                None,
                "Regions may lie in pieces. Without it a region whose cells do not touch is
taken for a mistake.",
            ),
            flag(
                None,
                "box",
                Some("RxC"),
                Some("boxes R rows high, C columns wide, where N is R*C"),
                "Boxes R rows high and C columns wide, for puzzles of side R*C. Other sizes keep
theirs: 2x2, 2x3, 2x4, 3x3, 2x5, 3x4, 2x7, 3x5, 4x4, 3x6, 4x5, 3x7, 4x6, 5x5.",
            ),
            flag(
                None,
                "symbols",
                Some("STRING"),
                Some("the digits, ascending, such as 0123456789ABCDEF"),
                "The symbols that stand for the digits, in ascending order, taken exactly as
written: 0123456789ABCDEF. An NxN puzzle uses the first N of them. Without it:
1-9, then letters from A, in either case. Blank cells are . or 0, also _ * - ? x.",
            ),
        ],
    ),
    (
        "Modes",
        &[
            flag(
                None,
                "verify",
                None,
                Some("check answers: each line holds a puzzle and its answer"),
                "Check answers by the rules: each line holds PUZZLE ANSWER, or PUZZLE REGIONS
ANSWER for jigsaws. Writes the answer, its status and the first reason.",
            ),
            flag(
                None,
                "unique",
                None,
                Some("with --verify: the answer must be the only one"),
                "With --verify: a right answer to a puzzle that has another is `ambiguous`.",
            ),
        ],
    ),
    (
        "The run",
        &[
            flag(
                Some('j'),
                "threads",
                Some("N"),
                Some("solve on N threads (default: all the machine allows)"),
                "Solve on N threads. Default: as many as the machine allows. The output is the
same for every N.",
            ),
            flag(
                None,
                "max-guesses",
                Some("N"),
                Some("give a puzzle up as unknown after N guesses (0: never)"),
                "Give a puzzle up as `unknown` after N guesses. Default 1000000; 0: never.",
            ),
            flag(
                None,
                "method",
                Some("NAME"),
                Some("lanes (default), or backtrack: slow and plain"),
                "lanes: many puzzles side by side, the default. backtrack: the plain search that
tries digits in the first blank cell, ascending, then once more descending; the
same grid both times is `unique`.",
            ),
            flag(
                None,
                "cpu",
                Some("NAME"),
                None,
                "auto (default), portable, avx2 or avx512: the vectors the lanes use. The output is
the same for all; one that this machine lacks is refused.",
            ),
            flag(
                None,
                "errors",
                Some("N"),
                Some("tell of N invalid lines at most (default 10)"),
                "Write N messages about invalid lines at most, then how many more there are.
Default 10.",
            ),
            flag(
                Some('q'),
                "quiet",
                None,
                Some("no messages about lines"),
                "No messages about lines. Faults of the run are still told.",
            ),
            flag(
                Some('h'),
                "help",
                None,
                Some("-h: this page; --help: the long one"),
                "-h: a short page; --help: this one.",
            ),
            flag(
                Some('V'),
                "version",
                None,
                Some("the version"),
                "The version.",
            ),
        ],
    ),
];

const USAGE: &str = "Usage: sudoku-filter [OPTION]... [FILE]...";

/// The name of the option whose one letter is `short`.
#[must_use]
pub fn long_of(short: char) -> Option<&'static str> {
    all()
        .find(|flag| flag.short == Some(short))
        .map(|flag| flag.long)
}

/// Every option.
pub fn all() -> impl Iterator<Item = &'static Flag> {
    SECTIONS.iter().flat_map(|(_, flags)| flags.iter())
}

/// The page for `-h`: 24 lines of 80 columns.
#[must_use]
pub fn brief_help() -> String {
    let mut page = format!(
        "{USAGE}\nSolves sudoku, a puzzle a line: writes a solution and unique, multiple or none.\n\n"
    );
    for flag in all() {
        if let Some(brief) = flag.brief {
            page += &format!("  {:<24}{brief}\n", heading(flag));
        }
    }
    page + "\nExample: sudoku-filter --variant diagonal puzzles.txt | grep -v 'unique$'\n"
}

/// The page for `--help`.
#[must_use]
pub fn full_help() -> String {
    let mut page = format!(
        "{USAGE}

Reads puzzles, one a line, from each FILE (standard input where there is none, or
where FILE is -), and writes for each, in the order of the input, a solution, a tab,
and its status:

  unique     the puzzle has one solution
  multiple   it has more; the solution shown is one of them
  none       it has none; the puzzle is shown
  unknown    the guess limit was reached before that was certain
  invalid    the line is no puzzle; the line is shown, and the reason told on
             standard error

A puzzle is a field of N² symbols, for N of 4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20,
21, 24 or 25; sizes may mix. Blanks, or one of , ; : separate fields; what follows the
puzzle does not count. Lines that are blank or begin with # are copied through.
"
    );
    for (title, flags) in SECTIONS {
        page += &format!("\n{title}:\n");
        for flag in *flags {
            page += &format!("  {}\n", heading(flag));
            for line in flag.full.lines() {
                page += &format!("      {line}\n");
            }
        }
    }
    page + "
Exit status:
  0  every line was answered (with --verify: every answer is correct)
  1  some line is invalid or unknown, or not correct under --verify
  2  the run failed: usage, a file that cannot be read, a write error
  by SIGPIPE, and silent, where the reader of the output has gone
"
}

fn heading(flag: &Flag) -> String {
    let short = flag
        .short
        .map_or(String::new(), |short| format!("-{short}, "));
    let value = flag
        .value
        .map_or(String::new(), |value| format!(" {value}"));
    format!("{short}--{}{value}", flag.long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_page_fits_a_terminal() {
        let page = brief_help();
        assert!(page.lines().count() <= 24, "{} lines", page.lines().count());
        let wide = page.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None);
    }

    #[test]
    fn every_option_is_on_the_long_page_once() {
        let page = full_help();
        for flag in all() {
            let heading = format!("  {}\n", heading(flag));
            assert_eq!(page.matches(&heading).count(), 1, "{heading}");
        }
        let wide = page.lines().find(|line| line.chars().count() > 90);
        assert_eq!(wide, None);
    }

    #[test]
    fn no_two_options_share_a_name() {
        let mut names: Vec<String> = all().map(|flag| flag.long.to_string()).collect();
        names.extend(all().filter_map(|flag| flag.short.map(String::from)));
        let total = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), total);
    }
}
