"""Who gives a command, and how did it end? The audit of the first shard says so for each verb that writes, also where
it was refused or failed.

Runs in the process of the command; writes to the first shard.
"""

from __future__ import annotations

import argparse
import getpass
import os
import re
import shlex
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.metadata import version
from typing import Final

import pymysql

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.refusals import PlanRefused, ProjectRefused
from shardwright.runtime.failures import RuntimeFailure, Unreachable
from shardwright.runtime.ledger.audit import Actor, act_as, audit
from shardwright.runtime.mysql.servers import Servers
from shardwright.specs.findings.codes.registry import find_code

_LEFT_OUT: Final = frozenset(
    {"verb", "action", "project", "quiet", "verbose", "debug", "color", "format", "log_format", "log_file"}
)
_HIDDEN: Final = frozenset({"key"})
"""Their values are of rows."""
_SECRET: Final = re.compile(r"://[^/\s]*@|(?i:pass(?:word|wd)?|secret|token|credential)")
_NOT_SHOWN: Final = "..."


def operator() -> str:
    """user@host."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container without a name for its user
        user = f"uid {os.getuid()}"
    return f"{user}@{socket.gethostname()}"[:255]


def actor_of(arguments: argparse.Namespace, plan: Plan) -> Actor:
    caller = os.environ.get("SUDO_USER")
    who = f"{operator()}:{os.getpid()}" + (f" (sudo by {caller})" if caller else "")
    return Actor(who, version("shardwright"), plan.fingerprint, command_words(arguments))


def command_words(arguments: argparse.Namespace) -> str:
    """Verb and arguments as they might be typed. A value that looks like a secret, or is of a row, is left out."""
    words = _name_of(arguments).split()
    for name, value in vars(arguments).items():
        if name in _LEFT_OUT or value in (None, False, "", []):
            continue
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            words.append(_NOT_SHOWN if name in _HIDDEN or _SECRET.search(text) else shlex.quote(text))
    return " ".join(map(str, words))


def _name_of(arguments: argparse.Namespace) -> str:
    return " ".join(filter(None, (getattr(arguments, name, None) for name in ("verb", "action"))))


@contextmanager
def record_attempt(servers: Servers, migration: str, arguments: argparse.Namespace) -> Iterator[None]:
    """Around what a verb writes: one line before, one with its end. Where there is no ledger yet, or no answer, there
    is none: what the verb itself says is not hidden by that."""
    name = _name_of(arguments)
    note(servers, migration, f"{name}: given")
    try:
        yield
    except Unreachable:
        raise
    except BaseException as error:
        note(servers, migration, f"{name}: {_end_of(error)}", detail=_reason(error))
        raise
    note(servers, migration, f"{name}: done")


def note(servers: Servers, migration: str, what: str, *, detail: str = "") -> None:
    with suppress(RuntimeFailure, pymysql.err.MySQLError), closing(servers.connect_shard(0)) as connection:
        audit(connection, migration, what[:64], detail=detail)


def begin_as(arguments: argparse.Namespace, plan: Plan) -> None:
    """From now on the lines of this process name the operator and the command."""
    act_as(actor_of(arguments, plan))


def _end_of(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    refused = isinstance(error, (PlanRefused, ProjectRefused)) or getattr(error, "exit_code", None) == 6
    return "refused" if refused else "failed"


def _reason(error: BaseException) -> str:
    """By code: a message may hold values of rows."""
    code = getattr(error, "code", None)
    entry = find_code(str(code))
    return type(error).__name__ if entry is None else f"{code}: {entry.title}"
