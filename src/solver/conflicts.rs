//! A search that learns from its conflicts (CDCL), for statements that hold or fail. Knows nothing of Sudoku.
//!
//! After MiniSat (Eén, Sörensson: An Extensible SAT-solver, 2003): two watched literals, first unique implication point,
//! activities, saved phases, Luby restarts; learnt clauses are weighed by their levels (Audemard, Simon: Glucose, 2009).
//! It uses no clock and draws nothing: it is the same on every machine.

use super::random::Random;

/// That a statement holds, or that it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Literal(u32);

impl Literal {
    pub fn holds(statement: usize) -> Literal {
        Literal(2 * statement as u32)
    }

    fn fails(statement: usize) -> Literal {
        !Literal::holds(statement)
    }

    fn statement(self) -> usize {
        (self.0 / 2) as usize
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Why a statement was decided.
#[derive(Clone, Copy)]
enum Reason {
    /// It was tried, or is certain.
    None,
    /// It excludes this one, which holds.
    Excluded(u32),
    /// All other literals of this clause fail.
    Clause(u32),
}

/// A clause by its place among all literals.
#[derive(Clone, Copy)]
struct Clause {
    start: u32,
    end: u32,
    /// On how many levels its literals were decided when it was learnt; 0: it was given.
    levels: u32,
}

/// Where a clause is looked at when a literal fails; not if `other` holds.
#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    other: Literal,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Satisfied,
    Contradiction,
    /// It was not to go on.
    Stopped,
}

/// What a search tells; whether it may go on is asked back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Decision,
    Conflict,
}

pub(crate) struct Search {
    /// For each literal 1 if it holds, -1 if it fails, 0 if that is open.
    values: Vec<i8>,
    /// For each statement those that may not hold with it.
    excluded: Vec<Vec<u32>>,
    literals: Vec<Literal>,
    clauses: Vec<Clause>,
    watches: Vec<Vec<Watch>>,
    reasons: Vec<Reason>,
    levels: Vec<u32>,
    /// What was decided, in order; for each level where it begins; how far it was looked at.
    trail: Vec<Literal>,
    level_starts: Vec<usize>,
    looked_at: usize,
    order: Order,
    /// What a statement was when it was last decided.
    phases: Vec<bool>,
    seen: Vec<bool>,
    learnt: usize,
    contradictory: bool,
}

/// Conflicts before the first restart.
const RESTART: u64 = 64;
/// Restarts after which phases are forgotten: all statements are tried as failing, then again as holding. Those that hold
/// first are by far the best for layouts that no grid fits; those that fail first for some blank 25x25 grids.
const NEW_PHASES: u64 = 8;
/// Learnt clauses that are kept at first, and at most.
const FEW_LEARNT: usize = 4000;
const MOST_LEARNT: usize = 30_000;

impl Search {
    /// A search over so many statements, with room for each to exclude so many others.
    pub fn new(statements: usize, excluded: usize) -> Search {
        Search {
            values: vec![0; 2 * statements],
            excluded: (0..statements)
                .map(|_| Vec::with_capacity(excluded))
                .collect(),
            literals: Vec::new(),
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * statements],
            reasons: vec![Reason::None; statements],
            levels: vec![0; statements],
            trail: Vec::with_capacity(statements),
            level_starts: Vec::new(),
            looked_at: 0,
            order: Order::new(vec![0.0; statements]),
            phases: vec![true; statements],
            seen: vec![false; statements],
            learnt: 0,
            contradictory: false,
        }
    }

    /// Statements are tried in an order that is drawn, until conflicts tell better.
    pub fn shuffle(&mut self, random: &mut Random) {
        let draws = (0..self.reasons.len()).map(|_| f64::from(random.below(1 << 20)));
        let activities = draws.map(|draw| draw / f64::from(1 << 20)).collect();
        self.order = Order::new(activities);
    }

    /// At most one of these statements holds.
    pub fn exclude(&mut self, statements: &[u32]) {
        for (i, &one) in statements.iter().enumerate() {
            let excluded = &mut self.excluded[one as usize];
            excluded.extend_from_slice(&statements[..i]);
            excluded.extend_from_slice(&statements[i + 1..]);
        }
    }

    /// One of these literals holds.
    pub fn add(&mut self, clause: &[Literal]) {
        self.go_back(0);
        let mut open = Vec::with_capacity(clause.len());
        for &literal in clause {
            match self.value(literal) {
                1 => return,
                0 => open.push(literal),
                _ => {}
            }
        }
        match open[..] {
            [] => self.contradictory = true,
            [literal] => self.decide(literal, Reason::None),
            _ => {
                self.attach(&open, 0);
            }
        }
    }

    pub fn holds(&self, statement: usize) -> bool {
        self.values[Literal::holds(statement).index()] == 1
    }

    /// Looks for values that satisfy every clause, while `may_go_on`.
    pub fn run(&mut self, may_go_on: &mut dyn FnMut(Event) -> bool) -> Outcome {
        self.go_back(0);
        let mut restarts = 0u64;
        let mut conflicts_left = 0;
        let mut most_learnt = FEW_LEARNT;
        loop {
            if self.contradictory {
                return Outcome::Contradiction;
            }
            if let Some(conflict) = self.propagate() {
                if self.level_starts.is_empty() {
                    self.contradictory = true;
                    return Outcome::Contradiction;
                }
                if !may_go_on(Event::Conflict) {
                    return Outcome::Stopped;
                }
                self.learn(conflict);
                conflicts_left -= 1;
                continue;
            }
            if conflicts_left <= 0 {
                restarts += 1;
                if restarts.is_multiple_of(NEW_PHASES) {
                    self.phases.fill((restarts / NEW_PHASES).is_multiple_of(2));
                }
                conflicts_left = (luby(restarts) * RESTART) as i64;
                self.go_back(0);
                if self.learnt > most_learnt {
                    self.forget();
                    most_learnt = (most_learnt + most_learnt / 10).min(MOST_LEARNT);
                }
                continue;
            }
            let Some(statement) = self.next_open() else {
                return Outcome::Satisfied;
            };
            if !may_go_on(Event::Decision) {
                return Outcome::Stopped;
            }
            self.level_starts.push(self.trail.len());
            let literal = if self.phases[statement] {
                Literal::holds(statement)
            } else {
                Literal::fails(statement)
            };
            self.decide(literal, Reason::None);
        }
    }

    #[inline]
    fn value(&self, literal: Literal) -> i8 {
        self.values[literal.index()]
    }

    fn next_open(&mut self) -> Option<usize> {
        loop {
            let statement = self.order.pop()?;
            if self.value(Literal::holds(statement)) == 0 {
                return Some(statement);
            }
        }
    }

    fn attach(&mut self, literals: &[Literal], levels: u32) -> u32 {
        let clause = self.clauses.len() as u32;
        let start = self.literals.len() as u32;
        self.literals.extend(literals);
        self.clauses.push(Clause {
            start,
            end: self.literals.len() as u32,
            levels,
        });
        for (watched, other) in [(0, 1), (1, 0)] {
            self.watches[literals[watched].index()].push(Watch {
                clause,
                other: literals[other],
            });
        }
        clause
    }

    #[inline]
    fn decide(&mut self, literal: Literal, reason: Reason) {
        debug_assert_eq!(self.value(literal), 0);
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        self.reasons[literal.statement()] = reason;
        self.levels[literal.statement()] = self.level_starts.len() as u32;
        self.trail.push(literal);
    }

    /// Draws every conclusion; the literals of a clause all of which fail, if there is one.
    fn propagate(&mut self) -> Option<Conflict> {
        while self.looked_at < self.trail.len() {
            let literal = self.trail[self.looked_at];
            self.looked_at += 1;
            if literal.0 & 1 == 0 {
                let statement = literal.statement();
                for i in 0..self.excluded[statement].len() {
                    let other = self.excluded[statement][i];
                    match self.values[2 * other as usize] {
                        0 => self.decide(
                            Literal::fails(other as usize),
                            Reason::Excluded(statement as u32),
                        ),
                        1 => return Some(Conflict::Both(statement as u32, other)),
                        _ => {}
                    }
                }
            }
            if let Some(clause) = self.look_at_clauses(!literal) {
                return Some(Conflict::Clause(clause));
            }
        }
        None
    }

    /// Where a literal that now fails was watched, another is.
    fn look_at_clauses(&mut self, failed: Literal) -> Option<u32> {
        let mut watches = std::mem::take(&mut self.watches[failed.index()]);
        let mut conflict = None;
        let mut kept = 0;
        let mut at = 0;
        'watches: while at < watches.len() {
            let watch = watches[at];
            at += 1;
            if self.value(watch.other) == 1 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let Clause { start, end, .. } = self.clauses[watch.clause as usize];
            let (start, end) = (start as usize, end as usize);
            if self.literals[start] == failed {
                self.literals.swap(start, start + 1);
            }
            let first = self.literals[start];
            let new = Watch {
                clause: watch.clause,
                other: first,
            };
            if self.value(first) == 1 {
                watches[kept] = new;
                kept += 1;
                continue;
            }
            for i in start + 2..end {
                if self.value(self.literals[i]) != -1 {
                    self.literals.swap(start + 1, i);
                    self.watches[self.literals[start + 1].index()].push(new);
                    continue 'watches;
                }
            }
            watches[kept] = new;
            kept += 1;
            if self.value(first) == -1 {
                conflict = Some(watch.clause);
                break;
            }
            self.decide(first, Reason::Clause(watch.clause));
        }
        watches.copy_within(at.., kept);
        watches.truncate(kept + watches.len() - at);
        self.watches[failed.index()] = watches;
        conflict
    }

    /// Learns the clause of the first unique implication point, and goes back to where it decides something.
    fn learn(&mut self, conflict: Conflict) {
        let level = self.level_starts.len() as u32;
        let mut learnt = vec![Literal(0)];
        let mut of_level = 0;
        let mut at = self.trail.len();
        let mut failed: Vec<Literal> = match conflict {
            Conflict::Both(a, b) => [a, b].map(|s| Literal::fails(s as usize)).to_vec(),
            Conflict::Clause(clause) => self.clause(clause).to_vec(),
        };
        loop {
            for &literal in &failed {
                let statement = literal.statement();
                if !self.seen[statement] && self.levels[statement] > 0 {
                    self.seen[statement] = true;
                    self.order.bump(statement);
                    if self.levels[statement] == level {
                        of_level += 1;
                    } else {
                        learnt.push(literal);
                    }
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].statement()] {
                    break;
                }
            }
            let literal = self.trail[at];
            of_level -= 1;
            if of_level == 0 {
                learnt[0] = !literal;
                break;
            }
            self.seen[literal.statement()] = false;
            failed.clear();
            self.because(literal, &mut failed);
        }
        let all = learnt.clone();
        // A literal that follows from others of the clause is left out.
        let mut why = Vec::new();
        let mut kept = 1;
        for i in 1..learnt.len() {
            why.clear();
            self.because(!learnt[i], &mut why);
            let follows = !why.is_empty()
                && why.iter().all(|literal| {
                    self.seen[literal.statement()] || self.levels[literal.statement()] == 0
                });
            if !follows {
                learnt[kept] = learnt[i];
                kept += 1;
            }
        }
        learnt.truncate(kept);
        for literal in all {
            self.seen[literal.statement()] = false;
        }
        self.order.decay();
        // The second watched literal is that of the latest level.
        let latest = (1..learnt.len()).max_by_key(|&i| self.levels[learnt[i].statement()]);
        let back = match latest {
            None => 0,
            Some(latest) => {
                learnt.swap(1, latest);
                self.levels[learnt[1].statement()]
            }
        };
        let mut levels: Vec<u32> = learnt
            .iter()
            .map(|literal| self.levels[literal.statement()])
            .collect();
        levels.sort_unstable();
        levels.dedup();
        self.go_back(back as usize);
        let reason = if learnt.len() == 1 {
            Reason::None
        } else {
            self.learnt += 1;
            Reason::Clause(self.attach(&learnt, levels.len() as u32))
        };
        self.decide(learnt[0], reason);
    }

    /// The literals that failed and so made this one hold.
    fn because(&self, literal: Literal, failed: &mut Vec<Literal>) {
        match self.reasons[literal.statement()] {
            Reason::None => {}
            Reason::Excluded(by) => failed.push(Literal::fails(by as usize)),
            Reason::Clause(clause) => failed.extend(
                self.clause(clause)
                    .iter()
                    .filter(|&&other| other != literal),
            ),
        }
    }

    fn clause(&self, clause: u32) -> &[Literal] {
        let Clause { start, end, .. } = self.clauses[clause as usize];
        &self.literals[start as usize..end as usize]
    }

    fn go_back(&mut self, level: usize) {
        let Some(&start) = self.level_starts.get(level) else {
            return;
        };
        for &literal in &self.trail[start..] {
            let statement = literal.statement();
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            self.phases[statement] = literal.0 & 1 == 0;
            self.order.push(statement);
        }
        self.trail.truncate(start);
        self.level_starts.truncate(level);
        self.looked_at = start;
    }

    /// Forgets half of what was learnt, that of most levels first, and what is certain by now.
    fn forget(&mut self) {
        debug_assert!(self.level_starts.is_empty());
        let mut levels: Vec<u32> = self
            .clauses
            .iter()
            .filter(|clause| clause.levels > 0)
            .map(|clause| clause.levels)
            .collect();
        levels.sort_unstable();
        let median = levels[levels.len() / 2];
        let mut room = levels.len() / 2;
        let literals = std::mem::take(&mut self.literals);
        let clauses = std::mem::take(&mut self.clauses);
        self.learnt = 0;
        for watches in &mut self.watches {
            watches.clear();
        }
        // The latest first: of those of as many levels, they stay.
        for clause in clauses.iter().rev() {
            let these = &literals[clause.start as usize..clause.end as usize];
            let stays = clause.levels < median || clause.levels == median && room > 0;
            if clause.levels > 0 {
                if !stays || room == 0 {
                    continue;
                }
                room -= 1;
            }
            if these.iter().all(|&literal| self.value(literal) != 1) {
                self.learnt += usize::from(clause.levels > 0);
                // Conclusions are drawn, so two literals at least are open.
                let open: Vec<Literal> = these
                    .iter()
                    .copied()
                    .filter(|&literal| self.value(literal) == 0)
                    .collect();
                self.attach(&open, clause.levels);
            }
        }
    }
}

enum Conflict {
    /// Statements that exclude each other.
    Both(u32, u32),
    Clause(u32),
}

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …
fn luby(mut n: u64) -> u64 {
    loop {
        let power = (n + 1).next_power_of_two();
        if power == n + 1 {
            return power / 2;
        }
        n -= power / 2 - 1;
    }
}

/// The statements by activity, in a heap: those of late conflicts first.
struct Order {
    heap: Vec<u32>,
    /// The place of each statement in the heap.
    places: Vec<u32>,
    activities: Vec<f64>,
    step: f64,
}

const OUTSIDE: u32 = u32::MAX;

impl Order {
    fn new(activities: Vec<f64>) -> Order {
        let statements = activities.len();
        let mut order = Order {
            heap: Vec::with_capacity(statements),
            places: vec![OUTSIDE; statements],
            activities,
            step: 1.0,
        };
        for statement in 0..statements {
            order.push(statement);
        }
        order
    }

    fn bump(&mut self, statement: usize) {
        self.activities[statement] += self.step;
        if self.activities[statement] > 1e100 {
            for activity in &mut self.activities {
                *activity *= 1e-100;
            }
            self.step *= 1e-100;
        }
        if self.places[statement] != OUTSIDE {
            self.rise(self.places[statement] as usize);
        }
    }

    fn decay(&mut self) {
        self.step /= 0.95;
    }

    fn push(&mut self, statement: usize) {
        if self.places[statement] == OUTSIDE {
            self.heap.push(statement as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    fn pop(&mut self) -> Option<usize> {
        let last = self.heap.pop()?;
        let first = match self.heap.first_mut() {
            None => last,
            Some(first) => std::mem::replace(first, last),
        };
        if !self.heap.is_empty() {
            self.sink();
        }
        self.places[first as usize] = OUTSIDE;
        Some(first as usize)
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        let [of_a, of_b] = [a, b].map(|statement| self.activities[statement as usize]);
        of_a > of_b || of_a == of_b && a < b
    }

    fn rise(&mut self, mut at: usize) {
        let statement = self.heap[at];
        while at > 0 && self.is_before(statement, self.heap[(at - 1) / 2]) {
            self.put(at, self.heap[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        self.put(at, statement);
    }

    fn sink(&mut self) {
        let mut at = 0;
        let statement = self.heap[0];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.is_before(self.heap[child + 1], self.heap[child])
            {
                child += 1;
            }
            if !self.is_before(self.heap[child], statement) {
                break;
            }
            self.put(at, self.heap[child]);
            at = child;
        }
        self.put(at, statement);
    }

    fn put(&mut self, at: usize, statement: u32) {
        self.heap[at] = statement;
        self.places[statement as usize] = at as u32;
    }
}
