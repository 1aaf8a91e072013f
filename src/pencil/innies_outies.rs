//! Finds innies and outies by the rule of 45: the digits of a house add up to N(N+1)/2, which is 45 in a 9x9. The cages inside
//! leave a sum for the other cells, and the cages that cross the house one for their cells outside.

use super::paper::{Paper, digits_of};
use super::step::Pattern;
use super::tables::{SumCage, Tables};
use super::unions::HouseUnion;

/// The most blank cells of an equation.
const MAX_CELLS: usize = 4;

/// Which cells of the cages that cross a union an equation contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// The cells inside the union: innies.
    Inside,
    /// The cells outside: outies.
    Outside,
    /// For each cage the side with fewer blank cells, inside if there are equally many.
    Fewer,
}

use Side::{Fewer, Inside, Outside};

const SIDES: [Side; EQUATIONS_PER_UNION] = [Inside, Outside, Fewer];

pub(super) const EQUATIONS_PER_UNION: usize = 3;

/// Blank cells of which the sum of the innies minus the sum of the outies is known.
#[derive(Clone, Copy, Debug, Default)]
struct Equation {
    /// Index of the union times [`EQUATIONS_PER_UNION`], plus that of the side in [`SIDES`].
    index: usize,
    cells: [u16; MAX_CELLS],
    is_outie: [bool; MAX_CELLS],
    /// The number of cells.
    len: usize,
    sum: i32,
}

/// Finds the first equation that a candidate contradicts: no choice of candidates with it satisfies the equation and has
/// different digits in cells that see each other. Equations of fewer cells come first.
pub(super) fn find(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    let mut equations = Vec::new();
    for (union, houses) in tables.unions.iter().enumerate() {
        for (side, &which) in SIDES.iter().enumerate() {
            let index = union * EQUATIONS_PER_UNION + side;
            if !paper.history.equation_needs_search(index, houses) {
                continue;
            }
            match Equation::new(tables, paper, houses, which) {
                Some(equation) => equations.push(Equation { index, ..equation }),
                None => paper.history.record_failed_equation(index),
            }
        }
    }
    equations.sort_by_key(|equation| equation.len);
    equations.iter().find_map(|equation| {
        let pattern = equation.eliminate(tables, paper);
        if pattern.is_none() {
            paper.history.record_failed_equation(equation.index);
        }
        pattern
    })
}

impl Equation {
    /// Returns the equation of a union, if it has one to four blank cells. Outies alone have one only if all other blank cells
    /// of the union are in cages with a sum.
    fn new(tables: &Tables, paper: &Paper, union: &HouseUnion, side: Side) -> Option<Equation> {
        let mut equation = Equation {
            sum: union.rest,
            ..Equation::default()
        };
        for &cell in &union.uncaged {
            equation.add(paper, cell, false)?;
        }
        if side == Outside && equation.len > 0 {
            return None;
        }
        for cage in &union.crossing {
            let is_outside = match side {
                Inside => false,
                Outside => true,
                Fewer => has_fewer_outside(tables, paper, union, cage),
            };
            equation.add_cage(tables, paper, union, (cage, is_outside))?;
        }
        (equation.len > 0).then_some(equation)
    }

    /// Adds the cells of a cage inside the union or, if the flag is set, subtracts those outside: the cells inside have the
    /// sum of the cage minus these.
    fn add_cage(
        &mut self,
        tables: &Tables,
        paper: &Paper,
        union: &HouseUnion,
        (cage, is_outside): (&SumCage, bool),
    ) -> Option<()> {
        if is_outside {
            self.sum -= i32::from(cage.sum);
        }
        for &cell in tables.cells_of.of(cage.house) {
            if union.cells.contains(cell) != is_outside {
                self.add(paper, cell, is_outside)?;
            }
        }
        Some(())
    }

    /// Adds a cell. Returns `None` if there are too many.
    fn add(&mut self, paper: &Paper, cell: u16, is_outie: bool) -> Option<()> {
        if let Some(digit) = paper.only_digit(cell) {
            let digit = i32::from(digit);
            self.sum -= if is_outie { -digit } else { digit };
            return Some(());
        }
        *self.cells.get_mut(self.len)? = cell;
        self.is_outie[self.len] = is_outie;
        self.len += 1;
        Some(())
    }

    fn cells(&self) -> &[u16] {
        &self.cells[..self.len]
    }

    /// Stores the candidates that contradict the equation as eliminations. Returns `None` if there are none.
    fn eliminate(&self, tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
        let mut choices = Choices::new(self, tables, paper);
        choices.allow_all();
        let cells = self.cells().iter().zip(choices.allowed);
        let eliminations = cells.map(|(&cell, allowed)| (cell, paper.candidates[cell] & !allowed));
        paper.eliminations.clear();
        paper
            .eliminations
            .extend(eliminations.filter(|&(_, removed)| removed != 0));
        paper.eliminations.sort_unstable();
        (!paper.eliminations.is_empty()).then(|| self.pattern())
    }

    fn pattern(&self) -> Pattern {
        let places = |outies: bool| -> Vec<u16> {
            let cells = self.cells().iter().zip(self.is_outie);
            let cells = cells.filter(|&(_, is_outie)| is_outie == outies);
            let mut cells: Vec<u16> = cells.map(|(&cell, _)| cell).collect();
            cells.sort_unstable();
            cells
        };
        Pattern::InniesOuties {
            union: self.index / EQUATIONS_PER_UNION,
            innies: places(false),
            outies: places(true),
            sum: self.sum,
        }
    }
}

/// Returns true if a cage has fewer blank cells outside a union than inside it.
fn has_fewer_outside(tables: &Tables, paper: &Paper, union: &HouseUnion, cage: &SumCage) -> bool {
    let cells = tables.cells_of.of(cage.house).iter().copied();
    let blanks = cells.filter(|&cell| paper.only_digit(cell).is_none());
    let surplus: i32 = blanks
        .map(|cell| if union.cells.contains(cell) { 1 } else { -1 })
        .sum();
    surplus > 0
}

/// The search for choices of candidates that satisfy an equation.
struct Choices {
    /// The candidates of each cell.
    sets: [u32; MAX_CELLS],
    is_outie: [bool; MAX_CELLS],
    /// For each cell, the earlier cells that it sees: bit i for cell i.
    seen: [u32; MAX_CELLS],
    len: usize,
    sum: i32,
    /// For each cell, the candidates that belong to a choice.
    allowed: [u32; MAX_CELLS],
    /// The digits chosen for the first cells.
    digits: [usize; MAX_CELLS],
}

impl Choices {
    fn new(equation: &Equation, tables: &Tables, paper: &Paper) -> Choices {
        let cells = equation.cells();
        let (mut sets, mut seen) = ([0; MAX_CELLS], [0; MAX_CELLS]);
        for (index, &cell) in cells.iter().enumerate() {
            sets[index] = paper.candidates[cell];
            let earlier = (0..index).filter(|&earlier| tables.are_peers(cells[earlier], cell));
            seen[index] = earlier.fold(0, |set, earlier| set | 1 << earlier);
        }
        Choices {
            sets,
            is_outie: equation.is_outie,
            seen,
            len: cells.len(),
            sum: equation.sum,
            allowed: [0; MAX_CELLS],
            digits: [0; MAX_CELLS],
        }
    }

    /// Searches for a choice with each candidate that does not belong to an earlier choice.
    fn allow_all(&mut self) {
        for cell in 0..self.len {
            let set = self.sets[cell];
            for digit in digits_of(set) {
                if self.allowed[cell] & 1 << digit == 0 {
                    self.sets[cell] = 1 << digit;
                    self.find(0, self.sum);
                }
            }
            self.sets[cell] = set;
        }
    }

    /// Continues the choice from a cell on. `sum` is left for it and the cells after it. Returns true if there is a choice, and
    /// allows its digits.
    fn find(&mut self, cell: usize, sum: i32) -> bool {
        if cell == self.len {
            return sum == 0;
        }
        let (least, most) = self.extreme_sums(cell);
        if !(least..=most).contains(&sum) {
            return false;
        }
        let seen = digits_of(self.seen[cell]);
        let taken = seen.fold(0, |set, earlier| set | 1 << self.digits[earlier]);
        for digit in digits_of(self.sets[cell] & !taken) {
            self.digits[cell] = digit;
            let value = digit as i32 + 1;
            let left = sum - if self.is_outie[cell] { -value } else { value };
            if self.find(cell + 1, left) {
                self.allowed[cell] |= 1 << digit;
                return true;
            }
        }
        false
    }

    /// Returns the least and the greatest sum of the cells from this one on, as far as their candidates limit it.
    fn extreme_sums(&self, first: usize) -> (i32, i32) {
        let cells = (first..self.len).map(|cell| {
            let set = self.sets[cell];
            let (least, most) = (
                set.trailing_zeros() as i32 + 1,
                32 - set.leading_zeros() as i32,
            );
            if self.is_outie[cell] {
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
