//! Draws a grid as an SVG image on one line of text, for print and web pages. `drawing/write.rs`
//! draws with characters, `svg_rules.rs` draws the lines and marks of rules that a puzzle states.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::drawing::write::{Border, Borders, GridWriter};
use super::svg_elements::{CELL, cage_lines, corner_text, escape, path};
use super::svg_rules::{self, RuleShapes};
use engine::puzzle::Givens;
use engine::rules::{HouseName, Place, Rules};

/// The end of an image.
pub const END: &str = "</svg>";

/// The distance of the baseline below the middle of a cell: digits are then about centred.
const BASELINE: usize = 10;

/// The style of the shapes and texts. The style sheet of an HTML page can override it.
const STYLE: &str = "<style>\
.shade{fill:#ddd}\
.line,.border,.cage,.diagonal{fill:none;stroke:#000}\
.line{stroke-width:.5}\
.border{stroke-width:2.5;stroke-linecap:square}\
.cage{stroke-width:1;stroke-dasharray:3 2}\
.diagonal{stroke:#99c;stroke-width:1.5}\
text{font:22px sans-serif;text-anchor:middle}\
.solved{fill:#00c}\
.sum{font-size:9px;text-anchor:start}\
</style>";

impl GridWriter<'_> {
    /// Appends an image of the cells, with a title, to `text`: digits, 0 for a blank cell, or
    /// candidates. The only candidate of a cell is drawn as its digit.
    ///
    /// Diagonals are drawn as lines. The cells of windows and of other extra houses and groups are
    /// shaded, but not those of disjoint groups, which together contain every cell. Digits that are
    /// not givens have the class `solved`. Rules that the puzzle states are lines and marks, or are
    /// named below the grid.
    pub fn draw_svg(&self, cells: Givens<'_>, title: &str, text: &mut Vec<u8>) {
        let image = self.svg_frame(title)
            + &match cells {
                Givens::Digits(grid) => self.digits(grid),
                Givens::Candidates(sets) => self.candidates(sets),
            }
            + END;
        text.extend_from_slice(image.as_bytes());
    }

    /// Returns the beginning of an image: what it has besides the contents of its cells.
    pub fn svg_frame(&self, title: &str) -> String {
        let borders = Borders::of(self.rules);
        let stated = RuleShapes::of(self.items, &borders);
        let begin = -2 - stated.margin as isize;
        let width = self.rules.side() * CELL + 4 + 2 * stated.margin;
        let height = width + stated.height_of_notes();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{begin} {begin} {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\
             {title}{STYLE}{style}{shaded}{below}{diagonals}{lines}{borders}{cages}{above}",
            title = title_element(title),
            style = if self.items.is_empty() { "" } else { svg_rules::STYLE },
            shaded = self.shaded_cells(),
            below = stated.below,
            diagonals = diagonals(self.rules),
            lines = lines(self.rules.side()),
            borders = region_borders(&borders),
            cages = cages(&borders),
            above = stated.above,
        )
    }

    /// Cells that differ by a rule with a shape of its own are not shaded.
    fn shaded_cells(&self) -> String {
        let rules = self.rules;
        let is_shaded = |name| !matches!(name, HouseName::Diagonal(_) | HouseName::Disjoint(_));
        let houses = rules.extra_houses().iter().chain(rules.groups());
        let drawn = svg_rules::cells_of_shapes(self.items);
        let houses = houses.filter(|house| is_shaded(house.name) && !drawn.contains(&house.cells));
        let cells: BTreeSet<&u16> = houses.flat_map(|house| &house.cells).collect();
        let squares = cells.into_iter().map(|&cell| {
            let Place { row, column } = Place::of(cell.into(), rules.side());
            let (x, y) = ((column - 1) * CELL, (row - 1) * CELL);
            format!("M{x} {y}h{CELL}v{CELL}h-{CELL}z")
        });
        path("shade", &squares.collect::<String>())
    }

    fn digits(&self, grid: &[u8]) -> String {
        let digits = self.svg_digits(grid);
        digits.map(|digit| digit.element(self.rules.side())).collect()
    }

    /// Returns the digits of the cells that are not blank.
    pub fn svg_digits(&self, grid: &[u8]) -> impl Iterator<Item = SvgDigit> {
        let filled = grid.iter().enumerate().filter(|&(_, &digit)| digit != 0);
        filled.map(|(cell, &digit)| SvgDigit {
            cell,
            symbol: self.alphabet.symbol(digit, self.case),
            is_given: self.givens[cell] != 0,
        })
    }

    fn candidates(&self, sets: &[u32]) -> String {
        let side = self.rules.side();
        let single = |set: &u32| if set.count_ones() == 1 { set.ilog2() as u8 + 1 } else { 0 };
        let digits: Vec<u8> = sets.iter().map(single).collect();
        let columns = side.isqrt() + usize::from(side.isqrt().pow(2) < side);
        let mark = CELL / columns;
        let mut texts = self.digits(&digits);
        // The style of `text` would override a size that the group has.
        let _ = write!(
            texts,
            "<style>.marks{columns} text{{font-size:{}px}}</style><g class=\"marks{columns}\">",
            mark * 4 / 5
        );
        for (cell, set) in sets.iter().enumerate().filter(|&(cell, _)| digits[cell] == 0) {
            for index in (0..side).filter(|index| set >> index & 1 == 1) {
                let x = cell % side * CELL + index % columns * mark + mark / 2;
                let y = cell / side * CELL + index / columns * mark + mark * 4 / 5;
                let symbol = self.symbol(index as u8 + 1);
                let _ = write!(texts, "<text x=\"{x}\" y=\"{y}\">{symbol}</text>");
            }
        }
        texts + "</g>"
    }

    fn symbol(&self, digit: u8) -> String {
        escape(&self.alphabet.symbol(digit, self.case).to_string())
    }
}

/// The symbol of a cell in an image.
pub struct SvgDigit {
    pub cell: usize,
    pub symbol: char,
    pub is_given: bool,
}

impl SvgDigit {
    pub fn element(&self, side: usize) -> String {
        let [x, y] = [self.cell % side, self.cell / side].map(|index| index * CELL + CELL / 2);
        let y = y + BASELINE;
        let class = if self.is_given { "" } else { " class=\"solved\"" };
        let symbol = escape(&self.symbol.to_string());
        format!("<text x=\"{x}\" y=\"{y}\"{class}>{symbol}</text>")
    }
}

fn title_element(title: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    format!("<title>{}</title>", escape(title))
}

fn diagonals(rules: &Rules) -> String {
    let size = rules.side() * CELL;
    let of_house = |name| match name {
        HouseName::Diagonal(1) => format!("M0 0L{size} {size}"),
        HouseName::Diagonal(_) => format!("M{size} 0L0 {size}"),
        _ => String::new(),
    };
    let houses = rules.extra_houses().iter();
    let lines = houses.map(|house| of_house(house.name));
    path("diagonal", &lines.collect::<String>())
}

fn lines(side: usize) -> String {
    let size = side * CELL;
    let lines = (1..side).map(|n| format!("M{0} 0V{size}M0 {0}H{size}", n * CELL));
    path("line", &lines.collect::<String>())
}

fn region_borders(borders: &Borders<'_>) -> String {
    let side = borders.side;
    let mut lines = String::new();
    for (row, column) in (0..=side).flat_map(|row| (0..=side).map(move |column| (row, column))) {
        let (x, y) = (column * CELL, row * CELL);
        if column < side && borders.above(row, column) == Border::Region {
            let _ = write!(lines, "M{x} {y}h{CELL}");
        }
        if row < side && borders.left_of(row, column) == Border::Region {
            let _ = write!(lines, "M{x} {y}v{CELL}");
        }
    }
    path("border", &lines)
}

fn cages(borders: &Borders<'_>) -> String {
    let side = borders.side;
    let (mut lines, mut sums) = (String::new(), String::new());
    for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
        lines += &cage_lines(&borders.cage_of, [row, column].map(|index| index as isize));
        if let Some(sum) = borders.sum_at(row, column) {
            sums += &corner_text(row * side + column, side, &sum);
        }
    }
    path("cage", &lines) + &sums
}

/// The image of an entry without a grid has only a title.
pub fn draw_title(title: &str, text: &mut Vec<u8>) {
    let title = escape(title);
    let image = format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title></svg>");
    text.extend_from_slice(image.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::symbols::{Alphabet, Case};
    use engine::rules::{Cage, Shape};

    fn image(rules: &Rules, grid: &[u8], title: &str) -> String {
        let mut givens = grid.to_vec();
        givens[0] = 0;
        let writer = GridWriter {
            rules,
            items: &[],
            givens: &givens,
            alphabet: &Alphabet::default(),
            case: Case::Capital,
            color: false,
        };
        let mut text = Vec::new();
        writer.draw_svg(Givens::Digits(grid), title, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn an_image_has_digits_regions_diagonals_and_windows() {
        let shape = Shape::boxes_of(4).unwrap();
        let rules = Rules::new(4, shape, &"diagonal,window".parse().unwrap()).unwrap();
        let image = image(&rules, &[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0], "a<b");
        assert_eq!(image.matches("<text").count(), 15);
        assert!(image.contains("<text x=\"20\" y=\"30\" class=\"solved\">1</text>"));
        assert!(image.contains("<title>a&lt;b</title>"));
        assert!(image.contains("class=\"diagonal\" d=\"M0 0L160 160M160 0L0 160\""));
        // The window of a 4x4 is its four middle cells.
        assert_eq!(image.matches("h40v40h-40z").count(), 4);
        assert!(image.contains("M40 40h40v40h-40z"));
        assert!(!image.contains("class=\"cage\"") && !image.contains('\n'));
    }

    #[test]
    fn the_line_of_a_cage_follows_its_edge_inside() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &"killer".parse().unwrap()).unwrap();
        // Three cells: the corner of the first row and column.
        let cage = Cage::new(4, vec![0, 1, 4], Some(6)).unwrap();
        let image = image(&rules.with_cages(vec![cage]).unwrap(), &[0; 16], "");
        let line = "M4 4H40M4 4V40M40 4H76M36 36H76M76 4V36M4 76H36M4 40V76M36 36V76";
        let mut found: Vec<&str> = image
            .split("class=\"cage\" d=\"M")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .split('M')
            .collect();
        let mut expected: Vec<&str> = line[1..].split('M').collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
        assert!(image.contains("<text x=\"6\" y=\"12\" class=\"sum\">6</text>"));
    }
}
