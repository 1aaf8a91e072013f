//! Suggests a name if the user has written an unknown one: of an option, or in the value of an
//! option.

use strsim::osa_distance;

use super::flags::{self, Flag};

/// Names of options of other programs, each with the name of the corresponding option of this
/// program.
const OTHER_NAMES: [(&str, &str); 5] = [
    ("--jobs", "--threads"),
    ("--check", "--verify"),
    ("--seed", "--random"),
    ("--stats", "--summary"),
    ("--timeout", "--max-time"),
];

/// Words of other programs, each with the corresponding word in the value of an option of this
/// program.
const OTHER_WORDS: [(&str, &str); 1] = [("rating", "difficulty")];

/// The maximum length in bytes of an unknown name for which a similar name is suggested. A longer
/// one is rarely a typing error.
const MAX_NAME: usize = 40;

/// Returns the end of a message about an unknown option: `; did you mean NAME?`, or nothing. The
/// name of a variant, of a column or of another word in the value of an option is suggested with
/// that option: `--variant diagonal` for `--diagonal`.
pub fn of_option(written: &str) -> String {
    if let Some(meant) = other_name(&OTHER_NAMES, written) {
        return question(Some(meant));
    }
    let word = written.trim_start_matches('-');
    let word = other_name(&OTHER_WORDS, word).unwrap_or(word);
    let takes_word = |flag: &&Flag| flag.offer().words().contains(&word);
    if let Some(name) = flags::all()
        .find(takes_word)
        .and_then(|it| it.names().last())
    {
        return question(Some(&format!("{name} {word}")));
    }
    question(nearest(written, flags::all().flat_map(Flag::names)))
}

/// Returns the option or word of this program that a table has for the name `written`, which
/// another program uses. Returns `None` if the table lacks the name.
fn other_name(table: &[(&str, &'static str)], written: &str) -> Option<&'static str> {
    let other = table.iter().find(|(other, _)| *other == written);
    other.map(|(_, name)| *name)
}

/// Returns the end of a message about a value that is a name or a comma-separated list of names: `;
/// did you mean NAME?` for the first word of `list` that is not in `names` but resembles one of
/// them, or nothing.
pub fn of_list(list: &str, names: &[&'static str]) -> String {
    let mut unknown = list.split(',').filter(|name| !names.contains(name));
    let other = |name| other_name(&OTHER_WORDS, name).filter(|other| names.contains(other));
    let meant = |name| other(name).or_else(|| nearest(name, names.iter().copied()));
    question(unknown.find_map(meant))
}

/// Returns the end of a message about the columns of `-o`: that of [`of_list`], or how the output
/// is written to a file, if an unknown name looks like that of a file.
pub fn of_columns(list: &str, names: &[&'static str]) -> String {
    match list.split(',').find(|name| name.contains(['.', '/'])) {
        Some(file) => format!("; to write the output to a file: > {file}"),
        None => of_list(list, names),
    }
}

fn question(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |name| format!("; did you mean {name}?"))
}

/// Returns the first of the names that `written`, in lower case, becomes with the fewest edits: a
/// character inserted, deleted or replaced, or two adjacent ones exchanged. Returns `None` if there are no names, if these edits are more than two or more than a third of
/// the length of that name, or if `written` is longer than `MAX_NAME`.
fn nearest(written: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    if written.len() > MAX_NAME {
        return None;
    }
    let written = written.to_ascii_lowercase();
    let all = names.map(|name| (osa_distance(&written, name), name));
    let (edits, name) = all.min_by_key(|(edits, _)| *edits)?;
    (edits <= (name.len() / 3).min(2)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_must_be_nearly_right() {
        let names = || ["-q", "none", "unique", "--variant"].into_iter();
        for (written, name) in [
            ("-z", None),
            ("-Q", Some("-q")),
            ("nine", Some("none")),
            ("nix", None),
            ("Unqiue", Some("unique")),
            ("--varient", Some("--variant")),
            ("--vintage", None),
            (&"x".repeat(100_000), None),
        ] {
            assert_eq!(nearest(written, names()), name, "{written:.20}");
        }
    }
}
