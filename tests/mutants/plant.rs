//! Plants faults in a source text. Each function with a fault keeps its body and gets another body
//! for each fault. An environment variable selects the body, so one build holds all faults. Another
//! names a folder for an empty file for each fault whose function is called.

use std::ops::Range;

/// Code that is appended to the copy of the engine.
pub const SELECTION: &str = "
/// The selected fault; 0 is none.
#[doc(hidden)]
pub mod planted {
    use std::sync::{Once, OnceLock};

    /// Returns its number, for a function with these faults. Records that the function is called.
    pub fn number(calls: &Once, faults: &[usize]) -> usize {
        static NUMBER: OnceLock<usize> = OnceLock::new();
        calls.call_once(|| {
            if let Some(folder) = std::env::var_os(\"PLANTED_REACHED\") {
                for fault in faults {
                    let file = std::path::Path::new(&folder).join(fault.to_string());
                    // Fails in a test of a process without free file descriptors.
                    let _ = std::fs::write(file, []);
                }
            }
        });
        *NUMBER.get_or_init(|| std::env::var(\"PLANTED_FAULT\").map_or(0, |number| number.parse().unwrap()))
    }
}
extern crate self as sudoku_filter;
";

/// Code that is appended to the copy of the library above it.
pub const REEXPORT: &str = "
#[doc(hidden)]
pub use engine::planted;
extern crate self as sudoku_filter;
";

/// One fault: the range of the source it replaces, and the new text.
pub struct Change {
    pub number: usize,
    pub place: Range<usize>,
    pub new: String,
}

/// Returns the source with all these changes; at run time at most one of them is active.
pub fn planted(source: &str, changes: &[Change]) -> String {
    let bodies = bodies(source);
    let mut by_body: Vec<(Range<usize>, Vec<&Change>)> = Vec::new();
    for change in changes {
        let holds =
            |body: &&Range<usize>| body.start <= change.place.start && change.place.end <= body.end;
        let innermost = bodies.iter().filter(holds).min_by_key(|body| body.len());
        let body = innermost.unwrap_or_else(|| panic!("fault {} is in no function", change.number));
        match by_body.iter_mut().find(|(known, _)| known == body) {
            Some((_, changes)) => changes.push(change),
            None => by_body.push((body.clone(), vec![change])),
        }
    }
    // Replace from the end, so that earlier ranges stay valid.
    by_body.sort_by_key(|(body, _)| body.start);
    let nested = by_body.windows(2).any(|pair| pair[1].0.start < pair[0].0.end);
    assert!(!nested, "two faults are in nested functions");
    let mut text = source.to_string();
    for (body, changes) in by_body.into_iter().rev() {
        let original = &source[body.clone()];
        let numbers: Vec<usize> = changes.iter().map(|change| change.number).collect();
        let mut arms = String::new();
        for Change { number, place, new } in changes {
            let before = &source[body.start..place.start];
            let after = &source[place.end..body.end];
            arms += &format!("{number} => {{{before}{new}{after}}}\n");
        }
        let all = format!(
            "static CALLS: ::std::sync::Once = ::std::sync::Once::new();
            match ::sudoku_filter::planted::number(&CALLS, &{numbers:?}) {{\n{arms}_ => {{{original}}}\n}}"
        );
        text.replace_range(body, &all);
    }
    text
}

/// Returns the range between the braces of each function.
fn bodies(source: &str) -> Vec<Range<usize>> {
    let (mut bodies, mut open) = (Vec::new(), Vec::new());
    // The number of open parentheses and brackets, and that number at the last `fn` with a name.
    let (mut depth, mut pending_depth) = (0, None);
    let mut at = 0;
    while at < source.len() {
        let left = &source[at..];
        let is_word = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
        let length = match left.chars().next().unwrap_or_default() {
            '/' | '"' | '\'' | 'r' | 'b' if skipped_length(left) > 0 => skipped_length(left),
            symbol if is_word(symbol) => {
                let word = left.find(|symbol| !is_word(symbol)).unwrap_or(left.len());
                let named = left[word..]
                    .trim_start()
                    .starts_with(|symbol: char| symbol.is_alphabetic() || symbol == '_');
                if &left[..word] == "fn" && named {
                    pending_depth = Some(depth);
                }
                word
            }
            symbol => {
                match symbol {
                    '(' | '[' => depth += 1,
                    ')' | ']' => depth -= 1,
                    ';' if pending_depth == Some(depth) => pending_depth = None,
                    '{' => open.push((
                        at + 1,
                        pending_depth.take_if(|pending_depth| *pending_depth == depth).is_some(),
                    )),
                    '}' => {
                        let (start, of_function) = open.pop().expect("braces are balanced");
                        if of_function {
                            bodies.push(start..at);
                        }
                    }
                    _ => {}
                }
                symbol.len_utf8()
            }
        };
        at += length;
    }
    bodies
}

/// Returns the length of the comment, string or character at the start of a text; 0 if there is
/// none.
fn skipped_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    let prefix = text.len() - text.trim_start_matches(['b', 'r']).len();
    let raw = text[..prefix].contains('r');
    let rest_of_literal = &bytes[prefix..];
    if raw {
        let hashes = rest_of_literal.iter().take_while(|&&byte| byte == b'#').count();
        if rest_of_literal.get(hashes) != Some(&b'"') {
            return 0;
        }
        let end = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return text[start..].find(&end).map_or(text.len(), |found| start + found + end.len());
    }
    let quote = match rest_of_literal {
        // A lifetime has no quote after its first character.
        [b'\'', b'\\', ..] => b'\'',
        [b'\'', rest @ ..] => {
            let symbol = std::str::from_utf8(rest).ok().and_then(|rest| rest.chars().next());
            if symbol.is_some_and(|symbol| rest.get(symbol.len_utf8()) == Some(&b'\'')) {
                b'\''
            } else {
                return 0;
            }
        }
        [b'"', ..] => b'"',
        _ => return 0,
    };
    let mut at = prefix + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}
