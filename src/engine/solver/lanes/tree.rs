//! The search tree of a puzzle that several lanes search together.
//!
//! A lane *dives*: it branches again and again from one node, until it has a solution or a
//! contradiction. Each branch adds an open node that holds the other alternatives. The nodes are in
//! the order in which a single lane would dive from them, and the next dive begins at the first
//! open one:
//!
//! ```text
//!     nodes in depth-first order         settled │ ended       busy      ended      busy      open    open
//!     branches of the dive, or its lane          │ 3 branches  lane 4    1 branch   lane 0    ▲ next dive
//! ```
//!
//! A dive is *settled* when its findings are added to the result. This happens in the order of the
//! nodes: a dive that has ended waits for all dives before it. So the result, including the number
//! of branches, is the same as without sharing. All lanes dive from nodes near the front, so little
//! work is lost when the search ends.

use super::board::Board;
use crate::random::Random;
use crate::solver::learning::SearchTask;
use crate::solver::limits::Searched;

/// The maximum number of wanted solutions for which lanes share a search tree.
pub(super) const MAX_SHARED_SOLUTIONS: usize = 2;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SearchResult {
    pub guesses: u64,
    /// The number of solutions. A shared search counts no more than `MAX_SHARED_SOLUTIONS`.
    pub solutions: u64,
    /// The number of guesses before each of the first solutions; meaningless from `solutions` on.
    pub guesses_before: [u64; MAX_SHARED_SOLUTIONS],
    /// The first solutions, as digits. An entry is empty if there is no such solution, or if
    /// solutions are only counted (`Limits::shown` is 0).
    pub grids: [Vec<u8>; MAX_SHARED_SOLUTIONS],
}

impl SearchResult {
    /// Adds the findings of the next part of the search, but only those of its first `left`
    /// guesses. Takes the grids out of `next`. Drops solutions after `MAX_SHARED_SOLUTIONS`.
    fn append(&mut self, next: &mut SearchResult, left: u64) {
        let found = next.guesses_before.iter().zip(&mut next.grids);
        let found = found.take(next.solutions as usize);
        for (guesses, grid) in found.take_while(|&(&guesses, _)| guesses <= left) {
            let at = self.solutions as usize;
            if at == MAX_SHARED_SOLUTIONS {
                break;
            }
            self.guesses_before[at] = self.guesses + guesses;
            self.grids[at] = std::mem::take(grid);
            self.solutions += 1;
        }
        self.guesses += next.guesses.min(left);
    }
}

pub(super) struct SearchTree<'a, B: Board> {
    /// The puzzle and the limits of its search. Each try of clause learning updates the schedule.
    pub task: SearchTask<'a>,
    /// Mask of the lanes to which the puzzle is assigned. They dive in this tree, or are idle and
    /// take its open nodes first.
    pub lanes: u32,
    /// The number of solutions that were found before the search was shared. If solutions are
    /// reported one by one, these are reported already.
    pub found_before: usize,
    /// The findings of the search before it was shared and of the settled dives, which are all
    /// before `first`. The guesses include those that the conflicts of clause learning count as.
    pub settled: SearchResult,
    nodes: Vec<Node<B>>,
    unused: Vec<NodeId>,
    /// The first node whose dive is not settled; `None` if nothing is left to search.
    first: Option<NodeId>,
    open: usize,
}

pub(super) type NodeId = u32;

pub(super) const FIRST_NODE: NodeId = 0;

/// A branch, with the state of the alternatives that it did not take.
pub(super) struct Branch<B: Board> {
    /// `None` in an entry that was never used, and in the node of the first dive.
    pub choice: Option<B::Choice>,
    pub saved: B::Saved,
    /// Chooses the order of the branches below `saved`, if it is random.
    pub random: Option<Random>,
}

impl<B: Board> Default for Branch<B> {
    fn default() -> Branch<B> {
        Branch { choice: None, saved: B::Saved::default(), random: None }
    }
}

impl<B: Board> Branch<B> {
    /// Branches in a lane, and keeps the other alternatives here. If the order of branches is
    /// random, the other alternatives get a random sequence of their own: their search must not
    /// depend on how many numbers of `random` the search of the taken alternatives draws before.
    #[inline(always)]
    pub fn take(
        &mut self,
        board: &mut B,
        lane: usize,
        conflict: Option<B::Choice>,
        random: Option<&mut Random>,
    ) {
        self.random = random.as_deref().map(Random::fork);
        self.choice = Some(board.branch(lane, conflict, random, &mut self.saved));
    }
}

struct Node<B: Board> {
    next: Option<NodeId>,
    progress: NodeProgress,
    branch: Branch<B>,
    /// If the dive has ended: its findings, and those of the nodes merged into this one.
    result: SearchResult,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeProgress {
    Open,
    Busy,
    Ended,
}

/// The state of a tree after the dives at its front were settled.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// The first dive that is not settled goes on, or has not begun.
    Pending,
    /// Nodes are left, but the search has made the guesses after which a single lane would pause
    /// for clause learning or be at its limit. Holds the findings up to this number of guesses.
    Stopped(SearchResult),
    /// Nothing is left to search, or the wanted number of solutions is found. Holds all findings.
    Ended(SearchResult, Searched),
}

impl<'a, B: Board> SearchTree<'a, B> {
    pub fn new(task: SearchTask<'a>, lane: usize, settled: SearchResult) -> SearchTree<'a, B> {
        let mut tree = SearchTree {
            task,
            lanes: 1 << lane,
            found_before: settled.solutions as usize,
            settled,
            nodes: Vec::new(),
            unused: Vec::new(),
            first: Some(FIRST_NODE),
            open: 0,
        };
        let node = tree.unused_node();
        debug_assert_eq!(node, FIRST_NODE);
        tree.node(node).progress = NodeProgress::Busy;
        tree
    }

    fn node(&mut self, id: NodeId) -> &mut Node<B> {
        &mut self.nodes[id as usize]
    }

    /// The content of the node has no meaning.
    fn unused_node(&mut self) -> NodeId {
        self.unused.pop().unwrap_or_else(|| {
            self.nodes.push(Node {
                next: None,
                progress: NodeProgress::Open,
                branch: Branch::default(),
                result: SearchResult::default(),
            });
            self.nodes.len() as NodeId - 1
        })
    }

    /// Adds an open node right after the node `after`. `write` writes the branch of the new node:
    /// the node holds the alternatives that this branch does not take.
    #[inline(always)]
    pub fn add_open(&mut self, after: NodeId, write: impl FnOnce(&mut Branch<B>)) {
        let id = self.unused_node();
        let next = self.node(after).next.replace(id);
        let node = self.node(id);
        node.next = next;
        node.progress = NodeProgress::Open;
        write(&mut node.branch);
        self.open += 1;
    }

    /// Gives the first open nodes to these lanes, one each. Calls `restore` with the lane, its node
    /// and the branch of the node. Returns the lanes that got a node. Merges ended nodes next to
    /// each other on the way, so that later walks are short.
    #[inline(always)]
    pub fn take_open(
        &mut self,
        lanes: u32,
        mut restore: impl FnMut(usize, NodeId, &Branch<B>),
    ) -> u32 {
        let mut left = lanes;
        let mut at = self.first;
        let mut before: Option<NodeId> = None;
        while let Some(id) = at
            && left != 0
            && self.open > 0
        {
            let node = self.node(id);
            at = node.next;
            if node.progress == NodeProgress::Open {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                node.progress = NodeProgress::Busy;
                restore(lane, id, &node.branch);
                self.open -= 1;
            } else if node.progress == NodeProgress::Ended
                && let Some(before) = before
                && self.node(before).progress == NodeProgress::Ended
            {
                self.merge_next(before);
                // `before` stays the same, so the next node can be merged into it too.
                continue;
            }
            before = Some(id);
        }
        lanes & !left
    }

    /// The dives of both nodes have ended.
    fn merge_next(&mut self, id: NodeId) {
        let next = self.node(id).next.expect("a next node");
        let mut result = std::mem::take(&mut self.node(next).result);
        let after = self.node(next).next;
        let node = self.node(id);
        node.next = after;
        node.result.append(&mut result, u64::MAX);
        self.unused.push(next);
    }

    #[inline(always)]
    pub fn end_dive(&mut self, id: NodeId, result: SearchResult) {
        let node = self.node(id);
        debug_assert_eq!(node.progress, NodeProgress::Busy);
        node.progress = NodeProgress::Ended;
        node.result = result;
    }

    /// Settles the ended dives at the front, up to the first dive that has not ended. Stops earlier
    /// where a single lane would: before it would exceed `stop` guesses, or at `wanted` solutions.
    pub fn settle(&mut self, stop: u64, wanted: u64) -> Settled {
        debug_assert!(self.settled.guesses <= stop && self.settled.solutions < wanted);
        while let Some(first) = self.first {
            let left = stop - self.settled.guesses;
            let node = &mut self.nodes[first as usize];
            if node.progress != NodeProgress::Ended {
                return Settled::Pending;
            }
            if node.result.guesses > left {
                // The search stops within this dive, unless it finds the wanted solutions before.
                let mut stopped = self.settled.clone();
                stopped.append(&mut node.result.clone(), left);
                if stopped.solutions < wanted {
                    // Not settled: if clause learning fails, the search goes on from here.
                    return Settled::Stopped(stopped);
                }
            }
            let mut result = std::mem::take(&mut node.result);
            self.first = node.next;
            self.unused.push(first);
            self.settled.append(&mut result, left);
            if self.settled.solutions >= wanted {
                self.settled.guesses = self.settled.guesses_before[wanted as usize - 1];
                self.settled.solutions = wanted;
                return Settled::Ended(std::mem::take(&mut self.settled), Searched::Part);
            }
        }
        Settled::Ended(std::mem::take(&mut self.settled), Searched::Everything)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the result of a part with these numbers of branches, in total and before each
    /// solution. Its solutions are `first` and the numbers after it.
    fn part(guesses: u64, before: &[u64], first: u8) -> SearchResult {
        let mut guesses_before = [0; MAX_SHARED_SOLUTIONS];
        guesses_before[..before.len()].copy_from_slice(before);
        let mut grids = [Vec::new(), Vec::new()];
        for (grid, digit) in grids.iter_mut().zip(first..).take(before.len()) {
            grid.push(digit);
        }
        SearchResult { guesses, solutions: before.len() as u64, guesses_before, grids }
    }

    #[test]
    fn a_result_grows_by_what_the_next_part_found_in_time() {
        let table = [
            (part(3, &[], 9), part(4, &[], 9), 10, part(7, &[], 9)),
            (part(3, &[], 9), part(4, &[1], 5), 10, part(7, &[4], 5)),
            (part(3, &[2], 4), part(4, &[1], 5), 10, part(7, &[2, 4], 4)),
            (part(3, &[], 9), part(4, &[1, 4], 5), 10, part(7, &[4, 7], 5)),
            (part(3, &[2], 4), part(4, &[1, 2], 5), 10, part(7, &[2, 4], 4)),
            // Only so many branches are left.
            (part(3, &[2], 4), part(6, &[6], 5), 5, part(8, &[2], 4)),
            (part(3, &[2], 4), part(6, &[5], 5), 5, part(8, &[2, 8], 4)),
            (part(3, &[], 9), part(6, &[1, 6], 5), 1, part(4, &[4], 5)),
            (part(3, &[], 9), part(6, &[1], 5), 0, part(3, &[], 9)),
        ];
        for (mut result, next, left, expected) in table {
            let what = format!("{result:?}, {next:?}");
            result.append(&mut next.clone(), left);
            // Branches before solutions that are not counted have no meaning.
            let before =
                |result: &SearchResult| result.guesses_before[..result.solutions as usize].to_vec();
            assert_eq!(before(&result), before(&expected), "{what}");
            assert_eq!(result.guesses, expected.guesses, "{what}");
            let grids = |result: &SearchResult| result.grids[..result.solutions as usize].to_vec();
            assert_eq!(grids(&result), grids(&expected), "{what}");
        }
    }
}
