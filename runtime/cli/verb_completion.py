"""`completion`: which script completes commands in a shell? shtab writes it from the parser, so TAB never starts the
program. What is added here are names that only the project knows: environments, migrations and tables.

Runs in the process of the command; prints only. Names of files are never given to `compgen -W`, which expands each
word again: a name such as `$(command)` would be run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from typing import Final

import shtab

from shardwright.compiler.review.report.reporters import FORMATS
from shardwright.runtime.cli.main import build_parser
from shardwright.specs.findings.codes.registry import read_all_codes

_BASH = r"""
_shardwright_names() {
  local typed=$1 name
  shift
  for name; do
    name=${name%/} name=${name##*/} name=${name%.y*ml}
    [[ $name == "$typed"* && $name =~ ^[A-Za-z0-9][A-Za-z0-9_.-]*$ ]] && printf '%s\n' "$name"
  done
}
_shardwright_env() { _shardwright_names "$1" environments/*.y*ml; }
_shardwright_migration() { _shardwright_names "$1" build/*/; }
_shardwright_table() { _shardwright_names "$1" build/*/*/; }
"""
_BASH_END: Final = r"""
# Bash makes three words of --option=value, and shtab takes the value of --project for a verb if it is called like one.
_shardwright() {
  local word option=
  local -a words=()
  for word in "${COMP_WORDS[@]:0:COMP_CWORD}"; do
    [[ $word == = ]] && continue
    if [[ $option ]]; then
      option=
      unset "words[${#words[@]}-1]"
      continue
    fi
    words+=("$word")
    [[ $word == --project || $word == --color ]] && option=$word
  done
  word=${COMP_WORDS[COMP_CWORD]}
  [[ $word == = ]] && word=
  words+=("$word")
  local -a COMP_WORDS=("${words[@]}")
  local COMP_CWORD=$((${#words[@]} - 1))
  _shtab_shardwright
}
complete -o bashdefault -F _shardwright shardwright
"""
_ZSH = """
_shardwright_env() { local -a names=(environments/*.y(|a)ml(N:t:r)); compadd -a names }
_shardwright_migration() { local -a names=(build/*(N/:t)); compadd -a names }
_shardwright_table() { local -a names=(build/*/*(N/:t)); compadd -a names }
"""
_FISH = r"""
function _shardwright_env; for path in environments/*.y*ml; string replace -r '^.*/(.*)\.ya?ml$' '$1' $path; end; end
function _shardwright_migration; for path in build/*/; string replace -r '^.*/(.*)/$' '$1' $path; end; end
function _shardwright_table; for path in build/*/*/; string replace -r '^.*/(.*)/$' '$1' $path; end; end
"""
_FILES: Final = {"DIR": shtab.DIRECTORY, **dict.fromkeys(("PATH", "FILE", "SPEC", "RESULT"), shtab.FILE)}
_NAMES: Final = ("env", "migration", "table")


def execute(arguments: argparse.Namespace) -> int:
    sys.stdout.write(script_for(arguments.shell))
    return 0


def script_for(shell: str) -> str:
    """The script of `shell`, ending in a line break."""
    parser = build_parser()
    for action in all_actions(parser):
        _set_completion(action)
    text = shtab.complete(parser, shell, preamble={"bash": _BASH, "zsh": _ZSH, "fish": _FISH}[shell])
    return text.rstrip("\n") + (_BASH_END if shell == "bash" else "\n")


def _set_completion(action: argparse.Action) -> None:
    """`complete` is where shtab looks, and `choices` are what it takes for words."""
    if action.dest in _NAMES:
        name = f"_shardwright_{action.dest}"
        _complete(action, {"bash": name, "zsh": name, "fish": f"({name})"})
    elif isinstance(action.metavar, str) and action.metavar in _FILES:
        _complete(action, _FILES[action.metavar])
    elif action.metavar == "FORMAT[=PATH]":
        action.choices = FORMATS
    elif action.metavar == "CODE":
        action.choices = [entry.code for entry in read_all_codes()]


def _complete(action: argparse.Action, by_shell: Mapping[str, object]) -> None:
    vars(action)["complete"] = by_shell


def all_actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of its verbs."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from all_actions(below)
