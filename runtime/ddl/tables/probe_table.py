"""What should a physical table look like on this server? The server itself answers, by creating a probe table that no
application uses. So no default of its version has to be known here.

Runs in the driver; creates and drops the probe table on one shard.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from pymysql.connections import Connection
from sqlglot import exp

from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.runtime.ddl.tables.definition import LiveTable, read_table
from shardwright.runtime.mysql.rows_database import among_rows

PROBE_TABLE = "_sw_probe"
"""With a digest of the migration behind it: the DDL of two migrations may be at work in one database."""
_PLACEHOLDER = "${suffix}"
_CHECK_ENDING = "~"


def probe_table(connection: Connection[Any], templates: Sequence[str]) -> LiveTable:
    """The definition that the CREATE TABLE and the changes after it lead to. Only under the shard's DDL lock: the name
    of the probe is the same for all of a migration."""
    with among_rows(connection), connection.cursor() as cursor:
        cursor.execute("SELECT LEFT(SHA2(COALESCE(@sw_migration, ''), 256), 8)")
        ((digest,),) = cursor.fetchall()
        probe = f"{PROBE_TABLE}_{digest}"
        cursor.execute(f"DROP TABLE IF EXISTS {probe}")
        try:
            for template in templates:
                cursor.execute(for_probe(template, probe))
            found = read_table(connection, probe, suffix=_CHECK_ENDING)
        finally:
            cursor.execute(f"DROP TABLE IF EXISTS {probe}")
    assert found is not None
    return found


@lru_cache(maxsize=256)
def for_probe(template: str, probe: str = PROBE_TABLE) -> str:
    """The statement for the probe. Names of checks get an ending of their own: on MySQL they are unique per schema."""
    tree = parse_sql(template)
    for name in tree.find_all(exp.Identifier):
        if isinstance(name.parent, exp.Table) and name.name.endswith(_PLACEHOLDER):
            name.set("this", probe)
        else:
            name.set("this", name.name.replace(_PLACEHOLDER, _CHECK_ENDING))
    return tree.sql(dialect="mysql", identify=True)
