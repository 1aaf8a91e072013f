//! The forms of the input, a file for each: how a source of the form begins, where its records end,
//! and what their fields are. What forms share is in `fields.rs`, `kind.rs` and `unread.rs`.
//! `text/forms/` reads and writes the forms.
//!
//! A new form is a variant of [`Input`], its file here, its place in `Input::ORDER`, and its arms of
//! `Input::form` and of `beside.rs`.

mod csv;
mod drawn;
mod fields;
mod json;
pub(super) mod kind;
mod likeness;
mod lines;
pub(super) mod named;
mod unread;

use std::cell::OnceCell;

use super::options::{Input, Options, Output};
use super::settings::Settings;
use super::source_settings::SourceSettings;
use crate::stream::FirstRecord;
use crate::stream::records::{BoxCutter, Record};
use crate::text::foreign::refuse_save_file;
use crate::text::hints::Explanation;
use crate::text::record::{Line, without_end};
use engine::error::BoxError;
use kind::KnownFields;
use named::NamedFields;

pub(super) trait Form: Sync {
    /// As messages have it.
    fn name(&self) -> &'static str;

    /// The option that names the form.
    fn option(&self) -> &'static str;

    /// The form of the output unless the user names one. CSV and JSON copy their records.
    fn output(&self) -> Output {
        Output::Lines
    }

    /// True if the input names its fields. A record can then have several lines, and there are no
    /// comments.
    fn names_fields(&self) -> bool {
        false
    }

    fn is_allowed(&self, _options: &Options) -> bool {
        true
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

    fn kind_of<'a>(&self, record: &Record<'a>, _settings: &Settings) -> RecordKind<'a> {
        kind_of_lines(record, !self.names_fields())
    }

    /// Splits a record, given without its line end and byte order mark.
    fn split<'a>(&self, record: &Record<'a>, settings: &'a Settings)
    -> Result<Split<'a>, BoxError>;

    /// Explains why a record is invalid. This takes longer than all else about the record.
    fn explain(&self, reason: BoxError, _record: &[u8], _settings: &Settings) -> Explanation {
        Explanation::of_reason(reason.to_string())
    }

    fn recognizes(&self, sources: &SourceSettings, beginning: &Beginning<'_>) -> Recognition;
}

impl Input {
    /// All forms, in the order in which they are looked for.
    pub(super) const ORDER: [Input; 4] = [Input::Json, Input::Csv, Input::Drawn, Input::Lines];

    pub(super) fn place_in_order(self) -> usize {
        let place = Input::ORDER.into_iter().position(|form| form == self);
        place.expect("each form has a place in the order")
    }

    pub(super) fn form(self) -> &'static dyn Form {
        match self {
            Input::Lines => &lines::Lines,
            Input::Csv => &csv::Csv,
            Input::Json => &json::Json,
            Input::Drawn => &drawn::Drawn,
        }
    }

    pub(super) fn names_fields(self) -> bool {
        self.form().names_fields()
    }
}

/// What a record is, before its fields are split.
pub(super) enum RecordKind<'a> {
    Header,
    /// The header again, from another file that was joined with the first.
    RepeatedHeader,
    /// A comment or a blank line, without its line end and byte order mark.
    Copied(&'a [u8]),
    /// The text that is shown for it, and the reason why it is invalid.
    Invalid(&'a [u8], &'a str),
    /// The text of its fields, without a line end and a byte order mark.
    Fields(&'a [u8]),
}

/// Returns what a record of one line or more is. Without comments, only blank lines are copied.
fn kind_of_lines<'a>(record: &Record<'a>, has_comments: bool) -> RecordKind<'a> {
    if let Some(fault) = record.fault {
        return RecordKind::Invalid(without_end(record.bytes), fault);
    }
    match Line::of(record.bytes) {
        Line::Copied(text) if has_comments || !text.starts_with(b"#") => RecordKind::Copied(text),
        Line::Copied(text) | Line::Record(text) => RecordKind::Fields(text),
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
