//! Writes the view of an entry as an output line, in the form of the output. `columns.rs` has the
//! values of the columns, `text/forms/` writes them.

use super::columns::EntryView;
use super::tally;
use crate::pipeline::boards::Cells;
use crate::pipeline::first_header::StoredHeader;
use crate::pipeline::output_form::OutputForm;
use crate::pipeline::rulesets::Ruleset;
use crate::pipeline::settings::Settings;
use crate::text::columns::{Column, OutputColumn};
use crate::text::forms::csv;
use crate::text::forms::drawing::write::GridWriter;
use crate::text::forms::json::ValueWriter;
use crate::text::forms::{lines, page, svg};
use crate::text::record::without_mark;
use crate::text::value::Value;
use engine::puzzle::Givens;
use engine::rules::Variant;
use engine::verdict::Status;

/// Writes the CSV header of the input only for the source that it is from.
pub(in crate::pipeline) fn copy_header(settings: &Settings, source: usize, bytes: &mut Vec<u8>) {
    let stored = settings.csv_header.of_source(source);
    let Some(stored) = stored.filter(|_| settings.output.copies_records()) else {
        return;
    };
    let (header, kept) = (&stored.header, &settings.options.kept);
    csv::write_copy(header, &header.line, &[], kept, bytes);
    let names = settings.columns.shown.iter().map(|shown| header.unused_name(&shown.name, kept));
    write_added(stored, names.map(Value::text), bytes);
}

/// Writes the columns that follow the copy of a record, and the line end. `values` are those of all
/// columns.
fn write_added<'v>(
    stored: &StoredHeader,
    values: impl Iterator<Item = Value<'v>>,
    bytes: &mut Vec<u8>,
) {
    let StoredHeader { header, copied, .. } = stored;
    let mut is_first = copied.width == 0;
    for (value, _) in values.zip(&copied.are_added).filter(|(_, is_added)| **is_added) {
        if !std::mem::take(&mut is_first) {
            bytes.push(header.separator);
        }
        csv::write_value(&value, header.separator, bytes);
    }
    bytes.push(b'\n');
}

/// Empty if the output has no header, or copies that of the input.
pub(in crate::pipeline) fn header(settings: &Settings) -> Vec<u8> {
    match settings.output {
        OutputForm::Page { .. } => page::header(&settings.options.page).into_bytes(),
        OutputForm::Tally(form) => tally::header(form),
        OutputForm::Csv { copies: false } => {
            let mut header = Vec::new();
            let names = settings.columns.shown.iter();
            csv::write(names.map(|shown| Value::text(&*shown.name)), &mut header);
            header
        }
        _ => Vec::new(),
    }
}

/// Returns a message if the output line writes the rules of the puzzle as fields, or lacks them. It
/// names the option that reads the output.
pub(in crate::pipeline) fn reason_for_rules(view: &EntryView<'_, '_>) -> Option<String> {
    let ruleset = view.fields()?.ruleset;
    let added = ruleset.added_variants().iter().map(|variant| variant.name());
    if view.writes_rules_as_fields() {
        let has_regions = view.settings.options.variants.contains(Variant::Regions);
        let regions = if has_regions { "regions" } else { "jigsaw" };
        let variants: Vec<&str> = ["killer", regions].into_iter().chain(added).collect();
        let (lost, variants) = (lost_groups(ruleset), variants.join(","));
        return Some(format!(
            "a puzzle that states its rules is written as PUZZLE REGIONS CAGES{lost}; --variant {variants} reads this one"
        ));
    }
    if ruleset.added_variants().is_empty() || !view.hides_variants() {
        return None;
    }
    let (lost, variants) = (lost_groups(ruleset), added.collect::<Vec<_>>().join(","));
    Some(format!(
        "the column 'puzzle' lacks the variants of the record{lost}, which can differ from those of \
         other records; --variant {variants} reads this one"
    ))
}

fn lost_groups(ruleset: &Ruleset) -> &'static str {
    match ruleset.has_added_groups() {
        true => ", without its extra regions and single diagonals",
        false => "",
    }
}

pub(in crate::pipeline) fn write_line(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    match view.settings.output {
        OutputForm::Lines { .. } => lines::write(view.values(), bytes),
        OutputForm::Csv { copies: true } => write_record(view, bytes),
        OutputForm::Csv { copies: false } => csv::write(view.values(), bytes),
        OutputForm::Json { copies } => write_object(view, copies, bytes),
        OutputForm::Drawing { .. } | OutputForm::Svg | OutputForm::Page { .. } => draw(view, bytes),
        OutputForm::Tally(form) => tally::write_values(view, form, bytes),
    }
}

/// The columns of the input come first. A line that is not a record becomes the first column, and
/// the other columns of the input are `-`.
fn write_record(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    let settings = view.settings;
    let stored = settings.csv_header.stored().expect("the header of CSV is read first");
    let width = stored.copied.width;
    let line = view.entry.line;
    let of_record = view.named.header();
    match of_record {
        Some(header) => {
            // The line of a rejected entry keeps its byte order mark, if it has one.
            let record = if view.found.is_none() { without_mark(line) } else { line };
            let has_field = |field| header.has_column(field);
            let replaced = match view.fields().filter(|_| view.shows_equivalent()) {
                Some(fields) => fields.replaced(Some(header), has_field, settings),
                None => Vec::new(),
            };
            csv::write_copy(header, record, &replaced, &settings.options.kept, bytes);
        }
        _ if width > 0 => {
            let separator = stored.header.separator;
            csv::write_field(line, separator, bytes);
            for _ in 1..width {
                bytes.extend_from_slice(&[separator, b'-']);
            }
        }
        _ => {}
    }
    // A line that is not a record is the first column already.
    let is_repeated =
        |shown: &OutputColumn| of_record.is_none() && width > 0 && shown.column.shows_grid();
    let values = view.columns().iter().zip(view.values());
    let values =
        values.map(|(shown, value)| if is_repeated(shown) { Value::Missing } else { value });
    write_added(stored, values, bytes);
}

/// If the output copies the object of the input, the keys follow those of that object. A line that
/// is not an object takes the place of the first grid.
fn write_object(view: &EntryView<'_, '_>, copies: bool, bytes: &mut Vec<u8>) {
    let options = &view.settings.options;
    let object_read = view.object();
    let form = object_read
        .map(|object| object.grid_form(&options.header, &options.alphabet))
        .unwrap_or_default();
    let writer = ValueWriter { form: &form, alphabet: &options.alphabet };
    match object_read.filter(|_| copies) {
        Some(object) => {
            let has_field = |field| object.has_field(field, &options.header);
            let replaced = match view.fields().filter(|_| view.shows_equivalent()) {
                Some(fields) => fields.replaced(None, has_field, view.settings),
                None => Vec::new(),
            };
            let kept = &options.kept;
            object.write_unclosed(&replaced, &options.header, kept, &writer, bytes);
            let is_copied = |shown: &&OutputColumn| {
                shown.carries_its_name()
                    && kept.has(shown.name.as_bytes())
                    && object.has_member(&shown.name)
            };
            for shown in view.columns().iter().filter(|shown| !is_copied(shown)) {
                // `value`, not `values`: a rejected object is copied already.
                let value = view.value(&shown.column);
                writer.write_member(&object.unused_key(&shown.name, kept), &value, bytes);
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

/// The columns that are not drawn are on one line below the grids, in the title of each image, or
/// in the caption of the figure. Without a grid, SVG has one image that shows the title alone.
/// Solutions follow the figures of a page, unless no other grid is drawn.
fn draw(view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
    let output = view.settings.output;
    let (mut drawings, mut others) = (Vec::new(), Vec::new());
    for (shown, value) in view.columns().iter().zip(view.values()) {
        match Drawing::of(view, &shown.column, &value) {
            Some(drawing) => drawings.push((shown, drawing)),
            None => {
                others.extend_from_slice(if others.is_empty() { b"" } else { b"\t" });
                value.write_text(&mut others);
            }
        }
    }
    let title = String::from_utf8_lossy(&others);
    match output {
        OutputForm::Page { has_default_columns } => {
            let is_solution =
                |(shown, _): &&(&OutputColumn, Drawing)| shown.column == Column::Solution;
            let are_moved = !drawings.iter().all(|drawing| is_solution(&drawing));
            let mut images = Vec::new();
            for (_, drawing) in drawings.iter().filter(|it| !(are_moved && is_solution(it))) {
                drawing.draw(view, "", &mut images);
            }
            let is_usual = has_default_columns && view.status == Status::Unique;
            page::write_figure(&images, if is_usual { "" } else { &title }, bytes);
            for (_, drawing) in drawings.iter().filter(|it| are_moved && is_solution(it)) {
                drawing.defer(view, bytes);
            }
        }
        OutputForm::Svg => {
            drawings.iter().for_each(|(_, drawing)| drawing.draw(view, &title, bytes));
            if drawings.is_empty() {
                svg::draw_title(&title, bytes);
            }
            bytes.push(b'\n');
        }
        _ => {
            drawings.iter().for_each(|(_, drawing)| drawing.draw(view, "", bytes));
            with_writer(view, |writer| writer.name_rules(bytes));
            bytes.extend_from_slice(&others);
            bytes.extend_from_slice(if others.is_empty() { b"\n" } else { b"\n\n" });
        }
    }
}

enum Drawing {
    Digits(Vec<u8>),
    Candidates(Vec<u32>),
}

impl Drawing {
    /// Returns `None` for a column that is written as text.
    fn of(view: &EntryView<'_, '_>, column: &Column, value: &Value<'_>) -> Option<Drawing> {
        let draws_candidates =
            matches!(view.settings.output, OutputForm::Svg | OutputForm::Page { .. });
        match (value, column) {
            (Value::Digits(digits, _), _) => Some(Drawing::Digits(digits.to_vec())),
            (Value::Candidates(sets, _), _) if draws_candidates => {
                Some(Drawing::Candidates(sets.to_vec()))
            }
            (Value::Grid(_), Column::Puzzle) if draws_candidates => match &view.fields()?.puzzle {
                Cells::Candidates(sets) => Some(Drawing::Candidates(sets.to_vec())),
                Cells::Digits(_) => None,
            },
            (Value::Grid(answer), Column::Answer) => {
                view.digits_of_answer(answer).map(Drawing::Digits)
            }
            _ => None,
        }
    }

    fn draw(&self, view: &EntryView<'_, '_>, title: &str, bytes: &mut Vec<u8>) {
        let is_text = matches!(view.settings.output, OutputForm::Drawing { .. });
        with_writer(view, |writer| match self {
            Drawing::Candidates(sets) => writer.draw_svg(Givens::Candidates(sets), title, bytes),
            Drawing::Digits(grid) if is_text => writer.draw(grid, bytes),
            Drawing::Digits(grid) => writer.draw_svg(Givens::Digits(grid), title, bytes),
        });
    }

    /// Leaves the drawing of a whole grid to the end of the page.
    fn defer(&self, view: &EntryView<'_, '_>, bytes: &mut Vec<u8>) {
        if let Drawing::Digits(grid) = self
            && !grid.contains(&0)
        {
            with_writer(view, |writer| page::write_deferred(writer, grid, bytes));
        }
    }
}

/// Does nothing if the rules are not known.
fn with_writer(view: &EntryView<'_, '_>, draw: impl FnOnce(&GridWriter<'_>)) {
    let Some(found) = &view.found else {
        return;
    };
    let (fields, rules) = (found.fields, &found.fields.ruleset.rules);
    // In a pencilmark puzzle every digit counts as a given, so that none is coloured.
    let all_given = vec![1; rules.cells()];
    draw(&GridWriter {
        rules,
        items: fields.items,
        givens: match fields.puzzle_read {
            Givens::Digits(digits) => digits,
            Givens::Candidates(_) => &all_given,
        },
        alphabet: &view.settings.options.alphabet,
        case: found.question.symbols.case,
        color: view.settings.output == OutputForm::Drawing { color: true },
    });
}
