//! Cages and the rule of 45, written plainly: all choices of candidates are listed.

use super::reference::{Found, Grid, Reference};

/// The most blank cells of an equation.
const MAX_CELLS: usize = 4;

/// Houses without a common cell: their name and their cells.
type Union = (String, Vec<usize>);

/// Blank cells, each with the sign that its digit has in the sum.
struct Equation {
    union: String,
    cells: Vec<(usize, i32)>,
    sum: i32,
}

impl Reference {
    fn unions(&self) -> Vec<Union> {
        let mut unions = self.houses.clone();
        for size in 2..=4.min(self.side - 1) {
            for (name, first) in [("rows", 0), ("columns", self.side)] {
                for start in 0..=self.side - size {
                    let houses = &self.houses[first + start..][..size];
                    let cells = houses.iter().flat_map(|(_, cells)| cells.clone());
                    let name = format!("{name} {}-{}", start + 1, start + size);
                    unions.push((name, cells.collect()));
                }
            }
            if size == 2 {
                unions.extend(self.adjacent_regions());
            }
        }
        unions
    }

    fn adjacent_regions(&self) -> Vec<Union> {
        let mut unions = Vec::new();
        for (index, (first, a)) in self.houses.iter().enumerate() {
            for (second, b) in &self.houses[index + 1..] {
                for (one, many) in [("box ", "boxes"), ("region ", "regions")] {
                    if let Some(first) = first.strip_prefix(one)
                        && let Some(second) = second.strip_prefix(one)
                        && a.iter().any(|&a| b.iter().any(|&b| self.are_adjacent(a, b)))
                    {
                        let cells = [&a[..], b].concat();
                        unions.push((format!("{many} {first} {second}"), cells));
                    }
                }
            }
        }
        unions
    }

    fn are_adjacent(&self, a: usize, b: usize) -> bool {
        let rows = (a / self.side).abs_diff(b / self.side);
        rows + (a % self.side).abs_diff(b % self.side) == 1
    }
}

impl Grid<'_> {
    pub fn has_wrong_sum(&self) -> bool {
        self.reference.cages.iter().any(|(_, cells, sum)| {
            let digit = |&cell: &usize| self.sets[cell].trailing_zeros() as i32 + 1;
            cells.iter().all(|&cell| self.sets[cell].count_ones() == 1)
                && cells.iter().map(digit).sum::<i32>() != *sum
        })
    }

    pub fn cage_combination(&self) -> Found {
        self.reference.cages.iter().find_map(|(name, cells, sum)| {
            let signed: Vec<(usize, i32)> = cells.iter().map(|&cell| (cell, 1)).collect();
            let choices = self.choices(&signed, *sum);
            let is_removed = |cell, digit| {
                let position = cells.iter().position(|&other| other == cell).unwrap();
                choices.iter().all(|choice| choice[position] != digit)
            };
            let removed = self.candidates(cells, is_removed);
            let text = format!("cage-combination {name} {sum}");
            (!removed.is_empty()).then(|| self.remove(text, removed))?
        })
    }

    pub fn cage_unit_overlap(&self) -> Found {
        for (name, cells, sum) in &self.reference.cages {
            let signed: Vec<(usize, i32)> = cells.iter().map(|&cell| (cell, 1)).collect();
            let choices = self.choices(&signed, *sum);
            for digit in self.all_digits() {
                if !choices.iter().all(|choice| choice.contains(&digit)) {
                    continue;
                }
                let holders = self.places(cells, digit);
                let sees_all = |cell| holders.iter().all(|&holder| self.sees(cell, holder));
                let removed = self.removable(digit, sees_all);
                if !removed.is_empty() {
                    return self.remove(format!("cage-unit-overlap {name} {sum}"), removed);
                }
            }
        }
        None
    }

    pub fn innies_outies(&self) -> Found {
        if self.reference.cages.is_empty() {
            return None;
        }
        let unions = self.reference.unions();
        let equations = unions.iter().flat_map(|union| self.equations(union));
        let mut equations: Vec<Equation> =
            equations.filter(|equation| (1..=MAX_CELLS).contains(&equation.cells.len())).collect();
        equations.sort_by_key(|equation| equation.cells.len());
        equations.iter().find_map(|equation| {
            let choices = self.choices(&equation.cells, equation.sum);
            let mut cells: Vec<usize> = equation.cells.iter().map(|&(cell, _)| cell).collect();
            let is_removed = |cell, digit| {
                let position = equation.cells.iter().position(|&(other, _)| other == cell);
                let position = position.unwrap();
                choices.iter().all(|choice| choice[position] != digit)
            };
            cells.sort_unstable();
            let removed = self.candidates(&cells, is_removed);
            (!removed.is_empty()).then(|| self.remove(self.text_of(equation), removed))?
        })
    }

    fn text_of(&self, equation: &Equation) -> String {
        let cells = |wanted: i32| -> Vec<usize> {
            let cells = equation.cells.iter();
            let cells = cells.filter(|&&(_, sign)| sign == wanted);
            let mut cells: Vec<usize> = cells.map(|&(cell, _)| cell).collect();
            cells.sort_unstable();
            cells
        };
        let (union, sum) = (&equation.union, equation.sum);
        let [innies, outies] = [cells(1), cells(-1)].map(|cells| self.places_text(cells));
        match (&innies[..], &outies[..]) {
            (_, "") => format!("innies-outies {union} innies {innies} {sum}"),
            ("", _) => format!("innies-outies {union} outies {outies} {sum}"),
            _ => format!("innies-outies {union} innies {innies} outies {outies} {sum}"),
        }
    }

    /// Returns the equations of a union: of innies, of outies, and of the fewer cells of each cage.
    fn equations(&self, (union, cells): &Union) -> Vec<Equation> {
        let in_cage = |cell: &usize| {
            let mut cages = self.reference.cages.iter();
            cages.any(|(_, of_cage, _)| of_cage.contains(cell))
        };
        let uncaged: Vec<usize> = cells.iter().copied().filter(|cell| !in_cage(cell)).collect();
        let mut equations = Vec::new();
        for kind in ["innies", "outies", "fewer"] {
            if kind == "outies" && !self.blanks(&uncaged).is_empty() {
                continue;
            }
            let mut signed: Vec<(usize, i32)> = uncaged.iter().map(|&cell| (cell, 1)).collect();
            let mut sum = (cells.len() * (self.reference.side + 1) / 2) as i32;
            for (_, of_cage, sum_of_cage) in &self.reference.cages {
                let (inside, outside): (Vec<usize>, Vec<usize>) =
                    of_cage.iter().partition(|cell| cells.contains(cell));
                let takes_outside = match kind {
                    "innies" => false,
                    "outies" => true,
                    _ => self.blanks(&outside).len() < self.blanks(&inside).len(),
                };
                if !inside.is_empty() && (outside.is_empty() || takes_outside) {
                    sum -= sum_of_cage;
                    signed.extend(outside.iter().map(|&cell| (cell, -1)));
                } else {
                    signed.extend(inside.iter().map(|&cell| (cell, 1)));
                }
            }
            equations.push(self.equation_of_blanks(union, &signed, sum));
        }
        equations
    }

    /// Moves the digits of filled cells to the sum.
    fn equation_of_blanks(&self, union: &str, cells: &[(usize, i32)], sum: i32) -> Equation {
        let digits = cells.iter();
        let filled = digits.map(|&(cell, sign)| sign * i32::from(self.digits[cell]));
        let blanks = cells.iter().filter(|(cell, _)| self.digits[*cell] == 0);
        Equation {
            union: union.to_string(),
            cells: blanks.copied().collect(),
            sum: sum - filled.sum::<i32>(),
        }
    }

    /// Returns all choices of a candidate for each cell that differ where cells see each other and
    /// have this sum.
    fn choices(&self, cells: &[(usize, i32)], sum: i32) -> Vec<Vec<u8>> {
        let mut choices: Vec<Vec<u8>> = vec![Vec::new()];
        for (index, &(cell, _)) in cells.iter().enumerate() {
            let extended = choices.iter().flat_map(|choice| {
                let fits = move |&digit: &u8| {
                    let mut earlier = cells[..index].iter().zip(choice);
                    self.has(cell, digit)
                        && !earlier
                            .any(|(&(other, _), &held)| held == digit && self.sees(other, cell))
                };
                let digits = self.all_digits().filter(fits);
                digits.map(move |digit| [&choice[..], &[digit]].concat())
            });
            choices = extended.collect();
        }
        choices.retain(|choice| {
            let digits = choice.iter().zip(cells);
            digits.map(|(&digit, &(_, sign))| sign * i32::from(digit)).sum::<i32>() == sum
        });
        choices
    }
}
