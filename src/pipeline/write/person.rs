//! The values of the columns about the solution of a person: steps, boards, candidates.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::pipeline::puzzle_view::{FITS, PuzzleView};
use crate::text::columns::Column;
use crate::text::symbols::Symbols;
use crate::text::value::Value;
use engine::pencil::{Claim, Contradiction, End, Inner, Paper, Part, Step, Technique};
use engine::puzzle::Givens;
use engine::solver::deadline::Deadline;
use engine::verify::digits_and_candidates;

/// A person who solves with the techniques of the options, and writes in the symbols of the puzzle.
pub(in crate::pipeline) struct Person<'p> {
    pub puzzle: PuzzleView<'p>,
    /// Scratch: the memory that the techniques work in.
    pub paper: &'p RefCell<Paper>,
    pub symbols: Symbols<'p>,
    /// True if the form of the output has objects. In other forms, a step is a text.
    pub has_objects: bool,
    /// True if steps of the scale of difficulty follow where the techniques end.
    pub goes_on: bool,
    /// True if the user chose the techniques.
    pub is_limited: bool,
    /// For each search for steps of the scale.
    pub max_time: Option<Duration>,
}

pub(in crate::pipeline) struct PersonSolution {
    pub grade: &'static str,
    pub level: Option<usize>,
    pub number_of_steps: u32,
    is_stuck: bool,
    /// True if the steps are not complete because the time was up.
    pub is_time_up: bool,
    /// Empty unless the steps are recorded.
    steps: Vec<Step>,
}

impl<'p> Person<'p> {
    /// Breaks if the time is up.
    pub fn hint(&self) -> ControlFlow<(), Option<Step>> {
        let (pencil, givens) = (self.puzzle.pencil(), self.puzzle.givens_left());
        let mut paper = self.paper.borrow_mut();
        let hint = pencil.hint(givens, &mut paper).expect(FITS);
        if hint.is_some() || !self.goes_on {
            return ControlFlow::Continue(hint);
        }
        let deadline = Deadline::from_now(self.max_time);
        let is_time_up = || deadline.is_some_and(Deadline::is_past);
        let hint = pencil.find_step_of_scale(&mut paper, &is_time_up);
        match hint {
            None if is_time_up() => ControlFlow::Break(()),
            hint => ControlFlow::Continue(hint),
        }
    }

    /// Recording the steps takes more time. Then steps of the scale follow those of the techniques.
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
        let mut solution = PersonSolution {
            grade: grading.grade(),
            level: grading.level(),
            number_of_steps: grading.steps,
            is_stuck: matches!(grading.end, End::Stuck(_)),
            is_time_up: false,
            steps: Vec::new(),
        };
        if records_steps && solution.is_stuck && self.goes_on {
            let deadline = Deadline::from_now(self.max_time);
            let is_time_up = || deadline.is_some_and(Deadline::is_past);
            let is_full = pencil.continue_by_scale(&mut paper, &is_time_up, &mut record);
            solution.is_stuck = !is_full;
            solution.is_time_up = !is_full && is_time_up();
        }
        solution.steps = steps;
        solution
    }

    /// If the steps do not solve the puzzle, the last entry says why, which `boards` does not show.
    pub fn steps(&self, column: &Column, solution: &PersonSolution) -> Value<'p> {
        let steps = &solution.steps;
        let end = self.early_end(solution);
        match column {
            Column::Techniques => count_techniques(steps, end),
            Column::Boards => self.boards(self.puzzle.givens_left(), steps),
            _ => {
                let mut items: Vec<Value<'_>> = steps.iter().map(|step| self.step(step)).collect();
                items.extend(end.map(|name| Value::Object {
                    text: name.as_bytes().into(),
                    members: vec![("technique", Value::text(name))],
                }));
                Value::list(items, "; ")
            }
        }
    }

    /// Returns the last entry of a path that does not solve the puzzle: `search`, which finishes a
    /// puzzle without a scale; `stuck`, because the user chose too few techniques; or `time`.
    fn early_end(&self, solution: &PersonSolution) -> Option<&'static str> {
        match solution {
            PersonSolution { is_stuck: false, .. } => None,
            PersonSolution { is_time_up: true, .. } => Some("time"),
            _ => Some(if self.is_limited { "stuck" } else { "search" }),
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

    pub fn step(&self, step: &Step) -> Value<'static> {
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
        members.extend(step.level.map(|level| ("level", Value::Decimal(level.to_string()))));
        members.extend(step.placement.iter().flat_map(candidate));
        let pattern = step.pattern_text(symbol);
        if !pattern.is_empty() {
            let is_house = step.technique == Technique::HiddenSingle;
            members.push((if is_house { "house" } else { "pattern" }, Value::text(pattern)));
        }
        members.extend(self.parts(step, step.parts()));
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

    fn parts(
        &self,
        step: &Step,
        parts: Vec<(&'static str, Part)>,
    ) -> impl Iterator<Item = (&'static str, Value<'static>)> {
        parts.into_iter().map(|(name, part)| (name, self.part(step, part)))
    }

    fn part(&self, step: &Step, part: Part) -> Value<'static> {
        let cells = |cells: Vec<u16>| {
            let places = cells.into_iter().map(|cell| Value::text(step.place(cell).to_string()));
            Value::list(places.collect(), " ")
        };
        let digit = |digit| digit_value(self.symbol(digit));
        match part {
            Part::Houses(houses) => {
                let names = houses.iter().map(|house| Value::text(house.to_string()));
                Value::list(names.collect(), " ")
            }
            Part::Cells(list) => cells(list),
            Part::Digits(digits) => Value::list(digits.into_iter().map(digit).collect(), " "),
            Part::Nodes(nodes) => {
                let nodes = nodes.into_iter().map(|(value, list)| Value::Object {
                    text: Cow::default(),
                    members: vec![("digit", digit(value)), ("cells", cells(list))],
                });
                Value::list(nodes.collect(), " ")
            }
            Part::Number(number) => Value::Decimal(number.to_string()),
            Part::Text(text) => Value::text(text),
            Part::Chains(chains) => {
                let chains = chains.into_iter().map(|claims| {
                    let claims = claims.into_iter().map(|claim| self.claim(step, claim));
                    Value::list(claims.collect(), " ")
                });
                Value::list(chains.collect(), " ")
            }
        }
    }

    fn claim(&self, step: &Step, claim: Claim) -> Value<'static> {
        let json = if claim.holds { "true" } else { "false" };
        let from = claim.from.into_iter().map(Value::number).collect();
        let mut members = vec![
            ("cell", Value::text(step.place(claim.cell).to_string())),
            ("digit", digit_value(self.symbol(claim.digit))),
            ("holds", Value::Json { text: Cow::default(), json }),
            ("from", Value::List { text: Cow::default(), items: from }),
        ];
        members.extend(claim.by.map(|inner| ("by", self.inner(step, &inner))));
        Value::Object { text: Cow::default(), members }
    }

    fn inner(&self, step: &Step, inner: &Inner) -> Value<'static> {
        let mut members = vec![("technique", Value::text(inner.technique.name()))];
        members.extend(self.parts(step, inner.parts()));
        Value::Object { text: Cow::default(), members }
    }

    fn boards(&self, givens: Givens<'_>, steps: &[Step]) -> Value<'p> {
        let mut digits = match givens {
            Givens::Digits(digits) => digits.to_vec(),
            // Steps also place the digits of cells with one candidate.
            Givens::Candidates(sets) => vec![0; sets.len()],
        };
        let boards = steps.iter().filter_map(|step| {
            let (cell, digit) = step.placement?;
            digits[usize::from(cell)] = digit;
            Some(Value::Digits(digits.clone().into(), self.symbols))
        });
        Value::list(boards.collect(), ";")
    }

    /// Returns `None` if the techniques lead to a contradiction.
    pub fn reached(&self, column: &Column) -> Option<Value<'p>> {
        let mut paper = self.paper.borrow_mut();
        let (pencil, givens) = (self.puzzle.pencil(), self.puzzle.givens_left());
        let grading = pencil.solve(givens, &mut paper).expect(FITS);
        (grading.end != End::Contradiction).then(|| match column {
            Column::Reached => Value::Digits(paper.placed_digits().into(), self.symbols),
            _ => Value::Candidates(paper.candidates().to_vec().into(), self.symbols),
        })
    }

    /// Returns the candidates that a person writes down first: those that the givens leave.
    pub fn pencilmarks(&self) -> Value<'p> {
        let rules = &self.puzzle.ruleset().rules;
        let (_, sets) = digits_and_candidates(rules, self.puzzle.givens_left());
        Value::Candidates(sets.into(), self.symbols)
    }

    fn symbol(&self, digit: u8) -> char {
        self.symbols.of_digit(digit)
    }
}

/// Counts how often steps use each technique, the hardest first: `naked-pair:2,hidden-single:54`.
/// The entry for an early end of the path comes first.
fn count_techniques(steps: &[Step], end: Option<&'static str>) -> Value<'static> {
    let mut counts: Vec<(&str, usize)> = end.map(|name| (name, 1)).into_iter().collect();
    for technique in Technique::all().rev() {
        let name = technique.name();
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
