//! Completions for zsh: a script that calls `_arguments`.

use super::flags::{self, Flag, Offer};
use super::values::escaped;

/// The characters that `_arguments` would not take literally in a summary or the name of a value.
const SPECIAL: &[char] = &['\\', ':', '[', ']'];

/// The script works in a folder of zsh's `fpath`, and also if it is sourced.
pub fn completions() -> String {
    let options: String = flags::all().map(option).collect();
    format!(
        "#compdef sudoku-filter
# Completes sudoku-filter in zsh. Written by sudoku-filter --generate complete-zsh.

_sudoku-filter() {{
    _arguments -s -S : \\
{options}        '*:file:_files'
}}

if [[ $funcstack[1] == _sudoku-filter ]]; then
    _sudoku-filter \"$@\"
else
    compdef _sudoku-filter sudoku-filter
fi
"
    )
}

/// Returns the specification for `_arguments`. Its `*` allows the option to be repeated.
fn option(flag: &Flag) -> String {
    // In `_arguments`, `+` after a short option and `=` after a long one mean that a value follows.
    // `=-` after a long option means that a value can follow only after a `=`.
    let (short_end, long_end) = match flag.value() {
        None => ("", ""),
        Some(_) if flag.is_optional() => ("", "=-"),
        Some(_) => ("+", "="),
    };
    let name = |name: &str| {
        let end = if name.starts_with("--") { long_end } else { short_end };
        format!("{name}{end}")
    };
    let names: Vec<String> = flag.names().map(name).collect();
    let names = match &names[..] {
        [long] => long.clone(),
        _ => format!("{{{}}}", names.join(",")),
    };
    let summary = escaped(&flag.summary(), SPECIAL);
    let about = format!("[{summary}]{}", value(flag));
    // Within single quotes, '\'' is a quote: it ends the text, adds a quote and begins a new text.
    let about = about.replace('\'', r"'\''");
    format!("        '*'{names}'{about}' \\\n")
}

/// Returns the end of a specification, such as `:WHEN:(auto always never)`: the name of the
/// option's value, and the values to offer. It begins with `::` if the value is optional.
fn value(flag: &Flag) -> String {
    let Some(name) = flag.value() else {
        return String::new();
    };
    let words = flag.offer().words().join(" ");
    let action = match flag.offer() {
        // A blank: there is a value, but nothing to offer.
        Offer::Anything => " ".to_string(),
        Offer::OneOf(_) => format!("({words})"),
        Offer::Described(words) => {
            let word = |(name, about): &(&str, &str)| format!("{name}\\:\"{about}\"");
            let words: Vec<String> = words.iter().map(word).collect();
            format!("(({}))", words.join(" "))
        }
        Offer::SomeOf(_) => format!("_values -s , {name} {words}"),
        Offer::AtFile => "{compset -P @ && _files}".to_string(),
    };
    let colons = if flag.is_optional() { "::" } else { ":" };
    format!("{colons}{}:{action}", escaped(name, SPECIAL))
}
