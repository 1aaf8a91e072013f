//! A SAT solver with clause learning (CDCL). It knows nothing of Sudoku.
//!
//! Two watched literals, first unique implication points, activities and saved phases are as in MiniSat (Eén, Sörensson: An
//! Extensible SAT-solver, 2003). Learnt clauses are kept by glue, and restarts depend on glue, as in Glucose (Audemard, Simon,
//! 2009). `Cdcl::solve` reads no clock and draws no random numbers, so it takes the same steps on every machine.
//!
//! Tried: batsat 0.6, MiniSat in Rust, on the same formulas. 78 jigsaws that no grid fits: equal. Blank 15x15
//! `diagonal,nonconsecutive`: 0.1 s instead of 1.0 s. But blank 9x9 `antiking,nonconsecutive`: 0.31 s instead of 0.01 s; blank
//! 12x12 `disjoint,nonconsecutive`: over 90 s instead of 17 s; a blank 25x25: 33 MB instead of 11 MB, because batsat has neither
//! at-most-one sets nor a memory bound.
//!
//! Everything that grows is bounded by `MAX_BYTES`. When the bound is exceeded, learnt clauses are removed; if this does not
//! suffice, the search ends. A formula that takes more than three quarters of the bound is refused (`set_at_most_one`).

use std::cmp::Reverse;

use super::clauses::{
    ClauseRef, Clauses, Exclusions, HEADER, Literal, WORDS_A_CLAUSE, Watch, Watches,
};
use super::order::Order;
use super::restarts::Restarts;
use crate::solver::random::Random;

/// The reason for the value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// A decision, a learnt or given clause of one literal, or a value of level 0 whose reason `reduce` has cleared.
    None,
    /// This other variable is true, and at most one of the two can be.
    Excluded(u32),
    /// All other literals of this clause are false.
    Clause(ClauseRef),
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Satisfiability {
    Satisfiable,
    Unsatisfiable,
    /// The caller stopped the search, or the memory bound was reached.
    Unknown,
}

/// A step of the search. `Cdcl::solve` asks its caller before each decision, and before it learns from a conflict. It ends if the
/// caller refuses the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Decision,
    Conflict,
}

/// A conflict: a false literal, and a reason for it to be true.
type Conflict = (Literal, Reason);

/// A formula and the state of its search.
pub(crate) struct Cdcl {
    /// For each literal: 1 if it is true, -1 if it is false, 0 if it is unassigned.
    values: Vec<i8>,
    exclusions: Exclusions,
    clauses: Clauses,
    watches: Watches,
    /// For each assigned variable, the reason for its value.
    reasons: Vec<Reason>,
    /// For each assigned variable, the number of decisions up to and including its assignment.
    levels: Vec<u32>,
    /// The true literals in the order of assignment.
    trail: Vec<Literal>,
    /// The index in `trail` of each decision. Level 0 comes before the first.
    level_starts: Vec<usize>,
    /// The number of literals at the front of `trail` that have been propagated.
    propagated: usize,
    /// All unassigned variables, and some assigned ones, by activity.
    order: Order,
    /// The value that the next decision gives each variable: its last value, or that of the last reset.
    phases: Vec<bool>,
    /// Scratch: the variables that the analysis of a conflict has visited; none between conflicts.
    seen: Vec<bool>,
    analysis: Analysis,
    restarts: Restarts,
    /// The number of learnt clauses in `clauses`.
    learnt: usize,
    /// If there are more learnt clauses than this, the next restart removes some.
    max_learnt: usize,
    /// The memory bound, for the number that `bytes` returns. It can be exceeded until the next restart.
    max_bytes: usize,
    /// True once a contradiction without decisions has been found.
    is_unsatisfiable: bool,
}

/// Scratch: buffers for the analysis of a conflict.
#[derive(Default)]
struct Analysis {
    /// The clause to learn.
    learnt: Vec<Literal>,
    /// The false literals that led to a conflict or to a value; none between conflicts.
    false_literals: Vec<Literal>,
    /// The variables that are marked in `Cdcl::seen`.
    seen: Vec<u32>,
}

/// The maximum number of bytes that the exclusions, clauses and watches of one search take. It can be exceeded until the
/// next restart.
pub(crate) const MAX_BYTES: usize = 24 << 20;
/// The number of restarts between two resets of the phases, alternately to false and to true. True is by far the best for layouts
/// that no grid fits; false is the best for some blank 25x25 grids.
const NEW_PHASES: u64 = 64;
/// If there are more learnt clauses than a limit, a restart removes some, and the limit grows by a tenth. These are the first
/// limit and the highest.
const FIRST_MAX_LEARNT: usize = 4000;
const MAX_LEARNT: usize = 30_000;
/// Learnt clauses with at most this glue are kept while memory suffices.
const LOW_GLUE: u32 = 2;

impl Cdcl {
    pub fn new(variables: usize) -> Cdcl {
        Cdcl {
            values: vec![0; 2 * variables],
            exclusions: Exclusions::new(variables, &[]),
            clauses: Clauses::default(),
            watches: Watches::new(2 * variables),
            reasons: vec![Reason::None; variables],
            levels: vec![0; variables],
            trail: Vec::with_capacity(variables),
            level_starts: Vec::new(),
            propagated: 0,
            order: Order::new(vec![0.0; variables]),
            phases: vec![true; variables],
            seen: vec![false; variables],
            analysis: Analysis::default(),
            restarts: Restarts::default(),
            learnt: 0,
            max_learnt: FIRST_MAX_LEARNT,
            max_bytes: MAX_BYTES,
            is_unsatisfiable: false,
        }
    }

    /// Draws a random initial order of the variables.
    pub fn shuffle(&mut self, random: &mut Random) {
        let draws = (0..self.reasons.len()).map(|_| f64::from(random.below(1 << 20)));
        let activities = draws.map(|draw| draw / f64::from(1 << 20)).collect();
        self.order = Order::new(activities);
    }

    /// Sets the constraint that at most one variable of each of these sets is true. Returns false, and sets nothing, if less than
    /// a quarter of the memory would remain.
    pub fn set_at_most_one(&mut self, sets: &[Vec<u32>]) -> bool {
        // A set of n variables takes n words, and each variable of it excludes n - 1 others.
        let words: usize = sets.iter().map(|set| set.len() * set.len()).sum();
        let is_possible = words * size_of::<u32>() + self.bytes() <= self.max_bytes / 4 * 3;
        if is_possible {
            self.exclusions = Exclusions::new(self.reasons.len(), sets);
        }
        is_possible
    }

    /// Undoes all decisions, and adds a clause. Values of level 0 are final, so a clause with a true literal is not added, and
    /// false literals are left out of the clause.
    pub fn add_clause(&mut self, clause: &[Literal]) {
        self.backtrack(0);
        let mut open = Vec::with_capacity(clause.len());
        for &literal in clause {
            match self.value(literal) {
                1 => return,
                0 => open.push(literal),
                _ => {}
            }
        }
        match open[..] {
            [] => self.is_unsatisfiable = true,
            [literal] => self.assign(literal, Reason::None),
            _ => {
                self.attach(&open, 0);
            }
        }
    }

    pub fn is_true(&self, variable: usize) -> bool {
        self.value(Literal::positive(variable)) == 1
    }

    /// Returns the number of bytes of everything that grows with the formula and the search.
    fn bytes(&self) -> usize {
        let exclusions = &self.exclusions;
        let words = exclusions.starts.capacity()
            + exclusions.excluded.capacity()
            + self.clauses.words.capacity();
        words * size_of::<u32>() + self.watches.bytes
    }

    /// Searches for values that satisfy every clause and every at-most-one set, while `may_go_on` returns true. If it finds them,
    /// `is_true` returns them until a clause is added. A later call keeps the learnt clauses.
    pub fn solve(&mut self, may_go_on: &mut dyn FnMut(Step) -> bool) -> Satisfiability {
        self.backtrack(0);
        loop {
            if self.is_unsatisfiable {
                return Satisfiability::Unsatisfiable;
            }
            if let Some(conflict) = self.propagate() {
                if self.level_starts.is_empty() {
                    self.is_unsatisfiable = true;
                } else if may_go_on(Step::Conflict) {
                    self.learn(conflict);
                } else {
                    return Satisfiability::Unknown;
                }
                continue;
            }
            let is_full = self.bytes() > self.max_bytes;
            if is_full || self.restarts.is_due() {
                self.restart();
                // Clauses are removed at level 0, to which the restart leads.
                if is_full && !self.make_room() {
                    return Satisfiability::Unknown;
                }
                continue;
            }
            let Some(variable) = self.next_open() else {
                debug_assert!(self.is_satisfied() && self.is_consistent());
                return Satisfiability::Satisfiable;
            };
            if !may_go_on(Step::Decision) {
                return Satisfiability::Unknown;
            }
            self.decide(variable);
        }
    }

    /// Removes learnt clauses (see `reduce`), and frees unused capacity. Returns whether the memory bound then holds.
    fn make_room(&mut self) -> bool {
        self.reduce();
        self.shrink();
        self.bytes() <= self.max_bytes
    }

    /// Undoes all decisions, and removes learnt clauses if there are too many. Each restart with a multiple of `NEW_PHASES` as
    /// its number also resets the phases of the unassigned variables; assigned ones keep their value as phase.
    fn restart(&mut self) {
        let number = self.restarts.restart();
        if number.is_multiple_of(NEW_PHASES) {
            debug_assert!(self.is_consistent());
            // The first reset is to false.
            self.phases.fill((number / NEW_PHASES).is_multiple_of(2));
        }
        self.backtrack(0);
        if self.learnt > self.max_learnt {
            self.reduce();
            self.max_learnt = (self.max_learnt + self.max_learnt / 10).min(MAX_LEARNT);
        }
    }

    /// Opens a decision level and assigns the variable its saved phase.
    fn decide(&mut self, variable: usize) {
        self.level_starts.push(self.trail.len());
        let literal = if self.phases[variable] {
            Literal::positive(variable)
        } else {
            Literal::negative(variable)
        };
        self.assign(literal, Reason::None);
    }

    #[inline]
    fn value(&self, literal: Literal) -> i8 {
        self.values[literal.index()]
    }

    /// Removes the unassigned variable with the highest activity from `order` and returns it; `None` if all are assigned.
    fn next_open(&mut self) -> Option<usize> {
        loop {
            let variable = self.order.pop()?;
            if self.value(Literal::positive(variable)) == 0 {
                return Some(variable);
            }
        }
    }

    /// Adds a clause of two or more literals, and watches its first two.
    fn attach(&mut self, literals: &[Literal], glue: u32) -> ClauseRef {
        // Capacity grows by an eighth, because doubling would waste half of the bound.
        let words = &mut self.clauses.words;
        let needed = literals.len() + HEADER;
        if words.capacity() - words.len() < needed {
            words.reserve_exact(needed.max(words.len() / 8).max(1 << 12));
        }
        let clause = self.clauses.add(literals, glue);
        self.watch(clause);
        clause
    }

    /// Watches the first two literals of a clause.
    fn watch(&mut self, clause: ClauseRef) {
        let words = self.clauses.words(clause);
        let [first, second] = [Literal(words[0]), Literal(words[1])];
        for (watched, blocker) in [(first, second), (second, first)] {
            self.watches.push(watched, Watch { clause, blocker });
        }
    }

    /// Makes an unassigned literal true at the current level.
    #[inline]
    fn assign(&mut self, literal: Literal, reason: Reason) {
        debug_assert_eq!(self.value(literal), 0);
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        self.reasons[literal.variable()] = reason;
        self.levels[literal.variable()] = self.level_starts.len() as u32;
        self.trail.push(literal);
    }

    /// Assigns implied values until there are no more, or until a conflict, which it returns.
    fn propagate(&mut self) -> Option<Conflict> {
        while self.propagated < self.trail.len() {
            let literal = self.trail[self.propagated];
            self.propagated += 1;
            if literal.is_positive() {
                let variable = literal.variable();
                for at in self.exclusions.of(variable) {
                    let other = self.exclusions.excluded[at];
                    let implied = Literal::negative(other as usize);
                    let reason = Reason::Excluded(variable as u32);
                    match self.value(implied) {
                        0 => self.assign(implied, reason),
                        -1 => return Some((implied, reason)),
                        _ => {}
                    }
                }
            }
            if let Some(conflict) = self.visit_clauses(!literal) {
                return Some(conflict);
            }
        }
        None
    }

    /// Visits the clauses that watch a literal that became false. In each that is not true, finds another literal to watch, or
    /// assigns the last unassigned one. Stops at a clause whose literals are all false, and returns this conflict.
    fn visit_clauses(&mut self, falsified: Literal) -> Option<Conflict> {
        debug_assert_eq!(self.value(falsified), -1);
        let mut watches = std::mem::take(&mut self.watches.of[falsified.index()]);
        let mut conflict = None;
        let mut kept = 0;
        let mut at = 0;
        'watches: while at < watches.len() {
            let watch = watches[at];
            at += 1;
            if self.value(watch.blocker) == 1 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let start = watch.clause as usize + HEADER;
            let end = start + self.clauses.len(watch.clause);
            let words = &mut self.clauses.words[start..end];
            if words[0] == falsified.0 {
                words.swap(0, 1);
            }
            debug_assert_eq!(words[1], falsified.0, "a watched literal is in front");
            let first = Literal(words[0]);
            let new = Watch {
                clause: watch.clause,
                blocker: first,
            };
            let first_value = self.values[first.index()];
            if first_value == 1 {
                watches[kept] = new;
                kept += 1;
                continue;
            }
            for i in 2..words.len() {
                if self.values[words[i] as usize] != -1 {
                    words.swap(1, i);
                    self.watches.push(Literal(words[1]), new);
                    continue 'watches;
                }
            }
            watches[kept] = new;
            kept += 1;
            let reason = Reason::Clause(watch.clause);
            if first_value == -1 {
                conflict = Some((first, reason));
                break;
            }
            self.assign(first, reason);
        }
        // After a conflict, the watches that are not visited stay too.
        watches.copy_within(at.., kept);
        watches.truncate(kept + watches.len() - at);
        self.watches.of[falsified.index()] = watches;
        conflict
    }

    /// Learns the clause of the first unique implication point, backtracks to the first level at which it implies a value, and
    /// assigns this value.
    fn learn(&mut self, conflict: Conflict) {
        let mut analysis = std::mem::take(&mut self.analysis);
        self.analyze(conflict, &mut analysis);
        self.minimize(&mut analysis.learnt);
        for variable in analysis.seen.drain(..) {
            self.seen[variable as usize] = false;
        }
        debug_assert!(!self.seen.contains(&true));
        self.order.decay();
        let learnt = &mut analysis.learnt;
        debug_assert!(learnt.iter().all(|&literal| self.value(literal) == -1));
        // All literals but the first stay false after the backtrack. The second literal, which is watched, must be of the latest
        // level among these, so that no other of them becomes unassigned before it.
        let level_of = |literal: Literal| self.levels[literal.variable()];
        let latest = (1..learnt.len()).max_by_key(|&i| level_of(learnt[i]));
        let level = match latest {
            None => 0,
            Some(latest) => {
                learnt.swap(1, latest);
                level_of(learnt[1])
            }
        };
        let glue = self.glue(learnt);
        debug_assert!((level as usize) < self.level_starts.len());
        self.backtrack(level as usize);
        debug_assert_eq!(self.value(learnt[0]), 0, "the clause assigns a value");
        let reason = if learnt.len() == 1 {
            Reason::None
        } else {
            self.learnt += 1;
            Reason::Clause(self.attach(learnt, glue))
        };
        self.assign(learnt[0], reason);
        self.analysis = analysis;
        self.restarts.record_conflict(glue);
    }

    /// Derives the clause to learn. Its first literal is the only one of the latest level: the negation of the first unique
    /// implication point.
    ///
    /// Goes back along the trail, and replaces each seen literal of the latest level by the literals of its reason, until only
    /// one is left. `open` is the number of seen literals of the latest level that are not replaced yet.
    fn analyze(&mut self, conflict: Conflict, analysis: &mut Analysis) {
        debug_assert!(analysis.seen.is_empty());
        analysis.learnt.clear();
        // A placeholder for the first literal, which is found last.
        analysis.learnt.push(Literal(0));
        let (mut literal, mut reason) = conflict;
        debug_assert!(analysis.false_literals.is_empty());
        analysis.false_literals.push(literal);
        let mut at = self.trail.len();
        let mut open = 0;
        loop {
            self.push_reason(literal, reason, &mut analysis.false_literals);
            open += self.mark_false_literals(analysis);
            at = self.latest_seen_before(at);
            literal = self.trail[at];
            open -= 1;
            if open == 0 {
                break;
            }
            reason = self.reasons[literal.variable()];
        }
        analysis.learnt[0] = !literal;
    }

    /// Takes the false literals out of their buffer, marks their variables as seen, and raises the activities of these. Adds
    /// literals of earlier levels to the clause, and returns the number of newly marked variables of the latest level. Ignores
    /// literals of level 0, which are always false.
    fn mark_false_literals(&mut self, analysis: &mut Analysis) -> usize {
        let latest = self.level_starts.len() as u32;
        let mut of_latest = 0;
        for literal in analysis.false_literals.drain(..) {
            let variable = literal.variable();
            if self.seen[variable] || self.levels[variable] == 0 {
                continue;
            }
            self.seen[variable] = true;
            analysis.seen.push(variable as u32);
            self.order.bump(variable);
            if self.levels[variable] == latest {
                of_latest += 1;
            } else {
                analysis.learnt.push(literal);
            }
        }
        of_latest
    }

    /// Returns the index of the last seen literal on the trail before `end`. It belongs to the latest level.
    fn latest_seen_before(&self, end: usize) -> usize {
        let is_seen = |literal: &Literal| self.seen[literal.variable()];
        let at = self.trail[..end].iter().rposition(is_seen);
        let at = at.expect("a literal of the latest level is seen");
        debug_assert!(at >= self.level_starts[self.level_starts.len() - 1]);
        at
    }

    /// Removes each literal, except the first, that is false whenever all other literals of the clause are false (`is_implied`).
    fn minimize(&self, learnt: &mut Vec<Literal>) {
        let first = learnt[0];
        // The other literals of the latest level are `seen` too, but do not imply any of an earlier level.
        learnt.retain(|&literal| literal == first || !self.is_implied(!literal));
    }

    /// Appends the false literals that imply this one for this reason. Appends nothing for a decision.
    fn push_reason(&self, literal: Literal, reason: Reason, false_literals: &mut Vec<Literal>) {
        match reason {
            Reason::None => {}
            Reason::Excluded(by) => false_literals.push(Literal::negative(by as usize)),
            Reason::Clause(clause) => false_literals.extend(
                self.clauses
                    .literals(clause)
                    .filter(|&other| other != literal),
            ),
        }
    }

    /// Returns the number of different levels of literals.
    fn glue(&self, literals: &[Literal]) -> u32 {
        let levels = literals
            .iter()
            .map(|literal| self.levels[literal.variable()]);
        let mut levels: Vec<u32> = levels.collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }

    /// Returns whether literals that are `seen` imply a true literal directly. A decision is not implied.
    fn is_implied(&self, literal: Literal) -> bool {
        let is_known = |variable: usize| self.seen[variable] || self.levels[variable] == 0;
        match self.reasons[literal.variable()] {
            Reason::None => false,
            Reason::Excluded(by) => is_known(by as usize),
            Reason::Clause(clause) => {
                let mut literals = self.clauses.literals(clause);
                literals.all(|other| is_known(other.variable()))
            }
        }
    }

    /// Undoes all assignments above a level, and saves their values as phases.
    fn backtrack(&mut self, level: usize) {
        debug_assert!(self.propagated <= self.trail.len());
        let Some(&start) = self.level_starts.get(level) else {
            return;
        };
        for &literal in &self.trail[start..] {
            let variable = literal.variable();
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            self.phases[variable] = literal.is_positive();
            self.order.push(variable);
        }
        self.trail.truncate(start);
        self.level_starts.truncate(level);
        self.propagated = start;
    }

    /// Keeps the learnt clauses with the lowest glue: half of all, and any others with a low glue, as far as they fit into half
    /// of the memory that the formula leaves. Removes the other learnt clauses, and all clauses that are true at level 0.
    fn reduce(&mut self) {
        debug_assert!(self.level_starts.is_empty() && self.is_consistent());
        // The reasons of values of level 0 are never needed, so the clauses that are reasons can be removed.
        for &literal in &self.trail {
            self.reasons[literal.variable()] = Reason::None;
        }
        let mut learnt = Vec::with_capacity(self.learnt);
        let mut words_of_formula = 0;
        for clause in self.clauses.iter() {
            match self.clauses.glue(clause) {
                0 => words_of_formula += self.clauses.len(clause) + WORDS_A_CLAUSE,
                // With equal glue, the latest come first.
                glue => learnt.push((glue, Reverse(clause))),
            }
        }
        learnt.sort_unstable();
        let exclusions = self.exclusions.starts.len() + self.exclusions.excluded.len();
        let mut room =
            (self.max_bytes / size_of::<u32>()).saturating_sub(exclusions + words_of_formula) / 2;
        let half = learnt.len() / 2;
        let mut kept = 0;
        for &(glue, Reverse(clause)) in &learnt {
            let words = self.clauses.len(clause) + WORDS_A_CLAUSE;
            if words > room || (kept >= half && glue > LOW_GLUE) {
                break;
            }
            room -= words;
            kept += 1;
        }
        for &(_, Reverse(clause)) in &learnt[kept..] {
            // Marks the clause as removed: no other clause has this glue.
            self.clauses.words[clause as usize + 1] = u32::MAX;
        }
        drop(learnt);
        self.compact();
    }

    /// Returns whether every clause and every exclusion is satisfied.
    fn is_satisfied(&self) -> bool {
        let is_true = |literal| self.value(literal) == 1;
        let excludes = |variable: usize| {
            let others = &self.exclusions.excluded[self.exclusions.of(variable)];
            !others.iter().any(|&other| self.is_true(other as usize))
        };
        self.clauses
            .iter()
            .all(|clause| self.clauses.literals(clause).any(is_true))
            && (0..self.reasons.len()).all(|variable| !self.is_true(variable) || excludes(variable))
    }

    /// Returns whether everything is propagated, and trail, values, reasons, levels and watches agree.
    fn is_consistent(&self) -> bool {
        let assigned = self.values.iter().filter(|&&value| value == 1).count();
        let level_of = |literal: &Literal| self.levels[literal.variable()];
        let is_true = |literal| self.value(literal) == 1;
        let is_false = |literal| self.value(literal) == -1;
        let follows = |&literal: &Literal| match self.reasons[literal.variable()] {
            Reason::None => true,
            Reason::Excluded(by) => is_true(Literal::positive(by as usize)),
            Reason::Clause(clause) => self
                .clauses
                .literals(clause)
                .all(|other| other == literal || is_false(other)),
        };
        let is_watched = |clause: ClauseRef| {
            let mut watched = self.clauses.literals(clause).take(2);
            watched.all(|literal| {
                let watches = &self.watches.of[literal.index()];
                watches.iter().any(|watch| watch.clause == clause)
            })
        };
        // A clause with a false watched literal is true, because everything is propagated.
        let is_propagated = |clause: ClauseRef| {
            let mut watched = self.clauses.literals(clause).take(2);
            !watched.any(is_false) || self.clauses.literals(clause).any(is_true)
        };
        self.propagated == self.trail.len()
            && assigned == self.trail.len()
            && self.trail.iter().all(|&literal| is_true(literal))
            && self.trail.is_sorted_by_key(level_of)
            && self.trail.iter().all(follows)
            && self
                .clauses
                .iter()
                .all(|clause| is_watched(clause) && is_propagated(clause))
    }

    /// Frees all memory that is not needed now.
    fn shrink(&mut self) {
        self.clauses.words.shrink_to_fit();
        for watches in &mut self.watches.of {
            watches.shrink_to_fit();
        }
        self.watches.bytes = self.watches.counted();
    }

    /// Moves the clauses together, without those that are marked as removed or are true, and without false literals. Counts the
    /// learnt clauses, and makes all watches anew.
    fn compact(&mut self) {
        self.learnt = 0;
        self.watches.clear();
        let mut end = 0;
        let mut next = self.clauses.next(None);
        while let Some(clause) = next {
            next = self.clauses.next(Some(clause));
            let glue = self.clauses.glue(clause);
            let is_true = |literal| self.value(literal) == 1;
            if glue == u32::MAX || self.clauses.literals(clause).any(is_true) {
                continue;
            }
            let start = end + HEADER;
            let from = clause as usize + HEADER;
            let mut to = start;
            for at in from..from + self.clauses.len(clause) {
                let literal = Literal(self.clauses.words[at]);
                if self.value(literal) == 0 {
                    self.clauses.words[to] = literal.0;
                    to += 1;
                }
            }
            debug_assert!(to - start >= 2, "everything certain is propagated");
            self.clauses.words[end] = (to - start) as u32;
            self.clauses.words[end + 1] = glue;
            self.learnt += usize::from(glue > 0);
            self.watch(end as ClauseRef);
            end = to;
        }
        self.clauses.words.truncate(end);
        debug_assert_eq!(self.watches.bytes, self.watches.counted());
    }
}

#[cfg(test)]
impl Cdcl {
    /// Sets the memory bound.
    pub fn limit_bytes(&mut self, bytes: usize) {
        self.max_bytes = bytes;
    }
}

#[cfg(test)]
mod tests {
    use batsat::{BasicSolver, Lit, SolverInterface, lbool};

    use super::*;

    /// Returns a formula with n pigeons in n - 1 holes: unsatisfiable, and hard for clause learning.
    fn pigeons(number: usize) -> Cdcl {
        let holes = number - 1;
        let mut cdcl = Cdcl::new(number * holes);
        let in_hole = |hole| (0..number).map(move |pigeon| (pigeon * holes + hole) as u32);
        let sets: Vec<Vec<u32>> = (0..holes).map(|hole| in_hole(hole).collect()).collect();
        assert!(cdcl.set_at_most_one(&sets));
        for pigeon in 0..number {
            let somewhere = (0..holes).map(|hole| Literal::positive(pigeon * holes + hole));
            cdcl.add_clause(&somewhere.collect::<Vec<_>>());
        }
        cdcl
    }

    #[test]
    fn pigeons_do_not_fit_into_fewer_holes() {
        for number in 2..8 {
            let ended = pigeons(number).solve(&mut |_| true);
            assert_eq!(ended, Satisfiability::Unsatisfiable, "{number} pigeons");
        }
    }

    /// A formula: the number of variables, its at-most-one sets, and its clauses. In a clause, n is variable n - 1, and -n its
    /// negation.
    #[derive(Debug)]
    struct RandomFormula {
        variables: usize,
        exclusions: Vec<Vec<u32>>,
        clauses: Vec<Vec<isize>>,
    }

    impl RandomFormula {
        /// Draws a formula. About half of these are satisfiable.
        fn new(random: &mut Random) -> RandomFormula {
            let variables = 8 + random.below(60) as usize;
            let mut variable = || random.below(variables as u32);
            let exclusions = (0..variables / 10).map(|_| {
                let mut set: Vec<u32> = (0..3).map(|_| variable()).collect();
                set.sort_unstable();
                set.dedup();
                set
            });
            let exclusions: Vec<Vec<u32>> = exclusions.collect();
            let clauses = (0..variables * 39 / 10).map(|_| {
                let literal = |_| {
                    let literal = random.below(variables as u32) as isize + 1;
                    if random.below(2) == 0 {
                        literal
                    } else {
                        -literal
                    }
                };
                (0..3).map(literal).collect()
            });
            RandomFormula {
                variables,
                clauses: clauses.collect(),
                exclusions,
            }
        }

        fn cdcl(&self) -> Cdcl {
            let mut cdcl = Cdcl::new(self.variables);
            assert!(cdcl.set_at_most_one(&self.exclusions));
            for clause in &self.clauses {
                let literal = |&literal: &isize| {
                    let positive = Literal::positive(literal.unsigned_abs() - 1);
                    if literal > 0 { positive } else { !positive }
                };
                let mut clause: Vec<Literal> = clause.iter().map(literal).collect();
                clause.sort_unstable_by_key(|literal| literal.index());
                clause.dedup();
                cdcl.add_clause(&clause);
            }
            cdcl
        }

        /// Returns whether batsat, another solver, finds the formula satisfiable.
        fn is_satisfiable(&self) -> bool {
            let mut solver = BasicSolver::default();
            let mut add = |clause: &[isize]| {
                let literal = |&literal: &isize| {
                    let variable = solver.var_of_int(literal.unsigned_abs() as u32 - 1);
                    Lit::new(variable, literal > 0)
                };
                let mut clause = clause.iter().map(literal).collect();
                solver.add_clause_reuse(&mut clause);
            };
            for clause in &self.clauses {
                add(clause);
            }
            for set in &self.exclusions {
                for (number, &a) in set.iter().enumerate() {
                    for &b in &set[..number] {
                        add(&[a, b].map(|variable| -(variable as isize + 1)));
                    }
                }
            }
            solver.solve_limited(&[]) == lbool::TRUE
        }

        /// Returns whether the values that were found satisfy the formula.
        fn is_satisfied_by(&self, found: &Cdcl) -> bool {
            let holds =
                |&literal: &isize| found.is_true(literal.unsigned_abs() - 1) == (literal > 0);
            let number_true = |set: &Vec<u32>| {
                let of_set = set
                    .iter()
                    .filter(|&&variable| found.is_true(variable as usize));
                of_set.count()
            };
            self.clauses.iter().all(|clause| clause.iter().any(holds))
                && self.exclusions.iter().all(|set| number_true(set) <= 1)
        }
    }

    #[test]
    fn random_formulas_are_decided_as_by_another_solver() {
        let mut random = Random::new(1);
        let mut satisfiable = 0;
        let number = 1000;
        for _ in 0..number {
            let formula = RandomFormula::new(&mut random);
            let mut cdcl = formula.cdcl();
            let found = cdcl.solve(&mut |_| true);
            if formula.is_satisfiable() {
                satisfiable += 1;
                assert_eq!(found, Satisfiability::Satisfiable, "{formula:?}");
                assert!(formula.is_satisfied_by(&cdcl), "{formula:?}");
            } else {
                assert_eq!(found, Satisfiability::Unsatisfiable, "{formula:?}");
            }
        }
        assert!(
            (number / 4..number / 4 * 3).contains(&satisfiable),
            "{satisfiable} are satisfiable"
        );
    }

    #[test]
    fn memory_stays_within_its_bound_and_is_counted_as_it_is() {
        for bytes in [30_000, 60_000, 120_000] {
            let mut cdcl = pigeons(10);
            cdcl.limit_bytes(bytes);
            let mut conflicts = 0;
            for _ in 0..100 {
                let until = conflicts + 50;
                cdcl.solve(&mut |step| {
                    conflicts += u64::from(step == Step::Conflict);
                    conflicts < until
                });
                assert_eq!(cdcl.watches.bytes, cdcl.watches.counted());
                // One more clause, and an eighth of spare capacity.
                let most = bytes + bytes / 8 + (4 << 12);
                assert!(cdcl.bytes() <= most, "{} of {bytes}", cdcl.bytes());
            }
            assert!(conflicts >= 4000, "{conflicts} conflicts");
        }
    }

    #[test]
    fn a_formula_without_room_is_refused() {
        for bytes in [0, 1000] {
            let mut cdcl = pigeons(6);
            cdcl.limit_bytes(bytes);
            assert!(!cdcl.set_at_most_one(&[vec![0, 1, 2]]));
        }
    }
}
