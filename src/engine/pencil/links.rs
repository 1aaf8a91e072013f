//! The graph that chains follow: nodes, strong links and weak links. `chains.rs` searches it.
//!
//! Two nodes with a weak link conflict: at most one is true. The nodes are numbered: single
//! candidates by cell and digit, then grouped nodes, which have several cells, in the order of the
//! houses and digits that first give them a strong link.

use super::marks::{Marks, has_at_most, has_exactly};
use super::pattern::ChainNode;
use super::subsets::cells_at;
use super::tables::Tables;
use crate::bits::bits;

/// Without grouped nodes. A graph with more candidates is left empty, so a large grid has no
/// XY-chains and no alternating chains. A digit has at most 625 candidates, and a 9x9 grid 729. A
/// matrix of 1024 nodes takes 128 KiB.
const MAX_NODES: usize = 1024;

/// The nodes and links of a graph. A cell with a digit has no nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The candidates of one digit. Strong links join the only two cells for it in a house; weak
    /// links join peers.
    Digit(usize),
    /// All candidates. Strong links join the candidates of a cell that has two; weak links join
    /// equal digits of peers.
    Cells,
    /// Also has weak links between all candidates of a cell, and strong links between the only two
    /// cells for a digit in a house.
    Candidates,
    /// Also has grouped nodes: two or more cells for a digit that a house shares with another house
    /// or a group. A grouped node without a strong link is left out.
    Grouped,
}

pub(super) struct Graph {
    /// Single candidates, in ascending order.
    candidates: Vec<(u16, u8)>,
    /// Nodes of several cells, numbered after `candidates`.
    grouped: Vec<ChainNode>,
    /// Entry `cell * N + digit`. Entries of cells and digits that are no node are meaningless.
    node_of: Vec<u16>,
    /// Row n holds the nodes with a strong link to node n; likewise for `weak`.
    pub(super) strong: Matrix,
    pub(super) weak: Matrix,
}

impl Graph {
    /// Call [`Marks::update_all_positions`] first.
    pub(super) fn new(tables: &Tables, marks: &Marks, scope: Scope) -> Graph {
        let digits = match scope {
            Scope::Digit(digit) => 1 << digit,
            _ => tables.every_digit,
        };
        let mut graph = Graph::of_candidates(tables, marks, digits);
        if graph.candidates.is_empty() {
            return graph;
        }
        let grouped_links = match scope {
            Scope::Grouped => graph.add_grouped_nodes(tables, marks),
            _ => Vec::new(),
        };
        graph.strong = Matrix::new(graph.len());
        graph.weak = Matrix::new(graph.len());
        graph.link_peers(tables, marks);
        graph.link_cells(marks, scope);
        if scope != Scope::Cells {
            graph.link_houses(tables, marks, digits);
        }
        for [a, b] in grouped_links {
            graph.strong.link(a, b);
        }
        for index in 0..graph.grouped.len() {
            graph.link_grouped_node(tables, index);
        }
        graph
    }

    pub(super) fn len(&self) -> usize {
        self.candidates.len() + self.grouped.len()
    }

    pub(super) fn node(&self, node: usize) -> ChainNode {
        match self.candidates.get(node) {
            Some(&(cell, digit)) => ChainNode::at(cell, digit),
            None => self.grouped[node - self.candidates.len()].clone(),
        }
    }

    /// In ascending order.
    pub(super) fn common_conflicts(&self, a: usize, b: usize) -> impl Iterator<Item = (u16, u8)> {
        let both = self.weak.row(a).iter().zip(self.weak.row(b));
        let nodes = members(both.map(|(a, b)| a & b));
        nodes.map_while(|node| self.candidates.get(node).copied())
    }

    #[inline]
    pub(super) fn have_common_conflict(&self, a: usize, b: usize) -> bool {
        let both = self.weak.row(a).iter().zip(self.weak.row(b));
        let common = both.fold(0, |common, (a, b)| common | a & b);
        // Grouped nodes are no candidates.
        common != 0 && (self.grouped.is_empty() || self.common_conflicts(a, b).next().is_some())
    }

    /// Returns a graph without links. A blank cell can have a single candidate, if `--techniques`
    /// lacks naked singles. The graph has no nodes if there would be more than `MAX_NODES`.
    fn of_candidates(tables: &Tables, marks: &Marks, digits: u32) -> Graph {
        let mut candidates = Vec::new();
        let mut node_of = vec![0; tables.cells() * tables.side];
        let mut blanks = marks.blanks.clone();
        blanks.sort_unstable();
        for cell in blanks {
            for digit in bits(marks.candidates[cell] & digits) {
                node_of[usize::from(cell) * tables.side + digit] = candidates.len() as u16;
                candidates.push((cell, digit as u8));
            }
        }
        if candidates.len() > MAX_NODES {
            candidates.clear();
        }
        Graph {
            candidates,
            grouped: Vec::new(),
            node_of,
            strong: Matrix::new(0),
            weak: Matrix::new(0),
        }
    }

    fn link_peers(&mut self, tables: &Tables, marks: &Marks) {
        for node in 0..self.candidates.len() {
            let (cell, digit) = self.candidates[node];
            let peers = tables.peers.of(cell.into()).iter().copied();
            // A peer with the digit has a node: if it were placed, this cell would lack the digit.
            for peer in
                peers.filter(|&peer| peer > cell && marks.candidates[peer] >> digit & 1 == 1)
            {
                let other = self.node_of(tables, peer, digit.into());
                self.weak.link(node, other);
            }
        }
    }

    #[inline]
    fn node_of(&self, tables: &Tables, cell: u16, digit: usize) -> usize {
        let node = usize::from(self.node_of[usize::from(cell) * tables.side + digit]);
        debug_assert_eq!(self.candidates[node], (cell, digit as u8));
        node
    }

    fn link_cells(&mut self, marks: &Marks, scope: Scope) {
        for (a, &(cell, _)) in self.candidates.iter().enumerate() {
            let later = (a + 1..).zip(&self.candidates[a + 1..]);
            for (b, _) in later.take_while(|(_, other)| other.0 == cell) {
                if has_exactly(2, marks.candidates[cell]) {
                    self.strong.link(a, b);
                }
                if scope != Scope::Cells {
                    self.weak.link(a, b);
                }
            }
        }
    }

    fn link_houses(&mut self, tables: &Tables, marks: &Marks, digits: u32) {
        for digit in bits(digits) {
            for cells in marks.links(tables, digit) {
                let [a, b] = cells.map(|cell| self.node_of(tables, cell, digit));
                self.strong.link(a, b);
            }
        }
    }

    /// Adds the grouped nodes that have strong links, and returns these links, some of them twice.
    /// A link splits the cells for a digit in a house into two nodes. One has two or more cells,
    /// shared with another house or group. The other is one cell, or all cells for the digit that
    /// are shared with one other house or group.
    fn add_grouped_nodes(&mut self, tables: &Tables, marks: &Marks) -> Vec<[usize; 2]> {
        let mut strong = Vec::new();
        for (house, crossings) in tables.crossing_positions.iter().enumerate() {
            for (digit, &all) in (0..).zip(marks.positions(tables, house)) {
                let is_shared = |rest| crossings.iter().any(|crossing| crossing & all == rest);
                for crossing in crossings {
                    let (shared, rest) = (crossing & all, all & !crossing);
                    // Skips a single shared cell: if the rest is a grouped node, another crossing
                    // shares the rest, and gives the same split.
                    let is_grouped = !has_at_most(1, shared) && rest != 0;
                    if is_grouped && (has_at_most(1, rest) || is_shared(rest)) {
                        let parts = [shared, rest];
                        strong
                            .push(parts.map(|part| self.node_of_part(tables, house, digit, part)));
                    }
                }
            }
        }
        strong
    }

    fn node_of_part(&mut self, tables: &Tables, house: usize, digit: u8, positions: u32) -> usize {
        let cells: Vec<u16> = cells_at(tables.cells_of.of(house), positions).collect();
        if let [cell] = cells[..] {
            return self.node_of(tables, cell, digit.into());
        }
        let node = ChainNode { cells, digit };
        let known = self.grouped.iter().position(|known| *known == node);
        let index = known.unwrap_or_else(|| {
            self.grouped.push(node);
            self.grouped.len() - 1
        });
        self.candidates.len() + index
    }

    /// Adds the weak links of a grouped node: to each candidate, and to each grouped node with a
    /// lower number, that has weak links to all candidates which make up this node.
    fn link_grouped_node(&mut self, tables: &Tables, index: usize) {
        let ChainNode { cells, digit } = &self.grouped[index];
        let grouped = self.candidates.len() + index;
        for word in 0..self.weak.words {
            let mut common = u64::MAX;
            for &cell in cells {
                let node = self.node_of(tables, cell, (*digit).into());
                common &= self.weak.row(node)[word];
            }
            for node in members([common]) {
                self.weak.link(64 * word + node, grouped);
            }
        }
    }
}

/// Row n is the set of nodes related to node n: bit `m % 64` of word `m / 64` for node m.
#[derive(Clone)]
pub(super) struct Matrix {
    words: usize,
    bits: Vec<u64>,
}

impl Matrix {
    pub(super) fn new(nodes: usize) -> Matrix {
        let words = nodes.div_ceil(64);
        let bits = vec![0; nodes * words];
        Matrix { words, bits }
    }

    #[inline]
    fn link(&mut self, a: usize, b: usize) {
        insert(self.row_mut(a), b);
        insert(self.row_mut(b), a);
    }

    #[inline]
    pub(super) fn row(&self, node: usize) -> &[u64] {
        &self.bits[node * self.words..][..self.words]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, node: usize) -> &mut [u64] {
        &mut self.bits[node * self.words..][..self.words]
    }

    pub(super) fn members(&self, node: usize) -> impl Iterator<Item = usize> {
        members(self.row(node).iter().copied())
    }
}

#[inline]
pub(super) fn insert(row: &mut [u64], node: usize) {
    row[node / 64] |= 1 << (node % 64);
}

#[inline]
pub(super) fn unite(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

#[inline]
pub(super) fn contains(row: &[u64], node: usize) -> bool {
    row[node / 64] >> (node % 64) & 1 == 1
}

/// In ascending order.
#[inline]
pub(super) fn members(row: impl IntoIterator<Item = u64>) -> impl Iterator<Item = usize> {
    let mut words = row.into_iter();
    let (mut word, mut first) = (words.next().unwrap_or(0), 0);
    std::iter::from_fn(move || {
        while word == 0 {
            word = words.next()?;
            first += 64;
        }
        let member = first + word.trailing_zeros() as usize;
        word &= word - 1;
        Some(member)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Givens;
    use crate::rules::{Rules, Shape, Variants};

    /// Returns the graph of a blank 6x6 grid whose first row has digit 1 only in its first, second
    /// and sixth cell.
    fn graph(scope: Scope) -> (Tables, Marks, Graph) {
        let shape = Shape::boxes_of(6).unwrap();
        let rules = Rules::new(6, shape, &"diagonal".parse().unwrap()).unwrap();
        let tables = Tables::new(&rules);
        let mut candidates = [(1 << 6) - 1; 36];
        candidates[2..5].fill(0b111110);
        let mut marks = Marks::default();
        marks.start(&tables, Givens::Candidates(&candidates)).unwrap();
        marks.update_all_positions(&tables);
        let graph = Graph::new(&tables, &marks, scope);
        (tables, marks, graph)
    }

    #[test]
    fn weak_links_are_those_of_the_definition() {
        let (tables, _, graph) = graph(Scope::Grouped);
        let conflict = |[a, b]: [u16; 2], [x, y]: [u8; 2]| {
            (a == b && x != y) || (x == y && tables.are_peers(a, b))
        };
        assert!(graph.grouped.iter().any(|node| node.cells == [0, 1] && node.digit == 0));
        for a in 0..graph.len() {
            for b in 0..graph.len() {
                let nodes = [a, b].map(|node| graph.node(node));
                let digits = [0, 1].map(|node| nodes[node].digit);
                let mut cells = nodes[0]
                    .cells
                    .iter()
                    .flat_map(|&a| nodes[1].cells.iter().map(move |&b| [a, b]));
                let is_linked = contains(graph.weak.row(a), b);
                assert_eq!(is_linked, cells.all(|cells| conflict(cells, digits)), "{nodes:?}");
            }
        }
    }

    #[test]
    fn the_parts_of_a_house_have_a_strong_link() {
        let (_, _, graph) = graph(Scope::Grouped);
        let strong = (0..graph.len()).flat_map(|a| {
            let others = graph.strong.members(a);
            others.map(move |b| [a, b])
        });
        let strong: Vec<[usize; 2]> = strong.collect();
        let texts: Vec<[Vec<u16>; 2]> =
            strong.iter().map(|nodes| nodes.map(|node| graph.node(node).cells)).collect();
        assert!(texts.contains(&[vec![0, 1], vec![5]]));
        assert!(texts.contains(&[vec![5], vec![0, 1]]));
        assert!(strong.iter().all(|&[a, b]| strong.contains(&[b, a])));
    }

    #[test]
    fn graphs_with_too_many_nodes_stay_empty() {
        let side = 16;
        let rules = Rules::new(side, Shape::boxes_of(side).unwrap(), &Variants::default()).unwrap();
        let tables = Tables::new(&rules);
        let mut marks = Marks::default();
        marks.start(&tables, Givens::Digits(&vec![0; side * side])).unwrap();
        marks.update_all_positions(&tables);
        assert_eq!(Graph::new(&tables, &marks, Scope::Grouped).len(), 0);
        let of_digit = Graph::new(&tables, &marks, Scope::Digit(3));
        assert_eq!(of_digit.len(), side * side);
    }
}
