//! The parts of a formula: literals, clauses with their watches, and at-most-one sets of variables.

use std::ops::Range;

/// A variable or its negation: twice the number of the variable, plus 1 for the negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal(pub u32);

impl Literal {
    pub fn positive(variable: usize) -> Literal {
        Literal(2 * variable as u32)
    }

    pub fn negative(variable: usize) -> Literal {
        !Literal::positive(variable)
    }

    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub fn variable(self) -> usize {
        (self.0 / 2) as usize
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// The index of the first word of a clause in [`Clauses`].
pub type ClauseRef = u32;

/// All clauses with two or more literals, one after the other.
///
/// ```text
///     word    0        1      2 ...
///             length   glue   literals: the first two are watched
/// ```
///
/// The glue of a learnt clause is the number of decision levels among its literals when the clause is learnt. The glue of a
/// clause of the formula is 0.
#[derive(Default)]
pub struct Clauses {
    pub words: Vec<u32>,
}

/// The number of words of a clause before its literals.
pub const HEADER: usize = 2;
/// An estimate of the words that a clause takes besides its literals: its header, and two watches in lists that are half empty.
pub const WORDS_A_CLAUSE: usize = HEADER + 2 * 2 * size_of::<Watch>() / size_of::<u32>();

impl Clauses {
    /// Appends a clause. The caller must add its watches.
    pub fn add(&mut self, literals: &[Literal], glue: u32) -> ClauseRef {
        debug_assert!(literals.len() >= 2);
        let clause = self.words.len() as ClauseRef;
        self.words.extend([literals.len() as u32, glue]);
        self.words.extend(literals.iter().map(|literal| literal.0));
        clause
    }

    #[inline]
    pub fn len(&self, clause: ClauseRef) -> usize {
        self.words[clause as usize] as usize
    }

    pub fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause as usize + 1]
    }

    /// Returns the literals, as words.
    #[inline]
    pub fn words(&self, clause: ClauseRef) -> &[u32] {
        &self.words[clause as usize + HEADER..][..self.len(clause)]
    }

    #[inline]
    pub fn literals(&self, clause: ClauseRef) -> impl Iterator<Item = Literal> {
        self.words(clause).iter().map(|&word| Literal(word))
    }

    /// Returns all clauses.
    pub fn iter(&self) -> impl Iterator<Item = ClauseRef> {
        std::iter::successors(self.next(None), |&clause| self.next(Some(clause)))
    }

    /// Returns the clause after this one, or the first clause for `None`.
    pub fn next(&self, clause: Option<ClauseRef>) -> Option<ClauseRef> {
        let next = clause.map_or(0, |clause| clause as usize + HEADER + self.len(clause));
        (next < self.words.len()).then_some(next as ClauseRef)
    }
}

/// A clause that watches a literal. It is visited when the literal becomes false, unless `blocker`, another literal of the
/// clause, is true: then the clause is true anyway.
#[derive(Clone, Copy)]
pub struct Watch {
    pub clause: ClauseRef,
    pub blocker: Literal,
}

/// The watches of each literal, and the number of bytes that their lists occupy.
pub struct Watches {
    pub of: Vec<Vec<Watch>>,
    pub bytes: usize,
}

impl Watches {
    pub fn new(literals: usize) -> Watches {
        Watches {
            of: vec![Vec::new(); literals],
            bytes: 0,
        }
    }

    /// Adds a watch to the list of a literal. Keeps `bytes` up to date if the list grows.
    #[inline]
    pub fn push(&mut self, literal: Literal, watch: Watch) {
        let watches = &mut self.of[literal.index()];
        if watches.len() == watches.capacity() {
            self.bytes -= watches.capacity() * size_of::<Watch>();
            watches.reserve(1);
            self.bytes += watches.capacity() * size_of::<Watch>();
        }
        watches.push(watch);
    }

    /// Removes all watches. Lowers the capacity of each list that was more than half empty to the length that it had.
    pub fn clear(&mut self) {
        for watches in &mut self.of {
            let needed = watches.len();
            watches.clear();
            if watches.capacity() > 2 * needed {
                watches.shrink_to(needed);
            }
        }
        self.bytes = self.counted();
    }

    /// Counts the bytes that the lists occupy. Returns the number that `bytes` must have.
    pub fn counted(&self) -> usize {
        let capacity: usize = self.of.iter().map(Vec::capacity).sum();
        capacity * size_of::<Watch>()
    }
}

/// For each variable, the variables that cannot be true together with it.
pub struct Exclusions {
    /// Variable v excludes `excluded[starts[v]..starts[v + 1]]`.
    pub starts: Vec<u32>,
    pub excluded: Vec<u32>,
}

impl Exclusions {
    /// Makes the lists from sets of variables: at most one variable of each set is true.
    pub fn new(variables: usize, sets: &[Vec<u32>]) -> Exclusions {
        let mut starts = vec![0; variables + 1];
        for set in sets {
            for &variable in set {
                starts[variable as usize] += set.len() as u32 - 1;
            }
        }
        // The numbers of excluded variables become the starts of their lists (prefix sums).
        let mut end = 0;
        for start in &mut starts {
            (*start, end) = (end, end + *start);
        }
        let mut excluded = vec![0; end as usize];
        // The place of the next variable in each list.
        let mut ends = starts.clone();
        for set in sets {
            for (number, &variable) in set.iter().enumerate() {
                for &other in set[..number].iter().chain(&set[number + 1..]) {
                    let end = &mut ends[variable as usize];
                    excluded[*end as usize] = other;
                    *end += 1;
                }
            }
        }
        debug_assert_eq!(ends[..variables], starts[1..]);
        Exclusions { starts, excluded }
    }

    /// Returns the indices, in `excluded`, of the variables that a variable excludes.
    #[inline]
    pub fn of(&self, variable: usize) -> Range<usize> {
        self.starts[variable] as usize..self.starts[variable + 1] as usize
    }
}
