"""Which columns did a table have before a DDL statement of its log? Known where the statement adds columns, or changes
none.

Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shardwright.compiler.ddl.alter.columns import AddColumn, DropColumn, ModifyColumn, RenameColumn
from shardwright.compiler.ddl.alter.read import parse_alter
from shardwright.compiler.plan.catalogue import Column

_CHANGES_NO_COLUMN: Final = re.compile(
    r"\s*(TRUNCATE|(CREATE|DROP)\s+(UNIQUE\s+|FULLTEXT\s+|SPATIAL\s+)?INDEX|(OPTIMIZE|ANALYZE|REPAIR)\s+TABLE)\b",
    re.IGNORECASE,
)


def columns_before(after: Sequence[Column], statement: str) -> tuple[Column, ...] | None:
    """`after` are the columns that the table had once the statement was executed. None: what it had before is not
    known."""
    if _CHANGES_NO_COLUMN.match(statement):
        return tuple(after)
    alter = parse_alter(statement)
    if alter is None or any(isinstance(one, (DropColumn, ModifyColumn, RenameColumn)) for one in alter.clauses):
        return None
    added = {clause.node.name.lower() for clause in alter.clauses if isinstance(clause, AddColumn)}
    if not added <= {column.name.lower() for column in after}:
        return None
    return tuple(column for column in after if column.name.lower() not in added)
