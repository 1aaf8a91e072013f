//! Measures one puzzle alone: the time from writing a line to a process that is already running until its answer is read.

use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::Result;
use crate::solver::Solver;

/// The number of puzzles of a corpus that are sent, one after another.
pub const PUZZLES: usize = 100;

/// Returns the seconds for each of the first puzzles of a corpus. The first puzzle is first answered once untimed, so that
/// start-up does not count.
pub fn seconds_alone(solver: &Solver, corpus: &str, limit: Duration) -> Result<Vec<f64>> {
    let mut process = Process::start(solver)?;
    let lines = corpus.lines().take(PUZZLES);
    let first = corpus.lines().next().unwrap_or_default();
    process.ask(first, limit)?;
    lines.map(|line| process.ask(line, limit)).collect()
}

/// A solver that answers lines of its standard input; ended on drop.
struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Process {
    fn start(solver: &Solver) -> Result<Process> {
        let mut command = solver.command();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = child.stdout.take().ok_or("no output")?;
        Ok(Process { child, input, output })
    }

    /// Returns the seconds from the first byte written to the end of the answer.
    fn ask(&mut self, line: &str, limit: Duration) -> Result<f64> {
        let line = format!("{line}\n");
        let start = Instant::now();
        self.input.write_all(line.as_bytes())?;
        let mut answer = [0; 256];
        loop {
            self.wait_for_output(limit)?;
            match self.output.read(&mut answer)? {
                0 => return Err("ends before it answers a line of a pipe".into()),
                count if answer[..count].ends_with(b"\n") => break,
                _ => {}
            }
        }
        Ok(start.elapsed().as_secs_f64())
    }

    fn wait_for_output(&self, limit: Duration) -> Result<()> {
        let mut output = [PollFd::new(self.output.as_fd(), PollFlags::POLLIN)];
        if poll(&mut output, PollTimeout::try_from(limit)?)? == 0 {
            return Err(format!("no answer to a line of a pipe in {} s", limit.as_secs()).into());
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_answered() {
        let cat = Solver::new("cat", "cat".into(), &[]);
        let seconds = seconds_alone(&cat, "1..\n.2.\n..3\n", Duration::from_secs(60)).unwrap();
        assert_eq!(seconds.len(), 3);
    }

    #[test]
    fn a_process_that_keeps_its_answer_is_an_error() {
        let sleep = Solver::new("sleep", "sleep".into(), &["60"]);
        let error = seconds_alone(&sleep, "1..\n", Duration::from_millis(20)).unwrap_err();
        assert_eq!(error.to_string(), "no answer to a line of a pipe in 0 s");
    }
}
