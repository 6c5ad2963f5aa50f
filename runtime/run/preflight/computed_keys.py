"""Can the shards have the keys over expressions as the source has them (hazard D10)?

Runs in the driver; reads source servers and shards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pymysql.connections import Connection
from sqlglot import exp

from shardwright.compiler.plan.catalogue import EXPRESSION, FunctionalKey
from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.key_expressions import part_of, rename_columns
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.named_columns import key_parts
from shardwright.compiler.sql.template import fill
from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import decode_text, query

_CODE = "SW8499"
_COLLATIONS = "SELECT hole_collations FROM (SELECT 1 AS sw_one) AS o LEFT JOIN hole_source AS t ON FALSE"


def find_computed_keys(plan: Plan) -> Iterator[tuple[str, str]]:
    """Logical table and key, of those over an expression. Only MySQL has them."""
    for table in plan.tables if plan.dialect == "mysql" else ():
        create = parse_sql(plan.step(table.logical, StepName.CREATE_TABLE).statement("create"))
        for key in create.find_all(exp.UniqueColumnConstraint, exp.IndexColumnConstraint):
            holder = key.this if isinstance(key.this, exp.Schema) else key
            if key_parts(holder.expressions) is None:
                yield table.logical, holder.this.name


def check_server_support(connection: Connection[Any], keys: Iterable[tuple[str, str]]) -> Iterator[Fault]:
    """Those of `find_computed_keys` that a shard's server cannot have."""
    for logical, name in keys if is_mariadb(connection) else ():
        found = f"key {name} of table {logical} is over an expression, and the server is MariaDB"
        yield Fault(_CODE, found, "use a MySQL server, or take the key out of the schema file and compile")


def check_collations(connection: Connection[Any], table: TablePlan, source: SourceName) -> Iterator[Fault]:
    """The unique keys whose text the source's server takes for another collation now than it did when they were made:
    a CAST to text takes that of the session, and SHOW CREATE TABLE does not name it."""
    keys = [key for key in table.identity.prefix_keys if isinstance(key, FunctionalKey)]
    if not keys or is_mariadb(connection):
        return
    names = {column.target: column.source for column in table.columns}
    names |= {column.target: column.source for column in table.generated}
    place = sql.table(source.table, database=source.database)
    kept = _read_collations(connection, place)
    for key in keys:
        texts = [(text, EXPRESSION) for text in rename_columns(key, names).expressions]
        asked = [exp.Anonymous(this="COLLATION", expressions=[part_of(text, "t")]) for text in texts]
        tree = fill(_COLLATIONS, "mysql", collations=asked, source=place)
        (now,) = query(connection, sql.to_sql(tree, "mysql"))
        for has, wanted in zip(kept.get(key.name.lower(), ()), now, strict=False):
            if has is not None and has != decode_text(wanted):
                found = f"unique key {key.name} of {source} compares by {has}, and its text means {decode_text(wanted)}"
                yield Fault(_CODE, found, "make it again with COLLATE in the expression, and import; or take it out")


def _read_collations(connection: Connection[Any], place: exp.Expr) -> dict[str, list[str | None]]:
    """By key, in lower case: the collation of each expression, in their order. A server keeps an expression's values
    as a hidden column `!hidden!KEY!PART!0`."""
    found: dict[str, list[tuple[int, str | None]]] = {}
    text = f"SHOW EXTENDED FULL COLUMNS FROM {sql.to_sql(place, 'mysql')}"
    for row in query(connection, text):
        name = str(decode_text(row[0]))
        if name.startswith("!hidden!"):
            key, part, _ = name.removeprefix("!hidden!").rsplit("!", 2)
            found.setdefault(key.lower(), []).append((int(part), decode_text(row[2])))
    return {key: [collation for _, collation in sorted(parts)] for key, parts in found.items()}
