//! Writes the pages of the program from the table of options in `flags.rs`.

use super::page::Page;
use super::{bash, fish, help, man, version, zsh};

pub fn text_of(page: Page) -> String {
    match page {
        Page::Tasks => help::brief_help(),
        Page::Help => help::full_help(),
        Page::Version => version::brief(),
        Page::FullVersion => version::full(),
        Page::Man => man::page(),
        Page::Bash => bash::completions(),
        Page::Zsh => zsh::completions(),
        Page::Fish => fish::completions(),
    }
}
