//! Draws the rules that a puzzle states, each in its usual look: a table from the name of a rule to
//! its shape. What has no shape is named below the grid, so that no rule is left out in silence.
//!
//! Each shape is a group whose title names the rule. Rules that differ from others in the colour of
//! their line only are named below the grid too, in that colour.

use std::collections::HashSet;
use std::fmt::Write;

use super::drawing::write::Borders;
use super::svg_elements::{CELL, cage_lines, corner_text, escape, path};
use crate::text::notation::diagonal_from;
use crate::text::record_rules::RuleItem;

/// The style of the shapes, beside that of `svg.rs`.
pub(super) const STYLE: &str = "<style>\
.route,.ring,.mark{fill:none;stroke-linecap:round;stroke-linejoin:round}\
.ring{fill:#fff}\
.mark{stroke:#000;stroke-width:1.5}\
.white,.black{stroke:#000;fill:#fff}\
.black{fill:#000}\
.disc{fill:#fff}\
.symbol{font-size:12px}\
.clue{font-size:8px}\
.outside{font-size:11px}\
.note{font-size:11px;text-anchor:start}\
</style>";

/// The space around the grid if there are clues outside.
const MARGIN: usize = 26;
/// The height of a line of notes, and about the width of a character.
const NOTE: [usize; 2] = [15, 6];
/// The radius of a bulb or circle in a cell.
const RADIUS: f64 = 14.0;

/// The look of a rule.
#[derive(Clone, Copy)]
enum Shape {
    /// A thick line from a bulb.
    Thermometer,
    /// A line with a head, from a circle.
    Arrow,
    /// The same; the number of cells of the pill comes before the cells.
    PillArrow,
    Line(Line),
    Dot(&'static str),
    /// A letter between two cells.
    Letter,
    /// Between two cells, open to the greater one.
    Inequality,
    /// A circle with digits, in the middle of the 2x2 square that begins at the cell.
    Quadruple,
    /// The same, if the cells are such a square.
    Contained,
    /// A sum outside of the grid; the first cell names the diagonal.
    LittleKiller,
    /// The same, if the cells are a diagonal.
    Sum,
    Cage,
    /// The grid shows it without its being stated.
    OfGrid,
}

#[derive(Clone, Copy)]
struct Line {
    color: &'static str,
    width: usize,
    ends: Ends,
    /// A number before the cells that is not shown.
    usual: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    None,
    Circles,
    Diamonds,
}

const fn line(color: &'static str) -> Shape {
    Shape::Line(Line { color, width: 8, ends: Ends::None, usual: "" })
}

const fn line_with_number(color: &'static str, usual: &'static str) -> Shape {
    Shape::Line(Line { color, width: 8, ends: Ends::None, usual })
}

const fn line_between(color: &'static str, ends: Ends, usual: &'static str) -> Shape {
    Shape::Line(Line { color, width: 2, ends, usual })
}

/// By the names of constraint strings. All others are named below the grid.
const SHAPES: &[(&str, Shape)] = &[
    ("Thermo", Shape::Thermometer),
    ("Arrow", Shape::Arrow),
    ("PillArrow", Shape::PillArrow),
    ("DoubleArrow", line_between("#777", Ends::Circles, "")),
    ("Between", line_between("#a60", Ends::Circles, "")),
    ("Lockout", line_between("#06c", Ends::Diamonds, "4")),
    ("Whisper", line_with_number("#4a4", "5")),
    ("Modular", line_with_number("#099", "3")),
    ("Renban", line("#c5c")),
    ("Palindrome", line("#999")),
    ("Entropic", line("#e80")),
    ("RegionSumLine", line("#49e")),
    ("Zipper", line("#96d")),
    ("WhiteDot", Shape::Dot("white")),
    ("BlackDot", Shape::Dot("black")),
    ("X", Shape::Letter),
    ("V", Shape::Letter),
    ("GreaterThan", Shape::Inequality),
    ("Quad", Shape::Quadruple),
    ("ContainAtLeast", Shape::Contained),
    ("LittleKiller", Shape::LittleKiller),
    ("Sum", Shape::Sum),
    ("Cage", Shape::Cage),
    ("AllDifferent", Shape::Cage),
    ("Diagonal", Shape::OfGrid),
    ("Windoku", Shape::OfGrid),
];

fn shape_of(item: &RuleItem) -> Option<Shape> {
    SHAPES.iter().find(|(name, _)| *name == item.name).map(|(_, shape)| *shape)
}

/// Returns the cells of each line and cage, in ascending order: if they differ, it shows this.
pub(super) fn cells_of_shapes(items: &[RuleItem]) -> HashSet<Vec<u16>> {
    let has_cells = |item: &&RuleItem| matches!(shape_of(item), Some(Shape::Line(_) | Shape::Cage));
    let sorted = |item: &RuleItem| {
        let mut cells = item.cells();
        cells.sort_unstable();
        cells
    };
    items.iter().filter(has_cells).map(sorted).collect()
}

/// The shapes of the rules of a puzzle.
pub(super) struct RuleShapes {
    /// Shapes below the lines of the grid, and above.
    pub below: String,
    pub above: String,
    /// The space that clues outside take on each side of the grid.
    pub margin: usize,
    /// The lines of text below the grid.
    notes: usize,
}

impl RuleShapes {
    pub fn of(items: &[RuleItem], borders: &Borders<'_>) -> RuleShapes {
        let side = borders.side;
        let has_corner = |cell| borders.sum_at(cell / side, cell % side).is_some();
        let mut canvas = Canvas {
            side,
            below: String::new(),
            above: String::new(),
            margin: 0,
            notes: Vec::new(),
            known_notes: HashSet::new(),
            has_corner: (0..side * side).map(has_corner).collect(),
        };
        let has_layout = !borders.rules.jigsaw_regions().is_empty();
        for item in items {
            match shape_of(item) {
                None if has_layout && ["Jigsaw", "NoBoxes"].contains(&item.name) => {}
                None => canvas.state(item),
                Some(shape) => canvas.add(item, shape),
            }
        }
        canvas.finish()
    }

    pub fn height_of_notes(&self) -> usize {
        self.notes * NOTE[0]
    }
}

type Point = [f64; 2];

struct Canvas {
    side: usize,
    below: String,
    above: String,
    margin: usize,
    /// Each with its colour.
    notes: Vec<(String, Option<&'static str>)>,
    known_notes: HashSet<String>,
    /// True for cells with a text in the corner.
    has_corner: Vec<bool>,
}

impl Canvas {
    fn add(&mut self, item: &RuleItem, shape: Shape) {
        let cells = item.cells();
        let digits = || item.texts().flat_map(|text| text.split('_')).collect::<Vec<&str>>();
        match shape {
            Shape::Thermometer => self.thermometer(item, &cells),
            Shape::Arrow => self.arrow(item, &cells, 1),
            Shape::PillArrow => {
                let size = item.texts().next().and_then(|size| size.parse().ok());
                self.arrow(item, &cells, size.unwrap_or(1));
            }
            Shape::Line(line) => self.line(item, &cells, &line),
            Shape::Dot(color) => self.on_edges(item, &cells, |a, b| {
                let [x, y] = between(a, b);
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" class=\"{color}\"/>")
            }),
            Shape::Letter => self.on_edges(item, &cells, |a, b| {
                let [x, y] = between(a, b);
                let disc = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" class=\"disc\"/>");
                disc + &text("symbol", [x, y + 4.0], item.name)
            }),
            Shape::Inequality => self.on_edges(item, &cells, chevron),
            Shape::Quadruple => self.quadruple(item, cells[0].into(), &digits()),
            Shape::Contained => match square(&cells, self.side) {
                Some(corner) => self.quadruple(item, corner, &digits()),
                None => self.state(item),
            },
            Shape::LittleKiller => {
                let direction = diagonal_from(cells[0], self.side).expect("it was decoded");
                self.clue_outside(item, cells[0].into(), direction.map(f64::from));
            }
            Shape::Sum => match diagonal(&cells, self.side) {
                Some(direction) if !digits().contains(&"=") => {
                    self.clue_outside(item, cells[0].into(), direction);
                }
                _ => self.state(item),
            },
            Shape::Cage => self.cage(item, &cells),
            Shape::OfGrid => {}
        }
    }

    fn thermometer(&mut self, item: &RuleItem, cells: &[u16]) {
        let points = self.points(cells);
        let [x, y] = points[0];
        let line = route(&points, "#ccc", 10);
        let bulb = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"#ccc\"/>");
        self.below += &group(item, &(line + &bulb));
    }

    /// The first cells, as many as `size`, are the circle.
    fn arrow(&mut self, item: &RuleItem, cells: &[u16], size: usize) {
        let mut points = self.points(cells);
        let shaft = points.split_off(size.min(points.len()));
        let mut shapes = pill(&points, "#777");
        let start = points[points.len() - 1];
        let [Some(&first), Some(&last)] = [shaft.first(), shaft.last()] else {
            return self.below += &group(item, &shapes);
        };
        let from = moved(start, unit(start, first), RADIUS);
        let whole: Vec<Point> = [from].into_iter().chain(shaft).collect();
        // The head has the direction of the last part of some length.
        let before = whole.iter().rev().find(|&&point| point != last).copied().unwrap_or(from);
        shapes += &(route(&whole, "#777", 2) + &head(last, unit(before, last), "#777"));
        self.below += &group(item, &shapes);
    }

    fn line(&mut self, item: &RuleItem, cells: &[u16], line: &Line) {
        let Line { color, width, ends, usual } = *line;
        let points = self.points(cells);
        let mut shapes = route(&points, color, width);
        if ends != Ends::None {
            shapes +=
                &[points[0], points[points.len() - 1]].map(|it| end(it, ends, color)).concat();
        }
        let number = item.texts().find(|&number| number != usual);
        if let Some(corner) = number.and_then(|_| self.take_corner(cells)) {
            shapes += &corner_text(corner, self.side, number.unwrap_or_default());
        }
        let name = [item.shown].into_iter().chain(number).collect::<Vec<&str>>().join(" ");
        self.note(name, Some(color));
        self.below += &group(item, &shapes);
    }

    /// Draws a shape between each two cells that share an edge.
    fn on_edges(&mut self, item: &RuleItem, cells: &[u16], shape: impl Fn(Point, Point) -> String) {
        let points = self.points(cells);
        let mut shapes = String::new();
        for (index, &a) in points.iter().enumerate() {
            let later = points[index + 1..].iter().filter(|&&b| touch(a, b));
            shapes.extend(later.map(|&b| shape(a, b)));
        }
        self.above += &group(item, &shapes);
    }

    fn quadruple(&mut self, item: &RuleItem, corner: usize, digits: &[&str]) {
        let [x, y] = self.point(corner).map(|middle| middle + CELL as f64 / 2.0);
        let mut shapes = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"10\" class=\"white\"/>");
        let rows: Vec<String> = digits.chunks(2).map(|row| row.join(" ")).collect();
        for (row, digits) in rows.iter().enumerate() {
            let y = y + 3.0 + 8.0 * (row as f64 - (rows.len() - 1) as f64 / 2.0);
            shapes += &text("clue", [x, y], digits);
        }
        self.above += &group(item, &shapes);
    }

    /// A text outside of the grid, and an arrow in this direction to the corner of the cell.
    fn clue_outside(&mut self, item: &RuleItem, cell: usize, direction: Point) {
        self.margin = MARGIN;
        let corner = moved(self.point(cell), direction, CELL as f64 / -2.0);
        let [x, y] = moved(corner, direction, -15.0);
        let clue = text("outside", [x, y + 4.0], &item.texts().collect::<Vec<&str>>().join(" "));
        let [from, to] = [-8.0, -2.0].map(|distance| moved(corner, direction, distance));
        let arrow = format!("M{} {}L{} {}", from[0], from[1], to[0], to[1]);
        let [x, y] = direction.map(|step| step * 4.0);
        let head = format!("M{} {}h{}M{0} {1}v{}", to[0], to[1], -x, -y);
        self.above += &group(item, &(clue + &path("mark", &(arrow + &head))));
    }

    /// A cage that shares cells with others, or has more than N cells.
    fn cage(&mut self, item: &RuleItem, cells: &[u16]) {
        let mut cages = vec![None; self.side * self.side];
        cells.iter().for_each(|&cell| cages[usize::from(cell)] = Some(0));
        let place = |&cell: &u16| [usize::from(cell) / self.side, usize::from(cell) % self.side];
        let places = cells.iter().map(|cell| place(cell).map(|index| index as isize));
        let lines: String = places.map(|place| cage_lines(&cages, place)).collect();
        let mut shapes = path("cage", &lines);
        let sum = item.texts().find(|&sum| sum != "0");
        let corner = sum.and_then(|_| self.take_corner(cells));
        if let (Some(sum), Some(corner)) = (sum, corner) {
            shapes += &corner_text(corner, self.side, sum);
        }
        if sum.is_some() && corner.is_none() || !are_connected(&self.points(cells)) {
            self.state(item);
        }
        self.above += &group(item, &shapes);
    }

    /// Returns the first of the cells that has no text in its corner yet.
    fn take_corner(&mut self, cells: &[u16]) -> Option<usize> {
        let mut sorted: Vec<usize> = cells.iter().map(|&cell| cell.into()).collect();
        sorted.sort_unstable();
        let corner = sorted.into_iter().find(|&cell| !self.has_corner[cell])?;
        self.has_corner[corner] = true;
        Some(corner)
    }

    fn state(&mut self, item: &RuleItem) {
        self.note(item.in_words(self.side), None);
    }

    /// A note that is there already is not repeated.
    fn note(&mut self, note: String, color: Option<&'static str>) {
        if self.known_notes.insert(note.clone()) {
            self.notes.push((note, color));
        }
    }

    fn finish(mut self) -> RuleShapes {
        let width = (self.side * CELL / NOTE[1]).max(1);
        let mut number = 0;
        for (note, color) in &self.notes {
            for line in wrapped(note, width) {
                number += 1;
                let y = self.side * CELL + self.margin + number * NOTE[0];
                let fill = color.map(|color| format!(" fill=\"{color}\"")).unwrap_or_default();
                let line = escape(&line);
                let _ = write!(
                    self.above,
                    "<text x=\"0\" y=\"{y}\" class=\"note\"{fill}>{line}</text>"
                );
            }
        }
        RuleShapes { below: self.below, above: self.above, margin: self.margin, notes: number }
    }

    fn points(&self, cells: &[u16]) -> Vec<Point> {
        cells.iter().map(|&cell| self.point(cell.into())).collect()
    }

    /// The middle of a cell.
    fn point(&self, cell: usize) -> Point {
        [cell % self.side, cell / self.side].map(|index| (index * CELL + CELL / 2) as f64)
    }
}

fn group(item: &RuleItem, shapes: &str) -> String {
    format!("<g><title>{}</title>{shapes}</g>", item.shown)
}

/// A line through these points; a point alone is a dot.
fn route(points: &[Point], color: &str, width: usize) -> String {
    let alone = points.first().filter(|_| points.len() == 1);
    let mut data = String::new();
    for (index, [x, y]) in points.iter().chain(alone).enumerate() {
        let _ = write!(data, "{}{x} {y}", if index == 0 { 'M' } else { 'L' });
    }
    format!("<path class=\"route\" stroke=\"{color}\" stroke-width=\"{width}\" d=\"{data}\"/>")
}

/// A circle, or a pill around several points.
fn pill(points: &[Point], color: &str) -> String {
    let width = 2 * RADIUS as usize;
    match points {
        [[x, y]] => {
            format!(
                "<circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" stroke=\"{color}\" stroke-width=\"2\"/>"
            )
        }
        _ => route(points, color, width + 2) + &route(points, "#fff", width - 2),
    }
}

fn end([x, y]: Point, ends: Ends, color: &str) -> String {
    match ends {
        Ends::None => String::new(),
        Ends::Circles => pill(&[[x, y]], color),
        Ends::Diamonds => format!(
            "<path class=\"ring\" d=\"M{x} {}l16 16l-16 16l-16 -16z\" stroke=\"{color}\" stroke-width=\"2\"/>",
            y - 16.0
        ),
    }
}

fn head(tip: Point, direction: Point, color: &str) -> String {
    let [x, y] = direction;
    // The sine and the cosine of 37 degrees.
    let (sin, cos) = (0.6, 0.8);
    let side = |sin: f64| moved(tip, [x * cos - y * sin, x * sin + y * cos], -9.0);
    route(&[side(sin), tip, side(-sin)], color, 2)
}

/// Opens to the first point, which is that of the greater digit.
fn chevron(a: Point, b: Point) -> String {
    let middle = between(a, b);
    let [x, y] = unit(a, b);
    let [tip, back] = [3.0, -3.0].map(|distance| moved(middle, [x, y], distance));
    let [one, other] = [5.0, -5.0].map(|distance| moved(back, [y, x], distance));
    let data = format!("M{} {}L{} {}L{} {}", one[0], one[1], tip[0], tip[1], other[0], other[1]);
    path("mark", &data)
}

fn text(class: &str, [x, y]: Point, text: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>", escape(text))
}

/// True if these are the middles of cells that share an edge.
fn touch(a: Point, b: Point) -> bool {
    (a[0] - b[0]).abs() + (a[1] - b[1]).abs() == CELL as f64
}

fn are_connected(cells: &[Point]) -> bool {
    let (mut reached, mut others) = (Vec::new(), cells.to_vec());
    reached.extend(others.pop());
    let mut index = 0;
    while index < reached.len() {
        let (near, far) = others.into_iter().partition(|&cell| touch(reached[index], cell));
        let near: Vec<Point> = near;
        reached.extend(near);
        others = far;
        index += 1;
    }
    others.is_empty()
}

fn between(a: Point, b: Point) -> Point {
    [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]
}

/// Rounded to a tenth.
fn moved(point: Point, direction: Point, distance: f64) -> Point {
    [0, 1].map(|axis| ((point[axis] + direction[axis] * distance) * 10.0).round() / 10.0)
}

/// The direction from a point to another, as a vector of length 1; of length 0 if they are the same.
fn unit(from: Point, to: Point) -> Point {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let length = (x * x + y * y).sqrt().max(1.0);
    [x / length, y / length]
}

/// Returns the first cell of a 2x2 square.
fn square(cells: &[u16], side: usize) -> Option<usize> {
    let mut sorted: Vec<usize> = cells.iter().map(|&cell| cell.into()).collect();
    sorted.sort_unstable();
    let first = *sorted.first()?;
    let is_square =
        first % side + 1 < side && sorted == [first, first + 1, first + side, first + side + 1];
    is_square.then_some(first)
}

/// Returns the direction of cells that are a diagonal from an edge of the grid to another.
fn diagonal(cells: &[u16], side: usize) -> Option<Point> {
    let side = side as i32;
    let places: Vec<[i32; 2]> =
        cells.iter().map(|&cell| [i32::from(cell) % side, i32::from(cell) / side]).collect();
    let [first, second, ..] = places[..] else {
        return None;
    };
    let last = places[places.len() - 1];
    let step = [second[0] - first[0], second[1] - first[1]];
    let is_outside = |place: [i32; 2]| place.iter().any(|index| !(0..side).contains(index));
    let is_diagonal = step.iter().all(|part| part.abs() == 1)
        && places.windows(2).all(|two| [two[1][0] - two[0][0], two[1][1] - two[0][1]] == step)
        && is_outside([first[0] - step[0], first[1] - step[1]])
        && is_outside([last[0] + step[0], last[1] + step[1]]);
    is_diagonal.then(|| step.map(f64::from))
}

/// Returns the lines of a text, of at most `width` characters each.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let symbols: Vec<char> = word.chars().collect();
        for part in symbols.chunks(width) {
            let line = lines.last_mut().expect("there is a line");
            let is_first = line.is_empty();
            if !is_first && line.chars().count() + 1 + part.len() > width {
                lines.push(part.iter().collect());
            } else {
                line.extend((!is_first).then_some(' '));
                line.extend(part);
            }
        }
    }
    lines
}
