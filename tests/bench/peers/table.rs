//! The tables that `peers` prints, and their CSV.

use std::fmt::Write as _;

use crate::comparison::{Cell, Row};
use crate::report::{cpu_name, today};
use crate::solver::Solver;

const COLUMNS: &str =
    "date,cpu,corpus,solver,puzzles,microseconds_per_puzzle,puzzles_per_second,times_as_long";

/// The tables of all rows so far.
pub struct Table<'a> {
    pub solvers: &'a [Solver],
    pub rows: Vec<Row>,
}

/// One of the two figures of a cell, in seconds.
type Figure = fn(&Cell) -> Option<f64>;

pub const THROUGHPUT: Figure = |cell| cell.throughput.map(|(_, seconds)| seconds);
pub const ALONE: Figure = |cell| cell.alone;

impl Table<'_> {
    /// Returns the heads of the columns.
    pub fn header(&self) -> String {
        let mut text = format!("{:<14}", "corpus");
        for solver in self.solvers {
            let _ = write!(text, " {:>24}", solver.name);
        }
        text
    }

    /// Returns a row of figures. In brackets: how many times as long as the first solver takes.
    pub fn figures(&self, row: &Row, figure: Figure) -> String {
        let ours = figure(&row.cells[0]);
        let mut text = format!("{:<14}", row.corpus);
        for cell in &row.cells {
            let answers = if cell.differs { Answers::Differ } else { Answers::Agree };
            let _ = write!(text, " {:>24}", shown(figure(cell), ours, answers));
        }
        text
    }

    /// Returns the remarks on a row, a line each.
    pub fn remarks(&self, row: &Row) -> String {
        let mut text = String::new();
        for (solver, cell) in self.solvers.iter().zip(&row.cells) {
            for remark in &cell.remarks {
                let _ = writeln!(text, "  {} on {}: {remark}", solver.name, row.corpus);
            }
        }
        text
    }

    /// Returns how many cells have answers that differ from those of the first solver.
    pub fn differences(&self) -> usize {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        cells.filter(|cell| cell.differs).count()
    }

    /// Returns the throughput as CSV.
    pub fn csv(&self) -> String {
        let (cpu, date) = (cpu_name(), today());
        let mut csv = format!("{COLUMNS}\n");
        for row in &self.rows {
            let ours = THROUGHPUT(&row.cells[0]);
            for (solver, cell) in self.solvers.iter().zip(&row.cells) {
                if let (Some((puzzles, time)), Some(ours)) = (cell.throughput, ours) {
                    let (name, corpus) = (&solver.name, &row.corpus);
                    let (microseconds, a_second, ratio) = (time * 1e6, 1.0 / time, time / ours);
                    let _ = writeln!(
                        csv,
                        "{date},{cpu},{corpus},{name},{puzzles},{microseconds:.4},{a_second:.1},{ratio:.2}"
                    );
                }
            }
        }
        csv
    }
}

/// The answers of a solver, compared with those of the first solver.
#[derive(Clone, Copy, PartialEq)]
enum Answers {
    Agree,
    Differ,
}

/// Returns `12.345 (4.56x)`: microseconds, and how many times as long as the first solver takes. `!` marks wrong answers.
fn shown(seconds: Option<f64>, ours: Option<f64>, answers: Answers) -> String {
    let Some(seconds) = seconds else {
        return "-".to_string();
    };
    let mark = match answers {
        Answers::Agree => "",
        Answers::Differ => "!",
    };
    let ratio = ours.map_or(String::new(), |ours| format!(" ({:.2}x)", seconds / ours));
    format!("{mark}{:.3}{ratio}", seconds * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_microseconds_and_a_ratio() {
        assert_eq!(shown(Some(3e-6), Some(2e-6), Answers::Agree), "3.000 (1.50x)");
        assert_eq!(shown(Some(3e-6), None, Answers::Differ), "!3.000");
        assert_eq!(shown(None, Some(2e-6), Answers::Agree), "-");
    }
}
