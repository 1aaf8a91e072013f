//! The settings for each form of the input. With `--input auto`, each source has a form of its own,
//! which `detect.rs` recognises.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::options::{Input, Options};
use super::settings::Settings;
use crate::error::{BoxError, InvalidInput};
use crate::rules::Variant;
use crate::text::header_names::HeaderNames;

/// A form of the input that `--input auto` can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Lines,
    Csv,
    Json,
    Drawn,
}

/// The settings for the form of each source. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct SourceSettings(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    options: Options,
    /// `None` with `--input auto`.
    named: Option<Settings>,
    /// The settings for each form, made when it is first needed. `None` within if the options do
    /// not allow the form.
    by_form: [OnceLock<Option<Settings>>; 4],
    /// The form of each source that is not read as lines.
    of_source: Mutex<BTreeMap<usize, Form>>,
    /// The form of the first source that is open. It decides on the form of the output.
    first: OnceLock<Form>,
}

impl SourceSettings {
    pub fn new(options: Options) -> Result<SourceSettings, InvalidInput> {
        let shared = Shared {
            named: match options.input {
                Input::Auto => None,
                _ => Some(Settings::new(options.clone())?),
            },
            by_form: Default::default(),
            of_source: Mutex::default(),
            first: OnceLock::new(),
            options,
        };
        if shared.named.is_none() {
            let lines = Settings::new(shared.options_for(Form::Lines))?;
            _ = shared.by_form[Form::Lines as usize].set(Some(lines));
        }
        Ok(SourceSettings(Arc::new(shared)))
    }

    /// `None` with `--input auto`.
    pub fn named(&self) -> Option<&Settings> {
        self.0.named.as_ref()
    }

    /// `None` if the options do not allow the form.
    pub fn settings(&self, form: Form) -> Option<&Settings> {
        let new = || match form {
            // Cages are not read from drawings.
            Form::Drawn if self.0.options.variants.contains(Variant::Killer) => None,
            _ => Settings::new(self.0.options_for(form)).ok(),
        };
        self.0.by_form[form as usize].get_or_init(new).as_ref()
    }

    pub fn set(&self, source: usize, form: Form) {
        if form != Form::Lines {
            let of_source = self.0.of_source.lock();
            of_source.unwrap_or_else(PoisonError::into_inner).insert(source, form);
        }
    }

    /// The form of the source must be known.
    pub fn of_source(&self, source: usize) -> &Settings {
        self.named().unwrap_or_else(|| {
            let form = self.form_of(source);
            self.settings(form).expect("the form of a source is allowed")
        })
    }

    fn form_of(&self, source: usize) -> Form {
        let of_source = self.0.of_source.lock();
        let of_source = of_source.unwrap_or_else(PoisonError::into_inner);
        of_source.get(&source).copied().unwrap_or(Form::Lines)
    }

    /// Returns the message about the form of a source that was recognised, unless it is lines.
    /// Returns an error if the output would need another form than for the sources before.
    pub fn open(&self, source: usize) -> Result<Option<String>, BoxError> {
        if self.named().is_some() {
            return Ok(None);
        }
        let form = self.form_of(source);
        let names_columns = self.0.options.header != HeaderNames::default();
        if names_columns && matches!(form, Form::Lines | Form::Drawn) {
            let name = form.name();
            return Err(format!("this is {name}, and --header names columns of CSV or JSON").into());
        }
        let first = *self.0.first.get_or_init(|| form);
        let output_of = |form| self.settings(form).map(|it| it.output);
        if output_of(form) != output_of(first) {
            let (name, first) = (form.name(), first.name());
            return Err(format!(
                "this is {name}, and the file before it {first}; --output lines writes one form for both"
            )
            .into());
        }
        Ok((form != Form::Lines).then(|| {
            let (name, option) = (form.name(), form.option());
            format!("read as {name} ({option}); --input lines reads lines")
        }))
    }

    /// Returns the settings that decide on the header of the output, if a source is open.
    pub fn first(&self) -> Option<&Settings> {
        self.named().or_else(|| self.settings(self.0.first.get().copied().unwrap_or(Form::Lines)))
    }
}

impl Shared {
    fn options_for(&self, form: Form) -> Options {
        let input = match form {
            Form::Lines => Input::Lines,
            Form::Csv => Input::Csv,
            Form::Json => Input::Json,
            Form::Drawn => Input::Drawn,
        };
        Options { input, ..self.options.clone() }
    }
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Lines => "lines",
            Form::Csv => "CSV",
            Form::Json => "JSON",
            Form::Drawn => "drawings",
        }
    }

    fn option(self) -> &'static str {
        match self {
            Form::Lines => "--input lines",
            Form::Csv => "--csv",
            Form::Json => "--json",
            Form::Drawn => "--input grid",
        }
    }
}
