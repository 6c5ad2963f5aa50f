"""The folder that a tool is called with: the account's name and password, and what makes values that would be cut an error."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shardwright.runtime.ddl.online.tools import PLUGIN, SECRETS, ToolName
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.servers import Address

_NO_TRUNCATION = """package pt_online_schema_change_plugin;
# Rows are copied with INSERT IGNORE, and pt-online-schema-change only warns when a value was cut (1265).
# The server itself refuses such a change. The copy ends here, before the tables are swapped.
use strict;
sub new {
   my ($class) = @_;
   $SIG{__WARN__} = sub {
      my ($said) = @_;
      die $said if $said =~ m/MySQL error 1265/;
      print STDERR $said;
   };
   return bless {}, $class;
}
1;
"""


@contextmanager
def secrets_folder(tool: ToolName, address: Address) -> Iterator[Path]:
    """Nobody else may read it, and it is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="shardwright-ddl-"))
    try:
        text = _pt_osc(address) if tool == "pt-osc" else _gh_ost(address)
        _write(folder / SECRETS, text)
        _write(folder / PLUGIN, _NO_TRUNCATION)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write(file: Path, text: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)


def _pt_osc(address: Address) -> str:
    user, password = (
        _whole(value).replace("\\", "\\\\").replace('"', '\\"') for value in (address.user, address.password)
    )
    # By TCP also where the host is called localhost.
    return f'[client]\nprotocol=tcp\nuser="{user}"\npassword="{password}"\n'


def _gh_ost(address: Address) -> str:
    return f"[client]\nuser = {_raw(address.user)}\npassword = {_raw(address.password)}\n"


def _raw(value: str) -> str:
    """As the tool's reader of INI files takes it letter by letter."""
    if "`" in _whole(value) or value.startswith("${"):
        raise Refused("SW8444", "gh-ost's file cannot hold this user name or password (it has a ` or begins with ${)")
    return f"`{value}`"


def _whole(value: str) -> str:
    if any(ord(letter) < 32 for letter in value):
        raise Refused("SW8444", "a user name or password with a control character cannot be handed to a tool")
    return value
