//! Chooses the rules of each puzzle from the options, its size and what its line states (boxes,
//! diagonals, layout, cages). Stores rules that several puzzles share, with the solvers and
//! canonical forms that are built from them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::options::Options;
use crate::text::notation::{self, DescribedPuzzle};
use crate::text::record::{FieldSet, ends_field};
use crate::text::record_rules::RecordRules;
use crate::text::size::Sizes;
use engine::canonical::{Canonical, JigsawLayout, RandomSymmetries, Relabelling};
use engine::error::InvalidInput;
use engine::pencil::{Pencil, TechniqueSet};
use engine::rules::{Cage, HouseName, Rules, Shape, StatedRules, Variant, Variants, a_puzzle};
use engine::solver::Solver;

/// Rules, and what is built from them.
#[derive(Debug)]
pub(super) struct Ruleset {
    pub rules: Arc<Rules>,
    pub rules_key: RulesKey,
    pub solver: Solver,
    /// `None` for all techniques.
    techniques: Option<TechniqueSet>,
    /// Unused unless `--techniques` limits the techniques, because `solver` has all of them.
    pencil: OnceLock<Pencil>,
    canonical: OnceLock<Option<Canonical>>,
}

impl Ruleset {
    fn new(rules_key: RulesKey, rules: Rules, options: &Options) -> Ruleset {
        let rules = Arc::new(rules);
        Ruleset {
            solver: Solver::new(rules.clone(), options.method).at(options.level),
            rules,
            rules_key,
            techniques: options.techniques,
            pencil: OnceLock::new(),
            canonical: OnceLock::new(),
        }
    }

    /// The field can be read again. If the line states boxes or diagonals, it is cage numbers,
    /// because only these state them too. Otherwise it is arrows if they can express the cages.
    pub fn write_cages(&self, cages: &[Cage]) -> Vec<u8> {
        let (rules, side) = (&self.rules, self.rules.side());
        let states_rules = self.rules_key.states_rules();
        if cages.is_empty() && !states_rules {
            return Vec::new();
        }
        let mut names = rules.extra_houses().iter().map(|house| house.name);
        let diagonals = names.any(|name| matches!(name, HouseName::Diagonal(_)));
        let write = if states_rules { notation::write_cage_numbers } else { notation::write_cages };
        write(cages, side, self.box_size(), diagonals)
    }

    /// Cage numbers must state the size of a box.
    fn box_size(&self) -> [usize; 2] {
        let side = self.rules.side();
        // The first box begins at cell 0, so the place of its last cell shows its size.
        if let Some(first_box) = self.rules.boxes().first() {
            let last_cell = usize::from(first_box.cells[side - 1]);
            return [last_cell / side + 1, last_cell % side + 1];
        }
        // Regions replace the boxes, so readers ignore the size, and any valid one will do.
        let usual = Shape::boxes_of(side).and_then(|shape| shape.boxes);
        usual.unwrap_or([1, side])
    }

    pub fn pencil(&self) -> &Pencil {
        let limited = |techniques| Pencil::new(&self.rules).with_techniques(techniques);
        match self.techniques {
            None => self.solver.pencil(),
            Some(techniques) => self.pencil.get_or_init(|| limited(techniques)),
        }
    }

    pub fn states_rules(&self) -> bool {
        self.rules_key.states_rules()
    }

    /// Returns the variants that fields of the record add to those of the options.
    pub fn added_variants(&self) -> &[Variant] {
        self.rules_key.added()
    }

    pub fn has_added_groups(&self) -> bool {
        !self.rules_key.extras().is_empty()
    }

    pub fn canonical(&self) -> Option<&Canonical> {
        let canonical = self.canonical.get_or_init(|| Canonical::new(&self.rules));
        canonical.as_ref()
    }
}

/// The side of a puzzle, and the boxes and diagonals that its line states if they differ from those
/// of the options. Puzzles with equal keys share a [`Ruleset`] if their rules do not include a
/// layout or cages of their lines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RulesKey {
    pub side: usize,
    /// Rows and columns of a box, if lines state other boxes than those of [`Sizes::shape`].
    boxes: Option<[usize; 2]>,
    /// True if lines state that both diagonals are houses, and the options do not.
    diagonals: bool,
    /// The rules that other fields of the record add to those of the options.
    added: Option<Arc<AddedRules>>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct AddedRules {
    variants: Vec<Variant>,
    /// As those of [`Options::extras`].
    extras: Vec<Vec<u8>>,
}

impl RulesKey {
    pub fn of_side(side: usize) -> RulesKey {
        RulesKey { side, boxes: None, diagonals: false, added: None }
    }

    fn states_rules(&self) -> bool {
        self.boxes.is_some() || self.diagonals
    }

    pub fn states_diagonals(&self) -> bool {
        self.diagonals
    }

    fn added(&self) -> &[Variant] {
        self.added.as_deref().map_or(&[], |added| &added.variants)
    }

    fn extras(&self) -> &[Vec<u8>] {
        self.added.as_deref().map_or(&[], |added| &added.extras)
    }
}

pub(super) type RulesetResult = Result<Arc<Ruleset>, InvalidInput>;

/// The rules of all puzzles under the same options, made when they are first needed. All workers
/// share them. Rules with the layout or the cages of a line are made here, but not stored here.
#[derive(Debug)]
pub(super) struct Rulesets {
    pub sizes: Sizes,
    options: Arc<Options>,
    /// The keys that have been used stay: a grid has few divisions into boxes.
    of_key: Mutex<HashMap<RulesKey, RulesetResult>>,
    /// The layout and the cages of a line move with its cells. So the symmetries depend only on the
    /// key of the rules, and on whether there are jigsaw regions and cages.
    symmetries: Mutex<HashMap<(RulesKey, bool, bool), Arc<RandomSymmetries>>>,
}

impl Rulesets {
    pub fn new(options: &Arc<Options>) -> Result<Rulesets, InvalidInput> {
        let rulesets = Rulesets {
            sizes: Sizes {
                boxes: options.boxes,
                any_side: options.variants.contains(Variant::Jigsaw),
            },
            options: Arc::clone(options),
            of_key: Mutex::default(),
            symmetries: Mutex::default(),
        };
        let checked = rulesets.check_layout();
        checked.map_err(|reason| format!("--regions: {reason}"))?;
        let checked = rulesets.check_extras();
        checked.map_err(|reason| format!("--extra: {reason}"))?;
        Ok(rulesets)
    }

    /// Leaves out the boxes and diagonals that the options imply anyway.
    pub fn key(&self, side: usize, boxes: Option<[usize; 2]>, diagonals: bool) -> RulesKey {
        let usual = self.sizes.shape(side).and_then(|shape| shape.boxes);
        RulesKey {
            side,
            boxes: boxes.filter(|&boxes| Some(boxes) != usual),
            diagonals: diagonals && !self.options.variants.contains(Variant::Diagonal),
            added: None,
        }
    }

    /// Adds the variants and groups of other fields to `rules_key`, except those that the options
    /// have anyway.
    pub fn key_with(
        &self,
        rules_key: RulesKey,
        stated: &RecordRules,
    ) -> Result<RulesKey, InvalidInput> {
        let is_new = |variant: &Variant| {
            stated.variants.contains(*variant) && !self.options.variants.contains(*variant)
        };
        let variants = Variant::NAMES.map(|(_, variant)| variant).into_iter().filter(is_new);
        let variants: Vec<Variant> = variants.collect();
        let extras = stated.extras(rules_key.side)?;
        let adds_rules = !variants.is_empty() || !extras.is_empty();
        let added = adds_rules.then(|| Arc::new(AddedRules { variants, extras }));
        Ok(RulesKey { added, ..rules_key })
    }

    /// Returns the rows and columns of a box of a puzzle without a layout.
    pub fn boxes_of(&self, rules_key: &RulesKey) -> Option<[usize; 2]> {
        rules_key.boxes.or_else(|| self.sizes.shape(rules_key.side)?.boxes)
    }

    /// Returns the fields of rules that a record can have beside this puzzle. A layout must not
    /// replace regions or boxes that the puzzle states.
    pub fn fields_beside(&self, described: &DescribedPuzzle) -> FieldSet {
        let is_divided = described.regions.is_some()
            || (described.boxes.is_some() && self.regions_replace_boxes());
        FieldSet::of_rules(!is_divided, described.cages.is_none())
    }

    /// Regions that do not replace boxes are added to them.
    pub fn regions_replace_boxes(&self) -> bool {
        !self.options.variants.contains(Variant::Regions)
    }

    pub fn of_key(&self, rules_key: &RulesKey) -> RulesetResult {
        let new = || self.new_ruleset(rules_key, self.shape_of_key(rules_key)?);
        // Groups differ from record to record: stored, they would fill the memory.
        if !rules_key.extras().is_empty() {
            return new();
        }
        let mut of_key = self.of_key.lock().unwrap_or_else(PoisonError::into_inner);
        let ruleset = of_key.entry(rules_key.clone());
        ruleset.or_insert_with(new).clone()
    }

    pub fn of_layout(&self, rules_key: &RulesKey, labels: &[u8]) -> RulesetResult {
        self.new_ruleset(rules_key, self.regions(rules_key, labels)?)
    }

    /// The cages replace any that `ruleset` has.
    pub fn with_cages(
        &self,
        ruleset: &Ruleset,
        cages: Vec<Cage>,
        stated: Option<Box<StatedRules>>,
    ) -> RulesetResult {
        let mut rules = ruleset.rules.with_cages(cages)?;
        if let Some(stated) = stated {
            rules = rules.with_stated(*stated)?;
        }
        let ruleset = Ruleset::new(ruleset.rules_key.clone(), rules, &self.options);
        Ok(Arc::new(ruleset))
    }

    pub fn symmetries(&self, ruleset: &Ruleset) -> Arc<RandomSymmetries> {
        let rules = &ruleset.rules;
        let (regions, cages) = (rules.jigsaw_regions(), rules.cages());
        let new = || Arc::new(RandomSymmetries::new(rules, self.layout_of_lines()));
        if ruleset.has_added_groups() {
            return new();
        }
        let key = (ruleset.rules_key.clone(), regions.is_empty(), cages.is_empty());
        let symmetries = self.symmetries.lock();
        let mut symmetries = symmetries.unwrap_or_else(PoisonError::into_inner);
        let known = symmetries.entry(key);
        Arc::clone(known.or_insert_with(new))
    }

    /// Returns the rotations and reflections that keep the rules of a ruleset but for those that
    /// move with the cells: the cages, groups and layout (`labels`, empty if there is none) of a
    /// constraint string. `relabelling` is what its rules allow.
    pub fn turns(
        &self,
        ruleset: &Ruleset,
        labels: &[u8],
        relabelling: Relabelling,
    ) -> Result<RandomSymmetries, InvalidInput> {
        let fixed = RulesKey { added: None, ..ruleset.rules_key.clone() };
        let fixed = match labels {
            [] => self.of_key(&fixed)?,
            labels => self.of_layout(&fixed, labels)?,
        };
        Ok(RandomSymmetries::of_turns(&fixed.rules, self.layout_of_lines(), relabelling))
    }

    fn layout_of_lines(&self) -> JigsawLayout {
        match self.options.regions {
            None => JigsawLayout::Moves,
            Some(_) => JigsawLayout::Stays,
        }
    }

    /// An error about the layout and the variants together is reported line by line.
    fn check_layout(&self) -> Result<(), InvalidInput> {
        let Some(labels) = &self.options.regions else {
            return Ok(());
        };
        if let Some(&label) = labels.iter().find(|&&label| ends_field(label)) {
            return Err(format!("'{}' cannot be a region label", label.escape_ascii()).into());
        }
        let side = self.sizes.side_of(labels.len(), "region label")?;
        Rules::new(side, self.shape_of_key(&RulesKey::of_side(side))?, &Variants::default())?;
        Ok(())
    }

    /// Rows serve as boxes, because every side has them. Groups do not depend on boxes.
    fn check_extras(&self) -> Result<(), InvalidInput> {
        for symbols in &self.options.extras {
            let side = self.sizes.side_of(symbols.len(), "symbol")?;
            let boxes = Shape::boxes(1, side);
            Rules::new(side, boxes, &Variants::default())?.with_extra(symbols)?;
        }
        Ok(())
    }

    fn shape_of_key(&self, rules_key: &RulesKey) -> Result<Shape<'_>, InvalidInput> {
        match &self.options.regions {
            Some(labels) if labels.len() != rules_key.side * rules_key.side => {
                let (puzzle, layout) = (a_puzzle(rules_key.side), labels.len().isqrt());
                Err(format!("{puzzle}, but the layout of --regions is {layout}x{layout}").into())
            }
            Some(labels) => self.regions(rules_key, labels),
            None => self.boxes(rules_key),
        }
    }

    fn boxes(&self, rules_key: &RulesKey) -> Result<Shape<'static>, InvalidInput> {
        let boxes = match rules_key.boxes {
            Some([rows, columns]) => Some(Shape::boxes(rows, columns)),
            None => self.sizes.shape(rules_key.side),
        };
        boxes.ok_or_else(|| format!("{} has no boxes", a_puzzle(rules_key.side)).into())
    }

    fn regions<'a>(
        &self,
        rules_key: &RulesKey,
        labels: &'a [u8],
    ) -> Result<Shape<'a>, InvalidInput> {
        let disconnected = self.options.disconnected;
        if !self.regions_replace_boxes() {
            return Ok(self.boxes(rules_key)?.with_regions(labels, disconnected));
        }
        Ok(Shape::regions(labels, disconnected))
    }

    fn new_ruleset(&self, rules_key: &RulesKey, shape: Shape<'_>) -> RulesetResult {
        let options = &self.options;
        let mut variants = options.variants.clone();
        if rules_key.diagonals {
            variants = variants.with(Variant::Diagonal);
        }
        for &variant in rules_key.added() {
            variants = variants.with(variant);
        }
        let mut rules = Rules::new(rules_key.side, shape, &variants)?;
        for symbols in options.extras.iter().chain(rules_key.extras()) {
            rules = rules.with_extra(symbols)?;
        }
        Ok(Arc::new(Ruleset::new(rules_key.clone(), rules, options)))
    }
}
