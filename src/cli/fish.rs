//! Completions for fish: a script with one `complete` command per option, and functions that these
//! commands call.

use super::flags::{self, Flag, Offer};
use super::values::escaped;

const BEGIN: &str = r#"# Completes sudoku-filter in fish. Written by sudoku-filter --generate complete-fish.

# Offers words for a comma-separated list, except those that are in the list already.
function __sudoku_filter_list
    set -l token (string replace -r '^(--[^=]*=|-o)' '' -- (commandline -ct))
    set -l before (string match -r '.*,' -- $token)
    for word in $argv
        contains -- $word (string split , -- "$before"); or printf '%s\n' "$before"$word
    end
end

# Offers files after an @.
function __sudoku_filter_at_file
    set -l token (string replace -r '^(--[^=]*=)?@?' '' -- (commandline -ct))
    __fish_complete_path $token | string replace -r '^' '@'
end

"#;

pub fn completions() -> String {
    let mut script = BEGIN.to_string();
    script.extend(flags::all().map(option));
    script
}

fn option(flag: &Flag) -> String {
    let name = |name: &str| match name.strip_prefix("--") {
        Some(long) => format!(" -l {long}"),
        None => format!(" -s {}", &name[1..]),
    };
    let names: String = flag.names().map(name).collect();
    let words = flag.offer().words().join(" ");
    // In `complete`, `-x` means that a value follows which is no file; `-a` lists values to offer.
    let value = match flag.offer() {
        Offer::OneOf(_) => format!(" -x -a '{words}'"),
        Offer::Described(words) => {
            let word = |(name, about): &(&str, &str)| format!("{name}\\t\\'{about}\\'");
            let words: Vec<String> = words.iter().map(word).collect();
            format!(" -x -a '{}'", words.join(" "))
        }
        Offer::SomeOf(_) => format!(" -x -a '(__sudoku_filter_list {words})'"),
        Offer::AtFile => " -x -a '(__sudoku_filter_at_file)'".to_string(),
        Offer::Anything if flag.value().is_some() && !flag.is_optional() => " -x".to_string(),
        Offer::Anything => String::new(),
    };
    let summary = escaped(&flag.summary(), &['\\', '\'']);
    format!("complete -c sudoku-filter{names}{value} -d '{summary}'\n")
}
