//! The plain reference for coloring, chains and almost locked sets.

use std::collections::{BTreeSet, HashSet};

use super::reference::{Found, Grid, choices, symbol};

/// The limits of the pencil.
const MAX_NODES: usize = 1024;
const MAX_SET_CELLS: usize = 4;
const MAX_SETS: usize = 1000;

/// One of the cells holds the digit.
#[derive(Clone, PartialEq, Eq)]
struct Node {
    cells: Vec<usize>,
    digit: u8,
}

/// The strong links of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Digit(u8),
    Cells,
    Candidates,
    Groups,
}

struct Chains<'a> {
    grid: &'a Grid<'a>,
    links: Links,
    nodes: Vec<Node>,
    /// For each node, the nodes with a strong and with a weak link, in ascending order.
    strong: Vec<Vec<usize>>,
    weak: Vec<Vec<usize>>,
    /// For each node, the candidates that are false if the node is true.
    conflicts: Vec<HashSet<(usize, u8)>>,
}

impl Grid<'_> {
    pub fn simple_coloring(&self) -> Found {
        for digit in self.all_digits() {
            let mut links: Vec<[usize; 2]> =
                self.houses().filter_map(|house| self.pair(house, digit)).collect();
            while let Some(&lowest) = links.iter().flatten().min() {
                let mut colors = [BTreeSet::from([lowest]), BTreeSet::new()];
                for _ in 0..self.reference.cells() {
                    for &[a, b] in &links {
                        for (from, to) in [(a, b), (b, a)] {
                            for color in [0, 1] {
                                if colors[color].contains(&from) {
                                    colors[1 - color].insert(to);
                                }
                            }
                        }
                    }
                }
                links.retain(|[a, _]| !colors[0].contains(a) && !colors[1].contains(a));
                let sees_any = |cell: usize, color: &BTreeSet<usize>| {
                    color.iter().any(|&other| self.sees(cell, other))
                };
                let false_color =
                    colors.iter().find(|color| color.iter().any(|&cell| sees_any(cell, color)));
                let removed = match false_color {
                    Some(color) => color.iter().map(|&cell| (cell, digit)).collect(),
                    None => self
                        .removable(digit, |cell| colors.iter().all(|color| sees_any(cell, color))),
                };
                if !removed.is_empty() {
                    let [a, b] = colors.map(|color| self.places_text(color));
                    return self
                        .remove(format!("simple-coloring {} {a} / {b}", symbol(digit)), removed);
                }
            }
        }
        None
    }

    pub fn x_chain(&self) -> Found {
        self.all_digits().find_map(|digit| self.chain("x-chain", Links::Digit(digit)))
    }

    pub fn xy_chain(&self) -> Found {
        self.chain("xy-chain", Links::Cells)
    }

    pub fn alternating_chain(&self) -> Found {
        let chain = |links| self.chain("alternating-chain", links);
        chain(Links::Candidates).or_else(|| chain(Links::Groups))
    }

    fn chain(&self, technique: &str, links: Links) -> Found {
        let chains = Chains::new(self, links);
        let chain = chains.shortest()?;
        let removed = chains.eliminations(chain[0], chain[chain.len() - 1]);
        let mut text = technique.to_string();
        for (index, &node) in chain.iter().enumerate() {
            let node = &chains.nodes[node];
            let link = [" - ", " = "][index % 2];
            text += if index == 0 { " " } else { link };
            let places = self.places_text(node.cells.iter().copied()).replace(' ', "+");
            text += &format!("{}{places}", symbol(node.digit));
        }
        self.remove(text, removed)
    }

    pub fn als_xz(&self) -> Found {
        let sets = self.almost_locked_sets();
        for (index, later) in sets.iter().enumerate() {
            for earlier in &sets[..index] {
                if earlier.iter().any(|cell| later.contains(cell)) {
                    continue;
                }
                let holders = |digit: u8| {
                    let cells = [earlier, later].map(|set| self.places(set, digit));
                    cells.iter().all(|cells| !cells.is_empty()).then_some(cells)
                };
                for x in self.all_digits() {
                    let Some([a, b]) = holders(x) else { continue };
                    if !a.iter().all(|&a| b.iter().all(|&b| self.sees(a, b))) {
                        continue;
                    }
                    let mut removed = Vec::new();
                    for z in self.all_digits().filter(|&z| z != x) {
                        let Some(cells) = holders(z) else { continue };
                        let sees_all =
                            |cell| cells.iter().flatten().all(|&holder| self.sees(cell, holder));
                        removed.extend(self.removable(z, sees_all));
                    }
                    removed.sort_unstable();
                    if !removed.is_empty() {
                        let [a, b] =
                            [earlier, later].map(|set| self.places_text(set.iter().copied()));
                        return self.remove(format!("als-xz {} {a} / {b}", symbol(x)), removed);
                    }
                }
            }
        }
        None
    }

    /// Returns the sets of n cells of a house or group that have n + 1 candidates.
    fn almost_locked_sets(&self) -> Vec<Vec<usize>> {
        let mut sets: Vec<Vec<usize>> = Vec::new();
        for size in 1..=MAX_SET_CELLS {
            for (_, house) in self.houses_and_groups() {
                let has_few = |&cell: &usize| {
                    (2..=size + 1).contains(&(self.sets[cell].count_ones() as usize))
                };
                let cells: Vec<usize> = house.iter().copied().filter(has_few).collect();
                for set in choices(&cells, size) {
                    let union = set.iter().fold(0, |union, &cell| union | self.sets[cell]);
                    if union.count_ones() as usize == size + 1 && !sets.contains(&set) {
                        sets.push(set);
                    }
                }
            }
        }
        sets.truncate(MAX_SETS);
        sets
    }
}

impl Chains<'_> {
    fn new<'a>(grid: &'a Grid<'a>, links: Links) -> Chains<'a> {
        let mut chains = Chains {
            grid,
            links,
            nodes: Vec::new(),
            strong: Vec::new(),
            weak: Vec::new(),
            conflicts: Vec::new(),
        };
        for cell in 0..grid.reference.cells() {
            let digits = grid.all_digits().filter(|&digit| grid.has(cell, digit));
            let digits: Vec<u8> = digits.collect();
            for &digit in digits.iter().filter(|_| digits.len() > 1) {
                if !matches!(links, Links::Digit(wanted) if wanted != digit) {
                    let cells = vec![cell];
                    chains.nodes.push(Node { cells, digit });
                }
            }
        }
        let candidates = chains.nodes.clone();
        if candidates.len() > MAX_NODES {
            chains.nodes.clear();
            return chains;
        }
        let mut strong = chains.strong_links();
        strong.extend(strong.clone().iter().map(|&[a, b]| [b, a]));
        let nodes = 0..chains.nodes.len();
        let linked = |node: usize| {
            let others = nodes.clone().filter(|&other| strong.contains(&[node, other]));
            others.collect()
        };
        chains.strong = nodes.clone().map(linked).collect();
        chains.conflicts =
            nodes.clone().map(|node| chains.conflicts_of(node, &candidates)).collect();
        let weakly_linked = |a: usize| {
            let has_link = |&b: &usize| chains.all_conflict(a, b);
            nodes.clone().filter(has_link).collect()
        };
        chains.weak = nodes.clone().map(weakly_linked).collect();
        chains
    }

    /// Returns the strong links. Adds the groups to the nodes.
    fn strong_links(&mut self) -> HashSet<[usize; 2]> {
        let mut strong = HashSet::new();
        if !matches!(self.links, Links::Digit(_)) {
            for (a, node) in self.nodes.iter().enumerate() {
                for (b, other) in self.nodes.iter().enumerate().skip(a + 1) {
                    if node.cells == other.cells && self.grid.sets[node.cells[0]].count_ones() == 2
                    {
                        strong.insert([a, b]);
                    }
                }
            }
        }
        if self.links == Links::Cells {
            return strong;
        }
        let grid = self.grid;
        for house in grid.houses() {
            for digit in grid.all_digits() {
                if matches!(self.links, Links::Digit(wanted) if wanted != digit) {
                    continue;
                }
                let places = grid.places(house, digit);
                if let [a, b] = places[..] {
                    strong.insert([vec![a], vec![b]].map(|cells| self.node(cells, digit)));
                } else if self.links == Links::Groups {
                    for parts in self.splits(house, &places) {
                        strong.insert(parts.map(|cells| self.node(cells, digit)));
                    }
                }
            }
        }
        strong
    }

    /// Returns the ways to split cells of a house in two: those that another house shares, and the
    /// others, which are one cell or all those that a third house shares. The shared ones are
    /// in the order of the numbers whose bits are the positions of the shared cells of the
    /// houses.
    fn splits(&self, house: &[usize], places: &[usize]) -> Vec<[Vec<usize>; 2]> {
        let mut crossings: Vec<(u32, Vec<usize>)> = Vec::new();
        for (_, other) in self.grid.houses_and_groups() {
            let shared = house.iter().enumerate().filter(|(_, cell)| other.contains(cell));
            let shared: Vec<(usize, usize)> =
                shared.map(|(position, &cell)| (position, cell)).collect();
            if shared.len() >= 2 && shared.len() < other.len() {
                let number = shared.iter().map(|(position, _)| 1 << position).sum();
                let cells = shared.iter().map(|&(_, cell)| cell);
                crossings.push((number, cells.filter(|cell| places.contains(cell)).collect()));
            }
        }
        crossings.sort_unstable();
        crossings.dedup();
        let mut splits = Vec::new();
        for (_, shared) in &crossings {
            let rest: Vec<usize> =
                places.iter().copied().filter(|cell| !shared.contains(cell)).collect();
            let is_node = rest.len() == 1 || crossings.iter().any(|(_, other)| *other == rest);
            if shared.len() >= 2 && !rest.is_empty() && is_node {
                splits.push([shared.clone(), rest]);
            }
        }
        splits
    }

    /// Returns the number of a node. Adds it if it is new.
    fn node(&mut self, cells: Vec<usize>, digit: u8) -> usize {
        let node = Node { cells, digit };
        let known = self.nodes.iter().position(|known| *known == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    fn conflicts_of(&self, node: usize, candidates: &[Node]) -> HashSet<(usize, u8)> {
        let Node { cells, digit } = &self.nodes[node];
        let links_cells = matches!(self.links, Links::Candidates | Links::Groups);
        let is_false = |cell: usize, other: u8| {
            cells.iter().all(|&of_node| {
                let is_same_cell = links_cells && of_node == cell && *digit != other;
                is_same_cell || (*digit == other && self.grid.sees(of_node, cell))
            })
        };
        let candidates = candidates.iter().map(|node| (node.cells[0], node.digit));
        candidates.filter(|&(cell, other)| is_false(cell, other)).collect()
    }

    /// Returns true if each candidate of node `b` is false if node `a` is true.
    fn all_conflict(&self, a: usize, b: usize) -> bool {
        let b = &self.nodes[b];
        b.cells.iter().all(|&cell| self.conflicts[a].contains(&(cell, b.digit)))
    }

    /// Returns the candidates that are false because one of the nodes is true.
    fn eliminations(&self, a: usize, b: usize) -> Vec<(usize, u8)> {
        let mut removed: Vec<_> =
            self.conflicts[a].intersection(&self.conflicts[b]).copied().collect();
        removed.sort_unstable();
        removed
    }

    fn eliminates(&self, a: usize, b: usize) -> bool {
        !self.conflicts[a].is_disjoint(&self.conflicts[b])
    }

    /// Returns the nodes that are true if `node` is true, because of a weak and a strong link.
    fn next(&self, node: usize) -> impl Iterator<Item = [usize; 2]> {
        let weak = self.weak[node].iter();
        weak.flat_map(|&weak| self.strong[weak].iter().map(move |&strong| [weak, strong]))
    }

    /// Returns the shortest chain that eliminates a candidate, the first one in lexicographic
    /// order.
    fn shortest(&self) -> Option<Vec<usize>> {
        let starts = 0..self.nodes.len();
        let strong_links = |start: usize| self.strong_links_to_elimination(start);
        let shortest = starts.clone().filter_map(strong_links).min()?;
        starts
            .clone()
            .find_map(|start| self.first_chain(&mut vec![start], shortest, &mut HashSet::new()))
    }

    /// Returns the number of strong links of the shortest chain from a node that eliminates a
    /// candidate.
    fn strong_links_to_elimination(&self, start: usize) -> Option<usize> {
        let mut ends: BTreeSet<usize> = self.strong[start].iter().copied().collect();
        let mut reached = ends.clone();
        for length in 1.. {
            if ends.iter().any(|&end| self.eliminates(start, end)) {
                return Some(length);
            }
            let next = ends.iter().flat_map(|&end| self.next(end));
            ends = next.map(|[_, node]| node).filter(|node| !reached.contains(node)).collect();
            if ends.is_empty() {
                break;
            }
            reached.extend(&ends);
        }
        None
    }

    /// Returns the first chain that begins like `chain`, has `strong_links` more strong links and
    /// eliminates a candidate. `without` holds nodes and numbers of links known to have none.
    fn first_chain(
        &self,
        chain: &mut Vec<usize>,
        strong_links: usize,
        without: &mut HashSet<(usize, usize)>,
    ) -> Option<Vec<usize>> {
        let end = chain[chain.len() - 1];
        if strong_links == 0 {
            return self.eliminates(chain[0], end).then(|| chain.clone());
        }
        if !without.insert((end, strong_links)) {
            return None;
        }
        let links: Vec<Vec<usize>> = match chain.len() {
            1 => self.strong[end].iter().map(|&node| vec![node]).collect(),
            _ => self.next(end).map(|links| links.to_vec()).collect(),
        };
        links.iter().find_map(|links| {
            chain.extend(links);
            let found = self.first_chain(chain, strong_links - 1, without);
            chain.truncate(chain.len() - links.len());
            found
        })
    }
}
