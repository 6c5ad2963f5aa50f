"""The plan of one logical table: what the spec chose, with its names and types from the source."""

from __future__ import annotations

from shardwright.compiler.columns.losses import losses
from shardwright.compiler.plan.bookkeeping_names import bookkeeping_name
from shardwright.compiler.plan.plan import DistributionKind, ParentLink, ReadColumn, SourceColumn, TablePlan
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.spec.model import Broadcast, Sharded, Single, Spec


def table_plan(
    spec: Spec, table: ResolvedTable, shard_key: tuple[str, ...], *, parent: ParentLink | None = None
) -> TablePlan:
    """`shard_key` are the source columns that place its rows; empty when it is not sharded, or placed through `parent`."""
    entry = table.entry
    distribution = entry.distribution
    version_column = entry.version_column
    if version_column is not None:
        version_column = entry.columns.rename.get(version_column, version_column)
    return TablePlan(
        logical=table.logical,
        source_databases=table.source_databases,
        source_tables=table.source_tables,
        source_columns=tuple(SourceColumn(c.name, c.type, c.nullable) for c in table.source.columns),
        columns=table.columns,
        key=table.key,
        unique_keys=table.unique_keys,
        weight=entry.weight,
        distribution=_kind(distribution),
        database=spec.target.databases.index(distribution.database) if isinstance(distribution, Single) else None,
        suffixes=_suffixes(spec, distribution),
        shard_key=shard_key,
        delete_policy=entry.deletes.policy,
        stop_above=None if entry.deletes.stop_above is None else str(entry.deletes.stop_above),
        version_column=version_column,
        stage_table=bookkeeping_name("_sw_stage_", table.logical),
        tombstone_table=bookkeeping_name("_sw_gone_", table.logical),
        park_table=bookkeeping_name("_sw_park_", table.logical),
        owner_table=bookkeeping_name("_sw_owner_", table.logical) if _several_sources(table) else None,
        event_groups=table.event_groups,
        events_table=bookkeeping_name("_sw_events_", table.logical) if table.event_groups else None,
        reads=_reads(table),
        where=entry.where,
        losses=tuple(losses(table.source, table.mapped, table.row_filter)),
        parent=parent,
        delete_delay=entry.deletes.delay_seconds,
        write=entry.write,
    )


def _reads(table: ResolvedTable) -> tuple[ReadColumn, ...]:
    """What is copied, and what filters and mappings look at, in the source's order."""
    names = {column.source for column in table.columns}
    names |= frozenset().union(*(item.mapping.reads() for item in table.mapped))
    names |= table.row_filter.reads() if table.row_filter is not None else frozenset()
    return tuple(
        ReadColumn(column.name, column.type, column.nullable, position)
        for position, column in enumerate(table.source.columns)
        if column.name in names
    )


def _several_sources(table: ResolvedTable) -> bool:
    return len(table.source_databases) * len(table.source_tables) > 1


def _kind(distribution: object) -> DistributionKind:
    match distribution:
        case Broadcast():
            return "broadcast"
        case Single():
            return "single"
        case _:
            return "sharded"


def _suffixes(spec: Spec, distribution: object) -> tuple[str, ...]:
    if isinstance(distribution, Sharded):
        return spec.suffixes_of(spec.sharding[distribution.rule])
    return ("",)
