//! Finds the least image of a puzzle in a grid whose rows, columns and boxes imply all constraints. It uses individualisation and
//! refinement, as programs for graph isomorphism do. For grids with more constraints, `mod.rs` tries each symmetry.
//!
//! The puzzle is a graph. Its vertices are the rows, columns and digits, and each given joins its row, column and
//! digit. Colours are hashes that depend neither on the order of rows and columns nor on the labels of digits, so equivalent
//! puzzles get the same colours. If the boxes allow a transposition, the transpose of the puzzle is searched too.
//!
//! 1.  Refinement: each vertex gets a new colour from its own colour, those of its neighbours and, for a row or column, those of
//!     its band or stack. This is repeated until the number of colours stops growing, or cannot grow.
//! 2.  Individualisation: if several rows or columns still share a colour, the search branches. Each branch gives one of
//!     them a colour of its own and refines again.
//! 3.  Leaf: if all rows, and all columns, have different colours, sorting bands and stacks, and the rows and columns in them, by
//!     colour gives an image of the puzzle. "Least" compares the hashes of the colours on the way to the leaf (its traces) first,
//!     then the images.
//!
//! Two leaves with equal traces and images reveal an automorphism of the puzzle, which prunes branches equivalent to explored
//! ones. But if only one of the two leaves is of the transpose, the search ends.
//!
//! Source: McKay and Piperno, "Practical graph isomorphism, II" (2014).

use std::cmp::Ordering;

use super::labels::Labels;
use super::symmetries::{Blocks, MAX_FORM_CELLS, MAX_FORM_SIDE, Permutation, with_transpose};

/// A hash. Equivalent puzzles have equal hashes, and only equal images count as an automorphism. So collisions cost only time.
type Colour = u64;

/// The colours of all vertices.
#[derive(Clone, Copy, Default)]
struct Colours {
    /// The colours of the rows, then of the columns.
    axes: [[Colour; MAX_FORM_SIDE]; 2],
    /// Entry d for digit d.
    digits: [Colour; MAX_FORM_SIDE + 1],
}

/// The vertex number of the first column. Rows are vertices 0 to 8, columns 9 to 17. Digits have no numbers.
const FIRST_COLUMN: usize = MAX_FORM_SIDE;
const VERTICES: usize = 2 * MAX_FORM_SIDE;

/// A permutation of rows and columns that leaves the puzzle the same up to a relabelling of the digits: entry v is the image of
/// vertex v.
type Automorphism = [u8; VERTICES];

/// The state of the search for one puzzle.
pub struct CanonicalSearch<'a> {
    blocks: &'a Blocks,
    /// The puzzle and its transpose: the search works on `puzzles[transposed]`.
    puzzles: [[u8; MAX_FORM_CELLS]; 2],
    /// True while the search works on the transpose.
    transposed: bool,
    /// The row, the column and the digit of each given of `puzzles[transposed]`.
    givens: Vec<[u8; 3]>,
    /// The vertices individualised on the way to the current node.
    path: Vec<usize>,
    /// The result of `refine` at each depth on the way to the best leaf, or to the current node while `best` is `None`. Leaves
    /// are compared by these first, then by image.
    traces: Vec<Colour>,
    best: Option<Leaf>,
    /// Automorphisms of `puzzles[transposed]` found so far.
    automorphisms: Vec<Automorphism>,
}

/// A leaf of the search tree: an image of the puzzle, and the path to it.
struct Leaf {
    image: [u8; MAX_FORM_CELLS],
    transposed: bool,
    path: Vec<usize>,
    permutations: [Permutation; 2],
}

/// The node at which the search continues after a subtree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The next branch of the parent.
    Sibling,
    /// The next branch of the ancestor at this depth.
    BackTo(usize),
    /// No node: the search ends, and the best leaf is final.
    Done,
}

impl<'a> CanonicalSearch<'a> {
    pub fn new(blocks: &'a Blocks, puzzle: &[u8]) -> CanonicalSearch<'a> {
        CanonicalSearch {
            blocks,
            puzzles: with_transpose(puzzle, blocks.side),
            transposed: false,
            givens: Vec::with_capacity(MAX_FORM_CELLS),
            path: Vec::new(),
            traces: Vec::new(),
            best: None,
            automorphisms: Vec::new(),
        }
    }

    /// Returns the least image: N² digits along the rows, 0 for a blank cell.
    pub fn least_image(mut self) -> Vec<u8> {
        self.search(false);
        if self.blocks.can_transpose() {
            self.search(true);
        }
        let best = self.best.expect("every branch ends in an image");
        best.image[..self.blocks.side * self.blocks.side].to_vec()
    }

    /// Searches the puzzle, or its transpose if `transposed`, and updates `best`.
    fn search(&mut self, transposed: bool) {
        self.transposed = transposed;
        self.automorphisms.clear();
        let side = self.blocks.side;
        let puzzle = &self.puzzles[usize::from(transposed)][..side * side];
        self.givens.clear();
        for (cell, &digit) in puzzle.iter().enumerate() {
            if digit != 0 {
                let (row, column) = ((cell / side) as u8, (cell % side) as u8);
                self.givens.push([row, column, digit]);
            }
        }
        let colours = self.initial_colours();
        self.explore(colours);
    }

    /// Returns the colours before the first refinement.
    ///
    /// All are 0 at first. Then each pair of rows in a band, or of columns in a stack, adds its `cycle_hash` (0 unless both hold
    /// every digit) to the colours of both, because refinement alone hardly distinguishes full rows.
    fn initial_colours(&self) -> Colours {
        let side = self.blocks.side;
        let mut colours = Colours::default();
        for (axis, block) in self.blocks.sizes.into_iter().enumerate() {
            // Columns of the puzzle are rows of its transpose.
            let grid = &self.puzzles[usize::from(self.transposed) ^ axis];
            let digits = |index: usize| &grid[index * side..][..side];
            for b in 0..side {
                for a in b / block * block..b {
                    let hash = cycle_hash(digits(a), digits(b));
                    colours.axes[axis][a] = colours.axes[axis][a].wrapping_add(hash);
                    colours.axes[axis][b] = colours.axes[axis][b].wrapping_add(hash);
                }
            }
        }
        colours
    }

    /// Explores the node that `path` leads to, and its subtree.
    ///
    /// Skips a node whose trace is greater than that of the best leaf at this depth, or that is deeper than the best leaf. A node
    /// with a lesser trace replaces the best leaf by one of its own leaves. Returns where the search continues.
    fn explore(&mut self, mut colours: Colours) -> Next {
        let trace = self.refine(&mut colours);
        let depth = self.path.len();
        match self.traces.get(depth).map(|best| trace.cmp(best)) {
            // The best leaf stays the best.
            Some(Ordering::Greater) => return Next::Sibling,
            Some(Ordering::Equal) => {}
            // All leaves below are better than the best one.
            Some(Ordering::Less) => {
                self.traces.truncate(depth);
                self.traces.push(trace);
                self.best = None;
            }
            // The best leaf is less deep, which counts as better.
            None if self.best.is_some() => return Next::Sibling,
            // There is no best leaf yet, or all leaves below are better than the earlier one.
            None => self.traces.push(trace),
        }
        let Some(class) = self.largest_class(&colours) else {
            return self.visit_leaf(&colours);
        };
        for (index, &vertex) in class.iter().enumerate() {
            if self.is_equivalent_to_any(&class[..index], vertex) {
                continue;
            }
            let mut branch = colours;
            let (axis, index) = (vertex / FIRST_COLUMN, vertex % FIRST_COLUMN);
            let colour = &mut branch.axes[axis][index];
            // A colour that no other vertex has, except after a collision.
            *colour = mix(!*colour);
            self.path.push(vertex);
            let next = self.explore(branch);
            self.path.pop();
            match next {
                Next::BackTo(ancestor) if ancestor < depth => return next,
                Next::Done => return next,
                Next::BackTo(_) | Next::Sibling => {}
            }
        }
        Next::Sibling
    }

    /// Recolours at least once, until the number of colours stops growing or cannot grow. Returns a hash of the result that does
    /// not depend on the order of rows and columns or on the labels of digits.
    fn refine(&self, colours: &mut Colours) -> Colour {
        let mut count = self.count_colours(colours);
        loop {
            self.recolour(colours);
            let before = count;
            count = self.count_colours(colours);
            if count == before || count == 3 * self.blocks.side {
                break;
            }
        }
        let hash = |colours: &[Colour]| wrapping_sum(colours.iter().map(|&colour| mix(colour)));
        let [rows, columns] = colours.axes.map(|axis| hash(&axis[..self.blocks.side]));
        // Rows and columns have different roles, so that the hashes of a puzzle and of its transpose can differ.
        mix(mix(rows).wrapping_add(columns))
    }

    /// Mixes the colour of each vertex with those of its neighbours. Also mixes the colour of a row or column with those of its
    /// band or stack.
    ///
    /// The sums do not depend on the order of the givens, rows or columns.
    fn recolour(&self, colours: &mut Colours) {
        let mut sums = Colours::default();
        for given in &self.givens {
            let [row, column, digit] = given.map(usize::from);
            // The rotations give rows, columns and digits different roles: without them, exchanging two colours would not change
            // the sum.
            let colour = colours.axes[0][row]
                .wrapping_add(colours.axes[1][column].rotate_left(21))
                .wrapping_add(colours.digits[digit].rotate_left(42));
            let colour = mix(colour);
            sums.axes[0][row] = sums.axes[0][row].wrapping_add(colour);
            sums.axes[1][column] = sums.axes[1][column].wrapping_add(colour);
            sums.digits[digit] = sums.digits[digit].wrapping_add(colour);
        }
        let side = self.blocks.side;
        for (axis, block) in self.blocks.sizes.into_iter().enumerate() {
            let blocks = colours.axes[axis][..side].chunks_mut(block);
            for (colours, sums) in blocks.zip(sums.axes[axis][..side].chunks(block)) {
                for (colour, from_givens) in colours.iter_mut().zip(sums) {
                    *colour = mix(colour.wrapping_add(from_givens.rotate_left(32)));
                }
                // All rows of a band, or columns of a stack, share this sum.
                let block_sum = wrapping_sum(colours.iter().copied());
                for colour in colours {
                    *colour = colour.wrapping_add(mix(block_sum));
                }
            }
        }
        for (digit, from_givens) in colours.digits.iter_mut().zip(sums.digits) {
            *digit = mix(digit.wrapping_add(from_givens.rotate_left(32)));
        }
    }

    /// Returns the number of different colours of rows, of columns and of digits, added up.
    fn count_colours(&self, colours: &Colours) -> usize {
        let side = self.blocks.side;
        let [rows, columns] = &colours.axes;
        count_distinct(&rows[..side])
            + count_distinct(&columns[..side])
            + count_distinct(&colours.digits[1..=side])
    }

    /// Returns the largest set of rows or of columns that share a colour, or `None` if all differ. Of sets of equal size, returns
    /// one of columns rather than of rows, and the one with the greatest colour. So equivalent puzzles get equivalent sets.
    // Tried: the smallest such set. Up to 100 times as slow on regular puzzles.
    fn largest_class(&self, colours: &Colours) -> Option<Vec<usize>> {
        let side = self.blocks.side;
        let mut largest = None;
        for (axis, colours) in colours.axes.iter().enumerate() {
            for &colour in &colours[..side] {
                let size = colours[..side]
                    .iter()
                    .filter(|&&other| other == colour)
                    .count();
                if size > 1 && largest.is_none_or(|largest| (size, axis, colour) > largest) {
                    largest = Some((size, axis, colour));
                }
            }
        }
        let (_, axis, colour) = largest?;
        let members = (0..side).filter(|&index| colours.axes[axis][index] == colour);
        Some(members.map(|index| axis * FIRST_COLUMN + index).collect())
    }

    /// Returns true if known automorphisms that fix every vertex of the path, or products of them, map `vertex` to one of
    /// `explored`.
    fn is_equivalent_to_any(&self, explored: &[usize], vertex: usize) -> bool {
        if explored.is_empty() || self.automorphisms.is_empty() {
            return false;
        }
        let fixes_path = |automorphism: &&Automorphism| {
            self.path
                .iter()
                .all(|&vertex| usize::from(automorphism[vertex]) == vertex)
        };
        let fixing: Vec<&Automorphism> = self.automorphisms.iter().filter(fixes_path).collect();
        // The orbit of the vertex: bit v for vertex v. Inverses need no extra steps, because automorphisms have finite order.
        let mut orbit = 1u32 << vertex;
        let mut open = vec![vertex];
        while let Some(vertex) = open.pop() {
            for automorphism in &fixing {
                let image = usize::from(automorphism[vertex]);
                if orbit >> image & 1 == 0 {
                    orbit |= 1 << image;
                    open.push(image);
                }
            }
        }
        explored.iter().any(|&other| orbit >> other & 1 == 1)
    }

    /// Makes the current leaf the best leaf if there is no best leaf, if the best leaf is deeper, or if the best leaf is as deep
    /// and has a greater image. If the best leaf is as deep and has an equal image, the two leaves give an automorphism; but if
    /// only one of the two is of the transpose, the search ends. All rows, and all columns, have different colours here.
    fn visit_leaf(&mut self, colours: &Colours) -> Next {
        let side = self.blocks.side;
        let [rows, columns] = [0, 1]
            .map(|axis| sorted_by_colour(&colours.axes[axis][..side], self.blocks.sizes[axis]));
        let puzzle = &self.puzzles[usize::from(self.transposed)];
        let mut image = [0; MAX_FORM_CELLS];
        let mut labels: Labels = Labels::from_1(0);
        for (image_row, &row) in image.chunks_mut(side).zip(&rows[..side]) {
            for (cell, &column) in image_row.iter_mut().zip(&columns[..side]) {
                *cell = labels.get(puzzle[usize::from(row) * side + usize::from(column)]);
            }
        }
        // A leaf that is less deep than the best one, and whose traces are the first ones of the best, replaces it.
        let is_as_deep_as_best = self.traces.len() == self.path.len() + 1;
        if let Some(best) = &self.best
            && is_as_deep_as_best
        {
            match image.cmp(&best.image) {
                Ordering::Less => {}
                Ordering::Greater => return Next::Sibling,
                // The puzzle is equivalent to its transpose, so both have the same least image.
                Ordering::Equal if best.transposed != self.transposed => return Next::Done,
                Ordering::Equal => return self.record_automorphism([rows, columns]),
            }
        }
        self.traces.truncate(self.path.len() + 1);
        self.best = Some(Leaf {
            image,
            transposed: self.transposed,
            path: self.path.clone(),
            permutations: [rows, columns],
        });
        Next::Sibling
    }

    /// Records the automorphism that maps the best leaf to the current leaf, which has the same image.
    ///
    /// At the node where the two paths part, it maps the branch of the best leaf to the current branch. Both branches have the
    /// same images, so the search returns to that node.
    fn record_automorphism(&mut self, permutations: [Permutation; 2]) -> Next {
        let best = self.best.as_ref().expect("a leaf with the same image");
        let mut automorphism: Automorphism = std::array::from_fn(|vertex| vertex as u8);
        for (axis, (from, to)) in best.permutations.iter().zip(&permutations).enumerate() {
            let first = axis * FIRST_COLUMN;
            for (&from, &to) in from.iter().zip(to).take(self.blocks.side) {
                automorphism[first + usize::from(from)] = first as u8 + to;
            }
        }
        let shared = self.path.iter().zip(&best.path).take_while(|(a, b)| a == b);
        let shared = shared.count();
        self.automorphisms.push(automorphism);
        Next::BackTo(shared)
    }
}

/// Hashes the cycle lengths of the permutation that maps the digits of one full row to those of another, cell by cell.
///
/// Relabelling digits and permuting columns preserve the cycle lengths. Returns 0 unless both rows hold every digit.
fn cycle_hash(a: &[u8], b: &[u8]) -> Colour {
    // Bit d for digit d.
    let every_digit = (2u32 << a.len()) - 2;
    let set_of = |row: &[u8]| row.iter().fold(0, |set, &digit| set | 1u32 << digit);
    if set_of(a) != every_digit || set_of(b) != every_digit {
        return 0;
    }
    let mut permutation = [0; MAX_FORM_SIDE + 1];
    for (&a, &b) in a.iter().zip(b) {
        permutation[usize::from(a)] = b;
    }
    let mut hash: Colour = 0;
    let mut remaining = every_digit;
    while remaining != 0 {
        let mut digit = remaining.trailing_zeros() as u8;
        let mut length = 0;
        while remaining >> digit & 1 == 1 {
            remaining &= !(1 << digit);
            digit = permutation[usize::from(digit)];
            length += 1;
        }
        hash = hash.wrapping_add(mix(length));
    }
    hash
}

/// Sorts rows or columns by colour but keeps blocks together: sorts the blocks by their least colour, then each block. All
/// colours must differ.
fn sorted_by_colour(colours: &[Colour], block_size: usize) -> Permutation {
    let least_in_block: [Colour; MAX_FORM_SIDE] = std::array::from_fn(|index| {
        let block = colours
            .chunks(block_size)
            .nth(index / block_size)
            .unwrap_or_default();
        block.iter().copied().min().unwrap_or_default()
    });
    let mut order: Permutation = std::array::from_fn(|index| index as u8);
    order[..colours.len()].sort_unstable_by_key(|&index| {
        let index = usize::from(index);
        (least_in_block[index], colours[index])
    });
    order
}

fn count_distinct(colours: &[Colour]) -> usize {
    let is_new = |&index: &usize| !colours[..index].contains(&colours[index]);
    (0..colours.len()).filter(is_new).count()
}

fn wrapping_sum(colours: impl Iterator<Item = Colour>) -> Colour {
    colours.fold(0, Colour::wrapping_add)
}

/// Hashes a colour: the number that the splitmix64 generator draws in this state.
fn mix(colour: Colour) -> Colour {
    let colour = colour.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let colour = (colour ^ (colour >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let colour = (colour ^ (colour >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    colour ^ (colour >> 31)
}
