//! A plain reading of the notations that describe a puzzle with its rules, and of cage fields. It
//! shares no code with the library.

/// A puzzle with the rules that its field describes. What the field leaves out is `None`.
#[derive(Debug, PartialEq, Eq)]
pub struct Described {
    pub side: usize,
    pub digits: Vec<u8>,
    /// Rows and columns of a box.
    pub boxes: Option<[usize; 2]>,
    pub diagonals: bool,
    pub regions: Option<Vec<u8>>,
    pub cages: Option<Cages>,
}

/// The cells and the sum of each cage.
pub type Cages = Vec<(Vec<u16>, Option<u16>)>;

/// True if a field, or the text that it begins, is in one of these notations. The field can still
/// be faulty.
pub fn is_described(text: &[u8]) -> bool {
    text.starts_with(b"SumoCueV1")
        || begins_cage_numbers(text)
        || begins_solo(text)
        || puzz_link_list(text).is_some()
        || is_constraints(text)
}

/// The names of the rules that constraint strings can state.
pub const RULE_NAMES: [&str; 57] = [
    "Shape",
    "NoBoxes",
    "Jigsaw",
    "SearchPriority",
    "And",
    "End",
    "RegionSize",
    "RegionSameValues",
    "Diagonal",
    "Windoku",
    "DisjointSets",
    "AntiKnight",
    "AntiKing",
    "AntiConsecutive",
    "AllDifferent",
    "Cage",
    "AntiTaxicab",
    "Thermo",
    "Whisper",
    "Renban",
    "Modular",
    "Entropic",
    "Palindrome",
    "WhiteDot",
    "BlackDot",
    "GreaterThan",
    "X",
    "V",
    "StrictKropki",
    "StrictXV",
    "Pair",
    "PairX",
    "Binary",
    "BinaryX",
    "Indexing",
    "NumberedRoom",
    "Sum",
    "Arrow",
    "DoubleArrow",
    "PillArrow",
    "LittleKiller",
    "Zipper",
    "EqualSum",
    "RegionSumLine",
    "SameValues",
    "CountingCircles",
    "Quad",
    "ContainAtLeast",
    "ContainExact",
    "LookAndSay",
    "EqualityCage",
    "Between",
    "Lockout",
    "ValueIndexing",
    "GlobalEntropy",
    "GlobalMod",
    "DutchFlatmates",
];

/// True for `.~`, for `.` with letters and `~`, and for `.` with the name of a rule alone or before
/// another `.`: a constraint string, which can be faulty.
pub fn is_constraints(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b".") else {
        return false;
    };
    let name: Vec<u8> = rest.iter().copied().take_while(u8::is_ascii_alphabetic).collect();
    match rest[name.len()..].first() {
        Some(b'~') => true,
        Some(b'.') | None => RULE_NAMES.iter().any(|known| known.as_bytes() == name),
        Some(_) => false,
    }
}

/// True for `RxC::k:` and `RxC:d:k:`.
fn begins_cage_numbers(text: &[u8]) -> bool {
    let mut parts = text.split(|&byte| byte == b':');
    let [size, diagonals, killer] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let numbers: Vec<&[u8]> = size.split(|&byte| byte == b'x').collect();
    let is_number = |text: &&[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    numbers.len() == 2
        && numbers.iter().all(is_number)
        && [&b""[..], b"d"].contains(&diagonals)
        && killer == b"k"
        && parts.next().is_some()
}

/// True for `RxC:` and `Nj:`, with the flags `j`, `x` and `k` before the `:` in any order.
fn begins_solo(text: &[u8]) -> bool {
    let Some(end) = text.iter().position(|&byte| byte == b':') else {
        return false;
    };
    let header = String::from_utf8_lossy(&text[..end]);
    let size = header.trim_end_matches(['j', 'k', 'x']);
    let flags = &header[size.len()..];
    let is_repeated = |flag: char| flags.matches(flag).count() > 1;
    let is_number = |number: &str| {
        (1..=2).contains(&number.len())
            && number.bytes().all(|digit| digit.is_ascii_digit())
            && !number.starts_with('0')
    };
    let numbers = size.split('x').count();
    size.split('x').all(is_number)
        && (numbers == 2 || numbers == 1 && flags.contains('j'))
        && !['j', 'k', 'x'].into_iter().any(is_repeated)
}

/// Reads the cages of a puzzle in symbols, with the rules that their field also states. `-` is a
/// puzzle without cages.
pub fn read_cages(field: &[u8], side: usize) -> Option<Described> {
    if field == b"-" {
        return Some(blank(side));
    }
    if begins_cage_numbers(field) {
        return cage_numbers(field).filter(|numbers| numbers.side == side);
    }
    let cages = Some(arrows(field, side)?);
    Some(Described { cages, ..blank(side) })
}

/// Reads a field that describes its rules. `None` if there is no such puzzle.
pub fn read(field: &[u8]) -> Option<Described> {
    sumocue(field)
        .or_else(|| cage_numbers(field))
        .or_else(|| solo(field))
        .or_else(|| puzz_link(field))
}

/// Returns a puzzle without givens, and with no rules but rows and columns.
pub fn blank(side: usize) -> Described {
    Described {
        side,
        digits: vec![0; side * side],
        boxes: None,
        diagonals: false,
        regions: None,
        cages: None,
    }
}

/// Collects cages: the key of each cell's cage, and sums at cells, 0 for no sum. `None` if a cage
/// is impossible.
fn collected(side: usize, keys: &[Option<usize>], sums: &[(usize, u64)]) -> Option<Cages> {
    let mut cages = Cages::new();
    for first in 0..keys.len() {
        let Some(key) = keys[first] else { continue };
        if keys[..first].contains(&Some(key)) {
            continue;
        }
        let cells: Vec<usize> = (0..keys.len()).filter(|&cell| keys[cell] == Some(key)).collect();
        let mut own = sums.iter().filter(|(cell, _)| cells.contains(cell)).map(|(_, sum)| *sum);
        let sum = own.next();
        if own.any(|other| Some(other) != sum) {
            return None;
        }
        let sum = sum.filter(|&sum| sum > 0);
        if cells.len() == 1 && sum.is_none() {
            continue;
        }
        let number = cells.len();
        let least: usize = (1..=number).sum();
        let most: usize = (1..=side).rev().take(number).sum();
        if number > side || sum.is_some_and(|sum| !(least as u64..=most as u64).contains(&sum)) {
            return None;
        }
        let cells = cells.into_iter().map(|cell| cell as u16).collect();
        cages.push((cells, sum.map(|sum| sum as u16)));
    }
    Some(cages)
}

fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let text = text.trim_start_matches('0');
    (is_number && text.len() < 18).then(|| text.parse().unwrap_or(0))
}

/// Splits `RxC` into rows and columns of a box.
fn boxes(size: &str) -> Option<[usize; 2]> {
    let (rows, columns) = size.split_once('x')?;
    let (rows, columns) = (number(rows)?, number(columns)?);
    let is_known = rows.checked_mul(columns).is_some_and(|side| (2..=25).contains(&side));
    is_known.then_some([rows as usize, columns as usize])
}

pub fn cage_numbers(field: &[u8]) -> Option<Described> {
    let text = std::str::from_utf8(field).ok()?;
    let mut parts: Vec<&str> = text.strip_suffix(':').unwrap_or(text).split(':').collect();
    if parts.len() < 4 || !["", "d"].contains(&parts[1]) || parts[2] != "k" {
        return None;
    }
    let boxes = boxes(parts[0])?;
    let side = boxes[0] * boxes[1];
    let diagonals = parts[1] == "d";
    let numbers = parts.split_off(3);
    if numbers.len() != side * side {
        return None;
    }
    let (mut keys, mut sums) = (vec![None; side * side], Vec::new());
    for (cell, text) in numbers.into_iter().enumerate() {
        let number = number(text).filter(|&number| number < 1 << 24)?;
        if number > 0 {
            keys[cell] = Some(number as usize % 256);
            sums.push((cell, number / 256));
        }
    }
    Some(Described {
        boxes: Some(boxes),
        diagonals,
        cages: Some(collected(side, &keys, &sums)?),
        ..blank(side)
    })
}

/// Returns the text after `sudoku/`, which begins the text or follows the first `?` of an address.
fn puzz_link_list(text: &[u8]) -> Option<&[u8]> {
    let is_address = text.starts_with(b"http") || text.starts_with(b"puzz.");
    let start = if is_address { text.iter().position(|&byte| byte == b'?')? + 1 } else { 0 };
    text[start..].strip_prefix(b"sudoku/")
}

fn puzz_link(field: &[u8]) -> Option<Described> {
    let text = std::str::from_utf8(puzz_link_list(field)?).ok()?;
    let (columns, rest) = text.split_once('/')?;
    let (rows, list) = rest.split_once('/')?;
    let side = number(columns).filter(|side| (2..=25).contains(side))? as usize;
    if rows != columns {
        return None;
    }
    let mut list = list.strip_suffix('/').unwrap_or(list).chars();
    let mut digits = Vec::new();
    while let Some(symbol) = list.next() {
        let digit = match symbol {
            'g'..='z' => {
                digits.resize(digits.len() + symbol as usize - 'f' as usize, 0);
                continue;
            }
            '.' => 0,
            '-' => {
                let (tens, ones) = (list.next()?, list.next()?);
                16 * hexadecimal(tens)? + hexadecimal(ones)?
            }
            _ => hexadecimal(symbol)?,
        };
        if symbol != '.' && !(1..=side).contains(&(digit as usize)) {
            return None;
        }
        digits.push(digit as u8);
    }
    (digits.len() == side * side).then(|| Described { digits, ..blank(side) })
}

/// Returns the value of a hexadecimal digit in lower case.
fn hexadecimal(symbol: char) -> Option<u32> {
    let is_digit = symbol.is_ascii_digit() || symbol.is_ascii_lowercase();
    is_digit.then(|| symbol.to_digit(16))?
}

fn sumocue(field: &[u8]) -> Option<Described> {
    let text = std::str::from_utf8(field).ok()?.strip_prefix("SumoCueV1")?;
    let diagonals = text.starts_with('D');
    let text = text.strip_prefix('D').unwrap_or(text).replace('+', "=+");
    let cells: Vec<&str> = text.strip_prefix('=')?.split('=').collect();
    let side = cells.len().isqrt();
    if side * side != cells.len() || !(2..=25).contains(&side) {
        return None;
    }
    let mut puzzle = blank(side);
    puzzle.diagonals = diagonals;
    let (mut labels, mut values) = (Vec::new(), Vec::new());
    let mut regions = Vec::new();
    for cell in cells {
        let (value, region) =
            cell.split_once('J').map_or((cell, None), |(value, region)| (value, Some(region)));
        values.push(value);
        if let Some(region) = region {
            let region = number(region).filter(|&region| region <= side as u64)?;
            if !regions.contains(&region) {
                regions.push(region);
            }
            let index = regions.iter().position(|&known| known == region)?;
            labels.push(b'A' + index as u8);
        }
    }
    if !labels.is_empty() {
        puzzle.regions = Some(labels);
        if puzzle.regions.as_ref()?.len() != side * side {
            return None;
        }
    }
    let joined = |value: &&str| value.starts_with('+');
    if !values.iter().any(joined) {
        for (digit, value) in puzzle.digits.iter_mut().zip(values) {
            *digit = number(value).filter(|&digit| digit <= side as u64)? as u8;
        }
        return Some(puzzle);
    }
    let (mut keys, mut sums) = (vec![None; side * side], Vec::new());
    for (cell, value) in values.iter().enumerate() {
        match value.strip_prefix('+') {
            Some(opener) => {
                let opener = number(opener)? as usize;
                if values.get(opener).is_none_or(joined) {
                    return None;
                }
                keys[cell] = Some(opener);
            }
            None => {
                let sum = number(value).filter(|&sum| sum < 1 << 16)?;
                keys[cell] = Some(cell);
                sums.extend((sum > 0).then_some((cell, sum)));
            }
        }
    }
    puzzle.cages = Some(collected(side, &keys, &sums)?);
    Some(puzzle)
}

fn solo(field: &[u8]) -> Option<Described> {
    let (header, lists) = std::str::from_utf8(field).ok()?.split_once(':')?;
    let size = header.trim_end_matches(['j', 'k', 'x']);
    let flags = &header[size.len()..];
    if "jkx".chars().any(|flag| flags.matches(flag).count() > 1) {
        return None;
    }
    let [jigsaw, killer, diagonals] = ['j', 'k', 'x'].map(|flag| flags.contains(flag));
    let is_short = |number: &str| number.len() < 3 && !number.starts_with('0');
    if !size.split('x').all(is_short) || !size.contains('x') && !jigsaw {
        return None;
    }
    let boxes = if size.contains('x') { boxes(size)? } else { boxes(&format!("{size}x1"))? };
    let side = boxes[0] * boxes[1];
    let lists: Vec<&str> = lists.split(',').collect();
    if lists.len() != 1 + usize::from(jigsaw) + 2 * usize::from(killer) {
        return None;
    }
    let mut puzzle = blank(side);
    puzzle.diagonals = diagonals;
    puzzle.boxes = (!jigsaw).then_some(boxes);
    for (cell, digit) in numbers_at(lists[0], side)? {
        puzzle.digits[cell] = (1..=side as u64).contains(&digit).then_some(digit as u8)?;
    }
    if jigsaw {
        let firsts = areas(lists[1], side)?;
        let mut known = firsts.clone();
        known.sort_unstable();
        known.dedup();
        let label = |first: &usize| b'A' + known.binary_search(first).unwrap_or(0) as u8;
        puzzle.regions = (known.len() <= side).then(|| firsts.iter().map(label).collect());
        puzzle.regions.as_ref()?;
    }
    if killer {
        let [.., cages, sums] = lists[..] else {
            return None;
        };
        let keys: Vec<Option<usize>> = areas(cages, side)?.into_iter().map(Some).collect();
        let sums = numbers_at(sums, side)?;
        if sums.iter().any(|&(_, sum)| sum == 0) {
            return None;
        }
        puzzle.cages = Some(collected(side, &keys, &sums)?);
    }
    Some(puzzle)
}

/// Returns the numbers of a list of cells.
fn numbers_at(list: &str, side: usize) -> Option<Vec<(usize, u64)>> {
    let (mut cell, mut numbers) = (0, Vec::new());
    let mut symbols = list.chars().peekable();
    while let Some(symbol) = symbols.next() {
        match symbol {
            '_' => {}
            'a'..='z' => cell += symbol as usize - 'a' as usize + 1,
            '0'..='9' => {
                let mut digits = symbol.to_string();
                while let Some(digit) = symbols.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                numbers.push((cell, number(&digits)?));
                cell += 1;
            }
            _ => return None,
        }
    }
    (cell == side * side).then_some(numbers)
}

/// Returns the first cell of the area of each cell, from a list of borders.
fn areas(list: &str, side: usize) -> Option<Vec<usize>> {
    let borders = 2 * side * (side - 1);
    let open: Vec<bool> = [25, 26].into_iter().find_map(|z| {
        let mut open = Vec::new();
        for symbol in list.chars() {
            let run = match symbol {
                '_' => 0,
                'z' => z,
                'a'..='y' => symbol as usize - 'a' as usize + 1,
                _ => return None,
            };
            open.extend(std::iter::repeat_n(true, run));
            open.extend((symbol != 'z').then_some(false));
            if open.len() > borders + 1 {
                return None;
            }
        }
        (open.len() == borders + 1 && !open[borders]).then_some(open)
    })?;
    let mut pairs = Vec::new();
    for row in 0..side {
        pairs.extend((1..side).map(|column| [row * side + column - 1, row * side + column]));
    }
    for column in 0..side {
        pairs.extend((1..side).map(|row| [(row - 1) * side + column, row * side + column]));
    }
    let mut firsts: Vec<usize> = (0..side * side).collect();
    loop {
        let before = firsts.clone();
        for (&[one, other], _) in pairs.iter().zip(&open).filter(|(_, open)| **open) {
            let first = firsts[one].min(firsts[other]);
            (firsts[one], firsts[other]) = (first, first);
        }
        if firsts == before {
            return Some(firsts);
        }
    }
}

/// Follows the arrows of each cell to a sum.
pub fn arrows(field: &[u8], side: usize) -> Option<Cages> {
    if side > 9 || field.len() != side * side {
        return None;
    }
    let next = |cell: usize| {
        let (row, column) = (cell / side, cell % side);
        let (rows, columns) = match field[cell] {
            b'<' => (row + 1, column),
            b'>' => (row + 1, column + 2),
            b'^' => (row, column + 1),
            b'v' => (row + 2, column + 1),
            b'`' => (row, column),
            b'\'' => (row, column + 2),
            b',' => (row + 2, column),
            b'.' => (row + 2, column + 2),
            _ => return Some(cell),
        };
        // Rows and columns are counted from 1 here, so that 0 is outside.
        let inside = 1..=side;
        (inside.contains(&rows) && inside.contains(&columns))
            .then(|| (rows - 1) * side + columns - 1)
    };
    let (mut keys, mut sums) = (Vec::new(), Vec::new());
    for start in 0..side * side {
        let mut cell = start;
        for _ in 0..side * side {
            cell = next(cell)?;
        }
        let sum = match field[cell] {
            digit @ b'0'..=b'9' => digit - b'0',
            letter @ b'A'..=b'Z' => letter - b'A' + 10,
            letter @ b'a'..=b'j' => letter - b'a' + 36,
            _ => return None,
        };
        keys.push(Some(cell));
        sums.extend((sum > 0).then_some((cell, u64::from(sum))));
    }
    collected(side, &keys, &sums)
}
