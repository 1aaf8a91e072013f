//! The output columns that `-o` can name, with their help texts. `pipeline/write/columns.rs` writes
//! their values.

use std::fmt;

use crate::error::InvalidInput;

/// One column of an output line.
///
/// ```
/// use sudoku_filter::Column;
///
/// let columns = Column::list("puzzle,status", |_| false)?;
/// assert_eq!(columns, [Column::Puzzle.into(), Column::Status.into()]);
/// assert_eq!(Column::Grade.to_string(), "grade");
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Column {
    /// The input line, without its line end. For a drawn puzzle, the rows of its grids, with one
    /// space between two rows.
    Input,
    /// The name of the file as given on the command line, with special characters escaped. `-` for
    /// standard input.
    File,
    /// The number of the line in its file. For a drawn puzzle, the number of the line with its
    /// first row.
    Line,
    /// The puzzle, with the change that `--reveal`, `--minimize` or `--shuffle` makes.
    Puzzle,
    /// The layout of the jigsaw regions.
    Regions,
    /// The cages of a killer.
    Cages,
    /// The answer of the line, which `--verify` checks, and which `--shuffle` changes with the
    /// puzzle.
    Answer,
    /// A solution: the first one found, or with `--all` another one in each output line. If the
    /// status is `none` or `unknown`, the puzzle instead.
    Solution,
    /// The status of the line.
    Status,
    /// The reason for the status. `invalid`: what is wrong with the line. `incorrect`: what is
    /// wrong with the answer. `none`: why there is no solution, if human techniques show it.
    /// `unknown`: the limit that ended the search (`guesses` or `time`) or the internal error, if
    /// that is known.
    Reason,
    /// The number of cells of the puzzle without a given.
    Blanks,
    /// The number of blank cells in which the answer has the digit of the only solution.
    Matching,
    /// `Matching` divided by the number of blank cells.
    Score,
    /// The number of cells of the answer that contradict a given, their pencilmarks, another cell
    /// or the sum of their cage.
    Conflicts,
    /// The number of solutions, counted up to `--count`, or up to 2 without it.
    Solutions,
    /// The second solution found.
    Second,
    /// The cells in which the first two solutions differ.
    Differ,
    /// The number of givens.
    Givens,
    /// The number of guesses of the search: its branches, and 64 for each conflict of clause
    /// learning.
    Guesses,
    /// The hardest technique in the solution of a person, who uses the easiest one at each step.
    /// `search` if techniques do not solve the puzzle.
    Grade,
    /// The position of `Grade` in the order of the techniques, from 1 for the easiest. `search` has
    /// the position after the last technique.
    Level,
    /// The difficulty of a classic 9x9 on the scale of Sudoku Explainer, but independent of the
    /// order of the deductions: a number for every such puzzle with exactly one solution, unless
    /// `--max-time` ends the rating.
    Difficulty,
    /// The class of `Difficulty`, by the bounds of the options.
    Class,
    /// The number of steps of a person.
    Steps,
    /// The next step, by the easiest technique.
    Hint,
    /// Every step of a person, and `search` as the last one if techniques do not solve the puzzle.
    /// For a puzzle without solution, the steps up to the contradiction that `Reason` states, if
    /// techniques reach one.
    Path,
    /// Each technique in `Path` with the number of its steps.
    Techniques,
    /// The grid after each digit that a person places.
    Boards,
    /// The grid where the techniques of a person end, whether the puzzle has one solution or not.
    Reached,
    /// The candidates of each cell in `Reached`.
    ReachedCandidates,
    /// The candidates of each cell that singles, cage combinations and locked candidates leave.
    Pencilmarks,
    /// `yes` if the puzzle has one solution, and the removal of any given adds solutions. `no` if
    /// the puzzle has one solution, and still has only one without some given.
    Minimal,
    /// The cells of each given that can be removed alone while the solution stays unique.
    Redundant,
    /// The digits that each cell has in some solution.
    Candidates,
    /// The canonical form, equal for puzzles that differ only by a symmetry and a relabelling of
    /// the digits that the rules allow.
    Canonical,
    /// The symmetry and the relabelling that turn the puzzle into `Canonical`: a transposition, if
    /// there is one, then the row, the column and the digit that becomes the first, the second, ...
    /// of the form. Rows and columns are those of the transposed puzzle. So the digit of the form
    /// in row i and column j is x if row `rows[i]` and column `columns[j]` hold `digits[x]`.
    Image,
    /// The number of pairs of a symmetry and a relabelling, allowed by the rules, that turn the
    /// puzzle into itself, together with its layout and its cages. At least 1.
    Automorphisms,
    /// The part of the line after the fields that the options name or the program reads.
    Rest,
    /// A field that `--fields`, the header of CSV or a key of JSON names, and that the program only
    /// copies to the output.
    Carried(String),
}

impl Column {
    /// All columns with a fixed name, as pairs of the name and the column, in the order of the
    /// help.
    pub const ALL: [(&'static str, Column); 38] = [
        ("input", Column::Input),
        ("file", Column::File),
        ("line", Column::Line),
        ("puzzle", Column::Puzzle),
        ("regions", Column::Regions),
        ("cages", Column::Cages),
        ("answer", Column::Answer),
        ("solution", Column::Solution),
        ("status", Column::Status),
        ("reason", Column::Reason),
        ("blanks", Column::Blanks),
        ("matching", Column::Matching),
        ("score", Column::Score),
        ("conflicts", Column::Conflicts),
        ("solutions", Column::Solutions),
        ("second", Column::Second),
        ("differ", Column::Differ),
        ("givens", Column::Givens),
        ("guesses", Column::Guesses),
        ("grade", Column::Grade),
        ("level", Column::Level),
        ("difficulty", Column::Difficulty),
        ("class", Column::Class),
        ("steps", Column::Steps),
        ("hint", Column::Hint),
        ("path", Column::Path),
        ("techniques", Column::Techniques),
        ("boards", Column::Boards),
        ("reached", Column::Reached),
        ("reached_candidates", Column::ReachedCandidates),
        ("pencilmarks", Column::Pencilmarks),
        ("minimal", Column::Minimal),
        ("redundant", Column::Redundant),
        ("candidates", Column::Candidates),
        ("canonical", Column::Canonical),
        ("image", Column::Image),
        ("automorphisms", Column::Automorphisms),
        ("rest", Column::Rest),
    ];

    /// Returns the help text of the column.
    #[doc(hidden)]
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Column::Input => "the whole input line, with its tabs: name it last",
            Column::File => "the name of the file; - for standard input",
            Column::Line => "the number of the line in its file",
            Column::Puzzle => "the puzzle",
            Column::Regions => "the layout of the regions",
            Column::Cages => "the cages of a killer; arrows up to 9x9, else numbers",
            Column::Answer => "the answer that was checked or shuffled",
            Column::Solution => "a solution; the puzzle if `none` or `unknown`",
            Column::Status => "the status",
            Column::Reason => {
                "why invalid, incorrect, `unknown` or,\nif techniques show it, `none`"
            }
            Column::Blanks => "how many cells of the puzzle are blank",
            Column::Matching => "how many blanks the answer has right; - unless one solution",
            Column::Score => {
                "matching / blanks, such as 0.9074;\n- unless one solution and a blank"
            }
            Column::Conflicts => "how many cells of the answer contradict others or givens",
            Column::Solutions => "how many solutions, up to --count; 2+: 2 or more",
            Column::Second => "another solution of a `multiple` puzzle",
            Column::Differ => "the cells in which two solutions differ, such as r1c2,r1c5",
            Column::Givens => "how many digits are given",
            Column::Guesses => "how many guesses the search made",
            Column::Grade => "the hardest technique needed by a person, or search",
            Column::Level => "the number of grade in the order of the techniques, from 1",
            Column::Difficulty => {
                "of a classic 9x9, on the scale of Sudoku Explainer,\n1.0 to 11.9"
            }
            Column::Class => "the class of the difficulty; see --classes",
            Column::Steps => "how many steps a person needs",
            Column::Hint => "the easiest next step",
            Column::Path => "every step, separated by `; `; a last search if they end early",
            Column::Techniques => "each technique of path with its count, hardest first",
            Column::Boards => "the grid after each digit that path places, separated by ;",
            Column::Reached => "the grid where the techniques end",
            Column::ReachedCandidates => "pencilmarks of reached",
            Column::Pencilmarks => {
                "candidates after singles, cage combinations and locked\ncandidates"
            }
            Column::Minimal => "yes if no given can be removed, else no",
            Column::Redundant => "the givens each of which could go alone, such as r1c2,r3c4",
            Column::Candidates => "pencilmarks: for each cell the digits that some solution has",
            Column::Canonical => "equal for puzzles that differ only by symmetry; N up to 9",
            Column::Image => {
                "rows, columns and digits that become 1, 2, ... in canonical:
`rows 2143 columns 1234 digits 3412` makes row 2 row 1 and
digit 3 digit 1; `transpose` before it means: do so first"
            }
            Column::Automorphisms => {
                "how many symmetries, each with a renaming of the digits,\nleave the puzzle as it is; N up to 9"
            }
            Column::Rest => "the line after the fields that are used: name it last",
            Column::Carried(_) => "a field of the input",
        }
    }

    /// Parses a comma-separated list of column names, such as `puzzle,rating=difficulty`. The name
    /// before a `=` is that of the column in the output. `is_carried` returns true for the names
    /// of copied fields. A name that both a column and a copied field have is that of the column;
    /// `input.NAME` is always the field.
    ///
    /// # Errors
    /// Returns an error if a name is empty, or neither that of a column nor that of a copied field.
    pub fn list(
        names: &str,
        is_carried: impl Fn(&str) -> bool,
    ) -> Result<Vec<OutputColumn>, InvalidInput> {
        let column = |item: &str| {
            let (output_name, source) = item.split_once('=').unwrap_or((item, item));
            let (output_name, source) = (output_name.trim(), source.trim());
            if output_name.is_empty() || source.is_empty() {
                return Err("expected names separated by commas, without blanks".into());
            }
            let field = source.strip_prefix("input.").filter(|field| is_carried(field));
            let of_program = Column::ALL.iter().find(|(name, _)| *name == source);
            let column = match (field, of_program) {
                (Some(field), _) => Column::Carried(field.to_string()),
                (None, Some((_, column))) => column.clone(),
                (None, None) if is_carried(source) => Column::Carried(source.to_string()),
                (None, None) => {
                    let names = Column::ALL.map(|(name, _)| name).join(", ");
                    let reason = format!("unknown column '{source}'; the columns are {names}");
                    return Err(reason.into());
                }
            };
            let name = output_name.to_string();
            Ok(OutputColumn { name, column })
        };
        names.split(',').map(column).collect()
    }

    /// Returns true for the columns `puzzle`, `answer` and `solution`, which show a grid. In
    /// tab-separated output, an invalid input line takes the place of the first of these columns.
    pub(crate) fn shows_grid(&self) -> bool {
        matches!(self, Column::Puzzle | Column::Answer | Column::Solution)
    }

    /// Returns true if the column shows a result of solving or examining the puzzle. `--shuffle`
    /// does neither, so it cannot show such a column.
    #[doc(hidden)]
    #[must_use]
    pub fn needs_solving(&self) -> bool {
        self.needs().contains(&Need::Solving)
    }

    /// Returns true if the value of the column can depend on the techniques that a person may use.
    /// The reason why a puzzle has no solution is the contradiction that they reach.
    #[doc(hidden)]
    #[must_use]
    pub fn depends_on_techniques(&self) -> bool {
        matches!(
            self,
            Column::Grade
                | Column::Level
                | Column::Steps
                | Column::Hint
                | Column::Path
                | Column::Techniques
                | Column::Boards
                | Column::Reached
                | Column::ReachedCandidates
                | Column::Reason
        )
    }

    pub(crate) fn needs(&self) -> &'static [Need] {
        match self {
            Column::Input
            | Column::File
            | Column::Line
            | Column::Status
            | Column::Reason
            | Column::Puzzle
            | Column::Givens
            | Column::Blanks
            | Column::Answer
            | Column::Regions
            | Column::Cages
            | Column::Rest
            | Column::Carried(_)
            | Column::Conflicts => &[],
            Column::Matching | Column::Score => &[Need::SolvedAnswer],
            Column::Solution
            | Column::Minimal
            | Column::Redundant
            | Column::Canonical
            | Column::Image
            | Column::Automorphisms
            | Column::Reached
            | Column::ReachedCandidates
            | Column::Grade
            | Column::Level
            | Column::Difficulty
            | Column::Class
            | Column::Steps
            | Column::Hint
            | Column::Path
            | Column::Techniques
            | Column::Boards
            | Column::Pencilmarks => &[Need::Solving],
            Column::Guesses => &[Need::Solving, Need::SearchDetails],
            Column::Solutions => &[Need::Solving, Need::SearchDetails, Need::Count],
            Column::Second | Column::Differ | Column::Candidates => {
                &[Need::Solving, Need::SearchDetails, Need::SecondSolution]
            }
        }
    }
}

/// A column with its name in the output: in the header of CSV, or as a key of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputColumn {
    /// The name.
    pub name: String,
    /// The column.
    pub column: Column,
}

impl From<Column> for OutputColumn {
    fn from(column: Column) -> OutputColumn {
        let name = column.to_string();
        OutputColumn { name, column }
    }
}

/// Something that must be searched or stored for a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// A search for the solution, to compare the answer with it.
    SolvedAnswer,
    /// A search for the solution, or another examination of the puzzle, such as its grade.
    Solving,
    /// More about the search than its status and first solution.
    SearchDetails,
    /// The number of solutions, up to `--count`.
    Count,
    SecondSolution,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Column::Carried(name) = self {
            return f.write_str(name);
        }
        let named = Column::ALL.iter().find(|(_, column)| column == self);
        let (name, _) = named.expect("every other column has a fixed name");
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_names_round_trip() {
        for (name, column) in Column::ALL {
            assert_eq!(column.to_string(), name);
            assert_eq!(Column::list(name, |_| false).unwrap(), [column.into()]);
        }
    }

    #[test]
    fn carried_fields_are_columns_and_other_names_are_errors() {
        let list = Column::list("id,status", |name| name == "id").unwrap();
        let carried = Column::Carried("id".into());
        assert_eq!(list, [carried.into(), Column::Status.into()]);
        let error = Column::list("status,id", |_| false).unwrap_err();
        assert!(error.to_string().starts_with("unknown column 'id'; the columns are input, file,"));
    }
}
