//! `--shuffle`: equivalents of puzzles, with their layouts and answers. `identity.rs` compares
//! numbers of threads.

use std::collections::{BTreeMap, HashSet};
use std::fs;

use crate::grids::{pattern, symbols};
use crate::run::{Folder, check, run, run_with, shell};

/// Runs the program, expects status 0 and no message, and returns the output.
fn output(options: &str, input: &str) -> String {
    let (text, messages, status) = run_with(options, input.as_bytes());
    assert_eq!((messages.as_str(), status), ("", Some(0)), "{options}");
    text
}

/// Returns the puzzles of data/ by their variants: those of the ordinary files, of many-* and of
/// none-*.
fn puzzles_of_data() -> BTreeMap<String, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let mut puzzles: BTreeMap<String, String> = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let is_other = name == "malformed" || name == "self-describing";
        if path.extension().is_none_or(|it| it != "txt") || is_other {
            continue;
        }
        let name = name.trim_start_matches("many-").trim_start_matches("none-");
        let variants = match name {
            "sizes" => "classic".to_string(),
            "center-dot" => name.to_string(),
            _ => name.replace('-', ","),
        };
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().filter(|line| !line.is_empty());
        let lines = lines.filter(|line| !line.starts_with('#'));
        let lines: String = lines.map(|line| format!("{line}\n")).collect();
        *puzzles.entry(variants).or_default() += &lines;
    }
    puzzles
}

/// Returns a limit within which nearly all puzzles of data/ with these variants are solved. Killers
/// with few cages take many guesses.
fn max_guesses(variants: &str) -> &'static str {
    if variants.contains("killer") { "--max-guesses 100000" } else { "--max-guesses 30000" }
}

/// Returns each line this number of times.
fn repeated(text: &str, times: usize) -> String {
    let lines = text.lines();
    lines.map(|line| format!("{line}\n").repeat(times)).collect()
}

#[test]
fn equivalents_of_boxes_that_are_rows_have_one_canonical_form() {
    let cages = "3<".to_string() + &"0".repeat(23);
    let line = format!("{}\t{cages}\n", ".".repeat(25));
    let options = "--variant killer --box 1x5";
    let shuffled = format!("{options} --shuffle=6 -o puzzle,cages");
    let (equivalents, ..) = run_with(&shuffled, line.as_bytes());
    let (forms, ..) = run_with(&format!("{options} -o canonical"), equivalents.as_bytes());
    let forms: Vec<&str> = forms.lines().collect();
    assert_eq!(forms.len(), 6);
    assert!(forms.iter().all(|form| *form == forms[0]), "{forms:?}");
}

#[test]
fn equivalents_have_the_canonical_form_the_status_and_the_grade_of_their_original() {
    let puzzles = puzzles_of_data();
    assert!(puzzles.len() > 15, "{:?}", puzzles.keys());
    for (variants, originals) in puzzles {
        let options = format!("--variant {variants}");
        let equivalents = output(&format!("{options} --shuffle=3"), &originals);
        let describe = |lines: &str| {
            let options = format!("{options} -q {}", max_guesses(&variants));
            run_with(&format!("{options} -o canonical,status,grade,givens"), lines.as_bytes()).0
        };
        let expected = repeated(&describe(&originals), 3);
        let found = describe(&equivalents);
        let triples = originals.lines().flat_map(|line| [line; 3]);
        for (original, (found, expected)) in triples.zip(found.lines().zip(expected.lines())) {
            assert_eq!(found, expected, "{variants}: {original}");
        }
        assert_eq!(found.lines().count(), expected.lines().count());
        let different: HashSet<&str> = equivalents.lines().collect();
        assert!(different.len() > originals.lines().count(), "{variants}");
    }
}

#[test]
fn answers_and_layouts_change_with_their_puzzle() {
    for (variants, originals) in puzzles_of_data() {
        let options = format!("--variant {variants}");
        let has_layouts = variants.contains("jigsaw") || variants.contains("regions");
        let mut fields = vec!["puzzle"];
        fields.extend(has_layouts.then_some("regions"));
        fields.extend(variants.contains("killer").then_some("cages"));
        let fields = fields.join(",");
        let select = format!("-q --select unique,multiple {}", max_guesses(&variants));
        let solved =
            run_with(&format!("{options} {select} -o {fields},solution"), originals.as_bytes()).0;
        let shuffled = output(&format!("{options} --shuffle=3 -o {fields},answer"), &solved);
        assert_eq!(shuffled.lines().count(), 3 * solved.lines().count());
        output(&format!("{options} --verify"), &shuffled);
    }
}

/// Returns a line with a blank puzzle and a random solution of it.
fn blank_and_solution(options: &str, side: usize) -> String {
    let blank = ".".repeat(side * side);
    output(&format!("{options} --random 5 -o puzzle,solution"), &blank)
}

#[test]
fn equivalents_of_every_size_obey_the_rules() {
    let groups = |side: usize, cells: &[usize]| -> String {
        let symbols = (0..side * side).map(|cell| if cells.contains(&cell) { 'A' } else { '.' });
        symbols.collect()
    };
    for (side, options) in [
        (4, "--variant diagonal".to_string()),
        (6, "--variant disjoint".to_string()),
        (6, "--box 3x2".to_string()),
        (8, "--box 1x8 --variant diagonal".to_string()),
        (9, "--variant nonconsecutive".to_string()),
        (9, format!("--extra {}", groups(9, &[0, 12, 24, 40]))),
        (9, format!("--extra {}", groups(9, &[40, 50, 60]))),
        (9, format!("--extra {} --variant antiking", groups(9, &[0, 12]))),
        (10, "--variant antiking".to_string()),
        (12, String::new()),
        (12, "--variant diagonal".to_string()),
        (12, format!("--extra {}", groups(12, &[0, 17, 143]))),
        (16, String::new()),
        (16, "--variant window".to_string()),
        (16, "--variant disjoint".to_string()),
        (16, "--box 2x8".to_string()),
        (16, format!("--extra {}", groups(16, &[0, 15, 17]))),
        (25, String::new()),
    ] {
        let original = match side {
            25 => format!("{}\t{}", ".".repeat(625), symbols(&pattern(5, 5))),
            _ => blank_and_solution(&options, side),
        };
        let equivalents = output(&format!("{options} --shuffle=200 -o puzzle,answer"), &original);
        // `--verify` of all lines, and no two answers alike.
        output(&format!("{options} --verify"), &equivalents);
        let different: HashSet<&str> = equivalents.lines().collect();
        assert!(different.len() > 10, "{side} {options}: {}", different.len());
    }
}

#[test]
fn a_layout_that_all_lines_share_stays() {
    // The quarter-turns preserve this layout. Only the identity preserves the other one, so only
    // digits are renamed.
    for (layout, positions) in [("AAABCABBCCDBCDDD", 4), ("AAABACCBDDCBDDCB", 1)] {
        let options = format!("--regions {layout}");
        let solution = output(&format!("{options} -o solution"), &".".repeat(16));
        let line = format!("1...............\t{solution}");
        // A first given that is no digit of the solution would be a contradiction.
        let line = line.replacen('1', &solution[..1], 1);
        let equivalents = output(&format!("{options} --shuffle=100 -o puzzle,answer"), &line);
        output(&format!("{options} --verify"), &equivalents);
        let position = |line: &str| line.find(|symbol| symbol != '.').unwrap();
        let found: HashSet<usize> = equivalents.lines().map(position).collect();
        assert_eq!(found.len(), positions, "{layout}");
    }
}

#[test]
fn pencilmark_puzzles_keep_their_status_and_their_answers() {
    let blank = ".".repeat(81);
    let solution = output("--random 3 -o solution", &blank);
    let solution = solution.trim();
    // Each cell allows the digit of the solution and the next one, in the order of digits.
    let marks: String = solution
        .chars()
        .flat_map(|symbol| {
            let digit = symbol.to_digit(10).unwrap();
            let next = digit % 9 + 1;
            (1..=9).map(move |mark| {
                if mark == digit || mark == next {
                    char::from_digit(mark, 10).unwrap()
                } else {
                    '0'
                }
            })
        })
        .collect();
    for (options, some) in [("", 9), ("--variant nonconsecutive", 2)] {
        let line = format!("{marks} {solution}\n");
        let equivalents = output(&format!("{options} --shuffle=20 -o puzzle,answer"), &line);
        assert_eq!(equivalents.lines().count(), 20);
        let different: HashSet<&str> = equivalents.lines().collect();
        assert!(different.len() > some);
        if options.is_empty() {
            output("--verify", &equivalents);
            let status = output("-o status", &marks);
            assert_eq!(output("-o status", &equivalents), status.repeat(20));
        }
    }
}

#[test]
fn comments_and_invalid_lines_are_written_once() {
    check(&[
        (
            "# a comment\n\n1.....3..2.....4 rest\n11..............\n12\n",
            "--shuffle=2",
            "# a comment\n\n\
             ..4.1......3.2..\n\
             3......1.2....4.\n\
             ...3...3........\n\
             ........22......\n\
             12\n",
            "-:5: 2 cells; a 4x4 puzzle has 16\n",
            1,
        ),
        (
            "1.....3..2.....4 x\ny\n",
            "--shuffle=2 -q -o line,status,reason,rest,givens,blanks,input",
            "1\tshuffled\t-\tx\t4\t12\t1.....3..2.....4 x\n\
             1\tshuffled\t-\tx\t4\t12\t1.....3..2.....4 x\n\
             2\tinvalid\t1 cell; a 4x4 puzzle has 16\t-\t-\t-\ty\n",
            "",
            1,
        ),
        ("1.....3..2.....4\ny\n", "--shuffle -q --select invalid", "y\n", "", 1),
    ]);
}

#[test]
fn the_first_equivalents_do_not_depend_on_their_number() {
    let lines = "1.....3..2.....4\n12..............\n";
    for seed in ["", "--random 1"] {
        let three = output(&format!("--shuffle=3 {seed}"), lines);
        let one = output(&format!("--shuffle {seed}"), lines);
        let three: Vec<&str> = three.lines().collect();
        assert_eq!(one.lines().collect::<Vec<_>>(), [three[0], three[3]]);
    }
    let of_seed = |seed: &str| output(&format!("--shuffle=3 {seed}"), lines);
    assert_eq!(of_seed(""), of_seed("--random 0"));
    assert_ne!(of_seed(""), of_seed("--random 1"));
    // Equal lines have different equivalents.
    let equal = output("--shuffle", &"1.....3..2.....4\n".repeat(20));
    let different: HashSet<&str> = equal.lines().collect();
    assert!(different.len() > 15);
}

#[test]
fn blank_cells_and_letters_keep_their_symbols() {
    let grid = symbols(&pattern(4, 4));
    let small = grid.to_lowercase();
    for (blank, full) in [('0', &grid), ('_', &small), ('x', &small)] {
        let puzzle: String = full
            .chars()
            .enumerate()
            .map(|(cell, symbol)| if cell % 3 == 0 { blank } else { symbol })
            .collect();
        let line = format!("{puzzle} {grid}\n");
        let equivalents = output("--shuffle=20 -o puzzle,answer", &line);
        for line in equivalents.lines() {
            let (image, answer) = line.split_once('\t').unwrap();
            let number = |text: &str| text.matches(blank).count();
            assert_eq!(number(image), number(&puzzle), "{image}");
            let letters = |is_case: fn(&char) -> bool| image.chars().filter(is_case).count();
            let capitals = letters(char::is_ascii_uppercase);
            assert_eq!(capitals > 0, full == &grid, "{image}");
            assert_eq!(answer, answer.to_uppercase());
        }
    }
    let images = output("--symbols abcd --shuffle=9", "a.....c..b.....d");
    assert!(images.lines().all(|image| {
        let mut symbols: Vec<char> = image.chars().collect();
        symbols.sort_unstable();
        symbols.into_iter().collect::<String>() == "............abcd"
    }));
}

#[test]
fn the_fields_of_a_line_are_written_in_their_order() {
    check(&[
        (
            "7\t1342243142133124\tof monday\t1.....3..2.....4\n8\t-\tx\t1.....3..2.....4\n9\t12\t\t1.....3..2.....4\n",
            "--fields id,answer,note,puzzle --shuffle",
            "7\t1243431221343421\tof monday\t..4..3..2......1\n\
             8\t-\tx\t.4.....1..2.3...\n\
             -\t9 12  1.....3..2.....4\t-\t-\n",
            "-:3: 2 cells in the answer, 16 in the puzzle\n",
            1,
        ),
        (
            "1.....3..2.....4 134224314213312x\n1.....3..2.....4 134224314213312y\n1.....3..2.....4\n",
            "--shuffle -o puzzle,answer",
            "..4..3..2......1\t124343122134342x\n\
             1.....3..2.....4 134224314213312y\t-\n\
             ..4.1......3.2..\t-\n",
            "-:2: answer: 'y' at r4c4 is neither a digit of a 4x4 puzzle nor a blank\n",
            1,
        ),
    ]);
}

#[test]
fn csv_records_keep_their_other_columns() {
    check(&[
        (
            "id,quizzes,solutions,\"a, b\"\n\
             1,\"1.....3..2.....4\",1342243142133124,\"x, \"\"y\"\"\"\n\
             2,1.....3..2.....4,,\n\
             3,1.....3..2.....4,12,z\n\
             4\n",
            "--csv --shuffle=2",
            "id,quizzes,solutions,\"a, b\"\n\
             1,.4.....1..2.3...,1432234141233214,\"x, \"\"y\"\"\"\n\
             1,..1.3....4.....2,4213312424311342,\"x, \"\"y\"\"\"\n\
             2,..4.1......3.2..,,\n\
             2,3......1.2....4.,,\n\
             3,1.....3..2.....4,12,z\n\
             4,-,-,-\n",
            "-:4: 2 cells in the answer, 16 in the puzzle\n\
             -:5: 1 field; the header has 4 fields\n",
            1,
        ),
        (
            "puzzle;n\n1.....3..2.....4;7\n",
            "--csv --shuffle -o line,status",
            "puzzle;n;line;status\n.4.....1..2.3...;7;2;shuffled\n",
            "",
            0,
        ),
        (
            "puzzle,map\n1.....3..2.....4AAABCABBCCDBCDDD,x\n",
            "--csv --variant jigsaw --shuffle",
            "puzzle,map\n...1.2....4.3... BAAABBACBDCCDDDC,x\n",
            "",
            0,
        ),
        (
            "puzzle,regions\n1.....3..2.....4,AAABCABBCCDBCDDD\n",
            "--csv --variant jigsaw --shuffle",
            "puzzle,regions\n...1.2....4.3...,BAAABBACBDCCDDDC\n",
            "",
            0,
        ),
    ]);
    // Without a blank between them, the 256 symbols of the puzzle and those of its layout would be
    // pencilmarks of an 8x8.
    let layout: String = ('A'..='P').map(|label| label.to_string().repeat(16)).collect();
    let record = format!("puzzle\n1{} {layout}\n", ".".repeat(255));
    let options = "--csv --variant jigsaw --input pencilmarks";
    let shuffled = output(&format!("{options} --shuffle"), &record);
    let read = output(&format!("{options} -o status,givens"), &shuffled);
    assert!(read.ends_with(",multiple,1\n"), "{read}");
    let folder = Folder::new();
    folder.file("two.csv", "puzzle,answer,solution\n1.....3..2.....4,,\n");
    let refused = folder.run("--csv --shuffle two.csv", b"");
    assert_eq!(
        (refused.messages.as_str(), refused.status),
        (
            "sudoku-filter: two.csv: the header has two columns of answers: answer and solution; --header answer=NAME chooses the one that changes with the puzzle\n",
            Some(2)
        )
    );
    let chosen = folder.run("--csv --shuffle --header answer=solution two.csv", b"");
    assert_eq!(chosen.status, Some(0));
}

/// A short text in a column called `regions` is a note.
#[test]
fn a_note_in_place_of_a_layout_stays_in_its_column() {
    let csv = "puzzle,regions\n................ 76<3^^A2^'^57<^^,a\n";
    let shuffled = output("--csv --variant killer --shuffle", csv);
    let (_, record) = shuffled.split_once('\n').unwrap();
    assert!(record.starts_with("................ ") && record.ends_with(",a\n"), "{record}");
    let read = output("--csv --variant killer -o status,regions", &shuffled);
    assert!(read.ends_with(",a,unique,-\n"), "{read}");
}

#[test]
fn a_copied_solution_that_would_not_change_is_named() {
    let (puzzle, solution) = ("1.....3..2.....4", "1342243142133124");
    let folder = Folder::new();
    for (name, text, reason) in [
        ("other.csv", "puzzle,solution,solved\nP,S,S\n", "'solved' has a solution, @ --keep"),
        (
            "found.csv",
            "puzzle,solution_found\nP,S\n",
            "'solution_found' has a solution, @ --header answer=solution_found changes it",
        ),
        (
            "none.csv",
            "id,puzzle,result\n7,P,S\n",
            "'result' has a solution, @ --header answer=result",
        ),
        (
            "other.json",
            r#"{"puzzle":"P","solution":"S","x":{"y":"S"}}"#,
            "'x' has a solution, @ --keep",
        ),
        (
            "list.json",
            r#"{"puzzle":"P","x":[[1,3,4,2],[2,4,3,1],[4,2,1,3],[3,1,2,4]]}"#,
            "'x' has a solution, @ --header answer=x changes it",
        ),
    ] {
        folder.file(name, text.replace('P', puzzle).replace('S', solution));
        let shuffled = folder.run(&format!("--shuffle {name}"), b"");
        let reason = reason.replace('@', "which does not change with the puzzle;");
        assert!(shuffled.messages.contains(&reason), "{}", shuffled.messages);
        assert_eq!(shuffled.status, Some(1), "{name}");
        // Lines copy nothing, and neither need other modes the solution.
        for options in ["--shuffle --output lines", "--minimize", "--shuffle --keep puzzle"] {
            let form = name.rsplit('.').next().unwrap();
            let run = folder.run(&format!("--{form} {options} {name}"), b"");
            assert_eq!((run.messages.as_str(), run.status), ("", Some(0)), "{options} {name}");
        }
    }
    let path =
        r#"{"puzzle":"P","m":{"solution":"S"},"n":"1342242143132124.","s":"1.4...3..2.....4"}"#;
    let path = path.replace('P', puzzle).replace('S', solution);
    let shuffled = folder.run("--shuffle --header answer=m.solution --json", path.as_bytes());
    assert_eq!((shuffled.messages.as_str(), shuffled.status), ("", Some(0)));
}

#[test]
fn drawn_equivalents_can_be_read_again() {
    let lines = "1.....3..2.....4\n12..............\n";
    let drawn = output("--shuffle=2 --draw", lines);
    let read = output("--input grid -o puzzle", &drawn);
    assert_eq!(read, output("--shuffle=2", lines));
    // The borders are those of the moved layout.
    let line = "3.4.....4.31..2. BAAABACCBCCDBDDD\n";
    let drawn = output("--variant jigsaw --shuffle=5 --draw", line);
    let moved = output("--variant jigsaw --shuffle=5", line);
    for (drawn, moved) in drawn.split("\n\n").zip(moved.lines()) {
        let (_, regions) = moved.split_once('\t').unwrap();
        let expected = output("--variant jigsaw -o puzzle,regions --draw", moved);
        assert_eq!(format!("{drawn}\n\n"), expected, "{regions}");
    }
}

#[test]
fn equivalents_are_written_as_they_are_drawn() {
    let line = "echo 1.....3..2.....4 | sudoku-filter --shuffle=1000000000 | head -20000 | wc -l";
    assert_eq!(run(shell(line), b"").text().trim(), "20000");
}
