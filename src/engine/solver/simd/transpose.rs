//! The transposition of 8x8 words.

/// Transposes the 8x8 words of each group of eight lanes: three perfect shuffles of the 64 words.
/// The index of a word has six bits: three for its row, three for its place in the row. A perfect
/// shuffle rotates this index by one bit, so three shuffles exchange row and place.
#[inline(always)]
pub(super) fn transpose<V: Copy>(rows: [V; 8], zip: impl Fn(V, V) -> (V, V) + Copy) -> [V; 8] {
    shuffle(shuffle(shuffle(rows, zip), zip), zip)
}

/// Interleaves the words of the first four vectors with those of the last four.
// Not a loop: compilers do not always unroll it, and it then takes four times as long.
#[inline(always)]
fn shuffle<V>([a, b, c, d, e, f, g, h]: [V; 8], zip: impl Fn(V, V) -> (V, V)) -> [V; 8] {
    let [a, b, c, d] = [zip(a, e), zip(b, f), zip(c, g), zip(d, h)];
    [a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1]
}
