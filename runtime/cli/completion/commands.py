"""Which commands, options and values does the parser know, as data? Pure; used in the process of the command."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from shardwright.compiler.review.report.reporters import FORMATS


class Files(Enum):
    """Values that the shell itself completes. Environments are the names of environments/*.yaml."""

    ANY = "any"
    FOLDERS = "folders"
    ENVIRONMENTS = "environments"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Value:
    """What may follow an option or be an argument: one of `words`, or values that the shell completes."""

    words: tuple[str, ...] = ()
    files: Files = Files.NONE


@dataclass(frozen=True, slots=True)
class Option:
    """`names` are such as ("-o", "--output"). `value` None: a flag."""

    names: tuple[str, ...]
    help: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class Command:
    """A verb or action. `path` begins with the program's name ("shardwright", "ddl", "apply")."""

    path: tuple[str, ...]
    help: str
    options: tuple[Option, ...]
    argument: Value | None
    commands: tuple[Command, ...]

    def everything(self) -> Iterator[Command]:
        """This command and all below it."""
        yield self
        for command in self.commands:
            yield from command.everything()


def read_commands(parser: argparse.ArgumentParser, *, path: tuple[str, ...], help: str = "") -> Command:
    """The command that a parser understands, with all below it."""
    options: list[Option] = []
    argument: Value | None = None
    commands: list[Command] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            texts = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, below in action.choices.items():
                commands.append(read_commands(below, path=(*path, name), help=texts.get(name, "")))
        elif action.option_strings:
            value = None if action.nargs == 0 else _value(action)
            options.append(Option(tuple(action.option_strings), _one_line(action.help), value))
        else:
            argument = _value(action)
    return Command(path, _one_line(help), tuple(options), argument, tuple(commands))


def _value(action: argparse.Action) -> Value:
    if action.choices is not None:
        return Value(tuple(map(str, action.choices)))
    if "--env" in action.option_strings:
        return Value(files=Files.ENVIRONMENTS)
    match action.metavar:
        case "FORMAT[=PATH]":
            return Value(FORMATS)
        case "DIR":
            return Value(files=Files.FOLDERS)
        case "PATH" | "FILE":
            return Value(files=Files.ANY)
    return Value()


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())
