//! Moves the rules of a constraint string as a random symmetry moves the puzzle (`--shuffle`), each
//! by its row in the table of `rules.rs`: a function of `moved.rs`, and the ways to rename digits
//! that keep the rule.

use super::moved::{Image, Move, givens};
use super::rules::{Rule, named};
use super::{Item, item, numbering_of};
use crate::text::symbols::Numbering;
use engine::canonical::{RandomSymmetry, Relabelling};

/// The rules of a constraint string without its givens.
pub(crate) struct MovableRules<'a> {
    text: &'a str,
    items: Vec<(Item<'a>, Option<&'static Rule>)>,
    numbering: Numbering,
}

impl<'a> MovableRules<'a> {
    /// `rules` are the items that a valid constraint string states.
    pub fn new(rules: &'a [u8]) -> MovableRules<'a> {
        let text = str::from_utf8(rules).expect("a constraint string is text");
        let items = text.split('.').filter(|item| !item.is_empty()).map(item);
        let items = items.map(|item| {
            let rule = named(item.name);
            debug_assert!(rule.is_some() || item.name.is_empty(), "{text}");
            (item, rule)
        });
        MovableRules { text, items: items.collect(), numbering: numbering_of(text) }
    }

    /// Returns the ways to rename the digits that keep all rules. Reversed digits from 0 are no
    /// reversed places, which count from 1.
    pub fn relabelling(&self) -> Relabelling {
        let of_rules = self.items.iter().filter_map(|(_, rule)| Some((*rule)?.relabelling));
        match of_rules.min().unwrap_or(Relabelling::Any) {
            Relabelling::Reversal if self.numbering == Numbering::FromZero => Relabelling::None,
            relabelling => relabelling,
        }
    }

    /// Returns the items of the moved rules. `None` if a string cannot state them. The identity
    /// keeps the text. The symmetry is a rotation or reflection that keeps the boxes, with a
    /// renaming of digits that [`relabelling`](Self::relabelling) allows.
    pub fn image(&self, symmetry: &RandomSymmetry) -> Option<Vec<u8>> {
        if symmetry.is_identity() {
            return Some(self.text.into());
        }
        let image = Image::new(symmetry, self.numbering);
        let mut text = String::new();
        for (item, rule) in &self.items {
            let move_item = rule.map_or(givens as Move, |rule| rule.moved);
            let moved = move_item(&image, &item.arguments)?;
            text.extend([".", item.name]);
            text.extend(moved.iter().flat_map(|argument| ["~", argument]));
        }
        Some(text.into())
    }
}
