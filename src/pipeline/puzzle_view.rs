//! The view of a puzzle in its batch, with the findings of the solvers about it.

use std::ops::ControlFlow;
use std::time::Duration;

use super::batch::Batch;
use super::entry::Entry;
use super::findings::{BatchFindings, Minimality, SearchDetails};
use super::rulesets::Ruleset;
use crate::text::value::Value;
use engine::canonical::CanonicalImage;
use engine::pencil::{Pencil, Rating};
use engine::puzzle::Givens;
use engine::rules::Place;
use engine::solver::deadline::Deadline;
use engine::verdict::Status;

/// The message for `expect`: why the library returns no error for a puzzle of a batch.
pub(super) const FITS: &str = "the puzzle fits its rules";

/// Such as `r1c2`.
pub(super) fn place_value(cell: usize, side: usize) -> Value<'static> {
    Value::text(Place::of(cell, side).to_string())
}

#[derive(Clone, Copy)]
pub(super) struct PuzzleView<'p> {
    pub batch: &'p Batch,
    pub findings: &'p BatchFindings,
    pub index: usize,
}

impl<'p> PuzzleView<'p> {
    pub fn of(
        entry: &Entry<'_>,
        batches: &'p [Batch],
        findings: &'p [BatchFindings],
    ) -> Option<PuzzleView<'p>> {
        let (batch, index) = entry.place()?;
        Some(PuzzleView { batch: &batches[batch], findings: &findings[batch], index })
    }

    pub fn solution(self) -> Option<&'p [u8]> {
        match self.status() {
            Some(Status::Unique | Status::Multiple) => Some(self.findings.solution(self.index)),
            _ => None,
        }
    }

    /// `None` until the first search ends. With `--verify`, a line has the status of its answer.
    pub fn status(self) -> Option<Status> {
        self.findings.statuses[self.index]
    }

    pub fn candidates(self) -> Option<&'p [u32]> {
        self.findings.candidates(self.index)
    }

    pub fn reached_later_limit(self) -> bool {
        self.findings.reached_later_limit(self.index)
    }

    fn minimality(self) -> Option<&'p Minimality> {
        self.findings.minimal[self.index].as_ref()
    }

    /// `None` if it is not known, or if there is no clue.
    pub fn is_minimal(self) -> Option<&'static str> {
        match self.minimality()? {
            Minimality::Yes => Some("yes"),
            Minimality::No(_) => Some("no"),
            Minimality::Unknown | Minimality::NoClues => None,
        }
    }

    /// The cells of the givens, then the names of cages and stated rules. `None` unless all
    /// redundant clues are known and there is one.
    pub fn redundant_clues(self) -> Option<Value<'static>> {
        let Minimality::No(Some(redundant)) = self.minimality()? else {
            return None;
        };
        let rules = &self.ruleset().rules;
        let givens = redundant.givens.iter().map(|&cell| place_value(cell, rules.side()));
        let others = redundant.others.iter().map(|&clue| Value::text(rules.clue_name(clue)));
        Some(Value::list(givens.chain(others).collect(), ","))
    }

    pub fn details(self) -> &'p SearchDetails {
        &self.findings.details[self.index]
    }

    pub fn ruleset(self) -> &'p Ruleset {
        self.batch.rules.ruleset(self.index)
    }

    pub fn pencil(self) -> &'p Pencil {
        self.ruleset().pencil()
    }

    pub fn givens(self) -> Givens<'p> {
        self.batch.givens(self.index)
    }

    pub fn minimized(self) -> Option<&'p [u8]> {
        self.findings.minimized.get(self.index)?.as_deref()
    }

    pub fn givens_left(self) -> Givens<'p> {
        match self.minimized() {
            Some(left) => Givens::Digits(left),
            None => self.givens(),
        }
    }

    /// Compares the first two solutions. `None` unless two are stored.
    pub fn differing_cells(self) -> Option<Value<'static>> {
        let cells = self.batch.boards.cells();
        let (first, others) = self.details().shown.split_at_checked(cells)?;
        let second = others.get(..cells)?;
        let differ = (0..cells).filter(|&cell| first[cell] != second[cell]);
        let places = differ.map(|cell| place_value(cell, self.batch.boards.side));
        Some(Value::list(places.collect(), ","))
    }

    /// Rates a classic 9x9 with one solution by its canonical form, so that equivalents have one
    /// difficulty. `None` if no cell is blank, or without a form. Breaks after `max_time`.
    pub fn rating(
        self,
        form: Option<&[u8]>,
        max_time: Option<Duration>,
    ) -> ControlFlow<(), Option<Rating>> {
        let Some(form) = form else {
            return ControlFlow::Continue(None);
        };
        let deadline = Deadline::from_now(max_time);
        let is_time_up = || deadline.is_some_and(Deadline::is_past);
        let form = form.try_into().expect("the form is a puzzle alone");
        Rating::of_puzzle_until(form, &is_time_up)
    }

    pub fn canonical_form(self) -> Option<Vec<u8>> {
        let Givens::Digits(grid) = self.givens_left() else {
            return None;
        };
        let mut form = Vec::new();
        let canonical = self.ruleset().canonical()?;
        canonical.form(grid, &mut form).expect(FITS);
        Some(form)
    }

    pub fn canonical_image(self) -> Option<CanonicalImage> {
        match self.givens_left() {
            Givens::Digits(grid) => Some(self.ruleset().canonical()?.image(grid).expect(FITS)),
            Givens::Candidates(_) => None,
        }
    }
}
