//! The output columns that `-o` can name, with their help texts. `pipeline/write/columns.rs` writes
//! their values.

use std::fmt;

use engine::error::InvalidInput;

/// Defines the columns from a table of those with a fixed name. A row has the column, its name,
/// what it needs, and its help text.
macro_rules! columns {
    ($($(#[$doc:meta])* $column:ident: $name:literal, [$($need:ident),*], $help:literal;)*) => {
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
            $($(#[$doc])* $column,)*
            /// A field that `--fields`, the header of CSV or a key of JSON names, and that the
            /// program only copies to the output.
            Carried(String),
        }

        impl Column {
            /// All columns with a fixed name, as pairs of the name and the column, in the order of
            /// the help.
            pub const ALL: [(&'static str, Column); [$($name),*].len()] =
                [$(($name, Column::$column)),*];

            /// Returns the help text of the column.
            #[doc(hidden)]
            #[must_use]
            pub fn help(&self) -> &'static str {
                match self {
                    $(Column::$column => $help,)*
                    Column::Carried(_) => "a field of the input",
                }
            }

            pub(crate) fn needs(&self) -> &'static [Need] {
                match self {
                    $(Column::$column => &[$(Need::$need),*],)*
                    Column::Carried(_) => &[],
                }
            }
        }

        impl fmt::Display for Column {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Column::$column => $name,)*
                    Column::Carried(name) => name,
                })
            }
        }
    };
}

columns! {
    /// The input line, without its line end. For a drawn puzzle, the rows of its grids, with one
    /// space between two rows.
    Input: "input", [], "the whole input line, with its tabs: name it last";
    /// The name of the file as given on the command line, with special characters escaped. `-` for
    /// standard input.
    File: "file", [], "the name of the file; - for standard input";
    /// The number of the line in its file. For a drawn puzzle, the number of the line with its
    /// first row.
    Line: "line", [], "the number of the line in its file";
    /// The puzzle, with the change that `--reveal`, `--minimize` or `--shuffle` makes.
    Puzzle: "puzzle", [], "the puzzle";
    /// The layout of the jigsaw regions.
    Regions: "regions", [], "the layout of the regions";
    /// The cages of a killer.
    Cages: "cages", [], "the cages of a killer; arrows up to 9x9, else numbers";
    /// The answer of the line, which `--verify` checks, and which `--shuffle` changes with the
    /// puzzle.
    Answer: "answer", [], "the answer that was checked or shuffled";
    /// A solution: the first one found, or with `--all` another one in each output line. If the
    /// status is `none` or `unknown`, the puzzle instead.
    Solution: "solution", [Solving], "a solution; the puzzle if `none` or `unknown`";
    /// The status of the line.
    Status: "status", [], "the status";
    /// The reason for the status. `invalid`: what is wrong with the line. `incorrect`: what is
    /// wrong with the answer. `none`: why there is no solution, if human techniques show it.
    /// `unknown`: the limit that ended the search (`guesses` or `time`) or the internal error, if
    /// that is known.
    Reason: "reason", [Techniques],
        "why invalid, incorrect, `unknown` or,\nif techniques show it, `none`";
    /// The number of cells of the puzzle without a given.
    Blanks: "blanks", [], "how many cells of the puzzle are blank";
    /// The number of blank cells in which the answer has the digit of the only solution.
    Matching: "matching", [SolvedAnswer],
        "how many blanks the answer has right; - unless one solution";
    /// `Matching` divided by the number of blank cells.
    Score: "score", [SolvedAnswer],
        "matching / blanks, such as 0.9074;\n- unless one solution and a blank";
    /// The number of cells of the answer that contradict a given, their pencilmarks, another cell
    /// or the sum of their cage.
    Conflicts: "conflicts", [], "how many cells of the answer contradict others or givens";
    /// The cells that `Conflicts` counts.
    Conflicting: "conflicting", [], "the cells that conflicts counts, such as r1c2,r1c5";
    /// The cells in which the answer differs from the only solution.
    Wrong: "wrong", [SolvedAnswer],
        "the cells of the answer that are not those of the only\nsolution, such as r1c2,r3c4";
    /// The number of solutions, counted up to `--count`, or up to 2 without it.
    Solutions: "solutions", [Solving, SearchDetails, Count],
        "how many solutions, up to --count; 2+: 2 or more";
    /// The second solution found.
    Second: "second", [Solving, SearchDetails, SecondSolution],
        "another solution of a `multiple` puzzle";
    /// The cells in which the first two solutions differ.
    Differ: "differ", [Solving, SearchDetails, SecondSolution],
        "the cells in which two solutions differ, such as r1c2,r1c5";
    /// The number of givens.
    Givens: "givens", [], "how many digits are given";
    /// The number of guesses of the search: its branches, and 64 for each conflict of clause
    /// learning.
    Guesses: "guesses", [Solving, SearchDetails], "how many guesses the search made";
    /// The hardest technique in the solution of a person, who uses the easiest one at each step.
    /// `search` if techniques do not solve the puzzle.
    Grade: "grade", [Solving, Techniques], "the hardest technique needed by a person, or search";
    /// The position of `Grade` in the order of the techniques, from 1 for the easiest. `search` has
    /// the position after the last technique.
    Level: "level", [Solving, Techniques],
        "the number of grade in the order of the techniques, from 1";
    /// The difficulty of a classic 9x9 on the scale of Sudoku Explainer, but independent of the
    /// order of the deductions: a number for every such puzzle with exactly one solution, unless
    /// `--max-time` ends the rating.
    Difficulty: "difficulty", [Solving],
        "of a classic 9x9, on the scale of Sudoku Explainer,\n1.0 to 11.9";
    /// The class of `Difficulty`, by the bounds of the options.
    Class: "class", [Solving], "the class of the difficulty; see --classes";
    /// The technique of the first round with the level `Difficulty`.
    Hardest: "hardest", [Solving], "the technique that decides difficulty";
    /// The highest level of a round up to the first one that places a digit.
    Pearl: "pearl", [Solving], "the difficulty up to the first digit placed";
    /// The level of the first round.
    Diamond: "diamond", [Solving], "the difficulty of the first deductions";
    /// The number of steps of a person.
    Steps: "steps", [Solving, Techniques], "how many steps a person needs";
    /// The next step, by the easiest technique; in a classic 9x9, a step of the scale of
    /// `Difficulty` if there is none.
    Hint: "hint", [Solving, Techniques], "the easiest next step";
    /// Every step of a person. Where the techniques end, steps of the scale of `Difficulty` follow
    /// in a classic 9x9. If the steps end early, the last entry is `search`, `stuck` (with
    /// `--techniques`) or `time` (with `--max-time`). For a puzzle without solution, the steps up to
    /// the contradiction that `Reason` states, if techniques reach one.
    Path: "path", [Solving, Techniques],
        "every step, separated by `; `; if they end early, the last is\nsearch (variants), stuck (--techniques) or time (--max-time)";
    /// Each technique in `Path` with the number of its steps.
    Techniques: "techniques", [Solving, Techniques],
        "each technique of path with its count, hardest first";
    /// The grid after each digit that a person places.
    Boards: "boards", [Solving, Techniques],
        "the grid after each digit that path places, separated by ;";
    /// The grid where the techniques of a person end, whether the puzzle has one solution or not.
    Reached: "reached", [Solving, Techniques], "the grid where the techniques end";
    /// The candidates of each cell in `Reached`.
    ReachedCandidates: "reached_candidates", [Solving, Techniques], "pencilmarks of reached";
    /// The candidates of each cell that the givens in its houses, groups and cages leave.
    Pencilmarks: "pencilmarks", [Solving],
        "the candidates that the givens leave in each cell, nothing\nsolved";
    /// `yes` if the puzzle has one solution, and the removal of any clue adds solutions. `no` if
    /// the puzzle has one solution, and still has only one without some clue.
    Minimal: "minimal", [Solving], "yes if no clue (given, cage, rule) can be removed, else no";
    /// The givens, cages and stated rules each of which can be removed alone while the solution
    /// stays unique.
    Redundant: "redundant", [Solving], "the clues that could each go alone: r1c2,cage at r1c1";
    /// The digits that each cell has in some solution.
    Candidates: "candidates", [Solving, SearchDetails, SecondSolution],
        "pencilmarks: for each cell the digits that some solution has";
    /// The canonical form, equal for puzzles that differ only by a symmetry and a relabelling of
    /// the digits that the rules allow.
    Canonical: "canonical", [Solving], "equal for puzzles that differ only by symmetry; N up to 9";
    /// The symmetry and the relabelling that turn the puzzle into `Canonical`: a transposition, if
    /// there is one, then the row, the column and the digit that becomes the first, the second, ...
    /// of the form. Rows and columns are those of the transposed puzzle. So the digit of the form
    /// in row i and column j is x if row `rows[i]` and column `columns[j]` hold `digits[x]`.
    Image: "image", [Solving],
        "rows, columns and digits that become 1, 2, ... in canonical:
`rows 2143 columns 1234 digits 3412` makes row 2 row 1 and
digit 3 digit 1; `transpose` before it means: do so first";
    /// The number of pairs of a symmetry and a relabelling, allowed by the rules, that turn the
    /// puzzle into itself, together with its layout and its cages. At least 1.
    Automorphisms: "automorphisms", [Solving],
        "how many symmetries of the grid leave the puzzle as it is,\nwith some renaming of the digits; N up to 9";
    /// The part of the line after the fields that the options name or the program reads.
    Rest: "rest", [], "the line after the fields that are used: name it last";
}

impl Column {
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
            let column = Column::parse(source, &is_carried)?;
            let name = output_name.to_string();
            Ok(OutputColumn { name, column })
        };
        names.split(',').map(column).collect()
    }

    /// Parses the name of a column, or of a copied field, with or without `input.` before it.
    ///
    /// # Errors
    /// Returns an error if the name is neither.
    pub fn parse(name: &str, is_carried: &impl Fn(&str) -> bool) -> Result<Column, InvalidInput> {
        let field = name.strip_prefix("input.").filter(|field| is_carried(field));
        match (field, Column::named(name)) {
            (Some(field), _) => Ok(Column::Carried(field.to_string())),
            (None, Some(column)) => Ok(column),
            (None, None) if is_carried(name) => Ok(Column::Carried(name.to_string())),
            (None, None) => Err(format!("unknown column '{name}'").into()),
        }
    }

    pub(super) fn named(name: &str) -> Option<Column> {
        Column::ALL.into_iter().find_map(|(known, column)| (known == name).then_some(column))
    }

    /// The columns of the rating of a classic 9x9, which `--max-time` can end.
    pub(crate) const OF_RATING: [Column; 5] =
        [Column::Difficulty, Column::Class, Column::Hardest, Column::Pearl, Column::Diamond];

    /// The columns that show all steps of a solution.
    pub(crate) const OF_PATH: [Column; 3] = [Column::Path, Column::Techniques, Column::Boards];

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
        self.needs().contains(&Need::Techniques)
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

impl OutputColumn {
    /// True if the column shows a field of the input under the name of this field.
    pub(crate) fn carries_its_name(&self) -> bool {
        matches!(&self.column, Column::Carried(name) if *name == self.name)
    }
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
    /// The techniques that a person may use.
    Techniques,
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
        assert_eq!(error.to_string(), "unknown column 'id'");
    }
}
