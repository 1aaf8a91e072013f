//! Pairs of cells that must not hold certain digits together. `variant_constraints.rs` builds them.

/// Two cells that must not hold certain digits together.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Rules, Shape};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &"antiknight".parse()?)?;
/// let pair = rules.pairs()[0];
/// assert_eq!(pair.cells, [0, 6]);
/// assert!(pair.relation.forbids(5, 5) && !pair.relation.forbids(5, 6));
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The cells, the lower number first.
    pub cells: [u16; 2],
    /// The relation of the cells, which decides the forbidden digits.
    pub relation: Relation,
}

/// The position of two cells relative to each other. It decides which digits they must not hold
/// together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Relation {
    /// A knight's move apart: their digits differ.
    Knight,
    /// A king's move apart: their digits differ.
    King,
    /// Orthogonal neighbours: their digits are not consecutive.
    Neighbours,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForbiddenDigits {
    Equal,
    Consecutive,
}

impl ForbiddenDigits {
    /// Returns the digits that a cell cannot hold beside this digit: bit d-1 for digit d.
    #[inline(always)]
    pub(crate) fn beside(self, digit: u32) -> u32 {
        match self {
            ForbiddenDigits::Equal => digit,
            ForbiddenDigits::Consecutive => digit << 1 | digit >> 1,
        }
    }
}

impl Relation {
    pub(crate) fn forbidden_digits(self) -> ForbiddenDigits {
        match self {
            Relation::Knight | Relation::King => ForbiddenDigits::Equal,
            Relation::Neighbours => ForbiddenDigits::Consecutive,
        }
    }

    /// Returns true if two cells in this relation must not hold `a` and `b`.
    #[must_use]
    pub fn forbids(self, a: u8, b: u8) -> bool {
        match self.forbidden_digits() {
            ForbiddenDigits::Equal => a == b,
            ForbiddenDigits::Consecutive => a.abs_diff(b) == 1,
        }
    }
}
