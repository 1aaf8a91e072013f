//! The fields of a record that are copied to the output (`--keep`).

use std::str::FromStr;

use engine::error::InvalidInput;

/// The fields of a CSV or JSON record that an output of the same form has, in their order.
///
/// ```
/// use sudoku_filter::program::KeptFields;
///
/// let kept: KeptFields = "id,puzzle".parse()?;
/// assert!(kept.has(b"id") && !kept.has(b"note"));
/// assert!(!"none".parse::<KeptFields>()?.has(b"id"));
/// assert!(KeptFields::All.has(b"id"));
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum KeptFields {
    /// Every field.
    #[default]
    All,
    /// The fields with these names.
    Named(Vec<String>),
}

impl KeptFields {
    /// Returns true if a field of this name is copied.
    #[must_use]
    pub fn has(&self, field: &[u8]) -> bool {
        match self {
            KeptFields::All => true,
            KeptFields::Named(names) => names.iter().any(|name| name.as_bytes() == field),
        }
    }

    /// Returns the names, or nothing if every field is copied.
    #[must_use]
    pub fn names(&self) -> &[String] {
        match self {
            KeptFields::All => &[],
            KeptFields::Named(names) => names,
        }
    }
}

impl FromStr for KeptFields {
    type Err = InvalidInput;

    /// Parses a comma-separated list of names, or `none`.
    fn from_str(list: &str) -> Result<KeptFields, InvalidInput> {
        if list == "none" {
            return Ok(KeptFields::Named(Vec::new()));
        }
        let names: Vec<String> = list.split(',').map(|name| name.trim().to_string()).collect();
        if names.iter().any(String::is_empty) {
            return Err("expected names separated by commas, or none".into());
        }
        Ok(KeptFields::Named(names))
    }
}
