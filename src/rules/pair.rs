//! Pairs of cells that must not hold certain digits together. `variant_constraints.rs` builds them.

/// Two cells that must not hold certain digits together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The cells, the lower number first.
    pub cells: [u16; 2],
    /// The geometric relation of the cells, which decides the forbidden digits.
    pub relation: Relation,
}

/// The geometric relation of two cells, and the constraint that follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// A knight's move apart: their digits differ.
    Knight,
    /// A king's move apart: their digits differ.
    King,
    /// Orthogonal neighbours: their digits are not consecutive.
    Neighbours,
}

impl Relation {
    /// Returns true if two cells in this relation must not hold `a` and `b`.
    #[must_use]
    pub fn forbids(self, a: u8, b: u8) -> bool {
        match self {
            Relation::Knight | Relation::King => a == b,
            Relation::Neighbours => a.abs_diff(b) == 1,
        }
    }
}
