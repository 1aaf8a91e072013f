//! The meaning of every rule of a constraint string: does it hold in a full grid? Written from what
//! Interactive Sudoku Solver says about its rules, without the library and without its primitives.

use std::collections::BTreeSet;
use std::fmt;

/// A rule with its arguments. The rule without a name states the candidates of cells.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: String,
    pub arguments: Vec<String>,
}

/// A constraint string.
#[derive(Clone, Debug)]
pub struct Puzzle {
    pub side: usize,
    /// The first digit: 1 or 0. Grids have digits from 1 in any case.
    pub first: i32,
    pub items: Vec<Item>,
}

impl Item {
    pub fn new(name: &str, arguments: impl IntoIterator<Item = String>) -> Item {
        Item { name: name.to_string(), arguments: arguments.into_iter().collect() }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, "~{argument}"))
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".Shape~{0}x{0}", self.side)?;
        if self.first == 0 {
            write!(f, "~0-{}", self.side - 1)?;
        }
        self.items.iter().try_for_each(|item| write!(f, "{item}"))
    }
}

/// A row and a column, from 1.
type Cell = [usize; 2];

/// `R3C12` is written `R3Cc`.
pub fn name_of([row, column]: Cell) -> String {
    let symbol = |place: usize| char::from_digit(place as u32, 17).unwrap();
    format!("R{}C{}", symbol(row), symbol(column))
}

fn cell_of(name: &str) -> Cell {
    let place = |at: usize| name.chars().nth(at).unwrap().to_digit(17).unwrap() as usize;
    [place(1), place(3)]
}

fn is_beside([a, b]: Cell, [c, d]: Cell) -> bool {
    a.abs_diff(c) + b.abs_diff(d) == 1
}

fn differ(digits: &[i32]) -> bool {
    digits.iter().collect::<BTreeSet<_>>().len() == digits.len()
}

/// Returns the rows and columns of a box.
pub fn box_of(side: usize) -> [usize; 2] {
    let rows = (1..=side.isqrt()).rev().find(|rows| side.is_multiple_of(*rows)).unwrap();
    [rows, side / rows]
}

struct Grid<'a> {
    side: usize,
    first: i32,
    digits: &'a [u8],
}

impl Grid<'_> {
    fn at(&self, [row, column]: Cell) -> i32 {
        i32::from(self.digits[(row - 1) * self.side + column - 1]) - 1 + self.first
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let side = self.side;
        (1..=side).flat_map(move |row| (1..=side).map(move |column| [row, column]))
    }

    /// The digits of the cells for which `key` is the same differ.
    fn differ_by<K: Ord>(&self, key: impl Fn(Cell) -> Option<K>) -> bool {
        let keys = self.cells().filter_map(|cell| Some((key(cell)?, self.at(cell))));
        let keys: Vec<(K, i32)> = keys.collect();
        keys.iter().collect::<BTreeSet<_>>().len() == keys.len()
    }

    /// For all two cells, in both orders.
    fn every_two(&self, holds: impl Fn(Cell, Cell) -> bool) -> bool {
        self.cells().all(|a| self.cells().all(|b| a == b || holds(a, b)))
    }

    fn squares(&self) -> impl Iterator<Item = [Cell; 4]> {
        let side = self.side;
        let corners = self.cells().filter(move |&[row, column]| row < side && column < side);
        corners.map(square)
    }
}

fn square([row, column]: Cell) -> [Cell; 4] {
    [[row, column], [row, column + 1], [row + 1, column], [row + 1, column + 1]]
}

/// The cells of a diagonal that begins at the edge, see `LittleKiller`.
pub fn diagonal_from(side: usize, [row, column]: Cell) -> Vec<Cell> {
    let [down, right] = match [row, column] {
        [row, 1] if row < side => [1, 1],
        [1, _] => [1, -1],
        [_, column] if column == side => [-1, -1],
        _ => [-1, 1],
    };
    let at = |step: isize| {
        let row = row as isize + step * down;
        let column = column as isize + step * right;
        [row, column].map(|place| place as usize)
    };
    let is_inside = |cell: &Cell| cell.iter().all(|place| (1..=side).contains(place));
    (0..side as isize).map(at).take_while(is_inside).collect()
}

/// The table of `Pair`: six pairs of digits a symbol, (1, 1), (1, 2), ..., the first one as the
/// lowest bit.
pub fn table_text(side: usize, symbols: &[u8; 64], allows: impl Fn(i32, i32) -> bool) -> String {
    let digits = 1..=side as i32;
    let pairs = digits.clone().flat_map(|a| digits.clone().map(move |b| (a, b)));
    let bits: Vec<bool> = pairs.map(|(a, b)| allows(a, b)).collect();
    let value =
        |bits: &[bool]| bits.iter().rev().fold(0, |value, &bit| 2 * value + usize::from(bit));
    bits.chunks(6).map(|bits| char::from(symbols[value(bits)])).collect()
}

pub const NEW_SYMBOLS: &[u8; 64] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
pub const OLD_SYMBOLS: &[u8; 64] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

fn table_allows(side: usize, symbols: &[u8; 64], text: &str, a: i32, b: i32) -> bool {
    let place = (a as usize - 1) * side + b as usize - 1;
    let symbol = text.as_bytes()[place / 6];
    let value = symbols.iter().position(|&it| it == symbol).unwrap();
    value >> (place % 6) & 1 == 1
}

impl Puzzle {
    /// Returns a puzzle without rules, with digits from 1.
    pub fn of_side(side: usize) -> Puzzle {
        Puzzle { side, first: 1, items: Vec::new() }
    }

    pub fn has(&self, name: &str) -> bool {
        self.items.iter().any(|item| item.name == name)
    }

    /// Returns true if the grid obeys rows, columns, boxes and all rules.
    pub fn holds_for(&self, digits: &[u8]) -> bool {
        let grid = Grid { side: self.side, first: self.first, digits };
        let [rows, columns] = box_of(self.side);
        let box_of = |[row, column]: Cell| Some([(row - 1) / rows, (column - 1) / columns]);
        grid.differ_by(|[row, _]| Some(row))
            && grid.differ_by(|[_, column]| Some(column))
            && (self.has("NoBoxes") || grid.differ_by(box_of))
            && self.items.iter().all(|item| self.rule_holds(item, digits))
    }

    /// Returns true if one rule holds.
    pub fn rule_holds(&self, item: &Item, digits: &[u8]) -> bool {
        let grid = &Grid { side: self.side, first: self.first, digits };
        let side = self.side as i32;
        let all = &item.arguments;
        let number = || all[0].parse::<i32>().unwrap();
        // The digits of all arguments that are cells.
        let cells = |from: usize| all[from..].iter().map(|it| cell_of(it)).collect::<Vec<Cell>>();
        let line = |from: usize| cells(from).into_iter().map(|cell| grid.at(cell)).collect();
        let line = |from: usize| -> Vec<i32> { line(from) };
        // Two cells of the list that share an edge, in the order of the list.
        let touching = |holds: &dyn Fn(i32, i32) -> bool| {
            let cells = cells(0);
            let later = |(index, &a): (usize, &Cell)| {
                let mut later = cells[index + 1..].iter().filter(|&&b| is_beside(a, b));
                later.all(|&b| holds(grid.at(a), grid.at(b)))
            };
            cells.iter().enumerate().all(later)
        };
        let count = |digits: &[i32], digit: i32| digits.iter().filter(|&&it| it == digit).count();
        match item.name.as_str() {
            "" => all.iter().all(|given| {
                let mut parts = given.split('_');
                let cell = cell_of(parts.next().unwrap());
                parts.any(|digit| digit.parse() == Ok(grid.at(cell)))
            }),
            "Shape" | "NoBoxes" | "SearchPriority" | "And" | "End" | "RegionSize"
            | "RegionSameValues" => true,
            "Jigsaw" => {
                let labels = all[0].as_bytes();
                grid.differ_by(|[row, column]| Some(labels[(row - 1) * self.side + column - 1]))
            }
            "Diagonal" if all[0] == "1" => {
                grid.differ_by(|[row, column]| (row + column == self.side + 1).then_some(()))
            }
            "Diagonal" => grid.differ_by(|[row, column]| (row == column).then_some(())),
            // Between two windows, and around all, is one row or column.
            "Windoku" => {
                let step = self.side.isqrt() + 1;
                let strip = |place: usize| {
                    (!(place - 1).is_multiple_of(step)).then_some((place - 1) / step)
                };
                grid.differ_by(|[row, column]| Some([strip(row)?, strip(column)?]))
            }
            "DisjointSets" => {
                let [rows, columns] = box_of(self.side);
                grid.differ_by(|[row, column]| Some([(row - 1) % rows, (column - 1) % columns]))
            }
            "AntiKnight" => grid.every_two(|a, b| {
                let apart = [a[0].abs_diff(b[0]), a[1].abs_diff(b[1])];
                ![[1, 2], [2, 1]].contains(&apart) || grid.at(a) != grid.at(b)
            }),
            "AntiKing" => grid.every_two(|a, b| {
                a[0].abs_diff(b[0]) > 1 || a[1].abs_diff(b[1]) > 1 || grid.at(a) != grid.at(b)
            }),
            "AntiConsecutive" => {
                grid.every_two(|a, b| !is_beside(a, b) || (grid.at(a) - grid.at(b)).abs() != 1)
            }
            "AntiTaxicab" => grid.every_two(|a, b| {
                let distance = a[0].abs_diff(b[0]) + a[1].abs_diff(b[1]);
                grid.at(a) != grid.at(b) || grid.at(a) != distance as i32
            }),
            "AllDifferent" => differ(&line(0)),
            "Cage" => {
                let digits = line(1);
                differ(&digits) && [0, digits.iter().sum()].contains(&number())
            }
            "Thermo" => line(0).is_sorted_by(|a, b| a < b),
            "Whisper" => {
                // Without a difference, the first argument is a cell.
                let (least, from) = all[0].parse::<i32>().map_or((5, 0), |least| (least, 1));
                line(from).windows(2).all(|two| (two[0] - two[1]).abs() >= least)
            }
            "Renban" => {
                let mut digits = line(0);
                digits.sort_unstable();
                digits.windows(2).all(|two| two[0] + 1 == two[1])
            }
            "Modular" => {
                let digits: Vec<i32> = line(1).iter().map(|digit| digit % number()).collect();
                let size = digits.len().min(number() as usize);
                digits.windows(size).all(differ)
            }
            "Entropic" => {
                let thirds: Vec<i32> = line(0).iter().map(|digit| (digit - 1) / 3).collect();
                thirds.windows(thirds.len().min(3)).all(differ)
            }
            "Palindrome" => line(0).iter().eq(line(0).iter().rev()),
            "WhiteDot" => touching(&|a, b| a == b + 1 || b == a + 1),
            "BlackDot" => touching(&|a, b| a == 2 * b || b == 2 * a),
            "GreaterThan" => touching(&|a, b| a > b),
            "X" => touching(&|a, b| a + b == 10),
            "V" => touching(&|a, b| a + b == 5),
            "StrictKropki" => self.unmarked_hold(grid, ["WhiteDot", "BlackDot"], |a, b| {
                a != b + 1 && b != a + 1 && a != 2 * b && b != 2 * a
            }),
            "StrictXV" => self.unmarked_hold(grid, ["X", "V"], |a, b| a + b != 10 && a + b != 5),
            "Pair" | "PairX" | "Binary" | "BinaryX" => {
                let symbols = if item.name.starts_with('P') { NEW_SYMBOLS } else { OLD_SYMBOLS };
                let from_one = |digit: i32| digit - self.first + 1;
                let allows =
                    |a, b| table_allows(self.side, symbols, &all[0], from_one(a), from_one(b));
                // The argument after the table, and each that begins with `_`, begins a list.
                let lists = all[1..].split(|it| it.is_empty() || it.starts_with('_'));
                lists.into_iter().all(|list| {
                    let digits: Vec<i32> = list.iter().map(|it| grid.at(cell_of(it))).collect();
                    let last = |a: usize| {
                        if item.name.ends_with('X') { digits.len() - 1 } else { a + 1 }
                    };
                    (1..digits.len())
                        .all(|b| (0..b).all(|a| b > last(a) || allows(digits[a], digits[b])))
                })
            }
            "Indexing" => cells(1).into_iter().all(|[row, column]| {
                let value = grid.at([row, column]) as usize;
                match all[0].as_str() {
                    _ if value == 0 => false,
                    "R" => grid.at([value, column]) == row as i32,
                    _ => grid.at([row, value]) == column as i32,
                }
            }),
            "NumberedRoom" => {
                let (kind, place) = all[0].split_at(1);
                let place = place.parse::<usize>().unwrap();
                let cell = |other| if kind == "R" { [place, other] } else { [other, place] };
                let mut line: Vec<i32> = (1..=self.side).map(|it| grid.at(cell(it))).collect();
                all[1..].iter().all(|clue| {
                    let found = (line[0] > 0).then(|| line[line[0] as usize - 1]);
                    line.reverse();
                    clue.is_empty() || clue.parse().ok() == found
                })
            }
            "Sum" => {
                let (total, weights) = all[0].split_once("_=_").unwrap_or((&all[0], ""));
                let mut weights = weights.split('_').map(|it| it.parse().unwrap_or(1));
                let digits = line(1);
                let terms = digits.iter().map(|digit| digit * weights.next().unwrap_or(1));
                terms.sum::<i32>() == total.parse::<i32>().unwrap()
            }
            "Arrow" => line(0)[0] == line(1).iter().sum::<i32>(),
            "DoubleArrow" => {
                let digits = line(0);
                2 * (digits[0] + digits[digits.len() - 1]) == digits.iter().sum::<i32>()
            }
            "PillArrow" => {
                let (size, mut pill) = (number() as usize, cells(1));
                let shaft: i32 = pill.split_off(size).into_iter().map(|cell| grid.at(cell)).sum();
                pill.sort_unstable();
                pill.into_iter().fold(0, |value, cell| 10 * value + grid.at(cell)) == shaft
            }
            "LittleKiller" => {
                let diagonal = diagonal_from(self.side, cell_of(&all[1]));
                diagonal.into_iter().map(|cell| grid.at(cell)).sum::<i32>() == number()
            }
            "Zipper" => {
                let digits = line(0);
                let last = digits.len() - 1;
                let of_pair = |at: usize| match at == last - at {
                    true => digits[at],
                    false => digits[at] + digits[last - at],
                };
                (0..digits.len()).all(|at| of_pair(at) == of_pair(0))
            }
            "EqualSum" => {
                let segments = all.split(|argument| argument == "-");
                let sum = |cells: &[String]| cells.iter().map(|it| grid.at(cell_of(it))).sum();
                let sums: Vec<i32> = segments.map(sum).collect();
                sums.iter().all(|&sum| sum == sums[0])
            }
            "RegionSumLine" => {
                let cells = cells(0);
                let segments = cells.chunk_by(|&a, &b| self.region_of(a) == self.region_of(b));
                let sum = |cells: &[Cell]| cells.iter().map(|&cell| grid.at(cell)).sum::<i32>();
                let sums: Vec<i32> = segments.map(sum).collect();
                sums.iter().all(|&sum| sum == sums[0])
            }
            "SameValues" => {
                let digits = line(1);
                let mut sets = digits.chunks(digits.len() / number() as usize).map(|set| {
                    let mut set = set.to_vec();
                    set.sort_unstable();
                    set
                });
                let first = sets.next();
                sets.all(|set| Some(set) == first)
            }
            "CountingCircles" => {
                let digits = line(0);
                digits.iter().all(|&digit| count(&digits, digit) == digit as usize)
            }
            "Quad" => {
                let digits = square(cell_of(&all[0])).map(|cell| grid.at(cell));
                let wanted: Vec<i32> = all[1..].iter().map(|it| it.parse().unwrap()).collect();
                wanted.iter().all(|&it| count(&digits, it) >= count(&wanted, it))
            }
            "ContainAtLeast" | "ContainExact" => {
                let digits = line(1);
                let wanted: Vec<i32> = all[0].split('_').map(|it| it.parse().unwrap()).collect();
                let is_exact = item.name == "ContainExact";
                wanted.iter().all(|&it| {
                    let (found, expected) = (count(&digits, it), count(&wanted, it));
                    found == expected || !is_exact && found > expected
                })
            }
            "LookAndSay" => {
                let (digits, clue) = (line(1), all[0].as_bytes());
                clue.chunks(2)
                    .all(|two| count(&digits, (two[1] - b'0').into()) == usize::from(two[0] - b'0'))
            }
            "EqualityCage" => {
                let digits = line(0);
                let number = |holds: &dyn Fn(i32) -> bool| {
                    digits.iter().filter(|&&digit| holds(digit)).count()
                };
                // Twice the distance from the middle of all digits.
                let from_middle = |digit: i32| 2 * (digit - self.first + 1) - side - 1;
                differ(&digits)
                    && number(&|digit| digit % 2 == 0) == number(&|digit| digit % 2 == 1)
                    && number(&|it| from_middle(it) < 0) == number(&|it| from_middle(it) > 0)
                    && number(&|it| from_middle(it) == 0) == 0
            }
            "Between" => {
                let digits = line(0);
                let ends = [digits[0], digits[digits.len() - 1]];
                let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                digits[1..digits.len() - 1].iter().all(|&it| low < it && it < high)
            }
            "Lockout" => {
                let digits = line(1);
                let ends = [digits[0], digits[digits.len() - 1]];
                let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                high - low >= number()
                    && digits[1..digits.len() - 1].iter().all(|&it| it < low || high < it)
            }
            "ValueIndexing" => {
                let digits = line(0);
                digits[1] > 0 && digits.get(1 + digits[1] as usize) == Some(&digits[0])
            }
            "GlobalEntropy" => grid.squares().all(|square| {
                let thirds = square.map(|cell| (grid.at(cell) - 1) / 3);
                (0..3).all(|third| thirds.contains(&third))
            }),
            "GlobalMod" => grid.squares().all(|square| {
                let rests = square.map(|cell| grid.at(cell) % 3);
                (0..3).all(|rest| rests.contains(&rest))
            }),
            "DutchFlatmates" => grid.cells().all(|[row, column]| {
                grid.at([row, column]) != 5
                    || row > 1 && grid.at([row - 1, column]) == 1
                    || row < self.side && grid.at([row + 1, column]) == 9
            }),
            name => panic!("the rule {name}"),
        }
    }

    /// All two cells that share an edge and are in no item of these names together.
    fn unmarked_hold(
        &self,
        grid: &Grid<'_>,
        marks: [&str; 2],
        holds: impl Fn(i32, i32) -> bool,
    ) -> bool {
        let marked = |a: Cell, b: Cell| {
            let mut items = self.items.iter().filter(|item| marks.contains(&item.name.as_str()));
            items.any(|item| [a, b].iter().all(|&cell| item.arguments.contains(&name_of(cell))))
        };
        grid.every_two(|a, b| !is_beside(a, b) || marked(a, b) || holds(grid.at(a), grid.at(b)))
    }

    /// Boxes count; without them, the regions of a jigsaw.
    fn region_of(&self, [row, column]: Cell) -> [usize; 2] {
        if !self.has("NoBoxes") {
            let [rows, columns] = box_of(self.side);
            return [(row - 1) / rows, (column - 1) / columns];
        }
        let jigsaw = self.items.iter().find(|item| item.name == "Jigsaw").expect("regions");
        let label = jigsaw.arguments[0].as_bytes()[(row - 1) * self.side + column - 1];
        [label.into(), 0]
    }
}
