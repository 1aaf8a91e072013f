//! Searches that lanes share: once no puzzle waits, idle lanes take over branches of those that are still searched. What
//! comes of a puzzle is what one lane alone would find, in as many branches: parts are put together in the order in which
//! it would go through them.

/// As many solutions a puzzle may be asked for if lanes are to share it.
pub(super) const MOST_SOLUTIONS: usize = 2;

/// What came of a search, or of a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Branches taken.
    pub guesses: u64,
    pub solutions: u64,
    /// Branches taken before each of the solutions.
    pub guesses_before: [u64; MOST_SOLUTIONS],
    /// The first solution, if it is to be shown.
    pub first: Vec<u8>,
    /// More branches were needed than a lane takes.
    pub stubborn: bool,
}

/// The puzzles that lanes share.
#[derive(Debug)]
pub(super) struct Sharing {
    searches: Vec<Search>,
    /// How many solutions are wanted, and how many branches a puzzle may take.
    wanted: u64,
    pause: u64,
}

/// The search of one puzzle.
#[derive(Debug)]
struct Search {
    index: usize,
    /// As one lane would go through them.
    parts: Vec<Part>,
}

/// What one lane goes through, from a branch that another handed on or from the start.
#[derive(Debug)]
struct Part {
    lane: usize,
    outcome: Option<Outcome>,
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
    /// No puzzle is shared yet.
    pub fn new(wanted: u64, pause: u64) -> Sharing {
        debug_assert!(wanted <= MOST_SOLUTIONS as u64);
        Sharing {
            searches: Vec::new(),
            wanted,
            pause,
        }
    }

    /// A lane hands the last that it would have come to on to another.
    pub fn hand_on(&mut self, index: usize, from: usize, to: usize) {
        let known = self
            .searches
            .iter()
            .position(|search| search.index == index);
        let at = known.unwrap_or_else(|| {
            let parts = vec![Part::of(from)];
            self.searches.push(Search { index, parts });
            self.searches.len() - 1
        });
        let parts = &mut self.searches[at].parts;
        let giver = parts.iter().position(|part| part.is_at_work_in(from));
        parts.insert(giver.expect("a lane that is at it") + 1, Part::of(to));
    }

    /// A lane has gone through its part. If that answers the puzzle: how, and the lanes that were still at it, which are
    /// free now.
    pub fn end(&mut self, index: usize, lane: usize, outcome: Outcome) -> Option<(Outcome, u32)> {
        let at = self
            .searches
            .iter()
            .position(|search| search.index == index);
        let at = at.expect("a puzzle that lanes share");
        let search = &mut self.searches[at];
        let part = search
            .parts
            .iter_mut()
            .find(|part| part.is_at_work_in(lane));
        part.expect("a lane that is at it").outcome = Some(outcome);
        let outcome = search.outcome(self.wanted, self.pause)?;
        let search = self.searches.swap_remove(at);
        let at_work = search.parts.iter().filter(|part| part.outcome.is_none());
        let freed = at_work.fold(0, |lanes, part| lanes | 1 << part.lane);
        Some((outcome, freed))
    }
}

impl Part {
    fn is_at_work_in(&self, lane: usize) -> bool {
        self.lane == lane && self.outcome.is_none()
    }
}

impl Search {
    /// What one lane would have found, once the parts tell.
    fn outcome(&self, wanted: u64, pause: u64) -> Option<Outcome> {
        let mut whole = Outcome::default();
        for part in &self.parts {
            let part = part.outcome.as_ref()?;
            let left = pause - whole.guesses;
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
            if part.stubborn || part.guesses > left {
                whole.guesses = pause;
                whole.stubborn = true;
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

    /// A part with solutions before which so many branches were taken, and after which the last.
    fn part(guesses: u64, before: &[u64], first: u8) -> Outcome {
        let mut guesses_before = [0; MOST_SOLUTIONS];
        guesses_before[..before.len()].copy_from_slice(before);
        Outcome {
            guesses,
            solutions: before.len() as u64,
            guesses_before,
            first: vec![first],
            stubborn: false,
        }
    }

    /// What is found in parts that end in the order of `ends`.
    fn put_together(parts: &[Outcome], ends: &[usize], wanted: u64) -> (u64, u64, Vec<u8>, bool) {
        let mut sharing = Sharing::new(wanted, 10);
        // The first lane hands on each of its branches: what it gives last, it would have come to first.
        for lane in (1..parts.len()).rev() {
            sharing.hand_on(7, 0, lane);
        }
        sharing.hand_on(8, 30, 31);
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
            return (outcome.guesses, outcome.solutions, first, outcome.stubborn);
        }
        panic!("no parts are left, and no answer");
    }

    #[test]
    fn parts_come_to_what_one_lane_would_find() {
        let none = |guesses| part(guesses, &[], 9);
        let stubborn = Outcome {
            stubborn: true,
            ..none(1)
        };
        let table = [
            (vec![none(3), none(4), none(2)], 2, (9, 0, vec![], false)),
            (
                vec![none(3), part(4, &[1], 5), none(2)],
                2,
                (9, 1, vec![5], false),
            ),
            // The second solution is in another part: what comes after it does not count.
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
            // Ten branches are as many as a puzzle may take.
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
                vec![none(1), stubborn.clone(), none(1)],
                2,
                (10, 0, vec![], true),
            ),
            (
                vec![part(2, &[1, 2], 3), stubborn, none(1)],
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
                let found = put_together(&parts, &ends, wanted);
                assert_eq!(found, expected, "{parts:?} in the order {ends:?}");
            }
        }
    }

    #[test]
    fn a_branch_that_was_handed_on_twice_comes_behind_what_its_giver_keeps() {
        // Lane 1 takes the last branch of lane 0 and hands one on to lane 2: 0, 1, 2 in order.
        let mut sharing = Sharing::new(2, 10);
        sharing.hand_on(7, 0, 1);
        sharing.hand_on(7, 1, 2);
        assert_eq!(sharing.end(7, 2, part(1, &[1], 6)), None);
        assert_eq!(sharing.end(7, 1, part(2, &[2], 5)), None);
        // Lane 1 is free, and may take over another: that comes before what it had.
        sharing.hand_on(7, 0, 1);
        assert_eq!(sharing.end(7, 1, part(3, &[], 9)), None);
        let (outcome, freed) = sharing.end(7, 0, part(1, &[], 9)).unwrap();
        let Outcome {
            guesses,
            solutions,
            first,
            ..
        } = outcome;
        assert_eq!((guesses, solutions, first, freed), (7, 2, vec![5], 0));
    }
}
