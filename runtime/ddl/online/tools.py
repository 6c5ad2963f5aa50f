"""Which tools change a copy of a table beside its writers, and how is each called? With a folder that only we may read:
it has the account's password, and options that make it an error when a value would be cut.

Runs in the driver; writes that folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint

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
def secrets_folder(tool: ToolName, endpoint: Endpoint) -> Iterator[Path]:
    """No other account may read it, and it is removed at the end of the block."""
    folder = Path(tempfile.mkdtemp(prefix="shardwright-ddl-"))
    try:
        text = _pt_osc_secrets(endpoint) if tool == "pt-osc" else _gh_ost_secrets(endpoint)
        _write(folder / SECRETS, text)
        _write(folder / PLUGIN, _NO_TRUNCATION)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write(file: Path, text: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)


def _pt_osc_secrets(endpoint: Endpoint) -> str:
    user, password = (
        _whole(value).replace("\\", "\\\\").replace('"', '\\"') for value in (endpoint.account, endpoint.password)
    )
    # By TCP also where the host is called localhost.
    return f'[client]\nprotocol=tcp\nuser="{user}"\npassword="{password}"\n'


def _gh_ost_secrets(endpoint: Endpoint) -> str:
    return f"[client]\nuser = {_raw(endpoint.account)}\npassword = {_raw(endpoint.password)}\n"


def _raw(value: str) -> str:
    """In the form that the tool's reader of INI files takes letter by letter."""
    if "`" in _whole(value) or value.startswith("${"):
        raise Refused("SW8444", "gh-ost's file cannot hold this user name or password (it has a ` or begins with ${)")
    return f"`{value}`"


def _whole(value: str) -> str:
    if any(ord(letter) < 32 for letter in value):
        raise Refused("SW8444", "a user name or password with a control character cannot be handed to a tool")
    return value


ToolName = Literal["pt-osc", "gh-ost"]
TOOLS: Final[tuple[ToolName, ...]] = ("pt-osc", "gh-ost")
PROGRAMS: Final[Mapping[ToolName, str]] = {"pt-osc": "pt-online-schema-change", "gh-ost": "gh-ost"}
INSTALL: Final[Mapping[ToolName, str]] = {
    "pt-osc": "install Percona Toolkit (the package percona-toolkit of Debian, Ubuntu and Percona's repositories)",
    "gh-ost": "install a release of https://github.com/github/gh-ost",
}
MAX_LOAD: Final = 25
"""Statements in progress at which the tools pause where the environment names no limit: pt-online-schema-change's own
default."""

SECRETS: Final = "account.cnf"
PLUGIN: Final = "no_truncation.pm"
PAUSE: Final = "pause"
SOCKET: Final = "gh-ost.sock"

# The mode of the session in which we ourselves change tables, and in which the triggers of pt-online-schema-change
# write.
_SQL_MODE = r"STRICT_ALL_TABLES\,ERROR_FOR_DIVISION_BY_ZERO\,NO_ENGINE_SUBSTITUTION\,ALLOW_INVALID_DATES"


@dataclass(frozen=True, slots=True)
class Call:
    """The change of one physical table."""

    host: str
    """The shard's server."""
    port: str
    """Its port, as text."""
    database: str
    """The shard's database."""
    table: str
    """The physical table."""
    clauses: str
    """What follows ALTER TABLE and the table's name."""
    folder: str
    """Holds the secrets and the pause file; no other account may read it."""
    lock_wait_seconds: int = 5
    """Seconds that one try waits for the table."""
    threads_running: int = MAX_LOAD
    """More statements in progress on the server make the tool pause, twice as many end it."""


TEMPLATE: Final = Call("${host}", "${port}", "${database}", "${table}", "", "${folder}")
"""For a review without a server: `${…}` marks what is filled in later."""


def command(tool: ToolName, call: Call) -> tuple[str, ...]:
    return _pt_osc(call) if tool == "pt-osc" else _gh_ost(call)


def _pt_osc(call: Call) -> tuple[str, ...]:
    """`--config` comes first and names no file of the operator's. The tool does not search for replicas: we pause the
    copy by `--pause-file` for what `throttle` waits for. The plugin makes it an error when a value would be cut."""
    load = call.threads_running
    wait = call.lock_wait_seconds
    session = f"lock_wait_timeout={wait},innodb_lock_wait_timeout={wait},time_zone='+00:00',sql_mode='{_SQL_MODE}'"
    return (
        *(PROGRAMS["pt-osc"], "--config", "/dev/null", "--execute", "--alter", call.clauses),
        *("--charset", "utf8mb4", "--set-vars", session, "--recursion-method", "none"),
        *("--chunk-time", "0.5", "--max-load", f"Threads_running={load}"),
        *("--critical-load", f"Threads_running={2 * load}"),
        *("--tries", "create_triggers:6:2,swap_tables:6:2,drop_triggers:30:2"),
        *("--progress", "time,5", "--no-version-check", "--pause-file", f"{call.folder}/{PAUSE}", "--sleep", "0.1"),
        *("--plugin", f"{call.folder}/{PLUGIN}"),
        f"h={call.host},P={call.port},D={call.database},t={call.table},F={call.folder}/{SECRETS},A=utf8mb4",
    )


def _gh_ost(call: Call) -> tuple[str, ...]:
    """Runs on the shard's own server: its log is in ROW format (checked before), so replication need not be restarted.
    The tool does not drop what a killed one left (`--initially-drop-…`): it would not report what it dropped. Several
    tools at once need a server id each."""
    load = call.threads_running
    return (
        *(PROGRAMS["gh-ost"], f"--conf={call.folder}/{SECRETS}", f"--host={call.host}", f"--port={call.port}"),
        *(f"--database={call.database}", f"--table={call.table}", f"--alter={call.clauses}", "--execute"),
        *("--allow-on-master", "--assume-rbr", "--ok-to-drop-table", "--panic-on-warnings", "--verbose"),
        *("--charset=utf8mb4", f"--cut-over-lock-timeout-seconds={min(10, call.lock_wait_seconds)}"),
        *(f"--max-load=Threads_running={load}", f"--critical-load=Threads_running={2 * load}"),
        *("--default-retries=20", f"--throttle-flag-file={call.folder}/{PAUSE}"),
        *(f"--serve-socket-file={call.folder}/{SOCKET}", f"--replica-server-id={_server_id(call)}"),
    )


def _server_id(call: Call) -> str:
    if call.database.startswith("${"):
        return "${server_id}"
    return str(1_000_000_000 + zlib.crc32(f"{call.host}:{call.port}/{call.database}.{call.table}".encode()) % 10**9)


EXITS: Final[Mapping[int, str]] = {
    1: "invalid options, or it was stopped",
    2: "the server is too old",
    3: "the server lacks what the tool needs",
    4: "the table has neither a primary key nor a unique one",
    5: "its plugin could not be read",
    8: "the chunk index cannot be judged",
    9: "the chunk index cannot be followed",
    10: "the new table could not be created",
    11: "the new table could not be altered",
    12: "the triggers could not be created",
    13: "triggers could not be restored",
    14: "the tables could not be swapped",
    16: "the old table could not be dropped",
    17: "it does not do that",
    18: "it could not connect",
    19: "it lost its connection",
    255: "an error that its output names",
}
"""The exit codes of pt-online-schema-change, by its manual. gh-ost ends with 1 for every error."""


def meaning(tool: ToolName, code: int) -> str:
    """Words for an exit code that is not 0, as subprocess has it: negative for a signal."""
    if code < 0:
        return f"killed by signal {-code}"
    said = EXITS.get(code) if tool == "pt-osc" else None
    return f"exit code {code}: {said}" if said else f"exit code {code}"
