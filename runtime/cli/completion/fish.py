"""What is the completion script for fish? One `complete` for each word that may be typed at some place.

Pure; used in the process of the command.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.runtime.cli.completion.commands import Command, Files, Option, Value

_HEAD = """# Completion of shardwright for fish: write it to ~/.config/fish/completions/shardwright.fish
function __shardwright_at --description 'whether the words before the cursor name this command'
    set -l path shardwright
    set -l is_value no
    for word in (commandline -opc)[2..]
        if test $is_value = yes
            set is_value no
            continue
        end
        switch "$path $word"
            case __PATHS__
                set path "$path $word"
            case __TAKING__
                set is_value yes
        end
    end
    test "$path" = "$argv"
end
complete -c shardwright -f
"""
_OF_FILES = {
    Files.ANY: "(__fish_complete_path (commandline -ct))",
    Files.FOLDERS: "(__fish_complete_directories (commandline -ct))",
    Files.ENVIRONMENTS: "(for i in environments/*.y*ml; string replace -r '^environments/(.*)\\.ya?ml$' '$1' $i; end)",
    Files.NONE: "",
}


def fish_script(command: Command) -> str:
    commands = list(command.everything())
    paths = [_quoted(" ".join(each.path)) for each in commands if len(each.path) > 1]
    taking = [
        _quoted(" ".join((*each.path, name)))
        for each in commands
        for option in each.options
        if option.value is not None
        for name in option.names
    ]
    head = _HEAD.replace("__PATHS__", " ".join(paths)).replace("__TAKING__", " ".join(taking))
    return head + "".join(f"{line}\n" for each in commands for line in _lines(each))


def _lines(command: Command) -> Iterator[str]:
    where = _quoted(f"__shardwright_at {' '.join(command.path)}")
    for below in command.commands:
        yield f"complete -c shardwright -n {where} -a {below.path[-1]} -d {_quoted(below.help)}"
    if not command.commands and command.argument is not None and (values := _values(command.argument)):
        yield f"complete -c shardwright -n {where} -a {_quoted(values)}"
    for option in command.options:
        yield f"complete -c shardwright -n {where} {_option(option)}"


def _option(option: Option) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    text = f"{' '.join(names)} -d {_quoted(option.help)}"
    if option.value is None:
        return text
    values = _values(option.value)
    return f"{text} -x -a {_quoted(values)}" if values else f"{text} -x"


def _values(value: Value) -> str:
    return " ".join(value.words) if value.words else _OF_FILES[value.files]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
