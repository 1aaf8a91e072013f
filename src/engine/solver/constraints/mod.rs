//! Deductions that band boards, region boards and killers in lanes use.
//!
//! Three of these deductions are forms of locked candidates: crossings, common peers of houses, and
//! neighbours of houses (`common_peers.rs` explains the last two). Each is needed by some variants.
//! The table shows what a run costs without the deduction, as a multiple of a run with it. The
//! first factor is for instructions (AVX2), the second for branches. The input for variants V is
//! `data/bench/V.txt` where "bench" follows, otherwise `data/V.txt`, `data/many-V.txt` and
//! `data/none-V.txt`.
//!
//! ```text
//!     without crossings                         without common peers of houses           without neighbours of houses
//!     regions               5.2+       4.8+     antiknight (bench)      2.3    3.8       nonconsecutive    4.1    5.6
//!     window, asterisk      5.2        3.0      antiknight, antiking    4.5     28
//!     girandola             2.3        2.0      window, asterisk        1.1    1.8
//!     jigsaw, girandola     1.06       1.16     jigsaw, girandola       1.08   1.20
//!     asterisk              1.02       1.01     asterisk                0.98   1.27
//!     diagonal, disjoint    0.97       1.02     girandola               0.97   1.19
//!     center-dot            0.97       1.13
//!     jigsaw, window        0.95       1.23
//!     jigsaw, diag., window 0.86       1.18     (+: 15 of 40 puzzles reached a limit of 20000 guesses)
//! ```

pub mod common_peers;
pub mod houses;
pub mod singles;
