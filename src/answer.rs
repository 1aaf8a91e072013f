//! The lines of a task to rows of output: reads each line as a puzzle, solves those that share their rules together,
//! and writes one row a line, in order. Where lines come from and where rows go is the filter's concern.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::filter::{Answer, Message, Rows, Task};
use crate::puzzle::{Alphabet, Case, Sizes, count};
use crate::record::{Fields, Line, ends_field, without_end};
use crate::render::{Shown, write_row};
use crate::rules::{MAX_SIDE, Rules, Shape, Variant, Variants, a_puzzle};
use crate::solver::{self, Jigsaws, Level, Limits, Method, Progress, Puzzles, Solver};
use crate::verdict::Status;
use crate::verify::verify;

/// What to do with each line, and how its puzzle is to be read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What the puzzles must obey.
    pub variants: Variants,
    /// One layout for all puzzles of a jigsaw; without it each line brings its own.
    pub regions: Option<Vec<u8>>,
    /// Whether a region may lie in pieces.
    pub disconnected: bool,
    /// Boxes, rows high by columns wide, for puzzles of that side.
    pub boxes: Option<(usize, usize)>,
    /// The symbols of digits and blanks.
    pub alphabet: Alphabet,
    /// To solve, or to check answers.
    pub mode: Mode,
    /// How to search.
    pub method: Method,
    /// What of the machine to use.
    pub level: Level,
    /// When to give a puzzle up.
    pub limits: Limits,
}

/// A puzzle's field, and what it obeys.
struct Found<'a> {
    puzzle: &'a [u8],
    side: usize,
    batch: usize,
    /// Where the line brings a layout.
    rules: Option<Arc<Rules>>,
}

/// What a line asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// `PUZZLE`: its solution and status.
    #[default]
    Solve,
    /// `PUZZLE ANSWER`: whether the answer is right.
    Verify {
        /// Whether it must be the only right one.
        unique: bool,
    },
}

/// Answers lines.
#[derive(Debug)]
pub struct Answerer {
    options: Options,
    sizes: Sizes,
    /// For each side its solver, or why there is none; where each line brings a layout, none of them is used.
    solvers: [OnceLock<Result<Arc<Solver>, String>>; MAX_SIDE + 1],
}

impl Answerer {
    /// An answerer for lines that are to be read by `options`.
    ///
    /// # Errors
    /// A sentence for the user: the layout of the options has a fault.
    pub fn new(options: Options) -> Result<Answerer, String> {
        let sizes = Sizes {
            boxes: options.boxes,
            any_side: options.variants.contains(Variant::Jigsaw),
        };
        let answerer = Answerer {
            options,
            sizes,
            solvers: [const { OnceLock::new() }; MAX_SIDE + 1],
        };
        if let Some(labels) = &answerer.options.regions {
            if let Some(label) = labels.iter().find(|&&label| ends_field(label)) {
                return Err(format!(
                    "'{}' cannot be a region label",
                    label.escape_ascii()
                ));
            }
            let side = answerer.sizes.side_of(labels.len(), "region label")?;
            answerer.solver(side)?;
        }
        Ok(answerer)
    }

    /// The solver for puzzles of this side, where no line brings a layout of its own.
    fn solver(&self, side: usize) -> Result<Arc<Solver>, String> {
        let solver = self.solvers[side].get_or_init(|| {
            let shape = match &self.options.regions {
                Some(labels) if labels.len() != side * side => {
                    let layout = labels.len().isqrt();
                    return Err(format!(
                        "{}; the layout given is for {layout}x{layout}",
                        a_puzzle(side)
                    ));
                }
                Some(labels) => self.regions(labels),
                None => match self.sizes.shape(side) {
                    Some(boxes) => boxes,
                    None => return Err(format!("{} has no boxes", a_puzzle(side))),
                },
            };
            self.new_solver(side, shape)
        });
        solver.clone()
    }

    fn regions<'a>(&self, labels: &'a [u8]) -> Shape<'a> {
        Shape::Regions {
            labels,
            disconnected: self.options.disconnected,
        }
    }

    fn new_solver(&self, side: usize, shape: Shape<'_>) -> Result<Arc<Solver>, String> {
        let rules = Rules::new(side, shape, &self.options.variants)?;
        let Options {
            method,
            limits,
            level,
            ..
        } = self.options;
        Ok(Arc::new(
            Solver::new(Arc::new(rules), method, limits).at(level),
        ))
    }
}

impl Answer for Answerer {
    fn answer(&self, task: &Task<'_>, emit: &mut dyn FnMut(Rows)) {
        let mut sheet = Sheet::new(self, task);
        if task.overlong {
            let reason = "the line is longer than 64 KiB".to_string();
            sheet.refuse(task.lines, reason);
        } else {
            while let left @ [_, ..] = &task.lines[sheet.read..] {
                if !sheet.read_plain(left) {
                    let end = memchr::memchr(b'\n', left).map_or(left.len(), |end| end + 1);
                    sheet.read(&left[..end]);
                }
            }
        }
        sheet.solve(emit);
        sheet.emit(emit);
    }
}

/// The lines of one task, and what is known of them so far.
struct Sheet<'a> {
    answerer: &'a Answerer,
    task: &'a Task<'a>,
    /// Bytes of the task that have been read.
    read: usize,
    rows: Vec<Row<'a>>,
    /// Rows that were handed on.
    emitted: usize,
    /// What there is to say of some of them.
    reasons: Vec<String>,
    batches: Vec<Batch>,
    /// By side, where lines bring no layout; else by layout.
    batch_of_side: [Option<usize>; MAX_SIDE + 1],
    /// For each layout of the task its rules, or why it has none.
    layouts: HashMap<&'a [u8], Result<Arc<Rules>, String>>,
    last_emit: Instant,
}

/// One line on its way.
#[derive(Clone, Copy)]
struct Row<'a> {
    /// The field that the first column shows; of an invalid line all of it.
    shown: &'a [u8],
    case: Case,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    Copied,
    Decided {
        status: Status,
        /// Its place among the reasons of the sheet.
        reason: Option<u32>,
    },
    /// A grid of a batch that is to be solved.
    Open {
        batch: u32,
        index: u32,
    },
}

/// Grids of one side that are solved together.
struct Batch {
    by: By,
    /// Cells of a grid.
    cells: usize,
    grids: Vec<u8>,
    /// A solution for each grid; blank until it is found.
    solutions: Vec<u8>,
    /// What was found out about each grid, once it was.
    statuses: Vec<Option<Status>>,
}

/// What the grids of a batch obey.
enum By {
    /// All the same.
    Solver(Arc<Solver>),
    /// Each its own.
    OwnRules(Vec<Arc<Rules>>),
}

/// How often finished rows are handed on while others are still at work.
const PATIENCE: Duration = Duration::from_millis(10);

impl<'a> Sheet<'a> {
    fn new(answerer: &'a Answerer, task: &'a Task<'a>) -> Sheet<'a> {
        Sheet {
            answerer,
            task,
            read: 0,
            rows: Vec::with_capacity(task.lines.len() / 82 + 1),
            emitted: 0,
            reasons: Vec::new(),
            batches: Vec::new(),
            batch_of_side: [None; MAX_SIDE + 1],
            layouts: HashMap::new(),
            last_emit: Instant::now(),
        }
    }

    /// Reads the next line if it is a 9x9 puzzle and nothing else, as nearly all lines are: none of its bytes is asked
    /// whether it separates fields or ends the line.
    #[inline]
    fn read_plain(&mut self, left: &'a [u8]) -> bool {
        let options = &self.answerer.options;
        let Some(([shown @ .., b'\n'], _)) = left.split_first_chunk::<82>() else {
            return false;
        };
        if options.mode != Mode::Solve || self.lines_bring_layouts() {
            return false;
        }
        let Ok(batch) = self.batch_of_side(9) else {
            return false;
        };
        let symbols: &[u8; 81] = shown;
        let plain = options
            .alphabet
            .read_plain(symbols, &mut self.batches[batch].grids);
        if plain {
            self.read += 82;
            let state = self.open(batch, None);
            self.rows.push(Row {
                shown,
                case: Case::default(),
                state,
            });
        }
        plain
    }

    /// Reads one line, with its end.
    fn read(&mut self, line: &'a [u8]) {
        self.read += line.len();
        match Line::of(line) {
            Line::Copied(shown) => self.rows.push(Row {
                shown,
                case: Case::default(),
                state: State::Copied,
            }),
            Line::Record(record) => match self.read_record(record) {
                Ok(row) => self.rows.push(row),
                Err(reason) => self.refuse(without_end(line), reason),
            },
        }
    }

    /// Adds the row of a line that is no puzzle.
    fn refuse(&mut self, line: &'a [u8], reason: String) {
        let state = self.decided(Status::Invalid, Some(reason));
        self.rows.push(Row {
            shown: line,
            case: Case::default(),
            state,
        });
    }

    fn decided(&mut self, status: Status, reason: Option<String>) -> State {
        let reason = reason.map(|reason| {
            self.reasons.push(reason);
            self.reasons.len() as u32 - 1
        });
        State::Decided { status, reason }
    }

    fn lines_bring_layouts(&self) -> bool {
        let options = &self.answerer.options;
        options.variants.contains(Variant::Jigsaw) && options.regions.is_none()
    }

    fn read_record(&mut self, record: &'a [u8]) -> Result<Row<'a>, String> {
        let options = &self.answerer.options;
        let mut fields = Fields::of(record);
        let Found {
            puzzle,
            side,
            batch,
            rules,
        } = self.find_puzzle(&mut fields)?;
        let start = self.batches[batch].grids.len();
        let case = options
            .alphabet
            .read(puzzle, side, &mut self.batches[batch].grids)?;
        if options.mode == Mode::Solve {
            let state = self.open(batch, rules);
            return Ok(Row {
                shown: puzzle,
                case,
                state,
            });
        }
        let answer = fields.next().unwrap_or_default();
        let checked = match (&rules, &self.batches[batch].by) {
            (Some(rules), _) => self.check_answer(rules, batch, start, case, answer),
            (None, By::Solver(solver)) => {
                self.check_answer(solver.rules(), batch, start, case, answer)
            }
            (None, By::OwnRules(_)) => unreachable!("a batch of layouts has rules for each grid"),
        };
        let state = match checked {
            Ok(None) if options.mode == (Mode::Verify { unique: true }) => self.open(batch, rules),
            _ => {
                self.batches[batch].grids.truncate(start);
                match checked? {
                    None => self.decided(Status::Correct, None),
                    Some(reason) => self.decided(Status::Incorrect, Some(reason)),
                }
            }
        };
        Ok(Row {
            shown: answer,
            case,
            state,
        })
    }

    /// Finds the puzzle's field, and with it its rules.
    fn find_puzzle(&mut self, fields: &mut Fields<'a>) -> Result<Found<'a>, String> {
        let first = fields.next().unwrap_or_default();
        if first.is_empty() {
            return Err("the puzzle is missing".to_string());
        }
        if !self.lines_bring_layouts() {
            let side = self.answerer.sizes.side(first.len())?;
            return Ok(Found {
                puzzle: first,
                side,
                batch: self.batch_of_side(side)?,
                rules: None,
            });
        }
        // A square number of symbols is a puzzle; twice a square can only be a puzzle with its layout behind it.
        let half = first.len() / 2;
        let glued = first.len() == 2 * half
            && half.isqrt().pow(2) == half
            && self.answerer.sizes.side(half).is_ok();
        let (puzzle, labels) = if glued {
            first.split_at(half)
        } else {
            (first, fields.next().unwrap_or_default())
        };
        let side = self.answerer.sizes.side(puzzle.len())?;
        if labels.is_empty() {
            return Err("the regions are missing: PUZZLE REGIONS wanted".to_string());
        }
        let (batch, rules) = self.batch_of_layout(side, labels)?;
        Ok(Found {
            puzzle,
            side,
            batch,
            rules: Some(rules),
        })
    }

    fn batch_of_side(&mut self, side: usize) -> Result<usize, String> {
        match self.batch_of_side[side] {
            Some(batch) => Ok(batch),
            None => Ok(self.new_batch(side, By::Solver(self.answerer.solver(side)?))),
        }
    }

    /// The batch of all jigsaws of this side, and the rules of this layout.
    fn batch_of_layout(
        &mut self,
        side: usize,
        labels: &'a [u8],
    ) -> Result<(usize, Arc<Rules>), String> {
        let answerer = self.answerer;
        let rules = self.layouts.entry(labels).or_insert_with(|| {
            let rules = Rules::new(side, answerer.regions(labels), &answerer.options.variants);
            rules.map(Arc::new)
        });
        let rules = rules.clone()?;
        let batch = match self.batch_of_side[side] {
            Some(batch) => batch,
            None => self.new_batch(side, By::OwnRules(Vec::new())),
        };
        Ok((batch, rules))
    }

    fn new_batch(&mut self, side: usize, by: By) -> usize {
        self.batches.push(Batch {
            by,
            cells: side * side,
            grids: Vec::new(),
            solutions: Vec::new(),
            statuses: Vec::new(),
        });
        let batch = self.batches.len() - 1;
        self.batch_of_side[side] = Some(batch);
        batch
    }

    /// Leaves the last grid of a batch to be solved for the row that is being read.
    fn open(&mut self, batch: usize, own: Option<Arc<Rules>>) -> State {
        let Batch { by, statuses, .. } = &mut self.batches[batch];
        if let By::OwnRules(rules) = by {
            rules.extend(own);
        }
        statuses.push(None);
        State::Open {
            batch: batch as u32,
            index: statuses.len() as u32 - 1,
        }
    }

    /// Checks an answer to the batch's grid at `start`: what is wrong with it, or nothing.
    fn check_answer(
        &self,
        rules: &Rules,
        batch: usize,
        start: usize,
        case: Case,
        answer: &[u8],
    ) -> Result<Option<String>, String> {
        let alphabet = &self.answerer.options.alphabet;
        let batch = &self.batches[batch];
        if answer.is_empty() {
            return Err("the answer is missing".to_string());
        }
        if answer.len() != rules.cells() {
            let cells = count(answer.len(), "cell");
            return Err(format!(
                "{cells} in the answer, {} in the puzzle",
                rules.cells()
            ));
        }
        let mut digits = Vec::with_capacity(rules.cells());
        alphabet
            .read(answer, rules.side(), &mut digits)
            .map_err(|reason| format!("answer: {reason}"))?;
        let fault = verify(rules, &batch.grids[start..], &digits).err();
        Ok(fault.map(|fault| fault.reason(|digit| alphabet.symbol(digit, case))))
    }

    /// Solves every batch; hands rows on that are ready while others take long.
    fn solve(&mut self, emit: &mut dyn FnMut(Rows)) {
        let Options {
            method,
            limits,
            level,
            ..
        } = self.answerer.options;
        for index in 0..self.batches.len() {
            let grids = std::mem::take(&mut self.batches[index].grids);
            self.batches[index].solutions = vec![0; grids.len()];
            let by = std::mem::replace(&mut self.batches[index].by, By::OwnRules(Vec::new()));
            let mut report = |progress: Progress<'_>| match progress {
                Progress::Found(grid, found) => self.batches[index].note(grid, found),
                Progress::Solution(..) => {}
                Progress::AtWork => self.emit_if_it_takes_long(emit),
            };
            match by {
                By::Solver(solver) => {
                    solver.solve_reporting(Puzzles::of_digits(&grids), &mut report)
                }
                By::OwnRules(rules) => Jigsaws::new(method, limits, level).solve_reporting(
                    &rules,
                    Puzzles::of_digits(&grids),
                    &mut report,
                ),
            }
            self.emit_if_it_takes_long(emit);
        }
    }

    fn emit_if_it_takes_long(&mut self, emit: &mut dyn FnMut(Rows)) {
        if self.last_emit.elapsed() > PATIENCE {
            self.emit(emit);
        }
    }

    /// Hands on every row before the first that is not yet decided.
    fn emit(&mut self, emit: &mut dyn FnMut(Rows)) {
        let mut done = Rows::default();
        done.bytes.reserve((self.rows.len() - self.emitted) * 96);
        while let Some(row) = self.rows.get(self.emitted) {
            if !self.write(row, &mut done) {
                break;
            }
            self.emitted += 1;
        }
        self.last_emit = Instant::now();
        emit(done);
    }

    /// Writes one row; false if it is not yet decided.
    fn write(&self, row: &Row<'a>, done: &mut Rows) -> bool {
        let options = &self.answerer.options;
        let (status, reason) = match &row.state {
            State::Copied => {
                done.bytes.extend_from_slice(row.shown);
                done.bytes.push(b'\n');
                return true;
            }
            State::Decided { status, reason } => (
                *status,
                reason.map(|reason| &*self.reasons[reason as usize]),
            ),
            State::Open { batch, index } => {
                match self.batches[*batch as usize].statuses[*index as usize] {
                    Some(status) => (status, None),
                    None => return false,
                }
            }
        };
        let verifying = options.mode != Mode::Solve;
        let status = if verifying { of_answer(status) } else { status };
        let shown = match &row.state {
            _ if status == Status::Invalid => Shown::Line(row.shown),
            State::Open { batch, index } if matches!(status, Status::Unique | Status::Multiple) => {
                Shown::Grid(
                    self.batches[*batch as usize].solution(*index as usize),
                    row.case,
                )
            }
            _ => Shown::Field(row.shown),
        };
        let column = verifying.then_some(reason.unwrap_or("-"));
        write_row(shown, status, column, &options.alphabet, &mut done.bytes);
        done.tally.add(status);
        if status == Status::Invalid {
            done.messages.push(Message {
                line: self.task.first_line + self.emitted as u64,
                reason: reason.unwrap_or_default().to_string(),
            });
        }
        true
    }
}

/// What the number of solutions says of an answer that keeps the rules.
fn of_answer(status: Status) -> Status {
    match status {
        Status::Unique => Status::Correct,
        Status::Multiple => Status::Ambiguous,
        Status::None => unreachable!("the answer is a solution"),
        other => other,
    }
}

impl Batch {
    fn note(&mut self, index: usize, found: solver::Found<'_>) {
        self.statuses[index] = Some(found.status);
        if let Some(solution) = found.solution {
            let cells = solution.len();
            self.solutions[index * cells..][..cells].copy_from_slice(solution);
        }
    }

    fn solution(&self, index: usize) -> &[u8] {
        let cells = self.cells;
        &self.solutions[index * cells..][..cells]
    }
}
