//! Runs the transcripts of README and of the pages in the folders, compares their output with what
//! the pages show, and follows their links.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::run::{Folder, PROGRAM, run, shell};
use crate::skip::{is_available, is_installed, skip_for_machine};

/// A page: its path from the folder of the project, and its text.
type Page = (&'static str, &'static str);

const PAGES: &[Page] = &[
    ("README.md", include_str!("../../README.md")),
    ("data/README.md", include_str!("../../data/README.md")),
    ("data/answers.md", include_str!("../../data/answers.md")),
    ("data/app.md", include_str!("../../data/app.md")),
    ("data/collection.md", include_str!("../../data/collection.md")),
    ("data/columns.md", include_str!("../../data/columns.md")),
    ("data/constraints.md", include_str!("../../data/constraints.md")),
    ("data/data-set.md", include_str!("../../data/data-set.md")),
    ("data/forms.md", include_str!("../../data/forms.md")),
    ("data/magazine.md", include_str!("../../data/magazine.md")),
    ("data/notations.md", include_str!("../../data/notations.md")),
    ("data/techniques.md", include_str!("../../data/techniques.md")),
    ("data/variants.md", include_str!("../../data/variants.md")),
    ("src/README.md", include_str!("../../src/README.md")),
    ("tests/README.md", include_str!("../README.md")),
    ("tests/covered.md", include_str!("../covered.md")),
    ("tests/bench/README.md", include_str!("../bench/README.md")),
    ("tests/scale/README.md", include_str!("../scale/README.md")),
];

/// One command of a transcript, and the output below it.
struct Step {
    command: String,
    shown: String,
}

/// A command that ends with `|` goes on with the next line.
fn steps(transcript: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in transcript.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.to_string(), shown: String::new() });
            }
            (None, Some(step)) if step.command.ends_with('|') => {
                step.command += &format!("\n{line}");
            }
            (None, Some(step)) => step.shown += &format!("{line}\n"),
            (None, None) => panic!("a transcript begins with a command: {line}"),
        }
    }
    steps
}

/// Returns whether the programs and packages that a command needs are installed.
fn can_run(command: &str) -> bool {
    match command.split(' ').next() {
        Some(program @ ("sgt-solo" | "make")) => is_installed(program),
        Some("python3") => is_available("python3") && has_numpy(),
        _ => true,
    }
}

fn has_numpy() -> bool {
    let is_here = run(shell("python3 -c 'import numpy'"), b"").status == Some(0);
    if !is_here {
        skip_for_machine("the Python package numpy is not installed");
    }
    is_here
}

/// Returns a `PATH` that begins with a folder with the program, for scripts that run it.
fn path_with_the_program(folder: &Folder) -> OsString {
    let bin = folder.0.join("bin");
    fs::create_dir(&bin).unwrap();
    symlink(&*PROGRAM, bin.join("sudoku-filter")).unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path))).unwrap()
}

/// Runs the transcripts of a page, in one folder, because later ones use files of earlier ones.
/// Returns their number.
fn check_transcripts(page: &str) -> usize {
    let transcripts: Vec<&str> =
        page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let folder = Folder::new();
    let path = path_with_the_program(&folder);
    for transcript in &transcripts {
        let mut status = String::new();
        for Step { command, shown } in steps(transcript) {
            // Later commands of the transcript can need its files.
            if !can_run(&command) {
                break;
            }
            if let Some(file) = command.strip_prefix("cat ") {
                folder.file(file, &shown);
            } else if command == "echo $?" {
                assert_eq!(shown.trim(), status, "{transcript}");
            } else {
                let mut line = shell(&command);
                line.current_dir(&folder.0).env("PATH", &path);
                // The flags of a make that runs the tests must not reach this one.
                line.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
                let run = run(line, b"");
                assert_eq!(run.text() + &run.messages, shown, "{command}");
                status = run.status.map_or(String::new(), |status| status.to_string());
            }
        }
    }
    transcripts.len()
}

/// Returns the lines of the task lists of README: a sentence, then a command, again and again.
fn lines_of_tasks(page: &str) -> Vec<&str> {
    let section = page.split("\n## Common tasks\n").nth(1).and_then(|it| it.split("\n## ").next());
    let blocks = section.unwrap().split("```sh\n").skip(1);
    blocks.flat_map(|block| block.split("```").next().unwrap().lines()).collect()
}

/// A puzzle of the class `hard` with fewer than 27 givens.
const HARD: &str =
    "...29.....43.78...6.......7.52...4...6.5.9.2...4...19.2.......1...91.36.....27...\n";

/// Files of the task lists that the transcripts of README do not show.
const FILES: [(&str, &str); 4] = [
    ("kaggle.csv", "quizzes,solutions\n1.....3..2.....4,1342243142133124\n"),
    ("model.csv", "puzzle,answer\n1.....3..2.....4,\"Here:\n1342\n2431\n4213\n3124\"\n"),
    (
        "chats.jsonl",
        r#"{"prompt":"Solve:\n1 . . .\n. . 3 .\n. 2 . .\n. . . 4","answer":"1342\n2431\n4213\n3124"}"#,
    ),
    ("templates.txt", "................ 1112133243324442\n"),
];

#[test]
fn every_command_of_the_tasks_works() {
    let page = PAGES[0].1;
    let folder = Folder::new();
    for transcript in page.split("```console\n").skip(1) {
        for Step { command, shown } in steps(transcript.split("```").next().unwrap()) {
            if let Some(file) = command.strip_prefix("cat ") {
                let more = if file == "puzzles.txt" { HARD } else { "" };
                folder.file(file, shown + more);
            }
        }
    }
    FILES.iter().for_each(|(name, text)| _ = folder.file(name, text));
    let path = path_with_the_program(&folder);
    let tasks = lines_of_tasks(page);
    assert!(tasks.len() > 40, "{tasks:?}");
    for task in tasks.chunks(2) {
        let [sentence, command] = task else { panic!("{task:?}") };
        assert!(sentence.starts_with("# ") && sentence.ends_with(['.', '?']), "{sentence}");
        let wide = task.iter().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "wider than a terminal");
        let mut line = shell(command);
        line.current_dir(&folder.0).env("PATH", &path);
        let run = run(line, b"");
        assert!(matches!(run.status, Some(0 | 1)), "{command}\n{}", run.messages);
        let written = command
            .split(" > ")
            .nth(1)
            .map(|file| fs::metadata(folder.0.join(file)).unwrap().len());
        let length = written.unwrap_or(run.text().len() as u64);
        assert!(length > 0, "{command}\n{}", run.messages);
    }
}

#[test]
fn every_transcript_of_a_page_is_the_real_output() {
    let count = |&(_, text): &Page| check_transcripts(text);
    let counts: Vec<usize> = PAGES.iter().map(count).collect();
    assert!(counts[0] >= 2 && counts.iter().sum::<usize>() >= 40, "{counts:?}");
}

/// Returns the text without its code blocks.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

/// Returns the anchors of the headings: lower case, `-` for a blank, no punctuation.
fn anchors(page: &str) -> Vec<String> {
    let prose = prose(page);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.replace(' ', "-");
        kept.replace(|c: char| !c.is_alphanumeric() && c != '-', "")
    };
    headings.map(anchor).collect()
}

/// Returns the targets of the links.
fn links(page: &str) -> Vec<String> {
    let prose = prose(page);
    let ends = prose.split("](").skip(1);
    ends.filter_map(|end| end.split(')').next()).map(str::to_string).collect()
}

#[test]
fn every_link_of_a_page_leads_to_a_file_and_a_heading() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, text) in PAGES {
        for link in links(text) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => root.join(path),
                _ => root.join(path).parent().unwrap().join(file),
            };
            assert!(target.is_file(), "{path}: {link}");
            if !anchor.is_empty() {
                let headings = anchors(&fs::read_to_string(&target).unwrap());
                assert!(headings.iter().any(|it| it == anchor), "{path}: {link}");
            }
        }
    }
}

#[test]
fn the_readme_is_short() {
    assert!(PAGES[0].1.lines().count() < 280);
}

#[test]
fn a_page_about_data_or_for_contributors_is_read_in_five_minutes() {
    let is_short = |path: &str| path.starts_with("data/") || path == "tests/README.md";
    for (path, text) in PAGES.iter().filter(|(path, _)| is_short(path)) {
        assert!(text.len() <= 16_500, "{path}: {} bytes", text.len());
    }
}

#[test]
fn every_page_about_data_is_in_its_index_and_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let index = PAGES[1].1;
    for entry in fs::read_dir(root.join("data")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") && name != "README.md" {
            assert!(PAGES.iter().any(|(path, _)| *path == format!("data/{name}")), "{name}");
            assert!(links(index).iter().any(|link| link.starts_with(&name)), "{name}");
        }
    }
}

/// Returns true if a word in code type names something of the source: it has a `_`, or two capital
/// letters of which the first begins it (`CamelCase`, `CONSTANT`).
fn is_name_of_code(word: &str) -> bool {
    let capitals = word.chars().filter(char::is_ascii_uppercase).count();
    word.contains('_') || (word.starts_with(|c: char| c.is_ascii_uppercase()) && capitals > 1)
}

/// Appends the paths and the text of all Rust files in a folder and the folders in it.
fn append_sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        *text += &format!("{} ", path.display());
        if path.is_dir() {
            append_sources(&path, text);
        } else if path.extension().is_some_and(|it| it == "rs") {
            *text += &fs::read_to_string(&path).unwrap();
        }
    }
}

#[test]
fn every_name_of_code_in_a_page_about_the_source_is_in_the_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = fs::read_to_string(root.join("Makefile")).unwrap();
    append_sources(&root.join("src"), &mut sources);
    append_sources(&root.join("tests"), &mut sources);
    let is_part_of_no_word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let known: HashSet<&str> = sources.split(is_part_of_no_word).collect();
    let is_about_source =
        |path: &str| ["src/README.md", "tests/README.md", "tests/covered.md"].contains(&path);
    for (path, text) in PAGES.iter().filter(|(path, _)| is_about_source(path)) {
        let prose = prose(text);
        for code in prose.split('`').skip(1).step_by(2) {
            // In paths, TARGET stands for the name of a fuzz target.
            let words = code.split(is_part_of_no_word).filter(|word| *word != "TARGET");
            for word in words.filter(|word| is_name_of_code(word)) {
                assert!(known.contains(word), "{path}: `{code}`: {word} is not in the source");
            }
        }
    }
}

/// Appends the paths of all files and folders in a folder, whose own path is `path`. A path begins
/// with `/`, and that of a folder ends with it.
fn append_paths(folder: &Path, path: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if !entry.path().is_dir() {
            paths.push(format!("{path}{name}"));
        } else if name != "target" && name != ".git" {
            let inner = format!("{path}{name}/");
            append_paths(&entry.path(), &inner, paths);
            paths.push(inner);
        }
    }
}

fn paths_of_the_project() -> Vec<String> {
    let mut paths = Vec::new();
    append_paths(Path::new(env!("CARGO_MANIFEST_DIR")), "/", &mut paths);
    paths
}

/// Returns true if a path of the project is this one, or ends with it.
fn is_path(paths: &[String], word: &str) -> bool {
    let ends = [format!("/{word}"), format!("/{word}/")];
    paths.iter().any(|path| ends.iter().any(|end| path.ends_with(end)))
}

/// Returns the path that a word in code type names, up to a part that stands for any name.
/// `None` for other words: files of a user are `NAME.txt`, and numbers are separated by `/` too.
fn path_named_by(word: &str) -> Option<&str> {
    const ENDINGS: [&str; 8] = [".rs", ".md", ".toml", ".lock", ".sh", ".py", ".tsv", ".svg"];
    let word = word.trim_matches([',', ';', ':', '(', ')']);
    let any = ["*", "TARGET"].iter().filter_map(|any| word.find(any)).min();
    let known = &word[..any.unwrap_or(word.len())];
    let is_of_a_path = |c: char| c.is_ascii_lowercase() || "_-./".contains(c);
    let is_in_a_folder = word.contains('/') && known.chars().all(is_of_a_path);
    let is_elsewhere = known.is_empty()
        || ["/", "-", "./", "target/"].iter().any(|start| known.starts_with(start));
    let is_named =
        is_in_a_folder || any.is_none() && ENDINGS.iter().any(|end| known.ends_with(end));
    (is_named && !is_elsewhere).then_some(known)
}

#[test]
fn words_that_name_a_path_are_recognised() {
    for (word, path) in [
        ("cell_branches.rs", Some("cell_branches.rs")),
        ("src/engine/simd/avx2.rs,", Some("src/engine/simd/avx2.rs")),
        ("bench/peers/", Some("bench/peers/")),
        (".ci/run", Some(".ci/run")),
        ("fuzz/targets/TARGET.rs", Some("fuzz/targets/")),
        ("*.rs", None),
        ("/dev/full", None),
        ("target/fuzz/out/", None),
        ("sudoku/9/9/", None),
        ("puzzles.txt", None),
    ] {
        assert_eq!(path_named_by(word), path, "{word}");
    }
}

#[test]
fn every_path_in_a_page_exists() {
    let paths = paths_of_the_project();
    let mut count = 0;
    for (page, text) in PAGES {
        let prose = prose(text);
        let words = prose.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
        for path in words.filter_map(path_named_by) {
            assert!(is_path(&paths, path), "{page}: {path} does not exist");
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

/// `NAME` in `FILE.rs`, or `NAME` (`FILE.rs`).
#[test]
fn a_file_that_a_page_names_after_a_name_of_code_has_that_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let paths = paths_of_the_project();
    let mut count = 0;
    for (page, text) in PAGES {
        let prose = prose(text);
        // Code and the text between take turns.
        let parts: Vec<&str> = prose.split('`').collect();
        for part in parts[1..].windows(3).step_by(2) {
            let [name, between, file] = part else { unreachable!() };
            if !file.ends_with(".rs") || !["in", "("].contains(&between.trim()) {
                continue;
            }
            let word = name.rsplit("::").next().unwrap();
            let files = paths.iter().filter(|path| path.ends_with(&format!("/{file}")));
            let texts = files.map(|path| fs::read_to_string(root.join(&path[1..])).unwrap());
            let is_part_of_no_word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
            let has_word = |text: String| text.split(is_part_of_no_word).any(|it| it == word);
            if !file.contains("TARGET") {
                assert!(texts.into_iter().any(has_word), "{page}: `{name}` is not in `{file}`");
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

/// Returns the names of files and folders on the map in src/main.rs.
fn names_on_the_map() -> Vec<&'static str> {
    let map = include_str!("../../src/main.rs").split("```").nth(1).unwrap();
    let is_separator = |c: char| c.is_whitespace() || ",;:()".contains(c);
    let words = map.lines().flat_map(|line| line.trim_start_matches("//!").split(is_separator));
    words.filter(|word| word.ends_with(".rs") || word.ends_with('/')).collect()
}

#[test]
fn the_map_of_the_source_names_every_file_and_no_other() {
    let paths = paths_of_the_project();
    let names = names_on_the_map();
    for name in &names {
        assert!(is_path(&paths, name), "{name} is on the map, but does not exist");
    }
    let count = |items: &[&str], name: &str| items.iter().filter(|item| **item == name).count();
    let sources: Vec<&str> = paths
        .iter()
        .filter(|path| path.starts_with("/src/") && (path.ends_with(".rs") || path.ends_with('/')))
        .map(|path| path.split_inclusive('/').next_back().unwrap())
        .collect();
    // The entry of a folder stands for its first file, the tests of a file for themselves.
    let is_on_no_map =
        |name: &str| ["mod.rs", "lib.rs", "main.rs", "tests.rs", "src/"].contains(&name);
    for name in sources.iter().filter(|name| !is_on_no_map(name)) {
        let (on_map, needed) = (count(&names, name), count(&sources, name));
        assert!(on_map >= needed, "{name} is {on_map} times on the map, {needed} times in src");
    }
}
