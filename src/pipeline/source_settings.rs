//! The settings for each form of the input. With `--input auto`, each source has a form of its own,
//! which `detect.rs` recognises.

use std::sync::{Arc, OnceLock};

use super::options::{Input, Options};
use super::output_form::OutputForm;
use super::settings::Settings;
use crate::text::columns::Column;
use crate::text::header_names::HeaderNames;
use crate::text::kept_fields::KeptFields;
use engine::error::{BoxError, InvalidInput};

#[derive(Debug)]
pub(super) struct SourceSettings {
    options: Arc<Options>,
    /// By [`Input::place_in_order`]. `None` within if the options do not allow the form.
    by_form: [OnceLock<Option<Settings>>; Input::ORDER.len()],
    /// The form of the first source that is open. It decides on the form of the output.
    first: OnceLock<Input>,
}

impl SourceSettings {
    pub fn new(options: Options) -> Result<SourceSettings, InvalidInput> {
        let form = options.input.unwrap_or_default();
        let options = Arc::new(options);
        let settings = Settings::new(&options, form)?;
        let sources =
            SourceSettings { options, by_form: Default::default(), first: OnceLock::new() };
        _ = sources.by_form[form.place_in_order()].set(Some(settings));
        Ok(sources)
    }

    /// `None` with `--input auto`.
    pub fn named(&self) -> Option<Input> {
        self.options.input
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    pub fn settings(&self, form: Input) -> Option<&Settings> {
        let is_allowed = form.form().is_allowed(&self.options);
        let new = || Settings::new(&self.options, form).ok().filter(|_| is_allowed);
        self.by_form[form.place_in_order()].get_or_init(new).as_ref()
    }

    pub fn of_form(&self, form: Input) -> &Settings {
        self.settings(form).expect("the form of a source is allowed")
    }

    /// Returns the message about the form of a source that was recognised, unless it is lines.
    /// Returns an error if the output would need another form than for the sources before.
    pub fn open(&self, form: Input) -> Result<Option<String>, BoxError> {
        if self.named().is_some() {
            return Ok(None);
        }
        let names_columns = self.options.header != HeaderNames::default();
        if names_columns && !form.names_fields() {
            let name = form.form().name();
            return Err(format!("this is {name}, and --header names columns of CSV or JSON").into());
        }
        if !form.names_fields() {
            self.check_columns(form)?;
        }
        let first = *self.first.get_or_init(|| form);
        let output_of = |form| self.settings(form).map(|it| it.output);
        if output_of(form) != output_of(first) {
            let (name, first) = (form.form().name(), first.form().name());
            return Err(format!(
                "this is {name}, and the file before it {first}; --output lines writes one form for both"
            )
            .into());
        }
        let copies = output_of(form).is_some_and(OutputForm::copies_records);
        if self.options.kept != KeptFields::All && !copies {
            let name = form.form().name();
            return Err(format!(
                "this is {name}, and --keep chooses fields of CSV or JSON that are written as such"
            )
            .into());
        }
        Ok((form != Input::Lines).then(|| {
            let (name, option) = (form.form().name(), form.form().option());
            format!("read as {name} ({option}); --input lines reads lines")
        }))
    }

    /// Returns an error if a column is a field of the input, and a source of this form has no names
    /// of fields.
    fn check_columns(&self, form: Input) -> Result<(), BoxError> {
        let name = self.options.named_columns().find_map(|column| match column {
            Column::Carried(name) => Some(name),
            _ => None,
        });
        match name {
            Some(name) => Err(format!(
                "this is {}, and '{name}' is no column of the program; --csv and --json read sources that name their fields, --fields names those of lines",
                form.form().name()
            )
            .into()),
            None => Ok(()),
        }
    }

    /// Returns the settings that decide on the header of the output.
    pub fn first(&self) -> &Settings {
        self.of_form(self.named().or(self.first.get().copied()).unwrap_or_default())
    }
}
