//! The table of options. `args.rs` parses the command line by it. `help.rs` and `man.rs` write
//! their pages from it; `bash.rs`, `zsh.rs` and `fish.rs` write the completions of their shells.

use std::str::FromStr;

use sudoku_filter::program::{
    Classes, HeaderNames, KeptFields, Level, Output, PatternSymmetry, TechniqueSet,
};
use sudoku_filter::{Alphabet, Column, Method, Mode, Status, Technique, Variant, Variants};

use self::Action::{Each, List, OptionalValue, Print, Switch, Value};
use self::Offer::{Anything, AtFile, Described, OneOf, SomeOf};
use super::arguments::{Arguments, InputName, When};
use super::page::{self, Page};
use super::values::{
    box_shape, figure_number, guess_limit, language, layout, level, names, number, number_from_1,
    one_of, place, required, seconds, set, size, size_from_1, statuses,
};

#[derive(Debug)]
pub struct Flag {
    /// The names and the value, as the help shows them: `-j, --threads N`, or `--all[=N]` if the
    /// value can be omitted.
    pub usage: &'static str,
    pub action: Action,
    pub full: &'static str,
    /// Returns the rows of the table below `full`, if any, each a term and its meaning.
    pub rows: fn() -> Vec<(&'static str, &'static str)>,
    /// Empty if there is no text after the table.
    pub after: &'static str,
}

/// The effect of an option. The functions change the options that are parsed so far, or return an
/// error if the value is invalid. `Arguments::combine` checks what depends on other options.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// An option without a value.
    Switch(fn(&mut Arguments)),
    /// An option with one value. The [`Offer`] is for completions and for suggestions after errors.
    Value(Offer, fn(&mut Arguments, &str) -> Result<(), String>),
    /// An option whose value is a list. If the option is repeated, the function gets the items of
    /// all its values so far, separated by commas. With [`Offer::SomeOf`], `args.rs` removes blanks
    /// around the items.
    List(Offer, fn(&mut Arguments, &str) -> Result<(), String>),
    /// An option that can be repeated with other values. The function is called for each value.
    Each(fn(&mut Arguments, &str) -> Result<(), String>),
    /// An option with an optional value, which must follow a `=`. The function gets `None` if the
    /// value is omitted.
    OptionalValue(fn(&mut Arguments, Option<&str>) -> Result<(), String>),
    /// An option that prints a page and ends the program. Its short name prints `short`, its long
    /// name `long`.
    Print { short: Page, long: Page },
}

/// The values that shells can offer for an option.
#[derive(Clone, Copy, Debug)]
pub enum Offer {
    /// Nothing: there is no value, it is optional, or there are too many (numbers, for example).
    Anything,
    OneOf(fn() -> Vec<&'static str>),
    Described(&'static [(&'static str, &'static str)]),
    /// Some of these words, separated by commas.
    SomeOf(fn() -> Vec<&'static str>),
    /// A file, after an `@`.
    AtFile,
}

impl Offer {
    pub fn words(self) -> Vec<&'static str> {
        match self {
            OneOf(words) | SomeOf(words) => words(),
            Described(words) => names(words),
            Anything | AtFile => Vec::new(),
        }
    }
}

impl Flag {
    /// Returns the names as they are typed: `-j` and `--threads` for `-j, --threads N`, `--all` for
    /// `--all[=N]`.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let end = |name: &str| name.find([' ', '[']).unwrap_or(name.len());
        self.usage.split(", ").map(move |name| &name[..end(name)])
    }

    /// Returns `N` for `-j, --threads N` and for `--all[=N]`.
    pub fn value(&self) -> Option<&'static str> {
        let last_name = self.usage.rsplit(", ").next()?;
        let (_, value) = last_name.split_once([' ', '['])?;
        Some(value.trim_matches(['=', ']']))
    }

    pub fn is_optional(&self) -> bool {
        matches!(self.action, OptionalValue(_))
    }

    pub fn offer(&self) -> Offer {
        match self.action {
            Value(offer, _) | List(offer, _) => offer,
            _ => Anything,
        }
    }

    /// Returns the first sentence of `full`, without its period.
    #[must_use]
    pub fn summary(&self) -> String {
        let text = self.full.replace('\n', " ");
        // A period after a space or `(` is the symbol of a blank cell, not the end of a sentence.
        let is_end = |&(at, _): &(usize, &str)| !text[..at].ends_with([' ', '(']);
        let end = text.match_indices(". ").find(is_end);
        let sentence = end.map_or(&*text, |(at, _)| &text[..at]);
        sentence.trim_end_matches('.').to_string()
    }
}

const fn flag(usage: &'static str, action: Action, full: &'static str) -> Flag {
    Flag { usage, action, full, rows: Vec::new, after: "" }
}

/// The headings of `--help` and of the man page, each with its options, in their order.
pub const SECTIONS: &[(&str, &[Flag])] =
    &[("Puzzles", PUZZLES), ("Input", INPUT), ("Modes", MODES), ("Output", OUTPUT), ("Run", RUN)];

pub fn all() -> impl Iterator<Item = &'static Flag> {
    SECTIONS.iter().flat_map(|(_, flags)| *flags)
}

// In the functions of the tables below, `a` is the arguments that are parsed so far, and `v` is the
// value of the option. If the value is optional, `v` is an `Option`, `None` if it is omitted.
const PUZZLES: &[Flag] = &[
    Flag {
        rows: || VARIANTS.to_vec(),
        after: "A puzzle in one of these notations states its own rules, without any option: cage
numbers, SumoCue, game IDs of Solo (3x3k:...), puzz.link (sudoku/9/9/...). Options
add to them. --shuffle, --minimize and --reveal write the rules as fields, as the
columns puzzle,regions,cages do. --variant killer,jigsaw reads these fields: - means
no regions (the usual boxes) or no cages.",
        ..flag(
            "--variant LIST",
            List(SomeOf(variants), |a, v| set(&mut a.run.pipeline.variants, v.parse::<Variants>())),
            "The rules of the puzzles, separated by commas. Variants can be combined.",
        )
    },
    flag(
        "--regions STRING",
        Value(AtFile, |a, v| set(&mut a.run.regions, layout(v))),
        "One jigsaw layout for all puzzles: one label per cell; cells with equal labels form
a region. @FILE reads the labels from a file and ignores line ends, blanks and lines
that begin with #. Implies --variant jigsaw, unless --variant lists regions. A line
that states boxes or regions of its own is then invalid; --variant regions keeps
its boxes.",
    ),
    flag(
        "--disconnected",
        Switch(|a| a.run.pipeline.disconnected = true),
        "Allow regions in several pieces, those of lines that describe their rules too.
Without this option, a region that is not connected is an error.",
    ),
    flag(
        "--extra STRING",
        Each(|a, v| {
            a.run.pipeline.extras.push(v.into());
            Ok(())
        }),
        "Extra groups of cells: one symbol per cell, . for cells without a group. Cells with
equal symbols must all differ. Each --extra adds groups.",
    ),
    flag(
        "--box RxC",
        Value(Anything, |a, v| set(&mut a.run.pipeline.boxes, box_shape(v))),
        "Boxes R rows high and C columns wide, for puzzles with R*C rows. Puzzles of other
sizes keep their usual boxes: 2x2, 2x3, 2x4, 3x3, 2x5, 3x4, 2x7, 3x5, 4x4, 3x6, 4x5,
3x7, 4x6, 5x5.",
    ),
    flag(
        "--symbols STRING",
        Value(Anything, |a, v| set(&mut a.run.pipeline.alphabet, Alphabet::of_symbols(v))),
        "The symbols of the digits in ascending order, such as 0123456789ABCDEF. Upper and
lower case are different. An NxN puzzle uses the first N symbols. Default: 1-9, then
A-P in upper or lower case. Blank cells are . or 0, or one of _ * - ? x. The . is
never a digit. With --input grid none of | + - [ can be a symbol.",
    ),
];

const INPUT: &[Flag] = &[
    flag(
        "--fields LIST",
        List(SomeOf(fields), |a, v| set(&mut a.fields, String::from_str(v))),
        "The names of the fields of a line, such as id,puzzle,answer. In a line with tabs,
each tab separates two fields. The fields puzzle, regions, cages and answer are
used; -o can name the others, to copy them to the output. Of a field with the name
of another column, such as givens, -o writes the column instead.",
    ),
    flag(
        "--csv",
        Switch(|a| a.csv = true),
        "Read and write CSV. The first line is the header. It names the column of puzzles
puzzle, quizzes, quiz, question or sudoku (or else board, grid, unsolved or
initial), the column of answers answer (or else solution or solutions, or else
solved), the column of layouts regions, and that of killer cages cages. The
output has all columns of the input, followed by those of -o. The separator is a
comma, a semicolon or a tab, whichever the header uses. A quoted field can have
several lines.",
    ),
    flag(
        "--json",
        Switch(|a| a.json = true),
        "Read and write JSON: objects on one line or several, or an array of objects, which
another object can hold. The output has one object per line. The keys have the
usual names of --csv. Boards are strings or arrays of symbols and numbers, flat or
by rows; 0, -1, null and a blank string are blank cells. Blanks, line ends, commas
and brackets in a string are left out. The output has the same objects with a key
for each column of -o: grids in the form of the puzzle, steps and cages as lists
and objects. A column without a value is null. Text that is not an object is
invalid.",
    ),
    flag(
        "--header LIST",
        List(Anything, |a, v| set(&mut a.header, HeaderNames::parse(v))),
        "With CSV and JSON: the names of columns or keys that are not the usual ones,
such as puzzle=initial_board,answer=key. The entries are puzzle=NAME, answer=NAME,
regions=NAME, cages=NAME and constraints=NAME. Two fields cannot have the same name.",
    ),
    flag(
        "--input FORM",
        Value(Described(FORMS), |a, v| {
            // An earlier name of `lines`.
            let name = if v == "line" { "lines" } else { v };
            set(&mut a.form, one_of(&InputName::NAMES, name).map(Some))
        }),
        "The form of the input. auto, the default: the first lines of each file decide (120
lines or 64 KiB at most). A line that begins with a puzzle: lines. A CSV header
that names the puzzle, and records: csv. An object or an array of objects: json.
A drawn puzzle of six rows or more, or one on a line after other text: grid. A
message names the form, unless it is lines. Output waits until a line is a puzzle,
so a program that sends one line at a time names lines. lines: one puzzle per
line. csv: --csv. json: --json. grid: puzzles drawn over several lines, with or
without borders, commas, brackets, titles, comments or the text of a program
around them. A layout or an answer is another grid after its puzzle.
Blank lines, titles or headings in brackets separate puzzles: a puzzle with a
missing row is invalid and does not affect the next one. pencilmarks: as lines,
but N³ symbols are always pencilmarks: 64 those of a 4x4, not an 8x8; with
--variant jigsaw 512 those of an 8x8, not a 16x16 with its layout.",
    ),
];

const MODES: &[Flag] = &[
    flag(
        "--verify",
        Switch(|a| a.modes.push(Mode::Verify { unique: false })),
        "Check answers against the rules. Each line is PUZZLE ANSWER; a jigsaw has REGIONS
and a killer CAGES before the answer. Writes the answer, its status, and the first
fault if there is one.",
    ),
    flag(
        "--unique",
        Switch(|a| a.unique = true),
        "With --verify: a correct answer is `ambiguous` if the puzzle has another solution.",
    ),
    flag(
        "--lenient",
        Switch(|a| a.run.pipeline.lenient = true),
        "With --verify: find the grid in an answer that is prose, such as that of a language
model: rows of N symbols, or N² symbols at once. Blanks, borders, commas, quotes and
brackets can lie between symbols, a label before a row. The last whole grid with
most of the givens counts; of an <answer>, what is in it. Missing rows are blank. In
lines, the answer is the rest of the line. The column answer shows the grid. In CSV
and JSON, with or without --verify: find the only puzzle in a prompt, a text or the
messages of a chat.",
    ),
    flag(
        "--reveal CELL",
        Value(Anything, |a, v| place(v).map(|place| a.modes.push(Mode::Reveal(place)))),
        "Fill in one cell, r4c5 or 4,5 (row, column), if the solution is unique. Writes the
puzzle, its layout and its cages if lines have them, and the status, which is
`given` if the cell is not blank.",
    ),
    flag(
        "--minimize",
        Switch(|a| a.modes.push(Mode::Minimize)),
        "Remove givens, as long as the solution is unique, until no other given can be
removed. The order is from the last cell to the first, or random with --random
(above 16x16, row by row). Writes the puzzle, its layout and its cages if lines have
them, and the status. A puzzle that is not `unique` is not changed.",
    ),
    flag(
        "--givens N",
        Value(Anything, |a, v| set(&mut a.run.pipeline.givens, size_from_1(v))),
        "With --minimize and --make: stop when N givens are left. Some puzzles have more
left, because no other given can be removed.",
    ),
    flag(
        "--exact N",
        Value(Anything, |a, v| set(&mut a.exact, size_from_1(v).map(Some))),
        "With --minimize and --make: leave exactly N givens. Tries up to a hundred orders,
random ones after the first. If none leaves N, the puzzle is not changed and its
status is `unknown`, with the reason `exact`; a candidate of --make is dropped.",
    ),
    flag(
        "--symmetry NAME",
        Value(OneOf(|| names(&PatternSymmetry::NAMES)), |a, v| {
            set(&mut a.run.pipeline.symmetry, one_of(&PatternSymmetry::NAMES, v))
        }),
        "With --minimize and --make: remove givens in groups, so that a symmetric puzzle
stays symmetric. half-turn, quarter-turn: rotations by 180 and by 90 degrees.
left-right, top-bottom, diagonal: reflections; the last one exchanges rows and
columns. full: all of these. Single givens can then be left that could go: see the
column minimal.",
    ),
    flag(
        "--all[=N]",
        OptionalValue(|a, v| {
            let most = v.map_or(Ok(u64::MAX), number_from_1)?;
            a.modes.push(Mode::All(most));
            Ok(())
        }),
        "Write every solution on a line of its own, up to N per puzzle. If a limit is
reached, a line with the puzzle and the status `unknown` follows.",
    ),
    flag(
        "--add N",
        Value(Anything, |a, v| size_from_1(v).map(|number| a.modes.push(Mode::Add(number)))),
        "Write every puzzle that N more givens make `unique`, on a line of its own, in the
order of cells and digits. All columns show the new puzzle. A puzzle that has not
several solutions is written as it is, and so is one without such givens. If N is 2
or more, a puzzle with more than a million solutions is `unknown`.",
    ),
    flag(
        "--remove N",
        Value(Anything, |a, v| size_from_1(v).map(|number| a.modes.push(Mode::Remove(number)))),
        "Write every puzzle with N givens fewer, on a line of its own, in the order of cells.
All columns show the new puzzle.",
    ),
    flag(
        "--max M",
        Value(Anything, |a, v| set(&mut a.run.pipeline.max_lines, number_from_1(v).map(Some))),
        "With --add and --remove: at most M new puzzles for each puzzle. If there are more, a
line with the puzzle itself and the status `unknown` follows.",
    ),
    flag(
        "--make N",
        Value(Anything, |a, v| number_from_1(v).map(|number| a.modes.push(Mode::Make(number)))),
        "Write N new puzzles for each template, a line as always: blank, or with givens that
stay. Without a FILE, the template is the blank grid of --size. A candidate is a
random solution, minimized in a random order; --symmetry, --givens, --exact and
--random SEED apply. It ends with the Nth puzzle that --where, --select and
--distinct let through. All columns show the new puzzle.",
    ),
    flag(
        "--pattern STRING",
        Value(Anything, |a, v| {
            a.run.pipeline.pattern = Some(v.bytes().map(|it| !matches!(it, b'.' | b'0')).collect());
            Ok(())
        }),
        "With --make: givens in exactly these cells, one symbol per cell: . and 0 are blank
cells, all others givens. A candidate is then a climb from a random solution: single
digits change, as long as there are not more solutions, until there is one.",
    ),
    flag(
        "--tries M",
        Value(Anything, |a, v| set(&mut a.run.pipeline.tries, number_from_1(v).map(Some))),
        "With --make: try at most M candidates for each template (default 100000). If they
are not enough, a line with the template and the status `unknown` follows, with a
reason such as `12 of 100 found`.",
    ),
    flag(
        "--size N",
        Value(Anything, |a, v| set(&mut a.run.size, size_from_1(v).map(Some))),
        "With --make, without a FILE: the side of the blank grid. Default: that of --pattern
or --regions, or 9.",
    ),
    flag(
        "--shuffle[=N]",
        OptionalValue(|a, v| {
            let count = v.map_or(Ok(1), number_from_1)?;
            a.modes.push(Mode::Shuffle(count));
            Ok(())
        }),
        "Write N random equivalents of each puzzle (default 1): the digits are renamed, and a
random symmetry of the variant moves the cells. Puzzles are not solved; their status
is `shuffled`. A layout, cages, rules of a constraint string and an answer change
with their puzzle. The answer is the field answer of --fields or --csv; with -o
puzzle,answer it is the field after the puzzle, its layout and its cages. Writes
these three, the fields of --fields in their order, or with --csv the record, so
that the same options can read the output.",
    ),
    flag(
        "--random SEED",
        Value(Anything, |a, v| set(&mut a.run.pipeline.seed, number(v))),
        "Search in a random order, which depends on SEED and the number of the line: an empty
puzzle becomes a random grid. With --minimize, remove givens in a random order. With
--make and --shuffle, write other puzzles than without --random, which is SEED 0.",
    ),
];

fn technique_names() -> Vec<&'static str> {
    Technique::of_paths().map(|(name, _)| name).collect()
}

/// The values of `--draw`, each with the form of output that it selects.
pub const DRAWINGS: [(&str, Output); 3] =
    [("text", Output::Drawing { color: false }), ("svg", Output::Svg), ("page", Output::Page)];

const OUTPUT: &[Flag] = &[
    flag(
        "--output FORM",
        Value(OneOf(|| names(&Output::NAMES)), |a, v| {
            set(&mut a.output, one_of(&Output::NAMES, v).map(Some))
        }),
        "The form of the output: lines, csv, json, drawing (--draw), svg (--draw=svg) or
page (--draw=page). By default csv or json if that is the form of the input,
otherwise lines. In the form of the input, csv and json copy each record and add
the columns of -o. In another form, only the columns of -o are written: in csv
after a header, in json as keys. Fields of the input are columns by their names.
Comments are copied to lines only.",
    ),
    Flag {
        rows: || Column::ALL.iter().map(|(name, column)| (*name, column.help())).collect(),
        ..flag(
            "-o, --columns LIST",
            List(SomeOf(|| names(&Column::ALL)), |a, v| set(&mut a.columns, String::from_str(v))),
            "The columns of an output line. Columns are separated by tabs, and - is an empty
column. NAME=COLUMN writes a column under another name. LIST can have the names of
fields of the input (of --fields, a CSV header, or JSON keys), and:",
        )
    },
    flag(
        "--keep LIST",
        List(Anything, |a, v| set(&mut a.run.pipeline.kept, KeptFields::from_str(v))),
        "Which fields of a CSV or JSON record are copied if the output has the form of
the input: their names in LIST, or none. Without it all. The columns of -o
follow them.",
    ),
    flag(
        "--count N",
        Value(Anything, |a, v| set(&mut a.count, number_from_1(v))),
        "Count solutions up to N (default 2). Adds the column `solutions` to the default
columns; with -o, name it there. A count above 64 compares search states by a hash
value of 128 bits: it is exact but for a chance of about 2^-64 for each state.",
    ),
    flag(
        "--select LIST",
        List(SomeOf(status_names), |a, v| set(&mut a.select, statuses(v))),
        "Write only lines with these statuses, such as multiple,none. Comments and blank
lines are omitted. The exit status still depends on all lines.",
    ),
    flag(
        "--reject LIST",
        List(SomeOf(status_names), |a, v| set(&mut a.reject, statuses(v))),
        "Write only lines with other statuses. Otherwise like --select.",
    ),
    flag(
        "--where CONDITION",
        Each(|a, v| {
            a.conditions.push(v.into());
            Ok(())
        }),
        "Write only lines whose column has one of the values: COLUMN=VALUES, or
COLUMN!=VALUES for all other lines. COLUMN is a column of -o, written or not, or
a field of the input (input.NAME if a column has its name). VALUES is a list:
class=hard,extreme. A range includes both ends: difficulty=2.6..4.4,
givens=..26, level=14.. and - is no value. If --where is repeated, all
conditions must hold. Otherwise like --select.",
    ),
    flag(
        "--distinct COLUMN",
        Value(OneOf(|| names(&Column::ALL)), |a, v| {
            set(&mut a.distinct, String::from_str(v).map(Some))
        }),
        "Write only the first of all lines with the same value of this column, which -o
need not name: canonical for puzzles equal up to symmetry, solution, or a field
of the input. Lines without a value are all written. --select and --where come
before it. Values are compared by a hash of 128 bits; a million different ones
take 20 to 60 MB.",
    ),
    flag(
        "--tally LIST",
        List(SomeOf(|| names(&Column::ALL)), |a, v| set(&mut a.tally, String::from_str(v))),
        "In place of the lines, write how many of them have each value of these columns,
which can be fields of the input: lines of column, value and count, for one
column after the other. Numbers ascend, names such as classes have their own
order, - is the last. The form is lines, csv (after a header column,value,count)
or json. Lines that --select, --where or --distinct leaves out do not count.
Memory grows with the number of different values.",
    ),
    flag(
        "--require LIST",
        List(SomeOf(|| [&["any"], &status_names()[..]].concat()), |a, v| {
            set(&mut a.run.require, required(v))
        }),
        "Write all lines, and exit with 1 if a line has a status that is not in LIST, with 0
if none has, even if LIST has invalid or unknown. any stands for all statuses.",
    ),
    flag(
        "--draw[=FORM]",
        OptionalValue(|a, v| set(&mut a.drawing, one_of(&DRAWINGS, v.unwrap_or("text")).map(Some))),
        "Draw grids over several lines, with borders around boxes or regions (| - +) and
around cages (: .). Other columns follow on a line below the grid. --draw=svg: draw
an SVG image of each grid, all on one line, with diagonals, windows and cages too.
Other columns are their title. Candidates are drawn too. --draw=page: one HTML
document for print, with numbered puzzles, their other columns as captions, and the
column solution, if others are grids, on pages after them. --draw=text: --draw.",
    ),
    flag(
        "--per-page N",
        Value(Anything, |a, v| set(&mut a.run.pipeline.page.per_page, size_from_1(v).map(Some))),
        "With --draw=page: N puzzles on a page. Default: 6.",
    ),
    flag(
        "--title TEXT",
        Value(Anything, |a, v| set(&mut a.run.pipeline.page.title, String::from_str(v))),
        "With --draw=page: the title of the document, above its first puzzle too.",
    ),
    flag(
        "--lang TAG",
        Value(Anything, |a, v| set(&mut a.run.pipeline.page.lang, language(v))),
        "With --draw=page: the language of title and captions, as a tag: en (default), de,
pt-BR.",
    ),
    flag(
        "--first N",
        Value(Anything, |a, v| set(&mut a.run.pipeline.page.first, figure_number(v).map(Some))),
        "With --draw=page: the number of the first puzzle. Default: 1.",
    ),
    flag(
        "--color WHEN",
        Value(OneOf(|| names(&When::NAMES)), |a, v| set(&mut a.run.color, one_of(&When::NAMES, v))),
        "With --draw: show solved digits in another colour than givens: auto (default),
always or never. auto means on a terminal, unless NO_COLOR is set or TERM is dumb.",
    ),
];

const RUN: &[Flag] = &[
    flag(
        "-j, --threads N",
        Value(Anything, |a, v| set(&mut a.run.threads, size_from_1(v))),
        "Use N threads. Default: one for each CPU that is available. The output is the same
for every N.",
    ),
    flag(
        "--max-guesses N",
        Value(Anything, |a, v| set(&mut a.run.pipeline.max_guesses, guess_limit(v))),
        "Stop after N guesses at a puzzle, with the status `unknown`. A guess is a branch of
the search; a conflict of clause learning counts as 64, and as fewer in grids larger
than 9x9 and in counts. The default takes about ten seconds: 40 million for a 9x9,
10 million for a 9x9 jigsaw or with a variant that compares neighbours, 4 million
for a 9x9 killer, fewer for larger grids. If more than two solutions are counted or
listed, a guess takes longer: the default is a twelfth (killers excepted), counts
anew after each solution, and a count has no limit after the 64th. With a limit of
N, a count takes every branch, which can take a thousand times as long. 0 means no
limit. --minimize and the columns minimal and redundant count N guesses for each of
their searches; the default is for all of them together. The searches of the column
candidates share one limit.",
    ),
    flag(
        "--max-time SECONDS",
        Value(Anything, |a, v| set(&mut a.run.pipeline.max_time, seconds(v))),
        "Stop after SECONDS of CPU time at a puzzle, such as 0.5, with the status `unknown`.
The time begins when the search of the puzzle begins. Puzzles that are searched side
by side each count the whole time; a waiting puzzle counts none. A count that ends
has found `N+` solutions; with two or more, its status is `multiple`. --all,
--minimize and the columns minimal, redundant, candidates and difficulty can take as
long again.
Default 0: no limit. The result depends on the machine. --max-guesses still applies.",
    ),
    flag(
        "--method NAME",
        Value(Described(METHODS), |a, v| {
            set(&mut a.run.pipeline.method, one_of(&Method::NAMES, v))
        }),
        "The solving method. lanes: many puzzles at a time, with SIMD, the default.
backtrack: a slow and simple search that tries the digits of the first blank cell in
turn. pencil: the techniques of a person, then a search if these are not enough.",
    ),
    flag(
        "--classes LIST",
        Value(Anything, |a, v| set(&mut a.classes, Classes::from_str(v).map(Some))),
        "The classes of the column class, each with its greatest difficulty; the last one
needs none. Default: easy=1.4,medium=2.4,hard=4.9,extreme",
    ),
    flag(
        "--techniques LIST",
        List(SomeOf(technique_names), |a, v| {
            set(&mut a.run.pipeline.techniques, TechniqueSet::from_str(v).map(Some))
        }),
        "The techniques that grade, level, path, steps, hint, techniques, boards, reached and
reached_candidates may use; all by default. A number is a level of the scale of
difficulty, for all techniques up to it: 4.4 for those up to xyz-wing. Its direct
techniques (1.7 to 2.5) are not among them. A puzzle that these techniques do not
solve has the grade search, and its path ends in stuck. Those after als-xz are only
for path, hint, techniques and boards. Cage sums need cage-combination.",
    ),
    flag(
        "--cpu NAME",
        Value(OneOf(|| [&["auto"], &Level::NAMES[..]].concat()), |a, v| {
            set(&mut a.run.pipeline.level, level(v))
        }),
        "The CPU instructions to use: auto (default, the best that the CPU supports),
portable, neon (AArch64), avx2 or avx512 (x86-64). The output is the same for all.",
    ),
    flag(
        "--progress WHEN",
        Value(OneOf(|| names(&When::NAMES)), |a, v| {
            set(&mut a.run.progress, one_of(&When::NAMES, v))
        }),
        "Report progress on standard error after the first second: auto (default), always or
never. auto means if standard error is a terminal and standard output is not, and
TERM is set and not dumb.",
    ),
    flag(
        "--summary",
        Switch(|a| a.run.summary = true),
        "At the end, print one line on standard error: the number of lines, without comments
and blank lines, the number with each status, the time in seconds, and the lines per
second. With --add and --remove, the puzzles that are written are counted, as
puzzles=N. After SIGINT (ctrl-C), SIGTERM or SIGHUP it counts the input lines whose
output is written: with --all and --shuffle, not the line of which only a part is
written.",
    ),
    flag(
        "--errors N",
        Value(Anything, |a, v| set(&mut a.run.errors, size(v))),
        "Print at most N messages about invalid lines, and the number of the others at the
end. Default 10.",
    ),
    flag(
        "-q, --quiet",
        Switch(|a| a.run.quiet = true),
        "Print no messages about lines. Errors that give exit status 2 are still printed.",
    ),
    flag(
        "-h, --help",
        Print { short: Page::Tasks, long: Page::Help },
        "Print help. -h: one page; --help: all options.",
    ),
    flag(
        "-V, --version",
        Print { short: Page::Version, long: Page::FullVersion },
        "Print the version. --version: also the CPU levels (see --cpu) that are compiled in,
the level of this machine, and how many puzzles it solves at once.",
    ),
    flag(
        "--generate PAGE",
        Value(OneOf(|| names(&page::GENERATED)), |a, v| {
            set(&mut a.page, page::generated(v).map(Some))
        }),
        "Print a page for another program: man (the man page), or complete-bash,
complete-zsh or complete-fish (completions for that shell).",
    ),
];

fn variants() -> Vec<&'static str> {
    Variant::NAMES.iter().map(|(names, _)| names[0]).collect()
}

fn status_names() -> Vec<&'static str> {
    names(&Status::NAMES)
}

const VARIANTS: &[(&str, &str)] = &[
    ("classic", "rows, columns and boxes have every digit (default)"),
    ("diagonal (x)", "so do both main diagonals"),
    (
        "window (windoku, hyper)",
        "so do the windows: in a 9x9 the four 3x3 squares at rows
and columns 2-4 and 6-8, in an n²xn² (n-1)² squares",
    ),
    (
        "jigsaw (nonomino)",
        "so do regions, which replace the boxes: a second field
on each line, or --regions",
    ),
    ("regions", "so do regions, in addition to the boxes"),
    ("disjoint", "cells at the same position in their boxes differ"),
    (
        "asterisk, center-dot,
girandola",
        "nine more cells that differ (9x9 only)",
    ),
    ("antiknight, antiking", "cells a knight's or a king's move apart differ"),
    ("nonconsecutive", "cells that share an edge do not hold consecutive digits"),
    (
        "killer",
        "cells of a cage differ and add up to its sum (to 16x16);
the cages are a field after the puzzle and its regions,
or alone. A cage has its sum in one cell: 1-9, A-Z for
10-35, a-j for 36-45, 0 for none. Other cells point to a
neighbour in the cage: < > ^ v, and diagonally ` ' , .
(up left, up right, down left, down right). A single
cell with 0 is in no cage. Grids above 9x9 have cage
numbers: 4x4::k: and for each cell 256 times the sum
plus the number of its cage, or 0, and a :.",
    ),
];

const METHODS: &[(&str, &str)] = &[
    ("lanes", "many puzzles at a time, the default"),
    ("backtrack", "a simple search, cell by cell"),
    ("pencil", "the techniques of a person"),
];

/// Returns the names in `--fields` that have a meaning for the program.
fn fields() -> Vec<&'static str> {
    vec!["puzzle", "regions", "cages", "answer"]
}

const FORMS: &[(&str, &str)] = &[
    ("auto", "as the first lines say, the default"),
    ("lines", "one puzzle per line"),
    ("csv", "CSV with a header"),
    ("json", "JSON objects"),
    ("grid", "puzzles drawn over several lines"),
    ("pencilmarks", "64 symbols are the pencilmarks of a 4x4"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_a_whole_sentence() {
        let summary = |name: &str| {
            all().find(|flag| flag.names().any(|known| known == name)).unwrap().summary()
        };
        assert_eq!(
            summary("--extra"),
            "Extra groups of cells: one symbol per cell, . for cells without a group"
        );
        assert_eq!(summary("--method"), "The solving method");
        assert_eq!(summary("--version"), "Print the version");
    }

    #[test]
    fn every_method_is_described_once() {
        let described: Vec<&str> = METHODS.iter().map(|(name, _)| *name).collect();
        assert_eq!(described, names(&Method::NAMES));
    }

    #[test]
    fn every_variant_is_described_once_with_all_its_names() {
        let separates = |symbol: char| !symbol.is_alphanumeric() && symbol != '-';
        let described = VARIANTS.iter().flat_map(|(names, _)| names.split(separates));
        let described: Vec<&str> = described.filter(|name| !name.is_empty()).collect();
        let known: Vec<&str> =
            Variant::NAMES.iter().flat_map(|(names, _)| *names).copied().collect();
        assert_eq!(described, known);
    }

    #[test]
    fn no_two_options_share_a_name() {
        let mut names: Vec<&str> = all().flat_map(Flag::names).collect();
        let total = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), total);
    }
}
