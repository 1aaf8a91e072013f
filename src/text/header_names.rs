//! The names that the fields of a puzzle have in a CSV header and as keys of a JSON object: the
//! usual names, which public data sets have, other names, which count if there is no usual one, and
//! the names that the user chooses.

use super::record::Field;
use engine::error::InvalidInput;

/// The names that the user gives to columns of a CSV header or keys of a JSON object: one for each
/// `Field`, or `None`. A field without such a name can have any of its usual names that the user
/// gives to no other field.
///
/// ```
/// use sudoku_filter::program::HeaderNames;
///
/// assert!(HeaderNames::parse("puzzle=initial_board,answer=solution").is_ok());
/// assert!(HeaderNames::parse("initial_board").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderNames([Option<String>; Field::NUMBER]);

impl HeaderNames {
    /// Parses a comma-separated list such as `puzzle=initial_board,answer=solution`.
    ///
    /// # Errors
    /// Returns an error if an item is not the name of a field, `=` and a name, or if two items have
    /// the same field or, ignoring case, the same name.
    pub fn parse(list: &str) -> Result<HeaderNames, InvalidInput> {
        let mut names = HeaderNames::default();
        for item in list.split(',') {
            let not_a_name = || {
                let names = Field::ALL.map(Field::name).join("=NAME, ");
                format!("'{item}' is none of {names}=NAME")
            };
            let (field_name, name) = item.split_once('=').unwrap_or((item, ""));
            let field = Field::named(field_name).filter(|_| !name.is_empty());
            let field = field.ok_or_else(not_a_name)?;
            if names.has(name) {
                return Err(format!("'{name}' names two fields").into());
            }
            if names.0[field as usize].replace(name.to_string()).is_some() {
                return Err(format!("{field_name} has two names").into());
            }
        }
        Ok(names)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(String::as_str)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.all().any(|given| given.eq_ignore_ascii_case(name))
    }

    pub(crate) fn of(&self, field: Field) -> Option<&str> {
        self.0[field as usize].as_deref()
    }

    /// True if a column or key of this name can hold the field or begin a path to it. Ignores case.
    pub(crate) fn are_of(&self, field: Field, name: &[u8]) -> bool {
        let is_name = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
        self.names_of(field)
            .any(|known| is_name(known) || known.split('.').next().is_some_and(is_name))
    }

    /// As `are_of`, for the names that count if no usual one is there.
    pub(super) fn others_are_of(&self, field: Field, name: &[u8]) -> bool {
        self.other_names_of(field).any(|known| known.as_bytes().eq_ignore_ascii_case(name))
    }

    /// The name that the user chose, or the usual ones. The preferred name comes first. Leaves out
    /// usual names that the user gives to other fields.
    pub(super) fn names_of(&self, field: Field) -> impl Iterator<Item = &str> {
        let chosen = self.of(field);
        chosen.into_iter().chain(self.without_chosen(field, usual_names(field)))
    }

    /// The names that count if the user chose none and no usual one is there.
    pub(super) fn other_names_of(&self, field: Field) -> impl Iterator<Item = &str> {
        self.without_chosen(field, other_names(field))
    }

    /// Returns no name if the user chose one for this field.
    fn without_chosen<'n>(
        &'n self,
        field: Field,
        names: &'static [&'static str],
    ) -> impl Iterator<Item = &'n str> {
        let names = if self.of(field).is_some() { &[] } else { names };
        names.iter().copied().filter(|name| !self.has(name))
    }
}

/// The usual names in public data sets, the preferred one first.
fn usual_names(field: Field) -> &'static [&'static str] {
    match field {
        Field::Puzzle => PUZZLE,
        Field::Regions => &["regions"],
        Field::Cages => &["cages", "killercage"],
        Field::Answer => &["answer", "solution", "solutions"],
        Field::Constraints => &["constraints"],
        Field::Variant => &["variant", "variants"],
    }
}

/// Names that fewer data sets use, or use for something else too. None is a status or a column: the
/// output of a run must not look like CSV with a header.
fn other_names(field: Field) -> &'static [&'static str] {
    match field {
        Field::Puzzle => &["board", "grid", "unsolved", "initial"],
        Field::Answer => &["solved"],
        Field::Variant => &["rules", "rule", "type"],
        Field::Regions | Field::Cages | Field::Constraints => &[],
    }
}

pub(super) const PUZZLE: &[&str] = &["puzzle", "quizzes", "quiz", "question", "sudoku"];
/// If a CSV column has this name, columns named `solution` or `solutions` hold right solutions, not
/// answers to check, unless `--header` decides otherwise.
pub(super) const ANSWER: &str = "answer";
/// The end of the message of `--shuffle` about two columns or keys that could hold the answers.
pub(super) const CHOOSE_ANSWER: &str =
    "--header answer=NAME chooses the one that changes with the puzzle";

pub(super) const FOUND: &str = "_found";

/// Returns `name`, with `_found` appended until the input does not use it.
pub(super) fn unused_name(name: &str, is_used: impl Fn(&str) -> bool) -> String {
    let mut name = name.to_string();
    while is_used(&name) {
        name += FOUND;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_names_has_an_entry_for_each_column() {
        let none = "is none of puzzle=NAME, regions=NAME, cages=NAME, answer=NAME, constraints=NAME, variant=NAME";
        let not_named = |item: &str| format!("'{item}' {none}");
        for (list, reason) in [
            ("", &*not_named("")),
            ("puzzle", &*not_named("puzzle")),
            ("puzzle=", &*not_named("puzzle=")),
            ("grid=a", &*not_named("grid=a")),
            ("puzzle=a,puzzle=b", "puzzle has two names"),
            ("puzzle=a,answer=A", "'A' names two fields"),
        ] {
            let error = HeaderNames::parse(list).unwrap_err();
            assert_eq!(error.to_string(), reason, "{list}");
        }
    }
}
