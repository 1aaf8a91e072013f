//! The role of each lane.

/// What a lane does. `SearchKind` has the fields of each kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Waits for a puzzle or a part of one. The lane is swept too, but the results are ignored.
    Idle,
    /// Searches a puzzle that no other lane has.
    Alone,
    /// Dives from a node of a tree (`tree.rs`).
    Diving,
    /// Counts the solutions of a puzzle or of a part of one (`counting.rs`).
    Counting,
}

/// A mask of lanes for each role. Every lane is in exactly one of them.
#[derive(Debug)]
pub(super) struct Roles([u32; 4]);

impl Roles {
    pub fn all_idle(lane_count: usize) -> Roles {
        Roles([u32::MAX >> (32 - lane_count), 0, 0, 0])
    }

    #[inline(always)]
    pub fn set(&mut self, lanes: u32, role: Role) {
        debug_assert_eq!(lanes & !(self.busy() | self.lanes(Role::Idle)), 0);
        self.0 = self.0.map(|mask| mask & !lanes);
        self.0[role as usize] |= lanes;
    }

    #[inline(always)]
    pub fn lanes(&self, role: Role) -> u32 {
        self.0[role as usize]
    }

    #[inline(always)]
    pub fn busy(&self) -> u32 {
        self.lanes(Role::Alone) | self.lanes(Role::Diving) | self.lanes(Role::Counting)
    }

    #[inline(always)]
    pub fn has(&self, lane: usize, role: Role) -> bool {
        self.lanes(role) >> lane & 1 == 1
    }
}
