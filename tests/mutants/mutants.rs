//! Plants the faults of `faults.txt`, one at a time, in a copy of the project, and tells which of them the tests notice.
//! `make mutants`; with words on the command line only faults whose names hold one of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

struct Fault {
    name: String,
    file: String,
    old: String,
    new: String,
}

/// The quick ones first: at the first that fails the fault is noticed.
const SUITES: [&[&str]; 13] = [
    &["--lib"],
    &["--test", "cli"],
    &["--test", "faults"],
    &["--test", "known"],
    &["--test", "seeds"],
    &["--test", "solutions"],
    &["--test", "pencil"],
    &["--test", "variants"],
    &["--test", "canonical"],
    &["--test", "agreement"],
    &["--test", "data"],
    &["--test", "levels"],
    &["--test", "proof"],
];

/// Seconds after which a suite hangs, and so has noticed.
const TOO_LONG: &str = "400";

fn faults() -> Vec<Fault> {
    let text = include_str!("faults.txt");
    let parts = text.split("\n== ").skip(1);
    let fault = |part: &str| {
        let (name, rest) = part.split_once('\n')?;
        let (file, rest) = rest.split_once("\n- ")?;
        let (old, new) = rest.split_once("\n+ ")?;
        let [name, file, old, new] = [name, file, old.trim(), new.trim()].map(str::to_string);
        Some(Fault {
            name,
            file,
            old,
            new,
        })
    };
    parts
        .map(|part| fault(part).unwrap_or_else(|| panic!("not a fault: {part}")))
        .collect()
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}

/// The suite that notices, if one does; `None` too where it does not compile, which is said.
fn noticed_by(project: &Path, target: &Path) -> Result<Option<String>, String> {
    let cargo = |arguments: &[&str], more: &[&str]| {
        let mut command = Command::new("timeout");
        command
            .args([TOO_LONG, "cargo", "test", "--locked", "--quiet"])
            .args(arguments)
            .args(more);
        command
            .current_dir(project)
            .env("CARGO_TARGET_DIR", target)
            .env("PROVE", "4000");
        command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .stdin(Stdio::null());
        command.output().unwrap()
    };
    for suite in SUITES {
        let built = cargo(suite, &["--no-run"]);
        if !built.status.success() {
            return Err(String::from_utf8_lossy(&built.stderr).into_owned());
        }
        if !cargo(suite, &[]).status.success() {
            return Ok(Some(suite.join(" ")));
        }
    }
    Ok(None)
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or(root.join("target"), PathBuf::from)
        .join("mutants");
    let project = target.join("project");
    let _ = fs::remove_dir_all(&project);
    for part in [
        "src",
        "tests",
        "data",
        "README.md",
        "Makefile",
        "Cargo.toml",
        "Cargo.lock",
    ] {
        fs::create_dir_all(&project).unwrap();
        copy(&root.join(part), &project.join(part));
    }
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let faults = faults();
    // All of them before the first is tried: a list that no longer fits is an error.
    for fault in &faults {
        let text = fs::read_to_string(root.join(&fault.file)).unwrap();
        let found = text.matches(&fault.old).count();
        assert_eq!(
            found, 1,
            "{}: its text is {found} times in {}:\n{}",
            fault.name, fault.file, fault.old
        );
        assert_ne!(fault.old, fault.new, "{}", fault.name);
    }
    match noticed_by(&project, &target) {
        Ok(None) => {}
        other => panic!("without any fault: {other:?}"),
    }
    let chosen = faults
        .iter()
        .filter(|fault| wanted.is_empty() || wanted.iter().any(|word| fault.name.contains(word)));
    let (mut caught, mut all) = (0, 0);
    for fault in chosen {
        let begin = Instant::now();
        let file = project.join(&fault.file);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace(&fault.old, &fault.new)).unwrap();
        let noticed = noticed_by(&project, &target);
        fs::write(&file, text).unwrap();
        let took = begin.elapsed().as_secs();
        all += 1;
        match noticed {
            Ok(Some(suite)) => {
                caught += 1;
                println!("noticed by {suite}: {} ({took} s)", fault.name);
            }
            Ok(None) => println!("ESCAPED: {} ({took} s)", fault.name),
            Err(reason) => panic!("{} does not compile:\n{reason}", fault.name),
        }
    }
    println!("{caught} of {all} faults noticed");
    ExitCode::from(u8::from(caught < all))
}
