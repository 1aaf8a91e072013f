//! Clues beside the givens, each of which the rules can do without: cages, and rules that a puzzle
//! states for some of its cells.

use super::Rules;

/// An index in [`Rules::cages`], or of a rule in [`StatedRules`](super::StatedRules).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue {
    Cage(usize),
    Stated(usize),
}

impl Rules {
    /// Returns the cages, then the rules that the puzzle states for some of its cells, each in their
    /// order. Rules of the whole grid, houses and groups are no clues.
    #[doc(hidden)]
    #[must_use]
    pub fn clues(&self) -> Vec<Clue> {
        let cages = (0..self.cages.len()).map(Clue::Cage);
        let stated = self.stated.iter().flat_map(|stated| stated.clues());
        cages.chain(stated.map(Clue::Stated)).collect()
    }

    /// Returns the rules without one clue. The digits in the cells of a dropped cage have no sum,
    /// and repeat where no other rule forbids it.
    #[doc(hidden)]
    #[must_use]
    pub fn without(&self, clue: Clue) -> Rules {
        let mut rules = Rules {
            base: self.base.clone(),
            cages: self.cages.clone(),
            stated: self.stated.clone(),
        };
        match (clue, &self.stated) {
            (Clue::Cage(index), _) => _ = rules.cages.remove(index),
            (Clue::Stated(rule), Some(stated)) => {
                stated.groups_of(rule).for_each(|cells| rules.remove_group(cells));
                rules.stated = Some(Box::new(stated.without(rule)));
            }
            (Clue::Stated(_), None) => panic!("the rules state no others"),
        }
        rules
    }

    /// The name that reasons have, such as `cage at r1c1`.
    #[doc(hidden)]
    #[must_use]
    pub fn clue_name(&self, clue: Clue) -> String {
        match (clue, &self.stated) {
            (Clue::Cage(index), _) => self.cages[index].group.name.to_string(),
            (Clue::Stated(rule), Some(stated)) => stated.name(rule, self.side()),
            (Clue::Stated(_), None) => panic!("the rules state no others"),
        }
    }
}
