"""Which checks does one target server get, and which each of its target databases?

Runs in the driver; reads the shards, writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pymysql
from pymysql.connections import Connection
from sqlglot import exp

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import identifier
from shardwright.runtime.ddl.guards import (
    FOREIGN_KEYS,
    TRIGGERS,
    events,
    foreign_keys,
    physical_names,
    triggers,
)
from shardwright.runtime.ledger.members import has_written
from shardwright.runtime.mysql.check import Check, Fault, Verdict, has_refusal, judge_faults, warn
from shardwright.runtime.mysql.errors import NO_SUCH_COLLATION, NO_SUCH_TYPE
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.preflight.any_server import connection_room, server_kind, session_variables
from shardwright.runtime.run.preflight.computed_keys import check_server_support, find_computed_keys
from shardwright.runtime.run.preflight.context import Context, variables
from shardwright.runtime.run.preflight.free_space import free_space
from shardwright.runtime.run.preflight.grants import target_grants
from shardwright.runtime.run.preflight.ledger_writers import ledger_writers
from shardwright.runtime.run.preflight.source_server import COMPARED
from shardwright.runtime.run.preflight.target_tables import check_existing_rows, tables_in_the_way

_BESIDE_THE_TASKS: Final = 6
_ASKED_FOR: Final = {
    "uuid": "SELECT CAST(NULL AS UUID)",
    "inet4": "SELECT CAST(NULL AS INET4)",
    "inet6": "SELECT CAST(NULL AS INET6)",
    "vector": "SELECT HEX(STRING_TO_VECTOR('[1]'))",
}
"""What only a server runs that has the type. MariaDB's VECTOR is not MySQL's."""


def target_checks(
    context: Context, connection: Connection[Any], databases: Sequence[str], where: str
) -> Iterator[Check]:
    """Checks of the server as a whole. `connection` is in no database, so that a database that may not be used is
    reported as a missing grant."""
    yield server_kind(connection, where)
    yield session_variables(where)
    ledgers = [context.servers.ledger_of(database) for database in databases]
    used = dict.fromkeys((*databases, *ledgers))
    grants = list(
        judge_faults("grants", where, target_grants(connection, used, where), otherwise="all required grants present")
    )
    yield from grants
    if has_refusal(grants):
        return
    yield ledger_writers(connection, ledgers, where)
    yield from judge_faults("local_infile", where, local_infile(connection), otherwise="ON")
    if context.plan.keyless_tables:
        yield from judge_faults(
            "primary keys", where, _demands_keys(connection, context.plan), otherwise="not demanded"
        )
    yield from judge_faults(
        "collations", where, _collations(connection, context.plan), otherwise="all collations supported"
    )
    if any(column.type.name == "json" for table in context.plan.tables for column in table.columns):
        yield from judge_faults("documents", where, _documents(connection, context.plan), otherwise="MySQL's JSON")
    if computed := list(find_computed_keys(context.plan)):
        found = check_server_support(connection, computed)
        yield from judge_faults("computed keys", where, found, otherwise="keys over expressions supported")
    if any(column.type.name in _ASKED_FOR for table in context.plan.tables for column in table.columns):
        yield from judge_faults("types", where, _types(connection, context.plan), otherwise="all column types known")
    yield from _settings(context, connection, where)
    needed = context.demands.connections_to(shards=len(databases)) + _BESIDE_THE_TASKS
    yield from connection_room(connection, where, needed)
    yield from free_space(context, connection, databases, where)


def database_checks(context: Context, connection: Connection[Any], shard: int, where: str) -> Iterator[Check]:
    """Checks of one target database, which `connection` is in."""
    database = context.plan.databases[shard]
    ours = physical_names(context.plan, shard)
    for name, code, faults in (
        ("triggers", TRIGGERS, triggers(connection, database, ours)),
        ("foreign keys", FOREIGN_KEYS, foreign_keys(connection, database, ours)),
    ):
        found = list(faults)
        if found and code in context.demands.allowed:
            yield Check(
                name, where, Verdict.WARNING, f"{len(found)} in {database}, allowed", "they act on what is written"
            )
        else:
            yield from judge_faults(name, where, found, otherwise=f"none in {database}")
    acting = events(connection, database)
    yield warn(
        "events", where, warning=f"{', '.join(acting[:3])} in {database} may change rows by themselves" if acting else None,  # noqa: E501
        way_out="ALTER EVENT ... DISABLE until the applications move over",
        otherwise=f"none enabled in {database}, as far as the account is shown them",
    )  # fmt: skip
    if context.has_begun or has_written(connection, context.plan.migration):
        yield Check("existing data", where, Verdict.OK, f"the migration has begun in {database}")
        return
    if context.lost_home is not None:
        return  # the rows are the migration's own
    in_the_way = list(tables_in_the_way(connection, context.plan, shard))
    yield from judge_faults("target tables", where, in_the_way, otherwise=f"no conflicts in {database}")
    if not in_the_way:
        yield from check_existing_rows(context, connection, shard, where)


def local_infile(connection: Connection[Any]) -> Iterator[Fault]:
    if variables(connection, "local_infile").get("local_infile", "ON").upper() not in ("ON", "1"):
        yield Fault("SW8145", "the server takes no LOAD DATA LOCAL", "SET GLOBAL local_infile = ON")


def _demands_keys(connection: Connection[Any], plan: Plan) -> Iterator[Fault]:
    """Tables without a key have none on the targets either; all others, and ours, have one."""
    found = variables(connection, "sql_require_primary_key", "sql_generate_invisible_primary_key")
    if found.get("sql_require_primary_key") == "ON" and found.get("sql_generate_invisible_primary_key") != "ON":
        names = ", ".join(table.logical for table in plan.keyless_tables)
        yield Fault(
            "SW8171",
            f"the server takes no table without a primary key (sql_require_primary_key), and {names} has none",
            "SET GLOBAL sql_require_primary_key = OFF",
        )


def _collations(connection: Connection[Any], plan: Plan) -> Iterator[Fault]:
    for table in plan.tables:
        create = parse_sql(plan.step(table.logical, StepName.CREATE_TABLE).statement("create"))
        named = (*create.find_all(exp.CollateProperty), *create.find_all(exp.CollateColumnConstraint))
        wanted = {node.this.name.lower() for node in named}
        for name in sorted(wanted):
            if _knows_collation(connection, name):
                continue
            found = f"table {table.logical} is to have collation {name}, which the server does not know"
            yield Fault("SW8146", found, "use a server of the source's kind, or convert the source's column first")


def _documents(connection: Connection[Any], plan: Plan) -> Iterator[Fault]:
    if not is_mariadb(connection):
        return
    for table in plan.tables:
        for column in table.columns:
            if column.type.name == "json":
                found = f"column {column.target} of table {table.logical} is MySQL's JSON, and the server is MariaDB"
                yield Fault("SW8153", found, "use a MySQL server, or exclude the column, or cast it to longtext")


def _types(connection: Connection[Any], plan: Plan) -> Iterator[Fault]:
    columns = [(table.logical, column) for table in plan.tables for column in table.columns]
    used = {column.type.name for _, column in columns} & _ASKED_FOR.keys()
    unknown = {name for name in used if not _runs(connection, _ASKED_FOR[name])}
    for logical, column in columns:
        if (name := column.type.name) in unknown:
            found = f"column {column.target} of table {logical} is {name.upper()}, which the server does not know"
            instead = "varbinary or a blob" if name == "vector" else "varchar or char"
            yield Fault("SW8154", found, f"use a server of the source's kind and version, or cast it to {instead}")


def _runs(connection: Connection[Any], sql: str) -> bool:
    try:
        query(connection, sql)
    except pymysql.err.MySQLError as error:
        if error.args and error.args[0] in NO_SUCH_TYPE:
            return False
        raise
    return True


def _knows_collation(connection: Connection[Any], name: str) -> bool:
    """Tries the collation: MariaDB's catalogue has collations of several character sets without their prefix."""
    charset = name.split("_", 1)[0]
    try:
        query(
            connection,
            f"SELECT CONVERT('' USING {identifier(charset).sql('mysql')}) COLLATE {identifier(name).sql('mysql')}",
        )
    except pymysql.err.MySQLError as error:
        if error.args and error.args[0] in NO_SUCH_COLLATION:
            return False
        raise
    return True


def _settings(context: Context, connection: Connection[Any], where: str) -> Iterator[Check]:
    """Compares the server's settings with the source's. A run sets its own session; the applications that move over
    do not."""
    theirs, found = context.settings, variables(connection, *COMPARED)
    zones = [(side.get("time_zone"), side.get("system_time_zone")) for side in (theirs, found)]
    shown = [f"{zone} ({system})" if zone == "SYSTEM" else str(zone) for zone, system in zones]
    yield warn(
        "time zone", where, warning=f"{shown[1]}, the source has {shown[0]}" if theirs and shown[0] != shown[1] else None,  # noqa: E501
        way_out="a run works in UTC; set it for the applications before cut-over", otherwise=shown[1],
    )  # fmt: skip
    modes = [set(filter(None, side.get("sql_mode", "").split(","))) for side in (theirs, found)]
    other = ", ".join(sorted(modes[0] ^ modes[1]))
    yield warn(
        "sql_mode", where, warning=f"differs from the source's in {other}" if theirs and other else None,
        way_out="a run sets its own; set it for the applications before cut-over", otherwise="as the source's",
    )  # fmt: skip
    packets = [int(side.get("max_allowed_packet", 0)) for side in (theirs, found)]
    yield warn(
        "max_allowed_packet", where,
        warning=f"{packets[1]}, the source has {packets[0]}" if packets[1] < packets[0] else None,
        way_out=f"SET GLOBAL max_allowed_packet = {packets[0]}", otherwise=str(packets[1]),
    )  # fmt: skip
