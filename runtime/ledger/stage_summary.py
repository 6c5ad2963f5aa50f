"""What a shard returns of what it has staged: what it has to apply from then on. Made in Spark tasks, read in the
driver. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shardwright.runtime.ledger.stage_rows import Share

Summary = dict[str, dict[str, dict[str, int]]]
"""logical table -> action -> part (as text, for JSON) -> rows. Beside the actions NEW: how many of the upserts are of
rows that do not exist, as far as the batch knows, and PLACED: rows that are in place already."""
NEW, PLACED = "new", "placed"
INSERT = "insert"
"""The decision about a row that is new, as far as the batch knows."""
REREAD = "reread"
"""The decision about a row whose events have no order: it is read again. On the way back only."""
DELETE_IF_GONE = "delete_if_gone"
"""The decision about a row that is deleted, unless a shard has it. On the way back only."""
TO_LOOK_FOR = "!delete_if_gone"
"""Stands beside the logical tables in the answer of a task that has staged such deletes: the shards are asked for these
rows."""
TO_REREAD = "!reread"
"""Replaces the name of a logical table in the answer of a task that has staged nothing: rows are to be read again."""

TO_MERGE = "!merge"
"""Replaces the name of a logical table in the answer of a task that has staged nothing: rows that were taken for new
ones without merging are not, or not all."""


class RowDecisions(NamedTuple):
    """Rows of one logical table, by the decision about them."""

    inserted: int = 0
    updated: int = 0
    deleted: int = 0


def add_counts(summary: Summary, share: Share) -> None:
    actions = summary.setdefault(share.logical, {})
    for rows in (share.whole, share.keys):
        counted = rows.group_by(["action", "decision", "part"]).aggregate([([], "count_all")])
        for row in counted.to_pylist():
            for action in (row["action"], NEW) if row["decision"] == INSERT else (row["action"],):
                parts = actions.setdefault(action, {})
                parts[str(row["part"])] = parts.get(str(row["part"]), 0) + row["count_all"]


def with_inserted(summary: Summary, logicals: Collection[str]) -> Summary:
    """The same when the new rows of `logicals` are not staged but placed."""
    return {name: _split_inserted(actions) if name in logicals else actions for name, actions in summary.items()}


def count_staged(summary: Summary) -> int:
    """How many rows a shard's share of the batch has."""
    actions = [found for about in summary.values() for action, found in about.items() if action != NEW]
    return sum(rows for parts in actions for rows in parts.values())


def most_staged(summaries: Mapping[int, Summary]) -> dict[str, int]:
    """Logical table -> the rows of the shard that has most of them."""
    found: dict[str, int] = {}
    for summary in summaries.values():
        for logical, about in summary.items():
            found[logical] = max(found.get(logical, 0), count_staged({logical: about}))
    return found


def count_decided(summaries: Iterable[Summary]) -> Mapping[str, RowDecisions]:
    """By logical table, what shards had to apply, all shards together."""
    found: dict[str, list[int]] = {}
    for summary in summaries:
        for logical, actions in summary.items():
            rows = {action: sum(parts.values()) for action, parts in actions.items()}
            new = rows.get(NEW, 0)
            counts = found.setdefault(logical, [0, 0, 0])
            counts[0] += new + rows.get(PLACED, 0)
            counts[1] += rows.get("upsert", 0) - new
            counts[2] += rows.get("delete", 0) + rows.get("move_out", 0)
    return {logical: RowDecisions(*counts) for logical, counts in found.items()}


def _split_inserted(actions: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    if NEW not in actions:
        return actions
    left = {part: rows - actions[NEW].get(part, 0) for part, rows in actions["upsert"].items()}
    staged = {part: rows for part, rows in left.items() if rows}
    others = {action: parts for action, parts in actions.items() if action not in ("upsert", NEW)}
    return {**others, **({"upsert": staged} if staged else {}), PLACED: actions[NEW]}
