//! Parts that both benchmarks share: the CPU's name, the date, the folder for reports, the list of
//! files, the median.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, io};

/// Returns the CPU's name without commas and quotes, for a CSV field.
pub fn cpu_name() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = cpuinfo.lines().find(|line| line.starts_with("model name"));
    let name = named.and_then(|line| line.split_once(": "));
    let name = name.map_or(env::consts::ARCH, |(_, name)| name);
    name.trim().replace([',', '"'], " ")
}

/// Returns the date as `2025-11-22`, from the system's `date`.
pub fn today() -> String {
    let output = Command::new("date").arg("+%F").output();
    let date = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    date.unwrap_or_default()
}

/// Returns cargo's target folder, which also holds the reports.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from)
}

/// Returns the named files; for a folder, its `*.txt` in alphabetical order.
pub fn puzzle_files(names: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for name in names {
        if !name.is_dir() {
            files.push(name.clone());
            continue;
        }
        let entries: io::Result<Vec<_>> = fs::read_dir(name)?.collect();
        let mut paths: Vec<PathBuf> = entries?.iter().map(fs::DirEntry::path).collect();
        paths.retain(|path| path.extension().is_some_and(|end| end == "txt"));
        paths.sort();
        files.extend(paths);
    }
    Ok(files)
}

/// Returns the median, which other work on the machine influences least.
pub fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
