//! The vector level of a run: finds out what the machine has, and runs a job at a level.

use std::ops::ControlFlow;

#[cfg(target_arch = "x86_64")]
use super::avx2::{Avx2, Avx2Wide};
#[cfg(target_arch = "x86_64")]
use super::avx512::{Avx512, Avx512Wide};
use super::portable::{Portable, PortableWide};
use super::{Job, Simd};

/// The vector instructions that the solver uses. The results are the same at every level.
///
/// ```
/// use std::sync::Arc;
/// use sudoku_filter::{Level, Method, Rules, Solver, Status};
///
/// let level = Level::named("avx2").unwrap_or_default();
/// let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes).at(level);
/// assert_eq!(solver.solve_one(&[0; 81]).0, Status::Multiple);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Level(LevelToken);

#[derive(Clone, Copy, Debug)]
enum LevelToken {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512<false>),
}

impl Level {
    /// The names of all levels, the best last.
    pub const NAMES: [&'static str; 3] = ["portable", "avx2", "avx512"];

    /// The names of the levels that are compiled for this kind of CPU. A machine may lack some of them.
    pub const COMPILED: &'static [&'static str] = if cfg!(target_arch = "x86_64") {
        &Level::NAMES
    } else {
        &[Level::NAMES[0]]
    };

    /// Returns the best level of this machine.
    #[must_use]
    pub fn best() -> Level {
        let found = Level::NAMES
            .iter()
            .rev()
            .find_map(|name| Level::named(name));
        found.unwrap_or(Level(LevelToken::Portable))
    }

    /// Returns the name of this level.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            LevelToken::Portable => Level::NAMES[0],
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(_) => Level::NAMES[1],
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(_) => Level::NAMES[2],
        }
    }

    /// Returns how many puzzles of side 16 or less are solved at once. Half as many for larger sides.
    #[must_use]
    pub fn lanes(self) -> usize {
        match self.0 {
            LevelToken::Portable => Portable::LANES,
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(_) => Avx2::LANES,
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(_) => Avx512::<false>::LANES,
        }
    }

    /// Runs `job` with vectors that hold the digits of a puzzle of this side.
    pub(crate) fn run(self, side: usize, job: impl AnyLevelJob) -> ControlFlow<()> {
        let wide = side > 16;
        match self.0 {
            LevelToken::Portable if wide => PortableWide.run(job),
            LevelToken::Portable => Portable.run(job),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(level) if wide => level.wide().run(job),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(level) => level.run(job),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(level) if wide => level.wide().run(job),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(level) => level.run(job),
        }
    }

    /// Runs `job` with vectors that count digits.
    pub(crate) fn run_counting(self, job: impl CountingJob) -> ControlFlow<()> {
        match self.0 {
            LevelToken::Portable => Portable.run(job),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(level) => level.run(job),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(level) => match level.counting() {
                Some(level) => level.run(job),
                None => level.run(job),
            },
        }
    }

    /// Runs `job` with the instructions of this level enabled in everything that is inlined into it. The compiler can then use
    /// wider vectors in loops over text.
    #[inline]
    pub(crate) fn dispatch<T>(self, job: impl FnOnce() -> T) -> T {
        match self.0 {
            LevelToken::Portable => job(),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(level) => level.run(NoVectors(job)),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(level) => level.run(NoVectors(job)),
        }
    }

    /// Returns the level with this name, if this machine has it.
    #[must_use]
    pub fn named(name: &str) -> Option<Level> {
        let token = match name {
            "portable" => LevelToken::Portable,
            #[cfg(target_arch = "x86_64")]
            "avx2" => LevelToken::Avx2(Avx2::detect()?),
            #[cfg(target_arch = "x86_64")]
            "avx512" => LevelToken::Avx512(Avx512::detect()?),
            _ => return None,
        };
        Some(Level(token))
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::best()
    }
}

/// Defines a trait for jobs that each of these tokens can run. A job breaks if its caller stopped it.
macro_rules! job_for {
    ($(#[$doc:meta])* $name:ident: $($token:ty),+) => {
        $(#[$doc])*
        pub(crate) trait $name: $(Job<$token, Answer = ControlFlow<()>> +)+ {}
        impl<J: $(Job<$token, Answer = ControlFlow<()>> +)+> $name for J {}
    };
}

#[cfg(target_arch = "x86_64")]
job_for!(
    /// A job for the vectors of any level.
    AnyLevelJob: Portable, PortableWide, Avx2, Avx2Wide, Avx512<false>, Avx512Wide
);
#[cfg(target_arch = "x86_64")]
job_for!(
    /// A job for the vectors of any level that can count digits.
    CountingJob: Portable, Avx2, Avx512<false>, Avx512<true>
);
#[cfg(not(target_arch = "x86_64"))]
job_for!(
    /// A job for the vectors of any level.
    AnyLevelJob: Portable, PortableWide
);
#[cfg(not(target_arch = "x86_64"))]
job_for!(
    /// A job for the vectors of any level that can count digits.
    CountingJob: Portable
);

/// A job that uses no vector operations itself.
#[cfg(target_arch = "x86_64")]
struct NoVectors<F>(F);

#[cfg(target_arch = "x86_64")]
impl<S, T, F: FnOnce() -> T> Job<S> for NoVectors<F> {
    type Answer = T;
    #[inline(always)]
    fn run(self, _: S) -> T {
        (self.0)()
    }
}
