"""Which events of a batch belong to quarantined keys? A view keeps them out of the batch, and what is kept of them is
computed.

Runs in the driver; Spark tasks do the work on events.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.batch_sql import batch_sql, union_all
from shardwright.runtime.ledger.dead_letters import DeadLetter, QuarantinedKey
from shardwright.runtime.sources.positions.queue_offsets import QueueOffsets
from shardwright.runtime.sources.source import Sources

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_VIEW = "dead_keys"
_POSITION = "struct<epoch: bigint, file: bigint, offset: bigint, row: int>"
_VIEW_DDL = f"logical string, source_table string, key array<string>, last {_POSITION}, until {_POSITION}"
_ANSWERED_DDL = "source_table string, key array<string>"
Position = tuple[int, int, int, int]
"""Epoch, file, offset, row."""
AdmittedFrom = Mapping[QuarantinedKey, Position | None]
"""For keys that are let in again: from which of a batch's events on; None: all of them."""


def offer_keys(
    frame: DataFrame,
    plan: Plan,
    dead_letters: Collection[DeadLetter],
    admitted_from: AdmittedFrom,
    overruled: AdmittedFrom = MappingProxyType({}),
) -> None:
    """Makes the view that batches are joined against. Keys of `overruled` are in quarantine for one batch."""
    rows: list[tuple[str, str | None, list[str], Position | None, Position | None]] = [
        (
            dead_letter.held.logical,
            _only_source(plan, dead_letter.held),
            list(dead_letter.held.key),
            dead_letter.last_position,
            admitted_from.get(dead_letter.held),
        )
        for dead_letter in dead_letters
        if dead_letter.held not in admitted_from or admitted_from[dead_letter.held] is not None
    ]
    rows += [(held.logical, None, list(held.key), None, until) for held, until in overruled.items()]
    frame.sparkSession.createDataFrame(rows, _VIEW_DDL).createOrReplaceTempView(_VIEW)


def _only_source(plan: Plan, held: QuarantinedKey) -> str | None:
    """The source table that the key is quarantined of: the events that another one has of it count. None where a key is
    one row, whichever table an event is from."""
    return held.source_table if plan.table(held.logical).ours.owner is not None else None


def collect_quarantined_events(changes: DataFrame, plan: Plan, logicals: Sequence[str]) -> list[Any]:
    """One row for each quarantined key that has events. The events behind the last one that was kept are new: they are
    counted, and the image is that of the last of them. A queue may bring an earlier one late, so the places are those
    of all; a child's events name none."""
    changes.createOrReplaceTempView("changes")
    statements = {name: "held" if plan.table(name).placement.parent is None else "held_child" for name in logicals}
    text = union_all(batch_sql(plan, what, name) for name, what in statements.items())
    return changes.sparkSession.sql(text).collect()


def admit_from(
    changes: DataFrame, plan: Plan, sources: Sources, dead_letters: Collection[DeadLetter], logicals: Collection[str]
) -> AdmittedFrom:
    """For the answered ones among `dead_letters`, whose rows were read again at some position of their source. A log's
    events have a position themselves, before it or behind it. In a queue, only offsets have. A batch in which all
    events of a key are before takes none of them; one that has some behind takes those. Where the two are not in order
    (one of them comes late, by another partition), it takes all: then their positions in the log decide."""
    found: dict[QuarantinedKey, Position | None] = {}
    groups: dict[tuple[str, str | None, str], list[DeadLetter]] = defaultdict(list)
    for dead_letter in dead_letters:
        if isinstance(dead_letter.until, tuple):
            found[dead_letter.held] = (*dead_letter.until, -1)
        elif dead_letter.until is not None and dead_letter.held.logical in logicals:
            until = str(sorted(dead_letter.until.items()))
            groups[(dead_letter.held.logical, _only_source(plan, dead_letter.held), until)].append(dead_letter)
    for (logical, only, _), group in groups.items():
        first = group[0]
        source = next((item for item in sources if first.held.source_table in item.tables), None)
        if source is None:
            continue  # isolated: it has no events
        assert first.until is not None and not isinstance(first.until, tuple)
        behind = source.condition_from(QueueOffsets(offsets=first.until))
        held = {dead_letter.held.key: dead_letter.held for dead_letter in group}
        keys = [(only, list(key)) for key in held]
        before = _edges(changes.where(~behind), plan, logical, keys=keys)
        for key, (start, _end) in _edges(changes.where(behind), plan, logical, keys=keys).items():
            in_order = key not in before or before[key][1] < start
            found[held[key]] = start if in_order else None
    return found


def _edges(
    changes: DataFrame, plan: Plan, logical: str, *, keys: Sequence[tuple[str | None, list[str]]]
) -> dict[tuple[str, ...], tuple[Position, Position]]:
    """The first and the last position of the events of each key that has some. `keys` have their source table, where
    only its events count."""
    spark = changes.sparkSession
    changes.createOrReplaceTempView("changes")
    spark.createDataFrame(keys, _ANSWERED_DDL).createOrReplaceTempView("answered_keys")
    rows = spark.sql(batch_sql(plan, "edges", logical)).collect()
    return {tuple(row["key"]): (tuple(row["first"]), tuple(row["last"])) for row in rows}
