//! Links of f-puzzles, and those of SudokuPad that carry its data: a JSON object, compressed as the
//! JavaScript library lz-string does and written in base64, with `%2B` for `+` in some links.
//!
//! ```text
//!   https://f-puzzles.com/?load=N4Ig...        a link of f-puzzles
//!   https://sudokupad.app/fpuzzlesN4Ig...      one of SudokuPad; also fpuz, and ?puzzleid=fpuz...
//!   fpuzzlesN4Ig...   N4Ig...                  the data alone
//! ```
//!
//! Compressed data is a list of codes that the first ones make longer. An *entry* of the dictionary
//! is a text that has occurred: the text of a code and the first unit of the next one. So here an
//! entry is a range of the text, and a damaged or hostile link takes no more than its text does.
// Tried: the crate lz-str 0.2. It reads a thousand links as the JavaScript original does, but
// copies each entry and limits nothing: 15 KB of data become a text of 60 MB.

use std::ops::Range;

use memchr::memmem;
use serde_json::value::RawValue;

use super::record::MAX_RECORD;
use engine::error::InvalidInput;

/// All data begins with this: the beginning `{"` of JSON, compressed.
const DATA: &[u8] = b"N4";
const F_PUZZLES: &[u8] = b"f-puzzles.com/";
/// The beginnings of links of SudokuPad, without `https://` and `www.`.
pub(super) const SUDOKU_PAD: &[&str] = &[
    "sudokupad.",
    "beta.sudokupad.",
    "app.crackingthecryptic.com/",
    "cracking-the-cryptic.web.app/",
];

/// Returns true for a field that carries an object of f-puzzles, which can be damaged.
pub(crate) fn is_one(field: &[u8]) -> bool {
    data_of(field).is_some()
}

/// Returns the JSON object that a field carries; `None` for another field.
///
/// # Errors
/// Returns an error if the data is damaged, or its text is longer than a record of JSON can be.
pub(crate) fn object_of(field: &[u8]) -> Option<Result<String, InvalidInput>> {
    let reason = "the data of the link of f-puzzles is damaged, or cut short";
    // A symbol less or another one can leave a text that is no object.
    let is_json = |text: &String| serde_json::from_str::<&RawValue>(text).is_ok();
    let object = text_of(data_of(field)?).filter(is_json);
    Some(object.ok_or_else(|| reason.into()))
}

fn text_of(data: &[u8]) -> Option<String> {
    String::from_utf16(&sextets(data).and_then(decompressed)?).ok()
}

/// Returns the compressed data.
fn data_of(field: &[u8]) -> Option<&[u8]> {
    // Nearly all fields are something else.
    if !matches!(field, [b'N' | b'f' | b'h' | b'w' | b's' | b'b' | b'a' | b'c', ..]) {
        return None;
    }
    let link = field.strip_prefix(b"https://").or_else(|| field.strip_prefix(b"http://"));
    let link = link.unwrap_or(field);
    let link = link.strip_prefix(b"www.").unwrap_or(link);
    let after = |text: &'_ [u8]| memmem::find(link, text).map(|at| at + text.len());
    let begin = if link.starts_with(F_PUZZLES) {
        after(b"?load=").or_else(|| after(b"&load="))?
    } else if link.starts_with(b"fpuz")
        || SUDOKU_PAD.iter().any(|it| link.starts_with(it.as_bytes()))
    {
        let begin = after(b"fpuz")?;
        if link[begin..].starts_with(b"zles") { begin + 4 } else { begin }
    } else {
        // A word of a text can begin like data.
        return (link.starts_with(b"N4I") && link.len() == field.len()).then_some(field);
    };
    let data = &link[begin..];
    let end = data.iter().position(|byte| matches!(byte, b'&' | b'#' | b'?'));
    let data = &data[..end.unwrap_or(data.len())];
    // The value of `load` can only be data, but cells have dots.
    let is_load = link.starts_with(F_PUZZLES) && !data.is_empty() && !data.contains(&b'.');
    (is_load || data.starts_with(DATA)).then_some(data)
}

/// Returns the six bits of each symbol of base64. `None` if a symbol is another.
fn sextets(data: &[u8]) -> Option<Vec<u8>> {
    let mut sextets = Vec::with_capacity(data.len());
    let mut rest = data;
    while let [symbol, after @ ..] = rest {
        let (symbol, after) = match (symbol, after) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                ((digit(*high)? * 16 + digit(*low)?) as u8, after)
            }
            (&symbol, after) => (symbol, after),
        };
        rest = after;
        sextets.push(match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            // Some programs write a blank for the `+` of a link.
            b'+' | b' ' => 62,
            b'/' => 63,
            b'=' => break,
            _ => return None,
        });
    }
    Some(sextets)
}

/// Codes below 3 are no entries.
const UNIT_OF_8_BITS: usize = 0;
const UNIT_OF_16_BITS: usize = 1;
const END: usize = 2;
const FIRST_ENTRY: usize = 3;

/// Returns the UTF-16 of compressed data. `None` if its end or an entry is missing.
fn decompressed(sextets: Vec<u8>) -> Option<Vec<u16>> {
    let mut bits = Bits { sextets, next: 0 };
    let mut text: Vec<u16> = Vec::new();
    let mut entries: Vec<Range<usize>> = Vec::new();
    // The first code has two bits, and announces a unit.
    let (mut width, mut last) = (2, 0..0);
    loop {
        let code = bits.number(width)?;
        let begin = text.len();
        match code {
            END => return Some(text),
            UNIT_OF_8_BITS | UNIT_OF_16_BITS => {
                text.push(bits.number(8 + 8 * code)? as u16);
                entries.push(begin..begin + 1);
            }
            _ => {
                let at = code - FIRST_ENTRY;
                match entries.get(at) {
                    Some(entry) => text.extend_from_within(entry.clone()),
                    // The entry that this code completes: the last text and its own first unit.
                    None if at == entries.len() && !last.is_empty() => {
                        text.extend_from_within(last.clone());
                        text.push(text[begin]);
                    }
                    None => return None,
                }
            }
        }
        if !last.is_empty() {
            entries.push(last.start..last.end + 1);
        }
        last = begin..text.len();
        if text.len() > MAX_RECORD {
            return None;
        }
        width = width_of_code(FIRST_ENTRY + entries.len());
    }
}

/// Returns the bits of the next code if it can be one of `codes`, or the next to be added.
fn width_of_code(codes: usize) -> usize {
    (usize::BITS - codes.leading_zeros()) as usize
}

/// Numbers of any width, the lowest bit of each first.
struct Bits {
    sextets: Vec<u8>,
    next: usize,
}

impl Bits {
    /// Returns `None` at the end.
    fn number(&mut self, width: usize) -> Option<usize> {
        let mut number = 0;
        for bit in 0..width {
            let sextet = self.sextets.get(self.next / 6)?;
            number |= usize::from(sextet >> (5 - self.next % 6) & 1) << bit;
            self.next += 1;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As lz-string writes them.
    const TEXTS: [(&str, &str); 4] = [
        (r#"{"size":4,"title":"é☃ 😀"}"#, "N4IgzglgXgpiBcAWANCALhNAbO8QEvBgMgAJBeDcAA9kAXyA"),
        (r#"{"a":[1,1,1,1,1,1,1,1,1,1,1,1]}"#, "N4IghiBcDaCMA0CmJctiC6BfIA=="),
        (
            r#"{"abcdefghijklmnopqrstuvwxyz":["/?+","abcabcabcabcabc","~~~~>>>>"]}"#,
            "N4IghgRgxgJgpgMwOYAsCWArA1gGwLYB2A9gA4COATgM4AuArgG4DuAHgJ4BeIAXANogB6APwBqEABpw0SFBlzoEkAD8VSgHwa1IALoBfIA=",
        ),
        (
            concat!(
                "{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}"
            ),
            "N4IghhldO38MU58QF8g=",
        ),
    ];

    #[test]
    fn the_text_is_that_of_the_javascript_library() {
        for (text, data) in TEXTS {
            let escaped = data.replace('+', "%2B").replace('/', "%2f").replace('=', "%3D");
            for link in [
                data.to_string(),
                format!("fpuz{data}"),
                format!("fpuzzles{escaped}"),
                format!("https://f-puzzles.com/?load={data}"),
                format!("http://www.f-puzzles.com/?a=b&load={escaped}&c=d"),
                format!("https://sudokupad.app/fpuz{data}?setting-nogrid=1"),
                format!("https://beta.sudokupad.app/sudoku/?puzzleid=fpuzzles{escaped}#a"),
                format!("https://app.crackingthecryptic.com/sudoku/fpuz{escaped}"),
            ] {
                let data = data_of(link.as_bytes()).expect(&link);
                assert_eq!(text_of(data).unwrap(), text, "{link}");
            }
            for length in 3..data.trim_end_matches('=').len() - 1 {
                assert!(object_of(&data.as_bytes()[..length]).unwrap().is_err(), "{length} {data}");
            }
        }
        for field in ["N4", "sclN4Ig", "https://f-puzzles.com/?id=N4Ig", "f-puzzles.com/", "fpuz"] {
            assert!(object_of(field.as_bytes()).is_none(), "{field}");
        }
        for data in ["N4I~", "N4I%4", "N4I%zz", "N4IgAAAAAAAA", "N4I\u{e9}"] {
            assert!(object_of(data.as_bytes()).unwrap().is_err(), "{data}");
        }
    }

    /// Each code is the entry that it completes, so text n has n units.
    #[test]
    fn a_text_is_no_longer_than_a_record() {
        let text_of = |codes: usize| {
            let mut bits = Vec::new();
            let mut push = |number: usize, width: usize| {
                bits.extend((0..width).map(|bit| number >> bit & 1));
            };
            push(UNIT_OF_8_BITS, 2);
            push(usize::from(b'a'), 8);
            for entries in 1..codes {
                push(FIRST_ENTRY + entries, width_of_code(FIRST_ENTRY + entries));
            }
            push(END, width_of_code(FIRST_ENTRY + codes));
            let sextet =
                |bits: &[usize]| (0..6).fold(0, |it, at| it << 1 | bits.get(at).unwrap_or(&0));
            let mut sextets: Vec<u8> = bits.chunks(6).map(|bits| sextet(bits) as u8).collect();
            sextets.push(0);
            decompressed(sextets)
        };
        assert_eq!(text_of(1000), Some(vec![u16::from(b'a'); 500_500]));
        assert_eq!(text_of(2000), None);
    }
}
