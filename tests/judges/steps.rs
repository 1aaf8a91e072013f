//! Checks the steps of `path` that are on the scale of difficulty, from their JSON: each step
//! against the solution, and each claim of a chain against the candidates before the step.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::full::step;
use crate::run::run_with;

/// Puzzles above 9 whose paths have chains with patterns, with chains and with multiple chains
/// inside.
const HARD: [&str; 5] = [
    "..23.....8....6.2..7..1.5..4....53...1..7...6..32......6......9..4....3......97.1",
    "...3....18....7....7..1.5..4....53...1..7...6..32...8..6.5.......4.6..3......97..",
    "1.......2.9.4...5...6...7...5.9.38......7.......8...4.7.....6...3...9.8...2.....1",
    "1.......2.9.4...5...65..7...5.9.3.......7.......8...4.7.....6...4...9.8...2.....1",
    "1.......2.9.4...5...6...7...5.9.3...8...7.......8...4.7.....6...3...9.8...2.....1",
];

/// Two puzzles of pencilmarks with more candidates than most tables of chains have room for.
const MANY_CANDIDATES: [&str; 2] = [
    ".23.5..8..2.....8...3...789..3.56.8.1...5.7..12........234....912.4.678...34.6.8..2..567.9.2..5678912...6..91.34..7....34..789.234....91.3.5.7..12...678.1..4...89...456..91.3456789123.56.....34.67891234.67891...5678.12..5....1.3..6...1.3....89.2....78..23.56.8.1.34567.9.23.56...123....89.234.6.8.1.3..67.91..45...9123.5.7.9.2.45...91.3.5..891.3.567.9.23..678..2...678.1....6..91.3....891234.6789.23456..91..45.7...2.456..912.4..7.9123.5678.....56789.2.4....9.23....8912.45....1234..78..23..6..91.3.56.89123.56789.....6789..34..7..123.5.7.91..45678.1.3.567..1..4..789.23..67..1.3.......2.45..8.12345.78.12...6.891.3456....2.456.8..2.4.6789.....6..91234..7.9.234..7..1.3.5.78912.45.7.9.23.5..891..45678..2......9.234.6.891...5.789",
    "...456789.23...789.234.6..9..34.678..2..5.7..1.34....9..3456.89.2.45.789.23....8..2..56789...45.78912..5..891.34...8.1...56.8.123....891...56.89.2.4.6.8.12..56.8912.4...8...345..8.1.34.67891..4567.9.234...8....45.7..1.3...78.12.456..91....6.89.234..7891.3456789.234..7.9.2.456..91....678.123....8.12.4.6789.2345.789123456.8.....56.8.12..5.78......678.1234567.91..4.678.....5...9..34567.912...6.8.1..4.6.8.12..5....1...5.7.9.2.4..7.9123456.89.2.4.6.891234...8....456.89.23456.891.3.567..1.....789...4.6.......5.7.9.2..56.8.12.4...8.123..6.8...3..678.1.3.5678912.4.6....23.56..91.3....891......8912..567...234...89.2..5.78.1234.....12.4.6.8.1.3456.89.2..5.7..12.4.67...23...7.91.3456.....3...789.2.4.6..9.23..6..9.2345.78..23.567..",
];

/// The techniques of a person that the scale has too.
const WITHOUT_CHAINS: &str = "4.4,naked-quad,hidden-quad,jellyfish";

/// The techniques of the scale that a path can have.
const OF_PATHS: [&str; 17] = [
    "unique-rectangle",
    "unique-loop",
    "bivalue-universal-grave",
    "aligned-pair-exclusion",
    "x-cycle",
    "y-cycle",
    "forcing-x-chain",
    "cycle",
    "forcing-chain",
    "aligned-triplet-exclusion",
    "nishio-forcing-chains",
    "multiple-forcing-chains",
    "dynamic-forcing-chains",
    "dynamic-chains-with-patterns",
    "dynamic-chains-with-chains",
    "dynamic-chains-with-multiple",
    "dynamic-chains-with-dynamic",
];

/// The techniques of the scale that no path has with a level, because a person has them too, or
/// finds the same by a single or by locked candidates and then a single.
const OF_RATINGS: [&str; 20] = [
    "full-house",
    "hidden-single",
    "direct-pointing",
    "direct-claiming",
    "direct-hidden-pair",
    "naked-single",
    "direct-hidden-triple",
    "pointing",
    "claiming",
    "naked-pair",
    "x-wing",
    "hidden-pair",
    "naked-triple",
    "swordfish",
    "hidden-triple",
    "xy-wing",
    "xyz-wing",
    "naked-quad",
    "jellyfish",
    "hidden-quad",
];

/// The candidates of each cell, a bit for each digit. A filled cell has none.
type Candidates = [u16; 81];

/// A cell and a digit.
type Candidate = (usize, u16);

/// A candidate that is claimed to be true or false.
type Statement = (usize, u16, bool);

type Checked<T> = Result<T, String>;

fn need(holds: bool, what: &str) -> Checked<()> {
    if holds { Ok(()) } else { Err(what.to_string()) }
}

/// Returns the cells of all rows, columns and boxes, with the names of the houses.
fn houses() -> BTreeMap<String, Vec<usize>> {
    let mut houses = BTreeMap::new();
    for cell in 0..81 {
        let (row, column) = (cell / 9, cell % 9);
        let number = row / 3 * 3 + column / 3;
        for (kind, index) in [("row", row), ("column", column), ("box", number)] {
            let name = format!("{kind} {}", index + 1);
            houses.entry(name).or_insert_with(Vec::new).push(cell);
        }
    }
    houses
}

struct Judge {
    houses: BTreeMap<String, Vec<usize>>,
    sees: Vec<[bool; 81]>,
    /// How often each technique was checked, also inside chains.
    uses: BTreeMap<String, usize>,
}

impl Judge {
    fn new() -> Judge {
        let houses = houses();
        let share_house = |a: usize, b: usize| {
            houses.values().any(|cells| cells.contains(&a) && cells.contains(&b))
        };
        let sees = |a: usize| std::array::from_fn(|b| a != b && share_house(a, b));
        Judge { sees: (0..81).map(sees).collect(), houses, uses: BTreeMap::new() }
    }

    fn house(&self, name: &Json) -> Checked<&[usize]> {
        let cells = name.as_str().and_then(|name| self.houses.get(name));
        cells.map(|cells| &cells[..]).ok_or(format!("house {name}"))
    }

    /// Replays a path. Returns its last entry if it ends early.
    fn check_path(&mut self, puzzle: &str, solution: &str, path: &Json) -> Checked<Option<String>> {
        let solution: Vec<u16> = solution.bytes().map(|symbol| 1 << (symbol - b'1')).collect();
        let mut candidates = self.candidates_of(puzzle);
        let mut steps = path.as_array().ok_or("no steps")?.iter();
        for step in steps.by_ref() {
            let technique = step["technique"].as_str().unwrap_or_default();
            if ["search", "stuck", "time"].contains(&technique) {
                need(steps.next().is_none(), "a step after the end")?;
                return Ok(Some(technique.to_string()));
            }
            self.check_step(&mut candidates, &solution, step)
                .map_err(|fault| format!("{puzzle}: {fault}: {step}"))?;
        }
        need(candidates == [0; 81], "the path does not end with the solution")?;
        Ok(None)
    }

    /// A puzzle of pencilmarks has nine symbols for each cell.
    fn candidates_of(&self, puzzle: &str) -> Candidates {
        let symbols = puzzle.as_bytes();
        if symbols.len() == 729 {
            let has = |index: usize| u16::from(symbols[index] != b'.') << (index % 9);
            return std::array::from_fn(|cell| (9 * cell..9 * cell + 9).map(has).sum());
        }
        let mut candidates = [0x1FF; 81];
        for (cell, &symbol) in symbols.iter().enumerate().filter(|(_, symbol)| **symbol != b'.') {
            self.place(&mut candidates, cell, 1 << (symbol - b'1'));
        }
        candidates
    }

    fn check_step(
        &mut self,
        candidates: &mut Candidates,
        solution: &[u16],
        step: &Json,
    ) -> Checked<()> {
        let placed = if step["cell"].is_null() { None } else { Some(candidate_of(step)?) };
        let removed = array(&step["removed"]).map(candidate_of).collect::<Checked<Vec<_>>>()?;
        need(placed.is_some() == removed.is_empty(), "neither a digit nor removals, or both")?;
        for &(cell, digit) in placed.iter().chain(&removed) {
            need(candidates[cell] & digit != 0, "no candidate")?;
            need((solution[cell] == digit) == placed.is_some(), "against the solution")?;
        }
        if !step["level"].is_null() {
            self.check_technique(candidates, step, placed, &removed)?;
        }
        if let Some((cell, digit)) = placed {
            self.place(candidates, cell, digit);
        }
        removed.iter().for_each(|&(cell, digit)| candidates[cell] &= !digit);
        Ok(())
    }

    fn place(&self, candidates: &mut Candidates, cell: usize, digit: u16) {
        candidates[cell] = 0;
        for peer in (0..81).filter(|&peer| self.sees[cell][peer]) {
            candidates[peer] &= !digit;
        }
    }

    fn check_technique(
        &mut self,
        candidates: &Candidates,
        step: &Json,
        placed: Option<Candidate>,
        removed: &[Candidate],
    ) -> Checked<()> {
        let technique = step["technique"].as_str().ok_or("no technique")?;
        let kind = step["type"].as_str().map(|kind| format!("{technique} {kind}"));
        *self.uses.entry(kind.unwrap_or(technique.to_string())).or_default() += 1;
        match technique {
            "unique-rectangle" | "unique-loop" => {
                let extras = self.extras_of_loop(candidates, step)?;
                self.check_extras(candidates, &extras, removed)
            }
            "bivalue-universal-grave" => {
                let extras = self.extras_of_grave(candidates, step)?;
                self.check_extras(candidates, &extras, removed)
            }
            "aligned-pair-exclusion" | "aligned-triplet-exclusion" => {
                self.check_exclusion(candidates, step, removed)
            }
            _ => {
                let (digit, lost) = self.deductions_of(candidates, step)?;
                need(placed.is_none_or(|placed| digit == Some(placed)), "another digit")?;
                need(removed.iter().all(|it| lost.contains(it)), "not removed by the chains")
            }
        }
    }

    /// One of the extra candidates holds. With any of them, a removed candidate leaves no digits
    /// for the cells of some house.
    fn check_extras(
        &self,
        candidates: &Candidates,
        extras: &[Candidate],
        removed: &[Candidate],
    ) -> Checked<()> {
        let contradict = |extra: Candidate, removed: Candidate| {
            let (same_cell, same_digit) = (extra.0 == removed.0, extra.1 == removed.1);
            if same_cell && !same_digit || same_digit && self.sees[extra.0][removed.0] {
                return true;
            }
            let mut left = *candidates;
            for (cell, digit) in [extra, removed] {
                (0..81).filter(|&it| self.sees[cell][it]).for_each(|it| left[it] &= !digit);
                left[cell] = digit;
            }
            let open = |house: &[usize]| -> Vec<u16> {
                let open = house.iter().filter(|&&cell| candidates[cell] != 0);
                open.map(|&cell| left[cell]).collect()
            };
            !self.houses.values().all(|house| have_different_digits(&open(house), 0))
        };
        let is_refuted = |removed: &Candidate| extras.iter().all(|&it| contradict(it, *removed));
        need(!extras.is_empty() && removed.iter().all(is_refuted), "an extra candidate allows it")
    }

    /// Each house has two cells of a loop or none, and all have both digits.
    fn extras_of_loop(&self, candidates: &Candidates, step: &Json) -> Checked<Vec<Candidate>> {
        let cells = cells_of(&step["cells"])?;
        let pair = digits_of(&step["digits"])?;
        need(pair.count_ones() == 2, "no pair")?;
        need(cells.iter().all(|&cell| candidates[cell] & pair == pair), "a cell lacks a digit")?;
        let in_loop = |house: &&Vec<usize>| house.iter().filter(|it| cells.contains(it)).count();
        need(self.houses.values().all(|house| matches!(in_loop(&house), 0 | 2)), "no loop")?;
        let extras_of = |cell: usize| digits(candidates[cell] & !pair).map(move |it| (cell, it));
        Ok(cells.into_iter().flat_map(extras_of).collect())
    }

    /// Without the extra candidates, cells have two candidates and digits two places, or none.
    fn extras_of_grave(&self, candidates: &Candidates, step: &Json) -> Checked<Vec<Candidate>> {
        let (mut grave, mut extras) = (*candidates, Vec::new());
        for node in array(&step["nodes"]) {
            let digit = digit_of(&node["digit"])?;
            for cell in cells_of(&node["cells"])? {
                need(grave[cell] & digit != 0, "no extra candidate")?;
                grave[cell] &= !digit;
                extras.push((cell, digit));
            }
        }
        need(grave.iter().all(|set| matches!(set.count_ones(), 0 | 2)), "no grave")?;
        let places = |house: &[usize], digit: u16| places(&grave, house, digit).len();
        let has_two =
            |house: &Vec<usize>| (0..9).all(|digit| matches!(places(house, 1 << digit), 0 | 2));
        need(self.houses.values().all(has_two), "no grave")?;
        Ok(extras)
    }

    /// No digits of the cells that leave each of the other cells a candidate include a removed one.
    fn check_exclusion(
        &self,
        candidates: &Candidates,
        step: &Json,
        removed: &[Candidate],
    ) -> Checked<()> {
        let cells = cells_of(&step["cells"])?;
        let others = cells_of(&step["other_cells"])?;
        let mut combinations: Vec<Vec<u16>> = vec![Vec::new()];
        for (index, &cell) in cells.iter().enumerate() {
            let (earlier, sees) = (&cells[..index], &self.sees);
            let longer = combinations.iter().flat_map(|combination| {
                let differs = move |&digit: &u16| {
                    let mut earlier = earlier.iter().zip(combination);
                    earlier.all(|(&other, &used)| used != digit || !sees[other][cell])
                };
                let digits = digits(candidates[cell]).filter(differs);
                digits.map(move |digit| [&combination[..], &[digit]].concat())
            });
            combinations = longer.collect();
        }
        let leaves = |combination: &Vec<u16>, other: usize| {
            let seen = cells.iter().zip(combination).filter(|(cell, _)| self.sees[**cell][other]);
            candidates[other] & !seen.fold(0, |set, (_, digit)| set | digit) != 0
        };
        combinations.retain(|combination| others.iter().all(|&other| leaves(combination, other)));
        let is_allowed = |&(cell, digit): &Candidate| {
            let index = cells.iter().position(|&it| it == cell);
            index.is_none_or(|index| combinations.iter().any(|it| it[index] == digit))
        };
        need(!removed.iter().any(is_allowed), "a combination is left")
    }

    /// Returns the digit that chains place, if they place one, and all candidates that they remove.
    fn deductions_of(
        &mut self,
        candidates: &Candidates,
        pattern: &Json,
    ) -> Checked<(Option<Candidate>, Vec<Candidate>)> {
        let chains = array(&pattern["chains"])
            .map(|chain| self.check_chain(candidates, chain))
            .collect::<Checked<Vec<Vec<Statement>>>>()?;
        need(!chains.is_empty() && chains.iter().all(|chain| !chain.is_empty()), "no chain")?;
        let technique = pattern["technique"].as_str().unwrap_or_default();
        if technique.ends_with("cycle") {
            return Ok((None, self.lost_by_cycle(candidates, pattern, &chains[0])?));
        }
        let result = match &chains[..] {
            [chain] => refuted(chain)?,
            _ => self.common_end(candidates, pattern, &chains)?,
        };
        let (cell, digit, holds) = result;
        if holds {
            let others = digits(candidates[cell] & !digit).map(|other| (cell, other));
            return Ok((Some((cell, digit)), others.collect()));
        }
        Ok((None, vec![(cell, digit)]))
    }

    /// Returns the statements of a chain, if each follows from its reasons.
    fn check_chain(&mut self, candidates: &Candidates, chain: &Json) -> Checked<Vec<Statement>> {
        let mut statements: Vec<Statement> = Vec::new();
        for claim in array(chain) {
            let (cell, digit) = candidate_of(claim)?;
            let holds = claim["holds"].as_bool().ok_or("neither true nor false")?;
            need(candidates[cell] & digit != 0, "a claim about no candidate")?;
            let reason = |index: &Json| statements.get(index.as_u64()? as usize).copied();
            let reasons = array(&claim["from"]).map(reason).collect::<Option<Vec<Statement>>>();
            let reasons = reasons.ok_or("a later claim as a reason")?;
            need(statements.is_empty() == reasons.is_empty(), "no reason")?;
            let statement = (cell, digit, holds);
            if !claim["by"].is_null() {
                self.check_inner(candidates, &claim["by"], &reasons, statement)?;
            } else if !reasons.is_empty() {
                need(self.is_linked(candidates, &reasons, statement), "no link")?;
            }
            statements.push(statement);
        }
        Ok(statements)
    }

    /// A candidate is false beside a true one that excludes it. It is true if all others of its
    /// cell, or all other places in a house, are false.
    fn is_linked(
        &self,
        candidates: &Candidates,
        reasons: &[Statement],
        (cell, digit, holds): Statement,
    ) -> bool {
        if !holds {
            return matches!(reasons, &[(other, other_digit, true)]
                if other == cell && other_digit != digit
                    || other_digit == digit && self.sees[other][cell]);
        }
        let are_reasons = |mut expected: Vec<Statement>| {
            let mut reasons = reasons.to_vec();
            reasons.sort_unstable();
            expected.sort_unstable();
            expected == reasons
        };
        let of_cell = digits(candidates[cell] & !digit).map(|other| (cell, other, false));
        let of_house = |house: &Vec<usize>| {
            let places = places(candidates, house, digit).into_iter();
            let others = places.filter(|&place| place != cell);
            house.contains(&cell) && are_reasons(others.map(|it| (it, digit, false)).collect())
        };
        are_reasons(of_cell.collect()) || self.houses.values().any(of_house)
    }

    /// The pattern inside must remove the candidate, where those of the reasons are removed.
    fn check_inner(
        &mut self,
        candidates: &Candidates,
        inner: &Json,
        reasons: &[Statement],
        (cell, digit, holds): Statement,
    ) -> Checked<()> {
        need(!holds && reasons.iter().all(|reason| !reason.2), "a true candidate by a pattern")?;
        let mut left = *candidates;
        reasons.iter().for_each(|&(cell, digit, _)| left[cell] &= !digit);
        let technique = inner["technique"].as_str().ok_or("no technique inside")?;
        *self.uses.entry(format!("{{{technique}}}")).or_default() += 1;
        let is_removed = match technique {
            "locked-candidates" | "naked-pair" | "hidden-pair" | "x-wing" => {
                self.is_removed_by_set(&left, inner, (cell, digit))?
            }
            _ => self.deductions_of(&left, inner)?.1.contains(&(cell, digit)),
        };
        need(is_removed, technique)
    }

    fn is_removed_by_set(
        &self,
        candidates: &Candidates,
        inner: &Json,
        (cell, digit): Candidate,
    ) -> Checked<bool> {
        let houses =
            array(&inner["houses"]).map(|it| self.house(it)).collect::<Checked<Vec<_>>>()?;
        let cells = cells_of(&inner["cells"])?;
        let set = digits_of(&inner["digits"])?;
        let is_in_pair = cells.contains(&cell);
        Ok(match inner["technique"].as_str() {
            Some("locked-candidates") => {
                let [from, to] = houses[..] else {
                    return Err("not two houses".into());
                };
                let is_in_target = to.contains(&cell) && !from.contains(&cell);
                is_in_target && places(candidates, from, digit).iter().all(|it| to.contains(it))
            }
            Some("naked-pair") => {
                let is_pair = cells.len() == 2 && set.count_ones() == 2;
                let all = [&cells[..], &[cell]].concat();
                let are_in_house = all.iter().all(|it| houses[0].contains(it));
                let are_naked = cells.iter().all(|&it| candidates[it] & !set == 0);
                is_pair && are_in_house && are_naked && !is_in_pair && set & digit != 0
            }
            Some("hidden-pair") => {
                let is_pair = cells.len() == 2 && set.count_ones() == 2;
                let is_hidden = |digit| {
                    places(candidates, houses[0], digit).iter().all(|it| cells.contains(it))
                };
                is_pair && digits(set).all(is_hidden) && is_in_pair && set & digit == 0
            }
            _ => {
                let cover = array(&inner["cover_houses"]).map(|it| self.house(it));
                let cover = cover.collect::<Checked<Vec<_>>>()?.concat();
                let base = houses.concat();
                let is_covered =
                    places(candidates, &base, digit).iter().all(|it| cover.contains(it));
                let is_outside = cover.contains(&cell) && !base.contains(&cell);
                houses.len() == 2 && cover.len() == 18 && set == digit && is_covered && is_outside
            }
        })
    }

    /// Returns the statement that all chains end with. They begin with all candidates of a cell,
    /// with all places in a house, or with a candidate that holds and does not.
    fn common_end(
        &self,
        candidates: &Candidates,
        pattern: &Json,
        chains: &[Vec<Statement>],
    ) -> Checked<Statement> {
        let mut starts: Vec<Statement> = chains.iter().map(|chain| chain[0]).collect();
        starts.sort_unstable();
        let cells = cells_of(&pattern["cells"])?;
        let expected: Vec<Statement> = if let [cell] = cells[..] {
            digits(candidates[cell]).map(|digit| (cell, digit, true)).collect()
        } else if let Some(house) = array(&pattern["houses"]).next() {
            let digit = digits_of(&pattern["digits"])?;
            let places = places(candidates, self.house(house)?, digit);
            places.into_iter().map(|cell| (cell, digit, true)).collect()
        } else {
            let (cell, digit, _) = starts[0];
            vec![(cell, digit, false), (cell, digit, true)]
        };
        need(starts == expected, "the chains do not begin with all alternatives")?;
        let ends: Vec<Statement> = chains.iter().map(|chain| chain[chain.len() - 1]).collect();
        need(ends.iter().all(|end| *end == ends[0]), "the chains end differently")?;
        Ok(ends[0])
    }

    /// The links of a cycle lead both ways, so its statements are all right or all wrong.
    fn lost_by_cycle(
        &self,
        candidates: &Candidates,
        pattern: &Json,
        cycle: &[Statement],
    ) -> Checked<Vec<Candidate>> {
        need(cycle.len() > 3 && cycle[0] == cycle[cycle.len() - 1], "not closed")?;
        let claims = array(&pattern["chains"][0]).enumerate().skip(1);
        for (index, claim) in claims {
            let is_after = array(&claim["from"]).all(|it| it.as_u64() == Some(index as u64 - 1));
            need(is_after && claim["by"].is_null(), "a cycle with a branch")?;
        }
        let all = (0..81).flat_map(|cell| digits(candidates[cell]).map(move |it| (cell, it)));
        let is_lost = |&(cell, digit): &Candidate| {
            let is_seen = |by: bool| {
                let mut sources = cycle.iter().filter(|it| it.1 == digit && it.2 == by);
                sources.any(|&(source, ..)| self.sees[source][cell])
            };
            is_seen(true) && is_seen(false)
        };
        Ok(all.filter(is_lost).collect())
    }
}

/// Returns whether each cell can have a digit of its own, besides those used.
fn have_different_digits(cells: &[u16], used: u16) -> bool {
    match cells.split_first() {
        Some((&first, rest)) => {
            digits(first & !used).any(|digit| have_different_digits(rest, used | digit))
        }
        None => true,
    }
}

/// Returns the opposite of the first statement of a chain to a contradiction.
fn refuted(chain: &[Statement]) -> Checked<Statement> {
    let (cell, digit, holds) = chain[0];
    let has_opposite = |&(cell, digit, holds): &Statement| chain.contains(&(cell, digit, !holds));
    need(chain.iter().any(has_opposite), "no contradiction")?;
    Ok((cell, digit, !holds))
}

/// Returns the elements, or nothing if it is no array.
fn array(json: &Json) -> impl Iterator<Item = &Json> {
    json.as_array().into_iter().flatten()
}

fn candidate_of(json: &Json) -> Checked<Candidate> {
    Ok((cell_of(&json["cell"])?, digit_of(&json["digit"])?))
}

fn cell_of(json: &Json) -> Checked<usize> {
    match json.as_str().map(str::as_bytes) {
        Some(&[b'r', row @ b'1'..=b'9', b'c', column @ b'1'..=b'9']) => {
            Ok(9 * usize::from(row - b'1') + usize::from(column - b'1'))
        }
        _ => Err(format!("cell {json}")),
    }
}

fn cells_of(json: &Json) -> Checked<Vec<usize>> {
    array(json).map(cell_of).collect()
}

fn digit_of(json: &Json) -> Checked<u16> {
    let digit = json.as_u64().filter(|digit| (1..=9).contains(digit));
    digit.map(|digit| 1 << (digit - 1)).ok_or(format!("digit {json}"))
}

fn digits_of(json: &Json) -> Checked<u16> {
    array(json).try_fold(0, |set, digit| Ok(set | digit_of(digit)?))
}

/// Returns the digits of a set, each as a set of one.
fn digits(set: u16) -> impl Iterator<Item = u16> {
    (0..9).map(|index| 1 << index).filter(move |digit| set & digit != 0)
}

/// Returns the cells that can hold a digit.
fn places(candidates: &Candidates, cells: &[usize], digit: u16) -> Vec<usize> {
    cells.iter().copied().filter(|&cell| candidates[cell] & digit != 0).collect()
}

/// Returns the puzzles with their solutions and paths.
fn paths_of<'p>(
    options: &str,
    puzzles: impl Iterator<Item = &'p str>,
) -> Vec<(String, String, Json)> {
    let input: String = puzzles.map(|puzzle| format!("{puzzle}\n")).collect();
    let options = format!("-j2 --output json -o puzzle,solution,path {options}");
    let (output, messages, exit) = run_with(&options, input.as_bytes());
    assert_eq!((&*messages, exit), ("", Some(0)));
    let read = |line: &str| {
        let mut json: Json = serde_json::from_str(line).unwrap();
        let text = |name: &str| json[name].as_str().unwrap().to_string();
        (text("puzzle"), text("solution"), json["path"].take())
    };
    output.lines().map(read).collect()
}

/// Puzzles of the levels that a person's techniques do not reach, from 4.5.
fn rated() -> impl Iterator<Item = &'static str> {
    let lines = include_str!("difficulty/se-rated.tsv").lines();
    let rated = lines.map(|line| line.split_once('\t').unwrap());
    rated.filter(|(_, level)| level.parse::<f64>().unwrap() >= 4.5).map(|(puzzle, _)| puzzle)
}

#[test]
fn each_claim_of_a_path_follows() {
    let mut judge = Judge::new();
    for (puzzle, solution, path) in paths_of("", rated().step_by(4).chain(HARD)) {
        assert_eq!(judge.check_path(&puzzle, &solution, &path), Ok(None));
    }
}

/// A path has these names of the scale only if the person lacks techniques for their patterns. The
/// last puzzle has each kind of chain inside that no other has.
#[test]
fn each_step_of_the_scale_is_seen() {
    let mut judge = Judge::new();
    let nested =
        "........1.....2.3.....4567......8....18.249..4.591.28..42.89..518.......5.9..1..8";
    let without_chains = format!("--techniques {WITHOUT_CHAINS},{}", OF_PATHS.join(","));
    for (options, puzzles) in [
        (&*without_chains, rated().step_by(step(4)).collect::<Vec<_>>()),
        ("", [&HARD[..], &[nested]].concat()),
    ] {
        for (puzzle, solution, path) in paths_of(options, puzzles.into_iter()) {
            assert_eq!(judge.check_path(&puzzle, &solution, &path), Ok(None));
        }
    }
    let page = include_str!("../../data/techniques.md");
    let (_, page) = page.split_once("## The scale of difficulty").unwrap();
    let table: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
    let is_in_table = |name: &&str| table.iter().any(|row| row.contains(&format!("`{name}`")));
    assert!(OF_PATHS.iter().all(is_in_table) && OF_RATINGS.iter().all(is_in_table));
    let names = table.iter().flat_map(|row| row.split('`').skip(1).step_by(2)).collect();
    let known: BTreeSet<&str> = OF_PATHS.into_iter().chain(OF_RATINGS).collect();
    assert_eq!(known, names, "all names of the table");
    let types = ["type 1", "type 2", "type 3", "type 4"];
    let graves = types.map(|name| format!("bivalue-universal-grave {name}"));
    let inside = ["locked-candidates", "naked-pair", "hidden-pair", "forcing-chain", "cycle"];
    let inside = [&inside[..], &["multiple-forcing-chains", "dynamic-forcing-chains"]].concat();
    let inside = inside.into_iter().map(|name| format!("{{{name}}}"));
    let is_used = |name: &str| judge.uses.keys().any(|used| used.starts_with(name));
    for name in OF_PATHS.map(String::from).into_iter().chain(graves).chain(inside) {
        assert!(is_used(&name), "{name}: {:?}", judge.uses);
    }
}

/// Pencilmarks without a single given: 385 candidates and more.
#[test]
fn a_path_of_many_candidates_goes_to_the_end() {
    let mut judge = Judge::new();
    for (puzzle, solution, path) in paths_of("", MANY_CANDIDATES.into_iter()) {
        assert!(puzzle.bytes().filter(|&symbol| symbol != b'.').count() > 384);
        assert_eq!(judge.check_path(&puzzle, &solution, &path), Ok(None));
    }
    assert!(judge.uses.contains_key("dynamic-forcing-chains"), "{:?}", judge.uses);
}

/// Whatever `--max-time` and `--techniques` cut off.
#[test]
fn a_path_that_ends_early_is_the_beginning_of_a_path() {
    let mut judge = Judge::new();
    let [(puzzle, solution, whole)] = &paths_of("", [HARD[1]].into_iter())[..] else {
        panic!("one puzzle");
    };
    let whole = whole.as_array().unwrap();
    for limit in ["0.02", "0.05", "0.1", "0.2", "0.5"] {
        let options = format!("-q --output json -o reason,path --max-time {limit}");
        let (output, ..) = run_with(&options, format!("{puzzle}\n").as_bytes());
        let json: Json = serde_json::from_str(&output).unwrap();
        let end = judge.check_path(puzzle, solution, &json["path"]).unwrap();
        let is_early = end.is_some();
        assert_eq!(json["reason"], if is_early { "time".into() } else { Json::Null });
        assert!([None, Some("time")].contains(&end.as_deref()), "{end:?}");
        let steps = json["path"].as_array().unwrap();
        let taken = steps.len() - usize::from(is_early);
        assert_eq!(steps[..taken], whole[..taken], "{limit}");
        assert!(is_early || limit != "0.02");
    }
    let limited = paths_of("--techniques 4.4,unique-rectangle", rated().step_by(32));
    let ends = limited.iter().map(|(puzzle, solution, path)| {
        judge.check_path(puzzle, solution, path).unwrap_or_else(|fault| panic!("{fault}"))
    });
    let ends: BTreeSet<Option<String>> = ends.collect();
    assert_eq!(ends, [None, Some("stuck".to_string())].into());
}

/// The judge finds each wrong claim.
#[test]
fn a_path_with_another_digit_in_a_claim_is_refused() {
    let mut judge = Judge::new();
    let mut planted = 0;
    for (puzzle, solution, path) in paths_of("", rated().step_by(16)) {
        assert_eq!(judge.check_path(&puzzle, &solution, &path), Ok(None));
        for (index, step) in path.as_array().unwrap().iter().enumerate() {
            let chains = array(&step["chains"]).enumerate();
            for (chain, claims) in chains.filter(|(_, claims)| array(claims).count() > 2) {
                let claim = array(claims).count() / 2;
                let mut wrong = path.clone();
                let digit = &mut wrong[index]["chains"][chain][claim]["digit"];
                *digit = (digit.as_u64().unwrap() % 9 + 1).into();
                assert!(judge.check_path(&puzzle, &solution, &wrong).is_err(), "{wrong}");
                planted += 1;
            }
        }
    }
    assert!(planted > 10, "{planted}");
}
