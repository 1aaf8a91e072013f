//! Finds the least image of a puzzle in a grid whose rows, columns and boxes imply all constraints.
//! For grids with more constraints, `mod.rs` tries each symmetry.
//!
//! A breadth-first search finds the image line by line. A *choice* assigns a row of the puzzle to
//! each line so far, and holds all orders of the columns that give these lines their least text.
//! For the next line, each choice is extended by each row that can follow. Only the choices with
//! the least text are kept.
//!
//! * The order of the columns stays open: a choice holds an ordered partition of the columns.
//!   Columns in one *class* of the partition can still be exchanged. Each line splits classes.
//! * The image numbers the digits in the order in which they occur first. The number of a digit,
//!   its *label*, can stay open too, because it depends on the order of the columns. So a choice
//!   holds the line and the column in which a digit occurs first: the label is the text there.
//! * Within a line, the blanks of a class come first, then the digit that can have the least label.
//!   For this label, the column in which the digit occurs first gets the first position of its
//!   class. If several digits can have the least label, each of them is a branch. Digits without a
//!   label come last; in any order, they give the same text.
//! * If there are many choices, only one is kept of those whose remaining rows are the same up to
//!   the names of rows, columns and digits.
//! * The symmetries that give the least image are the orders of rows and columns that the choices
//!   hold in the end. So each choice counts the orders of rows that were merged in it.

use std::collections::BTreeMap;

use super::symmetries::{Blocks, MAX_FORM_CELLS, MAX_FORM_SIDE, Symmetry};

/// A set of rows or columns: bit 4n for number n.
///
/// Rows are numbered from 0, and so are the columns of a single stack. Of several stacks, each
/// begins at a multiple of `PAD`, so some numbers can be unused: a 9x9 with 3x3 boxes has columns
/// 0-2, 4-6 and 8-10. Positions in a line of the image are numbered like columns.
type Set = u64;

const PAD: usize = 4;
const PADDED: usize = PAD * PAD;
/// All 16 numbers, also the unused ones.
const ALL: Set = 0x1111_1111_1111_1111;
/// In `Choice::firsts`, for a digit without a label. It means column 15 of the first line: this
/// number is always unused, and the text there is 0.
const NEW: u8 = 15;
/// The first column of each stack, if there are several stacks.
const FIRST_COLUMNS: Set = 0x0001_0001_0001_0001;

#[derive(Clone, Copy, Default)]
struct Row {
    digits: [u8; PADDED],
    givens: Set,
    /// The givens whose digits have labels before the row is placed. All givens if a digit repeats:
    /// its label then depends on the order of its columns.
    labelled: Set,
    repeats: bool,
}

/// Rows for the first lines of the image, and all orders of columns that give these lines the same
/// least text: an ordered partition. The columns of one stack that are in one class can be
/// exchanged. So can *tied* stacks, whose columns are in the same classes. A class is identified by
/// the first position that its columns can take.
#[derive(Clone, Copy)]
struct Choice {
    /// Bits 4n to 4n + 3: the position of the class of column n. 15 for unused numbers.
    positions: u64,
    /// The columns that are never in a tied stack, and the unused numbers.
    untied: Set,
    /// Entry d: where digit d occurs first, as 16 times the line, plus the column, or `NEW`.
    firsts: [u8; MAX_FORM_SIDE + 1],
    labels: u8,
    rows_left: Set,
    /// The rows so far, 4 bits each, the last one in the lowest bits.
    rows: u64,
    transposed: bool,
    /// The number of choices that were merged in this one, with itself.
    merged: u64,
}

pub struct CanonicalSearch<'a> {
    blocks: &'a Blocks,
    columns: Set,
    /// The position after the last one of a line.
    end: usize,
    /// Of the puzzle, then of its transpose.
    rows: [[Row; MAX_FORM_SIDE]; 2],
    /// The image, 16 bytes a line.
    text: [u8; 16 * MAX_FORM_SIDE],
    line: usize,
    /// The first unknown position of the current line.
    known: usize,
    kept: Vec<Choice>,
}

impl Row {
    /// Returns the columns among these that hold the digit of `column`.
    fn equal(&self, columns: Set, column: usize) -> Set {
        if !self.repeats {
            return bit(column);
        }
        let equal = numbers(columns).filter(|&other| self.digits[other] == self.digits[column]);
        equal.map(bit).sum()
    }
}

impl Choice {
    fn position(&self, column: usize) -> usize {
        (self.positions >> (4 * column) & 15) as usize
    }

    fn class(&self, position: usize) -> Set {
        // The four bits of a column are 0 if its position is this one. The shifts combine them.
        let different = self.positions ^ (ALL * position as u64);
        let different = different | different >> 1;
        !(different | different >> 2) & ALL
    }

    /// Several stacks if they are tied at this position, else one. Empty if the grid has a single
    /// stack.
    fn tied(&self, position: usize) -> Set {
        // Stacks have `PAD` = 4 positions each, so the two high bits of a position are its stack.
        let different = self.positions ^ (ALL * position as u64);
        !(different >> 2 | different >> 3 | self.untied) & ALL
    }

    /// The new positions must be at most 15.
    fn move_on(&mut self, columns: Set, by: usize) {
        self.positions += columns * by as u64;
    }

    /// Fixes a column at the first position of its class: moves the stacks tied with its stack one
    /// stack on, and the other columns of its class one position on.
    fn fix(&mut self, column: usize) {
        let position = self.position(column);
        self.move_on(self.tied(position) & !stack_of(column), PAD);
        // All columns that are left in the class are in the stack of `column`.
        self.move_on(self.class(position) & !bit(column), 1);
    }

    /// Fixes all columns in one of the orders that the choice holds. Returns the number of orders.
    fn fix_all(&mut self, columns: Set) -> u64 {
        let orders = numbers(columns).map(|column| {
            let alternatives = count(self.class(self.position(column)));
            self.fix(column);
            alternatives as u64
        });
        orders.product()
    }

    fn has_label(&self, digit: u8) -> bool {
        self.firsts[usize::from(digit)] != NEW
    }

    /// The digit occurs first in this column of the line that begins at `line` in `text`.
    fn add_label(&mut self, digit: u8, line: usize, column: usize) {
        self.labels += 1;
        self.firsts[usize::from(digit)] = (line + column) as u8;
    }

    /// Returns the start of the line in `text` in which a digit occurs first, and the column.
    fn first(&self, digit: u8) -> (usize, usize) {
        let first = usize::from(self.firsts[usize::from(digit)]);
        (first & !15, first & 15)
    }

    /// Bit `width - 1 - i` is set if position `start + i` has a given of the stack, when the blanks
    /// of each class come first.
    fn pattern(&self, start: usize, stack: Set, givens: Set, width: usize) -> u32 {
        let (mut pattern, mut position) = (0, start);
        while position < start + width {
            let class = self.class(position) & stack;
            let givens_last = (1 << count(class & givens)) - 1;
            pattern = pattern << count(class) | givens_last;
            position += count(class);
        }
        pattern
    }
}

impl<'a> CanonicalSearch<'a> {
    pub fn new(blocks: &'a Blocks, puzzle: &[u8]) -> CanonicalSearch<'a> {
        let (side, width) = (blocks.side, blocks.sizes[1]);
        let padded = |column: usize| column / width * PAD + column % width;
        let mut search = CanonicalSearch {
            blocks,
            columns: (0..side).map(|column| bit(padded(column))).sum(),
            end: padded(side - 1) + 1,
            rows: Default::default(),
            text: [0; 16 * MAX_FORM_SIDE],
            line: 0,
            known: 0,
            kept: Vec::with_capacity(32),
        };
        for (rows, [row_step, column_step]) in search.rows.iter_mut().zip([[side, 1], [1, side]]) {
            for (index, row) in rows[..side].iter_mut().enumerate() {
                let mut seen = 0;
                for (at, column) in numbers(search.columns).enumerate() {
                    let digit = puzzle[index * row_step + at * column_step];
                    row.digits[column] = digit;
                    row.givens |= u64::from(digit != 0) << (4 * column);
                    row.repeats |= digit != 0 && seen >> digit & 1 == 1;
                    seen |= 1 << digit;
                }
            }
        }
        search
    }

    /// Returns the least image: N² digits along the rows, 0 for a blank cell. Also returns a
    /// symmetry that gives this image, and the number of such symmetries.
    pub fn least_image(mut self) -> ([u8; MAX_FORM_CELLS], Symmetry, u64) {
        let side = self.blocks.side;
        let mut image = [0; MAX_FORM_CELLS];
        let mut choices = self.first_choices();
        let mut nexts = Vec::with_capacity(64);
        // If more choices are kept, only one of those with equal rests stays. Finding equal rests
        // takes longer than extending a few choices, unless each has many, as with a single stack.
        let max_unmerged = if self.blocks.sizes[1] == side { 4 } else { 64 };
        for (line, image) in image.chunks_mut(side).take(side).enumerate() {
            (self.line, self.known) = (16 * line, 0);
            self.list_nexts(&choices, &mut nexts);
            for &(bound, choice, row) in &nexts {
                // Skips rows whose lines exceed the least so far. A bound of 0 excludes nothing.
                if bound == 0 || self.kept.is_empty() || bound <= self.line_as_number() {
                    self.extend(choices[choice], row);
                }
            }
            choices.clear();
            if self.kept.len() > max_unmerged {
                let mut merged: BTreeMap<_, Choice> = BTreeMap::new();
                for choice in &self.kept {
                    let equal = merged.entry(self.rest(choice));
                    let add = |equal: &mut Choice| equal.merged += choice.merged;
                    equal.and_modify(add).or_insert(*choice);
                }
                choices.extend(merged.into_values());
                self.kept.clear();
            } else {
                choices.append(&mut self.kept);
            }
            for (column, digit) in numbers(self.columns).zip(image) {
                *digit = self.text[self.line + column];
            }
        }
        let symmetry = self.symmetry(choices[0]);
        let orders = choices.iter_mut().map(|choice| choice.merged * choice.fix_all(self.columns));
        (image, symmetry, orders.sum())
    }

    fn symmetry(&self, mut choice: Choice) -> Symmetry {
        let side = self.blocks.side;
        choice.fix_all(self.columns);
        let mut columns: Vec<(usize, u8)> =
            numbers(self.columns).map(|column| choice.position(column)).zip(0..).collect();
        columns.sort_unstable();
        let mut symmetry = Symmetry::unpermuted(choice.transposed);
        for line in 0..side {
            let row = choice.rows >> (4 * (side - 1 - line)) & 15;
            symmetry.permutations[0][line] = row as u8;
            symmetry.permutations[1][line] = columns[line].1;
        }
        symmetry
    }

    /// One for the puzzle, and one for its transpose if that is an image.
    fn first_choices(&self) -> Vec<Choice> {
        let (side, unused) = (self.blocks.side, ALL ^ self.columns);
        let is_single_stack = self.blocks.sizes[1] == side;
        let choice = |&transposed: &bool| Choice {
            positions: unused * 15,
            untied: if is_single_stack { ALL } else { unused },
            firsts: [NEW; MAX_FORM_SIDE + 1],
            labels: 0,
            rows_left: first_numbers(side),
            rows: 0,
            transposed,
            merged: 1,
        };
        let images = 1 + usize::from(self.blocks.can_transpose());
        [false, true][..images].iter().map(choice).collect()
    }

    /// Lists a lower bound of the line as a number (0 if none is known), the index of the choice,
    /// and the row. The least bounds come first.
    fn list_nexts(&self, choices: &[Choice], nexts: &mut Vec<(u32, usize, usize)>) {
        let height = self.blocks.sizes[0];
        // True at the second line of a 9x9 whose first line is full.
        let is_bounded = self.line == 16 && choices[0].labels == 9 && self.blocks.sizes == [3, 3];
        nexts.clear();
        for (index, choice) in choices.iter().enumerate() {
            let mut rows = choice.rows_left;
            if !(self.line / 16).is_multiple_of(height) {
                let last_row = (choice.rows & 15) as usize;
                let band_start = last_row / height * height;
                rows &= first_numbers(height) << (4 * band_start);
            }
            let is_empty = |&row: &usize| self.row(choice, row).givens == 0;
            // The line of an empty row is the least, so it makes all other rows needless.
            let empty: Set = numbers(rows).filter(is_empty).map(bit).sum();
            for row in numbers(if empty == 0 { rows } else { empty }) {
                let bound = if is_bounded { second_line(choice, self.row(choice, row)) } else { 0 };
                nexts.push((bound, index, row));
            }
        }
        if is_bounded {
            nexts.sort_unstable();
        }
    }

    fn row(&self, choice: &Choice, row: usize) -> &Row {
        &self.rows[usize::from(choice.transposed)][row]
    }

    /// For a 9x9.
    fn line_as_number(&self) -> u32 {
        let digits = numbers(self.columns).map(|column| self.text[self.line + column]);
        digits.fold(0, |number, digit| 10 * number + u32::from(digit))
    }

    fn extend(&mut self, mut choice: Choice, index: usize) {
        choice.rows_left &= !bit(index);
        choice.rows = choice.rows << 4 | index as u64;
        let mut row = *self.row(&choice, index);
        let has_label = |&column: &usize| row.repeats || choice.has_label(row.digits[column]);
        row.labelled = numbers(row.givens).filter(has_label).map(bit).sum();
        self.place(choice, &row, 0);
    }

    /// Returns `None` if the symbol is greater. If it is less, `kept` loses its choices.
    fn emit(&mut self, position: usize, symbol: u8) -> Option<()> {
        let least = &mut self.text[self.line + position];
        if position < self.known {
            if symbol >= *least {
                return (symbol == *least).then_some(());
            }
            self.kept.clear();
        }
        *least = symbol;
        self.known = position + 1;
        Some(())
    }

    /// Adds each order of the columns from `position` on that gives the least line to `kept`.
    /// Returns `None` if the line is greater.
    fn place(&mut self, mut choice: Choice, row: &Row, mut position: usize) -> Option<()> {
        while position < self.end {
            let class = choice.class(position);
            let filled = class & row.givens;
            if class == 0 {
                // A position between two stacks that no column takes.
                position += 1;
            } else if class & !stack_of(lowest(class)) & !choice.untied != 0 {
                position = self.place_stacks(&mut choice, row, position)?;
            } else if filled != class {
                let end = position + count(class ^ filled);
                (position..end).try_for_each(|blank| self.emit(blank, 0))?;
                choice.move_on(filled, end - position);
                position = end;
            } else if filled & row.labelled == 0 {
                for column in numbers(filled) {
                    self.emit(position, choice.labels + 1)?;
                    choice.add_label(row.digits[column], self.line, column);
                    position += 1;
                }
            } else {
                position = self.place_label(&mut choice, row, position)?;
            }
        }
        self.kept.push(choice);
        Some(())
    }

    /// Places one or more of the tied stacks at `start`. Only those with the most blanks before
    /// their first given can be first. Each of these that has labelled digits is a branch. Of the
    /// others, those with the least pattern are placed together. Returns the position after these,
    /// or `None` if there are none or the line is greater.
    // A pattern with labels is compared up to its first given only: `.3...` is less than `.6...`.
    fn place_stacks(&mut self, choice: &mut Choice, row: &Row, start: usize) -> Option<usize> {
        let width = self.blocks.sizes[1];
        let tied = choice.tied(start);
        let (mut shortest, mut least, mut unlabelled, mut labelled) = (u32::MAX, u32::MAX, 0, 0);
        for stack in numbers(tied & FIRST_COLUMNS).map(stack_of) {
            let pattern = choice.pattern(start, stack, row.givens, width);
            let from_first_given = u32::BITS - pattern.leading_zeros();
            if from_first_given > shortest {
                continue;
            }
            if from_first_given < shortest {
                (shortest, least, unlabelled, labelled) = (from_first_given, u32::MAX, 0, 0);
            }
            if row.labelled & stack != 0 {
                labelled |= stack;
            } else if pattern < least {
                (least, unlabelled) = (pattern, stack);
            } else if pattern == least {
                unlabelled |= stack;
            }
        }
        for stack in numbers(labelled & FIRST_COLUMNS).map(stack_of) {
            let mut branch = *choice;
            branch.move_on(tied & !stack, PAD);
            self.place(branch, row, start);
        }
        if unlabelled == 0 {
            return None;
        }
        // `unlabelled` can have unused numbers, `tied` has none.
        let group = unlabelled & tied;
        let stacks = count(group) / width;
        choice.move_on(tied & !group, PAD * stacks);
        self.place_group(choice, row, [start, stacks], least)
    }

    /// Places `stacks` tied stacks from `start` on, whose givens are at the places of `pattern`
    /// (see `Choice::pattern`) and have no labels yet. Gives the digits the next labels, and moves
    /// the givens of each class behind its blanks. The stacks stay tied. Returns the position after
    /// them, or `None` if the line is greater.
    fn place_group(
        &mut self,
        choice: &mut Choice,
        row: &Row,
        [start, stacks]: [usize; 2],
        pattern: u32,
    ) -> Option<usize> {
        let width = self.blocks.sizes[1];
        let mut label = choice.labels + 1;
        for stack in 0..stacks {
            for at in 0..width {
                let is_given = (pattern >> (width - 1 - at)) as u8 & 1;
                self.emit(start + stack * PAD + at, is_given * label)?;
                label += is_given;
            }
        }
        // Each class has equally many columns of each of these stacks.
        let mut position = start;
        while position < start + width {
            let class = choice.class(position);
            let filled = class & row.givens;
            choice.move_on(filled, count(class ^ filled) / stacks);
            // Each of these digits gets one of the labels above: that at the position which its
            // column gets in the end. So the order of these calls does not matter.
            for column in numbers(filled) {
                choice.add_label(row.digits[column], self.line, column);
            }
            position += count(class) / stacks;
        }
        Some(start + PAD * stacks)
    }

    /// Places a digit that can have the least label in a class without blanks. If several digits
    /// can, searches each but the last as a branch, and goes on with the last. Returns the position
    /// after its columns, or `None` if the line is greater.
    fn place_label(&mut self, choice: &mut Choice, row: &Row, position: usize) -> Option<usize> {
        let filled = choice.class(position);
        let (mut least, mut columns) = (u8::MAX, 0);
        for column in numbers(filled & row.labelled) {
            let label = self.label(choice, row, position, column);
            if label < least {
                (least, columns) = (label, 0);
            }
            if label == least {
                columns |= bit(column);
            }
        }
        self.emit(position, least)?;
        loop {
            let equal = row.equal(filled, lowest(columns));
            columns &= !equal;
            if columns == 0 {
                return self.place_equal(choice, row, equal, position);
            }
            let mut branch = *choice;
            if let Some(end) = self.place_equal(&mut branch, row, equal, position) {
                self.place(branch, row, end);
            }
        }
    }

    /// The least label of the digit in `column`, if its columns are the first of the class at
    /// `position`.
    fn label(&self, choice: &Choice, row: &Row, position: usize, column: usize) -> u8 {
        let digit = row.digits[column];
        if !choice.has_label(digit) {
            return choice.labels + 1;
        }
        let (line, first) = choice.first(digit);
        let mut at = choice.position(first);
        if at == position {
            let columns = row.equal(choice.class(position), column);
            if columns & bit(first) == 0 {
                // All of them come before `first`, so they move it on.
                at += count(columns);
            }
        }
        self.text[line + at]
    }

    /// Makes `columns`, all those with one digit, the first of the class at `position`. Fixes the
    /// column that decides the digit's label. The caller has emitted the label for the first of
    /// `columns`. Returns the position after them, or `None` if the line is greater.
    fn place_equal(
        &mut self,
        choice: &mut Choice,
        row: &Row,
        columns: Set,
        position: usize,
    ) -> Option<usize> {
        let end = position + count(columns);
        choice.move_on(choice.class(position) & !columns, end - position);
        let digit = row.digits[lowest(columns)];
        if !choice.has_label(digit) {
            choice.add_label(digit, self.line, lowest(columns));
        } else {
            let (line, column) = choice.first(digit);
            let at = choice.position(column);
            // If several columns of its class have the digit in that line, any order of these gives
            // the same label, so none is fixed.
            let is_repeated =
                count(choice.class(at)) > 1 && self.text[line + at] == self.text[line + at + 1];
            if !is_repeated {
                choice.fix(column);
            }
        }
        let label = self.text[self.line + position];
        (position + 1..end).try_for_each(|position| self.emit(position, label))?;
        Some(end)
    }

    /// Returns the rest of the puzzle, in one of the orders of the columns: a number for each row
    /// that is left, with 4 bits for each label. Choices with equal rests have the same images,
    /// because the text determines the partition of the columns.
    fn rest(&self, choice: &Choice) -> Vec<u64> {
        let mut fixed = *choice;
        fixed.fix_all(self.columns);
        let mut columns: Vec<usize> = numbers(self.columns).collect();
        columns.sort_unstable_by_key(|&column| fixed.position(column));
        let mut last_label = choice.labels;
        // 0 for a digit without a label: see `NEW`.
        let mut labels: [u8; MAX_FORM_SIDE + 1] = std::array::from_fn(|digit| {
            let (line, column) = choice.first(digit as u8);
            self.text[line + fixed.position(column)]
        });
        let mut rows = [u64::MAX; MAX_FORM_SIDE];
        for index in numbers(choice.rows_left) {
            rows[index] = columns.iter().fold(0, |row, &column| {
                let digit = usize::from(self.row(choice, index).digits[column]);
                if digit != 0 && labels[digit] == 0 {
                    last_label += 1;
                    labels[digit] = last_label;
                }
                row << 4 | u64::from(labels[digit])
            });
        }
        let mut bands: Vec<&mut [u64]> = rows.chunks_mut(self.blocks.sizes[0]).collect();
        bands.iter_mut().for_each(|band| band.sort_unstable());
        bands.sort_unstable();
        bands.concat()
    }
}

/// Bounds the second line of a 9x9 whose first line is full; 0 if no bound is known.
///
/// The two rows map each column to the one in which the first row has the digit of the second row.
/// If `row` is full, this is a permutation. Its cycle lengths do not depend on the column order.
fn second_line(choice: &Choice, row: &Row) -> u32 {
    if row.repeats || count(row.givens) < 9 {
        return 0;
    }
    let next = |column: usize| choice.first(row.digits[column]).1;
    let (mut longest, mut pairs, mut left) = (0, 0, row.givens);
    while left != 0 {
        let (mut column, mut length) = (lowest(left), 0);
        while left & bit(column) != 0 {
            left ^= bit(column);
            if next(column) / PAD == column / PAD {
                // The box has a digit twice, so the puzzle has no solution. No bound is known.
                return 0;
            }
            column = next(column);
            length += 1;
        }
        longest = longest.max(length);
        pairs += u32::from(length == 2);
    }
    // True if each stack goes to another stack as a whole: if one does, the others must.
    let moves_stacks = next(0) / PAD == next(1) / PAD && next(0) / PAD == next(2) / PAD;
    // The least line with cycles of these lengths.
    match (moves_stacks, longest, pairs) {
        (true, 3, _) => 456_789_123,
        (true, 6, _) => 456_789_132,
        (true, ..) => 456_789_231,
        (false, 5, 2) => 457_189_236,
        (false, 7, _) => 457_189_263,
        (false, 3, 3) => 457_189_326,
        (false, 4, _) => 457_189_623,
        (false, 9, _) => 457_289_163,
        (false, 5, _) => 457_289_613,
        (false, 6, _) => 457_389_621,
        _ => 457_893_612,
    }
}

fn numbers(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| lowest(set))?;
        set &= set - 1;
        Some(first)
    })
}

fn lowest(set: Set) -> usize {
    set.trailing_zeros() as usize / 4
}

/// Includes unused numbers. Means nothing if the grid has a single stack.
fn stack_of(column: usize) -> Set {
    0x1111 << (column / PAD * 16)
}

/// The set must have at most 15 numbers, because the result has four bits.
fn count(set: Set) -> usize {
    // The highest four bits of the product are the sum of all groups of four bits.
    (set.wrapping_mul(ALL) >> 60) as usize
}

fn bit(number: usize) -> Set {
    1 << (4 * number)
}

/// `count` is at most 9.
fn first_numbers(count: usize) -> Set {
    ALL & (bit(count) - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Returns all rows that can follow 123456789 in its band.
    fn second_rows() -> Vec<Vec<u8>> {
        let (mut rows, mut open) = (Vec::new(), vec![Vec::new()]);
        while let Some(row) = open.pop() {
            if row.len() == 9 {
                rows.push(row);
                continue;
            }
            for digit in (1..=9).filter(|digit| !row.contains(digit)) {
                if usize::from(digit - 1) / 3 != row.len() / 3 {
                    open.push([row.as_slice(), &[digit]].concat());
                }
            }
        }
        rows
    }

    #[test]
    fn bounds_of_the_second_line_are_the_least_lines_of_their_kind() {
        let blocks = Blocks { side: 9, sizes: [3, 3] };
        let mut least_of_bounds = BTreeMap::new();
        for second in second_rows() {
            let mut puzzle = [0; MAX_FORM_CELLS];
            puzzle[..9].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
            puzzle[9..18].copy_from_slice(&second);
            let search = CanonicalSearch::new(&blocks, &puzzle);
            let mut choice = search.first_choices()[0];
            for column in numbers(search.columns) {
                choice.add_label(search.rows[0][0].digits[column], 0, column);
            }
            let bound = second_line(&choice, &search.rows[0][1]);
            // The blank rows come first.
            let (image, ..) = search.least_image();
            let digits = image[72..].iter();
            let line = digits.fold(0, |line, &digit| 10 * line + u32::from(digit));
            assert!(bound <= line, "{second:?}");
            let least = least_of_bounds.entry(bound).or_insert(line);
            *least = line.min(*least);
        }
        assert_eq!(least_of_bounds.len(), 11);
        assert!(least_of_bounds.iter().all(|(bound, least)| bound == least));
    }
}
