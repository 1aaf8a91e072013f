//! The restart policy.

/// The least number of conflicts between two restarts.
const RESTART: u64 = 16;
/// A restart is due when the recent average of glue exceeds the long-term average by this factor.
const HIGHER_GLUE: f64 = 1.15;
/// About how many conflicts each average of glue covers.
const RECENT: f64 = 32.0;
const LONG_TERM: f64 = 8192.0;

/// The restart policy: moving averages of glue (Biere, Fröhlich: Evaluating CDCL Restart Schemes, 2015).
#[derive(Default)]
pub struct Restarts {
    restarts: u64,
    conflicts: u64,
    since_restart: u64,
    recent_glue: f64,
    glue: f64,
}

impl Restarts {
    pub fn record_conflict(&mut self, glue: u32) {
        self.conflicts += 1;
        self.since_restart += 1;
        let glue = f64::from(glue);
        let number = self.conflicts as f64;
        self.recent_glue += (glue - self.recent_glue) / RECENT.min(number);
        self.glue += (glue - self.glue) / LONG_TERM.min(number);
    }

    pub fn is_due(&self) -> bool {
        self.since_restart >= RESTART && self.recent_glue > self.glue * HIGHER_GLUE
    }

    /// Records a restart. Returns the number of restarts so far.
    pub fn restart(&mut self) -> u64 {
        self.since_restart = 0;
        self.restarts += 1;
        self.restarts
    }
}
