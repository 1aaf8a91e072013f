//! The solvers: sudoku-filter, the `sudoku` crate, and the programs of the folder that `--peers` names.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::Result;

/// Peers by the names of their programs, with what each is.
pub const KNOWN_PEERS: [(&str, &str); 5] = [
    ("tdoku-status", "t-dillon/tdoku, counts up to two solutions"),
    ("tdoku-grid", "t-dillon/tdoku, reports up to two solutions"),
    ("schoku", "Mart1nSchulz/Schoku, rules for several solutions"),
    ("fastbandsolver", "FastBandSolver of semajyllek/sudoku"),
    ("fastdoku", "rocketbombs/fastdoku"),
];

/// A solver: its name in the table, its program, and the options before the file's name.
pub struct Solver {
    pub name: String,
    pub program: PathBuf,
    pub options: &'static [&'static str],
}

impl Solver {
    pub fn new(name: &str, program: PathBuf, options: &'static [&'static str]) -> Solver {
        Solver { name: name.to_string(), program, options }
    }

    /// Returns a command that answers the lines of standard input.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.options).stderr(Stdio::null());
        command
    }

    /// Returns the first line that the program prints for `--version`.
    pub fn version(&self, limit: Duration) -> Option<String> {
        let mut command = self.command();
        command.arg("--version").stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).spawn().ok()?;
        wait(&mut child, limit).ok()?;
        let text = io::read_to_string(child.stdout?).ok()?;
        text.lines().next().map(str::to_string)
    }

    /// Runs the solver on a file, and returns the seconds of CPU time that the run takes.
    pub fn cpu_seconds(&self, file: &Path, output: Stdio, limit: Duration) -> Result<f64> {
        let before = cpu_seconds_of_children()?;
        let child = self.command().arg(file).stdout(output).spawn();
        let mut child = child.map_err(|error| format!("{}: {error}", self.program.display()))?;
        wait(&mut child, limit)?;
        Ok(cpu_seconds_of_children()? - before)
    }
}

/// Returns the programs of a folder in the order of their names.
pub fn peers_in(folder: &Path) -> Result<Vec<Solver>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| is_program(path));
    paths.sort();
    let solver = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Solver::new(&name, fs::canonicalize(&path).unwrap_or(path.clone()), &[])
    };
    Ok(paths.into_iter().map(solver).collect())
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Waits for a run. A run that takes longer than `limit` is ended and is an error.
fn wait(child: &mut Child, limit: Duration) -> Result<()> {
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Err(format!("takes more than {} s", limit.as_secs()).into());
        }
        thread::sleep(Duration::from_millis(1));
    };
    // Status 1 means that some line is invalid or unknown. The comparison of answers checks the lines.
    match status.code() {
        Some(0 | 1) => Ok(()),
        _ => Err(format!("ends with {status}").into()),
    }
}

fn cpu_seconds_of_children() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds =
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(microseconds as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).spawn().unwrap()
    }

    #[test]
    fn a_run_that_takes_too_long_is_ended() {
        let error = wait(&mut shell("exec sleep 60"), Duration::from_millis(20)).unwrap_err();
        assert_eq!(error.to_string(), "takes more than 0 s");
    }

    #[test]
    fn statuses_above_one_are_failures() {
        assert!(wait(&mut shell("exit 1"), Duration::from_secs(60)).is_ok());
        let error = wait(&mut shell("exit 2"), Duration::from_secs(60)).unwrap_err();
        assert_eq!(error.to_string(), "ends with exit status: 2");
    }
}
