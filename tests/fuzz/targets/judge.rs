//! Checks output lines against the documented behaviour; shares no code with the library.

use super::described::{self, Cages, Described};
use super::plain::{self, Division, Rules, Separators};

/// The largest side of a puzzle with cages.
const MAX_KILLER_SIDE: usize = 16;

/// The fields of a line that define its puzzle.
#[derive(Clone, Default)]
pub struct Fields {
    pub puzzle: Vec<u8>,
    pub labels: Option<Vec<u8>>,
    pub cages: Option<Vec<u8>>,
}

impl Fields {
    /// Assigns the fields `PUZZLE [REGIONS] [CAGES]` of a line. Under the variant killer, one field
    /// alone is the cages.
    pub fn of_line(variants: &str, line: &[u8]) -> Fields {
        let all = plain::fields(plain::without_mark(line), Separators::of(variants));
        let killer = variants.contains("killer");
        let is_alone = all.len() == 1;
        let mut fields = all.into_iter();
        let mut next_if = |follows: bool| follows.then(|| fields.next()).flatten();
        let puzzle = next_if(true).unwrap_or_default();
        let is_described = described::is_described(&puzzle);
        let cells = plain::without_plus(&puzzle);
        if killer && is_alone && !is_described {
            let cages = Some(puzzle);
            return Fields { cages, ..Fields::default() };
        }
        let jigsaw = variants.contains("jigsaw");
        // What a puzzle that describes its rules does not state can follow it.
        let (has_labels, has_cages) = match described::read(&puzzle) {
            Some(read) => (read.regions.is_none() && read.boxes.is_none(), read.cages.is_none()),
            None => (
                !is_described && parts(variants, &cells) == 1,
                !is_described && !includes_cages(variants, &cells),
            ),
        };
        Fields {
            labels: next_if(jigsaw && has_labels),
            cages: next_if(killer && has_cages),
            puzzle,
        }
    }

    /// Completes a killer that has its cages alone, as the puzzle or as the cages: they describe
    /// the puzzle, or the puzzle is blank. A field without an arrow or `:` is a puzzle, whose
    /// cages are missing.
    fn completed(&self, variants: &str) -> Fields {
        let mut fields = self.clone();
        if !described::is_described(&fields.puzzle) {
            fields.puzzle = plain::without_plus(&fields.puzzle);
        }
        let is_given = |field: &Option<Vec<u8>>| field.as_ref().is_some_and(|it| !it.is_empty());
        let is_complete = !fields.puzzle.is_empty() && is_given(&fields.cages);
        if is_complete || !variants.contains("killer") {
            return fields;
        }
        let cages = if fields.puzzle.is_empty() {
            fields.cages.take().unwrap_or_default()
        } else {
            std::mem::take(&mut fields.puzzle)
        };
        let looks_like_cages = cages.iter().any(|symbol| b"<>^v`':".contains(symbol));
        let is_puzzle = described::is_described(&cages) || parts(variants, &cages) > 1;
        if is_puzzle || !looks_like_cages {
            fields.puzzle = cages;
        } else {
            fields.puzzle = vec![b'.'; cages.len()];
            fields.cages = Some(cages);
        }
        fields
    }
}

/// A puzzle whose rules are not checked yet.
struct Draft {
    side: usize,
    text: Vec<u8>,
    labels: Option<Vec<u8>>,
    /// True if regions take the place of boxes.
    has_layout: bool,
    boxes: Option<[usize; 2]>,
    diagonals: bool,
    cages: Cages,
}

impl Draft {
    /// Reads a puzzle field that describes its rules. Labels of another field are those of a puzzle
    /// that has no division.
    fn of_described(variants: &str, fields: Fields) -> Option<Draft> {
        let mut read = described::read(&fields.puzzle)?;
        let symbols = b".123456789ABCDEFGHIJKLMNOP";
        let text = read.digits.iter().map(|&digit| symbols[usize::from(digit)]).collect();
        let is_field = |field: &Vec<u8>| ![&b""[..], b"-"].contains(&&field[..]);
        let has_field = variants.contains("jigsaw") && fields.labels.as_ref().is_some_and(is_field);
        let has_layout = read.regions.is_some() || read.boxes.is_none() && has_field;
        let labels = read.regions.clone().or(fields.labels.filter(|_| read.boxes.is_none()));
        let cages = fields.cages.filter(is_field);
        if let (true, None, Some(cages)) = (variants.contains("killer"), &read.cages, cages) {
            let beside = described::read_cages(&cages, read.side)?;
            read.boxes = read.boxes.or(beside.boxes);
            read.diagonals |= beside.diagonals;
            read.cages = beside.cages;
        }
        Some(Draft::new(read, text, labels, has_layout))
    }

    /// Reads a puzzle of one symbol per cell, or of pencilmarks.
    fn of_symbols(variants: &str, fields: Fields) -> Option<Draft> {
        // `-` stands for no layout.
        let has_layout = variants.contains("jigsaw") && fields.labels.as_deref() != Some(&b"-"[..]);
        let cells = fields.puzzle.len() / parts(variants, &fields.puzzle);
        let has_cages = includes_cages(variants, &fields.puzzle);
        let (text, following) = fields.puzzle.split_at(cells);
        let cages = if has_cages {
            Some(following[following.len() - cells..].to_vec())
        } else {
            fields.cages
        };
        let (text, labels) = match following.len() - usize::from(has_cages) * cells {
            0 => (text.to_vec(), fields.labels),
            _ => (text.to_vec(), Some(following[..cells].to_vec())),
        };
        let side = if text.len() == 729 { 9 } else { text.len().isqrt() };
        let read = if variants.contains("killer") {
            described::read_cages(&cages.unwrap_or_default(), side)?
        } else {
            described::blank(side)
        };
        Some(Draft::new(read, text, labels, has_layout))
    }

    /// Returns a draft with this text, layout and other rules.
    fn new(rules: Described, text: Vec<u8>, labels: Option<Vec<u8>>, has_layout: bool) -> Draft {
        Draft {
            side: rules.side,
            text,
            labels,
            has_layout,
            boxes: rules.boxes,
            diagonals: rules.diagonals,
            cages: rules.cages.unwrap_or_default(),
        }
    }

    /// Returns what divides the grid; `None` if nothing does.
    fn division(&self) -> Option<Division> {
        if !self.has_layout {
            return self.boxes.or(plain::usual_box(self.side)).map(Division::Boxes);
        }
        let is_layout = |labels: &Vec<u8>| plain::is_layout(labels, self.side, false);
        self.labels.clone().filter(is_layout).map(Division::Regions)
    }

    /// Returns the rules; `None` if a variant or the cages do not fit the size.
    fn rules(&self, variants: &str) -> Option<Rules> {
        let side = self.side;
        let windows = variants.contains("window");
        let is_valid = (2..=25).contains(&side)
            && (!windows || side.isqrt().pow(2) == side)
            && (self.cages.is_empty() || side <= MAX_KILLER_SIDE);
        is_valid.then_some(Rules {
            side,
            division: self.division()?,
            diagonals: self.diagonals || variants.contains("diagonal"),
            windows,
            cages: self.cages.clone(),
        })
    }

    /// Returns the candidates of each cell: bit d-1 is digit d.
    fn allowed(&self) -> Option<Vec<u32>> {
        if self.text.len() == 729 {
            return plain::pencilmarks(&self.text);
        }
        let digits = plain::digits(&self.text, self.side)?;
        let cells = digits.iter().map(|&digit| candidates_of(digit, self.side));
        (digits.len() == self.side * self.side).then(|| cells.collect())
    }
}

/// A valid puzzle.
pub struct Puzzle {
    rules: Rules,
    /// The candidates of each cell: bit d-1 is digit d.
    allowed: Vec<u32>,
    /// The puzzle as the output shows it.
    pub text: Vec<u8>,
    /// The layout on the line, whether or not the variant uses one.
    pub labels: Option<Vec<u8>>,
    /// True if the puzzle field described its rules.
    pub is_described: bool,
}

impl Puzzle {
    /// Reads a puzzle, its labels and its cages; `None` if it is invalid.
    pub fn read(variants: &str, fields: &Fields) -> Option<Puzzle> {
        let fields = fields.completed(variants);
        let is_described = described::is_described(&fields.puzzle);
        let draft = if is_described {
            Draft::of_described(variants, fields)?
        } else {
            Draft::of_symbols(variants, fields)?
        };
        Some(Puzzle {
            rules: draft.rules(variants)?,
            allowed: draft.allowed()?,
            text: draft.text,
            labels: draft.labels,
            is_described,
        })
    }

    /// Returns whether a grid solves the puzzle; `None` if it is no grid of this size.
    fn is_right(&self, grid: &[u8]) -> Option<bool> {
        let digits = plain::digits(grid, self.rules.side)
            .filter(|digits| digits.len() == self.allowed.len())?;
        let allowed = |(&digit, &digits): (&u8, &u32)| digit != 0 && digits >> (digit - 1) & 1 == 1;
        let sets: Vec<u32> =
            digits.iter().map(|&digit| candidates_of(digit, self.rules.side)).collect();
        Some(
            digits.iter().zip(&self.allowed).all(allowed)
                && plain::solutions(&self.rules, &sets, 0) == Some(1),
        )
    }

    /// Asserts that an output line with this grid and this status is right.
    pub fn judge(&self, shown: &[u8], status: &[u8]) {
        let context =
            || format!("{} {}", self.text.escape_ascii(), [shown, status].concat().escape_ascii());
        let found = match status {
            b"none" => 0,
            b"unique" => 1,
            b"multiple" => 2,
            b"unknown" => return assert_eq!(shown, self.text, "{}", context()),
            _ => panic!("{}", context()),
        };
        if found == 0 {
            assert_eq!(shown, self.text, "{}", context());
        } else {
            assert_eq!(self.is_right(shown), Some(true), "{}", context());
            self.judge_case(shown);
        }
        if let Some(expected) = plain::solutions(&self.rules, &self.allowed, 20_000) {
            assert_eq!(found, expected, "{}", context());
        }
    }

    /// Asserts that the letters of a solution have the case of the puzzle's first letter, and are
    /// capitals if it has none.
    fn judge_case(&self, shown: &[u8]) {
        // An `x` can be a blank.
        let is_digit = |byte: &&u8| byte.is_ascii_alphabetic() && **byte != b'x';
        let is_lower_case = self.text.iter().find(is_digit).is_some_and(u8::is_ascii_lowercase);
        let has_right_case =
            |byte: &u8| !byte.is_ascii_alphabetic() || byte.is_ascii_lowercase() == is_lower_case;
        assert!(
            shown.iter().all(has_right_case),
            "{} {}",
            self.text.escape_ascii(),
            shown.escape_ascii()
        );
    }

    /// Asserts that the column `cages` shows the cages. `-` is right for no cages, and for cages
    /// that no field can hold.
    fn judge_cages(&self, shown: &[u8]) {
        let rules = &self.rules;
        let context = || format!("{} {}", self.text.escape_ascii(), shown.escape_ascii());
        if shown == b"-" {
            let is_right = rules.cages.is_empty() || !can_be_numbers(&rules.cages);
            return assert!(is_right, "{}", context());
        }
        let read = described::read_cages(shown, rules.side);
        let read = read.unwrap_or_else(|| panic!("{}", context()));
        assert_eq!(read.cages.as_ref(), Some(&rules.cages), "{}", context());
        // Arrows state neither boxes nor diagonals.
        let Some(boxes) = read.boxes else { return };
        assert_eq!(read.diagonals, rules.diagonals, "{}", context());
        if let Division::Boxes(own) = rules.division {
            assert_eq!(boxes, own, "{}", context());
        }
    }

    /// Returns the expected status of an answer.
    pub fn verdict_of(&self, answer: &[u8]) -> &'static str {
        match self.is_right(&plain::without_plus(answer)) {
            Some(true) => "correct",
            Some(false) => "incorrect",
            None => "invalid",
        }
    }
}

/// Returns the number of fields that directly follow each other in a puzzle field: the puzzle, its
/// layout, its cages.
fn parts(variants: &str, field: &[u8]) -> usize {
    let [jigsaw, killer] = ["jigsaw", "killer"].map(|name| variants.contains(name));
    let is_length_of = |parts: &usize| {
        let side = (field.len() / parts).isqrt();
        let is_known = jigsaw || plain::usual_box(side).is_some();
        field.len() == parts * side * side && (2..=25).contains(&side) && is_known
    };
    let possible: &[usize] = match (jigsaw, killer) {
        (true, true) => &[3, 2],
        (false, false) => &[],
        _ => &[2],
    };
    possible.iter().copied().find(is_length_of).unwrap_or(1)
}

/// Returns whether the cages directly follow in the field of a puzzle.
fn includes_cages(variants: &str, field: &[u8]) -> bool {
    let names = ["jigsaw", "killer"].iter();
    let parts_with_cages = 1 + names.filter(|name| variants.contains(**name)).count();
    variants.contains("killer") && parts(variants, field) == parts_with_cages
}

/// True if cage numbers can express the cages.
fn can_be_numbers(cages: &Cages) -> bool {
    let has_number = |(cells, sum): &(Vec<u16>, Option<u16>)| sum.is_some() || cells.len() == 1;
    cages.len() <= 256 && cages.iter().all(has_number)
}

/// Returns the candidates of a cell in which `digit` was read.
fn candidates_of(digit: u8, side: usize) -> u32 {
    match digit {
        0 => (1 << side) - 1,
        digit => 1 << (digit - 1),
    }
}

/// An input line, or a record of several lines, and its expected output.
pub struct Expected<'a> {
    /// The text as it came.
    pub line: &'a [u8],
    /// Its number in its file.
    pub number: u64,
    /// `None` if it is invalid.
    pub puzzle: Option<Puzzle>,
    pub answer: Option<Vec<u8>>,
    pub verifies: bool,
}

impl Expected<'_> {
    /// Returns the expected status if it follows from the input alone.
    fn known(&self) -> Option<&'static str> {
        let Some(puzzle) = &self.puzzle else {
            return Some("invalid");
        };
        let answer = self.answer.as_deref().unwrap_or_default();
        self.verifies.then(|| puzzle.verdict_of(answer))
    }

    pub fn is_invalid(&self) -> bool {
        self.known() == Some("invalid")
    }

    /// Checks the columns of an output line by their names. Returns true for each column that this
    /// function knows.
    pub fn judge(&self, columns: &[&str], fields: &[Vec<u8>]) -> Vec<bool> {
        let context = || format!("{} {fields:?}", self.line.escape_ascii());
        assert_eq!(columns.len(), fields.len(), "{}", context());
        let field = |name: &str| {
            let index = columns.iter().position(|column| *column == name);
            index.map(|index| fields[index].as_slice())
        };
        let status = field("status").expect("the columns always include it");
        if let Some(known) = self.known() {
            assert_eq!(status, known.as_bytes(), "{}", context());
        }
        let invalid = self.is_invalid();
        let first_grid =
            columns.iter().position(|column| ["solution", "answer", "puzzle"].contains(column));
        let or_dash = |field: &[u8]| {
            if field.is_empty() { b"-".to_vec() } else { field.to_vec() }
        };
        let is_known = |(index, (column, field)): (usize, (&&str, &Vec<u8>))| {
            let expected = match (*column, &self.puzzle) {
                ("status", _) => return true,
                ("line", _) => self.number.to_string().into_bytes(),
                ("input", _) => {
                    let same = field == self.line || field == plain::without_mark(self.line);
                    assert!(same, "{}", context());
                    return true;
                }
                ("reason", _) => {
                    let has_reason = invalid || status == b"incorrect";
                    // A puzzle without a solution has a reason where it is plain.
                    let can_have = has_reason || status == b"none";
                    let is_right = if field == b"-" { !has_reason } else { can_have };
                    assert!(is_right, "{}", context());
                    return true;
                }
                _ if invalid && first_grid == Some(index) => {
                    let tab = |byte: &u8| if *byte == b'\t' { b' ' } else { *byte };
                    self.line.iter().map(tab).collect()
                }
                _ if invalid => b"-".to_vec(),
                ("puzzle", Some(puzzle)) => puzzle.text.clone(),
                ("regions", Some(puzzle)) => or_dash(puzzle.labels.as_deref().unwrap_or_default()),
                ("cages", Some(puzzle)) => {
                    puzzle.judge_cages(field);
                    return true;
                }
                ("answer", Some(_)) => {
                    or_dash(&plain::without_plus(self.answer.as_deref().unwrap_or_default()))
                }
                ("solution", Some(puzzle)) if !self.verifies => {
                    puzzle.judge(field, status);
                    return true;
                }
                _ => return false,
            };
            assert_eq!(
                field.escape_ascii().to_string(),
                expected.escape_ascii().to_string(),
                "{column}: {}",
                context()
            );
            true
        };
        columns.iter().zip(fields).enumerate().map(is_known).collect()
    }
}
