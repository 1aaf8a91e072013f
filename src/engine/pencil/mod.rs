//! Solves puzzles with human techniques, easiest first: for grades, hints and pencilmarks, and for
//! `solver/pencilled.rs`. Never branches: a puzzle stays unsolved if the techniques get stuck.
//!
//! The solver keeps the candidates of each cell. Placing a digit removes it from all peers of the
//! cell. In a `nonconsecutive` puzzle, this also removes the consecutive digits from the orthogonal
//! neighbours. This bookkeeping is not a step.
//!
//! A step is one application of one technique: either a digit placed, or a pattern with all
//! candidates that it removes. Each step uses the easiest technique that changes anything. Where a
//! technique finds several patterns, the step takes the first in search order: houses in the order
//! of the rules, then groups, then cages; cells and digits ascending.
//!
//! | technique | deduction | search order |
//! | --- | --- | --- |
//! | naked-single | A cell has one candidate left. | cells |
//! | hidden-single | A digit has one cell left in a house. | houses, digits |
//! | cage-combination | A combination of a cage is a choice of different digits, one candidate of each cell, that adds up to the sum. The cells lose candidates that are in no combination. | cages |
//! | locked-candidates | A house can hold a digit only in cells it shares with another house or group. The rest of this other house or group loses the digit. | confining house, other house or group, digits |
//! | cage-unit-overlap | All combinations of a cage contain a digit. Cells outside the cage that see all its cells for the digit lose the digit. | cages, digits |
//! | innies-outies | Rule of 45: the cells of a house add up to N(N+1)/2, so the sums of the cages inside it leave a sum for its other cells, the innies. If each blank innie is in a cage with a sum, the outies have a known sum too: the cells outside the house of all such cages that are partly inside. If an equation of innies, of outies or of both has at most four blank cells, they lose candidates that contradict it. | number of blank cells; houses, then unions of houses; innies, outies, both |
//! | naked-pair, -triple, -quad | k cells of a house or group together have k candidates. Its other cells lose these. | houses and groups, cells |
//! | hidden-pair, -triple, -quad | k digits together have k cells in a house. These cells lose other candidates. | houses, digits |
//! | x-wing, swordfish, jellyfish | k rows can hold a digit only in the same k columns. The other cells of these columns lose the digit. Also with rows and columns exchanged. | digits, rows before columns |
//! | xy-wing | A cell has candidates x and y; two of its peers have x, z and y, z. Common peers of the two lose z. | pivot cell, its peers |
//! | skyscraper | Two rows have two cells each for a digit. One cell of each row is in the same column. Common peers of the other two lose the digit. Also with rows and columns exchanged. | digits, rows before columns, their cells |
//! | two-string-kite | A row and a column have two cells each for a digit, without a common cell. A cell of the row sees one of the column. Common peers of the other two lose the digit. | digits, rows, columns, their cells |
//! | w-wing | Two cells have candidates x and z. A house has two cells for x: one sees the first cell, the other the second. Common peers of the first two lose z. | cells, x |
//! | xyz-wing | A cell has candidates x, y and z; two of its peers have x, z and y, z. Common peers of the three lose z. | pivot cell, its peers |
//! | finned-x-wing, -swordfish | k rows can hold a digit only in k columns, or in cells of at most two more columns: the fins. Cells of the k columns outside the rows that see all fins lose the digit. Also with rows and columns exchanged. | digits, rows before columns, base rows, columns with fins |
//! | simple-coloring | A house with two cells for a digit gives them two colors. If cells of one color see each other, all cells of this color lose the digit; otherwise cells that see both colors lose it. | digits, lowest cell |
//! | x-chain | A chain of one digit, with strong links in houses that have two cells for it. | digits, shortest chain |
//! | xy-chain | A chain whose strong links are in cells with two candidates, and whose weak links are between equal digits. | shortest chain |
//! | alternating-chain | A chain of single candidates with links of every kind. If none removes a candidate: a chain that also has nodes of several cells, which a house shares with another house or group. | shortest chain |
//! | als-xz | Two disjoint sets of cells, each in a house or group. A set of n cells has n + 1 candidates. At most one of the two can hold x. Cells that see all their cells for another common digit z lose z. | second set: number of cells, house, cells; then first set: number of cells, house, cells; x |
//!
//! A chain is a list of nodes with alternating strong and weak links. A node has a digit and one or
//! more cells, and is true if one of the cells holds the digit. At least one of two nodes with a
//! strong link is true, and at most one of two nodes with a weak link. Weak links are between
//! digits of a cell and between equal digits of peers. A chain begins and ends with a strong link,
//! so at least one of its ends is true, and candidates with weak links to both ends are removed. A
//! pair that excludes different digits, as in `nonconsecutive`, gives no weak link between these
//! digits, so chains do not use such pairs. `chains.rs` says which of several chains comes first.
//!
//! Locked candidates need a house that shares at least two cells with another house or group. A
//! group can lose a digit but cannot confine one, because it need not hold every digit; for the
//! same reason two cells for a digit in a group are no strong link. Fish use rows and columns only.
//! Peers share a house or a group, or a pair requires their digits to differ.
//!
//! The cages of a killer count as groups here, even a cage of N cells. By the convention of killer
//! solvers, the techniques for one cage come just before and just after locked candidates, and the
//! rule of 45 comes before pairs. A cage without a sum has no combinations: it is a group only. A
//! cage of one cell with a sum has one combination at most.
//!
//! Unions for the rule of 45 are those of `rules/unions.rs`, those of fewer houses first. Cells of
//! an equation that see each other hold different digits.

mod almost_locked;
mod cages;
mod chains;
mod coloring;
mod difficulty;
mod fish;
mod grading;
mod innies_outies;
mod level;
mod links;
mod locked;
mod marks;
mod paper;
mod pattern;
mod single_digit;
mod singles;
mod step;
mod subsets;
mod tables;
mod technique;
mod unions;
mod wings;

pub use difficulty::Rating;
pub use grading::Contradiction;
pub use grading::{End, Grading};
pub use level::Difficulty;
pub use paper::Paper;
pub use pattern::{Claim, Inner, Part};
pub use step::Step;
pub use technique::{Technique, TechniqueSet};

use crate::bits::bits;
use crate::error::InvalidInput;
use crate::puzzle::Givens;
use crate::rules::Rules;
use links::Scope;
use marks::Marks;
use pattern::{Pattern, Word};
use tables::Tables;
use technique::Technique::*;

/// A solver that uses human techniques. Threads can share one; each thread needs its own [`Paper`].
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Givens, Paper, Pencil, Rules, Shape, Variants};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let pencil = Pencil::new(&rules);
/// let mut paper = Paper::default();
///
/// let puzzle = [1u8, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0];
/// let grading = pencil.solve(Givens::Digits(&puzzle), &mut paper)?;
/// assert_eq!((grading.grade(), grading.steps), ("naked-single", 11));
///
/// let hint = pencil.hint(Givens::Digits(&puzzle), &mut paper)?.unwrap();
/// assert_eq!(hint.text(|digit| char::from(b'0' + digit)), "r1c4=4 naked-single");
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Debug)]
pub struct Pencil {
    tables: Tables,
    techniques: TechniqueSet,
}

impl Pencil {
    /// Creates a solver for puzzles with these rules. This takes longer if the rules have cages:
    /// each call then compares the houses with each other and with groups and cages to find
    /// shared cells. Without cages, the rules keep the result.
    #[must_use]
    pub fn new(rules: &Rules) -> Pencil {
        let mut tables = Tables::new(rules);
        tables.unions = unions::all(rules, &tables);
        Pencil { tables, techniques: TechniqueSet::default() }
    }

    /// Limits the solver to these techniques.
    #[doc(hidden)]
    #[must_use]
    pub fn with_techniques(self, techniques: TechniqueSet) -> Pencil {
        Pencil { techniques, ..self }
    }

    /// Applies techniques until the grid is full, none changes anything, or a contradiction
    /// appears. Counts the steps.
    ///
    /// If both kinds of singles may be used, places many singles at once: their order does not
    /// change the result.
    ///
    /// # Errors
    /// `givens` does not have N² entries, or has a digit above N.
    pub fn solve<'p>(
        &self,
        givens: Givens<'_>,
        paper: &'p mut Paper,
    ) -> Result<Grading<'p>, InvalidInput> {
        if self.techniques.has_singles() {
            return self.solve_within(self.techniques, givens, paper);
        }
        self.solve_step_by_step(givens, paper, &mut |_| {})
    }

    /// The techniques must include both singles.
    fn solve_within<'p>(
        &self,
        techniques: TechniqueSet,
        givens: Givens<'_>,
        paper: &'p mut Paper,
    ) -> Result<Grading<'p>, InvalidInput> {
        paper.marks.start(&self.tables, givens)?;
        let (mut hardest, mut steps) = (None, 0);
        loop {
            let blanks = paper.marks.blanks.len();
            hardest = hardest.max(singles::place_all(&self.tables, &mut paper.marks));
            steps += (blanks - paper.marks.blanks.len()) as u32;
            paper.marks.has_contradiction |=
                cages::find_wrong_sum(&self.tables, &paper.marks).is_some();
            if paper.marks.has_contradiction || paper.marks.is_full() {
                break;
            }
            paper.marks.record_changes(&self.tables);
            let Some((technique, _)) = self.find_elimination(techniques, paper) else {
                break;
            };
            hardest = hardest.max(Some(technique));
            steps += 1;
            paper.marks.apply_eliminations();
        }
        Ok(paper.marks.grading(hardest, steps))
    }

    /// Like [`Pencil::solve`], but takes one step at a time and calls `on_step` with each. Both
    /// return the same result.
    ///
    /// # Errors
    /// As [`Pencil::solve`].
    pub fn solve_step_by_step<'p>(
        &self,
        givens: Givens<'_>,
        paper: &'p mut Paper,
        on_step: &mut dyn FnMut(&Step),
    ) -> Result<Grading<'p>, InvalidInput> {
        paper.marks.start(&self.tables, givens)?;
        let (mut hardest, mut steps) = (None, 0);
        while let Some(step) = self.find_step(paper) {
            hardest = hardest.max(Some(step.technique));
            steps += 1;
            on_step(&step);
            match step.placement {
                Some((cell, digit)) => paper.marks.place(&self.tables, cell, digit),
                None => paper.marks.apply_eliminations(),
            }
        }
        Ok(paper.marks.grading(hardest, steps))
    }

    /// Applies the techniques one step at a time, and calls `on_step` with each step, until a
    /// contradiction appears. Returns `None` if the steps end without a contradiction.
    ///
    /// # Errors
    /// As [`Pencil::solve`].
    #[doc(hidden)]
    pub fn find_contradiction(
        &self,
        givens: Givens<'_>,
        paper: &mut Paper,
        on_step: &mut dyn FnMut(&Step),
    ) -> Result<Option<Contradiction>, InvalidInput> {
        self.solve_step_by_step(givens, paper, on_step)?;
        Ok(singles::find_contradiction(&self.tables, &paper.marks))
    }

    /// Returns the next step, or `None` if the grid is full, no technique applies, or there is a
    /// contradiction.
    ///
    /// # Errors
    /// As [`Pencil::solve`].
    pub fn hint(
        &self,
        givens: Givens<'_>,
        paper: &mut Paper,
    ) -> Result<Option<Step>, InvalidInput> {
        paper.marks.start(&self.tables, givens)?;
        Ok(self.find_step(paper))
    }

    /// Goes on where [`Pencil::solve_step_by_step`] got stuck in a classic 9x9 puzzle with one
    /// solution: a step of the scale of [`Difficulty`], then techniques again, until the grid is
    /// full. Returns false if the time is up, or if no step is found.
    #[doc(hidden)]
    pub fn continue_by_scale(
        &self,
        paper: &mut Paper,
        is_time_up: &dyn Fn() -> bool,
        on_step: &mut dyn FnMut(&Step),
    ) -> bool {
        while !paper.marks.is_full() {
            let step = self.find_step(paper);
            let Some(step) = step.or_else(|| self.find_step_of_scale(paper, is_time_up)) else {
                return false;
            };
            on_step(&step);
            match step.placement {
                Some((cell, digit)) => paper.marks.place(&self.tables, cell, digit),
                None => paper.marks.apply_eliminations(),
            }
        }
        true
    }

    /// Returns the step after which the techniques leave the fewest candidates, of those with the
    /// least level. [`Pencil::hint`] has returned `None` for a puzzle as in
    /// [`Pencil::continue_by_scale`].
    #[doc(hidden)]
    pub fn find_step_of_scale(
        &self,
        paper: &mut Paper,
        is_time_up: &dyn Fn() -> bool,
    ) -> Option<Step> {
        let marks = &mut paper.marks;
        if marks.is_full() || marks.has_contradiction || !self.techniques.has_steps_of_scale() {
            return None;
        }
        let mut candidates = [0; 81];
        for &cell in &marks.blanks {
            candidates[usize::from(cell)] = marks.candidates[cell];
        }
        let mut steps = difficulty::steps_of_round(&candidates, self.techniques, is_time_up);
        // Of equal deductions, the shortest text.
        let deduction = |step: &Step| (step.placement, step.removals.clone());
        steps.sort_by_cached_key(|step| (deduction(step), step.text(|_| '1').len()));
        steps.dedup_by_key(|step| deduction(step));
        let mut trial = Paper::default();
        let left = |step: &Step| self.candidates_left_after(step, marks, &mut trial);
        steps.sort_by_cached_key(left);
        let step = steps.into_iter().next()?;
        let removals = step.removals.iter();
        marks.eliminate_each(removals.map(|&(cell, digit)| (cell, 1 << (digit - 1))));
        Some(step)
    }

    /// Returns how many candidates the techniques leave after this step.
    fn candidates_left_after(&self, step: &Step, marks: &Marks, trial: &mut Paper) -> u32 {
        let mut sets = marks.sets().to_vec();
        if let Some((cell, digit)) = step.placement {
            sets[usize::from(cell)] = 1 << (digit - 1);
        }
        for &(cell, digit) in &step.removals {
            sets[usize::from(cell)] &= !(1 << (digit - 1));
        }
        let grading = self.solve(Givens::Candidates(&sets), trial).expect("the sets fit");
        match grading.end {
            End::Stuck(sets) => sets.iter().map(|set| set.count_ones()).sum(),
            End::Solved(_) | End::Contradiction => 0,
        }
    }

    /// Like [`Pencil::hint`]. `paper.marks` then records whether there is a contradiction.
    fn find_step(&self, paper: &mut Paper) -> Option<Step> {
        let (tables, marks) = (&self.tables, &mut paper.marks);
        marks.eliminations.clear();
        marks.has_contradiction |= singles::find_contradiction(tables, marks).is_some();
        if marks.has_contradiction || marks.is_full() {
            return None;
        }
        let may_use = |technique| self.techniques.contains(technique);
        let (technique, placement, pattern) = if may_use(NakedSingle)
            && let Some(single) = singles::find_naked(marks)
        {
            (NakedSingle, Some(single), Vec::new())
        } else if may_use(HiddenSingle)
            && let Some((cell, digit, house)) = singles::find_hidden(tables, marks)
        {
            (HiddenSingle, Some((cell, digit)), vec![Word::House(house)])
        } else {
            marks.record_changes(tables);
            let (technique, pattern) = self.find_elimination(self.techniques, paper)?;
            (technique, None, pattern)
        };
        debug_assert!(placement.is_none() || paper.marks.eliminations.is_empty());
        let removals = paper.marks.eliminations.iter().flat_map(|&(cell, set)| {
            let digits = bits(set);
            digits.map(move |digit| (cell, digit as u8 + 1))
        });
        Some(Step {
            technique,
            placement,
            removals: removals.collect(),
            level: None,
            side: tables.side,
            pattern,
        })
    }

    fn find_elimination(
        &self,
        techniques: TechniqueSet,
        paper: &mut Paper,
    ) -> Option<(Technique, Pattern)> {
        // The first two techniques, the singles, place digits.
        let removing = Technique::NAMES[2..].iter().map(|&(_, technique)| technique);
        let mut usable = removing.filter(|&technique| techniques.contains(technique));
        usable.find_map(|technique| {
            // No easier technique needs the positions of digits.
            if technique >= HiddenPair {
                paper.marks.update_all_positions(&self.tables);
            }
            Some((technique, self.find(technique, paper)?))
        })
    }

    fn find(&self, technique: Technique, paper: &mut Paper) -> Option<Pattern> {
        let last_changes = paper.marks.history.last_changes(&self.tables, technique);
        if technique == InniesOuties {
            return innies_outies::find(&self.tables, &mut paper.marks, &last_changes);
        }
        (0..).zip(last_changes).find_map(|(part, last_change)| {
            if *paper.marks.history.searched(technique, part) >= last_change {
                return None;
            }
            let pattern = self.find_in(technique, part, paper);
            if pattern.is_none() {
                let history = &mut paper.marks.history;
                *history.searched(technique, part) = history.now;
            }
            pattern
        })
    }

    /// `part` is an index in the result of `History::last_changes`.
    fn find_in(&self, technique: Technique, part: usize, paper: &mut Paper) -> Option<Pattern> {
        let (tables, marks) = (&self.tables, &mut paper.marks);
        match technique {
            NakedSingle | HiddenSingle => unreachable!("these remove nothing"),
            InniesOuties => unreachable!("`find` handles all equations together"),
            CageCombination | CageUnitOverlap => {
                cages::find(tables, marks, &mut paper.combinations, technique, part)
            }
            LockedCandidates => locked::find(tables, marks, part),
            NakedPair => subsets::find_naked::<2>(tables, marks, part),
            NakedTriple => subsets::find_naked::<3>(tables, marks, part),
            NakedQuad => subsets::find_naked::<4>(tables, marks, part),
            HiddenPair => subsets::find_hidden::<2>(tables, marks, part),
            HiddenTriple => subsets::find_hidden::<3>(tables, marks, part),
            HiddenQuad => subsets::find_hidden::<4>(tables, marks, part),
            XWing => fish::find::<2, 2>(tables, marks, part),
            Swordfish => fish::find::<3, 3>(tables, marks, part),
            Jellyfish => fish::find::<4, 4>(tables, marks, part),
            XyWing => wings::find(tables, marks, 2),
            Skyscraper => single_digit::find_skyscraper(tables, marks, part),
            TwoStringKite => single_digit::find_two_string_kite(tables, marks, part),
            WWing => wings::find_w_wing(tables, marks),
            XyzWing => wings::find(tables, marks, 3),
            FinnedXWing => fish::find::<2, 4>(tables, marks, part),
            FinnedSwordfish => fish::find::<3, 5>(tables, marks, part),
            SimpleColoring => coloring::find(tables, marks, part),
            XChain => chains::find(tables, marks, Scope::Digit(part)),
            XyChain => chains::find(tables, marks, Scope::Cells),
            AlternatingChain => {
                let found = chains::find(tables, marks, Scope::Candidates);
                found.or_else(|| chains::find(tables, marks, Scope::Grouped))
            }
            AlsXz => almost_locked::find(tables, marks),
            _ => unreachable!("a person does not use the techniques of the scale alone"),
        }
    }
}
