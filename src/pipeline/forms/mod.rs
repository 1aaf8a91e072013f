//! The forms of the input, a file for each: how a source of the form begins, where its records end,
//! and what their fields are. `text/forms/` reads and writes the forms.
//!
//! A new form is a variant of [`Input`], its file here, its arm of `with_form`, and its place in
//! the order of `detect.rs`.

mod csv;
mod drawn;
mod json;
mod likeness;
mod lines;
pub(super) mod named;

use std::cell::OnceCell;

use super::decode::KnownFields;
use super::fields::{join, unmark};
use super::options::{Input, Options};
use super::settings::Settings;
use super::source_settings::SourceSettings;
use crate::stream::FirstRecord;
use crate::stream::records::{BoxCutter, Record};
use crate::text::foreign::refuse_save_file;
use crate::text::record::{has_inner_cr, reason_for_inner_cr};
use engine::error::BoxError;
use named::NamedFields;

pub(super) trait Form: Sync {
    /// As messages have it.
    fn name(&self) -> &'static str;

    /// The option that names the form.
    fn option(&self) -> &'static str;

    /// True if the input names its fields. A record can then have several lines, and there are no
    /// comments.
    fn names_fields(&self) -> bool {
        false
    }

    fn is_allowed(&self, _options: &Options) -> bool {
        true
    }

    fn is_header(&self, _record: &Record<'_>) -> bool {
        false
    }

    /// The reason why a record is invalid that is longer than the longest one.
    fn reason_for_overlong(&self) -> &'static str {
        "the line is longer than 64 KiB"
    }

    /// Returns `None` if each line is a record.
    fn cutter(&self, _settings: &Settings) -> Option<BoxCutter> {
        None
    }

    /// Returns an error for a save file of another program, or a header that does not fit.
    fn open(
        &self,
        _settings: &Settings,
        _source: usize,
        first: FirstRecord<'_>,
    ) -> Result<(), BoxError> {
        refuse_save_file(first.text)
    }

    fn split<'a>(&self, record: &'a [u8], settings: &Settings) -> Result<Split<'a>, BoxError>;

    fn recognizes(&self, sources: &SourceSettings, beginning: &Beginning<'_>) -> Recognition;
}

/// Evaluates an expression with the form of an input, without a virtual call.
macro_rules! with_form {
    ($input:expr, $form:ident => $value:expr) => {
        match $input {
            Input::Lines => {
                let $form = &lines::Lines;
                $value
            }
            Input::Csv => {
                let $form = &csv::Csv;
                $value
            }
            Input::Json => {
                let $form = &json::Json;
                $value
            }
            Input::Drawn => {
                let $form = &drawn::Drawn;
                $value
            }
        }
    };
}

impl Input {
    pub(super) fn form(self) -> &'static dyn Form {
        with_form!(self, form => form)
    }

    pub(super) fn names_fields(self) -> bool {
        with_form!(self, form => form.names_fields())
    }
}

/// A record as its fields.
pub(super) struct Split<'a> {
    pub named: NamedFields<'a>,
    /// An error if an object has no key for the puzzle, or has a value that cannot be such a field.
    pub fields: Result<KnownFields<'a>, BoxError>,
}

pub(super) enum Recognition {
    Yes,
    No,
    ReadMore,
}

/// The bytes that are read of a source before its form is recognised.
pub(super) struct Beginning<'b> {
    /// Whole lines; with the last one if the source ends.
    pub bytes: &'b [u8],
    /// All that is read, without the byte order mark and blanks before it.
    pub text: &'b [u8],
    pub ends: bool,
    /// True if no more is read.
    pub is_whole: bool,
    first_line: OnceCell<Option<usize>>,
}

impl<'b> Beginning<'b> {
    pub fn new(bytes: &'b [u8], text: &'b [u8], ends: bool, is_whole: bool) -> Beginning<'b> {
        Beginning { bytes, text, ends, is_whole, first_line: OnceCell::new() }
    }

    fn has_bracket(&self) -> bool {
        self.text.starts_with(b"{") || self.text.starts_with(b"[")
    }

    /// Returns the index at which the first line begins that decides for lines.
    fn first_line(&self, sources: &SourceSettings) -> Option<usize> {
        let first = || lines::first_line(self.bytes, sources.settings(Input::Lines)?);
        *self.first_line.get_or_init(first)
    }
}

/// Splits a record. Unless its form names fields, a record is also invalid if a byte other than CR
/// follows a CR.
pub(super) fn split<'a>(record: &'a [u8], settings: &Settings) -> Result<Split<'a>, BoxError> {
    let (input, options) = (settings.input, &settings.options);
    if !input.names_fields() && has_inner_cr(record) {
        return Err(reason_for_inner_cr(record).into());
    }
    // Each record is split. What is returned is large, and changed where it is.
    let mut split = with_form!(input, form => form.split(record, settings));
    let Ok(Split { named, fields: Ok(known) }) = &mut split else { return split };
    // Prose is searched for a grid instead.
    if let (false, Some(answer)) = (options.lenient, &mut known.fields.answer) {
        join(answer, &options.alphabet);
        unmark(answer, &options.alphabet);
    }
    let unread_layout = || named.unread_layout(&known.fields, settings);
    let unread_rule = || named.unread_rule(known, settings);
    let dropped_rule = || named.dropped_rule(&known.fields, settings);
    let unread = named.unread_constraints(settings).or_else(unread_layout).or_else(unread_rule);
    let reason = unread.or_else(dropped_rule);
    if let Some(reason) = reason {
        let named = std::mem::take(named);
        return Ok(Split { named, fields: Err(reason.into()) });
    }
    split
}
