//! The least image of a puzzle under all symmetries of its boxes: a search through colourings of rows and columns.
//!
//! Lines and digits are coloured by what they hold, again and again, until no more of them can be told apart. Where lines
//! are left that look the same, each of them in turn is given a colour of its own. When all lines differ, their colours
//! put them in order, and the puzzle in that order is an image. Colours follow from what is given alone, so puzzles that
//! are the same come to the same images. Images that are alike give away a symmetry of the puzzle itself, which
//! spares what only repeats what was seen. After McKay and Piperno, "Practical graph isomorphism, II" (2014).

use std::cmp::Ordering;

use super::symmetries::{Blocks, MOST_CELLS, MOST_LINES, Order};
use super::{Names, both_ways};

/// Hashes: that two are alike by chance costs time, never rightness, since only whole images decide.
type Colour = u64;

/// The colours of rows and columns and digits.
#[derive(Clone, Copy)]
struct Colours {
    /// Rows, then columns.
    lines: [[Colour; MOST_LINES]; 2],
    digits: [Colour; MOST_LINES + 1],
}

/// Rows are counted from 0, columns on from here.
const COLUMNS: usize = MOST_LINES;
const LINES: usize = 2 * MOST_LINES;

/// Where each line goes.
type Automorphism = [u8; LINES];

pub struct Search<'a> {
    blocks: &'a Blocks,
    puzzles: [[u8; MOST_CELLS]; 2],
    /// Whether the transposed puzzle is at work.
    transposed: bool,
    givens: Vec<Given>,
    /// The lines that were given colours of their own.
    path: Vec<usize>,
    /// What was seen on the way to the best image: the least of all decides, then the image.
    traces: Vec<Colour>,
    best: Option<Best>,
    /// Of the puzzle at work.
    automorphisms: Vec<Automorphism>,
}

#[derive(Clone, Copy)]
struct Given {
    row: u8,
    column: u8,
    digit: u8,
}

struct Best {
    image: [u8; MOST_CELLS],
    transposed: bool,
    path: Vec<usize>,
    orders: [Order; 2],
}

/// How the search goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Sibling,
    /// With what is left where so many lines had colours of their own.
    BackTo(usize),
    Done,
}

impl<'a> Search<'a> {
    pub fn new(blocks: &'a Blocks, puzzle: &[u8]) -> Search<'a> {
        Search {
            blocks,
            puzzles: both_ways(puzzle, blocks.side),
            transposed: false,
            givens: Vec::with_capacity(MOST_CELLS),
            path: Vec::new(),
            traces: Vec::new(),
            best: None,
            automorphisms: Vec::new(),
        }
    }

    pub fn least(mut self) -> Vec<u8> {
        self.search(false);
        if self.blocks.transpose() {
            self.search(true);
        }
        let best = self.best.expect("every branch ends in an image");
        best.image[..self.blocks.side * self.blocks.side].to_vec()
    }

    fn search(&mut self, transposed: bool) {
        self.transposed = transposed;
        self.automorphisms.clear();
        let side = self.blocks.side;
        let puzzle = &self.puzzles[usize::from(transposed)][..side * side];
        self.givens.clear();
        for (cell, &digit) in puzzle.iter().enumerate() {
            if digit != 0 {
                self.givens.push(Given {
                    row: (cell / side) as u8,
                    column: (cell % side) as u8,
                    digit,
                });
            }
        }
        let colours = self.first_colours();
        self.explore(colours);
    }

    /// All alike, but for rows, and for columns, that are full: how each digit of one stands to that of the other tells
    /// apart what colours alone do not.
    fn first_colours(&self) -> Colours {
        let side = self.blocks.side;
        let mut colours = Colours {
            lines: [[0; MOST_LINES]; 2],
            digits: [0; MOST_LINES + 1],
        };
        for (kind, block) in [self.blocks.rows, self.blocks.columns]
            .into_iter()
            .enumerate()
        {
            let upright = usize::from(self.transposed) ^ kind;
            let line = |line: usize| &self.puzzles[upright][line * side..][..side];
            for b in 0..side {
                for a in b / block * block..b {
                    let cycles = cycles(line(a), line(b));
                    colours.lines[kind][a] = colours.lines[kind][a].wrapping_add(cycles);
                    colours.lines[kind][b] = colours.lines[kind][b].wrapping_add(cycles);
                }
            }
        }
        colours
    }

    fn explore(&mut self, mut colours: Colours) -> Next {
        let trace = self.refine(&mut colours);
        let depth = self.path.len();
        match self.traces.get(depth).map(|best| trace.cmp(best)) {
            Some(Ordering::Greater) => return Next::Sibling,
            Some(Ordering::Equal) => {}
            Some(Ordering::Less) => {
                self.traces.truncate(depth);
                self.traces.push(trace);
                self.best = None;
            }
            None if self.best.is_some() => return Next::Sibling,
            None => self.traces.push(trace),
        }
        let Some(class) = self.largest_class(&colours) else {
            return self.compare(&colours);
        };
        for (index, &line) in class.iter().enumerate() {
            if self.repeats(&class[..index], line) {
                continue;
            }
            let mut branch = colours;
            let colour = &mut branch.lines[line / COLUMNS][line % COLUMNS];
            *colour = mix(!*colour);
            self.path.push(line);
            let next = self.explore(branch);
            self.path.pop();
            match next {
                Next::BackTo(back) if back < depth => return next,
                Next::Done => return next,
                Next::BackTo(_) | Next::Sibling => {}
            }
        }
        Next::Sibling
    }

    /// Tells apart as many lines as can be. What it returns is the same for puzzles that are the same.
    fn refine(&self, colours: &mut Colours) -> Colour {
        let mut told_apart = self.told_apart(colours);
        loop {
            self.recolour(colours);
            let before = told_apart;
            told_apart = self.told_apart(colours);
            if told_apart == before || told_apart == 3 * self.blocks.side {
                break;
            }
        }
        let all = |colours: &[Colour]| sum(colours.iter().map(|&colour| mix(colour)));
        let [rows, columns] = colours.lines.map(|lines| all(&lines[..self.blocks.side]));
        mix(mix(rows).wrapping_add(columns))
    }

    fn recolour(&self, colours: &mut Colours) {
        let mut sums = Colours {
            lines: [[0; MOST_LINES]; 2],
            digits: [0; MOST_LINES + 1],
        };
        for given in &self.givens {
            let [row, column, digit] = [given.row, given.column, given.digit].map(usize::from);
            let seen = colours.lines[0][row]
                .wrapping_add(colours.lines[1][column].rotate_left(21))
                .wrapping_add(colours.digits[digit].rotate_left(42));
            let seen = mix(seen);
            sums.lines[0][row] = sums.lines[0][row].wrapping_add(seen);
            sums.lines[1][column] = sums.lines[1][column].wrapping_add(seen);
            sums.digits[digit] = sums.digits[digit].wrapping_add(seen);
        }
        let side = self.blocks.side;
        for (kind, block) in [self.blocks.rows, self.blocks.columns]
            .into_iter()
            .enumerate()
        {
            let lines = colours.lines[kind][..side].chunks_mut(block);
            for (lines, sums) in lines.zip(sums.lines[kind][..side].chunks(block)) {
                for (line, sum) in lines.iter_mut().zip(sums) {
                    *line = mix(line.wrapping_add(sum.rotate_left(32)));
                }
                let all = sum(lines.iter().copied());
                for line in lines {
                    *line = line.wrapping_add(mix(all));
                }
            }
        }
        for (digit, sum) in colours.digits.iter_mut().zip(sums.digits) {
            *digit = mix(digit.wrapping_add(sum.rotate_left(32)));
        }
    }

    /// How many colours lines and digits have.
    fn told_apart(&self, colours: &Colours) -> usize {
        let side = self.blocks.side;
        let [rows, columns] = &colours.lines;
        kinds(&rows[..side]) + kinds(&columns[..side]) + kinds(&colours.digits[1..=side])
    }

    /// The most lines of one colour, if any share theirs. Colours of their own tell most apart there: where all is regular,
    /// starting from the fewest took up to a hundred times as long.
    fn largest_class(&self, colours: &Colours) -> Option<Vec<usize>> {
        let side = self.blocks.side;
        let mut largest = None;
        for (kind, lines) in colours.lines.iter().enumerate() {
            for &colour in &lines[..side] {
                let size = lines[..side]
                    .iter()
                    .filter(|&&other| other == colour)
                    .count();
                if size > 1 && largest.is_none_or(|largest| (size, kind, colour) > largest) {
                    largest = Some((size, kind, colour));
                }
            }
        }
        let (_, kind, colour) = largest?;
        let alike = (0..side).filter(|&line| colours.lines[kind][line] == colour);
        Some(alike.map(|line| kind * COLUMNS + line).collect())
    }

    /// Whether an automorphism that keeps the lines of the path takes one that was tried to this line.
    fn repeats(&self, tried: &[usize], line: usize) -> bool {
        if tried.is_empty() || self.automorphisms.is_empty() {
            return false;
        }
        let is_kept = |automorphism: &&Automorphism| {
            self.path
                .iter()
                .all(|&line| usize::from(automorphism[line]) == line)
        };
        let keeping: Vec<&Automorphism> = self.automorphisms.iter().filter(is_kept).collect();
        // What the line is taken to, by one after the other. Whatever it can be taken to can be taken back.
        let mut reached = 1u32 << line;
        let mut open = vec![line];
        while let Some(line) = open.pop() {
            for automorphism in &keeping {
                let to = usize::from(automorphism[line]);
                if reached >> to & 1 == 0 {
                    reached |= 1 << to;
                    open.push(to);
                }
            }
        }
        tried.iter().any(|&tried| reached >> tried & 1 == 1)
    }

    /// All lines differ: an image.
    fn compare(&mut self, colours: &Colours) -> Next {
        let side = self.blocks.side;
        let rows = order(&colours.lines[0][..side], self.blocks.rows);
        let columns = order(&colours.lines[1][..side], self.blocks.columns);
        let puzzle = &self.puzzles[usize::from(self.transposed)];
        let mut image = [0; MOST_CELLS];
        let mut names = Names::of_digits();
        for (to, &row) in image.chunks_mut(side).zip(&rows[..side]) {
            for (to, &column) in to.iter_mut().zip(&columns[..side]) {
                *to = names.of(puzzle[usize::from(row) * side + usize::from(column)]);
            }
        }
        let is_shortest = self.traces.len() == self.path.len() + 1;
        if let Some(best) = &self.best
            && is_shortest
        {
            match image.cmp(&best.image) {
                Ordering::Less => {}
                Ordering::Greater => return Next::Sibling,
                // The least of the one is the least of the other.
                Ordering::Equal if best.transposed != self.transposed => return Next::Done,
                Ordering::Equal => return self.note_automorphism([rows, columns]),
            }
        }
        self.traces.truncate(self.path.len() + 1);
        self.best = Some(Best {
            image,
            transposed: self.transposed,
            path: self.path.clone(),
            orders: [rows, columns],
        });
        Next::Sibling
    }

    /// Two ways to the same image: the puzzle looks the same after one and back by the other. What is left of the
    /// branch on which they parted looks like the branch of the best, too.
    fn note_automorphism(&mut self, orders: [Order; 2]) -> Next {
        let Some(best) = &self.best else {
            return Next::Sibling;
        };
        let mut automorphism: Automorphism = std::array::from_fn(|line| line as u8);
        for (kind, (from, to)) in best.orders.iter().zip(&orders).enumerate() {
            for (&from, &to) in from.iter().zip(to).take(self.blocks.side) {
                automorphism[kind * COLUMNS + usize::from(from)] = (kind * COLUMNS) as u8 + to;
            }
        }
        let shared = self.path.iter().zip(&best.path).take_while(|(a, b)| a == b);
        let shared = shared.count();
        self.automorphisms.push(automorphism);
        Next::BackTo(shared)
    }
}

/// How the digits of one full line stand to those of another: 0 where one is not full.
fn cycles(a: &[u8], b: &[u8]) -> Colour {
    let every_digit = (2u32 << a.len()) - 2;
    let digits = |line: &[u8]| line.iter().fold(0, |digits, &digit| digits | 1u32 << digit);
    if digits(a) != every_digit || digits(b) != every_digit {
        return 0;
    }
    let mut below = [0; MOST_LINES + 1];
    for (&a, &b) in a.iter().zip(b) {
        below[usize::from(a)] = b;
    }
    let mut all: Colour = 0;
    let mut left = every_digit;
    while left != 0 {
        let mut digit = left.trailing_zeros() as u8;
        let mut length = 0;
        while left >> digit & 1 == 1 {
            left &= !(1 << digit);
            digit = below[usize::from(digit)];
            length += 1;
        }
        all = all.wrapping_add(mix(length));
    }
    all
}

/// Blocks in the order of their least colour, lines within blocks in that of their own.
fn order(colours: &[Colour], block: usize) -> Order {
    let least: [Colour; MOST_LINES] = std::array::from_fn(|line| {
        let block = colours.chunks(block).nth(line / block).unwrap_or_default();
        block.iter().copied().min().unwrap_or_default()
    });
    let mut order: Order = std::array::from_fn(|line| line as u8);
    order[..colours.len()].sort_unstable_by_key(|&line| {
        let line = usize::from(line);
        (least[line], colours[line])
    });
    order
}

/// How many different colours there are.
fn kinds(colours: &[Colour]) -> usize {
    let is_new = |&index: &usize| !colours[..index].contains(&colours[index]);
    (0..colours.len()).filter(is_new).count()
}

fn sum(colours: impl Iterator<Item = Colour>) -> Colour {
    colours.fold(0, Colour::wrapping_add)
}

/// A step of splitmix64.
fn mix(colour: Colour) -> Colour {
    let colour = colour.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let colour = (colour ^ (colour >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let colour = (colour ^ (colour >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    colour ^ (colour >> 31)
}
