"""What matters of the image that an update replaces.

Merging looks at a row's newest image; at the one it replaces only for where the row stood, which key and which version it had. The other
columns need not become text. An update that changes the key is a delete and an insert, and what is deleted is kept whole: people may
have to read it among the dead letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.plan.plan import Plan, TablePlan


@dataclass(frozen=True, slots=True)
class Replaced:
    """Indexes in the source's table: `columns` are wanted, all are when one of `key` changes. `row` are the columns by which an update
    leaves a row what and where it was, None when that is not enough to leave out what a later update replaces (see
    `update_chains`)."""

    columns: frozenset[int]
    key: tuple[int, ...]
    row: tuple[int, ...] | None = None


EVERYTHING: Mapping[str, Replaced] = {}


def replaced_in(plan: Plan) -> Mapping[str, Replaced]:
    """By source table ("database.table"); of those that are absent everything matters."""
    parents = {table.parent.parent for table in plan.tables if table.parent is not None}
    found: dict[str, Replaced] = {}
    for table in plan.tables:
        replaced = None if table.logical in parents else _replaced(table, held=table.logical in plan.quarantine)
        if replaced is not None:
            found.update((str(source), replaced) for source in table.sources)
    return found


def _replaced(table: TablePlan, *, held: bool) -> Replaced | None:
    if table.parent is not None or table.where is not None or table.write == "changed":
        return None  # a family's books, the filter and the marks of changed columns read what they like
    places = {column.name: column.position for column in table.reads}
    by_target = {column.target: column.source for column in table.columns}
    key = [column.source for column in table.key_columns]
    version = [by_target[table.version_column]] if table.version_column else []
    wanted = [*key, *table.shard_key, *version]
    if any(name not in places for name in wanted):
        return None  # computed from others
    row = tuple(dict.fromkeys(places[name] for name in (*key, *table.shard_key)))
    alone = version or held  # a version is told by the first image of all, a dead letter by every event's place
    columns = frozenset(places[name] for name in wanted)
    return Replaced(columns, tuple(places[name] for name in key), row=None if alone else row)
