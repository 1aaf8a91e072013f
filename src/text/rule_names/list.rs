//! Lists of names of rules, as a field `variant` has them, or a field of any name.

use super::field::rule_of_field;
use super::{
    MIN_FIELD_NAME, can_begin_rule, check_spelling, is_other_rule, is_rule, usual_name_in_text,
    words, words_and_pairs,
};
use engine::error::InvalidInput;
use engine::rules::Variants;

/// A longer text in a field of another name is no list of names.
const MAX_LIST: usize = 200;

/// A text with more words between two separators, some of which are no names, is prose.
const MAX_WORDS_OF_NAME: usize = 3;

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

fn is_prose(text: &str) -> bool {
    names(text).any(|name| {
        let mut words = name.split_whitespace();
        words.clone().count() > MAX_WORDS_OF_NAME && !words.all(is_rule)
    })
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |it: char| it.is_whitespace() || matches!(it, '[' | ']' | '\'' | '"');
    text.split([',', ';', '+', '&', '|', '/']).map(move |name| name.trim_matches(is_mark))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
