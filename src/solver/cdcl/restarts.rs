//! The restart policy.

/// No restart is due until there have been this many conflicts since the last restart.
const MIN_CONFLICTS: u64 = 16;
/// A restart is due when the recent average of glue exceeds the long-term average by this factor.
const HIGHER_GLUE: f64 = 1.15;
/// The number of conflicts that the recent average of glue covers, more or less.
const RECENT_CONFLICTS: f64 = 32.0;
/// The number of conflicts that the long-term average of glue covers, more or less.
const LONG_TERM_CONFLICTS: f64 = 8192.0;

/// The restart policy: moving averages of glue (Biere, Fröhlich: Evaluating CDCL Restart Schemes, 2015).
#[derive(Default)]
pub struct Restarts {
    restarts: u64,
    conflicts: u64,
    /// The number of conflicts since the last restart.
    since_restart: u64,
    /// The recent average of glue.
    recent_glue: f64,
    /// The long-term average of glue.
    glue: f64,
}

impl Restarts {
    /// Counts a conflict whose learnt clause has this glue. Until an average has covered its number of conflicts, it is the mean
    /// of all glues so far.
    pub fn record_conflict(&mut self, glue: u32) {
        self.conflicts += 1;
        self.since_restart += 1;
        let glue = f64::from(glue);
        let number = self.conflicts as f64;
        self.recent_glue += (glue - self.recent_glue) / RECENT_CONFLICTS.min(number);
        self.glue += (glue - self.glue) / LONG_TERM_CONFLICTS.min(number);
    }

    /// Returns whether the search should restart: the last restart is long enough ago, and recent clauses have a higher glue than
    /// the long-term average.
    pub fn is_due(&self) -> bool {
        self.since_restart >= MIN_CONFLICTS && self.recent_glue > self.glue * HIGHER_GLUE
    }

    /// Records a restart. Returns the number of restarts so far.
    pub fn restart(&mut self) -> u64 {
        self.since_restart = 0;
        self.restarts += 1;
        self.restarts
    }
}
