//! What was found about the puzzle of an output line: solutions, steps of a person, forms, limits.
//! `columns.rs` says which column shows it.

use std::cell::{OnceCell, RefCell};
use std::ops::ControlFlow;

use super::person::{Person, PersonSolution, digit_value};
use super::shown::ShownFields;
use crate::pipeline::answer::CheckedAnswer;
use crate::pipeline::options::Options;
use crate::pipeline::puzzle_view::{PuzzleView, place_value};
use crate::pipeline::question::Question;
use crate::pipeline::settings::Settings;
use crate::text::columns::Column;
use crate::text::symbols::{Case, Symbols};
use crate::text::value::Value;
use engine::canonical::{CanonicalImage, cages_of_image};
use engine::pencil::{Paper, Rating, Step};
use engine::verdict::Status;
use engine::verify::visible_contradiction;

pub(in crate::pipeline) struct PuzzleFindings<'p, 'a> {
    pub settings: &'p Settings,
    pub question: &'p Question<'a>,
    pub fields: &'p ShownFields<'p>,
    /// The status of the line. With `--verify`, it is that of the answer.
    pub status: Status,
    /// The puzzle in its batch. `None` if its answer was checked and the puzzle not solved.
    pub puzzle: Option<PuzzleView<'p>>,
    /// With `--all`, the solution of this output line. In other modes, the first solution found.
    pub solution: Option<&'p [u8]>,
    /// The reason why more lines can be missing, with `--add` and `--remove`.
    pub unfinished: Option<&'p str>,
    pub paper: &'p RefCell<Paper>,
    pub computed: Computed,
}

/// Values that several columns need, computed once.
#[derive(Default)]
pub(in crate::pipeline) struct Computed {
    person_solution: OnceCell<PersonSolution>,
    hint: OnceCell<ControlFlow<(), Option<Step>>>,
    canonical_form: OnceCell<Option<Vec<u8>>>,
    canonical_image: OnceCell<Option<CanonicalImage>>,
    rating: OnceCell<ControlFlow<(), Option<Rating>>>,
}

impl<'p> PuzzleFindings<'p, '_> {
    fn options(&self) -> &'p Options {
        &self.settings.options
    }

    fn digits(&self, digits: &'p [u8]) -> Value<'p> {
        Value::Digits(digits.into(), self.symbols())
    }

    pub fn solution(&self) -> Option<Value<'p>> {
        Some(self.digits(self.solution?))
    }

    pub fn candidates(&self) -> Option<Value<'p>> {
        Some(Value::Candidates(self.puzzle?.candidates()?.into(), self.symbols()))
    }

    fn symbols(&self) -> Symbols<'p> {
        self.question.symbols.of_solution(&self.options().alphabet)
    }

    /// `None` also if the puzzle is `none` but only a search shows it, or if it is not known which
    /// limit is the reason.
    pub fn reason(&self) -> Option<Value<'_>> {
        if let Some(fault) = self.checked().and_then(|checked| checked.fault.as_ref()) {
            return Some(Value::Text(fault.as_bytes().into()));
        }
        if let Some(reason) = self.unfinished {
            return Some(Value::text(reason));
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
            _ if puzzle.reached_later_limit() => Value::text(self.options().only_limit()?),
            _ if self.lacks_by_time().is_some() => Value::text("time"),
            _ => return None,
        })
    }

    /// Returns `guesses` or `time` if that limit ended the search, `exact` if `--exact` failed.
    /// `None` if the number of guesses does not show which limit it was.
    fn limit_reached(&self, puzzle: PuzzleView<'_>) -> Option<&'static str> {
        let options = self.options();
        // No limit ended the search, so the minimization failed.
        if options.exact && puzzle.details().complete {
            return Some("exact");
        }
        if let Some(limit) = options.only_limit() {
            return Some(limit);
        }
        // If more than two solutions are wanted, the number of guesses does not always show which
        // limit it was: each solution raises the default limit (`GuessLimit::Default`), and the
        // guesses of the second search with `--all` are not recorded.
        if self.settings.limits.solutions > 2 {
            return None;
        }
        let max_guesses = options.max_guesses.for_rules(&puzzle.ruleset().rules);
        let is_time = puzzle.details().guesses < max_guesses;
        Some(if is_time { "time" } else { "guesses" })
    }

    fn checked(&self) -> Option<&'p CheckedAnswer> {
        self.question.checked.as_ref()
    }

    /// Returns the cells of the answer that contradict others.
    pub fn conflicting(&self) -> Option<&'p [usize]> {
        Some(&self.checked()?.conflicting)
    }

    /// Counts the givens of the puzzle that the column `puzzle` shows, with a cell that `--reveal`
    /// filled. In a pencilmark puzzle, a cell with exactly one candidate counts as a given.
    pub fn number_of_givens(&self) -> usize {
        self.fields.puzzle.givens().count()
    }

    pub fn number_of_blanks(&self) -> usize {
        self.fields.ruleset.rules.cells() - self.number_of_givens()
    }

    /// Compares the answer with the only solution, in the blank cells.
    pub fn matching(&self) -> Option<usize> {
        let (puzzle, answer) = (self.unique_puzzle()?, &self.checked()?.digits);
        let (givens, solution) = (puzzle.givens(), puzzle.findings.solution(puzzle.index));
        let is_blank = |&cell: &usize| !givens.is_given(cell);
        let matches = |&cell: &usize| answer[cell] == solution[cell];
        let matching = (0..solution.len()).filter(is_blank).filter(matches);
        Some(matching.count())
    }

    /// Returns the cells in which the answer, with its blank cells, is not the only solution.
    /// `None` if there is none.
    pub fn wrong_cells(&self) -> Option<Value<'static>> {
        let (puzzle, answer) = (self.unique_puzzle()?, &self.checked()?.digits);
        let solution = puzzle.findings.solution(puzzle.index);
        self.places((0..solution.len()).filter(|&cell| answer[cell] != solution[cell]))
    }

    /// `None` if there are no cells.
    pub fn places(&self, cells: impl Iterator<Item = usize>) -> Option<Value<'static>> {
        let side = self.fields.ruleset.rules.side();
        let places: Vec<_> = cells.map(|cell| place_value(cell, side)).collect();
        (!places.is_empty()).then(|| Value::list(places, ","))
    }

    /// The score has four decimals. `None` if there is no blank cell.
    pub fn score(&self) -> Option<String> {
        match (self.matching()?, self.number_of_blanks()) {
            (matching, blanks @ 1..) => Some(format!("{:.4}", matching as f64 / blanks as f64)),
            _ => None,
        }
    }

    /// `None` if the output line shows no solution.
    pub fn second(&self) -> Option<Value<'p>> {
        let cells = self.solution?.len();
        // `shown` holds the solutions one after the other.
        Some(self.digits(self.puzzle?.details().shown.get(cells..2 * cells)?))
    }

    /// The number of solutions, such as `2`, or `2+` if there are or can be more.
    pub fn number_of_solutions(&self) -> Option<Value<'_>> {
        let puzzle = self.puzzle?;
        // With `--verify`, the status of the line is that of the answer; with `--all`, the last
        // line can be `unknown` after several solutions.
        if [Some(self.status), puzzle.status()].contains(&Some(Status::Unknown)) {
            return None;
        }
        let details = puzzle.details();
        let max_count = self.options().max_count();
        let is_more = details.solutions > max_count || !details.complete;
        Some(if is_more {
            Value::text(format!("{}+", details.solutions.min(max_count)))
        } else {
            Value::Integer(details.solutions)
        })
    }

    /// Only a puzzle with exactly one solution has the solution of a person.
    fn person(&self) -> Option<Person<'p>> {
        Some(self.person_of(self.unique_puzzle()?))
    }

    /// The puzzle need not have one solution.
    fn person_of(&self, puzzle: PuzzleView<'p>) -> Person<'p> {
        Person {
            puzzle,
            paper: self.paper,
            symbols: self.symbols(),
            has_objects: self.settings.output.has_objects(),
            goes_on: puzzle.ruleset().rules.is_classic_9x9(),
            is_limited: self.options().techniques.is_some(),
            max_time: self.options().max_time,
        }
    }

    pub fn person_solution(&self) -> Option<&PersonSolution> {
        let person = self.person()?;
        let uses_steps = || self.settings.columns.have_any_of(&Column::OF_PATH);
        Some(self.computed.person_solution.get_or_init(|| person.solve(uses_steps())))
    }

    fn hint(&self) -> Option<&ControlFlow<(), Option<Step>>> {
        let person = self.person()?;
        Some(self.computed.hint.get_or_init(|| person.hint()))
    }

    pub fn next_step(&self) -> Option<Value<'static>> {
        match self.hint()? {
            ControlFlow::Continue(Some(step)) => Some(self.person()?.step(step)),
            _ => None,
        }
    }

    /// Of a puzzle without solution, the steps up to a contradiction.
    pub fn path(&self) -> Option<Value<'p>> {
        match self.status {
            Status::None => Some(self.person_of(self.puzzle?).path_to_contradiction()),
            _ => self.steps(&Column::Path),
        }
    }

    pub fn steps(&self, column: &Column) -> Option<Value<'p>> {
        Some(self.person()?.steps(column, self.person_solution()?))
    }

    pub fn reached(&self, column: &Column) -> Option<Value<'p>> {
        self.person_of(self.puzzle?).reached(column)
    }

    pub fn pencilmarks(&self) -> Option<Value<'p>> {
        Some(self.person_of(self.puzzle?).pencilmarks())
    }

    fn canonical_form(&self, puzzle: PuzzleView<'_>) -> Option<&[u8]> {
        self.computed.canonical_form.get_or_init(|| puzzle.canonical_form()).as_deref()
    }

    pub fn canonical_image(&self) -> Option<&CanonicalImage> {
        let puzzle = self.puzzle?;
        self.computed.canonical_image.get_or_init(|| puzzle.canonical_image()).as_ref()
    }

    fn rating(&self) -> ControlFlow<(), Option<Rating>> {
        let max_time = self.options().max_time;
        *self.computed.rating.get_or_init(|| match self.unique_puzzle() {
            Some(puzzle) if puzzle.ruleset().rules.is_classic_9x9() => {
                puzzle.rating(self.canonical_form(puzzle), max_time)
            }
            _ => ControlFlow::Continue(None),
        })
    }

    pub fn known_rating(&self) -> Option<Rating> {
        self.rating().continue_value().flatten()
    }

    pub fn class(&self) -> Option<&'p str> {
        self.options().classes.of(self.known_rating()?.difficulty.tenths())
    }

    /// Returns a message if `--max-time` ended the rating or the search for steps.
    pub fn lacks_by_time(&self) -> Option<&'static str> {
        let uses = |columns: &[Column]| self.settings.columns.have_any_of(columns);
        self.options().max_time?;
        if uses(&Column::OF_RATING) && self.rating().is_break() {
            return Some("--max-time ended the rating, so its columns are - here");
        }
        if uses(&[Column::Hint]) && self.hint().is_some_and(ControlFlow::is_break) {
            return Some("--max-time ended the search for a step, so hint is - here");
        }
        let is_time_up = |solution: &PersonSolution| solution.is_time_up;
        let ends_early = uses(&Column::OF_PATH) && self.person_solution().is_some_and(is_time_up);
        ends_early.then_some("--max-time ended the search for steps, so path ends in time here")
    }

    fn symbol(&self, digit: u8) -> char {
        self.symbols().of_digit(digit)
    }

    fn unique_puzzle(&self) -> Option<PuzzleView<'p>> {
        let is_unique = |puzzle: &PuzzleView<'_>| puzzle.status() == Some(Status::Unique);
        self.puzzle.filter(is_unique)
    }

    /// Returns the digits, then the jigsaw regions as letters, if there are any, then the cages as
    /// `Ruleset::write_cages` writes them, if there are any.
    pub fn canonical(&self) -> Option<Value<'static>> {
        let puzzle = self.puzzle?;
        let ruleset = puzzle.ruleset();
        // N² digits; with jigsaw regions, N² region numbers from 0; with cages, N² sums and N² cage
        // numbers.
        let form = self.canonical_form(puzzle)?;
        let (grid, rest) = form.split_at(puzzle.batch.boards.cells());
        let (regions, cages) = rest.split_at(match ruleset.rules.jigsaw_regions() {
            [] => 0,
            _ => grid.len(),
        });
        let mut text = Vec::new();
        let alphabet = &self.options().alphabet;
        alphabet.write(grid, Case::default(), &mut text);
        text.extend(regions.iter().map(|region| b'A' + region));
        // Even without cages, the field has the boxes and diagonals that the line states.
        text.extend(ruleset.write_cages(&cages_of_image(cages)));
        Some(Value::Text(text.into()))
    }

    /// Returns the value of the column `image`: a text such as
    /// `transpose rows 2143 columns 1234 digits 3412`, or an object.
    pub fn image(&self) -> Option<Value<'static>> {
        let image = self.canonical_image()?;
        let number = |&number: &u8| Value::Integer(number.into());
        let list = |numbers: &[u8]| Value::list(numbers.iter().map(number).collect(), "");
        let digits = image.digits.iter().map(|&digit| digit_value(self.symbol(digit)));
        let lists = [
            ("rows", list(&image.rows)),
            ("columns", list(&image.columns)),
            ("digits", Value::list(digits.collect(), "")),
        ];
        let mut text = Vec::from(if image.transposed { "transpose" } else { "" });
        for (name, list) in &lists {
            text.extend_from_slice(if text.is_empty() { b"" } else { b" " });
            text.extend_from_slice(format!("{name} ").as_bytes());
            list.write_text(&mut text);
        }
        let json = if image.transposed { "true" } else { "false" };
        let transposes = Value::Json { text: json.as_bytes().into(), json };
        let members = [("transpose", transposes)].into_iter().chain(lists);
        Some(Value::Object { text: text.into(), members: members.collect() })
    }
}
