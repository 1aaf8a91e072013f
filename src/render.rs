//! Verdicts to bytes: the columns of one line of output.

use crate::puzzle::{Alphabet, Case};
use crate::verdict::Status;

/// What the first column shows.
#[derive(Clone, Copy, Debug)]
pub enum Shown<'a> {
    /// A field of the line, as it came.
    Field(&'a [u8]),
    /// A whole line as it came, its tabs turned into spaces so that it stays one column.
    Line(&'a [u8]),
    /// A grid of digits.
    Grid(&'a [u8], Case),
}

/// Appends a row: what is shown, the status, and the reason if there is a column for it.
#[inline(always)]
pub fn write_row(
    shown: Shown<'_>,
    status: Status,
    reason: Option<&str>,
    alphabet: &Alphabet,
    rows: &mut Vec<u8>,
) {
    match shown {
        // No field is ever empty.
        Shown::Field([]) => rows.push(b'-'),
        Shown::Field(field) => rows.extend_from_slice(field),
        Shown::Line(line) => write_line(line, rows),
        Shown::Grid(grid, case) => alphabet.write(grid, case, rows),
    }
    match (status, reason) {
        // Of a known length, it needs no call to be copied.
        (Status::Unique, None) => rows.extend_from_slice(b"\tunique\n"),
        (Status::Correct, Some("-")) => rows.extend_from_slice(b"\tcorrect\t-\n"),
        _ => {
            rows.push(b'\t');
            rows.extend_from_slice(status.name().as_bytes());
            if let Some(reason) = reason {
                rows.push(b'\t');
                rows.extend_from_slice(reason.as_bytes());
            }
            rows.push(b'\n');
        }
    }
}

/// Appends a whole line as one column.
pub fn write_line(line: &[u8], rows: &mut Vec<u8>) {
    let spaced = |&byte: &u8| if byte == b'\t' { b' ' } else { byte };
    rows.extend(line.iter().map(spaced));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(shown: Shown<'_>, status: Status, reason: Option<&str>) -> String {
        let mut rows = Vec::new();
        write_row(shown, status, reason, &Alphabet::default(), &mut rows);
        String::from_utf8(rows).unwrap()
    }

    #[test]
    fn columns_are_separated_by_one_tab_and_a_line_stays_one_column() {
        let grid = [1, 2, 3, 4];
        assert_eq!(
            row(Shown::Grid(&grid, Case::Capital), Status::Unique, None),
            "1234\tunique\n"
        );
        assert_eq!(
            row(Shown::Field(b"12.."), Status::None, None),
            "12..\tnone\n"
        );
        assert_eq!(
            row(Shown::Line(b"a\tb"), Status::Invalid, Some("why")),
            "a b\tinvalid\twhy\n"
        );
        assert_eq!(
            row(Shown::Field(b""), Status::Correct, Some("-")),
            "-\tcorrect\t-\n"
        );
    }
}
