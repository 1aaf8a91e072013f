//! Runs one target, named on the command line, on the inputs that AFL makes from the seeds.

mod targets;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some((_, run)) = targets::ALL.iter().find(|(known, _)| *known == name) else {
        eprintln!("usage: fuzz {}", targets::ALL.map(|(name, _)| name).join("|"));
        std::process::exit(2);
    };
    afl::fuzz!(|data: &[u8]| run(data));
}
