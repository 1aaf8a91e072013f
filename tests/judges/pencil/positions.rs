//! Positions for each technique: some in which it is the next step, and similar ones in which no
//! step is possible.

use sudoku_filter::{End, Givens, Paper, Pencil, Rules, Shape, Technique};

use super::{Sample, groups, killers, reference::symbol};

/// Each position starts as a 9x9 grid in which every cell has every candidate. `r3c1=12` reduces a
/// cell to two candidates. `5@row2=38` leaves digit 5 only in the third and the eighth cell of a
/// house. The second text is the next step; `-` if there is none.
const CLASSIC: &[(&str, &str)] = &[
    ("", "-"),
    ("r4c5=7", "r4c5=7 naked-single"),
    ("r4c5=7 r2c9=3", "r2c9=3 naked-single"),
    ("r4c5=78", "-"),
    ("7@row4=5", "r4c5=7 hidden-single row 4"),
    ("7@box5=2", "r4c5=7 hidden-single box 5"),
    ("7@column5=4 7@row1=3", "r1c3=7 hidden-single row 1"),
    ("7@row4=5 r9c9=1", "r9c9=1 naked-single"),
    ("7@row4=59", "-"),
    ("3@box2=13", "locked-candidates box 2 row 1: r1c1-3 r1c2-3 r1c3-3 r1c7-3 r1c8-3 r1c9-3"),
    ("3@box2=258", "locked-candidates box 2 column 5: r4c5-3 r5c5-3 r6c5-3 r7c5-3 r8c5-3 r9c5-3"),
    ("3@box2=125", "-"),
    ("3@row1=456", "locked-candidates row 1 box 2: r2c4-3 r2c5-3 r2c6-3 r3c4-3 r3c5-3 r3c6-3"),
    ("3@row1=457", "-"),
    // The three cells are both the row's and the box's only ones: nothing is left to remove.
    ("3@row1=456 3@box2=123", "-"),
    (
        "r3c1=12 r3c4=12",
        "naked-pair row 3 r3c1 r3c4 12: r3c2-1 r3c2-2 r3c3-1 r3c3-2 r3c5-1 r3c5-2 r3c6-1 r3c6-2 r3c7-1 r3c7-2 r3c8-1 r3c8-2 r3c9-1 r3c9-2",
    ),
    ("r3c1=12 r3c4=13", "-"),
    ("r3c1=12 r4c4=12", "-"),
    ("r3c1=12 r3c4=12 1@row3=14 2@row3=14", "-"),
    (
        "4@box1=15 7@box1=15",
        "hidden-pair box 1 r1c1 r2c2 47: r1c1-1 r1c1-2 r1c1-3 r1c1-5 r1c1-6 r1c1-8 r1c1-9 r2c2-1 r2c2-2 r2c2-3 r2c2-5 r2c2-6 r2c2-8 r2c2-9",
    ),
    ("4@box1=15 7@box1=16", "-"),
    ("4@box1=15 7@box2=15", "-"),
    (
        "r5c1=12 r5c4=23 r5c7=13 1@row5=14679 2@row5=14679 3@row5=1478",
        "naked-triple row 5 r5c1 r5c4 r5c7 123: r5c6-1 r5c6-2 r5c8-3 r5c9-1 r5c9-2",
    ),
    ("r5c1=12 r5c4=23 r5c7=34", "-"),
    ("r5c1=123 r5c4=123 r6c7=123", "-"),
    (
        "1@row5=147 2@row5=14 3@row5=47 r5c1=1246 r5c4=123 r5c7=138",
        "hidden-triple row 5 r5c1 r5c4 r5c7 123: r5c1-4 r5c1-6 r5c7-8",
    ),
    ("1@row5=147 2@row5=14 3@row5=48", "-"),
    (
        "5@row2=38 5@row7=38",
        "x-wing 5 rows 2 7 columns 3 8: r1c3-5 r1c8-5 r3c3-5 r3c8-5 r4c3-5 r4c8-5 r5c3-5 r5c8-5 r6c3-5 r6c8-5 r8c3-5 r8c8-5 r9c3-5 r9c8-5",
    ),
    (
        "5@column3=27 5@column8=27 5@row2=3568",
        "x-wing 5 columns 3 8 rows 2 7: r2c5-5 r2c6-5 r7c1-5 r7c2-5 r7c4-5 r7c5-5 r7c6-5 r7c7-5 r7c9-5",
    ),
    ("5@row2=38 5@row7=49", "-"),
    ("5@row2=38 6@row7=38", "-"),
    ("5@row2=38 5@row7=368", "-"),
    ("5@row2=38 5@row7=38 5@column3=27 5@column8=27", "-"),
    (
        "5@row2=38 5@row7=38 r3c1=12 r3c4=12 1@row3=1459 2@row3=145",
        "naked-pair row 3 r3c1 r3c4 12: r3c5-1 r3c5-2 r3c9-1",
    ),
    (
        "5@row1=14 5@row4=47 5@row7=17 5@column7=478",
        "swordfish 5 rows 1 4 7 columns 1 4 7: r2c1-5 r2c4-5 r3c1-5 r3c4-5 r5c1-5 r5c4-5 r6c1-5 r6c4-5 r8c1-5 r8c4-5 r8c7-5 r9c1-5 r9c4-5",
    ),
    ("5@row1=14 5@row4=57 5@row7=18", "-"),
    ("r1c1=12 r1c5=13 r4c1=23", "xy-wing r1c1 r1c5 r4c1: r4c5-3"),
    ("r1c1=12 r1c5=13 r2c2=23", "xy-wing r1c1 r1c5 r2c2: r1c2-3 r1c3-3 r2c4-3 r2c5-3 r2c6-3"),
    ("r1c1=12 r1c5=13 r4c1=24", "-"),
    ("r1c1=12 r1c5=13 r4c1=13", "-"),
    ("r1c1=12 r1c5=13 r5c9=23", "-"),
    ("r1c1=12 r1c5=13 r4c1=23 r4c5=124", "-"),
    ("r1c1=123 r1c5=13 r4c1=23", "-"),
    (
        "r9c1=12 r9c4=23 r9c7=34 r9c8=14 1@row9=18 2@row9=14 3@row9=47 4@row9=678",
        "naked-quad row 9 r9c1 r9c4 r9c7 r9c8 1234: r9c6-4",
    ),
    ("r9c1=12 r9c3=23 r9c5=34 r9c8=15", "-"),
    (
        "1@row9=14 2@row9=24 3@row9=27 4@row9=17 r9c1=145 r9c2=239 r9c4=12 r9c7=34",
        "hidden-quad row 9 r9c1 r9c2 r9c4 r9c7 1234: r9c1-5 r9c2-9",
    ),
    ("1@row9=14 2@row9=24 3@row9=27 4@row9=19", "-"),
    (
        "5@row1=24 5@row4=17 5@row7=14 5@row9=27",
        "jellyfish 5 rows 1 4 7 9 columns 1 2 4 7: r2c1-5 r2c2-5 r2c4-5 r2c7-5 r3c1-5 r3c2-5 r3c4-5 r3c7-5 r5c1-5 r5c2-5 r5c4-5 r5c7-5 r6c1-5 r6c2-5 r6c4-5 r6c7-5 r8c1-5 r8c2-5 r8c4-5 r8c7-5",
    ),
    ("5@row1=124 5@row4=147 5@row7=127 5@row9=478", "-"),
    (
        "5@row2=38 5@row7=39",
        "skyscraper 5r2c8 = 5r2c3 - 5r7c3 = 5r7c9: r1c9-5 r3c9-5 r8c8-5 r9c8-5",
    ),
    ("5@column3=27 5@column8=26", "-"),
    ("5@row2=38 5@row7=345", "-"),
    ("5@row2=38 5@column9=16", "two-string-kite 5r2c3 = 5r2c8 - 5r1c9 = 5r6c9: r6c3-5"),
    ("5@row2=38 5@column9=47", "-"),
    // Row and column share a cell.
    ("5@row2=38 5@column8=26", "-"),
    (
        "r1c1=12 r5c5=12 1@row8=15",
        "w-wing 2r1c1 = 1r1c1 - 1r8c1 = 1r8c5 - 1r5c5 = 2r5c5: r1c5-2 r5c1-2",
    ),
    ("r1c1=12 r5c5=12 1@row8=16", "-"),
    ("r1c1=12 r5c5=12 1@row8=157", "-"),
    ("r1c1=12 r5c5=13 1@row8=15", "-"),
    ("r1c1=123 r1c5=13 r2c2=23", "xyz-wing r1c1 r1c5 r2c2: r1c2-3 r1c3-3"),
    ("r1c1=124 r1c5=13 r2c2=23", "-"),
    ("5@row2=38 5@row7=378", "finned-x-wing 5 rows 2 7 columns 3 8 fins r7c7: r8c8-5 r9c8-5"),
    ("5@row2=38 5@row7=379", "finned-x-wing 5 rows 2 7 columns 3 8 fins r7c7 r7c9: r8c8-5 r9c8-5"),
    ("5@column2=38 5@column7=378", "finned-x-wing 5 columns 2 7 rows 3 8 fins r7c7: r8c8-5 r8c9-5"),
    (
        "5@row1=14 5@row4=47 5@row7=178",
        "finned-swordfish 5 rows 1 4 7 columns 1 4 7 fins r7c8: r8c7-5 r9c7-5",
    ),
    ("5@row1=14 5@row4=47 5@row7=1578", "-"),
    ("5@row2=38 5@column8=27 5@box9=24", "simple-coloring 5 r2c3 r7c8 / r2c8 r8c7: r8c3-5"),
    ("5@row2=38 5@column8=27 5@box9=124", "-"),
    ("5@box1=26 5@row7=28", "x-chain 5r2c3 = 5r1c2 - 5r7c2 = 5r7c8: r2c8-5"),
    ("5@box1=26 5@row7=48", "-"),
    (
        "r1c1=12 r1c5=23 r5c5=34 r5c9=14",
        "xy-chain 1r1c1 = 2r1c1 - 2r1c5 = 3r1c5 - 3r5c5 = 4r5c5 - 4r5c9 = 1r5c9: r1c9-1 r5c1-1",
    ),
    ("r1c1=12 r1c5=23 r5c5=34 r5c9=45", "-"),
    (
        "r1c1=12 1@row5=15 2@column5=59",
        "alternating-chain 2r1c1 = 1r1c1 - 1r5c1 = 1r5c5 - 2r5c5 = 2r9c5: r9c1-2",
    ),
    ("r1c1=12 1@row5=15 2@column5=49", "-"),
    ("5@box1=126 5@column8=17", "alternating-chain 5r2c3 = 5r1c1+r1c2 - 5r1c8 = 5r7c8: r7c3-5"),
    ("5@box1=1268 5@column8=17", "-"),
    ("r1c1=123 r1c2=23 r5c1=14 r5c9=34", "als-xz 1 r1c1 r1c2 / r5c1 r5c9: r1c9-3"),
    ("r1c1=123 r1c2=23 r5c1=15 r5c9=34", "-"),
    ("r1c1=123 r1c2=123 r5c1=14 r5c9=34", "-"),
];

/// The same with the groups `a`, `b` and `c` of four cells each.
const GROUPS: &[(&str, &str)] = &[
    ("r1c1=12 r4c4=12", "naked-pair extra a r1c1 r4c4 12: r2c2-1 r2c2-2 r3c3-1 r3c3-2"),
    ("1@box1=159", "locked-candidates box 1 extra a: r4c4-1"),
    // A group need not hold every digit, so a digit with one or few cells in it proves nothing.
    ("1@a=1", "-"),
    ("1@a=12 2@a=12", "-"),
    ("1@a=123", "-"),
    ("5@a=14 5@row7=18", "-"),
    ("5@row3=38 5@row4=48", "skyscraper 5r3c3 = 5r3c8 - 5r4c8 = 5r4c4: r1c1-5 r2c2-5"),
];

/// The same with the rule that cells a knight's move apart differ.
const ANTIKNIGHT: &[(&str, &str)] = &[
    (
        "r5c5=12 r3c4=13 r7c6=23",
        "xy-wing r5c5 r3c4 r7c6: r1c6-3 r2c6-3 r3c6-3 r4c6-3 r6c4-3 r7c4-3 r8c4-3 r9c4-3",
    ),
    ("r5c5=12 r3c4=13 r7c7=23", "-"),
    ("5@row2=18 5@row4=49", "x-chain 5r2c1 = 5r2c8 - 5r4c9 = 5r4c4: r3c2-5"),
    ("5@row2=17 5@row4=49", "-"),
];

fn candidates(position: &str) -> Vec<u32> {
    let set = |digits: &str| -> u32 {
        let digits = digits.bytes().map(|digit| 1 << (digit - b'1'));
        digits.sum()
    };
    let mut candidates = vec![(1 << 9) - 1; 81];
    for word in position.split_whitespace() {
        let (target, members) = word.split_once('=').unwrap();
        if let Some((digit, house)) = target.split_once('@') {
            for (place, cell) in cells_of(house).into_iter().enumerate() {
                if set(members) >> place & 1 == 0 {
                    candidates[cell] &= !set(digit);
                }
            }
        } else {
            let place: Vec<usize> = target[1..].split('c').map(|n| n.parse().unwrap()).collect();
            candidates[9 * (place[0] - 1) + place[1] - 1] &= set(members);
        }
    }
    candidates
}

fn cells_of(house: &str) -> Vec<usize> {
    let numbered = |name: &str| house.strip_prefix(name).map(|n| n.parse::<usize>().unwrap() - 1);
    if let Some(row) = numbered("row") {
        (0..9).map(|place| 9 * row + place).collect()
    } else if let Some(column) = numbered("column") {
        (0..9).map(|place| 9 * place + column).collect()
    } else if let Some(index) = numbered("box") {
        let corner = index / 3 * 27 + index % 3 * 3;
        (0..9).map(|place| corner + place / 3 * 9 + place % 3).collect()
    } else {
        let group = usize::from(house.as_bytes()[0] - b'a');
        groups(9)[group].to_vec()
    }
}

/// Returns the next step in a position of a 9x9.
pub fn hint(pencil: &Pencil, position: &str) -> String {
    let candidates = candidates(position);
    let hint = pencil.hint(Givens::Candidates(&candidates), &mut Paper::default()).unwrap();
    hint.map_or("-".to_string(), |step| step.text(symbol))
}

fn classic() -> Sample {
    Sample::with("positions", 9, "classic", &[])
}

#[test]
fn each_technique_finds_its_pattern_and_ignores_similar_ones() {
    let sample = classic();
    for (position, expected) in CLASSIC {
        assert_eq!(hint(&sample.pencil, position), *expected, "{position}");
    }
    for (name, _) in Technique::NAMES {
        let is_named = |step: &str| step.split([' ', ':']).any(|word| word == name);
        let killers = killers::POSITIONS.iter().map(|[.., step]| step);
        let mut steps = CLASSIC.iter().map(|(_, step)| step).chain(killers);
        assert!(steps.any(|step| is_named(step)), "{name}");
    }
}

#[test]
fn groups_force_no_digit_but_lose_candidates_that_houses_lock() {
    let sample = Sample::with("positions", 9, "classic", &groups(9));
    for (position, expected) in GROUPS {
        assert_eq!(hint(&sample.pencil, position), *expected, "{position}");
        let of_classic = hint(&classic().pencil, position);
        assert_eq!(of_classic, "-", "{position}");
    }
}

#[test]
fn cells_of_a_pair_see_each_other() {
    let sample = Sample::with("positions", 9, "antiknight", &[]);
    for (position, expected) in ANTIKNIGHT {
        assert_eq!(hint(&sample.pencil, position), *expected, "{position}");
        assert_eq!(hint(&classic().pencil, position), "-", "{position}");
    }
}

#[test]
fn a_nonconsecutive_digit_removes_adjacent_digits_from_its_neighbours() {
    let sample = Sample::with("positions", 9, "nonconsecutive", &[]);
    let mut puzzle = [0u8; 81];
    puzzle[40] = 5;
    let mut paper = Paper::default();
    let End::Stuck(sets) = sample.pencil.solve(Givens::Digits(&puzzle), &mut paper).unwrap().end
    else {
        panic!("one given is not enough");
    };
    let all_but =
        |digits: &[u32]| digits.iter().fold((1 << 9) - 1, |set, digit| set & !(1 << (digit - 1)));
    assert_eq!(sets[40], 1 << 4);
    for cell in [31, 39, 41, 49] {
        assert_eq!(sets[cell], all_but(&[4, 5, 6]), "cell {cell}");
    }
    for cell in [30, 42, 4, 36] {
        assert_eq!(sets[cell], all_but(&[5]), "cell {cell}");
    }
}

#[test]
fn a_full_grid_needs_no_step_and_a_wrong_one_has_no_grade() {
    let sample = classic();
    let solution = &sample.solutions[0][..];
    let mut paper = Paper::default();
    let grading = sample.pencil.solve(Givens::Digits(solution), &mut paper).unwrap();
    assert_eq!(grading.end, End::Solved(solution));
    assert_eq!((grading.grade(), grading.hardest, grading.steps), ("-", None, 0));
    assert_eq!(sample.pencil.hint(Givens::Digits(solution), &mut paper).unwrap(), None);

    let mut broken = solution.to_vec();
    broken[80] = broken[79];
    let grading = sample.pencil.solve(Givens::Digits(&broken), &mut paper).unwrap();
    assert_eq!(grading.end, End::Contradiction);
    assert_eq!((grading.grade(), grading.hardest, grading.steps), ("-", None, 0));
    assert_eq!(sample.pencil.hint(Givens::Digits(&broken), &mut paper).unwrap(), None);
}

#[test]
fn a_blank_grid_has_grade_search() {
    let mut paper = Paper::default();
    let sample = classic();
    let grading = sample.pencil.solve(Givens::Digits(&[0; 81]), &mut paper).unwrap();
    assert_eq!((grading.grade(), grading.steps), ("search", 0));
    assert_eq!(grading.end, End::Stuck(&[(1 << 9) - 1; 81]));
    assert_eq!(sample.pencil.hint(Givens::Digits(&[0; 81]), &mut paper).unwrap(), None);
}

#[test]
fn grids_of_side_one_and_two_are_solved() {
    let one = Shape::regions(b"A", false);
    let two = Shape::regions(b"AABB", false);
    let mut paper = Paper::default();
    for (side, shape, puzzle, solution, steps) in
        [(1, one, &[0u8][..], &[1][..], 1), (2, two, &[1, 0, 0, 0], &[1, 2, 2, 1], 3)]
    {
        let rules = Rules::new(side, shape, &"jigsaw".parse().unwrap()).unwrap();
        let pencil = Pencil::new(&rules);
        let grading = pencil.solve(Givens::Digits(puzzle), &mut paper).unwrap();
        assert_eq!(grading.end, End::Solved(solution));
        assert_eq!((grading.grade(), grading.steps), ("naked-single", steps));
    }
}

#[test]
fn technique_names_are_in_the_order_of_the_techniques() {
    for (index, (name, technique)) in Technique::NAMES.into_iter().enumerate() {
        assert_eq!((technique as usize, technique.name()), (index, name));
    }
}
