//! The man page, in roff with the macros of man(7).

use super::flags::{Flag, SECTIONS};
use super::help::{DESCRIPTION, EXIT_STATUSES, SIGPIPE, STATUSES, TECHNIQUES, technique_names};

const DATE: &str = "2026-11-26";

const EXAMPLES: [(&str, &str); 10] = [
    ("Solve puzzles, one per line:", "sudoku-filter puzzles.txt"),
    (
        "Solve puzzles with both diagonals and the four windows, from a pipe:",
        "cat puzzles.txt | sudoku-filter --variant diagonal,window",
    ),
    (
        "List the jigsaws that do not have exactly one solution; each line holds a puzzle and its layout:",
        "sudoku-filter --variant jigsaw --reject unique jigsaws.txt",
    ),
    (
        "Check answers, with the exit status as the only result:",
        "sudoku-filter --verify -q answers.txt > /dev/null",
    ),
    ("Draw up to ten solutions of each puzzle:", "sudoku-filter --all=10 --draw puzzles.txt"),
    (
        "Write ten random equivalents of each record of a CSV file, answers included:",
        "sudoku-filter --csv --shuffle=10 puzzles.csv",
    ),
    (
        "Show how hard each puzzle is for a person, and the next step:",
        "sudoku-filter -o puzzle,grade,hint puzzles.txt",
    ),
    (
        "Add a column with the status to a CSV file with a header:",
        "sudoku-filter --csv -o status puzzles.csv",
    ),
    (
        "Write a data set as CSV, with other names of columns; --output json for JSON:",
        "sudoku-filter --output csv -o question=puzzle,answer=solution,rating=difficulty puzzles.txt",
    ),
    ("Count the lines of each status:", "sudoku-filter --summary puzzles.txt > /dev/null"),
];

pub fn page() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut page = format!(
        ".TH SUDOKU\\-FILTER 1 {DATE} \"sudoku\\-filter {version}\" \"User Commands\"
.SH NAME
sudoku\\-filter \\- solves and verifies sudoku, one puzzle per line
.SH SYNOPSIS
.B sudoku\\-filter
.RI [ OPTION ]...
.RI [ FILE ]...
.SH DESCRIPTION
"
    );
    page += &filled(DESCRIPTION[0]);
    page += &terms(&STATUSES);
    page += &format!(".PP\n{}.SH OPTIONS\n", filled(DESCRIPTION[1]));
    for (title, flags) in SECTIONS {
        page += &format!(".SS {}\n", escaped(title));
        page.extend(flags.iter().map(option));
    }
    page += ".SH TECHNIQUES\n";
    page += &format!("{}.PP\n{}", filled(TECHNIQUES), filled(&technique_names()));
    page += ".SH EXIT STATUS\n";
    page += &terms(&EXIT_STATUSES);
    page += &format!(".PP\n{}.SH EXAMPLES\n", filled(SIGPIPE));
    let examples = EXAMPLES.map(|(want, command)| {
        let (want, command) = (filled(want), filled(command));
        format!("{want}.PP\n.RS 4\n.nf\n{command}.fi\n.RE\n")
    });
    page += &examples.join(".PP\n");
    page
}

/// A table becomes a list of terms.
fn option(flag: &Flag) -> String {
    let names: Vec<String> =
        flag.names().map(|name| format!("\\fB{}\\fR", escaped(name))).collect();
    let names = names.join(", ");
    let value = match flag.value() {
        None => String::new(),
        Some(value) if flag.is_optional() => format!("[=\\fI{value}\\fR]"),
        Some(value) => format!(" \\fI{value}\\fR"),
    };
    let mut item = format!(".TP\n{names}{value}\n{}", filled(flag.full));
    let rows = (flag.rows)();
    if !rows.is_empty() {
        item += &format!(".RS\n{}.RE\n", terms(&rows));
    }
    if !flag.after.is_empty() {
        item += &format!(".IP\n{}", filled(flag.after));
    }
    item
}

fn terms(rows: &[(&str, &str)]) -> String {
    let item = |(term, meaning): &(&str, &str)| {
        let (term, meaning) = (escaped(&term.replace('\n', " ")), filled(meaning));
        format!(".TP\n\\fB{term}\\fR\n{meaning}")
    };
    rows.iter().map(item).collect()
}

/// Escapes lines for roff. One that begins with `.` gets a `\&`: otherwise it would be a request.
fn filled(text: &str) -> String {
    let line = |line: &str| {
        if line.starts_with('.') {
            format!("\\&{}\n", escaped(line))
        } else {
            format!("{}\n", escaped(line))
        }
    };
    text.lines().map(line).collect()
}

/// Escapes text for roff, so that quotes and hyphens appear as they are typed. A backquote between
/// spaces is written: it is a symbol of cages written as arrows. Any other backquote begins or ends
/// bold text, and is not written.
fn escaped(text: &str) -> String {
    let mut roff = String::new();
    let mut bold = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '`' if text[..at].ends_with(' ') && text[at + 1..].starts_with(' ') => roff += "\\(ga",
            '`' => {
                bold = !bold;
                roff += if bold { "\\fB" } else { "\\fR" };
            }
            '\\' => roff += "\\e",
            '-' => roff += "\\-",
            '\'' => roff += "\\(aq",
            '^' => roff += "\\(ha",
            '~' => roff += "\\(ti",
            ' '..='}' => roff.push(letter),
            _ => roff += &format!("\\[u{:04X}]", letter as u32),
        }
    }
    roff
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::cli::args;

    #[test]
    fn characters_with_a_meaning_in_roff_are_escaped() {
        assert_eq!(
            filled(".TP\n'x\na-b\\n `c` N²"),
            "\\&.TP\n\\(aqx\na\\-b\\en \\fBc\\fR N\\[u00B2]\n"
        );
    }

    #[test]
    fn examples_are_valid_commands() {
        for (_, command) in EXAMPLES {
            let (_, arguments) = command.split_once("sudoku-filter ").unwrap();
            let arguments = arguments.split(" >").next().unwrap().split_whitespace();
            let parsed = args::parse(arguments.map(OsString::from));
            assert!(matches!(parsed, Ok(args::Command::Run(_))), "{command}: {parsed:?}");
        }
    }
}
