//! Modes beside solving and verifying: `--reveal`, `--minimize`, `--all` and `--random`.

use std::collections::HashSet;

use crate::full;
use crate::grids::{pattern, symbols};
use crate::run::{check, check_output_lines, run, run_with, shell};

const PUZZLE: &str = "123434122143....";
const BLANK: &str = "................";

/// Runs the program, expects status 0 and no message, and returns the output lines.
fn output_lines(options: &str, input: &str) -> Vec<String> {
    let (text, messages, status) = run_with(options, input.as_bytes());
    assert_eq!((messages.as_str(), status), ("", Some(0)), "{options}");
    text.lines().map(str::to_string).collect()
}

#[test]
fn reveal_fills_one_cell_of_a_unique_puzzle() {
    check_output_lines(&[
        (PUZZLE, "--reveal r4c2", "123434122143.3..\tunique"),
        (PUZZLE, "--reveal 4,1", "1234341221434...\tunique"),
        (PUZZLE, "--reveal r1c1", "123434122143....\tgiven"),
        ("1...............", "--reveal r1c1", "1...............\tgiven"),
        (BLANK, "--reveal r1c1", "................\tmultiple"),
        ("11..............", "--reveal r4c4", "11..............\tnone"),
        ("1234341221430000 rest", "--reveal r4c4 -o puzzle,rest", "1234341221430001\trest"),
    ]);
    check(&[
        (
            "123434122143....\n",
            "--reveal r5c1",
            "123434122143....\tinvalid\n",
            "-:1: a 4x4 puzzle has no r5c1\n",
            1,
        ),
        (
            "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....\n",
            "--reveal r1c10",
            "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....\tinvalid\n",
            "-:1: a 9x9 puzzle has no r1c10\n",
            1,
        ),
        (
            "x\n",
            "--reveal r1c1 --require given",
            "x\tinvalid\n",
            "-:1: 1 cell; a 4x4 puzzle has 16\n",
            1,
        ),
    ]);
}

/// A full grid of these boxes.
fn full_grid(rows: usize, columns: usize) -> String {
    symbols(&pattern(rows, columns))
}

#[test]
fn givens_go_as_if_each_were_tried_alone_from_the_last_to_the_first() {
    let full = full_grid(2, 3);
    let mut left = full.clone().into_bytes();
    for cell in (0..36).rev() {
        let given = std::mem::replace(&mut left[cell], b'.');
        let (status, ..) = run_with("--method backtrack -o status", &left);
        if status != "unique\n" {
            left[cell] = given;
        }
    }
    let left = String::from_utf8(left).unwrap();
    assert_eq!(output_lines("--minimize", &full), [format!("{left}\tunique")]);
    // No given can go whatever the order was.
    for seed in 1..5 {
        let rows = output_lines(&format!("--minimize --random {seed} -o puzzle"), &full);
        let puzzle = rows[0].as_bytes();
        assert_eq!(output_lines("-o status", &rows[0]), ["unique"]);
        let less = (0..36).filter(|&cell| puzzle[cell] != b'.').map(|cell| {
            let mut less = puzzle.to_vec();
            less[cell] = b'.';
            String::from_utf8(less).unwrap() + "\n"
        });
        let less: String = less.collect();
        let statuses = output_lines("--method backtrack -o status", &less);
        assert!(statuses.iter().all(|status| status == "multiple"), "{puzzle:?}");
    }
}

#[test]
fn large_grids_lose_givens_alone_as_in_company_and_are_minimal_then() {
    for (rows, columns) in [(4, 4), (3, 6)] {
        let full = full_grid(rows, columns) + "\n";
        for options in ["--minimize", "--minimize --random 7"] {
            let options = format!("{options} -o puzzle,minimal");
            let alone = output_lines(&options, &full);
            assert!(alone[0].ends_with("\tyes"), "{options}: {alone:?}");
            let puzzle = alone[0].split('\t').next().unwrap();
            assert_eq!(output_lines("-o status,minimal", puzzle), ["unique\tyes"], "{puzzle}");
            let beside = format!("{full}{}\n{full}", full_grid(3, 3));
            for threads in [1, 3] {
                let together = output_lines(&format!("{options} -j{threads}"), &beside);
                assert_eq!(together[0], alone[0], "{options}");
            }
        }
    }
}

#[test]
fn what_a_limit_leaves_of_givens_is_unique_and_not_called_minimal() {
    let full = full_grid(5, 5);
    for limit in ["--max-guesses 2", "--max-time 0.05"] {
        let options = format!("-q --minimize --random 3 {limit} -o puzzle,status,minimal");
        let row = &output_lines(&options, &full)[0];
        let fields: Vec<&str> = row.split('\t').collect();
        assert_eq!(fields[1..], ["unique", "-"], "{limit}");
        assert_eq!(output_lines("-o status", fields[0]), ["unique"], "{limit}");
    }
}

/// Returns the puzzle without each of its givens in turn, one a line.
fn trials(puzzle: &str) -> String {
    let givens = puzzle.match_indices(|symbol| symbol != '.');
    givens.map(|(cell, _)| format!("{}.{}\n", &puzzle[..cell], &puzzle[cell + 1..])).collect()
}

/// Returns the statuses of these lines. Some can be unknown.
fn statuses(options: &str, lines: &str) -> Vec<String> {
    let (text, ..) = run_with(&format!("{options} -o status"), lines.as_bytes());
    text.lines().map(str::to_string).collect()
}

/// Returns the first lines of a file of data/bench.
fn bench_lines(name: &str, count: usize) -> Vec<String> {
    let path = format!("{}/data/bench/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.take(count).map(str::to_string).collect()
}

#[test]
fn the_column_minimal_at_a_guess_limit_follows_from_the_trials_at_that_limit() {
    let minimal = bench_lines("minimal", 12);
    let solutions = output_lines("-o solution", &minimal.join("\n"));
    // The same puzzles with one more given, which can be removed again.
    let more = minimal.iter().zip(&solutions).map(|(puzzle, solution)| {
        let cell = puzzle.find('.').unwrap();
        puzzle[..cell].to_string() + &solution[cell..=cell] + &puzzle[cell + 1..]
    });
    let puzzles: Vec<String> = minimal.iter().cloned().chain(more).collect();
    let mut seen = HashSet::new();
    for limit in [1, 3, 6, 50] {
        let options = format!("--max-guesses {limit}");
        let (text, ..) =
            run_with(&format!("{options} -o minimal,status"), puzzles.join("\n").as_bytes());
        for (puzzle, line) in puzzles.iter().zip(text.lines()) {
            let of_trials = statuses(&options, &trials(puzzle));
            let any = |status| of_trials.iter().any(|found| found == status);
            let expected = match line.ends_with("\tunique") {
                true if any("unique") => "no\tunique",
                true if any("unknown") => "-\tunique",
                true => "yes\tunique",
                false => "-\tunknown",
            };
            assert_eq!(line, expected, "{puzzle} {options}");
            seen.insert(expected);
        }
        assert_eq!(text.lines().count(), puzzles.len());
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn a_minimized_puzzle_with_an_undecided_trial_is_not_called_minimal() {
    let limit = "--max-guesses 1";
    let minimal = &bench_lines("minimal", 1)[0];
    let full = &output_lines("-o solution", minimal)[0];
    // At the limit every trial of a full grid is decided, and some trials of a minimal puzzle are
    // not.
    assert!(!statuses(limit, &trials(full)).contains(&"unknown".to_string()));
    assert!(statuses(limit, &trials(minimal)).contains(&"unknown".to_string()));
    for puzzle in [full, minimal] {
        for options in ["--minimize", "--minimize --random 3"] {
            let options = format!("-q {options} {limit} -o minimal,status,puzzle");
            let line = &output_lines(&options, puzzle)[0];
            let left = line.strip_prefix("-\tunique\t");
            let left = left.unwrap_or_else(|| panic!("{options}: {line}"));
            assert!(statuses(limit, &trials(left)).contains(&"unknown".to_string()));
        }
    }
}

#[test]
fn the_seed_decides_which_givens_minimize_removes() {
    // 9x9 and 18x18: cells from the whole grid, and row by row.
    for full in [full_grid(3, 3), full_grid(3, 6)] {
        let minimized = |seed| output_lines(&format!("--minimize --random {seed}"), &full);
        let first = minimized(1);
        assert_eq!(minimized(1), first);
        let in_order = output_lines("--minimize", &full);
        let all: HashSet<_> = [first, minimized(2), minimized(3), in_order].into();
        assert_eq!(all.len(), 4, "{all:?}");
    }
}

#[test]
fn minimize_removes_givens_from_the_last_while_the_solution_stays_unique() {
    check_output_lines(&[
        ("1234341221434321", "--minimize", ".23.3.1.21......\tunique"),
        ("1.....3..2.....4", "--minimize", "1.....3..2.....4\tunique"),
        (BLANK, "--minimize -q", "................\tmultiple"),
        ("11..............", "--minimize", "11..............\tnone"),
    ]);
}

#[test]
fn minimized_puzzles_are_minimal_and_keep_their_solution_in_every_order() {
    let grids = (BLANK.to_string() + "\n").repeat(40);
    let full = output_lines("--random 5 -o solution", &grids).join("\n") + "\n";
    for options in ["--minimize", "--minimize --random 1", "--minimize --random 2"] {
        let lines = output_lines(&format!("{options} -o puzzle,solution,minimal"), &full);
        for (line, solution) in lines.iter().zip(full.lines()) {
            let fields: Vec<&str> = line.split('\t').collect();
            assert_eq!((fields[1], fields[2]), (solution, "yes"), "{line}");
            let again = output_lines("--minimize", &format!("{}\n", fields[0]));
            assert_eq!(again, [format!("{}\tunique", fields[0])]);
        }
    }
}

#[test]
fn all_writes_every_solution_once_up_to_its_value() {
    let all = output_lines("--all", &format!("{BLANK}\n"));
    assert_eq!(all.len(), 288);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 288);
    assert!(all.iter().all(|line| line.ends_with("\tmultiple")));
    for most in [1, 2, 15, 16, 17, 100, 288, 289] {
        let some = output_lines(&format!("--all={most}"), &format!("{BLANK}\n"));
        assert_eq!(some, all[..most.min(288)], "the first {most}");
    }
    let lines = output_lines(
        "--all=3 -o status",
        &format!("{PUZZLE}\n# comment\n{BLANK}\n11..............\n"),
    );
    let expected = ["unique", "# comment", "multiple", "multiple", "multiple", "none"];
    assert_eq!(lines, expected);
}

#[test]
fn all_writes_solutions_in_input_order_whatever_the_neighbours() {
    let alone: Vec<String> = [PUZZLE, BLANK, "1...............", "12343412........"]
        .iter()
        .flat_map(|line| output_lines("--all", &format!("{line}\n")))
        .collect();
    let together = format!("{PUZZLE}\n{BLANK}\n1...............\n12343412........\n");
    assert_eq!(output_lines("--all", &together), alone);
    assert_eq!(output_lines("--all -j1", &together), alone);
}

#[test]
fn all_waits_for_the_searches_that_a_column_needs() {
    let blank = ".".repeat(625);
    // The first solutions of the large grids are found long after the small puzzle is solved.
    let lines = format!("1234341221434..1\n{blank}\n{blank}\n{blank}\n");
    let first = &output_lines("--all=2 -o solution,minimal", &lines)[0];
    assert_eq!(first, "1234341221434321\tno");
}

#[test]
fn an_unknown_line_follows_the_solutions_of_a_puzzle_past_the_guess_limit() {
    let blank = ".".repeat(81);
    let (text, _, status) =
        run_with("--all --max-guesses 300 -o status", format!("{blank}\n").as_bytes());
    let lines: Vec<&str> = text.lines().collect();
    let (last, others) = lines.split_last().unwrap();
    assert_eq!((*last, status), ("unknown", Some(1)));
    assert!(others.len() > 16 && others.iter().all(|line| *line == "multiple"));
    let (text, ..) = run_with("--all=5 --max-guesses 300", format!("{blank}\n").as_bytes());
    assert_eq!(text.lines().count(), 5);
}

#[test]
fn solutions_are_written_as_they_are_found() {
    let blank = ".".repeat(81);
    let line = format!(
        "echo {blank} | sudoku-filter --all --max-guesses 0 | head -20000 | sort -u | wc -l"
    );
    assert_eq!(run(shell(&line), b"").text().trim(), "20000");
}

#[test]
fn random_grids_are_reproducible_and_varied() {
    let blank = (".".repeat(81) + "\n").repeat(100);
    let grids = output_lines("--random 1 -o solution", &blank);
    assert_eq!(output_lines("--random 1 -o solution -j1", &blank), grids);
    assert_eq!(grids.iter().collect::<HashSet<_>>().len(), 100);
    let others = output_lines("--random 2 -o solution", &blank);
    assert!(others.iter().all(|grid| !grids.contains(grid)));
    // The seed of a line includes its number in the whole input. Comments count.
    let later = output_lines("--random 1 -o solution", &format!("# one\n{blank}"));
    assert_ne!(later[1], grids[0]);
    assert_eq!(later[1], grids[1], "line 2 is line 2");
    let statuses =
        output_lines("--random 9 -o status", &format!("{PUZZLE}\n{BLANK}\n11..............\n"));
    assert_eq!(statuses, ["unique", "multiple", "none"]);
}

/// Returns solutions of the first puzzles of a file of data/.
fn full_grids(file: &str, options: &str, number: usize) -> Vec<String> {
    let path = format!("{}/data/{file}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let input = lines[..number].join("\n");
    output_lines(&format!("{options} -o solution"), &input)
}

#[test]
fn minimize_stops_at_the_wanted_number_of_givens() {
    for (file, options) in
        [("classic", ""), ("diagonal", "--variant diagonal"), ("bench/16x16", "")]
    {
        let full = full_grids(file, options, 5);
        let cells = full[0].len();
        let full = full.join("\n");
        let run = |more: &str| output_lines(&format!("{options} --minimize {more}"), &full);
        for random in ["", "--random 4"] {
            for givens in [cells, cells - 1, cells / 2] {
                let lines = run(&format!("{random} --givens {givens} -o status,givens"));
                let expected = format!("unique\t{givens}");
                assert!(lines.iter().all(|line| *line == expected), "{file} {lines:?}");
            }
            // No puzzle has so few.
            let fewest = run(&format!("{random} --givens 1"));
            assert_eq!(fewest, run(random), "{file}");
        }
    }
    let few = "1.....3..2.....4\tunique";
    check_output_lines(&[(&few[..16], "--minimize --givens 10", few)]);
}

/// The rows and columns, from 0, to which the generators of a symmetry map a cell of a grid.
fn images(symmetry: &str, row: usize, column: usize, side: usize) -> Vec<(usize, usize)> {
    let (last_row, last_column) = (side - 1 - row, side - 1 - column);
    let quarter = (column, last_row);
    match symmetry {
        "half-turn" => vec![(last_row, last_column)],
        "quarter-turn" => vec![quarter],
        "left-right" => vec![(row, last_column)],
        "top-bottom" => vec![(last_row, column)],
        "diagonal" => vec![(column, row)],
        "full" => vec![quarter, (row, last_column), (last_row, column), (column, row)],
        _ => unreachable!("{symmetry}"),
    }
}

#[test]
fn minimize_keeps_a_symmetry_until_no_group_can_go() {
    for (file, options, number) in [
        ("classic", "", 8),
        ("diagonal", "--variant diagonal", 4),
        ("antiknight", "--variant antiknight", 4),
        ("bench/16x16", "", 1),
    ] {
        let grids = full_grids(file, options, full::cases(1, number)).join("\n");
        for symmetry in
            ["half-turn", "quarter-turn", "left-right", "top-bottom", "diagonal", "full"]
        {
            for random in ["", "--random 2"] {
                let columns = "-o puzzle,status,minimal";
                let run = format!("{options} --minimize --symmetry {symmetry} {random} {columns}");
                for line in output_lines(&run, &grids) {
                    let fields: Vec<&str> = line.split('\t').collect();
                    assert_eq!(fields[1], "unique", "{line}");
                    assert_symmetric_and_without_removable_group(fields[0], symmetry, options);
                    let minimal = output_lines(&format!("{options} -o minimal"), fields[0]);
                    assert_eq!(minimal, [fields[2]], "{line}");
                }
            }
        }
    }
}

fn assert_symmetric_and_without_removable_group(puzzle: &str, symmetry: &str, options: &str) {
    let cells = puzzle.as_bytes();
    let side = cells.len().isqrt();
    let mut without_a_group = String::new();
    for cell in (0..cells.len()).filter(|&cell| cells[cell] != b'.') {
        let mut left = cells.to_vec();
        let mut open = vec![(cell / side, cell % side)];
        while let Some((row, column)) = open.pop() {
            let cell = row * side + column;
            assert_ne!(cells[cell], b'.', "{symmetry}: {puzzle}");
            if std::mem::replace(&mut left[cell], b'.') != b'.' {
                open.extend(images(symmetry, row, column, side));
            }
        }
        without_a_group += &(String::from_utf8(left).unwrap() + "\n");
    }
    let statuses = output_lines(&format!("{options} -o status"), &without_a_group);
    assert!(statuses.iter().all(|status| status == "multiple"), "{symmetry}: {puzzle}");
}

#[test]
fn an_exact_number_of_givens_is_left_or_the_status_is_unknown() {
    let full = full_grids("bench/minimal", "", 10).join("\n");
    for options in ["--exact 27", "--exact 26 --random 5", "--exact 28 --symmetry half-turn"] {
        let number = &options[8..10];
        for line in output_lines(&format!("--minimize {options} -o givens,status"), &full) {
            assert_eq!(line, format!("{number}\tunique"), "{options}");
        }
    }
    // No puzzle has 16 givens, and none gets a given more than it has.
    for (number, puzzles) in
        [(16, &full), (81, &full.replacen(|digit: char| digit != '\n', ".", 1))]
    {
        let lines = output_lines(
            &format!(
                "-q --minimize --exact {number} --require unique,unknown -o puzzle,status,reason"
            ),
            puzzles,
        );
        let first = puzzles.lines().next().unwrap();
        assert_eq!(lines[0], format!("{first}\tunknown\texact"));
    }
}

#[test]
fn a_result_that_is_missing_gets_one_hint() {
    let full = "1342243142133124";
    let blank = ".".repeat(16);
    let blank_9x9 = ".".repeat(81);
    let exact = "no order of removal leaves the number of givens of --exact, so the puzzle keeps all of them";
    let several =
        "--minimize takes givens only from puzzles with one solution; this one has several";
    let limit =
        "a limit ended the search for a column, which is - here: see --max-guesses and --max-time";
    let diagonal = format!("1{}", ".".repeat(80));
    let undecided =
        "3.7.9.81..8......2.467.85.9.12.4.3877..6..9...9.3.7.2697.8..4..5.3...29.8..9.57..";
    for (options, line, output, hint) in [
        ("--minimize --exact 3", full, "1342243142133124\tunknown", Some(exact)),
        ("--minimize --exact 5 -o status", full, "unique", None),
        // A limit of the first search, not `--exact`, is the reason.
        (
            "--minimize --exact 3 --max-guesses 1 -o status,reason",
            &blank_9x9,
            "unknown\tguesses",
            None,
        ),
        ("--minimize -o status", &blank, "multiple", Some(several)),
        ("-o status,reason", &blank, "multiple\t-", None),
        (
            "--variant diagonal --max-guesses 400 -o candidates,status,reason",
            &diagonal,
            "-\tmultiple\tguesses",
            Some(limit),
        ),
        (
            "--variant diagonal --max-guesses 400 --max-time 60 -o candidates,reason",
            &diagonal,
            "-\t-",
            Some(limit),
        ),
        // Some given can go, but not each trial is decided.
        ("--max-guesses 1 -o minimal,reason", undecided, "no\t-", None),
        ("--max-guesses 1 -o minimal,redundant,reason", undecided, "no\t-\tguesses", Some(limit)),
        (
            "--input pencilmarks -o minimal,status,reason",
            "1...12341234.2..1234..3.12341234123412341234...412341234.2..1234",
            "-\tunique\t-",
            None,
        ),
    ] {
        let (found, messages, _) = run_with(options, format!("{line}\n{line}\n").as_bytes());
        assert_eq!(found, format!("{output}\n{output}\n"), "{options}");
        let hint = hint.map_or(String::new(), |hint| format!("-:1: {hint}\n"));
        assert_eq!(messages, hint, "{options}");
    }
}

#[test]
fn a_number_of_givens_and_a_symmetry_can_be_wanted_together() {
    let full = full_grids("bench/minimal", "", 10).join("\n");
    let options = "--minimize --symmetry half-turn --givens 40 -o givens,status,minimal";
    // Groups of two leave the centre and 40 other cells: the centre goes alone.
    for line in output_lines(options, &full) {
        assert!(["40\tunique\tno", "41\tunique\tno"].contains(&line.as_str()), "{line}");
    }
    for (options, message) in [
        ("--givens 3", "--givens needs --minimize or --make"),
        ("--exact 3", "--exact needs --minimize or --make"),
        ("--minimize --exact 3 --givens 3", "--givens and --exact cannot be used together"),
        ("--all --symmetry full", "--symmetry needs --minimize or --make"),
        (
            "--minimize --symmetry none",
            "--symmetry none: expected one of half-turn, quarter-turn, left-right, top-bottom, diagonal, full",
        ),
    ] {
        let (_, messages, status) = run_with(options, b"");
        assert_eq!((messages.lines().next(), status), (Some(message), Some(2)));
    }
}
