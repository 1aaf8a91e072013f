//! The value of each column, from an entry and its findings. `write.rs` arranges the columns.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::fmt::Display;

use super::batch::Batch;
use super::entry::{Entry, EntryState, ExtraFields, TaskEntries};
use super::equivalent::Equivalent;
use super::findings::{BatchFindings, Minimality, SearchDetails};
use super::options::{Input, Mode, Options};
use super::rulesets::Ruleset;
use super::settings::{OutputFormat, Settings};
use crate::canonical::cages_of_image;
use crate::error::escaped;
use crate::pencil::{Difficulty, End, Paper, Pencil, Step, Technique};
use crate::puzzle::Givens;
use crate::solver::GuessLimit;
use crate::text::columns::Column;
use crate::text::csv::CsvHeader;
use crate::text::record::{Field, RecordFields, is_missing};
use crate::text::size::pencilmark_side;
use crate::text::symbols::Case;
use crate::verdict::Status;
use crate::verify::visible_contradiction;

/// An entry and the results that one of its output lines shows.
pub(super) struct EntryView<'p, 'a> {
    pub settings: &'p Settings,
    pub entries: &'p TaskEntries<'a>,
    pub entry: &'p Entry<'a>,
    /// The index of the entry in its task.
    pub index: usize,
    pub status: Status,
    /// The puzzle in its batch. `None` if the line is rejected, or if its answer was checked and
    /// the puzzle not solved.
    pub puzzle: Option<PuzzleView<'p>>,
    /// The solution to write. With `--all`, that of this output line, if it has one. In other
    /// modes, the first one found, if the findings about the puzzle have the status `unique`
    /// or `multiple`.
    pub solution: Option<&'p [u8]>,
    /// The equivalent to write, with `--shuffle`.
    pub equivalent: Option<&'p Equivalent>,
    /// Scratch: the memory that [`Pencil`] works in.
    pub paper: &'p RefCell<Paper>,
    /// The grade, its level and the number of steps of the puzzle, computed once for these
    /// columns.
    pub grading: OnceCell<(&'static str, Option<usize>, u32)>,
}

/// The reason why the library accepts the puzzles of a batch.
const FITS: &str = "the puzzle fits its rules";

/// A puzzle of a batch.
#[derive(Clone, Copy)]
pub(super) struct PuzzleView<'p> {
    pub batch: &'p Batch,
    pub findings: &'p BatchFindings,
    /// Its index in the batch.
    pub index: usize,
}

impl<'p, 'a> EntryView<'p, 'a> {
    /// Appends the value of a column. Appends nothing or `-` if it has no value. `index` is the
    /// index of the column in `Options::columns`.
    pub fn write_column(&self, index: usize, column: &Column, bytes: &mut Vec<u8>) {
        let alphabet = &self.settings.options.alphabet;
        let case = self.entry.case;
        let text = |bytes: &mut Vec<u8>, text: &str| bytes.extend_from_slice(text.as_bytes());
        match column {
            Column::Input => bytes.extend_from_slice(self.entry.line),
            Column::File => text(bytes, &escaped(self.entries.task.source_name, usize::MAX)),
            Column::Line => text(bytes, &self.entries.number(self.index).to_string()),
            Column::Status => text(bytes, self.status.name()),
            Column::Reason => text(bytes, &self.reason()),
            _ if self.entry.is_rejected() => self.write_rejected(index, bytes),
            Column::Puzzle => bytes.extend_from_slice(&self.puzzle_field()),
            Column::Answer => bytes.extend_from_slice(self.answer_field()),
            Column::Regions
                if self.settings.format == OutputFormat::Columns
                    && self.writes_rules_as_fields() =>
            {
                bytes.extend_from_slice(or_missing(self.regions_in_use()));
                self.add_cages(bytes);
            }
            Column::Regions => bytes.extend_from_slice(self.regions_field()),
            Column::Cages => bytes.extend(self.cages_field()),
            Column::Rest => bytes.extend_from_slice(self.kept().map_or(&[], |it| it.fields.rest)),
            Column::Carried(name) => bytes.extend_from_slice(self.carried(name)),
            Column::Solution => match self.solution {
                Some(solution) => alphabet.write(solution, case, bytes),
                None => bytes.extend_from_slice(&self.entry.shown),
            },
            Column::Second => alphabet.write(self.second().unwrap_or_default(), case, bytes),
            Column::Solutions => text(bytes, &self.number_of_solutions()),
            Column::Guesses => write_known(self.puzzle.map(|it| it.details().guesses), bytes),
            Column::Givens => text(bytes, &self.number_of_givens().to_string()),
            Column::Blanks => text(bytes, &self.number_of_blanks().to_string()),
            Column::Matching => write_known(self.matching(), bytes),
            Column::Score => text(bytes, &self.score()),
            Column::Conflicts => write_known(self.kept().map(|it| it.conflicts), bytes),
            Column::Hint => text(bytes, &self.hint()),
            Column::Difficulty => write_known(self.difficulty(), bytes),
            Column::Grade | Column::Level | Column::Steps => text(bytes, &self.grading(column)),
            Column::Path | Column::Techniques | Column::Boards => {
                text(bytes, &self.solution_steps(column))
            }
            Column::Pencilmarks => self.write_pencilmarks(bytes),
            Column::Minimal => text(bytes, self.minimal()),
            Column::Candidates => {
                self.write_sets(self.puzzle.and_then(PuzzleView::candidates), bytes)
            }
            Column::Canonical => self.write_canonical(bytes),
        }
    }

    /// Returns the reason why the line is rejected, its answer is incorrect, its puzzle is `none`
    /// or `unknown`, or its column `minimal` or `candidates` has no value. Returns `-` for
    /// other lines, if only a search shows that the puzzle is `none`, and if it is not known
    /// which limit is the reason.
    fn reason(&self) -> Cow<'_, str> {
        let reason = match (self.status, self.puzzle) {
            (Status::None, Some(puzzle)) => {
                let rules = &puzzle.ruleset().rules;
                visible_contradiction(rules, puzzle.givens(), |digit| self.symbol(digit))
            }
            (Status::Unknown, Some(puzzle)) => self.limit_reached(puzzle).map(str::to_string),
            (_, Some(puzzle)) if puzzle.findings.reached_later_limit(puzzle.index) => {
                self.only_limit().map(str::to_string)
            }
            _ => None,
        };
        reason.map_or_else(|| self.entries.reason_of(self.entry).into(), Cow::Owned)
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

    /// Returns the limit that ended the search of an `unknown` puzzle: `guesses` or `time`, or
    /// `exact` if `--exact` is the reason. `None` if the guesses do not show which limit it
    /// was.
    fn limit_reached(&self, puzzle: PuzzleView<'_>) -> Option<&'static str> {
        let options = &self.settings.options;
        if options.exact && puzzle.details().complete {
            return Some("exact");
        }
        match (self.only_limit(), options.max_guesses) {
            (Some(limit), _) => Some(limit),
            // More than two solutions are wanted. Then the number of guesses does not always show
            // the limit: each solution raises the default limit
            // (`GuessLimit::Default`), and `--all` does not record the guesses of its second
            // search.
            _ if options.limits().solutions > 2 => None,
            (_, limit) => {
                let max_guesses = limit.for_rules(&puzzle.ruleset().rules);
                let is_time = puzzle.details().guesses < max_guesses;
                Some(if is_time { "time" } else { "guesses" })
            }
        }
    }

    /// Returns the contents of the column `puzzle`. If the user named no columns and the line
    /// states its rules, the layout and the cages follow the puzzle as fields, unless they are
    /// columns; in JSON, they have keys of their own.
    fn puzzle_field(&self) -> Cow<'_, [u8]> {
        match self.settings.format {
            _ if !self.settings.puzzle_has_rules => self.puzzle_symbols(),
            OutputFormat::Columns if self.writes_rules_as_fields() => {
                let mut field = self.puzzle_symbols().into_owned();
                if !self.settings.options.columns.contains(&Column::Regions) {
                    field.push(b'\t');
                    field.extend_from_slice(or_missing(self.regions_in_use()));
                    self.add_cages(&mut field);
                }
                Cow::Owned(field)
            }
            _ => self.puzzle_of_record(),
        }
    }

    /// Appends the cages to a layout, unless they are a column.
    fn add_cages(&self, layout: &mut Vec<u8>) {
        if !self.settings.options.columns.contains(&Column::Cages) {
            layout.push(b'\t');
            layout.extend_from_slice(or_missing(&self.cages_field()));
        }
    }

    /// Returns true if the puzzle field of the line states the rules of the puzzle.
    fn is_described(&self) -> bool {
        self.kept().is_some_and(|kept| kept.described.is_some())
    }

    /// Returns true if the puzzle field of the line states the rules, and the output line writes
    /// the puzzle in fields instead.
    pub fn writes_rules_as_fields(&self) -> bool {
        // With `--shuffle`, the CSV record or JSON object itself shows the equivalent.
        let is_in_record =
            self.settings.options.input.has_named_columns() && self.equivalent.is_some();
        (self.settings.puzzle_has_rules || is_in_record) && self.is_described()
    }

    /// Returns the symbols of the puzzle. With CSV input, includes the layout and the cages for
    /// which the header has no column, as [`puzzle_and_fields_without_column`] does.
    fn puzzle_of_record(&self) -> Cow<'_, [u8]> {
        let puzzle = self.puzzle_symbols();
        let Some(header) = self.settings.header() else {
            return puzzle;
        };
        let fields = RecordFields {
            puzzle,
            regions: Some(self.regions_in_use().into()),
            cages: Some(self.or_missing_rules(self.cages_field().into())),
            ..RecordFields::default()
        };
        let options = &self.settings.options;
        let field = puzzle_and_fields_without_column(header, &fields, options);
        Cow::Owned(field.into_owned())
    }

    /// Returns the fields that replace those of a CSV record or a JSON object. `None` if the output
    /// line shows no equivalent.
    pub fn changed_fields(&self) -> Option<RecordFields<'_>> {
        fn unless_empty(field: Cow<'_, [u8]>) -> Option<Cow<'_, [u8]>> {
            Some(field).filter(|field| !field.is_empty())
        }
        let equivalent = self.equivalent?;
        let regions = (&equivalent.regions).into();
        Some(RecordFields {
            puzzle: (&equivalent.puzzle).into(),
            regions: unless_empty(self.or_missing_rules(regions)),
            cages: unless_empty(self.or_missing_rules(self.cages_field().into())),
            answer: unless_empty((&equivalent.answer).into()),
            ..RecordFields::default()
        })
    }

    /// Returns the layout of the line if the rules of the puzzle use it, otherwise an empty field.
    /// With `--shuffle`, it is the layout of the equivalent.
    pub fn regions_in_use(&self) -> &'p [u8] {
        let is_used = |ruleset: &Ruleset| !ruleset.rules.jigsaw_regions().is_empty();
        match self.settings.options.regions {
            None if self.ruleset().is_some_and(is_used) => self.regions_read(),
            _ => &[],
        }
    }

    /// Returns the layout of the equivalent, if there is one with a layout. Otherwise returns the
    /// layout field of the line, even if the rules do not use it. Returns an empty field if the
    /// layout field is missing or `-`, or if no fields are stored.
    fn regions_read(&self) -> &'p [u8] {
        let read = self.kept().and_then(|kept| kept.fields.regions.as_deref());
        let regions = match self.equivalent {
            Some(equivalent) if !equivalent.regions.is_empty() => Some(&*equivalent.regions),
            _ => read,
        };
        regions
            .filter(|field| !is_missing(field))
            .unwrap_or_default()
    }

    /// Returns the symbols of the equivalent if there is one. Otherwise returns those of the puzzle
    /// before `--reveal` or `--minimize` changes it. Empty if they are not kept.
    pub fn puzzle_read(&self) -> &'p [u8] {
        match (self.equivalent, self.settings.options.mode) {
            (Some(equivalent), _) => &equivalent.puzzle,
            // With `--verify`, `shown` is the answer.
            (None, Mode::Verify { .. }) => self.kept().map_or(&[], |kept| &kept.fields.puzzle),
            (None, _) => &self.entry.shown,
        }
    }

    /// Returns the symbols of the puzzle. With `--shuffle`, they are those of the equivalent. With
    /// `--reveal` and `--minimize`, a puzzle with status `unique` is returned as the mode
    /// changed it.
    fn puzzle_symbols(&self) -> Cow<'_, [u8]> {
        let options = &self.settings.options;
        let text = self.puzzle_read();
        let (Some(puzzle), Status::Unique) = (self.puzzle, self.status) else {
            return Cow::Borrowed(text);
        };
        match options.mode {
            Mode::Reveal(place) => {
                let solution = puzzle.findings.solution(puzzle.index);
                Cow::Owned(self.with_cell(text, place.cell(solution.len().isqrt()), solution))
            }
            Mode::Minimize => {
                let left = puzzle.minimized().unwrap_or_default();
                let blank = options.alphabet.blank_of(text);
                let cells = text.iter().zip(left);
                let kept = cells.map(|(&symbol, &digit)| if digit == 0 { blank } else { symbol });
                Cow::Owned(kept.collect())
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// Returns the digits of a field. `None` if it is not a grid of the puzzle's side, or if
    /// [`ruleset`](EntryView::ruleset) returns `None`.
    pub fn digits_of(&self, field: &[u8]) -> Option<Vec<u8>> {
        let rules = &self.ruleset()?.rules;
        let alphabet = &self.settings.options.alphabet;
        let mut digits = Vec::new();
        let is_grid =
            field.len() == rules.cells() && alphabet.read(field, rules.side(), &mut digits).is_ok();
        is_grid.then_some(digits)
    }

    /// Returns [`Equivalent::ruleset`] if it is set, otherwise the rules of the puzzle. `None` if
    /// the line is rejected, or if its answer was only checked and nothing is kept of the
    /// puzzle.
    pub fn ruleset(&self) -> Option<&'p Ruleset> {
        let equivalent = self.equivalent.and_then(|it| it.ruleset.as_deref());
        if equivalent.is_some() {
            return equivalent;
        }
        match self.puzzle {
            Some(puzzle) => Some(puzzle.ruleset()),
            None => self.kept()?.ruleset.as_deref(),
        }
    }

    /// Writes a column of a rejected line whose value depends on the fields of the line. Writes the
    /// line itself for the first column that [shows a grid](Column::shows_grid), and nothing
    /// for the others.
    fn write_rejected(&self, index: usize, bytes: &mut Vec<u8>) {
        let columns = &self.settings.options.columns;
        if columns.iter().position(Column::shows_grid) == Some(index) {
            // Among columns separated by tabs, the line stays one column with spaces in place of
            // its tabs. JSON escapes tabs.
            let keeps_tabs = self.settings.format == OutputFormat::Object;
            let is_replaced = |byte: u8| byte == b'\t' && !keeps_tabs;
            let replaced = |&byte: &u8| if is_replaced(byte) { b' ' } else { byte };
            bytes.extend(self.entry.line.iter().map(replaced));
        }
    }

    fn kept(&self) -> Option<&'p ExtraFields<'a>> {
        self.entries.kept_of(self.entry)
    }

    /// Returns the value of the column `answer`.
    fn answer_field(&self) -> &'p [u8] {
        if let Some(equivalent) = self.equivalent {
            return &equivalent.answer;
        }
        if self.settings.options.verifies() {
            return &self.entry.shown;
        }
        let answer = self.kept().and_then(|kept| kept.fields.answer.as_deref());
        answer.unwrap_or_default()
    }

    /// Returns the value of the column `regions`: the layout of `--regions`, if the variants use
    /// it, otherwise that of the equivalent or the line.
    fn regions_field(&self) -> &'p [u8] {
        let options = &self.settings.options;
        match &options.regions {
            Some(regions) if options.variants.have_regions() => regions,
            _ => self.regions_read(),
        }
    }

    /// Returns the value of the column `cages`.
    pub fn cages_field(&self) -> Vec<u8> {
        let field = |ruleset: &Ruleset| ruleset.write_cages(ruleset.rules.cages());
        self.ruleset().map(field).unwrap_or_default()
    }

    /// Returns a layout or cages. For a puzzle that states its rules, `-` takes the place of an
    /// empty field: what the record has in that field is not used, and the options that read
    /// the output expect both fields.
    fn or_missing_rules<'f>(&self, field: Cow<'f, [u8]>) -> Cow<'f, [u8]> {
        match field.is_empty() && self.is_described() {
            true => Cow::Borrowed(b"-"),
            false => field,
        }
    }

    /// Returns a field that is only copied to the output, by its name in `--fields`. Empty if the
    /// line ends before it.
    fn carried(&self, name: &str) -> &'p [u8] {
        let Input::Named(names) = &self.settings.options.input else {
            return &[];
        };
        let index = names.index_of(name);
        let field = index.and_then(|index| self.kept()?.fields.named.get(index));
        field.copied().unwrap_or_default()
    }

    /// Returns the symbols of a puzzle, with the digit of the solution in this cell.
    fn with_cell(&self, text: &[u8], cell: usize, solution: &[u8]) -> Vec<u8> {
        let alphabet = &self.settings.options.alphabet;
        let symbol = alphabet.symbol(solution[cell], self.entry.case) as u8;
        let mut text = text.to_vec();
        if text.len() == solution.len() {
            text[cell] = symbol;
        } else {
            // A pencilmark puzzle has N symbols in each cell. In `cell`, the solution's digit keeps
            // its symbol, and all other symbols become blanks.
            let side = solution.len().isqrt();
            let blank = alphabet.blank_of(&text);
            let marks = &mut text[cell * side..][..side];
            marks.fill(blank);
            marks[usize::from(solution[cell]) - 1] = symbol;
        }
        text
    }

    /// Returns the number of givens of the puzzle that the column `puzzle` shows, including a cell
    /// that `--reveal` filled. In a pencilmark puzzle, a cell with exactly one candidate counts
    /// as a given. Returns 0 if the answer was only checked and nothing is kept of the puzzle.
    fn number_of_givens(&self) -> usize {
        let Some(puzzle) = self.puzzle else {
            return self.kept().map_or(0, |kept| kept.number_of_givens);
        };
        let is_revealed =
            matches!(self.settings.options.mode, Mode::Reveal(_)) && self.status == Status::Unique;
        // An equivalent has as many givens as its original.
        puzzle.givens_left().count() + usize::from(is_revealed)
    }

    /// Returns the number of cells of the puzzle that `number_of_givens` does not count.
    fn number_of_blanks(&self) -> usize {
        let cells = self.ruleset().map_or(0, |ruleset| ruleset.rules.cells());
        cells - self.number_of_givens()
    }

    /// Returns the number of blank cells in which the answer has the digit of the only solution.
    /// `None` unless `unique_puzzle` returns the puzzle.
    fn matching(&self) -> Option<usize> {
        let (puzzle, kept) = (self.unique_puzzle()?, self.kept()?);
        let (givens, solution) = (puzzle.givens(), puzzle.findings.solution(puzzle.index));
        let is_blank = |&cell: &usize| !givens.is_given(cell);
        let matches = |&cell: &usize| kept.answer[cell] == solution[cell];
        let matching = (0..solution.len()).filter(is_blank).filter(matches);
        Some(matching.count())
    }

    /// Returns the result of `matching` divided by the number of blank cells, with four decimals.
    /// Empty if `matching` returns `None` or there is no blank cell.
    fn score(&self) -> String {
        match (self.matching(), self.number_of_blanks()) {
            (Some(matching), blanks @ 1..) => format!("{:.4}", matching as f64 / blanks as f64),
            _ => String::new(),
        }
    }

    /// Returns the second solution that was found, if it is stored and the output line shows a
    /// solution. `shown` holds the solutions one after the other, so the second one begins
    /// after one grid.
    fn second(&self) -> Option<&'p [u8]> {
        let cells = self.solution?.len();
        self.puzzle?.details().shown.get(cells..2 * cells)
    }

    /// Returns the number of solutions, such as `2`. Adds a `+`, as in `2+`, if there are more, or
    /// if the search ended before it could rule that out. Empty if the status of the line is
    /// `unknown` or no puzzle was solved.
    fn number_of_solutions(&self) -> String {
        let Some(puzzle) = self.puzzle else {
            return String::new();
        };
        let details = puzzle.details();
        let max_count = self.settings.options.max_count();
        match self.status {
            Status::Unknown => String::new(),
            _ if details.solutions > max_count || !details.complete => {
                format!("{}+", details.solutions.min(max_count))
            }
            _ => details.solutions.to_string(),
        }
    }

    /// Returns the next step of a person. Empty if `unique_puzzle` returns `None`, if no digit is
    /// left to place, or if no technique applies.
    fn hint(&self) -> String {
        let Some(puzzle) = self.unique_puzzle() else {
            return String::new();
        };
        let mut paper = self.paper.borrow_mut();
        let hint = puzzle.pencil().hint(puzzle.givens_left(), &mut paper);
        let hint = hint.expect(FITS);
        let symbol = |digit| self.symbol(digit);
        hint.map(|step| step.text(symbol)).unwrap_or_default()
    }

    /// Returns the value of the column `grade`, `level` or `steps`. Empty if `unique_puzzle`
    /// returns `None`.
    fn grading(&self, column: &Column) -> String {
        let Some(puzzle) = self.unique_puzzle() else {
            return String::new();
        };
        let (grade, level, steps) = self.grading.get_or_init(|| {
            let mut paper = self.paper.borrow_mut();
            let grading = puzzle.pencil().solve(puzzle.givens_left(), &mut paper);
            let grading = grading.expect(FITS);
            (grading.grade(), grading.level(), grading.steps)
        });
        match column {
            Column::Steps => steps.to_string(),
            Column::Level => level.map_or_else(String::new, |level| level.to_string()),
            _ => grade.to_string(),
        }
    }

    /// Returns the difficulty of the canonical form, so that equivalent puzzles have the same.
    /// `None` if `unique_puzzle` returns `None`, if no cell is blank, or if the puzzle is not a
    /// classic 9x9.
    fn difficulty(&self) -> Option<Difficulty> {
        let puzzle = self.unique_puzzle()?;
        let Givens::Digits(grid) = puzzle.givens_left() else {
            return None;
        };
        let ruleset = puzzle.ruleset();
        if !ruleset.rules.is_classic_9x9() {
            return None;
        }
        let mut form = Vec::new();
        ruleset.canonical()?.form(grid, &mut form).expect(FITS);
        let form = form.try_into().expect("the form is a puzzle alone");
        Difficulty::of_puzzle(&form)
    }

    /// Returns the value of the column `path`, `techniques` or `boards`. Empty if `unique_puzzle`
    /// returns `None`.
    fn solution_steps(&self, column: &Column) -> String {
        let Some(puzzle) = self.unique_puzzle() else {
            return String::new();
        };
        let (pencil, givens) = (puzzle.pencil(), puzzle.givens_left());
        let mut steps: Vec<Step> = Vec::new();
        let mut record = |step: &Step| steps.push(step.clone());
        let mut paper = self.paper.borrow_mut();
        let grading = pencil.solve_step_by_step(givens, &mut paper, &mut record);
        let grading = grading.expect(FITS);
        // The techniques do not solve every puzzle. If they get stuck, a search is the last step,
        // which the column `boards` does not show.
        let search = match grading.end {
            End::Stuck(_) => Some(grading.grade()),
            _ => None,
        };
        match column {
            Column::Techniques => count_techniques(&steps, search),
            Column::Boards => self.boards(givens, &steps),
            _ => {
                let texts = steps
                    .iter()
                    .map(|step| step.text(|digit| self.symbol(digit)));
                let texts: Vec<String> = texts.chain(search.map(str::to_string)).collect();
                texts.join("; ")
            }
        }
    }

    /// Returns the grid after each step that places a digit, separated by `;`.
    fn boards(&self, givens: Givens<'_>, steps: &[Step]) -> String {
        let mut digits = match givens {
            Givens::Digits(digits) => digits.to_vec(),
            // All cells are blank at first, because steps also place the digits of cells with one
            // pencilmark.
            Givens::Candidates(sets) => vec![0; sets.len()],
        };
        let blank = char::from(self.settings.options.alphabet.blank_of(&self.entry.shown));
        let boards = steps.iter().filter_map(|step| {
            let (cell, digit) = step.placement?;
            digits[usize::from(cell)] = digit;
            let symbols = digits.iter().map(|&digit| match digit {
                0 => blank,
                digit => self.symbol(digit),
            });
            Some(symbols.collect())
        });
        boards.collect::<Vec<String>>().join(";")
    }

    /// Returns the symbol of a digit, in the [`Case`] of the puzzle.
    fn symbol(&self, digit: u8) -> char {
        let alphabet = &self.settings.options.alphabet;
        alphabet.symbol(digit, self.entry.case)
    }

    fn minimal(&self) -> &'static str {
        match self.puzzle.and_then(|it| it.findings.minimal[it.index]) {
            Some(Minimality::Yes) => "yes",
            Some(Minimality::No) => "no",
            Some(Minimality::Unknown | Minimality::NoGivens) | None => "",
        }
    }

    /// Returns the puzzle if its search found that it has exactly one solution, and `--exact` has
    /// not failed for it.
    fn unique_puzzle(&self) -> Option<PuzzleView<'p>> {
        let is_unique =
            |it: &PuzzleView<'_>| it.findings.statuses[it.index] == Some(Status::Unique);
        self.puzzle.filter(is_unique)
    }

    /// Writes, as pencilmarks, the candidates of each cell that singles, cage combinations and
    /// locked candidates leave. Writes nothing if the entry has no puzzle in a batch, or if
    /// these techniques lead to a contradiction.
    fn write_pencilmarks(&self, bytes: &mut Vec<u8>) {
        let mut paper = self.paper.borrow_mut();
        let sets = self.puzzle.and_then(|puzzle| {
            let (pencil, givens) = (puzzle.pencil(), puzzle.givens_left());
            pencil.candidates_after(Technique::LockedCandidates, givens, &mut paper)
        });
        self.write_sets(sets, bytes);
    }

    /// Writes sets of digits, one for each cell, as pencilmarks: N symbols for each cell, its
    /// digits and blanks. Writes nothing for `None`.
    fn write_sets(&self, sets: Option<&[u32]>, bytes: &mut Vec<u8>) {
        let Some(sets) = sets else { return };
        let alphabet = &self.settings.options.alphabet;
        let blank = alphabet.blank_of(&self.entry.shown);
        for set in sets {
            // Bit d-1 is digit d; `digit` counts from 0 here.
            bytes.extend((0..sets.len().isqrt()).map(|digit| match set >> digit & 1 {
                0 => blank,
                _ => alphabet.symbol(digit as u8 + 1, self.entry.case) as u8,
            }));
        }
    }

    /// Writes the canonical form: the digits, then the jigsaw regions as letters, if there are any,
    /// then the field of [`Ruleset::write_cages`], which can be empty. Writes nothing if the
    /// entry has no puzzle in a batch, for a pencilmark puzzle, and for rules without canonical
    /// forms.
    fn write_canonical(&self, bytes: &mut Vec<u8>) {
        let Some(puzzle) = self.puzzle else { return };
        let Givens::Digits(grid) = puzzle.givens_left() else {
            return;
        };
        let Some(canonical) = puzzle.ruleset().canonical() else {
            return;
        };
        // N² digits; with jigsaw regions, N² region numbers from 0; with cages, N² sums and N² cage
        // numbers.
        let mut form = Vec::new();
        canonical.form(grid, &mut form).expect(FITS);
        let ruleset = puzzle.ruleset();
        let (grid, rest) = form.split_at(grid.len());
        let (regions, cages) = rest.split_at(match ruleset.rules.jigsaw_regions() {
            [] => 0,
            _ => grid.len(),
        });
        let alphabet = &self.settings.options.alphabet;
        alphabet.write(grid, Case::default(), bytes);
        bytes.extend(regions.iter().map(|region| b'A' + region));
        // Even without cages, this writes the boxes and diagonals if those that the line states
        // differ from those of the options.
        bytes.extend(ruleset.write_cages(&cages_of_image(cages)));
    }
}

/// Returns the puzzle field of a CSV record, with the layout and the cages for which the header has
/// no columns. Adds each of the two if the options read it or it is not empty.
///
/// The parts follow each other without a separator if `included` in fields.rs can split them by
/// their length. Otherwise a space separates them, and the layout, or `-`, precedes cages even if
/// the header has a column for layouts.
pub(super) fn puzzle_and_fields_without_column<'f>(
    header: &CsvHeader,
    fields: &'f RecordFields<'_>,
    options: &Options,
) -> Cow<'f, [u8]> {
    let expected = options.expected_fields();
    let puzzle = &*fields.puzzle;
    let regions = fields.regions.as_deref().unwrap_or_default();
    let cages = fields.cages.as_deref().unwrap_or_default();
    let adds_regions =
        !header.has_column(Field::Regions) && (expected.regions || !regions.is_empty());
    let adds_cages = !header.has_column(Field::Cages) && (expected.cages || !cages.is_empty());
    if !(adds_regions || adds_cages) {
        return Cow::Borrowed(puzzle);
    }
    // `included` in fields.rs splits a field of three equal parts if the options read both the
    // layout and the cages. It takes the second of two parts for the layout if the options read
    // layouts, otherwise for the cages. So the parts are joined without spaces only if it takes
    // each of them for the field that it is, and each is as long as the puzzle.
    let has_expected_parts = if adds_cages {
        expected.cages && expected.regions == adds_regions
    } else {
        expected.regions
    };
    let regions_fit = !adds_regions || regions.len() == puzzle.len();
    let cages_fit = !adds_cages || cages.len() == puzzle.len();
    if has_expected_parts && regions_fit && cages_fit {
        let regions = if adds_regions { regions } else { b"" };
        let cages = if adds_cages { cages } else { b"" };
        let joined = [puzzle, regions, cages].concat();
        // A 16x16 and its layout have 512 symbols, as the pencilmarks of an 8x8.
        if !options.pencilmarks || pencilmark_side(joined.len()).is_none() {
            return Cow::Owned(joined);
        }
    }
    let mut parts = vec![puzzle, or_missing(regions)];
    parts.extend(adds_cages.then(|| or_missing(cages)));
    Cow::Owned(parts.join(&b' '))
}

/// Returns the field, or `-` if it is empty.
fn or_missing(field: &[u8]) -> &[u8] {
    if field.is_empty() { b"-" } else { field }
}

/// Appends a number, or nothing if it is unknown.
fn write_known(number: Option<impl Display>, bytes: &mut Vec<u8>) {
    if let Some(number) = number {
        bytes.extend_from_slice(number.to_string().as_bytes());
    }
}

/// Formats how often steps use each technique, the hardest first: `naked-pair:2,hidden-single:54`.
/// `search` names the search that finishes a puzzle if the techniques do not. A search comes first,
/// because it is harder than every technique.
fn count_techniques(steps: &[Step], search: Option<&str>) -> String {
    let mut counts = Vec::new();
    counts.extend(search.map(|name| format!("{name}:1")));
    for &(name, technique) in Technique::NAMES.iter().rev() {
        let used = steps.iter().filter(|step| step.technique == technique);
        match used.count() {
            0 => {}
            count => counts.push(format!("{name}:{count}")),
        }
    }
    counts.join(",")
}

impl<'p> PuzzleView<'p> {
    /// Returns the puzzle of an entry, if it has one in a batch.
    pub fn of(
        entry: &Entry<'_>,
        batches: &'p [Batch],
        findings: &'p [BatchFindings],
    ) -> Option<PuzzleView<'p>> {
        let EntryState::ToSolve { batch, index } = entry.state else {
            return None;
        };
        Some(PuzzleView {
            batch: &batches[batch as usize],
            findings: &findings[batch as usize],
            index: index as usize,
        })
    }

    /// Returns the first solution found, if the findings about the puzzle have the status `unique`
    /// or `multiple`.
    pub fn solution(self) -> Option<&'p [u8]> {
        match self.findings.statuses[self.index] {
            Some(Status::Unique | Status::Multiple) => Some(self.findings.solution(self.index)),
            _ => None,
        }
    }

    fn candidates(self) -> Option<&'p [u32]> {
        self.findings.candidates(self.index)
    }

    pub fn details(self) -> &'p SearchDetails {
        &self.findings.details[self.index]
    }

    fn ruleset(self) -> &'p Ruleset {
        self.batch.rules.ruleset(self.index)
    }

    fn pencil(self) -> &'p Pencil {
        self.ruleset().solver.pencil()
    }

    /// Returns the givens as they were read.
    fn givens(self) -> Givens<'p> {
        self.batch.givens(self.index)
    }

    /// Returns the digits that `--minimize` left, if it ended with a result for this puzzle.
    fn minimized(self) -> Option<&'p [u8]> {
        self.findings.minimized.get(self.index)?.as_deref()
    }

    /// Returns the givens without those that `--minimize` removed.
    fn givens_left(self) -> Givens<'p> {
        match self.minimized() {
            Some(left) => Givens::Digits(left),
            None => self.givens(),
        }
    }
}
