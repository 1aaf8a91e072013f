//! The header of the first source of CSV, which those of all other sources must equal.

use std::sync::OnceLock;

use super::options::Options;
use super::used_columns::UsedColumns;
use crate::stream::FirstRecord;
use crate::text::columns::Column;
use crate::text::forms::csv::CsvHeader;
use crate::text::record::has_inner_cr;
use engine::error::{BoxError, escaped};

/// The first header of CSV, and the index of its source.
#[derive(Debug, Default)]
pub(super) struct FirstHeader(OnceLock<(usize, CsvHeader)>);

/// The maximum number of bytes of a header that a message shows.
const MAX_SHOWN_HEADER: usize = 200;

impl FirstHeader {
    /// Returns `None` if no header is read yet or the input is not CSV.
    pub fn get(&self) -> Option<&CsvHeader> {
        self.0.get().map(|(_, header)| header)
    }

    /// Returns `None` if the header is that of another source.
    pub fn of_source(&self, source: usize) -> Option<&CsvHeader> {
        let (first, header) = self.0.get()?;
        (*first == source).then_some(header)
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
        let (_, first) = self.0.get_or_init(|| (source, header.clone()));
        if first.line != header.line {
            return Err(
                "its header differs from that of the file before it, so it is not read".into()
            );
        }
        Ok(())
    }
}
