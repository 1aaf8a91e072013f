//! The names of fields that state a rule: they are true, as in `"antiknight":true`.

use super::{
    MIN_FIELD_NAME, TECHNIQUE, WORDS, check_spelling, is_rule, is_variant, name_of_rule, unstated,
    usual_name_in_text,
};
use engine::error::InvalidInput;

/// Of the variants in text, those that a number of puzzles or of regions can be called.
const COUNTED: [&str; 2] = ["jigsaw", "killer"];

/// Words before the name of a rule in that of a field, as in `is_antiknight`.
const WORDS_BEFORE: [&str; 10] =
    ["is", "has", "use", "uses", "with", "enable", "rule", "rules", "variant", "variants"];

/// Words after it, as in `antiknight_rule`.
const WORDS_AFTER: [&str; 6] = ["constraint", "enabled", "rule", "rules", "sudoku", "variant"];

/// Another word can be one edit away from a shorter name.
const MIN_MISSPELT_FIELD: usize = 8;

/// Returns an error for the name of a field that is nearly that of a variant.
pub(crate) fn check_field_name(name: &str) -> Result<(), InvalidInput> {
    check_spelling(name, MIN_MISSPELT_FIELD)
}

/// Returns the name of a variant within that of a field, such as `is_antiknight` or
/// `rules/antiknight`; any other name as it is.
pub(crate) fn rule_of_field(name: &str) -> &str {
    let mut left = name;
    while usual_name_in_text(left).is_none() {
        match WORDS_BEFORE.iter().find_map(|word| without_first(left, word)) {
            Some(shorter) => left = shorter,
            None => match WORDS_AFTER.iter().find_map(|word| without_last(left, word)) {
                Some(shorter) => left = shorter,
                None => return name,
            },
        }
    }
    left
}

/// A word ends before a sign or a capital letter.
pub(super) fn without_first<'n>(name: &'n str, word: &str) -> Option<&'n str> {
    let rest = name.get(word.len()..)?;
    let ends = || rest.starts_with(|it: char| !it.is_alphanumeric() || it.is_uppercase());
    (name.as_bytes()[..word.len()].eq_ignore_ascii_case(word.as_bytes()) && ends())
        .then(|| rest.trim_start_matches(is_sign))
}

fn without_last<'n>(name: &'n str, word: &str) -> Option<&'n str> {
    let at = name.len().checked_sub(word.len())?;
    let last = name.get(at..).filter(|last| last.eq_ignore_ascii_case(word))?;
    let rest = &name[..at];
    let begins = rest.ends_with(is_sign) || last.starts_with(char::is_uppercase);
    begins.then(|| rest.trim_end_matches(is_sign))
}

fn is_sign(letter: char) -> bool {
    !letter.is_alphanumeric()
}

/// True for the name of a field that [can state a rule](stated_by).
pub(crate) fn can_be_field(name: &str) -> bool {
    let rule = rule_of_field(name);
    (rule.len() >= MIN_FIELD_NAME && is_rule(rule))
        || name_of_rule(rule).is_some()
        || check_field_name(rule).is_err()
}

/// True for `true` and what else people write for it.
pub(crate) fn is_true(value: &str) -> bool {
    ["true", "yes", "y", "x", "1", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Appends the rule that a field of this name states, if it is true, on a line of its own.
///
/// # Errors
/// As [`stated_by`].
pub(crate) fn add_stated(
    name: &[u8],
    value: &[u8],
    named: &mut Vec<u8>,
) -> Result<(), InvalidInput> {
    let name = String::from_utf8_lossy(name);
    if let Some(rule) = stated_by(&name, &String::from_utf8_lossy(value))? {
        named.push(b'\n');
        named.extend_from_slice(rule.as_bytes());
    }
    Ok(())
}

/// Returns the rule that a field of this name states: it is true.
///
/// # Errors
/// Returns an error if it has cells, if its name is misspelt, or if it is that of a variant and
/// neither true nor false.
fn stated_by<'n>(name: &'n str, value: &str) -> Result<Option<&'n str>, InvalidInput> {
    let rule = rule_of_field(name);
    let falsehoods = ["", "-", "false", "no", "n", "0", "off", "null", "none", "nan"];
    let is_false = || falsehoods.iter().any(|word| value.eq_ignore_ascii_case(word));
    if has_names_of_cells(value) {
        return Err(with_unread_cells(name));
    }
    match name_of_rule(rule) {
        Some(usual) if WORDS.contains(&usual) => return Ok(None),
        _ if is_true(value) => {}
        _ if is_variant(rule) && !is_false() => {
            return Err(format!("'{value}' in the field '{name}' is neither true nor false").into());
        }
        _ => return Ok(None),
    }
    check_field_name(rule)?;
    // The signs are separators in a list of names.
    match rule.ends_with(['+', '-']) {
        true => Err(unstated(rule)),
        false => Ok(Some(rule)),
    }
}

/// Returns the error for a field with cells that is called as a rule.
pub(crate) fn with_unread_cells(name: &str) -> InvalidInput {
    format!("the cells in '{name}' state a rule that is not read").into()
}

/// True if one of the words of a text is the name of a cell, such as `R1C2`.
pub(crate) fn has_names_of_cells(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    text.split(|it: char| !it.is_ascii_alphanumeric()).any(|word| {
        let place = word.strip_prefix(['R', 'r']).and_then(|rest| rest.split_once(['C', 'c']));
        place.is_some_and(|(row, column)| is_number(row) && is_number(column))
    })
}

/// Returns the rule that a key names whose value is true, if it is no variant.
pub(crate) fn rule_of_true_key(key: &str) -> Option<&'static str> {
    name_of_rule(key)
        .filter(|usual| !WORDS.contains(usual) && *usual != TECHNIQUE && !is_variant(usual))
}

/// True for the name of a variant that states it where its value is 1, which is no count.
pub(crate) fn is_stated_by_one(name: &str) -> bool {
    usual_name_in_text(name).is_some_and(|usual| !COUNTED.contains(&usual))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_field_can_have_other_words_beside_that_of_a_rule() {
        for (name, rule) in [
            ("is_antiknight", "antiknight"),
            ("rules/anti-knight", "anti-knight"),
            ("hasAntiKing", "AntiKing"),
            ("rules.is_jigsaw", "jigsaw"),
            ("killer sudoku", "killer"),
            ("antiknightRule", "antiknight"),
            ("has_window", "has_window"),
            ("island", "island"),
            ("is", "is"),
        ] {
            assert_eq!(rule_of_field(name), rule);
        }
    }
}
