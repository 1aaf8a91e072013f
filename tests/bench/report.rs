//! What every report of a measurement begins with, and where it goes: CPU, date, folder, CSV.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, io};

/// The CPU's name, fit for a field of a CSV.
pub fn cpu_name() -> String {
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = known.lines().find(|line| line.starts_with("model name"));
    let name = named.and_then(|line| line.split_once(": "));
    let name = name.map_or(env::consts::ARCH, |(_, name)| name);
    name.trim().replace([',', '"'], " ")
}

/// Today as `2025-11-22`, by the system's `date`.
pub fn today() -> String {
    let told = Command::new("date").arg("+%F").output();
    let date = told.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    date.unwrap_or_default()
}

/// Where cargo builds, and reports are kept.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from)
}

/// The files of these names; of a folder, its `*.txt` in order.
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

/// The middle one of some times, which other work on the machine moves least.
pub fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
