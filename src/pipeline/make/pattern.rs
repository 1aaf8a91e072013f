//! Makes puzzles whose givens are in the cells of a pattern (`--pattern`), by hill climbing on the
//! number of solutions.
//!
//! A *climb* begins with the digits that a random solution has in the cells of the pattern. A *move*
//! gives one cell, or two, another digit. It is accepted if the puzzle still has a solution and no
//! more of them than before; one move in twenty may add an eighth. Solutions are counted only as far
//! as this decides. A climb ends at a puzzle with one solution, or after `MAX_STALE` moves without
//! fewer solutions than ever before.
//!
//! Each move of a climb has random numbers of its own. So several moves can be tried together, from
//! the same puzzle: the first one that is accepted counts, and those after it are tried again from
//! the new puzzle. The result is the same as for one move at a time.

use std::ops::ControlFlow;

use super::group::Original;
use crate::pipeline::solve::solve_puzzles;
use crate::pipeline::write::emit::Emitter;
use engine::puzzle::Givens;
use engine::random::Random;
use engine::rules::Rules;
use engine::solver::Progress;
use engine::verify::digits_and_candidates;

/// Solutions are counted up to this number.
// Tried, with 400 and 1,000 stale moves: 20, 50, 250. About as fast for a heart of 29 cells (250: half),
// for one of 20 cells 20 takes twice as long.
const MAX_SOLUTIONS: u64 = 100;
const MAX_STALE: u64 = 1_000;
/// The number of moves that are tried together: enough to fill every lane several times.
const MOVES_PER_ROUND: usize = 256;
/// The maximum number of moves of a climb that are tried together.
const MOVES_PER_CLIMB: usize = 16;

struct Climb {
    digits: Vec<u8>,
    /// Up to `MAX_SOLUTIONS`.
    solutions: u64,
    /// The least number of solutions so far.
    least: u64,
    seed: u64,
    /// The number of moves that are decided.
    moves: u64,
    /// The number of moves since `least` has changed.
    stale: u64,
}

/// The puzzle after a move.
struct Move {
    /// The index of its climb.
    climb: usize,
    digits: Vec<u8>,
    /// It is accepted with so many solutions, but not with none.
    most: u64,
}

/// The puzzle of `template`, with a pattern that has its givens.
pub(super) struct PatternSearch<'s, 'p, 'a> {
    template: &'s Original<'p, 'a>,
    /// The cells of the pattern that are blank in the template.
    cells: Vec<usize>,
    emitter: &'s mut Emitter<'p, 'a>,
}

impl<'s, 'p, 'a> PatternSearch<'s, 'p, 'a> {
    pub fn new(
        pattern: &[bool],
        template: &'s Original<'p, 'a>,
        emitter: &'s mut Emitter<'p, 'a>,
    ) -> PatternSearch<'s, 'p, 'a> {
        let is_free = |&cell: &usize| pattern[cell] && template.puzzle[cell] == 0;
        let cells = (0..pattern.len()).filter(is_free).collect();
        PatternSearch { template, cells, emitter }
    }

    /// Climbs from each of these solutions, with its seed. Returns the puzzles with one solution.
    pub fn climb(&mut self, solutions: &[(u64, Vec<u8>)]) -> ControlFlow<(), Vec<Vec<u8>>> {
        let mut climbs = self.begin(solutions)?;
        loop {
            let open = (0..climbs.len()).filter(|&at| climbs[at].is_open());
            let open: Vec<usize> = open.collect();
            if open.is_empty() || self.cells.is_empty() {
                let made = climbs.into_iter().filter(|climb| climb.solutions == 1);
                return ControlFlow::Continue(made.map(|climb| climb.digits).collect());
            }
            let each = (MOVES_PER_ROUND / open.len()).clamp(1, MOVES_PER_CLIMB) as u64;
            let rules = self.template.batch.rules.ruleset(self.template.index);
            let moves = open.iter().flat_map(|&at| {
                let climb = &climbs[at];
                let new = |number| climb.propose(at, number, &self.cells, &rules.rules);
                // With so many solutions, nearly every move is accepted.
                let tried = if climb.solutions == MAX_SOLUTIONS { 1 } else { each };
                (climb.moves..climb.moves + tried).map(new).collect::<Vec<Move>>()
            });
            let moves: Vec<Move> = moves.collect();
            let counts = self.count(&moves)?;
            let mut counts = counts.as_slice();
            for of_climb in moves.chunk_by(|one, other| one.climb == other.climb) {
                let (first, rest) = counts.split_at(of_climb.len());
                climbs[of_climb[0].climb].advance(of_climb, first);
                counts = rest;
            }
        }
    }

    fn begin(&mut self, solutions: &[(u64, Vec<u8>)]) -> ControlFlow<(), Vec<Climb>> {
        let mut moves = Vec::new();
        for (climb, (_, solution)) in solutions.iter().enumerate() {
            let mut digits = self.template.puzzle.to_vec();
            self.cells.iter().for_each(|&cell| digits[cell] = solution[cell]);
            moves.push(Move { climb, digits, most: MAX_SOLUTIONS });
        }
        let counts = self.count(&moves)?.into_iter();
        let new = |((begin, (seed, _)), solutions): ((Move, &(u64, _)), u64)| {
            let digits = begin.digits;
            Climb { digits, solutions, least: solutions, seed: *seed, moves: 0, stale: 0 }
        };
        ControlFlow::Continue(moves.into_iter().zip(solutions).zip(counts).map(new).collect())
    }

    /// Returns the number of solutions after each move, 0 if a limit ended the search. A number
    /// above that of `Move::most` can be too small.
    fn count(&mut self, moves: &[Move]) -> ControlFlow<(), Vec<u64>> {
        let mut counts = vec![0; moves.len()];
        // The moves of a call have about the same limit.
        let class = |at: &usize| moves[*at].most.ilog2();
        let mut order: Vec<usize> = (0..moves.len()).filter(|&at| moves[at].most > 0).collect();
        order.sort_by_key(class);
        for indices in order.chunk_by(|one, other| class(one) == class(other)) {
            let most = indices.iter().map(|&at| moves[at].most).max().expect("a chunk has moves");
            let settings = self.emitter.settings;
            let limits = settings.limits.with_solutions((most + 1).min(MAX_SOLUTIONS));
            let mut batch = self.template.batch_of(indices.len());
            indices.iter().for_each(|&at| batch.boards.digits.extend_from_slice(&moves[at].digits));
            batch.number = indices.len();
            let mut report = |progress: Progress<'_>| {
                match progress {
                    Progress::Found(index, found) => {
                        let is_known = found.complete || found.solutions == limits.solutions;
                        counts[indices[index]] = if is_known { found.solutions } else { 0 };
                    }
                    Progress::Solution(..) => {}
                    Progress::AtWork => return self.emitter.emit_if_due(),
                }
                ControlFlow::Continue(())
            };
            solve_puzzles(&batch.rules, &settings.options, limits, batch.puzzles(), &mut report)?;
        }
        self.emitter.emit_if_due()?;
        ControlFlow::Continue(counts)
    }
}

impl Climb {
    fn is_open(&self) -> bool {
        self.solutions > 1 && self.stale < MAX_STALE
    }

    /// Returns the puzzle after move `number` of this climb, whose index is `climb`.
    fn propose(&self, climb: usize, number: u64, cells: &[usize], rules: &Rules) -> Move {
        let mut random = Random::new(Random::seed_of_line(self.seed, number + 1));
        let mut cell = || cells[random.below(cells.len() as u32) as usize];
        let changed = [cell(), cell()];
        let changed = if random.below(3) == 0 { &changed[..] } else { &changed[..1] };
        let mut digits = self.digits.clone();
        changed.iter().for_each(|&cell| digits[cell] = 0);
        for &cell in changed {
            let sets = digits_and_candidates(rules, Givens::Digits(&digits)).1;
            let others = sets[cell] & !(1 << (self.digits[cell] - 1));
            if others == 0 {
                return Move { climb, digits, most: 0 };
            }
            digits[cell] = random.bit_of(others).trailing_zeros() as u8 + 1;
        }
        let more = if random.below(20) == 0 { self.solutions / 8 } else { 0 };
        Move { climb, digits, most: (self.solutions + more).min(MAX_SOLUTIONS) }
    }

    /// Makes the first move that is accepted.
    fn advance(&mut self, moves: &[Move], counts: &[u64]) {
        for (tried, &solutions) in moves.iter().zip(counts) {
            if !self.is_open() {
                return;
            }
            self.moves += 1;
            self.stale += 1;
            if (1..=tried.most).contains(&solutions) {
                self.digits.clone_from(&tried.digits);
                self.solutions = solutions;
                if solutions < self.least {
                    (self.least, self.stale) = (solutions, 0);
                }
                return;
            }
        }
    }
}
