//! The names of the pages that `--generate` prints for other programs. `man.rs`, `bash.rs`, `zsh.rs`, `fish.rs` and
//! `powershell.rs` write them from the table of options in `flags.rs`.

/// A page that `--generate` can print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The man page, in roff.
    Man,
    /// Completions for bash.
    Bash,
    /// Completions for zsh.
    Zsh,
    /// Completions for fish.
    Fish,
    /// Completions for PowerShell.
    PowerShell,
}

const NAMES: [(&str, Page); 5] = [
    ("man", Page::Man),
    ("complete-bash", Page::Bash),
    ("complete-zsh", Page::Zsh),
    ("complete-fish", Page::Fish),
    ("complete-powershell", Page::PowerShell),
];

/// Returns the names of all pages.
#[must_use]
pub fn names() -> Vec<&'static str> {
    NAMES.iter().map(|(name, _)| *name).collect()
}

impl Page {
    /// Returns the page with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Page> {
        let known = NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, page)| *page)
    }
}

/// Puts `text` in single quotes for a shell, with a backslash before each of the `special` characters.
pub fn quoted(text: &str, special: &[char]) -> String {
    let mut word = String::from("'");
    for letter in text.chars() {
        if special.contains(&letter) {
            word.push('\\');
        }
        word.push(letter);
    }
    word + "'"
}
