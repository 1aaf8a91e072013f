//! The techniques, their names and their order of difficulty.

/// A human solving technique. Easier techniques compare as less.
///
/// ```
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
}

use Technique::*;

impl Technique {
    /// Every technique with its name, the easiest first.
    pub const NAMES: [(&'static str, Technique); 27] = [
        ("naked-single", NakedSingle),
        ("hidden-single", HiddenSingle),
        ("cage-combination", CageCombination),
        ("locked-candidates", LockedCandidates),
        ("cage-unit-overlap", CageUnitOverlap),
        ("innies-outies", InniesOuties),
        ("naked-pair", NakedPair),
        ("hidden-pair", HiddenPair),
        ("naked-triple", NakedTriple),
        ("hidden-triple", HiddenTriple),
        ("x-wing", XWing),
        ("swordfish", Swordfish),
        ("xy-wing", XyWing),
        ("naked-quad", NakedQuad),
        ("hidden-quad", HiddenQuad),
        ("jellyfish", Jellyfish),
        ("skyscraper", Skyscraper),
        ("two-string-kite", TwoStringKite),
        ("w-wing", WWing),
        ("xyz-wing", XyzWing),
        ("finned-x-wing", FinnedXWing),
        ("finned-swordfish", FinnedSwordfish),
        ("simple-coloring", SimpleColoring),
        ("x-chain", XChain),
        ("xy-chain", XyChain),
        ("alternating-chain", AlternatingChain),
        ("als-xz", AlsXz),
    ];

    /// Returns the name shown in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        Technique::NAMES[self as usize].0
    }

    /// The last technique in the order of difficulty.
    pub(super) const HARDEST: Technique = Technique::NAMES[Technique::NAMES.len() - 1].1;
}
