//! Makes the generated files of data/. The seed of a file is its name, so no file depends on
//! another.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::constraints::Constraints;
use super::killer_files::{self, KILLERS};
use super::puzzles;
use super::random::Random;

/// Combinations of variants that have files, written as for `--variant`; a file name has `-` in
/// place of `,`.
pub const VARIANTS: [&str; 8] = [
    "classic",
    "diagonal",
    "window",
    "diagonal,window",
    "jigsaw",
    "jigsaw,diagonal",
    "jigsaw,window",
    "jigsaw,diagonal,window",
];

/// Further combinations, with fewer puzzles each.
pub const MORE_VARIANTS: [&str; 12] = [
    "regions",
    "disjoint",
    "asterisk",
    "center-dot",
    "girandola",
    "antiknight",
    "antiking",
    "nonconsecutive",
    "antiknight,antiking",
    "diagonal,disjoint",
    "window,asterisk",
    "jigsaw,girandola",
];

/// Sides of the classic puzzles in sizes.txt.
const SIZES: [usize; 14] = [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25];

/// Returns the sides for which puzzles of these variants are made.
pub fn sides_of(variants: &str) -> &'static [usize] {
    match variants {
        "disjoint" => return &[4, 6, 8, 9, 10, 12, 16],
        "antiknight" | "antiking" => return &[6, 8, 9, 10, 12],
        "antiknight,antiking" => return &[8, 9],
        "nonconsecutive" => return &[6, 8, 9],
        "diagonal,disjoint" => return &[4, 8, 9, 10],
        _ if MORE_VARIANTS.contains(&variants) => return &[9],
        _ => {}
    }
    match (variants.contains("jigsaw"), variants.contains("window")) {
        (true, true) => &[4, 9],
        (true, false) => &[4, 5, 6, 7, 8, 9, 10, 12],
        (false, true) => &[4, 9, 16],
        (false, false) => &[4, 6, 8, 9, 10, 12, 16],
    }
}

/// A file; the path is relative to data/.
pub struct File {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// One or more files, and the function that makes them from a random sequence.
struct Plan {
    paths: Vec<String>,
    make: Box<Make>,
}

type Make = dyn Fn(&mut Random) -> Vec<Vec<u8>> + Send + Sync;

impl Plan {
    fn new(path: &str, make: impl Fn(&mut Random) -> Vec<u8> + Send + Sync + 'static) -> Plan {
        Plan { paths: vec![path.to_string()], make: Box::new(move |random| vec![make(random)]) }
    }
}

/// Makes the files whose paths are wanted. `malformed` is the text of data/malformed.tsv.
pub fn make(malformed: &'static str, is_wanted: impl Fn(&str) -> bool) -> Vec<File> {
    let mut plans = benchmarks();
    for variants in VARIANTS.into_iter().chain(MORE_VARIANTS) {
        let name = variants.replace(',', "-");
        plans.push(Plan {
            paths: vec![format!("{name}.txt"), format!("{name}.answers")],
            make: Box::new(move |random| unique(variants, random).into()),
        });
        let many = format!("many-{name}.txt");
        plans.push(Plan::new(&many, move |random| many_solutions(variants, random)));
        let none = format!("none-{name}.txt");
        plans.push(Plan::new(&none, move |random| no_solution(variants, random)));
    }
    plans.extend(killers());
    plans.push(Plan {
        paths: vec!["sizes.txt".to_string(), "sizes.answers".to_string()],
        make: Box::new(|random| sizes(random).into()),
    });
    plans.push(Plan {
        paths: ["txt", "answers", "messages"].map(|end| format!("malformed.{end}")).into(),
        make: Box::new(move |random| every_third_broken(malformed, random).into()),
    });
    plans.retain(|plan| is_wanted(&plan.paths[0]));
    let files = plans.par_iter().flat_map_iter(|plan| {
        let contents = (plan.make)(&mut Random::of(&plan.paths[0]));
        let files = plan.paths.iter().cloned().zip(contents);
        files.map(|(path, bytes)| File { path, bytes })
    });
    files.collect()
}

/// Returns the files of killers, and of puzzles that describe their own rules.
fn killers() -> Vec<Plan> {
    let mut plans = vec![
        Plan {
            paths: vec!["self-describing.txt".to_string(), "self-describing.answers".to_string()],
            make: Box::new(|random| killer_files::self_describing(random).into()),
        },
        Plan::new("bench/killer.txt", |random| killer_files::ordinary(400, random)),
        Plan::new("bench/killer-hard.txt", killer_files::hard),
        Plan::new("bench/killer-many.txt", |random| killer_files::loose(100, random)),
    ];
    for variants in KILLERS {
        let name = variants.replace(',', "-");
        plans.push(Plan {
            paths: vec![format!("{name}.txt"), format!("{name}.answers")],
            make: Box::new(move |random| killer_files::unique(variants, random).into()),
        });
        plans.push(Plan::new(&format!("many-{name}.txt"), move |random| {
            killer_files::many_solutions(variants, random)
        }));
        plans.push(Plan::new(&format!("none-{name}.txt"), move |random| {
            killer_files::no_solution(variants, random)
        }));
    }
    plans
}

/// Makes puzzles with one solution, and their answers: many 9x9, some of every other size; every
/// second one is minimal.
fn unique(variants: &str, random: &mut Random) -> [Vec<u8>; 2] {
    let (mut lines, mut answers) = (Vec::new(), Vec::new());
    for &side in sides_of(variants) {
        let number = match side {
            9 if MORE_VARIANTS.contains(&variants) => 20,
            9 => 50,
            12 | 16 => 3,
            _ => 5,
        };
        for (index, (constraints, grid)) in
            constraints_with_grids(side, variants, number, 10, random)
        {
            let keep = match index % 2 {
                0 => puzzles::fewest_givens(&constraints),
                _ => constraints.cells() * (35 + random.below(20)) / 100,
            };
            write_line(&constraints, &puzzles::dig(&constraints, &grid, keep, random), &mut lines);
            write_grid(&grid, &mut answers);
            answers.extend_from_slice(b"\tunique\n");
        }
    }
    [lines, answers]
}

/// Makes two classic puzzles of each size, and their answers.
fn sizes(random: &mut Random) -> [Vec<u8>; 2] {
    let (mut lines, mut answers) = (Vec::new(), Vec::new());
    for side in SIZES {
        for (index, (constraints, grid)) in constraints_with_grids(side, "classic", 2, 1, random) {
            let keep = constraints.cells() * (50 + 10 * index) / 100;
            write_line(&constraints, &puzzles::dig(&constraints, &grid, keep, random), &mut lines);
            write_grid(&grid, &mut answers);
            answers.extend_from_slice(b"\tunique\n");
        }
    }
    [lines, answers]
}

/// Makes `number` full grids with their indices. A jigsaw gets a new layout after every
/// `grids_per_layout` grids.
fn constraints_with_grids(
    side: usize,
    variants: &str,
    number: usize,
    grids_per_layout: usize,
    random: &mut Random,
) -> Vec<(usize, (Constraints, Vec<u8>))> {
    let mut pairs: Vec<(usize, (Constraints, Vec<u8>))> = Vec::new();
    for index in 0..number {
        let another = match pairs.last() {
            Some((_, (constraints, _))) if index % grids_per_layout != 0 => {
                puzzles::full_grid(constraints, random).map(|grid| (constraints.clone(), grid))
            }
            _ => None,
        };
        let pair =
            another.unwrap_or_else(|| puzzles::constraints_with_grid(side, variants, random));
        pairs.push((index, pair));
    }
    pairs
}

/// Makes blank grids and puzzles with too few givens.
fn many_solutions(variants: &str, random: &mut Random) -> Vec<u8> {
    let mut lines = Vec::new();
    for &side in sides_of(variants) {
        let number = if side == 9 { 10 } else { 2 };
        for (index, (constraints, grid)) in
            constraints_with_grids(side, variants, number, 10, random)
        {
            let blank = vec![0; constraints.cells()];
            let givens = if index == 0 && puzzles::has_two_solutions(&constraints, &blank) {
                blank
            } else {
                puzzles::with_many_solutions(&constraints, &grid, random)
            };
            write_line(&constraints, &givens, &mut lines);
        }
    }
    lines
}

/// Makes puzzles whose givens contradict each other, and puzzles that only a search shows to be
/// without solution.
fn no_solution(variants: &str, random: &mut Random) -> Vec<u8> {
    let mut lines = Vec::new();
    for &side in sides_of(variants) {
        let number = if side == 9 { 10 } else { 2 };
        for (index, (constraints, grid)) in
            constraints_with_grids(side, variants, number, 10, random)
        {
            let givens = match index % 5 {
                0 => puzzles::with_contradicting_givens(&constraints, &grid, random),
                _ => puzzles::without_solution(&constraints, &grid, random),
            };
            write_line(&constraints, &givens, &mut lines);
        }
    }
    if variants.contains("jigsaw") {
        for &side in &sides_of(variants)[..2.min(sides_of(variants).len() - 1)] {
            let constraints = puzzles::constraints_without_grid(side, variants, random);
            write_line(&constraints, &vec![0; constraints.cells()], &mut lines);
        }
    }
    lines
}

/// Makes good lines with a line of data/malformed.tsv after every two, the expected output lines,
/// and the messages.
fn every_third_broken(malformed: &'static str, random: &mut Random) -> [Vec<u8>; 3] {
    let (mut lines, mut output, mut messages) = (Vec::new(), Vec::new(), String::new());
    let cases = malformed_cases(malformed).filter(|case| case.options.is_empty());
    for (index, case) in cases.enumerate() {
        for _ in 0..2 {
            let (constraints, grid) = puzzles::constraints_with_grid(9, "classic", random);
            write_line(&constraints, &puzzles::dig(&constraints, &grid, 28, random), &mut lines);
            write_grid(&grid, &mut output);
            output.extend_from_slice(b"\tunique\n");
        }
        lines.extend_from_slice(&case.line);
        lines.push(b'\n');
        output.extend(case.first_column());
        output.extend_from_slice(b"\tinvalid\n");
        let number = 3 * (index + 1);
        messages += &format!("sudoku-filter: data/malformed.txt:{number}: {}\n", case.reason);
    }
    [lines, output, messages.into_bytes()]
}

/// A line of data/malformed.tsv.
pub struct Malformed {
    pub options: Vec<&'static str>,
    pub line: Vec<u8>,
    pub reason: &'static str,
}

impl Malformed {
    /// Returns the content of the first output column: the line with each tab replaced by a space.
    pub fn first_column(&self) -> Vec<u8> {
        let shown = |&byte: &u8| if byte == b'\t' { b' ' } else { byte };
        self.line.iter().map(shown).collect()
    }
}

/// Parses data/malformed.tsv.
pub fn malformed_cases(text: &'static str) -> impl Iterator<Item = Malformed> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|text| {
        let fields: Vec<&str> = text.split('\t').collect();
        let [options, line, reason] = fields[..] else {
            panic!("a line of malformed.tsv has three columns: {text}");
        };
        let options = options.split(' ').filter(|&option| option != "-");
        Malformed { options: options.collect(), line: unescaped(line), reason }
    })
}

/// Replaces the escapes `\t`, `\\` and `\xNN`, as `printf %b` does.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut parts = text.split('\\');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    while let Some(part) = parts.next() {
        let (byte, length) = match part.as_bytes() {
            [b't', ..] => (b'\t', 1),
            [b'x', _, _, ..] => (u8::from_str_radix(&part[1..3], 16).expect("two hex digits"), 3),
            [] => {
                bytes.push(b'\\');
                bytes.extend(parts.next().unwrap_or_default().bytes());
                continue;
            }
            _ => panic!("no such escape: {text}"),
        };
        bytes.push(byte);
        bytes.extend_from_slice(&part.as_bytes()[length..]);
    }
    bytes
}

/// Returns the files for `make bench`. The puzzles of a file are of one kind; without a variant in
/// the name they are classic 9x9.
fn benchmarks() -> Vec<Plan> {
    let minimal = |side, variants, number, grids_per_layout| {
        move |random: &mut Random| {
            let mut lines = Vec::new();
            let grids = constraints_with_grids(side, variants, number, grids_per_layout, random);
            for (_, (constraints, grid)) in grids {
                let keep = puzzles::fewest_givens(&constraints);
                write_line(
                    &constraints,
                    &puzzles::dig(&constraints, &grid, keep, random),
                    &mut lines,
                );
            }
            lines
        }
    };
    let classic = |number, make: fn(&Constraints, &[u8], &mut Random) -> Vec<u8>| {
        move |random: &mut Random| {
            let mut lines = Vec::new();
            for (_, (constraints, grid)) in constraints_with_grids(9, "classic", number, 1, random)
            {
                write_line(&constraints, &make(&constraints, &grid, random), &mut lines);
            }
            lines
        }
    };
    let easy = |constraints: &Constraints, grid: &[u8], random: &mut Random| {
        puzzles::dig_easy(constraints, grid, 33, random)
    };
    vec![
        Plan::new("bench/hard.txt", hard),
        Plan::new("bench/16x16.txt", minimal(16, "classic", 150, 1)),
        Plan::new("bench/minimal.txt", minimal(9, "classic", 1500, 1)),
        Plan::new("bench/easy.txt", classic(1000, easy)),
        Plan::new("bench/many.txt", classic(500, puzzles::with_many_solutions)),
        Plan::new("bench/none.txt", classic(500, puzzles::without_solution)),
        Plan::new("bench/diagonal.txt", minimal(9, "diagonal", 400, 1)),
        Plan::new("bench/window.txt", minimal(9, "window", 400, 1)),
        Plan::new("bench/diagonal-window.txt", minimal(9, "diagonal,window", 200, 1)),
        Plan::new("bench/disjoint.txt", minimal(9, "disjoint", 200, 1)),
        Plan::new("bench/antiknight.txt", minimal(9, "antiknight", 200, 1)),
        Plan::new("bench/window-asterisk-antiking-many.txt", |random| {
            almost_blank("window,asterisk,antiking", 150, random)
        }),
        Plan::new("bench/jigsaw.txt", minimal(9, "jigsaw", 400, 1)),
        Plan::new("bench/jigsaw-one-layout.txt", minimal(9, "jigsaw", 400, 400)),
    ]
}

/// Makes 9x9 puzzles with many solutions: a blank grid, then one to three cells of full grids.
fn almost_blank(variants: &str, number: usize, random: &mut Random) -> Vec<u8> {
    let mut lines = Vec::new();
    for (index, (constraints, grid)) in constraints_with_grids(9, variants, number, 1, random) {
        let given = if index == 0 { 0 } else { 1 + index % 3 };
        let givens = puzzles::with_givens(&grid, given, random);
        write_line(&constraints, &givens, &mut lines);
    }
    lines
}

/// Breeds hard puzzles: a neighbour of a hard puzzle is often harder. Several families keep the
/// lines different.
fn hard(random: &mut Random) -> Vec<u8> {
    const FAMILIES: usize = 8;
    let constraints = Constraints::with_boxes(9, "classic");
    let seeds: Vec<Random> = (0..FAMILIES).map(|_| random.fork()).collect();
    let families = seeds.into_par_iter().map(|random| hard_family(&constraints, random));
    let families: Vec<Vec<Vec<u8>>> = families.collect();
    let mut lines = Vec::new();
    for givens in families.iter().flatten() {
        write_line(&constraints, givens, &mut lines);
    }
    lines
}

fn hard_family(constraints: &Constraints, mut random: Random) -> Vec<Vec<u8>> {
    const KEPT: usize = 25;
    const PARENTS: usize = 10;
    const CHILDREN: usize = 800;
    let mut family: Vec<(u64, Vec<u8>)> = Vec::new();
    for child in 0..PARENTS + CHILDREN {
        let givens = if child < PARENTS {
            let (_, grid) = puzzles::constraints_with_grid(9, "classic", &mut random);
            puzzles::dig(constraints, &grid, 0, &mut random)
        } else {
            let (_, parent) = &family[random.below(PARENTS)];
            puzzles::similar_puzzle(constraints, parent, &mut random)
        };
        if family.iter().all(|(_, known)| *known != givens) {
            family.push((
                puzzles::branches_needed(constraints, &givens, puzzles::BRANCH_LIMIT),
                givens,
            ));
            family.sort_by_key(|(branches, _)| Reverse(*branches));
            family.truncate(KEPT);
        }
    }
    family.into_iter().map(|(_, givens)| givens).collect()
}

fn write_line(constraints: &Constraints, grid: &[u8], lines: &mut Vec<u8>) {
    write_grid(grid, lines);
    if let Some(labels) = &constraints.regions {
        lines.push(b'\t');
        lines.extend_from_slice(labels);
    }
    lines.push(b'\n');
}

pub fn write_grid(grid: &[u8], text: &mut Vec<u8>) {
    let symbol = |digit: u8| b".123456789ABCDEFGHIJKLMNOP"[usize::from(digit)];
    text.extend(grid.iter().map(|&digit| symbol(digit)));
}
