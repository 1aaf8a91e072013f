//! Cages as a JSON list: `[{"cells":["r1c1","r1c2"],"sum":10}]`. f-puzzles writes `R1C1` for a
//! cell, and the sum as a string named `value`.

use serde_json::Value as Json;

use engine::error::InvalidInput;
use engine::rules::{Cage, MAX_SIDE, Place};

pub(crate) fn is_list(field: &[u8]) -> bool {
    field.starts_with(b"[{")
}

/// The largest number of a row or column is the side of a killer whose cages cover the grid.
pub(super) fn side(field: &[u8]) -> Result<usize, InvalidInput> {
    let cages = parse(field)?;
    let cells = cages.iter().filter_map(|cage| cage["cells"].as_array());
    let places = cells.flatten().filter_map(|cell| place(cell, MAX_SIDE));
    let side = places.map(|place| place.row.max(place.column)).max();
    side.ok_or_else(|| "the cages name no cell, so the size of the puzzle is unknown".into())
}

/// Does not check that no cell is in two cages.
pub(super) fn read(field: &[u8], side: usize) -> Result<Vec<Cage>, InvalidInput> {
    parse(field)?.iter().map(|cage| read_cage(cage, side)).collect()
}

fn parse(field: &[u8]) -> Result<Vec<Json>, InvalidInput> {
    serde_json::from_slice(field)
        .map_err(|error| format!("the cages are not a JSON list: {error}").into())
}

fn read_cage(cage: &Json, side: usize) -> Result<Cage, InvalidInput> {
    let cells = cage["cells"].as_array();
    let cells = cells.ok_or_else(|| format!("the cage {cage} has no list of cells"))?;
    let sum = read_sum(cage)?;
    let cells: Result<Vec<u16>, InvalidInput> = cells.iter().map(|it| cell(it, side)).collect();
    Cage::new(side, cells?, sum)
}

fn read_sum(cage: &Json) -> Result<Option<u16>, InvalidInput> {
    let sum = match &cage["sum"] {
        Json::Null => &cage["value"],
        sum => sum,
    };
    let number = match sum {
        Json::Null => {
            check_keys_without_sum(cage)?;
            return Ok(None);
        }
        Json::String(text) if text.is_empty() => return Ok(None),
        Json::String(text) => text.parse().ok(),
        // A data frame can write 10 as 10.0.
        sum => sum
            .as_f64()
            .filter(|sum| sum.fract() == 0.0 && (0.0..=u16::MAX.into()).contains(sum))
            .map(|sum| sum as u16),
    };
    let number = number.ok_or_else(|| format!("{sum} is not the sum of a cage"))?;
    Ok(Some(number))
}

/// In a cage with neither `sum` nor `value`, a number under another key is probably the sum.
fn check_keys_without_sum(cage: &Json) -> Result<(), InvalidInput> {
    let has_key = |name| cage.get(name).is_some();
    let mut members = cage.as_object().into_iter().flatten();
    match members.find(|(_, value)| value.is_number()) {
        Some((key, number)) if !has_key("sum") && !has_key("value") => Err(format!(
            "a cage has the number {number} in '{key}', and none in 'sum' (null for no sum)"
        )
        .into()),
        _ => Ok(()),
    }
}

fn cell(name: &Json, side: usize) -> Result<u16, InvalidInput> {
    let place = place(name, side).ok_or_else(|| format!("{name} is not a cell of the grid"))?;
    Ok(place.cell(side) as u16)
}

/// Returns the cell that a string such as `r1c2` names.
pub(crate) fn place(name: &Json, side: usize) -> Option<Place> {
    let name = name.as_str()?.to_ascii_lowercase();
    let (row, column) = name.strip_prefix('r')?.split_once('c')?;
    let is_side = |number: &usize| (1..=side).contains(number);
    let in_grid = |text: &str| text.parse().ok().filter(is_side);
    Some(Place { row: in_grid(row)?, column: in_grid(column)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_both_kinds_are_read() {
        for list in [
            r#"[{"cells":["r1c1","r1c2"],"sum":5},{"cells":["r2c2"]}]"#,
            r#"[{"cells":["r1c1","r1c2"],"sum":5.0,"color":3},{"cells":["r2c2"],"sum":null,"id":7}]"#,
            r#"[{"cells":["R1C1","R1C2"],"value":"5"},{"cells":["R2C2"],"value":""}]"#,
        ] {
            let cages = read(list.as_bytes(), 4).unwrap();
            let cages: Vec<_> = cages.iter().map(|cage| (cage.cells(), cage.sum)).collect();
            assert_eq!(cages, [(&[0, 1][..], Some(5)), (&[5][..], None)], "{list}");
        }
    }

    #[test]
    fn the_side_is_that_of_the_last_cell() {
        let of = |list: &str| side(list.as_bytes()).map_err(|error| error.to_string());
        assert_eq!(of(r#"[{"cells":["r1c1","r2c9"],"sum":5},{"cells":["R7C2"]}]"#), Ok(9));
        let reason = "the cages name no cell, so the size of the puzzle is unknown";
        assert_eq!(of(r#"[{"cells":[]}]"#), Err(reason.to_string()));
    }

    #[test]
    fn faulty_lists_are_errors() {
        for (list, reason) in [
            (r#"[{"cells":["r1c5"]}]"#, "\"r1c5\" is not a cell of the grid"),
            (r#"[{"cells":["r0c1"]}]"#, "\"r0c1\" is not a cell of the grid"),
            (r#"[{"sum":5}]"#, "the cage {\"sum\":5} has no list of cells"),
            (r#"[{"cells":["r1c1"],"sum":"x"}]"#, "\"x\" is not the sum of a cage"),
            (r#"[{"cells":["r1c1"],"sum":2.5}]"#, "2.5 is not the sum of a cage"),
            (r#"[{"cells":["r1c1"],"sum":-1}]"#, "-1 is not the sum of a cage"),
            (
                r#"[{"cells":["r1c1"],"total":5}]"#,
                "a cage has the number 5 in 'total', and none in 'sum' (null for no sum)",
            ),
            (r#"[{"cells":["r1c1","r1c1"]}]"#, "a cage has a cell twice"),
        ] {
            let error = read(list.as_bytes(), 4).unwrap_err();
            assert_eq!(error.to_string(), reason, "{list}");
        }
    }
}
