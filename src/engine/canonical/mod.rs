//! Canonical forms: one representative for all puzzles that differ only by a symmetry of their
//! rules and by a relabelling of the digits that the rules allow. Forms are computed from the
//! puzzle, not from its solutions.

mod parts;
mod random_symmetry;
mod search;
mod symmetries;

use std::iter;

use crate::error::InvalidInput;
use crate::puzzle::Givens;
use crate::rules::Rules;
use parts::Part;
pub use parts::cages_of_image;
pub use random_symmetry::{JigsawLayout, RandomSymmetries, RandomSymmetry};
use search::CanonicalSearch;
use symmetries::{InvariantConstraints, MAX_FORM_SIDE, Symmetry, SymmetryGroup};

/// Computes canonical forms of puzzles with the same rules.
///
/// Of all images of a puzzle under a symmetry and an allowed relabelling of the digits, the form is
/// the one whose text is least, where a blank cell is less than 1. For the classic 9x9, collectors
/// call it row-minlex. So two puzzles have the same form if and only if a symmetry and an allowed
/// relabelling turn one into the other.
///
/// The symmetries of a grid with boxes, but without jigsaw regions and cages, are:
///
/// * permutations of bands, of rows within a band, of stacks, and of columns within a stack;
/// * transposition, if the boxes are square, or if they are single rows or columns and so constrain
///   nothing.
///
/// If rows, columns and boxes do not imply all constraints, a symmetry must also preserve the
/// houses of variants, and which two cells must differ or must not hold consecutive digits. So
/// groups and houses from `--extra` count only as pairs of cells.
///
/// With jigsaw regions, the symmetries are the rotations and reflections that preserve the boxes,
/// if there are any, the houses of variants, and which two cells must not hold equal or consecutive
/// digits for reasons other than the layout. They move the layout too, and the form includes the
/// moved layout.
///
/// With cages, the symmetries are the same rotations and reflections. They move the cages, and the
/// form includes the moved cages. Digits keep their values, even if no cage has a sum.
///
/// In puzzles without cages, every relabelling of the digits is allowed. But if some cells must not
/// hold consecutive digits, the only relabelling is d to N + 1 - d.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Canonical, Rules, Shape, Variants};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let canonical = Canonical::new(&rules).unwrap();
/// let form = |puzzle: [u8; 16]| {
///     let mut form = Vec::new();
///     canonical.form(&puzzle, &mut form).unwrap();
///     form
/// };
/// let puzzle = [1, 2, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 4];
/// let rotated_and_relabelled = [0, 0, 0, 4, 0, 2, 0, 3, 0, 0, 4, 0, 1, 0, 0, 0];
/// assert_eq!(form(puzzle), form(rotated_and_relabelled));
/// ```
#[derive(Debug)]
pub struct Canonical {
    side: usize,
    symmetries: SymmetryGroup,
    parts: Vec<Part>,
    relabelling: Relabelling,
}

/// A symmetry and a relabelling of the digits that turn a puzzle into its canonical form.
pub struct CanonicalImage {
    /// True if the puzzle is transposed before its rows and columns are permuted.
    pub transposed: bool,
    /// The row, the column or the digit, counted from 1, that becomes the first, the second, ... of
    /// the form. Rows and columns are those of the transposed puzzle.
    pub rows: Vec<u8>,
    /// As `rows`.
    pub columns: Vec<u8>,
    /// As `rows`.
    pub digits: Vec<u8>,
    /// The number of symmetries each of which, with some relabelling, turns the puzzle into itself.
    /// As many turn it into its form.
    pub automorphisms: u64,
}

/// The symmetries that turn a puzzle into its form.
struct LeastImages {
    symmetry: Symmetry,
    /// True if this one reverses the digits.
    is_reversed: bool,
    /// The number of these symmetries.
    ties: u64,
}

/// The ways to rename the digits that rules allow. Each allows those before it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relabelling {
    /// Every digit stays.
    None,
    /// Every digit d becomes N + 1 - d, or every digit stays.
    Reversal,
    /// Every permutation of the digits.
    Any,
}

impl Relabelling {
    /// Returns `None` for every killer, even without sums: a relabelling would change the sums of
    /// cages.
    fn from_rules(rules: &Rules) -> Relabelling {
        if !rules.cages().is_empty() {
            Relabelling::None
        } else if rules.treat_digits_alike() {
            Relabelling::Any
        } else {
            Relabelling::Reversal
        }
    }

    /// Returns a part for each different relabelled puzzle. If any relabelling is allowed, one part is
    /// enough: its images number the digits in the order of first use.
    fn puzzles(self, side: usize, puzzle: &[u8]) -> Vec<Part> {
        let numbered_from = (self == Relabelling::Any).then_some(1);
        let mut puzzles = vec![Part::new(puzzle.iter().copied(), numbered_from)];
        if self == Relabelling::Reversal {
            let sum = side as u8 + 1;
            // `% sum` changes blank cells only: they stay 0.
            let reversed: Vec<u8> = puzzle.iter().map(|&digit| (sum - digit) % sum).collect();
            if reversed != puzzle {
                puzzles.push(Part::new(reversed.into_iter(), None));
            }
        }
        puzzles
    }
}

impl Canonical {
    /// Finds the symmetries and relabellings of these rules.
    ///
    /// Returns `None` if the side is above 9. Also returns `None` if there are constraints that
    /// rows, columns and boxes do not imply, and more than 2²¹ symmetries preserve them, which
    /// is possible if the boxes are single rows or columns.
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Canonical> {
        let side = rules.side();
        if side > MAX_FORM_SIDE {
            return None;
        }
        let parts = Part::all_of(rules);
        let symmetries = if parts.is_empty() {
            SymmetryGroup::of_boxes(rules)?
        } else {
            // Only rotations and reflections count. Boxes are constraints like others.
            let constraints: InvariantConstraints =
                InvariantConstraints::from_rules(rules, &[], rules.boxes());
            let mut turns = constraints.turns();
            turns.retain(|turn| constraints.houses_are_preserved_by(turn));
            SymmetryGroup::Listed(turns)
        };
        Some(Canonical { side, symmetries, parts, relabelling: Relabelling::from_rules(rules) })
    }

    /// Replaces the contents of `form` with the form of `puzzle`. `puzzle` is N² digits along the
    /// rows, 0 if blank. `form` begins with N² digits in the same format.
    ///
    /// With jigsaw regions, N² region numbers follow in `form`, numbered from 0 in the order of
    /// appearance. With cages, two lists of N² entries follow: the sum of each cell's cage (0 if it
    /// has none, 255 outside of cages), and its number from 1 in the order of appearance (0 outside
    /// of cages). The puzzle is the least of all images; of images that share it, the form has the
    /// least regions, then the least sums, then the least numbers of cages. This is not the order
    /// of the texts that `text::notation::write_cages` writes.
    ///
    /// # Errors
    /// `puzzle` does not have N² cells, or has a digit above N.
    pub fn form(&self, puzzle: &[u8], form: &mut Vec<u8>) -> Result<(), InvalidInput> {
        self.search(puzzle, form).map(drop)
    }

    /// Returns the symmetry and the relabelling that turn a puzzle into its form.
    ///
    /// # Errors
    /// As [`Canonical::form`].
    #[doc(hidden)]
    pub fn image(&self, puzzle: &[u8]) -> Result<CanonicalImage, InvalidInput> {
        let mut form = Vec::new();
        let least = self.search(puzzle, &mut form)?;
        Ok(self.image_by(&least, [puzzle, &form]))
    }

    fn search(&self, puzzle: &[u8], form: &mut Vec<u8>) -> Result<LeastImages, InvalidInput> {
        Givens::Digits(puzzle).check_one(self.side)?;
        form.clear();
        Ok(match &self.symmetries {
            SymmetryGroup::OfBlocks(blocks) => {
                let (image, symmetry, ties) = CanonicalSearch::new(blocks, puzzle).least_image();
                form.extend_from_slice(&image[..puzzle.len()]);
                LeastImages { symmetry, is_reversed: false, ties }
            }
            SymmetryGroup::Listed(symmetries) => {
                let cells = puzzle.len();
                // The initial value is greater than every digit, so the first image replaces it.
                form.resize(cells * (1 + self.parts.len()), u8::MAX);
                let puzzles = self.relabelling.puzzles(self.side, puzzle);
                let (mut least, mut ties) = ((&symmetries[0], 0), 0);
                for symmetry in symmetries {
                    for (number, puzzle) in puzzles.iter().enumerate() {
                        let parts = iter::once(puzzle).chain(&self.parts);
                        let mut images = parts.zip(form.chunks_exact_mut(cells));
                        // Ends at the first part that is greater, unless an earlier one is less.
                        let mut is_less = false;
                        if images.all(|(part, least)| part.minimize(symmetry, least, &mut is_less))
                        {
                            if is_less {
                                (least, ties) = ((symmetry, number), 0);
                            }
                            ties += 1;
                        }
                    }
                }
                LeastImages { symmetry: least.0.clone(), is_reversed: least.1 == 1, ties }
            }
        })
    }

    fn image_by(&self, least: &LeastImages, [puzzle, form]: [&[u8]; 2]) -> CanonicalImage {
        let LeastImages { symmetry, is_reversed, ties } = least;
        let last = self.side as u8;
        let mut digits: Vec<u8> = Vec::new();
        if *is_reversed {
            digits.extend((1..=last).rev());
        } else if self.relabelling == Relabelling::Any {
            // The form numbers the digits in the order of first use.
            for (cell, &number) in form[..puzzle.len()].iter().enumerate() {
                if usize::from(number) > digits.len() {
                    digits.push(puzzle[symmetry.source(cell, self.side)]);
                }
            }
        }
        let missing: Vec<u8> = (1..=last).filter(|digit| !digits.contains(digit)).collect();
        digits.extend(missing);
        let [rows, columns] = &symmetry.permutations;
        let from_1 =
            |sources: &[u8]| sources[..self.side].iter().map(|source| source + 1).collect();
        CanonicalImage {
            transposed: symmetry.transposed,
            rows: from_1(rows),
            columns: from_1(columns),
            digits,
            automorphisms: *ties,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::random::Random;
    use crate::rules::{Cage, CellSet, House, Shape, Variants, peers_of_cells};

    /// Returns the orders of rows or columns that keep those of each block together.
    fn orders(side: usize, block: usize) -> Vec<Vec<usize>> {
        let mut orders = vec![Vec::new()];
        for at in 0..side {
            let extend = |order: &Vec<usize>| {
                let fits = |next: &usize| {
                    let stays = at % block == 0 || order[at - 1] / block == next / block;
                    stays && !order.contains(next)
                };
                let extended = (0..side).filter(fits).map(|next| [&order[..], &[next]].concat());
                extended.collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(extend).collect();
        }
        orders
    }

    /// The plain twin: counts automorphisms by trial of all orders of rows and columns that can
    /// keep the boxes, or of the rotations and reflections if there are regions or cages.
    struct Twin {
        rules: Rules,
        /// For each cell, the cells that must not hold the same digit or a consecutive one.
        related: [Vec<BTreeSet<usize>>; 2],
        houses: BTreeSet<Vec<usize>>,
        symmetries: Vec<Vec<usize>>,
    }

    impl Twin {
        fn new(rules: Rules) -> Twin {
            let side = rules.side();
            let houses = rules.houses().iter().chain(rules.groups());
            let differ: Vec<CellSet<2>> = peers_of_cells(rules.cells(), houses, rules.pairs());
            let differ = differ.iter().map(|set| set.iter().map(usize::from).collect());
            let near = rules.consecutive_neighbours().into_iter();
            let near = near.map(|cells| cells.into_iter().map(usize::from).collect());
            let turns = !rules.jigsaw_regions().is_empty() || !rules.cages().is_empty();
            let [rows, columns] = if turns {
                let order: Vec<usize> = (0..side).collect();
                let orders = vec![order.clone(), order.into_iter().rev().collect()];
                [orders.clone(), orders]
            } else {
                let width = rules.boxes()[0].cells.iter().filter(|&&it| it < side as u16).count();
                [side / width, width].map(|block| {
                    let is_line = width == 1 || width == side;
                    orders(side, if is_line { side } else { block })
                })
            };
            let related = [differ.collect(), near.collect()];
            let mut twin = Twin { houses: BTreeSet::new(), related, symmetries: Vec::new(), rules };
            let identity: Vec<usize> = (0..side * side).collect();
            twin.houses = twin.images_of_houses(&identity);
            for (row, column) in rows.iter().flat_map(|row| columns.iter().map(move |it| (row, it)))
            {
                for step in [[side, 1], [1, side]] {
                    let source = |cell| row[cell / side] * step[0] + column[cell % side] * step[1];
                    let symmetry: Vec<usize> = (0..side * side).map(source).collect();
                    if twin.is_preserved_by(&symmetry) {
                        twin.symmetries.push(symmetry);
                    }
                }
            }
            twin
        }

        /// Returns the houses, and the cages with their sums, each as its sorted sources.
        fn images_of_houses(&self, symmetry: &[usize]) -> BTreeSet<Vec<usize>> {
            let sources = |house: &House, sum: usize| {
                let cells = house.cells.iter().map(|&cell| symmetry[usize::from(cell)]);
                let cells: BTreeSet<usize> = cells.collect();
                cells.into_iter().chain([100 + sum]).collect::<Vec<_>>()
            };
            let houses = self.rules.houses().iter().map(|house| sources(house, 0));
            let sum = |cage: &Cage| usize::from(cage.sum.unwrap_or(0));
            let cages = self.rules.cages().iter();
            houses.chain(cages.map(|cage| sources(&cage.group, 1 + sum(cage)))).collect()
        }

        fn is_preserved_by(&self, symmetry: &[usize]) -> bool {
            let is_related = |sets: &Vec<BTreeSet<usize>>| {
                (0..symmetry.len()).all(|cell| {
                    let sources: BTreeSet<usize> =
                        sets[cell].iter().map(|&other| symmetry[other]).collect();
                    sources == sets[symmetry[cell]]
                })
            };
            self.related.iter().all(is_related) && self.images_of_houses(symmetry) == self.houses
        }

        fn automorphisms(&self, puzzle: &[u8]) -> u64 {
            let side = self.rules.side() as u8;
            let renamings: Option<Vec<Vec<u8>>> = match Relabelling::from_rules(&self.rules) {
                Relabelling::Any => None,
                Relabelling::Reversal => {
                    Some(vec![(1..=side).collect(), (1..=side).rev().collect()])
                }
                Relabelling::None => Some(vec![(1..=side).collect()]),
            };
            let fits = |symmetry: &&Vec<usize>| match &renamings {
                None => can_be_renamed(symmetry.iter().map(|&it| puzzle[it]), puzzle),
                Some(renamings) => {
                    let is_same = |names: &&Vec<u8>| {
                        (0..puzzle.len()).all(|cell| {
                            let digit = puzzle[symmetry[cell]];
                            let name = |at: u8| names[usize::from(at)];
                            digit.checked_sub(1).map_or(0, name) == puzzle[cell]
                        })
                    };
                    renamings.iter().any(|names| is_same(&names))
                }
            };
            self.symmetries.iter().filter(fits).count() as u64
        }

        /// Returns a full grid, by trial of digits in random order.
        fn full_grid(&self, random: &mut Random) -> Vec<u8> {
            fn fill(twin: &Twin, grid: &mut Vec<u8>, random: &mut Random) -> bool {
                if grid.len() == twin.rules.cells() {
                    return true;
                }
                let mut digits: Vec<u8> = (1..=twin.rules.side() as u8).collect();
                random.shuffle(&mut digits);
                digits.into_iter().any(|digit| {
                    let [differ, near] = &twin.related;
                    let earlier = |sets: &Vec<BTreeSet<usize>>| {
                        let before = sets[grid.len()].iter().filter(|&&it| it < grid.len());
                        before.map(|&cell| grid[cell]).collect::<Vec<u8>>()
                    };
                    if earlier(differ).contains(&digit)
                        || earlier(near).iter().any(|it| it.abs_diff(digit) == 1)
                    {
                        return false;
                    }
                    grid.push(digit);
                    fill(twin, grid, random) || {
                        grid.pop();
                        false
                    }
                })
            }
            let mut grid = Vec::new();
            assert!(fill(self, &mut grid, random), "{:?}", self.houses);
            grid
        }
    }

    /// Returns true if a renaming of the digits turns `image` into `puzzle`.
    fn can_be_renamed(image: impl Iterator<Item = u8>, puzzle: &[u8]) -> bool {
        let mut names = [0; MAX_FORM_SIDE + 1];
        for (digit, &name) in image.zip(puzzle) {
            if (digit == 0) != (name == 0) || ![0, name].contains(&names[usize::from(digit)]) {
                return false;
            }
            names[usize::from(digit)] = name;
        }
        let mut used: Vec<u8> = names.into_iter().filter(|&name| name != 0).collect();
        let number = used.len();
        used.sort_unstable();
        used.dedup();
        used.len() == number
    }

    /// Returns the number of automorphisms, and checks that the image is the form.
    fn automorphisms(canonical: &Canonical, puzzle: &[u8]) -> u64 {
        let (side, mut form) = (canonical.side, Vec::new());
        canonical.form(puzzle, &mut form).unwrap();
        let image = canonical.image(puzzle).unwrap();
        for cell in 0..puzzle.len() {
            let place = [image.rows[cell / side], image.columns[cell % side]];
            let [row, column] = place.map(|number| usize::from(number) - 1);
            let [row, column] = if image.transposed { [column, row] } else { [row, column] };
            let digit = match form[cell] {
                0 => 0,
                number => image.digits[usize::from(number) - 1],
            };
            assert_eq!(puzzle[row * side + column], digit, "{puzzle:?}");
        }
        let distinct: BTreeSet<&u8> = image.digits.iter().collect();
        assert_eq!(distinct.len(), side, "{puzzle:?}");
        image.automorphisms
    }

    fn rules_of([height, width]: [usize; 2], variants: &str) -> Rules {
        let shape = Shape::boxes(height, width);
        Rules::new(height * width, shape, &variants.parse::<Variants>().unwrap()).unwrap()
    }

    #[test]
    fn automorphisms_are_those_found_by_trial_of_all_symmetries() {
        let jigsaw = |labels: &str| {
            let shape = Shape::regions(labels.as_bytes(), false);
            Rules::new(labels.len().isqrt(), shape, &"jigsaw".parse().unwrap()).unwrap()
        };
        let killer = |sums: [Option<u16>; 2]| {
            let cages = [vec![0, 1, 4], vec![2, 3, 7]].into_iter().zip(sums);
            let cages = cages.map(|(cells, sum)| Cage::new(4, cells, sum).unwrap());
            rules_of([2, 2], "classic").with_cages(cages.collect()).unwrap()
        };
        let samples = [
            rules_of([2, 2], "classic"),
            rules_of([1, 4], "classic"),
            rules_of([2, 2], "diagonal"),
            rules_of([2, 2], "window"),
            rules_of([2, 3], "antiknight"),
            rules_of([2, 3], "classic"),
            rules_of([3, 2], "diagonal"),
            rules_of([2, 3], "nonconsecutive"),
            jigsaw("AAABABBBCCCDCDDD"),
            jigsaw("AABBAABBCCDDCCDD"),
            killer([Some(6), Some(6)]),
            killer([Some(6), Some(7)]),
            killer([None, None]),
        ];
        let mut counts = BTreeSet::new();
        for (number, rules) in samples.into_iter().enumerate() {
            let twin = Twin::new(rules);
            let canonical = Canonical::new(&twin.rules).unwrap();
            let random = &mut Random::new(number as u64);
            for round in 0..60 {
                let mut puzzle = twin.full_grid(random);
                for digit in &mut puzzle {
                    // From full to blank. Some puzzles are regular, others contradict themselves.
                    match random.below(60) {
                        chance if chance < round => *digit = 0,
                        0 => *digit = 1 + random.below(2) as u8,
                        _ => {}
                    }
                }
                if round % 4 == 3 {
                    puzzle = puzzle.iter().map(|digit| digit % 3).collect();
                }
                let found = automorphisms(&canonical, &puzzle);
                assert_eq!(found, twin.automorphisms(&puzzle), "{number}: {puzzle:?}");
                counts.insert(found);
            }
            let blank = vec![0; twin.rules.cells()];
            let found = automorphisms(&canonical, &blank);
            assert_eq!(found, twin.automorphisms(&blank), "{number}");
            counts.insert(found);
        }
        assert!(counts.len() > 15, "{counts:?}");
    }

    #[test]
    fn classic_9x9_puzzles_have_their_known_numbers_of_automorphisms() {
        // Each begins with its number. The first ones are full grids.
        let grids = [
            "648 123456789456789123789123456231564897564897231897231564312645978645978312978312645",
            "108 123456789456789123789123456231564897564897231897231564312978645645312978978645312",
            "54 123456789456789123789123456231564897564897231897231564672348915348915672915672348",
            "27 123456789456789123789123456231897564564231897897564231915348672672915348348672915",
            "18 123456789456789123789123456218564397564397218397218564832645971645971832971832645",
            "9 123456789456789123789123456231897564564231897897564231315648972972315648648972315",
            "3 123456789456789123789123456214397568568214397397568214632845971845971632971632845",
            // Blanks, tied columns, and a digit twice in a column.
            "648 123456789456789123789123456231564897564897231897231564...........................",
            "72 1.......9.5.....2...9...6...............................................1........",
            "2304 9...............................................................................9",
            "12 123456789456789123789123456231564897564897231897231564312645978645312978978645312",
            "1 123456789456789123789123456214837695568291374937564812372615948645978231891342567",
        ];
        let canonical = Canonical::new(&Rules::classic()).unwrap();
        let orders = orders(9, 3);
        for (expected, grid) in grids.map(|line| line.split_once(' ').unwrap()) {
            let expected: u64 = expected.parse().unwrap();
            let grid: Vec<u8> = grid.bytes().map(|symbol| symbol.saturating_sub(b'0')).collect();
            assert_eq!(automorphisms(&canonical, &grid), expected, "{grid:?}");
            let mut by_trial = 0;
            for (rows, columns) in orders.iter().flat_map(|it| orders.iter().map(move |c| (it, c)))
            {
                for [row_step, column_step] in [[9, 1], [1, 9]] {
                    let sources = rows.iter().flat_map(|row| {
                        columns.iter().map(move |column| row * row_step + column * column_step)
                    });
                    let image = sources.map(|cell| grid[cell]);
                    by_trial += u64::from(can_be_renamed(image, &grid));
                }
            }
            assert_eq!(by_trial, expected, "{grid:?}");
        }
    }
}
