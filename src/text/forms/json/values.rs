//! The values of an object by their keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Index;

use serde_json::value::RawValue;

/// The members of an object, sorted by their keys. Most objects have few, and each field is looked
/// for under several names in any case, so a list is read faster than a map.
#[derive(Clone)]
pub(super) struct Values<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Values<'a> {
    /// Of equal keys, the last counts.
    pub fn parse(text: &'a [u8]) -> Result<Values<'a>, serde_json::Error> {
        // Most keys have no escapes and are a part of the text.
        if let Ok(values) = serde_json::from_slice::<BTreeMap<&str, _>>(text) {
            return Ok(Values(
                values.into_iter().map(|(key, value)| (key.into(), value)).collect(),
            ));
        }
        let values = serde_json::from_slice::<BTreeMap<Cow<'_, str>, _>>(text)?;
        Ok(Values(values.into_iter().collect()))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(key, value)| (&**key, *value))
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|(key, _)| &**key)
    }

    pub fn get(&self, key: &str) -> Option<&'a RawValue> {
        let at = self.0.binary_search_by(|(known, _)| (**known).cmp(key)).ok()?;
        Some(self.0[at].1)
    }

    pub fn without(&self, key: &str) -> Values<'a> {
        Values(self.0.iter().filter(|(known, _)| known != key).cloned().collect())
    }

    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

impl<'a> Index<&str> for Values<'a> {
    type Output = &'a RawValue;

    fn index(&self, key: &str) -> &&'a RawValue {
        let at = self.0.binary_search_by(|(known, _)| (**known).cmp(key));
        &self.0[at.expect("the object has this key")].1
    }
}
