//! Checks output lines by the definition of the rules: givens are kept; rows, columns, boxes or
//! regions, diagonals and windows hold every digit once; cages hold no digit twice and have their
//! sums. Shares no code with the library.

use std::collections::{BTreeMap, BTreeSet};

/// The rules that the grids of one run must obey, and the checks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judge {
    pub diagonal: bool,
    pub window: bool,
    /// The second field of a line gives regions that replace the boxes.
    pub jigsaw: bool,
    /// The last field of a line gives cages, as arrows or as cage numbers.
    pub killer: bool,
}

/// The fields of a line.
struct InputFields<'a> {
    puzzle: &'a [u8],
    regions: &'a [u8],
    cages: &'a [u8],
}

/// A cage: its cells, and its sum if it has one.
type Cage = (Vec<usize>, Option<usize>);

/// The number of output lines of each status.
pub type Counts = BTreeMap<String, u64>;

impl Judge {
    /// Creates the judge for a `--variant` list.
    pub fn of(list: &str) -> Result<Judge, String> {
        let mut judge = Judge::default();
        for name in list.split(',') {
            match name {
                "classic" => {}
                "diagonal" | "x" => judge.diagonal = true,
                "window" | "windoku" | "hyper" => judge.window = true,
                "jigsaw" | "nonomino" => judge.jigsaw = true,
                "killer" => judge.killer = true,
                _ => return Err(format!("no variant is called '{name}'")),
            }
        }
        Ok(judge)
    }

    /// Checks the whole output of a run. Does not check whether the program has a reason to call a
    /// line `invalid`.
    pub fn judge_output(&self, puzzles: &[u8], output: &[u8]) -> Result<Counts, String> {
        let mut counts = Counts::new();
        let (mut input_lines, mut output_lines) = (lines(puzzles), lines(output));
        for number in 1.. {
            match (input_lines.next(), output_lines.next()) {
                (None, None) => break,
                (Some(_), None) => return Err(format!("line {number}: no output line answers it")),
                (None, Some(_)) => return Err(format!("output line {number}: answers no line")),
                (Some(input), Some(output)) => {
                    let status = self.judge_line(input, output).map_err(|fault| {
                        let [input, output] = [input, output].map(String::from_utf8_lossy);
                        format!("line {number}: {fault}\n  {input}\n  {output}")
                    })?;
                    *counts.entry(status).or_default() += 1;
                }
            }
        }
        Ok(counts)
    }

    /// Checks the output line of one input line, and returns its status.
    fn judge_line(&self, line: &[u8], output: &[u8]) -> Result<String, String> {
        if line.starts_with(b"#") || line.iter().all(|byte| b" \t".contains(byte)) {
            return if line == output {
                Ok("copied".into())
            } else {
                Err("a comment or blank line was not copied".into())
            };
        }
        let columns: Vec<&[u8]> = output.split(|&byte| byte == b'\t').collect();
        let &[shown, status] = &columns[..] else {
            return Err(format!("{} columns", columns.len()));
        };
        let status = String::from_utf8_lossy(status).into_owned();
        match status.as_str() {
            "invalid" => {
                let spaced: Vec<u8> =
                    line.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte }).collect();
                if shown == spaced || line.len() > 64 << 10 && spaced.starts_with(shown) {
                    Ok(status)
                } else {
                    Err("an invalid line did not come out as it came".into())
                }
            }
            "none" | "unknown" => {
                if shown == self.fields_of(line).puzzle {
                    Ok(status)
                } else {
                    Err("the puzzle did not come out as given".into())
                }
            }
            "unique" | "multiple" => self.judge_solution(line, shown).map(|()| status),
            _ => Err(format!("no status is called '{status}'")),
        }
    }

    /// Returns the fields of a line. Region labels can follow the puzzle in its field. The fields
    /// of killers are separated by blanks only.
    fn fields_of<'a>(&self, line: &'a [u8]) -> InputFields<'a> {
        let separators: &[u8] = if self.killer { b" \t" } else { b" \t,;:" };
        let fields = line.split(|byte| separators.contains(byte));
        let mut fields = fields.filter(|field| !field.is_empty());
        let mut next = || fields.next().unwrap_or_default();
        let first = next();
        let half = first.len() / 2;
        let holds_both = first.len().is_multiple_of(2) && half.isqrt().pow(2) == half;
        let (puzzle, regions) = match self.jigsaw {
            true if holds_both => first.split_at(half),
            true => (first, next()),
            false => (first, &[][..]),
        };
        InputFields { puzzle, regions, cages: if self.killer { next() } else { &[] } }
    }

    /// Checks that a solution keeps the givens, that every house holds every digit once, and that
    /// the cages have their sums.
    fn judge_solution(&self, line: &[u8], grid: &[u8]) -> Result<(), String> {
        let InputFields { puzzle, regions, cages } = self.fields_of(line);
        if grid.len() != puzzle.len() {
            return Err(format!("{} cells for {}", grid.len(), puzzle.len()));
        }
        for (cell, (&given, &found)) in puzzle.iter().zip(grid).enumerate() {
            if !b".0_*-?x".contains(&given) && !given.eq_ignore_ascii_case(&found) {
                return Err(format!("cell {cell} of {} is not as given", grid.len()));
            }
        }
        let side = grid.len().isqrt();
        let digits: BTreeSet<u8> = b"123456789ABCDEFGHIJKLMNOP"[..side].iter().copied().collect();
        for (name, cells) in self.houses(side, regions) {
            let held: BTreeSet<u8> =
                cells.iter().map(|&cell| grid[cell].to_ascii_uppercase()).collect();
            if cells.len() != side || held != digits {
                return Err(format!("{name} does not hold every digit once"));
            }
        }
        cages_of(cages, side)?.iter().try_for_each(|cage| judge_cage(cage, grid))
    }

    /// Returns the cells of every house, with the name of the house.
    fn houses(&self, side: usize, regions: &[u8]) -> Vec<(String, Vec<usize>)> {
        let mut houses: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let (box_rows, box_columns) = default_box(side);
        let n = side.isqrt();
        let labels = regions.iter().map(Some).chain(std::iter::repeat(None));
        for (cell, label) in labels.enumerate().take(side * side) {
            let (row, column) = (cell / side, cell % side);
            let mut lies_in = vec![format!("row {row}"), format!("column {column}")];
            lies_in.push(if self.jigsaw {
                format!("region {label:?}")
            } else {
                format!("box {} {}", row / box_rows, column / box_columns)
            });
            if self.diagonal && row == column {
                lies_in.push("falling diagonal".into());
            }
            if self.diagonal && row + column == side - 1 {
                lies_in.push("rising diagonal".into());
            }
            // Windows have n by n cells. One row or column is left free before, between and after
            // them.
            if self.window && row % (n + 1) != 0 && column % (n + 1) != 0 {
                lies_in.push(format!("window {} {}", row / (n + 1), column / (n + 1)));
            }
            for house in lies_in {
                houses.entry(house).or_default().push(cell);
            }
        }
        houses.into_iter().collect()
    }
}

/// Checks that a grid holds no digit twice in a cage, and that its digits add up to the sum.
fn judge_cage((cells, sum): &Cage, grid: &[u8]) -> Result<(), String> {
    let digits = cells.iter().map(|&cell| value(grid[cell]));
    let digits: BTreeSet<usize> = digits.collect();
    if digits.len() != cells.len() {
        return Err(format!("the cage of the cells {cells:?} has a digit twice"));
    }
    let found: usize = digits.iter().sum();
    match sum {
        Some(sum) if *sum != found => {
            let reason = format!("adds up to {found}, not {sum}");
            Err(format!("the cage of the cells {cells:?} {reason}"))
        }
        _ => Ok(()),
    }
}

/// Returns the value of a symbol of a grid.
fn value(symbol: u8) -> usize {
    match symbol.to_ascii_uppercase() {
        digit @ b'0'..=b'9' => usize::from(digit - b'0'),
        letter => usize::from(letter.wrapping_sub(b'A')) + 10,
    }
}

/// Reads a field of cages: cage numbers if it has a `:`, otherwise arrows.
fn cages_of(field: &[u8], side: usize) -> Result<Vec<Cage>, String> {
    let mut cages: BTreeMap<usize, Cage> = BTreeMap::new();
    let text = String::from_utf8_lossy(field);
    let numbers = text.splitn(4, ':').nth(3).unwrap_or_default();
    let numbers: Vec<&str> = numbers.split_terminator(':').collect();
    for cell in 0..if field.is_empty() { 0 } else { side * side } {
        let (key, sum) = if numbers.is_empty() {
            cage_by_arrows(field, cell, side)?
        } else {
            cage_by_number(numbers.get(cell).copied().unwrap_or_default())?
        };
        let cage = cages.entry(key).or_default();
        cage.0.push(cell);
        cage.1 = sum;
    }
    // Cells in no cage share the key 0 of cage numbers.
    cages.retain(|_, cage| cage.1.is_some() || numbers.is_empty());
    Ok(cages.into_values().collect())
}

/// Follows the arrows from a cell to the sum of its cage. Returns the cell with the sum, and the
/// sum unless it is 0.
fn cage_by_arrows(
    field: &[u8],
    mut cell: usize,
    side: usize,
) -> Result<(usize, Option<usize>), String> {
    for _ in 0..side * side {
        let symbol = *field.get(cell).ok_or("an arrow leads out of the grid")?;
        let (down, right) = match symbol {
            b'<' => (0, -1),
            b'>' => (0, 1),
            b'^' => (-1, 0),
            b'v' => (1, 0),
            b'`' => (-1, -1),
            b'\'' => (-1, 1),
            b',' => (1, -1),
            b'.' => (1, 1),
            _ => {
                let sums = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij";
                let sum = sums.find(char::from(symbol)).ok_or("no such sum")?;
                return Ok((cell, Some(sum).filter(|&sum| sum > 0)));
            }
        };
        let row = (cell / side).checked_add_signed(down);
        let column = (cell % side).checked_add_signed(right);
        let (row, column) = row.zip(column).ok_or("an arrow leads out of the grid")?;
        if column >= side {
            return Err("an arrow leads out of the grid".to_string());
        }
        cell = row * side + column;
    }
    Err("the arrows form a loop".to_string())
}

/// Splits a cage number into the number of a cage and its sum. Returns 0 and no sum for a cell in
/// no cage.
fn cage_by_number(text: &str) -> Result<(usize, Option<usize>), String> {
    let number: usize = text.parse().map_err(|_| format!("cage number '{text}'"))?;
    match number / 256 {
        0 => Ok((0, None)),
        sum => Ok((1 + number % 256, Some(sum))),
    }
}

/// Returns the lines without line ends and byte order marks. The last line can lack its newline.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let without_last_end = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines = without_last_end.split(|&byte| byte == b'\n');
    lines.skip(usize::from(bytes.is_empty())).map(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
    })
}

/// Returns the rows and columns of the default boxes: the squarest, with at least as many columns
/// as rows.
fn default_box(side: usize) -> (usize, usize) {
    let rows = (1..=side.isqrt()).rev().find(|rows| side.is_multiple_of(*rows));
    let rows = rows.unwrap_or(1);
    (rows, side / rows)
}

/// Returns a full grid for boxes of `rows` by `columns` cells. The first row is in ascending order;
/// digits start at 1.
#[allow(dead_code, reason = "for the tests; the program check-grids needs no puzzles")]
pub fn pattern(rows: usize, columns: usize) -> Vec<usize> {
    let side = rows * columns;
    let cells = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    cells.map(|(row, column)| (columns * (row % rows) + row / rows + column) % side + 1).collect()
}

/// Returns the grid as text: `.` for 0, then 1 to 9 and A to P.
#[allow(dead_code, reason = "as above")]
pub fn symbols(grid: &[usize]) -> String {
    grid.iter().map(|&digit| char::from(b".123456789ABCDEFGHIJKLMNOP"[digit])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_judge_accepts_right_output_and_rejects_wrong_output() {
        let grid = "1234341243212143";
        for (list, line, output, accepted) in [
            ("classic", "1...", "1...\tinvalid", true),
            ("classic", "# c", "# c", true),
            ("classic", "12..............", "1234341243212143\tunique", true),
            ("classic", "12..............", "1234341221434321\tmultiple", true),
            ("diagonal,window", "12..............", "1234341243212143\tunique", true),
            ("diagonal", "12..............", "1234341221434321\tunique", false),
            ("window", "12..............", "1234341221434321\tunique", false),
            ("classic", "2...............", "1234341243212143\tunique", false),
            ("classic", "................", "1234341243212144\tunique", false),
            ("classic", "................", "1234234134124123\tunique", false),
            ("classic", "................", "1234341243212143", false),
            ("classic", "................", "123434124321214.\tunique", false),
            ("classic", "................", "1234\tunique", false),
            ("classic", "11..............", "12..............\tnone", false),
            ("classic", "11..............", "11..............\tnone", true),
            ("jigsaw", "................ AAAABBBBCCCCDDDD", "1234234134124123\tmultiple", true),
            ("jigsaw", "................AABBAABBCCDDCCDD", "1234234134124123\tmultiple", false),
            ("killer", "................ 3<00^00000.00006", "1234341243212143\tmultiple", false),
            ("killer", "................ 6<00^00000.00005", "1234341243212143\tmultiple", true),
            ("killer", "................ 6<00^00000.00004", "1234341243212143\tmultiple", false),
            ("killer", "................ 00000<0000000000", "1234341243212143\tmultiple", true),
            ("killer", "................ 00,0000000000000", "1234341243212143\tmultiple", true),
            ("killer", "................ 0000.00000000000", "1234341243212143\tmultiple", false),
            ("killer", "................ 000>000000000000", "1234341243212143\tmultiple", false),
            (
                "killer",
                "................ 2x2::k:768:768:0:0:0:0:0:0:0:0:0:0:0:0:0:0:",
                "1234341243212143\tunique",
                true,
            ),
            (
                "killer",
                "................ 2x2::k:768:1:768:0:0:0:0:0:0:0:0:0:0:0:0:0",
                "1234341243212143\tunique",
                false,
            ),
            (
                "killer,jigsaw",
                "................ AAAABBBBCCCCDDDD 3<00000000000000",
                "1234234134124123\tmultiple",
                true,
            ),
        ] {
            let result = Judge::of(list).unwrap().judge_output(line.as_bytes(), output.as_bytes());
            assert_eq!(result.is_ok(), accepted, "{list}: {line} {output}: {result:?}");
        }
        assert!(
            Judge::default().judge_output(b"#\n#\n", b"#\n").is_err(),
            "an output line is missing"
        );
        assert!(
            Judge::default().judge_output(b"#\n", b"#\n#\n").is_err(),
            "an output line too many"
        );
        assert_eq!(symbols(&pattern(2, 2)).len(), grid.len());
    }

    #[test]
    fn windows_of_a_9x9_grid_start_at_r2c2_r2c6_r6c2_and_r6c6() {
        let judge = Judge::of("window").unwrap();
        let houses = judge.houses(9, &[]);
        let windows: Vec<_> =
            houses.iter().filter(|(name, _)| name.starts_with("window")).collect();
        let corners: Vec<usize> = windows.iter().map(|(_, cells)| cells[0]).collect();
        assert_eq!(corners, [10, 14, 46, 50]);
        assert!(houses.iter().all(|(_, cells)| cells.len() == 9));
    }
}
