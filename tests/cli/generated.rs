//! The man page and the completions: those who are to read them accept them, and find every option there.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{Folder, PROGRAM, Run, program, run};

const PAGES: [&str; 4] = ["man", "complete-bash", "complete-zsh", "complete-fish"];

/// What `--generate` writes.
fn generated(page: &str) -> String {
    let run = run(program(&format!("--generate {page}")), b"");
    assert_eq!((run.messages.as_str(), run.status), ("", Some(0)), "{page}");
    run.text()
}

/// The options as `--help` has them: `o`, if there is a short one, and `columns`.
fn options() -> Vec<(Option<char>, String)> {
    let help = run(program("--help"), b"").text();
    let headings = help.lines().filter(|line| line.starts_with("  -"));
    let option = |heading: &str| {
        let (short, long) = heading.split_once("--").unwrap();
        let name = long.split([' ', '[']).next().unwrap();
        (short.trim().chars().nth(1), name.to_string())
    };
    headings.map(option).collect()
}

/// Runs a program on this machine, if it has it.
fn with(name: &str, arguments: &[&str]) -> Option<Run> {
    let found =
        std::env::split_paths(&std::env::var_os("PATH")?).any(|path| path.join(name).is_file());
    if !found {
        println!("skipped: no {name}");
        return None;
    }
    let mut command = Command::new(name);
    command
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .env("MANWIDTH", "80");
    Some(run(command, b""))
}

fn assert_silent(run: &Run, what: &str) {
    let said = run.text() + &run.messages;
    assert_eq!((said.as_str(), run.status), ("", Some(0)), "{what}");
}

#[test]
fn every_option_of_the_help_is_in_every_page() {
    let [man, bash, zsh, fish] = PAGES.map(generated);
    let options = options();
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
        assert!(
            words.contains(&format!("--{long}").as_str()),
            "{long}: {words:?}"
        );
        let of_zsh = [" '*'--", ",--"]
            .map(|before| ["=", "'", "}"].map(|behind| format!("{before}{long}{behind}")));
        assert!(
            of_zsh.iter().flatten().any(|option| zsh.contains(option)),
            "{long}"
        );
        assert_eq!(fish.matches(&format!(" -l {long} ")).count(), 1, "{long}");
        if let Some(short) = short {
            assert!(words.contains(&format!("-{short}").as_str()), "-{short}");
            assert!(zsh.contains(&format!("'*'{{-{short}")), "-{short}");
            assert_eq!(
                fish.matches(&format!(" -s {short} ")).count(),
                1,
                "-{short}"
            );
        }
    }
}

#[test]
fn man_and_mandoc_have_nothing_against_the_man_page() {
    let folder = Folder::new();
    let page = folder.file("sudoku-filter.1", generated("man"));
    let page = page.to_str().unwrap();
    if let Some(shown) = with(
        "man",
        &[
            "--warnings",
            "-E",
            "UTF-8",
            "-l",
            "-Tutf8",
            "-P",
            "cat",
            page,
        ],
    ) {
        assert_eq!((shown.messages.as_str(), shown.status), ("", Some(0)));
        // A bold letter is struck twice.
        let text = shown.text().replace('\u{8}', "");
        for heading in [
            "NNAAMMEE",
            "SSYYNNOOPPSSIISS",
            "EEXXIITT SSTTAATTUUSS",
            "EEXXAAMMPPLLEESS",
        ] {
            assert!(text.contains(heading), "{heading}: {text}");
        }
    }
    if let Some(lint) = with("mandoc", &["-Tlint", "-Wwarning", page]) {
        assert_silent(&lint, "mandoc");
    }
}

#[test]
fn each_shell_accepts_its_completions() {
    let folder = Folder::new();
    for name in ["bash", "zsh", "fish"] {
        let script = folder.file(name, generated(&format!("complete-{name}")));
        if let Some(run) = with(name, &["-n", script.to_str().unwrap()]) {
            assert_silent(&run, name);
        }
    }
}

/// Words before the cursor, the last of them unfinished; what bash offers.
const COMPLETIONS: &[(&str, &str)] = &[
    ("--var", "--variant"),
    ("--variant dia", "diagonal"),
    ("--variant = anti", "antiknight antiking"),
    (
        "--variant =",
        "classic diagonal window jigsaw regions disjoint asterisk center-dot girandola antiknight antiking nonconsecutive",
    ),
    ("--variant diagonal,wi", "diagonal,window"),
    ("--variant=jigsaw,wi", "--variant=jigsaw,window"),
    ("--variant diagonal,dia", ""),
    ("--variant=diagonal,window,wi", ""),
    ("--variant dia", "diagonal"),
    ("-o status,sol", "status,solution status,solutions"),
    ("-o solution,sol", "solution,solutions"),
    ("-o puzzle,can", "puzzle,canonical"),
    ("--columns h", "hint"),
    ("--select none,mu", "none,multiple"),
    ("--method b", "backtrack"),
    ("--cpu avx", "avx2 avx512"),
    ("--progress a", "auto always"),
    ("--input g", "grid"),
    ("--generate complete-b", "complete-bash"),
    ("puzzles.txt --min", "--minimize"),
    ("--all --min", "--minimize"),
    // Files, or nothing: left to bash.
    ("puz", ""),
    ("--threads 1", ""),
    ("--regions x", ""),
    ("-- --var", ""),
];

/// What bash offers for `words`, of which it is told that it will replace `replaced`; none where there is no bash.
fn offered_by_bash(folder: &Folder, words: &str, replaced: &str) -> Option<Vec<String>> {
    let complete = format!(
        "cd '{}'; source ./bash; COMP_WORDS=(sudoku-filter {words}); \
         COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _sudoku_filter sudoku-filter '{replaced}'; \
         printf '%s\n' \"${{COMPREPLY[@]}}\"",
        folder.0.display()
    );
    let run = with("bash", &["--norc", "-c", &complete])?;
    assert_eq!(run.messages, "", "{words}");
    Some(run.text().lines().map(str::to_string).collect())
}

#[test]
fn bash_completes_options_and_the_last_of_words_with_commas() {
    let folder = Folder::new();
    folder.file("bash", generated("complete-bash"));
    for (words, offered) in COMPLETIONS {
        let Some(found) = offered_by_bash(&folder, words, "") else {
            return;
        };
        assert_eq!(found.join(" "), *offered, "{words}");
    }
}

#[test]
fn bash_completes_files_behind_an_at_sign() {
    let folder = Folder::new();
    folder.file("bash", generated("complete-bash"));
    folder.file("layout.txt", "");
    folder.file("lay out", "");
    // Words as Readline cuts them, and what it will replace.
    for (words, replaced, offered) in [
        ("--regions @ layo", "@layo", "@layout.txt"),
        ("--regions =@ layo", "@layo", "@layout.txt"),
        ("--regions = @layo", "@layo", "@layout.txt"),
        (
            "--regions=@layo",
            "--regions=@layo",
            "--regions=@layout.txt",
        ),
        ("--regions @layo", "@layo", "@layout.txt"),
        ("--regions @", "@", "@bash @lay\\ out @layout.txt"),
        ("--regions =@", "@", "@bash @lay\\ out @layout.txt"),
        ("--regions @ lay", "@lay", "@lay\\ out @layout.txt"),
        ("--regions @ ..", "@..", "@../"),
        ("--regions layo", "layo", ""),
        ("@ layo", "@layo", ""),
    ] {
        let Some(mut found) = offered_by_bash(&folder, words, replaced) else {
            return;
        };
        // The order of files is the system's.
        found.sort_unstable();
        assert_eq!(found.join(" "), offered, "{words}");
    }
}

#[test]
fn fish_completes_the_same() {
    let folder = Folder::new();
    let script = folder.file("fish", generated("complete-fish"));
    folder.file("layout", "");
    for (words, offered) in [
        ("--var", "--variant"),
        ("--variant=diagonal,wi", "--variant=diagonal,window"),
        ("-o puzzle,can", "puzzle,canonical"),
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
        let Some(run) = with("fish", &["--no-config", "-c", &complete]) else {
            return;
        };
        let words_offered: Vec<String> = run
            .text()
            .lines()
            .map(|line| line.split('\t').next().unwrap().to_string())
            .collect();
        assert_eq!(
            words_offered.join(" "),
            offered,
            "{words}: {}",
            run.messages
        );
    }
}

#[test]
fn fish_describes_options_in_whole_sentences_and_their_values_each_by_itself() {
    let folder = Folder::new();
    let script = folder.file("fish", generated("complete-fish"));
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
            "grid\tpuzzles drawn over several lines\nline\tone puzzle per line, the default\n",
        ),
    ] {
        let complete = format!(
            "source '{}'; complete -C 'sudoku-filter {words}'",
            script.display()
        );
        let Some(run) = with("fish", &["--no-config", "-c", &complete]) else {
            return;
        };
        assert_eq!(
            (run.text().as_str(), run.messages.as_str()),
            (offered, ""),
            "{words}"
        );
    }
}

#[test]
fn zsh_is_given_whole_sentences_and_a_description_of_each_value() {
    let page = generated("complete-zsh");
    for part in [
        "'*'--extra='[Extra groups of cells\\: one symbol per cell, . for cells without a group]",
        "'*'--method='[The solving method]:NAME:((lanes\\:\"many puzzles at a time, the default\" ",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn of_two_pages_the_last_is_written() {
    let run = run(program("--generate man --generate complete-fish"), b"");
    assert_eq!(run.text(), generated("complete-fish"));
    assert_eq!((run.messages.as_str(), run.status), ("", Some(0)));
}

#[test]
fn a_page_of_no_known_name_is_a_usage_error() {
    let run = run(program("--generate html"), b"");
    assert_eq!(run.status, Some(2));
    assert!(run.messages.starts_with(
        "sudoku-filter: --generate html: expected one of man, complete-bash, complete-zsh, complete-fish\n"
    ));
}

/// All files below a folder, by their paths in it.
fn files_below(folder: &Path, inside: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{inside}{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => files_below(&entry.path(), &format!("{path}/"), files),
            false => files.push(path),
        }
    }
}

#[test]
fn make_install_puts_program_and_pages_in_place_and_uninstall_takes_them_away() {
    if with("make", &["--version"]).is_none() {
        return;
    }
    let folder = Folder::new();
    let make = |target: &str| {
        let mut command = Command::new("make");
        command.args(["-s", "-C", env!("CARGO_MANIFEST_DIR"), target]);
        command.arg(format!("program={PROGRAM}"));
        command.arg(format!("DESTDIR={}", folder.0.display()));
        command.arg("PREFIX=/opt/x");
        // Those of a make that runs the tests are not meant for this one.
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
    assert_eq!(page, generated("man"));
    let installed = fs::read(folder.0.join("opt/x/bin/sudoku-filter")).unwrap();
    assert!(installed == fs::read(PROGRAM).unwrap(), "another program");
    assert_eq!(make("uninstall"), [kept]);
}
