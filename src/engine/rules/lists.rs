//! Many short lists, such as the peers of each cell, in one allocation.

/// ```text
///     lists     [3, 5]  []  [1]
///     items     3  5  1
///     ends   0     2  2    3      list i is items[ends[i]..ends[i + 1]]
/// ```
#[derive(Debug)]
pub(crate) struct Lists<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    pub fn new(lists: impl IntoIterator<Item: IntoIterator<Item = T>>) -> Lists<T> {
        let (mut ends, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend(list);
            ends.push(items.len() as u32);
        }
        Lists { ends, items }
    }

    #[inline(always)]
    pub fn of(&self, index: usize) -> &[T] {
        &self.items[self.ends[index] as usize..self.ends[index + 1] as usize]
    }
}
