//! The columns `minimal` and `redundant` of puzzles with cages and stated rules, against their plain
//! twin: every clue is left out of the text, and the program says how many solutions are left. The
//! judges do the same for every rule of constraint strings.

use std::collections::HashSet;

use crate::run::{check_output_lines, run_with};

/// Returns the cells of each cage of arrows up to 9x9. A 0 that no arrow reaches is no cage.
fn cages_of(arrows: &str) -> Vec<Vec<usize>> {
    let side = arrows.len().isqrt() as isize;
    let symbols = arrows.as_bytes();
    let sum_of = |mut cell: usize| loop {
        let [rows, columns] = match symbols[cell] {
            b'<' => [0, -1],
            b'>' => [0, 1],
            b'^' => [-1, 0],
            b'v' => [1, 0],
            b'`' => [-1, -1],
            b'\'' => [-1, 1],
            b',' => [1, -1],
            b'.' => [1, 1],
            _ => return cell,
        };
        cell = cell.checked_add_signed(rows * side + columns).unwrap();
    };
    let mut cages: Vec<Vec<usize>> = Vec::new();
    for cell in 0..arrows.len() {
        match cages.iter_mut().find(|cage| sum_of(cage[0]) == sum_of(cell)) {
            Some(cage) => cage.push(cell),
            None => cages.push(vec![cell]),
        }
    }
    cages.retain(|cage| cage.len() > 1 || symbols[cage[0]] != b'0');
    cages
}

/// Returns the line with these cells blank: a given, or a cage in the field of the arrows.
fn without(fields: &[&str], field: usize, cells: &[usize], blank: u8) -> String {
    let mut fields: Vec<Vec<u8>> = fields.iter().map(|field| field.as_bytes().to_vec()).collect();
    cells.iter().for_each(|&cell| fields[field][cell] = blank);
    String::from_utf8(fields.join(&b' ')).unwrap()
}

/// Returns the names of all clues, each with the line that lacks it. The fields are separated by
/// blanks, the last one has the cages if `has_cages` is set.
pub fn lines_without_clues(line: &str, has_cages: bool) -> Vec<(String, String)> {
    let fields: Vec<&str> = line.split(' ').collect();
    let side = fields[0].len().isqrt();
    let place = |cell: usize| format!("r{}c{}", 1 + cell / side, 1 + cell % side);
    let givens = (0..fields[0].len()).filter(|&cell| &fields[0][cell..=cell] != ".");
    let givens = givens.map(|cell| (place(cell), without(&fields, 0, &[cell], b'.')));
    let last = fields.len() - 1;
    let cages = if has_cages { cages_of(fields[last]) } else { Vec::new() };
    let without_cage = |cage: &Vec<usize>| {
        (format!("cage at {}", place(cage[0])), without(&fields, last, cage, b'0'))
    };
    givens.chain(cages.iter().map(without_cage)).collect()
}

/// Returns the values of `redundant` and `minimal` that follow from the statuses of the lines
/// without one clue.
pub fn expected_of(line: &str, options: &str) -> [String; 2] {
    let clues = lines_without_clues(line, options.contains("killer"));
    let lines: Vec<&str> = clues.iter().map(|(_, line)| &**line).collect();
    let (statuses, ..) = run_with(&format!("{options} -q -o status"), lines.join("\n").as_bytes());
    let with = |wanted: &str| -> Vec<&str> {
        let found = statuses.lines().zip(&clues).filter(|(status, _)| *status == wanted);
        found.map(|(_, (name, _))| &**name).collect()
    };
    let (redundant, unknown) = (with("unique"), with("unknown"));
    match (redundant.is_empty(), unknown.is_empty()) {
        _ if clues.is_empty() => ["-", "-"].map(str::to_string),
        (true, true) => ["-", "yes"].map(str::to_string),
        (true, false) => ["-", "-"].map(str::to_string),
        (false, true) => [redundant.join(","), "no".to_string()],
        (false, false) => ["-", "no"].map(str::to_string),
    }
}

/// The puzzle and the arrows of lines of a file of killers.
fn killers(file: &str, number: usize) -> Vec<String> {
    let text = std::fs::read_to_string(format!("data/{file}.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let is_small = |line: &&str| line.split('\t').next().is_some_and(|puzzle| puzzle.len() <= 81);
    lines.filter(is_small).take(number).map(|line| line.replace('\t', " ")).collect()
}

#[test]
fn a_cage_is_redundant_if_the_line_without_it_has_one_solution() {
    let mut seen = HashSet::new();
    for (file, options, number) in [
        ("killer", "--variant killer", 24),
        ("killer-diagonal", "--variant killer,diagonal", 8),
        ("killer-jigsaw", "--variant killer,jigsaw", 8),
    ] {
        let lines = killers(file, number);
        let (found, ..) = run_with(
            &format!("{options} -q -o status,redundant,minimal"),
            lines.join("\n").as_bytes(),
        );
        assert_eq!(found.lines().count(), lines.len(), "{file}");
        for (line, found) in lines.iter().zip(found.lines()) {
            let expected = match found.strip_prefix("unique\t") {
                Some(_) => expected_of(line, options),
                None => ["-", "-"].map(str::to_string),
            };
            assert_eq!(found.split_once('\t').unwrap().1, expected.join("\t"), "{line}");
            seen.insert(expected[1].clone());
        }
    }
    assert!(seen.contains("no"), "{seen:?}");
}

#[test]
fn without_redundant_clues_one_after_the_other_a_killer_is_minimal() {
    let options = "--variant killer";
    let mut line = KILLER.to_string();
    loop {
        let (found, ..) = run_with(&format!("{options} -o redundant,minimal"), line.as_bytes());
        assert_eq!(found.trim_end(), expected_of(&line, options).join("\t"), "{line}");
        let Some(redundant) = found.strip_suffix("\tno\n") else {
            assert_eq!(found, "-\tyes\n", "{line}");
            return;
        };
        // The last one is a cage as long as one is there.
        let last = redundant.split(',').next_back().unwrap();
        let mut clues = lines_without_clues(&line, true).into_iter();
        line = clues.find(|(name, _)| name == last).unwrap().1;
    }
}

#[test]
fn a_limit_of_guesses_holds_for_each_cage() {
    let options = "--variant killer";
    let lines = killers("killer", 24);
    // The search for a given that is left out excludes its digit, so it takes other guesses.
    let lines = lines.iter().filter(|line| line.starts_with("................"));
    let mut seen = HashSet::new();
    for line in lines {
        for limit in [1, 4, 20] {
            let options = format!("{options} --max-guesses {limit}");
            let (found, ..) =
                run_with(&format!("{options} -q -o status,redundant,minimal"), line.as_bytes());
            if let Some(found) = found.strip_prefix("unique\t") {
                let expected = expected_of(line, &options);
                assert_eq!(found.trim_end(), expected.join("\t"), "{line} {options}");
                seen.insert((expected[0] == "-", expected[1].clone()));
            }
        }
    }
    assert!(seen.contains(&(true, "no".to_string())), "no limit was reached: {seen:?}");
}

const KILLER: &str = ".2...3.....4.41. A<00^`70A<^0^`^0";

#[test]
fn cages_and_rules_are_tested_wherever_givens_are() {
    let rules = ".Shape~4x4.~R2C1_3.Thermo~R1C1~R1C2~R1C3~R1C4.Cage~7~R2C1~R2C2\
        .Cage~0~R2C2~R3C1.Quad~R3C1~2.~R3C2_1.~R4C3_2.Thermo~R1C1~R1C2";
    let verified = format!("{rules} 1234341221434321");
    // A cage that shares a cell with an earlier one comes after all others.
    let names = "cage at r2c1,cage at r2c2,quadruple at r3c1,thermometer at r1c1";
    let list = "\"cage at r2c1\",\"cage at r2c2\",\"quadruple at r3c1\",\"thermometer at r1c1\"";
    // A mark that a rule of the whole grid excepts: without it, the solution breaks that rule.
    let marks = ".Shape~4x4.StrictXV.V~R1C2~R1C3.V~R2C2~R2C3.V~R3C2~R3C3.V~R4C2~R4C3.V~R2C1~R3C1\
        .V~R2C2~R3C2.V~R2C3~R3C3.V~R2C4~R3C4.~R1C1_1.~R1C2_2.~R1C3_3.~R2C1_3.~R2C2_4.~R3C1_2";
    // Rules of the run and of the whole grid, houses and groups are no clues.
    let houses = ".Shape~4x4.Diagonal~1.Diagonal~-1.AllDifferent~R1C1~R2C4\
        .~R1C1_1.~R1C2_2.~R1C3_3.~R2C1_3";
    // Neither are pencilmarks.
    let pencilmarks = ".Shape~4x4.~R1C1_1_2.Thermo~R1C1~R1C2~R1C3~R1C4.~R2C2_4.~R3C2_1.~R4C3_2";
    // Several rules state the same of two cells: each of them could go.
    let same = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3~R1C4.Renban~R1C1~R1C2.GreaterThan~R1C2~R1C1\
        .Thermo~R1C1~R1C2.~R2C2_4.~R3C2_1.~R4C3_2";
    check_output_lines(&[
        (rules, "-o status,redundant,minimal", &format!("unique\t{names}\tno")),
        (rules, "-o redundant --output json", &format!("{{\"redundant\":[{list}]}}")),
        (rules, "--where minimal=no --where redundant!=- -o minimal", "no"),
        (&verified, "--verify -o status,redundant", &format!("correct\t{names}")),
        (marks, "-o status,redundant", "unique\tr1c1,r1c2,r1c3,r2c1,r2c2,r3c1"),
        (houses, "-o status,minimal,redundant", "unique\tno\tr1c3,r2c1"),
        (pencilmarks, "-o status,minimal,redundant", "unique\t-\t-"),
        (
            same,
            "-o status,redundant",
            "unique\trenban at r1c1,inequality at r1c2,thermometer at r1c1",
        ),
    ]);
}

#[test]
fn a_minimized_killer_keeps_its_cages_and_names_those_that_could_go() {
    let options = "--variant killer --minimize -o puzzle,cages,redundant,minimal";
    let (found, ..) = run_with(options, KILLER.as_bytes());
    let fields: Vec<&str> = found.trim_end().split('\t').collect();
    let line = [fields[0], fields[1]].join(" ");
    assert_eq!(fields[2..], expected_of(&line, "--variant killer"), "{found}");
    assert!(fields[2].starts_with("cage at "), "{found}");
}
