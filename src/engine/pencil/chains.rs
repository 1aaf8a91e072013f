//! Finds X-chains, XY-chains and alternating chains, which `mod.rs` describes.
//!
//! The search returns the shortest chain of a graph that eliminates a candidate. If there are
//! several, it returns the one whose list of nodes comes first in lexicographic order. A continuous
//! loop (a chain whose ends conflict) is no special case: for each weak link of the loop, there is
//! a chain from one end of that link around the loop to the other end.

use super::links::{Graph, Matrix, Scope, contains, insert, unite};
use super::marks::Marks;
use super::pattern::{self, Pattern};
use super::tables::Tables;

pub(super) fn find(tables: &Tables, marks: &mut Marks, scope: Scope) -> Option<Pattern> {
    let graph = Graph::new(tables, marks, scope);
    let chain = ChainSearch::new(&graph).shortest_chain()?;
    let conflicts = graph.common_conflicts(chain[0], chain[chain.len() - 1]);
    let is_useful = marks.eliminate_each(conflicts.map(|(cell, digit)| (cell, 1 << digit)));
    debug_assert!(is_useful);
    Some(pattern::chain(chain.into_iter().map(|node| graph.node(node))))
}

/// Breadth-first, from all nodes at once. Round r reaches the ends of chains with 2r nodes.
struct ChainSearch<'g> {
    graph: &'g Graph,
    /// Row n: the nodes one weak and one strong link after node n. They are true if node n is true.
    two_links_on: Matrix,
    has_two_links_on: Vec<bool>,
    /// Row n: the ends of the chains from node n so far.
    reached: Matrix,
    /// Row n: what the last round added to `reached`.
    newest: Matrix,
    /// Scratch: what follows a row of `newest`.
    following: Vec<u64>,
}

impl ChainSearch<'_> {
    fn new(graph: &Graph) -> ChainSearch<'_> {
        let nodes = graph.len();
        ChainSearch {
            graph,
            two_links_on: Matrix::new(nodes),
            has_two_links_on: vec![false; nodes],
            reached: graph.strong.clone(),
            newest: graph.strong.clone(),
            following: vec![0; nodes.div_ceil(64)],
        }
    }

    fn shortest_chain(&mut self) -> Option<Vec<usize>> {
        let graph = self.graph;
        for rounds in 1.. {
            for start in 0..graph.len() {
                // A chain can be read from both ends. It is skipped at the higher one, because its
                // list of nodes from the lower one comes first in lexicographic order.
                let mut ends = self.newest.members(start);
                if ends.any(|end| start <= end && graph.have_common_conflict(start, end)) {
                    return Some(self.chain(start, rounds));
                }
            }
            let mut is_longer = false;
            for start in 0..graph.len() {
                is_longer |= self.extend(start);
            }
            if !is_longer {
                break;
            }
        }
        None
    }

    /// Returns false if that reaches no new node.
    fn extend(&mut self, start: usize) -> bool {
        self.following.fill(0);
        for end in self.newest.members(start) {
            if !std::mem::replace(&mut self.has_two_links_on[end], true) {
                for weak in self.graph.weak.members(end) {
                    unite(self.two_links_on.row_mut(end), self.graph.strong.row(weak));
                }
            }
            unite(&mut self.following, self.two_links_on.row(end));
        }
        let (reached, newest) = (self.reached.row_mut(start), self.newest.row_mut(start));
        let mut all_new = 0;
        for ((reached, newest), following) in reached.iter_mut().zip(newest).zip(&self.following) {
            *newest = following & !*reached;
            *reached |= following;
            all_new |= *newest;
        }
        all_new != 0
    }

    /// Chains from `start` with `2 * rounds` nodes must exist, and no shorter one.
    fn chain(&self, start: usize, rounds: usize) -> Vec<usize> {
        let graph = self.graph;
        let nodes_of_rounds = self.nodes_that_lead_on(start, rounds);
        let mut strong = graph.strong.members(start);
        let first = strong.find(|&node| contains(&nodes_of_rounds[0], node));
        let mut chain = vec![start, first.expect("the chain exists")];
        for nodes in &nodes_of_rounds[1..] {
            // Takes the lowest node between the two links, then the lowest node after them.
            let weak = graph.weak.members(chain[chain.len() - 1]);
            let mut links = weak.flat_map(|weak| {
                let strong = graph.strong.members(weak);
                strong.map(move |strong| [weak, strong])
            });
            let link = links.find(|&[_, strong]| contains(nodes, strong));
            chain.extend(link.expect("the chain goes on"));
        }
        chain
    }

    /// Returns a set of nodes for each round. The last set holds the nodes that eliminate a
    /// candidate together with `start`. Each earlier set holds the nodes from which a weak and a
    /// strong link lead to a node of the next set. Not all members are on chains from `start`.
    ///
    /// Nodes whose row of `two_links_on` was not computed are missing from the earlier sets. They
    /// are not needed: the search computed the row of each node at which a chain from `start` ends
    /// in a round before the last.
    fn nodes_that_lead_on(&self, start: usize, rounds: usize) -> Vec<Vec<u64>> {
        let graph = self.graph;
        let set_of = |is_member: &dyn Fn(usize) -> bool| {
            let mut set = vec![0; graph.strong.row(start).len()];
            let nodes = (0..graph.len()).filter(|&node| is_member(node));
            nodes.for_each(|node| insert(&mut set, node));
            set
        };
        let mut sets = vec![set_of(&|end| graph.have_common_conflict(start, end))];
        for later in 0..rounds - 1 {
            sets.push(set_of(&|node| {
                let mut both = self.two_links_on.row(node).iter().zip(&sets[later]);
                both.any(|(following, later)| following & later != 0)
            }));
        }
        sets.reverse();
        sets
    }
}
