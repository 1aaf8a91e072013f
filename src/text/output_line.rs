//! Writes an output line with the default columns: grid, status and, with `--verify`, reason. `pipeline/write.rs` writes all
//! other output lines.

use super::symbols::{Alphabet, Case};
use crate::verdict::Status;

/// The contents of the first column.
#[derive(Clone, Copy, Debug)]
pub enum Shown<'a> {
    /// A field of the input line, unchanged.
    Field(&'a [u8]),
    /// A whole input line, with its tabs replaced by spaces so that it stays one column.
    Line(&'a [u8]),
    /// A grid of digits, written in the symbols of the alphabet.
    Grid(&'a [u8], Case),
}

/// Appends an output line to `output`. `reason` is `None` if there is no reason column.
#[inline(always)]
pub fn write_output_line(
    shown: Shown<'_>,
    status: Status,
    reason: Option<&str>,
    alphabet: &Alphabet,
    output: &mut Vec<u8>,
) {
    match shown {
        // An empty output column is written as `-`.
        Shown::Field([]) => output.push(b'-'),
        Shown::Field(field) => output.extend_from_slice(field),
        Shown::Line(line) => write_input_line(line, output),
        Shown::Grid(grid, case) => alphabet.write(grid, case, output),
    }
    match (status, reason) {
        // Copying a constant length needs no call to memcpy.
        (Status::Unique, None) => output.extend_from_slice(b"\tunique\n"),
        (Status::Correct, Some("-")) => output.extend_from_slice(b"\tcorrect\t-\n"),
        _ => {
            output.push(b'\t');
            output.extend_from_slice(status.name().as_bytes());
            if let Some(reason) = reason {
                output.push(b'\t');
                output.extend_from_slice(reason.as_bytes());
            }
            output.push(b'\n');
        }
    }
}

/// Appends an input line as one output column: its tabs become spaces.
pub fn write_input_line(line: &[u8], output: &mut Vec<u8>) {
    let without_tabs = |&byte: &u8| if byte == b'\t' { b' ' } else { byte };
    output.extend(line.iter().map(without_tabs));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output_line(shown: Shown<'_>, status: Status, reason: Option<&str>) -> String {
        let mut output = Vec::new();
        write_output_line(shown, status, reason, &Alphabet::default(), &mut output);
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn columns_are_separated_by_one_tab_and_an_input_line_stays_one_column() {
        let grid = [1, 2, 3, 4];
        assert_eq!(
            output_line(Shown::Grid(&grid, Case::Capital), Status::Unique, None),
            "1234\tunique\n"
        );
        assert_eq!(
            output_line(Shown::Field(b"12.."), Status::None, None),
            "12..\tnone\n"
        );
        assert_eq!(
            output_line(Shown::Line(b"a\tb"), Status::Invalid, Some("why")),
            "a b\tinvalid\twhy\n"
        );
        assert_eq!(
            output_line(Shown::Field(b""), Status::Correct, Some("-")),
            "-\tcorrect\t-\n"
        );
    }
}
