//! Compares the output lines of solvers. A line is `SOLUTION TAB STATUS`, or `STATUS` from a solver that keeps no grid.

use std::fmt;

/// The differences between the answers of a solver and those of the first solver.
#[derive(Debug, PartialEq)]
pub struct Difference {
    pub count: usize,
    /// The number of the first line that differs.
    pub line: usize,
    /// The output line of the solver.
    pub found: String,
    /// The output line of the first solver.
    pub expected: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Difference { count, line, found, expected } = self;
        write!(
            formatter,
            "{count} wrong answers, the first at line {line}: `{found}`, not `{expected}`"
        )
    }
}

/// Compares the answers of a solver with those of the first one. A missing or an additional line is a difference.
pub fn compare(found: &str, expected: &str) -> Option<Difference> {
    let lines = found.lines().count().max(expected.lines().count());
    let (mut found, mut expected) = (found.lines(), expected.lines());
    let pairs = (1..=lines).map(|line| {
        let missing = "a missing line";
        (line, found.next().unwrap_or(missing), expected.next().unwrap_or(missing))
    });
    let mut differing = pairs.filter(|(_, found, expected)| !agree(found, expected));
    let (line, found, expected) = differing.next()?;
    Some(Difference {
        line,
        found: found.to_string(),
        expected: expected.to_string(),
        count: 1 + differing.count(),
    })
}

/// Returns whether two output lines state the same. Each solver can show another one of several solutions.
fn agree(found: &str, expected: &str) -> bool {
    let status = |line: &str| line.rsplit('\t').next().map(str::to_string);
    let keeps_no_grid = !found.contains('\t');
    if keeps_no_grid || expected.ends_with("\tmultiple") {
        return status(found) == status(expected);
    }
    found == expected
}

/// Counts the statuses of output lines: `3 unique, 1 none`.
pub fn count_statuses(lines: &str) -> String {
    let counts = ["unique", "multiple", "none", "unknown", "invalid"].map(|status| {
        let has_status = |line: &&str| line.rsplit('\t').next() == Some(status);
        (lines.lines().filter(has_status).count(), status)
    });
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, status)| format!("{count} {status}")).collect();
    counts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: &str = "12\tunique\n34\tmultiple\n..\tnone\n";

    #[test]
    fn a_solver_can_show_another_of_several_solutions() {
        assert_eq!(compare("12\tunique\n43\tmultiple\n..\tnone\n", EXPECTED), None);
    }

    #[test]
    fn a_solver_can_keep_no_grid() {
        assert_eq!(compare("unique\nmultiple\nnone\n", EXPECTED), None);
        assert_eq!(compare("unique\nunique\nnone\n", EXPECTED).unwrap().line, 2);
    }

    #[test]
    fn wrong_solutions_and_statuses_are_counted() {
        let difference = compare("21\tunique\n34\tmultiple\n..\tunique\n", EXPECTED).unwrap();
        assert_eq!((difference.count, difference.line), (2, 1));
        assert_eq!(difference.found, "21\tunique");
        assert_eq!(difference.expected, "12\tunique");
    }

    #[test]
    fn a_line_without_status_is_a_difference() {
        assert_eq!(compare("12\n43\n..\n", EXPECTED).unwrap().count, 3);
    }

    #[test]
    fn missing_and_additional_lines_are_differences() {
        assert_eq!(compare("12\tunique\n", EXPECTED).unwrap().count, 2);
        assert_eq!(compare(&EXPECTED.repeat(2), EXPECTED).unwrap().count, 3);
    }

    #[test]
    fn statuses_are_counted() {
        assert_eq!(count_statuses(EXPECTED), "1 unique, 1 multiple, 1 none");
    }
}
