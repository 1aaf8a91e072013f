//! The table of options. `help.rs`, the man page and the completions are written from it, and `args.rs` takes the short names
//! from it.

use sudoku_filter::program::PatternSymmetry;
use sudoku_filter::{Column, Level, Status, Variant};

use super::page;

/// One option.
#[derive(Debug)]
pub struct Flag {
    /// The one-letter name.
    pub short: Option<char>,
    /// The name after `--`.
    pub long: &'static str,
    /// The name of its value, if it takes one.
    pub value: Option<&'static str>,
    /// True if the value can be omitted. If given, it must follow a `=`.
    pub optional: bool,
    /// The values that shells can offer.
    pub offer: Offer,
    /// The line for `-h`. `None` for an option that only `--help` describes.
    pub brief: Option<&'static str>,
    /// The text for `--help`.
    pub full: &'static str,
}

/// The values that shells can offer for an option.
#[derive(Clone, Copy, Debug)]
pub enum Offer {
    /// None, because there are too many: numbers, for example.
    Nothing,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// One of these words, each with its meaning.
    Described(&'static [(&'static str, &'static str)]),
    /// Some of these words, separated by commas.
    Words(fn() -> Vec<&'static str>),
    /// A file, after an `@`.
    AtFile,
}

impl Flag {
    /// Returns the option with values to offer.
    const fn offering(self, offer: Offer) -> Flag {
        Flag { offer, ..self }
    }

    /// Returns a summary of one line: the line of `-h` or the first sentence of `--help`.
    #[must_use]
    pub fn summary(&self) -> String {
        let first_sentence = || {
            let text = self.full.replace('\n', " ");
            // A period after a space is a symbol of a puzzle, not the end of a sentence.
            let is_end = |&(at, _): &(usize, &str)| !text[..at].ends_with(' ');
            let end = text.match_indices(". ").find(is_end);
            let sentence = end.map_or(&*text, |(at, _)| &text[..at]);
            sentence.trim_end_matches('.').to_string()
        };
        self.brief.map_or_else(first_sentence, str::to_string)
    }

    /// Returns the full text, in lines. For `--columns` a table of the columns follows.
    pub fn text(&self) -> String {
        let mut text = self.full.to_string();
        if self.long == "columns" {
            for (name, _, meaning) in Column::ALL {
                text += &format!("\n  {name:<10} {meaning}");
            }
        }
        text
    }
}

/// A heading and the options below it.
type Section = (&'static str, &'static [Flag]);

/// Returns an option whose value, if any, is required.
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

/// Returns an option whose value can be omitted.
const fn flag_with_optional_value(
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

/// Every option of the program, in the order of the help pages.
pub const SECTIONS: &[Section] = &[
    (
        "Puzzles",
        &[
            flag(
                None,
                "variant",
                Some("LIST"),
                Some("rules: diagonal,window,jigsaw,... can be combined"),
                "The rules of the puzzles, separated by commas. Variants can be combined.
  classic                   rows, columns and boxes have every digit (default)
  diagonal (x)              so do both main diagonals
  window (windoku, hyper)   so do the windows: in a 9x9 the four 3x3 squares at rows
                            and columns 2-4 and 6-8, in an n²xn² (n-1)² squares
  jigsaw (nonomino)         so do regions, which replace the boxes: a second field
                            on each line, or --regions
  regions                   so do regions, in addition to the boxes
  disjoint                  cells at the same position in their boxes differ
  asterisk, center-dot,     nine more cells that differ (9x9 only)
  girandola
  antiknight, antiking      cells a knight's or a king's move apart differ
  nonconsecutive            cells that share an edge do not hold consecutive digits
  killer                    cells of a cage differ and add up to its sum (to 16x16);
                            the cages are a field behind the puzzle and its regions,
                            or alone. A cage has its sum in one cell: 1-9, A-Z for
                            10-35, a-j for 36-45, 0 for none. Other cells point to a
                            neighbour in the cage: < > ^ v, and diagonally ` ' , .
                            (up left, up right, down left, down right). A single
                            cell with 0 is in no cage. Grids above 9x9 have cage
                            numbers: 4x4::k: and for each cell 256 times the sum
                            plus the number of its cage, or 0, and a :.
A puzzle in one of these notations brings its own rules, without any option: cage
numbers, SumoCue, game IDs of Solo (3x3k:...). Options add to them. --shuffle,
--minimize and --reveal keep the notation. -o puzzle,regions,cages writes the rules
as fields, which --variant killer,jigsaw reads: - stands for no regions (the usual
boxes) and for no cages.",
            )
            .offering(Offer::Words(variants)),
            flag(
                None,
                "regions",
                Some("STRING"),
                Some("one jigsaw layout for all puzzles; or @FILE"),
                "One jigsaw layout for all puzzles: one label per cell; cells with equal labels form
a region. @FILE reads the labels from a file and ignores line ends, blanks and lines
that begin with #. Implies --variant jigsaw, unless --variant lists regions. A line
that states boxes or regions of its own is then invalid; --variant regions keeps
its boxes.",
            )
            .offering(Offer::AtFile),
            flag(
                None,
                "disconnected",
                None,
                None,
                "Allow regions in several pieces, those of lines that describe their rules too.
Without this option, a region that is not connected is an error.",
            ),
            flag(
                None,
                "extra",
                Some("STRING"),
                None,
                "Extra groups of cells: one symbol per cell, . for cells without a group. Cells with
equal symbols must all differ. The option can be repeated.",
            ),
            flag(
                None,
                "box",
                Some("RxC"),
                Some("boxes R rows high, C wide, if N is R*C"),
                "Boxes R rows high and C columns wide, for puzzles with R*C rows. Puzzles of other
sizes keep their usual boxes: 2x2, 2x3, 2x4, 3x3, 2x5, 3x4, 2x7, 3x5, 4x4, 3x6, 4x5,
3x7, 4x6, 5x5.",
            ),
            flag(
                None,
                "symbols",
                Some("STRING"),
                None,
                "The symbols of the digits in ascending order, such as 0123456789ABCDEF. Upper and
lower case are different. An NxN puzzle uses the first N symbols. Default: 1-9, then
A-P in upper or lower case. Blank cells are . or 0, or one of _ * - ? x. With
--input grid none of | + - [ can be a symbol.",
            ),
        ],
    ),
    (
        "Input",
        &[
            flag(
                None,
                "fields",
                Some("LIST"),
                Some("the fields of a line, such as id,puzzle,answer"),
                "The names of the fields of a line, such as id,puzzle,answer. In a line with tabs,
each tab separates two fields. The fields puzzle, regions, cages and answer are
used; -o can name the others, to copy them to the output.",
            )
            .offering(Offer::Words(fields)),
            flag(
                None,
                "csv",
                None,
                Some("read and write CSV with a header"),
                "Read and write CSV, one record per line. The first line is the header. It names the
column of puzzles puzzle, quizzes, quiz, question or sudoku, the column of answers
answer (or else solution or solutions), the column of layouts regions, and that of
killer cages cages. The output has all columns of the input, followed by those of
-o. The separator is a comma, a semicolon or a tab, whichever the header uses.",
            ),
            flag(
                None,
                "header",
                Some("LIST"),
                None,
                "With --csv: the names of columns that are not the usual ones, such as
puzzle=initial_board,answer=key. The entries are puzzle=NAME, answer=NAME,
regions=NAME and cages=NAME.",
            ),
            flag(
                None,
                "input",
                Some("FORM"),
                None,
                "How puzzles are written. line: one puzzle per line, the default. grid: one line per
row of the puzzle; borders of | + - or box-drawing characters, blanks, titles (Grid
01) and the status that --draw writes below a grid are ignored. A layout or an
answer is another grid after its puzzle. Blank lines, titles or headings in brackets
separate puzzles: a puzzle with a missing row is invalid and does not affect the
next one. If blank lines do not separate the puzzles of a file, they are ignored.",
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
                Some("check answers: each line is PUZZLE ANSWER"),
                "Check answers against the rules. Each line is PUZZLE ANSWER; a jigsaw has REGIONS
and a killer CAGES before the answer. Writes the answer, its status, and the first
fault if there is one.",
            ),
            flag(
                None,
                "unique",
                None,
                None,
                "With --verify: a correct answer is `ambiguous` if the puzzle has another solution.",
            ),
            flag(
                None,
                "reveal",
                Some("CELL"),
                Some("solve one cell only, such as r4c5"),
                "Fill in one cell, r4c5 or 4,5 (row, column), if the solution is unique. Writes the
puzzle, its layout and its cages if lines have them, and the status, which is
`given` if the cell is not blank.",
            ),
            flag(
                None,
                "minimize",
                None,
                Some("remove givens as long as the solution is unique"),
                "Remove givens, as long as the solution is unique, until no other given can be
removed. The order is from the last cell to the first, or random with --random
(above 16x16, row by row). Writes the puzzle, its layout and its cages if lines have
them, and the status. A puzzle that is not `unique` is not changed.",
            ),
            flag(
                None,
                "givens",
                Some("N"),
                None,
                "With --minimize: stop when N givens are left. Some puzzles have more left, because
no other given can be removed.",
            ),
            flag(
                None,
                "symmetry",
                Some("NAME"),
                None,
                "With --minimize: remove givens in groups, so that a symmetric puzzle stays
symmetric. half-turn, quarter-turn: rotations by 180 and by 90 degrees. left-right,
top-bottom, diagonal: reflections; the last one exchanges rows and columns. full:
all of these.",
            )
            .offering(Offer::Word(symmetries)),
            flag_with_optional_value(
                "all",
                "N",
                Some("write every solution, up to N per puzzle"),
                "Write every solution on a line of its own, up to N per puzzle. If a limit is
reached, a line with the puzzle and the status `unknown` follows.",
            ),
            flag_with_optional_value(
                "shuffle",
                "N",
                Some("write N random equivalents of each puzzle"),
                "Write N random equivalents of each puzzle (default 1): the digits are renamed, and a
random symmetry of the variant moves the cells. Puzzles are not solved; their status
is `shuffled`. A layout, cages and an answer change with their puzzle. The answer is
the field answer of --fields or --csv; with -o puzzle,answer it is the field after
the puzzle, its layout and its cages. Writes these three, the fields of --fields in
their order, or with --csv the record, so that the same options can read the output.",
            ),
            flag(
                None,
                "random",
                Some("SEED"),
                Some("search in random order, to fill empty grids"),
                "Search in a random order, which depends on SEED and the number of the line: an empty
puzzle becomes a random grid. With --minimize, remove givens in a random order; this
fills no grid first. With
--shuffle, write other equivalents than without --random, which is SEED 0.",
            ),
        ],
    ),
    (
        "Output",
        &[
            flag(
                Some('o'),
                "columns",
                Some("LIST"),
                Some("the columns to write, such as puzzle,grade,hint"),
                "The columns of an output line. Columns are separated by tabs, and - is an empty
column. LIST can have names from --fields, and:",
            )
            .offering(Offer::Words(columns)),
            flag(
                None,
                "count",
                Some("N"),
                Some("count solutions up to N"),
                "Count solutions up to N (default 2). Adds the column `solutions` to the default
columns; with -o, name it there.",
            ),
            flag(
                None,
                "select",
                Some("LIST"),
                Some("write only lines with these statuses"),
                "Write only lines with these statuses, such as multiple,none. Comments and blank
lines are omitted. The exit status still depends on all lines.",
            )
            .offering(Offer::Words(statuses)),
            flag(
                None,
                "reject",
                Some("LIST"),
                None,
                "Write only lines with other statuses. Otherwise like --select.",
            )
            .offering(Offer::Words(statuses)),
            flag(
                None,
                "require",
                Some("LIST"),
                None,
                "Write all lines, but exit with 1 if a line has a status that is not in LIST.",
            )
            .offering(Offer::Words(statuses)),
            flag(
                None,
                "draw",
                None,
                Some("draw grids with borders over several lines"),
                "Draw grids over several lines, with borders around boxes or regions. Other columns
follow on a line below the grid.",
            ),
            flag(
                None,
                "color",
                Some("WHEN"),
                None,
                "With --draw: show solved digits in another colour than givens: auto (default),
always or never. auto means on a terminal, unless NO_COLOR is set or TERM is dumb.",
            )
            .offering(Offer::Word(whens)),
        ],
    ),
    (
        "Run",
        &[
            flag(
                Some('j'),
                "threads",
                Some("N"),
                Some("use N threads (default: one per available CPU)"),
                "Use N threads. Default: one for each CPU that is available. The output is the same
for every N.",
            ),
            flag(
                None,
                "max-guesses",
                Some("N"),
                None,
                "Stop after N guesses at a puzzle, with the status `unknown`. A guess is a branch of
the search; a conflict of clause learning counts as 64. The default takes about ten
seconds: 40 million for a 9x9, 25 million for a 9x9 jigsaw, 4 million for a 9x9
killer, fewer for larger grids. If more than two solutions are counted or listed,
the default counts anew after each solution, and a count has no limit after the
64th. 0 means no limit. --minimize and the column minimal count N guesses for each
of their searches; the default is for all of them together. The searches of the
column candidates share one limit.",
            ),
            flag(
                None,
                "max-time",
                Some("SECONDS"),
                None,
                "Stop after SECONDS of CPU time at a puzzle, such as 0.5, with the status `unknown`.
The time begins when the search of the puzzle begins. Puzzles that are searched side
by side each count the whole time; a waiting puzzle counts none. --all, --minimize
and the columns minimal and candidates can take as long again. Default 0: no limit.
The result depends on the machine. --max-guesses still applies.",
            ),
            flag(
                None,
                "method",
                Some("NAME"),
                None,
                "The solving method. lanes: many puzzles at a time, with SIMD, the default.
backtrack: a simple search that tries digits in the first blank cell in ascending
order, then again in descending order; if both find the same grid, the puzzle is
`unique`. pencil: the techniques of a person, then a search if these are not enough.",
            )
            .offering(Offer::Described(METHODS)),
            flag(
                None,
                "cpu",
                Some("NAME"),
                None,
                "The CPU instructions to use: auto (default, the best that the CPU supports),
portable, avx2 or avx512. The output is the same for all.",
            )
            .offering(Offer::Word(levels)),
            flag(
                None,
                "progress",
                Some("WHEN"),
                None,
                "Report progress on standard error after the first second: auto (default), always or
never. auto means if standard error is a terminal and standard output is not.",
            )
            .offering(Offer::Word(whens)),
            flag(
                None,
                "summary",
                None,
                Some("print counts of lines and statuses at the end"),
                "At the end, print one line on standard error: the number of lines, the number with
each status, the time in seconds, and the lines per second.",
            ),
            flag(
                None,
                "errors",
                Some("N"),
                None,
                "Print at most N messages about invalid lines, and the number of the others at the
end. Default 10.",
            ),
            flag(
                Some('q'),
                "quiet",
                None,
                Some("print no messages about lines"),
                "Print no messages about lines. Errors that give exit status 2 are still printed.",
            ),
            flag(
                Some('h'),
                "help",
                None,
                Some("-h: this page; --help: all options"),
                "Print help. -h: one page; --help: all options.",
            ),
            flag(
                Some('V'),
                "version",
                None,
                None,
                "Print the version. --version: also the CPU levels (see --cpu) that are compiled in,
the level of this machine, and how many puzzles it solves at once.",
            ),
            flag(
                None,
                "generate",
                Some("PAGE"),
                None,
                "Print a page for another program: man (the man page), or complete-bash,
complete-zsh, complete-fish or complete-powershell (completions for that shell).",
            )
            .offering(Offer::Word(page::names)),
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

fn symmetries() -> Vec<&'static str> {
    PatternSymmetry::NAMES
        .iter()
        .map(|(name, _)| *name)
        .collect()
}

const METHODS: &[(&str, &str)] = &[
    ("lanes", "many puzzles at a time, the default"),
    ("backtrack", "a simple search, cell by cell"),
    ("pencil", "the techniques of a person"),
];

fn levels() -> Vec<&'static str> {
    [&["auto"], &Level::NAMES[..]].concat()
}

/// Returns the names of fields that the program uses. Users choose the other names.
fn fields() -> Vec<&'static str> {
    vec!["puzzle", "regions", "cages", "answer"]
}

const FORMS: &[(&str, &str)] = &[
    ("line", "one puzzle per line, the default"),
    ("grid", "puzzles drawn over several lines"),
];

fn whens() -> Vec<&'static str> {
    vec!["auto", "always", "never"]
}

/// Returns the long name of an option by its short name.
#[must_use]
pub fn long_of(short: char) -> Option<&'static str> {
    all()
        .find(|flag| flag.short == Some(short))
        .map(|flag| flag.long)
}

/// Returns every option.
pub fn all() -> impl Iterator<Item = &'static Flag> {
    SECTIONS.iter().flat_map(|(_, flags)| flags.iter())
}

#[cfg(test)]
mod tests {
    use sudoku_filter::Method;

    use super::*;

    #[test]
    fn a_summary_is_a_whole_sentence() {
        let summary = |name: &str| all().find(|flag| flag.long == name).unwrap().summary();
        assert_eq!(
            summary("extra"),
            "Extra groups of cells: one symbol per cell, . for cells without a group"
        );
        assert_eq!(summary("method"), "The solving method");
        assert_eq!(summary("version"), "Print the version");
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
