//! Recognises a source of drawings by its first lines.

use memchr::memchr;

use super::line::{DrawnLine, LineParser};
use super::{EntryAssembler, EntryForm};
use crate::stream::records::Cutter;

/// The least side of a puzzle by which a source is recognised.
const MIN_SIDE: usize = 6;

/// Returns true if whole lines, the first ones of a source, begin with a whole drawn puzzle of six
/// rows or more, before any whole grid that is alone on its line.
#[cfg_attr(not(test), expect(dead_code, reason = "`--input` has no such default yet"))]
pub fn begin_with_drawing(lines: &[u8], form: &EntryForm) -> bool {
    let parser = LineParser::new(form.alphabet.clone(), form.fields);
    let end = end_of_first_grid(&parser, lines);
    let mut assembler = EntryAssembler::new(form.clone());
    let cut = assembler.cut(&lines[..end], true);
    let text = cut.text.unwrap_or_default();
    let spans = cut.records.spans().unwrap_or_default();
    spans.iter().any(|span| {
        let rows = &text[span.begin as usize..span.end as usize];
        span.fault.is_none() && rows.split(|&byte| byte == b' ').count() >= MIN_SIDE
    })
}

/// Returns the end of the lines before the first one that has a whole grid.
fn end_of_first_grid(parser: &LineParser, lines: &[u8]) -> usize {
    let (mut end, mut plain) = (0, Vec::new());
    while end < lines.len() {
        let next = memchr(b'\n', &lines[end..]).map_or(lines.len(), |at| end + at + 1);
        let mut has_grid = false;
        let line = lines[end..next].trim_ascii_end();
        plain.clear();
        parser.parse(line, &mut plain, |part| has_grid |= matches!(part, DrawnLine::Grid(_)));
        if has_grid {
            return end;
        }
        end = next;
    }
    end
}
