"""What a shard answers of what it has staged: from then on that says what it owes."""

from __future__ import annotations

from shardwright.runtime.stream.stage_order import Share

Summary = dict[str, dict[str, dict[str, int]]]
"""logical table -> action -> part (as text, for JSON) -> rows. Beside the actions NEW: how many of the upserts are of rows that are
not there, as far as the batch knows."""
NEW = "new"


def add_counts(summary: Summary, share: Share) -> None:
    actions = summary.setdefault(share.logical, {})
    for rows in (share.whole, share.keys):
        counted = rows.group_by(["action", "decision", "part"]).aggregate([([], "count_all")])
        for row in counted.to_pylist():
            for action in (row["action"], NEW) if row["decision"] == "insert" else (row["action"],):
                parts = actions.setdefault(action, {})
                parts[str(row["part"])] = parts.get(str(row["part"]), 0) + row["count_all"]
