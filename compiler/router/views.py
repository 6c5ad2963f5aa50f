"""Views with the old tables' names, over the physical tables of one database: old statements can read there. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from sqlglot import exp

from shardwright.compiler.plan.plan import Plan, TablePlan, with_suffix
from shardwright.compiler.router.refusal import NotRouted
from shardwright.compiler.sql import sql_text


def views(plan: Plan, database: str) -> Iterator[str]:
    """A statement for each table that is split within a database, and one for each old name that the shards changed.
    A view shows the rows of this database, with the columns by their old names. Raises NotRouted."""
    taken = {name.lower() for table in plan.tables for _, _, name in plan.physical_tables(table)}
    for table, old, names in views_of_shard(plan, plan.databases.index(database)):
        if old.lower() in taken:
            message = f"no view can be called '{old}': a physical table of the shards is"
            raise NotRouted("SW5303", table.logical, message)
        yield _view(database, old, table, names)


def views_of_shard(plan: Plan, shard: int) -> Iterator[tuple[TablePlan, str, list[str]]]:
    """The table, the view's name, and the physical tables that it reads."""
    for table in plan.tables:
        if shard in plan.shards(table):
            names = [with_suffix(table.physical, suffix) for suffix in plan.parts(table)]
            yield from ((table, old, names) for old in _old_names(table) if names != [old])


def _old_names(table: TablePlan) -> tuple[str, ...]:
    """The source's table; of several, which were merged, only the logical name means all rows."""
    tables = dict.fromkeys(table.source.tables)
    return tuple(tables) if len(tables) == 1 else (table.logical,)


def _view(database: str, old: str, table: TablePlan, names: list[str]) -> str:
    columns = [_column(new, before) for new, before in _columns(table)]
    parts: list[exp.Query] = [exp.select(*columns).from_(sql_text.table(name, database=database)) for name in names]
    rows = reduce(_union, parts[1:], parts[0])
    create = exp.Create(kind="VIEW", this=sql_text.table(old, database=database), expression=rows)
    return f"{sql_text.to_sql(create, 'mysql').strip()};"


def _union(left: exp.Query, right: exp.Query) -> exp.Query:
    return exp.union(left, right, distinct=False)


def _column(name: str, before: str) -> exp.Expr:
    column = sql_text.column(name)
    return column if name == before else sql_text.alias(column, before)


def _columns(table: TablePlan) -> list[tuple[str, str]]:
    """Each column's name, and what the source calls it."""
    written = [(column.target, column.source or column.target) for column in table.physical_columns]
    return [*written, *((column.target, column.source or column.target) for column in table.generated)]
