//! Combines the results of lanes that share the search of one puzzle.
//!
//! Once no puzzle waits, idle lanes take open branches of busy ones. Each lane then searches a part of the puzzle. The parts
//! are combined in the order in which a single lane would search them. The result, including the number of branches, is
//! therefore the same as without sharing.

/// The maximum number of wanted solutions for which lanes share a puzzle.
pub(super) const MOST_SOLUTIONS: usize = 2;

/// The result of a search or of a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PartResult {
    /// Branches taken.
    pub guesses: u64,
    pub solutions: u64,
    /// Branches taken before each of the solutions.
    pub guesses_before: [u64; MOST_SOLUTIONS],
    /// The first solution, if it is wanted.
    pub first: Vec<u8>,
    /// True if the search reached its branch budget.
    pub over_budget: bool,
}

/// The puzzles that lanes share.
#[derive(Debug)]
pub(super) struct Sharing {
    searches: Vec<SharedSearch>,
    /// The wanted number of solutions.
    wanted: u64,
    /// The maximum number of branches of a puzzle in the lanes.
    branch_budget: u64,
}

/// The parts of one puzzle's search.
#[derive(Debug)]
struct SharedSearch {
    index: usize,
    /// In the order in which one lane would search them.
    parts: Vec<Part>,
}

/// The part of a search that one lane runs, from the start or from a branch of another lane.
#[derive(Debug)]
struct Part {
    lane: usize,
    outcome: Option<PartResult>,
}

impl Part {
    fn of(lane: usize) -> Part {
        Part {
            lane,
            outcome: None,
        }
    }
}

impl Sharing {
    /// Returns a state without shared puzzles.
    pub fn new(wanted: u64, branch_budget: u64) -> Sharing {
        debug_assert!(wanted <= MOST_SOLUTIONS as u64);
        Sharing {
            searches: Vec::new(),
            wanted,
            branch_budget,
        }
    }

    /// Records that lane `from` gives lane `to` the branch that it would have searched last.
    pub fn share_branch(&mut self, index: usize, from: usize, to: usize) {
        let mut parts = self.searches.iter().flat_map(|search| &search.parts);
        debug_assert!(
            parts.all(|part| !part.is_searched_by(to)),
            "lane {to} is idle"
        );
        let known = self
            .searches
            .iter()
            .position(|search| search.index == index);
        let at = known.unwrap_or_else(|| {
            let parts = vec![Part::of(from)];
            self.searches.push(SharedSearch { index, parts });
            self.searches.len() - 1
        });
        let parts = &mut self.searches[at].parts;
        let donor = parts.iter().position(|part| part.is_searched_by(from));
        parts.insert(
            donor.expect("a lane that searches the puzzle") + 1,
            Part::of(to),
        );
    }

    /// Records the result of a lane's part. If the result of the puzzle is now known, returns it, with a mask of the lanes that
    /// were still searching and are free now.
    pub fn end(
        &mut self,
        index: usize,
        lane: usize,
        outcome: PartResult,
    ) -> Option<(PartResult, u32)> {
        debug_assert!(outcome.solutions <= self.wanted && outcome.guesses <= self.branch_budget);
        let before = &outcome.guesses_before[..outcome.solutions as usize];
        debug_assert!(
            before.is_sorted() && before.iter().all(|&guesses| guesses <= outcome.guesses)
        );
        let at = self
            .searches
            .iter()
            .position(|search| search.index == index);
        let at = at.expect("a puzzle that lanes share");
        let search = &mut self.searches[at];
        let part = search
            .parts
            .iter_mut()
            .find(|part| part.is_searched_by(lane));
        part.expect("a lane that searches the puzzle").outcome = Some(outcome);
        let outcome = search.outcome(self.wanted, self.branch_budget)?;
        let search = self.searches.swap_remove(at);
        let at_work = search.parts.iter().filter(|part| part.outcome.is_none());
        let freed = at_work.fold(0, |lanes, part| lanes | 1 << part.lane);
        Some((outcome, freed))
    }
}

impl Part {
    fn is_searched_by(&self, lane: usize) -> bool {
        self.lane == lane && self.outcome.is_none()
    }
}

impl SharedSearch {
    /// Returns the result that one lane would have found, once enough parts have ended.
    fn outcome(&self, wanted: u64, branch_budget: u64) -> Option<PartResult> {
        let mut whole = PartResult::default();
        for part in &self.parts {
            let part = part.outcome.as_ref()?;
            debug_assert!(whole.guesses <= branch_budget && whole.solutions < wanted);
            let left = branch_budget - whole.guesses;
            let before = part.guesses_before.iter().take(part.solutions as usize);
            for &guesses in before.take_while(|&&guesses| guesses <= left) {
                if whole.solutions == 0 {
                    whole.first.clone_from(&part.first);
                }
                whole.solutions += 1;
                if whole.solutions == wanted {
                    whole.guesses += guesses;
                    return Some(whole);
                }
            }
            if part.over_budget || part.guesses > left {
                whole.guesses = branch_budget;
                whole.over_budget = true;
                return Some(whole);
            }
            whole.guesses += part.guesses;
        }
        Some(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the result of a part with these numbers of branches, in total and before each solution.
    fn part(guesses: u64, before: &[u64], first: u8) -> PartResult {
        let mut guesses_before = [0; MOST_SOLUTIONS];
        guesses_before[..before.len()].copy_from_slice(before);
        PartResult {
            guesses,
            solutions: before.len() as u64,
            guesses_before,
            first: vec![first],
            over_budget: false,
        }
    }

    /// Combines parts that end in the order of `ends`.
    fn combine(parts: &[PartResult], ends: &[usize], wanted: u64) -> (u64, u64, Vec<u8>, bool) {
        let mut sharing = Sharing::new(wanted, 10);
        // The first lane gives all its branches away, beginning with the one that it would have searched last.
        for lane in (1..parts.len()).rev() {
            sharing.share_branch(7, 0, lane);
        }
        sharing.share_branch(8, 30, 31);
        for &lane in ends {
            let Some((outcome, freed)) = sharing.end(7, lane, parts[lane].clone()) else {
                continue;
            };
            let ended = ends.iter().take_while(|&&it| it != lane).chain([&lane]);
            let all = (1 << parts.len()) - 1;
            assert_eq!(freed, ended.fold(all, |lanes, lane| lanes & !(1 << lane)));
            assert_eq!(sharing.searches.len(), 1, "the other puzzle's");
            let first = if outcome.solutions == 0 {
                vec![]
            } else {
                outcome.first
            };
            return (
                outcome.guesses,
                outcome.solutions,
                first,
                outcome.over_budget,
            );
        }
        panic!("no parts are left, and no answer");
    }

    #[test]
    fn combined_parts_give_the_result_of_one_lane() {
        let none = |guesses| part(guesses, &[], 9);
        let over_budget = PartResult {
            over_budget: true,
            ..none(1)
        };
        let table = [
            (vec![none(3), none(4), none(2)], 2, (9, 0, vec![], false)),
            (
                vec![none(3), part(4, &[1], 5), none(2)],
                2,
                (9, 1, vec![5], false),
            ),
            // The second solution is in another part: later branches do not count.
            (
                vec![part(3, &[2], 4), part(4, &[1], 5), none(2)],
                2,
                (4, 2, vec![4], false),
            ),
            (
                vec![none(3), part(4, &[1, 4], 5), none(2)],
                2,
                (7, 2, vec![5], false),
            ),
            (
                vec![none(3), part(1, &[1], 5), part(2, &[2], 6)],
                1,
                (4, 1, vec![5], false),
            ),
            // The budget is ten branches.
            (vec![none(5), none(5), none(0)], 2, (10, 0, vec![], false)),
            (vec![none(5), none(6), none(0)], 2, (10, 0, vec![], true)),
            (
                vec![part(5, &[1], 4), part(6, &[6], 5), none(0)],
                2,
                (10, 1, vec![4], true),
            ),
            (
                vec![part(5, &[1], 4), part(6, &[5], 5), none(0)],
                2,
                (10, 2, vec![4], false),
            ),
            (
                vec![none(1), over_budget.clone(), none(1)],
                2,
                (10, 0, vec![], true),
            ),
            (
                vec![part(2, &[1, 2], 3), over_budget, none(1)],
                2,
                (2, 2, vec![3], false),
            ),
        ];
        for (parts, wanted, expected) in table {
            for ends in [
                [0, 1, 2],
                [0, 2, 1],
                [1, 0, 2],
                [1, 2, 0],
                [2, 0, 1],
                [2, 1, 0],
            ] {
                let found = combine(&parts, &ends, wanted);
                assert_eq!(found, expected, "{parts:?} in the order {ends:?}");
            }
        }
    }

    #[test]
    fn a_branch_given_away_twice_follows_the_part_of_its_last_donor() {
        // Lane 1 takes the last branch of lane 0 and hands one on to lane 2: 0, 1, 2 in order.
        let mut sharing = Sharing::new(2, 10);
        sharing.share_branch(7, 0, 1);
        sharing.share_branch(7, 1, 2);
        assert_eq!(sharing.end(7, 2, part(1, &[1], 6)), None);
        assert_eq!(sharing.end(7, 1, part(2, &[2], 5)), None);
        // Lane 1 is free and takes another branch, which precedes its first one.
        sharing.share_branch(7, 0, 1);
        assert_eq!(sharing.end(7, 1, part(3, &[], 9)), None);
        let (outcome, freed) = sharing.end(7, 0, part(1, &[], 9)).unwrap();
        let PartResult {
            guesses,
            solutions,
            first,
            ..
        } = outcome;
        assert_eq!((guesses, solutions, first, freed), (7, 2, vec![5], 0));
    }
}
