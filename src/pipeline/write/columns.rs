//! Makes the values of all columns from an entry and its findings. `write.rs` writes these values
//! in the form of the output.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ops::ControlFlow;

use super::person::{Person, PersonSolution};
use super::shown::ShownFields;
use crate::canonical::cages_of_image;
use crate::error::escaped;
use crate::pencil::{Difficulty, Paper};
use crate::pipeline::entry::{CheckedAnswer, Entry, Question, TaskEntries};
use crate::pipeline::findings::Minimality;
use crate::pipeline::input_form::{NamedField, NamedFields};
use crate::pipeline::options::{Mode, Output};
use crate::pipeline::puzzle_view::PuzzleView;
use crate::pipeline::settings::Settings;
use crate::solver::GuessLimit;
use crate::text::columns::{Column, OutputColumn};
use crate::text::forms::json::JsonObject;
use crate::text::record::Field;
use crate::text::symbols::Case;
use crate::text::value::{Digits, Value};
use crate::verdict::Status;
use crate::verify::visible_contradiction;

/// An entry and the results that one of its output lines shows.
pub(in crate::pipeline) struct EntryView<'p, 'a> {
    pub settings: &'p Settings,
    pub entries: &'p TaskEntries<'a>,
    pub entry: &'p Entry<'a>,
    /// What the record asks. `None` if it is rejected.
    pub question: Option<&'p Question<'a>>,
    pub status: Status,
    /// The puzzle in its batch. `None` if the line is rejected, or if its answer was checked and
    /// the puzzle not solved.
    pub puzzle: Option<PuzzleView<'p>>,
    /// The solution to write. With `--all`, the solution of this output line, if it has one. In
    /// other modes, the first solution found, if the findings about the puzzle have the status
    /// `unique` or `multiple`.
    pub solution: Option<&'p [u8]>,
    /// True if the line shows an equivalent, with `--shuffle`.
    pub is_equivalent: bool,
    pub fields: ShownFields<'p>,
    /// The fields of the record by their names.
    pub named: &'p NamedFields<'a>,
    /// Scratch: the memory that human techniques work in.
    pub paper: &'p RefCell<Paper>,
    /// The grade, its level and the number of steps of the puzzle, computed once for the columns
    /// that show them.
    pub person_solution: OnceCell<PersonSolution>,
    /// The canonical form, once a column needs it.
    pub canonical_form: OnceCell<Option<Vec<u8>>>,
    /// The difficulty, once a column needs it.
    pub difficulty: OnceCell<ControlFlow<(), Option<Difficulty>>>,
}

impl<'p, 'a> EntryView<'p, 'a> {
    /// Returns the columns of the output line.
    pub fn columns(&self) -> &'p [OutputColumn] {
        // All lines of CSV have the columns of its header.
        let has_fixed_columns = self.settings.form == Output::Csv;
        // A copied record has the layout and the cages of an equivalent in its fields, so it needs
        // no columns for them.
        let is_in_copy = self.is_equivalent && self.settings.copies_records;
        if !has_fixed_columns && !is_in_copy && self.writes_rules_as_fields() {
            &self.settings.columns_with_rules
        } else {
            &self.settings.options.columns
        }
    }

    /// Returns the value of each column, with a rejected line in place of the first grid. Except in
    /// CSV and JSON, spaces take the place of line ends.
    pub fn values(&self) -> impl Iterator<Item = Value<'_>> {
        let columns = self.columns();
        let first_grid = if self.question.is_none() {
            columns.iter().position(|shown| shown.column.shows_grid())
        } else {
            None
        };
        let quotes_line_ends = matches!(self.settings.form, Output::Csv | Output::Json);
        let indexed = columns.iter().enumerate();
        indexed.map(move |(index, shown)| {
            if Some(index) == first_grid {
                return self.rejected_line();
            }
            let value = self.value(&shown.column);
            // Only these columns can have line ends. `Input`, the whole line, keeps its tabs.
            let replaced: &[u8] = match shown.column {
                Column::Input => b"\n",
                Column::Carried(_) | Column::Regions => b"\t\n",
                _ => return value,
            };
            match value {
                Value::Text(text) | Value::Json { text, .. } if !quotes_line_ends => {
                    Value::of_field(with_spaces(text, replaced))
                }
                value => value,
            }
        })
    }

    /// Returns the value of a column. Does not show a rejected line in place of a grid.
    pub fn value(&self, column: &Column) -> Value<'_> {
        self.known_value(column).unwrap_or_default()
    }

    /// Returns the value of a column, or `None` if it has none.
    fn known_value(&self, column: &Column) -> Option<Value<'_>> {
        Some(match column {
            Column::Input => Value::Text(self.line()),
            Column::File => Value::text(escaped(self.entries.task.source_name, usize::MAX)),
            Column::Line => Value::Integer(self.entry.number),
            Column::Status => Value::Text(self.status.name().as_bytes().into()),
            Column::Reason => self.reason()?,
            Column::Carried(name) => self.carried(name)?,
            _ if self.question.is_none() => return None,
            Column::Puzzle => Value::grid(self.fields.puzzle_column(self.settings)),
            Column::Answer => Value::grid(self.fields.answer),
            Column::Regions => Value::of_field(self.regions_column()),
            Column::Cages if self.has_objects() => self.fields.cages(),
            Column::Cages => Value::of_field(self.fields.cages_field()),
            Column::Rest => Value::of_field(self.question?.fields.rest),
            Column::Solution => match self.solution {
                Some(solution) => self.digits(solution),
                None => Value::grid(self.fields.puzzle_read),
            },
            Column::Differ => self.puzzle?.differing_cells()?,
            Column::Second => self.digits(self.second()?),
            Column::Solutions => self.number_of_solutions()?,
            Column::Guesses => Value::Integer(self.puzzle?.details().guesses),
            Column::Givens => Value::number(self.number_of_givens()),
            Column::Blanks => Value::number(self.number_of_blanks()),
            Column::Matching => Value::number(self.matching()?),
            Column::Score => Value::Decimal(self.score()?),
            Column::Conflicts => Value::number(self.checked()?.conflicts),
            Column::Hint => self.person()?.hint()?,
            Column::Difficulty => {
                let rating = self.difficulty().continue_value().flatten();
                Value::Decimal(rating?.to_string())
            }
            Column::Class => {
                let tenths = self.difficulty().continue_value().flatten()?.tenths();
                Value::text(self.settings.options.classes.of(tenths)?)
            }
            Column::Grade => Value::text(self.person_solution()?.grade),
            Column::Level => Value::number(self.person_solution()?.level?),
            Column::Steps => Value::Integer(self.person_solution()?.number_of_steps.into()),
            Column::Path if self.status == Status::None => {
                self.person_of(self.puzzle?).path_to_contradiction()
            }
            Column::Path | Column::Techniques | Column::Boards => {
                self.person()?.steps(column, self.person_solution()?)
            }
            Column::Pencilmarks => self.person_of(self.puzzle?).pencilmarks()?,
            Column::Candidates => {
                let puzzle = self.puzzle?;
                self.person_of(puzzle).sets(puzzle.candidates()?)
            }
            Column::Minimal => match self.puzzle?.minimality()? {
                Minimality::Yes => Value::text("yes"),
                Minimality::No => Value::text("no"),
                Minimality::Unknown | Minimality::NoGivens => return None,
            },
            Column::Canonical => self.canonical()?,
        })
    }

    /// Returns the input line. A CSV record can have several lines.
    fn line(&self) -> Cow<'p, [u8]> {
        self.entry.line.into()
    }

    /// Returns a rejected line as the value of a column. Spaces take the place of its tabs and line
    /// ends, except in JSON, which escapes them. A drawing without rows has no text.
    fn rejected_line(&self) -> Value<'p> {
        match self.line() {
            line if line.is_empty() => Value::Missing,
            line if self.has_objects() => Value::Text(line),
            line => Value::Text(with_spaces(line, b"\t\n")),
        }
    }

    /// Returns a grid of these digits.
    fn digits(&self, digits: &'p [u8]) -> Value<'p> {
        Value::Digits(Digits {
            digits,
            alphabet: &self.settings.options.alphabet,
            case: self.case(),
        })
    }

    /// Returns the reason why the line is rejected, its answer is incorrect, its puzzle is `none`
    /// or `unknown`, or its column `minimal` or `candidates` has no value. `None` in these cases:
    ///
    /// * There is nothing to explain.
    /// * The puzzle is `none`, but only a search shows it.
    /// * A limit is the reason, but it is not known which one.
    fn reason(&self) -> Option<Value<'_>> {
        let rejected = self.entry.rejected().map(|rejected| &rejected.reason);
        let fault = || self.checked()?.fault.as_ref();
        if let Some(reason) = rejected.or_else(fault) {
            return Some(Value::Text(reason.as_bytes().into()));
        }
        let puzzle = self.puzzle?;
        Some(match self.status {
            Status::None => {
                let symbol = |digit| self.symbol(digit);
                let visible =
                    visible_contradiction(&puzzle.ruleset().rules, puzzle.givens(), symbol);
                Value::text(match visible {
                    Some(reason) => reason,
                    None => self.person_of(puzzle).contradiction()?.0.text(symbol),
                })
            }
            Status::Unknown => Value::text(self.limit_reached(puzzle)?),
            _ if puzzle.reached_later_limit() => Value::text(self.only_limit()?),
            _ if self.lacks_difficulty() => Value::text("time"),
            _ => return None,
        })
    }

    /// Returns the only limit of the options: `guesses` or `time`. `None` if there are both.
    fn only_limit(&self) -> Option<&'static str> {
        let options = &self.settings.options;
        match (options.max_time, options.max_guesses) {
            (None, _) => Some("guesses"),
            (_, GuessLimit::None) => Some("time"),
            _ => None,
        }
    }

    /// Returns the reason why a puzzle is `unknown`: `guesses` or `time` if that limit ended its
    /// search, `exact` if `--exact` failed. `None` if the number of guesses does not show which
    /// limit it was.
    fn limit_reached(&self, puzzle: PuzzleView<'_>) -> Option<&'static str> {
        let options = &self.settings.options;
        // No limit ended the search, so the minimization failed.
        if options.exact && puzzle.details().complete {
            return Some("exact");
        }
        if let Some(limit) = self.only_limit() {
            return Some(limit);
        }
        // If more than two solutions are wanted, the number of guesses does not always show which
        // limit it was: each solution raises the default limit (`GuessLimit::Default`), and the
        // guesses of the second search with `--all` are not recorded.
        if options.limits().solutions > 2 {
            return None;
        }
        let max_guesses = options.max_guesses.for_rules(&puzzle.ruleset().rules);
        let is_time = puzzle.details().guesses < max_guesses;
        Some(if is_time { "time" } else { "guesses" })
    }

    /// Returns true if the puzzle field of the line states the rules, and the output line writes
    /// the puzzle in fields instead.
    pub fn writes_rules_as_fields(&self) -> bool {
        // With `--shuffle`, the CSV record or JSON object itself shows the equivalent.
        let is_in_record = self.is_equivalent && self.settings.copies_records;
        (self.settings.puzzle_has_rules || is_in_record) && self.fields.is_described
    }

    /// Returns the digits of a field. `None` if the field is not a grid of the puzzle's side, or if
    /// the rules of the puzzle are not known.
    pub fn digits_of(&self, field: &[u8]) -> Option<Vec<u8>> {
        let rules = &self.fields.ruleset?.rules;
        let alphabet = &self.settings.options.alphabet;
        let mut digits = Vec::new();
        let is_grid =
            field.len() == rules.cells() && alphabet.read(field, rules.side(), &mut digits).is_ok();
        is_grid.then_some(digits)
    }

    /// Returns the case of the letters that are digits of the puzzle.
    pub fn case(&self) -> Case {
        self.question.map_or(Case::default(), |question| question.case)
    }

    /// Returns what is known about the answer, with `--verify`.
    fn checked(&self) -> Option<&'p CheckedAnswer> {
        self.question?.checked.as_ref()
    }

    /// Returns the value of the column `regions`: the layout of `--regions`, if the variants use
    /// it, otherwise that of the equivalent or the line.
    fn regions_column(&self) -> &'p [u8] {
        let options = &self.settings.options;
        match &options.regions {
            Some(regions) if options.variants.have_regions() => regions,
            _ => self.fields.regions,
        }
    }

    /// Returns a field of the input by its name in `--fields`, in the header of CSV or among the
    /// keys of JSON. `None` if the record ends before it. With `--shuffle`, a field that is the
    /// puzzle, its layout, cages or answer shows the equivalent.
    fn carried(&self, name: &str) -> Option<Value<'_>> {
        let (input, options) = (&self.settings.input, &self.settings.options);
        let NamedField { read_as, value } = input.named_field(name, self.named, &options.header)?;
        match read_as.filter(|_| self.is_equivalent) {
            None => value,
            Some(Field::Puzzle) => Some(Value::grid(&*self.fields.puzzle)),
            Some(Field::Answer) => Some(Value::grid(self.fields.answer)),
            Some(Field::Regions) => Some(Value::of_field(self.fields.regions)),
            Some(Field::Cages) => self.known_value(&Column::Cages),
        }
    }

    /// Returns a hint if a column is a key that the object of a JSON line lacks, or if the user names
    /// a column of the program, and a field of the input has the same name.
    /// Also returns one if `--max-time` ended the rating.
    pub fn hint(&self) -> Option<String> {
        if self.difficulty.get().is_some_and(ControlFlow::is_break) {
            return Some("--max-time ended the rating, so difficulty is - here".into());
        }
        match self.named {
            NamedFields::None => None,
            // All records have the same names.
            NamedFields::InOrder(_) => {
                self.settings.hidden_field.get_or_init(|| self.hidden_field()).clone()
            }
            NamedFields::Object(object) => {
                let lacks = |shown: &OutputColumn| match &shown.column {
                    Column::Carried(key) if !object.has_key(key) => {
                        Some(format!("the object has no key '{key}', so this column is null"))
                    }
                    _ => None,
                };
                self.columns().iter().find_map(lacks).or_else(|| self.hidden_field())
            }
        }
    }

    /// Returns the hint about a column of the program that has the name of a field, if the user names
    /// columns and the output does not copy the field.
    fn hidden_field(&self) -> Option<String> {
        let mut columns = self.columns().iter().filter(|_| self.settings.hides_fields);
        columns.find_map(|shown| match &shown.column {
            // These show fields of the input.
            Column::Puzzle | Column::Regions | Column::Cages | Column::Answer => None,
            Column::Carried(_) | Column::Input | Column::Rest => None,
            column => {
                let name = column.to_string();
                let is_shown = self.settings.options.shows(&Column::Carried(name.clone()));
                (!is_shown && self.has_unread_field(&name)).then(|| {
                    format!("the column {name} is that of the program; -o input.{name} is that of the input")
                })
            }
        })
    }

    /// Returns true if the record has a field of this name that is not read as a puzzle, its rules or
    /// its answer.
    fn has_unread_field(&self, name: &str) -> bool {
        let (input, options) = (&self.settings.input, &self.settings.options);
        let reads_answers = options.verifies() || options.shuffles();
        let field = input.named_field(name, self.named, &options.header);
        field.is_some_and(|field| match field.read_as {
            None => true,
            Some(Field::Answer) => !reads_answers,
            Some(_) => false,
        })
    }

    /// Returns the object of a JSON line, or `None` if the line is not an object.
    pub fn object(&self) -> Option<&'p JsonObject<'a>> {
        match self.named {
            NamedFields::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the number of givens of the puzzle that the column `puzzle` shows, including a cell
    /// that `--reveal` filled. In a pencilmark puzzle, a cell with exactly one candidate counts
    /// as a given. Returns 0 if only the answer was checked and the entry keeps no fields.
    fn number_of_givens(&self) -> usize {
        let Some(puzzle) = self.puzzle else {
            return self.question.map_or(0, |question| question.number_of_givens as usize);
        };
        let is_revealed =
            matches!(self.settings.options.mode, Mode::Reveal(_)) && self.status == Status::Unique;
        // An equivalent has as many givens as its original.
        puzzle.givens_left().count() + usize::from(is_revealed)
    }

    /// Returns the number of cells of the puzzle that `number_of_givens` does not count.
    fn number_of_blanks(&self) -> usize {
        let cells = self.fields.ruleset.map_or(0, |ruleset| ruleset.rules.cells());
        cells - self.number_of_givens()
    }

    /// Returns the number of blank cells in which the answer has the digit of the only solution.
    /// `None` if the puzzle is not solved or has not exactly one solution, and without `--verify`.
    fn matching(&self) -> Option<usize> {
        let (puzzle, answer) = (self.unique_puzzle()?, &self.checked()?.digits);
        let (givens, solution) = (puzzle.givens(), puzzle.findings.solution(puzzle.index));
        let is_blank = |&cell: &usize| !givens.is_given(cell);
        let matches = |&cell: &usize| answer[cell] == solution[cell];
        let matching = (0..solution.len()).filter(is_blank).filter(matches);
        Some(matching.count())
    }

    /// Returns the result of `matching` divided by the number of blank cells, with four decimals.
    /// `None` if `matching` returns `None` or there is no blank cell.
    fn score(&self) -> Option<String> {
        match (self.matching()?, self.number_of_blanks()) {
            (matching, blanks @ 1..) => Some(format!("{:.4}", matching as f64 / blanks as f64)),
            _ => None,
        }
    }

    /// Returns the second solution that was found, if it is stored and the output line shows a
    /// solution.
    fn second(&self) -> Option<&'p [u8]> {
        let cells = self.solution?.len();
        // `shown` holds the solutions one after the other.
        self.puzzle?.details().shown.get(cells..2 * cells)
    }

    /// Returns the number of solutions, such as `2`. Adds a `+`, as in `2+`, if there are more, or
    /// if the search ended before it could rule out more. `None` if the puzzle is `unknown`, or if
    /// no puzzle was solved.
    fn number_of_solutions(&self) -> Option<Value<'_>> {
        let puzzle = self.puzzle?;
        // With `--verify`, the status of the line is that of the answer; with `--all`, the last
        // line can be `unknown` after several solutions.
        if [Some(self.status), puzzle.status()].contains(&Some(Status::Unknown)) {
            return None;
        }
        let details = puzzle.details();
        let max_count = self.settings.options.max_count();
        let is_more = details.solutions > max_count || !details.complete;
        Some(if is_more {
            Value::text(format!("{}+", details.solutions.min(max_count)))
        } else {
            Value::Integer(details.solutions)
        })
    }

    /// Returns the [`Person`] for the puzzle of the line, if it has exactly one solution.
    fn person(&self) -> Option<Person<'_>> {
        Some(self.person_of(self.unique_puzzle()?))
    }

    /// Returns true if the form of the output has objects and lists.
    fn has_objects(&self) -> bool {
        self.settings.form == Output::Json
    }

    /// Returns the [`Person`] for this puzzle, whether it has one solution or not.
    fn person_of(&self, puzzle: PuzzleView<'p>) -> Person<'_> {
        let alphabet = &self.settings.options.alphabet;
        Person {
            puzzle,
            paper: self.paper,
            alphabet,
            case: self.case(),
            blank: alphabet.blank_of(self.question.map_or(&[], |question| &question.fields.puzzle)),
            has_objects: self.has_objects(),
        }
    }

    /// Returns the solution of a person, if the puzzle has exactly one solution. It has the steps if a
    /// column shows them.
    fn person_solution(&self) -> Option<&PersonSolution> {
        let person = self.person()?;
        let columns = [Column::Path, Column::Techniques, Column::Boards];
        let shows_steps = || columns.iter().any(|it| self.settings.options.shows(it));
        Some(self.person_solution.get_or_init(|| person.solve(shows_steps())))
    }

    /// Returns the canonical form of a puzzle.
    fn canonical_form(&self, puzzle: PuzzleView<'_>) -> Option<&[u8]> {
        self.canonical_form.get_or_init(|| puzzle.canonical_form()).as_deref()
    }

    /// Returns the difficulty of the puzzle, if it has exactly one solution. Breaks if
    /// `--max-time` ends the rating.
    fn difficulty(&self) -> ControlFlow<(), Option<Difficulty>> {
        let max_time = self.settings.options.max_time;
        *self.difficulty.get_or_init(|| match self.unique_puzzle() {
            Some(puzzle) if puzzle.ruleset().rules.is_classic_9x9() => {
                puzzle.difficulty(self.canonical_form(puzzle), max_time)
            }
            _ => ControlFlow::Continue(None),
        })
    }

    /// Returns true if the column `difficulty` is shown and lacks a value because of `--max-time`.
    fn lacks_difficulty(&self) -> bool {
        let columns = [Column::Difficulty, Column::Class];
        columns.iter().any(|it| self.settings.options.shows(it)) && self.difficulty().is_break()
    }

    /// Returns the symbol of a digit, in the [`Case`] of the puzzle.
    fn symbol(&self, digit: u8) -> char {
        let alphabet = &self.settings.options.alphabet;
        alphabet.symbol(digit, self.case())
    }

    /// Returns the puzzle if its status is `Unique`: it has exactly one solution. If `--exact`
    /// failed, the status is `Unknown` instead.
    fn unique_puzzle(&self) -> Option<PuzzleView<'p>> {
        let is_unique = |puzzle: &PuzzleView<'_>| puzzle.status() == Some(Status::Unique);
        self.puzzle.filter(is_unique)
    }

    /// Returns the canonical form: the digits, then the jigsaw regions as letters, if there are
    /// any, then the cages as `Ruleset::write_cages` writes them, if there are any. `None` if the
    /// entry has no puzzle in a batch, for a pencilmark puzzle, and for rules without canonical
    /// forms.
    fn canonical(&self) -> Option<Value<'static>> {
        let puzzle = self.puzzle?;
        let ruleset = puzzle.ruleset();
        // N² digits; with jigsaw regions, N² region numbers from 0; with cages, N² sums and N² cage
        // numbers.
        let form = self.canonical_form(puzzle)?;
        let (grid, rest) = form.split_at(puzzle.batch.cells);
        let (regions, cages) = rest.split_at(match ruleset.rules.jigsaw_regions() {
            [] => 0,
            _ => grid.len(),
        });
        let mut text = Vec::new();
        let alphabet = &self.settings.options.alphabet;
        alphabet.write(grid, Case::default(), &mut text);
        text.extend(regions.iter().map(|region| b'A' + region));
        // Even without cages, the field has the boxes and diagonals that the line states, if they
        // differ from those of the options.
        text.extend(ruleset.write_cages(&cages_of_image(cages)));
        Some(Value::Text(text.into()))
    }
}

/// Returns a text with spaces in place of all `replaced` bytes.
fn with_spaces<'t>(mut text: Cow<'t, [u8]>, replaced: &[u8]) -> Cow<'t, [u8]> {
    let is_replaced = |byte: &u8| replaced.contains(byte);
    if text.iter().any(is_replaced) {
        let replaced = text.to_mut().iter_mut().filter(|byte| is_replaced(byte));
        replaced.for_each(|byte| *byte = b' ');
    }
    text
}
