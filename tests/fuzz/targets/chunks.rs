//! A text that arrives in any pieces gives the bytes that it gives in one.
#![allow(unsafe_code)]

use std::os::fd::AsRawFd;
use std::os::unix::net::UnixDatagram;
use std::sync::Mutex;
use std::thread;

use sudoku_filter::{Method, Source};

use super::filter::{run_filter, scratch};

/// Standard input is the process's own.
static STDIN: Mutex<()> = Mutex::new(());

/// The first byte tells how it is cut; a byte 1 with another behind it stands for very many of the latter.
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
            assert_eq!(
                in_pieces.0.escape_ascii().to_string(),
                whole.0.escape_ascii().to_string()
            );
            assert_eq!(behind_names(in_pieces.1), behind_names(whole.1));
        }
        (whole, in_pieces) => assert_eq!(whole.is_none(), in_pieces.is_none()),
    }
}

/// What `run` gives while these pieces of a text come to standard input.
pub fn through_stdin<T>(pieces: Vec<&[u8]>, run: impl FnOnce() -> T) -> T {
    let _alone = STDIN
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    // A read of a datagram socket gives one message, and an empty one is the end: the reads are as the pieces.
    let (from, to) = UnixDatagram::pair().unwrap();
    // SAFETY: both are open, and nobody else uses standard input while the lock is held.
    assert_eq!(unsafe { libc::dup2(from.as_raw_fd(), 0) }, 0);
    drop(from);
    thread::scope(|scope| {
        scope.spawn(|| {
            for piece in pieces {
                if to.send(piece).is_err() {
                    return;
                }
            }
            let _ = to.send(b"");
        });
        let given = run();
        // The sender may still wait for a reader that has refused the text.
        let null = std::fs::File::open("/dev/null").unwrap();
        // SAFETY: as above; /dev/null takes the place of the socket, which nobody reads then.
        assert_eq!(unsafe { libc::dup2(null.as_raw_fd(), 0) }, 0);
        given
    })
}

/// Messages without the names of files: a file is told by its name and standard input as `-`.
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
                // Around the longest line, and some way off it.
                all.extend(vec![b'x'; 65_536 + usize::from(many) - 128]);
            }
            _ => all.push(byte),
        }
    }
    all
}

/// A text in pieces: none is empty, and none larger than this, since what a read has no room for of a datagram is lost.
pub fn pieces(mut text: &[u8], cut: u8, largest: usize) -> Vec<&[u8]> {
    let mut state = u64::from(cut);
    let mut pieces = Vec::new();
    while !text.is_empty() {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let most = [1, 3, 80, 4096, largest][(state >> 40) as usize % 5].max(text.len() / 300);
        let (piece, rest) = text.split_at((1 + (state >> 33) as usize % most).min(text.len()));
        pieces.push(piece);
        text = rest;
    }
    pieces
}
