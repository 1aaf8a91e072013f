//! Suggests an option, or a word in the value of an option, for an unknown name.

use strsim::osa_distance;

/// Names of options of other programs, each with the name of the option of this program.
const OTHER_NAMES: [(&str, &str); 5] = [
    ("--jobs", "--threads"),
    ("--check", "--verify"),
    ("--seed", "--random"),
    ("--stats", "--summary"),
    ("--timeout", "--max-time"),
];

/// Words of other programs, each with the corresponding word of this program.
const OTHER_WORDS: [(&str, &str); 1] = [("rating", "difficulty")];

/// In bytes. A longer unknown name is rarely a typing error.
const MAX_NAME: usize = 40;

/// Returns the end of a message about an unknown option: `; did you mean NAME?`, or nothing. For a
/// word that belongs in the value of an option, NAME is the option with this word: `--variant
/// diagonal` for `--diagonal`. `options` has the names of each option, and the words of its value.
pub fn of_option(written: &str, options: &[(Vec<&'static str>, Vec<&'static str>)]) -> String {
    if let Some(meant) = own_name(&OTHER_NAMES, written) {
        return question(Some(meant));
    }
    let word = written.trim_start_matches('-');
    let word = own_name(&OTHER_WORDS, word).unwrap_or(word);
    let taking_word = options.iter().find(|(_, words)| words.contains(&word));
    if let Some(name) = taking_word.and_then(|(names, _)| names.last()) {
        return question(Some(&format!("{name} {word}")));
    }
    question(nearest(written, options.iter().flat_map(|(names, _)| names).copied()))
}

fn own_name(table: &[(&str, &'static str)], written: &str) -> Option<&'static str> {
    let found = table.iter().find(|(other, _)| *other == written);
    found.map(|(_, own)| *own)
}

/// Returns the end of a message about a value that is a name or a comma-separated list of names: `;
/// did you mean NAME?`, or nothing. NAME is the one of `names` that an unknown word of `list` means
/// (see `OTHER_WORDS`) or resembles; of several such words, the first counts.
pub fn of_list(list: &str, names: &[&str]) -> String {
    let mut unknown = list.split(',').filter(|name| !names.contains(name));
    let meant = |name| match own_name(&OTHER_WORDS, name) {
        Some(own) if names.contains(&own) => Some(own),
        _ => nearest(name, names.iter().copied()),
    };
    question(unknown.find_map(meant))
}

/// Returns the end of a message about the columns of `-o`. If a word of `list` looks like the name
/// of a file, says how to write the output to a file. Otherwise returns the same as [`of_list`].
pub fn of_columns(list: &str, names: &[&'static str]) -> String {
    let is_file = |name: &&str| name.contains(['.', '/']) && !name.starts_with("input.");
    match list.split(',').find(is_file) {
        Some(file) => format!("; to write the output to a file: > {file}"),
        None => of_list(list, names),
    }
}

fn question(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |name| format!("; did you mean {name}?"))
}

/// Returns the name that is the fewest edits away from `written` in lower case; of several such
/// names, the first. An edit inserts, deletes or replaces a character, or exchanges two adjacent
/// characters. Returns `None` if the number of edits is more than 2 or more than a third of the
/// length of the name, or if `written` is longer than `MAX_NAME`.
fn nearest<'n>(written: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if written.len() > MAX_NAME {
        return None;
    }
    let written = written.to_ascii_lowercase();
    let distances = names.map(|name| (osa_distance(&written, name), name));
    let (edits, name) = distances.min_by_key(|(edits, _)| *edits)?;
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
