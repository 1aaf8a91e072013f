//! The graph that chains follow: nodes, strong links and weak links. `chains.rs` searches it.
//!
//! A node states that one of its cells holds its digit. A strong link says that at least one of two
//! nodes is true, a weak link that at most one is: the two nodes conflict. The nodes are numbered:
//! single candidates by cell and digit, then grouped nodes, which have several cells, in the order
//! of the houses and digits that first give them a strong link.

use super::marks::{Marks, elements_of, has_at_most, has_exactly};
use super::tables::Tables;

/// The maximum number of nodes, not counting grouped ones. A graph with more candidates is left
/// empty, so a large grid with more candidates has no XY-chains and no alternating chains. X-chains
/// are not affected: a digit has at most 625 candidates.
///
/// The 729 candidates of a 9x9 grid always fit. A matrix of 1024 nodes takes 128 KiB.
const MAX_NODES: usize = 1024;

/// The nodes and links of a graph. A cell with one candidate has no nodes. `Candidates` adds links
/// to `Cells`, and `Grouped` adds nodes and links to `Candidates`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The candidates of one digit. Strong links join the only two cells for it in a house; weak
    /// links join peers.
    Digit(usize),
    /// All candidates. Strong links join the candidates of a cell that has two; weak links join
    /// equal digits of peers.
    Cells,
    /// The nodes of `Cells` with all links between them: also weak links between all candidates of
    /// a cell, and strong links between the only two cells for a digit in a house.
    Candidates,
    /// The nodes and links of `Candidates`, and grouped nodes: two or more cells for a digit that
    /// a house shares with another house or a group. A grouped node without a strong link is left
    /// out.
    Grouped,
}

impl Scope {
    /// Returns the digits of the nodes.
    fn digit_set(self, tables: &Tables) -> u32 {
        match self {
            Scope::Digit(digit) => 1 << digit,
            _ => tables.every_digit,
        }
    }
}

/// A node of a chain, which states that one of the cells holds the digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChainNode {
    /// In ascending order.
    pub(super) cells: Vec<u16>,
    /// Counted from 0.
    pub(super) digit: u8,
}

impl ChainNode {
    pub(super) fn at(cell: u16, digit: u8) -> ChainNode {
        let cells = vec![cell];
        ChainNode { cells, digit }
    }
}

/// The nodes and links of one scope, for the candidates of a puzzle at one time.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// The scope for which the graph was built, and the time of its candidates in
    /// [`Marks::history`].
    built: Option<(Scope, u64)>,
    /// The cell and the digit of each node that is a single candidate.
    candidates: Vec<(u16, u8)>,
    /// The nodes of several cells. They are numbered after `candidates`.
    grouped: Vec<ChainNode>,
    /// The node of each candidate. Entry `cell * N + digit`; entries of cells and digits that are
    /// no node are meaningless.
    node_of: Vec<u16>,
    /// Row n holds the nodes with a strong link to node n.
    pub(super) strong: Matrix,
    /// Row n holds the nodes with a weak link to node n.
    pub(super) weak: Matrix,
}

impl Graph {
    /// Builds the graph of the candidates, unless the graph of this scope and time is built
    /// already. Call [`Marks::update_all_positions`] first.
    pub(super) fn build(&mut self, tables: &Tables, marks: &Marks, scope: Scope) {
        let built = Some((scope, marks.history.now));
        if self.built == built {
            return;
        }
        match scope {
            Scope::Digit(_) | Scope::Cells => {
                self.number_candidates(tables, marks, scope);
                self.link_peers(tables, marks);
                if scope == Scope::Cells {
                    self.link_cells_with_two(marks);
                } else {
                    self.link_houses(tables, marks, scope);
                }
            }
            Scope::Candidates => {
                self.build(tables, marks, Scope::Cells);
                self.link_candidates_of_cells();
                self.link_houses(tables, marks, scope);
            }
            Scope::Grouped => {
                self.build(tables, marks, Scope::Candidates);
                self.add_grouped_nodes(tables, marks);
            }
        }
        self.built = built;
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

    /// Returns the candidates that have a weak link to both nodes, in ascending order.
    pub(super) fn common_conflicts(&self, a: usize, b: usize) -> impl Iterator<Item = (u16, u8)> {
        let both = self.weak.row(a).iter().zip(self.weak.row(b));
        let nodes = members(both.map(|(a, b)| a & b));
        // Ends at the first grouped node: these have higher numbers than all candidates.
        nodes.map_while(|node| self.candidates.get(node).copied())
    }

    /// Returns true if a candidate has a weak link to both nodes.
    #[inline]
    pub(super) fn have_common_conflict(&self, a: usize, b: usize) -> bool {
        let both = self.weak.row(a).iter().zip(self.weak.row(b));
        let common = both.fold(0, |common, (a, b)| common | a & b);
        // Grouped nodes are no candidates. If there are any, looks for a candidate among the common
        // nodes.
        common != 0 && (self.grouped.is_empty() || self.common_conflicts(a, b).next().is_some())
    }

    /// Removes all nodes and links, and adds a node for each candidate of the scope's digits in
    /// cells without a digit. Adds none if they are more than `MAX_NODES`.
    fn number_candidates(&mut self, tables: &Tables, marks: &Marks, scope: Scope) {
        let digits = scope.digit_set(tables);
        self.grouped.clear();
        self.candidates.clear();
        self.node_of.resize(tables.cells() * tables.side, 0);
        for cell in 0..tables.cells() as u16 {
            let set = marks.candidates[cell];
            // The only candidate of a cell is a placed digit.
            if !has_at_most(1, set) {
                for digit in elements_of(set & digits) {
                    self.node_of[usize::from(cell) * tables.side + digit] =
                        self.candidates.len() as u16;
                    self.candidates.push((cell, digit as u8));
                }
            }
        }
        if self.candidates.len() > MAX_NODES {
            self.candidates.clear();
        }
        self.strong.clear(self.candidates.len());
        self.weak.clear(self.candidates.len());
    }

    /// Adds the weak links between equal digits of peers.
    fn link_peers(&mut self, tables: &Tables, marks: &Marks) {
        for node in 0..self.candidates.len() {
            let (cell, digit) = self.candidates[node];
            let peers = tables.peers.of(cell.into()).iter().copied();
            // A peer that can hold the digit has a node: if the peer were placed, this cell would
            // have lost the digit.
            for peer in
                peers.filter(|&peer| peer > cell && marks.candidates[peer] >> digit & 1 == 1)
            {
                let other = self.node_of(tables, peer, digit.into());
                self.weak.link(node, other);
            }
        }
    }

    /// Returns the node of a candidate.
    #[inline]
    fn node_of(&self, tables: &Tables, cell: u16, digit: usize) -> usize {
        let node = usize::from(self.node_of[usize::from(cell) * tables.side + digit]);
        debug_assert_eq!(self.candidates[node], (cell, digit as u8));
        node
    }

    /// Adds the strong links between the candidates of each cell that has two.
    fn link_cells_with_two(&mut self, marks: &Marks) {
        for [a, b] in self.pairs_of_cells() {
            let (cell, _) = self.candidates[a];
            if has_exactly(2, marks.candidates[cell]) {
                self.strong.link(a, b);
            }
        }
    }

    /// Adds the weak links between the candidates of each cell.
    fn link_candidates_of_cells(&mut self) {
        for [a, b] in self.pairs_of_cells() {
            self.weak.link(a, b);
        }
    }

    /// Returns every two nodes that are candidates of the same cell.
    fn pairs_of_cells(&self) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        for (a, &(cell, _)) in self.candidates.iter().enumerate() {
            let later = self.candidates.iter().enumerate().skip(a + 1);
            for (b, _) in later.take_while(|(_, other)| other.0 == cell) {
                pairs.push([a, b]);
            }
        }
        pairs
    }

    /// Adds the strong links between the only two cells for a digit in a house.
    fn link_houses(&mut self, tables: &Tables, marks: &Marks, scope: Scope) {
        if self.candidates.is_empty() {
            return;
        }
        for digit in elements_of(scope.digit_set(tables)) {
            for cells in marks.links(tables, digit) {
                let [a, b] = cells.map(|cell| self.node_of(tables, cell, digit));
                self.strong.link(a, b);
            }
        }
    }

    /// Adds the grouped nodes, those of several cells, that have strong links, and their links.
    fn add_grouped_nodes(&mut self, tables: &Tables, marks: &Marks) {
        if self.candidates.is_empty() {
            return;
        }
        let mut strong = Vec::new();
        for house in 0..tables.house_count {
            for digit in 0..tables.side {
                let positions = marks.positions(tables, house)[digit];
                if !has_at_most(2, positions) {
                    strong.extend(self.parts(tables, house, digit as u8, positions));
                }
            }
        }
        self.strong.grow(self.len());
        self.weak.grow(self.len());
        for [a, b] in strong {
            self.strong.link(a, b);
        }
        for index in 0..self.grouped.len() {
            self.link_grouped_node(tables, index);
        }
    }

    /// Returns a strong link for each way to split `all`, the positions for a digit in a house,
    /// into two nodes: two or more cells shared with another house or group, and the rest. The rest
    /// must be one cell, or all cells of `all` that are shared with one other house or group. Adds
    /// the nodes that are new. Can return a link twice.
    fn parts(&mut self, tables: &Tables, house: usize, digit: u8, all: u32) -> Vec<[usize; 2]> {
        let crossings = &tables.crossing_positions[house];
        let mut strong = Vec::new();
        for crossing in crossings {
            let (shared, rest) = (crossing & all, all & !crossing);
            let is_shared = |rest| crossings.iter().any(|other| other & all == rest);
            // A single shared cell is no grouped node. If the rest is one, the loop finds this
            // split at the crossing that shares the rest.
            if !has_at_most(1, shared) && rest != 0 && (has_at_most(1, rest) || is_shared(rest)) {
                strong
                    .push([shared, rest].map(|part| self.node_of_part(tables, house, digit, part)));
            }
        }
        strong
    }

    /// Returns the node of a digit at these positions of a house. Adds the node if it is a new
    /// grouped one.
    fn node_of_part(&mut self, tables: &Tables, house: usize, digit: u8, positions: u32) -> usize {
        let house = tables.cells_of.of(house);
        let cells = || elements_of(positions).map(|position| house[position]);
        if has_at_most(1, positions) {
            let cell = cells().next().expect("a part has cells");
            return self.node_of(tables, cell, digit.into());
        }
        let is_same =
            |node: &ChainNode| node.digit == digit && node.cells.iter().copied().eq(cells());
        let known = self.grouped.iter().position(is_same);
        let index = known.unwrap_or_else(|| {
            let cells = cells().collect();
            self.grouped.push(ChainNode { cells, digit });
            self.grouped.len() - 1
        });
        self.candidates.len() + index
    }

    /// Adds the weak links of a grouped node: to each candidate, and to each grouped node with a
    /// lower number, that has weak links to all candidates which make up this node.
    fn link_grouped_node(&mut self, tables: &Tables, index: usize) {
        let ChainNode { cells, digit } = &self.grouped[index];
        let grouped = self.candidates.len() + index;
        // Intersects the rows of these candidates, 64 nodes at a time.
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

/// A relation of nodes: row n is the set of the nodes related to node n. Node m is bit `m % 64` of
/// word `m / 64` of the row.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    /// Number of words of a row.
    words: usize,
    bits: Vec<u64>,
}

impl Matrix {
    /// Resizes the matrix for this number of nodes, and makes all rows empty.
    pub(super) fn clear(&mut self, nodes: usize) {
        self.words = nodes.div_ceil(64);
        self.bits.clear();
        self.bits.resize(nodes * self.words, 0);
    }

    /// Makes this matrix a copy of another. Reuses its memory.
    pub(super) fn copy_from(&mut self, other: &Matrix) {
        self.words = other.words;
        self.bits.clone_from(&other.bits);
    }

    /// Makes room for `nodes` nodes, at least as many as before, and keeps the rows.
    fn grow(&mut self, nodes: usize) {
        let mut larger = Matrix::default();
        larger.clear(nodes);
        for (node, row) in self.bits.chunks(self.words).enumerate() {
            larger.row_mut(node)[..row.len()].copy_from_slice(row);
        }
        *self = larger;
    }

    /// Relates two nodes, in both directions.
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
}

/// Adds a node to a row.
#[inline]
pub(super) fn insert(row: &mut [u64], node: usize) {
    row[node / 64] |= 1 << (node % 64);
}

/// Adds the nodes of another row to a row.
#[inline]
pub(super) fn unite(row: &mut [u64], other: &[u64]) {
    row.iter_mut()
        .zip(other)
        .for_each(|(word, other)| *word |= other);
}

/// Returns true if a row contains a node.
#[inline]
pub(super) fn contains(row: &[u64], node: usize) -> bool {
    row[node / 64] >> (node % 64) & 1 == 1
}

/// Returns the members of a row in ascending order.
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
        let (mut marks, mut graph) = (Marks::default(), Graph::default());
        marks.start(&tables, Givens::Candidates(&candidates));
        marks.update_all_positions(&tables);
        graph.build(&tables, &marks, scope);
        (tables, marks, graph)
    }

    #[test]
    fn weak_links_are_those_of_the_definition() {
        let (tables, _, graph) = graph(Scope::Grouped);
        let conflict = |[a, b]: [u16; 2], [x, y]: [u8; 2]| {
            (a == b && x != y) || (x == y && tables.are_peers(a, b))
        };
        assert!(
            graph
                .grouped
                .iter()
                .any(|node| node.cells == [0, 1] && node.digit == 0)
        );
        for a in 0..graph.len() {
            for b in 0..graph.len() {
                let nodes = [a, b].map(|node| graph.node(node));
                let digits = [0, 1].map(|node| nodes[node].digit);
                let mut cells = nodes[0]
                    .cells
                    .iter()
                    .flat_map(|&a| nodes[1].cells.iter().map(move |&b| [a, b]));
                let is_linked = contains(graph.weak.row(a), b);
                assert_eq!(
                    is_linked,
                    cells.all(|cells| conflict(cells, digits)),
                    "{nodes:?}"
                );
            }
        }
    }

    #[test]
    fn the_parts_of_a_house_have_a_strong_link() {
        let (_, _, graph) = graph(Scope::Grouped);
        let strong = (0..graph.len()).flat_map(|a| {
            let others = members(graph.strong.row(a).iter().copied());
            others.map(move |b| [a, b])
        });
        let strong: Vec<[usize; 2]> = strong.collect();
        let texts: Vec<[Vec<u16>; 2]> = strong
            .iter()
            .map(|nodes| nodes.map(|node| graph.node(node).cells))
            .collect();
        assert!(texts.contains(&[vec![0, 1], vec![5]]));
        assert!(texts.contains(&[vec![5], vec![0, 1]]));
        assert!(strong.iter().all(|&[a, b]| strong.contains(&[b, a])));
    }

    #[test]
    fn graphs_with_too_many_nodes_stay_empty() {
        let side = 16;
        let rules = Rules::new(side, Shape::boxes_of(side).unwrap(), &Variants::default()).unwrap();
        let tables = Tables::new(&rules);
        let (mut marks, mut graph) = (Marks::default(), Graph::default());
        marks.start(&tables, Givens::Digits(&vec![0; side * side]));
        marks.update_all_positions(&tables);
        graph.build(&tables, &marks, Scope::Grouped);
        assert_eq!(graph.len(), 0);
        graph.build(&tables, &marks, Scope::Digit(3));
        assert_eq!(graph.len(), side * side);
    }
}
