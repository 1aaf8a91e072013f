//! Limits an internal error (a panic) to the line that caused it: the other lines of the task are
//! processed as usual. With `--all` and `--shuffle`, there is one exception: if only a part of the
//! solutions or equivalents of a line is emitted, that line fails too, even if another line caused
//! the error.

use std::ops::ControlFlow;

use super::write::emit::OutputPosition;
use crate::stream::{Emit, Task};
use engine::panics::guarded;

/// If `process_together` panics, processes the lines whose output is not completely emitted, one at
/// a time. A line that panics again, or has a part of its output already emitted, is rejected by a
/// call with the reason of the failure.
pub(super) fn process(
    task: &Task<'_>,
    emit: Emit<'_>,
    process_together: impl Fn(&Task, Option<String>, &mut OutputPosition, Emit) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut emitted = OutputPosition::default();
    let error = match guarded(|| process_together(task, None, &mut emitted, emit)) {
        Ok(flow) => return flow,
        Err(error) => error,
    };
    // A line that is partly emitted cannot be processed again: its first output lines would be
    // written twice. So it gets the error.
    let mut error_of_first = (emitted.lines > 0).then_some(error);
    // Each record has one entry, in the same order.
    for record in task.records().skip(emitted.entry) {
        let line = task.of_record(&record);
        let result = match error_of_first.take() {
            Some(error) => Err(error),
            None => guarded(|| process_together(&line, None, &mut OutputPosition::default(), emit)),
        };
        match result {
            Ok(flow) => flow?,
            Err(error) => {
                let text = String::from_utf8_lossy(line.bytes);
                let reason = format!("{error}; the line is {}", text.trim_end());
                process_together(&line, Some(reason), &mut OutputPosition::default(), emit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Input, Mode, Options, Pipeline};
    use crate::stream::{LineProcessor, MessageKind, OutputLines};
    use crate::text::columns::Column;
    use engine::panics::install_hook;
    use engine::verdict::Status;

    const LINES: &[u8] = b"1234341221434321\n\
        # a comment\n\
        12343412214343..\n\
        1...............\r\n\
        123434122143432\n\
        11..............\n\
        4321............";

    fn process_with_fault(options: Options, bad: &str) -> OutputLines {
        install_hook();
        let pipeline = Pipeline::new(options).unwrap();
        let contains = |lines: &[u8]| {
            let lines = String::from_utf8_lossy(lines);
            lines.lines().any(|line| line == bad)
        };
        let mut all = OutputLines::default();
        let flow = process(
            &Task::of_lines(LINES, 1),
            &mut |output| {
                all.append(output);
                ControlFlow::Continue(())
            },
            |task, failure, emitted, emit| {
                let fail_at_end = failure.is_none() && contains(task.bytes);
                pipeline.process_together(Input::Lines, task, failure, emitted, &mut |output| {
                    assert!(!fail_at_end, "planted");
                    emit(output)
                })
            },
        );
        assert!(flow.is_continue());
        all
    }

    #[test]
    fn the_other_lines_of_a_task_with_a_failing_line_are_processed() {
        let intact = process_with_fault(Options::default(), "no such line");
        let intact = String::from_utf8(intact.bytes).unwrap();
        let output_lines: Vec<&str> = intact.lines().collect();
        assert_eq!(output_lines.len(), 7, "{intact}");
        for (index, line) in LINES.split(|&byte| byte == b'\n').enumerate() {
            let line = String::from_utf8_lossy(line);
            let line = line.trim_end();
            if line.starts_with('#') {
                continue;
            }
            let processed = process_with_fault(Options::default(), line);
            let mut expected = output_lines.clone();
            let failed = format!("{line}\tunknown");
            expected[index] = &failed;
            let text = String::from_utf8(processed.bytes).unwrap();
            assert_eq!(text.lines().collect::<Vec<_>>(), expected, "{line}");
            assert_eq!(processed.tally.total(), 6);
            let internal = |kind| kind == MessageKind::InternalError;
            let messages = processed.messages.iter();
            let mut messages = messages.filter(|message| internal(message.kind));
            let message = messages.next().unwrap();
            assert_eq!(message.line, index as u64 + 1);
            let reason = &message.reason;
            assert!(reason.starts_with("internal error at src/pipeline/isolate.rs:"));
            assert!(reason.ends_with(&format!("planted; the line is {line}")));
            assert_eq!(messages.next(), None);
        }
    }

    #[test]
    fn a_failing_line_has_an_output_line_in_every_format() {
        let columns = |columns: &[Column]| Options {
            columns: columns.iter().cloned().map(Into::into).collect(),
            ..Options::default()
        };
        let named = columns(&[Column::Line, Column::Status, Column::Givens, Column::Puzzle]);
        let verify = Options { mode: Mode::Verify { unique: false }, ..Options::default() };
        let drawn = Options { input: Some(Input::Drawn), ..Options::default() };
        for (options, expected) in [
            (named, "3\tunknown\t-\t12343412214343..\n"),
            (verify, "12343412214343..\tunknown\tplanted\n"),
            (drawn, "12343412214343..\tunknown\n"),
        ] {
            let pipeline = Pipeline::new(options).unwrap();
            let form = pipeline.sources.named().unwrap_or_default();
            let lines = match form {
                Input::Drawn => &b"12343412214343.."[..],
                _ => b"12343412214343..\n",
            };
            let lines = Task::of_lines(lines, 3);
            let line = lines.of_record(&lines.records().next().unwrap());
            let mut output = OutputLines::default();
            let mut emit = |lines| {
                output.append(lines);
                ControlFlow::Continue(())
            };
            let failure = Some("planted".to_string());
            let emitted = &mut OutputPosition::default();
            let flow = pipeline.process_together(form, &line, failure, emitted, &mut emit);
            assert!(flow.is_continue());
            assert_eq!(String::from_utf8(output.bytes).unwrap(), expected);
            assert_eq!(output.tally.count(Status::Unknown), 1);
            assert_eq!(output.messages[0].line, 3);
        }
    }

    #[test]
    fn an_entry_that_fails_after_some_solutions_are_emitted_is_not_restarted() {
        let options = Options { mode: Mode::All(1000), ..Options::default() };
        let pipeline = Pipeline::new(options).unwrap();
        let lines = b"1...............\n1234341221434321\n";
        let mut text = Vec::new();
        let flow = process(
            &Task::of_lines(lines, 1),
            &mut |output| {
                text.extend(output.bytes);
                ControlFlow::Continue(())
            },
            |task, failure, emitted, emit| match task.bytes == lines {
                true => {
                    emit(OutputLines {
                        bytes: b"1234341221434321\tmultiple\n".to_vec(),
                        ..OutputLines::default()
                    })?;
                    emitted.lines = 1;
                    panic!("planted");
                }
                false => pipeline.process_together(Input::Lines, task, failure, emitted, emit),
            },
        );
        assert!(flow.is_continue());
        let expected =
            "1234341221434321\tmultiple\n1...............\tunknown\n1234341221434321\tunique\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn emit_is_not_called_again_after_it_breaks() {
        for mode in [
            Mode::Solve,
            Mode::Minimize,
            Mode::All(5),
            Mode::All(1000),
            Mode::Shuffle(5),
            Mode::Shuffle(2000),
        ] {
            let options = Options { mode, ..Options::default() };
            let pipeline = Pipeline::new(options).unwrap();
            for last in 1.. {
                let mut calls = 0;
                let mut emit = |_: OutputLines| {
                    calls += 1;
                    if calls == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                if pipeline
                    .process(Input::Lines, &Task::of_lines(LINES, 1), &mut emit)
                    .is_continue()
                {
                    // The number of calls depends on the time that the searches take.
                    assert!(calls < last, "{mode:?}");
                    break;
                }
                assert_eq!(calls, last, "{mode:?}");
            }
        }
    }
}
