//! The command line to options. Opens nothing and writes nothing.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use lexopt::{Arg, Parser, ValueExt};
use sudoku_filter::{
    Alphabet, Column, Drawing, FieldNames, Input, Level, MAX_SIDE, Method, Mode, PipelineOptions,
    Place, Status, Variant,
};

use crate::flags;
use crate::generate::{self, Page};

/// What the user asked for.
#[derive(Debug)]
pub enum Command {
    /// To answer lines.
    Run(Box<Options>),
    /// The page for `-h`.
    BriefHelp,
    /// The page for `--help`.
    FullHelp,
    /// The version.
    Version,
    /// The man page, or completions for a shell.
    Generate(Page),
}

/// How lines are to be answered.
#[derive(Debug)]
pub struct Options {
    pub files: Vec<PathBuf>,
    /// The first file that is more likely the value of the option before it.
    pub stray_value: Option<StrayValue>,
    /// What is asked of each line; but for the layout, which may be in a file.
    pub answer: PipelineOptions,
    pub regions: Option<Layout>,
    pub threads: Option<usize>,
    pub color: When,
    pub progress: When,
    pub summary: bool,
    /// The statuses that all lines must have.
    pub require: Option<Vec<Status>>,
    pub errors: u64,
    pub quiet: bool,
}

/// A number behind an option whose value may be left out: it names a file, unless a `=` joins the two.
#[derive(Debug, PartialEq, Eq)]
pub struct StrayValue {
    pub option: &'static str,
    pub file: PathBuf,
}

/// What is done always, never, or where it makes sense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// Where `--regions` has its layout from.
#[derive(Debug, PartialEq, Eq)]
pub enum Layout {
    Given(String),
    InFile(PathBuf),
}

/// What can be judged only when all options are known.
#[derive(Debug, Default)]
struct Told {
    /// The modes that were named, and what each is.
    modes: Vec<(&'static str, Mode)>,
    unique: bool,
    fields: Option<String>,
    columns: Option<String>,
    count: Option<u64>,
    csv: bool,
    drawn: bool,
    draw: bool,
    select: Option<Vec<Status>>,
    reject: Option<Vec<Status>>,
    /// The option before, if it can have a value and was given none.
    without_value: Option<&'static str>,
}

/// Reads the command line.
///
/// # Errors
/// A sentence for the user.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut parser = Parser::from_args(arguments);
    let mut told = Told::default();
    let mut generate = None;
    let mut options = Options {
        files: Vec::new(),
        stray_value: None,
        answer: PipelineOptions::default(),
        regions: None,
        threads: None,
        color: When::Auto,
        progress: When::Auto,
        summary: false,
        require: None,
        errors: 10,
        quiet: false,
    };
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        let (name, spelled) = match argument {
            Arg::Value(file) => {
                options.take_file(file.into(), told.without_value.take());
                continue;
            }
            Arg::Short('h') => return Ok(Command::BriefHelp),
            Arg::Short(short) => match flags::long_of(short) {
                Some(long) => (long.to_string(), format!("-{short}")),
                None => return Err(format!("invalid option '-{short}'")),
            },
            Arg::Long(long) => (long.to_string(), format!("--{long}")),
        };
        told.without_value = None;
        match name.as_str() {
            "help" => return Ok(Command::FullHelp),
            "version" => return Ok(Command::Version),
            "generate" => generate = Some(valued(&spelled, &mut parser, page)?),
            _ => options.take(&name, &spelled, &mut parser, &mut told)?,
        }
    }
    if let Some(page) = generate {
        return Ok(Command::Generate(page));
    }
    options.settle(told)?;
    Ok(Command::Run(Box::new(options)))
}

impl Options {
    /// Takes a file; `option` stands before it and was given no value.
    fn take_file(&mut self, file: PathBuf, option: Option<&'static str>) {
        let is_number = |file: &PathBuf| file.to_str().is_some_and(|name| number(name).is_ok());
        if let Some(option) = option.filter(|_| is_number(&file)) {
            let stray = StrayValue {
                option,
                file: file.clone(),
            };
            self.stray_value.get_or_insert(stray);
        }
        self.files.push(file);
    }

    /// Takes one option, which stands there as `spelled`.
    fn take(
        &mut self,
        name: &str,
        spelled: &str,
        parser: &mut Parser,
        told: &mut Told,
    ) -> Result<(), String> {
        let answer = &mut self.answer;
        match name {
            "variant" => answer.variants = valued(spelled, parser, |list| list.parse())?,
            "regions" => self.regions = Some(valued(spelled, parser, layout)?),
            "disconnected" => answer.disconnected = true,
            "extra" => answer.extras.push(valued(spelled, parser, |groups| {
                Ok(groups.as_bytes().to_vec())
            })?),
            "box" => answer.boxes = Some(valued(spelled, parser, box_shape)?),
            "symbols" => answer.alphabet = valued(spelled, parser, Alphabet::of_symbols)?,
            "fields" => told.fields = Some(valued(spelled, parser, |list| Ok(list.to_string()))?),
            "csv" => told.csv = true,
            "input" => told.drawn = valued(spelled, parser, form)?,
            "verify" => told
                .modes
                .push(("--verify", Mode::Verify { unique: false })),
            "unique" => told.unique = true,
            "reveal" => {
                let place = valued(spelled, parser, place)?;
                told.modes.push(("--reveal", Mode::Reveal(place)));
            }
            "minimize" => told.modes.push(("--minimize", Mode::Minimize)),
            "all" => {
                let most = optional(spelled, parser, number_from_1)?;
                told.without_value = most.is_none().then_some("--all");
                told.modes
                    .push(("--all", Mode::All(most.unwrap_or(u64::MAX))));
            }
            "random" => answer.seed = Some(valued(spelled, parser, number)?),
            "columns" => told.columns = Some(valued(spelled, parser, |list| Ok(list.to_string()))?),
            "count" => told.count = Some(valued(spelled, parser, number_from_1)?),
            "select" => told.select = Some(valued(spelled, parser, statuses)?),
            "reject" => told.reject = Some(valued(spelled, parser, statuses)?),
            "require" => self.require = Some(valued(spelled, parser, statuses)?),
            "draw" => told.draw = true,
            "color" => self.color = valued(spelled, parser, when)?,
            "threads" => self.threads = Some(valued(spelled, parser, threads)?),
            "max-guesses" => answer.max_guesses = valued(spelled, parser, number)?,
            "max-time" => answer.max_time = valued(spelled, parser, seconds)?,
            "method" => answer.method = valued(spelled, parser, method)?,
            "cpu" => answer.level = valued(spelled, parser, level)?,
            "progress" => self.progress = valued(spelled, parser, when)?,
            "summary" => self.summary = true,
            "errors" => self.errors = valued(spelled, parser, number)?,
            "quiet" => self.quiet = true,
            _ => return Err(format!("invalid option '--{name}'")),
        }
        Ok(())
    }

    /// What only the whole line shows.
    fn settle(&mut self, told: Told) -> Result<(), String> {
        self.answer.mode = told.mode()?;
        self.settle_variants()?;
        self.answer.input = told.input()?;
        self.settle_rows(&told)?;
        let mode = self.answer.mode;
        let named = [&told.select, &told.reject, &self.require];
        for status in named.into_iter().flatten().flatten() {
            if !statuses_of(mode).contains(status) {
                let statuses = names(statuses_of(mode));
                return Err(format!(
                    "no line can be '{status}' here; there are {statuses}"
                ));
            }
        }
        Ok(())
    }

    fn settle_variants(&mut self) -> Result<(), String> {
        let variants = &mut self.answer.variants;
        if self.regions.is_some() && !variants.have_regions() {
            *variants = std::mem::take(variants).with(Variant::Jigsaw);
            if let Some(contradiction) = variants.contradiction() {
                return Err(format!(
                    "--regions means the variant jigsaw: {contradiction}"
                ));
            }
        }
        if self.answer.disconnected && !variants.have_regions() {
            let reason = "--disconnected goes with --variant jigsaw or regions, or --regions";
            return Err(reason.to_string());
        }
        Ok(())
    }

    fn settle_rows(&mut self, told: &Told) -> Result<(), String> {
        let answer = &mut self.answer;
        answer.count = told.count.unwrap_or(2);
        if let Some(list) = &told.columns {
            let carried = |name: &str| match &answer.input {
                Input::Named(names) => names.index_of(name).is_some(),
                _ => false,
            };
            answer.columns = Column::list(list, carried)
                .map_err(|reason| format!("--columns {list}: {reason}"))?;
        } else if told.count.is_some() {
            if let Mode::Verify { .. } = answer.mode {
                return Err("--count does not go with --verify, which does not solve".to_string());
            }
            answer.columns = answer.mode.columns();
            answer.columns.push(Column::Solutions);
        }
        for column in &answer.columns {
            if let Some(reason) = makes_no_sense(column, answer) {
                return Err(format!("the column {column} {reason}"));
            }
        }
        if told.draw {
            answer.drawing = Some(Drawing { color: false });
        }
        answer.shown = match (&told.select, &told.reject) {
            (None, None) => None,
            (Some(_), Some(_)) => {
                return Err("--select and --reject do not go together".to_string());
            }
            (Some(select), None) => Some(select.clone()),
            (None, Some(reject)) => {
                let left = Status::ALL.iter().filter(|status| !reject.contains(status));
                Some(left.copied().collect())
            }
        };
        Ok(())
    }
}

impl Told {
    fn mode(&self) -> Result<Mode, String> {
        let mode = match &self.modes[..] {
            [] => Mode::Solve,
            // Of an option given twice the last holds.
            [(name, _), others @ ..] => {
                if let Some((other, _)) = others.iter().find(|(other, _)| other != name) {
                    return Err(format!("{name} and {other} do not go together"));
                }
                self.modes[self.modes.len() - 1].1
            }
        };
        match mode {
            Mode::Verify { .. } => Ok(Mode::Verify {
                unique: self.unique,
            }),
            _ if self.unique => Err("--unique goes with --verify".to_string()),
            Mode::All(_) if self.count.is_some() => {
                Err("--all and --count do not go together: --all=N writes up to N".to_string())
            }
            mode => Ok(mode),
        }
    }

    fn input(&self) -> Result<Input, String> {
        let forms = [
            (self.fields.is_some(), "--fields"),
            (self.csv, "--csv"),
            (self.drawn, "--input grid"),
        ];
        let mut told = forms.iter().filter(|(told, _)| *told);
        if let (Some((_, one)), Some((_, other))) = (told.next(), told.next()) {
            return Err(format!("{one} and {other} do not go together"));
        }
        if self.csv && self.draw {
            return Err("--csv and --draw do not go together".to_string());
        }
        Ok(match &self.fields {
            Some(list) => {
                let names = FieldNames::parse(list, Column::is_named);
                Input::Named(names.map_err(|reason| format!("--fields {list}: {reason}"))?)
            }
            None if self.csv => Input::Csv,
            None if self.drawn => Input::Drawn,
            None => Input::Lines,
        })
    }
}

/// Why a column could never hold anything, if so.
fn makes_no_sense(column: &Column, options: &PipelineOptions) -> Option<&'static str> {
    let verifies = matches!(options.mode, Mode::Verify { .. });
    let named = |name: &str| match &options.input {
        Input::Named(names) => names.index_of(name).is_some(),
        Input::Csv => true,
        _ => false,
    };
    match column {
        _ if verifies && column.needs_solving() => {
            Some("does not go with --verify, which does not solve")
        }
        Column::Answer if !verifies && !named("answer") => {
            Some("needs --verify, --fields or --csv")
        }
        Column::Regions if !options.variants.have_regions() && !named("regions") => {
            Some("needs --variant jigsaw or regions")
        }
        Column::Rest if options.input == Input::Csv => {
            Some("does not go with --csv, which carries all columns")
        }
        _ => None,
    }
}

/// The statuses that lines can have in a mode.
pub fn statuses_of(mode: Mode) -> &'static [Status] {
    use Status::{Ambiguous, Correct, Given, Incorrect, Invalid, Multiple, None, Unique, Unknown};
    match mode {
        Mode::Verify { .. } => &[Correct, Incorrect, Ambiguous, Unknown, Invalid],
        Mode::Reveal(_) => &[Unique, Given, Multiple, None, Unknown, Invalid],
        _ => &[Unique, Multiple, None, Unknown, Invalid],
    }
}

fn names(statuses: &[Status]) -> String {
    let names: Vec<&str> = statuses.iter().map(|status| status.name()).collect();
    names.join(", ")
}

/// The value of the option that stands there as `spelled`, read by `read`.
fn valued<T>(
    spelled: &str,
    parser: &mut Parser,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, String> {
    let value = parser.value().map_err(|error| error.to_string())?;
    let value = value
        .string()
        .map_err(|error| format!("{spelled}: {error}"))?;
    read(&value).map_err(|reason| format!("{spelled} {value}: {reason}"))
}

/// The same of an option whose value may be left out.
fn optional<T>(
    spelled: &str,
    parser: &mut Parser,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    let Some(value) = parser.optional_value() else {
        return Ok(None);
    };
    let value = value
        .string()
        .map_err(|error| format!("{spelled}: {error}"))?;
    let read = read(&value).map_err(|reason| format!("{spelled}={value}: {reason}"))?;
    Ok(Some(read))
}

fn layout(value: &str) -> Result<Layout, String> {
    match value.strip_prefix('@') {
        Some("") => Err("the name of a file is missing behind @".to_string()),
        Some(file) => Ok(Layout::InFile(file.into())),
        None => Ok(Layout::Given(value.to_string())),
    }
}

fn box_shape(value: &str) -> Result<(usize, usize), String> {
    let shape = value
        .split_once('x')
        .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    match shape {
        Some((rows, columns)) if (2..=25).contains(&usize::saturating_mul(rows, columns)) => {
            Ok((rows, columns))
        }
        Some(_) => Err("boxes have 2 to 25 cells".to_string()),
        None => Err("rows and columns wanted, such as 2x3".to_string()),
    }
}

/// A cell: `r4c5`, or `4,5`.
fn place(value: &str) -> Result<Place, String> {
    let numbers = match value.strip_prefix('r') {
        Some(behind) => behind.split_once('c'),
        None => value.split_once(','),
    };
    let place = numbers.and_then(|(row, column)| Some((row.parse().ok()?, column.parse().ok()?)));
    match place {
        Some((row @ 1..=MAX_SIDE, column @ 1..=MAX_SIDE)) => Ok(Place { row, column }),
        _ => Err("a cell wanted, such as r4c5 or 4,5 (row, column)".to_string()),
    }
}

fn form(value: &str) -> Result<bool, String> {
    match value {
        "line" => Ok(false),
        "grid" => Ok(true),
        _ => Err("line or grid wanted".to_string()),
    }
}

fn page(value: &str) -> Result<Page, String> {
    Page::named(value).ok_or_else(|| format!("one of {} wanted", generate::names().join(", ")))
}

fn when(value: &str) -> Result<When, String> {
    match value {
        "auto" => Ok(When::Auto),
        "always" => Ok(When::Always),
        "never" => Ok(When::Never),
        _ => Err("one of auto, always, never wanted".to_string()),
    }
}

fn statuses(list: &str) -> Result<Vec<Status>, String> {
    let status = |name: &str| {
        let known = Status::ALL.iter().find(|status| status.name() == name);
        let unknown = || {
            format!(
                "no status is called '{name}'; there are {}",
                names(&Status::ALL)
            )
        };
        known.copied().ok_or_else(unknown)
    };
    list.split(',').map(status).collect()
}

fn threads(value: &str) -> Result<usize, String> {
    let threads = number_from_1(value)?;
    Ok(usize::try_from(threads).unwrap_or(usize::MAX))
}

fn number(value: &str) -> Result<u64, String> {
    number_from(0, "a number wanted", value)
}

fn number_from_1(value: &str) -> Result<u64, String> {
    number_from(1, "a number from 1 wanted", value)
}

fn number_from(least: u64, wanted: &str, value: &str) -> Result<u64, String> {
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wanted.to_string());
    }
    match value.parse() {
        Ok(number) if number >= least => Ok(number),
        Ok(_) => Err(wanted.to_string()),
        // Digits alone fail only where they are too many.
        Err(_) => Err(format!("{} is the most", u64::MAX)),
    }
}

/// Seconds, with or without a fraction; none for 0.
fn seconds(value: &str) -> Result<Option<Duration>, String> {
    let wanted = || "a number of seconds wanted, such as 0.5".to_string();
    // Neither a sign nor an exponent, nor what else a float can be.
    let is_plain = value
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = value.parse().ok().filter(|_| is_plain).ok_or_else(wanted)?;
    if seconds == 0.0 {
        return Ok(None);
    }
    let time = Duration::try_from_secs_f64(seconds);
    Ok(Some(time.unwrap_or(Duration::MAX)))
}

fn method(value: &str) -> Result<Method, String> {
    let known = Method::NAMES.iter().find(|(name, _)| *name == value);
    let names = || Method::NAMES.map(|(name, _)| name).join(", ");
    known
        .map(|(_, method)| *method)
        .ok_or_else(|| format!("one of {} wanted", names()))
}

fn level(value: &str) -> Result<Level, String> {
    match value {
        "auto" => Ok(Level::best()),
        name if Level::NAMES.contains(&name) => {
            Level::named(name).ok_or_else(|| "this machine does not have it".to_string())
        }
        _ => Err(format!("one of auto, {} wanted", Level::NAMES.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<Options, String> {
        match parse(line.split_whitespace().map(OsString::from))? {
            Command::Run(options) => Ok(*options),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_option_of_the_table_is_known_and_takes_a_value_if_the_table_says_so() {
        for flag in flags::all() {
            let result = options_or_page(&format!("--{}", flag.long));
            match flag.value {
                Some(_) if flag.optional => assert!(result.is_ok(), "{}", flag.long),
                Some(_) => assert!(
                    result.unwrap_err().starts_with("missing argument"),
                    "{}",
                    flag.long
                ),
                None => assert!(
                    !result.is_err_and(|reason| reason.contains("invalid option")),
                    "{}",
                    flag.long
                ),
            }
        }
    }

    fn options_or_page(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn short_options_bundle_and_the_last_of_two_holds() {
        let options = options("-qj4 --threads=2 a - --errors 3 -- -q").unwrap();
        assert!(options.quiet);
        assert_eq!((options.threads, options.errors), (Some(2), 3));
        assert_eq!(options.files, ["a", "-", "-q"].map(PathBuf::from));
    }

    #[test]
    fn of_a_mode_given_twice_the_last_holds() {
        let options = options("--all=3 --all=4 --regions x --variant regions").unwrap();
        assert_eq!(options.answer.mode, Mode::All(4));
        assert!(!options.answer.variants.contains(Variant::Jigsaw));
    }

    #[test]
    fn a_number_behind_an_option_without_its_value_is_likely_a_stray_one() {
        for (line, stray) in [
            ("--all 3 a", Some("3")),
            ("-q --all 3", Some("3")),
            ("--all=3 4", None),
            ("--all a 3", None),
            ("--all -q 3", None),
            ("3 --all", None),
        ] {
            let found = options(line).unwrap().stray_value;
            let file = found.map(|found| found.file);
            assert_eq!(file, stray.map(PathBuf::from), "{line}");
        }
    }

    #[test]
    fn counting_adds_a_column() {
        let columns = |line| options(line).unwrap().answer.columns;
        use Column::{Solution, Solutions, Status};
        assert_eq!(columns("--count 5"), [Solution, Status, Solutions]);
        assert_eq!(columns("--count 5 -o status"), [Status]);
    }

    #[test]
    fn seconds_have_fractions_and_0_is_no_limit() {
        let time = |line| options(line).unwrap().answer.max_time;
        for line in [
            "",
            "--max-time 0",
            "--max-time 0.0",
            "--max-time 2 --max-time 0",
        ] {
            assert_eq!(time(line), None, "{line}");
        }
        let millis = |millis| Some(Duration::from_millis(millis));
        for (line, expected) in [
            ("--max-time 0.5", millis(500)),
            ("--max-time .25", millis(250)),
            ("--max-time 3", millis(3000)),
            ("--max-time 99999999999999999999999", Some(Duration::MAX)),
        ] {
            assert_eq!(time(line), expected, "{line}");
        }
    }

    #[test]
    fn regions_mean_jigsaw() {
        let options = options("--regions @map.txt --variant x").unwrap();
        assert!(
            options.answer.variants.contains(Variant::Jigsaw)
                && options.answer.variants.contains(Variant::Diagonal)
        );
        assert_eq!(options.regions, Some(Layout::InFile("map.txt".into())));
    }

    #[test]
    fn mistakes_are_told_with_the_option() {
        for (line, reason) in [
            (
                "--variant star",
                "--variant star: no variant is called 'star'; there are classic, diagonal, window, jigsaw, regions, disjoint, asterisk, center-dot, girandola, antiknight, antiking, nonconsecutive",
            ),
            ("--box 3", "--box 3: rows and columns wanted, such as 2x3"),
            ("--box 6x6", "--box 6x6: boxes have 2 to 25 cells"),
            ("-j0", "-j 0: a number from 1 wanted"),
            ("--errors +2", "--errors +2: a number wanted"),
            ("--errors=", "--errors : a number wanted"),
            (
                "--max-guesses 18446744073709551616",
                "--max-guesses 18446744073709551616: 18446744073709551615 is the most",
            ),
            (
                "--max-time -1",
                "--max-time -1: a number of seconds wanted, such as 0.5",
            ),
            (
                "--max-time NaN",
                "--max-time NaN: a number of seconds wanted, such as 0.5",
            ),
            (
                "--max-time inf",
                "--max-time inf: a number of seconds wanted, such as 0.5",
            ),
            (
                "--max-time 1e3",
                "--max-time 1e3: a number of seconds wanted, such as 0.5",
            ),
            (
                "--max-time=",
                "--max-time : a number of seconds wanted, such as 0.5",
            ),
            (
                "--method magic",
                "--method magic: one of lanes, backtrack, pencil wanted",
            ),
            (
                "--cpu pdp11",
                "--cpu pdp11: one of auto, portable, avx2, avx512 wanted",
            ),
            ("--symbols 1123", "--symbols 1123: '1' is there twice"),
            ("--unique", "--unique goes with --verify"),
            (
                "--disconnected",
                "--disconnected goes with --variant jigsaw or regions, or --regions",
            ),
            (
                "--regions @",
                "--regions @: the name of a file is missing behind @",
            ),
            ("--verify --all", "--verify and --all do not go together"),
            (
                "--all=3 --count 2",
                "--all and --count do not go together: --all=N writes up to N",
            ),
            ("--all=0", "--all=0: a number from 1 wanted"),
            (
                "--reveal r0c5",
                "--reveal r0c5: a cell wanted, such as r4c5 or 4,5 (row, column)",
            ),
            (
                "--csv --fields puzzle",
                "--fields and --csv do not go together",
            ),
            ("--csv --draw", "--csv and --draw do not go together"),
            (
                "--fields id",
                "--fields id: one of the fields must be 'puzzle'",
            ),
            (
                "-o rest,what --csv",
                "--columns rest,what: no column is called 'what'; there are input, line, puzzle, regions, answer, solution, status, reason, solutions, second, givens, guesses, grade, steps, hint, minimal, canonical, rest",
            ),
            (
                "-o rest --csv",
                "the column rest does not go with --csv, which carries all columns",
            ),
            (
                "-o grade --verify",
                "the column grade does not go with --verify, which does not solve",
            ),
            (
                "-o answer",
                "the column answer needs --verify, --fields or --csv",
            ),
            (
                "-o regions",
                "the column regions needs --variant jigsaw or regions",
            ),
            (
                "--select fine",
                "--select fine: no status is called 'fine'; there are unique, multiple, none, unknown, invalid, correct, incorrect, ambiguous, given",
            ),
            (
                "--select correct",
                "no line can be 'correct' here; there are unique, multiple, none, unknown, invalid",
            ),
            (
                "--select none --reject none",
                "--select and --reject do not go together",
            ),
            (
                "--variant jigsaw,regions",
                "--variant jigsaw,regions: jigsaw and regions contradict each other: regions stand in place of the boxes or besides them",
            ),
            (
                "--regions A --variant disjoint",
                "--regions means the variant jigsaw: jigsaw and disjoint contradict each other: without boxes there are no places in boxes",
            ),
            ("--nonsense", "invalid option '--nonsense'"),
            ("-z", "invalid option '-z'"),
            (
                "--quiet=yes",
                "unexpected argument for option '--quiet': \"yes\"",
            ),
        ] {
            assert_eq!(options(line).unwrap_err(), reason, "{line}");
        }
    }
}
