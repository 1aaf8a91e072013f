//! A text that arrives in pieces gives the same output as in one piece.

use std::os::unix::net::UnixDatagram;
use std::sync::Mutex;
use std::thread;

use nix::unistd::dup2_stdin;
use sudoku_filter::{Method, Source};

use super::filter::{run_filter, scratch};

/// A process has only one standard input, so targets that replace it take turns.
static STDIN: Mutex<()> = Mutex::new(());

/// The first byte selects the cuts. A byte 1 followed by a byte n stands for a long run of `x`; n
/// varies its length.
pub fn run(data: &[u8]) {
    let Some((&cut, text)) = data.split_first() else {
        return;
    };
    let text = expanded(text);
    let file = scratch("chunks");
    std::fs::write(&file, &text).unwrap();
    let whole = run_filter(&[Source::File(file.clone())], "classic", Method::Lanes, 0);
    let _ = std::fs::remove_file(file);
    let in_pieces = through_stdin(pieces(&text, cut, 70_000), || {
        let threads = usize::from(cut % 4);
        run_filter(&[Source::Stdin], "classic", Method::Lanes, threads)
    });
    match (whole, in_pieces) {
        (Some(whole), Some(in_pieces)) => {
            assert_eq!(in_pieces.0.escape_ascii().to_string(), whole.0.escape_ascii().to_string());
            assert_eq!(behind_names(in_pieces.1), behind_names(whole.1));
        }
        (whole, in_pieces) => assert_eq!(whole.is_none(), in_pieces.is_none()),
    }
}

/// Calls `run` while these pieces arrive at standard input, and returns its result.
pub fn through_stdin<T>(pieces: Vec<&[u8]>, run: impl FnOnce() -> T) -> T {
    let _alone = STDIN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // A read of a datagram socket returns one message, so each read returns one piece. An empty
    // message is the end. There are two, because a reader can reach the end of its input twice:
    // when it skips an overlong line, and when it reads on.
    let (from, to) = UnixDatagram::pair().unwrap();
    dup2_stdin(&from).unwrap();
    drop(from);
    thread::scope(|scope| {
        scope.spawn(|| {
            for piece in pieces {
                if to.send(piece).is_err() {
                    return;
                }
            }
            let _ = to.send(b"");
            let _ = to.send(b"");
        });
        let result = run();
        // If the program refuses the text, the sender may still wait for a reader.
        let null = std::fs::File::open("/dev/null").unwrap();
        dup2_stdin(null).unwrap();
        result
    })
}

/// Returns the messages without the file's name, because messages call standard input `-`.
pub fn behind_names(messages: Vec<u8>) -> Vec<String> {
    let text = String::from_utf8(messages).unwrap();
    let tail = |line: &str| line.splitn(3, ':').skip(2).collect::<String>();
    text.lines().map(tail).collect()
}

pub fn expanded(text: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match (byte, bytes.clone().next()) {
            (1, Some(&many)) if all.len() < 400_000 => {
                bytes.next();
                // The lengths lie around that of the longest allowed line.
                all.extend(vec![b'x'; 65_536 + usize::from(many) - 128]);
            }
            _ => all.push(byte),
        }
    }
    all
}

/// Cuts a text into pieces of 1 to `largest` bytes. A larger datagram would be truncated by the
/// read.
pub fn pieces(mut text: &[u8], cut: u8, largest: usize) -> Vec<&[u8]> {
    let mut state = u64::from(cut);
    let mut pieces = Vec::new();
    while !text.is_empty() {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let limit = [1, 3, 80, 4096, largest][(state >> 40) as usize % 5].max(text.len() / 300);
        let (piece, rest) = text.split_at((1 + (state >> 33) as usize % limit).min(text.len()));
        pieces.push(piece);
        text = rest;
    }
    pieces
}
