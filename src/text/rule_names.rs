//! The names of rules where a record has no cells for them: in a field such as `variant`, or as the
//! name of a field that is true.

use std::iter;

use memchr::memmem;

use engine::error::InvalidInput;
use engine::rules::{Variant, Variants, letters};

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

/// In text, these names of rules are those of a number and of a technique.
const OTHER_MEANINGS: [&str; 2] = [TECHNIQUE, "xv"];

/// Of the variants in text, those that a number of puzzles or of regions can be called.
const COUNTED: [&str; 2] = ["jigsaw", "killer"];

/// Words before the name of a rule in that of a field, as in `is_antiknight`.
const WORDS_BEFORE: [&str; 10] =
    ["is", "has", "use", "uses", "with", "enable", "rule", "rules", "variant", "variants"];

/// Words before the name of a rule in text, as in `variant: thermo`.
const LABELS: [&str; 6] = ["kind", "rule", "rules", "type", "variant", "variants"];

/// Words after it, as in `antiknight_rule`.
const WORDS_AFTER: [&str; 6] = ["constraint", "enabled", "rule", "rules", "sudoku", "variant"];

/// A shorter name can be that of something else, such as a coordinate.
pub(crate) const MIN_FIELD_NAME: usize = 4;

/// Another word can be one edit away from a shorter name.
const MIN_MISSPELT_FIELD: usize = 8;

/// A longer text in a field of another name is no list of names.
const MAX_LIST: usize = 200;

/// Later parts of a text are not searched for a name.
const MAX_PARTS: usize = 20;

/// More bytes than the longest name has.
const MAX_NAME: usize = 24;

/// A text with more words between two separators, some of which are no names, is prose.
const MAX_WORDS_OF_NAME: usize = 3;

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

/// The rules that a text names; none if it is a label of another kind.
#[derive(Default)]
pub(crate) struct NamedRules<'t> {
    pub variants: Option<Variants>,
    /// A rule whose name is not enough: it needs cells, or it is named in prose, as in `Normal
    /// killer rules apply.`
    pub other: Option<&'t str>,
}

impl<'t> NamedRules<'t> {
    /// Each line of the text is of another field.
    ///
    /// # Errors
    /// Returns an error if only some of several names are known, if one is nearly that of a
    /// variant, or if two variants contradict each other.
    pub fn read(text: &'t str) -> Result<NamedRules<'t>, InvalidInput> {
        let mut named = NamedRules::default();
        for line in text.lines() {
            let NamedRules { variants, other } = NamedRules::read_line(line)?;
            let added = variants.iter().flat_map(Variants::iter);
            named.variants = added
                .fold(named.variants, |all, variant| Some(all.unwrap_or_default().with(variant)));
            named.other = named.other.or(other);
        }
        Ok(named)
    }

    fn read_line(text: &'t str) -> Result<NamedRules<'t>, InvalidInput> {
        let mut words = words(text);
        if is_prose(text) {
            let other = words.find(|word| word.len() >= MIN_FIELD_NAME && is_rule(word));
            return Ok(NamedRules { variants: None, other });
        }
        // The words of `non consecutive` name another rule.
        let is_unknown = |name: &&str| !matches!(Variants::stated(name), Ok(Some(_)));
        let unknown = names(text).filter(is_unknown);
        let parts = unknown.flat_map(|name| words_and_pairs(name, self::words(name)));
        let other = names(text).chain(parts).find(|name| is_other_rule(name));
        let variants: Vec<&str> = names(text).filter(|name| !is_other_rule(name)).collect();
        let variants = match Variants::stated(&variants.join(",")) {
            Err(_) if other.is_some() => None,
            variants => variants?,
        };
        if variants.is_none() && other.is_none() {
            names(text).chain(words).try_for_each(|name| check_spelling(name, 1))?;
        }
        Ok(NamedRules { variants, other })
    }

    pub fn is_empty(&self) -> bool {
        self.variants.is_none() && self.other.is_none()
    }
}

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

/// Returns the rules that are names in a list such as `hard, antiknight`. The text is that of a
/// field of any name, so prose and the words of other things name none.
pub(crate) fn rules_in_list(text: &str) -> impl Iterator<Item = &str> {
    let names = names(text).flat_map(|name| name.split(':')).map(str::trim);
    names.filter(|name| can_name_rules(name.as_bytes())).flat_map(rules_in_name)
}

/// Returns the rule with this name, or the rules whose names are all of its words.
fn rules_in_name(name: &str) -> Vec<&str> {
    let is_one = |name: &str| {
        usual_name_in_text(name).is_some() || (name.len() >= MIN_FIELD_NAME && is_other_rule(name))
    };
    let name = rule_of_field(name);
    match is_one(name) {
        true => vec![name],
        false if words(name).all(is_one) => words(name).collect(),
        false => Vec::new(),
    }
}

/// Returns true for a list with a name that [`rules_in_list`] returns.
pub(crate) fn lists_rules(text: &[u8]) -> bool {
    // Most fields are cells or numbers.
    let can_begin = |it: &u8| it.is_ascii_alphabetic() || matches!(it, b'[' | b'\'' | b'"');
    text.first().is_some_and(can_begin)
        && text.len() <= MAX_LIST
        && can_name_rules(text)
        && str::from_utf8(text).is_ok_and(|text| rules_in_list(text).next().is_some())
}

/// False if no name of a list begins as that of a rule. Takes a few instructions per byte.
pub(crate) fn can_name_rules(list: &[u8]) -> bool {
    let place = |byte: &u8| PLACES[usize::from(*byte)];
    let mut left = list;
    while let Some(begin) = left.iter().position(|byte| place(byte) == NamePlace::Within) {
        left = &left[begin..];
        if can_begin_rule(left) {
            return true;
        }
        let end = left.iter().position(|byte| place(byte) == NamePlace::Between);
        left = &left[end.unwrap_or(left.len())..];
    }
    false
}

/// Where a byte of a list of names stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NamePlace {
    Within,
    Between,
    Anywhere,
}

const PLACES: [NamePlace; 256] = {
    let mut places = [NamePlace::Anywhere; 256];
    let mut byte = 0;
    while byte < 256 {
        places[byte] = match byte as u8 {
            b'"' | b'&' | b'+' | b',' | b'/' | b':' | b';' | b'|' => NamePlace::Between,
            letter if letter.is_ascii_alphanumeric() => NamePlace::Within,
            _ => NamePlace::Anywhere,
        };
        byte += 1;
    }
    places
};

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
    let mut names = RULES.iter().chain(SHORT_NAMES.iter().map(|(short, _)| short)).chain(&IN_TEXT);
    names.any(|name| name.as_bytes().starts_with(&letters))
}

/// Returns the usual name of a variant that a text can name without other words.
fn usual_name_in_text(name: &str) -> Option<&'static str> {
    IN_TEXT.into_iter().find(|usual| is_name(usual, name))
}

/// Returns an error for the name of a field that is nearly that of a variant.
pub(crate) fn check_field_name(name: &str) -> Result<(), InvalidInput> {
    check_spelling(name, MIN_MISSPELT_FIELD)
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
fn without_first<'n>(name: &'n str, word: &str) -> Option<&'n str> {
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

/// Returns the error for a rule that is only named.
pub(crate) fn unstated(name: &str) -> InvalidInput {
    format!("names the rule {name}, and no field states it").into()
}

/// True if one of the words of a text is the name of a cell, such as `R1C2`.
pub(crate) fn has_names_of_cells(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    text.split(|it: char| !it.is_ascii_alphanumeric()).any(|word| {
        let place = word.strip_prefix(['R', 'r']).and_then(|rest| rest.split_once(['C', 'c']));
        place.is_some_and(|(row, column)| is_number(row) && is_number(column))
    })
}

fn is_prose(text: &str) -> bool {
    names(text).any(|name| {
        let mut words = name.split_whitespace();
        words.clone().count() > MAX_WORDS_OF_NAME && !words.all(is_rule)
    })
}

/// A name can have `-` and `_` within it.
fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|it: char| !it.is_alphanumeric() && !matches!(it, '-' | '_'))
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |it: char| it.is_whitespace() || matches!(it, '[' | ']' | '\'' | '"');
    text.split([',', ';', '+', '&', '|', '/']).map(move |name| name.trim_matches(is_mark))
}

fn is_rule(name: &str) -> bool {
    is_variant(name) || is_other_rule(name)
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

    #[test]
    fn a_text_is_a_list_of_names_or_prose() {
        for (text, variants, other) in [
            ("antiknight", true, None),
            ("Anti-Knight Sudoku, x", true, None),
            ("killer diagonal", true, None),
            ("non consecutive", true, None),
            ("diagonal Non Consecutive", true, None),
            ("little killer diagonal", false, Some("little killer")),
            ("killer thermo", false, Some("thermo")),
            ("anti knight; anti king", true, None),
            ("little killer", false, Some("little killer")),
            ("Little Killer, antiking", true, Some("Little Killer")),
            ("german whispers", false, Some("german whispers")),
            ("thermo", false, Some("thermo")),
            ("antiking,thermo", true, Some("thermo")),
            ("easy", false, None),
            ("odd", false, None),
            ("Normal sudoku rules apply.", false, None),
            ("Normal killer rules apply.", false, Some("killer")),
        ] {
            let named = NamedRules::read(text).unwrap();
            assert_eq!((named.variants.is_some(), named.other), (variants, other), "{text}");
        }
        assert!(NamedRules::read("antiking,easy").is_err());
        for text in ["antiknigt", "Anti-Kinght", "jigswa sudoku", "hard, diagonall"] {
            let reason = NamedRules::read(text).err().unwrap().to_string();
            assert!(reason.contains("did you mean"), "{text}: {reason}");
        }
    }

    #[test]
    fn a_field_of_another_name_can_list_rules() {
        for (text, rule) in [
            ("antiknight", Some("antiknight")),
            ("hard, Anti-Knight Sudoku", Some("Anti-Knight")),
            ("daily;thermo", Some("thermo")),
            ("['easy', 'killer']", Some("killer")),
            ("kind: killer", Some("killer")),
            ("diagonal antiking", Some("diagonal")),
            ("x", None),
            ("regions, window, odd", None),
            ("An antiknight sudoku of the week", None),
        ] {
            assert_eq!(rules_in_list(text).next(), rule, "{text}");
        }
    }

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
