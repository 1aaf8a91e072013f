//! `--generate` and `make install`: man, mandoc and the shells accept the pages, and every option
//! is in them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{Folder, PROGRAM, Run, program, run};
use crate::skip::is_installed;

const PAGES: [&str; 4] = ["man", "complete-bash", "complete-zsh", "complete-fish"];

/// Returns the page that `--generate` writes.
fn generate_page(page: &str) -> String {
    let run = run(program(&format!("--generate {page}")), b"");
    assert_eq!((run.messages.as_str(), run.status), ("", Some(0)), "{page}");
    run.text()
}

/// Returns the short and long names of all options of `--help`, as `(Some('o'), "columns")`.
fn options_of_help() -> Vec<(Option<char>, String)> {
    let help = run(program("--help"), b"").text();
    let headings = help.lines().filter(|line| line.starts_with("  -"));
    let option = |heading: &str| {
        let (short, long) = heading.split_once("--").unwrap();
        let name = long.split([' ', '[']).next().unwrap();
        (short.trim().chars().nth(1), name.to_string())
    };
    headings.map(option).collect()
}

/// Runs a program. Skips if it is not installed.
fn run_if_installed(name: &str, arguments: &[&str]) -> Option<Run> {
    if !is_installed(name) {
        return None;
    }
    let mut command = Command::new(name);
    command.args(arguments).env("LC_ALL", "C.UTF-8").env("MANWIDTH", "80");
    Some(run(command, b""))
}

fn assert_silent(run: &Run, what: &str) {
    let printed = run.text() + &run.messages;
    assert_eq!((printed.as_str(), run.status), ("", Some(0)), "{what}");
}

#[test]
fn every_option_of_the_help_is_in_every_page() {
    let [man, bash, zsh, fish] = PAGES.map(generate_page);
    let options = options_of_help();
    assert!(options.len() > 30, "{options:?}");
    for (short, long) in options {
        let dashed = long.replace('-', "\\-");
        let heading = match short {
            Some(short) => format!(".TP\n\\fB\\-{short}\\fR, \\fB\\-\\-{dashed}\\fR"),
            None => format!(".TP\n\\fB\\-\\-{dashed}\\fR"),
        };
        assert_eq!(man.matches(&heading).count(), 1, "{heading}");
        let last = bash.rsplit("words=").next().unwrap();
        let words: Vec<&str> = last.split(['"', ' ', '\n']).collect();
        assert!(words.contains(&format!("--{long}").as_str()), "{long}: {words:?}");
        let of_zsh = [" '*'--", ",--"]
            .map(|before| ["=", "'", "}"].map(|behind| format!("{before}{long}{behind}")));
        assert!(of_zsh.iter().flatten().any(|option| zsh.contains(option)), "{long}");
        assert_eq!(fish.matches(&format!(" -l {long} ")).count(), 1, "{long}");
        if let Some(short) = short {
            assert!(words.contains(&format!("-{short}").as_str()), "-{short}");
            assert!(zsh.contains(&format!("'*'{{-{short}")), "-{short}");
            assert_eq!(fish.matches(&format!(" -s {short} ")).count(), 1, "-{short}");
        }
    }
}

#[test]
fn man_and_mandoc_accept_the_man_page() {
    let folder = Folder::new();
    let page = folder.file("sudoku-filter.1", generate_page("man"));
    let page = page.to_str().unwrap();
    if let Some(shown) =
        run_if_installed("man", &["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-P", "cat", page])
    {
        assert_eq!((shown.messages.as_str(), shown.status), ("", Some(0)));
        // man prints a bold letter as the letter, a backspace and the letter again.
        let text = shown.text().replace('\u{8}', "");
        for heading in ["NNAAMMEE", "SSYYNNOOPPSSIISS", "EEXXIITT SSTTAATTUUSS", "EEXXAAMMPPLLEESS"]
        {
            assert!(text.contains(heading), "{heading}: {text}");
        }
    }
    if let Some(lint) = run_if_installed("mandoc", &["-Tlint", "-Wwarning", page]) {
        assert_silent(&lint, "mandoc");
    }
}

#[test]
fn each_shell_accepts_its_completions() {
    let folder = Folder::new();
    for name in ["bash", "zsh", "fish"] {
        let script = folder.file(name, generate_page(&format!("complete-{name}")));
        if let Some(run) = run_if_installed(name, &["-n", script.to_str().unwrap()]) {
            assert_silent(&run, name);
        }
    }
}

/// Words before the cursor (the last is unfinished), and the completions that bash offers.
const COMPLETIONS: &[(&str, &str)] = &[
    ("--var", "--variant"),
    ("--variant dia", "diagonal"),
    ("--variant = anti", "antiknight antiking"),
    (
        "--variant =",
        "classic diagonal window jigsaw regions disjoint asterisk center-dot girandola antiknight antiking nonconsecutive killer",
    ),
    ("--variant diagonal,wi", "diagonal,window"),
    ("--variant=jigsaw,wi", "--variant=jigsaw,window"),
    ("--variant diagonal,dia", ""),
    ("--variant=diagonal,window,wi", ""),
    ("--variant dia", "diagonal"),
    ("-o status,sol", "status,solution status,solutions"),
    ("-o solution,sol", "solution,solutions"),
    ("-o puzzle,cano", "puzzle,canonical"),
    ("--columns hi", "hint"),
    ("--select none,mu", "none,multiple"),
    ("--method b", "backtrack"),
    ("--cpu avx", "avx2 avx512"),
    ("--progress a", "auto always"),
    ("--input g", "grid"),
    ("--generate complete-b", "complete-bash"),
    ("puzzles.txt --min", "--minimize"),
    ("--all --min", "--minimize"),
    // The script offers nothing here and leaves file names to bash.
    ("puz", ""),
    ("--threads 1", ""),
    ("--regions x", ""),
    ("-- --var", ""),
];

/// Returns the completions that bash offers for `words`, or `None` if bash is not installed. The
/// shell passes `current_word` to the function as its second argument.
fn bash_completions(folder: &Folder, words: &str, current_word: &str) -> Option<Vec<String>> {
    let complete = format!(
        "cd '{}'; source ./bash; COMP_WORDS=(sudoku-filter {words}); \
         COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _sudoku_filter sudoku-filter '{current_word}'; \
         printf '%s\n' \"${{COMPREPLY[@]}}\"",
        folder.0.display()
    );
    let run = run_if_installed("bash", &["--norc", "-c", &complete])?;
    assert_eq!(run.messages, "", "{words}");
    Some(run.text().lines().map(str::to_string).collect())
}

#[test]
fn bash_completes_options_and_the_last_word_of_a_list() {
    let folder = Folder::new();
    folder.file("bash", generate_page("complete-bash"));
    for (words, offered) in COMPLETIONS {
        let Some(found) = bash_completions(&folder, words, "") else {
            return;
        };
        assert_eq!(found.join(" "), *offered, "{words}");
    }
}

#[test]
fn bash_completes_file_names_after_an_at_sign() {
    let folder = Folder::new();
    folder.file("bash", generate_page("complete-bash"));
    folder.file("layout.txt", "");
    folder.file("lay out", "");
    // Words as Readline splits them, the word that it replaces, and the completions.
    for (words, current_word, offered) in [
        ("--regions @ layo", "@layo", "@layout.txt"),
        ("--regions =@ layo", "@layo", "@layout.txt"),
        ("--regions = @layo", "@layo", "@layout.txt"),
        ("--regions=@layo", "--regions=@layo", "--regions=@layout.txt"),
        ("--regions @layo", "@layo", "@layout.txt"),
        ("--regions @", "@", "@bash @lay\\ out @layout.txt"),
        ("--regions =@", "@", "@bash @lay\\ out @layout.txt"),
        ("--regions @ lay", "@lay", "@lay\\ out @layout.txt"),
        ("--regions @ ..", "@..", "@../"),
        ("--regions layo", "layo", ""),
        ("@ layo", "@layo", ""),
    ] {
        let Some(mut found) = bash_completions(&folder, words, current_word) else {
            return;
        };
        // The file system decides the order of files.
        found.sort_unstable();
        assert_eq!(found.join(" "), offered, "{words}");
    }
}

#[test]
fn fish_completes_options_lists_and_file_names() {
    let folder = Folder::new();
    let script = folder.file("fish", generate_page("complete-fish"));
    folder.file("layout", "");
    for (words, offered) in [
        ("--var", "--variant"),
        ("--variant=diagonal,wi", "--variant=diagonal,window"),
        ("-o puzzle,cano", "puzzle,canonical"),
        ("--method b", "backtrack"),
        ("--regions @lay", "@layout"),
        ("lay", "layout"),
        ("--variant diagonal,dia", ""),
    ] {
        let complete = format!(
            "cd '{}'; source '{}'; complete -C 'sudoku-filter {words}'",
            folder.0.display(),
            script.display()
        );
        let Some(run) = run_if_installed("fish", &["--no-config", "-c", &complete]) else {
            return;
        };
        let found: Vec<String> =
            run.text().lines().map(|line| line.split('\t').next().unwrap().to_string()).collect();
        assert_eq!(found.join(" "), offered, "{words}: {}", run.messages);
    }
}

#[test]
fn fish_describes_options_and_values() {
    let folder = Folder::new();
    let script = folder.file("fish", generate_page("complete-fish"));
    for (words, offered) in [
        (
            "--ext",
            "--extra\tExtra groups of cells: one symbol per cell, . for cells without a group\n",
        ),
        ("--meth", "--method\tThe solving method\n"),
        (
            "--method ",
            "backtrack\ta simple search, cell by cell\n\
             lanes\tmany puzzles at a time, the default\n\
             pencil\tthe techniques of a person\n",
        ),
        (
            "--input ",
            "auto\tas the first lines say, the default\ncsv\tCSV with a header\n\
             grid\tpuzzles drawn over several lines\njson\tJSON objects\nlines\tone puzzle per line\n\
             pencilmarks\t64 symbols are the pencilmarks of a 4x4\n",
        ),
    ] {
        let complete =
            format!("source '{}'; complete -C 'sudoku-filter {words}'", script.display());
        let Some(run) = run_if_installed("fish", &["--no-config", "-c", &complete]) else {
            return;
        };
        assert_eq!((run.text().as_str(), run.messages.as_str()), (offered, ""), "{words}");
    }
}

#[test]
fn zsh_describes_options_and_values() {
    let page = generate_page("complete-zsh");
    for part in [
        "'*'--extra='[Extra groups of cells\\: one symbol per cell, . for cells without a group]",
        "'*'--method='[The solving method]:NAME:((lanes\\:\"many puzzles at a time, the default\" ",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn an_unknown_page_is_a_usage_error() {
    let run = run(program("--generate html"), b"");
    assert_eq!(run.status, Some(2));
    assert!(run.messages.starts_with(
        "sudoku-filter: --generate html: expected one of man, complete-bash, complete-zsh, complete-fish\n"
    ));
}

/// Collects the paths of all files below `folder`, each with `prefix` before it.
fn files_below(folder: &Path, prefix: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            files_below(&entry.path(), &format!("{path}/"), files)
        } else {
            files.push(path)
        }
    }
}

#[test]
fn make_install_copies_program_and_pages_and_make_uninstall_removes_them() {
    if !is_installed("make") {
        return;
    }
    let folder = Folder::new();
    let make = |target: &str| {
        let mut command = Command::new("make");
        command.args(["-s", "-C", env!("CARGO_MANIFEST_DIR"), target]);
        command.arg(format!("program={}", PROGRAM.display()));
        command.arg(format!("DESTDIR={}", folder.0.display()));
        command.arg("PREFIX=/opt/x");
        // The flags of a make that runs the tests must not reach this one.
        command.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
        assert_silent(&run(command, b""), target);
        let mut files = Vec::new();
        files_below(&folder.0, "", &mut files);
        files.sort();
        files
    };
    let kept = "opt/x/share/man/man1/other.1";
    fs::create_dir_all(folder.0.join("opt/x/share/man/man1")).unwrap();
    folder.file(kept, "");
    assert_eq!(
        make("install"),
        [
            "opt/x/bin/sudoku-filter",
            "opt/x/share/bash-completion/completions/sudoku-filter",
            "opt/x/share/fish/vendor_completions.d/sudoku-filter.fish",
            kept,
            "opt/x/share/man/man1/sudoku-filter.1",
            "opt/x/share/zsh/site-functions/_sudoku-filter",
        ]
    );
    let page = fs::read_to_string(folder.0.join("opt/x/share/man/man1/sudoku-filter.1")).unwrap();
    assert_eq!(page, generate_page("man"));
    let installed = fs::read(folder.0.join("opt/x/bin/sudoku-filter")).unwrap();
    assert!(installed == fs::read(&*PROGRAM).unwrap(), "another program");
    assert_eq!(make("uninstall"), [kept]);
}
