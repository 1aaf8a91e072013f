//! One puzzle to stand for all that are the same but for a symmetry of their variant and the names of the digits.

mod search;
mod symmetries;

use crate::rules::{HouseName, Rules};
use search::Search;
use symmetries::{Blocks, Demands, MOST_CELLS, MOST_LINES, Symmetry};

/// Brings puzzles that share their rules into canonical form: two puzzles have the same form exactly when a symmetry and
/// a relabelling turn one into the other. Whether they have one solution, many or none plays no part.
///
/// The symmetries of a grid with boxes permute bands, rows within bands, stacks and columns within stacks, and transpose
/// where boxes are square (or but one line wide, so that they say nothing), as far as whatever else holds, such as
/// diagonals, windows and pairs of cells, then holds of the same cells. Where there are regions, in place of boxes or
/// besides them, the symmetries are those of the eight of the square that keep everything but the regions; the layout is
/// carried along and is a part of the form. Digits may be relabelled at will, or only counted from the other end where
/// some may not be consecutive.
///
/// ```
/// use sudoku_filter::{Canonical, Rules, Shape, Variants};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let canonical = Canonical::new(&rules).unwrap();
/// let form = |puzzle: [u8; 16]| {
///     let mut form = Vec::new();
///     canonical.form(&puzzle, &mut form);
///     form
/// };
/// let puzzle = [1, 2, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 4];
/// let turned_and_relabelled = [0, 0, 0, 4, 0, 2, 0, 3, 0, 0, 4, 0, 1, 0, 0, 0];
/// assert_eq!(form(puzzle), form(turned_and_relabelled));
/// ```
#[derive(Debug)]
pub struct Canonical {
    side: usize,
    way: Way,
    /// For each cell a number of its region.
    layout: Option<Vec<u8>>,
    labels: Labels,
}

/// How the symmetries are gone through.
#[derive(Debug)]
enum Way {
    /// All that the boxes allow: too many for one at a time.
    Search(Blocks),
    /// One after the other.
    Each(Vec<Symmetry>),
}

/// How digits may be relabelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Labels {
    Any,
    /// As they are, or counted from the other end.
    Reversed,
}

impl Canonical {
    /// For puzzles that obey `rules`, if they have at most nine digits. (Nor is there a form where boxes are but a line
    /// wide and what little else holds leaves millions of symmetries.)
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Canonical> {
        let side = rules.side();
        if side > MOST_LINES {
            return None;
        }
        let layout = layout_of(rules);
        let blocks = layout.is_none().then(|| Blocks::of(rules));
        let demands = Demands::of(rules, blocks.as_ref());
        let way = match blocks {
            Some(blocks) if demands.are_none() => Way::Search(blocks),
            Some(blocks) => Way::Each(symmetries::that_keep(&demands, &blocks)?),
            None => {
                let squares = symmetries::of_the_square(side).into_iter();
                Way::Each(
                    squares
                        .filter(|square| demands.are_kept_by(square))
                        .collect(),
                )
            }
        };
        let labels = if demands.tell_neighbours_apart() {
            Labels::Reversed
        } else {
            Labels::Any
        };
        Some(Canonical {
            side,
            way,
            layout,
            labels,
        })
    }

    /// Puts the form of `puzzle` into `form`: a puzzle too, N² digits along the rows, 0 for a blank cell. Where there are
    /// regions, N² numbers of regions follow, from 0 in the order in which they appear.
    pub fn form(&self, puzzle: &[u8], form: &mut Vec<u8>) {
        assert_eq!(
            puzzle.len(),
            self.side * self.side,
            "a puzzle of these rules"
        );
        form.clear();
        match &self.way {
            Way::Search(blocks) => form.extend_from_slice(&Search::new(blocks, puzzle).least()),
            Way::Each(symmetries) => self.least_of_each(symmetries, puzzle, form),
        }
    }

    fn least_of_each(&self, symmetries: &[Symmetry], puzzle: &[u8], form: &mut Vec<u8>) {
        let cells = puzzle.len();
        if self.layout.is_none() && puzzle.iter().all(|&digit| digit == 0) {
            return form.extend_from_slice(puzzle);
        }
        let puzzles = both_ways(puzzle, self.side);
        let layouts = self
            .layout
            .as_deref()
            .map(|labels| both_ways(labels, self.side));
        // Any image is less.
        form.resize(cells + self.layout.as_ref().map_or(0, Vec::len), u8::MAX);
        let (puzzle_form, layout_form) = form.split_at_mut(cells);
        for symmetry in symmetries {
            let mut standing = Standing::Equal;
            if let Some(layouts) = &layouts {
                let mut names = Names::new(0);
                let layout = &layouts[usize::from(symmetry.transposed)];
                let image = symmetry
                    .sources(self.side)
                    .map(|cell| names.of(layout[cell]));
                standing = lower(layout_form, image, standing);
            }
            if standing == Standing::Greater {
                continue;
            }
            let puzzle = &puzzles[usize::from(symmetry.transposed)];
            let sources = || symmetry.sources(self.side).map(|cell| puzzle[cell]);
            match self.labels {
                Labels::Any => {
                    let mut names = Names::of_digits();
                    let image = sources().map(|digit| blank_or(digit, |digit| names.of(digit)));
                    lower(puzzle_form, image, standing);
                }
                Labels::Reversed => {
                    let image = sources().map(|digit| blank_or(digit, |digit| digit));
                    lower(puzzle_form, image, standing);
                    let most = self.side as u8 + 1;
                    let reversed = sources().map(|digit| blank_or(digit, |digit| most - digit));
                    lower(puzzle_form, reversed, Standing::Equal);
                }
            }
        }
        for digit in puzzle_form {
            if *digit == BLANK {
                *digit = 0;
            }
        }
    }
}

/// A blank cell while images are compared: greater than every digit, since images with digits in front part sooner.
const BLANK: u8 = u8::MAX - 1;

fn blank_or(digit: u8, label: impl FnOnce(u8) -> u8) -> u8 {
    if digit == 0 { BLANK } else { label(digit) }
}

/// The number of each cell's region, if there are regions.
fn layout_of(rules: &Rules) -> Option<Vec<u8>> {
    let is_region = |name: HouseName| matches!(name, HouseName::Region(_));
    let mut regions = rules
        .houses()
        .iter()
        .filter(|house| is_region(house.name))
        .peekable();
    regions.peek()?;
    let mut layout = vec![0; rules.cells()];
    for (house, number) in regions.zip(1..) {
        for &cell in &house.cells {
            layout[usize::from(cell)] = number;
        }
    }
    Some(layout)
}

/// How an image stands to the least so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Less,
    Equal,
    Greater,
}

/// Makes `least` the image if that is less, or if what came before it was.
fn lower(least: &mut [u8], image: impl Iterator<Item = u8>, mut standing: Standing) -> Standing {
    for (least, value) in least.iter_mut().zip(image) {
        if standing == Standing::Equal && value != *least {
            if value > *least {
                return Standing::Greater;
            }
            standing = Standing::Less;
        }
        *least = value;
    }
    standing
}

/// Numbers in place of other numbers, in the order in which they appear.
struct Names {
    names: [u8; MOST_LINES + 1],
    next: u8,
}

impl Names {
    const NONE: u8 = u8::MAX;

    fn new(first: u8) -> Names {
        Names {
            names: [Names::NONE; MOST_LINES + 1],
            next: first,
        }
    }

    /// A blank cell stays what it is.
    fn of_digits() -> Names {
        let mut names = Names::new(1);
        names.names[0] = 0;
        names
    }

    fn of(&mut self, number: u8) -> u8 {
        let name = &mut self.names[usize::from(number)];
        if *name == Names::NONE {
            *name = self.next;
            self.next += 1;
        }
        *name
    }
}

/// A grid, and the same transposed.
fn both_ways(grid: &[u8], side: usize) -> [[u8; MOST_CELLS]; 2] {
    let mut both = [[0; MOST_CELLS]; 2];
    both[0][..grid.len()].copy_from_slice(grid);
    for row in 0..side {
        for column in 0..side {
            both[1][column * side + row] = grid[row * side + column];
        }
    }
    both
}
