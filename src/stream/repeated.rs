//! Drops output lines whose key an earlier output line has. Which line is the earlier one depends
//! on the order of the input, so the writer does this, not the workers.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

use super::OutputLines;
use super::repetition::ResultCounter;

/// An output line that can be dropped: one with a key if a line before it has the same, and a result
/// if its record has as many as are wanted.
#[derive(Clone, Copy, Debug)]
pub struct KeyedLine {
    /// Where the line is in `OutputLines::bytes`.
    begin: usize,
    end: usize,
    key: Option<u128>,
}

impl KeyedLine {
    /// Without a value, there is no key, and no other line is the same. The key is a hash of
    /// `value`: two values in a run of a billion have the same key with a chance of about 10^-21.
    pub fn new(place: Range<usize>, value: Option<&[u8]>) -> KeyedLine {
        let key = value.map(KeyedLine::key_of);
        KeyedLine { begin: place.start, end: place.end, key }
    }

    fn key_of(value: &[u8]) -> u128 {
        let half = |salt| {
            // The same hash in every run, unlike that of `RandomState`.
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(salt);
            hasher.write(value);
            u128::from(hasher.finish())
        };
        half(0) << 64 | half(1)
    }

    pub fn moved_by(self, bytes: usize) -> KeyedLine {
        KeyedLine { begin: self.begin + bytes, end: self.end + bytes, ..self }
    }
}

/// The keys of all lines that are written.
#[derive(Default)]
pub struct WrittenKeys(HashSet<u128>);

impl WrittenKeys {
    /// Also drops the results that are not wanted, if the lines are results. These are no earlier
    /// lines.
    pub fn drop_repeated(
        &mut self,
        output: &mut OutputLines,
        mut results: Option<&mut ResultCounter<'_>>,
    ) {
        let mut is_dropped = |line: &KeyedLine| {
            let is_wanted = results.as_ref().is_none_or(|results| !results.is_complete());
            let is_left = is_wanted && line.key.is_none_or(|key| self.0.insert(key));
            if is_left && let Some(results) = &mut results {
                results.add();
            }
            !is_left
        };
        let keyed = std::mem::take(&mut output.keyed);
        let dropped = keyed.into_iter().filter(|line| is_dropped(line));
        let dropped: Vec<Range<usize>> = dropped.map(|line| line.begin..line.end).collect();
        if !dropped.is_empty() {
            output.remove(&dropped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::verdict::Status;

    #[test]
    fn the_first_line_of_each_key_is_left_and_every_line_is_counted() {
        let mut output = OutputLines::default();
        output.bytes.extend_from_slice(b"header\n");
        for (line, value) in [("a1\n", "a"), ("b1\n", "b"), ("a22\n", "a"), ("-\n", "")] {
            let begin = output.bytes.len();
            output.bytes.extend_from_slice(line.as_bytes());
            if !value.is_empty() {
                let place = begin..output.bytes.len();
                output.keyed.push(KeyedLine::new(place, Some(value.as_bytes())));
            }
            output.count(Status::Unique);
            output.mark(output.last_counted);
        }
        let mut keys = WrittenKeys::default();
        keys.drop_repeated(&mut output, None);
        assert_eq!(output.bytes, b"header\na1\nb1\n-\n");
        assert_eq!(output.last_counted, output.bytes.len());
        let slices: Vec<_> =
            output.slices().map(|(slice, tally)| (slice, tally.unwrap())).collect();
        assert_eq!(
            slices.iter().map(|(slice, _)| *slice).collect::<Vec<_>>().concat(),
            output.bytes
        );
        assert_eq!(slices.last().unwrap().1.total(), 4);

        let mut next = OutputLines { bytes: b"b3\n".to_vec(), ..OutputLines::default() };
        next.keyed.push(KeyedLine::new(0..3, Some(b"b")));
        let mut both = OutputLines { bytes: b"c\n".to_vec(), ..OutputLines::default() };
        both.append(next);
        keys.drop_repeated(&mut both, None);
        assert_eq!(both.bytes, b"c\n");
    }
}
