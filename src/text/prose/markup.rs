//! Replaces the markup of an answer by blanks and line ends: thoughts, HTML, LaTeX, JSON with one
//! cell on a line, full-width characters.

/// Tags whose text does not count.
const THOUGHTS: [&str; 2] = ["think", "thinking"];
const INLINE_TAGS: &[&str] =
    &["td", "th", "b", "strong", "i", "em", "u", "span", "code", "font", "sub", "sup"];
const BLOCK_TAGS: &[&str] = &[
    "table", "tr", "thead", "tbody", "tfoot", "br", "p", "div", "li", "ul", "ol", "pre", "html",
    "body",
];

/// Returns the part of an answer that counts, without its markup:
///
/// * Text from `<think>` or `<thinking>` to the end tag or, without one, to the end of the answer
///   does not count. Nor does text before an end tag without a beginning: the beginning was
///   probably in the prompt.
/// * If the rest has `<answer>`, only the text after the last one counts, up to `</answer>`.
pub(super) fn plain_text(answer: &str) -> String {
    let text = without_thoughts(answer);
    without_markup(within_answer_tags(&text))
}

/// A line end replaces each thought.
fn without_thoughts(text: &str) -> String {
    // The small letters are at the same byte indices as in `text`.
    let small = text.to_ascii_lowercase();
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    let mut is_thought = false;
    for (start, _) in small.match_indices('<') {
        let Some(tag) = Tag::at_start(&small[start..]).filter(|tag| THOUGHTS.contains(&tag.name))
        else {
            continue;
        };
        match (is_thought, tag.is_end) {
            (false, false) => kept.push_str(&text[from..start]),
            (false, true) => kept.clear(),
            (true, _) => {}
        }
        is_thought = !tag.is_end;
        from = start + tag.length;
        kept.push('\n');
    }
    if !is_thought {
        kept.push_str(&text[from..]);
    }
    kept
}

fn within_answer_tags(text: &str) -> &str {
    let after = text.rsplit_once("<answer>").map_or(text, |(_, after)| after);
    after.split_once("</answer>").map_or(after, |(within, _)| within)
}

/// Full-width characters become ASCII characters.
fn without_markup(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    // True between `<tr>` and `</tr>`, where line ends do not end a row.
    let mut is_table_row = false;
    while let Some(symbol) = rest.chars().next() {
        let tag = Tag::at_start(rest);
        if let Some(tag) = tag.as_ref().filter(|tag| tag.is_named(&["tr"])) {
            is_table_row = !tag.is_end;
        }
        let blank = match tag {
            Some(tag) if tag.is_named(INLINE_TAGS) => Some((tag.length, ' ')),
            Some(tag) if tag.is_named(BLOCK_TAGS) => Some((tag.length, '\n')),
            _ => {
                let of_line = length_of_environment(rest).map(|length| (length, '\n'));
                of_line.or_else(|| length_of_style(rest).map(|length| (length, ' ')))
            }
        };
        if let Some((length, blank)) = blank {
            plain.push(blank);
            rest = &rest[length..];
            continue;
        }
        if let Some(array) = array_of_lines(rest) {
            plain += &array.replace('\n', " ");
            rest = &rest[array.len()..];
            continue;
        }
        match symbol {
            '\n' if is_table_row => plain.push(' '),
            // Full-width characters are in the order of ASCII.
            '\u{ff01}'..='\u{ff5e}' => {
                let ascii = u32::from(symbol) - 0xff01 + u32::from('!');
                plain.extend(char::from_u32(ascii));
            }
            '\u{3000}' => plain.push(' '),
            _ => plain.push(symbol),
        }
        rest = &rest[symbol.len_utf8()..];
    }
    plain
}

struct Tag<'t> {
    name: &'t str,
    is_end: bool,
    length: usize,
}

impl<'t> Tag<'t> {
    /// In bytes. Without it, a text of many `<a` would take quadratic time.
    const MAX_LENGTH: usize = 200;

    fn at_start(text: &'t str) -> Option<Tag<'t>> {
        let content = text.strip_prefix('<')?;
        let end = content.bytes().take(Self::MAX_LENGTH).position(|it| it == b'>')?;
        let inner = &content[..end];
        let is_end = inner.starts_with('/');
        let inner = inner.trim_start_matches('/');
        let name = inner.split(|it: char| !it.is_ascii_alphanumeric()).next()?;
        Some(Tag { name, is_end, length: end + 2 })
    }

    fn is_named(&self, names: &[&str]) -> bool {
        names.iter().any(|name| name.eq_ignore_ascii_case(self.name))
    }
}

/// Returns the length of the command at the beginning of a text if it begins or ends an environment
/// of LaTeX or draws a line: `\begin{array}{c|c}`, `\end{array}`, `\hline`, `\cline{1-4}`.
fn length_of_environment(text: &str) -> Option<usize> {
    if text.starts_with("\\hline") {
        return Some("\\hline".len());
    }
    if let Some(range) = text.strip_prefix("\\cline") {
        return Some(text.len() - after_braces(range)?.len());
    }
    let mut rest = text.strip_prefix("\\begin").or_else(|| text.strip_prefix("\\end"))?;
    rest = after_braces(rest)?;
    // The columns of an array, such as `{cc|cc}` or `{*{4}{c}}`, but not the braces of a cell.
    if let Some(after) = after_braces(rest)
        && rest[..rest.len() - after.len()].contains(['c', 'l', 'r'])
    {
        rest = after;
    }
    Some(text.len() - rest.len())
}

/// Returns the length of the command at the beginning of a text if it only changes how a cell looks
/// or how far lines are apart: `\textbf`, `\color{red}`, `\\[2pt]`.
fn length_of_style(text: &str) -> Option<usize> {
    const STYLES: [&str; 9] =
        ["textbf", "mathbf", "bf", "bm", "boldsymbol", "underline", "boxed", "text", "mathrm"];
    if let Some(distance) = text.strip_prefix("\\\\[") {
        let end = distance.bytes().take(10).position(|it| it == b']')?;
        let unit = distance[..end].trim_start_matches(|it: char| it.is_ascii_digit() || it == '.');
        return ["pt", "em", "ex", "mm", "cm"].contains(&unit).then_some(4 + end);
    }
    let command = text.strip_prefix('\\')?;
    let end = command.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(command.len());
    let (name, rest) = command.split_at(end);
    match name {
        "color" | "textcolor" => Some(text.len() - after_braces(rest)?.len()),
        _ => STYLES.contains(&name).then_some(1 + end),
    }
}

/// The braces can contain other braces.
fn after_braces(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (index, symbol) in text.bytes().take(200).enumerate() {
        match symbol {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (index > 0).then(|| &text[index + 1..]);
        }
    }
    None
}

/// Returns the JSON array at the beginning of a text if it has several lines of at most one cell, a
/// symbol or a number of two digits.
fn array_of_lines(text: &str) -> Option<&str> {
    let is_of_cell = |it: char| it.is_ascii_alphanumeric() || ".-_?*".contains(it);
    let is_other = |it: char| !is_of_cell(it) && !" \t\r\n,\"'".contains(it);
    // Arrays within the array end the search, so each character is searched only once.
    let (array, after) = text.split_at(1 + text.strip_prefix('[')?.find(is_other)?);
    let has_one_cell = |line: &str| {
        let cell = line.trim_matches(|it| !is_of_cell(it));
        cell.len() <= 2 && cell.chars().all(is_of_cell)
    };
    let has_lines = array.contains('\n') && array.lines().all(has_one_cell);
    (after.starts_with(']') && has_lines).then_some(array)
}
