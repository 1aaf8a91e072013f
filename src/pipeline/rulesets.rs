//! Chooses the rules of each puzzle, by its side or by the layout of its line, and keeps what is built from them.

use std::sync::{Arc, OnceLock};

use super::error::{PipelineError, RulesetError};
use super::options::Options;
use crate::canonical::{Canonical, JigsawLayout, RandomSymmetries};
use crate::pencil::Pencil;
use crate::rules::{MAX_SIDE, Rules, Shape, Variant, Variants};
use crate::solver::Solver;
use crate::text::record::ends_field;
use crate::text::size::Sizes;

/// Rules, and what is built from them: the solver, the human techniques and the canonical forms.
#[derive(Debug)]
pub(super) struct Ruleset {
    pub rules: Arc<Rules>,
    /// The solver for these rules.
    pub solver: Solver,
    canonical: OnceLock<Option<Canonical>>,
}

impl Ruleset {
    fn new(rules: Rules, options: &Options) -> Ruleset {
        let rules = Arc::new(rules);
        Ruleset {
            solver: Solver::new(rules.clone(), options.method).at(options.level),
            rules,
            canonical: OnceLock::new(),
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

/// The choice of rules that the options allow.
#[derive(Debug)]
pub(super) struct Rulesets {
    pub sizes: Sizes,
    options: Arc<Options>,
    /// The rules of puzzles of each side, or the reason why there are none. Unused if each line has a layout.
    of_side: [OnceLock<Result<Arc<Ruleset>, RulesetError>>; MAX_SIDE + 1],
    /// The symmetries of puzzles of each side. Layouts of lines move, so puzzles with different layouts share them.
    symmetries: [OnceLock<RandomSymmetries>; MAX_SIDE + 1],
}

impl Rulesets {
    /// Returns the choice of rules.
    ///
    /// # Errors
    /// Returns an error if the layout or the groups of the options are invalid.
    pub fn new(options: &Arc<Options>) -> Result<Rulesets, PipelineError> {
        let rulesets = Rulesets {
            sizes: Sizes {
                boxes: options.boxes,
                any_side: options.variants.contains(Variant::Jigsaw),
            },
            options: Arc::clone(options),
            of_side: [const { OnceLock::new() }; MAX_SIDE + 1],
            symmetries: [const { OnceLock::new() }; MAX_SIDE + 1],
        };
        rulesets.check_layout().map_err(PipelineError::Regions)?;
        rulesets.check_extras().map_err(PipelineError::Extra)?;
        Ok(rulesets)
    }

    /// Returns the rules of puzzles of this side. Not for lines with a layout of their own.
    pub fn of_side(&self, side: usize) -> Result<Arc<Ruleset>, RulesetError> {
        let ruleset = self.of_side[side].get_or_init(|| self.new_ruleset(side, self.shape(side)?));
        ruleset.clone()
    }

    /// Returns new rules of puzzles of this side with the layout of a line.
    pub fn of_layout(&self, side: usize, labels: &[u8]) -> Result<Arc<Ruleset>, RulesetError> {
        self.new_ruleset(side, self.regions(side, labels)?)
    }

    /// Returns the symmetries of puzzles with these rules.
    pub fn symmetries(&self, rules: &Rules) -> &RandomSymmetries {
        let layout = match self.options.lines_have_layouts() {
            true => JigsawLayout::Moves,
            false => JigsawLayout::Stays,
        };
        self.symmetries[rules.side()].get_or_init(|| RandomSymmetries::new(rules, layout))
    }

    fn check_layout(&self) -> Result<(), RulesetError> {
        let Some(labels) = &self.options.regions else {
            return Ok(());
        };
        if let Some(&label) = labels.iter().find(|&&label| ends_field(label)) {
            return Err(RulesetError::NotALabel(label));
        }
        let side = self.sizes.side_of(labels.len(), "region label")?;
        Rules::new(side, self.shape(side)?, &Variants::default())?;
        Ok(())
    }

    fn check_extras(&self) -> Result<(), RulesetError> {
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

    /// Returns the boxes or regions of grids of this side. Not for lines with a layout of their own.
    fn shape(&self, side: usize) -> Result<Shape<'_>, RulesetError> {
        match &self.options.regions {
            Some(labels) if labels.len() != side * side => Err(RulesetError::OtherSide {
                puzzle: side,
                layout: labels.len().isqrt(),
            }),
            Some(labels) => self.regions(side, labels),
            None => self.boxes(side),
        }
    }

    fn boxes(&self, side: usize) -> Result<Shape<'static>, RulesetError> {
        let boxes = self.sizes.shape(side);
        boxes.ok_or(RulesetError::NoBoxes(side))
    }

    /// Returns the shape with the regions of this layout, in place of boxes or in addition to them.
    fn regions<'a>(&self, side: usize, labels: &'a [u8]) -> Result<Shape<'a>, RulesetError> {
        let disconnected = self.options.disconnected;
        Ok(match self.options.variants.contains(Variant::Regions) {
            true => self.boxes(side)?.with_regions(labels, disconnected),
            false => Shape::Regions {
                labels,
                disconnected,
            },
        })
    }

    fn new_ruleset(&self, side: usize, shape: Shape<'_>) -> Result<Arc<Ruleset>, RulesetError> {
        let mut rules = Rules::new(side, shape, &self.options.variants)?;
        for symbols in &self.options.extras {
            rules = rules.with_extra(symbols)?;
        }
        Ok(Arc::new(Ruleset::new(rules, &self.options)))
    }
}
