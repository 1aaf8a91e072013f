//! A judge of grids that knows the rules from their definition, and nothing of the library: whether a row of output
//! keeps the givens of its line, and rows, columns, boxes or regions, diagonals and windows.

use std::collections::{BTreeMap, BTreeSet};

/// What the rows of one run must obey.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judge {
    pub diagonal: bool,
    pub window: bool,
    /// Regions stand in the second field, in place of boxes.
    pub jigsaw: bool,
}

/// How many rows were judged, by status.
pub type Counts = BTreeMap<String, u64>;

impl Judge {
    /// The judge of a `--variant` list.
    pub fn of(list: &str) -> Result<Judge, String> {
        let mut judge = Judge::default();
        for name in list.split(',') {
            match name {
                "classic" => {}
                "diagonal" | "x" => judge.diagonal = true,
                "window" | "windoku" | "hyper" => judge.window = true,
                "jigsaw" | "nonomino" => judge.jigsaw = true,
                _ => return Err(format!("no variant is called '{name}'")),
            }
        }
        Ok(judge)
    }

    /// Judges the whole output of a run. A line that is no puzzle must be `invalid`; it is not asked why.
    pub fn output(&self, puzzles: &[u8], output: &[u8]) -> Result<Counts, String> {
        let mut counts = Counts::new();
        let (mut lines, mut rows) = (lines(puzzles), lines(output));
        for number in 1.. {
            match (lines.next(), rows.next()) {
                (None, None) => break,
                (Some(_), None) => return Err(format!("line {number}: no row answers it")),
                (None, Some(_)) => return Err(format!("row {number}: answers no line")),
                (Some(line), Some(row)) => {
                    let status = self.row(line, row).map_err(|fault| {
                        let [line, row] = [line, row].map(String::from_utf8_lossy);
                        format!("line {number}: {fault}\n  {line}\n  {row}")
                    })?;
                    *counts.entry(status).or_default() += 1;
                }
            }
        }
        Ok(counts)
    }

    fn row(&self, line: &[u8], row: &[u8]) -> Result<String, String> {
        if line.starts_with(b"#") || line.iter().all(|byte| b" \t".contains(byte)) {
            return match line == row {
                true => Ok("copied".into()),
                false => Err("a comment or blank line was not copied".into()),
            };
        }
        let columns: Vec<&[u8]> = row.split(|&byte| byte == b'\t').collect();
        let &[shown, status] = &columns[..] else {
            return Err(format!("{} columns", columns.len()));
        };
        let status = String::from_utf8_lossy(status).into_owned();
        match status.as_str() {
            "invalid" => {
                let spaced: Vec<u8> = line
                    .iter()
                    .map(|&byte| if byte == b'\t' { b' ' } else { byte })
                    .collect();
                match shown == spaced || line.len() > 64 << 10 && spaced.starts_with(shown) {
                    true => Ok(status),
                    false => Err("an invalid line did not come out as it came".into()),
                }
            }
            "none" | "unknown" => {
                let puzzle = self.puzzle_and_regions(line).0;
                match shown == puzzle {
                    true => Ok(status),
                    false => Err("the puzzle did not come out as given".into()),
                }
            }
            "unique" | "multiple" => self.solution(line, shown).map(|()| status),
            _ => Err(format!("no status is called '{status}'")),
        }
    }

    fn puzzle_and_regions<'a>(&self, line: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        let mut fields = line
            .split(|byte| b" \t,;:".contains(byte))
            .filter(|field| !field.is_empty());
        let first = fields.next().unwrap_or_default();
        let half = first.len() / 2;
        if self.jigsaw && first.len() % 2 == 0 && half.isqrt().pow(2) == half {
            return first.split_at(half);
        }
        (first, fields.next().unwrap_or_default())
    }

    fn solution(&self, line: &[u8], grid: &[u8]) -> Result<(), String> {
        let (puzzle, regions) = self.puzzle_and_regions(line);
        if grid.len() != puzzle.len() {
            return Err(format!("{} cells for {}", grid.len(), puzzle.len()));
        }
        for (cell, (&given, &found)) in puzzle.iter().zip(grid).enumerate() {
            if !b".0_*-?x".contains(&given) && !given.eq_ignore_ascii_case(&found) {
                return Err(format!("cell {cell} of {} is not as given", grid.len()));
            }
        }
        let side = grid.len().isqrt();
        let digits: BTreeSet<u8> = b"123456789ABCDEFGHIJKLMNOP"[..side]
            .iter()
            .copied()
            .collect();
        for (name, cells) in self.houses(side, regions) {
            let held: BTreeSet<u8> = cells
                .iter()
                .map(|&cell| grid[cell].to_ascii_uppercase())
                .collect();
            if cells.len() != side || held != digits {
                return Err(format!("{name} does not hold every digit once"));
            }
        }
        Ok(())
    }

    /// Every house with its name: all the cells of which some question has the same answer.
    fn houses(&self, side: usize, regions: &[u8]) -> Vec<(String, Vec<usize>)> {
        let mut houses: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let (high, wide) = usual_box(side);
        let n = side.isqrt();
        let labels = regions.iter().map(Some).chain(std::iter::repeat(None));
        for (cell, label) in labels.enumerate().take(side * side) {
            let (row, column) = (cell / side, cell % side);
            let mut lies_in = vec![format!("row {row}"), format!("column {column}")];
            lies_in.push(match self.jigsaw {
                true => format!("region {label:?}"),
                false => format!("box {} {}", row / high, column / wide),
            });
            if self.diagonal && row == column {
                lies_in.push("falling diagonal".into());
            }
            if self.diagonal && row + column == side - 1 {
                lies_in.push("rising diagonal".into());
            }
            // A gap of one line before, between and behind windows of n by n.
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

/// Lines without their ends and byte order marks; the last may lack its newline.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let without_last_end = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines = without_last_end.split(|&byte| byte == b'\n');
    lines.skip(usize::from(bytes.is_empty())).map(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
    })
}

/// The boxes of the contract: the squarest, lying rather than standing.
fn usual_box(side: usize) -> (usize, usize) {
    let high = (1..=side.isqrt())
        .rev()
        .find(|high| side.is_multiple_of(*high));
    let high = high.unwrap_or(1);
    (high, side / high)
}

/// A full grid of boxes so many rows high and columns wide, its first row in ascending order; digits from 1.
#[allow(
    dead_code,
    reason = "for the tests; the program check-grids needs no puzzles"
)]
pub fn pattern(rows: usize, columns: usize) -> Vec<usize> {
    let side = rows * columns;
    let cells = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    cells
        .map(|(row, column)| (columns * (row % rows) + row / rows + column) % side + 1)
        .collect()
}

/// The digits as people write them.
#[allow(dead_code, reason = "as above")]
pub fn symbols(grid: &[usize]) -> String {
    grid.iter()
        .map(|&digit| char::from(b".123456789ABCDEFGHIJKLMNOP"[digit]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_judge_accepts_what_keeps_the_rules_and_nothing_else() {
        let grid = "1234341243212143";
        for (list, line, row, accepted) in [
            ("classic", "1...", "1...\tinvalid", true),
            ("classic", "# c", "# c", true),
            (
                "classic",
                "12..............",
                "1234341243212143\tunique",
                true,
            ),
            (
                "classic",
                "12..............",
                "1234341221434321\tmultiple",
                true,
            ),
            (
                "diagonal,window",
                "12..............",
                "1234341243212143\tunique",
                true,
            ),
            (
                "diagonal",
                "12..............",
                "1234341221434321\tunique",
                false,
            ),
            (
                "window",
                "12..............",
                "1234341221434321\tunique",
                false,
            ),
            (
                "classic",
                "2...............",
                "1234341243212143\tunique",
                false,
            ),
            (
                "classic",
                "................",
                "1234341243212144\tunique",
                false,
            ),
            (
                "classic",
                "................",
                "1234234134124123\tunique",
                false,
            ),
            ("classic", "................", "1234341243212143", false),
            (
                "classic",
                "................",
                "123434124321214.\tunique",
                false,
            ),
            ("classic", "................", "1234\tunique", false),
            (
                "classic",
                "11..............",
                "12..............\tnone",
                false,
            ),
            (
                "classic",
                "11..............",
                "11..............\tnone",
                true,
            ),
            (
                "jigsaw",
                "................ AAAABBBBCCCCDDDD",
                "1234234134124123\tmultiple",
                true,
            ),
            (
                "jigsaw",
                "................AABBAABBCCDDCCDD",
                "1234234134124123\tmultiple",
                false,
            ),
        ] {
            let result = Judge::of(list)
                .unwrap()
                .output(line.as_bytes(), row.as_bytes());
            assert_eq!(result.is_ok(), accepted, "{list}: {line} {row}: {result:?}");
        }
        assert!(
            Judge::default().output(b"#\n#\n", b"#\n").is_err(),
            "a lost row"
        );
        assert!(
            Judge::default().output(b"#\n", b"#\n#\n").is_err(),
            "a row too many"
        );
        assert_eq!(symbols(&pattern(2, 2)).len(), grid.len());
    }

    #[test]
    fn windows_of_a_nine_are_where_the_contract_has_them() {
        let judge = Judge::of("window").unwrap();
        let houses = judge.houses(9, &[]);
        let windows: Vec<_> = houses
            .iter()
            .filter(|(name, _)| name.starts_with("window"))
            .collect();
        let corners: Vec<usize> = windows.iter().map(|(_, cells)| cells[0]).collect();
        assert_eq!(corners, [10, 14, 46, 50]);
        assert!(houses.iter().all(|(_, cells)| cells.len() == 9));
    }
}
