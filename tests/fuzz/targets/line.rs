//! Splits one line into fields, and reads the first field as digits.

use sudoku_filter::program::{Fields, Line, Sizes};
use sudoku_filter::{Alphabet, Case};

use super::plain::{self, Separators};

pub fn run(line: &[u8]) {
    let record = match Line::of(line) {
        Line::Copied(bytes) => {
            assert_eq!(bytes, plain::without_mark(plain::without_end(line)));
            return assert!(plain::is_copied(bytes));
        }
        Line::Record(record) => record,
    };
    assert!(!plain::is_copied(plain::without_end(line)));
    let fields: Vec<&[u8]> = Fields::of(record).collect();
    assert_eq!(
        fields,
        plain::fields(plain::without_mark(plain::without_end(line)), Separators::Usual)
    );
    let field = fields[0];
    let mut grid = vec![77];
    match Sizes::default().side(field.len()) {
        Err(reason) => assert!(
            plain::usual_box(field.len().isqrt())
                .is_none_or(|[a, b]| (a * b).pow(2) != field.len()),
            "{reason}"
        ),
        Ok(side) => {
            assert_eq!(side * side, field.len());
            let read = Alphabet::default().read(field, side, &mut grid);
            let expected = plain::digits(field, side);
            assert_eq!(read.is_ok(), expected.is_some(), "{read:?}");
            assert_eq!(grid.split_off(1), expected.unwrap_or_default());
            if let Ok(case) = read {
                assert_reads_back(field, side, case);
            }
        }
    }
}

/// Asserts that writing a grid and reading it again gives the same grid. The kind of blank can
/// change.
fn assert_reads_back(field: &[u8], side: usize, case: Case) {
    let (mut grid, mut text, mut again) = (Vec::new(), Vec::new(), Vec::new());
    Alphabet::default().read(field, side, &mut grid).unwrap();
    Alphabet::default().write(&grid, case, &mut text);
    Alphabet::default().read(&text, side, &mut again).unwrap();
    assert_eq!(grid, again);
}
