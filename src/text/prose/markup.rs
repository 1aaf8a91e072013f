//! Replaces the markup of an answer by separators and line ends: HTML, LaTeX, JSON, full-width
//! characters.

/// Tags that begin or end a line. `<td>` and `<th>` begin a cell, and other tags are spaces.
const LINE_TAGS: [&str; 16] = [
    "table", "tr", "thead", "tbody", "tfoot", "br", "p", "div", "li", "ul", "ol", "pre", "html",
    "body", "row", "grid",
];

/// Returns the text without its markup. Each row of a table, each list and each object of JSON is on
/// a line of its own, and the symbol `_` stands for a cell that is `null`, an empty string or nothing.
pub fn without_markup(text: &str, has_asterisks: bool) -> String {
    let plain = plain_characters(text, has_asterisks);
    without_empty_cells(&without_lists(&without_commands(&without_tags(&plain))))
}

/// Full-width characters become ASCII characters, bars and lines of box-drawing characters become
/// `|` and `-`, and bold text loses its asterisks.
fn plain_characters(text: &str, has_asterisks: bool) -> String {
    let plain = |symbol: char| match symbol {
        '*' if !has_asterisks => ' ',
        // Full-width characters are in the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(symbol) - 0xff01 + u32::from('!')).unwrap_or(' ')
        }
        '\u{2500}' | '\u{2501}' | '\u{2550}' => '-',
        '\u{2502}' | '\u{2503}' | '\u{2551}' | '\u{2506}' | '\u{250a}' => '|',
        '\u{2500}'..='\u{257f}' => '+',
        // The last two make an emoji of a digit.
        '\u{a0}' | '\u{3000}' | '\u{fe0f}' | '\u{20e3}' => ' ',
        _ => symbol,
    };
    text.chars().map(plain).collect()
}

/// Replaces the tags of HTML. Line ends within a row of a table are spaces.
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_table_row = false;
    let mut rest = text;
    while let Some(symbol) = rest.chars().next() {
        if let Some((name, is_end, length)) = tag(rest) {
            let name = name.to_ascii_lowercase();
            plain.push(match &*name {
                "td" | "th" if !is_end => '|',
                _ if LINE_TAGS.contains(&&*name) => '\n',
                _ => ' ',
            });
            if name == "tr" {
                is_table_row = !is_end;
            }
            rest = &rest[length..];
            continue;
        }
        plain.push(if symbol == '\n' && is_table_row { ' ' } else { symbol });
        rest = &rest[symbol.len_utf8()..];
    }
    plain
}

/// Returns the name of the tag at the beginning of a text, whether it is an end tag, and its length.
fn tag(text: &str) -> Option<(&str, bool, usize)> {
    let content = text.strip_prefix('<')?;
    // Without a maximum length, a text of many `<a` would take quadratic time.
    let end = content.bytes().take(200).position(|it| it == b'>')?;
    let inner = content[..end].trim_start_matches('/');
    let name = inner.split(|it: char| !it.is_ascii_alphanumeric()).next()?;
    let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic());
    is_name.then_some((name, inner.len() < end, end + 2))
}

/// Replaces the commands of LaTeX, and `\n` as in a string of a program. Those that begin or end an
/// environment or draw a line are line ends, and the end of a row is one.
fn without_commands(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\\') {
        plain.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        let length = rest.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(length);
        let (replacement, after) = match name {
            // The `&` bounds a first cell that is empty.
            "" if after.starts_with('\\') => ("\n& ", after_distance(&after[1..]).trim_start()),
            "" | "t" => (" ", after),
            "n" | "hline" => ("\n", after),
            "cline" => ("\n", after_braces(after)),
            "begin" | "end" => {
                let columns = after_braces(after);
                // The columns of an array, such as `{cc|cc}` or `{*{4}{c}}`, but not the braces of
                // a cell.
                let after = after_braces(columns);
                let are_columns = columns[..columns.len() - after.len()].contains(['c', 'l', 'r']);
                ("\n", if are_columns { after } else { columns })
            }
            "color" | "textcolor" => (" ", after_braces(after)),
            "to" | "rightarrow" | "Rightarrow" => ("->", after),
            _ => (" ", after),
        };
        plain.push_str(replacement);
        rest = after;
    }
    plain + rest
}

/// Returns the text behind a distance such as `[2pt]`.
fn after_distance(text: &str) -> &str {
    let end = text.strip_prefix('[').and_then(|it| it.bytes().take(10).position(|it| it == b']'));
    let distance = &text[..end.map_or(0, |end| end + 2)];
    let has_unit = ["pt", "em", "ex", "mm", "cm"].iter().any(|unit| distance.contains(unit));
    if has_unit { &text[distance.len()..] } else { text }
}

/// Returns the text behind the braces at its beginning, which can contain other braces.
fn after_braces(text: &str) -> &str {
    let mut depth = 0;
    for (index, symbol) in text.bytes().take(200).enumerate() {
        match symbol {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if index > 0 { &text[index + 1..] } else { text };
        }
    }
    text
}

/// The maximum length of a cell in a list.
const MAX_CELL: usize = 2;

/// Writes each list or object of JSON that has no other within it on a line, without the keys.
/// Longer items have lines of their own.
fn without_lists(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['[', '{']) {
        plain.push_str(&rest[..=start]);
        rest = &rest[start + 1..];
        let Some(end) = rest.find(['[', ']', '{', '}']) else { break };
        let inner = &rest[..end];
        let is_list = inner.contains(',') && rest[end..].starts_with([']', '}']);
        if is_list {
            for item in inner.split(',') {
                // A string of several symbols can be a row.
                let value = value(item).trim();
                let is_cell = value.trim_matches(['"', '\'']).len() <= MAX_CELL;
                plain.extend([value, if is_cell { "," } else { "\n" }]);
            }
            plain.truncate(plain.trim_end_matches(',').len());
            plain.push('\n');
            rest = &rest[end + 1..];
            rest = rest.strip_prefix(',').unwrap_or(rest);
        }
    }
    plain + rest
}

/// Writes `_` where nothing but spaces is between two bars, or two `&`, of a line.
fn without_empty_cells(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for part in text.split_inclusive(['|', '&']) {
        let spaces = part.trim_end_matches(['|', '&']);
        let is_empty = spaces.contains(' ') && spaces.bytes().all(|it| it == b' ');
        let is_between = plain.ends_with(['|', '&']) && part.ends_with(['|', '&']);
        plain.push_str(if is_empty && is_between { "_" } else { "" });
        plain.push_str(part);
    }
    plain
}

/// Returns an item of a list without its key, or `_` for a blank cell.
fn value(item: &str) -> &str {
    let value = match item.split_once(':') {
        Some((key, value)) if key.trim_end().ends_with(['"', '\'']) => value,
        _ => item,
    };
    match value.trim() {
        "null" | "None" | "\"\"" | "''" | "\" \"" | "' '" => "_",
        _ => value,
    }
}
