//! Finds the parts of an answer that count: not its thoughts, and only what is between tags if it
//! has `<answer>` or `<solution>`.

/// The beginnings and ends of text that does not count.
const THOUGHTS: [(&str, &str); 4] = [
    ("think", "/think"),
    ("thinking", "/thinking"),
    ("reasoning", "/reasoning"),
    ("start_working_out", "end_working_out"),
];
const ANSWERS: [(&str, &str); 2] = [("answer", "/answer"), ("solution", "/solution")];

/// A tag, in any case.
struct Tag {
    start: usize,
    end: usize,
    /// Its index in the table of names.
    name: usize,
    is_beginning: bool,
}

/// Returns the text without its thoughts: a line end replaces each.
///
/// Without an end tag, nothing after the beginning counts. Without a beginning, nothing before the
/// end tag counts: the beginning was probably in the prompt.
pub fn without_thoughts(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    let mut is_thought = false;
    for tag in tags(text, &THOUGHTS) {
        match (is_thought, tag.is_beginning) {
            (false, true) => kept.push_str(&text[from..tag.start]),
            (false, false) => kept.clear(),
            (true, _) => {}
        }
        is_thought = tag.is_beginning;
        from = tag.end;
        kept.push('\n');
    }
    if !is_thought {
        kept.push_str(&text[from..]);
    }
    kept
}

/// Returns the parts of the text that can hold the answer, the first one to be preferred: what is
/// between a pair of tags, from the last pair to the first, then what follows a last tag without an
/// end. Without a pair, the whole text can hold it.
pub fn sections(text: &str) -> Vec<&str> {
    let mut sections = Vec::new();
    let mut open: Option<Tag> = None;
    for tag in tags(text, &ANSWERS) {
        match open.take() {
            _ if tag.is_beginning => open = Some(tag),
            Some(begin) if begin.name == tag.name => sections.push(&text[begin.end..tag.start]),
            other => open = other,
        }
    }
    sections.reverse();
    let has_pair = !sections.is_empty();
    sections.extend(open.map(|tag| &text[tag.end..]));
    if !has_pair {
        sections.push(text);
    }
    sections
}

/// Returns the tags of a text that have these names. A tag in quotes is only named.
fn tags(text: &str, names: &[(&str, &str)]) -> Vec<Tag> {
    let tag = |(start, _)| {
        let rest: &str = &text[start + 1..];
        let length = rest.bytes().take(MAX_TAG).position(|byte| byte == b'>')?;
        let found = rest[..length].trim();
        let is = |name: &str| name.eq_ignore_ascii_case(found);
        let name = names.iter().position(|(begin, end)| is(begin) || is(end))?;
        let end = start + length + 2;
        let before = text[..start].chars().next_back();
        let is_named = before.is_some_and(|quote| "`\"'".contains(quote))
            && text[end..].chars().next() == before;
        let is_beginning = is(names[name].0);
        (!is_named).then_some(Tag { start, end, name, is_beginning })
    };
    text.match_indices('<').filter_map(tag).collect()
}

/// The maximum length of a tag in bytes. Without it, a text of many `<a` would take quadratic time.
const MAX_TAG: usize = 30;
