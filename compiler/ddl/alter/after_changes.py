"""A CREATE TABLE as it is after routed changes: what a physical table should be by now, without asking a server."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from shardwright.compiler.ddl.alter.read import parse_alter
from shardwright.compiler.ddl.shape.table_edit import NotCalculable


def after_changes(table: exp.Create, changes: Iterable[str]) -> exp.Create:
    """A copy with `changes` (templates of ALTER TABLE) done, in their order. Raises NotReckoned."""
    changed = table.copy()
    for change in changes:
        alter = parse_alter(change)
        if alter is None:
            raise NotCalculable(change)
        for clause in alter.clauses:
            try:
                clause.apply(changed)
            except NotCalculable:
                raise NotCalculable(clause.sql) from None
    return changed
