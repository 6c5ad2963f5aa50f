"""`completion`: which script completes commands in a shell? Runs in the process of the command; prints only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping

from shardwright.runtime.cli.completion.bash import bash_script
from shardwright.runtime.cli.completion.commands import Command, read_commands
from shardwright.runtime.cli.completion.fish import fish_script
from shardwright.runtime.cli.completion.zsh import zsh_script
from shardwright.runtime.cli.main import build_parser

SCRIPTS: Mapping[str, Callable[[Command], str]] = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}


def execute(arguments: argparse.Namespace) -> int:
    sys.stdout.write(SCRIPTS[arguments.shell](read_commands(build_parser(), path=("shardwright",))))
    return 0
