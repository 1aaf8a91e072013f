//! The form of the output. `write/output_line.rs` writes lines in it.

use super::options::{Input, Mode, Options, Output};
use crate::text::columns::{Column, OutputColumn};
use crate::text::kept_fields::KeptFields;
use crate::text::record::FieldSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputForm {
    Lines {
        /// True if a line is a solution (with `--verify`, an answer) and its status.
        has_default_columns: bool,
    },
    Csv {
        /// True if the record of the input is copied, and the columns follow its fields.
        copies: bool,
    },
    Json {
        /// True if the object of the input is copied, and the columns follow its members.
        copies: bool,
    },
    Drawing {
        color: bool,
    },
    Svg,
    Page {
        /// True if the user names no columns.
        has_default_columns: bool,
    },
    /// How many output lines have each value of some columns, in place of the lines.
    Tally(TallyForm),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TallyForm {
    Lines,
    Csv,
    Json,
}

/// Where an output line has the layout and the cages of a puzzle whose field states them.
#[derive(Debug)]
pub(super) enum StatedRules {
    /// Only in columns that the user names.
    Hidden,
    /// In the fields of the copied record, which shows an equivalent.
    InRecord,
    /// After the puzzle in its column. All lines of CSV have the columns of its header.
    InPuzzle,
    /// In these columns: those of other lines, with the layout and the cages after the puzzle.
    InColumns(Vec<OutputColumn>),
}

impl OutputForm {
    /// `options` has the columns that the user names.
    pub fn new(options: &Options) -> OutputForm {
        let names_columns = !options.columns.is_empty();
        let lines = || {
            let columns = options.columns.iter().map(|shown| &shown.column);
            let are_usual = !names_columns || columns.eq(&options.mode.columns());
            OutputForm::Lines {
                has_default_columns: are_usual
                    && matches!(options.mode, Mode::Solve | Mode::Verify { unique: false })
                    && !options.leaves_out_lines(),
            }
        };
        if !options.tally.is_empty() {
            return OutputForm::Tally(TallyForm::new(options));
        }
        match (options.output, options.input) {
            (Some(Output::Csv), input) => OutputForm::Csv { copies: input == Some(Input::Csv) },
            (Some(Output::Json), input) => OutputForm::Json { copies: input == Some(Input::Json) },
            (Some(Output::Drawing { color }), _) => OutputForm::Drawing { color },
            (Some(Output::Svg), _) => OutputForm::Svg,
            (Some(Output::Page), _) => OutputForm::Page { has_default_columns: !names_columns },
            (None, Some(Input::Csv)) => OutputForm::Csv { copies: true },
            (None, Some(Input::Json)) => OutputForm::Json { copies: true },
            (Some(Output::Lines) | None, _) => lines(),
        }
    }

    pub fn copies_records(self) -> bool {
        matches!(self, OutputForm::Csv { copies: true } | OutputForm::Json { copies: true })
    }

    /// True if the output has every field of the input.
    pub fn copies_all_fields(self, options: &Options) -> bool {
        self.copies_records() && options.kept == KeptFields::All
    }

    pub fn copies_comments(self) -> bool {
        matches!(self, OutputForm::Lines { .. }) || self.copies_records()
    }

    pub fn draws(self) -> bool {
        matches!(self, OutputForm::Drawing { .. } | OutputForm::Svg | OutputForm::Page { .. })
    }

    pub fn names_columns(self) -> bool {
        match self {
            OutputForm::Csv { .. } | OutputForm::Json { .. } => true,
            OutputForm::Tally(form) => form != TallyForm::Lines,
            _ => false,
        }
    }

    pub fn has_objects(self) -> bool {
        matches!(self, OutputForm::Json { .. } | OutputForm::Tally(TallyForm::Json))
    }

    pub fn default_columns(self, options: &Options) -> Vec<Column> {
        let FieldSet { regions, cages, .. } = options.expected_fields();
        let rules = [regions.then_some(Column::Regions), cages.then_some(Column::Cages)];
        let rules = rules.into_iter().flatten();
        match options.mode {
            _ if matches!(self, OutputForm::Tally(_)) => Vec::new(),
            Mode::Shuffle(_) => match &options.field_names {
                // The copied record has the equivalent in place of the puzzle.
                _ if self.copies_records() => Vec::new(),
                Some(names) => {
                    let columns = names.columns();
                    let missing = rules.filter(|column| !columns.contains(column));
                    columns.iter().cloned().chain(missing).collect()
                }
                None => [Column::Puzzle].into_iter().chain(rules).collect(),
            },
            Mode::Make(_) if matches!(self, OutputForm::Page { .. }) => {
                vec![Column::Puzzle, Column::Solution, Column::Status]
            }
            Mode::Reveal(_) | Mode::Minimize | Mode::Add(_) | Mode::Remove(_) | Mode::Make(_) => {
                // A copied CSV record includes the layout and the cages, and a drawing shows them.
                // A JSON object gets keys for them, whether it has them already or not.
                let shows_rules = self.draws()
                    || (self == OutputForm::Csv { copies: true }
                        && self.copies_all_fields(options));
                let rules = rules.filter(|_| !shows_rules);
                [Column::Puzzle].into_iter().chain(rules).chain([Column::Status]).collect()
            }
            Mode::Solve if matches!(self, OutputForm::Page { .. }) => {
                vec![Column::Puzzle, Column::Solution, Column::Status]
            }
            Mode::Solve | Mode::Verify { .. } | Mode::All(_) => options.mode.columns(),
        }
    }
}

impl TallyForm {
    fn new(options: &Options) -> TallyForm {
        match (options.output, options.input) {
            (Some(Output::Csv), _) | (None, Some(Input::Csv)) => TallyForm::Csv,
            (Some(Output::Json), _) | (None, Some(Input::Json)) => TallyForm::Json,
            _ => TallyForm::Lines,
        }
    }
}

impl StatedRules {
    /// `columns` are those of lines without such a puzzle.
    pub fn new(options: &Options, form: OutputForm, columns: &[OutputColumn]) -> StatedRules {
        let writes_puzzles =
            !matches!(options.mode, Mode::Solve | Mode::Verify { .. } | Mode::All(_));
        if options.shuffles() && form.copies_records() {
            StatedRules::InRecord
        } else if !writes_puzzles
            || !options.columns.is_empty()
            || form.draws()
            || matches!(form, OutputForm::Tally(_))
        {
            StatedRules::Hidden
        } else if matches!(form, OutputForm::Csv { .. }) {
            StatedRules::InPuzzle
        } else {
            StatedRules::InColumns(with_rules(columns))
        }
    }
}

/// The layout and the cages follow the puzzle, unless they are columns already.
fn with_rules(columns: &[OutputColumn]) -> Vec<OutputColumn> {
    let mut with_rules = columns.to_vec();
    for (before, added) in [(Column::Puzzle, Column::Regions), (Column::Regions, Column::Cages)] {
        let index_of = |column| with_rules.iter().position(|shown| shown.column == column);
        if let (Some(index), None) = (index_of(before), index_of(added.clone())) {
            with_rules.insert(index + 1, added.into());
        }
    }
    with_rules
}
