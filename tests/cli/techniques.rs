//! The columns about the solution of a person with a choice of techniques (`--techniques`), the steps
//! of puzzles without solution, and the cells in which two solutions differ.

use crate::run::{check, run_with};

const PUZZLE: &str = "1.....3..2.....4";

/// Needs a unique rectangle, or techniques above it.
const RECTANGLE: &str =
    "9..5...3..8......2....379...67....2..2....4.5.43.8........26..3..19...6...6...8..";

#[test]
fn only_the_chosen_techniques_are_used() {
    let hidden = "r1c2=3 hidden-single row 1";
    let first = |techniques: &str| {
        let options = format!("--techniques {techniques} -o hint");
        run_with(&options, format!("{PUZZLE}\n").as_bytes()).0
    };
    assert_eq!(first("hidden-single"), format!("{hidden}\n"));
    assert!(first("naked-single").contains("naked-single"));
    check(&[
        (
            PUZZLE,
            "--techniques x-wing -o grade,level,steps,path,hint",
            "search\t28\t0\tstuck\t-\n",
            "",
            0,
        ),
        (PUZZLE, "--techniques 2.3 -o grade", "naked-single\n", "", 0),
        (PUZZLE, "--techniques 1.5 -o grade", "hidden-single\n", "", 0),
        (
            RECTANGLE,
            "--techniques 4.5 -o grade,techniques",
            "search\tunique-rectangle:1,hidden-single:22,naked-single:34\n",
            "",
            0,
        ),
    ]);
    let refused = "--techniques needs one of the columns grade, level, steps, hint, path, techniques, boards, reached, reached_candidates or reason in -o, --where, --tally or --distinct";
    for options in ["", "-o solution,difficulty", "--verify", "--output csv --count=2"] {
        let (_, messages, status) = run_with(&format!("--techniques 2.3 {options}"), b"");
        assert_eq!((messages.lines().next(), status), (Some(refused), Some(2)), "{options}");
    }
    for (list, begin, end) in [
        (
            "xwing",
            "'xwing' is not a technique; the techniques are naked-single, ",
            "als-xz, and those of the scale; did you mean x-wing?",
        ),
        ("1.0", "'1.0' is not a level of a technique; ", "those of the scale"),
        ("nan", "'nan' is not a technique; ", "those of the scale"),
    ] {
        let (_, messages, status) = run_with(&format!("--techniques {list}"), b"");
        let message = messages.lines().next().unwrap_or_default();
        let begin = format!("--techniques {list}: {begin}");
        let is_expected = message.starts_with(&begin) && message.ends_with(end);
        assert!(is_expected && status == Some(2), "{messages}");
    }
}

#[test]
fn the_grade_of_an_upper_bound_is_the_grade_or_search() {
    let file = "data/bench/hard.txt";
    let (all, ..) = run_with(&format!("-o level,grade {file}"), b"");
    let (some, ..) = run_with(&format!("--techniques 4.4 -o level,grade {file}"), b"");
    let scale = "naked-single hidden-single locked-candidates naked-pair hidden-pair naked-triple hidden-triple x-wing swordfish xy-wing xyz-wing -";
    let mut searches = 0;
    for (all, some) in all.lines().zip(some.lines()) {
        let (_, grade) = all.split_once('\t').unwrap();
        let is_within = scale.split(' ').any(|name| name == grade);
        if all != some {
            searches += 1;
            assert!(!is_within || some.ends_with("xyz-wing"), "{all} {some}");
        }
    }
    assert!(searches > 0);
}

#[test]
fn the_path_of_a_puzzle_without_solution_ends_at_the_contradiction() {
    check(&[
        (
            "12..\n..3.\n....\n...4",
            "--input grid -o status,reason,path",
            "none\tr1c4 has no candidate\t-\n",
            "",
            0,
        ),
        (
            "1.....3..2.4...4",
            "-o status,reason,path,hint",
            "none\tcolumn 4 has 4 twice: r3c4 r4c4\t-\t-\n",
            "",
            0,
        ),
    ]);
    let wrong = "5976....1..2975.....41......7....9....35..1..8..4.7....6.8.1.34.....4..5......6..";
    let (output, ..) = run_with("-o status,reason,path,steps,hint", wrong.as_bytes());
    let begin = "none\tr9c9 has no candidate\tr8c5=6 hidden-single row 8; ";
    assert!(output.starts_with(begin), "{output}");
    assert!(output.ends_with("\t-\t-\n"), "{output}");
    // With fewer techniques, only a search shows that there is no solution.
    check(&[(wrong, "--techniques naked-single -o status,reason,path", "none\t-\t-\n", "", 0)]);
}

#[test]
fn the_cells_in_which_two_solutions_differ_are_listed() {
    check(&[
        (
            "12..............",
            "-o differ,solution,second",
            "r3c2,r3c4,r4c2,r4c4\t1234341221434321\t1234341223414123\n",
            "",
            0,
        ),
        (PUZZLE, "-o differ", "-\n", "", 0),
        (
            "12..............",
            "--output json -o differ --all=1",
            "{\"differ\":[\"r3c2\",\"r3c4\",\"r4c2\",\"r4c4\"]}\n",
            "",
            0,
        ),
    ]);
}

#[test]
fn answers_are_checked_and_puzzles_solved_in_one_run() {
    check(&[(
        "1.....3..2.....4 1342243142133124\n1.....3..2.....4 1342243142133142\n12.............. 1234341221434321\n12.............. 12\n",
        "--verify -o status,reason,solution,grade,minimal,solutions,differ,canonical -q",
        "correct\t-\t1342243142133124\tnaked-single\tyes\t1\t-\t...1.2....3.4...\n\
         incorrect\tr4c4 is 2, given 4\t1342243142133124\tnaked-single\tyes\t1\t-\t...1.2....3.4...\n\
         correct\t-\t1234341221434321\t-\t-\t2+\tr3c2,r3c4,r4c2,r4c4\t..............12\n\
         invalid\t2 cells in the answer, 16 in the puzzle\t12.............. 12\t-\t-\t-\t-\t-\n",
        "",
        1,
    )]);
}
