//! The command line to options. Opens nothing and writes nothing.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};
use sudoku_filter::{Alphabet, Level, Limits, Method, Variant, Variants};

use crate::flags;

/// What the user asked for.
#[derive(Debug)]
pub enum Command {
    /// To answer lines.
    Run(Box<Options>),
    /// The page for `-h`.
    BriefHelp,
    /// The page for `--help`.
    FullHelp,
    /// The version.
    Version,
}

/// How lines are to be answered.
#[derive(Debug)]
pub struct Options {
    pub files: Vec<PathBuf>,
    pub variants: Variants,
    pub regions: Option<Layout>,
    pub disconnected: bool,
    pub boxes: Option<(usize, usize)>,
    pub alphabet: Alphabet,
    pub verify: bool,
    pub unique: bool,
    pub threads: Option<usize>,
    pub limits: Limits,
    pub method: Method,
    pub level: Level,
    pub errors: u64,
    pub quiet: bool,
}

/// Where `--regions` has its layout from.
#[derive(Debug, PartialEq, Eq)]
pub enum Layout {
    Given(String),
    InFile(PathBuf),
}

/// Reads the command line.
///
/// # Errors
/// A sentence for the user.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut parser = Parser::from_args(arguments);
    let mut options = Options {
        files: Vec::new(),
        variants: Variants::default(),
        regions: None,
        disconnected: false,
        boxes: None,
        alphabet: Alphabet::default(),
        verify: false,
        unique: false,
        threads: None,
        limits: Limits::default(),
        method: Method::default(),
        level: Level::best(),
        errors: 10,
        quiet: false,
    };
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        let name = match argument {
            Arg::Value(file) => {
                options.files.push(file.into());
                continue;
            }
            Arg::Short('h') => return Ok(Command::BriefHelp),
            Arg::Short(short) => match flags::long_of(short) {
                Some(long) => long.to_string(),
                None => return Err(format!("invalid option '-{short}'")),
            },
            Arg::Long(long) => long.to_string(),
        };
        match name.as_str() {
            "help" => return Ok(Command::FullHelp),
            "version" => return Ok(Command::Version),
            _ => options.take(&name, &mut parser)?,
        }
    }
    options.check()?;
    Ok(Command::Run(Box::new(options)))
}

impl Options {
    fn take(&mut self, name: &str, parser: &mut Parser) -> Result<(), String> {
        match name {
            "variant" => self.variants = valued(name, parser, |list| list.parse())?,
            "regions" => self.regions = Some(valued(name, parser, layout)?),
            "disconnected" => self.disconnected = true,
            "box" => self.boxes = Some(valued(name, parser, box_shape)?),
            "symbols" => self.alphabet = valued(name, parser, Alphabet::of_symbols)?,
            "verify" => self.verify = true,
            "unique" => self.unique = true,
            "threads" => self.threads = Some(valued(name, parser, threads)?),
            "max-guesses" => self.limits.max_guesses = valued(name, parser, number)?,
            "method" => self.method = valued(name, parser, method)?,
            "cpu" => self.level = valued(name, parser, level)?,
            "errors" => self.errors = valued(name, parser, number)?,
            "quiet" => self.quiet = true,
            _ => return Err(format!("invalid option '--{name}'")),
        }
        Ok(())
    }

    /// What only the whole line shows.
    fn check(&mut self) -> Result<(), String> {
        if self.unique && !self.verify {
            return Err("--unique goes with --verify".to_string());
        }
        if self.regions.is_some() {
            self.variants = std::mem::take(&mut self.variants).with(Variant::Jigsaw);
        }
        if self.disconnected && !self.variants.contains(Variant::Jigsaw) {
            return Err("--disconnected goes with --variant jigsaw or --regions".to_string());
        }
        Ok(())
    }
}

/// The value of option `name`, read by `read`.
fn valued<T>(
    name: &str,
    parser: &mut Parser,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, String> {
    let value = parser.value().map_err(|error| error.to_string())?;
    let value = value
        .string()
        .map_err(|error| format!("--{name}: {error}"))?;
    read(&value).map_err(|reason| format!("--{name} {value}: {reason}"))
}

fn layout(value: &str) -> Result<Layout, String> {
    match value.strip_prefix('@') {
        Some("") => Err("the name of a file is missing behind @".to_string()),
        Some(file) => Ok(Layout::InFile(file.into())),
        None => Ok(Layout::Given(value.to_string())),
    }
}

fn box_shape(value: &str) -> Result<(usize, usize), String> {
    let shape = value
        .split_once('x')
        .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    match shape {
        Some((rows, columns)) if (2..=25).contains(&usize::saturating_mul(rows, columns)) => {
            Ok((rows, columns))
        }
        Some(_) => Err("boxes have 2 to 25 cells".to_string()),
        None => Err("rows and columns wanted, such as 2x3".to_string()),
    }
}

fn threads(value: &str) -> Result<usize, String> {
    match value.parse() {
        Ok(0) | Err(_) => Err("a number from 1 wanted".to_string()),
        Ok(threads) => Ok(threads),
    }
}

fn number(value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| "a number wanted".to_string())
}

fn method(value: &str) -> Result<Method, String> {
    let known = Method::NAMES.iter().find(|(name, _)| *name == value);
    let names = || Method::NAMES.map(|(name, _)| name).join(", ");
    known
        .map(|(_, method)| *method)
        .ok_or_else(|| format!("one of {} wanted", names()))
}

fn level(value: &str) -> Result<Level, String> {
    match value {
        "auto" => Ok(Level::best()),
        name if Level::NAMES.contains(&name) => {
            Level::named(name).ok_or_else(|| "this machine does not have it".to_string())
        }
        _ => Err(format!("one of auto, {} wanted", Level::NAMES.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<Options, String> {
        match parse(line.split_whitespace().map(OsString::from))? {
            Command::Run(options) => Ok(*options),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_option_of_the_table_is_known_and_takes_a_value_if_the_table_says_so() {
        for flag in flags::all() {
            let result = options_or_page(&format!("--{}", flag.long));
            match flag.value {
                Some(_) => assert!(
                    result.unwrap_err().starts_with("missing argument"),
                    "{}",
                    flag.long
                ),
                None => assert!(
                    !result.is_err_and(|reason| reason.contains("invalid option")),
                    "{}",
                    flag.long
                ),
            }
        }
    }

    fn options_or_page(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn short_options_bundle_and_the_last_of_two_holds() {
        let options = options("-qj4 --threads=2 a - --errors 3 -- -q").unwrap();
        assert!(options.quiet);
        assert_eq!((options.threads, options.errors), (Some(2), 3));
        assert_eq!(options.files, ["a", "-", "-q"].map(PathBuf::from));
    }

    #[test]
    fn regions_mean_jigsaw() {
        let options = options("--regions @map.txt --variant x").unwrap();
        assert!(
            options.variants.contains(Variant::Jigsaw)
                && options.variants.contains(Variant::Diagonal)
        );
        assert_eq!(options.regions, Some(Layout::InFile("map.txt".into())));
    }

    #[test]
    fn mistakes_are_told_with_the_option() {
        for (line, reason) in [
            (
                "--variant star",
                "--variant star: no variant is called 'star'; there are classic, diagonal, window, jigsaw, regions, \
                 disjoint, asterisk, center-dot, girandola, antiknight, antiking, nonconsecutive",
            ),
            ("--box 3", "--box 3: rows and columns wanted, such as 2x3"),
            ("--box 6x6", "--box 6x6: boxes have 2 to 25 cells"),
            ("-j0", "--threads 0: a number from 1 wanted"),
            (
                "--method magic",
                "--method magic: one of lanes, backtrack wanted",
            ),
            (
                "--cpu pdp11",
                "--cpu pdp11: one of auto, portable, avx2, avx512 wanted",
            ),
            ("--symbols 1123", "--symbols 1123: '1' is there twice"),
            ("--unique", "--unique goes with --verify"),
            (
                "--disconnected",
                "--disconnected goes with --variant jigsaw or --regions",
            ),
            (
                "--regions @",
                "--regions @: the name of a file is missing behind @",
            ),
            ("--nonsense", "invalid option '--nonsense'"),
            ("-z", "invalid option '-z'"),
            (
                "--quiet=yes",
                "unexpected argument for option '--quiet': \"yes\"",
            ),
        ] {
            assert_eq!(options(line).unwrap_err(), reason, "{line}");
        }
    }
}
