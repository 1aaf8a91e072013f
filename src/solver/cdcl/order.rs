//! The order in which variables are chosen for decisions, by activity, as in MiniSat.

/// Each conflict divides the step by this. The step grows, so older conflicts count less.
const DECAY: f64 = 0.95;

/// A heap of variables. The variable with the highest activity comes first. Recent conflicts add more activity than earlier ones.
pub struct Order {
    /// A binary heap: the children of index i are at 2 * i + 1 and 2 * i + 2.
    heap: Vec<u32>,
    /// The index of each variable in the heap, or `OUTSIDE`.
    positions: Vec<u32>,
    activities: Vec<f64>,
    /// The amount by which `bump` raises an activity.
    step: f64,
}

/// The position of a variable that is not in the heap.
const OUTSIDE: u32 = u32::MAX;

impl Order {
    /// Returns a heap of all variables, with their initial activities.
    pub fn new(activities: Vec<f64>) -> Order {
        let variables = activities.len();
        let mut order = Order {
            heap: Vec::with_capacity(variables),
            positions: vec![OUTSIDE; variables],
            activities,
            step: 1.0,
        };
        for variable in 0..variables {
            order.push(variable);
        }
        order
    }

    /// Raises the activity of a variable of the current conflict, and its place in the heap. Scales all activities down if this
    /// one becomes too large.
    pub fn bump(&mut self, variable: usize) {
        self.activities[variable] += self.step;
        if self.activities[variable] > 1e100 {
            for activity in &mut self.activities {
                *activity *= 1e-100;
            }
            self.step *= 1e-100;
        }
        if self.positions[variable] != OUTSIDE {
            self.sift_up(self.positions[variable] as usize);
        }
    }

    /// Makes the next conflict count more than the earlier ones.
    pub fn decay(&mut self) {
        self.step /= DECAY;
    }

    /// Adds a variable, unless the heap contains it.
    pub fn push(&mut self, variable: usize) {
        if self.positions[variable] == OUTSIDE {
            self.heap.push(variable as u32);
            self.sift_up(self.heap.len() - 1);
        }
    }

    /// Removes and returns the first variable of the heap; `None` if the heap is empty.
    pub fn pop(&mut self) -> Option<usize> {
        let first = *self.heap.first()?;
        self.heap.swap_remove(0);
        if !self.heap.is_empty() {
            self.sift_down();
        }
        self.positions[first as usize] = OUTSIDE;
        Some(first as usize)
    }

    /// Returns whether variable a comes before b: it has the higher activity, or the lower number if both are equally active.
    fn is_before(&self, a: u32, b: u32) -> bool {
        let [of_a, of_b] = [a, b].map(|variable| self.activities[variable as usize]);
        of_a > of_b || of_a == of_b && a < b
    }

    /// Moves the variable at this position up to its place in the heap.
    fn sift_up(&mut self, mut at: usize) {
        let variable = self.heap[at];
        while at > 0 && self.is_before(variable, self.heap[(at - 1) / 2]) {
            self.put(at, self.heap[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        self.put(at, variable);
    }

    /// Moves the variable at the top down to its place in the heap.
    fn sift_down(&mut self) {
        let mut at = 0;
        let variable = self.heap[0];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.is_before(self.heap[child + 1], self.heap[child])
            {
                child += 1;
            }
            if !self.is_before(self.heap[child], variable) {
                break;
            }
            self.put(at, self.heap[child]);
            at = child;
        }
        self.put(at, variable);
    }

    fn put(&mut self, at: usize, variable: u32) {
        self.heap[at] = variable;
        self.positions[variable as usize] = at as u32;
    }
}
