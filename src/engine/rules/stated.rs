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
    const EVERYTHING: PairTable = PairTable([u16::MAX; 16]);

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

    fn or(&self, other: &PairTable) -> PairTable {
        PairTable(std::array::from_fn(|row| self.0[row] | other.0[row]))
    }

    fn is_within(&self, other: &PairTable) -> bool {
        self.0.iter().zip(other.0).all(|(row, other)| row & !other == 0)
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
    pub scope: Scope,
}

/// The subject of a rule. Only rules of cells are clues ([`Rules::clues`](super::Rules::clues)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The cells that it names.
    Cells,
    /// Anything else: the whole grid, a house or a group, or cells that a rule of the whole grid
    /// excepts. Without the rule, those cells would have to satisfy the other one.
    Grid,
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

/// At least `least` of the cells hold one of their digits. A cell that is there several times, each
/// time with the same digits, counts so often.
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
    /// The index of the rule in [`StatedRules::rules`].
    pub rule: usize,
}

/// The digits that the rules about two cells forbid, by the number of these rules.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Support {
    /// The last of the rules, and what it allows.
    rule: usize,
    by_rule: PairTable,
    /// The digits that all earlier rules allow.
    once: PairTable,
    /// The pairs of digits that no two of the earlier rules forbid.
    twice: PairTable,
}

/// The constraints of one puzzle. `begin` names the rule to which those that follow belong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedRules {
    rules: Vec<StatedRule>,
    /// One table for each two cells, the lower cell first, with its index in `tables`: what all
    /// rules about these two cells allow.
    pairs: Vec<([u16; 2], u32)>,
    tables: Vec<PairTable>,
    /// The rule that was the first to state each of `pairs`.
    first_rules: Vec<usize>,
    /// The tables as they are stated: the cells in their order, and the index of the rule. Without
    /// those that forbid nothing but what two other rules forbid: one of these is left if the other
    /// one is dropped.
    stated_pairs: Vec<([u16; 2], PairTable, usize)>,
    /// Of the pairs that are stated more than once, by their index in `pairs`.
    supports: HashMap<usize, Support>,
    sums: Vec<WeightedSum>,
    counts: Vec<Count>,
    sets: Vec<SetList>,
    /// Cells that differ by a rule, in ascending order: the groups of the puzzle have them too.
    groups: Vec<(Vec<u16>, usize)>,
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

    /// The last rule has no constraints here: it is a cage.
    pub fn withdraw(&mut self) {
        self.rules.pop();
    }

    fn rule(&self) -> usize {
        self.rules.len().checked_sub(1).expect("a constraint follows the name of its rule")
    }

    /// The cells must be different.
    pub fn add_pair(&mut self, a: u16, b: u16, table: PairTable) {
        let rule = self.rule();
        let (cells, ordered) = in_order(a, b, table);
        match self.index_of_pair.get(&cells).copied() {
            // Long lists can state the same pairs again and again.
            Some(index) if self.is_supported(index, &ordered) => return,
            Some(index) => _ = self.narrow(index, ordered),
            None => self.push_pair(cells, ordered),
        }
        self.stated_pairs.push(([a, b], table, rule));
    }

    /// True if all that the table forbids is forbidden by this rule before, or by two others.
    /// Otherwise, the table counts from now on.
    fn is_supported(&mut self, index: usize, table: &PairTable) -> bool {
        let first = Support {
            rule: self.first_rules[index],
            by_rule: self.tables[self.pairs[index].1 as usize],
            once: PairTable::EVERYTHING,
            twice: PairTable::EVERYTHING,
        };
        let rule = self.rule();
        !self.supports.entry(index).or_insert(first).add(rule, table)
    }

    /// Adds a table without a name. Returns false if earlier tables forbid all that it forbids.
    pub(crate) fn merge_pair(&mut self, a: u16, b: u16, table: PairTable) -> bool {
        let (cells, table) = in_order(a, b, table);
        match self.index_of_pair.get(&cells) {
            Some(&index) => self.narrow(index, table),
            None => {
                self.push_pair(cells, table);
                true
            }
        }
    }

    /// Returns false if the table of the pair already forbids all that this one forbids.
    fn narrow(&mut self, index: usize, table: PairTable) -> bool {
        let known = self.tables[self.pairs[index].1 as usize];
        let table = table.and(&known);
        self.pairs[index].1 = self.index_of(table);
        table != known
    }

    fn push_pair(&mut self, cells: [u16; 2], table: PairTable) {
        self.index_of_pair.insert(cells, self.pairs.len());
        let table = self.index_of(table);
        self.pairs.push((cells, table));
        self.first_rules.push(self.rules.len().saturating_sub(1));
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
        self.sets.push(SetList { cells, sets, rule: self.rule() });
    }

    /// The cell holds one of these digits: bit d-1 for digit d.
    pub fn restrict(&mut self, cell: u16, digits: u16) {
        let rule = self.rule();
        let literals = vec![(cell, digits)];
        let of_rule = self.counts.iter().rev().take_while(|count| count.rule == rule);
        // Long lists can state the same cell again and again.
        if !of_rule.into_iter().any(|count| count.literals == literals) {
            self.add_count(literals, 1);
        }
    }

    /// These cells, in ascending order, are a group of the puzzle because of the rule.
    pub fn add_group(&mut self, cells: Vec<u16>) {
        debug_assert!(cells.is_sorted_by(|a, b| a < b));
        self.groups.push((cells, self.rule()));
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

    /// The indices of the rules of cells.
    pub(super) fn clues(&self) -> impl Iterator<Item = usize> {
        (0..self.rules.len()).filter(|&rule| self.rules[rule].scope == Scope::Cells)
    }

    /// Returns the constraints of all other rules.
    pub(super) fn without(&self, rule: usize) -> StatedRules {
        let mut left = StatedRules { rules: self.rules.clone(), ..StatedRules::default() };
        for pair in self.stated_pairs.iter().filter(|pair| pair.2 != rule) {
            left.merge_pair(pair.0[0], pair.0[1], pair.1);
            left.stated_pairs.push(*pair);
        }
        left.sums.extend(self.sums.iter().filter(|sum| sum.rule != rule).cloned());
        left.counts.extend(self.counts.iter().filter(|count| count.rule != rule).cloned());
        left.sets.extend(self.sets.iter().filter(|list| list.rule != rule).cloned());
        left.groups.extend(self.groups.iter().filter(|group| group.1 != rule).cloned());
        left
    }

    pub(super) fn groups_of(&self, rule: usize) -> impl Iterator<Item = &[u16]> {
        self.groups.iter().filter(move |group| group.1 == rule).map(|group| &*group.0)
    }

    /// Such as `thermometer at r4c1`.
    pub(super) fn name(&self, rule: usize, side: usize) -> String {
        self.rules[rule].place_name(side)
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
            let cells = |count: &Count| {
                let mut cells: Vec<u16> = count.literals.iter().map(|it| it.0).collect();
                cells.sort_unstable();
                cells.dedup();
                cells
            };
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

/// Returns the lower cell first, and the table of the cells in this order.
fn in_order(a: u16, b: u16, table: PairTable) -> ([u16; 2], PairTable) {
    assert_ne!(a, b);
    if a < b { ([a, b], table) } else { ([b, a], table.transposed()) }
}

impl Support {
    /// Returns false if the table forbids nothing new: see [`StatedRules::stated_pairs`].
    fn add(&mut self, rule: usize, table: &PairTable) -> bool {
        if rule != self.rule {
            self.twice = self.twice.and(&self.once.or(&self.by_rule));
            self.once = self.once.and(&self.by_rule);
            (self.rule, self.by_rule) = (rule, PairTable::EVERYTHING);
        }
        let is_new = !self.by_rule.and(&self.twice).is_within(table);
        if is_new {
            self.by_rule = self.by_rule.and(table);
        }
        is_new
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
        let (rule, fault) = (self.rule.place_name(side), self.rule.fault);
        match self.cells {
            Some([a, b]) => format!("{rule}: {} {fault} {}", place(a), place(b)),
            None => format!("{rule} does not hold"),
        }
    }
}

impl StatedRule {
    fn place_name(&self, side: usize) -> String {
        format!("{} at {}", self.name, Place::of(self.first_cell.into(), side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const RULES: usize = 5;
    const SIDE: usize = 3;

    /// A table that forbids few pairs of digits.
    fn random_table(random: &mut Random) -> PairTable {
        let forbidden: Vec<u32> = (0..random.below(4)).map(|_| random.below(9)).collect();
        PairTable::new(SIDE, |a, b| !forbidden.contains(&((3 * (a - 1) + b - 1) as u32)))
    }

    /// Pairs of cells with their tables, each with the rule that states it.
    fn random_pairs(random: &mut Random) -> Vec<([u16; 2], PairTable, usize)> {
        let mut pairs = Vec::new();
        for rule in 0..RULES {
            for _ in 0..random.below(4) {
                let [a, b] = [[0, 1], [1, 0], [1, 2], [2, 1]][random.below(4) as usize];
                pairs.push(([a, b], random_table(random), rule));
            }
        }
        pairs
    }

    fn stated(pairs: &[([u16; 2], PairTable, usize)]) -> StatedRules {
        let mut stated = StatedRules::default();
        for rule in 0..RULES {
            let scope = Scope::Cells;
            stated.begin(StatedRule { name: "rule", first_cell: rule as u16, fault: "", scope });
            for &([a, b], table, _) in pairs.iter().filter(|pair| pair.2 == rule) {
                stated.add_pair(a, b, table);
            }
        }
        stated
    }

    /// Returns the table of each two cells; `None` without a rule about them.
    fn tables(stated: &StatedRules) -> Vec<([u16; 2], PairTable)> {
        let table = |&(cells, table): &([u16; 2], u32)| (cells, stated.tables[table as usize]);
        let mut tables: Vec<([u16; 2], PairTable)> = stated.pairs.iter().map(table).collect();
        tables.sort_by_key(|(cells, _)| *cells);
        tables.retain(|(_, table)| *table != PairTable::new(SIDE, |_, _| true));
        tables
    }

    #[test]
    fn without_a_rule_the_others_state_what_they_state_alone() {
        let random = &mut Random::new(1);
        let mut repeated = 0;
        for _ in 0..2000 {
            let pairs = random_pairs(random);
            let all = stated(&pairs);
            repeated += pairs.len() - all.stated_pairs.len();
            assert_eq!(all.clues().count(), RULES);
            for rule in 0..RULES {
                let others: Vec<_> = pairs.iter().filter(|pair| pair.2 != rule).copied().collect();
                assert_eq!(tables(&all.without(rule)), tables(&stated(&others)), "{pairs:?}");
                assert_eq!(
                    all.name(rule, SIDE),
                    format!("rule at r1c{}", rule + 1)
                        .replace("r1c4", "r2c1")
                        .replace("r1c5", "r2c2")
                );
            }
        }
        assert!(repeated > 1000, "{repeated}");
    }

    #[test]
    fn pairs_that_many_rules_state_take_no_more_memory_than_those_of_two() {
        let less = PairTable::new(9, |a, b| a < b);
        let mut stated = StatedRules::default();
        for rule in 0..1000 {
            let scope = Scope::Cells;
            stated.begin(StatedRule { name: "rule", first_cell: rule, fault: "", scope });
            (0..10).for_each(|_| stated.add_pair(0, 1, less));
        }
        assert_eq!(stated.stated_pairs.len(), 2);
    }

    #[test]
    fn all_that_a_rule_states_goes_with_it() {
        let mut stated = StatedRules::default();
        for first_cell in 0..2 {
            let scope = Scope::Cells;
            stated.begin(StatedRule { name: "rule", first_cell, fault: "", scope });
            stated.add_sum([(0, 1), (1, -1)], 3);
            stated.add_count(vec![(0, 1), (1, 1)], 1);
            stated.restrict(2, 0b11);
            stated.restrict(2, 0b11);
            stated.add_sets(vec![0, 1], vec![0b11]);
            stated.add_group(vec![0, 1]);
        }
        assert_eq!(stated.counts.len(), 4, "a cell is restricted once by a rule");
        let left = stated.without(0).without(1);
        assert!(left.is_empty() && left.sets.is_empty() && left.groups.is_empty());
        let left = stated.without(1);
        assert_eq!((left.sums.len(), left.counts.len(), left.sets.len()), (1, 2, 1));
        assert!(left.sums[0].rule == 0 && left.groups == [(vec![0, 1], 0)]);
    }
}
