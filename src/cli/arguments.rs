//! The options that the command line gives, before and after they are checked against each other.
//! `flags.rs` sets them, `args.rs` parses the command line.

use std::path::PathBuf;

use sudoku_filter::program::{
    Classes, Condition, Domain, FieldNames, HeaderNames, KeptFields, ModeRow, Output, Sizes,
};
use sudoku_filter::{
    Column, Input, InvalidInput, Mode, OutputColumn, PipelineOptions, Status, Variant,
};

use super::page::Page;
use super::suggestion;
use super::values::{Required, one_of};

#[derive(Debug, Default)]
pub struct CommandOptions {
    pub files: Vec<PathBuf>,
    /// With `--make` and no files: the side of the blank grid. `None` for the default.
    pub size: Option<usize>,
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
    /// The maximum number of messages about invalid lines; `None` for the default.
    pub errors: Option<usize>,
    pub quiet: bool,
}

impl CommandOptions {
    /// True if the only template of `--make` is the blank grid.
    pub fn is_blank_template(&self) -> bool {
        self.pipeline.mode.makes_candidates() && self.files.is_empty()
    }
}

/// A file name that looks like the omitted value of the option before it, as in `--all 3`. Only
/// `--all=3` sets the value; in `--all 3`, the 3 is the name of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct StrayValue {
    pub option: &'static str,
    pub file: PathBuf,
}

/// The value of `--color` or `--progress`.
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
pub enum InputName {
    Auto,
    Form(Input),
    /// In lines, CSV or JSON.
    Pencilmarks,
}

impl InputName {
    pub const NAMES: [(&'static str, InputName); 6] = [
        ("auto", InputName::Auto),
        ("lines", InputName::Form(Input::Lines)),
        ("csv", InputName::Form(Input::Csv)),
        ("json", InputName::Form(Input::Json)),
        ("grid", InputName::Form(Input::Drawn)),
        ("pencilmarks", InputName::Pencilmarks),
    ];
}

/// The options that are parsed so far. `combine` checks those that depend on each other.
#[derive(Debug, Default)]
pub struct Arguments {
    pub run: CommandOptions,
    /// The page of `--generate`.
    pub page: Option<Page>,
    pub modes: Vec<Mode>,
    pub unique: bool,
    pub fields: Option<String>,
    pub columns: Option<String>,
    pub count: Option<u64>,
    pub csv: bool,
    pub json: bool,
    pub header: Option<HeaderNames>,
    pub classes: Option<Classes>,
    pub form: Option<InputName>,
    pub output: Option<Output>,
    /// The form that `--draw` selects.
    pub drawing: Option<Output>,
    pub exact: Option<usize>,
    pub select: Option<Vec<Status>>,
    pub reject: Option<Vec<Status>>,
    /// The values of `--where`.
    pub conditions: Vec<String>,
    pub tally: Option<String>,
    pub distinct: Option<String>,
}

impl Arguments {
    /// The order matters: later steps read the mode, the variants and the input.
    pub fn combine(mut self) -> Result<CommandOptions, String> {
        self.run.pipeline.mode = self.mode()?;
        self.check_modes()?;
        self.combine_minimization()?;
        self.combine_template()?;
        self.combine_variants()?;
        self.run.pipeline.field_names = self.field_names()?;
        self.run.pipeline.input = self.input()?;
        self.run.pipeline.pencilmarks = self.form == Some(InputName::Pencilmarks);
        self.run.pipeline.output = self.output()?;
        self.run.pipeline.header = self.header.take().unwrap_or_default();
        let is_drawn = self.run.pipeline.input == Some(Input::Drawn);
        if is_drawn && self.run.pipeline.variants.contains(Variant::Killer) {
            let conflict = "--variant killer and --input grid cannot be used together";
            return Err(format!("{conflict}: cages are not read from drawings"));
        }
        self.combine_count()?;
        self.run.pipeline.classes = self.classes.clone().unwrap_or_default();
        self.combine_columns()?;
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
        let conditions = self.run.pipeline.conditions.iter();
        let conditions = conditions.filter(|condition| *condition.column() == Column::Status);
        let named = conditions.flat_map(Condition::texts);
        let named = named.filter_map(|name| one_of(&Status::NAMES, name).ok());
        for status in select.chain(reject).chain(required).copied().chain(named) {
            if status == Status::Ambiguous && mode.checks_answers() && !self.unique {
                return Err("no line can have status 'ambiguous' without --unique".to_string());
            }
            let statuses = mode.row().statuses;
            if !statuses.contains(&status) {
                let statuses: Vec<&str> = statuses.iter().map(|it| it.name()).collect();
                let statuses = statuses.join(", ");
                return Err(format!(
                    "no line can have status '{status}' in this mode; the statuses are {statuses}"
                ));
            }
        }
        Ok(())
    }

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
        let of_modes = [
            ("--unique", self.unique),
            ("--givens", pipeline.givens > 0),
            ("--exact", self.exact.is_some()),
            ("--symmetry", pipeline.symmetry.is_some()),
            ("--max", pipeline.max_lines.is_some()),
            ("--tries", pipeline.tries.is_some()),
            ("--pattern", pipeline.pattern.is_some()),
            ("--size", self.run.size.is_some()),
        ];
        let chosen = pipeline.mode.row();
        for (option, is_given) in of_modes {
            if is_given && !chosen.options.contains(&option) {
                let modes = ModeRow::ALL.iter().filter(|mode| mode.options.contains(&option));
                let modes: Vec<&str> = modes.map(|mode| mode.option).collect();
                return Err(format!("{option} needs {}", modes.join(" or ")));
            }
        }
        self.check_conflict("--lenient", pipeline.lenient)
    }

    fn check_conflict(&self, option: &str, is_given: bool) -> Result<(), String> {
        match self.run.pipeline.mode.row().conflict(option) {
            Some(message) if is_given => Err(message.to_string()),
            _ => Ok(()),
        }
    }

    /// Returns an error if an option has no effect with the others.
    fn check_effects(&self) -> Result<(), String> {
        let pipeline = &self.run.pipeline;
        let draws_text = matches!(pipeline.output, Some(Output::Drawing { .. }));
        if self.run.color == When::Always && !draws_text {
            return Err("--color always needs --draw".to_string());
        }
        let writes_records =
            matches!(pipeline.output, None | Some(Output::Lines | Output::Csv | Output::Json));
        if !pipeline.tally.is_empty() && !writes_records {
            return Err("--tally needs lines, csv or json as the output".to_string());
        }
        self.check_kept()?;
        let of_page = pipeline.page.first_named().filter(|_| pipeline.output != Some(Output::Page));
        if let Some(option) = of_page {
            return Err(format!("{option} needs --draw=page"));
        }
        self.check_conflict("--random", pipeline.seed.is_some())?;
        let mut columns = pipeline.named_columns();
        if self.classes.is_some() && !columns.any(|column| *column == Column::Class) {
            return Err("--classes needs the column class in -o, --where, --tally or --distinct"
                .to_string());
        }
        let mut columns = pipeline.named_columns();
        if pipeline.techniques.is_some() && !columns.any(Column::depends_on_techniques) {
            let columns = "grade, level, steps, hint, path, techniques, boards, reached, \
                reached_candidates or reason";
            return Err(format!(
                "--techniques needs one of the columns {columns} in -o, --where, --tally or --distinct"
            ));
        }
        // Except in drawings, a puzzle can describe regions of its own.
        let can_have_regions =
            pipeline.variants.have_regions() || pipeline.input != Some(Input::Drawn);
        if pipeline.disconnected && !can_have_regions {
            return Err(
                "--disconnected needs --variant jigsaw, --variant regions or --regions".to_string()
            );
        }
        Ok(())
    }

    fn check_kept(&self) -> Result<(), String> {
        let pipeline = &self.run.pipeline;
        if pipeline.kept == KeptFields::All {
            return Ok(());
        }
        if !pipeline.tally.is_empty() {
            return Err("--keep and --tally cannot be used together".to_string());
        }
        // Without the name of a form, the input decides.
        let can_copy = matches!(
            (pipeline.input, pipeline.output),
            (None | Some(Input::Csv), None | Some(Output::Csv))
                | (None | Some(Input::Json), None | Some(Output::Json))
        );
        if !can_copy {
            return Err("--keep needs CSV or JSON, and an output of the same form".to_string());
        }
        let is_empty = pipeline.kept.names().is_empty() && pipeline.columns.is_empty();
        if is_empty && pipeline.mode.writes_equivalents() {
            return Err("--keep none leaves no field for --shuffle; -o names columns".to_string());
        }
        Ok(())
    }

    fn combine_minimization(&mut self) -> Result<(), String> {
        let pipeline = &mut self.run.pipeline;
        if self.exact.is_some() && pipeline.givens > 0 {
            return Err("--givens and --exact cannot be used together".to_string());
        }
        let removals = [
            ("--symmetry", pipeline.symmetry.is_some()),
            ("--givens", pipeline.givens > 0),
            ("--exact", self.exact.is_some()),
        ];
        let removal = removals.iter().find(|(_, is_given)| *is_given);
        if let (Some((option, _)), Some(_)) = (removal, &pipeline.pattern) {
            return Err(format!("{option} and --pattern cannot be used together"));
        }
        pipeline.exact = self.exact.is_some();
        pipeline.givens = self.exact.unwrap_or(pipeline.givens);
        Ok(())
    }

    /// Without files, `--make` reads a blank line, and `--csv` and `--json` name the output.
    fn combine_template(&mut self) -> Result<(), String> {
        if !self.run.is_blank_template() {
            return match self.run.size {
                Some(_) => Err("--size and FILE cannot be used together".to_string()),
                None => Ok(()),
            };
        }
        let output = match (self.csv, self.json) {
            (true, false) => Some(Output::Csv),
            (false, true) => Some(Output::Json),
            _ => None,
        };
        let of_file = self.fields.is_some() || self.header.is_some() || self.form.is_some();
        if of_file || (self.csv && self.json) {
            return Err("--make without FILE reads a blank grid; - reads standard input".into());
        }
        (self.csv, self.json) = (false, false);
        self.form = Some(InputName::Form(Input::Lines));
        self.output = self.output.or(output);
        let length = self.run.pipeline.pattern.as_ref().map(Vec::len);
        if let Some(length) = length
            && self.run.regions.is_none()
        {
            let sizes = Sizes { boxes: self.run.pipeline.boxes, any_side: false };
            let side = sizes.side(length).map_err(|reason| format!("--pattern: {reason}"))?;
            self.run.size.get_or_insert(side);
        }
        if let Some(side) = self.run.size {
            let any_side = self.run.regions.is_some();
            let sizes = Sizes { boxes: self.run.pipeline.boxes, any_side };
            let cells = side.saturating_mul(side);
            sizes.side(cells).map_err(|reason| format!("--size {side}: {reason}"))?;
        }
        let variants = &self.run.pipeline.variants;
        let needs_layout = variants.have_regions() && self.run.regions.is_none();
        if needs_layout || variants.contains(Variant::Killer) {
            let rules = if needs_layout { "layouts" } else { "cages" };
            return Err(format!(
                "--make needs a FILE of templates with {rules}; - is standard input"
            ));
        }
        Ok(())
    }

    fn combine_count(&mut self) -> Result<(), String> {
        self.run.pipeline.count = self.count;
        self.check_conflict("--count", self.count.is_some())
    }

    /// Without `-o` and `--count`, sets none, and the pipeline writes the default columns.
    fn combine_columns(&mut self) -> Result<(), String> {
        let conditions = self.conditions.iter().map(|text| self.condition(text));
        let conditions = conditions.collect::<Result<_, _>>()?;
        let tally = match &self.tally {
            Some(list) => self.column_list("--tally", list)?,
            None => Vec::new(),
        };
        let distinct = match &self.distinct {
            Some(name) => Some(self.column(&format!("--distinct {name}"), name)?),
            None => None,
        };
        let columns = match &self.columns {
            Some(_) if self.tally.is_some() => {
                return Err("--tally and -o cannot be used together".to_string());
            }
            Some(list) => self.column_list("--columns", list)?,
            None if self.tally.is_some() => Vec::new(),
            None if self.count.is_some() => {
                let columns = self.run.pipeline.mode.columns().into_iter();
                columns.chain([Column::Solutions]).map(OutputColumn::from).collect()
            }
            None => Vec::new(),
        };
        let pipeline = &mut self.run.pipeline;
        (pipeline.columns, pipeline.conditions, pipeline.tally) = (columns, conditions, tally);
        pipeline.distinct = distinct;
        for column in pipeline.named_columns() {
            if let Some(reason) = column_conflict(column, pipeline) {
                return Err(format!("the column {column} {reason}"));
            }
        }
        Ok(())
    }

    fn column_list(&self, option: &str, list: &str) -> Result<Vec<OutputColumn>, String> {
        Column::list(list, |name| self.is_field(name))
            .map_err(|reason| self.column_error(&format!("{option} {list}"), list, &reason))
    }

    fn column(&self, option: &str, name: &str) -> Result<Column, String> {
        Column::parse(name, &|name| self.is_field(name))
            .map_err(|reason| self.column_error(option, name, &reason))
    }

    fn condition(&self, text: &str) -> Result<Condition, String> {
        let option = format!("--where {text}");
        let (name, is_negated, values) = Condition::split(text)
            .ok_or_else(|| format!("{option}: expected COLUMN=VALUES or COLUMN!=VALUES"))?;
        let column = self.column(&option, name)?;
        let domain = Domain::of(&column, &self.run.pipeline.classes);
        Condition::new(column, is_negated, values, &domain).map_err(|reason| {
            let suggestion = suggestion::of_list(values, domain.names());
            format!("{option}: {reason}{suggestion}")
        })
    }

    /// True if a field of the input has, or can have, this name.
    fn is_field(&self, name: &str) -> bool {
        let pipeline = &self.run.pipeline;
        match (pipeline.input, &pipeline.field_names) {
            // The names are in the input, which is not read yet, so every name is accepted.
            (Some(Input::Csv | Input::Json), _) => true,
            // The input can be CSV or JSON. A name that resembles a column is a typing error.
            (None, _) => suggestion::of_columns(name, &column_names()).is_empty(),
            (_, names) => names.as_ref().is_some_and(|names| names.index_of(name).is_some()),
        }
    }

    /// Returns the message about an unknown column in `list`, the columns that `option` names.
    fn column_error(&self, option: &str, list: &str, reason: &InvalidInput) -> String {
        let names = column_names();
        let suggestion = suggestion::of_columns(list, &names);
        // The form of the input is not known yet.
        let fields = match self.run.pipeline.input {
            None => "; for a field of CSV or JSON of this name: --csv or --json",
            Some(_) => "",
        };
        format!("{option}: {reason}{suggestion}{fields}; the columns are {}", names.join(", "))
    }

    fn output(&self) -> Result<Option<Output>, String> {
        match (self.output, self.drawing) {
            (Some(output), Some(drawing)) if output != drawing => {
                Err("--output and --draw cannot be used together".to_string())
            }
            (output, drawing) => Ok(output.or(drawing)),
        }
    }

    /// Returns the statuses of the lines that are written, or `None` if all lines are.
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

    fn mode(&self) -> Result<Mode, String> {
        let mode = self.modes.first().copied().unwrap_or_default();
        let name = mode.row().option;
        let others = self.modes.iter().map(|other| other.row().option);
        if let Some(other) = others.into_iter().find(|other| *other != name) {
            return Err(format!("{name} and {other} cannot be used together"));
        }
        Ok(match mode.checks_answers() {
            true => Mode::Verify { unique: self.unique },
            false => mode,
        })
    }

    fn field_names(&self) -> Result<Option<FieldNames>, String> {
        let parse = |list: &String| {
            FieldNames::parse(list).map_err(|reason| format!("--fields {list}: {reason}"))
        };
        self.fields.as_ref().map(parse).transpose()
    }

    /// Returns `None` if no option names the form: the first lines of each source then decide.
    fn input(&self) -> Result<Option<Input>, String> {
        let of_form = InputName::NAMES.iter().find_map(|&(name, form)| match form {
            InputName::Form(input) if self.form == Some(form) => {
                Some((format!("--input {name}"), input))
            }
            _ => None,
        });
        let option = |name: &str, is_set: bool, input| is_set.then(|| (name.to_string(), input));
        let inputs = [
            option("--fields", self.fields.is_some(), Input::Lines),
            option("--csv", self.csv, Input::Csv),
            option("--json", self.json, Input::Json),
            of_form,
        ];
        let mut chosen = inputs.into_iter().flatten();
        let first = chosen.next();
        if let Some((option, input)) = &first
            && let Some((other, _)) = chosen.find(|(_, other)| other != input)
        {
            return Err(format!("{option} and {other} cannot be used together"));
        }
        let default = (self.form == Some(InputName::Pencilmarks)).then_some(Input::Lines);
        let input = first.map(|(_, input)| input).or(default);
        if self.header.is_some() && matches!(input, Some(Input::Lines | Input::Drawn)) {
            return Err("--header needs CSV or JSON".to_string());
        }
        Ok(input)
    }
}

fn column_names() -> [&'static str; Column::ALL.len()] {
    Column::ALL.map(|(name, _)| name)
}

/// The end of a message about a column that needs a solver.
const NOT_SOLVED: &str = "cannot be used with --shuffle, which does not solve puzzles";

/// The reason is the end of a message that begins with `the column NAME`.
fn column_conflict(column: &Column, options: &PipelineOptions) -> Option<&'static str> {
    let is_verifying = options.mode.checks_answers();
    let is_shuffling = options.mode.writes_equivalents();
    match column {
        Column::Solution if is_shuffling => Some(
            "cannot be used with --shuffle, which does not solve puzzles; answer is that of the line",
        ),
        _ if is_shuffling && column.needs_solving() => Some(NOT_SOLVED),
        Column::Answer if !is_verifying => match (options.input, &options.field_names) {
            (_, Some(names)) if names.index_of("answer").is_none() => {
                Some("needs a field 'answer' in --fields")
            }
            (None | Some(Input::Lines | Input::Drawn), None) if !is_shuffling => {
                Some("needs --verify, --shuffle, --fields, --csv or --json")
            }
            _ => None,
        },
        Column::Matching
        | Column::Score
        | Column::Conflicts
        | Column::Conflicting
        | Column::Wrong
            if !is_verifying =>
        {
            Some("needs --verify")
        }
        Column::Candidates if options.mode.max_solutions().is_some() => {
            Some("cannot be used with --all, which has a line for each solution")
        }
        Column::Rest if options.input == Some(Input::Csv) => {
            Some("cannot be used with --csv, where every field has a name")
        }
        Column::Rest if options.input == Some(Input::Json) => {
            Some("cannot be used with --json, where every field has a name")
        }
        _ => None,
    }
}
