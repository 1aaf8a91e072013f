//! Rules that a puzzle states itself, beside houses, groups and cages. Programs of the field have
//! dozens of names for such rules; here they are four kinds of constraints:
//!
//! ```text
//!   pair table     the digits that two cells can hold together   thermometers, dots, whispers, palindromes
//!   weighted sum   digits times weights add up to a total        arrows, little killers, zippers
//!   count          at least k of these cells hold one of         quadruples, cells between others,
//!                  their digits (with k = 1: a clause)           equal sets of digits
//!   set list       cells that differ hold one of these sets      renbans; it only adds deductions
//! ```

use std::collections::HashMap;

use super::place::{MAX_SIDE, Place, pluralize};
use crate::error::InvalidInput;

/// The digits of a second cell that are allowed beside each digit of a first one: element `d - 1`
/// for digit d of the first cell, and in it bit `e - 1` for digit e of the second one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairTable(pub [u16; 16]);

impl PairTable {
    /// `allows` is called with digits from 1 to `side`.
    #[must_use]
    pub fn new(side: usize, allows: impl Fn(i32, i32) -> bool) -> PairTable {
        let mut table = PairTable([0; 16]);
        for (a, row) in (1..).zip(&mut table.0[..side]) {
            let digits = (1..=side as i32).filter(|&b| allows(a, b));
            *row = digits.fold(0, |row, b| row | 1 << (b - 1));
        }
        table
    }

    /// Returns the same table with the two cells exchanged.
    #[must_use]
    pub fn transposed(&self) -> PairTable {
        PairTable::new(16, |a, b| self.allows(b as u8, a as u8))
    }

    /// The digits are from 1 to 16.
    #[must_use]
    pub fn allows(&self, a: u8, b: u8) -> bool {
        self.0[usize::from(a - 1)] >> (b - 1) & 1 == 1
    }

    fn and(&self, other: &PairTable) -> PairTable {
        PairTable(std::array::from_fn(|row| self.0[row] & other.0[row]))
    }
}

/// A rule as the puzzle states it, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedRule {
    /// Such as `thermometer`.
    pub name: &'static str,
    pub first_cell: u16,
    /// What is wrong with two cells that its table forbids, such as `is not less than`.
    pub fault: &'static str,
}

/// Digits times weights add up to a total. Each cell occurs once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedSum {
    /// Cells and their weights.
    pub terms: Vec<(u16, i16)>,
    pub total: i32,
    /// The index of the rule in [`StatedRules::rules`].
    pub rule: usize,
}

/// At least `least` of the cells hold one of their digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Cells, each with its digits: bit d-1 for digit d.
    pub literals: Vec<(u16, u16)>,
    pub least: usize,
    /// The index of the rule in [`StatedRules::rules`].
    pub rule: usize,
}

/// Cells that differ, and the sets of digits that they can hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetList {
    pub cells: Vec<u16>,
    /// Bit d-1 for digit d.
    pub sets: Vec<u16>,
}

/// The constraints of one puzzle. `begin` names the rule to which those that follow belong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedRules {
    rules: Vec<StatedRule>,
    /// One table for each two cells, the lower cell first, with its index in `tables`: what all
    /// rules about these two cells allow.
    pairs: Vec<([u16; 2], u32)>,
    tables: Vec<PairTable>,
    /// The tables as they are stated: the cells in their order, and the index of the rule. Without
    /// those that follow from earlier ones.
    stated_pairs: Vec<([u16; 2], PairTable, usize)>,
    sums: Vec<WeightedSum>,
    counts: Vec<Count>,
    sets: Vec<SetList>,
    /// Indices in `pairs` and `tables`.
    index_of_pair: HashMap<[u16; 2], usize>,
    index_of_table: HashMap<PairTable, u32>,
}

/// The maximum number of cells of a weighted sum.
pub(crate) const MAX_TERMS: usize = 96;
/// The search numbers sums, counts and sets, which have room beside 80 houses. Cages need it too.
const MAX_NUMBERED: usize = 176;
const MAX_WEIGHT: i16 = 1000;

/// A rule that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatedFault {
    pub rule: StatedRule,
    /// The cells of a pair.
    pub cells: Option<[u16; 2]>,
}

impl StatedRules {
    /// The constraints that are added next belong to this rule.
    pub fn begin(&mut self, rule: StatedRule) {
        self.rules.push(rule);
    }

    fn rule(&self) -> usize {
        self.rules.len().checked_sub(1).expect("a constraint follows the name of its rule")
    }

    /// The cells must be different.
    pub fn add_pair(&mut self, a: u16, b: u16, table: PairTable) {
        let rule = self.rule();
        // Long lists can state the same pairs again and again.
        if self.merge_pair(a, b, table) {
            self.stated_pairs.push(([a, b], table, rule));
        }
    }

    /// Adds a table without a name. Returns false if earlier tables forbid all that it forbids.
    pub(crate) fn merge_pair(&mut self, a: u16, b: u16, mut table: PairTable) -> bool {
        assert_ne!(a, b);
        let cells = [a.min(b), a.max(b)];
        if a > b {
            table = table.transposed();
        }
        match self.index_of_pair.get(&cells) {
            Some(&index) => {
                let known = self.tables[self.pairs[index].1 as usize];
                let table = table.and(&known);
                self.pairs[index].1 = self.index_of(table);
                table != known
            }
            None => {
                self.index_of_pair.insert(cells, self.pairs.len());
                let table = self.index_of(table);
                self.pairs.push((cells, table));
                true
            }
        }
    }

    fn index_of(&mut self, table: PairTable) -> u32 {
        *self.index_of_table.entry(table).or_insert_with(|| {
            self.tables.push(table);
            self.tables.len() as u32 - 1
        })
    }

    /// A cell that occurs several times has the sum of its weights. `check` refuses large ones.
    pub fn add_sum(&mut self, terms: impl IntoIterator<Item = (u16, i16)>, total: i32) {
        let mut sum: Vec<(u16, i32)> = Vec::new();
        for (cell, weight) in terms {
            match sum.iter_mut().find(|(known, _)| *known == cell) {
                Some((_, known)) => *known += i32::from(weight),
                None => sum.push((cell, weight.into())),
            }
        }
        let limited = |weight: i32| weight.clamp((-i16::MAX).into(), i16::MAX.into()) as i16;
        let terms = sum.into_iter().filter(|&(_, weight)| weight != 0);
        let terms = terms.map(|(cell, weight)| (cell, limited(weight))).collect();
        self.sums.push(WeightedSum { terms, total, rule: self.rule() });
    }

    /// Adds nothing if `least` is 0.
    pub fn add_count(&mut self, literals: Vec<(u16, u16)>, least: usize) {
        if least > 0 {
            self.counts.push(Count { literals, least, rule: self.rule() });
        }
    }

    /// Nothing satisfies the rule.
    pub fn add_contradiction(&mut self) {
        self.add_count(Vec::new(), 1);
    }

    /// `cells` must differ by another rule too.
    pub fn add_sets(&mut self, cells: Vec<u16>, sets: Vec<u16>) {
        self.sets.push(SetList { cells, sets });
    }

    /// Adds all of another list.
    pub fn append(&mut self, other: StatedRules) {
        let begin = self.rules.len();
        self.rules.extend(other.rules);
        for (cells, table, rule) in other.stated_pairs {
            if self.merge_pair(cells[0], cells[1], table) {
                self.stated_pairs.push((cells, table, begin + rule));
            }
        }
        let sums = other.sums.into_iter();
        self.sums.extend(sums.map(|sum| WeightedSum { rule: begin + sum.rule, ..sum }));
        let counts = other.counts.into_iter();
        self.counts.extend(counts.map(|count| Count { rule: begin + count.rule, ..count }));
        self.sets.extend(other.sets);
    }

    /// Returns true if there are no constraints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.sums.is_empty() && self.counts.is_empty()
    }

    pub(crate) fn pairs(&self) -> &[([u16; 2], u32)] {
        &self.pairs
    }

    pub(crate) fn tables(&self) -> &[PairTable] {
        &self.tables
    }

    pub(crate) fn sums(&self) -> &[WeightedSum] {
        &self.sums
    }

    pub(crate) fn take_sums(&mut self) -> Vec<WeightedSum> {
        std::mem::take(&mut self.sums)
    }

    pub(crate) fn push_sum(&mut self, sum: WeightedSum) {
        self.sums.push(sum);
    }

    pub(crate) fn counts(&self) -> &[Count] {
        &self.counts
    }

    pub(crate) fn sets(&self) -> &[SetList] {
        &self.sets
    }

    /// Checks what the search relies on. A sum that no digits reach becomes a contradiction.
    /// `cages` is the number of cages beside these rules.
    pub(crate) fn check(&mut self, side: usize, cages: usize) -> Result<(), InvalidInput> {
        debug_assert!(side <= 16 && MAX_SIDE > 16);
        let rules = &self.rules;
        for sum in &self.sums {
            let name = rules[sum.rule].name;
            if sum.terms.len() > MAX_TERMS {
                let cells = pluralize(sum.terms.len(), "cell");
                return Err(format!("{name}: a sum of {cells}; at most {MAX_TERMS}").into());
            }
            if sum.terms.iter().any(|&(_, weight)| weight.abs() > MAX_WEIGHT) {
                return Err(format!("{name}: a weight above {MAX_WEIGHT}").into());
            }
        }
        let mut contradictions = Vec::new();
        self.sums.retain(|sum| {
            let [least, most] = range_of(sum, side);
            let is_possible = (least..=most).contains(&sum.total);
            if !is_possible {
                contradictions.push(sum.rule);
            }
            is_possible
        });
        for rule in contradictions {
            self.counts.push(Count { literals: Vec::new(), least: 1, rule });
        }
        let numbered = cages + self.sums.len() + self.counts.len() + self.sets.len();
        let distinct = || {
            let cells = |count: &Count| count.literals.iter().map(|it| it.0).collect::<Vec<u16>>();
            let mut of_counts: Vec<Vec<u16>> = self.counts.iter().map(cells).collect();
            of_counts.sort_unstable();
            of_counts.dedup();
            cages + self.sums.len() + of_counts.len() + self.sets.len()
        };
        if numbered > MAX_NUMBERED && distinct() > MAX_NUMBERED {
            return Err(format!("more than {MAX_NUMBERED} sums, counts and cages").into());
        }
        Ok(())
    }

    /// Returns the first rule that does not hold. A blank cell (0) is no fault.
    pub(crate) fn fault(&self, digits: &[u8]) -> Option<StatedFault> {
        let mut pairs = self.stated_pairs.iter();
        if let Some(&(cells, _, rule)) = pairs.find(|pair| is_wrong_pair(pair, digits)) {
            return Some(StatedFault { rule: self.rules[rule], cells: Some(cells) });
        }
        let sum = self.sums.iter().find(|sum| sum.is_wrong(digits)).map(|sum| sum.rule);
        let count = || self.counts.iter().find(|count| count.is_wrong(digits));
        let rule = sum.or_else(|| count().map(|count| count.rule))?;
        Some(StatedFault { rule: self.rules[rule], cells: None })
    }

    /// Returns the cells of all pairs, sums and counts that do not hold, some of them repeatedly.
    pub(crate) fn conflicting_cells(&self, digits: &[u8]) -> impl Iterator<Item = u16> {
        let pairs = self.stated_pairs.iter().filter(|pair| is_wrong_pair(pair, digits));
        let sums = self.sums.iter().filter(|sum| sum.is_wrong(digits));
        let counts = self.counts.iter().filter(|count| count.is_wrong(digits));
        pairs
            .flat_map(|(cells, ..)| *cells)
            .chain(sums.flat_map(|sum| sum.terms.iter().map(|term| term.0)))
            .chain(counts.flat_map(|count| count.literals.iter().map(|literal| literal.0)))
    }
}

fn is_wrong_pair(&([a, b], table, _): &([u16; 2], PairTable, usize), digits: &[u8]) -> bool {
    let [x, y] = [a, b].map(|cell| digits[usize::from(cell)]);
    x != 0 && y != 0 && !table.allows(x, y)
}

impl WeightedSum {
    /// False if a cell is blank (0).
    fn is_wrong(&self, digits: &[u8]) -> bool {
        let at = |cell: u16| digits[usize::from(cell)];
        let term = |&(cell, weight): &(u16, i16)| i32::from(at(cell)) * i32::from(weight);
        self.terms.iter().all(|&(cell, _)| at(cell) != 0)
            && self.terms.iter().map(term).sum::<i32>() != self.total
    }
}

impl Count {
    /// Blank cells (0) can still hold one of their digits.
    fn is_wrong(&self, digits: &[u8]) -> bool {
        let can_hold = |&&(cell, set): &&(u16, u16)| match digits[usize::from(cell)] {
            0 => true,
            digit => set >> (digit - 1) & 1 == 1,
        };
        self.literals.iter().filter(can_hold).count() < self.least
    }
}

/// Returns the least and the greatest total of a sum whose digits can repeat.
fn range_of(sum: &WeightedSum, side: usize) -> [i32; 2] {
    let side = side as i32;
    sum.terms.iter().fold([0, 0], |[least, most], &(_, weight)| {
        let (one, all) = (i32::from(weight), i32::from(weight) * side);
        [least + one.min(all), most + one.max(all)]
    })
}

impl StatedFault {
    /// Such as `thermometer at r4c1: r4c2 is not less than r5c2`.
    pub fn reason(&self, side: usize) -> String {
        let place = |cell: u16| Place::of(cell.into(), side);
        let StatedRule { name, first_cell, fault } = self.rule;
        let at = place(first_cell);
        match self.cells {
            Some([a, b]) => format!("{name} at {at}: {} {fault} {}", place(a), place(b)),
            None => format!("{name} at {at} does not hold"),
        }
    }
}
