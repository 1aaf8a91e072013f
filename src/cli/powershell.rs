//! Completions for PowerShell: a script that registers a completer for the program.

use super::flags::{self, Flag, Offer};

const BEGIN: &str = r#"# Completes sudoku-filter in PowerShell. Written by sudoku-filter --generate complete-powershell.

Register-ArgumentCompleter -Native -CommandName sudoku-filter -ScriptBlock {
    param($word, $command, $cursor)

    # Each option, with what it does.
    $options = [ordered]@{
"#;

const MIDDLE: &str = r#"    }
    # The values to offer for an option. "list" options take several, separated by commas.
    $values = @{
"#;

const LISTS: &str = r#"    }
    $lists = "#;

const END: &str = r#"
    # The words that end before the cursor, and the text of the one that reaches it.
    $words = @($command.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } |
        ForEach-Object { $_.Extent.Text })
    $typed = @($command.CommandElements | Where-Object { $_.Extent.EndOffset -ge $cursor } |
        ForEach-Object { $_.Extent.Text })[0]
    if ($words -ccontains '--') { return }
    $option = if ($words.Count -gt 1) { $words[-1] } else { '' }
    $before = ''
    $current = $word
    if ($word -match '^(--[^=]+)=(.*)$') {
        $option = $Matches[1]
        $before = "$option="
        $current = $Matches[2]
    }
    if ($values.ContainsKey($option)) {
        $offered = $values[$option]
        if ($lists -ccontains $option) {
            # PowerShell passes all of a list or only its last word. Offers words that are not in the list yet.
            $taken = @("$typed" -replace '^--[^=]+=', '' -split ',' | Select-Object -SkipLast 1)
            if ($current.Contains(',')) {
                $end = $current.LastIndexOf(',') + 1
                $before += $current.Substring(0, $end)
                $current = $current.Substring($end)
            }
            $offered = $offered | Where-Object { $taken -cnotcontains $_ }
        }
        $offered | Where-Object { $_.StartsWith($current) } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new("$before$_", $_, 'ParameterValue', $_)
        }
        return
    }
    if ($word.StartsWith('-')) {
        $options.Keys | Where-Object { $_.StartsWith($word) } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterName', $options[$_])
        }
    }
}
"#;

/// Returns the script. If the script offers nothing, as for the value of an option without words, PowerShell offers files.
pub fn completions() -> String {
    let options: String = flags::all()
        .map(|flag| entries(flag, &quoted(&flag.summary())))
        .collect();
    let values: String = flags::all().map(value_entries).collect();
    let lists = flags::all().filter(|flag| matches!(flag.offer(), Offer::Words(_)));
    let lists: Vec<String> = lists.flat_map(Flag::names).map(quoted).collect();
    let lists = format!("@({})", lists.join(", "));
    [BEGIN, &options, MIDDLE, &values, LISTS, &lists, END].concat()
}

/// Returns lines of a PowerShell hash table: one for each name of an option, all with this value.
fn entries(flag: &Flag, value: &str) -> String {
    flag.names()
        .map(|name| format!("        {} = {value}\n", quoted(name)))
        .collect()
}

/// Returns the lines of an option for the hash table of words to offer. Empty if the option has no words.
fn value_entries(flag: &Flag) -> String {
    let words: Vec<String> = flag.offer().words().into_iter().map(quoted).collect();
    if words.is_empty() {
        return String::new();
    }
    entries(flag, &format!("@({})", words.join(", ")))
}

/// Returns the text in single quotes. Single quotes within it are doubled.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
