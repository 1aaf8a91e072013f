//! Canonical forms: the same for puzzles that are the same, different for those that are not. What is the same is judged
//! here by going through all symmetries, found by trying every rearrangement of rows and columns on the houses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use rayon::prelude::*;
use sudoku_filter::{Canonical, Limits, Method, Rules, Shape, Solver, Status, Variants};

mod forms;
mod generator;

use forms::rules_of;
use generator::files::{VARIANTS, sides_of};
use generator::form::Form;
use generator::puzzles;
use generator::random::Random;

/// For each cell of the image, where it comes from.
type Symmetry = Vec<usize>;

/// Rules with their symmetries.
struct Sample {
    form: Form,
    /// In which boxes hold lines together: rows of a band, columns of a stack. None with regions in place of boxes.
    blocks: Option<[usize; 2]>,
    canonical: Canonical,
    /// But for the classic 9x9, which has millions.
    symmetries: Vec<Symmetry>,
    /// A grid that obeys the rules.
    grid: Vec<u8>,
}

impl Sample {
    fn new(variants: &str, side: usize) -> Sample {
        let random = &mut Random::of(&format!("canonical {variants} {side}"));
        let (form, grid) = puzzles::form_with_grid(side, variants, random);
        let canonical = Canonical::new(&rules_of(&form)).unwrap();
        let blocks = form.regions.is_none().then(|| {
            let rows = (1..=side.isqrt()).rfind(|rows| side.is_multiple_of(*rows));
            let rows = rows.unwrap();
            [rows, side / rows]
        });
        let symmetries = match blocks {
            Some(_) if variants == "classic" && side >= 8 => Vec::new(),
            Some(blocks) => symmetries_of_boxes(&form, blocks),
            None => symmetries_of_the_square(form.side),
        };
        Sample {
            form,
            blocks,
            canonical,
            symmetries,
            grid,
        }
    }

    fn name(&self) -> String {
        format!("{} {}", self.form.variants, self.form.side)
    }

    fn random_symmetry(&self, random: &mut Random) -> Symmetry {
        if !self.symmetries.is_empty() {
            return random.pick(&self.symmetries).clone();
        }
        let side = self.form.side;
        let [rows, columns] = self.blocks.unwrap();
        let transposed = rows == columns && random.below(2) == 1;
        let rows = random_order(side, rows, random);
        let columns = random_order(side, columns, random);
        rearrangement(transposed, &rows, &columns)
    }

    /// Givens of the grid, from none to all, some changed now and then so that they contradict each other.
    fn puzzle(&self, random: &mut Random) -> Vec<u8> {
        let mut puzzle = self.grid.clone();
        let keep = random.below(self.form.cells() + 1);
        for digit in &mut puzzle {
            if random.below(self.form.cells()) >= keep {
                *digit = 0;
            } else if random.below(8 * self.form.cells()) == 0 {
                *digit = 1 + random.below(self.form.side) as u8;
            }
        }
        puzzle
    }

    /// The form, in text: the puzzle and, where there are regions, their layout.
    fn canonical_form(&self, puzzle: &[u8]) -> Vec<u8> {
        let mut form = vec![77; 3]; // of another puzzle
        self.canonical.form(puzzle, &mut form);
        form
    }

    /// The form of a puzzle that was rearranged with its layout.
    fn form_of_image(&self, puzzle: &[u8], symmetry: &Symmetry) -> Vec<u8> {
        let image = image_of(puzzle, symmetry);
        let Some(labels) = &self.form.regions else {
            return self.canonical_form(&image);
        };
        let labels = image_of(labels, symmetry);
        let form = Form::with_regions(self.form.side, &self.form.variants, &labels);
        let mut found = Vec::new();
        let canonical = Canonical::new(&rules_of(&form)).unwrap();
        canonical.form(&image, &mut found);
        found
    }

    /// The least of all images, the slow way: layout first.
    fn least_image(&self, puzzle: &[u8]) -> Vec<u8> {
        let images = self.symmetries.iter().map(|symmetry| {
            let labels = self.form.regions.as_ref();
            let labels = labels.map(|labels| in_order(&image_of(labels, symmetry), None));
            let digits = in_order(&image_of(puzzle, symmetry), Some(0));
            [labels.unwrap_or_default(), digits].concat()
        });
        images.min().unwrap()
    }
}

fn image_of(grid: &[u8], symmetry: &Symmetry) -> Vec<u8> {
    symmetry.iter().map(|&cell| grid[cell]).collect()
}

/// Values relabelled 1, 2, … in the order in which they appear; the blank stays 0.
fn in_order(values: &[u8], blank: Option<u8>) -> Vec<u8> {
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

fn relabelled(puzzle: &[u8], side: usize, random: &mut Random) -> Vec<u8> {
    let mut digits: Vec<u8> = (1..=side as u8).collect();
    random.shuffle(&mut digits);
    digits.insert(0, 0);
    puzzle
        .iter()
        .map(|&digit| digits[usize::from(digit)])
        .collect()
}

fn rearrangement(transposed: bool, rows: &[usize], columns: &[usize]) -> Symmetry {
    let side = rows.len();
    let cells = (0..side * side).map(|cell| {
        let (row, column) = (rows[cell / side], columns[cell % side]);
        if transposed {
            column * side + row
        } else {
            row * side + column
        }
    });
    cells.collect()
}

fn random_order(side: usize, block: usize, random: &mut Random) -> Vec<usize> {
    let mut blocks: Vec<usize> = (0..side / block).collect();
    random.shuffle(&mut blocks);
    let lines = blocks.into_iter().flat_map(|start| {
        let mut lines: Vec<usize> = (start * block..(start + 1) * block).collect();
        random.shuffle(&mut lines);
        lines
    });
    lines.collect()
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let first_and_rest = items.iter().flat_map(|&first| {
        let rest: Vec<usize> = items
            .iter()
            .copied()
            .filter(|&item| item != first)
            .collect();
        let rests = permutations(&rest).into_iter();
        rests.map(move |rest| [vec![first], rest].concat())
    });
    first_and_rest.collect()
}

/// All orders of lines that keep blocks together.
fn orders(side: usize, block: usize) -> Vec<Vec<usize>> {
    let blocks: Vec<usize> = (0..side / block).collect();
    let within: Vec<usize> = (0..block).collect();
    let within = permutations(&within);
    let mut orders = Vec::new();
    for blocks in permutations(&blocks) {
        let mut longer: Vec<Vec<usize>> = vec![Vec::new()];
        for start in blocks {
            let with = |before: &Vec<usize>, lines: &Vec<usize>| {
                let lines = lines.iter().map(|line| start * block + line);
                before.iter().copied().chain(lines).collect()
            };
            let longer_still = longer
                .iter()
                .flat_map(|before| within.iter().map(move |lines| with(before, lines)));
            longer = longer_still.collect();
        }
        orders.append(&mut longer);
    }
    orders
}

/// All that boxes allow and that take houses to houses.
fn symmetries_of_boxes(form: &Form, [rows, columns]: [usize; 2]) -> Vec<Symmetry> {
    let side = form.side;
    let further: BTreeSet<u128> = form.houses[3 * side..]
        .iter()
        .map(|house| set_of(house))
        .collect();
    let column_orders = orders(side, columns);
    let mut symmetries = Vec::new();
    for rows_order in orders(side, rows) {
        for columns_order in &column_orders {
            for transposed in [false, true] {
                let source = |cell: usize| {
                    let (row, column) = (rows_order[cell / side], columns_order[cell % side]);
                    if transposed {
                        column * side + row
                    } else {
                        row * side + column
                    }
                };
                let is_kept = form.houses[3 * side..].iter().all(|house| {
                    let sources: u128 = house.iter().map(|&cell| 1 << source(cell)).sum();
                    further.contains(&sources)
                });
                if (!transposed || rows == columns) && is_kept {
                    symmetries.push(rearrangement(transposed, &rows_order, columns_order));
                }
            }
        }
    }
    symmetries
}

/// Those of the eight of the square that take houses to houses: all do, of all variants so far.
fn symmetries_of_the_square(side: usize) -> Vec<Symmetry> {
    let forth: Vec<usize> = (0..side).collect();
    let back: Vec<usize> = (0..side).rev().collect();
    let mut symmetries = Vec::new();
    for rows in [&forth, &back] {
        for columns in [&forth, &back] {
            symmetries
                .extend([false, true].map(|transposed| rearrangement(transposed, rows, columns)));
        }
    }
    symmetries
}

fn set_of(house: &[usize]) -> u128 {
    house.iter().map(|&cell| 1 << cell).sum()
}

/// By size in each combination of variants.
static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let sides = |variants| sides_of(variants).iter().filter(|&&side| side <= 9);
    let forms = VARIANTS
        .iter()
        .flat_map(|&variants| sides(variants).map(move |&side| (variants, side)));
    let forms: Vec<(&str, usize)> = forms.collect();
    let samples = forms.into_par_iter();
    samples
        .map(|(variants, side)| Sample::new(variants, side))
        .collect()
});

fn sample_of(variants: &str, side: usize) -> &'static Sample {
    let mut samples = SAMPLES.iter();
    let sample =
        samples.find(|sample| sample.form.variants == variants && sample.form.side == side);
    sample.unwrap()
}

#[test]
fn a_scrambled_puzzle_has_the_same_form() {
    SAMPLES.par_iter().for_each(|sample| {
        let random = &mut Random::of(&format!("scrambled {}", sample.name()));
        for _ in 0..100 {
            let puzzle = sample.puzzle(random);
            let form = sample.canonical_form(&puzzle);
            for _ in 0..10 {
                let symmetry = sample.random_symmetry(random);
                let scrambled = relabelled(&puzzle, sample.form.side, random);
                assert_eq!(
                    sample.form_of_image(&scrambled, &symmetry),
                    form,
                    "{}: {puzzle:?} by {symmetry:?}",
                    sample.name()
                );
            }
        }
    });
}

/// Whatever share their form are the same, then.
#[test]
fn a_form_is_the_puzzle_itself_rearranged_and_relabelled() {
    SAMPLES.par_iter().for_each(|sample| {
        let random = &mut Random::of(&format!("itself {}", sample.name()));
        for _ in 0..60 {
            let puzzle = sample.puzzle(random);
            let form = sample.canonical_form(&puzzle);
            let (form, layout) = form.split_at(puzzle.len());
            let is_same = if sample.symmetries.is_empty() {
                is_image(form, &puzzle, sample.blocks.unwrap())
            } else {
                sample.symmetries.iter().any(|symmetry| {
                    let labels = sample
                        .form
                        .regions
                        .as_ref()
                        .map(|labels| image_of(labels, symmetry));
                    in_order(&image_of(&puzzle, symmetry), Some(0)) == form
                        && labels
                            .is_none_or(|labels| in_order(&labels, None) == in_order(layout, None))
                })
            };
            assert!(is_same, "{}: {puzzle:?} {form:?} {layout:?}", sample.name());
            assert_eq!(
                layout.len(),
                sample.form.regions.as_ref().map_or(0, Vec::len)
            );
            assert!(
                layout
                    .iter()
                    .all(|&number| usize::from(number) < sample.form.side)
            );
        }
    });
}

/// Whether some rearrangement of a grid with boxes gives the image, by trying every order of columns.
fn is_image(image: &[u8], puzzle: &[u8], [rows, columns]: [usize; 2]) -> bool {
    let side = rows * columns;
    let transpose: Vec<u8> = (0..side * side)
        .map(|cell| puzzle[cell % side * side + cell / side])
        .collect();
    let ways: &[&[u8]] = if rows == columns {
        &[puzzle, &transpose]
    } else {
        &[puzzle]
    };
    orders(side, columns).iter().any(|order| {
        ways.iter().any(|puzzle| {
            let row = |row: usize| {
                order
                    .iter()
                    .map(|&column| puzzle[row * side + column])
                    .collect()
            };
            let puzzle: Vec<Vec<u8>> = (0..side).map(row).collect();
            rows_fit(image, &puzzle, rows, &mut Vec::new(), [0; 10], [0; 10])
        })
    })
}

/// Whether rows can be chosen one after the other so that the digits of each stand for those of the image.
fn rows_fit(
    image: &[u8],
    puzzle: &[Vec<u8>],
    band: usize,
    chosen: &mut Vec<usize>,
    to: [u8; 10],
    from: [u8; 10],
) -> bool {
    let (side, placed) = (puzzle.len(), chosen.len());
    if placed == side {
        return true;
    }
    (0..side).any(|row| {
        let stays = placed.is_multiple_of(band) || chosen[placed - 1] / band == row / band;
        if chosen.contains(&row) || !stays {
            return false;
        }
        let (mut to, mut from) = (to, from);
        let fits = puzzle[row]
            .iter()
            .zip(&image[placed * side..])
            .all(|(&a, &b)| {
                if a == 0 || b == 0 {
                    return a == b;
                }
                let (to, from) = (&mut to[usize::from(a)], &mut from[usize::from(b)]);
                if *to == 0 && *from == 0 {
                    (*to, *from) = (b, a);
                }
                *to == b && *from == a
            });
        chosen.push(row);
        let fits = fits && rows_fit(image, puzzle, band, chosen, to, from);
        chosen.pop();
        fits
    })
}

/// Small puzzles with few givens, so that many of them are the same.
#[test]
fn puzzles_share_a_form_exactly_when_their_least_images_are_alike() {
    let cases = [
        ("classic", 4, 3000),
        ("diagonal", 4, 2000),
        ("window", 4, 2000),
        ("jigsaw", 4, 1000),
        ("jigsaw", 5, 1000),
        ("classic", 6, 400),
        ("diagonal", 6, 2000),
        ("jigsaw,diagonal", 6, 1000),
    ];
    cases.par_iter().for_each(|&(variants, side, puzzles)| {
        let sample = sample_of(variants, side);
        let random = &mut Random::of(&format!("least images {}", sample.name()));
        let mut form_of_least = BTreeMap::new();
        for _ in 0..puzzles {
            let mut puzzle = vec![0; side * side];
            for _ in 0..1 + random.below(6) {
                puzzle[random.below(side * side)] = 1 + random.below(side.min(4)) as u8;
            }
            let form = sample.canonical_form(&puzzle);
            let known = form_of_least
                .entry(sample.least_image(&puzzle))
                .or_insert_with(|| form.clone());
            assert_eq!(*known, form, "{}: {puzzle:?}", sample.name());
        }
        let forms: BTreeSet<&Vec<u8>> = form_of_least.values().collect();
        assert_eq!(forms.len(), form_of_least.len(), "{}", sample.name());
        assert!(
            (20..puzzles * 9 / 10).contains(&forms.len()),
            "{} of {}",
            forms.len(),
            sample.name()
        );
    });
}

/// All grids whose first row is 1, 2, 3, …
fn grids(rules: &Rules) -> Vec<Vec<u8>> {
    let side = rules.side();
    let houses_of = rules.houses_of_cells();
    let mut grids = Vec::new();
    let mut open = vec![(1..=side as u8).collect::<Vec<u8>>()];
    while let Some(grid) = open.pop() {
        if grid.len() == side * side {
            grids.push(grid);
            continue;
        }
        for digit in 1..=side as u8 {
            let is_taken = houses_of[grid.len()].iter().any(|&house| {
                let cells = &rules.houses()[usize::from(house)].cells;
                cells
                    .iter()
                    .any(|&cell| grid.get(usize::from(cell)) == Some(&digit))
            });
            if !is_taken {
                open.push([grid.as_slice(), &[digit]].concat());
            }
        }
    }
    grids
}

/// Essentially different grids of 4x4 and 6x6 as the literature counts them; where boxes are rows, Latin squares up to
/// isotopy and transposition (McKay, Meynert, Myrvold, "Small Latin squares, quasigroups and loops", 2007: types).
#[test]
fn there_are_as_many_forms_of_grids_as_are_known() {
    for (rows, columns, known) in [
        (2, 2, 2),
        (2, 3, 49),
        (3, 2, 49),
        (1, 4, 2),
        (1, 5, 2),
        (5, 1, 2),
    ] {
        let shape = Shape::Boxes { rows, columns };
        let rules = Rules::new(rows * columns, shape, &Variants::default()).unwrap();
        let canonical = Canonical::new(&rules).unwrap();
        let forms = grids(&rules).into_iter().map(|grid| {
            let mut form = Vec::new();
            canonical.form(&grid, &mut form);
            form
        });
        let forms: BTreeSet<Vec<u8>> = forms.collect();
        assert_eq!(forms.len(), known, "{rows}x{columns}");
    }
}

/// One given more, one less, one changed: as many forms as puzzles, but for those that only name a digit anew.
#[test]
fn puzzles_that_differ_in_one_given_are_told_apart() {
    let samples = [
        ("classic", 9),
        ("diagonal", 9),
        ("window", 9),
        ("jigsaw", 9),
        ("jigsaw,diagonal", 9),
    ];
    samples.par_iter().for_each(|&(variants, side)| {
        let sample = sample_of(variants, side);
        let random = &mut Random::of(&format!("one given {}", sample.name()));
        for _ in 0..3 {
            let puzzle = puzzles::dig(&sample.form, &sample.grid, 0, random);
            let (mut others, mut forms) = (BTreeSet::new(), BTreeSet::new());
            for cell in 0..puzzle.len() {
                for digit in 0..=side as u8 {
                    let mut other = puzzle.clone();
                    other[cell] = digit;
                    forms.insert(sample.canonical_form(&other));
                    others.insert(in_order(&other, Some(0)));
                }
            }
            assert!(others.len() > 600);
            assert_eq!(forms.len(), others.len(), "{}: {puzzle:?}", sample.name());
        }
    });
}

#[test]
fn a_form_has_the_verdict_of_its_puzzle() {
    for (variants, side) in [
        ("classic", 6),
        ("classic", 9),
        ("diagonal", 9),
        ("window", 9),
        ("diagonal,window", 9),
    ] {
        let sample = sample_of(variants, side);
        let random = &mut Random::of(&format!("verdict {}", sample.name()));
        let (form, grid) = (&sample.form, &sample.grid);
        let solver = Solver::new(rules_of(form), Method::Lanes, Limits::default());
        for _ in 0..4 {
            for (puzzle, known) in [
                (puzzles::dig(form, grid, 0, random), Status::Unique),
                (
                    puzzles::with_many_solutions(form, grid, random),
                    Status::Multiple,
                ),
                (puzzles::without_solution(form, grid, random), Status::None),
            ] {
                let found = sample.canonical_form(&puzzle);
                solver.solve(&found, &mut |_, found| {
                    assert_eq!(found.status, known, "{puzzle:?}")
                });
            }
        }
    }
}

/// What looks the same everywhere leaves a search the most to go through.
#[test]
fn regular_puzzles_have_the_same_form_when_scrambled() {
    let sample = sample_of("classic", 9);
    let random = &mut Random::of("regular");
    let mut regular: Vec<Vec<u8>> = vec![vec![0; 81], vec![1; 81]];
    for _ in 0..300 {
        let mut factor = || random.below(9);
        let factors = [factor(), factor(), factor(), factor(), factor(), factor()];
        let value = |cell: usize| {
            let (row, column) = (cell / 9, cell % 9);
            let terms = [row, column, row * column, row / 3, column / 3, 1];
            terms
                .iter()
                .zip(factors)
                .map(|(term, factor)| term * factor)
                .sum::<usize>()
        };
        regular.push((0..81).map(|cell| 1 + (value(cell) % 9) as u8).collect());
        regular.push((0..81).map(|cell| (value(cell) % 3) as u8).collect());
    }
    for puzzle in regular {
        let scrambled = relabelled(&puzzle, 9, random);
        let scrambled = image_of(&scrambled, &sample.random_symmetry(random));
        let form = sample.canonical_form(&puzzle);
        assert_eq!(form, sample.canonical_form(&scrambled), "{puzzle:?}");
        assert!(is_image(&form, &puzzle, [3, 3]), "{puzzle:?}");
    }
}

#[test]
fn where_neighbours_are_not_consecutive_digits_are_the_same_only_if_counted_from_the_other_end() {
    let random = &mut Random::of("canonical nonconsecutive");
    for side in [4, 9] {
        let shape = Shape::boxes_of(side).unwrap();
        let rules = Rules::new(side, shape, &"nonconsecutive".parse().unwrap()).unwrap();
        let canonical = Canonical::new(&rules).unwrap();
        let form = |puzzle: &[u8]| {
            let mut form = Vec::new();
            canonical.form(puzzle, &mut form);
            form
        };
        let reversed = |puzzle: &[u8]| -> Vec<u8> {
            let other = |&digit: &u8| {
                if digit == 0 {
                    0
                } else {
                    side as u8 + 1 - digit
                }
            };
            puzzle.iter().map(other).collect()
        };
        let symmetries = symmetries_of_the_square(side);
        let least = |puzzle: &[u8]| {
            let images = symmetries.iter().map(|symmetry| image_of(puzzle, symmetry));
            images.flat_map(|image| [reversed(&image), image]).min()
        };
        let (mut same, mut different) = (0, 0);
        for _ in 0..300 {
            let mut puzzle = vec![0; side * side];
            for _ in 0..3 {
                puzzle[random.below(side * side)] = 1 + random.below(side) as u8;
            }
            let turned = image_of(&puzzle, random.pick(&symmetries));
            for other in [
                reversed(&turned),
                relabelled(&puzzle, side, random),
                relabelled(&turned, side, random),
                turned,
            ] {
                let alike = least(&puzzle) == least(&other);
                assert_eq!(form(&puzzle) == form(&other), alike, "{puzzle:?} {other:?}");
                *if alike { &mut same } else { &mut different } += 1;
            }
        }
        assert!(same > 600 && different > 100, "{same} {different}");
    }
}

#[test]
fn more_than_nine_digits_have_no_form() {
    for side in [10, 16, 25] {
        let rules = Rules::new(side, Shape::boxes_of(side).unwrap(), &Variants::default()).unwrap();
        assert!(Canonical::new(&rules).is_none(), "{side}");
    }
}
