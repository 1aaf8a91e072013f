//! A page on its way to being answered: solves its batches, and hands rows on in order as soon as they are ready.

use std::time::{Duration, Instant};

use super::Mode;
use super::batch::{Findings, limits};
use super::page::Page;
use crate::filter::Rows;
use crate::solver::Progress;

/// The lines of a task, and what is known of them so far.
pub(super) struct Sheet<'a> {
    pub page: Page<'a>,
    /// For each batch.
    pub findings: Vec<Findings>,
    pub emitted: &'a mut Emitted,
}

/// How far the rows of a task are written and handed on.
pub(super) struct Emitted {
    /// Rows that are written; their bytes may still wait to be handed on.
    pub rows: usize,
    /// Solutions of the next row that are written, where all are.
    pub solutions: u64,
    /// Rows that are handed on.
    pub complete_rows: usize,
    /// True if some solutions of the row behind those are handed on too.
    pub within_row: bool,
    /// The time of the last call of `emit`.
    pub last: Instant,
}

impl Default for Emitted {
    fn default() -> Emitted {
        Emitted {
            rows: 0,
            solutions: 0,
            complete_rows: 0,
            within_row: false,
            last: Instant::now(),
        }
    }
}

/// How often finished rows are handed on while others are still at work.
pub(super) const PATIENCE: Duration = Duration::from_millis(10);

impl<'a> Sheet<'a> {
    pub fn new(page: Page<'a>, emitted: &'a mut Emitted) -> Sheet<'a> {
        let options = &page.answerer.options;
        Sheet {
            findings: page
                .batches
                .iter()
                .map(|batch| Findings::of(batch, options))
                .collect(),
            emitted,
            page,
        }
    }

    /// Solves every batch; hands rows on that are ready while others take long.
    pub fn solve(&mut self, emit: &mut dyn FnMut(Rows)) {
        let Sheet {
            page,
            findings,
            emitted,
        } = self;
        let options = &page.answerer.options;
        for (index, batch) in page.batches.iter().enumerate() {
            let mut report = |progress: Progress<'_>| match &progress {
                Progress::Solution(grid, digits) => findings[index].note_solution(*grid, digits),
                // Not taken out of it: wide loads wait for what was just written.
                Progress::Found(grid, found) => findings[index].note(*grid, found),
                Progress::AtWork => emitted.emit_if_it_takes_long(page, findings, emit),
            };
            let limits = limits(options);
            batch
                .by
                .solve(options, limits, batch.puzzles(), &mut report);
            emitted.emit_if_it_takes_long(page, findings, emit);
        }
    }

    /// Hands on all that is left.
    pub fn finish(mut self, emit: &mut dyn FnMut(Rows)) {
        self.emitted.emit(&self.page, &self.findings, emit);
        if let Mode::All(most) = self.page.answerer.options.mode {
            self.finish_all(most, emit);
        }
        debug_assert_eq!(self.emitted.rows, self.page.rows.len());
    }
}

impl Emitted {
    pub fn emit_if_it_takes_long(
        &mut self,
        page: &Page<'_>,
        findings: &[Findings],
        emit: &mut dyn FnMut(Rows),
    ) {
        if self.last.elapsed() > PATIENCE {
            self.emit(page, findings, emit);
        }
    }

    /// Hands on every row before the first of which not everything is known.
    pub fn emit(&mut self, page: &Page<'_>, findings: &[Findings], emit: &mut dyn FnMut(Rows)) {
        let mut done = Rows::default();
        done.bytes.reserve((page.rows.len() - self.rows) * 96);
        let options = &page.answerer.options;
        let all = matches!(options.mode, Mode::All(_));
        options.level.dispatch(
            #[inline(always)]
            || {
                while self.rows < page.rows.len() {
                    let written = match all {
                        true => self.write_solutions(page, findings, &mut done),
                        false => page.write(findings, self.rows, &mut done),
                    };
                    if !written {
                        break;
                    }
                    self.rows += 1;
                }
            },
        );
        page.add_hint(self.rows, &mut done.messages);
        self.last = Instant::now();
        emit(done);
        self.note_handed_on();
    }

    /// Notes that all that is written is handed on.
    pub fn note_handed_on(&mut self) {
        self.complete_rows = self.rows;
        self.within_row = self.solutions > 0;
    }
}
