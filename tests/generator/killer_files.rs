//! Makes the files of killers, and of puzzles that describe their own rules.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::constraints::{Constraints, has};
use super::files::write_grid;
use super::killers::{self, HARD, Killer, ORDINARY, Style};
use super::notations;
use super::puzzles;
use super::random::Random;

/// Combinations of variants that have files of killers, written as for `--variant`; a file name has
/// `-` in place of `,`.
pub const KILLERS: [&str; 3] = ["killer", "killer,diagonal", "killer,jigsaw"];

/// Returns how many killers of this side a file with one solution each has.
fn number_of(side: usize, variants: &str) -> usize {
    match side {
        9 if variants == "killer" => 50,
        9 => 20,
        12 | 16 => 3,
        _ => 5,
    }
}

/// Makes killers with one solution, and their answers.
pub fn unique(variants: &str, random: &mut Random) -> [Vec<u8>; 2] {
    let (mut lines, mut answers) = (Vec::new(), Vec::new());
    for &side in killers::sides_of(variants) {
        for index in 0..number_of(side, variants) {
            let style = killers::style_of(side, index);
            let killer = killers::unique(side, variants, style, random);
            write_killer(&killer, &mut lines);
            write_grid(&killer.solution, &mut answers);
            answers.extend_from_slice(b"\tunique\n");
        }
    }
    [lines, answers]
}

/// Makes killers from killers with one solution: ten 9x9, two of every other size.
fn changed(
    variants: &str,
    random: &mut Random,
    change: impl Fn(&Killer, usize, &mut Random) -> Killer,
) -> Vec<u8> {
    let mut lines = Vec::new();
    for &side in killers::sides_of(variants) {
        for index in 0..if side == 9 { 10 } else { 2 } {
            let style = killers::style_of(side, index);
            let killer = killers::unique(side, variants, style, random);
            write_killer(&change(&killer, index, random), &mut lines);
        }
    }
    lines
}

/// Makes killers with several solutions.
pub fn many_solutions(variants: &str, random: &mut Random) -> Vec<u8> {
    changed(variants, random, |killer, _, random| killers::with_many_solutions(killer, random))
}

/// Makes killers without solution.
pub fn no_solution(variants: &str, random: &mut Random) -> Vec<u8> {
    changed(variants, random, killers::without_solution)
}

/// Makes ordinary 9x9 killers without givens.
pub fn ordinary(number: usize, random: &mut Random) -> Vec<u8> {
    lines_of(&killers_of(ORDINARY, number, random))
}

/// Makes 9x9 killers without givens and with large cages: those of many that need the most
/// branches.
pub fn hard(random: &mut Random) -> Vec<u8> {
    let killers = killers_of(HARD, 400, random).into_par_iter();
    let branches =
        |killer: &Killer| puzzles::branches_needed(&killer.constraints, &killer.givens, HARD.limit);
    let mut killers: Vec<(u64, Killer)> =
        killers.map(|killer| (branches(&killer), killer)).collect();
    killers.sort_by_key(|(branches, _)| Reverse(*branches));
    let hardest = killers.into_iter().take(150).map(|(_, killer)| killer);
    lines_of(&hardest.collect::<Vec<Killer>>())
}

/// Makes 9x9 killers with many solutions: no givens, and cages that are incomplete.
pub fn loose(number: usize, random: &mut Random) -> Vec<u8> {
    let mut lines = Vec::new();
    for _ in 0..number {
        write_killer(&killers::loose(random), &mut lines);
    }
    lines
}

fn killers_of(style: Style, number: usize, random: &mut Random) -> Vec<Killer> {
    let seeds: Vec<Random> = (0..number).map(|_| random.fork()).collect();
    let killers =
        seeds.into_par_iter().map(|mut random| killers::unique(9, "killer", style, &mut random));
    killers.collect()
}

fn lines_of(killers: &[Killer]) -> Vec<u8> {
    let mut lines = Vec::new();
    for killer in killers {
        write_killer(killer, &mut lines);
    }
    lines
}

/// Appends a line: the puzzle, the regions of a jigsaw, and the cages.
pub fn write_killer(killer: &Killer, lines: &mut Vec<u8>) {
    write_grid(&killer.givens, lines);
    if let Some(labels) = &killer.constraints.regions {
        lines.push(b'\t');
        lines.extend_from_slice(labels);
    }
    lines.push(b'\t');
    lines.extend(notations::cages(&killer.constraints).into_bytes());
    lines.push(b'\n');
}

/// Variants and sides of the puzzles of Solo. Killers are in `SOLO_KILLERS`.
const SOLO: [(&str, &[usize]); 4] = [
    ("classic", &[4, 6, 8, 9, 12, 16]),
    ("diagonal", &[4, 6, 9]),
    ("jigsaw", &[4, 5, 7, 9, 10]),
    ("jigsaw,diagonal", &[5, 9]),
];

const SOLO_KILLERS: [(&str, &[usize]); 4] = [
    ("killer", &[4, 6, 9, 12]),
    ("killer,diagonal", &[4, 6, 9]),
    ("killer,jigsaw", &[4, 5, 7, 9]),
    ("killer,jigsaw,diagonal", &[5, 9]),
];

/// Makes puzzles that describe their own rules: game IDs of Solo, SumoCue and cage numbers. Returns
/// them with their answers.
pub fn self_describing(random: &mut Random) -> [Vec<u8>; 2] {
    let mut puzzles: Vec<(String, Vec<u8>)> = Vec::new();
    for (variants, side) in SOLO.iter().flat_map(each_side) {
        for _ in 0..2 {
            let (constraints, grid) = puzzles::constraints_with_grid(side, variants, random);
            let keep = constraints.cells() * (35 + random.below(20)) / 100;
            let givens = puzzles::dig(&constraints, &grid, keep, random);
            puzzles.push((notations::solo(&constraints, &givens), grid.clone()));
            puzzles.push((notations::sumocue(&constraints, &givens), grid));
        }
    }
    for (variants, side) in SOLO_KILLERS.iter().flat_map(each_side) {
        for index in 0..2 {
            let style = killers::style_of(side, 3 * index);
            let killer = killers::unique(side, variants, style, random);
            let game_id = notations::solo(&killer.constraints, &killer.givens);
            puzzles.push((game_id, killer.solution.clone()));
            if killer.givens.iter().all(|&given| given == 0) {
                puzzles.extend(without_givens(&killer.constraints, &killer.solution));
            }
        }
    }
    random.shuffle(&mut puzzles);
    let (mut lines, mut answers) = (Vec::new(), Vec::new());
    for (line, grid) in puzzles {
        lines.extend((line + "\n").into_bytes());
        write_grid(&grid, &mut answers);
        answers.extend_from_slice(b"\tunique\n");
    }
    [lines, answers]
}

fn each_side<'a>(
    (variants, sides): &'a (&'a str, &'a [usize]),
) -> impl Iterator<Item = (&'a str, usize)> {
    sides.iter().map(move |&side| (*variants, side))
}

/// Returns a killer without givens in SumoCue and, if it is no jigsaw, as cage numbers.
fn without_givens(constraints: &Constraints, solution: &[u8]) -> Vec<(String, Vec<u8>)> {
    let sumocue = notations::sumocue(constraints, &vec![0; constraints.cells()]);
    let mut puzzles = vec![(sumocue, solution.to_vec())];
    if !has(&constraints.variants, "jigsaw") {
        puzzles.push((notations::cage_numbers(constraints), solution.to_vec()));
    }
    puzzles
}
