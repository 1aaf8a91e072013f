//! JSON: objects, whose keys name the fields.

use super::fields::{fields_of_link, puzzle_in_prose};
use super::kind::KnownFields;
use super::named::NamedFields;
use super::unread::finish_split;
use super::{Beginning, Form, Recognition, Split};
use crate::pipeline::options::{Input, Output};
use crate::pipeline::settings::Settings;
use crate::pipeline::source_settings::SourceSettings;
use crate::stream::records::{BoxCutter, Record};
use crate::text::f_puzzles_link::object_of;
use crate::text::forms::json::cutter::JsonCutter;
use crate::text::forms::json::{JsonObject, begins_with_grids, path_of_record};
use crate::text::hints::Explanation;
use crate::text::record::FieldSet;
use engine::error::BoxError;

pub(super) struct Json;

impl Form for Json {
    fn name(&self) -> &'static str {
        "JSON"
    }

    fn option(&self) -> &'static str {
        "--json"
    }

    fn output(&self) -> Output {
        Output::Json
    }

    fn names_fields(&self) -> bool {
        true
    }

    fn reason_for_overlong(&self) -> &'static str {
        "the record is longer than 1 MiB; if it is an array of puzzles within an object, \
            --header puzzle=KEY names the key of their grids"
    }

    fn cutter(&self, settings: &Settings) -> Option<BoxCutter> {
        let options = &settings.options;
        let (names, alphabet) = (options.header.clone(), options.alphabet.clone());
        let cutter = JsonCutter::new(names, alphabet).with_variants(options.variants.clone());
        Some(Box::new(cutter.with_prompts(options.lenient)))
    }

    fn split<'a>(
        &self,
        record: &Record<'a>,
        settings: &'a Settings,
    ) -> Result<Split<'a>, BoxError> {
        let object = JsonObject::parse(record.bytes)?;
        let fields = fields_of_object(&object, settings.expected, settings);
        Ok(finish_split(NamedFields::Object(Box::new(object)), fields, settings))
    }

    /// Adds the path of a record that was cut out of a larger value.
    fn explain(&self, reason: BoxError, record: &[u8], _: &Settings) -> Explanation {
        Explanation::of_reason(match path_of_record(record) {
            Some(path) => format!("{reason} (key {path})"),
            None => reason.to_string(),
        })
    }

    fn recognizes(&self, sources: &SourceSettings, beginning: &Beginning<'_>) -> Recognition {
        let settings = sources.settings(Input::Json).filter(|_| beginning.has_bracket());
        let Some(settings) = settings else { return Recognition::No };
        let (text, is_whole) = (beginning.text, beginning.is_whole);
        match can_be_json(text) {
            Some(true) => return Recognition::Yes,
            None if !is_whole => return Recognition::ReadMore,
            // A bracket alone is no object.
            None if text.len() > 1 => return Recognition::Yes,
            _ => {}
        }
        // A list of grids with a grid on each line can be a drawing.
        let end = memchr::memchr(b'\n', text);
        if text.starts_with(b"[") && end.is_none() && !is_whole {
            return Recognition::ReadMore;
        }
        let line = text[..end.unwrap_or(text.len())].trim_ascii_end();
        let options = &settings.options;
        match begins_with_grids(line, &options.header, &options.alphabet) {
            true => Recognition::Yes,
            false => Recognition::No,
        }
    }
}

fn fields_of_object<'a>(
    object: &JsonObject<'a>,
    mut expected: FieldSet,
    settings: &Settings,
) -> Result<KnownFields<'a>, BoxError> {
    let options = &settings.options;
    if options.mode.writes_equivalents() {
        object.check_only_answer(&options.header)?;
        // The answer changes with the puzzle.
        expected.answer = true;
    }
    let mut fields = object.fields(&options.header, &options.alphabet, expected)?;
    if let Some(object) = object_of(&fields.puzzle) {
        return fields_of_link(object, fields, settings);
    }
    Ok(match fields.prose.take() {
        Some(texts) => KnownFields::with_symbols(puzzle_in_prose(&texts, settings)?, fields),
        None => KnownFields::new(fields, settings),
    })
}

/// Returns whether a text begins with an object, or with an array of objects, which can be damaged.
/// Other lists in braces or brackets can be the rows of a drawing. Returns `None` if more must be
/// read.
fn can_be_json(text: &[u8]) -> Option<bool> {
    let [first, rest @ ..] = text else { return None };
    let rest = rest.trim_ascii_start();
    let second = rest.first()?;
    if *first == b'[' {
        return Some(*second == b'{');
    }
    if *second == b'}' {
        return Some(true);
    }
    if let Some(key) = rest.strip_prefix(b"\"") {
        // A list of texts has no colon after the first one.
        let end = memchr::memchr(b'"', key)?;
        if *key[end + 1..].trim_ascii_start().first()? == b':' {
            return Some(true);
        }
    }
    // The first key can be damaged.
    let end = memchr::memchr(b'\n', rest);
    let line = &rest[..end.unwrap_or(rest.len())];
    match memchr::memmem::find(line, b"\":") {
        Some(_) => Some(true),
        None => end.map(|_| false),
    }
}
