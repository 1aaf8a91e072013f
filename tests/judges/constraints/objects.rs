//! Rules in the keys of an object: the constraint string of its puzzle has the solutions of the
//! object, and the strings that `--shuffle` writes have their images.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::shuffled::correspond;
use super::{Answer, Base, Random, answers, full, name_of, output_for, read_answers};
use crate::generator::layouts::layout;
use crate::run::run_with;

const MAX_SOLUTIONS: usize = 600;
const IMAGES: usize = 5;

const LINES: [&str; 11] = [
    "thermometer",
    "palindrome",
    "renban",
    "betweenline",
    "regionsumline",
    "doublearrow",
    "whispers",
    "modularline",
    "lockout",
    "arrow",
    "entropicline",
];
const PAIRS: [&str; 4] = ["difference", "ratio", "xv", "clone"];
const CELLS: [&str; 6] = ["odd", "even", "minimum", "maximum", "extraregion", "killercage"];
const OTHERS: [&str; 9] = [
    "littlekillersum",
    "quadruple",
    "antiknight",
    "antiking",
    "nonconsecutive",
    "disjointgroups",
    "diagonal+",
    "diagonal-",
    "negative",
];

/// An object of f-puzzles, most of whose rules a grid obeys or nearly obeys.
struct Object<'r> {
    side: usize,
    grid: Vec<u8>,
    members: serde_json::Map<String, Json>,
    random: &'r mut Random,
}

impl Object<'_> {
    fn name(&self, cell: usize) -> String {
        name_of([cell / self.side + 1, cell % self.side + 1])
    }

    /// Different cells, each beside the one before it.
    fn path(&mut self, length: usize) -> Vec<usize> {
        let side = self.side as i32;
        loop {
            let mut path = vec![self.random.below(self.side * self.side)];
            for _ in 0..4 * length {
                let last = path[path.len() - 1] as i32;
                let [right, down] = [0, 0].map(|_| self.random.below(3) as i32 - 1);
                let (row, column) = (last / side + down, last % side + right);
                let cell = (row * side + column) as usize;
                let is_inside = (0..side).contains(&row) && (0..side).contains(&column);
                if is_inside && !path.contains(&cell) && path.len() < length {
                    path.push(cell);
                }
            }
            if path.len() == length {
                return path;
            }
        }
    }

    fn neighbours(&mut self) -> Vec<usize> {
        loop {
            let path = self.path(2);
            let [row, column] = [self.side, 1].map(|step| path[0].abs_diff(path[1]) == step);
            if row || column && path[0] / self.side == path[1] / self.side {
                return path;
            }
        }
    }

    fn add(&mut self, key: &str) {
        // Between two ends alone, a line states nothing.
        let has_ends = matches!(key, "betweenline" | "doublearrow");
        let length = 2 + usize::from(has_ends) + self.random.below(2);
        let mut path = match key {
            key if PAIRS.contains(&key) => self.neighbours(),
            _ => self.path(length),
        };
        if key == "thermometer" {
            path.sort_by_key(|&cell| self.grid[cell]);
            path.dedup_by_key(|cell| self.grid[*cell]);
        }
        let sum: u32 = path.iter().map(|&cell| u32::from(self.grid[cell])).sum();
        let cells: Vec<String> = path.iter().map(|&cell| self.name(cell)).collect();
        // Digits of the cells can be equal; those of a cage are not.
        let length = cells.len() as u32;
        let least = length * (length + 1) / 2;
        let cage = sum.clamp(least, least + length * (self.side as u32 - length));
        let item = match key {
            "whispers" => json!({"lines": [cells], "value": "1"}),
            "modularline" => json!({"lines": [cells], "value": "2"}),
            "lockout" => json!({"lines": [cells], "value": 2}),
            "arrow" => json!({"cells": [cells[0]], "lines": [cells]}),
            key if LINES.contains(&key) => json!({"lines": [cells]}),
            "xv" => json!({"cells": cells, "value": "V"}),
            "clone" => json!({"cells": [cells[0]], "cloneCells": [self.name(self.side + 2)]}),
            "killercage" => json!({"cells": cells, "value": cage.to_string()}),
            "littlekillersum" => json!({"cells": cells, "value": sum}),
            "quadruple" => json!({"cells": cells, "values": [self.grid[path[0]]]}),
            "odd" | "even" | "minimum" | "maximum" => json!({"cell": cells[0]}),
            key if PAIRS.contains(&key) || CELLS.contains(&key) => json!({"cells": cells}),
            "negative" => return drop(self.members.insert(key.into(), json!(["xv"]))),
            _ => return drop(self.members.insert(key.into(), Json::Bool(true))),
        };
        self.members.insert(key.into(), json!([item]));
    }

    /// With givens, pencilmarks and, if there are labels, regions.
    fn add_board(&mut self, givens: usize, labels: Option<&[u8]>) {
        let cells = self.side * self.side;
        let mut board = vec![json!({}); cells];
        for (cell, label) in labels.unwrap_or_default().iter().enumerate() {
            board[cell]["region"] = json!(label - b'A');
        }
        for _ in 0..givens {
            let cell = self.random.below(cells);
            let digit = self.grid[cell];
            match self.random.below(5) {
                0 => board[cell]["givenPencilMarks"] = json!([digit % 4 + 1, digit]),
                _ => board[cell]["value"] = json!(digit),
            }
        }
        let rows: Vec<&[Json]> = board.chunks(self.side).collect();
        self.members.insert("grid".into(), json!(rows));
        self.members.insert("size".into(), json!(self.side));
    }
}

fn object(side: usize, random: &mut Random) -> String {
    let base = Base::random(side, random);
    let labels = (random.below(3) == 0).then(|| layout(side, "jigsaw", random));
    let members = serde_json::Map::new();
    let mut object = Object { side, grid: base.grid, members, random };
    let all: Vec<&str> = LINES.iter().chain(&PAIRS).chain(&CELLS).chain(&OTHERS).copied().collect();
    for _ in 0..1 + object.random.below(3) {
        let key = *object.random.pick(&all);
        // Disjoint groups are made of boxes, thirds of the digits of a 9x9.
        if !(key == "disjointgroups" && labels.is_some() || key == "entropicline" && side == 4) {
            object.add(key);
        }
    }
    let givens = if side == 4 { object.random.below(5) } else { 14 };
    object.add_board(givens, labels.as_deref());
    Json::from(object.members).to_string()
}

/// Returns the objects whose equivalents are constraint strings: a puzzle with a layout and cages
/// alone has fields for them, also if it has rules that say nothing, as a line with two ends does.
fn written_as_strings(objects: Vec<String>) -> Vec<bool> {
    let options = "--json --output lines --shuffle --random 7";
    let (output, _, status) = run_with(options, objects.join("\n").as_bytes());
    assert_eq!(status, Some(0));
    output.lines().map(|line| line.starts_with(".Shape")).collect()
}

fn solutions_of_objects(objects: &[String]) -> Vec<Answer> {
    let options = format!(
        "--json --output lines --max-guesses 1000000 --all={} -o line,solution,status",
        MAX_SOLUTIONS + 1
    );
    read_answers(&output_for(objects, &options), objects)
}

#[test]
fn strings_of_objects_have_their_solutions_and_those_of_their_equivalents_the_images() {
    let cases = full::cases(150, 2000);
    let mut numbers = BTreeSet::new();
    for side in [4, 6] {
        let random = &mut Random::of(&format!("objects {side}"));
        let objects: Vec<String> = (0..cases).map(|_| object(side, random)).collect();
        let all = format!("--max-guesses 1000000 --all={}", MAX_SOLUTIONS + 1);
        let found = solutions_of_objects(&objects);
        let is_string = |line: &str| line.starts_with('.') && line.contains("Shape");
        let written = output_for(&objects, "--json --output lines -o puzzle");
        let strings = written.lines().enumerate().filter(|(_, line)| is_string(line));
        let (indices, strings): (Vec<usize>, Vec<String>) =
            strings.map(|(index, line)| (index, line.to_string())).unzip();
        assert!(strings.len() * 10 > cases * 9, "{written}");
        for (index, answer) in indices.iter().zip(answers(&strings, &all)) {
            let object = &objects[*index];
            assert_eq!(answer.solutions, found[*index].solutions, "{object}");
        }
        let small = indices.iter().filter(|index| found[**index].lines <= MAX_SOLUTIONS);
        let small: Vec<usize> = small.copied().collect();
        let are_strings = written_as_strings(small.iter().map(|&it| objects[it].clone()).collect());
        assert_eq!(are_strings.len(), small.len());
        let small: Vec<usize> =
            small.into_iter().zip(are_strings).filter(|it| it.1).map(|it| it.0).collect();
        assert!(small.len() * 3 > cases, "{} of {cases}", small.len());
        let lines: Vec<String> = small.iter().map(|&index| objects[index].clone()).collect();
        let options = format!("--json --output lines --shuffle={IMAGES} --random 7");
        let images = output_for(&lines, &options);
        let images: Vec<String> = images.lines().map(str::to_string).collect();
        assert_eq!(images.len(), lines.len() * IMAGES);
        for (at, answer) in answers(&images, &all).iter().enumerate() {
            let original = &found[small[at / IMAGES]].solutions;
            let (object, image) = (&lines[at / IMAGES], &images[at]);
            assert!(correspond(original, &answer.solutions, side), "{object}\n{image}");
            numbers.insert(original.len());
        }
    }
    assert!(numbers.len() > 20, "{numbers:?}");
}
