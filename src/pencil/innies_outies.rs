//! Finds innies and outies by the rule of 45: the digits of a house add up to N(N+1)/2, which is 45 in a 9x9. The cages inside
//! the house leave a known sum for its other cells, the innies. If all innies are in cages, the cells of these cages outside
//! the house, the outies, have a known sum too.

use super::marks::{Marks, elements_of};
use super::step::Pattern;
use super::tables::{EQUATIONS_PER_UNION, HouseUnion, Tables};
use super::technique::Technique::InniesOuties;

/// The most blank cells of an equation.
// Tried: six cells. 1 % fewer of the hardest killers of sgt-solo end in a search.
const MAX_CELLS: usize = 4;

/// The cells that an equation takes from the cages that cross the border of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EquationPart {
    /// The cells inside the union: innies.
    Innies,
    /// The cells outside: outies.
    Outies,
    /// For each cage, its innies or its outies: those with fewer blank cells, or the innies if both have equally many.
    Fewer,
}

use EquationPart::{Fewer, Innies, Outies};

const PARTS: [EquationPart; EQUATIONS_PER_UNION] = [Innies, Outies, Fewer];

/// An equation: the sum of some blank cells (innies) minus the sum of others (outies) is known.
#[derive(Clone, Copy, Debug, Default)]
struct Equation {
    /// Index of the union times [`EQUATIONS_PER_UNION`], plus the index of the part in [`PARTS`].
    index: usize,
    cells: [u16; MAX_CELLS],
    /// For each cell 1 if it is an innie, -1 if it is an outie.
    signs: [i32; MAX_CELLS],
    /// The number of cells.
    len: usize,
    sum: i32,
}

/// Finds the first equation that eliminates a candidate, and stores the eliminations. A candidate is eliminated if it is in no
/// choice of one candidate for each cell that satisfies the equation with different digits in cells that see each other.
/// Equations of fewer blank cells come first.
pub(super) fn find(tables: &Tables, marks: &mut Marks) -> Option<Pattern> {
    let mut equations = Vec::new();
    for (union, houses) in tables.unions.iter().enumerate() {
        for (position, &part) in PARTS.iter().enumerate() {
            let index = union * EQUATIONS_PER_UNION + position;
            if !marks.history.equation_needs_search(index, houses) {
                continue;
            }
            match Equation::new(tables, marks, houses, part) {
                Some(equation) => equations.push(Equation { index, ..equation }),
                None => marks.history.record_failed_search(InniesOuties, index),
            }
        }
    }
    equations.sort_by_key(|equation| equation.len);
    equations.iter().find_map(|equation| {
        let pattern = equation.eliminate(tables, marks);
        if pattern.is_none() {
            marks
                .history
                .record_failed_search(InniesOuties, equation.index);
        }
        pattern
    })
}

impl Equation {
    /// Returns the equation of a union, or `None` if it has no blank cell or more than `MAX_CELLS`. With `Outies`, also `None` if
    /// a blank cell of the union is in no cage with a sum. The caller sets `index`.
    fn new(
        tables: &Tables,
        marks: &Marks,
        union: &HouseUnion,
        part: EquationPart,
    ) -> Option<Equation> {
        let mut equation = Equation {
            sum: union.rest,
            ..Equation::default()
        };
        for &cell in &union.uncaged {
            equation.add(marks, cell, 1)?;
        }
        // A blank cell in no cage with a sum is an innie that no outies can replace.
        if part == Outies && equation.len > 0 {
            return None;
        }
        for cage in &union.crossing {
            let cells = tables.cells_of.of(cage.house);
            let has_outies = match part {
                Innies => false,
                Outies => true,
                Fewer => has_fewer_outies(marks, union, cells),
            };
            let sign = if has_outies { -1 } else { 1 };
            if has_outies {
                // The outies replace the innies of the cage: the innies add up to the sum of the cage minus the outies.
                equation.sum -= i32::from(cage.sum);
            }
            for &cell in cells {
                if union.cells.contains(cell) != has_outies {
                    equation.add(marks, cell, sign)?;
                }
            }
        }
        (equation.len > 0).then_some(equation)
    }

    /// Adds a blank cell to `cells` with its sign. For a cell with one candidate, subtracts the digit with this sign from `sum`
    /// instead. Returns `None` if there are more than `MAX_CELLS` blank cells.
    fn add(&mut self, marks: &Marks, cell: u16, sign: i32) -> Option<()> {
        if let Some(digit) = marks.only_digit(cell) {
            self.sum -= sign * i32::from(digit);
            return Some(());
        }
        *self.cells.get_mut(self.len)? = cell;
        self.signs[self.len] = sign;
        self.len += 1;
        Some(())
    }

    fn cells(&self) -> &[u16] {
        &self.cells[..self.len]
    }

    /// Stores the candidates that contradict the equation as eliminations, and returns the pattern. Returns `None` if there are
    /// no eliminations.
    fn eliminate(&self, tables: &Tables, marks: &mut Marks) -> Option<Pattern> {
        let mut choices = Choices::new(self, tables, marks);
        choices.find_allowed();
        let cells = self.cells().iter().zip(choices.allowed);
        let mut removals: Vec<(u16, u32)> =
            cells.map(|(&cell, allowed)| (cell, !allowed)).collect();
        removals.sort_unstable();
        let is_useful = marks.eliminate_each(removals.into_iter());
        is_useful.then(|| self.pattern(tables))
    }

    fn pattern(&self, tables: &Tables) -> Pattern {
        let places = |wanted: i32| -> Vec<u16> {
            let cells = self.cells().iter().zip(self.signs);
            let cells = cells.filter(|&(_, sign)| sign == wanted);
            let mut cells: Vec<u16> = cells.map(|(&cell, _)| cell).collect();
            cells.sort_unstable();
            cells
        };
        Pattern::InniesOuties {
            houses: tables.unions[self.index / EQUATIONS_PER_UNION].names(tables),
            innies: places(1),
            outies: places(-1),
            sum: self.sum,
        }
    }
}

/// Returns true if fewer blank cells of a cage are outside of a union than inside it.
fn has_fewer_outies(marks: &Marks, union: &HouseUnion, cage: &[u16]) -> bool {
    let cells = cage.iter().copied();
    let blanks = cells.filter(|&cell| marks.only_digit(cell).is_none());
    let signs = blanks.map(|cell| if union.cells.contains(cell) { 1 } else { -1 });
    signs.sum::<i32>() > 0
}

/// The search for choices of candidates that satisfy an equation.
struct Choices {
    /// The candidates of each cell.
    sets: [u32; MAX_CELLS],
    signs: [i32; MAX_CELLS],
    /// For each cell, the earlier cells that it sees: bit i for cell i.
    seen: [u32; MAX_CELLS],
    len: usize,
    sum: i32,
    /// For each cell, the candidates that belong to a choice found so far.
    allowed: [u32; MAX_CELLS],
    /// Scratch: the digits chosen so far, for the first cells. Digits count from 0.
    digits: [usize; MAX_CELLS],
}

impl Choices {
    fn new(equation: &Equation, tables: &Tables, marks: &Marks) -> Choices {
        let cells = equation.cells();
        let (mut sets, mut seen) = ([0; MAX_CELLS], [0; MAX_CELLS]);
        for (index, &cell) in cells.iter().enumerate() {
            sets[index] = marks.candidates[cell];
            let earlier = (0..index).filter(|&earlier| tables.are_peers(cells[earlier], cell));
            seen[index] = earlier.fold(0, |set, earlier| set | 1 << earlier);
        }
        Choices {
            sets,
            signs: equation.signs,
            seen,
            len: cells.len(),
            sum: equation.sum,
            allowed: [0; MAX_CELLS],
            digits: [0; MAX_CELLS],
        }
    }

    /// Fills `allowed`. Searches for a choice with each candidate that is in no choice found before; during this search, the
    /// candidate is the only one of its cell.
    fn find_allowed(&mut self) {
        for cell in 0..self.len {
            let set = self.sets[cell];
            for digit in elements_of(set) {
                if self.allowed[cell] & 1 << digit == 0 {
                    self.sets[cell] = 1 << digit;
                    self.complete(0, self.sum);
                }
            }
            self.sets[cell] = set;
        }
    }

    /// Completes a choice from `cell` on. `sum` is what these cells must add up to, with outies subtracted. If a choice is found,
    /// adds the digits of these cells to `allowed` and returns true.
    fn complete(&mut self, cell: usize, sum: i32) -> bool {
        if cell == self.len {
            return sum == 0;
        }
        let (least, most) = self.sum_bounds(cell);
        if !(least..=most).contains(&sum) {
            return false;
        }
        let seen = elements_of(self.seen[cell]);
        let taken = seen.fold(0, |set, earlier| set | 1 << self.digits[earlier]);
        for digit in elements_of(self.sets[cell] & !taken) {
            self.digits[cell] = digit;
            if self.complete(cell + 1, sum - self.signs[cell] * (digit as i32 + 1)) {
                self.allowed[cell] |= 1 << digit;
                return true;
            }
        }
        false
    }

    /// Returns a lower and an upper bound of the sum of the cells from `first` on, with outies subtracted. They ignore that cells
    /// that see each other differ.
    fn sum_bounds(&self, first: usize) -> (i32, i32) {
        let cells = (first..self.len).map(|cell| {
            let set = self.sets[cell];
            let (least, most) = (
                set.trailing_zeros() as i32 + 1,
                32 - set.leading_zeros() as i32,
            );
            if self.signs[cell] < 0 {
                (-most, -least)
            } else {
                (least, most)
            }
        });
        cells.fold((0, 0), |(least, most), cell| {
            (least + cell.0, most + cell.1)
        })
    }
}
