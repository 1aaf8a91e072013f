//! A plain reference for the pencil: every step searches the whole grid again, and nothing is stored between steps. It
//! also fills grids for rules that the generator does not support.

use sudoku_filter::{House, Pair, Place, Relation};

use crate::generator::random::Random;

/// Houses, groups and pairs with their names and cells.
pub struct Reference {
    pub side: usize,
    houses: Vec<(String, Vec<usize>)>,
    groups: Vec<(String, Vec<usize>)>,
    sees: Vec<Vec<bool>>,
    /// The candidates that a digit in a cell removes: indexed by that cell, the digit - 1 and the affected cell.
    losses: Vec<Vec<Vec<u32>>>,
}

/// The steps, the result and the final candidates; bit d-1 of a set is digit d.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub steps: Vec<String>,
    pub end: &'static str,
    pub sets: Vec<u32>,
}

struct Grid<'a> {
    reference: &'a Reference,
    digits: Vec<u8>,
    sets: Vec<u32>,
}

/// The effect of a step: a digit is placed, or candidates are removed.
enum Effect {
    Place(usize, u8),
    Remove(Vec<(usize, u8)>),
}

type Found = Option<(String, Effect)>;

impl Reference {
    pub fn new(side: usize, houses: &[House], groups: &[House], pairs: &[Pair]) -> Reference {
        let named = |houses: &[House]| -> Vec<(String, Vec<usize>)> {
            let cells = |house: &House| house.cells.iter().map(|&cell| cell.into()).collect();
            let houses = houses.iter();
            houses
                .map(|house| (house.name.to_string(), cells(house)))
                .collect()
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
                    [(a, b), (b, a)].contains(&(c, d)) && relation != Relation::Neighbours
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
        Reference {
            losses: losses.collect(),
            side,
            houses,
            groups,
            sees,
        }
    }

    fn cells(&self) -> usize {
        self.side * self.side
    }

    /// Returns the candidates that each cell loses if `cell` holds `digit`.
    fn losses(&self, cell: usize, digit: u8) -> &[u32] {
        &self.losses[cell][usize::from(digit) - 1]
    }

    /// Applies the techniques until none is left to apply. `digits` holds the filled cells, `candidates` the sets of
    /// all cells.
    pub fn work(&self, digits: &[u8], candidates: &[u32]) -> Outcome {
        let mut grid = Grid {
            reference: self,
            digits: vec![0; self.cells()],
            sets: candidates.to_vec(),
        };
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
        let mut open = vec![(
            vec![(1u32 << self.side) - 1; self.cells()],
            vec![0; self.cells()],
        )];
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
    fn has(&self, cell: usize, digit: u8) -> bool {
        self.sets[cell] >> (digit - 1) & 1 == 1
    }

    fn all_digits(&self) -> impl DoubleEndedIterator<Item = u8> + use<> {
        1..=self.reference.side as u8
    }

    fn remove_excluded(&mut self, cell: usize, digit: u8) {
        for (set, lost) in self.sets.iter_mut().zip(self.reference.losses(cell, digit)) {
            *set &= !lost;
        }
    }

    fn is_contradiction(&self) -> bool {
        let lacks = |(_, cells): &(String, Vec<usize>)| {
            self.all_digits()
                .any(|digit| !cells.iter().any(|&cell| self.has(cell, digit)))
        };
        self.sets.contains(&0) || self.reference.houses.iter().any(lacks)
    }

    fn step(&self) -> Found {
        self.naked_single()
            .or_else(|| self.hidden_single())
            .or_else(|| self.locked_candidates())
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
                    let text = format!(
                        "{}={} hidden-single {name}",
                        self.place(cell),
                        symbol(digit)
                    );
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
                let union = chosen
                    .iter()
                    .fold(0, |union, &cell| union | self.sets[cell]);
                if union.count_ones() as usize != size {
                    continue;
                }
                let removed = self.candidates(house, |cell, digit| {
                    !chosen.contains(&cell) && union >> (digit - 1) & 1 == 1
                });
                if !removed.is_empty() {
                    let digits = self
                        .all_digits()
                        .filter(|digit| union >> (digit - 1) & 1 == 1);
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
        self.remove(
            format!("{technique} {house} {} {digits}", cells.join(" ")),
            removed,
        )
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

    fn houses_and_groups(&self) -> impl Iterator<Item = &(String, Vec<usize>)> {
        self.reference.houses.iter().chain(&self.reference.groups)
    }

    fn blanks(&self, house: &[usize]) -> Vec<usize> {
        let blanks = house.iter().copied();
        blanks.filter(|&cell| self.digits[cell] == 0).collect()
    }

    fn places(&self, house: &[usize], digit: u8) -> Vec<usize> {
        let cells = house.iter().copied();
        cells.filter(|&cell| self.has(cell, digit)).collect()
    }

    fn candidates(
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

    fn remove(&self, mut text: String, removed: Vec<(usize, u8)>) -> Found {
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
fn choices<T: Copy>(from: &[T], size: usize) -> Vec<Vec<T>> {
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
