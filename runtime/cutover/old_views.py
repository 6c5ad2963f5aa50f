"""Which views on the shards have the old tables' names, and show what `shardwright router --views` printed? They end
with the migration.

Runs in the driver; drops views on the shards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing

import pymysql
from sqlglot import exp
from sqlglot.errors import SqlglotError

from shardwright.compiler.router.views import views_of_shard
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.events.cutover import OldView
from shardwright.runtime.mysql.transactions import execute, query

_DEFINITIONS = (
    "SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = %s AND table_name IN %s"
)


def drop_old_views(forward: Way) -> Iterator[OldView]:
    """One event for each view that is dropped, or that has to stay: no view keeps a migration from its end."""
    plan = forward.plan
    for shard, database in enumerate(plan.databases):
        wanted = {old: names for _, old, names in views_of_shard(plan, shard)}
        if not wanted:
            continue
        with closing(forward.connect_target(shard)) as connection:
            for name, definition in query(connection, _DEFINITIONS, (database, tuple(wanted))):
                if not definition:
                    yield OldView(database, name, kept="its definition is shown only to accounts with SHOW VIEW")
                    continue
                if not _reads(definition, wanted[name]):
                    continue  # a view of the team's own
                try:
                    execute(connection, f"DROP VIEW {quote(database)}.{quote(name)}")
                except pymysql.err.MySQLError as error:
                    yield OldView(database, name, kept=str(error.args[-1]))
                else:
                    yield OldView(database, name)


def _reads(definition: str, names: Collection[str]) -> bool:
    """Whether it reads all of these tables and nothing else."""
    try:
        parsed = parse_sql(definition)
    except SqlglotError:
        return False
    return {table.name for table in parsed.find_all(exp.Table)} == {*names}
