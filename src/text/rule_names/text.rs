//! The names of rules in text: in a title or beside a puzzle, in a comment, after the fields of a
//! line.

use memchr::memmem;

use super::field::without_first;
use super::{
    MIN_FIELD_NAME, TECHNIQUE, WORDS, can_begin_rule, name_of_rule, usual_name_in_text, words,
    words_and_pairs,
};
use engine::rules::{Variant, Variants};

/// In text, these names of rules are those of a number and of a technique.
const OTHER_MEANINGS: [&str; 2] = [TECHNIQUE, "xv"];

/// Words before the name of a rule in text, as in `variant: thermo`.
const LABELS: [&str; 6] = ["kind", "rule", "rules", "type", "variant", "variants"];

/// Later parts of a text are not searched for a name.
const MAX_PARTS: usize = 20;

/// Returns the first rule that a title or a line beside a puzzle names, such as `Antiknight`,
/// `variant: anti knight` or `thermo`, unless the run has this variant. If the text has more than
/// this many words, it names none.
pub(crate) fn rule_in_text(
    text: &str,
    max_words: usize,
    of_run: &Variants,
) -> Option<&'static str> {
    let words: Vec<&str> = words(text).filter(|word| word.contains(char::is_alphabetic)).collect();
    if words.is_empty() || words.len() > max_words {
        return None;
    }
    let is_unread = |name: &&str| !is_of_run(name, of_run);
    let names = words_and_pairs(text, words).filter(|words| can_begin_rule(words.as_bytes()));
    let in_words = names.filter_map(rule_of_words).find(is_unread);
    in_words.or_else(|| text.split(is_end_of_field).filter_map(variant_of_field).find(is_unread))
}

/// Returns true if a part of a text is the name of a rule that the run lacks: a field, what is in
/// brackets, a comment, or what follows a label, as in `variant: thermo`. Looks at the first parts.
pub(crate) fn has_unread_rule(text: &[u8], of_run: &Variants) -> bool {
    let parts = text.split(|byte| b",;\t|()[]{}<>".contains(byte)).take(MAX_PARTS);
    let with_comments = parts.flat_map(|part| {
        let comment = memmem::find(part, b" #").map(|at| &part[at..]);
        [Some(part), comment].into_iter().flatten()
    });
    with_comments.map(without_label).any(|part| is_unread_rule(part, of_run))
}

/// Returns true if a whole comment is the name of a rule that the run lacks, perhaps with a label.
pub(crate) fn is_name_of_unread(comment: &[u8], of_run: &Variants) -> bool {
    is_unread_rule(without_label(comment), of_run)
}

/// Returns the name of a rule without a label and the marks of a comment before it.
fn without_label(text: &[u8]) -> &[u8] {
    let is_mark = |byte: &&u8| b" #/-%*".contains(byte);
    let begin = text.iter().take_while(is_mark).count();
    let text = &text[begin..];
    // Most texts are numbers or other words.
    let can_be_label = text.first().is_some_and(|first| b"krtvKRTV".contains(first));
    let label = || LABELS.iter().find_map(|label| without_first(str::from_utf8(text).ok()?, label));
    can_be_label.then(label).flatten().map_or(text, str::as_bytes)
}

/// Returns true if a field of a line, perhaps in quotes, is the name of a rule that the run lacks.
pub(crate) fn is_unread_rule(field: &[u8], of_run: &Variants) -> bool {
    let is_around = |byte: &u8| matches!(byte, b' ' | b'\'' | b'"');
    let begin = field.iter().take_while(|it| is_around(it)).count();
    let end = field.iter().rev().take_while(|it| is_around(it)).count();
    let name = field.get(begin..field.len() - end).unwrap_or_default();
    // Most fields are numbers or other words.
    if name.len() < MIN_FIELD_NAME || !name[0].is_ascii_alphabetic() {
        return false;
    }
    (name_of_rule(name).is_some_and(is_rule_in_text) || variant_of_field(name).is_some())
        && std::str::from_utf8(name).is_ok_and(|name| !is_of_run(name, of_run))
}

/// Returns true if a name is that of variants that the run has.
pub(crate) fn is_of_run(name: &str, of_run: &Variants) -> bool {
    let stated = Variants::stated(name).ok().flatten();
    stated.is_some_and(|it| it.iter().all(|variant| of_run.contains(variant)))
}

/// Returns the name of the rule that one or two words name in any text.
fn rule_of_words(words: &str) -> Option<&'static str> {
    let other = || name_of_rule(words).filter(|usual| is_rule_in_text(usual));
    usual_name_in_text(words).or_else(other)
}

fn is_rule_in_text(usual: &str) -> bool {
    !WORDS.contains(&usual) && !OTHER_MEANINGS.contains(&usual)
}

/// Returns the name of the variant that a whole field names, such as `hyper`.
fn variant_of_field(field: impl AsRef<[u8]>) -> Option<&'static str> {
    let name = field.as_ref().trim_ascii();
    let variant = (name.len() >= MIN_FIELD_NAME).then(|| Variant::stated(name))??;
    (variant != Variant::Classic).then(|| variant.name())
}

/// True between the fields of a list in the text of a program.
fn is_end_of_field(symbol: char) -> bool {
    ",;\t|:'\"`()[]{}<>".contains(symbol)
}
