//! The SIMD level of a run: detects the levels that the machine has, and runs jobs at one of them.
//! "Add a case" in tests/README.md lists the places to change for a new level.

#[cfg(target_arch = "aarch64")]
use super::neon::Neon;
#[cfg(not(target_arch = "x86_64"))]
use super::portable::Portable;
use super::{CountingJob, LevelToken, Simd, SimdJob};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512, sse2::Sse2};

/// The vector instructions that the solver uses. Unless time is limited, the results are the same
/// at every level.
///
/// ```
/// use std::sync::Arc;
/// use sudoku_filter_engine::solver::Level;
/// use sudoku_filter_engine::{Method, Rules, Solver, Status};
///
/// let level = Level::named("avx2").unwrap_or_default();
/// let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes).at(level);
/// assert_eq!(solver.solve_one(&[0; 81]).unwrap().0, Status::Multiple);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Level(Token);

/// Defines `Token`, `with_token`, `Level::COMPILED` and `Level::named` from the levels for one kind
/// of CPU, the best one last.
macro_rules! levels {
    ($($level:ident),+) => {
        #[derive(Clone, Copy, Debug)]
        enum Token {
            $($level($level)),+
        }

        /// Evaluates `$value` with `$name` bound to the token of a level.
        macro_rules! with_token {
            ($token:expr, $name:ident => $value:expr) => {
                match $token {
                    $(Token::$level($name) => $value),+
                }
            };
        }

        impl Level {
            /// The names of the levels that are compiled for this kind of CPU, the best last. A
            /// machine may lack some of them.
            pub const COMPILED: &'static [&'static str] = &[$($level::NAME),+];

            /// Returns the level with this name, if this machine has it.
            #[must_use]
            pub fn named(name: &str) -> Option<Level> {
                $(if name == $level::NAME {
                    return $level::detect().map(|token| Level(Token::$level(token)));
                })+
                None
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
levels!(Sse2, Avx2, Avx512);
#[cfg(target_arch = "aarch64")]
levels!(Portable, Neon);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
levels!(Portable);

impl Level {
    /// The names of all levels. Of two levels for the same kind of CPU, the better one comes later.
    pub const NAMES: [&'static str; 4] = ["portable", "neon", "avx2", "avx512"];

    /// Returns the best level of this machine.
    #[must_use]
    pub fn best() -> Level {
        let names = Level::COMPILED.iter().rev();
        let best = names.copied().find_map(Level::named);
        best.expect("every machine has the portable level")
    }

    /// Returns the name of this level.
    #[must_use]
    pub fn name(self) -> &'static str {
        fn name<T: LevelToken>(_: T) -> &'static str {
            T::NAME
        }
        with_token!(self.0, token => name(token))
    }

    /// Returns the number of lanes for puzzles of side 16 or less; larger puzzles have half as
    /// many. Each lane holds a puzzle or a node of its search, but killers are solved one at a
    /// time.
    #[must_use]
    pub fn lanes(self) -> usize {
        fn lanes<T: LevelToken>(_: T) -> usize {
            T::LANES
        }
        with_token!(self.0, token => lanes(token))
    }

    /// Vectors hold the digits of a puzzle of this side.
    pub(crate) fn run<J: SimdJob>(self, side: usize, job: J) -> J::Answer {
        if side > 16 {
            with_token!(self.0, token => token.wide().run(#[inline(always)] |s| job.run(s)))
        } else {
            with_token!(self.0, token => token.run(#[inline(always)] |s| job.run(s)))
        }
    }

    pub(crate) fn run_counting<J: CountingJob>(self, job: J) -> J::Answer {
        with_token!(self.0, token => token.run(#[inline(always)] |s| job.run(s)))
    }

    /// The compiler can use the instructions of this level in all that is inlined into `job`.
    #[inline]
    pub fn dispatch<T>(self, job: impl FnOnce() -> T) -> T {
        with_token!(self.0, token => token.run(#[inline(always)] |_| job()))
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::best()
    }
}

#[cfg(test)]
impl Level {
    /// Reports a skipped test for the other levels.
    pub fn found() -> impl Iterator<Item = Level> {
        Level::COMPILED.iter().filter_map(|name| {
            let level = Level::named(name);
            if level.is_none() {
                crate::skip::skip_for_machine(&format!("this machine has no {name}"));
            }
            level
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_compiled_level_has_a_name_that_users_can_choose() {
        assert!(Level::COMPILED.iter().all(|name| Level::NAMES.contains(name)));
    }
}
