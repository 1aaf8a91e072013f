//! Parses the command line into options. Opens no files and prints nothing; `run.rs` acts on the options.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use lexopt::{Arg, Parser, ValueExt};
use sudoku_filter::program::{Drawing, HeaderNames, MAX_SIDE, PatternSymmetry};
use sudoku_filter::{
    Alphabet, Column, FieldNames, GuessLimit, Input, Level, Method, Mode, PipelineOptions, Place,
    Status, Variant,
};

use super::page::Page;
use super::{flags, page};

/// A command line, parsed.
#[derive(Debug)]
pub enum Command {
    /// Processes the lines of the input.
    Run(Box<CommandOptions>),
    /// Prints the short help of `-h`.
    BriefHelp,
    /// Prints the full help of `--help`.
    FullHelp,
    /// Prints the version, for `-V`.
    BriefVersion,
    /// Prints the version and the CPU levels, for `--version`.
    FullVersion,
    /// Prints the man page or the completions of a shell.
    Generate(Page),
}

/// The options of a run.
#[derive(Debug)]
pub struct CommandOptions {
    pub files: Vec<PathBuf>,
    /// The first file name that is probably meant as the value of the option before it.
    pub stray_value: Option<StrayValue>,
    /// The options that determine the output lines. Their layout is not set here, because `regions` can name a file.
    pub pipeline: PipelineOptions,
    /// The layout of `--regions`.
    pub regions: Option<LayoutArgument>,
    pub threads: Option<usize>,
    pub color: When,
    pub progress: When,
    pub summary: bool,
    /// The statuses of `--require`.
    pub require: Option<Vec<Status>>,
    /// The largest number of messages about invalid lines.
    pub errors: u64,
    pub quiet: bool,
}

/// A number after an option with an optional value, as in `--all 3`. It names a file: only `--all=3` is a value.
#[derive(Debug, PartialEq, Eq)]
pub struct StrayValue {
    pub option: &'static str,
    pub file: PathBuf,
}

/// The value of `--color` and `--progress`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// The value of `--regions`.
#[derive(Debug, PartialEq, Eq)]
pub enum LayoutArgument {
    /// The labels themselves.
    Labels(String),
    /// The name of a file that holds the labels.
    InFile(PathBuf),
}

/// CommandOptions that depend on each other. They are checked and combined after all arguments are parsed.
#[derive(Debug, Default)]
struct Pending {
    /// The options that select a mode, in the order of the command line, each with its mode.
    modes: Vec<(&'static str, Mode)>,
    unique: bool,
    fields: Option<String>,
    columns: Option<String>,
    count: Option<u64>,
    givens: Option<u64>,
    csv: bool,
    header: bool,
    drawn: bool,
    draw: bool,
    select: Option<Vec<Status>>,
    reject: Option<Vec<Status>>,
    /// The previous argument, if it is an option that has an optional value and was given none.
    without_value: Option<&'static str>,
}

/// Parses the arguments, without the name of the program.
///
/// # Errors
/// Returns a message for the user, usually with the option at fault.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut parser = Parser::from_args(arguments);
    let mut pending = Pending::default();
    let mut generate = None;
    let mut options = CommandOptions {
        files: Vec::new(),
        stray_value: None,
        pipeline: PipelineOptions::default(),
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
        let (name, written) = match argument {
            Arg::Value(file) => {
                options.add_file(file.into(), pending.without_value.take());
                continue;
            }
            Arg::Short('h') => return Ok(Command::BriefHelp),
            Arg::Short('V') => return Ok(Command::BriefVersion),
            Arg::Short(short) => match flags::long_of(short) {
                Some(long) => (long.to_string(), format!("-{short}")),
                None => return Err(format!("invalid option '-{short}'")),
            },
            Arg::Long(long) => (long.to_string(), format!("--{long}")),
        };
        pending.without_value = None;
        match name.as_str() {
            "help" => return Ok(Command::FullHelp),
            "version" => return Ok(Command::FullVersion),
            "generate" => generate = Some(required_value(&written, &mut parser, page)?),
            _ => options.apply(&name, &written, &mut parser, &mut pending)?,
        }
    }
    if let Some(page) = generate {
        return Ok(Command::Generate(page));
    }
    options.combine(&pending)?;
    Ok(Command::Run(Box::new(options)))
}

impl CommandOptions {
    /// Adds a file. `option` is the argument before it, if that is an option that can have a value.
    fn add_file(&mut self, file: PathBuf, option: Option<&'static str>) {
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

    /// Applies one option. `name` is its long name, `written` the name that the user wrote.
    fn apply(
        &mut self,
        name: &str,
        written: &str,
        parser: &mut Parser,
        pending: &mut Pending,
    ) -> Result<(), String> {
        let pipeline = &mut self.pipeline;
        match name {
            "variant" => pipeline.variants = required_value(written, parser, |list| list.parse())?,
            "regions" => self.regions = Some(required_value(written, parser, layout)?),
            "disconnected" => pipeline.disconnected = true,
            "extra" => pipeline
                .extras
                .push(required_value(written, parser, String::from_str)?.into_bytes()),
            "box" => pipeline.boxes = Some(required_value(written, parser, box_shape)?),
            "symbols" => pipeline.alphabet = required_value(written, parser, Alphabet::of_symbols)?,
            "fields" => pending.fields = Some(required_value(written, parser, String::from_str)?),
            "csv" => pending.csv = true,
            "header" => {
                pipeline.header = required_value(written, parser, HeaderNames::parse)?;
                pending.header = true;
            }
            "input" => pending.drawn = required_value(written, parser, is_drawn_input)?,
            "verify" => pending
                .modes
                .push(("--verify", Mode::Verify { unique: false })),
            "unique" => pending.unique = true,
            "reveal" => {
                let place = required_value(written, parser, place)?;
                pending.modes.push(("--reveal", Mode::Reveal(place)));
            }
            "minimize" => pending.modes.push(("--minimize", Mode::Minimize)),
            "all" => {
                let limit = optional_value(written, parser, number_from_1)?;
                pending.without_value = limit.is_none().then_some("--all");
                pending
                    .modes
                    .push(("--all", Mode::All(limit.unwrap_or(u64::MAX))));
            }
            "givens" => pending.givens = Some(required_value(written, parser, number_from_1)?),
            "symmetry" => pipeline.symmetry = Some(required_value(written, parser, symmetry)?),
            "shuffle" => {
                let number = optional_value(written, parser, number_from_1)?;
                pending.without_value = number.is_none().then_some("--shuffle");
                pending
                    .modes
                    .push(("--shuffle", Mode::Shuffle(number.unwrap_or(1))));
            }
            "random" => pipeline.seed = Some(required_value(written, parser, number)?),
            "columns" => pending.columns = Some(required_value(written, parser, String::from_str)?),
            "count" => pending.count = Some(required_value(written, parser, number_from_1)?),
            "select" => pending.select = Some(required_value(written, parser, statuses)?),
            "reject" => pending.reject = Some(required_value(written, parser, statuses)?),
            "require" => self.require = Some(required_value(written, parser, statuses)?),
            "draw" => pending.draw = true,
            "color" => self.color = required_value(written, parser, when)?,
            "threads" => self.threads = Some(required_value(written, parser, threads)?),
            "max-guesses" => {
                pipeline.max_guesses = match required_value(written, parser, number)? {
                    0 => GuessLimit::None,
                    number => GuessLimit::Guesses(number),
                }
            }
            "max-time" => pipeline.max_time = required_value(written, parser, seconds)?,
            "method" => pipeline.method = required_value(written, parser, method)?,
            "cpu" => pipeline.level = required_value(written, parser, level)?,
            "progress" => self.progress = required_value(written, parser, when)?,
            "summary" => self.summary = true,
            "errors" => self.errors = required_value(written, parser, number)?,
            "quiet" => self.quiet = true,
            _ => return Err(format!("invalid option '--{name}'")),
        }
        Ok(())
    }

    /// Checks and sets what depends on several options.
    fn combine(&mut self, pending: &Pending) -> Result<(), String> {
        self.pipeline.mode = pending.mode()?;
        self.combine_minimization(pending)?;
        self.combine_variants()?;
        self.pipeline.input = pending.input()?;
        self.check_drawn_killers()?;
        self.combine_output(pending)?;
        let mode = self.pipeline.mode;
        let named = [&pending.select, &pending.reject, &self.require];
        for status in named.into_iter().flatten().flatten() {
            if !statuses_of(mode).contains(status) {
                let statuses = names(statuses_of(mode));
                return Err(format!(
                    "no line can have status '{status}' in this mode; the statuses are {statuses}"
                ));
            }
        }
        Ok(())
    }

    fn combine_variants(&mut self) -> Result<(), String> {
        let variants = &mut self.pipeline.variants;
        if self.regions.is_some() && !variants.have_regions() {
            *variants = std::mem::take(variants).with(Variant::Jigsaw);
            if let Some(contradiction) = variants.contradiction() {
                return Err(format!(
                    "--regions implies --variant jigsaw: {contradiction}"
                ));
            }
        }
        Ok(())
    }

    fn check_drawn_killers(&self) -> Result<(), String> {
        let is_killer = self.pipeline.variants.contains(Variant::Killer);
        match self.pipeline.input {
            Input::Drawn if is_killer => Err(
                "--variant killer and --input grid cannot be used together: drawings have no cages"
                    .to_string(),
            ),
            _ => Ok(()),
        }
    }

    fn combine_minimization(&mut self, pending: &Pending) -> Result<(), String> {
        let pipeline = &mut self.pipeline;
        if let Some(givens) = pending.givens {
            pipeline.givens = usize::try_from(givens).unwrap_or(usize::MAX);
        }
        let needs_mode = [
            ("--givens", pending.givens.is_some()),
            ("--symmetry", pipeline.symmetry.is_some()),
        ];
        match needs_mode.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) if pipeline.mode != Mode::Minimize => {
                Err(format!("{option} needs --minimize"))
            }
            _ => Ok(()),
        }
    }

    fn combine_output(&mut self, pending: &Pending) -> Result<(), String> {
        let pipeline = &mut self.pipeline;
        pipeline.count = pending.count.unwrap_or(2);
        if let Some(list) = &pending.columns {
            let is_field = |name: &str| match &pipeline.input {
                Input::Named(names) => names.index_of(name).is_some(),
                _ => false,
            };
            pipeline.columns = Column::list(list, is_field)
                .map_err(|reason| format!("--columns {list}: {reason}"))?;
        } else if pending.count.is_some() {
            let conflict = match pipeline.mode {
                Mode::Verify { .. } => Some("--verify, which writes the result of a check"),
                Mode::Shuffle(_) => Some("--shuffle, which does not solve puzzles"),
                _ => None,
            };
            if let Some(conflict) = conflict {
                return Err(format!("--count cannot be used with {conflict}"));
            }
            pipeline.columns = pipeline.mode.columns();
            pipeline.columns.push(Column::Solutions);
        }
        for column in &pipeline.columns {
            if let Some(reason) = column_conflict(column, pipeline) {
                return Err(format!("the column {column} {reason}"));
            }
        }
        if pending.draw {
            pipeline.drawing = Some(Drawing { color: false });
        }
        pipeline.shown = match (&pending.select, &pending.reject) {
            (None, None) => None,
            (Some(_), Some(_)) => {
                return Err("--select and --reject cannot be used together".to_string());
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

impl Pending {
    fn mode(&self) -> Result<Mode, String> {
        let mode = match &self.modes[..] {
            [] => Mode::Solve,
            // If an option is repeated, the last one counts.
            [(name, _), others @ ..] => {
                if let Some((other, _)) = others.iter().find(|(other, _)| other != name) {
                    return Err(format!("{name} and {other} cannot be used together"));
                }
                self.modes[self.modes.len() - 1].1
            }
        };
        match mode {
            Mode::Verify { .. } => Ok(Mode::Verify {
                unique: self.unique,
            }),
            _ if self.unique => Err("--unique needs --verify".to_string()),
            Mode::All(_) if self.count.is_some() => Err(
                "--all and --count cannot be used together; --all=N writes up to N solutions"
                    .to_string(),
            ),
            mode => Ok(mode),
        }
    }

    fn input(&self) -> Result<Input, String> {
        let forms = [
            (self.fields.is_some(), "--fields"),
            (self.csv, "--csv"),
            (self.drawn, "--input grid"),
        ];
        let mut chosen = forms.iter().filter(|(is_chosen, _)| *is_chosen);
        if let (Some((_, one)), Some((_, other))) = (chosen.next(), chosen.next()) {
            return Err(format!("{one} and {other} cannot be used together"));
        }
        if self.header && !self.csv {
            return Err("--header needs --csv".to_string());
        }
        if self.csv && self.draw {
            return Err("--csv and --draw cannot be used together".to_string());
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

/// Returns the reason why a column would always be empty, if it would.
fn column_conflict(column: &Column, options: &PipelineOptions) -> Option<&'static str> {
    let is_verifying = matches!(options.mode, Mode::Verify { .. });
    let is_shuffling = matches!(options.mode, Mode::Shuffle(_));
    let has_field = |name: &str| match &options.input {
        Input::Named(names) => names.index_of(name).is_some(),
        Input::Csv => true,
        _ => false,
    };
    match column {
        _ if is_verifying && column.needs_solving() => {
            Some("cannot be used with --verify, which writes the result of a check")
        }
        _ if is_shuffling && column.needs_solving() => {
            Some("cannot be used with --shuffle, which does not solve puzzles")
        }
        Column::Answer if !is_verifying && !is_shuffling && !has_field("answer") => {
            Some("needs --verify, --shuffle, --fields or --csv")
        }
        Column::Answer
            if is_shuffling && matches!(options.input, Input::Named(_)) && !has_field("answer") =>
        {
            Some("needs a field 'answer' in --fields")
        }
        Column::Matching | Column::Conflicts if !is_verifying => Some("needs --verify"),
        Column::Candidates if matches!(options.mode, Mode::All(_)) => {
            Some("cannot be used with --all, which has a line for each solution")
        }
        Column::Rest if options.input == Input::Csv => {
            Some("cannot be used with --csv, which copies all columns")
        }
        _ => None,
    }
}

/// Returns the statuses that lines can have in a mode.
pub fn statuses_of(mode: Mode) -> &'static [Status] {
    use Status::{
        Ambiguous, Correct, Given, Incorrect, Invalid, Multiple, None, Shuffled, Unique, Unknown,
    };
    match mode {
        Mode::Verify { .. } => &[Correct, Incorrect, Ambiguous, Unknown, Invalid],
        Mode::Shuffle(_) => &[Shuffled, Unknown, Invalid],
        Mode::Reveal(_) => &[Unique, Given, Multiple, None, Unknown, Invalid],
        _ => &[Unique, Multiple, None, Unknown, Invalid],
    }
}

fn names(statuses: &[Status]) -> String {
    let names: Vec<&str> = statuses.iter().map(|status| status.name()).collect();
    names.join(", ")
}

/// Parses the value of an option with `parse`. `written` is the name of the option that the user wrote.
fn required_value<T, E: Display>(
    written: &str,
    parser: &mut Parser,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, String> {
    let value = parser.value().map_err(|error| error.to_string())?;
    let value = value
        .string()
        .map_err(|error| format!("{written}: {error}"))?;
    parse(&value).map_err(|reason| format!("{written} {value}: {reason}"))
}

/// Parses the value of an option with an optional value, if there is one.
fn optional_value<T, E: Display>(
    written: &str,
    parser: &mut Parser,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Option<T>, String> {
    let Some(value) = parser.optional_value() else {
        return Ok(None);
    };
    let value = value
        .string()
        .map_err(|error| format!("{written}: {error}"))?;
    let parsed = parse(&value).map_err(|reason| format!("{written}={value}: {reason}"))?;
    Ok(Some(parsed))
}

/// Parses region labels, or `@FILE`.
fn layout(value: &str) -> Result<LayoutArgument, String> {
    match value.strip_prefix('@') {
        Some("") => Err("expected a file name after @".to_string()),
        Some(file) => Ok(LayoutArgument::InFile(file.into())),
        None => Ok(LayoutArgument::Labels(value.to_string())),
    }
}

/// Parses the rows and columns of a box: `2x3`.
fn box_shape(value: &str) -> Result<(usize, usize), String> {
    let shape = value
        .split_once('x')
        .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    match shape {
        Some((rows, columns)) if (2..=25).contains(&usize::saturating_mul(rows, columns)) => {
            Ok((rows, columns))
        }
        Some(_) => Err("a box has 2 to 25 cells".to_string()),
        None => Err("expected ROWSxCOLUMNS, such as 2x3".to_string()),
    }
}

/// Parses a cell: `r4c5` or `4,5`.
fn place(value: &str) -> Result<Place, String> {
    let numbers = match value.strip_prefix('r') {
        Some(rest) => rest.split_once('c'),
        None => value.split_once(','),
    };
    let place = numbers.and_then(|(row, column)| Some((row.parse().ok()?, column.parse().ok()?)));
    match place {
        Some((row @ 1..=MAX_SIDE, column @ 1..=MAX_SIDE)) => Ok(Place { row, column }),
        _ => Err("expected a cell, such as r4c5 or 4,5 (row, column)".to_string()),
    }
}

/// Parses the value of `--input`. Returns true for `grid`, which means puzzles drawn over several lines.
fn is_drawn_input(value: &str) -> Result<bool, String> {
    match value {
        "line" => Ok(false),
        "grid" => Ok(true),
        _ => Err("expected line or grid".to_string()),
    }
}

fn page(value: &str) -> Result<Page, String> {
    Page::named(value).ok_or_else(|| format!("expected one of {}", page::names().join(", ")))
}

fn when(value: &str) -> Result<When, String> {
    match value {
        "auto" => Ok(When::Auto),
        "always" => Ok(When::Always),
        "never" => Ok(When::Never),
        _ => Err("expected one of auto, always, never".to_string()),
    }
}

/// Parses a comma-separated list of statuses.
fn statuses(list: &str) -> Result<Vec<Status>, String> {
    let status = |name: &str| {
        let known = Status::ALL.iter().find(|status| status.name() == name);
        let unknown = || {
            format!(
                "unknown status '{name}'; the statuses are {}",
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
    number_from(0, "expected a number", value)
}

fn number_from_1(value: &str) -> Result<u64, String> {
    number_from(1, "expected a number of 1 or more", value)
}

/// Parses a number of `least` or more. `expected` is the message if the value is not one.
fn number_from(least: u64, expected: &str, value: &str) -> Result<u64, String> {
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected.to_string());
    }
    match value.parse() {
        Ok(number) if number >= least => Ok(number),
        Ok(_) => Err(expected.to_string()),
        // A string of digits fails to parse only if the number is too large.
        Err(_) => Err(format!("the largest number is {}", u64::MAX)),
    }
}

/// Parses a number of seconds, with or without a fraction. Returns `None` for 0.
fn seconds(value: &str) -> Result<Option<Duration>, String> {
    let wanted = || "expected a number of seconds, such as 0.5".to_string();
    // `f64::from_str` also accepts signs, exponents, `inf` and `nan`.
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
        .ok_or_else(|| format!("expected one of {}", names()))
}

fn symmetry(value: &str) -> Result<PatternSymmetry, String> {
    let known = PatternSymmetry::NAMES
        .iter()
        .find(|(name, _)| *name == value);
    known.map(|(_, symmetry)| *symmetry).ok_or_else(|| {
        let names = PatternSymmetry::NAMES.map(|(name, _)| name);
        format!("expected one of {}", names.join(", "))
    })
}

fn level(value: &str) -> Result<Level, String> {
    match value {
        "auto" => Ok(Level::best()),
        name if Level::NAMES.contains(&name) => {
            Level::named(name).ok_or_else(|| "this machine does not support it".to_string())
        }
        _ => Err(format!("expected one of auto, {}", Level::NAMES.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<CommandOptions, String> {
        match parse(line.split_whitespace().map(OsString::from))? {
            Command::Run(options) => Ok(*options),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_parser_knows_every_option_of_the_table() {
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
    fn short_options_can_be_bundled_and_the_last_of_two_counts() {
        let options = options("-qj4 --threads=2 a - --errors 3 -- -q").unwrap();
        assert!(options.quiet);
        assert_eq!((options.threads, options.errors), (Some(2), 3));
        assert_eq!(options.files, ["a", "-", "-q"].map(PathBuf::from));
    }

    #[test]
    fn a_repeated_mode_replaces_the_first() {
        let options = options("--all=3 --all=4 --regions x --variant regions").unwrap();
        assert_eq!(options.pipeline.mode, Mode::All(4));
        assert!(!options.pipeline.variants.contains(Variant::Jigsaw));
    }

    #[test]
    fn a_number_after_all_is_reported_as_a_stray_value() {
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
    fn count_adds_a_column() {
        let columns = |line| options(line).unwrap().pipeline.columns;
        use Column::{Solution, Solutions, Status};
        assert_eq!(columns("--count 5"), [Solution, Status, Solutions]);
        assert_eq!(columns("--count 5 -o status"), [Status]);
    }

    #[test]
    fn seconds_have_fractions_and_0_is_no_limit() {
        let time = |line| options(line).unwrap().pipeline.max_time;
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
    fn regions_imply_jigsaw() {
        let options = options("--regions @map.txt --variant x").unwrap();
        assert!(
            options.pipeline.variants.contains(Variant::Jigsaw)
                && options.pipeline.variants.contains(Variant::Diagonal)
        );
        assert_eq!(
            options.regions,
            Some(LayoutArgument::InFile("map.txt".into()))
        );
    }

    #[test]
    fn messages_name_the_option_at_fault() {
        for (line, reason) in [
            (
                "--variant star",
                "--variant star: unknown variant 'star'; the variants are classic, diagonal, window, jigsaw, regions, disjoint, asterisk, center-dot, girandola, antiknight, antiking, nonconsecutive, killer",
            ),
            ("--box 3", "--box 3: expected ROWSxCOLUMNS, such as 2x3"),
            ("--box 6x6", "--box 6x6: a box has 2 to 25 cells"),
            ("-j0", "-j 0: expected a number of 1 or more"),
            ("--errors +2", "--errors +2: expected a number"),
            ("--errors=", "--errors : expected a number"),
            (
                "--max-guesses 18446744073709551616",
                "--max-guesses 18446744073709551616: the largest number is 18446744073709551615",
            ),
            (
                "--max-time -1",
                "--max-time -1: expected a number of seconds, such as 0.5",
            ),
            (
                "--max-time NaN",
                "--max-time NaN: expected a number of seconds, such as 0.5",
            ),
            (
                "--max-time inf",
                "--max-time inf: expected a number of seconds, such as 0.5",
            ),
            (
                "--max-time 1e3",
                "--max-time 1e3: expected a number of seconds, such as 0.5",
            ),
            (
                "--max-time=",
                "--max-time : expected a number of seconds, such as 0.5",
            ),
            (
                "--method magic",
                "--method magic: expected one of lanes, backtrack, pencil",
            ),
            (
                "--cpu pdp11",
                "--cpu pdp11: expected one of auto, portable, avx2, avx512",
            ),
            ("--symbols 1123", "--symbols 1123: '1' appears twice"),
            ("--unique", "--unique needs --verify"),
            ("--regions @", "--regions @: expected a file name after @"),
            (
                "--verify --all",
                "--verify and --all cannot be used together",
            ),
            (
                "--shuffle --minimize",
                "--shuffle and --minimize cannot be used together",
            ),
            ("--shuffle=0", "--shuffle=0: expected a number of 1 or more"),
            (
                "--shuffle --count 3",
                "--count cannot be used with --shuffle, which does not solve puzzles",
            ),
            (
                "--shuffle -o puzzle,canonical",
                "the column canonical cannot be used with --shuffle, which does not solve puzzles",
            ),
            (
                "--shuffle --fields puzzle,id -o answer",
                "the column answer needs a field 'answer' in --fields",
            ),
            (
                "--shuffle --require unique",
                "no line can have status 'unique' in this mode; the statuses are shuffled, unknown, invalid",
            ),
            (
                "--all=3 --count 2",
                "--all and --count cannot be used together; --all=N writes up to N solutions",
            ),
            ("--all=0", "--all=0: expected a number of 1 or more"),
            (
                "--reveal r0c5",
                "--reveal r0c5: expected a cell, such as r4c5 or 4,5 (row, column)",
            ),
            (
                "--csv --fields puzzle",
                "--fields and --csv cannot be used together",
            ),
            ("--csv --draw", "--csv and --draw cannot be used together"),
            (
                "--fields id",
                "--fields id: one of the fields must be 'puzzle'",
            ),
            (
                "-o rest,what --csv",
                "--columns rest,what: unknown column 'what'; the columns are input, line, puzzle, regions, cages, answer, solution, status, reason, blanks, matching, conflicts, solutions, second, givens, guesses, grade, steps, hint, path, minimal, candidates, canonical, rest",
            ),
            (
                "-o rest --csv",
                "the column rest cannot be used with --csv, which copies all columns",
            ),
            (
                "-o grade --verify",
                "the column grade cannot be used with --verify, which writes the result of a check",
            ),
            (
                "-o answer",
                "the column answer needs --verify, --shuffle, --fields or --csv",
            ),
            (
                "--input grid --variant killer",
                "--variant killer and --input grid cannot be used together: drawings have no cages",
            ),
            (
                "--select fine",
                "--select fine: unknown status 'fine'; the statuses are unique, multiple, none, unknown, invalid, correct, incorrect, ambiguous, given, shuffled",
            ),
            (
                "--select correct",
                "no line can have status 'correct' in this mode; the statuses are unique, multiple, none, unknown, invalid",
            ),
            (
                "--select none --reject none",
                "--select and --reject cannot be used together",
            ),
            (
                "--variant jigsaw,regions",
                "--variant jigsaw,regions: jigsaw and regions cannot be combined: jigsaw regions replace the boxes, regions are additional to them",
            ),
            (
                "--regions A --variant disjoint",
                "--regions implies --variant jigsaw: jigsaw and disjoint cannot be combined: disjoint needs boxes, and jigsaw replaces them",
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
