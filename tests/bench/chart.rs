//! `make bench-chart`: draws tables of `make bench` and `make bench-peers` as one SVG. A CSV needs
//! the columns `corpus`, `solver` and `puzzles_per_second`; `date`, `cpu`, `unknown` and
//! `times_as_long` are shown if present.

#[expect(dead_code, reason = "the chart only needs the folder")]
mod report;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

const WIDTH: f64 = 860.0;
/// Left and right limits of the bars. Names are to the left, values to the right.
const LEFT: f64 = 160.0;
const RIGHT: f64 = 725.0;
const BAR: f64 = 11.0;
const BAR_STEP: f64 = 13.0;
const GROUP_GAP: f64 = 12.0;

/// Colours in the order of the solvers; each can be read on white and on black.
const COLOURS: [&str; 7] =
    ["#3f87d0", "#2fa06d", "#d9822b", "#9a72d8", "#d45468", "#2ba3ad", "#8b9099"];

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#24292f}\
.title{font-size:15px;font-weight:600}.corpus{font-weight:600;text-anchor:end}.tick{text-anchor:middle}\
.paper{fill:#fff}.line{stroke:#d0d7de}.value,.tick,.note{font-size:10.5px;fill:#57606a}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.line{stroke:#30363d}\
.value,.tick,.note{fill:#9da7b3}}";

fn main() -> ExitCode {
    match draw() {
        Ok(path) => {
            println!("Drawn to {}", path.display());
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("bench-chart: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// Runs `bench-chart [-o FILE] [CSV]...`. By default it draws the newest table of either kind to
/// target/bench.svg.
fn draw() -> Result<PathBuf, String> {
    let mut output = report::target().join("bench.svg");
    let mut tables: Vec<PathBuf> = Vec::new();
    let mut arguments = env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-o") => output = arguments.next().ok_or("-o FILE")?.into(),
            _ => tables.push(argument.into()),
        }
    }
    if tables.is_empty() {
        tables = ["bench-", "peers-"].iter().filter_map(|kind| last_table(kind)).collect();
    }
    if tables.is_empty() {
        return Err("no table yet: 'make bench' or 'make bench-peers' writes one".to_string());
    }
    let charts: Result<Vec<Chart>, String> = tables.iter().map(Chart::read).collect();
    fs::write(&output, svg(&charts?)).map_err(|error| format!("{}: {error}", output.display()))?;
    Ok(output)
}

/// Returns the newest table; file names end in their date.
fn last_table(kind: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(report::target()).ok()?;
    let paths = entries.flatten().map(|entry| entry.path());
    let is_table = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(kind) && name.ends_with(".csv")
    };
    paths.filter(is_table).max()
}

/// A table: for each corpus one bar for each solver.
struct Chart {
    title: String,
    groups: Vec<(String, Vec<Bar>)>,
}

struct Bar {
    solver: String,
    puzzles_per_second: f64,
    note: String,
}

impl Chart {
    fn read(path: &PathBuf) -> Result<Chart, String> {
        let error_in_file = |reason: &str| format!("{}: {reason}", path.display());
        let text = fs::read_to_string(path).map_err(|error| error_in_file(&error.to_string()))?;
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let mut chart = Chart { title: String::new(), groups: Vec::new() };
        for line in lines {
            let fields: Vec<&str> = line.split(',').collect();
            let field = |name| {
                let column = names.iter().position(|other| *other == name);
                column.and_then(|column| fields.get(column).copied())
            };
            let (Some(corpus), Some(solver), Some(Ok(puzzles_per_second))) =
                (field("corpus"), field("solver"), field("puzzles_per_second").map(str::parse))
            else {
                return Err(error_in_file(&format!("not a benchmark result: {line}")));
            };
            if let (Some(cpu), Some(date)) = (field("cpu"), field("date")) {
                chart.title = format!("{cpu}, {date}");
            }
            if chart.groups.last().is_none_or(|(name, _)| name != corpus) {
                chart.groups.push((corpus.to_string(), Vec::new()));
            }
            let (_, bars) = chart.groups.last_mut().expect("a group was just added");
            bars.push(Bar {
                solver: solver.to_string(),
                puzzles_per_second,
                note: note(field("times_as_long"), field("unknown")),
            });
        }
        if chart.groups.is_empty() {
            return Err(error_in_file("no rows"));
        }
        Ok(chart)
    }

    fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.groups.iter().flat_map(|(_, bars)| bars)
    }

    /// Returns the powers of ten that enclose all values, as logarithms.
    fn decades(&self) -> (f64, f64) {
        let logs = self.bars().map(|bar| bar.puzzles_per_second.max(1.0).log10());
        let (least, most) =
            logs.fold((f64::MAX, 0f64), |(least, most), log| (least.min(log), most.max(log)));
        // Start a little below the least value, so that a power of ten has a bar too.
        ((least - 0.05).floor().max(0.0), most.ceil())
    }
}

/// Returns the note to the right of a bar's value.
fn note(times_as_long: Option<&str>, unknown: Option<&str>) -> String {
    let times = times_as_long.filter(|times| *times != "1.00");
    let unknown = unknown.filter(|unknown| *unknown != "0");
    let times = times.map(|times| format!(", {times} x as long"));
    let unknown = unknown.map(|unknown| format!(", {unknown} given up"));
    times.unwrap_or_default() + &unknown.unwrap_or_default()
}

/// Draws the charts one below the other, under one legend.
fn svg(charts: &[Chart]) -> String {
    let mut solvers: Vec<&str> = Vec::new();
    for bar in charts.iter().flat_map(Chart::bars) {
        if !solvers.contains(&bar.solver.as_str()) {
            solvers.push(&bar.solver);
        }
    }
    let mut body = String::new();
    let mut y = legend(&solvers, &mut body);
    for chart in charts {
        y = draw_chart(chart, &solvers, y + 30.0, &mut body);
    }
    let height = y + 20.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\" aria-label=\"Puzzles a second by corpus and solver\">\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n"
    )
}

fn legend(solvers: &[&str], body: &mut String) -> f64 {
    let (mut x, mut y) = (20.0, 24.0);
    for (index, solver) in solvers.iter().enumerate() {
        let width = 30.0 + 7.0 * solver.len() as f64;
        if x + width > WIDTH {
            (x, y) = (20.0, y + 18.0);
        }
        let colour = COLOURS[index % COLOURS.len()];
        let _ = writeln!(
            body,
            "<rect x=\"{x}\" y=\"{}\" width=\"11\" height=\"11\" rx=\"2\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{y}\">{}</text>",
            y - 10.0,
            x + 16.0,
            escaped(solver)
        );
        x += width;
    }
    y
}

/// Draws a chart from `y` down; returns the `y` of its bottom.
fn draw_chart(chart: &Chart, solvers: &[&str], mut y: f64, body: &mut String) -> f64 {
    let (first, last) = chart.decades();
    let x_of = |log: f64| LEFT + (RIGHT - LEFT) * (log - first) / (last - first).max(1.0);
    let _ = writeln!(
        body,
        "<text class=\"title\" x=\"20\" y=\"{y}\">{}</text>\n\
         <text class=\"note\" x=\"20\" y=\"{}\">puzzles a second, log scale: a longer bar is faster</text>",
        escaped(&chart.title),
        y + 16.0
    );
    let top = y + 28.0;
    let bars_height = chart.bars().count() as f64 * BAR_STEP;
    let bottom = top + bars_height + chart.groups.len() as f64 * GROUP_GAP;
    for decade in first as u32..=last as u32 {
        let x = x_of(f64::from(decade));
        let _ = writeln!(
            body,
            "<line class=\"line\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>\
             <text class=\"tick\" x=\"{x:.1}\" y=\"{}\">{}</text>",
            bottom + 14.0,
            short(10f64.powi(decade as i32))
        );
    }
    y = top + GROUP_GAP / 2.0;
    for (corpus, bars) in &chart.groups {
        let middle = y + bars.len() as f64 * BAR_STEP / 2.0 + 3.0;
        let _ = writeln!(
            body,
            "<text class=\"corpus\" x=\"{}\" y=\"{middle}\">{}</text>",
            LEFT - 10.0,
            escaped(corpus)
        );
        for bar in bars {
            let index = solvers.iter().position(|solver| *solver == bar.solver);
            let colour = COLOURS[index.unwrap_or(0) % COLOURS.len()];
            let end = x_of(bar.puzzles_per_second.max(1.0).log10());
            let _ = writeln!(
                body,
                "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" rx=\"1.5\" fill=\"{colour}\"/>\
                 <text class=\"value\" x=\"{:.1}\" y=\"{:.1}\">{}{}</text>",
                end - LEFT,
                end + 5.0,
                y + 9.5,
                short(bar.puzzles_per_second),
                escaped(&bar.note)
            );
            y += BAR_STEP;
        }
        y += GROUP_GAP;
    }
    bottom + 14.0
}

/// Formats a number with three digits and a unit: `1.52 M`.
fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        _ if number >= 999_500.0 => (number / 1e6, " M"),
        _ if number >= 999.5 => (number / 1e3, " k"),
        _ => (number, ""),
    };
    let whole = (scaled - scaled.round()).abs() < 1e-9;
    let places = match scaled {
        _ if whole || scaled >= 99.95 => 0,
        _ if scaled >= 9.995 => 1,
        _ => 2,
    };
    format!("{scaled:.places$}{unit}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
