//! The rules of constraint strings, by their names: each is a row of a table with a function that
//! adds its constraints, and with the symmetries that keep it.

use super::cells::{diagonal_of, row_or_column, square};
use super::moved::{self, Move, stays};
use super::{Draft, Item, Result, bit, number, sorted, up_to};
use engine::canonical::Relabelling;
use engine::rules::{PairTable, Variant};

pub(super) struct Rule {
    pub name: &'static str,
    /// The name in messages.
    pub shown: &'static str,
    /// What is wrong with two cells that its table forbids.
    pub fault: &'static str,
    pub add: fn(&mut Draft<'_>, &[&str]) -> Result<()>,
    /// Moves its arguments, for `--shuffle`.
    pub moved: Move,
    /// The ways to rename the digits that keep it.
    pub relabelling: Relabelling,
    /// Set if it is that of a variant.
    pub variant: Option<Variant>,
}

/// The rules of the whole grid, apart from variants.
const OF_GRID: [&str; 11] = [
    "RegionSameValues",
    "NoBoxes",
    "SearchPriority",
    "And",
    "End",
    "AntiTaxicab",
    "StrictKropki",
    "StrictXV",
    "GlobalEntropy",
    "GlobalMod",
    "DutchFlatmates",
];

const fn rule(
    name: &'static str,
    shown: &'static str,
    fault: &'static str,
    add: fn(&mut Draft<'_>, &[&str]) -> Result<()>,
) -> Rule {
    let (moved, relabelling) = (moved::cells, Relabelling::None);
    Rule { name, shown, fault, add, moved, relabelling, variant: None }
}

impl Rule {
    /// Anything but a rule whose cells alone must be moved.
    const fn moved(self, moved: Move) -> Rule {
        Rule { moved, ..self }
    }

    /// It has no cells that must be moved, and its digits are only compared.
    const fn of_variant(self, variant: Variant) -> Rule {
        Rule { moved: stays, relabelling: Relabelling::Any, variant: Some(variant), ..self }
    }

    /// The digits are only compared, or `moved` renames them.
    const fn of_any_digits(self) -> Rule {
        Rule { relabelling: Relabelling::Any, ..self }
    }

    /// It still holds if every digit d becomes N + 1 - d.
    const fn reversible(self) -> Rule {
        Rule { relabelling: Relabelling::Reversal, ..self }
    }
}

/// Returns true for a rule of the whole grid, which can have no argument.
pub(super) fn is_of_grid(name: &str) -> bool {
    OF_GRID.contains(&name) || named(name).is_some_and(|rule| rule.variant.is_some())
}

/// Returns true for a rule whose digits must count from 1.
pub(super) fn counts_from_one(name: &str) -> bool {
    ["AntiTaxicab", "Entropic", "GlobalEntropy", "DutchFlatmates"].contains(&name)
}

/// The marks that a rule of the whole grid excepts: all cells that share an edge and have none of
/// them must not satisfy it.
const MARKS: [(&str, [&str; 2]); 2] =
    [("StrictKropki", ["WhiteDot", "BlackDot"]), ("StrictXV", ["X", "V"])];

pub(super) fn excepted_marks(items: &[Item<'_>]) -> Vec<&'static str> {
    let has = |name: &str| items.iter().any(|item| item.name == name);
    MARKS.iter().filter(|(rule, _)| has(rule)).flat_map(|(_, marks)| *marks).collect()
}

/// Returns true for a rule of the cells that it names. Houses, groups and layouts are none.
pub(super) fn is_of_cells(name: &str) -> bool {
    !is_of_grid(name)
        && !["Shape", "RegionSize", "Jigsaw", "Diagonal", "AllDifferent"].contains(&name)
}

/// Returns false for the size, a hint for another solver, and what encloses rules.
pub(super) fn says_something(name: &str) -> bool {
    !["Shape", "RegionSize", "RegionSameValues", "SearchPriority", "And", "End"].contains(&name)
}

/// Returns false for a name that is not known, and for a rule that is read as a layout, a variant
/// or different cells.
pub(super) fn states_constraints(name: &str) -> bool {
    let others = ["Shape", "NoBoxes", "Jigsaw", "Diagonal", "AllDifferent"];
    !others.contains(&name) && named(name).is_some_and(|rule| rule.variant.is_none())
}

/// Returns the name of the rule that states a variant.
pub(super) fn name_of(variant: Variant) -> Option<&'static str> {
    RULES.iter().find(|rule| rule.variant == Some(variant)).map(|rule| rule.name)
}

pub(super) fn named(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

pub(super) fn is_known(name: &str) -> bool {
    named(name).is_some()
}

/// Not about cells, or read before the others; `And` and `End` enclose rules that hold anyway.
fn nothing(_: &mut Draft<'_>, _: &[&str]) -> Result<()> {
    Ok(())
}

const RULES: &[Rule] = &[
    rule("Shape", "shape", "", nothing).moved(stays).of_any_digits(),
    rule("NoBoxes", "no boxes", "", nothing).moved(stays).of_any_digits(),
    rule("Jigsaw", "jigsaw", "", nothing).moved(moved::layout).of_any_digits(),
    rule("SearchPriority", "search priority", "", nothing).of_any_digits(),
    rule("And", "and", "", nothing).moved(stays).of_any_digits(),
    rule("End", "end", "", nothing).moved(stays).of_any_digits(),
    rule("RegionSize", "region size", "", region_size).moved(stays).of_any_digits(),
    // Each house has all digits.
    rule("RegionSameValues", "regions with the same digits", "", nothing)
        .moved(stays)
        .of_any_digits(),
    // Houses, groups and cages.
    rule("Diagonal", "diagonal", "", diagonal).moved(moved::diagonal).of_any_digits(),
    rule("Windoku", "windows", "", nothing).of_variant(Variant::Window),
    rule("DisjointSets", "disjoint groups", "", nothing).of_variant(Variant::Disjoint),
    rule("AntiKnight", "antiknight", "", nothing).of_variant(Variant::Antiknight),
    rule("AntiKing", "antiking", "", nothing).of_variant(Variant::Antiking),
    rule("AntiConsecutive", "nonconsecutive", "", nothing)
        .of_variant(Variant::Nonconsecutive)
        .reversible(),
    rule("AllDifferent", "different cells", "", |draft, cells| {
        let cells = draft.distinct_cells(cells)?;
        draft.differ(&cells);
        Ok(())
    })
    .of_any_digits(),
    rule("Cage", "cage", "", |draft, arguments| {
        let (sum, cells) = arguments.split_first().ok_or("the number is missing")?;
        draft.add_cage(number(sum)?, &draft.distinct_cells(cells)?)
    }),
    // Pairs of cells.
    rule("AntiTaxicab", "anti-taxicab", "is, like its digit, as far from", anti_taxicab)
        .moved(stays),
    rule("Thermo", "thermometer", "is not less than", |draft, cells| {
        chain(draft, cells, |a, b| a < b)
    })
    .moved(moved::rising)
    .reversible(),
    rule("Whisper", "whisper", "is too close to", whisper).reversible(),
    rule("Renban", "renban", "is in no run with", renban).reversible(),
    rule("Modular", "modular line", "has the wrong remainder beside", modular).reversible(),
    rule("Entropic", "entropic line", "is in the same third as", entropic).reversible(),
    rule("Palindrome", "palindrome", "is not equal to", palindrome).of_any_digits(),
    rule("WhiteDot", "white dot", "is not consecutive to", |draft, cells| {
        neighbours(draft, cells, |a, b| a.abs_diff(b) == 1)
    })
    .reversible(),
    rule("BlackDot", "black dot", "is not half or twice", |draft, cells| {
        neighbours(draft, cells, |a, b| a == 2 * b || b == 2 * a)
    }),
    rule("GreaterThan", "inequality", "is not greater than", |draft, cells| {
        neighbours(draft, cells, |a, b| a > b)
    })
    .moved(moved::rising)
    .reversible(),
    rule("X", "X", "does not make 10 with", |draft, cells| {
        neighbours(draft, cells, |a, b| a + b == 10)
    }),
    rule("V", "V", "does not make 5 with", |draft, cells| {
        neighbours(draft, cells, |a, b| a + b == 5)
    }),
    rule("StrictKropki", "negative dots", "lacks its dot to", strict_kropki).moved(stays),
    rule("StrictXV", "negative XV", "lacks its X or V to", strict_xv).moved(stays),
    rule("Pair", "pairs", "does not fit", |draft, all| custom(draft, all, Bits::New, false))
        .moved(moved::after_table),
    rule("PairX", "pairs", "does not fit", |draft, all| custom(draft, all, Bits::New, true))
        .moved(moved::after_table),
    rule("Binary", "pairs", "does not fit", |draft, all| custom(draft, all, Bits::Old, false))
        .moved(moved::after_table),
    rule("BinaryX", "pairs", "does not fit", |draft, all| custom(draft, all, Bits::Old, true))
        .moved(moved::after_table),
    rule("Indexing", "indexing", "does not fit", indexing).moved(moved::indexing).reversible(),
    rule("NumberedRoom", "numbered room", "does not fit", numbered_room)
        .moved(moved::numbered_room),
    // Sums.
    rule("Sum", "sum", "", weighted_sum),
    rule("Arrow", "arrow", "", |draft, cells| {
        let cells = at_least(2, draft.cells(cells)?)?;
        draft.equal_sum(&cells[..1], &cells[1..]);
        Ok(())
    }),
    rule("DoubleArrow", "double arrow", "", |draft, cells| {
        let cells = at_least(3, draft.cells(cells)?)?;
        let last = cells.len() - 1;
        draft.equal_sum(&[cells[0], cells[last]], &cells[1..last]);
        Ok(())
    }),
    rule("PillArrow", "pill arrow", "", pill_arrow).moved(moved::pill_arrow),
    rule("LittleKiller", "little killer", "", little_killer).moved(moved::little_killer),
    rule("Zipper", "zipper", "", zipper),
    rule("EqualSum", "equal sums", "", |draft, arguments| {
        let segments = arguments.split(|&argument| argument == "-");
        let segments: Vec<Vec<u16>> = segments.map(|it| draft.cells(it)).collect::<Result<_>>()?;
        draft.equal_sums(&segments);
        Ok(())
    }),
    rule("RegionSumLine", "region sum line", "", region_sum_line),
    // Counts.
    rule("SameValues", "same values", "is not equal to", same_values).of_any_digits(),
    rule("CountingCircles", "counting circles", "", counting_circles),
    rule("Quad", "quadruple", "", |draft, arguments| {
        let (corner, digits) = arguments.split_first().ok_or("the cell is missing")?;
        let cells = square(draft.side, draft.cell(corner)?).ok_or("no 2x2 square begins here")?;
        contain(draft, &cells, digits, false)
    })
    .moved(moved::corner)
    .of_any_digits(),
    rule("ContainAtLeast", "contained digits", "", |draft, arguments| {
        let (digits, cells) = arguments.split_first().ok_or("the digits are missing")?;
        let cells = draft.distinct_cells(cells)?;
        contain(draft, &cells, &digits.split('_').collect::<Vec<_>>(), false)
    })
    .moved(moved::after_digits)
    .of_any_digits(),
    rule("ContainExact", "contained digits", "", |draft, arguments| {
        let (digits, cells) = arguments.split_first().ok_or("the digits are missing")?;
        let cells = draft.distinct_cells(cells)?;
        contain(draft, &cells, &digits.split('_').collect::<Vec<_>>(), true)
    })
    .moved(moved::after_digits)
    .of_any_digits(),
    rule("LookAndSay", "look-and-say cage", "", look_and_say),
    rule("EqualityCage", "equality cage", "", equality_cage).reversible(),
    rule("Between", "between line", "is too close to", between).reversible(),
    rule("Lockout", "lockout line", "does not fit", lockout).reversible(),
    rule("ValueIndexing", "value indexing", "", value_indexing),
    rule("GlobalEntropy", "global entropy", "", |draft, _| {
        every_square(draft, |digit, class| (digit - 1).div_euclid(3) == class)
    })
    .moved(stays)
    .reversible(),
    rule("GlobalMod", "global mod", "", |draft, _| {
        every_square(draft, |digit, class| digit.rem_euclid(3) == class)
    })
    .moved(stays)
    .reversible(),
    rule("DutchFlatmates", "Dutch flatmates", "", dutch_flatmates)
        .moved(moved::flatmates)
        .reversible(),
];

fn region_size(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    match arguments == [draft.side.to_string()] {
        true => Ok(()),
        false => Err("only regions of N cells are read".into()),
    }
}

/// 1 is the diagonal from the last cell of the first row on, -1 the one from r1c1 on.
fn diagonal(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    match arguments {
        ["1"] => draft.diagonals[1] = true,
        ["-1"] => draft.diagonals[0] = true,
        _ => return Err("the direction is 1 or -1".into()),
    }
    Ok(())
}

/// A number, then cells.
fn with_number(draft: &Draft<'_>, arguments: &[&str]) -> Result<(i32, Vec<u16>)> {
    let (first, cells) = arguments.split_first().ok_or("the number is missing")?;
    Ok((number(first)?, draft.cells(cells)?))
}

fn at_least(number: usize, cells: Vec<u16>) -> Result<Vec<u16>> {
    match cells.len() < number {
        true => Err(format!("fewer than {number} cells").into()),
        false => Ok(cells),
    }
}

fn chain(draft: &mut Draft<'_>, cells: &[&str], allows: impl Fn(i32, i32) -> bool) -> Result<()> {
    let cells = draft.cells(cells)?;
    draft.chain(&cells, allows);
    Ok(())
}

/// Two cells at this distance along rows and columns cannot both hold it as their digit.
fn anti_taxicab(draft: &mut Draft<'_>, _: &[&str]) -> Result<()> {
    let side = draft.side;
    for a in 0..side * side {
        for b in a + 1..side * side {
            let [rows, columns] = [(a / side).abs_diff(b / side), (a % side).abs_diff(b % side)];
            let distance = (rows + columns) as i32;
            if rows > 0 && columns > 0 {
                let table = draft.table(|x, y| !(x == distance && y == distance));
                draft.pair(a as u16, b as u16, table);
            }
        }
    }
    Ok(())
}

/// The difference is 5 if it is not stated.
fn whisper(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let stated = arguments.first().and_then(|first| first.parse::<u32>().ok());
    let cells = &arguments[usize::from(stated.is_some())..];
    chain(draft, cells, |a, b| a.abs_diff(b) >= stated.unwrap_or(5))
}

fn renban(draft: &mut Draft<'_>, cells: &[&str]) -> Result<()> {
    let cells = sorted(&draft.cells(cells)?);
    let length = cells.len();
    draft.all_pairs(&cells, |a, b| a != b && (a.abs_diff(b) as usize) < length);
    draft.differ_by_clue(&cells);
    if (2..=draft.side).contains(&length) {
        let runs = (0..=draft.side - length).map(|first| up_to(length) << first);
        draft.constraints.add_sets(cells, runs.collect());
    }
    Ok(())
}

fn modular(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let (modulus, cells) = with_number(draft, arguments)?;
    let step = usize::try_from(modulus).ok().filter(|&step| step > 0);
    let step = step.ok_or("the modulus is at least 1")?.min(cells.len());
    draft.all_pairs(&cells[..step], |a, b| a.rem_euclid(modulus) != b.rem_euclid(modulus));
    for start in 0..step {
        let alike: Vec<u16> = cells[start..].iter().step_by(step).copied().collect();
        draft.all_pairs(&alike, |a, b| a.rem_euclid(modulus) == b.rem_euclid(modulus));
    }
    Ok(())
}

/// Rules about the digits of a 9x9 have no meaning in other sizes.
fn of_nine(draft: &Draft<'_>) -> Result<()> {
    match draft.side {
        9 => Ok(()),
        _ => Err("only a 9x9 puzzle has this rule".into()),
    }
}

fn entropic(draft: &mut Draft<'_>, cells: &[&str]) -> Result<()> {
    let cells = draft.cells(cells)?;
    for three in cells.windows(3.min(cells.len().max(1))) {
        draft.all_pairs(three, |a, b| (a - 1).div_euclid(3) != (b - 1).div_euclid(3));
    }
    Ok(())
}

fn palindrome(draft: &mut Draft<'_>, cells: &[&str]) -> Result<()> {
    let cells = draft.cells(cells)?;
    let opposite = cells.iter().rev();
    let pairs: Vec<[u16; 2]> = cells.iter().zip(opposite).map(|(&a, &b)| [a, b]).collect();
    pairs[..cells.len() / 2].iter().for_each(|pair| draft.chain(pair, |a, b| a == b));
    Ok(())
}

fn neighbours(
    draft: &mut Draft<'_>,
    cells: &[&str],
    allows: impl Fn(i32, i32) -> bool,
) -> Result<()> {
    let table = draft.table(allows);
    let listed = draft.cells(cells)?;
    let pairs = touching(draft.side, &listed);
    if let Some(at) = listed.iter().position(|cell| !pairs.iter().flatten().any(|it| it == cell)) {
        return Err(format!("{} shares no edge with another of the cells", cells[at]).into());
    }
    for [a, b] in pairs {
        draft.pair(a, b, table);
    }
    Ok(())
}

/// Returns the pairs of cells that share an edge, in the order of the list.
fn touching(side: usize, cells: &[u16]) -> Vec<[u16; 2]> {
    let side = side as u16;
    let touch = |a: u16, b: u16| (a / side).abs_diff(b / side) + (a % side).abs_diff(b % side) == 1;
    let mut pairs = Vec::new();
    for (index, &a) in cells.iter().enumerate() {
        let later = cells[index + 1..].iter().filter(|&&b| touch(a, b));
        pairs.extend(later.map(|&b| [a, b]));
    }
    pairs
}

fn strict_kropki(draft: &mut Draft<'_>, _: &[&str]) -> Result<()> {
    let has_no_dot = |a: i32, b: i32| a != 2 * b && b != 2 * a && a.abs_diff(b) != 1;
    all_but(draft, MARKS[0].1, has_no_dot)
}

fn strict_xv(draft: &mut Draft<'_>, _: &[&str]) -> Result<()> {
    all_but(draft, MARKS[1].1, |a, b| a + b != 5 && a + b != 10)
}

/// All cells that share an edge, except those with one of the marks.
fn all_but(
    draft: &mut Draft<'_>,
    marks: [&str; 2],
    allows: impl Fn(i32, i32) -> bool,
) -> Result<()> {
    let mut marked = Vec::new();
    let is_mark = |item: &&Item<'_>| marks.contains(&item.name);
    for item in draft.items.iter().filter(is_mark) {
        let pairs = touching(draft.side, &draft.cells(&item.arguments)?);
        marked.extend(pairs.iter().flat_map(|&[a, b]| [[a, b], [b, a]]));
    }
    let table = draft.table(allows);
    let all: Vec<u16> = (0..(draft.side * draft.side) as u16).collect();
    for pair in touching(draft.side, &all) {
        if !marked.contains(&pair) {
            draft.pair(pair[0], pair[1], table);
        }
    }
    Ok(())
}

/// The last two of the 64 symbols: `-_`, or `_-` in older strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bits {
    New,
    Old,
}

/// A table in base 64, six pairs of digits a symbol, then cells; a name that begins with `_`, or
/// nothing, begins another list of cells. With `all`, each pair of cells of a list has the table,
/// otherwise each cell and the next one.
fn custom(draft: &mut Draft<'_>, arguments: &[&str], bits: Bits, all: bool) -> Result<()> {
    let (table, arguments) = arguments.split_first().ok_or("the table is missing")?;
    let value = |symbol: u8| match symbol {
        b'A'..=b'Z' => Some(symbol - b'A'),
        b'a'..=b'z' => Some(symbol - b'a' + 26),
        b'0'..=b'9' => Some(symbol - b'0' + 52),
        b'-' => Some(if bits == Bits::New { 62 } else { 63 }),
        b'_' => Some(if bits == Bits::New { 63 } else { 62 }),
        _ => None,
    };
    let values: Option<Vec<u8>> = table.bytes().map(value).collect();
    let values = values.ok_or("the table is not in base 64")?;
    let side = draft.side;
    // Symbols without a pair are left out at the end.
    if values.len() > (side * side).div_ceil(6) {
        return Err(format!("the table has more pairs than those of {side} digits").into());
    }
    let allows = |a: i32, b: i32| {
        let index = (a as usize - 1) * side + b as usize - 1;
        values.get(index / 6).is_some_and(|value| value >> (index % 6) & 1 == 1)
    };
    let table = PairTable::new(side, allows);
    let lists = arguments.split(|it| it.is_empty() || it.starts_with('_'));
    let lists: Vec<&[&str]> = lists.filter(|list| !list.is_empty()).collect();
    if lists.is_empty() {
        return Err("the cells are missing".into());
    }
    for list in lists {
        let cells = at_least(2, draft.cells(list)?)?;
        if all {
            add_sets_of_pairs(draft, &cells, table);
        }
        for (index, &b) in cells.iter().enumerate() {
            let first = if all { 0 } else { index.saturating_sub(1) };
            for &a in &cells[first..index] {
                draft.pair(a, b, table);
            }
        }
    }
    Ok(())
}

/// If the table of each two cells makes them differ, lists the sets of digits that the cells can
/// hold, unless there are too many to be of use.
fn add_sets_of_pairs(draft: &mut Draft<'_>, cells: &[u16], table: PairTable) {
    let mut digits = 1..=draft.side as u8;
    if cells.len() > draft.side || digits.any(|digit| table.allows(digit, digit)) {
        return;
    }
    let fit = |a: u8, b: u8| table.allows(a, b) || table.allows(b, a);
    // Each set, as its digits in ascending order.
    let mut sets: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in cells {
        let extended = |set: &Vec<u8>| {
            let above = set.last().map_or(1, |last| last + 1)..=draft.side as u8;
            let fitting = above.filter(|&new| set.iter().all(|&digit| fit(digit, new)));
            fitting.map(|new| [&set[..], &[new]].concat()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(extended).collect();
        if sets.len() > MOST_SETS {
            return;
        }
    }
    let mask = |set: Vec<u8>| set.iter().fold(0, |mask, digit| mask | 1 << (digit - 1));
    let cells = sorted(cells);
    draft.constraints.add_sets(cells, sets.into_iter().map(mask).collect());
}

/// A third of the sets of four of nine digits.
const MOST_SETS: usize = 42;

/// The control cell holds n exactly if the nth cell holds the digit, which is a stated one.
fn index(draft: &mut Draft<'_>, control: u16, cells: &[u16], digit: i32) {
    // There is no cell 0.
    let places = draft.set(|place| (1..=cells.len() as i32).contains(&place));
    if places != draft.set(|_| true) {
        draft.constraints.restrict(control, places);
    }
    for (&cell, place) in cells.iter().zip(1..) {
        let table = draft.table(|a, b| (a == place) == (b == digit));
        draft.pair(control, cell, table);
    }
}

fn indexing(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let (kind, cells) = arguments.split_first().ok_or("the kind is missing")?;
    let side = draft.side as u16;
    for cell in draft.cells(cells)? {
        let (row, column) = (cell / side, cell % side);
        let (line, place): (Vec<u16>, u16) = match *kind {
            "R" => ((0..side).map(|row| row * side + column).collect(), row),
            "C" => ((0..side).map(|column| row * side + column).collect(), column),
            _ => return Err("the kind is R or C".into()),
        };
        index(draft, cell, &line, i32::from(place) + 1);
    }
    Ok(())
}

/// Clues from both ends of a row or column: the nth cell holds the clue, where n is the digit of
/// the first cell.
fn numbered_room(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let (line, clues) = arguments.split_first().ok_or("the row or column is missing")?;
    let mut cells = row_or_column(draft.side, line)?;
    for clue in clues.iter().take(2) {
        if !clue.is_empty() {
            let digit = draft.stated_digit(draft.digit(clue)?);
            index(draft, cells[0], &cells, digit);
        }
        cells.reverse();
    }
    Ok(())
}

/// `TOTAL`, or `TOTAL_=_WEIGHT_WEIGHT...`, then cells.
fn weighted_sum(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let (sum, cells) = arguments.split_first().ok_or("the sum is missing")?;
    let cells = draft.cells(cells)?;
    let mut parts = sum.split('_');
    let total = number(parts.next().unwrap_or_default())?;
    let weights: Vec<i16> = match parts.next() {
        None => vec![1; cells.len()],
        Some("=") => parts.map(number).collect::<Result<_>>()?,
        Some(_) => return Err("this sum is not read".into()),
    };
    if weights.len() != cells.len() {
        return Err("there are not as many weights as cells".into());
    }
    draft.sum(cells.into_iter().zip(weights), total);
    Ok(())
}

/// A pill of two or three cells is a number with as many digits, along rows, then columns.
fn pill_arrow(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let (size, cells) = with_number(draft, arguments)?;
    let size = usize::try_from(size).unwrap_or_default();
    let pill = &arguments[1..];
    draft.distinct_cells(&pill[..size.min(pill.len())])?;
    if !(2..=3).contains(&size) || cells.len() <= size || draft.side > 9 {
        return Err("a pill of this size is not read".into());
    }
    let powers = (0..size as u32).rev().map(|power| -(10i16.pow(power)));
    let pill: Vec<(u16, i16)> = sorted(&cells[..size]).into_iter().zip(powers).collect();
    let shaft = cells[size..].iter().map(|&cell| (cell, 1));
    draft.sum(pill.into_iter().chain(shaft), 0);
    Ok(())
}

/// The first cell names the diagonal.
fn little_killer(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let (sum, cells) = with_number(draft, arguments)?;
    let [start] = cells[..] else {
        return Err("a sum and the first cell of a diagonal are expected".into());
    };
    let cells = diagonal_of(start, draft.side).ok_or("no diagonal begins here")?;
    draft.sum(cells.into_iter().map(|cell| (cell, 1)), sum);
    Ok(())
}

/// Cells at the same distance from the centre have equal sums, that of a centre alone.
fn zipper(draft: &mut Draft<'_>, cells: &[&str]) -> Result<()> {
    let cells = draft.cells(cells)?;
    let half = cells.len() / 2;
    let pairs = (0..half).map(|at| vec![cells[at], cells[cells.len() - 1 - at]]);
    let centre = (cells.len() % 2 == 1).then(|| vec![cells[half]]);
    draft.equal_sums(&pairs.chain(centre).collect::<Vec<_>>());
    Ok(())
}

fn region_sum_line(draft: &mut Draft<'_>, cells: &[&str]) -> Result<()> {
    let cells = draft.cells(cells)?;
    let region = |cell: &u16| draft.regions[usize::from(*cell)];
    if cells.iter().any(|cell| region(cell).is_none()) {
        return Err("there are no regions".into());
    }
    let segments = cells.chunk_by(|a, b| region(a) == region(b)).map(<[u16]>::to_vec);
    draft.equal_sums(&segments.collect::<Vec<_>>());
    Ok(())
}

/// Sets of cells that hold the same digits, each as often.
fn same_values(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let (sets, cells) = with_number(draft, arguments)?;
    let sets = usize::try_from(sets).ok().filter(|&it| it > 0 && cells.len().is_multiple_of(it));
    let size = cells.len() / sets.ok_or("the sets differ in size")?;
    if size == 1 {
        draft.all_pairs(&cells, |a, b| a == b);
        return Ok(());
    }
    for set in arguments[1..].chunks(size.max(1)) {
        draft.distinct_cells(set)?;
    }
    let sets: Vec<&[u16]> = cells.chunks(size.max(1)).collect();
    for (some, others) in sets.iter().zip(sets.iter().cycle().skip(1)) {
        // Cells of both sets make no difference.
        let only = |set: &[u16], other: &[u16]| -> Vec<u16> {
            set.iter().copied().filter(|cell| !other.contains(cell)).collect()
        };
        let (some, others) = (only(some, others), only(others, some));
        for digit in (1..=draft.side as i32).map(bit) {
            // As many of the others hold the digit as of these, or more.
            let hold = others.iter().map(|&cell| (cell, digit));
            let lack = some.iter().map(|&cell| (cell, !digit));
            draft.constraints.add_count(hold.chain(lack).collect(), some.len());
        }
    }
    Ok(())
}

/// Each digit n of the cells is there n times.
fn counting_circles(draft: &mut Draft<'_>, cells: &[&str]) -> Result<()> {
    let cells = draft.distinct_cells(cells)?;
    let [always, possible] = digits_with_sum(draft, cells.len());
    for digit in 1..=draft.side as i32 {
        let (set, number) = (bit(digit), draft.stated_digit(digit) as usize);
        if possible & set == 0 {
            draft.exactly(&cells, set, 0);
        } else if always & set != 0 {
            draft.exactly(&cells, set, number);
        } else {
            draft.at_least(&cells, !set, cells.len() - number);
            for &cell in &cells {
                // This cell holds another digit, or enough of the others hold this one.
                let others = cells.iter().filter(|&&other| other != cell);
                let hold = others.map(|&other| (other, set));
                let lacks = std::iter::repeat_n((cell, !set), number - 1);
                draft.constraints.add_count(hold.chain(lacks).collect(), number - 1);
            }
        }
    }
    Ok(())
}

/// Returns the digits that are in all sets of different digits with this sum, and those in any.
fn digits_with_sum(draft: &Draft<'_>, sum: usize) -> [u16; 2] {
    let every_digit = up_to(draft.side);
    let stated = |digit| draft.stated_digit(digit) as usize;
    let digits_of = |set: u16| (1..=draft.side as i32).filter(move |&digit| set & bit(digit) != 0);
    let has_sum = |set: &u16| digits_of(*set).map(stated).sum::<usize>() == sum;
    // A 0 would have to be there no times.
    let from_one = draft.set(|digit| digit > 0);
    let sets = (0..=every_digit).filter(|set| set & !from_one == 0).filter(has_sum);
    sets.fold([every_digit, 0], |[always, possible], set| [always & set, possible | set])
}

/// The cells hold these digits, each at least, or exactly, as often as it is in the list.
fn contain(draft: &mut Draft<'_>, cells: &[u16], digits: &[&str], is_exact: bool) -> Result<()> {
    let mut digits: Vec<i32> = digits.iter().map(|it| draft.digit(it)).collect::<Result<_>>()?;
    digits.sort_unstable();
    let all = digits.iter().fold(0, |set, &digit| set | bit(digit));
    draft.at_least(cells, all, digits.len());
    for same in digits.chunk_by(|a, b| a == b) {
        match is_exact {
            true => draft.exactly(cells, bit(same[0]), same.len()),
            false => draft.at_least(cells, bit(same[0]), same.len()),
        }
    }
    Ok(())
}

/// `3122`: three 1s and two 2s.
fn look_and_say(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let (clue, cells) = arguments.split_first().ok_or("the clue is missing")?;
    let cells = draft.distinct_cells(cells)?;
    if !clue.is_ascii() || !clue.len().is_multiple_of(2) {
        return Err("the clue has pairs of a count and a digit".into());
    }
    for at in (0..clue.len()).step_by(2) {
        let digit = draft.digit(&clue[at + 1..at + 2])?;
        draft.exactly(&cells, bit(digit), number(&clue[at..at + 1])?);
    }
    Ok(())
}

/// As many even digits as odd ones, as many low ones as high ones, all different.
fn equality_cage(draft: &mut Draft<'_>, cells: &[&str]) -> Result<()> {
    let cells = draft.distinct_cells(cells)?;
    let half = cells.len() / 2;
    if cells.len() % 2 == 1 {
        draft.constraints.add_contradiction();
    }
    let (even, odd) = (draft.set(|digit| digit % 2 == 0), draft.set(|digit| digit % 2 != 0));
    let low = up_to(draft.side / 2);
    let high = up_to(draft.side) & !up_to(draft.side - draft.side / 2);
    for set in [even, odd, low, high] {
        draft.at_least(&cells, set, half);
    }
    draft.differ_by_clue(&cells);
    Ok(())
}

/// The digits of the inner cells are strictly between those of both ends.
fn between(draft: &mut Draft<'_>, cells: &[&str]) -> Result<()> {
    let cells = at_least(2, draft.cells(cells)?)?;
    let [a, inner @ .., b] = &cells[..] else { unreachable!("there are two cells") };
    for digit in 1..=draft.side {
        let (below, above) = (up_to(digit - 1), !up_to(digit));
        for &cell in inner {
            draft.clause(vec![(cell, above), (*a, below), (*b, below)]);
            draft.clause(vec![(cell, below), (*a, above), (*b, above)]);
        }
    }
    if !inner.is_empty() {
        let inner = sorted(inner);
        let differ = draft.are_in_house(&inner);
        let least = if differ { inner.len() as u32 + 1 } else { 2 };
        draft.chain(&[*a, *b], |x, y| x.abs_diff(y) >= least);
    }
    Ok(())
}

/// The ends differ by this number at least; the digits of the inner cells are outside of both.
fn lockout(draft: &mut Draft<'_>, arguments: &[&str]) -> Result<()> {
    let (least, cells) = with_number(draft, arguments)?;
    let cells = at_least(2, cells)?;
    let [a, inner @ .., b] = &cells[..] else { unreachable!("there are two cells") };
    draft.chain(&[*a, *b], |x, y| i64::from(x.abs_diff(y)) >= i64::from(least));
    for digit in 1..=draft.side {
        let (below, above) = (up_to(digit - 1), !up_to(digit));
        for &cell in inner {
            for (x, y) in [(a, b), (b, a)] {
                draft.clause(vec![(cell, !bit(digit as i32)), (*x, above), (*y, below)]);
            }
        }
    }
    for &cell in inner {
        for end in [a, b] {
            draft.chain(&[*end, cell], |x, y| x != y);
        }
    }
    Ok(())
}

/// The first cell holds the digit of the nth cell after the second one, which holds n.
fn value_indexing(draft: &mut Draft<'_>, cells: &[&str]) -> Result<()> {
    let cells = at_least(3, draft.cells(cells)?)?;
    let [value, control, indexed @ ..] = &cells[..] else { unreachable!("there are three cells") };
    let reach = indexed.len() as i32;
    let places = draft.set(|digit| (1..=reach).contains(&digit));
    draft.constraints.restrict(*control, places);
    for (&cell, place) in indexed.iter().zip(1..) {
        let is_other = !draft.set(|digit| digit == place);
        for digit in (1..=draft.side as i32).map(bit) {
            draft.clause(vec![(*control, is_other), (*value, !digit), (cell, digit)]);
            draft.clause(vec![(*control, is_other), (*value, digit), (cell, !digit)]);
        }
    }
    Ok(())
}

/// Each 2x2 square holds a digit of each of three classes.
fn every_square(draft: &mut Draft<'_>, is_in_class: impl Fn(i32, i32) -> bool) -> Result<()> {
    of_nine(draft)?;
    let sets = [0, 1, 2].map(|class| draft.set(|digit| is_in_class(digit, class)));
    for corner in 0..(draft.side * draft.side) as u16 {
        if let Some(cells) = square(draft.side, corner) {
            sets.iter().for_each(|&set| draft.at_least(&cells, set, 1));
        }
    }
    Ok(())
}

/// Each 5 has a 1 above it or a 9 below it.
fn dutch_flatmates(draft: &mut Draft<'_>, _: &[&str]) -> Result<()> {
    of_nine(draft)?;
    for cell in 0..81 {
        let above = (cell >= 9).then(|| (cell - 9, bit(1)));
        let below = (cell < 72).then_some((cell + 9, bit(9)));
        draft.clause([(cell, !bit(5))].into_iter().chain(above).chain(below).collect());
    }
    Ok(())
}
