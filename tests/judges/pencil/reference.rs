//! A plain reference for the pencil: every step searches the whole grid again, and nothing is
//! stored between steps. It also fills grids for rules that the generator does not support.
//! Coloring, chains and almost locked sets are in `reference_chains.rs`, cages and the rule of 45
//! in `reference_cages.rs`.

use sudoku_filter::program::Pair;
use sudoku_filter::{Cage, House, Place, Rules};

use crate::generator::random::Random;

/// Houses, groups and pairs with their names and cells.
pub struct Reference {
    pub side: usize,
    pub houses: Vec<(String, Vec<usize>)>,
    groups: Vec<(String, Vec<usize>)>,
    sees: Vec<Vec<bool>>,
    /// The candidates that a digit in a cell removes: indexed by that cell, the digit - 1 and the
    /// affected cell.
    losses: Vec<Vec<Vec<u32>>>,
    /// The names, cells and sums of the cages that have a sum. They are groups, too.
    pub cages: Vec<(String, Vec<usize>, i32)>,
}

/// The steps, the result and the final candidates; bit d-1 of a set is digit d.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub steps: Vec<String>,
    pub end: &'static str,
    pub sets: Vec<u32>,
}

pub struct Grid<'a> {
    pub reference: &'a Reference,
    pub digits: Vec<u8>,
    pub sets: Vec<u32>,
}

/// The effect of a step: a digit is placed, or candidates are removed.
pub enum Effect {
    Place(usize, u8),
    Remove(Vec<(usize, u8)>),
}

pub type Found = Option<(String, Effect)>;

impl Reference {
    pub fn new(side: usize, houses: &[House], groups: &[House], pairs: &[Pair]) -> Reference {
        let named = |houses: &[House]| -> Vec<(String, Vec<usize>)> {
            let cells = |house: &House| house.cells.iter().map(|&cell| cell.into()).collect();
            let houses = houses.iter();
            houses.map(|house| (house.name.to_string(), cells(house))).collect()
        };
        let (houses, groups) = (named(houses), named(groups));
        let pairs = pairs.iter().map(|pair| {
            let [a, b] = pair.cells.map(usize::from);
            (a, b, pair.relation)
        });
        let pairs: Vec<_> = pairs.collect();
        let mut sees = vec![vec![false; side * side]; side * side];
        for a in 0..side * side {
            for b in 0..side * side {
                let shares =
                    |(_, cells): &(String, Vec<usize>)| cells.contains(&a) && cells.contains(&b);
                let differ = pairs.iter().any(|&(c, d, relation)| {
                    [(a, b), (b, a)].contains(&(c, d)) && relation.forbids(1, 1)
                });
                sees[a][b] = a != b && (houses.iter().chain(&groups).any(shares) || differ);
            }
        }
        let lost = |a: usize, digit: u8, b: usize| {
            let others = (1..=side as u8).filter(|&other| {
                let near = pairs.iter().any(|&(c, d, relation)| {
                    [(a, b), (b, a)].contains(&(c, d)) && relation.forbids(digit, other)
                });
                (sees[a][b] && digit == other) || near
            });
            others.fold(0, |set, other| set | 1 << (other - 1))
        };
        let losses = (0..side * side).map(|a| {
            let of = |digit: u8| (0..side * side).map(|b| lost(a, digit, b)).collect();
            (1..=side as u8).map(of).collect()
        });
        Reference { losses: losses.collect(), side, houses, groups, sees, cages: Vec::new() }
    }

    /// Returns the reference for all rules, with their cages.
    pub fn of_rules(rules: &Rules) -> Reference {
        let cages = rules.cages().iter();
        let groups = rules.groups().iter().cloned();
        let groups: Vec<House> =
            groups.chain(cages.clone().map(|cage| cage.group.clone())).collect();
        let named = |cage: &Cage| {
            let cells = cage.cells().iter().map(|&cell| cell.into()).collect();
            Some((cage.group.name.to_string(), cells, i32::from(cage.sum?)))
        };
        Reference {
            cages: cages.filter_map(named).collect(),
            ..Reference::new(rules.side(), rules.houses(), &groups, rules.pairs())
        }
    }

    pub fn cells(&self) -> usize {
        self.side * self.side
    }

    /// Returns the candidates that each cell loses if `cell` holds `digit`.
    pub fn losses(&self, cell: usize, digit: u8) -> &[u32] {
        &self.losses[cell][usize::from(digit) - 1]
    }

    /// Applies the techniques until none is left to apply. `digits` holds the filled cells,
    /// `candidates` the sets of all cells.
    pub fn work(&self, digits: &[u8], candidates: &[u32]) -> Outcome {
        let mut grid =
            Grid { reference: self, digits: vec![0; self.cells()], sets: candidates.to_vec() };
        for cell in 0..self.cells() {
            if digits[cell] != 0 {
                grid.digits[cell] = digits[cell];
                grid.sets[cell] &= 1 << (digits[cell] - 1);
            }
        }
        for cell in 0..self.cells() {
            if digits[cell] != 0 {
                grid.remove_excluded(cell, digits[cell]);
            }
        }
        let mut steps = Vec::new();
        while !grid.is_contradiction()
            && let Some((text, effect)) = grid.step()
        {
            steps.push(text);
            match effect {
                Effect::Place(cell, digit) => {
                    grid.digits[cell] = digit;
                    grid.sets[cell] = 1 << (digit - 1);
                    grid.remove_excluded(cell, digit);
                }
                Effect::Remove(removed) => {
                    for (cell, digit) in removed {
                        assert!(grid.has(cell, digit));
                        grid.sets[cell] &= !(1 << (digit - 1));
                    }
                }
            }
        }
        let end = match (grid.is_contradiction(), grid.digits.contains(&0)) {
            (true, _) => "contradiction",
            (false, true) => "stuck",
            (false, false) => "solved",
        };
        let sets = grid.sets;
        Outcome { steps, end, sets }
    }

    /// Returns a random full grid.
    pub fn full_grid(&self, random: &mut Random) -> Vec<u8> {
        // A search with a bad start rarely recovers, so many short searches are tried.
        let found = (0..1000).find_map(|_| self.search(1000, random));
        found.expect("the rules have many full grids")
    }

    fn search(&self, limit: usize, random: &mut Random) -> Option<Vec<u8>> {
        let mut open = vec![(vec![(1u32 << self.side) - 1; self.cells()], vec![0; self.cells()])];
        for _ in 0..limit {
            let (sets, digits) = open.pop()?;
            let blanks = (0..self.cells()).filter(|&cell| digits[cell] == 0);
            let Some(cell) = blanks.min_by_key(|&cell| sets[cell].count_ones()) else {
                return Some(digits);
            };
            let choices = (1..=self.side as u8).filter(|digit| sets[cell] >> (digit - 1) & 1 == 1);
            let mut choices: Vec<u8> = choices.collect();
            random.shuffle(&mut choices);
            for digit in choices {
                let (mut sets, mut digits) = (sets.clone(), digits.clone());
                digits[cell] = digit;
                for (set, lost) in sets.iter_mut().zip(self.losses(cell, digit)) {
                    *set &= !lost;
                }
                open.push((sets, digits));
            }
        }
        None
    }
}

impl Grid<'_> {
    pub fn has(&self, cell: usize, digit: u8) -> bool {
        self.sets[cell] >> (digit - 1) & 1 == 1
    }

    pub fn all_digits(&self) -> impl DoubleEndedIterator<Item = u8> + use<> {
        1..=self.reference.side as u8
    }

    fn remove_excluded(&mut self, cell: usize, digit: u8) {
        for (set, lost) in self.sets.iter_mut().zip(self.reference.losses(cell, digit)) {
            *set &= !lost;
        }
    }

    fn is_contradiction(&self) -> bool {
        let lacks = |(_, cells): &(String, Vec<usize>)| {
            self.all_digits().any(|digit| !cells.iter().any(|&cell| self.has(cell, digit)))
        };
        self.sets.contains(&0) || self.reference.houses.iter().any(lacks) || self.has_wrong_sum()
    }

    fn step(&self) -> Found {
        self.naked_single()
            .or_else(|| self.hidden_single())
            .or_else(|| self.cage_combination())
            .or_else(|| self.locked_candidates())
            .or_else(|| self.cage_unit_overlap())
            .or_else(|| self.innies_outies())
            .or_else(|| self.naked(2, "naked-pair"))
            .or_else(|| self.hidden(2, "hidden-pair"))
            .or_else(|| self.naked(3, "naked-triple"))
            .or_else(|| self.hidden(3, "hidden-triple"))
            .or_else(|| self.fish(2, "x-wing"))
            .or_else(|| self.fish(3, "swordfish"))
            .or_else(|| self.xy_wing())
            .or_else(|| self.naked(4, "naked-quad"))
            .or_else(|| self.hidden(4, "hidden-quad"))
            .or_else(|| self.fish(4, "jellyfish"))
            .or_else(|| self.skyscraper())
            .or_else(|| self.two_string_kite())
            .or_else(|| self.w_wing())
            .or_else(|| self.xyz_wing())
            .or_else(|| self.finned_fish(2, "finned-x-wing"))
            .or_else(|| self.finned_fish(3, "finned-swordfish"))
            .or_else(|| self.simple_coloring())
            .or_else(|| self.x_chain())
            .or_else(|| self.xy_chain())
            .or_else(|| self.alternating_chain())
            .or_else(|| self.als_xz())
    }

    fn naked_single(&self) -> Found {
        let single = |&cell: &usize| self.digits[cell] == 0 && self.sets[cell].count_ones() == 1;
        let cell = (0..self.reference.cells()).find(single)?;
        let digit = self.sets[cell].trailing_zeros() as u8 + 1;
        let text = format!("{}={} naked-single", self.place(cell), symbol(digit));
        Some((text, Effect::Place(cell, digit)))
    }

    fn hidden_single(&self) -> Found {
        for (name, cells) in &self.reference.houses {
            for digit in self.all_digits() {
                let places = self.places(cells, digit);
                if let [cell] = places[..]
                    && self.digits[cell] == 0
                {
                    let text =
                        format!("{}={} hidden-single {name}", self.place(cell), symbol(digit));
                    return Some((text, Effect::Place(cell, digit)));
                }
            }
        }
        None
    }

    fn locked_candidates(&self) -> Found {
        for (name, house) in &self.reference.houses {
            for (other_name, other) in self.houses_and_groups() {
                let common = house.iter().filter(|cell| other.contains(cell)).count();
                if common < 2 || house == other {
                    continue;
                }
                for digit in self.all_digits() {
                    let places = self.places(house, digit);
                    if !places.iter().all(|cell| other.contains(cell)) {
                        continue;
                    }
                    let affected = self.places(other, digit).into_iter();
                    let affected = affected.filter(|cell| !house.contains(cell));
                    let removed: Vec<_> = affected.map(|cell| (cell, digit)).collect();
                    if !removed.is_empty() {
                        return self
                            .remove(format!("locked-candidates {name} {other_name}"), removed);
                    }
                }
            }
        }
        None
    }

    fn naked(&self, size: usize, technique: &str) -> Found {
        for (name, house) in self.houses_and_groups() {
            let blanks: Vec<usize> = self.blanks(house);
            for chosen in choices(&blanks, size) {
                let union = chosen.iter().fold(0, |union, &cell| union | self.sets[cell]);
                if union.count_ones() as usize != size {
                    continue;
                }
                let removed = self.candidates(house, |cell, digit| {
                    !chosen.contains(&cell) && union >> (digit - 1) & 1 == 1
                });
                if !removed.is_empty() {
                    let digits = self.all_digits().filter(|digit| union >> (digit - 1) & 1 == 1);
                    return self.subset(technique, name, &chosen, digits.collect(), removed);
                }
            }
        }
        None
    }

    fn hidden(&self, size: usize, technique: &str) -> Found {
        for (name, house) in &self.reference.houses {
            let is_missing = |digit: &u8| house.iter().all(|&cell| self.digits[cell] != *digit);
            let missing: Vec<u8> = self.all_digits().filter(is_missing).collect();
            for chosen in choices(&missing, size) {
                let holds = |cell: &usize| chosen.iter().any(|&digit| self.has(*cell, digit));
                let cells: Vec<usize> = house.iter().copied().filter(holds).collect();
                if cells.len() != size {
                    continue;
                }
                let removed = self.candidates(&cells, |_, digit| !chosen.contains(&digit));
                if !removed.is_empty() {
                    return self.subset(technique, name, &cells, chosen, removed);
                }
            }
        }
        None
    }

    fn subset(
        &self,
        technique: &str,
        house: &str,
        cells: &[usize],
        digits: Vec<u8>,
        removed: Vec<(usize, u8)>,
    ) -> Found {
        let cells: Vec<String> = cells.iter().map(|&cell| self.place(cell)).collect();
        let digits: String = digits.into_iter().map(symbol).collect();
        self.remove(format!("{technique} {house} {} {digits}", cells.join(" ")), removed)
    }

    fn fish(&self, size: usize, technique: &str) -> Found {
        let side = self.reference.side;
        let cell_of = |base: &str, line: usize, across: usize| match base {
            "rows" => line * side + across,
            _ => across * side + line,
        };
        for digit in self.all_digits() {
            for (base, cover) in [("rows", "columns"), ("columns", "rows")] {
                let is_open = |&line: &usize| {
                    (0..side).all(|across| self.digits[cell_of(base, line, across)] != digit)
                };
                let lines: Vec<usize> = (0..side).filter(is_open).collect();
                for chosen in choices(&lines, size) {
                    let crosses = |&across: &usize| {
                        let mut lines = chosen.iter();
                        lines.any(|&line| self.has(cell_of(base, line, across), digit))
                    };
                    let across: Vec<usize> = (0..side).filter(crosses).collect();
                    if across.len() != size {
                        continue;
                    }
                    let mut removed = Vec::new();
                    for line in (0..side).filter(|line| !chosen.contains(line)) {
                        let cells = across.iter().map(|&across| cell_of(base, line, across));
                        let cells = cells.filter(|&cell| self.has(cell, digit));
                        removed.extend(cells.map(|cell| (cell, digit)));
                    }
                    removed.sort_unstable();
                    if !removed.is_empty() {
                        let numbers = |lines: &[usize]| -> String {
                            lines.iter().map(|line| format!(" {}", line + 1)).collect()
                        };
                        let (lines, across) = (numbers(&chosen), numbers(&across));
                        let digit = symbol(digit);
                        let text = format!("{technique} {digit} {base}{lines} {cover}{across}");
                        return self.remove(text, removed);
                    }
                }
            }
        }
        None
    }

    fn xy_wing(&self) -> Found {
        let cells =
            || (0..self.reference.cells()).filter(|&cell| self.sets[cell].count_ones() == 2);
        let sees = |a: usize, b: usize| self.reference.sees[a][b];
        for pivot in cells() {
            for first in cells().filter(|&cell| sees(pivot, cell)) {
                for second in cells().filter(|&cell| cell > first && sees(pivot, cell)) {
                    let sets = [pivot, first, second].map(|cell| self.sets[cell]);
                    let [xy, xz, yz] = sets;
                    let z = xz & yz;
                    // The three sets hold three digits, each of them twice.
                    if (xy | xz | yz).count_ones() != 3 || xy & z != 0 || z == 0 {
                        continue;
                    }
                    let all: Vec<usize> = (0..self.reference.cells()).collect();
                    let removed = self.candidates(&all, |cell, digit| {
                        sees(cell, first) && sees(cell, second) && z >> (digit - 1) & 1 == 1
                    });
                    if !removed.is_empty() {
                        let cells = [pivot, first, second].map(|cell| self.place(cell));
                        return self.remove(format!("xy-wing {}", cells.join(" ")), removed);
                    }
                }
            }
        }
        None
    }

    fn skyscraper(&self) -> Found {
        let side = self.reference.side;
        let lines = |first| choices(&(first..first + side).collect::<Vec<usize>>(), 2);
        let pairs = [lines(0), lines(side)].concat();
        self.joined_pairs("skyscraper", &pairs, |a, b| a % side == b % side || a / side == b / side)
    }

    fn two_string_kite(&self) -> Found {
        let side = self.reference.side;
        let pairs = (0..side).flat_map(|row| (side..2 * side).map(move |column| vec![row, column]));
        self.joined_pairs("two-string-kite", &pairs.collect::<Vec<_>>(), |a, b| self.sees(a, b))
    }

    /// Finds two houses with two cells for a digit each, such that a cell of one is joined with a
    /// cell of the other.
    fn joined_pairs(
        &self,
        technique: &str,
        houses: &[Vec<usize>],
        joined: impl Fn(usize, usize) -> bool,
    ) -> Found {
        for digit in self.all_digits() {
            for houses in houses {
                let pair = |house: usize| self.pair(&self.reference.houses[house].1, digit);
                let (Some(first), Some(second)) = (pair(houses[0]), pair(houses[1])) else {
                    continue;
                };
                for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let (a, b) = (first[i], second[j]);
                    let ends = [first[1 - i], second[1 - j]];
                    if !joined(a, b) || first.iter().any(|cell| second.contains(cell)) {
                        continue;
                    }
                    let removed =
                        self.removable(digit, |cell| ends.iter().all(|&end| self.sees(cell, end)));
                    if !removed.is_empty() {
                        let [start, a, b, end] = [ends[0], a, b, ends[1]]
                            .map(|cell| format!("{}{}", symbol(digit), self.place(cell)));
                        return self
                            .remove(format!("{technique} {start} = {a} - {b} = {end}"), removed);
                    }
                }
            }
        }
        None
    }

    fn w_wing(&self) -> Found {
        let has_two = |&cell: &usize| self.sets[cell].count_ones() == 2;
        let cells: Vec<usize> = (0..self.reference.cells()).filter(has_two).collect();
        for pair in choices(&cells, 2) {
            let (first, second) = (pair[0], pair[1]);
            if self.sets[first] != self.sets[second] {
                continue;
            }
            let digits: Vec<u8> =
                self.all_digits().filter(|&digit| self.has(first, digit)).collect();
            for (x, z) in [(digits[0], digits[1]), (digits[1], digits[0])] {
                let removed =
                    self.removable(z, |cell| self.sees(cell, first) && self.sees(cell, second));
                let bridges = self.houses().filter_map(|house| self.pair(house, x));
                let mut bridges = bridges.flat_map(|[a, b]| [[a, b], [b, a]]);
                let bridge = bridges.find(|&[a, b]| {
                    a != second && b != first && self.sees(a, first) && self.sees(b, second)
                });
                if let Some([a, b]) = bridge
                    && !removed.is_empty()
                {
                    let [first, a, b, second] = [first, a, b, second].map(|cell| self.place(cell));
                    let (x, z) = (symbol(x), symbol(z));
                    let text = format!(
                        "w-wing {z}{first} = {x}{first} - {x}{a} = {x}{b} - {x}{second} = {z}{second}"
                    );
                    return self.remove(text, removed);
                }
            }
        }
        None
    }

    fn xyz_wing(&self) -> Found {
        let cells: Vec<usize> = (0..self.reference.cells()).collect();
        for &pivot in &cells {
            let is_wing = |cell: &usize| {
                let set = self.sets[*cell];
                self.sees(pivot, *cell) && set.count_ones() == 2 && set & !self.sets[pivot] == 0
            };
            let wings: Vec<usize> = cells.iter().copied().filter(is_wing).collect();
            for wings in choices(&wings, 2) {
                let [first, second] = [wings[0], wings[1]].map(|cell| self.sets[cell]);
                if self.sets[pivot].count_ones() != 3 || first | second != self.sets[pivot] {
                    continue;
                }
                let z = (first & second).trailing_zeros() as u8 + 1;
                let all = [pivot, wings[0], wings[1]];
                let removed =
                    self.removable(z, |cell| all.iter().all(|&other| self.sees(cell, other)));
                if !removed.is_empty() {
                    return self.remove(format!("xyz-wing {}", self.places_text(all)), removed);
                }
            }
        }
        None
    }

    fn finned_fish(&self, size: usize, technique: &str) -> Found {
        let side = self.reference.side;
        for digit in self.all_digits() {
            for (base, cover) in [("rows", "columns"), ("columns", "rows")] {
                let cell_of = |line: usize, across: usize| match base {
                    "rows" => line * side + across,
                    _ => across * side + line,
                };
                let holds = |line: usize, across: usize| self.has(cell_of(line, across), digit);
                let count = |line: usize| (0..side).filter(|&across| holds(line, across)).count();
                let lines: Vec<usize> = (0..side).filter(|&line| count(line) >= 2).collect();
                for chosen in choices(&lines, size) {
                    let crosses = |&across: &usize| chosen.iter().any(|&line| holds(line, across));
                    let across: Vec<usize> = (0..side).filter(crosses).collect();
                    if across.len() <= size || across.len() > size + 2 {
                        continue;
                    }
                    for finned in choices(&across, across.len() - size) {
                        let covers =
                            across.iter().copied().filter(|across| !finned.contains(across));
                        let covers: Vec<usize> = covers.collect();
                        if !chosen
                            .iter()
                            .all(|&line| covers.iter().any(|&across| holds(line, across)))
                        {
                            continue;
                        }
                        let cells = |lines: &[usize], acrosses: &[usize]| -> Vec<usize> {
                            let lines = lines.iter().flat_map(|&line| {
                                acrosses.iter().map(move |&across| (line, across))
                            });
                            let cells = lines.filter(|&(line, across)| holds(line, across));
                            let mut cells: Vec<usize> =
                                cells.map(|(line, across)| cell_of(line, across)).collect();
                            cells.sort_unstable();
                            cells
                        };
                        let others: Vec<usize> =
                            (0..side).filter(|line| !chosen.contains(line)).collect();
                        let fins = cells(&chosen, &finned);
                        let targets = cells(&others, &covers);
                        let removed = self.removable(digit, |cell| {
                            targets.contains(&cell) && fins.iter().all(|&fin| self.sees(cell, fin))
                        });
                        if !removed.is_empty() {
                            let numbers = |lines: &[usize]| -> String {
                                lines.iter().map(|line| format!(" {}", line + 1)).collect()
                            };
                            let (lines, covers) = (numbers(&chosen), numbers(&covers));
                            let (digit, fins) = (symbol(digit), self.places_text(fins));
                            let text = format!(
                                "{technique} {digit} {base}{lines} {cover}{covers} fins {fins}"
                            );
                            return self.remove(text, removed);
                        }
                    }
                }
            }
        }
        None
    }

    pub fn houses(&self) -> impl Iterator<Item = &[usize]> {
        self.reference.houses.iter().map(|(_, cells)| &cells[..])
    }

    pub fn sees(&self, a: usize, b: usize) -> bool {
        self.reference.sees[a][b]
    }

    /// Returns the two cells of a house that can hold a digit, if there are exactly two.
    pub fn pair(&self, house: &[usize], digit: u8) -> Option<[usize; 2]> {
        self.places(house, digit).try_into().ok()
    }

    /// Returns the candidates of a digit in the cells that satisfy the condition.
    pub fn removable(&self, digit: u8, is_removed: impl Fn(usize) -> bool) -> Vec<(usize, u8)> {
        let cells =
            (0..self.reference.cells()).filter(|&cell| self.has(cell, digit) && is_removed(cell));
        cells.map(|cell| (cell, digit)).collect()
    }

    pub fn places_text(&self, cells: impl IntoIterator<Item = usize>) -> String {
        let places = cells.into_iter().map(|cell| self.place(cell));
        places.collect::<Vec<String>>().join(" ")
    }

    pub fn houses_and_groups(&self) -> impl Iterator<Item = &(String, Vec<usize>)> {
        self.reference.houses.iter().chain(&self.reference.groups)
    }

    pub fn blanks(&self, house: &[usize]) -> Vec<usize> {
        let blanks = house.iter().copied();
        blanks.filter(|&cell| self.digits[cell] == 0).collect()
    }

    pub fn places(&self, house: &[usize], digit: u8) -> Vec<usize> {
        let cells = house.iter().copied();
        cells.filter(|&cell| self.has(cell, digit)).collect()
    }

    pub fn candidates(
        &self,
        cells: &[usize],
        is_removed: impl Fn(usize, u8) -> bool,
    ) -> Vec<(usize, u8)> {
        let mut removed = Vec::new();
        for &cell in cells {
            let digits = self.all_digits();
            let digits = digits.filter(|&digit| self.has(cell, digit) && is_removed(cell, digit));
            removed.extend(digits.map(|digit| (cell, digit)));
        }
        removed
    }

    pub fn remove(&self, mut text: String, removed: Vec<(usize, u8)>) -> Found {
        text.push(':');
        for &(cell, digit) in &removed {
            text += &format!(" {}-{}", self.place(cell), symbol(digit));
        }
        Some((text, Effect::Remove(removed)))
    }

    fn place(&self, cell: usize) -> String {
        Place::of(cell, self.reference.side).to_string()
    }
}

pub fn symbol(digit: u8) -> char {
    char::from(b"123456789ABCDEFGHIJKLMNOP"[usize::from(digit) - 1])
}

/// Returns all choices of `size` items, in lexicographic order of their indices.
pub fn choices<T: Copy>(from: &[T], size: usize) -> Vec<Vec<T>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, &first) in from.iter().enumerate() {
        for rest in choices(&from[index + 1..], size - 1) {
            let mut chosen = vec![first];
            chosen.extend(rest);
            all.push(chosen);
        }
    }
    all
}
