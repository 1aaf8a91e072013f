//! Random rules for constraint strings. Most hold in a grid that the caller knows, so that puzzles
//! have solutions.

use super::meaning::{Item, NEW_SYMBOLS, OLD_SYMBOLS, Puzzle, diagonal_from, name_of, table_text};
use crate::generator::layouts::layout;
use crate::generator::random::Random;

/// Rules that Interactive Sudoku Solver has in a 9x9 only.
pub const OF_NINE: [&str; 4] = ["Entropic", "GlobalEntropy", "GlobalMod", "DutchFlatmates"];

/// Rules whose digits are never from 0.
pub const FROM_ONE: [&str; 1] = ["AntiTaxicab"];

/// Random arguments are tried until the rule holds in the grid, at most so often.
const TRIES: usize = 80;

pub struct Maker<'a> {
    /// The rules so far.
    pub puzzle: Puzzle,
    pub grid: &'a [u8],
    pub random: &'a mut Random,
}

type Cell = [usize; 2];

impl Maker<'_> {
    fn side(&self) -> usize {
        self.puzzle.side
    }

    fn digit(&self, [row, column]: Cell) -> i32 {
        i32::from(self.grid[(row - 1) * self.side() + column - 1]) - 1 + self.puzzle.first
    }

    fn sum(&self, cells: &[Cell]) -> i32 {
        cells.iter().map(|&cell| self.digit(cell)).sum()
    }

    /// From `least` to `most`.
    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.random.below(most - least + 1)
    }

    fn cell(&mut self) -> Cell {
        let side = self.side();
        [self.between(1, side), self.between(1, side)]
    }

    /// Different cells, each beside or diagonally beside the one before; fewer in a dead end.
    fn line(&mut self, length: usize) -> Vec<Cell> {
        let mut line = vec![self.cell()];
        while line.len() < length {
            let &[row, column] = line.last().unwrap();
            let around =
                (row - 1..=row + 1).flat_map(|r| (column - 1..=column + 1).map(move |c| [r, c]));
            let is_free = |cell: &Cell| {
                cell.iter().all(|place| (1..=self.side()).contains(place)) && !line.contains(cell)
            };
            let free: Vec<Cell> = around.filter(is_free).collect();
            if free.is_empty() {
                break;
            }
            line.push(*self.random.pick(&free));
        }
        line
    }

    /// Different cells, anywhere.
    fn cells(&mut self, number: usize) -> Vec<Cell> {
        let side = self.side();
        let mut all: Vec<Cell> = (1..=side).flat_map(|r| (1..=side).map(move |c| [r, c])).collect();
        self.random.shuffle(&mut all);
        all.truncate(number);
        all
    }

    /// Two cells that share an edge.
    fn two(&mut self) -> Vec<Cell> {
        let side = self.side();
        let [row, column] = [self.between(1, side), self.between(1, side - 1)];
        let two = [[row, column], [row, column + 1]];
        let is_upright = self.random.below(2) == 0;
        two.map(|[row, column]| if is_upright { [column, row] } else { [row, column] }).to_vec()
    }

    /// Adds a random rule of this name, with others that it needs. Nine of ten hold in the grid if
    /// random arguments can make them.
    pub fn add(&mut self, name: &str) {
        let may_fail = self.random.below(10) == 0;
        for round in 0.. {
            let items = self.items(name);
            let with = Puzzle {
                side: self.side(),
                first: self.puzzle.first,
                items: self.puzzle.items.iter().chain(&items).cloned().collect(),
            };
            let holds = || items.iter().all(|item| with.rule_holds(item, self.grid));
            if may_fail || round == TRIES || holds() {
                self.puzzle = with;
                return;
            }
        }
    }

    fn items(&mut self, name: &str) -> Vec<Item> {
        let item = |arguments: Vec<String>| vec![Item::new(name, arguments)];
        let of_cells = |cells: &[Cell]| item(cells.iter().map(|&cell| name_of(cell)).collect());
        let with = |first: String, cells: &[Cell]| {
            let cells = cells.iter().map(|&cell| name_of(cell));
            item([first].into_iter().chain(cells).collect())
        };
        let side = self.side();
        let most = 5.min(side);
        match name {
            "" => {
                let number = self.between(1, 3);
                let cells = self.cells(number);
                let given = |cell: Cell| {
                    let first = self.puzzle.first as usize;
                    let others = (0..self.random.below(3)).map(|_| first + self.random.below(side));
                    let mut digits: Vec<usize> = others.collect();
                    digits.push(self.digit(cell) as usize);
                    digits.sort_unstable();
                    digits.dedup();
                    let digits = digits.iter().map(|digit| format!("_{digit}"));
                    name_of(cell) + &digits.collect::<String>()
                };
                item(cells.into_iter().map(given).collect())
            }
            "Jigsaw" => {
                let labels = layout(side, "jigsaw", self.random);
                item(vec![String::from_utf8(labels).unwrap()])
            }
            "Diagonal" => item(vec![self.random.pick(&["1", "-1"]).to_string()]),
            "RegionSize" => item(vec![side.to_string()]),
            "And" => vec![Item::new("And", []), Item::new("End", [])],
            "StrictKropki" => self.strict("StrictKropki", |a, b| {
                match (a.abs_diff(b) == 1, a == 2 * b || b == 2 * a) {
                    (true, _) => Some("WhiteDot"),
                    (_, true) => Some("BlackDot"),
                    _ => None,
                }
            }),
            "StrictXV" => self.strict("StrictXV", |a, b| match a + b {
                10 => Some("X"),
                5 => Some("V"),
                _ => None,
            }),
            "Shape" | "NoBoxes" | "End" | "RegionSameValues" | "Windoku" | "DisjointSets"
            | "AntiKnight" | "AntiKing" | "AntiConsecutive" | "AntiTaxicab" | "GlobalEntropy"
            | "GlobalMod" | "DutchFlatmates" => item(Vec::new()),
            "SearchPriority" => with("1".to_string(), &self.cells(2)),
            "AllDifferent" | "EqualityCage" => {
                let number = self.between(2, most);
                of_cells(&self.cells(number))
            }
            "Thermo" | "Renban" => {
                let length = self.between(2, 4);
                of_cells(&self.line(length))
            }
            "Entropic" | "Palindrome" | "Between" | "Zipper" => {
                let length = self.between(2, most);
                of_cells(&self.line(length))
            }
            "Arrow" | "DoubleArrow" => {
                let length = self.between(3, most);
                let mut line = self.line(length);
                line.extend(self.cells(3 - line.len().min(3)));
                of_cells(&line)
            }
            "ValueIndexing" => {
                let length = self.between(3, side + 2);
                of_cells(&self.cells(length))
            }
            "WhiteDot" | "BlackDot" | "X" | "V" | "GreaterThan" => {
                let mut cells = self.two();
                if self.random.below(4) == 0 {
                    cells.extend(self.line(2));
                    let mut seen = Vec::new();
                    cells.retain(|cell| {
                        !seen.contains(cell) && {
                            seen.push(*cell);
                            true
                        }
                    });
                    // A cell that shares no edge with another is an error.
                    let all = cells.clone();
                    let touch = |a: Cell, b: Cell| a[0].abs_diff(b[0]) + a[1].abs_diff(b[1]) == 1;
                    cells.retain(|&cell| all.iter().any(|&other| touch(cell, other)));
                }
                of_cells(&cells)
            }
            "RegionSumLine" => {
                let length = self.between(2, most + 1);
                of_cells(&self.line(length))
            }
            "Cage" => {
                let number = self.between(1, 4);
                let cells =
                    if self.random.below(2) == 0 { self.cells(number) } else { self.line(number) };
                // Sums that no different digits have are errors.
                let (few, all) = (cells.len() as i32, side as i32);
                let least = few * (few + 1) / 2;
                let sum = self.sum(&cells).clamp(least, few * (all + 1) - least);
                let sum = if self.random.below(4) == 0 { 0 } else { sum };
                with(sum.to_string(), &cells)
            }
            "Whisper" => {
                let length = self.between(2, 4);
                let cells = self.line(length);
                match self.random.below(4) {
                    0 => of_cells(&cells),
                    least => with(least.to_string(), &cells),
                }
            }
            "Modular" => {
                let (modulus, length) = (self.between(1, 4), self.between(2, most));
                with(modulus.to_string(), &self.line(length))
            }
            "Lockout" => {
                let (least, length) = (self.between(0, side / 2), self.between(2, most));
                with(least.to_string(), &self.line(length))
            }
            "PillArrow" => {
                let size = self.between(2, 3);
                let length = self.between(size + 1, (side * side).min(size * 6));
                with(size.to_string(), &self.cells(length))
            }
            "Sum" => {
                let number = self.between(1, 2 * most);
                let cells = self.cells(number);
                if self.random.below(2) == 0 {
                    return with(self.sum(&cells).to_string(), &cells);
                }
                let weight = |random: &mut Random| *random.pick(&[1, 1, -1, -1, 2, -3, 10, 100]);
                let weights: Vec<i32> = cells.iter().map(|_| weight(self.random)).collect();
                let total: i32 =
                    cells.iter().zip(&weights).map(|(&cell, it)| self.digit(cell) * it).sum();
                let weights = weights.iter().map(|weight| format!("_{weight}"));
                with(format!("{total}_={}", weights.collect::<String>()), &cells)
            }
            "LittleKiller" => {
                let place = self.between(1, side - 1);
                let starts = [[place, 1], [1, place + 1], [place + 1, side], [side, place.max(2)]];
                let start = starts[self.random.below(4)];
                let start = if start == [side, side] { [1, side] } else { start };
                with(self.sum(&diagonal_from(side, start)).to_string(), &[start])
            }
            "EqualSum" => {
                let numbers: Vec<usize> =
                    (0..self.between(2, 3)).map(|_| self.between(1, 3)).collect();
                let cells = self.cells(numbers.iter().sum());
                let mut cells = cells.into_iter().map(name_of);
                let mut all = Vec::new();
                for number in numbers {
                    all.extend(cells.by_ref().take(number));
                    all.push("-".to_string());
                }
                all.pop();
                item(all)
            }
            "SameValues" => {
                let (sets, size) = (self.between(2, 3), self.between(1, 3));
                let mut all = Vec::new();
                let is_anywhere = self.random.below(3) == 0;
                for _ in 0..sets {
                    if is_anywhere {
                        all.extend(self.cells(size));
                        continue;
                    }
                    let (place, is_row) = (self.between(1, side), self.random.below(2) == 0);
                    let mut others: Vec<usize> = (1..=side).collect();
                    self.random.shuffle(&mut others);
                    let cell =
                        |&other: &usize| if is_row { [place, other] } else { [other, place] };
                    all.extend(others[..size].iter().map(cell));
                }
                with(sets.to_string(), &all)
            }
            "CountingCircles" => {
                let mut digits: Vec<i32> = (1..side as i32 + self.puzzle.first).collect();
                self.random.shuffle(&mut digits);
                digits.truncate(self.between(1, 3));
                // As many cells of each digit, if the grid has them where they are looked for.
                let cells = self.cells(side * side);
                let of_digit = |&digit: &i32| {
                    let hold = cells.iter().filter(|&&cell| self.digit(cell) == digit);
                    hold.take(digit as usize).copied().collect::<Vec<Cell>>()
                };
                of_cells(&digits.iter().flat_map(of_digit).collect::<Vec<Cell>>())
            }
            "Quad" => {
                let corner = [self.between(1, side - 1), self.between(1, side - 1)];
                let [row, column] = corner;
                let mut cells = vec![
                    [row, column],
                    [row, column + 1],
                    [row + 1, column],
                    [row + 1, column + 1],
                ];
                self.random.shuffle(&mut cells);
                cells.truncate(self.between(1, 4));
                let digits = cells.iter().map(|&cell| self.digit(cell).to_string());
                item([name_of(corner)].into_iter().chain(digits).collect())
            }
            "ContainAtLeast" | "ContainExact" => {
                let number = self.between(1, most);
                let cells = self.cells(number);
                let digits = cells[..self.between(1, number)]
                    .iter()
                    .map(|&cell| self.digit(cell).to_string());
                with(digits.collect::<Vec<_>>().join("_"), &cells)
            }
            "LookAndSay" => {
                let number = self.between(1, most);
                let cells = self.cells(number);
                let clue = (0..self.between(1, 2)).map(|_| {
                    let digit = self.between(1, side.min(9)) as i32 - 1 + self.puzzle.first;
                    let count = cells.iter().filter(|&&cell| self.digit(cell) == digit).count();
                    format!("{count}{digit}")
                });
                with(clue.collect(), &cells)
            }
            "Pair" | "PairX" | "Binary" | "BinaryX" => {
                let symbols = if name.starts_with('P') { NEW_SYMBOLS } else { OLD_SYMBOLS };
                let seed = self.random.number();
                // About three of four pairs of digits, not alike in both directions.
                let allows = |a: i32, b: i32| seed >> ((5 * a + 7 * b) % 32 * 2) & 3 != 0;
                let table = table_text(side, symbols, allows);
                let (first, second) = (self.line(3), self.cells(2));
                let lists = [vec!["_one".to_string()], vec![String::new()]];
                let mut all = vec![table];
                for (mut head, cells) in lists.into_iter().zip([first, second]) {
                    all.append(&mut head);
                    all.extend(cells.into_iter().map(name_of));
                }
                item(all)
            }
            "Indexing" => {
                let kind = self.random.pick(&["R", "C"]).to_string();
                let number = self.between(1, 2);
                with(kind, &self.cells(number))
            }
            "NumberedRoom" => {
                let (place, is_row) = (self.between(1, side), self.random.below(2) == 0);
                let cell = |other| if is_row { [place, other] } else { [other, place] };
                let line: Vec<i32> = (1..=side).map(|other| self.digit(cell(other))).collect();
                // There is no cell 0.
                let clue = |line: &[i32]| line[line[0].max(1) as usize - 1].to_string();
                let mut clues = [clue(&line), clue(&line.into_iter().rev().collect::<Vec<_>>())];
                if self.random.below(2) == 0 {
                    clues[self.random.below(2)].clear();
                }
                let kind = if is_row { "R" } else { "C" };
                item([format!("{kind}{place}")].into_iter().chain(clues).collect())
            }
            name => panic!("the rule {name}"),
        }
    }

    /// Marks for all two cells of the grid that need one; one mark can be missing.
    fn strict(&mut self, name: &str, mark: impl Fn(i32, i32) -> Option<&'static str>) -> Vec<Item> {
        let mut items = vec![Item::new(name, [])];
        for row in 1..=self.side() {
            for column in 1..self.side() {
                for two in [[[row, column], [row, column + 1]], [[column, row], [column + 1, row]]]
                {
                    if let Some(mark) = mark(self.digit(two[0]), self.digit(two[1])) {
                        items.push(Item::new(mark, two.map(name_of)));
                    }
                }
            }
        }
        items
    }
}
