"""What is the completion script for bash 3.2 and later? Pure; used in the process of the command.

Names of files are never given to `compgen -W`, which expands each word again: a name such as `$(command)` would be run.
They are not left to be split and matched against files either, nor put into the line unquoted.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.runtime.cli.completion.commands import Command, Files, Value

_HEAD = r"""# Completion of shardwright for bash: source it, or put it into ~/.local/share/bash-completion/completions/shardwright
_shardwright_files() {
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    type compopt >/dev/null 2>&1 || printf -v name '%q' "$name"
    COMPREPLY+=("$name")
  done <<<"$(compgen "$1" -- "$current")"
  [[ ${COMPREPLY[0]} ]] || COMPREPLY=()
}
_shardwright_environments() {
  local name
  for name in environments/*.y*ml; do
    name=${name##*/}
    name=${name%.*}
    [[ $name == "$current"* && $name =~ ^[A-Za-z0-9][A-Za-z0-9_-]*$ ]] && COMPREPLY+=("$name")
  done
}
_shardwright() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path=shardwright i
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${COMP_WORDS[i]}" in
      __PATHS__) path="$path ${COMP_WORDS[i]}" ;;
      __TAKING__) [[ ${COMP_WORDS[i+1]} == "=" ]] && i=$((i + 1)); i=$((i + 1)) ;;
    esac
  done
  COMPREPLY=()
  case "$path $previous" in
"""
_MIDDLE = r"""  esac
  case "$path" in
"""
_TAIL = r"""  esac
}
complete -F _shardwright shardwright
"""
_OF_FILES = {
    Files.ANY: "_shardwright_files -f",
    Files.FOLDERS: "_shardwright_files -d",
    Files.ENVIRONMENTS: "_shardwright_environments",
    Files.NONE: ":",
}


def bash_script(command: Command) -> str:
    commands = list(command.everything())
    paths = [_quoted(each.path) for each in commands if len(each.path) > 1]
    taking = [_quoted((*each.path, name)) for each, name in _options_with_value(commands)]
    head = _HEAD.replace("__PATHS__", "|".join(paths)).replace("__TAKING__", "|".join(taking))
    return head + "".join(_values(commands)) + _MIDDLE + "".join(map(_words, commands)) + _TAIL


def _options_with_value(commands: list[Command]) -> Iterator[tuple[Command, str]]:
    for command in commands:
        for option in command.options:
            if option.value is not None:
                yield from ((command, name) for name in option.names)


def _values(commands: list[Command]) -> Iterator[str]:
    for command in commands:
        for option in command.options:
            if option.value is not None:
                names = "|".join(_quoted((*command.path, name)) for name in option.names)
                yield f"    {names}) {_completing(option.value)}; return ;;\n"


def _words(command: Command) -> str:
    """What may begin here: a sub-command, an option, or the argument."""
    options = " ".join(name for option in command.options for name in option.names)
    lines = [f"    {_quoted(command.path)})", "      if [[ $current == -* ]]; then"]
    lines.append(f'        COMPREPLY=($(compgen -W "{options}" -- "$current"))')
    lines.append("      else")
    if command.commands:
        lines.append(f"        {_completing(Value(tuple(below.path[-1] for below in command.commands)))}")
    else:
        lines.append(f"        {_completing(command.argument or Value())}")
    return "\n".join([*lines, "      fi ;;", ""])


def _completing(value: Value) -> str:
    if value.words:
        return f'COMPREPLY=($(compgen -W "{" ".join(value.words)}" -- "$current"))'
    return _OF_FILES[value.files]


def _quoted(words: tuple[str, ...]) -> str:
    return f'"{" ".join(words)}"'
