//! Decodes constraint strings of Interactive Sudoku Solver, which state a puzzle and its rules:
//! `.Cage~3~R1C1~R1C2.Thermo~R2C1~R3C1.~R4C4_5`.
//!
//! ```text
//!     .NAME~ARGUMENT~...      a rule; most arguments are cells, such as R4C5. From row 10 on, rows and
//!                             columns are letters: RaCg is r10c16
//!     .~CELL_DIGIT_DIGIT~...  the digits that cells can hold: one digit is a given
//!     .Shape~6x6              the size, 9x9 if there is none
//!     .Shape~9x9~0-8          the digits too: from 1, or from 0
//! ```
//!
//! Digits are stored from 1 on, whatever the first one is (`Numbering`). The functions of rules say
//! in stated digits which of them are allowed.
//!
//! A puzzle is written as the items of its rules, then its givens (`write.rs`); `movable_rules.rs`
//! moves the rules with the cells of the puzzle.
//!
//! `rules.rs` has the rules by their names. A name that it lacks is an error: a puzzle without one
//! of its rules is another puzzle.

mod cells;
mod movable_rules;
mod moved;
mod rules;
mod write;

pub(crate) use cells::diagonal_from;
pub(crate) use movable_rules::MovableRules;
pub(crate) use write::{WordsOfRules, items_of_layout, with_givens};

use memchr::memmem;

use super::described::{DescribedPuzzle, excerpt};
use crate::text::record_rules::{Argument, DifferentCells, RecordRules, RuleItem};
use crate::text::symbols::Numbering;
use cells::cell_of;
use engine::error::InvalidInput;
use engine::rules::{Cage, PairTable, Place, Scope, Shape, StatedRule, StatedRules, Variant};

type Result<T> = std::result::Result<T, InvalidInput>;

/// A rule with its arguments.
#[derive(Clone, Debug)]
struct Item<'a> {
    name: &'a str,
    arguments: Vec<&'a str>,
}

/// The largest side whose rows and columns have a digit or letter.
const MAX_SIDE: usize = 16;

/// The puzzle as far as its items are read.
struct Draft<'a> {
    items: &'a [Item<'a>],
    side: usize,
    numbering: Numbering,
    boxes: Option<[usize; 2]>,
    /// The labels of a layout that replaces the boxes.
    layout: Option<Vec<u8>>,
    /// The number of the region of each cell: its box, or that of the layout.
    regions: Vec<Option<usize>>,
    /// One digit per cell, 0 without a given.
    givens: Vec<u8>,
    /// The candidates that items of givens state besides `givens`: several digits, or another
    /// digit.
    restrictions: Vec<&'a str>,
    /// The digits that rules and `restrictions` allow: bit d-1 for digit d.
    candidates: Vec<u32>,
    cages: Vec<Cage>,
    /// True for the cells of `cages`.
    is_caged: Vec<bool>,
    diagonals: [bool; 2],
    variants: Vec<Variant>,
    groups: Vec<Vec<u16>>,
    constraints: StatedRules,
    /// The rules that drawings show, but for `cages`.
    stated: Vec<RuleItem>,
    /// The names of marks that a rule of the whole grid excepts.
    excepted: Vec<&'static str>,
}

/// Returns true for a field that begins with `.~`, or with `.` and the name of a rule. An unknown
/// name counts if its arguments, or those of a later rule, are cells: no puzzle has `~R`.
pub(super) fn is_one(field: &[u8]) -> bool {
    let has_cells = || memmem::find(field, b"~R").is_some();
    let rest = match field.strip_prefix(b".") {
        Some([b'.', ..]) if has_cells() => &field[first_other(field)..],
        Some(rest) => rest,
        None => return false,
    };
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let name = str::from_utf8(&rest[..length]).unwrap_or_default();
    match rest.get(length) {
        Some(b'~') => true,
        Some(b'.') | None => {
            rules::is_known(name)
                || (rest.first().is_some_and(u8::is_ascii_uppercase) && has_cells())
        }
        _ => false,
    }
}

/// Returns true for a field that begins with a rule of the whole grid, such as `.AntiKnight`.
pub(super) fn begins_with_grid_rule(field: &[u8]) -> bool {
    let name = field[first_other(field)..].split(|&byte| byte == b'.').next().unwrap_or_default();
    str::from_utf8(name).is_ok_and(rules::is_of_grid)
}

/// Returns the index of the first byte that is no `.`.
fn first_other(field: &[u8]) -> usize {
    field.iter().position(|&byte| byte != b'.').unwrap_or(field.len())
}

pub(super) fn decode(field: &[u8]) -> Result<DescribedPuzzle> {
    let text = str::from_utf8(field).map_err(|_| "a constraint string has bytes outside ASCII")?;
    let items: Vec<Item<'_>> = text[1..].split('.').map(item).collect();
    let mut draft = Draft::new(&items)?;
    let mut rules = String::new();
    for (item, text) in items.iter().zip(text[1..].split('.')) {
        // The rule without a name states givens.
        let name = if item.name.is_empty() { "givens" } else { item.name };
        draft.add(item).map_err(|reason| InvalidInput::from(format!("{name}: {reason}")))?;
        if !item.name.is_empty() {
            rules.extend([".", text]);
        }
    }
    rules.extend(draft.restrictions.iter().flat_map(|restriction| [".~", restriction]));
    let described = draft.finish()?;
    Ok(DescribedPuzzle { stated: Some(rules.into_bytes()), ..described })
}

fn item(text: &str) -> Item<'_> {
    let mut parts = text.split('~');
    let name = parts.next().unwrap_or_default();
    Item { name, arguments: parts.collect() }
}

/// Returns the side and the first digit. A shape that states the digits must have N of them.
fn shape_of(shape: &Item<'_>) -> Result<(usize, Numbering)> {
    let shape = shape.arguments.join("~");
    let read = || {
        let (size, digits) = shape.split_once('~').unwrap_or((&shape, ""));
        let (rows, columns) = size.split_once('x')?;
        let side: usize = rows.parse().ok()?;
        let is_from_one = digits.is_empty() || digits == rows || digits == format!("1-{side}");
        let is_from_zero = digits == format!("0-{}", side.checked_sub(1)?);
        let numbering = if is_from_zero { Numbering::FromZero } else { Numbering::FromOne };
        let is_read = is_from_one || is_from_zero;
        (rows == columns && (2..=MAX_SIDE).contains(&side) && is_read).then_some((side, numbering))
    };
    read().ok_or_else(|| {
        let shape = excerpt(shape.as_bytes());
        format!(
            "the shape {shape} is not read; NxN with N digits from 1 or 0 is, N up to {MAX_SIDE}"
        )
        .into()
    })
}

/// Returns the first digit of a puzzle with these rules, 1 if its shape is not read.
fn numbering_of(rules: &str) -> Numbering {
    let mut items = rules.split('.').map(item);
    let shape = items.find(|item| item.name == "Shape").and_then(|shape| shape_of(&shape).ok());
    shape.map_or(Numbering::FromOne, |(_, numbering)| numbering)
}

/// Returns true for a constraint string in which 0 is a digit.
pub(super) fn counts_from_zero(field: &[u8]) -> bool {
    str::from_utf8(field).is_ok_and(|text| numbering_of(text) == Numbering::FromZero)
}

impl<'a> Draft<'a> {
    fn new(items: &'a [Item<'a>]) -> Result<Draft<'a>> {
        let has = |name| items.iter().any(|item| item.name == name);
        let mut shapes = items.iter().filter(|item| item.name == "Shape");
        let (side, numbering) = shapes.next().map_or(Ok((9, Numbering::FromOne)), shape_of)?;
        if shapes.next().is_some() {
            return Err("the string has two shapes".into());
        }
        let usual = Shape::boxes_of(side).and_then(|shape| shape.boxes);
        let boxes = usual.filter(|_| !has("NoBoxes"));
        let region = |cell: usize| {
            let [rows, columns] = boxes?;
            Some(cell / side / rows * (side / columns) + cell % side / columns)
        };
        let mut draft = Draft {
            items,
            side,
            numbering,
            boxes,
            layout: None,
            regions: (0..side * side).map(region).collect(),
            givens: vec![0; side * side],
            restrictions: Vec::new(),
            candidates: vec![(1 << side) - 1; side * side],
            cages: Vec::new(),
            is_caged: vec![false; side * side],
            diagonals: [false; 2],
            variants: Vec::new(),
            groups: Vec::new(),
            constraints: StatedRules::default(),
            stated: Vec::new(),
            excepted: rules::excepted_marks(items),
        };
        // Lines of region sums need the regions, wherever they are stated.
        for item in items.iter().filter(|item| item.name == "Jigsaw") {
            draft.add_layout(item.arguments.last().copied().unwrap_or_default().as_bytes())?;
        }
        Ok(draft)
    }

    fn add(&mut self, item: &Item<'a>) -> Result<()> {
        if item.name.is_empty() {
            return item.arguments.iter().try_for_each(|given| self.add_given(given));
        }
        let rule = rules::named(item.name).ok_or("this rule is not read")?;
        if self.numbering == Numbering::FromZero && rules::counts_from_one(item.name) {
            return Err("this rule has no meaning for digits from 0".into());
        }
        if item.arguments.is_empty() && !rules::is_of_grid(item.name) {
            return Err("the cells are missing".into());
        }
        let is_clue = rules::is_of_cells(item.name) && !self.excepted.contains(&item.name);
        self.constraints.begin(StatedRule {
            name: rule.shown,
            first_cell: self.first_cell(item).unwrap_or_default(),
            fault: rule.fault,
            scope: if is_clue { Scope::Cells } else { Scope::Grid },
        });
        if rules::says_something(item.name) {
            let arguments = item.arguments.iter().map(|text| self.argument(text)).collect();
            self.stated.push(RuleItem { name: rule.name, shown: rule.shown, arguments });
        }
        self.variants.extend(rule.variant);
        (rule.add)(self, &item.arguments)
    }

    fn argument(&self, text: &str) -> Argument {
        self.cell(text).map_or_else(|_| Argument::Text(text.into()), Argument::Cell)
    }

    fn first_cell(&self, item: &Item<'_>) -> Option<u16> {
        let cell = item.arguments.iter().find_map(|argument| self.cell(argument).ok());
        cell.or_else(|| Some(cells::row_or_column(self.side, item.arguments.first()?).ok()?[0]))
    }

    fn add_given(&mut self, given: &'a str) -> Result<()> {
        let (cell, digits) = given.split_once('_').unwrap_or((given, ""));
        let cell = usize::from(self.cell(cell)?);
        let mut set = 0;
        for digit in digits.split('_') {
            set |= bit(self.digit(digit)?);
        }
        let digit = set.trailing_zeros() as u8 + 1;
        if set.is_power_of_two() && [0, digit].contains(&self.givens[cell]) {
            self.givens[cell] = digit;
        } else {
            self.candidates[cell] &= u32::from(set);
            self.restrictions.push(given);
        }
        Ok(())
    }

    /// Regions with boxes beside them are houses; without, they are the layout.
    fn add_layout(&mut self, labels: &[u8]) -> Result<()> {
        let side = self.side;
        if labels.len() != side * side {
            return Err("Jigsaw: the layout has another size".into());
        }
        let mut known = labels.to_vec();
        known.sort_unstable();
        known.dedup();
        if known.len() == 1 {
            return Ok(());
        }
        let region = |label: &u8| known.iter().position(|it| it == label).expect("a known label");
        let regions: Vec<usize> = labels.iter().map(region).collect();
        let cells_of = |region| {
            let cells = (0..side * side).filter(|&cell| regions[cell] == region);
            cells.map(|cell| cell as u16).collect::<Vec<u16>>()
        };
        if known.len() != side || (0..side).any(|region| cells_of(region).len() != side) {
            return Err("Jigsaw: only regions of N cells are read".into());
        }
        if self.boxes.is_some() {
            self.groups.extend((0..side).map(cells_of));
            return Ok(());
        }
        self.layout = Some(regions.iter().map(|&region| b'A' + region as u8).collect());
        self.regions = regions.into_iter().map(Some).collect();
        Ok(())
    }

    fn cell(&self, text: &str) -> Result<u16> {
        let cell = cell_of(text, self.side);
        cell.ok_or_else(|| format!("'{}' is no cell", excerpt(text.as_bytes())).into())
    }

    /// A longer list than there are cells states some of its pairs several times.
    fn cells(&self, arguments: &[&str]) -> Result<Vec<u16>> {
        let most = self.side * self.side;
        if arguments.len() > most {
            return Err(format!("a list of more than {most} cells").into());
        }
        arguments.iter().map(|text| self.cell(text)).collect()
    }

    /// Cells of which none is there twice.
    fn distinct_cells(&self, arguments: &[&str]) -> Result<Vec<u16>> {
        let cells = self.cells(arguments)?;
        match (1..cells.len()).find(|&index| cells[..index].contains(&cells[index])) {
            Some(index) => Err(format!("{} is there twice", arguments[index]).into()),
            None => Ok(cells),
        }
    }

    /// Returns the stored digit, from 1 to N.
    fn digit(&self, text: &str) -> Result<i32> {
        let digit = number::<i32>(text)?.saturating_add(1 - self.numbering.first());
        match (1..=self.side as i32).contains(&digit) {
            true => Ok(digit),
            false => Err(format!("{text} is no digit").into()),
        }
    }

    /// Returns the digit that the string states for a stored digit.
    fn stated_digit(&self, digit: i32) -> i32 {
        digit - 1 + self.numbering.first()
    }

    /// Returns the digits for which `holds` is true. It is called with stated digits.
    fn set(&self, holds: impl Fn(i32) -> bool) -> u16 {
        let digits = 1..=self.side as i32;
        digits.filter(|&digit| holds(self.stated_digit(digit))).map(bit).sum()
    }

    /// `allows` is called with stated digits.
    fn table(&self, allows: impl Fn(i32, i32) -> bool) -> PairTable {
        PairTable::new(self.side, |a, b| allows(self.stated_digit(a), self.stated_digit(b)))
    }

    /// Stated digits times weights add up to the total.
    fn sum(&mut self, terms: impl IntoIterator<Item = (u16, i16)>, total: i32) {
        let terms: Vec<(u16, i16)> = terms.into_iter().collect();
        let weights = terms.iter().map(|&(_, weight)| i32::from(weight)).sum::<i32>();
        let total = total.saturating_add(weights * (1 - self.numbering.first()));
        self.constraints.add_sum(terms, total);
    }

    /// Each cell and the next one.
    fn chain(&mut self, cells: &[u16], allows: impl Fn(i32, i32) -> bool) {
        let table = self.table(allows);
        for two in cells.windows(2) {
            self.pair(two[0], two[1], table);
        }
    }

    /// Each cell and all later ones.
    fn all_pairs(&mut self, cells: &[u16], allows: impl Fn(i32, i32) -> bool) {
        let table = self.table(allows);
        for (index, &b) in cells.iter().enumerate() {
            for &a in &cells[..index] {
                self.pair(a, b, table);
            }
        }
    }

    fn pair(&mut self, a: u16, b: u16, table: PairTable) {
        if a != b {
            return self.constraints.add_pair(a, b, table);
        }
        let digits = (1..=self.side as u8).filter(|&digit| table.allows(digit, digit));
        let allowed: u16 = digits.map(|digit| bit(digit.into())).sum();
        if allowed != self.set(|_| true) {
            self.constraints.restrict(a, allowed);
        }
    }

    fn equal_sum(&mut self, some: &[u16], others: &[u16]) {
        let plus = some.iter().map(|&cell| (cell, 1));
        self.sum(plus.chain(others.iter().map(|&cell| (cell, -1))), 0);
    }

    /// Each segment and a shortest one; if that has several cells, all with each other.
    fn equal_sums(&mut self, segments: &[Vec<u16>]) {
        let lengths = segments.iter().map(Vec::len);
        let Some((shortest, length)) = lengths.enumerate().min_by_key(|&(_, length)| length) else {
            return;
        };
        for (a, segment) in segments.iter().enumerate() {
            for (b, other) in segments[..a].iter().enumerate() {
                if a == shortest || b == shortest || length > 1 {
                    self.equal_sum(segment, other);
                }
            }
        }
    }

    /// Cells of a row, column or region differ anyway.
    fn differ(&mut self, cells: &[u16]) {
        if cells.len() > self.side {
            self.constraints.add_contradiction();
        } else if cells.len() > 1 && !self.are_in_house(cells) {
            self.groups.push(sorted(cells));
        }
    }

    fn are_in_house(&self, cells: &[u16]) -> bool {
        let side = self.side;
        let are_alike = |part: &dyn Fn(u16) -> Option<usize>| {
            let first = part(cells[0]);
            first.is_some() && cells.iter().all(|&cell| part(cell) == first)
        };
        are_alike(&|cell| Some(usize::from(cell) / side))
            || are_alike(&|cell| Some(usize::from(cell) % side))
            || are_alike(&|cell| self.regions[usize::from(cell)])
    }

    /// At least `least` of the cells hold one of the digits.
    fn at_least(&mut self, cells: &[u16], digits: u16, least: usize) {
        self.constraints.add_count(cells.iter().map(|&cell| (cell, digits)).collect(), least);
    }

    /// Exactly this number of the cells hold one of the digits.
    fn exactly(&mut self, cells: &[u16], digits: u16, number: usize) {
        self.at_least(cells, digits, number);
        match cells.len().checked_sub(number) {
            Some(others) => self.at_least(cells, !digits, others),
            None => self.constraints.add_contradiction(),
        }
    }

    fn clause(&mut self, literals: Vec<(u16, u16)>) {
        self.constraints.add_count(literals, 1);
    }

    /// The cells differ by a rule that is a clue, so they can repeat without it.
    fn differ_by_clue(&mut self, cells: &[u16]) {
        let groups = self.groups.len();
        self.differ(cells);
        for cells in &self.groups[groups..] {
            self.constraints.add_group(cells.clone());
        }
    }

    /// A cage that shares a cell with an earlier one becomes a sum and different cells. So does one
    /// whose digits count from 0: its sum is not that of the stored digits.
    fn add_cage(&mut self, sum: i32, cells: &[u16]) -> Result<()> {
        let is_cage = self.numbering == Numbering::FromOne
            && cells.len() <= self.side
            && cells.iter().all(|&cell| !self.is_caged[usize::from(cell)]);
        if is_cage {
            cells.iter().for_each(|&cell| self.is_caged[usize::from(cell)] = true);
            let sum = u16::try_from(sum).map_err(|_| format!("{sum} is no sum"))?;
            let sum = (sum != 0).then_some(sum);
            self.cages.push(Cage::new(self.side, cells.to_vec(), sum)?);
            self.constraints.withdraw();
            self.stated.pop();
            return Ok(());
        }
        if sum != 0 {
            self.sum(cells.iter().map(|&cell| (cell, 1)), sum);
        } else if cells.len() <= self.side {
            // Groups alone are no constraints.
            self.all_pairs(cells, |a, b| a != b);
        }
        self.differ_by_clue(cells);
        Ok(())
    }

    fn finish(self) -> Result<DescribedPuzzle> {
        let place = |cell: u16| Place::of(cell.into(), self.side);
        let region = |cells: &Vec<u16>| {
            DifferentCells::Region(cells.iter().map(|&cell| place(cell)).collect())
        };
        let mut different: Vec<DifferentCells> = self.groups.iter().map(region).collect();
        let are_both = self.diagonals == [true; 2];
        match self.diagonals {
            [true, false] => different.push(DifferentCells::FallingDiagonal),
            [false, true] => different.push(DifferentCells::RisingDiagonal),
            _ => {}
        }
        let every_digit = (1 << self.side) - 1;
        let restricted = (0u16..).zip(self.candidates.iter().copied());
        let restricted = restricted.filter(|&(_, set)| set != every_digit);
        let restricted = restricted.map(|(cell, set)| (place(cell), set));
        let variants = self.variants.iter();
        let rules = RecordRules {
            variants: variants.fold(Default::default(), |all, &variant| all.with(variant)),
            different,
            candidates: restricted.collect(),
            constraints: self.constraints,
            items: self.stated,
            ..RecordRules::default()
        };
        Ok(DescribedPuzzle {
            digits: self.givens,
            numbering: self.numbering,
            // Without boxes, they are the rows.
            boxes: self.layout.is_none().then_some(self.boxes.unwrap_or([1, self.side])),
            regions: self.layout,
            diagonals: are_both,
            cages: Some(self.cages),
            rules,
            ..DescribedPuzzle::blank(self.side)
        })
    }
}

/// The set of this digit alone.
fn bit(digit: i32) -> u16 {
    1 << (digit - 1)
}

/// The digits from 1 to this one.
fn up_to(digit: usize) -> u16 {
    ((1u32 << digit) - 1) as u16
}

/// Each cell once.
fn sorted(cells: &[u16]) -> Vec<u16> {
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    cells.dedup();
    cells
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N> {
    text.parse().map_err(|_| format!("'{}' is no number", excerpt(text.as_bytes())).into())
}
