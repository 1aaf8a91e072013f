//! JSON input. Checks that a text has the same output whatever the size of the reads, and no more
//! records than bytes. `cli/json.rs` and `cli/damaged.rs` say what the records are.

use sudoku_filter::{Column, Input, Mode, PipelineOptions, Source};

use super::chunks::{behind_names, expanded, pieces, through_stdin};
use super::filter::{filtered, scratch};
use super::plain;

/// The first byte selects the cuts, the second the mode and the columns. As in `chunks`, a byte 1
/// followed by another byte represents a long run.
pub fn run(data: &[u8]) {
    let [cut, chosen, text @ ..] = data else {
        return;
    };
    let mut options = PipelineOptions::default();
    options.input = Some(Input::Json);
    if chosen & 1 == 1 {
        options.mode = Mode::Verify { unique: false };
    }
    options.lenient = chosen & 2 == 2;
    if chosen & 4 == 4 {
        options.columns = Column::list("line,puzzle,status,reason", |_| false).unwrap();
    }
    let text = expanded(text);
    let path = scratch("json");
    std::fs::write(&path, &text).unwrap();
    let whole = filtered(&[Source::File(path.clone())], options.clone(), 0);
    let _ = std::fs::remove_file(&path);
    let in_pieces = through_stdin(pieces(&text, *cut, 16 << 10), || {
        filtered(&[Source::Stdin], options.clone(), usize::from(cut % 4))
    });
    assert_eq!(in_pieces.rows.escape_ascii().to_string(), whole.rows.escape_ascii().to_string());
    assert_eq!(in_pieces.failed, whole.failed);
    assert_eq!(whole.failed, plain::is_packed(&text));
    assert_eq!(behind_names(in_pieces.messages), behind_names(whole.messages));
    let rows = whole.rows.split_inclusive(|&byte| byte == b'\n').count();
    // A text that ends within an array is an invalid record of its own.
    assert!(rows <= text.len() + 1, "{rows} records in {} bytes", text.len());
}
