//! Drops output lines whose key an earlier output line has. Which line is the earlier one depends
//! on the order of the input, so the writer does this, not the workers.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

use super::OutputLines;

/// An output line that is written only if no line before it has the same key.
#[derive(Clone, Copy, Debug)]
pub struct KeyedLine {
    /// Where the line is in `OutputLines::bytes`.
    begin: usize,
    end: usize,
    key: u128,
}

impl KeyedLine {
    /// The key is a hash of `value`: two values in a run of a billion have the same key with a
    /// chance of about 10^-21.
    pub fn new(place: Range<usize>, value: &[u8]) -> KeyedLine {
        let half = |salt| {
            // The same hash in every run, unlike that of `RandomState`.
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(salt);
            hasher.write(value);
            u128::from(hasher.finish())
        };
        KeyedLine { begin: place.start, end: place.end, key: half(0) << 64 | half(1) }
    }

    pub fn moved_by(self, bytes: usize) -> KeyedLine {
        KeyedLine { begin: self.begin + bytes, end: self.end + bytes, ..self }
    }
}

/// The keys of all lines that are written.
#[derive(Default)]
pub struct WrittenKeys(HashSet<u128>);

impl WrittenKeys {
    pub fn drop_repeated(&mut self, output: &mut OutputLines) {
        let keyed = std::mem::take(&mut output.keyed);
        let repeated = keyed.into_iter().filter(|line| !self.0.insert(line.key));
        let repeated: Vec<Range<usize>> = repeated.map(|line| line.begin..line.end).collect();
        if !repeated.is_empty() {
            output.remove(&repeated);
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
                output.keyed.push(KeyedLine::new(place, value.as_bytes()));
            }
            output.count(Status::Unique);
            output.mark(output.last_counted);
        }
        let mut keys = WrittenKeys::default();
        keys.drop_repeated(&mut output);
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
        next.keyed.push(KeyedLine::new(0..3, b"b"));
        let mut both = OutputLines { bytes: b"c\n".to_vec(), ..OutputLines::default() };
        both.append(next);
        keys.drop_repeated(&mut both);
        assert_eq!(both.bytes, b"c\n");
    }
}
