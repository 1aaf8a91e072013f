//! Random puzzles in all notations, written by all modes, are read back as the same puzzles.
//!
//! A puzzle is written in each form that can express it. The program must give all forms the same
//! status, number of solutions and canonical form. Then each mode writes these lines, and the
//! options that `data/notations.md` names read its output.
//!
//! `ROUND_TRIPS=N` makes N puzzles of each size instead of a few.

mod forms;
mod puzzles;

use crate::full;
use crate::generator::random::Random;
use crate::run::run_with;
use crate::skip::is_installed;
use forms::{FORMS, Form};
use puzzles::Puzzle;

/// Limits of a search, so that nearly blank puzzles do not take long.
const LIMITS: &str = "--count 20 --max-guesses 300";
/// The columns that a round trip keeps.
const COLUMNS: &str = "-o status,solutions,canonical,solution";

/// The answer to a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    status: String,
    solutions: String,
    canonical: String,
    solution: String,
}

impl Answer {
    /// Returns whether a puzzle with the answer `other` can be an equivalent of this one.
    fn is_equivalent(&self, other: &Answer) -> bool {
        // A symmetry changes the order of a search, so it can reach its limit earlier or later.
        let is_unknown = self.status == "unknown" || other.status == "unknown";
        let is_status = is_unknown || self.status == other.status;
        let is_number = self.at_least() <= other.at_most() && other.at_least() <= self.at_most();
        self.canonical == other.canonical && is_status && is_number
    }

    /// Returns the number of solutions that were found. A `+` behind it says that there can be
    /// more.
    fn at_least(&self) -> u32 {
        let found = self.solutions.trim_end_matches('+');
        found.parse().unwrap_or(0)
    }

    /// Returns the number of solutions, if it is exact.
    fn at_most(&self) -> u32 {
        self.solutions.parse().unwrap_or(u32::MAX)
    }
}

/// Lines of one form, read with the same options.
struct Lines {
    name: String,
    options: String,
    /// True if lines state their rules, in notations that are only read.
    state_rules: bool,
    header: String,
    lines: Vec<String>,
    answers: Vec<Answer>,
}

/// Returns the answers to lines. `header` is empty unless they are CSV records.
fn answers(name: &str, options: &str, header: &str, lines: &[String]) -> Vec<Answer> {
    let separator = separator_of(header);
    let input = input(header, lines);
    let (output, messages, _) =
        run_with(&format!("{options} {LIMITS} {COLUMNS}"), input.as_bytes());
    assert_eq!(messages, "", "{name}: {options}");
    let output = output.lines().skip(usize::from(!header.is_empty()));
    let answers: Vec<Answer> = output.map(|line| answer(line, separator)).collect();
    assert_eq!(answers.len(), lines.len(), "{name}: {options}");
    answers
}

fn separator_of(header: &str) -> char {
    let separator = header.chars().find(|symbol| ",;".contains(*symbol));
    separator.unwrap_or('\t')
}

fn input(header: &str, lines: &[String]) -> String {
    let header = (!header.is_empty()).then_some(header);
    let lines = lines.iter().map(String::as_str);
    header.into_iter().chain(lines).map(|line| format!("{line}\n")).collect()
}

/// Reads the last four fields of an output line.
fn answer(line: &str, separator: char) -> Answer {
    let mut fields = fields_of(line, separator).into_iter().rev();
    let mut next = || fields.next().expect(line);
    let [solution, canonical, solutions, status] = [next(), next(), next(), next()];
    Answer { status, solutions, canonical, solution }
}

/// Splits a CSV record, whose quoted fields hold no quotes.
fn fields_of(line: &str, separator: char) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    for symbol in line.chars() {
        match symbol {
            '"' => is_quoted = !is_quoted,
            _ if symbol == separator && !is_quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is a field").push(symbol),
        }
    }
    fields
}

/// Returns the lines of all puzzles in a form, with their answers, and the index of each puzzle.
fn lines_of(form: &Form, has_diagonals: bool, puzzles: &[Puzzle]) -> (Lines, Vec<usize>) {
    let of_kind = (0..puzzles.len()).filter(|&index| puzzles[index].has_diagonals == has_diagonals);
    let lines = of_kind.filter_map(|index| Some((index, form.line(&puzzles[index])?)));
    let (indices, lines): (Vec<usize>, Vec<String>) = lines.unzip();
    let options = form.options(has_diagonals);
    let answers = if lines.is_empty() {
        Vec::new()
    } else {
        answers(form.name, &options, form.header, &lines)
    };
    let lines = Lines {
        name: form.name.to_string(),
        options,
        state_rules: form.states_diagonals,
        header: form.header.to_string(),
        lines,
        answers,
    };
    (lines, indices)
}

/// The options that read the columns `puzzle,regions,cages`, which state no diagonals without
/// cages.
fn options_of_columns(options: &str) -> String {
    // `killer` is enough if no line has regions.
    let is_killer = options.contains("killer") && !options.contains("jigsaw");
    let variants = if is_killer { "killer" } else { "killer,jigsaw" };
    if options.contains("diagonal") {
        format!("--variant {variants},diagonal")
    } else {
        format!("--variant {variants}")
    }
}

/// What a mode does to a puzzle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Nothing.
    Same,
    /// Equivalents of it are written.
    Equivalent,
    /// It stays unique, with the same solution.
    Solution,
}

impl Change {
    fn allows(self, before: &Answer, after: &Answer) -> bool {
        match self {
            Change::Equivalent => before.is_equivalent(after),
            // A search for the harder puzzle can reach its limit.
            Change::Solution if before.status == "unique" && after.status == "unknown" => true,
            Change::Solution if before.status == "unique" => {
                (&*after.status, &after.solution) == ("unique", &before.solution)
            }
            Change::Same | Change::Solution => before == after,
        }
    }
}

/// The modes that write puzzles.
const MODES: [(&str, Change); 4] = [
    ("--max-guesses 300", Change::Same),
    ("--shuffle", Change::Equivalent),
    ("--minimize --max-guesses 300", Change::Solution),
    ("--reveal r1c2 --max-guesses 300", Change::Solution),
];

impl Lines {
    /// Asserts that what each mode writes is read back.
    fn check_modes(&self) {
        for (mode, change) in MODES {
            if self.header.is_empty() {
                self.check_mode_of_lines(mode, change)
            } else {
                self.check_mode_of_csv(mode, change)
            }
        }
    }

    fn check_mode_of_lines(&self, mode: &str, change: Change) {
        let columns = format!("{mode} -o puzzle,regions,cages");
        let output = self.written(&columns);
        self.check(&columns, change, &output, &options_of_columns(&self.options), "");
        if change == Change::Same {
            return;
        }
        let output = self.written(mode);
        let options = &self.options_of_output();
        self.check(mode, change, &output, options, "");
    }

    fn check_mode_of_csv(&self, mode: &str, change: Change) {
        let columns = format!("{mode} -o puzzle,regions,cages");
        let mut output = self.written(&columns);
        let header = output.remove(0);
        // The columns of the output, whether the input has columns of these names or not.
        let separator = separator_of(&header);
        let names: Vec<&str> = header.split(separator).rev().take(3).collect();
        let [cages, regions, puzzle] = names[..] else { panic!("{header}") };
        let names = format!("--csv --header puzzle={puzzle},regions={regions},cages={cages}");
        let options = format!("{names} {}", options_of_columns(&self.options));
        self.check(&columns, change, &output, &options, &header);
        if change == Change::Same {
            return;
        }
        let mut output = self.written(mode);
        let header = output.remove(0);
        let names = match change {
            Change::Solution => "--header puzzle=puzzle_found",
            _ => "",
        };
        let options = format!("{} {names}", self.options_of_output());
        self.check(mode, change, &output, &options, &header);
    }

    /// Returns the options that read what a mode writes by default.
    fn options_of_output(&self) -> String {
        if self.state_rules {
            format!("{} --variant killer,jigsaw", self.options)
        } else {
            self.options.clone()
        }
    }

    /// Returns what a mode writes.
    fn written(&self, mode: &str) -> Vec<String> {
        let options = format!("-q {} {mode}", self.options);
        let input = input(&self.header, &self.lines);
        let (output, messages, _) = run_with(&options, input.as_bytes());
        assert_eq!(messages, "", "{}: {options}", self.name);
        output.lines().map(str::to_string).collect()
    }

    /// Asserts that the output of a mode has the answers of the lines, changed as the mode does.
    fn check(&self, mode: &str, change: Change, output: &[String], options: &str, header: &str) {
        assert_eq!(output.len(), self.lines.len(), "{} {mode}", self.name);
        let found = answers(&format!("{} {mode}", self.name), options, header, output);
        for (index, (before, after)) in self.answers.iter().zip(&found).enumerate() {
            assert!(
                change.allows(before, after),
                "{}: {} {mode}\n{}\nbecomes, with {options}\n{header}\n{}\n{before:?}\n{after:?}",
                self.name,
                self.options,
                self.lines[index],
                output[index]
            );
        }
    }
}

/// Returns the number of puzzles of each size; `all` are those of a full run.
fn number_of_puzzles(all: usize) -> usize {
    let number = std::env::var("ROUND_TRIPS").ok();
    match number {
        Some(number) => number.parse().expect("ROUND_TRIPS is a number"),
        None => full::cases(all.div_ceil(4), all),
    }
}

/// The form of a puzzle, its line, and the answer to it.
type Known = (&'static str, String, Answer);

/// Makes puzzles of each side, and checks all forms and modes.
fn check_sides(sides: std::ops::RangeInclusive<usize>, number: usize) {
    let number = number_of_puzzles(number);
    let mut puzzles = Vec::new();
    for side in sides {
        let random = &mut Random::of(&format!("round trips {side}"));
        puzzles.extend((0..number).map(|_| puzzles::puzzle(side, random)));
    }
    let mut first: Vec<[Option<Known>; 2]> = puzzles.iter().map(|_| [None, None]).collect();
    let mut trips = 0;
    for form in &FORMS {
        for has_diagonals in [false, true] {
            let (lines, indices) = lines_of(form, has_diagonals, &puzzles);
            if indices.is_empty() {
                continue;
            }
            for (index, (line, answer)) in
                indices.iter().zip(lines.lines.iter().zip(&lines.answers))
            {
                let of_form = (form.name, line.clone(), answer.clone());
                // The canonical form also says whether a line states its diagonals.
                let (name, other, known) =
                    first[*index][usize::from(form.states_diagonals)].get_or_insert(of_form);
                assert!(
                    known.is_equivalent(answer),
                    "{}\n{line}\n{answer:?}\n{name}\n{other}\n{known:?}",
                    form.name
                );
            }
            lines.check_modes();
            trips += 7 * indices.len();
        }
    }
    println!("{} puzzles, {trips} round trips", puzzles.len());
}

/// Parameters of Solo: every kind of puzzle that it generates, in several sizes.
const KINDS_OF_SOLO: [&str; 34] = [
    "2x2", "2x2x", "2x2k", "2x2xk", "4j", "4jx", "4jk", "4jxk", "2x3", "2x3x", "2x3k", "2x3xk",
    "3x2", "5j", "5jk", "6j", "6jx", "6jk", "6jxk", "7j", "7jk", "2x4", "2x4k", "8j", "3x3",
    "3x3x", "3x3k", "3x3xk", "3x3db", "3x3kda", "9j", "9jk", "3x4", "4x4",
];

#[test]
fn game_ids_of_solo_are_read_back() {
    if !is_installed("sgt-solo") {
        return;
    }
    let number = number_of_puzzles(5);
    let mut ids = Vec::new();
    for kind in KINDS_OF_SOLO {
        let folder = crate::run::Folder::new();
        let mut generate =
            crate::run::shell(&format!("timeout 60 sgt-solo --generate {number} '{kind}#1'"));
        generate.current_dir(&folder.0);
        let of_kind = crate::run::run(generate, b"").text();
        println!("{kind}: {}", of_kind.lines().count());
        ids.extend(of_kind.lines().map(str::to_string));
    }
    for header in ["", "id;puzzle"] {
        let lines: Vec<String> = match header {
            "" => ids.clone(),
            _ => ids.iter().map(|id| format!("x;\"{id}\"")).collect(),
        };
        let options = if header.is_empty() { "" } else { "--csv" };
        let lines = Lines {
            name: "Solo".to_string(),
            options: options.to_string(),
            state_rules: true,
            header: header.to_string(),
            answers: answers("Solo", options, header, &lines),
            lines,
        };
        let statuses = lines.answers.iter().map(|answer| &*answer.status);
        assert_eq!(statuses.filter(|&status| status == "unique").count(), ids.len());
        lines.check_modes();
    }
    println!("{} game IDs", ids.len());
}

#[test]
fn small_puzzles_are_read_back() {
    check_sides(2..=6, 20);
}

#[test]
fn puzzles_up_to_9x9_are_read_back() {
    check_sides(7..=9, 15);
}

#[test]
fn puzzles_up_to_16x16_are_read_back() {
    check_sides(10..=16, 4);
}

#[test]
fn puzzles_up_to_25x25_are_read_back() {
    check_sides(17..=25, 4);
}
