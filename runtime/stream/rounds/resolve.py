"""What becomes of the rows that both sides have changed? The plan's SQL decides; here its views are made, and its rows
become conflicts.

Runs in the driver. Pure but for Spark.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sql.batch_sql import union_all
from shardwright.compiler.steps.conflict import RESOLVE
from shardwright.runtime.ledger.conflicts import Conflict, Image, SideChanges, as_tuple
from shardwright.runtime.stream.rounds.side import CHANGED_DDL
from shardwright.specs.direction import Side

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_HELD_DDL = (
    "logical string, key array<string>, kind string, take string, source_changes bigint, shards_changes bigint, "
    "base array<string>, at_source array<string>, at_shards array<string>"
)


def resolve(
    spark: SparkSession,
    plan: Plan,
    at_source: Sequence[tuple[Any, ...]],
    at_shards: Sequence[tuple[Any, ...]],
    held: Collection[Conflict],
) -> list[Conflict]:
    """`plan` is of the way to the shards; `at_source` and `at_shards` have the shape of CHANGED_DDL. Of `held` those
    whose rows have changed again, or that an operator has decided."""
    rows = [
        (
            one.logical,
            list(one.key),
            one.kind,
            one.take,
            *(one.changes[side].count for side in _SIDES),
            *map(_list, (one.base, one.at_source, one.at_shards)),
        )
        for one in held
    ]
    spark.createDataFrame(at_source, CHANGED_DDL).createOrReplaceTempView("at_source")
    spark.createDataFrame(at_shards, CHANGED_DDL).createOrReplaceTempView("at_shards")
    spark.createDataFrame(rows, _HELD_DDL).createOrReplaceTempView("held")
    tables = sorted({row[0] for row in (*at_source, *at_shards, *rows)})
    if not tables:
        return []
    text = union_all(plan.step(name, StepName.CONFLICT).statement(RESOLVE) for name in tables)
    known = {(one.logical, one.key): one for one in held}
    found = [_conflict(plan, row, known.get((row["logical"], tuple(row["key"])))) for row in spark.sql(text).collect()]
    return sorted(found, key=lambda one: (one.logical, one.key))


def _conflict(plan: Plan, row: Any, held: Conflict | None) -> Conflict:
    changes = {
        side: SideChanges(int(row[f"{side}_changes"]), as_tuple(row[f"{side}_first"]), as_tuple(row[f"{side}_last"]))
        for side in _SIDES
    }
    if held is not None:
        changes = {side: _join(held.changes[side], changes[side]) for side in _SIDES}
    return Conflict(
        logical=row["logical"],
        key=tuple(row["key"]),
        kind=row["kind"],
        decision=row["decision"],
        base=as_tuple(row["base"]),
        at_source=as_tuple(row["at_source"]),
        at_shards=as_tuple(row["at_shards"]),
        result=as_tuple(row["result"]),
        changes=changes,
        writes=dict(_writes(row)),
        place=_place(plan, row["logical"], row["place"]) or (held.place if held else None),
        id=held.id if held else 0,
        take=held.take if held else None,
    )


_SIDES: tuple[Side, Side] = ("source", "shards")


def _writes(row: Any) -> Iterator[tuple[Side, Image]]:
    for side in _SIDES:
        if row[f"writes_{side}"]:
            yield side, as_tuple(row[f"to_{side}"])


def _place(plan: Plan, logical: str, place: str | None) -> str | None:
    """A row of the source says where it belongs as shard and part."""
    shard, colon, part = (place or "").partition(":")
    return plan.physical_name(plan.table(logical), int(shard), int(part)) if colon else place


def _join(before: SideChanges, after: SideChanges) -> SideChanges:
    return SideChanges(before.count + after.count, before.first or after.first, after.last or before.last)


def _list(image: Image) -> list[str | None] | None:
    return None if image is None else list(image)
