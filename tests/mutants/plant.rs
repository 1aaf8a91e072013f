//! Faults into sources: each function that has one keeps its body, and has another beside it for each of its faults. Which
//! is at work is told by the environment, so that one build holds them all.

use std::ops::Range;

/// What the copy of the library gets besides.
pub const CHOICE: &str = "
/// Which fault is at work; none is 0.
#[doc(hidden)]
pub mod planted {
    /// Its number.
    pub fn number() -> usize {
        static NUMBER: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
        *NUMBER.get_or_init(|| std::env::var(\"PLANTED_FAULT\").map_or(0, |number| number.parse().unwrap()))
    }
}
extern crate self as sudoku_filter;
";

/// One place of a source, and what takes its place.
pub struct Change {
    pub number: usize,
    pub place: Range<usize>,
    pub new: String,
}

/// A source with all these changes, of which one or none is at work.
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
    // From the last on, so that places before keep theirs. Of functions within functions both may be changed.
    by_body.sort_by_key(|(body, _)| body.start);
    let nested = by_body
        .windows(2)
        .any(|pair| pair[1].0.start < pair[0].0.end);
    assert!(!nested, "two faults in functions one within the other");
    let mut text = source.to_string();
    for (body, changes) in by_body.into_iter().rev() {
        let usual = &source[body.clone()];
        let mut arms = String::new();
        for Change { number, place, new } in changes {
            let before = &source[body.start..place.start];
            let after = &source[place.end..body.end];
            arms += &format!("{number} => {{{before}{new}{after}}}\n");
        }
        let all =
            format!("match ::sudoku_filter::planted::number() {{\n{arms}_ => {{{usual}}}\n}}");
        text.replace_range(body, &all);
    }
    text
}

/// What stands between the braces of each function.
fn bodies(source: &str) -> Vec<Range<usize>> {
    let (mut bodies, mut open) = (Vec::new(), Vec::new());
    // Parentheses and brackets that are open, and how many were when the word `fn` came with a name behind it.
    let (mut depth, mut awaited) = (0, None);
    let mut at = 0;
    while at < source.len() {
        let left = &source[at..];
        let is_word = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
        let length = match left.chars().next().unwrap_or_default() {
            '/' | '"' | '\'' | 'r' | 'b' if opaque(left) > 0 => opaque(left),
            symbol if is_word(symbol) => {
                let word = left.find(|symbol| !is_word(symbol)).unwrap_or(left.len());
                let named = left[word..]
                    .trim_start()
                    .starts_with(|symbol: char| symbol.is_alphabetic() || symbol == '_');
                if &left[..word] == "fn" && named {
                    awaited = Some(depth);
                }
                word
            }
            symbol => {
                match symbol {
                    '(' | '[' => depth += 1,
                    ')' | ']' => depth -= 1,
                    ';' if awaited == Some(depth) => awaited = None,
                    '{' => open.push((
                        at + 1,
                        awaited.take_if(|awaited| *awaited == depth).is_some(),
                    )),
                    '}' => {
                        let (start, of_function) = open.pop().expect("a brace for each");
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

/// The length of the comment, string or character that a text begins with; 0 if with none.
fn opaque(text: &str) -> usize {
    let bytes = text.as_bytes();
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    let prefix = text.len() - text.trim_start_matches(['b', 'r']).len();
    let raw = text[..prefix].contains('r');
    let behind = &bytes[prefix..];
    if raw {
        let hashes = behind.iter().take_while(|&&byte| byte == b'#').count();
        if behind.get(hashes) != Some(&b'"') {
            return 0;
        }
        let end = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return text[start..]
            .find(&end)
            .map_or(text.len(), |found| start + found + end.len());
    }
    let quote = match behind {
        // A lifetime has no quote behind its first symbol.
        [b'\'', b'\\', ..] => b'\'',
        [b'\'', rest @ ..] => {
            let symbol = std::str::from_utf8(rest)
                .ok()
                .and_then(|rest| rest.chars().next());
            match symbol.is_some_and(|symbol| rest.get(symbol.len_utf8()) == Some(&b'\'')) {
                true => b'\'',
                false => return 0,
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
