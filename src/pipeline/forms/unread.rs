//! Rules and layouts in fields that are not read: they make a record invalid, because its puzzle
//! would be another one without them. `beside.rs` looks there for other puzzles and solutions.

use std::borrow::Cow;
use std::mem::take;

use super::Split;
use super::fields::{join, unmark};
use super::kind::{KnownFields, PuzzleKind};
use super::named::{NamedFields, Names};
use crate::pipeline::decode::can_be_layout;
use crate::pipeline::options::Options;
use crate::pipeline::settings::Settings;
use crate::text::columns::Column;
use crate::text::kept_fields::KeptFields;
use crate::text::notation::{is_constraint_string, looks_like_cages};
use crate::text::record::{Field, RecordFields, given};
use crate::text::record_rules::RecordRules;
use crate::text::rule_names::{NamedRules, lists_rules, rules_in_list};
use crate::text::unread::{is_column, is_layout};
use engine::error::BoxError;
use engine::rules::{Variant, Variants};

/// Fields that have the name of a person, which can be any word.
const PEOPLE: [&str; 6] = ["author", "by", "constructor", "creator", "setter", "user"];

/// Completes the split of a record: reads the cells of its answer. The fields become an error if the
/// record holds rules in a field that is not read.
pub(super) fn finish_split<'a>(
    named: NamedFields<'a>,
    mut fields: Result<KnownFields<'a>, BoxError>,
    settings: &Settings,
) -> Split<'a> {
    let Ok(known) = &mut fields else { return Split { named, fields } };
    let options = &settings.options;
    // Prose is searched for a grid instead.
    if let (false, Some(answer)) = (options.lenient, &mut known.fields.answer) {
        join(answer, &options.alphabet);
        unmark(answer, &options.alphabet);
    }
    if let Some(reason) = unread_rules(&named, known, settings) {
        fields = Err(reason.into());
    }
    Split { named, fields }
}

/// Returns the reason why a record is invalid that has rules in a field which is not read, or which
/// `--keep` leaves out.
fn unread_rules(
    named: &NamedFields<'_>,
    read: &KnownFields<'_>,
    settings: &Settings,
) -> Option<String> {
    let constraints = unread_constraints(named, settings);
    let layout = || unread_layout(named, &read.fields, settings);
    let rule = || unread_rule(named, read, settings);
    let dropped = || dropped_rule(named, &read.fields, settings);
    constraints.or_else(layout).or_else(rule).or_else(dropped)
}

/// A copy of a field that is read needs no reading.
fn unread_constraints(named: &NamedFields<'_>, settings: &Settings) -> Option<String> {
    let (name, has_constraints) = match named {
        NamedFields::None => return None,
        NamedFields::InOrder { names, fields } => unread_constraints_in_order(*names, fields)?,
        NamedFields::Object(object) => {
            let names = &settings.options.header;
            let key = object.unread_constraints(names)?;
            (key.to_string(), object.has_field(Field::Constraints, names))
        }
    };
    let remedy = match settings.options.field_names {
        _ if has_constraints => "only one field of constraints is read".to_string(),
        Some(_) => "the name 'constraints' in --fields reads them".to_string(),
        None => format!("--header constraints={name} reads them"),
    };
    Some(format!("'{name}' holds rules that are not read; {remedy}"))
}

/// Returns the name of a field with an unread constraint string, and true if another field of
/// constraints is read.
fn unread_constraints_in_order(
    names: Names<'_>,
    fields: &[Cow<'_, [u8]>],
) -> Option<(String, bool)> {
    let index = fields.iter().position(|field| is_constraint_string(field))?;
    // The field of variants has names.
    let is_read = |index: usize| names.field_of(index).is_some_and(|it| it != Field::Variant);
    let is_copy = |text: &[u8]| (0..fields.len()).any(|it| *fields[it] == *text && is_read(it));
    let is_unread =
        |&it: &usize| is_constraint_string(&fields[it]) && !is_read(it) && !is_copy(&fields[it]);
    let unread = (index..fields.len()).find(is_unread)?;
    let is_constraints = |it: usize| names.field_of(it) == Some(Field::Constraints);
    Some((names.name(unread), (0..fields.len()).any(is_constraints)))
}

fn unread_layout(
    named: &NamedFields<'_>,
    read: &RecordFields<'_>,
    settings: &Settings,
) -> Option<String> {
    if read.regions.is_some() {
        return None;
    }
    let cells = read.puzzle.len();
    let is_of_puzzle = |field: &[u8]| field.len() == cells && is_layout(field);
    let name = match named {
        NamedFields::None => return None,
        NamedFields::InOrder { names, fields } => names.find_unread(fields, is_of_puzzle)?,
        NamedFields::Object(object) => {
            object.unread_layout(cells, &settings.options.header)?.to_string()
        }
    };
    Some(format!("'{name}' holds a layout that is not read; --header regions={name} reads it"))
}

/// Returns the reason why a record is invalid that names a rule in a field which is not read, such
/// as `"kind":"antiknight"`, unless the puzzle has this rule. If the user names the field of
/// variants, all others are labels.
fn unread_rule(
    named: &NamedFields<'_>,
    read: &KnownFields<'_>,
    settings: &Settings,
) -> Option<String> {
    let is_label = |name: &str| {
        is_column(name) || PEOPLE.iter().any(|person| name.eq_ignore_ascii_case(person))
    };
    if settings.options.header.of(Field::Variant).is_some() {
        return None;
    }
    let lists = lists_of_rules(named, settings).into_iter();
    lists.filter(|(name, _)| !is_label(name)).find_map(|(name, text)| {
        let rule = rules_in_list(&text).find(|rule| !has_rule(rule, read, settings))?;
        let remedy = match settings.options.field_names {
            Some(_) => "the name 'variant' in --fields reads it".to_string(),
            // The other names of the list are no rules.
            None if NamedRules::read(&text).is_err() => "a field 'variant' states it".into(),
            None => format!("--header variant={name} reads it"),
        };
        Some(format!("'{name}' names the rule {rule}, and no field states it; {remedy}"))
    })
}

/// Returns the names and the texts of fields that are not read, and that list rules.
fn lists_of_rules(named: &NamedFields<'_>, settings: &Settings) -> Vec<(String, String)> {
    let (names, fields) = match named {
        NamedFields::None => return Vec::new(),
        NamedFields::InOrder { names, fields } => (names, fields),
        NamedFields::Object(object) => return object.lists_of_rules(&settings.options.header),
    };
    let lists = (0..fields.len()).filter(|&index| lists_rules(&fields[index]));
    let unread = lists.filter(|&index| names.field_of(index).is_none());
    let text = |index: usize| String::from_utf8_lossy(&fields[index]).into_owned();
    unread.map(|index| (names.name(index), text(index))).collect()
}

/// Returns true if the run, the puzzle or a field beside it states a rule, or one that needs cells
/// is perhaps that of other cells.
fn has_rule(name: &str, read: &KnownFields<'_>, settings: &Settings) -> bool {
    let fields = &read.fields;
    if matches!(read.kind, PuzzleKind::Described(_)) || fields.constraints.is_some() {
        return true;
    }
    let of_record = fields.variant.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    let of_record = NamedRules::read(&of_record).unwrap_or_default();
    let Ok(Some(variants)) = Variants::stated(name) else {
        let has_rules = fields.rules.as_ref().is_some_and(|rules| rules.has_rules());
        return has_rules || of_record.other.is_some();
    };
    let of_keys = fields.rules.as_ref().map(|rules| &rules.variants);
    let has = |variant: Variant| match variant {
        Variant::Killer if given(&fields.cages).is_some() => true,
        Variant::Jigsaw if given(&fields.regions).is_some() => true,
        Variant::Jigsaw if fields.rules.as_ref().is_some_and(|it| it.regions.is_some()) => true,
        _ => {
            settings.options.variants.contains(variant)
                || of_record.variants.as_ref().is_some_and(|it| it.contains(variant))
                || of_keys.is_some_and(|it| it.contains(variant))
        }
    };
    variants.iter().all(has)
}

/// Returns the reason why a record is invalid whose puzzle `--keep` copies without a field that
/// states one of its rules.
fn dropped_rule(
    named: &NamedFields<'_>,
    read: &RecordFields<'_>,
    settings: &Settings,
) -> Option<String> {
    let Options { kept, header: names, alphabet, .. } = &*settings.options;
    if matches!(kept, KeptFields::All) || !settings.output.copies_records() {
        return None;
    }
    let rules = StatedFields::of(read, settings);
    let states = |fields: Option<RecordFields<'_>>| {
        fields.is_some_and(|fields| StatedFields::of(&fields, settings) != rules)
    };
    let name = match named {
        NamedFields::None => return None,
        NamedFields::InOrder { names: Names::Option(_), .. } => return None,
        NamedFields::InOrder { names: Names::Header(header), fields } => {
            let puzzle = header.column(Field::Puzzle).filter(|&it| kept.has(header.name(it)))?;
            let without = |index: usize| {
                let mut fields = fields.clone();
                fields[index] = Cow::Borrowed(b"");
                header.fields(&fields).ok()
            };
            let is_dropped = |&index: &usize| {
                index != puzzle && !kept.has(header.name(index)) && states(without(index))
            };
            Names::Header(header).name((0..fields.len()).find(is_dropped)?)
        }
        NamedFields::Object(object) => {
            let without =
                |key: &str| object.without(key).fields(names, alphabet, settings.expected).ok();
            let is_dropped = |key: &&str| {
                !kept.has(key.as_bytes())
                    && object.field_of(key, names) != Some(Field::Puzzle)
                    && states(without(key))
            };
            let is_kept = object.keeps(Field::Puzzle, kept, names);
            object.all_keys().filter(|_| is_kept).find(is_dropped)?.to_string()
        }
    };
    Some(format!("'{name}' states a rule of the puzzle, and --keep leaves it out"))
}

/// The rules of fields beside a puzzle that the output does not show in a column. New puzzles have
/// those of constraints themselves, or are refused.
#[derive(PartialEq)]
struct StatedFields {
    regions: Option<Vec<u8>>,
    cages: Option<Vec<u8>>,
    constraints: Option<Vec<u8>>,
    variants: Variants,
    rules: Option<Box<RecordRules>>,
}

impl StatedFields {
    fn of(fields: &RecordFields<'_>, settings: &Settings) -> StatedFields {
        let columns = &settings.columns;
        let given = |field| given(field).map(<[u8]>::to_vec);
        let cells = fields.puzzle.len();
        let regions = given(&fields.regions).filter(|it| can_be_layout(it, cells, settings));
        let named = fields.variant.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let named = NamedRules::read(&named).unwrap_or_default().variants.unwrap_or_default();
        let mut rules = fields.rules.clone();
        let of_keys = rules.as_mut().map(|rules| take(&mut rules.variants)).unwrap_or_default();
        let is_kept = settings.options.mode.writes_other_puzzles();
        StatedFields {
            regions: regions.filter(|_| !columns.have(&Column::Regions)),
            cages: given(&fields.cages)
                .filter(|it| looks_like_cages(it) && !columns.have(&Column::Cages)),
            constraints: given(&fields.constraints).filter(|_| !is_kept),
            variants: of_keys.iter().fold(named, Variants::with),
            rules: rules.filter(|rules| !is_kept && rules.has_rules()),
        }
    }
}
