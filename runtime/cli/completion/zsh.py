"""What is the completion script for zsh? One function for each command, through `_arguments`.

Pure; used in the process of the command.
"""

from __future__ import annotations

from shardwright.runtime.cli.completion.commands import Command, Files, Option, Value

_HEAD = """#compdef shardwright
# Completion of shardwright for zsh: write it to a folder of $fpath as _shardwright
_shardwright_environments() {
  local -a names=(environments/*.y(|a)ml(N:t:r))
  compadd -a names
}

"""
_ACTIONS = {
    Files.ANY: "_files",
    Files.FOLDERS: "_files -/",
    Files.ENVIRONMENTS: "_shardwright_environments",
    Files.NONE: " ",
}


def zsh_script(command: Command) -> str:
    functions = [_function(each) for each in command.everything()]
    return (
        _HEAD
        + "\n".join(functions)
        + '\nif [[ $funcstack[1] == _shardwright ]]; then\n  _shardwright "$@"\n'
        + ("else\n  compdef _shardwright shardwright\nfi\n")
    )


def _function(command: Command) -> str:
    lines = [f"{_name(command)}() {{", "  local context state state_descr line", "  typeset -A opt_args"]
    specs = [f"    {_spec(option, name)}" for option in command.options for name in option.names]
    if command.commands:
        specs += ["    '1: :->command'", "    '*:: :->rest'"]
    elif command.argument is not None:
        specs.append(f"    {_quoted('*:argument:' + _action(command.argument))}")
    lines.append("  _arguments -C \\\n" + " \\\n".join(specs))
    if command.commands:
        lines += ["  case $state in", "    command)", "      local -a commands=("]
        lines += [f"        {_quoted(f'{_escaped(below.path[-1])}:{below.help}')}" for below in command.commands]
        lines += ["      )", "      _describe command commands ;;", "    rest)", "      case $line[1] in"]
        lines += [f"        {below.path[-1]}) {_name(below)} ;;" for below in command.commands]
        lines += ["      esac ;;", "  esac"]
    return "\n".join([*lines, "}", ""])


def _spec(option: Option, name: str) -> str:
    repeat = "*" if option.value is not None else ""
    text = f"{repeat}{name}[{_in_brackets(option.help)}]"
    if option.value is not None:
        text += f":value:{_action(option.value)}"
    return _quoted(text)


def _action(value: Value) -> str:
    return f"({' '.join(value.words)})" if value.words else _ACTIONS[value.files]


def _name(command: Command) -> str:
    return "_" + "_".join(command.path).replace("-", "_")


def _in_brackets(text: str) -> str:
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def _escaped(text: str) -> str:
    return text.replace(":", "\\:")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
