//! Plants the faults of `faults.txt` in a copy of the project and prints which of them the tests
//! notice. One build holds all faults. Each fault runs against the suites that call its function,
//! the most likely first, until a test fails.
//!
//! `make mutants MUTANTS="word word"` tries only faults whose names contain one of the words.

mod plant;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use plant::{Change, REEXPORT, SELECTION, planted};

struct Fault {
    name: String,
    file: String,
    old: String,
    new: String,
}

impl Fault {
    /// Returns the suites that most likely notice the fault, by its file.
    fn likely_suites(&self) -> &'static [&'static str] {
        const BY_FOLDER: [(&str, &[&str]); 9] = [
            ("src/engine/pencil", &["pencil"]),
            ("src/engine/canonical", &["engine", "canonical"]),
            ("src/main", &["cli"]),
            ("src/stream/sys", &["cli", "faults"]),
            ("src/pipeline", &["cli", "lib", "faults"]),
            ("src/stream", &["lib", "cli", "faults"]),
            ("src/engine/solver", &["engine", "solutions"]),
            ("src/engine", &["engine", "cli"]),
            ("src", &["lib", "cli"]),
        ];
        let entry = BY_FOLDER.iter().find(|(place, _)| self.file.starts_with(place));
        entry.map_or(&[], |(_, suites)| suites)
    }
}

/// The suites that are programs of their own. Each other suite is a module of `judges`.
const PROGRAMS: [&str; 4] = ["engine", "lib", "cli", "faults"];

/// The order of the other suites: quick ones first.
const SUITES: [&str; 17] = [
    "engine",
    "lib",
    "cli",
    "known",
    "misuse",
    "difficulty",
    "seeds",
    "pencil",
    "variants",
    "canonical",
    "data",
    "levels",
    "faults",
    "agreement",
    "solutions",
    "round_trips",
    "proof",
];

/// In seconds.
const HOUR: u64 = 3600;

/// The result of a suite.
#[derive(Clone, PartialEq, Eq)]
enum Outcome {
    Passed,
    /// The name of the first test that fails.
    Failed(String),
    Hung,
}

/// The built suites.
struct Suites {
    project: PathBuf,
    programs: BTreeMap<String, PathBuf>,
    /// The runs without a fault.
    runs: BTreeMap<String, SoundRun>,
}

/// A run of a suite without a fault.
#[derive(Clone)]
struct SoundRun {
    seconds: u64,
    /// The numbers of the faults whose functions it called.
    reached: BTreeSet<usize>,
}

fn faults() -> Vec<Fault> {
    let text = include_str!("faults.txt");
    let parts = text.split("\n== ").skip(1);
    let fault = |part: &str| {
        let (name, rest) = part.split_once('\n')?;
        let (file, rest) = rest.split_once("\n- ")?;
        let (old, new) = rest.split_once("\n+ ")?;
        let [name, file, old, new] = [name, file, old.trim(), new.trim()].map(str::to_string);
        Some(Fault { name, file, old, new })
    };
    parts.map(|part| fault(part).unwrap_or_else(|| panic!("not a fault: {part}"))).collect()
}

/// Returns an error message for each fault that does not fit the sources.
fn mismatches(root: &Path, faults: &[Fault]) -> Vec<String> {
    let mismatch = |fault: &Fault| {
        let text = fs::read_to_string(root.join(&fault.file)).unwrap_or_default();
        let found = text.matches(&fault.old).count();
        let what = if found != 1 {
            format!("occurs {found} times in")
        } else if fault.old == fault.new {
            "is replaced by itself in".to_string()
        } else {
            return None;
        };
        let Fault { name, file, old, .. } = fault;
        Some(format!("{name}: this text {what} {file}:\n{old}"))
    };
    faults.iter().filter_map(mismatch).collect()
}

/// Collects the files of the project by their paths.
fn files_of(root: &Path, path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let from = root.join(path);
    if from.is_dir() {
        for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
            files_of(root, &path.join(entry.file_name()), files);
        }
    } else {
        files.insert(path.to_path_buf(), fs::read(from).unwrap());
    }
}

/// Returns the files of the project by their paths, with all faults planted.
fn planted_files(root: &Path, faults: &[Fault]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for part in ["src", "tests", "data", "README.md", "Makefile", "Cargo.toml", "Cargo.lock"] {
        files_of(root, Path::new(part), &mut files);
    }
    let mut changes: BTreeMap<&str, Vec<Change>> = BTreeMap::new();
    for (number, fault) in (1..).zip(faults) {
        let text = text_of(&files, &fault.file);
        let start = text.find(&fault.old).expect("the list fits the sources");
        changes.entry(&fault.file).or_default().push(Change {
            number,
            place: start..start + fault.old.len(),
            new: fault.new.clone(),
        });
    }
    for (file, changes) in changes {
        let text = planted(&text_of(&files, file), &changes);
        files.insert(file.into(), text.into_bytes());
    }
    for (library, selection) in [("src/engine/lib.rs", SELECTION), ("src/lib.rs", REEXPORT)] {
        let text = text_of(&files, library) + selection;
        files.insert(library.into(), text.into_bytes());
    }
    files
}

/// Makes `project` a folder of these files. Files that are already the same are not written, so
/// cargo builds less.
fn write_project(project: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) {
    let mut before = BTreeMap::new();
    if project.is_dir() {
        files_of(project, Path::new(""), &mut before);
    }
    for file in before.keys().filter(|file| !files.contains_key(*file)) {
        fs::remove_file(project.join(file)).unwrap();
    }
    for (file, bytes) in files {
        if before.get(file) != Some(bytes) {
            let path = project.join(file);
            fs::create_dir_all(path.parent().expect("the file is in a folder")).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
}

fn text_of(files: &BTreeMap<PathBuf, Vec<u8>>, file: &str) -> String {
    String::from_utf8(files[Path::new(file)].clone()).unwrap()
}

impl Suites {
    fn build(project: PathBuf, target: &Path) -> Result<Suites, String> {
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--locked", "--no-run", "--lib", "--bins", "--tests"]);
        cargo.current_dir(&project).env("CARGO_TARGET_DIR", target);
        let built = cargo.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        let messages = String::from_utf8_lossy(&built.stderr);
        if !built.status.success() {
            return Err(messages.into_owned());
        }
        // A line reads `Executable tests/cli/main.rs (target/debug/deps/cli-0123456789abcdef)`.
        let program = |line: &str| {
            let (_, path) = line.trim_start().strip_prefix("Executable ")?.rsplit_once('(')?;
            let path = project.join(path.strip_suffix(')')?);
            let stem = path.file_name()?.to_str()?.rsplit_once('-')?.0.to_string();
            let suite = match stem.as_str() {
                "sudoku_filter_engine" => "engine",
                // The program has the same stem.
                _ if line.contains("src/lib.rs") => "lib",
                stem => stem,
            };
            Some((suite.to_string(), path))
        };
        Ok(Suites {
            programs: messages.lines().filter_map(program).collect(),
            project,
            runs: BTreeMap::new(),
        })
    }

    /// Runs a suite without a fault, once. Panics if a test fails.
    fn sound_run(&mut self, suite: &str) -> SoundRun {
        if let Some(run) = self.runs.get(suite) {
            return run.clone();
        }
        let folder = self.reached_folder();
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let begin = Instant::now();
        match self.run(suite, 0, HOUR) {
            Outcome::Passed => {}
            Outcome::Failed(test) => panic!("without any fault {suite} fails: {test}"),
            Outcome::Hung => panic!("without any fault {suite} hangs"),
        }
        let seconds = begin.elapsed().as_secs();
        let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap());
        let numbers = files.filter_map(|file| file.file_name().to_str()?.parse().ok());
        let reached: BTreeSet<usize> = numbers.collect();
        println!(
            "without any fault {suite} takes {seconds} s; it reaches {} faults",
            reached.len()
        );
        let run = SoundRun { seconds, reached };
        self.runs.insert(suite.to_string(), run.clone());
        run
    }

    /// Returns the folder for an empty file for each fault whose function is called.
    fn reached_folder(&self) -> PathBuf {
        self.project.with_file_name("reached")
    }

    /// Runs a suite with a fault until its first test fails.
    fn run(&self, suite: &str, number: usize, limit: u64) -> Outcome {
        let name = if PROGRAMS.contains(&suite) { suite } else { "judges" };
        let program = self.programs.get(name).unwrap_or_else(|| panic!("no suite {suite}"));
        let mut command = Command::new(program);
        if name != suite {
            command.arg(format!("{suite}::"));
        }
        // The generator calls no code of the library.
        command.args(["--skip", "the_generator_makes_the_same_files_again"]);
        command
            .current_dir(&self.project)
            .env("PLANTED_FAULT", number.to_string())
            .env("FULL", "1")
            .env("PROVE", "4000");
        if number == 0 {
            command.env("PLANTED_REACHED", self.reached_folder());
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.process_group(0).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, receiver) = mpsc::channel();
        let reader = thread::spawn(move || {
            let failed = |line: &String| line.starts_with("test ") && line.ends_with("... FAILED");
            let first = output.lines().map_while(Result::ok).find(failed);
            let _ = sender.send(first);
        });
        let first = receiver.recv_timeout(Duration::from_secs(limit));
        let outcome = match first {
            Err(RecvTimeoutError::Timeout) => Outcome::Hung,
            Ok(Some(line)) => {
                Outcome::Failed(line.split(' ').nth(1).unwrap_or_default().to_string())
            }
            // The end of the output means that the suite has ended, by itself or by a signal.
            _ => {
                if child.wait().unwrap().success() {
                    Outcome::Passed
                } else {
                    Outcome::Failed("the suite aborted".to_string())
                }
            }
        };
        // Also end processes that the tests have started.
        let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
        let _ = child.wait();
        let _ = reader.join();
        outcome
    }

    /// Returns the suite and the test that notice a fault, if any do.
    fn noticing_test(&mut self, number: usize, fault: &Fault) -> Option<String> {
        let rest = SUITES.iter().filter(|suite| !fault.likely_suites().contains(suite));
        for suite in fault.likely_suites().iter().chain(rest) {
            let sound = self.sound_run(suite);
            if !sound.reached.contains(&number) {
                continue;
            }
            // Well above the time without a fault, because the machine may have other work.
            let limit = 60 + 4 * sound.seconds;
            match self.run(suite, number, limit) {
                Outcome::Passed => {}
                Outcome::Failed(test) => return Some(format!("{suite}: {test}")),
                Outcome::Hung => return Some(format!("{suite}, which hangs")),
            }
        }
        None
    }
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or(root.join("target"), |target| root.join(target))
        .join("mutants");
    let faults = faults();
    let mismatches = mismatches(root, &faults);
    if !mismatches.is_empty() {
        eprintln!("faults.txt does not fit the sources:\n{}", mismatches.join("\n"));
        return ExitCode::from(2);
    }
    let project = target.join("project");
    write_project(&project, &planted_files(root, &faults));
    let mut suites = match Suites::build(project, &target) {
        Ok(suites) => suites,
        Err(reason) => {
            eprintln!("the copy with the faults does not compile:\n{reason}");
            return ExitCode::from(2);
        }
    };
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted =
        |fault: &Fault| wanted.is_empty() || wanted.iter().any(|word| fault.name.contains(word));
    let (mut caught, mut all) = (0, 0);
    for (number, fault) in (1..).zip(&faults).filter(|(_, fault)| is_wanted(fault)) {
        let begin = Instant::now();
        let noticed = suites.noticing_test(number, fault);
        let seconds = begin.elapsed().as_secs();
        all += 1;
        match noticed {
            Some(how) => {
                caught += 1;
                println!("noticed: {} ({how}, {seconds} s)", fault.name);
            }
            None => println!("ESCAPED: {} ({seconds} s)", fault.name),
        }
    }
    println!("{caught} of {all} faults noticed");
    ExitCode::from(u8::from(caught < all))
}

#[test]
fn every_fault_fits_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let faults = faults();
    let mismatches = mismatches(root, &faults);
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    // Panics if a fault is in no function.
    planted_files(root, &faults);
}
