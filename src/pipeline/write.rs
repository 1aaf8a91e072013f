//! Writes the view of an entry as an output line: in columns, as a CSV record, a JSON object, or a
//! drawing. `columns.rs` has the values of the columns.

use std::borrow::Cow;

use super::columns::{EntryView, puzzle_and_fields_without_column};
use super::options::Drawing;
use super::settings::{OutputFormat, Settings};
use crate::rules::Variant;
use crate::text::columns::Column;
use crate::text::csv::{self, CsvHeader};
use crate::text::grid_output::GridWriter;
use crate::text::json::{self, JsonObject};
use crate::text::record::without_mark;
use crate::text::svg_output;

/// Writes the CSV header, followed by the names of the columns, if the header is from this source.
/// Writes nothing for other sources.
pub(super) fn write_header(settings: &Settings, source: usize, bytes: &mut Vec<u8>) {
    let Some(header) = settings.header_to_write(source) else {
        return;
    };
    bytes.extend_from_slice(&header.line);
    for column in &settings.options.columns {
        bytes.push(header.separator);
        let name = header.unused_name(&column.to_string());
        csv::write_field(name.as_bytes(), header.separator, bytes);
    }
    bytes.push(b'\n');
}

/// Returns the message about a puzzle that was read in a notation with its rules, and is written as
/// fields.
pub(super) fn reason_for_fields(view: &EntryView<'_, '_>) -> String {
    let regions = if view.settings.options.variants.contains(Variant::Regions) {
        "regions"
    } else {
        "jigsaw"
    };
    format!(
        "a puzzle that states its rules is written as PUZZLE REGIONS CAGES; --variant killer,{regions} reads it"
    )
}

/// Writes an output line in the format of the settings.
pub(super) fn write_in_format(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    match view.settings.format {
        OutputFormat::GridAndStatus | OutputFormat::Columns => write_columns(view, bytes),
        OutputFormat::Record => write_record(view, bytes),
        OutputFormat::Object => write_object(view, bytes),
        OutputFormat::Drawing(drawing) => draw(view, drawing, bytes),
    }
}

/// Writes the columns of the options, separated by tabs.
fn write_columns(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    for (index, column) in view.settings.options.columns.iter().enumerate() {
        bytes.extend_from_slice(if index > 0 { b"\t" } else { b"" });
        write_field(view, index, column, bytes);
    }
    bytes.push(b'\n');
}

/// Writes a column, or `-` if it has no value.
fn write_field(view: &EntryView<'_, '_>, index: usize, column: &Column, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    view.write_column(index, column, bytes);
    if bytes.len() == start {
        bytes.push(b'-');
    }
}

/// Writes the columns of the input, then those of the options. A line that is not a record becomes
/// the first column, and the other columns of the input are `-`.
fn write_record(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    let header = view.settings.header();
    let separator = header.map_or(b',', |header| header.separator);
    let line = view.entry.line;
    // A rejected line is still a record if it is CSV with as many fields as the header.
    let splits = |header: &CsvHeader| header.split(without_mark(line)).is_ok();
    let is_record = !view.entry.is_rejected() || header.is_some_and(splits);
    if is_record {
        match (header, view.changed_fields()) {
            (Some(header), Some(mut fields)) => {
                let options = &view.settings.options;
                let puzzle = puzzle_and_fields_without_column(header, &fields, options);
                fields.puzzle = Cow::Owned(puzzle.into_owned());
                header.write_with(line, &fields, bytes);
            }
            // The line of a rejected entry keeps its byte order mark, if it has one.
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
        // A line that is not a record is already the first column, so no column that shows a grid
        // repeats it.
        if is_record || !column.shows_grid() {
            write_field(view, index, column, &mut field);
        } else {
            field.push(b'-');
        }
        bytes.push(separator);
        csv::write_field(&field, separator, bytes);
    }
    bytes.push(b'\n');
}

/// Writes the object of the input with a key for each column. If it shows a puzzle whose field
/// stated its rules, the regions and the cages get one key each. If the line is not an object,
/// writes an object of the columns alone, in which the first column that shows a grid holds the
/// line.
fn write_object(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
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
    let has_rules = view.writes_rules_as_fields();
    // `write_unclosed` has added those of an equivalent.
    if has_rules && view.equivalent.is_none() {
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
            view.write_column(index, column, &mut value);
        }
        let key = name(&column.to_string());
        match column {
            // Each line has a file: `-` is the name of standard input.
            Column::File => json::write_text(&key, &value, bytes),
            _ => json::write_member(&key, &value, column.is_number(), bytes),
        }
    }
    bytes.extend_from_slice(b"}\n");
}

/// Draws the grids of the columns `puzzle`, `answer`, `solution` and `second`, as far as these have
/// one. Writes each column that is not drawn on a line below the grids, or in the title of each
/// image. Without a grid, SVG has one image that shows the title alone.
fn draw(view: &EntryView<'_, '_>, drawing: Drawing, bytes: &mut Vec<u8>) {
    let (mut grids, mut others) = (Vec::new(), Vec::new());
    for (index, column) in view.settings.options.columns.iter().enumerate() {
        let mut field = Vec::new();
        write_field(view, index, column, &mut field);
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

/// Draws one grid, if its rules are known. `title` is the title of an SVG image: the columns that
/// are not drawn.
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
    let givens = view.digits_of(view.puzzle_read());
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
