//! Completions for bash: a script with a function, which `complete` registers for the program.

use super::flags::{self, Flag, Offer};

const BEGIN: &str = r#"# Completes sudoku-filter in bash. Written by sudoku-filter --generate complete-bash.

_sudoku_filter() {
    local IFS=$' \t\n'
    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    local before= words= list= files= open= taken word file index
    COMPREPLY=()
    for ((index = 1; index < COMP_CWORD; index++)); do
        # After -- there are only files.
        [[ ${COMP_WORDS[index]} == -- ]] && return
    done
    # By default readline splits --option=value into three words. It also ends a word at an @, although the text to
    # replace, $2, begins with the @.
    if [[ ${2-} == @* ]]; then
        [[ $option == *[@=] ]] && option=${COMP_WORDS[COMP_CWORD - 2]}
        current=$2
    elif [[ $current == "=" ]]; then
        current=
    elif [[ $option == "=" ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $current == --*=* ]]; then
        option=${current%%=*}
        before=$option=
        current=${current#*=}
    fi
    case $option in
"#;

const END: &str = r#"    esac
    if [[ $files ]]; then
        [[ -z $current || $current == @* ]] || return
        IFS=$'\n'
        COMPREPLY=($(compgen -f -- "${current#@}"))
        for index in "${!COMPREPLY[@]}"; do
            file=${COMPREPLY[index]}
            printf -v COMPREPLY[index] '%s@%q' "$before" "$file"
            [[ -d $file ]] && COMPREPLY[index]+=/ && compopt -o nospace 2> /dev/null
        done
        return
    fi
    open=$words
    if [[ $list ]]; then
        [[ $current == *,* ]] && before+=${current%,*},
        taken=,${current%"${current##*,}"}
        current=${current##*,}
        # Offers only words that are not in the list yet.
        open=
        for word in $words; do
            [[ $taken == *,$word,* ]] || open+=" $word"
        done
        compopt -o nospace 2> /dev/null
    fi
    COMPREPLY=($(compgen -P "$before" -W "$open" -- "$current"))
}

complete -o bashdefault -o default -F _sudoku_filter sudoku-filter
"#;

pub fn completions() -> String {
    let mut script = BEGIN.to_string();
    script.extend(flags::all().filter_map(case));
    let names: Vec<&str> = flags::all().flat_map(Flag::names).collect();
    script += &format!(
        "        *)
            [[ $current == -* ]] || return
            words=\"{}\"
            ;;
",
        names.join(" ")
    );
    script + END
}

/// Returns the branch of the script's `case` for the values of this option.
fn case(flag: &Flag) -> Option<String> {
    // The word after an option with an optional value is never this value, which must follow a `=`.
    flag.value().filter(|_| !flag.is_optional())?;
    let words = flag.offer().words().join(" ");
    let action = match flag.offer() {
        Offer::OneOf(_) | Offer::Described(_) => format!("words=\"{words}\""),
        Offer::SomeOf(_) => format!("words=\"{words}\" list=yes"),
        Offer::AtFile => "files=yes".to_string(),
        Offer::Anything => "compopt +o default +o bashdefault 2> /dev/null; return".to_string(),
    };
    let names: Vec<&str> = flag.names().collect();
    Some(format!("        {}) {action} ;;\n", names.join(" | ")))
}
