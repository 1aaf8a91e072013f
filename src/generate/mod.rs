//! Pages for other programs to read: the man page, and what completes options in shells. All from the table of options.

mod bash;
mod fish;
mod man;
mod zsh;

/// What `--generate` may write.
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

/// What the pages are called.
#[must_use]
pub fn names() -> Vec<&'static str> {
    NAMES.iter().map(|(name, _)| *name).collect()
}

impl Page {
    /// The page of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Page> {
        let known = NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, page)| *page)
    }

    /// What is written.
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

/// `text` as one word of a shell in which only `special` mean something between single quotes: a backslash goes before.
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
