//! Completions for fish: a script with one `complete` command per option.

use super::flags;
use super::flags::{Flag, Offer};
use super::page::quoted;

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

/// Returns the script.
pub fn completions() -> String {
    let mut script = BEGIN.to_string();
    script.extend(flags::all().map(option));
    script
}

/// Returns the `complete` command of an option.
fn option(flag: &Flag) -> String {
    let short = flag
        .short
        .map_or(String::new(), |short| format!(" -s {short}"));
    let value = match flag.offer {
        Offer::Word(words) => format!(" -x -a '{}'", words().join(" ")),
        Offer::Described(words) => {
            let word = |(name, about): &(&str, &str)| format!("{name}\\t\\'{about}\\'");
            let words: Vec<String> = words.iter().map(word).collect();
            format!(" -x -a '{}'", words.join(" "))
        }
        Offer::Words(words) => format!(" -x -a '(__sudoku_filter_list {})'", words().join(" ")),
        Offer::AtFile => " -x -a '(__sudoku_filter_at_file)'".to_string(),
        Offer::Nothing if flag.value.is_some() && !flag.optional => " -x".to_string(),
        Offer::Nothing => String::new(),
    };
    let summary = quoted(&flag.summary(), &['\\', '\'']);
    format!(
        "complete -c sudoku-filter{short} -l {}{value} -d {summary}\n",
        flag.long
    )
}
