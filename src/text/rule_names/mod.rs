//! The names of rules where a record has no cells for them: as the name of a field (`field.rs`), in
//! a list of names (`list.rs`), and in other text (`text.rs`). This file has the names and how they
//! can be spelt.

mod field;
mod list;
mod text;

use std::iter;

use engine::error::InvalidInput;
use engine::rules::{Variants, letters};
pub(crate) use field::{
    add_stated, can_be_field, check_field_name, has_names_of_cells, is_stated_by_one, is_true,
    rule_of_field, rule_of_true_key, with_unread_cells,
};
pub(crate) use list::{NamedRules, can_name_rules, lists_rules, rules_in_list};
pub(crate) use text::{
    has_unread_rule, is_name_of_unread, is_of_run, is_unread_rule, rule_in_text,
};

/// The rules of f-puzzles and of the programs that extend it, but for those that are `true` there,
/// and other rules that people name. The readers of rules know some of them.
const RULES: [&str; 46] = [
    "antitaxicab",
    "arrow",
    "betweenline",
    "boxindexer",
    "clone",
    "columnindexer",
    "consecutive",
    "difference",
    "dot",
    "doublearrow",
    "entropicline",
    "even",
    "evenodd",
    "extraregion",
    "greaterthan",
    "inequality",
    "killer",
    "kropki",
    "littlekillersum",
    "lockout",
    "lockoutline",
    "maximum",
    "minimum",
    "modularline",
    "nabner",
    "numberedroom",
    "odd",
    "palindrome",
    "quadruple",
    "ratio",
    "regionsumline",
    "renban",
    "rowindexer",
    "samurai",
    "sandwich",
    "sandwichsum",
    "skyscraper",
    "slowthermometer",
    "tenline",
    "thermometer",
    "whispers",
    "xsum",
    "xv",
    "yinyang",
    "zipper",
    "zipperline",
];

/// Of these, words that people use for other things. Only cells make them rules.
const WORDS: [&str; 9] =
    ["clone", "difference", "dot", "even", "inequality", "maximum", "minimum", "odd", "ratio"];

/// Other names of these rules.
const SHORT_NAMES: [(&str, &str); 7] = [
    // The key of the cages has exactly this name, in any case.
    ("killercage", "killer"),
    ("littlekiller", "littlekillersum"),
    ("thermo", "thermometer"),
    ("germanwhisper", "whispers"),
    ("whisper", "whispers"),
    ("whisperline", "whispers"),
    ("renbanline", "renban"),
];

/// The variants that a text can name without other words. Other names are words of any text.
const IN_TEXT: [&str; 10] = [
    "antiking",
    "antiknight",
    "asterisk",
    "centerdot",
    "diagonal",
    "girandola",
    "jigsaw",
    "killer",
    "nonconsecutive",
    "windoku",
];

/// The name of a rule that is also that of a technique.
const TECHNIQUE: &str = "skyscraper";

/// A shorter name can be that of something else, such as a coordinate.
pub(crate) const MIN_FIELD_NAME: usize = 4;

/// More bytes than the longest name has.
const MAX_NAME: usize = 24;

/// For each first letter of these names, a bit for each second letter.
const BEGINNINGS: [u32; 26] = {
    let mut beginnings = [0; 26];
    let mut index = 0;
    while index < RULES.len() + SHORT_NAMES.len() + IN_TEXT.len() {
        let name = if index < RULES.len() {
            RULES[index]
        } else if index < RULES.len() + SHORT_NAMES.len() {
            SHORT_NAMES[index - RULES.len()].0
        } else {
            IN_TEXT[index - RULES.len() - SHORT_NAMES.len()]
        };
        let [first, second, ..] = name.as_bytes() else { panic!() };
        beginnings[(*first - b'a') as usize] |= 1 << (*second - b'a');
        index += 1;
    }
    beginnings
};

/// Returns each word of a text, after the two words that begin with it.
fn words_and_pairs<'t>(
    text: &'t str,
    words: impl IntoIterator<Item = &'t str>,
) -> impl Iterator<Item = &'t str> {
    let begin = |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
    let mut words = words.into_iter().peekable();
    let both = iter::from_fn(move || {
        let word = words.next()?;
        let pair = words.peek().map(|next| &text[begin(word)..begin(next) + next.len()]);
        Some([pair, Some(word)])
    });
    both.flatten().flatten()
}

/// All names but `xv` have three letters or more.
fn can_begin_rule(text: &[u8]) -> bool {
    let Some(letters) = text.first_chunk::<3>() else { return false };
    let letters = letters.map(|letter| letter.to_ascii_lowercase());
    let [first, second, _] = letters.map(|letter| letter.wrapping_sub(b'a'));
    let seconds = BEGINNINGS.get(usize::from(first)).filter(|_| second < 26);
    seconds.is_some_and(|seconds| seconds >> second & 1 == 1) && begins_rule(letters)
}

#[cold]
fn begins_rule(letters: [u8; 3]) -> bool {
    let is_begun = |name: &&str| name.as_bytes().starts_with(&letters);
    let next_rule = RULES.partition_point(|name| name.as_bytes() < &letters[..]);
    let mut others = SHORT_NAMES.iter().map(|(short, _)| short).chain(&IN_TEXT);
    RULES.get(next_rule).is_some_and(is_begun) || others.any(is_begun)
}

/// Returns the usual name of a variant that a text can name without other words.
fn usual_name_in_text(name: &str) -> Option<&'static str> {
    IN_TEXT.into_iter().find(|usual| is_name(usual, name))
}

/// Returns an error for a name that is one edit away from that of a variant with at least this many
/// letters.
fn check_spelling(name: &str, min_letters: usize) -> Result<(), InvalidInput> {
    let mut letters = [0; MAX_NAME];
    let letters = letters_of(name.as_bytes(), &mut letters).unwrap_or_default();
    let is_meant =
        |usual: &&str| usual.len() >= min_letters && is_one_edit_away(letters, usual.as_bytes());
    let meant = IN_TEXT.into_iter().find(is_meant);
    match meant.filter(|_| !is_rule(name) && usual_name_in_text(name).is_none()) {
        Some(usual) => {
            Err(format!("states a rule that is not known: {name}; did you mean {usual}?").into())
        }
        None => Ok(()),
    }
}

/// An edit inserts, deletes or replaces a letter, or exchanges two adjacent ones.
fn is_one_edit_away(one: &[u8], two: &[u8]) -> bool {
    let begin = one.iter().zip(two).take_while(|(one, two)| one == two).count();
    let (one, two) = (&one[begin..], &two[begin..]);
    let end = one.iter().rev().zip(two.iter().rev()).take_while(|(one, two)| one == two).count();
    match (&one[..one.len() - end], &two[..two.len() - end]) {
        ([a, b], [c, d]) => a == d && b == c,
        (one, two) => one.len().max(two.len()) == 1,
    }
}

/// Returns the error for a rule that is only named.
pub(crate) fn unstated(name: &str) -> InvalidInput {
    format!("names the rule {name}, and no field states it").into()
}

/// A name can have `-` and `_` within it.
fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|it: char| !it.is_alphanumeric() && !matches!(it, '-' | '_'))
}

fn is_rule(name: &str) -> bool {
    is_variant(name) || is_other_rule(name)
}

/// True for the name of a variant that adds a rule.
pub(crate) fn is_variant(name: &str) -> bool {
    !matches!(Variants::stated(name), Ok(None))
}

fn is_other_rule(name: &str) -> bool {
    // A variant can be one of the words of a rule, as in `little killer`.
    name_of_rule(name).is_some_and(|usual| !WORDS.contains(&usual))
        && !matches!(Variants::stated(name), Ok(Some(_)))
}

/// Returns the usual name of a rule that is not `true` in f-puzzles. The given one can differ from
/// it in its case and word breaks, and be a plural: `anti_taxicab`, `Thermos`.
pub(crate) fn name_of_rule(name: impl AsRef<[u8]>) -> Option<&'static str> {
    let mut letters = [0; MAX_NAME];
    let letters = letters_of(name.as_ref(), &mut letters)?;
    named(letters).or_else(|| named(letters.strip_suffix(b"s")?))
}

fn named(letters: &[u8]) -> Option<&'static str> {
    let at = RULES.binary_search_by(|usual| usual.as_bytes().cmp(letters)).ok();
    let short = || SHORT_NAMES.iter().find(|(short, _)| short.as_bytes() == letters);
    at.map(|at| RULES[at]).or_else(|| short().map(|(_, usual)| *usual))
}

/// Returns true if a name is the usual one, but for its case, its word breaks, and an `s` at its
/// end.
pub(crate) fn is_name(usual: &str, name: impl AsRef<[u8]>) -> bool {
    // Most keys are no names of rules.
    let name = name.as_ref();
    if !name.first().is_some_and(|first| first.eq_ignore_ascii_case(&usual.as_bytes()[0])) {
        return false;
    }
    // The name of a diagonal ends with a `-`, which is no word break.
    if let Some(usual) = usual.strip_suffix('-') {
        return name.strip_suffix(b"-").is_some_and(|name| is_name(usual, name));
    }
    let mut letters = letters(name);
    usual.bytes().all(|letter| letters.next() == Some(letter))
        && matches!((letters.next(), letters.next()), (None | Some(b's'), None))
}

/// Stores a name in small letters without word breaks. Returns `None` if it is longer than all
/// names.
fn letters_of<'l>(name: &[u8], buffer: &'l mut [u8; MAX_NAME]) -> Option<&'l [u8]> {
    let mut length = 0;
    for letter in letters(name) {
        *buffer.get_mut(length)? = letter;
        length += 1;
    }
    Some(&buffer[..length])
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rules::Variant;

    #[test]
    fn each_name_of_a_variant_is_one_in_a_text_or_a_word_of_any_text() {
        let any = ["classic", "disjoint", "hyper", "nonomino", "regions", "window", "x"];
        for name in Variant::NAMES.iter().flat_map(|(names, _)| *names) {
            let is_in_text = IN_TEXT.iter().any(|known| is_name(known, name));
            assert_ne!(is_in_text, any.contains(name), "{name}: add it to IN_TEXT or here");
        }
    }

    #[test]
    fn rules_are_found_by_their_names_in_any_spelling() {
        assert!(RULES.is_sorted());
        let longest = RULES.iter().map(|name| name.len()).max();
        assert!(longest.is_some_and(|longest| longest < MAX_NAME));
        for usual in RULES {
            assert_eq!(name_of_rule(usual), Some(usual));
            assert_eq!(name_of_rule(format!("{}s", usual.to_uppercase())), Some(usual));
        }
        assert_eq!(name_of_rule("Little_Killers"), Some("littlekillersum"));
        assert_eq!(name_of_rule("thermos"), Some("thermometer"));
        assert_eq!(name_of_rule("level"), None);
        assert!(is_name("diagonal-", "Diagonal-") && is_name("diagonal+", "diagonal+"));
        assert!(!is_name("diagonal-", "diagonal") && !is_name("diagonal-", "diagonal+"));
        assert_eq!(name_of_rule("a name that is longer than that of any rule"), None);
    }
}
