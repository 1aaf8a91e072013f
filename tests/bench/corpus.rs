//! A file of puzzles of one kind, and the findings of a solver. The file's name contains the
//! variants: `diagonal-window.txt`, `jigsaw-one-layout.txt`, `killer-many.txt`.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use sudoku_filter::program::{DescribedPuzzle, Fields, Level, Line, Sizes, solve_each};
use sudoku_filter::{
    Alphabet, Found, InvalidInput, Limits, Method, Progress, Puzzles, Rules, Shape, Solver, Status,
    Variant, Variants, verify,
};

/// Puzzles, one on each line.
pub struct Corpus {
    pub name: String,
    /// The status of every line, if the file is one of data/bench.
    pub known: Option<Status>,
    variants: Variants,
    /// The rules of all puzzles, but without the cages of a line; `None` if each line has its own
    /// layout.
    rules: Option<Arc<Rules>>,
    /// Only puzzles, each with its newline.
    text: Vec<u8>,
}

/// A method, a CPU level and limits.
#[derive(Clone, Copy)]
pub struct Settings {
    pub method: Method,
    pub level: Level,
    pub limits: Limits,
}

/// The result for one line.
#[derive(Clone, PartialEq, Eq)]
pub struct Finding {
    pub status: Status,
    pub guesses: u64,
    pub solution: Option<Vec<u8>>,
}

/// Puzzles that share their rules, with their results.
pub struct Batch {
    rules: Arc<Rules>,
    lines: Vec<usize>,
    grids: Vec<u8>,
    solutions: Vec<u8>,
    found: Vec<(Status, u64)>,
}

impl Corpus {
    /// Reads a file and checks its lines.
    pub fn read(path: &Path) -> Result<Corpus, Box<dyn Error>> {
        let stem = path.file_stem().unwrap_or_default();
        let name = stem.to_string_lossy().into_owned();
        let variants: Vec<&str> =
            name.split('-').filter(|word| word.parse::<Variants>().is_ok()).collect();
        let variants = match variants[..] {
            [] => Variants::default(),
            _ => variants.join(",").parse()?,
        };
        let mut text = Vec::new();
        for line in fs::read(path)?.split(|&byte| byte == b'\n') {
            if let Line::Record(record) = Line::of(line) {
                text.extend_from_slice(record);
                text.push(b'\n');
            }
        }
        let ours = path.parent().is_some_and(|dir| dir.ends_with("data/bench"));
        let mut corpus = Corpus {
            known: ours.then(|| known_status_of(&name)),
            name,
            variants,
            rules: None,
            text,
        };
        corpus.check()?;
        Ok(corpus)
    }

    /// Checks that every line is a puzzle of the same size as the first; sets the rules that all
    /// share.
    fn check(&mut self) -> Result<(), Box<dyn Error>> {
        let first = self.lines().next().ok_or("no puzzles")?;
        let cells = self.fields(first).next().map_or(0, <[u8]>::len);
        let side = self.sizes().side(cells)?;
        if !self.is_jigsaw() {
            let shape = Shape::boxes_of(side).ok_or("no boxes for this size")?;
            self.rules = Some(Arc::new(Rules::new(side, shape, &self.variants)?));
        }
        for (index, line) in self.lines().enumerate() {
            let context = |reason: &dyn Display| format!("puzzle {}: {reason}", index + 1);
            let puzzle = self.fields(line).next().unwrap_or_default();
            if puzzle.len() != cells {
                let reason = "its size differs from that of the first puzzle";
                return Err(context(&reason).into());
            }
            Alphabet::default()
                .read(puzzle, side, &mut Vec::new())
                .map_err(|error| context(&error))?;
            if self.has_own_rules() {
                self.rules_of_line(side, line).map_err(|error| context(&error))?;
            }
        }
        Ok(())
    }

    fn is_jigsaw(&self) -> bool {
        self.variants.contains(Variant::Jigsaw)
    }

    fn is_killer(&self) -> bool {
        self.variants.contains(Variant::Killer)
    }

    /// True if each line has its own layout or cages.
    fn has_own_rules(&self) -> bool {
        self.is_jigsaw() || self.is_killer()
    }

    /// Returns the fields of a line. Those of killers are separated by blanks only.
    fn fields<'a>(&self, line: &'a [u8]) -> Box<dyn Iterator<Item = &'a [u8]> + 'a> {
        if !self.is_killer() {
            return Box::new(Fields::of(line));
        }
        let fields = line.split(|byte| b" \t".contains(byte));
        Box::new(fields.filter(|field| !field.is_empty()))
    }

    /// Returns the fields of a line that state its rules.
    fn fields_of_rules<'a>(&self, line: &'a [u8]) -> Vec<&'a [u8]> {
        let number = usize::from(self.is_jigsaw()) + usize::from(self.is_killer());
        self.fields(line).skip(1).take(number).collect()
    }

    fn sizes(&self) -> Sizes {
        Sizes { any_side: self.is_jigsaw(), ..Sizes::default() }
    }

    fn rules_of_line(&self, side: usize, line: &[u8]) -> Result<Arc<Rules>, Box<dyn Error>> {
        let mut fields = self.fields_of_rules(line).into_iter();
        let mut next = || fields.next().unwrap_or_default();
        let rules = match &self.rules {
            Some(rules) => rules,
            None => &self.rules_of_layout(side, next())?,
        };
        if !self.is_killer() {
            return Ok(Arc::clone(rules));
        }
        let cages = DescribedPuzzle::read_cages(next(), side)?.cages;
        Ok(Arc::new(rules.with_cages(cages.unwrap_or_default())?))
    }

    fn rules_of_layout(&self, side: usize, labels: &[u8]) -> Result<Arc<Rules>, InvalidInput> {
        let shape = Shape::regions(labels, false);
        Rules::new(side, shape, &self.variants).map(Arc::new)
    }

    /// Returns the rules that all puzzles share, with their cages if there are any.
    fn common_rules(&self) -> Option<&Arc<Rules>> {
        self.rules.as_ref().filter(|_| !self.is_killer())
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        memchr::memchr_iter(b'\n', &self.text).map(move |end| {
            let line = &self.text[start..end];
            start = end + 1;
            line
        })
    }

    /// Returns the number of puzzles.
    pub fn len(&self) -> usize {
        self.lines().count()
    }

    /// Repeats the puzzles until there are at least `least`, because lanes are fast only in full
    /// batches, as the filter makes them. A file with many layouts or cages is not repeated:
    /// its puzzles would then form groups that the file does not have.
    pub fn repeated(&self, least: usize) -> Corpus {
        let rules: HashSet<_> = self.lines().map(|line| self.fields_of_rules(line)).collect();
        let times = match rules.len() {
            1 => least.div_ceil(self.len()),
            _ => 1,
        };
        self.with_text(self.text.repeat(times))
    }

    /// Returns every `step`th puzzle.
    pub fn every(&self, step: usize) -> Corpus {
        let lines = self.lines().step_by(step);
        self.with_text(lines.flat_map(|line| [line, b"\n"].concat()).collect())
    }

    fn with_text(&self, text: Vec<u8>) -> Corpus {
        Corpus {
            name: self.name.clone(),
            variants: self.variants.clone(),
            rules: self.rules.clone(),
            text,
            ..*self
        }
    }

    /// Solves the puzzles. This is the timed part: it parses lines in memory, builds the rules of
    /// each layout, and solves.
    pub fn solve(&self, settings: Settings) -> Vec<Batch> {
        let mut batches = self.read_batches();
        for batch in &mut batches {
            batch.solutions = vec![0; batch.grids.len()];
            batch.found = vec![(Status::Unknown, 0); batch.lines.len()];
        }
        if self.common_rules().is_some() {
            let batch = &mut batches[0];
            let solver = Solver::new(batch.rules.clone(), settings.method).at(settings.level);
            let grids = std::mem::take(&mut batch.grids);
            solver
                .solve_digits(&grids, settings.limits, &mut |index, found| {
                    batch.store(index, found)
                })
                .unwrap();
            batch.grids = grids;
        } else {
            solve_together(settings, &mut batches);
        }
        batches
    }

    fn read_batches(&self) -> Vec<Batch> {
        let mut batches: Vec<Batch> =
            self.common_rules().into_iter().cloned().map(Batch::of).collect();
        let mut batch_of_rules: HashMap<Vec<&[u8]>, usize> = HashMap::new();
        let alphabet = Alphabet::default();
        for (index, line) in self.lines().enumerate() {
            let puzzle = self.fields(line).next().unwrap_or_default();
            let batch = match self.common_rules() {
                Some(_) => 0,
                None => *batch_of_rules.entry(self.fields_of_rules(line)).or_insert_with(|| {
                    let rules = self.rules_of_line(puzzle.len().isqrt(), line);
                    batches.push(Batch::of(rules.expect("the line was checked")));
                    batches.len() - 1
                }),
            };
            let batch = &mut batches[batch];
            alphabet
                .read(puzzle, batch.rules.side(), &mut batch.grids)
                .expect("the puzzle was checked");
            batch.lines.push(index);
        }
        batches
    }
}

/// Solves puzzles with several layouts or cages in one call, as the filter does.
fn solve_together(settings: Settings, batches: &mut [Batch]) {
    let grids: Vec<u8> = batches.iter().flat_map(|batch| batch.grids.iter().copied()).collect();
    let numbered = batches.iter().enumerate();
    let places: Vec<(usize, usize)> = numbered
        .flat_map(|(batch, of)| (0..of.lines.len()).map(move |index| (batch, index)))
        .collect();
    let rules: Vec<Arc<Rules>> =
        places.iter().map(|&(batch, _)| batches[batch].rules.clone()).collect();
    let report = &mut |progress: Progress<'_>| {
        if let Progress::Found(at, found) = progress {
            let (batch, index) = places[at];
            batches[batch].store(index, found);
        }
        ControlFlow::Continue(())
    };
    let puzzles = Puzzles::of_digits(&grids);
    let method = (settings.method, settings.level);
    let _ = solve_each(&rules, method, puzzles, settings.limits, report).unwrap();
}

impl Batch {
    fn store(&mut self, index: usize, found: Found<'_>) {
        self.found[index] = (found.status, found.guesses);
        if let Some(solution) = found.solution {
            self.solutions[index * solution.len()..][..solution.len()].copy_from_slice(solution);
        }
    }

    fn of(rules: Arc<Rules>) -> Batch {
        Batch {
            rules,
            lines: Vec::new(),
            grids: Vec::new(),
            solutions: Vec::new(),
            found: Vec::new(),
        }
    }
}

/// Returns the status of all lines of a file in data/bench.
fn known_status_of(name: &str) -> Status {
    let has = |word: &str| name.split('-').any(|it| it == word);
    match (has("many"), has("none")) {
        (true, _) => Status::Multiple,
        (_, true) => Status::None,
        _ => Status::Unique,
    }
}

/// Verifies the solutions; returns the results in the order of the lines.
///
/// # Errors
/// A wrong solution, with its line.
pub fn verified(batches: &[Batch]) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for batch in batches {
        let cells = batch.rules.cells();
        let grids = batch.grids.chunks_exact(cells);
        let solutions = batch.solutions.chunks_exact(cells);
        for (((&line, &(status, guesses)), grid), solution) in
            batch.lines.iter().zip(&batch.found).zip(grids).zip(solutions)
        {
            let is_solved = matches!(status, Status::Unique | Status::Multiple);
            if is_solved && let Err(fault) = verify(&batch.rules, grid, solution) {
                let reason =
                    fault.reason(|digit| char::from_digit(digit.into(), 36).unwrap_or('?'));
                return Err(format!("puzzle {}: a wrong solution: {reason}", line + 1));
            }
            let solution = is_solved.then(|| solution.to_vec());
            findings.push((line, Finding { status, guesses, solution }));
        }
    }
    findings.sort_by_key(|(line, _)| *line);
    Ok(findings.into_iter().map(|(_, finding)| finding).collect())
}
