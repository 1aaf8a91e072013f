//! Runs the fuzz targets on their seeds, which include past findings. `make fuzz` starts from the
//! same seeds.

use std::fs;
use std::path::Path;

#[test]
fn every_target_accepts_its_seeds() {
    for (name, run) in crate::targets::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/seeds").join(name);
        let mut files: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 5, "{name}: {} seeds", files.len());
        for file in files {
            println!("{}", file.display());
            let seed = fs::read(&file).unwrap();
            run(&seed);
            // Also run the seed cut off at many places, and with one byte changed there.
            let step = match name {
                "line" | "regions" => 1,
                "drawn" => 7,
                _ => 29,
            };
            for end in (0..seed.len().min(400)).step_by(step) {
                run(&seed[..end]);
                let mut changed = seed.clone();
                changed[end] = changed[end].wrapping_add(1);
                run(&changed);
            }
        }
    }
}
