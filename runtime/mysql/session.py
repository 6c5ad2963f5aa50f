"""Which session variables every session of ours has, whatever the server's administrator set for all sessions (hazard
G4).

Runs in the driver and in Spark tasks, on every connection to a source, a shard or a log; changes the session only.

A global value is every session's value until the session sets its own. Some variables change what our statements mean
(`sql_select_limit` cuts a chunk without notice), some whether they may run (`sql_safe_updates`), some what they leave
behind (`default_storage_engine`). `tests/field/test_session_variables.py` compares the whole lists of both kinds of
server with this one: a variable is set here, or is in the test's list of harmless ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.errors import UNKNOWN_SYSTEM_VARIABLE, WRONG_VALUE_FOR_VARIABLE
from shardwright.runtime.mysql.joining import JoiningConnection, Waiting

_NAMED: Final = re.compile(r"'(\w+)'")
_NO_LIMIT: Final = str(2**64 - 1)


@dataclass(frozen=True, slots=True)
class SessionVariable:
    """`value` is as SET takes it and, without quotes, as the server shows it. `why`: the reason to set it. `optional`:
    some supported versions do not know it. `earlier`: the value for those that do not know `value`."""

    name: str
    value: str
    why: str
    optional: bool = False
    earlier: str | None = None


_MODES: Final = (
    "STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES"
)
_LOCK_WAIT: Final = "innodb_lock_wait_timeout"
_TABLE_WAIT: Final = "lock_wait_timeout"
_FOREIGN_KEYS: Final = "foreign_key_checks"

EVERY_SERVER: Final = (
    SessionVariable(
        "sql_mode", f"'{_MODES}'", "values arrive as they are or not at all; names and operators mean one thing"
    ),
    SessionVariable("time_zone", "'+00:00'", "TIMESTAMP is printed and read in UTC"),
    SessionVariable(_LOCK_WAIT, "", "the server times out before we do, so that a lock and a lost connection differ"),
    SessionVariable(_TABLE_WAIT, "", "the same for tables that another session locks or alters"),
    SessionVariable("net_write_timeout", "600", "a task may rest while it reads a chunk"),
    SessionVariable("net_read_timeout", "600", "a task may rest while it sends rows"),
    SessionVariable("wait_timeout", "28800", "kept connections are idle between batches"),
    SessionVariable("sql_select_limit", _NO_LIMIT, "it truncates every SELECT and SHOW without a warning"),
    SessionVariable("max_join_size", _NO_LIMIT, "it refuses SELECTs that may examine many rows"),
    SessionVariable("sql_big_selects", "1", "the same; set after max_join_size, which switches it off"),
    SessionVariable("sql_safe_updates", "0", "it refuses UPDATE and DELETE whose WHERE uses no index"),
    SessionVariable("sql_auto_is_null", "0", "`IS NULL` would find the row inserted last"),
    SessionVariable("sql_quote_show_create", "1", "names in SHOW CREATE TABLE are read as quoted ones"),
    SessionVariable("sql_notes", "1", "what LOAD DATA left out is counted by its warnings"),
    SessionVariable("sql_buffer_result", "0", "chunks are streamed, not gathered on the server"),
    SessionVariable("autocommit", "1", "MySQL greets with its own value, so a driver believes that it is set already"),
    SessionVariable("completion_type", "'NO_CHAIN'", "COMMIT would begin another transaction, or end the connection"),
    SessionVariable(_FOREIGN_KEYS, "1", "what the tables forbid is refused; 0 on the way back"),
    SessionVariable("unique_checks", "1", "without it InnoDB may take equal unique values"),
    SessionVariable("div_precision_increment", "4", "digits of a quotient in expressions of the spec"),
    SessionVariable("default_week_format", "0", "WEEK() in expressions of the spec"),
    SessionVariable("lc_time_names", "'en_US'", "names of days and months in expressions of the spec"),
    SessionVariable("lc_messages", "'en_US'", "which column or key an error is about is read from its words"),
    SessionVariable("group_concat_max_len", "1048576", "concatenated texts are truncated at it"),
    SessionVariable("max_sort_length", "1024", "texts are sorted by no more bytes"),
    SessionVariable("default_storage_engine", "'InnoDB'", "tables of ours take part in transactions"),
    SessionVariable("default_tmp_storage_engine", "'InnoDB'", "so do temporary ones"),
)
MARIADB_ONLY: Final = (
    SessionVariable("tx_isolation", "'REPEATABLE-READ'", "a read is one moment; locking reads keep gaps closed"),
    SessionVariable("tx_read_only", "0", "we write"),
    SessionVariable("max_statement_time", "0", "it ends statements that take long"),
    SessionVariable("idle_transaction_timeout", "0", "it ends connections that hold a snapshot"),
    SessionVariable("idle_readonly_transaction_timeout", "0", "the same"),
    SessionVariable("idle_write_transaction_timeout", "0", "the same"),
    SessionVariable("sql_if_exists", "0", "DDL would skip what is not there"),
    SessionVariable("check_constraint_checks", "1", "what the tables forbid is refused"),
    # MariaDB 10.5 has no such flag, and reads utf8 as the flag has it.
    SessionVariable("old_mode", "'UTF8_IS_UTF8MB3'", "LOAD DATA would give no warning of rows it passed over", earlier="''"),  # noqa: E501
    SessionVariable("default_regex_flags", "''", "REGEXP in expressions of the spec"),
    SessionVariable("character_set_collations", "''", "a text without a collation is compared as on any other version", optional=True),  # noqa: E501
    SessionVariable("innodb_snapshot_isolation", "0", "a row changed since the snapshot is waited for, not an error", optional=True),  # noqa: E501
)  # fmt: skip
MYSQL_ONLY: Final = (
    SessionVariable("transaction_isolation", "'REPEATABLE-READ'", "a read is one moment; locking reads keep gaps closed"),  # noqa: E501
    SessionVariable("transaction_read_only", "0", "we write"),
    SessionVariable("max_execution_time", "0", "it ends SELECTs that take long"),
    SessionVariable("use_secondary_engine", "'OFF'", "a secondary engine may be behind", optional=True),
    SessionVariable("show_gipk_in_create_table_and_information_schema", "1", "the log has invisible keys, too", optional=True),  # noqa: E501
)  # fmt: skip

_of_versions: dict[str, dict[str, str | None]] = {}
"""Server version -> variables that have another value there; None: it does not know them. Found once in a process."""


def set_session(
    connection: Connection[Any],
    where: object,
    *,
    lock_wait_seconds: int = 20,
    migration: str = "",
    checks_foreign_keys: bool = True,
) -> None:
    """Set all variables and read them back, since a proxy between us and the server may keep them for itself. `where`
    names the server in messages. Raises PyMySQL's error, or Refused (SW8150) when a variable has another value
    afterwards."""
    driver: Any = connection
    version = str(driver.get_server_info())
    own = MARIADB_ONLY if "mariadb" in version.lower() else MYSQL_ONLY
    wanted = {item.name: item.value for item in (*EVERY_SERVER, *own)}
    wanted[_LOCK_WAIT] = wanted[_TABLE_WAIT] = str(lock_wait_seconds)
    wanted[_FOREIGN_KEYS] = str(int(checks_foreign_keys))
    with connection.cursor() as cursor:
        while True:
            there = wanted | _of_versions.get(version, {})
            known = {name: value for name, value in there.items() if value is not None}
            try:
                settings = ", ".join(f"SESSION {name} = {value}" for name, value in known.items())
                statement = str(cursor.mogrify(f"SET {settings}, @sw_migration = %s", (migration,)))
                if isinstance(connection, JoiningConnection):
                    connection.send_later(Waiting(statement.encode(driver.encoding)))
                else:
                    cursor.execute(statement)
                cursor.execute("SELECT " + ", ".join(f"@@SESSION.{name}" for name in known))
                (found,) = cursor.fetchall()
                break
            except pymysql.err.MySQLError as error:
                otherwise = _read_otherwise(error, own)
                if not otherwise or otherwise.items() <= there.items():
                    raise
                _of_versions[version] = _of_versions.get(version, {}) | otherwise
    for (name, value), got in zip(known.items(), found, strict=True):
        if not _is_same(value.strip("'"), got):
            raise Refused(
                "SW8150",
                f"{where}: session variable {name} is {got!s} although it was set to {value}. A proxy or a pool "
                "between us and the server keeps it: connect to the server itself, or configure the proxy to pass "
                "SET on",
            )


def _read_otherwise(error: pymysql.err.MySQLError, own: Sequence[SessionVariable]) -> dict[str, str | None]:
    """The variable that the error names, and what it is on this version. Empty where it should be as elsewhere."""
    number, text = (*error.args, "", "")[:2]
    match = _NAMED.search(str(text))
    item = None if match is None else next((item for item in own if item.name == match[1].lower()), None)
    if item is not None and item.optional and number == UNKNOWN_SYSTEM_VARIABLE:
        return {item.name: None}
    if item is not None and item.earlier is not None and number == WRONG_VALUE_FOR_VARIABLE:
        return {item.name: item.earlier}
    return {}


def _is_same(wanted: str, got: object) -> bool:
    """Compare as numbers, or as words in any order: servers sort the modes."""
    try:
        return int(wanted) == int(str(got).removesuffix(".0").removesuffix(".000000"))
    except ValueError:
        return set(wanted.upper().split(",")) == set(str(got).upper().split(","))
