//! `--where`, `--distinct` and `--tally`: output lines are chosen or counted by the values of their
//! columns. `--keep`: the fields of their records.

use crate::run::{check, run_with};

const PUZZLE: &str = "1.....3..2.....4";
const BLANK: &str = "12..............";

/// Puzzles with the classes extreme, extreme, medium and medium.
const COLLECTION: &str = "\
1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....
..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..
...1.4...2........84.....9..8........3.6..5.85....21......81..676..4.3..1....5...
3.9..6.82..594..7...........2..7..........95..5...32.6....62.4...1..........9.7..
";

const CSV: &str = "\
id,note,level,puzzle
a,\"x, y\",3,1.....3..2.....4
b,y,,4.....2..3.....1
c,\"two
lines\",11,12..............
d,z,5,bad
";

const JSON: &str = "\
{\"id\":1,\"level\":3,\"puzzle\":\"1.....3..2.....4\"}
{\"id\":2,\"puzzle\":\"4.....2..3.....1\"}
{\"id\":3,\"level\":\"11\",\"puzzle\":\"12..............\"}
";

#[test]
fn a_condition_chooses_output_lines_and_every_line_counts_for_the_exit_status() {
    let input = format!("# comment\n{PUZZLE}\n\n{BLANK}\nbad\n");
    let reason = "-:5: 3 cells; a 4x4 puzzle has 16\n";
    for (options, output) in [
        ("--where status=unique -o puzzle", format!("{PUZZLE}\n")),
        ("--where status!=unique -o status", "multiple\ninvalid\n".to_string()),
        ("--where status=unique --select multiple", String::new()),
        ("--where line=4.. --select multiple -o line", "4\n".to_string()),
        // An invalid line has no givens, and stands for the grid that it lacks.
        ("--where givens=-", "bad\tinvalid\n".to_string()),
        ("--where puzzle=- -o puzzle", "bad\n".to_string()),
        ("--where givens=..4 --where solutions=2.. -o line,solutions", "4\t2+\n".to_string()),
    ] {
        check(&[(&input, options, &output, reason, 1)]);
    }
}

#[test]
fn a_condition_can_name_a_column_that_is_not_shown() {
    for (options, lines) in [
        ("--where class=extreme", "1\n2\n"),
        ("--where class!=extreme,easy", "3\n4\n"),
        ("--where difficulty=1.5..6.6", "1\n3\n4\n"),
        ("--where difficulty=..6.5", "3\n4\n"),
        ("--where difficulty=1.5 --where line=4", "4\n"),
        ("--where grade=search,skyscraper", "1\n2\n"),
        ("--where minimal=yes", "2\n3\n4\n"),
        ("--where redundant=-", "2\n3\n4\n"),
        ("--where reached!=- --where level=28", "2\n"),
        ("--where techniques=x", ""),
        ("--where steps=50..57", "1\n"),
        ("--where automorphisms=1", "1\n2\n3\n4\n"),
        ("--where candidates!=- --where guesses=1..9", "1\n"),
        ("--where hardest=forcing-x-chain,dynamic-chains-with-chains", "1\n2\n"),
        ("--where pearl=..1.2 --where diamond=1.2 --where hardest=hidden-single", "3\n4\n"),
        ("--where solutions=1", "1\n2\n3\n4\n"),
        ("--where second=-", "1\n2\n3\n4\n"),
        ("--where class=b --classes a=2,b", "1\n2\n"),
        ("--where grade=search --techniques 1.5", "1\n2\n"),
        ("--where status=unique --where class=extreme --random 3 -j2", "1\n2\n"),
    ] {
        check(&[(COLLECTION, &format!("-o line {options}"), lines, "", 0)]);
    }
}

#[test]
fn every_mode_chooses_among_its_own_output_lines() {
    let answers = format!("{PUZZLE} 1342243142133124\n{PUZZLE} 1342243142133142\n");
    for (input, options, output) in [
        (BLANK, "--all --where solution=1234341221434321 -o line,status", "1\tmultiple\n"),
        (PUZZLE, "--remove 1 --where status=unique -o puzzle", ""),
        (PUZZLE, "--remove 1 --where puzzle=1.....3........4 -o status", "multiple\n"),
        ("1.....3........4", "--add 1 --where givens=4 --max 2 -o status", "unique\nunique\n"),
        (PUZZLE, "--shuffle=3 --random 1 --where puzzle=1.....3..2.....4", ""),
        (PUZZLE, "--minimize --where givens=..4 -o givens", "4\n"),
        (PUZZLE, "--reveal r1c2 --where givens=5", "13....3..2.....4\tunique\n"),
        (&answers, "--verify --where conflicts=1.. -o line", "2\n"),
        (&answers, "--verify --where matching=12 -o line", "1\n"),
        (&answers, "--verify --where grade=naked-single --where status=correct -o line", "1\n"),
    ] {
        let (found, ..) = run_with(options, input.as_bytes());
        assert_eq!(found, output, "{options}");
    }
}

#[test]
fn a_condition_can_name_a_field_of_the_input() {
    let header = "id,note,level,puzzle,status\n";
    let bad = "-:6: 3 cells; a 4x4 puzzle has 16\n";
    let hint = "-:2: the column level is that of the program; input.level is that of the input\n";
    for (options, records, messages) in [
        (
            "--where input.level=4..",
            "c,\"two\nlines\",11,12..............,multiple\nd,z,5,bad,invalid\n",
            bad.into(),
        ),
        ("--where input.level=-", "b,y,,4.....2..3.....1,unique\n", bad.into()),
        (
            "--where level=1 --where id=a",
            "a,\"x, y\",3,1.....3..2.....4,unique\n",
            format!("{hint}{bad}"),
        ),
        ("--where id!=a,b,c", "d,z,5,bad,invalid\n", bad.to_string()),
        ("--where id=e", "", bad.to_string()),
    ] {
        let output = format!("{header}{records}");
        check(&[(CSV, &format!("--csv -o status {options}"), &output, &messages, 1)]);
    }
    let unknown = "-: neither the header nor the program has a column 'lvl'; the header is id,note,level,puzzle\n";
    check(&[
        (CSV, "--csv --where lvl=3", "", unknown, 2),
        (
            JSON,
            "--json --output lines -o id --where input.level=..10",
            "1\n",
            "-:2: the object has no key 'level', so it has no value\n",
            0,
        ),
        (
            JSON,
            "--json -q --where input.level=11 -o level",
            "{\"id\":3,\"level\":\"11\",\"puzzle\":\"12..............\",\"level_found\":null}\n",
            "",
            0,
        ),
        ("7 1.....3..2.....4\n", "--fields id,puzzle -o id --where id=7", "7\n", "", 0),
    ]);
}

#[test]
fn a_tally_has_the_number_of_lines_with_each_value() {
    let bad = "-:5: 3 cells; a 4x4 puzzle has 16\n";
    let mixed = format!("# comment\n{PUZZLE}\n\n{BLANK}\nbad\n{BLANK}\n");
    let bad_record = "-:6: 3 cells; a 4x4 puzzle has 16\n";
    let no_level = "-:2: the object has no key 'level', so it has no value\n";
    for (input, options, output, messages, status) in [
        (
            &*mixed,
            "--tally status",
            "status\tunique\t1\nstatus\tmultiple\t2\nstatus\tinvalid\t1\n",
            bad,
            1,
        ),
        (
            &mixed,
            "--tally solutions",
            "solutions\t1\t1\nsolutions\t2+\t2\nsolutions\t-\t1\n",
            bad,
            1,
        ),
        (
            &mixed,
            "--tally status --select multiple --where givens=2",
            "status\tmultiple\t2\n",
            bad,
            1,
        ),
        (&mixed, "--tally status --where givens=9", "", bad, 1),
        (
            &mixed,
            "--tally n=givens --output csv",
            "column,value,count\nn,2,2\nn,4,1\nn,-,1\n",
            bad,
            1,
        ),
        ("", "--tally status", "", "", 0),
        ("", "--tally status --output csv", "column,value,count\n", "", 0),
        (
            COLLECTION,
            "--tally class,difficulty,hardest,grade,minimal -j2",
            "class\tmedium\t2\nclass\textreme\t2\n\
             difficulty\t1.5\t2\ndifficulty\t6.6\t1\ndifficulty\t10.5\t1\n\
             hardest\thidden-single\t2\nhardest\tforcing-x-chain\t1\n\
             hardest\tdynamic-chains-with-chains\t1\n\
             grade\thidden-single\t2\ngrade\tskyscraper\t1\ngrade\tsearch\t1\n\
             minimal\tyes\t3\nminimal\tno\t1\n",
            "",
            0,
        ),
        (
            CSV,
            "--csv --tally note,input.level",
            "column,value,count\nnote,\"two\nlines\",1\nnote,\"x, y\",1\nnote,y,1\nnote,z,1\n\
             input.level,3,1\ninput.level,5,1\ninput.level,11,1\ninput.level,-,1\n",
            bad_record,
            1,
        ),
        (
            CSV,
            "--csv --output lines --where id=c --tally note",
            "note\ttwo lines\t1\n",
            bad_record,
            1,
        ),
        (
            JSON,
            "--json --tally input.level,status",
            "{\"column\":\"input.level\",\"value\":3,\"count\":1}\n\
             {\"column\":\"input.level\",\"value\":\"11\",\"count\":1}\n\
             {\"column\":\"input.level\",\"value\":null,\"count\":1}\n\
             {\"column\":\"status\",\"value\":\"unique\",\"count\":2}\n\
             {\"column\":\"status\",\"value\":\"multiple\",\"count\":1}\n",
            no_level,
            0,
        ),
        (PUZZLE, "--remove 1 --tally givens,status", "givens\t3\t4\nstatus\tmultiple\t4\n", "", 0),
        (PUZZLE, "--shuffle=5 --tally givens", "givens\t4\t5\n", "", 0),
        (PUZZLE, "--all --tally status", "status\tunique\t1\n", "", 0),
        // The puzzle states its rules, which no line shows.
        ("sudoku/4/4/1u", "--shuffle --tally givens", "givens\t1\t1\n", "", 0),
    ] {
        check(&[(input, options, output, messages, status)]);
    }
    for (options, reason) in [
        ("--tally class -o line", "--tally and -o cannot be used together"),
        ("--tally class --draw", "--tally needs lines, csv or json as the output"),
        (
            "--tally status,status",
            "--tally has two columns named 'status'; NAME=COLUMN renames one",
        ),
    ] {
        let (_, messages, status) = run_with(options, b"");
        assert_eq!((messages.lines().next(), status), (Some(reason), Some(2)), "{options}");
    }
    let (_, messages, _) = run_with("--tally gravens", b"");
    let meant = "--tally gravens: unknown column 'gravens'; did you mean givens?; ";
    assert!(messages.starts_with(meant), "{messages}");
}

#[test]
fn only_the_first_line_with_each_value_is_distinct() {
    let bad = "-:6: 3 cells; a 4x4 puzzle has 16\n";
    // The same solution for two puzzles, and no solution for two lines.
    let lines = format!("# comment\n{PUZZLE}\n13....3..2.....4\nbad\n1122............\nbad\n");
    let bad_lines = "-:4: 3 cells; a 4x4 puzzle has 16\n-:6: 3 cells; a 4x4 puzzle has 16\n";
    for (input, options, output, messages, status) in [
        (COLLECTION, "--distinct canonical -o line", "1\n2\n3\n", "", 0),
        (COLLECTION, "--distinct class -o line,class -j2", "1\textreme\n3\tmedium\n", "", 0),
        (COLLECTION, "--where line=2.. --distinct class -o line", "2\n3\n", "", 0),
        (COLLECTION, "--distinct class --tally line", "line\t1\t1\nline\t3\t1\n", "", 0),
        (COLLECTION, "--distinct class --select multiple", "", "", 0),
        (
            COLLECTION,
            "--distinct minimal --output json -o line",
            "{\"line\":1}\n{\"line\":2}\n",
            "",
            0,
        ),
        (&*lines, "--distinct status -o line", "2\n4\n5\n", bad_lines, 1),
        // Lines without a value are all written; the puzzle stands for the solution of 1122....
        (&lines, "--distinct solution -o line", "2\n4\n5\n6\n", bad_lines, 1),
        (&lines, "--distinct solution --where solution!=- -o line", "2\n5\n", bad_lines, 1),
        (
            CSV,
            "--csv --distinct canonical -o status",
            "id,note,level,puzzle,status\na,\"x, y\",3,1.....3..2.....4,unique\n\
             c,\"two\nlines\",11,12..............,multiple\nd,z,5,bad,invalid\n",
            bad,
            1,
        ),
        (JSON, "--json --distinct solutions --output lines -o id", "1\n3\n", "", 0),
        (BLANK, "--all=9 --distinct line -o line", "1\n", "", 0),
        (PUZZLE, "--remove 1 --distinct canonical -o puzzle", "......3..2.....4\n", "", 0),
        (PUZZLE, "--shuffle=50 --random 1 --distinct givens -o givens", "4\n", "", 0),
    ] {
        check(&[(input, options, output, messages, status)]);
    }
    let drawn = run_with("--draw -o puzzle --distinct canonical", COLLECTION.as_bytes()).0;
    assert_eq!(drawn.lines().filter(|line| line.is_empty()).count(), 3, "{drawn}");
    let (_, messages, status) = run_with("--csv --distinct lvl", CSV.as_bytes());
    assert!(
        messages.contains("neither the header nor the program has a column 'lvl'"),
        "{messages}"
    );
    assert_eq!(status, Some(2));
}

#[test]
fn only_kept_fields_are_copied() {
    let csv = "id;\"a;b\";puzzle;solution\n1;\"x;\"\"y\"\"\";1.....3..2.....4;z\n2;u\n";
    let bad = "-:3: 2 fields; the header has 4 fields\n";
    let json = "{\"id\":1,\"x\":{\"q\":2,\n\"board\":\"1.....3..2.....4\"},\"\u{e9}\":[1,\n2],\"note\":\"n\"}\n";
    for (input, options, output, messages, status) in [
        (
            csv,
            "--csv --keep a;b,id -o status",
            "id;\"a;b\";status\n1;\"x;\"\"y\"\"\";unique\n\"2;u\";-;invalid\n",
            bad,
            1,
        ),
        (
            csv,
            "--csv --keep none",
            "solution;status\n1342243142133124;unique\n\"2;u\";invalid\n",
            bad,
            1,
        ),
        (csv, "--csv --keep none -o status", "status\nunique\ninvalid\n", bad, 1),
        // A field that is not kept leaves its name to a column, and can be one itself.
        (
            csv,
            "--csv --keep solution -o solution,id",
            "solution;solution_found;id\nz;1342243142133124;1\n\"2;u\";-;-\n",
            bad,
            1,
        ),
        (csv, "--csv --keep id -o id,status", "id;status\n1;unique\n\"2;u\";invalid\n", bad, 1),
        (
            "puzzle,id\n1.....3..2.....4,7\n",
            "--csv --shuffle --keep puzzle",
            "puzzle\n.4.....1..2.3...\n",
            "",
            0,
        ),
        (
            "puzzle,cages,id\n1.....3..2.....4,-,7\n",
            "--csv --minimize --keep none --variant killer -o puzzle,cages",
            "puzzle,cages\n1.....3..2.....4,-\n",
            "",
            0,
        ),
        (
            json,
            "--json --header puzzle=x.board --keep \u{e9} -o status",
            "{\"\u{e9}\":[1,2],\"status\":\"unique\"}\n",
            "",
            0,
        ),
        (
            json,
            "--json --header puzzle=x.board --keep x --shuffle",
            "{\"x\":{\"q\":2,\"board\":\"..4..3..2......1\"}}\n",
            "",
            0,
        ),
        (
            json,
            "--json --header puzzle=x.board --keep none -o note,status",
            "{\"note\":\"n\",\"status\":\"unique\"}\n",
            "",
            0,
        ),
        (
            json,
            "--json --header puzzle=x.board --keep idd -o status",
            "{\"status\":\"unique\"}\n",
            "-:1: the object has no key 'idd', so it has no value\n",
            0,
        ),
        (
            JSON,
            "--keep id -o givens --where line=3",
            "{\"id\":3,\"givens\":2}\n",
            "-: read as JSON (--json); --input lines reads lines\n",
            0,
        ),
    ] {
        check(&[(input, options, output, messages, status)]);
    }
    let unknown = "-: --keep: the header has no column 'foo'; the header is id,note,level,puzzle\n";
    check(&[(CSV, "--csv --keep id,foo", "", unknown, 2)]);
    for (options, reason) in [
        (
            "--keep id --output lines --csv",
            "--keep needs CSV or JSON, and an output of the same form",
        ),
        ("--keep id --input grid", "--keep needs CSV or JSON, and an output of the same form"),
        ("--keep id --tally status --csv", "--keep and --tally cannot be used together"),
        (
            "--keep none --shuffle --csv",
            "--keep none leaves no field for --shuffle; -o names columns",
        ),
        ("--keep id,, --csv", "--keep id,,: expected names separated by commas, or none"),
    ] {
        let (_, messages, status) = run_with(options, b"");
        assert_eq!((messages.lines().next(), status), (Some(reason), Some(2)), "{options}");
    }
    let lines =
        "-: this is lines, and --keep chooses fields of CSV or JSON that are written as such\n";
    check(&[(PUZZLE, "--keep id", "", lines, 2)]);
}

#[test]
fn a_faulty_condition_is_a_usage_error() {
    for (options, reason) in [
        (
            "--where class=hrad",
            "--where class=hrad: the column class is never 'hrad'; its values are easy, medium, hard, extreme; did you mean hard?",
        ),
        ("--where class", "--where class: expected COLUMN=VALUES or COLUMN!=VALUES"),
        (
            "--where minimal=y",
            "--where minimal=y: the column minimal is never 'y'; its values are yes, no",
        ),
        (
            "--where status=correct",
            "no line can have status 'correct' in this mode; the statuses are unique, multiple, none, unknown, invalid",
        ),
        (
            "--shuffle --where class=easy",
            "the column class cannot be used with --shuffle, which does not solve puzzles",
        ),
        ("--where score=1", "the column score needs --verify"),
        ("--where givens=4..2", "--where givens=4..2: no number is in 4..2"),
        (
            "--classes a=2,b --where level=3",
            "--classes needs the column class in -o, --where, --tally or --distinct",
        ),
    ] {
        let (_, messages, status) = run_with(options, b"");
        assert_eq!((messages.lines().next(), status), (Some(reason), Some(2)), "{options}");
    }
    for (options, beginning) in [
        ("--where clas=hard", "--where clas=hard: unknown column 'clas'; did you mean class?; "),
        (
            "--where input.level=3",
            "-: this is lines, and 'level' is no column of the program; --csv and --json read",
        ),
    ] {
        let (_, messages, status) = run_with(options, PUZZLE.as_bytes());
        assert!(messages.starts_with(beginning), "{messages}");
        assert_eq!(status, Some(2), "{messages}");
    }
    let (_, messages, _) = run_with("--where grade=skyscrapper", b"");
    let first = messages.lines().next().unwrap();
    assert!(first.ends_with("did you mean skyscraper?"), "{messages}");
}

/// The form of the input is recognised.
#[test]
fn fields_of_csv_and_json_are_columns_without_the_name_of_a_form() {
    let csv = "id,puzzle\na,1.....3..2.....4\nb,................\n";
    let json = concat!(
        "{\"id\":\"a\",\"puzzle\":\"1.....3..2.....4\"}\n",
        "{\"id\":\"b\",\"puzzle\":\"................\"}\n",
    );
    for (options, expected) in [
        ("--output lines -o id,status", "a\tunique\nb\tmultiple\n"),
        ("--output lines -o status --where id=b", "multiple\n"),
        ("--output lines --tally id", "id\ta\t1\nid\tb\t1\n"),
        ("--output lines -o id --distinct id", "a\nb\n"),
    ] {
        for input in [csv, json] {
            let (output, _, status) = run_with(options, input.as_bytes());
            assert_eq!((&*output, status), (expected, Some(0)), "{options}");
        }
    }
    for options in ["-o id", "--where id=a", "--distinct id", "--tally id"] {
        let (output, messages, status) = run_with(options, PUZZLE.as_bytes());
        assert_eq!((&*output, status), ("", Some(2)), "{options}");
        assert!(messages.contains("'id' is no column of the program"), "{messages}");
    }
}
