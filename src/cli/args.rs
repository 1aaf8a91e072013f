//! Parses the command line into options, by the table in `flags.rs`. Opens no files and prints
//! nothing. `run.rs` runs the filter with the options.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};
use sudoku_filter::{Classes, Column, FieldNames, HeaderNames, Input, Mode, Output};
use sudoku_filter::{OutputColumn, PipelineOptions, Status, Variant};

use super::flags::{self, Action, Flag, Offer, Page};
use super::suggestion;
use super::values::{names, number};

#[derive(Debug)]
pub enum Command {
    Run(Box<CommandOptions>),
    Print(Page),
}

#[derive(Debug, Default)]
pub struct CommandOptions {
    pub files: Vec<PathBuf>,
    /// The first file name that could be meant as the value of the option before it.
    pub stray_value: Option<StrayValue>,
    /// The options that determine the output lines. `run.rs` completes them: it reads the layout
    /// of `regions`, and decides on the colours of drawings.
    pub pipeline: PipelineOptions,
    /// The value of `--regions`: region labels, or `@FILE`.
    pub regions: Option<String>,
    pub threads: Option<usize>,
    pub color: When,
    pub progress: When,
    pub summary: bool,
    pub require: Required,
    /// `None` for the default.
    pub errors: Option<usize>,
    pub quiet: bool,
}

/// A file name that looks like the omitted value of the option before it, as in `--all 3`. Only
/// `--all=3` sets the value; in `--all 3`, the 3 is the name of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct StrayValue {
    pub option: &'static str,
    pub file: PathBuf,
}

/// The statuses that lines can have without changing the exit status from 0 to 1.
#[derive(Debug, Default, PartialEq, Eq)]
pub enum Required {
    /// Without `--require`, the statuses that [`Status::is_good`] accepts.
    #[default]
    Good,
    /// All statuses.
    Any,
    OneOf(Vec<Status>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl When {
    pub const NAMES: [(&'static str, When); 3] =
        [("auto", When::Auto), ("always", When::Always), ("never", When::Never)];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputForm {
    Auto,
    Lines,
    Csv,
    Json,
    Grid,
    Pencilmarks,
}

impl InputForm {
    pub const NAMES: [(&'static str, InputForm); 6] = [
        ("auto", InputForm::Auto),
        ("lines", InputForm::Lines),
        ("csv", InputForm::Csv),
        ("json", InputForm::Json),
        ("grid", InputForm::Grid),
        ("pencilmarks", InputForm::Pencilmarks),
    ];
}

/// The options that are parsed so far. When all are parsed, `combine` checks those that depend on
/// each other, unless the program prints a page.
#[derive(Debug, Default)]
pub struct Arguments {
    pub run: CommandOptions,
    pub page: Option<Page>,
    /// The options that select a mode, in the order of the command line, each with its mode.
    pub modes: Vec<(&'static str, Mode)>,
    pub unique: bool,
    pub fields: Option<String>,
    pub columns: Option<String>,
    pub count: Option<u64>,
    pub csv: bool,
    pub json: bool,
    pub header: Option<HeaderNames>,
    pub classes: Option<Classes>,
    pub form: Option<InputForm>,
    pub output: Option<Output>,
    pub drawing: Option<Output>,
    pub exact: Option<usize>,
    pub select: Option<Vec<Status>>,
    pub reject: Option<Vec<Status>>,
    /// The options so far, in the order of the command line.
    parsed: Vec<ParsedOption>,
    /// The name of the previous argument, if it is an option whose optional value is omitted.
    without_value: Option<&'static str>,
}

#[derive(Debug)]
struct ParsedOption {
    /// The usage text of its flag. No other flag has the same text, so it identifies the flag.
    usage: &'static str,
    written: String,
    /// `None` if an optional value is omitted. For an [`Action::List`], the items of all values so
    /// far.
    value: Option<String>,
}

/// Parses the arguments, without the name of the program. `-h`, `-V` and their long forms end the
/// parsing: later arguments are ignored. With `--generate` instead, all arguments are parsed, but
/// not checked against each other.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut parser = Parser::from_args(arguments);
    let mut arguments = Arguments::default();
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        let written = match argument {
            Arg::Value(file) => {
                arguments.add_file(file.into());
                continue;
            }
            Arg::Short(short) => format!("-{short}"),
            Arg::Long(long) => format!("--{long}"),
        };
        if let Some(page) = arguments.apply(&written, &mut parser)? {
            return Ok(Command::Print(page));
        }
    }
    if let Some(page) = arguments.page {
        return Ok(Command::Print(page));
    }
    Ok(Command::Run(Box::new(arguments.combine()?)))
}

impl Arguments {
    /// The stray value is the first file that looks like the omitted value of the option before it.
    fn add_file(&mut self, file: PathBuf) {
        if let Some(option) = self.without_value.take() {
            let name = file.to_str().unwrap_or_default();
            let could_be_value = match option {
                "--draw" => names(&flags::DRAWINGS).contains(&name),
                _ => number(name).is_ok(),
            };
            if could_be_value && self.run.stray_value.is_none() {
                let file = file.clone();
                self.run.stray_value = Some(StrayValue { option, file });
            }
        }
        self.run.files.push(file);
    }

    /// Applies the option with the name `written`, hyphens included, and reads its value (if any)
    /// from `parser`. Returns the page of an [`Action::Print`] option; the caller then ends the
    /// parsing. Returns `None` for all other options.
    fn apply(&mut self, written: &str, parser: &mut Parser) -> Result<Option<Page>, String> {
        let named = |flag: &'static Flag| {
            let name = flag.names().find(|name| *name == written);
            name.map(|name| (flag, name))
        };
        let Some((flag, name)) = flags::all().find_map(named) else {
            let suggestion = suggestion::of_option(written);
            return Err(format!("invalid option '{written}'{suggestion}"));
        };
        let value = match flag.action {
            Action::Print { short, long } => {
                return Ok(Some(if name.starts_with("--") { long } else { short }));
            }
            Action::Switch(set) => {
                set(self);
                None
            }
            Action::OptionalValue(_) => parser.optional_value(),
            _ => Some(parser.value().map_err(|error| error.to_string())?),
        };
        let text = |value: OsString| value.string().map_err(|error| format!("{name}: {error}"));
        let value = value.map(text).transpose()?;
        let is_omitted = flag.is_optional() && value.is_none();
        self.without_value = is_omitted.then_some(name);
        self.set(flag, name, value)?;
        Ok(None)
    }

    /// Sets an option to its value, after merging it with the earlier values of a repeated option,
    /// and records the option in `parsed`. A switch is only recorded: `apply` has already set it.
    fn set(
        &mut self,
        flag: &'static Flag,
        name: &str,
        value: Option<String>,
    ) -> Result<(), String> {
        let parsed = self.merged(flag, name, value)?;
        let text = parsed.value.as_deref().unwrap_or_default();
        let result = match flag.action {
            Action::Value(_, set) | Action::List(_, set) | Action::Each(set) => set(self, text),
            Action::OptionalValue(set) => set(self, parsed.value.as_deref()),
            // `apply` sets switches itself, and does not call `set` for a page.
            Action::Switch(_) | Action::Print { .. } => Ok(()),
        };
        if let Err(reason) = result {
            let suggestion = suggestion::of_list(text, &flag.offer().words());
            return Err(format!("{}: {reason}{suggestion}", parsed.written));
        }
        self.parsed.push(parsed);
        Ok(())
    }

    /// Returns an option with its value. For an [`Action::List`], the items of its earlier values
    /// precede those of `value`. Returns an error if an option that can have only one value had
    /// another value earlier.
    fn merged(
        &self,
        flag: &'static Flag,
        name: &str,
        value: Option<String>,
    ) -> Result<ParsedOption, String> {
        let usage = flag.usage;
        let earlier = self.parsed.iter().rev().find(|parsed| parsed.usage == usage);
        let value = match flag.action {
            Action::List(offer, _) => value.map(|list| joined_lists(earlier, offer, &list)),
            _ => value,
        };
        let written = match &value {
            None => name.to_string(),
            Some(value) if flag.is_optional() => format!("{name}={value}"),
            Some(value) => format!("{name} {value}"),
        };
        let has_one_value = matches!(flag.action, Action::Value(..) | Action::OptionalValue(_));
        if has_one_value && let Some(earlier) = earlier.filter(|parsed| parsed.value != value) {
            let earlier = &earlier.written;
            return Err(format!("{earlier} and {written} cannot be used together"));
        }
        Ok(ParsedOption { usage, written, value })
    }

    /// Checks the options that depend on each other, and completes the options of the run. The
    /// order matters: later steps read the mode, the variants and the input, which earlier steps
    /// set.
    fn combine(mut self) -> Result<CommandOptions, String> {
        self.run.pipeline.mode = self.mode()?;
        self.check_modes()?;
        self.combine_minimization()?;
        self.combine_variants()?;
        self.run.pipeline.input = self.input()?;
        self.run.pipeline.pencilmarks = self.form == Some(InputForm::Pencilmarks);
        self.run.pipeline.output = self.output()?;
        self.run.pipeline.header = self.header.take().unwrap_or_default();
        let is_drawn = self.run.pipeline.input == Input::Drawn;
        if is_drawn && self.run.pipeline.variants.contains(Variant::Killer) {
            let conflict = "--variant killer and --input grid cannot be used together";
            return Err(format!("{conflict}: cages are not read from drawings"));
        }
        self.combine_count()?;
        self.combine_columns()?;
        self.run.pipeline.classes = self.classes.clone().unwrap_or_default();
        self.run.pipeline.shown = self.shown()?;
        self.check_effects()?;
        self.check_statuses()?;
        Ok(self.run)
    }

    fn check_statuses(&self) -> Result<(), String> {
        let mode = self.run.pipeline.mode;
        let required = match &self.run.require {
            Required::OneOf(statuses) => &statuses[..],
            Required::Good | Required::Any => &[],
        };
        let select = self.select.iter().flatten();
        let reject = self.reject.iter().flatten();
        for status in select.chain(reject).chain(required) {
            if *status == Status::Ambiguous && mode == (Mode::Verify { unique: false }) {
                return Err("no line can have status 'ambiguous' without --unique".to_string());
            }
            if !statuses_of(mode).contains(status) {
                let statuses: Vec<&str> = statuses_of(mode).iter().map(|it| it.name()).collect();
                let statuses = statuses.join(", ");
                return Err(format!(
                    "no line can have status '{status}' in this mode; the statuses are {statuses}"
                ));
            }
        }
        Ok(())
    }

    /// Adds the variant `jigsaw` if `--regions` is given and no variant has regions. A variant that
    /// contradicts `jigsaw` is then an error.
    fn combine_variants(&mut self) -> Result<(), String> {
        let variants = &mut self.run.pipeline.variants;
        if self.run.regions.is_some() && !variants.have_regions() {
            *variants = std::mem::take(variants).with(Variant::Jigsaw);
            if let Some(contradiction) = variants.contradiction() {
                return Err(format!("--regions implies --variant jigsaw: {contradiction}"));
            }
        }
        Ok(())
    }

    fn check_modes(&self) -> Result<(), String> {
        let pipeline = &self.run.pipeline;
        let needs = [
            ("--unique", self.unique, "--verify"),
            ("--lenient", pipeline.lenient, "--verify"),
            ("--givens", pipeline.givens > 0, "--minimize"),
            ("--exact", self.exact.is_some(), "--minimize"),
            ("--symmetry", pipeline.symmetry.is_some(), "--minimize"),
        ];
        // `mode` has checked that all options in `modes` are the same.
        let chosen = self.modes.last().map(|(name, _)| *name);
        for (option, is_given, mode) in needs {
            if is_given && chosen != Some(mode) {
                return Err(format!("{option} needs {mode}"));
            }
        }
        let writes_vicinity = matches!(pipeline.mode, Mode::Add(_) | Mode::Remove(_));
        if pipeline.max_lines.is_some() && !writes_vicinity {
            return Err("--max needs --add or --remove".to_string());
        }
        Ok(())
    }

    fn check_effects(&self) -> Result<(), String> {
        let pipeline = &self.run.pipeline;
        let draws_text = matches!(pipeline.output, Some(Output::Drawing { .. }));
        if self.run.color == When::Always && !draws_text {
            return Err("--color always needs --draw".to_string());
        }
        if pipeline.per_page.is_some() && pipeline.output != Some(Output::Page) {
            return Err("--per-page needs --draw=page".to_string());
        }
        if pipeline.seed.is_some() && matches!(pipeline.mode, Mode::Verify { .. }) {
            return Err("--random and --verify cannot be used together".to_string());
        }
        let mut columns = pipeline.columns.iter().map(|output| &output.column);
        if self.classes.is_some() && !columns.clone().any(|column| *column == Column::Class) {
            return Err("--classes needs the column class in -o".to_string());
        }
        if pipeline.techniques.is_some() && !columns.any(Column::depends_on_techniques) {
            let columns = "grade, level, steps, hint, path, techniques, boards, reached, \
                reached_candidates or reason";
            return Err(format!("--techniques needs one of the columns {columns} in -o"));
        }
        // Except in drawings, a puzzle can describe regions of its own.
        let can_have_regions = pipeline.variants.have_regions() || pipeline.input != Input::Drawn;
        if pipeline.disconnected && !can_have_regions {
            return Err(
                "--disconnected needs --variant jigsaw, --variant regions or --regions".to_string()
            );
        }
        Ok(())
    }

    /// `--givens` and `--exact` together are an error.
    fn combine_minimization(&mut self) -> Result<(), String> {
        let pipeline = &mut self.run.pipeline;
        if self.exact.is_some() && pipeline.givens > 0 {
            return Err("--givens and --exact cannot be used together".to_string());
        }
        pipeline.exact = self.exact.is_some();
        pipeline.givens = self.exact.unwrap_or(pipeline.givens);
        Ok(())
    }

    fn combine_count(&mut self) -> Result<(), String> {
        let pipeline = &mut self.run.pipeline;
        pipeline.count = self.count;
        match (self.count, pipeline.mode) {
            (Some(_), Mode::Shuffle(_)) => Err(format!("--count {NOT_SOLVED}")),
            (Some(_), Mode::All(_)) => {
                let conflict = "--all and --count cannot be used together";
                Err(format!("{conflict}; --all=N writes up to N solutions"))
            }
            _ => Ok(()),
        }
    }

    /// Checks and sets the columns: those of `-o`, or with `--count` the default columns and the
    /// number of solutions. Without both options, sets none, and the pipeline writes the default
    /// columns.
    fn combine_columns(&mut self) -> Result<(), String> {
        let pipeline = &mut self.run.pipeline;
        let column_names = Column::ALL.map(|(name, _)| name);
        if let Some(list) = &self.columns {
            let is_field = |name: &str| match &pipeline.input {
                Input::Named(names) => names.index_of(name).is_some(),
                // The names are in the input, which is not read yet, so every name is accepted.
                Input::Csv | Input::Json => true,
                _ => false,
            };
            pipeline.columns = Column::list(list, is_field).map_err(|reason| {
                let suggestion = suggestion::of_columns(list, &column_names);
                // The form of the input is not known yet.
                let fields = match pipeline.input {
                    Input::Auto => "; fields of CSV or JSON need --csv or --json",
                    _ => "",
                };
                format!("--columns {list}: {reason}{fields}{suggestion}")
            })?;
        } else if self.count.is_some() {
            let columns = pipeline.mode.columns().into_iter();
            let columns = columns.chain([Column::Solutions]);
            pipeline.columns = columns.map(OutputColumn::from).collect();
        }
        for OutputColumn { column, .. } in &pipeline.columns {
            if let Some(reason) = column_conflict(column, pipeline) {
                return Err(format!("the column {column} {reason}"));
            }
        }
        Ok(())
    }

    /// It is an error if `--output` and `--draw` select different forms.
    fn output(&self) -> Result<Option<Output>, String> {
        match (self.output, self.drawing) {
            (Some(output), Some(drawing)) if output != drawing => {
                Err("--output and --draw cannot be used together".to_string())
            }
            (output, drawing) => Ok(output.or(drawing)),
        }
    }

    /// Returns `None` if all lines are written.
    fn shown(&self) -> Result<Option<Vec<Status>>, String> {
        match (&self.select, &self.reject) {
            (Some(_), Some(_)) => Err("--select and --reject cannot be used together".to_string()),
            (select, None) => Ok(select.clone()),
            (None, Some(reject)) => {
                let mut statuses = Status::NAMES.map(|(_, status)| status).to_vec();
                statuses.retain(|status| !reject.contains(status));
                Ok(Some(statuses))
            }
        }
    }

    /// Options of different modes are an error.
    fn mode(&self) -> Result<Mode, String> {
        let Some(&(name, mode)) = self.modes.first() else {
            return Ok(Mode::Solve);
        };
        if let Some((other, _)) = self.modes.iter().find(|(other, _)| *other != name) {
            return Err(format!("{name} and {other} cannot be used together"));
        }
        Ok(match mode {
            Mode::Verify { .. } => Mode::Verify { unique: self.unique },
            _ => mode,
        })
    }

    /// It is an error if two of `--fields`, `--csv`, `--json` and `--input` select different
    /// formats, or if `--header` cannot be used with the format.
    fn input(&self) -> Result<Input, String> {
        let named = |list: &String| {
            let names = FieldNames::parse(list).map(Input::Named);
            names.map_err(|reason| format!("--fields {list}: {reason}"))
        };
        let of_form = match self.form {
            // Pencilmarks can be in lines, CSV or JSON.
            None | Some(InputForm::Auto | InputForm::Pencilmarks) => None,
            // `--fields` names the fields of lines, so it agrees with `--input lines`.
            Some(InputForm::Lines) if self.fields.is_some() => None,
            Some(InputForm::Lines) => Some(("--input lines", Input::Lines)),
            Some(InputForm::Csv) => Some(("--input csv", Input::Csv)),
            Some(InputForm::Json) => Some(("--input json", Input::Json)),
            Some(InputForm::Grid) => Some(("--input grid", Input::Drawn)),
        };
        let fields = self.fields.as_ref().map(named).transpose()?;
        let inputs = [
            fields.map(|names| ("--fields", names)),
            self.csv.then_some(("--csv", Input::Csv)),
            self.json.then_some(("--json", Input::Json)),
            of_form,
        ];
        let mut chosen = inputs.into_iter().flatten();
        let default =
            if self.form == Some(InputForm::Pencilmarks) { Input::Lines } else { Input::Auto };
        let (option, input) = chosen.next().unwrap_or(("", default));
        if let Some((other, _)) = chosen.find(|(_, other)| *other != input) {
            return Err(format!("{option} and {other} cannot be used together"));
        }
        if self.header.is_some() && !matches!(input, Input::Csv | Input::Json) {
            return Err("--header needs --csv or --json".to_string());
        }
        Ok(input)
    }
}

/// The items are separated by commas. With [`Offer::SomeOf`], removes blanks around those of
/// `list`.
fn joined_lists(earlier: Option<&ParsedOption>, offer: Offer, list: &str) -> String {
    let mut items: Vec<&str> = list.split(',').collect();
    if let Offer::SomeOf(_) = offer {
        items = items.into_iter().map(str::trim).collect();
    }
    let earlier = earlier.and_then(|parsed| parsed.value.as_deref());
    let all: Vec<&str> = earlier.into_iter().chain(items).collect();
    all.join(",")
}

const NOT_SOLVED: &str = "cannot be used with --shuffle, which does not solve puzzles";

/// Returns the reason why a column cannot be used with these options, or `None` if it can. The
/// reason is the end of a message that begins with `the column NAME`.
fn column_conflict(column: &Column, options: &PipelineOptions) -> Option<&'static str> {
    let is_verifying = matches!(options.mode, Mode::Verify { .. });
    let is_shuffling = matches!(options.mode, Mode::Shuffle(_));
    match column {
        Column::Solution if is_shuffling => Some(
            "cannot be used with --shuffle, which does not solve puzzles; answer is that of the line",
        ),
        _ if is_shuffling && column.needs_solving() => Some(NOT_SOLVED),
        Column::Answer if !is_verifying => match &options.input {
            Input::Named(names) if names.index_of("answer").is_none() => {
                Some("needs a field 'answer' in --fields")
            }
            Input::Lines | Input::Drawn | Input::Auto if !is_shuffling => {
                Some("needs --verify, --shuffle, --fields, --csv or --json")
            }
            _ => None,
        },
        Column::Matching | Column::Score | Column::Conflicts if !is_verifying => {
            Some("needs --verify")
        }
        Column::Candidates if matches!(options.mode, Mode::All(_)) => {
            Some("cannot be used with --all, which has a line for each solution")
        }
        Column::Rest if options.input == Input::Csv => {
            Some("cannot be used with --csv, where every field has a name")
        }
        Column::Rest if options.input == Input::Json => {
            Some("cannot be used with --json, where every field has a name")
        }
        _ => None,
    }
}

/// Returns the statuses that lines can have in a mode, in the order of `--summary`. `ambiguous`
/// also needs `--unique`.
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
            let name = flag.names().last().unwrap();
            let result = options_or_page(name);
            match flag.value() {
                Some(_) if flag.is_optional() => assert!(result.is_ok(), "{}", name),
                Some(_) => assert!(result.unwrap_err().starts_with("missing argument"), "{}", name),
                None => assert!(
                    !result.is_err_and(|reason| reason.contains("invalid option")),
                    "{}",
                    name
                ),
            }
        }
    }

    fn options_or_page(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn short_options_can_be_bundled() {
        let options = options("-qj4 --threads=4 a - --errors 3 -- -q").unwrap();
        assert!(options.quiet);
        assert_eq!((options.threads, options.errors), (Some(4), Some(3)));
        assert_eq!(options.files, ["a", "-", "-q"].map(PathBuf::from));
    }

    #[test]
    fn the_values_of_a_repeated_list_add_up() {
        let repeated = options("--variant x --variant window -o status --columns line,givens");
        let (repeated, listed) = (
            repeated.unwrap().pipeline,
            options("--variant diagonal,window -o status,line,givens").unwrap().pipeline,
        );
        assert_eq!(repeated.variants, listed.variants);
        assert_eq!(repeated.columns, listed.columns);
        let statuses = options("--require none --require unique").unwrap().require;
        assert_eq!(statuses, Required::OneOf(vec![Status::None, Status::Unique]));
        let statuses = options("--require none --require any").unwrap().require;
        assert_eq!(statuses, Required::Any);
        for (repeated, listed) in [
            ("--select none --select unique", "--select none,unique"),
            ("--reject none --reject unique", "--reject none,unique"),
        ] {
            let shown = |line| options(line).unwrap().pipeline.shown;
            assert_eq!(shown(repeated), shown(listed), "{repeated}");
        }
        let header = |line| options(line).unwrap().pipeline.header;
        assert_eq!(
            header("--csv --header puzzle=a --header answer=b"),
            header("--csv --header puzzle=a,answer=b")
        );
        let input = |line| options(line).unwrap().pipeline.input;
        let names = FieldNames::parse("id,puzzle").unwrap();
        assert_eq!(input("--fields id --fields puzzle"), Input::Named(names));
        let extras = options("--extra A..A --extra .BB.").unwrap().pipeline.extras;
        assert_eq!(extras.len(), 2);
    }

    #[test]
    fn equal_values_of_an_option_count_once() {
        let options = options("--all=3 --all=3 --box 2x3 --box=2x3 -j 2 --threads 2").unwrap();
        assert_eq!(options.pipeline.mode, Mode::All(3));
        assert_eq!((options.pipeline.boxes, options.threads), (Some((2, 3)), Some(2)));
    }

    #[test]
    fn a_number_after_all_is_reported_as_a_stray_value() {
        for (line, stray) in [
            ("--all 3 a", Some("3")),
            ("-q --all 3", Some("3")),
            ("--draw svg", Some("svg")),
            ("--draw 3", None),
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
        let columns = |line| {
            let columns = options(line).unwrap().pipeline.columns.into_iter();
            columns.map(|shown| shown.column).collect::<Vec<_>>()
        };
        use Column::{Solution, Solutions, Status};
        assert_eq!(columns("--count 5"), [Solution, Status, Solutions]);
        assert_eq!(columns("--count 5 -o status"), [Status]);
    }

    #[test]
    fn seconds_have_fractions_and_0_is_no_limit() {
        let time = |line| options(line).unwrap().pipeline.max_time;
        for line in ["", "--max-time 0", "--max-time 0.0"] {
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
        assert_eq!(options.regions.as_deref(), Some("@map.txt"));
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
            ("--max-time -1", "--max-time -1: expected a number of seconds, such as 0.5"),
            ("--max-time NaN", "--max-time NaN: expected a number of seconds, such as 0.5"),
            ("--max-time inf", "--max-time inf: expected a number of seconds, such as 0.5"),
            ("--max-time 1e3", "--max-time 1e3: expected a number of seconds, such as 0.5"),
            ("--max-time=", "--max-time : expected a number of seconds, such as 0.5"),
            ("--method magic", "--method magic: expected one of lanes, backtrack, pencil"),
            ("--cpu pdp11", "--cpu pdp11: expected one of auto, portable, neon, avx2, avx512"),
            ("--symbols 1123", "--symbols 1123: '1' appears twice"),
            ("--unique", "--unique needs --verify"),
            ("--lenient", "--lenient needs --verify"),
            ("--regions @", "--regions @: expected a file name after @"),
            ("--verify --all", "--verify and --all cannot be used together"),
            ("--shuffle --minimize", "--shuffle and --minimize cannot be used together"),
            ("--shuffle=0", "--shuffle=0: expected a number of 1 or more"),
            (
                "--shuffle --count 3 -o puzzle",
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
                "--fields puzzle,id -o answer",
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
            ("--reveal r0c5", "--reveal r0c5: expected a cell, such as r4c5 or 4,5 (row, column)"),
            ("--csv --fields puzzle", "--fields and --csv cannot be used together"),
            ("--output csv --draw", "--output and --draw cannot be used together"),
            ("--fields id", "--fields id: one of the fields must be 'puzzle'"),
            (
                "-o rest,what",
                "--columns rest,what: unknown column 'what'; the columns are input, file, line, puzzle, regions, cages, answer, solution, status, reason, blanks, matching, score, conflicts, solutions, second, differ, givens, guesses, grade, level, difficulty, class, steps, hint, path, techniques, boards, reached, reached_candidates, pencilmarks, minimal, redundant, candidates, canonical, image, automorphisms, rest; fields of CSV or JSON need --csv or --json",
            ),
            (
                "-o rest --csv",
                "the column rest cannot be used with --csv, where every field has a name",
            ),
            (
                "-o grade --shuffle",
                "the column grade cannot be used with --shuffle, which does not solve puzzles",
            ),
            ("-o answer", "the column answer needs --verify, --shuffle, --fields, --csv or --json"),
            (
                "--input grid --variant killer",
                "--variant killer and --input grid cannot be used together: cages are not read from drawings",
            ),
            (
                "--select fine",
                "--select fine: unknown status 'fine'; the statuses are unique, multiple, none, unknown, invalid, correct, incorrect, ambiguous, given, shuffled",
            ),
            (
                "--select correct",
                "no line can have status 'correct' in this mode; the statuses are unique, multiple, none, unknown, invalid",
            ),
            ("--verify --select ambiguous", "no line can have status 'ambiguous' without --unique"),
            ("--select none --reject none", "--select and --reject cannot be used together"),
            (
                "--variant jigsaw,regions",
                "--variant jigsaw,regions: jigsaw and regions cannot be combined: jigsaw regions replace the boxes, regions are additional to them",
            ),
            (
                "--regions A --variant disjoint",
                "--regions implies --variant jigsaw: jigsaw and disjoint cannot be combined: disjoint needs boxes, and jigsaw replaces them",
            ),
            ("-j 2 --threads 3", "-j 2 and --threads 3 cannot be used together"),
            ("--all --all=4", "--all and --all=4 cannot be used together"),
            (
                "--reveal r1c1 --reveal r1c2",
                "--reveal r1c1 and --reveal r1c2 cannot be used together",
            ),
            (
                "--variant jigsaw --variant disjoint",
                "--variant jigsaw,disjoint: jigsaw and disjoint cannot be combined: disjoint needs boxes, and jigsaw replaces them",
            ),
            (
                "--require any,fine",
                "--require any,fine: unknown status 'fine'; the statuses are unique, multiple, none, unknown, invalid, correct, incorrect, ambiguous, given, shuffled",
            ),
            ("--box +2x+3", "--box +2x+3: expected ROWSxCOLUMNS, such as 2x3"),
            (
                "--reveal r+1c+2",
                "--reveal r+1c+2: expected a cell, such as r4c5 or 4,5 (row, column)",
            ),
            ("--reveal +1,2", "--reveal +1,2: expected a cell, such as r4c5 or 4,5 (row, column)"),
            ("--color always", "--color always needs --draw"),
            ("--color always --draw=svg", "--color always needs --draw"),
            ("--random 1 --verify --unique", "--random and --verify cannot be used together"),
            (
                "--disconnected --input grid",
                "--disconnected needs --variant jigsaw, --variant regions or --regions",
            ),
            ("--nonsense", "invalid option '--nonsense'"),
            ("-z", "invalid option '-z'"),
            ("--quiet=yes", "unexpected argument for option '--quiet': \"yes\""),
        ] {
            assert_eq!(options(line).unwrap_err(), reason, "{line}");
        }
    }
}
