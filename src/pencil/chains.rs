//! Finds X-chains, XY-chains and alternating chains: nodes with alternating strong and weak links, beginning and ending
//! with a strong one. If the first node is false, the last one is true, so a candidate that conflicts with both is false.
//!
//! The search returns the shortest chain of a graph that eliminates a candidate. If there are several, it returns the one whose
//! list of nodes comes first. A continuous loop (a chain whose ends conflict) is no special case: for each weak link of the loop,
//! there is a chain from one end of that link around the loop to the other end.

use super::links::{ChainNode, Graph, Matrix, Scope, contains, insert, members, retain, unite};
use super::marks::Marks;
use super::step::Pattern;
use super::tables::Tables;
use super::technique::Technique::{XChain, XyChain};

/// Finds the first digit with a chain that eliminates a candidate, and the shortest such chain. Its strong links are in houses
/// that have two cells for the digit. Stores the eliminations.
pub(super) fn find_x_chain(
    tables: &Tables,
    marks: &mut Marks,
    chains: &mut Chains,
) -> Option<Pattern> {
    marks.update_all_positions(tables);
    for digit in 0..tables.side {
        if marks.history.links_of_digit_need_search(XChain, digit) {
            let houses = 0..tables.house_count;
            let links =
                houses.filter(|&house| marks.only_two_cells(tables, house, digit).is_some());
            // One strong link alone eliminates nothing: simple coloring, an easier technique, found nothing with it.
            if links.take(2).count() == 2
                && let Some(chain) = chains.find(tables, marks, Scope::Digit(digit))
            {
                return Some(chain);
            }
            marks.history.record_failed_search(XChain, digit);
        }
    }
    None
}

/// Finds the shortest chain that eliminates a candidate and whose strong links join the two candidates of a cell. Stores the
/// eliminations.
pub(super) fn find_xy_chain(
    tables: &Tables,
    marks: &mut Marks,
    chains: &mut Chains,
) -> Option<Pattern> {
    if !marks.history.links_of_cells_need_search(XyChain) {
        return None;
    }
    let chain = chains.find(tables, marks, Scope::Cells);
    if chain.is_none() {
        marks.history.record_failed_search(XyChain, 0);
    }
    chain
}

/// Finds the shortest chain of single candidates that eliminates a candidate; if there is none, the shortest one that can contain
/// groups too. Stores the eliminations.
pub(super) fn find_alternating(
    tables: &Tables,
    marks: &mut Marks,
    chains: &mut Chains,
) -> Option<Pattern> {
    let mut scopes = [Scope::Candidates, Scope::Groups].into_iter();
    scopes.find_map(|scope| chains.find(tables, marks, scope))
}

/// Scratch: the graph of the current candidates, and the search for chains in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    graph: Graph,
    search: ChainSearch,
}

impl Chains {
    /// Finds the shortest chain in the graph of this scope that eliminates a candidate, and stores the eliminations.
    fn find(&mut self, tables: &Tables, marks: &mut Marks, scope: Scope) -> Option<Pattern> {
        marks.update_all_positions(tables);
        self.graph.build(tables, marks, scope);
        let chain = self.search.shortest_chain(&self.graph)?;
        let [first, last] = [chain[0], chain[chain.len() - 1]];
        let is_useful = marks.eliminate_candidates(self.graph.common_conflicts(first, last));
        debug_assert!(is_useful);
        let nodes: Vec<ChainNode> = chain
            .into_iter()
            .map(|node| self.graph.node(node))
            .collect();
        Some(Pattern::Chain(nodes))
    }
}

/// A breadth-first search from all nodes at once. Round r reaches the ends of the chains with 2r nodes.
#[derive(Clone, Debug, Default)]
struct ChainSearch {
    /// Row n: the nodes that can follow node n in a chain, one weak and one strong link later. They are true if node n is true.
    two_links_on: Matrix,
    /// For each node, true if its row of `two_links_on` has been computed.
    has_next: Vec<bool>,
    /// Row n: the ends of all chains from node n in the rounds so far.
    reached: Matrix,
    /// Row n: the members of `reached` that this round reached first.
    newest: Matrix,
    /// Scratch: the nodes one weak and one strong link after those in a row of `newest`.
    following: Vec<u64>,
}

impl ChainSearch {
    /// Returns the shortest chain that eliminates a candidate, as a list of nodes.
    fn shortest_chain(&mut self, graph: &Graph) -> Option<Vec<usize>> {
        self.start(graph);
        for rounds in 1.. {
            for start in 0..graph.len() {
                // A chain can be read from both ends. The list of nodes that comes first begins at the end with the lower number.
                let mut ends = members(self.newest.row(start).iter().copied());
                if ends.any(|end| start <= end && graph.have_common_conflict(start, end)) {
                    return Some(self.chain(graph, start, rounds));
                }
            }
            if !self.advance(graph) {
                break;
            }
        }
        None
    }

    /// Begins with the chains of one strong link: round 1.
    fn start(&mut self, graph: &Graph) {
        let nodes = graph.len();
        self.two_links_on.clear(nodes);
        self.has_next.clear();
        self.has_next.resize(nodes, false);
        self.reached.copy_from(graph.strong_links());
        self.newest.copy_from(graph.strong_links());
    }

    /// Makes all chains longer by a weak and a strong link. Returns false if that reaches no new node from any start.
    fn advance(&mut self, graph: &Graph) -> bool {
        let mut is_longer = false;
        for start in 0..graph.len() {
            is_longer |= self.extend(graph, start);
        }
        is_longer
    }

    /// Makes the chains from `start` longer. Returns false if that reaches no new node.
    fn extend(&mut self, graph: &Graph, start: usize) -> bool {
        self.following.clear();
        self.following.resize(self.newest.row(start).len(), 0);
        for end in members(self.newest.row(start).iter().copied()) {
            if !self.has_next[end] {
                self.has_next[end] = true;
                let next = self.two_links_on.row_mut(end);
                for weak in members(graph.weak(end).iter().copied()) {
                    unite(next, graph.strong(weak));
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

    /// Returns the first chain from `start` with `2 * rounds` nodes that eliminates a candidate.
    ///
    /// No shorter chain eliminates a candidate. So the node where the chain ends after each round is first reached in that round:
    /// otherwise the chain could be shortened.
    fn chain(&self, graph: &Graph, start: usize, rounds: usize) -> Vec<usize> {
        let nodes_of_round = self.nodes_of_rounds(graph, start, rounds);
        let first = members(nodes_of_round[0].iter().copied()).next();
        let mut chain = vec![start, first.expect("the chain exists")];
        for nodes in &nodes_of_round[1..] {
            // A weak and a strong link lead to the nodes of the next round. Takes the lowest node between the two links, then the
            // lowest node after them.
            let end = chain[chain.len() - 1];
            let links = members(graph.weak(end).iter().copied()).flat_map(|weak| {
                let strong = members(graph.strong(weak).iter().copied());
                strong.map(move |strong| [weak, strong])
            });
            let mut links = links.filter(|&[_, strong]| contains(nodes, strong));
            chain.extend(links.next().expect("the chain goes on"));
        }
        chain
    }

    /// Returns, for each round, the nodes that are first reached in it and belong to a chain from `start` that eliminates a
    /// candidate and ends in the last round.
    fn nodes_of_rounds(&self, graph: &Graph, start: usize, rounds: usize) -> Vec<Vec<u64>> {
        let mut reached = graph.strong(start).to_vec();
        let mut nodes = vec![reached.clone()];
        while nodes.len() < rounds {
            let following = |node| members(self.two_links_on.row(node).iter().copied());
            let mut newest = vec![0; reached.len()];
            let last = &nodes[nodes.len() - 1];
            for node in members(last.iter().copied()).flat_map(following) {
                if !contains(&reached, node) {
                    insert(&mut newest, node);
                }
            }
            unite(&mut reached, &newest);
            nodes.push(newest);
        }
        // Of the nodes of the last round, keeps those that eliminate a candidate together with `start`.
        retain(&mut nodes[rounds - 1], |end| {
            graph.have_common_conflict(start, end)
        });
        // From the last round but one back to the first, keeps the nodes that lead to a kept node of the next round.
        for round in (1..rounds).rev() {
            let [earlier, later] = nodes
                .get_disjoint_mut([round - 1, round])
                .expect("two rounds");
            retain(earlier, |node| {
                let mut both = self.two_links_on.row(node).iter().zip(later.iter());
                both.any(|(next, later)| next & later != 0)
            });
        }
        nodes
    }
}
