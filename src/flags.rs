//! The options, in one table: the parser knows them by it; `-h`, `--help`, the man page and the shells' completions are
//! written from it.

use sudoku_filter::{Column, Level, Status, Variant};

use crate::generate;

/// One option.
#[derive(Debug)]
pub struct Flag {
    /// Its one-letter name.
    pub short: Option<char>,
    /// Its name behind `--`.
    pub long: &'static str,
    /// What its value is called, if it takes one.
    pub value: Option<&'static str>,
    /// Whether the value may be left out: it then stands behind a `=`.
    pub optional: bool,
    /// What shells may offer for the value.
    pub offer: Offer,
    /// For `-h`: one line; none for an option that only `--help` tells of.
    pub brief: Option<&'static str>,
    /// For `--help`.
    pub full: &'static str,
}

/// What is known of the values of an option.
#[derive(Clone, Copy, Debug)]
pub enum Offer {
    /// Nothing that a shell could offer: a number, say.
    Nothing,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// One of these words, each with what it means.
    Described(&'static [(&'static str, &'static str)]),
    /// Some of these words, with commas.
    Words(fn() -> Vec<&'static str>),
    /// A file, behind an `@`.
    AtFile,
}

impl Flag {
    /// The same option, with something to offer for its value.
    const fn offering(self, offer: Offer) -> Flag {
        Flag { offer, ..self }
    }

    /// What it does, in one line.
    #[must_use]
    pub fn gist(&self) -> String {
        let first_sentence = || {
            let text = self.full.replace('\n', " ");
            // A period behind a blank is a symbol, and ends nothing.
            let is_end = |&(at, _): &(usize, &str)| !text[..at].ends_with(' ');
            let end = text.match_indices(". ").find(is_end);
            let sentence = end.map_or(&*text, |(at, _)| &text[..at]);
            sentence.trim_end_matches('.').to_string()
        };
        self.brief.map_or_else(first_sentence, str::to_string)
    }

    /// All there is to tell of it, in lines.
    pub fn text(&self) -> String {
        let mut text = self.full.to_string();
        if self.long == "columns" {
            for (name, _, what) in Column::ALL {
                text += &format!("\n  {name:<10} {what}");
            }
        }
        text
    }
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
        optional: false,
        offer: Offer::Nothing,
        brief,
        full,
    }
}

/// An option whose value may be left out.
const fn flag_with_choice(
    long: &'static str,
    value: &'static str,
    brief: Option<&'static str>,
    full: &'static str,
) -> Flag {
    Flag {
        optional: true,
        ..flag(None, long, Some(value), brief, full)
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
                Some("diagonal, window, jigsaw, ...: combine with commas"),
                "What the puzzles must obey, comma-separated; they combine.
  classic                   rows, columns and boxes: the default
  diagonal (x)              both main diagonals too
  window (windoku, hyper)   the windows too: in a 9x9 the four 3x3 squares at rows
                            and columns 2-4 and 6-8, in an n²xn² the (n-1)² of them
  jigsaw (nonomino)         regions in place of boxes: a second field on each line,
                            or --regions
  regions                   regions besides the boxes
  disjoint                  cells at the same place of their boxes differ
  asterisk, center-dot,     nine cells more that differ (9x9)
  girandola
  antiknight, antiking      cells a knight's or a king's move apart differ
  nonconsecutive            orthogonal neighbours are not consecutive",
            )
            .offering(Offer::Words(variants)),
            flag(
                None,
                "regions",
                Some("STRING"),
                Some("one jigsaw layout for all puzzles; or @FILE"),
                "One layout for the whole input: a label a cell, equal labels form a region.
@FILE reads it from a file, where line ends, blanks and lines that begin with # do
not count. Means --variant jigsaw, unless the list has regions.",
            )
            .offering(Offer::AtFile),
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
                "extra",
                Some("STRING"),
                None,
                "Groups of your own: a symbol a cell, . for none; cells of equal symbols all
differ. May be given more than once.",
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
                None,
                "The symbols that stand for the digits, in ascending order, taken exactly as
written: 0123456789ABCDEF. An NxN puzzle uses the first N of them. Without it:
1-9, then letters from A, in either case. Blank cells are . or 0, also _ * - ? x.
With --input grid none of | + - [ can be a symbol.",
            ),
        ],
    ),
    (
        "Lines",
        &[
            flag(
                None,
                "fields",
                Some("LIST"),
                Some("name the fields of a line: id,puzzle,answer"),
                "The fields of a line by name, such as id,puzzle,answer; they are separated by
single tabs where a line has tabs. puzzle, regions and answer are read; others are
carried along, and may be named in -o.",
            )
            .offering(Offer::Words(fields)),
            flag(
                None,
                "csv",
                None,
                Some("CSV with a header, in and out"),
                "Records of CSV, one a line. The first is the header: puzzle, quizzes, quiz,
question or sudoku is the column of puzzles, answer (else solution or solutions)
that of answers, regions that of layouts. Columns are carried along; those of -o
follow.
Semicolons or tabs may stand for the commas: the header shows it.",
            ),
            flag(
                None,
                "input",
                Some("FORM"),
                None,
                "line (default), or grid: puzzles drawn over several lines, a row a line. Borders of
| + - or box-drawing characters and blanks do not count, nor do titles (Grid 01) and
the status that --draw writes below a grid; layouts and answers are grids behind
their puzzle. Blank lines, titles or headings in brackets keep puzzles apart: one
that lacks a row is invalid, and the next is read by itself. A blank line inside a
puzzle is ignored where blank lines do not separate the puzzles of the file.",
            )
            .offering(Offer::Described(FORMS)),
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
                None,
                "With --verify: a right answer to a puzzle that has another is `ambiguous`.",
            ),
            flag(
                None,
                "reveal",
                Some("CELL"),
                Some("one more tile: fill in this cell, such as r4c5"),
                "Fill in one cell, r4c5 or 4,5 (row, column), where the solution is unique. Writes
the puzzle and its status: `given` where the cell is not blank.",
            ),
            flag(
                None,
                "minimize",
                None,
                Some("take givens away while the solution stays unique"),
                "Take givens away while the solution stays unique, until none can go: from the last
cell to the first, or in an order drawn from --random. Writes the puzzle and its
status; a puzzle that is not unique stays as it is.",
            ),
            flag_with_choice(
                "all",
                "N",
                Some("every solution on a line, up to N a puzzle"),
                "Write every solution on a line of its own, up to N a puzzle. Where the guess limit
is reached, the puzzle follows on a line of its own, `unknown`.",
            ),
            flag(
                None,
                "random",
                Some("SEED"),
                Some("search in an order drawn from SEED"),
                "Draw the order of branches from SEED and the number of the line: lines of dots
become random grids. With --minimize, the order in which givens are taken away.",
            ),
        ],
    ),
    (
        "Rows",
        &[
            flag(
                Some('o'),
                "columns",
                Some("LIST"),
                Some("the columns of a row, such as puzzle,grade,hint"),
                "The columns of a row, separated by tabs; - stands for nothing. Names of --fields,
and:",
            )
            .offering(Offer::Words(columns)),
            flag(
                None,
                "count",
                Some("N"),
                Some("count solutions up to N"),
                "Count solutions up to N (default 2): adds the column `solutions`, unless -o says
which columns there are.",
            ),
            flag(
                None,
                "select",
                Some("LIST"),
                Some("write only lines of these statuses"),
                "Write only lines of these statuses, such as multiple,none. Comments and blank lines
are left out. All lines count for the exit status.",
            )
            .offering(Offer::Words(statuses)),
            flag(
                None,
                "reject",
                Some("LIST"),
                None,
                "Write only lines of other statuses than these.",
            )
            .offering(Offer::Words(statuses)),
            flag(
                None,
                "require",
                Some("LIST"),
                Some("exit with 1 if a line has another status than these"),
                "Write all lines, and exit with status 1 if one has another status than these.",
            )
            .offering(Offer::Words(statuses)),
            flag(
                None,
                "draw",
                None,
                Some("draw grids, with the borders of boxes or regions"),
                "Draw grids over several lines, with the borders of boxes or regions; other columns
stand on a line below.",
            ),
            flag(
                None,
                "color",
                Some("WHEN"),
                None,
                "auto (default), always or never: whether found digits are drawn in another colour
than givens. auto: on a terminal, unless NO_COLOR is set or TERM is dumb.",
            )
            .offering(Offer::Word(times)),
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
                None,
                "Give a puzzle up as `unknown` after N guesses. Default 1000000; 0: never. A
guess is a branch, or, where branching makes little headway, a conflict of
clause learning or 1024 branches of a simpler search.",
            ),
            flag(
                None,
                "method",
                Some("NAME"),
                None,
                "How to search. lanes: many puzzles side by side, the default. backtrack: the plain
search that tries digits in the first blank cell, ascending, then once more
descending; the same grid both times is `unique`. pencil: as a person does, and
search where techniques end.",
            )
            .offering(Offer::Described(METHODS)),
            flag(
                None,
                "cpu",
                Some("NAME"),
                None,
                "auto (default), portable, avx2 or avx512: the vectors the lanes use. The output is
the same for all; one that this machine lacks is refused.",
            )
            .offering(Offer::Word(levels)),
            flag(
                None,
                "progress",
                Some("WHEN"),
                None,
                "auto (default), always or never: whether to tell on standard error how far the run
has come. auto: where standard error is a terminal and the output is not, after a
second.",
            )
            .offering(Offer::Word(times)),
            flag(
                None,
                "summary",
                None,
                Some("at the end count lines and statuses on standard error"),
                "At the end write one line on standard error: how many lines, how many of each
status, seconds, and lines a second.",
            ),
            flag(
                None,
                "errors",
                Some("N"),
                None,
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
            flag(Some('V'), "version", None, None, "The version."),
            flag(
                None,
                "generate",
                Some("PAGE"),
                None,
                "Write a page for other programs. man: the man page; complete-bash, complete-zsh or
complete-fish: what completes options in that shell.",
            )
            .offering(Offer::Word(generate::names)),
        ],
    ),
];

fn variants() -> Vec<&'static str> {
    Variant::NAMES.iter().map(|(names, _)| names[0]).collect()
}

fn columns() -> Vec<&'static str> {
    Column::ALL.iter().map(|(name, ..)| *name).collect()
}

fn statuses() -> Vec<&'static str> {
    Status::ALL.iter().map(|status| status.name()).collect()
}

const METHODS: &[(&str, &str)] = &[
    ("lanes", "many puzzles side by side, the default"),
    ("backtrack", "the plain search, cell by cell"),
    ("pencil", "as a person does"),
];

fn levels() -> Vec<&'static str> {
    [&["auto"], &Level::NAMES[..]].concat()
}

/// Those that are read; others have names of the user's own.
fn fields() -> Vec<&'static str> {
    vec!["puzzle", "regions", "answer"]
}

const FORMS: &[(&str, &str)] = &[
    ("line", "a puzzle a line, the default"),
    ("grid", "puzzles drawn over several lines"),
];

fn times() -> Vec<&'static str> {
    vec!["auto", "always", "never"]
}

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

/// What the program does, a paragraph an item.
pub const DESCRIPTION: [&str; 2] = [
    "Reads puzzles, one a line, from each FILE (standard input where there is none, or
where FILE is -), and writes for each, in the order of the input, a solution, a tab,
and its status:",
    "A puzzle is a field of N² symbols, for N of 4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20,
21, 24 or 25; sizes may mix. A field of 729 symbols is a 9x9 puzzle of pencilmarks,
nine a cell. Blanks, or one of , ; : separate fields; what follows the puzzle does not
count. Lines that are blank or begin with # are copied through. A line longer than
64 KiB, its end not counted, is invalid.",
];

/// What is said of a puzzle.
pub const STATUSES: [(&str, &str); 5] = [
    ("unique", "the puzzle has one solution"),
    ("multiple", "it has more; the solution shown is one of them"),
    ("none", "it has none; the puzzle is shown"),
    (
        "unknown",
        "the guess limit was reached before that was certain",
    ),
    (
        "invalid",
        "the line is no puzzle; the line is shown, and the reason told on
standard error",
    ),
];

/// How the program ends.
pub const EXIT_STATUSES: [(&str, &str); 3] = [
    (
        "0",
        "every line was answered (with --verify: every answer is correct)",
    ),
    (
        "1",
        "some line is invalid or unknown, not correct under --verify, or not what
--require demands",
    ),
    (
        "2",
        "the run failed: usage, a file that cannot be read, a write error, an internal
error (its line is unknown; the other lines are answered)",
    ),
];

/// How it ends where nobody reads.
pub const SIGPIPE: &str = "by SIGPIPE, and silent, where the reader of the output has gone";

/// The page for `--help`.
#[must_use]
pub fn full_help() -> String {
    let [first, second] = DESCRIPTION;
    let statuses = listed(&STATUSES, 11);
    let mut page = format!("{USAGE}\n\n{first}\n\n{statuses}\n{second}\n");
    for (title, flags) in SECTIONS {
        page += &format!("\n{title}:\n");
        for flag in *flags {
            page += &format!("  {}\n", heading(flag));
            for line in flag.text().lines() {
                page += &format!("      {line}\n");
            }
        }
    }
    let exit_statuses = listed(&EXIT_STATUSES, 3);
    page + &format!("\nExit status:\n{exit_statuses}  {SIGPIPE}\n")
}

/// Terms and what they mean, these from column `width` on.
fn listed(terms: &[(&str, &str)], width: usize) -> String {
    let mut text = String::new();
    for (term, meaning) in terms {
        let indented = meaning.replace('\n', &format!("\n  {:width$}", ""));
        text += &format!("  {term:<width$}{indented}\n");
    }
    text
}

/// `-j, --threads N`
fn heading(flag: &Flag) -> String {
    let short = flag
        .short
        .map_or(String::new(), |short| format!("-{short}, "));
    let value = match flag.value {
        None => String::new(),
        Some(value) if flag.optional => format!("[={value}]"),
        Some(value) => format!(" {value}"),
    };
    format!("{short}--{}{value}", flag.long)
}

#[cfg(test)]
mod tests {
    use sudoku_filter::Method;

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
    fn a_gist_is_a_whole_sentence() {
        let gist = |name: &str| all().find(|flag| flag.long == name).unwrap().gist();
        assert_eq!(
            gist("extra"),
            "Groups of your own: a symbol a cell, . for none; cells of equal symbols all differ"
        );
        assert_eq!(gist("method"), "How to search");
        assert_eq!(gist("version"), "The version");
    }

    #[test]
    fn every_method_is_described_once() {
        let described: Vec<&str> = METHODS.iter().map(|(name, _)| *name).collect();
        assert_eq!(described, Method::NAMES.map(|(name, _)| name));
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
