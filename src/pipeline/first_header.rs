//! The header of the first source of CSV, which those of all other sources must equal, and the
//! columns that follow a copy of its records.

use std::sync::OnceLock;

use super::options::Options;
use super::used_columns::UsedColumns;
use crate::stream::FirstRecord;
use crate::text::columns::{Column, OutputColumn};
use crate::text::forms::csv::CsvHeader;
use crate::text::kept_fields::KeptFields;
use crate::text::record::has_inner_cr;
use engine::error::{BoxError, escaped};

/// Empty until the first header of CSV is read.
#[derive(Debug, Default)]
pub(super) struct FirstHeader(OnceLock<StoredHeader>);

#[derive(Debug)]
pub(super) struct StoredHeader {
    pub header: CsvHeader,
    pub copied: CopiedColumns,
    /// The index of its source.
    source: usize,
}

/// The columns of an output that copies records of CSV: their fields, then those of the program.
#[derive(Debug)]
pub(super) struct CopiedColumns {
    /// The number of fields that are copied.
    pub width: usize,
    /// For each column of [`UsedColumns::shown`], true if it follows the copied fields. The others
    /// are fields of the input under their own names, which are copied already.
    pub are_added: Vec<bool>,
}

/// The maximum number of bytes of a header that a message shows.
const MAX_SHOWN_HEADER: usize = 200;

impl FirstHeader {
    /// Returns `None` if no header is read yet or the input is not CSV.
    pub fn get(&self) -> Option<&CsvHeader> {
        self.stored().map(|stored| &stored.header)
    }

    /// Returns `None` if no header is read yet or the input is not CSV.
    pub fn stored(&self) -> Option<&StoredHeader> {
        self.0.get()
    }

    /// Returns `None` if the header is that of another source.
    pub fn of_source(&self, source: usize) -> Option<&StoredHeader> {
        self.stored().filter(|stored| stored.source == source)
    }

    /// All headers must be equal. Stores the first.
    pub fn add(
        &self,
        source: usize,
        line: FirstRecord<'_>,
        options: &Options,
        columns: &UsedColumns,
    ) -> Result<(), BoxError> {
        // A file with CR as its only line end is one line, which `parse` reports better.
        if line.overlong && !has_inner_cr(line.text) {
            return Err("the header is longer than 1 MiB".into());
        }
        let header = CsvHeader::parse(line.text, &options.header)?;
        if options.mode.checks_answers() {
            header.check_answers()?;
        }
        if options.mode.writes_equivalents() {
            header.check_only_answer(&options.header)?;
        }
        for column in columns.iter() {
            if let Column::Carried(name) = column
                && header.index_of(name).is_none()
            {
                let names = escaped(&header.line, MAX_SHOWN_HEADER);
                return Err(format!(
                    "neither the header nor the program has a column '{name}'; the header is {names}"
                )
                .into());
            }
        }
        let is_missing = |name: &&String| header.index_of(name).is_none();
        if let Some(name) = options.kept.names().iter().find(is_missing) {
            let names = escaped(&header.line, MAX_SHOWN_HEADER);
            return Err(format!(
                "--keep: the header has no column '{name}'; the header is {names}"
            )
            .into());
        }
        let first = self.0.get_or_init(|| {
            let copied = CopiedColumns::new(&header, &options.kept, &columns.shown);
            StoredHeader { header: header.clone(), copied, source }
        });
        if first.header.line != header.line {
            return Err(
                "its header differs from that of the file before it, so it is not read".into()
            );
        }
        Ok(())
    }
}

impl CopiedColumns {
    fn new(header: &CsvHeader, kept: &KeptFields, columns: &[OutputColumn]) -> CopiedColumns {
        let is_copied = |shown: &OutputColumn| {
            shown.carries_its_name()
                && kept.has(shown.name.as_bytes())
                && header.index_of(&shown.name).is_some()
        };
        CopiedColumns {
            width: header.kept_width(kept),
            are_added: columns.iter().map(|shown| !is_copied(shown)).collect(),
        }
    }
}
