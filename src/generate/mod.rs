//! The pages of `--generate`, for other programs: the man page and completions for shells. All are built from the table
//! of options in `flags.rs`.

mod bash;
mod fish;
mod man;
mod zsh;

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
}

const NAMES: [(&str, Page); 4] = [
    ("man", Page::Man),
    ("complete-bash", Page::Bash),
    ("complete-zsh", Page::Zsh),
    ("complete-fish", Page::Fish),
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

    /// Returns the text of the page.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Page::Man => man::page(),
            Page::Bash => bash::completions(),
            Page::Zsh => zsh::completions(),
            Page::Fish => fish::completions(),
        }
    }
}

/// Puts `text` in single quotes for a shell, with a backslash before each of the `special` characters.
fn quoted(text: &str, special: &[char]) -> String {
    let mut word = String::from("'");
    for letter in text.chars() {
        if special.contains(&letter) {
            word.push('\\');
        }
        word.push(letter);
    }
    word + "'"
}
