//! Where the values of a JSON text end, without parsing them.

use memchr::{memchr, memchr3};

/// More bytes must be read.
pub(super) struct TooShort;

pub(super) fn is_between(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == b','
}

/// Returns the first byte that is no blank, after its index.
pub(super) fn first_byte(text: &[u8]) -> Result<(usize, u8), TooShort> {
    let is_blank = |(_, byte): &(usize, u8)| byte.is_ascii_whitespace();
    text.iter().copied().enumerate().find(|byte| !is_blank(byte)).ok_or(TooShort)
}

/// Includes blanks before the value. A value that is not JSON has no end either.
pub(super) fn length_of_value(text: &[u8]) -> Result<usize, TooShort> {
    let (begin, byte) = first_byte(text)?;
    let value = &text[begin..];
    let length = match byte {
        b'"' => end_of_string(&value[1..]).map(|length| 1 + length),
        b'{' | b'[' => match end_of_object(value) {
            ObjectEnd::At(length) => Some(length),
            _ => None,
        },
        _ => value.iter().position(|byte| matches!(byte, b',' | b'}' | b']')),
    };
    length.map(|length| begin + length).ok_or(TooShort)
}

pub(super) enum ObjectEnd {
    At(usize),
    Missing,
    /// The text is not JSON.
    Faulty,
}

/// Finds the end of the object or array with which a text begins. Looks no further than needed to
/// tell where it ends; `JsonObject::parse` finds all other faults.
pub(super) fn end_of_object(text: &[u8]) -> ObjectEnd {
    let mut open = Vec::new();
    // The last byte that is no blank. An object or array in an object must follow a `:`, so an
    // object that is not closed does not swallow the next one.
    let mut before = b':';
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        match byte {
            b'"' => match end_of_string(&text[at + 1..]) {
                Some(length) => at += length,
                None if memchr(b'\n', &text[at..]).is_some() => return ObjectEnd::Faulty,
                None => return ObjectEnd::Missing,
            },
            b'{' | b'[' if open.last() == Some(&b'{') && before != b':' => {
                return ObjectEnd::Faulty;
            }
            b'{' | b'[' => open.push(byte),
            b'}' | b']' => {
                let opening = if byte == b'}' { b'{' } else { b'[' };
                if open.pop() != Some(opening) {
                    return ObjectEnd::Faulty;
                }
                if open.is_empty() {
                    return ObjectEnd::At(at + 1);
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        at += 1;
    }
    ObjectEnd::Missing
}

/// Returns the index after the closing quote. `None` if a line ends before it.
pub(super) fn end_of_string(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr3(b'"', b'\\', b'\n', &text[at..])?;
        match text[at] {
            b'"' => return Some(at + 1),
            b'\\' if at + 2 <= text.len() => at += 2,
            _ => return None,
        }
    }
}

/// The members of an object, whose values are only skipped.
pub(super) struct Members<'t> {
    text: &'t [u8],
    /// The index after the last key, or after the `{`.
    at: usize,
}

impl<'t> Members<'t> {
    pub fn new(object: &'t [u8]) -> Members<'t> {
        Members { text: object, at: 1 }
    }

    /// Returns the next key without its quotes, and the index of its value. `Ok(None)` if there is
    /// none, or if the text is not JSON.
    pub fn next(&mut self) -> Result<Option<(&'t [u8], usize)>, TooShort> {
        // Behind a key, the value of that key comes first.
        if let Ok((skipped, b':')) = first_byte(&self.text[self.at..]) {
            self.at += skipped + 1;
            self.at += length_of_value(&self.text[self.at..])?;
        }
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
        let left = &self.text[self.at..];
        let begin = left.iter().position(|byte| !is_between(byte)).ok_or(TooShort)?;
        let Some(key) = left[begin..].strip_prefix(b"\"") else { return Ok(None) };
        let length = end_of_string(key).ok_or(TooShort)?;
        self.at += begin + 1 + length;
        let (colon, _) = first_byte(&self.text[self.at..])?;
        let after = self.at + colon + 1;
        let (value, _) = first_byte(&self.text[after..])?;
        Ok(Some((&key[..length - 1], after + value)))
    }
}
