//! Parses the command line into options, by the table in `flags.rs`. Opens no files.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};

use super::arguments::{Arguments, CommandOptions, StrayValue};
use super::flags::{self, Action, Flag, Offer};
use super::page::Page;
use super::suggestion;
use super::values::{names, number};

#[derive(Debug)]
pub enum Command {
    Run(Box<CommandOptions>),
    Print(Page),
}

#[derive(Debug, Default)]
struct CommandLine {
    arguments: Arguments,
    parsed: Vec<ParsedOption>,
    /// The name of the previous argument, if it is an option whose optional value is omitted.
    without_value: Option<&'static str>,
}

#[derive(Debug)]
struct ParsedOption {
    /// The usage text of its flag. No other flag has the same text, so it identifies the flag.
    usage: &'static str,
    written: String,
    /// `None` if an optional value is omitted. For an [`Action::List`], the items of all values.
    value: Option<String>,
}

/// Parses the arguments, without the name of the program. `-h`, `-V` and their long forms end the
/// parsing: later arguments are ignored. With `--generate` instead, all arguments are parsed, but
/// not checked against each other.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut parser = Parser::from_args(arguments);
    let mut line = CommandLine::default();
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        let written = match argument {
            Arg::Value(file) => {
                line.add_file(file.into());
                continue;
            }
            Arg::Short(short) => format!("-{short}"),
            Arg::Long(long) => format!("--{long}"),
        };
        if let Some(page) = line.apply(&written, &mut parser)? {
            return Ok(Command::Print(page));
        }
    }
    if let Some(page) = line.arguments.page {
        return Ok(Command::Print(page));
    }
    Ok(Command::Run(Box::new(line.arguments.combine()?)))
}

impl CommandLine {
    fn add_file(&mut self, file: PathBuf) {
        if let Some(option) = self.without_value.take() {
            let name = file.to_str().unwrap_or_default();
            let could_be_value = match option {
                "--draw" => names(&flags::DRAWINGS).contains(&name),
                _ => number(name).is_ok(),
            };
            if could_be_value && self.arguments.run.stray_value.is_none() {
                let file = file.clone();
                self.arguments.run.stray_value = Some(StrayValue { option, file });
            }
        }
        self.arguments.run.files.push(file);
    }

    /// Returns the page of an [`Action::Print`] option, at which the caller ends the parsing.
    fn apply(&mut self, written: &str, parser: &mut Parser) -> Result<Option<Page>, String> {
        let named = |flag: &'static Flag| {
            let name = flag.names().find(|name| *name == written);
            name.map(|name| (flag, name))
        };
        let Some((flag, name)) = flags::all().find_map(named) else {
            let options: Vec<_> =
                flags::all().map(|it| (it.names().collect(), it.offer().words())).collect();
            let suggestion = suggestion::of_option(written, &options);
            return Err(format!("invalid option '{written}'{suggestion}"));
        };
        let value = match flag.action {
            Action::Print { short, long } => {
                return Ok(Some(if name.starts_with("--") { long } else { short }));
            }
            Action::Switch(set) => {
                set(&mut self.arguments);
                None
            }
            Action::OptionalValue(_) => parser.optional_value(),
            _ => Some(parser.value().map_err(|error| error.to_string())?),
        };
        let text = |value: OsString| value.string().map_err(|error| format!("{name}: {error}"));
        let value = value.map(text).transpose()?;
        let is_omitted = flag.is_optional() && value.is_none();
        self.without_value = is_omitted.then_some(name);
        self.set(flag, name, value)?;
        Ok(None)
    }

    fn set(
        &mut self,
        flag: &'static Flag,
        name: &str,
        value: Option<String>,
    ) -> Result<(), String> {
        let parsed = self.merged(flag, name, value)?;
        let text = parsed.value.as_deref().unwrap_or_default();
        let result = match flag.action {
            Action::Value(_, set) | Action::List(_, set) | Action::Each(set) => {
                set(&mut self.arguments, text)
            }
            Action::OptionalValue(set) => set(&mut self.arguments, parsed.value.as_deref()),
            // `apply` sets switches itself, and does not call `set` for a page.
            Action::Switch(_) | Action::Print { .. } => Ok(()),
        };
        if let Err(reason) = result {
            let suggestion = suggestion::of_list(text, &flag.offer().words());
            return Err(format!("{}: {reason}{suggestion}", parsed.written));
        }
        self.parsed.push(parsed);
        Ok(())
    }

    /// Returns an error if an option that can have only one value had another value earlier.
    fn merged(
        &self,
        flag: &'static Flag,
        name: &str,
        value: Option<String>,
    ) -> Result<ParsedOption, String> {
        let usage = flag.usage;
        let earlier = self.parsed.iter().rev().find(|parsed| parsed.usage == usage);
        let value = match flag.action {
            Action::List(offer, _) => value.map(|list| joined_lists(earlier, offer, &list)),
            _ => value,
        };
        let written = match &value {
            None => name.to_string(),
            Some(value) if flag.is_optional() => format!("{name}={value}"),
            Some(value) => format!("{name} {value}"),
        };
        let has_one_value = matches!(flag.action, Action::Value(..) | Action::OptionalValue(_));
        if has_one_value && let Some(earlier) = earlier.filter(|parsed| parsed.value != value) {
            let earlier = &earlier.written;
            return Err(format!("{earlier} and {written} cannot be used together"));
        }
        Ok(ParsedOption { usage, written, value })
    }
}

/// The items are separated by commas. With [`Offer::SomeOf`], removes blanks around new items.
fn joined_lists(earlier: Option<&ParsedOption>, offer: Offer, list: &str) -> String {
    let mut items: Vec<&str> = list.split(',').collect();
    if let Offer::SomeOf(_) = offer {
        items = items.into_iter().map(str::trim).collect();
    }
    let earlier = earlier.and_then(|parsed| parsed.value.as_deref());
    let all: Vec<&str> = earlier.into_iter().chain(items).collect();
    all.join(",")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sudoku_filter::program::{FieldNames, ModeRow};
    use sudoku_filter::{Column, Mode, Status, Variant};

    use super::*;
    use crate::cli::values::Required;

    fn options(line: &str) -> Result<CommandOptions, String> {
        match parse(line.split_whitespace().map(OsString::from))? {
            Command::Run(options) => Ok(*options),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_parser_knows_every_option_of_the_table() {
        for flag in flags::all() {
            let name = flag.names().last().unwrap();
            let result = options_or_page(name);
            match flag.value() {
                Some(_) if flag.is_optional() => assert!(result.is_ok(), "{}", name),
                Some(_) => assert!(result.unwrap_err().starts_with("missing argument"), "{}", name),
                None => assert!(
                    !result.is_err_and(|reason| reason.contains("invalid option")),
                    "{}",
                    name
                ),
            }
        }
    }

    fn options_or_page(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn short_options_can_be_bundled() {
        let options = options("-qj4 --threads=4 a - --errors 3 -- -q").unwrap();
        assert!(options.quiet);
        assert_eq!((options.threads, options.errors), (Some(4), Some(3)));
        assert_eq!(options.files, ["a", "-", "-q"].map(PathBuf::from));
    }

    #[test]
    fn the_values_of_a_repeated_list_add_up() {
        let repeated = options("--variant x --variant window -o status --columns line,givens");
        let (repeated, listed) = (
            repeated.unwrap().pipeline,
            options("--variant diagonal,window -o status,line,givens").unwrap().pipeline,
        );
        assert_eq!(repeated.variants, listed.variants);
        assert_eq!(repeated.columns, listed.columns);
        let statuses = options("--require none --require unique").unwrap().require;
        assert_eq!(statuses, Required::OneOf(vec![Status::None, Status::Unique]));
        let statuses = options("--require none --require any").unwrap().require;
        assert_eq!(statuses, Required::Any);
        for (repeated, listed) in [
            ("--select none --select unique", "--select none,unique"),
            ("--reject none --reject unique", "--reject none,unique"),
        ] {
            let shown = |line| options(line).unwrap().pipeline.shown;
            assert_eq!(shown(repeated), shown(listed), "{repeated}");
        }
        let header = |line| options(line).unwrap().pipeline.header;
        assert_eq!(
            header("--csv --header puzzle=a --header answer=b"),
            header("--csv --header puzzle=a,answer=b")
        );
        let field_names = |line| options(line).unwrap().pipeline.field_names;
        let names = FieldNames::parse("id,puzzle").unwrap();
        assert_eq!(field_names("--fields id --fields puzzle"), Some(names));
        let extras = options("--extra A..A --extra .BB.").unwrap().pipeline.extras;
        assert_eq!(extras.len(), 2);
    }

    #[test]
    fn equal_values_of_an_option_count_once() {
        let options = options("--all=3 --all=3 --box 2x3 --box=2x3 -j 2 --threads 2").unwrap();
        assert_eq!(options.pipeline.mode, Mode::All(3));
        assert_eq!((options.pipeline.boxes, options.threads), (Some((2, 3)), Some(2)));
    }

    #[test]
    fn each_option_of_a_mode_has_its_row_in_the_table_of_modes() {
        let mut options_of_modes = vec![""];
        for flag in flags::all() {
            let mut arguments = Arguments::default();
            // A value that is not one of this option's sets no mode.
            _ = ["1", "r1c1"].map(|value| match flag.action {
                Action::Switch(set) => {
                    set(&mut arguments);
                    Ok(())
                }
                Action::OptionalValue(set) => set(&mut arguments, Some(value)),
                Action::Value(_, set) => set(&mut arguments, value),
                _ => Ok(()),
            });
            if let Some(mode) = arguments.modes.first() {
                assert!(flag.names().any(|name| name == mode.row().option), "{mode:?}");
                options_of_modes.push(mode.row().option);
            }
        }
        assert_eq!(options_of_modes, ModeRow::ALL.map(|row| row.option));
    }

    #[test]
    fn a_number_after_all_is_reported_as_a_stray_value() {
        for (line, stray) in [
            ("--all 3 a", Some("3")),
            ("-q --all 3", Some("3")),
            ("--draw svg", Some("svg")),
            ("--draw 3", None),
            ("--all=3 4", None),
            ("--all a 3", None),
            ("--all -q 3", None),
            ("3 --all", None),
        ] {
            let found = options(line).unwrap().stray_value;
            let file = found.map(|found| found.file);
            assert_eq!(file, stray.map(PathBuf::from), "{line}");
        }
    }

    #[test]
    fn count_adds_a_column() {
        let columns = |line| {
            let columns = options(line).unwrap().pipeline.columns.into_iter();
            columns.map(|shown| shown.column).collect::<Vec<_>>()
        };
        use Column::{Solution, Solutions, Status};
        assert_eq!(columns("--count 5"), [Solution, Status, Solutions]);
        assert_eq!(columns("--count 5 -o status"), [Status]);
    }

    #[test]
    fn seconds_have_fractions_and_0_is_no_limit() {
        let time = |line| options(line).unwrap().pipeline.max_time;
        for line in ["", "--max-time 0", "--max-time 0.0"] {
            assert_eq!(time(line), None, "{line}");
        }
        let millis = |millis| Some(Duration::from_millis(millis));
        for (line, expected) in [
            ("--max-time 0.5", millis(500)),
            ("--max-time .25", millis(250)),
            ("--max-time 3", millis(3000)),
            ("--max-time 99999999999999999999999", Some(Duration::MAX)),
        ] {
            assert_eq!(time(line), expected, "{line}");
        }
    }

    #[test]
    fn regions_imply_jigsaw() {
        let options = options("--regions @map.txt --variant x").unwrap();
        assert!(
            options.pipeline.variants.contains(Variant::Jigsaw)
                && options.pipeline.variants.contains(Variant::Diagonal)
        );
        assert_eq!(options.regions.as_deref(), Some("@map.txt"));
    }

    #[test]
    fn messages_name_the_option_at_fault() {
        for (line, reason) in [
            (
                "--variant star",
                "--variant star: unknown variant 'star'; the variants are classic, diagonal, window, jigsaw, regions, disjoint, asterisk, center-dot, girandola, antiknight, antiking, nonconsecutive, killer",
            ),
            ("--box 3", "--box 3: expected ROWSxCOLUMNS, such as 2x3"),
            ("--box 6x6", "--box 6x6: a box has 2 to 25 cells"),
            ("-j0", "-j 0: expected a number of 1 or more"),
            ("--errors +2", "--errors +2: expected a number"),
            ("--errors=", "--errors : expected a number"),
            (
                "--max-guesses 18446744073709551616",
                "--max-guesses 18446744073709551616: the largest number is 18446744073709551615",
            ),
            ("--max-time -1", "--max-time -1: expected a number of seconds, such as 0.5"),
            ("--max-time NaN", "--max-time NaN: expected a number of seconds, such as 0.5"),
            ("--max-time inf", "--max-time inf: expected a number of seconds, such as 0.5"),
            ("--max-time 1e3", "--max-time 1e3: expected a number of seconds, such as 0.5"),
            ("--max-time=", "--max-time : expected a number of seconds, such as 0.5"),
            ("--method magic", "--method magic: expected one of lanes, backtrack, pencil"),
            ("--cpu pdp11", "--cpu pdp11: expected one of auto, portable, neon, avx2, avx512"),
            ("--symbols 1123", "--symbols 1123: '1' appears twice"),
            ("--unique", "--unique needs --verify"),
            ("--lenient --all", "--lenient and --all cannot be used together"),
            ("--regions @", "--regions @: expected a file name after @"),
            ("--verify --all", "--verify and --all cannot be used together"),
            ("--shuffle --minimize", "--shuffle and --minimize cannot be used together"),
            ("--shuffle=0", "--shuffle=0: expected a number of 1 or more"),
            (
                "--shuffle --count 3 -o puzzle",
                "--count cannot be used with --shuffle, which does not solve puzzles",
            ),
            (
                "--shuffle -o puzzle,canonical",
                "the column canonical cannot be used with --shuffle, which does not solve puzzles",
            ),
            (
                "--shuffle --fields puzzle,id -o answer",
                "the column answer needs a field 'answer' in --fields",
            ),
            (
                "--fields puzzle,id -o answer",
                "the column answer needs a field 'answer' in --fields",
            ),
            (
                "--shuffle --require unique",
                "no line can have status 'unique' in this mode; the statuses are shuffled, unknown, invalid",
            ),
            (
                "--all=3 --count 2",
                "--all and --count cannot be used together; --all=N writes up to N solutions",
            ),
            ("--all=0", "--all=0: expected a number of 1 or more"),
            ("--reveal r0c5", "--reveal r0c5: expected a cell, such as r4c5 or 4,5 (row, column)"),
            ("--csv --fields puzzle", "--fields and --csv cannot be used together"),
            ("--output csv --draw", "--output and --draw cannot be used together"),
            ("--fields id", "--fields id: one of the fields must be 'puzzle'"),
            (
                "-o rest,gravens",
                "--columns rest,gravens: unknown column 'gravens'; did you mean givens?; for a field of CSV or JSON of this name: --csv or --json; the columns are input, file, line, puzzle, regions, cages, answer, solution, status, reason, blanks, matching, score, conflicts, conflicting, wrong, solutions, second, differ, givens, guesses, grade, level, difficulty, class, hardest, pearl, diamond, steps, hint, path, techniques, boards, reached, reached_candidates, pencilmarks, minimal, redundant, candidates, canonical, image, automorphisms, rest",
            ),
            (
                "-o rest --csv",
                "the column rest cannot be used with --csv, where every field has a name",
            ),
            (
                "-o grade --shuffle",
                "the column grade cannot be used with --shuffle, which does not solve puzzles",
            ),
            ("-o answer", "the column answer needs --verify, --shuffle, --fields, --csv or --json"),
            (
                "--input grid --variant killer",
                "--variant killer and --input grid cannot be used together: cages are not read from drawings",
            ),
            (
                "--select fine",
                "--select fine: unknown status 'fine'; the statuses are unique, multiple, none, unknown, invalid, correct, incorrect, ambiguous, given, shuffled",
            ),
            (
                "--select correct",
                "no line can have status 'correct' in this mode; the statuses are unique, multiple, none, unknown, invalid",
            ),
            ("--verify --select ambiguous", "no line can have status 'ambiguous' without --unique"),
            ("--select none --reject none", "--select and --reject cannot be used together"),
            (
                "--variant jigsaw,regions",
                "--variant jigsaw,regions: jigsaw and regions cannot be combined: jigsaw regions replace the boxes, regions are additional to them",
            ),
            (
                "--regions A --variant disjoint",
                "--regions implies --variant jigsaw: jigsaw and disjoint cannot be combined: disjoint needs boxes, and jigsaw replaces them",
            ),
            ("-j 2 --threads 3", "-j 2 and --threads 3 cannot be used together"),
            ("--all --all=4", "--all and --all=4 cannot be used together"),
            (
                "--reveal r1c1 --reveal r1c2",
                "--reveal r1c1 and --reveal r1c2 cannot be used together",
            ),
            (
                "--variant jigsaw --variant disjoint",
                "--variant jigsaw,disjoint: jigsaw and disjoint cannot be combined: disjoint needs boxes, and jigsaw replaces them",
            ),
            (
                "--require any,fine",
                "--require any,fine: unknown status 'fine'; the statuses are unique, multiple, none, unknown, invalid, correct, incorrect, ambiguous, given, shuffled",
            ),
            ("--box +2x+3", "--box +2x+3: expected ROWSxCOLUMNS, such as 2x3"),
            (
                "--reveal r+1c+2",
                "--reveal r+1c+2: expected a cell, such as r4c5 or 4,5 (row, column)",
            ),
            ("--reveal +1,2", "--reveal +1,2: expected a cell, such as r4c5 or 4,5 (row, column)"),
            ("--color always", "--color always needs --draw"),
            ("--color always --draw=svg", "--color always needs --draw"),
            ("--random 1 --verify --unique", "--random and --verify cannot be used together"),
            (
                "--disconnected --input grid",
                "--disconnected needs --variant jigsaw, --variant regions or --regions",
            ),
            ("--nonsense", "invalid option '--nonsense'"),
            ("-z", "invalid option '-z'"),
            ("--quiet=yes", "unexpected argument for option '--quiet': \"yes\""),
        ] {
            assert_eq!(options(line).unwrap_err(), reason, "{line}");
        }
    }
}
