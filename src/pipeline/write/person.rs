//! The values of the columns about the solution of a person: steps, boards, candidates.

use std::borrow::Cow;
use std::cell::RefCell;

use crate::pipeline::puzzle_view::{FITS, PuzzleView};
use crate::text::columns::Column;
use crate::text::symbols::{Alphabet, Case};
use crate::text::value::Value;
use engine::pencil::{Contradiction, End, Paper, Step, Technique};
use engine::puzzle::Givens;
use engine::verify::digits_and_candidates;

/// A person who solves with the techniques of the options, and writes in the symbols of the puzzle.
pub(in crate::pipeline) struct Person<'p> {
    pub puzzle: PuzzleView<'p>,
    /// Scratch: the memory that the techniques work in.
    pub paper: &'p RefCell<Paper>,
    pub alphabet: &'p Alphabet,
    pub case: Case,
    pub blank: u8,
    /// True if the form of the output has objects. In other forms, a step is a text.
    pub has_objects: bool,
}

pub(in crate::pipeline) struct PersonSolution {
    pub grade: &'static str,
    pub level: Option<usize>,
    pub number_of_steps: u32,
    is_stuck: bool,
    /// Empty unless the steps are recorded.
    steps: Vec<Step>,
}

impl Person<'_> {
    pub fn hint(&self) -> Option<Value<'static>> {
        let (pencil, givens) = (self.puzzle.pencil(), self.puzzle.givens_left());
        let hint = pencil.hint(givens, &mut self.paper.borrow_mut());
        hint.expect(FITS).map(|step| self.step(&step))
    }

    /// Recording the steps takes more time.
    pub fn solve(&self, records_steps: bool) -> PersonSolution {
        let (pencil, givens) = (self.puzzle.pencil(), self.puzzle.givens_left());
        let mut steps = Vec::new();
        let mut record = |step: &Step| steps.push(step.clone());
        let mut paper = self.paper.borrow_mut();
        let grading = if records_steps {
            pencil.solve_step_by_step(givens, &mut paper, &mut record)
        } else {
            pencil.solve(givens, &mut paper)
        };
        let grading = grading.expect(FITS);
        PersonSolution {
            grade: grading.grade(),
            level: grading.level(),
            number_of_steps: grading.steps,
            is_stuck: matches!(grading.end, End::Stuck(_)),
            steps,
        }
    }

    /// If the techniques get stuck, the last step is `search`, which `boards` does not show.
    pub fn steps(&self, column: &Column, solution: &PersonSolution) -> Value<'static> {
        let steps = &solution.steps;
        let search = solution.is_stuck.then_some(solution.grade);
        match column {
            Column::Techniques => count_techniques(steps, search),
            Column::Boards => self.boards(self.puzzle.givens_left(), steps),
            _ => {
                let mut items: Vec<Value<'_>> = steps.iter().map(|step| self.step(step)).collect();
                items.extend(search.map(|name| Value::Object {
                    text: name.as_bytes().into(),
                    members: vec![("technique", Value::text(name))],
                }));
                Value::list(items, "; ")
            }
        }
    }

    pub fn contradiction(&self) -> Option<(Contradiction, Vec<Step>)> {
        let mut steps = Vec::new();
        let mut record = |step: &Step| steps.push(step.clone());
        let mut paper = self.paper.borrow_mut();
        let (pencil, givens) = (self.puzzle.pencil(), self.puzzle.givens());
        let found = pencil.find_contradiction(givens, &mut paper, &mut record);
        Some((found.expect(FITS)?, steps))
    }

    /// Missing if the techniques need no step for it, or reach none.
    pub fn path_to_contradiction(&self) -> Value<'static> {
        let steps = self.contradiction().map(|(_, steps)| steps);
        let steps = steps.iter().flatten().map(|step| self.step(step));
        Value::list(steps.collect(), "; ")
    }

    fn step(&self, step: &Step) -> Value<'static> {
        let symbol = |digit| self.symbol(digit);
        let text = step.text(symbol);
        if !self.has_objects {
            return Value::text(text);
        }
        let candidate = |&(cell, digit): &(u16, u8)| {
            let cell = Value::text(step.place(cell).to_string());
            [("cell", cell), ("digit", digit_value(symbol(digit)))]
        };
        let mut members = vec![("technique", Value::text(step.technique.name()))];
        members.extend(step.placement.iter().flat_map(candidate));
        let pattern = step.pattern_text(symbol);
        if !pattern.is_empty() {
            let is_house = step.technique == Technique::HiddenSingle;
            members.push((if is_house { "house" } else { "pattern" }, Value::text(pattern)));
        }
        if step.placement.is_none() {
            let removed = step.removals.iter().map(|removal| Value::Object {
                text: Cow::default(),
                members: candidate(removal).into(),
            });
            members.push(("removed", Value::list(removed.collect(), " ")));
        }
        let text = text.into_bytes().into();
        Value::Object { text, members }
    }

    fn boards(&self, givens: Givens<'_>, steps: &[Step]) -> Value<'static> {
        let mut digits = match givens {
            Givens::Digits(digits) => digits.to_vec(),
            // Steps also place the digits of cells with one candidate.
            Givens::Candidates(sets) => vec![0; sets.len()],
        };
        let boards = steps.iter().filter_map(|step| {
            let (cell, digit) = step.placement?;
            digits[usize::from(cell)] = digit;
            Some(self.grid(&digits))
        });
        Value::list(boards.collect(), ";")
    }

    /// 0 is a blank.
    fn grid(&self, digits: &[u8]) -> Value<'static> {
        let symbols = digits.iter().map(|&digit| match digit {
            0 => self.blank,
            digit => self.symbol(digit) as u8,
        });
        Value::Grid(symbols.collect())
    }

    /// Returns `None` if the techniques lead to a contradiction.
    pub fn reached(&self, column: &Column) -> Option<Value<'static>> {
        let mut paper = self.paper.borrow_mut();
        let (pencil, givens) = (self.puzzle.pencil(), self.puzzle.givens_left());
        let grading = pencil.solve(givens, &mut paper).expect(FITS);
        (grading.end != End::Contradiction).then(|| match column {
            Column::Reached => self.grid(&paper.placed_digits()),
            _ => self.sets(paper.candidates()),
        })
    }

    /// Returns the candidates that a person writes down first: those that the givens leave.
    pub fn pencilmarks(&self) -> Value<'static> {
        let rules = &self.puzzle.ruleset().rules;
        let (_, sets) = digits_and_candidates(rules, self.puzzle.givens_left());
        self.sets(&sets)
    }

    /// Returns pencilmarks: N symbols for each cell, its digits and blanks.
    pub fn sets(&self, sets: &[u32]) -> Value<'static> {
        let side = sets.len().isqrt();
        let marks = sets.iter().flat_map(|set| {
            (1..=side as u8).map(move |digit| match set >> (digit - 1) & 1 {
                0 => self.blank,
                _ => self.symbol(digit) as u8,
            })
        });
        Value::Text(marks.collect())
    }

    fn symbol(&self, digit: u8) -> char {
        self.alphabet.symbol(digit, self.case)
    }
}

/// Counts how often steps use each technique, the hardest first: `naked-pair:2,hidden-single:54`.
/// `search` names the search that finishes a puzzle if the techniques do not. A search comes first,
/// because it is harder than every technique.
fn count_techniques(steps: &[Step], search: Option<&'static str>) -> Value<'static> {
    let mut counts: Vec<(&str, usize)> = search.map(|name| (name, 1)).into_iter().collect();
    for &(name, technique) in Technique::NAMES.iter().rev() {
        let used = steps.iter().filter(|step| step.technique == technique);
        counts.push((name, used.count()));
    }
    counts.retain(|(_, count)| *count > 0);
    if counts.is_empty() {
        return Value::Missing;
    }
    let texts: Vec<String> = counts.iter().map(|(name, count)| format!("{name}:{count}")).collect();
    let members = counts.into_iter().map(|(name, count)| (name, Value::number(count)));
    Value::Object { text: texts.join(",").into_bytes().into(), members: members.collect() }
}

/// The value is a number if the symbol is `0` to `9`.
pub(super) fn digit_value(symbol: char) -> Value<'static> {
    match symbol.to_digit(10) {
        Some(digit) => Value::Integer(digit.into()),
        None => Value::text(symbol),
    }
}
