//! What `-o` may name: the columns of a row. What stands in them is for the sheet to say.

use std::fmt;

/// One column of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// The line as it came.
    Input,
    /// Its number in its file.
    Line,
    /// The puzzle.
    Puzzle,
    /// The layout of a jigsaw.
    Regions,
    /// The answer that is checked.
    Answer,
    /// A solution.
    Solution,
    /// What is said of the line.
    Status,
    /// Why it is invalid, or its answer incorrect.
    Reason,
    /// How many solutions there are.
    Solutions,
    /// Another solution.
    Second,
    /// How many cells are given.
    Givens,
    /// How many branches the search took.
    Guesses,
    /// The hardest technique a person needs.
    Grade,
    /// How many steps a person takes.
    Steps,
    /// The next easiest step.
    Hint,
    /// Whether no given can go.
    Minimal,
    /// What it shares with the puzzles that are the same up to symmetry.
    Canonical,
    /// What follows the fields that are read.
    Rest,
    /// A field of `--fields` that is carried along.
    Carried(String),
}

impl Column {
    /// All that have a name of their own, with what is told of them in the help.
    pub const ALL: [(&'static str, Column, &'static str); 18] = [
        (
            "input",
            Column::Input,
            "the line as it came, tabs and all: name it last",
        ),
        ("line", Column::Line, "its number in its file"),
        ("puzzle", Column::Puzzle, "the puzzle"),
        ("regions", Column::Regions, "its layout"),
        ("answer", Column::Answer, "the answer that was checked"),
        (
            "solution",
            Column::Solution,
            "a solution; of `none` and `unknown` the puzzle",
        ),
        ("status", Column::Status, "what is said of the line"),
        ("reason", Column::Reason, "why it is invalid or incorrect"),
        (
            "solutions",
            Column::Solutions,
            "how many, up to --count; 2+: more than two",
        ),
        (
            "second",
            Column::Second,
            "another solution of a `multiple` puzzle",
        ),
        ("givens", Column::Givens, "how many digits are given"),
        ("guesses", Column::Guesses, "branches the search took"),
        (
            "grade",
            Column::Grade,
            "the hardest technique a person needs, or search",
        ),
        ("steps", Column::Steps, "how many steps a person takes"),
        ("hint", Column::Hint, "the next easiest step"),
        (
            "minimal",
            Column::Minimal,
            "yes if no given can go, else no",
        ),
        (
            "canonical",
            Column::Canonical,
            "the same for puzzles that differ by symmetry only; N up to 9",
        ),
        (
            "rest",
            Column::Rest,
            "what follows the fields that are read: name it last",
        ),
    ];

    /// Whether a column has this name.
    #[must_use]
    pub fn is_named(name: &str) -> bool {
        Column::ALL.iter().any(|(known, ..)| *known == name)
    }

    /// Reads a list of names; `carried` are those of fields that are carried along.
    ///
    /// # Errors
    /// A sentence for the user.
    pub fn list(names: &str, carried: impl Fn(&str) -> bool) -> Result<Vec<Column>, String> {
        let column = |name: &str| {
            let known = Column::ALL.iter().find(|(known, ..)| *known == name);
            match known {
                Some((_, column, _)) => Ok(column.clone()),
                None if carried(name) => Ok(Column::Carried(name.to_string())),
                None => {
                    let names = Column::ALL.map(|(name, ..)| name).join(", ");
                    Err(format!("no column is called '{name}'; there are {names}"))
                }
            }
        };
        names.split(',').map(column).collect()
    }

    /// Whether it shows a grid that a line is about; an invalid line stands in the first of these.
    #[must_use]
    pub fn shows_grid(&self) -> bool {
        matches!(self, Column::Puzzle | Column::Answer | Column::Solution)
    }

    /// Whether only solving can tell.
    #[must_use]
    pub fn needs_solving(&self) -> bool {
        matches!(
            self,
            Column::Solution
                | Column::Solutions
                | Column::Second
                | Column::Guesses
                | Column::Grade
                | Column::Steps
                | Column::Hint
                | Column::Minimal
                | Column::Canonical
        )
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Column::ALL.iter().find(|(_, column, _)| column == self);
        f.write_str(match (self, name) {
            (Column::Carried(name), _) => name,
            (_, Some((name, ..))) => name,
            (_, None) => unreachable!("every column has a name"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_found_by_its_name_and_has_it() {
        for (name, column, _) in Column::ALL {
            assert_eq!(column.to_string(), name);
            assert_eq!(Column::list(name, |_| false).unwrap(), [column]);
        }
    }

    #[test]
    fn carried_fields_are_columns_and_others_are_told() {
        let list = Column::list("id,status", |name| name == "id").unwrap();
        assert_eq!(list, [Column::Carried("id".into()), Column::Status]);
        let error = Column::list("status,id", |_| false).unwrap_err();
        assert!(error.starts_with("no column is called 'id'; there are input, line,"));
    }
}
