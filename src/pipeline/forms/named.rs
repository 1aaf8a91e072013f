//! The fields of a record by their names, in the forms that have names: for columns that copy them.

use std::borrow::Cow;
use std::mem::take;

use super::kind::{KnownFields, PuzzleKind};
use crate::pipeline::decode::can_be_layout;
use crate::pipeline::options::Options;
use crate::pipeline::settings::Settings;
use crate::text::columns::Column;
use crate::text::forms::json::JsonObject;
use crate::text::kept_fields::KeptFields;
use crate::text::notation::{is_constraint_string, looks_like_cages};
use crate::text::record::{Field, RecordFields, is_missing};
use crate::text::record_rules::RecordRules;
use crate::text::rule_names::{NamedRules, lists_rules, rules_in_list};
use crate::text::unread::{is_column, is_layout, is_other_puzzle};
use crate::text::value::Value;
use engine::rules::{Variant, Variants};

/// Fields that have the name of a person, which can be any word.
const PEOPLE: [&str; 6] = ["author", "by", "constructor", "creator", "setter", "user"];

#[derive(Clone, Default)]
pub(in crate::pipeline) enum NamedFields<'a> {
    /// The record has no names, or could not be split.
    #[default]
    None,
    /// The fields that `--fields` or the header of CSV names, in this order. A line can have fewer.
    InOrder(Vec<Cow<'a, [u8]>>),
    Object(Box<JsonObject<'a>>),
}

pub(in crate::pipeline) struct NamedField<'v> {
    pub read_as: Option<Field>,
    /// `None` if the record ends before the field.
    pub value: Option<Value<'v>>,
}

impl<'a> NamedFields<'a> {
    pub fn field(&self, name: &str, settings: &Settings) -> Option<NamedField<'_>> {
        match self {
            NamedFields::None => None,
            NamedFields::InOrder(fields) => {
                let (index, read_as) = match settings.csv_header.get() {
                    Some(header) => {
                        let index = header.index_of(name)?;
                        (index, header.field_of(index))
                    }
                    None => {
                        let names = settings.options.field_names.as_ref()?;
                        (names.index_of(name)?, Field::named(name))
                    }
                };
                let value = fields.get(index).map(|it| Value::of_field(&**it));
                Some(NamedField { read_as, value })
            }
            NamedFields::Object(object) if object.has_key(name) => Some(NamedField {
                read_as: object.field_of(name, &settings.options.header),
                value: Some(object.value(name)),
            }),
            NamedFields::Object(_) => None,
        }
    }
}

impl NamedFields<'_> {
    /// Returns the reason why a record is invalid that has a constraint string in a field which is
    /// not read. A copy of a field that is read needs no reading.
    pub fn unread_constraints(&self, settings: &Settings) -> Option<String> {
        let (name, has_constraints) = match self {
            NamedFields::None => return None,
            NamedFields::InOrder(fields) => unread_constraints_of(fields, settings)?,
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
}

impl NamedFields<'_> {
    /// Returns the reason why a record is invalid that has the layout of its puzzle in a field
    /// which is not read.
    pub fn unread_layout(&self, read: &RecordFields<'_>, settings: &Settings) -> Option<String> {
        if read.regions.is_some() {
            return None;
        }
        let (cells, names) = (read.puzzle.len(), &settings.options.header);
        let name = match (self, settings.csv_header.get()) {
            (NamedFields::InOrder(fields), Some(header)) => {
                let is_layout =
                    |&index: &usize| fields[index].len() == cells && is_layout(&fields[index]);
                name_at(header.unread().find(is_layout)?, settings)?
            }
            (NamedFields::Object(object), _) => object.unread_layout(cells, names)?.to_string(),
            _ => return None,
        };
        Some(format!("'{name}' holds a layout that is not read; --header regions={name} reads it"))
    }

    /// Returns the reason why a record is invalid that names a rule in a field which is not read,
    /// such as `"kind":"antiknight"`, unless the puzzle has this rule. If the user names the field of
    /// variants, all others are labels.
    pub fn unread_rule(&self, read: &KnownFields<'_>, settings: &Settings) -> Option<String> {
        let names = &settings.options.header;
        let named = self.lists_of_rules(settings);
        let is_label = |name: &str| {
            is_column(name) || PEOPLE.iter().any(|person| name.eq_ignore_ascii_case(person))
        };
        if names.of(Field::Variant).is_some() {
            return None;
        }
        named.into_iter().filter(|(name, _)| !is_label(name)).find_map(|(name, text)| {
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
    fn lists_of_rules(&self, settings: &Settings) -> Vec<(String, String)> {
        let fields = match self {
            NamedFields::InOrder(fields) => fields,
            NamedFields::Object(object) => return object.lists_of_rules(&settings.options.header),
            NamedFields::None => return Vec::new(),
        };
        let lists = (0..fields.len()).filter(|&index| lists_rules(&fields[index]));
        let unread = lists.filter(|&index| field_at(index, settings).is_none());
        let text = |index: usize| String::from_utf8_lossy(&fields[index]).into_owned();
        unread.filter_map(|index| Some((name_at(index, settings)?, text(index)))).collect()
    }

    /// Returns the reason why a record is invalid whose puzzle `--keep` copies without a field that
    /// states one of its rules.
    pub fn dropped_rule(&self, read: &RecordFields<'_>, settings: &Settings) -> Option<String> {
        let Options { kept, header: names, alphabet, .. } = &*settings.options;
        if matches!(kept, KeptFields::All) || !settings.output.copies_records() {
            return None;
        }
        let rules = StatedFields::of(read, settings);
        let states = |fields: Option<RecordFields<'_>>| {
            fields.is_some_and(|fields| StatedFields::of(&fields, settings) != rules)
        };
        let name = match (self, settings.csv_header.get()) {
            (NamedFields::InOrder(fields), Some(header)) => {
                let puzzle = header.column(Field::Puzzle)?;
                let without = |index: usize| {
                    let mut fields = fields.clone();
                    fields[index] = Cow::Borrowed(b"");
                    header.fields(&fields).ok()
                };
                let is_dropped = |&index: &usize| {
                    index != puzzle && !kept.has(header.name(index)) && states(without(index))
                };
                let dropped = (0..fields.len()).find(is_dropped)?;
                name_at(dropped, settings).filter(|_| kept.has(header.name(puzzle)))?
            }
            (NamedFields::Object(object), _) => {
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
            _ => return None,
        };
        Some(format!("'{name}' states a rule of the puzzle, and --keep leaves it out"))
    }

    /// Returns a remark if a field that CSV or JSON names, and that is not read, has another puzzle.
    pub fn remark_on_other_puzzle(&self, puzzle: &[u8], settings: &Settings) -> Option<String> {
        let name = self.other_puzzle(puzzle, settings)?;
        Some(format!(
            "'{name}' has a puzzle, which is not read; \
             --header puzzle=NAME reads the puzzles of that field"
        ))
    }

    /// Returns the name of a field of CSV or JSON that is not read and has another puzzle.
    fn other_puzzle(&self, puzzle: &[u8], settings: &Settings) -> Option<String> {
        let Options { alphabet, header: names, .. } = &*settings.options;
        match (self, settings.csv_header.get()) {
            (NamedFields::InOrder(fields), Some(header)) => {
                let is_other = |&index: &usize| is_other_puzzle(puzzle, &fields[index], alphabet);
                name_at(header.unread().find(is_other)?, settings)
            }
            (NamedFields::Object(object), _) => {
                object.other_puzzle(puzzle, names, alphabet).map(str::to_string)
            }
            _ => None,
        }
    }
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
        let given = |field: &Option<Cow<'_, [u8]>>| {
            field.as_deref().filter(|it| !is_missing(it)).map(<[u8]>::to_vec)
        };
        let side = fields.puzzle.len().isqrt();
        let regions = given(&fields.regions).filter(|it| can_be_layout(it, side, settings));
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
    let is_given =
        |field: &Option<Cow<'_, [u8]>>| !is_missing(field.as_deref().unwrap_or_default());
    let has = |variant: Variant| match variant {
        Variant::Killer if is_given(&fields.cages) => true,
        Variant::Jigsaw if is_given(&fields.regions) => true,
        Variant::Jigsaw if fields.rules.as_ref().is_some_and(|it| it.regions.is_some()) => true,
        _ => {
            settings.options.variants.contains(variant)
                || of_record.variants.as_ref().is_some_and(|it| it.contains(variant))
                || of_keys.is_some_and(|it| it.contains(variant))
        }
    };
    variants.iter().all(has)
}

/// Returns the name of a field with an unread constraint string, and true if another field of
/// constraints is read.
fn unread_constraints_of(fields: &[Cow<'_, [u8]>], settings: &Settings) -> Option<(String, bool)> {
    let index = fields.iter().position(|field| is_constraint_string(field))?;
    // The field of variants has names.
    let is_read =
        |index: usize| field_at(index, settings).is_some_and(|field| field != Field::Variant);
    let is_copy = |text: &[u8]| (0..fields.len()).any(|it| *fields[it] == *text && is_read(it));
    let is_unread =
        |&it: &usize| is_constraint_string(&fields[it]) && !is_read(it) && !is_copy(&fields[it]);
    let unread = (index..fields.len()).find(is_unread)?;
    let is_constraints = |it: usize| field_at(it, settings) == Some(Field::Constraints);
    Some((name_at(unread, settings)?, (0..fields.len()).any(is_constraints)))
}

fn field_at(index: usize, settings: &Settings) -> Option<Field> {
    match settings.csv_header.get() {
        Some(header) => header.field_of(index),
        None => Field::named(settings.options.field_names.as_ref()?.name(index)),
    }
}

fn name_at(index: usize, settings: &Settings) -> Option<String> {
    Some(match settings.csv_header.get() {
        Some(header) => header.name(index).escape_ascii().to_string(),
        None => settings.options.field_names.as_ref()?.name(index).to_string(),
    })
}
