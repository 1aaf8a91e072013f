//! Lines to fields: what separates them, what is copied through, what a line is without its end.

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
        let record = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
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

fn trim(bytes: &[u8]) -> &[u8] {
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
}
