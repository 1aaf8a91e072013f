//! The techniques, their names and their order of difficulty.

use std::str::FromStr;

use crate::error::InvalidInput;

/// A solving technique. Easier techniques of [`Technique::NAMES`], which a person uses, compare as
/// less. The others are those of [`Technique::of_scale`] alone.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::Technique;
///
/// assert_eq!(Technique::XWing.name(), "x-wing");
/// assert!(Technique::HiddenSingle < Technique::XWing);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Technique {
    NakedSingle,
    HiddenSingle,
    CageCombination,
    LockedCandidates,
    CageUnitOverlap,
    InniesOuties,
    NakedPair,
    HiddenPair,
    NakedTriple,
    HiddenTriple,
    XWing,
    Swordfish,
    XyWing,
    NakedQuad,
    HiddenQuad,
    Jellyfish,
    Skyscraper,
    TwoStringKite,
    WWing,
    XyzWing,
    FinnedXWing,
    FinnedSwordfish,
    SimpleColoring,
    XChain,
    XyChain,
    AlternatingChain,
    AlsXz,
    // The following techniques are those of `Difficulty` alone, in the order of its scale.
    FullHouse,
    DirectPointing,
    DirectClaiming,
    DirectHiddenPair,
    DirectHiddenTriple,
    Pointing,
    Claiming,
    UniqueRectangle,
    UniqueLoop,
    BivalueUniversalGrave,
    AlignedPairExclusion,
    XCycle,
    YCycle,
    ForcingXChain,
    Cycle,
    ForcingChain,
    AlignedTripletExclusion,
    NishioForcingChains,
    MultipleForcingChains,
    DynamicForcingChains,
    DynamicChainsWithPatterns,
    DynamicChainsWithChains,
    DynamicChainsWithMultiple,
    DynamicChainsWithDynamic,
}

use Technique::*;

/// Every technique with its name and its least level on the scale of Sudoku Explainer, in tenths.
/// The order is that of [`Technique`], in which the levels do not always ascend. Techniques that the
/// scale lacks have the level of the chains that remove the same candidates; techniques of cages
/// have the level of locked candidates.
const TABLE: [(&str, Technique, u32); 51] = [
    ("naked-single", NakedSingle, 23),
    ("hidden-single", HiddenSingle, 15),
    ("cage-combination", CageCombination, 28),
    ("locked-candidates", LockedCandidates, 28),
    ("cage-unit-overlap", CageUnitOverlap, 28),
    ("innies-outies", InniesOuties, 28),
    ("naked-pair", NakedPair, 30),
    ("hidden-pair", HiddenPair, 34),
    ("naked-triple", NakedTriple, 36),
    ("hidden-triple", HiddenTriple, 40),
    ("x-wing", XWing, 32),
    ("swordfish", Swordfish, 38),
    ("xy-wing", XyWing, 42),
    ("naked-quad", NakedQuad, 50),
    ("hidden-quad", HiddenQuad, 54),
    ("jellyfish", Jellyfish, 52),
    ("skyscraper", Skyscraper, 66),
    ("two-string-kite", TwoStringKite, 66),
    ("w-wing", WWing, 70),
    ("xyz-wing", XyzWing, 44),
    ("finned-x-wing", FinnedXWing, 66),
    ("finned-swordfish", FinnedSwordfish, 66),
    ("simple-coloring", SimpleColoring, 66),
    ("x-chain", XChain, 66),
    ("xy-chain", XyChain, 70),
    ("alternating-chain", AlternatingChain, 70),
    ("als-xz", AlsXz, 70),
    ("full-house", FullHouse, 10),
    ("direct-pointing", DirectPointing, 17),
    ("direct-claiming", DirectClaiming, 19),
    ("direct-hidden-pair", DirectHiddenPair, 20),
    ("direct-hidden-triple", DirectHiddenTriple, 25),
    ("pointing", Pointing, 26),
    ("claiming", Claiming, 28),
    ("unique-rectangle", UniqueRectangle, 45),
    ("unique-loop", UniqueLoop, 46),
    ("bivalue-universal-grave", BivalueUniversalGrave, 56),
    ("aligned-pair-exclusion", AlignedPairExclusion, 62),
    ("x-cycle", XCycle, 65),
    ("y-cycle", YCycle, 65),
    ("forcing-x-chain", ForcingXChain, 66),
    ("cycle", Cycle, 70),
    ("forcing-chain", ForcingChain, 70),
    ("aligned-triplet-exclusion", AlignedTripletExclusion, 75),
    ("nishio-forcing-chains", NishioForcingChains, 75),
    ("multiple-forcing-chains", MultipleForcingChains, 80),
    ("dynamic-forcing-chains", DynamicForcingChains, 85),
    ("dynamic-chains-with-patterns", DynamicChainsWithPatterns, 90),
    ("dynamic-chains-with-chains", DynamicChainsWithChains, 95),
    ("dynamic-chains-with-multiple", DynamicChainsWithMultiple, 100),
    ("dynamic-chains-with-dynamic", DynamicChainsWithDynamic, 105),
];

/// The techniques that a person uses are the first ones of the table.
const OF_PERSON: usize = 27;

/// The steps of the scale that a path can have are the last ones of the table. Those between are
/// techniques of a rating alone, because a person finds their patterns by others.
const FIRST_STEP_OF_SCALE: usize = UniqueRectangle as usize;

/// The techniques of a person that are on the scale of `Difficulty` too.
const SHARED: [Technique; 13] = [
    NakedSingle,
    HiddenSingle,
    NakedPair,
    HiddenPair,
    NakedTriple,
    HiddenTriple,
    XWing,
    Swordfish,
    XyWing,
    NakedQuad,
    HiddenQuad,
    Jellyfish,
    XyzWing,
];

impl Technique {
    /// Every technique of a person with its name, the easiest first.
    pub const NAMES: [(&'static str, Technique); OF_PERSON] = {
        let mut names = [("", NakedSingle); OF_PERSON];
        let mut index = 0;
        while index < OF_PERSON {
            names[index] = (TABLE[index].0, TABLE[index].1);
            index += 1;
        }
        names
    };

    /// Returns every technique: those of a person, the easiest first, then those of the scale alone.
    #[doc(hidden)]
    pub fn all() -> impl DoubleEndedIterator<Item = Technique> {
        TABLE.iter().map(|&(_, technique, _)| technique)
    }

    /// Returns every technique that a path can have, with its name: those of a person, the easiest
    /// first, then those that only [`Pencil`](super::Pencil) with a scale uses.
    #[doc(hidden)]
    pub fn of_paths() -> impl Iterator<Item = (&'static str, Technique)> {
        let in_paths = [&TABLE[..OF_PERSON], &TABLE[FIRST_STEP_OF_SCALE..]].into_iter().flatten();
        in_paths.map(|&(name, technique, _)| (name, technique))
    }

    /// Returns the techniques on the scale of [`Difficulty`](crate::Difficulty), in the order of
    /// their levels.
    pub fn of_scale() -> impl Iterator<Item = Technique> {
        let of_scale_alone = TABLE[OF_PERSON..].iter().map(|&(_, technique, _)| technique);
        let mut techniques: Vec<Technique> = SHARED.into_iter().chain(of_scale_alone).collect();
        techniques.sort_by_key(|technique| technique.scale_level());
        techniques.into_iter()
    }

    /// Returns the name shown in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        TABLE[self as usize].0
    }

    /// True for those that follow in a path where the techniques of a person end.
    pub(super) fn is_step_of_scale(self) -> bool {
        self as usize >= FIRST_STEP_OF_SCALE
    }

    fn scale_level(self) -> u32 {
        TABLE[self as usize].2
    }
}

/// The techniques that may be used.
///
/// ```
/// use sudoku_filter_engine::Technique;
/// use sudoku_filter_engine::pencil::TechniqueSet;
///
/// let set: TechniqueSet = "naked-single,x-wing".parse()?;
/// assert!(set.contains(Technique::XWing) && !set.contains(Technique::HiddenSingle));
/// let set: TechniqueSet = "4.4".parse()?;
/// assert!(set.contains(Technique::XyzWing) && !set.contains(Technique::XChain));
/// # Ok::<(), sudoku_filter_engine::InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TechniqueSet(u64);

impl Default for TechniqueSet {
    /// Returns the set of all techniques.
    fn default() -> TechniqueSet {
        TechniqueSet((1 << TABLE.len()) - 1)
    }
}

impl TechniqueSet {
    /// Returns true if the technique is in the set.
    #[must_use]
    pub fn contains(self, technique: Technique) -> bool {
        self.0 >> technique as u32 & 1 != 0
    }

    /// Returns the techniques of the set that follow in a path where those of a person end.
    pub(super) fn steps_of_scale(self) -> TechniqueSet {
        TechniqueSet(self.0 >> FIRST_STEP_OF_SCALE << FIRST_STEP_OF_SCALE)
    }

    pub(super) fn has_steps_of_scale(self) -> bool {
        self.steps_of_scale() != TechniqueSet(0)
    }

    pub(super) fn has_singles(self) -> bool {
        self.contains(NakedSingle) && self.contains(HiddenSingle)
    }
}

impl FromStr for TechniqueSet {
    type Err = InvalidInput;

    /// Parses a comma-separated list. An item is the name of a technique, or a level of the scale
    /// of Sudoku Explainer, such as `4.4`, for all techniques of at most this level. Chains have the
    /// level of the shortest ones.
    fn from_str(list: &str) -> Result<TechniqueSet, InvalidInput> {
        let mut set = TechniqueSet(0);
        for item in list.split(',') {
            // `parse` accepts signs, exponents and `inf` too.
            let is_number = item.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let level = item.parse::<f64>().ok().filter(|_| is_number);
            let is_meant = |&(name, technique): &(&str, Technique)| match level {
                // Adds half a tenth, so that an equal level counts in spite of rounding.
                Some(level) => f64::from(technique.scale_level()) < level * 10.0 + 0.5,
                None => name == item,
            };
            let mut meant = Technique::of_paths().filter(is_meant).peekable();
            if meant.peek().is_none() {
                let kind = if level.is_some() { "level of a technique" } else { "technique" };
                let names = Technique::NAMES.map(|(name, _)| name).join(", ");
                return Err(format!(
                    "'{item}' is not a {kind}; the techniques are {names}, and those of the scale"
                )
                .into());
            }
            set.0 |= meant.map(|(_, technique)| 1 << technique as u32).sum::<u64>();
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_stands_for_the_techniques_up_to_it() {
        for (level, last, next) in [
            ("3.9", Swordfish, NakedQuad),
            ("4.2", XyWing, XyzWing),
            ("7.4", ForcingChain, NishioForcingChains),
        ] {
            let set: TechniqueSet = level.parse().unwrap();
            assert!(set.contains(last) && !set.contains(next), "{level}");
        }
    }
}
