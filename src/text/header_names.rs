//! The names of the columns of a CSV header, and of the keys of a JSON object: the usual ones, and those that the user chooses.

use super::record::Field;
use crate::error::InvalidInput;

/// The names that the user gives to columns of a CSV header or keys of a JSON object: an entry for each `Field`. A column
/// without such a name can have any of its usual names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderNames([Option<String>; 4]);

impl HeaderNames {
    /// Parses a comma-separated list such as `puzzle=initial_board,answer=solution`.
    ///
    /// # Errors
    /// Returns an error if an entry is not `puzzle=`, `regions=`, `cages=` or `answer=` and a name, or two entries are for the
    /// same column.
    pub fn parse(list: &str) -> Result<HeaderNames, InvalidInput> {
        let mut names = HeaderNames::default();
        for entry in list.split(',') {
            let not_an_entry =
                || format!("'{entry}' is not puzzle=NAME, answer=NAME, regions=NAME or cages=NAME");
            let (contents, name) = entry.split_once('=').unwrap_or((entry, ""));
            let field = Field::named(contents).filter(|_| !name.is_empty());
            let field = field.ok_or_else(not_an_entry)?;
            if names.0[field as usize].replace(name.to_string()).is_some() {
                return Err(format!("{contents} has two names").into());
            }
        }
        Ok(names)
    }

    /// Returns all names that the user gives.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(String::as_str)
    }

    /// Returns the name that the user gives to the column of this field.
    pub(crate) fn of(&self, field: Field) -> Option<&str> {
        self.0[field as usize].as_deref()
    }
}

/// Names of the column of puzzles in public data sets, the most usual first.
pub(super) const PUZZLE: &[&str] = &["puzzle", "quizzes", "quiz", "question", "sudoku"];
/// The usual names of the column of each [`Field`], and the word for its contents in messages.
pub(super) const USUAL: [(&[&str], &str); 4] = [
    (PUZZLE, "puzzles"),
    (&["regions"], "regions"),
    (&["cages"], "cages"),
    (USUAL_ANSWERS, "answers"),
];
/// Names of the column of answers. If the header has one, a column named as in `SOLUTION` is not read: it holds the right
/// solution, not the answer to check.
pub(super) const ANSWER: &[&str] = &["answer"];
/// Names of the column of answers if no column is named as in `ANSWER`.
pub(super) const SOLUTION: &[&str] = &["solution", "solutions"];
/// The names of both lists.
const USUAL_ANSWERS: &[&str] = &["answer", "solution", "solutions"];
/// The end of the message about two columns or keys that could hold the answers, with `--shuffle`.
pub(super) const CHOOSE_ANSWER: &str =
    "--header answer=NAME chooses the one that changes with the puzzle";

/// Returns a name for an output column that the input does not use: `status`, or if it uses that, `status_found`.
pub(super) fn unused_name(name: &str, is_used: impl Fn(&str) -> bool) -> String {
    let mut name = name.to_string();
    while is_used(&name) {
        name += "_found";
    }
    name
}
