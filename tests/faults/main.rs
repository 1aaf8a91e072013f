//! What the world may do to the program, and what a hostile hand may feed it: the real program, run against each fault.
//! `tests/README.md` has the table of faults, with what was measured.

mod files;
mod hostile;
mod limits;
#[path = "../cli/run.rs"]
#[allow(dead_code, reason = "the command-line tests use the rest")]
mod run;
mod signals;
mod streams;
mod unsafe_code;

/// A 4x4 puzzle with one solution.
pub const PUZZLE: &str = "123434122143....\n";
/// Its row.
pub const ROW: &str = "1234341221434321\tunique\n";

/// Says that a test cannot be run on this machine.
pub fn skip(why: &str) {
    println!("skipped: {why}");
}

/// Whether a program is there.
pub fn has(program: &str) -> bool {
    let found = std::process::Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        skip(&format!("no {program} here"));
    }
    found
}

/// Lines of many sizes and verdicts, all quickly answered, and their rows.
pub fn mixed(copies: usize) -> (String, String) {
    let lines = "123434122143....\n# a comment\n11..............\nbad\n................1234\n\n1234341221434321\n";
    let rows = "1234341221434321\tunique\n# a comment\n11..............\tnone\nbad\tinvalid\n................1234\tinvalid\n\n1234341221434321\tunique\n";
    (lines.repeat(copies), rows.repeat(copies))
}
