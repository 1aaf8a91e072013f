//! Canonical forms are the least images. The reference goes through all symmetries of the rules. It
//! finds them by trying every rearrangement of rows and columns on the houses.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rayon::prelude::*;
use sudoku_filter::program::{JigsawLayout, RandomSymmetries, RandomSymmetry};
use sudoku_filter::{Canonical, Limits, Method, Rules, Shape, Solver, Status, Variants};

use crate::convert::rules_of;
use crate::generator::constraints::{Cage, Constraints};
use crate::generator::files::{VARIANTS, sides_of};
use crate::generator::killers;
use crate::generator::puzzles;
use crate::generator::random::Random;

/// For each cell of the rearranged grid, the cell it is taken from.
type Symmetry = Vec<usize>;

/// Rules with their symmetries.
struct Sample {
    constraints: Constraints,
    /// Rows in a band and columns in a stack, which stay together. `None` if regions take the
    /// place of boxes.
    blocks: Option<[usize; 2]>,
    canonical: Canonical,
    /// Empty for large classic grids: the 9x9 has millions.
    symmetries: Vec<Symmetry>,
    /// A full grid that obeys the rules.
    grid: Vec<u8>,
}

impl Sample {
    fn new(variants: &str, side: usize) -> Sample {
        let random = &mut Random::of(&format!("canonical {variants} {side}"));
        let (constraints, grid) = puzzles::constraints_with_grid(side, variants, random);
        let canonical = Canonical::new(&rules_of(&constraints)).unwrap();
        let blocks = constraints.regions.is_none().then(|| {
            let rows = (1..=side.isqrt()).rfind(|rows| side.is_multiple_of(*rows));
            let rows = rows.unwrap();
            [rows, side / rows]
        });
        let symmetries = match blocks {
            Some(_) if variants == "classic" && side >= 8 => Vec::new(),
            Some(blocks) => symmetries_of_boxes(&constraints, blocks),
            None => symmetries_of_the_square(constraints.side),
        };
        Sample { constraints, blocks, canonical, symmetries, grid }
    }

    fn name(&self) -> String {
        format!("{} {}", self.constraints.variants, self.constraints.side)
    }

    fn random_symmetry(&self, random: &mut Random) -> Symmetry {
        if !self.symmetries.is_empty() {
            return random.pick(&self.symmetries).clone();
        }
        let side = self.constraints.side;
        let [rows, columns] = self.blocks.unwrap();
        let transposed = rows == columns && random.below(2) == 1;
        let rows = random_order(side, rows, random);
        let columns = random_order(side, columns, random);
        rearrangement(transposed, &rows, &columns)
    }

    /// Returns a random part of the full grid, from no cell to all. A few givens are changed, so
    /// some puzzles contradict themselves.
    fn puzzle(&self, random: &mut Random) -> Vec<u8> {
        let mut puzzle = self.grid.clone();
        let keep = random.below(self.constraints.cells() + 1);
        for digit in &mut puzzle {
            if random.below(self.constraints.cells()) >= keep {
                *digit = 0;
            } else if random.below(8 * self.constraints.cells()) == 0 {
                *digit = 1 + random.below(self.constraints.side) as u8;
            }
        }
        puzzle
    }

    /// Returns the canonical form: the puzzle and, if the rules have regions, the layout.
    fn canonical_form(&self, puzzle: &[u8]) -> Vec<u8> {
        // The buffer holds the remains of another puzzle.
        let mut form = vec![77; 3];
        self.canonical.form(puzzle, &mut form).unwrap();
        form
    }

    /// Returns the form of a puzzle whose layout is rearranged with it.
    fn form_of_image(&self, puzzle: &[u8], symmetry: &Symmetry) -> Vec<u8> {
        let image = image_of(puzzle, symmetry);
        let Some(labels) = &self.constraints.regions else {
            return self.canonical_form(&image);
        };
        let labels = image_of(labels, symmetry);
        let constraints =
            Constraints::with_regions(self.constraints.side, &self.constraints.variants, &labels);
        let mut found = Vec::new();
        let canonical = Canonical::new(&rules_of(&constraints)).unwrap();
        canonical.form(&image, &mut found).unwrap();
        found
    }

    /// Returns the least of all images, by trying every symmetry. The puzzle is compared before the
    /// layout.
    fn least_image(&self, puzzle: &[u8]) -> Vec<u8> {
        let images = self.symmetries.iter().map(|symmetry| {
            let labels = self.constraints.regions.as_ref();
            let labels = labels.map(|labels| region_numbers(&image_of(labels, symmetry)));
            let digits = relabelled_in_order(&image_of(puzzle, symmetry), Some(0));
            [digits, labels.unwrap_or_default()].concat()
        });
        images.min().unwrap()
    }
}

fn image_of(grid: &[u8], symmetry: &Symmetry) -> Vec<u8> {
    symmetry.iter().map(|&cell| grid[cell]).collect()
}

/// Relabels values 1, 2, ... in the order of their first appearance; the blank becomes 0.
fn relabelled_in_order(values: &[u8], blank: Option<u8>) -> Vec<u8> {
    let mut seen = Vec::new();
    let label = |&value: &u8| {
        if Some(value) == blank {
            return 0;
        }
        if !seen.contains(&value) {
            seen.push(value);
        }
        1 + seen.iter().position(|&other| other == value).unwrap() as u8
    };
    values.iter().map(label).collect()
}

fn region_numbers(labels: &[u8]) -> Vec<u8> {
    let numbers = relabelled_in_order(labels, None);
    numbers.iter().map(|number| number - 1).collect()
}

fn relabelled(puzzle: &[u8], side: usize, random: &mut Random) -> Vec<u8> {
    let mut digits: Vec<u8> = (1..=side as u8).collect();
    random.shuffle(&mut digits);
    digits.insert(0, 0);
    puzzle.iter().map(|&digit| digits[usize::from(digit)]).collect()
}

fn rearrangement(transposed: bool, rows: &[usize], columns: &[usize]) -> Symmetry {
    let side = rows.len();
    let cells = (0..side * side).map(|cell| {
        let (row, column) = (rows[cell / side], columns[cell % side]);
        if transposed { column * side + row } else { row * side + column }
    });
    cells.collect()
}

fn random_order(side: usize, block: usize, random: &mut Random) -> Vec<usize> {
    let mut blocks: Vec<usize> = (0..side / block).collect();
    random.shuffle(&mut blocks);
    let indices = blocks.into_iter().flat_map(|start| {
        let mut indices: Vec<usize> = (start * block..(start + 1) * block).collect();
        random.shuffle(&mut indices);
        indices
    });
    indices.collect()
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let first_and_rest = items.iter().flat_map(|&first| {
        let rest: Vec<usize> = items.iter().copied().filter(|&item| item != first).collect();
        let rests = permutations(&rest).into_iter();
        rests.map(move |rest| [vec![first], rest].concat())
    });
    first_and_rest.collect()
}

/// Returns all orders of rows (or columns) that keep bands (or stacks) together.
fn orders(side: usize, block: usize) -> Vec<Vec<usize>> {
    let blocks: Vec<usize> = (0..side / block).collect();
    let within: Vec<usize> = (0..block).collect();
    let within = permutations(&within);
    let mut orders = Vec::new();
    for blocks in permutations(&blocks) {
        let mut prefixes: Vec<Vec<usize>> = vec![Vec::new()];
        for start in blocks {
            let with = |before: &Vec<usize>, indices: &Vec<usize>| {
                let indices = indices.iter().map(|index| start * block + index);
                before.iter().copied().chain(indices).collect()
            };
            let extended = prefixes
                .iter()
                .flat_map(|before| within.iter().map(move |indices| with(before, indices)));
            prefixes = extended.collect();
        }
        orders.append(&mut prefixes);
    }
    orders
}

/// Returns the rearrangements that keep boxes together and map houses to houses.
fn symmetries_of_boxes(constraints: &Constraints, [rows, columns]: [usize; 2]) -> Vec<Symmetry> {
    let side = constraints.side;
    let extra_houses: BTreeSet<u128> =
        constraints.houses[3 * side..].iter().map(|house| bits_of(house)).collect();
    let column_orders = orders(side, columns);
    let mut symmetries = Vec::new();
    for rows_order in orders(side, rows) {
        for columns_order in &column_orders {
            for transposed in [false, true] {
                let source = |cell: usize| {
                    let (row, column) = (rows_order[cell / side], columns_order[cell % side]);
                    if transposed { column * side + row } else { row * side + column }
                };
                let is_kept = constraints.houses[3 * side..].iter().all(|house| {
                    let sources: u128 = house.iter().map(|&cell| 1 << source(cell)).sum();
                    extra_houses.contains(&sources)
                });
                if (!transposed || rows == columns) && is_kept {
                    symmetries.push(rearrangement(transposed, &rows_order, columns_order));
                }
            }
        }
    }
    symmetries
}

/// Returns the eight symmetries of the square. With the variants used here each of them maps houses
/// to houses.
fn symmetries_of_the_square(side: usize) -> Vec<Symmetry> {
    let forward: Vec<usize> = (0..side).collect();
    let backward: Vec<usize> = (0..side).rev().collect();
    let mut symmetries = Vec::new();
    for rows in [&forward, &backward] {
        for columns in [&forward, &backward] {
            symmetries
                .extend([false, true].map(|transposed| rearrangement(transposed, rows, columns)));
        }
    }
    symmetries
}

fn bits_of(house: &[usize]) -> u128 {
    house.iter().map(|&cell| 1 << cell).sum()
}

/// One sample for each size of each combination of variants.
static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let sides = |variants| sides_of(variants).iter().filter(|&&side| side <= 9);
    let cases =
        VARIANTS.iter().flat_map(|&variants| sides(variants).map(move |&side| (variants, side)));
    let cases: Vec<(&str, usize)> = cases.collect();
    let samples = cases.into_par_iter();
    samples.map(|(variants, side)| Sample::new(variants, side)).collect()
});

fn sample_of(variants: &str, side: usize) -> &'static Sample {
    let mut samples = SAMPLES.iter();
    let sample = samples
        .find(|sample| sample.constraints.variants == variants && sample.constraints.side == side);
    sample.unwrap()
}

#[test]
fn rearranged_and_relabelled_puzzles_have_the_same_form() {
    SAMPLES.par_iter().for_each(|sample| {
        let random = &mut Random::of(&format!("scrambled {}", sample.name()));
        for _ in 0..100 {
            let puzzle = sample.puzzle(random);
            let form = sample.canonical_form(&puzzle);
            for _ in 0..10 {
                let symmetry = sample.random_symmetry(random);
                let changed = relabelled(&puzzle, sample.constraints.side, random);
                assert_eq!(
                    sample.form_of_image(&changed, &symmetry),
                    form,
                    "{}: {puzzle:?} by {symmetry:?}",
                    sample.name()
                );
            }
        }
    });
}

#[test]
fn random_symmetries_are_the_symmetries_of_the_rules_and_no_others() {
    let small = |sample: &&Sample| (1..=3000).contains(&sample.symmetries.len());
    let samples: Vec<&Sample> = SAMPLES.iter().filter(small).collect();
    assert!(samples.len() > 20, "{}", samples.len());
    samples.into_par_iter().for_each(|sample| {
        let rules = rules_of(&sample.constraints);
        let symmetries = RandomSymmetries::new(&rules, JigsawLayout::Moves);
        let cells = 0..sample.constraints.cells();
        // Each symmetry is missed with a probability of e^-20.
        let drawn = symmetries.of_seed(1).take(20 * sample.symmetries.len());
        let drawn: BTreeSet<Symmetry> = drawn
            .map(|symmetry| cells.clone().map(|cell| symmetry.source(cell)).collect())
            .collect();
        let all: BTreeSet<Symmetry> = sample.symmetries.iter().cloned().collect();
        assert!(drawn == all, "{}: {} of {}", sample.name(), drawn.len(), all.len());
    });
}

#[test]
fn a_form_is_the_least_image_of_the_puzzle() {
    let samples = SAMPLES.par_iter();
    let samples = samples.filter(|sample| !sample.symmetries.is_empty());
    samples.for_each(|sample| {
        let random = &mut Random::of(&format!("least images {}", sample.name()));
        let (cells, side) = (sample.constraints.cells(), sample.constraints.side);
        for number in 0..60 {
            let mut puzzle = vec![0; cells];
            if number % 2 == 0 {
                puzzle = sample.puzzle(random);
            } else {
                for _ in 0..random.below(8) {
                    puzzle[random.below(cells)] = 1 + random.below(side.min(4)) as u8;
                }
            }
            let (form, least) = (sample.canonical_form(&puzzle), sample.least_image(&puzzle));
            assert_eq!(form, least, "{}: {puzzle:?}", sample.name());
        }
    });
}

/// Half of the puzzles are regular or break the rules, so their search keeps many choices.
#[test]
fn classic_forms_are_the_least_of_all_images_for_every_size_of_boxes() {
    let cases = [
        ((1, 1), [1, 1], 3),
        ((1, 2), [2, 2], 50),
        ((3, 1), [3, 3], 300),
        ((2, 2), [2, 2], 600),
        ((1, 4), [4, 4], 300),
        ((1, 5), [5, 5], 20),
        ((2, 3), [2, 3], 100),
        ((3, 2), [3, 2], 100),
        ((2, 4), [2, 4], 3),
        ((4, 2), [4, 2], 3),
    ];
    cases.par_iter().for_each(|&((rows, columns), blocks, puzzles)| {
        let (side, shape) = (rows * columns, Shape::boxes(rows, columns));
        let rules = Rules::new(side, shape, &Variants::default()).unwrap();
        let canonical = Canonical::new(&rules).unwrap();
        let random = &mut Random::of(&format!("boxes {rows}x{columns}"));
        for number in 0..puzzles {
            let (keep, digits) = (random.below(side * side + 1), 1 + random.below(side));
            let puzzle = (0..side * side).map(|cell| {
                let regular = (cell / side + cell % side) % digits;
                let digit = [random.below(digits), regular][number % 2];
                if random.below(side * side) < keep { 1 + digit as u8 } else { 0 }
            });
            let puzzle: Vec<u8> = puzzle.collect();
            let mut form = Vec::new();
            canonical.form(&puzzle, &mut form).unwrap();
            let least = least_of_all_orders(&puzzle, side, blocks);
            assert_eq!(form, least, "{rows}x{columns}: {puzzle:?}");
        }
    });
}

/// Returns the least image under all orders of rows and columns that keep the blocks together, and
/// the transposition if the blocks allow it.
fn least_of_all_orders(puzzle: &[u8], side: usize, [rows, columns]: [usize; 2]) -> Vec<u8> {
    let orders_of_columns = orders(side, columns);
    let mut least = vec![u8::MAX; side * side];
    for rows_order in orders(side, rows) {
        for columns_order in &orders_of_columns {
            for transposed in [false, true] {
                if !transposed || rows == columns {
                    let symmetry = rearrangement(transposed, &rows_order, columns_order);
                    let image = relabelled_in_order(&image_of(puzzle, &symmetry), Some(0));
                    least = least.min(image);
                }
            }
        }
    }
    least
}

/// The images were found by trying all 3,359,232 symmetries of each line: puzzles, full grids, and
/// regular ones.
#[test]
fn forms_of_9x9_puzzles_are_those_of_brute_force() {
    let canonical = Canonical::new(&Rules::classic()).unwrap();
    for line in include_str!("minlex.tsv").lines() {
        let digits = |text: &str| -> Vec<u8> {
            let digits = text.bytes();
            digits.map(|byte| byte.saturating_sub(b'0')).collect()
        };
        let (puzzle, least) = line.split_once('\t').unwrap();
        let mut form = Vec::new();
        canonical.form(&digits(puzzle), &mut form).unwrap();
        assert_eq!(form, digits(least), "{puzzle}");
    }
}

/// Returns all full grids whose first row is 1, 2, 3, ...
fn all_grids(rules: &Rules) -> Vec<Vec<u8>> {
    let side = rules.side();
    let mut grids = Vec::new();
    let mut open = vec![(1..=side as u8).collect::<Vec<u8>>()];
    while let Some(grid) = open.pop() {
        if grid.len() == side * side {
            grids.push(grid);
            continue;
        }
        for digit in 1..=side as u8 {
            let is_taken = rules.houses().iter().any(|house| {
                let is_equal = |&cell: &u16| grid.get(usize::from(cell)) == Some(&digit);
                house.cells.contains(&(grid.len() as u16)) && house.cells.iter().any(is_equal)
            });
            if !is_taken {
                open.push([grid.as_slice(), &[digit]].concat());
            }
        }
    }
    grids
}

/// The numbers of essentially different 4x4 and 6x6 grids are well known. If boxes are rows, the
/// grids are Latin squares up to isotopy and transposition (McKay, Meynert, Myrvold, "Small Latin
/// squares, quasigroups and loops", 2007: types).
#[test]
fn full_grids_have_the_known_number_of_forms() {
    for (rows, columns, known) in
        [(2, 2, 2), (2, 3, 49), (3, 2, 49), (1, 4, 2), (1, 5, 2), (5, 1, 2)]
    {
        let shape = Shape::boxes(rows, columns);
        let rules = Rules::new(rows * columns, shape, &Variants::default()).unwrap();
        let canonical = Canonical::new(&rules).unwrap();
        let forms = all_grids(&rules).into_iter().map(|grid| {
            let mut form = Vec::new();
            canonical.form(&grid, &mut form).unwrap();
            form
        });
        let forms: BTreeSet<Vec<u8>> = forms.collect();
        assert_eq!(forms.len(), known, "{rows}x{columns}");
    }
}

/// Changes each cell to each digit and to a blank. Puzzles that differ only by a relabelling are
/// counted once.
#[test]
fn puzzles_that_differ_in_one_given_have_different_forms() {
    let samples =
        [("classic", 9), ("diagonal", 9), ("window", 9), ("jigsaw", 9), ("jigsaw,diagonal", 9)];
    samples.par_iter().for_each(|&(variants, side)| {
        let sample = sample_of(variants, side);
        let random = &mut Random::of(&format!("one given {}", sample.name()));
        for _ in 0..3 {
            let puzzle = puzzles::dig(&sample.constraints, &sample.grid, 0, random);
            let (mut others, mut forms) = (BTreeSet::new(), BTreeSet::new());
            for cell in 0..puzzle.len() {
                for digit in 0..=side as u8 {
                    let mut other = puzzle.clone();
                    other[cell] = digit;
                    forms.insert(sample.canonical_form(&other));
                    others.insert(relabelled_in_order(&other, Some(0)));
                }
            }
            assert!(others.len() > 600);
            assert_eq!(forms.len(), others.len(), "{}: {puzzle:?}", sample.name());
        }
    });
}

#[test]
fn a_form_has_the_verdict_of_its_puzzle() {
    for (variants, side) in
        [("classic", 6), ("classic", 9), ("diagonal", 9), ("window", 9), ("diagonal,window", 9)]
    {
        let sample = sample_of(variants, side);
        let random = &mut Random::of(&format!("verdict {}", sample.name()));
        let (constraints, grid) = (&sample.constraints, &sample.grid);
        let solver = Solver::new(rules_of(constraints), Method::Lanes);
        for _ in 0..4 {
            for (puzzle, known) in [
                (puzzles::dig(constraints, grid, 0, random), Status::Unique),
                (puzzles::with_many_solutions(constraints, grid, random), Status::Multiple),
                (puzzles::without_solution(constraints, grid, random), Status::None),
            ] {
                let found = sample.canonical_form(&puzzle);
                let mut statuses = Vec::new();
                solver
                    .solve_digits(&found, Limits::default(), &mut |_, found| {
                        statuses.push(found.status);
                    })
                    .unwrap();
                assert_eq!(statuses, [known], "{puzzle:?}");
            }
        }
    }
}

/// Regular puzzles leave the search the most choices.
#[test]
fn rearranged_regular_puzzles_have_the_same_form() {
    let sample = sample_of("classic", 9);
    let random = &mut Random::of("regular");
    let mut regular: Vec<Vec<u8>> = vec![vec![0; 81], vec![1; 81]];
    for _ in 0..300 {
        let mut factor = || random.below(9);
        let factors = [factor(), factor(), factor(), factor(), factor(), factor()];
        let value = |cell: usize| {
            let (row, column) = (cell / 9, cell % 9);
            let terms = [row, column, row * column, row / 3, column / 3, 1];
            terms.iter().zip(factors).map(|(term, factor)| term * factor).sum::<usize>()
        };
        regular.push((0..81).map(|cell| 1 + (value(cell) % 9) as u8).collect());
        regular.push((0..81).map(|cell| (value(cell) % 3) as u8).collect());
    }
    for puzzle in regular {
        let changed = relabelled(&puzzle, 9, random);
        let changed = image_of(&changed, &sample.random_symmetry(random));
        let form = sample.canonical_form(&puzzle);
        assert_eq!(form, sample.canonical_form(&changed), "{puzzle:?}");
    }
}

#[test]
fn forms_of_nonconsecutive_puzzles_keep_or_reverse_the_digits() {
    let random = &mut Random::of("canonical nonconsecutive");
    for side in [4, 9] {
        let shape = Shape::boxes_of(side).unwrap();
        let rules = Rules::new(side, shape, &"nonconsecutive".parse().unwrap()).unwrap();
        let canonical = Canonical::new(&rules).unwrap();
        let reversed = |puzzle: &[u8]| -> Vec<u8> {
            let other = |&digit: &u8| (side as u8 + 1 - digit) * u8::from(digit != 0);
            puzzle.iter().map(other).collect()
        };
        let symmetries = symmetries_of_the_square(side);
        for _ in 0..300 {
            let mut puzzle = vec![0; side * side];
            for _ in 0..3 {
                puzzle[random.below(side * side)] = 1 + random.below(side) as u8;
            }
            let images = symmetries.iter().map(|symmetry| image_of(&puzzle, symmetry));
            let images = images.flat_map(|image| [reversed(&image), image]);
            let mut form = Vec::new();
            canonical.form(&puzzle, &mut form).unwrap();
            assert_eq!(Some(form), images.min(), "{puzzle:?}");
        }
    }
}

#[test]
fn grids_with_more_than_nine_digits_have_no_form() {
    for side in [10, 16, 25] {
        let rules = Rules::new(side, Shape::boxes_of(side).unwrap(), &Variants::default()).unwrap();
        assert!(Canonical::new(&rules).is_none(), "{side}");
    }
}

/// Returns a killer without givens, and a few digits of its solution.
fn killer(variants: &str, side: usize, random: &mut Random) -> (Constraints, Vec<u8>) {
    let killer = killers::unique(side, variants, killers::ORDINARY, random);
    let few = |&digit: &u8| if random.below(10) == 0 { digit } else { 0 };
    (killer.constraints, killer.solution.iter().map(few).collect())
}

fn form_of_killer(constraints: &Constraints, puzzle: &[u8]) -> Vec<u8> {
    let mut form = Vec::new();
    let canonical = Canonical::new(&rules_of(constraints)).unwrap();
    canonical.form(puzzle, &mut form).unwrap();
    form
}

/// Returns the constraints whose layout and cages are rearranged.
fn image_of_constraints(constraints: &Constraints, symmetry: &Symmetry) -> Constraints {
    let cages = constraints.cages.iter().map(|cage| Cage {
        cells: (0..symmetry.len()).filter(|&cell| cage.cells.contains(&symmetry[cell])).collect(),
        sum: cage.sum,
    });
    let (side, variants) = (constraints.side, &constraints.variants);
    let image = match &constraints.regions {
        Some(labels) => Constraints::with_regions(side, variants, &image_of(labels, symmetry)),
        None => Constraints::with_boxes(side, variants),
    };
    image.with_cages(cages.collect())
}

/// The symmetries are the turns and reflections that keep the boxes: all eight if these are square.
fn symmetries_of_killers(constraints: &Constraints) -> Vec<Symmetry> {
    let mut symmetries = symmetries_of_the_square(constraints.side);
    let keeps_shape = constraints.regions.is_some() || [4, 9].contains(&constraints.side);
    // The first cell of a transposed grid is still a corner, and its neighbour is below or above.
    let is_upright = |symmetry: &Symmetry| symmetry[0].abs_diff(symmetry[1]) == 1;
    symmetries.retain(|symmetry| keeps_shape || is_upright(symmetry));
    symmetries
}

const KILLER_CASES: [(&str, usize); 7] = [
    ("killer", 4),
    ("killer", 6),
    ("killer", 9),
    ("killer,diagonal", 9),
    ("killer,jigsaw", 5),
    ("killer,jigsaw", 7),
    ("killer,jigsaw", 9),
];

/// Returns what the form of a killer would be if no symmetry moved it.
fn unmoved_form(constraints: &Constraints, puzzle: &[u8]) -> Vec<u8> {
    let (mut sums, mut numbers) = (vec![u8::MAX; puzzle.len()], vec![0; puzzle.len()]);
    for (number, cage) in constraints.cages.iter().enumerate() {
        for &cell in &cage.cells {
            sums[cell] = cage.sum.unwrap_or(0) as u8;
            numbers[cell] = 1 + number as u8;
        }
    }
    let regions = constraints.regions.as_ref();
    let regions = regions.map(|labels| region_numbers(labels));
    let numbers = relabelled_in_order(&numbers, Some(0));
    [puzzle, &regions.unwrap_or_default(), &sums, &numbers].concat()
}

#[test]
fn forms_of_killers_are_the_least_of_their_turns_and_reflections() {
    KILLER_CASES.par_iter().for_each(|&(variants, side)| {
        let random = &mut Random::of(&format!("killers {variants} {side}"));
        for _ in 0..20 {
            let (constraints, puzzle) = killer(variants, side, random);
            let symmetries = symmetries_of_killers(&constraints);
            assert!([4, 8].contains(&symmetries.len()));
            let images = symmetries.iter().map(|symmetry| {
                let image = image_of_constraints(&constraints, symmetry);
                (image, image_of(&puzzle, symmetry))
            });
            let images: Vec<(Constraints, Vec<u8>)> = images.collect();
            let least = images.iter().map(|(image, puzzle)| unmoved_form(image, puzzle)).min();
            for (image, puzzle) in &images {
                let name = format!("{variants} {side} {:?} {puzzle:?}", image.cages);
                assert_eq!(Some(form_of_killer(image, puzzle)), least, "{name}");
            }
        }
    });
}

/// Changes sums, leaves out a cage, and changes a given.
#[test]
fn killers_that_differ_in_a_cage_or_a_given_have_different_forms() {
    KILLER_CASES.par_iter().for_each(|&(variants, side)| {
        let random = &mut Random::of(&format!("other killers {variants} {side}"));
        let (constraints, puzzle) = killer(variants, side, random);
        let mut others = vec![(constraints.clone(), puzzle.clone())];
        for (at, cage) in constraints.cages.iter().enumerate() {
            let with = |change: &dyn Fn(&mut Vec<Cage>)| {
                let mut cages = constraints.cages.clone();
                change(&mut cages);
                (constraints.with_cages(cages), puzzle.clone())
            };
            others.push(with(&|cages| drop(cages.remove(at))));
            if cage.cells.len() > 1 {
                others.push(with(&|cages| cages[at].sum = None));
            }
        }
        for (cell, &digit) in puzzle.iter().enumerate() {
            let mut other = puzzle.clone();
            other[cell] = if digit == 0 { 1 } else { 0 };
            others.push((constraints.clone(), other));
        }
        let forms: BTreeSet<Vec<u8>> = others
            .iter()
            .map(|(constraints, puzzle)| form_of_killer(constraints, puzzle))
            .collect();
        assert_eq!(forms.len(), others.len(), "{variants} {side}");
    });
}

#[test]
fn random_symmetries_of_killers_are_all_turns_and_reflections() {
    for (variants, side) in KILLER_CASES {
        let random = &mut Random::of(&format!("symmetries {variants} {side}"));
        let (constraints, _) = killer(variants, side, random);
        let symmetries = RandomSymmetries::new(&rules_of(&constraints), JigsawLayout::Moves);
        let sources = |symmetry: RandomSymmetry| -> Symmetry {
            let cells = 0..constraints.cells();
            cells.map(|cell| symmetry.source(cell)).collect()
        };
        let drawn: BTreeSet<Symmetry> = symmetries.of_seed(1).take(200).map(sources).collect();
        let expected = symmetries_of_killers(&constraints);
        assert_eq!(drawn, expected.into_iter().collect(), "{variants} {side}");
    }
}
