//! Runs the transcripts of README, and compares their output with what README shows.

use crate::run::{Folder, run, shell};
use crate::skip::is_installed;

/// One command of a transcript, and the output below it.
struct Step<'a> {
    command: &'a str,
    shown: String,
}

fn steps(transcript: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for line in transcript.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step {
                command,
                shown: String::new(),
            }),
            (None, Some(step)) => step.shown += &format!("{line}\n"),
            (None, None) => panic!("a transcript begins with a command: {line}"),
        }
    }
    steps
}

#[test]
fn every_transcript_of_the_readme_is_the_real_output() {
    let readme = include_str!("../../README.md");
    let transcripts: Vec<&str> = readme
        .split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(transcripts.len() >= 2);
    // All transcripts share a folder, because later ones use files of earlier ones.
    let folder = Folder::new();
    for transcript in transcripts {
        let mut status = String::new();
        for Step { command, shown } in steps(transcript) {
            if command.starts_with("sgt-solo ") && !is_installed("sgt-solo") {
                continue;
            }
            if let Some(file) = command.strip_prefix("cat ") {
                folder.file(file, &shown);
            } else if command == "echo $?" {
                assert_eq!(shown.trim(), status, "{transcript}");
            } else {
                let mut line = shell(command);
                line.current_dir(&folder.0);
                let run = run(line, b"");
                assert_eq!(run.text() + &run.messages, shown, "{command}");
                status = run
                    .status
                    .map_or(String::new(), |status| status.to_string());
            }
        }
    }
}
