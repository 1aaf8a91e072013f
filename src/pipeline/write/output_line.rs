//! Writes the view of an entry as an output line, in the form of the output. `columns.rs` has the
//! values of the columns, `text/forms/` writes them.

use super::columns::EntryView;
use crate::pipeline::input_form::NamedFields;
use crate::pipeline::options::Output;
use crate::pipeline::settings::Settings;
use crate::rules::Variant;
use crate::text::columns::Column;
use crate::text::forms::csv::{self, CsvHeader};
use crate::text::forms::drawing::write::GridWriter;
use crate::text::forms::json::ValueWriter;
use crate::text::forms::{lines, svg};
use crate::text::record::without_mark;
use crate::text::value::Value;

/// Writes the CSV header of the input, followed by the names of the columns, if the output copies
/// records and the header is from this source. Writes nothing for other sources.
pub(in crate::pipeline) fn copy_header(settings: &Settings, source: usize, bytes: &mut Vec<u8>) {
    let copies = settings.copies_records;
    let Some(header) = settings.input.header_to_write(source).filter(|_| copies) else {
        return;
    };
    bytes.extend_from_slice(&header.line);
    for shown in &settings.options.columns {
        bytes.push(header.separator);
        let name = header.unused_name(&shown.name);
        csv::write_field(name.as_bytes(), header.separator, bytes);
    }
    bytes.push(b'\n');
}

/// Returns the header of CSV output that copies no records. Returns nothing for other output.
pub(in crate::pipeline) fn header(settings: &Settings) -> Vec<u8> {
    let mut header = Vec::new();
    if settings.output == Output::Csv && !settings.copies_records {
        let names = settings.options.columns.iter();
        csv::write(names.map(|shown| Value::text(&*shown.name)), &mut header);
    }
    header
}

/// Returns the message about a puzzle whose field states its rules, and which the output line
/// writes as several fields instead. The message names the option that reads these fields.
pub(in crate::pipeline) fn reason_for_fields(view: &EntryView<'_, '_>) -> String {
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
pub(in crate::pipeline) fn write_line(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    let settings = view.settings;
    match settings.output {
        Output::Lines => lines::write(view.values(), bytes),
        Output::Csv if settings.copies_records => write_record(view, bytes),
        Output::Csv => csv::write(view.values(), bytes),
        Output::Json => write_object(view, bytes),
        Output::Drawing { .. } | Output::Svg => draw(view, bytes),
    }
}

/// Writes the columns of the input, then those of the options. A line that is not a record becomes
/// the first column, and the other columns of the input are `-`.
fn write_record(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    let header = view.settings.input.header();
    let separator = header.map_or(b',', |header| header.separator);
    let line = view.entry.line;
    // The line of a rejected entry keeps its byte order mark, if it has one.
    let record = if view.found.is_none() { without_mark(line) } else { line };
    // A rejected line is still a record if it is CSV with as many fields as the header.
    let is_record = matches!(view.named, NamedFields::InOrder(_));
    match header {
        Some(header) if is_record && view.is_equivalent => {
            let replaced = view.fields.replaced(Some(header), &view.settings.options);
            header.write_with(record, &replaced, bytes);
        }
        _ if is_record => bytes.extend_from_slice(record),
        _ => {
            csv::write_field(line, separator, bytes);
            for _ in 1..header.map_or(1, CsvHeader::width) {
                bytes.extend_from_slice(&[separator, b'-']);
            }
        }
    }
    for (shown, value) in view.columns().iter().zip(view.values()) {
        bytes.push(separator);
        // A line that is not a record is the first column already. A column for a grid would repeat
        // it.
        let is_repeated = !is_record && shown.column.shows_grid();
        let value = if is_repeated { Value::Missing } else { value };
        csv::write_value(&value, separator, bytes);
    }
    bytes.push(b'\n');
}

/// Writes an object with a key for each column. If the output copies the object of the input, the
/// keys follow those of that object. A line that is not an object takes the place of the first
/// grid.
fn write_object(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    let options = &view.settings.options;
    let object_read = view.object();
    let form = object_read.map(|object| object.grid_form(&options.header)).unwrap_or_default();
    let writer = ValueWriter { form: &form, alphabet: &options.alphabet };
    match object_read.filter(|_| view.settings.copies_records) {
        Some(object) => {
            let replaced =
                if view.is_equivalent { view.fields.replaced(None, options) } else { Vec::new() };
            object.write_unclosed(&replaced, &options.header, &writer, bytes);
            for shown in view.columns() {
                // `value` and not `values`: a rejected object is copied already, so no column shows
                // it.
                let value = view.value(&shown.column);
                writer.write_member(&object.unused_key(&shown.name), &value, bytes);
            }
        }
        None => {
            bytes.push(b'{');
            for (shown, value) in view.columns().iter().zip(view.values()) {
                writer.write_member(&shown.name, &value, bytes);
            }
        }
    }
    bytes.extend_from_slice(b"}\n");
}

/// Draws the grids of the columns `puzzle`, `answer`, `solution` and `second`, as far as these have
/// one. Writes the columns that are not drawn on one line below the grids, or in the title of each
/// image. Without a grid, SVG has one image that shows the title alone.
fn draw(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    let (mut grids, mut others) = (Vec::new(), Vec::new());
    for (shown, value) in view.columns().iter().zip(view.values()) {
        let mut field = Vec::new();
        value.write_text(&mut field);
        let shows_grid = shown.column.shows_grid() || shown.column == Column::Second;
        match view.digits_of(&field) {
            Some(grid) if shows_grid => grids.push(grid),
            _ => {
                others.extend_from_slice(if others.is_empty() { b"" } else { b"\t" });
                others.append(&mut field);
            }
        }
    }
    for grid in &grids {
        draw_grid(view, grid, &others, bytes);
    }
    if view.settings.output == Output::Svg {
        if grids.is_empty() {
            svg::draw_title(&String::from_utf8_lossy(&others), bytes);
        }
        bytes.push(b'\n');
    } else {
        bytes.extend_from_slice(&others);
        bytes.extend_from_slice(if others.is_empty() { b"\n" } else { b"\n\n" });
    }
}

/// Draws one grid, if its rules are known. `title` is the title of an SVG image: the columns that
/// are not drawn.
fn draw_grid(view: &EntryView<'_, '_>, grid: &[u8], title: &[u8], bytes: &mut Vec<u8>) {
    let Some(ruleset) = view.fields.ruleset else {
        return;
    };
    let form = view.settings.output;
    let givens = view.digits_of(view.fields.puzzle_read);
    let writer = GridWriter {
        rules: &ruleset.rules,
        // In a pencilmark puzzle every digit counts as a given, so that none is coloured.
        givens: givens.as_deref().unwrap_or(grid),
        alphabet: &view.settings.options.alphabet,
        case: view.case(),
        color: form == Output::Drawing { color: true },
    };
    match form {
        Output::Svg => writer.draw_svg(grid, &String::from_utf8_lossy(title), bytes),
        _ => writer.draw(grid, bytes),
    }
}
