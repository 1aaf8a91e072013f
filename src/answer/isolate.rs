//! Keeps an internal error in one line from taking the lines beside it along.

use super::sheet::Emitted;
use crate::error::{Error, abandon, guarded};
use crate::filter::{Rows, Task};

/// Answers the lines of a task by `answer_together`. If that panics, answers the remaining lines one at a time, and the
/// row of a line that panics again comes from `report_failure`.
pub(super) fn answer(
    task: &Task<'_>,
    emit: &mut dyn FnMut(Rows),
    answer_together: impl Fn(&Task<'_>, &mut Emitted, &mut dyn FnMut(Rows)),
    report_failure: impl Fn(&Task<'_>, String) -> Rows,
) {
    let mut emitted = Emitted::default();
    let Some(error) = error_of(|| answer_together(task, &mut emitted, emit)) else {
        return;
    };
    // A row of which some solutions are out cannot begin anew.
    let mut failed = emitted.within_row.then_some(error);
    for line in lines_of(task).skip(emitted.complete_rows) {
        if failed.is_none() {
            failed = error_of(|| answer_together(&line, &mut Emitted::default(), emit));
        }
        if let Some(error) = failed.take() {
            let text = String::from_utf8_lossy(line.lines);
            let reason = format!("{error}; the line is {}", text.trim_end());
            emit(report_failure(&line, reason));
        }
    }
}

/// Returns the internal error that `work` ends with, if it does.
fn error_of(work: impl FnOnce()) -> Option<Error> {
    match guarded(work) {
        Ok(()) => None,
        Err(Error::ReaderGone) => abandon(),
        Err(error) => Some(error),
    }
}

/// The lines of a task, each as a task of its own.
fn lines_of<'a>(task: &Task<'a>) -> impl Iterator<Item = Task<'a>> {
    let lines = task.lines.split_inclusive(|&byte| byte == b'\n');
    let (overlong, source) = (task.overlong, task.source);
    let numbers = (task.first_line..).zip(task.first_line_overall..);
    lines
        .zip(numbers)
        .map(move |(lines, (first_line, first_line_overall))| Task {
            lines,
            overlong,
            source,
            first_line,
            first_line_overall,
        })
}

#[cfg(test)]
mod tests {
    use super::super::{Answerer, Input, Mode, Options};
    use super::*;
    use crate::columns::Column;
    use crate::filter::MessageKind;
    use crate::verdict::Status;

    const LINES: &[u8] = b"1234341221434321\n\
        # a comment\n\
        12343412214343..\n\
        1...............\r\n\
        123434122143432\n\
        11..............\n\
        4321............";

    fn task(lines: &[u8]) -> Task<'_> {
        Task {
            lines,
            overlong: false,
            source: 0,
            first_line: 1,
            first_line_overall: 1,
        }
    }

    /// Answers [`LINES`] with a fault planted in the line `bad`.
    fn answer_with_fault(options: Options, bad: &str) -> Rows {
        let answerer = Answerer::new(options).unwrap();
        let contains = |lines: &[u8]| {
            let lines = String::from_utf8_lossy(lines);
            lines.lines().any(|line| line == bad)
        };
        let mut all = Rows::default();
        answer(
            &task(LINES),
            &mut |rows| all.append(rows),
            |task, emitted, emit| {
                let fail_at_end = contains(task.lines);
                answerer.answer_together(task, emitted, &mut |rows| {
                    assert!(!fail_at_end, "planted");
                    emit(rows);
                });
            },
            |line, reason| answerer.report_failure(line, reason),
        );
        all
    }

    #[test]
    fn the_lines_beside_a_failing_line_are_answered() {
        let intact = answer_with_fault(Options::default(), "no such line");
        let intact = String::from_utf8(intact.bytes).unwrap();
        let rows: Vec<&str> = intact.lines().collect();
        assert_eq!(rows.len(), 7, "{intact}");
        for (index, line) in LINES.split(|&byte| byte == b'\n').enumerate() {
            let line = String::from_utf8_lossy(line);
            let line = line.trim_end();
            if line.starts_with('#') {
                continue;
            }
            let answered = answer_with_fault(Options::default(), line);
            let mut expected = rows.clone();
            let failed = format!("{line}\tunknown");
            expected[index] = &failed;
            let text = String::from_utf8(answered.bytes).unwrap();
            assert_eq!(text.lines().collect::<Vec<_>>(), expected, "{line}");
            assert_eq!(answered.tally.total(), 6);
            let internal = |kind| kind == MessageKind::InternalError;
            let messages = answered.messages.iter();
            let mut messages = messages.filter(|message| internal(message.kind));
            let message = messages.next().unwrap();
            assert_eq!(message.line, index as u64 + 1);
            let reason = &message.reason;
            assert!(reason.starts_with("internal error at src/answer/isolate.rs:"));
            assert!(reason.ends_with(&format!("planted; the line is {line}")));
            assert_eq!(messages.next(), None);
        }
    }

    #[test]
    fn a_failing_line_has_a_row_in_every_format() {
        let columns = |columns: &[Column]| Options {
            columns: columns.to_vec(),
            ..Options::default()
        };
        let named = columns(&[Column::Line, Column::Status, Column::Givens, Column::Puzzle]);
        let verify = Options {
            mode: Mode::Verify { unique: false },
            ..Options::default()
        };
        let drawn = Options {
            input: Input::Drawn,
            ..Options::default()
        };
        for (options, expected) in [
            (named, "3\tunknown\t-\t12343412214343..\n"),
            (verify, "12343412214343..\tunknown\tplanted\n"),
            (drawn, "12343412214343..\tunknown\n"),
        ] {
            let answerer = Answerer::new(options).unwrap();
            let lines = match answerer.options.input {
                Input::Drawn => &b"3 12343412214343..\n"[..],
                _ => b"12343412214343..\n",
            };
            let line = Task {
                first_line: 3,
                ..task(lines)
            };
            let rows = answerer.report_failure(&line, "planted".to_string());
            assert_eq!(String::from_utf8(rows.bytes).unwrap(), expected);
            assert_eq!(rows.tally.of(Status::Unknown), 1);
            assert_eq!(rows.messages[0].line, 3);
        }
    }

    #[test]
    fn a_row_whose_solutions_are_partly_out_ends_where_it_fails() {
        let options = Options {
            mode: Mode::All(1000),
            ..Options::default()
        };
        let answerer = Answerer::new(options).unwrap();
        let lines = b"1...............\n1234341221434321\n";
        let mut text = Vec::new();
        answer(
            &task(lines),
            &mut |rows| text.extend(rows.bytes),
            |task, emitted, emit| match task.lines == lines {
                true => {
                    emit(Rows {
                        bytes: b"1234341221434321\tmultiple\n".to_vec(),
                        ..Rows::default()
                    });
                    emitted.within_row = true;
                    panic!("planted");
                }
                false => answerer.answer_together(task, emitted, emit),
            },
            |line, reason| answerer.report_failure(line, reason),
        );
        let expected =
            "1234341221434321\tmultiple\n1...............\tunknown\n1234341221434321\tunique\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
