//! The form of the output. `write/output_line.rs` writes lines in it.

use super::mode::RecordLines;
use super::options::{Input, Options, Output};
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
pub(super) enum RulesPlace {
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
    pub fn new(options: &Options, input: Input) -> OutputForm {
        let names_columns = !options.columns.is_empty();
        let lines = || {
            let columns = options.columns.iter().map(|shown| &shown.column);
            let are_usual = !names_columns || columns.eq(options.mode.row().columns);
            OutputForm::Lines {
                has_default_columns: are_usual
                    && options.mode.writes_grid_and_status()
                    && !options.leaves_out_lines(),
            }
        };
        let of_input = input.form().output();
        let output = options.output.unwrap_or(of_input);
        if !options.tally.is_empty() {
            return OutputForm::Tally(TallyForm::new(output));
        }
        match output {
            Output::Csv => OutputForm::Csv { copies: output == of_input },
            Output::Json => OutputForm::Json { copies: output == of_input },
            Output::Drawing { color } => OutputForm::Drawing { color },
            Output::Svg => OutputForm::Svg,
            Output::Page => OutputForm::Page { has_default_columns: !names_columns },
            Output::Lines => lines(),
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

    pub fn default_columns(self, options: &Options) -> Vec<OutputColumn> {
        let FieldSet { regions, cages, .. } = options.fields_of_rules();
        let rules = [regions.then_some(Column::Regions), cages.then_some(Column::Cages)];
        let rules = rules.into_iter().flatten();
        let mode = options.mode.row();
        let columns = match self {
            OutputForm::Tally(_) => &[],
            OutputForm::Page { .. } => mode.page_columns,
            _ => mode.columns,
        };
        let columns = columns.iter().cloned().map(OutputColumn::from).collect();
        match (mode.lines, &options.field_names) {
            (RecordLines::Equivalents, _) if matches!(self, OutputForm::Tally(_)) => columns,
            // The copied record has the equivalent in place of the puzzle.
            (RecordLines::Equivalents, _) if self.copies_records() => Vec::new(),
            (RecordLines::Equivalents, Some(names)) => {
                let columns = names.columns();
                let missing = rules.filter(|column| !columns.contains(column));
                columns.iter().cloned().chain(missing).map(OutputColumn::from).collect()
            }
            (RecordLines::Equivalents, None) => with_rules(columns, rules),
            // A copied CSV record includes the layout and the cages, and a drawing shows them.
            // A JSON object gets keys for them, whether it has them already or not.
            _ if self.draws()
                || (self == OutputForm::Csv { copies: true }
                    && self.copies_all_fields(options)) =>
            {
                columns
            }
            _ => with_rules(columns, rules),
        }
    }
}

impl TallyForm {
    fn new(output: Output) -> TallyForm {
        match output {
            Output::Csv => TallyForm::Csv,
            Output::Json => TallyForm::Json,
            Output::Lines | Output::Drawing { .. } | Output::Svg | Output::Page => TallyForm::Lines,
        }
    }
}

impl RulesPlace {
    /// `columns` are those of lines without such a puzzle.
    pub fn new(options: &Options, form: OutputForm, columns: &[OutputColumn]) -> RulesPlace {
        let mode = options.mode;
        if mode.writes_equivalents() && form.copies_records() {
            RulesPlace::InRecord
        } else if !mode.writes_puzzles()
            || !options.columns.is_empty()
            || form.draws()
            || matches!(form, OutputForm::Tally(_))
        {
            RulesPlace::Hidden
        } else if matches!(form, OutputForm::Csv { .. }) {
            RulesPlace::InPuzzle
        } else {
            RulesPlace::InColumns(with_rules(columns.to_vec(), [Column::Regions, Column::Cages]))
        }
    }
}

/// Adds the columns of the layout and the cages, in this order, after that of the puzzle, if there
/// is one. Those that are columns already stay where they are.
fn with_rules(
    mut columns: Vec<OutputColumn>,
    rules: impl IntoIterator<Item = Column>,
) -> Vec<OutputColumn> {
    let place_of = |columns: &[OutputColumn], column: &Column| {
        columns.iter().position(|shown| shown.column == *column)
    };
    let mut before = place_of(&columns, &Column::Puzzle);
    for column in rules {
        if let Some(place) = place_of(&columns, &column) {
            before = Some(place);
        } else if let Some(place) = before {
            columns.insert(place + 1, column.into());
            before = Some(place + 1);
        }
    }
    columns
}
