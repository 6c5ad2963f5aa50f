"""Which rows of a source table have given keys, in the form of the log's images.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.runtime.mysql.keys import key_list, source_sql
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.text_protocol import fetch_rows

_KEYS_AT_ONCE = 2_000
Image = list[str | None]
"""All columns of the source table, in order; those that nothing reads are NULL."""


def images_by_key(
    reader: RawConnection, plan: Plan, logical: str, *, source: str, keys: Sequence[tuple[str, ...]]
) -> list[Image]:
    """The images of those keys that the source has, whether the row filter accepts them or not: the decode step applies
    it. `keys` as the decode step spells them."""
    table = plan.table(logical)
    name = next(item for item in table.sources if str(item) == source)
    statement = plan.step(logical, StepName.CHUNK_READ).statement("all")
    tree = parse_sql(source_sql(statement, name))
    assert isinstance(tree, exp.Select)
    columns = [sql.column(column.source) for column in table.key_columns]
    compared = columns[0] if len(columns) == 1 else exp.Tuple(expressions=columns)
    found: list[Image] = []
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        some = key_list(reader, [column.type for column in table.key_columns], keys[start : start + _KEYS_AT_ONCE])
        listing = tree.where(exp.In(this=compared, expressions=[exp.Var(this=some)]), append=False)
        for row in fetch_rows(reader, listing.sql(dialect="mysql"), columns=len(table.reads)).to_pylist():
            image: Image = [None] * len(table.source_columns)
            for column, value in zip(table.reads, row, strict=True):
                image[column.position] = value
            found.append(image)
    return found
