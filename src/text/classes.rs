//! Classes of difficulty for the column `class` (`--classes`).

use std::str::FromStr;

use engine::error::InvalidInput;

/// Names of classes with their upper bounds of the difficulty, in ascending order.
///
/// ```
/// use sudoku_filter::program::Classes;
///
/// let classes: Classes = "easy=1.4,hard=4.9,extreme".parse()?;
/// assert_eq!(classes.of(14), Some("easy"));
/// assert_eq!(classes.of(15), Some("hard"));
/// assert_eq!(classes.of(90), Some("extreme"));
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// Each name with its greatest difficulty, in tenths.
    bounds: Vec<(String, u32)>,
    /// The class of all puzzles beyond the last bound.
    last: Option<String>,
}

impl Classes {
    /// Returns the class of a difficulty, given in tenths: the first whose bound is at least the
    /// difficulty. `None` if all bounds are less, and the last class has one.
    #[must_use]
    pub fn of(&self, tenths: u32) -> Option<&str> {
        let class = self.bounds.iter().find(|(_, bound)| tenths <= *bound);
        class.map(|(name, _)| name).or(self.last.as_ref()).map(String::as_str)
    }

    /// Returns the names in the order of the bounds.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let bounded = self.bounds.iter().map(|(name, _)| name);
        bounded.chain(&self.last).map(String::as_str)
    }
}

impl Default for Classes {
    fn default() -> Classes {
        let bounds = [("easy", 14), ("medium", 24), ("hard", 49)];
        Classes {
            bounds: bounds.map(|(name, bound)| (name.to_string(), bound)).to_vec(),
            last: Some("extreme".to_string()),
        }
    }
}

impl FromStr for Classes {
    type Err = InvalidInput;

    /// Parses a list such as `easy=1.4,hard=4.9,extreme`. Only the last class can have no bound.
    fn from_str(list: &str) -> Result<Classes, InvalidInput> {
        let mut classes = Classes { bounds: Vec::new(), last: None };
        for item in list.split(',') {
            if let Some(last) = &classes.last {
                return Err(format!("'{last}' needs a bound, as in {last}=4.9").into());
            }
            let (name, bound) = item.split_once('=').map_or((item, None), |(n, b)| (n, Some(b)));
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err("expected NAME=BOUND,...,NAME".into());
            }
            let Some(bound) = bound else {
                classes.last = Some(name.to_string());
                continue;
            };
            let tenths = tenths(bound).ok_or_else(|| format!("'{bound}' is not a difficulty"))?;
            if classes.bounds.last().is_some_and(|(_, before)| *before >= tenths) {
                return Err("the bounds must increase".into());
            }
            classes.bounds.push((name.to_string(), tenths));
        }
        Ok(classes)
    }
}

fn tenths(text: &str) -> Option<u32> {
    let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(tenth) || tenth.len() != 1 || whole.len() > 2 {
        return None;
    }
    Some(10 * whole.parse::<u32>().ok()? + tenth.parse::<u32>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faulty_lists_of_classes_are_errors() {
        for (list, reason) in [
            ("", "expected NAME=BOUND,...,NAME"),
            ("a,b=2.0", "'a' needs a bound, as in a=4.9"),
            ("a=2.0,b=1.0", "the bounds must increase"),
            ("a=2.05", "'2.05' is not a difficulty"),
            ("a=x", "'x' is not a difficulty"),
        ] {
            assert_eq!(list.parse::<Classes>().unwrap_err().to_string(), reason, "{list}");
        }
    }

    #[test]
    fn a_bound_belongs_to_its_class() {
        let classes = Classes::default();
        for (tenths, class) in
            [(10, "easy"), (14, "easy"), (15, "medium"), (49, "hard"), (50, "extreme")]
        {
            assert_eq!(classes.of(tenths), Some(class));
        }
        assert_eq!("a=2".parse::<Classes>().unwrap().of(21), None);
    }
}
