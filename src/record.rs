//! Lines to fields: what separates them, what a field is, what is copied through, what a line is without its end.

use std::borrow::Cow;

/// A line of input as the record sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A comment, or nothing but blanks: copied through.
    Copied(&'a [u8]),
    /// Everything else, without line end and byte order mark.
    Record(&'a [u8]),
}

impl<'a> Line<'a> {
    /// What a line is, given with or without its end.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Line<'a> {
        let bytes = without_end(bytes);
        let record = without_mark(bytes);
        match record.first() {
            Some(b'#') => Line::Copied(bytes),
            Some(first) if !is_blank(*first) => Line::Record(record),
            _ if record.iter().copied().all(is_blank) => Line::Copied(bytes),
            _ => Line::Record(record),
        }
    }
}

/// A line without its line end.
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    // The last line may lack its newline; a "\r" is part of the line unless it stands where CRLF would have it.
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A line without a UTF-8 byte order mark.
pub(crate) fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

/// What a record holds. Fields that are not there are `None`, or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    pub puzzle: Cow<'a, [u8]>,
    pub regions: Option<Cow<'a, [u8]>>,
    pub answer: Option<Cow<'a, [u8]>>,
    /// What follows the fields that are read.
    pub rest: &'a [u8],
}

/// What the fields of a line are, from the options alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `PUZZLE [REGIONS] [ANSWER] [REST]...`
    Usual {
        /// Whether each line brings a layout.
        regions: bool,
        /// Whether each line brings an answer.
        answer: bool,
    },
    /// Fields by name, separated by single tabs where the line has any.
    Named(FieldNames),
}

impl Layout {
    /// The parts of a record. `is_both` tells of a field whether it is a puzzle and its layout glued together.
    pub(crate) fn parts<'a>(&self, record: &'a [u8], is_both: impl Fn(&[u8]) -> bool) -> Parts<'a> {
        match self {
            Layout::Usual { regions, answer } => {
                let mut fields = Fields::of(record);
                let puzzle = fields.next().unwrap_or_default();
                let regions = (*regions && !is_both(puzzle)).then(|| fields.next());
                let answer = answer.then(|| fields.next());
                Parts {
                    puzzle: puzzle.into(),
                    regions: regions.flatten().map(Cow::from),
                    answer: answer.flatten().map(Cow::from),
                    rest: fields.left.unwrap_or_default(),
                }
            }
            Layout::Named(names) => {
                let mut parts = Parts::default();
                let mut fields = names.split(record);
                for name in &names.0 {
                    let Some(field) = fields.next() else { break };
                    parts.put(name, field.into());
                }
                parts.rest = fields.left().unwrap_or_default();
                parts
            }
        }
    }
}

impl<'a> Parts<'a> {
    /// Puts the field of this name into its place, if it is one that is read.
    pub fn put(&mut self, name: &str, field: Cow<'a, [u8]>) {
        match name {
            "puzzle" => self.puzzle = field,
            "regions" => self.regions = Some(field),
            "answer" => self.answer = Some(field),
            _ => {}
        }
    }
}

/// The names of `--fields`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldNames(Vec<String>);

impl FieldNames {
    /// Reads a list of names; `taken` tells of a name whether it means a column of its own.
    ///
    /// # Errors
    /// A sentence for the user.
    pub fn parse(list: &str, taken: impl Fn(&str) -> bool) -> Result<FieldNames, String> {
        let names: Vec<String> = list.split(',').map(str::to_string).collect();
        for (index, name) in names.iter().enumerate() {
            let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'=';
            if name.is_empty() || !name.bytes().all(plain) {
                return Err("expected names separated by commas".to_string());
            }
            if names[..index].contains(name) {
                return Err(format!("'{name}' appears twice"));
            }
            if !matches!(name.as_str(), "puzzle" | "regions" | "answer") && taken(name) {
                return Err(format!("'{name}' is already the name of a column"));
            }
        }
        if !names.iter().any(|name| name == "puzzle") {
            return Err("one of the fields must be 'puzzle'".to_string());
        }
        Ok(FieldNames(names))
    }

    /// Where the field of this name stands.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| known == name)
    }

    /// The field at this index of a record.
    pub(crate) fn field<'a>(&self, record: &'a [u8], index: usize) -> Option<&'a [u8]> {
        self.split(record).nth(index)
    }

    fn split<'a>(&self, record: &'a [u8]) -> Split<'a> {
        match memchr::memchr(b'\t', record) {
            Some(_) => Split::Tabs(Some(record)),
            None => Split::Marks(Fields::of(record)),
        }
    }
}

/// The fields of a record whose fields are named.
enum Split<'a> {
    /// By each tab; what is left to read.
    Tabs(Option<&'a [u8]>),
    Marks(Fields<'a>),
}

impl<'a> Split<'a> {
    fn left(&self) -> Option<&'a [u8]> {
        match self {
            Split::Tabs(left) => *left,
            Split::Marks(fields) => fields.left,
        }
    }
}

impl<'a> Iterator for Split<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        match self {
            Split::Marks(fields) => fields.next(),
            Split::Tabs(left) => {
                let all = (*left)?;
                let end = memchr::memchr(b'\t', all);
                *left = end.map(|end| &all[end + 1..]);
                Some(trim(&all[..end.unwrap_or(all.len())]))
            }
        }
    }
}

/// The fields of a record: separated by blanks, or by one `,`, `;` or `:` with any blanks round it.
///
/// Two separators with nothing between them hold an empty field.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    /// What is left to read; `None` behind the last field.
    left: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    /// The fields of `record`; leading and trailing blanks do not count.
    #[must_use]
    pub fn of(record: &'a [u8]) -> Fields<'a> {
        let record = trim(record);
        Fields {
            left: (!record.is_empty()).then_some(record),
        }
    }
}
impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let left = self.left?;
        let Some(end) = first_separator(left) else {
            self.left = None;
            return Some(left);
        };
        let behind = skip_blanks(&left[end..]);
        self.left = Some(match behind.split_first() {
            Some((first, behind)) if is_separator(*first) => skip_blanks(behind),
            _ => behind,
        });
        Some(&left[..end])
    }
}

/// Where the first blank or separator stands. A puzzle has none until its end, so whole blocks are looked at first, with
/// no branch a byte.
fn first_separator(bytes: &[u8]) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<16>();
    let none = |block: &&[u8; 16]| {
        block
            .iter()
            .fold(0, |any, &byte| any | u8::from(ends_field(byte)))
            == 0
    };
    let clear = 16 * blocks.iter().take_while(none).count();
    let found = bytes[clear..].iter().position(|&byte| ends_field(byte))?;
    Some(clear + found)
}

/// Whether no field can hold this byte.
pub(crate) fn ends_field(byte: u8) -> bool {
    is_blank(byte) | is_separator(byte)
}

fn is_blank(byte: u8) -> bool {
    (byte == b' ') | (byte == b'\t')
}

fn is_separator(byte: u8) -> bool {
    (byte == b',') | (byte == b';') | (byte == b':')
}

fn skip_blanks(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| !is_blank(byte));
    &bytes[start.unwrap_or(bytes.len())..]
}

pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    let bytes = skip_blanks(bytes);
    let end = bytes.iter().rposition(|&byte| !is_blank(byte));
    &bytes[..end.map_or(0, |last| last + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_copied_without_their_ends() {
        let cases: [(&str, Line<'_>); 9] = [
            ("# a comment\r\n", Line::Copied(b"# a comment")),
            ("\u{feff}#", Line::Copied("\u{feff}#".as_bytes())),
            ("\n", Line::Copied(b"")),
            (" \t\r\n", Line::Copied(b" \t")),
            ("", Line::Copied(b"")),
            ("12.4\n", Line::Record(b"12.4")),
            ("\u{feff}12.4\r\n", Line::Record(b"12.4")),
            ("12.4", Line::Record(b"12.4")),
            (" #\n", Line::Record(b" #")),
        ];
        for (bytes, line) in cases {
            assert_eq!(Line::of(bytes.as_bytes()), line, "{bytes:?}");
        }
    }

    #[test]
    fn fields_are_separated_by_blanks_or_one_mark() {
        let cases: [(&str, &[&str]); 9] = [
            ("a", &["a"]),
            ("a b\tc", &["a", "b", "c"]),
            ("  a  \t b  ", &["a", "b"]),
            ("a,b;c:d", &["a", "b", "c", "d"]),
            ("a , b", &["a", "b"]),
            ("a,,b", &["a", "", "b"]),
            (",a", &["", "a"]),
            ("a,", &["a", ""]),
            ("", &[]),
        ];
        for (record, fields) in cases {
            let found: Vec<&[u8]> = Fields::of(record.as_bytes()).collect();
            let fields: Vec<&[u8]> = fields.iter().map(|field| field.as_bytes()).collect();
            assert_eq!(found, fields, "{record:?}");
        }
    }

    #[test]
    fn a_separator_is_found_wherever_it_stands() {
        for length in 0..70 {
            for at in 0..length {
                for mark in *b" \t,;:" {
                    let mut bytes = vec![b'.'; length];
                    bytes[at] = mark;
                    assert_eq!(first_separator(&bytes), Some(at));
                }
            }
            assert_eq!(first_separator(&vec![b'.'; length]), None);
        }
    }

    fn parts_of(layout: &Layout, record: &str) -> [String; 4] {
        let parts = layout.parts(record.as_bytes(), |field| field == b"both");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let field =
            |field: Option<Cow<'_, [u8]>>| field.map_or("none".into(), |field| text(&field));
        [
            text(&parts.puzzle),
            field(parts.regions),
            field(parts.answer),
            text(parts.rest),
        ]
    }

    #[test]
    fn what_a_field_is_follows_from_the_options_alone() {
        for (regions, answer, record, parts) in [
            (false, false, "p", ["p", "none", "none", ""]),
            (
                false,
                false,
                "p, a comment",
                ["p", "none", "none", "a comment"],
            ),
            (true, false, "p r x", ["p", "r", "none", "x"]),
            (true, true, "p r a x\ty", ["p", "r", "a", "x\ty"]),
            (true, true, "both a x", ["both", "none", "a", "x"]),
            (true, true, "p", ["p", "none", "none", ""]),
        ] {
            let layout = Layout::Usual { regions, answer };
            assert_eq!(parts_of(&layout, record), parts, "{record}");
        }
    }

    #[test]
    fn named_fields_are_separated_by_single_tabs_if_there_are_any() {
        let names = FieldNames::parse("id,puzzle,note,answer", |_| false).unwrap();
        let layout = Layout::Named(names.clone());
        for (record, parts) in [
            ("7 p x a and more", ["p", "none", "a", "and more"]),
            ("7\tp\t\ta\t\tmore", ["p", "none", "a", "\tmore"]),
            ("7\t p \tx y\ta", ["p", "none", "a", ""]),
            ("7", ["", "none", "none", ""]),
        ] {
            assert_eq!(parts_of(&layout, record), parts, "{record:?}");
        }
        assert_eq!(names.field(b"7\tp\tx y\ta", 2), Some(&b"x y"[..]));
        assert_eq!(names.field(b"7 p", 2), None);
    }

    #[test]
    fn lists_of_names_with_a_fault_are_told() {
        for (list, reason) in [
            ("id,answer", "one of the fields must be 'puzzle'"),
            ("puzzle,id,id", "'id' appears twice"),
            ("puzzle,,id", "expected names separated by commas"),
            ("puzzle,status", "'status' is already the name of a column"),
        ] {
            let error = FieldNames::parse(list, |name| name == "status").unwrap_err();
            assert_eq!(error, reason, "{list}");
        }
    }
}
