//! Writes an entry and its findings as an output line: in columns, as a CSV record, a JSON object, or a drawing. `columns.rs` has
//! the values of the columns.

use std::borrow::Cow;

use super::batch::Batch;
use super::columns::{EntryView, Grader, PuzzleView, puzzle_and_fields_without_column};
use super::entry::{Entry, EntryState, TaskEntries};
use super::equivalent::Equivalent;
use super::findings::BatchFindings;
use super::options::{Drawing, Mode};
use super::settings::{OutputFormat, Settings};
use crate::rules::{Place, Variant};
use crate::stream::{Message, MessageKind, OutputLines};
use crate::text::columns::Column;
use crate::text::csv::{self, CsvHeader};
use crate::text::grid_output::GridWriter;
use crate::text::json::{self, JsonObject};
use crate::text::record::without_mark;
use crate::text::svg_output;
use crate::verdict::Status;

/// One of the output lines of an entry.
pub(super) enum EntryLine<'l> {
    /// The only line of the entry. With `--all`, the line with the puzzle itself, if it has no solution or if a limit ended the
    /// search.
    Only,
    /// The line for a solution, with `--all`.
    Solution(&'l [u8]),
    /// The line for an equivalent, with `--shuffle`.
    Equivalent(&'l Equivalent),
}

/// Writes the entries of a task.
pub(super) struct EntryWriter<'p, 'a> {
    settings: &'p Settings,
    entries: &'p TaskEntries<'a>,
    batches: &'p [Batch],
    grader: Grader,
    /// True once a message says that a puzzle is written as separate fields, because no notation can state it.
    other_form_reported: bool,
}

impl<'p, 'a> EntryWriter<'p, 'a> {
    pub fn new(
        settings: &'p Settings,
        entries: &'p TaskEntries<'a>,
        batches: &'p [Batch],
    ) -> EntryWriter<'p, 'a> {
        EntryWriter {
            settings,
            entries,
            batches,
            grader: Grader::default(),
            other_form_reported: false,
        }
    }

    /// Writes an entry, and counts it if it has a status. Returns false, and writes nothing, if its results are not complete yet.
    #[inline(always)]
    pub fn write(
        &mut self,
        findings: &[BatchFindings],
        index: usize,
        output: &mut OutputLines,
    ) -> bool {
        (self.settings.format == OutputFormat::GridAndStatus
            && self.write_grid_and_status(findings, index, output))
            || self.write_any(findings, index, output)
    }

    /// Writes and counts an entry whose output line is a solution and its status, or a correct answer. Nearly all entries are of
    /// this kind. Returns false, and writes nothing, for other entries. No column of this format needs another search after the
    /// first one.
    #[inline(always)]
    fn write_grid_and_status(
        &self,
        findings: &[BatchFindings],
        index: usize,
        output: &mut OutputLines,
    ) -> bool {
        let entry = &self.entries.entries[index];
        let bytes = &mut output.bytes;
        let status = match entry.state {
            EntryState::ToSolve { batch, index } => {
                let (found, index) = (&findings[batch as usize], index as usize);
                let Some(status @ (Status::Unique | Status::Multiple)) = found.statuses[index]
                else {
                    return false;
                };
                let alphabet = &self.settings.options.alphabet;
                alphabet.write(found.solution(index), entry.case, bytes);
                // Copying a constant length needs no call to memcpy.
                match status {
                    Status::Unique => bytes.extend_from_slice(b"\tunique\n"),
                    _ => bytes.extend_from_slice(b"\tmultiple\n"),
                }
                status
            }
            EntryState::Checked { reason: None } => {
                bytes.extend_from_slice(&entry.shown);
                bytes.extend_from_slice(b"\tcorrect\t-\n");
                Status::Correct
            }
            _ => return false,
        };
        output.tally.add(status);
        true
    }

    /// Writes an entry of any kind in any format, and counts it if it has a status. Returns false, and writes nothing, if its
    /// results are not complete yet.
    fn write_any(
        &mut self,
        findings: &[BatchFindings],
        index: usize,
        output: &mut OutputLines,
    ) -> bool {
        let entry = &self.entries.entries[index];
        match entry.state {
            EntryState::Copied => self.copy(entry, output),
            EntryState::Header => self.write_header(&mut output.bytes),
            _ => {
                let Some(status) = self.status(findings, entry) else {
                    return false;
                };
                self.count(index, status, output);
                self.write_line(findings, index, status, EntryLine::Only, output);
            }
        }
        true
    }

    /// Writes an output line of an entry, unless lines of this status are left out. Adds a message if the puzzle is written as
    /// fields.
    pub fn write_line(
        &mut self,
        findings: &[BatchFindings],
        index: usize,
        status: Status,
        line: EntryLine<'_>,
        output: &mut OutputLines,
    ) {
        let options = &self.settings.options;
        let shown = options.shown.as_ref();
        if shown.is_some_and(|shown| !shown.contains(&status)) {
            return;
        }
        let entry = &self.entries.entries[index];
        let puzzle = match entry.state {
            EntryState::ToSolve {
                batch,
                index: in_batch,
            } => Some(PuzzleView {
                batch: &self.batches[batch as usize],
                findings: &findings[batch as usize],
                index: in_batch as usize,
            }),
            _ => None,
        };
        let mut view = EntryView {
            settings: self.settings,
            entries: self.entries,
            entry,
            index,
            status,
            puzzle,
            solution: match (&line, options.mode) {
                (EntryLine::Solution(solution), _) => Some(solution),
                // Only a line for a solution shows one.
                (_, Mode::All(_)) => None,
                _ => puzzle.and_then(PuzzleView::solution),
            },
            equivalent: match line {
                EntryLine::Equivalent(equivalent) => Some(equivalent),
                _ => None,
            },
            described: None,
        };
        // Computed last, because it reads the rest of the view.
        view.described = view.describe();
        let described = view.described.as_ref();
        if described.is_some_and(|described| !described.is_notation) {
            self.report_other_form(&view, output);
        }
        write_in_format(&view, &mut self.grader, &mut output.bytes);
    }

    /// Adds the message about a puzzle that is written as fields. A run prints only one such message, so a task adds at most one.
    fn report_other_form(&mut self, view: &EntryView<'_, '_>, output: &mut OutputLines) {
        if !std::mem::replace(&mut self.other_form_reported, true) {
            output.messages.push(Message {
                line: self.entries.number(view.index),
                reason: reason_for_fields(view),
                kind: MessageKind::OtherForm,
            });
        }
    }

    /// Counts an entry by its status. Adds a message if the line is rejected.
    pub fn count(&self, index: usize, status: Status, output: &mut OutputLines) {
        output.tally.add(status);
        let entry = &self.entries.entries[index];
        if !entry.is_rejected() {
            return;
        }
        output.messages.push(Message {
            line: self.entries.number(index),
            reason: self.entries.reason_of(entry).to_string(),
            kind: match status {
                Status::Invalid => MessageKind::InvalidLine,
                _ => MessageKind::InternalError,
            },
        });
    }

    /// Returns the status of an entry, or `None` if it is not known yet. Comments, blank lines and headers have none.
    fn status(&self, findings: &[BatchFindings], entry: &Entry<'a>) -> Option<Status> {
        match entry.state {
            EntryState::Copied | EntryState::Header => None,
            EntryState::Rejected { status, .. } => Some(status),
            EntryState::Checked { reason: None } => Some(Status::Correct),
            EntryState::Checked { reason: Some(_) } => Some(Status::Incorrect),
            EntryState::ToSolve { batch, index } => {
                let (batch, index) = (batch as usize, index as usize);
                let found = &findings[batch];
                let status = found.statuses[index]?;
                if found.awaits_later_search(index) {
                    return None;
                }
                let is_wrong = || {
                    let kept = self.entries.kept_of(entry);
                    kept.is_some_and(|kept| kept.fault.is_some())
                };
                Some(match self.settings.options.mode {
                    Mode::Verify { .. } if is_wrong() => Status::Incorrect,
                    Mode::Verify { unique: true } => status_of_answer(status),
                    Mode::Verify { unique: false } => Status::Correct,
                    Mode::Reveal(place) if is_given(&self.batches[batch], index, place) => {
                        Status::Given
                    }
                    _ => status,
                })
            }
        }
    }

    /// Writes a comment or a blank line. With `--select` or `--reject`, writes nothing.
    fn copy(&self, entry: &Entry<'a>, output: &mut OutputLines) {
        if self.settings.options.shown.is_none() {
            output.bytes.extend_from_slice(&entry.shown);
            output.bytes.push(b'\n');
        }
    }

    /// Writes the first CSV header, followed by the names of the columns. Writes nothing for the headers of later sources.
    fn write_header(&self, bytes: &mut Vec<u8>) {
        let Some(header) = self.settings.header_to_write(self.entries.source) else {
            return;
        };
        bytes.extend_from_slice(&header.line);
        for column in &self.settings.options.columns {
            bytes.push(header.separator);
            let name = header.unused_name(&column.to_string());
            csv::write_field(name.as_bytes(), header.separator, bytes);
        }
        bytes.push(b'\n');
    }
}

/// Returns the message about a puzzle that is written as fields.
fn reason_for_fields(view: &EntryView<'_, '_>) -> String {
    let options = &view.settings.options;
    let regions = if options.variants.contains(Variant::Regions) {
        "regions"
    } else {
        "jigsaw"
    };
    // In CSV and JSON, the same `--variant` reads this record and records in a notation, so the message needs no remedy.
    let remedy = match view.settings.format {
        OutputFormat::Record | OutputFormat::Object => "",
        _ => " (-o puzzle,regions,cages writes all lines so)",
    };
    format!(
        "no notation states this puzzle with its rules, so it is written as PUZZLE REGIONS CAGES; \
         --variant killer,{regions} reads it{remedy}"
    )
}

/// Returns the status of a correct answer to a puzzle of this status.
fn status_of_answer(status: Status) -> Status {
    match status {
        Status::Unique => Status::Correct,
        Status::Multiple => Status::Ambiguous,
        Status::None => unreachable!("a correct answer is a solution"),
        other => other,
    }
}

/// Returns whether a puzzle has a given at this place.
fn is_given(batch: &Batch, index: usize, place: Place) -> bool {
    batch
        .givens(index)
        .is_given(place.cell(batch.cells.isqrt()))
}

fn write_in_format(view: &EntryView<'_, '_>, grader: &mut Grader, bytes: &mut Vec<u8>) {
    match view.settings.format {
        OutputFormat::GridAndStatus | OutputFormat::Columns => write_columns(view, grader, bytes),
        OutputFormat::Record => write_record(view, grader, bytes),
        OutputFormat::Object => write_object(view, grader, bytes),
        OutputFormat::Drawing(drawing) => draw(view, drawing, grader, bytes),
    }
}

/// Writes the columns of the options, separated by tabs.
fn write_columns(view: &EntryView<'_, '_>, grader: &mut Grader, bytes: &mut Vec<u8>) {
    for (index, column) in view.settings.options.columns.iter().enumerate() {
        bytes.extend_from_slice(if index > 0 { b"\t" } else { b"" });
        write_field(view, index, column, grader, bytes);
    }
    bytes.push(b'\n');
}

/// Writes a column, or `-` if it has no value.
fn write_field(
    view: &EntryView<'_, '_>,
    index: usize,
    column: &Column,
    grader: &mut Grader,
    bytes: &mut Vec<u8>,
) {
    let start = bytes.len();
    view.write_column(index, column, grader, bytes);
    if bytes.len() == start {
        bytes.push(b'-');
    }
}

/// Writes the columns of the input, then those of the options. A line that is not a record becomes the first column, and the
/// other columns of the input are `-`.
fn write_record(view: &EntryView<'_, '_>, grader: &mut Grader, bytes: &mut Vec<u8>) {
    let header = view.settings.header();
    let separator = header.map_or(b',', |header| header.separator);
    let line = view.entry.line;
    // A rejected line is a record if it has as many fields as the header: the fault is then in one of them.
    let splits = |header: &CsvHeader| header.split(without_mark(line)).is_ok();
    let is_record = !view.entry.is_rejected() || header.is_some_and(splits);
    if is_record {
        match (header, view.changed_fields()) {
            (Some(header), Some(mut fields)) => {
                let expected = view.settings.options.expected_fields();
                let puzzle = puzzle_and_fields_without_column(header, &fields, expected);
                fields.puzzle = Cow::Owned(puzzle.into_owned());
                header.write_with(line, &fields, bytes);
            }
            // The line of a rejected entry still has its byte order mark.
            _ if view.entry.is_rejected() => bytes.extend_from_slice(without_mark(line)),
            _ => bytes.extend_from_slice(line),
        }
    } else {
        csv::write_field(line, separator, bytes);
        for _ in 1..header.map_or(1, CsvHeader::width) {
            bytes.extend_from_slice(&[separator, b'-']);
        }
    }
    let mut field = Vec::new();
    for (index, column) in view.settings.options.columns.iter().enumerate() {
        field.clear();
        // A line that is not a record is already the first column, so no column that shows a grid repeats it.
        if is_record || !column.shows_grid() {
            write_field(view, index, column, grader, &mut field);
        } else {
            field.push(b'-');
        }
        bytes.push(separator);
        csv::write_field(&field, separator, bytes);
    }
    bytes.push(b'\n');
}

/// Writes the object of the input with a key for each column. A line that is not an object becomes the first column that shows a
/// grid.
fn write_object(view: &EntryView<'_, '_>, grader: &mut Grader, bytes: &mut Vec<u8>) {
    let options = &view.settings.options;
    let object = JsonObject::parse(without_mark(view.entry.line)).ok();
    match &object {
        Some(object) => {
            object.write_unclosed(view.changed_fields().as_ref(), &options.header, bytes)
        }
        None => bytes.push(b'{'),
    }
    let name = |name: &str| match &object {
        Some(object) => object.unused_key(name),
        None => name.to_string(),
    };
    let has_rules = view.described.as_ref().is_some_and(|it| !it.is_notation);
    if has_rules {
        json::write_member(&name("regions"), view.regions_in_use(), false, bytes);
        json::write_member(&name("cages"), &view.cages_field(), false, bytes);
    }
    let mut value = Vec::new();
    for (index, column) in options.columns.iter().enumerate() {
        if has_rules && matches!(column, Column::Regions | Column::Cages) {
            continue;
        }
        value.clear();
        // A rejected object is written as it is, so no column repeats it.
        if object.is_none() || !view.entry.is_rejected() || !column.shows_grid() {
            view.write_column(index, column, grader, &mut value);
        }
        json::write_member(
            &name(&column.to_string()),
            &value,
            column.is_number(),
            bytes,
        );
    }
    bytes.extend_from_slice(b"}\n");
}

/// Draws the grid of each column that has one, and writes the other columns on a line below, or as the titles of images.
fn draw(view: &EntryView<'_, '_>, drawing: Drawing, grader: &mut Grader, bytes: &mut Vec<u8>) {
    let (mut grids, mut others) = (Vec::new(), Vec::new());
    for (index, column) in view.settings.options.columns.iter().enumerate() {
        let mut field = Vec::new();
        write_field(view, index, column, grader, &mut field);
        let shows_grid = column.shows_grid() || *column == Column::Second;
        match view.digits_of(&field) {
            Some(grid) if shows_grid => grids.push(grid),
            _ => {
                others.extend_from_slice(if others.is_empty() { b"" } else { b"\t" });
                others.append(&mut field);
            }
        }
    }
    for grid in &grids {
        draw_grid(view, drawing, grid, &others, bytes);
    }
    match drawing {
        Drawing::Svg => {
            if grids.is_empty() {
                svg_output::draw_title(&String::from_utf8_lossy(&others), bytes);
            }
            bytes.push(b'\n');
        }
        Drawing::Text { .. } => {
            bytes.extend_from_slice(&others);
            bytes.extend_from_slice(if others.is_empty() { b"\n" } else { b"\n\n" });
        }
    }
}

/// Draws one grid, if its rules are known. `title` is the title of an image: the columns that are not drawn.
fn draw_grid(
    view: &EntryView<'_, '_>,
    drawing: Drawing,
    grid: &[u8],
    title: &[u8],
    bytes: &mut Vec<u8>,
) {
    let Some(ruleset) = view.ruleset() else {
        return;
    };
    let givens = view.givens_read();
    let writer = GridWriter {
        rules: &ruleset.rules,
        // In a pencilmark puzzle every digit counts as a given, so that none is coloured.
        givens: givens.as_deref().unwrap_or(grid),
        alphabet: &view.settings.options.alphabet,
        case: view.entry.case,
        color: drawing == Drawing::Text { color: true },
    };
    match drawing {
        Drawing::Text { .. } => writer.draw(grid, bytes),
        Drawing::Svg => writer.draw_svg(grid, &String::from_utf8_lossy(title), bytes),
    }
}
