//! The variants and their names. `variant_constraints.rs` states what each of them adds.

use std::str::FromStr;

use crate::error::InvalidInput;

/// A variant of sudoku: constraints in addition to rows and columns.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Variant, Variants};
///
/// assert_eq!(Variant::Window.name(), "window");
/// assert_eq!("windoku".parse(), Ok(Variants::default().with(Variant::Window)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Variant {
    /// Adds nothing to rows, columns and boxes.
    Classic,
    /// Both main diagonals are houses.
    Diagonal,
    /// The windows of a grid are houses: four in a 9x9. The side must be a square.
    Window,
    /// Jigsaw regions instead of boxes.
    Jigsaw,
    /// Jigsaw regions in addition to boxes.
    Regions,
    /// Cells at the same position in every box form a house.
    Disjoint,
    /// Nine cells in the shape of a star form a house. Only for 9x9.
    Asterisk,
    /// The centres of the nine boxes form a house. Only for 9x9.
    CenterDot,
    /// The four corners, and the centres of the middle box and of the four boxes beside it, form a
    /// house. Only for 9x9.
    Girandola,
    /// Cells a knight's move apart hold different digits.
    Antiknight,
    /// Cells a king's move apart hold different digits.
    Antiking,
    /// Orthogonal neighbours do not hold consecutive digits.
    Nonconsecutive,
    /// Cells of a cage hold different digits that add up to its sum, if it has one. Each puzzle has
    /// cages of its own: [`Rules::with_cages`](super::Rules::with_cages).
    Killer,
}

impl Variant {
    /// Every variant with its names. The first name is the one in messages, the others are aliases.
    pub const NAMES: [(&'static [&'static str], Variant); 13] = [
        (&["classic"], Variant::Classic),
        (&["diagonal", "x"], Variant::Diagonal),
        (&["window", "windoku", "hyper"], Variant::Window),
        (&["jigsaw", "nonomino"], Variant::Jigsaw),
        (&["regions"], Variant::Regions),
        (&["disjoint"], Variant::Disjoint),
        (&["asterisk"], Variant::Asterisk),
        (&["center-dot"], Variant::CenterDot),
        (&["girandola"], Variant::Girandola),
        (&["antiknight"], Variant::Antiknight),
        (&["antiking"], Variant::Antiking),
        (&["nonconsecutive"], Variant::Nonconsecutive),
        (&["killer"], Variant::Killer),
    ];

    /// Returns the variant that a record names, whatever its case and its word breaks, with or
    /// without `sudoku` beside it.
    #[doc(hidden)]
    #[must_use]
    pub fn stated(name: impl AsRef<[u8]>) -> Option<Variant> {
        let mut buffer = [0; MAX_STATED];
        let mut length = 0;
        for letter in letters(name.as_ref()) {
            *buffer.get_mut(length)? = letter;
            length += 1;
        }
        let name = &buffer[..length];
        let other = name.strip_prefix(b"sudoku").or_else(|| name.strip_suffix(b"sudoku"));
        let name = other.unwrap_or(name);
        // Most names differ in their first letter.
        let is_spelt = |known: &&str| {
            known.as_bytes().first() == name.first()
                && letters(known.as_bytes()).eq(name.iter().copied())
        };
        let is_named = |names: &[&str]| names.iter().any(is_spelt);
        Variant::NAMES.iter().find(|(names, _)| is_named(names)).map(|(_, variant)| *variant)
    }

    /// Returns the name shown in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        let named = Variant::NAMES.iter().find(|(_, variant)| *variant == self);
        named.map_or("", |(names, _)| names[0])
    }
}

/// More letters than the name of any variant has, with `sudoku` beside it.
const MAX_STATED: usize = 32;

/// Returns a name in small letters without word breaks.
#[doc(hidden)]
pub fn letters(name: &[u8]) -> impl Iterator<Item = u8> {
    let letters = name.iter().filter(|byte| !matches!(byte, b'_' | b'-' | b' '));
    letters.map(u8::to_ascii_lowercase)
}

/// A set of variants that apply at the same time, in the order in which the user named them.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Variant, Variants};
///
/// let variants: Variants = "diagonal,antiknight".parse()?;
/// assert!(variants.contains(Variant::Antiknight));
/// assert!("jigsaw,disjoint".parse::<Variants>().is_err());
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants(Vec<Variant>);

impl Variants {
    /// Returns the variants in the order in which the user named them.
    #[doc(hidden)]
    pub fn iter(&self) -> impl Iterator<Item = Variant> {
        self.0.iter().copied()
    }

    /// Returns true if the set contains `variant`.
    #[must_use]
    pub fn contains(&self, variant: Variant) -> bool {
        self.0.contains(&variant)
    }

    /// Adds a variant, unless the set contains it already.
    #[must_use]
    pub fn with(mut self, variant: Variant) -> Variants {
        if !self.contains(variant) {
            self.0.push(variant);
        }
        self
    }

    /// Returns true if the variants need a layout of jigsaw regions, instead of boxes or in
    /// addition to them.
    #[doc(hidden)]
    #[must_use]
    pub fn have_regions(&self) -> bool {
        self.contains(Variant::Jigsaw) || self.contains(Variant::Regions)
    }

    /// Returns an error if two of the variants contradict each other whatever the size of the grid,
    /// else `None`.
    #[doc(hidden)]
    #[must_use]
    pub fn contradiction(&self) -> Option<InvalidInput> {
        if !self.contains(Variant::Jigsaw) {
            return None;
        }
        let clash = if self.contains(Variant::Regions) {
            "regions cannot be combined: jigsaw regions replace the boxes, regions are additional to them"
        } else if self.contains(Variant::Disjoint) {
            "disjoint cannot be combined: disjoint needs boxes, and jigsaw replaces them"
        } else {
            return None;
        };
        Some(format!("jigsaw and {clash}").into())
    }

    /// Reads the names with which a record states its variants, separated by commas, semicolons, `+`,
    /// `&` or spaces. Case, `-`, `_` and the word `sudoku` do not count. Returns `None` if none adds a
    /// rule: the text is then a label of another kind.
    ///
    /// # Errors
    /// Returns an error if only some of the names are known, or if two variants contradict each other.
    #[doc(hidden)]
    pub fn stated(text: &str) -> Result<Option<Variants>, InvalidInput> {
        let names = text.split([',', ';', '+', '&']).map(str::trim).filter(|it| !it.is_empty());
        let mut names: Vec<&str> = names.collect();
        // Names with spaces between them; `anti knight` is one name.
        if names.iter().all(|name| Variant::stated(name).is_none()) {
            names = Variants::names_in(text);
        }
        let stated: Vec<(&str, Option<Variant>)> =
            names.into_iter().map(|name| (name, Variant::stated(name))).collect();
        let adds_rules = |(_, variant): &(&str, Option<Variant>)| {
            variant.is_some_and(|variant| variant != Variant::Classic)
        };
        if !stated.iter().any(adds_rules) {
            return Ok(None);
        }
        let mut variants = Variants::default();
        for (name, variant) in stated {
            let unknown = || format!("states a rule that is not known: {name}");
            variants = variants.with(variant.ok_or_else(unknown)?);
        }
        variants.contradiction().map_or(Ok(Some(variants)), Err)
    }

    /// Returns the words of a text but for `sudoku`, and two of them as one name if it is that of a
    /// variant: `non consecutive`.
    fn names_in(text: &str) -> Vec<&str> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let place = |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
        let mut names = Vec::with_capacity(words.len());
        let mut at = 0;
        while at < words.len() {
            let pair = words.get(at + 1).map(|it| &text[place(words[at])..place(it) + it.len()]);
            let pair = pair.filter(|pair| Variant::stated(pair).is_some());
            at += 1 + usize::from(pair.is_some());
            names.push(pair.unwrap_or(words[at - 1]));
        }
        names.retain(|name| !name.eq_ignore_ascii_case("sudoku"));
        names
    }
}

impl FromStr for Variants {
    type Err = InvalidInput;

    /// Reads names of variants, separated by commas. Returns an error for an unknown name, or if
    /// two of the variants contradict each other.
    fn from_str(list: &str) -> Result<Variants, InvalidInput> {
        let mut variants = Variants::default();
        for name in list.split(',') {
            let mut known = Variant::NAMES.iter();
            let Some((_, variant)) = known.find(|(names, _)| names.contains(&name)) else {
                let names = Variant::NAMES.map(|(names, _)| names[0]).join(", ");
                return Err(format!("unknown variant '{name}'; the variants are {names}").into());
            };
            variants = variants.with(*variant);
        }
        variants.contradiction().map_or(Ok(variants), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_aliases_and_errors_name_unknown_variants() {
        assert_eq!("x,hyper".parse(), "diagonal,window".parse::<Variants>());
        assert_eq!(
            "classic,star".parse::<Variants>().unwrap_err().to_string(),
            "unknown variant 'star'; the variants are classic, diagonal, window, jigsaw, regions, disjoint, asterisk, \
             center-dot, girandola, antiknight, antiking, nonconsecutive, killer"
        );
    }

    #[test]
    fn contradictory_variants_are_rejected_by_name() {
        for (list, reason) in [
            (
                "jigsaw,diagonal,regions",
                "jigsaw and regions cannot be combined: jigsaw regions replace the boxes, regions are additional to them",
            ),
            (
                "disjoint,nonomino",
                "jigsaw and disjoint cannot be combined: disjoint needs boxes, and jigsaw replaces them",
            ),
        ] {
            assert_eq!(list.parse::<Variants>().unwrap_err().to_string(), reason);
        }
        let both = Variants::default().with(Variant::Regions).with(Variant::Jigsaw);
        assert!(both.contradiction().is_some());
        for (_, variant) in Variant::NAMES {
            let alone = Variants::default().with(variant);
            assert_eq!(alone.contradiction(), None);
            assert_eq!(variant.name().parse(), Ok(alone));
        }
    }
}
