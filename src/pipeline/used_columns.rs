//! The columns whose values a run needs: those of its output lines, and those that decide on what
//! is written.

use super::options::Options;
use crate::text::columns::{Column, Need, OutputColumn};

#[derive(Debug)]
pub(super) struct UsedColumns {
    /// The columns of all output lines, except where `RulesPlace::InColumns` has others.
    pub shown: Vec<OutputColumn>,
    /// The columns of conditions, counts and comparisons, shown or not.
    deciding: Vec<Column>,
}

impl UsedColumns {
    pub fn new(shown: Vec<OutputColumn>, options: &Options) -> UsedColumns {
        UsedColumns { shown, deciding: options.deciding_columns().cloned().collect() }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Column> {
        self.shown.iter().map(|shown| &shown.column).chain(&self.deciding)
    }

    pub fn have(&self, column: &Column) -> bool {
        self.iter().any(|used| used == column)
    }

    pub fn have_any_of(&self, columns: &[Column]) -> bool {
        columns.iter().any(|column| self.have(column))
    }

    pub fn need(&self, need: Need) -> bool {
        self.iter().any(|column| column.needs().contains(&need))
    }

    pub fn need_minimality(&self) -> bool {
        self.have_any_of(&[Column::Minimal, Column::Redundant])
    }
}
