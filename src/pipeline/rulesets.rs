//! Chooses the rules of each puzzle, by its size and by what its line brings (boxes, diagonals, layout, cages), and keeps what is
//! built from them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::options::Options;
use crate::canonical::{Canonical, JigsawLayout, RandomSymmetries};
use crate::error::InvalidInput;
use crate::pencil::Pencil;
use crate::rules::{Cage, HouseName, MAX_SIDE, Rules, Shape, Variant, Variants, a_puzzle};
use crate::solver::Solver;
use crate::text::notation;
use crate::text::record::ends_field;
use crate::text::size::Sizes;

/// Rules, and what is built from them: the solver, the human techniques and the canonical forms.
#[derive(Debug)]
pub(super) struct Ruleset {
    pub rules: Arc<Rules>,
    pub family: Family,
    /// The solver for these rules.
    pub solver: Solver,
    canonical: OnceLock<Option<Canonical>>,
}

impl Ruleset {
    fn new(family: Family, rules: Rules, options: &Options) -> Ruleset {
        let rules = Arc::new(rules);
        Ruleset {
            solver: Solver::new(rules.clone(), options.method).at(options.level),
            rules,
            family,
            canonical: OnceLock::new(),
        }
    }

    /// Appends the cages as a field that can be read again, with the boxes and diagonals that the line states. Appends nothing
    /// if there is nothing to state.
    pub fn write_cages(&self, bytes: &mut Vec<u8>) {
        let (rules, side) = (&self.rules, self.rules.side());
        let states_rules = self.family.states_rules();
        if rules.cages().is_empty() && !states_rules {
            return;
        }
        let boxes = match (rules.boxes().first(), Shape::boxes_of(side)) {
            (Some(first), _) => {
                let last = usize::from(first.cells[side - 1]);
                [last / side + 1, last % side + 1]
            }
            (None, Some(Shape::Boxes { rows, columns })) => [rows, columns],
            (None, _) => [1, side],
        };
        let mut names = rules.extra_houses().iter().map(|house| house.name);
        let diagonals = names.any(|name| matches!(name, HouseName::Diagonal(_)));
        match states_rules {
            true => notation::write_cage_numbers(rules.cages(), side, boxes, diagonals, bytes),
            false => notation::write_cages(rules.cages(), side, boxes, diagonals, bytes),
        }
    }

    pub fn pencil(&self) -> &Pencil {
        self.solver.pencil()
    }

    /// Returns the canonical forms, or `None` for sides that are too large.
    pub fn canonical(&self) -> Option<&Canonical> {
        let canonical = self.canonical.get_or_init(|| Canonical::new(&self.rules));
        canonical.as_ref()
    }
}

/// The puzzles whose rules differ at most in the layouts and cages of their lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Family {
    pub side: usize,
    /// Rows and columns of a box, if lines state other boxes than the usual ones.
    boxes: Option<[usize; 2]>,
    /// True if lines state that both diagonals are houses, and the options do not.
    diagonals: bool,
}

impl Family {
    /// Returns the puzzles of this side whose lines state neither boxes nor diagonals.
    pub fn of_side(side: usize) -> Family {
        Family {
            side,
            boxes: None,
            diagonals: false,
        }
    }

    /// Returns true if lines state boxes or diagonals that the options do not.
    fn states_rules(self) -> bool {
        self != Family::of_side(self.side)
    }
}

/// The puzzles that have the same symmetries. The layouts and cages of lines move, so they can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SymmetryKey {
    family: Family,
    has_layout: bool,
    has_cages: bool,
}

/// The rules of puzzles, or the reason why there are none.
pub(super) type RulesetResult = Result<Arc<Ruleset>, InvalidInput>;

/// The choice of rules that the options allow.
#[derive(Debug)]
pub(super) struct Rulesets {
    pub sizes: Sizes,
    options: Arc<Options>,
    /// The rules of puzzles of each side whose lines state nothing about their rules.
    of_side: [OnceLock<RulesetResult>; MAX_SIDE + 1],
    /// The rules of other families. A grid has few divisions into boxes, so there are not many.
    of_family: Mutex<HashMap<Family, RulesetResult>>,
    symmetries: Mutex<HashMap<SymmetryKey, Arc<RandomSymmetries>>>,
}

impl Rulesets {
    /// Returns the choice of rules.
    ///
    /// # Errors
    /// Returns an error if the layout or the groups of the options are invalid.
    pub fn new(options: &Arc<Options>) -> Result<Rulesets, InvalidInput> {
        let rulesets = Rulesets {
            sizes: Sizes {
                boxes: options.boxes,
                any_side: options.variants.contains(Variant::Jigsaw),
            },
            options: Arc::clone(options),
            of_side: [const { OnceLock::new() }; MAX_SIDE + 1],
            of_family: Mutex::default(),
            symmetries: Mutex::default(),
        };
        let checked = rulesets.check_layout();
        checked.map_err(|reason| format!("--regions: {reason}"))?;
        let checked = rulesets.check_extras();
        checked.map_err(|reason| format!("--extra: {reason}"))?;
        Ok(rulesets)
    }

    /// Returns the rules of puzzles of this side whose lines state nothing about their rules.
    pub fn of_side(&self, side: usize) -> RulesetResult {
        let family = Family::of_side(side);
        let ruleset =
            self.of_side[side].get_or_init(|| self.new_ruleset(family, self.shape(family)?));
        ruleset.clone()
    }

    /// Returns the family of puzzles of this side whose lines state these boxes and diagonals.
    pub fn family(&self, side: usize, boxes: Option<[usize; 2]>, diagonals: bool) -> Family {
        let are_other = |&[rows, columns]: &[usize; 2]| {
            let usual = self.sizes.shape(side);
            !matches!(usual, Some(Shape::Boxes { rows: r, columns: c }) if (r, c) == (rows, columns))
        };
        Family {
            side,
            boxes: boxes.filter(are_other),
            diagonals: diagonals && !self.options.variants.contains(Variant::Diagonal),
        }
    }

    /// Returns true if regions take the place of boxes, false if they are added to them.
    pub fn regions_replace_boxes(&self) -> bool {
        !self.options.variants.contains(Variant::Regions)
    }

    /// Returns the rules of a family, with boxes or with the layout of the options.
    pub fn of_family(&self, family: Family) -> RulesetResult {
        if family == Family::of_side(family.side) {
            return self.of_side(family.side);
        }
        let mut of_family = self
            .of_family
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let ruleset = of_family
            .entry(family)
            .or_insert_with(|| self.new_ruleset(family, self.shape(family)?));
        ruleset.clone()
    }

    /// Returns new rules of puzzles of this family with the layout of a line.
    pub fn of_layout(&self, family: Family, labels: &[u8]) -> RulesetResult {
        self.new_ruleset(family, self.regions(family, labels)?)
    }

    /// Returns the same rules with the cages of a line.
    pub fn with_cages(&self, ruleset: &Ruleset, cages: Vec<Cage>) -> RulesetResult {
        let rules = ruleset.rules.with_cages(cages)?;
        let ruleset = Ruleset::new(ruleset.family, rules, &self.options);
        Ok(Arc::new(ruleset))
    }

    /// Returns the key of the symmetries of a puzzle with these rules.
    pub fn symmetry_key(&self, ruleset: &Ruleset) -> SymmetryKey {
        SymmetryKey {
            family: ruleset.family,
            has_layout: !ruleset.rules.jigsaw_regions().is_empty(),
            has_cages: !ruleset.rules.cages().is_empty(),
        }
    }

    /// Returns the symmetries of puzzles with this key. `rules` are those of one of them.
    pub fn symmetries(&self, key: SymmetryKey, rules: &Rules) -> Arc<RandomSymmetries> {
        let layout = match self.options.regions {
            None => JigsawLayout::Moves,
            Some(_) => JigsawLayout::Stays,
        };
        let mut symmetries = self
            .symmetries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = symmetries.entry(key);
        Arc::clone(known.or_insert_with(|| Arc::new(RandomSymmetries::new(rules, layout))))
    }

    fn check_layout(&self) -> Result<(), InvalidInput> {
        let Some(labels) = &self.options.regions else {
            return Ok(());
        };
        if let Some(&label) = labels.iter().find(|&&label| ends_field(label)) {
            return Err(format!("'{}' cannot be a region label", label.escape_ascii()).into());
        }
        let side = self.sizes.side_of(labels.len(), "region label")?;
        Rules::new(
            side,
            self.shape(Family::of_side(side))?,
            &Variants::default(),
        )?;
        Ok(())
    }

    fn check_extras(&self) -> Result<(), InvalidInput> {
        for symbols in &self.options.extras {
            let side = self.sizes.side_of(symbols.len(), "symbol")?;
            let boxes = Shape::Boxes {
                rows: 1,
                columns: side,
            };
            Rules::new(side, boxes, &Variants::default())?.with_extra(symbols)?;
        }
        Ok(())
    }

    /// Returns the boxes of a family, or the regions of the options.
    fn shape(&self, family: Family) -> Result<Shape<'_>, InvalidInput> {
        match &self.options.regions {
            Some(labels) if labels.len() != family.side * family.side => {
                let (puzzle, layout) = (a_puzzle(family.side), labels.len().isqrt());
                Err(format!("{puzzle}, but the layout of --regions is {layout}x{layout}").into())
            }
            Some(labels) => self.regions(family, labels),
            None => self.boxes(family),
        }
    }

    fn boxes(&self, family: Family) -> Result<Shape<'static>, InvalidInput> {
        let boxes = match family.boxes {
            Some([rows, columns]) => Some(Shape::Boxes { rows, columns }),
            None => self.sizes.shape(family.side),
        };
        boxes.ok_or_else(|| format!("{} has no boxes", a_puzzle(family.side)).into())
    }

    /// Returns the shape with the regions of this layout, in place of boxes or in addition to them.
    fn regions<'a>(&self, family: Family, labels: &'a [u8]) -> Result<Shape<'a>, InvalidInput> {
        let disconnected = self.options.disconnected;
        Ok(match self.regions_replace_boxes() {
            true => Shape::Regions {
                labels,
                disconnected,
            },
            false => self.boxes(family)?.with_regions(labels, disconnected),
        })
    }

    fn new_ruleset(&self, family: Family, shape: Shape<'_>) -> RulesetResult {
        let options = &self.options;
        let rules = match family.diagonals {
            true => Rules::new(
                family.side,
                shape,
                &options.variants.clone().with(Variant::Diagonal),
            ),
            false => Rules::new(family.side, shape, &options.variants),
        };
        let mut rules = rules?;
        for symbols in &options.extras {
            rules = rules.with_extra(symbols)?;
        }
        Ok(Arc::new(Ruleset::new(family, rules, options)))
    }
}
